/*
 * A gas in a closed sheet: p V = n R T at rest, warmed up and leaking; its overpressure is what the
 * sheet carries, 2 T / R (V37); it bursts where it is told to; and a snapshot in the middle goes on
 * with the same bits.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "meshed_body.h"
#include "snapshot.h"

static const double gas_constant = 8.314462618, radius = 0.15, modulus = 750, poisson = 0.3;

static sn_cloth_material rubber(double pressure) {
    sn_cloth_material m = sn_cloth_material_default();
    /* Heavy, so that a substep does not let it give way by itself. */
    m.area_density = 100;
    m.model = 3;
    m.stretch_stiffness = (sn_real)modulus;
    m.poisson = (sn_real)poisson;
    m.gas_pressure = (sn_real)pressure;
    return m;
}

static body balloon(const sn_cloth_material *material, uint32_t level) {
    return body_make(still_world(40, 10), SN_KIND_CLOTH, material, sphere_mesh(radius, level),
                     NULL);
}

static sn_constraint gas_of(const body *b) {
    sn_constraint found = {0, 0, 0};
    sn_type type;
    for (size_t i = 0; i < 100000; i++)
        if (sn_world_constraint_at(b->world, i, &found) == SN_OK &&
            sn_constraint_get_type(b->world, found, &type) == SN_OK &&
            type == SN_TYPE_SURFACE_VOLUME)
            return found;
    bool has_gas = false;
    CHECK(has_gas);
    return found;
}

static sn_surface_volume_def read_gas(const body *b) {
    sn_surface_volume_def def = sn_surface_volume_def_default();
    REQUIRE_OK(sn_constraint_get(b->world, gas_of(b), &def));
    return def;
}

static double overpressure_of(const body *b) {
    sn_real force[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_force(b->world, gas_of(b), force));
    return (double)force[0];
}

static double volume_of(const body *b) {
    double volume = 0;
    for (size_t t = 0; t < b->mesh.triangle_count; t++) {
        double x[3][3];
        for (int c = 0; c < 3; c++) body_position(b, b->mesh.triangles[t][c], x[c]);
        volume += (x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) +
                   x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
                   x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0])) /
                  6;
    }
    return volume;
}

static void check_material(const body *b) {
    sn_surface_volume_def def = read_gas(b);
    double p = (double)def.ambient + overpressure_of(b);
    CHECK_REL(p * volume_of(b), (double)def.amount * gas_constant * (double)def.temperature, 1e-4);
}

/* The tension of a sphere whose radius has grown by a small part: E t strain / (1 - nu). */
TEST(overpressure_is_carried_by_the_sheet) {
    sn_cloth_material m = rubber(4000);
    body b = balloon(&m, 3);
    double before = volume_of(&b);
    body_run(&b, 400, 1.0 / 60);
    check_material(&b);
    double stretch = cbrt(volume_of(&b) / before), r = radius * stretch;
    double strain = (stretch * stretch - 1) / 2;
    double tension = modulus / (1 - poisson) * strain;
    CHECK(stretch > 1.008);
    CHECK_REL(overpressure_of(&b), 2 * tension / r, 0.03);
    body_free(&b);
}

TEST(warm_gas_takes_more_room) {
    sn_cloth_material m = rubber(1000);
    body b = balloon(&m, 2);
    body_run(&b, 300, 1.0 / 60);
    double before = volume_of(&b);
    sn_real warm[3] = {330, 0, 0};
    REQUIRE_OK(sn_constraint_set_field(b.world, gas_of(&b), "temperature", warm));
    body_run(&b, 400, 1.0 / 60);
    CHECK(volume_of(&b) > 1.05 * before);
    check_material(&b);
    body_free(&b);
}

TEST(what_leaks_is_gone) {
    sn_cloth_material m = rubber(4000);
    m.gas_leak = (sn_real)1e-3;
    body b = balloon(&m, 2);
    double amount = (double)read_gas(&b).amount, rest = volume_of(&b);
    body_run(&b, 10, 1.0 / 60);
    double then = (double)read_gas(&b).amount;
    CHECK(then < amount);
    body_run(&b, 600, 1.0 / 60);
    CHECK((double)read_gas(&b).amount < then);
    CHECK_NEAR(overpressure_of(&b), 0, 1);
    CHECK_REL(volume_of(&b), rest, 1e-3);
    body_free(&b);
}

/* A hole that would let more out in a step than there is too much of lets out just that. */
TEST(a_large_hole_is_even_at_once) {
    sn_cloth_material m = rubber(4000);
    m.gas_leak = 1000;
    body b = balloon(&m, 2);
    double rest = volume_of(&b);
    body_run(&b, 300, 1.0 / 60);
    check_material(&b);
    CHECK_NEAR(overpressure_of(&b), 0, 1);
    CHECK_REL(volume_of(&b), rest, 1e-3);
    body_free(&b);
}

TEST(it_bursts_where_it_is_told_to) {
    static const double limit[2] = {100, 5000};
    for (int i = 0; i < 2; i++) {
        sn_cloth_material m = rubber(4000);
        m.burst_pressure = (sn_real)limit[i];
        body b = balloon(&m, 2);
        size_t broken = 0;
        for (int step = 0; step < 400; step++) {
            body_run(&b, 1, 1.0 / 60);
            const sn_break_event *events;
            size_t count;
            REQUIRE_OK(sn_world_breaks(b.world, &events, &count));
            for (size_t k = 0; k < count; k++) {
                CHECK(events[k].type == SN_TYPE_SURFACE_VOLUME);
                CHECK((double)events[k].force > limit[i]);
            }
            broken += count;
        }
        CHECK(broken == (i == 0 ? 1u : 0u));
        CHECK(count_type(b.world, SN_TYPE_SURFACE_VOLUME) == 1 - broken);
        body_free(&b);
    }
}

TEST(a_snapshot_in_the_middle_goes_on) {
    sn_cloth_material m = rubber(4000);
    m.gas_leak = (sn_real)1e-4;
    body b = balloon(&m, 2);
    body_run(&b, 20, 1.0 / 60);
    size_t size;
    void *bytes = snapshot_of(b.world, &size);
    body_run(&b, 20, 1.0 / 60);
    uint64_t hash = sn_world_hash(b.world);
    double amount = (double)read_gas(&b).amount;
    REQUIRE_OK(sn_snapshot_load(b.world, bytes, size));
    CHECK(sn_world_hash(b.world) != hash);
    body_run(&b, 20, 1.0 / 60);
    CHECK(sn_world_hash(b.world) == hash);
    CHECK((double)read_gas(&b).amount == amount);
    free(bytes);
    body_free(&b);
}

/* Squeezed to nothing and turned inside out, it comes back. */
TEST(crushed_it_comes_back) {
    sn_cloth_material m = rubber(2000);
    body b = balloon(&m, 2);
    double rest = volume_of(&b);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        body_position(&b, i, x);
        sn_vec3 to = {(sn_real)x[0], (sn_real)(-0.05 * x[1]), (sn_real)x[2]};
        REQUIRE_OK(sn_node_set_position(b.world, b.nodes[i], to));
    }
    body_run(&b, 900, 1.0 / 60);
    CHECK(fabs(volume_of(&b)) < 1.1 * rest);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        body_position(&b, i, x);
        CHECK(fabs(x[0]) < 1 && fabs(x[1]) < 1 && fabs(x[2]) < 1);
    }
    body_free(&b);
}

TEST(mistakes_are_named) {
    sn_mesh mesh = sphere_mesh(radius, 1);
    sn_world *world = still_world(10, 0);
    sn_build_def def = sn_build_def_default();
    sn_build build;
    def.mesh = &mesh;
    sn_cloth_material m = rubber(100);
    m.pressure = 1;
    CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &m, &def, NULL, &build), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "gas_pressure") != NULL);
    m = rubber(100);
    m.gas_pressure = SN_AUTO;
    m.gas_leak = 1;
    CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &m, &def, NULL, &build), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "gas_leak") != NULL);
    m = rubber(-101325);
    CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &m, &def, NULL, &build), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "0 mol") != NULL);
    sn_mesh sheet = grid_mesh(1, 1, 2, 2, SN_GRID_ALTERNATING);
    def.mesh = &sheet;
    m = rubber(100);
    CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &m, &def, NULL, &build), SN_ERROR_DEGENERATE);
    sn_mesh_free(&sheet);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
}

TESTS(RUN(overpressure_is_carried_by_the_sheet), RUN(warm_gas_takes_more_room),
      RUN(what_leaks_is_gone), RUN(a_large_hole_is_even_at_once),
      RUN(it_bursts_where_it_is_told_to), RUN(a_snapshot_in_the_middle_goes_on),
      RUN(crushed_it_comes_back), RUN(mistakes_are_named))
