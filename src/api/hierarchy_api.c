/* The public calls on hierarchies. */
#include "api/call.h"
#include "api/check.h"
#include "constraints/link.h"
#include "systems/hierarchy/hierarchies.h"

#include <math.h>

#define ID SN_ID_AS(sn_hierarchy, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "hierarchy_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_hierarchy_object,        \
         sn_hierarchy_create(world, call->def, &(sn_hierarchy){0}))                                \
    CALL(DESTROY, "hierarchy_destroy", SN_PART_ID, 0, NULL, sn_hierarchy_destroy(world, ID))       \
    CALL(SET, "hierarchy_set", SN_PART_ID | SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_hierarchy_object, \
         sn_hierarchy_set(world, ID, call->def))
SN_DEFINE_CALLS(hierarchy, CALLS, .next = NULL)

static sn_result check_hierarchy(const sn_world *world, sn_hierarchy hierarchy) {
    return sn_slots_check(&sn_hierarchies_of(world)->slots, SN_ID(hierarchy), world->tag,
                          "hierarchy");
}

/* ---- Checks of a definition ---- */

static sn_result check_def(sn_world *world, const sn_hierarchy_def *d) {
    SN_TRY(sn_object_check(&sn_hierarchy_object, d));
    SN_TRY(sn_object_check_arrays(&sn_hierarchy_object, d));
    for (size_t i = 0; d->lengths && i < d->edge_count; i++)
        if (!(d->lengths[i] > 0))
            return sn_fail(SN_ERROR_VALUE, "hierarchy: length %zu is %g m, expected above 0", i,
                           (double)d->lengths[i]);
    return sn_check_members(world, "hierarchy", d->nodes, d->node_count);
}

/* ---- The mesh ---- */

/* Orders the nodes by their slots; `number` is where each of the definition goes. */
static sn_result order_nodes(sn_world *world, const sn_hierarchy_def *def, sn_hierarchy_state *h,
                             uint32_t *number) {
    size_t slots = world->nodes.slots.count;
    uint32_t *mine = sn_allocate(&world->memory, slots, sizeof *mine); /* index + 1 */
    if (!mine) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < def->node_count; i++) mine[def->nodes[i].slot - 1] = (uint32_t)i + 1;
    for (size_t slot = 0; slot < slots; slot++) {
        if (!mine[slot]) continue;
        number[mine[slot] - 1] = (uint32_t)h->nodes;
        h->node[h->nodes++] = def->nodes[mine[slot] - 1];
    }
    sn_free(&world->memory, mine, slots, sizeof *mine);
    return SN_OK;
}

/* Where the nodes are at rest, unless lengths say something else. */
static sn_result place_nodes(sn_world *world, const sn_hierarchy_def *def, sn_hierarchy_state *h,
                             const uint32_t *number) {
    if (!def->rest && def->lengths) return SN_OK;
    if (!sn_reserve(&world->memory, (void **)&h->rest, &h->rest_room, h->nodes, sizeof *h->rest))
        return SN_ERROR_MEMORY;
    for (size_t i = 0; i < h->nodes; i++) {
        sn_vec4 x = world->nodes.x[def->nodes[i].slot - 1];
        h->rest[number[i]] = def->rest ? def->rest[i] : (sn_vec3){x.x, x.y, x.z};
    }
    return SN_OK;
}

static sn_real distance_between(const sn_vec3 *a, const sn_vec3 *b) {
    double dx = (double)b->x - (double)a->x, dy = (double)b->y - (double)a->y;
    double dz = (double)b->z - (double)a->z;
    return (sn_real)sqrt(dx * dx + dy * dy + dz * dz);
}

/* One more edge. */
static sn_result add_edge(sn_hierarchy_state *h, uint32_t a, uint32_t b, sn_real length) {
    sn_graph *g = &h->graph;
    if (!(length > 0 && length <= SN_REAL_MAX))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "hierarchy: the edge between nodes %u and %u is %g m long, expected above 0",
                       h->node[a].slot - 1, h->node[b].slot - 1, (double)length);
    g->edge[g->edges][0] = a;
    g->edge[g->edges][1] = b;
    g->length[g->edges++] = length;
    return SN_OK;
}

static sn_result add_listed(const sn_hierarchy_def *def, sn_hierarchy_state *h,
                            const uint32_t *number) {
    sn_graph *g = &h->graph;
    const sn_vec3 *rest = h->rest;
    for (size_t i = 0; i < def->edge_count; i++) {
        uint32_t a = number[def->edges[2 * i]], b = number[def->edges[2 * i + 1]];
        SN_TRY(add_edge(h, a, b,
                        def->lengths ? def->lengths[i] : distance_between(&rest[a], &rest[b])));
    }
    for (size_t i = 0; i < def->triangle_count; i++) {
        uint32_t *t = g->triangle[g->triangles++];
        for (int k = 0; k < 3; k++) t[k] = number[def->triangles[3 * i + (size_t)k]];
        for (int k = 0; k < 3 && rest; k++) {
            uint32_t a = t[k], b = t[(k + 1) % 3];
            SN_TRY(add_edge(h, a, b, distance_between(&rest[a], &rest[b])));
        }
    }
    return SN_OK;
}

/* The distance constraints between the nodes; counts them where there is no room yet. */
static sn_result add_constraints(const sn_world *world, sn_hierarchy_state *h, size_t *count) {
    const sn_store *store = &world->store[SN_TYPE_LINK];
    *count = 0;
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        for (uint32_t i = 0; i < store->colour[c].count; i++) {
            sn_place place = {c, i};
            sn_members members = sn_store_members(store, place);
            size_t a = sn_hierarchy_find(h, (uint32_t)sn_member(members, 0));
            size_t b = sn_hierarchy_find(h, (uint32_t)sn_member(members, 1));
            const sn_real *parameter = sn_store_parameters(store, place);
            if (a == SIZE_MAX || b == SIZE_MAX || a == b) continue;
            if (parameter[SN_PARAMETER_SIDE] == (sn_real)SN_SIDE_AT_LEAST) continue;
            if (!(parameter[SN_COMMON_PARAMETERS] > 0)) continue;
            (*count)++;
            if (h->graph.edge_room > 0)
                SN_TRY(add_edge(h, (uint32_t)a, (uint32_t)b, parameter[SN_COMMON_PARAMETERS]));
        }
    return SN_OK;
}

static sn_result add_edges(sn_world *world, const sn_hierarchy_def *def, sn_hierarchy_state *h,
                           const uint32_t *number) {
    size_t count = def->edge_count + 3 * def->triangle_count;
    bool found = count == 0;
    if (found) SN_TRY(add_constraints(world, h, &count));
    if (!sn_graph_reserve(&h->graph, &world->memory, count + 1, def->triangle_count))
        return SN_ERROR_MEMORY;
    SN_TRY(found ? add_constraints(world, h, &count) : add_listed(def, h, number));
    h->graph.nodes = h->nodes;
    if (h->graph.edges == 0)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "hierarchy: there are no edges, triangles or distance constraints between "
                       "its %zu nodes",
                       h->nodes);
    return sn_graph_sort(&h->graph, &world->memory) ? SN_OK : SN_ERROR_MEMORY;
}

static sn_result make_state(sn_world *world, const sn_hierarchy_def *def, sn_hierarchy_state *h) {
    SN_TRY(check_def(world, def));
    uint32_t *number = sn_allocate(&world->memory, def->node_count, sizeof *number);
    sn_result result = number ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK && !sn_reserve(&world->memory, (void **)&h->node, &h->node_room,
                                       def->node_count, sizeof *h->node))
        result = SN_ERROR_MEMORY;
    if (result == SN_OK) result = order_nodes(world, def, h, number);
    if (result == SN_OK) result = place_nodes(world, def, h, number);
    if (result == SN_OK) result = add_edges(world, def, h, number);
    sn_free(&world->memory, number, def->node_count, sizeof *number);
    if (result != SN_OK) {
        sn_hierarchy_state_free(h, &world->memory);
        return result;
    }
    h->def = *def;
    sn_object_forget_arrays(&sn_hierarchy_object, &h->def);
    h->changed = true;
    return SN_OK;
}

/* ---- The calls ---- */

/* Hierarchies join the bodies of their nodes. */
static void wake_members(sn_world *world, const sn_hierarchy_state *h) {
    world->sleep.joints_changed = true;
    for (size_t i = 0; i < h->nodes; i++) sn_world_wake_node(world, h->node[i].slot - 1);
}

sn_result sn_hierarchy_create(sn_world *world, const sn_hierarchy_def *def,
                              sn_hierarchy *hierarchy) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(hierarchy);
    sn_hierarchies *all = sn_hierarchies_of(world);
    sn_hierarchy_state state = {0};
    SN_TRY(make_state(world, def, &state));
    if (!sn_hierarchies_reserve(all, &world->memory)) {
        sn_hierarchy_state_free(&state, &world->memory);
        return SN_ERROR_MEMORY;
    }
    uint32_t index = sn_slots_take(&all->slots);
    all->state[index] = state;
    all->changed = true;
    wake_members(world, &state);
    *hierarchy = (sn_hierarchy){index + 1, all->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_hierarchy_destroy(sn_world *world, sn_hierarchy hierarchy) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_hierarchy(world, hierarchy));
    wake_members(world, &sn_hierarchies_of(world)->state[hierarchy.slot - 1]);
    sn_hierarchies_remove(sn_hierarchies_of(world), &world->memory, hierarchy.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(hierarchy));
    return SN_OK;
}

bool sn_hierarchy_is_valid(const sn_world *world, sn_hierarchy hierarchy) {
    return world && sn_slots_has(&sn_hierarchies_of(world)->slots, SN_ID(hierarchy), world->tag);
}

sn_result sn_hierarchy_set(sn_world *world, sn_hierarchy hierarchy, const sn_hierarchy_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_hierarchy(world, hierarchy));
    sn_hierarchy_state *h = &sn_hierarchies_of(world)->state[hierarchy.slot - 1], state = {0};
    SN_TRY(make_state(world, def, &state));
    /* The definition may point into the old lists, as sn_hierarchy_get gives them. */
    SN_RECORD(world, SET, .id = SN_ID(hierarchy), .def = def);
    wake_members(world, h);
    sn_hierarchy_state_free(h, &world->memory);
    *h = state;
    sn_hierarchies_of(world)->changed = true;
    wake_members(world, h);
    return SN_OK;
}

sn_result sn_hierarchy_get(const sn_world *world, sn_hierarchy hierarchy, sn_hierarchy_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_hierarchy(world, hierarchy));
    const sn_hierarchy_state *h = &sn_hierarchies_of(world)->state[hierarchy.slot - 1];
    *def = h->def;
    def->nodes = h->node;
    def->node_count = h->nodes;
    def->edges = h->graph.edges > 0 ? h->graph.edge[0] : NULL;
    def->edge_count = h->graph.edges;
    def->lengths = h->graph.length;
    def->rest = h->rest;
    def->triangles = h->graph.triangles > 0 ? h->graph.triangle[0] : NULL;
    def->triangle_count = h->graph.triangles;
    return SN_OK;
}

sn_result sn_node_hierarchy(const sn_world *world, sn_node node, sn_hierarchy *hierarchy) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(hierarchy);
    SN_TRY(sn_check_node(world, node));
    const sn_hierarchies *all = sn_hierarchies_of(world);
    *hierarchy = (sn_hierarchy){0, 0, 0};
    for (uint32_t i = 0; i < all->slots.count; i++) {
        if (sn_hierarchy_find(&all->state[i], node.slot - 1) == SIZE_MAX) continue;
        *hierarchy = (sn_hierarchy){i + 1, all->slots.generation[i], world->tag};
        break;
    }
    return SN_OK;
}

sn_result sn_hierarchy_level_nodes(const sn_world *world, sn_hierarchy hierarchy, int level,
                                   size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    SN_TRY(check_hierarchy(world, hierarchy));
    if (level < 1 || level > SN_HIERARCHY_LEVELS)
        return sn_fail(SN_ERROR_VALUE, "hierarchy: level is %d, expected 1 to %d", level,
                       SN_HIERARCHY_LEVELS);
    const sn_hierarchy_state *h = &sn_hierarchies_of(world)->state[hierarchy.slot - 1];
    *count = (size_t)level <= h->levels ? h->level[level - 1].count : 0;
    return SN_OK;
}
