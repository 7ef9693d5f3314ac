/*
 * What contacts between balls cost: a box full of balls, each of which touches its neighbours, at
 * rest.
 *
 *     contact_balls_time [threads [balls along an edge]]
 *
 * Prints milliseconds per step of ten substeps, the mean of ten steps after five; with one thread
 * all is as the time of the processor, which does not count what else the machine does.
 */
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void must(sn_result result) {
    if (result == SN_OK) return;
    fprintf(stderr, "%s\n", sn_last_error());
    exit(1);
}

static void add_wall(sn_world *world, sn_vec3 position, sn_quat orientation) {
    sn_collider collider;
    sn_collider_def def = sn_collider_def_default();
    def.position = position;
    def.orientation = orientation;
    must(sn_collider_create(world, &def, &collider));
}

/* A floor and four walls around a cube. */
static void add_box(sn_world *world, sn_real size) {
    const sn_real s = (sn_real)0.70710678;
    add_wall(world, (sn_vec3){0, 0, 0}, (sn_quat){0, 0, 0, 1});
    add_wall(world, (sn_vec3){0, 0, 0}, (sn_quat){0, 0, -s, s});
    add_wall(world, (sn_vec3){size, 0, 0}, (sn_quat){0, 0, s, s});
    add_wall(world, (sn_vec3){0, 0, 0}, (sn_quat){s, 0, 0, s});
    add_wall(world, (sn_vec3){0, 0, size}, (sn_quat){-s, 0, 0, s});
}

static void add_balls(sn_world *world, size_t edge, sn_real radius) {
    size_t count = edge * edge * edge;
    sn_node *nodes = malloc(count * sizeof *nodes);
    sn_node_def def = sn_node_def_default();
    sn_skin_def skin = sn_skin_def_default();
    sn_skin made;
    if (!nodes) exit(1);
    def.radius = radius;
    def.inverse_mass = 1000;
    for (size_t i = 0; i < count; i++) {
        size_t x = i % edge, y = i / edge % edge, z = i / (edge * edge);
        def.position = (sn_vec3){radius * (sn_real)(2 * x + 1), radius * (sn_real)(2 * y + 1),
                                 radius * (sn_real)(2 * z + 1)};
        must(sn_node_create(world, &def, &nodes[i]));
    }
    skin.nodes = nodes;
    skin.node_count = count;
    skin.detail = SN_SKIN_POINTS;
    skin.self = true;
    must(sn_skin_create(world, &skin, &made));
    free(nodes);
}

int main(int argc, char **argv) {
    enum { WARM = 5, STEPS = 10 };
    int threads = argc > 1 ? atoi(argv[1]) : 1, edge = argc > 2 ? atoi(argv[2]) : 34;
    const sn_real radius = (sn_real)0.005;
    sn_world *world;
    sn_stats stats;
    double step = 0, find = 0, contact = 0, processor = 0;
    sn_world_def def = sn_world_def_default();
    if (edge < 1 || edge > 200) return 1;
    def.settings.substeps = 10;
    def.threads = threads;
    must(sn_world_create(&def, &world));
    add_box(world, 2 * radius * (sn_real)edge);
    add_balls(world, (size_t)edge, radius);
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
