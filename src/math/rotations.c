/*
 * math/rotation.h in double: regions of shape matching are summed in double, and a rotation that
 * was rounded to float would let them spin up by what it is off in every substep.
 */
#ifndef SN_DOUBLE
#define SN_DOUBLE
#endif
#define SN_LANES 4
#include "math/rotations.h"

#include "math/rotation.h"

SN_INLINE sn_lane across(const double matrix[4][9], int k) {
    return (sn_lane){matrix[0][k], matrix[1][k], matrix[2][k], matrix[3][k]};
}

void sn_rotations_four(const double matrix[4][9], double q[4][4]) {
    sn_lane3 a[3];
    for (int c = 0; c < 3; c++)
        a[c] =
            (sn_lane3){across(matrix, 3 * c), across(matrix, 3 * c + 1), across(matrix, 3 * c + 2)};
    sn_lane4 from = {{{q[0][0], q[1][0], q[2][0], q[3][0]},
                      {q[0][1], q[1][1], q[2][1], q[3][1]},
                      {q[0][2], q[1][2], q[2][2], q[3][2]}},
                     {q[0][3], q[1][3], q[2][3], q[3][3]}};
    sn_lane4 to = sn_rotation_of(a, from);
    for (int i = 0; i < 4; i++) {
        q[i][0] = to.v.x[i];
        q[i][1] = to.v.y[i];
        q[i][2] = to.v.z[i];
        q[i][3] = to.w[i];
    }
}
