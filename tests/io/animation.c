#include "animation.h"

#include <string.h>

enum { COLUMNS = 4, ROWS = 3 };

/* A vertex that moves along a parabola, with its velocity. */
static void place(animation_shape *s, size_t i, sn_vec3 x, sn_vec3 v, sn_real t) {
    const sn_real g = (sn_real)-9.81;
    s->positions[i] =
        (sn_vec3){x.x + t * v.x, x.y + t * (v.y + (sn_real)0.5 * g * t), x.z + t * v.z};
    s->velocities[i] = (sn_vec3){v.x, v.y + g * t, v.z};
    s->strain[i] = (sn_real)0.01 * (sn_real)i * t;
    s->radii[i] = (sn_real)0.02 + (sn_real)0.001 * (sn_real)i;
}

static void name_arrays(sn_io_shape *shape, const char *name, const animation_shape *s) {
    *shape = (sn_io_shape){.name = name, .positions = s->positions, .velocities = s->velocities};
}

/* A sheet that is held at one side. After it tore, a corner has a vertex of its own. */
static void make_flag(sn_io_shape *shape, animation_shape *s, sn_real t, bool torn) {
    name_arrays(shape, "flag", s);
    for (size_t i = 0; i < (size_t)(COLUMNS * ROWS); i++) {
        sn_real column = (sn_real)(i % COLUMNS), row = (sn_real)(i / COLUMNS);
        place(s, i, (sn_vec3){column / 4, 2 - row / 4, 0},
              (sn_vec3){0, (sn_real)0.1 * row, column * column / 8}, column > 0 ? t : 0);
    }
    shape->vertex_count = COLUMNS * ROWS;
    for (uint32_t row = 0; row + 1 < ROWS; row++)
        for (uint32_t column = 0; column + 1 < COLUMNS; column++) {
            uint32_t a = row * COLUMNS + column, b = a + COLUMNS;
            size_t n = shape->triangle_count;
            memcpy(s->triangles[n], (uint32_t[3]){a, b, a + 1}, sizeof s->triangles[n]);
            memcpy(s->triangles[n + 1], (uint32_t[3]){a + 1, b, b + 1}, sizeof s->triangles[n]);
            shape->triangle_count += 2;
        }
    if (torn) {
        uint32_t last = (uint32_t)shape->vertex_count++;
        place(s, last, (sn_vec3){(sn_real)0.75, (sn_real)1.5, 0}, (sn_vec3){1, 0, 1}, t);
        s->triangles[shape->triangle_count - 1][2] = last;
    }
    shape->triangles = (const uint32_t(*)[3])s->triangles;
    shape->strain = s->strain;
    shape->topology = torn ? 2 : 1;
}

/* Two tets that share a face, and what is seen of them. */
static void make_jelly(sn_io_shape *shape, animation_shape *s, sn_real t) {
    static const sn_vec3 corners[5] = {{0, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 1, 0}, {1, 1, -1}};
    static const uint32_t tets[2][4] = {{0, 1, 2, 3}, {1, 4, 2, 3}};
    static const uint32_t faces[6][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2},
                                         {1, 4, 3}, {4, 2, 3}, {1, 2, 4}};
    name_arrays(shape, "jelly cube", s);
    for (size_t i = 0; i < 5; i++) {
        sn_vec3 x = corners[i];
        place(s, i, (sn_vec3){x.x + 2, x.y, x.z}, (sn_vec3){x.z, x.x, x.y}, t);
    }
    memcpy(s->tets, tets, sizeof tets);
    memcpy(s->triangles, faces, sizeof faces);
    shape->vertex_count = 5;
    shape->triangle_count = 6;
    shape->triangles = (const uint32_t(*)[3])s->triangles;
    shape->tet_count = 2;
    shape->tets = (const uint32_t(*)[4])s->tets;
    shape->strain = s->strain;
    shape->topology = 3;
}

/* Two strands. */
static void make_rope(sn_io_shape *shape, animation_shape *s, sn_real t) {
    name_arrays(shape, "rope", s);
    for (uint32_t i = 0; i < 8; i++) {
        place(s, i, (sn_vec3){-1, 2 - (sn_real)(i % 5) / 5, i < 5 ? (sn_real)0 : 1},
              (sn_vec3){(sn_real)i / 16, 0, 0}, t);
        if (i == 0 || i == 5) continue;
        s->lines[shape->line_count][0] = i - 1;
        s->lines[shape->line_count++][1] = i;
    }
    shape->vertex_count = 8;
    shape->lines = (const uint32_t(*)[2])s->lines;
    shape->radii = s->radii;
    shape->topology = 4;
}

static void make_grains(sn_io_shape *shape, animation_shape *s, sn_real t, size_t count) {
    name_arrays(shape, "grains", s);
    for (size_t i = 0; i < count; i++)
        place(s, i, (sn_vec3){(sn_real)i / 8, 3, 1}, (sn_vec3){0, (sn_real)i / 4, 0}, t);
    shape->vertex_count = count;
    shape->radii = s->radii;
    shape->topology = 100 + count;
}

/* Something that does not move, without velocities. */
static void make_box(sn_io_shape *shape, animation_shape *s) {
    static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    static const sn_vec3 corners[4] = {{0, 0, 2}, {1, 0, 2}, {0, 0, 3}, {0, 1, 2}};
    name_arrays(shape, "3 box", s);
    shape->velocities = NULL;
    memcpy(s->positions, corners, sizeof corners);
    memcpy(s->triangles, faces, sizeof faces);
    shape->vertex_count = 4;
    shape->triangle_count = 4;
    shape->triangles = (const uint32_t(*)[3])s->triangles;
    shape->topology = 5;
}

const sn_io_frame *animation_frame(animation *a, int number, bool changing) {
    sn_real t = (sn_real)number / ANIMATION_FPS;
    size_t count = 4, grains = changing ? 3 + (size_t)number : 7;
    memset(a, 0, sizeof *a);
    make_flag(&a->shapes[0], &a->arrays[0], t, changing && number >= 3);
    make_jelly(&a->shapes[1], &a->arrays[1], t);
    make_rope(&a->shapes[2], &a->arrays[2], t);
    make_grains(&a->shapes[3], &a->arrays[3], t, grains);
    if (!changing || (number >= 2 && number < 4)) make_box(&a->shapes[count++], &a->arrays[4]);
    if (changing && number == 4) a->shapes[0].strain = NULL;
    a->frame = (sn_io_frame){.number = number,
                             .time = (double)number / ANIMATION_FPS,
                             .shape_count = count,
                             .shapes = a->shapes};
    return &a->frame;
}
