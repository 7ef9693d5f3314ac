/* PLY, written. */
#include "io/mesh/mesh_write.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

/* Whether a group has the name of something else that vertices have. */
static bool is_taken(const char *name) {
    static const char *const names[] = {"x",  "y",  "z",  "s",     "t",   "u",     "v",
                                        "nx", "ny", "nz", "alpha", "red", "green", "blue"};
    bool taken = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        taken = taken || strcmp(names[i], name) == 0;
    return taken;
}

static void write_header(FILE *stream, const sn_io_write_def *def, const sn_mesh *mesh) {
    const char *real = sizeof(sn_real) == 8 ? "double" : "float";
    /* Signed where it is enough: many programs know nothing else. */
    const char *index = mesh->vertex_count > INT32_MAX ? "uint" : "int";
    fprintf(stream, "ply\nformat %s 1.0\nelement vertex %zu\n",
            def->text ? "ascii" : "binary_little_endian", mesh->vertex_count);
    fprintf(stream, "property %s x\nproperty %s y\nproperty %s z\n", real, real, real);
    if (def->uvs) fprintf(stream, "property %s s\nproperty %s t\n", real, real);
    if (def->colours)
        fputs("property uchar red\nproperty uchar green\nproperty uchar blue\n", stream);
    for (size_t i = 0; i < mesh->group_count; i++) {
        fputs(is_taken(mesh->groups[i].name) ? "property uchar _" : "property uchar ", stream);
        for (const char *c = mesh->groups[i].name; *c; c++)
            putc((unsigned char)*c <= ' ' ? '_' : *c, stream);
        putc('\n', stream);
    }
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

/* The nearest of the 256 that there are. */
static int byte_of(sn_real part) {
    return part > 0 ? part < 1 ? (int)((double)part * 255 + 0.5) : 255 : 0;
}

/* Whether a vertex belongs to each of the groups: a bit each, `wide` bytes for a vertex. */
static bool find_members(const sn_mesh *mesh, uint8_t **bits, size_t *wide) {
    *wide = (mesh->group_count + 7) / 8;
    *bits = calloc(mesh->vertex_count * *wide + 1, 1);
    for (size_t i = 0; *bits && i < mesh->group_count; i++)
        for (size_t k = 0; k < mesh->groups[i].count; k++)
            (*bits)[mesh->groups[i].vertices[k] * *wide + i / 8] |= (uint8_t)(1 << i % 8);
    return *bits != NULL;
}

static void write_members(FILE *stream, const sn_mesh *mesh, const uint8_t *bits, bool text) {
    for (size_t i = 0; i < mesh->group_count; i++) {
        int is_member = bits[i / 8] >> i % 8 & 1;
        if (text)
            fprintf(stream, " %d", is_member);
        else
            putc(is_member, stream);
    }
}

/* Positions, and what else vertices have. */
static void write_vertices(FILE *stream, const sn_io_write_def *def, const sn_mesh *mesh,
                           const uint8_t *bits, size_t wide) {
    for (size_t i = 0; i < mesh->vertex_count && !ferror(stream); i++) {
        const sn_vec3 *x = &mesh->positions[i], *c = def->colours ? &def->colours[i] : NULL;
        const sn_real numbers[5] = {x->x, x->y, x->z, def->uvs ? def->uvs[i][0] : 0,
                                    def->uvs ? def->uvs[i][1] : 0};
        size_t count = def->uvs ? 5 : 3;
        if (def->text) {
            sn_write_numbers(stream, "", numbers, count);
            if (c) fprintf(stream, " %d %d %d", byte_of(c->x), byte_of(c->y), byte_of(c->z));
            write_members(stream, mesh, bits + i * wide, true);
            putc('\n', stream);
            continue;
        }
        for (size_t k = 0; k < count; k++) sn_write_real(stream, numbers[k]);
        if (c) {
            putc(byte_of(c->x), stream);
            putc(byte_of(c->y), stream);
            putc(byte_of(c->z), stream);
        }
        write_members(stream, mesh, bits + i * wide, false);
    }
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
    uint8_t *bits;
    size_t wide;
    if (!find_members(mesh, &bits, &wide))
        return sn_fail(SN_ERROR_MEMORY, "no memory for %zu groups", mesh->group_count);
    sn_result result = sn_io_file_open(&file, path);
    if (result != SN_OK) {
        free(bits);
        return result;
    }
    FILE *stream = file.stream;
    const uint32_t *triangles = (uint32_t *)mesh->triangles, *tets = (uint32_t *)mesh->tets,
                   *lines = (uint32_t *)mesh->lines;
    write_header(stream, def, mesh);
    write_vertices(stream, def, mesh, bits, wide);
    free(bits);
    if (def->text) {
        sn_write_elements(stream, "3 ", triangles, mesh->triangle_count, 3, 0, "");
        sn_write_elements(stream, "", lines, mesh->line_count, 2, 0, "");
        sn_write_elements(stream, "4 ", tets, mesh->tet_count, 4, 0, "");
    } else {
        write_binary(stream, triangles, mesh->triangle_count, 3, true);
        write_binary(stream, lines, mesh->line_count, 2, false);
        write_binary(stream, tets, mesh->tet_count, 4, true);
    }
    return sn_io_file_close(&file);
}
