#include "cuda_bench.h"

#include <stdio.h>

#include "base/clock.h"
#include "check.h"
#include "scenes.h"
#include "step/solvers/solver.h"

enum { COLUMNS = 592, SWEEPS = 20, TIMES = 7 };

typedef struct bench {
    sn_world *world;
    sn_cuda *cuda; /* null for the threads */
} bench;

/* A cloth with 20 sweeps in a step, which has made one. */
static sn_world *make_world(sn_cuda *cuda) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    scene_cloth_def cloth = scene_cloth_def_default();
    def.threads = 0;
    def.settings.substeps = 1;
    def.settings.iterations = SWEEPS;
    def.settings.keep_forces = false;
    cloth.columns = cloth.rows = COLUMNS;
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(scene_cloth(world, &cloth, NULL));
    if (cuda) sn_cuda_lend(cuda, world);
    REQUIRE_OK(sn_world_step(world, SCENE_DT));
    return world;
}

/* Sweeps alone: nodes and constraints are where they are needed. */
static void sweep(const bench *b) {
    sn_step step = {.world = b->world, .backend = b->world->bindings.backend};
    for (int i = 0; i < SWEEPS; i++) sn_project_coloured(&step, SN_COLOURS, i == 0, false);
    if (b->cuda) sn_cuda_wait(b->cuda);
}

/* With what travels between host and device. */
static void step(const bench *b) {
    REQUIRE_OK(sn_world_step(b->world, SCENE_DT));
}

static void set_substeps(const bench *b, int substeps) {
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(b->world, &settings));
    settings.substeps = substeps;
    settings.iterations = SWEEPS / substeps;
    REQUIRE_OK(sn_world_set_settings(b->world, &settings));
    step(b);
}

/* ns per projection, the least of several runs. */
static double measure(const bench *b, void (*run)(const bench *b)) {
    double least = 0;
    for (int i = 0; i < TIMES; i++) {
        double start = sn_clock();
        run(b);
        double took = sn_clock() - start;
        if (i == 0 || took < least) least = took;
    }
    return least * 1e9 / ((double)b->world->constraints.slots.live * SWEEPS);
}

static void print_rows(const char *who, const bench *b) {
    size_t count = b->world->constraints.slots.live;
    sn_team_begin(b->world->bindings.team);
    sweep(b);
    printf("| %s | sweeps alone | %zu | %.4f |\n", who, count, measure(b, sweep));
    sn_team_end(b->world->bindings.team);
    if (b->cuda) b->world->bindings.backend->fetch(b->world->bindings.backend, UINT32_MAX);
    printf("| %s | steps of 1 substep, 20 sweeps | %zu | %.4f |\n", who, count, measure(b, step));
    set_substeps(b, SWEEPS);
    printf("| %s | steps of 20 substeps, 1 sweep | %zu | %.4f |\n", who, count, measure(b, step));
}

bool cuda_bench(sn_cuda *cuda) {
    bench device = {make_world(cuda), cuda}, threads = {make_world(NULL), NULL};
    char name[32];
    snprintf(name, sizeof name, "%d threads", sn_team_threads(threads.world->bindings.team));
    printf("\n| | 20 sweeps, as | distances | ns per projection |\n|---|---|---|---|\n");
    print_rows(sn_cuda_name(cuda), &device);
    print_rows(name, &threads);
    bool equal = sn_world_hash(device.world) == sn_world_hash(threads.world);
    sn_world_destroy(device.world);
    sn_world_destroy(threads.world);
    return equal;
}
