/* What the cases of the energy audit share. */
#ifndef SINEW_TESTS_AUDITS_H
#define SINEW_TESTS_AUDITS_H

#include "frame.h"

#include <math.h>

static inline sn_audit audit_of(const sn_world *world) {
    sn_audit audit = {0};
    CHECK_OK(sn_world_get_audit(world, &audit));
    return audit;
}

static inline sn_settings heavy(int substeps, sn_integrator integrator) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.substeps = substeps;
    settings.integrator = integrator;
    return settings;
}

static inline sn_settings weightless(int substeps, sn_integrator integrator) {
    sn_settings settings = heavy(substeps, integrator);
    settings.gravity = vector(0, 0, 0);
    return settings;
}

/* What is stored is what a measure finds, and all numbers close. */
static inline sn_audit closed_audit_of(const sn_world *world) {
    sn_audit a = audit_of(world);
    sn_measure m = measure_of(world);
    double scale = fabs(m.kinetic_energy) + fabs(m.potential_energy) + fabs(m.elastic_energy) +
                   fabs(a.began) + 1e-9;
    CHECK_NEAR(a.kinetic, m.kinetic_energy, 1e-12 * scale);
    CHECK_NEAR(a.potential, m.potential_energy, 1e-12 * scale);
    CHECK_NEAR(a.elastic, m.elastic_energy, TOL(1e-10, 1e-5) * scale);
    size_t count;
    const sn_audit_field *field = sn_audit_fields(&count);
    const double *number = (const double *)&a;
    CHECK(count * sizeof *number == sizeof a);
    double sum = 0, size = 0;
    for (size_t i = 0; i < count; i++) {
        bool out = field[i].part == SN_AUDIT_STORED || field[i].part == SN_AUDIT_LOSS;
        sum += out ? number[i] : -number[i];
        size += fabs(number[i]);
    }
    CHECK_NEAR(sum, 0, 1e-12 * size);
    return a;
}

static inline sn_collider add_floor(sn_world *world, double friction, double restitution) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_PLANE;
    def.static_friction = def.dynamic_friction = (sn_real)friction;
    def.restitution = (sn_real)restitution;
    sn_collider floor;
    REQUIRE_OK(sn_collider_create(world, &def, &floor));
    return floor;
}

/* A box of 2 kg, turned about z, without friction of its own if the floor has none. */
static inline sn_node add_box(sn_world *world, vec at, vec half, double angle, double friction) {
    sn_rigid_def def = sn_rigid_def_default();
    sn_collider_def shape = sn_collider_def_default();
    sn_node node;
    sn_collider collider;
    def.mass = 2;
    shape.shape = SN_SHAPE_BOX;
    shape.extent = vector(half.x, half.y, half.z);
    shape.position = vector(at.x, at.y, at.z);
    shape.orientation = (sn_quat){0, 0, (sn_real)sin(angle / 2), (sn_real)cos(angle / 2)};
    shape.static_friction = shape.dynamic_friction = (sn_real)friction;
    REQUIRE_OK(sn_rigid_create(world, &def, &shape, &node, &collider));
    return node;
}

#endif
