/*
 * OpenUSD as text: the lines of all BasisCurves, as strands of hair are given, and the polygons of
 * all Mesh prims, in metres with y up. Of what moves, the first sample. A cubic curve is the lines
 * between its points.
 */
#include "io/mesh/read_usda.h"

#include <string.h>

static sn_result fail(const usda_geometry *f, const char *problem) {
    usda_word name = f->document->nodes.items[f->node].name;
    return sn_text_fail(&f->document->text, name.at, "\"%.*s\" %s",
                        name.length < 64 ? (int)name.length : 64, name.at, problem);
}

/* The numbers of an attribute, of its first sample; null where it has none. */
static const double *numbers_of(const usda_geometry *f, const char *name, size_t *count) {
    const usda_property *p = sn_usda_find(f->document, f->node, name, strlen(name));
    if (!p || p->count == 0) return NULL;
    const usda_value *value = &f->document->values.items[p->first];
    *count = value->count;
    return f->document->numbers.items + value->first;
}

static sn_result check_place(const usda_geometry *f) {
    for (size_t n = f->node; n != SIZE_MAX; n = f->document->nodes.items[n].parent)
        if (f->document->nodes.items[n].operations.length > 0)
            return fail(f, "is placed by transforms, expected points where they are");
    return SN_OK;
}

static sn_result read_points(usda_geometry *f) {
    size_t count;
    const double *x = numbers_of(f, "points", &count);
    if (!x || count % 3 != 0) return fail(f, "has no points, expected three numbers for each");
    f->first = (uint32_t)f->build->mesh.vertex_count;
    f->points = count / 3;
    for (size_t i = 0; i < count; i += 3) {
        double m = f->document->metres_per_unit, a = m * x[i], b = m * x[i + 1], c = m * x[i + 2];
        sn_vec3 y = {(sn_real)a, (sn_real)b, (sn_real)c};
        sn_vec3 z = {(sn_real)a, (sn_real)c, (sn_real)-b},
                side = {(sn_real)-b, (sn_real)a, (sn_real)c};
        SN_TRY(sn_io_build_vertex(f->build, f->document->up == 'Z'   ? z
                                            : f->document->up == 'X' ? side
                                                                     : y));
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

static sn_result read_curves(const usda_geometry *f) {
    size_t curves, count;
    const double *counts = numbers_of(f, "curveVertexCounts", &curves);
    if (!counts) return fail(f, "has no curveVertexCounts, expected them with curves");
    size_t left = f->points;
    for (size_t i = 0; i < curves; i++) {
        uint32_t at = f->first + (uint32_t)(f->points - left);
        if (!take(counts[i], 2, &left, &count))
            return fail(f, "has curveVertexCounts that do not fit its points, expected 2 or more "
                           "for each curve and all of them together");
        for (uint32_t k = 1; k < count; k++) SN_TRY(sn_io_build_line(f->build, at + k - 1, at + k));
    }
    return left == 0 ? sn_usda_add_name(f) : fail(f, "has points that are of no curve");
}

sn_result sn_read_usda(const sn_source *source, sn_io_build *build) {
    usda_document d = {0};
    sn_result result = sn_usda_parse(source->name, source->data, source->size, &d);
    for (size_t n = 0; result == SN_OK && n < d.nodes.count; n++) {
        usda_geometry f = {
            .document = &d, .source = source, .build = build, .node = n, .is_still = true};
        bool curves = sn_usda_is(d.nodes.items[n].type, "BasisCurves");
        if (d.nodes.items[n].is_class || (!curves && !sn_usda_is(d.nodes.items[n].type, "Mesh")))
            continue;
        result = check_place(&f);
        if (result == SN_OK) result = read_points(&f);
        if (result == SN_OK) result = curves ? read_curves(&f) : sn_usda_add_mesh(&f);
    }
    sn_usda_free(&d);
    return result;
}
