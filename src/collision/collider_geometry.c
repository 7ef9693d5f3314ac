#include "collision/collider_geometry.h"

#include "base/error.h"
#include "geometry/convex_hull.h"
#include "geometry/volume/inside.h"

#include <sinew/volume.h>

#include <math.h>
#include <string.h>

bool sn_collider_geometry_is_needed(sn_shape shape) {
    return shape > SN_SHAPE_CYLINDER;
}

sn_real sn_collider_geometry_radius(sn_shape shape, bool two_sided) {
    bool round =
        shape == SN_SHAPE_SPHERE || shape == SN_SHAPE_CAPSULE || shape == SN_SHAPE_CYLINDER;
    if (shape == SN_SHAPE_MESH && two_sided) return (sn_real)0.005;
    return round || shape == SN_SHAPE_PLANE ? (sn_real)0.5 : 0;
}

void sn_collider_geometry_free(sn_memory *memory, const sn_collider_geometry *form) {
    sn_collider_geometry *own = (sn_collider_geometry *)(uintptr_t)form;
    if (!own) return;
    for (size_t i = 0; own->pieces && i < own->part_count; i++)
        sn_collider_geometry_free(memory, own->pieces[i].form);
    sn_free(memory, own->vertices, own->vertex_count, sizeof *own->vertices);
    sn_free(memory, own->heights, own->height_count, sizeof *own->heights);
    sn_free(memory, own->grid.values, own->grid.count, sizeof *own->grid.values);
    sn_free(memory, own->parts, own->part_count, sizeof *own->parts);
    sn_free(memory, own->pieces, own->part_count, sizeof *own->pieces);
    sn_boundary_free(&own->boundary, memory);
    sn_bvh_free(&own->tree, memory);
    sn_free(memory, own, 1, sizeof *own);
}

/* ---- Where shapes are ---- */

static sn_bounds box_about(double x, double y, double z) {
    return (sn_bounds){{-x, -y, -z}, {x, y, z}};
}

sn_bounds sn_collider_geometry_bounds(const sn_collider_def *def) {
    double x = (double)def->extent.x, y = (double)def->extent.y, z = (double)def->extent.z;
    double r = (double)def->radius;
    switch (def->shape) {
    case SN_SHAPE_PLANE:
        return box_about(INFINITY, INFINITY, INFINITY);
    case SN_SHAPE_SPHERE:
        return box_about(r, r, r);
    case SN_SHAPE_CAPSULE:
        return box_about(r, y + r, r);
    case SN_SHAPE_BOX:
        return box_about(x + r, y + r, z + r);
    case SN_SHAPE_CYLINDER:
        return box_about(r, y, r);
    default:
        return def->form->bounds;
    }
}

static sn_bounds grown(sn_bounds box, double by) {
    sn_point more = {by, by, by};
    return (sn_bounds){sn_point_sub(box.low, more), sn_point_add(box.high, more)};
}

/* ---- Meshes ---- */

static void *copy_of(sn_memory *memory, const void *from, size_t count, size_t element) {
    void *copy = sn_allocate(memory, count, element);
    if (copy && count > 0) memcpy(copy, from, count * element);
    return copy;
}

static sn_result check_vertices(const sn_geometry *g, size_t least) {
    if (g->vertex_count < least || !g->vertices)
        return sn_fail(SN_ERROR_VALUE, "collider: there are %zu vertices, expected at least %zu",
                       g->vertices ? g->vertex_count : 0, least);
    if (g->vertex_count > (size_t)1 << 30)
        return sn_fail(SN_ERROR_LIMIT, "collider: there are %zu vertices, expected at most 2^30",
                       g->vertex_count);
    return SN_OK;
}

/* The geometry as a mesh, whose arrays are only read. */
static sn_mesh mesh_of(const sn_memory *memory, const sn_geometry *g) {
    sn_mesh mesh = sn_mesh_default();
    mesh.positions = (sn_vec3 *)(uintptr_t)g->vertices;
    mesh.vertex_count = g->vertex_count;
    mesh.triangles = (uint32_t(*)[3])(uintptr_t)g->triangles;
    mesh.triangle_count = g->triangle_count;
    mesh.allocator = memory->allocator;
    return mesh;
}

static sn_result check_mesh(const sn_memory *memory, const sn_geometry *g, bool closed) {
    SN_TRY(check_vertices(g, 1));
    if (g->triangle_count == 0 || !g->triangles)
        return sn_fail(SN_ERROR_VALUE, "collider: there are no triangles, expected at least one");
    sn_mesh mesh = mesh_of(memory, g);
    sn_result result = sn_mesh_expect_sound(&mesh);
    if (result != SN_OK) return sn_fail_within(result, "collider");
    if (!closed) return SN_OK;
    result = sn_solid_expect("the mesh", &mesh);
    if (result == SN_ERROR_MEMORY) return result;
    return result == SN_OK ? SN_OK : sn_fail_within(result, "collider");
}

static sn_result make_mesh(sn_memory *memory, sn_collider_geometry *form, sn_collider_def *def) {
    sn_geometry *g = &def->geometry;
    SN_TRY(check_mesh(memory, g, !g->two_sided));
    if (g->two_sided && !(def->radius > 0))
        return sn_fail(SN_ERROR_VALUE,
                       "collider: the radius of a two-sided mesh is %g, expected above 0 m",
                       (double)def->radius);
    SN_TRY(sn_boundary_create(&form->boundary, memory, g->vertices, g->vertex_count, g->triangles,
                              g->triangle_count));
    g->vertices = form->boundary.vertices;
    g->triangles = (const uint32_t(*)[3])form->boundary.triangles;
    form->bounds = grown(form->boundary.bvh.nodes[0].bounds, (double)def->radius);
    return SN_OK;
}

bool sn_collider_geometry_send(sn_memory *memory, sn_collider_def *def, const sn_vec3 *targets) {
    sn_collider_geometry *form = (sn_collider_geometry *)(uintptr_t)def->form;
    if (!sn_boundary_send(&form->boundary, memory, targets)) return false;
    form->bounds = grown(form->boundary.bvh.nodes[0].bounds, (double)def->radius);
    return true;
}

void sn_collider_geometry_arrive(sn_collider_def *def) {
    sn_collider_geometry *form = (sn_collider_geometry *)(uintptr_t)def->form;
    if (!form || !form->boundary.moves) return;
    sn_boundary_arrive(&form->boundary);
    form->bounds = grown(form->boundary.bvh.nodes[0].bounds, (double)def->radius);
}

/* ---- Hulls ---- */

static sn_result make_hull(sn_memory *memory, sn_collider_geometry *form, sn_collider_def *def) {
    sn_geometry *g = &def->geometry;
    SN_TRY(check_vertices(g, 4));
    sn_geometry cloud = {.vertices = g->vertices, .vertex_count = g->vertex_count};
    sn_mesh mesh = mesh_of(memory, &cloud);
    sn_result result = sn_mesh_expect_sound(&mesh);
    if (result != SN_OK) return sn_fail_within(result, "collider");
    sn_hull hull;
    SN_TRY(sn_hull_create(&hull, memory, "collider", g->vertices, g->vertex_count));
    result = sn_boundary_create(&form->boundary, memory, hull.vertices, hull.vertex_count,
                                (const uint32_t(*)[3])hull.triangles, hull.triangle_count);
    sn_hull_free(&hull, memory);
    if (result != SN_OK) return result;
    form->vertices = copy_of(memory, g->vertices, g->vertex_count, sizeof *g->vertices);
    if (!form->vertices) return SN_ERROR_MEMORY;
    form->vertex_count = g->vertex_count;
    g->vertices = form->vertices;
    form->bounds = grown(form->boundary.bvh.nodes[0].bounds, (double)def->radius);
    return SN_OK;
}

/* ---- Distance fields ---- */

static sn_result copy_field(sn_memory *memory, sn_collider_geometry *form, const sn_sdf *sdf) {
    sn_sdf_view view;
    sn_field_grid *grid = &form->grid;
    SN_TRY(sn_sdf_get(sdf, &view));
    *grid = (sn_field_grid){.low = sn_point_of(view.low), .spacing = (double)view.spacing};
    grid->count = (size_t)view.points[0] * view.points[1] * view.points[2];
    for (int k = 0; k < 3; k++) grid->points[k] = view.points[k];
    grid->values = copy_of(memory, view.values, grid->count, sizeof *grid->values);
    return grid->values ? SN_OK : SN_ERROR_MEMORY;
}

static sn_result make_field(sn_memory *memory, sn_collider_geometry *form, sn_collider_def *def) {
    sn_geometry *g = &def->geometry;
    SN_TRY(check_mesh(memory, g, true));
    sn_mesh mesh = mesh_of(memory, g);
    sn_sdf_def how = sn_sdf_def_default();
    how.spacing = g->spacing;
    sn_sdf *sdf;
    sn_result result = sn_sdf_create(&mesh, &how, &sdf);
    if (result == SN_ERROR_MEMORY) return result;
    if (result != SN_OK) return sn_fail_within(result, "collider");
    result = copy_field(memory, form, sdf);
    sn_sdf_free(sdf);
    if (result != SN_OK) return result;
    SN_TRY(sn_boundary_create(&form->boundary, memory, g->vertices, g->vertex_count, g->triangles,
                              g->triangle_count));
    g->vertices = form->boundary.vertices;
    g->triangles = (const uint32_t(*)[3])form->boundary.triangles;
    /* The surface of the grid is somewhere else by less than a cell. */
    form->bounds =
        grown(form->boundary.bvh.nodes[0].bounds, (double)def->radius + 2 * form->grid.spacing);
    form->interpolated = true;
    return SN_OK;
}

/* ---- Heights ---- */

static sn_result check_heights(const sn_collider_def *def) {
    const sn_geometry *g = &def->geometry;
    double points = (double)g->points[0] * (double)g->points[1];
    if (g->points[0] < 2 || g->points[1] < 2 || !g->heights)
        return sn_fail(SN_ERROR_VALUE,
                       "collider: there are %u by %u heights, expected at least 2 by 2",
                       g->heights ? g->points[0] : 0, g->heights ? g->points[1] : 0);
    if (!(points <= 1 << 28))
        return sn_fail(SN_ERROR_LIMIT,
                       "collider: there are %u by %u heights, expected at most 2^28 in all",
                       g->points[0], g->points[1]);
    if (!(def->extent.x > 0 && def->extent.z > 0))
        return sn_fail(SN_ERROR_VALUE,
                       "collider: the extent of heights is %g by %g, expected above 0 m",
                       (double)def->extent.x, (double)def->extent.z);
    for (size_t i = 0; i < (size_t)points; i++)
        if (!isfinite(g->heights[i]))
            return sn_fail(SN_ERROR_VALUE, "collider: height %zu is %g, expected a finite number",
                           i, (double)g->heights[i]);
    return SN_OK;
}

/* Vertices at the points, and two triangles between four, facing up. */
static void spread_heights(const sn_collider_def *def, sn_vec3 *x, uint32_t (*t)[3]) {
    const sn_geometry *g = &def->geometry;
    uint32_t columns = g->points[0], rows = g->points[1];
    double ex = (double)def->extent.x, ez = (double)def->extent.z;
    for (uint32_t j = 0; j < rows; j++)
        for (uint32_t i = 0; i < columns; i++) {
            uint32_t at = j * columns + i;
            x[at] = (sn_vec3){(sn_real)(ex * (2.0 * i / (columns - 1) - 1)), g->heights[at],
                              (sn_real)(ez * (2.0 * j / (rows - 1) - 1))};
            if (i + 1 == columns || j + 1 == rows) continue;
            uint32_t right = at + 1, front = at + columns;
            uint32_t *first = t[2 * (j * (columns - 1) + i)], *second = first + 3;
            first[0] = at, first[1] = front, first[2] = right;
            second[0] = right, second[1] = front, second[2] = front + 1;
        }
}

static sn_result make_heights(sn_memory *memory, sn_collider_geometry *form, sn_collider_def *def) {
    SN_TRY(check_heights(def));
    sn_geometry *g = &def->geometry;
    size_t count = (size_t)g->points[0] * g->points[1];
    size_t triangles = 2 * (size_t)(g->points[0] - 1) * (g->points[1] - 1);
    form->heights = copy_of(memory, g->heights, count, sizeof *g->heights);
    if (!form->heights) return SN_ERROR_MEMORY;
    form->height_count = count;
    sn_vec3 *x = sn_allocate(memory, count, sizeof *x);
    uint32_t(*t)[3] = sn_allocate(memory, triangles, sizeof *t);
    sn_result result = x && t ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        spread_heights(def, x, t);
        result = sn_boundary_create(&form->boundary, memory, x, count, (const uint32_t(*)[3])t,
                                    triangles);
    }
    sn_free(memory, x, count, sizeof *x);
    sn_free(memory, t, triangles, sizeof *t);
    if (result != SN_OK) return result;
    g->heights = form->heights;
    form->bounds = grown(form->boundary.bvh.nodes[0].bounds, (double)def->radius);
    form->bounds.low.y = -INFINITY;
    return SN_OK;
}

/* ---- All of them ---- */

/* Leaves out of a definition what its shape has no use for, so that no array is kept that is not a
   copy. */
static void trim(sn_collider_def *def) {
    sn_geometry *g = &def->geometry;
    bool mesh = def->shape == SN_SHAPE_MESH, field = def->shape == SN_SHAPE_SDF;
    sn_geometry used = {.spacing = field ? g->spacing : SN_AUTO, .two_sided = mesh && g->two_sided};
    if (mesh || field || def->shape == SN_SHAPE_HULL) {
        used.vertices = g->vertices;
        used.vertex_count = g->vertex_count;
    }
    if (mesh || field) {
        used.triangles = g->triangles;
        used.triangle_count = g->triangle_count;
    }
    if (def->shape == SN_SHAPE_HEIGHTS) {
        used.heights = g->heights;
        used.points[0] = g->points[0];
        used.points[1] = g->points[1];
    }
    *g = used;
    if (def->shape == SN_SHAPE_COMPOUND) return;
    def->parts = NULL;
    def->part_count = 0;
}

sn_result sn_collider_geometry_create(sn_memory *memory, sn_collider_def *def) {
    typedef sn_result maker(sn_memory * memory, sn_collider_geometry * form, sn_collider_def * def);
    static maker *const table[] = {make_mesh, make_hull, make_field, make_heights,
                                   sn_collider_geometry_make_parts};
    sn_collider_def made = *def;
    made.form = NULL;
    trim(&made);
    if (sn_collider_geometry_is_needed(def->shape)) {
        sn_collider_geometry *form = sn_allocate(memory, 1, sizeof *form);
        if (!form) return SN_ERROR_MEMORY;
        sn_result result = table[def->shape - SN_SHAPE_MESH](memory, form, &made);
        if (result != SN_OK) {
            sn_collider_geometry_free(memory, form);
            return result;
        }
        made.form = form;
    }
    *def = made;
    return SN_OK;
}
