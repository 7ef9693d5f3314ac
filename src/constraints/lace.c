/*
 * The length of a thread that slides through nodes.
 *
 *   C(x)     = sum_k |x_k+1 - x_k| - l
 *   grad_k C = n_k-1 - n_k,   n_k = (x_k+1 - x_k) / |x_k+1 - x_k|,   none before the first
 *
 * One distance (Mueller et al. 2007, section 3.3) along a path, as in pulley.c, so that the tension
 * is the same everywhere. With
 * friction it changes by f_j at node j. What holds the thread there is a row of its own, the length
 * of the path before the node,
 *
 *   s_j(x)  = sum_k<j |x_k+1 - x_k|,    which is to be what it was when the substep began
 *   T_j-1   = T_j - f_j                 T_k: of the part from node k to node k + 1
 *   T_j-1  <= e T_j,  T_j <= e T_j-1    e = exp(friction angle), Euler and Eytelwein
 *
 * so f_j lies between (1 - e) T_j and (1 - 1 / e) T_j. Both rows are paths between nodes: momentum
 * and angular momentum are kept.
 *
 * f_j is kept in c of the list, and the multiplier of C in the c of the last node. Nodes move in
 * y, relative to the first one, and by `rest` of the list in all.
 */
#define SN_TYPE lace
#define SN_USUAL_SIDE SN_SIDE_AT_MOST
#include "constraints/formula.h"
#include "math/angle.h"

enum { SN_NODES = 3, SN_FIXED = 0, SN_FRAMES = 0, SN_ROWS = 1, SN_COEFFICIENTS = 3 };
enum { REST, LEAST, FRICTION };

/* Below the square of any length that matters, and large enough for its inverse to be finite. */
#define TINY SN_R(1e-30)

SN_INLINE sn_real coefficient_of(const sn_batch *b, size_t slot, int row) {
    const sn_real *block = b->block;
    return block[(slot / SN_BLOCK * SN_COEFFICIENTS + (size_t)row) * SN_BLOCK + slot % SN_BLOCK];
}

/* The length of the path to node `end`, whose directions go to u. */
static double measure(sn_list *l, size_t end) {
    const sn_v4 *y = (const sn_v4 *)l->y;
    sn_v4 *u = (sn_v4 *)l->u;
    double sum = 0;
    for (size_t n = 0; n < end; n++) {
        sn_v4 r = y[n + 1] - y[n];
        sn_real length = SN_ROOT(sn_v4_dot(r, r) + TINY);
        u[n] = r * (1 / length);
        sum += (double)length;
    }
    return sum;
}

/* The gradient of the path to node `end` by node n. */
SN_INLINE sn_v4 gradient_of(const sn_list *l, size_t n, size_t end) {
    const sn_v4 *u = (const sn_v4 *)l->u;
    sn_v4 none = {0};
    return (n > 0 ? u[n - 1] : none) - (n < end ? u[n] : none);
}

static double value_of(const sn_batch *b, size_t slot) {
    sn_list *l = b->list[slot];
    sn_v4 *y = (sn_v4 *)l->y;
    sn_v4 x0 = sn_at(b->x, l->offset[0]), d0 = sn_at(b->d, l->offset[0]);
    for (size_t n = 0; n < l->count; n++)
        y[n] = (sn_at(b->x, l->offset[n]) - x0) + (sn_at(b->d, l->offset[n]) - d0);
    return measure(l, l->count - 1) - (double)coefficient_of(b, slot, REST);
}

/* The sum of w |grad|^2 of a path. */
static double masses_of(const sn_list *l, size_t end) {
    double sum = 0;
    for (size_t n = 0; n <= end; n++) {
        sn_v4 g = gradient_of(l, n, end);
        sum += (double)(l->w[n] * sn_v4_dot(g, g));
    }
    return sum;
}

static void move(sn_list *l, size_t end, sn_real step) {
    for (size_t n = 0; n <= end; n++) {
        sn_v4 by = (l->w[n] * step) * gradient_of(l, n, end);
        *(sn_v4 *)&l->y[n] += by;
        *(sn_v4 *)&l->rest[n] += by;
    }
}

/* ---- Friction ---- */

/* exp(x) for x from 0 to 40. */
static double exponential(double x) {
    double part = x / 64, sum = 1, term = 1;
    for (int i = 1; i < 12; i++) sum += term *= part / i;
    for (int i = 0; i < 6; i++) sum *= sum;
    return sum;
}

/* Of a part of the thread when the substep began. */
static double length_before(const sn_batch *b, const sn_list *l, size_t n) {
    int32_t from = l->offset[n], to = l->offset[n + 1];
    sn_v4 r = (sn_at(b->x, to) - sn_at(b->x, from)) + (sn_at(b->p, to) - sn_at(b->p, from));
    return (double)SN_ROOT(sn_v4_dot(r, r) + TINY);
}

/* By how much tensions on both sides of node j may differ. */
static double grip_of(const sn_list *l, size_t j, double friction) {
    sn_v4 before = *(const sn_v4 *)&l->u[j - 1], after = *(const sn_v4 *)&l->u[j];
    sn_v4 across = sn_v4_cross(before, after);
    double angle =
        sn_angle((double)sn_v4_dot(before, after), (double)SN_ROOT(sn_v4_dot(across, across)));
    return exponential(friction * angle);
}

/* What the sum of w grad . grad is of the path to node j with itself, and with the whole one. */
typedef struct shares {
    double own, both;
} shares;

static shares shares_of(const sn_list *l, size_t j) {
    shares sum = {0, 0};
    for (size_t n = 0; n <= j; n++) {
        sn_v4 part = gradient_of(l, n, j), whole = gradient_of(l, n, l->count - 1);
        sum.own += (double)(l->w[n] * sn_v4_dot(part, part));
        sum.both += (double)(l->w[n] * sn_v4_dot(part, whole));
    }
    return sum;
}

/* Holds the thread at node j as far as friction allows. The whole length stays: of a change of f_j
   the multiplier of C takes back `back` of it, and `sum` is the denominator of C. */
static void hold_at(sn_list *l, size_t j, double slip, double grip, double sum) {
    size_t last = l->count - 1;
    double tension = 0, force = (double)l->c[j];
    shares a = shares_of(l, j);
    double back = a.both / sum, own = a.own - a.both * back;
    back = back < 0 ? 0 : back > 1 ? 1 : back;
    for (size_t k = last; k > j; k--) tension -= (double)l->c[k];
    if (tension < 0) tension = 0;
    double low = (1 - grip) * tension, high = (1 - 1 / grip) * tension;
    double step = own > 1e-9 * a.own && own > 0 ? -slip / own : 0;
    /* The tension changes with the step, and the bounds with it. */
    double down = (low - force) / (1 - (1 - grip) * back);
    double up = (high - force) / (1 - (1 - 1 / grip) * back);
    step = step < down ? down : step > up ? up : step;
    double whole = -back * step;
    if ((double)l->c[last] + whole > 0) whole = -(double)l->c[last];
    if (!(step - step == 0)) return;
    l->c[j] += (sn_real)step;
    l->c[last] += (sn_real)whole;
    move(l, j, (sn_real)step);
    move(l, last, (sn_real)whole);
}

/* Lets the thread slide through its nodes no more than friction allows: to and fro, since what one
   node holds, the next one need not. */
static void hold(const sn_batch *b, sn_list *l, double friction, double sum) {
    enum { SWEEPS = 4 };
    size_t last = l->count - 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t i = 1; i < last; i++) {
            size_t j = sweep % 2 ? last - i : i;
            double slip = 0;
            (void)measure(l, last);
            for (size_t k = 0; k < j; k++) {
                sn_v4 r = *(const sn_v4 *)&l->y[k + 1] - *(const sn_v4 *)&l->y[k];
                slip += (double)SN_ROOT(sn_v4_dot(r, r) + TINY) - length_before(b, l, k);
            }
            hold_at(l, j, slip, grip_of(l, j, friction), sum);
        }
}

/* ---- The loops ---- */

static void project_one(const sn_batch *b, size_t slot, const int softness, const int keep) {
    sn_list *l = b->list[slot];
    const sn_real *soft = b->soft + slot / SN_BLOCK * SN_SOFT_ROWS * SN_BLOCK + slot % SN_BLOCK;
    double kept = keep && !b->first ? (double)b->lambda[slot] : 0, error = value_of(b, slot);
    size_t last = l->count - 1;
    double sum = masses_of(l, last), least = (double)coefficient_of(b, slot, LEAST), step;
    double friction = (double)coefficient_of(b, slot, FRICTION);
    sum = sum < least ? least : sum;
    if (softness >= SN_COMPLIANT) {
        double alpha = (double)soft[SN_SOFT_ALPHA * SN_BLOCK];
        sum += alpha;
        step = -(error + alpha * kept) * (double)soft[SN_SOFT_RELAX * SN_BLOCK] / sum;
        double down = (double)soft[SN_SOFT_LEAST * SN_BLOCK] - kept;
        double up = (double)soft[SN_SOFT_MOST * SN_BLOCK] - kept;
        step = step < down ? down : step > up ? up : step;
    } else {
        step = -error / sum;
    }
    if (keep) b->lambda[slot] = (sn_real)(kept + step);
    for (size_t n = 0; n < l->count; n++) l->rest[n] = (sn_vec4){0};
    move(l, last, (sn_real)step);
    if (friction > 0) {
        for (size_t n = 0; b->first && n < l->count; n++) l->c[n] = 0;
        l->c[last] += (sn_real)step;
        hold(b, l, friction, sum);
        if (keep) b->lambda[slot] = l->c[last];
    }
    for (size_t n = 0; n < l->count; n++)
        *sn_in(b->out, l->offset[n]) += *(const sn_v4 *)&l->rest[n];
}

static void project_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                          const int keep) {
    for (size_t slot = begin; slot < end; slot++) project_one(b, slot, softness, keep);
}

SN_DEFINE_GENERIC_LOOPS(project_range)

/* Pushes velocities along the gradients, by inverse masses, so that momentum is kept. */
static void push(const sn_dashpots *d, const sn_list *l, double step) {
    for (size_t n = 0; n < l->count; n++) {
        sn_real w = d->w[l->offset[n] / SN_NODE_BYTES];
        if (w > 0)
            *sn_in(d->v, l->offset[n]) += (w * (sn_real)step) * gradient_of(l, n, l->count - 1);
    }
}

static void damp(const sn_dashpots *d, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; slot++) {
        const sn_list *l = d->at.list[slot];
        double kept = (double)d->impulse[slot], alpha = (double)d->alpha[slot], rate = 0, sum = 0;
        (void)value_of(&d->at, slot);
        if (d->warm) {
            if (kept != 0) push(d, l, kept);
            continue;
        }
        for (size_t n = 0; n < l->count; n++) {
            sn_v4 g = gradient_of(l, n, l->count - 1);
            double w = (double)d->w[l->offset[n] / SN_NODE_BYTES];
            if (!(w > 0)) continue;
            rate += (double)sn_v4_dot(g, sn_at(d->v, l->offset[n]));
            sum += w * (double)sn_v4_dot(g, g);
        }
        double least = (double)coefficient_of(&d->at, slot, LEAST);
        sum = sum < least ? least : sum;
        double step = -(rate + alpha * kept) / (sum + alpha);
        if (!(d->alpha[slot] < (sn_real)SN_MOST_ALPHA)) step = -kept;
        if (!(step - step == 0) || step == 0) continue;
        d->impulse[slot] = (sn_real)(kept + step);
        push(d, l, step);
    }
}

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

enum { REST_LENGTH = SN_COMMON_PARAMETERS, GRIP };

static void evaluate(const sn_batch *b, size_t slot, sn_real *value, sn_vec3 *gradient) {
    const sn_list *l = b->list[slot];
    *value = (sn_real)value_of(b, slot);
    for (size_t n = 0; gradient && n < l->count; n++) {
        sn_v4 g = gradient_of(l, n, l->count - 1);
        gradient[n] = (sn_vec3){g[0], g[1], g[2]};
    }
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_list *l = from->list;
    for (size_t n = 0; n < l->count; n++) {
        *(sn_v4 *)&l->y[n] = sn_v4_of(from->x[n]);
        l->c[n] = 0;
    }
    double length = measure(l, l->count - 1);
    if (parameter[REST_LENGTH] == SN_AUTO) parameter[REST_LENGTH] = (sn_real)length;
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_list *l = from->list;
    sn_real sum = l->w[0] + l->w[l->count - 1];
    /* The ends pull along the thread wherever it leads; a hundredth of that, or, where both are
       held, of what the nodes between them can have. */
    for (size_t n = 1; !(sum > 0) && n + 1 < l->count; n++) sum += 4 * l->w[n];
    coefficient[REST] = from->parameter[REST_LENGTH];
    coefficient[LEAST] = sum > 0 ? SN_R(0.01) * sum : SN_INFINITY;
    coefficient[FRICTION] = from->parameter[GRIP];
    return 1;
}

static void scale_length(sn_real *parameter, double ratio) {
    parameter[REST_LENGTH] = (sn_real)((double)parameter[REST_LENGTH] * ratio);
    parameter[SN_PARAMETER_COMPLIANCE] =
        (sn_real)((double)parameter[SN_PARAMETER_COMPLIANCE] * ratio);
    parameter[SN_PARAMETER_DAMPING] = (sn_real)((double)parameter[SN_PARAMETER_DAMPING] / ratio);
}

SN_DEFINE_TYPE(lace, SN_LACE_FIELDS, "keeps the length of a thread that slides through nodes",
               .info.list = SN_LIST_PATH, .scale_length = scale_length)

#endif
