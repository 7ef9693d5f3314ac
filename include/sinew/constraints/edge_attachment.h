#ifdef SN_LIST_TYPE
SN_LIST_TYPE(edge_attachment, EDGE_ATTACHMENT)
#elif !defined(SINEW_EDGE_ATTACHMENT_H)
#define SINEW_EDGE_ATTACHMENT_H
#include <sinew/constraint.h>

/*
 * Holds node 0 at a point between nodes 1 and 2, such as a segment of a rope:
 *
 *   C = (1 - s) x1 + s x2 - x0
 *
 * three rows in m, so compliance is in m/N and damping in N s/m. All three nodes are moved, by
 * their masses and their parts, so that momentum is kept.
 */
#define SN_EDGE_ATTACHMENT_FIELDS(FIELD)                                                           \
    FIELD(REAL, along, "1", 0, 1, SN_AUTO, true,                                                   \
          "s, from 0 at node 1 to 1 at node 2; automatic: the point nearest to node 0 at "         \
          "creation")

SN_DECLARE_CONSTRAINT(edge_attachment, 3, SN_EDGE_ATTACHMENT_FIELDS)
#endif
