/* OBJ, written. */
#include "io/mesh/mesh_write.h"

#include "io/text/text.h"

#include <sinew/support.h>

#include <inttypes.h>
#include <string.h>

/* How a name can stand in the file: after "g" without blanks, after "o" with blanks inside. */
static sn_result check_names(const sn_mesh *mesh, const char *path, bool *has_blanks) {
    *has_blanks = false;
    for (size_t i = 0; i < mesh->group_count; i++) {
        const char *name = mesh->groups[i].name;
        size_t length = strlen(name);
        bool is_bad = sn_text_is_blank(name[0]) || sn_text_is_blank(name[length - 1]);
        for (size_t k = 0; k < length; k++) {
            is_bad |= sn_text_is_break(name[k]);
            *has_blanks |= sn_text_is_blank(name[k]) || name[k] == '#' || name[k] == '\\';
        }
        if (is_bad)
            return sn_fail(
                SN_ERROR_VALUE,
                "cannot write \"%.256s\": the name of group \"%.64s\" has a blank at its "
                "end or a line break, which obj cannot hold",
                path, name);
    }
    return SN_OK;
}

/* A group as points, which is how the format can say that vertices belong to something. */
static void write_group(FILE *stream, const sn_mesh_group *group, const char *word) {
    enum { PER_LINE = 16 };
    fprintf(stream, "%s %s\n", word, group->name);
    for (size_t i = 0; i < group->count && !ferror(stream); i++) {
        bool is_last = i % PER_LINE == PER_LINE - 1 || i + 1 == group->count;
        fprintf(stream, "%s%" PRIu64 "%s", i % PER_LINE == 0 ? "p " : " ",
                (uint64_t)group->vertices[i] + 1, is_last ? "\n" : "");
    }
}

/* Positions, with colours behind them, and texture coordinates, one pair for each. */
static void write_vertices(FILE *stream, const sn_io_write_def *def, const sn_mesh *mesh) {
    for (size_t i = 0; i < mesh->vertex_count && !ferror(stream); i++) {
        const sn_vec3 *x = &mesh->positions[i], *c = def->colours ? &def->colours[i] : NULL;
        const sn_real numbers[6] = {x->x, x->y, x->z, c ? c->x : 0, c ? c->y : 0, c ? c->z : 0};
        sn_write_numbers(stream, "v ", numbers, c ? 6 : 3);
        putc('\n', stream);
    }
    for (size_t i = 0; def->uvs && i < mesh->vertex_count && !ferror(stream); i++) {
        sn_write_numbers(stream, "vt ", def->uvs[i], 2);
        putc('\n', stream);
    }
}

/* Triangles whose vertices have texture coordinates of the same number. */
static void write_textured(FILE *stream, const sn_mesh *mesh) {
    for (size_t i = 0; i < mesh->triangle_count && !ferror(stream); i++) {
        putc('f', stream);
        for (int k = 0; k < 3; k++) {
            uint64_t number = (uint64_t)mesh->triangles[i][k] + 1;
            fprintf(stream, " %" PRIu64 "/%" PRIu64, number, number);
        }
        putc('\n', stream);
    }
}

sn_result sn_write_obj(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    sn_io_file file;
    bool has_blanks;
    SN_TRY(check_names(mesh, path, &has_blanks));
    SN_TRY(sn_io_file_open(&file, path));
    FILE *stream = file.stream;
    write_vertices(stream, def, mesh);
    if (def->uvs)
        write_textured(stream, mesh);
    else
        sn_write_elements(stream, "f ", (uint32_t *)mesh->triangles, mesh->triangle_count, 3, 1,
                          "");
    sn_write_elements(stream, "l ", (uint32_t *)mesh->lines, mesh->line_count, 2, 1, "");
    for (size_t i = 0; i < mesh->group_count && !ferror(stream); i++)
        write_group(stream, &mesh->groups[i], has_blanks ? "o" : "g");
    return sn_io_file_close(&file);
}
