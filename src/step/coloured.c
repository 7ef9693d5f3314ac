/*
 * Coloured Gauss-Seidel, the default solver.
 *
 * Types in the order of their list, and within a type colour after colour. The constraints of a
 * colour move no common node: lanes and threads share them in any way and the result is the same.
 * Between colours all threads meet. What has no colour is done one by one.
 */
#include "step/step.h"

enum { BLOCK = 16, BLOCKS_ALONE = 8 };

typedef struct sweep {
    sn_batch batch;
    sn_loop *loop;
    size_t count;
} sweep;

static void run_blocks(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    size_t last = end * BLOCK < s->count ? end * BLOCK : s->count;
    s->loop(&s->batch, begin * BLOCK, last);
}

/* One by one: a constraint with a list may be as much work as a thousand others. */
static void run_slots(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    s->loop(&s->batch, begin, end);
}

/* What has no colour, one by one. */
static void run_in_turn(const sweep *s, bool backwards) {
    if (!backwards) s->loop(&s->batch, 0, s->count);
    for (size_t i = s->count; backwards && i > 0; i--) s->loop(&s->batch, i - 1, i);
}

void sn_project_colour(sn_step *step, sn_store *store, uint8_t colour, bool first, bool backwards,
                       bool sum) {
    const sn_colour *c = &store->colour[colour];
    if (c->count == 0) return;
    sn_world *world = step->world;
    bool in_turn = colour == SN_SEQUENTIAL;
    const sn_loops *loops = store->type->loops[in_turn ? SN_WIDTH_1 : world->width];
    sweep s = {.batch = sn_step_batch(world, store, colour),
               .loop = loops->project[sn_step_softness(world, store)][store->kept],
               .count = c->count};
    s.batch.first = first;
    if (sum) {
        s.batch.out = world->jacobi.pulled;
        s.batch.turned = world->jacobi.turned;
    }
    if (in_turn)
        run_in_turn(&s, backwards);
    else if (store->type->info.list == SN_LIST_SURFACE)
        sn_team_run(world->team, s.count, 1, run_slots, &s);
    else
        sn_team_run(world->team, sn_colour_blocks(c), BLOCKS_ALONE, run_blocks, &s);
}

void sn_project_coloured(sn_step *step, int end, bool first, bool backwards) {
    sn_world *world = step->world;
    size_t stores = world->store_count;
    for (size_t i = 0; i < stores; i++) {
        sn_store *store = &world->store[backwards ? stores - 1 - i : i];
        for (int k = 0; k < end; k++) {
            int colour = backwards ? end - 1 - k : k;
            sn_project_colour(step, store, (uint8_t)colour, first, backwards, false);
        }
    }
}
