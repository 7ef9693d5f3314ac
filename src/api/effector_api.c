/* The public calls on effectors. */
#include "api/call.h"
#include "api/check.h"
#include "systems/effector/effectors.h"

#define ID SN_ID_AS(sn_effector, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "effector_create", SN_PART_DEF, 0, &sn_effector_object,                           \
         sn_effector_create(world, call->def, &(sn_effector){0}))                                  \
    CALL(DESTROY, "effector_destroy", SN_PART_ID, 0, NULL, sn_effector_destroy(world, ID))         \
    CALL(SET, "effector_set", SN_PART_ID | SN_PART_DEF, 0, &sn_effector_object,                    \
         sn_effector_set(world, ID, call->def))
SN_DEFINE_CALLS(effector, CALLS, .next = NULL)

static sn_result check_effector(const sn_world *world, sn_effector effector) {
    return sn_slots_check(&sn_effectors_of(world)->slots, SN_ID(effector), world->tag, "effector");
}

sn_result sn_effector_create(sn_world *world, const sn_effector_def *def, sn_effector *effector) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(effector);
    SN_TRY(sn_object_check(&sn_effector_object, def));
    sn_effectors *all = sn_effectors_of(world);
    if (!sn_effectors_reserve(all, &world->memory)) return SN_ERROR_MEMORY;
    uint32_t index = sn_slots_take(&all->slots);
    all->def[index] = *def;
    sn_world_wake_all(world);
    *effector = (sn_effector){index + 1, all->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_effector_destroy(sn_world *world, sn_effector effector) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_effector(world, effector));
    sn_slots_give(&sn_effectors_of(world)->slots, effector.slot - 1);
    sn_world_wake_all(world);
    SN_RECORD(world, DESTROY, .id = SN_ID(effector));
    return SN_OK;
}

bool sn_effector_is_valid(const sn_world *world, sn_effector effector) {
    return world && sn_slots_has(&sn_effectors_of(world)->slots, SN_ID(effector), world->tag);
}

sn_result sn_effector_set(sn_world *world, sn_effector effector, const sn_effector_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_effector(world, effector));
    SN_TRY(sn_object_check(&sn_effector_object, def));
    sn_effectors_of(world)->def[effector.slot - 1] = *def;
    sn_world_wake_all(world);
    SN_RECORD(world, SET, .id = SN_ID(effector), .def = def);
    return SN_OK;
}

sn_result sn_effector_get(const sn_world *world, sn_effector effector, sn_effector_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_effector(world, effector));
    *def = sn_effectors_of(world)->def[effector.slot - 1];
    return SN_OK;
}
