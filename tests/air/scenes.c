/* The scene of a flag: it flutters, stays on its pole and in one piece, and hangs where there is no
   wind. */
#include <math.h>
#include <sinew_io/scene.h>
#include <stdio.h>

#include "check.h"

/* Of the end of the flag from the second second on, in m. */
typedef struct flutter {
    double low, high; /* to the side */
    double x, y;      /* means */
    int turns;        /* how often it passed the middle */
    bool finite;
} flutter;

static flutter run(const char *wind, const char *gusts) {
    const char *sets[] = {wind, gusts, "cells=12"};
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene;
    flutter f = {1e9, -1e9, 0, 0, 0, true};
    /* Where the wind points to, a tenth to the side. */
    const double middle = 0.14;
    double side = 0;
    def.path = SCENES "/flag.json";
    def.sets = sets;
    def.set_count = 3;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    for (int i = 0; i < 300; i++) {
        sn_io_frame frame;
        REQUIRE_OK(sn_scene_step(scene));
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        const sn_io_shape *flag = &frame.shapes[0];
        double mean[3] = {0};
        /* The vertices farthest from the pole: the last of every row of 19. */
        for (size_t k = 18; k < flag->vertex_count; k += 19) {
            const sn_vec3 *x = &flag->positions[k];
            mean[0] += (double)x->x / 13;
            mean[1] += (double)x->y / 13;
            mean[2] += (double)x->z / 13;
        }
        f.finite = f.finite && isfinite(mean[0]) && isfinite(mean[1]) && isfinite(mean[2]);
        if (i < 60) continue;
        f.low = fmin(f.low, mean[2]);
        f.high = fmax(f.high, mean[2]);
        f.x += mean[0] / 240;
        f.y += mean[1] / 240;
        f.turns += side * (mean[2] - middle) < 0;
        side = mean[2] - middle;
    }
    sn_scene_close(scene);
    return f;
}

TEST(a_flag_flutters) {
    flutter f = run("wind=7", "gusts=2");
    CHECK(f.finite);
    CHECK(f.high - f.low > 0.4 && f.high - f.low < 2.5);
    CHECK(f.turns >= 6 && f.turns < 80);
    CHECK(f.x > 1.1 && f.x < 1.6 && f.y > 1.5 && f.y < 2.3);
}

/* Without a gust as well: the wind alone makes waves grow that are slower than it. */
TEST(a_steady_wind_is_enough) {
    flutter f = run("wind=7", "gusts=0");
    CHECK(f.finite && f.high - f.low > 0.1 && f.turns >= 6 && f.x > 1.1);
}

TEST(without_wind_it_hangs) {
    flutter f = run("wind=0", "gusts=0");
    CHECK(f.finite && f.x < 0.9 && f.y < 1.5);
}

TESTS(RUN(a_flag_flutters), RUN(a_steady_wind_is_enough), RUN(without_wind_it_hangs))
