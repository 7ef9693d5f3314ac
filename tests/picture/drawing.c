/*
 * What pictures show: things are where they should be and as large as they should be, near ones
 * hide far ones, the light casts shadows, colours say what the scale says.
 */
#include "frames.h"

#include "check.h"

#include <math.h>
#include <string.h>

enum { SIZE = 200 };
static const double pi = 3.14159265358979323846;

/* ---- Places and sizes ---- */

TEST(a_square_is_where_it_should_be) {
    sn_picture_view view = picture_view();
    sn_io_shape square = picture_square(0.5, 0);
    sn_picture_image image = picture_of(&square, 1, &view, SIZE, SIZE);
    /* A quarter of the picture, from 50 to 150 each way. */
    CHECK(picture_light(&image, 100, 100) > 600);
    CHECK(picture_light(&image, 51, 51) > 600 && picture_light(&image, 148, 148) > 600);
    CHECK(picture_light(&image, 48, 100) == 0 && picture_light(&image, 151, 100) == 0);
    CHECK(picture_light(&image, 100, 48) == 0 && picture_light(&image, 100, 151) == 0);
    CHECK_REL(picture_share(&image), 0.25, 0.01);
    sn_picture_image_free(&image);
}

/* Pixels that are not the background. */
static double silhouette(const sn_picture_image *image) {
    double count = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) count += picture_light(image, x, y) > 0;
    return count;
}

TEST(a_ball_is_as_large_as_it_should_be) {
    sn_picture_view view = picture_view();
    for (int i = 0; i < 3; i++) {
        double radius = 0.2 + 0.3 * i;
        sn_io_shape ball = picture_ball(0, 0, 0, radius);
        sn_picture_image image = picture_of(&ball, 1, &view, 2 * SIZE, 2 * SIZE);
        /* The tangent cone: a ball is seen a little larger than its cut through the middle. */
        double seen = 5 * radius / sqrt(25 - radius * radius) * SIZE;
        /* Any sample counts, so the edge is about half a pixel further out. */
        CHECK_REL(silhouette(&image), pi * (seen + 0.4) * (seen + 0.4), 0.012);
        sn_picture_image_free(&image);
    }
}

TEST(a_tube_has_round_ends) {
    sn_picture_view view = picture_view();
    const sn_vec3 ends[2] = {{(sn_real)-0.5, 0, 0}, {(sn_real)0.5, 0, 0}};
    const sn_real radii[2] = {(sn_real)0.1, (sn_real)0.1};
    const uint32_t line[1][2] = {{0, 1}};
    sn_io_shape tube = {.name = "tube",
                        .vertex_count = 2,
                        .positions = ends,
                        .radii = radii,
                        .line_count = 1,
                        .lines = line};
    sn_picture_image image = picture_of(&tube, 1, &view, 2 * SIZE, 2 * SIZE);
    double r = 0.1 * 5 / sqrt(25 - 0.01) * SIZE + 0.4;
    CHECK_REL(silhouette(&image), pi * r * r + 2 * r * SIZE, 0.02);
    /* The corners of its box are not covered. */
    CHECK(picture_light(&image, 82, 182) == 0 && picture_light(&image, 90, 200) > 0);
    sn_picture_image_free(&image);
    /* Without a radius, and with one that is too thin to be seen, it is drawn thin. */
    const sn_real hair[2] = {(sn_real)1e-7, (sn_real)1e-7};
    for (int i = 0; i < 2; i++) {
        tube.radii = i == 0 ? NULL : hair;
        image = picture_of(&tube, 1, &view, 2 * SIZE, 2 * SIZE);
        CHECK(silhouette(&image) > 200 && silhouette(&image) < 900);
        sn_picture_image_free(&image);
    }
}

TEST(a_symmetric_scene_gives_a_symmetric_picture) {
    sn_picture_view view = picture_view();
    view.to_light = (sn_vec3){0, 1, (sn_real)0.5};
    view.has_ground = true;
    view.ground = (sn_real)-0.6;
    view.eye.y = 1;
    const sn_io_shape shapes[] = {picture_ball(-0.5, -0.3, 0, 0.3), picture_ball(0.5, -0.3, 0, 0.3),
                                  picture_square(0.3, -0.5)};
    sn_picture_image image = picture_of(shapes, 3, &view, SIZE, SIZE);
    double sum = 0;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE / 2; x++)
            sum +=
                fabs(picture_light(&image, x, y) - (double)picture_light(&image, SIZE - 1 - x, y));
    /* Samples are not symmetric, so edges differ a little. */
    CHECK(sum / (SIZE * SIZE / 2) < 2);
    sn_picture_image_free(&image);
}

TEST(nothing_shows_between_triangles) {
    enum { N = 40 };
    static sn_vec3 at[N * N];
    static uint32_t triangles[2 * (N - 1) * (N - 1)][3];
    size_t count = 0;
    uint32_t random = 1;
    for (uint32_t j = 0; j < N; j++) {
        for (uint32_t i = 0; i < N; i++) {
            /* Anywhere in its cell, in the plane. */
            double shift[2];
            for (int k = 0; k < 2; k++) {
                random = random * 1664525u + 1013904223u;
                shift[k] = 0.4 * ((double)(random >> 8) / (1 << 24) - 0.5);
            }
            at[j * N + i] = (sn_vec3){(sn_real)(0.12 * (i + shift[0]) - 2.3),
                                      (sn_real)(0.12 * (j + shift[1]) - 2.3), 0};
            if (i + 1 == N || j + 1 == N) continue;
            uint32_t a = j * N + i, both[2][3] = {{a, a + 1, a + N}, {a + 1, a + N + 1, a + N}};
            memcpy(triangles[count], both, sizeof both);
            count += 2;
        }
    }
    sn_io_shape wall = {.name = "wall",
                        .vertex_count = (size_t)N * N,
                        .positions = at,
                        .triangle_count = count,
                        .triangles = (const uint32_t(*)[3])triangles};
    sn_picture_view view = picture_view();
    sn_picture_image image = picture_of(&wall, 1, &view, SIZE, SIZE);
    int least = 765, most = 0;
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            int light = picture_light(&image, x, y);
            least = light < least ? light : least;
            most = light > most ? light : most;
        }
    }
    /* The highlight changes slowly; a sample of the black behind would take an eighth. */
    CHECK(most - least < 40);
    sn_picture_image_free(&image);
}

/* ---- What hides what ---- */

TEST(near_things_hide_far_ones) {
    sn_picture_view view = picture_view();
    const sn_picture_colour colours[] = {{1, 0, 0}, {0, 0, 1}};
    view.colours = colours;
    view.colour_count = 2;
    for (int i = 0; i < 2; i++) {
        /* The ball is before the square, or behind it. */
        double z = i == 0 ? 0.5 : -0.5;
        const sn_io_shape shapes[] = {picture_ball(0, 0, z, 0.3), picture_square(0.5, 0)};
        sn_picture_image image = picture_of(shapes, 2, &view, SIZE, SIZE);
        const uint8_t *middle = image.rgb + (size_t)3 * (100 * SIZE + 100);
        const uint8_t *side = image.rgb + (size_t)3 * (100 * SIZE + 55);
        CHECK((middle[0] > middle[2]) == (i == 0));
        CHECK(side[2] > side[0]);
        sn_picture_image_free(&image);
    }
}

TEST(a_ball_in_a_wall_shows_its_part) {
    sn_picture_view view = picture_view();
    const sn_picture_colour colours[] = {{1, 0, 0}, {0, 0, 1}};
    view.colours = colours;
    view.colour_count = 2;
    /* Of a ball of 0.5 m that is 0.3 m behind a wall, a circle of 0.4 m sticks out. */
    const sn_io_shape shapes[] = {picture_ball(0, 0, -0.3, 0.5), picture_square(0.9, 0)};
    sn_picture_image image = picture_of(shapes, 2, &view, 2 * SIZE, 2 * SIZE);
    double red = 0;
    for (size_t i = 0; i < (size_t)4 * SIZE * SIZE; i++)
        red += image.rgb[3 * i] > image.rgb[3 * i + 2];
    double r = 0.4 * SIZE;
    CHECK_REL(red, pi * r * r, 0.02);
    sn_picture_image_free(&image);
}

TEST(what_passes_the_eye_is_cut) {
    /* A floor from far behind the eye to far in front of it. */
    sn_picture_view view = picture_view();
    const sn_vec3 corners[] = {{-100, -1, 100}, {100, -1, 100}, {0, -1, -1000}};
    const uint32_t triangle[1][3] = {{0, 1, 2}};
    const uint32_t tube[2][2] = {{0, 2}, {1, 2}};
    sn_io_shape floor = {.name = "floor",
                         .vertex_count = 3,
                         .positions = corners,
                         .triangle_count = 1,
                         .triangles = triangle};
    view.field_of_view = 1;
    sn_picture_image image = picture_of(&floor, 1, &view, SIZE, SIZE);
    CHECK(picture_light(&image, 100, 195) > 100 && picture_light(&image, 100, 120) > 100);
    CHECK(picture_light(&image, 100, 80) == 0 && picture_light(&image, 100, 5) == 0);
    sn_picture_image_free(&image);
    /* And tubes, which leave the picture at the bottom on both sides of the middle. */
    const sn_real radii[] = {1, 1, 1};
    const sn_vec3 ends[] = {{-3, -2, 20}, {3, -2, 20}, {0, 0, -20}};
    floor = (sn_io_shape){.name = "tubes",
                          .vertex_count = 3,
                          .positions = ends,
                          .radii = radii,
                          .line_count = 2,
                          .lines = tube};
    image = picture_of(&floor, 1, &view, SIZE, SIZE);
    int lit = 0;
    for (int x = 0; x < SIZE; x++) lit += picture_light(&image, x, SIZE - 3) > 0;
    CHECK(lit > 20);
    sn_picture_image_free(&image);
}

TEST(the_ground_hides_what_is_below_it) {
    sn_picture_view view = picture_view();
    view.has_ground = true;
    view.ground = 0;
    sn_picture_view_move(&view, (sn_vec3){0, 3, 5}, (sn_vec3){0, 0, 0});
    sn_io_shape ball = picture_ball(0, -1, 0, 0.5);
    sn_picture_image with = picture_of(&ball, 1, &view, SIZE, SIZE);
    sn_picture_image without = picture_of(&ball, 0, &view, SIZE, SIZE);
    double mean;
    CHECK(picture_differ(&with, &without, &mean) == 0);
    sn_picture_image_free(&with);
    sn_picture_image_free(&without);
}

/* ---- Light and colours ---- */

TEST(shadows_are_darker) {
    sn_picture_view view = sn_picture_view_default();
    sn_picture_view_move(&view, (sn_vec3){0, 4, 4}, (sn_vec3){0, 0, 0});
    view.to_light = (sn_vec3){0, 1, 0};
    view.ground = 0;
    sn_io_shape ball = picture_ball(0, 1.4, 0, 0.2);
    sn_picture_image with = picture_of(&ball, 1, &view, SIZE, SIZE);
    sn_picture_image without = picture_of(&ball, 0, &view, SIZE, SIZE);
    /* Right below it, in the middle of the picture. */
    CHECK(picture_light(&with, 100, 100) < 0.8 * picture_light(&without, 100, 100));
    /* Far away nothing has changed. */
    CHECK(picture_light(&with, 20, 180) == picture_light(&without, 20, 180));
    sn_picture_image_free(&with);
    sn_picture_image_free(&without);
    /* A ball low above a square darkens it, and so does one that is high. */
    for (int i = 0; i < 2; i++) {
        const sn_vec3 corners[] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
        const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
        const sn_io_shape shapes[] = {{.name = "table",
                                       .vertex_count = 4,
                                       .positions = corners,
                                       .triangle_count = 2,
                                       .triangles = triangles},
                                      picture_ball(0, i == 0 ? 0.9 : 1.8, 0, 0.2)};
        view.has_ground = false;
        with = picture_of(shapes, 2, &view, SIZE, SIZE);
        without = picture_of(shapes, 1, &view, SIZE, SIZE);
        CHECK(picture_light(&with, 100, 100) < 0.8 * picture_light(&without, 100, 100));
        CHECK(picture_light(&with, 70, 100) == picture_light(&without, 70, 100));
        sn_picture_image_free(&with);
        sn_picture_image_free(&without);
    }
}

TEST(colours_follow_the_scale) {
    sn_picture_view view = picture_view();
    sn_io_shape square = picture_square(0.9, 0);
    sn_real strain[4];
    sn_vec3 velocities[4];
    uint8_t seen[5][3];
    square.strain = strain;
    square.velocities = velocities;
    view.most = 2;
    view.legend = false;
    for (int i = 0; i < 5; i++) {
        const double value[] = {0, 1, 2, 1000, (double)NAN};
        view.colouring = i % 2 ? SN_PICTURE_COLOUR_SPEED : SN_PICTURE_COLOUR_STRAIN;
        for (int k = 0; k < 4; k++) {
            strain[k] = (sn_real)value[i];
            velocities[k] = (sn_vec3){0, (sn_real)value[i], 0};
        }
        sn_picture_image image = picture_of(&square, 1, &view, SIZE, SIZE);
        memcpy(seen[i], image.rgb + (size_t)3 * (100 * SIZE + 100), 3);
        sn_picture_image_free(&image);
    }
    /* Violet, teal, yellow; beyond the end as at the end; nothing is grey. */
    CHECK(seen[0][2] > seen[0][0] && seen[0][0] > seen[0][1]);
    CHECK(seen[1][1] > seen[1][0] && seen[1][2] > seen[1][0]);
    CHECK(seen[2][0] > 200 && seen[2][1] > 180 && seen[2][2] < 150);
    CHECK(memcmp(seen[2], seen[3], 3) == 0);
    CHECK(seen[4][0] == seen[4][1] || seen[4][0] - seen[4][1] < 12);
}

TEST(the_legend_is_in_its_corner) {
    sn_picture_view view = picture_view();
    sn_io_shape square = picture_square(0.2, 0);
    const sn_real strain[4] = {0, (sn_real)0.01, (sn_real)0.02, (sn_real)0.03};
    square.strain = strain;
    view.colouring = SN_PICTURE_COLOUR_STRAIN;
    sn_picture_image with = picture_of(&square, 1, &view, 640, 360);
    view.legend = false;
    sn_picture_image without = picture_of(&square, 1, &view, 640, 360);
    size_t changed = 0, outside = 0, dark = 0;
    for (int y = 0; y < 360; y++) {
        for (int x = 0; x < 640; x++) {
            bool is_legend = picture_light(&with, x, y) != picture_light(&without, x, y);
            changed += is_legend;
            outside += is_legend && (x > 320 || y < 280);
            dark += is_legend && picture_light(&with, x, y) < 300;
        }
    }
    CHECK(changed > 2000 && outside == 0);
    /* Letters and numbers. */
    CHECK(dark > 100);
    sn_picture_image_free(&with);
    sn_picture_image_free(&without);
}

TEST(edges_can_be_drawn) {
    sn_picture_view view = picture_view();
    sn_io_shape square = picture_square(0.8, 0);
    sn_picture_image plain = picture_of(&square, 1, &view, SIZE, SIZE);
    view.wire = true;
    sn_picture_image wire = picture_of(&square, 1, &view, SIZE, SIZE);
    /* The diagonal, and not the middle of a triangle. */
    CHECK(picture_light(&wire, 100, 99) < 0.7 * picture_light(&plain, 100, 99));
    CHECK(picture_light(&wire, 130, 130) == picture_light(&plain, 130, 130));
    sn_picture_image_free(&plain);
    sn_picture_image_free(&wire);
}

/* The side of a can is as light at its rims as between them, however large its lids are, and these
   are of one light to their edge. */
TEST(rims_are_lit_as_the_faces_that_end_there) {
    enum { SIDES = 24 };
    sn_vec3 points[2 * SIDES + 2] = {{0, (sn_real)-0.7, 0}, {0, (sn_real)0.7, 0}};
    uint32_t triangles[4 * SIDES][3];
    for (uint32_t i = 0; i < SIDES; i++) {
        double turn = 2 * pi * i / SIDES;
        uint32_t next = (i + 1) % SIDES, low = 2 + 2 * i, far = 2 + 2 * next;
        for (uint32_t k = 0; k < 2; k++)
            points[low + k] = (sn_vec3){(sn_real)(0.5 * sin(turn)), (sn_real)(k ? 0.7 : -0.7),
                                        (sn_real)(0.5 * cos(turn))};
        const uint32_t own[4][3] = {
            {low, far, far + 1}, {low, far + 1, low + 1}, {0, far, low}, {1, low + 1, far + 1}};
        memcpy(triangles[4 * i], own, sizeof own);
    }
    sn_io_shape can = {.name = "can",
                       .vertex_count = 2 * SIDES + 2,
                       .positions = points,
                       .triangle_count = 4 * SIDES,
                       .triangles = (const uint32_t(*)[3])triangles};
    sn_picture_view view = picture_view();
    view.smooth = 0;
    sn_picture_image image = picture_of(&can, 1, &view, SIZE, SIZE);
    /* At a rim two triangles of one side meet one of the next, which turns the normal a little. */
    for (int x = 70; x <= 130; x += 3) {
        int middle = picture_light(&image, x, 100);
        CHECK_NEAR(picture_light(&image, x, 36), middle, 20);
        CHECK_NEAR(picture_light(&image, x, 163), middle, 20);
    }
    sn_picture_image_free(&image);
    view.eye = (sn_vec3){0, 4, 3};
    image = picture_of(&can, 1, &view, SIZE, SIZE);
    /* From the middle of the lid along its back. */
    int lid = picture_light(&image, 100, 60);
    for (int x = 75; x <= 125; x++) CHECK_NEAR(picture_light(&image, x, 60), lid, 3);
    sn_picture_image_free(&image);
}

TEST(the_same_again_is_the_same) {
    sn_picture_view view = sn_picture_view_default();
    const sn_io_shape shapes[] = {picture_ball(0, 0.5, 0, 0.3), picture_square(0.5, -0.2)};
    sn_picture_image a = picture_of(shapes, 2, &view, SIZE, SIZE);
    sn_picture_image b = picture_of(shapes, 2, &view, SIZE, SIZE);
    double mean;
    CHECK(picture_differ(&a, &b, &mean) == 0);
    sn_picture_image_free(&a);
    sn_picture_image_free(&b);
}

TEST(threads_change_nothing) {
    sn_picture_view view = sn_picture_view_default();
    sn_io_shape ball = picture_ball(0, 0.5, 0, 0.3), square = picture_square(0.5, -0.2);
    const sn_io_shape shapes[] = {ball, square, picture_ball(0.3, 0.9, 0.2, 0.01)};
    sn_picture_image one = picture_of(shapes, 3, &view, 4 * SIZE, 3 * SIZE + 7);
    for (int threads = 0; threads < 9; threads += 3) {
        view.threads = threads;
        sn_picture_image many = picture_of(shapes, 3, &view, 4 * SIZE, 3 * SIZE + 7);
        double mean;
        CHECK(picture_differ(&one, &many, &mean) == 0);
        sn_picture_image_free(&many);
    }
    sn_picture_image_free(&one);
    sn_io_frame frame = {.shape_count = 3, .shapes = shapes};
    for (int i = 0; i < 2; i++) {
        view.threads = i == 0 ? -1 : 257;
        CHECK_FAILS(sn_picture_draw(&frame, &view, 8, 8, &one), SN_ERROR_VALUE);
        CHECK(strstr(sn_last_error(), i == 0 ? "threads is -1" : "threads is 257"));
    }
}

/* What is thinner than a pixel is as bright as it is wide, wherever it lies between the pixels. */
TEST(thin_things_are_not_broken) {
    sn_picture_view view = picture_view();
    sn_vec3 at[4];
    static const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    double least = 1e9, most = 0;
    for (int i = 0; i < 8; i++) {
        /* A strip of 0.4 pixels across the picture, a little aslant. */
        double y = 0.01 * i / 8 + 0.013, half = 0.002;
        for (int k = 0; k < 4; k++) {
            double x = k == 0 || k == 3 ? -0.9 : 0.9;
            at[k] = (sn_vec3){(sn_real)x, (sn_real)(y + 0.02 * x + (k < 2 ? -half : half)), 0};
        }
        sn_io_shape strip = {.name = "strip",
                             .vertex_count = 4,
                             .positions = at,
                             .triangle_count = 2,
                             .triangles = triangles};
        view.smooth = i % 2;
        sn_picture_image image = picture_of(&strip, 1, &view, SIZE, SIZE);
        for (int x = 20; x < SIZE - 20; x++) {
            int sum = 0;
            for (int row = 0; row < SIZE; row++) sum += picture_light(&image, x, row) > 0;
            least = sum < least ? sum : least;
            most = sum > most ? sum : most;
        }
        sn_picture_image_free(&image);
    }
    CHECK(least >= 1 && most <= 2);
}

TESTS(RUN(a_square_is_where_it_should_be), RUN(a_ball_is_as_large_as_it_should_be),
      RUN(a_tube_has_round_ends), RUN(a_symmetric_scene_gives_a_symmetric_picture),
      RUN(nothing_shows_between_triangles), RUN(near_things_hide_far_ones),
      RUN(a_ball_in_a_wall_shows_its_part), RUN(what_passes_the_eye_is_cut),
      RUN(the_ground_hides_what_is_below_it), RUN(shadows_are_darker),
      RUN(colours_follow_the_scale), RUN(the_legend_is_in_its_corner), RUN(edges_can_be_drawn),
      RUN(rims_are_lit_as_the_faces_that_end_there), RUN(the_same_again_is_the_same),
      RUN(threads_change_nothing), RUN(thin_things_are_not_broken))
