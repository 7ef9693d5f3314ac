/*
 * The rotational half of time integration, for oriented nodes, in the frame of the node.
 *
 *   predict   omega' = (1 - c h) omega + h I^-1 torque
 *             omega_m = omega' + h/2 a(omega') ;  omega = omega' + h a(omega_m)
 *             q turned by h omega_m
 *   update    omega += (what constraints turned the frame by) / h
 *
 * with the gyroscopic acceleration a = -I^-1 (omega x I omega) by the midpoint rule: an explicit
 * step gains two per cent of energy in ten seconds, this one a millionth. Velocities are not taken
 * from the difference of two quaternions, whose rounding, divided by a short h, would shake them:
 * the constraints add up what they turn, and a frame that none of them turns keeps its omega.
 */
#define SN_LANES 4
#include "step/step.h"

#include "math/angle.h"
#include "math/lanes.h"
#include "math/quaternion.h"

#define TINY SN_R(1e-30)

enum { FRAMES_ALONE = 1024 };

/* Four frames at a time; w and omega have no part in the fourth number. */
typedef struct four {
    sn_lane4 q;
    sn_lane3 omega, w, inertia, torque;
    sn_lane lose;
} four;

SN_INLINE sn_lane3 times(sn_lane3 a, sn_lane3 b) {
    return (sn_lane3){a.x * b.x, a.y * b.y, a.z * b.z};
}

SN_INLINE sn_lane3 gyroscopic(sn_lane3 omega, const four *f) {
    return times(f->w, sn_lane3_cross(times(f->inertia, omega), omega));
}

/* The gyroscopic term does no work: where a turn is too large for the midpoint rule, it is
   shortened to the energy there was. Rounding alone must not count, or it would brake. */
SN_INLINE sn_lane3 without_gain(sn_lane3 omega, const four *f, sn_lane energy) {
    sn_lane now = sn_lane3_dot(times(f->inertia, omega), omega), one = sn_lane_all(1);
    if (!sn_lane_any_less(energy * SN_R(1.00001), now)) return omega;
    sn_lane shorter = sn_lane_sqrt(energy / sn_lane_max(now, sn_lane_all(TINY)));
    return sn_lane3_scale(sn_lane_if_less(energy * SN_R(1.00001), now, shorter, one), omega);
}

/* Predicts; f->q becomes the new orientation and f->omega the velocity without constraints. */
SN_INLINE void predict_four(four *f, sn_real h) {
    f->omega = sn_lane3_sub(f->omega, sn_lane3_scale(f->lose, f->omega));
    f->omega = sn_lane3_add(f->omega, sn_lane3_scale(sn_lane_all(h), times(f->w, f->torque)));
    sn_lane energy = sn_lane3_dot(times(f->inertia, f->omega), f->omega);
    sn_lane3 half = sn_lane3_scale(sn_lane_all(h / 2), gyroscopic(f->omega, f));
    sn_lane3 middle = without_gain(sn_lane3_add(f->omega, half), f, energy);
    sn_lane3 whole = sn_lane3_scale(sn_lane_all(h), gyroscopic(middle, f));
    f->omega = without_gain(sn_lane3_add(f->omega, whole), f, energy);
    /* A turn by phi is 2 atan(|phi| / 2); the factor makes it |phi| up to the fifth power. */
    sn_lane3 phi = sn_lane3_scale(sn_lane_all(h), middle);
    sn_lane square = sn_lane3_dot(phi, phi);
    sn_lane4 change = sn_lane4_turned(f->q, sn_lane3_scale(1 + square * (SN_R(1.0) / 12), phi));
    sn_lane4 next = {sn_lane3_add(f->q.v, change.v), f->q.w + change.w};
    f->q = sn_lane4_unit(next, square);
}

/* What point damping takes of an angular velocity; the same law as for velocities. */
static sn_real lost(const sn_step *step, size_t frame) {
    const sn_world *world = step->world;
    double damping = (double)world->settings.damping;
    uint32_t body = world->nodes.body[world->frames.node[frame]];
    sn_vec4 w = world->frames.w[frame];
    if (!(w.x > 0 || w.y > 0 || w.z > 0)) return 0;
    if (body) damping += (double)world->bodies.def[body - 1].damping;
    return (sn_real)(damping * step->h < 1 ? damping * step->h : 1);
}

/* Reads frames from i on; beyond `count` they repeat the last one. */
static void load_four(const sn_step *step, size_t i, size_t count, bool damped, four *f) {
    const sn_frames *frames = &step->world->frames;
    sn_v4 q[4], omega[4], w[4], inertia[4], torque[4] = {{0}};
    _Alignas(16) sn_real lose[4] = {0};
    for (size_t k = 0; k < 4; k++) {
        size_t at = i + k < count ? i + k : count - 1;
        q[k] = *(sn_v4 *)&frames->q[at];
        omega[k] = *(sn_v4 *)&frames->omega[at];
        w[k] = *(sn_v4 *)&frames->w[at];
        inertia[k] = *(sn_v4 *)&frames->inertia[at];
    }
    if (frames->has_torques || damped) {
        for (size_t k = 0; k < 4; k++) {
            size_t at = i + k < count ? i + k : count - 1;
            torque[k] = sn_quat_rotate_back(q[k], *(sn_v4 *)&frames->torque[at]);
            lose[k] = lost(step, at);
        }
    }
    f->q = sn_lane4_from_nodes(q);
    f->omega = sn_lane3_from_nodes(omega);
    f->w = sn_lane3_from_nodes(w);
    f->inertia = sn_lane3_from_nodes(inertia);
    f->torque = sn_lane3_from_nodes(torque);
    f->lose = sn_lane_load(lose);
}

static bool all_sleep(const sn_world *world, size_t i, size_t end) {
    bool all = true;
    for (size_t k = i; k < i + 4 && k < end; k++) all &= sn_frame_is_asleep(world, k);
    return all;
}

static void predict_range(void *context, size_t begin, size_t end) {
    const sn_step *step = context;
    const sn_world *world = step->world;
    const sn_frames *frames = &world->frames;
    bool damped = world->settings.damping > 0 || world->bodies.slots.live > 0;
    for (size_t i = begin; i < end; i += 4) {
        four f;
        if (world->sleep.count > 0 && all_sleep(world, i, end)) continue;
        sn_v4 q[4], omega[4];
        load_four(step, i, end, damped, &f);
        predict_four(&f, (sn_real)step->h);
        sn_lane4_to_nodes(f.q, q);
        sn_lane3_to_nodes(f.omega, omega);
        for (size_t k = 0; k < 4 && i + k < end; k++) {
            if (sn_frame_is_asleep(world, i + k)) continue;
            frames->start[i + k] = frames->q[i + k];
            *(sn_v4 *)&frames->q[i + k] = q[k];
            *(sn_v4 *)&frames->omega[i + k] = omega[k];
            *(sn_v4 *)&frames->turn[i + k] = (sn_v4){0};
        }
    }
}

static void update_range(void *context, size_t begin, size_t end) {
    sn_step *step = context;
    const sn_frames *frames = &step->world->frames;
    sn_real h = (sn_real)step->h;
    sn_v4 sum = {0};
    for (size_t i = begin; i < end; i++) {
        *(sn_v4 *)&frames->omega[i] += *(sn_v4 *)&frames->turn[i] / h;
        sum += *(sn_v4 *)&frames->omega[i] + *(sn_v4 *)&frames->q[i];
    }
    sn_freeze_watch(step, *(sn_vec4 *)&sum);
}

/* Puts a frame on its way: this part of the rotation that is left to its target. */
static void aim_frame(sn_frames *frames, size_t i, double part, double h) {
    sn_v4 from = *(sn_v4 *)&frames->start[i];
    sn_v4 way = sn_quat_mul(sn_quat_conjugate(from), *(sn_v4 *)&frames->target[i]);
    if (way[3] < 0) way = -way;
    double x = (double)way[0], y = (double)way[1], z = (double)way[2], sine, cosine;
    double length = __builtin_sqrt(x * x + y * y + z * z);
    double half = part * sn_angle((double)way[3], length), scale = length > 0 ? 1 / length : 0;
    sn_sine_cosine(half, &sine, &cosine);
    sn_v4 axis = {(sn_real)(x * scale), (sn_real)(y * scale), (sn_real)(z * scale), 0};
    sn_v4 turn = axis * (sn_real)sine;
    turn[3] = (sn_real)cosine;
    sn_v4 *q = (sn_v4 *)&frames->q[i];
    *q = part < 1 ? sn_quat_normalize(sn_quat_mul(from, turn)) : *(sn_v4 *)&frames->target[i];
    *(sn_v4 *)&frames->omega[i] = axis * (sn_real)(2 * half / h);
}

void sn_rotate_predict(sn_step *step) {
    sn_world *world = step->world;
    sn_frames *frames = &world->frames;
    sn_team_run(world->bindings.team, frames->slots.count, FRAMES_ALONE, predict_range, step);
    double part = 1 / (double)(step->substeps - step->substep);
    for (size_t i = 0; step->aimed && i < frames->slots.count; i++)
        if (frames->slots.alive[i] && frames->aimed[i] == SN_AIMED)
            aim_frame(frames, i, part, step->h);
}

void sn_rotate_update(sn_step *step) {
    sn_world *world = step->world;
    sn_team_run(world->bindings.team, world->frames.slots.count, FRAMES_ALONE, update_range, step);
}

/* Who has arrived in the last step stands still in this one. */
void sn_rotate_begin(sn_step *step) {
    sn_frames *frames = &step->world->frames;
    for (size_t i = 0; i < frames->slots.count; i++) {
        step->aimed |= frames->aimed[i] == SN_AIMED;
        if (frames->aimed[i] != SN_ARRIVED) continue;
        frames->omega[i] = (sn_vec4){0, 0, 0, 0};
        frames->aimed[i] = SN_UNAIMED;
    }
}

void sn_rotate_end(sn_step *step) {
    sn_frames *frames = &step->world->frames;
    for (size_t i = 0; i < frames->slots.count; i++) {
        if (frames->aimed[i] == SN_AIMED) frames->aimed[i] = SN_ARRIVED;
        frames->torque[i] = (sn_vec4){0, 0, 0, 0};
    }
    frames->has_torques = false;
}
