/*
 * What the scenes of rigid bodies show: a cradle, an arch, a wrecking ball, chain mail, a coin.
 */
#include <math.h>
#include <stdio.h>

#include "check.h"
#include "io/scene_make.h"

static double apart(sn_vec3 a, sn_vec3 b) {
    return sqrt(pow((double)(a.x - b.x), 2) + pow((double)(a.y - b.y), 2) +
                pow((double)(a.z - b.z), 2));
}

/* The speed at the lowest place is that of the height; impacts keep it, blow after blow. */
TEST(a_cradle_passes_its_speed_on) {
    sn_scene *scene = scene_open_in(SCENES, "cradle", NULL);
    double low = scene_column_value(scene, "last y [m]");
    double fall = scene_column_value(scene, "first y [m]") - low, last = 0, middle = 0, first = 0;
    for (int frame = 1; frame <= 120; frame++) {
        scene_run_frames(scene, 1);
        if (frame < 72) last = fmax(last, scene_column_value(scene, "last y [m]") - low);
        if (frame > 72) first = fmax(first, scene_column_value(scene, "first y [m]") - low);
        middle = fmax(middle, fabs(scene_column_value(scene, "middle x [m]")));
    }
    if (check_shows())
        printf("cradle: the last leaves with %.4f of the speed, the first comes back with %.4f; "
               "the middle moves by %.4f m\n",
               sqrt(last / fall), sqrt(first / fall), middle);
    CHECK(sqrt(last / fall) > 0.95 && last < 1.001 * fall);
    CHECK(sqrt(first / fall) > 0.95 && first < 1.001 * fall);
    CHECK(middle < 2e-3);
    sn_scene_close(scene);
}

/* It bears the blow of a crate and its weight; where a pier yields, it falls. */
TEST(an_arch_bears_a_crate_until_a_pier_yields) {
    for (int stands = 0; stands < 2; stands++) {
        sn_scene *scene = scene_open_in(SCENES, "arch", stands ? "yield=0" : NULL);
        scene_run_frames(scene, 60);
        double crate = scene_column_value(scene, "crate y [m]");
        double haunch = scene_column_value(scene, "haunch x [m]");
        scene_run_frames(scene, stands ? 150 : 60);
        double sunk = crate - scene_column_value(scene, "crate y [m]");
        double aside = scene_column_value(scene, "haunch x [m]") - haunch;
        if (check_shows())
            printf("arch: the crate sinks by %g m, a stone goes %g m aside\n", sunk, aside);
        CHECK_NEAR(crate, 0.5 + 1.15 * cos(0.5 * 3.14159265 / 15) + 0.16, 5e-3);
        CHECK_NEAR(sunk, 0, 1e-3);
        CHECK_NEAR(aside, 0, 1e-3);
        if (!stands) {
            scene_run_frames(scene, 90);
            CHECK(scene_column_value(scene, "crate y [m]") < 1.2);
        }
        sn_scene_close(scene);
    }
}

/* The ball goes through and swings out behind; its chain is no longer than it was. */
TEST(a_ball_goes_through_a_wall) {
    enum { LINKS = 8, BRICKS = 58 };
    sn_scene *scene = scene_open_in(SCENES, "wrecking", NULL);
    sn_vec3 start[BRICKS], hook = scene_node_at(scene, 0).position;
    double length = apart(scene_node_at(scene, LINKS + 1).position, hook), longest = 0, behind = 0;
    int moved = 0, lowest = 0;
    for (size_t i = 0; i < BRICKS; i++) start[i] = scene_node_at(scene, LINKS + 2 + i).position;
    for (int frame = 1; frame <= 96; frame++) {
        scene_run_frames(scene, 1);
        sn_vec3 ball = scene_node_at(scene, LINKS + 1).position;
        longest = fmax(longest, apart(ball, hook) / length);
        behind = fmin(behind, (double)ball.z);
    }
    for (size_t i = 0; i < BRICKS; i++) {
        bool gone = apart(start[i], scene_node_at(scene, LINKS + 2 + i).position) > 0.2;
        moved += gone;
        lowest += gone && i < 6;
    }
    if (check_shows())
        printf("wrecking: %d bricks moved, %d of the lowest; the ball %.3f m behind, its chain "
               "%.5f times as long\n",
               moved, lowest, -behind, longest);
    CHECK(behind < -1);
    CHECK(longest < 1.001);
    CHECK(moved > 7 && moved < 50);
    CHECK(lowest == 0);
    sn_scene_close(scene);
}

/* No ring leaves another: polygons that are linked have centres nearer than their outer radii. */
TEST(mail_holds_together) {
    enum { N = 5, FRAMES = 20 };
    sn_scene *scene = scene_open_in(SCENES, "mail", NULL);
    const double pi = 3.14159265358979323846, most = 0.1 / cos(pi / 8) + 0.06 / cos(pi / 6);
    double farthest = 0;
    scene_run_frames(scene, check_sample() ? 5 : FRAMES);
    size_t link = N * N;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            for (size_t k = 0; k < 2; k++) {
                if ((k == 0 ? i : j) + 1 == N) continue;
                sn_vec3 at = scene_node_at(scene, link++).position;
                size_t next = k == 0 ? (i + 1) * N + j : i * N + j + 1;
                farthest = fmax(farthest, apart(at, scene_node_at(scene, i * N + j).position));
                farthest = fmax(farthest, apart(at, scene_node_at(scene, next).position));
            }
    if (check_shows())
        printf("mail: linked rings are up to %.4f of %.4f m apart\n", farthest, most);
    CHECK(link == N * N + 2 * N * (N - 1));
    CHECK(farthest < most);
    CHECK(check_sample() || scene_column_value(scene, "middle y [m]") > 0.8);
    CHECK(check_sample() || scene_column_value(scene, "corner y [m]") < 0.6);
    sn_scene_close(scene);
}

/* How far the axis of the coin is from the vertical. */
static double lean_of(const sn_node_def *coin, double *heading) {
    double x = (double)coin->orientation.x, y = (double)coin->orientation.y;
    double z = (double)coin->orientation.z, w = (double)coin->orientation.w;
    double axis[3] = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
    *heading = atan2(axis[0], axis[2]);
    return acos(fmin(fabs(axis[1]), 1));
}

/* Energy only falls, and it ends flat. A thin coin that rolls about a centre at rest, leaning by a,
   goes round with sqrt(4 g / (r sin a)): the flatter, the faster. */
TEST(a_coin_spins_down) {
    const double pi = 3.14159265358979323846, radius = 0.1;
    sn_scene *scene = scene_open_in(SCENES, "coin", NULL);
    double energy = INFINITY, gained = 0, heading, before = 0, ratio = 0;
    int frames = 0;
    for (int frame = 1; frame <= 240; frame++) {
        scene_run_frames(scene, 1);
        double now = scene_column_value(scene, "kinetic energy [J]") +
                     scene_column_value(scene, "potential energy [J]");
        sn_node_def coin = scene_node_at(scene, 0);
        double lean = lean_of(&coin, &heading), turn = fabs(remainder(heading - before, 2 * pi));
        gained = fmax(gained, now - energy);
        energy = now;
        before = heading;
        if (lean < 0.03 || lean > 0.4) continue;
        ratio += turn * 60 / sqrt(4 * 9.81 / (radius * sin(lean)));
        frames++;
    }
    sn_node_def coin = scene_node_at(scene, 0);
    if (check_shows())
        printf("coin: goes round with %.3f of what theory says; energy gained %g J\n",
               ratio / frames, gained);
    CHECK(gained < 1e-4);
    CHECK(frames > 10);
    /* Of a coin that is not thin, and that the air brakes. */
    CHECK_NEAR(ratio / frames, 1, 0.1);
    CHECK_NEAR(coin.position.y, 0.006, 1e-4);
    CHECK_NEAR(lean_of(&coin, &heading), 0, 1e-3);
    CHECK_NEAR(apart(coin.angular_velocity, (sn_vec3){0, 0, 0}), 0, 1e-2);
    sn_scene_close(scene);
}

TESTS(RUN(a_cradle_passes_its_speed_on), RUN(an_arch_bears_a_crate_until_a_pier_yields),
      RUN(a_ball_goes_through_a_wall), RUN(mail_holds_together), RUN(a_coin_spins_down))
