/* Shapes of links as colliders: a cylinder of a file lies along z, that of a collider along y. */
#include "io/robot/robot.h"

static const double along_z[4] = {0.70710678118654752440, 0, 0, 0.70710678118654752440};

void sn_robot_collider(const robot_geometry *g, sn_collider_def *def) {
    robot_frame frame = g->origin;
    const double *s = g->size;
    switch (g->shape) {
    case ROBOT_BOX:
        def->shape = SN_SHAPE_BOX;
        def->extent = (sn_vec3){(sn_real)(s[0] / 2), (sn_real)(s[1] / 2), (sn_real)(s[2] / 2)};
        break;
    case ROBOT_SPHERE:
        def->shape = SN_SHAPE_SPHERE;
        def->radius = (sn_real)s[0];
        break;
    case ROBOT_CYLINDER:
    case ROBOT_CAPSULE:
        def->shape = g->shape == ROBOT_CAPSULE ? SN_SHAPE_CAPSULE : SN_SHAPE_CYLINDER;
        def->radius = (sn_real)s[0];
        def->extent = (sn_vec3){0, (sn_real)(s[1] / 2), 0};
        sn_robot_turn_multiply(g->origin.turn, along_z, frame.turn);
        break;
    default:
        def->shape = SN_SHAPE_HULL;
        def->geometry.vertices = g->mesh.positions;
        def->geometry.vertex_count = g->mesh.vertex_count;
        def->geometry.triangles = (const uint32_t(*)[3])g->mesh.triangles;
        def->geometry.triangle_count = g->mesh.triangle_count;
        break;
    }
    def->position = sn_io_point_vec3(frame.at);
    def->orientation = (sn_quat){(sn_real)frame.turn[0], (sn_real)frame.turn[1],
                                 (sn_real)frame.turn[2], (sn_real)frame.turn[3]};
}
