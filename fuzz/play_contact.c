/* Calls about contact: colliders of every shape, materials, skins and queries. */
#include "player.h"

#include <math.h>

#include "fuzz.h"

/* ---- Colliders ---- */

/* A block, whose corners may be anywhere. */
enum { BLOCK_CORNERS = 8 };
static const uint32_t block_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                                {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                                {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static const sn_vec3 *corner_of(player *p) {
    static sn_vec3 corner[BLOCK_CORNERS];
    for (size_t i = 0; i < BLOCK_CORNERS; i++)
        corner[i] = (sn_vec3){(sn_real)(i % 2), (sn_real)(i / 2 % 2), (sn_real)(i / 4)};
    size_t moved = player_choice(p, 4) ? 0 : player_choice(p, BLOCK_CORNERS);
    for (size_t i = 0; i < moved; i++) corner[player_choice(p, BLOCK_CORNERS)] = player_vector(p);
    return corner;
}

static void shape_geometry(player *p, sn_collider_def *def, sn_collider_part parts[2]) {
    static sn_real heights[9];
    sn_geometry *g = &def->geometry;
    for (int i = 0; i < 9; i++)
        heights[i] = player_choice(p, 8) ? (sn_real)(i % 3) : player_real(p);
    *g = (sn_geometry){.vertices = corner_of(p),
                       .vertex_count = BLOCK_CORNERS - (player_choice(p, 8) == 0),
                       .triangles = block_triangles,
                       .triangle_count = 12 - (player_choice(p, 8) == 0),
                       .heights = heights,
                       .points = {3, 3},
                       .spacing = player_choice(p, 4) ? (sn_real)0.25 : SN_AUTO,
                       .two_sided = player_choice(p, 2) == 0};
    for (int i = 0; i < 2; i++) {
        parts[i] = sn_collider_part_default();
        parts[i].shape = (sn_shape)player_choice(p, SN_SHAPE_COMPOUND + 1);
        parts[i].position = (sn_vec3){(sn_real)i, 0, player_choice(p, 8) ? 0 : player_real(p)};
        parts[i].geometry = *g;
    }
    def->parts = parts;
    def->part_count = player_choice(p, 3);
}

/* What nodes carry: one of them, nobody, or a body that is made of a shape. */
static sn_result change_carrier(player *p, size_t at, const sn_collider_def *def) {
    sn_world *world = p->world[p->w];
    sn_collider id = p->collider[player_whose(p)][at];
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_mass_properties mass;
    p->stale[p->w] = true;
    switch (player_choice(p, 5)) {
    case 0:
        return sn_collider_clear_carrier(world, id);
    case 1:
        return sn_collider_mass_properties(world, id, player_real(p), &mass);
    case 2:
        return sn_collider_set_carrier(world, id, player_node(p));
    default:
        p->frugal = true;
        rigid.density = player_choice(p, 2) ? 1000 : player_real(p);
        return sn_rigid_create(world, &rigid, def, &p->node[p->w][p->made++ % IDS],
                               &p->collider[p->w][at]);
    }
}

sn_result player_change_collider(player *p) {
    sn_world *world = p->world[p->w];
    size_t at = player_choice(p, IDS);
    sn_collider id = p->collider[player_whose(p)][at];
    sn_collider_def def = sn_collider_def_default();
    sn_vec3 place;
    sn_collider_part parts[2];
    def.shape = (sn_shape)player_choice(p, SN_SHAPE_COMPOUND + 2);
    shape_geometry(p, &def, parts);
    def.position = player_vector(p);
    def.radius = player_choice(p, 2) ? player_real(p) : def.radius;
    switch (player_choice(p, 12)) {
    case 0:
        p->stale[p->w] = true;
        return sn_collider_destroy(world, id);
    case 6:
        p->stale[p->w] = true;
        return sn_collider_set_vertices(world, id, corner_of(p), BLOCK_CORNERS);
    case 1:
        place = player_vector(p);
        return sn_collider_set_target(world, id, place, player_quaternion(p));
    case 2:
        def.velocity = player_vector(p);
        def.restitution = player_real(p);
        p->stale[p->w] = true;
        return sn_collider_set(world, id, &def);
    case 3:
        return sn_collider_get(world, id, &def);
    case 7:
    case 8:
    case 9:
        return change_carrier(p, at, &def);
    default:
        def.angular_velocity = player_vector(p);
        p->frugal = true;
        return sn_collider_create(world, &def, &p->collider[p->w][at]);
    }
}

sn_result player_change_material(player *p) {
    sn_world *world = p->world[p->w];
    sn_body body = p->body[player_whose(p)][player_choice(p, IDS)],
            other = p->body[p->w][player_choice(p, IDS)];
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    sn_material a = (sn_material)player_choice(p, 3), b = (sn_material)player_choice(p, 3);
    sn_vec3 force;
    sn_result result;
    switch (player_choice(p, 5)) {
    case 0:
        pair.static_friction = pair.dynamic_friction = player_real(p);
        pair.restitution = player_choice(p, 2) ? 1 : player_real(p);
        pair.rolling_resistance = player_real(p);
        pair.collide = player_choice(p, 4) > 0;
        return sn_world_set_contact_pair(world, a, b, &pair);
    case 1:
        return sn_world_reset_contact_pair(world, a, b);
    case 2:
        return sn_body_set_collision(world, body, other, player_choice(p, 2) == 0);
    case 3:
        return sn_body_set_collider_collision(world, body, p->collider[p->w][player_choice(p, IDS)],
                                              player_choice(p, 2) == 0);
    default:
        result = sn_body_contact_force(world, body, &force);
        if (result == SN_OK)
            FUZZ_EXPECT(isfinite(force.x) && isfinite(force.y) && isfinite(force.z));
        return result;
    }
}

/* ---- Skins ---- */

sn_result player_change_surface(player *p) {
    enum { NODES = 6 };
    sn_world *world = p->world[p->w];
    size_t at = player_choice(p, IDS);
    sn_collision_surface id = p->surface[player_whose(p)][at];
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_node nodes[NODES];
    uint32_t triangles[6], segments[4];
    /* Each once, as a rule. */
    size_t first = player_choice(p, IDS);
    for (size_t i = 0; i < NODES; i++)
        nodes[i] = player_choice(p, 64) ? p->node[p->w][(first + i) % IDS] : player_node(p);
    for (int i = 0; i < 6; i++)
        triangles[i] =
            (uint32_t)(player_choice(p, 8) ? i % NODES : (int)player_choice(p, NODES + 1));
    for (int i = 0; i < 4; i++) segments[i] = (uint32_t)player_choice(p, NODES);
    def.nodes = nodes;
    def.node_count = player_choice(p, 4) ? NODES : 1 + player_choice(p, NODES);
    def.triangles = triangles;
    def.triangle_count = player_choice(p, 3);
    def.segments = segments;
    def.segment_count = player_choice(p, 3);
    def.detail = (sn_collision_surface_detail)player_choice(p, 3);
    def.self = player_choice(p, 2) == 0;
    def.penetration_free = player_choice(p, 2) == 0;
    def.untangle = player_choice(p, 2) == 0;
    def.triangle_contact = player_choice(p, 2) == 0;
    if (player_choice(p, 4) == 0) def.static_friction = player_real(p);
    if (player_choice(p, 4) == 0) def.restitution = player_real(p);
    if (player_choice(p, 4) == 0) def.recovery_speed = player_real(p);
    const sn_contact *contacts;
    size_t count;
    sn_result result;
    switch (player_choice(p, 6)) {
    case 0:
        return sn_collision_surface_destroy(world, id);
    case 1:
        return sn_collision_surface_set(world, id, &def);
    case 2:
        return sn_collision_surface_get(world, id, &def);
    case 3:
        result = sn_world_contacts(world, &contacts, &count);
        for (size_t i = 0; i < count; i++) {
            FUZZ_EXPECT(isfinite(contacts[i].impulse.x) && isfinite(contacts[i].normal.x));
            FUZZ_EXPECT(i == 0 || contacts[i - 1].kind <= contacts[i].kind);
        }
        return result;
    default:
        p->frugal = true;
        return sn_collision_surface_create(world, &def, &p->surface[p->w][at]);
    }
}

/* ---- Queries ---- */

static void check_hit(const sn_hit *hit) {
    FUZZ_EXPECT(isfinite(hit->point.x) && isfinite(hit->normal.x) && isfinite(hit->distance));
}

static sn_result ask(player *p, const sn_query *query) {
    enum { HITS = 4 };
    sn_hit hits[HITS];
    size_t count = 0;
    sn_filter_def filter = sn_filter_def_default();
    sn_cast_def cast = sn_cast_def_default();
    filter.kinds = (uint32_t)player_choice(p, 9);
    filter.skip_inside = player_choice(p, 2) == 0;
    cast.origin = player_vector(p);
    cast.direction = player_vector(p);
    if (player_choice(p, 2)) cast.length = player_real(p);
    if (player_choice(p, 2)) cast.radius = player_real(p);
    sn_vec3 a = player_vector(p), b = player_vector(p);
    sn_result result;
    switch (player_choice(p, 5)) {
    case 0:
        result = sn_query_cast(query, &cast, &filter, hits);
        count = result == SN_OK && hits[0].kind != SN_HIT_NONE;
        break;
    case 1:
        result = sn_query_cast_all(query, &cast, &filter, hits, HITS, &count);
        break;
    case 2:
        result = sn_query_overlap_sphere(query, a, b.x, &filter, hits, HITS, &count);
        break;
    case 3:
        result = sn_query_overlap_box(query, a, b, &filter, hits, HITS, &count);
        break;
    default:
        result = sn_query_closest(query, a, b.y, &filter, hits);
        count = result == SN_OK && hits[0].kind != SN_HIT_NONE;
    }
    for (size_t i = 0; result == SN_OK && i < count && i < HITS; i++) check_hit(&hits[i]);
    return result;
}

sn_result player_ask(player *p) {
    sn_query **query = &p->query[p->w];
    if (!*query) {
        sn_result result = sn_query_create(p->world[p->w], query);
        p->stale[p->w] = false;
        return result;
    }
    if (p->stale[p->w] || player_choice(p, 2)) {
        p->frugal = true;
        sn_result result = sn_query_refresh(*query, p->world[p->w]);
        /* A picture that could not be renewed is not asked. */
        p->stale[p->w] = result != SN_OK;
        return result;
    }
    return ask(p, *query);
}
