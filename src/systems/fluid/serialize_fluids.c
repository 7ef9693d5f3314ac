/* Fluids to and from an archive. Worlds that never had one have no such section. */
#include "state/serialize.h"
#include "systems/fluid/fluids.h"

/* The nodes of a fluid, in a section of their own. */
static void serialize_fluid(sn_archive *a, sn_world *world, size_t i) {
    sn_fluid_members *m = &sn_fluids_of(world)->members[i];
    sn_archive_section(a, "fluid");
    size_t count = a->reading ? sn_archive_count(a, "node") : m->count;
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&m->node, &m->capacity, count + 1,
                                       sizeof *m->node));
    if (a->result == SN_OK) sn_serialize_nodes(world, a, m->node, count, "fluid", i);
    if (a->result == SN_OK) m->count = count;
    sn_object_serialize(&sn_fluid_object, a, &m->def, sizeof m->def, 1, i);
    sn_archive_section_end(a);
}

static sn_node_ids ids_of(const sn_world *world, size_t i) {
    const sn_fluid_members *m = &sn_fluids_of(world)->members[i];
    return (sn_node_ids){m->node, m->count, sizeof *m->node};
}

void sn_world_serialize_fluids(sn_world *world, sn_archive *a) {
    sn_fluids *fluids = sn_fluids_of(world);
    if (a->reading && !sn_archive_is_next(a, "fluids")) return;
    if (!a->reading && fluids->slots.count == 0) return;
    sn_archive_section(a, "fluids");
    sn_serialize_slots(a, &fluids->slots, &world->memory, UINT32_MAX - 1);
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&fluids->members, &fluids->capacity,
                                       fluids->slots.count + 1, sizeof *fluids->members));
    sn_archive_section_end(a);
    for (size_t i = 0; i < fluids->slots.count && a->result == SN_OK; i++)
        if (fluids->slots.alive[i]) serialize_fluid(a, world, i);
    sn_serialize_check_once(world, a, &fluids->slots, ids_of, "fluid");
}
