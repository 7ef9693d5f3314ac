#include "io/animation/export_look.h"

bool sn_io_look_colour(const sn_io_look *look, sn_vec3 *colour) {
    if (!look || look->colour.x == SN_AUTO) return false;
    *colour = look->colour;
    return true;
}

/* The fifth root of a number from 0 to 1, by Newton's method from above, where it falls until it
   stays. */
static double fifth_root(double x) {
    double root = 1;
    for (int i = 0; i < 64; i++) {
        double power = root * root * root * root;
        double next = root - (power * root - x) / (5 * power);
        if (!(next < root)) break;
        root = next;
    }
    return root;
}

/* IEC 61966-2-1; x^2.4 is x^2 times the fifth root of x^2. */
static sn_real linear(sn_real part) {
    double c = (double)part;
    if (c <= 0.04045) return (sn_real)(c / 12.92);
    double x = (c + 0.055) / 1.055;
    return (sn_real)(x * x * fifth_root(x * x));
}

sn_vec3 sn_io_linear_colour(sn_vec3 srgb) {
    return (sn_vec3){linear(srgb.x), linear(srgb.y), linear(srgb.z)};
}
