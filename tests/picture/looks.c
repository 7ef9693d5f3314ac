/* Fabrics, prints, opacity and highlights of what is drawn, measured in pixels. */
#include "frames.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 400 };

/* 2 m are as high as the picture. */
static const double pixels_per_metre = SIZE / 2.0;

static const sn_real square_uvs[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};

/* A square of 2 m with places on its material. */
static sn_io_shape cloth(const sn_io_look *look) {
    sn_io_shape shape = picture_square(1, 0);
    shape.uvs = square_uvs;
    shape.creased = true;
    shape.look = look;
    return shape;
}

static const uint8_t *pixel(const sn_picture_image *image, int x, int y) {
    return image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
}

/* How alike a row or a column is to itself some pixels further on: 1 the same, -1 opposite. */
static double alike(const sn_picture_image *image, bool column, int shift) {
    double mean = 0, both = 0, own = 0;
    int count = SIZE - 40 - shift, at = SIZE / 2 + 3;
    for (int i = 0; i < count + shift; i++)
        mean += picture_light(image, column ? at : 20 + i, column ? 20 + i : at);
    mean /= count + shift;
    for (int i = 0; i < count; i++) {
        double a = picture_light(image, column ? at : 20 + i, column ? 20 + i : at) - mean;
        int k = 20 + i + shift;
        double b = picture_light(image, column ? at : k, column ? k : at) - mean;
        both += a * b;
        own += a * a;
    }
    return own > 0 ? both / own : 0;
}

TEST(threads_are_as_far_apart_as_they_should_be) {
    sn_picture_view view = picture_view();
    for (int weave = SN_IO_WEAVE_PLAIN; weave <= SN_IO_WEAVE_KNIT; weave++) {
        check_case("weave %d", weave);
        sn_io_look look = sn_io_look_default();
        look.weave = (sn_io_weave)weave;
        look.thread = (sn_real)0.05; /* ten pixels */
        sn_io_shape shape = cloth(&look);
        sn_picture_image image = picture_of(&shape, 1, &view, SIZE, SIZE);
        /* Plain weave and knit repeat after two threads, twill after four. */
        int period = weave == SN_IO_WEAVE_TWILL ? 40 : 20;
        CHECK_REL(period / pixels_per_metre,
                  (weave == SN_IO_WEAVE_TWILL ? 4 : 2) * (double)look.thread, 1e-6);
        for (int column = 0; column < 2; column++) {
            CHECK(alike(&image, column, period) > 0.8);
            CHECK(alike(&image, column, period + 5) < 0.75);
        }
        sn_picture_image_free(&image);
    }
}

/* Means over the middle of the picture. */
static void mean_of(const sn_picture_image *image, double mean[3], double *spread) {
    double square = 0;
    int count = 0;
    mean[0] = mean[1] = mean[2] = 0;
    for (int y = SIZE / 4; y < 3 * SIZE / 4; y++)
        for (int x = SIZE / 4; x < 3 * SIZE / 4; x++, count++) {
            for (int k = 0; k < 3; k++) mean[k] += pixel(image, x, y)[k];
            square += (double)picture_light(image, x, y) * picture_light(image, x, y);
        }
    for (int k = 0; k < 3; k++) mean[k] /= count;
    double light = mean[0] + mean[1] + mean[2];
    *spread = sqrt(fmax(square / count - light * light, 0));
}

TEST(what_is_too_fine_becomes_its_mean) {
    sn_picture_view view = picture_view();
    double plain[3], fine[3], coarse[3], spread, rough;
    const sn_picture_colour grey = {0.3f, 0.3f, 0.3f};
    view.colours = &grey;
    sn_io_look look = sn_io_look_default();
    sn_io_shape shape = cloth(&look);
    sn_picture_image image = picture_of(&shape, 1, &view, SIZE, SIZE);
    mean_of(&image, plain, &spread);
    sn_picture_image_free(&image);
    for (int weave = SN_IO_WEAVE_PLAIN; weave <= SN_IO_WEAVE_KNIT; weave++) {
        check_case("weave %d", weave);
        look.weave = (sn_io_weave)weave;
        /* A third of a pixel: no moire, and the colour of the cloth. */
        look.thread = (sn_real)0.0017;
        image = picture_of(&shape, 1, &view, SIZE, SIZE);
        mean_of(&image, fine, &rough);
        sn_picture_image_free(&image);
        CHECK(fabs(rough - spread) < 2);
        CHECK(fabs(fine[0] - plain[0]) < 2);
        /* Threads that are seen do not change how bright it is. */
        look.thread = (sn_real)0.08;
        image = picture_of(&shape, 1, &view, SIZE, SIZE);
        mean_of(&image, coarse, &rough);
        sn_picture_image_free(&image);
        CHECK(rough > 10);
        CHECK_REL(coarse[0], plain[0], 0.08);
    }
}

TEST(stripes_are_as_wide_as_they_should_be) {
    sn_picture_view view = picture_view();
    sn_io_look look = sn_io_look_default();
    look.colour = (sn_vec3){1, 0, 0};
    look.pattern_colour = (sn_vec3){0, 0, 1};
    look.pattern_width = (sn_real)0.1; /* 20 pixels */
    sn_io_shape shape = cloth(&look);
    for (int pattern = SN_IO_PATTERN_STRIPES; pattern <= SN_IO_PATTERN_SQUARES; pattern++) {
        check_case("pattern %d", pattern);
        look.pattern = (sn_io_pattern)pattern;
        sn_picture_image image = picture_of(&shape, 1, &view, SIZE, SIZE);
        int across = 0, down = 0, wrong = 0;
        for (int i = 11; i < SIZE - 10; i++) {
            across += (pixel(&image, i, 212)[2] > 60) != (pixel(&image, i - 1, 212)[2] > 60);
            down += (pixel(&image, 212, i)[2] > 60) != (pixel(&image, 212, i - 1)[2] > 60);
            wrong += pixel(&image, i, 212)[1] > 60;
        }
        /* Of checks, the row lies in a stripe, and is mixed all along. */
        if (pattern != SN_IO_PATTERN_CHECKS) CHECK(across == 19);
        if (pattern == SN_IO_PATTERN_STRIPES) CHECK(down == 0);
        if (pattern == SN_IO_PATTERN_SQUARES) CHECK(down == 19);
        /* Nothing but the two colours and what is between them. */
        CHECK(wrong == 0);
        sn_picture_image_free(&image);
    }
    /* Of checks a quarter has one colour, a quarter the other, and half is between. */
    look.pattern = SN_IO_PATTERN_CHECKS;
    sn_picture_image image = picture_of(&shape, 1, &view, SIZE, SIZE);
    double kinds[3] = {0, 0, 0};
    for (int y = 40; y < 360; y++)
        for (int x = 40; x < 360; x++) {
            const uint8_t *p = pixel(&image, x, y);
            kinds[p[2] < 60 ? 0 : p[0] < 60 ? 2 : 1] += 1.0 / (320 * 320);
        }
    CHECK_REL(kinds[0], 0.25, 0.12);
    CHECK_REL(kinds[1], 0.5, 0.12);
    CHECK_REL(kinds[2], 0.25, 0.12);
    sn_picture_image_free(&image);
}

/* Without places on the material, a shape has its colour. */
TEST(a_shape_without_uvs_is_plain) {
    sn_picture_view view = picture_view();
    sn_io_look look = sn_io_look_default();
    sn_io_shape plain = cloth(&look), woven = plain;
    sn_io_look other = look;
    other.weave = SN_IO_WEAVE_KNIT;
    other.pattern = SN_IO_PATTERN_CHECKS;
    woven.look = &other;
    woven.uvs = plain.uvs = NULL;
    sn_picture_image a = picture_of(&plain, 1, &view, 100, 100);
    sn_picture_image b = picture_of(&woven, 1, &view, 100, 100);
    double mean;
    CHECK(picture_differ(&a, &b, &mean) == 0);
    sn_picture_image_free(&a);
    sn_picture_image_free(&b);
}

/* Vertices with colours: red on the left, blue on the right, and both between; in place of the
   colour of the look, on either side and where the cloth is thick. */
TEST(vertices_have_colours) {
    sn_picture_view view = picture_view();
    sn_io_look look = sn_io_look_default();
    look.colour = (sn_vec3){0, 1, 0};
    sn_io_shape shape = cloth(&look);
    sn_vec3 colours[4];
    for (int i = 0; i < 4; i++) colours[i] = (sn_vec3){shape.positions[i].x < 0, 0, 0};
    for (int i = 0; i < 4; i++) colours[i].z = 1 - colours[i].x;
    shape.colours = colours;
    for (int thick = 0; thick < 2; thick++) {
        check_case("thick: %d", thick);
        look.thickness = thick ? (sn_real)0.01 : 0;
        sn_picture_image image = picture_of(&shape, 1, &view, 100, 100);
        const uint8_t *left = pixel(&image, 8, 50), *right = pixel(&image, 91, 50),
                      *middle = pixel(&image, 50, 50);
        CHECK(left[0] > 2 * left[2] && left[0] > 2 * left[1]);
        CHECK(right[2] > 2 * right[0] && right[2] > 2 * right[1]);
        CHECK(middle[0] > middle[1] && middle[2] > middle[1]);
        CHECK(abs(middle[0] - middle[2]) < 24);
        sn_picture_image_free(&image);
    }
}

/* ---- Opacity ---- */

static double linear(int byte) {
    double s = byte / 255.0;
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

/* What is behind is seen through by how little is hidden, and layers add up in their order however
   they are listed. */
TEST(what_is_behind_is_seen_through) {
    sn_picture_view view = picture_view();
    sn_io_look red = sn_io_look_default(), green = red, blue = red;
    red.colour = (sn_vec3){1, 0, 0};
    green.colour = (sn_vec3){0, 1, 0};
    blue.colour = (sn_vec3){0, 0, 1};
    /* No highlights: colours are those of the things alone. */
    red.sheen = green.sheen = blue.sheen = 0;
    red.roughness = green.roughness = blue.roughness = 1;
    sn_io_shape wall = picture_square(0.9, -0.2), near = picture_square(0.9, 0.2),
                middle = picture_square(0.9, 0);
    wall.look = &blue;
    near.look = &red;
    middle.look = &green;
    double full[3];
    for (int k = 0; k < 3; k++) {
        sn_picture_image alone = picture_of(k == 0   ? &near
                                            : k == 1 ? &middle
                                                     : &wall,
                                            1, &view, 100, 100);
        full[k] = linear(pixel(&alone, 50, 50)[k]);
        sn_picture_image_free(&alone);
    }
    static const double opacities[][2] = {{0.25, 0.25}, {0.3, 0.4}, {0, 0.2}, {0.45, 0}};
    for (int i = 0; i < 4; i++) {
        red.opacity = (sn_real)opacities[i][0];
        green.opacity = (sn_real)opacities[i][1];
        check_case("%g and %g", opacities[i][0], opacities[i][1]);
        const sn_io_shape orders[2][3] = {{wall, near, middle}, {middle, near, wall}};
        uint8_t seen[2][3];
        for (int k = 0; k < 2; k++) {
            sn_picture_image image = picture_of(orders[k], 3, &view, 100, 100);
            memcpy(seen[k], pixel(&image, 50, 50), 3);
            sn_picture_image_free(&image);
        }
        CHECK(memcmp(seen[0], seen[1], 3) == 0);
        double through = (1 - opacities[i][0]) * (1 - opacities[i][1]);
        CHECK_REL(linear(seen[0][2]) / full[2], through, 0.02);
        /* The nearer one hides a part of the other. */
        CHECK_NEAR(linear(seen[0][0]) / full[0], opacities[i][0], 0.01);
        CHECK_NEAR(linear(seen[0][1]) / full[1], opacities[i][1] * (1 - opacities[i][0]), 0.01);
    }
}

/* Which of two surfaces at the same place is nearer is rounded otherwise in every pixel: what is
   clear is not seen on what it lies on, and what lies on it is seen once. */
TEST(panes_that_touch_do_not_flicker) {
    sn_picture_view view = picture_view();
    sn_io_look pane = sn_io_look_default(), blue = pane;
    pane.colour = (sn_vec3){1, 0, 0};
    blue.colour = (sn_vec3){0, 0, 1};
    pane.sheen = blue.sheen = 0;
    pane.roughness = blue.roughness = 1;
    pane.opacity = (sn_real)0.4;
    view.eye = (sn_vec3){(sn_real)1.7, (sn_real)1.3, (sn_real)2.9};
    for (int on_wall = 0; on_wall < 2; on_wall++) {
        check_case(on_wall ? "on a wall" : "on another");
        sn_io_shape shapes[2] = {picture_square(0.83, 0), picture_square(0.57, 0)};
        shapes[0].look = on_wall ? &blue : &pane;
        shapes[1].look = &pane;
        sn_picture_image one = picture_of(shapes, 1, &view, SIZE, SIZE);
        sn_picture_image both = picture_of(shapes, 2, &view, SIZE, SIZE);
        int worst = 0;
        for (size_t i = 0; i < 3 * (size_t)SIZE * SIZE; i++) {
            int apart = abs((int)one.rgb[i] - (int)both.rgb[i]);
            if (apart > worst) worst = apart;
        }
        CHECK(worst <= 2);
        sn_picture_image_free(&one);
        sn_picture_image_free(&both);
    }
}

/* A puff hides as much as it is opaque where all of it is looked through, less towards its rim, and
   nothing beyond. */
TEST(puffs_of_smoke_are_clear_at_their_rims) {
    sn_picture_view view = picture_view();
    sn_io_look smoke = sn_io_look_default(), blue = smoke;
    smoke.colour = (sn_vec3){1, 0, 0};
    blue.colour = (sn_vec3){0, 0, 1};
    smoke.sheen = blue.sheen = 0;
    smoke.roughness = blue.roughness = 1;
    smoke.opacity = (sn_real)0.4;
    smoke.smoke = true;
    sn_io_shape shapes[2] = {picture_square(0.9, -0.2), picture_ball(0, 0, 0, 0.15)};
    shapes[0].look = &blue;
    shapes[1].look = &smoke;
    sn_picture_image wall = picture_of(shapes, 1, &view, 100, 100);
    sn_picture_image image = picture_of(shapes, 2, &view, 100, 100);
    double before = 0;
    for (int x = 50; x < 100; x++) {
        double full = linear(pixel(&wall, x, 50)[2]);
        if (!(full > 0.01)) continue;
        double through = linear(pixel(&image, x, 50)[2]) / full;
        if (x == 50) CHECK_NEAR(through, 0.6, 0.02);
        CHECK(through > before - 0.02);
        before = through;
    }
    CHECK_NEAR(before, 1, 0.01);
    sn_picture_image_free(&wall);
    sn_picture_image_free(&image);
}

/* ---- Light ---- */

static double brightest(const sn_io_look *look, double *mean) {
    sn_picture_view view = picture_view();
    sn_io_shape ball = picture_ball(0, 0, 0, 0.8);
    ball.look = look;
    sn_picture_image image = picture_of(&ball, 1, &view, 200, 200);
    double most = 0;
    *mean = 0;
    for (int y = 0; y < 200; y++)
        for (int x = 0; x < 200; x++) {
            double light = linear(pixel(&image, x, y)[0]);
            most = fmax(most, light);
            *mean += light / 40000;
        }
    sn_picture_image_free(&image);
    return most;
}

TEST(smooth_things_shine_and_fibres_glow) {
    sn_io_look look = sn_io_look_default();
    look.colour = (sn_vec3){(sn_real)0.3, (sn_real)0.3, (sn_real)0.3};
    look.sheen = 0;
    look.roughness = 1;
    double matt_mean, shiny_mean, velvet_mean;
    double matt = brightest(&look, &matt_mean);
    look.roughness = (sn_real)0.1;
    double shiny = brightest(&look, &shiny_mean);
    CHECK(shiny > 1.5 * matt);
    CHECK_REL(shiny_mean, matt_mean, 0.15);
    look.roughness = 1;
    look.sheen = 1;
    double velvet = brightest(&look, &velvet_mean);
    CHECK(velvet_mean > 1.1 * matt_mean);
    CHECK(velvet < shiny);
}

/* ---- Staging ---- */

/* Two lights from two sides colour a ball as they are coloured, and add up. */
TEST(lights_have_colours_and_strengths) {
    sn_picture_view view = picture_view();
    sn_io_light lights[2] = {{{1, 0, (sn_real)-0.2}, {1, 0, 0}, 1},
                             {{-1, 0, (sn_real)-0.2}, {0, 0, 1}, 1}};
    sn_io_staging staging = sn_io_staging_default();
    staging.light_count = 2;
    staging.lights = lights;
    staging.sky_light = 0;
    staging.ground = SN_IO_GROUND_NONE;
    sn_picture_view_stage(&view, &staging);
    sn_io_look look = sn_io_look_default();
    look.sheen = 0;
    look.roughness = 1;
    sn_io_shape ball = picture_ball(0, 0, 0, 0.8);
    ball.look = &look;
    uint8_t left[2][3], right[2][3];
    for (int i = 0; i < 2; i++) {
        lights[0].strength = (sn_real)(i == 0 ? 0.5 : 0.25);
        sn_picture_image image = picture_of(&ball, 1, &view, 200, 200);
        memcpy(left[i], pixel(&image, 50, 100), 3);
        memcpy(right[i], pixel(&image, 150, 100), 3);
        sn_picture_image_free(&image);
    }
    CHECK(left[0][0] > 60 && left[0][1] < 3 && left[0][2] < left[0][0] / 2);
    CHECK(right[0][2] > 60 && right[0][1] < 3 && right[0][0] < right[0][2] / 2);
    CHECK_REL(linear(left[0][0]) / linear(left[1][0]), 2, 0.06);
    CHECK(right[0][2] == right[1][2]);
    /* What is too many, and what is no light. */
    sn_io_frame frame = {.shape_count = 1, .shapes = &ball};
    sn_picture_image image;
    view.light_count = 5;
    CHECK_FAILS(sn_picture_draw(&frame, &view, 8, 8, &image), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "light_count is 5"));
    view.light_count = 1;
    lights[0].strength = -1;
    CHECK_FAILS(sn_picture_draw(&frame, &view, 8, 8, &image), SN_ERROR_VALUE);
}

TEST(ground_and_background_are_as_they_should_be) {
    sn_picture_view view = picture_view();
    sn_picture_view_move(&view, (sn_vec3){0, 3, 5}, (sn_vec3){0, 0, 0});
    view.has_ground = true;
    view.ground = 0;
    sn_io_staging staging = sn_io_staging_default();
    staging.ground_colour = (sn_vec3){0, 1, 0};
    staging.background = SN_IO_BACKGROUND_PLAIN;
    staging.background_colour = (sn_vec3){1, 0, 0};
    size_t shades[4];
    for (int kind = 0; kind < 4; kind++) {
        check_case("ground %d", kind);
        staging.ground = (sn_io_ground)kind;
        sn_picture_view own = view;
        sn_picture_view_stage(&own, &staging);
        sn_picture_image image = picture_of(NULL, 0, &own, 200, 200);
        bool seen[256] = {false};
        shades[kind] = 0;
        for (int x = 0; x < 200; x++) {
            const uint8_t *p = pixel(&image, x, 150);
            shades[kind] += !seen[p[1]];
            seen[p[1]] = true;
        }
        const uint8_t *middle = pixel(&image, 100, 110);
        CHECK(kind == SN_IO_GROUND_NONE ? middle[0] > 200 : middle[1] > middle[0]);
        sn_picture_image_free(&image);
    }
    /* Lines are on the grid, squares on the board, and nothing on the others. */
    CHECK(shades[SN_IO_GROUND_NONE] == 1);
    CHECK(shades[SN_IO_GROUND_GRID] > shades[SN_IO_GROUND_PLAIN]);
    CHECK(shades[SN_IO_GROUND_CHECKER] > shades[SN_IO_GROUND_PLAIN]);
    /* Its height is what the staging says. */
    staging.ground_height = (sn_real)-2.5;
    sn_picture_view_stage(&view, &staging);
    CHECK(view.ground == (sn_real)-2.5);
    sn_picture_view same = view;
    sn_picture_view_stage(&same, NULL);
    CHECK(memcmp(&same, &view, sizeof view) == 0);
}

/* The part of the picture that is not black. */
static double covered(const sn_picture_image *image) {
    double count = 0;
    for (int i = 0; i < SIZE * SIZE; i++) count += picture_light(image, i % SIZE, i / SIZE) > 30;
    return count / (SIZE * SIZE);
}

/* A cloth of two sides and a border covers more the nearer it is, and is seen from the side. */
TEST(cloth_is_as_thick_as_it_is_said_to_be) {
    static const sn_vec3 aside[4] = {{0, (sn_real)-0.5, (sn_real)-0.5},
                                     {0, (sn_real)-0.5, (sn_real)0.5},
                                     {0, (sn_real)0.5, (sn_real)0.5},
                                     {0, (sn_real)0.5, (sn_real)-0.5}};
    sn_picture_view view = picture_view();
    sn_io_look look = sn_io_look_default();
    double front[2], side[2];
    for (int thick = 0; thick < 2; thick++) {
        look.thickness = thick ? (sn_real)0.2 : 0;
        sn_io_shape shape = picture_square(0.5, 0);
        shape.look = &look;
        shape.creased = true;
        view.smooth = 0;
        sn_picture_image image = picture_of(&shape, 1, &view, SIZE, SIZE);
        front[thick] = covered(&image);
        sn_picture_image_free(&image);
        shape.positions = aside;
        image = picture_of(&shape, 1, &view, SIZE, SIZE);
        side[thick] = covered(&image);
        sn_picture_image_free(&image);
    }
    /* From 5 m, the near side is at 4.9; and the near part of the border at 4.5. */
    CHECK_REL(front[0], 0.25, 0.01);
    CHECK_REL(front[1], 0.25 * (5 / 4.9) * (5 / 4.9), 0.01);
    CHECK(side[0] < 0.002);
    /* A pixel is counted where any of it is covered: up to one more on each side. */
    double wide = 0.2 * pixels_per_metre * 5 / 4.5, high = pixels_per_metre * 5 / 4.5;
    CHECK(side[1] * SIZE * SIZE > wide * high && side[1] * SIZE * SIZE < (wide + 2) * (high + 2));
}

/* Red and green above blue and white, as a file in memory. */
static size_t make_texture(uint8_t bytes[4096]) {
    enum { HALF = 16, ALL = 2 * HALF };
    static uint8_t rgb[ALL * ALL * 3];
    static const uint8_t colour[2][2][3] = {{{255, 0, 0}, {0, 255, 0}},
                                            {{0, 0, 255}, {255, 255, 255}}};
    for (int i = 0; i < ALL * ALL; i++)
        memcpy(rgb + 3 * i, colour[i / ALL / HALF][i % ALL / HALF], 3);
    sn_picture_image image = {ALL, ALL, rgb};
    REQUIRE_OK(sn_picture_png_write("picture_looks.png", &image));
    FILE *file = fopen("picture_looks.png", "rb");
    if (!CHECK(file)) return 0;
    size_t count = fread(bytes, 1, 4096, file);
    fclose(file);
    remove("picture_looks.png");
    return count;
}

/* Whether the parts of a pixel are bright, as a number of three bits. */
static int bright(const sn_picture_image *image, int x, int y) {
    const uint8_t *p = pixel(image, x, y);
    int most = p[0] > p[1] ? p[0] : p[1], bits = 0;
    most = most > p[2] ? most : p[2];
    for (int k = 0; k < 3; k++) bits = bits << 1 | (2 * p[k] > most);
    return bits;
}

TEST(textures_lie_where_their_coordinates_say) {
    static uint8_t bytes[4096];
    sn_picture_view view = picture_view();
    sn_io_look look = sn_io_look_default();
    look.texture_byte_count = make_texture(bytes);
    look.texture_bytes = bytes;
    look.texture_size = 2; /* as large as the square */
    sn_io_shape shape = cloth(&look);
    sn_io_frame frame = {.shape_count = 1, .shapes = &shape};
    sn_picture_image image;
    sn_result result = sn_picture_draw(&frame, &view, SIZE, SIZE, &image);
    if (result == SN_ERROR_FILE && strstr(sn_last_error(), "without libpng")) return;
    REQUIRE_OK(result);
    const int near = SIZE / 4, far = 3 * SIZE / 4;
    CHECK(bright(&image, near, near) == 4 && bright(&image, far, near) == 2);
    CHECK(bright(&image, near, far) == 1 && bright(&image, far, far) == 7);
    sn_picture_image_free(&image);
    /* It begins again, twice as often as its size is less; and takes the colour of the shape. */
    look.texture_size = 1;
    look.colour = (sn_vec3){1, 1, 0};
    image = picture_of(&shape, 1, &view, SIZE, SIZE);
    for (int i = 0; i < 4; i++) {
        int x = SIZE / 2 * (i % 2), y = SIZE / 2 * (i / 2);
        CHECK(bright(&image, x + SIZE / 8, y + SIZE / 8) == 4);
        CHECK(bright(&image, x + 3 * SIZE / 8, y + 3 * SIZE / 8) == 6);
    }
    sn_picture_image_free(&image);
    /* What is too fine is its mean: as much of each colour. */
    look.texture_size = (sn_real)0.001;
    look.colour.x = SN_AUTO;
    double mean[3], spread;
    image = picture_of(&shape, 1, &view, SIZE, SIZE);
    mean_of(&image, mean, &spread);
    CHECK(spread < 1);
    CHECK_NEAR(mean[0], mean[1], 8);
    CHECK_NEAR(mean[1], mean[2], 8);
    sn_picture_image_free(&image);
    /* Half a file is no image. */
    look.texture_byte_count /= 2;
    CHECK_FAILS(sn_picture_draw(&frame, &view, SIZE, SIZE, &image), SN_ERROR_DATA);
}

/* Each half of a square is what it is alone: red, and green that may be clear; smooth and thick
   ones too. */
TEST(triangles_have_materials) {
    sn_picture_view view = picture_view();
    sn_io_look looks[2] = {sn_io_look_default(), sn_io_look_default()};
    looks[0].colour = (sn_vec3){1, 0, 0};
    looks[1].colour = (sn_vec3){0, 1, 0};
    static const uint32_t of[2] = {0, 1};
    for (int i = 0; i < 4; i++) {
        check_case("variant %d", i);
        sn_io_look whole = sn_io_look_default();
        looks[1].opacity = i == 3 ? 0 : 1;
        whole.thickness = i == 2 ? (sn_real)0.02 : 0;
        view.smooth = i == 1 ? 2 : 0;
        sn_io_shape shape = cloth(&whole), alone = cloth(&looks[0]);
        shape.material_count = 2;
        shape.materials = looks;
        shape.triangle_materials = of;
        looks[0].thickness = whole.thickness;
        sn_picture_image image = picture_of(&shape, 1, &view, 100, 100);
        sn_picture_image red = picture_of(&alone, 1, &view, 100, 100);
        /* The diagonal goes from a corner to the opposite one. */
        const uint8_t *a = pixel(&image, 65, 70), *b = pixel(&image, 35, 30);
        bool first = a[0] > a[1] + 60;
        const uint8_t *own = first ? a : b, *other = first ? b : a;
        CHECK(memcmp(own, first ? pixel(&red, 65, 70) : pixel(&red, 35, 30), 3) == 0);
        CHECK(own[0] > own[1] + 60);
        CHECK(i == 3 ? abs(other[0] - other[1]) < 40 : other[1] > other[0] + 60);
        sn_picture_image_free(&image);
        sn_picture_image_free(&red);
    }
}

TESTS(RUN(triangles_have_materials), RUN(puffs_of_smoke_are_clear_at_their_rims),
      RUN(threads_are_as_far_apart_as_they_should_be), RUN(what_is_too_fine_becomes_its_mean),
      RUN(stripes_are_as_wide_as_they_should_be), RUN(a_shape_without_uvs_is_plain),
      RUN(vertices_have_colours), RUN(what_is_behind_is_seen_through),
      RUN(panes_that_touch_do_not_flicker), RUN(smooth_things_shine_and_fibres_glow),
      RUN(lights_have_colours_and_strengths), RUN(ground_and_background_are_as_they_should_be),
      RUN(cloth_is_as_thick_as_it_is_said_to_be), RUN(textures_lie_where_their_coordinates_say))
