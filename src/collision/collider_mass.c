#include "collision/collider_mass.h"

#include "base/error.h"
#include "collision/collider_geometry.h"
#include "math/matrix3.h"

#include <sinew/principal.h>

#define PI 3.14159265358979323846

/* Which elements of a matrix the six numbers of a symmetric one are. */
static const int row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};

/* Adds factor times a a^T. */
static void add_square(double second[6], double factor, const double a[3]) {
    for (int k = 0; k < 6; k++) second[k] += factor * (a[row[k]] * a[column[k]]);
}

/* ---- Shapes of a few numbers ---- */

/*
 * A box with half sides e and all within r of it, which is a ball or a capsule where sides are 0.
 * Across the axis k, at t beyond the side, it is a rectangle of 2 b by 2 c with all within
 * s = sqrt(r^2 - t^2) of it, whose area is 4 b c + 4 (b + c) s + pi s^2; along the side s = r. With
 * the integrals from 0 to r of s, t s and t^2 s: pi r^2 / 4, r^3 / 3, pi r^4 / 16, and of s^2,
 * t s^2 and t^2 s^2: 2 r^3 / 3, r^4 / 4, 2 r^5 / 15.
 */
static void round_box(const double e[3], double r, sn_moments *m) {
    for (int k = 0; k < 3; k++) {
        double a = e[k], b = e[(k + 1) % 3], c = e[(k + 2) % 3], r2 = r * r, r3 = r2 * r;
        double flat = 4 * b * c, rim = 4 * (b + c), far = a + r;
        double side = flat + rim * r + PI * r2;
        double cap = flat * r + rim * (PI * r2 / 4) + PI * (2 * r3 / 3);
        m->volume = 2 * (side * a + cap);
        cap = flat * ((far * far * far - a * a * a) / 3) +
              rim * (a * a * (PI * r2 / 4) + 2 * a * (r3 / 3) + PI * (r2 * r2) / 16) +
              PI * (a * a * (2 * r3 / 3) + a * (r2 * r2) / 2 + 2 * (r3 * r2) / 15);
        m->second[k] = 2 * (side * (a * a * a / 3) + cap);
    }
}

static void cylinder(double half, double r, sn_moments *m) {
    m->volume = 2 * half * PI * (r * r);
    m->second[0] = m->second[2] = m->volume * (r * r) / 4;
    m->second[1] = m->volume * (half * half) / 3;
}

/* ---- Surfaces ---- */

/*
 * The sum over the tetrahedra between a point and the triangles, with the sign of their volume. Of
 * one with the corners 0, a, b, c and d = a (b x c) the integrals are: volume d / 6, x: d s / 24
 * with s = a + b + c, and x x^T: d (a a^T + b b^T + c c^T + s s^T) / 120.
 */
static void surface(const sn_vec3 *x, const uint32_t (*triangles)[3], size_t count, sn_moments *m) {
    /* A vertex of it, so that one far from its origin loses nothing. */
    sn_point o = sn_point_of(x[triangles[0][0]]);
    double first[3] = {0, 0, 0};
    for (size_t t = 0; t < count; t++) {
        double corner[4][3] = {{0}};
        for (int k = 0; k < 3; k++) {
            sn_point p = sn_point_sub(sn_point_of(x[triangles[t][k]]), o);
            const double own[3] = {p.x, p.y, p.z};
            for (int i = 0; i < 3; i++) corner[k][i] = own[i], corner[3][i] += own[i];
        }
        double normal[3];
        sn_double3_cross(corner[1], corner[2], normal);
        double d = (corner[0][0] * normal[0] + corner[0][1] * normal[1]) + corner[0][2] * normal[2];
        m->volume += d / 6;
        for (int i = 0; i < 3; i++) first[i] += d / 24 * corner[3][i];
        for (int k = 0; k < 4; k++) add_square(m->second, d / 120, corner[k]);
    }
    const double origin[3] = {o.x, o.y, o.z};
    if (!(m->volume > 0)) return;
    for (int i = 0; i < 3; i++) first[i] /= m->volume;
    add_square(m->second, -m->volume, first);
    for (int i = 0; i < 3; i++) m->centre[i] = origin[i] + first[i];
}

/* ---- Compounds ---- */

/* From the frame of a part into that of the compound. */
static void place(const sn_collider_def *part, sn_moments *m) {
    const double q[4] = {(double)part->orientation.x, (double)part->orientation.y,
                         (double)part->orientation.z, (double)part->orientation.w};
    const double at[3] = {(double)part->position.x, (double)part->position.y,
                          (double)part->position.z};
    double turn[9], own[9], half[9], whole[9], centre[3];
    sn_matrix3_of_quat(q, turn);
    sn_matrix3_full(m->second, own);
    sn_matrix3_mul(turn, own, half);
    sn_matrix3_mul_transposed(half, turn, whole);
    for (int k = 0; k < 6; k++) m->second[k] = whole[3 * column[k] + row[k]];
    sn_matrix3_apply(turn, m->centre, centre);
    for (int i = 0; i < 3; i++) m->centre[i] = at[i] + centre[i];
}

/* Two become one: with the volume V W / (V + W) at their distance, as the theorem of parallel axes
   says of both about the common centre. */
static void join(sn_moments *m, const sn_moments *other) {
    double volume = m->volume + other->volume, apart[3];
    for (int i = 0; i < 3; i++) apart[i] = other->centre[i] - m->centre[i];
    for (int i = 0; i < 3; i++) m->centre[i] += other->volume / volume * apart[i];
    for (int k = 0; k < 6; k++) m->second[k] += other->second[k];
    add_square(m->second, m->volume / volume * other->volume, apart);
    m->volume = volume;
}

static sn_result compound(const sn_collider_geometry *form, sn_moments *m) {
    for (size_t i = 0; i < form->part_count; i++) {
        sn_moments part;
        sn_result result = sn_collider_moments(&form->pieces[i], &part);
        if (result != SN_OK) return sn_fail_within(result, "part %zu", i);
        place(&form->pieces[i], &part);
        if (i == 0)
            *m = part;
        else
            join(m, &part);
    }
    return SN_OK;
}

/* ---- All of them ---- */

sn_result sn_collider_moments(const sn_collider_def *def, sn_moments *moments) {
    const sn_collider_geometry *form = def->form;
    const sn_geometry *g = &def->geometry;
    double r = (double)def->radius, y = (double)def->extent.y;
    const double none[3] = {0, 0, 0}, line[3] = {0, y, 0};
    const double box[3] = {(double)def->extent.x, y, (double)def->extent.z};
    *moments = (sn_moments){.volume = 0};
    if (def->shape == SN_SHAPE_PLANE || def->shape == SN_SHAPE_HEIGHTS || g->two_sided)
        return sn_fail(SN_ERROR_VALUE,
                       "collider: is a %s, which has no volume, expected a closed shape",
                       def->shape == SN_SHAPE_PLANE     ? "plane"
                       : def->shape == SN_SHAPE_HEIGHTS ? "height field"
                                                        : "two-sided mesh");
    if (def->shape == SN_SHAPE_SPHERE) round_box(none, r, moments);
    if (def->shape == SN_SHAPE_CAPSULE) round_box(line, r, moments);
    if (def->shape == SN_SHAPE_BOX) round_box(box, r, moments);
    if (def->shape == SN_SHAPE_CYLINDER) cylinder(y, r, moments);
    if (def->shape == SN_SHAPE_MESH || def->shape == SN_SHAPE_SDF)
        surface(g->vertices, g->triangles, g->triangle_count, moments);
    if (def->shape == SN_SHAPE_HULL)
        surface(form->boundary.vertices, (const uint32_t(*)[3])form->boundary.triangles,
                form->boundary.triangle_count, moments);
    if (def->shape == SN_SHAPE_COMPOUND) SN_TRY(compound(form, moments));
    if (moments->volume > 0) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "collider: its volume is %g m^3, expected above 0",
                   moments->volume);
}

void sn_moments_principal(const sn_moments *moments, double inertia[3], double axes[4]) {
    double m[6], value[3];
    double largest = moments->second[0];
    for (int k = 1; k < 3; k++)
        if (moments->second[k] > largest) largest = moments->second[k];
    /* What rounding leaves would turn the axes of a cube by any angle. */
    for (int k = 0; k < 6; k++) {
        double size = moments->second[k] < 0 ? -moments->second[k] : moments->second[k];
        m[k] = k >= 3 && size <= 1e-9 * largest ? 0 : moments->second[k];
    }
    sn_principal_axes(m, value, axes);
    for (int k = 0; k < 3; k++) inertia[k] = value[(k + 1) % 3] + value[(k + 2) % 3];
}
