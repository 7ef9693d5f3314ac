/* Sheets as a system: what tearing, air and tethers need to know of cloth. */
#include "base/range.h"
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

static sn_result check_lift(const void *def) {
    const sn_sheet_def *d = def;
    return sn_check_real("sheet", "lift", d->lift, 0, (double)d->drag, true, "");
}

static const sn_object_column columns[] = {
    {"drag", {"drag"}, 0, 0, NULL},
    {"lift", {"lift"}, 0, 0, NULL},
    {"slack", {"tether_slack"}, 0, 0, NULL},
    {"tethers", {"tethers", "tether_path"}, SN_ARCHIVE_U8, 0, NULL},
    {"tear_strain", {"tear_strain"}, 0, 0, NULL},
    {"tear_force", {"tear_force"}, 0, 0, NULL},
    {"buoyant", {"buoyant"}, SN_ARCHIVE_U8, 0, NULL},
    {"triangle", {"triangles"}, 0, 0, NULL},
};

SN_DEFINE_OBJECT(sheet, SN_SHEET_FIELDS, "sheet", "the triangles of a cloth", .columns = columns,
                 .column_count = sizeof columns / sizeof *columns, .check = check_lift)
static const sn_object *const objects[] = {&sn_sheet_object};

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_OWNED, "tethers", SN_TIMER(prepare), sn_sheets_are_loose,
     .plan = sn_sheets_plan_tethers, .reads = SN_STATE_PARAMETERS, .writes = SN_STATE_TOPOLOGY},
};

const sn_system sn_sheet_system = {
    .name = "sheet",
    .size = sizeof(sn_sheets),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .free = release,
    .forget_nodes = forget_nodes,
    .constraint_removed = constraint_removed,
    .serialize = sn_world_serialize_sheets,
};
