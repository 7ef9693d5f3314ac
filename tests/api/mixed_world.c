#include "mixed_world.h"

#include <string.h>

#include "check.h"

static void wind(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)user;
    for (size_t i = 0; i < input->count; i++) {
        acceleration[i].x += (sn_real)0.5 * input->position[i].y;
        acceleration[i].z -= input->velocity[i].z;
    }
}

static sn_result make_nodes(scene *s) {
    static _Thread_local sn_node_def defs[SCENE_MAX_NODES];
    for (int i = 0; i < s->nodes; i++) {
        int column = i % s->side;
        int row = i / s->side;
        defs[i] = sn_node_def_default();
        defs[i].position = (sn_vec3){(sn_real)0.1 * (sn_real)column, (sn_real)0.1 * (sn_real)row,
                                     (sn_real)0.01 * (sn_real)(i * i % 7)};
        bool pinned = row == s->side - 1 && column % 4 == 0;
        defs[i].inverse_mass = pinned ? 0 : (sn_real)(1 + i % 3);
        if (row < s->side / 2) {
            defs[i].body = s->body;
        }
    }
    return sn_nodes_create(s->world, defs, (size_t)s->nodes, s->node);
}

static sn_result make_distances(scene *s) {
    static _Thread_local sn_distance_def defs[2 * SCENE_MAX_NODES];
    size_t count = 0;
    for (int i = 0; i < s->nodes; i++) {
        for (int way = 0; way < 2; way++) {
            int other = i + (way == 0 ? 1 : s->side);
            bool inside = way == 0 ? i % s->side + 1 < s->side : other < s->nodes;
            if (!inside) {
                continue;
            }
            sn_distance_def *def = &defs[count++];
            *def = sn_distance_def_default();
            def->node[0] = s->node[i];
            def->node[1] = s->node[other];
            def->compliance = i % 2 == 0 ? 0 : (sn_real)1e-4;
            def->damping = i % 4 == 1 ? 2 : 0;
            def->break_force = i % 5 == 0 ? (sn_real)1e9 : SN_AUTO;
            def->side = i % 9 == 2 ? SN_SIDE_AT_MOST : SN_SIDE_BOTH;
        }
    }
    return sn_constraints_create(s->world, SN_TYPE_DISTANCE, defs, count, NULL);
}

/* One of each of the other kinds per cell of the grid, with slots at hand. */
static sn_result make_cells(scene *s) {
    for (int row = 0; row + 1 < s->side; row += 2) {
        for (int column = 0; column + 1 < s->side; column++) {
            int i = row * s->side + column;
            sn_node corner[4] = {s->node[i], s->node[i + s->side + 1], s->node[i + 1],
                                 s->node[i + s->side]};
            sn_constraint made;
            sn_result result;
            sn_isometric_bending_def bending = sn_isometric_bending_def_default();
            memcpy(bending.node, corner, sizeof corner);
            bending.compliance = 100;
            result = sn_constraint_create(s->world, SN_TYPE_ISOMETRIC_BENDING, &bending, &made);
            if (result != SN_OK) {
                return result;
            }
            sn_tet_volume_def volume = sn_tet_volume_def_default();
            memcpy(volume.node, corner, sizeof corner);
            volume.compliance = (sn_real)1e-9;
            result = sn_constraint_create(s->world, SN_TYPE_TET_VOLUME, &volume, &made);
            if (result != SN_OK) {
                return result;
            }
        }
    }
    sn_constraint made;
    sn_attachment_def attachment = sn_attachment_def_default();
    attachment.node[0] = s->node[s->nodes - 2];
    return sn_constraint_create(s->world, SN_TYPE_ATTACHMENT, &attachment, &made);
}

/* Oriented nodes in a row, the first of them held. */
static sn_result make_rod(scene *s) {
    sn_node_def nodes[SCENE_ROD];
    for (int i = 0; i < SCENE_ROD; i++) {
        nodes[i] = sn_node_def_default();
        nodes[i].position = (sn_vec3){-1, 0, (sn_real)0.1 * (sn_real)i};
        nodes[i].oriented = true;
        nodes[i].inverse_inertia = (sn_vec3){100, 100, 150};
    }
    sn_result result = sn_nodes_create(s->world, nodes, SCENE_ROD, s->rod);
    for (int i = 0; result == SN_OK && i + 1 < SCENE_ROD; i++) {
        sn_constraint made;
        sn_stretch_shear_def shear = sn_stretch_shear_def_default();
        sn_bend_twist_def bend = sn_bend_twist_def_default();
        shear.node[0] = bend.node[0] = s->rod[i];
        shear.node[1] = bend.node[1] = s->rod[i + 1];
        bend.compliance = 1;
        result = sn_constraint_create(s->world, SN_TYPE_STRETCH_SHEAR, &shear, &made);
        if (result == SN_OK) {
            result = sn_constraint_create(s->world, SN_TYPE_BEND_TWIST, &bend, &made);
        }
    }
    sn_constraint made;
    sn_frame_attachment_def held = sn_frame_attachment_def_default();
    held.node[0] = s->rod[0];
    if (result == SN_OK) {
        result = sn_constraint_create(s->world, SN_TYPE_FRAME_ATTACHMENT, &held, &made);
    }
    return result;
}

sn_result scene_make(scene *s, const sn_world_def *def, int side) {
    memset(s, 0, sizeof *s);
    s->side = side;
    s->nodes = side * side;
    sn_result result = sn_world_create(def, &s->world);
    sn_body_def body = sn_body_def_default();
    body.damping = (sn_real)0.1;
    body.rigid_damping = 2;
    if (result == SN_OK) {
        result = sn_body_create(s->world, &body, &s->body);
    }
    if (result == SN_OK) {
        result = make_nodes(s);
    }
    if (result == SN_OK) {
        result = make_distances(s);
    }
    if (result == SN_OK) {
        result = make_cells(s);
    }
    if (result == SN_OK) {
        result = make_rod(s);
    }
    if (result == SN_OK) {
        result = sn_world_add_force_field(s->world, wind, NULL);
    }
    return result;
}

sn_result scene_step(scene *s, double dt) {
    REQUIRE_OK(sn_node_add_force(s->world, s->node[s->nodes - 3], (sn_vec3){1, 2, 3}));
    REQUIRE_OK(sn_node_add_torque(s->world, s->rod[4], (sn_vec3){0, 1, 0}));
    return sn_world_step(s->world, (sn_real)dt);
}
