/*
 * Threads that slide: the machine of Atwood over rings, tensions that are the same everywhere or
 * differ by what Euler and Eytelwein allow, momentum; and ropes that slide as bodies.
 */
#include "build.h"
#include "snapshot.h"

#include <sinew/build.h>
#include <sinew/generate.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };

static sn_constraint add_lace(sn_world *world, const sn_node *nodes, size_t count,
                              double friction) {
    sn_lace_def def = sn_lace_def_default();
    sn_constraint made;
    def.nodes = nodes;
    def.node_count = count;
    def.friction = (sn_real)friction;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_LACE, &def, &made));
    return made;
}

static double path_of(const sn_world *world, const sn_node *nodes, size_t count) {
    double sum = 0;
    for (size_t i = 1; i < count; i++)
        sum += length(sub(position_of(world, nodes[i]), position_of(world, nodes[i - 1])));
    return sum;
}

/* Two weights that hang on a thread over rings on half a circle, and so turn by pi. */
static size_t hang(sn_world *world, sn_node *nodes, int rings, double left, double right) {
    size_t count = 0;
    nodes[count++] = add_node(world, (vec){-0.2, -1, 0}, left);
    for (int i = 0; i < rings; i++) {
        double angle = PI * (1 - (double)i / (rings - 1));
        nodes[count++] = add_pin(world, (vec){0.2 * cos(angle), 0.2 * sin(angle), 0});
    }
    nodes[count++] = add_node(world, (vec){0.2, -1, 0}, right);
    return count;
}

/* g (m - e n) / (m + e n), where e = exp(friction pi), or nothing where both hold each other. */
TEST(weights_over_rings) {
    static const struct {
        int rings;
        double left, right, friction;
    } rows[] = {{2, 3, 1, 0},     {2, 3, 1, 0.2},   {9, 3, 1, 0.2},   {9, 1, 3, 0.2},
                {2, 1.8, 1, 0.2}, {9, 1.8, 1, 0.2}, {9, 1, 1.8, 0.2}, {9, 1, 1.95, 0.2}};
    FOR_BOTH_SOLVERS(solver) {
        for (int i = 0; i < 8; i++) {
            sn_world *world = make_world(plain_settings(solver));
            sn_node nodes[MOST];
            size_t count = hang(world, nodes, rows[i].rings, rows[i].left, rows[i].right);
            double m = fmax(rows[i].left, rows[i].right), n = fmin(rows[i].left, rows[i].right);
            double e = exp(rows[i].friction * PI), a = GRAVITY * (m - e * n) / (m + e * n);
            double before = path_of(world, nodes, count), t = 0.4;
            add_lace(world, nodes, count, rows[i].friction);
            advance(world, 1e-3, 400);
            double heavy = -1 - position_of(world, nodes[m == rows[i].left ? 0 : count - 1]).y;
            check_case("%s, %d rings, %g and %g kg, friction %g", solver_name(solver),
                       rows[i].rings, rows[i].left, rows[i].right, rows[i].friction);
            if (check_shows())
                printf("falls %.5f m, expected %.5f\n", heavy, fmax(a, 0) * t * t / 2);
            CHECK_NEAR(heavy, fmax(a, 0) * t * t / 2, a > 0 ? 0.01 * a * t * t / 2 + 2e-4 : 2e-4);
            CHECK_REL(path_of(world, nodes, count), before, 1e-4);
            sn_world_destroy(world);
        }
    }
}

/* Two weights on a thread between three rings: 2 T sin(angle) = m g for both, with one T, which is
   the force of the constraint. */
TEST(tension_is_the_same_everywhere) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.damping = 4;
    settings.keep_forces = true;
    sn_world *world = make_world(settings);
    const sn_node nodes[] = {
        add_pin(world, (vec){0, 0, 0}), add_node(world, (vec){0.5, -0.3, 0}, 1),
        add_pin(world, (vec){1, 0, 0}), add_node(world, (vec){1.5, -0.3, 0}, 2),
        add_pin(world, (vec){2, 0, 0})};
    sn_constraint lace = add_lace(world, nodes, 5, 0);
    advance(world, 1e-3, 6000);
    double sine[2];
    for (int i = 0; i < 2; i++) {
        vec r = sub(position_of(world, nodes[2 * i + 1]), position_of(world, nodes[2 * i]));
        sine[i] = -r.y / length(r);
        CHECK_NEAR(position_of(world, nodes[2 * i + 1]).x, 0.5 + i, 1e-3);
    }
    CHECK_REL(sine[1] / sine[0], 2, 0.01);
    CHECK_REL(-force_of(world, lace), GRAVITY / (2 * sine[0]), 0.02);
    sn_world_destroy(world);
}

/* Rows along paths keep both momenta, with friction as well. */
TEST(momentum_is_kept) {
    for (int rough = 0; rough < 2; rough++) {
        uint32_t seed = 7;
        sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
        sn_node nodes[6];
        for (int i = 0; i < 6; i++) {
            sn_node_def def = sn_node_def_default();
            def.position = vector(0.3 * i + 0.1 * noise(&seed), 0.2 * noise(&seed), noise(&seed));
            def.velocity = vector(noise(&seed), noise(&seed), noise(&seed));
            def.inverse_mass = (sn_real)(1 + 0.5 * noise(&seed));
            REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
        }
        add_lace(world, nodes, 6, rough ? 0.3 : 0);
        sn_measure before = measure_of(world);
        advance(world, 1e-3, 300);
        sn_measure after = measure_of(world);
        check_case("friction %g", rough ? 0.3 : 0);
        CHECK_NEAR(after.momentum[0], before.momentum[0], TOL(1e-12, 1e-5));
        CHECK_NEAR(after.momentum[1], before.momentum[1], TOL(1e-12, 1e-5));
        CHECK_NEAR(after.momentum[2], before.momentum[2], TOL(1e-12, 1e-5));
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k], 2e-3);
        sn_world_destroy(world);
    }
}

/* ---- Bodies ---- */

static sn_result build(sn_world *world, sn_mesh *mesh, const sn_rope_material *m, sn_node *nodes,
                       sn_build *made) {
    sn_build_def def = sn_build_def_default();
    def.mesh = mesh;
    return sn_build_body(world, SN_KIND_ROPE, m, &def, nodes, made);
}

/* A rope that slides is a lace, goes on from a snapshot, and gets shorter as others do. */
TEST(a_rope_that_slides) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.substeps = 10;
    sn_world *world = make_world(settings), *copy = make_world(settings);
    sn_mesh mesh = sn_mesh_default();
    sn_rope_material m = sn_rope_material_default();
    sn_node nodes[MOST];
    sn_build made;
    m.slides = 1;
    m.friction = (sn_real)0.1;
    m.young = (sn_real)1e8;
    REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0), vector(1, 0, 0), 8));
    REQUIRE_OK(build(world, &mesh, &m, nodes, &made));
    CHECK(sn_world_constraint_count(world, SN_TYPE_LACE) == 1);
    CHECK(sn_world_constraint_count(world, SN_TYPE_DISTANCE) == 0);
    for (int i = 0; i < 9; i += 2) REQUIRE_OK(sn_node_set_inverse_mass(world, nodes[i], 0));
    REQUIRE_OK(sn_node_set_inverse_mass(world, nodes[8], 20));
    for (int i = 0; i < 30; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    size_t size = 0;
    void *data = snapshot_of(world, &size);
    REQUIRE_OK(sn_snapshot_load(copy, data, size));
    free(data);
    for (int k = 0; k < 2; k++) {
        sn_world *each = k == 0 ? world : copy;
        for (int i = 0; i < 30; i++) REQUIRE_OK(sn_world_step(each, (sn_real)(1.0 / 60)));
    }
    CHECK(sn_world_hash(world) == sn_world_hash(copy));
    REQUIRE_OK(sn_body_scale_length(world, made.body, (sn_real)0.95));
    for (int i = 0; i < 240; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    CHECK_NEAR(path_of(world, nodes, 9), 0.95, 5e-3);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
    sn_world_destroy(copy);
}

TEST(rings_and_branches_do_not_slide) {
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    sn_rope_material m = sn_rope_material_default();
    sn_node nodes[MOST];
    sn_build made;
    m.slides = 1;
    uint64_t before = sn_world_hash(world);
    for (int i = 0; i < 2; i++) {
        sn_mesh mesh = sn_mesh_default();
        static const uint32_t more[1][2] = {{1, 5}};
        if (i == 0) REQUIRE_OK(sn_generate_ring(&mesh, (sn_real)0.5, 6));
        if (i == 1) REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0), vector(1, 0, 0), 6));
        if (i == 1) REQUIRE_OK(sn_mesh_add_lines(&mesh, more, 1));
        CHECK_FAILS(build(world, &mesh, &m, nodes, &made), SN_ERROR_DEGENERATE);
        CHECK(strstr(sn_last_error(), "slides") != NULL);
        CHECK(sn_world_hash(world) == before);
        sn_mesh_free(&mesh);
    }
    sn_world_destroy(world);
}

TESTS(RUN(weights_over_rings), RUN(tension_is_the_same_everywhere), RUN(momentum_is_kept),
      RUN(a_rope_that_slides), RUN(rings_and_branches_do_not_slide))
