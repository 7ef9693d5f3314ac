/* The public calls on collision surfaces. */
#include "api/call.h"
#include "api/check.h"
#include "api/surface_warnings.h"
#include "collision/serialize_collision.h"
#include "geometry/topology/edge_elements.h"

#include <sinew/collision_surface.h>

#include <stdlib.h>

#define ID SN_ID_AS(sn_collision_surface, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "skin_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_collision_surface_object,     \
         sn_collision_surface_create(world, call->def, &(sn_collision_surface){0}))                \
    CALL(DESTROY, "skin_destroy", SN_PART_ID, 0, NULL, sn_collision_surface_destroy(world, ID))    \
    CALL(SET, "skin_set", SN_PART_ID | SN_PART_DEF, 0, &sn_collision_surface_object,               \
         sn_collision_surface_set(world, ID, call->def))
SN_DEFINE_CALLS(collision_surface, CALLS, .next = NULL)

static sn_result check_collision_surface(const sn_world *world, sn_collision_surface surface) {
    return sn_slots_check(&sn_collision_surfaces_of(world)->slots, SN_ID(surface), world->tag,
                          "collision surface");
}

/* ---- Making one ---- */

static int compare_pairs(const void *a, const void *b) {
    const sn_pair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

/* The edges of the triangles, and then the segments that are none of them. */
static sn_result fill_edges(sn_world *world, const sn_collision_surface_def *def,
                            sn_collision_surface_state *s) {
    sn_pairs pairs = {0};
    SN_TRY(sn_pairs_create(&pairs, &world->memory, def->triangles, def->triangle_count, 3,
                           def->node_count));
    bool room = sn_collision_surface_state_reserve(
        s, &world->memory, def->node_count, def->triangle_count, pairs.count + def->segment_count);
    for (size_t i = 0; room && i < pairs.count; i++) {
        s->edge[2 * i] = def->nodes[pairs.pair[i].a].slot - 1;
        s->edge[2 * i + 1] = def->nodes[pairs.pair[i].b].slot - 1;
    }
    s->inner = s->edges = pairs.count;
    for (size_t i = 0; room && i < def->segment_count; i++) {
        uint32_t a = def->segments[2 * i], b = def->segments[2 * i + 1];
        sn_pair wanted = {.a = a < b ? a : b, .b = a < b ? b : a};
        if (pairs.count > 0 &&
            bsearch(&wanted, pairs.pair, pairs.count, sizeof wanted, compare_pairs))
            continue;
        s->edge[2 * s->edges] = def->nodes[a].slot - 1;
        s->edge[2 * s->edges++ + 1] = def->nodes[b].slot - 1;
    }
    sn_pairs_free(&pairs, &world->memory);
    return room ? SN_OK : SN_ERROR_MEMORY;
}

static void fill_surface(sn_world *world, const sn_collision_surface_def *def,
                         sn_collision_surface_state *s, uint32_t index) {
    sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    for (size_t i = 0; i < def->node_count; i++) {
        uint32_t node = def->nodes[i].slot - 1;
        s->node[i] = node;
        surfaces->of_node[node] = index + 1;
        surfaces->rest[node] = world->nodes.x[node];
    }
    for (size_t i = 0; i < 3 * def->triangle_count; i++)
        s->triangle[i] = def->nodes[def->triangles[i]].slot - 1;
    s->def = *def;
    s->def.nodes = NULL;
    s->def.triangles = s->def.segments = NULL;
    s->def.segment_count = s->edges - s->inner;
    surfaces->state[index] = *s;
    sn_collision_surface_change(surfaces);
}

sn_result sn_collision_surface_create(sn_world *world, const sn_collision_surface_def *def,
                                      sn_collision_surface *surface) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(surface);
    SN_TRY(sn_object_check(&sn_collision_surface_object, def));
    SN_TRY(sn_object_check_arrays(&sn_collision_surface_object, def));
    sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    if (!sn_collision_surface_reserve(surfaces, &world->memory, world->nodes.slots.count))
        return SN_ERROR_MEMORY;
    SN_TRY(
        sn_check_owned(world, "collision surface", def->nodes, def->node_count, surfaces->of_node));
    sn_collision_surface_state state = {0};
    sn_result result = fill_edges(world, def, &state);
    if (result != SN_OK) {
        sn_collision_surface_state_free(&state, &world->memory);
        return result;
    }
    uint32_t index = sn_slots_take(&surfaces->slots);
    fill_surface(world, def, &state, index);
    sn_world_wake_all(world);
    *surface = (sn_collision_surface){index + 1, surfaces->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    sn_collision_surface_warn_of_points(world, index, NULL);
    sn_collision_surface_warn_of_thinness(world, index);
    return SN_OK;
}

/* ---- The rest ---- */

sn_result sn_collision_surface_destroy(sn_world *world, sn_collision_surface surface) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_collision_surface(world, surface));
    sn_collision_surface_remove(sn_collision_surfaces_of(world), &world->memory, surface.slot - 1);
    sn_world_wake_all(world);
    SN_RECORD(world, DESTROY, .id = SN_ID(surface));
    return SN_OK;
}

bool sn_collision_surface_is_valid(const sn_world *world, sn_collision_surface surface) {
    return world &&
           sn_slots_has(&sn_collision_surfaces_of(world)->slots, SN_ID(surface), world->tag);
}

sn_result sn_collision_surface_get(const sn_world *world, sn_collision_surface surface,
                                   sn_collision_surface_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_collision_surface(world, surface));
    *def = sn_collision_surfaces_of(world)->state[surface.slot - 1].def;
    return SN_OK;
}

sn_result sn_collision_surface_set(sn_world *world, sn_collision_surface surface,
                                   const sn_collision_surface_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_collision_surface(world, surface));
    SN_TRY(sn_object_check(&sn_collision_surface_object, def));
    sn_collision_surface_def *mine = &sn_collision_surfaces_of(world)->state[surface.slot - 1].def;
    sn_collision_surface_def kept = *def, before = *mine;
    kept.nodes = NULL;
    kept.triangles = kept.segments = NULL;
    kept.node_count = mine->node_count;
    kept.triangle_count = mine->triangle_count;
    kept.segment_count = mine->segment_count;
    *mine = kept;
    sn_collision_surface_change(sn_collision_surfaces_of(world));
    sn_world_wake_all(world);
    SN_RECORD(world, SET, .id = SN_ID(surface), .def = &kept);
    sn_collision_surface_warn_of_points(world, surface.slot - 1, &before);
    return SN_OK;
}

sn_result sn_world_collision_surface_at(const sn_world *world, size_t slot,
                                        sn_collision_surface *surface) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(surface);
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    SN_TRY(sn_check_slot(&surfaces->slots, slot, "collision surface"));
    *surface =
        (sn_collision_surface){(uint32_t)slot + 1, surfaces->slots.generation[slot], world->tag};
    return SN_OK;
}
