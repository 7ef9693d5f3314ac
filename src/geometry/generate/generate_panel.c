/* A piece of cloth as it is cut. */
#include "geometry/generate/mesh_maker.h"
#include "geometry/triangulate/fill_outlines.h"
#include "math/angle.h"

#include <stdio.h>

/* More sides than this have no groups of their own. */
enum { MOST_SIDES = 256 };

sn_panel_def sn_panel_def_default(void) {
    return (sn_panel_def){
        .size = sizeof(sn_panel_def), .edge_length = (sn_real)0.05, .corner_angle = (sn_real)0.6};
}

/* ---- Groups ---- */

typedef struct grouping {
    sn_mesh *mesh;
    const sn_border *border;
    const uint32_t *vertex;
} grouping;

static sn_result add_numbered(const grouping *g, const char *what, size_t number, size_t first,
                              size_t end) {
    char name[32];
    snprintf(name, sizeof name, "%s_%zu", what, number);
    return sn_mesh_add_group(g->mesh, name, &g->vertex[first], end - first);
}

/* From `first` to `end`, and the corner that follows on the same loop, which begins at `loop`. */
static sn_result add_side(const grouping *g, size_t loop, size_t first, size_t end) {
    const sn_border *border = g->border;
    size_t number = border->side[first];
    SN_TRY(add_numbered(g, "side", number, first, end));
    size_t next = end < border->count && border->loop[end] == border->loop[first] ? end : loop;
    return add_numbered(g, "side", number, next, next + 1);
}

static sn_result add_corners(const grouping *g) {
    for (size_t i = 0; i < g->border->count; i++)
        if (g->border->corner[i]) SN_TRY(sn_mesh_add_group(g->mesh, "corners", &g->vertex[i], 1));
    return SN_OK;
}

static sn_result add_groups(const grouping *g, const sn_outlines *outlines) {
    const sn_border *border = g->border;
    SN_TRY(sn_mesh_add_group(g->mesh, "border", g->vertex, border->count));
    bool sides = border->sides <= MOST_SIDES;
    if (sides) SN_TRY(add_corners(g));
    for (size_t first = 0, end = 0; first < border->count; first = end) {
        uint32_t loop = border->loop[first];
        while (end < border->count && border->loop[end] == loop) end++;
        SN_TRY(add_numbered(g, outlines->loops[loop].hole ? "hole" : "outline",
                            sn_outlines_ordinal(outlines, loop), first, end));
        for (size_t from = first, to = first; sides && from < end; from = to) {
            while (to < end && border->side[to] == border->side[from]) to++;
            SN_TRY(add_side(g, first, from, to));
        }
    }
    return SN_OK;
}

/* ---- Points ---- */

static sn_result check_outlines(const sn_panel_def *def, size_t *points) {
    if (def->outline_count > 0 && !def->outlines)
        return sn_fail(SN_ERROR_NULL, "panel: the list of outlines is null");
    if (def->outline_count > SN_OUTLINE_LOOPS)
        return sn_fail(SN_ERROR_VALUE, "panel: there are %zu outlines, expected from 1 to %d",
                       def->outline_count, SN_OUTLINE_LOOPS);
    if (!((double)def->grain >= -4 && (double)def->grain <= 4))
        return sn_fail(SN_ERROR_VALUE, "panel: grain is %g, expected from -4 to 4 rad",
                       (double)def->grain);
    for (size_t i = 0; i < def->outline_count; i++) {
        const sn_outline *outline = &def->outlines[i];
        if (outline->count > 0 && !outline->points)
            return sn_fail(SN_ERROR_NULL, "panel: the points of outline %zu are null", i);
        if (outline->count > (size_t)SN_OUTLINE_POINTS - *points)
            return sn_fail(SN_ERROR_LIMIT, "panel: there are more than %d points, expected fewer",
                           SN_OUTLINE_POINTS);
        *points += outline->count;
    }
    return SN_OK;
}

/* The outlines in double, turned so that the grain is along x. */
static void turn_outlines(const sn_panel_def *def, sn_loop *loops, double (*points)[2]) {
    double sine = 0, cosine = 1;
    if (def->grain != 0) sn_sine_cosine((double)def->grain, &sine, &cosine);
    for (size_t i = 0; i < def->outline_count; i++) {
        const sn_outline *outline = &def->outlines[i];
        for (size_t k = 0; k < outline->count; k++) {
            double x = (double)outline->points[k][0], y = (double)outline->points[k][1];
            points[k][0] = def->grain != 0 ? cosine * x + sine * y : x;
            points[k][1] = def->grain != 0 ? cosine * y - sine * x : y;
        }
        loops[i] = (sn_loop){points, outline->count, outline->hole};
        points += outline->count;
    }
}

static sn_result fill(sn_mesh *mesh, const sn_panel_def *def, const sn_loop *loops) {
    sn_outlines outlines = {.what = "panel",
                            .loops = loops,
                            .count = def->outline_count,
                            .edge = (double)def->edge_length,
                            .corner_angle = (double)def->corner_angle};
    sn_border border;
    uint32_t *vertex;
    SN_TRY(sn_fill_outlines(mesh, &outlines, &border, &vertex));
    grouping g = {mesh, &border, vertex};
    sn_result result = add_groups(&g, &outlines);
    sn_outlines_free(mesh, &border, vertex);
    if (result != SN_OK) sn_mesh_free(mesh);
    return result;
}

sn_result sn_generate_panel(sn_mesh *mesh, const sn_panel_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "panel"));
    size_t count = 0;
    SN_TRY(check_outlines(def, &count));
    sn_memory memory = sn_mesh_memory(mesh);
    double(*points)[2] = sn_allocate(&memory, count, sizeof *points);
    sn_loop *loops = sn_allocate(&memory, def->outline_count, sizeof *loops);
    sn_result result = points && loops ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        turn_outlines(def, loops, points);
        result = fill(mesh, def, loops);
    }
    sn_free(&memory, loops, def->outline_count, sizeof *loops);
    sn_free(&memory, points, count, sizeof *points);
    return result;
}
