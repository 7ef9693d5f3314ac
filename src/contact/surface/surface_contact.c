#include "contact/surface/surface_contact.h"

#include "base/error.h"
#include "collision/collider_pose.h"
#include "contact/ellipsoid.h"
#include "contact/friction.h"
#include "contact/recovery.h"
#include "contact/surface/most_slots.h"
#include "contact/surface/rolling_pair.h"
#include "contact/surface/surface_pair.h"

#include <stdatomic.h>
#include <string.h>

enum { NODES_ALONE = 1024, PAIRS_ALONE = 1024 };
enum { EACH = 8 }; /* pairs that may be found again for an element in a substep, in the mean */

/* ---- Life ---- */

/* One collision surface that does not collide with itself has no pairs. */
bool sn_surface_contact_is_needed(const sn_world *world) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    if (surfaces->slots.live != 1) return surfaces->slots.live > 1;
    for (size_t i = 0; i < surfaces->slots.count; i++)
        if (surfaces->slots.alive[i]) return surfaces->state[i].def.self;
    return false;
}

static void free_around(sn_surface_contact_around *around, sn_memory *memory) {
    sn_free(memory, around->begin, around->begin_capacity, sizeof *around->begin);
    sn_free(memory, around->item, around->item_capacity, sizeof *around->item);
}

void sn_surface_contacts_free(sn_surface_contacts *surface_contacts, sn_memory *memory) {
    if (!surface_contacts) return;
    for (int i = 0; i < SN_SURFACE_CONTACT_LISTS; i++) {
        sn_surface_elements *list = &surface_contacts->list[i];
        sn_free(memory, list->node, list->capacity, sizeof *list->node);
        sn_free(memory, list->low, list->box_capacity, sizeof *list->low);
        sn_free(memory, list->high, list->box_capacity, sizeof *list->high);
        sn_free(memory, list->at, list->at_capacity, sizeof *list->at);
    }
    sn_image_pairs_free(&surface_contacts->image, memory);
    sn_surface_bvh_free(&surface_contacts->tree, memory);
    free_around(&surface_contacts->edges_of, memory);
    free_around(&surface_contacts->triangles_of, memory);
    free_around(&surface_contacts->bonds.of, memory);
    sn_free(memory, surface_contacts->bonds.end, surface_contacts->bonds.capacity,
            sizeof *surface_contacts->bonds.end);
    sn_free(memory, surface_contacts->point_of, surface_contacts->point_capacity,
            sizeof *surface_contacts->point_of);
    sn_free(memory, surface_contacts->partner, surface_contacts->partner_capacity,
            sizeof *surface_contacts->partner);
    sn_free(memory, surface_contacts->place, surface_contacts->place_capacity,
            sizeof *surface_contacts->place);
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        sn_broad_free(&surface_contacts->broad[kind], memory);
        sn_free(memory, surface_contacts->heap[kind].pair, surface_contacts->heap[kind].capacity,
                sizeof *surface_contacts->heap->pair);
    }
    sn_free(memory, surface_contacts->displacement, surface_contacts->node_capacity,
            sizeof *surface_contacts->displacement);
    sn_free(memory, surface_contacts->side, surface_contacts->side_capacity,
            sizeof *surface_contacts->side);
    sn_free(memory, surface_contacts->is_moved, surface_contacts->node_capacity,
            sizeof *surface_contacts->is_moved);
    sn_free(memory, surface_contacts->flight, surface_contacts->flight_capacity,
            sizeof *surface_contacts->flight);
    sn_free(memory, surface_contacts->given, surface_contacts->given_capacity,
            sizeof *surface_contacts->given);
    sn_free(memory, surface_contacts->struck, surface_contacts->struck_capacity,
            sizeof *surface_contacts->struck);
    sn_free(memory, surface_contacts->tangled, surface_contacts->tangled_capacity,
            sizeof *surface_contacts->tangled);
    sn_free(memory, surface_contacts->moved, surface_contacts->node_capacity,
            sizeof *surface_contacts->moved);
    sn_free(memory, surface_contacts->low, surface_contacts->box_capacity,
            sizeof *surface_contacts->low);
    sn_free(memory, surface_contacts->high, surface_contacts->box_capacity,
            sizeof *surface_contacts->high);
    sn_free(memory, surface_contacts->fresh, surface_contacts->fresh_capacity,
            sizeof *surface_contacts->fresh);
    sn_free(memory, surface_contacts->mark, surface_contacts->mark_capacity,
            sizeof *surface_contacts->mark);
    sn_contact_partition_free(&surface_contacts->partition, memory);
    sn_previous_positions_free(&surface_contacts->was, memory);
    sn_contact_exclusion_free(&surface_contacts->exclusion, memory);
    sn_free(memory, surface_contacts, 1, sizeof *surface_contacts);
}

/* ---- The plan ---- */

static bool reserve(sn_world *world, sn_surface_contacts *m) {
    size_t nodes = world->nodes.slots.count;
    sn_column columns[] = {{(void **)&m->displacement, sizeof *m->displacement},
                           {(void **)&m->is_moved, sizeof *m->is_moved},
                           {(void **)&m->moved, sizeof *m->moved}};
    if (!sn_reach_reserve(&sn_collision_surfaces_of(world)->reach, &world->memory, nodes))
        return false;
    if (m->bounces && (!sn_reserve(&world->memory, (void **)&m->flight, &m->flight_capacity, nodes,
                                   sizeof *m->flight) ||
                       !sn_reserve(&world->memory, (void **)&m->given, &m->given_capacity, nodes,
                                   sizeof *m->given)))
        return false;
    if (!sn_reserve(&world->memory, (void **)&m->tangled, &m->tangled_capacity, nodes,
                    sizeof *m->tangled))
        return false;
    if (nodes <= m->node_capacity) return true;
    size_t grown = sn_columns_grow(&world->memory, columns, 3, 0, m->node_capacity, nodes);
    if (grown > 0) m->node_capacity = grown;
    return grown > 0;
}

static bool bounces(const sn_collision_surface_def *def) {
    return def->restitution > 0;
}

static bool has_bounce(const sn_world *world) {
    return sn_collision_surfaces_any(sn_collision_surfaces_of(world), bounces) ||
           sn_contact_materials_bounce(sn_contact_materials_of(world));
}

/* Whether the pairs of the step before will do for this one. Sleepers count as if they were
   kinematic, and what is tangled is not as it was found. */
static bool holds(const sn_world *world, double dt, double h) {
    const sn_reach *reach = &sn_collision_surfaces_of(world)->reach;
    return reach->kept && world->sleep.count == 0 && reach->found + reach->horizon + 0.5 * h > dt;
}

/* Finds the pairs, and makes sets of them. */
static bool find(sn_world *world, double dt) {
    sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    m->finds = 1;
    m->again = m->swept = 0;
    m->listed = surfaces->reach.kept = false;
    surfaces->reach.found = 0;
    sn_limiter_forget(world);
    m->listed = sn_surface_contact_find(world, m, dt, 0) && sn_surface_contact_pack(world, m);
    return m->listed;
}

/* Goes on with those of the step before; a snapshot has what they are found from. */
static bool go_on(sn_world *world) {
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    m->finds = 0;
    m->again = m->swept = 0;
    sn_limiter_forget(world);
    if (m->listed)
        sn_surface_contact_renew(world, m);
    else
        m->listed = sn_surface_contact_find_kept(world, m) && sn_surface_contact_pack(world, m);
    return m->listed;
}

static void forget_pairs(sn_world *world) {
    sn_collision_surfaces_of(world)->reach.kept = false;
    for (int kind = 0; sn_surface_contacts_of(world) && kind < SN_SURFACE_CONTACT_KINDS; kind++)
        sn_surface_contacts_of(world)->set[kind].count =
            sn_surface_contacts_of(world)->set[kind].rounds = 0;
}

bool sn_surface_contact_plan(sn_world *world, double dt, double h) {
    if (!sn_surface_contact_is_needed(world)) {
        forget_pairs(world);
        return true;
    }
    sn_contacts *contacts = sn_contacts_of(world);
    if (!contacts->surface) {
        contacts->surface = sn_allocate(&world->memory, 1, sizeof *contacts->surface);
        if (!contacts->surface) return false;
        contacts->surface->set = contacts->set;
        contacts->surface->old = contacts->old;
        sn_collision_surfaces_of(world)->changed = true; /* none of them is listed yet */
    }
    sn_surface_contacts *m = contacts->surface;
    m->dt = dt;
    m->h = h;
    m->whole = true;
    m->bounces = has_bounce(world);
    m->layered = sn_layered_pairs_are_needed(world);
    if (!sn_surface_elements_update(world, m) || !reserve(world, m) ||
        !sn_previous_positions_reserve(world, &m->was) ||
        !sn_contact_exclusion_find(world, &world->memory, &m->exclusion))
        return false;
    if (!(holds(world, dt, h) ? go_on(world) : find(world, dt)) || !sn_limiter_reserve(world) ||
        !sn_surface_restitution_reserve(world, m, 0))
        return false;
    sn_surface_contact_recall(world, m);
    if (!sn_untangle_plan(world)) return false;
    sn_untangle_loosen(world);
    sn_layered_pairs_orient(world);
    sn_tangled_pairs_find(world);
    return true;
}

/* ---- Who was not where it was expected ---- */

/* Pairs that are found again, and those before. */
typedef struct carrying {
    const sn_contact_set *old, *set;
} carrying;

/* Where the pairs of a set that are not before a pair begin. */
static size_t seek(const sn_contact_set *set, const sn_contact_pair *pair) {
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const sn_contact_pair *at = &set->pair[middle];
        if (at->a < pair->a || (at->a == pair->a && at->b < pair->b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What has happened to a pair in this step goes with it. To most nothing has: what was never pushed
   has a side, and perhaps a slide and an offset of its neighbours in a block, which nobody asks
   for. */
static void carry(const sn_contact_set *set, uint32_t slot, const sn_contact_set *old,
                  uint32_t was) {
    bool pushed = *sn_contact_at(old, was, SN_ROW_PUSH) != 0 ||
                  *sn_contact_at(old, was, SN_ROW_NORMAL_IMPULSE) != 0;
    if (pushed) {
        sn_contact_carry(set, slot, old, was);
        return;
    }
    for (int row = SN_ROW_NORMAL; row <= SN_ROW_CROSSED; row++)
        *sn_contact_at(set, slot, row) = *sn_contact_at(old, was, row);
}

static void carry_range(void *context, size_t begin, size_t end) {
    const sn_contact_set *old = ((carrying *)context)->old, *set = ((carrying *)context)->set;
    for (size_t i = seek(old, &set->pair[begin]), k = begin; k < end; k++) {
        const sn_contact_pair *pair = &set->pair[k];
        while (i < old->count && (old->pair[i].a < pair->a ||
                                  (old->pair[i].a == pair->a && old->pair[i].b < pair->b)))
            i++;
        if (i == old->count) break;
        const sn_contact_pair *was = &old->pair[i];
        if (was->a != pair->a || was->b != pair->b) continue;
        carry(set, pair->slot, old, was->slot);
    }
}

static void swap(sn_surface_contacts *m) {
    sn_contact_set kept[SN_SURFACE_CONTACT_KINDS];
    memcpy(kept, m->set, sizeof kept);
    memcpy(m->set, m->old, sizeof kept);
    memcpy(m->old, kept, sizeof kept);
}

static void say_missed(sn_world *world) {
    sn_world_say(world, SN_LOG_WARNING,
                 "contacts cannot be found again, and some may be missed in this step: %s",
                 sn_last_error());
}

double sn_surface_contact_most_work(const sn_surface_contacts *surface_contacts,
                                    const sn_substep *substep) {
    return (double)sn_surface_contact_most_slots(surface_contacts) +
           EACH * (double)sn_surface_contact_elements(surface_contacts) *
               (substep->dt / substep->h);
}

/* Where nodes always go far from where they are expected, a step that may begin with a million
   pairs would look at as many again and again, for minutes. */
static bool may_find_again(const sn_surface_contacts *m, const sn_substep *substep) {
    const double most = sn_surface_contact_most_work(m, substep);
    if (m->again <= most) return true;
    sn_fail(SN_ERROR_LIMIT,
            "contact: more than %.0f pairs were found again within the step, expected at most so "
            "many; speeds or forces are too large for things of their size",
            most);
    return false;
}

/* What was asked for is as much as what is found, also where there is no room for it. */
static void count_again(sn_surface_contacts *m, bool found) {
    if (!found) m->again += (double)sn_surface_contact_most_slots(m);
    for (int kind = 0; found && kind < SN_SURFACE_CONTACT_KINDS; kind++)
        m->again += (double)m->set[kind].count;
}

/* Finds the pairs again from where everything is now. Without memory the old ones are kept. */
static void find_again(sn_world *world, const sn_substep *substep) {
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    double time = (1 - substep->done) * substep->dt;
    m->whole = false;
    bool may = may_find_again(m, substep);
    bool room = may && sn_surface_contact_find(world, m, time, substep->h);
    if (room) {
        sn_limiter_forget(world);
        swap(m);
        room = sn_surface_contact_pack(world, m) && sn_contact_events_reserve(world, 0) &&
               sn_limiter_reserve(world) && sn_surface_restitution_reserve(world, m, 0);
        if (room)
            for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
                carrying c = {&m->old[kind], &m->set[kind]};
                sn_team_run(world->bindings.team, m->set[kind].count, PAIRS_ALONE, carry_range, &c);
            }
        else
            swap(m), m->partition.lost = true;
        sn_untangle_loosen(world);
        sn_layered_pairs_orient(world);
        sn_tangled_pairs_hold(world);
    }
    sn_collision_surfaces_of(world)->reach.found = substep->done * substep->dt;
    m->finds++;
    if (may) count_again(m, room);
    if (!room) say_missed(world);
}

/* Finds the pairs of those nodes again that were not where they were expected. */
static bool refit_moved(sn_world *world, const sn_substep *substep) {
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    const sn_reach *reach = &sn_collision_surfaces_of(world)->reach;
    double since = substep->done * substep->dt - reach->found;
    double time = reach->horizon - since, left = (1 - substep->done) * substep->dt;
    m->whole = false;
    if (time < substep->h) time = substep->h;
    bool may = may_find_again(m, substep);
    bool room =
        may &&
        sn_surface_pairs_refit_moved(world, m, time < left ? time : left, substep->h, since) &&
        sn_limiter_reserve(world);
    if (may && !room) count_again(m, false);
    sn_untangle_loosen(world);
    sn_layered_pairs_orient(world);
    sn_tangled_pairs_hold(world);
    if (!room) say_missed(world);
    return room;
}

typedef struct pass {
    sn_world *world;
    const sn_substep *substep;
    atomic_bool outrun;
} pass;

static void watch_range(void *context, size_t begin, size_t end) {
    pass *p = context;
    const sn_world *world = p->world;
    const sn_surface_contacts *m = sn_surface_contacts_of(world);
    const sn_reach reach = sn_collision_surfaces_of(world)->reach;
    const sn_vec4 *x = world->nodes.x, *d = world->nodes.d;
    const uint32_t *node = m->list[SN_SURFACE_CONTACT_POINT].node;
    uint8_t *is_moved = m->is_moved;
    double time = p->substep->will * p->substep->dt - reach.found;
    bool any = false;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = node[k];
        bool moves = !sn_surface_pair_is_near(x, &reach, i, sn_v4_load(&d[i]), time);
        is_moved[i] = moves;
        any |= moves;
    }
    if (any) atomic_store_explicit(&p->outrun, true, memory_order_relaxed);
}

static void list_moved(sn_surface_contacts *m) {
    const sn_surface_elements *points = &m->list[SN_SURFACE_CONTACT_POINT];
    m->moved_count = 0;
    for (size_t k = 0; k < points->count; k++) {
        m->moved[m->moved_count] = points->node[k];
        m->moved_count += m->is_moved[points->node[k]];
    }
}

/* Pairs of nodes that have gone elsewhere stay, and what is found of a few takes blocks of its own:
   whether those are half of what there may be. */
static bool are_full(const sn_surface_contacts *m) {
    const size_t most = sn_surface_contact_most_slots(m);
    bool any = false;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++)
        any |= m->set[kind].blocks * SN_CONTACT_BLOCK > most / 2;
    return any;
}

/* Lists those that have moved; whether they are so many that it is cheaper to find all pairs
   again, which is later where trees are walked. */
static bool are_many(const sn_world *world) {
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    size_t part = m->list[SN_SURFACE_CONTACT_TRIANGLE].count > 0 ? 3 : 8;
    list_moved(m);
    if (are_full(m)) return true;
    /* Images are looked for all at once. */
    if (sn_world_is_periodic(world)) return true;
    return part * m->moved_count > m->list[SN_SURFACE_CONTACT_POINT].count;
}

bool sn_surface_pairs_follow_moved(sn_world *world, const sn_substep *substep) {
    list_moved(sn_surface_contacts_of(world));
    return refit_moved(world, substep);
}

/* ---- Substeps ---- */

static sn_surface_contact_batch batch_of(const sn_world *world, const sn_contact_set *set,
                                         double h) {
    const sn_previous_positions *was = &sn_surface_contacts_of(world)->was;
    return (sn_surface_contact_batch){.x = world->nodes.x,
                                      .p = world->nodes.p,
                                      .d = world->nodes.d,
                                      .was_x = was->known ? was->x[1 - was->now] : NULL,
                                      .was_p = was->known ? was->p[1 - was->now] : NULL,
                                      .moved = was->moved,
                                      .predicted =
                                          world->history.used ? world->history.predicted : NULL,
                                      .w = sn_world_contact_w(world),
                                      .node = set->node,
                                      .row = set->row,
                                      .layered = sn_surface_contacts_of(world)->layered,
                                      .recovers = &sn_contacts_of(world)->recovers,
                                      .h = (sn_real)h,
                                      .slight = sn_contact_slight(world, (sn_real)h)};
}

void sn_surface_contact_detect(sn_world *world, const sn_substep *substep) {
    if (!sn_surface_contact_is_needed(world)) return;
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    pass p = {.world = world, .substep = substep};
    sn_previous_positions_note(world, substep);
    sn_team_run(world->bindings.team, m->list[SN_SURFACE_CONTACT_POINT].count, NODES_ALONE,
                watch_range, &p);
    /* With half a substep of patience, so that rounding does not decide. */
    const sn_reach *reach = &sn_collision_surfaces_of(world)->reach;
    bool late = substep->will * substep->dt > reach->found + reach->horizon + 0.5 * substep->h;
    bool outrun = atomic_load_explicit(&p.outrun, memory_order_relaxed);
    if (late || (outrun && are_many(world)))
        find_again(world, substep);
    else if (outrun)
        (void)refit_moved(world, substep);
    sn_ellipsoid_limits(world);
    if (m->bounces) sn_surface_restitution_begin(world, substep->h);
}

typedef struct sweep {
    sn_period period;
    sn_surface_contact_loop *loop[SN_SURFACE_CONTACT_KINDS];
    sn_surface_contact_batch batch[SN_SURFACE_CONTACT_KINDS];
    const sn_contact_set *set;
    size_t first; /* of the groups at hand */
} sweep;

static void sweep_group(const sweep *s, int kind, size_t group) {
    const sn_contact_set *set = &s->set[kind];
    size_t groups = sn_contact_groups(set);
    for (size_t round = 0; round < set->rounds; round++) {
        const size_t *first = set->first + round * (groups + 1) + group;
        if (first[0] < first[1]) s->loop[kind](&s->batch[kind], first[0], first[1]);
    }
}

static void sweep_range(void *context, size_t begin, size_t end) {
    const sweep *s = context;
    for (size_t i = begin; i < end; i++)
        for (int kind = SN_SURFACE_CONTACT_KINDS - 1; kind >= 0; kind--)
            sweep_group(s, kind, s->first + i);
}

/* Within slabs, across every other cut, across the others, and what is left. */
static void sweep_all(sn_world *world, const sn_substep *substep, sn_width width, bool recovers,
                      bool first, bool last) {
    const sn_contact_set *set = sn_surface_contacts_of(world)->set;
    sweep s = {.set = set, .period = sn_period_of(world)};
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        const sn_surface_kind_loops *loops = sn_surface_kind_of(kind)->loops[width];
        s.loop[kind] = recovers ? loops->recover : loops->project;
        s.batch[kind] = batch_of(world, &set[kind], substep->h);
        s.batch[kind].first = first;
        s.batch[kind].last = last;
    }
    if (sn_world_is_periodic(world)) s.batch[SN_CONTACT_POINT_POINT].period = &s.period;
    if (!recovers && sn_rolling_pair_is_needed(world))
        s.batch[SN_CONTACT_POINT_POINT].rolling = world;
    for (int i = 0; i < SN_CONTACT_LAYERS; i++) {
        s.first = sn_contact_layer(set, i);
        sn_team_run(world->bindings.team, sn_contact_layer(set, i + 1) - s.first, 2, sweep_range,
                    &s);
    }
}

void sn_surface_contact_project(sn_world *world, const sn_substep *substep, bool first, bool last) {
    if (!sn_surface_contact_is_needed(world)) return;
    sn_lane_trial *trial = &world->bindings.lanes[SN_TRIED_SURFACE_CONTACT];
    size_t pairs = 0;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++)
        pairs += sn_surface_contacts_of(world)->set[kind].count;
    sn_width width = sn_lane_trial_begin(world, trial, pairs);
    sweep_all(world, substep, width, false, first, last);
    sn_lane_trial_end(world, trial);
}

void sn_surface_contact_recover(sn_world *world, const sn_substep *substep) {
    if (!sn_surface_contact_is_needed(world)) return;
    const sn_lane_trial *trial = &world->bindings.lanes[SN_TRIED_SURFACE_CONTACT];
    sweep_all(world, substep, sn_lanes_of(world, trial), true, false, false);
}

/* ---- Bouncing ---- */

bool sn_surface_contact_bounces(const sn_world *world) {
    return sn_surface_contacts_of(world) && sn_surface_contacts_of(world)->bounces &&
           sn_surface_contact_is_needed(world);
}

/* ---- The kinds ---- */

const sn_contact_group sn_surface_contact_group = {
    .find = SN_RANK_SURFACES,
    .is_needed = sn_surface_contact_is_needed,
    .bounces = sn_surface_contact_bounces,
    .strikes = sn_surface_contact_bounces,
    .plan = sn_surface_contact_plan,
    .detect = sn_surface_contact_detect,
    .project = sn_surface_contact_project,
    .recover = sn_surface_contact_recover,
    .bounce = sn_surface_contact_bounce,
    .end = sn_surface_contact_end,
};
