#include "picture/picture_stage.h"

#include "picture/colour.h"
#include "picture/picture_crease.h"
#include "picture/picture_share.h"

#include <sinew/support.h>

#include <inttypes.h>
#include <stdlib.h>

/* Pixels: the radius of what has none, and the least that anything is drawn with. */
static const float thin_line = 1.1f, thin_ball = 2.0f, least_radius = 0.6f;
/* m: beyond this, squares of coordinates would not fit. */
static const float most_far = 1e15f;

vec sn_stage_local(const double origin[3], sn_vec3 position) {
    vec v = {(float)((double)position.x - origin[0]), (float)((double)position.y - origin[1]),
             (float)((double)position.z - origin[2])};
    bool drawable = fabsf(v.x) < most_far && fabsf(v.y) < most_far && fabsf(v.z) < most_far;
    return drawable ? v : (vec){NAN, NAN, NAN};
}

/* ---- Checking and counting ---- */

static sn_result refuse(const sn_io_shape *shape, const char *element, size_t index,
                        uint32_t vertex) {
    return sn_fail(SN_ERROR_VALUE, "shape \"%s\": %s %zu uses vertex %" PRIu32 ", but it has %zu",
                   shape->name ? shape->name : "", element, index, vertex, shape->vertex_count);
}

static sn_result check_shape(const sn_io_shape *shape) {
    if ((shape->vertex_count && !shape->positions) ||
        (shape->triangle_count && !shape->triangles) || (shape->line_count && !shape->lines) ||
        (shape->creased && shape->crease_count && !shape->creases))
        return sn_fail(SN_ERROR_NULL, "shape \"%s\": an array that has a length is null",
                       shape->name ? shape->name : "");
    for (size_t i = 0; i < shape->triangle_count; i++) {
        const uint32_t *t = shape->triangles[i];
        uint32_t most = t[0] > t[1] ? t[0] : t[1];
        most = most > t[2] ? most : t[2];
        if (most >= shape->vertex_count) return refuse(shape, "triangle", i, most);
    }
    for (size_t i = 0; i < shape->line_count; i++) {
        const uint32_t *l = shape->lines[i];
        uint32_t most = l[0] > l[1] ? l[0] : l[1];
        if (most >= shape->vertex_count) return refuse(shape, "line", i, most);
    }
    for (size_t i = 0; shape->creased && i < shape->crease_count; i++) {
        const uint32_t *c = shape->creases[i];
        uint32_t most = c[0] > c[1] ? c[0] : c[1];
        if (most >= shape->vertex_count) return refuse(shape, "crease", i, most);
    }
    return SN_OK;
}

static bool has_balls(const sn_io_shape *shape) {
    return shape->line_count > 0 || shape->triangle_count == 0;
}

/* Numbers the items through, or says that there are too many. */
static sn_result count_items(stage *s, const sn_io_frame *frame) {
    uint64_t items = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *shape = &frame->shapes[i];
        SN_TRY(check_shape(shape));
        uint64_t balls = has_balls(shape) ? shape->vertex_count : 0;
        uint64_t starts[4] = {items, items + shape->triangle_count, 0, 0};
        starts[2] = starts[1] + shape->line_count;
        starts[3] = items = starts[2] + balls;
        if (items >= FILL_NOTHING || shape->triangle_count >= FILL_NOTHING ||
            shape->line_count >= FILL_NOTHING || balls >= FILL_NOTHING)
            return sn_fail(SN_ERROR_LIMIT,
                           "shape \"%s\": a frame with more than %" PRIu32
                           " elements cannot be drawn",
                           shape->name ? shape->name : "", FILL_NOTHING);
        s->skin_count += shape->triangle_materials ? shape->material_count : 0;
        s->parts[i] = (stage_part){.shape = shape,
                                   .look = shape->look,
                                   .first_vertex = s->vertex_count,
                                   .triangles = (uint32_t)starts[0],
                                   .lines = (uint32_t)starts[1],
                                   .balls = (uint32_t)starts[2],
                                   .end = (uint32_t)starts[3]};
        s->vertex_count += shape->vertex_count;
    }
    s->item_count = (uint32_t)items;
    return SN_OK;
}

/* ---- Points, normals, radii ---- */

static void make_points(stage *s, const stage_part *part) {
    vec *points = s->points + part->first_vertex;
    for (size_t i = 0; i < part->shape->vertex_count; i++) {
        points[i] = sn_stage_local(s->origin, part->shape->positions[i]);
        /* Comparisons with NaN are false, which leaves it out. */
        s->least.x = least_of(points[i].x, s->least.x);
        s->least.y = least_of(points[i].y, s->least.y);
        s->least.z = least_of(points[i].z, s->least.z);
        s->most.x = most_of(points[i].x, s->most.x);
        s->most.y = most_of(points[i].y, s->most.y);
        s->most.z = most_of(points[i].z, s->most.z);
    }
}

/* Of a part: how many of its triangles are taken for one, less one and by three: where the next of
   their corners is. */
static uint32_t stride_of(const stage_part *part, int coarse) {
    int times = part->level < coarse ? part->level : coarse;
    return ((UINT32_C(1) << 2 * times) - 1) / 3;
}

/* Whether the triangles of a part enclose a volume: their areas cancel out. */
static bool is_closed(const stage *s, const stage_part *part) {
    const sn_io_shape *shape = part->shape;
    uint32_t stride = stride_of(part, part->level), step = 3 * stride + 1;
    vec sum = {0, 0, 0};
    float total = 0;
    for (size_t i = 0; i < shape->triangle_count; i += step) {
        const uint32_t(*t)[3] = shape->triangles + i,
              corner[3] = {t[0][0], t[stride][1], t[2 * (size_t)stride][2]};
        vec n = stage_area(s->points + part->first_vertex, corner);
        sum = add(sum, n);
        total += norm(n);
    }
    return norm(sum) < 1e-3f * total;
}

static void make_normals(stage *s, stage_part *part) {
    const sn_io_shape *shape = part->shape;
    const vec *points = s->points + part->first_vertex;
    vec *normals = s->normals + part->first_vertex;
    for (size_t i = 0; !shape->normals && i < shape->triangle_count; i++) {
        const uint32_t *t = shape->triangles[i];
        vec n = stage_area(points, t);
        /* Large triangles count more. */
        for (int k = 0; k < 3; k++) normals[t[k]] = add(normals[t[k]], n);
    }
    part->closed = is_closed(s, part);
    for (size_t i = 0; i < shape->vertex_count; i++)
        normals[i] = unit(shape->normals ? vec_of(shape->normals[i]) : normals[i]);
}

/* Triangles are one surface but for those with an edge to be seen; tubes and their ends are
   another. Where all edges are drawn, every item is its own. */
static void make_surface(stage *s, const stage_part *part, bool apart) {
    const sn_io_shape *shape = part->shape;
    const uint32_t alone = STAGE_ALONE, round = UINT32_C(1) << 30;
    uint32_t number = (uint32_t)(part - s->parts) & (round - 1);
    for (uint32_t item = part->triangles; item < part->lines; item++) {
        bool edge = apart || s->corners_of[item] != STAGE_NOTHING;
        s->surface[item] = edge ? alone | (item & (alone - 1)) : number;
    }
    for (uint32_t item = part->lines; item < part->end; item++)
        s->surface[item] = shape->line_count ? round | number : alone | (item & (alone - 1));
}

/* Only vertices of lines have balls where a shape has lines. */
static void make_radii(stage *s, const stage_part *part, const projector *camera) {
    const sn_io_shape *shape = part->shape;
    float *radii = s->radii + part->first_vertex, thin = shape->line_count ? thin_line : thin_ball;
    for (size_t i = 0; i < shape->vertex_count; i++) radii[i] = shape->line_count ? -1.0f : 0.0f;
    for (size_t i = 0; i < shape->line_count; i++)
        radii[shape->lines[i][0]] = radii[shape->lines[i][1]] = 0;
    if (part->balls == part->end) return;
    /* Puffs overlap. */
    float wide = shape->look && shape->look->smoke ? 3 : 1;
    for (size_t i = 0; i < shape->vertex_count; i++) {
        if (radii[i] < 0) continue;
        float depth = project_space(camera, s->points[part->first_vertex + i]).z;
        float pixel = most_of(depth, camera->near) / camera->focus;
        float given = shape->radii ? (float)shape->radii[i] * wide : thin * pixel;
        /* Not only NaN: what is larger than everything else is no radius. */
        bool usable = given >= 0 && given < most_far && depth < INFINITY;
        radii[i] = usable ? most_of(given, least_radius * pixel) : -1;
    }
}

/* ---- Making ---- */

static void *array_of(size_t count, size_t size) {
    return calloc(count ? count : 1, size);
}

/* What is written before it is read. */
static void *empty_array_of(size_t count, size_t size) {
    return malloc((count ? count : 1) * size);
}

static bool has_fabric(const sn_io_shape *shape, const sn_io_look *look) {
    return shape->uvs && look &&
           (look->weave != SN_IO_WEAVE_NONE || look->pattern != SN_IO_PATTERN_NONE ||
            look->texture_bytes);
}

static bool any_fabric(const sn_io_shape *shape) {
    bool any = has_fabric(shape, shape->look);
    for (size_t i = 0; i < shape->material_count; i++)
        any = any || has_fabric(shape, &shape->materials[i]);
    return any;
}

static bool make_arrays(stage *s, bool with_values) {
    bool fabrics = false, painted = false;
    for (size_t i = 0; i < s->part_count; i++) {
        fabrics = fabrics || any_fabric(s->parts[i].shape);
        painted = painted || s->parts[i].shape->colours;
    }
    s->colours = painted ? array_of(s->vertex_count, sizeof *s->colours) : NULL;
    s->uvs = fabrics ? array_of(s->vertex_count, sizeof *s->uvs) : NULL;
    s->textures = array_of(s->part_count + s->skin_count, sizeof *s->textures);
    s->skins = array_of(s->skin_count, sizeof *s->skins);
    s->points = empty_array_of(s->vertex_count, sizeof *s->points);
    s->normals = array_of(s->vertex_count, sizeof *s->normals);
    s->radii = empty_array_of(s->vertex_count, sizeof *s->radii);
    /* One more, since four numbers are read of each. */
    s->places = array_of(s->vertex_count + 1, sizeof *s->places);
    s->corners_of = empty_array_of(s->item_count, sizeof *s->corners_of);
    s->surface = empty_array_of(s->item_count, sizeof *s->surface);
    s->values = with_values ? array_of(s->vertex_count, sizeof *s->values) : NULL;
    return s->textures && s->skins && s->points && s->normals && s->radii && s->places &&
           s->corners_of && s->surface && (s->values || !with_values) && (s->uvs || !fabrics) &&
           (s->colours || !painted);
}

/* How a part is lit, and what is on it. */
static void make_material(stage *s, stage_part *part) {
    const sn_io_look *look = part->look;
    sn_io_look own = look ? *look : sn_io_look_default();
    part->opacity = clamp((float)own.opacity, 0, 1);
    part->smoke = own.smoke;
    part->sheen = clamp((float)own.sheen, 0, 1);
    /* The rougher, the wider and weaker is a highlight. */
    float smoothness = 1 - clamp((float)own.roughness, 0, 1);
    part->power = 4 * exp2f(6 * smoothness);
    part->shine = smoothness * (0.05f + 0.38f * smoothness);
    s->any_clear = s->any_clear || part->opacity < 1;
    if (!has_fabric(part->shape, look)) return;
    part->fabric = (fabric){.weave = own.weave,
                            .thread = most_of((float)own.thread, 1e-6f),
                            .pattern = own.pattern,
                            .pattern_colour = sn_colour_linear(own.pattern_colour),
                            .width = most_of((float)own.pattern_width, 1e-6f),
                            .texture_size = most_of((float)own.texture_size, 1e-6f)};
    for (size_t i = 0; i < part->shape->vertex_count; i++)
        for (int k = 0; k < 2; k++)
            s->uvs[part->first_vertex + i][k] = (float)part->shape->uvs[i][k];
}

static sn_result no_memory(const stage *s) {
    return sn_fail(SN_ERROR_MEMORY, "there is no memory to draw a frame of %zu vertices",
                   s->vertex_count);
}

/* Reads the image of a part or skin, unless one before it has the same. */
static sn_result make_texture(stage *s, stage_part *part) {
    const sn_io_look *look = part->look;
    if (!has_fabric(part->shape, look) || !look->texture_bytes) return SN_OK;
    for (size_t i = 0; i < s->texture_count; i++)
        if (s->textures[i].source == look->texture_bytes) part->fabric.texture = &s->textures[i];
    if (part->fabric.texture) return SN_OK;
    texture *made = &s->textures[s->texture_count++];
    SN_TRY(sn_texture_make(made, look->texture_bytes, look->texture_byte_count));
    made->source = look->texture_bytes;
    part->fabric.texture = made;
    return SN_OK;
}

/* The colours of its sides, and everything else of its look. */
static sn_result make_look(stage *s, stage_part *part, vec own) {
    const sn_io_look *look = part->look;
    make_material(s, part);
    /* What an image shows is not to be tinted unless somebody says so. */
    const vec white = {1, 1, 1};
    part->front = has_fabric(part->shape, look) && look->texture_bytes ? white : own;
    if (look && look->colour.x != SN_AUTO) part->front = sn_colour_linear(look->colour);
    part->back = stage_duller(part->front);
    part->has_back = look && look->back.x != SN_AUTO;
    if (part->has_back) part->back = sn_colour_linear(look->back);
    if (s->values && !part->has_value) part->front = part->back = (vec){0.40f, 0.40f, 0.41f};
    return make_texture(s, part);
}

/* The part as it is with each of its materials. */
static sn_result make_skins(stage *s, stage_part *part, vec own, stage_part *skins) {
    const sn_io_shape *shape = part->shape;
    for (size_t i = 0; i < shape->material_count; i++) {
        skins[i] = *part;
        skins[i].look = &shape->materials[i];
        skins[i].fabric = (fabric){0};
        skins[i].painted = part->painted && skins[i].look->colour.x == SN_AUTO;
        SN_TRY(make_look(s, &skins[i], own));
    }
    part->skins = skins;
    return SN_OK;
}

static sn_result make_part(stage *s, size_t index, const sn_picture_view *view,
                           const projector *camera, size_t *skins) {
    stage_part *part = &s->parts[index];
    make_points(s, part);
    make_normals(s, part);
    if (!sn_crease_find(s, part)) return no_memory(s);
    make_surface(s, part, view->wire);
    make_radii(s, part, camera);
    part->painted = part->shape->colours && !s->values;
    for (size_t i = 0; part->painted && i < part->shape->vertex_count; i++)
        s->colours[part->first_vertex + i] = sn_colour_linear(part->shape->colours[i]);
    if (s->values)
        part->has_value =
            sn_colour_values(part->shape, view->colouring, s->values + part->first_vertex);
    vec own = sn_colour_of_shape(view, index);
    SN_TRY(make_look(s, part, own));
    if (!part->shape->triangle_materials || part->shape->material_count == 0) return SN_OK;
    size_t first = *skins;
    *skins += part->shape->material_count;
    return make_skins(s, part, own, s->skins + first);
}

sn_result sn_stage_make(stage *s, const sn_io_frame *frame, const int *levels,
                        const sn_picture_view *view, const projector *camera) {
    *s = (stage){.part_count = frame->shape_count,
                 .threads = sn_share_threads(view->threads),
                 .origin = {(double)view->target.x, (double)view->target.y, (double)view->target.z},
                 .least = {INFINITY, INFINITY, INFINITY},
                 .most = {-INFINITY, -INFINITY, -INFINITY}};
    s->parts = array_of(frame->shape_count, sizeof *s->parts);
    if (!s->parts) return sn_fail(SN_ERROR_MEMORY, "there is no memory to draw a frame");
    sn_result result = count_items(s, frame);
    if (result == SN_OK && !make_arrays(s, view->colouring != SN_PICTURE_COLOUR_BODY))
        result = no_memory(s);
    size_t skins = 0;
    for (size_t i = 0; i < s->part_count && result == SN_OK; i++) {
        s->parts[i].level = levels[i];
        result = make_part(s, i, view, camera, &skins);
    }
    if (result != SN_OK) sn_stage_free(s);
    return result;
}

void sn_stage_free(stage *s) {
    for (size_t i = 0; i < s->texture_count; i++) sn_texture_free(&s->textures[i]);
    free(s->skins);
    free(s->textures);
    free(s->parts);
    free(s->points);
    free(s->normals);
    free(s->radii);
    free(s->values);
    free(s->uvs);
    free(s->colours);
    free(s->places);
    free(s->corners);
    free(s->corners_of);
    free(s->surface);
    *s = (stage){0};
}

/* ---- Drawing ---- */

/* How many vertices, or items, one piece of work is about. */
enum { PIECE = 8192 };

static size_t piece_count(size_t count) {
    return (count + PIECE - 1) / PIECE;
}

static size_t piece_end(size_t index, size_t count) {
    return (index + 1) * PIECE < count ? (index + 1) * PIECE : count;
}

typedef struct seen_points {
    stage *stage;
    const projector *projector;
} seen_points;

static void project_piece(void *context, size_t index, int worker) {
    (void)worker;
    const seen_points *seen = context;
    const projector *p = seen->projector;
    stage *s = seen->stage;
    for (size_t i = index * PIECE; i < piece_end(index, s->vertex_count); i++) {
        vec space = project_space(p, s->points[i]);
        vec place = project_place(p, space);
        place.z = sn_project_is_inside(p, space) ? project_key(p, place.z) : NAN;
        s->places[i] = place;
    }
}

void sn_stage_project(stage *s, const projector *p) {
    seen_points seen = {s, p};
    sn_share(s->threads, piece_count(s->vertex_count), project_piece, &seen);
}

/* The pieces of a triangle as places: itself, or what is left of it. */
static int triangle_pieces(const stage *s, const stage_part *part, const uint32_t t[3],
                           const projector *p, vec pieces[CUT_MOST][3]) {
    bool whole = true;
    for (int k = 0; k < 3; k++) {
        pieces[0][k] = s->places[part->first_vertex + t[k]];
        whole = whole && !isnan(pieces[0][k].z);
    }
    /* Parallel rays begin somewhere too, but there nothing needs to be cut exactly. */
    if (!p->perspective) {
        float nearest = least_of(pieces[0][0].z, least_of(pieces[0][1].z, pieces[0][2].z));
        return whole && -nearest > p->near;
    }
    if (whole) return 1;
    vec corner[3];
    for (int k = 0; k < 3; k++) {
        corner[k] = project_space(p, s->points[part->first_vertex + t[k]]);
        if (isnan(corner[k].x)) return 0;
    }
    return sn_project_cut(p, corner, pieces);
}

/* The ends of a line in space; false where one cannot be drawn. */
static bool line_ends(const stage *s, const stage_part *part, const uint32_t l[2],
                      const projector *p, vec end[2], float radius[2]) {
    for (int k = 0; k < 2; k++) {
        size_t vertex = part->first_vertex + l[k];
        end[k] = project_space(p, s->points[vertex]);
        radius[k] = s->radii[vertex];
        if (isnan(end[k].x) || radius[k] < 0) return false;
    }
    return true;
}

/*
 * The corners of a triangle as places; false where it has to be cut. One that was divided has its
 * corners in the first three of the four it became, each in its own: so it is again what it was
 * where the fourth of `stride` is looked at, which is 0 for triangles as they are.
 */
static inline bool whole_triangle(const stage *s, const stage_part *part, uint32_t item,
                                  uint32_t stride, quad place[3]) {
    const uint32_t(*t)[3] = part->shape->triangles + (item - part->triangles);
    const vec *places = s->places + part->first_vertex;
    for (uint32_t k = 0; k < 3; k++) place[k] = quad_load(&places[t[k * stride][k]].x);
    return !isnan(place[0][2] + place[1][2] + place[2][2]);
}

/* Draws what is no triangle, or must be cut. */
static void fill_other(const stage *s, const stage_part *part, uint32_t item, const projector *p,
                       fill_buffer *buffer) {
    if (item < part->lines) {
        vec pieces[CUT_MOST][3];
        int count =
            triangle_pieces(s, part, part->shape->triangles[item - part->triangles], p, pieces);
        for (int i = 0; i < count; i++) sn_fill_triangle(buffer, pieces[i], item);
    } else if (item < part->balls) {
        vec end[2];
        float radius[2];
        if (line_ends(s, part, part->shape->lines[item - part->lines], p, end, radius))
            sn_fill_tube(buffer, p, end, radius, item);
    } else {
        size_t vertex = part->first_vertex + item - part->balls;
        if (s->radii[vertex] >= 0)
            sn_fill_ball(buffer, p, project_space(p, s->points[vertex]), s->radii[vertex], item);
    }
}

/* Marks where a thin triangle may be seen that the middles of pixels miss. */
static void mark(const stage *s, const stage_part *part, uint32_t item, const projector *p,
                 fill_buffer *map) {
    const uint32_t *t = part->shape->triangles[item - part->triangles];
    const vec *places = s->places + part->first_vertex;
    const thin_item thin = {s->surface, item, 4 * p->pixel};
    vec pieces[CUT_MOST][3] = {{places[t[0]], places[t[1]], places[t[2]]}};
    bool whole = !isnan(pieces[0][0].z + pieces[0][1].z + pieces[0][2].z);
    int count = whole ? 1 : triangle_pieces(s, part, t, p, pieces);
    for (int i = 0; i < count; i++) sn_fill_mark_triangle(map, (const vec *)pieces[i], &thin);
}

static bool triangle_rows(const vec pieces[CUT_MOST][3], int count, int rows, int *first,
                          int *last) {
    float top = INFINITY, bottom = -INFINITY;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            top = least_of(top, pieces[i][k].y);
            bottom = most_of(bottom, pieces[i][k].y);
        }
    }
    return fill_rows(top, bottom, rows, first, last);
}

/* As rows_of, for a triangle that need not be cut. Most of those of a fine mesh lie between the
   texels of a map. */
static inline bool whole_rows(const quad place[3], bool is_map, int rows, int *first, int *last) {
    quad low = quad_least(place[0], quad_least(place[1], place[2]));
    quad high = quad_most(place[0], quad_most(place[1], place[2]));
    float left = low[0], right = high[0], top = low[1], bottom = high[1];
    if (is_map && left > 1 && top > 1 && right < 1e6f && bottom < 1e6f &&
        ((int)(left + 0.49f) > (int)(right - 0.49f) || (int)(top + 0.49f) > (int)(bottom - 0.49f)))
        return false;
    return fill_rows(top, bottom, rows, first, last);
}

/* Which rows of a picture an item may touch; false when none. */
static bool rows_of(const stage *s, const stage_part *part, uint32_t item, const projector *p,
                    int rows, int *first, int *last) {
    if (item < part->lines) {
        vec pieces[CUT_MOST][3];
        int count =
            triangle_pieces(s, part, part->shape->triangles[item - part->triangles], p, pieces);
        return count > 0 && triangle_rows((const vec(*)[3])pieces, count, rows, first, last);
    }
    if (item >= part->balls) {
        size_t vertex = part->first_vertex + item - part->balls;
        vec space = project_space(p, s->points[vertex]);
        return s->radii[vertex] >= 0 &&
               sn_fill_ball_rows(p, space, s->radii[vertex], rows, first, last);
    }
    vec end[2];
    float radius[2];
    if (!line_ends(s, part, part->shape->lines[item - part->lines], p, end, radius)) return false;
    /* Where an end is behind the eye, the tube may be anywhere. */
    *first = 0;
    *last = rows - 1;
    place_box one, two;
    if (!sn_project_ball(p, end[0], radius[0], &one) ||
        !sn_project_ball(p, end[1], radius[1], &two))
        return end[0].z > p->near || end[1].z > p->near;
    return fill_rows(least_of(one.top, two.top), most_of(one.bottom, two.bottom), rows, first,
                     last);
}

const stage_part *sn_stage_part_of(const stage *s, uint32_t item, const stage_part *guess) {
    if (guess && item >= guess->triangles && item < guess->end) return guess;
    size_t low = 0, high = s->part_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->parts[middle].triangles <= item)
            low = middle;
        else
            high = middle;
    }
    return &s->parts[low];
}

/* ---- Bands ---- */

typedef struct sorted_items {
    const stage *stage;
    const projector *projector;
    int rows, height;
    stage_choice choice;
    int coarse;
    uint16_t (*range)[2]; /* the bands of each item; from above to where there are none */
} sorted_items;

static void sort_piece(void *context, size_t index, int worker) {
    (void)worker;
    const sorted_items *sort = context;
    const stage *s = sort->stage;
    const stage_part *part = NULL;
    float inverse = 1 / (float)sort->height;
    bool is_map = !sort->projector->perspective;
    uint32_t stride = 0;
    for (size_t i = index * PIECE; i < piece_end(index, s->item_count); i++) {
        int first = 0, last = 0;
        uint32_t item = (uint32_t)i;
        quad place[3];
        if (!part || item >= part->end) {
            part = sn_stage_part_of(s, item, part);
            stride = stride_of(part, sort->coarse);
        }
        /* Others than the first of those that are one are left out. */
        bool triangle = item < part->lines, seen = false;
        if (triangle && (item - part->triangles) & (3 * stride)) {
            sort->range[i][0] = 1;
            sort->range[i][1] = 0;
            continue;
        }
        if (stage_has(stage_skin(part, item), sort->choice))
            seen = triangle && whole_triangle(s, part, item, stride, place)
                       ? whole_rows(place, is_map, sort->rows, &first, &last)
                       : rows_of(s, part, item, sort->projector, sort->rows, &first, &last);
        /* With the rows beside a band. */
        sort->range[i][0] = seen ? (uint16_t)((float)(first > 0 ? first - 1 : 0) * inverse) : 1;
        sort->range[i][1] = seen ? (uint16_t)((float)(last + 1) * inverse) : 0;
    }
}

bool sn_bins_make(stage_bins *bins, const stage *s, const projector *p, int rows, int height,
                  stage_choice choice, int coarse) {
    *bins = (stage_bins){.bands = (rows + height - 1) / height,
                         .height = height,
                         .choice = choice,
                         .coarse = coarse};
    sorted_items sort = {.stage = s,
                         .projector = p,
                         .rows = rows,
                         .height = height,
                         .choice = choice,
                         .coarse = coarse,
                         .range = malloc(((size_t)s->item_count + 1) * sizeof(uint16_t[2]))};
    bins->start = array_of((size_t)bins->bands + 2, sizeof *bins->start);
    if (!sort.range || !bins->start) {
        free(sort.range);
        return false;
    }
    sn_share(s->threads, piece_count(s->item_count), sort_piece, &sort);
    size_t total = 0, *start = bins->start + 1;
    for (size_t i = 0; i < s->item_count; i++) {
        if (sort.range[i][1] >= bins->bands) sort.range[i][1] = (uint16_t)(bins->bands - 1);
        for (int b = sort.range[i][0]; b <= sort.range[i][1]; b++) start[b]++;
    }
    for (int b = 0; b < bins->bands; b++) {
        size_t count = start[b];
        start[b] = total;
        total += count;
    }
    bins->items = malloc((total + 1) * sizeof *bins->items);
    bins->thin = malloc((total + 1) * sizeof *bins->thin);
    /* Filling moves the start of each band to that of the next. */
    for (size_t i = 0; bins->items && i < s->item_count; i++)
        for (int b = sort.range[i][0]; b <= sort.range[i][1]; b++)
            bins->items[start[b]++] = (uint32_t)i;
    free(sort.range);
    return bins->items && bins->thin;
}

void sn_bins_free(stage_bins *bins) {
    free(bins->start);
    free(bins->items);
    free(bins->thin);
    *bins = (stage_bins){0};
}

void sn_bins_fill(const stage_bins *bins, int band, const stage *s, const projector *p,
                  fill_buffer *buffer) {
    const stage_part *part = NULL;
    size_t thin = 0;
    uint32_t stride = 0, *items = bins->thin ? bins->thin + bins->start[band] : NULL;
    for (size_t i = bins->start[band]; i < bins->start[band + 1]; i++) {
        uint32_t item = bins->items[i];
        quad place[3];
        if (!part || item >= part->end) {
            part = sn_stage_part_of(s, item, part);
            stride = stride_of(part, bins->coarse);
        }
        buffer->found_thin = false;
        if (item < part->lines && whole_triangle(s, part, item, stride, place))
            sn_fill_corners(buffer, place[0], place[1], place[2], item);
        else
            fill_other(s, part, item, p, buffer);
        if (buffer->found_thin) items[thin++] = item;
    }
    /* When it is known what is before them. */
    for (size_t i = 0; i < thin; i++) {
        part = sn_stage_part_of(s, items[i], part);
        mark(s, part, items[i], p, buffer);
    }
}
