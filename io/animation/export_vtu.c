/*
 * VTK: an unstructured grid per frame (.vtu), binary, and a list of them with their times (.pvd)
 * that is written anew after every frame, so that ParaView can look while a simulation runs.
 *
 * All shapes are one grid of triangles, lines, tets, and vertices for particles. Every point and
 * cell has the number of its shape (body), and every point its own in that (id), which stays in all
 * frames but for foam, whose particles come and go; points have velocity, strain, radius, texture
 * coordinates (uv) and colour (sRGB) as far as any shape has them, 0 for the others, and white
 * where only others have a colour.
 *
 * Each array is the count of its bytes and then those, as base64 within the XML: a third more than
 * bytes that are appended as they are, but ParaView 5.11 with the expat of Debian 12 does not even
 * read those of its own.
 */
#include "io/animation/export_groups.h"
#include "io/animation/export_look.h"
#include "io/animation/export_sequence.h"
#include "io/mesh/mesh_vtu.h"
#include "io/text/out.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct entry {
    int number;
    double time;
} entry;

typedef struct list {
    entry *entries;
    size_t count, capacity;
    size_t slot; /* of the list in the files that were written */
} list;

/* ---- Arrays ---- */

typedef void write_array(sn_io_out *out, const sn_io_frame *frame);

typedef struct array {
    const char *type, *name;
    int components;
    uint64_t bytes;
    write_array *write;
} array;

static void write_positions(sn_io_out *out, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++)
        for (size_t k = 0; k < frame->shapes[i].vertex_count; k++)
            sn_io_out_f32x3(out, frame->shapes[i].positions[k]);
}

static void write_velocities(sn_io_out *out, const sn_io_frame *frame) {
    static const sn_vec3 zero = {0, 0, 0};
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        for (size_t k = 0; k < s->vertex_count; k++)
            sn_io_out_f32x3(out, s->velocities ? s->velocities[k] : zero);
    }
}

static void write_strain(sn_io_out *out, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        for (size_t k = 0; k < s->vertex_count; k++)
            sn_io_out_f32(out, s->strain ? s->strain[k] : 0);
    }
}

static void write_radii(sn_io_out *out, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        for (size_t k = 0; k < s->vertex_count; k++) sn_io_out_f32(out, s->radii ? s->radii[k] : 0);
    }
}

static void write_uvs(sn_io_out *out, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        for (size_t k = 0; k < 2 * s->vertex_count; k++)
            sn_io_out_f32(out, s->uvs ? s->uvs[k / 2][k % 2] : 0);
    }
}

static void write_colours(sn_io_out *out, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        for (size_t k = 0; k < s->vertex_count; k++) sn_io_out_f32x3(out, sn_io_shape_colour(s, k));
    }
}

static void write_point_bodies(sn_io_out *out, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++)
        for (size_t k = 0; k < frame->shapes[i].vertex_count; k++) sn_io_out_u32(out, (uint32_t)i);
}

static void write_ids(sn_io_out *out, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++)
        for (size_t k = 0; k < frame->shapes[i].vertex_count; k++) sn_io_out_u32(out, (uint32_t)k);
}

/* The cells of a shape, kind by kind. */
typedef struct cells {
    size_t count;
    uint32_t corners;
    const uint32_t *indices; /* null for a vertex each */
    uint8_t type;            /* VTK's number for it */
} cells;

enum { KINDS = 4, VTK_VERTEX = 1, VTK_LINE = 3, VTK_TRIANGLE = 5, VTK_TET = 10 };

static void cells_of(const sn_io_shape *s, cells kinds[KINDS]) {
    kinds[0] = (cells){s->triangle_count, 3, (const uint32_t *)s->triangles, VTK_TRIANGLE};
    kinds[1] = (cells){s->line_count, 2, (const uint32_t *)s->lines, VTK_LINE};
    kinds[2] = (cells){s->tet_count, 4, (const uint32_t *)s->tets, VTK_TET};
    kinds[3] = (cells){sn_io_is_particles(s) ? s->vertex_count : 0, 1, NULL, VTK_VERTEX};
}

static void write_connectivity(sn_io_out *out, const sn_io_frame *frame) {
    uint32_t first = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        cells kinds[KINDS];
        cells_of(&frame->shapes[i], kinds);
        for (int c = 0; c < KINDS; c++)
            for (size_t k = 0; k < kinds[c].count * kinds[c].corners; k++)
                sn_io_out_u32(out, first + (kinds[c].indices ? kinds[c].indices[k] : (uint32_t)k));
        first += (uint32_t)frame->shapes[i].vertex_count;
    }
}

static void write_offsets(sn_io_out *out, const sn_io_frame *frame) {
    uint32_t offset = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        cells kinds[KINDS];
        cells_of(&frame->shapes[i], kinds);
        for (int c = 0; c < KINDS; c++)
            for (size_t k = 0; k < kinds[c].count; k++)
                sn_io_out_u32(out, offset += kinds[c].corners);
    }
}

static void write_types(sn_io_out *out, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++) {
        cells kinds[KINDS];
        cells_of(&frame->shapes[i], kinds);
        for (int c = 0; c < KINDS; c++)
            for (size_t k = 0; k < kinds[c].count; k++) sn_io_out_u8(out, kinds[c].type);
    }
}

static void write_cell_bodies(sn_io_out *out, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++) {
        cells kinds[KINDS];
        cells_of(&frame->shapes[i], kinds);
        for (int c = 0; c < KINDS; c++)
            for (size_t k = 0; k < kinds[c].count; k++) sn_io_out_u32(out, (uint32_t)i);
    }
}

/* ---- A frame ---- */

static void add_array(sn_io_out *out, const sn_io_frame *frame, array a) {
    sn_vtu_begin_array(out, a.type, a.name, a.components, a.bytes);
    a.write(out, frame);
    sn_vtu_end_array(out);
}

static void write_arrays(sn_io_out *out, const sn_io_frame *frame, const sn_io_totals *t,
                         const sn_io_group_marks *groups) {
    char time[SN_IO_NUMBER];
    uint64_t points = t->vertices, count = t->triangles + t->lines + t->tets + t->points;
    uint64_t corners = 3 * t->triangles + 2 * t->lines + 4 * t->tets + t->points;
    sn_io_text_double(time, frame->time);
    sn_io_out_printf(out,
                     "<?xml version=\"1.0\"?>\n"
                     "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\""
                     " byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                     "  <UnstructuredGrid>\n"
                     "    <FieldData>\n"
                     "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\""
                     " format=\"ascii\">%s</DataArray>\n"
                     "    </FieldData>\n"
                     "    <Piece NumberOfPoints=\"%" PRIu64 "\" NumberOfCells=\"%" PRIu64 "\">\n"
                     "      <PointData>\n",
                     time, points, count);
    if (t->velocities)
        add_array(out, frame, (array){"Float32", "velocity", 3, 12 * points, write_velocities});
    if (t->strain) add_array(out, frame, (array){"Float32", "strain", 1, 4 * points, write_strain});
    if (t->radii) add_array(out, frame, (array){"Float32", "radius", 1, 4 * points, write_radii});
    if (t->uvs) add_array(out, frame, (array){"Float32", "uv", 2, 8 * points, write_uvs});
    if (t->colours)
        add_array(out, frame, (array){"Float32", "colour", 3, 12 * points, write_colours});
    add_array(out, frame, (array){"Int32", "body", 1, 4 * points, write_point_bodies});
    add_array(out, frame, (array){"Int32", "id", 1, 4 * points, write_ids});
    for (size_t i = 0; i < groups->count; i++)
        sn_vtu_write_group(out, groups->names[i], sn_io_group_marks_of(groups, i),
                           groups->vertices);
    sn_io_out_text(out, "      </PointData>\n      <CellData>\n");
    add_array(out, frame, (array){"Int32", "body", 1, 4 * count, write_cell_bodies});
    sn_io_out_text(out, "      </CellData>\n      <Points>\n");
    add_array(out, frame, (array){"Float32", "Points", 3, 12 * points, write_positions});
    sn_io_out_text(out, "      </Points>\n      <Cells>\n");
    add_array(out, frame, (array){"Int32", "connectivity", 1, 4 * corners, write_connectivity});
    add_array(out, frame, (array){"Int32", "offsets", 1, 4 * count, write_offsets});
    add_array(out, frame, (array){"UInt8", "types", 1, count, write_types});
    sn_io_out_text(out, "      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n");
}

static void write_grid(FILE *stream, const sn_io_frame *frame, const sn_io_totals *totals,
                       const sn_io_group_marks *groups) {
    sn_io_out out;
    sn_io_out_open(&out, stream);
    write_arrays(&out, frame, totals, groups);
    sn_io_out_flush(&out);
}

static sn_result write_vtu(sn_io_export *e, const sn_io_frame *frame) {
    char ending[SN_IO_ENDING];
    sn_io_file file;
    sn_io_totals t = sn_io_totals_of(frame);
    /* A tet has 4 corners, and a particle 1; their count must fit. */
    size_t most = INT32_MAX / 5;
    if (t.vertices > most || t.triangles + t.lines + t.tets > most)
        return sn_fail(SN_ERROR_LIMIT,
                       "vtu: frame %d has %zu vertices and %zu elements, expected at most %zu",
                       frame->number, t.vertices, t.triangles + t.lines + t.tets, most);
    sn_io_sequence_ending(ending, frame->number, ".vtu");
    sn_io_group_marks groups;
    if (!sn_io_group_marks_make(&groups, frame->shapes, frame->shape_count))
        return sn_io_export_no_memory();
    sn_result result = sn_io_export_begin(e, ending, &file);
    if (result == SN_OK) {
        write_grid(file.stream, frame, &t, &groups);
        result = sn_io_export_end(e, &file, NULL);
    }
    sn_io_group_marks_free(&groups);
    return result;
}

/* ---- The list ---- */

static sn_result write_list(sn_io_export *e, list *l) {
    sn_io_file file;
    sn_io_out out;
    SN_TRY(sn_io_export_begin(e, ".pvd", &file));
    sn_io_out_open(&out, file.stream);
    sn_io_out_text(&out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\""
                         " byte_order=\"LittleEndian\">\n  <Collection>\n");
    for (size_t i = 0; i < l->count; i++) {
        char ending[SN_IO_ENDING];
        sn_io_sequence_ending(ending, l->entries[i].number, ".vtu");
        sn_io_out_text(&out, "    <DataSet timestep=\"");
        sn_io_out_double(&out, l->entries[i].time);
        sn_io_out_text(&out, "\" group=\"\" part=\"0\" file=\"");
        sn_vtu_write_name(&out, e->name);
        sn_io_out_text(&out, ending);
        sn_io_out_text(&out, "\"/>\n");
    }
    sn_io_out_text(&out, "  </Collection>\n</VTKFile>\n");
    sn_io_out_flush(&out);
    return sn_io_export_end(e, &file, &l->slot);
}

static sn_result open_vtu(sn_io_export *e) {
    list *l = calloc(1, sizeof *l);
    if (!l) return sn_io_export_no_memory();
    l->slot = SIZE_MAX;
    e->state = l;
    return SN_OK;
}

static sn_result add_frame(sn_io_export *e, const sn_io_frame *frame) {
    list *l = e->state;
    entry *grown = sn_io_export_grow(l->entries, &l->capacity, l->count, sizeof *grown);
    if (!grown) return sn_io_export_no_memory();
    l->entries = grown;
    SN_TRY(write_vtu(e, frame));
    l->entries[l->count++] = (entry){frame->number, frame->time};
    sn_result result = write_list(e, l);
    if (result == SN_OK) return SN_OK;
    /* A frame that is not in the list was not written. */
    sn_io_export_take_back(e);
    l->count--;
    return result;
}

static void free_vtu(sn_io_export *e) {
    list *l = e->state;
    if (l) free(l->entries);
    free(l);
}

const sn_io_exporter sn_io_exporter_vtu = {
    .open = open_vtu, .frame = add_frame, .free = free_vtu, .single = true};
