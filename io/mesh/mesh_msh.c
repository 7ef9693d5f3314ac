/*
 * Gmsh .msh of version 2.2, written as text. A group is a physical group of points, one point
 * element for each of its vertices.
 */
#include "io/mesh/mesh_write.h"

#include <sinew/support.h>

#include <inttypes.h>
#include <string.h>

static sn_result check_names(const sn_mesh *mesh, const char *path) {
    for (size_t i = 0; i < mesh->group_count; i++)
        if (strpbrk(mesh->groups[i].name, "\"\r\n"))
            return sn_fail(SN_ERROR_VALUE,
                           "cannot write \"%.256s\": the name of group \"%.64s\" has a quote or a "
                           "line break, which msh cannot hold",
                           path, mesh->groups[i].name);
    return SN_OK;
}

static void write_names(FILE *stream, const sn_mesh *mesh) {
    if (mesh->group_count == 0) return;
    fprintf(stream, "$PhysicalNames\n%zu\n", mesh->group_count);
    for (size_t i = 0; i < mesh->group_count && !ferror(stream); i++)
        fprintf(stream, "0 %zu \"%s\"\n", i + 1, mesh->groups[i].name);
    fputs("$EndPhysicalNames\n", stream);
}

/* Elements of one type, the first of which has this number; two tags: physical and elementary. */
static size_t write_type(FILE *stream, size_t number, int type, size_t physical,
                         const uint32_t *corners, size_t count, size_t width) {
    for (size_t i = 0; i < count && !ferror(stream); i++) {
        fprintf(stream, "%zu %d 2 %zu 1 ", number++, type, physical);
        sn_write_elements(stream, "", corners + width * i, 1, width, 1, "");
    }
    return number;
}

sn_result sn_write_msh(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    (void)def;
    sn_io_file file;
    SN_TRY(check_names(mesh, path));
    SN_TRY(sn_io_file_open(&file, path));
    FILE *stream = file.stream;
    fputs("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", stream);
    write_names(stream, mesh);
    fprintf(stream, "$Nodes\n%zu\n", mesh->vertex_count);
    for (size_t i = 0; i < mesh->vertex_count && !ferror(stream); i++) {
        const sn_mesh one = {.vertex_count = 1, .positions = &mesh->positions[i]};
        fprintf(stream, "%zu ", i + 1);
        sn_write_points(stream, "", &one, "");
    }
    size_t count = mesh->line_count + mesh->triangle_count + mesh->tet_count, number = 1;
    for (size_t i = 0; i < mesh->group_count; i++) count += mesh->groups[i].count;
    fprintf(stream, "$EndNodes\n$Elements\n%zu\n", count);
    for (size_t i = 0; i < mesh->group_count; i++) {
        const sn_mesh_group *group = &mesh->groups[i];
        number = write_type(stream, number, 15, i + 1, group->vertices, group->count, 1);
    }
    number = write_type(stream, number, 1, 0, (uint32_t *)mesh->lines, mesh->line_count, 2);
    number = write_type(stream, number, 2, 0, (uint32_t *)mesh->triangles, mesh->triangle_count, 3);
    (void)write_type(stream, number, 4, 0, (uint32_t *)mesh->tets, mesh->tet_count, 4);
    fputs("$EndElements\n", stream);
    return sn_io_file_close(&file);
}
