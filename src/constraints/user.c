/*
 * Constraints whose formula the user gives, at run time.
 *
 * The loop does what project.inl and block.inl do, for numbers of nodes and rows that are known
 * only now: gather up to 16 constraints, call the formula, solve each of them, scatter. Arithmetic
 * is in the order of those templates, so that a user's formula for a listed type gives its bits.
 *
 *   one row, unit gradients    the denominator is a coefficient, as in project.inl
 *   one row                    the denominator is a sum over the nodes
 *   several rows               the system of the rows, as in block.inl
 *
 * Numerical gradients are central differences. Moving node 0 moves the others, which are relative
 * to it, the other way.
 */
#include "constraints/user.h"

#include "constraints/row_system.h"
#include "math/quaternion.h"

#if SN_LANES == 1

#include <string.h>

enum { LANES = SN_USER_LANES };
_Static_assert((int)LANES == (int)SN_BLOCK, "a batch is a block");

/* A type and what it was made from. */
typedef struct user_type {
    sn_constraint_type type; /* first, so that a pointer to it is a pointer to this */
    sn_user_type_def def;
    sn_user_def standard;
    sn_field_info field[SN_COMMON_PARAMETERS + SN_USER_PARAMETERS];
    char name[64];
    char text[SN_USER_PARAMETERS][2][64]; /* names and units of the parameters */
} user_type;

/* Up to 16 constraints of one block. */
typedef struct group {
    const user_type *type;
    const sn_batch *b;
    size_t slot, lane, count; /* the first one, its lane, how many */
    sn_real x[SN_MAX_NODES][3][LANES];
    sn_real origin[3][LANES];
    sn_real q[SN_MAX_NODES][4][LANES];
    sn_real parameter[SN_USER_PARAMETERS][LANES];
    sn_real value[SN_USER_ROWS][LANES];
    sn_real gradient[SN_USER_ROWS * SN_MAX_NODES][3][LANES];
    sn_real turn[SN_USER_ROWS * SN_MAX_NODES][3][LANES];
    sn_real scale[LANES];
    sn_real least[SN_USER_ROWS][LANES], most[SN_USER_ROWS][LANES]; /* where the type is bounded */
} group;

/* ---- The layout of a block: offsets of nodes and frames, w, turn_w, parameters, h^2 ---- */

static int moved(const user_type *t) {
    return t->def.nodes - t->def.fixed_nodes;
}

/* Frames of nodes that are moved; the others are only read. */
static int turned(const user_type *t) {
    return t->def.frames < moved(t) ? t->def.frames : moved(t);
}

static const unsigned char *block_of(const group *g) {
    return (const unsigned char *)g->b->block + g->slot / SN_BLOCK * sn_block_bytes(&g->type->type);
}

static int32_t offset_of(const group *g, int row, size_t i) {
    return ((const int32_t *)block_of(g))[(size_t)row * SN_BLOCK + g->lane + i];
}

static sn_real coefficient_of(const group *g, int row, size_t i) {
    const unsigned char *after =
        block_of(g) + (size_t)sn_index_rows(&g->type->type) * SN_BLOCK * sizeof(int32_t);
    return ((const sn_real *)after)[(size_t)row * SN_BLOCK + g->lane + i];
}

static sn_real w_of(const group *g, int n, size_t i) {
    return coefficient_of(g, n, i);
}

static sn_real turn_w_of(const group *g, int n, int axis, size_t i) {
    return coefficient_of(g, moved(g->type) + 3 * n + axis, i);
}

/* s^2, what makes a multiplier of a force; of bounded types. */
static sn_real h2_of(const group *g, size_t i) {
    const user_type *t = g->type;
    return coefficient_of(g, moved(t) + 3 * turned(t) + t->def.parameter_count, i);
}

static sn_real soft_of(const group *g, sn_soft_row row, size_t i) {
    return g->b->soft[(g->slot / SN_BLOCK * SN_SOFT_ROWS + (size_t)row) * SN_BLOCK + g->lane + i];
}

/* ---- Evaluating ---- */

static void gather(group *g) {
    const sn_batch *b = g->b;
    const sn_user_type_def *def = &g->type->def;
    int first = moved(g->type) + 3 * turned(g->type);
    for (size_t i = 0; i < g->count; i++) {
        int32_t zero = offset_of(g, 0, i);
        sn_v4 x0 = sn_at(b->x, zero), d0 = sn_at(b->d, zero), at = x0 + d0;
        for (int a = 0; a < 3; a++) g->origin[a][i] = at[a];
        for (int n = 0; n < def->nodes; n++) {
            int32_t other = offset_of(g, n, i);
            sn_v4 near = (sn_at(b->x, other) - x0) + (sn_at(b->d, other) - d0);
            for (int a = 0; a < 3; a++) g->x[n][a][i] = near[a];
        }
        for (int n = 0; n < def->frames; n++) {
            sn_v4 q = sn_at(b->q, offset_of(g, def->nodes + n, i));
            for (int a = 0; a < 4; a++) g->q[n][a][i] = q[a];
        }
        for (int k = 0; k < def->parameter_count; k++)
            g->parameter[k][i] = coefficient_of(g, first + k, i);
    }
}

/* Calls the formula, with gradients or for the value alone. */
static void call(group *g, bool gradients) {
    sn_user_batch batch = {
        .count = g->count,
        .x = (const sn_real(*)[3][LANES])g->x,
        .origin = (const sn_real(*)[LANES])g->origin,
        .q = (const sn_real(*)[4][LANES])g->q,
        .parameter = (const sn_real(*)[LANES])g->parameter,
        .value = g->value,
        .gradient = gradients ? g->gradient : NULL,
        .turn = gradients ? g->turn : NULL,
        .scale = g->scale,
        .least = g->type->def.bounded ? g->least : NULL,
        .most = g->type->def.bounded ? g->most : NULL,
    };
    for (size_t i = 0; i < g->count; i++) g->scale[i] = 1;
    for (int r = 0; g->type->def.bounded && r < g->type->def.rows; r++)
        for (size_t i = 0; i < g->count; i++) {
            g->least[r][i] = -SN_REAL_MAX;
            g->most[r][i] = SN_REAL_MAX;
        }
    g->type->def.formula(g->type->def.user, &batch);
}

/* The part of its size that a constraint is moved by for a difference: where the error of the
   difference and that of rounding are about equal. */
#ifdef SN_DOUBLE
#define DIFFERENCE 1e-5
#define EXPONENT 0x7ff0000000000000
#else
#define DIFFERENCE 5e-3f
#define EXPONENT 0x7f800000
#endif

/* The power of two below a positive number. A coordinate that is moved by one stays exact, however
   far from the origin, as long as it can hold the step at all. */
static sn_real power_below(sn_real a) {
    sn_bits bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= EXPONENT;
    memcpy(&a, &bits, sizeof a);
    return a;
}

static void measure_differences(const group *g, sn_real step[LANES]) {
    for (size_t i = 0; i < g->count; i++) {
        sn_real most = 0;
        for (int n = 1; n < g->type->def.nodes; n++) {
            sn_real x = g->x[n][0][i], y = g->x[n][1][i], z = g->x[n][2][i];
            sn_real square = (x * x + y * y) + z * z;
            most = square > most ? square : most;
        }
        step[i] = power_below(DIFFERENCE * (most > 0 ? SN_ROOT(most) : 1));
        if (g->type->def.difference != SN_AUTO) step[i] = g->type->def.difference;
    }
}

/* Moves node n along an axis. */
static void shift(group *g, int n, int axis, const sn_real step[LANES], sn_real factor) {
    for (size_t i = 0; i < g->count; i++) {
        if (n > 0) {
            g->x[n][axis][i] += factor * step[i];
            continue;
        }
        g->origin[axis][i] += factor * step[i];
        for (int k = 1; k < g->type->def.nodes; k++) g->x[k][axis][i] -= factor * step[i];
    }
}

/* Turns frame n about one of its axes. */
static void rotate(group *g, int n, int axis, sn_real angle) {
    for (size_t i = 0; i < g->count; i++) {
        sn_v4 phi = {0}, q = {g->q[n][0][i], g->q[n][1][i], g->q[n][2][i], g->q[n][3][i]};
        phi[axis] = angle;
        q = sn_quat_turn(q, phi);
        for (int a = 0; a < 4; a++) g->q[n][a][i] = q[a];
    }
}

/* One column of the gradients, from the values on either side. */
typedef struct column {
    sn_real up[SN_USER_ROWS][LANES];
    sn_real (*to)[3][LANES];
    int stride; /* of rows */
} column;

static void differentiate(group *g, const column *c, int axis, const sn_real step[LANES]) {
    for (int r = 0; r < g->type->def.rows; r++)
        for (size_t i = 0; i < g->count; i++)
            c->to[r * c->stride][axis][i] = (c->up[r][i] - g->value[r][i]) / (2 * step[i]);
}

static void differentiate_all(group *g) {
    const sn_user_type_def *def = &g->type->def;
    sn_real step[LANES] = {0}, angle[LANES] = {0}, near[sizeof g->x / sizeof(sn_real)];
    sn_real origin[3][LANES], q[sizeof g->q / sizeof(sn_real)];
    column c;
    measure_differences(g, step);
    for (size_t i = 0; i < g->count; i++) angle[i] = DIFFERENCE;
    memcpy(near, g->x, sizeof near);
    memcpy(origin, g->origin, sizeof origin);
    memcpy(q, g->q, sizeof q);
    for (int k = 0; k < 3 * (def->nodes + def->frames); k++) {
        int n = k / 3, axis = k % 3;
        bool node = n < def->nodes;
        for (int side = 0; side < 2; side++) {
            if (node)
                shift(g, n, axis, step, side == 0 ? 1 : -1);
            else
                rotate(g, n - def->nodes, axis, side == 0 ? DIFFERENCE : -DIFFERENCE);
            call(g, false);
            if (side == 0) memcpy(c.up, g->value, sizeof c.up);
            memcpy(g->x, near, sizeof near);
            memcpy(g->origin, origin, sizeof origin);
            memcpy(g->q, q, sizeof q);
        }
        c.to = node ? g->gradient + n : g->turn + (n - def->nodes);
        c.stride = node ? def->nodes : def->frames;
        differentiate(g, &c, axis, node ? step : angle);
    }
}

static void evaluate_group(group *g) {
    gather(g);
    if (g->type->def.numerical) differentiate_all(g);
    call(g, !g->type->def.numerical);
}

/* ---- Solving ---- */

static sn_real dot3(sn_real (*a)[LANES], sn_real (*b)[LANES], size_t i) {
    return (a[0][i] * b[0][i] + a[1][i] * b[1][i]) + a[2][i] * b[2][i];
}

static sn_real clamped(const group *g, size_t i, sn_real step, sn_real kept) {
    sn_real least = soft_of(g, SN_SOFT_LEAST, i) - kept, most = soft_of(g, SN_SOFT_MOST, i) - kept;
    step = step < least ? least : step;
    return most < step ? most : step;
}

/* How far multipliers may go from what they are. */
static sn_row_bounds bounds_of(const group *g, size_t i, const sn_real *kept) {
    sn_row_bounds bounds;
    sn_real h2 = h2_of(g, i);
    for (int r = 0; r < g->type->def.rows; r++) {
        bounds.least[r] = g->least[r][i] * h2 - kept[r];
        bounds.most[r] = g->most[r][i] * h2 - kept[r];
    }
    return bounds;
}

/* The step of a constraint whose denominator is a coefficient; `kept` is the sum of errors. */
static sn_real solve_unit(group *g, size_t i, sn_softness softness, sn_real *kept) {
    sn_real error = g->value[0][i];
    if (softness >= SN_COMPLIANT)
        error = clamped(g, i, error - soft_of(g, SN_SOFT_ALPHA, i) * *kept, *kept);
    *kept += error;
    return -error * g->scale[i];
}

/* J W J^T of two rows. */
static sn_real weigh(group *g, int r, int s, size_t i) {
    const sn_user_type_def *def = &g->type->def;
    sn_real sum = 0;
    for (int n = 0; n < moved(g->type); n++)
        sum += w_of(g, n, i) *
               dot3(g->gradient[r * def->nodes + n], g->gradient[s * def->nodes + n], i);
    for (int n = 0; n < turned(g->type); n++) {
        sn_real(*t)[LANES] = g->turn[r * def->frames + n];
        sn_real(*u)[LANES] = g->turn[s * def->frames + n];
        for (int a = 0; a < 3; a++) sum += (turn_w_of(g, n, a, i) * t[a][i]) * u[a][i];
    }
    return sum;
}

static sn_real solve_row(group *g, size_t i, sn_softness softness, sn_real *kept) {
    sn_real error = g->value[0][i], sum = weigh(g, 0, 0, i), step;
    if (softness >= SN_COMPLIANT) {
        sn_real alpha = soft_of(g, SN_SOFT_ALPHA, i);
        error += alpha * *kept;
        sum += alpha;
        error *= soft_of(g, SN_SOFT_RELAX, i);
    }
    step = sum > 0 ? -error / sum : 0;
    if (softness >= SN_COMPLIANT) step = clamped(g, i, step, *kept);
    if (g->type->def.bounded && sum > 0) {
        sn_row_bounds bounds = bounds_of(g, i, kept);
        step = sn_lane_min(sn_lane_max(step, bounds.least[0]), bounds.most[0]);
    }
    *kept += step;
    return step;
}

/* The rows together, as far as their bounds allow. */
static void solve_within(const group *g, size_t i, const sn_real *kept,
                         sn_real a[SN_USER_ROWS][SN_USER_ROWS], sn_real *step) {
    int rows = g->type->def.rows;
    sn_real whole[SN_USER_ROWS][SN_USER_ROWS], error[SN_USER_ROWS];
    sn_row_bounds bounds = bounds_of(g, i, kept);
    memcpy(whole, a, sizeof whole);
    memcpy(error, step, sizeof error);
    sn_solve_rows(rows, SN_USER_ROWS, a[0], step);
    sn_bound_rows(rows, SN_USER_ROWS, whole[0], error, &bounds, step);
}

static void solve_rows(group *g, size_t i, sn_softness softness, sn_real *kept, sn_real *step) {
    int rows = g->type->def.rows;
    sn_real a[SN_USER_ROWS][SN_USER_ROWS] = {{0}};
    sn_real alpha = 0, relax = 1;
    if (softness >= SN_COMPLIANT) {
        alpha = soft_of(g, SN_SOFT_ALPHA, i);
        relax = soft_of(g, SN_SOFT_RELAX, i);
    }
    for (int r = 0; r < rows; r++) {
        for (int s = r; s < rows; s++) a[r][s] = weigh(g, r, s, i);
        sn_real error = g->value[r][i] + alpha * kept[r];
        a[r][r] += alpha;
        step[r] = -error * relax;
    }
    if (g->type->def.bounded) {
        solve_within(g, i, kept, a, step);
    } else {
        sn_solve_rows(rows, SN_USER_ROWS, a[0], step);
    }
    for (int r = 0; r < rows; r++) kept[r] += step[r];
}

/* ---- Applying ---- */

static void move_node(group *g, size_t i, int n, const sn_real *step) {
    const sn_user_type_def *def = &g->type->def;
    sn_v4 add = {0};
    sn_real w = w_of(g, n, i);
    /* A kinematic node may be an anchor of others, who read it at the same time. */
    if (w == 0) return;
    if (def->rows == 1) {
        sn_real(*u)[LANES] = g->gradient[n], scaled = w * step[0];
        add = (sn_v4){scaled * u[0][i], scaled * u[1][i], scaled * u[2][i], 0};
    } else {
        for (int r = 0; r < def->rows; r++) {
            sn_real(*u)[LANES] = g->gradient[r * def->nodes + n];
            add += step[r] * (sn_v4){u[0][i], u[1][i], u[2][i], 0};
        }
        add *= w;
    }
    *sn_in(g->b->out, offset_of(g, n, i)) += add;
}

static void turn_frame(group *g, size_t i, int n, const sn_real *step) {
    const sn_user_type_def *def = &g->type->def;
    const sn_batch *b = g->b;
    int32_t offset = offset_of(g, def->nodes + n, i);
    sn_v4 phi = {0}, w = {turn_w_of(g, n, 0, i), turn_w_of(g, n, 1, i), turn_w_of(g, n, 2, i), 0};
    /* As of nodes. */
    if (w[0] == 0 && w[1] == 0 && w[2] == 0) return;
    for (int r = 0; r < def->rows; r++) {
        sn_real(*t)[LANES] = g->turn[r * def->frames + n];
        for (int a = 0; a < 3; a++) phi[a] += step[r] * t[a][i];
    }
    phi *= w;
    if (phi[0] == 0 && phi[1] == 0 && phi[2] == 0) return;
    *sn_in(b->turned ? b->turned : b->turn, offset) += phi;
    if (!b->turned) *sn_in(b->q, offset) = sn_quat_turn(sn_at(b->q, offset), phi);
}

static void project_group(group *g, sn_softness softness, bool keep) {
    const sn_user_type_def *def = &g->type->def;
    size_t stride = def->rows == 1 ? 1 : def->rows <= 4 ? 4 : 8;
    evaluate_group(g);
    for (size_t i = 0; i < g->count; i++) {
        sn_real kept[SN_USER_ROWS] = {0}, step[SN_USER_ROWS] = {0};
        sn_real *lambda = g->b->lambda + (g->slot + i) * stride;
        if (keep && !g->b->first) memcpy(kept, lambda, (size_t)def->rows * sizeof *kept);
        if (def->unit_gradient)
            step[0] = solve_unit(g, i, softness, kept);
        else if (def->rows == 1)
            step[0] = solve_row(g, i, softness, kept);
        else
            solve_rows(g, i, softness, kept, step);
        if (keep) memcpy(lambda, kept, (size_t)def->rows * sizeof *kept);
        for (int n = 0; n < moved(g->type); n++) move_node(g, i, n, step);
        for (int n = 0; n < turned(g->type); n++) turn_frame(g, i, n, step);
    }
}

static void project_range(const sn_batch *b, size_t begin, size_t end, sn_softness softness,
                          bool keep) {
    group g = {.type = (const user_type *)b->type, .b = b};
    for (size_t slot = begin; slot < end; slot += g.count) {
        g.slot = slot;
        g.lane = slot % SN_BLOCK;
        g.count = end - slot < LANES - g.lane ? end - slot : LANES - g.lane;
        project_group(&g, softness, keep);
    }
}

SN_DEFINE_GENERIC_LOOPS(project_range)

/* ---- Dashpots ---- */

/* J v of one row. */
static sn_real rate_of(group *g, const sn_dashpots *d, int row, size_t i) {
    const sn_user_type_def *def = &g->type->def;
    sn_real rate = 0;
    for (int n = 0; n < def->nodes; n++) {
        sn_v4 v = sn_at(d->v, offset_of(g, n, i));
        sn_real(*u)[LANES] = g->gradient[row * def->nodes + n];
        rate += (u[0][i] * v[0] + u[1][i] * v[1]) + u[2][i] * v[2];
    }
    for (int n = 0; n < def->frames; n++) {
        sn_v4 omega = sn_at(d->omega, offset_of(g, def->nodes + n, i));
        sn_real(*t)[LANES] = g->turn[row * def->frames + n];
        rate += (t[0][i] * omega[0] + t[1][i] * omega[1]) + t[2][i] * omega[2];
    }
    return rate;
}

/* J W J^T of two rows, with the inverse masses that nodes have. */
static sn_real weigh_dashpots(group *g, const sn_dashpots *d, int r, int s, size_t i) {
    const sn_user_type_def *def = &g->type->def;
    sn_real sum = 0;
    for (int n = 0; n < moved(g->type); n++)
        sum += d->w[offset_of(g, n, i) / SN_NODE_BYTES] *
               dot3(g->gradient[r * def->nodes + n], g->gradient[s * def->nodes + n], i);
    for (int n = 0; n < turned(g->type); n++) {
        sn_v4 w = sn_at(d->turn_w, offset_of(g, def->nodes + n, i));
        sn_real(*t)[LANES] = g->turn[r * def->frames + n];
        sn_real(*u)[LANES] = g->turn[s * def->frames + n];
        for (int a = 0; a < 3; a++) sum += (w[a] * t[a][i]) * u[a][i];
    }
    return sum;
}

/* v += W J^T step; what is not pushed keeps its bits. */
static void push(group *g, const sn_dashpots *d, size_t i, const sn_real *step) {
    const sn_user_type_def *def = &g->type->def;
    bool any = false;
    for (int r = 0; r < def->rows; r++) any |= step[r] != 0;
    for (int n = 0; any && n < moved(g->type); n++) {
        int32_t offset = offset_of(g, n, i);
        sn_real w = d->w[offset / SN_NODE_BYTES];
        sn_v4 add = {0};
        for (int r = 0; r < def->rows; r++) {
            sn_real(*u)[LANES] = g->gradient[r * def->nodes + n];
            sn_real factor = def->rows == 1 ? w * step[0] : step[r];
            add += factor * (sn_v4){u[0][i], u[1][i], u[2][i], 0};
        }
        if (def->rows > 1) add *= w;
        if (w > 0) *sn_in(d->v, offset) += add;
    }
    for (int n = 0; any && n < turned(g->type); n++) {
        int32_t offset = offset_of(g, def->nodes + n, i);
        sn_v4 w = sn_at(d->turn_w, offset), add = {0};
        for (int r = 0; r < def->rows; r++) {
            sn_real(*t)[LANES] = g->turn[r * def->frames + n];
            add += step[r] * (sn_v4){t[0][i], t[1][i], t[2][i], 0};
        }
        if (w[0] > 0 || w[1] > 0 || w[2] > 0) *sn_in(d->omega, offset) += w * add;
    }
}

/* Whether a one-sided constraint is slack. */
static bool is_slack(const group *g, size_t i) {
    if (g->type->def.rows > 1) return false;
    sn_real wanted = g->type->def.unit_gradient ? g->value[0][i] : -g->value[0][i];
    return wanted < soft_of(g, SN_SOFT_LEAST, i) || soft_of(g, SN_SOFT_MOST, i) < wanted;
}

/* What is missing of the impulses of one constraint. */
static void find_missing(group *g, const sn_dashpots *d, size_t i, const sn_real *kept,
                         sn_real *step) {
    int rows = g->type->def.rows;
    size_t slot = g->slot + i;
    const sn_real *alpha = d->alpha + slot / SN_BLOCK * (size_t)rows * SN_BLOCK + slot % SN_BLOCK;
    sn_real a[SN_USER_ROWS][SN_USER_ROWS], scale = g->type->def.unit_gradient ? g->scale[i] : 1;
    for (int r = 0; r < rows; r++) {
        for (int s = r; s < rows; s++) a[r][s] = weigh_dashpots(g, d, r, s, i) * (scale * scale);
        a[r][r] += alpha[SN_BLOCK * r];
        step[r] = -(rate_of(g, d, r, i) * scale + alpha[SN_BLOCK * r] * kept[r]);
    }
    if (is_slack(g, i))
        step[0] = -kept[0];
    else if (rows == 1)
        step[0] = step[0] / a[0][0];
    else
        sn_solve_rows(rows, SN_USER_ROWS, a[0], step);
    for (int r = 0; r < rows; r++)
        if (!(alpha[SN_BLOCK * r] < (sn_real)SN_MOST_ALPHA)) step[r] = -kept[r];
}

static void damp(const sn_dashpots *d, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; slot++) {
        group g = {.type = (const user_type *)d->at.type, .b = &d->at, .slot = slot, .count = 1};
        const sn_user_type_def *def = &g.type->def;
        g.lane = slot % SN_BLOCK;
        evaluate_group(&g);
        sn_real *kept = d->impulse + slot * sn_padded_rows(def->rows), step[SN_USER_ROWS];
        if (d->warm)
            memcpy(step, kept, (size_t)def->rows * sizeof *step);
        else
            find_missing(&g, d, 0, kept, step);
        for (int r = 0; r < def->rows && !d->warm; r++) kept[r] += step[r];
        if (def->unit_gradient) step[0] *= g.scale[0];
        push(&g, d, 0, step);
    }
}

static const sn_loops loops = {SN_GENERIC_LOOPS, damp};

static void evaluate(const sn_batch *b, size_t slot, sn_real *value, sn_vec3 *gradient) {
    group g = {.type = (const user_type *)b->type, .b = b, .slot = slot, .count = 1};
    const sn_user_type_def *def = &g.type->def;
    const int columns = def->nodes + def->frames;
    g.lane = slot % SN_BLOCK;
    evaluate_group(&g);
    for (int r = 0; r < def->rows; r++) {
        value[r] = g.value[r][0];
        for (int n = 0; gradient && n < columns; n++) {
            bool node = n < def->nodes;
            sn_real(*u)[LANES] =
                node ? g.gradient[r * def->nodes + n] : g.turn[r * def->frames + (n - def->nodes)];
            sn_real scale = node && def->unit_gradient ? g.scale[0] : 1;
            gradient[r * columns + n] =
                (sn_vec3){scale * u[0][0], scale * u[1][0], scale * u[2][0]};
        }
    }
}

/* Rows whose forces have bounds that leave them one direction. */
static unsigned one_sided(const sn_batch *b, size_t slot) {
    group g = {.type = (const user_type *)b->type, .b = b, .slot = slot, .count = 1};
    unsigned rows = 0;
    g.lane = slot % SN_BLOCK;
    evaluate_group(&g);
    for (int r = 0; r < g.type->def.rows; r++)
        rows |= (unsigned)(g.least[r][0] >= 0 || g.most[r][0] <= 0) << r;
    return rows;
}

/* ---- The type ---- */

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    (void)from;
    (void)parameter;
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const user_type *t = (const user_type *)from->type;
    sn_real sum = 0, *out = coefficient;
    for (int n = 0; n < moved(t); n++) sum += from->w[n];
    sn_real pivot = t->def.unit_gradient ? sn_pivot(from, sum) : 1;
    for (int n = 0; n < moved(t); n++) *out++ = from->w[n] * pivot;
    for (int n = 0; n < turned(t); n++) {
        *out++ = from->turn_w[n].x;
        *out++ = from->turn_w[n].y;
        *out++ = from->turn_w[n].z;
    }
    for (int k = 0; k < t->def.parameter_count; k++)
        *out++ = from->parameter[SN_COMMON_PARAMETERS + k];
    if (t->def.bounded) *out++ = from->h2;
    return pivot;
}

static void make_fields(user_type *t) {
    typedef sn_user_def definition;
    static const sn_field_info common[] = {SN_COMMON_FIELDS(SN_FIELD_ROW)};
    t->standard = (sn_user_def){.size = sizeof(sn_user_def), SN_COMMON_FIELDS(SN_STANDARD)};
    memcpy(t->field, common, sizeof common);
    for (int k = 0; k < t->def.parameter_count; k++) {
        const sn_user_parameter *from = &t->def.parameters[k];
        const char *words[2] = {from->name, from->unit ? from->unit : "1"};
        for (int w = 0; w < 2; w++)
            for (size_t i = 0; i + 1 < sizeof t->text[k][w] && words[w][i]; i++)
                t->text[k][w][i] = words[w][i];
        t->standard.parameter[k] = (sn_real)from->standard;
        t->field[SN_COMMON_PARAMETERS + k] = (sn_field_info){
            .name = t->text[k][0],
            .unit = t->text[k][1],
            .meaning = "a parameter of the user's",
            .kind = SN_FIELD_REAL,
            .offset = offsetof(sn_user_def, parameter) + (size_t)k * sizeof(sn_real),
            .least = from->least,
            .most = from->most,
            .standard = from->standard,
        };
    }
    t->def.parameters = NULL;
}

sn_constraint_type *sn_user_type_create(sn_memory *memory, const sn_user_type_def *def) {
    user_type *t = sn_allocate(memory, 1, sizeof *t);
    if (!t) return NULL;
    t->def = *def;
    for (size_t i = 0; i + 1 < sizeof t->name && def->name[i]; i++) t->name[i] = def->name[i];
    t->def.name = t->name;
    make_fields(t);
    t->type = (sn_constraint_type){
        .info = {.name = t->name,
                 .meaning = "a type of the user's",
                 .nodes = def->nodes,
                 .fixed_nodes = def->fixed_nodes,
                 .frames = def->frames,
                 .rows = def->rows,
                 .external = def->external,
                 .def_size = sizeof(sn_user_def),
                 .field_count = SN_COMMON_PARAMETERS + (size_t)def->parameter_count,
                 .fields = t->field},
        .bytes = sizeof *t,
        .standard = &t->standard,
        .scaled = def->unit_gradient,
        .bounded = def->bounded,
        .timed = def->bounded,
        .coefficients = moved(t) + 3 * turned(t) + def->parameter_count + def->bounded,
        .prepare = prepare,
        .derive = derive,
        .evaluate = evaluate,
        .one_sided = def->bounded ? one_sided : NULL,
        .loops = {&loops, &loops, &loops, &loops},
    };
    return &t->type;
}

#endif
