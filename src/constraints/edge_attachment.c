/*
 * A node held at a point between two others: on a segment of a rope, or on the edge of a cloth.
 *
 *   C(x)   = (1 - s) x_1 + s x_2 - x_0,   three rows
 *   grad C = (-I, (1 - s) I, s I)
 *
 * As point_attachment.c, of which it is the form for two nodes (Mueller et al. 2007, sections 3.3
 * and 5).
 */
#define SN_TYPE edge_attachment
#define SN_NODES 3
#define SN_MOVED 3
#define SN_OFFSET 0
#include "constraints/formula.h"

#include "constraints/linear.inl"

#if SN_LANES == 1

#include "constraints/along.h"

enum { ALONG = SN_COMMON_PARAMETERS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    /* Node 0 is at the origin. */
    if (parameter[ALONG] == SN_AUTO) parameter[ALONG] = sn_along_edge(from->x[1], from->x[2]);
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real s = from->parameter[ALONG];
    const sn_real c[SN_NODES] = {-1, 1 - s, s};
    return derive_linear(from, c, NULL, coefficient);
}

SN_DEFINE_TYPE(edge_attachment, SN_EDGE_ATTACHMENT_FIELDS,
               "holds a node at a point between two others, both ways", .scaled = true,
               .joins = true, .breaks_along = true)

#endif
