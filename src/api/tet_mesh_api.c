/* The public calls on tet meshes. */
#include "api/call.h"
#include "api/check.h"
#include "systems/tet_mesh/tet_meshes.h"

static sn_result check_tet_mesh(const sn_world *world, sn_tet_mesh tet_mesh) {
    return sn_slots_check(&sn_tet_meshes_of(world)->slots, SN_ID(tet_mesh), world->tag, "tet mesh");
}

#define ID SN_ID_AS(sn_tet_mesh, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "bulk_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_tet_mesh_object,              \
         sn_tet_mesh_create(world, call->def, &(sn_tet_mesh){0}))                                  \
    CALL(DESTROY, "bulk_destroy", SN_PART_ID, 0, NULL, sn_tet_mesh_destroy(world, ID))             \
    CALL(SET, "bulk_set", SN_PART_ID | SN_PART_DEF, 0, &sn_tet_mesh_object,                        \
         sn_tet_mesh_set(world, ID, call->def))
SN_DEFINE_CALLS(tet_mesh, CALLS, .next = NULL)

/* ---- Making one ---- */

static void fill_tet_mesh(sn_world *world, const sn_tet_mesh_def *def, sn_tet_mesh_state *s,
                          uint32_t index) {
    sn_tet_meshes *tet_meshes = sn_tet_meshes_of(world);
    s->def = *def;
    sn_object_forget_arrays(&sn_tet_mesh_object, &s->def);
    s->def.tet_count = def->tet_count;
    for (size_t i = 0; i < 4 * def->tet_count; i++) s->tet[i] = def->tets[i];
    for (uint32_t i = 0; i < def->tet_count; i++) s->parent[i] = i;
    tet_meshes->state[index] = *s;
    for (size_t i = 0; i < def->node_count; i++) {
        uint32_t node = def->nodes[i].slot - 1;
        (void)sn_tet_meshes_add_node(tet_meshes, index, node, world->nodes.x[node]);
    }
}

sn_result sn_tet_mesh_create(sn_world *world, const sn_tet_mesh_def *def, sn_tet_mesh *tet_mesh) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(tet_mesh);
    SN_TRY(sn_object_check(&sn_tet_mesh_object, def));
    SN_TRY(sn_object_check_arrays(&sn_tet_mesh_object, def));
    sn_tet_meshes *tet_meshes = sn_tet_meshes_of(world);
    if (!sn_tet_meshes_reserve(tet_meshes, &world->memory, world->nodes.slots.count))
        return SN_ERROR_MEMORY;
    SN_TRY(sn_check_owned(world, "tet mesh", def->nodes, def->node_count,
                          sn_tet_meshes_of(world)->of_node));
    /* Shares of masses and stresses are per volume. */
    SN_TRY(sn_check_tets(world, "tet mesh", def->nodes, def->tets, def->tet_count));
    sn_tet_mesh_state state = {0};
    if (!sn_tet_mesh_state_reserve(&state, &world->memory, def->node_count, def->tet_count)) {
        sn_tet_mesh_state_free(&state, &world->memory);
        return SN_ERROR_MEMORY;
    }
    uint32_t index = sn_slots_take(&tet_meshes->slots);
    fill_tet_mesh(world, def, &state, index);
    *tet_mesh = (sn_tet_mesh){index + 1, tet_meshes->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

/* ---- The rest ---- */

sn_result sn_tet_mesh_destroy(sn_world *world, sn_tet_mesh tet_mesh) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_tet_mesh(world, tet_mesh));
    sn_tet_meshes_remove(sn_tet_meshes_of(world), &world->memory, tet_mesh.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(tet_mesh));
    return SN_OK;
}

bool sn_tet_mesh_is_valid(const sn_world *world, sn_tet_mesh tet_mesh) {
    return world && sn_slots_has(&sn_tet_meshes_of(world)->slots, SN_ID(tet_mesh), world->tag);
}

sn_result sn_tet_mesh_get(const sn_world *world, sn_tet_mesh tet_mesh, sn_tet_mesh_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_tet_mesh(world, tet_mesh));
    *def = sn_tet_meshes_of(world)->state[tet_mesh.slot - 1].def;
    return SN_OK;
}

sn_result sn_tet_mesh_set(sn_world *world, sn_tet_mesh tet_mesh, const sn_tet_mesh_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_tet_mesh(world, tet_mesh));
    SN_TRY(sn_object_check(&sn_tet_mesh_object, def));
    sn_tet_mesh_def *mine = &sn_tet_meshes_of(world)->state[tet_mesh.slot - 1].def;
    mine->fracture_stress = def->fracture_stress;
    SN_RECORD(world, SET, .id = SN_ID(tet_mesh), .def = mine);
    return SN_OK;
}

/* What lists are read from. */
#define CHECK_LIST(world, tet_mesh, list, capacity, count)                                         \
    SN_CHECK_POINTER(world);                                                                       \
    SN_CHECK_POINTER(count);                                                                       \
    if ((capacity) > 0) SN_CHECK_POINTER(list);                                                    \
    SN_TRY(check_tet_mesh(world, tet_mesh));                                                       \
    const sn_tet_mesh_state *s = &sn_tet_meshes_of(world)->state[(tet_mesh).slot - 1]

sn_result sn_tet_mesh_get_nodes(const sn_world *world, sn_tet_mesh tet_mesh, sn_node *nodes,
                                size_t capacity, size_t *count) {
    CHECK_LIST(world, tet_mesh, nodes, capacity, count);
    for (size_t i = 0; i < s->def.node_count && i < capacity; i++)
        nodes[i] = (sn_node){s->node[i] + 1, world->nodes.slots.generation[s->node[i]], world->tag};
    *count = s->def.node_count;
    return SN_OK;
}

sn_result sn_tet_mesh_get_tets(const sn_world *world, sn_tet_mesh tet_mesh, uint32_t *tets,
                               size_t capacity, size_t *count) {
    CHECK_LIST(world, tet_mesh, tets, capacity, count);
    for (size_t i = 0; i < 4 * s->def.tet_count && i / 4 < capacity; i++) tets[i] = s->tet[i];
    *count = s->def.tet_count;
    return SN_OK;
}

sn_result sn_tet_mesh_get_surface(const sn_world *world, sn_tet_mesh tet_mesh, uint32_t *triangles,
                                  size_t capacity, size_t *count) {
    CHECK_LIST(world, tet_mesh, triangles, capacity, count);
    sn_memory scratch = world->memory;
    return sn_tet_mesh_surface(s, &scratch, triangles, capacity, count) ? SN_OK : SN_ERROR_MEMORY;
}

sn_result sn_tet_mesh_get_rest(const sn_world *world, sn_tet_mesh tet_mesh, sn_vec3 *positions,
                               size_t capacity, size_t *count) {
    CHECK_LIST(world, tet_mesh, positions, capacity, count);
    for (size_t i = 0; i < s->def.node_count && i < capacity; i++)
        positions[i] = (sn_vec3){s->rest[i].x, s->rest[i].y, s->rest[i].z};
    *count = s->def.node_count;
    return SN_OK;
}

sn_result sn_tet_mesh_get_parents(const sn_world *world, sn_tet_mesh tet_mesh, uint32_t *parents,
                                  size_t capacity, size_t *count) {
    CHECK_LIST(world, tet_mesh, parents, capacity, count);
    for (uint32_t i = 0; i < s->def.tet_count && i < capacity; i++) parents[i] = s->parent[i];
    *count = s->def.tet_count;
    return SN_OK;
}

sn_result sn_tet_mesh_get_origins(const sn_world *world, sn_tet_mesh tet_mesh, uint32_t *origins,
                                  size_t capacity, size_t *count) {
    CHECK_LIST(world, tet_mesh, origins, capacity, count);
    for (size_t i = 0; i < s->def.node_count && i < capacity; i++) origins[i] = s->origin[i];
    *count = s->def.node_count;
    return SN_OK;
}

sn_result sn_tet_mesh_count_parts(const sn_world *world, sn_tet_mesh tet_mesh, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    SN_TRY(check_tet_mesh(world, tet_mesh));
    sn_memory scratch = world->memory;
    return sn_tet_mesh_parts(&sn_tet_meshes_of(world)->state[tet_mesh.slot - 1], &scratch, count)
               ? SN_OK
               : SN_ERROR_MEMORY;
}

sn_result sn_world_tet_mesh_at(const sn_world *world, size_t slot, sn_tet_mesh *tet_mesh) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(tet_mesh);
    SN_TRY(sn_check_slot(&sn_tet_meshes_of(world)->slots, slot, "tet mesh"));
    *tet_mesh = (sn_tet_mesh){(uint32_t)slot + 1, sn_tet_meshes_of(world)->slots.generation[slot],
                              world->tag};
    return SN_OK;
}
