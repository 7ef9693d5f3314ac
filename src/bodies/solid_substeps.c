/*
 * By what substeps are enough for a solid.
 *
 * One sweep per substep carries a push from a tet to the next ones. A wave in the material runs
 * with the speed c = sqrt(E / rho), so it crosses a tet of the altitude l in l / c. Where a substep
 * is longer than that, q = h^2 E / (rho l^2) is above 1, and the sweep brings less than the force
 * that belongs to the strain: the body is softer than its material, the more so the larger q is. A
 * few flat tets do not make a body soft: the flattest tenth of its volume is left out.
 */
#include "bodies/body_solid.h"

#include <stdlib.h>

/* The square of the least altitude, 3 V over the largest face. */
static double altitude_square(const sn_builder *b, size_t tet) {
    const uint32_t *t = b->mesh->tets[tet];
    double volume = sn_solid_volume(b, tet), largest = 0;
    for (int k = 0; k < 4; k++) {
        sn_point a = b->x[t[k]], u = sn_point_sub(b->x[t[(k + 1) % 4]], a);
        sn_point n = sn_point_cross(u, sn_point_sub(b->x[t[(k + 2) % 4]], a));
        double square = sn_point_dot(n, n) / 4;
        largest = square > largest ? square : largest;
    }
    return 9 * volume * volume / largest;
}

static double larger(double a, sn_real b) {
    return b != SN_AUTO && (double)b > a ? (double)b : a;
}

/* The stiffest there is, in Pa; what is as hard as can be does not count. */
static double modulus(const sn_solid_material *m) {
    double most = m->young == SN_AUTO ? 0 : (double)m->young, poisson = (double)m->poisson;
    /* What grows thicker when it is stretched is harder to shear than to stretch: 2 G is more. */
    if (poisson < 0) most /= 1 + poisson;
    if (m->model == SN_SOLID_STRAIN || m->model == SN_SOLID_ORTHOTROPIC) {
        bool all = m->stretch_x != SN_AUTO && m->stretch_y != SN_AUTO && m->stretch_z != SN_AUTO;
        most = all ? 0 : most;
        most = larger(larger(larger(most, m->stretch_x), m->stretch_y), m->stretch_z);
        most = larger(larger(larger(most, m->shear_yz), m->shear_zx), m->shear_xy);
    }
    return most + larger(0, m->fibre_stiffness);
}

/* What one tet wants. */
typedef struct need {
    double square, volume; /* 1/s^2, m^3 */
} need;

static int compare_needs(const void *a, const void *b) {
    double x = ((const need *)a)->square, y = ((const need *)b)->square;
    return x > y ? -1 : x < y;
}

/* Rows of edges are in metres, and have room; forces have no rows. */
static void see_energy(sn_builder *b, const sn_solid_material *m, double volume) {
    double energy = modulus(m) * volume;
    if (m->model == SN_SOLID_EDGES || m->model == SN_SOLID_EXPLICIT || !(energy > 0)) return;
    if (!(b->least_energy > 0) || energy < b->least_energy) b->least_energy = energy;
}

sn_result sn_solid_find_substep_rate(sn_builder *b) {
    size_t count = b->mesh->tet_count, i = 0;
    need *needs = sn_allocate(b->memory, count, sizeof *needs);
    if (!needs) return SN_ERROR_MEMORY;
    double left_out = 0;
    for (size_t t = 0; t < count; t++) {
        const sn_solid_material *m = sn_builder_at(b, b->mesh->tets[t], 4);
        needs[t].square = modulus(m) / ((double)m->density * altitude_square(b, t));
        needs[t].volume = sn_solid_volume(b, t);
        see_energy(b, m, needs[t].volume);
        left_out += needs[t].volume / 10;
    }
    qsort(needs, count, sizeof *needs, compare_needs);
    while (i + 1 < count && (left_out -= needs[i].volume) > 0) i++;
    b->substep_rate = __builtin_sqrt(needs[i].square);
    sn_free(b->memory, needs, count, sizeof *needs);
    return SN_OK;
}
