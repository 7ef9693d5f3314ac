#ifdef SN_LIST_TYPE
SN_LIST_TYPE(edge_seam, EDGE_SEAM)
#elif !defined(SINEW_EDGE_SEAM_H)
#define SINEW_EDGE_SEAM_H
#include <sinew/constraint.h>

/*
 * Sews node 0 to a point between nodes 1 and 2, such as a point of a border:
 *
 *   C = (1 - s) x1 + s x2 - x0,   the gap
 *
 * three rows in m, so compliance is in m/N and damping in N s/m. While it is open, the gap becomes
 * shorter with the closing speed, whatever pulls at it; then the node is held there. All three are
 * moved by their masses and their parts.
 */
#define SN_EDGE_SEAM_FIELDS(FIELD)                                                                 \
    FIELD(REAL, along, "1", 0, 1, SN_AUTO, true,                                                   \
          "s, from 0 at node 1 to 1 at node 2; automatic: the point nearest to node 0 at "         \
          "creation")                                                                              \
    FIELD(REAL, closing_speed, "m/s", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "by how much the gap becomes shorter; 0: it stays as long as it is; automatic: closed "  \
          "at once")

SN_DECLARE_CONSTRAINT(edge_seam, 3, SN_EDGE_SEAM_FIELDS)
#endif
