/* Fluids as a system. */
#include "state/system.h"
#include "systems/fluid/fluids.h"

static bool is_needed(const sn_world *world) {
    return sn_fluids_of(world)->slots.live > 0;
}

static void release(void *state, sn_memory *memory) {
    sn_fluids_free(state, memory);
}

static void drop_scratch(void *state, sn_memory *memory) {
    sn_fluid_places_free(&((sn_fluids *)state)->places, memory);
}

/* All particles that may meet: those of all fluids. */
static void join(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_fluids *fluids = sn_fluids_of(world);
    const sn_node *first = NULL;
    for (size_t i = 0; i < fluids->slots.count; i++) {
        const sn_fluid_members *m = &fluids->members[i];
        for (size_t k = 0; k < m->count; k++) {
            if (first) visit(context, first->slot - 1, m->node[k].slot - 1);
            first = first ? first : &m->node[k];
        }
    }
}

static void forget_nodes(sn_world *world) {
    sn_fluids_forget(sn_fluids_of(world), world->nodes.slots.alive, SN_DOOMED);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_FIND, SN_RANK_SHAPES, "fluids", SN_TIMER(prepare), is_needed,
     .plan = sn_fluid_places_plan},
    {SN_STAGE_FIND, SN_RANK_SHAPES, "sizes in fluids", SN_TIMER(prepare), sn_fluids_adapt_sizes,
     .plan = sn_fluid_sizes_plan},
    {SN_STAGE_DETECT, 0, "neighbours in fluids", SN_TIMER(find), is_needed, sn_fluids_detect,
     .reads = SN_STATE_POSITIONS | SN_STATE_COLLIDERS, .parallel = true},
    {SN_STAGE_PROJECT, SN_RANK_REGION, "fluids", SN_TIMER(project), is_needed, sn_fluids_project,
     .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES, .parallel = true},
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "air around gases", SN_TIMER(update),
     sn_fluids_are_in_air, sn_fluids_apply_air, .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES,
     .writes = SN_STATE_VELOCITIES, .parallel = true},
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "vorticity that is kept", SN_TIMER(update),
     sn_fluids_are_kept, sn_fluids_keep_vorticity,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES, .writes = SN_STATE_VELOCITIES,
     .parallel = true},
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "vorticity", SN_TIMER(update), sn_fluids_are_confined,
     sn_fluids_confine_vorticity, .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES,
     .writes = SN_STATE_VELOCITIES, .parallel = true},
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "viscosity", SN_TIMER(update), sn_fluids_are_viscous,
     sn_fluids_apply_viscosity, .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES,
     .writes = SN_STATE_VELOCITIES, .parallel = true},
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "XSPH", SN_TIMER(update), sn_fluids_are_smoothed,
     sn_fluids_smooth_velocities, .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES,
     .writes = SN_STATE_VELOCITIES, .parallel = true},
    {SN_STAGE_TOPOLOGY, SN_RANK_BREAK, "sizes in fluids", SN_TIMER(update), sn_fluids_adapt_sizes,
     sn_fluids_adapt, .reads = SN_STATE_POSITIONS,
     .writes = SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_TOPOLOGY, .parallel = true},
};

/* Those of the first files, and what came later, which is left out where it is the default. */
static const sn_object_column columns[] = {
    {.name = "rest_density", .field = {"rest_density"}},
    {.name = "reach", .field = {"reach"}},
    {.name = "compliance", .field = {"compliance"}},
    {.name = "viscosity", .field = {"viscosity"}},
    {.name = "artificial_pressure", .field = {"artificial_pressure"}},
    {.name = "vorticity", .field = {"vorticity"}, .sparse = 1},
    {.name = "buoyant", .field = {"buoyant"}, .sparse = 2},
    {.name = "ambient_drag", .field = {"ambient_drag"}, .sparse = 2},
    {.name = "cohesion", .field = {"cohesion"}, .sparse = 3},
    {.name = "surface_tension", .field = {"surface_tension"}, .sparse = 4},
    {.name = "adhesion", .field = {"adhesion"}, .sparse = 4},
    {.name = "immiscible", .field = {"immiscible"}, .sparse = 4},
    {.name = "vorticity_kept", .field = {"vorticity_kept"}, .sparse = 5},
    {.name = "detail_point", .field = {"detail_point"}, .sparse = 6},
    {.name = "detail_radius", .field = {"detail_radius"}, .sparse = 6},
    {.name = "wall_forces", .field = {"wall_forces"}, .sparse = 7},
    {.name = "coarse_depth", .field = {"coarse_depth"}, .sparse = 8},
    {.name = "equality", .field = {"equality"}, .sparse = 9},
    {.name = "xsph", .field = {"xsph"}, .sparse = 10},
};

SN_DEFINE_OBJECT(fluid, SN_FLUID_FIELDS, "fluid", "nodes that keep their volume",
                 .columns = columns, .column_count = sizeof columns / sizeof *columns)
static const sn_object *const objects[] = {&sn_fluid_object};

const sn_system sn_fluid_system = {
    .name = "fluid",
    .size = sizeof(sn_fluids),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .free = release,
    .drop_scratch = drop_scratch,
    .join = join,
    .joins_loosely = true,
    .forget_nodes = forget_nodes,
    .serialize = sn_world_serialize_fluids,
};
