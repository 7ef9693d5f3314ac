/*
 * The picture is made in bands of rows. A band gathers, for eight samples in every pixel, which
 * item is nearest; then each pixel is shaded once for every surface that it shows, and the surfaces
 * count by their samples. So edges are smooth, while the inside of a surface costs one look at it.
 */
#include "picture/colour.h"
#include "picture/picture_legend.h"
#include "picture/picture_shade.h"
#include "picture/picture_smooth.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

enum { BAND = 8 };

/* Texels of the maps: what the sun sees, what the sky sees, and their shadows on the ground. */
enum { SUN_SIZE = 1024, SKY_SIZE = 64, SUN_GROUND = 512, SKY_GROUND = 64 };

/* Tangents of the angles of the radii of the two lights. */
static const float sun_spread = 0.07f, sky_spread = 0.8f;

typedef struct picture {
    const sn_picture_view *view;
    stage stage;
    projector camera;
    shading shading;
    colour_scale scale;
    colour_encoder encoder;
    fill_buffer buffer;
    /* The items of each band, sorted by the band they begin in. */
    uint32_t *order, *active;
    uint16_t *first_band, *last_band;
    size_t *band_start; /* of the items that begin in a band, in `order` */
    int bands;
} picture;

/* ---- What a ray meets ---- */

/* A point of an item, as the shading wants it. */
typedef struct hit {
    vec point, normal, colour;
    bool closed; /* no light comes through */
} hit;

static vec colour_of(const picture *p, const stage_part *part, bool front, float value) {
    if (part->has_value) return sn_colour_of_value(&p->scale, value);
    return front ? part->front : part->back;
}

/* How much of a pixel the nearest edge darkens; `weight` are the barycentric coordinates, and the
   heights of the triangle over its edges follow from its area. */
static float wire_at(const picture *p, const vec corner[3], const float weight[3], float area,
                     float distance, float slant) {
    float nearest = INFINITY, narrow = INFINITY;
    for (int k = 0; k < 3; k++) {
        float edge = norm(sub(corner[(k + 1) % 3], corner[(k + 2) % 3]));
        if (!(edge > 0)) continue;
        nearest = least_of(nearest, weight[k] * area / edge);
        narrow = least_of(narrow, area / edge);
    }
    /* Pixels; a slanted triangle is narrower on the picture than it is. Edges that are too close
       together would only make it dark. */
    float pixels = most_of(slant, 0.15f) / (distance * p->shading.pixel);
    return (1 - smooth(0.35f, 1.1f, nearest * pixels)) * smooth(0, 6, narrow * pixels);
}

static hit hit_triangle(const picture *p, const stage_part *part, uint32_t item, vec ray) {
    const uint32_t *t = part->shape->triangles[item - part->triangles];
    size_t v[3];
    vec corner[3];
    for (int k = 0; k < 3; k++) {
        v[k] = part->first_vertex + t[k];
        corner[k] = p->stage.points[v[k]];
    }
    vec ab = sub(corner[1], corner[0]), ac = sub(corner[2], corner[0]);
    /* Moeller and Trumbore 1997: where the ray meets the plane, in barycentric coordinates. */
    vec s = sub(p->camera.eye, corner[0]), h = cross(ray, ac), q = cross(s, ab);
    float determinant = dot(ab, h), inverse = determinant != 0 ? 1 / determinant : 0;
    float u = clamp(dot(s, h) * inverse, 0, 1), w = clamp(dot(ray, q) * inverse, 0, 1 - u);
    const float weight[3] = {1 - u - w, u, w};
    vec product = cross(ab, ac), face = unit(product), normal = {0, 0, 0};
    bool front = dot(face, ray) < 0;
    float value = 0;
    for (int k = 0; k < 3; k++) {
        vec n = p->stage.normals[v[k]];
        normal = add(normal,
                     scale(p->stage.hard[v[k]] && stage_is_sharp(n, face) ? face : n, weight[k]));
        if (part->has_value) value += weight[k] * p->stage.values[v[k]];
    }
    normal = unit(normal);
    hit at = {.point = add(corner[0], add(scale(ab, u), scale(ac, w))),
              .normal = front ? normal : scale(normal, -1),
              .colour = colour_of(p, part, front, value),
              .closed = part->closed};
    if (p->view->wire) {
        float distance = norm(sub(at.point, p->camera.eye));
        float line = wire_at(p, corner, weight, norm(product), distance, fabsf(dot(face, ray)));
        at.colour = mix(at.colour, scale(at.colour, 0.25f), 0.8f * line);
    }
    return at;
}

/* As sn_fill_ball, for one ray; the nearest point of the ray where rounding makes it miss. */
static hit hit_ball(const picture *p, const stage_part *part, uint32_t item, vec ray) {
    size_t vertex = part->first_vertex + item - part->balls;
    vec centre = p->stage.points[vertex], to = sub(centre, p->camera.eye);
    vec aside = sub(scale(ray, dot(to, ray)), to);
    float r = p->stage.radii[vertex];
    float rest = most_of(r * r - dot(aside, aside), 0);
    vec normal = unit(sub(aside, scale(ray, sqrtf(rest))));
    float value = part->has_value ? p->stage.values[vertex] : 0;
    return (hit){add(centre, scale(normal, r)), normal, colour_of(p, part, true, value), true};
}

/* As sn_fill_tube. */
static hit hit_tube(const picture *p, const stage_part *part, uint32_t item, vec ray) {
    const uint32_t *l = part->shape->lines[item - part->lines];
    size_t va = part->first_vertex + l[0], vb = part->first_vertex + l[1];
    vec a = p->stage.points[va], way = sub(p->stage.points[vb], a);
    float length = norm(way), ra = p->stage.radii[va];
    vec u = unit(way);
    float rise = length > 0 ? (p->stage.radii[vb] - ra) / length : 0;
    /* From the point of the ray that is nearest to a. */
    vec to = sub(a, p->camera.eye), e = sub(scale(ray, dot(to, ray)), to);
    float es = dot(e, u), ds = dot(ray, u), here = ra + rise * es;
    vec ep = sub(e, scale(u, es)), dp = sub(ray, scale(u, ds));
    float square = most_of(dot(dp, dp) - rise * rise * ds * ds, 1e-12f);
    float half = dot(ep, dp) - rise * ds * here;
    float rest = most_of(half * half - square * (dot(ep, ep) - here * here), 0);
    float t = (-half - sqrtf(rest)) / square, s = clamp(es + t * ds, 0, length);
    vec out = unit(add(ep, scale(dp, t)));
    float share = length > 0 ? s / length : 0, value = 0;
    if (part->has_value)
        value = p->stage.values[va] + share * (p->stage.values[vb] - p->stage.values[va]);
    vec point = add(add(a, scale(u, s)), scale(out, ra + rise * s));
    return (hit){point, unit(sub(out, scale(u, rise))), colour_of(p, part, true, value), true};
}

static vec shade_item(const picture *p, const stage_part *part, uint32_t item, float x, float y) {
    if (item == FILL_NOTHING) {
        vec colours[SHADE_SPAN];
        sn_shade_background(&p->shading, &p->camera, x, y, 0, 1, colours);
        return colours[0];
    }
    vec ray = unit(project_ray(&p->camera, x, y));
    hit at = item < part->lines   ? hit_triangle(p, part, item, ray)
             : item < part->balls ? hit_tube(p, part, item, ray)
                                  : hit_ball(p, part, item, ray);
    return sn_shade_surface(&p->shading, at.point, at.normal, at.colour, at.closed, ray);
}

/* ---- Pixels ---- */

/* Which samples show the same surface as sample `first`: the same item, or triangles of one shape
   at about the same depth, where edges are not to be seen. `own` gets those of the item itself. */
static unsigned same_surface(const picture *p, const stage_part *part, const uint32_t *item,
                             const float *key, int first, unsigned *own) {
    unsigned same = 0;
    *own = 0;
    for (int i = first; i < FILL_SAMPLES; i++)
        if (item[i] == item[first]) *own |= 1u << i;
    if (!part || item[first] >= part->lines || p->view->wire || p->stage.sharp[item[first]])
        return *own;
    /* Neighbours of a surface that is not looked at very flatly are within this. */
    float close = 4 * p->shading.pixel;
    for (int i = first; i < FILL_SAMPLES; i++) {
        bool mesh = item[i] >= part->triangles && item[i] < part->lines;
        if (mesh && !p->stage.sharp[item[i]] && fabsf(key[i] - key[first]) < close * key[i])
            same |= 1u << i;
    }
    return same | *own;
}

static vec expose(vec light) {
    return (vec){shade_expose(light.x), shade_expose(light.y), shade_expose(light.z)};
}

/* Whether all samples show the same item, as in most pixels. */
static bool is_one_item(const uint32_t *item) {
    uint32_t different = 0;
    for (int i = 1; i < FILL_SAMPLES; i++) different |= item[i] ^ item[0];
    return different == 0;
}

static vec shade_pixel(const picture *p, const uint32_t *item, const float *key, int x, int y,
                       const stage_part **guess) {
    if (is_one_item(item)) {
        if (item[0] != FILL_NOTHING) *guess = sn_stage_part_of(&p->stage, item[0], *guess);
        return expose(shade_item(p, *guess, item[0], (float)x + 0.5f, (float)y + 0.5f));
    }
    vec sum = {0, 0, 0};
    unsigned left = (1u << FILL_SAMPLES) - 1;
    for (int first = 0; first < FILL_SAMPLES; first++) {
        if (!(left >> first & 1)) continue;
        bool nothing = item[first] == FILL_NOTHING;
        if (!nothing) *guess = sn_stage_part_of(&p->stage, item[first], *guess);
        unsigned own, same = same_surface(p, nothing ? NULL : *guess, item, key, first, &own);
        same &= left;
        left &= ~same;
        /* The middle of the samples lies on the item, as items are convex. */
        float at_x = 0, at_y = 0, own_count = 0, count = 0;
        for (int i = 0; i < FILL_SAMPLES; i++) {
            float is_own = (float)(own >> i & 1);
            at_x += is_own * p->buffer.x[i];
            at_y += is_own * p->buffer.y[i];
            own_count += is_own;
            count += (float)(same >> i & 1);
        }
        vec colour = shade_item(p, *guess, item[first], (float)x + at_x / own_count,
                                (float)y + at_y / own_count);
        sum = add(sum, scale(expose(colour), count / FILL_SAMPLES));
    }
    return sum;
}

/* ---- Bands ---- */

/* The ground is nearer than what is below it. Like everything flat, its key is linear. */
static void clear_band(picture *p) {
    float depth = p->shading.ground - p->camera.eye.y;
    bool seen = p->shading.has_ground && depth < 0;
    /* A little lower, so that what lies on it is not half in it. */
    float inverse = seen ? 1 / (depth - 2e-3f * norm(p->camera.eye)) : 0;
    float corner = project_ray(&p->camera, 0, (float)p->buffer.first_row).y * inverse;
    float right = p->camera.axes.right.y / p->camera.focus * inverse,
          down = -p->camera.axes.up.y / p->camera.focus * inverse;
    float at[FILL_SAMPLES], *key = p->buffer.key;
    for (int i = 0; i < FILL_SAMPLES; i++) at[i] = right * p->buffer.x[i] + down * p->buffer.y[i];
    for (int row = 0; row < p->buffer.rows; row++) {
        for (int column = 0; column < p->buffer.columns; column++, key += FILL_SAMPLES) {
            float base = corner + right * (float)column + down * (float)row;
            for (int i = 0; i < FILL_SAMPLES; i++) key[i] = most_of(base + at[i], 0);
        }
    }
    size_t count = (size_t)p->buffer.columns * (size_t)p->buffer.rows * FILL_SAMPLES;
    memset(p->buffer.item, 0xff, count * sizeof *p->buffer.item);
}

/* How many pixels from here on show nothing but the background, up to a span of them. */
static int empty_pixels(const uint32_t *item, int most) {
    int count = 0;
    while (count < most && count < SHADE_SPAN &&
           item[(size_t)count * FILL_SAMPLES] == FILL_NOTHING &&
           is_one_item(item + (size_t)count * FILL_SAMPLES))
        count++;
    return count;
}

static void shade_band(const picture *p, int rows, sn_picture_image *image) {
    uint8_t *out = image->rgb + (size_t)p->buffer.first_row * (size_t)image->width * 3;
    const stage_part *guess = NULL;
    const uint32_t *item = p->buffer.item;
    const float *key = p->buffer.key;
    for (int y = 0; y < rows; y++) {
        int row = p->buffer.first_row + y;
        for (int x = 0, count; x < image->width; x += count) {
            vec colours[SHADE_SPAN];
            count = empty_pixels(item, image->width - x);
            if (count > 0) {
                sn_shade_background(&p->shading, &p->camera, (float)x + 0.5f, (float)row + 0.5f, 1,
                                    count, colours);
            } else {
                colours[0] = shade_pixel(p, item, key, x, row, &guess);
            }
            bool encoded = count == 0;
            count += encoded;
            for (int i = 0; i < count; i++) {
                vec c = encoded ? colours[i] : expose(colours[i]);
                *out++ = colour_byte(&p->encoder, c.x);
                *out++ = colour_byte(&p->encoder, c.y);
                *out++ = colour_byte(&p->encoder, c.z);
            }
            item += (size_t)count * FILL_SAMPLES;
            key += (size_t)count * FILL_SAMPLES;
        }
    }
}

/* Sorts the items by the band in which they begin; those that are nowhere are left out. */
static void sort_items(picture *p, int height) {
    for (size_t i = 0; i < p->stage.part_count; i++) {
        const stage_part *part = &p->stage.parts[i];
        for (uint32_t item = part->triangles; item < part->end; item++) {
            int first, last;
            bool seen = sn_stage_rows(&p->stage, part, item, &p->camera, height, &first, &last);
            p->first_band[item] = (uint16_t)(seen ? first / BAND : p->bands);
            p->last_band[item] = (uint16_t)(seen ? last / BAND : 0);
            p->band_start[p->first_band[item] + 1]++;
        }
    }
    /* Counts become places; filling moves each place to that of the next band. */
    for (int b = 0; b < p->bands; b++) p->band_start[b + 1] += p->band_start[b];
    for (uint32_t item = 0; item < p->stage.item_count; item++)
        if (p->first_band[item] < p->bands) p->order[p->band_start[p->first_band[item]]++] = item;
}

static void draw_bands(picture *p, sn_picture_image *image) {
    size_t active = 0, next = 0;
    const stage_part *guess = NULL;
    for (int band = 0; band < p->bands; band++) {
        p->buffer.first_row = band * BAND;
        clear_band(p);
        while (next < p->band_start[band]) p->active[active++] = p->order[next++];
        size_t kept = 0;
        for (size_t i = 0; i < active; i++) {
            uint32_t item = p->active[i];
            guess = sn_stage_part_of(&p->stage, item, guess);
            sn_stage_fill(&p->stage, guess, item, &p->camera, &p->buffer);
            if (p->last_band[item] > band) p->active[kept++] = item;
        }
        active = kept;
        int rows = image->height - p->buffer.first_row;
        shade_band(p, rows < BAND ? rows : BAND, image);
    }
}

/* ---- Making ---- */

/* The lines of the grid are where they would be in the world, however far from its origin. */
static void make_grid(picture *p, float distance) {
    double spacing = sn_colour_short_below((double)distance / 5);
    double x = fmod(p->stage.origin[0], spacing), z = fmod(p->stage.origin[2], spacing);
    p->shading.grid = (float)spacing;
    p->shading.grid_at = (vec){(float)-x, 0, (float)-z};
}

/* The maps of both lights, and what follows from them. That of the sky is not needed longer. */
static bool make_lights(picture *p, vec to_light, float limit) {
    const light_def sun = {to_light, sun_spread, limit, SUN_SIZE, LIGHT_DIRECTIONS, 8};
    const light_def above = {{0, 1, 0}, sky_spread, limit, SKY_SIZE, 6, 4};
    light_map sky;
    float height = p->shading.ground;
    bool ground = p->view->has_ground;
    if (!sn_light_make(&p->shading.light, &p->stage, &sun)) return false;
    if (!sn_light_make(&sky, &p->stage, &above)) return false;
    bool made = !ground || (sn_ground_make(&p->shading.shadow, &p->stage, &p->shading.light,
                                           to_light, height, limit, SUN_GROUND) &&
                            sn_ground_make(&p->shading.sky, &p->stage, &sky, above.to_light, height,
                                           limit, SKY_GROUND));
    sn_light_free(&sky);
    return made;
}

static bool make_shading(picture *p) {
    const sn_picture_view *view = p->view;
    vec to_light = unit(vec_of(view->to_light));
    to_light.y = most_of(to_light.y, 0.25f);
    to_light = unit(to_light);
    float distance = most_of(norm(p->camera.eye), 1e-6f), limit = 4 * distance;
    p->shading = (shading){.to_light = to_light,
                           .flat = view->colouring != SN_PICTURE_COLOUR_BODY,
                           .plain = view->background == SN_PICTURE_BACKGROUND_PLAIN,
                           .backdrop = {view->backdrop.r, view->backdrop.g, view->backdrop.b},
                           .has_ground = view->has_ground,
                           .ground = (float)((double)view->ground - p->stage.origin[1]),
                           .fade = 1 / (3.6f * distance * distance),
                           .pixel = 1 / p->camera.focus};
    make_grid(p, distance);
    return make_lights(p, to_light, limit);
}

/* Allocates and prepares everything that the bands read; false when there is no memory. */
static bool prepare(picture *p, const sn_io_frame *frame, int width, int height) {
    p->bands = (height + BAND - 1) / BAND;
    size_t items = (size_t)p->stage.item_count + 1;
    p->order = malloc(items * sizeof *p->order);
    p->active = malloc(items * sizeof *p->active);
    p->first_band = malloc(items * sizeof *p->first_band);
    p->last_band = malloc(items * sizeof *p->last_band);
    p->band_start = calloc((size_t)p->bands + 2, sizeof *p->band_start);
    if (!p->order || !p->active || !p->first_band || !p->last_band || !p->band_start ||
        !sn_fill_make_picture(&p->buffer, width, BAND) || !make_shading(p))
        return false;
    sn_real least = p->view->least, most = p->view->most;
    if (p->view->colouring != SN_PICTURE_COLOUR_BODY && least == most)
        sn_picture_scale_of(frame, p->view->colouring, &least, &most);
    p->scale = sn_colour_scale_make((float)least, (float)most);
    sn_colour_encoder_make(&p->encoder);
    sn_stage_project(&p->stage, &p->camera);
    sort_items(p, height);
    return true;
}

static void free_all(picture *p) {
    free(p->order);
    free(p->active);
    free(p->first_band);
    free(p->last_band);
    free(p->band_start);
    sn_fill_free(&p->buffer);
    sn_light_free(&p->shading.light);
    sn_ground_free(&p->shading.shadow);
    sn_ground_free(&p->shading.sky);
    sn_stage_free(&p->stage);
}

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
    if (!isfinite((double)view->least) || !isfinite((double)view->most))
        return sn_fail(SN_ERROR_VALUE, "view: least is %g and most is %g, expected finite numbers",
                       (double)view->least, (double)view->most);
    return SN_OK;
}

/* Draws a frame whose surfaces are as fine as they are to be. */
static sn_result draw(picture *p, const sn_io_frame *frame, int width, int height,
                      sn_picture_image *image) {
    SN_TRY(sn_stage_make(&p->stage, frame, p->view, &p->camera));
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3);
    bool drawn = rgb && prepare(p, frame, width, height);
    if (drawn) {
        *image = (sn_picture_image){width, height, rgb};
        draw_bands(p, image);
        if (p->view->legend && p->view->colouring != SN_PICTURE_COLOUR_BODY)
            sn_legend_draw(image, &p->scale, p->view->colouring, &p->encoder);
    } else {
        free(rgb);
    }
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
    sn_io_smoother *smoother;
    sn_io_frame smooth;
    SN_TRY(sn_io_smoother_create(&smoother));
    sn_result result = sn_smooth_for_picture(smoother, frame, view, &p.camera, &smooth);
    if (result == SN_OK) result = draw(&p, &smooth, width, height, image);
    sn_io_smoother_destroy(smoother);
    return result;
}

void sn_picture_image_free(sn_picture_image *image) {
    free(image->rgb);
    *image = (sn_picture_image){0};
}
