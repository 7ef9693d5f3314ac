/* Shape matching of regions as a system: before the constraints, and damping within regions. */
#include "base/error.h"
#include "state/system.h"
#include "systems/shape_matching/shape_matchings.h"

static bool is_needed(const sn_world *world) {
    return sn_shape_matchings_of(world)->slots.live > 0;
}

static void release(void *state, sn_memory *memory) {
    sn_shape_matchings_free(state, memory);
}

static void join(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_shape_matchings *all = sn_shape_matchings_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_shape_matching_state *m = &all->state[i];
        for (size_t k = 1; k < m->nodes; k++)
            visit(context, m->node[0].slot - 1, m->node[k].slot - 1);
    }
}

static void forget_nodes(sn_world *world) {
    sn_shape_matchings_forget(sn_shape_matchings_of(world), &world->memory,
                              world->nodes.slots.alive, SN_DOOMED);
}

static void masses_changed(sn_world *world) {
    sn_shape_matchings_of(world)->changed = true;
}

/* Regions know their nodes, and would hold both sides of a cut together. */
static sn_result check_cut(const sn_world *world, sn_may_split *may, const void *context) {
    const sn_shape_matchings *all = sn_shape_matchings_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_shape_matching_state *m = &all->state[i];
        const sn_split_list list = {m->node, m->nodes, "the regions of matching", i};
        if (all->slots.alive[i]) SN_TRY(sn_split_check(&list, may, context));
    }
    return SN_OK;
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_STEP, "regions", SN_TIMER(prepare), is_needed,
     .plan = sn_shape_matchings_prepare, .reads = SN_STATE_TOPOLOGY},
    {SN_STAGE_PROJECT, SN_RANK_REGION, "regions", SN_TIMER(project), is_needed,
     sn_shape_matchings_project, .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES, .parallel = true},
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "region damping", SN_TIMER(update),
     sn_shape_matchings_are_damped, sn_shape_matchings_damp,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES, .writes = SN_STATE_VELOCITIES,
     .parallel = true},
    {SN_STAGE_END, SN_RANK_PLASTICITY, "plastic regions", SN_TIMER(update), is_needed,
     sn_shape_matchings_flow, .reads = SN_STATE_POSITIONS, .writes = SN_STATE_PARAMETERS},
};

static const sn_object_column columns[] = {
    {"oriented", {"oriented"}, 0, 0, NULL},
    {"turn", {"turn"}, 0, 0, NULL},
    {"compliance", {"compliance"}, 0, 0, NULL},
    {"stiffness", {"stiffness"}, 0, 0, NULL},
    {"mode", {"mode"}, 0, 0, NULL},
    {"beta", {"beta"}, 0, 0, NULL},
    {"damping", {"damping"}, 0, 0, NULL},
    {"yield", {"plastic_yield"}, 0, 0, NULL},
    {"creep", {"plastic_creep"}, 0, 0, NULL},
    {"limit", {"plastic_limit"}, 0, 0, NULL},
    {"sums", {"sums"}, 0, 0, NULL},
    {"member", {"members"}, 0, 0, NULL},
    {"centre", {"centres"}, 0, 0, NULL},
    {"rest_q", {"rest_orientations"}, 0, 0, NULL},
    {"moment", {"moments"}, 0, 0, NULL},
    {"fibre_count", {"fibre_count"}, 0, 1, NULL},
    {"fibre_share", {"fibre_share"}, 0, 1, NULL},
};

SN_DEFINE_OBJECT(shape_matching, SN_SHAPE_MATCHING_FIELDS, "shape matching",
                 "shape matching of nodes of any bodies, in regions that overlap",
                 .columns = columns, .column_count = sizeof columns / sizeof *columns)
static const sn_object *const objects[] = {&sn_shape_matching_object};

const sn_system sn_shape_matching_system = {
    .name = "shape_matching",
    .size = sizeof(sn_shape_matchings),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .check_cut = check_cut,
    .free = release,
    .join = join,
    .forget_nodes = forget_nodes,
    .masses_changed = masses_changed,
    .serialize = sn_world_serialize_shape_matchings,
};
