/*
 * A length that changes: from substep to substep by the same amount, so that what hangs on a rope
 * is lifted at a speed, and not thrown once a step.
 *
 * What is asked for between two steps happens in the next. Constraints say what becomes of their
 * parameters (`scale_length`), and have their coefficients made anew.
 */
#include "state/serialize.h"
#include "state/system.h"
#include "step/step.h"
#include "step/winch.h"

#include <stddef.h>

typedef void visitor(void *context, sn_store *store, sn_place place, uint32_t body);

/* All constraints with a length; they belong to the body of their first node. */
static void visit(const sn_world *world, visitor *see, void *context) {
    for (size_t s = 0; s < world->store_count; s++) {
        sn_store *store = &world->store[s];
        if (!store->type->scale_length) continue;
        for (uint8_t c = 0; c < SN_COLOURS; c++)
            for (uint32_t i = 0; i < store->colour[c].count; i++) {
                sn_place place = {c, i};
                int32_t node = sn_member(sn_store_members(store, place), 0);
                see(context, store, place, world->nodes.body[node]);
            }
    }
}

typedef struct counting {
    uint32_t body;
    size_t count;
} counting;

static void count_one(void *context, sn_store *store, sn_place place, uint32_t body) {
    counting *c = context;
    (void)store, (void)place;
    c->count += body == c->body;
}

size_t sn_winch_count_lines(const sn_world *world, uint32_t body) {
    counting c = {body, 0};
    visit(world, count_one, &c);
    return c.count;
}

static sn_winch *find(const sn_world *world, uint32_t body) {
    const sn_winches *all = sn_winches_of(world);
    for (size_t i = 0; i < all->count; i++)
        if (all->winch[i].body == body &&
            all->winch[i].generation == world->bodies.slots.generation[body - 1])
            return &all->winch[i];
    return NULL;
}

bool sn_winch_add(sn_world *world, uint32_t body, double factor) {
    sn_winches *all = sn_winches_of(world);
    sn_winch *there = find(world, body);
    if (there) {
        there->factor *= factor;
        return true;
    }
    if (!sn_reserve(&world->memory, (void **)&all->winch, &all->capacity, all->count + 1,
                    sizeof *all->winch))
        return false;
    all->winch[all->count++] = (sn_winch){body, world->bodies.slots.generation[body - 1], factor};
    return true;
}

/* ---- The step ---- */

static bool is_needed(const sn_world *world) {
    return sn_winches_of(world)->count > 0;
}

static void scale_one(void *context, sn_store *store, sn_place place, uint32_t body) {
    const sn_step *step = context;
    const sn_winch *winch = body ? find(step->world, body) : NULL;
    if (!winch) return;
    sn_substep at = sn_step_substep(step);
    double more = winch->factor - 1, ratio = (1 + more * at.will) / (1 + more * at.done);
    store->type->scale_length(sn_store_parameters(store, place), ratio);
    sn_store_derive(store, place, sn_step_masses(step, store, place.colour), &step->world->scale);
}

static void wind(sn_step *step) {
    visit(step->world, scale_one, step);
}

static void finish(sn_step *step) {
    sn_winches_of(step->world)->count = 0;
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_MOVE, SN_RANK_LENGTHS, "change lengths", SN_TIMER(predict), is_needed, wind,
     .reads = SN_STATE_PARAMETERS, .writes = SN_STATE_PARAMETERS},
    {SN_STAGE_END, SN_RANK_MOTION, "lengths are there", SN_TIMER(update), is_needed, finish,
     .writes = SN_STATE_PARAMETERS},
};

/* ---- Snapshots ---- */

/* Bodies that are there, and factors that are some. */
static void check_read(const sn_world *world, sn_archive *a) {
    sn_winches *all = sn_winches_of(world);
    const sn_slots *bodies = &world->bodies.slots;
    for (size_t i = 0; i < all->count && a->result == SN_OK; i++) {
        sn_winch *w = &all->winch[i];
        if (w->body == 0 || w->body > bodies->count || !bodies->alive[w->body - 1])
            sn_archive_fail(a, "body %u, whose length changes, is not there", w->body);
        else if (!(w->factor > 0 && w->factor <= (double)SN_REAL_MAX))
            sn_archive_fail(a, "the length of body %u has a factor that is none", w->body);
        else
            w->generation = bodies->generation[w->body - 1];
    }
}

static void serialize(sn_world *world, sn_archive *a) {
    static const sn_waiting_member member[] = {
        {"body", SN_ARCHIVE_U32, offsetof(sn_winch, body)},
        {"factor", SN_ARCHIVE_F64, offsetof(sn_winch, factor)},
    };
    sn_winches *all = sn_winches_of(world);
    const sn_waiting_list list = {
        .section = "winch",
        .array = (void **)&all->winch,
        .count = &all->count,
        .capacity = &all->capacity,
        .element = sizeof *all->winch,
        .most = world->bodies.slots.count,
        .member = member,
        .members = sizeof member / sizeof *member,
        .check = check_read,
    };
    sn_serialize_waiting(world, a, &list);
}

static void release(void *state, sn_memory *memory) {
    sn_winches *all = state;
    sn_free(memory, all->winch, all->capacity, sizeof *all->winch);
}

const sn_system sn_winch_system = {
    .name = "winch",
    .size = sizeof(sn_winches),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .free = release,
    .serialize = serialize,
};
