/* From a mesh to nodes and constraints, each kind with one tet mesh call. */
#include "build.h"

#include <math.h>
#include <stdlib.h>

static sn_real distance(sn_vec3 a, sn_vec3 b) {
    double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y,
           z = (double)b.z - (double)a.z;
    return (sn_real)sqrt(x * x + y * y + z * z);
}

static sn_result create_edges(sn_world *world, const scene_material *material,
                              const scene_mesh *mesh) {
    sn_distance_def *defs = calloc(mesh->edge_count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < mesh->edge_count; i++) {
        defs[i] = sn_distance_def_default();
        for (int k = 0; k < 2; k++) defs[i].node[k] = mesh->nodes[mesh->edges[i][k]];
        defs[i].rest_length = mesh->rest_lengths[i];
        defs[i].compliance = material->compliance;
        defs[i].damping = material->damping;
    }
    sn_result result = sn_constraints_create(world, SN_TYPE_DISTANCE, defs, mesh->edge_count, NULL);
    free(defs);
    return result;
}

static sn_result create_hinges(sn_world *world, const scene_material *material,
                               const scene_mesh *mesh) {
    sn_isometric_bending_def *defs = calloc(mesh->hinge_count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < mesh->hinge_count; i++) {
        defs[i] = sn_isometric_bending_def_default();
        for (int k = 0; k < 4; k++) defs[i].node[k] = mesh->nodes[mesh->hinges[i][k]];
        defs[i].compliance = material->bending_compliance;
    }
    sn_result result =
        sn_constraints_create(world, SN_TYPE_ISOMETRIC_BENDING, defs, mesh->hinge_count, NULL);
    free(defs);
    return result;
}

static sn_result create_tets(sn_world *world, const scene_material *material,
                             const scene_mesh *mesh) {
    sn_tet_volume_def *defs = calloc(mesh->tet_count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < mesh->tet_count; i++) {
        defs[i] = sn_tet_volume_def_default();
        for (int k = 0; k < 4; k++) defs[i].node[k] = mesh->nodes[mesh->tets[i][k]];
        defs[i].compliance = material->volume_compliance;
    }
    sn_result result =
        sn_constraints_create(world, SN_TYPE_TET_VOLUME, defs, mesh->tet_count, NULL);
    free(defs);
    return result;
}

static sn_result create_elements(sn_world *world, const scene_material *material,
                                 const scene_mesh *mesh) {
    sn_neo_hookean_tet_def *defs = calloc(mesh->tet_count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < mesh->tet_count; i++) {
        defs[i] = sn_neo_hookean_tet_def_default();
        for (int k = 0; k < 4; k++) defs[i].node[k] = mesh->nodes[mesh->tets[i][k]];
        defs[i].young = material->young;
        defs[i].poisson = material->poisson;
    }
    sn_result result =
        sn_constraints_create(world, SN_TYPE_NEO_HOOKEAN_TET, defs, mesh->tet_count, NULL);
    free(defs);
    return result;
}

sn_result scene_create(sn_world *world, const sn_node_def *defs, size_t count,
                       const scene_material *material, scene_mesh *mesh) {
    sn_result result = sn_nodes_create(world, defs, count, mesh->nodes);
    if (result != SN_OK) return result;
    mesh->node_count = count;
    for (size_t i = 0; i < mesh->edge_count; i++) {
        const uint32_t *edge = mesh->edges[i];
        mesh->rest_lengths[i] = distance(defs[edge[0]].position, defs[edge[1]].position);
    }
    if (material->young > 0) return create_elements(world, material, mesh);
    if (mesh->edge_count > 0) result = create_edges(world, material, mesh);
    if (result == SN_OK && mesh->hinge_count > 0) result = create_hinges(world, material, mesh);
    if (result == SN_OK && mesh->tet_count > 0) result = create_tets(world, material, mesh);
    return result;
}

sn_result scene_finish(sn_result result, scene_mesh *made, scene_mesh *wanted) {
    if (wanted) *wanted = (scene_mesh){0};
    if (result == SN_OK && wanted)
        *wanted = *made;
    else
        scene_mesh_free(made);
    return result;
}
