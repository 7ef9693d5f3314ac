/*
 * What contacts of bodies know from step to step: impulses, and the points of what has not moved. A
 * stack begins every step with what carries it.
 *
 * Kept are contacts that were pushed in the last substep, in the order of pairs, which is that of
 * the next step too. What was moved in between, by a call, begins anew.
 *
 * They stay in their slots until the next step has found its pairs, and go from there to the slots
 * of these, or on to the next step where pairs stay (rigid_found.c). A list of them is written only
 * for who asks: archives, and a step whose points have other numbers, as colliders have come or
 * gone. It says the same, so that it makes no difference whether a world was written and read.
 */
#include "base/memory.h"
#include "collision/collider_pose.h"
#include "collision/shapes/shape_points.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_contact.h"
#include "state/serialize.h"

#include <string.h>

enum { KIND = SN_CONTACT_RIGID, COLLIDERS_ALONE = 256 };

/* Of its size, or rad: by how much rounding may move a body between two steps. */
static const sn_real ALIKE = SN_R(1e-5);

void sn_rigid_memory_free(sn_rigid_memory *kept, sn_memory *memory) {
    sn_free(memory, kept->kept, kept->capacity, sizeof *kept->kept);
    sn_rigid_found_free(&kept->found, memory);
    *kept = (sn_rigid_memory){0};
}

/* While what it is for is in slots alone, there is nothing in it that would have to be copied. */
bool sn_rigid_memory_reserve(sn_world *world, size_t count) {
    sn_rigid_memory *m = &sn_contacts_of(world)->memory;
    if (sn_rigid_contacts_of(world)->unwritten || m->count == 0)
        return sn_renew(&world->memory, (void **)&m->kept, &m->capacity, count, sizeof *m->kept);
    return count == 0 ||
           sn_reserve(&world->memory, (void **)&m->kept, &m->capacity, count, sizeof *m->kept);
}

/* Where a collider is that nobody carries, or the node that does. */
static sn_rigid_pose place_of(const sn_world *world, size_t collider) {
    const sn_nodes *n = &world->nodes;
    const uint32_t node = sn_colliders_of(world)->state[collider].carrier;
    const sn_collider_pose *on = &sn_collider_poses(world)[collider];
    if (!node) return (sn_rigid_pose){sn_v4_load(&on->q), sn_v4_load(&on->x) + sn_v4_load(&on->d)};
    return (sn_rigid_pose){sn_v4_load(&world->frames.q[n->frame[node - 1] - 1]),
                           sn_v4_load(&n->x[node - 1]) + sn_v4_load(&n->d[node - 1])};
}

/* The frame of the first in that of the second, or where its point is on what nobody carries. */
static sn_rigid_pose seen_from(const sn_rigid_search *c, sn_rigid_pose own, sn_rigid_pose other) {
    if (c->node[0] != c->node[1] || c->manifold) {
        sn_v4 back = sn_quat_conjugate(other.turn);
        return (sn_rigid_pose){sn_quat_mul(back, own.turn),
                               sn_quat_rotate(back, own.at - other.at)};
    }
    sn_v4 arm = sn_quat_rotate(own.turn, sn_v4_load(&c->at));
    return (sn_rigid_pose){{0, 0, 0, 1},
                           sn_quat_rotate_back(other.turn, (own.at - other.at) + arm)};
}

/* ---- Keeping ---- */

/* What a collider is beside where it is, for points to have the numbers that they had. */
static sn_rigid_left what_is(const sn_world *world, size_t i) {
    const sn_colliders *colliders = sn_colliders_of(world);
    const sn_collider_state *c = &colliders->state[i];
    sn_rigid_left what = {.generation = colliders->slots.generation[i],
                          .alive = colliders->slots.alive[i]};
    if (!what.alive) return what;
    what.carrier = c->carrier;
    what.shape = c->def.shape;
    what.points = (uint32_t)sn_shape_points(&c->def, NULL);
    what.parts = what.shape == SN_SHAPE_COMPOUND ? (uint32_t)c->def.form->part_count : 0;
    return what;
}

static void leave_range(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_rigid_left *left = sn_rigid_contacts_of(world)->left;
    for (size_t i = begin; i < end; i++) {
        left[i] = what_is(world, i);
        if (!left[i].alive) continue;
        const sn_rigid_pose place = place_of(world, i);
        sn_v4_store(&left[i].turn, place.turn);
        sn_v4_store(&left[i].place, place.at);
    }
}

void sn_rigid_memory_keep(sn_world *world) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    sn_contacts_of(world)->memory.count = 0;
    t->unwritten = sn_rigid_contact_is_needed(world);
    if (!t->unwritten) return;
    t->left_count = sn_colliders_of(world)->slots.count;
    t->left_nodes = world->nodes.slots.count;
    sn_team_run(world->bindings.team, t->left_count, COLLIDERS_ALONE, leave_range, world);
}

bool sn_rigid_memory_is_kept(const sn_contact_set *set, const sn_rigid_search *c, uint32_t slot) {
    if (!c->point || c->beside || (!c->leads && !(*sn_contact_at(set, slot, SN_ROW_PUSH) > 0)))
        return false;
    return c->manifold != SN_RIGID_APART || c->leads;
}

static void keep(const sn_rigid_contacts *t, const sn_rigid_search *c, sn_real *row,
                 sn_rigid_pose seen, sn_rigid_kept *to) {
    const uint32_t own = t->own[c->point - 1];
    *to = (sn_rigid_kept){.own = own + 1,
                          .collider = c->collider + 1,
                          .own_generation = t->left[own].generation,
                          .generation = t->left[c->collider].generation,
                          .point = c->point - (uint32_t)t->form[own].point,
                          .part = c->part,
                          .crest = c->crest,
                          .spot = c->spot,
                          .manifold = c->manifold,
                          .seen = c->seen,
                          .at = c->at,
                          .on = c->on,
                          .normal = c->normal,
                          .push = *sn_row(row, SN_ROW_PUSH)};
    to->slide = (sn_vec3){*sn_row(row, SN_ROW_SLIDE), *sn_row(row, SN_ROW_SLIDE + 1),
                          *sn_row(row, SN_ROW_SLIDE + 2)};
    sn_v4_store(&to->turn, seen.turn);
    sn_v4_store(&to->place, seen.at);
    if (!c->leads && !c->crest) return;
    to->seen_turn = c->seen_turn;
    to->seen_at = c->seen_at;
}

/* How the first was seen from the second when the last step ended. */
static sn_rigid_pose left_by(const sn_rigid_contacts *t, const sn_rigid_search *c) {
    const sn_rigid_left *own = &t->left[t->own[c->point - 1]], *other = &t->left[c->collider];
    return seen_from(c, (sn_rigid_pose){sn_v4_load(&own->turn), sn_v4_load(&own->place)},
                     (sn_rigid_pose){sn_v4_load(&other->turn), sn_v4_load(&other->place)});
}

void sn_rigid_memory_write(sn_contacts *contacts) {
    sn_rigid_contacts *t = &contacts->rigid;
    const sn_contact_set *set = &contacts->set[KIND];
    sn_rigid_memory *m = &contacts->memory;
    sn_rigid_pose seen = {0};
    sn_rigid_blocks_write(contacts);
    if (!t->unwritten) return;
    for (size_t k = 0; k < set->count; k++) {
        const uint32_t slot = set->pair[k].slot;
        const sn_rigid_search *c = &t->search[slot];
        if (!sn_rigid_memory_is_kept(set, c, slot)) continue;
        if (!c->follows) seen = left_by(t, c);
        keep(t, c, sn_contact_rows(set, slot), seen, &m->kept[m->count++]);
    }
    t->unwritten = false;
}

/* ---- Recalling ---- */

/* The order of pairs: of nodes, then of colliders, then of parts, of points and of crests. */
static int compare(const sn_world *world, const sn_rigid_kept *was, const sn_rigid_search *c) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_colliders *colliders = sn_colliders_of(world);
    uint32_t own = t->own[c->point - 1], node = colliders->state[was->own - 1].carrier;
    if (node != c->node[0] + 1) return node < c->node[0] + 1 ? -1 : 1;
    if (was->collider != c->collider + 1) return was->collider < c->collider + 1 ? -1 : 1;
    if (was->own != own + 1) return was->own < own + 1 ? -1 : 1;
    if (was->part != c->part) return was->part < c->part ? -1 : 1;
    uint32_t point = c->point - (uint32_t)t->form[own].point;
    if (was->point != point) return was->point < point ? -1 : 1;
    if (was->crest != c->crest) return was->crest < c->crest ? -1 : 1;
    return was->spot < c->spot ? -1 : was->spot > c->spot;
}

/* Whether both are as the last step left them. */
static bool is_same(const sn_world *world, const sn_rigid_kept *was, const sn_rigid_search *c) {
    const sn_slots *slots = &sn_colliders_of(world)->slots;
    if (slots->generation[was->own - 1] != was->own_generation ||
        slots->generation[was->collider - 1] != was->generation ||
        (c->manifold != SN_RIGID_NONE) != (was->manifold != SN_RIGID_NONE))
        return false;
    const sn_rigid_pose now =
        seen_from(c, place_of(world, was->own - 1), place_of(world, c->collider));
    sn_real size = (sn_real)sn_shape_reach(&sn_colliders_of(world)->state[was->own - 1].def);
    sn_v4 gone = now.at - sn_v4_load(&was->place), turned = now.turn - sn_v4_load(&was->turn);
    return sn_v4_dot(gone, gone) < ALIKE * ALIKE * size * size &&
           sn_v4_dot(turned, turned) + turned[3] * turned[3] < ALIKE * ALIKE;
}

static void recall(const sn_rigid_kept *was, sn_rigid_search *c, sn_real *row) {
    if (c->manifold) {
        c->at = was->at;
        c->normal = was->normal;
        c->manifold = was->manifold;
        c->seen = was->seen;
        c->seen_turn = was->seen_turn;
        c->seen_at = was->seen_at;
        c->on = was->on;
    }
    *sn_row(row, SN_ROW_PUSH) = was->push;
    *sn_row(row, SN_ROW_SLIDE) = was->slide.x;
    *sn_row(row, SN_ROW_SLIDE + 1) = was->slide.y;
    *sn_row(row, SN_ROW_SLIDE + 2) = was->slide.z;
}

/* The first of those that are kept which does not come before a contact. */
static size_t seek(const sn_world *world, const sn_rigid_search *c) {
    const sn_rigid_memory *m = &sn_contacts_of(world)->memory;
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(world, &m->kept[middle], c) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Parts of all pairs end between manifolds. */
static size_t part_begin(const sn_world *world, size_t part) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    size_t k = set->count * part / SN_RIGID_PIECES;
    while (k > 0 && k < set->count && set->pair[k].a == set->pair[k - 1].a) k++;
    return k;
}

static void recall_range(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    const sn_rigid_memory *m = &sn_contacts_of(world)->memory;
    const sn_colliders *colliders = sn_colliders_of(world);
    const size_t last = part_begin(world, end);
    size_t was = 0;
    bool pair = false, sought = false;
    for (size_t k = part_begin(world, begin); k < last && was < m->count; k++) {
        sn_rigid_search *c = &t->search[set->pair[k].slot];
        if (!c->point || c->beside) continue;
        if (!sought) was = seek(world, c);
        sought = true;
        int order = 1;
        while (was < m->count && (order = compare(world, &m->kept[was], c)) < 0) was++;
        if (was == m->count || order != 0) continue;
        if (c->rim) c->at = m->kept[was].at;
        if (!c->follows)
            pair = colliders->slots.alive[c->collider] && is_same(world, &m->kept[was], c);
        if (pair) recall(&m->kept[was], c, sn_contact_rows(set, set->pair[k].slot));
    }
}

void sn_rigid_memory_recall(sn_world *world) {
    if (!sn_rigid_contacts_of(world)->carries)
        sn_team_run(world->bindings.team, SN_RIGID_PIECES, 2, recall_range, world);
}

/* ---- From slots to slots ---- */

typedef struct comparing {
    const sn_world *world;
    atomic_bool changed;
} comparing;

static void compare_range(void *context, size_t begin, size_t end) {
    comparing *all = context;
    const sn_rigid_left *left = sn_rigid_contacts_of(all->world)->left;
    bool changed = false;
    for (size_t i = begin; i < end && !changed; i++) {
        const sn_rigid_left now = what_is(all->world, i);
        changed = now.alive != left[i].alive || now.generation != left[i].generation ||
                  now.carrier != left[i].carrier || now.shape != left[i].shape ||
                  now.points != left[i].points || now.parts != left[i].parts;
    }
    if (changed) atomic_store_explicit(&all->changed, true, memory_order_relaxed);
}

/* Whether pairs that are found now have the numbers that they had in the last step. */
static bool is_as_left(const sn_world *world) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    comparing all = {.world = world};
    if (sn_colliders_of(world)->slots.count != t->left_count ||
        world->nodes.slots.count != t->left_nodes)
        return false;
    sn_team_run(world->bindings.team, t->left_count, COLLIDERS_ALONE, compare_range, &all);
    return !atomic_load_explicit(&all.changed, memory_order_relaxed);
}

void sn_rigid_memory_begin(sn_world *world) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    t->carries = t->source == SN_RIGID_FRESH && t->unwritten && is_as_left(world);
    if (t->source == SN_RIGID_STAY) return;
    if (t->carries)
        sn_rigid_contact_set_aside(world);
    else
        sn_rigid_memory_write(sn_contacts_of(world));
}

void sn_rigid_memory_planned(sn_world *world, bool success) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    if (t->carries && !success) sn_rigid_contact_set_aside(world);
    t->carries = false;
    if (success) sn_rigid_found_planned(world);
}

void sn_rigid_memory_carry(const sn_world *world, uint32_t from, uint32_t to) {
    const sn_contacts *contacts = sn_contacts_of(world);
    const sn_rigid_contacts *t = &contacts->rigid;
    const sn_contact_set *set = &contacts->set[KIND], *old = &contacts->old[KIND];
    const uint32_t points = t->search[to].leads ? SN_RIGID_MANIFOLD : 1;
    sn_rigid_pose seen = {0};
    for (uint32_t i = 0; i < points; i++, from += SN_CONTACT_BLOCK, to += SN_CONTACT_BLOCK) {
        const sn_rigid_search *was = &t->old[from];
        sn_rigid_search *c = &t->search[to];
        sn_rigid_kept kept;
        if (!sn_rigid_memory_is_kept(old, was, from)) continue;
        if (i == 0) seen = left_by(t, was);
        keep(t, was, sn_contact_rows(old, from), seen, &kept);
        if (c->rim) c->at = kept.at;
        if (i == 0 && !is_same(world, &kept, c)) return;
        recall(&kept, c, sn_contact_rows(set, to));
    }
}

/* The order of pairs of a node. */
static int compare_keys(const sn_rigid_contacts *t, const sn_rigid_key *a, const sn_rigid_key *b) {
    if (a->collider != b->collider) return a->collider < b->collider ? -1 : 1;
    const uint32_t first = t->own[a->point - 1], second = t->own[b->point - 1];
    if (first != second) return first < second ? -1 : 1;
    if (a->part != b->part) return a->part < b->part ? -1 : 1;
    if (a->point != b->point) return a->point < b->point ? -1 : 1;
    if (a->crest != b->crest) return a->crest < b->crest ? -1 : 1;
    return a->spot < b->spot ? -1 : a->spot > b->spot;
}

void sn_rigid_memory_match(void *world, size_t begin, size_t end) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (size_t i = begin; i < end; i++)
        for (size_t unit = t->unit[i], was = t->old_unit[i]; unit < t->unit[i + 1]; unit++) {
            const sn_rigid_key *key = &t->key[unit];
            int order = 1;
            t->from[unit] = SN_RIGID_NOBODY;
            if (!key->point) continue;
            for (; was < t->old_unit[i + 1]; was++) {
                const sn_rigid_key *old = &t->old_key[was];
                if (old->point && (order = compare_keys(t, old, key)) >= 0) break;
            }
            if (was < t->old_unit[i + 1] && order == 0) t->from[unit] = t->old_key[was].slot;
        }
}

/* ---- Archives ---- */

static void check_kept(const sn_world *world, sn_archive *a, const sn_rigid_kept *k, size_t i) {
    size_t colliders = sn_colliders_of(world)->slots.count;
    if (k->own == 0 || k->own > colliders || k->collider == 0 || k->collider > colliders)
        sn_archive_fail(a, "contact %zu of bodies is of colliders %u and %u, of %zu", i, k->own,
                        k->collider, colliders);
    if (k->manifold > SN_RIGID_SECOND || k->push < 0)
        sn_archive_fail(a, "contact %zu of bodies has owner %u and push %g", i, k->manifold,
                        (double)k->push);
}

/* Worlds in which no body touched anything have the bytes that they always had. */
static void serialize_kept(sn_world *world, sn_archive *a) {
    sn_rigid_memory *m = &sn_contacts_of(world)->memory;
    if (a->reading)
        sn_rigid_contacts_of(world)->unwritten = false;
    else
        sn_rigid_memory_write(sn_contacts_of(world));
    if (a->reading ? !sn_archive_is_next(a, "touching") : m->count == 0) return;
    sn_archive_section(a, "touching");
    if (a->reading) {
        size_t count = sn_archive_count(a, "push");
        m->count = 0;
        if (a->result == SN_OK && sn_serialize_had(a, sn_rigid_memory_reserve(world, count)))
            m->count = count;
        if (m->count > 0) memset(m->kept, 0, m->count * sizeof *m->kept);
    }
    const size_t n = m->count, s = sizeof *m->kept;
    sn_rigid_kept *k = m->kept;
    bool parts = false, crests = false;
    for (size_t i = 0; !a->reading && i < n; i++) {
        parts = parts || k[i].part > 0;
        crests = crests || k[i].crest > 0;
    }
    if (a->result == SN_OK && n > 0) {
        sn_archive_member(a, "own", SN_ARCHIVE_U32, &k->own, s, 1, n);
        sn_archive_member(a, "collider", SN_ARCHIVE_U32, &k->collider, s, 1, n);
        sn_archive_member(a, "own_generation", SN_ARCHIVE_U16, &k->own_generation, s, 1, n);
        sn_archive_member(a, "generation", SN_ARCHIVE_U16, &k->generation, s, 1, n);
        sn_archive_member(a, "point", SN_ARCHIVE_U32, &k->point, s, 1, n);
        if (sn_archive_takes(a, "part", parts))
            sn_archive_member(a, "part", SN_ARCHIVE_U32, &k->part, s, 1, n);
        if (sn_archive_takes(a, "crest", crests)) {
            sn_archive_member(a, "crest", SN_ARCHIVE_U32, &k->crest, s, 1, n);
            sn_archive_member(a, "spot", SN_ARCHIVE_U8, &k->spot, s, 1, n);
        }
        sn_archive_choices(a, "manifold", SN_ARCHIVE_U8, &k->manifold, sizeof k->manifold, s, n,
                           SN_RIGID_SECOND + 1);
        sn_archive_choices(a, "seen", SN_ARCHIVE_U8, &k->seen, sizeof k->seen, s, n, 2);
        sn_archive_member(a, "at", SN_ARCHIVE_REAL, &k->at, s, 4, n);
        sn_archive_member(a, "on", SN_ARCHIVE_REAL, &k->on, s, 3, n);
        sn_archive_member(a, "normal", SN_ARCHIVE_REAL, &k->normal, s, 3, n);
        sn_archive_member(a, "seen_turn", SN_ARCHIVE_REAL, &k->seen_turn, s, 4, n);
        sn_archive_member(a, "seen_at", SN_ARCHIVE_REAL, &k->seen_at, s, 3, n);
        sn_archive_member(a, "turn", SN_ARCHIVE_REAL, &k->turn, s, 4, n);
        sn_archive_member(a, "place", SN_ARCHIVE_REAL, &k->place, s, 3, n);
        sn_archive_member(a, "push", SN_ARCHIVE_REAL, &k->push, s, 1, n);
        sn_archive_member(a, "slide", SN_ARCHIVE_REAL, &k->slide, s, 3, n);
    }
    for (size_t i = 0; a->reading && i < n && a->result == SN_OK; i++)
        check_kept(world, a, &k[i], i);
    sn_archive_section_end(a);
}

void sn_rigid_memory_serialize(sn_world *world, sn_archive *a) {
    serialize_kept(world, a);
    sn_rigid_found_serialize(world, a);
}
