/*
 * The rotational half of time integration, for oriented nodes.
 *
 *   predict   omega_m = omega + h/2 a(omega) ;  omega' = omega + h a(omega_m)
 *             p = q ;  q turned by h omega_m
 *   update    omega = (turn from p to q) / h + (omega' - omega_m)
 *
 * in the frame of the node, with the gyroscopic acceleration a = I^-1 (torque - omega x I omega) by
 * the midpoint rule: an explicit step gains two per cent of energy in ten seconds, this one a
 * millionth. The turn is linear in the quaternion, and the update is its exact inverse, so that a
 * free spin keeps its speed. (With omega = 2 Im(dq) / h, as usually written, it would slow down.)
 */
#include "step/step.h"

#include "math/quaternion.h"

enum { FRAMES_ALONE = 1024 };

/* I^-1 (torque - omega x I omega), where an axis without inverse inertia does not accelerate. */
SN_INLINE sn_v4 acceleration(sn_v4 omega, sn_v4 torque, sn_v4 w) {
    sn_v4 momentum = {0};
    for (int i = 0; i < 3; i++) momentum[i] = w[i] > 0 ? omega[i] / w[i] : 0;
    sn_v4 gyro = {omega[1] * momentum[2] - omega[2] * momentum[1],
                  omega[2] * momentum[0] - omega[0] * momentum[2],
                  omega[0] * momentum[1] - omega[1] * momentum[0], 0};
    return w * (torque - gyro);
}

static void predict_range(void *context, size_t begin, size_t end) {
    const sn_step *step = context;
    const sn_world *world = step->world;
    const sn_frames *frames = &world->frames;
    sn_real h = (sn_real)step->h;
    for (size_t i = begin; i < end; i++) {
        sn_v4 q = *(sn_v4 *)&frames->q[i], w = *(sn_v4 *)&frames->w[i];
        sn_v4 omega = *(sn_v4 *)&frames->omega[i], torque = {0};
        if (frames->has_torques) torque = sn_quat_rotate_back(q, *(sn_v4 *)&frames->torque[i]);
        sn_v4 middle = omega + h / 2 * acceleration(omega, torque, w);
        sn_v4 after = omega + h * acceleration(middle, torque, w);
        *(sn_v4 *)&frames->gyro[i] = after - middle;
        *(sn_v4 *)&frames->start[i] = q;
        *(sn_v4 *)&frames->q[i] = sn_quat_turn(q, h * middle);
    }
}

/* What point damping leaves of the angular velocity; the same law as for velocities. */
static sn_real kept(const sn_step *step, uint32_t node) {
    const sn_world *world = step->world;
    double damping = (double)world->settings.damping;
    uint32_t body = world->nodes.body[node];
    if (body) damping += (double)world->bodies.def[body - 1].damping;
    return (sn_real)(damping * step->h < 1 ? 1 - damping * step->h : 0);
}

static void update_range(void *context, size_t begin, size_t end) {
    const sn_step *step = context;
    const sn_frames *frames = &step->world->frames;
    sn_real h = (sn_real)step->h;
    for (size_t i = begin; i < end; i++) {
        if (!frames->slots.alive[i]) continue;
        sn_v4 from = *(sn_v4 *)&frames->start[i], to = *(sn_v4 *)&frames->q[i];
        sn_v4 omega = sn_quat_difference(from, to) / h + *(sn_v4 *)&frames->gyro[i];
        *(sn_v4 *)&frames->omega[i] = omega * kept(step, frames->node[i]);
    }
}

/* Frames on their way to a target stand on the path at this moment, whatever was predicted. */
static void aim(sn_step *step) {
    sn_frames *frames = &step->world->frames;
    size_t left = step->substeps - step->substep;
    for (size_t i = 0; i < frames->slots.count; i++) {
        if (!frames->slots.alive[i] || frames->aimed[i] != SN_AIMED) continue;
        sn_v4 from = *(sn_v4 *)&frames->start[i], to = *(sn_v4 *)&frames->target[i];
        sn_v4 way = sn_quat_difference(from, to);
        *(sn_v4 *)&frames->q[i] = left == 1 ? to : sn_quat_turn(from, way / (sn_real)left);
        frames->gyro[i] = (sn_vec4){0, 0, 0, 0};
    }
}

void sn_rotate_predict(sn_step *step) {
    sn_world *world = step->world;
    sn_team_run(world->team, world->frames.slots.count, FRAMES_ALONE, predict_range, step);
    if (step->aimed) aim(step);
}

void sn_rotate_update(sn_step *step) {
    sn_world *world = step->world;
    sn_team_run(world->team, world->frames.slots.count, FRAMES_ALONE, update_range, step);
}

/* Targets that lie behind stand still from the next step on; torques are forgotten. */
void sn_rotate_begin(sn_step *step) {
    sn_frames *frames = &step->world->frames;
    for (size_t i = 0; i < frames->slots.count; i++) {
        step->aimed |= frames->aimed[i] == SN_AIMED;
        if (frames->aimed[i] == SN_ARRIVED) {
            frames->omega[i] = (sn_vec4){0, 0, 0, 0};
            frames->aimed[i] = SN_UNAIMED;
        }
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
