/* The measured scenes as cases: S1 in three sizes, S2 in two materials, S3, S4, S5, S6 with what
   its cloth meets of itself, balls, S1 with every other solver, and S1 and S3 with the other
   integrator; S1 with few substeps, with tethers, with levels, with both; and 5,000 strands of
   hair. */
#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

enum { QUICK_FRAMES = 5 };

/* From every node to both of the corners that are held. */
static sn_result add_tethers(sn_world *world, int columns, const scene_mesh *mesh) {
    size_t corner[2] = {0, (size_t)columns - 1};
    for (size_t i = 0; i < mesh->node_count; i++)
        for (int k = 0; k < 2 && i != corner[0] && i != corner[1]; k++) {
            sn_tether_def def = sn_tether_def_default();
            sn_constraint made;
            def.node[0] = mesh->nodes[i];
            def.node[1] = mesh->nodes[corner[k]];
            sn_result result = sn_constraint_create(world, SN_TYPE_TETHER, &def, &made);
            if (result != SN_OK) return result;
        }
    return SN_OK;
}

static sn_result add_levels(sn_world *world, const scene_mesh *mesh) {
    sn_hierarchy_def def = sn_hierarchy_def_default();
    sn_hierarchy hierarchy;
    def.nodes = mesh->nodes;
    def.node_count = mesh->node_count;
    def.triangles = mesh->triangles[0];
    def.triangle_count = mesh->triangle_count;
    return sn_hierarchy_create(world, &def, &hierarchy);
}

static sn_result build_s1(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    sn_result result = scene_s1(world, c->size, mesh);
    if (result == SN_OK && c->tethers) result = add_tethers(world, c->size, mesh);
    if (result == SN_OK && c->levels) result = add_levels(world, mesh);
    return result;
}

static sn_result build_s2(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    (void)c;
    return scene_s2(world, mesh);
}

static sn_result build_s2_elements(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    (void)c;
    return scene_s2_elements(world, mesh);
}

static sn_result build_s3(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    (void)c;
    *mesh = (scene_mesh){0};
    return scene_s3(world);
}

static sn_result build_s6(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    return scene_s6(world, c->self, mesh);
}

static sn_result build_balls(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    *mesh = (scene_mesh){0};
    return scene_balls(world, c->size);
}

static sn_result build_hair(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    *mesh = (scene_mesh){0};
    return scene_hair(world, c->size);
}

static sn_result build_s4(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    *mesh = (scene_mesh){0};
    return c->size > 0 ? scene_s4_pyramid(world, c->size) : scene_s4_pile(world);
}

static sn_result build_s5(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    *mesh = (scene_mesh){0};
    sn_result result = scene_s5(world, (int)c->projections);
    if (result != SN_OK) return result;
    sn_settings settings;
    sn_world_get_settings(world, &settings);
    settings.iterations = c->size;
    return sn_world_set_settings(world, &settings);
}

/* Five times all densities in a frame: one iteration of each substep, or all in one. */
static bench_case s5_case(const char *name, int substeps, size_t count, int frames, int repeats) {
    bench_case c = {.size = 5 / substeps,
                    .frames = frames,
                    .repeats = repeats,
                    .limit_name = "pbf-neighbours",
                    .limit_size = count,
                    .limit_more = "pbf-density",
                    .limit_times = 5,
                    .dt = SCENE_DT,
                    .projections = count, /* one for each particle */
                    .substeps = substeps,
                    .mean = true,
                    .build = build_s5};
    snprintf(c.name, BENCH_NAME, "%s", name);
    return c;
}

static bench_case s1_case(int columns, int frames, int repeats, size_t edges) {
    bench_case c = {.size = columns,
                    .frames = frames,
                    .repeats = repeats,
                    .limit_name = "edges-delta-frame",
                    .limit_size = edges,
                    .dt = SCENE_DT,
                    .build = build_s1};
    snprintf(c.name, BENCH_NAME, "S1-%d", columns);
    return c;
}

/* S1 at 100 x 100 again, for comparing errors; there are no limits of these solvers. */
static bench_case solver_case(sn_solver solver) {
    bench_case c = s1_case(100, 300, 1, 0);
    c.limit_name = NULL;
    c.solver = solver;
    snprintf(c.name, BENCH_NAME, "S1-100:%s", sn_solver_name(solver));
    return c;
}

/* A pyramid of so many levels that stands, or (none) a pile that lies by then. */
static bench_case s4_case(const char *name, int size, int settle, int frames) {
    bench_case c = {.size = size,
                    .settle = settle,
                    .frames = frames,
                    .repeats = 1,
                    .dt = SCENE_DT,
                    .mean = true,
                    .build = build_s4};
    snprintf(c.name, BENCH_NAME, "%s", name);
    return c;
}

static bench_case s3_case(void) {
    return (bench_case){.name = "S3",
                        .frames = 200,
                        .repeats = 3,
                        .limit_name = "rod",
                        .limit_size = 1000,
                        .dt = SCENE_S3_DT,
                        .projections = 2000,
                        .build = build_s3};
}

static bench_case s6_case(const char *name, int frames, scene_self self) {
    bench_case c = {.frames = frames,
                    .repeats = 3,
                    .dt = SCENE_DT,
                    .self = self,
                    .mean = true,
                    .build = build_s6};
    snprintf(c.name, BENCH_NAME, "%s", name);
    return c;
}

/* Every ball touches its neighbours along the three axes. That cannot stand: it is measured when
   they lie as they do in a heap. */
static bench_case balls_case(int edge) {
    return (bench_case){.name = "balls",
                        .size = edge,
                        .settle = 30,
                        .frames = 15,
                        .repeats = 1,
                        .dt = SCENE_DT,
                        .projections = 3 * (size_t)edge * (size_t)edge * (size_t)(edge - 1),
                        .build = build_balls};
}

/* The same with BDF2: what a substep costs then, and what strain it leaves. */
static bench_case with_bdf2(bench_case c) {
    c.limit_name = NULL;
    c.integrator = SN_INTEGRATOR_BDF2;
    size_t length = strlen(c.name);
    snprintf(c.name + length, sizeof c.name - length, ":bdf2");
    return c;
}

/* S1 with few substeps: what strain is left at which price, with what holds from afar. */
static bench_case quality_case(int columns, bool tethers, bool levels) {
    static const char *const names[] = {"few", "tethers", "levels", "both"};
    bench_case c = s1_case(columns, 300, 1, 0);
    c.limit_name = NULL;
    c.substeps = 4;
    c.tethers = tethers;
    c.levels = levels;
    size_t length = strlen(c.name);
    snprintf(c.name + length, sizeof c.name - length, ":%s", names[tethers + 2 * levels]);
    return c;
}

void bench_list_scenes(bench_case cases[BENCH_SCENES], bool quick) {
    const bench_case all[BENCH_SCENES] = {
        s1_case(100, 300, 3, 29601),
        s1_case(300, 300, 3, 268801),
        s1_case(1000, 60, 1, 2996001),
        {.name = "S2",
         .frames = 120,
         .repeats = 3,
         .limit_name = "tet-distance-volume",
         .limit_size = 20000,
         .dt = SCENE_DT,
         .build = build_s2},
        {.name = "S2:neo-hookean",
         .frames = 120,
         .repeats = 3,
         .limit_name = "tet-neo-hookean",
         .limit_size = 20000,
         .dt = SCENE_DT,
         .build = build_s2_elements},
        s3_case(),
        s4_case("S4:pyramid", 18, 0, 60),
        s4_case("S4:pile", 0, 470, 30),
        /* 20,540 boxes, for many threads. */
        s4_case("S4:large", 39, 0, 10),
        s5_case("S5", 5, 20000, 60, 3),
        s5_case("S5:iterations", 1, 20000, 60, 3),
        /* For what is linear, and for many threads. */
        s5_case("S5-100k", 1, 100000, 20, 1),
        s5_case("S5-1M", 1, 1000000, 3, 1),
        s6_case("S6", 300, SCENE_SELF_SURFACE),
        s6_case("S6:points", 300, SCENE_SELF_POINTS),
        s6_case("S6:alone", 300, SCENE_SELF_NONE),
        /* While it moves: afterwards it lies, and costs little. */
        s6_case("S6-moving", 60, SCENE_SELF_SURFACE),
        s6_case("S6-moving:guarded", 60, SCENE_SELF_GUARDED),
        s6_case("S6-moving:points", 60, SCENE_SELF_POINTS),
        s6_case("S6-moving:alone", 60, SCENE_SELF_NONE),
        balls_case(34),
        {.name = "hair",
         .size = 5000,
         .frames = 30,
         .repeats = 1,
         .dt = SCENE_DT,
         .projections = 15 * 5000,
         .build = build_hair},
        {.name = "hair-47000",
         .size = 47000,
         .frames = 5,
         .repeats = 1,
         .dt = SCENE_DT,
         .projections = 15 * 47000,
         .build = build_hair},
        solver_case(SN_SOLVER_REFERENCE),
        solver_case(SN_SOLVER_JACOBI),
        solver_case(SN_SOLVER_AVERAGED),
        solver_case(SN_SOLVER_HYBRID),
        solver_case(SN_SOLVER_SPLIT),
        with_bdf2(s1_case(100, 300, 3, 0)),
        with_bdf2(s3_case()),
        quality_case(100, false, false),
        quality_case(100, true, false),
        quality_case(100, false, true),
        quality_case(100, true, true),
        quality_case(300, false, false),
        quality_case(300, true, false),
        quality_case(300, false, true),
        quality_case(300, true, true),
    };
    for (int i = 0; i < BENCH_SCENES; i++) {
        cases[i] = all[i];
        if (!quick) continue;
        cases[i].frames = QUICK_FRAMES;
        cases[i].settle = 0;
        cases[i].repeats = 1;
    }
}
