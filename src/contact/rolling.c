/*
 * A ball on a surface. The point where it touches moves with the centre and with the turning:
 *
 *   u = (x - p) + phi x arm - surface,     arm = -radius n
 *
 * Friction acts there. What takes u away moves the centre by a part of u and turns the ball for the
 * rest, by the inverse masses of both; Coulomb limits it as it limits any friction. So a ball on an
 * incline rolls with 5/7 g sin(theta) where friction is large enough, and slips where it is not.
 *
 * phi is the rotation of the substep that the angular velocity will be made from: no slipping then
 * holds for velocities, and far from small angles too.
 *
 * Rolling resistance is a torque against the rolling, of at most a coefficient times the radius
 * times the normal force. A ball that does not slip turns about the contact, with the inertia
 * I + m r^2, and its centre goes along: both are changed together, or the ball would creep where
 * resistance should hold it. Turning about the normal is not resisted.
 */
#include "contact/rolling.h"

#include "contact/ellipsoid.h"

bool sn_roll_is_ball(const sn_world *world, size_t node) {
    uint32_t body = world->nodes.body[node];
    return body && world->bodies.def[body - 1].rolls && world->nodes.frame[node] &&
           world->nodes.radius[node] > 0;
}

sn_ball sn_roll_ball(const sn_world *world, size_t node, sn_v4 normal, sn_masses masses) {
    const sn_frames *frames = &world->frames;
    size_t frame = world->nodes.frame[node] - 1;
    sn_real radius = world->nodes.radius[node];
    sn_ball ball = {.q = sn_v4_load(&frames->q[frame]),
                    .inverse = sn_v4_load(&masses.turn_w[frame]),
                    .arm = -radius * normal,
                    .w = masses.w[node],
                    .radius = radius};
    if (sn_is_ellipsoid(world, node)) {
        ball.arm = sn_ellipsoid_arm(world, node, normal);
        ball.radius = -sn_v4_dot(ball.arm, normal);
    }
    return ball;
}

void sn_roll_turn(const sn_world *world, size_t node, sn_ball *ball, sn_v4 phi) {
    const sn_frames *frames = &world->frames;
    size_t frame = world->nodes.frame[node] - 1;
    phi[3] = 0;
    sn_v4_store(&frames->turn[frame], sn_v4_load(&frames->turn[frame]) + phi);
    ball->q = sn_quat_turn(ball->q, phi);
    sn_v4_store(&frames->q[frame], ball->q);
}

sn_v4 sn_roll_spin(const sn_world *world, size_t node, const sn_ball *ball, double h) {
    const sn_frames *frames = &world->frames;
    size_t frame = world->nodes.frame[node] - 1;
    sn_v4 turned =
        (sn_real)h * sn_v4_load(&frames->omega[frame]) + sn_v4_load(&frames->turn[frame]);
    if (world->history.used)
        turned -= sn_v4_load(&frames->w[frame]) *
                  sn_quat_rotate_back(ball->q, sn_v4_load(&world->history.turn_s[frame]));
    return sn_quat_rotate(ball->q, turned);
}

/* rad: how the collider turns in the substep. */
static sn_v4 collider_spin(const sn_collider_pose *at) {
    sn_v4 displacement =
        sn_quat_mul(sn_v4_load(&at->q), sn_quat_conjugate(sn_v4_load(&at->before)));
    sn_real two = displacement[3] < 0 ? -2 : 2;
    return (sn_v4){two * displacement[0], two * displacement[1], two * displacement[2], 0};
}

/* How the centre goes with a ball that turns by phi and does not slip. */
static sn_v4 rolled(const sn_ball *ball, sn_v4 phi) {
    return sn_v4_cross(ball->arm, phi);
}

/* The torque against rolling; friction goes along where it sticks. Changes the slide then. */
static sn_v4 resist(const sn_world *world, const sn_node_contact *c, double h, sn_ball *ball,
                    const sn_contact_material *material, sn_v4 normal, sn_real push, sn_v4 *slide,
                    bool sticks) {
    const sn_collider_pose *at = &sn_collider_poses(world)[c->collider];
    size_t node = c->node;
    sn_v4 roll = sn_across(sn_roll_spin(world, node, ball, h) - collider_spin(at), normal),
          none = {0};
    sn_real square = sn_v4_dot(roll, roll);
    if (!(square > 0)) return none;
    sn_real ease = sn_ball_ease(ball, roll * (1 / SN_ROOT(square)));
    if (!(ease > 0)) return none;
    sn_real about = 1 / (1 / ease + ball->radius * ball->radius / ball->w);
    sn_real most = material->rolling_resistance * ball->radius * push / ball->w;
    sn_v4 held = sn_v4_load(&c->search->roll);
    sn_v4 whole = sn_friction_limited(held - roll / (sticks ? about : ease), most),
          more = whole - held;
    sn_v4 goes = rolled(ball, about * more), both = *slide + goes;
    bool along = sticks && sn_friction_holds(material, both, push);
    if (!along) {
        whole = sn_friction_limited(held - roll / ease, most);
        sn_roll_turn(world, node, ball, sn_ball_twisted(ball, whole - held));
        sn_v4_store(&c->search->roll, whole);
        return none;
    }
    sn_roll_turn(world, node, ball, sn_quat_rotate_back(ball->q, about * more));
    sn_v4_store(&c->search->roll, whole);
    *slide = both;
    return goes;
}

sn_ball sn_roll_begin(const sn_world *world, size_t node, double h, sn_v4 normal, sn_v4 *motion,
                      sn_real *lever) {
    sn_ball ball = sn_roll_ball(world, node, normal, sn_world_masses(world));
    *motion += sn_v4_cross(sn_roll_spin(world, node, &ball, h), ball.arm);
    *lever = sn_ball_part(&ball, sn_across(*motion, normal));
    return ball;
}

sn_v4 sn_roll_end(const sn_world *world, const sn_node_contact *c, double h, sn_ball *ball,
                  const sn_contact_material *material, sn_v4 normal, sn_contact_answer *answer,
                  sn_v4 before) {
    sn_v4 slide = {answer->slide.x, answer->slide.y, answer->slide.z, 0}, goes = slide - before;
    sn_real still = material->static_friction * answer->push;
    bool sticks = !(still * still < sn_lane3_dot(answer->asked, answer->asked));
    sn_roll_turn(world, c->node, ball, sn_ball_turned(ball, goes));
    if (material->rolling_resistance > 0)
        goes += resist(world, c, h, ball, material, normal, answer->push, &slide, sticks);
    answer->slide = sn_lane3_of(slide);
    return goes;
}

sn_v4 sn_roll_brake(const sn_world *world, size_t node, const sn_contact_material *material,
                    sn_v4 velocity, sn_v4 normal, sn_real push) {
    const sn_frames *frames = &world->frames;
    size_t frame = world->nodes.frame[node] - 1;
    sn_ball ball = sn_roll_ball(world, node, normal, (sn_masses){world->nodes.w, frames->w});
    sn_v4 omega = sn_v4_load(&frames->omega[frame]);
    sn_v4 turning = sn_v4_cross(sn_quat_rotate(ball.q, omega), ball.arm);
    sn_v4 across = sn_across(velocity + turning, normal);
    sn_v4 change = sn_friction_brake(material, sn_ball_part(&ball, across) * across, push);
    sn_v4 next = omega + sn_ball_turned(&ball, change);
    if (!sn_v4_is_finite(next)) return (sn_v4){0};
    next[3] = 0;
    sn_v4_store(&frames->omega[frame], next);
    return change;
}
