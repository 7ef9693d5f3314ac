/*
 * V53: the damping of constraints. Where something comes to rest does not depend on it, at any
 * number of substeps, and its vibrations decay as Kelvin and Voigt have it: the first mode of a bar
 * with zeta = tau omega / 2.
 */
#include "build.h"

#include <math.h>
#include <stdio.h>

/* ---- A bar of masses and springs ---- */

enum { MASSES = 20 };

/* A bar of 1 m that hangs along -y, E A = 1000 N, 1 kg. */
typedef struct bar {
    sn_world *world;
    sn_node node[MASSES + 1];
    double stiffness; /* N/m, of a link */
} bar;

static bar make_bar(sn_settings settings, double time) {
    bar b = {.world = make_world(settings), .stiffness = 1000.0 * MASSES};
    b.node[0] = add_pin(b.world, (vec){0, 0, 0});
    for (int i = 1; i <= MASSES; i++) {
        b.node[i] = add_node(b.world, (vec){0, -(double)i / MASSES, 0}, 1.0 / MASSES);
        sn_constraint link =
            add_link(b.world, b.node[i - 1], b.node[i], 1.0 / MASSES, 1 / b.stiffness);
        sn_real beta[3] = {(sn_real)(time * b.stiffness), 0, 0};
        REQUIRE_OK(sn_constraint_set_field(b.world, link, "damping", beta));
    }
    return b;
}

static double tip_of(const bar *b) {
    return position_of(b->world, b->node[MASSES]).y + 1;
}

/* Lets it swing out, with a world that takes the swing, and then by itself. */
static double resting_tip(sn_integrator integrator, sn_solver solver, int substeps, double time) {
    sn_settings settings = plain_settings(solver);
    settings.substeps = substeps;
    settings.integrator = integrator;
    settings.damping = 5;
    bar b = make_bar(settings, time);
    for (int frame = 0; frame < 600; frame++)
        REQUIRE_OK(sn_world_step(b.world, (sn_real)(1.0 / 60)));
    double tip = tip_of(&b);
    sn_world_destroy(b.world);
    return tip;
}

TEST(rest_does_not_depend_on_damping) {
    static const sn_solver solvers[] = {SN_SOLVER_COLOURED, SN_SOLVER_REFERENCE, SN_SOLVER_JACOBI};
    for (int i = 0; i < 2; i++)
        for (int s = 0; s < 3; s++)
            for (int substeps = 20; substeps <= 80; substeps *= 4) {
                sn_integrator integrator = i ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
                /* The short form has small substeps with one solver. */
                if (substeps > 20 && s > 0 && !check_long()) continue;
                double plain = resting_tip(integrator, solvers[s], substeps, 0);
                for (double time = 0.001; time < 0.1; time *= 20) {
                    double damped = resting_tip(integrator, solvers[s], substeps, time);
                    check_case("bdf%d, solver %d, %d substeps, %g s", i + 1, (int)solvers[s],
                               substeps, time);
                    CHECK_REL(damped, plain, 0.01);
                }
            }
}

/* The frequency and the damping of the first mode of the chain itself: it is fixed at one end, and
   sin((2 k - 1) q) with q = pi / (2 (2 N + 1)) is its shape. */
static double first_omega(const bar *b) {
    double q = PI / (2 * (2 * MASSES + 1));
    return 2 * sqrt(b->stiffness * MASSES) * sin(q);
}

/* zeta of what it does after it is let go in the shape of its first mode, looked at after so many
   substeps at a time; in twenty the dashpots have five turns. */
static double measured_zeta(sn_integrator integrator, int substeps, int at_once, double time,
                            double *wanted) {
    enum { FRAMES = 60 };
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.substeps = substeps;
    settings.integrator = integrator;
    settings.gravity = vector(0, 0, 0);
    bar b = make_bar(settings, time);
    for (int i = 1; i <= MASSES; i++) {
        double shape = sin(i * PI / (2 * MASSES + 1)), y = -(double)i / MASSES;
        REQUIRE_OK(sn_node_set_position(b.world, b.node[i], vector(0, y - 0.01 * shape, 0)));
    }
    double omega = first_omega(&b), h = 1.0 / 60 / substeps;
    *wanted = time * omega / 2;
    /* From the tip as it is let go to where it turns round. */
    double start = tip_of(&b), speed = 0;
    settings.substeps = at_once;
    REQUIRE_OK(sn_world_set_settings(b.world, &settings));
    for (int k = 0; k < FRAMES * substeps; k += at_once) {
        advance(b.world, h, (size_t)at_once);
        double now = velocity_of(b.world, b.node[MASSES]).y;
        if (speed > 0 && now < 0) break;
        speed = now;
    }
    double decrement = log(fabs(start / tip_of(&b))) / PI;
    sn_world_destroy(b.world);
    /* Half a period apart. */
    return decrement / sqrt(1 + decrement * decrement);
}

static void check_zeta(sn_integrator integrator, int substeps, int at_once, double time) {
    double wanted, none;
    double zeta = measured_zeta(integrator, substeps, at_once, time, &wanted);
    double plain = measured_zeta(integrator, substeps, at_once, 0, &none);
    check_case("bdf%d, %d substeps, %d at once, %g s", integrator + 1, substeps, at_once, time);
    /* What the integrator takes by itself is not the dashpots'. */
    printf("  bdf%d, %d substeps, %d at once, tau %g: zeta %.4f less %.4f for %.4f\n",
           integrator + 1, substeps, at_once, time, zeta, plain, wanted);
    CHECK_REL(zeta - plain, wanted, 0.1);
}

TEST(the_first_mode_decays_as_it_should) {
    for (int substeps = 80; substeps <= 320; substeps *= 4)
        for (int at_once = 1; at_once <= 20; at_once += 19)
            for (double time = 0.004; time < 0.03; time *= 5) {
                if (substeps > 80 && at_once == 1 && !check_long()) continue;
                check_zeta(SN_INTEGRATOR_BDF1, substeps, at_once, time);
                check_zeta(SN_INTEGRATOR_BDF2, substeps, at_once, time);
            }
}

/* ---- Momentum ---- */

TEST(dashpots_keep_both_momenta) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    sn_node a = add_node(world, (vec){0, 0, 0}, 1), b = add_node(world, (vec){1, 0, 0}, 2);
    sn_node c = add_node(world, (vec){0, 1, 0}, 3);
    sn_node node[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        sn_constraint link = add_link(world, node[i], node[(i + 1) % 3], 1.1, 1e-3);
        sn_real beta[3] = {20, 0, 0};
        REQUIRE_OK(sn_constraint_set_field(world, link, "damping", beta));
        REQUIRE_OK(sn_node_set_velocity(world, node[i], vector(i, 1 - i, 0.5 * i)));
    }
    sn_measure start = measure_of(world);
    advance(world, 1.0 / 4800, 4800);
    sn_measure end = measure_of(world);
    for (int k = 0; k < 3; k++) {
        /* In float, half an ulp of the velocities for each of six changes a substep. */
        CHECK_NEAR(end.momentum[k], start.momentum[k], TOL(1e-12, 6 * 4800 * 6e-8));
        /* Springs that turn lose some by themselves (V14), which the dashpots do not add to. */
        CHECK_NEAR(end.angular_momentum[k], start.angular_momentum[k], 0.02);
    }
    CHECK(end.kinetic_energy < start.kinetic_energy);
    sn_world_destroy(world);
}

/* A frame that turns about one of its axes alone, and a joint that takes its spin. */
TEST(what_turns_about_one_axis_is_damped) {
    for (int axis = 0; axis < 3; axis++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.gravity = vector(0, 0, 0);
        sn_world *world = make_world(settings);
        sn_bend_twist_def joint = sn_bend_twist_def_default();
        sn_constraint made;
        sn_node_def def = sn_node_def_default();
        sn_real free[3] = {0, 0, 0}, spin[3] = {0, 0, 0};
        def.oriented = true;
        def.inverse_mass = 0;
        def.inverse_inertia = vector(0, 0, 0);
        REQUIRE_OK(sn_node_create(world, &def, &joint.node[0]));
        free[axis] = 100;
        spin[axis] = 2;
        def.inverse_inertia = (sn_vec3){free[0], free[1], free[2]};
        def.angular_velocity = (sn_vec3){spin[0], spin[1], spin[2]};
        REQUIRE_OK(sn_node_create(world, &def, &joint.node[1]));
        joint.bend_stiffness_x = joint.bend_stiffness_y = joint.twist_stiffness = (sn_real)1e-3;
        joint.damping = 10;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &joint, &made));
        advance(world, 1.0 / 600, 60);
        CHECK_OK(sn_node_get(world, joint.node[1], &def));
        sn_vec3 now = def.angular_velocity;
        check_case("axis %d: %g %g %g", axis, (double)now.x, (double)now.y, (double)now.z);
        CHECK(fabs((double)now.x) + fabs((double)now.y) + fabs((double)now.z) < 0.02);
        sn_world_destroy(world);
    }
}

/* How far a node is along each axis that it was moved along, after it was let go: held by a spring
   to a point, or by the bending of a sheet around it. */
static vec swing(bool sheet, int axes, int normal) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    sn_constraint made;
    sn_node node[5] = {add_node(world, (vec){0, 0, 0}, 0.1)};
    if (sheet) {
        for (int i = 0; i < 4; i++) {
            double at[3] = {0, 0, 0};
            at[(normal + 1 + i % 2) % 3] = i < 2 ? 0.1 : -0.1;
            node[i + 1] = add_pin(world, (vec){at[0], at[1], at[2]});
        }
        sn_vertex_bending_def def = sn_vertex_bending_def_default();
        def.nodes = node;
        def.node_count = 5;
        def.compliance = 1;
        def.damping = (sn_real)0.02;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_VERTEX_BENDING, &def, &made));
    } else {
        sn_attachment_def def = sn_attachment_def_default();
        def.node[0] = node[0];
        def.compliance = (sn_real)1e-3;
        def.damping = 5;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ATTACHMENT, &def, &made));
    }
    double by[3] = {axes & 1 ? 0.01 : 0, axes & 2 ? 0.01 : 0, axes & 4 ? 0.01 : 0};
    REQUIRE_OK(sn_node_set_position(world, node[0], vector(by[0], by[1], by[2])));
    advance(world, 1.0 / 1200, 20);
    vec x = position_of(world, node[0]);
    sn_world_destroy(world);
    return x;
}

/* What is linear in places is damped alike along every axis, and along several at once. */
TEST(dashpots_know_no_axes) {
    for (int sheet = 0; sheet < 2; sheet++) {
        double one = swing(sheet, 1, 0).x;
        check_case("%s", sheet ? "sheet" : "spring");
        CHECK(one > -0.005 && one < 0.008);
        for (int k = 0; k < 21; k++) {
            int axes = 1 + k % 7;
            vec x = swing(sheet, axes, k / 7);
            check_case("%s along %d, normal %d", sheet ? "sheet" : "spring", axes, k / 7);
            CHECK_NEAR(x.x, axes & 1 ? one : 0, TOL(1e-12, 1e-7));
            CHECK_NEAR(x.y, axes & 2 ? one : 0, TOL(1e-12, 1e-7));
            CHECK_NEAR(x.z, axes & 4 ? one : 0, TOL(1e-12, 1e-7));
        }
    }
}

/* m/s, of the corner of a tet along y after a while, where a stiffness is that along x. */
static double braked_beside(double along) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    sn_strain_tet_def def = sn_strain_tet_def_default();
    sn_constraint made;
    def.node[0] = add_pin(world, (vec){0, 0, 0});
    def.node[1] = add_pin(world, (vec){1, 0, 0});
    def.node[2] = add_node(world, (vec){0, 1, 0}, 1);
    def.node[3] = add_pin(world, (vec){0, 0, 1});
    def.axis = vector(1, 0, 0);
    def.across = vector(0, 1, 0);
    def.stretch_stiffness = vector(along, 10, 10);
    def.shear_stiffness = vector(10, 10, 10);
    def.damping_time = (sn_real)0.1;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_STRAIN_TET, &def, &made));
    REQUIRE_OK(sn_node_set_velocity(world, def.node[2], vector(0, 0.1, 0)));
    advance(world, 1.0 / 1200, 1200);
    double speed = velocity_of(world, def.node[2]).y;
    sn_world_destroy(world);
    return speed;
}

/* One row with next to no stiffness, and so without a dashpot, leaves those of the others alone. */
TEST(rows_are_braked_each_by_itself) {
    double all = braked_beside(10), none = braked_beside(1e-30);
    if (check_shows()) printf("%g m/s, and %g m/s beside a row that is soft\n", all, none);
    CHECK_NEAR(none, all, 1e-6);
    CHECK(fabs(all) < 0.095);
}

/* A dashpot acts at the end of so many substeps at once: the most of 4, 3 and 2 that divide those
   of the step and leave five of it, or of each. Then it is an implicit step of that length: v falls
   by 1 + c n h / m. */
TEST(dashpots_act_five_times_in_a_step) {
    static const int every[][2] = {{1, 1},  {4, 1},  {5, 1},  {8, 1},  {9, 1},  {10, 2}, {12, 2},
                                   {14, 2}, {15, 3}, {16, 2}, {18, 3}, {19, 1}, {20, 4}, {21, 3},
                                   {22, 2}, {24, 4}, {25, 1}, {30, 3}, {35, 1}, {40, 4}};
    for (size_t i = 0; i < sizeof every / sizeof every[0]; i++) {
        const int substeps = every[i][0], n = every[i][1];
        const double c = 20, h = 1.0 / 60 / substeps;
        check_case("%d substeps", substeps);
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.substeps = substeps;
        settings.gravity = vector(0, 0, 0);
        sn_world *world = make_world(settings);
        sn_node pin = add_pin(world, (vec){0, 0, 0}), node = add_node(world, (vec){1, 0, 0}, 1);
        sn_constraint link = add_link(world, pin, node, 1, 1e6);
        sn_real beta[3] = {(sn_real)c, 0, 0};
        REQUIRE_OK(sn_constraint_set_field(world, link, "damping", beta));
        REQUIRE_OK(sn_node_set_velocity(world, node, vector(1, 0, 0)));
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        double v = 1, x = 1;
        for (int k = 1; k <= substeps; k++) {
            x += h * v;
            if (k % n == 0) v /= 1 + c * n * h;
        }
        CHECK_NEAR(velocity_of(world, node).x, v, 1e-5);
        CHECK_NEAR(position_of(world, node).x, x, 1e-6);
        sn_world_destroy(world);
    }
}

/* The model of 2007 has no dashpots: what its constraint leaves alone moves on. */
TEST(position_based_dynamics_has_no_dashpots) {
    for (int k = 0; k < 2; k++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.gravity = vector(0, 0, 0);
        settings.model = k ? SN_MODEL_PBD : SN_MODEL_XPBD;
        sn_world *world = make_world(settings);
        sn_node pin = add_pin(world, (vec){0, 0, 0}), node = add_node(world, (vec){1, 0, 0}, 1);
        sn_constraint link = add_link(world, pin, node, 1, 1e6);
        sn_real none[3] = {0}, beta[3] = {20, 0, 0};
        REQUIRE_OK(sn_constraint_set_field(world, link, "stiffness", none));
        REQUIRE_OK(sn_constraint_set_field(world, link, "damping", beta));
        REQUIRE_OK(sn_node_set_velocity(world, node, vector(1, 0, 0)));
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        check_case("model %d", k);
        CHECK_NEAR(velocity_of(world, node).x, k ? 1 : 0.75, k ? 1e-5 : 0.02);
        sn_world_destroy(world);
    }
}

TESTS(RUN(rows_are_braked_each_by_itself), RUN(dashpots_know_no_axes),
      RUN(what_turns_about_one_axis_is_damped), RUN(rest_does_not_depend_on_damping),
      RUN(the_first_mode_decays_as_it_should), RUN(dashpots_keep_both_momenta),
      RUN(dashpots_act_five_times_in_a_step), RUN(position_based_dynamics_has_no_dashpots))
