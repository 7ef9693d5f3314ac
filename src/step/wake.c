/*
 * Waking: the beginning of a step in a world whose sleep_time is set. Calls that change a body have
 * woken it already; here come those that something else will disturb in this step:
 *
 *   force fields                all bodies
 *   kinematic nodes that move   what is joined with them
 *   colliders that move, or were made or changed     what they may reach in this step
 *
 * Then who is still asleep is passed by: each block of constraints has a mask of those that are
 * awake, each node says where the next one is that is awake. Both are made only when somebody fell
 * asleep or woke. Joined bodies sleep and wake together, so no constraint is half asleep.
 */
#include "step/sleep.h"

#include "base/union_find.h"
#include "collision/collider_pose.h"
#include "contact/surface/surface_contact.h"
#include "contact/triangle/triangle_contact.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 16 };

/* m, how near something must come beside its way. */
#define NEAR 1e-3

static bool is_same(sn_vec3 a, sn_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_zero(sn_vec3 a) {
    return is_same(a, (sn_vec3){0, 0, 0});
}

static void wake_restless(sn_world *world) {
    const sn_sleep *sleep = &world->sleep;
    for (uint32_t b = 0; b < sleep->joint_bodies; b++)
        if (sleep->asleep[b] && sleep->restless[sleep->joint[b]]) sn_world_wake_body(world, b + 1);
}

/* ---- Who is joined ---- */

/* What was joined with somebody awake. Calls that join have woken both; only what was read from
   elsewhere can be so. */
static void wake_joined(sn_world *world) {
    const sn_sleep *sleep = &world->sleep;
    memcpy(sleep->restless, sleep->bound, sleep->joint_bodies);
    for (uint32_t b = 0; b < sleep->joint_bodies; b++)
        if (world->bodies.slots.alive[b] && !sleep->asleep[b]) sleep->restless[sleep->joint[b]] = 1;
    wake_restless(world);
}

/* ---- Kinematic nodes ---- */

static bool is_on_its_way(const sn_collider_state *c) {
    if (!c->has_target) return !is_zero(c->def.velocity) || !is_zero(c->def.angular_velocity);
    sn_quat q = c->def.orientation, to = c->target_orientation;
    return !is_same(c->def.position, c->target) || q.x != to.x || q.y != to.y || q.z != to.z ||
           q.w != to.w;
}

/* Whether the node of a collider is awake, and faster than what may fall asleep. */
static bool is_carried_fast(const sn_world *world, const sn_collider_state *c) {
    const uint32_t node = c->carrier - 1;
    sn_v4 v = sn_v4_load(&world->nodes.v[node]);
    sn_v4 omega = sn_v4_load(&world->frames.omega[world->nodes.frame[node] - 1]);
    double speed = (double)world->settings.sleep_speed, reach = sn_colliders_reach(world, node);
    return !sn_sleep_has(&world->sleep, world->nodes.body[node]) &&
           sqrt((double)sn_v4_dot(v, v)) + reach * sqrt((double)sn_v4_dot(omega, omega)) > speed;
}

static bool is_driven(const sn_world *world, const sn_drive *drive) {
    sn_vec4 x = world->nodes.x[drive->node];
    if (drive->collider) return is_on_its_way(&sn_colliders_of(world)->state[drive->collider - 1]);
    if (drive->has_target) return !is_same(drive->target, (sn_vec3){x.x, x.y, x.z});
    return !is_zero(drive->velocity);
}

bool sn_sleep_is_turned(const sn_world *world, size_t i) {
    const sn_frames *f = &world->frames;
    sn_vec4 w = f->w[i], omega = f->omega[i], q = f->q[i], to = f->target[i];
    if (!f->slots.alive[i] || !is_zero((sn_vec3){w.x, w.y, w.z})) return false;
    if (f->aimed[i] == SN_AIMED) return q.x != to.x || q.y != to.y || q.z != to.z || q.w != to.w;
    return f->aimed[i] == SN_UNAIMED && !is_zero((sn_vec3){omega.x, omega.y, omega.z});
}

static void mark_joint(const sn_world *world, uint32_t node) {
    uint32_t joint = sn_sleep_joint_of(world, node);
    if (joint < world->sleep.joint_bodies) world->sleep.restless[joint] = 1;
}

static void wake_by_nodes(sn_world *world) {
    memset(world->sleep.restless, 0, world->sleep.joint_bodies);
    for (size_t i = 0; i < world->nodes.drives; i++)
        if (is_driven(world, &world->nodes.drive[i])) mark_joint(world, world->nodes.drive[i].node);
    for (size_t i = 0; i < world->frames.slots.count; i++)
        if (sn_sleep_is_turned(world, i)) mark_joint(world, world->frames.node[i]);
    wake_restless(world);
}

/* ---- Colliders ---- */

/* Finds the colliders that move, and where they begin; false when there is no memory. */
static bool follow_colliders(sn_world *world, double dt) {
    sn_colliders *c = sn_colliders_of(world);
    if (!sn_collider_poses_reserve(world)) return false;
    for (size_t i = 0; i < c->slots.count; i++) {
        sn_collider_state *state = &c->state[i];
        bool goes = state->carrier ? is_carried_fast(world, state) : is_on_its_way(state);
        state->moving = c->slots.alive[i] && (state->changed || goes);
        if (state->moving) sn_collider_pose_begin(world, i, dt);
    }
    return true;
}

/* Whether a collider comes within `reach` of a node. What is further away lets the nodes around the
   last one pass without a look: no distance changes by more than the way between two points. */
static bool comes_near(const sn_world *world, const sn_segment *run, size_t collider,
                       double reach) {
    const sn_nodes *n = &world->nodes;
    const sn_collider_def *def = &sn_colliders_of(world)->state[collider].def;
    sn_v4 from = {0}, normal, local;
    double room = -1;
    for (size_t i = run->begin; i < run->end; i++) {
        if (!(n->w[i] > 0) || !sn_collider_accepts(def, n->group[i])) continue;
        sn_v4 x = sn_v4_load(&n->x[i]), displacement = x - from;
        double radius = fmax((double)n->radius[i], sn_colliders_reach(world, (uint32_t)i));
        double left = room - radius;
        if (left > 0 && (double)sn_v4_dot(displacement, displacement) < 0.99 * left * left)
            continue;
        double far = (double)sn_collider_pose_distance(world, collider, x, sn_v4_load(&n->d[i]),
                                                       &normal, &local);
        room = far - reach;
        if (!(room > radius)) return true;
        from = x;
    }
    return false;
}

bool sn_sleep_is_disturbed(const sn_world *world, const sn_segment *run, double dt) {
    const sn_colliders *colliders = sn_colliders_of(world);
    for (size_t c = 0; c < colliders->slots.count; c++)
        if (colliders->state[c].moving) {
            double reach = sn_collider_pose_displacement(world, c, dt, dt) + NEAR;
            if (comes_near(world, run, c, reach) ||
                sn_triangle_contact_comes_near(world, run->begin, run->end, c, reach))
                return true;
        }
    return false;
}

static void wake_by_colliders(sn_world *world, double dt) {
    for (size_t s = 0; s < world->scratch.segments; s++) {
        const sn_segment *run = &world->scratch.segment[s];
        if (sn_sleep_has(&world->sleep, run->body) && sn_sleep_is_disturbed(world, run, dt))
            sn_world_wake_body(world, run->body);
    }
}

/* ---- What is passed by ---- */

static bool is_awake(const sn_world *world, const sn_store *store, sn_place place) {
    sn_members members = sn_store_members(store, place);
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        if (node >= 0 && sn_sleep_has(&world->sleep, world->nodes.body[node])) return false;
    }
    return true;
}

static void mask_colour(const sn_world *world, sn_store *store, uint8_t colour) {
    sn_colour *c = &store->colour[colour];
    c->awake_count = 0;
    for (size_t block = 0; block < sn_colour_blocks(c); block++) {
        size_t lanes = c->count - block * BLOCK < BLOCK ? c->count - block * BLOCK : BLOCK;
        size_t awake = 0;
        c->awake[block] = 0;
        for (size_t lane = 0; lane < lanes; lane++) {
            sn_place place = {colour, (uint32_t)(block * BLOCK + lane)};
            if (!is_awake(world, store, place)) continue;
            c->awake[block] = (uint16_t)(c->awake[block] | 1u << lane);
            awake++;
        }
        if (awake == lanes) c->awake[block] = SN_AWAKE;
        c->awake_count += awake;
    }
}

static void weigh_nodes(sn_world *world) {
    const sn_nodes *nodes = &world->nodes;
    for (size_t i = 0; i < nodes->slots.count; i++)
        world->sleep.w[i] = sn_sleep_has(&world->sleep, nodes->body[i]) ? 0 : nodes->w[i];
}

static void pass_sleepers(sn_world *world) {
    sn_sleep *sleep = &world->sleep;
    size_t nodes = world->nodes.slots.count;
    if (sleep->count == 0) return;
    if (sleep->changed || world->scratch.masses_changed) weigh_nodes(world);
    if (!sleep->changed) return;
    for (size_t s = 0; s < world->store_count; s++)
        for (uint8_t c = 0; c < SN_COLOURS; c++) mask_colour(world, &world->store[s], c);
    sleep->awake_from[nodes] = (uint32_t)nodes;
    for (size_t i = nodes; i-- > 0;)
        sleep->awake_from[i] =
            sn_sleep_has(sleep, world->nodes.body[i]) ? sleep->awake_from[i + 1] : (uint32_t)i;
    sleep->changed = false;
}

size_t sn_sleep_awake_constraints(const sn_world *world) {
    if (world->sleep.count == 0) return world->constraints.slots.live;
    size_t sum = 0;
    for (size_t s = 0; s < world->store_count; s++)
        for (uint8_t c = 0; c < SN_COLOURS; c++) sum += world->store[s].colour[c].awake_count;
    return sum;
}

/* ---- Everything ---- */

/* Islands begin with what is joined, and with what sleeps together. */
static void begin_islands(sn_sleep *sleep) {
    if (sleep->joint_bodies > 0)
        memcpy(sleep->parent, sleep->joint, sleep->joint_bodies * sizeof *sleep->parent);
    memset(sleep->restless, 0, sleep->capacity);
    for (uint32_t b = 0; sleep->count > 0 && b < sleep->joint_bodies; b++)
        if (sleep->asleep[b]) sn_sets_join(sleep->parent, b, sleep->next[b]);
}

/* A plan that fails changes nothing, so that it is known how to take it back. */
static void remember(sn_step *step) {
    const sn_history *history = &step->world->history;
    sn_sleep *sleep = &step->world->sleep;
    size_t bodies = step->world->bodies.slots.count;
    step->woken = true;
    sleep->old_count = sleep->count;
    sleep->old_settled = history->settled;
    if (bodies == 0) return;
    memcpy(sleep->old_asleep, sleep->asleep, bodies);
    memcpy(sleep->old_still, sleep->still, bodies * sizeof *sleep->still);
    memcpy(sleep->old_next, sleep->next, bodies * sizeof *sleep->next);
    if (history->body_capacity > bodies) memcpy(sleep->old_ready, history->ready + 1, bodies);
}

static void take_back(sn_world *world) {
    sn_sleep *sleep = &world->sleep;
    size_t bodies = world->bodies.slots.count;
    sleep->count = sleep->old_count;
    world->history.settled = sleep->old_settled;
    sleep->changed = true;
    if (bodies == 0) return;
    memcpy(sleep->asleep, sleep->old_asleep, bodies);
    memcpy(sleep->still, sleep->old_still, bodies * sizeof *sleep->still);
    memcpy(sleep->next, sleep->old_next, bodies * sizeof *sleep->next);
    if (world->history.body_capacity > bodies)
        memcpy(world->history.ready + 1, sleep->old_ready, bodies);
}

void sn_sleep_planned(sn_step *step, bool success) {
    sn_world *world = step->world;
    if (!step->woken) return;
    if (!success) take_back(world);
    for (size_t i = 0; success && i < sn_colliders_of(world)->slots.count; i++)
        sn_colliders_of(world)->state[i].changed = 0;
}

bool sn_sleep_plan(sn_step *step) {
    sn_world *world = step->world;
    sn_sleep *sleep = &world->sleep;
    size_t bodies = world->bodies.slots.count;
    if (!sn_sleep_is_on(world)) return true;
    if (!sn_sleep_reserve(sleep, &world->memory, bodies + 1) ||
        !sn_sleep_reserve_nodes(sleep, &world->memory, bodies, world->nodes.slots.count) ||
        !follow_colliders(world, step->dt))
        return false;
    remember(step);
    if ((world->bindings.feeder || sn_forces_call_user(world))) sn_world_wake_all(world);
    if (sn_sleep_find_joints(world)) wake_joined(world);
    if (sleep->count > 0) {
        wake_by_nodes(world);
        wake_by_colliders(world, step->dt);
    }
    begin_islands(sleep);
    pass_sleepers(world);
    return true;
}

/* ---- Bodies that will be hit ---- */

/* Whether a node is awake and moves on its way to a contact. */
static bool arrives(const sn_world *world, uint32_t node) {
    sn_v4 v = sn_v4_load(&sn_collision_surfaces_of(world)->reach.speed[node]);
    double speed = world->nodes.w[node] > 0 ? (double)world->settings.sleep_speed : 0;
    return !sn_sleep_has(&world->sleep, world->nodes.body[node]) &&
           (double)sn_v4_dot(v, v) > speed * speed;
}

/* Wakes the sleepers of a pair of which one arrives. */
static void wake_pair(sn_world *world, const uint32_t *node, int nodes) {
    bool hit = false;
    for (int n = 0; n < nodes; n++) hit |= arrives(world, node[n]);
    for (int n = 0; hit && n < nodes; n++)
        if (sn_sleep_has(&world->sleep, world->nodes.body[node[n]]))
            sn_world_wake_body(world, world->nodes.body[node[n]]);
}

/* Who is woken does not move yet, so that nobody else is woken by it in this step; but all who
   slept with it have pairs of their own now. */
bool sn_sleep_contact(sn_step *step) {
    sn_world *world = step->world;
    size_t before = world->sleep.count;
    if (before == 0 || !sn_surface_contacts_of(world) || !sn_surface_contact_is_needed(world))
        return true;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++)
        for (size_t k = 0; k < sn_surface_contacts_of(world)->set[kind].count; k++) {
            const sn_contact_pair *pair = &sn_surface_contacts_of(world)->set[kind].pair[k];
            uint32_t node[SN_CONTACT_MOST_NODES];
            sn_surface_pair_node_list(sn_surface_contacts_of(world), kind, pair->a, pair->b, node);
            wake_pair(world, node, sn_contact_nodes(kind));
        }
    if (world->sleep.count == before) return true;
    begin_islands(&world->sleep);
    pass_sleepers(world);
    return sn_surface_contact_plan(world, step->dt, step->h);
}
