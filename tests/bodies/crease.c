/*
 * Creases: a sheet that is folded beyond its yield and let go keeps the rest of the fold, whatever
 * the number of threads, and over snapshots. And what is at rest: the mesh or the flat sheet.
 */
#include <math.h>
#include <stdlib.h>

#include "meshed_body.h"
#include "snapshot.h"

#define NONE SN_AUTO
enum { COLUMNS = 4, ROWS = 2 };

static sn_cloth_material material_with(double yield) {
    sn_cloth_material m = sn_cloth_material_default();
    m.bending_stiffness = (sn_real)0.01;
    m.bending_yield = (sn_real)yield;
    return m;
}

static body make_sheet(const sn_cloth_material *m) {
    return body_make(still_world(20, 6), SN_KIND_CLOTH, m,
                     grid_mesh(0.2, 0.1, COLUMNS, ROWS, SN_GRID_SAME), NULL);
}

/* Turns all right of the middle by an angle about it, and holds the sheet there for some steps. */
static void fold(const body *b, double angle, int steps, double dt) {
    sn_real w[(COLUMNS + 1) * (ROWS + 1)];
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(b->world, &view));
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        double x = (double)b->mesh.positions[i].x, z = (double)b->mesh.positions[i].z;
        sn_vec3 to = {(sn_real)x, 0, (sn_real)z};
        if (x > 1e-6) to.x = (sn_real)(x * cos(angle)), to.y = (sn_real)(x * sin(angle));
        w[i] = view.inverse_mass[b->nodes[i].slot - 1];
        REQUIRE_OK(sn_node_set_position(b->world, b->nodes[i], to));
        REQUIRE_OK(sn_node_set_inverse_mass(b->world, b->nodes[i], 0));
    }
    body_run(b, steps, dt);
    for (size_t i = 0; i < b->mesh.vertex_count; i++)
        REQUIRE_OK(sn_node_set_inverse_mass(b->world, b->nodes[i], w[i]));
}

/* The angle of the fold: between the column left of the middle and that right of it. */
static double fold_angle(const body *b) {
    double at[3][2] = {{0}};
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        double rest = (double)b->mesh.positions[i].x, x[3];
        int column = (int)lround(rest / 0.05) + 1;
        if (column < 0 || column > 2) continue;
        body_position(b, i, x);
        at[column][0] += x[0] / (ROWS + 1);
        at[column][1] += x[1] / (ROWS + 1);
    }
    return atan2(at[2][1] - at[1][1], at[2][0] - at[1][0]) -
           atan2(at[1][1] - at[0][1], at[1][0] - at[0][0]);
}

/* The largest crease of all, by its size. */
static double crease_of(const sn_world *world) {
    double most = 0;
    sn_stats stats;
    REQUIRE_OK(sn_world_stats(world, &stats));
    for (size_t slot = 0; slot < stats.constraints; slot++) {
        sn_constraint c;
        sn_type type;
        sn_real crease[3];
        REQUIRE_OK(sn_world_constraint_at(world, slot, &c));
        REQUIRE_OK(sn_constraint_get_type(world, c, &type));
        if (type != SN_TYPE_DIHEDRAL_BENDING) continue;
        REQUIRE_OK(sn_constraint_get_field(world, c, "crease", crease));
        if (fabs((double)crease[0]) > fabs(most)) most = (double)crease[0];
    }
    return most;
}

/* ---- Folding ---- */

TEST(a_fold_stays_but_for_the_yield) {
    static const struct {
        double angle, yield;
    } rows[] = {{1.2, 0.3}, {-1.2, 0.3}, {0.5, 0.1}, {2.5, 0.5}, {1, 0}};
    for (int i = 0; i < 5; i++) {
        check_case("folded by %g rad, yield %g rad", rows[i].angle, rows[i].yield);
        sn_cloth_material m = material_with(rows[i].yield);
        body b = make_sheet(&m);
        fold(&b, rows[i].angle, 1, 1.0 / 60);
        double sign = rows[i].angle < 0 ? -1 : 1, kept = rows[i].angle - sign * rows[i].yield;
        CHECK_REL(fabs(crease_of(b.world)), fabs(kept), 1e-4);
        body_run(&b, 180, 1.0 / 60);
        CHECK_REL(fold_angle(&b), kept, 0.01);
        body_free(&b);
    }
}

TEST(below_the_yield_it_springs_back) {
    static const double yields[] = {1.3, NONE};
    for (int i = 0; i < 2; i++) {
        check_case("yield %g", yields[i]);
        sn_cloth_material m = material_with(yields[i]);
        m.bending = 3;
        body b = make_sheet(&m);
        fold(&b, 1.2, 5, 1.0 / 60);
        CHECK(fabs(fold_angle(&b)) > 1.19);
        body_run(&b, 180, 1.0 / 60);
        CHECK(crease_of(b.world) == 0);
        CHECK(fabs(fold_angle(&b)) < 0.012);
        body_free(&b);
    }
}

/* Of what is above the yield, creep dt stays per step: the rest dies away. */
TEST(creases_creep) {
    sn_cloth_material m = material_with(0.2);
    m.bending_creep = 3;
    body b = make_sheet(&m);
    double dt = 0.02;
    fold(&b, 1, 10, dt);
    CHECK_REL(fabs(crease_of(b.world)), 0.8 * (1 - pow(1 - 3 * dt, 10)), 1e-3);
    fold(&b, 1, 200, dt);
    CHECK_REL(fabs(crease_of(b.world)), 0.8, 1e-3);
    body_free(&b);
}

TEST(creases_have_a_limit) {
    sn_cloth_material m = material_with(0.2);
    m.bending_limit = (sn_real)0.5;
    body b = make_sheet(&m);
    fold(&b, 1.5, 3, 0.02);
    CHECK_REL(fabs(crease_of(b.world)), 0.5, 1e-6);
    double there = crease_of(b.world);
    /* Let go it swings through and yields on the other side, but never beyond. */
    for (int i = 0; i < 180; i++) {
        body_run(&b, 1, 1.0 / 60);
        CHECK(fabs(crease_of(b.world)) <= 0.5);
    }
    /* And back: creases go both ways. */
    fold(&b, -1.5, 3, 0.02);
    CHECK_REL(crease_of(b.world), -there, 1e-6);
    body_free(&b);
}

TEST(creases_need_angles) {
    for (int bending = 1; bending <= 2; bending++) {
        sn_cloth_material m = material_with(0.2);
        m.bending = bending;
        sn_world *world = still_world(1, 0);
        sn_mesh mesh = grid_mesh(0.2, 0.1, COLUMNS, ROWS, SN_GRID_SAME);
        sn_build_def def = sn_build_def_default();
        sn_build build;
        def.mesh = &mesh;
        CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &m, &def, NULL, &build), SN_ERROR_VALUE);
        sn_stats stats;
        REQUIRE_OK(sn_world_stats(world, &stats));
        CHECK(stats.nodes == 0 && stats.constraints == 0);
        sn_mesh_free(&mesh);
        sn_world_destroy(world);
    }
}

/* ---- The same everywhere ---- */

/* A sheet that hangs by three points and crumples. */
static body make_crumpled(int threads) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.settings.substeps = 10;
    REQUIRE_OK(sn_world_create(&def, &world));
    sn_cloth_material m = material_with(0.1);
    m.bending_creep = 20;
    static const uint32_t pins[] = {0, 24 * 25 + 12, 12 * 25};
    sn_build_def build = sn_build_def_default();
    build.pins = pins;
    build.pin_count = 3;
    return body_make(world, SN_KIND_CLOTH, &m, grid_mesh(0.5, 0.5, 24, 24, SN_GRID_ALTERNATING),
                     &build);
}

TEST(creases_are_the_same_with_any_threads_and_over_snapshots) {
    body one = make_crumpled(1), three = make_crumpled(3);
    for (int step = 0; step < 40; step++) {
        if (step == 20) {
            size_t size;
            void *data = snapshot_of(one.world, &size);
            CHECK(fabs(crease_of(one.world)) > 0.05);
            CHECK_OK(sn_snapshot_load(three.world, data, size));
            free(data);
        }
        body_run(&one, 1, 1.0 / 60);
        body_run(&three, 1, 1.0 / 60);
        CHECK(sn_world_hash(one.world) == sn_world_hash(three.world));
    }
    body_free(&one);
    body_free(&three);
}

/* A crease is state: the hash knows it before it has moved anything. */
TEST(creases_are_in_the_hash) {
    sn_cloth_material m = material_with(0.2);
    body b = make_sheet(&m);
    uint64_t before = sn_world_hash(b.world);
    for (size_t slot = 0;; slot++) {
        sn_constraint c;
        sn_type type;
        sn_real crease[3] = {(sn_real)0.3};
        REQUIRE_OK(sn_world_constraint_at(b.world, slot, &c));
        REQUIRE_OK(sn_constraint_get_type(b.world, c, &type));
        if (type != SN_TYPE_DIHEDRAL_BENDING) continue;
        CHECK_OK(sn_constraint_set_field(b.world, c, "crease", crease));
        break;
    }
    CHECK(sn_world_hash(b.world) != before);
    body_free(&b);
}

/* ---- What is at rest ---- */

TEST(the_mesh_or_the_flat_sheet_is_at_rest) {
    for (int flat = 0; flat < 2; flat++) {
        check_case(flat ? "flat" : "mesh");
        sn_cloth_material m = material_with(NONE);
        m.bending_rest = flat;
        sn_mesh mesh = grid_mesh(0.2, 0.1, COLUMNS, ROWS, SN_GRID_SAME), bent;
        bent = sn_mesh_default();
        REQUIRE_OK(sn_mesh_copy(&mesh, &bent));
        for (size_t i = 0; i < bent.vertex_count; i++) {
            sn_vec3 *x = &bent.positions[i];
            if (x->x > 0)
                *x = (sn_vec3){(sn_real)(0.6 * (double)x->x), (sn_real)(0.8 * (double)x->x), x->z};
        }
        body b = body_make(still_world(20, 6), SN_KIND_CLOTH, &m, bent, NULL);
        sn_mesh_free(&b.mesh);
        b.mesh = mesh;
        body_run(&b, 180, 1.0 / 60);
        CHECK_NEAR(fold_angle(&b), flat ? 0 : atan2(0.8, 0.6), 0.005);
        body_free(&b);
    }
}

TESTS(RUN(a_fold_stays_but_for_the_yield), RUN(below_the_yield_it_springs_back), RUN(creases_creep),
      RUN(creases_have_a_limit), RUN(creases_need_angles),
      RUN(creases_are_the_same_with_any_threads_and_over_snapshots), RUN(creases_are_in_the_hash),
      RUN(the_mesh_or_the_flat_sheet_is_at_rest))
