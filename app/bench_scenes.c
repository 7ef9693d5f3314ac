/* The measured scenes as cases: S1 in three sizes and S2. */
#include "bench.h"

#include <stdio.h>

static sn_result build_s1(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    return scene_s1(world, c->size, mesh);
}

static sn_result build_s2(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    (void)c;
    return scene_s2(world, mesh);
}

void bench_list_scenes(bench_case cases[BENCH_SCENES], bool quick) {
    static const struct {
        int columns, frames, repeats;
        size_t edges;
    } s1[] = {{100, 300, 3, 29601}, {300, 300, 3, 268801}, {1000, 60, 1, 2996001}};
    enum { S1_COUNT = sizeof s1 / sizeof s1[0], QUICK = 5 };
    for (int i = 0; i < S1_COUNT; i++) {
        cases[i] = (bench_case){
            .size = s1[i].columns,
            .frames = quick ? QUICK : s1[i].frames,
            .repeats = quick ? 1 : s1[i].repeats,
            .limit_name = "edges-delta-frame",
            .limit_size = s1[i].edges,
            .build = build_s1,
        };
        snprintf(cases[i].name, BENCH_NAME, "S1-%d", s1[i].columns);
    }
    cases[S1_COUNT] = (bench_case){
        .name = "S2",
        .frames = quick ? QUICK : 120,
        .repeats = quick ? 1 : 3,
        .limit_name = "tet-distance-volume",
        .limit_size = 20000,
        .build = build_s2,
    };
}
