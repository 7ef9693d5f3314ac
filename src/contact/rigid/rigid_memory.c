/*
 * What contacts of bodies know from step to step: impulses, and the points of what has not moved. A
 * stack begins every step with what carries it.
 *
 * Kept are contacts that were pushed in the last substep, in the order of pairs, which is that of
 * the next step too. What was moved in between, by a call, begins anew.
 */
#include "collision/collider_pose.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_contact.h"
#include "state/serialize.h"

#include <string.h>

enum { KIND = SN_CONTACT_RIGID };

/* Of its size, or rad: by how much rounding may move a body between two steps. */
static const sn_real ALIKE = SN_R(1e-5);

void sn_rigid_memory_free(sn_rigid_memory *m, sn_memory *memory) {
    sn_free(memory, m->kept, m->capacity, sizeof *m->kept);
    *m = (sn_rigid_memory){0};
}

bool sn_rigid_memory_reserve(sn_world *world, size_t count) {
    sn_rigid_memory *m = &sn_contacts_of(world)->memory;
    return count == 0 ||
           sn_reserve(&world->memory, (void **)&m->kept, &m->capacity, count, sizeof *m->kept);
}

/* The frame of the first in that of the second, or where its point is on what nobody carries. */
static void pose_of(const sn_world *world, const sn_rigid_search *c, sn_v4 *turn, sn_v4 *at) {
    const sn_nodes *n = &world->nodes;
    const uint32_t a = c->node[0], b = c->node[1];
    sn_v4 first = sn_v4_load(&world->frames.q[n->frame[a] - 1]);
    sn_v4 place = sn_v4_load(&n->x[a]) + sn_v4_load(&n->d[a]);
    if (a != b) {
        sn_v4 back = sn_quat_conjugate(sn_v4_load(&world->frames.q[n->frame[b] - 1]));
        *turn = sn_quat_mul(back, first);
        *at = sn_quat_rotate(back, place - (sn_v4_load(&n->x[b]) + sn_v4_load(&n->d[b])));
        return;
    }
    const sn_collider_pose *on = &sn_collider_poses(world)[c->collider];
    if (c->manifold) {
        sn_v4 back = sn_quat_conjugate(sn_v4_load(&on->q));
        *turn = sn_quat_mul(back, first);
        *at = sn_quat_rotate(back, place - (sn_v4_load(&on->x) + sn_v4_load(&on->d)));
        return;
    }
    sn_v4 arm = sn_quat_rotate(first, sn_v4_load(&c->at));
    *turn = (sn_v4){0, 0, 0, 1};
    *at = sn_quat_rotate_back(sn_v4_load(&on->q),
                              (place - (sn_v4_load(&on->x) + sn_v4_load(&on->d))) + arm);
}

/* ---- Keeping ---- */

/* Parts of all pairs, which are kept one behind the other when each has been counted. */
typedef struct keeping {
    sn_world *world;
    bool writes;
} keeping;

static bool is_kept(const sn_contact_set *set, const sn_rigid_search *c, uint32_t slot) {
    if (!c->point || c->beside || (!c->leads && !(*sn_contact_at(set, slot, SN_ROW_PUSH) > 0)))
        return false;
    return c->manifold != SN_RIGID_APART || c->leads;
}

static void keep(const sn_world *world, const sn_rigid_search *c, sn_real *row, sn_rigid_kept *to) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_colliders *colliders = sn_colliders_of(world);
    const uint32_t own = t->own[c->point - 1];
    *to = (sn_rigid_kept){.own = own + 1,
                          .collider = c->collider + 1,
                          .own_generation = colliders->slots.generation[own],
                          .generation = colliders->slots.generation[c->collider],
                          .point = c->point - (uint32_t)t->form[own].point,
                          .part = c->part,
                          .manifold = c->manifold,
                          .seen = c->seen,
                          .at = c->at,
                          .on = c->on,
                          .normal = c->normal,
                          .push = *sn_row(row, SN_ROW_PUSH)};
    to->slide = (sn_vec3){*sn_row(row, SN_ROW_SLIDE), *sn_row(row, SN_ROW_SLIDE + 1),
                          *sn_row(row, SN_ROW_SLIDE + 2)};
    if (!c->leads) return;
    to->seen_turn = c->seen_turn;
    to->seen_at = c->seen_at;
}

/* Parts end between manifolds. */
static size_t part_begin(const sn_world *world, size_t part) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    size_t k = set->count * part / SN_RIGID_PIECES;
    while (k > 0 && k < set->count && set->pair[k].a == set->pair[k - 1].a) k++;
    return k;
}

static void keep_range(void *context, size_t begin, size_t end) {
    const keeping *all = context;
    const sn_world *world = all->world;
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    for (size_t part = begin; part < end; part++) {
        sn_rigid_kept *to = all->writes ? sn_contacts_of(world)->memory.kept + t->kept[part] : NULL;
        size_t count = 0;
        sn_v4 turn = {0}, at = {0};
        for (size_t k = part_begin(world, part), last = part_begin(world, part + 1); k < last;
             k++) {
            const uint32_t slot = set->pair[k].slot;
            const sn_rigid_search *c = &t->search[slot];
            if (!is_kept(set, c, slot)) continue;
            count++;
            if (!all->writes) continue;
            if (!c->follows) pose_of(world, c, &turn, &at);
            keep(world, c, sn_contact_rows(set, slot), to);
            sn_v4_store(&to->turn, turn);
            sn_v4_store(&to->place, at);
            to++;
        }
        if (!all->writes) t->kept[part + 1] = count;
    }
}

void sn_rigid_memory_keep(sn_world *world) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    keeping all = {.world = world};
    t->kept[0] = 0;
    sn_team_run(world->bindings.team, SN_RIGID_PIECES, 2, keep_range, &all);
    for (size_t part = 0; part < SN_RIGID_PIECES; part++) t->kept[part + 1] += t->kept[part];
    all.writes = true;
    sn_team_run(world->bindings.team, SN_RIGID_PIECES, 2, keep_range, &all);
    sn_contacts_of(world)->memory.count = t->kept[SN_RIGID_PIECES];
}

/* ---- Recalling ---- */

/* The order of pairs: of nodes, then of colliders, then of parts, then of points. */
static int compare(const sn_world *world, const sn_rigid_kept *was, const sn_rigid_search *c) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_colliders *colliders = sn_colliders_of(world);
    uint32_t own = t->own[c->point - 1], node = colliders->state[was->own - 1].carrier;
    if (node != c->node[0] + 1) return node < c->node[0] + 1 ? -1 : 1;
    if (was->collider != c->collider + 1) return was->collider < c->collider + 1 ? -1 : 1;
    if (was->own != own + 1) return was->own < own + 1 ? -1 : 1;
    if (was->part != c->part) return was->part < c->part ? -1 : 1;
    uint32_t point = c->point - (uint32_t)t->form[own].point;
    return was->point < point ? -1 : was->point > point;
}

/* Whether both are as the last step left them. */
static bool is_same(const sn_world *world, const sn_rigid_kept *was, sn_rigid_search *c) {
    const sn_slots *slots = &sn_colliders_of(world)->slots;
    if (slots->generation[was->own - 1] != was->own_generation ||
        slots->generation[was->collider - 1] != was->generation ||
        (c->manifold != SN_RIGID_NONE) != (was->manifold != SN_RIGID_NONE))
        return false;
    sn_v4 turn, at;
    pose_of(world, c, &turn, &at);
    sn_real size = (sn_real)sn_shape_reach(&sn_colliders_of(world)->state[was->own - 1].def);
    sn_v4 gone = at - sn_v4_load(&was->place), turned = turn - sn_v4_load(&was->turn);
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
    sn_team_run(world->bindings.team, SN_RIGID_PIECES, 2, recall_range, world);
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
void sn_rigid_memory_serialize(sn_world *world, sn_archive *a) {
    sn_rigid_memory *m = &sn_contacts_of(world)->memory;
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
    bool parts = false;
    for (size_t i = 0; !a->reading && i < n; i++) parts = parts || k[i].part > 0;
    if (a->result == SN_OK && n > 0) {
        sn_archive_member(a, "own", SN_ARCHIVE_U32, &k->own, s, 1, n);
        sn_archive_member(a, "collider", SN_ARCHIVE_U32, &k->collider, s, 1, n);
        sn_archive_member(a, "own_generation", SN_ARCHIVE_U16, &k->own_generation, s, 1, n);
        sn_archive_member(a, "generation", SN_ARCHIVE_U16, &k->generation, s, 1, n);
        sn_archive_member(a, "point", SN_ARCHIVE_U32, &k->point, s, 1, n);
        if (sn_archive_takes(a, "part", parts))
            sn_archive_member(a, "part", SN_ARCHIVE_U32, &k->part, s, 1, n);
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
