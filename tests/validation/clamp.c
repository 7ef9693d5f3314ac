/*
 * Rods that are clamped as users do it, by sn_rod_clamp at either end: a cantilever under its own
 * weight (V25) and a beam that is clamped at both.
 */
#include "validation/build.h"

#include <math.h>
#include <stdio.h>

enum { SEGMENTS = 10 };

static const double young = 1e8, radius = 0.001, density = 1000;

static double stiffness(void) {
    return young * PI * pow(radius, 4) / 4;
}
static double weight(void) {
    return density * PI * radius * radius * GRAVITY;
}

/* A rod along x, at rest, in a world that is damped. */
static sn_world *make_rod(double long_, bool pinned, sn_node *node) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.substeps = 1000;
    settings.damping = 8;
    sn_world *world = make_world(settings);
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0), vector(long_, 0, 0), SEGMENTS));
    sn_rod_material m = sn_rod_material_default();
    m.young = (sn_real)young;
    m.radius = (sn_real)radius;
    m.density = (sn_real)density;
    sn_build_def def = sn_build_def_default();
    sn_build build;
    const uint32_t first = 0;
    def.mesh = &mesh;
    def.pins = &first;
    def.pin_count = pinned;
    REQUIRE_OK(sn_build_body(world, SN_KIND_ROD, &m, &def, node, &build));
    sn_mesh_free(&mesh);
    return world;
}

static void clamp(sn_world *world, sn_node node) {
    sn_node wall;
    sn_constraint joint;
    REQUIRE_OK(sn_rod_clamp(world, node, &wall, &joint));
}

/* Gamma = rho A g L^3 / E I = 1: the tip drops by 0.123471 L, at 0.991246 L. A pin that holds the
   frame of the first segment as if it were that of the end is off by 18 % with ten segments; ours
   keeps the first segment straight, which is 4 / n^2. */
TEST(a_clamped_rod_droops_as_far_as_it_should) {
    static const char *const names[] = {"at its start", "at its end", "pinned before", "pinned"};
    double L = cbrt(stiffness() / weight());
    for (int i = 0; i < 4; i++) {
        check_case("%s", names[i]);
        sn_node node[SEGMENTS + 1];
        sn_world *world = make_rod(L, i >= 2, node);
        bool at_end = i == 1;
        if (i < 3) clamp(world, node[at_end ? SEGMENTS : 0]);
        advance(world, 1.0 / 60000, 2 * 60000);
        vec tip = position_of(world, node[at_end ? 0 : SEGMENTS]);
        double drop = -tip.y / L, away = (at_end ? L - tip.x : tip.x) / L;
        CHECK_REL(drop, 0.123471, i == 3 ? 0.05 : 0.02);
        CHECK_REL(away, 0.991246, 0.002);
        sn_world_destroy(world);
    }
}

/* ---- The elastica ---- */

typedef enum hold { CLAMP_START, CLAMP_END, PIN_START, PIN_END, HOLDS } hold;
static const char *const holds[] = {"clamped at its start", "clamped at its end",
                                    "pinned at its start", "pinned at its end"};

typedef struct bent {
    double drop, away, angle; /* m of 1 m; degrees, of the last segment */
} bent;

/* A rod of 1 m and 1 kg with E I = 1 N m^2, so thin that stretch and shear do not matter; damping
   is critical for its slowest mode. Sweeps leave 15 h^2 E I / (rho A l^4) of the bending. */
static bent settle(sn_solver solver, hold held, int segments, double tip_load, double gravity) {
    double r = 0.004, l = 1.0 / segments, least = l * l * sqrt(0.002 / 15);
    double h = solver == SN_SOLVER_DIRECT || least > 1.0 / 600 ? 1.0 / 600 : least;
    int substeps = (int)ceil(0.1 / h);
    sn_settings settings = plain_settings(solver);
    settings.substeps = substeps;
    settings.damping = 7;
    settings.gravity = vector(0, -gravity, 0);
    sn_world *world = make_world(settings);
    sn_mesh mesh = sn_mesh_default();
    sn_node node[101];
    sn_build build;
    bool at_end = held == CLAMP_END || held == PIN_END;
    sn_vec3 ends[2] = {vector(0, 0, 0), vector(1, 0, 0)};
    REQUIRE_OK(sn_generate_rope(&mesh, ends[at_end], ends[!at_end], (uint32_t)segments));
    sn_rod_material m = sn_rod_material_default();
    m.radius = (sn_real)r;
    m.density = (sn_real)(1 / (PI * r * r));
    m.young = (sn_real)(4 / (PI * r * r * r * r));
    sn_build_def def = sn_build_def_default();
    uint32_t end = at_end ? (uint32_t)segments : 0;
    def.mesh = &mesh;
    def.pins = &end;
    def.pin_count = held >= PIN_START;
    REQUIRE_OK(sn_build_body(world, SN_KIND_ROD, &m, &def, node, &build));
    if (held < PIN_START) clamp(world, node[end]);
    sn_node tip = node[at_end ? 0 : segments];
    for (int i = 0; i < 40; i++) {
        if (tip_load > 0) CHECK_OK(sn_node_add_force(world, tip, vector(0, -tip_load, 0)));
        advance(world, 0.1 / substeps, substeps);
    }
    vec x = position_of(world, tip);
    vec before = position_of(world, node[at_end ? 1 : segments - 1]);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
    return (bent){-x.y, x.x, atan2(before.y - x.y, x.x - before.x) * 180 / PI};
}

/* Of loads under which the direct solver holds a rod the short form has every other, others for the
   next hold. */
static bool is_solved(hold held, int load) {
    return check_long() || ((int)held + load) % 2 == 0;
}

/* Sweeps need thousands of substeps: the short form has a clamp for them. */
static bool is_swept(hold held) {
    return check_long() || held == CLAMP_START;
}

/* V24 (Bisshopp and Drucker 1945): drop, 1 - x and angle of the tip under a load at it, which the
   segment before the tip has but for half of what bends there, nothing. The short form has one
   load with each solver that sweeps. */
TEST(tip_load) {
    static const double known[][4] = {{0.25, 0.082746, 0.004118, 7.121},
                                      {1, 0.301721, 0.056433, 26.434},
                                      {2, 0.493457, 0.160642, 44.791},
                                      {10, 0.810609, 0.554996, 81.949}};
    static const sn_solver solvers[] = {SN_SOLVER_COLOURED, SN_SOLVER_REFERENCE, SN_SOLVER_DIRECT};
    for (int s = 0; s < 3; s++)
        for (int held = 0; held < HOLDS; held++)
            for (int i = s == 1 ? 3 : 0; i < 4; i++) {
                bool sweeps = solvers[s] != SN_SOLVER_DIRECT;
                if (sweeps ? !is_swept((hold)held) : !is_solved((hold)held, i)) continue;
                if (sweeps && i != (s == 1 ? 3 : held) && !check_long()) continue;
                if (s == 1 && held != CLAMP_START && !check_long()) continue;
                check_case("%s, %s, a = %g", solver_name(solvers[s]), holds[held], known[i][0]);
                bent tip = settle(solvers[s], (hold)held, 20, known[i][0], 0);
                CHECK_REL(tip.drop, known[i][1], 0.02);
                CHECK_REL(1 - tip.away, known[i][2], 0.02);
                CHECK_REL(tip.angle, known[i][3], 0.02);
            }
}

TEST(tip_load_with_100_segments) {
    for (int held = 0; held < HOLDS; held++) {
        check_case("%s", holds[held]);
        bent tip = settle(SN_SOLVER_DIRECT, (hold)held, 100, 2, 0);
        CHECK_REL(tip.drop, 0.493457, 0.005);
        CHECK_REL(1 - tip.away, 0.160642, 0.005);
    }
}

/* V25: drop and x of the tip under its own weight. */
TEST(own_weight) {
    static const double known[][3] = {{0.5, 0.062306, 0.997779}, {1, 0.123471, 0.991246},
                                      {2, 0.238507, 0.966893},   {5, 0.495905, 0.846657},
                                      {10, 0.700200, 0.656354},  {50, 0.907917, 0.245015},
                                      {100, 0.937524, 0.159223}};
    for (int direct = 0; direct < 2; direct++)
        for (int held = 0; held < HOLDS; held++)
            for (int i = 0; i < 7; i += direct ? 1 : 3) {
                if (direct ? !is_solved((hold)held, i) : !is_swept((hold)held)) continue;
                if (!direct && i != 2 * held && !check_long()) continue;
                sn_solver solver = direct ? SN_SOLVER_DIRECT : SN_SOLVER_COLOURED;
                check_case("%s, %s, weight %g", solver_name(solver), holds[held], known[i][0]);
                bent tip = settle(solver, (hold)held, direct ? 40 : 20, 0, known[i][0]);
                CHECK_REL(tip.drop, known[i][1], 0.02);
                CHECK_REL(tip.away, known[i][2], direct ? 0.02 : 0.04);
            }
}

/* Of second order: segments of half the length, at most a third of the error. */
TEST(error_falls_with_the_square_of_the_segments) {
    for (int held = 0; held < HOLDS; held++) {
        double before = 0;
        for (int n = 5; n <= 20; n *= 2) {
            check_case("%s, %d segments", holds[held], n);
            bent tip = settle(SN_SOLVER_DIRECT, (hold)held, n, 2, 0);
            double error = hypot(tip.drop - 0.493457, 1 - tip.away - 0.160642);
            if (check_shows()) printf("%s, %d segments: %.4f\n", holds[held], n, error);
            if (n > 5) CHECK(error < 0.34 * before);
            before = error;
        }
    }
}

/* The middle of a beam sags by q L^4 / 384 E I, a fifth of what it does on hinges; of n segments
   by 1 + 8 / n^2 times as much, and a little less, as what sags is longer. */
TEST(a_beam_is_clamped_at_both_ends) {
    double L = cbrt(stiffness() / weight());
    sn_node node[SEGMENTS + 1];
    sn_world *world = make_rod(L, false, node);
    clamp(world, node[0]);
    clamp(world, node[SEGMENTS]);
    advance(world, 1.0 / 60000, 2 * 60000);
    CHECK_REL(-position_of(world, node[SEGMENTS / 2]).y / L, 1.08 / 384, 0.04);
    sn_world_destroy(world);
}

/* A wall that is turned takes the rod along. */
TEST(a_clamp_turns_the_rod) {
    sn_node node[SEGMENTS + 1], wall;
    sn_constraint joint;
    sn_world *world = make_rod(0.05, false, node);
    REQUIRE_OK(sn_rod_clamp(world, node[0], &wall, &joint));
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = vector(0, 0, 0);
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, wall, &def));
    /* A quarter turn about y, x to -z, before what the wall has. */
    double h = sqrt(0.5);
    sn_quat q = def.orientation;
    sn_quat turned = {
        (sn_real)(h * ((double)q.x + (double)q.z)), (sn_real)(h * ((double)q.y + (double)q.w)),
        (sn_real)(h * ((double)q.z - (double)q.x)), (sn_real)(h * ((double)q.w - (double)q.y))};
    for (int i = 0; i < 4; i++) {
        CHECK_OK(sn_node_set_target_orientation(world, wall, turned));
        advance(world, 1.0 / 60000, 30000);
    }
    vec tip = position_of(world, node[SEGMENTS]);
    CHECK_NEAR(length(sub(tip, (vec){0, 0, -0.05})), 0, 1e-3);
    sn_world_destroy(world);
}

/* Pinned later, and as the builder does it: at both ends and in between. */
TEST(pins_are_the_same_later) {
    double found[2][SEGMENTS + 1];
    for (int later = 0; later < 2; later++) {
        static const uint32_t pins[] = {0, 4, SEGMENTS};
        sn_settings settings = plain_settings(SN_SOLVER_DIRECT);
        settings.substeps = 10;
        settings.damping = 8;
        sn_world *world = make_world(settings);
        sn_mesh mesh = sn_mesh_default();
        REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0), vector(0.2, 0, 0), SEGMENTS));
        sn_rod_material m = sn_rod_material_default();
        sn_node node[SEGMENTS + 1];
        m.young = (sn_real)young;
        m.radius = (sn_real)radius;
        sn_build_def def = sn_build_def_default();
        sn_build build;
        def.mesh = &mesh;
        def.pins = pins;
        def.pin_count = later ? 0 : 3;
        REQUIRE_OK(sn_build_body(world, SN_KIND_ROD, &m, &def, node, &build));
        sn_node held[3] = {node[0], node[4], node[SEGMENTS]};
        if (later) {
            CHECK_OK(sn_rod_pin(world, held, 3));
            /* Once more changes nothing. */
            uint64_t before = sn_world_hash(world);
            CHECK_OK(sn_rod_pin(world, held, 3));
            CHECK(sn_world_hash(world) == before);
        }
        advance(world, 1.0 / 600, 1800);
        for (int i = 0; i <= SEGMENTS; i++) found[later][i] = position_of(world, node[i]).y;
        sn_mesh_free(&mesh);
        sn_world_destroy(world);
    }
    for (int i = 0; i <= SEGMENTS; i++) {
        check_case("node %d", i);
        CHECK_NEAR(found[1][i], found[0][i], TOL(1e-9, 1e-6));
    }
    /* Six segments between two clamps: q L^4 / 384 E I. */
    double L = 0.12;
    CHECK_REL(-found[0][7], weight() * pow(L, 4) / (384 * stiffness()), 0.25);
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    sn_node alone = add_node(world, (vec){0, 0, 0}, 1);
    CHECK_FAILS(sn_rod_pin(world, &alone, 1), SN_ERROR_DEGENERATE);
    CHECK_FAILS(sn_rod_pin(world, NULL, 1), SN_ERROR_NULL);
    CHECK_OK(sn_rod_pin(world, NULL, 0));
    sn_world_destroy(world);
}

TEST(what_is_no_end_of_a_rod_is_refused) {
    sn_node node[SEGMENTS + 1], wall;
    sn_constraint joint;
    sn_world *world = make_rod(0.1, false, node);
    uint64_t before = sn_world_hash(world);
    CHECK_FAILS(sn_rod_clamp(world, node[2], &wall, &joint), SN_ERROR_DEGENERATE);
    CHECK(sn_world_hash(world) == before);
    sn_node alone = add_node(world, (vec){1, 1, 1}, 1);
    CHECK_FAILS(sn_rod_clamp(world, alone, &wall, &joint), SN_ERROR_DEGENERATE);
    sn_world_destroy(world);
}

TESTS(RUN(a_clamped_rod_droops_as_far_as_it_should), RUN(tip_load), RUN(tip_load_with_100_segments),
      RUN(own_weight), RUN(error_falls_with_the_square_of_the_segments),
      RUN(a_beam_is_clamped_at_both_ends), RUN(a_clamp_turns_the_rod), RUN(pins_are_the_same_later),
      RUN(what_is_no_end_of_a_rod_is_refused))
