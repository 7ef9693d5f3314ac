/*
 * A node sewn to a point of an edge.
 *
 *   C(x)   = (1 - s) x_1 + s x_2 - x_0,   three rows
 *   grad C = (-I, (1 - s) I, s I)
 *
 * An edge_attachment (Mueller et al. 2007, sections 3.3 and 5) that closes as a seam does (seam.c).
 */
#define SN_TYPE edge_seam
#define SN_NODES 3
#define SN_MOVED 3
#define SN_OFFSET 0
#define SN_CLOSING 1
#include "constraints/formula.h"

#include "constraints/linear.inl"

#if SN_LANES == 1

#include "constraints/along.h"

enum { ALONG = SN_COMMON_PARAMETERS, CLOSING_SPEED };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    /* Node 0 is at the origin. */
    if (parameter[ALONG] == SN_AUTO) parameter[ALONG] = sn_along_edge(from->x[1], from->x[2]);
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real s = from->parameter[ALONG], speed = from->parameter[CLOSING_SPEED];
    const sn_real c[SN_NODES] = {-1, 1 - s, s};
    coefficient[SN_COEFFICIENTS - 1] =
        speed == SN_AUTO ? SN_INFINITY : (sn_real)((double)speed * from->rate_h);
    return derive_linear(from, c, NULL, coefficient);
}

SN_DEFINE_TYPE(edge_seam, SN_EDGE_SEAM_FIELDS,
               "pulls a node to a point between two others and holds it there", .scaled = true,
               .timed = true, .joins = true)

#endif
