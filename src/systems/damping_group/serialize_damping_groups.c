/* Damping groups to and from an archive, where they are called clusters. */
#include "state/serialize.h"
#include "systems/damping_group/damping_groups.h"

/* The nodes of a group, in a section of their own. */
static void serialize_damping_group(sn_archive *a, sn_world *world, size_t i) {
    sn_damping_group_members *m = &sn_damping_groups_of(world)->members[i];
    sn_archive_section(a, "cluster");
    size_t count = a->reading ? sn_archive_count(a, "node") : m->count;
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&m->node, &m->capacity, count + 1,
                                       sizeof *m->node));
    if (a->result == SN_OK) sn_serialize_nodes(world, a, m->node, count, "damping group", i);
    if (a->result == SN_OK) m->count = count;
    sn_object_serialize(&sn_damping_group_object, a, &m->def, sizeof m->def, 1, i);
    sn_archive_section_end(a);
}

void sn_world_serialize_damping_groups(sn_world *world, sn_archive *a) {
    sn_damping_groups *damping_groups = sn_damping_groups_of(world);
    sn_archive_section(a, "clusters");
    sn_serialize_slots(a, &damping_groups->slots, &world->memory, UINT32_MAX - 1);
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&damping_groups->members,
                                       &damping_groups->capacity, damping_groups->slots.count + 1,
                                       sizeof *damping_groups->members));
    sn_archive_section_end(a);
    for (size_t i = 0; i < damping_groups->slots.count && a->result == SN_OK; i++)
        if (damping_groups->slots.alive[i]) serialize_damping_group(a, world, i);
}
