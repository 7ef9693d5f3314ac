#include "frame.h"

#include <math.h>

const quat unturned = {0, 0, 0, 1};

quat turn(vec axis, double angle) {
    double s = sin(angle / 2) / length(axis);
    return (quat){s * axis.x, s * axis.y, s * axis.z, cos(angle / 2)};
}

quat product(quat a, quat b) {
    return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                  a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

quat conjugate(quat a) {
    return (quat){-a.x, -a.y, -a.z, a.w};
}

vec rotated(quat q, vec v) {
    quat turned = product(product(q, (quat){v.x, v.y, v.z, 0}), conjugate(q));
    return (vec){turned.x, turned.y, turned.z};
}

double angle_between(quat a, quat b) {
    quat way = product(conjugate(a), b);
    return 2 * atan2(length((vec){way.x, way.y, way.z}), fabs(way.w));
}

sn_quat quaternion(quat q) {
    return (sn_quat){(sn_real)q.x, (sn_real)q.y, (sn_real)q.z, (sn_real)q.w};
}

sn_node add_frame(sn_world *world, vec position, double mass, quat orientation, vec inertia) {
    sn_node_def def = sn_node_def_default();
    def.position = vector(position.x, position.y, position.z);
    def.inverse_mass = (sn_real)(1 / mass);
    def.oriented = true;
    def.orientation = quaternion(orientation);
    def.inverse_inertia = vector(1 / inertia.x, 1 / inertia.y, 1 / inertia.z);
    sn_node node;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

sn_node add_fixed_frame(sn_world *world, vec position, quat orientation) {
    vec infinite = {INFINITY, INFINITY, INFINITY};
    return add_frame(world, position, INFINITY, orientation, infinite);
}

quat orientation_of(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    CHECK(def.oriented);
    return (quat){(double)def.orientation.x, (double)def.orientation.y, (double)def.orientation.z,
                  (double)def.orientation.w};
}

vec spin_of(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    sn_vec3 spin = def.angular_velocity;
    return (vec){(double)spin.x, (double)spin.y, (double)spin.z};
}

vec own_spin_of(const sn_world *world, sn_node node) {
    sn_frame_view view;
    REQUIRE_OK(sn_world_frames(world, &view));
    for (size_t i = 0; i < view.count; i++) {
        if (!view.alive[i] || view.node[i] != node.slot - 1) continue;
        sn_vec4 spin = view.angular_velocity[i];
        return (vec){(double)spin.x, (double)spin.y, (double)spin.z};
    }
    bool node_has_a_frame = false;
    CHECK(node_has_a_frame);
    return (vec){0, 0, 0};
}

void set_spin(sn_world *world, sn_node node, vec spin) {
    REQUIRE_OK(sn_node_set_angular_velocity(world, node, vector(spin.x, spin.y, spin.z)));
}

/* ---- A limit ---- */

/* Rows 0 and 1 keep z upright; row 2 is how far the frame is turned beyond -1/2, as a sine, and
   only pushes. */
static void hinge(void *user, const sn_user_batch *b) {
    static const double stop = -0.24740395925452294; /* sin(-1/4) */
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        const sn_real q[4] = {b->q[0][0][i], b->q[0][1][i], b->q[0][2][i], b->q[0][3][i]};
        for (int r = 0; r < 3; r++) {
            /* Im(q) changes by (w phi + v x phi) / 2. */
            int s = (r + 1) % 3, t = (r + 2) % 3;
            b->value[r][i] = r == 2 ? q[2] - (sn_real)stop : q[r];
            for (int a = 0; a < 3; a++) b->gradient[r][a][i] = 0;
            b->turn[r][r][i] = q[3] / 2;
            b->turn[r][s][i] = -q[t] / 2;
            b->turn[r][t][i] = q[s] / 2;
        }
        b->least[2][i] = 0;
    }
}

sn_node add_limited_frame(sn_world *world, double angle, sn_constraint *made) {
    sn_type type = SN_TYPE_COUNT;
    sn_user_type_def def = sn_user_type_def_default();
    sn_user_def constraint;
    sn_node node =
        add_frame(world, (vec){0, 0, 0}, 1, turn((vec){0, 0, 1}, angle), (vec){0.5, 0.6, 0.7});
    def.name = "hinge";
    def.nodes = def.frames = 1;
    def.rows = 3;
    def.external = true;
    def.formula = hinge;
    def.bounded = true;
    REQUIRE_OK(sn_world_add_type(world, &def, &type));
    REQUIRE_OK(sn_user_def_default(world, type, &constraint));
    constraint.node[0] = node;
    REQUIRE_OK(sn_constraint_create(world, type, &constraint, made));
    return node;
}
