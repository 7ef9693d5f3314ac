/* Air meshes between bodies of a scene (sinew/air_mesh.h): their nodes, and the triangles and lines
   of their meshes. */
#include "io/scene/scene_state.h"

#include <stdlib.h>

typedef struct lists {
    sn_node *nodes;
    uint32_t *triangles, *edges;
    size_t node_count, triangle_count, edge_count;
} lists;

static sn_result find_bodies(sn_scene *s, const json_node *node, const scene_body **found,
                             size_t *count) {
    sn_suggestion guess = {0};
    *found = sn_scene_find_copies(s, node->text, count);
    if (*found) return SN_OK;
    if (sn_scene_is_broken(s, node->text)) return SN_ERROR_DATA;
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_body *b = &s->bodies.items[i];
        if (b->group) sn_suggest(&guess, node->text, b->group);
        sn_suggest(&guess, node->text, b->name);
    }
    return sn_scene_complain(&s->reader, node, "there is no body \"%.64s\"%s%s%s", node->text,
                             guess.word ? "; did you mean \"" : "", guess.word ? guess.word : "",
                             guess.word ? "\"?" : "");
}

static bool grow(void **array, size_t count, size_t size) {
    void *grown = realloc(*array, (count + 1) * size);
    if (grown) *array = grown;
    return grown != NULL;
}

static sn_result add_mesh(const sn_mesh *mesh, const sn_node *nodes, lists *all) {
    size_t first = all->node_count;
    if (!grow((void **)&all->nodes, first + mesh->vertex_count, sizeof *all->nodes) ||
        !grow((void **)&all->triangles, 3 * (all->triangle_count + mesh->triangle_count),
              sizeof *all->triangles) ||
        !grow((void **)&all->edges, 2 * (all->edge_count + mesh->line_count), sizeof *all->edges))
        return SN_ERROR_MEMORY;
    for (size_t i = 0; i < mesh->vertex_count; i++) all->nodes[all->node_count++] = nodes[i];
    for (size_t t = 0; t < mesh->triangle_count; t++, all->triangle_count++)
        for (size_t k = 0; k < 3; k++)
            all->triangles[3 * all->triangle_count + k] = (uint32_t)first + mesh->triangles[t][k];
    for (size_t t = 0; t < mesh->line_count; t++, all->edge_count++)
        for (size_t k = 0; k < 2; k++)
            all->edges[2 * all->edge_count + k] = (uint32_t)first + mesh->lines[t][k];
    return SN_OK;
}

/* Of solids the surface. */
static sn_result add_body(const scene_body *body, lists *all) {
    const sn_mesh *mesh = &body->mesh->mesh;
    if (mesh->tet_count == 0) return add_mesh(mesh, body->nodes, all);
    sn_mesh surface = sn_mesh_default();
    sn_result result = sn_mesh_add_vertices(&surface, NULL, mesh->vertex_count);
    if (result == SN_OK)
        result = sn_mesh_add_tets(&surface, (const uint32_t(*)[4])mesh->tets, mesh->tet_count);
    if (result == SN_OK) result = sn_mesh_surface(&surface);
    if (result == SN_OK) result = add_mesh(&surface, body->nodes, all);
    sn_mesh_free(&surface);
    return result;
}

static sn_result make(sn_scene *s, const json_node *node, scene_air_mesh_part *part, lists *all) {
    sn_air_mesh air_mesh;
    for (size_t i = 0; i < part->bodies->count; i++) {
        const scene_body *bodies;
        size_t count;
        SN_TRY(find_bodies(s, &part->bodies->items[i], &bodies, &count));
        for (size_t k = 0; k < count; k++) SN_TRY(add_body(&bodies[k], all));
    }
    part->def.nodes = all->nodes;
    part->def.node_count = all->node_count;
    part->def.triangles = all->triangles;
    part->def.triangle_count = all->triangle_count;
    part->def.edges = all->edges;
    part->def.edge_count = all->edge_count;
    sn_result result = sn_air_mesh_create(s->world, &part->def, &air_mesh);
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    return sn_scene_complain_within(&s->reader, node);
}

sn_result sn_scene_build_air_mesh(sn_scene *s, const json_node *node) {
    scene_air_mesh_part part = {.def = sn_air_mesh_def_default()};
    lists all = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.air_mesh, &part));
    sn_result result = make(s, node, &part, &all);
    free(all.nodes);
    free(all.triangles);
    free(all.edges);
    return result;
}
