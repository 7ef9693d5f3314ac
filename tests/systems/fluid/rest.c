/* Rest is rest: a pool of 20,000 particles that has been poured comes to sleep. */
#include "pool.h"

TEST(a_pool_of_20000_comes_to_sleep) {
    const double spacing = 0.02;
    sn_world *world = make_world(GRAVITY, 2);
    sn_settings settings;
    sn_body body;
    sn_body_def def = sn_body_def_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 6;
    settings.sleep_speed = (sn_real)0.02;
    settings.sleep_time = (sn_real)0.5;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    REQUIRE_OK(sn_body_create(world, &def, &body));
    /* 20,000 particles, which fall by three spacings and lean on one side of a basin. */
    pool p = add_block_to(world, body, (int[3]){50, 8, 50}, spacing,
                          (sn_vec3){0, (sn_real)(3 * spacing), 0}, 1000, 1e-3);
    add_basin(world, 52 * spacing, 50 * spacing);
    sn_stats stats = {0};
    double seconds = 0;
    for (; seconds < 60 && stats.asleep == 0; seconds += 0.5) {
        run(world, 30);
        CHECK_OK(sn_world_stats(world, &stats));
    }
    if (check_shows()) printf("asleep after %g s\n", seconds);
    CHECK(stats.asleep == 1);
    drop(&p);
}

TESTS(RUN(a_pool_of_20000_comes_to_sleep))
