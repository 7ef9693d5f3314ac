/*
 * The team of threads: every item of a stage once, and before the next begins, whatever the sizes
 * of stages and however many threads a step wakes.
 */
#include "base/team.h"

#include <stdlib.h>

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

TESTS(RUN(every_item_is_worked_on_once))
