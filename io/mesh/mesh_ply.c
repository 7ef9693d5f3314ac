/* PLY, written. */
#include "io/mesh/mesh_write.h"

#include <sinew/support.h>

static void write_header(FILE *stream, const sn_mesh *mesh, bool is_text) {
    const char *real = sizeof(sn_real) == 8 ? "double" : "float";
    /* Signed where it is enough: many programs know nothing else. */
    const char *index = mesh->vertex_count > INT32_MAX ? "uint" : "int";
    fprintf(stream, "ply\nformat %s 1.0\nelement vertex %zu\n",
            is_text ? "ascii" : "binary_little_endian", mesh->vertex_count);
    fprintf(stream, "property %s x\nproperty %s y\nproperty %s z\n", real, real, real);
    if (mesh->triangle_count > 0)
        fprintf(stream, "element face %zu\nproperty list uchar %s vertex_indices\n",
                mesh->triangle_count, index);
    if (mesh->line_count > 0)
        fprintf(stream, "element edge %zu\nproperty %s vertex1\nproperty %s vertex2\n",
                mesh->line_count, index, index);
    if (mesh->tet_count > 0)
        fprintf(stream, "element tet %zu\nproperty list uchar %s vertex_indices\n", mesh->tet_count,
                index);
    fputs("end_header\n", stream);
}

static void write_binary(FILE *stream, const uint32_t *corners, size_t count, size_t width,
                         bool is_list) {
    for (size_t i = 0; i < count && !ferror(stream); i++) {
        if (is_list) putc((int)width, stream);
        for (size_t k = 0; k < width; k++) sn_write_u32(stream, corners[width * i + k]);
    }
}

sn_result sn_write_ply(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    sn_io_file file;
    SN_TRY(sn_io_file_open(&file, path));
    FILE *stream = file.stream;
    const uint32_t *triangles = (uint32_t *)mesh->triangles, *tets = (uint32_t *)mesh->tets,
                   *lines = (uint32_t *)mesh->lines;
    write_header(stream, mesh, def->text);
    if (def->text) {
        sn_write_points(stream, "", mesh, "");
        sn_write_elements(stream, "3 ", triangles, mesh->triangle_count, 3, 0, "");
        sn_write_elements(stream, "", lines, mesh->line_count, 2, 0, "");
        sn_write_elements(stream, "4 ", tets, mesh->tet_count, 4, 0, "");
    } else {
        sn_write_positions(stream, mesh);
        write_binary(stream, triangles, mesh->triangle_count, 3, true);
        write_binary(stream, lines, mesh->line_count, 2, false);
        write_binary(stream, tets, mesh->tet_count, 4, true);
    }
    return sn_io_file_close(&file);
}
