/*
 * A picture of a world for queries: for each class of objects an array of copies and a tree of
 * boxes over them.
 *
 * A class (nodes, colliders, collision surfaces) is a table of functions, so that the tree, the
 * walks and the order of answers know none of them. Answers do not depend on the tree: boxes are
 * never too small, and among all that is hit the order is total.
 */
#ifndef SN_COLLISION_QUERY_QUERY_H
#define SN_COLLISION_QUERY_QUERY_H

#include "collision/query/query_ray.h"
#include "collision/query/query_tree.h"
#include "state/world.h"

#include <sinew/query.h>

#ifdef SN_DOUBLE
#define SN_REAL_EPSILON DBL_EPSILON
#else
#define SN_REAL_EPSILON FLT_EPSILON
#endif

/* A class of objects. Items are structs of `element` bytes that begin with what names them. */
typedef struct sn_query_class {
    sn_hit_kind kind;
    size_t element;
    /* Copying them. `gather` names all that there are; `lives` says whether an item still is one,
       with or without bounds as before; `update` copies what has changed since. */
    size_t (*count)(const sn_world *world);
    void (*gather)(const sn_world *world, void *items);
    bool (*lives)(const sn_world *world, const void *item);
    void (*update)(const sn_world *world, void *item);
    /* Bounds; not finite for what has none. */
    sn_bounds (*bounds)(const void *item);
    /* Asking. `describe` fills in weights and velocity at a point of the surface; the ray is null
       but in casts. */
    bool (*passes)(const void *item, uint32_t groups);
    bool (*cast)(const void *item, const sn_ray *ray, double *s);
    double (*distance)(const void *item, sn_point x, sn_point *normal);
    bool (*overlaps)(const void *item, const sn_bounds *box);
    void (*name)(const void *item, uint16_t world, sn_hit *hit);
    void (*describe)(const void *item, const sn_ray *ray, sn_point point, sn_hit *hit);
} sn_query_class;

extern const sn_query_class sn_query_nodes, sn_query_colliders, sn_query_surfaces;
enum { SN_QUERY_CLASSES = 3 };
const sn_query_class *sn_query_class_at(size_t index);

/* The objects of a class: those in the tree in the order of its leaves, then those without
   bounds. */
typedef struct sn_query_part {
    unsigned char *item;
    size_t count;
    sn_tree tree;
} sn_query_part;

struct sn_query {
    sn_memory memory;
    uint16_t world; /* the tag of its ids */
    sn_query_part part[SN_QUERY_CLASSES];
};

/* Copies the world as it is; nothing has changed where that fails. */
sn_result sn_query_take(sn_query *query, const sn_world *world);
void sn_query_free_parts(sn_query *query);

/* ---- Asking; the arguments are checked ---- */

/* Collects hits in an array of the caller's. */
typedef struct sn_finder {
    const sn_query *query;
    const sn_filter_def *filter;
    const sn_ray *ray; /* of casts, otherwise null */
    sn_hit *hits;
    size_t capacity, kept;
    size_t count; /* of all that were hit */
    bool first;   /* only the nearest is wanted */
} sn_finder;

void sn_finder_cast(sn_finder *finder, const sn_ray *ray);
void sn_finder_closest(sn_finder *finder, sn_point x, double within);
void sn_finder_overlap_ball(sn_finder *finder, sn_point center, double radius);
void sn_finder_overlap_box(sn_finder *finder, const sn_bounds *box);

/* Takes notice of an item that was hit at x, at a distance. */
void sn_finder_offer(sn_finder *finder, const sn_query_class *kind, const void *item, sn_point x,
                     double distance);
/* m: nothing farther is wanted; `within` or less. Never too near. */
double sn_finder_limit(const sn_finder *finder, double within);
/* Puts what was kept in order. */
void sn_finder_sort(sn_finder *finder);

/* ---- For classes ---- */

/* The bit of a group. */
static inline uint32_t sn_query_group(uint32_t group) {
    return group == SN_GROUP_NONE ? 0 : (uint32_t)1 << (group < 31 ? group : 31);
}

/* A unit vector, or up where there is no direction; returns the length. */
static inline double sn_query_unit(sn_point a, sn_point *unit) {
    double length = sn_point_length(a);
    *unit = (sn_point){0, 1, 0};
    if (length > 0) *unit = (sn_point){a.x / length, a.y / length, a.z / length};
    return length;
}

#endif
