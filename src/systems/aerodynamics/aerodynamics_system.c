/* Air as a system: forces on sheets, lines and balls. */
#include "state/system.h"
#include "systems/aerodynamics/apply_air.h"
#include "systems/aerodynamics/drags.h"
#include "systems/sheet/sheets.h"

static void bind(void *state, const void *like) {
    const sn_aerodynamics *other = like;
    sn_aerodynamics *aerodynamics = state;
    aerodynamics->air.wind = other->air.wind;
    aerodynamics->air.user = other->air.user;
}

static void release(void *state, sn_memory *memory) {
    sn_aerodynamics *aerodynamics = state;
    sn_air_free(&aerodynamics->air, memory);
    sn_drags_free(&aerodynamics->drags, memory);
}

/* In the wind nothing rests that air acts on. */
static void keeps_awake(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_sheets *sheets = sn_sheets_of(world);
    const sn_drags *drags = sn_drags_of(world);
    if (!sn_air_is_windy(world)) return;
    for (size_t s = 0; s < sheets->slots.count; s++) {
        const sn_sheet_state *sheet = &sheets->state[s];
        if (!sheets->slots.alive[s] || !(sheet->def.drag > 0 || sheet->air)) continue;
        for (size_t i = 0; i < sheet->def.node_count; i++)
            visit(context, sheet->node[i], sheet->node[i]);
    }
    for (size_t d = 0; d < drags->slots.count; d++) {
        const sn_drag_state *drag = &drags->state[d];
        if (!drags->slots.alive[d] || !(drag->def.drag > 0)) continue;
        for (size_t i = 0; i < drag->corners * drag->count; i++)
            visit(context, drag->node[i], drag->node[i]);
    }
}

static bool calls_user(const sn_world *world) {
    return sn_air_of(world)->wind != NULL;
}

static void forget_nodes(sn_world *world) {
    sn_drags_forget(sn_drags_of(world), &world->memory, world->nodes.slots.alive, SN_DOOMED);
}

/* Air does not act on a line that is none any more. */
static void line_parted(sn_world *world, uint32_t a, uint32_t b) {
    sn_drags *drags = sn_drags_of(world);
    if (drags->slots.live > 0) sn_drags_part(drags, &world->memory, a, b);
}

/* How far the wind has carried its gusts, where it has. */
static void serialize_world(sn_world *world, sn_archive *a) {
    double *drift = sn_air_of(world)->drift;
    bool drifted = drift[0] != 0 || drift[1] != 0 || drift[2] != 0;
    if (sn_archive_takes(a, "gust_drift", drifted))
        sn_archive_column(a, "gust_drift", SN_ARCHIVE_F64, drift, 3);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_OBJECTS, "air", SN_TIMER(prepare), .plan = sn_air_plan,
     .reads = SN_STATE_TOPOLOGY | SN_STATE_PARAMETERS, .parallel = true},
    {SN_STAGE_FORCES, SN_RANK_AIR, "air", SN_TIMER(predict), sn_air_acts, sn_air_push,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES, .writes = SN_STATE_ACCELERATIONS,
     .parallel = true},
    {SN_STAGE_END, SN_RANK_FORCES, "air", SN_TIMER(update), .run = sn_air_end},
};

/* Corners are beside the counts. */
static const sn_object_column columns[] = {{"drag", {"drag"}, 0, 0, NULL}};

SN_DEFINE_OBJECT(drag, SN_DRAG_FIELDS, "drag", "lines or balls that air acts on",
                 .columns = columns, .column_count = 1)
static const sn_object *const objects[] = {&sn_drag_object};

const sn_system sn_aerodynamics_system = {
    .name = "aerodynamics",
    .size = sizeof(sn_aerodynamics),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .bind = bind,
    .free = release,
    .keeps_awake = keeps_awake,
    .calls_user = calls_user,
    .forget_nodes = forget_nodes,
    .line_parted = line_parted,
    .serialize_world = serialize_world,
    .serialize = sn_world_serialize_drags,
};
