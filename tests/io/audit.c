/*
 * The energy audit of whole scenes: small ones of everything that gives and takes energy, in which
 * most of it must be explained; and the scenes of the library, of which none knows that it is
 * audited.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

#include <sinew/sinew.h>
#include <sinew_io/scene.h>

typedef struct small {
    const char *name, *text;
    int frames;
    double most; /* unexplained, as a part of what went in or was lost */
} small;

static const small smalls[] = {
    {"a bar with dashpots swings",
     "{\"version\": 1, \"settings\": {\"substeps\": 40},"
     "\"meshes\": {\"m\": {\"shape\": \"block\", \"extent\": [0.6, 0.1, 0.1], \"cells\": [6, 1, "
     "1]}},"
     "\"bodies\": [{\"name\": \"b\", \"mesh\": \"m\", \"pins\": \"left\","
     " \"material\": {\"kind\": \"solid\", \"young\": 1e5, \"damping\": 0.01}}]}",
     30, 0.005},
    {"a plastic bar is pulled",
     "{\"version\": 1, \"settings\": {\"substeps\": 40, \"gravity\": [0, 0, 0]},"
     "\"meshes\": {\"m\": {\"shape\": \"block\", \"extent\": [0.6, 0.1, 0.1], \"cells\": [6, 1, "
     "1]}},"
     "\"bodies\": [{\"name\": \"b\", \"mesh\": \"m\", \"pins\": [\"left\", \"right\"],"
     " \"material\": {\"kind\": \"solid\", \"young\": 1e5, \"plastic_yield\": 0.02}}],"
     "\"motions\": [{\"nodes\": \"b.right\", \"interpolation\": \"smooth\","
     " \"keys\": [{\"time\": 0}, {\"time\": 0.5, \"position\": [0.06, 0, 0]}]}]}",
     30, 0.005},
    {"a curtain hangs in the wind",
     "{\"version\": 1, \"settings\": {\"substeps\": 20, \"air_density\": 1.2, \"wind\": [0, 2, 4]},"
     "\"meshes\": {\"m\": {\"shape\": \"grid\", \"width\": 0.5, \"depth\": 0.5, \"columns\": 8, "
     "\"rows\": 8}},"
     "\"bodies\": [{\"name\": \"b\", \"mesh\": \"m\", \"pins\": [0, 8],"
     " \"material\": {\"kind\": \"cloth\"}}]}",
     30, 0.02},
    {"a cloth falls on a ball",
     "{\"version\": 1, \"settings\": {\"substeps\": 20},"
     "\"meshes\": {\"m\": {\"shape\": \"grid\", \"width\": 0.5, \"depth\": 0.5, \"columns\": 10, "
     "\"rows\": 10}},"
     "\"bodies\": [{\"name\": \"b\", \"mesh\": \"m\", \"position\": [0, 0.25, 0],"
     " \"material\": {\"kind\": \"cloth\"}}],"
     "\"colliders\": [{\"name\": \"c\", \"shape\": \"sphere\", \"radius\": 0.15}]}",
     30, 0.02},
    {"a rod swings, with BDF2",
     "{\"version\": 1, \"settings\": {\"substeps\": 40, \"integrator\": \"bdf2\"},"
     "\"meshes\": {\"m\": {\"shape\": \"rope\", \"end\": [0.5, 0, 0], \"segments\": 10}},"
     "\"bodies\": [{\"name\": \"b\", \"mesh\": \"m\", \"pins\": [0, 1],"
     " \"material\": {\"kind\": \"rod\", \"preset\": \"rubber\"}}]}",
     30, 0.01},
};
enum { SMALLS = sizeof smalls / sizeof *smalls };

static sn_scene *open_text(const small *s, int substeps) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    def.substeps = substeps;
    def.path = "small.json";
    def.text = s->text;
    def.length = strlen(s->text);
    REQUIRE_OK(sn_scene_open(&def, &scene));
    REQUIRE_OK(sn_scene_audit(scene));
    return scene;
}

static sn_audit audit_of(sn_scene *scene) {
    sn_audit audit = {0};
    CHECK_OK(sn_world_get_audit(sn_scene_world(scene), &audit));
    return audit;
}

/* What went in, came out or was lost, and what moves. */
static double turnover(const sn_audit *audit) {
    size_t count;
    const sn_audit_field *field = sn_audit_fields(&count);
    double sum = audit->kinetic;
    for (size_t i = 0; i < count; i++)
        if (field[i].part == SN_AUDIT_WORK || field[i].part == SN_AUDIT_LOSS)
            sum += fabs(((const double *)audit)[i]);
    return sum;
}

TEST(small_scenes_are_explained) {
    for (int i = 0; i < SMALLS; i++) {
        check_case("%s", smalls[i].name);
        sn_scene *scene = open_text(&smalls[i], 0);
        for (int k = 0; k < smalls[i].frames; k++) REQUIRE_OK(sn_scene_step(scene));
        sn_audit audit = audit_of(scene);
        double most = turnover(&audit);
        if (check_shows())
            printf("%s: damping %g friction %g impact %g plasticity %g integrator %g solver %g, "
                   "nodes %g air %g, unexplained %g\n",
                   smalls[i].name, audit.lost_damping, audit.lost_friction, audit.lost_impact,
                   audit.lost_plasticity, audit.lost_integrator, audit.lost_solver,
                   audit.work_nodes, audit.work_air, audit.unexplained);
        CHECK(most > 0);
        CHECK_NEAR(audit.unexplained, 0, smalls[i].most * most);
        /* Each has its own. */
        CHECK(i != 0 || audit.lost_damping > 0.5 * most);
        CHECK(i != 1 || (audit.lost_plasticity > 0.2 * most && audit.work_nodes > 0.2 * most));
        CHECK(i != 2 || audit.work_air > 0.2 * most);
        CHECK(i != 3 || (audit.lost_friction > 0 && audit.lost_impact > 0.05 * most));
        sn_scene_close(scene);
    }
}

/* One sweep in half the time leaves a quarter undone. */
TEST(shorter_substeps_lose_less_to_the_solver) {
    double lost[2], rest[2];
    for (int i = 0; i < 2; i++) {
        sn_scene *scene = open_text(&smalls[0], i == 0 ? 20 : 40);
        for (int k = 0; k < smalls[0].frames; k++) REQUIRE_OK(sn_scene_step(scene));
        lost[i] = audit_of(scene).lost_solver;
        rest[i] = audit_of(scene).lost_integrator;
        sn_scene_close(scene);
    }
    CHECK(lost[0] > 0 && rest[0] > 0);
    CHECK_NEAR(lost[1] / lost[0], 0.25, 0.05);
    CHECK(rest[1] < 0.8 * rest[0]);
}

/* ---- The simulation does not know of it ---- */

typedef struct run {
    uint64_t hash;
    sn_audit audit;
} run;

static run run_of(const char *name, bool audited, int threads, int width) {
    char path[512];
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    run r = {0};
    snprintf(path, sizeof path, "%s/%s.json", SCENES, name);
    def.path = path;
    def.threads = threads;
    def.simd_width = width;
    def.substeps = 5;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    if (audited) REQUIRE_OK(sn_scene_audit(scene));
    for (int k = 0; k < 4; k++) REQUIRE_OK(sn_scene_step(scene));
    r.hash = sn_world_hash(sn_scene_world(scene));
    if (audited) r.audit = audit_of(scene);
    sn_scene_close(scene);
    return r;
}

TEST(scenes_do_not_know_that_they_are_audited) {
    static const char *const names[] = {"flag", "tests/drape", "jellies", "rods",    "crease",
                                        "cape", "bounce",      "incline", "regions", "gears"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_case("%s", names[i]);
        run alone = run_of(names[i], false, 1, 0), one = run_of(names[i], true, 1, 1),
            many = run_of(names[i], true, 3, 4);
        CHECK(one.hash == alone.hash);
        CHECK(many.hash == alone.hash);
        CHECK(memcmp(&one.audit, &many.audit, sizeof one.audit) == 0);
    }
}

/* ---- Columns ---- */

TEST(an_audit_has_columns) {
    sn_scene *scene = open_text(&smalls[0], 0);
    double values[256];
    size_t count = sn_scene_column_count(scene);
    CHECK(count <= 256);
    REQUIRE_OK(sn_scene_step(scene));
    REQUIRE_OK(sn_scene_measure(scene, values));
    sn_audit audit = audit_of(scene);
    CHECK(strcmp(sn_scene_column(scene, count - 1), "audit unexplained [J]") == 0);
    CHECK_NEAR(values[count - 1], audit.unexplained, 0);
    CHECK(strcmp(sn_scene_column(scene, count - 2), "audit lost solver [J]") == 0);
    CHECK_NEAR(values[count - 2], audit.lost_solver, 0);
    CHECK_FAILS(sn_scene_audit(scene), SN_ERROR_VALUE);
    CHECK_FAILS(sn_scene_audit(NULL), SN_ERROR_NULL);
    sn_scene_close(scene);
}

TESTS(RUN(small_scenes_are_explained), RUN(shorter_substeps_lose_less_to_the_solver),
      RUN(scenes_do_not_know_that_they_are_audited), RUN(an_audit_has_columns))
