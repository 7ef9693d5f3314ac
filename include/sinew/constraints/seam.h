#ifdef SN_LIST_TYPE
SN_LIST_TYPE(seam, SEAM)
#elif !defined(SINEW_SEAM_H)
#define SINEW_SEAM_H
#include <sinew/constraint.h>

/*
 * Sews two nodes together: C = x1 - x0, the gap, three rows in m, so compliance is in m/N and
 * damping in N s/m. While it is open, the gap becomes shorter with the closing speed, whatever
 * pulls at it; then the nodes are held together. Both are moved by their masses.
 */
#define SN_SEAM_FIELDS(FIELD)                                                                      \
    FIELD(REAL, closing_speed, "m/s", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "by how much the gap becomes shorter; 0: it stays as long as it is; automatic: closed "  \
          "at once")

SN_DECLARE_CONSTRAINT(seam, 2, SN_SEAM_FIELDS)
#endif
