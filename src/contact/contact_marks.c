/*
 * Which nodes touched something in a substep, for constraints that leave those alone.
 *
 * What touches has been pushed apart in one of the sweeps; that is known from the pairs themselves,
 * so that the loops have nothing to write for this. From one thread, because pairs share nodes.
 */
#include "contact/contacts.h"
#include "state/serialize.h"

#include <string.h>

bool sn_contact_marks_plan(sn_world *world) {
    sn_contact_marks *marks = &sn_contacts_of(world)->marks;
    size_t asking = 0, count = world->nodes.slots.count;
    for (size_t i = 0; i < world->store_count; i++)
        asking += world->store[i].trait[SN_TRAIT_SPARING];
    bool on = asking > 0;
    if (on && !sn_reserve(&world->memory, (void **)&marks->node, &marks->capacity, count + 1,
                          sizeof *marks->node))
        return false;
    if (on && !marks->on) memset(marks->node, 0, marks->capacity);
    marks->on = on;
    return true;
}

/* ---- A substep ---- */

static void mark_pairs(const sn_contact_set *set, int kind, uint8_t *mark) {
    for (size_t i = 0; i < set->count; i++) {
        uint32_t slot = set->pair[i].slot;
        if (!(*sn_contact_at(set, slot, SN_ROW_PUSH) > 0)) continue;
        for (int n = 0; n < sn_contact_nodes(kind); n++)
            mark[*sn_contact_node_at(set, kind, slot, n) / SN_NODE_BYTES] = 1;
    }
}

void sn_contact_marks_update(sn_world *world) {
    sn_contacts *contacts = sn_contacts_of(world);
    memset(contacts->marks.node, 0, contacts->marks.capacity);
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        mark_pairs(&contacts->set[kind], kind, contacts->marks.node);
}

/* ---- Snapshots ---- */

void sn_contact_marks_serialize(sn_world *world, sn_archive *a) {
    sn_contact_marks *marks = &sn_contacts_of(world)->marks;
    size_t count = world->nodes.slots.count;
    if (a->reading ? !sn_archive_has(a, "touched") : !marks->on) return;
    if (a->reading &&
        !sn_serialize_had(a, sn_reserve(&world->memory, (void **)&marks->node, &marks->capacity,
                                        count + 1, sizeof *marks->node)))
        return;
    sn_archive_filled(a, "touched", SN_ARCHIVE_U8, marks->node, 1, 1, marks->capacity, count);
    if (a->reading) sn_serialize_check_flags(a, "touched", marks->node, count);
    marks->on = true;
}
