/*
 * Bounds of the rows of a linear constraint, once per SIMD width: the loop that linear.inl makes of
 * a type with SN_BOUNDED, whose rows do not know each other.
 */
#define SN_TYPE bounded_line
#define SN_NODES 2
#define SN_MOVED 1
#define SN_OFFSET 0
#define SN_BOUNDED 1
#include "constraints/formula.h"

#include "check.h"

#include <math.h>
#include <string.h>

extern const sn_loops SN_LOOPS(SN_TYPE, SN_LANES);
#include "constraints/linear.inl"

/* ---- A block of 16, each on a node of its own and the origin ---- */

typedef struct toy {
    block block;
    sn_v4 sum[SN_BLOCK];
    sn_real soft[SN_SOFT_ROWS * SN_BLOCK];
    _Alignas(64) sn_vec4 x[2 * SN_BLOCK], d[2 * SN_BLOCK], p[2 * SN_BLOCK];
    sn_batch batch;
} toy;

static double pick(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

/* C = -d_0: the pivot is one over the inverse mass, and a free row is corrected by all of C. */
static void make_toy(toy *t, uint32_t seed) {
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < SN_BLOCK; i++) {
        t->block.node[0][i] = (int32_t)i * SN_NODE_BYTES;
        t->block.node[1][i] = (int32_t)(SN_BLOCK + i) * SN_NODE_BYTES;
        t->block.c[0][i] = 1;
        t->block.wc[0][i] = -1;
        t->d[i] = (sn_vec4){(sn_real)pick(&seed), (sn_real)pick(&seed), (sn_real)pick(&seed), 0};
        t->p[i] = (sn_vec4){(sn_real)pick(&seed), (sn_real)pick(&seed), (sn_real)pick(&seed), 0};
        for (int r = 0; r < 3; r++) {
            /* Limits of either side, motors, and rows without bounds. */
            double strength = 0.3 + 0.3 * pick(&seed), kind = pick(&seed);
            t->block.least[r][i] = kind < -0.3 ? 0 : kind < 0.3 ? (sn_real)-strength : -SN_INFINITY;
            t->block.most[r][i] = kind > 0.7                  ? 0
                                  : kind < 0.3 && kind > -0.3 ? (sn_real)strength
                                                              : SN_INFINITY;
        }
    }
    t->batch = (sn_batch){.x = t->x,
                          .d = t->d,
                          .out = t->d,
                          .p = t->p,
                          .block = &t->block,
                          .lambda = (sn_real *)t->sum,
                          .soft = t->soft,
                          .first = true};
}

static void project(toy *t, sn_softness softness) {
    SN_LOOPS(SN_TYPE, SN_LANES).project[softness][1](&t->batch, 0, SN_BLOCK);
}

static sn_real component(sn_vec4 a, int r) {
    return r == 0 ? a.x : r == 1 ? a.y : a.z;
}

/* Rows do not know each other: each is its own error, or exactly its bound. */
TEST(a_row_at_its_limit_has_exactly_its_bound) {
    size_t held = 0;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        toy t, before;
        make_toy(&t, seed);
        memcpy(&before, &t, sizeof t);
        project(&t, seed % 2 ? SN_HARD : SN_COMPLIANT);
        for (size_t i = 0; i < SN_BLOCK; i++)
            for (int r = 0; r < 3; r++) {
                sn_real error = -component(before.d[i], r), least = t.block.least[r][i];
                sn_real most = t.block.most[r][i], sum = t.sum[i][r];
                check_case("seed %u, constraint %zu, row %d", seed, i, r);
                CHECK(sum == (error < least ? least : error > most ? most : error));
                CHECK(component(t.d[i], r) == component(before.d[i], r) + sum);
                held += sum != error;
            }
    }
    CHECK(held > 500);
}

/* Sweep after sweep, what is kept is what is bounded. */
TEST(sums_are_bounded) {
    for (uint32_t seed = 1; seed <= 50; seed++) {
        toy t;
        make_toy(&t, seed);
        for (int sweep = 0; sweep < 4; sweep++) {
            project(&t, SN_COMPLIANT);
            t.batch.first = false;
            for (size_t i = 0; i < SN_BLOCK; i++) {
                t.d[i].x += (sn_real)0.1; /* as another constraint might */
                for (int r = 0; r < 3; r++) {
                    double sum = (double)t.sum[i][r],
                           rounding = sizeof(sn_real) == 8 ? 1e-15 : 1e-6;
                    check_case("seed %u, sweep %d, constraint %zu", seed, sweep, i);
                    CHECK(sum >= (double)t.block.least[r][i] - rounding);
                    CHECK(sum <= (double)t.block.most[r][i] + rounding);
                }
            }
        }
    }
}

#if SN_LANES == 1

/* Multipliers are -pivot times the sum: but for the rounding of that product they are the bounds
   that a type has given. */
TEST(bounds_are_those_of_multipliers) {
    const sn_real c[SN_NODES] = {-1, 1}, w[2] = {SN_R(0.7), 0};
    const sn_real least[3] = {SN_R(-0.2), 0, -SN_INFINITY}, most[3] = {SN_R(0.3), SN_R(0.1), 0};
    const sn_derivation from = {.w = w, .relax = 1, .alpha = SN_R(0.25)};
    sn_real made[SN_COEFFICIENTS], pivot = derive_linear(&from, c, NULL, made), value[3];
    derive_bounds(least, most, pivot, made);
    toy t;
    make_toy(&t, 1);
    for (size_t i = 0; i < SN_BLOCK; i++) {
        sn_real *to = t.block.c[0] + i;
        for (int k = 0; k < SN_COEFFICIENTS; k++) to[k * SN_BLOCK] = made[k];
        t.soft[SN_SOFT_ALPHA * SN_BLOCK + i] = from.alpha * pivot;
        evaluate(&t.batch, i, value, NULL);
        for (int r = 0; r < 3; r++) CHECK(value[r] == -component(t.d[i], r));
    }
    project(&t, SN_COMPLIANT);
    size_t held = 0;
    for (size_t i = 0; i < SN_BLOCK; i++)
        for (int r = 0; r < 3; r++) {
            double lambda = -(double)(pivot * t.sum[i][r]),
                   near = sizeof(sn_real) == 8 ? 1e-16 : 3e-8;
            double low = (double)least[r], high = (double)most[r];
            CHECK(lambda >= low - near && lambda <= high + near);
            held += fabs(lambda - low) <= near || fabs(lambda - high) <= near;
        }
    CHECK(held > 10);
}

#define SCALAR_TESTS , RUN(bounds_are_those_of_multipliers)
#else
#define SCALAR_TESTS
#endif

TESTS(RUN(a_row_at_its_limit_has_exactly_its_bound), RUN(sums_are_bounded) SCALAR_TESTS)
