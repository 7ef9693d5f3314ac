/*
 * The team of threads: every item of a stage once, and before the next begins, whatever the sizes
 * of stages and however many threads a step wakes. Of a flow, every track after those it waits for.
 */
#include "base/team.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { MOST = 5000, STEPS = 40, STAGES = 30 };

typedef struct items {
    int done[MOST];
    int stage;
} items;

static void *reallocate(void *user, void *pointer, size_t old_size, size_t new_size) {
    (void)user, (void)old_size;
    if (new_size > 0) return realloc(pointer, new_size);
    free(pointer);
    return NULL;
}

/* What a stage finds is what the one before has left. */
static void work(void *context, size_t begin, size_t end) {
    items *all = context;
    for (size_t i = begin; i < end; i++)
        all->done[i] = all->done[i] == all->stage - 1 ? all->stage : -1;
}

/* Steps of stages of many sizes; every third step has none that is worth a second thread. */
static bool run_steps(sn_team *team, items *all) {
    static const size_t sizes[] = {5000, 8, 9, 20, 100, 3, 1000, 64};
    for (int step = 0; step < STEPS; step++) {
        sn_team_set_alone(team, step % 5 == 4);
        sn_team_begin(team);
        for (int s = 0; s < STAGES; s++) {
            size_t count = sizes[(s * 7 + step) % 8], alone = s % 3 > 0 ? 8 : 2;
            for (size_t i = 0; i < count; i++) all->done[i] = all->stage;
            all->stage++;
            sn_team_run(team, count, step % 3 == 0 ? MOST + 1 : alone, work, all);
            for (size_t i = 0; i < count; i++)
                if (all->done[i] != all->stage) return false;
        }
        sn_team_end(team);
    }
    return true;
}

TEST(every_item_is_worked_on_once) {
    static const int threads[] = {1, 2, 3, 7, 16};
    sn_memory memory = {.allocator = {reallocate, NULL}};
    sn_task_system none = {0};
    items *all = calloc(1, sizeof *all);
    if (!CHECK(all)) return;
    for (int k = 0; k < 5; k++) {
        sn_team *team = sn_team_create(&memory, threads[k], &none);
        if (!CHECK(team)) break;
        CHECK(sn_team_threads(team) <= threads[k]);
        CHECK(run_steps(team, all));
        sn_team_destroy(&memory, team);
    }
    free(all);
}

/* ---- Flows ---- */

enum { CELLS = 400, FLOW_STAGES = 60 };

/* A row of cells, each of which becomes the sum of itself and its neighbours, even and odd ones in
   turn: what comes out depends on the order. */
typedef struct row {
    uint32_t cell[CELLS];
} row;

static void add_neighbours(row *r, size_t begin, size_t end, size_t odd) {
    for (size_t i = begin; i < end; i++) {
        size_t k = 2 * i + odd;
        r->cell[k] += 3 * r->cell[k > 0 ? k - 1 : CELLS - 1] + r->cell[(k + 1) % CELLS] + 1;
    }
}

static void do_even(void *context, size_t begin, size_t end) {
    add_neighbours(context, begin, end, 0);
}

static void do_odd(void *context, size_t begin, size_t end) {
    add_neighbours(context, begin, end, 1);
}

/* All at once, by the last track. */
static void do_last(void *context, size_t begin, size_t end) {
    row *r = context;
    for (size_t k = 0; begin < end && k < CELLS; k++) r->cell[k] = r->cell[k] * 5 + (uint32_t)k;
}

static void make_flow(sn_flow_stage *stage, sn_window (*window)[16], row *r, size_t tracks) {
    for (size_t s = 0; s < FLOW_STAGES; s++) {
        bool last = s % 20 == 13;
        sn_range_function *function = last ? do_last : s % 2 ? do_odd : do_even;
        stage[s] = (sn_flow_stage){function, r, last ? 1 : CELLS / 2, window[s]};
        for (size_t t = 0; t < tracks; t++) {
            /* The ends of the row are neighbours, and what the last track does touches all. */
            bool all = last || t == 0 || t + 1 == tracks || s % 20 > 13;
            window[s][t] = all ? (sn_window){0, (uint16_t)tracks}
                               : (sn_window){(uint16_t)(t - 1), (uint16_t)(t + 2)};
        }
    }
}

static void check_flows(sn_team *team, size_t tracks) {
    row *r = calloc(2, sizeof *r);
    sn_flow_stage stage[FLOW_STAGES];
    sn_window window[FLOW_STAGES][16];
    if (!CHECK(r)) return;
    make_flow(stage, window, &r[0], tracks);
    for (int step = 0; step < STEPS; step++) {
        sn_team_begin(team);
        for (int i = 0; i < 3; i++) {
            sn_team_flow(team, stage, FLOW_STAGES, tracks);
            sn_team_run(team, CELLS / 2, 8, do_even, &r[0]);
        }
        sn_team_end(team);
        for (int i = 0; i < 3; i++) {
            for (size_t s = 0; s < FLOW_STAGES; s++) stage[s].function(&r[1], 0, stage[s].count);
            do_even(&r[1], 0, CELLS / 2);
        }
    }
    CHECK(memcmp(&r[0], &r[1], sizeof *r) == 0);
    free(r);
}

TEST(tracks_of_a_flow_wait_for_each_other) {
    sn_memory memory = {.allocator = {reallocate, NULL}};
    static const int threads[] = {1, 2, 3, 7, 16};
    sn_task_system none = {0};
    for (int k = 0; k < 5; k++) {
        sn_team *team = sn_team_create(&memory, threads[k], &none);
        if (!CHECK(team)) break;
        CHECK(sn_team_tracks(team) >= 1 && sn_team_tracks(team) <= sn_team_threads(team));
        /* Fewer tracks than threads, as many, and, as nobody relies on a thread, more. */
        check_flows(team, 1);
        check_flows(team, (size_t)threads[k]);
        check_flows(team, (size_t)(threads[k] + 1) / 2);
        sn_team_destroy(&memory, team);
    }
}

TESTS(RUN(every_item_is_worked_on_once), RUN(tracks_of_a_flow_wait_for_each_other))
