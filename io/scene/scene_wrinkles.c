/* Meshes that are finer than what is simulated, and fold on it (sinew/wrinkle_mesh.h). */
#include "io/scene/scene_parts.h"

#include "io/scene/scene_state.h"

#include <sinew/support.h>

sn_result sn_scene_make_wrinkled(sn_scene *s, const json_node *node, scene_mesh *made) {
    scene_mesh_wrinkled part = {.def = sn_wrinkle_mesh_def_default()};
    const scene_mesh *surface;
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &part));
    SN_TRY(sn_scene_get_mesh(s, part.surface, &surface));
    if (surface->mesh.triangle_count == 0 || surface->mesh.tet_count > 0)
        return sn_scene_complain(&s->reader, node,
                                 "has a surface of %zu triangles and %zu tets, expected triangles",
                                 surface->mesh.triangle_count, surface->mesh.tet_count);
    double parts = part.def.divisions;
    double vertices = (double)surface->mesh.triangle_count * (parts * parts + 3 * parts + 2) / 2;
    if (vertices > (double)s->most_nodes)
        return sn_scene_complain(&s->reader, node,
                                 "would have up to %.2g vertices, expected at most %zu", vertices,
                                 s->most_nodes);
    sn_wrinkle_mesh_def *def = sn_scene_take(s, 1, sizeof *def);
    made->embedding = sn_scene_take(s, 1, sizeof *made->embedding);
    if (!def || !made->embedding) return SN_ERROR_MEMORY;
    *def = part.def;
    *made->embedding = sn_embedding_default();
    made->wrinkles = def;
    SN_TRY(sn_mesh_copy(&surface->mesh, &made->mesh));
    return sn_mesh_divide(&made->mesh, (uint32_t)def->divisions, &made->visible, made->embedding);
}

sn_result sn_scene_bind_wrinkles(sn_scene *s, const json_node *node, const sn_build_def *build,
                                 scene_body *body) {
    const sn_mesh *mesh = &body->mesh->mesh;
    if (!body->mesh->wrinkles) return SN_OK;
    if (body->kind != SN_KIND_CLOTH)
        return sn_scene_complain(&s->reader, node,
                                 "has a wrinkled mesh, expected a material of the kind cloth");
    sn_wrinkle_mesh_def def = *body->mesh->wrinkles;
    sn_vec3 *rest = sn_scene_take(s, mesh->vertex_count + 1, sizeof *rest);
    if (!rest) return SN_ERROR_MEMORY;
    /* Lengths are all that matters, so it may be anywhere. */
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_vec3 x = mesh->positions[i];
        rest[i] = (sn_vec3){build->scale * x.x, build->scale * x.y, build->scale * x.z};
    }
    def.nodes = body->nodes;
    def.node_count = mesh->vertex_count;
    def.triangles = *mesh->triangles;
    def.triangle_count = mesh->triangle_count;
    def.rest = rest;
    sn_result result = sn_wrinkle_mesh_create(s->world, &def, &body->wrinkles);
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    return sn_scene_complain_within(&s->reader, node);
}
