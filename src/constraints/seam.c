/*
 * Two nodes sewn together.
 *
 *   C(x)     = x_1 - x_0,   three rows
 *   grad_0 C = -I
 *   grad_1 C =  I
 *
 * The attachment of one node to another, both ways (Mueller et al. 2007, sections 3.3 and 5). That
 * it closes is not in the papers. A seam that closes is a motor: of the gap only what is longer
 * than
 *
 *   |C| at the beginning of the substep - closing_speed h
 *
 * is corrected. So nothing is kept from one substep to the next, the speed does not depend on the
 * length of a step, and what has been pulled open closes again.
 */
#define SN_TYPE seam
#define SN_NODES 2
#define SN_MOVED 2
#define SN_OFFSET 0
#define SN_CLOSING 1
#include "constraints/formula.h"

#include "constraints/linear.inl"

#if SN_LANES == 1

enum { CLOSING_SPEED = SN_COMMON_PARAMETERS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    (void)from, (void)parameter;
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real c[SN_NODES] = {-1, 1};
    sn_real speed = from->parameter[CLOSING_SPEED];
    coefficient[SN_COEFFICIENTS - 1] =
        speed == SN_AUTO ? SN_INFINITY : (sn_real)((double)speed * from->rate_h);
    return derive_linear(from, c, NULL, coefficient);
}

SN_DEFINE_TYPE(seam, SN_SEAM_FIELDS, "pulls two nodes together and holds them there",
               .scaled = true, .timed = true, .joins = true)

#endif
