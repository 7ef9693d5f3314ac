#ifdef SN_LIST_TYPE
SN_LIST_TYPE(shape_match, SHAPE_MATCH)
#elif !defined(SINEW_SHAPE_MATCH_H)
#define SINEW_SHAPE_MATCH_H
#include <sinew/constraint.h>

/*
 * Keeps the shape that a region of four or more nodes had at creation (Mueller et al. 2005): every
 * node has a goal, which is where it would be if the shape at rest were moved and turned to fit
 * best, and
 *
 *   C = sqrt(sum of m |x - goal|^2)   in sqrt(kg) m
 *
 * The nodes need no mesh.
 *
 * Compliance is in s^2: one over the square of the angular frequency with which the nodes swing
 * about their goals, whatever their masses. For all deformations that are the same everywhere, a
 * region with equal moments in all directions behaves as an elastic body with Poisson's ratio 0
 * and compliance = density r^2 / young, r^2 the mean of the square of x over the body: L^2 / 12
 * for a cube of the side L. The force is in J / (sqrt(kg) m).
 *
 * `deformation` says what is easier than the rest. With D the best fit of its kind,
 *
 *   C^2 = sum of m ((1 - beta) |x - rigid goal|^2 + beta |x - goal by D|^2)
 *
 * so that stretching and shearing (linear, at constant volume), and bending and twisting too
 * (quadratic), have 1 - beta of the stiffness that everything else has. Linear deformation gives
 * the elastic body Poisson's ratio beta / (3 - beta), with 3 (1 - beta) / (3 - beta) of the
 * stiffness. Where compliance is 0 nothing is easy, and beta has no effect.
 *
 * Once per step a shape that is stretched beyond `plastic_yield` takes some of it for good, at
 * constant volume. Strains are the root of the sum of the squares of S - 1, S the stretch of the
 * best linear fit.
 *
 * Nodes weigh what they weighed at creation. A kinematic node weighs as much as all that can move:
 * the shape goes with it. A node that was kinematic at creation and is set free weighs what the
 * others do on average.
 */
#define SN_SHAPE_MATCH_FIELDS(FIELD)                                                               \
    FIELD(CHOICE, deformation, "rigid|linear|quadratic", 0, 2, 0, false,                           \
          "what is easier than the rest; linear needs nodes that are not all in one plane")        \
    FIELD(REAL, beta, "1", 0, 1, 0.5, false, "how much easier that is; not for rigid")             \
    FIELD(REAL, plastic_yield, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "strain above which it flows, not for nodes all in one plane; automatic: never")         \
    FIELD(REAL, plastic_creep, "1/s", 0, SN_REAL_MAX, 10, false,                                   \
          "share of the strain that stays, per time")                                              \
    FIELD(REAL, plastic_limit, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "most strain that stays; automatic: any")

SN_DECLARE_LIST_CONSTRAINT(shape_match, SN_SHAPE_MATCH_FIELDS)
#endif
