#include "base/error.h"
#include "geometry/mesh_access.h"

#include <math.h>
#include <string.h>

/* The places of sn_mesh.capacity. */
enum { VERTICES, TRIANGLES, TETS, LINES, GROUPS };

sn_mesh sn_mesh_default(void) {
    return (sn_mesh){.size = sizeof(sn_mesh)};
}

sn_memory sn_mesh_memory(const sn_mesh *mesh) {
    return (sn_memory){.allocator =
                           mesh->allocator.reallocate ? mesh->allocator : sn_allocator_default()};
}

sn_result sn_mesh_expect(const sn_mesh *mesh) {
    if (!mesh) return sn_fail(SN_ERROR_NULL, "mesh is null");
    if (mesh->size != sizeof(sn_mesh))
        return sn_fail(SN_ERROR_DEFINITION,
                       "mesh: its size is %zu, expected %zu: begin with sn_mesh_default",
                       mesh->size, sizeof(sn_mesh));
    return SN_OK;
}

sn_result sn_mesh_expect_empty(const sn_mesh *mesh) {
    SN_TRY(sn_mesh_expect(mesh));
    if (mesh->vertex_count > 0 || mesh->group_count > 0)
        return sn_fail(SN_ERROR_VALUE,
                       "mesh: it has %zu vertices and %zu groups, expected an empty mesh",
                       mesh->vertex_count, mesh->group_count);
    return SN_OK;
}

static sn_result expect_indices(const sn_mesh *mesh, const char *what, const uint32_t *indices,
                                size_t count, size_t corners) {
    if (count > (size_t)1 << 30)
        return sn_fail(SN_ERROR_LIMIT, "mesh: it has %zu %ss, expected at most 2^30", count, what);
    for (size_t i = 0; i < count * corners; i++)
        if (indices[i] >= mesh->vertex_count)
            return sn_fail(SN_ERROR_VALUE,
                           "mesh: %s %zu uses vertex %u, but the mesh has %zu vertices", what,
                           i / corners, indices[i], mesh->vertex_count);
    return SN_OK;
}

sn_result sn_mesh_expect_sound(const sn_mesh *mesh) {
    SN_TRY(sn_mesh_expect(mesh));
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_vec3 x = mesh->positions[i];
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
            return sn_fail(SN_ERROR_VALUE,
                           "mesh: vertex %zu is at %g %g %g, expected finite numbers", i,
                           (double)x.x, (double)x.y, (double)x.z);
    }
    SN_TRY(expect_indices(mesh, "triangle", (const uint32_t *)mesh->triangles, mesh->triangle_count,
                          3));
    SN_TRY(expect_indices(mesh, "tet", (const uint32_t *)mesh->tets, mesh->tet_count, 4));
    SN_TRY(expect_indices(mesh, "line", (const uint32_t *)mesh->lines, mesh->line_count, 2));
    for (size_t i = 0; i < mesh->group_count; i++) {
        const sn_mesh_group *group = &mesh->groups[i];
        SN_TRY(expect_indices(mesh, "member of a group", group->vertices, group->count, 1));
    }
    return SN_OK;
}

void sn_mesh_free(sn_mesh *mesh) {
    if (!mesh || mesh->size != sizeof(sn_mesh)) return;
    sn_memory memory = sn_mesh_memory(mesh);
    for (size_t i = 0; i < mesh->group_count; i++) {
        sn_mesh_group *group = &mesh->groups[i];
        sn_free(&memory, group->name, strlen(group->name) + 1, 1);
        sn_free(&memory, group->vertices, group->capacity, sizeof *group->vertices);
    }
    sn_free(&memory, mesh->groups, mesh->capacity[GROUPS], sizeof *mesh->groups);
    sn_free(&memory, mesh->positions, mesh->capacity[VERTICES], sizeof *mesh->positions);
    sn_free(&memory, mesh->triangles, mesh->capacity[TRIANGLES], sizeof *mesh->triangles);
    sn_free(&memory, mesh->tets, mesh->capacity[TETS], sizeof *mesh->tets);
    sn_free(&memory, mesh->lines, mesh->capacity[LINES], sizeof *mesh->lines);
    sn_allocator allocator = mesh->allocator;
    *mesh = sn_mesh_default();
    mesh->allocator = allocator;
}

/* Makes an array longer by what is given, which may be in the array itself, and so go elsewhere
   with it; returns where that is then, or null without memory. */
static const void *lengthen(sn_mesh *mesh, int which, void **array, size_t length,
                            const void *given, size_t count, size_t element) {
    sn_memory memory = sn_mesh_memory(mesh);
    const uintptr_t begin = (uintptr_t)*array, at = (uintptr_t)given;
    const bool is_own = *array && at >= begin && at < begin + length * element;
    if (!sn_reserve(&memory, array, &mesh->capacity[which], length + count, element)) return NULL;
    return is_own ? (const char *)*array + (at - begin) : given;
}

sn_result sn_mesh_add_vertices(sn_mesh *mesh, const sn_vec3 *positions, size_t count) {
    SN_TRY(sn_mesh_expect(mesh));
    if (count > UINT32_MAX - mesh->vertex_count)
        return sn_fail(SN_ERROR_LIMIT,
                       "mesh: %zu more vertices than the %zu there are, but a mesh "
                       "has at most %u",
                       count, mesh->vertex_count, UINT32_MAX);
    for (size_t i = 0; positions && i < count; i++) {
        sn_vec3 x = positions[i];
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
            return sn_fail(SN_ERROR_VALUE,
                           "mesh: vertex %zu is at %g %g %g, expected finite numbers",
                           mesh->vertex_count + i, (double)x.x, (double)x.y, (double)x.z);
    }
    static const char none;
    const void *from =
        lengthen(mesh, VERTICES, (void **)&mesh->positions, mesh->vertex_count,
                 positions ? (const void *)positions : &none, count, sizeof *mesh->positions);
    if (!from) return SN_ERROR_MEMORY;
    sn_vec3 *end = mesh->positions + mesh->vertex_count;
    if (count > 0 && positions) memcpy(end, from, count * sizeof *positions);
    for (size_t i = 0; !positions && i < count; i++) end[i] = (sn_vec3){0, 0, 0};
    mesh->vertex_count += count;
    return SN_OK;
}

sn_result sn_mesh_reserve(sn_mesh *mesh, sn_mesh_room room) {
    sn_memory memory = sn_mesh_memory(mesh);
    bool there = sn_reserve(&memory, (void **)&mesh->positions, &mesh->capacity[VERTICES],
                            mesh->vertex_count + room.vertices, sizeof *mesh->positions) &&
                 sn_reserve(&memory, (void **)&mesh->triangles, &mesh->capacity[TRIANGLES],
                            mesh->triangle_count + room.triangles, sizeof *mesh->triangles) &&
                 sn_reserve(&memory, (void **)&mesh->tets, &mesh->capacity[TETS],
                            mesh->tet_count + room.tets, sizeof *mesh->tets) &&
                 sn_reserve(&memory, (void **)&mesh->lines, &mesh->capacity[LINES],
                            mesh->line_count + room.lines, sizeof *mesh->lines);
    return there ? SN_OK : SN_ERROR_MEMORY;
}

/* One kind of element: an array of `corners` indices each. */
static sn_result add_elements(sn_mesh *mesh, const char *what, int which, void **array,
                              size_t *length, const uint32_t *indices, size_t count,
                              size_t corners) {
    if (count > 0 && !indices) return sn_fail(SN_ERROR_NULL, "mesh: %ss is null", what);
    if (count > SIZE_MAX / (corners * sizeof *indices) - *length)
        return sn_fail(SN_ERROR_LIMIT, "mesh: %zu %ss are more than memory can hold", count, what);
    for (size_t i = 0; i < count * corners; i++)
        if (indices[i] >= mesh->vertex_count)
            return sn_fail(SN_ERROR_VALUE,
                           "mesh: %s %zu uses vertex %u, but the mesh has %zu vertices", what,
                           *length + i / corners, indices[i], mesh->vertex_count);
    if (count == 0) return SN_OK;
    size_t element = corners * sizeof *indices;
    const void *from = lengthen(mesh, which, array, *length, indices, count, element);
    if (!from) return SN_ERROR_MEMORY;
    memcpy((char *)*array + *length * element, from, count * element);
    *length += count;
    return SN_OK;
}

sn_result sn_mesh_add_triangles(sn_mesh *mesh, const uint32_t (*triangles)[3], size_t count) {
    SN_TRY(sn_mesh_expect(mesh));
    return add_elements(mesh, "triangle", TRIANGLES, (void **)&mesh->triangles,
                        &mesh->triangle_count, triangles ? *triangles : NULL, count, 3);
}

sn_result sn_mesh_add_tets(sn_mesh *mesh, const uint32_t (*tets)[4], size_t count) {
    SN_TRY(sn_mesh_expect(mesh));
    return add_elements(mesh, "tet", TETS, (void **)&mesh->tets, &mesh->tet_count,
                        tets ? *tets : NULL, count, 4);
}

sn_result sn_mesh_add_lines(sn_mesh *mesh, const uint32_t (*lines)[2], size_t count) {
    SN_TRY(sn_mesh_expect(mesh));
    return add_elements(mesh, "line", LINES, (void **)&mesh->lines, &mesh->line_count,
                        lines ? *lines : NULL, count, 2);
}

const sn_mesh_group *sn_mesh_find_group(const sn_mesh *mesh, const char *name) {
    if (sn_mesh_expect(mesh) != SN_OK || !name) return NULL;
    for (size_t i = 0; i < mesh->group_count; i++)
        if (strcmp(mesh->groups[i].name, name) == 0) return &mesh->groups[i];
    return NULL;
}

/* A new, empty group at the end of the list; null when there is no memory. */
static sn_mesh_group *new_group(sn_mesh *mesh, sn_memory *memory, const char *name) {
    size_t length = strlen(name) + 1;
    if (!sn_reserve(memory, (void **)&mesh->groups, &mesh->capacity[GROUPS], mesh->group_count + 1,
                    sizeof *mesh->groups))
        return NULL;
    char *copy = sn_allocate(memory, length, 1);
    if (!copy) return NULL;
    memcpy(copy, name, length);
    sn_mesh_group *group = &mesh->groups[mesh->group_count++];
    *group = (sn_mesh_group){.name = copy};
    return group;
}

static sn_result extend_group(sn_mesh *mesh, sn_memory *memory, sn_mesh_group *group,
                              const uint32_t *vertices, size_t count) {
    uint8_t *there = sn_allocate(memory, mesh->vertex_count + 1, 1);
    if (!there) return SN_ERROR_MEMORY;
    size_t total = group->count;
    for (size_t i = 0; i < group->count; i++) there[group->vertices[i]] = 1;
    for (size_t i = 0; i < count; i++) total += !there[vertices[i]], there[vertices[i]] = 1;
    uint32_t *list = total > 0 ? sn_allocate(memory, total, sizeof *list) : NULL;
    if (list) {
        if (group->count > 0) memcpy(list, group->vertices, group->count * sizeof *list);
        memset(there, 0, mesh->vertex_count + 1);
        for (size_t i = 0; i < group->count; i++) there[list[i]] = 1;
        size_t end = group->count;
        for (size_t i = 0; i < count; i++) {
            if (!there[vertices[i]]) list[end++] = vertices[i];
            there[vertices[i]] = 1;
        }
    }
    sn_free(memory, there, mesh->vertex_count + 1, 1);
    if (total > 0 && !list) return SN_ERROR_MEMORY;
    sn_free(memory, group->vertices, group->capacity, sizeof *list);
    group->vertices = list;
    group->count = group->capacity = total;
    return SN_OK;
}

sn_result sn_mesh_add_group(sn_mesh *mesh, const char *name, const uint32_t *vertices,
                            size_t count) {
    SN_TRY(sn_mesh_expect(mesh));
    if (!name || (count > 0 && !vertices))
        return sn_fail(SN_ERROR_NULL, "mesh: the %s of a group is null", name ? "list" : "name");
    if (!*name) return sn_fail(SN_ERROR_VALUE, "mesh: the name of a group is empty");
    for (size_t i = 0; i < count; i++)
        if (vertices[i] >= mesh->vertex_count)
            return sn_fail(SN_ERROR_VALUE,
                           "mesh: group \"%.64s\" has vertex %u, but the mesh has %zu vertices",
                           name, vertices[i], mesh->vertex_count);
    sn_memory memory = sn_mesh_memory(mesh);
    sn_mesh_group *group = (sn_mesh_group *)(uintptr_t)sn_mesh_find_group(mesh, name);
    bool is_new = !group;
    if (is_new) group = new_group(mesh, &memory, name);
    if (!group) return SN_ERROR_MEMORY;
    sn_result result = extend_group(mesh, &memory, group, vertices, count);
    if (result != SN_OK && is_new) {
        sn_free(&memory, group->name, strlen(group->name) + 1, 1);
        mesh->group_count--;
    }
    return result;
}

static sn_result copy_into(const sn_mesh *mesh, sn_mesh *copy) {
    SN_TRY(sn_mesh_add_vertices(copy, mesh->positions, mesh->vertex_count));
    SN_TRY(
        sn_mesh_add_triangles(copy, (const uint32_t(*)[3])mesh->triangles, mesh->triangle_count));
    SN_TRY(sn_mesh_add_tets(copy, (const uint32_t(*)[4])mesh->tets, mesh->tet_count));
    SN_TRY(sn_mesh_add_lines(copy, (const uint32_t(*)[2])mesh->lines, mesh->line_count));
    for (size_t i = 0; i < mesh->group_count; i++) {
        const sn_mesh_group *group = &mesh->groups[i];
        SN_TRY(sn_mesh_add_group(copy, group->name, group->vertices, group->count));
    }
    return SN_OK;
}

sn_result sn_mesh_copy(const sn_mesh *mesh, sn_mesh *copy) {
    SN_TRY(sn_mesh_expect(mesh));
    SN_TRY(sn_mesh_expect_empty(copy));
    sn_result result = copy_into(mesh, copy);
    if (result != SN_OK) sn_mesh_free(copy);
    return result;
}
