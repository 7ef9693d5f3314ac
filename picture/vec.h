/* Vectors of the renderer, in single precision whatever the library has. */
#ifndef SN_PICTURE_VEC_H
#define SN_PICTURE_VEC_H

#include <sinew/base.h>

#include <math.h>

typedef struct vec {
    float x, y, z;
} vec;

static inline vec vec_of(sn_vec3 a) {
    return (vec){(float)a.x, (float)a.y, (float)a.z};
}

static inline vec add(vec a, vec b) {
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec sub(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec scale(vec a, float s) {
    return (vec){a.x * s, a.y * s, a.z * s};
}

static inline vec mul(vec a, vec b) {
    return (vec){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline vec mix(vec a, vec b, float t) {
    return add(scale(a, 1 - t), scale(b, t));
}

static inline float dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float norm(vec a) {
    return sqrtf(dot(a, a));
}

/* The zero vector stays zero. */
static inline vec unit(vec a) {
    float length = norm(a);
    return length > 0 ? scale(a, 1 / length) : a;
}

/* By comparison: the functions of the library also order zeros, which takes them calls. */
static inline float least_of(float a, float b) {
    return a < b ? a : b;
}

static inline float most_of(float a, float b) {
    return a > b ? a : b;
}

static inline float clamp(float a, float least, float most) {
    return least_of(most_of(a, least), most);
}

/* From 0 at `a` to 1 at `b` without a kink. */
static inline float smooth(float a, float b, float x) {
    float t = clamp((x - a) / (b - a), 0, 1);
    return t * t * (3 - 2 * t);
}

/* An orthonormal basis whose third axis is `forward`; the second is as close to up as it can be. */
typedef struct basis {
    vec right, up, forward;
} basis;

static inline basis basis_towards(vec forward, vec up) {
    basis b = {.forward = unit(forward)};
    vec right = cross(b.forward, unit(up));
    /* Any other direction will do where the view is along the axis. */
    if (!(norm(right) > 1e-3f))
        right = cross(b.forward, fabsf(b.forward.z) < 0.7f ? (vec){0, 0, -1} : (vec){1, 0, 0});
    b.right = unit(right);
    b.up = cross(b.right, b.forward);
    return b;
}

/* The coordinates of `a` in the basis, and back. */
static inline vec to_basis(const basis *b, vec a) {
    return (vec){dot(a, b->right), dot(a, b->up), dot(a, b->forward)};
}

static inline vec from_basis(const basis *b, vec a) {
    return add(add(scale(b->right, a.x), scale(b->up, a.y)), scale(b->forward, a.z));
}

#endif
