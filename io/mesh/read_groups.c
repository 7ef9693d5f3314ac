/*
 * Groups while a file is read: names are found by hashing, and who belongs to which is one list of
 * pairs that is sorted at the end. So a file with many groups takes time in proportion to its size.
 */
#include "io/mesh/read.h"

#include <sinew/support.h>

#include <string.h>

typedef struct build_group {
    size_t name;   /* where it begins in the names */
    size_t length; /* of the name, without its zero */
    size_t count;  /* of pairs */
} build_group;

typedef struct build_member {
    uint32_t group, vertex;
} build_member;

uint64_t sn_io_build_key(const char *name, size_t length) {
    uint64_t hash = length;
    for (size_t i = 0; i < length; i++) hash = sn_hash_word(hash, (unsigned char)name[i]);
    return hash;
}

/* Where the group of this name is in the table, or could be. Entries are numbers of groups, from
   1. */
static uint32_t *find_entry(const sn_io_build *build, const char *name, size_t length) {
    uint32_t *table = build->table.items;
    const build_group *groups = build->groups.items;
    const char *names = build->names.items;
    size_t mask = build->table.capacity - 1;
    for (size_t at = (size_t)sn_io_build_key(name, length) & mask;; at = (at + 1) & mask) {
        if (table[at] == 0) return &table[at];
        const build_group *group = &groups[table[at] - 1];
        if (group->length == length && memcmp(names + group->name, name, length) == 0)
            return &table[at];
    }
}

/* Keeps the table at most half full. */
static sn_result grow_table(sn_io_build *build) {
    size_t count = build->groups.count;
    if (2 * (count + 1) <= build->table.capacity) return SN_OK;
    size_t capacity = build->table.capacity ? 2 * build->table.capacity : 16;
    uint32_t *table = sn_io_allocate(&build->allocator, capacity, sizeof *table);
    if (!table) return SN_ERROR_MEMORY;
    sn_io_build_list_free(build, &build->table);
    build->table =
        (sn_io_build_list){.items = table, .capacity = capacity, .element = sizeof *table};
    const build_group *groups = build->groups.items;
    for (size_t i = 0; i < count; i++)
        *find_entry(build, (char *)build->names.items + groups[i].name, groups[i].length) =
            (uint32_t)i + 1;
    return SN_OK;
}

sn_result sn_io_build_group(sn_io_build *build, const char *name, size_t length, uint32_t *group) {
    const char *zero = memchr(name, 0, length);
    if (zero) length = (size_t)(zero - name);
    if (length == 0) name = "?", length = 1;
    SN_TRY(grow_table(build));
    uint32_t *entry = find_entry(build, name, length);
    if (*entry == 0) {
        SN_TRY(sn_io_build_list_reserve(build, &build->names, length + 1, 1));
        SN_TRY(sn_io_build_list_reserve(build, &build->groups, 1, sizeof(build_group)));
        char *end = (char *)build->names.items + build->names.count;
        memcpy(end, name, length);
        end[length] = 0;
        build_group *groups = build->groups.items;
        groups[build->groups.count++] = (build_group){.name = build->names.count, .length = length};
        build->names.count += length + 1;
        *entry = (uint32_t)build->groups.count;
    }
    *group = *entry - 1;
    return SN_OK;
}

sn_result sn_io_build_members(sn_io_build *build, uint32_t group, const uint32_t *vertices,
                              size_t count) {
    SN_TRY(sn_io_build_list_reserve(build, &build->members, count, sizeof(build_member)));
    build_member *members = build->members.items;
    for (size_t i = 0; i < count; i++)
        members[build->members.count++] = (build_member){group, vertices[i]};
    ((build_group *)build->groups.items)[group].count += count;
    return SN_OK;
}

sn_result sn_io_build_weights(sn_io_build *build, const char *name, size_t length, uint32_t first,
                              const double *values, size_t count) {
    uint32_t group = 0;
    size_t members = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] >= 0 && values[i] <= 1)) return SN_OK;
        members += values[i] > 0.5;
    }
    if (members > 0) SN_TRY(sn_io_build_group(build, name, length, &group));
    for (uint32_t i = 0; members > 0 && i < count; i++) {
        uint32_t vertex = first + i;
        if (values[i] > 0.5) SN_TRY(sn_io_build_members(build, group, &vertex, 1));
    }
    return SN_OK;
}

void sn_io_build_map_members(sn_io_build *build, const uint32_t *map) {
    build_member *members = build->members.items;
    for (size_t i = 0; i < build->members.count; i++) members[i].vertex = map[members[i].vertex];
}

/* The pairs in the order of their groups, and within a group as they came. */
static uint32_t *sort_members(sn_io_build *build) {
    build_group *groups = build->groups.items;
    const build_member *members = build->members.items;
    uint32_t *sorted = sn_io_allocate(&build->allocator, build->members.count, sizeof *sorted);
    size_t *ends = sn_io_allocate(&build->allocator, build->groups.count + 1, sizeof *ends);
    if (sorted && ends) {
        size_t end = 0;
        for (size_t i = 0; i < build->groups.count; end += groups[i++].count) ends[i] = end;
        for (size_t i = 0; i < build->members.count; i++)
            sorted[ends[members[i].group]++] = members[i].vertex;
    } else {
        sn_io_free(&build->allocator, sorted, build->members.count, sizeof *sorted);
        sorted = NULL;
    }
    sn_io_free(&build->allocator, ends, build->groups.count + 1, sizeof *ends);
    return sorted;
}

/* One group of the mesh from vertices, those left out that are in it already: seen[v] is the number
   of the last group that had vertex v. */
static sn_result finish_group(sn_io_build *build, size_t index, uint32_t *list, uint32_t *seen) {
    const build_group *from = (build_group *)build->groups.items + index;
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++) {
        uint32_t vertex = list[i];
        if (seen[vertex] == index + 1) continue;
        seen[vertex] = (uint32_t)index + 1;
        list[count++] = vertex;
    }
    if (count == 0) return SN_OK;
    sn_mesh *mesh = &build->mesh;
    char *name = sn_io_allocate(&build->allocator, from->length + 1, 1);
    uint32_t *vertices = name ? sn_io_allocate(&build->allocator, count, sizeof *vertices) : NULL;
    if (!vertices) {
        sn_io_free(&build->allocator, name, from->length + 1, 1);
        return SN_ERROR_MEMORY;
    }
    memcpy(name, (char *)build->names.items + from->name, from->length + 1);
    memcpy(vertices, list, count * sizeof *vertices);
    mesh->groups[mesh->group_count++] = (sn_mesh_group){name, vertices, count, count};
    return SN_OK;
}

sn_result sn_io_build_finish_groups(sn_io_build *build) {
    sn_mesh *mesh = &build->mesh;
    if (build->members.count == 0) return SN_OK;
    if (!sn_io_reserve(&build->allocator, (void **)&mesh->groups, &mesh->capacity[BUILD_GROUPS],
                       build->groups.count, sizeof *mesh->groups))
        return SN_ERROR_MEMORY;
    uint32_t *sorted = sort_members(build);
    uint32_t *seen = sn_io_allocate(&build->allocator, mesh->vertex_count, sizeof *seen);
    sn_result result = sorted && seen ? SN_OK : SN_ERROR_MEMORY;
    const build_group *groups = build->groups.items;
    size_t start = 0;
    for (size_t i = 0; result == SN_OK && i < build->groups.count; start += groups[i++].count)
        result = finish_group(build, i, sorted + start, seen);
    sn_io_free(&build->allocator, seen, mesh->vertex_count, sizeof *seen);
    sn_io_free(&build->allocator, sorted, build->members.count, sizeof *sorted);
    return result;
}
