/*
 * What the drives of joints share: bounds of the force, and a target or a speed.
 *
 *   C = s - target                        a spring, a servo or a limit, by the bounds
 *   C = s - s_start - speed h             a motor, s_start where the substep began
 *
 * A target that was set comes there evenly through the next step (step/servo.h).
 *
 * Mueller et al. 2020, section 3.3.4, drives joints by the target alone; a speed there is a target
 * that moves, which winds up where a motor is held back.
 */
#ifndef SN_CONSTRAINTS_DRIVE_H
#define SN_CONSTRAINTS_DRIVE_H

#include "constraints/joint.h"

/* The last coefficients of a drive. */
enum {
    SN_DRIVE_TARGET = SN_OWN - 4, /* or speed h */
    SN_DRIVE_MOTOR,               /* 1 for a motor, 0 otherwise */
    SN_DRIVE_LEAST,               /* bounds of the multiplier */
    SN_DRIVE_MOST
};

/* C, from how far it is and was. */
SN_INLINE sn_lane sn_drive_value(const sn_real *own, sn_lane now, sn_lane start) {
    sn_lane motor = sn_lane_load(own + SN_DRIVE_MOTOR * SN_BLOCK);
    return (now - motor * start) - sn_lane_load(own + SN_DRIVE_TARGET * SN_BLOCK);
}

SN_INLINE void bounds(const sn_real *own, sn_lane least[SN_ROWS], sn_lane most[SN_ROWS]) {
    least[0] = sn_lane_load(own + SN_DRIVE_LEAST * SN_BLOCK);
    most[0] = sn_lane_load(own + SN_DRIVE_MOST * SN_BLOCK);
}

#if SN_LANES == 1

/* The parameters of a drive, which are the last fields of its type. */
typedef enum drive_parameter {
    SN_TARGET,
    SN_SPEED,
    SN_MOST_FORCE,
    SN_DRIVE_PARAMETERS
} drive_parameter;

/* `time` is that in which a motor makes its way from where formulas say that it began. */
static inline void sn_derive_drive(const sn_derivation *from, const sn_real *drive, double time,
                                   sn_real *own) {
    int side = (int)from->parameter[SN_PARAMETER_SIDE];
    bool motor = drive[SN_SPEED] != SN_AUTO;
    sn_real most = SN_REAL_MAX;
    if (drive[SN_MOST_FORCE] != SN_AUTO && drive[SN_MOST_FORCE] < SN_REAL_MAX * from->h2)
        most = drive[SN_MOST_FORCE] * from->h2;
    own[SN_DRIVE_TARGET] = motor ? (sn_real)((double)drive[SN_SPEED] * time) : drive[SN_TARGET];
    own[SN_DRIVE_MOTOR] = motor ? 1 : 0;
    own[SN_DRIVE_LEAST] = side == SN_SIDE_AT_LEAST ? 0 : -most;
    own[SN_DRIVE_MOST] = side == SN_SIDE_AT_MOST ? 0 : most;
}

/* Of what has a side alone. */
static inline void sn_derive_side(const sn_derivation *from, sn_real *own) {
    static const sn_real none[SN_DRIVE_PARAMETERS] = {0, SN_AUTO, SN_AUTO};
    sn_derive_drive(from, none, 0, own);
}

/* The target of drives that are no motors. */
static inline const sn_real *sn_drive_target(const sn_real *drive) {
    return drive[SN_SPEED] != SN_AUTO ? NULL : drive + SN_TARGET;
}

/* Whether the only row pushes or pulls alone. */
static unsigned one_sided(const sn_batch *batch, size_t slot) {
    const block *k = (const block *)batch->block + slot / SN_BLOCK;
    size_t lane = slot % SN_BLOCK;
    return k->own[SN_DRIVE_LEAST][lane] == 0 || k->own[SN_DRIVE_MOST][lane] == 0;
}

static double compliance(const sn_real *parameter, int row) {
    (void)row;
    return (double)parameter[SN_PARAMETER_COMPLIANCE];
}

#endif

#endif
