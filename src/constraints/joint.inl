/*
 * What follows from the rows of a joint: its loops, and what is not a loop.
 *
 * The including file defines SN_TYPE, SN_ROWS, SN_ROWS_ALONG, how many of its rows, the first ones,
 * are lengths, and SN_HAS_AXIS, 1 where its fields have an axis; and formula. With
 * SN_HAS_DIRECTION 1 there is also a direction across the axis, which x of the joint goes along.
 * Rows that are rotations have the field turn_compliance, behind these.
 */
#include "constraints/block.inl"

#if SN_LANES == 1

#ifndef SN_HAS_DIRECTION
#define SN_HAS_DIRECTION 0
#endif

enum {
    TURN_COMPLIANCE = SN_AXIS + 3 * (SN_HAS_AXIS + SN_HAS_DIRECTION),
    MEASURED = TURN_COMPLIANCE + (SN_ROWS > SN_ROWS_ALONG)
};

#define SN_NAME_OF_(type) #type
#define SN_NAME_OF(type) SN_NAME_OF_(type)

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_prepare_anchors(from, parameter);
    sn_prepare_turn(from, parameter + MEASURED);
    if (SN_HAS_DIRECTION) return sn_prepare_across(SN_NAME_OF(SN_TYPE), parameter + SN_AXIS);
    return SN_HAS_AXIS ? sn_prepare_axis(SN_NAME_OF(SN_TYPE), parameter + SN_AXIS) : SN_OK;
}

static double compliance(const sn_real *parameter, int row) {
    double own = row < SN_ROWS_ALONG ? 0 : (double)parameter[TURN_COMPLIANCE];
    return own + (double)parameter[SN_PARAMETER_COMPLIANCE];
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *parameter = from->parameter;
    sn_real own[SN_OWN];
    sn_derive_frames(parameter, SN_HAS_AXIS ? parameter + SN_AXIS : NULL, parameter + MEASURED,
                     own);
    if (SN_HAS_DIRECTION) sn_turn_about_axis(parameter + SN_AXIS + 3, own + SN_OWN_FRAME);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

/* The descriptor. */
#define SN_DEFINE_JOINT(type, FIELDS, text)                                                        \
    SN_DEFINE_TYPE(type, FIELDS, text, .joins = true, .anchors = SN_ANCHOR_0, .compliant = true,   \
                   .measured = SN_JOINT_MEASURED, .compliance = compliance)

#else
#define SN_DEFINE_JOINT(type, FIELDS, text)
#endif
