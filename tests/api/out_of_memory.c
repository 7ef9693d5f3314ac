/*
 * Every block that a run asks for is refused in its turn: that one alone, or all from there on
 * until the call has failed. The call says so and changes nothing, neither the hash nor a byte of a
 * snapshot. Made again with memory, it and all that follows give the run that had memory all along.
 */
#include <string.h>

#include "acts.h"
#include "base/meter.h"
#include "check.h"

enum { MOST_ACTS = 32, MOST_BLOCKS = 4000 };

static meter m;

/* What the run without a shortage comes to, act by act. */
typedef struct course {
    uint64_t hash[MOST_ACTS];
    size_t blocks;
} course;

typedef struct copy {
    uint64_t hash;
    size_t size;
    unsigned char bytes[ACT_BYTES];
} copy;

/* Saving takes no memory, so this may be done during a shortage. */
static void take_copy(const sn_world *world, copy *c) {
    c->hash = world ? sn_world_hash(world) : 0;
    c->size = 0;
    if (world) REQUIRE_OK(sn_snapshot_save(world, c->bytes, sizeof c->bytes, &c->size));
}

static void check_same(const sn_world *world, const copy *before) {
    static copy after;
    take_copy(world, &after);
    CHECK(after.hash == before->hash);
    CHECK(after.size == before->size && memcmp(after.bytes, before->bytes, after.size) == 0);
}

/* An act during the shortage, twice, and after it; the first may have had all it needed. False
   where it did without. */
static bool act_in_need(act *do_it, troupe *t, bool frugal) {
    static copy before;
    take_copy(t->world, &before);
    sn_result result = do_it(t);
    if (m.failures == 0) {
        CHECK_OK(result);
        return true;
    }
    if (frugal && result == SN_OK) {
        m.fail_after = METER_NEVER;
        return false;
    }
    CHECK_FAILS(result, SN_ERROR_MEMORY);
    check_same(t->world, &before);
    if (!m.once) {
        CHECK_FAILS(do_it(t), SN_ERROR_MEMORY);
        check_same(t->world, &before);
    }
    m.fail_after = METER_NEVER;
    CHECK_OK(do_it(t));
    return true;
}

/* Goes through the acts with the block of this number refused; whether it was asked for. */
static bool go_through(const act_list *list, size_t block, bool once, course *c) {
    static troupe t;
    memset(&t, 0, sizeof t);
    meter_init(&m);
    act_def = sn_world_def_default();
    act_def.allocator = meter_allocator(&m);
    act_def.threads = list->threads;
    act_def.settings.substeps = 2;
    act_def.settings.iterations = 2;
    act_def.settings.hybrid_colours = 2;
    act_def.settings.split_colours = 2;
    m.fail_after = block;
    m.once = once;
    bool same = true;
    for (size_t i = 0; i < list->count; i++) {
        check_case("%s, act %zu, block %zd %s", list->name, i, (ptrdiff_t)block,
                   once ? "alone" : "and all after it");
        if (m.failures == 0)
            same = act_in_need(list->acts[i], &t, list->frugal);
        else
            CHECK_OK(list->acts[i](&t));
        uint64_t hash = sn_world_hash(t.world);
        if (block == METER_NEVER) c->hash[i] = hash;
        CHECK(hash == c->hash[i] || !same);
    }
    sn_world_destroy(t.world);
    CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
    return m.failures > 0;
}

static void run_short(const act_list *list) {
    static course c;
    if (!CHECK(list->count <= MOST_ACTS)) return;
    go_through(list, METER_NEVER, false, &c);
    for (int once = 0; once < 2; once++) {
        size_t block = 0;
        /* One that fails alone is the harder case: what follows goes on. */
        while (block < MOST_BLOCKS && go_through(list, block, once, &c))
            block += check_long() ? 1 : check_sample() ? 41 : once ? 5 : 11;
        /* A world alone takes some; what is built in it takes many more. */
        CHECK(block > 40 && block < MOST_BLOCKS);
    }
}

#define SHORTAGE(name, threads, frugal)                                                            \
    TEST(name) {                                                                                   \
        run_short(&act_lists[ACTS_##name]);                                                        \
    }
ACT_LISTS(SHORTAGE)

#define SHORTAGE_ENTRY(name, threads, frugal) RUN(name),
TESTS(ACT_LISTS(SHORTAGE_ENTRY))
