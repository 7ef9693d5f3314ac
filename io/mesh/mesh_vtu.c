/* VTU, written with arrays in base64, as every version of ParaView reads them. */
#include "io/mesh/mesh_vtu.h"

#include "io/mesh/mesh_write.h"

#include <sinew/support.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_LINE = 3, CELL_TRIANGLE = 5, CELL_TET = 10, KINDS = 3 };

/* Elements of one kind. */
typedef struct vtu_kind {
    const uint32_t *corners;
    size_t count, width;
    uint8_t type;
} vtu_kind;

void sn_vtu_write_name(sn_io_out *out, const char *text) {
    for (; *text; text++) {
        const char *escape = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (escape)
            sn_io_out_text(out, escape);
        else
            sn_io_out_u8(out, (uint8_t)((unsigned char)*text < ' ' ? '_' : *text));
    }
}

void sn_vtu_begin_array(sn_io_out *out, const char *type, const char *name, int components,
                        uint64_t bytes) {
    sn_io_out_printf(out, "        <DataArray type=\"%s\" Name=\"", type);
    sn_vtu_write_name(out, name);
    sn_io_out_printf(out, "\" NumberOfComponents=\"%d\" format=\"binary\">", components);
    sn_io_out_begin_base64(out);
    sn_io_out_u64(out, bytes);
}

void sn_vtu_end_array(sn_io_out *out) {
    sn_io_out_end_base64(out);
    sn_io_out_text(out, "</DataArray>\n");
}

void sn_vtu_write_group(sn_io_out *out, const char *name, const uint8_t *marks, size_t count) {
    sn_vtu_begin_array(out, "UInt8", name, 1, count);
    for (size_t i = 0; i < count; i++) sn_io_out_u8(out, marks[i]);
    sn_vtu_end_array(out);
}

/* So many numbers of each point; none where they are null. */
static void write_numbers(sn_io_out *out, const char *name, const sn_real *numbers, int width,
                          size_t points) {
    size_t count = numbers ? points * (size_t)width : 0;
    if (!numbers) return;
    sn_vtu_begin_array(out, sizeof(sn_real) == 8 ? "Float64" : "Float32", name, width,
                       count * (uint64_t)sizeof(sn_real));
    for (size_t i = 0; i < count; i++) sn_io_out_wide(out, numbers[i]);
    sn_vtu_end_array(out);
}

/* What points have by the names that frames use; groups are arrays that are 0 or 1. */
static sn_result write_data(sn_io_out *out, const sn_io_write_def *def, const sn_mesh *mesh) {
    if (mesh->group_count == 0 && !def->uvs && !def->colours) return SN_OK;
    uint8_t *is_member = malloc(mesh->vertex_count + 1);
    if (!is_member) return sn_fail(SN_ERROR_MEMORY, "no memory for a group");
    sn_io_out_text(out, "      <PointData>\n");
    write_numbers(out, "uv", (const sn_real *)def->uvs, 2, mesh->vertex_count);
    write_numbers(out, "colour", (const sn_real *)def->colours, 3, mesh->vertex_count);
    for (const sn_mesh_group *g = mesh->groups; g < mesh->groups + mesh->group_count; g++) {
        memset(is_member, 0, mesh->vertex_count + 1);
        for (size_t k = 0; k < g->count; k++) is_member[g->vertices[k]] = 1;
        sn_vtu_write_group(out, g->name, is_member, mesh->vertex_count);
    }
    sn_io_out_text(out, "      </PointData>\n");
    free(is_member);
    return SN_OK;
}

static void write_cells(sn_io_out *out, const vtu_kind kinds[KINDS], uint64_t cells,
                        uint64_t corners) {
    uint64_t offset = 0;
    sn_vtu_begin_array(out, "Int64", "connectivity", 1, 8 * corners);
    for (int k = 0; k < KINDS; k++)
        for (size_t i = 0; i < kinds[k].count * kinds[k].width; i++)
            sn_io_out_u64(out, kinds[k].corners[i]);
    sn_vtu_end_array(out);
    sn_vtu_begin_array(out, "Int64", "offsets", 1, 8 * cells);
    for (int k = 0; k < KINDS; k++)
        for (size_t i = 0; i < kinds[k].count; i++) sn_io_out_u64(out, offset += kinds[k].width);
    sn_vtu_end_array(out);
    sn_vtu_begin_array(out, "UInt8", "types", 1, cells);
    for (int k = 0; k < KINDS; k++)
        for (size_t i = 0; i < kinds[k].count; i++) sn_io_out_u8(out, kinds[k].type);
    sn_vtu_end_array(out);
}

sn_result sn_write_vtu(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    const vtu_kind kinds[KINDS] = {
        {(uint32_t *)mesh->lines, mesh->line_count, 2, CELL_LINE},
        {(uint32_t *)mesh->triangles, mesh->triangle_count, 3, CELL_TRIANGLE},
        {(uint32_t *)mesh->tets, mesh->tet_count, 4, CELL_TET},
    };
    sn_io_file file;
    sn_io_out out;
    SN_TRY(sn_io_file_open(&file, path));
    uint64_t cells = 0, corners = 0;
    for (int k = 0; k < KINDS; k++) {
        cells += kinds[k].count;
        corners += (uint64_t)kinds[k].count * kinds[k].width;
    }
    sn_io_out_open(&out, file.stream);
    sn_io_out_printf(&out,
                     "<?xml version=\"1.0\"?>\n"
                     "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\""
                     " byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                     "  <UnstructuredGrid>\n"
                     "    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%" PRIu64 "\">\n",
                     mesh->vertex_count, cells);
    sn_result result = write_data(&out, def, mesh);
    sn_io_out_text(&out, "      <Points>\n");
    static const sn_real none[3] = {0};
    const sn_real *points = mesh->positions ? &mesh->positions->x : none;
    write_numbers(&out, "Points", points, 3, mesh->vertex_count);
    sn_io_out_text(&out, "      </Points>\n      <Cells>\n");
    write_cells(&out, kinds, cells, corners);
    sn_io_out_text(&out, "      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n");
    sn_io_out_flush(&out);
    if (result == SN_OK) return sn_io_file_close(&file);
    sn_io_file_discard(&file);
    return result;
}
