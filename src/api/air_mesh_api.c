/* The public calls on air meshes. */
#include "api/call.h"
#include "api/check.h"
#include "systems/air_mesh/air_meshes.h"

#define ID SN_ID_AS(sn_air_mesh, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "air_mesh_create", SN_PART_DEF | SN_PART_ARRAYS | SN_KEEPS_PAIRS, 0,              \
         &sn_air_mesh_object, sn_air_mesh_create(world, call->def, &(sn_air_mesh){0}))             \
    CALL(DESTROY, "air_mesh_destroy", SN_PART_ID | SN_KEEPS_PAIRS, 0, NULL,                        \
         sn_air_mesh_destroy(world, ID))                                                           \
    CALL(SET, "air_mesh_set", SN_PART_ID | SN_PART_DEF | SN_KEEPS_PAIRS, 0, &sn_air_mesh_object,   \
         sn_air_mesh_set(world, ID, call->def))
SN_DEFINE_CALLS(air_mesh, CALLS, .next = NULL)

static sn_result check_air_mesh(const sn_world *world, sn_air_mesh air_mesh) {
    return sn_slots_check(&sn_gaps_of(world)->slots, SN_ID(air_mesh), world->tag, "air mesh");
}

static const sn_gap *find_air(const sn_world *world, sn_air_mesh air_mesh) {
    return &sn_gaps_of(world)->state[air_mesh.slot - 1];
}

static sn_result divide(sn_world *world, const sn_air_mesh_def *def, sn_gap *air) {
    sn_memory *memory = &world->memory;
    if (def->rest) return sn_gap_tessellate(air, memory, def->rest);
    sn_vec3 *rest = sn_allocate(memory, def->node_count, sizeof *rest);
    if (!rest) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < def->node_count; i++) {
        sn_vec4 x = world->nodes.x[def->nodes[i].slot - 1];
        rest[i] = (sn_vec3){x.x, x.y, x.z};
    }
    sn_result result = sn_gap_tessellate(air, memory, rest);
    sn_free(memory, rest, def->node_count, sizeof *rest);
    return result;
}

static sn_result fill_air(sn_world *world, const sn_air_mesh_def *def, sn_gap *air) {
    if (!sn_gap_reserve(air, &world->memory, def->node_count, def->triangle_count, def->edge_count))
        return SN_ERROR_MEMORY;
    sn_gap_set_plane(air, (uint32_t)world->settings.plane);
    for (size_t i = 0; i < def->node_count; i++) air->node[i] = def->nodes[i];
    for (size_t i = 0; i < 3 * def->triangle_count; i++)
        air->triangle[i / 3][i % 3] = def->triangles[i];
    for (size_t i = 0; i < 2 * def->edge_count; i++) air->edge[i / 2][i % 2] = def->edges[i];
    SN_TRY(divide(world, def, air));
    sn_gap_place_frame(world, air);
    return SN_OK;
}

sn_result sn_air_mesh_create(sn_world *world, const sn_air_mesh_def *def, sn_air_mesh *air_mesh) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(air_mesh);
    SN_TRY(sn_object_check(&sn_air_mesh_object, def));
    SN_TRY(sn_object_check_arrays(&sn_air_mesh_object, def));
    SN_TRY(sn_check_members(world, "air mesh", def->nodes, def->node_count));
    sn_gaps *all = sn_gaps_of(world);
    sn_gap state = {.def = *def};
    sn_object_forget_arrays(&sn_air_mesh_object, &state.def);
    sn_result result = fill_air(world, def, &state);
    if (result == SN_OK && !sn_gaps_reserve(all, &world->memory)) result = SN_ERROR_MEMORY;
    if (result != SN_OK) {
        sn_gap_free(&state, &world->memory);
        return result;
    }
    uint32_t index = sn_slots_take(&all->slots);
    all->state[index] = state;
    *air_mesh = (sn_air_mesh){index + 1, all->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_air_mesh_destroy(sn_world *world, sn_air_mesh air_mesh) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_air_mesh(world, air_mesh));
    sn_gaps_remove(sn_gaps_of(world), &world->memory, air_mesh.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(air_mesh));
    return SN_OK;
}

bool sn_air_mesh_is_valid(const sn_world *world, sn_air_mesh air_mesh) {
    return world && sn_slots_has(&sn_gaps_of(world)->slots, SN_ID(air_mesh), world->tag);
}

sn_result sn_air_mesh_set(sn_world *world, sn_air_mesh air_mesh, const sn_air_mesh_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_air_mesh(world, air_mesh));
    SN_TRY(sn_object_check(&sn_air_mesh_object, def));
    sn_gap *air = &sn_gaps_of(world)->state[air_mesh.slot - 1];
    bool inside = air->def.inside;
    air->def = *def;
    air->def.inside = inside;
    sn_object_forget_arrays(&sn_air_mesh_object, &air->def);
    SN_RECORD(world, SET, .id = SN_ID(air_mesh), .def = def);
    return SN_OK;
}

sn_result sn_air_mesh_get(const sn_world *world, sn_air_mesh air_mesh, sn_air_mesh_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_air_mesh(world, air_mesh));
    const sn_gap *air = find_air(world, air_mesh);
    *def = air->def;
    def->nodes = air->node;
    def->node_count = air->nodes;
    def->triangles = air->triangles > 0 ? *air->triangle : NULL;
    def->triangle_count = air->triangles;
    def->edges = air->edges > 0 ? *air->edge : NULL;
    def->edge_count = air->edges;
    return SN_OK;
}

sn_result sn_air_mesh_get_state(const sn_world *world, sn_air_mesh air_mesh,
                                sn_air_mesh_state *state) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(state);
    SN_TRY(check_air_mesh(world, air_mesh));
    const sn_gap *air = find_air(world, air_mesh);
    const sn_gap_view view = {world, air, NULL};
    *state = (sn_air_mesh_state){.elements = air->elements, .corners = air->corners, .least = 1};
    for (size_t e = 0; e < air->elements; e++) {
        sn_real quality = sn_gap_quality(&view, &air->element[e]);
        if (quality < state->least) state->least = quality;
        state->inverted += quality < -SN_GAP_ROUNDING;
    }
    return SN_OK;
}

sn_result sn_air_mesh_get_elements(const sn_world *world, sn_air_mesh air_mesh, uint32_t *elements,
                                   size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(elements);
    SN_TRY(check_air_mesh(world, air_mesh));
    const sn_gap *air = find_air(world, air_mesh);
    size_t width = (size_t)air->corners;
    for (size_t e = 0; e < air->elements && e < capacity; e++)
        for (size_t k = 0; k < width; k++) elements[width * e + k] = air->element[e].corner[k];
    *count = air->elements;
    return SN_OK;
}
