/* VTU, written with raw arrays behind the XML. */
#include "io/mesh/mesh_write.h"

#include <sinew/support.h>

#include <inttypes.h>

enum { CELL_LINE = 3, CELL_TRIANGLE = 5, CELL_TET = 10, HEAD = 8 };

/* Elements of one kind. */
typedef struct vtu_kind {
    const uint32_t *corners;
    size_t count, width;
    int type;
} vtu_kind;

static uint64_t write_array(FILE *stream, const char *type, const char *name, const char *more,
                            uint64_t offset, uint64_t bytes) {
    fprintf(stream,
            "        <DataArray type=\"%s\" Name=\"%s\"%s format=\"appended\" offset=\"%" PRIu64
            "\"/>\n",
            type, name, more, offset);
    return offset + HEAD + bytes;
}

static void write_xml(FILE *stream, const sn_mesh *mesh, uint64_t cells, uint64_t corners) {
    uint64_t offset = 0;
    fputs("<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\""
          " header_type=\"UInt64\">\n  <UnstructuredGrid>\n",
          stream);
    fprintf(stream, "    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%" PRIu64 "\">\n",
            mesh->vertex_count, cells);
    fputs("      <Points>\n", stream);
    offset = write_array(stream, sizeof(sn_real) == 8 ? "Float64" : "Float32", "Points",
                         " NumberOfComponents=\"3\"", offset,
                         mesh->vertex_count * 3 * (uint64_t)sizeof(sn_real));
    fputs("      </Points>\n      <Cells>\n", stream);
    offset = write_array(stream, "Int64", "connectivity", "", offset, 8 * corners);
    offset = write_array(stream, "Int64", "offsets", "", offset, 8 * cells);
    (void)write_array(stream, "UInt8", "types", "", offset, cells);
    fputs("      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n"
          "  <AppendedData encoding=\"raw\">\n_",
          stream);
}

sn_result sn_write_vtu(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    (void)def;
    const vtu_kind kinds[] = {
        {(uint32_t *)mesh->lines, mesh->line_count, 2, CELL_LINE},
        {(uint32_t *)mesh->triangles, mesh->triangle_count, 3, CELL_TRIANGLE},
        {(uint32_t *)mesh->tets, mesh->tet_count, 4, CELL_TET},
    };
    sn_io_file file;
    SN_TRY(sn_io_file_open(&file, path));
    FILE *stream = file.stream;
    uint64_t cells = 0, corners = 0, offset = 0;
    for (int k = 0; k < 3; k++) {
        cells += kinds[k].count;
        corners += (uint64_t)kinds[k].count * kinds[k].width;
    }
    write_xml(stream, mesh, cells, corners);
    sn_write_u64(stream, mesh->vertex_count * 3 * (uint64_t)sizeof(sn_real));
    sn_write_positions(stream, mesh);
    sn_write_u64(stream, 8 * corners);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < kinds[k].count * kinds[k].width && !ferror(stream); i++)
            sn_write_u64(stream, kinds[k].corners[i]);
    sn_write_u64(stream, 8 * cells);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < kinds[k].count && !ferror(stream); i++)
            sn_write_u64(stream, offset += kinds[k].width);
    sn_write_u64(stream, cells);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < kinds[k].count && !ferror(stream); i++) putc(kinds[k].type, stream);
    fputs("\n  </AppendedData>\n</VTKFile>\n", stream);
    return sn_io_file_close(&file);
}
