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

#ifdef SN_VISCOUS

/* Viscosities are moduli times the damping time, and the damping of a constraint beside them; in
   all of the tetrahedron. What gives way not at all is not damped either: alpha stays what it is of
   those without a dashpot. */
static void viscosity(const sn_real *parameter, double h, sn_real *alpha) {
    double damping = (double)parameter[SN_PARAMETER_DAMPING];
    double time = (double)parameter[TET_DAMPING_TIME];
    if (!(damping > 0 || time > 0)) return;
    lame of = lame_of(parameter);
    double soft = soften(parameter, of.mu), softer = soften(parameter, of.lambda);
    double mu = soft > 0 ? time / soft + damping : 0;
    double lambda = softer > 0 && of.lambda > 0 ? time / softer + damping : 0;
    double all = 2 * mu * (3 * lambda + 2 * mu) * h, per = all > 0 ? 1 / all : 0;
    double along = 2 * (lambda + mu) * per, shear = mu > 0 ? 1 / (mu * h) : 0;
    if (!(all > 0) || along > SN_MOST_ALPHA || shear > SN_MOST_ALPHA) return;
    alpha[0] = (sn_real)along;
    alpha[1] = (sn_real)(-lambda * per);
    alpha[2] = (sn_real)shear;
}

#endif

#endif
#endif
