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
#include "step/step.h"

#include "math/angle.h"
#include "math/quaternion.h"

enum { FRAMES_ALONE = 1024 };

/* I omega, where an axis that nothing turns has none. */
SN_INLINE sn_v4 momentum_of(sn_v4 omega, sn_v4 w) {
    sn_v4 momentum = {0};
    for (int i = 0; i < 3; i++) momentum[i] = w[i] > 0 ? omega[i] / w[i] : 0;
    return momentum;
}

SN_INLINE sn_v4 gyroscopic(sn_v4 omega, sn_v4 w) {
    sn_v4 momentum = momentum_of(omega, w);
    sn_v4 torque = {momentum[1] * omega[2] - momentum[2] * omega[1],
                    momentum[2] * omega[0] - momentum[0] * omega[2],
                    momentum[0] * omega[1] - momentum[1] * omega[0], 0};
    return w * torque;
}

SN_INLINE sn_real energy_of(sn_v4 omega, sn_v4 w) {
    sn_v4 e = momentum_of(omega, w) * omega;
    return (e[0] + e[1]) + e[2];
}

/* The gyroscopic term does no work: where a turn is too large for the midpoint rule, it is
   shortened to the energy there was. */
SN_INLINE sn_v4 without_gain(sn_v4 omega, sn_v4 w, sn_real energy) {
    sn_real now = energy_of(omega, w), allowed = energy * SN_R(1.00001);
    if (now > allowed) omega *= SN_ROOT(energy / now);
    return omega;
}

/* What point damping takes of an angular velocity; the same law as for velocities. */
static sn_real lost(const sn_step *step, uint32_t node) {
    const sn_world *world = step->world;
    double damping = (double)world->settings.damping;
    uint32_t body = world->nodes.body[node];
    if (body) damping += (double)world->bodies.def[body - 1].damping;
    return (sn_real)(damping * step->h < 1 ? damping * step->h : 1);
}

static void predict_range(void *context, size_t begin, size_t end) {
    const sn_step *step = context;
    const sn_frames *frames = &step->world->frames;
    sn_real h = (sn_real)step->h;
    for (size_t i = begin; i < end; i++) {
        if (!frames->slots.alive[i]) continue;
        sn_v4 *q = (sn_v4 *)&frames->q[i], w = *(sn_v4 *)&frames->w[i];
        sn_v4 *omega = (sn_v4 *)&frames->omega[i], middle = *omega;
        if (w[0] > 0 || w[1] > 0 || w[2] > 0) {
            *omega -= lost(step, frames->node[i]) * *omega;
            if (frames->has_torques)
                *omega += h * (w * sn_quat_rotate_back(*q, *(sn_v4 *)&frames->torque[i]));
            sn_real energy = energy_of(*omega, w);
            middle = without_gain(*omega + h / 2 * gyroscopic(*omega, w), w, energy);
            *omega = without_gain(*omega + h * gyroscopic(middle, w), w, energy);
        }
        *(sn_v4 *)&frames->start[i] = *q;
        *(sn_v4 *)&frames->turn[i] = (sn_v4){0};
        /* A turn by phi is 2 atan(|phi| / 2); this makes it |phi| up to the fifth power. */
        sn_v4 phi = h * middle;
        phi *= 1 + ((phi[0] * phi[0] + phi[1] * phi[1]) + phi[2] * phi[2]) / 12;
        *q = sn_quat_turn(*q, phi);
    }
}

static void update_range(void *context, size_t begin, size_t end) {
    const sn_step *step = context;
    const sn_frames *frames = &step->world->frames;
    sn_real h = (sn_real)step->h;
    for (size_t i = begin; i < end; i++)
        *(sn_v4 *)&frames->omega[i] += *(sn_v4 *)&frames->turn[i] / h;
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
    sn_team_run(world->team, frames->slots.count, FRAMES_ALONE, predict_range, step);
    double part = 1 / (double)(step->substeps - step->substep);
    for (size_t i = 0; step->aimed && i < frames->slots.count; i++)
        if (frames->slots.alive[i] && frames->aimed[i] == SN_AIMED)
            aim_frame(frames, i, part, step->h);
}

void sn_rotate_update(sn_step *step) {
    sn_world *world = step->world;
    sn_team_run(world->team, world->frames.slots.count, FRAMES_ALONE, update_range, step);
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
