/*
 * Surfaces that follow bodies with more than places (sinew/skinning.h). Of oriented bodies the mesh
 * of the scene says which vertices follow which nodes; how far they turn is known from the body,
 * whose frames are only there when it is built. Of tets all is known from the mesh, since gradients
 * tell how a body has been placed.
 */
#include "io/scene/scene_parts.h"

#include "io/mesh/memory.h"
#include "io/scene/point.h"
#include "io/scene/scene_state.h"

#include <sinew/attach.h>
#include <sinew/skinning.h>
#include <sinew/support.h>

#include <math.h>

enum { FOLLOWS = 4 };

/* The weights as those of an embedding, for what is carried without turning: velocities, strain. */
static sn_result copy_weights(const sn_blend *blend, sn_embedding *e) {
    sn_allocator allocator = sn_allocator_default();
    size_t count = e->count = blend->count;
    e->tets = sn_io_allocate(&allocator, count, sizeof *e->tets);
    e->vertices = sn_io_allocate(&allocator, count, sizeof *e->vertices);
    e->weights = sn_io_allocate(&allocator, count, sizeof *e->weights);
    if (!e->tets || !e->vertices || !e->weights) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < blend->most; k++) {
            e->vertices[i][k] = blend->particles[blend->most * i + k];
            e->weights[i][k] = blend->weights[blend->most * i + k];
        }
    return SN_OK;
}

sn_result sn_scene_make_skinned(sn_scene *s, const json_node *node, scene_mesh *made) {
    scene_mesh_skinned part = {0};
    const scene_mesh *surface, *graph;
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &part));
    SN_TRY(sn_scene_get_mesh(s, part.surface, &surface));
    SN_TRY(sn_scene_get_mesh(s, part.graph, &graph));
    SN_TRY(sn_mesh_copy(&surface->mesh, &made->visible));
    SN_TRY(sn_mesh_copy(&graph->mesh, &made->mesh));
    made->colours = surface->colours;
    made->look = surface->look;
    made->materials = surface->materials;
    made->skinned = true;
    made->embedding = sn_scene_take(s, 1, sizeof *made->embedding);
    if (!made->embedding) return SN_ERROR_MEMORY;
    *made->embedding = sn_embedding_default();
    sn_blend blend = sn_blend_default();
    sn_result result = sn_blend_bind(&made->visible, made->mesh.positions, NULL,
                                     made->mesh.vertex_count, FOLLOWS, &blend);
    if (result == SN_OK) result = copy_weights(&blend, made->embedding);
    sn_blend_free(&blend);
    return result;
}

/* Where the body has put its mesh. */
static void place(sn_mesh *mesh, sn_vec3 position, sn_quat rotation, double scale) {
    double q[4] = {(double)rotation.x, (double)rotation.y, (double)rotation.z, (double)rotation.w};
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) q[k] /= norm;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_io_point v = sn_io_point_scaled(sn_io_point_of(mesh->positions[i]), scale);
        mesh->positions[i] =
            sn_io_point_vec3(sn_io_point_add(sn_io_point_of(position), sn_io_point_rotated(q, v)));
    }
}

/* Vertices whose nodes are gone keep what they had. */
static bool read_frames(const sn_scene *s, const scene_body *body, sn_vec3 *x) {
    bool oriented = true;
    for (size_t i = 0; i < body->mesh->mesh.vertex_count; i++) {
        sn_node_def def;
        if (!sn_node_is_valid(s->world, body->nodes[i]) ||
            sn_node_get(s->world, body->nodes[i], &def) != SN_OK)
            continue;
        oriented = oriented && def.oriented;
        if (x) x[i] = def.position;
        if (def.oriented) body->frames[i] = def.orientation;
    }
    return oriented;
}

/* Of rods with ghost points, which have frames and widths without orientations. */
static bool read_ghosts(const sn_scene *s, const scene_body *body) {
    return body->kind == SN_KIND_ROD &&
           sn_rod_frames(s->world, body->nodes, body->mesh->mesh.vertex_count, body->frames,
                         body->scales) == SN_OK;
}

sn_result sn_scene_bind_skinned(sn_scene *s, const json_node *node, const sn_build_def *def,
                                scene_body *body) {
    size_t count = body->mesh->mesh.vertex_count;
    if (!body->mesh->skinned) return SN_OK;
    sn_vec3 *x = sn_scene_take(s, count, sizeof *x);
    body->frames = sn_scene_take(s, count, sizeof *body->frames);
    body->scales = sn_scene_take(s, count, sizeof *body->scales);
    body->blend = sn_scene_take(s, 1, sizeof *body->blend);
    if (!x || !body->frames || !body->scales || !body->blend) return SN_ERROR_MEMORY;
    *body->blend = sn_blend_default();
    for (size_t i = 0; i < count; i++) body->scales[i] = (sn_vec3){1, 1, 1};
    if (!read_frames(s, body, x) && !read_ghosts(s, body))
        return sn_scene_complain(
            &s->reader, node, "has a skinned mesh, expected a material whose nodes are oriented");
    sn_mesh seen = sn_mesh_default();
    sn_result result = sn_mesh_copy(&body->mesh->visible, &seen);
    if (result == SN_OK) {
        place(&seen, def->position, def->rotation, (double)def->scale);
        result = sn_blend_bind(&seen, x, body->frames, count, FOLLOWS, body->blend);
    }
    sn_mesh_free(&seen);
    return result;
}

sn_result sn_scene_apply_skinned(const sn_scene *s, const scene_body *body, const sn_vec3 *nodes,
                                 sn_vec3 *points) {
    if (!read_frames(s, body, NULL)) (void)read_ghosts(s, body);
    return sn_blend_apply_scaled(body->blend, nodes, body->frames, body->scales, points, NULL);
}

sn_result sn_scene_blend_tets(sn_scene *s, scene_mesh *made) {
    made->blend = sn_scene_take(s, 1, sizeof *made->blend);
    if (!made->blend) return SN_ERROR_MEMORY;
    *made->blend = sn_blend_default();
    return sn_blend_bind_tets(&made->visible, &made->mesh, made->blend);
}

void sn_scene_free_skinned(sn_scene *s) {
    for (scene_mesh *m = s->meshes; m; m = m->next)
        if (m->blend) sn_blend_free(m->blend);
    for (size_t i = 0; i < s->bodies.count; i++)
        if (s->bodies.items[i].blend) sn_blend_free(s->bodies.items[i].blend);
}
