/* Views, scales and files of pictures, and frames that nobody should draw. */
#define _POSIX_C_SOURCE 200809L

#include "frames.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Views ---- */

/* The first and last column and row with anything in them. */
static void extent(const sn_picture_image *image, int box[4]) {
    box[0] = image->width;
    box[1] = image->height;
    box[2] = box[3] = -1;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            if (picture_light(image, x, y) == 0) continue;
            box[0] = x < box[0] ? x : box[0];
            box[1] = y < box[1] ? y : box[1];
            box[2] = x > box[2] ? x : box[2];
            box[3] = y > box[3] ? y : box[3];
        }
    }
}

TEST(everything_is_in_the_picture) {
    static const int sizes[][2] = {{320, 180}, {180, 320}, {200, 200}, {400, 50}};
    static const double scales[] = {1e-3, 1, 1e4};
    for (int i = 0; i < 12; i++) {
        int width = sizes[i % 4][0], height = sizes[i % 4][1];
        double scale = scales[i / 4];
        check_case("%d x %d, scale %g", width, height, scale);
        sn_io_shape corners[8];
        for (int k = 0; k < 8; k++)
            corners[k] =
                picture_ball(scale * (k & 1 ? 1 : -1) + 3 * scale, scale * (k & 2 ? 1.05 : 0.05),
                             scale * (k & 4 ? 0.5 : -0.5), 0.05 * scale);
        sn_io_frame frame = {.shape_count = 8, .shapes = corners};
        sn_picture_bounds bounds = sn_picture_bounds_none();
        sn_picture_bounds_add(&bounds, &frame);
        sn_picture_view view = sn_picture_view_around(&bounds, (double)width / height);
        view.has_ground = false;
        view.background = SN_PICTURE_BACKGROUND_PLAIN;
        view.backdrop = (sn_picture_colour){0, 0, 0};
        sn_picture_image image = picture_of(corners, 8, &view, width, height);
        int box[4];
        extent(&image, box);
        CHECK(box[0] > 0 && box[1] > 0 && box[2] < width - 1 && box[3] < height - 1);
        /* And not small. */
        CHECK(box[2] - box[0] > width / 2 || box[3] - box[1] > height / 2);
        sn_picture_image_free(&image);
    }
}

TEST(bounds_leave_out_what_is_nowhere) {
    const sn_vec3 at[] = {
        {1, 2, 3}, {(sn_real)NAN, 0, 0}, {0, (sn_real)INFINITY, 0}, {0, 0, (sn_real)1e20}};
    const sn_real radii[] = {(sn_real)0.5, 1, 1, 1};
    sn_io_shape shape = {.name = "a", .vertex_count = 4, .positions = at, .radii = radii};
    sn_io_frame frame = {.shape_count = 1, .shapes = &shape};
    sn_picture_bounds bounds = sn_picture_bounds_none();
    sn_picture_bounds_add(&bounds, &frame);
    CHECK_NEAR(bounds.least.x, 0.5, 1e-6);
    CHECK_NEAR(bounds.most.z, 3.5, 1e-6);
    /* What is not seen has no place in a picture either, and the ground is not below it. */
    sn_io_look clear = sn_io_look_default();
    clear.opacity = 0;
    shape.look = &clear;
    bounds = sn_picture_bounds_none();
    sn_picture_bounds_add(&bounds, &frame);
    CHECK(bounds.least.x > bounds.most.x);
    /* A view of nothing is still a view. */
    sn_picture_bounds none = sn_picture_bounds_none();
    sn_picture_view view = sn_picture_view_around(&none, (double)NAN);
    CHECK(isfinite((double)view.eye.x) && isfinite((double)view.eye.y));
}

TEST(scales_are_short_and_not_set_by_one_value) {
    enum { N = 1000 };
    static sn_real strain[N];
    static sn_vec3 at[N], velocities[N];
    sn_io_shape shape = {.name = "a",
                         .vertex_count = N,
                         .positions = at,
                         .velocities = velocities,
                         .strain = strain};
    sn_io_frame frame = {.shape_count = 1, .shapes = &shape};
    sn_real least, most;
    for (int i = 0; i < N; i++) strain[i] = (sn_real)(0.043 * i / N);
    strain[5] = 100;
    strain[6] = (sn_real)NAN;
    strain[7] = (sn_real)INFINITY;
    sn_picture_scale_of(&frame, SN_PICTURE_COLOUR_STRAIN, &least, &most);
    CHECK(least == 0 && most >= (sn_real)0.042 && most < (sn_real)0.05);
    for (int i = 0; i < N; i++) strain[i] = (sn_real)(0.043 * (i - N / 2) / N);
    sn_picture_scale_of(&frame, SN_PICTURE_COLOUR_STRAIN, &least, &most);
    CHECK(least == -most);
    CHECK(most >= (sn_real)0.021 && most <= (sn_real)0.025);
    /* Nothing moves, and nothing is known. */
    sn_picture_scale_of(&frame, SN_PICTURE_COLOUR_SPEED, &least, &most);
    CHECK(least == 0 && most == 1);
    shape.velocities = NULL;
    sn_picture_scale_of(&frame, SN_PICTURE_COLOUR_SPEED, &least, &most);
    CHECK(least == 0 && most == 1);
}

/* ---- Absurd frames ---- */

static void draw_all_ways(const sn_io_shape *shapes, size_t count, const sn_picture_view *view) {
    for (int i = 0; i < 6; i++) {
        sn_picture_view changed = *view;
        changed.has_ground = i % 2 == 0;
        changed.wire = i % 3 == 0;
        changed.colouring = (sn_picture_colouring)(i % 3);
        sn_picture_image image =
            picture_of(shapes, count, &changed, i < 3 ? 64 : 1, i % 2 ? 36 : 1);
        CHECK(image.rgb != NULL);
        sn_picture_image_free(&image);
    }
}

TEST(absurd_frames_are_drawn) {
    static const double numbers[] = {0,
                                     -0.0,
                                     1,
                                     -1,
                                     1e-30,
                                     1e9,
                                     -1e14,
                                     1e20,
                                     -1e38,
                                     (double)NAN,
                                     (double)INFINITY,
                                     0.5,
                                     (double)-INFINITY};
    enum { COUNT = sizeof numbers / sizeof numbers[0], N = 60 };
    static sn_vec3 at[N], velocities[N];
    static sn_real radii[N], strain[N];
    static uint32_t triangles[N][3], lines[N][2];
    uint32_t random = 7;
    for (int round = 0; round < 3; round++) {
        check_case("round %d", round);
        for (uint32_t i = 0; i < N; i++) {
            sn_real *all[] = {&at[i].x,         &at[i].y,  &at[i].z,
                              &velocities[i].x, &radii[i], &strain[i]};
            for (int k = 0; k < 6; k++) {
                random = random * 1664525u + 1013904223u;
                *all[k] = (sn_real)numbers[(random >> 10) % COUNT];
            }
            for (int k = 0; k < 5; k++) {
                random = random * 1664525u + 1013904223u;
                *(k < 3 ? &triangles[i][k] : &lines[i][k - 3]) = (random >> 10) % N;
            }
        }
        const sn_io_shape shapes[] = {
            {.name = "nothing"},
            {.name = "mesh",
             .vertex_count = N,
             .positions = at,
             .velocities = velocities,
             .strain = strain,
             .triangle_count = N,
             .triangles = (const uint32_t(*)[3])triangles},
            {.name = "lines",
             .vertex_count = N,
             .positions = at,
             .radii = radii,
             .strain = strain,
             .line_count = N,
             .lines = (const uint32_t(*)[2])lines},
            {.name = "dust", .vertex_count = N, .positions = at, .radii = radii},
            {.name = "thin", .vertex_count = N, .positions = at, .velocities = velocities}};
        sn_io_frame frame = {.shape_count = 5, .shapes = shapes};
        sn_picture_bounds bounds = sn_picture_bounds_none();
        sn_picture_bounds_add(&bounds, &frame);
        sn_picture_view view = sn_picture_view_around(&bounds, 1);
        draw_all_ways(shapes, 5, &view);
        view = sn_picture_view_default();
        /* In the middle of it all; at its own target; straight down. */
        if (round % 3 == 0) view.eye = (sn_vec3){(sn_real)0.1, (sn_real)0.1, (sn_real)0.1};
        if (round % 3 == 1) view.eye = view.target;
        if (round % 3 == 2) view.eye = (sn_vec3){view.target.x, 9, view.target.z};
        draw_all_ways(shapes, 5, &view);
    }
}

TEST(what_has_no_size_is_drawn) {
    static const sn_vec3 at[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    static const uint32_t triangle[1][3] = {{0, 1, 2}}, same[1][3] = {{0, 0, 0}};
    static const uint32_t line[1][2] = {{0, 1}};
    const sn_io_shape shapes[] = {
        {.name = "a",
         .vertex_count = 3,
         .positions = at,
         .triangle_count = 1,
         .triangles = triangle},
        {.name = "b", .vertex_count = 3, .positions = at, .triangle_count = 1, .triangles = same},
        {.name = "c", .vertex_count = 3, .positions = at, .line_count = 1, .lines = line}};
    sn_io_frame frame = {.shape_count = 3, .shapes = shapes};
    sn_picture_bounds bounds = sn_picture_bounds_none();
    sn_picture_bounds_add(&bounds, &frame);
    sn_picture_view view = sn_picture_view_around(&bounds, 1);
    draw_all_ways(shapes, 3, &view);
    draw_all_ways(shapes, 0, &view);
}

/* ---- Refusals ---- */

TEST(bad_frames_and_views_are_refused) {
    static const sn_vec3 at[2] = {{0, 0, 0}, {1, 0, 0}};
    static const uint32_t triangle[1][3] = {{0, 1, 2}}, line[1][2] = {{0, 7}};
    sn_io_shape shape = {.name = "flag",
                         .vertex_count = 2,
                         .positions = at,
                         .triangle_count = 1,
                         .triangles = triangle};
    sn_io_frame frame = {.shape_count = 1, .shapes = &shape};
    sn_picture_view view = sn_picture_view_default();
    sn_picture_image image;
    CHECK_FAILS(sn_picture_draw(&frame, &view, 8, 8, &image), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "shape \"flag\": triangle 0 uses vertex 2") && !image.rgb);
    shape = (sn_io_shape){
        .name = "rope", .vertex_count = 2, .positions = at, .line_count = 1, .lines = line};
    CHECK_FAILS(sn_picture_draw(&frame, &view, 8, 8, &image), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "line 0 uses vertex 7"));
    shape.positions = NULL;
    CHECK_FAILS(sn_picture_draw(&frame, &view, 8, 8, &image), SN_ERROR_NULL);
    frame.shape_count = 0;
    CHECK_FAILS(sn_picture_draw(&frame, &view, 0, 8, &image), SN_ERROR_VALUE);
    CHECK_FAILS(sn_picture_draw(&frame, &view, 8, 8193, &image), SN_ERROR_VALUE);
    CHECK_FAILS(sn_picture_draw(NULL, &view, 8, 8, &image), SN_ERROR_NULL);
    sn_picture_view bad = view;
    bad.eye.x = (sn_real)NAN;
    CHECK_FAILS(sn_picture_draw(&frame, &bad, 8, 8, &image), SN_ERROR_VALUE);
    bad = view;
    bad.field_of_view = 0;
    CHECK_FAILS(sn_picture_draw(&frame, &bad, 8, 8, &image), SN_ERROR_VALUE);
    bad = view;
    bad.most = (sn_real)INFINITY;
    CHECK_FAILS(sn_picture_draw(&frame, &bad, 8, 8, &image), SN_ERROR_VALUE);
}

TEST(pictures_become_files) {
    sn_picture_view view = picture_view();
    sn_io_shape square = picture_square(0.5, 0);
    sn_picture_image image = picture_of(&square, 1, &view, 30, 20);
    static const char path[] = "picture_scratch.png";
    unsigned char head[24] = {0};
    CHECK_OK(sn_picture_png_write(path, &image));
    FILE *file = fopen(path, "rb");
    if (CHECK(file != NULL)) {
        CHECK(fread(head, 1, sizeof head, file) == sizeof head);
        fclose(file);
        CHECK(memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0 && head[19] == 30 && head[23] == 20);
    }
    remove(path);
    CHECK_FAILS(sn_picture_png_write("no_such_folder/a.png", &image), SN_ERROR_FILE);
    sn_picture_image_free(&image);
    sn_picture_image_free(&image);
}

TESTS(RUN(everything_is_in_the_picture), RUN(bounds_leave_out_what_is_nowhere),
      RUN(scales_are_short_and_not_set_by_one_value), RUN(absurd_frames_are_drawn),
      RUN(what_has_no_size_is_drawn), RUN(bad_frames_and_views_are_refused),
      RUN(pictures_become_files))
