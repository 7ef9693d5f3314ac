#include "frames.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>

static const sn_picture_colour white = {1, 1, 1};

sn_picture_view picture_view(void) {
    sn_picture_view view = sn_picture_view_default();
    sn_picture_view_move(&view, (sn_vec3){0, 0, 5}, (sn_vec3){0, 0, 0});
    view.field_of_view = (sn_real)(2 * atan(0.2));
    view.has_ground = false;
    view.background = SN_PICTURE_BACKGROUND_PLAIN;
    view.backdrop = (sn_picture_colour){0, 0, 0};
    view.colours = &white;
    view.colour_count = 1;
    return view;
}

sn_picture_image picture_of(const sn_io_shape *shapes, size_t count, const sn_picture_view *view,
                            int width, int height) {
    sn_io_frame frame = {.shape_count = count, .shapes = shapes};
    sn_picture_image image;
    REQUIRE_OK(sn_picture_draw(&frame, view, width, height, &image));
    return image;
}

sn_io_shape picture_square(double half, double z) {
    enum { MOST = 8 };
    static sn_vec3 corners[MOST][4];
    static int next;
    static const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    sn_real h = (sn_real)half, d = (sn_real)z;
    sn_vec3 *at = corners[next++ % MOST];
    at[0] = (sn_vec3){-h, -h, d};
    at[1] = (sn_vec3){h, -h, d};
    at[2] = (sn_vec3){h, h, d};
    at[3] = (sn_vec3){-h, h, d};
    return (sn_io_shape){.name = "square",
                         .vertex_count = 4,
                         .positions = at,
                         .triangle_count = 2,
                         .triangles = triangles};
}

sn_io_shape picture_ball(double x, double y, double z, double radius) {
    enum { MOST = 32 };
    static sn_vec3 centres[MOST];
    static sn_real radii[MOST];
    static int next;
    int i = next++ % MOST;
    centres[i] = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    radii[i] = (sn_real)radius;
    return (sn_io_shape){
        .name = "ball", .vertex_count = 1, .positions = &centres[i], .radii = &radii[i]};
}

int picture_light(const sn_picture_image *image, int x, int y) {
    const uint8_t *at = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    return at[0] + at[1] + at[2];
}

/* Bytes are not linear, but their inverse is near enough for edges. */
static double linear(int byte) {
    double s = byte / 255.0;
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

double picture_share(const sn_picture_image *image) {
    double sum = 0, most = 0;
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++) {
        double light = linear(image->rgb[3 * i]);
        sum += light;
        most = fmax(most, light);
    }
    return most > 0 ? sum / most / (double)count : 0;
}

size_t picture_differ(const sn_picture_image *a, const sn_picture_image *b, double *mean) {
    size_t different = 0, count = (size_t)a->width * (size_t)a->height;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        int difference = 0;
        for (size_t k = 0; k < 3; k++) difference += abs(a->rgb[3 * i + k] - b->rgb[3 * i + k]);
        different += difference > 0;
        sum += difference;
    }
    *mean = sum / (double)count;
    return different;
}
