/*
 * Forces of steps in short substeps, in single precision.
 *
 * The multiplier of one substep has the rounding of a length in it, m ulp / h^2 as a force: for
 * 1 kg on 1 m, 0.1 N at 1/1200 s, but 10 N at 0.1 ms. What one substep has too much the next ones
 * have too little, since places are rounded and multipliers are what velocities change by: second
 * differences of that rounding. They cancel in a sum whose weights begin and end with zero. The
 * force that is told is such a sum, which is exact at the end of the step for all that grows
 * evenly: with k of n substeps,
 *
 *   lambda = sum_k 12 k (n + 1 - k) (5 k - 2 n - 1) / (n (n + 1) (n + 2) (n + 3)) lambda_k
 *
 * Only who asks after the step sees it: what breaks, tears or yields goes by the substeps
 * themselves, as it does where a backend has the multipliers.
 */
#include "step/step.h"

#include "math/vector.h"

#include <string.h>

enum { BLOCK = 16, BLOCKS_ALONE = 64 };

/* s: the substeps that need it, of joints, which are few and hold what is heavy, and of all others;
   and the time that is looked back on. */
#define SHORT_OF_JOINTS 1.5e-3
#define SHORT 5e-4
#define SPAN (1.0 / 60)

static bool is_short(const sn_step *step, const sn_store *store) {
    bool joint = store->type->joins && store->type->info.frames > 0;
    return step->h < (joint ? SHORT_OF_JOINTS : SHORT);
}

bool sn_fit_forces_is_needed(const sn_step *step) {
    const sn_world *world = step->world;
    bool needed = false;
    if (sizeof(sn_real) > sizeof(float) || step->substeps == 1 || step->backend) return false;
    for (size_t s = 0; s < world->store_count && !needed; s++)
        needed = world->store[s].count > 0 && is_short(step, &world->store[s]);
    return needed;
}

/* Not what the next substep begins with. */
static bool is_fitted(const sn_step *step, const sn_store *store) {
    return store->count > 0 && is_short(step, store) && store->trait[SN_TRAIT_REMEMBERING] == 0 &&
           sn_step_keeps(step->world, store);
}

static size_t numbers_of(const sn_store *store, int colour) {
    return sn_colour_blocks(&store->colour[colour]) * BLOCK *
           (sn_lambda_bytes(store->type) / sizeof(sn_real));
}

static size_t all_numbers(const sn_step *step) {
    const sn_world *world = step->world;
    size_t all = 0;
    for (size_t s = 0; s < world->store_count; s++)
        for (int c = 0; is_fitted(step, &world->store[s]) && c < SN_COLOURS; c++)
            all += numbers_of(&world->store[s], c);
    return all;
}

bool sn_fit_forces_reserve(sn_step *step) {
    sn_world *world = step->world;
    if (!sn_fit_forces_is_needed(step)) return true;
    return sn_reserve(&world->memory, (void **)&world->scratch.fitted,
                      &world->scratch.fitted_capacity, all_numbers(step),
                      sizeof *world->scratch.fitted);
}

typedef struct fit {
    sn_real *sum, *lambda;
    sn_real weight;
    bool first, ends;
} fit;

static void add_range(void *context, size_t begin, size_t end) {
    /* A copy, of which the compiler knows that writing sums does not change it. */
    const fit f = *(const fit *)context;
    const sn_v4 zero = {0};
    for (size_t block = begin; block < end; block++) {
        sn_v4 *sum = (sn_v4 *)(f.sum + block * BLOCK);
        const sn_v4 *lambda = (const sn_v4 *)(f.lambda + block * BLOCK);
        for (int i = 0; i < BLOCK / 4; i++) {
            sn_v4 before = zero;
            if (!f.first) before = sum[i];
            sum[i] = before + f.weight * lambda[i];
        }
    }
}

bool sn_fit_forces_needs(const sn_step *step, const sn_store *store) {
    return sn_fit_forces_is_needed(step) && is_short(step, store);
}

/* Of what has a side, integrators that remember ask whether it was hit (impacts.c). */
static bool is_asked(const sn_step *step, const sn_store *store, sn_place place) {
    if (!step->remembers || store->trait[SN_TRAIT_SIDED] == 0) return false;
    if (!store->type->bounded)
        return sn_store_parameters(store, place)[SN_PARAMETER_SIDE] != (sn_real)SN_SIDE_BOTH;
    sn_batch batch = sn_step_batch(step->world, store, place.colour);
    return store->type->one_sided && store->type->one_sided(&batch, place.position) != 0;
}

static void tell(const sn_step *step, const fit *f, const sn_store *store, uint8_t colour) {
    size_t rows = sn_lambda_bytes(store->type) / sizeof(sn_real);
    for (uint32_t i = 0; i < store->colour[colour].count; i++)
        if (!is_asked(step, store, (sn_place){colour, i}))
            memcpy(f->lambda + i * rows, f->sum + i * rows, rows * sizeof *f->sum);
}

static void run_all(const sn_step *step, fit f) {
    sn_world *world = step->world;
    f.sum = world->scratch.fitted;
    for (size_t s = 0; s < world->store_count; s++) {
        if (!is_fitted(step, &world->store[s])) continue;
        for (int c = 0; c < SN_COLOURS; c++) {
            size_t numbers = numbers_of(&world->store[s], c);
            if (numbers == 0) continue;
            f.lambda = world->store[s].colour[c].lambda;
            if (f.ends) /* when the threads have gone */
                tell(step, &f, &world->store[s], (uint8_t)c);
            else
                sn_team_run(world->bindings.team, numbers / BLOCK, BLOCKS_ALONE, add_range, &f);
            f.sum += numbers;
        }
    }
}

void sn_fit_forces_add(sn_step *step) {
    if (!sn_fit_forces_is_needed(step)) return;
    size_t most = (size_t)(SPAN / step->h) + 1, n = most < step->substeps ? most : step->substeps;
    if (step->substep + n < step->substeps) return;
    double k = (double)(step->substep + n - step->substeps + 1), of = (double)n;
    if (k == 1) step->fitted = all_numbers(step);
    run_all(step, (fit){.weight = (sn_real)(12 * k * (of + 1 - k) * (5 * k - 2 * of - 1) /
                                            (of * (of + 1) * (of + 2) * (of + 3))),
                        .first = k == 1});
}

/* What came or went has moved others. */
void sn_fit_forces_end(sn_step *step) {
    const sn_world *world = step->world;
    if (sn_fit_forces_is_needed(step) && world->output.breaks == 0 &&
        all_numbers(step) == step->fitted)
        run_all(step, (fit){.ends = true});
}
