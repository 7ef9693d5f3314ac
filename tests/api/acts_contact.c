/* Acts about contact: collision surfaces, a mesh that moves, and queries. */
#include "acts_contact.h"

#include <string.h>

/* A sheet that is laid upon itself, and balls on it. */
enum { SIDE = 5, ROWS = 3, BALLS = 4, CELLS = (SIDE - 1) * (ROWS - 1) };

sn_result act_add_sheet(troupe *t) {
    sn_node_def def[SIDE * ROWS + BALLS];
    for (size_t i = 0; i < SIDE * ROWS + BALLS; i++) {
        def[i] = sn_node_def_default();
        def[i].position = (sn_vec3){(sn_real)(i % SIDE) / SIDE, -(sn_real)(i / SIDE) / SIDE, 0};
        def[i].radius = (sn_real)0.05;
    }
    sn_result result = sn_nodes_create(t->world, def, SIDE * ROWS + BALLS, t->node);
    if (result == SN_OK) t->nodes = SIDE * ROWS + BALLS;
    return result;
}

sn_result act_cover(troupe *t) {
    uint32_t triangle[2 * CELLS][3];
    for (uint32_t i = 0; i < CELLS; i++) {
        uint32_t a = i / (SIDE - 1) * SIDE + i % (SIDE - 1), c = a + SIDE;
        const uint32_t corner[2][3] = {{a, a + 1, c + 1}, {a, c + 1, c}};
        memcpy(triangle[2 * i], corner, sizeof corner);
    }
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.nodes = t->node;
    def.node_count = SIDE * ROWS;
    def.triangles = triangle[0];
    def.triangle_count = (size_t)2 * CELLS;
    def.self = true;
    return sn_collision_surface_create(t->world, &def, &t->surface[0]);
}

sn_result act_cover_rest(troupe *t) {
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.nodes = t->node + SIDE * ROWS;
    def.node_count = BALLS;
    def.restitution = (sn_real)0.5;
    return sn_collision_surface_create(t->world, &def, &t->surface[1]);
}

/* All that follows comes upon the first two rows. */
sn_result act_fold(troupe *t) {
    sn_result result = SN_OK;
    for (size_t i = 2 * SIDE; i < SIDE * ROWS + BALLS && result == SN_OK; i++)
        result = sn_node_set_position(t->world, t->node[i],
                                      (sn_vec3){(sn_real)(i % SIDE) / SIDE,
                                                (sn_real)-0.0625 * (sn_real)(i / SIDE % 2),
                                                (sn_real)0.08 * (sn_real)(i / SIDE / 2)});
    return result;
}

sn_result act_limiter(troupe *t) {
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_result result = sn_collision_surface_get(t->world, t->surface[0], &def);
    def.penetration_free = true;
    def.untangle = true;
    def.triangle_contact = true;
    return result == SN_OK ? sn_collision_surface_set(t->world, t->surface[0], &def) : result;
}

sn_result act_add_mesh(troupe *t) {
    static const sn_vec3 corner[] = {{-1, -1, 0}, {2, -1, 0}, {0, 1, 0}, {0, 0, -1}};
    static const uint32_t triangle[][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}};
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_MESH;
    def.geometry.vertices = corner;
    def.geometry.vertex_count = 4;
    def.geometry.triangles = triangle;
    def.geometry.triangle_count = 4;
    return sn_collider_create(t->world, &def, &t->collider);
}

sn_result act_add_rigid(troupe *t) {
    static const sn_vec3 corner[] = {{-1, -1, 0}, {2, -1, 0}, {0, 1, 0}, {0, 0, -1}};
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    def.shape = SN_SHAPE_HULL;
    def.geometry.vertices = corner;
    def.geometry.vertex_count = 4;
    def.position = (sn_vec3){3, 3, 3};
    return sn_rigid_create(t->world, &rigid, &def, &t->node[t->nodes], &collider);
}

sn_result act_move_mesh(troupe *t) {
    static const sn_vec3 corner[] = {{-1, -1, 0.05f}, {2, -1, 0}, {0, 1, 0}, {0, 0, -1}};
    return sn_collider_set_vertices(t->world, t->collider, corner, 4);
}

sn_result act_ask(troupe *t) {
    sn_query *query;
    sn_result result = sn_query_create(t->world, &query);
    sn_cast_def cast = sn_cast_def_default();
    sn_hit hit;
    cast.origin = (sn_vec3){(sn_real)0.3, 2, 0};
    if (result == SN_OK) result = sn_query_cast(query, &cast, NULL, &hit);
    sn_query_destroy(query);
    return result;
}

sn_result act_uncover(troupe *t) {
    return sn_collision_surface_destroy(t->world, t->surface[1]);
}
