/* A rod of round cross-section along the x axis, clamped at its first node. */
#include "scenes.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

scene_rod_def scene_rod_def_default(void) {
    return (scene_rod_def){.segments = 100,
                           .length = (sn_real)0.01,
                           .radius = (sn_real)0.005,
                           .density = 1000,
                           .young = (sn_real)1e6,
                           .poisson = (sn_real)0.5};
}

/* Node i carries the frame of segment i, whose z axis points along the rod. */
static sn_node_def node_at(const scene_rod_def *def, int i) {
    double r = (double)def->radius, l = (double)def->length;
    double mass = (double)def->density * pi * r * r * l;
    double across = mass * (3 * r * r + l * l) / 12, along = mass * r * r / 2;
    sn_real half = (sn_real)sqrt(0.5);
    sn_node_def node = sn_node_def_default();
    node.position.x = (sn_real)(i * l);
    node.oriented = true;
    node.orientation = (sn_quat){0, half, 0, half};
    node.inverse_mass = i == 0 ? 0 : (sn_real)(1 / mass);
    node.inverse_inertia = (sn_vec3){0, 0, 0};
    if (i > 0)
        node.inverse_inertia =
            (sn_vec3){(sn_real)(1 / across), (sn_real)(1 / across), (sn_real)(1 / along)};
    return node;
}

static sn_result add_segments(sn_world *world, const scene_rod_def *def, const sn_node *nodes) {
    double r = (double)def->radius, area = pi * r * r, second = pi * r * r * r * r / 4;
    double young = (double)def->young, shear = young / (2 * (1 + (double)def->poisson));
    for (int i = 0; i < def->segments; i++) {
        sn_constraint ignored;
        sn_stretch_shear_def stretch = sn_stretch_shear_def_default();
        stretch.node[0] = nodes[i];
        stretch.node[1] = nodes[i + 1];
        stretch.stretch_stiffness = (sn_real)(young * area);
        stretch.shear_stiffness = (sn_real)(0.9 * shear * area);
        sn_result result = sn_constraint_create(world, SN_TYPE_STRETCH_SHEAR, &stretch, &ignored);
        if (result != SN_OK) return result;
        if (i + 1 == def->segments) continue;
        sn_bend_twist_def bend = sn_bend_twist_def_default();
        bend.node[0] = nodes[i];
        bend.node[1] = nodes[i + 1];
        bend.rest_length = def->length;
        bend.bend_stiffness_x = bend.bend_stiffness_y = (sn_real)(young * second);
        bend.twist_stiffness = (sn_real)(shear * 2 * second);
        result = sn_constraint_create(world, SN_TYPE_BEND_TWIST, &bend, &ignored);
        if (result != SN_OK) return result;
    }
    return SN_OK;
}

sn_result scene_rod(sn_world *world, const scene_rod_def *def) {
    size_t count = (size_t)def->segments + 1;
    sn_node_def *defs = calloc(count, sizeof *defs);
    sn_node *nodes = calloc(count, sizeof *nodes);
    sn_result result = defs && nodes ? SN_OK : SN_ERROR_MEMORY;
    for (int i = 0; result == SN_OK && i <= def->segments; i++) defs[i] = node_at(def, i);
    if (result == SN_OK) result = sn_nodes_create(world, defs, count, nodes);
    if (result == SN_OK) result = add_segments(world, def, nodes);
    free(defs);
    free(nodes);
    return result;
}
