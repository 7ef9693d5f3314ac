#include "probes.h"

#include "check.h"

enum { COLUMNS = 68, ROWS = 62, NODES = COLUMNS * ROWS, PROBE = 7 };

/* ---- The sheet and the ground ---- */

static void add_links(sn_world *world, const sn_node *nodes) {
    static sn_distance_def links[2 * NODES];
    size_t count = 0;
    for (int i = 0; i < NODES; i++) {
        sn_distance_def link = sn_distance_def_default();
        link.node[0] = nodes[i];
        link.compliance = (sn_real)1e-5;
        if (i % COLUMNS + 1 < COLUMNS) {
            link.node[1] = nodes[i + 1];
            links[count++] = link;
        }
        if (i + COLUMNS < NODES) {
            link.node[1] = nodes[i + COLUMNS];
            links[count++] = link;
        }
    }
    REQUIRE_OK(sn_constraints_create(world, SN_TYPE_DISTANCE, links, count, NULL));
}

static void add_sheet(sn_world *world, sn_node nodes[NODES]) {
    static sn_node_def defs[NODES];
    for (int i = 0; i < NODES; i++) {
        defs[i] = sn_node_def_default();
        defs[i].position = (sn_vec3){(sn_real)(i % COLUMNS) / 16, (sn_real)(i % 5) / 64 + 1,
                                     (sn_real)(i / COLUMNS) / 16};
        defs[i].inverse_mass = 32;
        defs[i].radius = (sn_real)1 / 64;
        defs[i].group = (uint32_t)(i % 3);
    }
    REQUIRE_OK(sn_nodes_create(world, defs, NODES, nodes));
}

/* Its triangles, which rays meet and nothing else. */
static void add_surface(sn_world *world, const sn_node *nodes) {
    static uint32_t triangles[2 * NODES][3];
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_collision_surface surface;
    for (uint32_t i = 0; i + COLUMNS < NODES; i++) {
        if (i % COLUMNS + 1 == COLUMNS) continue;
        uint32_t *t = triangles[def.triangle_count++], *u = triangles[def.triangle_count++];
        t[0] = i;
        t[1] = u[0] = i + COLUMNS;
        t[2] = u[2] = i + 1;
        u[1] = i + COLUMNS + 1;
    }
    def.nodes = nodes;
    def.node_count = NODES;
    def.triangles = triangles[0];
    def.detail = SN_DETAIL_POINTS;
    def.mask = 0;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
}

/* One of every shape, turned and moving, on a plane. */
static void add_ground(sn_world *world) {
    for (int i = 0; i < 17; i++) {
        sn_collider_def def = sn_collider_def_default();
        sn_collider made;
        def.shape = i == 0 ? SN_SHAPE_PLANE : (sn_shape)(1 + i % 4);
        if (i > 0) {
            def.position = (sn_vec3){(sn_real)(i % 4) + (sn_real)0.5, 0, (sn_real)(i / 4)};
            def.orientation = (sn_quat){(sn_real)i / 16, (sn_real)(i % 3) / 4, 0, 1};
            def.velocity = (sn_vec3){0, (sn_real)(i % 2) / 2, 0};
            def.angular_velocity = (sn_vec3){0, 0, (sn_real)(i % 5)};
        }
        REQUIRE_OK(sn_collider_create(world, &def, &made));
    }
}

/* ---- Steering ---- */

static void push_by(sn_world *world, sn_node node, const sn_hit *hit, sn_real much) {
    sn_vec3 n = hit->normal;
    CHECK_OK(sn_node_add_force(world, node, (sn_vec3){much * n.x, much * n.y, much * n.z}));
}

/* Down to the ground, through the sheet: the nearer it is, the more it pushes. */
static bool hover(sn_world *world, const sn_query *query, sn_node node, sn_vec3 at) {
    sn_cast_def cast = sn_cast_def_default();
    sn_filter_def filter = sn_filter_def_default();
    sn_hit hit;
    filter.kinds = SN_HIT_COLLIDER;
    cast.origin = at;
    cast.direction = (sn_vec3){at.x - 2, -4, at.z - 2};
    cast.length = 2;
    CHECK_OK(sn_query_cast(query, &cast, &filter, &hit));
    if (hit.kind != SN_HIT_COLLIDER) return false;
    push_by(world, node, &hit, (1 - hit.fraction) * 4 - hit.velocity.y / 8);
    return true;
}

/* Sideways against other nodes, as a ball that does not see its own. */
static bool steer(sn_world *world, const sn_query *query, sn_node node, sn_vec3 at) {
    sn_cast_def cast = sn_cast_def_default();
    sn_filter_def filter = sn_filter_def_default();
    sn_hit hits[4];
    size_t count = 0;
    filter.skip_inside = true;
    filter.groups = 3;
    cast.origin = at;
    cast.direction = (sn_vec3){1, 0, 2};
    cast.radius = (sn_real)1 / 128;
    cast.length = 1;
    CHECK_OK(sn_query_cast_all(query, &cast, &filter, hits, 4, &count));
    for (size_t i = 0; i < count && i < 4; i++)
        push_by(world, node, &hits[i], (1 - hits[i].fraction) / 4);
    return count > 0;
}

/* Away from what is nearest, and from all that is in a box. */
static bool keep_off(sn_world *world, const sn_query *query, sn_node node, sn_vec3 at) {
    sn_filter_def filter = sn_filter_def_default();
    sn_vec3 low = {at.x - 1, at.y - 2, at.z - 1};
    sn_hit hit;
    size_t count = 0;
    filter.kinds = SN_HIT_COLLIDER;
    CHECK_OK(sn_query_closest(query, at, 2, &filter, &hit));
    CHECK_OK(sn_query_overlap_box(query, low, at, &filter, NULL, 0, &count));
    if (hit.kind == SN_HIT_NONE) return false;
    push_by(world, node, &hit, (2 - hit.distance) / 2 + (sn_real)count / 8);
    return true;
}

/* Rain on the triangles beside it, which they pass on to their nodes. */
static bool rain(sn_world *world, const sn_query *query, sn_vec3 at) {
    sn_cast_def cast = sn_cast_def_default();
    sn_filter_def filter = sn_filter_def_default();
    sn_hit hit;
    filter.kinds = SN_HIT_SURFACE;
    cast.origin = (sn_vec3){at.x + (sn_real)1 / 64, at.y + 1, at.z + (sn_real)1 / 32};
    CHECK_OK(sn_query_cast(query, &cast, &filter, &hit));
    for (int k = 0; k < hit.node_count; k++)
        push_by(world, hit.node[k], &hit, -hit.weight[k] * (1 + hit.velocity.y / 8));
    return hit.kind == SN_HIT_SURFACE;
}

size_t golden_probes_play(sn_world *world, int steps, sn_real dt) {
    static sn_node nodes[NODES];
    add_sheet(world, nodes);
    add_links(world, nodes);
    add_surface(world, nodes);
    add_ground(world);
    sn_query *query = NULL;
    size_t hits = 0;
    REQUIRE_OK(sn_query_create(world, &query));
    for (int step = 0; step < steps; step++) {
        CHECK_OK(sn_query_refresh(query, world));
        for (int i = step; i < NODES; i += PROBE) {
            sn_node_def def;
            CHECK_OK(sn_node_get(world, nodes[i], &def));
            hits += hover(world, query, nodes[i], def.position);
            hits += steer(world, query, nodes[i], def.position);
            hits += keep_off(world, query, nodes[i], def.position);
            hits += rain(world, query, def.position);
        }
        REQUIRE_OK(sn_world_step(world, dt));
    }
    sn_query_destroy(query);
    return hits;
}
