/*
 * V28: where rods buckle. A column and a strip on edge under their own weight or a load, and a
 * ring that was closed with a twist, each 10 % below and above its limit, with a small disturbance.
 * And what a long rod becomes that was twisted and is then slack.
 */
#include "validation/build.h"

#include <math.h>
#include <stdio.h>

enum { SEGMENTS = 24, RING = 24 };

typedef struct beam {
    sn_world *world;
    sn_node node[SEGMENTS + 1];
} beam;

/* How a rod is solved, and substeps that are short enough for it: what a sweep carries of a moment
   goes with h^2 over the fourth power of a segment. */
typedef struct way {
    const char *name;
    sn_solver solver;
    sn_body_solver of_body;
    int segments, substeps, iterations;
} way;

static const way direct = {"direct", SN_SOLVER_DIRECT, SN_BODY_SOLVER_WORLD, SEGMENTS, 10, 1};
static const way ways[] = {
    {"direct", SN_SOLVER_DIRECT, SN_BODY_SOLVER_WORLD, SEGMENTS, 10, 1},
    {"sweeps", SN_SOLVER_COLOURED, SN_BODY_SOLVER_WORLD, 10, 160, 1},
    {"closed form", SN_SOLVER_COLOURED, SN_BODY_SOLVER_CLOSED_FORM, 10, 20, 2}};

static beam make_beam(const way *w, const sn_rod_material *m, vec along, double length,
                      double damping, double gravity) {
    beam b;
    sn_settings settings = plain_settings(w->solver);
    sn_mesh mesh = sn_mesh_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    sn_node wall;
    sn_constraint joint;
    settings.substeps = w->substeps;
    settings.iterations = w->iterations;
    settings.damping = (sn_real)damping;
    settings.gravity = vector(0, -gravity, 0);
    b.world = make_world(settings);
    REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0),
                                vector(along.x * length, along.y * length, along.z * length),
                                (uint32_t)w->segments));
    def.mesh = &mesh;
    def.body.solver = w->of_body;
    REQUIRE_OK(sn_build_body(b.world, SN_KIND_ROD, m, &def, b.node, &build));
    REQUIRE_OK(sn_rod_clamp(b.world, b.node[0], &wall, &joint));
    sn_mesh_free(&mesh);
    return b;
}

/* The rod of V28: E = 1e6 Pa, 5 mm, 1000 kg/m^3. Poisson's ratio is 0, for which frames in closed
   form have the twist of the others. */
static sn_rod_material column_material(void) {
    sn_rod_material m = sn_rod_material_default();
    m.radius = (sn_real)0.005;
    m.young = (sn_real)1e6;
    m.density = (sn_real)1000;
    m.poisson = 0;
    return m;
}

/* Seconds of steps of 1/60 s with a force on the tip; how far it is aside then. */
static double stand(const beam *b, const way *w, double force, int seconds) {
    sn_node tip = b->node[w->segments];
    REQUIRE_OK(sn_node_set_velocity(b->world, tip, vector(0.02, 0, 0)));
    for (int i = 0; i < 60 * seconds; i++) {
        if (force > 0) REQUIRE_OK(sn_node_add_force(b->world, tip, vector(0, -force, 0)));
        advance(b->world, 1.0 / (60 * w->substeps), w->substeps);
    }
    return fabs(position_of(b->world, tip).x);
}

/* Greenhill 1881: such a column stands up to (7.8373 E I / rho A g)^(1/3) = 0.1709 m. */
TEST(a_column_falls_under_its_weight) {
    sn_rod_material m = column_material();
    double limit = cbrt(7.8373 * 1e6 * 0.005 * 0.005 / (4 * 1000 * GRAVITY));
    CHECK_NEAR(limit, 0.1709, 1e-4);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        for (int i = 0; i < 2; i++) {
            double length = (i == 0 ? 0.9 : 1.1) * limit;
            beam b = make_beam(&ways[k], &m, (vec){0, 1, 0}, length, 4, GRAVITY);
            double aside = stand(&b, &ways[k], 0, 5) / length;
            check_case("%s, %g of its limit", ways[k].name, length / limit);
            if (check_shows())
                printf("%s, column of %.2f: %.4f of its length\n", ways[k].name, length / limit,
                       aside);
            CHECK(i == 0 ? aside < 0.01 : aside > 0.2);
            sn_world_destroy(b.world);
        }
}

/* Euler 1744: a column that is clamped at its foot carries pi^2 E I / 4 L^2. */
TEST(a_column_gives_way_to_a_load) {
    sn_rod_material m = column_material();
    double length = 0.2, limit = PI * PI * 1e6 * PI * pow(0.005, 4) / 4 / (4 * length * length);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        for (int i = 0; i < 2; i++) {
            double load = (i == 0 ? 0.9 : 1.1) * limit;
            beam b = make_beam(&ways[k], &m, (vec){0, 1, 0}, length, 4, 0);
            double aside = stand(&b, &ways[k], load, 6) / length;
            check_case("%s, %g of its limit", ways[k].name, load / limit);
            if (check_shows())
                printf("%s, load of %.2f: %.4f of its length\n", ways[k].name, load / limit, aside);
            CHECK(i == 0 ? aside < 0.02 : aside > 0.2);
            sn_world_destroy(b.world);
        }
}

/* Timoshenko and Gere 1961, section 6.3: a strip on edge that is clamped at one end turns over
   where w L^3 of its weight is 12.85 sqrt(E I_y G J), or P L^2 of a load at its end 4.013 times
   that. */
static void turn_over(bool loaded) {
    double E = 1e8, width = 0.002, height = 0.02, rho = 1000, L = 0.5;
    double second = height * pow(width, 3) / 12, flat = width / height;
    double torsion = height * pow(width, 3) * (1.0 / 3 - 0.21 * flat * (1 - pow(flat, 4) / 12));
    double stiffness = sqrt(E * second * (E / 2.6) * torsion);
    double limit = loaded ? 4.013 * stiffness / pow(L, 2) : 12.85 * stiffness / pow(L, 3);
    for (int i = 0; i < 2; i++) {
        double weight = (i == 0 ? 0.9 : 1.1) * limit;
        sn_rod_material m = sn_rod_material_default();
        m.section = 2;
        m.width = (sn_real)width;
        m.height = (sn_real)height;
        m.young = (sn_real)E;
        m.density = (sn_real)rho;
        beam b = make_beam(&direct, &m, (vec){1, 0, 0}, L, 3,
                           loaded ? 0 : weight / (rho * width * height));
        sn_node tip = b.node[SEGMENTS];
        REQUIRE_OK(sn_node_set_velocity(b.world, tip, vector(0, 0, 0.02)));
        for (int step = 0; step < 1200; step++) {
            if (loaded) REQUIRE_OK(sn_node_add_force(b.world, tip, vector(0, -weight, 0)));
            advance(b.world, 1.0 / 600, 10);
        }
        vec x = position_of(b.world, tip);
        check_case("%g of its limit", weight / limit);
        if (check_shows()) printf("strip of %.2f: %.4f of its length\n", weight / limit, x.z / L);
        CHECK(i == 0 ? fabs(x.z) < 0.01 * L : fabs(x.z) > 0.05 * L);
        sn_world_destroy(b.world);
    }
}

TEST(a_strip_on_edge_turns_over) {
    turn_over(false);
    turn_over(true);
}

/*
 * Michell 1889, and Goriely 2006: a rod that is straight at rest, bent to a ring and closed with a
 * twist, leaves its plane where the twist is 2 pi sqrt(3) E I / G J. Here joints are turned by the
 * twist at rest, the other way, in a ring whose frames close without one. How far it is out of its
 * plane at most within 40 s, of its radius: it becomes an eight, passes through itself, which takes
 * two turns of its twist, and may lie flat again in the end.
 */
static double leaves_its_plane(double part, double h) {
    double R = 0.2, nu = 0.5, most = 0;
    sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
    sn_mesh mesh = sn_mesh_default();
    sn_build_def def = sn_build_def_default();
    sn_rod_material m = sn_rod_material_default();
    sn_build build;
    sn_node node[RING];
    size_t joints;
    settings.substeps = 10;
    settings.damping = (sn_real)0.5;
    sn_world *world = make_world(settings);
    REQUIRE_OK(sn_generate_ring(&mesh, (sn_real)R, RING));
    def.mesh = &mesh;
    m.young = (sn_real)1e6;
    m.poisson = (sn_real)nu;
    REQUIRE_OK(sn_build_body(world, SN_KIND_ROD, &m, &def, node, &build));
    sn_mesh_free(&mesh);
    double twist = part * 2 * PI * sqrt(3) * (1 + nu) / RING, l = 2 * R * sin(PI / RING);
    sn_real rest[3] = {0, 0, (sn_real)(-2 / l * sin(twist / 2))};
    REQUIRE_OK(
        sn_body_set_field(world, build.body, SN_TYPE_BEND_TWIST, "rest_darboux", rest, &joints));
    CHECK(joints == RING);
    for (int i = 0; i < RING; i++)
        REQUIRE_OK(
            sn_node_set_velocity(world, node[i], vector(0, 0.002 * cos(4 * PI * i / RING), 0)));
    for (int k = 0; k < (int)(40 / h) / 100 && most < 0.1 * R; k++) {
        advance(world, h, 100);
        for (int i = 0; i < RING; i++) most = fmax(most, fabs(position_of(world, node[i]).y));
    }
    sn_world_destroy(world);
    return most / R;
}

/* The energy of 24 segments has a second derivative that is negative from 1.0138 of the limit on.
   A sweep of a substep carries only a part of a twist that is in equilibrium with itself, 1 over
   1 + (c h / l)^2 with the speed c of its waves and more where stretch and shear are as stiff, so
   that what leaves its plane at 1.05 of the limit with 2,400 substeps a second does so at 2.5 of it
   with 600. */
TEST(a_twisted_ring_leaves_its_plane) {
    double below = leaves_its_plane(0.9, 1.0 / 2400), above = leaves_its_plane(1.1, 1.0 / 2400);
    if (check_shows()) printf("ring at 0.9 and 1.1: %.4f and %.4f of its radius\n", below, above);
    CHECK(below < 0.02);
    CHECK(above > 0.1);
    for (int rate = 600; check_shows() && rate <= 4800; rate *= 2) {
        double low = 0.5, high = 4;
        for (int i = 0; i < 7; i++) {
            double part = (low + high) / 2;
            *(leaves_its_plane(part, 1.0 / rate) < 0.1 ? &low : &high) = part;
        }
        printf("ring with %d substeps a second: %.2f\n", rate, low);
    }
}

/*
 * Coyne 1990, van der Heijden and Thompson 2000: a long straight rod that is twisted and then slack
 * becomes a helix in one place, with a tilt against its axis of 1 - cos = (2 - m^2 / 2 t)
 * sech^2(sqrt(t - m^2 / 4) s / L), where m B / L is the moment and t B / L^2 the tension.
 */
enum { MOST = 400 };

typedef struct slack_rod {
    sn_world *world;
    sn_body body;
    int segments;
    sn_node node[MOST + 1], wall;
    sn_constraint clamp, segment; /* the first ones */
} slack_rod;

static const double slack_length = 100, slack_bend = 1.345, slack_twist = 0.789;

/* 1 kg/m, and so thin that it hardly stretches. No Poisson's ratio of a material twists as softly
   as that. */
static slack_rod make_slack_rod(int segments) {
    slack_rod rod = {.segments = segments};
    double r = 0.02, L = slack_length;
    sn_settings settings = weightless_settings(SN_SOLVER_DIRECT);
    sn_mesh mesh = sn_mesh_default();
    sn_build_def def = sn_build_def_default();
    sn_rod_material m = sn_rod_material_default();
    sn_build build;
    sn_constraint joint;
    sn_type type = SN_TYPE_COUNT;
    size_t joints;
    settings.substeps = 10;
    settings.damping = (sn_real)0.1;
    settings.keep_forces = true;
    rod.world = make_world(settings);
    REQUIRE_OK(
        sn_generate_rope(&mesh, vector(-L / 2, 0, 0), vector(L / 2, 0, 0), (uint32_t)segments));
    m.radius = (sn_real)r;
    m.density = (sn_real)(1 / (PI * r * r));
    m.young = (sn_real)(4 * slack_bend / (PI * pow(r, 4)));
    def.mesh = &mesh;
    REQUIRE_OK(sn_build_body(rod.world, SN_KIND_ROD, &m, &def, rod.node, &build));
    sn_mesh_free(&mesh);
    rod.body = build.body;
    REQUIRE_OK(sn_rod_clamp(rod.world, rod.node[0], &rod.wall, &rod.clamp));
    REQUIRE_OK(sn_rod_clamp(rod.world, rod.node[segments], &rod.wall, &joint));
    sn_real twist[3] = {(sn_real)slack_twist};
    REQUIRE_OK(sn_body_set_field(rod.world, rod.body, SN_TYPE_BEND_TWIST, "twist_stiffness", twist,
                                 &joints));
    CHECK((int)joints == segments + 1);
    for (size_t i = 0; type != SN_TYPE_STRETCH_SHEAR; i++) {
        REQUIRE_OK(sn_world_constraint_at(rod.world, i, &rod.segment));
        REQUIRE_OK(sn_constraint_get_type(rod.world, rod.segment, &type));
    }
    return rod;
}

/* By its last end, in 100 s, or by a twist of all joints at rest the other way: a round rod does
   not know how its frames are turned about its axis, and angles between them stay small so. */
static void twist_slack_rod(const slack_rod *rod, bool by_its_end, double turns, double h) {
    double angle = 2 * PI * turns, time = 100;
    sn_real rest[3] = {0, 0, (sn_real)(-angle / slack_length)};
    if (!by_its_end) {
        REQUIRE_OK(sn_body_set_field(rod->world, rod->body, SN_TYPE_BEND_TWIST, "rest_darboux",
                                     rest, NULL));
        return;
    }
    REQUIRE_OK(sn_node_set_angular_velocity(rod->world, rod->wall, vector(angle / time, 0, 0)));
    advance(rod->world, h, (int)lround(time / h));
    REQUIRE_OK(sn_node_set_angular_velocity(rod->world, rod->wall, vector(0, 0, 0)));
}

static void move_ends(const slack_rod *rod, double speed, double time, double h) {
    REQUIRE_OK(sn_node_set_velocity(rod->world, rod->node[0], vector(speed, 0, 0)));
    REQUIRE_OK(sn_node_set_velocity(rod->world, rod->node[rod->segments], vector(-speed, 0, 0)));
    advance(rod->world, h, (int)lround(time / h));
}

/* What a constraint of three rows does to the place or frame `k` of its `count` ones. */
static vec reaction_of(const slack_rod *rod, sn_constraint constraint, int k, int count) {
    sn_real force[SN_MAX_ROWS] = {0}, value[SN_MAX_ROWS];
    sn_vec3 gradient[3 * 4];
    vec sum = {0, 0, 0};
    REQUIRE_OK(sn_constraint_force(rod->world, constraint, force));
    REQUIRE_OK(sn_constraint_evaluate(rod->world, constraint, value, gradient));
    for (int row = 0; row < 3; row++) {
        sn_vec3 g = gradient[row * count + k];
        sum.x += (double)force[row] * (double)g.x;
        sum.y += (double)force[row] * (double)g.y;
        sum.z += (double)force[row] * (double)g.z;
    }
    return sum;
}

/* 1 - cos of every segment, and where their middle is, in m from the first end. */
static double tilts_of(const slack_rod *rod, double *tilt) {
    double sum = 0, first = 0;
    for (int i = 0; i < rod->segments; i++) {
        vec a = position_of(rod->world, rod->node[i]),
            b = position_of(rod->world, rod->node[i + 1]);
        tilt[i] = 1 - (b.x - a.x) / length(sub(b, a));
        sum += tilt[i];
        first += tilt[i] * (i + 0.5) * slack_length / rod->segments;
    }
    return first / sum;
}

/* 27 turns and a slack of 3 % make m and t what they are. A small push says where it gives way.
   What is off goes with 1 / n^2; of the moment of a rod that its end turned it is 1 - sin a / a,
   with an angle a of 0.42 rad of each of 400 joints. */
static void localise(int segments, bool by_its_end, double h) {
    double m = 98.5415, t = 2900.99, L = slack_length, l = L / segments, tilt[MOST];
    double off = 0, all = 0, most = 0;
    slack_rod rod = make_slack_rod(segments);
    check_case("%d segments%s", segments, by_its_end ? ", turned by its end" : "");
    twist_slack_rod(&rod, by_its_end, 27, h);
    REQUIRE_OK(sn_node_set_velocity(rod.world, rod.node[segments / 2], vector(0, 0.01, 0)));
    move_ends(&rod, 0.015 * L / 100, 100, h);
    move_ends(&rod, 0, 200, h);
    double middle = tilts_of(&rod, tilt);
    for (int i = 0; i < segments; i++) {
        double s = ((i + 0.5) * l - middle) / L;
        double known = (2 - m * m / (2 * t)) / pow(cosh(sqrt(t - m * m / 4) * s), 2);
        off += pow(tilt[i] - known, 2);
        all += known * known;
        most = fmax(most, tilt[i]);
    }
    double error = sqrt(off / all);
    /* About the axis of the first wall, and along it at the first node. */
    double moment = fabs(reaction_of(&rod, rod.clamp, 2, 4).z) * L / slack_bend;
    double tension = fabs(reaction_of(&rod, rod.segment, 0, 3).x) * L * L / slack_bend;
    if (check_shows())
        printf("%d segments: off by %.4f, middle at %.2f, tilt %.4f, moment %.4f, tension %.2f\n",
               segments, error, middle, most, moment, tension);
    CHECK(error < 0.02);
    CHECK_REL(most, 2 - m * m / (2 * t), 0.05);
    CHECK_REL(moment, m, 0.05);
    CHECK_REL(tension, t, 0.05);
    sn_world_destroy(rod.world);
}

TEST(a_twisted_rod_that_is_slack_becomes_a_helix_in_one_place) {
    localise(100, false, 0.2);
    if (!check_long()) return;
    localise(200, false, 0.1);
    localise(400, true, 0.1);
}

TESTS(RUN(a_column_falls_under_its_weight), RUN(a_column_gives_way_to_a_load),
      RUN(a_strip_on_edge_turns_over), RUN(a_twisted_ring_leaves_its_plane),
      RUN(a_twisted_rod_that_is_slack_becomes_a_helix_in_one_place))
