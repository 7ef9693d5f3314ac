#include <sinew/support.h>

/* Of an angle from 0 to an eighth of a turn, by their series. */
static void first_octant(double angle, double *sine, double *cosine) {
    double square = angle * angle, s = 1, c = 1;
    for (int k = 19; k >= 3; k -= 2) s = 1 - square * s / (double)(k * (k - 1));
    for (int k = 18; k >= 2; k -= 2) c = 1 - square * c / (double)(k * (k - 1));
    *sine = angle * s;
    *cosine = c;
}

void sn_turn(uint64_t i, uint64_t n, double *sine, double *cosine) {
    i %= n;
    uint64_t octant = 8 * i / n, part = 8 * i - octant * n;
    /* Every other octant is a mirror image, measured back from its end. */
    if (octant % 2) part = n - part;
    double s, c;
    first_octant((double)part / (double)n * 0.78539816339744830962, &s, &c);
    if (part == n) s = c = __builtin_sqrt(0.5);
    if (octant % 4 == 1 || octant % 4 == 2) {
        double swapped = s;
        s = c;
        c = swapped;
    }
    /* Differences instead of signs: there is no minus zero. */
    *sine = octant >= 4 ? 0 - s : s;
    *cosine = octant >= 2 && octant < 6 ? 0 - c : c;
}
