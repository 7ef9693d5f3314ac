/* Effectors as a system. */
#include "state/serialize.h"
#include "state/system.h"
#include "systems/effector/effectors.h"

/* In a replay of what functions of the user did, the accelerations of all are there. */
static bool act(const sn_world *world) {
    return sn_effectors_of(world)->slots.live > 0 && !world->bindings.feeder;
}

static void release(void *state, sn_memory *memory) {
    sn_effectors *all = state;
    sn_free(memory, all->def, all->capacity, sizeof *all->def);
    sn_slots_free(&all->slots, memory);
}

/* Bodies may rest in a field that stays as it is, as they do in that of gravity. */
static void keeps_awake(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_effectors *all = sn_effectors_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_effector_def *def = &all->def[i];
        if (!all->slots.alive[i] || def->kind != SN_EFFECTOR_TURBULENCE || def->strength == 0 ||
            def->eddy_period == SN_AUTO)
            continue;
        for (uint32_t node = 0; node < world->nodes.slots.count; node++)
            if (sn_effector_reaches(world, def, node)) visit(context, node, node);
    }
}

static void serialize(sn_world *world, sn_archive *a) {
    sn_effectors *all = sn_effectors_of(world);
    if (!sn_serialize_kept(world, a, "effector", &all->slots, (void **)&all->def, &all->capacity,
                           sizeof *all->def))
        return;
    for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++) {
        if (!all->slots.alive[i]) continue;
        sn_archive_section(a, "effect");
        sn_object_serialize(&sn_effector_object, a, &all->def[i], sizeof *all->def, 1, i);
        sn_archive_section_end(a);
    }
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_FORCES, SN_RANK_EFFECTORS, "effectors", SN_TIMER(predict), act, sn_effectors_push,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_PARAMETERS,
     .writes = SN_STATE_ACCELERATIONS, .parallel = true},
};

static sn_result check(const void *given) {
    const sn_effector_def *def = given;
    if (def->axis.x == 0 && def->axis.y == 0 && def->axis.z == 0)
        return sn_fail(SN_ERROR_VALUE, "effector: axis is [0, 0, 0], expected a direction");
    if (def->max_distance != SN_AUTO && def->max_distance < def->min_distance)
        return sn_fail(SN_ERROR_VALUE,
                       "effector: max_distance is %g m, expected min_distance, %g m, or more",
                       (double)def->max_distance, (double)def->min_distance);
    return SN_OK;
}

SN_DEFINE_OBJECT(effector, SN_EFFECTOR_FIELDS, "effector",
                 "a force field: radial, directional, vortex, turbulence, drag or harmonic",
                 .check = check)
static const sn_object *const objects[] = {&sn_effector_object};

const sn_system sn_effector_system = {
    .name = "effector",
    .size = sizeof(sn_effectors),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .free = release,
    .keeps_awake = keeps_awake,
    .serialize = serialize,
};
