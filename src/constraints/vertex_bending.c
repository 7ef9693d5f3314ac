/*
 * Bending of a sheet at a vertex, with the vertices around it.
 *
 *   C(x) = s sum_k c_k (x_k - x_0),   three rows
 *   c_k  = (cot a_k + cot b_k) / (2 M)
 *
 * where a_k and b_k are the angles opposite to the edge (0, k) and M is a third of the area of the
 * triangles around: without s, the mean curvature vector of the piecewise linear surface, with the
 * cotangents of the flat rest shape. s^2 is the area that bends here, so that the energy is that
 * area times B/2 times the square of the curvature.
 *
 * Bergou et al. 2006, the quadratic model of survey of 2017, section 5.3, per vertex instead of
 * per edge: a cylinder then has the energy of a plate on every regular mesh and in every
 * direction.
 *
 * A node is one register here, and all widths run the same code, as in linear.inl. The only
 * coefficient in a block is s; w of the list becomes s c_k w_k times the pivot.
 */
#define SN_TYPE vertex_bending
#include "constraints/dashpot.h"
#include "constraints/formula.h"

enum { SN_NODES = 4, SN_FIXED = 0, SN_FRAMES = 0, SN_ROWS = 3, SN_COEFFICIENTS = 1 };

SN_INLINE sn_real scale_of(const sn_batch *b, size_t slot) {
    return ((const sn_real *)b->block)[slot];
}

SN_INLINE sn_v4 value_of(const sn_batch *b, size_t slot) {
    const sn_list *l = b->list[slot];
    const int32_t *offset = l->offset;
    const sn_real *c = l->c;
    sn_v4 x0 = sn_at(b->x, offset[0]), d0 = sn_at(b->d, offset[0]), sum = {0};
    for (size_t n = 1, count = l->count; n < count; n++) {
        sn_v4 x = sn_at(b->x, offset[n]) - x0;
        sum += c[n] * (x + (sn_at(b->d, offset[n]) - d0));
    }
    return scale_of(b, slot) * sum;
}

SN_INLINE sn_v4 error_of(const sn_batch *b, size_t slot, const int softness, const int keep) {
    const sn_real *soft = b->soft + slot / SN_BLOCK * SN_SOFT_ROWS * SN_BLOCK + slot % SN_BLOCK;
    sn_v4 *sum = (sn_v4 *)b->lambda;
    sn_v4 value = value_of(b, slot), error = value, kept = {0};
    if (keep && !b->first) kept = sum[slot];
    if (softness >= SN_COMPLIANT) error -= soft[SN_SOFT_ALPHA * SN_BLOCK] * kept;
    if (keep) sum[slot] = kept + error;
    return error;
}

/* Of three nodes at a time: their corrections do not wait for each other, as no node is in a list
   twice. */
SN_INLINE void correct(sn_vec4 *out, const sn_list *l, sn_v4 error) {
    const int32_t *offset = l->offset;
    const sn_real *w = l->w;
    size_t n = 0, count = l->count;
    for (; n + 2 < count; n += 3) {
        sn_v4 *a = sn_in(out, offset[n]), *b = sn_in(out, offset[n + 1]);
        sn_v4 *c = sn_in(out, offset[n + 2]);
        sn_v4 to_a = *a - w[n] * error, to_b = *b - w[n + 1] * error;
        sn_v4 to_c = *c - w[n + 2] * error;
        *a = to_a;
        *b = to_b;
        *c = to_c;
    }
    for (; n < count; n++) *sn_in(out, offset[n]) -= w[n] * error;
}

/* Lists lie apart, where the machine does not expect them. */
SN_INLINE void fetch(const sn_batch *b, size_t slot, size_t end) {
    const char *list = (const char *)b->list[slot < end ? slot : end - 1];
    __builtin_prefetch(list);
    __builtin_prefetch(list + 64);
    __builtin_prefetch(list + 128);
}

/* Errors before corrections, as in linear.inl. */
SN_LOOP void project_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                           const int keep) {
    enum { TOGETHER = SN_LANES == 1 ? 1 : 8 };
    sn_v4 error[TOGETHER];
    sn_vec4 *out = b->out;
    for (size_t slot = begin; slot < end; slot += TOGETHER) {
        size_t count = end - slot < TOGETHER ? end - slot : TOGETHER;
        for (size_t i = 0; i < count; i++) {
            fetch(b, slot + i + TOGETHER, end);
            error[i] = error_of(b, slot + i, softness, keep);
        }
        for (size_t i = 0; i < count; i++) correct(out, b->list[slot + i], error[i]);
    }
}

SN_DEFINE_GENERIC_LOOPS(project_range)

/* As in linear.inl. */
static void damp(const sn_dashpots *d, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; slot++) {
        const sn_list *l = d->at.list[slot];
        sn_real scale = scale_of(&d->at, slot), sum = 0;
        sn_v4 *kept = (sn_v4 *)d->impulse + slot, rate = {0};
        for (size_t n = 0; n < l->count && !d->warm; n++) {
            sn_real c = scale * l->c[n];
            sum += d->w[l->offset[n] / SN_NODE_BYTES] * c * c;
            rate += c * sn_at(d->v, l->offset[n]);
        }
        sn_real alpha = d->alpha[slot / SN_BLOCK * SN_ROWS * SN_BLOCK + slot % SN_BLOCK];
        sn_v4 push = scale * sn_damp_along(value_of(&d->at, slot), rate, sum, alpha, d->warm, kept);
        bool any = push[0] != 0 || push[1] != 0 || push[2] != 0;
        for (size_t n = 0; n < l->count; n++) {
            sn_real w = d->w[l->offset[n] / SN_NODE_BYTES];
            if (w > 0 && any) *sn_in(d->v, l->offset[n]) += (w * l->c[n]) * push;
        }
    }
}

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

enum { AREA = SN_COMMON_PARAMETERS };

static void evaluate(const sn_batch *b, size_t slot, sn_real *value, sn_vec3 *gradient) {
    const sn_list *l = b->list[slot];
    sn_v4 v = value_of(b, slot);
    for (int row = 0; row < 3; row++) {
        value[row] = v[row];
        for (size_t n = 0; gradient && n < l->count; n++) {
            sn_real c = scale_of(b, slot) * l->c[n];
            gradient[(size_t)row * l->count + n] =
                (sn_vec3){row == 0 ? c : 0, row == 1 ? c : 0, row == 2 ? c : 0};
        }
    }
}

/* Adds the cotangents of the triangle (0, j, k) to the edges (0, j) and (0, k); twice its area. */
static sn_real add_triangle(const sn_preparation *from, size_t j, size_t k) {
    sn_vec3 a = from->x[j], b = from->x[k], n = sn_vec3_cross(a, b);
    sn_vec3 ab = sn_vec3_sub(b, a);
    sn_real area2 = SN_ROOT(sn_vec3_dot(n, n));
    if (!(area2 > SN_R(1e-6) * sn_vec3_dot(a, a))) return 0;
    from->list->c[j] += sn_vec3_dot(b, ab) / area2;
    from->list->c[k] -= sn_vec3_dot(a, ab) / area2;
    return area2;
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_list *l = from->list;
    sn_real area2 = 0;
    for (size_t n = 0; n < l->count; n++) l->c[n] = 0;
    for (size_t n = 1; n < l->count; n++) {
        size_t next = n + 1 < l->count ? n + 1 : 1;
        sn_real triangle = add_triangle(from, n, next);
        if (!(triangle > 0))
            return sn_fail(SN_ERROR_DEGENERATE,
                           "vertex_bending: triangle (node 0, node %zu, node %zu) has no area, "
                           "expected proper triangles around node 0",
                           n, next);
        area2 += triangle;
    }
    sn_real third = area2 / 6;
    if (parameter[AREA] == SN_AUTO) parameter[AREA] = third;
    for (size_t n = 1; n < l->count; n++) {
        l->c[n] /= 2 * third;
        l->c[0] -= l->c[n];
    }
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_list *l = from->list;
    sn_real sum = 0, s = SN_ROOT(from->parameter[AREA]);
    for (size_t n = 0; n < l->count; n++) sum += l->w[n] * (s * l->c[n]) * (s * l->c[n]);
    sn_real pivot = sn_pivot(from, sum);
    for (size_t n = 0; n < l->count; n++) l->w[n] *= s * l->c[n] * pivot;
    *coefficient = s;
    return pivot;
}

SN_DEFINE_TYPE(vertex_bending, SN_VERTEX_BENDING_FIELDS,
               "keeps a sheet flat at a vertex, for motions that keep lengths",
               .info.list = SN_LIST_RING, .scaled = true)

#endif
