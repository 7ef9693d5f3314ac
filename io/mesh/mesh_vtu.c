/* VTU, written with arrays in base64, as every version of ParaView reads them. */
#include "io/mesh/mesh_write.h"
#include "io/text/out.h"

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

static void begin_array(sn_io_out *out, const char *type, const char *name, const char *more,
                        uint64_t bytes) {
    sn_io_out_printf(out, "        <DataArray type=\"%s\" Name=\"%s\"%s format=\"binary\">", type,
                     name, more);
    sn_io_out_begin_base64(out);
    sn_io_out_u64(out, bytes);
}

static void end_array(sn_io_out *out) {
    sn_io_out_end_base64(out);
    sn_io_out_text(out, "</DataArray>\n");
}

static void write_points(sn_io_out *out, const sn_mesh *mesh) {
    begin_array(out, sizeof(sn_real) == 8 ? "Float64" : "Float32", "Points",
                " NumberOfComponents=\"3\"", mesh->vertex_count * 3 * (uint64_t)sizeof(sn_real));
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_io_out_wide(out, mesh->positions[i].x);
        sn_io_out_wide(out, mesh->positions[i].y);
        sn_io_out_wide(out, mesh->positions[i].z);
    }
    end_array(out);
}

/* A text within quotes, without what means something to XML. */
static void write_quoted(sn_io_out *out, const char *text) {
    for (; *text; text++) {
        bool plain = *text != '&' && *text != '<' && *text != '"' && (unsigned char)*text >= ' ';
        sn_io_out_u8(out, (uint8_t)(plain ? *text : '_'));
    }
}

/* Groups, as arrays of points that are 0 or 1. */
static sn_result write_groups(sn_io_out *out, const sn_mesh *mesh) {
    if (mesh->group_count == 0) return SN_OK;
    uint8_t *is_member = malloc(mesh->vertex_count + 1);
    if (!is_member) return sn_fail(SN_ERROR_MEMORY, "no memory for a group");
    sn_io_out_text(out, "      <PointData>\n");
    for (const sn_mesh_group *g = mesh->groups; g < mesh->groups + mesh->group_count; g++) {
        memset(is_member, 0, mesh->vertex_count + 1);
        for (size_t k = 0; k < g->count; k++) is_member[g->vertices[k]] = 1;
        sn_io_out_text(out, "        <DataArray type=\"UInt8\" Name=\"");
        write_quoted(out, g->name);
        sn_io_out_text(out, "\" format=\"binary\">");
        sn_io_out_begin_base64(out);
        sn_io_out_u64(out, mesh->vertex_count);
        for (size_t i = 0; i < mesh->vertex_count; i++) sn_io_out_u8(out, is_member[i]);
        end_array(out);
    }
    sn_io_out_text(out, "      </PointData>\n");
    free(is_member);
    return SN_OK;
}

static void write_cells(sn_io_out *out, const vtu_kind kinds[KINDS], uint64_t cells,
                        uint64_t corners) {
    uint64_t offset = 0;
    begin_array(out, "Int64", "connectivity", "", 8 * corners);
    for (int k = 0; k < KINDS; k++)
        for (size_t i = 0; i < kinds[k].count * kinds[k].width; i++)
            sn_io_out_u64(out, kinds[k].corners[i]);
    end_array(out);
    begin_array(out, "Int64", "offsets", "", 8 * cells);
    for (int k = 0; k < KINDS; k++)
        for (size_t i = 0; i < kinds[k].count; i++) sn_io_out_u64(out, offset += kinds[k].width);
    end_array(out);
    begin_array(out, "UInt8", "types", "", cells);
    for (int k = 0; k < KINDS; k++)
        for (size_t i = 0; i < kinds[k].count; i++) sn_io_out_u8(out, kinds[k].type);
    end_array(out);
}

sn_result sn_write_vtu(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    (void)def;
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
    sn_result result = write_groups(&out, mesh);
    sn_io_out_text(&out, "      <Points>\n");
    write_points(&out, mesh);
    sn_io_out_text(&out, "      </Points>\n      <Cells>\n");
    write_cells(&out, kinds, cells, corners);
    sn_io_out_text(&out, "      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n");
    sn_io_out_flush(&out);
    if (result == SN_OK) return sn_io_file_close(&file);
    sn_io_file_discard(&file);
    return result;
}
