/* Who has met in a step, and what the next one must know of it. */
#include "collision/collider_pose.h"
#include "contact/surface/surface_pair.h"

enum { PAIRS_ALONE = 1024, PIECES = 32 };

/* ---- The order of meetings ---- */

static int compare(const sn_surface_contact *a, const sn_surface_contact *b) {
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    for (int i = 0; i < SN_SURFACE_CONTACT_MOST_NODES; i++)
        if (a->nodes[i].slot != b->nodes[i].slot)
            return a->nodes[i].slot < b->nodes[i].slot ? -1 : 1;
    return 0;
}

static bool is_same(const sn_surface_contact *a, const sn_surface_contact *b) {
    for (int i = 0; i < SN_SURFACE_CONTACT_MOST_NODES; i++)
        if (a->nodes[i].generation != b->nodes[i].generation) return false;
    return compare(a, b) == 0;
}

/* ---- The end of a step ---- */

/* What the meeting of a pair is known by. */
static sn_surface_contact key_of(const sn_world *world, int kind, const uint32_t *node) {
    sn_surface_contact key = {.kind = (sn_surface_contact_kind)kind};
    for (int i = 0; i < sn_surface_pair_nodes(kind); i++)
        key.nodes[i] = (sn_node){node[i] + 1, world->nodes.slots.generation[node[i]], world->tag};
    return key;
}

static sn_surface_contact contact_of(const sn_world *world, int kind, const sn_surface_pair *pair) {
    const sn_surface_contact_set *set = &world->surface_contacts->set[kind];
    const sn_nodes *n = &world->nodes;
    uint32_t node[SN_SURFACE_CONTACT_MOST_NODES];
    int nodes = sn_surface_pair_nodes(kind), first = sn_surface_pair_first[kind];
    sn_surface_pair_node_list(world->surface_contacts, kind, pair->a, pair->b, node);
    sn_surface_contact m = key_of(world, kind, node);
    sn_real weight[SN_SURFACE_CONTACT_MOST_NODES];
    (void)sn_surface_pair_between_any(n, kind, node, weight);
    sn_v4 point = {0};
    for (int i = 0; i < nodes; i++) {
        m.weights[i] = i < first ? weight[i] : -weight[i];
        point += SN_R(0.5) * m.weights[i] * sn_v4_load(&n->x[node[i]]);
    }
    m.point = (sn_vec3){point[0], point[1], point[2]};
    const sn_real row[7] = {*sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_NORMAL),
                            *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_NORMAL + 1),
                            *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_NORMAL + 2),
                            *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_IMPULSE),
                            *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_IMPULSE + 1),
                            *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_IMPULSE + 2),
                            *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_PRESSURE)};
    m.normal = (sn_vec3){row[0], row[1], row[2]};
    /* An impulse that is beyond all numbers is none. */
    bool counts = sn_v4_is_finite((sn_v4){row[3], row[4], row[5], 0}) && row[6] - row[6] == 0;
    if (counts) {
        m.impulse = (sn_vec3){row[3], row[4], row[5]};
        m.pressure = row[6];
    }
    return m;
}

/* m: what friction has still to take back of a pair that touched to the end of the step, with its
   motion in the last substep. */
static sn_v4 stuck_of(const sn_world *world, int kind, const sn_surface_pair *pair,
                      const sn_surface_contact *event) {
    const sn_surface_contact_set *set = &world->surface_contacts->set[kind];
    const sn_previous_positions *was = &world->surface_contacts->was;
    const sn_nodes *n = &world->nodes;
    sn_v4 stuck = {*sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_OFFSET),
                   *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_OFFSET + 1),
                   *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_OFFSET + 2), 0};
    for (int i = 0; i < sn_surface_pair_nodes(kind); i++) {
        uint32_t at = event->nodes[i].slot - 1;
        sn_v4 moved = (sn_v4_load(&n->x[at]) - sn_v4_load(&was->x[was->now][at])) +
                      (sn_v4_load(&n->p[at]) - sn_v4_load(&was->p[was->now][at]));
        stuck += (i < sn_surface_pair_first[kind] ? event->weights[i] : -event->weights[i]) * moved;
    }
    stuck[3] = 0;
    bool holds = *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_PUSH) > 0 &&
                 sn_v4_is_finite(stuck);
    return holds ? stuck : (sn_v4){0, 0, 0, 0};
}

/* Whether a meeting is one of sleepers, and so stays as it is. */
static bool is_asleep(const sn_world *world, const sn_surface_contact *event) {
    bool asleep = false;
    for (int i = 0; i < sn_surface_pair_nodes((int)event->kind); i++) {
        uint32_t node = event->nodes[i].slot - 1;
        if (sn_world_contact_w(world)[node] > 0) return false;
        asleep |= sn_sleep_has(&world->sleep, world->nodes.body[node]);
    }
    return asleep;
}

/* All nodes of an element count: they may belong to several bodies. */
static void note_touch(sn_world *world, const sn_surface_contact *event) {
    if (event->phase == SN_CONTACT_END || is_asleep(world, event)) return;
    for (int i = 1; i < sn_surface_pair_nodes((int)event->kind); i++)
        sn_world_note_contact(world, event->nodes[0].slot - 1, event->nodes[i].slot - 1);
}

/* Whether a meeting of the step before that is no more is told of: its nodes are still there. */
static bool is_told(const sn_world *world, const sn_surface_contact *old) {
    if (old->phase == SN_CONTACT_END) return false;
    for (int i = 0; i < sn_surface_pair_nodes((int)old->kind); i++)
        if (!sn_slots_has(&world->nodes.slots, SN_ID(old->nodes[i]), world->tag)) return false;
    return true;
}

static void write_end(const sn_world *world, const sn_surface_contact *old, size_t at) {
    sn_surface_contact *end = &world->surface_contacts->event[at];
    sn_vec4 *stuck = &world->surface_contacts->stuck[at];
    *end = *old;
    *stuck = world->surfaces.stuck[old - world->surfaces.event];
    end->phase = SN_CONTACT_STAY;
    if (is_asleep(world, old)) return;
    *stuck = (sn_vec4){0, 0, 0, 0};
    end->phase = SN_CONTACT_END;
    end->impulse = (sn_vec3){0, 0, 0};
    end->pressure = 0;
}

/* Where the meetings of the step before end; before the first there is no list. */
static const sn_surface_contact *last_of(const sn_collision_surfaces *surfaces) {
    return surfaces->events > 0 ? surfaces->event + surfaces->events : surfaces->event;
}

/* The first of them that is not before a key. */
static const sn_surface_contact *seek(const sn_collision_surfaces *surfaces,
                                      const sn_surface_contact *key) {
    const sn_surface_contact *low = surfaces->event;
    for (size_t count = surfaces->events; count > 0;) {
        size_t half = count / 2;
        if (compare(low + half, key) < 0) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

/* ---- What began, stayed and ended ---- */

/* A part of the pairs of a kind, and of the meetings of the step before: those from its first pair
   on that are before the first one of the next part. */
typedef struct piece {
    int kind;
    size_t begin, end;                    /* pairs */
    const sn_surface_contact *old, *last; /* of the step before */
    size_t at;                            /* where its meetings begin */
    size_t count, touched, crossed;
} piece;

typedef struct merging {
    sn_world *world;
    piece *piece;
    bool writes; /* otherwise meetings are counted */
} merging;

static void add_ends(const merging *m, piece *p, const sn_surface_contact **old,
                     const sn_surface_contact *last) {
    for (; *old < last; ++*old) {
        if (!is_told(m->world, *old)) continue;
        if (m->writes) write_end(m->world, *old, p->at + p->count);
        p->count++;
    }
}

/* Both lists are in order, so that one pass over them tells. */
static void merge_piece(const merging *m, piece *p) {
    const sn_world *world = m->world;
    const sn_surface_contact_set *set = &world->surface_contacts->set[p->kind];
    const sn_surface_contact *old = p->old;
    p->count = p->touched = p->crossed = 0;
    for (size_t k = p->begin; k < p->end; k++) {
        const sn_surface_pair *pair = &set->pair[k];
        bool touched = *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_PRESSURE) > 0;
        bool crossed = *sn_surface_contact_at(set, pair->slot, SN_SURFACE_CONTACT_CROSSED) > 0;
        p->crossed += crossed;
        if (!touched && !crossed) continue;
        uint32_t node[SN_SURFACE_CONTACT_MOST_NODES];
        sn_surface_pair_node_list(world->surface_contacts, p->kind, pair->a, pair->b, node);
        sn_surface_contact key = key_of(world, p->kind, node);
        const sn_surface_contact *before = old;
        while (before < p->last && compare(before, &key) < 0) before++;
        add_ends(m, p, &old, before);
        bool known = old < p->last && compare(old, &key) == 0;
        bool stays = known && is_same(old, &key) && old->phase != SN_CONTACT_END;
        old += known;
        if (m->writes) {
            sn_surface_contact event = contact_of(world, p->kind, pair);
            event.phase = stays ? SN_CONTACT_STAY : SN_CONTACT_BEGIN;
            sn_v4_store(&world->surface_contacts->stuck[p->at + p->count],
                        stuck_of(world, p->kind, pair, &event));
            world->surface_contacts->event[p->at + p->count] = event;
        }
        p->count++;
        p->touched++;
    }
    add_ends(m, p, &old, p->last);
}

static void merge_range(void *context, size_t begin, size_t end) {
    const merging *m = context;
    for (size_t i = begin; i < end; i++) merge_piece(m, &m->piece[i]);
}

/* Cuts the pairs of all kinds into pieces, of which there is at least one. */
static size_t list_pieces(const sn_world *world, piece all[SN_SURFACE_CONTACT_KINDS * PIECES]) {
    const sn_surface_contacts *m = world->surface_contacts;
    size_t count = 0;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        size_t pairs = m->set[kind].count, pieces = (pairs + PAIRS_ALONE - 1) / PAIRS_ALONE;
        if (pieces > PIECES) pieces = PIECES;
        for (size_t i = 0; i < pieces; i++) {
            size_t begin = pairs * i / pieces, end = pairs * (i + 1) / pieces;
            const sn_surface_pair *first = &m->set[kind].pair[begin];
            uint32_t node[SN_SURFACE_CONTACT_MOST_NODES];
            sn_surface_pair_node_list(m, kind, first->a, first->b, node);
            sn_surface_contact key = key_of(world, kind, node);
            all[count++] = (piece){
                .kind = kind, .begin = begin, .end = end, .old = seek(&world->surfaces, &key)};
        }
    }
    if (count == 0) all[count++] = (piece){.kind = 0};
    all[0].old = world->surfaces.event;
    for (size_t i = 0; i < count; i++)
        all[i].last = i + 1 < count ? all[i + 1].old : last_of(&world->surfaces);
    return count;
}

/* Returns how many meetings there are. Where pieces are shared, where each begins is known only
   when all have been counted. */
static size_t merge(sn_world *world) {
    piece all[SN_SURFACE_CONTACT_KINDS * PIECES];
    merging m = {.world = world, .piece = all};
    size_t pieces = list_pieces(world, all), count = 0;
    bool shared = pieces > 1 && sn_team_threads(world->team) > 1;
    if (shared) sn_team_run(world->team, pieces, 2, merge_range, &m);
    m.writes = true;
    for (size_t i = 0; i < pieces; i++) {
        all[i].at = count;
        if (!shared) merge_piece(&m, &all[i]);
        count += all[i].count;
        world->stats.penetrations += all[i].crossed;
        world->stats.contacts += all[i].touched;
    }
    if (shared) sn_team_run(world->team, pieces, 2, merge_range, &m);
    for (size_t i = 0; i < count; i++) note_touch(world, &world->surface_contacts->event[i]);
    return count;
}

/* Whether the next step may go on with the pairs of this one, if it is as long: nothing has become
   kinematic, no seam has opened, and nobody went another way. */
static void keep_reach(sn_world *world) {
    const sn_surface_contacts *m = world->surface_contacts;
    sn_reach *reach = &world->surfaces.reach;
    reach->found -= m->dt;
    reach->kept = m->whole && world->sleep.count == 0 && m->untangle.crossings == 0 &&
                  world->breaks == 0 && world->freezes == 0 &&
                  reach->found + reach->horizon + 0.5 * m->h > m->dt;
}

/* What was of this step is now of the last. */
static void swap_lists(sn_collision_surfaces *surfaces, sn_surface_contacts *m) {
    sn_surface_contact *event = surfaces->event;
    sn_vec4 *stuck = surfaces->stuck;
    size_t events = surfaces->event_capacity, stucks = surfaces->stuck_capacity;
    surfaces->event = m->event;
    surfaces->event_capacity = m->event_capacity;
    surfaces->stuck = m->stuck;
    surfaces->stuck_capacity = m->stuck_capacity;
    m->event = event;
    m->event_capacity = events;
    m->stuck = stuck;
    m->stuck_capacity = stucks;
}

void sn_surface_contact_end(sn_world *world) {
    sn_collision_surfaces *surfaces = &world->surfaces;
    sn_surface_contacts *m = world->surface_contacts;
    if (!m || !sn_surface_contact_is_needed(world)) {
        surfaces->events = 0;
        surfaces->reach.kept = false;
        return;
    }
    keep_reach(world);
    surfaces->events = merge(world);
    swap_lists(surfaces, m);
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++)
        world->stats.candidates += m->set[kind].count;
    world->stats.detections = m->finds;
    world->stats.crossings = m->untangle.crossings;
}

/* ---- The beginning of the next ---- */

/* What sticks goes on to do so: as if it had been pushed in a substep before this one. */
static void recall_stuck(const sn_surface_contact_set *set, uint32_t slot, const sn_vec4 *stuck) {
    const sn_real offset[3] = {stuck->x, stuck->y, stuck->z};
    for (int i = 0; i < 3; i++)
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_OFFSET + i) = offset[i];
    *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_PUSH) = 1;
}

/* A meeting of the last step goes on. Pairs that ended it on the wrong side of each other still
   belong on the other. */
static void recall_pair(const sn_surface_contact_set *set, uint32_t slot,
                        const sn_surface_contact *old, const sn_vec4 *stuck) {
    recall_stuck(set, slot, stuck);
    sn_v4 side = sn_v4_of(old->normal);
    sn_v4 now = {*sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_NORMAL),
                 *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_NORMAL + 1),
                 *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_NORMAL + 2), 0};
    if (!(sn_v4_dot(side, now) < 0)) return;
    for (int i = 0; i < 3; i++)
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_NORMAL + i) = side[i];
    *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_CROSSED) = 1;
}

typedef struct recalling {
    const sn_world *world;
    int kind;
} recalling;

static void recall_range(void *context, size_t begin, size_t end) {
    const recalling *r = context;
    const sn_world *world = r->world;
    const sn_collision_surfaces *surfaces = &world->surfaces;
    const sn_surface_contact_set *set = &world->surface_contacts->set[r->kind];
    const sn_surface_contact *old = NULL, *last = last_of(surfaces);
    for (size_t k = begin; k < end; k++) {
        uint32_t node[SN_SURFACE_CONTACT_MOST_NODES];
        sn_surface_pair_node_list(world->surface_contacts, r->kind, set->pair[k].a, set->pair[k].b,
                                  node);
        sn_surface_contact key = key_of(world, r->kind, node);
        if (!old) old = seek(surfaces, &key);
        while (old < last && compare(old, &key) < 0) old++;
        if (old == last) return;
        if (is_same(old, &key) && old->phase != SN_CONTACT_END)
            recall_pair(set, set->pair[k].slot, old, &surfaces->stuck[old - surfaces->event]);
    }
}

void sn_surface_contact_recall(sn_world *world, sn_surface_contacts *m) {
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS && world->surfaces.events > 0; kind++) {
        recalling r = {world, kind};
        sn_team_run(world->team, m->set[kind].count, PAIRS_ALONE, recall_range, &r);
    }
}
