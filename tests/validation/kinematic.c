/*
 * Kinematic nodes: they follow a velocity or a target, over all substeps and not in one jump, so
 * that what hangs on them sees a smooth motion.
 */
#include "build.h"

#include <math.h>

enum { SUBSTEPS = 8, RECORDS = 64 };

/* A force field that adds nothing but writes down where the first node is, substep by substep. */
typedef struct record {
    int count;
    vec position[RECORDS];
} record;

static void write_down(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)acceleration;
    record *r = (record *)user;
    sn_vec4 x = input->position[0];
    if (r->count < RECORDS) r->position[r->count++] = (vec){(double)x.x, (double)x.y, (double)x.z};
}

static sn_settings eight_substeps(sn_solver solver) {
    sn_settings settings = plain_settings(solver);
    settings.substeps = SUBSTEPS;
    return settings;
}

TEST(target_is_reached_exactly_and_evenly) {
    record seen = {0};
    sn_world *world = make_world(eight_substeps(SN_SOLVER_COLOURED));
    sn_node pin = add_pin(world, (vec){0.1, 0, 0});
    CHECK_OK(sn_world_add_force_field(world, write_down, &seen));

    vec start = position_of(world, pin), end = {0.7, -1.3, 0.3};
    CHECK_OK(sn_node_set_target(world, pin, vector(end.x, end.y, end.z)));
    CHECK(position_of(world, pin).y == 0);
    double h = 1.0 / 480;
    advance(world, h, SUBSTEPS);
    vec x = position_of(world, pin);
    CHECK(x.x == (double)(sn_real)end.x && x.y == (double)(sn_real)end.y &&
          x.z == (double)(sn_real)end.z);
    if (CHECK(seen.count == SUBSTEPS)) {
        for (int k = 0; k < SUBSTEPS; k++) {
            double s = (double)k / SUBSTEPS;
            CHECK_NEAR(seen.position[k].x, start.x + s * (end.x - start.x), TOL(1e-15, 2e-7));
            CHECK_NEAR(seen.position[k].y, start.y + s * (end.y - start.y), TOL(1e-15, 2e-7));
        }
    }

    /* It then stands still. */
    advance(world, h, SUBSTEPS);
    vec after = position_of(world, pin);
    CHECK(after.x == x.x && after.y == x.y && after.z == x.z);
    CHECK(length(velocity_of(world, pin)) == 0);
    sn_world_destroy(world);
}

TEST(kinematic_velocity_is_kept) {
    sn_world *world = make_world(eight_substeps(SN_SOLVER_COLOURED));
    sn_node pin = add_pin(world, (vec){0, 5, 0});
    CHECK_OK(sn_node_set_velocity(world, pin, vector(2, 0, -1)));
    advance(world, 1.0 / 480, 480);
    CHECK_REL(position_of(world, pin).x, 2, TOL(1e-12, 1e-5));
    CHECK_REL(position_of(world, pin).z, -1, TOL(1e-12, 1e-5));
    CHECK(position_of(world, pin).y == 5);
    CHECK(velocity_of(world, pin).x == 2 && velocity_of(world, pin).y == 0);

    /* A target replaces the velocity, and a velocity the target. */
    CHECK_OK(sn_node_set_target(world, pin, vector(0, 5, 0)));
    advance(world, 1.0 / 480, 2 * SUBSTEPS);
    CHECK(position_of(world, pin).x == 0 && position_of(world, pin).z == 0);
    CHECK_OK(sn_node_set_velocity(world, pin, vector(1, 0, 0)));
    advance(world, 1.0 / 480, 480);
    CHECK_REL(position_of(world, pin).x, 1, TOL(1e-12, 1e-5));
    sn_world_destroy(world);
}

/* Along any axis alone, at any speed. */
TEST(kinematic_nodes_go_along_every_axis) {
    for (int i = 0; i < 12; i++) {
        const double speeds[] = {1, -1, 2, 0.5}, v = speeds[i / 3];
        sn_world *world = make_world(eight_substeps(SN_SOLVER_COLOURED));
        sn_node pin = add_pin(world, (vec){0, 0, 0});
        check_case("axis %d, %g m/s", i % 3, v);
        CHECK_OK(sn_node_set_velocity(
            world, pin, vector(i % 3 == 0 ? v : 0, i % 3 == 1 ? v : 0, i % 3 == 2 ? v : 0)));
        advance(world, 1.0 / 480, 6 * SUBSTEPS);
        vec x = position_of(world, pin);
        CHECK_NEAR(i % 3 == 0 ? x.x : i % 3 == 1 ? x.y : x.z, 0.1 * v, TOL(1e-12, 1e-6));
        CHECK_NEAR(length(x), 0.1 * fabs(v), TOL(1e-12, 1e-6));
        sn_world_destroy(world);
    }
}

/*
 * A node on a spring behind an anchor that is led by targets at changing speed: the position obeys
 * (1 + w^2 h^2) x_{k+1} = 2 x_k - x_{k-1} + w^2 h^2 (a_{k+1} - 1), with the anchor a moving evenly
 * within a step. An anchor that jumped in the first substep would leave it by 1e-2 m.
 */
TEST(spring_behind_a_target_follows_the_exact_path) {
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_settings settings = eight_substeps(solver);
        settings.gravity = vector(0, 0, 0);
        sn_world *world = make_world(settings);
        sn_node anchor = add_pin(world, (vec){0, 0, 0});
        sn_node node = add_node(world, (vec){-1, 0, 0}, 1);
        double alpha = 1e-2, h = 1.0 / 480, k = h * h / alpha;
        add_link(world, anchor, node, 1, alpha);

        double a = 0, x = -1, before = -1, fastest = 0;
        for (int step = 0; step < 60; step++) {
            double target = a + 0.02 * sin(0.2 * step);
            CHECK_OK(sn_node_set_target(world, anchor, vector(target, 0, 0)));
            /* The library starts from the target as it could store it. */
            target = (double)(sn_real)target;
            for (int s = 1; s <= SUBSTEPS; s++) {
                double anchor_now = a + (target - a) * s / SUBSTEPS;
                double next = (2 * x - before + k * (anchor_now - 1)) / (1 + k);
                before = x;
                x = next;
            }
            a = target;
            advance(world, h, SUBSTEPS);
            /* Float: an ulp of a position (1.2e-7) a substep as a velocity error, divided by w. */
            CHECK_NEAR(position_of(world, node).x, x, TOL(1e-11, 2e-6));
            double exact_speed = (x - before) / h;
            CHECK_NEAR(velocity_of(world, node).x, exact_speed, TOL(1e-10, 2e-5));
            fastest = fmax(fastest, fabs(exact_speed));
        }
        /* The comparison means something: the node has been carried along. */
        CHECK(fastest > 0.5);
        sn_world_destroy(world);
    }
}

/* A teleport gives no velocity, to the node or to a constraint that lets it go. */
TEST(teleport_gives_no_velocity) {
    sn_settings settings = eight_substeps(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    sn_node node = add_node(world, (vec){0, 0, 0}, 1);
    CHECK_OK(sn_node_set_velocity(world, node, vector(0, 1, 0)));
    advance(world, 1.0 / 480, SUBSTEPS);
    CHECK_OK(sn_node_set_position(world, node, vector(100, 0, 0)));
    CHECK(position_of(world, node).x == 100);
    advance(world, 1.0 / 480, SUBSTEPS);
    CHECK(velocity_of(world, node).x == 0);
    CHECK_REL(velocity_of(world, node).y, 1, TOL(1e-12, 1e-5));
    CHECK_REL(position_of(world, node).y, 1.0 / 60, TOL(1e-12, 1e-5));
    CHECK(position_of(world, node).x == 100);
    sn_world_destroy(world);
}

/* A held node keeps its velocity; released it loses its target and falls. */
TEST(inverse_mass_can_change) {
    sn_world *world = make_world(eight_substeps(SN_SOLVER_COLOURED));
    sn_node node = add_node(world, (vec){0, 0, 0}, 1);
    CHECK_OK(sn_node_set_velocity(world, node, vector(1, 0, 0)));
    CHECK_OK(sn_node_set_inverse_mass(world, node, 0));
    advance(world, 1.0 / 480, 480);
    CHECK_REL(position_of(world, node).x, 1, TOL(1e-12, 1e-5));
    CHECK(position_of(world, node).y == 0);

    CHECK_OK(sn_node_set_target(world, node, vector(9, 9, 9)));
    CHECK_OK(sn_node_set_inverse_mass(world, node, 1));
    CHECK_OK(sn_node_set_velocity(world, node, vector(0, 0, 0)));
    advance(world, 1.0 / 480, 240);
    CHECK_REL(velocity_of(world, node).y, -GRAVITY / 2, TOL(1e-12, 1e-5));
    CHECK_REL(position_of(world, node).x, 1, TOL(1e-12, 1e-5));
    sn_world_destroy(world);
}

TESTS(RUN(target_is_reached_exactly_and_evenly), RUN(kinematic_velocity_is_kept),
      RUN(kinematic_nodes_go_along_every_axis), RUN(spring_behind_a_target_follows_the_exact_path),
      RUN(teleport_gives_no_velocity), RUN(inverse_mass_can_change))
