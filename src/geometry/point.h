/* Points and directions in double: what meshes are measured and cut with, whatever sn_real is. */
#ifndef SN_GEOMETRY_POINT_H
#define SN_GEOMETRY_POINT_H

#include <sinew/base.h>

typedef struct sn_point {
    double x, y, z;
} sn_point;

static inline sn_point sn_point_of(sn_vec3 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}
static inline sn_vec3 sn_point_vec3(sn_point a) {
    return (sn_vec3){(sn_real)a.x, (sn_real)a.y, (sn_real)a.z};
}
/* As nodes will have it. gcc 12 leaves (double)(float)x out where it sees that done to a whole
   vector, so that each number is written and read. */
static inline sn_point sn_point_kept(sn_point a) {
    volatile sn_vec3 kept = {(sn_real)a.x, (sn_real)a.y, (sn_real)a.z};
    return (sn_point){(double)kept.x, (double)kept.y, (double)kept.z};
}
static inline sn_point sn_point_add(sn_point a, sn_point b) {
    return (sn_point){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline sn_point sn_point_sub(sn_point a, sn_point b) {
    return (sn_point){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline sn_point sn_point_scaled(sn_point a, double factor) {
    return (sn_point){a.x * factor, a.y * factor, a.z * factor};
}
static inline sn_point sn_point_cross(sn_point a, sn_point b) {
    return (sn_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double sn_point_dot(sn_point a, sn_point b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double sn_point_length(sn_point a) {
    return __builtin_sqrt(sn_point_dot(a, a));
}

/* A vector turned by a unit quaternion. */
static inline sn_point sn_point_rotated(const double q[4], sn_point a) {
    sn_point u = {q[0], q[1], q[2]};
    sn_point t = sn_point_scaled(sn_point_cross(u, a), 2);
    return sn_point_add(sn_point_add(a, sn_point_scaled(t, q[3])), sn_point_cross(u, t));
}

/* Twice the area of a triangle as a vector along its normal. */
static inline sn_point sn_point_normal(sn_point a, sn_point b, sn_point c) {
    return sn_point_cross(sn_point_sub(b, a), sn_point_sub(c, a));
}

/* Six times the volume of a tetrahedron. */
static inline double sn_point_det(sn_point a, sn_point b, sn_point c, sn_point d) {
    return sn_point_dot(sn_point_normal(a, b, c), sn_point_sub(d, a));
}

#endif
