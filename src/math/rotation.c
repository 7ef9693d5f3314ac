/*
 * The rotation of a matrix in double, also where the library is made for float: this file is always
 * compiled in double, and nothing of the number type shows outside.
 */
#ifndef SN_DOUBLE
#define SN_DOUBLE
#endif
#include "math/rotation.h"
#include "math/match.h"

void sn_match_rotation(const double a[9], double q[4]) {
    sn_lane3 column[3] = {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}};
    sn_lane4 found = sn_rotation_of(column, (sn_lane4){{q[0], q[1], q[2]}, q[3]});
    q[0] = found.v.x;
    q[1] = found.v.y;
    q[2] = found.v.z;
    q[3] = found.w;
}
