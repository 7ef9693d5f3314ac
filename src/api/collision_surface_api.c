/* The public calls on collision surfaces. */
#include "api/call.h"
#include "api/check.h"
#include "api/surface_warnings.h"
#include "geometry/topology/edge_elements.h"

#include <sinew/collision_surface.h>

#include <stdlib.h>

sn_collision_surface_def sn_collision_surface_def_default(void) {
    return (sn_collision_surface_def){.size = sizeof(sn_collision_surface_def),
                                      .static_friction = (sn_real)0.5,
                                      .dynamic_friction = (sn_real)0.4,
                                      .recovery_speed = 1,
                                      .mask = UINT32_MAX};
}

static sn_result check_collision_surface(const sn_world *world, sn_collision_surface surface) {
    return sn_slots_check(&world->surfaces.slots, SN_ID(surface), world->tag, "collision surface");
}

/* ---- Checks of a definition ---- */

static sn_result check_surface(const sn_collision_surface_def *d) {
    double most = (double)SN_REAL_MAX;
    SN_TRY(sn_check_size("collision surface", d->size, sizeof *d));
    if ((unsigned)d->detail > SN_DETAIL_POINTS)
        return sn_fail(SN_ERROR_VALUE, "collision surface: detail is %d, expected 0 to %d",
                       (int)d->detail, SN_DETAIL_POINTS);
    SN_TRY(sn_check_friction("collision surface", d->static_friction, d->dynamic_friction,
                             d->restitution));
    SN_TRY(sn_check_real("collision surface", "recovery_speed", d->recovery_speed, 0, most, true,
                         "m/s"));
    if (d->recovery_speed == 0)
        return sn_fail(SN_ERROR_VALUE,
                       "collision surface: recovery_speed is 0, expected above 0 m/s");
    return SN_OK;
}

static sn_result check_elements(const char *what, const uint32_t *element, size_t count,
                                size_t corners, size_t nodes) {
    if (count > 0 && !element)
        return sn_fail(SN_ERROR_NULL, "collision surface: %ss is null", what);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *e = element + corners * i;
        for (size_t c = 0; c < corners; c++) {
            if (e[c] >= nodes)
                return sn_fail(SN_ERROR_VALUE,
                               "collision surface: %s %zu has node %u, expected below %zu", what, i,
                               e[c], nodes);
            if (e[c] == e[(c + 1) % corners])
                return sn_fail(SN_ERROR_DEGENERATE, "collision surface: %s %zu has node %u twice",
                               what, i, e[c]);
        }
    }
    return SN_OK;
}

/* Every node once, and in no other collision surface. A mark on those that were seen finds the ones
   that come twice; it is taken back before anything is decided. */
static sn_result check_nodes(sn_world *world, const sn_collision_surface_def *def) {
    uint32_t *of_node = world->surfaces.of_node;
    const uint32_t mark = UINT32_MAX;
    sn_result result = SN_OK;
    size_t seen = 0;
    for (; seen < def->node_count && result == SN_OK; seen++) {
        sn_node node = def->nodes[seen];
        result = sn_check_node(world, node);
        if (result != SN_OK) break;
        uint32_t *owner = &of_node[node.slot - 1];
        if (*owner == mark)
            result =
                sn_fail(SN_ERROR_VALUE, "collision surface: node %zu, in slot %u, is there twice",
                        seen, node.slot);
        else if (*owner)
            result = sn_fail(
                SN_ERROR_VALUE,
                "collision surface: node %zu, in slot %u, has the collision surface %u already",
                seen, node.slot, *owner);
        else
            *owner = mark;
        if (result != SN_OK) break;
    }
    for (size_t i = 0; i < seen; i++) of_node[def->nodes[i].slot - 1] = 0;
    return result;
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
    sn_collision_surfaces *surfaces = &world->surfaces;
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
    SN_TRY(check_surface(def));
    if (def->node_count == 0)
        return sn_fail(SN_ERROR_VALUE, "collision surface: node_count is 0, expected at least 1");
    if (!def->nodes) return sn_fail(SN_ERROR_NULL, "collision surface: nodes is null");
    SN_TRY(check_elements("triangle", def->triangles, def->triangle_count, 3, def->node_count));
    SN_TRY(check_elements("segment", def->segments, def->segment_count, 2, def->node_count));
    sn_collision_surfaces *surfaces = &world->surfaces;
    if (!sn_collision_surface_reserve(surfaces, &world->memory, world->nodes.slots.count))
        return SN_ERROR_MEMORY;
    SN_TRY(check_nodes(world, def));
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
    SN_RECORD(world, COLLISION_SURFACE_CREATE, .surface = *def);
    sn_collision_surface_warn_of_points(world, index, NULL);
    sn_collision_surface_warn_of_thinness(world, index);
    return SN_OK;
}

/* ---- The rest ---- */

sn_result sn_collision_surface_destroy(sn_world *world, sn_collision_surface surface) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_collision_surface(world, surface));
    sn_collision_surface_remove(&world->surfaces, &world->memory, surface.slot - 1);
    sn_world_wake_all(world);
    SN_RECORD(world, COLLISION_SURFACE_DESTROY, .id = SN_ID(surface));
    return SN_OK;
}

bool sn_collision_surface_is_valid(const sn_world *world, sn_collision_surface surface) {
    return world && sn_slots_has(&world->surfaces.slots, SN_ID(surface), world->tag);
}

sn_result sn_collision_surface_get(const sn_world *world, sn_collision_surface surface,
                                   sn_collision_surface_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_collision_surface(world, surface));
    *def = world->surfaces.state[surface.slot - 1].def;
    return SN_OK;
}

sn_result sn_collision_surface_set(sn_world *world, sn_collision_surface surface,
                                   const sn_collision_surface_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_collision_surface(world, surface));
    SN_TRY(check_surface(def));
    sn_collision_surface_def *mine = &world->surfaces.state[surface.slot - 1].def;
    sn_collision_surface_def kept = *def, before = *mine;
    kept.nodes = NULL;
    kept.triangles = kept.segments = NULL;
    kept.node_count = mine->node_count;
    kept.triangle_count = mine->triangle_count;
    kept.segment_count = mine->segment_count;
    *mine = kept;
    sn_collision_surface_change(&world->surfaces);
    sn_world_wake_all(world);
    SN_RECORD(world, COLLISION_SURFACE_SET, .id = SN_ID(surface), .surface = kept);
    sn_collision_surface_warn_of_points(world, surface.slot - 1, &before);
    return SN_OK;
}

sn_result sn_world_collision_surface_at(const sn_world *world, size_t slot,
                                        sn_collision_surface *surface) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(surface);
    SN_TRY(sn_check_slot(&world->surfaces.slots, slot, "collision surface"));
    *surface = (sn_collision_surface){(uint32_t)slot + 1, world->surfaces.slots.generation[slot],
                                      world->tag};
    return SN_OK;
}
