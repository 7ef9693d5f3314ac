#include "picture/picture_smooth.h"

#include "picture/picture_stage.h"

#include <sinew/support.h>

#include <stdlib.h>

/* Pixels: edges that are longer are divided; and how many triangles there may be. */
static const float most_edge = 5;
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
    int level = 0;
    while (level < MOST_LEVEL && edge > most_edge && elements << (2 * level + 2) < MOST_TRIANGLES) {
        edge *= 0.5f;
        level++;
    }
    return level;
}

sn_result sn_smooth_for_picture(sn_io_smoother *smoother, const sn_io_frame *frame,
                                const sn_picture_view *view, const projector *camera,
                                sn_io_frame *smooth) {
    const double origin[3] = {(double)view->target.x, (double)view->target.y,
                              (double)view->target.z};
    int *levels = calloc(frame->shape_count + 1, sizeof *levels);
    if (!levels) return sn_fail(SN_ERROR_MEMORY, "there is no memory to draw a frame");
    for (size_t i = 0; i < frame->shape_count; i++)
        levels[i] = level_for(&frame->shapes[i], view, origin, camera);
    sn_result result = sn_io_smoother_frame(smoother, frame, 0, levels, smooth);
    free(levels);
    return result;
}
