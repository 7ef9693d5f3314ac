/*
 * OpenUSD as text: the lines of all BasisCurves, as strands of hair are given, and the polygons of
 * all Mesh prims, in metres with y up. Of what moves, the first sample. A cubic curve is the lines
 * between its points.
 */
#include "io/mesh/read.h"
#include "io/text/usda.h"

#include <string.h>

typedef struct usda_file {
    const usda_document *d;
    sn_io_build *build;
    size_t node;
    uint32_t first; /* vertex of the prim */
    size_t points;
} usda_file;

static sn_result fail(const usda_file *f, const char *problem) {
    usda_word name = f->d->nodes.items[f->node].name;
    return sn_text_fail(&f->d->text, name.at, "\"%.*s\" %s",
                        name.length < 64 ? (int)name.length : 64, name.at, problem);
}

/* The numbers of an attribute, of its first sample; null where it has none. */
static const double *numbers_of(const usda_file *f, const char *name, size_t *count) {
    const usda_property *p = sn_usda_find(f->d, f->node, name, strlen(name));
    if (!p || p->count == 0) return NULL;
    const usda_value *value = &f->d->values.items[p->first];
    *count = value->count;
    return f->d->numbers.items + value->first;
}

static sn_result check_place(const usda_file *f) {
    for (size_t n = f->node; n != SIZE_MAX; n = f->d->nodes.items[n].parent)
        if (f->d->nodes.items[n].operations.length > 0)
            return fail(f, "is placed by transforms, expected points where they are");
    return SN_OK;
}

static sn_result read_points(usda_file *f) {
    size_t count;
    const double *x = numbers_of(f, "points", &count);
    if (!x || count % 3 != 0) return fail(f, "has no points, expected three numbers for each");
    f->first = (uint32_t)f->build->mesh.vertex_count;
    f->points = count / 3;
    for (size_t i = 0; i < count; i += 3) {
        double m = f->d->metres_per_unit, a = m * x[i], b = m * x[i + 1], c = m * x[i + 2];
        sn_vec3 y = {(sn_real)a, (sn_real)b, (sn_real)c};
        sn_vec3 z = {(sn_real)a, (sn_real)c, (sn_real)-b},
                side = {(sn_real)-b, (sn_real)a, (sn_real)c};
        SN_TRY(sn_io_build_vertex(f->build, f->d->up == 'Z' ? z : f->d->up == 'X' ? side : y));
    }
    return SN_OK;
}

/* A count of a list, which what is left must suffice for. */
static bool take(double value, size_t least, size_t *left, size_t *count) {
    if (!(value >= (double)least && value <= (double)*left)) return false;
    *count = (size_t)value;
    *left -= *count;
    return (double)*count == value;
}

static sn_result read_curves(usda_file *f) {
    size_t curves, count;
    const double *counts = numbers_of(f, "curveVertexCounts", &curves);
    if (!counts) return fail(f, "has no curveVertexCounts, expected them with curves");
    SN_TRY(read_points(f));
    size_t left = f->points;
    for (size_t i = 0; i < curves; i++) {
        uint32_t at = f->first + (uint32_t)(f->points - left);
        if (!take(counts[i], 2, &left, &count))
            return fail(f, "has curveVertexCounts that do not fit its points, expected 2 or more "
                           "for each curve and all of them together");
        for (uint32_t k = 1; k < count; k++) SN_TRY(sn_io_build_line(f->build, at + k - 1, at + k));
    }
    return left == 0 ? SN_OK : fail(f, "has points that are of no curve");
}

static sn_result read_mesh(usda_file *f) {
    size_t faces = 0, corners = 0, count;
    const double *counts = numbers_of(f, "faceVertexCounts", &faces);
    const double *corner = numbers_of(f, "faceVertexIndices", &corners);
    if (!counts || !corner) return fail(f, "has no faces, expected their counts and indices");
    SN_TRY(read_points(f));
    size_t left = corners;
    for (size_t i = 0; i < faces; i++) {
        const double *at = corner + (corners - left);
        if (!take(counts[i], 3, &left, &count))
            return fail(f, "has faceVertexCounts that do not fit its faceVertexIndices");
        f->build->corners.count = 0;
        for (size_t k = 0; k < count; k++) {
            double v = at[f->d->nodes.items[f->node].is_left_handed ? count - 1 - k : k];
            if (!(v >= 0 && v < (double)f->points))
                return fail(f, "has faceVertexIndices of points that are not there");
            SN_TRY(sn_io_build_corner(f->build, f->first + (uint32_t)v));
        }
        SN_TRY(sn_io_build_polygon(f->build, f->build->corners.items, f->build->corners.count));
    }
    return SN_OK;
}

sn_result sn_read_usda(const sn_source *source, sn_io_build *build) {
    usda_document d = {0};
    sn_result result = sn_usda_parse(source->name, source->data, source->size, &d);
    for (size_t n = 0; result == SN_OK && n < d.nodes.count; n++) {
        usda_file f = {.d = &d, .build = build, .node = n};
        bool curves = sn_usda_is(d.nodes.items[n].type, "BasisCurves");
        if (d.nodes.items[n].is_class || (!curves && !sn_usda_is(d.nodes.items[n].type, "Mesh")))
            continue;
        result = check_place(&f);
        if (result == SN_OK) result = curves ? read_curves(&f) : read_mesh(&f);
    }
    sn_usda_free(&d);
    return result;
}
