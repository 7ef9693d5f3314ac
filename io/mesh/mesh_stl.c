/* STL, written in binary. */
#include "io/mesh/mesh_write.h"

#include <sinew/support.h>

#include <math.h>

static void write_facet(FILE *stream, const sn_vec3 corners[3]) {
    double u[3], v[3], normal[3];
    const sn_vec3 a = corners[0], b = corners[1], c = corners[2];
    u[0] = (double)b.x - (double)a.x, v[0] = (double)c.x - (double)a.x;
    u[1] = (double)b.y - (double)a.y, v[1] = (double)c.y - (double)a.y;
    u[2] = (double)b.z - (double)a.z, v[2] = (double)c.z - (double)a.z;
    double squares = 0;
    for (int k = 0; k < 3; k++) {
        int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        normal[k] = u[k1] * v[k2] - u[k2] * v[k1];
        squares += normal[k] * normal[k];
    }
    /* A triangle without area has no normal, and none is what the format says by zeros. */
    double length = sqrt(squares);
    for (int k = 0; k < 3; k++)
        sn_write_f32(stream, length > 0 && length < HUGE_VAL ? (float)(normal[k] / length) : 0);
    for (int k = 0; k < 3; k++) {
        sn_write_f32(stream, (float)corners[k].x);
        sn_write_f32(stream, (float)corners[k].y);
        sn_write_f32(stream, (float)corners[k].z);
    }
    fwrite("\0", 1, 2, stream);
}

sn_result sn_write_stl(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    (void)def;
    /* Not "solid", with which text begins. */
    static const char head[80] = "binary STL, made by Sinew";
    sn_io_file file;
    if (mesh->triangle_count > UINT32_MAX)
        return sn_fail(SN_ERROR_LIMIT,
                       "cannot write \"%.256s\": the mesh has %zu triangles, and stl at most %u",
                       path, mesh->triangle_count, UINT32_MAX);
    SN_TRY(sn_io_file_open(&file, path));
    fwrite(head, 1, sizeof head, file.stream);
    sn_write_u32(file.stream, (uint32_t)mesh->triangle_count);
    for (size_t i = 0; i < mesh->triangle_count && !ferror(file.stream); i++) {
        sn_vec3 corners[3];
        for (int k = 0; k < 3; k++) corners[k] = mesh->positions[mesh->triangles[i][k]];
        write_facet(file.stream, corners);
    }
    return sn_io_file_close(&file);
}
