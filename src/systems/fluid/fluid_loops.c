/*
 * What particles do to those near them. W is the kernel of fluid_kernel.h with the mean of both
 * reaches, V a volume, mass over the density at rest.
 *
 *   C_i        = sum_j V_j W_ij + B_i - 1 <= 0                j = i included, B of colliders
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

/* Two particles near each other. */
typedef struct sn_fluid_pair {
    sn_lane3 between;   /* m, from j to i */
    sn_lane square;     /* m^2 */
    sn_lane q;          /* r / R */
    sn_lane per_reach;  /* 1/m */
    sn_lane per_reach3; /* N / R^3 */
} sn_fluid_pair;

SN_INLINE sn_fluid_pair pair_of(sn_lane4 i, sn_lane4 j, sn_lane half_i, sn_lane half_j) {
    sn_fluid_pair p;
    p.between = sn_lane3_sub(i.v, j.v);
    p.square = sn_lane3_dot(p.between, p.between);
    p.per_reach = 1 / (half_i + half_j);
    p.q = sn_lane_sqrt(p.square) * p.per_reach;
    p.per_reach3 = SN_KERNEL_NORM * (p.per_reach * p.per_reach * p.per_reach);
    return p;
}

/* The gradient of W by the first place is this times what is between them. */
SN_INLINE sn_lane gradient_of(const sn_fluid_pair *p) {
    sn_lane q = sn_lane_max(p->q, sn_lane_all(SN_R(1e-6)));
    return (p->per_reach3 * (p->per_reach * p->per_reach)) * (sn_kernel_slope(p->q) / q);
}

typedef struct group {
    size_t at;            /* the first place */
    const uint32_t *near; /* its first row */
    uint32_t rows;
} group;

SN_INLINE group group_of(const sn_fluid_places *s, size_t block, size_t lane) {
    return (group){block * SN_BLOCK + lane, s->near + block * s->rows * SN_BLOCK + lane,
                   s->row_count[block]};
}

/* ---- Densities and multipliers ---- */

static void multipliers_of(const sn_fluid_pass *p, group g) {
    sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), t = load_places(s->trait + g.at);
    sn_lane4 wall = load_places(s->wall + g.at);
    sn_lane half = t.v.x, per_reach = 1 / (half + half), zero = sn_lane_all(0);
    sn_lane volumes = i.w * (per_reach * per_reach * per_reach);
    sn_lane density = SN_KERNEL_NORM * volumes + wall.w, square = zero;
    sn_lane3 gradient = wall.v;
    for (uint32_t row = 0; row < g.rows; row++, g.near += SN_BLOCK) {
        sn_lane4 j = load_near(s->y, g.near), u = load_near(s->trait, g.near);
        sn_fluid_pair pair = pair_of(i, j, half, u.v.x);
        sn_lane3 slope = sn_lane3_scale(j.w * gradient_of(&pair), pair.between);
        density += j.w * (pair.per_reach3 * sn_kernel(pair.q));
        gradient = sn_lane3_add(gradient, slope);
        square += u.v.y * sn_lane3_dot(slope, slope);
    }
    square += t.v.y * sn_lane3_dot(gradient, gradient);
    /* As many rows at once as there are particles within reach, or more. */
    sn_lane one = sn_lane_all(1), tiny = sn_lane_all(SN_R(1e-30));
    sn_lane crowd = sn_lane_max(density, one) / sn_lane_max(3 * volumes, tiny);
    sn_lane alpha = t.v.z, before = sn_lane_load(s->lambda + g.at);
    sn_lane full = sn_lane_max(square * sn_lane_max(crowd, one) + alpha, tiny);
    sn_lane after = sn_lane_min(before - ((density - 1) + alpha * before) / full, zero);
    sn_lane_store(s->lambda + g.at, after);
    sn_lane_store(s->density + g.at, density);
    /* Artificial pressure is a part of what a density of twice that at rest would do. */
    sn_v4 to[SN_LANES];
    sn_lane4_to_nodes((sn_lane4){{half, after - before, t.w / full}, zero}, to);
    for (int k = 0; k < SN_LANES; k++) memcpy(s->change + g.at + k, to + k, sizeof *to);
}

/* ---- Where they go ---- */

/* Adds to vectors of the nodes of places, times w. */
SN_INLINE void add_to_nodes(const sn_fluid_pass *p, size_t at, sn_lane3 change, sn_vec4 *nodes) {
    const sn_fluid_places *s = p->places;
    sn_v4 by[SN_LANES];
    sn_lane3_to_nodes(change, by);
    for (size_t k = 0; k < SN_LANES && at + k < s->count; k++) {
        sn_vec4 *to = &nodes[s->particle[s->order[at + k]].node];
        to->x += by[k][0];
        to->y += by[k][1];
        to->z += by[k][2];
    }
}

/* W where artificial pressure is all of itself, times R^3 / N: at 0.3 R. */
#define SN_FLUID_TENSE SN_R(0.622)

SN_LOOP void moves_of(const sn_fluid_pass *p, group g, const bool tense) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), c = load_places(s->change + g.at);
    sn_lane4 wall = load_places(s->wall + g.at), t = load_places(s->trait + g.at);
    sn_lane3 sum = sn_lane3_scale(c.v.y, wall.v);
    for (uint32_t row = 0; row < g.rows; row++, g.near += SN_BLOCK) {
        sn_lane4 j = load_near(s->y, g.near), u = load_near(s->change, g.near);
        sn_fluid_pair pair = pair_of(i, j, c.v.x, u.v.x);
        sn_lane both = j.w * c.v.y + i.w * u.v.y;
        if (tense) {
            sn_lane part = sn_kernel(pair.q) * (1 / SN_FLUID_TENSE), twice = part * part;
            both -= (j.w * c.v.z + i.w * u.v.z) * (twice * twice);
        }
        sum = sn_lane3_add(sum, sn_lane3_scale(both * gradient_of(&pair), pair.between));
    }
    add_to_nodes(p, g.at, sn_lane3_scale(t.v.y, sum), p->world->nodes.d);
}

/* ---- Viscosity ---- */

static void viscosity_of(const sn_fluid_pass *p, group g) {
    const sn_fluid_places *s = p->places;
    sn_lane4 i = load_places(s->y + g.at), t = load_places(s->trait + g.at);
    sn_lane4 v = load_places(s->v + g.at);
    sn_lane tiny = sn_lane_all(SN_R(1e-30)), zero = sn_lane_all(0);
    sn_lane3 sum = {zero, zero, zero};
    for (uint32_t row = 0; row < g.rows; row++, g.near += SN_BLOCK) {
        sn_lane4 j = load_near(s->y, g.near), u = load_near(s->trait, g.near);
        sn_lane4 other = load_near(s->v, g.near);
        sn_fluid_pair pair = pair_of(i, j, t.v.x, u.v.x);
        /* The harmonic mean: at an interface both have the same stress. */
        sn_lane mu = 2 * (v.w * other.w) / sn_lane_max(v.w + other.w, tiny);
        sn_lane reach = t.v.x + u.v.x;
        sn_lane along = sn_lane3_dot(sn_lane3_sub(v.v, other.v), pair.between);
        sn_lane part = along / (pair.square + SN_R(0.01) * (reach * reach));
        part = part * (mu * (i.w * j.w) * gradient_of(&pair));
        sum = sn_lane3_add(sum, sn_lane3_scale(part, pair.between));
    }
    sn_lane scale = (10 * (sn_real)p->h) * t.v.y;
    add_to_nodes(p, g.at, sn_lane3_scale(scale, sum), p->world->nodes.v);
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
SN_FLUID_RANGE(multipliers, multipliers_of(p, g))
SN_FLUID_RANGE(moves, moves_of(p, g, false))
SN_FLUID_RANGE(tense_moves, moves_of(p, g, true))
SN_FLUID_RANGE(viscosity, viscosity_of(p, g))

extern const sn_fluid_loops SN_FLUID_LOOPS(SN_LANES);
const sn_fluid_loops SN_FLUID_LOOPS(SN_LANES) = {multipliers, moves, tense_moves, viscosity};

#if SN_LANES == 1
SN_DECLARE_WIDTHS(sn_fluid_loops, sn_fluid_loops_)

const sn_fluid_loops *sn_fluid_loops_of(sn_width width) {
    static const sn_fluid_loops *const all[] = SN_ALL_WIDTHS(sn_fluid_loops_);
    return all[width];
}
#endif
