/* Tearing and fracture as a system: after the step, what is overstrained comes apart. */
#include "fracture/tear.h"
#include "fracture/tearing.h"
#include "state/system.h"

static void release(void *state, sn_memory *memory) {
    sn_tearing_free(state, memory);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_TOPOLOGY, SN_RANK_TEAR, "tear", SN_TIMER(update), .run = sn_tear_end,
     .reads = SN_STATE_POSITIONS | SN_STATE_MULTIPLIERS, .writes = SN_STATE_TOPOLOGY},
};

static const sn_object *const objects[] = {&sn_blade_object};

const sn_system sn_fracture_system = {
    .name = "fracture",
    .objects = objects,
    .object_count = 1,
    .size = sizeof(sn_tearing),
    .output = true,
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .free = release,
};
