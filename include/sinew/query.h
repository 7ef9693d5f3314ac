/*
 * Queries: what does a ray, a moving ball, a region hit, and what is nearest to a point?
 *
 * They are asked of a picture of a world, which is made when the host says so:
 *
 *     sn_query *query;
 *     sn_query_create(world, &query);
 *     ...
 *     sn_world_step(world, dt);
 *     sn_query_refresh(query, world);
 *     sn_cast_def cast = sn_cast_def_default();
 *     cast.origin = (sn_vec3){0, 2, 0};
 *     sn_query_cast(query, &cast, NULL, &hit);
 *
 * The picture has copies of what it needs. So any number of threads may ask the same picture at
 * once; they may ask it while the world is stepped, and inside a step, from a force field; and they
 * are answered with what was when it was made or refreshed. Making and refreshing read the world
 * and are refused inside its step.
 *
 * The geometry of colliders (meshes, hulls, fields, heights, parts) is not copied but that of the
 * world. Once such a collider was changed or destroyed, or the world was, the picture is refreshed
 * before it is asked; and it is not asked inside a step in which vertices of a collider move.
 *
 * Answers are computed in double, do not depend on how objects lie in memory, and have the same
 * bits on every machine.
 */
#ifndef SINEW_QUERY_H
#define SINEW_QUERY_H

#include <sinew/collision_surface.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A picture of a world, to be used through its pointer only. */
typedef struct sn_query sn_query;

/* Makes a picture with the allocator of the world. On failure *query is null. */
SN_API sn_result sn_query_create(const sn_world *world, sn_query **query);

/*
 * Makes it new; of another world as well. Nobody may ask meanwhile. While the objects are the same
 * ones, this only follows their motion and allocates nothing, until so much has changed that
 * answers would become slow.
 */
SN_API sn_result sn_query_refresh(sn_query *query, const sn_world *world);

/* Frees it, before or after its world. Null is allowed. */
SN_API void sn_query_destroy(sn_query *query);

/* ---- Answers ---- */

/* What can be hit; bits of `kinds` in a filter. */
typedef enum sn_hit_kind {
    SN_HIT_NONE = 0,     /* nothing */
    SN_HIT_NODE = 1,     /* the ball of a node */
    SN_HIT_COLLIDER = 2, /* a collider */
    SN_HIT_SURFACE =
        4 /* a triangle or a segment of a collision surface, as thick as the radii of its nodes,
                            whether it collides or only its nodes do */
} sn_hit_kind;

/* Something that was hit. */
typedef struct sn_hit {
    sn_hit_kind kind;
    sn_collider collider;         /* of SN_HIT_COLLIDER, otherwise null */
    sn_collision_surface surface; /* of SN_HIT_SURFACE, otherwise null */
    uint32_t element;  /* of a collision surface: the triangle, or the segment beside the edges of
                    triangles,
                             as they were given, without those that went with their nodes */
    int node_count;    /* 1 for a node, 0 for a collider, 3 for a triangle, 2 for a segment */
    sn_node node[3];   /* the nodes that the point moves with */
    sn_real weight[3]; /* 1, the part of each of them, 1 in sum */
    /* m: the point of its surface that was hit, or that is nearest; where a cast begins inside, the
       beginning. */
    sn_vec3 point;
    sn_vec3 normal;   /* outward, unit length; up where there is no direction. Of a triangle without
                         thickness: to the side that a ray comes from */
    sn_vec3 velocity; /* m/s, of the object at that point */
    /* m. Of casts: how far the point or the ball has gone. Otherwise: from the point, or the middle
       of the region, to the surface, negative inside. */
    sn_real distance;
    sn_real fraction; /* 1, of casts: the part of the length; 0 where there is no length */
} sn_hit;

/* ---- Filters ---- */

/* Whether an object counts; `hit` has its kind and ids only. Called on the thread that asks, in no
   particular order. */
typedef bool sn_query_accept(void *user, const sn_hit *hit);

/* What counts. A null filter is the default one. */
typedef struct sn_filter_def {
    size_t size;    /* set by sn_filter_def_default */
    uint32_t kinds; /* of sn_hit_kind, added up; default all */
    /* Bit g: nodes of group g, triangles and segments with such nodes, and colliders that collide
       with them; groups above 31 count as 31; default all. */
    uint32_t groups;
    bool skip_inside;        /* leaves out what a cast begins in; default false */
    sn_query_accept *accept; /* null: everything; default null */
    void *user;              /* handed to accept */
} sn_filter_def;

SN_API sn_filter_def sn_filter_def_default(void);

/* ---- Casts ---- */

/* A ray, or with a radius a ball that moves straight ahead. */
typedef struct sn_cast_def {
    size_t size;       /* set by sn_cast_def_default */
    sn_vec3 origin;    /* m */
    sn_vec3 direction; /* of any length above 0; default (0, -1, 0) */
    sn_real length;    /* m, at least 0; 0 asks what is here; default SN_AUTO: without end */
    sn_real radius;    /* m, at least 0; default 0 */
} sn_cast_def;

SN_API sn_cast_def sn_cast_def_default(void);

/* The nearest hit; of several at the same distance, nodes before colliders before collision
   surfaces, then the lowest slot, then the lowest triangle, then the lowest segment. Its kind is
   SN_HIT_NONE where nothing is hit. */
SN_API sn_result sn_query_cast(const sn_query *query, const sn_cast_def *cast,
                               const sn_filter_def *filter, sn_hit *hit);

/* All of them, in that order, one per object: *count is how many there are, and the first
   `capacity` of these are in `hits`, which may be null where capacity is 0. */
SN_API sn_result sn_query_cast_all(const sn_query *query, const sn_cast_def *cast,
                                   const sn_filter_def *filter, sn_hit *hits, size_t capacity,
                                   size_t *count);

/* ---- Regions and points ---- */

/* Everything that touches a ball (m); ordered and counted as above. */
SN_API sn_result sn_query_overlap_sphere(const sn_query *query, sn_vec3 center, sn_real radius,
                                         const sn_filter_def *filter, sn_hit *hits, size_t capacity,
                                         size_t *count);

/* Everything that touches a box along the axes, from `low` to `high` (m). */
SN_API sn_result sn_query_overlap_box(const sn_query *query, sn_vec3 low, sn_vec3 high,
                                      const sn_filter_def *filter, sn_hit *hits, size_t capacity,
                                      size_t *count);

/* The surface nearest to a point, within a distance (m; SN_AUTO: any). What the point is in comes
   first, the deepest of all, with a negative distance. */
SN_API sn_result sn_query_closest(const sn_query *query, sn_vec3 point, sn_real distance,
                                  const sn_filter_def *filter, sn_hit *hit);

#ifdef __cplusplus
}
#endif

#endif
