/* TetGen, written: .node and .ele, and .face where that is the one that is named. */
#include "io/mesh/mesh_format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 3 };
static const char *const extensions[PARTS] = {"node", "ele", "face"};

static void write_nodes(FILE *stream, const sn_mesh *mesh) {
    fprintf(stream, "%zu 3 0 0\n", mesh->vertex_count);
    for (size_t i = 0; i < mesh->vertex_count && !ferror(stream); i++) {
        const sn_mesh one = {.vertex_count = 1, .positions = &mesh->positions[i]};
        char number[32];
        snprintf(number, sizeof number, "%zu ", i);
        sn_write_points(stream, number, &one, "");
    }
}

static void write_rows(FILE *stream, const uint32_t *corners, size_t count, size_t width) {
    for (size_t i = 0; i < count && !ferror(stream); i++) {
        fprintf(stream, "%zu ", i);
        sn_write_elements(stream, "", corners + width * i, 1, width, 0, "");
    }
}

static void write_part(FILE *stream, int part, const sn_mesh *mesh) {
    if (part == 0) {
        write_nodes(stream, mesh);
    } else if (part == 1) {
        fprintf(stream, "%zu 4 0\n", mesh->tet_count);
        write_rows(stream, (uint32_t *)mesh->tets, mesh->tet_count, 4);
    } else {
        fprintf(stream, "%zu 0\n", mesh->triangle_count);
        write_rows(stream, (uint32_t *)mesh->triangles, mesh->triangle_count, 3);
    }
}

/* All parts are written before the first takes its name. */
static sn_result write_parts(char *path, char *extension, int parts, const sn_mesh *mesh) {
    sn_io_file files[PARTS];
    for (int k = 0; k < parts; k++) {
        memcpy(extension, extensions[k], strlen(extensions[k]) + 1);
        sn_result result = sn_io_file_open(&files[k], path);
        if (result == SN_OK) {
            write_part(files[k].stream, k, mesh);
            if (!ferror(files[k].stream) && fflush(files[k].stream) == 0) continue;
            result = sn_io_file_close(&files[k]);
        }
        while (k-- > 0) sn_io_file_discard(&files[k]);
        return result;
    }
    sn_result result = SN_OK;
    for (int k = 0; k < parts; k++) {
        if (result == SN_OK)
            result = sn_io_file_close(&files[k]);
        else
            sn_io_file_discard(&files[k]);
    }
    return result;
}

sn_result sn_write_tetgen(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    (void)def;
    const char *extension = sn_path_extension(path);
    bool has_faces = sn_text_is(extension, strlen(extension), "face");
    if (mesh->triangle_count > 0 && !has_faces)
        return sn_fail(
            SN_ERROR_VALUE,
            "cannot write \"%.256s\": the mesh has %zu triangles, and .node and .ele have "
            "none; name the file .face to have all three",
            path, mesh->triangle_count);
    size_t stem = *extension ? (size_t)(extension - path) : strlen(path) + 1;
    char *name = malloc(stem + 8);
    if (!name) return sn_fail(SN_ERROR_MEMORY, "cannot write \"%.256s\": out of memory", path);
    memcpy(name, path, stem - 1);
    name[stem - 1] = '.';
    sn_result result = write_parts(name, name + stem, has_faces ? 3 : 2, mesh);
    free(name);
    return result;
}
