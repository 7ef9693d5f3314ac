/* The public calls on doughs. */
#include "api/call.h"
#include "api/check.h"
#include "systems/dough/doughs.h"

#include <string.h>

#define ID SN_ID_AS(sn_dough, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "dough_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_dough_object,                \
         sn_dough_create(world, call->def, &(sn_dough){0}))                                        \
    CALL(DESTROY, "dough_destroy", SN_PART_ID, 0, NULL, sn_dough_destroy(world, ID))               \
    CALL(SET, "dough_set", SN_PART_ID | SN_PART_DEF, 0, &sn_dough_object,                          \
         sn_dough_set(world, ID, call->def))
SN_DEFINE_CALLS(dough, CALLS, .next = NULL)

static sn_result check_dough(const sn_world *world, sn_dough dough) {
    return sn_slots_check(&sn_doughs_of(world)->slots, SN_ID(dough), world->tag, "dough");
}

/* None may be in a dough already. */
static sn_result check_free(const sn_world *world, const sn_dough_state *d) {
    const sn_doughs *all = sn_doughs_of(world);
    for (size_t i = 0; i < d->nodes; i++)
        for (size_t j = 0; j < all->slots.count; j++)
            for (size_t k = 0; all->slots.alive[j] && k < all->state[j].nodes; k++)
                if (all->state[j].node[k].slot == d->node[i].slot)
                    return sn_fail(SN_ERROR_VALUE,
                                   "dough: node %zu of %zu is in a dough already, expected one "
                                   "that is in none",
                                   i, d->nodes);
    return SN_OK;
}

/* The mean mass of those that can move. */
static sn_result find_mass(const sn_world *world, sn_dough_state *d, size_t count) {
    double mass = 0, moving = 0;
    for (size_t i = 0; i < count; i++) {
        double own = sn_dough_mass(world, d, i);
        mass += own;
        moving += own > 0;
    }
    if (!(moving > 0))
        return sn_fail(SN_ERROR_VALUE,
                       "dough: all %zu nodes are kinematic, expected some that move", count);
    d->mass = mass / moving;
    return SN_OK;
}

static sn_result fill(sn_world *world, sn_dough_state *d, const sn_dough_def *def) {
    sn_memory *memory = &world->memory;
    if (!sn_dough_reserve(d, memory, def->node_count)) return SN_ERROR_MEMORY;
    memcpy(d->node, def->nodes, def->node_count * sizeof *d->node);
    SN_TRY(check_free(world, d));
    SN_TRY(find_mass(world, d, def->node_count - def->waiting));
    return sn_dough_reserve_scratch(d, memory) ? SN_OK : SN_ERROR_MEMORY;
}

static void wake_members(sn_world *world, const sn_dough_state *d) {
    world->sleep.joints_changed = world->scratch.masses_changed = true;
    for (size_t i = 0; i < d->nodes; i++) sn_world_wake_node(world, d->node[i].slot - 1);
}

sn_result sn_dough_create(sn_world *world, const sn_dough_def *def, sn_dough *dough) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(dough);
    SN_TRY(sn_object_check(&sn_dough_object, def));
    SN_TRY(sn_object_check_arrays(&sn_dough_object, def));
    SN_TRY(sn_check_members(world, "dough", def->nodes, def->node_count));
    if (def->waiting >= def->node_count)
        return sn_fail(SN_ERROR_VALUE, "dough: waiting is %u of %zu nodes, expected fewer",
                       def->waiting, def->node_count);
    sn_doughs *all = sn_doughs_of(world);
    sn_dough_state d = {.def = *def};
    sn_object_forget_arrays(&sn_dough_object, &d.def);
    sn_result result = sn_doughs_reserve(all, &world->memory) ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = fill(world, &d, def);
    if (result != SN_OK) {
        sn_dough_free(&d, &world->memory);
        return result;
    }
    for (size_t i = def->node_count - def->waiting; i < d.nodes; i++) {
        sn_dough_park(world, &d, i);
        sn_world_restart_body(world, world->nodes.body[d.node[i].slot - 1]);
    }
    sn_dough_recluster(world, &d);
    uint32_t index = sn_slots_take(&all->slots);
    all->state[index] = d;
    wake_members(world, &d);
    *dough = (sn_dough){index + 1, all->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_dough_destroy(sn_world *world, sn_dough dough) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_dough(world, dough));
    wake_members(world, &sn_doughs_of(world)->state[dough.slot - 1]);
    sn_doughs_remove(sn_doughs_of(world), &world->memory, dough.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(dough));
    return SN_OK;
}

bool sn_dough_is_valid(const sn_world *world, sn_dough dough) {
    return world && sn_slots_has(&sn_doughs_of(world)->slots, SN_ID(dough), world->tag);
}

sn_result sn_dough_set(sn_world *world, sn_dough dough, const sn_dough_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_dough(world, dough));
    SN_TRY(sn_object_check(&sn_dough_object, def));
    SN_RECORD(world, SET, .id = SN_ID(dough), .def = def);
    sn_dough_state *d = &sn_doughs_of(world)->state[dough.slot - 1];
    d->def = *def;
    sn_object_forget_arrays(&sn_dough_object, &d->def);
    wake_members(world, d);
    return SN_OK;
}

sn_result sn_dough_get(const sn_world *world, sn_dough dough, sn_dough_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_dough(world, dough));
    const sn_dough_state *d = &sn_doughs_of(world)->state[dough.slot - 1];
    *def = d->def;
    def->nodes = d->node;
    def->node_count = d->nodes;
    return SN_OK;
}

sn_result sn_dough_measure(const sn_world *world, sn_dough dough, sn_dough_measures *measures) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(measures);
    SN_TRY(check_dough(world, dough));
    const sn_dough_state *d = &sn_doughs_of(world)->state[dough.slot - 1];
    *measures = (sn_dough_measures){
        .clusters = (double)d->clusters.count, .seeded = d->seeded, .merged = d->merged};
    for (size_t i = 0; i < d->nodes; i++) {
        if (d->waits[i]) continue;
        measures->particles++;
        measures->mass += sn_dough_mass(world, d, i);
    }
    measures->pieces = (double)sn_dough_pieces(d, d->number);
    return SN_OK;
}
