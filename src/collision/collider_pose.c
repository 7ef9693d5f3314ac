#include "collision/collider_pose.h"

#include "collision/shapes/shape_distance.h"

#include <math.h>
#include <string.h>

/* To the bit, the signs of zeros included: only then turning is to add zero. */
static bool is_straight(const sn_collider_pose *at) {
    const sn_vec4 none = {0, 0, 0, 1};
    return memcmp(&at->q, &none, sizeof none) == 0 && memcmp(&at->before, &none, sizeof none) == 0;
}

static bool turns(const sn_collider_state *c) {
    sn_quat a = c->def.orientation, b = c->target_orientation;
    sn_vec3 w = c->def.angular_velocity;
    if (c->has_target) return a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w;
    return w.x != 0 || w.y != 0 || w.z != 0;
}

static sn_v4 quat_of(sn_quat q) {
    return (sn_v4){q.x, q.y, q.z, q.w};
}

/* Turned by a rotation vector of the world; small steps keep to the circle well enough, and faster
   than half a turn in a substep nothing is seen to turn. */
static sn_v4 turned(sn_v4 q, sn_vec3 omega, double time) {
    double x = (double)omega.x * time / 2, y = (double)omega.y * time / 2;
    double z = (double)omega.z * time / 2, length = sqrt(x * x + y * y + z * z);
    double shorter = length > 1.5 ? 1.5 / length : 1;
    sn_v4 half = {(sn_real)(x * shorter), (sn_real)(y * shorter), (sn_real)(z * shorter), 0};
    return sn_quat_normalize(q + sn_quat_mul(half, q));
}

static sn_v4 blend(sn_v4 a, sn_v4 b, double part) {
    sn_v4 ab = a * b;
    sn_real dot = (ab[0] + ab[1]) + (ab[2] + ab[3]), t = (sn_real)part;
    return sn_quat_normalize((1 - t) * a + (dot < 0 ? -t : t) * b);
}

/* ---- Carried by a node ---- */

/* Both relative to the x of the node, as it is now and as it was when the substep began. */
static void place_on(const sn_collider_state *c, sn_v4 q, sn_v4 d, sn_vec4 *to, sn_vec4 *to_q) {
    sn_v4_store(to, d + sn_quat_rotate(q, sn_v4_of(c->at)));
    sn_v4_store(to_q, sn_quat_normalize(sn_quat_mul(q, quat_of(c->turn))));
}

void sn_collider_pose_follow(const sn_world *world, size_t collider) {
    const sn_collider_state *c = &sn_colliders_of(world)->state[collider];
    sn_collider_pose *at = &sn_collider_poses(world)[collider];
    const sn_nodes *n = &world->nodes;
    const uint32_t node = c->carrier - 1, frame = n->frame[node] - 1;
    at->x = n->x[node];
    place_on(c, sn_v4_load(&world->frames.q[frame]), sn_v4_load(&n->d[node]), &at->d, &at->q);
    place_on(c, sn_v4_load(&world->frames.start[frame]), sn_v4_load(&n->p[node]), &at->p,
             &at->before);
    at->straight = false;
}

/* Where it begins the step. */
static void begin_on(const sn_world *world, const sn_collider_state *c, sn_collider_pose *at) {
    const sn_nodes *n = &world->nodes;
    const uint32_t node = c->carrier - 1, frame = n->frame[node] - 1;
    at->x = n->x[node];
    place_on(c, sn_v4_load(&world->frames.q[frame]), sn_v4_load(&n->d[node]), &at->d, &at->q);
    at->p = at->d;
    at->before = at->start = at->aim = at->q;
    at->turns = true;
    at->straight = false;
}

void sn_collider_place(const sn_world *world, size_t collider) {
    sn_collider_state *c = &sn_colliders_of(world)->state[collider];
    const sn_nodes *n = &world->nodes;
    if (!c->carrier) return;
    const uint32_t node = c->carrier - 1, frame = n->frame[node] - 1;
    sn_v4 q = sn_v4_load(&world->frames.q[frame]), arm = sn_quat_rotate(q, sn_v4_of(c->at));
    sn_v4 x = (sn_v4_load(&n->x[node]) + sn_v4_load(&n->d[node])) + arm;
    sn_v4 spin = sn_quat_rotate(q, sn_v4_load(&world->frames.omega[frame]));
    sn_v4 v = sn_v4_load(&n->v[node]) + sn_v4_cross(spin, arm);
    sn_v4 turned = sn_quat_normalize(sn_quat_mul(q, quat_of(c->turn)));
    c->def.position = (sn_vec3){x[0], x[1], x[2]};
    c->def.orientation = (sn_quat){turned[0], turned[1], turned[2], turned[3]};
    c->def.velocity = (sn_vec3){v[0], v[1], v[2]};
    c->def.angular_velocity = (sn_vec3){spin[0], spin[1], spin[2]};
}

void sn_colliders_place(const sn_world *world, uint32_t node) {
    const sn_colliders *colliders = sn_colliders_of(world);
    for (size_t i = 0; colliders->carried > 0 && i < colliders->slots.count; i++)
        if (colliders->slots.alive[i] && colliders->state[i].carrier == node + 1)
            sn_collider_place(world, i);
}

double sn_collider_pose_reach(const sn_collider_state *c) {
    sn_v4 at = sn_v4_of(c->at);
    return sn_shape_reach(&c->def) + sqrt((double)sn_v4_dot(at, at));
}

double sn_colliders_reach(const sn_world *world, uint32_t node) {
    const sn_colliders *colliders = sn_colliders_of(world);
    double most = 0;
    for (size_t i = 0; colliders->carried > 0 && i < colliders->slots.count; i++)
        if (colliders->slots.alive[i] && colliders->state[i].carrier == node + 1)
            most = fmax(most, sn_collider_pose_reach(&colliders->state[i]));
    return most;
}

void sn_collider_carry_by(const sn_world *world, size_t collider, uint32_t carrier) {
    sn_colliders *colliders = sn_colliders_of(world);
    sn_collider_state *c = &colliders->state[collider];
    colliders->carried += (carrier != 0);
    colliders->carried -= (c->carrier != 0);
    c->carrier = carrier;
    colliders->found = false;
    c->at = (sn_vec3){0, 0, 0};
    c->turn = (sn_quat){0, 0, 0, 1};
    if (!carrier) {
        c->def.velocity = c->def.angular_velocity = (sn_vec3){0, 0, 0};
        return;
    }
    const sn_nodes *n = &world->nodes;
    sn_v4 q = sn_v4_load(&world->frames.q[n->frame[carrier - 1] - 1]);
    sn_v4 away = (sn_v4_of(c->def.position) - sn_v4_load(&n->x[carrier - 1])) -
                 sn_v4_load(&n->d[carrier - 1]);
    sn_v4 at = sn_quat_rotate_back(q, away);
    sn_v4 turn = sn_quat_normalize(sn_quat_mul(sn_quat_conjugate(q), quat_of(c->def.orientation)));
    c->at = (sn_vec3){at[0], at[1], at[2]};
    c->turn = (sn_quat){turn[0], turn[1], turn[2], turn[3]};
    c->has_target = 0;
    sn_collider_place(world, collider);
}

/* ---- A step ---- */

bool sn_collider_poses_reserve(sn_world *world) {
    sn_collision *collision = sn_collision_of(world);
    return sn_reserve(&world->memory, (void **)&collision->pose, &collision->pose_capacity,
                      sn_colliders_of(world)->slots.count + 1, sizeof *collision->pose);
}

void sn_collider_pose_begin(const sn_world *world, size_t collider, double dt) {
    const sn_collider_state *c = &sn_colliders_of(world)->state[collider];
    sn_collider_pose *at = &sn_collider_poses(world)[collider];
    sn_v4 displacement = (sn_real)dt * sn_v4_of(c->def.velocity);
    sn_v4 q = quat_of(c->def.orientation);
    if (c->has_target) displacement = sn_v4_of(c->target) - sn_v4_of(c->def.position);
    *at = (sn_collider_pose){0};
    sn_v4_store(&at->x, sn_v4_of(c->def.position));
    sn_v4_store(&at->displacement, displacement);
    sn_v4_store(&at->q, q);
    sn_v4_store(&at->before, q);
    sn_v4_store(&at->start, q);
    sn_v4_store(&at->aim, c->has_target ? quat_of(c->target_orientation) : q);
    at->shape = (uint8_t)c->def.shape;
    at->size = (sn_vec4){c->def.extent.x, c->def.extent.y, c->def.extent.z, c->def.radius};
    at->recovery = c->def.recovery_speed == SN_AUTO ? SN_INFINITY : c->def.recovery_speed;
    at->flows = c->def.form && c->def.form->boundary.moves;
    at->turns = turns(c);
    at->straight = is_straight(at);
    at->material = (sn_contact_material){c->def.static_friction, c->def.dynamic_friction,
                                         c->def.restitution, 0};
    if (c->carrier) begin_on(world, c, at);
}

void sn_collider_pose_move(const sn_world *world, size_t collider, const sn_substep *substep) {
    const sn_collider_state *c = &sn_colliders_of(world)->state[collider];
    sn_collider_pose *at = &sn_collider_poses(world)[collider];
    at->done = substep->done;
    at->will = substep->will;
    /* Where its node goes is known only when that is solved. */
    if (c->carrier) return;
    at->p = at->d;
    at->before = at->q;
    sn_v4_store(&at->d, (sn_real)substep->will * sn_v4_load(&at->displacement));
    /* What does not turn keeps its bits: normalized once more it might turn by rounding, to and
       fro, and friction would take along what rests on it. */
    if (!at->turns) return;
    if (c->has_target)
        sn_v4_store(&at->q, blend(sn_v4_load(&at->start), sn_v4_load(&at->aim), substep->will));
    else
        sn_v4_store(&at->q, turned(sn_v4_load(&at->before), c->def.angular_velocity, substep->h));
    at->straight = is_straight(at);
}

double sn_collider_pose_slack(const sn_collider_state *c) {
    return 0.02 * sn_collider_pose_reach(c);
}

double sn_collider_pose_speed(const sn_world *world, const sn_collider_state *c) {
    const sn_nodes *n = &world->nodes;
    const uint32_t node = c->carrier - 1;
    sn_v4 v = sn_v4_load(&n->v[node]);
    sn_v4 omega = sn_v4_load(&world->frames.omega[n->frame[node] - 1]);
    return sqrt((double)sn_v4_dot(v, v)) +
           sn_collider_pose_reach(c) * sqrt((double)sn_v4_dot(omega, omega));
}

/* m: how far anything of a collider that is carried may go before pairs are found again:
   generously. */
static double range_of(const sn_world *world, const sn_collider_state *c, double time) {
    const sn_v4 g = sn_v4_of(world->settings.gravity);
    const double speed = sn_collider_pose_speed(world, c);
    return 1.5 * (speed * time + sqrt((double)sn_v4_dot(g, g)) * time * time) +
           sn_collider_pose_slack(c) + 1e-3;
}

/* m: how far anything of a collider moves in a time. */
double sn_collider_pose_displacement(const sn_world *world, size_t collider, double time,
                                     double dt) {
    const sn_collider_state *c = &sn_colliders_of(world)->state[collider];
    sn_v4 displacement = sn_v4_load(&sn_collider_poses(world)[collider].displacement);
    double far = sqrt((double)sn_v4_dot(displacement, displacement)) * (dt > 0 ? time / dt : 0);
    double reach = sn_shape_reach(&c->def), turn = 0;
    if (c->carrier) return range_of(world, c, time);
    sn_vec3 w = c->def.angular_velocity;
    if (sn_collider_poses(world)[collider].flows) far += c->def.form->boundary.fastest;
    if (c->has_target) {
        sn_v4 ab = sn_v4_load(&sn_collider_poses(world)[collider].start) *
                   sn_v4_load(&sn_collider_poses(world)[collider].aim);
        sn_real dot = (ab[0] + ab[1]) + (ab[2] + ab[3]);
        /* A chord of the unit quaternions; the angle is at most pi times that. */
        double chord = 2 - 2 * fabs((double)dot);
        turn = 3.15 * sqrt(chord > 0 ? chord : 0);
    } else {
        turn = time * sqrt((double)sn_vec3_dot(w, w));
    }
    return turn > 0 ? far + turn * (isinf(reach) ? 1e3 : reach) : far;
}

sn_real sn_collider_pose_distance(const sn_world *world, size_t collider, sn_v4 x, sn_v4 d,
                                  sn_v4 *normal, sn_v4 *local) {
    const sn_collider_pose *at = &sn_collider_poses(world)[collider];
    const sn_collider_def *def = &sn_colliders_of(world)->state[collider].def;
    *local = sn_collider_pose_into(at, &at->q, sn_collider_pose_relative(at, x, d));
    sn_real distance = sn_shape_distance_at(def, *local, normal);
    *normal = sn_collider_pose_out(at, &at->q, *normal);
    return distance;
}

sn_real sn_collider_pose_near(const sn_world *world, size_t collider, sn_v4 x, sn_v4 d,
                              sn_near *near, sn_v4 *local) {
    const sn_collider_pose *at = &sn_collider_poses(world)[collider];
    const sn_collider_def *def = &sn_colliders_of(world)->state[collider].def;
    sn_v4 relative = (x - sn_v4_load(&at->x)) + (d - sn_v4_load(&at->d)), normal;
    *local = sn_quat_rotate_back(sn_v4_load(&at->q), relative);
    near->time = at->will;
    return sn_shape_near_of(def->shape)(def, *local, near, &normal);
}

void sn_collider_pose_end(sn_world *world, size_t collider, double dt) {
    sn_collider_state *c = &sn_colliders_of(world)->state[collider];
    const sn_collider_pose *at = &sn_collider_poses(world)[collider];
    sn_collider_geometry_arrive(&c->def);
    if (c->carrier) {
        sn_collider_place(world, collider);
        return;
    }
    if (c->has_target) {
        c->def.position = c->target;
        c->def.orientation = c->target_orientation;
        c->def.velocity = c->def.angular_velocity = (sn_vec3){0, 0, 0};
        c->has_target = 0;
        return;
    }
    sn_v4 x = sn_v4_load(&at->x) + (sn_real)dt * sn_v4_of(c->def.velocity);
    /* Beyond all numbers it stands still. */
    if (sn_v4_is_finite(x))
        c->def.position = (sn_vec3){x[0], x[1], x[2]};
    else
        c->def.velocity = (sn_vec3){0, 0, 0};
    c->def.orientation = (sn_quat){at->q.x, at->q.y, at->q.z, at->q.w};
}
