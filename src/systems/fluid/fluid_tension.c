/*
 * Surface tension, after Akinci et al. (2013): cohesion, which holds a surface together, and a
 * force that makes its area smaller, by how normals n = R grad c differ between neighbours. Of both
 * only what is along the line between two particles is taken, so that both momenta are kept:
 *
 *   F_ij = -sigma V_i V_j (128 / R^5 q (1 - q)^2 + 32 / R^2 W_ij (n_i - n_j) . x) x
 *
 * with x the direction from j to i and q their distance over R. Both numbers are measured: with
 * them a drop swings with the period of Rayleigh (1879), T = 2 pi sqrt(rho r^3 / (8 sigma)), and
 * comes to rest as a ball. Cohesion alone keeps the form of a lattice, as all that it presses
 * together is hard; the other force alone lets particles part.
 *
 * A collider is layers of fluid at rest (fluid_walls.c) that pull with a part of that, `adhesion`,
 * along its normal:
 *
 *   F = sigma V adhesion 128 / R^5 l sum_k 2 pi R z_k Phi(z_k / R),   Phi(q) = int_q^1 t (1 - t)^2
 *
 * and counts in the normal by as much.
 */
#include "math/lanes.h"
#include "systems/fluid/fluid_kernel.h"
#include "systems/fluid/fluid_loops.h"

enum { MOST_LAYERS = 64 };

double sn_fluid_grip_of(double far, double spacing, double reach, double volume) {
    const double turn = 6.28318530717958648;
    double sum = 0, per_reach = 1 / reach;
    if (far < 0) far = 0;
    for (int k = 0; k < MOST_LAYERS; k++) {
        double z = far + (k + 0.5) * spacing, rest = 1 - z * per_reach;
        if (!(rest > 0)) break;
        sum += turn * z * reach * (rest * rest * rest * (1.0 / 3 - 0.25 * rest));
    }
    double square = per_reach * per_reach;
    return (double)SN_TENSION_COHESION * volume * spacing * sum * (square * square * per_reach);
}

/* Kinds: 0 for all that mix, and a number of its own for each that does not. */
static void gather_tension(void *context, size_t begin, size_t end) {
    const sn_fluid_pass *p = context;
    const sn_fluids *fluids = sn_fluids_of(p->world);
    const sn_fluid_places *s = p->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK; at++) {
        s->search[at] = (sn_vec4){0};
        if (at >= s->count) continue;
        uint32_t fluid = s->particle[s->order[at]].fluid;
        const sn_fluid_def *def = &fluids->members[fluid].def;
        sn_real kind = def->immiscible ? (sn_real)(fluid + 1) : 0;
        s->search[at] = (sn_vec4){kind, def->surface_tension, def->adhesion, 0};
    }
}

void sn_fluid_apply_tension(sn_fluid_pass *p) {
    const sn_fluid_places *s = p->places;
    const sn_fluid_loops *loops = sn_fluid_loops_of(p->world);
    sn_fluid_run(p->world, gather_tension, p);
    s->search[s->blocks * SN_BLOCK] = s->product[s->blocks * SN_BLOCK] = (sn_vec4){0};
    sn_fluid_images_copy(p->world, s->search);
    sn_fluid_run(p->world, loops->normals, p);
    sn_fluid_images_copy(p->world, s->product);
    sn_fluid_run(p->world, loops->tension, p);
    sn_fluid_places_refresh(p->world);
}
