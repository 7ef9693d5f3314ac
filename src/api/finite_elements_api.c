/* The public calls on finite elements. */
#include "api/call.h"
#include "api/check.h"
#include "systems/finite_elements/element_sets.h"

#define ID SN_ID_AS(sn_finite_elements, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "finite_elements_create", SN_PART_DEF | SN_PART_ARRAYS, 0,                        \
         &sn_finite_elements_object,                                                               \
         sn_finite_elements_create(world, call->def, &(sn_finite_elements){0}))                    \
    CALL(DESTROY, "finite_elements_destroy", SN_PART_ID, 0, NULL,                                  \
         sn_finite_elements_destroy(world, ID))
SN_DEFINE_CALLS(finite_elements, CALLS, .next = NULL)

static sn_result check_elements(const sn_world *world, sn_finite_elements elements) {
    return sn_slots_check(&sn_element_sets_of(world)->slots, SN_ID(elements), world->tag,
                          "finite elements");
}

static void wake_members(sn_world *world, const sn_element_set *set) {
    world->sleep.joints_changed = true;
    for (size_t i = 0; i < 4 * set->tets; i++) sn_world_wake_node(world, set->node[i].slot - 1);
}

static void fill_set(const sn_world *world, const sn_finite_elements_def *def,
                     sn_element_set *set) {
    for (size_t i = 0; i < 4 * def->tet_count; i++) set->node[i] = def->nodes[def->tets[i]];
    for (size_t i = 0; i < 3 * def->tet_count; i++) {
        const sn_node *tet = set->node + i / 3 * 4;
        sn_v4 edge = *(const sn_v4 *)&world->nodes.x[tet[i % 3 + 1].slot - 1] -
                     *(const sn_v4 *)&world->nodes.x[tet[0].slot - 1];
        for (size_t k = 0; k < 3; k++) set->rest[3 * i + k] = edge[k];
    }
}

sn_result sn_finite_elements_create(sn_world *world, const sn_finite_elements_def *def,
                                    sn_finite_elements *elements) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(elements);
    SN_TRY(sn_object_check(&sn_finite_elements_object, def));
    SN_TRY(sn_object_check_arrays(&sn_finite_elements_object, def));
    SN_TRY(sn_check_members(world, "finite elements", def->nodes, def->node_count));
    SN_TRY(sn_check_tets(world, "finite elements", def->nodes, def->tets, def->tet_count));
    sn_element_sets *all = sn_element_sets_of(world);
    sn_element_set set = {.def = *def};
    sn_object_forget_arrays(&sn_finite_elements_object, &set.def);
    if (!sn_element_sets_reserve(all, &world->memory) ||
        !sn_element_set_reserve(&set, &world->memory, def->tet_count)) {
        sn_element_set_free(&set, &world->memory);
        return SN_ERROR_MEMORY;
    }
    fill_set(world, def, &set);
    uint32_t index = sn_slots_take(&all->slots);
    all->state[index] = set;
    all->elements.made = false;
    wake_members(world, &set);
    *elements = (sn_finite_elements){index + 1, all->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_finite_elements_destroy(sn_world *world, sn_finite_elements elements) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_elements(world, elements));
    sn_element_sets *all = sn_element_sets_of(world);
    wake_members(world, &all->state[elements.slot - 1]);
    sn_element_sets_remove(all, &world->memory, elements.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(elements));
    return SN_OK;
}

bool sn_finite_elements_is_valid(const sn_world *world, sn_finite_elements elements) {
    return world && sn_slots_has(&sn_element_sets_of(world)->slots, SN_ID(elements), world->tag);
}

sn_result sn_finite_elements_get(const sn_world *world, sn_finite_elements elements,
                                 sn_finite_elements_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_elements(world, elements));
    const sn_element_set *set = &sn_element_sets_of(world)->state[elements.slot - 1];
    *def = set->def;
    def->tet_count = set->tets;
    return SN_OK;
}

sn_result sn_finite_elements_count(const sn_world *world, sn_finite_elements elements,
                                   size_t *integrated, size_t *matched) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(integrated);
    SN_CHECK_POINTER(matched);
    SN_TRY(check_elements(world, elements));
    const sn_elements *all = &sn_element_sets_of(world)->elements;
    *integrated = *matched = 0;
    for (size_t i = 0; all->made && i < all->count; i++)
        if (all->element[i].set + 1 == elements.slot) ++*(all->matched[i] ? matched : integrated);
    return SN_OK;
}

sn_result sn_world_finite_elements_at(const sn_world *world, size_t slot,
                                      sn_finite_elements *elements) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(elements);
    const sn_slots *slots = &sn_element_sets_of(world)->slots;
    SN_TRY(sn_check_slot(slots, slot, "finite elements"));
    *elements = (sn_finite_elements){(uint32_t)slot + 1, slots->generation[slot], world->tag};
    return SN_OK;
}
