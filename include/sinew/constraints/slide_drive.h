#ifdef SN_LIST_TYPE
SN_LIST_TYPE(slide_drive, SLIDE_DRIVE)
#elif !defined(SINEW_SLIDE_DRIVE_H)
#define SINEW_SLIDE_DRIVE_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Moves node 1 along the axis of node 0, beside a slider_joint or on its own. C is how far its
 * anchor has come along the axis since creation, less the target, one row in m. What it is, its
 * fields say, as for turn_drive: spring, servo, limit, motor or friction.
 */
#define SN_SLIDE_DRIVE_FIELDS(FIELD)                                                               \
    SN_ANCHOR_FIELDS(FIELD) SN_AXIS_FIELD(FIELD) SN_DRIVE_FIELDS(FIELD, "m", "m/s", "N")

SN_DECLARE_CONSTRAINT(slide_drive, 2, SN_SLIDE_DRIVE_FIELDS)
#endif
