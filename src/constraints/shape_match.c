/*
 * Shape matching of one region.
 *
 *   C(x)     = sqrt(sum_i m_i |x_i - g_i|^2),   g_i = c + T q_i
 *   grad_i C = m_i (x_i - g_i) / C
 *
 * Mueller et al. 2005; survey of 2017, section 5.11.1 (eqs. 42 and 43), and 5.11.5 for what
 * becomes plastic. The papers pull every node by a part of the way to its goal; as a constraint
 * that part is a compliance, and hard it is all of the way.
 *
 * T is the best map of its kind, as math/match.h has it, so C does not change by way of T, and the
 * gradient is that of a distance to fixed goals. Where all nodes are free and weigh what they did
 * at creation, sum w |grad C|^2 = 1 for rigid goals: a hard constraint takes every node to its
 * goal in one projection, as the paper does, and compliance needs nothing else.
 *
 * Three passes over the nodes: sums for c and A, errors and their sizes, corrections. The first
 * two are in double, because the errors are small differences of large numbers, and what they sum
 * to must be zero or momentum would drift. One region is one piece of work for a thread; sums are
 * in the order of the list.
 *
 * A node is one register, and all widths run the same code. The list has m in rest[].w and w m in
 * w[]; the blocks have the least denominator only, below which the errors are nearly all of nodes
 * that cannot move.
 */
#define SN_TYPE shape_match
#include "constraints/formula.h"

enum { SN_NODES = 4, SN_FIXED = 0, SN_FRAMES = 0, SN_ROWS = 1, SN_COEFFICIENTS = 1 };

typedef double sn_d4 __attribute__((vector_size(32), may_alias));

SN_INLINE sn_d4 doubles(sn_v4 a) {
    return __builtin_convertvector(a, sn_d4);
}

/* Node 0, from which all places count, and where the shape has its centre from there. */
typedef struct region {
    sn_d4 x0, d0, centre, rest_centre;
} region;

/* Squares of the errors, summed with m and with w m^2, and C. */
typedef struct errors {
    double weighed, moved, value;
    sn_v4 mean; /* of the errors: rounding, which must not become momentum */
    region region;
} errors;

SN_INLINE sn_d4 place_of(const sn_batch *b, const region *r, int32_t offset) {
    return (doubles(sn_at(b->x, offset)) - r->x0) + (doubles(sn_at(b->d, offset)) - r->d0);
}

SN_INLINE void terms_of(const sn_list *l, const region *r, size_t n, int terms,
                        double q[SN_MATCH_TERMS]) {
    sn_d4 at = doubles(*(const sn_v4 *)&l->rest[n]) - r->rest_centre;
    double p[3] = {at[0], at[1], at[2]};
    sn_match_terms_at(p, terms, q);
}

/* The centre goes to the region, A to columns. */
SN_INLINE void sum_nodes(const sn_batch *b, const sn_list *l, region *r, const int terms,
                         double a[SN_MATCH_TERMS * 3]) {
    const sn_match_shape *shape = l->shape;
    sn_d4 sum = {0}, column[SN_MATCH_TERMS] = {{0}};
    r->x0 = doubles(sn_at(b->x, l->offset[0]));
    r->d0 = doubles(sn_at(b->d, l->offset[0]));
    r->rest_centre = (sn_d4){shape->centre[0], shape->centre[1], shape->centre[2], 0};
    for (size_t n = 0, count = l->count; n < count; n++) {
        double q[SN_MATCH_TERMS], m = (double)l->rest[n].w;
        sn_d4 y = m * place_of(b, r, l->offset[n]);
        terms_of(l, r, n, terms, q);
        sum += y;
        for (int k = 0; k < terms; k++) column[k] += q[k] * y;
    }
    r->centre = sum * (1 / shape->mass);
    for (int k = 0; k < terms; k++) {
        sn_d4 centred = column[k] - shape->mean[k] * sum;
        for (int i = 0; i < 3; i++) a[3 * k + i] = centred[i];
    }
}

/* Errors go to l->y. */
SN_INLINE errors compare_nodes(const sn_batch *b, const sn_list *l, const region *r,
                               const sn_match_map *map, const int terms) {
    sn_d4 column[SN_MATCH_TERMS], base = r->centre, weighed = {0}, moved = {0}, sum = {0};
    for (int k = 0; k < terms; k++) {
        column[k] = (sn_d4){map->column[3 * k], map->column[3 * k + 1], map->column[3 * k + 2], 0};
        base -= l->shape->mean[k] * column[k];
    }
    for (size_t n = 0, count = l->count; n < count; n++) {
        double q[SN_MATCH_TERMS];
        sn_d4 goal = base;
        terms_of(l, r, n, terms, q);
        for (int k = 0; k < terms; k++) goal += q[k] * column[k];
        sn_d4 error = place_of(b, r, l->offset[n]) - goal;
        sn_d4 heavy = (double)l->rest[n].w * error, square = heavy * error;
        sum += heavy;
        weighed += square;
        moved += (double)l->w[n] * square;
        *(sn_v4 *)&l->y[n] = __builtin_convertvector(error, sn_v4);
    }
    double e = (weighed[0] + weighed[1]) + weighed[2];
    double kept = e > map->less ? e - map->less : 0;
    return (errors){e, (moved[0] + moved[1]) + moved[2], __builtin_sqrt(kept + map->more),
                    __builtin_convertvector(sum * (1 / l->shape->mass), sn_v4), *r};
}

SN_INLINE errors errors_with(const sn_batch *b, const sn_list *l, double q[4], const int terms) {
    double a[SN_MATCH_TERMS * 3];
    region r;
    sn_match_map map;
    sum_nodes(b, l, &r, terms, a);
    sn_match_find(l->shape, a, q, &map);
    return compare_nodes(b, l, &r, &map, terms);
}

/* From and to the rotation q. */
static errors errors_of(const sn_batch *b, const sn_list *l, double q[4]) {
    if (l->shape->mode == SN_MATCH_QUADRATIC) return errors_with(b, l, q, SN_MATCH_TERMS);
    return errors_with(b, l, q, SN_MATCH_LINEAR_TERMS);
}

static void load_turn(const sn_list *l, double q[4]) {
    for (int k = 0; k < 4; k++) q[k] = (double)l->turn[k];
}

/* ---- Damping ---- */

/*
 * C is a length: damping its rate alone would leave what goes round about zero. So the dashpot
 * (step/dashpots.c) takes all velocity that is not rigid, as far as it is not easy:
 *
 *   v_n -= w_n m_n u_n / (1 + alpha),   m_n the weights of the sums
 *
 * where the rows of a region do not see each other, so that nothing need be kept. What is rigid is
 * the mean velocity and the rotation omega that has the angular momentum; what is easy is beta of
 * the best fit to it.
 */
typedef struct motion {
    sn_d4 mean, omega, fit[SN_MATCH_TERMS];
    int terms; /* of the fit */
    double beta;
} motion;

SN_INLINE sn_d4 cross(sn_d4 a, sn_d4 b) {
    return (sn_d4){a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
                   0};
}

static motion rigid_motion(const sn_dashpots *d, const sn_list *l, const region *r) {
    const sn_batch *b = &d->at;
    sn_d4 sum = {0}, spin = {0}, axis[3] = {{0}};
    double spread = 0;
    for (size_t n = 0; n < l->count; n++) {
        double m = (double)l->rest[n].w;
        sn_d4 arm = place_of(b, r, l->offset[n]) - r->centre,
              u = m * doubles(sn_at(d->v, l->offset[n]));
        sum += u;
        spin += cross(arm, u);
        for (int k = 0; k < 3; k++) axis[k] -= (m * arm[k]) * arm;
        spread += m * ((arm[0] * arm[0] + arm[1] * arm[1]) + arm[2] * arm[2]);
    }
    motion rigid = {.mean = sum * (1 / l->shape->mass)};
    /* The inertia, with a little more of it for lines, which have none about themselves. */
    for (int k = 0; k < 3; k++) axis[k][k] += spread * (1 + 1e-9);
    sn_d4 row[3] = {cross(axis[1], axis[2]), cross(axis[2], axis[0]), cross(axis[0], axis[1])};
    double det = (axis[0][0] * row[0][0] + axis[0][1] * row[0][1]) + axis[0][2] * row[0][2];
    if (det > 0) rigid.omega = (row[0] * spin[0] + row[1] * spin[1] + row[2] * spin[2]) * (1 / det);
    return rigid;
}

static void fit_motion(const sn_dashpots *d, const sn_list *l, const region *r, motion *easy) {
    double a[SN_MATCH_TERMS * 3] = {0}, column[SN_MATCH_TERMS * 3], q[SN_MATCH_TERMS];
    if (l->shape->mode == SN_MATCH_RIGID || l->shape->beta == 0) return;
    easy->beta = l->shape->beta;
    easy->terms = sn_match_terms(l->shape->mode);
    for (size_t n = 0; n < l->count; n++) {
        sn_d4 u = (double)l->rest[n].w * (doubles(sn_at(d->v, l->offset[n])) - easy->mean);
        terms_of(l, r, n, easy->terms, q);
        for (int k = 0; k < easy->terms; k++)
            for (int i = 0; i < 3; i++) a[3 * k + i] += (q[k] - l->shape->mean[k]) * u[i];
    }
    sn_match_fit(l->shape, a, column);
    for (int k = 0; k < easy->terms; k++)
        easy->fit[k] = (sn_d4){column[3 * k], column[3 * k + 1], column[3 * k + 2], 0};
}

/* The velocity of a node that is to be damped. */
static sn_d4 damped_motion(const sn_dashpots *d, const sn_list *l, const region *r, const motion *m,
                           size_t n) {
    double q[SN_MATCH_TERMS];
    sn_d4 arm = place_of(&d->at, r, l->offset[n]) - r->centre;
    sn_d4 u = doubles(sn_at(d->v, l->offset[n])) - m->mean - (1 - m->beta) * cross(m->omega, arm);
    if (m->terms > 0) terms_of(l, r, n, m->terms, q);
    for (int k = 0; k < m->terms; k++) u -= m->beta * (q[k] - l->shape->mean[k]) * m->fit[k];
    return u;
}

static void damp(const sn_dashpots *d, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end && !d->warm; slot++) {
        sn_list *l = d->at.list[slot];
        double q[4], part = 1 / (1 + (double)d->alpha[slot]);
        if (!(d->alpha[slot] < (sn_real)SN_MOST_ALPHA)) continue;
        load_turn(l, q);
        errors e = errors_of(&d->at, l, q);
        motion m = rigid_motion(d, l, &e.region);
        fit_motion(d, l, &e.region, &m);
        for (size_t n = 0; n < l->count; n++) {
            sn_d4 u = damped_motion(d, l, &e.region, &m, n);
            double w = (double)d->w[l->offset[n] / SN_NODE_BYTES] * (double)l->rest[n].w;
            *(sn_v4 *)&l->y[n] = __builtin_convertvector((w < 1 ? w : 1) * part * u, sn_v4);
        }
        for (size_t n = 0; n < l->count; n++)
            *sn_in(d->v, l->offset[n]) -= *(const sn_v4 *)&l->y[n];
    }
}

/* ---- The loop ---- */

static void project_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                          const int keep) {
    for (size_t slot = begin; slot < end; slot++) {
        sn_list *l = b->list[slot];
        const sn_real *soft = b->soft + slot / SN_BLOCK * SN_SOFT_ROWS * SN_BLOCK + slot % SN_BLOCK;
        double kept = keep && !b->first ? (double)b->lambda[slot] : 0, q[4];
        load_turn(l, q);
        errors e = errors_of(b, l, q);
        for (int k = 0; k < 4; k++) l->turn[k] = (sn_real)q[k];
        if (keep) b->lambda[slot] = (sn_real)kept;
        /* At rest there is no direction to go. */
        if (!(e.value > 0)) continue;
        double least = (double)((const sn_real *)b->block)[slot];
        double error = e.value, sum = e.moved / (error * error);
        sum = sum < least ? least : sum;
        double step, factor, alpha = 0;
        if (softness >= SN_COMPLIANT) alpha = (double)soft[SN_SOFT_ALPHA * SN_BLOCK];
        double scale = 1 + alpha * kept / e.value;
        if (softness >= SN_COMPLIANT) {
            double relax = (double)soft[SN_SOFT_RELAX * SN_BLOCK];
            step = -(error + alpha * kept) * relax / (sum + alpha);
            double down = (double)soft[SN_SOFT_LEAST * SN_BLOCK] - kept;
            double up = (double)soft[SN_SOFT_MOST * SN_BLOCK] - kept;
            bool free = step >= down && step <= up;
            step = step < down ? down : step > up ? up : step;
            factor = free ? -scale * relax / (sum + alpha) : 0;
        } else {
            step = -error / sum;
            factor = -1 / sum;
        }
        if (keep) b->lambda[slot] = (sn_real)(kept + step);
        sn_real by = (sn_real)factor;
        for (size_t n = 0, count = l->count; n < count; n++)
            *sn_in(b->out, l->offset[n]) += (l->w[n] * by) * (*(const sn_v4 *)&l->y[n] - e.mean);
    }
}

SN_DEFINE_GENERIC_LOOPS(project_range)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

/* Measured: S_p, in columns. */
enum { DEFORMATION = SN_COMMON_PARAMETERS, BETA, YIELD, CREEP, LIMIT, PLASTIC, MEASURED_COUNT = 9 };

static void evaluate(const sn_batch *b, size_t slot, sn_real *value, sn_vec3 *gradient) {
    const sn_list *l = b->list[slot];
    double q[4];
    load_turn(l, q);
    errors e = errors_of(b, l, q);
    *value = (sn_real)e.value;
    for (size_t n = 0; gradient && n < l->count; n++) {
        sn_real scale = e.value > 0 ? (sn_real)((double)l->rest[n].w / e.value) : 0;
        gradient[n] = (sn_vec3){scale * l->y[n].x, scale * l->y[n].y, scale * l->y[n].z};
    }
}

/* ---- The shape at rest ---- */

/* What nodes weigh in the sums goes to rest[].w. */
static void weigh(sn_list *l) {
    double sum = 0, free = 0;
    size_t known = 0;
    for (size_t n = 0; n < l->count; n++) {
        sum += (double)l->c[n];
        known += l->c[n] > 0;
    }
    sn_real mean = known > 0 ? (sn_real)(sum / (double)known) : 1;
    for (size_t n = 0; n < l->count; n++) {
        l->rest[n].w = l->c[n] > 0 ? l->c[n] : mean;
        if (l->w[n] > 0) free += (double)l->rest[n].w;
    }
    for (size_t n = 0; free > 0 && n < l->count; n++)
        if (!(l->w[n] > 0)) l->rest[n].w = (sn_real)free;
}

static void make_shape(sn_list *l, const sn_real *parameter) {
    sn_match_shape *shape = l->shape;
    shape->mode = (sn_match_mode)(int)parameter[DEFORMATION];
    shape->beta = (double)parameter[BETA];
    for (int k = 0; k < 9; k++) shape->plastic[k] = (double)parameter[PLASTIC + k];
    sn_match_shape_begin(shape);
    for (size_t n = 0; n < l->count; n++) {
        double x[3] = {(double)l->rest[n].x, (double)l->rest[n].y, (double)l->rest[n].z};
        sn_match_add_centre(shape, (double)l->rest[n].w, x);
    }
    sn_match_centre(shape);
    for (size_t n = 0; n < l->count; n++) {
        double x[3] = {(double)l->rest[n].x, (double)l->rest[n].y, (double)l->rest[n].z};
        sn_match_add_moments(shape, (double)l->rest[n].w, x);
    }
    sn_match_end(shape);
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_list *l = from->list;
    for (size_t n = 0; n < l->count; n++) {
        l->c[n] = l->w[n] > 0 ? 1 / l->w[n] : 0;
        l->rest[n] = (sn_vec4){from->x[n].x, from->x[n].y, from->x[n].z, 0};
    }
    for (int k = 0; k < 4; k++) l->turn[k] = k == 3;
    for (int k = 0; k < 9; k++) parameter[PLASTIC + k] = k % 4 == 0;
    weigh(l);
    make_shape(l, parameter);
    bool linear = (int)parameter[DEFORMATION] == SN_MATCH_LINEAR;
    if (l->shape->rank < 3 && (linear || parameter[YIELD] != SN_AUTO))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "shape_match: the %zu nodes are in one %s, expected nodes that enclose a "
                       "volume where deformation is linear or plastic",
                       l->count, l->shape->rank == 2 ? "plane" : "line");
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_list *l = from->list;
    double share = 0, all = 0;
    weigh(l);
    make_shape(l, from->parameter);
    for (size_t n = 0; n < l->count; n++) {
        if (l->w[n] > 0) {
            share += (double)(l->w[n] * l->rest[n].w) * (double)l->rest[n].w;
            all += (double)l->rest[n].w;
        }
        l->w[n] *= l->rest[n].w;
    }
    /* A twentieth of what it is where all can move; infinite where nothing can. */
    *coefficient = all > 0 ? (sn_real)(0.05 * share / all) : SN_INFINITY;
    return 1;
}

/* ---- What stays for good ---- */

static bool settles(const sn_real *parameter) {
    return parameter[YIELD] != SN_AUTO;
}

static bool flow_at(const sn_batch *b, size_t slot, sn_real *parameter, double dt) {
    const sn_list *l = b->list[slot];
    double q[4], a[SN_MATCH_TERMS * 3], creep = (double)parameter[CREEP] * dt;
    double limit = parameter[LIMIT] == SN_AUTO ? (double)SN_REAL_MAX : (double)parameter[LIMIT];
    region r;
    load_turn(l, q);
    sum_nodes(b, l, &r, SN_MATCH_LINEAR_TERMS, a);
    sn_match_shape *shape = l->shape;
    if (!sn_match_flow(shape, a, q, (double)parameter[YIELD], creep < 1 ? creep : 1, limit))
        return false;
    for (int k = 0; k < 9; k++) parameter[PLASTIC + k] = (sn_real)shape->plastic[k];
    return true;
}

SN_DEFINE_TYPE(shape_match, SN_SHAPE_MATCH_FIELDS,
               "keeps the shape of a region of nodes without a mesh", .info.list = SN_LIST_REGION,
               .measured = MEASURED_COUNT, .settles = settles, .flow_at = flow_at)

#endif
