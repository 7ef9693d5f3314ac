#ifdef SN_LIST_TYPE
SN_LIST_TYPE(triangle_area, TRIANGLE_AREA)
#elif !defined(SINEW_TRIANGLE_AREA_H)
#define SINEW_TRIANGLE_AREA_H
#include <sinew/constraint.h>

/* Keeps the area of a triangle: C = |(x1 - x0) x (x2 - x0)| / 2 - rest_area in m^2, so compliance
   is in m^4/J, and the force of the constraint is a surface tension in N/m, negative when it pulls.
   The area has no sign: a triangle that was turned over is as good as before, and one whose nodes
   lie on a line is left alone, since it has no direction to grow in. */
#define SN_TRIANGLE_AREA_FIELDS(FIELD)                                                             \
    FIELD(REAL, rest_area, "m^2", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "area at which C = 0; automatic: the area at creation")

SN_DECLARE_CONSTRAINT(triangle_area, 3, SN_TRIANGLE_AREA_FIELDS)
#endif
