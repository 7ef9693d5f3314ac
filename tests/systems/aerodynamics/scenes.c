/* The scene of a flag: it flutters, stays on its pole and in one piece, and hangs where there is no
   wind. The scene of a balloon: it rises with its terminal speed, and pulls at its string with what
   its weight leaves of its lift. */
#include <math.h>
#include <sinew_io/scene.h>
#include <stdio.h>

#include "check.h"
#include "io/scene_make.h"

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
    sn_io_frame frame;
    uint32_t end[32];
    size_t count = 0;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    /* The vertices farthest from the pole. */
    for (uint32_t k = 0; k < frame.shapes[0].vertex_count && count < 32; k++)
        if ((double)frame.shapes[0].positions[k].x > 1.519) end[count++] = k;
    CHECK(count == 13);
    for (int i = 0; i < 300; i++) {
        REQUIRE_OK(sn_scene_step(scene));
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        const sn_io_shape *flag = &frame.shapes[0];
        double mean[3] = {0};
        for (size_t k = 0; k < count; k++) {
            const sn_vec3 *x = &flag->positions[end[k]];
            mean[0] += (double)x->x / (double)count;
            mean[1] += (double)x->y / (double)count;
            mean[2] += (double)x->z / (double)count;
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

/* ---- The balloon ---- */

static double triple(sn_vec3 a, sn_vec3 b, sn_vec3 c) {
    double x = (double)b.y * (double)c.z - (double)b.z * (double)c.y;
    double y = (double)b.z * (double)c.x - (double)b.x * (double)c.z;
    double z = (double)b.x * (double)c.y - (double)b.y * (double)c.x;
    return (double)a.x * x + (double)a.y * y + (double)a.z * z;
}

static double area_of(sn_vec3 a, sn_vec3 b, sn_vec3 c) {
    double u[3] = {(double)(b.x - a.x), (double)(b.y - a.y), (double)(b.z - a.z)};
    double v[3] = {(double)(c.x - a.x), (double)(c.y - a.y), (double)(c.z - a.z)};
    return hypot(hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2]),
                 u[0] * v[1] - u[1] * v[0]) /
           2;
}

typedef struct flight {
    double lift;   /* N, the weight of the air in its place */
    double weight; /* N */
    double seen;   /* m^2, the sum of areas times the square of the cosine to the vertical */
    double tension, speed; /* N and m/s, upwards, means over the last second */
    double height;         /* m, in the end */
} flight;

/* Sums over a closed shape. */
static void measure(const sn_io_shape *s, double *volume, double *area, double *seen) {
    *volume = *area = *seen = 0;
    for (size_t i = 0; i < s->triangle_count; i++) {
        const uint32_t *t = s->triangles[i];
        sn_vec3 a = s->positions[t[0]], b = s->positions[t[1]], c = s->positions[t[2]];
        sn_vec3 flat[3] = {{a.x, 0, a.z}, {b.x, 0, b.z}, {c.x, 0, c.z}};
        double all = area_of(a, b, c), below = area_of(flat[0], flat[1], flat[2]);
        *volume += triple(a, b, c) / 6;
        *area += all;
        *seen += below * below / all;
    }
}

/* Takes the knot away. */
static void untie(sn_world *world) {
    sn_constraint knot;
    sn_type type = SN_TYPE_COUNT;
    for (size_t slot = 0; type != SN_TYPE_SEAM; slot++)
        if (sn_world_constraint_at(world, slot, &knot) == SN_OK)
            REQUIRE_OK(sn_constraint_get_type(world, knot, &type));
    REQUIRE_OK(sn_constraint_destroy(world, knot));
}

static flight fly(bool owned, int seconds) {
    const char *sets[] = {"wind=0", "gusts=0"};
    const double pi = acos(-1), g = 9.81;
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene;
    sn_io_frame frame;
    flight f = {0};
    double volume, area, seen;
    def.path = SCENES "/rising.json";
    def.sets = sets;
    def.set_count = 2;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    if (!owned) untie(sn_scene_world(scene));
    measure(&frame.shapes[0], &volume, &area, &seen);
    f.weight = g * 0.005 * area / (4 * pi * 0.14 * 0.14);
    for (int i = 0; i < 60 * seconds; i++) {
        REQUIRE_OK(sn_scene_step(scene));
        if (i < 60 * (seconds - 1)) continue;
        if (owned) f.tension += scene_column_value(scene, "tension [N]") / 60;
        f.speed += scene_column_value(scene, "speed y [m/s]") / 60;
    }
    f.height = scene_column_value(scene, "height y [m]");
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    measure(&frame.shapes[0], &volume, &area, &f.seen);
    f.lift = 1.2 * g * volume;
    sn_scene_close(scene);
    return f;
}

TEST(a_balloon_pulls_at_its_string) {
    flight f = fly(true, 6);
    printf("      lift %.5f N, weight %.5f N, tension %.5f N\n", f.lift, f.weight, f.tension);
    CHECK_REL(f.tension, f.lift - f.weight, 0.01);
    CHECK(f.height > 1.2 && f.height < 1.5);
}

TEST(a_balloon_rises_with_its_terminal_speed) {
    flight f = fly(false, 4);
    /* Both faces are pushed: 1/2 rho v^2 C_D times the sum of A c^2. */
    double expected = sqrt(2 * (f.lift - f.weight) / (1.2 * 0.35 * f.seen));
    printf("      rises with %.4f m/s, expected %.4f m/s\n", f.speed, expected);
    CHECK_REL(f.speed, expected, 0.01);
}

TESTS(RUN(a_balloon_pulls_at_its_string), RUN(a_balloon_rises_with_its_terminal_speed),
      RUN(a_flag_flutters), RUN(a_steady_wind_is_enough), RUN(without_wind_it_hangs))
