#include "step/colour_run.h"

enum { BLOCK = 16, BLOCKS_ALONE = 8 };

static void run_blocks(void *context, size_t begin, size_t end) {
    const sn_colour_work *r = context;
    r->range(r->what, begin * BLOCK, end * BLOCK < r->count ? end * BLOCK : r->count, false);
}

/* Who of a block takes part. */
static uint16_t block_mask(const sn_colour_work *r, size_t block) {
    unsigned mask = r->awake ? r->awake[block] : SN_AWAKE;
    return (uint16_t)(r->without ? mask & ~(unsigned)r->without[block] : mask);
}

static bool takes_part(const sn_colour_work *r, size_t i) {
    return block_mask(r, i / BLOCK) >> i % BLOCK & 1;
}

/* Those of a range that take part, run by run. */
static void run_some(const sn_colour_work *r, size_t begin, size_t end) {
    for (size_t i = begin; i < end;) {
        size_t first = i;
        while (i < end && takes_part(r, i)) i++;
        if (i > first) r->range(r->what, first, i, true);
        while (i < end && !takes_part(r, i)) i++;
    }
}

/* Blocks in which all take part as ever; of the others, some. */
static void run_blocks_of_some(void *context, size_t begin, size_t end) {
    sn_colour_work *r = context;
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
    const sn_colour_work *r = context;
    for (size_t i = begin; i < end; i++)
        if (takes_part(r, i)) r->range(r->what, i, i + 1, false);
}

/* What has no colour, one by one: a range of one item, which is all of it. */
static void run_in_turn(void *context, size_t begin, size_t end) {
    const sn_colour_work *r = context;
    (void)begin, (void)end;
    if (!r->backwards) run_some(r, 0, r->count);
    for (size_t i = r->count; r->backwards && i > 0; i--)
        if (takes_part(r, i - 1)) r->range(r->what, i - 1, i, true);
}

bool sn_colour_has_work(const sn_world *world, const sn_colour *colour) {
    return colour->count > 0 && (world->sleep.count == 0 || colour->awake_count > 0);
}

static bool is_heavy(const sn_store *store) {
    sn_list_kind list = store->type->info.list;
    return list == SN_LIST_SURFACE || list == SN_LIST_REGION || list == SN_LIST_PATH;
}

/* What a colour is divided into. */
static size_t items_of(const sn_store *store, uint8_t colour) {
    const sn_colour *c = &store->colour[colour];
    if (colour == SN_SEQUENTIAL) return c->count > 0;
    return is_heavy(store) ? c->count : sn_colour_blocks(c);
}

sn_colour_span sn_colour_part(const sn_store *store, uint8_t colour, size_t track, size_t tracks) {
    size_t items = items_of(store, colour), count = store->colour[colour].count;
    size_t begin = items * track / tracks, end = items * (track + 1) / tracks;
    size_t each = colour == SN_SEQUENTIAL ? count : is_heavy(store) ? 1 : BLOCK;
    return (sn_colour_span){begin * each, end * each < count ? end * each : count};
}

sn_flow_stage sn_colour_stage(const sn_world *world, const sn_store *store, uint8_t colour,
                              const uint16_t *without, sn_colour_work *work) {
    const sn_colour *c = &store->colour[colour];
    bool sleepy = world->sleep.count > 0 && c->awake_count < c->count;
    work->count = c->count;
    work->awake = sleepy ? c->awake : NULL;
    work->without = without;
    sn_range_function *function = sleepy || without ? run_blocks_of_some : run_blocks;
    if (is_heavy(store)) function = run_slots;
    if (colour == SN_SEQUENTIAL) function = run_in_turn;
    return (sn_flow_stage){function, work, items_of(store, colour), NULL};
}

void sn_colour_run(sn_world *world, const sn_store *store, uint8_t colour, bool backwards,
                   const uint16_t *without, sn_colour_range *range, const void *what) {
    sn_colour_work work = {.range = range, .what = what, .backwards = backwards};
    sn_flow_stage stage = sn_colour_stage(world, store, colour, without, &work);
    size_t alone = colour == SN_SEQUENTIAL ? 2 : is_heavy(store) ? 1 : BLOCKS_ALONE;
    if (world->scratch.tracks.count == 1 && !is_heavy(store)) alone = stage.count + 1;
    /* Where there are tracks, their parts of other sweeps are near the same cores as well. */
    if (stage.count >= BLOCKS_ALONE && !is_heavy(store))
        sn_tracks_run(&world->scratch.tracks, world->bindings.team, stage.count, alone,
                      stage.function, stage.context);
    else
        sn_team_run(world->bindings.team, stage.count, alone, stage.function, stage.context);
}
