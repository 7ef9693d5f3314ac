/* The measured scenes as cases: S1 in three sizes, S2, S3, S1 with every other solver, and S1 and
   S3 with the other integrator. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

enum { QUICK_FRAMES = 5 };

static sn_result build_s1(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    return scene_s1(world, c->size, mesh);
}

static sn_result build_s2(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    (void)c;
    return scene_s2(world, mesh);
}

static sn_result build_s3(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    (void)c;
    *mesh = (scene_mesh){0};
    return scene_s3(world);
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
static bench_case solver_case(const char *name, sn_solver solver) {
    bench_case c = s1_case(100, 300, 1, 0);
    c.limit_name = NULL;
    c.solver = solver;
    snprintf(c.name, BENCH_NAME, "S1-100:%s", name);
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

/* The same with BDF2: what a substep costs then, and what strain it leaves. */
static bench_case with_bdf2(bench_case c) {
    c.limit_name = NULL;
    c.integrator = SN_INTEGRATOR_BDF2;
    size_t length = strlen(c.name);
    snprintf(c.name + length, sizeof c.name - length, ":bdf2");
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
        s3_case(),
        solver_case("reference", SN_SOLVER_REFERENCE),
        solver_case("jacobi", SN_SOLVER_JACOBI),
        solver_case("averaged", SN_SOLVER_AVERAGED),
        solver_case("hybrid", SN_SOLVER_HYBRID),
        with_bdf2(s1_case(100, 300, 3, 0)),
        with_bdf2(s3_case()),
    };
    for (int i = 0; i < BENCH_SCENES; i++) {
        cases[i] = all[i];
        if (!quick) continue;
        cases[i].frames = QUICK_FRAMES;
        cases[i].repeats = 1;
    }
}
