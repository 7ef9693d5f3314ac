/* Sheets as a system: what tearing, air and tethers need to know of cloth. */
#include "state/system.h"
#include "systems/sheet/owned_constraints.h"
#include "systems/sheet/sheet_tethers.h"
#include "systems/sheet/sheets.h"

static void release(void *state, sn_memory *memory) {
    sn_sheets_free(state, memory);
}

static void forget_nodes(sn_world *world) {
    sn_sheets_forget(sn_sheets_of(world), &world->memory, world->nodes.slots.alive, SN_DOOMED);
}

static void constraint_removed(sn_world *world, uint32_t constraint, sn_members members) {
    (void)members;
    if (world->constraints.record[constraint].owned)
        sn_world_forget_owned_constraint(world, constraint);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_OWNED, "tethers", SN_TIMER(prepare), sn_sheets_are_loose,
     .plan = sn_sheets_plan_tethers, .reads = SN_STATE_PARAMETERS, .writes = SN_STATE_TOPOLOGY},
};

const sn_system sn_sheet_system = {
    .name = "sheet",
    .size = sizeof(sn_sheets),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .free = release,
    .forget_nodes = forget_nodes,
    .constraint_removed = constraint_removed,
    .serialize = sn_world_serialize_sheets,
};
