/* Boxes along the axes. */
#ifndef SN_GEOMETRY_BOUNDS_H
#define SN_GEOMETRY_BOUNDS_H

#include "geometry/point.h"

typedef struct sn_bounds {
    sn_point low, high;
} sn_bounds;

/* Contains nothing, and any point makes it larger. */
static inline sn_bounds sn_bounds_empty(void) {
    double far = __builtin_inf();
    return (sn_bounds){{far, far, far}, {-far, -far, -far}};
}

static inline sn_point sn_point_lower(sn_point a, sn_point b) {
    return (sn_point){b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z};
}
static inline sn_point sn_point_higher(sn_point a, sn_point b) {
    return (sn_point){b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z};
}

static inline void sn_bounds_add(sn_bounds *bounds, sn_point x) {
    bounds->low = sn_point_lower(bounds->low, x);
    bounds->high = sn_point_higher(bounds->high, x);
}
static inline void sn_bounds_join(sn_bounds *bounds, sn_bounds other) {
    bounds->low = sn_point_lower(bounds->low, other.low);
    bounds->high = sn_point_higher(bounds->high, other.high);
}

static inline double sn_bounds_diagonal(sn_bounds bounds) {
    return sn_point_length(sn_point_sub(bounds.high, bounds.low));
}

/* m^2: of the distance of a point from them. */
static inline double sn_bounds_square(const sn_bounds *box, sn_point x) {
    double dx = x.x < box->low.x ? box->low.x - x.x : x.x > box->high.x ? x.x - box->high.x : 0;
    double dy = x.y < box->low.y ? box->low.y - x.y : x.y > box->high.y ? x.y - box->high.y : 0;
    double dz = x.z < box->low.z ? box->low.z - x.z : x.z > box->high.z ? x.z - box->high.z : 0;
    return dx * dx + dy * dy + dz * dz;
}

/* Whether a lies inside b and touches it nowhere. */
static inline bool sn_bounds_within(sn_bounds a, sn_bounds b) {
    return a.low.x > b.low.x && a.low.y > b.low.y && a.low.z > b.low.z && a.high.x < b.high.x &&
           a.high.y < b.high.y && a.high.z < b.high.z;
}

#endif
