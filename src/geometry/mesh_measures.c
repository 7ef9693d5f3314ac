/* Normals, areas, volumes and bounds, all summed in double. */
#include "base/error.h"
#include "geometry/mesh_access.h"
#include "math/angle.h"

static sn_result expect_result(const void *result, const char *what) {
    if (!result) return sn_fail(SN_ERROR_NULL, "mesh: where to write the %s is null", what);
    return SN_OK;
}

static sn_point triangle_normal(const sn_mesh *mesh, size_t t) {
    const uint32_t *v = mesh->triangles[t];
    return sn_point_normal(sn_mesh_point(mesh, v[0]), sn_mesh_point(mesh, v[1]),
                           sn_mesh_point(mesh, v[2]));
}

/* Adds the normal of a triangle to its corners, each time as much as the angle there: the sum does
   not depend on how flat parts are cut into triangles. */
static void add_normal(const sn_mesh *mesh, size_t t, sn_point *sum) {
    const uint32_t *v = mesh->triangles[t];
    sn_point normal = triangle_normal(mesh, t);
    double length = sn_point_length(normal);
    if (!(length > 0)) return;
    for (int k = 0; k < 3; k++) {
        sn_point x = sn_mesh_point(mesh, v[k]);
        sn_point a = sn_point_sub(sn_mesh_point(mesh, v[(k + 1) % 3]), x);
        sn_point b = sn_point_sub(sn_mesh_point(mesh, v[(k + 2) % 3]), x);
        double angle = sn_angle(sn_point_dot(a, b), length);
        sum[v[k]] = sn_point_add(sum[v[k]], sn_point_scaled(normal, angle / length));
    }
}

sn_result sn_mesh_normals(const sn_mesh *mesh, sn_vec3 *normals) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    SN_TRY(expect_result(normals, "normals"));
    sn_memory memory = sn_mesh_memory(mesh);
    sn_point *sum = sn_allocate(&memory, mesh->vertex_count, sizeof *sum);
    if (!sum) return SN_ERROR_MEMORY;
    for (size_t t = 0; t < mesh->triangle_count; t++) add_normal(mesh, t, sum);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double length = sn_point_length(sum[i]);
        normals[i] = sn_point_vec3(sn_point_scaled(sum[i], length > 0 ? 1 / length : 0));
    }
    sn_free(&memory, sum, mesh->vertex_count, sizeof *sum);
    return SN_OK;
}

sn_result sn_mesh_area(const sn_mesh *mesh, double *area) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    SN_TRY(expect_result(area, "area"));
    double sum = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        sum += sn_point_length(triangle_normal(mesh, t)) / 2;
    *area = sum;
    return SN_OK;
}

sn_result sn_mesh_volume(const sn_mesh *mesh, double *volume) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    SN_TRY(expect_result(volume, "volume"));
    double sum = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        /* About a vertex of the mesh, so that one far away loses nothing. */
        const uint32_t *v = mesh->triangles[t];
        sn_point o = sn_mesh_point(mesh, mesh->triangles[0][0]);
        sum += sn_point_det(o, sn_mesh_point(mesh, v[0]), sn_mesh_point(mesh, v[1]),
                            sn_mesh_point(mesh, v[2])) /
               6;
    }
    *volume = sum;
    return SN_OK;
}

static double tet_volume(const sn_mesh *mesh, size_t t) {
    const uint32_t *v = mesh->tets[t];
    return sn_point_det(sn_mesh_point(mesh, v[0]), sn_mesh_point(mesh, v[1]),
                        sn_mesh_point(mesh, v[2]), sn_mesh_point(mesh, v[3])) /
           6;
}

sn_result sn_mesh_tet_volume(const sn_mesh *mesh, double *volume) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    SN_TRY(expect_result(volume, "volume"));
    double sum = 0;
    for (size_t t = 0; t < mesh->tet_count; t++) sum += tet_volume(mesh, t);
    *volume = sum;
    return SN_OK;
}

sn_result sn_mesh_tet_volumes(const sn_mesh *mesh, sn_real *volumes) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    SN_TRY(expect_result(volumes, "volumes"));
    for (size_t t = 0; t < mesh->tet_count; t++) volumes[t] = (sn_real)tet_volume(mesh, t);
    return SN_OK;
}

sn_result sn_mesh_bounds(const sn_mesh *mesh, sn_vec3 *low, sn_vec3 *high) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    SN_TRY(expect_result(low, "lower bound"));
    SN_TRY(expect_result(high, "upper bound"));
    if (mesh->vertex_count == 0)
        return sn_fail(SN_ERROR_VALUE, "mesh: it has no vertices, and so no bounds");
    sn_vec3 a = mesh->positions[0], b = a;
    for (size_t i = 1; i < mesh->vertex_count; i++) {
        sn_vec3 x = mesh->positions[i];
        a = (sn_vec3){x.x < a.x ? x.x : a.x, x.y < a.y ? x.y : a.y, x.z < a.z ? x.z : a.z};
        b = (sn_vec3){x.x > b.x ? x.x : b.x, x.y > b.y ? x.y : b.y, x.z > b.z ? x.z : b.z};
    }
    *low = a;
    *high = b;
    return SN_OK;
}
