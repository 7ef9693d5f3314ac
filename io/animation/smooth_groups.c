#include "io/animation/smooth_groups.h"

#include <stdlib.h>

void sn_smooth_groups_free(sn_mesh_group *groups, size_t count) {
    for (size_t i = 0; i < count; i++) free(groups[i].vertices);
    free(groups);
}

/* Marks the vertices of all levels, of which the first are those of the one before. */
static void spread(const smooth_level *levels, int level_count, uint8_t *is_member) {
    for (const smooth_level *l = levels; l < levels + level_count; l++)
        for (size_t k = 0; k < l->edge_count; k++) {
            const uint32_t *end = l->edges[k].end;
            is_member[l->before + k] = is_member[end[0]] && is_member[end[1]];
        }
}

/* The list of those that are marked; false without memory. */
static bool list_members(sn_mesh_group *group, const uint8_t *is_member, size_t vertices) {
    for (size_t i = 0; i < vertices; i++) group->capacity += is_member[i];
    group->vertices = malloc((group->capacity + 1) * sizeof *group->vertices);
    if (!group->vertices) return false;
    for (uint32_t i = 0; i < vertices; i++)
        if (is_member[i]) group->vertices[group->count++] = i;
    return true;
}

sn_mesh_group *sn_smooth_groups_make(const smooth_level *levels, int level_count,
                                     const sn_io_shape *shape) {
    size_t vertices = levels[level_count - 1].mesh.vertices;
    sn_mesh_group *groups = calloc(shape->group_count + 1, sizeof *groups);
    uint8_t *is_member = malloc(vertices + 1);
    bool made = groups && is_member;
    for (size_t i = 0; made && i < shape->group_count; i++) {
        const sn_mesh_group *from = &shape->groups[i];
        for (size_t k = 0; k < vertices; k++) is_member[k] = 0;
        for (size_t k = 0; k < from->count; k++) is_member[from->vertices[k]] = 1;
        spread(levels, level_count, is_member);
        made = list_members(&groups[i], is_member, vertices);
    }
    free(is_member);
    if (made) return groups;
    if (groups) sn_smooth_groups_free(groups, shape->group_count);
    return NULL;
}
