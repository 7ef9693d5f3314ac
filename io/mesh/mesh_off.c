/* OFF, written. */
#include "io/mesh/mesh_write.h"

#include <sinew/support.h>

sn_result sn_write_off(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    (void)def;
    sn_io_file file;
    SN_TRY(sn_io_file_open(&file, path));
    fprintf(file.stream, "OFF\n%zu %zu 0\n", mesh->vertex_count, mesh->triangle_count);
    sn_write_points(file.stream, "", mesh, "");
    sn_write_elements(file.stream, "3 ", (uint32_t *)mesh->triangles, mesh->triangle_count, 3, 0,
                      "");
    return sn_io_file_close(&file);
}
