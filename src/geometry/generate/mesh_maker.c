#include "geometry/generate/mesh_maker.h"

#include <sinew/support.h>

#include <math.h>

/* 2^30 elements, as sn_mesh_expect_sound has it; far more than memory in practice. */
#define MOST 1073741824.0

sn_result sn_maker_begin(sn_maker *maker, sn_mesh *mesh, const char *what, sn_maker_room room) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    if (room.vertices > MOST || room.triangles > MOST || room.tets > MOST || room.lines > MOST)
        return sn_fail(SN_ERROR_LIMIT,
                       "%s: it would have %.0f vertices, %.0f triangles and %.0f tets, expected at "
                       "most 2^30 of each",
                       what, room.vertices, room.triangles, room.tets);
    *maker = (sn_maker){.mesh = mesh, .memory = sn_mesh_memory(mesh)};
    maker->marks = (size_t)room.vertices;
    maker->mark = sn_allocate(&maker->memory, maker->marks, sizeof *maker->mark);
    if (!maker->mark) return SN_ERROR_MEMORY;
    sn_result result = sn_mesh_reserve(mesh, (sn_mesh_room){maker->marks, (size_t)room.triangles,
                                                            (size_t)room.tets, (size_t)room.lines});
    if (result != SN_OK) {
        sn_free(&maker->memory, maker->mark, maker->marks, sizeof *maker->mark);
        sn_mesh_free(mesh);
    }
    return result;
}

/* The group of the vertices that have one of the bits of a mark. */
static sn_result add_marked(sn_maker *maker, const char *name, uint32_t bit, uint32_t *list) {
    size_t count = 0;
    for (uint32_t v = 0; v < maker->mesh->vertex_count; v++)
        if (maker->mark[v] & bit) list[count++] = v;
    return sn_mesh_add_group(maker->mesh, name, list, count);
}

sn_result sn_maker_end(sn_maker *maker, const char *const *names, size_t count) {
    sn_result result = SN_OK;
    uint32_t *list = sn_allocate(&maker->memory, maker->marks, sizeof *list);
    if (!list) result = SN_ERROR_MEMORY;
    for (size_t i = 0; i < count && result == SN_OK; i++)
        result = add_marked(maker, names[i], 1u << i, list);
    sn_free(&maker->memory, list, maker->marks, sizeof *list);
    sn_free(&maker->memory, maker->mark, maker->marks, sizeof *maker->mark);
    if (result != SN_OK) sn_mesh_free(maker->mesh);
    return result;
}

uint32_t sn_maker_vertex(sn_maker *maker, sn_point x, uint32_t mark) {
    size_t vertex = maker->mesh->vertex_count++;
    maker->mesh->positions[vertex] = sn_point_vec3(x);
    maker->mark[vertex] = mark;
    return (uint32_t)vertex;
}

void sn_maker_triangle(sn_maker *maker, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *triangle = maker->mesh->triangles[maker->mesh->triangle_count++];
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

void sn_maker_tet(sn_maker *maker, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint32_t *tet = maker->mesh->tets[maker->mesh->tet_count++];
    tet[0] = a;
    tet[1] = b;
    tet[2] = c;
    tet[3] = d;
}

void sn_maker_quad(sn_maker *maker, const uint32_t corner[4], bool from_a) {
    uint32_t a = corner[0], b = corner[1], c = corner[2], d = corner[3];
    if (from_a) {
        sn_maker_triangle(maker, a, b, c);
        sn_maker_triangle(maker, a, c, d);
    } else {
        sn_maker_triangle(maker, a, b, d);
        sn_maker_triangle(maker, b, c, d);
    }
}

/* ---- What is asked for ---- */

sn_result sn_maker_expect_length(const char *what, const char *field, sn_real value) {
    if (!((double)value >= 1e-9 && (double)value <= 1e9))
        return sn_fail(SN_ERROR_VALUE, "%s: %s is %g, expected from 1e-9 to 1e9 m", what, field,
                       (double)value);
    return SN_OK;
}

sn_result sn_maker_expect_parts(const char *what, const char *field, uint32_t value,
                                uint32_t least) {
    if (value < least || value > 1u << 24)
        return sn_fail(SN_ERROR_VALUE, "%s: %s is %u, expected from %u to 2^24", what, field, value,
                       least);
    return SN_OK;
}

/* ---- Circles and discs ---- */

uint32_t sn_maker_circle(sn_maker *maker, double radius, double y, uint32_t count, uint32_t mark) {
    uint32_t first = (uint32_t)maker->mesh->vertex_count;
    for (uint32_t i = 0; i < count; i++) {
        double sine, cosine;
        sn_turn(i, count, &sine, &cosine);
        sn_maker_vertex(maker, (sn_point){radius * cosine, y, 0 - radius * sine}, mark);
    }
    return first;
}

/* How many vertices ring k of a disc has. */
static uint32_t ring_size(uint32_t k, uint32_t rings, uint32_t segments) {
    uint64_t size = ((uint64_t)segments * k + rings / 2) / rings;
    return size < 3 ? 3 : (uint32_t)size;
}

double sn_maker_disc_inside_count(uint32_t rings, uint32_t segments) {
    double count = 1;
    for (uint32_t k = 1; k < rings; k++) count += ring_size(k, rings, segments);
    return count;
}

uint32_t sn_maker_disc_inside(sn_maker *maker, double radius, double y, uint32_t rings,
                              uint32_t segments, uint32_t mark) {
    uint32_t first = sn_maker_vertex(maker, (sn_point){0, y, 0}, mark);
    for (uint32_t k = 1; k < rings; k++)
        sn_maker_circle(maker, radius * k / rings, y, ring_size(k, rings, segments), mark);
    return first;
}

static void put_facing(sn_maker *maker, uint32_t a, uint32_t b, uint32_t c, bool up) {
    sn_maker_triangle(maker, a, up ? b : c, up ? c : b);
}

/* Triangles between two circles of different numbers of vertices: the next one takes its step on
   the circle whose next edge has its middle first. */
static void stitch(sn_maker *maker, const uint32_t first[2], const uint32_t count[2], bool up) {
    uint64_t i = 0, j = 0, inner = count[0], outer = count[1];
    while (i < inner || j < outer) {
        bool inside = j == outer || (i < inner && (2 * i + 1) * outer < (2 * j + 1) * inner);
        uint32_t a = first[0] + (uint32_t)(i % inner), b = first[1] + (uint32_t)(j % outer);
        if (inside)
            put_facing(maker, a, b, first[0] + (uint32_t)(++i % inner), up);
        else
            put_facing(maker, a, b, first[1] + (uint32_t)(++j % outer), up);
    }
}

void sn_maker_disc_fill(sn_maker *maker, uint32_t inside, uint32_t rim, uint32_t rings,
                        uint32_t segments, bool up) {
    uint32_t first[2] = {inside + 1, rim}, count[2] = {0, segments};
    count[1] = rings > 1 ? ring_size(1, rings, segments) : segments;
    if (rings > 1) first[1] = inside + 1;
    for (uint32_t i = 0; i < count[1]; i++)
        put_facing(maker, inside, first[1] + i, first[1] + (i + 1) % count[1], up);
    for (uint32_t k = 2; k <= rings; k++) {
        first[0] = first[1];
        count[0] = count[1];
        first[1] = k < rings ? first[0] + count[0] : rim;
        count[1] = k < rings ? ring_size(k, rings, segments) : segments;
        stitch(maker, first, count, up);
    }
}
