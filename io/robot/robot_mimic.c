/*
 * Joints that follow others, as gears.
 *
 * A gear knows the angles a_1 and a_2 of two nodes in the frame of a third. Where both joints are
 * on one link, a_2 = factor a_1 is what a file asks for. Where the second is on the child of the
 * first and their axes are parallel, its node turns by both, a_1 + a_2 = (1 + factor) a_1.
 */
#include "io/robot/robot.h"

#include <math.h>

static bool turns(sn_io_joint_kind kind) {
    return kind == SN_IO_JOINT_REVOLUTE || kind == SN_IO_JOINT_CONTINUOUS;
}

/* The axis of a joint at 0, in the frame of the body of its parent. */
static sn_io_point axis_of(const sn_io_robot *r, size_t joint, sn_io_point *at) {
    const robot_joint *j = &r->joints[joint];
    robot_frame frame = sn_robot_compose(&r->links[j->public.parent].in_body, &j->origin);
    *at = frame.at;
    return sn_io_point_rotated(frame.turn, sn_io_point_of(j->public.axis));
}

bool sn_robot_find_gear(const sn_io_robot *r, size_t joint, robot_gear *gear) {
    const sn_io_robot_joint *own = &r->joints[joint].public;
    if (own->mimic == SN_ROBOT_NONE) return false;
    const robot_joint *other = &r->joints[own->mimic];
    if (!turns(own->kind) || !turns(other->public.kind) || own->offset != 0) return false;
    /* One that follows a follower is followed by none. */
    if (other->public.mimic != SN_ROBOT_NONE) return false;
    size_t frame = r->links[other->public.parent].body, on = r->links[own->parent].body;
    sn_io_point at;
    gear->frame = frame;
    gear->axis = axis_of(r, own->mimic, &at);
    gear->axis_2 = axis_of(r, joint, &at);
    gear->ratio = (double)own->factor;
    if (on == r->links[other->public.child].body) {
        robot_frame link =
            sn_robot_compose(&r->links[other->public.parent].in_body, &other->origin);
        gear->axis_2 = sn_io_point_rotated(link.turn, gear->axis_2);
        double along = sn_io_point_dot(gear->axis, gear->axis_2);
        if (!(fabs(along) > 1 - 1e-6)) return false;
        gear->axis_2 = gear->axis;
        gear->ratio = 1 + (along < 0 ? -1 : 1) * (double)own->factor;
    } else if (on != frame) {
        return false;
    }
    return fabs(gear->ratio) >= 1e-3 && fabs(gear->ratio) <= 1e3;
}
