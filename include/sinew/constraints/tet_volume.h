#ifdef SN_LIST_TYPE
SN_LIST_TYPE(tet_volume, TET_VOLUME)
#elif !defined(SINEW_TET_VOLUME_H)
#define SINEW_TET_VOLUME_H
#include <sinew/constraint.h>

/* Keeps the volume of a tetrahedron: C = (x1 - x0) . ((x2 - x0) x (x3 - x0)) / 6 - rest_volume in
   m^3, so compliance is in m^6/J. The volume is signed: positive when the edges from node 0 to
   nodes 1, 2 and 3 are right-handed. */
#define SN_TET_VOLUME_FIELDS(FIELD)                                                                \
    FIELD(REAL, rest_volume, "m^3", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                      \
          "signed volume at which C = 0; automatic: the volume at creation")

SN_DECLARE_CONSTRAINT(tet_volume, 4, SN_TET_VOLUME_FIELDS)
#endif
