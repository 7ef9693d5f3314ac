/* The public calls on fluids. */
#include "api/call.h"
#include "api/check.h"
#include "systems/fluid/fluids.h"

static sn_result check_fluid(const sn_world *world, sn_fluid fluid) {
    return sn_slots_check(&sn_fluids_of(world)->slots, SN_ID(fluid), world->tag, "fluid");
}

#define ID SN_ID_AS(sn_fluid, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "fluid_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_fluid_object,                \
         sn_fluid_create(world, call->def, &(sn_fluid){0}))                                        \
    CALL(DESTROY, "fluid_destroy", SN_PART_ID, 0, NULL, sn_fluid_destroy(world, ID))               \
    CALL(SET, "fluid_set", SN_PART_ID | SN_PART_DEF, 0, &sn_fluid_object,                          \
         sn_fluid_set(world, ID, call->def))
SN_DEFINE_CALLS(fluid, CALLS, .next = NULL)

static void wake_members(sn_world *world, uint32_t index) {
    const sn_fluid_members *members = &sn_fluids_of(world)->members[index];
    world->sleep.joints_changed = true;
    for (size_t i = 0; i < members->count; i++)
        sn_world_wake_body(world, world->nodes.body[members->node[i].slot - 1]);
}

static void mark_members(const sn_fluid_members *m, uint8_t *taken) {
    for (size_t k = 0; k < m->count; k++) taken[m->node[k].slot - 1] = 1;
    for (size_t k = 0; k < m->spares; k++) taken[m->spare[k].slot - 1] = 1;
}

/* None of the nodes may be in a fluid already. */
static sn_result check_free(sn_world *world, const sn_fluid_def *def) {
    const sn_fluids *fluids = sn_fluids_of(world);
    if (fluids->slots.live == 0) return SN_OK;
    size_t count = world->nodes.slots.count;
    uint8_t *taken = sn_allocate(&world->memory, count, sizeof *taken);
    if (!taken) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < fluids->slots.count; i++) mark_members(&fluids->members[i], taken);
    size_t at = 0;
    while (at < def->node_count && !taken[def->nodes[at].slot - 1]) at++;
    sn_free(&world->memory, taken, count, sizeof *taken);
    if (at == def->node_count) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "fluid: node %zu of %zu is in a fluid already, expected one that is in none", at,
                   def->node_count);
}

sn_result sn_fluid_create(sn_world *world, const sn_fluid_def *def, sn_fluid *fluid) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(fluid);
    SN_TRY(sn_object_check(&sn_fluid_object, def));
    SN_TRY(sn_object_check_arrays(&sn_fluid_object, def));
    SN_TRY(sn_check_members(world, "fluid", def->nodes, def->node_count));
    SN_TRY(check_free(world, def));
    uint32_t index;
    if (!sn_fluids_add(sn_fluids_of(world), &world->memory, def, &index)) return SN_ERROR_MEMORY;
    wake_members(world, index);
    *fluid = (sn_fluid){index + 1, sn_fluids_of(world)->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_fluid_destroy(sn_world *world, sn_fluid fluid) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_fluid(world, fluid));
    wake_members(world, fluid.slot - 1);
    sn_fluids_remove(sn_fluids_of(world), &world->memory, fluid.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(fluid));
    return SN_OK;
}

bool sn_fluid_is_valid(const sn_world *world, sn_fluid fluid) {
    return world && sn_slots_has(&sn_fluids_of(world)->slots, SN_ID(fluid), world->tag);
}

sn_result sn_fluid_set(sn_world *world, sn_fluid fluid, const sn_fluid_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_fluid(world, fluid));
    SN_TRY(sn_object_check(&sn_fluid_object, def));
    sn_fluid_members *members = &sn_fluids_of(world)->members[fluid.slot - 1];
    members->def = *def;
    sn_object_forget_arrays(&sn_fluid_object, &members->def);
    wake_members(world, fluid.slot - 1);
    SN_RECORD(world, SET, .id = SN_ID(fluid), .def = def);
    return SN_OK;
}

sn_result sn_fluid_get(const sn_world *world, sn_fluid fluid, sn_fluid_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_fluid(world, fluid));
    const sn_fluid_members *members = &sn_fluids_of(world)->members[fluid.slot - 1];
    *def = members->def;
    def->nodes = members->node;
    def->node_count = members->count;
    return SN_OK;
}

sn_result sn_fluid_measure(const sn_world *world, sn_fluid fluid, sn_fluid_measures *measures) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(measures);
    SN_TRY(check_fluid(world, fluid));
    *measures = sn_fluids_of(world)->members[fluid.slot - 1].measures;
    return SN_OK;
}

sn_result sn_fluid_get_particle(const sn_world *world, sn_fluid fluid, size_t index,
                                sn_real *density, sn_real *pressure) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(density);
    SN_CHECK_POINTER(pressure);
    SN_TRY(check_fluid(world, fluid));
    const sn_fluids *fluids = sn_fluids_of(world);
    const sn_fluid_members *m = &fluids->members[fluid.slot - 1];
    if (index >= m->count)
        return sn_fail(SN_ERROR_VALUE, "fluid: particle %zu of %zu", index, m->count);
    sn_vec4 output = {0};
    /* Scratch may have been dropped since it was measured. */
    if (m->measured == m->count && m->first + m->count <= fluids->places.capacity)
        output = fluids->places.output[m->first + index];
    *density = output.x;
    *pressure = output.y;
    return SN_OK;
}
