/* Drags to and from an archive. Worlds that never had one have no such section. */
#include "state/serialize.h"
#include "systems/aerodynamics/drags.h"

static void serialize_counts(sn_archive *a, sn_drags *d) {
    sn_archive_cursor cursor = sn_archive_open(a, "count", SN_ARCHIVE_U32, 2 * d->slots.count);
    for (size_t i = 0; i < d->slots.count && a->result == SN_OK; i++) {
        sn_drag_state *s = &d->state[i];
        uint32_t count = (uint32_t)s->count, corners = s->corners;
        sn_archive_next(a, &cursor, &count);
        sn_archive_next(a, &cursor, &corners);
        if (!a->reading || a->result != SN_OK) continue;
        bool good = d->slots.alive[i] ? count > 0 && (corners == 1 || corners == 2)
                                      : count == 0 && corners == 0;
        if (!good) sn_archive_fail(a, "drag %zu has %u elements of %u nodes", i, count, corners);
        s->count = count;
        s->corners = corners;
    }
}

static void check_nodes(sn_archive *a, const sn_world *world, size_t i) {
    const sn_drag_state *s = &sn_drags_of(world)->state[i];
    for (size_t k = 0; k < s->corners * s->count && a->result == SN_OK; k++) {
        uint32_t node = s->node[k];
        if (node >= world->nodes.slots.count || !world->nodes.slots.alive[node])
            sn_archive_fail(a, "drag %zu has node %u, which there is none of", i, node);
        else if (k % s->corners == 1 && node == s->node[k - 1])
            sn_archive_fail(a, "drag %zu has a line from node %u to itself", i, node);
    }
}

static void serialize_one(sn_archive *a, sn_world *world, size_t i) {
    sn_drag_state *s = &sn_drags_of(world)->state[i];
    size_t nodes = s->corners * s->count;
    sn_archive_section(a, "drag");
    /* What is read must be there in full before memory is had for it. */
    if (a->reading && a->result == SN_OK && sn_archive_count(a, "node") != nodes)
        sn_archive_fail(a, "drag %zu has %zu nodes, expected %zu", i, sn_archive_count(a, "node"),
                        nodes);
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_drag_state_reserve(s, &world->memory, nodes));
    if (a->result == SN_OK) {
        sn_archive_column(a, "node", SN_ARCHIVE_U32, s->node, nodes);
        sn_object_serialize(&sn_drag_object, a, &s->def, sizeof s->def, 1, i);
    }
    if (a->reading && a->result == SN_OK) check_nodes(a, world, i);
    sn_archive_section_end(a);
}

void sn_world_serialize_drags(sn_world *world, sn_archive *a) {
    sn_drags *d = sn_drags_of(world);
    if (a->reading && !sn_archive_is_next(a, "drags")) return;
    if (!a->reading && d->slots.count == 0) return;
    sn_archive_section(a, "drags");
    sn_serialize_slots(a, &d->slots, &world->memory, UINT32_MAX - 1);
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&d->state, &d->capacity,
                                       d->slots.count + 1, sizeof *d->state));
    if (a->result == SN_OK) serialize_counts(a, d);
    sn_archive_section_end(a);
    for (size_t i = 0; i < d->slots.count && a->result == SN_OK; i++)
        if (d->slots.alive[i]) serialize_one(a, world, i);
}
