/* The boundary of tets: the faces that only one of them has, seen from outside. */
#include "io/mesh/mesh_write.h"

#include "io/mesh/memory.h"

#include <sinew/support.h>

#include <stdlib.h>

/* A face by its corners in rising order, so that the two sides of it are equal. */
typedef struct tet_face {
    uint32_t corners[3];
    uint32_t side; /* of its tet */
    size_t tet;
} tet_face;

/* Corners of the faces of a tet, anticlockwise from outside. */
static const int sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static int compare_corners(const tet_face *a, const tet_face *b) {
    for (int k = 0; k < 3; k++)
        if (a->corners[k] != b->corners[k]) return a->corners[k] < b->corners[k] ? -1 : 1;
    return 0;
}

static int compare_faces(const void *left, const void *right) {
    const tet_face *a = left, *b = right;
    int order = compare_corners(a, b);
    if (order != 0) return order;
    if (a->tet != b->tet) return a->tet < b->tet ? -1 : 1;
    return (a->side > b->side) - (a->side < b->side);
}

static int compare_places(const void *left, const void *right) {
    const tet_face *a = left, *b = right;
    if (a->tet != b->tet) return a->tet < b->tet ? -1 : 1;
    return (a->side > b->side) - (a->side < b->side);
}

static void swap_if_greater(uint32_t *a, uint32_t *b) {
    if (*a <= *b) return;
    uint32_t swap = *a;
    *a = *b;
    *b = swap;
}

/* The faces that are there once, to the front, in the order of the tets. */
static size_t find_boundary(const sn_mesh *mesh, tet_face *faces) {
    size_t count = 4 * mesh->tet_count, kept = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *tet = mesh->tets[i / 4];
        const int *side = sides[i % 4];
        tet_face *face = &faces[i];
        face->tet = i / 4;
        face->side = i % 4;
        for (int k = 0; k < 3; k++) face->corners[k] = tet[side[k]];
        swap_if_greater(&face->corners[0], &face->corners[1]);
        swap_if_greater(&face->corners[1], &face->corners[2]);
        swap_if_greater(&face->corners[0], &face->corners[1]);
    }
    qsort(faces, count, sizeof *faces, compare_faces);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && compare_corners(&faces[i], &faces[end]) == 0;) end++;
        if (end == i + 1) faces[kept++] = faces[i];
    }
    qsort(faces, kept, sizeof *faces, compare_places);
    return kept;
}

/* The new number of every vertex that is used, counted from 1; they keep their order. */
static sn_result add_vertices(const sn_mesh *mesh, const tet_face *faces, size_t count,
                              uint32_t *map, sn_mesh *surface, uint32_t *origins) {
    uint32_t next = 0;
    for (size_t i = 0; i < 3 * count; i++) map[faces[i / 3].corners[i % 3]] = 1;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        if (map[i] == 0) continue;
        SN_TRY(sn_mesh_add_vertices(surface, &mesh->positions[i], 1));
        if (origins) origins[next] = (uint32_t)i;
        map[i] = ++next;
    }
    return SN_OK;
}

static sn_result add_groups(const sn_mesh *mesh, const uint32_t *map, uint32_t *scratch,
                            sn_mesh *surface) {
    for (size_t i = 0; i < mesh->group_count; i++) {
        const sn_mesh_group *group = &mesh->groups[i];
        size_t count = 0;
        for (size_t k = 0; k < group->count; k++)
            if (map[group->vertices[k]] > 0) scratch[count++] = map[group->vertices[k]] - 1;
        if (count > 0) SN_TRY(sn_mesh_add_group(surface, group->name, scratch, count));
    }
    return SN_OK;
}

static sn_result fill(const sn_mesh *mesh, tet_face *faces, uint32_t *map, uint32_t *scratch,
                      sn_mesh *surface, uint32_t *origins) {
    size_t count = find_boundary(mesh, faces);
    SN_TRY(add_vertices(mesh, faces, count, map, surface, origins));
    for (size_t i = 0; i < count; i++) {
        const uint32_t *tet = mesh->tets[faces[i].tet];
        const int *side = sides[faces[i].side];
        const uint32_t triangle[1][3] = {
            {map[tet[side[0]]] - 1, map[tet[side[1]]] - 1, map[tet[side[2]]] - 1}};
        SN_TRY(sn_mesh_add_triangles(surface, triangle, 1));
    }
    return add_groups(mesh, map, scratch, surface);
}

sn_result sn_mesh_surface_of(const sn_mesh *mesh, sn_mesh *surface, uint32_t *origins) {
    sn_allocator allocator = sn_allocator_default();
    tet_face *faces = sn_io_allocate(&allocator, mesh->tet_count, 4 * sizeof *faces);
    uint32_t *map = sn_io_allocate(&allocator, mesh->vertex_count, sizeof *map);
    uint32_t *scratch = sn_io_allocate(&allocator, mesh->vertex_count, sizeof *scratch);
    sn_result result = SN_ERROR_MEMORY;
    if (faces && map && scratch) result = fill(mesh, faces, map, scratch, surface, origins);
    sn_io_free(&allocator, faces, mesh->tet_count, 4 * sizeof *faces);
    sn_io_free(&allocator, map, mesh->vertex_count, sizeof *map);
    sn_io_free(&allocator, scratch, mesh->vertex_count, sizeof *scratch);
    if (result != SN_OK) sn_mesh_free(surface);
    return result;
}
