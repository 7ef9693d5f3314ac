#include "math/matrix3.h"

#include "math/principal.h"

static void add_square(double scale, const double v[3], double out[6]) {
    out[0] += scale * (v[0] * v[0]);
    out[1] += scale * (v[1] * v[1]);
    out[2] += scale * (v[2] * v[2]);
    out[3] += scale * (v[1] * v[2]);
    out[4] += scale * (v[2] * v[0]);
    out[5] += scale * (v[0] * v[1]);
}

/* The largest eigenvalue first; what is left without it has the others. */
int sn_matrix3_pseudo_inverse(const double s[6], double least, double out[6]) {
    double left[6], largest = 0;
    int rank = 0;
    for (int i = 0; i < 6; i++) {
        left[i] = s[i];
        out[i] = 0;
    }
    for (; rank < 3; rank++) {
        double direction[3], value = sn_principal(left, direction);
        if (rank == 0) largest = value;
        if (!(value > 0 && value > least * largest)) break;
        add_square(1 / value, direction, out);
        add_square(-value, direction, left);
    }
    return rank;
}
