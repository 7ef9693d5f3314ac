/* Medit .mesh, written. */
#include "io/mesh/mesh_write.h"

#include <sinew/support.h>

static void write_section(FILE *stream, const char *word, const uint32_t *corners, size_t count,
                          size_t width) {
    if (count == 0) return;
    fprintf(stream, "%s\n%zu\n", word, count);
    sn_write_elements(stream, "", corners, count, width, 1, " 0");
}

sn_result sn_write_medit(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    (void)def;
    sn_io_file file;
    SN_TRY(sn_io_file_open(&file, path));
    /* Version 1 has floats, version 2 doubles. */
    fprintf(file.stream, "MeshVersionFormatted %d\nDimension 3\nVertices\n%zu\n",
            sizeof(sn_real) == 8 ? 2 : 1, mesh->vertex_count);
    sn_write_points(file.stream, "", mesh, " 0");
    write_section(file.stream, "Edges", (uint32_t *)mesh->lines, mesh->line_count, 2);
    write_section(file.stream, "Triangles", (uint32_t *)mesh->triangles, mesh->triangle_count, 3);
    write_section(file.stream, "Tetrahedra", (uint32_t *)mesh->tets, mesh->tet_count, 4);
    fputs("End\n", file.stream);
    return sn_io_file_close(&file);
}
