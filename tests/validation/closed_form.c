/*
 * Rods whose orientations are in equilibrium, in closed form: V24, V25 and V27 with the clamps of
 * users, and what it is for, steps as long as one likes.
 */
#include "snapshot.h"
#include "validation/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 101 };

typedef struct bent {
    double drop, away; /* m of 1 m */
} bent;

/* A rod of 1 m and 1 kg with E I = 1 N m^2, so thin that it does not stretch. */
static sn_world *make_rod(int segments, int iterations, double gravity, sn_node *node) {
    double r = 0.004;
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    sn_mesh mesh = sn_mesh_default();
    sn_rod_material m = sn_rod_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    settings.substeps = 10;
    settings.iterations = iterations;
    settings.damping = 7;
    settings.gravity = vector(0, -gravity, 0);
    sn_world *world = make_world(settings);
    REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0), vector(1, 0, 0), (uint32_t)segments));
    m.radius = (sn_real)r;
    m.density = (sn_real)(1 / (PI * r * r));
    m.young = (sn_real)(4 / (PI * r * r * r * r));
    def.mesh = &mesh;
    def.body.solver = SN_BODY_SOLVER_CLOSED_FORM;
    REQUIRE_OK(sn_build_body(world, SN_KIND_ROD, &m, &def, node, &build));
    sn_mesh_free(&mesh);
    return world;
}

static void clamp(sn_world *world, sn_node node) {
    sn_node wall;
    sn_constraint joint;
    REQUIRE_OK(sn_rod_clamp(world, node, &wall, &joint));
}

static bent settle(int segments, double load, double gravity, double h, int iterations) {
    sn_node node[MOST];
    sn_world *world = make_rod(segments, iterations, gravity, node);
    clamp(world, node[0]);
    for (int i = 0; i < (int)(4 / (10 * h)); i++) {
        if (load > 0) CHECK_OK(sn_node_add_force(world, node[segments], vector(0, -load, 0)));
        advance(world, h, 10);
    }
    vec x = position_of(world, node[segments]);
    sn_world_destroy(world);
    return (bent){-x.y, x.x};
}

/* V24: what one iteration leaves of bending is 3 h^2 E I / (rho A l^4) at most, 0.08 here, and a
   tenth of it with four. */
TEST(tip_load) {
    static const double known[][3] = {{0.25, 0.082746, 0.004118},
                                      {1, 0.301721, 0.056433},
                                      {2, 0.493457, 0.160642},
                                      {10, 0.810609, 0.554996}};
    for (int i = check_long() ? 0 : 3; i < 4; i++) {
        check_case("a = %g", known[i][0]);
        bent tip = settle(20, known[i][0], 0, 1.0 / 2400, 4);
        if (check_shows()) printf("%g: drop %.4f, away %.4f\n", known[i][0], tip.drop, tip.away);
        CHECK_REL(tip.drop, known[i][1], 0.01);
        CHECK_REL(1 - tip.away, known[i][2], 0.02);
    }
    bent once = settle(10, 1, 0, 1.0 / 600, 1);
    CHECK(once.drop > known[1][1] && once.drop < 1.1 * known[1][1]);
}

/* V25: drop and x of the tip under its own weight. */
TEST(own_weight) {
    static const double known[][3] = {
        {1, 0.123471, 0.991246}, {10, 0.700200, 0.656354}, {100, 0.937524, 0.159223}};
    for (int i = 0; i < (check_long() ? 3 : 1); i++) {
        check_case("weight %g", known[i][0]);
        bent tip = settle(20, 0, known[i][0], 1.0 / 2400, 4);
        if (check_shows()) printf("%g: drop %.4f, away %.4f\n", known[i][0], tip.drop, tip.away);
        CHECK_REL(tip.drop, known[i][1], 0.01);
        CHECK_REL(tip.away, known[i][2], 0.03);
    }
}

TEST(error_falls_with_the_square_of_the_segments) {
    double before = 0;
    for (int n = 5; n <= (check_long() ? 20 : 10); n *= 2) {
        check_case("%d segments", n);
        bent tip = settle(n, 2, 0, 1.0 / 2400, 8);
        double error = hypot(tip.drop - 0.493457, 1 - tip.away - 0.160642);
        if (check_shows()) printf("%d segments: %.5f\n", n, error);
        if (n > 5) CHECK(error < 0.34 * before);
        before = error;
    }
}

/* V27: a straight rod with a curvature of 10 and a twist of 3 at rest becomes a helix of
   k / (k^2 + t^2) and 2 pi t / (k^2 + t^2), from end to end over so many turns. */
TEST(rod_with_a_rest_curvature_becomes_a_helix) {
    enum { N = 100 };
    double k = 10, t = 3, all = sqrt(k * k + t * t), l = 1.0 / N, scale;
    sn_node node[MOST];
    sn_body_def of;
    sn_node_def def = sn_node_def_default();
    sn_world *world = make_rod(N, 4, 0, node);
    REQUIRE_OK(sn_node_get(world, node[0], &def));
    REQUIRE_OK(sn_body_get(world, def.body, &of));
    CHECK(of.solver == SN_BODY_SOLVER_CLOSED_FORM);
    scale = 2 / l * sin(all * l / 2) / all;
    sn_real rest[3] = {(sn_real)(k * scale), 0, (sn_real)(t * scale)};
    REQUIRE_OK(sn_body_set_field(world, def.body, SN_TYPE_BEND_TWIST, "rest_darboux", rest, NULL));
    advance(world, 1.0 / 600, 3000);
    CHECK_NEAR(length(sub(position_of(world, node[50]), position_of(world, node[51]))), l, 1e-5);
    /* The chord over half a turn and over a whole one. */
    double turn = 2 * PI / all, radius = k / (all * all), pitch = 2 * PI * t / (all * all);
    int whole = (int)lround(turn / l), half = whole / 2;
    double angle = half * l * all, climb = half * l * t / all;
    double chord = hypot(2 * radius * sin(angle / 2), climb);
    for (int i = 5; i + whole < N - 5; i += 10) {
        check_case("from node %d", i);
        vec a = position_of(world, node[i]), b = position_of(world, node[i + half]),
            c = position_of(world, node[i + whole]);
        if (check_shows())
            printf("%d: %.5f of %.5f, %.5f of %.5f\n", i, length(sub(b, a)), chord,
                   length(sub(c, a)), pitch);
        CHECK_REL(length(sub(b, a)), chord, 0.02);
        CHECK_REL(length(sub(c, a)), pitch, 0.02);
    }
    sn_world_destroy(world);
}

/* A torque on the last segment of a rod that is clamped bends all its joints by T l / (E I), that
   at the wall, which is half as long, by half of it; and one about its axis twists them likewise,
   as bending and twist have one stiffness. */
TEST(torque_bends_to_an_arc_and_twists) {
    enum { N = 20 };
    static const double torques[] = {0.5, 1.5, 3};
    for (int kind = 0; kind < 5; kind++) {
        double torque = torques[kind / 2], l = 1.0 / N;
        bool twists = kind % 2 == 1;
        check_case("%s by %g N m", twists ? "twisted" : "bent", torque);
        sn_node node[MOST];
        sn_world *world = make_rod(N, 4, 0, node);
        clamp(world, node[0]);
        for (int i = 0; i < 400; i++) {
            CHECK_OK(sn_node_add_torque(world, node[N - 1],
                                        twists ? vector(torque, 0, 0) : vector(0, 0, torque)));
            advance(world, 1.0 / 600, 10);
        }
        sn_node_def first = sn_node_def_default(), def = sn_node_def_default();
        REQUIRE_OK(sn_node_get(world, node[0], &first));
        REQUIRE_OK(sn_node_get(world, node[N - 1], &def));
        double joint = 2 * asin(torque * l / 2), turned = (N - 0.5) * joint;
        sn_quat p = first.orientation, q = def.orientation;
        double same = (double)p.x * (double)q.x + (double)p.y * (double)q.y +
                      (double)p.z * (double)q.z + (double)p.w * (double)q.w;
        CHECK_NEAR(fabs(same), cos((N - 1) * joint / 2), 1e-3);
        vec tip = sub(position_of(world, node[N]), position_of(world, node[N - 1]));
        CHECK_NEAR(tip.x / l, twists ? 1 : cos(turned), 2e-3);
        CHECK_NEAR(tip.y / l, twists ? 0 : sin(turned), 2e-3);
        sn_world_destroy(world);
    }
}

/* A quarter turn of one of two walls is spread over the rod, which stays straight. */
TEST(twist_spreads_over_the_rod) {
    enum { N = 10 };
    sn_node node[MOST], wall;
    sn_constraint joint;
    sn_node_def def = sn_node_def_default();
    sn_world *world = make_rod(N, 4, 0, node);
    clamp(world, node[0]);
    REQUIRE_OK(sn_rod_clamp(world, node[N], &wall, &joint));
    REQUIRE_OK(sn_node_get(world, wall, &def));
    sn_quat q = def.orientation, to;
    double c = cos(PI / 8), s = sin(PI / 8);
    for (int i = 0; i < 2; i++, q = to) {
        /* An eighth about x, before what the wall has. */
        to = (sn_quat){(sn_real)(c * (double)q.x + s * (double)q.w),
                       (sn_real)(c * (double)q.y - s * (double)q.z),
                       (sn_real)(c * (double)q.z + s * (double)q.y),
                       (sn_real)(c * (double)q.w - s * (double)q.x)};
        CHECK_OK(sn_node_set_target_orientation(world, wall, to));
        advance(world, 1.0 / 600, 1200);
    }
    sn_quat first = {0, 0, 0, 1};
    for (int i = 0; i < N; i++) {
        check_case("segment %d", i);
        REQUIRE_OK(sn_node_get(world, node[i], &def));
        if (i == 0) first = def.orientation;
        q = def.orientation;
        double same = fabs((double)q.x * (double)first.x + (double)q.y * (double)first.y +
                           (double)q.z * (double)first.z + (double)q.w * (double)first.w);
        CHECK_NEAR(2 * acos(fmin(same, 1)), PI / 2 * i / N, TOL(0.01, 0.012));
        CHECK_NEAR(length(sub(position_of(world, node[i]), (vec){(double)i / N, 0, 0})), 0, 1e-3);
    }
    sn_world_destroy(world);
}

/* ---- One frame ---- */

/* Of a rod between a frame that stands at `wall` and a node that is `along` (m) from it. The frame
   of its segment begins at `start`. */
typedef struct pulled {
    double wall[4], start[4], along[3];
    double bending, length, shear; /* N m^2, m, N */
} pulled;

static double drawn(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608 - 1;
}

static void draw_turn(uint32_t *seed, double q[4]) {
    double size = 0;
    for (int k = 0; k < 4; k++) q[k] = drawn(seed), size += q[k] * q[k];
    for (int k = 0; k < 4; k++) q[k] /= sqrt(size);
}

/* J: 4 B / l (1 - p . q) along the shorter way, and -k X . d_3 (Hsu et al. 2025). */
static double energy(const pulled *p, const double q[4]) {
    const double d[3] = {2 * (q[0] * q[2] + q[3] * q[1]), 2 * (q[1] * q[2] - q[3] * q[0]),
                         1 - 2 * (q[0] * q[0] + q[1] * q[1])};
    double along = 0, same = 0;
    for (int k = 0; k < 4; k++) same += p->wall[k] * q[k];
    for (int k = 0; k < 3; k++) along += p->along[k] * d[k];
    return 4 * p->bending / p->length * (1 - fabs(same)) - p->shear * along;
}

/* Where the frame of the segment is after a step, between nodes that are too heavy to move. */
static void turn_pulled(const pulled *p, double q[4]) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    sn_body_def body_def = sn_body_def_default();
    sn_node_def def = sn_node_def_default();
    sn_bend_twist_def bend = sn_bend_twist_def_default();
    sn_stretch_shear_def segment = sn_stretch_shear_def_default();
    sn_constraint made;
    sn_node node[3];
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    body_def.solver = SN_BODY_SOLVER_CLOSED_FORM;
    REQUIRE_OK(sn_body_create(world, &body_def, &def.body));
    for (int k = 0; k < 3; k++) {
        def.oriented = k < 2;
        def.inverse_mass = k == 0 ? 0 : (sn_real)1e-12;
        def.inverse_inertia = k == 0 ? vector(0, 0, 0) : vector(1, 1, 1);
        const double *turn = k == 0 ? p->wall : p->start;
        def.orientation =
            (sn_quat){(sn_real)turn[0], (sn_real)turn[1], (sn_real)turn[2], (sn_real)turn[3]};
        def.position = vector(0, 0, 0);
        if (k == 2) def.position = vector(p->along[0], p->along[1], p->along[2]);
        REQUIRE_OK(sn_node_create(world, &def, &node[k]));
    }
    bend.node[0] = node[0];
    bend.node[1] = segment.node[0] = node[1];
    segment.node[1] = node[2];
    bend.rest_length = (sn_real)p->length;
    bend.rest_darboux = vector(0, 0, 0);
    bend.bend_stiffness_x = bend.bend_stiffness_y = bend.twist_stiffness = (sn_real)p->bending;
    segment.stretch_stiffness = segment.shear_stiffness = (sn_real)p->shear;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &bend, &made));
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_STRETCH_SHEAR, &segment, &made));
    advance(world, 1.0 / 60, 1);
    REQUIRE_OK(sn_node_get(world, node[1], &def));
    CHECK_NEAR(length(position_of(world, node[1])), 0, 1e-6);
    q[0] = (double)def.orientation.x, q[1] = (double)def.orientation.y;
    q[2] = (double)def.orientation.z, q[3] = (double)def.orientation.w;
    sn_world_destroy(world);
}

/* Turned a little about an axis of the world, both ways. */
static double slope_of(const pulled *p, const double q[4], int axis) {
    const double little = 1e-4;
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    double side[2];
    for (int i = 0; i < 2; i++) {
        const double s = i ? little / 2 : -little / 2;
        double turned[4];
        turned[axis] = q[axis] + s * q[3];
        turned[next] = q[next] - s * q[last];
        turned[last] = q[last] + s * q[next];
        turned[3] = q[3] - s * q[axis];
        side[i] = energy(p, turned);
    }
    return (side[1] - side[0]) / little;
}

/* No torque is left, and nowhere is less energy, however the frame is pulled. Five steps of
   Newton's leave a little of what is pulled nearly backwards, which is one in a hundred. */
TEST(a_frame_is_where_its_energy_is_least) {
    enum { FRAMES = 200 };
    uint32_t seed = 4;
    int left = 0;
    for (int i = 0; i < FRAMES; i++) {
        /* What is weak, too: units count for nothing. */
        const double strength = i % 2 ? 1 : 1e-4;
        pulled p = {.bending = strength * pow(10, drawn(&seed)),
                    .length = 0.6 + 0.3 * drawn(&seed),
                    .shear = strength * pow(10, 1 + drawn(&seed))};
        double q[4], other[4];
        draw_turn(&seed, p.wall);
        for (int k = 0; k < 3; k++) p.along[k] = drawn(&seed);
        for (int k = 0; k < 4; k++) p.start[k] = p.wall[k];
        check_case("frame %d", i);
        turn_pulled(&p, q);
        const double scale = 4 * p.bending / p.length + p.shear;
        double most = 0;
        for (int axis = 0; axis < 3; axis++) most = fmax(most, fabs(slope_of(&p, q, axis)) / scale);
        CHECK(most < 1e-3);
        left += most > 2e-6;
        const double least = energy(&p, q);
        for (int k = 0; k < 500; k++) {
            draw_turn(&seed, other);
            CHECK(energy(&p, other) > least - 1e-6 * scale);
        }
    }
    CHECK(left < FRAMES / 50);
}

/* Of the two quaternions that say so a frame has the one that is nearer to what it had. */
TEST(a_frame_turns_by_the_shorter_way) {
    uint32_t seed = 4;
    for (int i = 0; i < 200; i++) {
        pulled p = {.bending = 1, .length = 1, .shear = pow(10, drawn(&seed))};
        double q[4], same = 0;
        draw_turn(&seed, p.wall);
        draw_turn(&seed, p.start);
        for (int k = 0; k < 3; k++) p.along[k] = drawn(&seed);
        turn_pulled(&p, q);
        for (int k = 0; k < 4; k++) same += p.start[k] * q[k];
        check_case("frame %d", i);
        CHECK(same > -1e-6);
    }
}

/* Nothing says which way it is to turn: it stays. */
TEST(a_frame_that_is_pulled_backwards_stays) {
    pulled p = {.wall = {0, 0, 0, 1},
                .start = {0, 0, 0, 1},
                .along = {0, 0, -1},
                .bending = 1,
                .length = 1,
                .shear = 50};
    double q[4];
    turn_pulled(&p, q);
    for (int k = 0; k < 4; k++) CHECK(q[k] == p.wall[k]);
}

/* ---- Long steps ---- */

/* A whole frame at once, whatever the stiffness: it falls, and nothing is thrown about. */
TEST(steps_may_be_long) {
    for (int i = 0; i < 3; i++) {
        sn_node node[MOST];
        sn_world *world = make_rod(100, 1, GRAVITY, node);
        double factor = pow(100, i), fastest = 0;
        sn_node_def def = sn_node_def_default();
        sn_settings settings = sn_settings_default();
        check_case("%g times as stiff", factor);
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.substeps = 1;
        settings.damping = 0;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        REQUIRE_OK(sn_node_get(world, node[0], &def));
        REQUIRE_OK(sn_body_scale_field(world, def.body, SN_TYPE_BEND_TWIST, "bend_stiffness_x",
                                       (sn_real)factor, NULL));
        REQUIRE_OK(sn_body_scale_field(world, def.body, SN_TYPE_BEND_TWIST, "bend_stiffness_y",
                                       (sn_real)factor, NULL));
        clamp(world, node[0]);
        for (int step = 0; step < (check_long() ? 600 : 200); step++) {
            advance(world, 1.0 / 60, 1);
            for (int k = 0; k <= 100; k += 10)
                fastest = fmax(fastest, length(velocity_of(world, node[k])));
        }
        if (check_shows()) printf("%g: %.2f m/s\n", factor, fastest);
        /* sqrt(3 g L) of a bar that falls. */
        CHECK(fastest < 1.5 * sqrt(3 * GRAVITY));
        CHECK_NEAR(length(sub(position_of(world, node[50]), position_of(world, node[51]))), 0.01,
                   2e-4);
        sn_world_destroy(world);
    }
}

/* A snapshot goes on with the same bits. */
TEST(a_snapshot_goes_on) {
    uint64_t hash[2];
    for (int again = 0; again < 2; again++) {
        sn_node node[MOST];
        sn_world *world = make_rod(20, 2, GRAVITY, node);
        clamp(world, node[0]);
        advance(world, 1.0 / 600, 100);
        if (again) {
            size_t size = 0;
            void *data = snapshot_of(world, &size);
            advance(world, 1.0 / 600, 50);
            REQUIRE_OK(sn_snapshot_load(world, data, size));
            free(data);
        }
        advance(world, 1.0 / 600, 100);
        hash[again] = sn_world_hash(world);
        sn_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

/* What would not feel the joint that closes it. */
TEST(a_ring_is_refused) {
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    sn_mesh mesh = sn_mesh_default();
    sn_rod_material m = sn_rod_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    uint64_t before = sn_world_hash(world);
    REQUIRE_OK(sn_generate_ring(&mesh, 1, 12));
    def.mesh = &mesh;
    def.body.solver = SN_BODY_SOLVER_CLOSED_FORM;
    CHECK_FAILS(sn_build_body(world, SN_KIND_ROD, &m, &def, NULL, &build), SN_ERROR_DEGENERATE);
    CHECK(sn_world_hash(world) == before);
    def.body.solver = SN_BODY_SOLVER_DIRECT;
    CHECK_OK(sn_build_body(world, SN_KIND_ROD, &m, &def, NULL, &build));
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
}

TESTS(RUN(tip_load), RUN(own_weight), RUN(error_falls_with_the_square_of_the_segments),
      RUN(rod_with_a_rest_curvature_becomes_a_helix), RUN(torque_bends_to_an_arc_and_twists),
      RUN(twist_spreads_over_the_rod), RUN(a_frame_is_where_its_energy_is_least),
      RUN(a_frame_turns_by_the_shorter_way), RUN(a_frame_that_is_pulled_backwards_stays),
      RUN(steps_may_be_long), RUN(a_snapshot_goes_on), RUN(a_ring_is_refused))
