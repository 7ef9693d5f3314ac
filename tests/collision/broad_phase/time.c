/*
 * What the broad phase costs: milliseconds and nanoseconds per box, by the number of boxes.
 *
 *     contact_broad_time [threads [boxes]]
 *
 * With one thread it is the time of the processor, which does not count what else the machine does.
 */
#include "base/clock.h"
#include "boxes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static sn_memory memory;
static sn_team *team;

static double now(void) {
    return sn_team_threads(team) == 1 ? (double)clock() / CLOCKS_PER_SEC : sn_clock();
}

/* The best of several searches; `step` is how far boxes move between them. */
static double best(sn_broad *broad, boxes *b, sn_broad_phase kind, double step) {
    sn_boxes view = boxes_view(b);
    double least = 1e9;
    int rounds = b->count < 10000 ? 100 : b->count < 200000 ? 20 : 4;
    for (int round = 0; round < rounds; round++) {
        double since = now();
        sn_team_begin(team);
        if (!sn_broad_find(broad, &memory, team, kind, &view, NULL, NULL, NULL)) exit(1);
        sn_team_end(team);
        double taken = now() - since;
        if (round > 0 && taken < least) least = taken;
        boxes_move(b, step);
    }
    return least;
}

static void print(const char *name, boxes *b, sn_broad_phase kind, double step) {
    sn_broad broad = {0};
    double seconds = best(&broad, b, kind, step);
    printf("| %-6s | %-12s | %-4s | %8zu | %5.1f | %9.3f | %6.0f |\n", name,
           kind == SN_BROAD_AUTO   ? "auto"
           : kind == SN_BROAD_GRID ? "grid"
           : step > 0.1            ? "tree, built"
                                   : "tree, fitted",
           broad.used == SN_BROAD_GRID ? "grid" : "tree", b->count,
           2 * (double)broad.total / (double)b->count, 1e3 * seconds,
           1e9 * seconds / (double)b->count);
    fflush(stdout);
    sn_broad_free(&broad, &memory);
}

/* Cubes of side 1 anywhere in a volume, each of which overlaps about six. */
static void volume(boxes *b) {
    boxes_scatter(b, (sn_vec3){0, 0, 0}, cbrt((double)b->count * 8 / 6), 1, 1);
}

/* The triangles of a cloth, each of which touches twelve; and the same across the rows. */
static void cloth(boxes *b, bool across) {
    size_t side = (size_t)sqrt((double)b->count / 2);
    for (size_t i = 0; i < b->count; i++) {
        sn_real u = (sn_real)(i / 2 % side), v = (sn_real)(i / 2 / side);
        sn_vec3 middle = {u, (sn_real)(0.2 * boxes_random(b)), v};
        if (across) middle = (sn_vec3){0, u, v};
        boxes_set(b, i, middle, (sn_vec3){1, 1, 1});
    }
}

int main(int argc, char **argv) {
    memory = (sn_memory){.allocator = sn_allocator_default()};
    team = sn_team_create(&memory, argc > 1 ? atoi(argv[1]) : 1, &(sn_task_system){0});
    if (!team) return 1;
    static const size_t counts[] = {1000, 3600, 10000, 30000, 100000, 300000, 1000000};
    size_t only = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
    printf("| boxes  | asked for    | used |    count | meets |        ms | ns/box |\n");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        boxes b;
        if (only && i > 0) break;
        boxes_init(&b, only ? only : counts[i], 1);
        volume(&b);
        print("volume", &b, SN_BROAD_AUTO, 0.01);
        volume(&b);
        print("volume", &b, SN_BROAD_TREE, 0.01);
        print("volume", &b, SN_BROAD_TREE, 1e3);
        cloth(&b, false);
        print("cloth", &b, SN_BROAD_AUTO, 0.01);
        print("cloth", &b, SN_BROAD_TREE, 0.01);
        cloth(&b, true);
        print("sheet", &b, SN_BROAD_AUTO, 0.01);
        boxes_free(&b);
    }
    sn_team_destroy(&memory, team);
    return 0;
}
