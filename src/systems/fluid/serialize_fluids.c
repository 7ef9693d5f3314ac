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

/* A node is one particle at most: two threads would move it otherwise. */
static void check_once(sn_archive *a, sn_world *world) {
    const sn_fluids *fluids = sn_fluids_of(world);
    size_t nodes = world->nodes.slots.count;
    uint8_t *taken = sn_allocate(&world->memory, nodes + 1, sizeof *taken);
    sn_serialize_had(a, taken != NULL);
    for (size_t i = 0; i < fluids->slots.count; i++)
        for (size_t k = 0; k < fluids->members[i].count && a->result == SN_OK; k++) {
            uint32_t slot = fluids->members[i].node[k].slot;
            if (taken[slot]++)
                sn_archive_fail(a, "fluid %zu has node %u, which is in a fluid already", i, slot);
        }
    sn_free(&world->memory, taken, nodes + 1, sizeof *taken);
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
    if (a->reading && a->result == SN_OK) check_once(a, world);
}
