/* The mesh of a scene: its lists, its positions and its strain. */
#include "build.h"

#include <math.h>
#include <stdlib.h>

bool scene_mesh_reserve(scene_mesh *mesh, size_t nodes, size_t edges, size_t triangles,
                        size_t hinges, size_t tets) {
    /* One element more, since an allocation of nothing may be null. */
    *mesh = (scene_mesh){
        .nodes = calloc(nodes + 1, sizeof *mesh->nodes),
        .edges = calloc(edges + 1, sizeof *mesh->edges),
        .rest_lengths = calloc(edges + 1, sizeof *mesh->rest_lengths),
        .triangles = calloc(triangles + 1, sizeof *mesh->triangles),
        .hinges = calloc(hinges + 1, sizeof *mesh->hinges),
        .tets = calloc(tets + 1, sizeof *mesh->tets),
    };
    return mesh->nodes && mesh->edges && mesh->rest_lengths && mesh->triangles && mesh->hinges &&
           mesh->tets;
}

void scene_mesh_free(scene_mesh *mesh) {
    if (!mesh) return;
    free(mesh->nodes);
    free(mesh->edges);
    free(mesh->rest_lengths);
    free(mesh->triangles);
    free(mesh->hinges);
    free(mesh->tets);
    *mesh = (scene_mesh){0};
}

void scene_add_edge(scene_mesh *mesh, uint32_t a, uint32_t b) {
    uint32_t *edge = mesh->edges[mesh->edge_count++];
    edge[0] = a;
    edge[1] = b;
}

void scene_add_triangle(scene_mesh *mesh, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *triangle = mesh->triangles[mesh->triangle_count++];
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

static void set_four(uint32_t four[4], uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    four[0] = a;
    four[1] = b;
    four[2] = c;
    four[3] = d;
}

void scene_add_hinge(scene_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    set_four(mesh->hinges[mesh->hinge_count++], a, b, c, d);
}

void scene_add_tet(scene_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    set_four(mesh->tets[mesh->tet_count++], a, b, c, d);
}

sn_result scene_mesh_positions(const sn_world *world, const scene_mesh *mesh, sn_vec3 *positions) {
    sn_node_view view;
    sn_result result = sn_world_nodes(world, &view);
    if (result != SN_OK) return result;
    for (size_t i = 0; i < mesh->node_count; i++) {
        sn_vec4 x = view.position[mesh->nodes[i].slot - 1];
        positions[i] = (sn_vec3){x.x, x.y, x.z};
    }
    return SN_OK;
}

double scene_mean_strain(const sn_world *world, const scene_mesh *mesh) {
    sn_node_view view;
    if (mesh->edge_count == 0 || sn_world_nodes(world, &view) != SN_OK) return 0;
    double sum = 0;
    for (size_t i = 0; i < mesh->edge_count; i++) {
        sn_vec4 a = view.position[mesh->nodes[mesh->edges[i][0]].slot - 1];
        sn_vec4 b = view.position[mesh->nodes[mesh->edges[i][1]].slot - 1];
        double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y,
               z = (double)b.z - (double)a.z;
        sum += fabs(sqrt(x * x + y * y + z * z) / (double)mesh->rest_lengths[i] - 1);
    }
    return sum / (double)mesh->edge_count;
}
