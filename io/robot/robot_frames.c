/* Frames of robots, in double. */
#include "io/robot/robot.h"
#include "io/text/elementary.h"

#include <math.h>

void sn_robot_turn_multiply(const double a[4], const double b[4], double out[4]) {
    double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    double size = sqrt(x * x + y * y + z * z + w * w);
    out[0] = x / size;
    out[1] = y / size;
    out[2] = z / size;
    out[3] = w / size;
}

robot_frame sn_robot_compose(const robot_frame *outer, const robot_frame *inner) {
    robot_frame frame;
    frame.at = sn_io_point_add(outer->at, sn_io_point_rotated(outer->turn, inner->at));
    sn_robot_turn_multiply(outer->turn, inner->turn, frame.turn);
    return frame;
}

robot_frame sn_robot_inverse(const robot_frame *frame) {
    robot_frame back = {{0, 0, 0},
                        {-frame->turn[0], -frame->turn[1], -frame->turn[2], frame->turn[3]}};
    back.at = sn_io_point_scaled(sn_io_point_rotated(back.turn, frame->at), -1);
    return back;
}

robot_frame sn_robot_turned(sn_io_point axis, double angle) {
    double s = sn_elementary_sin(angle / 2), c = sn_elementary_cos(angle / 2);
    return (robot_frame){{0, 0, 0}, {s * axis.x, s * axis.y, s * axis.z, c}};
}

void sn_robot_turn_rpy(const double rpy[3], double turn[4]) {
    robot_frame x = sn_robot_turned((sn_io_point){1, 0, 0}, rpy[0]);
    robot_frame y = sn_robot_turned((sn_io_point){0, 1, 0}, rpy[1]);
    robot_frame z = sn_robot_turned((sn_io_point){0, 0, 1}, rpy[2]);
    sn_robot_turn_multiply(y.turn, x.turn, turn);
    sn_robot_turn_multiply(z.turn, turn, turn);
}
