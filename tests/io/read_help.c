#include "read_help.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sn_mesh read_bytes(const char *format, const void *data, size_t size) {
    sn_io_read_def def = sn_io_read_def_default();
    sn_mesh mesh = sn_mesh_default();
    def.format = format;
    REQUIRE_OK(sn_io_mesh_read_memory("test", data, size, &def, &mesh));
    return mesh;
}

sn_mesh read_string(const char *format, const char *text) {
    return read_bytes(format, text, strlen(text));
}

sn_mesh read_sample(const char *name) {
    char path[512];
    sn_mesh mesh = sn_mesh_default();
    snprintf(path, sizeof path, "%s/%s", SAMPLES, name);
    REQUIRE_OK(sn_io_mesh_read(path, NULL, &mesh));
    return mesh;
}

bool has_counts(const sn_mesh *mesh, size_t vertices, size_t triangles, size_t tets, size_t lines,
                size_t groups) {
    bool held = mesh->vertex_count == vertices && mesh->triangle_count == triangles &&
                mesh->tet_count == tets && mesh->line_count == lines && mesh->group_count == groups;
    if (!held)
        printf("    there are %zu vertices, %zu triangles, %zu tets, %zu lines, %zu groups\n",
               mesh->vertex_count, mesh->triangle_count, mesh->tet_count, mesh->line_count,
               mesh->group_count);
    return held;
}

bool has_triangle(const sn_mesh *mesh, size_t index, uint32_t a, uint32_t b, uint32_t c) {
    if (index >= mesh->triangle_count) return false;
    const uint32_t *t = mesh->triangles[index];
    bool held = t[0] == a && t[1] == b && t[2] == c;
    if (!held) printf("    triangle %zu is %u %u %u\n", index, t[0], t[1], t[2]);
    return held;
}

bool is_at(const sn_mesh *mesh, size_t vertex, double x, double y, double z) {
    if (vertex >= mesh->vertex_count) return false;
    sn_vec3 p = mesh->positions[vertex];
    bool held = p.x == (sn_real)x && p.y == (sn_real)y && p.z == (sn_real)z;
    if (!held)
        printf("    vertex %zu is at %.9g %.9g %.9g\n", vertex, (double)p.x, (double)p.y,
               (double)p.z);
    return held;
}

static void edge(const sn_mesh *mesh, uint32_t from, uint32_t to, double out[3]) {
    sn_vec3 a = mesh->positions[from], b = mesh->positions[to];
    out[0] = (double)b.x - (double)a.x;
    out[1] = (double)b.y - (double)a.y;
    out[2] = (double)b.z - (double)a.z;
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

double area_of(const sn_mesh *mesh) {
    double area = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        double a[3], b[3], n[3];
        edge(mesh, mesh->triangles[i][0], mesh->triangles[i][1], a);
        edge(mesh, mesh->triangles[i][0], mesh->triangles[i][2], b);
        cross(a, b, n);
        area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    }
    return area;
}

double volume_of(const sn_mesh *mesh) {
    double volume = 0;
    for (size_t i = 0; i < mesh->tet_count; i++) {
        double a[3], b[3], c[3], n[3];
        edge(mesh, mesh->tets[i][0], mesh->tets[i][1], a);
        edge(mesh, mesh->tets[i][0], mesh->tets[i][2], b);
        edge(mesh, mesh->tets[i][0], mesh->tets[i][3], c);
        cross(a, b, n);
        volume += (n[0] * c[0] + n[1] * c[1] + n[2] * c[2]) / 6;
    }
    return volume;
}

static bool is_same(const void *a, const void *b, size_t count, size_t other, size_t size) {
    return count == other && (count == 0 || memcmp(a, b, count * size) == 0);
}

bool is_same_shape(const sn_mesh *a, const sn_mesh *b) {
    return is_same(a->positions, b->positions, a->vertex_count, b->vertex_count,
                   sizeof *a->positions) &&
           is_same(a->triangles, b->triangles, a->triangle_count, b->triangle_count,
                   sizeof *a->triangles) &&
           is_same(a->tets, b->tets, a->tet_count, b->tet_count, sizeof *a->tets) &&
           is_same(a->lines, b->lines, a->line_count, b->line_count, sizeof *a->lines);
}

bool has_same_groups(const sn_mesh *a, const sn_mesh *b) {
    if (a->group_count != b->group_count) return false;
    for (size_t i = 0; i < a->group_count; i++)
        if (!group_is(b, a->groups[i].name, a->groups[i].vertices, a->groups[i].count))
            return false;
    return true;
}

bool group_is(const sn_mesh *mesh, const char *name, const uint32_t *vertices, size_t count) {
    const sn_mesh_group *group = sn_mesh_find_group(mesh, name);
    return group && is_same(group->vertices, vertices, group->count, count, sizeof *vertices);
}

static void put_bits(bytes *b, uint64_t bits, unsigned size) {
    if (b->size + size > sizeof b->data) abort();
    for (unsigned i = 0; i < size; i++)
        b->data[b->size++] = (unsigned char)(bits >> 8 * (b->is_big ? size - 1 - i : i));
}

void put_text(bytes *b, const char *text) {
    for (; *text; text++) put_bits(b, (unsigned char)*text, 1);
}

void put_u8(bytes *b, unsigned value) {
    put_bits(b, value, 1);
}

void put_u16(bytes *b, unsigned value) {
    put_bits(b, value, 2);
}

void put_u32(bytes *b, uint32_t value) {
    put_bits(b, value, 4);
}

void put_u64(bytes *b, uint64_t value) {
    put_bits(b, value, 8);
}

void put_f32(bytes *b, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(b, bits, 4);
}

void put_f64(bytes *b, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(b, bits, 8);
}
