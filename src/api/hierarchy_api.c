/* The public calls on hierarchies. */
#include "api/call.h"
#include "api/check.h"
#include "systems/hierarchy/hierarchies.h"

#include <math.h>

sn_hierarchy_def sn_hierarchy_def_default(void) {
    return (sn_hierarchy_def){.size = sizeof(sn_hierarchy_def),
                              .levels = SN_MAX_LEVELS,
                              .finest = 2,
                              .sweeps = 4,
                              .interval = 1,
                              .side = SN_SIDE_AT_MOST,
                              .stiffness = 1};
}

static sn_result check_hierarchy(const sn_world *world, sn_hierarchy hierarchy) {
    return sn_slots_check(&sn_hierarchies_of(world)->slots, SN_ID(hierarchy), world->tag,
                          "hierarchy");
}

/* ---- Checks of a definition ---- */

static sn_result check_int(const char *name, int value, int most) {
    if (value >= 1 && value <= most) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "hierarchy: %s is %d, expected 1 to %d", name, value, most);
}

static sn_result check_numbers(const sn_hierarchy_def *d) {
    SN_TRY(sn_check_size("hierarchy", d->size, sizeof *d));
    SN_TRY(check_int("levels", d->levels, SN_MAX_LEVELS));
    SN_TRY(check_int("finest", d->finest, SN_MAX_LEVELS));
    SN_TRY(check_int("sweeps", d->sweeps, 64));
    SN_TRY(check_int("interval", d->interval, 64));
    if (d->side != SN_SIDE_AT_MOST && d->side != SN_SIDE_BOTH)
        return sn_fail(SN_ERROR_VALUE, "hierarchy: side is %d, expected %d or %d", (int)d->side,
                       SN_SIDE_BOTH, SN_SIDE_AT_MOST);
    SN_TRY(sn_check_real("hierarchy", "stiffness", d->stiffness, 0, 1, false, ""));
    return sn_check_real("hierarchy", "slack", d->slack, 0, (double)SN_REAL_MAX, false, "");
}

static sn_result check_elements(const char *what, const uint32_t *element, size_t count,
                                size_t corners, size_t nodes) {
    if (count > 0 && !element) return sn_fail(SN_ERROR_NULL, "hierarchy: %ss is null", what);
    for (size_t i = 0; i < corners * count; i++) {
        size_t next = i % corners + 1 == corners ? i + 1 - corners : i + 1;
        if (element[i] >= nodes)
            return sn_fail(SN_ERROR_VALUE, "hierarchy: %s %zu has node %u, expected below %zu",
                           what, i / corners, element[i], nodes);
        if (element[i] == element[next])
            return sn_fail(SN_ERROR_DEGENERATE, "hierarchy: %s %zu has node %u twice", what,
                           i / corners, element[i]);
    }
    return SN_OK;
}

static sn_result check_lengths(const sn_hierarchy_def *d) {
    for (size_t i = 0; d->lengths && i < d->edge_count; i++)
        if (!(d->lengths[i] > 0 && d->lengths[i] <= SN_REAL_MAX))
            return sn_fail(SN_ERROR_VALUE,
                           "hierarchy: length %zu is %g m, expected above 0 and finite", i,
                           (double)d->lengths[i]);
    return SN_OK;
}

static sn_result check_rest(const sn_hierarchy_def *d) {
    for (size_t i = 0; d->rest && i < d->node_count; i++) {
        const sn_vec3 *x = &d->rest[i];
        sn_real test = ((x->x - x->x) + (x->y - x->y)) + (x->z - x->z);
        if (test != 0)
            return sn_fail(SN_ERROR_VALUE,
                           "hierarchy: rest of node %zu is (%g, %g, %g) m, expected finite numbers",
                           i, (double)x->x, (double)x->y, (double)x->z);
    }
    return SN_OK;
}

static sn_result check_lists(const sn_world *world, const sn_hierarchy_def *d) {
    if (d->node_count < 2)
        return sn_fail(SN_ERROR_VALUE, "hierarchy: node_count is %zu, expected at least 2",
                       d->node_count);
    if (!d->nodes) return sn_fail(SN_ERROR_NULL, "hierarchy: nodes is null");
    /* Each node once, so more than there are cannot be right, and is not read. */
    if (d->node_count > world->nodes.slots.live)
        return sn_fail(SN_ERROR_LIMIT, "hierarchy: node_count is %zu, but the world has %zu nodes",
                       d->node_count, world->nodes.slots.live);
    for (size_t i = 0; i < d->node_count; i++) {
        sn_result result = sn_check_node(world, d->nodes[i]);
        if (result != SN_OK)
            return sn_fail_within(result, "hierarchy node %zu of %zu", i, d->node_count);
    }
    SN_TRY(check_elements("edge", d->edges, d->edge_count, 2, d->node_count));
    SN_TRY(check_lengths(d));
    SN_TRY(check_rest(d));
    return check_elements("triangle", d->triangles, d->triangle_count, 3, d->node_count);
}

/* ---- The mesh ---- */

/* Orders the nodes by their slots; `number` is where each of the definition goes. */
static sn_result order_nodes(sn_world *world, const sn_hierarchy_def *def, sn_hierarchy_state *h,
                             uint32_t *number) {
    size_t slots = world->nodes.slots.count;
    uint32_t *mine = sn_allocate(&world->memory, slots, sizeof *mine); /* index + 1 */
    if (!mine) return SN_ERROR_MEMORY;
    sn_result result = SN_OK;
    for (size_t i = 0; i < def->node_count && result == SN_OK; i++) {
        uint32_t *at = &mine[def->nodes[i].slot - 1];
        if (*at)
            result = sn_fail(SN_ERROR_DEGENERATE,
                             "hierarchy: node %zu of %zu is node %u again, expected each once", i,
                             def->node_count, def->nodes[i].slot - 1);
        *at = (uint32_t)i + 1;
    }
    for (size_t slot = 0; slot < slots && result == SN_OK; slot++) {
        if (!mine[slot]) continue;
        number[mine[slot] - 1] = (uint32_t)h->nodes;
        h->node[h->nodes++] = def->nodes[mine[slot] - 1];
    }
    sn_free(&world->memory, mine, slots, sizeof *mine);
    return result;
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
    const sn_store *store = &world->store[SN_TYPE_DISTANCE];
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
    SN_TRY(check_numbers(def));
    SN_TRY(check_lists(world, def));
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
    h->def.nodes = NULL;
    h->def.edges = h->def.triangles = NULL;
    h->def.lengths = NULL;
    h->def.rest = NULL;
    h->def.node_count = h->def.edge_count = h->def.triangle_count = 0;
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
    SN_RECORD(world, HIERARCHY_CREATE, .hierarchy = *def);
    return SN_OK;
}

sn_result sn_hierarchy_destroy(sn_world *world, sn_hierarchy hierarchy) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_hierarchy(world, hierarchy));
    wake_members(world, &sn_hierarchies_of(world)->state[hierarchy.slot - 1]);
    sn_hierarchies_remove(sn_hierarchies_of(world), &world->memory, hierarchy.slot - 1);
    SN_RECORD(world, HIERARCHY_DESTROY, .id = SN_ID(hierarchy));
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
    SN_RECORD(world, HIERARCHY_SET, .id = SN_ID(hierarchy), .hierarchy = *def);
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
    SN_TRY(check_int("level", level, SN_MAX_LEVELS));
    const sn_hierarchy_state *h = &sn_hierarchies_of(world)->state[hierarchy.slot - 1];
    *count = (size_t)level <= h->levels ? h->level[level - 1].count : 0;
    return SN_OK;
}
