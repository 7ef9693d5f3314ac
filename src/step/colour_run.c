#include "step/colour_run.h"

enum { BLOCK = 16, BLOCKS_ALONE = 8 };

typedef struct run {
    sn_colour_range *range;
    const void *what;
    size_t count;
    const uint16_t *awake;   /* per block, where bodies sleep; null otherwise */
    const uint16_t *without; /* per block, what is left out; null for nothing */
} run;

static void run_blocks(void *context, size_t begin, size_t end) {
    const run *r = context;
    r->range(r->what, begin * BLOCK, end * BLOCK < r->count ? end * BLOCK : r->count, false);
}

/* Who of a block takes part. */
static uint16_t block_mask(const run *r, size_t block) {
    unsigned mask = r->awake ? r->awake[block] : SN_AWAKE;
    return (uint16_t)(r->without ? mask & ~(unsigned)r->without[block] : mask);
}

static bool takes_part(const run *r, size_t i) {
    return block_mask(r, i / BLOCK) >> i % BLOCK & 1;
}

/* Those of a range that take part, run by run. */
static void run_some(const run *r, size_t begin, size_t end) {
    for (size_t i = begin; i < end;) {
        size_t first = i;
        while (i < end && takes_part(r, i)) i++;
        if (i > first) r->range(r->what, first, i, true);
        while (i < end && !takes_part(r, i)) i++;
    }
}

/* Blocks in which all take part as ever; of the others, some. */
static void run_blocks_of_some(void *context, size_t begin, size_t end) {
    run *r = context;
    for (size_t block = begin; block < end;) {
        size_t first = block;
        while (block < end && block_mask(r, block) == SN_AWAKE) block++;
        if (block > first) run_blocks(r, first, block);
        for (; block < end && block_mask(r, block) != SN_AWAKE; block++) {
            size_t last = (block + 1) * BLOCK < r->count ? (block + 1) * BLOCK : r->count;
            if (block_mask(r, block)) run_some(r, block * BLOCK, last);
        }
    }
}

/* One by one: a constraint with a list may be as much work as a thousand others. */
static void run_slots(void *context, size_t begin, size_t end) {
    const run *r = context;
    for (size_t i = begin; i < end; i++)
        if (takes_part(r, i)) r->range(r->what, i, i + 1, false);
}

/* What has no colour, one by one. */
static void run_in_turn(const run *r, bool backwards) {
    if (!backwards) run_some(r, 0, r->count);
    for (size_t i = r->count; backwards && i > 0; i--)
        if (takes_part(r, i - 1)) r->range(r->what, i - 1, i, true);
}

bool sn_colour_has_work(const sn_world *world, const sn_colour *colour) {
    return colour->count > 0 && (world->sleep.count == 0 || colour->awake_count > 0);
}

void sn_colour_run(sn_world *world, const sn_store *store, uint8_t colour, bool backwards,
                   const uint16_t *without, sn_colour_range *range, const void *what) {
    const sn_colour *c = &store->colour[colour];
    bool sleepy = world->sleep.count > 0 && c->awake_count < c->count;
    run r = {range, what, c->count, sleepy ? c->awake : NULL, without};
    if (colour == SN_SEQUENTIAL)
        run_in_turn(&r, backwards);
    else if (store->type->info.list == SN_LIST_SURFACE || store->type->info.list == SN_LIST_REGION)
        sn_team_run(world->bindings.team, r.count, 1, run_slots, &r);
    else
        sn_team_run(world->bindings.team, sn_colour_blocks(c), BLOCKS_ALONE,
                    sleepy || without ? run_blocks_of_some : run_blocks, &r);
}
