/*
 * What contacts between balls cost: a box full of balls, each of which touches its neighbours, at
 * rest.
 *
 *     contact_balls_time [threads [balls along an edge]]
 *
 * Prints milliseconds per step of ten substeps, the mean of ten steps after thirty; with one thread
 * all is as the time of the processor, which does not count what else the machine does.
 */
#include <scenes.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void must(sn_result result) {
    if (result == SN_OK) return;
    fprintf(stderr, "%s\n", sn_last_error());
    exit(1);
}

int main(int argc, char **argv) {
    enum { WARM = 30, STEPS = 10 };
    int threads = argc > 1 ? atoi(argv[1]) : 1, edge = argc > 2 ? atoi(argv[2]) : 34;
    sn_world *world;
    sn_stats stats;
    double step = 0, find = 0, contact = 0, processor = 0;
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    must(sn_world_create(&def, &world));
    must(scene_balls(world, edge));
    for (int i = 0; i < WARM + STEPS; i++) {
        clock_t since = clock();
        must(sn_world_step(world, (sn_real)(1.0 / 60)));
        must(sn_world_stats(world, &stats));
        if (i < WARM) continue;
        processor += 1e3 * (double)(clock() - since) / CLOCKS_PER_SEC / STEPS;
        step += 1e3 * stats.time_step / STEPS;
        find += 1e3 * stats.time_find / STEPS;
        contact += 1e3 * stats.time_contact / STEPS;
    }
    printf("%zu balls, %zu contacts, %zu candidates, %zu detections, %d threads:\n", stats.nodes,
           stats.contacts, stats.candidates, stats.detections, threads);
    double part = threads == 1 ? processor / step : 1;
    printf("  step %.1f ms, find %.1f ms, contact %.1f ms\n", part * step, part * find,
           part * contact);
    sn_world_destroy(world);
    return 0;
}
