#include "io/animation/place.h"

#include "io/scene/point.h"

void sn_io_place(const sn_io_pose *pose, const sn_io_rigid *rigid, sn_vec3 *positions,
                 sn_vec3 *velocities) {
    const double q[4] = {(double)pose->orientation.x, (double)pose->orientation.y,
                         (double)pose->orientation.z, (double)pose->orientation.w};
    sn_io_point at = sn_io_point_of(pose->position), v = sn_io_point_of(rigid->velocity);
    sn_io_point omega = sn_io_point_of(rigid->angular_velocity);
    for (size_t i = 0; i < rigid->vertex_count; i++) {
        sn_io_point arm = sn_io_point_rotated(q, sn_io_point_of(rigid->vertices[i]));
        positions[i] = sn_io_point_vec3(sn_io_point_add(at, arm));
        if (velocities)
            velocities[i] = sn_io_point_vec3(sn_io_point_add(v, sn_io_point_cross(omega, arm)));
    }
}
