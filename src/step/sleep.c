/*
 * Falling asleep: the end of a step in a world whose sleep_time is set.
 *
 *   a body is slow      if none of its nodes has moved by more than sleep_speed * dt in this step
 *   it is ready         if it has been slow for sleep_time
 *   an island           is what constraints and damping groups join, and what touches
 *   it falls asleep     when all of its bodies are ready, all at once
 *
 * The displacement of a whole step is looked at, not the velocity at its end, because what rests on
 * something may tremble within a step. Everything is done in the order of bodies on one thread.
 * Islands come from union-find in which the lowest body is always the root, so that the order of
 * joining does not matter.
 *
 * Bodies are joined by their constraints whatever the masses: a body that hangs on another one's
 * kinematic node sleeps with it. A node without a body never sleeps. If it is dynamic, nothing that
 * is joined with it does; if it is kinematic, nothing does while it moves.
 */
#include "step/sleep.h"

#include "base/union_find.h"
#include "math/vector.h"
#include "state/system.h"

#include <string.h>

/* m, from the middle of an oriented node: at this distance its rotation counts as a speed. */
#define ARM 0.1

/* ---- Who is joined ---- */

/* The place of a node in `joint`: that of its body, or one of its own behind all bodies. */
static uint32_t place_of(const sn_world *world, uint32_t node) {
    uint32_t body = world->nodes.body[node];
    return body ? body - 1 : (uint32_t)world->sleep.joint_bodies + node;
}

static void join_members(sn_world *world, sn_members members) {
    uint32_t first = UINT32_MAX;
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        if (node < 0) continue;
        uint32_t place = place_of(world, (uint32_t)node);
        if (first == UINT32_MAX) first = place;
        if (place != first) sn_sets_join(world->sleep.joint, first, place);
    }
}

static void join_two(void *context, uint32_t a, uint32_t b) {
    sn_world *world = context;
    sn_sets_join(world->sleep.joint, place_of(world, a), place_of(world, b));
}

/* Bodies that are joined with a dynamic node that has none cannot sleep. */
static void bind_roots(sn_world *world) {
    sn_sleep *sleep = &world->sleep;
    const sn_nodes *nodes = &world->nodes;
    memset(sleep->bound, 0, sleep->joint_bodies);
    for (uint32_t i = 0; i < sleep->joint_nodes; i++) {
        uint32_t root = sleep->joint[sleep->joint_bodies + i];
        if (nodes->body[i] == 0 && nodes->w[i] > 0 && root < sleep->joint_bodies)
            sleep->bound[root] = 1;
    }
}

bool sn_sleep_find_joints(sn_world *world) {
    sn_sleep *sleep = &world->sleep;
    size_t bodies = world->bodies.slots.count, nodes = world->nodes.slots.count;
    if (!sleep->joints_changed && bodies == sleep->joint_bodies && nodes == sleep->joint_nodes)
        return false;
    sleep->joint_bodies = bodies;
    sleep->joint_nodes = nodes;
    for (uint32_t i = 0; i < bodies + nodes; i++) sleep->joint[i] = i;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        for (uint8_t c = 0; c < SN_COLOURS; c++)
            for (uint32_t i = 0; i < store->colour[c].count; i++)
                if (!sn_store_is_off(store, (sn_place){c, i}))
                    join_members(world, sn_store_members(store, (sn_place){c, i}));
    }
    for (size_t i = 0; i < world->bindings.systems.count; i++)
        if (world->bindings.systems.system[i]->join)
            world->bindings.systems.system[i]->join(world, join_two, world);
    /* Roots are lower than what hangs on them, so one pass makes all links direct. */
    for (uint32_t i = 0; i < bodies + nodes; i++) sleep->joint[i] = sleep->joint[sleep->joint[i]];
    bind_roots(world);
    sleep->joints_changed = false;
    return true;
}

uint32_t sn_sleep_joint_of(const sn_world *world, uint32_t node) {
    return world->sleep.joint[place_of(world, node)];
}

/* ---- Who is slow ---- */

static bool has_moved(const sn_world *world, size_t i, double far) {
    sn_vec4 x = world->nodes.x[i], from = world->scratch.safe.x[i];
    double displacement[3] = {(double)x.x - (double)from.x, (double)x.y - (double)from.y,
                              (double)x.z - (double)from.z};
    return displacement[0] * displacement[0] + displacement[1] * displacement[1] +
               displacement[2] * displacement[2] >
           far * far;
}

static bool is_turning(const sn_world *world, size_t frame, double speed) {
    sn_vec4 w = world->frames.omega[frame];
    double square =
        (double)w.x * (double)w.x + (double)w.y * (double)w.y + (double)w.z * (double)w.z;
    return square * ARM * ARM > speed * speed;
}

/* Adds to the time that bodies have been slow, or begins it anew. */
static void watch_bodies(sn_step *step) {
    const sn_world *world = step->world;
    const sn_sleep *sleep = &world->sleep;
    double speed = (double)world->settings.sleep_speed, far = speed * step->dt;
    for (size_t b = 0; b < world->bodies.slots.count; b++)
        if (!sleep->asleep[b]) sleep->still[b] += step->dt;
    for (size_t s = 0; s < world->scratch.segments; s++) {
        const sn_segment *run = &world->scratch.segment[s];
        if (run->body == 0 || sn_sleep_has(sleep, run->body)) continue;
        bool moved = sleep->still[run->body - 1] == 0;
        for (size_t i = run->begin; i < run->end && !moved; i++) moved = has_moved(world, i, far);
        if (moved) sleep->still[run->body - 1] = 0;
    }
    for (size_t i = 0; i < world->frames.slots.count; i++) {
        uint32_t body = world->frames.slots.alive[i] ? world->nodes.body[world->frames.node[i]] : 0;
        if (body && !sn_sleep_has(sleep, body) && is_turning(world, i, speed))
            sleep->still[body - 1] = 0;
    }
}

/* ---- Islands ---- */

/* What is joined with a kinematic node that has moved, or will. */
static void mark_moving_nodes(sn_world *world) {
    const sn_sleep *sleep = &world->sleep;
    for (size_t i = 0; i < world->nodes.drives; i++) {
        const sn_drive *drive = &world->nodes.drive[i];
        uint32_t joint = sn_sleep_joint_of(world, drive->node);
        sn_vec3 v = drive->velocity;
        bool moves = v.x != 0 || v.y != 0 || v.z != 0 || has_moved(world, drive->node, 0);
        if (moves && joint < sleep->joint_bodies)
            sleep->restless[sn_sets_root(sleep->parent, joint)] |= SN_FAST;
    }
    for (size_t i = 0; i < world->frames.slots.count; i++) {
        if (!sn_sleep_is_turned(world, i)) continue;
        uint32_t joint = sn_sleep_joint_of(world, world->frames.node[i]);
        if (joint < sleep->joint_bodies)
            sleep->restless[sn_sets_root(sleep->parent, joint)] |= SN_FAST;
    }
}

static void mark_bodies(sn_world *world) {
    const sn_sleep *sleep = &world->sleep;
    double time = (double)world->settings.sleep_time;
    for (uint32_t b = 0; b < world->bodies.slots.count; b++) {
        if (!world->bodies.slots.alive[b]) continue;
        uint8_t *mark = &sleep->restless[sn_sets_root(sleep->parent, b)];
        if (sleep->bound[sleep->joint[b]]) *mark |= SN_RESTLESS;
        if (sleep->asleep[b]) continue;
        if (sleep->still[b] == 0) *mark |= SN_FAST;
        if (!world->bodies.def[b].may_sleep || !(sleep->still[b] >= time)) *mark |= SN_RESTLESS;
    }
}

static void mark_body(void *context, uint32_t node, uint32_t same) {
    sn_world *world = context;
    const sn_sleep *sleep = &world->sleep;
    uint32_t body = world->nodes.body[node];
    (void)same;
    if (body) sleep->restless[sn_sets_root(sleep->parent, body - 1)] |= SN_RESTLESS;
}

/* Beside something that moves a body would only wake again. */
static void mark_disturbed(sn_world *world, double dt) {
    const sn_sleep *sleep = &world->sleep;
    for (size_t s = 0; s < world->scratch.segments; s++) {
        const sn_segment *run = &world->scratch.segment[s];
        if (run->body == 0 || sleep->asleep[run->body - 1]) continue;
        uint8_t *mark = &sleep->restless[sn_sets_root(sleep->parent, run->body - 1)];
        if (!*mark && sn_sleep_is_disturbed(world, run, dt)) *mark |= SN_RESTLESS;
    }
}

/* ---- Falling asleep ---- */

static void stop_nodes(sn_world *world) {
    const sn_sleep *sleep = &world->sleep;
    const sn_vec4 none = {0, 0, 0, 0};
    for (size_t s = 0; s < world->scratch.segments; s++) {
        const sn_segment *run = &world->scratch.segment[s];
        if (!sn_sleep_has(sleep, run->body)) continue;
        for (uint32_t i = run->begin; i < run->end; i++) {
            uint32_t frame = world->nodes.frame[i];
            world->nodes.v[i] = none;
            sn_history_forget(&world->history, i);
            if (!frame) continue;
            world->frames.omega[frame - 1] = world->frames.turn[frame - 1] = none;
            sn_history_forget_frame(&world->history, frame - 1);
        }
    }
}

/* Links all sleepers of the islands that have new ones, behind the first of these. */
static void link_rings(sn_world *world) {
    const sn_sleep *sleep = &world->sleep;
    for (uint32_t b = 0; b < world->bodies.slots.count; b++) {
        uint32_t first = sleep->first[sn_sets_root(sleep->parent, b)];
        if (first == 0 || !sleep->asleep[b] || b == first - 1) continue;
        sleep->next[b] = sleep->next[first - 1];
        sleep->next[first - 1] = b;
    }
}

static void fall_asleep(sn_world *world) {
    sn_sleep *sleep = &world->sleep;
    size_t before = sleep->count;
    for (uint32_t b = 0; b < world->bodies.slots.count; b++) {
        uint32_t root = sn_sets_root(sleep->parent, b);
        if (!world->bodies.slots.alive[b] || sleep->asleep[b] || sleep->restless[root]) continue;
        if (sleep->first[root] == 0) sleep->first[root] = b + 1;
        sleep->next[b] = b;
        sleep->asleep[b] = 1;
        sleep->count++;
    }
    if (sleep->count == before) return;
    sleep->changed = true;
    stop_nodes(world);
    link_rings(world);
}

void sn_sleep_end(sn_step *step) {
    sn_world *world = step->world;
    sn_sleep *sleep = &world->sleep;
    size_t bodies = world->bodies.slots.count;
    if (!sn_sleep_is_on(world) || sleep->count == world->bodies.slots.live) return;
    if (world->bindings.feeder || sn_forces_call_user(world)) return;
    watch_bodies(step);
    /* What was noted during the step counts for all of an island; its root is the lowest. */
    for (uint32_t b = 0; b < bodies; b++)
        sleep->restless[sn_sets_root(sleep->parent, b)] |= sleep->restless[b];
    memset(sleep->first, 0, bodies * sizeof *sleep->first);
    mark_moving_nodes(world);
    mark_bodies(world);
    for (size_t i = 0; i < world->bindings.systems.count; i++)
        if (world->bindings.systems.system[i]->keeps_awake)
            world->bindings.systems.system[i]->keeps_awake(world, mark_body, world);
    mark_disturbed(world, step->dt);
    for (uint32_t b = 0; sleep->count > 0 && b < bodies; b++)
        if (sleep->asleep[b] && sleep->restless[sn_sets_root(sleep->parent, b)] & SN_FAST)
            sn_world_wake_body(world, b + 1);
    fall_asleep(world);
}
