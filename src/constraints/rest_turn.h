/*
 * Parameters of joints between two segments of a rod, whatever their frames are made of: the length
 * that belongs to a joint, a stiffness for each row, and the Darboux vector at rest, 2 v / l, where
 * v is the imaginary part of the unit quaternion from one frame to the other.
 */
#ifndef SN_CONSTRAINTS_REST_TURN_H
#define SN_CONSTRAINTS_REST_TURN_H

#include "base/error.h"
#include "state/type.h"

enum {
    REST_LENGTH = SN_COMMON_PARAMETERS,
    STIFFNESS, /* about x, about y, twist */
    DARBOUX = STIFFNESS + 3
};

static inline bool measures_turn(const sn_real *parameter) {
    const sn_real *darboux = parameter + DARBOUX;
    return darboux[0] == SN_AUTO || darboux[1] == SN_AUTO || darboux[2] == SN_AUTO;
}

static sn_result check_length(const char *type, const sn_real *parameter) {
    if (parameter[REST_LENGTH] > 0) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE, "%s: rest_length is 0, expected above 0 m", type);
}

static sn_result check_turn(const char *type, const char *what, const sn_real *darboux,
                            sn_real length) {
    sn_real half = length / 2,
            square = half * half *
                     (darboux[0] * darboux[0] + darboux[1] * darboux[1] + darboux[2] * darboux[2]);
    if (square <= SN_R(1.0001)) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "%s: %s turns by more than half a turn over rest_length %g m, "
                   "expected shorter segments",
                   type, what, (double)length);
}

/* The energy of a stiffness B is 2 B C^2 / l. */
static double compliance(const sn_real *parameter, int row) {
    sn_real stiffness = parameter[STIFFNESS + row];
    double own = 0;
    if (stiffness != SN_AUTO) own = (double)parameter[REST_LENGTH] / (4 * (double)stiffness);
    return own + (double)parameter[SN_PARAMETER_COMPLIANCE];
}

/* The rotation at rest: x, y, z, w. */
static void derive_turn(const sn_real *darboux, sn_real length, sn_real own[4]) {
    sn_real half = length / 2, square = 0;
    for (int i = 0; i < 3; i++) {
        own[i] = half * darboux[i];
        square += own[i] * own[i];
    }
    own[3] = square < 1 ? SN_ROOT(1 - square) : 0;
}

/* Its rotation at rest stays, and so do E I and G J. */
static void scale_length(sn_real *parameter, double ratio) {
    parameter[REST_LENGTH] = (sn_real)((double)parameter[REST_LENGTH] * ratio);
    for (int i = 0; i < 3; i++)
        parameter[DARBOUX + i] = (sn_real)((double)parameter[DARBOUX + i] / ratio);
    parameter[SN_PARAMETER_DAMPING] = (sn_real)((double)parameter[SN_PARAMETER_DAMPING] / ratio);
}

#endif
