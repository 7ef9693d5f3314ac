/*
 * The damping time of elements that have Young's modulus: one regular tetrahedron that is thrown
 * into its two modes of uniform strain, whose frequencies and decay are known.
 *
 *   of shape   omega^2 = mu V / (2 m a^2)          with corners (+-a, +-a, +-a) of mass m
 *   of volume  omega^2 = 3 K V / (4 m a^2)
 *
 * By Kelvin and Voigt the energy decays with exp(-tau omega^2 t).
 */
#include <math.h>

#include "check.h"
#include "rig.h"

static const double a = 0.1, mass = 1, young = 1e5, poisson = 0.3, h = 1e-4;

/* A tetrahedron that moves by `rate` times its corners, with a damping time and a damping of its
   rows; false where the type has no moduli. */
static bool make(sn_type type, const double rate[3], double nu, double time, double damping,
                 sn_world **world) {
    static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}};
    const sn_type_info *info = sn_type_get_info(type);
    sn_world_def def = sn_world_def_default();
    rig_def made;
    sn_node node[RIG_MAX_NODES];
    sn_constraint constraint;
    if (info->nodes != 4 || info->list != SN_LIST_NONE) return false;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, world));
    for (int i = 0; i < 4; i++) {
        sn_node_def n = sn_node_def_default();
        const double *c = corner[i];
        n.position = (sn_vec3){(sn_real)(a * c[0]), (sn_real)(a * c[1]), (sn_real)(a * c[2])};
        n.velocity = (sn_vec3){(sn_real)(a * c[0] * rate[0]), (sn_real)(a * c[1] * rate[1]),
                               (sn_real)(a * c[2] * rate[2])};
        n.inverse_mass = (sn_real)(1 / mass);
        REQUIRE_OK(sn_node_create(*world, &n, &node[i]));
    }
    rig_def_fill(info, node, &made);
    bool has = rig_def_set(info, &made, "young", young);
    has = has && rig_def_set(info, &made, "poisson", nu);
    has = has && rig_def_set(info, &made, "damping_time", time);
    has = has && rig_def_set(info, &made, "damping", damping);
    if (has) REQUIRE_OK(sn_constraint_create(*world, type, &made, &constraint));
    if (!has) sn_world_destroy(*world);
    return has;
}

/* J, the most that it moves with in a period after so many others; s, of a period. */
static double energy_after(sn_world *world, double period, int periods) {
    double most = 0;
    int steps = (int)(period / h);
    for (int i = 0; i < (periods + 1) * steps; i++) {
        sn_measure m;
        REQUIRE_OK(sn_world_step(world, (sn_real)h));
        REQUIRE_OK(sn_world_measure(world, &m));
        if (i >= periods * steps) most = fmax(most, m.kinetic_energy);
    }
    return most;
}

TEST(modes_decay_with_the_damping_time) {
    const double volume = 8 * a * a * a / 3, pi = 3.14159265358979323846;
    const double square[2] = {young / (2 * (1 + poisson)) * volume / (2 * mass * a * a),
                              young / (1 - 2 * poisson) * volume / (4 * mass * a * a)};
    int looked = 0;
    FOR_EACH_TYPE(type)
    for (int mode = 0; mode < 2; mode++) {
        double omega = sqrt(square[mode]), period = 2 * pi / omega, time = 0.1 / omega;
        double s = 0.01 * omega, rate[3] = {s, mode ? s : -s, mode ? s : 0}, energy[2];
        bool has = true;
        check_case("%s, mode %d", sn_type_get_info((sn_type)type)->name, mode);
        for (int damped = 0; damped < 2 && has; damped++) {
            sn_world *world;
            has = make((sn_type)type, rate, poisson, damped ? time : 0, 0, &world);
            if (!has) continue;
            energy[damped] = energy_after(world, period, 3);
            sn_world_destroy(world);
        }
        if (!has) continue;
        double decay = log(energy[0] / energy[1]) / (3 * period);
        CHECK_REL(decay, time * square[mode], 0.015);
        looked++;
    }
    CHECK(rig_is_narrow() || looked >= 6);
}

/* Where both constants of Lame are the same, the damping of the constraint is a viscosity as the
   damping time gives it: mu tau V. Those that have a row for every strain damp each for itself. */
TEST(damping_is_viscosity) {
    const double volume = 8 * a * a * a / 3, mu = young / 2.5, time = 2e-3;
    const double rate[3] = {5, -3, 1};
    int looked = 0;
    FOR_EACH_TYPE(type) {
        double energy[2];
        sn_world *world;
        check_case("%s", sn_type_get_info((sn_type)type)->name);
        if (sn_type_get_info((sn_type)type)->rows == 6) continue;
        if (!make((sn_type)type, rate, 0.25, 0, 0, &world)) continue;
        sn_world_destroy(world);
        for (int k = 0; k < 2; k++) {
            make((sn_type)type, rate, 0.25, k ? 0 : time, k ? mu * time * volume : 0, &world);
            sn_measure m;
            for (int i = 0; i < 20; i++) REQUIRE_OK(sn_world_step(world, (sn_real)h));
            REQUIRE_OK(sn_world_measure(world, &m));
            energy[k] = m.kinetic_energy;
            sn_world_destroy(world);
        }
        CHECK_REL(energy[1], energy[0], 1e-4);
        looked++;
    }
    CHECK(rig_is_narrow() || looked > 1);
}

TESTS(RUN(modes_decay_with_the_damping_time), RUN(damping_is_viscosity))
