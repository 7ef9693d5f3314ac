/*
 * Trees of constraints that are solved at once: what Gauss-Seidel leaves of a hard chain is gone,
 * whatever hangs on it; and the answers of V09, V24, V25 and V27 come with substeps of 1/600 s.
 */
#include "rod.h"

#include <math.h>
#include <stdio.h>

enum { MAX_LINKS = 200 };

typedef struct chain {
    sn_world *world;
    int links;
    sn_node node[MAX_LINKS + 1];
    sn_constraint link[MAX_LINKS]; /* 0 is the one at the top */
} chain;

static sn_settings chain_settings(sn_solver solver, int substeps) {
    sn_settings settings = plain_settings(solver);
    settings.substeps = substeps;
    settings.damping = 20;
    return settings;
}

/* `links` nodes of 1 kg, the last of `tip` kg, in a line of 1 m along a direction from a fixed
   one. */
static chain make_chain(sn_settings settings, int links, double compliance, double tip, vec along) {
    chain c = {.world = make_world(settings), .links = links};
    double rest = 1.0 / links;
    for (int i = 0; i <= links; i++) {
        vec x = {along.x * i * rest, along.y * i * rest, along.z * i * rest};
        c.node[i] = i == 0 ? add_pin(c.world, x) : add_node(c.world, x, i == links ? tip : 1);
        if (i > 0) c.link[i - 1] = add_link(c.world, c.node[i - 1], c.node[i], rest, compliance);
    }
    return c;
}

static const vec down = {0, -1, 0};

/* The length of the chain along its links, less 1 m. */
static double stretch_of(const chain *c) {
    double sum = 0;
    for (int i = 0; i < c->links; i++)
        sum +=
            length(sub(position_of(c->world, c->node[i]), position_of(c->world, c->node[i + 1])));
    return sum - 1;
}

/* V08 has integers times g h^2 here: 799 for 40 links. What is left is a millionth of g h^2 times
   the masses below a link. */
TEST(a_hard_chain_does_not_stretch) {
    static const int lengths[] = {1, 2, 5, 40, 200};
    double h = 1.0 / 600;
    for (int i = 0; i < 5; i++) {
        int n = lengths[i];
        check_case("%d links", n);
        chain c = make_chain(chain_settings(SN_SOLVER_DIRECT, 10), n, 0, 1, down);
        advance(c.world, h, 1200);
        double left = 1e-6 * GRAVITY * h * h * n * (n + 1);
        CHECK(fabs(stretch_of(&c)) < left + TOL(1e-12, 3e-7));
        for (int k = 0; k < n; k++)
            CHECK_NEAR(force_of(c.world, c.link[k]), -(n - k) * GRAVITY,
                       n * GRAVITY * TOL(1e-5, 1e-4) + force_noise(1.0 / n, h, 1));
        sn_world_destroy(c.world);
    }
}

/* V09 without the numerical part, in one sweep. */
TEST(a_soft_chain_sags_by_its_compliance) {
    double alpha = 1e-4;
    int n = 5;
    double elastic = alpha * GRAVITY * n * (n + 1) / 2;
    for (int iterations = 1; iterations <= 3; iterations += 2) {
        check_case("%d iterations", iterations);
        sn_settings settings = chain_settings(SN_SOLVER_DIRECT, 20);
        settings.iterations = iterations;
        chain c = make_chain(settings, n, alpha, 1, down);
        advance(c.world, 1.0 / 1200, 4800);
        CHECK_NEAR(-1 - position_of(c.world, c.node[n]).y, elastic, TOL(1e-8, 4e-7));
        CHECK_REL(force_of(c.world, c.link[0]), -n * GRAVITY, TOL(1e-7, 1e-4));
        sn_world_destroy(c.world);
    }
}

/* Let go sideways, with a tip that weighs 1,000 and 50,000 times as much as a link: the largest
   stretch on the way. Gauss-Seidel with as many substeps makes it four times as long. */
typedef struct heavy_case {
    sn_solver solver;
    int substeps;
    bool levels; /* whether it has a hierarchy */
    double tip;  /* kg */
    double least, most;
} heavy_case;

static void add_levels(const chain *c) {
    sn_hierarchy_def def = sn_hierarchy_def_default();
    uint32_t edges[MAX_LINKS][2];
    sn_hierarchy made;
    for (int i = 0; i < c->links; i++) {
        edges[i][0] = (uint32_t)i;
        edges[i][1] = (uint32_t)i + 1;
    }
    def.nodes = c->node;
    def.node_count = (size_t)c->links + 1;
    def.edges = edges[0];
    def.edge_count = (size_t)c->links;
    REQUIRE_OK(sn_hierarchy_create(c->world, &def, &made));
}

static double worst_stretch(const heavy_case *heavy, double *time) {
    sn_settings settings = plain_settings(heavy->solver);
    settings.substeps = heavy->substeps;
    chain c = make_chain(settings, 50, 0, heavy->tip, (vec){0.8, -0.6, 0});
    double worst = 0;
    if (heavy->levels) add_levels(&c);
    *time = 0;
    for (int frame = 0; frame < 120; frame++) {
        sn_stats stats;
        advance(c.world, 1.0 / 60 / heavy->substeps, heavy->substeps);
        REQUIRE_OK(sn_world_stats(c.world, &stats));
        worst = fmax(worst, fabs(stretch_of(&c)));
        *time += stats.time_project / 120;
    }
    sn_world_destroy(c.world);
    return worst;
}

TEST(a_heavy_tip_does_not_stretch_a_chain) {
    static const heavy_case cases[] = {
        {SN_SOLVER_COLOURED, 10, false, 1000, 1, 10},
        {SN_SOLVER_COLOURED, 1000, false, 1000, 0, 0.001},
        {SN_SOLVER_COLOURED, 10, true, 1000, 0.001, 0.02},
        {SN_SOLVER_DIRECT, 1, false, 1000, 0, 0.002},
        {SN_SOLVER_DIRECT, 10, false, 1000, 0, 2e-5},
        {SN_SOLVER_COLOURED, 1000, false, 50000, 0.01, 1},
        {SN_SOLVER_DIRECT, 1, false, 50000, 0, 0.05},
        {SN_SOLVER_DIRECT, 10, false, 50000, 0, 0.001},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const heavy_case *c = &cases[i];
        double time, worst = worst_stretch(c, &time);
        check_case("%s%s, %d substeps, tip %g", solver_name(c->solver), c->levels ? ", levels" : "",
                   c->substeps, c->tip);
        CHECK(worst >= c->least && worst < c->most);
        if (check_shows())
            printf("%s%s, %d substeps, tip %g: %.2g of its length, %.2g ms a frame\n",
                   solver_name(c->solver), c->levels ? ", levels" : "", c->substeps, c->tip, worst,
                   1000 * time);
    }
}

/* A chain of 1 m between two pins that are 0.8 m apart hangs still and carries its weight at its
   ends. Between pins that are too far apart links share what is missing by the inverse masses of
   their nodes: all the same, and half of that at either end. */
TEST(both_ends_may_be_held) {
    enum { LINKS = 24 };
    for (int i = 0; i < 3; i++) {
        double apart = i == 0 ? 0.8 : i == 1 ? 1 : 1.1;
        check_case("%g m apart", apart);
        chain c = make_chain(chain_settings(SN_SOLVER_DIRECT, 10), LINKS, 0, 1, (vec){1, 0, 0});
        sn_node last = c.node[LINKS];
        REQUIRE_OK(sn_node_set_inverse_mass(c.world, last, 0));
        for (int k = 1; k <= 60; k++) {
            vec to = {1 + (apart - 1) * k / 60, 0, 0};
            REQUIRE_OK(sn_node_set_target(c.world, last, vector(to.x, to.y, to.z)));
            advance(c.world, 1.0 / 600, 10);
        }
        advance(c.world, 1.0 / 600, 6000);
        double longest = 0, shortest = 1;
        for (int k = 0; k < LINKS; k++) {
            double l =
                length(sub(position_of(c.world, c.node[k]), position_of(c.world, c.node[k + 1])));
            longest = fmax(longest, l);
            shortest = fmin(shortest, l);
        }
        double missing = fmax(apart - 1, 0) * LINKS / (LINKS - 1);
        CHECK_NEAR(longest * LINKS, 1 + missing, TOL(1e-5, 1e-4));
        CHECK_NEAR(shortest * LINKS, 1 + missing / 2, TOL(1e-5, 1e-4));
        if (i == 0) {
            vec a = sub(position_of(c.world, c.node[1]), position_of(c.world, c.node[0]));
            double carried = force_of(c.world, c.link[0]) * a.y / length(a);
            CHECK_REL(carried, (LINKS - 1) * GRAVITY / 2, TOL(1e-4, 1e-3));
        }
        sn_world_destroy(c.world);
    }
}

/* ---- Rods ---- */

static sn_settings rod_settings(double weight, double damping) {
    sn_settings settings = plain_settings(SN_SOLVER_DIRECT);
    settings.gravity = vector(0, -weight, 0);
    settings.substeps = 10;
    settings.damping = (sn_real)damping;
    return settings;
}

/* V24 and V25 with 600 substeps a second, where elastica.c needs 5,000 and 10,000. */
TEST(the_elastica_needs_no_short_substeps) {
    static const double known[][4] = {{2, 0, 0.493457, 0.839358},
                                      {10, 0, 0.810609, 0.445004},
                                      {0, 5, 0.495905, 0.846657},
                                      {0, 50, 0.907917, 0.245015}};
    for (int i = 0; i < 4; i++) {
        for (int segments = 20; segments <= 100; segments += 80) {
            check_case("load %g, weight %g, %d segments", known[i][0], known[i][1], segments);
            rod_def def = rod_def_default();
            def.segments = segments;
            def.inertia = 0.001 * segments;
            rod r = make_rod(rod_settings(known[i][1], 7), &def);
            for (int frame = 0; frame < 240; frame++) {
                if (known[i][0] > 0)
                    CHECK_OK(
                        sn_node_add_force(r.world, r.node[segments], vector(0, -known[i][0], 0)));
                advance(r.world, 1.0 / 600, 10);
            }
            vec x = position_of(r.world, r.node[segments]);
            CHECK_REL(-x.y, known[i][2], segments == 20 ? 0.02 : 0.005);
            CHECK_REL(x.x, known[i][3], segments == 20 ? 0.02 : 0.005);
            sn_world_destroy(r.world);
        }
    }
}

/* How far the end of 0.3 m of steel wire goes aside, over what a beam does: the compliance of its
   short segments is 2e-8 to 1e-6 of what their masses would let them give way in a substep. */
TEST(a_wire_is_as_stiff_as_its_material) {
    for (uint32_t segments = 20; segments <= 80; segments *= 2) {
        const double radius = 0.001, young = 2e11, length = 0.3, aside = 0.001;
        const double load = aside * 3 * young * PI * pow(radius, 4) / 4 / pow(length, 3);
        sn_settings settings = weightless_settings(SN_SOLVER_DIRECT);
        sn_rod_material wire = sn_rod_material_default();
        sn_build_def def = sn_build_def_default();
        sn_mesh mesh = sn_mesh_default();
        sn_node node[81], wall;
        sn_constraint joint;
        sn_build build;
        check_case("%d segments", (int)segments);
        settings.substeps = 4;
        settings.damping = 8;
        sn_world *world = make_world(settings);
        wire.radius = (sn_real)radius;
        wire.density = 7850;
        wire.young = (sn_real)young;
        def.mesh = &mesh;
        REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0), vector(length, 0, 0), segments));
        REQUIRE_OK(sn_build_body(world, SN_KIND_ROD, &wire, &def, node, &build));
        REQUIRE_OK(sn_rod_clamp(world, node[0], &wall, &joint));
        for (int frame = 0; frame < 120; frame++) {
            REQUIRE_OK(sn_node_add_force(world, node[segments], vector(0, -load, 0)));
            advance(world, 1.0 / 240, 4);
        }
        CHECK_REL(-position_of(world, node[segments]).y, aside, 0.003);
        sn_mesh_free(&mesh);
        sn_world_destroy(world);
    }
}

/* V27: curvature 10 and twist 3 at rest are a helix of radius 0.091743 m and pitch 0.172932 m. A
   whole turn of it, from a rod that was straight. */
TEST(a_rod_with_a_rest_curvature_becomes_a_helix) {
    rod_def def = rod_def_default();
    def.segments = 60;
    def.inertia = 0.01;
    def.curvature = 10;
    def.rest_twist = 3;
    def.clamped = false;
    double turn = 2 * PI / sqrt(109);
    def.length = turn;
    rod r = make_rod(rod_settings(0, 10), &def);
    advance(r.world, 1.0 / 600, 3000);
    vec ends = sub(position_of(r.world, r.node[60]), position_of(r.world, r.node[0]));
    vec half = sub(position_of(r.world, r.node[30]), position_of(r.world, r.node[0]));
    CHECK_REL(length(ends), 0.172932, 0.01);
    double across = sqrt(pow(2 * 0.091743, 2) + pow(0.172932 / 2, 2));
    CHECK_REL(length(half), across, 0.01);
    sn_world_destroy(r.world);
}

/* A free rod that is thrown and shaken. Momentum is kept to rounding times the condition of the
   blocks, and so is spin as far as frames that turn in a substep let it be. */
TEST(a_free_rod_keeps_its_momentum) {
    rod_def def = rod_def_default();
    def.clamped = false;
    def.segments = 12;
    rod r = make_rod(rod_settings(0, 0), &def);
    uint32_t seed = 5;
    for (int i = 0; i <= def.segments; i++)
        REQUIRE_OK(sn_node_set_velocity(r.world, r.node[i],
                                        vector(noise(&seed), noise(&seed), noise(&seed))));
    rod_motion before = rod_motion_of(&r);
    advance(r.world, 1.0 / 6000, 6000);
    rod_motion after = rod_motion_of(&r);
    CHECK(length(sub(after.momentum, before.momentum)) < TOL(1e-9, 1e-5));
    CHECK(length(sub(after.angular_momentum, before.angular_momentum)) < 2e-3);
    CHECK(length(before.angular_momentum) > 0.01);
    sn_world_destroy(r.world);
}

/* ---- Joints ---- */

/* Ten bars of 0.1 m on ball joints, let go sideways: how far apart the anchors of a joint come, at
   most. */
static double worst_gap(sn_solver solver) {
    enum { BARS = 10 };
    sn_settings settings = plain_settings(solver);
    settings.substeps = 10;
    sn_world *world = make_world(settings);
    quat upright = turn((vec){0, 1, 0}, 0);
    sn_node before = add_fixed_frame(world, (vec){-0.05, 0, 0}, upright);
    for (int i = 0; i < BARS; i++) {
        sn_ball_joint_def joint = sn_ball_joint_def_default();
        sn_constraint made;
        vec at = {0.05 + 0.1 * i, 0, 0};
        joint.node[0] = before;
        joint.node[1] = before = add_frame(world, at, 1, upright, (vec){1e-4, 8e-4, 8e-4});
        joint.anchor_0 = vector(0.05, 0, 0);
        joint.anchor_1 = vector(-0.05, 0, 0);
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BALL_JOINT, &joint, &made));
    }
    double worst = 0;
    for (int frame = 0; frame < 120; frame++) {
        advance(world, 1.0 / 600, 10);
        worst = fmax(worst, measure_of(world).residual_max);
    }
    sn_world_destroy(world);
    return worst;
}

TEST(bars_on_joints_hang_together) {
    double direct = worst_gap(SN_SOLVER_DIRECT), swept = worst_gap(SN_SOLVER_COLOURED);
    if (check_shows()) printf("gaps: direct %g m, swept %g m\n", direct, swept);
    CHECK(direct < 1e-3);
    CHECK(direct < 0.1 * swept);
}

/* A body whose inertia differs from axis to axis swings about each of them with its own period: a
   quarter of 2 pi sqrt((I + m d^2) / (m g d)) (1 + A^2 / 16) after it was let go. */
TEST(a_body_on_a_ball_joint_has_its_periods) {
    const double mass = 2, arm = 0.3, amplitude = 0.1, h = 1.0 / 2000;
    const double inertia[3] = {0.05, 0.12, 0.3};
    for (int about = 0; about < 3; about++) {
        check_case("about axis %d", about);
        double at[3] = {0}, g[3] = {0}, axis[3] = {0}, before = arm * sin(amplitude), time = 0;
        const int low = (about + 1) % 3, aside = (about + 2) % 3;
        axis[about] = 1;
        g[low] = 9.81;
        at[low] = arm * cos(amplitude);
        at[aside] = before;
        sn_settings settings = plain_settings(SN_SOLVER_DIRECT);
        settings.integrator = SN_INTEGRATOR_BDF2;
        settings.gravity = vector(g[0], g[1], g[2]);
        sn_world *world = make_world(settings);
        sn_ball_joint_def joint = sn_ball_joint_def_default();
        sn_constraint made;
        vec place = {at[0], at[1], at[2]}, along = {axis[0], axis[1], axis[2]};
        double own[3] = {0};
        own[low] = -arm;
        joint.node[0] = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
        joint.node[1] = add_frame(world, place, mass, turn(along, amplitude),
                                  (vec){inertia[0], inertia[1], inertia[2]});
        joint.anchor_1 = vector(own[0], own[1], own[2]);
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BALL_JOINT, &joint, &made));
        for (int k = 1; k < 2000 && before > 0; k++) {
            advance(world, h, 1);
            vec x = position_of(world, joint.node[1]);
            const double now[3] = {x.x, x.y, x.z};
            time = h * (k - now[aside] / (now[aside] - before));
            before = now[aside];
        }
        double whole =
            2 * 3.14159265358979 * sqrt((inertia[about] + mass * arm * arm) / (mass * 9.81 * arm));
        CHECK_REL(time, whole / 4 * (1 + amplitude * amplitude / 16), 1e-3);
        sn_world_destroy(world);
    }
}

TESTS(RUN(a_hard_chain_does_not_stretch), RUN(a_soft_chain_sags_by_its_compliance),
      RUN(a_heavy_tip_does_not_stretch_a_chain), RUN(both_ends_may_be_held),
      RUN(the_elastica_needs_no_short_substeps), RUN(a_wire_is_as_stiff_as_its_material),
      RUN(a_rod_with_a_rest_curvature_becomes_a_helix), RUN(a_free_rod_keeps_its_momentum),
      RUN(bars_on_joints_hang_together), RUN(a_body_on_a_ball_joint_has_its_periods))
