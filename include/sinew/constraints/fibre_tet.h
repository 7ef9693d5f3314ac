#ifdef SN_LIST_TYPE
SN_LIST_TYPE(fibre_tet, FIBRE_TET)
#elif !defined(SINEW_FIBRE_TET_H)
#define SINEW_FIBRE_TET_H
#include <sinew/constraint.h>

/*
 * Fibres through a tetrahedron in one direction, which can contract as muscles do. It comes beside
 * a model of the material around the fibres, which they make stiffer along their direction.
 *
 * With F a, what has become of a unit vector along the fibres,
 *   C = |F a| - (1 + activation (contraction - 1))
 * without unit. Energy: half of the volume at rest times fibre_stiffness times C^2, so fibres that
 * are stretched by the factor s pull with fibre_stiffness (s - 1) per area at rest. `compliance` is
 * added. With `side` at most, they are slack when they are shorter than they want to be, as tendons
 * and muscles are, and do not push.
 *
 * `activation` may be set at any time: of all fibres of a body at once by sn_body_set_field, in
 * scene files by a motion.
 */
#define SN_FIBRE_TET_FIELDS(FIELD)                                                                 \
    SN_TET_FIELDS(FIELD)                                                                           \
    FIELD(VEC3, direction, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                               \
          "of the fibres in the frame of the rest edges, of any length; 0, 0, 0: along x")         \
    FIELD(REAL, fibre_stiffness, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                              \
          "stress per stretch, above 0; automatic: infinite")                                      \
    FIELD(REAL, activation, "1", 0, 1, 0, false, "how far they contract, of all they can")         \
    FIELD(REAL, contraction, "1", 0, 1, 0.7, false,                                                \
          "length at full activation, beside that at rest")

SN_DECLARE_CONSTRAINT(fibre_tet, 4, SN_FIBRE_TET_FIELDS)
#endif
