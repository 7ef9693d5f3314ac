#ifdef SN_LIST_TYPE
SN_LIST_TYPE(lace, LACE)
#elif !defined(SINEW_LACE_H)
#define SINEW_LACE_H
#include <sinew/constraint.h>

/*
 * A thread that slides through nodes, in their order: stitches in a cloth, eyelets, rings. Only its
 * whole length is kept, C = sum |x_k+1 - x_k| - rest_length in m, which the parts between nodes
 * share: what is pulled out of one comes from the next. The first and the last node are its ends.
 * At least three nodes, each at most once.
 *
 * `compliance` is that of the whole thread, its length over E A, in m/N. With `friction` the
 * tension on both sides of a node differs by a factor of up to exp(friction angle), where the angle
 * is that by which the thread turns there (Euler and Eytelwein), and it does not slide before that.
 * The force of the constraint is the tension in the last part.
 */
#define SN_LACE_FIELDS(FIELD)                                                                      \
    FIELD(REAL, rest_length, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "length of the whole thread; automatic: that at creation")                               \
    FIELD(REAL, friction, "1", 0, 10, 0, false,                                                    \
          "coefficient of friction where the thread turns at a node")

SN_DECLARE_LIST_CONSTRAINT(lace, SN_LACE_FIELDS)
#endif
