/*
 * Pairs of bodies that stay from step to step. What rests on each other has the same pairs in every
 * step: as long as no collider has gone further than pairs were found for, the next step goes on
 * with them, in the slots that they have, and nothing is found, put in order or copied.
 *
 * Slots follow from where everything was when pairs were found, so a snapshot has that, and a world
 * that was read finds the same pairs from it once more. Calls that could change them forget them
 * (all but those with SN_KEEPS_PAIRS in api/call.h), and so does what may change them within a
 * step: bodies that sleep, colliders that are moved and carried by nobody, nodes that carry
 * nothing, which are looked at in every step.
 */
#include "collision/broad_phase/collider_bvh.h"
#include "collision/collider_pose.h"
#include "collision/period.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_rounds.h"
#include "state/serialize.h"

#include <math.h>
#include <string.h>

enum {
    KIND = SN_CONTACT_RIGID,
    COLLIDERS_ALONE = 256,
    STEPS_AHEAD = 8,
    FEW = 32 /* one of so many */
};

static sn_rigid_found *found_of(const sn_world *world) {
    return &sn_contacts_of(world)->memory.found;
}

void sn_rigid_found_free(sn_rigid_found *f, sn_memory *memory) {
    sn_free(memory, f->x, f->x_capacity, sizeof *f->x);
    sn_free(memory, f->d, f->d_capacity, sizeof *f->d);
    sn_free(memory, f->q, f->q_capacity, sizeof *f->q);
    sn_free(memory, f->reach, f->reach_capacity, sizeof *f->reach);
}

bool sn_rigid_found_reserve(sn_world *world) {
    sn_rigid_found *f = found_of(world);
    sn_memory *memory = &world->memory;
    const size_t nodes = world->nodes.slots.count + 1, frames = world->frames.slots.count + 1;
    return sn_reserve(memory, (void **)&f->x, &f->x_capacity, nodes, sizeof *f->x) &&
           sn_reserve(memory, (void **)&f->d, &f->d_capacity, nodes, sizeof *f->d) &&
           sn_reserve(memory, (void **)&f->q, &f->q_capacity, frames, sizeof *f->q) &&
           sn_reserve(memory, (void **)&f->reach, &f->reach_capacity,
                      sn_colliders_of(world)->slots.count + 1, sizeof *f->reach);
}

/* ---- Whether they do ---- */

double sn_rigid_found_gone(const sn_world *world, size_t collider) {
    const sn_rigid_found *f = found_of(world);
    const sn_collider_state *c = &sn_colliders_of(world)->state[collider];
    const sn_nodes *n = &world->nodes;
    const uint32_t node = c->carrier - 1, frame = n->frame[node] - 1;
    sn_v4 gone = (sn_v4_load(&n->x[node]) - sn_v4_load(&f->x[node])) +
                 (sn_v4_load(&n->d[node]) - sn_v4_load(&f->d[node]));
    sn_v4 q = sn_v4_load(&world->frames.q[frame]), was = sn_v4_load(&f->q[frame]);
    /* A chord of the unit quaternions; the angle is at most pi times that. */
    double chord = 2 - 2 * fabs((double)(sn_v4_dot(q, was) + q[3] * was[3]));
    return sqrt((double)sn_v4_dot(gone, gone)) +
           3.15 * sqrt(chord > 0 ? chord : 0) * sn_collider_pose_reach(c);
}

/* Whether a collider that nobody carries is where it was, and stays there. */
static bool stands_still(const sn_collider_state *c) {
    const sn_vec3 v = c->def.velocity, w = c->def.angular_velocity;
    return !c->has_target && !(c->def.form && c->def.form->boundary.moves) &&
           sn_vec3_dot(v, v) + sn_vec3_dot(w, w) == 0;
}

typedef struct checking {
    const sn_world *world;
    double dt; /* s */
    atomic_bool moved;
} checking;

static void check_range(void *context, size_t begin, size_t end) {
    checking *all = context;
    const sn_world *world = all->world;
    const sn_colliders *colliders = sn_colliders_of(world);
    const double *reach = found_of(world)->reach;
    bool holds = true;
    for (size_t i = begin; i < end && holds; i++) {
        const sn_collider_state *c = &colliders->state[i];
        if (!colliders->slots.alive[i]) continue;
        holds = c->carrier ? sn_rigid_found_gone(world, i) +
                                     sn_collider_pose_displacement(world, i, all->dt, all->dt) <=
                                 reach[i] + sn_collider_pose_slack(c)
                           : stands_still(c);
    }
    if (!holds) atomic_store_explicit(&all->moved, true, memory_order_relaxed);
}

bool sn_rigid_found_holds(const sn_world *world, double dt) {
    const sn_colliders *colliders = sn_colliders_of(world);
    checking all = {.world = world, .dt = dt};
    if (!colliders->found || world->sleep.count > 0 ||
        world->nodes.slots.live != found_of(world)->bodies)
        return false;
    sn_team_run(world->bindings.team, colliders->slots.count, COLLIDERS_ALONE, check_range, &all);
    return !atomic_load_explicit(&all.moved, memory_order_relaxed);
}

/* ---- For how long ---- */

/*
 * Bodies that move little as a whole get room for several steps, each by its own speed and up to
 * its own size: otherwise a few that move, among many that rest, had all pairs found again in every
 * step. Where many move far, or one so fast that it has left such a room at once, pairs are those
 * of one step.
 */
void sn_rigid_found_look_ahead(sn_world *world, double dt) {
    const sn_colliders *colliders = sn_colliders_of(world);
    double sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < colliders->slots.count; i++) {
            if (!sn_rigid_is_carried(world, i)) continue;
            const sn_collider_state *c = &colliders->state[i];
            const double reach = sn_collider_pose_reach(c);
            const double way = sn_collider_pose_speed(world, c) * dt;
            const double room = fmin(STEPS_AHEAD * way, reach);
            sum += room / reach;
            if (pass > 0)
                sn_collider_poses(world)[i].most += room;
            else if (2 * way > reach || FEW * sum > (double)colliders->carried)
                return;
        }
}

/* ---- A step that is planned ---- */

/* How many nodes carry something. */
static uint32_t count_bodies(const sn_world *world) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    uint32_t bodies = 0;
    for (size_t i = 0; i < world->nodes.slots.count; i++)
        bodies += world->nodes.slots.alive[i] == 1 && t->point_begin[i] < t->point_begin[i + 1];
    return bodies;
}

static bool may_stay(const sn_world *world) {
    const sn_colliders *colliders = sn_colliders_of(world);
    if (sn_contacts_of(world)->set[KIND].count == 0 || world->sleep.count > 0 ||
        sn_rigid_contacts_of(world)->crowded || sn_world_is_periodic(world) ||
        world->nodes.slots.live != found_of(world)->bodies)
        return false;
    for (size_t i = 0; i < colliders->slots.count; i++)
        if (colliders->slots.alive[i] && !colliders->state[i].carrier &&
            !stands_still(&colliders->state[i]))
            return false;
    return true;
}

static void note(sn_world *world) {
    sn_rigid_found *f = found_of(world);
    sn_colliders *colliders = sn_colliders_of(world);
    colliders->found = false;
    if (sn_contacts_of(world)->set[KIND].count == 0) return;
    f->bodies = count_bodies(world);
    if (!may_stay(world)) return;
    memcpy(f->x, world->nodes.x, world->nodes.slots.count * sizeof *f->x);
    memcpy(f->d, world->nodes.d, world->nodes.slots.count * sizeof *f->d);
    memcpy(f->q, world->frames.q, world->frames.slots.count * sizeof *f->q);
    for (size_t i = 0; i < colliders->slots.count; i++)
        f->reach[i] = colliders->slots.alive[i] ? sn_collider_poses(world)[i].most : 0;
    colliders->found = true;
}

/* A contact as it would be, had its pair been found anew and what is kept of it recalled. */
static void renew_slot(const sn_contacts *contacts, uint32_t slot) {
    const sn_rigid_contacts *t = &contacts->rigid;
    const sn_contact_set *set = &contacts->set[KIND];
    sn_rigid_search *c = &t->search[slot];
    const bool kept = sn_rigid_memory_is_kept(set, c, slot), whole = c->leads || c->follows;
    c->touched = c->stuck = c->struck = c->fast = false;
    if (!whole || c->node[0] == c->node[1])
        t->aside[slot] = (sn_rigid_aside){.ball.item = SN_BVH_NONE};
    if (kept && c->manifold) return;
    if (!kept) {
        sn_real *row = sn_contact_rows(set, slot);
        for (int k = SN_ROW_PUSH; k < SN_ROW_SLIDE + 3; k++) *sn_row(row, k) = 0;
        c->manifold = whole || c->round ? SN_RIGID_APART : SN_RIGID_NONE;
        c->seen = false;
    }
    c->on = c->normal = c->seen_turn = c->seen_at = (sn_vec4){0, 0, 0, 0};
    if (c->rim && kept) return;
    c->at = (sn_vec4){0, 0, 0, 0};
    if (c->point && !c->round) c->at = t->point[c->point - 1];
}

/* Of rows, what belongs to a step. */
static void renew_rows(const sn_contacts *contacts, size_t begin, size_t end) {
    const sn_contact_set *set = &contacts->set[KIND];
    const size_t row = SN_CONTACT_BLOCK * sizeof *set->row;
    for (size_t block = begin; block < end; block++) {
        const uint32_t first = (uint32_t)block * SN_CONTACT_BLOCK;
        for (uint32_t slot = first; slot < first + SN_CONTACT_BLOCK; slot++)
            if (*sn_contact_node_at(set, KIND, slot, 0) >= 0) renew_slot(contacts, slot);
        memset(sn_contact_at(set, first, SN_ROW_APPROACH), 0,
               (SN_ROW_LIMIT - SN_ROW_APPROACH) * row);
        memset(sn_contact_at(set, first, SN_ROW_START), 0, (SN_ROW_PUSH - SN_ROW_START) * row);
        memset(sn_contact_at(set, first, SN_ROW_OFFSET), 0, (SN_ROW_COUNT - SN_ROW_OFFSET) * row);
    }
}

/* What is laid out stays so where it would be again. */
static void renew_groups(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_contacts *contacts = sn_contacts_of(world);
    for (size_t g = begin; g < end; g++) {
        if (sn_rigid_blocks_renew(world, g)) continue;
        sn_rigid_blocks_write_group(contacts, g);
        renew_rows(contacts, contacts->set[KIND].first[g], contacts->set[KIND].first[g + 1]);
        contacts->rigid.clean[g] = true;
    }
}

void sn_rigid_found_planned(sn_world *world) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    if (t->source == SN_RIGID_FRESH)
        note(world);
    else if (t->source == SN_RIGID_STAY)
        sn_team_run(world->bindings.team, sn_contact_groups(set), 2, renew_groups, world);
}

/* ---- Once more ---- */

static void exchange(sn_world *world, sn_rigid_found *f) {
    SN_SWAP(sn_vec4 *, world->nodes.x, f->x);
    SN_SWAP(sn_vec4 *, world->nodes.d, f->d);
    SN_SWAP(sn_vec4 *, world->frames.q, f->q);
}

bool sn_rigid_found_restore(sn_world *world, double dt) {
    sn_rigid_found *f = found_of(world);
    const sn_colliders *colliders = sn_colliders_of(world);
    exchange(world, f);
    for (size_t i = 0; i < colliders->slots.count; i++) {
        sn_collider_pose_begin(world, i, dt);
        sn_collider_poses(world)[i].most = f->reach[i];
    }
    const bool found = sn_collider_bvh_find(world) && sn_rigid_contact_find_here(world);
    exchange(world, f);
    return found;
}

void sn_rigid_found_serialize(sn_world *world, sn_archive *a) {
    sn_rigid_found *f = found_of(world);
    sn_colliders *colliders = sn_colliders_of(world);
    const size_t nodes = world->nodes.slots.count;
    if (a->reading ? !sn_archive_is_next(a, "found") : !colliders->found) return;
    sn_archive_section(a, "found");
    if (a->reading && a->result == SN_OK) sn_serialize_had(a, sn_rigid_found_reserve(world));
    if (a->result == SN_OK) {
        sn_archive_vectors(a, "x", f->x, nodes, 3);
        sn_archive_vectors(a, "d", f->d, nodes, 3);
        sn_archive_vectors(a, "q", f->q, world->frames.slots.count, 4);
        sn_archive_column(a, "reach", SN_ARCHIVE_F64, f->reach, colliders->slots.count);
        sn_archive_column(a, "bodies", SN_ARCHIVE_U32, &f->bodies, 1);
    }
    if (a->reading) colliders->found = a->result == SN_OK;
    sn_archive_section_end(a);
}
