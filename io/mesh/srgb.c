#include "io/mesh/srgb.h"

#include <math.h>

/* The root of degree 3 or 5 of a number from 0 to 1, by Newton's method from above, where it falls
   until it stays. */
static double root_of(double x, int degree) {
    double root = 1;
    for (int i = 0; i < 64; i++) {
        double power = degree == 5 ? root * root * root * root : root * root;
        double next = root - (power * root - x) / (degree * power);
        if (!(next < root)) break;
        root = next;
    }
    return root;
}

/* IEC 61966-2-1; x^2.4 is x^2 times the fifth root of x^2. */
double sn_io_linear_of_srgb(double part) {
    if (part <= 0.04045) return part / 12.92;
    double x = (part + 0.055) / 1.055;
    return x * x * root_of(x * x, 5);
}

/* x^(1 / 2.4) is the cube root of x times the fourth root of that. */
double sn_io_srgb_of_linear(double part) {
    if (part <= 0.0031308) return part * 12.92;
    double root = root_of(part, 3);
    return 1.055 * root * sqrt(sqrt(root)) - 0.055;
}
