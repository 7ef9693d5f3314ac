/*
 * Which constraints are solved as trees, and that everything else about a world stays what it is:
 * threads, lanes, snapshots, recordings, breaking, sleep, bodies that change their mind.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "snapshot.h"

#include <sinew/sinew.h>

enum { LINKS = 20 };

typedef struct setup {
    sn_world *world;
    sn_body body;
    sn_node node[3][LINKS + 1];
    sn_constraint link[3][LINKS];
} setup;

static sn_world *make_world(int threads, int width, sn_solver solver) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.simd_width = width;
    def.settings.substeps = 8;
    def.settings.solver = solver;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* Chains that hang from a fixed node each, thrown sideways; the last node weighs 100 kg. */
static void add_chain(setup *s, int chain, sn_side side) {
    sn_distance_def link = sn_distance_def_default();
    link.side = side;
    for (int i = 0; i <= LINKS; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(0.05 * i), (sn_real)-0.01 * (sn_real)i, (sn_real)chain};
        def.inverse_mass = i == 0 ? 0 : i == LINKS ? (sn_real)0.01 : 1;
        def.body = s->body;
        def.velocity = (sn_vec3){0, 0, i == 0 ? 0 : (sn_real)0.3};
        link.node[0] = link.node[1];
        REQUIRE_OK(sn_node_create(s->world, &def, &s->node[chain][i]));
        link.node[1] = s->node[chain][i];
        if (i > 0)
            REQUIRE_OK(
                sn_constraint_create(s->world, SN_TYPE_DISTANCE, &link, &s->link[chain][i - 1]));
    }
}

static setup make_setup(int threads, int width, sn_solver solver, sn_body_solver own) {
    setup s = {.world = make_world(threads, width, solver)};
    sn_body_def body = sn_body_def_default();
    body.solver = own;
    REQUIRE_OK(sn_body_create(s.world, &body, &s.body));
    for (int i = 0; i < 3; i++) add_chain(&s, i, i == 2 ? SN_SIDE_AT_MOST : SN_SIDE_BOTH);
    return s;
}

static void run(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

/* The largest error of a distance. */
static double residual(const sn_world *world) {
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(world, &measure));
    if (check_shows()) printf("residual %g\n", measure.residual_max);
    return measure.residual_max;
}

TEST(threads_and_lanes_give_the_same_bits) {
    static const int threads[] = {1, 2, 5}, width[] = {1, 4, 16};
    uint64_t expected = 0;
    for (int i = 0; i < 3; i++) {
        setup s = make_setup(threads[i], width[i], SN_SOLVER_COLOURED, SN_BODY_SOLVER_DIRECT);
        run(s.world, 40);
        uint64_t hash = sn_world_hash(s.world);
        if (i == 0) expected = hash;
        CHECK(hash == expected);
        CHECK(residual(s.world) < 1e-4);
        sn_world_destroy(s.world);
    }
}

/* The mark of a body and the solver of the world are the same thing, no sweep of Gauss-Seidel. */
TEST(bodies_or_the_world_ask_for_it) {
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        setup s = make_setup(1, 0, i == 1 ? SN_SOLVER_DIRECT : SN_SOLVER_COLOURED,
                             i == 0 ? SN_BODY_SOLVER_DIRECT : SN_BODY_SOLVER_WORLD);
        run(s.world, 20);
        hash[i] = sn_world_hash(s.world);
        CHECK((residual(s.world) < 1e-4) == (i < 2));
        sn_world_destroy(s.world);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] != hash[2]);
}

/* A body that is told so in the middle is solved so from the next step on, and back. */
TEST(a_body_may_change_its_mind) {
    setup s = make_setup(1, 0, SN_SOLVER_COLOURED, SN_BODY_SOLVER_WORLD);
    sn_body_def def = sn_body_def_default();
    run(s.world, 20);
    CHECK(residual(s.world) > 0.001);
    def.solver = SN_BODY_SOLVER_DIRECT;
    CHECK_OK(sn_body_set(s.world, s.body, &def));
    run(s.world, 20);
    CHECK(residual(s.world) < 1e-4);
    def.solver = (sn_body_solver)3;
    CHECK_FAILS(sn_body_set(s.world, s.body, &def), SN_ERROR_VALUE);
    def.solver = SN_BODY_SOLVER_WORLD;
    CHECK_OK(sn_body_set(s.world, s.body, &def));
    run(s.world, 20);
    CHECK(residual(s.world) > 0.001);
    sn_world_destroy(s.world);
}

/* Forces that were kept long ago say nothing to trees that are made now. */
TEST(old_forces_are_forgotten) {
    setup s[2];
    sn_node_view n[2];
    for (int k = 0; k < 2; k++) {
        sn_settings settings;
        s[k] = make_setup(1, 0, SN_SOLVER_COLOURED, SN_BODY_SOLVER_WORLD);
        REQUIRE_OK(sn_world_get_settings(s[k].world, &settings));
        settings.keep_forces = k;
        REQUIRE_OK(sn_world_set_settings(s[k].world, &settings));
        run(s[k].world, 20);
        settings.keep_forces = false;
        REQUIRE_OK(sn_world_set_settings(s[k].world, &settings));
        run(s[k].world, 10);
        settings.solver = SN_SOLVER_DIRECT;
        REQUIRE_OK(sn_world_set_settings(s[k].world, &settings));
        run(s[k].world, 1);
        REQUIRE_OK(sn_world_nodes(s[k].world, &n[k]));
    }
    for (size_t i = 0; i < n[0].count; i++)
        CHECK(n[0].position[i].x == n[1].position[i].x &&
              n[0].position[i].y == n[1].position[i].y && n[0].position[i].z == n[1].position[i].z);
    for (int k = 0; k < 2; k++) sn_world_destroy(s[k].world);
}

/* It goes on from a snapshot with the same bits, with any solver beside it. */
TEST(a_snapshot_goes_on) {
    for (sn_solver solver = SN_SOLVER_COLOURED; solver <= SN_SOLVER_DIRECT; solver++) {
        check_case("%s", sn_solver_name(solver));
        setup s = make_setup(1, 0, solver, SN_BODY_SOLVER_DIRECT);
        run(s.world, 10);
        size_t size = 0;
        void *data = snapshot_of(s.world, &size);
        sn_world *other = make_world(1, 0, SN_SOLVER_COLOURED);
        REQUIRE_OK(sn_snapshot_load(other, data, size));
        run(s.world, 10);
        run(other, 10);
        CHECK(sn_world_hash(s.world) == sn_world_hash(other));
        CHECK(residual(other) < 1e-4);
        free(data);
        sn_world_destroy(other);
        sn_world_destroy(s.world);
    }
}

/* What pulls only lets its nodes come nearer: thrown up, they fly as if nothing held them. */
TEST(a_slack_link_does_not_push) {
    sn_world *world = make_world(1, 0, SN_SOLVER_DIRECT);
    sn_distance_def link = sn_distance_def_default();
    sn_node_def def = sn_node_def_default();
    sn_constraint made;
    link.side = SN_SIDE_AT_MOST;
    def.inverse_mass = 0;
    REQUIRE_OK(sn_node_create(world, &def, &link.node[0]));
    def.inverse_mass = 1;
    def.position = (sn_vec3){0, -1, 0};
    def.velocity = (sn_vec3){0, 2, 0};
    REQUIRE_OK(sn_node_create(world, &def, &link.node[1]));
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &made));
    run(world, 12);
    REQUIRE_OK(sn_node_get(world, link.node[1], &def));
    CHECK_NEAR(def.velocity.y, 2 - 9.81 * 0.2, 1e-4);
    run(world, 60);
    REQUIRE_OK(sn_node_get(world, link.node[1], &def));
    CHECK_NEAR(def.position.y, -1, 1e-5);
    sn_world_destroy(world);
}

/* A link that breaks in the middle of a step lets what hangs on it fall. */
TEST(what_breaks_has_no_effect) {
    setup s = make_setup(1, 0, SN_SOLVER_DIRECT, SN_BODY_SOLVER_WORLD);
    sn_distance_def def = sn_distance_def_default();
    REQUIRE_OK(sn_constraint_get(s.world, s.link[0][4], &def));
    def.break_force = 500;
    REQUIRE_OK(sn_constraint_set(s.world, s.link[0][4], &def));
    size_t count = sn_world_constraint_count(s.world, SN_TYPE_DISTANCE);
    run(s.world, 60);
    CHECK(sn_world_constraint_count(s.world, SN_TYPE_DISTANCE) == count - 1);
    CHECK(residual(s.world) < 1e-3);
    sn_node_def tip = sn_node_def_default(), other = sn_node_def_default();
    REQUIRE_OK(sn_node_get(s.world, s.node[0][LINKS], &tip));
    REQUIRE_OK(sn_node_get(s.world, s.node[1][LINKS], &other));
    CHECK(tip.position.y < other.position.y - 1);
    sn_world_destroy(s.world);
}

/* A ring is a tree but for one link, which is solved by Gauss-Seidel; a grid is a mesh and has the
   bits that it has without. */
TEST(loops_are_left_to_the_solver) {
    uint64_t hash[2];
    for (int direct = 0; direct < 2; direct++) {
        sn_world *world = make_world(1, 0, direct ? SN_SOLVER_DIRECT : SN_SOLVER_COLOURED);
        sn_mesh mesh = sn_mesh_default();
        sn_cloth_material m = sn_cloth_material_default();
        sn_build_def def = sn_build_def_default();
        sn_grid_def grid = sn_grid_def_default();
        grid.columns = grid.rows = 8;
        REQUIRE_OK(sn_generate_grid(&mesh, &grid));
        sn_node node[81];
        sn_build build;
        const uint32_t pin = 0;
        def.mesh = &mesh;
        def.pins = &pin;
        def.pin_count = 1;
        REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &m, &def, node, &build));
        run(world, 10);
        hash[direct] = sn_world_hash(world);
        sn_mesh_free(&mesh);
        sn_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);

    setup s = make_setup(1, 0, SN_SOLVER_DIRECT, SN_BODY_SOLVER_WORLD);
    sn_distance_def link = sn_distance_def_default();
    sn_constraint made;
    link.node[0] = s.node[0][LINKS];
    link.node[1] = s.node[0][1];
    REQUIRE_OK(sn_constraint_create(s.world, SN_TYPE_DISTANCE, &link, &made));
    run(s.world, 60);
    CHECK(residual(s.world) < 0.05);
    sn_world_destroy(s.world);
}

TESTS(RUN(threads_and_lanes_give_the_same_bits), RUN(bodies_or_the_world_ask_for_it),
      RUN(a_body_may_change_its_mind), RUN(a_snapshot_goes_on), RUN(old_forces_are_forgotten),
      RUN(a_slack_link_does_not_push), RUN(what_breaks_has_no_effect),
      RUN(loops_are_left_to_the_solver))
