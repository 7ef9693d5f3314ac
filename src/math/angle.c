#include "math/angle.h"

/*
 * Halving an angle four times (the tangent of half the angle of (x, y) is y / (x + |(x, y)|))
 * leaves at most a fifth, where twelve terms of the series reach the last bits of double.
 */
double sn_angle(double x, double y) {
    double length = __builtin_sqrt(x * x + y * y);
    if (!(length > 0)) return 0;
    if (x + length <= 0) return 3.14159265358979323846;
    double t = y / (x + length), scale = 2;
    for (int i = 0; i < 3; i++, scale *= 2) t = t / (1 + __builtin_sqrt(1 + t * t));
    double square = t * t, sum = 0;
    for (int k = 23; k >= 1; k -= 2) sum = 1 / (double)k - square * sum;
    return scale * t * sum;
}

/* The series of an eighth of the angle, doubled three times. */
void sn_sine_cosine(double angle, double *sine, double *cosine) {
    double a = angle / 8, square = a * a, s = 1, c = 1;
    for (int k = 15; k >= 3; k -= 2) s = 1 - square * s / (double)(k * (k - 1));
    for (int k = 14; k >= 2; k -= 2) c = 1 - square * c / (double)(k * (k - 1));
    s *= a;
    for (int i = 0; i < 3; i++) {
        double twice = 2 * s * c;
        c = 1 - 2 * s * s;
        s = twice;
    }
    *sine = s;
    *cosine = c;
}
