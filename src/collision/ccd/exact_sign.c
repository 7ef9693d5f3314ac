/*
 * Signs without error. A determinant is first computed in double, together with a bound for its
 * rounding; only where that does not tell the sign it is added up exactly, as a sum of numbers that
 * do not overlap (Shewchuk 1997, Adaptive precision floating-point arithmetic, theorems 7 to 10).
 */
#include "collision/ccd/time_of_impact.h"

#include "math/vector.h"

#include <math.h>

/* A sum of numbers, each smaller than the last bit of the next. */
enum { MOST_PARTS = 96 };
typedef struct exact {
    double part[MOST_PARTS];
    int parts;
} exact;

/* a + b without its rounding, which goes to *rest. */
static double two_sum(double a, double b, double *rest) {
    double sum = a + b, b_there = sum - a, a_there = sum - b_there;
    *rest = (a - a_there) + (b - b_there);
    return sum;
}

/* Halves of a number with so few bits each that their products are exact. */
static double upper_half(double a) {
    double c = 134217729 * a; /* 2^27 + 1 */
    return c - (c - a);
}

static double two_product(double a, double b, double *rest) {
    double product = a * b, a1 = upper_half(a), b1 = upper_half(b), a2 = a - a1, b2 = b - b1;
    *rest = a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2);
    return product;
}

static void add(exact *sum, double value) {
    int kept = 0;
    if (value == 0) return;
    for (int i = 0; i < sum->parts; i++) {
        double rest;
        value = two_sum(value, sum->part[i], &rest);
        if (rest != 0) sum->part[kept++] = rest;
    }
    sum->parts = kept;
    if (value != 0) sum->part[sum->parts++] = value;
}

/* Adds a product of three. */
static void add_product(exact *sum, double a, double b, double c) {
    double rest, least, ab = two_product(a, b, &rest);
    double low = two_product(rest, c, &least);
    add(sum, least);
    add(sum, low);
    double high = two_product(ab, c, &least);
    add(sum, least);
    add(sum, high);
}

static int sign_of(const exact *sum) {
    if (sum->parts == 0) return 0;
    return sum->part[sum->parts - 1] > 0 ? 1 : -1;
}

/* a . (b x c), with a sign. */
static void add_triple(exact *sum, double sign, sn_point a, sn_point b, sn_point c) {
    add_product(sum, sign * a.x, b.y, c.z);
    add_product(sum, -sign * a.x, b.z, c.y);
    add_product(sum, sign * a.y, b.z, c.x);
    add_product(sum, -sign * a.y, b.x, c.z);
    add_product(sum, sign * a.z, b.x, c.y);
    add_product(sum, -sign * a.z, b.y, c.x);
}

/* Whether a difference has no rounding, as it mostly is between points that are near each other. */
static bool is_exact(sn_point a, sn_point b) {
    double x, y, z;
    two_sum(a.x, -b.x, &x);
    two_sum(a.y, -b.y, &y);
    two_sum(a.z, -b.z, &z);
    return x == 0 && y == 0 && z == 0;
}

/* Whether all four are in a plane of two axes, as a sheet is that was laid down flat. */
static bool is_level(sn_point a, sn_point b, sn_point c, sn_point x) {
    return (a.x == b.x && a.x == c.x && a.x == x.x) || (a.y == b.y && a.y == c.y && a.y == x.y) ||
           (a.z == b.z && a.z == c.z && a.z == x.z);
}

static SN_NOINLINE int exact_side(sn_point a, sn_point b, sn_point c, sn_point x) {
    exact sum;
    sum.parts = 0;
    if (is_level(a, b, c, x)) return 0;
    if (is_exact(b, a) && is_exact(c, a) && is_exact(x, a)) {
        add_triple(&sum, 1, sn_point_sub(b, a), sn_point_sub(c, a), sn_point_sub(x, a));
        return sign_of(&sum);
    }
    add_triple(&sum, 1, b, c, x);
    add_triple(&sum, -1, a, c, x);
    add_triple(&sum, 1, a, b, x);
    add_triple(&sum, -1, a, b, c);
    return sign_of(&sum);
}

int sn_ccd_side(sn_point a, sn_point b, sn_point c, sn_point x) {
    sn_point u = sn_point_sub(b, a), v = sn_point_sub(c, a), w = sn_point_sub(x, a);
    double yz = v.y * w.z, zy = v.z * w.y, zx = v.z * w.x, xz = v.x * w.z;
    double xy = v.x * w.y, yx = v.y * w.x;
    double det = u.x * (yz - zy) + u.y * (zx - xz) + u.z * (xy - yx);
    double size = fabs(u.x) * (fabs(yz) + fabs(zy)) + fabs(u.y) * (fabs(zx) + fabs(xz)) +
                  fabs(u.z) * (fabs(xy) + fabs(yx));
    /* Eight roundings at most on the way of any product; the last term is for what is too small to
       have all its bits. */
    double bound = 1e-15 * size + 1e-300;
    if (det > bound) return 1;
    if (det < -bound) return -1;
    return exact_side(a, b, c, x);
}

/* ---- Ties ---- */

/* The sign of (b - a) (d - c) - (f - e) (h - g), exactly. */
static int sign_of_difference(double a, double b, double c, double d, double e, double f, double g,
                              double h) {
    double one = (b - a) * (d - c), two = (f - e) * (h - g);
    double bound = 1e-15 * (fabs(one) + fabs(two)) + 1e-300;
    if (one - two > bound) return 1;
    if (one - two < -bound) return -1;
    exact sum;
    sum.parts = 0;
    const double left[2] = {b, -a}, right[2] = {d, -c}, minus[2] = {-f, e}, other[2] = {h, -g};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            add_product(&sum, left[i], right[k], 1);
            add_product(&sum, minus[i], other[k], 1);
        }
    return sign_of(&sum);
}

/* The sign of (q - p) x (b - a) along the vector (e, e^2, e^3): that of the first number that is
   not zero. */
static int sign_of_cross(sn_point p, sn_point q, sn_point a, sn_point b) {
    int sign = sign_of_difference(p.y, q.y, a.z, b.z, p.z, q.z, a.y, b.y);
    if (sign == 0) sign = sign_of_difference(p.z, q.z, a.x, b.x, p.x, q.x, a.z, b.z);
    if (sign == 0) sign = sign_of_difference(p.x, q.x, a.y, b.y, p.y, q.y, a.x, b.x);
    return sign;
}

/* The side of a plane where x is, once it is shifted. */
static int side_of_plane(const sn_point t[3], sn_point x) {
    int side = sn_ccd_side(t[0], t[1], t[2], x);
    return side ? side : sign_of_cross(t[0], t[1], t[0], t[2]);
}

/* How the line through p and q turns around that from a to b, once p and q are shifted. */
static int turn_around(sn_point p, sn_point q, sn_point a, sn_point b) {
    int side = sn_ccd_side(p, q, a, b);
    return side ? side : sign_of_cross(p, q, a, b);
}

bool sn_ccd_segment(sn_point p, sn_point q, const sn_point triangle[3]) {
    int from = side_of_plane(triangle, p), to = side_of_plane(triangle, q);
    if (from * to >= 0) return false;
    int turn = turn_around(p, q, triangle[0], triangle[1]);
    return turn != 0 && turn_around(p, q, triangle[1], triangle[2]) == turn &&
           turn_around(p, q, triangle[2], triangle[0]) == turn;
}
