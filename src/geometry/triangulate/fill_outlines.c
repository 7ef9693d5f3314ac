#include "geometry/triangulate/fill_outlines.h"

#include "base/error.h"
#include "geometry/topology/curve_order.h"

#include <sinew/support.h>

/* What a mesh is made with. */
typedef struct filling {
    sn_memory memory;
    const sn_outlines *outlines;
    sn_lattice lattice;
    sn_triangulation mesh;
    uint8_t *inside; /* of each triangle */
    uint32_t *order; /* sites along the curve */
    size_t marks;    /* that there is room for in these two */
} filling;

static const uint32_t first_border = 4;

/* How often narrow triangles are mended; mostly two or three times are enough. */
enum { MENDINGS = 8 };

/* ---- The border ---- */

static sn_result refuse_border(const filling *f, const sn_border *border, size_t i) {
    return sn_fail(SN_ERROR_VALUE,
                   "%s: with edges of %g m outline %u would touch another part of the border at "
                   "(%g, %g), expected shorter edges",
                   f->outlines->what, f->outlines->edge, border->loop[i], border->x[i][0],
                   border->x[i][1]);
}

/* The vertex of the border after i, around its loop. */
static size_t next_of(const sn_border *border, size_t i, size_t first) {
    return i + 1 < border->count && border->loop[i + 1] == border->loop[i] ? i + 1 : first;
}

static sn_result add_border(filling *f, const sn_border *border) {
    sn_triangulation *mesh = &f->mesh;
    for (size_t i = 0; i < border->count; i++) {
        sn_site x = sn_lattice_site(&f->lattice, border->x[i]);
        if (!sn_triangulation_add(mesh, sn_triangulation_find(mesh, x), x))
            return refuse_border(f, border, i);
    }
    size_t first = 0;
    for (size_t i = 0; i < border->count; i++) {
        if (i > 0 && border->loop[i] != border->loop[i - 1]) first = i;
        size_t next = next_of(border, i, first);
        if (!sn_triangulation_lock(mesh, first_border + (uint32_t)i, first_border + (uint32_t)next))
            return refuse_border(f, border, i);
    }
    for (uint32_t side = 0; side < 3 * mesh->sides.triangles; side++)
        sn_triangulation_push(mesh, side);
    sn_triangulation_settle(mesh);
    return SN_OK;
}

/* ---- The inside ---- */

static sn_result mark_inside(filling *f) {
    sn_free(&f->memory, f->inside, f->marks, sizeof *f->inside);
    sn_free(&f->memory, f->order, f->marks, sizeof *f->order);
    f->marks = f->mesh.sides.triangles;
    f->inside = sn_allocate(&f->memory, f->marks, sizeof *f->inside);
    f->order = sn_allocate(&f->memory, f->marks, sizeof *f->order);
    if (!f->inside || !f->order) return SN_ERROR_MEMORY;
    sn_triangulation_inside(&f->mesh, f->inside, f->order);
    return SN_OK;
}

static sn_result triangulate_border(filling *f, const sn_border *border) {
    SN_TRY(sn_triangulation_create(&f->mesh, &f->memory, border->count));
    SN_TRY(add_border(f, border));
    return mark_inside(f);
}

/* A triangulation of the border and of these sites, relaxed. */
static sn_result triangulate_all(filling *f, const sn_border *border, const sn_scatter *scatter,
                                 uint32_t *first) {
    sn_triangulation *mesh = &f->mesh;
    sn_triangulation_free(mesh, &f->memory);
    SN_TRY(sn_triangulation_create(mesh, &f->memory, border->count + 1 + scatter->count));
    SN_TRY(add_border(f, border));
    if (f->outlines->kept) {
        sn_site x = sn_lattice_site(&f->lattice, f->outlines->kept);
        sn_triangulation_add(mesh, sn_triangulation_find(mesh, x), x);
    }
    *first = (uint32_t)mesh->sites;
    for (size_t i = 0; i < scatter->count; i++) {
        sn_site x = scatter->site[i];
        sn_triangulation_add(mesh, sn_triangulation_find(mesh, x), x);
    }
    sn_triangulation_relax(mesh, *first);
    return mark_inside(f);
}

/* True where the sites are others now. */
static sn_result mend(filling *f, uint32_t first, double edge, sn_scatter *scatter, bool *changed) {
    size_t sites = f->mesh.sites;
    /* At most a site for each triangle is added. */
    if (!sn_reserve(&f->memory, (void **)&scatter->site, &scatter->capacity,
                    sites + f->mesh.sides.triangles, sizeof *scatter->site))
        return SN_ERROR_MEMORY;
    uint8_t *touched = sn_allocate(&f->memory, sites, sizeof *touched);
    if (!touched) return SN_ERROR_MEMORY;
    *changed = sn_triangulation_mend(&f->mesh, f->inside, first, edge, touched, scatter);
    sn_free(&f->memory, touched, sites, sizeof *touched);
    return SN_OK;
}

/* The sites inside are found in a triangulation of the border alone, so that what is inside does
   not change meanwhile; then there is one of all. */
static sn_result triangulate(filling *f, const sn_border *border) {
    sn_scatter scatter;
    double edge = f->outlines->edge / f->lattice.unit;
    SN_TRY(triangulate_border(f, border));
    SN_TRY(sn_scatter_create(&scatter, &f->memory, &f->mesh, f->inside, border->count, edge));
    uint32_t first;
    bool changed = true;
    sn_result result = triangulate_all(f, border, &scatter, &first);
    for (int i = 0; i < MENDINGS && changed && result == SN_OK; i++) {
        result = mend(f, first, edge, &scatter, &changed);
        if (result == SN_OK && changed) result = triangulate_all(f, border, &scatter, &first);
    }
    sn_free(&f->memory, scatter.site, scatter.capacity, sizeof *scatter.site);
    return result;
}

/* ---- The mesh ---- */

static sn_point position_of(const filling *f, const sn_border *border, uint32_t site) {
    if (site - first_border < border->count) {
        const double *x = border->x[site - first_border];
        return (sn_point){x[0], 0, 0 - x[1]};
    }
    sn_site at = f->mesh.site[site];
    return (sn_point){f->lattice.origin[0] + f->lattice.unit * at.x, 0,
                      0 - (f->lattice.origin[1] + f->lattice.unit * at.y)};
}

static sn_result write_mesh(filling *f, const sn_border *border, sn_mesh *mesh, uint32_t *vertex) {
    const sn_triangulation *t = &f->mesh;
    size_t triangles = 0, vertices = t->sites - first_border;
    for (size_t i = 0; i < t->sides.triangles; i++) triangles += f->inside[i];
    SN_TRY(sn_mesh_reserve(mesh, (sn_mesh_room){.vertices = vertices, .triangles = triangles}));
    for (uint32_t i = 0; i < vertices; i++)
        mesh->positions[i] = sn_point_vec3(position_of(f, border, i + first_border));
    mesh->vertex_count = vertices;
    for (uint32_t i = 0; i < t->sides.triangles; i++) {
        if (!f->inside[i]) continue;
        uint32_t *v = mesh->triangles[mesh->triangle_count++];
        for (int k = 0; k < 3; k++) v[k] = t->sides.start[3 * i + (uint32_t)k] - first_border;
    }
    uint32_t *to = sn_allocate(&f->memory, vertices, sizeof *to);
    if (!to) return SN_ERROR_MEMORY;
    sn_result result = sn_mesh_curve_order(mesh, &f->memory, to);
    size_t named = border->count + (f->outlines->kept ? 1 : 0);
    for (uint32_t i = 0; i < named; i++) vertex[i] = to[i];
    sn_free(&f->memory, to, vertices, sizeof *to);
    return result;
}

sn_result sn_fill_outlines(sn_mesh *mesh, const sn_outlines *outlines, sn_border *border,
                           uint32_t **vertex) {
    filling f = {.memory = sn_mesh_memory(mesh), .outlines = outlines};
    *vertex = NULL;
    SN_TRY(sn_outlines_check(outlines, &f.memory, &f.lattice));
    SN_TRY(sn_border_create(border, outlines, &f.memory));
    *vertex = sn_allocate(&f.memory, border->count + 1, sizeof **vertex);
    sn_result result = *vertex ? triangulate(&f, border) : SN_ERROR_MEMORY;
    if (result == SN_OK) result = write_mesh(&f, border, mesh, *vertex);
    sn_triangulation_free(&f.mesh, &f.memory);
    sn_free(&f.memory, f.inside, f.marks, sizeof *f.inside);
    sn_free(&f.memory, f.order, f.marks, sizeof *f.order);
    if (result != SN_OK) {
        sn_outlines_free(mesh, border, *vertex);
        sn_mesh_free(mesh);
    }
    return result;
}

void sn_outlines_free(sn_mesh *mesh, sn_border *border, uint32_t *vertex) {
    sn_memory memory = sn_mesh_memory(mesh);
    sn_free(&memory, vertex, border->count + 1, sizeof *vertex);
    sn_border_free(border, &memory);
}
