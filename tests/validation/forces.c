/*
 * Forces, impulses and force fields. A force acts over all substeps of one step and is then
 * forgotten; an impulse acts at once.
 */
#include "build.h"

#include <math.h>

static sn_settings weightless(int substeps) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    settings.substeps = substeps;
    return settings;
}

TEST(force_acts_over_one_step) {
    static const int substeps[] = {1, 4, 20};
    for (int i = 0; i < 3; i++) {
        check_case("%d substeps", substeps[i]);
        sn_world *world = make_world(weightless(substeps[i]));
        sn_node node = add_node(world, (vec){0, 0, 0}, 2);
        sn_node pin = add_pin(world, (vec){0, 0, 0});

        /* Two calls add up to (6, 0, -2) N. */
        CHECK_OK(sn_node_add_force(world, node, vector(4, 1, -2)));
        CHECK_OK(sn_node_add_force(world, node, vector(2, -1, 0)));
        CHECK_OK(sn_node_add_force(world, pin, vector(4, 1, -2)));
        double t = 0.1, h = t / substeps[i];
        advance(world, h, substeps[i]);
        vec x = position_of(world, node), v = velocity_of(world, node);
        CHECK_REL(v.x, 3 * t, TOL(1e-12, 1e-5));
        CHECK_REL(v.z, -1 * t, TOL(1e-12, 1e-5));
        CHECK_REL(x.x, 3 * t * (t + h) / 2, TOL(1e-12, 1e-5));
        CHECK_REL(x.z, -1 * t * (t + h) / 2, TOL(1e-12, 1e-5));
        CHECK(x.y == 0 && v.y == 0);
        CHECK(length(position_of(world, pin)) == 0 && length(velocity_of(world, pin)) == 0);

        /* The next step is without it. */
        advance(world, h, substeps[i]);
        CHECK_REL(velocity_of(world, node).x, 3 * t, TOL(1e-12, 1e-5));
        CHECK_REL(position_of(world, node).x, 3 * t * (t + h) / 2 + 3 * t * t, TOL(1e-12, 1e-5));
        sn_world_destroy(world);
    }
}

/* A force given before dt = 0 still waits for the next step that takes time. */
TEST(force_survives_a_step_of_no_time) {
    sn_world *world = make_world(weightless(4));
    sn_node node = add_node(world, (vec){0, 0, 0}, 2);
    CHECK_OK(sn_node_add_force(world, node, vector(4, 0, 0)));
    CHECK_OK(sn_world_step(world, 0));
    CHECK(velocity_of(world, node).x == 0);
    advance(world, 0.025, 4);
    CHECK_REL(velocity_of(world, node).x, 0.2, TOL(1e-12, 1e-5));
    sn_world_destroy(world);
}

TEST(impulse_acts_at_once) {
    sn_world *world = make_world(weightless(5));
    sn_node node = add_node(world, (vec){0, 0, 0}, 4);
    sn_node pin = add_pin(world, (vec){0, 0, 0});
    CHECK_OK(sn_node_set_velocity(world, node, vector(1, 0, 0)));
    CHECK_OK(sn_node_apply_impulse(world, node, vector(2, -8, 0)));
    CHECK_OK(sn_node_apply_impulse(world, pin, vector(2, -8, 0)));
    vec v = velocity_of(world, node);
    CHECK(v.x == 1.5 && v.y == -2 && v.z == 0);
    CHECK(length(position_of(world, node)) == 0);

    advance(world, 0.02, 5);
    CHECK_REL(position_of(world, node).x, 0.15, TOL(1e-14, 1e-6));
    CHECK_REL(position_of(world, node).y, -0.2, TOL(1e-14, 1e-6));
    CHECK(length(position_of(world, pin)) == 0);
    sn_world_destroy(world);
}

/* Attracts every node to the origin with w^2 = 25 1/s^2 and counts how often it is asked. */
static void attract(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    int *calls = (int *)user;
    (*calls)++;
    for (size_t i = 0; i < input->count; i++) {
        acceleration[i].x -= 25 * input->position[i].x;
        acceleration[i].y -= 25 * input->position[i].y;
        acceleration[i].z -= 25 * input->position[i].z;
    }
}

/* A field sees the substep's own positions: the orbit is then that of symplectic Euler, which
   x_{k+1} - 2 x_k + x_{k-1} = -w^2 h^2 x_k describes exactly. */
TEST(force_field_is_symplectic) {
    double h = 1.0 / 1200;
    int calls = 0;
    sn_world *world = make_world(weightless(10));
    sn_node node = add_node(world, (vec){1, 0, 0}, 3);
    sn_node pin = add_pin(world, (vec){1, 0, 0});
    CHECK_OK(sn_world_add_force_field(world, attract, &calls));
    double x = 1, before = 1;
    for (int k = 0; k < 1200; k++) {
        double next = 2 * x - before - 25 * h * h * x;
        before = x;
        x = next;
    }
    advance(world, h, 1200);
    CHECK(calls == 1200);
    /* In float an ulp of the position (1.2e-7) may be lost a substep; a walk of 1200 of them. */
    CHECK_NEAR(position_of(world, node).x, x, TOL(1e-11, 1e-5));
    CHECK(position_of(world, pin).x == 1);

    CHECK_OK(sn_world_remove_force_field(world, attract, &calls));
    vec v = velocity_of(world, node);
    advance(world, h, 10);
    CHECK(calls == 1200);
    CHECK_NEAR(length(sub(velocity_of(world, node), v)), 0, TOL(1e-14, 1e-5));
    sn_world_destroy(world);
}

/* A spring of 5 rad/s, and a force across the velocity as that of a magnet, 4 rad/s: BDF2 goes
   round with an error of second order, and gains nothing. */
static void deflect(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    int *calls = (int *)user;
    (*calls)++;
    for (size_t i = 0; i < input->count; i++) {
        acceleration[i].x += 4 * input->velocity[i].z;
        acceleration[i].z -= 4 * input->velocity[i].x;
    }
}

TEST(force_fields_are_of_second_order_with_bdf2) {
    sn_force_field *const field[] = {attract, deflect};
    const double omega[] = {5, 4};
    for (int f = 0; f < 2; f++) {
        double error[2], gained[2];
        for (int fine = 0; fine < 2; fine++) {
            int calls = 0;
            sn_settings settings = weightless(20);
            settings.integrator = SN_INTEGRATOR_BDF2;
            sn_world *world = make_world(settings);
            sn_node node = add_node(world, (vec){1, 0, 0}, 3);
            REQUIRE_OK(sn_node_set_velocity(world, node, vector(0, 0, omega[f])));
            CHECK_OK(sn_world_add_force_field(world, field[f], &calls));
            advance(world, 1.0 / (fine ? 2400 : 1200), fine ? 4800 : 2400);
            /* Around the origin, or around (2, 0, 0), the other way. */
            double angle = 2 * omega[f];
            vec at =
                f == 0 ? (vec){cos(angle), 0, sin(angle)} : (vec){2 - cos(angle), 0, sin(angle)};
            error[fine] = length(sub(position_of(world, node), at));
            gained[fine] = length(velocity_of(world, node)) / omega[f] - 1;
            sn_world_destroy(world);
        }
        check_case("field %d", f);
        CHECK_NEAR(error[0], 0, 2e-4);
        CHECK_NEAR(gained[0], 0, 5e-5);
        if (sizeof(sn_real) == 8) CHECK_NEAR(log2(error[0] / error[1]), 2, 0.1);
    }
}

/* With nothing to push, a field is still asked, and has a place to write to. */
static void look(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    int *calls = (int *)user;
    (*calls)++;
    CHECK(input->count == 0 && input->position && input->velocity && acceleration);
    for (size_t i = 0; i < input->count; i++) acceleration[i].x += 1;
}

TEST(force_field_in_an_empty_world) {
    int calls = 0;
    sn_world *world = make_world(weightless(10));
    CHECK_OK(sn_world_add_force_field(world, look, &calls));
    CHECK_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    CHECK(calls == 10);
    sn_world_destroy(world);
}

/* ---- Forces of constraints ---- */

/* Whether they are kept for reading makes no difference to the motion, however often the links of a
   soft chain are swept. */
TEST(keeping_forces_changes_no_motion) {
    FOR_BOTH_SOLVERS(solver) {
        for (int iterations = 1; iterations <= 8; iterations += 7) {
            vec end[2];
            for (int keep = 0; keep < 2; keep++) {
                sn_settings settings = plain_settings(solver);
                settings.iterations = iterations;
                settings.keep_forces = keep;
                sn_world *world = make_world(settings);
                sn_node last = add_pin(world, (vec){0, 0, 0});
                for (int i = 1; i <= 5; i++) {
                    sn_node next = add_node(world, (vec){0.1 * i, 0, 0}, 1);
                    add_link(world, last, next, 0.1, 1e-3);
                    last = next;
                }
                advance(world, 1.0 / 60, 30);
                end[keep] = position_of(world, last);
                sn_world_destroy(world);
            }
            check_case("%s, %d iterations", solver_name(solver), iterations);
            CHECK(end[0].x == end[1].x && end[0].y == end[1].y);
        }
    }
}

/* A bead on a wire: the force is m (v^2 / r + g cos), also where substeps are so short that the
   rounding of a length would be more than that; and beside it a weight, held by another type. */
TEST(forces_are_right_in_short_substeps) {
    static const int substeps[] = {40, 167, 333};
    for (int i = 0; i < 3; i++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.substeps = substeps[i];
        sn_world *world = make_world(settings);
        sn_node pin = add_pin(world, (vec){0, 0, 0}), bead = add_node(world, (vec){1, 0, 0}, 1);
        sn_constraint wire = add_link(world, pin, bead, 1, 0), hook;
        sn_attachment_def held = sn_attachment_def_default();
        held.node[0] = add_node(world, (vec){3, 0, 0}, 5);
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ATTACHMENT, &held, &hook));
        double squares = 0, count = 0;
        for (int frame = 0; frame < 60; frame++) {
            REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
            if (frame < 20) continue;
            vec x = position_of(world, bead), v = velocity_of(world, bead);
            double exact = length(v) * length(v) / length(x) - GRAVITY * x.y / length(x);
            squares += pow(-force_of(world, wire) / exact - 1, 2);
            count++;
        }
        sn_real force[SN_MAX_ROWS] = {0};
        REQUIRE_OK(sn_constraint_force(world, hook, force));
        check_case("%d substeps", substeps[i]);
        CHECK_NEAR(sqrt(squares / count), 0, 2e-3);
        CHECK_REL(fabs((double)force[1]), 5 * GRAVITY, 2e-3);
        sn_world_destroy(world);
    }
}

TESTS(RUN(forces_are_right_in_short_substeps), RUN(force_acts_over_one_step),
      RUN(force_survives_a_step_of_no_time), RUN(impulse_acts_at_once),
      RUN(force_field_is_symplectic), RUN(force_fields_are_of_second_order_with_bdf2),
      RUN(force_field_in_an_empty_world), RUN(keeping_forces_changes_no_motion))
