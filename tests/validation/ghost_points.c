/*
 * Rods with ghost points (Umetani et al. 2014): V24, V25 and V27 with the pins of users, momentum;
 * and those that keep their volume (Angles et al. 2019).
 */
#include "validation/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 102, STEP = 10 };

typedef struct bent {
    double drop, away; /* m of 1 m */
} bent;

/* A rod from -l to 1 m of so many segments and one more, which is held: it is clamped at 0. E I is
   1 N m^2, 1 m of it has 1 kg, and it is so thin that it does not stretch. */
static sn_world *make_rod(int segments, double gravity, bool held, sn_node *node) {
    const uint32_t pins[] = {0, 1};
    double r = 0.004;
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    sn_mesh mesh = sn_mesh_default();
    sn_rod_material m = sn_rod_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    settings.substeps = STEP;
    settings.damping = held ? 7 : 0;
    settings.gravity = vector(0, -gravity, 0);
    sn_world *world = make_world(settings);
    REQUIRE_OK(sn_generate_rope(&mesh, vector(-1.0 / segments, 0, 0), vector(1, 0, 0),
                                (uint32_t)segments + 1));
    m.model = 1;
    m.radius = (sn_real)r;
    m.density = (sn_real)(1 / (PI * r * r));
    m.young = (sn_real)(4 / (PI * r * r * r * r));
    def.mesh = &mesh;
    def.pins = pins;
    def.pin_count = held ? 2 : 0;
    REQUIRE_OK(sn_build_body(world, SN_KIND_ROD, &m, &def, node, &build));
    sn_mesh_free(&mesh);
    return world;
}

static bent settle(int segments, double load, double gravity, double h) {
    sn_node node[MOST];
    sn_world *world = make_rod(segments, gravity, true, node);
    for (int i = 0; i < (int)(3 / (STEP * h)); i++) {
        if (load > 0) CHECK_OK(sn_node_add_force(world, node[segments + 1], vector(0, -load, 0)));
        advance(world, h, STEP);
    }
    vec x = position_of(world, node[segments + 1]);
    sn_world_destroy(world);
    return (bent){-x.y, x.x};
}

/* V24: a sweep leaves 15 h^2 E I / (rho A l^4) at most, 0.6 % here, and segments 1 / n^2. */
TEST(tip_load) {
    static const double known[][3] = {{1, 0.301721, 0.056433}, {10, 0.810609, 0.554996}};
    for (int i = 0; i < 2; i++) {
        check_case("a = %g", known[i][0]);
        bent tip = settle(10, known[i][0], 0, 2e-4);
        if (check_shows()) printf("%g: drop %.4f, away %.4f\n", known[i][0], tip.drop, tip.away);
        CHECK_REL(tip.drop, known[i][1], 0.02);
        CHECK_REL(1 - tip.away, known[i][2], 0.03);
    }
}

/* V25. */
TEST(own_weight) {
    static const double known[][3] = {{1, 0.123471, 0.991246}, {10, 0.700200, 0.656354}};
    for (int i = 0; i < 2; i++) {
        check_case("weight %g", known[i][0]);
        bent tip = settle(10, 0, known[i][0], 2e-4);
        if (check_shows()) printf("%g: drop %.4f, away %.4f\n", known[i][0], tip.drop, tip.away);
        CHECK_REL(tip.drop, known[i][1], 0.02);
        CHECK_REL(tip.away, known[i][2], 0.02);
    }
}

TEST(error_falls_with_the_square_of_the_segments) {
    double before = 0;
    for (int n = 4; n <= 16; n *= 2) {
        check_case("%d segments", n);
        bent tip = settle(n, 2, 0, 8e-4 / n);
        double error = hypot(tip.drop - 0.493457, 1 - tip.away - 0.160642);
        if (check_shows()) printf("%d segments: %.5f\n", n, error);
        if (n > 4) CHECK(error < 0.34 * before);
        before = error;
    }
}

/* C of a joint that is bent by one angle and at rest by another: the sines of half of them, and by
   the sign that makes the way shorter. So it is between frames, whose quaternion may have either
   sign. */
TEST(the_shorter_way_to_rest_is_taken) {
    for (int k = 0; k < 2 * 18 * 18; k++) {
        double now = (k / 2 % 18 * 20 - 170) * PI / 180, rest = (k / 36 * 20 - 163) * PI / 180;
        double s = sin(now), c = cos(now), way = cos((now - rest) / 2);
        bool frames = k % 2;
        sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
        sn_constraint made;
        sn_real value[SN_MAX_ROWS] = {0};
        check_case("%s bent by %g, at rest by %g", frames ? "frames" : "points", now, rest);
        sn_vec3 curvature = vector(2 * sin(rest / 2), 0, 0);
        if (frames) {
            sn_bend_twist_def def = sn_bend_twist_def_default();
            sn_node_def node = sn_node_def_default();
            node.oriented = true;
            node.inverse_inertia = vector(1, 1, 1);
            REQUIRE_OK(sn_node_create(world, &node, &def.node[0]));
            node.orientation = (sn_quat){(sn_real)-sin(now / 2), 0, 0, (sn_real)-cos(now / 2)};
            REQUIRE_OK(sn_node_create(world, &node, &def.node[1]));
            def.rest_darboux = curvature;
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &def, &made));
        } else {
            sn_darboux_def def = sn_darboux_def_default();
            const vec at[5] = {
                {0, 0, 0}, {0, 0, 1}, {0, -s, 1 + c}, {1, 0, 0.5}, {1, -s / 2, 1 + c / 2}};
            for (int i = 0; i < 5; i++) def.node[i] = add_node(world, at[i], 1);
            def.rest_darboux = curvature;
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DARBOUX, &def, &made));
        }
        REQUIRE_OK(sn_constraint_evaluate(world, made, value, NULL));
        double expected = sin(now / 2) - (way > 0 ? 1 : -1) * sin(rest / 2);
        CHECK_NEAR(value[0], frames ? -expected : expected, TOL(1e-9, 1e-5));
        CHECK_NEAR(value[1], 0, TOL(1e-9, 1e-5));
        CHECK_NEAR(value[2], 0, TOL(1e-9, 1e-5));
        sn_world_destroy(world);
    }
}

/* The ghost point of a segment, which is the constraint's third node. */
static sn_node ghost_of(const sn_world *world, sn_node from) {
    size_t left = sn_world_constraint_count(world, SN_TYPE_GHOST_POINT);
    sn_ghost_point_def def = sn_ghost_point_def_default();
    for (size_t slot = 0; left > 0; slot++) {
        sn_constraint constraint;
        sn_type type;
        if (sn_world_constraint_at(world, slot, &constraint) != SN_OK ||
            sn_constraint_get_type(world, constraint, &type) != SN_OK ||
            type != SN_TYPE_GHOST_POINT)
            continue;
        left--;
        REQUIRE_OK(sn_constraint_get(world, constraint, &def));
        if (def.node[0].slot == from.slot) return def.node[2];
    }
    CHECK(false);
    return (sn_node){0};
}

/* V27: a couple on the last segment twists a length of 1 - l / 2. The force at the ghost point
   turns with it; joints answer with sin(t). */
TEST(torque_twists_by_its_length) {
    enum { N = 10 };
    sn_node node[MOST];
    sn_world *world = make_rod(N, 0, true, node);
    sn_node last = ghost_of(world, node[N]);
    double l = 1.0 / N, torque = 0.5, twist = 1 / 1.3, angle = 0; /* G J of nu = 0.3 */
    for (int step = 0; step < 3000; step++) {
        vec a = position_of(world, node[N]), b = position_of(world, node[N + 1]),
            g = position_of(world, last);
        vec f = {g.x - (a.x + b.x) / 2, g.y - (a.y + b.y) / 2, g.z - (a.z + b.z) / 2};
        double size = torque / length(f) / length(f);
        CHECK_OK(sn_node_add_force(world, last, vector(0, -size * f.z, size * f.y)));
        for (int k = 0; k < 2; k++)
            CHECK_OK(
                sn_node_add_force(world, node[N + k], vector(0, size * f.z / 2, -size * f.y / 2)));
        advance(world, 1e-4, STEP);
        if (step == 0) angle = atan2(f.z, f.y);
    }
    vec a = position_of(world, node[N]), b = position_of(world, node[N + 1]),
        g = position_of(world, last);
    angle = atan2(g.z - (a.z + b.z) / 2, g.y - (a.y + b.y) / 2) - angle;
    if (check_shows()) printf("twisted by %.5f of %.5f\n", angle, torque / twist * (1 - l / 2));
    CHECK_REL(angle, torque / twist * (1 - l / 2), 0.01);
    CHECK_NEAR(hypot(a.y, a.z), 0, 2e-3);
    sn_world_destroy(world);
}

/* V27: a straight rod with a curvature of 10 and a twist of 3 at rest becomes a helix, from end to
   end over so many turns. */
TEST(rod_with_a_rest_curvature_becomes_a_helix) {
    enum { N = 50 };
    double k = 10, t = 3, all = sqrt(k * k + t * t), l = 1.0 / N;
    double scale = 2 / l * sin(all * l / 2) / all;
    sn_node node[MOST];
    sn_node_def def = sn_node_def_default();
    sn_world *world = make_rod(N, 0, true, node);
    REQUIRE_OK(sn_node_get(world, node[0], &def));
    sn_real rest[3] = {(sn_real)(k * scale), 0, (sn_real)(t * scale)};
    REQUIRE_OK(sn_body_set_field(world, def.body, SN_TYPE_DARBOUX, "rest_darboux", rest, NULL));
    advance(world, 1e-4, 20000);
    double turn = 2 * PI / all, radius = k / (all * all), pitch = 2 * PI * t / (all * all);
    int whole = (int)lround(turn / l), half = whole / 2;
    double angle = half * l * all, chord = hypot(2 * radius * sin(angle / 2), half * l * t / all);
    double round = whole * l * all, across = 2 * radius * sin(round / 2);
    for (int i = 5; i + whole < N - 5; i += 5) {
        check_case("from node %d", i);
        vec a = position_of(world, node[i]), b = position_of(world, node[i + half]),
            c = position_of(world, node[i + whole]);
        if (check_shows())
            printf("%d: %.5f of %.5f, %.5f of %.5f\n", i, length(sub(b, a)), chord,
                   length(sub(c, a)), hypot(across, whole * l * t / all));
        CHECK_REL(length(sub(b, a)), chord, 0.02);
        CHECK_REL(length(sub(c, a)), hypot(across, whole * l * t / all), 0.02);
    }
    CHECK_REL(pitch, 0.172932, 1e-4);
    sn_world_destroy(world);
}

/* Momentum of a free rod that is hit: linear to rounding, angular to first order in h, of which
   half a second leaves 3e-5 of 0.08 kg m^2/s. */
TEST(free_rod_keeps_its_momentum) {
    enum { N = 8 };
    sn_node node[MOST];
    sn_world *world = make_rod(N, 0, false, node);
    CHECK_OK(sn_node_set_velocity(world, node[2], vector(0, 1, 0.5)));
    CHECK_OK(sn_node_set_velocity(world, node[7], vector(0.2, -1, 0.3)));
    sn_measure before = measure_of(world);
    advance(world, 1e-4, 5000);
    sn_measure after = measure_of(world);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR((double)after.momentum[i], (double)before.momentum[i], TOL(1e-10, 1e-5));
        CHECK_NEAR((double)after.angular_momentum[i], (double)before.angular_momentum[i],
                   TOL(1e-4, 1e-4));
    }
    sn_world_destroy(world);
}

/* ---- Volume ---- */

enum { LINKS = 8 };

/* 0.4 m of flesh, 20 mm thick, that hangs by its first segment. */
static sn_world *make_muscle(double gravity, sn_node *node, sn_body *body) {
    const uint32_t pins[] = {0, 1};
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    sn_mesh mesh = sn_mesh_default();
    sn_rod_material m = sn_rod_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    settings.substeps = STEP;
    settings.damping = 20;
    settings.gravity = vector(0, -gravity, 0);
    sn_world *world = make_world(settings);
    REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0), vector(0, -0.4, 0), LINKS));
    m.model = 1;
    m.keeps = 1;
    m.radius = (sn_real)0.02;
    m.young = (sn_real)1e5;
    def.mesh = &mesh;
    def.pins = pins;
    def.pin_count = 2;
    REQUIRE_OK(sn_build_body(world, SN_KIND_ROD, &m, &def, node, &build));
    sn_mesh_free(&mesh);
    *body = build.body;
    return world;
}

static double radius_at(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return (double)def.radius;
}

/* A load stretches it by F / E A, and it is thinner by the root of that: Poisson's ratio is a
   half, and the volume of every segment is what it was. */
TEST(what_is_stretched_gets_thinner) {
    sn_node node[LINKS + 1];
    sn_quat turn[LINKS + 1];
    sn_vec3 scale[LINKS + 1];
    sn_body body;
    sn_world *world = make_muscle(0, node, &body);
    double load = 30, area = PI * 0.02 * 0.02;
    for (int i = 0; i < 500; i++) {
        CHECK_OK(sn_node_add_force(world, node[LINKS], vector(0, -load, 0)));
        advance(world, 2e-4, STEP);
    }
    REQUIRE_OK(sn_rod_frames(world, node, LINKS + 1, turn, scale));
    for (int i = 1; i < LINKS; i++) {
        check_case("segment %d", i);
        double l = length(sub(position_of(world, node[i + 1]), position_of(world, node[i])));
        double wide = 0.02 * (double)scale[i].x;
        if (check_shows()) printf("%d: stretch %.5f, radius %.5f\n", i, l / 0.05, wide);
        CHECK_REL(l, 0.05 * (1 + load / (1e5 * area)), 0.005);
        CHECK_REL((double)scale[i].z, l / 0.05, 1e-4);
        CHECK_REL(wide * wide * l, 0.02 * 0.02 * 0.05, 1e-3);
    }
    CHECK_REL(radius_at(world, node[4]), 0.02 / sqrt(1 + load / (1e5 * area)), 0.005);
    sn_world_destroy(world);
}

/* To 0.7 of its length it swells by 1 / sqrt(0.7), for contacts too, and lifts its end. */
TEST(what_contracts_swells) {
    sn_node node[LINKS + 1];
    sn_body body;
    sn_world *world = make_muscle(9.81, node, &body);
    advance(world, 2e-4, 2000);
    double before = position_of(world, node[LINKS]).y;
    for (int i = 0; i < 100; i++) {
        CHECK_OK(sn_body_scale_length(world, body, (sn_real)pow(0.7, 0.01)));
        advance(world, 2e-4, STEP);
    }
    advance(world, 2e-4, 3000);
    double l = length(sub(position_of(world, node[5]), position_of(world, node[4])));
    CHECK_REL(l, 0.7 * 0.05, 0.02);
    CHECK_REL(radius_at(world, node[4]), 0.02 * sqrt(0.05 / l), 0.01);
    CHECK(position_of(world, node[LINKS]).y > before + 0.25 * 0.35);
    sn_world_destroy(world);
}

/* ---- What is refused ---- */

TEST(what_a_model_does_not_have_is_refused) {
    for (int i = 0; i < 3; i++) {
        sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
        sn_mesh mesh = sn_mesh_default();
        sn_rod_material m = sn_rod_material_default();
        sn_build_def def = sn_build_def_default();
        sn_node node[4];
        sn_build build;
        REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0), vector(1, 0, 0), 3));
        m.model = i > 0;
        m.keeps = 1;
        if (i == 1) m.break_force = 10;
        if (i == 2) def.body.solver = SN_BODY_SOLVER_DIRECT;
        def.mesh = &mesh;
        check_case("%d", i);
        CHECK(sn_build_body(world, SN_KIND_ROD, &m, &def, node, &build) == SN_ERROR_VALUE);
        sn_node_view view;
        CHECK_OK(sn_world_nodes(world, &view));
        for (size_t k = 0; k < view.count; k++) CHECK(!view.alive[k]);
        sn_node one = add_node(world, (vec){0, 0, 0}, 1);
        sn_quat turn;
        CHECK(sn_rod_pin(world, &one, 1) == SN_ERROR_DEGENERATE);
        CHECK(sn_rod_frames(world, &one, 1, &turn, NULL) == SN_ERROR_DEGENERATE);
        sn_mesh_free(&mesh);
        sn_world_destroy(world);
    }
}

TESTS(RUN(the_shorter_way_to_rest_is_taken), RUN(tip_load), RUN(own_weight),
      RUN(error_falls_with_the_square_of_the_segments), RUN(torque_twists_by_its_length),
      RUN(rod_with_a_rest_curvature_becomes_a_helix), RUN(free_rod_keeps_its_momentum),
      RUN(what_is_stretched_gets_thinner), RUN(what_contracts_swells),
      RUN(what_a_model_does_not_have_is_refused))
