/* The public calls on emitters and drains. */
#include "api/call.h"
#include "api/check.h"
#include "systems/emitter/emitters.h"
#include "systems/fluid/fluids.h"

#define EMITTER SN_ID_AS(sn_emitter, call->id)
#define DRAIN SN_ID_AS(sn_drain, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "emitter_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_emitter_object,            \
         sn_emitter_create(world, call->def, &(sn_emitter){0}))                                    \
    CALL(DESTROY, "emitter_destroy", SN_PART_ID, 0, NULL, sn_emitter_destroy(world, EMITTER))      \
    CALL(SET, "emitter_set", SN_PART_ID | SN_PART_DEF, 0, &sn_emitter_object,                      \
         sn_emitter_set(world, EMITTER, call->def))                                                \
    CALL(DRAIN_CREATE, "drain_create", SN_PART_DEF, 0, &sn_drain_object,                           \
         sn_drain_create(world, call->def, &(sn_drain){0}))                                        \
    CALL(DRAIN_DESTROY, "drain_destroy", SN_PART_ID, 0, NULL, sn_drain_destroy(world, DRAIN))      \
    CALL(DRAIN_SET, "drain_set", SN_PART_ID | SN_PART_DEF, 0, &sn_drain_object,                    \
         sn_drain_set(world, DRAIN, call->def))
SN_DEFINE_CALLS(emitter, CALLS, .next = NULL)

/* ---- Emitters ---- */

static sn_result check_emitter(const sn_world *world, sn_emitter emitter) {
    return sn_slots_check(&sn_emitters_of(world)->slots, SN_ID(emitter), world->tag, "emitter");
}

/* A mesh has points, and nothing else has. */
static sn_result check_points(const sn_emitter_def *def, size_t count) {
    if ((def->shape == SN_EMITTER_MESH) == (count > 0)) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "emitter: point_count is %zu, expected %s", count,
                   count > 0 ? "0: its shape is not a mesh" : "above 0 of a mesh");
}

/* No more places than can be looked at in every step. */
static sn_result check_places(const sn_emitter_def *def, double spacing) {
    if (def->shape == SN_EMITTER_MESH) return SN_OK;
    double places = sn_emitter_lattice(def, spacing);
    if (places <= SN_EMITTER_MOST_PLACES) return SN_OK;
    return sn_fail(
        SN_ERROR_LIMIT,
        "emitter: it has at least %.3g places for particles that are %g m wide, expected "
        "at most %d: its radius or extent is too large for them",
        places, spacing, SN_EMITTER_MOST_PLACES);
}

/* No more than there is room for. */
static sn_result check_rate(const sn_emitter_def *def, double spacing) {
    if (def->shape > SN_EMITTER_RECTANGLE) return SN_OK;
    double most = sn_emitter_most(def, spacing);
    if (!(def->speed > 0))
        return sn_fail(SN_ERROR_VALUE, "emitter: speed is 0 m/s, expected more of a nozzle");
    if (def->rate != SN_AUTO && (double)def->rate > 1.0001 * most)
        return sn_fail(SN_ERROR_VALUE,
                       "emitter: rate is %g m^3/s, expected at most %g, as much as comes through "
                       "its nozzle at %g m/s",
                       (double)def->rate, most, (double)def->speed);
    return SN_OK;
}

static bool is_reserved(const sn_world *world, uint32_t slot) {
    const sn_emitters *all = sn_emitters_of(world);
    for (size_t i = 0; i < all->slots.count; i++)
        for (size_t k = 0; all->slots.alive[i] && k < all->state[i].count; k++)
            if (all->state[i].reserve[k].node.slot == slot) return true;
    return false;
}

/* The fluid of every node, slot + 1 of it, by their slots. */
static void find_fluids(const sn_world *world, uint32_t *fluid) {
    const sn_fluids *fluids = sn_fluids_of(world);
    for (size_t i = 0; i < world->nodes.slots.count; i++) fluid[i] = 0;
    for (size_t i = 0; i < fluids->slots.count; i++)
        for (size_t k = 0; fluids->slots.alive[i] && k < fluids->members[i].count; k++)
            fluid[fluids->members[i].node[k].slot - 1] = (uint32_t)i + 1;
}

/* All with mass and radius, in no other reserve, and of one fluid or of none. */
static sn_result check_nodes(const sn_world *world, const sn_emitter_def *def,
                             const uint32_t *fluid) {
    for (size_t i = 0; i < def->node_count; i++) {
        uint32_t slot = def->nodes[i].slot;
        if (!(world->nodes.w[slot - 1] > 0) || !(world->nodes.radius[slot - 1] > 0))
            return sn_fail(SN_ERROR_VALUE,
                           "emitter: node %zu of %zu has inverse_mass %g 1/kg and radius %g m, "
                           "expected both above 0",
                           i, def->node_count, (double)world->nodes.w[slot - 1],
                           (double)world->nodes.radius[slot - 1]);
        if (is_reserved(world, slot))
            return sn_fail(SN_ERROR_VALUE,
                           "emitter: node %zu of %zu is in an emitter already, expected one that "
                           "is in none",
                           i, def->node_count);
        if (fluid[slot - 1] != fluid[def->nodes[0].slot - 1])
            return sn_fail(SN_ERROR_VALUE,
                           "emitter: node %zu of %zu is not in the fluid of the first one, "
                           "expected all in one fluid or none",
                           i, def->node_count);
    }
    double spacing = 2 * (double)world->nodes.radius[def->nodes[0].slot - 1];
    SN_TRY(check_places(def, spacing));
    return check_rate(def, spacing);
}

/* Nodes leave their fluid. */
static void leave_fluid(sn_fluid_members *m, const uint8_t *waits) {
    size_t kept = 0;
    for (size_t k = 0; k < m->count; k++)
        if (!waits[m->node[k].slot - 1]) m->node[kept++] = m->node[k];
    m->count = kept;
}

static void fill_reserve(sn_world *world, sn_emitter_state *e, const sn_emitter_def *def) {
    e->count = def->node_count;
    for (size_t i = 0; i < def->node_count; i++) {
        uint32_t slot = def->nodes[i].slot - 1;
        e->list[i] = def->nodes[i];
        e->reserve[i] = (sn_reserve_node){.node = def->nodes[i],
                                          .w = world->nodes.w[slot],
                                          .radius = world->nodes.radius[slot],
                                          .group = world->nodes.group[slot]};
    }
    for (size_t i = 0; i < def->node_count; i++) {
        uint32_t slot = def->nodes[i].slot - 1;
        sn_emitter_park(world, e, i);
        sn_world_restart_body(world, world->nodes.body[slot]);
        sn_world_wake_node(world, slot);
    }
    world->scratch.masses_changed = world->sleep.joints_changed = true;
}

static sn_result make_emitter(sn_world *world, const sn_emitter_def *def, uint32_t *fluid,
                              uint8_t *waits, sn_emitter *emitter) {
    sn_emitters *all = sn_emitters_of(world);
    sn_fluids *fluids = sn_fluids_of(world);
    size_t needed = sn_slots_needed(&all->slots, 1);
    sn_emitter_state e = {.def = *def};
    sn_object_forget_arrays(&sn_emitter_object, &e.def);
    find_fluids(world, fluid);
    SN_TRY(check_points(def, def->point_count));
    SN_TRY(check_nodes(world, def, fluid));
    if (!sn_slots_reserve(&all->slots, &world->memory, needed) ||
        !sn_reserve(&world->memory, (void **)&all->state, &all->capacity, needed,
                    sizeof *all->state) ||
        !sn_emitter_state_reserve(&e, &world->memory, def->node_count) ||
        !sn_emitter_points_reserve(&e, &world->memory, def->point_count)) {
        sn_emitter_state_free(&e, &world->memory);
        return SN_ERROR_MEMORY;
    }
    uint32_t of = fluid[def->nodes[0].slot - 1], index = sn_slots_take(&all->slots);
    for (size_t i = 0; i < world->nodes.slots.count; i++) waits[i] = 0;
    for (size_t i = 0; i < def->node_count; i++) waits[def->nodes[i].slot - 1] = 1;
    if (of > 0) {
        e.fluid[0] = of;
        e.fluid[1] = fluids->slots.generation[of - 1];
        leave_fluid(&fluids->members[of - 1], waits);
    }
    fill_reserve(world, &e, def);
    e.point_count = def->point_count;
    for (size_t i = 0; i < def->point_count; i++) e.points[i] = def->points[i];
    all->state[index] = e;
    *emitter = (sn_emitter){index + 1, all->slots.generation[index], world->tag};
    return SN_OK;
}

sn_result sn_emitter_create(sn_world *world, const sn_emitter_def *def, sn_emitter *emitter) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(emitter);
    SN_TRY(sn_object_check(&sn_emitter_object, def));
    SN_TRY(sn_object_check_arrays(&sn_emitter_object, def));
    SN_TRY(sn_check_members(world, "emitter", def->nodes, def->node_count));
    size_t count = world->nodes.slots.count;
    uint32_t *fluid = sn_allocate(&world->memory, count, sizeof *fluid);
    uint8_t *waits = sn_allocate(&world->memory, count, sizeof *waits);
    sn_result result = SN_ERROR_MEMORY;
    if (fluid && waits) result = make_emitter(world, def, fluid, waits, emitter);
    if (fluid) sn_free(&world->memory, fluid, count, sizeof *fluid);
    if (waits) sn_free(&world->memory, waits, count, sizeof *waits);
    if (result == SN_OK) SN_RECORD(world, CREATE, .def = def);
    return result;
}

sn_result sn_emitter_destroy(sn_world *world, sn_emitter emitter) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_emitter(world, emitter));
    sn_emitters *all = sn_emitters_of(world);
    sn_emitter_state_free(&all->state[emitter.slot - 1], &world->memory);
    sn_slots_give(&all->slots, emitter.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(emitter));
    return SN_OK;
}

bool sn_emitter_is_valid(const sn_world *world, sn_emitter emitter) {
    return world && sn_slots_has(&sn_emitters_of(world)->slots, SN_ID(emitter), world->tag);
}

sn_result sn_emitter_set(sn_world *world, sn_emitter emitter, const sn_emitter_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_emitter(world, emitter));
    SN_TRY(sn_object_check(&sn_emitter_object, def));
    sn_emitter_state *e = &sn_emitters_of(world)->state[emitter.slot - 1];
    SN_TRY(check_points(def, e->point_count));
    if (e->count > 0) SN_TRY(check_places(def, sn_emitter_spacing(e)));
    if (e->count > 0) SN_TRY(check_rate(def, sn_emitter_spacing(e)));
    e->def = *def;
    sn_object_forget_arrays(&sn_emitter_object, &e->def);
    SN_RECORD(world, SET, .id = SN_ID(emitter), .def = def);
    return SN_OK;
}

sn_result sn_emitter_get(const sn_world *world, sn_emitter emitter, sn_emitter_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_emitter(world, emitter));
    const sn_emitter_state *e = &sn_emitters_of(world)->state[emitter.slot - 1];
    *def = e->def;
    def->nodes = e->list;
    def->node_count = e->count;
    def->points = e->point_count > 0 ? e->points : NULL;
    def->point_count = e->point_count;
    return SN_OK;
}

sn_result sn_emitter_measure(const sn_world *world, sn_emitter emitter,
                             sn_emitter_measures *measures) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(measures);
    SN_TRY(check_emitter(world, emitter));
    const sn_emitter_state *e = &sn_emitters_of(world)->state[emitter.slot - 1];
    double spacing = sn_emitter_spacing(e);
    *measures = (sn_emitter_measures){.emitted = e->emitted,
                                      .volume = e->emitted * spacing * spacing * spacing,
                                      .blocked = e->blocked};
    for (size_t k = 0; k < e->count; k++) measures->waiting += e->reserve[k].waits;
    return SN_OK;
}

/* ---- Drains ---- */

static sn_result check_drain(const sn_world *world, sn_drain drain) {
    return sn_slots_check(&sn_emitters_of(world)->drain_slots, SN_ID(drain), world->tag, "drain");
}

sn_result sn_drain_create(sn_world *world, const sn_drain_def *def, sn_drain *drain) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(drain);
    SN_TRY(sn_object_check(&sn_drain_object, def));
    sn_emitters *all = sn_emitters_of(world);
    size_t needed = sn_slots_needed(&all->drain_slots, 1);
    if (!sn_slots_reserve(&all->drain_slots, &world->memory, needed) ||
        !sn_reserve(&world->memory, (void **)&all->drain, &all->drain_capacity, needed,
                    sizeof *all->drain))
        return SN_ERROR_MEMORY;
    uint32_t index = sn_slots_take(&all->drain_slots);
    all->drain[index] = (sn_drain_state){.def = *def};
    *drain = (sn_drain){index + 1, all->drain_slots.generation[index], world->tag};
    SN_RECORD(world, DRAIN_CREATE, .def = def);
    return SN_OK;
}

sn_result sn_drain_destroy(sn_world *world, sn_drain drain) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_drain(world, drain));
    sn_slots_give(&sn_emitters_of(world)->drain_slots, drain.slot - 1);
    SN_RECORD(world, DRAIN_DESTROY, .id = SN_ID(drain));
    return SN_OK;
}

bool sn_drain_is_valid(const sn_world *world, sn_drain drain) {
    return world && sn_slots_has(&sn_emitters_of(world)->drain_slots, SN_ID(drain), world->tag);
}

sn_result sn_drain_set(sn_world *world, sn_drain drain, const sn_drain_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_drain(world, drain));
    SN_TRY(sn_object_check(&sn_drain_object, def));
    sn_emitters_of(world)->drain[drain.slot - 1].def = *def;
    SN_RECORD(world, DRAIN_SET, .id = SN_ID(drain), .def = def);
    return SN_OK;
}

sn_result sn_drain_get(const sn_world *world, sn_drain drain, sn_drain_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_drain(world, drain));
    *def = sn_emitters_of(world)->drain[drain.slot - 1].def;
    return SN_OK;
}

sn_result sn_drain_measure(const sn_world *world, sn_drain drain, double *drained) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(drained);
    SN_TRY(check_drain(world, drain));
    *drained = sn_emitters_of(world)->drain[drain.slot - 1].drained;
    return SN_OK;
}
