/*
 * Scenes of cloth show what they say: a tablecloth comes to rest in folds, stripes are as long as
 * their weights make them, gears squeeze a ball that keeps its volume, a balloon bursts,
 * a card keeps its crease, and a dress stays outside of a dancer who turns.
 */
#include <math.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* With one parameter set, "name=value"; null: as it is. */
static sn_scene *open_scene(const char *path, const char *set, int threads) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    def.path = path;
    def.sets = &set;
    def.set_count = set ? 1 : 0;
    def.threads = threads;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    return scene;
}

static void run(sn_scene *scene, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_scene_step(scene));
}

static sn_io_shape shape_of(sn_scene *scene, const char *name) {
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    size_t i = 0;
    while (i < frame.shape_count && strcmp(frame.shapes[i].name, name) != 0) i++;
    bool found = i < frame.shape_count;
    CHECK(found);
    return frame.shapes[found ? i : 0];
}

/* m: how far the node that is deepest inside a collider is from its surface; negative inside. */
static double least_distance(sn_scene *scene, const sn_io_shape *shape) {
    sn_query *query;
    sn_filter_def filter = sn_filter_def_default();
    double least = INFINITY;
    filter.kinds = SN_HIT_COLLIDER;
    REQUIRE_OK(sn_query_create(sn_scene_world(scene), &query));
    for (size_t i = 0; i < shape->vertex_count; i++) {
        sn_hit hit;
        REQUIRE_OK(sn_query_closest(query, shape->positions[i], SN_AUTO, &filter, &hit));
        least = fmin(least, (double)hit.distance);
    }
    sn_query_destroy(query);
    return least;
}

static bool is_finite(const sn_io_shape *shape) {
    for (size_t i = 0; i < shape->vertex_count; i++) {
        sn_vec3 x = shape->positions[i];
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z)) return false;
    }
    return true;
}

/* ---- The tablecloth ---- */

TEST(a_tablecloth_hangs_in_folds) {
    const double top = 0.75, radius = 0.012;
    sn_scene *scene = open_scene(SCENES "/tablecloth.json", NULL, 1);
    sn_io_shape cloth = shape_of(scene, "cloth");
    size_t corners[5], found = 0;
    for (size_t i = 0; i < cloth.vertex_count && found < 5; i++)
        if (hypot((double)cloth.positions[i].x, (double)cloth.positions[i].z) > 1.06)
            corners[found++] = i;
    if (!CHECK(found == 4)) return;
    run(scene, 300);
    cloth = shape_of(scene, "cloth");
    CHECK(is_finite(&cloth) && cloth.vertex_count > 2500);
    double square = 0, least = least_distance(scene, &cloth), low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < cloth.vertex_count; i++) {
        sn_vec3 v = cloth.velocities[i];
        square += (double)(v.x * v.x + v.y * v.y + v.z * v.z);
        low = fmin(low, (double)cloth.positions[i].y);
        high = fmax(high, (double)cloth.positions[i].y);
    }
    double speed = sqrt(square / (double)cloth.vertex_count);
    printf("      speed %.2g m/s, from %.3f to %.3f m high, %.4f m from table and floor\n", speed,
           low, high, least);
    CHECK(speed < 0.01);
    for (int i = 0; i < 4; i++) CHECK((double)cloth.positions[corners[i]].y < top - 0.3);
    /* It lies on the table, above the floor, and nowhere nearer than its thickness says. */
    CHECK(high > top && high < top + 0.05 && low >= radius * 0.99);
    CHECK(least > 0.99 * radius);
    /* Folds: the hem is wavy, so that it is much longer than a circle around it would be. */
    double inner = INFINITY, outer = 0;
    for (size_t i = 0; i < cloth.vertex_count; i++) {
        sn_vec3 x = cloth.positions[i];
        if (fabs((double)x.y - 0.45) > 0.02) continue;
        double r = sqrt((double)(x.x * x.x + x.z * x.z));
        inner = fmin(inner, r);
        outer = fmax(outer, r);
    }
    printf("      at 0.45 m it is %.3f to %.3f m from the axis\n", inner, outer);
    CHECK(outer > inner + 0.05);
    sn_scene_close(scene);
}

/* ---- Stripes ---- */

/* m, of the last row of a stripe and of the cube below it. */
static double lowest_row(sn_scene *scene, const char *name) {
    sn_io_shape stripe = shape_of(scene, name);
    double y = 0;
    for (size_t i = stripe.vertex_count - 3; i < stripe.vertex_count; i++)
        y += (double)stripe.positions[i].y / 3;
    return y;
}

static double middle_of(sn_scene *scene, const char *name) {
    sn_io_shape cube = shape_of(scene, name);
    double y = 0;
    for (size_t i = 0; i < cube.vertex_count; i++)
        y += (double)cube.positions[i].y / (double)cube.vertex_count;
    return y;
}

TEST(stripes_are_as_long_as_their_weights_say) {
    const char *names[] = {"light", "heavy", "silk", "denim", "rubber"};
    sn_scene *scene = open_scene(SCENES "/stripes.json", NULL, 1);
    /* The board that has lifted them is down after 4 s; what still swings then dies away. */
    run(scene, 480);
    double stretch[5];
    for (int i = 0; i < 5; i++) {
        char cube[32];
        snprintf(cube, sizeof cube, "%s_cube", names[i]);
        double y = lowest_row(scene, names[i]);
        stretch[i] = 0.8 - y;
        printf("      %-6s %.2f mm\n", names[i], 1000 * stretch[i]);
        /* The weight hangs below, by half its height, and nothing lies on the floor. */
        CHECK_NEAR(middle_of(scene, cube), y - 0.05, 0.01);
        CHECK(y > 0.5);
    }
    /* F L / (k w), with the weight of the cube and half of that of the stripe. */
    const double g = 9.81, length = 0.6, width = 0.1, stiffness = 800, stripe = 0.2 * 0.6 * 0.1;
    double light = (0.1 + stripe / 2) * g * length / (stiffness * width);
    double heavy = (1 + stripe / 2) * g * length / (stiffness * width);
    CHECK_REL(stretch[0], light, 0.1);
    CHECK_REL(stretch[1], heavy, 0.1);
    CHECK_REL(stretch[1] / stretch[0], heavy / light, 0.05);
    /* Denim gives way least, rubber most. */
    CHECK(stretch[3] < stretch[0] && stretch[2] < stretch[0] && stretch[4] > 5 * stretch[0]);
    sn_scene_close(scene);
}

/* ---- Gears ---- */

static double volume_of(const sn_io_shape *s) {
    double volume = 0;
    for (size_t t = 0; t < s->triangle_count; t++) {
        double x[3][3];
        for (int c = 0; c < 3; c++) {
            sn_vec3 p = s->positions[s->triangles[t][c]];
            x[c][0] = (double)p.x;
            x[c][1] = (double)p.y;
            x[c][2] = (double)p.z;
        }
        volume += (x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) +
                   x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
                   x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0])) /
                  6;
    }
    return volume;
}

/* m: its height, and how wide it is where the gears are. */
static double middle_and_width(const sn_io_shape *s, double *width) {
    double y = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->vertex_count; i++) {
        sn_vec3 x = s->positions[i];
        y += (double)x.y / (double)s->vertex_count;
        if (fabs((double)x.y - 0.8) > 0.02) continue;
        low = fmin(low, (double)x.x);
        high = fmax(high, (double)x.x);
    }
    *width = high - low;
    return y;
}

TEST(gears_squeeze_a_ball_that_keeps_its_volume) {
    sn_scene *scene = open_scene(SCENES "/gears.json", NULL, 1);
    sn_settings settings = sn_settings_default();
    /* Fewer than for its strain are enough for its volume. */
    REQUIRE_OK(sn_world_get_settings(sn_scene_world(scene), &settings));
    settings.substeps = 20;
    REQUIRE_OK(sn_world_set_settings(sn_scene_world(scene), &settings));
    sn_io_shape ball = shape_of(scene, "character");
    double wanted = 1.2 * volume_of(&ball), worst = 0, deepest = INFINITY, narrow = INFINITY;
    double y = 1, width;
    for (int frame = 1; frame <= 130; frame++) {
        run(scene, 1);
        ball = shape_of(scene, "character");
        if (!CHECK(is_finite(&ball))) break;
        worst = fmax(worst, fabs(volume_of(&ball) / wanted - 1));
        y = middle_and_width(&ball, &width);
        if (fabs(y - 0.8) < 0.05) narrow = fmin(narrow, width);
        if (frame % 5 == 0) deepest = fmin(deepest, least_distance(scene, &ball));
    }
    printf("      volume within %.2g, %.3f m wide, %.4f m from the gears, %.2f m high at last\n",
           worst, narrow, deepest, y);
    CHECK(worst < 0.05);
    /* It is 0.36 m wide when free and goes through a gap of 0.16 m; its nodes have a radius. */
    CHECK(narrow < 0.2);
    CHECK(deepest > 0);
    CHECK(y < 0.4);
    sn_scene_close(scene);
}

/* ---- The balloon ---- */

typedef struct bang {
    int frame;      /* of the first tear; 0: there was none */
    size_t tears;   /* in all */
    bool burst;     /* whether a tear has opened it */
    size_t volumes; /* constraints on a volume that are left */
    double extent;  /* m, across the rags */
    uint64_t hash;
} bang;

static bang blow_up(int threads) {
    sn_scene *scene = open_scene(SCENES "/burst.json", NULL, threads);
    sn_world *world = sn_scene_world(scene);
    bang b = {0};
    CHECK(sn_world_constraint_count(world, SN_TYPE_SURFACE_VOLUME) == 1);
    for (int frame = 1; frame <= 150; frame++) {
        const sn_tear_event *events;
        size_t count;
        run(scene, 1);
        REQUIRE_OK(sn_world_tears(world, &events, &count));
        if (count > 0 && b.tears == 0) b.frame = frame;
        for (size_t i = 0; i < count; i++) b.burst = b.burst || events[i].burst;
        b.tears += count;
    }
    sn_io_shape rags = shape_of(scene, "balloon");
    CHECK(is_finite(&rags) && rags.vertex_count == 2562 + b.tears);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < rags.vertex_count; i++) {
        low = fmin(low, (double)rags.positions[i].x);
        high = fmax(high, (double)rags.positions[i].x);
        CHECK(rags.positions[i].y > -0.001f);
    }
    b.extent = high - low;
    b.volumes = sn_world_constraint_count(world, SN_TYPE_SURFACE_VOLUME);
    b.hash = sn_world_hash(world);
    sn_scene_close(scene);
    return b;
}

TEST(a_balloon_bursts) {
    bang one = blow_up(1), two = blow_up(2);
    printf("      bursts in frame %d, %zu tears, rags over %.2f m\n", one.frame, one.tears,
           one.extent);
    CHECK(one.frame > 50 && one.frame < 70 && one.burst && one.volumes == 0);
    CHECK(one.tears > 100 && one.extent > 0.6);
    CHECK(one.hash == two.hash);
}

/* ---- The card ---- */

/* rad: how far the free edge hangs below the table, seen from the edge of that. */
static double fold_of(sn_scene *scene) {
    const size_t columns = 15;
    sn_io_shape card = shape_of(scene, "card");
    double x = 0, y = 0;
    CHECK(is_finite(&card));
    for (size_t i = columns - 1; i < card.vertex_count; i += columns) {
        x += (double)card.positions[i].x / 13;
        y += ((double)card.positions[i].y - 0.405) / 13;
    }
    return atan2(-y, x);
}

static double fold_card(const char *yield, double *folded) {
    sn_scene *scene = open_scene(SCENES "/crease.json", yield, 1);
    run(scene, 70);
    *folded = fold_of(scene);
    run(scene, 110);
    double left = fold_of(scene);
    sn_scene_close(scene);
    return left;
}

TEST(a_card_keeps_its_crease) {
    double folded, bent, crease = fold_card("yield=0.3", &folded);
    double spring = fold_card("yield=3", &bent);
    printf("      folded by %.2f rad, %.2f stay; without yield %.2f and %.2f\n", folded, crease,
           bent, spring);
    CHECK(folded > 1.3 && bent > 1.3);
    /* 0.3 of it goes back, or more where two rows of edges share the fold. A card that springs back
       hangs by its weight alone. */
    CHECK(crease > folded - 0.6 && crease < folded - 0.2);
    CHECK(spring < 0.3);
}

/* The middles of the edges of a shape, as a shape of vertices; to be freed. */
static sn_io_shape middles_of(const sn_io_shape *shape) {
    sn_vec3 *x = calloc(3 * shape->triangle_count + 1, sizeof *x);
    sn_io_shape middles = {.vertex_count = x ? 3 * shape->triangle_count : 0, .positions = x};
    for (size_t i = 0; i < middles.vertex_count; i++) {
        const uint32_t *corners = shape->triangles[i / 3];
        sn_vec3 a = shape->positions[corners[i % 3]], b = shape->positions[corners[(i + 1) % 3]];
        x[i] = (sn_vec3){(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
    }
    CHECK(middles.vertex_count > 0);
    return middles;
}

/* 240 frames of a body that is skinned, and a garment of panels that are sewn on it: nothing is
   inside of the body by more than 1 mm, between the nodes neither, and nothing crosses. By hand,
   SINEW_DANCER names the same scene with another file of her motion, such as a usda. */
TEST(a_dress_stays_outside_of_a_dancer) {
    static const char *const panels[] = {"front", "back"};
    const char *other = getenv("SINEW_DANCER");
    sn_scene *scene = open_scene(other ? other : SCENES "/dancer.json", NULL, 2);
    double least = INFINITY, lowest = INFINITY, highest = -INFINITY;
    size_t most = 0;
    for (int frame = 10; frame <= 240; frame += 10) {
        size_t crossings = 0;
        run(scene, 10);
        REQUIRE_OK(sn_world_count_crossings(sn_scene_world(scene), &crossings));
        most = crossings > most ? crossings : most;
        for (int i = 0; i < 2; i++) {
            sn_io_shape shape = shape_of(scene, panels[i]), middles = middles_of(&shape);
            CHECK(is_finite(&shape));
            least = fmin(least, least_distance(scene, &shape));
            least = fmin(least, least_distance(scene, &middles));
            for (size_t k = 0; k < shape.vertex_count; k++) {
                lowest = fmin(lowest, (double)shape.positions[k].y);
                highest = fmax(highest, (double)shape.positions[k].y);
            }
            free((void *)(uintptr_t)middles.positions);
        }
    }
    if (check_shows())
        printf("      nearest %.2f mm, hem at %.2f m, straps at %.2f m\n", 1000 * least, lowest,
               highest);
    CHECK(least > -0.001);
    CHECK(most == 0);
    /* It hangs on the shoulders, above the floor. */
    CHECK(lowest > 0.3 && highest > 1.38 && highest < 1.6);
    sn_scene_close(scene);
}

TESTS(RUN(a_tablecloth_hangs_in_folds), RUN(stripes_are_as_long_as_their_weights_say),
      RUN(gears_squeeze_a_ball_that_keeps_its_volume), RUN(a_balloon_bursts),
      RUN(a_card_keeps_its_crease), RUN(a_dress_stays_outside_of_a_dancer))
