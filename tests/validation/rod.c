#include "rod.h"

#include <math.h>

rod_def rod_def_default(void) {
    return (rod_def){.segments = 20,
                     .length = 1,
                     .mass = 1,
                     .inertia = 0.02,
                     .bend_stiffness = 1,
                     .twist_stiffness = 1,
                     .clamped = true};
}

quat rod_direction(void) {
    return turn((vec){0, 1, 0}, PI / 2);
}

static void add_joint(rod *r, const rod_def *def, sn_node a, sn_node b, double spacing) {
    sn_bend_twist_def joint = sn_bend_twist_def_default();
    joint.node[0] = a;
    joint.node[1] = b;
    joint.rest_length = (sn_real)spacing;
    joint.bend_stiffness_x = joint.bend_stiffness_y = (sn_real)def->bend_stiffness;
    joint.twist_stiffness = (sn_real)def->twist_stiffness;
    joint.rest_darboux = vector(def->curvature, 0, def->rest_twist);
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(r->world, SN_TYPE_BEND_TWIST, &joint, &constraint));
}

static void add_segment(rod *r, int i) {
    sn_stretch_shear_def segment = sn_stretch_shear_def_default();
    segment.node[0] = r->node[i];
    segment.node[1] = r->node[i + 1];
    segment.rest_length = (sn_real)r->spacing;
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(r->world, SN_TYPE_STRETCH_SHEAR, &segment, &constraint));
}

rod make_rod(sn_settings settings, const rod_def *def) {
    int n = def->segments;
    rod r = {.world = make_world(settings), .segments = n, .spacing = def->length / n};
    double inertia = def->inertia / n, mass = def->mass / n;
    quat direction = rod_direction();
    vec origin = {0, 0, 0};
    if (def->clamped) r.wall = add_fixed_frame(r.world, origin, direction);
    for (int i = 0; i < n; i++) {
        double own = i > 0 ? mass : def->clamped ? INFINITY : mass / 2;
        r.node[i] = add_frame(r.world, (vec){i * r.spacing, 0, 0}, own, direction,
                              (vec){inertia, inertia, inertia});
    }
    r.node[n] = add_node(r.world, (vec){def->length, 0, 0}, mass / 2);
    for (int i = 0; i < n; i++) add_segment(&r, i);
    if (def->clamped) add_joint(&r, def, r.wall, r.node[0], r.spacing / 2);
    for (int i = 1; i < n; i++) add_joint(&r, def, r.node[i - 1], r.node[i], r.spacing);
    return r;
}

rod_motion rod_motion_of(const rod *r) {
    rod_motion sum = {0};
    for (int i = 0; i <= r->segments; i++) {
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_node_get(r->world, r->node[i], &def));
        vec x = position_of(r->world, r->node[i]), v = velocity_of(r->world, r->node[i]);
        double m = 1 / (double)def.inverse_mass;
        vec l = {x.y * v.z - x.z * v.y, x.z * v.x - x.x * v.z, x.x * v.y - x.y * v.x}, spin = {0};
        if (def.oriented) {
            vec omega = own_spin_of(r->world, r->node[i]);
            vec own = {omega.x / (double)def.inverse_inertia.x,
                       omega.y / (double)def.inverse_inertia.y,
                       omega.z / (double)def.inverse_inertia.z};
            spin = rotated(orientation_of(r->world, r->node[i]), own);
        }
        sum.momentum.x += m * v.x;
        sum.momentum.y += m * v.y;
        sum.momentum.z += m * v.z;
        sum.angular_momentum.x += m * l.x + spin.x;
        sum.angular_momentum.y += m * l.y + spin.y;
        sum.angular_momentum.z += m * l.z + spin.z;
    }
    return sum;
}
