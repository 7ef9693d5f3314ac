/*
 * Coloured Gauss-Seidel, the default solver.
 *
 * Types in the order of their list, and within a type colour after colour. The constraints of a
 * colour move no common node: lanes and threads share them in any way and the result is the same.
 * Between colours all threads meet. What has no colour is done one by one. Stores of another rank
 * have their own turn, with the other solvers as well.
 */
#include "step/offload.h"
#include "step/solvers/solver.h"

enum { BLOCK = 16, BLOCKS_ALONE = 8 };

typedef struct sweep {
    sn_batch batch;
    sn_loop *loop, *single; /* for whole blocks, and for any range */
    size_t count;
    const sn_colour *sleepy; /* where bodies sleep; null otherwise */
} sweep;

static void run_blocks(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    size_t last = end * BLOCK < s->count ? end * BLOCK : s->count;
    s->loop(&s->batch, begin * BLOCK, last);
}

static bool is_awake(const sweep *s, size_t i) {
    return !s->sleepy || sn_colour_is_awake(s->sleepy, i);
}

/* Those of a range that are awake, run by run. */
static void run_awake(const sweep *s, size_t begin, size_t end) {
    for (size_t i = begin; i < end;) {
        size_t first = i;
        while (i < end && is_awake(s, i)) i++;
        if (i > first) s->single(&s->batch, first, i);
        while (i < end && !is_awake(s, i)) i++;
    }
}

/* Blocks in which all are awake as ever; of the others, some. */
static void run_sleepy_blocks(void *context, size_t begin, size_t end) {
    sweep *s = context;
    const uint16_t *awake = s->sleepy->awake;
    for (size_t block = begin; block < end;) {
        size_t first = block;
        while (block < end && awake[block] == SN_AWAKE) block++;
        if (block > first) run_blocks(s, first, block);
        for (; block < end && awake[block] != SN_AWAKE; block++) {
            size_t last = (block + 1) * BLOCK < s->count ? (block + 1) * BLOCK : s->count;
            if (awake[block]) run_awake(s, block * BLOCK, last);
        }
    }
}

/* One by one: a constraint with a list may be as much work as a thousand others. */
static void run_slots(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    for (size_t i = begin; i < end; i++)
        if (is_awake(s, i)) s->loop(&s->batch, i, i + 1);
}

/* What has no colour, one by one. */
static void run_in_turn(const sweep *s, bool backwards) {
    if (!backwards) run_awake(s, 0, s->count);
    for (size_t i = s->count; backwards && i > 0; i--)
        if (is_awake(s, i - 1)) s->loop(&s->batch, i - 1, i);
}

void sn_project_colour(sn_step *step, sn_store *store, uint8_t colour, bool first, bool backwards,
                       bool sum) {
    const sn_colour *c = &store->colour[colour];
    sn_world *world = step->world;
    bool sleepy = world->sleep.count > 0;
    if (c->count == 0 || (sleepy && c->awake_count == 0)) return;
    if (sn_offload_colour(step, store, colour, first)) return;
    bool in_turn = colour == SN_SEQUENTIAL;
    const sn_loops *loops = store->type->loops[in_turn ? SN_WIDTH_1 : world->bindings.width];
    sn_softness softness = sn_step_softness(world, store);
    sweep s = {.batch = sn_step_batch(world, store, colour),
               .loop = loops->project[softness][store->kept],
               .single = store->type->loops[SN_WIDTH_1]->project[softness][store->kept],
               .count = c->count,
               .sleepy = sleepy && c->awake_count < c->count ? c : NULL};
    s.batch.first = first;
    if (sum) {
        s.batch.out = world->scratch.jacobi.pulled;
        s.batch.turned = world->scratch.jacobi.turned;
    }
    if (in_turn)
        run_in_turn(&s, backwards);
    else if (store->type->info.list >= SN_LIST_SURFACE)
        sn_team_run(world->bindings.team, s.count, 1, run_slots, &s);
    else
        sn_team_run(world->bindings.team, sn_colour_blocks(c), BLOCKS_ALONE,
                    s.sleepy ? run_sleepy_blocks : run_blocks, &s);
}

void sn_project_coloured(sn_step *step, int end, bool first, bool backwards) {
    sn_world *world = step->world;
    size_t stores = world->store_count;
    for (size_t i = 0; i < stores; i++) {
        sn_store *store = &world->store[backwards ? stores - 1 - i : i];
        if (sn_store_rank(store) != SN_RANK_CONSTRAINTS) continue;
        for (int k = 0; k < end; k++) {
            int colour = backwards ? end - 1 - k : k;
            sn_project_colour(step, store, (uint8_t)colour, first, backwards, false);
        }
    }
}

static void sweep_all(sn_step *step, bool first, bool backwards) {
    sn_project_coloured(step, SN_COLOURS, first, backwards);
}

const sn_solver_type sn_solver_coloured = {.sweep = sweep_all, .offloads = true};

void sn_project_rank(sn_step *step, int rank, bool first) {
    sn_world *world = step->world;
    for (size_t i = 0; i < world->store_count; i++) {
        sn_store *store = &world->store[i];
        if (sn_store_rank(store) != rank || store->count == 0) continue;
        for (int colour = 0; colour < SN_COLOURS; colour++)
            sn_project_colour(step, store, (uint8_t)colour, first, false, false);
    }
}
