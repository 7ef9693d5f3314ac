/*
 * Which nodes touched something in a substep: for constraints that leave those alone, and for
 * integrators that remember, whose bodies begin anew where they are struck, and where something
 * that was pressed hard comes free: what was held back by it goes off within a substep, as in an
 * impact.
 *
 * Bodies that touch begin anew together, since what keeps momentum between them is a motion; and
 * what is told of them counts substeps that go on from two as what they are. So do bodies that
 * joints hold together, whose forces an impact on one of them changes at once.
 *
 * What touches has been pushed apart in one of the sweeps; that is known from the pairs themselves,
 * so that the loops have nothing to write for this. From one thread, because pairs share nodes.
 */
#include "collision/collider_pose.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_links.h"
#include "state/serialize.h"

#include <string.h>

bool sn_contact_marks_plan(sn_world *world, bool remembers) {
    sn_contact_marks *marks = &sn_contacts_of(world)->marks;
    size_t asking = 0;
    for (size_t i = 0; i < world->store_count; i++)
        asking += world->store[i].trait[SN_TRAIT_SPARING];
    marks->wanted = asking > 0 || remembers;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        sn_contacts_of(world)->set[kind].remembers = sn_contacts_of(world)->old[kind].remembers =
            remembers;
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
    STOPPED = 64, /* HARD, and a body */
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
        /* What bounces does so at once, however little it has been pushed by then. */
        if (kind == SN_CONTACT_RIGID && *sn_contact_at(set, slot, SN_ROW_RESTITUTION) > 0)
            bits |= IMPACT;
        if (push > HARD_WEIGHTS * weight) bits |= kind == SN_CONTACT_RIGID ? HARD | STOPPED : HARD;
        /* What passes an impact on may have touched before. */
        if (kind<SN_SURFACE_CONTACT_KINDS && * sn_contact_at(set, slot, SN_ROW_IMPACT)> 0)
            bits |= STRUCK;
        /* What is deep in each other is moved apart, which is no motion to go on with. */
        if (kind == SN_CONTACT_RIGID && sn_rigid_contacts_of(world)->search[slot].stuck)
            bits |= STRUCK;
        /* A corner may strike while others touch. */
        if (kind == SN_CONTACT_RIGID && sn_rigid_contacts_of(world)->search[slot].struck)
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

static void mark_nodes(sn_world *world, bool remembers, double h) {
    sn_contacts *contacts = sn_contacts_of(world);
    uint8_t *mark = contacts->marks.node;
    size_t count = world->nodes.slots.count;
    for (size_t i = 0; i < count; i++) mark[i] = (uint8_t)((mark[i] & KEPT) * BEFORE);
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        mark_pairs(world, kind, resting_push(world, h), mark);
    for (size_t i = 0; i < count; i++) {
        bool hit = (mark[i] & ~(HARD | STOPPED)) == (NOW | IMPACT);
        /* What came just to where it touches is stopped in the substep after that. */
        hit = hit || (mark[i] & (STOPPED | WAS_HARD)) == STOPPED;
        bool freed = mark[i] == (BEFORE | WAS_HARD);
        if (remembers && (hit || freed || mark[i] & STRUCK))
            sn_history_strike(&world->history, world->nodes.body[i]);
        mark[i] &= remembers ? KEPT : NOW;
    }
}

/* ---- Bodies that touch or hang together, where an integrator remembers ---- */

int sn_contact_movable(const sn_world *world, int kind, const sn_contact_pair *pair,
                       uint32_t node[SN_CONTACT_MOST_NODES + 1]) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[kind];
    const sn_real *w = sn_world_contact_w(world);
    int count = 0, nodes = sn_contact_nodes(kind);
    uint32_t carrier =
        kind == SN_CONTACT_TRIANGLE_COLLIDER ? sn_colliders_of(world)->state[pair->b].carrier : 0;
    for (int n = 0; n < nodes + (carrier > 0); n++) {
        int32_t at = n < nodes ? *sn_contact_node_at(set, kind, pair->slot, n) / SN_NODE_BYTES
                               : (int32_t)carrier - 1;
        if (at >= 0 && w[at] > 0) node[count++] = (uint32_t)at;
    }
    return count;
}

static bool ends_second(const sn_history *history, uint32_t body) {
    return history->second[body] && !history->struck[body];
}

/* Of two that touch, the one that begins anew later. */
static uint8_t later(uint8_t a, uint8_t b) {
    if (a == SN_HISTORY_LATER || b == SN_HISTORY_LATER) return SN_HISTORY_LATER;
    return a == SN_HISTORY_NOT_READY || b == SN_HISTORY_NOT_READY ? SN_HISTORY_NOT_READY
                                                                  : SN_HISTORY_READY;
}

/* What bodies that touch do to each other is a motion here. It is the same change of both momenta
   only where both go on from it alike: if one of them begins anew, the other does. Whether any did
   that had not. */
static bool agree(sn_history *history, const sn_world *world, const uint32_t *node, int count) {
    uint8_t ready = SN_HISTORY_READY;
    bool second = true, changed = false;
    for (int n = 0; n < count; n++) {
        uint32_t body = world->nodes.body[node[n]];
        second = second && ends_second(history, body);
        ready = later(ready, history->ready[body]);
    }
    for (int n = 0; n < count; n++) {
        uint32_t body = world->nodes.body[node[n]];
        if (ends_second(history, body) == second && history->ready[body] == ready) continue;
        changed = true;
        history->struck[body] = history->struck[body] || (history->second[body] && !second);
        history->ready[body] = ready;
        history->settled = false;
    }
    return changed;
}

typedef struct agreement {
    sn_world *world;
    bool changed;
} agreement;

static void agree_joint(void *context, const uint32_t *node, int count) {
    agreement *a = context;
    a->changed |= agree(&a->world->history, a->world, node, count);
}

static void agree_all(sn_world *world) {
    bool changed = !world->history.settled;
    while (changed) {
        agreement joints = {world, false};
        sn_rigid_links_tell(world, agree_joint, &joints);
        changed = joints.changed;
        for (int kind = 0; kind < SN_CONTACT_KINDS; kind++) {
            const sn_contact_set *set = &sn_contacts_of(world)->set[kind];
            for (size_t i = 0; i < set->count; i++) {
                uint32_t node[SN_CONTACT_MOST_NODES + 1];
                if (!(*sn_contact_at(set, set->pair[i].slot, SN_ROW_PUSH) > 0)) continue;
                int count = sn_contact_movable(world, kind, &set->pair[i], node);
                changed |= agree(&world->history, world, node, count);
            }
        }
    }
}

/* ---- Impulses, where an integrator remembers ---- */

static sn_v4 impulse_at(const sn_contact_set *set, uint32_t slot) {
    sn_v4 sum = sn_row_vector(sn_contact_rows(set, slot), SN_ROW_IMPULSE);
    sum[3] = *sn_contact_at(set, slot, SN_ROW_NORMAL_IMPULSE);
    return sum;
}

bool sn_contact_impulses_reserve(sn_world *world) {
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++) {
        sn_contact_set *set = &sn_contacts_of(world)->set[kind];
        if (set->remembers && !sn_reserve(&world->memory, (void **)&set->had, &set->had_capacity,
                                          set->blocks * SN_CONTACT_BLOCK, sizeof *set->had))
            return false;
    }
    return true;
}

void sn_contact_impulses_begin(sn_world *world) {
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++) {
        const sn_contact_set *set = &sn_contacts_of(world)->set[kind];
        for (size_t i = 0; i < set->count && set->remembers; i++)
            sn_v4_store(&set->had[set->pair[i].slot], impulse_at(set, set->pair[i].slot));
    }
}

/* What an impulse of a pair is of what its sweeps took it for. These take a motion for h times a
   velocity, of which it is but a share where a body goes on from two substeps; nodes on colliders
   are seen with that share, as constraints see them. */
static double part_of(const sn_world *world, int kind, uint32_t node) {
    const sn_history *history = &world->history;
    uint32_t body = world->nodes.body[node];
    double seen = kind == SN_CONTACT_NODE_COLLIDER ? sn_history_share(history, body) : 1;
    return seen / sn_history_end_share(history, body);
}

static void count_impulse(sn_contacts *contacts, int kind, uint32_t slot, double part) {
    const sn_contact_set *set = &contacts->set[kind];
    sn_v4 lacks = (sn_real)(part - 1) * (impulse_at(set, slot) - sn_v4_load(&set->had[slot]));
    for (int k = 0; k < 3; k++) *sn_contact_at(set, slot, SN_ROW_IMPULSE + k) += lacks[k];
    *sn_contact_at(set, slot, SN_ROW_NORMAL_IMPULSE) += lacks[3];
    if (kind != SN_CONTACT_RIGID) return;
    sn_vec4 *before = &contacts->rigid.aside[slot].had;
    sn_v4_store(before, sn_v4_load(before) + lacks);
}

static void count_impulses(sn_world *world) {
    sn_contacts *contacts = sn_contacts_of(world);
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++) {
        const sn_contact_set *set = &contacts->set[kind];
        for (size_t i = 0; i < set->count; i++) {
            uint32_t node[SN_CONTACT_MOST_NODES + 1];
            if (sn_contact_movable(world, kind, &set->pair[i], node) == 0) continue;
            double part = part_of(world, kind, node[0]);
            if (part != 1) count_impulse(contacts, kind, set->pair[i].slot, part);
        }
    }
}

void sn_contact_marks_update(sn_world *world, bool remembers, double h) {
    mark_nodes(world, remembers, h);
    if (!remembers) return;
    sn_rigid_flying_begin_anew(world);
    agree_all(world);
    count_impulses(world);
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
