/*
 * Bounds of the rows of a block, once per SIMD width: the loop that block.inl makes of a type with
 * SN_BOUNDED, beside the solution found by trying which row is at which bound.
 */
#define SN_TYPE bounded_toy
#define SN_NODES 2
#define SN_POINTS 2
#define SN_MOVED 1
#define SN_FRAMES 0
#define SN_TURNED 0
#define SN_ROWS 3
#define SN_OWN (2 * SN_ROWS) /* least and most multipliers */
#define SN_BOUNDED 1
#include "constraints/block.h"

#include "bounded_problem.h"
#include "check.h"

#include <string.h>

/* Row r is the place of node 0 seen from node 1 along this. No two are across each other. */
static const double normal[SN_ROWS][3] = {{1, 0, 0}, {0.8, 0.6, 0}, {0.6, 0.48, 0.64}};

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[1]) {
    (void)q, (void)own, (void)t;
    for (int r = 0; r < SN_ROWS; r++) {
        sn_lane3 n = {sn_lane_all((sn_real)normal[r][0]), sn_lane_all((sn_real)normal[r][1]),
                      sn_lane_all((sn_real)normal[r][2])};
        value[r] = -sn_lane3_dot(n, x[1]);
        g[r][0] = n;
        g[r][1] = sn_lane3_minus(n);
    }
}

SN_INLINE void bounds(const sn_real *own, sn_lane least[SN_ROWS], sn_lane most[SN_ROWS]) {
    for (int r = 0; r < SN_ROWS; r++) {
        least[r] = sn_lane_load(own + r * SN_BLOCK);
        most[r] = sn_lane_load(own + (SN_ROWS + r) * SN_BLOCK);
    }
}

extern const sn_loops SN_LOOPS(SN_TYPE, SN_LANES);
#include "constraints/block.inl"

/* ---- A block of 16, each on a node of its own ---- */

typedef struct toy {
    block block;
    sn_real lambda[4 * SN_BLOCK];
    _Alignas(64) sn_vec4 x[2 * SN_BLOCK], d[2 * SN_BLOCK], p[2 * SN_BLOCK];
    sn_batch batch;
} toy;

static double pick(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

static void make_toy(toy *t, uint32_t seed) {
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < SN_BLOCK; i++) {
        t->block.node[0][i] = (int32_t)i * SN_NODE_BYTES;
        t->block.node[1][i] = (int32_t)(SN_BLOCK + i) * SN_NODE_BYTES;
        t->block.w[0][i] = (sn_real)(0.6 + 0.5 * pick(&seed));
        t->block.relax[i] = 1;
        t->d[i] = (sn_vec4){(sn_real)pick(&seed), (sn_real)pick(&seed), (sn_real)pick(&seed), 0};
        for (int r = 0; r < SN_ROWS; r++) {
            /* Limits of either side, motors, and rows without bounds. */
            double strength = 0.3 + 0.3 * pick(&seed), kind = pick(&seed);
            double least = kind < -0.3 ? 0 : kind < 0.3 ? -strength : -(double)SN_REAL_MAX;
            double most = kind > 0.7                  ? 0
                          : kind < 0.3 && kind > -0.3 ? strength
                                                      : (double)SN_REAL_MAX;
            t->block.own[r][i] = (sn_real)least;
            t->block.own[SN_ROWS + r][i] = (sn_real)most;
        }
    }
    t->batch = (sn_batch){.x = t->x,
                          .d = t->d,
                          .out = t->d,
                          .p = t->p,
                          .block = &t->block,
                          .lambda = t->lambda,
                          .first = true};
}

/* ---- The same in double ---- */

static problem problem_of(const toy *t, size_t i) {
    problem p;
    double at[3] = {(double)t->d[i].x, (double)t->d[i].y, (double)t->d[i].z};
    for (int r = 0; r < SN_ROWS; r++) {
        p.y[r] = 0;
        for (int k = 0; k < 3; k++) p.y[r] -= normal[r][k] * at[k];
        for (int s = 0; s < SN_ROWS; s++) {
            p.a[r][s] = 0;
            for (int k = 0; k < 3; k++)
                p.a[r][s] += (double)t->block.w[0][i] * normal[r][k] * normal[s][k];
        }
        p.least[r] = (double)t->block.own[r][i];
        p.most[r] = (double)t->block.own[SN_ROWS + r][i];
    }
    return p;
}

TEST(rows_are_solved_within_their_bounds) {
    size_t held = 0, free = 0;
    for (uint32_t seed = 1; seed <= 200; seed++) {
        toy t, before;
        make_toy(&t, seed);
        memcpy(&before, &t, sizeof t);
        SN_LOOPS(SN_TYPE, SN_LANES).project[SN_COMPLIANT][1](&t.batch, 0, SN_BLOCK);
        for (size_t i = 0; i < SN_BLOCK; i++) {
            double x[SN_ROWS];
            check_case("seed %u, constraint %zu", seed, i);
            problem p = problem_of(&before, i);
            if (solve_by_trying(&p, x))
                held++;
            else
                free++;
            for (int r = 0; r < SN_ROWS; r++)
                CHECK_NEAR(t.lambda[4 * i + (size_t)r], x[r], sizeof(sn_real) == 8 ? 1e-12 : 2e-5);
        }
    }
    CHECK(held > 1000 && free > 100);
}

/* Sweep after sweep, what is kept is what is bounded. */
TEST(sums_of_multipliers_are_bounded) {
    for (uint32_t seed = 1; seed <= 50; seed++) {
        toy t;
        make_toy(&t, seed);
        for (int sweep = 0; sweep < 4; sweep++) {
            SN_LOOPS(SN_TYPE, SN_LANES).project[SN_COMPLIANT][1](&t.batch, 0, SN_BLOCK);
            t.batch.first = false;
            for (size_t i = 0; i < SN_BLOCK; i++) {
                t.d[i].x += (sn_real)0.1; /* as another constraint might */
                for (int r = 0; r < SN_ROWS; r++) {
                    check_case("seed %u, sweep %d, constraint %zu", seed, sweep, i);
                    double lambda = (double)t.lambda[4 * i + (size_t)r];
                    double rounding = sizeof(sn_real) == 8 ? 1e-15 : 1e-6;
                    CHECK(lambda >= (double)t.block.own[r][i] - rounding);
                    CHECK(lambda <= (double)t.block.own[SN_ROWS + r][i] + rounding);
                }
            }
        }
    }
}

#if SN_LANES == 1

static double no_compliance(const sn_real *parameter, int row) {
    (void)parameter, (void)row;
    return 0;
}

/* What a type makes of its masses and bounds is what the loop reads. */
TEST(coefficients_lie_where_they_are_read) {
    toy t;
    make_toy(&t, 3);
    for (size_t i = 0; i < SN_BLOCK; i++) {
        sn_real w[2] = {t.block.w[0][i], 0}, own[SN_OWN], made[SN_COEFFICIENTS], value[SN_ROWS];
        sn_real parameter[SN_COMMON_PARAMETERS] = {0};
        const sn_constraint_type type = {.damping_time = 0};
        sn_derivation from = {
            .type = &type, .parameter = parameter, .w = w, .h = 0.01, .rate_h = 0.01, .relax = 1};
        for (int k = 0; k < SN_OWN; k++) own[k] = t.block.own[k][i];
        derive_block(&from, no_compliance, own, made);
        sn_real *to = t.block.w[0] + i;
        for (int k = 0; k < SN_COEFFICIENTS; k++) {
            CHECK(to[k * SN_BLOCK] == made[k]);
            to[k * SN_BLOCK] = made[k];
        }
        evaluate(&t.batch, i, value, NULL);
        problem p = problem_of(&t, i);
        for (int r = 0; r < SN_ROWS; r++) CHECK_NEAR(value[r], -p.y[r], 1e-6);
    }
}

#define SCALAR_TESTS , RUN(coefficients_lie_where_they_are_read)
#else
#define SCALAR_TESTS
#endif

TESTS(RUN(rows_are_solved_within_their_bounds), RUN(sums_of_multipliers_are_bounded) SCALAR_TESTS)
