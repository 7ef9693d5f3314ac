/*
 * Levels of detail of hair: strands that go with others are where they would be by themselves, go
 * with the nearest, and change levels without a jump; the same bits for threads and snapshots.
 */
#include "strands.h"

enum { SIDE = 8, LINKS = 12 };

/* Strands side by side that stand out from a wall: all alike, or loud, with a velocity each and
   friction. */
static sn_hair add_wall(sn_world *world, double loud, size_t *count) {
    uint32_t seed = 3;
    *count = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        vec root = {0, 0.02 * (i / SIDE), 0.02 * (i % SIDE)};
        vec v = {loud * noise(&seed), loud * noise(&seed), loud * noise(&seed)};
        *count = add_strand(world, *count, root, (vec){0.02, 0, 0}, LINKS, true);
        for (size_t k = *count - LINKS + 1; k < *count; k++)
            REQUIRE_OK(sn_node_set_velocity(world, node[k], vector(v.x, v.y, v.z)));
    }
    sn_hair_def def = hair_of(*count);
    def.friction = loud > 0 ? 1 : 0;
    return add_hair(world, &def);
}

static void set_level(sn_world *world, sn_hair hair, double level) {
    sn_hair_def def = sn_hair_def_default();
    REQUIRE_OK(sn_hair_get(world, hair, &def));
    def.level = (sn_real)level;
    REQUIRE_OK(sn_hair_set(world, hair, &def));
}

/* Strands that move alike go on alike, however few of them move by themselves. */
TEST(strands_that_go_with_others_are_where_they_would_be) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.substeps = 4;
    sn_world *world = make_world(settings), *coarse = make_world(settings);
    size_t count;
    static sn_node own[MOST];
    (void)add_wall(world, 0, &count);
    memcpy(own, node, count * sizeof *own);
    sn_hair hair = add_wall(coarse, 0, &count);
    for (int i = 0; i < 120; i++) {
        if (i % 30 == 10) set_level(coarse, hair, i % 60 == 10 ? 0.1 : 1);
        advance(world, 1.0 / 240, 4);
        advance(coarse, 1.0 / 240, 4);
    }
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, length(sub(position_of(world, own[k]), position_of(coarse, node[k]))));
    if (check_shows()) printf("level 0.1: apart by %.3g m\n", most);
    CHECK(most < 1e-4);
    sn_world_destroy(world);
    sn_world_destroy(coarse);
}

/* Of two long rows one is thrown about: whoever does not move by itself goes with the nearest, and
   so with nobody of the other row. */
TEST(strands_go_with_the_nearest) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    settings.substeps = 4;
    sn_world *world = make_world(settings);
    size_t count = 0, own = 0;
    for (int i = 0; i < 2 * SIDE * SIDE; i++) {
        vec root = {0, i < SIDE * SIDE ? 0 : 0.4, 0.02 * (i % (SIDE * SIDE))};
        count = add_strand(world, count, root, (vec){0.02, 0, 0}, LINKS, true);
        if (i == SIDE * SIDE - 1) own = count;
    }
    for (size_t k = 0; k < own; k++)
        if (k % LINKS > 0) REQUIRE_OK(sn_node_set_velocity(world, node[k], vector(0, 1, 0)));
    sn_hair_def def = hair_of(count);
    def.level = (sn_real)0.3;
    (void)add_hair(world, &def);
    advance(world, 1.0 / 240, 48);
    double moved = INFINITY, still = 0;
    for (size_t k = LINKS - 1; k < count; k += LINKS) {
        double up = position_of(world, node[k]).y - position_of(world, node[k - LINKS + 1]).y;
        if (k < own) moved = fmin(moved, up);
        if (k >= own) still = fmax(still, fabs(up));
    }
    check_case("%g m at least, %g m at most", moved, still);
    CHECK(moved > 0.05);
    CHECK(still < 1e-6);
    sn_world_destroy(world);
}

/* One that has fewer nodes than its leader goes with the places beside its own: both hang straight
   in the end. */
TEST(strands_with_other_numbers_of_nodes_go_along) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.substeps = 4;
    settings.damping = 4;
    sn_world *world = make_world(settings);
    size_t count = 0, first[SIDE];
    for (size_t i = 0; i < SIDE; i++) {
        const int links = i % 2 ? LINKS : LINKS / 2 + 1;
        first[i] = count;
        count = add_strand(world, count, (vec){0, 0, 0.02 * (double)i},
                           (vec){0.24 / (links - 1), 0, 0}, links, true);
    }
    sn_hair_def def = hair_of(count);
    def.level = (sn_real)0.01;
    (void)add_hair(world, &def);
    advance(world, 1.0 / 240, 4 * 240);
    for (size_t i = 0; i < SIDE; i++) {
        const size_t end = i + 1 < SIDE ? first[i + 1] : count;
        for (size_t k = first[i]; k < end; k++) {
            check_case("strand %zu, node %zu of %zu", i, k - first[i], end - first[i]);
            vec below = sub(position_of(world, node[k]), position_of(world, node[first[i]]));
            double down = 0.24 * (double)(k - first[i]) / (double)(end - first[i] - 1);
            CHECK_NEAR(length(sub(below, (vec){0, -down, 0})), 0, 2e-3);
        }
    }
    sn_world_destroy(world);
}

/* The change of velocity from step to step is no larger where the level changes than elsewhere, and
   in the end a strand is as far from its leader as at rest. */
TEST(a_level_changes_without_a_jump) {
    double most[2] = {0, 0};
    for (int changes = 0; changes < 2; changes++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.substeps = 4;
        sn_world *world = make_world(settings);
        size_t count;
        sn_hair hair = add_wall(world, 0.3, &count);
        static vec before[MOST];
        for (int i = 0; i < 90; i++) {
            if (changes && i % 30 == 20) set_level(world, hair, i % 60 == 20 ? 0.2 : 1);
            for (size_t k = 0; k < count; k++) before[k] = position_of(world, node[k]);
            advance(world, 1.0 / 240, 4);
            for (size_t k = 0; k < count && i > 5; k++)
                most[changes] =
                    fmax(most[changes], length(sub(position_of(world, node[k]), before[k])));
        }
        if (changes) {
            set_level(world, hair, 0.01);
            advance(world, 1.0 / 240, 4 * 240);
            /* One strand moves by itself: all have its shape. */
            for (size_t k = LINKS; k < count; k++) {
                vec a = sub(position_of(world, node[k]), position_of(world, node[k - k % LINKS]));
                vec b = position_of(world, node[k % LINKS]);
                CHECK_NEAR(length(sub(a, b)), 0, 1e-4);
            }
        }
        sn_world_destroy(world);
    }
    if (check_shows()) printf("most in a step: %.4f m, with levels %.4f m\n", most[0], most[1]);
    CHECK(most[1] < 1.1 * most[0]);
}

TEST(levels_are_in_snapshots_and_the_same_for_threads) {
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.substeps = 4;
        sn_world *world = make_threaded(settings, i == 1 ? 3 : 1), *copy = NULL;
        size_t count, size = 0;
        sn_hair hair = add_wall(world, 0.3, &count);
        set_level(world, hair, 0.3);
        advance(world, 1.0 / 240, 40);
        if (i == 2) {
            copy = make_world(settings);
            void *data = snapshot_of(world, &size);
            REQUIRE_OK(sn_snapshot_load(copy, data, size));
            free(data);
        }
        advance(copy ? copy : world, 1.0 / 240, 40);
        hash[i] = sn_world_hash(copy ? copy : world);
        sn_world_destroy(world);
        sn_world_destroy(copy);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
}

TESTS(RUN(strands_that_go_with_others_are_where_they_would_be), RUN(strands_go_with_the_nearest),
      RUN(strands_with_other_numbers_of_nodes_go_along), RUN(a_level_changes_without_a_jump),
      RUN(levels_are_in_snapshots_and_the_same_for_threads))
