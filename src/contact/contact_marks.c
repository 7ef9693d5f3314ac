/*
 * Which nodes touched something in a substep: for constraints that leave those alone, and for
 * integrators that remember, whose bodies begin anew where they are struck, and where something
 * that was pressed hard comes free: what was held back by it goes off within a substep, as in an
 * impact.
 *
 * What touches has been pushed apart in one of the sweeps; that is known from the pairs themselves,
 * so that the loops have nothing to write for this. From one thread, because pairs share nodes.
 */
#include "contact/contacts.h"
#include "state/serialize.h"

#include <string.h>

bool sn_contact_marks_plan(sn_world *world, bool remembers) {
    sn_contact_marks *marks = &sn_contacts_of(world)->marks;
    size_t asking = 0;
    for (size_t i = 0; i < world->store_count; i++)
        asking += world->store[i].trait[SN_TRAIT_SPARING];
    marks->wanted = asking > 0 || remembers;
    marks->asked = asking > 0;
    return !marks->wanted || sn_reserve(&world->memory, (void **)&marks->node, &marks->capacity,
                                        world->nodes.slots.count + 1, sizeof *marks->node);
}

void sn_contact_marks_planned(sn_world *world) {
    sn_contact_marks *marks = &sn_contacts_of(world)->marks;
    if (marks->wanted && !marks->on) memset(marks->node, 0, marks->capacity);
    marks->on = marks->wanted;
}

/* ---- A substep ---- */

/* Bits of a mark; between substeps there are the first two alone, and the second only where an
   integrator remembers. */
enum {
    NOW = 1,
    HARD = 2,
    BEFORE = 4, /* what was NOW and HARD in the substep before */
    WAS_HARD = 8,
    IMPACT = 16,
    STRUCK = 32,
    KEPT = NOW | HARD
};

/* In weights of a node: what pushes harder than the first is an impact, and what pushed harder than
   the second lets go when it ends. Nodes below a body that rests carry some, now more, now less. */
#define IMPACT_WEIGHTS 4
#define HARD_WEIGHTS 6

static void mark_pairs(const sn_world *world, int kind, sn_real weight, uint8_t *mark) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[kind];
    const sn_colliders *colliders = sn_colliders_of(world);
    for (size_t i = 0; i < set->count; i++) {
        uint32_t slot = set->pair[i].slot;
        sn_real push = *sn_contact_at(set, slot, SN_ROW_PUSH);
        if (!(push > 0)) continue;
        int bits = push > IMPACT_WEIGHTS * weight ? NOW | IMPACT : NOW;
        if (push > HARD_WEIGHTS * weight) bits |= HARD;
        /* What passes an impact on may have touched before. */
        if (kind<SN_SURFACE_CONTACT_KINDS && * sn_contact_at(set, slot, SN_ROW_IMPACT)> 0)
            bits |= STRUCK;
        /* What is deep in each other is moved apart, which is no motion to go on with. */
        if (kind == SN_CONTACT_RIGID && sn_rigid_contacts_of(world)->search[slot].stuck)
            bits |= STRUCK;
        for (int n = 0; n < sn_contact_nodes(kind); n++)
            mark[*sn_contact_node_at(set, kind, slot, n) / SN_NODE_BYTES] |= (uint8_t)bits;
        const uint32_t carrier =
            kind == SN_CONTACT_TRIANGLE_COLLIDER ? colliders->state[set->pair[i].b].carrier : 0;
        if (carrier) mark[carrier - 1] |= (uint8_t)bits;
    }
}

/* m, what weight alone is pushed back by in a substep. */
static sn_real resting_push(const sn_world *world, double h) {
    sn_vec3 g = world->settings.gravity;
    double square =
        (double)g.x * (double)g.x + (double)g.y * (double)g.y + (double)g.z * (double)g.z;
    return (sn_real)(__builtin_sqrt(square) * h * h);
}

void sn_contact_marks_update(sn_world *world, bool remembers, double h) {
    sn_contacts *contacts = sn_contacts_of(world);
    uint8_t *mark = contacts->marks.node;
    size_t count = world->nodes.slots.count;
    for (size_t i = 0; i < count; i++) mark[i] = (uint8_t)((mark[i] & KEPT) * BEFORE);
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        mark_pairs(world, kind, resting_push(world, h), mark);
    for (size_t i = 0; i < count; i++) {
        bool hit = (mark[i] & ~HARD) == (NOW | IMPACT);
        bool freed = mark[i] == (BEFORE | WAS_HARD);
        if (remembers && (hit || freed || mark[i] & STRUCK))
            sn_history_strike(&world->history, world->nodes.body[i]);
        mark[i] &= remembers ? KEPT : NOW;
    }
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
    for (size_t i = 0; a->reading && i < count && a->result == SN_OK; i++)
        if (marks->node[i] > KEPT || marks->node[i] == HARD)
            sn_archive_fail(a, "touched %zu is %u, expected 0, 1 or 3", i, marks->node[i]);
    marks->on = true;
}
