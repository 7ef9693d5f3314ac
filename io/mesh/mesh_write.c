/* Writing a mesh: finds the format, sees whether it can hold the mesh, and calls its writer. */
#include "io/mesh/mesh_write.h"

#include "io/mesh/mesh_format.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

sn_io_write_def sn_io_write_def_default(void) {
    return (sn_io_write_def){.size = sizeof(sn_io_write_def)};
}

bool sn_io_mesh_keeps_groups(const char *path, const char *format) {
    const sn_mesh_format *found = path ? sn_mesh_format_find(format, path) : NULL;
    return found && found->has_groups;
}

bool sn_io_mesh_keeps_materials(const char *path, const char *format) {
    const sn_mesh_format *found = path ? sn_mesh_format_find(format, path) : NULL;
    return found && found->write_materials;
}

/* ---- For writers ---- */

#ifdef SN_DOUBLE
enum { DIGITS = DBL_DECIMAL_DIG };
#else
enum { DIGITS = FLT_DECIMAL_DIG };
#endif

void sn_write_points(FILE *stream, const char *before, const sn_mesh *mesh, const char *after) {
    for (size_t i = 0; i < mesh->vertex_count && !ferror(stream); i++) {
        sn_vec3 x = mesh->positions[i];
        fprintf(stream, "%s%.*g %.*g %.*g%s\n", before, DIGITS, (double)x.x, DIGITS, (double)x.y,
                DIGITS, (double)x.z, after);
    }
}

void sn_write_numbers(FILE *stream, const char *before, const sn_real *numbers, size_t width) {
    for (size_t k = 0; k < width; k++)
        fprintf(stream, "%s%.*g", k > 0 ? " " : before, DIGITS, (double)numbers[k]);
}

/* The digits of a number, backwards from `end`; where they begin. */
static char *put_number(char *end, uint64_t value) {
    do *--end = (char)('0' + value % 10);
    while (value /= 10);
    return end;
}

void sn_write_elements(FILE *stream, const char *before, const uint32_t *corners, size_t count,
                       size_t width, uint32_t base, const char *after) {
    /* A number has at most ten digits, and printf would take most of the time. */
    char row[64], *end = row + sizeof row;
    for (size_t i = 0; i < count && !ferror(stream); i++) {
        char *at = end;
        for (size_t k = width; k-- > 0;) {
            if (k + 1 < width) *--at = ' ';
            at = put_number(at, (uint64_t)corners[width * i + k] + base);
        }
        fputs(before, stream);
        fwrite(at, 1, (size_t)(end - at), stream);
        fputs(after, stream);
        putc('\n', stream);
    }
}

static void write_bits(FILE *stream, uint64_t bits, size_t size) {
    unsigned char bytes[8] = {0};
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(bits >> (8 * i));
    fwrite(bytes, 1, size, stream);
}

void sn_write_u32(FILE *stream, uint32_t value) {
    write_bits(stream, value, 4);
}

void sn_write_f32(FILE *stream, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    write_bits(stream, bits, 4);
}

void sn_write_real(FILE *stream, sn_real value) {
#ifdef SN_DOUBLE
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    write_bits(stream, bits, 8);
#else
    sn_write_f32(stream, value);
#endif
}

void sn_write_positions(FILE *stream, const sn_mesh *mesh) {
    for (size_t i = 0; i < mesh->vertex_count && !ferror(stream); i++) {
        sn_write_real(stream, mesh->positions[i].x);
        sn_write_real(stream, mesh->positions[i].y);
        sn_write_real(stream, mesh->positions[i].z);
    }
}

/* ---- The call ---- */

static sn_result check(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    if (!path) return sn_fail(SN_ERROR_NULL, "path is null");
    if (!mesh) return sn_fail(SN_ERROR_NULL, "mesh is null");
    if (mesh->size != sizeof *mesh)
        return sn_fail(SN_ERROR_DEFINITION,
                       "mesh: its size is %zu, expected %zu: begin with sn_mesh_default",
                       mesh->size, sizeof *mesh);
    if (def->size != sizeof *def)
        return sn_fail(
            SN_ERROR_DEFINITION,
            "write_def: its size is %zu, expected %zu: begin with sn_io_write_def_default",
            def->size, sizeof *def);
    return SN_OK;
}

static sn_result check_format(const sn_mesh_format *format, const char *path, const sn_mesh *mesh) {
    const char *hint = "", *one = NULL;
    size_t count = 0;
    if (!format->write)
        return sn_fail(SN_ERROR_NAME, "cannot write \"%.256s\": %s is only read, write glb", path,
                       format->name);
    if (mesh->line_count > 0 && !format->has_lines) one = "line", count = mesh->line_count;
    if (mesh->triangle_count > 0 && !format->has_triangles)
        one = "triangle", count = mesh->triangle_count;
    if (mesh->tet_count > 0 && !format->has_tets) {
        one = "tet", count = mesh->tet_count;
        hint = "; their surface can be written instead";
    }
    if (!one) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "cannot write \"%.256s\": the mesh has %zu %s%s, and %s has none%s", path, count,
                   one, count == 1 ? "" : "s", format->name, hint);
}

static sn_result check_materials(const char *path, const sn_io_materials *materials,
                                 const sn_mesh *mesh) {
    if (!materials || materials->count == 0 || materials->triangle_count == mesh->triangle_count)
        return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "cannot write \"%.256s\": materials are for %zu triangles, and the mesh has %zu",
                   path, materials->triangle_count, mesh->triangle_count);
}

static sn_result write_as(const char *path, const sn_io_write_def *def,
                          const sn_mesh_format *format, const sn_mesh *mesh) {
    SN_TRY(check_format(format, path, mesh));
    SN_TRY(check_materials(path, def->materials, mesh));
    bool has_materials = def->materials && def->materials->count > 0;
    sn_writer *write =
        has_materials && format->write_materials ? format->write_materials : format->write;
    return write(path, def, mesh);
}

/* The surface of tets, and what the vertices have that are left. */
static sn_result write_surface(const char *path, const sn_io_write_def *def,
                               const sn_mesh_format *format, const sn_mesh *mesh) {
    sn_mesh surface = sn_mesh_default();
    sn_io_write_def view = *def;
    size_t room = mesh->vertex_count + 1;
    uint32_t *origins = malloc(room * sizeof *origins);
    sn_real(*uvs)[2] = malloc(room * sizeof *uvs);
    sn_vec3 *colours = malloc(room * sizeof *colours);
    sn_result result = origins && uvs && colours
                           ? sn_mesh_surface_of(mesh, &surface, origins)
                           : sn_fail(SN_ERROR_MEMORY, "no memory for a surface");
    for (size_t i = 0; result == SN_OK && i < surface.vertex_count; i++) {
        if (def->uvs) memcpy(uvs[i], def->uvs[origins[i]], sizeof uvs[i]);
        if (def->colours) colours[i] = def->colours[origins[i]];
    }
    /* Triangles of a boundary are others. */
    view.materials = NULL;
    if (def->uvs) view.uvs = (const sn_real(*)[2])uvs;
    if (def->colours) view.colours = colours;
    if (result == SN_OK) result = write_as(path, &view, format, &surface);
    free(origins);
    free(uvs);
    free(colours);
    sn_mesh_free(&surface);
    return result;
}

sn_result sn_io_mesh_write(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    const sn_io_write_def standard = sn_io_write_def_default();
    if (!def) def = &standard;
    SN_TRY(check(path, def, mesh));
    const sn_mesh_format *format = sn_mesh_format_find(def->format, path);
    if (!format) return SN_ERROR_NAME;
    if (!def->surface) return write_as(path, def, format, mesh);
    if (mesh->tet_count > 0) return write_surface(path, def, format, mesh);
    sn_mesh view = *mesh;
    view.line_count = 0;
    return write_as(path, def, format, &view);
}
