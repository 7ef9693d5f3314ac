#include "contact/contact_events.h"

enum { PAIRS_ALONE = 1024, PIECES = 32 };

bool sn_contact_events_reserve(sn_world *world, size_t more) {
    sn_contact_list *list = &world->contacts;
    size_t pairs = more, between = more;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++) {
        size_t count = sn_contact_kinds[kind]->report->pairs(world, kind);
        pairs += count;
        if (kind < SN_SURFACE_CONTACT_KINDS) between += count;
    }
    return sn_contact_list_reserve(list, &world->memory, list->count + pairs,
                                   sn_contact_list_begin(list, SN_SURFACE_CONTACT_KINDS) + between);
}

/* ---- What a contact is of ---- */

static bool is_there(const sn_world *world, const sn_contact *c) {
    for (int i = 0; i < sn_contact_listed((int)c->kind); i++)
        if (!sn_slots_has(&world->nodes.slots, SN_ID(c->nodes[i]), world->tag)) return false;
    return (int)c->kind < SN_SURFACE_CONTACT_KINDS ||
           sn_slots_has(&sn_colliders_of(world)->slots, SN_ID(c->collider), world->tag);
}

/* Slot + 1 of the node that carries its collider, or 0. */
static uint32_t carrier_of(const sn_world *world, const sn_contact *c) {
    bool has = (c->kind == SN_CONTACT_RIGID || c->kind == SN_CONTACT_TRIANGLE_COLLIDER) &&
               sn_slots_has(&sn_colliders_of(world)->slots, SN_ID(c->collider), world->tag);
    return has ? sn_colliders_of(world)->state[c->collider.slot - 1].carrier : 0;
}

/* Whether nothing of it is awake, so that it stays as it is. */
static bool is_asleep(const sn_world *world, const sn_contact *c) {
    bool asleep = false;
    const int listed = sn_contact_listed((int)c->kind);
    const uint32_t carrier = carrier_of(world, c);
    for (int i = 0; i < listed + (carrier > 0); i++) {
        uint32_t node = (i < listed ? c->nodes[i].slot : carrier) - 1;
        if (sn_world_contact_w(world)[node] > 0) return false;
        asleep |= sn_sleep_has(&world->sleep, world->nodes.body[node]);
    }
    return asleep;
}

/* All nodes of two elements count: they may belong to several bodies. */
static void note_touch(sn_world *world, const sn_contact *c) {
    if (c->phase == SN_CONTACT_END || is_asleep(world, c)) return;
    const uint32_t carrier = carrier_of(world, c);
    if (carrier) {
        const uint32_t node = c->nodes[0].slot - 1;
        sn_world_note_contact(world, node, carrier - 1);
        /* What has just come to lie on a sleeper may have stopped at once. */
        const uint32_t body[2] = {world->nodes.body[node], world->nodes.body[carrier - 1]};
        for (int i = 0; i < 2 && c->phase == SN_CONTACT_BEGIN; i++)
            if (sn_sleep_has(&world->sleep, body[i])) sn_world_wake_body(world, body[i]);
    }
    for (int i = 1; i < sn_contact_listed((int)c->kind); i++)
        sn_world_note_contact(world, c->nodes[0].slot - 1, c->nodes[i].slot - 1);
}

/* ---- What began, stayed and ended ---- */

/* A part of the pairs of a kind, and of its contacts in the step before: those from its first pair
   on that are before the first one of the next part. */
typedef struct piece {
    int kind;
    size_t begin, end; /* pairs */
    size_t old, last;  /* contacts of the step before */
    size_t at;         /* where its contacts begin */
    size_t count, ended, crossed;
} piece;

typedef struct merging {
    const sn_world *world;
    piece *piece;
    bool writes; /* otherwise contacts are counted */
} merging;

/* Where what friction has still to take back of a contact is. */
static sn_vec4 *stuck_at(const sn_contact_list *list, int kind, size_t at) {
    return kind < SN_SURFACE_CONTACT_KINDS ? &list->fresh_stuck[at] : NULL;
}

/* A contact of the step before that is no more. That of a sleeper stays as it is. */
static void write_end(const merging *m, piece *p, size_t old) {
    const sn_contact_list *list = &m->world->contacts;
    sn_contact *end = &list->fresh[p->at + p->count];
    sn_vec4 *stuck = stuck_at(list, p->kind, p->at + p->count);
    bool asleep = is_asleep(m->world, &list->contact[old]);
    *end = list->contact[old];
    if (stuck) *stuck = asleep ? list->stuck[old] : (sn_vec4){0, 0, 0, 0};
    end->phase = asleep ? SN_CONTACT_STAY : SN_CONTACT_END;
    if (asleep) return;
    end->impulse = (sn_vec3){0, 0, 0};
    end->normal_impulse = 0;
    p->ended++;
}

static void add_ends(const merging *m, piece *p, size_t old, size_t last) {
    for (; old < last; old++) {
        const sn_contact *c = &m->world->contacts.contact[old];
        if (c->phase == SN_CONTACT_END || !is_there(m->world, c)) continue;
        if (m->writes) write_end(m, p, old);
        p->count++;
    }
}

/* Both lists are in order, so that one pass over them tells. */
static void merge_piece(const merging *m, piece *p) {
    const sn_world *world = m->world;
    const sn_contact_list *list = &world->contacts;
    const sn_contact_report *report = sn_contact_kinds[p->kind]->report;
    size_t old = p->old;
    p->count = p->ended = p->crossed = 0;
    for (size_t k = p->begin; (k = report->next(world, p->kind, k, p->end)) < p->end; k++) {
        sn_contact contact = {.kind = (sn_contact_kind)p->kind};
        report->key(world, p->kind, k, &contact);
        size_t before = old;
        int order = 1;
        while (old < p->last && (order = sn_contact_compare(&list->contact[old], &contact)) < 0)
            old++;
        add_ends(m, p, before, old);
        bool known = old < p->last && order == 0;
        bool stays = known && sn_contact_is_same(&list->contact[old], &contact) &&
                     list->contact[old].phase != SN_CONTACT_END;
        old += known;
        if (m->writes) {
            contact.phase = stays ? SN_CONTACT_STAY : SN_CONTACT_BEGIN;
            size_t at = p->at + p->count;
            report->fill(world, p->kind, k, &contact, stuck_at(list, p->kind, at));
            list->fresh[at] = contact;
            p->crossed += report->crossed && report->crossed(world, p->kind, k);
        }
        p->count++;
    }
    add_ends(m, p, old, p->last);
}

static void merge_range(void *context, size_t begin, size_t end) {
    const merging *m = context;
    for (size_t i = begin; i < end; i++) merge_piece(m, &m->piece[i]);
}

/* Cuts the pairs of a kind into pieces, at least one; returns how many. */
static size_t list_pieces(const sn_world *world, int kind, piece *all) {
    const sn_contact_list *list = &world->contacts;
    size_t pairs = sn_contact_kinds[kind]->report->pairs(world, kind);
    size_t pieces = (pairs + PAIRS_ALONE - 1) / PAIRS_ALONE;
    pieces = pieces > PIECES ? PIECES : pieces > 0 ? pieces : 1;
    for (size_t i = 0; i < pieces; i++) {
        sn_contact first = {.kind = (sn_contact_kind)kind};
        all[i] =
            (piece){.kind = kind, .begin = pairs * i / pieces, .end = pairs * (i + 1) / pieces};
        if (i > 0) sn_contact_kinds[kind]->report->key(world, kind, all[i].begin, &first);
        all[i].old = sn_contact_list_seek(list, &first);
        if (i > 0) all[i - 1].last = all[i].old;
    }
    all[pieces - 1].last = sn_contact_list_begin(list, kind + 1);
    return pieces;
}

/* Returns how many contacts there are. Where pieces are shared, where each begins is known only
   when all have been counted. */
static size_t merge(sn_world *world) {
    piece all[SN_CONTACT_KINDS * PIECES];
    merging m = {.world = world, .piece = all};
    size_t pieces = 0, count = 0;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        if (sn_contact_kinds[kind]->group->is_needed(world))
            pieces += list_pieces(world, kind, all + pieces);
    bool shared = false;
    for (size_t i = 0; i < pieces; i++) shared |= all[i].begin > 0;
    shared = shared && sn_team_threads(world->bindings.team) > 1;
    if (shared) sn_team_run(world->bindings.team, pieces, 2, merge_range, &m);
    m.writes = true;
    for (size_t i = 0; i < pieces; i++) {
        all[i].at = count;
        if (!shared) merge_piece(&m, &all[i]);
        count += all[i].count;
    }
    if (shared) sn_team_run(world->bindings.team, pieces, 2, merge_range, &m);
    for (size_t i = 0; i < pieces; i++) {
        world->output.stats.contacts += all[i].count - all[i].ended;
        world->output.stats.penetrations += all[i].crossed;
    }
    return count;
}

void sn_contact_events_end(sn_world *world) {
    sn_contact_list *list = &world->contacts;
    sn_contact_list_swap(list, merge(world));
    if (!sn_sleep_is_on(world) && world->sleep.count == 0) return;
    size_t between = sn_contact_list_begin(list, SN_SURFACE_CONTACT_KINDS);
    for (size_t i = 0; i < between; i++) note_touch(world, &list->contact[i]);
    for (size_t i = sn_contact_list_begin(list, SN_CONTACT_RIGID); i < list->count; i++)
        note_touch(world, &list->contact[i]);
}

/* ---- Between steps ---- */

size_t sn_contact_events_depths(const sn_world *world, double *deepest) {
    const double slight = 1e-4;
    size_t deep = 0;
    *deepest = 0;
    for (size_t i = 0; i < world->contacts.count; i++) {
        const sn_contact *c = &world->contacts.contact[i];
        if (c->phase == SN_CONTACT_END || !is_there(world, c)) continue;
        double depth = sn_contact_kinds[c->kind]->report->depth(world, c);
        if (depth > *deepest) *deepest = depth;
        deep += depth > slight;
    }
    return deep;
}
