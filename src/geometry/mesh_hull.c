/* The convex hull of points as a part of a mesh. */
#include "geometry/mesh_access.h"

#include "base/error.h"
#include "geometry/convex_hull.h"

#include <math.h>

static sn_result expect_finite(const sn_vec3 *points, size_t count) {
    if (count > 0 && !points) return sn_fail(SN_ERROR_NULL, "mesh: points is null");
    for (size_t i = 0; i < count; i++) {
        sn_vec3 x = points[i];
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
            return sn_fail(SN_ERROR_VALUE,
                           "mesh: point %zu is at %g %g %g, expected finite numbers", i,
                           (double)x.x, (double)x.y, (double)x.z);
    }
    return SN_OK;
}

/* Triangles of the hull count its own vertices. There is room for all. */
static sn_result add(sn_mesh *mesh, const sn_hull *hull) {
    uint32_t first = (uint32_t)mesh->vertex_count;
    SN_TRY(sn_mesh_reserve(
        mesh, (sn_mesh_room){.vertices = hull->vertex_count, .triangles = hull->triangle_count}));
    SN_TRY(sn_mesh_add_vertices(mesh, hull->vertices, hull->vertex_count));
    for (size_t i = 0; i < hull->triangle_count; i++)
        for (int k = 0; k < 3; k++) hull->triangles[i][k] += first;
    return sn_mesh_add_triangles(mesh, (const uint32_t(*)[3])hull->triangles, hull->triangle_count);
}

sn_result sn_mesh_add_hull(sn_mesh *mesh, const sn_vec3 *points, size_t count) {
    SN_TRY(sn_mesh_expect(mesh));
    SN_TRY(expect_finite(points, count));
    if (count == 0) return sn_fail(SN_ERROR_DEGENERATE, "hull: there are no points");
    sn_memory memory = sn_mesh_memory(mesh);
    sn_hull hull;
    SN_TRY(sn_hull_create(&hull, &memory, "hull", points, count));
    sn_result result = add(mesh, &hull);
    sn_hull_free(&hull, &memory);
    return result;
}
