/*
 * What particles do to those near them. W is the kernel of fluid_kernel.h with the mean of both
 * reaches, V a volume, mass over the density at rest.
 *
 *   C_i        = sum_j V_j W_ij + B_i - 1 <= 0                j = i included, B of colliders;
 *                                                             or = 0, and lambda_i of any sign
 *   grad_j C_i = -V_j grad W_ij,   grad_i C_i = sum_j V_j grad W_ij + grad B_i
 *   dlambda_i  = -(C_i + alpha lambda_i) / (D_i + alpha),  lambda_i <= 0
 *   dx_i       = w_i (sum_j (V_j dlambda_i + V_i dlambda_j + s_ij) grad W_ij + dlambda_i grad B_i)
 *
 * Macklin and Mueller 2013; survey of 2017, section 5.10. There W and its gradient are those of two
 * different kernels and all masses are the same. Volumes in place of masses let fluids of different
 * density meet (Solenthaler and Pajarola 2008), and alpha is the compliance of XPBD over h^2.
 *
 * All rows are solved at once, so their denominator has to be larger than that of one row alone,
 * D_i = sum_k w_k |grad_k C_i|^2. On a lattice the largest eigenvalue of the rows together is
 * at most 0.35 R^3 / V times that. With R^3 / (3 V) times as much no wave overshoots; where
 * particles are denser, as many more of them take part.
 *
 * What two particles do to each other is opposite and along the line between them, so both momenta
 * are kept. That holds of viscosity as well, in the form of Monaghan (2005), which is
 * nu laplace(v) for a flow without sources:
 *
 *   m_i dv_i = h sum_j 10 mu V_i V_j (v_ij . x_ij) / (x_ij^2 + 0.01 R^2) grad W_ij
 *
 * with the velocities that are there, or where there is much of it with those that will be
 * (fluid_solve.c).
 */
#include "systems/fluid/fluid_loops.h"

#include "systems/fluid/fluid_kernel.h"

#include <string.h>

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_FLUID_LOOPS(lanes) SN_JOIN2(sn_fluid_loops_, lanes)

SN_INLINE sn_v4 load4(const sn_vec4 *from) {
    sn_v4 a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* Vectors of places side by side, and of a row of neighbours. */
SN_INLINE sn_lane4 load_places(const sn_vec4 *from) {
    sn_v4 in[SN_LANES];
    for (int k = 0; k < SN_LANES; k++) in[k] = load4(from + k);
    return sn_lane4_from_nodes(in);
}

SN_INLINE sn_lane4 load_near(const sn_vec4 *from, const uint32_t *near) {
    sn_v4 in[SN_LANES];
    for (int k = 0; k < SN_LANES; k++) in[k] = load4(from + near[k]);
    return sn_lane4_from_nodes(in);
}

/* What two particles near each other are to each other. */
typedef struct sn_fluid_pair {
    sn_lane3 between; /* m, from j to i */
    sn_lane square;   /* m^2 */
    sn_lane kernel;   /* W over 2 N / R^3 */
    sn_lane fall;     /* -dW/dr over r, over 6 N / R^4 */
} sn_fluid_pair;

SN_INLINE sn_fluid_pair pair_of(sn_lane3 i, sn_lane3 j, sn_lane per_reach) {
    sn_fluid_pair p;
    sn_lane fall;
    p.between = sn_lane3_sub(i, j);
    p.square = sn_lane3_dot(p.between, p.between);
    /* At the very place of another there is no direction, and no number either without this. */
    sn_lane distance = sn_lane_sqrt(p.square + SN_R(1e-30));
    p.kernel = sn_kernel(distance * per_reach, &fall);
    p.fall = fall / distance;
    return p;
}

typedef struct group {
    size_t at;            /* the first place */
    const uint32_t *near; /* its first row */
    sn_real *factor;      /* likewise */
    uint32_t rows;
} group;

SN_INLINE group group_of(const sn_fluid_places *s, size_t block, size_t lane) {
    size_t at = block * SN_BLOCK + lane, first = block * s->rows * SN_BLOCK + lane;
    group g = {at, s->near + first, s->factor + first, 0};
    for (size_t four = at / 4; four <= (at + SN_LANES - 1) / 4; four++)
        if (s->row_count[four] > g.rows) g.rows = s->row_count[four];
    return g;
}

SN_INLINE void next_row(group *g) {
    g->near += SN_BLOCK;
    g->factor += SN_BLOCK;
}

/* ---- Densities and multipliers ---- */

/* The slopes of those who are all at one place vanish, and what would take them apart at once is
   larger than any number: their sum counts as a tenth of that on a lattice, 13.6 w V / R^5, or
   more. */
#define SN_FLUID_LEAST SN_R(1.4)
/* All of it, of the lightest around, where too low a density pulls: two that are alone, at the edge
   of each other's reach, would jump into each other. */
#define SN_FLUID_LEAST_TO_PULL SN_R(13.6)

/* Those that have had their turns stay as they were. */
SN_INLINE sn_lane after_turns(const sn_fluid_pass *p, group g, sn_lane before, sn_lane after) {
    const sn_fluid_places *s = p->places;
    sn_real left[SN_LANES] = {0};
    for (size_t k = 0; k < SN_LANES && g.at + k < s->count; k++)
        left[k] = s->particle[s->order[g.at + k]].turns > p->iteration ? SN_R(1.0) : 0;
    return sn_lane_if_less(sn_lane_all(0), sn_lane_load(left), after, before);
}

/* What multipliers are at most: 0, but where densities that are too small count as well. */
SN_INLINE sn_lane most_of(const sn_fluid_places *s, const sn_fluids *fluids, group g) {
    sn_real most[SN_LANES] = {0};
    for (size_t k = 0; k < SN_LANES && g.at + k < s->count; k++)
        if (fluids->members[s->particle[s->order[g.at + k]].fluid].def.equality)
            most[k] = SN_REAL_MAX;
    return sn_lane_load(most);
}

/* What follows from the sums of a group: its multipliers, and what others need of it. */
SN_INLINE void store_multipliers(const sn_fluid_pass *p, group g, sn_lane4 i, sn_lane4 t,
                                 sn_lane density, sn_lane square, sn_lane lightest) {
    sn_fluid_places *s = p->places;
    sn_lane per_reach = 1 / (t.v.x + t.v.x), zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane volumes = i.w * (per_reach * per_reach * per_reach);
    /* As many rows at once as there are particles within reach, or more. */
    sn_lane tiny = sn_lane_all(SN_R(1e-30));
    sn_lane crowd = sn_lane_max(density, one) / sn_lane_max(3 * volumes, tiny);
    sn_lane alpha = t.v.z, before = sn_lane_load(s->lambda + g.at);
    sn_lane full = sn_lane_max(square * sn_lane_max(crowd, one) + alpha, tiny);
    sn_lane slopes = volumes * (per_reach * per_reach), least = SN_FLUID_LEAST * (t.v.y * slopes);
    if (s->is_equal)
        least = sn_lane_if_less(density, one, SN_FLUID_LEAST_TO_PULL * (lightest * slopes), least);
    sn_lane enough = sn_lane_max(full, least * sn_lane_max(crowd, one) + alpha);
    if (s->is_carried) enough += sn_lane_load(s->give + g.at);
    sn_lane most = s->is_equal ? most_of(s, sn_fluids_of(p->world), g) : zero;
    sn_lane after = sn_lane_min(before - ((density - 1) + alpha * before) / enough, most);
    if (s->is_detailed) after = after_turns(p, g, before, after);
    sn_lane per_volume = 1 / sn_lane_max(i.w, tiny);
    sn_lane_store(s->lambda + g.at, after);
    sn_lane_store(s->density + g.at, density);
    /* Artificial pressure is a part of what a density of twice that at rest would do. */
    sn_lane_store(s->push + g.at, t.w / full * per_volume);
    sn_v4 to[SN_LANES];
    sn_lane4_to_nodes((sn_lane4){i.v, (after - before) * per_volume}, to);
    for (int k = 0; k < SN_LANES; k++) memcpy(s->change + g.at + k, to + k, sizeof *to);
}

/* Where all particles are alike, the traits of others are its own. */
SN_LOOP void multipliers_of(const sn_fluid_pass *p, group g, const bool alike) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), t = load_places(s->trait + g.at);
    sn_lane4 wall = load_places(s->wall + g.at), u = t;
    sn_lane half = t.v.x, per_reach = 1 / (half + half), volume = i.w;
    sn_lane density = SN_KERNEL_NORM * (volume * (per_reach * per_reach * per_reach)) + wall.w;
    sn_lane square = sn_lane_all(0), lightest = t.v.y;
    sn_lane3 gradient = wall.v;
    group all = g;
    for (uint32_t row = 0; row < g.rows; row++, next_row(&g)) {
        sn_lane4 j = load_near(s->y, g.near);
        if (!alike) {
            u = load_near(s->trait, g.near);
            per_reach = 1 / (half + u.v.x);
            volume = j.w;
            lightest = sn_lane_max(lightest, u.v.y);
        }
        sn_lane scale = (2 * SN_KERNEL_NORM) * (volume * (per_reach * per_reach * per_reach));
        sn_fluid_pair pair = pair_of(i.v, j.v, per_reach);
        sn_lane factor = (-3 * (scale * per_reach)) * pair.fall;
        sn_lane_store(g.factor, factor);
        density += scale * pair.kernel;
        gradient = sn_lane3_add(gradient, sn_lane3_scale(factor, pair.between));
        square += u.v.y * ((factor * factor) * pair.square);
    }
    square += t.v.y * sn_lane3_dot(gradient, gradient);
    store_multipliers(p, all, i, t, density, square, lightest);
}

/* ---- Where they go ---- */

/* Adds to vectors of the nodes of places, times w. */
SN_INLINE void add_to_nodes(const sn_fluid_pass *p, size_t at, sn_lane3 change, sn_vec4 *nodes) {
    const sn_fluid_places *s = p->places;
    sn_v4 by[SN_LANES];
    sn_lane3_to_nodes(change, by);
    for (size_t k = 0; k < SN_LANES && at + k < s->count; k++) {
        sn_vec4 *to = &nodes[s->node[at + k]];
        to->x += by[k][0];
        to->y += by[k][1];
        to->z += by[k][2];
    }
}

/* W where artificial pressure is all of itself, times R^3 / (2 N): at 0.3 R. */
#define SN_FLUID_TENSE SN_R(0.311)

/* Artificial pressure between places and a row of neighbours, over V_i V_j. */
SN_INLINE sn_lane push_of(const sn_fluid_places *s, group g, sn_lane3 between, sn_lane half) {
    sn_lane4 u = load_near(s->trait, g.near);
    sn_real other[SN_LANES];
    for (int k = 0; k < SN_LANES; k++) other[k] = s->push[g.near[k]];
    sn_lane fall, per_reach = 1 / (half + u.v.x);
    sn_lane far = sn_lane_sqrt(sn_lane3_dot(between, between)) * per_reach;
    sn_lane part = sn_kernel(far, &fall) * (1 / SN_FLUID_TENSE), twice = part * part;
    return (sn_lane_load(s->push + g.at) + sn_lane_load(other)) * (twice * twice);
}

/* With the gradients of the densities, over V_j, and changes over V. */
SN_LOOP void moves_of(const sn_fluid_pass *p, group g, const bool tense) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->change + g.at), wall = load_places(s->wall + g.at);
    sn_lane4 y = load_places(s->y + g.at), t = load_places(s->trait + g.at);
    sn_lane zero = sn_lane_all(0);
    sn_lane3 sum = {zero, zero, zero};
    size_t at = g.at;
    for (uint32_t row = 0; row < g.rows; row++, next_row(&g)) {
        sn_lane4 j = load_near(s->change, g.near);
        sn_lane3 between = sn_lane3_sub(i.v, j.v);
        sn_lane both = i.w + j.w;
        if (tense) both -= push_of(s, g, between, t.v.x);
        sum = sn_lane3_add(sum, sn_lane3_scale(both * sn_lane_load(g.factor), between));
    }
    sum = sn_lane3_scale(y.w, sn_lane3_add(sum, sn_lane3_scale(i.w, wall.v)));
    add_to_nodes(p, at, sn_lane3_scale(t.v.y, sum), p->world->nodes.d);
}

/* ---- Viscosity ---- */

/* What viscosity makes of velocities in a substep: with the gradients of the last densities, along
   the line where particles are now. */
SN_INLINE sn_lane3 viscous_change(const sn_fluid_pass *p, group g, const sn_vec4 *velocity,
                                  const bool alike) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), t = load_places(s->trait + g.at);
    sn_lane4 v = load_places(velocity + g.at);
    sn_lane tiny = sn_lane_all(SN_R(1e-30)), zero = sn_lane_all(0), reach = t.v.x + t.v.x;
    sn_lane3 sum = {zero, zero, zero};
    for (uint32_t row = 0; row < g.rows; row++, next_row(&g)) {
        sn_lane4 j = load_near(s->y, g.near), other = load_near(velocity, g.near);
        sn_lane mu = v.w;
        if (!alike) {
            /* The harmonic mean: at an interface both have the same stress. */
            mu = 2 * (v.w * other.w) / sn_lane_max(v.w + other.w, tiny);
            reach = t.v.x + load_near(s->trait, g.near).v.x;
        }
        sn_lane3 between = sn_lane3_sub(i.v, j.v);
        sn_lane square = sn_lane3_dot(between, between);
        sn_lane along = sn_lane3_dot(sn_lane3_sub(v.v, other.v), between);
        sn_lane part = along / (square + SN_R(0.01) * (reach * reach));
        part = part * (mu * sn_lane_load(g.factor));
        sum = sn_lane3_add(sum, sn_lane3_scale(part, between));
    }
    sn_lane scale = (10 * (sn_real)p->h) * (t.v.y * i.w);
    return sn_lane3_scale(scale, sum);
}

SN_LOOP void viscosity_of(const sn_fluid_pass *p, group g, const bool alike) {
    add_to_nodes(p, g.at, viscous_change(p, g, p->places->v, alike), p->world->nodes.v);
}

/* m_i dv_i = sum_j c rho V_i V_j W_ij (v_j - v_i), rho the harmonic mean of densities at rest, and
   c the lesser part of both, with what is in `search`: XSPH, which keeps momentum where fluids
   differ as well. */
SN_LOOP void smoothing_of(const sn_fluid_pass *p, group g) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), t = load_places(s->trait + g.at);
    sn_lane4 v = load_places(s->v + g.at), own = load_places(s->search + g.at);
    sn_lane zero = sn_lane_all(0), tiny = sn_lane_all(SN_R(1e-30));
    sn_lane3 sum = {zero, zero, zero};
    size_t at = g.at;
    for (uint32_t row = 0; row < g.rows; row++, next_row(&g)) {
        sn_lane4 j = load_near(s->y, g.near), u = load_near(s->trait, g.near);
        sn_lane4 other = load_near(s->search, g.near);
        sn_lane per_reach = 1 / (t.v.x + u.v.x);
        sn_lane kernel = pair_of(i.v, j.v, per_reach).kernel * (per_reach * per_reach * per_reach);
        sn_lane density = own.v.y * other.v.y / sn_lane_max(own.v.y + other.v.y, tiny);
        sn_lane part = (sn_lane_min(own.v.x, other.v.x) * density) * (j.w * kernel);
        sum = sn_lane3_add(sum, sn_lane3_scale(part, sn_lane3_sub(load_near(s->v, g.near).v, v.v)));
    }
    sn_lane scale = (4 * SN_KERNEL_NORM) * (t.v.y * i.w);
    add_to_nodes(p, at, sn_lane3_scale(scale, sum), p->world->nodes.v);
}

SN_INLINE void store_places(sn_vec4 *to, sn_lane3 v, sn_lane w) {
    sn_v4 out[SN_LANES];
    sn_lane4_to_nodes((sn_lane4){v, w}, out);
    for (int k = 0; k < SN_LANES; k++) memcpy(to + k, out + k, sizeof *out);
}

SN_LOOP void product_of(const sn_fluid_pass *p, group g, const bool alike) {
    const sn_fluid_places *s = p->places;
    store_places(s->product + g.at, viscous_change(p, g, s->search, alike), sn_lane_all(0));
}

/* ---- Vorticity ---- */

/* omega = sum_j V_j grad W x (v_j - v_i), which is twice the angular velocity of what turns. */
SN_LOOP void curl_of(const sn_fluid_pass *p, group g) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), v = load_places(p->of + g.at);
    sn_lane zero = sn_lane_all(0);
    sn_lane3 sum = {zero, zero, zero};
    size_t at = g.at;
    for (uint32_t row = 0; row < g.rows; row++, next_row(&g)) {
        sn_lane4 j = load_near(s->y, g.near), other = load_near(p->of, g.near);
        sn_lane3 between = sn_lane3_sub(i.v, j.v);
        sn_lane3 turn = sn_lane3_cross(between, sn_lane3_sub(other.v, v.v));
        sum = sn_lane3_add(sum, sn_lane3_scale(sn_lane_load(g.factor), turn));
    }
    store_places(s->product + at, sum, sn_lane_sqrt(sn_lane3_dot(sum, sum)));
}

/* Where |omega| changes by less than this part of itself within reach there is no direction in
   which it does. */
#define SN_FLUID_EVEN SN_R(0.01)

/* epsilon N x omega, N the direction in which |omega| grows: what turns, turns faster (Fedkiw et
   al. 2001, as in equation 16 of Macklin and Mueller 2013). */
SN_LOOP void confinement_of(const sn_fluid_pass *p, group g) {
    const sn_fluid_places *s = p->places;
    const sn_fluids *fluids = sn_fluids_of(p->world);
    sn_lane4 i = load_places(s->y + g.at), omega = load_places(s->product + g.at);
    sn_lane4 t = load_places(s->trait + g.at);
    sn_lane zero = sn_lane_all(0), tiny = sn_lane_all(SN_R(1e-30));
    sn_lane3 slope = {zero, zero, zero};
    sn_real epsilon[SN_LANES] = {0};
    size_t at = g.at;
    for (size_t k = 0; k < SN_LANES && at + k < s->count; k++) {
        const sn_fluid_particle *particle = &s->particle[s->order[at + k]];
        if (s->trait[at + k].y > 0) epsilon[k] = fluids->members[particle->fluid].def.vorticity;
    }
    for (uint32_t row = 0; row < g.rows; row++, next_row(&g)) {
        sn_lane4 j = load_near(s->y, g.near), other = load_near(s->product, g.near);
        sn_lane part = (other.w - omega.w) * sn_lane_load(g.factor);
        slope = sn_lane3_add(slope, sn_lane3_scale(part, sn_lane3_sub(i.v, j.v)));
    }
    sn_lane even = SN_FLUID_EVEN * (omega.w / (t.v.x + t.v.x));
    sn_lane steep = sn_lane_sqrt(sn_lane3_dot(slope, slope) + even * even);
    sn_lane scale = ((sn_real)p->h * sn_lane_load(epsilon)) / sn_lane_max(steep, tiny);
    add_to_nodes(p, at, sn_lane3_scale(scale, sn_lane3_cross(slope, omega.v)), p->world->nodes.v);
}

/* The transpose of that over masses, of rows that weigh as much as volumes (fluid_vorticity.c). */
SN_LOOP void spin_of(const sn_fluid_pass *p, group g) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), t = load_places(s->trait + g.at);
    sn_lane4 own = load_places(s->residual + g.at);
    sn_lane zero = sn_lane_all(0);
    sn_lane3 sum = {zero, zero, zero};
    size_t at = g.at;
    for (uint32_t row = 0; row < g.rows; row++, next_row(&g)) {
        sn_lane4 j = load_near(s->y, g.near), other = load_near(s->residual, g.near);
        sn_lane3 turn = sn_lane3_cross(sn_lane3_add(own.v, other.v), sn_lane3_sub(i.v, j.v));
        sum = sn_lane3_add(sum, sn_lane3_scale(sn_lane_load(g.factor), turn));
    }
    store_places(s->product + at, sn_lane3_scale(-(t.v.y * i.w), sum), zero);
}

/* ---- Surface tension ---- */

/* 1 where both are of one kind, else 0. */
SN_INLINE sn_lane is_same(sn_lane a, sn_lane b) {
    sn_lane one = sn_lane_all(1), apart = sn_lane_max(a - b, b - a);
    return sn_lane_max(one - apart, sn_lane_all(0));
}

/* R grad c, with c the density of all of its kind and of the part of walls that holds it. */
SN_LOOP void normals_of(const sn_fluid_pass *p, group g) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), t = load_places(s->trait + g.at);
    sn_lane4 own = load_places(s->search + g.at), wall = load_places(s->wall + g.at);
    sn_lane3 sum = sn_lane3_scale(own.v.z * (t.v.x + t.v.x), wall.v);
    size_t at = g.at;
    for (uint32_t row = 0; row < g.rows; row++, next_row(&g)) {
        sn_lane4 j = load_near(s->y, g.near), u = load_near(s->trait, g.near);
        sn_lane4 other = load_near(s->search, g.near);
        sn_lane per_reach = 1 / (t.v.x + u.v.x);
        sn_fluid_pair pair = pair_of(i.v, j.v, per_reach);
        sn_lane scale = j.w * (per_reach * per_reach * per_reach) * is_same(own.v.x, other.v.x);
        sum = sn_lane3_add(
            sum, sn_lane3_scale((-6 * SN_KERNEL_NORM) * (scale * pair.fall), pair.between));
    }
    store_places(s->product + at, sum, sn_lane_all(0));
}

/* Along the line between two particles, so that both momenta are kept (fluid_tension.c). */
SN_LOOP void tension_of(const sn_fluid_pass *p, group g) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), t = load_places(s->trait + g.at);
    sn_lane4 own = load_places(s->search + g.at), normal = load_places(s->product + g.at);
    sn_lane4 grip = load_places(s->grip + g.at);
    sn_lane one = sn_lane_all(1), zero = sn_lane_all(0), tiny = sn_lane_all(SN_R(1e-30));
    sn_lane3 sum = {zero, zero, zero};
    size_t at = g.at;
    for (uint32_t row = 0; row < g.rows; row++, next_row(&g)) {
        sn_lane4 j = load_near(s->y, g.near), u = load_near(s->trait, g.near);
        sn_lane4 other = load_near(s->search, g.near), slope = load_near(s->product, g.near);
        sn_lane per_reach = 1 / (t.v.x + u.v.x), fall;
        sn_lane3 between = sn_lane3_sub(i.v, j.v);
        sn_lane far = sn_lane_sqrt(sn_lane3_dot(between, between) + tiny);
        sn_lane q = sn_lane_min(far * per_reach, one), rest = one - q;
        sn_lane tension = sn_lane_min(own.v.y, other.v.y) * is_same(own.v.x, other.v.x);
        sn_lane square = per_reach * per_reach, scale = (tension * j.w) * (square * square);
        sn_lane parting = sn_lane3_dot(sn_lane3_sub(normal.v, slope.v), between) / far;
        sn_lane pull = SN_TENSION_COHESION * (q * (rest * rest));
        pull += (2 * SN_KERNEL_NORM * SN_TENSION_AREA) * (sn_kernel(q, &fall) * parting);
        sum = sn_lane3_add(sum, sn_lane3_scale((scale * per_reach) * (pull / far), between));
    }
    sn_real square = (sn_real)(p->h * p->h);
    sum = sn_lane3_sub(sn_lane3_scale(-i.w, sum), grip.v);
    add_to_nodes(p, at, sn_lane3_scale(square * t.v.y, sum), p->world->nodes.d);
}

/* ---- Cohesion ---- */

/* Bridges of liquid: 2 pi gamma r along the line between balls that touch, r the harmonic mean of
   both radii, and the square of what is left of the way to where they do not reach each other. */
SN_LOOP void cohesion_of(const sn_fluid_pass *p, group g) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), t = load_places(s->trait + g.at);
    sn_lane4 own = load_places(s->search + g.at);
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), tiny = sn_lane_all(SN_R(1e-30));
    sn_lane3 sum = {zero, zero, zero};
    size_t at = g.at;
    for (uint32_t row = 0; row < g.rows; row++, next_row(&g)) {
        sn_lane4 j = load_near(s->y, g.near), u = load_near(s->trait, g.near);
        sn_lane4 other = load_near(s->search, g.near);
        sn_lane3 between = sn_lane3_sub(i.v, j.v);
        sn_lane far = sn_lane_sqrt(sn_lane3_dot(between, between) + tiny);
        sn_lane both = own.v.x + other.v.x, room = sn_lane_max(t.v.x + u.v.x - both, tiny);
        sn_lane left = sn_lane_max(sn_lane_min(one - (far - both) / room, one), zero);
        sn_lane radius = 2 * (own.v.x * other.v.x) / sn_lane_max(both, tiny);
        sn_lane force = (sn_lane_min(own.v.y, other.v.y) * radius) * (left * left);
        sum = sn_lane3_add(sum, sn_lane3_scale(force / far, between));
    }
    sn_real square = (sn_real)(p->h * p->h);
    add_to_nodes(p, at, sn_lane3_scale(-square * t.v.y, sum), p->world->nodes.d);
}

/* ---- Ranges of blocks ---- */

#define SN_FLUID_RANGE(name, ...)                                                                  \
    static void name(void *context, size_t begin, size_t end) {                                    \
        const sn_fluid_pass *p = context;                                                          \
        for (size_t block = begin; block < end; block++)                                           \
            for (size_t lane = 0; lane < SN_BLOCK; lane += SN_LANES) {                             \
                group g = group_of(p->places, block, lane);                                        \
                __VA_ARGS__;                                                                       \
            }                                                                                      \
    }
/* Whether nobody of a group, nor of those near it, takes part any more: nothing changes there. */
SN_INLINE bool rests(const sn_fluid_pass *p, group g) {
    const sn_fluid_places *s = p->places;
    if (!p->may_rest) return false;
    for (size_t k = 0; k < SN_LANES; k++)
        if (g.at + k < s->count && s->busy[g.at + k] > p->iteration) return false;
    for (size_t k = 0; k < SN_LANES; k++) s->change[g.at + k].w = s->push[g.at + k] = 0;
    return true;
}

SN_FLUID_RANGE(multipliers, if (!rests(p, g)) multipliers_of(p, g, false))
SN_FLUID_RANGE(alike_multipliers, if (!rests(p, g)) multipliers_of(p, g, true))
SN_FLUID_RANGE(moves, if (!rests(p, g)) moves_of(p, g, false))
SN_FLUID_RANGE(tense_moves, if (!rests(p, g)) moves_of(p, g, true))
SN_FLUID_RANGE(viscosity, viscosity_of(p, g, false))
SN_FLUID_RANGE(alike_viscosity, viscosity_of(p, g, true))
SN_FLUID_RANGE(products, product_of(p, g, false))
SN_FLUID_RANGE(alike_products, product_of(p, g, true))
SN_FLUID_RANGE(curls, curl_of(p, g))
SN_FLUID_RANGE(confinement, confinement_of(p, g))
SN_FLUID_RANGE(cohesion, cohesion_of(p, g))
SN_FLUID_RANGE(normals, normals_of(p, g))
SN_FLUID_RANGE(tension, tension_of(p, g))
SN_FLUID_RANGE(spins, spin_of(p, g))
SN_FLUID_RANGE(smoothing, smoothing_of(p, g))

extern const sn_fluid_loops SN_FLUID_LOOPS(SN_LANES);
const sn_fluid_loops SN_FLUID_LOOPS(SN_LANES) = {{multipliers, alike_multipliers},
                                                 {moves, tense_moves},
                                                 {viscosity, alike_viscosity},
                                                 {products, alike_products},
                                                 curls,
                                                 confinement,
                                                 cohesion,
                                                 normals,
                                                 tension,
                                                 spins,
                                                 smoothing};

#if SN_LANES == 1
SN_DECLARE_WIDTHS(sn_fluid_loops, sn_fluid_loops_)

const sn_fluid_loops *sn_fluid_loops_at(sn_width width) {
    static const sn_fluid_loops *const all[] = SN_ALL_WIDTHS(sn_fluid_loops_);
    return all[width];
}

const sn_fluid_loops *sn_fluid_loops_of(const sn_world *world) {
    return sn_fluid_loops_at(sn_lanes_of(world, &world->bindings.lanes[SN_TRIED_FLUID]));
}
#endif
