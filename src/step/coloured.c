/*
 * Coloured Gauss-Seidel, the default solver.
 *
 * Types in the order of their list, and within a type colour after colour. The constraints of a
 * colour move no common node: lanes and threads share them in any way and the result is the same.
 * Between colours all threads meet. What has no colour is done one by one.
 */
#include "step/step.h"

enum { BLOCK = 16, BLOCKS_ALONE = 32 };

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

void sn_project_coloured(sn_step *step, bool first) {
    sn_world *world = step->world;
    for (size_t i = 0; i < world->store_count; i++) {
        sn_store *store = &world->store[i];
        sn_softness softness = sn_step_softness(world, store);
        sweep s = {.loop = store->type->loops[world->width]->project[softness][store->kept]};
        for (uint8_t c = 0; c < store->colours; c++) {
            s.batch = sn_store_batch(store, &world->nodes, c);
            s.batch.first = first;
            s.count = store->colour[c].count;
            sn_team_run(world->team, sn_colour_blocks(&store->colour[c]), BLOCKS_ALONE, run_blocks,
                        &s);
        }
        if (store->colour[SN_SEQUENTIAL].count == 0) continue;
        s.batch = sn_store_batch(store, &world->nodes, SN_SEQUENTIAL);
        s.batch.first = first;
        store->type->loops[SN_WIDTH_1]->project[softness][store->kept](
            &s.batch, 0, store->colour[SN_SEQUENTIAL].count);
    }
}
