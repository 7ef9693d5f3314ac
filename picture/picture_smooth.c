#include "picture/picture_smooth.h"

#include "picture/picture_stage.h"

#include <sinew/support.h>

#include <stdlib.h>

/* Pixels: edges that are longer are divided; and how many triangles there may be. */
static const float most_edge = 5;
/* Pixels: a smooth surface lies inside of one that bulges by about a quarter of the square of an
   edge over the radius; of cloth that is so coarse, colliders under it would look through. */
static const float coarse_edge = 90;
enum { MOST_LEVEL = 2, MOST_TRIANGLES = 2000000, SAMPLES = 4096 };

/* The mean length of edges on the picture, of some elements; 0 where none is before the camera. */
static float mean_edge(const sn_io_shape *shape, const double origin[3], const projector *camera) {
    bool faces = shape->triangle_count > 0;
    size_t count = faces ? shape->triangle_count : shape->line_count;
    size_t step = count / SAMPLES + 1, seen = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i += step) {
        uint32_t a = faces ? shape->triangles[i][0] : shape->lines[i][0],
                 b = faces ? shape->triangles[i][1] : shape->lines[i][1];
        if (a >= shape->vertex_count || b >= shape->vertex_count) continue;
        vec p = sn_stage_local(origin, shape->positions[a]),
            q = sn_stage_local(origin, shape->positions[b]);
        float depth = project_space(camera, p).z, length = norm(sub(p, q));
        if (!(depth > camera->near && length < INFINITY)) continue;
        sum += (double)(length * camera->focus / depth);
        seen++;
    }
    return seen > 0 ? (float)(sum / (double)seen) : 0;
}

static bool is_finite(const sn_io_shape *shape) {
    for (size_t i = 0; i < shape->vertex_count; i++) {
        sn_vec3 a = shape->positions[i];
        if (!isfinite((double)a.x) || !isfinite((double)a.y) || !isfinite((double)a.z))
            return false;
    }
    return true;
}

/* What is not finite would spread to its neighbours. */
static int level_for(const sn_io_shape *shape, const sn_picture_view *view, const double origin[3],
                     const projector *camera) {
    size_t elements = shape->triangle_count + shape->line_count;
    bool automatic = view->smooth == SN_PICTURE_SMOOTH_AUTO;
    if (elements == 0 || !shape->positions || (automatic && view->wire) || !is_finite(shape))
        return 0;
    if (!automatic) return view->smooth;
    float edge = mean_edge(shape, origin, camera);
    bool cloth = shape->creased && shape->crease_count == 0 && shape->triangle_count > 0;
    if (cloth && edge > coarse_edge) return 0;
    int level = 0;
    while (level < MOST_LEVEL && edge > most_edge && elements << (2 * level + 2) < MOST_TRIANGLES) {
        edge *= 0.5f;
        level++;
    }
    return level;
}

/* ---- Normals ---- */

static sn_vec3 vec3_sum(sn_vec3 a, vec b) {
    return (sn_vec3){a.x + (sn_real)b.x, a.y + (sn_real)b.y, a.z + (sn_real)b.z};
}

/*
 * Folds of a cloth run along the edges of its triangles where these lie across them, up and down
 * like stairs. Light shows that more than the shape does, so cloth is lit with normals that are
 * means over neighbours, before the triangles are divided.
 */
static void mean_normals(const sn_io_shape *shape, sn_vec3 *normals, sn_vec3 *sums) {
    size_t count = shape->vertex_count;
    for (size_t i = 0; i < count; i++) normals[i] = sums[i] = (sn_vec3){0, 0, 0};
    for (size_t i = 0; i < shape->triangle_count; i++) {
        const uint32_t *t = shape->triangles[i];
        vec a = vec_of(shape->positions[t[0]]);
        vec n =
            cross(sub(vec_of(shape->positions[t[1]]), a), sub(vec_of(shape->positions[t[2]]), a));
        for (int k = 0; k < 3; k++) normals[t[k]] = vec3_sum(normals[t[k]], n);
    }
    for (size_t i = 0; i < count; i++)
        normals[i] = vec3_sum((sn_vec3){0}, unit(vec_of(normals[i])));
    /* Each neighbour is met in two triangles, and so counts as much as half of the vertex. */
    for (size_t i = 0; i < shape->triangle_count; i++) {
        const uint32_t *t = shape->triangles[i];
        vec sum = add(add(vec_of(normals[t[0]]), vec_of(normals[t[1]])), vec_of(normals[t[2]]));
        for (int k = 0; k < 3; k++) sums[t[k]] = vec3_sum(sums[t[k]], sum);
    }
    for (size_t i = 0; i < count; i++) normals[i] = vec3_sum((sn_vec3){0}, unit(vec_of(sums[i])));
}

/* Copies of the shapes, those of cloth with normals; both to be freed. */
static sn_result add_normals(const sn_io_frame *frame, const int *levels, sn_io_shape **shapes,
                             sn_vec3 **memory) {
    size_t total = 0, most = 0, at = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        total += frame->shapes[i].vertex_count;
        most = frame->shapes[i].vertex_count > most ? frame->shapes[i].vertex_count : most;
    }
    *shapes = malloc((frame->shape_count + 1) * sizeof **shapes);
    *memory = malloc((total + most + 1) * sizeof **memory);
    if (!*shapes || !*memory) return sn_fail(SN_ERROR_MEMORY, "there is no memory to draw a frame");
    for (size_t i = 0; i < frame->shape_count; i++) {
        sn_io_shape *shape = &(*shapes)[i];
        *shape = frame->shapes[i];
        bool cloth = shape->creased && shape->crease_count == 0 && shape->triangle_count > 0;
        bool good = levels[i] > 0 && cloth && !shape->normals;
        for (size_t k = 0; good && k < 3 * shape->triangle_count; k++)
            good = shape->triangles[k / 3][k % 3] < shape->vertex_count;
        if (!good) continue;
        mean_normals(shape, *memory + at, *memory + total);
        shape->normals = *memory + at;
        at += shape->vertex_count;
    }
    return SN_OK;
}

sn_result sn_smooth_for_picture(sn_io_smoother *smoother, const sn_io_frame *frame,
                                const sn_picture_view *view, const projector *camera, int *levels,
                                sn_io_frame *smooth) {
    const double origin[3] = {(double)view->target.x, (double)view->target.y,
                              (double)view->target.z};
    for (size_t i = 0; i < frame->shape_count; i++)
        levels[i] = level_for(&frame->shapes[i], view, origin, camera);
    sn_io_frame lit = *frame;
    sn_io_shape *shapes = NULL;
    sn_vec3 *normals = NULL;
    sn_result result = add_normals(frame, levels, &shapes, &normals);
    lit.shapes = shapes;
    /* Levels of 0 give the arrays of the frame itself, and those have no normals here. */
    if (result == SN_OK) result = sn_io_smoother_frame(smoother, &lit, 0, levels, smooth);
    free(shapes);
    free(normals);
    return result;
}
