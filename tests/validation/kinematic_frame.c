/*
 * Kinematic frames: those with inverse inertia 0 go on with their angular velocity or turn to a
 * target, evenly over all substeps, and what hangs on them follows.
 */
#include "frame.h"

#include <math.h>

enum { SUBSTEPS = 8 };

static const double h = 1.0 / 480;

static sn_world *make_free_world(sn_solver solver, int substeps) {
    sn_settings settings = plain_settings(solver);
    settings.gravity = vector(0, 0, 0);
    settings.substeps = substeps;
    return make_world(settings);
}

static const char *name_of(sn_solver solver) {
    static const char *const names[] = {"coloured", "reference", "Jacobi", "averaged", "hybrid"};
    return names[solver];
}

/* A force field that adds nothing but writes down the orientation of a node at the beginning of
   every substep. */
typedef struct record {
    const sn_world *world;
    sn_node node;
    int count;
    quat seen[SUBSTEPS];
} record;

static void write_down(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)input, (void)acceleration;
    record *r = (record *)user;
    if (r->count < SUBSTEPS) r->seen[r->count++] = orientation_of(r->world, r->node);
}

/* Up to half a turn; the last one has no shorter way, so that any is right. */
TEST(target_is_reached_exactly_and_evenly) {
    static const double angles[] = {0.01, 1, 2.5, 3.1};
    quat start = turn((vec){1, 2, 3}, 0.7);
    vec axis = {2, -1, 0.5};
    for (sn_solver solver = SN_SOLVER_COLOURED; solver <= SN_SOLVER_HYBRID; solver++) {
        for (int i = 0; i < 4; i++) {
            check_case("%s, %g rad", name_of(solver), angles[i]);
            sn_world *world = make_free_world(solver, SUBSTEPS);
            sn_node node = add_fixed_frame(world, (vec){0, 0, 0}, start);
            quat end = product(turn(axis, angles[i]), start);
            record r = {.world = world, .node = node};
            CHECK_OK(sn_world_add_force_field(world, write_down, &r));
            CHECK_OK(sn_node_set_target_orientation(world, node, quaternion(end)));
            CHECK_NEAR(angle_between(orientation_of(world, node), start), 0, TOL(1e-15, 1e-6));
            advance(world, h, SUBSTEPS);
            if (CHECK(r.count == SUBSTEPS))
                for (int k = 0; k < SUBSTEPS; k++) {
                    quat expected = product(turn(axis, angles[i] * k / SUBSTEPS), start);
                    CHECK_NEAR(angle_between(r.seen[k], expected), 0, TOL(1e-12, 1e-5));
                }
            /* Exactly there: as a frame that was made like this. */
            sn_node twin = add_fixed_frame(world, (vec){0, 0, 0}, end);
            quat there = orientation_of(world, node), made = orientation_of(world, twin);
            CHECK(there.x == made.x && there.y == made.y && there.z == made.z && there.w == made.w);
            CHECK_REL(length(spin_of(world, node)), angles[i] / (SUBSTEPS * h), TOL(1e-9, 1e-4));

            /* It then stands still. */
            advance(world, h, SUBSTEPS);
            quat after = orientation_of(world, node);
            CHECK(after.x == made.x && after.y == made.y && after.z == made.z && after.w == made.w);
            CHECK(length(spin_of(world, node)) == 0);
            sn_world_destroy(world);
        }
    }
}

/* Half a turn has two ways of the same length; one of them is taken, evenly. */
TEST(half_a_turn_is_even) {
    sn_world *world = make_free_world(SN_SOLVER_COLOURED, SUBSTEPS);
    sn_node node = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    record r = {.world = world, .node = node};
    CHECK_OK(sn_world_add_force_field(world, write_down, &r));
    CHECK_OK(sn_node_set_target_orientation(world, node, (sn_quat){0, 0, 1, 0}));
    advance(world, h, SUBSTEPS);
    for (int k = 1; k < SUBSTEPS; k++) {
        check_case("substep %d", k);
        CHECK_NEAR(angle_between(r.seen[k - 1], r.seen[k]), PI / SUBSTEPS, TOL(1e-9, 1e-5));
    }
    CHECK(orientation_of(world, node).z == 1);
    sn_world_destroy(world);
}

/* By the shorter way, whichever of its two quaternions names the target. */
TEST(both_quaternions_mean_the_same_target) {
    for (int sign = -1; sign <= 1; sign += 2) {
        check_case("sign %d", sign);
        sn_world *world = make_free_world(SN_SOLVER_COLOURED, SUBSTEPS);
        sn_node node = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
        quat end = turn((vec){0, 1, 0}, 0.4);
        sn_quat target = quaternion((quat){sign * end.x, sign * end.y, sign * end.z, sign * end.w});
        record r = {.world = world, .node = node};
        CHECK_OK(sn_world_add_force_field(world, write_down, &r));
        CHECK_OK(sn_node_set_target_orientation(world, node, target));
        advance(world, h, SUBSTEPS);
        CHECK_NEAR(angle_between(r.seen[4], turn((vec){0, 1, 0}, 0.2)), 0, TOL(1e-12, 1e-5));
        CHECK_NEAR(angle_between(orientation_of(world, node), end), 0, TOL(1e-15, 1e-6));
        sn_world_destroy(world);
    }
}

/* A frame that nothing turns goes on with its angular velocity, damping or not; a target replaces
   it, and a velocity the target. */
TEST(kinematic_spin_is_kept) {
    sn_world *world = make_free_world(SN_SOLVER_COLOURED, SUBSTEPS);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.damping = 3;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_node node = add_fixed_frame(world, (vec){0, 0, 0}, turn((vec){1, 0, 0}, 1));
    vec spin = {0.5, -2, 1};
    set_spin(world, node, spin);
    CHECK_OK(sn_node_add_torque(world, node, vector(5, 5, 5)));
    advance(world, h, 480);
    CHECK_NEAR(length(sub(spin_of(world, node), spin)), 0, TOL(1e-11, 1e-5));
    quat expected = product(turn(spin, length(spin)), turn((vec){1, 0, 0}, 1));
    CHECK_NEAR(angle_between(orientation_of(world, node), expected), 0, TOL(1e-8, 1e-4));

    CHECK_OK(sn_node_set_target_orientation(world, node, quaternion(unturned)));
    advance(world, h, 2 * SUBSTEPS);
    CHECK(orientation_of(world, node).w == 1 && length(spin_of(world, node)) == 0);
    set_spin(world, node, spin);
    advance(world, h, SUBSTEPS);
    CHECK_REL(length(spin_of(world, node)), length(spin), TOL(1e-11, 1e-5));
    sn_world_destroy(world);
}

/* A frame that is joined to a kinematic one by a hard joint turns with it. */
TEST(joined_frame_follows) {
    for (sn_solver solver = SN_SOLVER_COLOURED; solver <= SN_SOLVER_HYBRID; solver++) {
        check_case("%s", name_of(solver));
        sn_world *world = make_free_world(solver, SUBSTEPS);
        sn_node leader = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
        sn_node follower =
            add_frame(world, (vec){0, 0, 0}, 1, turn((vec){0, 0, 1}, 0.3), (vec){0.1, 0.2, 0.15});
        sn_bend_twist_def joint = sn_bend_twist_def_default();
        joint.node[0] = leader;
        joint.node[1] = follower;
        sn_constraint constraint;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &joint, &constraint));
        for (int step = 1; step <= 60; step++) {
            quat target = turn((vec){0, 1, 0.5}, 0.05 * step);
            CHECK_OK(sn_node_set_target_orientation(world, leader, quaternion(target)));
            advance(world, h, SUBSTEPS);
            quat expected = product(target, turn((vec){0, 0, 1}, 0.3));
            CHECK_NEAR(angle_between(orientation_of(world, follower), expected), 0, 2e-3);
        }
        /* And comes to rest with it. */
        advance(world, h, 10 * SUBSTEPS);
        quat expected = product(turn((vec){0, 1, 0.5}, 3), turn((vec){0, 0, 1}, 0.3));
        CHECK_NEAR(angle_between(orientation_of(world, follower), expected), 0, TOL(1e-6, 1e-4));
        sn_world_destroy(world);
    }
}

TESTS(RUN(target_is_reached_exactly_and_evenly), RUN(half_a_turn_is_even),
      RUN(both_quaternions_mean_the_same_target), RUN(kinematic_spin_is_kept),
      RUN(joined_frame_follows))
