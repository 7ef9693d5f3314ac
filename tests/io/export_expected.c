#include "export_expected.h"

#include "animation.h"
#include "check.h"

/* A list of rows of reals; null where there is none. */
static void write_reals(FILE *file, const char *name, const sn_real *values, size_t count,
                        size_t components) {
    fprintf(file, ",\n  \"%s\": %s", name, values ? "[" : "null");
    for (size_t i = 0; values && i < count; i++) {
        fprintf(file, i > 0 ? ", " : "");
        if (components > 1) fprintf(file, "[");
        for (size_t k = 0; k < components; k++)
            fprintf(file, k > 0 ? ", %.9g" : "%.9g", (double)values[i * components + k]);
        if (components > 1) fprintf(file, "]");
    }
    if (values) fprintf(file, "]");
}

static void write_corners(FILE *file, const char *name, const uint32_t *corners, size_t count,
                          size_t size) {
    fprintf(file, ",\n  \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        fprintf(file, i > 0 ? ", [" : "[");
        for (size_t k = 0; k < size; k++)
            fprintf(file, k > 0 ? ", %u" : "%u", (unsigned)corners[i * size + k]);
        fprintf(file, "]");
    }
    fprintf(file, "]");
}

static void write_shape(FILE *file, const sn_io_shape *s) {
    fprintf(file, "{\"name\": \"%s\"", s->name);
    write_reals(file, "positions", (const sn_real *)s->positions, s->vertex_count, 3);
    write_reals(file, "velocities", (const sn_real *)s->velocities, s->vertex_count, 3);
    write_reals(file, "strain", s->strain, s->vertex_count, 1);
    write_reals(file, "radii", s->radii, s->vertex_count, 1);
    write_corners(file, "triangles", (const uint32_t *)s->triangles, s->triangle_count, 3);
    write_corners(file, "lines", (const uint32_t *)s->lines, s->line_count, 2);
    write_corners(file, "tets", (const uint32_t *)s->tets, s->tet_count, 4);
    fprintf(file, "}");
}

FILE *expected_begin(const char *folder, int fps) {
    char path[512];
    snprintf(path, sizeof path, "%s/expected.json", folder);
    FILE *file = fopen(path, "w");
    if (CHECK(file)) fprintf(file, "{\"fps\": %d, \"frames\": [\n", fps);
    return file;
}

void expected_frame(FILE *file, bool first, const sn_io_frame *frame) {
    fprintf(file, "%s{\"number\": %d, \"time\": %.17g, \"shapes\": [\n", first ? "" : ",\n",
            frame->number, frame->time);
    for (size_t k = 0; k < frame->shape_count; k++) {
        if (k > 0) fprintf(file, ",\n");
        write_shape(file, &frame->shapes[k]);
    }
    fprintf(file, "]}");
}

void expected_end(FILE *file) {
    fprintf(file, "]}\n");
    CHECK(fclose(file) == 0);
}

void write_expected(const char *folder, bool changing) {
    static animation a;
    FILE *file = expected_begin(folder, ANIMATION_FPS);
    if (!file) return;
    for (int i = 0; i < ANIMATION_FRAMES; i++)
        expected_frame(file, i == 0, animation_frame(&a, i, changing));
    expected_end(file);
}
