/*
 * The volume inside a closed triangle mesh.
 *
 *   C(x)     = sum over triangles of y_i . n / 6 - pressure rest_volume
 *   n        = (y_j - y_i) x (y_k - y_i)
 *   grad_i C = sum of n / 6 over the triangles at i
 *
 * Mueller et al. 2007, section 4.4, eqs. 14 and 15; survey of 2017, section 5.5.2. Their sum is
 * six times the volume. Their gradient is a sum of y_j x y_k: around a vertex of a closed surface
 * that is the same, and n serves all three corners. Positions y are relative to the first node: at
 * the origin of the world the terms of a small balloon far away would be huge and cancel. Volume
 * and denominator are sums of thousands of terms and are taken in double, in the order of the
 * list.
 *
 * As an option the correction goes where the surface is deformed: volume_weights.h. A gas, for
 * which p V = n R T, is not in the papers: it is a compliance and a rest volume that are found
 * anew after every step.
 */
#define SN_TYPE surface_volume
#include "constraints/volume_weights.h"
#include "geometry/topology/opposite_vertices.h"

enum { SN_NODES = 4, SN_FIXED = 0, SN_FRAMES = 0, SN_ROWS = 1, SN_COEFFICIENTS = 8 };
enum { REST, LEAST, LOCAL, OPPOSING, SMOOTHING, SPARE, STEADY, BY_STEP }; /* coefficients */

SN_INLINE sn_real coefficient_of(const sn_batch *b, size_t slot, int row) {
    const sn_real *block = b->block;
    return block[(slot / SN_BLOCK * SN_COEFFICIENTS + (size_t)row) * SN_BLOCK + slot % SN_BLOCK];
}

/* The volume from positions l->y; six times the gradients go to l->u. */
static double sum_triangles(sn_list *l) {
    const sn_v4 *y = (const sn_v4 *)l->y;
    sn_v4 *u = (sn_v4 *)l->u;
    double volume6 = 0;
    for (size_t n = 0; n < l->count; n++) u[n] = (sn_v4){0};
    for (size_t t = 0; t < l->triangles; t++) {
        const uint32_t *corner = l->triangle + 3 * t;
        sn_v4 a = y[corner[0]], n = sn_v4_cross(y[corner[1]] - a, y[corner[2]] - a);
        u[corner[0]] += n;
        u[corner[1]] += n;
        u[corner[2]] += n;
        volume6 += (double)sn_v4_dot(a, n);
    }
    return volume6 / 6;
}

/* C, with six times its gradients in l->u. */
static double value_of(const sn_batch *b, size_t slot) {
    sn_list *l = b->list[slot];
    sn_v4 *y = (sn_v4 *)l->y;
    sn_v4 x0 = sn_at(b->x, l->offset[0]), d0 = sn_at(b->d, l->offset[0]);
    for (size_t n = 0; n < l->count; n++)
        y[n] = (sn_at(b->x, l->offset[n]) - x0) + (sn_at(b->d, l->offset[n]) - d0);
    return sum_triangles(l) - (double)coefficient_of(b, slot, REST);
}

static sn_volume_weights weights_of(const sn_batch *b, size_t slot) {
    return (sn_volume_weights){.local = coefficient_of(b, slot, LOCAL),
                               .opposing = coefficient_of(b, slot, OPPOSING),
                               .passes = (int)coefficient_of(b, slot, SMOOTHING),
                               .spare = coefficient_of(b, slot, SPARE) > 0,
                               .step = coefficient_of(b, slot, BY_STEP) > 0};
}

/* Moves the nodes by a multiplier, of which `lasting` was there in the last substep; sum36 is the
   denominator. */
static void move(const sn_batch *b, size_t slot, double step, double lasting, double sum36) {
    sn_list *l = b->list[slot];
    sn_volume_weights k = weights_of(b, slot);
    if (k.local > 0 || (k.spare && b->touched)) {
        sn_volume_drift drift = {.any = false};
        sn_volume_weigh(b, l, &k, sum36);
        if (k.local > 0) drift = sn_volume_find_drift(b, l);
        bool spared = k.spare && sn_volume_spare(b, l, sum36);
        double new = spared ? step - lasting : 0;
        sn_volume_move(b, l, (sn_real)((step - new) / 6), (sn_real)(new / 6), &drift);
        return;
    }
    sn_real sixth = (sn_real)(step / 6);
    for (size_t n = 0; n < l->count; n++)
        *sn_in(b->out, l->offset[n]) += (l->w[n] * sixth) * *(const sn_v4 *)&l->u[n];
}

static void project_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                          const int keep) {
    for (size_t slot = begin; slot < end; slot++) {
        const sn_list *l = b->list[slot];
        const sn_real *soft = b->soft + slot / SN_BLOCK * SN_SOFT_ROWS * SN_BLOCK + slot % SN_BLOCK;
        double before = keep ? (double)b->lambda[slot] : 0, kept = b->first ? 0 : before;
        double error = value_of(b, slot), sum36 = 0;
        for (size_t n = 0; n < l->count; n++) {
            sn_v4 u = *(const sn_v4 *)&l->u[n];
            sum36 += (double)(l->w[n] * sn_v4_dot(u, u));
        }
        double sum = sum36 / 36, least = (double)coefficient_of(b, slot, LEAST);
        sum = sum < least ? least : sum;
        double step;
        if (softness >= SN_COMPLIANT) {
            double alpha = (double)soft[SN_SOFT_ALPHA * SN_BLOCK];
            error = (error + alpha * kept) * (double)soft[SN_SOFT_RELAX * SN_BLOCK];
            step = -error / (sum + alpha);
            double down = (double)soft[SN_SOFT_LEAST * SN_BLOCK] - kept;
            double up = (double)soft[SN_SOFT_MOST * SN_BLOCK] - kept;
            step = step < down ? down : step > up ? up : step;
        } else {
            step = -error / sum;
        }
        if (keep) b->lambda[slot] = (sn_real)(kept + step);
        move(b, slot, step, b->first ? before : 0, sum36);
    }
}

SN_DEFINE_GENERIC_LOOPS(project_range)

/* Pushes velocities along the gradients, by inverse masses, so that momentum is kept. */
static void push(const sn_list *l, const sn_real *w, sn_vec4 *v, double step6) {
    for (size_t n = 0; n < l->count; n++)
        if (l->w[n] > 0)
            *sn_in(v, l->offset[n]) +=
                (w[l->offset[n] / SN_NODE_BYTES] * (sn_real)step6) * *(const sn_v4 *)&l->u[n];
}

/* Six times dC/dt, and 36 times the sum of w |grad C|^2. */
static double rate_of(const sn_list *l, const sn_real *w, const sn_vec4 *v, double *sum36) {
    double rate6 = 0;
    *sum36 = 0;
    for (size_t n = 0; n < l->count; n++) {
        sn_v4 u = *(const sn_v4 *)&l->u[n];
        if (!(l->w[n] > 0)) continue;
        rate6 += (double)sn_v4_dot(u, sn_at(v, l->offset[n]));
        *sum36 += (double)w[l->offset[n] / SN_NODE_BYTES] * (double)sn_v4_dot(u, u);
    }
    return rate6;
}

static void damp(const sn_dashpots *d, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; slot++) {
        const sn_list *l = d->at.list[slot];
        double kept = (double)d->impulse[slot], alpha = (double)d->alpha[slot], sum36;
        (void)value_of(&d->at, slot);
        if (d->warm) {
            if (kept != 0) push(l, d->w, d->v, kept / 6);
            continue;
        }
        double rate6 = rate_of(l, d->w, d->v, &sum36), sum = sum36 / 36;
        double least = (double)coefficient_of(&d->at, slot, LEAST);
        sum = sum < least ? least : sum;
        double step = -(rate6 / 6 + alpha * kept) / (sum + alpha);
        if (!(d->alpha[slot] < (sn_real)SN_MOST_ALPHA)) step = -kept;
        if (!(step - step == 0) || step == 0) continue;
        d->impulse[slot] = (sn_real)(kept + step);
        push(l, d->w, d->v, step / 6);
    }
}

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

/* Measured: the mean |grad C|^2 of the nodes at creation. */
enum {
    REST_VOLUME = SN_COMMON_PARAMETERS,
    PRESSURE,
    AMOUNT,
    TEMPERATURE,
    AMBIENT,
    LEAK,
    LOCAL_SHARE,
    OPPOSING_SHARE,
    PASSES,
    TOUCHING,
    STEADINESS,
    CHANGE,
    GRADIENT2,
    MEASURED_COUNT = 1
};

static void evaluate(const sn_batch *b, size_t slot, sn_real *value, sn_vec3 *gradient) {
    const sn_list *l = b->list[slot];
    *value = (sn_real)value_of(b, slot);
    for (size_t n = 0; gradient && n < l->count; n++)
        gradient[n] = (sn_vec3){l->u[n].x / 6, l->u[n].y / 6, l->u[n].z / 6};
}

/* ---- Gas ---- */

static bool settles(const sn_real *parameter) {
    return parameter[AMOUNT] != SN_AUTO;
}

/* Pa. What is turned inside out presses no harder than what is squeezed to a thousandth of the
   volume that it would have outside. */
static double pressure_at(const sn_real *parameter, double *volume) {
    double heat = (double)parameter[AMOUNT] * SN_GAS_CONSTANT * (double)parameter[TEMPERATURE];
    double least = 1e-3 * heat / (double)parameter[AMBIENT];
    *volume = *volume > least ? *volume : least;
    return heat / *volume;
}

/* The gas law as a straight line through the present volume: an overpressure of p - ambient there,
   and p / V less of it for every m^3 more. */
static void linearise(sn_real *parameter, double volume) {
    double p = pressure_at(parameter, &volume), give = volume / p;
    parameter[SN_PARAMETER_COMPLIANCE] = (sn_real)give;
    parameter[REST_VOLUME] = (sn_real)(volume + (p - (double)parameter[AMBIENT]) * give);
}

static sn_real rest_of(const sn_real *parameter) {
    sn_real factor = settles(parameter) ? 1 : parameter[PRESSURE];
    return factor * parameter[REST_VOLUME];
}

static bool settle(sn_real *parameter, const sn_real *value, double dt) {
    double volume = (double)value[0] + (double)rest_of(parameter);
    sn_real rest = parameter[REST_VOLUME], give = parameter[SN_PARAMETER_COMPLIANCE];
    if (parameter[LEAK] > 0) {
        double p = pressure_at(parameter, &volume), over = p - (double)parameter[AMBIENT];
        double escaped = (double)parameter[LEAK] * over * dt, amount = (double)parameter[AMOUNT];
        /* A hole that large is open: what remains has the pressure outside. */
        double even = amount * (double)parameter[AMBIENT] / p;
        bool all = over > 0 ? amount - escaped < even : amount - escaped > even;
        parameter[AMOUNT] = (sn_real)(all ? even : amount - escaped);
    }
    linearise(parameter, volume);
    return parameter[REST_VOLUME] != rest || parameter[SN_PARAMETER_COMPLIANCE] != give;
}

static sn_result check_gas(const sn_real *parameter, double volume) {
    if (!(parameter[AMOUNT] > 0) || !(parameter[TEMPERATURE] > 0) || !(parameter[AMBIENT] > 0))
        return sn_fail(SN_ERROR_VALUE,
                       "surface_volume: a gas of %g mol at %g K in %g Pa, expected all above 0",
                       (double)parameter[AMOUNT], (double)parameter[TEMPERATURE],
                       (double)parameter[AMBIENT]);
    if (!(volume > 0))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "surface_volume: a gas in %g m^3, expected a volume above 0, with triangles "
                       "that are anticlockwise seen from outside",
                       volume);
    return SN_OK;
}

/* ---- Velocities ---- */

static bool projects_velocities(const sn_real *parameter) {
    return parameter[STEADINESS] > 0;
}

/* Takes a share of dC/dt = grad C . v from the velocities. */
static void project_velocities(const sn_batch *b, size_t slot, const sn_real *w, sn_vec4 *v) {
    const sn_list *l = b->list[slot];
    double sum36;
    (void)value_of(b, slot);
    double rate6 = rate_of(l, w, v, &sum36);
    double least = 36 * (double)coefficient_of(b, slot, LEAST);
    double step =
        -(double)coefficient_of(b, slot, STEADY) * rate6 / (sum36 < least ? least : sum36);
    if (step - step == 0) push(l, w, v, step);
}

static bool spares(const sn_real *parameter) {
    return parameter[TOUCHING] > 0;
}

/* ---- The type ---- */

/* The opposite of each node as its index + 1, in a real, which holds whole numbers up to 2^24. */
static sn_result find_opposites(const sn_preparation *from) {
    sn_list *l = from->list;
    if (l->count >= 1u << 24)
        return sn_fail(SN_ERROR_LIMIT,
                       "surface_volume: %zu nodes, expected fewer than %u with "
                       "opposing",
                       l->count, 1u << 24);
    uint32_t *opposite = sn_allocate(from->memory, l->count, sizeof *opposite);
    if (!opposite) return SN_ERROR_MEMORY;
    sn_result result =
        sn_opposites_find(from->memory, l->triangle, l->triangles, from->x, l->count, opposite);
    for (size_t n = 0; result == SN_OK && n < l->count; n++)
        l->c[n] = opposite[n] == SN_OPPOSITE_NONE ? 0 : (sn_real)(opposite[n] + 1);
    sn_free(from->memory, opposite, l->count, sizeof *opposite);
    return result;
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_list *l = from->list;
    double square = 0;
    for (size_t n = 0; n < l->count; n++) *(sn_v4 *)&l->y[n] = sn_v4_of(from->x[n]);
    double volume = sum_triangles(l);
    for (size_t n = 0; n < l->count; n++)
        square += (double)sn_v4_dot(*(sn_v4 *)&l->u[n], *(sn_v4 *)&l->u[n]) / 36;
    if (!(square > 0))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "surface_volume: the %zu triangles have no area, expected a closed surface",
                       l->triangles);
    if (parameter[REST_VOLUME] == SN_AUTO) parameter[REST_VOLUME] = (sn_real)volume;
    parameter[GRADIENT2] = (sn_real)(square / (double)l->count);
    for (size_t n = 0; parameter[LOCAL_SHARE] > 0 && n < l->count; n++)
        l->rest[n] = (sn_vec4){from->x[n].x, from->x[n].y, from->x[n].z, 0};
    if (parameter[OPPOSING_SHARE] > 0) SN_TRY(find_opposites(from));
    if (!settles(parameter)) return SN_OK;
    SN_TRY(check_gas(parameter, volume));
    linearise(parameter, volume);
    return SN_OK;
}

/* What a field that was 0 so far needs: the shape as it is, and pairs. */
static void adopt(sn_list *own, const sn_list *fresh) {
    bool rested = sn_list_has_rest(own), paired = false;
    for (size_t n = 0; n < own->count; n++) paired |= own->c[n] > 0;
    for (size_t n = 0; n < own->count; n++) {
        if (!rested) {
            sn_real missing = own->rest[n].w;
            own->rest[n] = fresh->rest[n];
            own->rest[n].w = missing;
        }
        if (!paired) own->c[n] = fresh->c[n];
    }
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real sum = 0;
    for (size_t n = 0; n < from->list->count; n++) sum += from->list->w[n];
    /* A hundredth of the sum at creation; infinite where nothing can move. */
    sn_real least = SN_R(0.01) * sum * from->parameter[GRADIENT2];
    coefficient[REST] = rest_of(from->parameter);
    coefficient[LEAST] = least > 0 ? least : SN_INFINITY;
    coefficient[LOCAL] = from->parameter[LOCAL_SHARE];
    coefficient[OPPOSING] = from->parameter[OPPOSING_SHARE];
    coefficient[SMOOTHING] = from->parameter[PASSES];
    coefficient[SPARE] = from->parameter[TOUCHING];
    coefficient[STEADY] = from->parameter[STEADINESS];
    coefficient[BY_STEP] = from->parameter[CHANGE];
    return 1;
}

SN_DEFINE_TYPE(surface_volume, SN_SURFACE_VOLUME_FIELDS,
               "keeps the volume inside a closed triangle mesh", .info.list = SN_LIST_SURFACE,
               .measured = MEASURED_COUNT, .adopt = adopt, .settles = settles, .settle = settle,
               .projects_velocities = projects_velocities, .project_velocities = project_velocities,
               .spares = spares, .remembers = spares)

#endif
