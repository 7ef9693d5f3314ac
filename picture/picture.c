/* From a frame and a view to a picture: everything that its bands read is made ready, and they are
   drawn. */
#include "picture/picture_band.h"
#include "picture/picture_legend.h"
#include "picture/picture_share.h"
#include "picture/picture_smooth.h"
#include "picture/picture_thick.h"

#include <sinew/support.h>
#include <sinew_io/liquid.h>

#include <stdlib.h>

/* Texels of the maps: what a light sees, at most; what the sky sees, and the shadow of that on the
   ground. */
enum { LIGHT_SIZE = 1024, SKY_SIZE = 64 };
/* Texels of the map of a light of that size: discs are as wide everywhere. The sky is as wide. */
static const float widest_disc = 24;

/* Tangents of the angles of the radii of lights, and of the sky. */
static const float light_spread = 0.07f, sky_spread = 0.8f;

/* The sun, where nobody says which lights there are; and what comes from the sky, and back from the
   ground. */
static const vec sun = {1.25f, 1.17f, 1.04f};
static const vec sky_light = {0.30f, 0.34f, 0.40f}, floor_light = {0.19f, 0.18f, 0.165f};

typedef struct picture {
    const sn_picture_view *view;
    stage stage;
    projector camera;
    shading shading;
    band_scene scene;
    band *bands[SHARE_MOST]; /* one for each thread */
    bool failed[SHARE_MOST];
    sn_picture_image *image;
} picture;

/* ---- Making ---- */

/* The lines of the grid are where they would be in the world, however far from its origin. */
static void make_grid(picture *p, float distance) {
    double spacing = sn_colour_short_below((double)distance / 5);
    double x = fmod(p->stage.origin[0], spacing), z = fmod(p->stage.origin[2], spacing);
    p->shading.grid = (float)spacing;
    p->shading.grid_at = (vec){(float)-x, 0, (float)-z};
}

/* Texels of the map of a light: about one for each pixel that the scene is wide, as shadows are
   looked at in every second. */
static int light_size(const picture *p) {
    const stage *s = &p->stage;
    float side = norm(sub(s->most, s->least));
    float distance = norm(sub(scale(add(s->most, s->least), 0.5f), p->camera.eye));
    float pixels = 0.9f * side * p->camera.focus / distance;
    if (!(distance > side && pixels < LIGHT_SIZE)) return LIGHT_SIZE;
    int size = ((int)pixels / LIGHT_ROWS + 1) * LIGHT_ROWS;
    return size > LIGHT_SIZE / 4 ? size : LIGHT_SIZE / 4;
}

/* The maps of the lights, and what follows from them. That of the sky is not needed longer. */
static bool make_maps(picture *p, float limit) {
    const light_def above = {{0, 1, 0}, sky_spread,       limit, SKY_SIZE, widest_disc,
                             4,         SN_IO_SMOOTH_MOST};
    shading *s = &p->shading;
    int size = light_size(p);
    for (int i = 0; i < s->light_count; i++) {
        shade_light *l = &s->lights[i];
        float widest = widest_disc * (float)size / LIGHT_SIZE;
        const light_def def = {l->to_light, light_spread, limit, size, widest, 5, 1};
        if (!sn_light_make(&l->map, &p->stage, &def)) return false;
        l->box = sn_ground_box(&p->stage, &l->map, l->to_light, s->ground, limit);
    }
    light_map sky;
    if (!s->has_ground) return true;
    if (!sn_light_make(&sky, &p->stage, &above)) return false;
    bool made =
        sn_ground_make(&s->sky, &p->stage, &sky, above.to_light, s->ground, limit, SKY_SIZE);
    sn_light_free(&sky);
    return made;
}

/* Where a light is seen; one that is low would cast shadows without an end. */
static vec light_at(vec to_light) {
    vec at = unit(to_light);
    at.y = most_of(at.y, 0.25f);
    return unit(at);
}

static void make_lights(picture *p) {
    const sn_picture_view *view = p->view;
    shading *s = &p->shading;
    s->light_count = 1;
    s->lights[0] = (shade_light){.to_light = light_at(vec_of(view->to_light)), .colour = sun};
    if (view->light_count == 0 || !view->lights) return;
    s->light_count = (int)view->light_count;
    for (int i = 0; i < s->light_count; i++) {
        const sn_io_light *light = &view->lights[i];
        vec colour = sn_colour_linear(light->colour);
        s->lights[i] = (shade_light){.to_light = light_at(scale(vec_of(light->direction), -1)),
                                     .colour = scale(colour, sun.y * (float)light->strength)};
    }
}

static bool make_shading(picture *p) {
    const sn_picture_view *view = p->view;
    float distance = most_of(norm(p->camera.eye), 1e-6f), limit = 4 * distance;
    float sky = (float)view->sky_light;
    p->shading = (shading){
        .flat = view->colouring != SN_PICTURE_COLOUR_BODY,
        .plain = view->background == SN_PICTURE_BACKGROUND_PLAIN,
        .backdrop = {view->backdrop.r, view->backdrop.g, view->backdrop.b},
        .has_ground = view->has_ground,
        .ground_kind = view->ground_kind,
        .ground_colour = {view->ground_colour.r, view->ground_colour.g, view->ground_colour.b},
        .sky_light = scale(sky_light, sky),
        .floor_light = scale(floor_light, sky),
        .ground = (float)((double)view->ground - p->stage.origin[1]),
        .fade = 1 / (3.6f * distance * distance),
        .pixel = 1 / p->camera.focus};
    make_lights(p);
    make_grid(p, distance);
    return make_maps(p, limit);
}

/* Allocates and prepares everything that the bands read; false when there is no memory. */
static bool prepare(picture *p, const sn_io_frame *frame, int width, int height) {
    sn_real least = p->view->least, most = p->view->most;
    if (p->view->colouring != SN_PICTURE_COLOUR_BODY && least == most)
        sn_picture_scale_of(frame, p->view->colouring, &least, &most);
    if (!make_shading(p)) return false;
    band_scene *s = &p->scene;
    *s = (band_scene){.stage = &p->stage, .camera = &p->camera, .shading = &p->shading};
    s->hits = (hit_scene){.stage = &p->stage,
                          .camera = &p->camera,
                          .scale = sn_colour_scale_make((float)least, (float)most),
                          .pixel = p->shading.pixel,
                          .wire = p->view->wire};
    sn_colour_encoder_make(&s->encoder);
    sn_stage_project(&p->stage, &p->camera);
    if (!sn_bins_make(&s->bins, &p->stage, &p->camera, height, BAND_ROWS, STAGE_OPAQUE, 0))
        return false;
    if (p->stage.any_clear &&
        !sn_bins_make(&s->clear, &p->stage, &p->camera, height, BAND_ROWS, STAGE_CLEAR, 0))
        return false;
    for (int i = 0; i < p->stage.threads; i++) {
        p->bands[i] = sn_band_create(s, width);
        if (!p->bands[i]) return false;
    }
    return true;
}

static void free_all(picture *p) {
    for (int i = 0; i < p->stage.threads; i++) sn_band_destroy(p->bands[i]);
    sn_bins_free(&p->scene.bins);
    sn_bins_free(&p->scene.clear);
    for (int i = 0; i < p->shading.light_count; i++) sn_light_free(&p->shading.lights[i].map);
    sn_ground_free(&p->shading.sky);
    sn_stage_free(&p->stage);
}

static void draw_band(void *context, size_t index, int worker) {
    picture *p = context;
    if (!sn_band_draw(p->bands[worker], (int)index, p->image)) p->failed[worker] = true;
}

/* False when there is no memory. */
static bool draw_bands(picture *p, sn_picture_image *image) {
    p->image = image;
    sn_share(p->stage.threads, (size_t)p->scene.bins.bands, draw_band, p);
    for (int i = 0; i < SHARE_MOST; i++)
        if (p->failed[i]) return false;
    return true;
}

/* ---- Checking ---- */

static bool is_vector(sn_vec3 v) {
    return fabs((double)v.x) < 1e15 && fabs((double)v.y) < 1e15 && fabs((double)v.z) < 1e15;
}

static sn_result check_view(const sn_picture_view *view, int width, int height) {
    if (width < 1 || width > SN_PICTURE_MOST || height < 1 || height > SN_PICTURE_MOST)
        return sn_fail(SN_ERROR_VALUE,
                       "a picture of %d x %d pixels was asked for, expected 1 to %d each way",
                       width, height, SN_PICTURE_MOST);
    if (!is_vector(view->eye) || !is_vector(view->target) || !is_vector(view->up) ||
        !is_vector(view->to_light) || !(fabs((double)view->ground) < 1e15))
        return sn_fail(SN_ERROR_VALUE, "view: eye, target, up, to_light and ground must be finite, "
                                       "and below 1e15");
    if (!((double)view->field_of_view >= 0.01 && (double)view->field_of_view <= 3))
        return sn_fail(SN_ERROR_VALUE, "view: field_of_view is %g, expected 0.01 to 3 rad",
                       (double)view->field_of_view);
    if (view->smooth < SN_PICTURE_SMOOTH_AUTO || view->smooth > SN_IO_SMOOTH_MOST)
        return sn_fail(SN_ERROR_VALUE, "view: smooth is %d, expected 0 to %d, or -1 for automatic",
                       view->smooth, SN_IO_SMOOTH_MOST);
    if (view->threads < 0 || view->threads > 256)
        return sn_fail(SN_ERROR_VALUE, "view: threads is %d, expected 0 to 256, 0 for one per core",
                       view->threads);
    if (view->light_count > SN_IO_LIGHT_MOST)
        return sn_fail(SN_ERROR_VALUE, "view: light_count is %zu, expected at most %d",
                       view->light_count, SN_IO_LIGHT_MOST);
    for (size_t i = 0; view->lights && i < view->light_count; i++)
        if (!is_vector(view->lights[i].direction) || !(view->lights[i].strength >= 0) ||
            !((double)view->lights[i].strength < 1e6))
            return sn_fail(SN_ERROR_VALUE,
                           "view: light %zu has a direction or a strength that is not finite, or "
                           "is negative",
                           i);
    if (!((double)view->sky_light >= 0 && (double)view->sky_light < 1e6))
        return sn_fail(SN_ERROR_VALUE, "view: sky_light is %g, expected 0 to 1e6",
                       (double)view->sky_light);
    if (!isfinite((double)view->least) || !isfinite((double)view->most))
        return sn_fail(SN_ERROR_VALUE, "view: least is %g and most is %g, expected finite numbers",
                       (double)view->least, (double)view->most);
    return SN_OK;
}

/* Draws a frame whose surfaces are as fine as they are to be. */
static sn_result draw(picture *p, const sn_io_frame *frame, const int *levels, int width,
                      int height, sn_picture_image *image) {
    SN_TRY(sn_stage_make(&p->stage, frame, levels, p->view, &p->camera));
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3);
    bool drawn = rgb && prepare(p, frame, width, height);
    *image = (sn_picture_image){width, height, rgb};
    drawn = drawn && draw_bands(p, image);
    if (drawn && p->view->legend && p->view->colouring != SN_PICTURE_COLOUR_BODY)
        sn_legend_draw(image, &p->scene.hits.scale, p->view->colouring, &p->scene.encoder);
    if (!drawn) sn_picture_image_free(image);
    free_all(p);
    return drawn ? SN_OK
                 : sn_fail(SN_ERROR_MEMORY, "there is no memory for a picture of %d x %d pixels",
                           width, height);
}

sn_result sn_picture_draw(const sn_io_frame *frame, const sn_picture_view *view, int width,
                          int height, sn_picture_image *image) {
    if (!frame || !view || !image)
        return sn_fail(SN_ERROR_NULL, "sn_picture_draw: frame, view and image must not be null");
    *image = (sn_picture_image){0};
    SN_TRY(check_view(view, width, height));
    picture p = {.view = view};
    const double origin[3] = {(double)view->target.x, (double)view->target.y,
                              (double)view->target.z};
    vec eye = sn_stage_local(origin, view->eye), up = vec_of(view->up);
    p.camera =
        sn_projector_camera(eye, (vec){0, 0, 0}, up, (float)view->field_of_view, width, height);
    sn_io_liquid *liquid = NULL;
    sn_io_smoother *smoother = NULL;
    sn_io_frame wet = *frame, smooth;
    /* Particles have strain and speed, which their surface has not. */
    bool plain = view->colouring == SN_PICTURE_COLOUR_BODY;
    sn_result result = plain ? sn_io_liquid_create(&liquid) : SN_OK;
    if (result == SN_OK && liquid) result = sn_io_liquid_frame(liquid, frame, &wet);
    if (result == SN_OK) result = sn_io_smoother_create(&smoother);
    int *levels = calloc(frame->shape_count + 1, sizeof *levels);
    if (result == SN_OK)
        result = levels ? sn_smooth_for_picture(smoother, &wet, view, &p.camera, levels, &smooth)
                        : sn_fail(SN_ERROR_MEMORY, "there is no memory to draw a frame");
    thick_frame thick = {0};
    if (result == SN_OK) result = sn_thick_make(&thick, &smooth, levels);
    if (result == SN_OK) result = draw(&p, &smooth, levels, width, height, image);
    sn_thick_free(&thick);
    free(levels);
    sn_io_smoother_destroy(smoother);
    sn_io_liquid_destroy(liquid);
    return result;
}

void sn_picture_image_free(sn_picture_image *image) {
    free(image->rgb);
    *image = (sn_picture_image){0};
}
