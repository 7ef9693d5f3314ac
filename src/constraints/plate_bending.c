/*
 * Bending of a sheet at a vertex as that of a thin plate, with the vertices around it.
 *
 * The second derivatives of the surface that is linear in every triangle are the jumps of its
 * slope at the edges. Weighted with the function that is 1 at the vertex and 0 at its neighbours,
 * they are, as a symmetric matrix for every coordinate of space,
 *
 *   b(x) = sum_j (l_j / 2) [slope]_j n_j n_j^T
 *
 *          3   2        j  an edge (0, j) with a triangle on either side
 *           \ /         l_j  its length, n_j  its normal in the flat ring
 *        4---0---1      [slope]_j  the jump across it, from the vertices j-1, 0, j, j+1
 *           / \
 *          5   6
 *
 * the trace of which is the mean curvature of vertex_bending. These functions add up to 1, so a
 * constant moment m, sum m : b over all vertices, pulls at no inner vertex, whatever the mesh is.
 * On a quadric of curvature k the matrices are A P k, with a third of the area around and P from
 * the ring: 1 where it is regular, otherwise not. The energy
 *
 *   E = B/2 b : P^-1 : b / A = B/2 |C|^2
 *
 * then has that moment, B k, and on the whole the energy of a plate: what P is too large here it is
 * too small elsewhere. Its symmetric part is used, without what the ring hardly sees: of four
 * neighbours on two lines it is the twist between them, which others see twice as well.
 *
 * Where the sheet ends there is no moment across the border. A vertex there has an open ring and
 * bending along the border t alone, E = B/2 (b : tt)^2 / (A tt : P : tt); its neighbours take over
 * the rest of its area.
 *
 * The rows are C_i = s sum_k c_ik (x_k - x_0) for i = 1, 2, 3, each a vector, where s^2 is the
 * area that bends. With S = s^2 sum_k w_k c_k c_k^T + alpha, the same for all coordinates,
 *
 *   dlambda = -S^-1 (C + alpha lambda),   x_k += w_k s c_k . dlambda
 *
 * The idea of moments that are continuous between elements is that of Hellan (1967), Herrmann
 * (1967) and Johnson (1973); they solve for moments, which takes a system of equations, and here
 * P stands for its matrix.
 *
 * A node is one register here, and all widths run the same code, as in linear.inl.
 */
#define SN_TYPE plate_bending
#include "constraints/dashpot.h"
#include "constraints/formula.h"
#include "math/registers.h"

enum { PARTS = 3, SN_NODES = 4, SN_FIXED = 0, SN_FRAMES = 0, SN_ROWS = 3 * PARTS };
enum { SCALE, INVERSE, SN_COEFFICIENTS = INVERSE + 6 }; /* s; S^-1 as xx, yy, zz, yz, zx, xy */
static const int place[PARTS][PARTS] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};

SN_INLINE sn_real coefficient_of(const sn_batch *b, size_t slot, int i) {
    size_t row = slot / SN_BLOCK * SN_COEFFICIENTS + (size_t)i;
    return ((const sn_real *)b->block)[row * SN_BLOCK + slot % SN_BLOCK];
}

/* c_1k, c_2k, c_3k and w_k. */
SN_INLINE sn_v4 weights_of(const sn_vec4 *y, size_t n) {
    return *(const sn_v4 *)&y[n];
}

SN_INLINE void value_of(const sn_batch *b, size_t slot, sn_v4 value[PARTS]) {
    const sn_list *l = b->list[slot];
    const int32_t *offset = l->offset;
    const sn_vec4 *y = l->y;
    sn_v4 x0 = sn_at(b->x, offset[0]), d0 = sn_at(b->d, offset[0]), sum[PARTS] = {{0}};
    for (size_t n = 1, count = l->count; n < count; n++) {
        sn_v4 x = sn_at(b->x, offset[n]) - x0, c = weights_of(y, n);
        x += sn_at(b->d, offset[n]) - d0;
        for (int i = 0; i < PARTS; i++) sum[i] += c[i] * x;
    }
    for (int i = 0; i < PARTS; i++) value[i] = coefficient_of(b, slot, SCALE) * sum[i];
}

/* Vector i of the multipliers or impulses of a slot, which lie row by row. */
enum { KEPT = (SN_ROWS + 3) / 4 * 4 };

SN_INLINE sn_v4 take(const sn_real *all, size_t slot, int i) {
    const sn_real *from = all + KEPT * slot + 3 * i;
    return (sn_v4){from[0], from[1], from[2], 0};
}

SN_INLINE void put(sn_real *all, size_t slot, int i, sn_v4 vector) {
    sn_real *to = all + KEPT * slot + 3 * i;
    for (int axis = 0; axis < 3; axis++) to[axis] = vector[axis];
}

/* s dlambda */
SN_INLINE void step_of(const sn_batch *b, size_t slot, const int softness, const int keep,
                       sn_v4 step[PARTS]) {
    const sn_real *soft = b->soft + slot / SN_BLOCK * SN_SOFT_ROWS * SN_BLOCK + slot % SN_BLOCK;
    sn_v4 error[PARTS], kept[PARTS] = {{0}};
    value_of(b, slot, error);
    for (int i = 0; i < PARTS; i++) {
        if (keep && !b->first) kept[i] = take(b->lambda, slot, i);
        if (softness >= SN_COMPLIANT) error[i] += soft[SN_SOFT_ALPHA * SN_BLOCK] * kept[i];
    }
    for (int i = 0; i < PARTS; i++) {
        sn_v4 sum = coefficient_of(b, slot, INVERSE + place[i][0]) * error[0];
        for (int j = 1; j < PARTS; j++)
            sum += coefficient_of(b, slot, INVERSE + place[i][j]) * error[j];
        if (keep) put(b->lambda, slot, i, kept[i] - sum);
        step[i] = -coefficient_of(b, slot, SCALE) * sum;
    }
}

SN_INLINE void correct(sn_vec4 *out, const sn_list *l, const sn_v4 step[PARTS]) {
    const int32_t *offset = l->offset;
    const sn_vec4 *y = l->y;
    sn_v4 a = step[0], b = step[1], c = step[2];
    for (size_t n = 0, count = l->count; n < count; n++) {
        sn_v4 k = weights_of(y, n);
        *sn_in(out, offset[n]) += k[3] * ((k[0] * a + k[1] * b) + k[2] * c);
    }
}

/* Lists lie apart, where the machine does not expect them. */
SN_INLINE void fetch(const sn_batch *b, size_t slot, size_t end) {
    const char *list = (const char *)b->list[slot < end ? slot : end - 1];
    for (int i = 0; i < 4; i++) __builtin_prefetch(list + 64 * i);
}

/* Steps before corrections, as in linear.inl. */
SN_LOOP void project_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                           const int keep) {
    enum { TOGETHER = SN_LANES == 1 ? 1 : 4 };
    sn_v4 step[TOGETHER][PARTS];
    sn_vec4 *out = b->out;
    for (size_t slot = begin; slot < end; slot += TOGETHER) {
        size_t count = end - slot < TOGETHER ? end - slot : TOGETHER;
        for (size_t i = 0; i < count; i++) {
            fetch(b, slot + i + TOGETHER, end);
            step_of(b, slot + i, softness, keep, step[i]);
        }
        for (size_t i = 0; i < count; i++) correct(out, b->list[slot + i], step[i]);
    }
}

SN_DEFINE_GENERIC_LOOPS(project_range)

/* ---- Dashpots ---- */

/*
 * As in linear.inl, along each of three vectors, which have nodes in common: with e_i along C_i,
 *
 *   (e_i . e_j) s^2 sum_k w_k c_ik c_jk dmu_j + alpha dmu_i = -(e_i . dC_i/dt + alpha mu_i)
 *
 * is solved as a whole, for four constraints at a time, a register for a number of each.
 *
 * Of a slot, impulses mu_i e_i are kept in 9 numbers of 12. Between the two passes, while nothing
 * moves, these are e_1, e_2, e_3 and the three mu.
 */
enum { FOUR = 4 };

typedef struct vectors {
    sn_v4 x, y, z;
} vectors;

SN_INLINE sn_v4 dot_of(const vectors *a, const vectors *b) {
    return (a->x * b->x + a->y * b->y) + a->z * b->z;
}

SN_INLINE void load_kept(const sn_dashpots *d, const size_t slot[FOUR], sn_v4 row[KEPT]) {
    for (int part = 0; part < KEPT; part += 4) {
        sn_v4 in[FOUR];
        for (int k = 0; k < FOUR; k++) in[k] = *(const sn_v4 *)(d->impulse + KEPT * slot[k] + part);
        sn_v4_transpose_all(in, row + part);
    }
}

SN_INLINE void store_kept(const sn_dashpots *d, const size_t slot[FOUR], const sn_v4 row[KEPT]) {
    for (int part = 0; part < KEPT; part += 4) {
        sn_v4 out[FOUR];
        sn_v4_transpose_all(row + part, out);
        for (int k = 0; k < FOUR; k++) *(sn_v4 *)(d->impulse + KEPT * slot[k] + part) = out[k];
    }
}

/* Finds the directions, and what was there along them. */
SN_INLINE void begin_four(const sn_dashpots *d, const size_t slot[FOUR], vectors along[PARTS],
                          sn_v4 was[PARTS]) {
    sn_v4 value[PARTS][FOUR], row[KEPT];
    for (int k = 0; k < FOUR; k++) {
        sn_v4 own[PARTS];
        value_of(&d->at, slot[k], own);
        for (int i = 0; i < PARTS; i++) value[i][k] = own[i];
    }
    load_kept(d, slot, row);
    for (int i = 0; i < PARTS; i++) {
        vectors kept = {row[3 * i], row[3 * i + 1], row[3 * i + 2]};
        sn_v4 c[3];
        sn_v4_transpose(value[i], c);
        along[i] = (vectors){c[0], c[1], c[2]};
        /* None is divided by zero. */
        sn_v4 inverse = 1 / sn_v4_sqrt(dot_of(&along[i], &along[i]) + SN_R(1e-37));
        along[i] = (vectors){inverse * c[0], inverse * c[1], inverse * c[2]};
        was[i] = dot_of(&kept, &along[i]);
        row[3 * i] = along[i].x;
        row[3 * i + 1] = along[i].y;
        row[3 * i + 2] = along[i].z;
    }
    for (int i = 0; i < PARTS; i++) row[3 * PARTS + i] = was[i];
    store_kept(d, slot, row);
}

/* s^2 sum_k w_k c_ik c_jk, and the rates along the directions. */
SN_INLINE void measure_four(const sn_dashpots *d, const size_t slot[FOUR],
                            const vectors along[PARTS], sn_v4 a[PARTS][4], sn_v4 speed[PARTS]) {
    sn_v4 rate[PARTS][FOUR], sum[PARTS][FOUR];
    for (int k = 0; k < FOUR; k++) {
        const sn_list *l = d->at.list[slot[k]];
        const int32_t *offset = l->offset;
        const sn_vec4 *y = l->y;
        sn_real scale = coefficient_of(&d->at, slot[k], SCALE);
        sn_v4 r[PARTS] = {{0}}, s[PARTS] = {{0}};
        for (size_t n = 0, count = l->count; n < count; n++) {
            sn_v4 v = sn_at(d->v, offset[n]), c = weights_of(y, n);
            sn_v4 heavy = d->w[(uint32_t)offset[n] / SN_NODE_BYTES] * c;
            for (int i = 0; i < PARTS; i++) {
                r[i] += c[i] * v;
                s[i] += c[i] * heavy;
            }
        }
        for (int i = 0; i < PARTS; i++) {
            rate[i][k] = scale * r[i];
            sum[i][k] = (scale * scale) * s[i];
        }
    }
    for (int i = 0; i < PARTS; i++) {
        sn_v4 r[3];
        sn_v4_transpose(rate[i], r);
        speed[i] = dot_of(&(vectors){r[0], r[1], r[2]}, &along[i]);
        sn_v4_transpose_all(sum[i], a[i]);
    }
}

/* A pivot is alpha at least, whatever rounding makes of it. */
SN_INLINE sn_v4 pivot_of(sn_v4 without, sn_v4 alpha) {
    for (int k = 0; k < FOUR; k++) without[k] = without[k] > 0 ? without[k] : 0;
    return without + alpha;
}

SN_INLINE void solve_four(sn_v4 a[PARTS][4], const vectors along[PARTS], sn_v4 alpha,
                          sn_v4 x[PARTS]) {
    sn_v4 a01 = a[0][1] * dot_of(&along[0], &along[1]);
    sn_v4 a02 = a[0][2] * dot_of(&along[0], &along[2]);
    sn_v4 a12 = a[1][2] * dot_of(&along[1], &along[2]);
    sn_v4 d0 = a[0][0] + alpha, l1 = a01 / d0, l2 = a02 / d0, left = a12 - l2 * a01;
    sn_v4 d1 = pivot_of(a[1][1] - l1 * a01, alpha), l3 = left / d1;
    sn_v4 d2 = pivot_of((a[2][2] - l2 * a02) - l3 * left, alpha);
    sn_v4 y1 = x[1] - l1 * x[0], y2 = (x[2] - l2 * x[0]) - l3 * y1;
    x[2] = y2 / d2;
    x[1] = y1 / d1 - l3 * x[2];
    x[0] = (x[0] / d0 - l1 * x[1]) - l2 * x[2];
}

/* What is missing of the impulses. */
SN_INLINE void correct_four(const sn_dashpots *d, const size_t slot[FOUR], vectors along[PARTS],
                            sn_v4 more[PARTS]) {
    sn_v4 a[PARTS][4], row[KEPT], was[PARTS];
    sn_real soft[FOUR];
    load_kept(d, slot, row);
    for (int i = 0; i < PARTS; i++) {
        along[i] = (vectors){row[3 * i], row[3 * i + 1], row[3 * i + 2]};
        was[i] = row[3 * PARTS + i];
        row[3 * PARTS + i] = (sn_v4){0};
    }
    for (int k = 0; k < FOUR; k++)
        soft[k] = d->alpha[slot[k] / SN_BLOCK * SN_ROWS * SN_BLOCK + slot[k] % SN_BLOCK];
    sn_v4 alpha = {soft[0], soft[1], soft[2], soft[3]};
    measure_four(d, slot, along, a, more);
    for (int i = 0; i < PARTS; i++) more[i] = -(more[i] + alpha * was[i]);
    solve_four(a, along, alpha, more);
    /* As sn_damped_step has it. */
    sn_v4 all = (more[0] + more[1]) + more[2];
    for (int k = 0; k < FOUR; k++) {
        bool sound = soft[k] < (sn_real)SN_MOST_ALPHA && all[k] - all[k] == 0;
        for (int i = 0; i < PARTS && !sound; i++) more[i][k] = -was[i][k];
    }
    for (int i = 0; i < PARTS; i++) {
        sn_v4 now = was[i] + more[i];
        row[3 * i] *= now;
        row[3 * i + 1] *= now;
        row[3 * i + 2] *= now;
    }
    store_kept(d, slot, row);
}

/* What cannot move may be read by others at the same time, and keeps its bits. */
SN_INLINE void push_nodes(const sn_dashpots *d, size_t slot, const sn_v4 push[PARTS]) {
    const sn_list *l = d->at.list[slot];
    const int32_t *offset = l->offset;
    const sn_vec4 *y = l->y;
    const sn_real *w = d->w;
    sn_vec4 *v = d->v;
    sn_v4 p0 = push[0], p1 = push[1], p2 = push[2];
    for (size_t n = 0, count = l->count; n < count; n++) {
        sn_real own = w[(uint32_t)offset[n] / SN_NODE_BYTES];
        sn_v4 c = weights_of(y, n);
        if (own > 0) *sn_in(v, offset[n]) += own * ((c[0] * p0 + c[1] * p1) + c[2] * p2);
    }
}

static void damp(const sn_dashpots *d, size_t begin, size_t end) {
    for (size_t first = begin; first < end; first += FOUR) {
        size_t slot[FOUR];
        vectors along[PARTS];
        sn_v4 more[PARTS], push[PARTS][FOUR], own[PARTS];
        for (size_t k = 0; k < FOUR; k++) {
            slot[k] = first + k < end ? first + k : end - 1;
            fetch(&d->at, slot[k] + FOUR, end);
        }
        if (d->warm)
            begin_four(d, slot, along, more);
        else
            correct_four(d, slot, along, more);
        for (int i = 0; i < PARTS; i++)
            sn_v4_transpose_back(more[i] * along[i].x, more[i] * along[i].y, more[i] * along[i].z,
                                 push[i]);
        for (size_t k = 0; k < FOUR && first + k < end; k++) {
            sn_real scale = coefficient_of(&d->at, slot[k], SCALE);
            for (int i = 0; i < PARTS; i++) own[i] = scale * push[i][k];
            push_nodes(d, slot[k], own);
        }
    }
}

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

#include "constraints/plate_ring.h"

enum { AREA = SN_COMMON_PARAMETERS, BORDER, OPEN = BORDER + 3 };

static void evaluate(const sn_batch *b, size_t slot, sn_real *value, sn_vec3 *gradient) {
    const sn_list *l = b->list[slot];
    sn_v4 v[PARTS];
    value_of(b, slot, v);
    for (int row = 0; row < SN_ROWS; row++) {
        int axis = row % 3;
        value[row] = v[row / 3][axis];
        for (size_t n = 0; gradient && n < l->count; n++) {
            sn_real c = coefficient_of(b, slot, SCALE) * weights_of(l->y, n)[row / 3];
            gradient[(size_t)row * l->count + n] =
                (sn_vec3){axis == 0 ? c : 0, axis == 1 ? c : 0, axis == 2 ? c : 0};
        }
    }
}

/* ---- What is measured ---- */

/* Of every neighbour, c of the three rows and the area of the triangle with the next one. The c of
   the vertex follows from them; in its place are the fields that they were made with. */
static void fill(const sn_plate_ring *r, const double row[PARTS][3], const sn_real *parameter,
                 sn_real *c) {
    for (int i = 0; i < 4; i++) c[i] = parameter[BORDER + i];
    for (size_t k = 0; k < r->count; k++) {
        sn_real *own = c + 4 * (k + 1);
        for (int i = 0; i < PARTS; i++) own[i] = (sn_real)sn_plate_dot(row[i], r->of[k].b);
        own[3] = (sn_real)r->of[k].area;
    }
}

/* What was measured stays, unless those fields have changed. */
static void adopt(sn_list *own, const sn_list *fresh) {
    if (memcmp(own->c, fresh->c, 4 * sizeof *own->c) != 0)
        memcpy(own->c, fresh->c, 4 * own->count * sizeof *own->c);
}

static sn_result measure(sn_plate_ring *r, const sn_preparation *from, sn_real *parameter) {
    double row[PARTS][3] = {{0}};
    SN_TRY(sn_plate_ring_measure(r, from->x, parameter + BORDER));
    if (parameter[AREA] == SN_AUTO) parameter[AREA] = (sn_real)r->area;
    double area = (double)parameter[AREA], square = 0;
    for (int i = 0; i < 3; i++)
        square += (double)parameter[BORDER + i] * (double)parameter[BORDER + i];
    double given = area > 0 ? __builtin_sqrt(square) / area : 0;
    sn_plate_ring_rows(r, given, row);
    fill(r, (const double(*)[3])row, parameter, from->list->c);
    return SN_OK;
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_plate_ring r = {.count = from->list->count - 1, .open = parameter[OPEN] > SN_R(0.5)};
    r.of = sn_allocate(from->memory, r.count, sizeof *r.of);
    if (!r.of) return SN_ERROR_MEMORY;
    sn_result result = measure(&r, from, parameter);
    sn_free(from->memory, r.of, r.count, sizeof *r.of);
    return result;
}

/* How much stiffer the ring is for the triangles in it that cannot bend. */
static double stiffening(const sn_list *l) {
    double whole = 0, bends = 0;
    for (size_t n = 1; n < l->count; n++) {
        size_t next = n + 1 < l->count ? n + 1 : 1;
        double area = (double)l->c[4 * n + 3];
        whole += area;
        if (l->w[0] > 0 || l->w[n] > 0 || l->w[next] > 0) bends += area;
    }
    return bends > 0 ? whole / bends : 1;
}

static void fill_weights(sn_list *l) {
    sn_vec4 first = {0, 0, 0, l->w[0]};
    for (size_t n = 1; n < l->count; n++) {
        const sn_real *c = l->c + 4 * n;
        l->y[n] = (sn_vec4){c[0], c[1], c[2], l->w[n]};
        first.x -= c[0];
        first.y -= c[1];
        first.z -= c[2];
    }
    l->y[0] = first;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_list *l = from->list;
    double s2 = (double)from->parameter[AREA] * stiffening(l), sum[6] = {0}, inverse[6] = {0};
    double value[3], axes[3][3];
    fill_weights(l);
    for (size_t n = 0; n < l->count; n++) {
        const double c[3] = {(double)l->y[n].x, (double)l->y[n].y, (double)l->y[n].z};
        for (int i = 0; i < 6; i++)
            sum[i] += s2 * (double)l->w[n] * c[sn_plate_at[i][0]] * c[sn_plate_at[i][1]];
    }
    if (sum[0] + sum[1] + sum[2] > 0) {
        for (int i = 0; i < 3; i++) sum[i] += (double)from->alpha;
        sn_eigen(sum, value, axes);
        double least = 1e-6 * (sum[0] + sum[1] + sum[2]);
        for (int v = 0; v < 3; v++)
            for (int i = 0; value[v] > least && i < 6; i++)
                inverse[i] += axes[sn_plate_at[i][0]][v] * axes[sn_plate_at[i][1]][v] / value[v];
    }
    coefficient[SCALE] = (sn_real)__builtin_sqrt(s2);
    for (int i = 0; i < 6; i++)
        coefficient[INVERSE + i] = (sn_real)((double)from->relax * inverse[i]);
    return 1;
}

SN_DEFINE_TYPE(plate_bending, SN_PLATE_BENDING_FIELDS,
               "keeps a sheet flat at a vertex, as a thin plate", .info.list = SN_LIST_FAN,
               .adopt = adopt)

#endif
