/* Finite elements as a system. */
#include "base/error.h"
#include "state/system.h"
#include "systems/finite_elements/element_sets.h"

#include <string.h>

static bool is_needed(const sn_world *world) {
    return sn_element_sets_of(world)->slots.live > 0;
}

static void drop_scratch(void *state, sn_memory *memory) {
    sn_elements_free(&((sn_element_sets *)state)->elements, memory);
}

static void release(void *state, sn_memory *memory) {
    sn_element_sets *all = state;
    drop_scratch(state, memory);
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_element_set_free(&all->state[i], memory);
    sn_free(memory, all->state, all->capacity, sizeof *all->state);
    sn_slots_free(&all->slots, memory);
}

static void join(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_element_sets *all = sn_element_sets_of(world);
    for (size_t i = 0; i < all->slots.count; i++)
        for (size_t k = 0; k < 4 * all->state[i].tets; k++)
            visit(context, all->state[i].node[k - k % 4].slot - 1, all->state[i].node[k].slot - 1);
}

static bool is_doomed(const sn_world *world, const sn_node node[4]) {
    for (int n = 0; n < 4; n++)
        if (world->nodes.slots.alive[node[n].slot - 1] == SN_DOOMED) return true;
    return false;
}

/* A tet goes with the first of its nodes. */
static void forget_nodes(sn_world *world) {
    sn_element_sets *all = sn_element_sets_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_element_set *set = &all->state[i];
        size_t kept = 0;
        if (!all->slots.alive[i]) continue;
        for (size_t k = 0; k < set->tets; k++) {
            if (is_doomed(world, set->node + 4 * k)) continue;
            memmove(set->node + 4 * kept, set->node + 4 * k, 4 * sizeof *set->node);
            memmove(set->rest + 9 * kept++, set->rest + 9 * k, 9 * sizeof *set->rest);
        }
        if (kept < set->tets) all->elements.made = false;
        set->tets = kept;
        if (kept == 0) sn_element_sets_remove(all, &world->memory, i);
    }
}

/* Elements have shapes of their own, which a cut would have to divide. */
static sn_result check_cut(const sn_world *world, sn_may_split *may, const void *context) {
    const sn_element_sets *all = sn_element_sets_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_split_list list = {all->state[i].node, 4 * all->state[i].tets,
                                    "finite elements that are integrated explicitly, set", i};
        SN_TRY(sn_split_check(&list, may, context));
    }
    return SN_OK;
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_OBJECTS, "finite elements", SN_TIMER(prepare), is_needed,
     .plan = sn_elements_plan},
    {SN_STAGE_BEGIN, 0, "step-size condition", SN_TIMER(prepare), is_needed, sn_elements_mark,
     .reads = SN_STATE_PARAMETERS, .writes = SN_STATE_PARAMETERS},
    {SN_STAGE_FORCES, SN_RANK_FIELDS, "finite elements", SN_TIMER(predict), is_needed,
     sn_elements_push, .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS,
     .writes = SN_STATE_ACCELERATIONS, .parallel = true},
    {SN_STAGE_PROJECT, SN_RANK_REGION, "matched elements", SN_TIMER(project), is_needed,
     sn_elements_match, .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS,
     .writes = SN_STATE_POSITIONS},
};

SN_DEFINE_OBJECT(finite_elements, SN_FINITE_ELEMENTS_FIELDS, "finite elements",
                 "tetrahedra that are integrated explicitly where the step allows it",
                 .check = NULL)
static const sn_object *const objects[] = {&sn_finite_elements_object};

const sn_system sn_finite_elements_system = {
    .name = "finite_elements",
    .size = sizeof(sn_element_sets),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .free = release,
    .drop_scratch = drop_scratch,
    .join = join,
    .forget_nodes = forget_nodes,
    .check_cut = check_cut,
    .serialize = sn_world_serialize_finite_elements,
};
