/*
 * What the models of isotropic tetrahedra share: Young's modulus and Poisson's ratio, after the
 * shape at rest and before plasticity. The fields are those of SN_ISOTROPIC_TET_FIELDS.
 */
#ifndef SN_CONSTRAINTS_TET_ISOTROPIC_H
#define SN_CONSTRAINTS_TET_ISOTROPIC_H

#if SN_LANES == 1

enum { YOUNG = TET_PARAMETERS, POISSON, PLASTIC };
#include "constraints/tet_plastic.h"

static sn_result prepare_isotropic(const char *type, const sn_preparation *from,
                                   sn_real *parameter) {
    if (parameter[YOUNG] == 0)
        return sn_fail(SN_ERROR_VALUE, "%s: young is 0, expected above 0 Pa", type);
    return measure_plastic(type, from->x, parameter);
}

/* The constants of Lame in Pa; infinite where Young's modulus is automatic. */
typedef struct lame {
    double mu, lambda;
} lame;

static lame lame_of(const sn_real *parameter) {
    double young = (double)parameter[YOUNG], nu = (double)parameter[POISSON];
    if (parameter[YOUNG] == SN_AUTO) return (lame){__builtin_inf(), __builtin_inf()};
    return (lame){young / (2 * (1 + nu)), young * nu / ((1 + nu) * (1 - 2 * nu))};
}

#endif
#endif
