/* Points and directions in double: what scenes place and measure with, whatever sn_real is. */
#ifndef SN_IO_SCENE_POINT_H
#define SN_IO_SCENE_POINT_H

#include <sinew/base.h>

typedef struct sn_io_point {
    double x, y, z;
} sn_io_point;

static inline sn_io_point sn_io_point_of(sn_vec3 a) {
    return (sn_io_point){(double)a.x, (double)a.y, (double)a.z};
}
static inline sn_vec3 sn_io_point_vec3(sn_io_point a) {
    return (sn_vec3){(sn_real)a.x, (sn_real)a.y, (sn_real)a.z};
}
static inline sn_io_point sn_io_point_add(sn_io_point a, sn_io_point b) {
    return (sn_io_point){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline sn_io_point sn_io_point_sub(sn_io_point a, sn_io_point b) {
    return (sn_io_point){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline sn_io_point sn_io_point_scaled(sn_io_point a, double factor) {
    return (sn_io_point){a.x * factor, a.y * factor, a.z * factor};
}
static inline sn_io_point sn_io_point_cross(sn_io_point a, sn_io_point b) {
    return (sn_io_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double sn_io_point_dot(sn_io_point a, sn_io_point b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double sn_io_point_length(sn_io_point a) {
    return __builtin_sqrt(sn_io_point_dot(a, a));
}

/* A vector turned by a unit quaternion. */
static inline sn_io_point sn_io_point_rotated(const double q[4], sn_io_point a) {
    sn_io_point u = {q[0], q[1], q[2]};
    sn_io_point t = sn_io_point_scaled(sn_io_point_cross(u, a), 2);
    return sn_io_point_add(sn_io_point_add(a, sn_io_point_scaled(t, q[3])),
                           sn_io_point_cross(u, t));
}

/* Twice the area of a triangle as a vector along its normal. */
static inline sn_io_point sn_io_point_normal(sn_io_point a, sn_io_point b, sn_io_point c) {
    return sn_io_point_cross(sn_io_point_sub(b, a), sn_io_point_sub(c, a));
}

/* Six times the volume of a tetrahedron. */
static inline double sn_io_point_det(sn_io_point a, sn_io_point b, sn_io_point c, sn_io_point d) {
    return sn_io_point_dot(sn_io_point_normal(a, b, c), sn_io_point_sub(d, a));
}

#endif
