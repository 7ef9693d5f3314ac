/*
 * Recovery from tangles: sheets that begin inside each other come free within two seconds, without
 * haste, and stay so.
 */
#include "check.h"
#include "crossing_sheets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const sn_vec3 nowhere = {0, 0, 0}, earth = {0, (sn_real)-9.81, 0};
static const double dt = 1.0 / 60, pi = 3.14159265358979323846;

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
    CHECK(run_sheets(def, count, gravity, true, 3).hash == o.hash);
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
    size_t size = 0;
    CHECK_OK(sn_snapshot_save(s->world, NULL, 0, &size));
    void *bytes = malloc(size);
    if (!CHECK(bytes)) return;
    CHECK_OK(sn_snapshot_save(s->world, bytes, size, &size));
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

TESTS(RUN(snapshots_are_taken_while_it_comes_free), RUN(a_corner_comes_out_of_a_sheet),
      RUN(a_fold_comes_out_of_its_sheet), RUN(a_bump_comes_out_of_a_sheet),
      RUN(sheets_that_are_not_cut_come_free), RUN(a_corner_comes_out_against_its_weight))
