/* The public calls on wrinkle meshes. */
#include "api/call.h"
#include "api/check.h"
#include "systems/wrinkle_mesh/wrinkle_meshes.h"

#define ID SN_ID_AS(sn_wrinkle_mesh, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "wrinkle_mesh_create", SN_PART_DEF | SN_PART_ARRAYS | SN_KEEPS_PAIRS, 0,          \
         &sn_wrinkle_mesh_object, sn_wrinkle_mesh_create(world, call->def, &(sn_wrinkle_mesh){0})) \
    CALL(DESTROY, "wrinkle_mesh_destroy", SN_PART_ID | SN_KEEPS_PAIRS, 0, NULL,                    \
         sn_wrinkle_mesh_destroy(world, ID))                                                       \
    CALL(SET, "wrinkle_mesh_set", SN_PART_ID | SN_PART_DEF | SN_KEEPS_PAIRS, 0,                    \
         &sn_wrinkle_mesh_object, sn_wrinkle_mesh_set(world, ID, call->def))
SN_DEFINE_CALLS(wrinkle_mesh, CALLS, .next = NULL)

static sn_result check_wrinkle_mesh(const sn_world *world, sn_wrinkle_mesh wrinkle_mesh) {
    return sn_slots_check(&sn_wrinkles_of(world)->slots, SN_ID(wrinkle_mesh), world->tag,
                          "wrinkle mesh");
}

static sn_result fill_state(sn_world *world, const sn_wrinkle_mesh_def *def, sn_wrinkle_state *w) {
    if (!sn_wrinkle_state_reserve(w, &world->memory, def->node_count, def->triangle_count))
        return SN_ERROR_MEMORY;
    for (size_t i = 0; i < def->node_count; i++) {
        sn_vec4 x = world->nodes.x[def->nodes[i].slot - 1];
        w->node[i] = def->nodes[i];
        w->rest[i] = def->rest ? def->rest[i] : (sn_vec3){x.x, x.y, x.z};
    }
    for (size_t t = 0; t < def->triangle_count; t++)
        for (size_t k = 0; k < 3; k++) w->triangle[t][k] = def->triangles[3 * t + k];
    SN_TRY(sn_wrinkle_state_build(w, &world->memory));
    sn_wrinkle_state_place(world, w);
    return SN_OK;
}

sn_result sn_wrinkle_mesh_create(sn_world *world, const sn_wrinkle_mesh_def *def,
                                 sn_wrinkle_mesh *wrinkle_mesh) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(wrinkle_mesh);
    SN_TRY(sn_object_check(&sn_wrinkle_mesh_object, def));
    SN_TRY(sn_object_check_arrays(&sn_wrinkle_mesh_object, def));
    SN_TRY(sn_check_members(world, "wrinkle mesh", def->nodes, def->node_count));
    sn_wrinkles *all = sn_wrinkles_of(world);
    sn_wrinkle_state state = {.def = *def};
    sn_object_forget_arrays(&sn_wrinkle_mesh_object, &state.def);
    sn_result result = fill_state(world, def, &state);
    if (result == SN_OK && !sn_wrinkles_reserve(all, &world->memory)) result = SN_ERROR_MEMORY;
    if (result != SN_OK) {
        sn_wrinkle_state_free(&state, &world->memory);
        return result;
    }
    uint32_t index = sn_slots_take(&all->slots);
    all->state[index] = state;
    *wrinkle_mesh = (sn_wrinkle_mesh){index + 1, all->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_wrinkle_mesh_destroy(sn_world *world, sn_wrinkle_mesh wrinkle_mesh) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_wrinkle_mesh(world, wrinkle_mesh));
    sn_wrinkles_remove(sn_wrinkles_of(world), &world->memory, wrinkle_mesh.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(wrinkle_mesh));
    return SN_OK;
}

bool sn_wrinkle_mesh_is_valid(const sn_world *world, sn_wrinkle_mesh wrinkle_mesh) {
    return world && sn_slots_has(&sn_wrinkles_of(world)->slots, SN_ID(wrinkle_mesh), world->tag);
}

sn_result sn_wrinkle_mesh_set(sn_world *world, sn_wrinkle_mesh wrinkle_mesh,
                              const sn_wrinkle_mesh_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_wrinkle_mesh(world, wrinkle_mesh));
    SN_TRY(sn_object_check(&sn_wrinkle_mesh_object, def));
    sn_wrinkle_state *w = &sn_wrinkles_of(world)->state[wrinkle_mesh.slot - 1];
    int divisions = w->def.divisions;
    w->def = *def;
    w->def.divisions = divisions;
    sn_object_forget_arrays(&sn_wrinkle_mesh_object, &w->def);
    sn_wrinkle_state_measure(w);
    SN_RECORD(world, SET, .id = SN_ID(wrinkle_mesh), .def = def);
    return SN_OK;
}

sn_result sn_wrinkle_mesh_get(const sn_world *world, sn_wrinkle_mesh wrinkle_mesh,
                              sn_wrinkle_mesh_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_wrinkle_mesh(world, wrinkle_mesh));
    const sn_wrinkle_state *w = &sn_wrinkles_of(world)->state[wrinkle_mesh.slot - 1];
    *def = w->def;
    def->nodes = w->node;
    def->node_count = w->nodes;
    def->triangles = *w->triangle;
    def->triangle_count = w->triangles;
    def->rest = w->rest;
    return SN_OK;
}

sn_result sn_wrinkle_mesh_get_positions(const sn_world *world, sn_wrinkle_mesh wrinkle_mesh,
                                        sn_vec3 *positions, size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(positions);
    SN_TRY(check_wrinkle_mesh(world, wrinkle_mesh));
    const sn_wrinkle_state *w = &sn_wrinkles_of(world)->state[wrinkle_mesh.slot - 1];
    for (size_t i = 0; i < w->fine.vertices && i < capacity; i++) positions[i] = w->position[i];
    *count = w->fine.vertices;
    return SN_OK;
}

sn_result sn_wrinkle_mesh_get_triangles(const sn_world *world, sn_wrinkle_mesh wrinkle_mesh,
                                        uint32_t *triangles, size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(triangles);
    SN_TRY(check_wrinkle_mesh(world, wrinkle_mesh));
    const sn_wrinkle_state *w = &sn_wrinkles_of(world)->state[wrinkle_mesh.slot - 1];
    for (size_t t = 0; t < w->fine.triangles && t < capacity; t++)
        for (size_t k = 0; k < 3; k++) triangles[3 * t + k] = w->fine.triangle[t][k];
    *count = w->fine.triangles;
    return SN_OK;
}
