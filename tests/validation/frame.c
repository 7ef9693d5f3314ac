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
