/*
 * Area, second moments and torsion constant of a cross-section with the half sizes a and b, and of
 * a tube whose hole has the same shape and k of the size:
 *
 *   ellipse     A = pi a b,  I_x = pi a b^3 / 4,  J = pi a^3 b^3 / (a^2 + b^2)      times 1 - k^2
 *   rectangle   A = 4 a b,   I_x = 4 a b^3 / 3,   J = a b^3 (16/3 - 3.36 b/a (1 - b^4 / 12 a^4))
 *                                                 for a >= b                        and 1 - k^4
 *
 * The J of the ellipse is exact (Saint-Venant), with its hole as well, since the lines of equal
 * stress are ellipses of its shape. That of the rectangle is from Young and Budynas 2002, Roark's
 * Formulas for Stress and Strain, table 10.1, within 0.5 %. A thin rectangular tube has Bredt's
 * 4 a^3 b^3 / (a^2 + b^2) in its place; between the two we weigh by k^2, within 1.5 % of Prandtl's
 * membrane.
 *
 * Where all of a section flows, stress is the same everywhere: the moment about x is that times
 *
 *   ellipse     4 a b^2 / 3,   rectangle   2 a b^2                                and 1 - k^3
 *
 * and the torque twice the volume of a heap of sand of unit slope on it (Nadai 1923):
 * 4 b^2 (a - b / 3) of a rectangle with a >= b, 2 pi b^3 / 3 of a circle and 8 a b^2 / 3 of what is
 * flat, between which 8 a b^2 / 3 - (8 - 2 pi) b^4 / 3 a is within 0.6 %.
 *
 * Shear factors are 0.9 and 5/6, less for tubes as Cowper 1966 has it for round ones.
 */
#include "bodies/rod_section.h"
#include "base/error.h"
#include "bodies/lines.h"

static double rectangle_torsion(double a, double b, double k) {
    double most = a > b ? a : b, least = a > b ? b : a, flat = least / most, f2 = flat * flat;
    double full = most * least * least * least * (16.0 / 3 - 3.36 * flat * (1 - f2 * f2 / 12));
    double thin = 4 * a * a * a * b * b * b / (a * a + b * b);
    return full + k * k * (thin - full);
}

/* Twice the volume of a heap of sand. */
static double heap(double a, double b, bool box) {
    double most = a > b ? a : b, least = a > b ? b : a, square = least * least;
    if (box) return 4 * square * (most - least / 3);
    return (8 * most * square - (8 - 2 * SN_CIRCLE) * square * square / most) / 3;
}

sn_rod_section sn_rod_section_of(const sn_rod_material *m) {
    double r = (double)m->radius, k = (double)m->hollow, nu = (double)m->poisson;
    double a = m->width == SN_AUTO ? r : (double)m->width / 2;
    double b = m->height == SN_AUTO ? r : (double)m->height / 2;
    double left = 1 - k * k * k * k, round = 1 + k * k;
    bool box = m->section == 2;
    /* What the shape has of a box around it: area, and of that the squares of half[]. */
    double fill = box ? 4 : SN_CIRCLE, part = box ? 3 : 4;
    sn_rod_section s = {.outer = fill * a * b, .half = {a, b}, .round = round / part};
    s.area = s.outer * (1 - k * k);
    s.second[0] = fill * a * b * b * b / part * left;
    s.second[1] = m->section == 0 ? s.second[0] : fill * a * a * a * b / part * left;
    s.wide[0] = 12 / part * b * b * round;
    s.wide[1] = 12 / part * a * a * round;
    s.torsion = box               ? rectangle_torsion(a, b, k) * left
                : m->section == 0 ? 2 * s.second[0]
                                  : SN_CIRCLE * a * a * a * b * b * b / (a * a + b * b) * left;
    double full = (box ? 2 : 4.0 / 3) * (1 - k * k * k);
    s.plastic[0] = full * a * b * b;
    s.plastic[1] = full * a * a * b;
    s.plastic[2] = heap(a, b, box) * (1 - k * k * k);
    double thin = (20 + 12 * nu) / (7 + 6 * nu) * (k * k) / (round * round);
    s.shear = (box ? 5.0 / 6 : 0.9) / (1 + thin);
    return s;
}

sn_result sn_rod_section_check(const sn_rod_material *m) {
    const char *given = m->width != SN_AUTO ? "width" : m->height != SN_AUTO ? "height" : NULL;
    if (m->section != 0 || !given) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "rod: %s is %g m, but its section is a circle, which has a radius; expected the "
                   "section ellipse or rectangle",
                   given, (double)(m->width != SN_AUTO ? m->width : m->height));
}
