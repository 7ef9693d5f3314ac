/* What colliders look like: meshes in their frames. */
#include <sinew_io/frame.h>

#include "io/scene/point.h"

#include <sinew/generate.h>
#include <sinew/support.h>

/* A ball whose halves are moved apart. */
static sn_result make_capsule(const sn_collider_def *def, sn_mesh *mesh) {
    sn_sphere_def sphere = sn_sphere_def_default();
    sphere.radius = def->radius;
    SN_TRY(sn_generate_sphere(mesh, &sphere));
    for (size_t i = 0; i < mesh->vertex_count; i++)
        mesh->positions[i].y += mesh->positions[i].y < 0 ? -def->extent.y : def->extent.y;
    return SN_OK;
}

/* Parts of the round of a box, in each of which it turns by an eighth of a right angle: tangents of
   that, of the angle from the middle of the round. */
enum { ROUND = 4 };
static const double round_tangent[ROUND + 1] = {0, 0.198912367, 0.414213562, 0.668178638, 1};

/* Of a vertex of the box with 2 ROUND + 1 cells of 1 m along each edge: within the round, so that
   its direction from the flat part is that of an even division. */
static double box_place(sn_real x, double extent, double radius) {
    double sign = x < 0 ? -1 : 1, beyond = sign * (double)x - 0.5;
    return sign * (extent + radius * round_tangent[(int)(beyond + 0.5)]);
}

static double limited(double x, double most) {
    return x < -most ? -most : x > most ? most : x;
}

static sn_result make_box(const sn_collider_def *def, sn_mesh *mesh) {
    sn_box_def box = sn_box_def_default();
    double r = (double)def->radius;
    sn_io_point e = sn_io_point_of(def->extent);
    bool rounded = r > 0;
    for (int k = 0; k < 3; k++) box.cells[k] = rounded ? 2 * ROUND + 1 : 1;
    box.extent = rounded ? (sn_vec3){2 * ROUND + 1, 2 * ROUND + 1, 2 * ROUND + 1}
                         : (sn_vec3){2 * def->extent.x, 2 * def->extent.y, 2 * def->extent.z};
    SN_TRY(sn_generate_box(mesh, &box));
    for (size_t i = 0; i < mesh->vertex_count && rounded; i++) {
        sn_vec3 *v = &mesh->positions[i];
        sn_io_point x = {box_place(v->x, e.x, r), box_place(v->y, e.y, r), box_place(v->z, e.z, r)};
        sn_io_point flat = {limited(x.x, e.x), limited(x.y, e.y), limited(x.z, e.z)};
        sn_io_point away = sn_io_point_sub(x, flat);
        double longer = r / sn_io_point_length(away);
        *v = sn_io_point_vec3((sn_io_point){flat.x + longer * away.x, flat.y + longer * away.y,
                                            flat.z + longer * away.z});
    }
    return SN_OK;
}

static sn_result make_arrays(const sn_geometry *g, sn_mesh *mesh) {
    SN_TRY(sn_mesh_add_vertices(mesh, g->vertices, g->vertex_count));
    return sn_mesh_add_triangles(mesh, g->triangles, g->triangle_count);
}

static sn_result make_heights(const sn_collider_def *def, sn_mesh *mesh) {
    const sn_geometry *g = &def->geometry;
    sn_grid_def grid = sn_grid_def_default();
    grid.width = 2 * def->extent.x;
    grid.depth = 2 * def->extent.z;
    grid.columns = g->points[0] - 1;
    grid.rows = g->points[1] - 1;
    SN_TRY(sn_generate_grid(mesh, &grid));
    /* By place, whatever the order of the vertices is. */
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_vec3 *x = &mesh->positions[i];
        double u = ((double)x->x / (double)def->extent.x + 1) / 2 * (g->points[0] - 1);
        double v = ((double)x->z / (double)def->extent.z + 1) / 2 * (g->points[1] - 1);
        x->y = g->heights[(size_t)(v + 0.5) * g->points[0] + (size_t)(u + 0.5)];
    }
    return SN_OK;
}

static sn_result make_shape(const sn_collider_def *def, sn_mesh *mesh);

static sn_result make_part(const sn_collider_part *part, sn_mesh *mesh) {
    sn_mesh own = sn_mesh_default();
    sn_collider_def def = sn_collider_def_default();
    def.shape = part->shape;
    def.radius = part->radius;
    def.extent = part->extent;
    def.geometry = part->geometry;
    sn_result result = make_shape(&def, &own);
    double q[4] = {(double)part->orientation.x, (double)part->orientation.y,
                   (double)part->orientation.z, (double)part->orientation.w};
    uint32_t first = (uint32_t)mesh->vertex_count;
    for (size_t i = 0; i < own.vertex_count; i++) {
        sn_io_point x = sn_io_point_rotated(q, sn_io_point_of(own.positions[i]));
        own.positions[i] = sn_io_point_vec3(sn_io_point_add(sn_io_point_of(part->position), x));
    }
    for (size_t t = 0; t < own.triangle_count; t++)
        for (int k = 0; k < 3; k++) own.triangles[t][k] += first;
    if (result == SN_OK) result = sn_mesh_add_vertices(mesh, own.positions, own.vertex_count);
    if (result == SN_OK)
        result =
            sn_mesh_add_triangles(mesh, (const uint32_t(*)[3])own.triangles, own.triangle_count);
    sn_mesh_free(&own);
    return result;
}

/* Nothing for a plane: the ground is drawn anyway. */
static sn_result make_shape(const sn_collider_def *def, sn_mesh *mesh) {
    sn_sphere_def sphere = sn_sphere_def_default();
    sn_cylinder_def cylinder = sn_cylinder_def_default();
    switch (def->shape) {
    case SN_SHAPE_SPHERE:
        sphere.radius = def->radius;
        sphere.level = 4;
        return sn_generate_sphere(mesh, &sphere);
    case SN_SHAPE_CAPSULE:
        return make_capsule(def, mesh);
    case SN_SHAPE_BOX:
        return make_box(def, mesh);
    case SN_SHAPE_CYLINDER:
        cylinder.radius = def->radius;
        cylinder.height = 2 * def->extent.y;
        cylinder.segments = 96;
        return sn_generate_cylinder(mesh, &cylinder);
    case SN_SHAPE_MESH:
    case SN_SHAPE_SDF:
        return make_arrays(&def->geometry, mesh);
    case SN_SHAPE_HULL:
        return sn_mesh_add_hull(mesh, def->geometry.vertices, def->geometry.vertex_count);
    case SN_SHAPE_HEIGHTS:
        return make_heights(def, mesh);
    case SN_SHAPE_COMPOUND:
        for (size_t i = 0; i < def->part_count; i++) SN_TRY(make_part(&def->parts[i], mesh));
        return SN_OK;
    default:
        return SN_OK;
    }
}

sn_result sn_io_collider_mesh(const sn_collider_def *def, sn_mesh *mesh) {
    if (!def || !mesh)
        return sn_fail(SN_ERROR_NULL, "collider mesh: %s is null", def ? "mesh" : "def");
    size_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    sn_result result = make_shape(def, mesh);
    if (result != SN_OK) {
        mesh->vertex_count = vertices;
        mesh->triangle_count = triangles;
    }
    return result;
}
