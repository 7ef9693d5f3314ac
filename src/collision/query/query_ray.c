#include "collision/query/query_ray.h"

#include <math.h>

enum { MOST_NEWTON = 100, MOST_WALK = 1000, MOST_PROJECTIONS = 256, MOST_CELLS = 4096 };

sn_ray sn_ray_make(sn_point origin, sn_point direction, double length, double radius) {
    double x = fabs(direction.x), y = fabs(direction.y), z = fabs(direction.z);
    double most = x > y ? x : y;
    if (z > most) most = z;
    /* Squares of what is very short or long do not fit a number. */
    sn_point u = {direction.x / most, direction.y / most, direction.z / most};
    double one = sn_point_length(u);
    u = (sn_point){u.x / one, u.y / one, u.z / one};
    return (sn_ray){origin, u, {1 / u.x, 1 / u.y, 1 / u.z}, length, radius};
}

sn_point sn_ray_at(const sn_ray *ray, double s) {
    return sn_point_add(ray->origin, sn_point_scaled(ray->direction, s));
}

/* ---- Boxes ---- */

/* Cuts the way down to what lies between two planes across an axis. Along the planes the inverse is
   infinite, and a ray within one of them gives no number, which changes nothing. */
static inline void cut(double low, double high, double origin, double inverse, double *from,
                       double *to) {
    double a = ((inverse < 0 ? high : low) - origin) * inverse;
    double b = ((inverse < 0 ? low : high) - origin) * inverse;
    if (a > *from) *from = a;
    if (b < *to) *to = b;
}

double sn_ray_box(const sn_ray *ray, const sn_bounds *box, double grow) {
    double from = 0, to = ray->length;
    cut(box->low.x - grow, box->high.x + grow, ray->origin.x, ray->inverse.x, &from, &to);
    cut(box->low.y - grow, box->high.y + grow, ray->origin.y, ray->inverse.y, &from, &to);
    cut(box->low.z - grow, box->high.z + grow, ray->origin.z, ray->inverse.z, &from, &to);
    return from <= to ? from : INFINITY;
}

static double clamp(double a, double low, double high) {
    return a < low ? low : a > high ? high : a;
}

sn_point sn_box_nearest(const sn_bounds *box, sn_point x) {
    return (sn_point){clamp(x.x, box->low.x, box->high.x), clamp(x.y, box->low.y, box->high.y),
                      clamp(x.z, box->low.z, box->high.z)};
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

double sn_box_distance(const sn_bounds *box, sn_point x) {
    double dx = larger(box->low.x - x.x, x.x - box->high.x);
    double dy = larger(box->low.y - x.y, x.y - box->high.y);
    double dz = larger(box->low.z - x.z, x.z - box->high.z);
    double inside = larger(dx, larger(dy, dz));
    if (inside <= 0) return inside;
    return sn_point_length((sn_point){larger(dx, 0), larger(dy, 0), larger(dz, 0)});
}

/* ---- Balls and triangles ---- */

bool sn_ray_ball(const sn_ray *ray, sn_point center, double radius, double *s) {
    sn_point m = sn_point_sub(center, ray->origin);
    double along = sn_point_dot(m, ray->direction), reach = radius + ray->radius;
    /* The distance of the centre from the line; the squares of the way to it would drown that. */
    sn_point off = sn_point_sub(m, sn_point_scaled(ray->direction, along));
    double square = reach * reach - sn_point_dot(off, off);
    if (!(square >= 0)) return false;
    if (sn_point_dot(m, m) <= reach * reach) {
        *s = 0;
        return true;
    }
    if (along < 0) return false;
    double at = along - __builtin_sqrt(square);
    *s = at > 0 ? at : 0;
    return *s <= ray->length;
}

bool sn_ray_triangle(const sn_ray *ray, const sn_point corner[3], double *s, double weight[3]) {
    sn_point d = ray->direction, a = sn_point_sub(corner[0], ray->origin);
    sn_point b = sn_point_sub(corner[1], ray->origin), c = sn_point_sub(corner[2], ray->origin);
    /* On which side of each edge the ray passes. Seen from the other triangle of an edge, that is
       the same number with the other sign, to the bit. */
    double u = sn_point_dot(d, sn_point_cross(b, c));
    double v = sn_point_dot(d, sn_point_cross(c, a));
    double w = sn_point_dot(d, sn_point_cross(a, b));
    bool through = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
    double sum = u + v + w;
    if (!through || sum == 0) return false;
    weight[0] = u / sum;
    weight[1] = v / sum;
    weight[2] = w / sum;
    double at_a = sn_point_dot(a, d), at_b = sn_point_dot(b, d), at_c = sn_point_dot(c, d);
    *s = weight[0] * at_a + weight[1] * at_b + weight[2] * at_c;
    /* Where it begins on the triangle, but for rounding. */
    double rounding = 1e-15 * (fabs(at_a) + fabs(at_b) + fabs(at_c));
    if (*s < 0 && *s >= -rounding) *s = 0;
    return *s >= 0 && *s <= ray->length;
}

/* ---- Whatever has a distance ---- */

bool sn_ray_near(const sn_ray *ray, sn_point middle, double reach, double *from, double *to) {
    sn_point m = sn_point_sub(middle, ray->origin);
    double around = (reach + ray->radius) * (1 + 1e-9), along = sn_point_dot(m, ray->direction);
    sn_point off = sn_point_sub(m, sn_point_scaled(ray->direction, along));
    double square = around * around - sn_point_dot(off, off);
    if (!(square >= 0)) return false;
    double half = __builtin_sqrt(square);
    *from = along - half > 0 ? along - half : 0;
    *to = along + half < ray->length ? along + half : ray->length;
    return *from <= *to;
}

/*
 * Along a ray, the distance to something convex is a convex function. So Newton's method from
 * outside never goes too far, comes there in a few steps, and where the distance begins to grow it
 * will not shrink again. Of anything else it is only known that it shrinks no faster than the ray
 * goes: sphere tracing. A ray that runs along such a surface so closely that it does not arrive in
 * a thousand steps counts as touching.
 */
bool sn_ray_march(const sn_ray *ray, const sn_ray_target *target, double from, double to,
                  double *s) {
    int most = target->convex ? MOST_NEWTON : MOST_WALK;
    sn_point normal;
    *s = from;
    for (int i = 0; i < most; i++) {
        double left = target->distance(target->thing, sn_ray_at(ray, *s), &normal) - ray->radius;
        double slope = sn_point_dot(normal, ray->direction);
        if (left <= target->tolerance) {
            if (target->convex && slope < -0.1 && *s > from) *s -= left / slope;
            if (*s < from) *s = from;
            return *s <= to;
        }
        if (target->convex && !(slope < 0)) return false;
        *s += target->convex ? left / -slope : left;
        if (!(*s <= to)) return false;
    }
    return to < INFINITY;
}

/*
 * Of convex things: goes from the box to the nearest point of the thing and back (alternating
 * projections). The plane there has the thing on one side, and where all of the box is on the
 * other, they are apart. What is neither apart nor together after many rounds just touches.
 */
static bool touches_convex(const sn_bounds *box, const sn_ray_target *target) {
    sn_point x = sn_point_scaled(sn_point_add(box->low, box->high), 0.5), n;
    for (int i = 0; i < MOST_PROJECTIONS; i++) {
        double d = target->distance(target->thing, x, &n);
        if (d <= target->tolerance) return true;
        double nearest = n.x * ((n.x > 0 ? box->low.x : box->high.x) - x.x) +
                         n.y * ((n.y > 0 ? box->low.y : box->high.y) - x.y) +
                         n.z * ((n.z > 0 ? box->low.z : box->high.z) - x.z);
        if (nearest + d > target->tolerance) return false;
        x = sn_box_nearest(box, sn_point_sub(x, sn_point_scaled(n, d)));
    }
    return true;
}

/* Eight parts of a box, by the bits of a number. */
static sn_bounds part_of(const sn_bounds *box, sn_point middle, int part) {
    sn_bounds b = *box;
    *(part & 1 ? &b.low.x : &b.high.x) = middle.x;
    *(part & 2 ? &b.low.y : &b.high.y) = middle.y;
    *(part & 4 ? &b.low.z : &b.high.z) = middle.z;
    return b;
}

/* Of anything else: a part of the box whose middle is farther from the thing than from its corners
   does not touch. What is left undecided when parts become small just touches. */
static bool touches_any(const sn_bounds *box, const sn_ray_target *target) {
    sn_bounds stack[64];
    int depth = 0;
    sn_point n;
    stack[depth++] = *box;
    for (int i = 0; i < MOST_CELLS && depth > 0; i++) {
        sn_bounds b = stack[--depth];
        sn_point middle = sn_point_scaled(sn_point_add(b.low, b.high), 0.5);
        double d = target->distance(target->thing, middle, &n);
        if (d <= target->tolerance) return true;
        if (d > sn_bounds_diagonal(b) / 2) continue;
        if (depth + 8 > 64) return true;
        for (int part = 0; part < 8; part++) stack[depth++] = part_of(&b, middle, part);
    }
    return depth > 0;
}

bool sn_box_overlaps(const sn_bounds *box, const sn_ray_target *target) {
    return target->convex ? touches_convex(box, target) : touches_any(box, target);
}
