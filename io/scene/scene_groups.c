/* Groups of vertices of a body, as frames have them. */
#include "io/scene/scene_state.h"

#include <stdlib.h>
#include <string.h>

/* The vertices of the mesh that those of a sheet that came apart were: triangles keep their numbers
   and the order of their corners. */
static void find_origins(const sn_mesh *mesh, const sn_io_shape *view, uint32_t *origin) {
    for (uint32_t i = 0; i < mesh->vertex_count; i++) origin[i] = i;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) origin[view->triangles[i][k]] = mesh->triangles[i][k];
}

/* Of a group of the mesh that of the view. */
static bool copy_group(sn_scene *s, const sn_mesh_group *from, const sn_io_shape *view,
                       const uint32_t *origin, uint8_t *is_member, sn_mesh_group *to) {
    size_t count = 0;
    memset(is_member, 0, view->vertex_count);
    for (size_t k = 0; k < from->count; k++) is_member[from->vertices[k]] = 1;
    for (size_t k = 0; k < view->vertex_count; k++) count += is_member[origin[k]];
    *to = (sn_mesh_group){from->name, sn_scene_take(s, count + 1, sizeof *to->vertices), 0, count};
    for (uint32_t k = 0; to->vertices && k < view->vertex_count; k++)
        if (is_member[origin[k]]) to->vertices[to->count++] = k;
    return to->vertices != NULL;
}

sn_result sn_scene_show_groups(sn_scene *s, const scene_body *body, sn_io_shape *view) {
    const sn_mesh *mesh = body->mesh->embedding ? &body->mesh->visible : &body->mesh->mesh;
    view->group_count = mesh->group_count;
    view->groups = mesh->groups;
    if (view->vertex_count == mesh->vertex_count || mesh->group_count == 0) return SN_OK;
    /* Of triangles that were divided nobody says where their new corners were. */
    view->group_count = 0;
    if (view->triangle_count > mesh->triangle_count || view->vertex_count < mesh->vertex_count)
        return SN_OK;
    sn_mesh_group *groups = sn_scene_take(s, mesh->group_count, sizeof *groups);
    uint32_t *origin = calloc(view->vertex_count, sizeof *origin);
    uint8_t *is_member = malloc(view->vertex_count);
    bool made = groups && origin && is_member;
    if (made) find_origins(mesh, view, origin);
    for (size_t i = 0; made && i < mesh->group_count; i++)
        made = copy_group(s, &mesh->groups[i], view, origin, is_member, &groups[i]);
    free(origin);
    free(is_member);
    if (!made) return sn_fail(SN_ERROR_MEMORY, "no memory for %zu groups", mesh->group_count);
    view->group_count = mesh->group_count;
    view->groups = groups;
    return SN_OK;
}
