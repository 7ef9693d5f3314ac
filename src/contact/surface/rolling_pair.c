/*
 * Two balls that roll on each other. With n from the second to the first, r and e the radius and
 * the inverse inertia of each, phi how far it turns and x how far its centre goes, what touches
 * moves by
 *
 *   u = x_1 - x_2 - (r_1 phi_1 + r_2 phi_2) x n,     and rolls by     rho = phi_1 - phi_2
 *
 * Friction J across n and a torque K across n, on the first and the other way on the second, give
 *
 *   du   = k_t J - c K x n      k_t = w_1 + w_2 + r_1^2 e_1 + r_2^2 e_2
 *   drho = (e_1 + e_2) K - c n x J                c = r_1 e_1 - r_2 e_2
 *
 * so that equal balls roll and slide independently of each other. Where friction holds, J goes
 * along with K such that u stays what it is. With the second infinitely large and heavy this is a
 * ball on a collider (rolling.c).
 *
 * Arms are shortened to what the centres are apart: then friction has no moment of the whole.
 */
#include "contact/surface/rolling_pair.h"

#include "contact/rolling.h"

bool sn_rolling_pair_is_needed(const sn_world *world) {
    if (world->frames.slots.count == 0) return false;
    for (size_t i = 0; i < world->bodies.slots.count; i++)
        if (world->bodies.def[i].rolls) return true;
    return false;
}

bool sn_rolling_pair_begin(sn_rolling_pair *pair, const sn_world *world, size_t first,
                           size_t second, sn_v4 normal, sn_real apart, sn_real k_n) {
    const size_t node[2] = {first, second};
    const sn_real *radius = world->nodes.radius;
    sn_real radii = radius[first] + radius[second], ease[2] = {0, 0};
    *pair = (sn_rolling_pair){.world = world, .normal = normal, .k_n = k_n, .k_t = k_n};
    if (!(radii > 0) || !(k_n > 0)) return false;
    for (int i = 0; i < 2; i++) {
        sn_ball *ball = &pair->ball[i];
        sn_real length = radius[node[i]] * (apart / radii);
        pair->node[i] = node[i];
        pair->rolls[i] = sn_roll_is_ball(world, node[i]);
        ball->radius = length;
        if (!pair->rolls[i]) continue;
        *ball = sn_roll_ball(world, node[i], normal, sn_world_masses(world));
        ball->radius = length;
        ball->arm = (i == 0 ? -length : length) * normal;
        /* The same about all axes of a ball; of others what does not take too much. */
        for (int k = 0; k < 3; k++)
            if (ball->inverse[k] > ease[i]) ease[i] = ball->inverse[k];
    }
    for (int i = 0; i < 2; i++) pair->k_t += pair->ball[i].radius * pair->ball[i].radius * ease[i];
    pair->ease = ease[0] + ease[1];
    pair->cross = pair->ball[0].radius * ease[0] - pair->ball[1].radius * ease[1];
    return pair->rolls[0] || pair->rolls[1];
}

sn_v4 sn_rolling_pair_slip(const sn_rolling_pair *pair, double h, bool before) {
    sn_v4 slip = {0};
    for (int i = 0; i < 2; i++) {
        const sn_ball *ball = &pair->ball[i];
        if (!pair->rolls[i]) continue;
        size_t frame = pair->world->nodes.frame[pair->node[i]] - 1;
        sn_v4 spin =
            before ? sn_quat_rotate(ball->q,
                                    (sn_real)h * sn_v4_load(&pair->world->frames.omega[frame]))
                   : sn_roll_spin(pair->world, pair->node[i], ball, h);
        sn_v4 moves = sn_v4_cross(spin, ball->arm);
        slip += i == 0 ? moves : -moves;
    }
    return slip;
}

/* Turns both by torques (kg m^2) in the world. */
static void twist(sn_rolling_pair *pair, sn_v4 first, sn_v4 second) {
    const sn_v4 by[2] = {first, second};
    for (int i = 0; i < 2; i++)
        if (pair->rolls[i])
            sn_roll_turn(pair->world, pair->node[i], &pair->ball[i],
                         sn_ball_twisted(&pair->ball[i], by[i]));
}

void sn_rolling_pair_turn(sn_rolling_pair *pair, sn_v4 impulse) {
    twist(pair, sn_v4_cross(pair->ball[0].arm, impulse), sn_v4_cross(impulse, pair->ball[1].arm));
}

sn_v4 sn_rolling_pair_resist(sn_rolling_pair *pair, double h, sn_real resistance, sn_real pressed,
                             sn_real room) {
    sn_real a = pair->ball[0].radius, b = pair->ball[1].radius;
    sn_v4 roll = {0}, none = {0};
    if (!(pair->ease > 0) || !(pressed > 0)) return none;
    for (int i = 0; i < 2; i++)
        if (pair->rolls[i]) {
            sn_v4 spin = sn_roll_spin(pair->world, pair->node[i], &pair->ball[i], h);
            roll += i == 0 ? spin : -spin;
        }
    roll = sn_across(roll, pair->normal);
    sn_real most = resistance * (a * b / (a + b)) * pressed;
    sn_real held = pair->ease - pair->cross * pair->cross / pair->k_t;
    sn_v4 torque = sn_friction_limited(-roll / held, most);
    sn_v4 along = (pair->cross / pair->k_t) * sn_v4_cross(torque, pair->normal);
    if (!(sn_v4_dot(along, along) <= room * room)) {
        torque = sn_friction_limited(-roll / pair->ease, most);
        along = none;
    }
    twist(pair, torque, -torque);
    sn_rolling_pair_turn(pair, along);
    return along;
}
