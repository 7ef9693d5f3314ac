#include "picture/picture_stage.h"

#include "picture/colour.h"

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
        s->parts[i] = (stage_part){.shape = shape,
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

/* Twice the area of a triangle as a vector along its normal; zero where it cannot be drawn. */
static vec area_of(const vec *points, const uint32_t t[3]) {
    vec a = points[t[0]], n = cross(sub(points[t[1]], a), sub(points[t[2]], a));
    return dot(n, n) < INFINITY ? n : (vec){0, 0, 0};
}

/* Where nobody says which edges are hard, any may be. */
static void mark_hard(stage *s, const stage_part *part) {
    const sn_io_shape *shape = part->shape;
    bool *hard = s->hard + part->first_vertex;
    for (size_t i = 0; i < shape->vertex_count; i++) hard[i] = !shape->creased;
    for (size_t i = 0; shape->creased && i < shape->crease_count; i++)
        hard[shape->creases[i][0]] = hard[shape->creases[i][1]] = true;
}

static void make_normals(stage *s, stage_part *part) {
    const sn_io_shape *shape = part->shape;
    const vec *points = s->points + part->first_vertex;
    vec *normals = s->normals + part->first_vertex, sum = {0, 0, 0};
    float total = 0;
    for (size_t i = 0; i < shape->triangle_count; i++) {
        const uint32_t *t = shape->triangles[i];
        vec n = area_of(points, t);
        /* Large triangles count more. */
        for (int k = 0; k < 3; k++) normals[t[k]] = add(normals[t[k]], n);
        sum = add(sum, n);
        total += norm(n);
    }
    /* The areas of a closed surface cancel out. */
    part->closed = norm(sum) < 1e-3f * total;
    for (size_t i = 0; i < shape->vertex_count; i++)
        normals[i] = unit(shape->normals ? vec_of(shape->normals[i]) : normals[i]);
    mark_hard(s, part);
    const bool *hard = s->hard + part->first_vertex;
    for (size_t i = 0; i < shape->triangle_count; i++) {
        const uint32_t *t = shape->triangles[i];
        if (!hard[t[0]] && !hard[t[1]] && !hard[t[2]]) continue;
        vec face = unit(area_of(points, t));
        bool sharp = false;
        for (int k = 0; k < 3; k++)
            sharp = sharp || (hard[t[k]] && stage_is_sharp(normals[t[k]], face));
        s->sharp[part->triangles + i] = sharp;
    }
}

/* Only vertices of lines have balls where a shape has lines. */
static void make_radii(stage *s, const stage_part *part, const projector *camera) {
    const sn_io_shape *shape = part->shape;
    float *radii = s->radii + part->first_vertex, thin = shape->line_count ? thin_line : thin_ball;
    for (size_t i = 0; i < shape->vertex_count; i++) radii[i] = shape->line_count ? -1.0f : 0.0f;
    for (size_t i = 0; i < shape->line_count; i++)
        radii[shape->lines[i][0]] = radii[shape->lines[i][1]] = 0;
    if (part->balls == part->end) return;
    for (size_t i = 0; i < shape->vertex_count; i++) {
        if (radii[i] < 0) continue;
        float depth = project_space(camera, s->points[part->first_vertex + i]).z;
        float pixel = most_of(depth, camera->near) / camera->focus;
        float given = shape->radii ? (float)shape->radii[i] : thin * pixel;
        /* Not only NaN: what is larger than everything else is no radius. */
        bool usable = given >= 0 && given < most_far && depth < INFINITY;
        radii[i] = usable ? most_of(given, least_radius * pixel) : -1;
    }
}

/* ---- Making ---- */

static void *array_of(size_t count, size_t size) {
    return calloc(count ? count : 1, size);
}

static bool make_arrays(stage *s, bool with_values) {
    s->points = array_of(s->vertex_count, sizeof *s->points);
    s->normals = array_of(s->vertex_count, sizeof *s->normals);
    s->radii = array_of(s->vertex_count, sizeof *s->radii);
    s->places = array_of(s->vertex_count, sizeof *s->places);
    s->hard = array_of(s->vertex_count, sizeof *s->hard);
    s->sharp = array_of(s->item_count, sizeof *s->sharp);
    s->values = with_values ? array_of(s->vertex_count, sizeof *s->values) : NULL;
    return s->points && s->normals && s->radii && s->places && s->hard && s->sharp &&
           (s->values || !with_values);
}

static void make_part(stage *s, size_t index, const sn_picture_view *view,
                      const projector *camera) {
    stage_part *part = &s->parts[index];
    make_points(s, part);
    make_normals(s, part);
    make_radii(s, part, camera);
    part->front = sn_colour_of_shape(view, index);
    /* The inside of a thing is seldom as clean as its outside. */
    const sn_io_look *look = part->shape->look;
    if (look && look->colour.x != SN_AUTO) part->front = sn_colour_linear(look->colour);
    part->back = mix(part->front, (vec){0.42f, 0.40f, 0.37f}, 0.35f);
    if (look && look->back.x != SN_AUTO) part->back = sn_colour_linear(look->back);
    if (!s->values) return;
    part->has_value =
        sn_colour_values(part->shape, view->colouring, s->values + part->first_vertex);
    if (!part->has_value) part->front = part->back = (vec){0.40f, 0.40f, 0.41f};
}

sn_result sn_stage_make(stage *s, const sn_io_frame *frame, const sn_picture_view *view,
                        const projector *camera) {
    *s = (stage){.part_count = frame->shape_count,
                 .origin = {(double)view->target.x, (double)view->target.y, (double)view->target.z},
                 .least = {INFINITY, INFINITY, INFINITY},
                 .most = {-INFINITY, -INFINITY, -INFINITY}};
    s->parts = array_of(frame->shape_count, sizeof *s->parts);
    if (!s->parts) return sn_fail(SN_ERROR_MEMORY, "there is no memory to draw a frame");
    sn_result result = count_items(s, frame);
    if (result == SN_OK && !make_arrays(s, view->colouring != SN_PICTURE_COLOUR_BODY))
        result = sn_fail(SN_ERROR_MEMORY, "there is no memory to draw a frame of %zu vertices",
                         s->vertex_count);
    if (result != SN_OK) {
        sn_stage_free(s);
        return result;
    }
    for (size_t i = 0; i < s->part_count; i++) make_part(s, i, view, camera);
    return SN_OK;
}

void sn_stage_free(stage *s) {
    free(s->parts);
    free(s->points);
    free(s->normals);
    free(s->radii);
    free(s->values);
    free(s->places);
    free(s->hard);
    free(s->sharp);
    *s = (stage){0};
}

/* ---- Drawing ---- */

void sn_stage_project(stage *s, const projector *p) {
    for (size_t i = 0; i < s->vertex_count; i++) {
        vec space = project_space(p, s->points[i]);
        vec place = project_place(p, space);
        place.z = sn_project_is_inside(p, space) ? project_key(p, place.z) : NAN;
        s->places[i] = place;
    }
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

void sn_stage_fill(const stage *s, const stage_part *part, uint32_t item, const projector *p,
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

void sn_stage_fill_all(const stage *s, const projector *p, fill_buffer *buffer) {
    for (size_t i = 0; i < s->part_count; i++) {
        const stage_part *part = &s->parts[i];
        for (uint32_t item = part->triangles; item < part->end; item++)
            sn_stage_fill(s, part, item, p, buffer);
    }
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
    return sn_fill_rows(top, bottom, rows, first, last);
}

bool sn_stage_rows(const stage *s, const stage_part *part, uint32_t item, const projector *p,
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
    return sn_fill_rows(least_of(one.top, two.top), most_of(one.bottom, two.bottom), rows, first,
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
