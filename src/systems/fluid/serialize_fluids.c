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

/* Those that wait to be a part of another, where there are any. */
static void serialize_spares(sn_archive *a, sn_world *world, size_t i) {
    sn_fluid_members *m = &sn_fluids_of(world)->members[i];
    if (a->reading && !sn_archive_is_next(a, "spares")) return;
    if (!a->reading && m->spares == 0) return;
    sn_archive_section(a, "spares");
    size_t count = a->reading ? sn_archive_count(a, "node") : m->spares;
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&m->spare, &m->spare_capacity,
                                       count + 1, sizeof *m->spare));
    if (a->result == SN_OK) sn_serialize_nodes(world, a, m->spare, count, "fluid", i);
    if (a->result == SN_OK) m->spares = count;
    sn_archive_column(a, "finest", SN_ARCHIVE_REAL, &m->finest, 1);
    if (a->reading && a->result == SN_OK && !(m->finest > 0 && m->finest <= SN_REAL_MAX))
        sn_archive_fail(a, "fluid %zu has %g for the inverse mass of its finest particles", i,
                        (double)m->finest);
    sn_archive_section_end(a);
}

static bool nth(const sn_world *world, size_t i, size_t k, sn_node *node) {
    const sn_fluid_members *m = &sn_fluids_of(world)->members[i];
    if (k < m->count + m->spares) *node = k < m->count ? m->node[k] : m->spare[k - m->count];
    return k < m->count + m->spares;
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
        if (fluids->slots.alive[i]) {
            serialize_fluid(a, world, i);
            if (a->result == SN_OK) serialize_spares(a, world, i);
        }
    sn_serialize_check_once(world, a, &fluids->slots, nth, "fluid");
}
