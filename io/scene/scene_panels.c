/* Meshes from outlines that are written out. */
#include "io/scene/scene_state.h"

#include <sinew/generate.h>
#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>

/* A point of an outline. */
static sn_result read_point(sn_scene *s, const json_node *row, double x[2]) {
    if (row->kind != JSON_ARRAY || row->count != 2)
        return sn_scene_complain(&s->reader, row, "expected a point of two numbers, [x, y]");
    for (int k = 0; k < 2; k++) SN_TRY(sn_scene_read_number(&s->reader, &row->items[k], &x[k]));
    return SN_OK;
}

static sn_result read_outline(sn_scene *s, const json_node *node, scene_outline_part *part) {
    *part = (scene_outline_part){0};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_outline_object, NULL));
    return sn_scene_read(&s->reader, node, &sn_scene_outline_object, part);
}

/* Adds an outline to the list; `points` has room for what it says. */
static sn_result add_outline(sn_scene *s, const json_node *node, sn_outline *outline,
                             sn_real (*points)[2]) {
    scene_outline_part part;
    SN_TRY(read_outline(s, node, &part));
    for (size_t i = 0; i < part.points->count; i++) {
        double x[2];
        SN_TRY(read_point(s, &part.points->items[i], x));
        for (int k = 0; k < 2; k++) points[i][k] = (sn_real)x[k];
    }
    *outline = (sn_outline){(const sn_real(*)[2])points, part.points->count, part.hole};
    return SN_OK;
}

/* How many points all outlines have. */
static sn_result count_points(sn_scene *s, const json_node *list, size_t *count) {
    *count = 0;
    for (size_t i = 0; i < list->count; i++) {
        scene_outline_part part;
        SN_TRY(read_outline(s, &list->items[i], &part));
        *count += part.points->count;
    }
    return SN_OK;
}

sn_result sn_scene_make_panel(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    scene_mesh_panel part = {.def = sn_panel_def_default()};
    size_t count;
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &part));
    SN_TRY(count_points(s, part.outlines, &count));
    sn_outline *outlines = calloc(part.outlines->count + 1, sizeof *outlines);
    sn_real(*points)[2] = calloc(count + 1, sizeof *points);
    sn_result result = outlines && points ? SN_OK : SN_ERROR_MEMORY;
    for (size_t i = 0, first = 0; i < part.outlines->count && result == SN_OK; i++) {
        result = add_outline(s, &part.outlines->items[i], &outlines[i], points + first);
        first += outlines[i].count;
    }
    part.def.outlines = outlines;
    part.def.outline_count = part.outlines->count;
    if (result == SN_OK) result = sn_generate_panel(mesh, &part.def);
    free(points);
    free(outlines);
    return result;
}

sn_result sn_scene_panel_area(sn_scene *s, const scene_mesh_panel *part, double *area) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    *area = 0;
    for (size_t i = 0; i < part->outlines->count; i++) {
        scene_outline_part outline;
        SN_TRY(read_outline(s, &part->outlines->items[i], &outline));
        for (size_t k = 0; k < outline.points->count; k++) {
            double x[2];
            SN_TRY(read_point(s, &outline.points->items[k], x));
            for (int axis = 0; axis < 2; axis++) {
                low[axis] = x[axis] < low[axis] ? x[axis] : low[axis];
                high[axis] = x[axis] > high[axis] ? x[axis] : high[axis];
            }
        }
    }
    if (high[0] > low[0] && high[1] > low[1]) *area = (high[0] - low[0]) * (high[1] - low[1]);
    return SN_OK;
}
