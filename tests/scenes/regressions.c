/*
 * What was once wrong stays right: every scene in scenes/regressions is simulated to its end, and
 * keeps what scenes/regressions/expected.txt promises of it.
 *
 *     scenes_regressions --show     prints the values, also those that are as promised
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scene_watch.h"

enum { MOST_PROMISES = 200, LINE = 256, MOST_COLUMNS = 256 };

/* A line of the table. */
typedef struct promise {
    char scene[64], when[16], what[96];
    double least, most;
    uint64_t hash;
    double low, high; /* of what was seen */
} promise;

static promise promises[MOST_PROMISES];
static int promise_count;

static void read_promises(void) {
    char line[LINE];
    FILE *file = fopen(REGRESSIONS "/expected.txt", "r");
    promise_count = 0;
    REQUIRE_OK(file ? SN_OK : SN_ERROR_FILE);
    while (fgets(line, sizeof line, file)) {
        promise *p = &promises[promise_count];
        if (line[0] == '#' || line[0] == '\n') continue;
        *p = (promise){.low = INFINITY, .high = -INFINITY};
        bool is_hash = sscanf(line, " %63s | hash | %" SCNx64, p->scene, &p->hash) == 2;
        bool is_known = is_hash || sscanf(line, " %63s | %15s | %95[^|]| %lf | %lf", p->scene,
                                          p->when, p->what, &p->least, &p->most) == 5;
        check_case("%s", line);
        REQUIRE_OK(is_known && promise_count + 1 < MOST_PROMISES ? SN_OK : SN_ERROR_DATA);
        for (size_t end = strlen(p->what); end > 0 && p->what[end - 1] == ' ';) p->what[--end] = 0;
        promise_count++;
    }
    fclose(file);
}

/* ---- What is seen ---- */

static double column_of(const sn_scene *scene, const double *values, const char *name,
                        size_t length) {
    for (size_t i = 0; i < sn_scene_column_count(scene); i++) {
        const char *column = sn_scene_column(scene, i);
        if (strlen(column) == length && memcmp(column, name, length) == 0) return values[i];
    }
    return NAN;
}

/* A column, or the difference of two; crossings are counted here, and not by the world. */
static double value_of(sn_scene *scene, const char *what) {
    static const char minus[] = " - ";
    double values[MOST_COLUMNS];
    if (strcmp(what, "edges through triangles") == 0) return (double)scene_crossings(scene);
    if (strcmp(what, "fastest node [m/s]") == 0) return scene_fastest(scene);
    REQUIRE_OK(sn_scene_column_count(scene) <= MOST_COLUMNS ? SN_OK : SN_ERROR_LIMIT);
    REQUIRE_OK(sn_scene_measure(scene, values));
    const char *second = strstr(what, minus);
    if (!second) return column_of(scene, values, what, strlen(what));
    double first = column_of(scene, values, what, (size_t)(second - what));
    second += strlen(minus);
    return first - column_of(scene, values, second, strlen(second));
}

/* The first frame is that before all motion. */
static bool is_now(const promise *p, int frame, int last) {
    if (strcmp(p->when, "start") == 0) return frame == 0;
    if (strcmp(p->when, "end") == 0) return frame == last;
    return strcmp(p->when, "always") == 0;
}

static void look(sn_scene *scene, const char *name, int frame, int last) {
    for (promise *p = promises; p < promises + promise_count; p++) {
        if (strcmp(p->scene, name) != 0 || !is_now(p, frame, last)) continue;
        double value = value_of(scene, p->what);
        check_case("%s, frame %d: %s is %.6g", name, frame, p->what, value);
        CHECK(value >= p->least && value <= p->most);
        p->low = fmin(p->low, value);
        p->high = fmax(p->high, value);
    }
}

static void run(const char *name, int threads) {
    char path[512];
    sn_scene *scene;
    sn_scene_def def = sn_scene_def_default();
    snprintf(path, sizeof path, "%s/%s.json", REGRESSIONS, name);
    def.path = path;
    def.threads = threads;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    CHECK(sn_scene_title(scene)[0] && sn_scene_about(scene)[0]);
    int last = sn_scene_frames(scene);
    for (int frame = 0; frame <= last; frame++) {
        if (frame > 0) REQUIRE_OK(sn_scene_step(scene));
        look(scene, name, frame, last);
    }
    const sn_freeze_event *events;
    size_t frozen;
    check_case("%s", name);
    CHECK_OK(sn_world_freezes(sn_scene_world(scene), &events, &frozen));
    CHECK(frozen == 0);
    uint64_t hash = sn_world_hash(sn_scene_world(scene));
    for (const promise *p = promises; p < promises + promise_count; p++)
        if (strcmp(p->scene, name) == 0 && p->hash && !check_mutant())
            if (!CHECK(hash == p->hash)) printf("  %s | hash | %016" PRIx64 "\n", name, hash);
    sn_scene_close(scene);
}

/* ---- Tests ---- */

static bool has_hash(const char *name) {
    for (int i = 0; i < promise_count; i++)
        if (strcmp(promises[i].scene, name) == 0 && promises[i].hash) return true;
    return false;
}

/* NAMES are those of all files in the folder. */
static void run_all(int threads) {
    char names[] = NAMES;
    read_promises();
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        check_case("%s", name);
        CHECK(has_hash(name));
        run(name, threads);
    }
}

TEST(scenes_keep_their_promises) {
    run_all(1);
    for (const promise *p = promises; p < promises + promise_count; p++) {
        check_case("%s: %s, which is never looked at", p->scene, p->what);
        CHECK(p->hash || p->low <= p->high);
        if (check_shows() && !p->hash)
            printf("  %s, %s: %s from %.6g to %.6g\n", p->scene, p->when, p->what, p->low, p->high);
    }
}

TEST(threads_keep_them_as_well) {
    if (check_long()) run_all(3);
}

TESTS(RUN(scenes_keep_their_promises), RUN(threads_keep_them_as_well))
