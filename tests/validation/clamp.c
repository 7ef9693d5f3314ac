/*
 * Rods that are clamped as users do it, by sn_rod_clamp at either end: a cantilever under its own
 * weight (V25) and a beam that is clamped at both.
 */
#include "validation/build.h"

#include <math.h>

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

/* Gamma = rho A g L^3 / E I = 1: the tip drops by 0.123471 L, at 0.991246 L. With ten segments a
   pin is off by more than a tenth, as the first of them does not bend. */
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
        if (i == 3) CHECK(drop < 0.9 * 0.123471);
        if (i < 3) CHECK_REL(drop, 0.123471, 0.02);
        if (i < 3) CHECK_REL(away, 0.991246, 0.002);
        sn_world_destroy(world);
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

TESTS(RUN(a_clamped_rod_droops_as_far_as_it_should), RUN(a_beam_is_clamped_at_both_ends),
      RUN(a_clamp_turns_the_rod), RUN(what_is_no_end_of_a_rod_is_refused))
