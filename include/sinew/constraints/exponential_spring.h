#ifdef SN_LIST_TYPE
SN_LIST_TYPE(exponential_spring, EXPONENTIAL_SPRING)
#elif !defined(SINEW_EXPONENTIAL_SPRING_H)
#define SINEW_EXPONENTIAL_SPRING_H
#include <sinew/constraint.h>

/*
 * A spring that becomes stiffer the more it is strained, as tendons, skin and rubber bands do: its
 * energy is k l^2 (exp(a e^2) - 1) / (2 a) for the strain e, the rest length l and a = hardening,
 * and its force k l e exp(a e^2). With C = l sqrt((exp(a e^2) - 1) / a), of the sign of e, in m,
 * that is C^2 / (2 compliance), and 1 / compliance is k, the stiffness at rest in N/m. It is a
 * distance where hardening is 0. Beyond a e^2 = 16, where it is 9e6 times as stiff, it is not
 * stiffer any more.
 */
#define SN_EXPONENTIAL_SPRING_FIELDS(FIELD)                                                        \
    FIELD(REAL, rest_length, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                       \
          "distance at which C = 0, above 0; automatic: the distance at creation")                 \
    FIELD(REAL, hardening, "1", 0, 1000000, 10, false,                                             \
          "a: the stiffness grows by exp(a e^2) with the strain e")

SN_DECLARE_CONSTRAINT(exponential_spring, 2, SN_EXPONENTIAL_SPRING_FIELDS)
#endif
