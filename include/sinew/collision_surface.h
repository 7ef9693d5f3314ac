/*
 * Collision surfaces: what bodies touch each other with.
 *
 * A collision surface is made of nodes, each a ball of its radius; of segments between two of them,
 * each all that is as close to the line as the radius there; and of triangles, likewise. Where two
 * elements of different collision surfaces come closer than their radii they push each other apart,
 * by their masses, with friction; so do elements of the same collision surface where it collides
 * with itself. Colliders do not need collision surfaces: every node touches them, and so do
 * triangles where a collision surface has `triangle_contact`.
 *
 * Elements that share a node never meet, nor do balls whose nodes an edge joins: they are left to
 * what holds them there. Within one collision surface, elements that are close at rest (when the
 * collision surface is made)
 * may come closer than their radii: as close as they were, or half as close where segments or
 * triangles are concerned.
 */
#ifndef SINEW_COLLISION_SURFACE_H
#define SINEW_COLLISION_SURFACE_H

#include <sinew/collider.h>

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

/* A collision surface. What the pointers point to is copied. */
typedef struct sn_collision_surface_def {
    size_t size;               /* set by sn_collision_surface_def_default */
    const sn_node *nodes;      /* each at most in one collision surface */
    size_t node_count;         /* at least 1 */
    const uint32_t *triangles; /* three indices into nodes each; may be null */
    size_t triangle_count;     /* of triangles */
    const uint32_t *segments;  /* two indices into nodes each, beside the edges of the triangles */
    size_t segment_count;      /* of segments */
    sn_collision_surface_detail detail; /* default SN_DETAIL_SURFACE */
    bool self;                          /* whether it collides with itself; default false */
    /* Whether it never passes through other collision surfaces of which this is so, nor through
       itself where it collides with itself: where contacts are not enough, nodes go only a part of
       their way. Of points only the nodes are kept, out of triangles of others; the log says so.
       Default false. */
    bool penetration_free;
    /* Whether it comes free where it passes through other collision surfaces of which this is so,
       or through itself; nothing for points, and the log says so. Default false. */
    bool untangle;
    /* Whether its triangles meet colliders, and not its nodes alone: for balls, corners and edges
       of colliders that are smaller than a triangle; nothing for points, and the log says so.
       Default false. */
    bool triangle_contact;
    /* Coulomb friction, at least 0, 1; of two collision surfaces the geometric mean counts.
       Default 0.5 and
       0.4. */
    sn_real static_friction;
    sn_real dynamic_friction; /* 1, at most the static one */
    sn_real restitution;      /* 0 to 1; of two collision surfaces the larger counts; default 0 */
    /* m/s, above 0: what overlaps comes apart no faster; of two collision surfaces the smaller
       counts; default
       1. SN_AUTO: at once. */
    sn_real recovery_speed;
    uint32_t mask; /* bit g: meets nodes of group g, if these meet it as well; groups above 31
                      count as 31; default all */
} sn_collision_surface_def;

SN_API sn_collision_surface_def sn_collision_surface_def_default(void);

/* Makes a collision surface. The places of the nodes now are those at rest. */
SN_API sn_result sn_collision_surface_create(sn_world *world, const sn_collision_surface_def *def,
                                             sn_collision_surface *surface);
/* Removes the collision surface; its nodes stay. A collision surface also goes with the last of
   its nodes. */
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
