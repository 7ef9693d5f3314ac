/* Finite elements to and from an archive: their nodes, and their shapes at rest. */
#include "math/matrix3.h"
#include "state/serialize.h"
#include "systems/finite_elements/element_sets.h"

static void check_tets(sn_archive *a, const sn_element_set *set, size_t i) {
    for (size_t k = 0; k < set->tets && a->result == SN_OK; k++) {
        double edge[9];
        for (int n = 0; n < 9; n++) edge[n] = (double)set->rest[9 * k + (size_t)n];
        double volume = sn_matrix3_det(edge) / 6;
        if (!(volume > 0 && volume < 1e30))
            sn_archive_fail(a, "tet %zu of finite elements %zu has the volume %g", k, i, volume);
        for (size_t n = 0; n < 4; n++)
            for (size_t m = 0; m < n; m++)
                if (set->node[4 * k + n].slot == set->node[4 * k + m].slot)
                    sn_archive_fail(a, "tet %zu of finite elements %zu has a node twice", k, i);
    }
}

static void serialize_set(sn_archive *a, sn_world *world, size_t i) {
    sn_element_set *set = &sn_element_sets_of(world)->state[i];
    sn_archive_section(a, "tets");
    sn_object_serialize(&sn_finite_elements_object, a, &set->def, sizeof set->def, 1, i);
    if (a->reading && a->result == SN_OK) {
        size_t nodes = sn_archive_count(a, "node");
        if (nodes == 0 || nodes % 4 > 0 || sn_archive_count(a, "rest") != nodes / 4 * 9)
            sn_archive_fail(a, "finite elements %zu have %zu corners", i, nodes);
        if (a->result == SN_OK)
            sn_serialize_had(a, sn_element_set_reserve(set, &world->memory, nodes / 4));
    }
    if (a->result == SN_OK)
        sn_serialize_nodes(world, a, set->node, 4 * set->tets, "finite elements", i);
    if (a->result == SN_OK) sn_archive_column(a, "rest", SN_ARCHIVE_REAL, set->rest, 9 * set->tets);
    if (a->reading && a->result == SN_OK) check_tets(a, set, i);
    sn_archive_section_end(a);
}

void sn_world_serialize_finite_elements(sn_world *world, sn_archive *a) {
    sn_element_sets *all = sn_element_sets_of(world);
    if (!sn_serialize_kept(world, a, "tetsets", &all->slots, (void **)&all->state, &all->capacity,
                           sizeof *all->state))
        return;
    for (size_t i = 0; i < all->slots.count && a->result == SN_OK; i++)
        if (all->slots.alive[i]) serialize_set(a, world, i);
}
