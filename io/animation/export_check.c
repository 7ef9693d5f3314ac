/* What a frame must be before any format sees it. */
#include "io/animation/export.h"

#include "io/animation/export_look.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static sn_result check_reals(const char *shape, const char *what, const sn_real *values,
                             size_t count, size_t components) {
    for (size_t i = 0; values && i < count * components; i++)
        if (!isfinite(values[i]))
            return sn_fail(SN_ERROR_VALUE,
                           "shape \"%s\": %s of vertex %zu is %g, expected a "
                           "finite number",
                           shape, what, i / components, (double)values[i]);
    return SN_OK;
}

static sn_result check_indices(const sn_io_shape *s, const char *what, const uint32_t *indices,
                               size_t count, size_t corners) {
    if (count > 0 && !indices)
        return sn_fail(SN_ERROR_NULL, "shape \"%s\": it has %zu %ss, but their array is null",
                       s->name, count, what);
    for (size_t i = 0; i < count * corners; i++)
        if (indices[i] >= s->vertex_count)
            return sn_fail(SN_ERROR_VALUE,
                           "shape \"%s\": %s %zu uses vertex %" PRIu32
                           ", but the shape has %zu vertices",
                           s->name, what, i / corners, indices[i], s->vertex_count);
    return SN_OK;
}

static sn_result check_pose(const sn_io_shape *s) {
    if (!s->pose) return SN_OK;
    sn_vec3 x = s->pose->position;
    sn_quat q = s->pose->orientation;
    double size = (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                  (double)q.z * (double)q.z + (double)q.w * (double)q.w;
    if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
        return sn_fail(SN_ERROR_VALUE, "shape \"%s\": the position of its pose is not finite",
                       s->name);
    if (!(size > 0.98 && size < 1.02))
        return sn_fail(SN_ERROR_VALUE,
                       "shape \"%s\": the orientation of its pose has the length %g, expected 1",
                       s->name, sqrt(size));
    return SN_OK;
}

static sn_result check_groups(const sn_io_shape *s) {
    if (s->group_count > 0 && !s->groups)
        return sn_fail(SN_ERROR_NULL, "shape \"%s\": its groups are null", s->name);
    for (size_t i = 0; i < s->group_count; i++) {
        const sn_mesh_group *g = &s->groups[i];
        if (!g->name || !g->name[0] || (g->count > 0 && !g->vertices))
            return sn_fail(SN_ERROR_NULL, "shape \"%s\": group %zu has no name or no vertices",
                           s->name, i);
        for (size_t k = 0; k < g->count; k++)
            if (g->vertices[k] >= s->vertex_count)
                return sn_fail(SN_ERROR_VALUE,
                               "shape \"%s\": group \"%s\" has vertex %" PRIu32
                               ", but the shape has %zu",
                               s->name, g->name, g->vertices[k], s->vertex_count);
    }
    return SN_OK;
}

static sn_result check_shape(const sn_io_shape *s, size_t index) {
    if (!s->name || !s->name[0])
        return sn_fail(SN_ERROR_VALUE, "frame: shape %zu has no name", index);
    if (s->vertex_count > UINT32_MAX)
        return sn_fail(SN_ERROR_LIMIT,
                       "shape \"%s\": it has %zu vertices, expected at most %" PRIu32, s->name,
                       s->vertex_count, UINT32_MAX);
    if (s->vertex_count > 0 && !s->positions)
        return sn_fail(SN_ERROR_NULL, "shape \"%s\": its positions are null", s->name);
    SN_TRY(check_reals(s->name, "the position", (const sn_real *)s->positions, s->vertex_count, 3));
    SN_TRY(
        check_reals(s->name, "the velocity", (const sn_real *)s->velocities, s->vertex_count, 3));
    SN_TRY(check_reals(s->name, "the strain", s->strain, s->vertex_count, 1));
    SN_TRY(check_reals(s->name, "the radius", s->radii, s->vertex_count, 1));
    SN_TRY(check_reals(s->name, "the texture coordinate", (const sn_real *)s->uvs, s->vertex_count,
                       2));
    SN_TRY(check_reals(s->name, "the colour", (const sn_real *)s->colours, s->vertex_count, 3));
    SN_TRY(check_pose(s));
    SN_TRY(sn_io_shape_check_materials(s));
    SN_TRY(check_groups(s));
    SN_TRY(check_indices(s, "triangle", (const uint32_t *)s->triangles, s->triangle_count, 3));
    SN_TRY(check_indices(s, "line", (const uint32_t *)s->lines, s->line_count, 2));
    return check_indices(s, "tet", (const uint32_t *)s->tets, s->tet_count, 4);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static sn_result check_names(const sn_io_frame *frame) {
    if (frame->shape_count < 2) return SN_OK;
    const char **names = malloc(frame->shape_count * sizeof *names);
    if (!names) return sn_io_export_no_memory();
    for (size_t i = 0; i < frame->shape_count; i++) names[i] = frame->shapes[i].name;
    qsort(names, frame->shape_count, sizeof *names, compare_names);
    sn_result result = SN_OK;
    for (size_t i = 1; i < frame->shape_count && result == SN_OK; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            result = sn_fail(SN_ERROR_VALUE, "frame %d: two shapes have the name \"%s\"",
                             frame->number, names[i]);
    free(names);
    return result;
}

sn_result sn_io_frame_check(const sn_io_frame *frame) {
    if (frame->number < 0)
        return sn_fail(SN_ERROR_VALUE, "frame: its number is %d, expected at least 0",
                       frame->number);
    if (!isfinite(frame->time))
        return sn_fail(SN_ERROR_VALUE, "frame %d: its time is %g, expected a finite number",
                       frame->number, frame->time);
    if (frame->shape_count > 0 && !frame->shapes)
        return sn_fail(SN_ERROR_NULL, "frame %d: it has %zu shapes, but their array is null",
                       frame->number, frame->shape_count);
    for (size_t i = 0; i < frame->shape_count; i++) SN_TRY(check_shape(&frame->shapes[i], i));
    return check_names(frame);
}
