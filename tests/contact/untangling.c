/*
 * Recovery from tangles: sheets that begin inside each other come free within two seconds, without
 * haste, and stay so.
 */
/* Before the tests' own names, which are shorter than those of the library. */
#include "contact/contacts.h"
#include "contact/surface/surface_contact.h"

#include "check.h"
#include "crossing_sheets.h"
#include "snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sn_vec3 nowhere = {0, 0, 0}, earth = {0, (sn_real)-9.81, 0};
static const double dt = 1.0 / 60, pi = 3.14159265358979323846;

/* ---- One edge and one triangle ---- */

enum { EDGE = 0, TRIANGLE = 2, BESIDE = 5, NODES = 6 };

/* A triangle of nodes 2 to 4, and another one whose edge from node 0 to node 1 passes it. */
static sn_world *make_tangle(void) {
    static const uint32_t corners[] = {0, 1, 2};
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    sn_node node[NODES];
    def.settings.gravity = nowhere;
    REQUIRE_OK(sn_world_create(&def, &world));
    for (int i = 0; i < NODES; i++) {
        sn_node_def made = sn_node_def_default();
        made.position = (sn_vec3){(sn_real)i, (sn_real)(i % 2), (sn_real)(i / 2)};
        made.inverse_mass = (sn_real)(1 + 0.3 * i);
        made.radius = (sn_real)(0.01 + 0.002 * i);
        REQUIRE_OK(sn_node_create(world, &made, &node[i]));
    }
    for (int i = 0; i < 2; i++) {
        const sn_node beside[3] = {node[EDGE], node[EDGE + 1], node[BESIDE]};
        sn_collision_surface_def surface = sn_collision_surface_def_default();
        sn_collision_surface made;
        surface.nodes = i ? &node[TRIANGLE] : beside;
        surface.node_count = 3;
        surface.triangles = corners;
        surface.triangle_count = 1;
        surface.untangle = true;
        REQUIRE_OK(sn_collision_surface_create(world, &surface, &made));
    }
    REQUIRE_OK(sn_world_step(world, (sn_real)dt));
    return world;
}

static double draw(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 24);
}

/* Where everything is: the edge meets the triangle at a point of known weights, of which those of
   the triangle are negative. */
static void place_tangle(const sn_world *world, uint32_t *state, double weight[5],
                         sn_point x[NODES]) {
    double b = 0.2 + 0.3 * draw(state), c = 0.2 + 0.3 * draw(state),
           along = 0.2 + 0.6 * draw(state);
    sn_point way = {draw(state) - 0.5, draw(state) - 0.5, draw(state) - 0.5};
    for (int i = TRIANGLE; i < NODES; i++) x[i] = (sn_point){draw(state), draw(state), draw(state)};
    sn_point at = sn_point_add(sn_point_scaled(x[2], 1 - b - c),
                               sn_point_add(sn_point_scaled(x[3], b), sn_point_scaled(x[4], c)));
    x[0] = sn_point_sub(at, sn_point_scaled(way, along));
    x[1] = sn_point_add(at, sn_point_scaled(way, 1 - along));
    const double known[5] = {1 - along, along, -(1 - b - c), -b, -c};
    for (int i = 0; i < 5; i++) weight[i] = known[i];
    for (int i = 0; i < NODES; i++) {
        const sn_vec4 none = {0, 0, 0, 0};
        world->nodes.x[i] = (sn_vec4){(sn_real)x[i].x, (sn_real)x[i].y, (sn_real)x[i].z, 0};
        world->nodes.p[i] = world->nodes.d[i] = none;
    }
}

/* Whether what the nodes were given, their mass times their way, goes with their weights along one
   direction; returns how far the points that met have moved apart along it. */
static double check_shares(const sn_world *world, const double weight[5], sn_point *along) {
    sn_point give[5];
    double apart = 0, most = 0;
    *along = (sn_point){0, 0, 0};
    for (int i = 0; i < 5; i++) {
        sn_vec4 d = world->nodes.d[i];
        sn_point moved = {(double)d.x, (double)d.y, (double)d.z};
        give[i] = sn_point_scaled(moved, 1 / (double)world->nodes.w[i]);
        *along = sn_point_add(*along, sn_point_scaled(give[i], weight[i]));
        most = fmax(most, sn_point_length(give[i]));
    }
    double length = sn_point_length(*along);
    if (!(length > 0)) return 0;
    *along = sn_point_scaled(*along, 1 / length);
    for (int i = 0; i < 5; i++) {
        sn_vec4 d = world->nodes.d[i];
        sn_point moved = {(double)d.x, (double)d.y, (double)d.z};
        double square = 0;
        for (int k = 0; k < 5; k++) square += weight[k] * weight[k];
        sn_point share = sn_point_scaled(*along, weight[i] * length / square);
        CHECK_NEAR(sn_point_length(sn_point_sub(give[i], share)), 0, 1e-3 * most);
        apart += weight[i] * sn_point_dot(moved, *along);
    }
    return apart;
}

/* Where both are now, or were when the substep began: at x + d or x + p. */
TEST(an_edge_passes_where_both_are) {
    static const uint32_t edge[2] = {0, 1}, triangle[3] = {2, 3, 4};
    sn_world *world = make_tangle();
    uint32_t state = 77;
    size_t passed[2] = {0, 0};
    for (int i = 0; i < 400; i++) {
        sn_point at[2][5];
        for (int k = 0; k < 5; k++) {
            sn_vec4 v[3];
            for (int j = 0; j < 3; j++)
                v[j] = (sn_vec4){(sn_real)draw(&state), (sn_real)draw(&state),
                                 (sn_real)draw(&state), 0};
            world->nodes.x[k] = v[0], world->nodes.d[k] = v[1], world->nodes.p[k] = v[2];
            for (int j = 0; j < 2; j++)
                at[j][k] = (sn_point){(double)v[0].x + (double)v[1 + j].x,
                                      (double)v[0].y + (double)v[1 + j].y,
                                      (double)v[0].z + (double)v[1 + j].z};
        }
        for (int j = 0; j < 2; j++) {
            bool expected = sn_ccd_segment(at[j][0], at[j][1], at[j] + 2);
            CHECK(sn_untangle_passes(world, edge, triangle, j == 0) == expected);
            passed[j] += expected;
        }
    }
    CHECK(passed[0] > 20 && passed[1] > 20);
    sn_world_destroy(world);
}

/* With unknown sides the edge goes as far as its speed allows, with the triangle by their masses;
   an end on the wrong side goes back through the triangle, and beyond it by both radii. */
TEST(an_edge_and_a_triangle_are_pulled_apart) {
    sn_world *world = make_tangle();
    uint8_t *loose = sn_untangle_of(world)->loose;
    uint32_t state = 3;
    int moved = 0;
    for (int i = 0; i < 600; i++) {
        const double h = 0.001, speed = i % 3 ? 0.5 : 1000;
        sn_tangle tangle = {
            .edge = {0, 1}, .triangle = {2, 3, 4}, .speed = (sn_real)speed, .share = {1, 1}};
        double weight[5];
        sn_point x[NODES], along;
        tangle.beside[0] = BESIDE;
        tangle.beside[1] = SN_UNTANGLE_NONE;
        place_tangle(world, &state, weight, x);
        int wrong = i % 4 < 2 ? -1 : i % 2;
        /* Layers say it whatever else is known: the outer one belongs in front of the triangle. */
        if (i % 5 == 0) {
            sn_point n = sn_point_normal(x[2], x[3], x[4]);
            bool rises = sn_point_dot(x[0], n) < sn_point_dot(x[1], n);
            tangle.layers = i % 2 ? 1 : -1;
            wrong = rises == (tangle.layers > 0) ? 0 : 1;
        }
        for (int k = 0; k < NODES; k++) loose[k] = k == wrong && i % 5 ? SN_LOOSE_WRONG : 0;
        sn_untangle_pull(world, &tangle, h);
        for (int k = 0; wrong >= 0 && k < 2; k++) weight[k] = k == wrong;
        double apart = check_shares(world, weight, &along), far = speed * h;
        check_case("case %d", i);
        if (wrong >= 0) {
            sn_point n = sn_point_normal(x[2], x[3], x[4]);
            n = sn_point_scaled(n, 1 / sn_point_length(n));
            double depth = fabs(sn_point_dot(sn_point_sub(x[wrong], x[2]), n));
            depth += (double)world->nodes.radius[wrong] + (double)world->nodes.radius[2];
            far = fmin(far, depth);
            CHECK_NEAR(fabs(sn_point_dot(along, n)), 1, 1e-3);
            CHECK(sn_point_dot(along, sn_point_sub(x[1 - wrong], x[wrong])) > 0);
        }
        if (!(apart > 0)) continue;
        CHECK_REL(apart, far, 2e-3);
        moved++;
    }
    CHECK(moved > 500);
    sn_world_destroy(world);
}

/* ---- Sheets ---- */

typedef struct outcome {
    size_t began; /* crossings at the start */
    int free;     /* steps until there were none for good */
    size_t last;  /* crossings in the end */
    double fastest;
    uint64_t hash;
} outcome;

static outcome run(sheets *s, int steps) {
    outcome o = {.free = 0};
    sheets_look(s);
    o.began = sheets_crossings(s);
    for (int i = 0; i < steps; i++) {
        if (!CHECK_OK(sn_world_step(s->world, (sn_real)dt))) return o;
        sheets_look(s);
        o.last = sheets_crossings(s);
        if (o.last > 0) o.free = i + 1;
        o.fastest = fmax(o.fastest, s->fastest);
    }
    sn_stats stats;
    CHECK_OK(sn_world_stats(s->world, &stats));
    CHECK(stats.crossings == 0 || o.last > 0);
    o.hash = sn_world_hash(s->world);
    return o;
}

static outcome run_sheets(sheet *def, int count, sn_vec3 gravity, bool untangle, int threads) {
    sheets *s = sheets_make(10, threads, gravity);
    for (int i = 0; i < count; i++) {
        def[i].untangle = untangle;
        sheets_add(s, &def[i]);
    }
    outcome o = run(s, 120);
    sheets_free(s);
    return o;
}

static void check_free(const char *name, sheet *def, int count, sn_vec3 gravity) {
    outcome o = run_sheets(def, count, gravity, true, 1);
    printf("  %s: %zu crossings at first, none after %d steps, %zu in the end, at most %.3g m/s\n",
           name, o.began, o.free, o.last, o.fastest);
    CHECK(o.began > 10);
    CHECK(o.last == 0);
    CHECK(o.free < 100);
    CHECK(o.fastest < 4);
    if (count == 1 || check_long()) CHECK(run_sheets(def, count, gravity, true, 3).hash == o.hash);
    if (!check_long()) return;
    /* Contacts do not do it by themselves. */
    for (int i = 0; i < count; i++) def[i].penetration_free = false;
    outcome alone = run_sheets(def, count, gravity, false, 1);
    printf("  %s, left alone: %zu in the end\n", name, alone.last);
    CHECK(alone.last > 0);
}

/* ---- A corner through another sheet ---- */

static sn_vec3 flat(double x, double z, void *user) {
    (void)user;
    return (sn_vec3){(sn_real)x, 0, (sn_real)z};
}

static sn_vec3 dipped(double x, double z, void *user) {
    (void)user;
    double far = x + z > 0 ? x + z : 0;
    return (sn_vec3){(sn_real)(x - 0.1), (sn_real)(0.04 - 0.09 * far), (sn_real)(z - 0.1)};
}

TEST(a_corner_comes_out_of_a_sheet) {
    sheet def[2] = {sheet_default(), sheet_default()};
    def[0].shape = flat;
    def[1].shape = dipped;
    check_free("corner", def, 2, nowhere);
}

/* ---- A fold that passes through its own sheet ---- */

static sn_vec3 folded(double x, double z, void *user) {
    (void)user;
    const double r = 0.03;
    if (x < 0) return (sn_vec3){(sn_real)x, 0, (sn_real)z};
    if (x < pi * r)
        return (sn_vec3){(sn_real)(r * sin(x / r)), (sn_real)(r - r * cos(x / r)), (sn_real)z};
    double on = x - pi * r;
    return (sn_vec3){(sn_real)-on, (sn_real)(2 * r - 0.2 * on), (sn_real)z};
}

TEST(a_fold_comes_out_of_its_sheet) {
    sheet def = sheet_default();
    def.shape = folded;
    check_free("fold", &def, 1, nowhere);
}

/* ---- A bump through a sheet ---- */

static sn_vec3 bumped(double x, double z, void *user) {
    (void)user;
    double y = -0.04 + 0.07 * exp(-(x * x + z * z) / 0.04);
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
}

TEST(a_bump_comes_out_of_a_sheet) {
    sheet def[2] = {sheet_default(), sheet_default()};
    def[0].shape = flat;
    def[1].shape = bumped;
    check_free("bump", def, 2, nowhere);
}

/* ---- Neither sheet is cut in two ---- */

static sn_vec3 leaning(double x, double z, void *user) {
    (void)user;
    return (sn_vec3){(sn_real)(x + 0.8), (sn_real)(0.3 * x + 0.1 + 0.02 * z), (sn_real)(z + 0.3)};
}

TEST(sheets_that_are_not_cut_come_free) {
    sheet def[2] = {sheet_default(), sheet_default()};
    def[0].shape = flat;
    def[1].shape = leaning;
    check_free("overlap", def, 2, nowhere);
}

/* ---- How fast ---- */

/* Where the nodes are after some steps of two sheets that come apart with these speeds. */
static void part_with(double one, double two, sn_vec3 *at, size_t *nodes) {
    sheets *s = sheets_make(4, 1, nowhere);
    sheet def[2] = {sheet_default(), sheet_default()};
    const double speed[2] = {one, two};
    def[0].shape = flat;
    def[1].shape = dipped;
    for (size_t i = 0; i < 2; i++) {
        sn_collision_surface surface;
        sn_collision_surface_def now;
        def[i].untangle = true;
        sheets_add(s, &def[i]);
        REQUIRE_OK(sn_world_collision_surface_at(s->world, i, &surface));
        REQUIRE_OK(sn_collision_surface_get(s->world, surface, &now));
        now.recovery_speed = (sn_real)speed[i];
        REQUIRE_OK(sn_collision_surface_set(s->world, surface, &now));
    }
    for (int i = 0; i < 3; i++) REQUIRE_OK(sn_world_step(s->world, (sn_real)(1.0 / 60)));
    sheets_look(s);
    *nodes = s->nodes;
    memcpy(at, s->at, s->nodes * sizeof *at);
    sheets_free(s);
}

/* The slower of two speeds is that of both, whichever has it, and the faster one is another. */
TEST(the_slower_of_both_is_how_fast_they_come_apart) {
    static sn_vec3 slow[MOST_NODES], mixed[MOST_NODES];
    const double speeds[4][2] = {{0.1, 0.5}, {0.5, 0.1}, {0.1, (double)SN_AUTO}, {0.5, 0.5}};
    size_t nodes, others;
    part_with(0.1, 0.1, slow, &nodes);
    for (int i = 0; i < 4; i++) {
        check_case("%g and %g m/s", speeds[i][0], speeds[i][1]);
        part_with(speeds[i][0], speeds[i][1], mixed, &others);
        CHECK(nodes == others);
        CHECK((memcmp(slow, mixed, nodes * sizeof *slow) == 0) == (i < 3));
    }
}

/* ---- Under weight ---- */

static bool at_rim(double x, double z) {
    return fabs(x) > 0.499 || fabs(z) > 0.499;
}

TEST(a_corner_comes_out_against_its_weight) {
    sheet def[2] = {sheet_default(), sheet_default()};
    def[0].shape = flat;
    def[0].is_pinned = at_rim;
    def[1].shape = dipped;
    def[1].width = def[1].length = 0.6;
    check_free("weight", def, 2, earth);
}

/* ---- In the middle of it ---- */

TEST(snapshots_are_taken_while_it_comes_free) {
    sheets *s = sheets_make(10, 1, nowhere);
    sheet def[2] = {sheet_default(), sheet_default()};
    def[0].shape = flat;
    def[1].shape = dipped;
    for (int i = 0; i < 2; i++) {
        def[i].untangle = true;
        sheets_add(s, &def[i]);
    }
    for (int i = 0; i < 4; i++) CHECK_OK(sn_world_step(s->world, (sn_real)dt));
    size_t size;
    void *bytes = snapshot_of(s->world, &size);
    uint64_t hash[2];
    for (int run = 0; run < 2; run++) {
        for (int i = 0; i < 20; i++) CHECK_OK(sn_world_step(s->world, (sn_real)dt));
        hash[run] = sn_world_hash(s->world);
        CHECK_OK(sn_snapshot_load(s->world, bytes, size));
    }
    CHECK(hash[0] == hash[1]);
    free(bytes);
    sn_collision_surface surface;
    sn_collision_surface_def d = sn_collision_surface_def_default();
    CHECK_OK(sn_world_collision_surface_at(s->world, 0, &surface));
    CHECK_OK(sn_collision_surface_get(s->world, surface, &d));
    CHECK(d.untangle && d.penetration_free);
    sheets_free(s);
}

TESTS(RUN(an_edge_passes_where_both_are), RUN(an_edge_and_a_triangle_are_pulled_apart),
      RUN(snapshots_are_taken_while_it_comes_free), RUN(a_corner_comes_out_of_a_sheet),
      RUN(a_fold_comes_out_of_its_sheet), RUN(a_bump_comes_out_of_a_sheet),
      RUN(sheets_that_are_not_cut_come_free), RUN(the_slower_of_both_is_how_fast_they_come_apart),
      RUN(a_corner_comes_out_against_its_weight))
