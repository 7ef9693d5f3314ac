/*
 * Collision surfaces: what bodies touch each other with.
 *
 * A collision surface is made of nodes, each a ball of its radius; of segments between two of them,
 * each all that is as close to the line as the radius there; and of triangles, likewise. Where two
 * elements of different collision surfaces come closer than their radii they push each other apart,
 * by their masses, with friction; so do elements of the same collision surface where it collides
 * with itself. Colliders do not need collision surfaces: every node touches them, and so do
 * triangles and segments where a collision surface has `triangle_contact`.
 *
 * Elements that share a node never collide, nor do balls whose nodes an edge joins: they are left
 * to what holds them there. Within one collision surface, elements that are close at rest (when the
 * collision surface is made) may come closer than their radii: as close as they were, or half as
 * close where segments or triangles are concerned.
 */
#ifndef SINEW_COLLISION_SURFACE_H
#define SINEW_COLLISION_SURFACE_H

#include <sinew/collider.h>
#include <sinew/field.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a collision surface, made like that of a node. */
typedef struct sn_collision_surface {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_collision_surface;

/* What of a collision surface collides. */
typedef enum sn_collision_surface_detail {
    SN_DETAIL_SURFACE = 0, /* everything: nothing passes between the nodes */
    SN_DETAIL_POINTS = 1   /* only the balls of its nodes: cheap, and enough where they lie as close
                            as their diameters */
} sn_collision_surface_detail;

/*
 * A collision surface. Segments come beside the edges of the triangles.
 *
 * What is `penetration_free` never passes through other collision surfaces of which this is so, nor
 * through itself where it collides with itself: where contacts are not enough, nodes go only a part
 * of their way. Of points only the nodes are kept, out of triangles of others. What may `untangle`
 * comes free where it passes through others of which this is so, or through itself. Triangles and
 * segments collide with colliders, and not nodes alone, with `triangle_contact`: for balls, corners
 * and edges of colliders that are smaller than one of them. The last two mean nothing for points;
 * the log says so.
 *
 * Of two collision surfaces with different `layer`s it is known which is outside: the triangles of
 * both have their front there. Where they pass through each other they come apart in that order,
 * whether they `untangle` or not.
 */
#define SN_COLLISION_SURFACE_FIELDS(FIELD, ARRAY)                                                  \
    ARRAY(NODES, nodes, node_count, "", false, "each at most in one collision surface")            \
    FIELD(COUNT, node_count, "1", 1, SN_COUNT_MAX, 0, false, "how many nodes")                     \
    ARRAY(TRIANGLES, triangles, triangle_count, "", false, "of indices into nodes")                \
    FIELD(COUNT, triangle_count, "1", 0, SN_COUNT_MAX, 0, false, "how many triangles")             \
    ARRAY(EDGES, segments, segment_count, "", false, "of indices into nodes")                      \
    FIELD(COUNT, segment_count, "1", 0, SN_COUNT_MAX, 0, false, "how many segments")               \
    FIELD(ENUM(sn_collision_surface_detail), detail, "surface|points", 0, 1, 0, false,             \
          "what collides: everything, or only the balls of the nodes, which is cheap and enough "  \
          "where they lie as close as their diameters")                                            \
    FIELD(BOOL, self, "", 0, 1, 0, false, "whether it collides with itself")                       \
    FIELD(BOOL, penetration_free, "", 0, 1, 0, false,                                              \
          "nothing passes through it, at any speed; of two bodies both must be; wants `detail` "   \
          "surface")                                                                               \
    FIELD(BOOL, untangle, "", 0, 1, 0, false,                                                      \
          "what begins inside it comes free; of two bodies both must have it; wants `detail` "     \
          "surface")                                                                               \
    FIELD(BOOL, triangle_contact, "", 0, 1, 0, false,                                              \
          "its triangles and segments hit colliders, and not its nodes alone: for colliders with " \
          "corners, edges or a size below that of these; wants `detail` surface")                  \
    FIELD(REAL, static_friction, "1", 0, SN_REAL_MAX, 0.5, false,                                  \
          "what sticks at most; of two bodies the geometric mean counts")                          \
    FIELD(                                                                                         \
        REAL, dynamic_friction, "1", 0, SN_REAL_MAX, 0.4, false,                                   \
        "what slides; at most the static one. In scenes that do not give it: 0.4, or the static "  \
        "one where that is less")                                                                  \
    FIELD(REAL, restitution, "1", 0, 1, 0, false,                                                  \
          "the part of the speed that a bounce keeps; of two bodies the larger counts")            \
    FIELD(REAL, recovery_speed, "m/s", 0, SN_REAL_MAX, 1, true,                                    \
          "how fast what overlaps comes apart, above 0; of two bodies the smaller counts; "        \
          "automatic: at once")                                                                    \
    FIELD(                                                                                         \
        WORD, mask, "", 0, UINT32_MAX, UINT32_MAX, false,                                          \
        "bit g: collides with nodes of group g, if these do with it; groups above 31 count as 31") \
    FIELD(INT, layer, "1", 0, 255, 0, false,                                                       \
          "of bodies worn over each other: a higher one belongs in front of the triangles of a "   \
          "lower one, and comes out where it is behind them")                                      \
    FIELD(REAL, layer_shock, "1", 1, SN_REAL_MAX, 1, false,                                        \
          "how many times as heavy it is to what touches it from a higher layer")                  \
    FIELD(                                                                                         \
        REAL, porosity, "1", 0, 1, 0, false,                                                       \
        "the part of loose balls, of fluids, gases and grains, that go through it as if it were "  \
        "not there, each of them always or never")

/* sn_collision_surface_def and its default. */
SN_DECLARE_OBJECT(collision_surface, SN_COLLISION_SURFACE_FIELDS)

/* Makes a collision surface. The places of the nodes now are those at rest. */
SN_API sn_result sn_collision_surface_create(sn_world *world, const sn_collision_surface_def *def,
                                             sn_collision_surface *surface);
/* Removes the collision surface; its nodes stay. A collision surface also goes with the last of
   its nodes. A segment goes with the first of its nodes, when a constraint between its ends breaks,
   and when it is cut (sinew/cut.h). */
SN_API sn_result sn_collision_surface_destroy(sn_world *world, sn_collision_surface surface);
/* Whether the id names a living collision surface of this world. */
SN_API bool sn_collision_surface_is_valid(const sn_world *world, sn_collision_surface surface);

/* The collision surface as a definition, without its nodes, triangles and segments: those are null
   and their counts say how many there are. */
SN_API sn_result sn_collision_surface_get(const sn_world *world, sn_collision_surface surface,
                                          sn_collision_surface_def *def);
/* Takes over everything but nodes, triangles and segments, which are not looked at. */
SN_API sn_result sn_collision_surface_set(sn_world *world, sn_collision_surface surface,
                                          const sn_collision_surface_def *def);

/* The id of the collision surface in a slot, from 0; SN_ERROR_ID for a slot that is empty. */
SN_API sn_result sn_world_collision_surface_at(const sn_world *world, size_t slot,
                                               sn_collision_surface *surface);

#ifdef __cplusplus
}
#endif

#endif
