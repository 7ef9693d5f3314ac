/*
 * Skinned cloth: nodes that stay near an animated mesh.
 *
 * Every node of an animation target has a target, which the host moves before each step, and
 * limits:
 *
 *     max_distance   the node stays within a ball around its target
 *     back stop      the node stays outside of a ball behind its target, against the normal, so
 *                    that it does not go through the body that the mesh stands for
 *
 * Within a step targets and normals move evenly over all substeps. The limits come after
 * constraints and contacts, so they hold where those would not; where both are at odds, with a
 * back stop that begins beyond max_distance, the back stop is left out.
 */
#ifndef SINEW_ANIMATION_TARGET_H
#define SINEW_ANIMATION_TARGET_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of an animation target, made like that of a node. */
typedef struct sn_animation_target {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_animation_target;

/* The target of one node, and how far it may go. */
#define SN_ANIMATION_TARGET_VERTEX_FIELDS(FIELD, ARRAY)                                            \
    FIELD(VEC3, position, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "where it is")                 \
    FIELD(VEC3, normal, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                  \
          "outward, of any length; 0: there is no back stop")                                      \
    FIELD(REAL, max_distance, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                  \
          "how far a node may go; automatic: as far as it likes")                                  \
    FIELD(REAL, back_stop_distance, "m", 0, SN_REAL_MAX, SN_AUTO, true,                            \
          "how far behind its place, against the normal of the mesh, a ball begins that a node "   \
          "does not enter; automatic: there is none")                                              \
    FIELD(REAL, back_stop_radius, "m", 0, SN_REAL_MAX, 1, false, "of that ball, above 0")

/* The fields above as a struct. */
typedef struct sn_animation_target_vertex {
    SN_ANIMATION_TARGET_VERTEX_FIELDS(SN_MEMBER, SN_ARRAY_MEMBER)
} sn_animation_target_vertex;

/* The array of an animation target: reals of a vertex one after the other. */
#define SN_ARRAY_VERTICES const sn_animation_target_vertex *
#define SN_ELEMENTS_VERTICES SN_ELEMENT_RECORD, 9

/* An animation target. */
#define SN_ANIMATION_TARGET_FIELDS(FIELD, ARRAY)                                                   \
    ARRAY(NODES, nodes, node_count, "", false, "each once; kinematic ones are left alone")         \
    FIELD(COUNT, node_count, "1", 1, SN_COUNT_MAX, 0, false, "how many nodes")                     \
    ARRAY(VERTICES, vertices, node_count, "", false, "the target of each node, and its limits")    \
    FIELD(REAL, compliance, "m/N", 0, SN_REAL_MAX, SN_AUTO, true,                                  \
          "of a spring to its place; automatic: none")

/* sn_animation_target_def and its default. */
SN_DECLARE_OBJECT(animation_target, SN_ANIMATION_TARGET_FIELDS)

/* Makes an animation target, with its targets where they are now. */
SN_API sn_result sn_animation_target_create(sn_world *world, const sn_animation_target_def *def,
                                            sn_animation_target *animation_target);
/* Removes it; its nodes stay. An animation target also goes with the last of its nodes. */
SN_API sn_result sn_animation_target_destroy(sn_world *world, sn_animation_target animation_target);
/* Whether the id names a living animation target of this world. */
SN_API bool sn_animation_target_is_valid(const sn_world *world,
                                         sn_animation_target animation_target);
/* The id of the animation target in a slot, from 0; SN_ERROR_ID for a slot that is empty. */
SN_API sn_result sn_world_animation_target_at(const sn_world *world, size_t slot,
                                              sn_animation_target *animation_target);

/*
 * Sends all targets on, in m: during the next step they move to `positions`, and normals turn to
 * `normals`, which may be null where they stay. One per node that is left, in the order of the
 * definition; `count` says how many are there.
 */
SN_API sn_result sn_animation_target_set_targets(sn_world *world,
                                                 sn_animation_target animation_target,
                                                 const sn_vec3 *positions, const sn_vec3 *normals,
                                                 size_t count);

/* New limits for all nodes, at once: of each vertex max_distance and the back stop count, position
   and normal are not looked at. */
SN_API sn_result sn_animation_target_set_limits(sn_world *world,
                                                sn_animation_target animation_target,
                                                const sn_animation_target_vertex *vertices,
                                                size_t count);

/* Node i of an animation target, from 0, and its vertex, with the target where it is now. */
SN_API sn_result sn_animation_target_get(const sn_world *world,
                                         sn_animation_target animation_target, size_t i,
                                         sn_node *node, sn_animation_target_vertex *vertex);

/* How many nodes it has; 0 for an id that is not valid. */
SN_API size_t sn_animation_target_count(const sn_world *world,
                                        sn_animation_target animation_target);

#ifdef __cplusplus
}
#endif

#endif
