#include "coarse_sheets.h"

#include "collision/shapes/shape_distance.h"
#include "math/quaternion.h"

#include <string.h>

/* m: where things are. */
static const double THING_Z = 0.12;

/* ---- Sheets ---- */

net_def net_default(void) {
    return (net_def){.squares = 2, .square = 0.5, .faces = true, .threads = 1, .gravity = 9.81};
}

static void tie(sn_world *world, sn_node a, sn_node b) {
    sn_constraint made;
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = a;
    def.node[1] = b;
    def.compliance = (sn_real)1e-4;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &made));
}

static void add_surface(net *n, bool faces, bool rope) {
    sn_collision_surface_def surface = sn_collision_surface_def_default();
    surface.nodes = n->node;
    surface.node_count = n->nodes;
    surface.triangles = &n->triangle[0][0];
    surface.triangle_count = n->triangles;
    surface.triangle_contact = faces;
    uint32_t segments[MOST][2];
    if (rope) {
        for (size_t i = 0; i < n->triangles; i++)
            memcpy(segments[i], n->triangle[i], sizeof segments[i]);
        surface.triangle_count = 0;
        surface.segments = &segments[0][0];
        surface.segment_count = n->triangles;
    }
    REQUIRE_OK(sn_collision_surface_create(n->world, &surface, &n->surface));
}

static sn_node add_corner(net *n, double x, double z, bool pinned) {
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){(sn_real)x, 0, (sn_real)z};
    def.inverse_mass = pinned ? 0 : 10;
    def.radius = (sn_real)0.005;
    def.body = n->body;
    REQUIRE_OK(sn_node_create(n->world, &def, &n->node[n->nodes]));
    return n->node[n->nodes++];
}

static void fill_rope(net *n, net_def d) {
    for (int i = 0; i <= d.squares; i++) {
        bool end = i == 0 || i == d.squares;
        add_corner(n, (i - 0.5 * d.squares) * d.square, THING_Z, d.pinned && end);
        if (i == 0) continue;
        uint32_t b = (uint32_t)i, a = b - 1;
        tie(n->world, n->node[a], n->node[b]);
        memcpy(n->triangle[n->triangles++], (uint32_t[3]){a, b, b}, sizeof n->triangle[0]);
    }
}

net make_net(net_def d) {
    net n = {.nodes = 0};
    int side = d.rope ? 0 : d.squares + 1;
    sn_world_def world = sn_world_def_default();
    world.settings.substeps = 10;
    world.settings.gravity = (sn_vec3){0, (sn_real)-d.gravity, 0};
    world.settings.sleep_time = (sn_real)d.sleep_time;
    world.settings.damping = 1;
    world.threads = d.threads;
    world.simd_width = d.width;
    REQUIRE_OK(sn_world_create(&world, &n.world));
    sn_body_def body = sn_body_def_default();
    REQUIRE_OK(sn_body_create(n.world, &body, &n.body));
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            bool rim = i == 0 || j == 0 || i == d.squares || j == d.squares;
            add_corner(&n, (i - 0.5 * d.squares) * d.square, (j - 0.5 * d.squares) * d.square,
                       d.pinned && rim);
        }
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            uint32_t a = (uint32_t)(j * side + i), b = a + 1, c = a + (uint32_t)side, e = c + 1;
            if (i < d.squares) tie(n.world, n.node[a], n.node[b]);
            if (j < d.squares) tie(n.world, n.node[a], n.node[c]);
            if (i == d.squares || j == d.squares) continue;
            tie(n.world, n.node[b], n.node[c]);
            memcpy(n.triangle[n.triangles++], (uint32_t[3]){a, c, b}, sizeof n.triangle[0]);
            memcpy(n.triangle[n.triangles++], (uint32_t[3]){b, c, e}, sizeof n.triangle[0]);
        }
    if (d.rope) fill_rope(&n, d);
    add_surface(&n, d.faces, d.rope);
    return n;
}

double depth_of(const net *n, sn_collider collider) {
    enum { PARTS = 40 };
    sn_collider_def def;
    double deepest = -1e9;
    REQUIRE_OK(sn_collider_get(n->world, collider, &def));
    sn_v4 q = {def.orientation.x, def.orientation.y, def.orientation.z, def.orientation.w};
    for (size_t t = 0; t < n->triangles; t++) {
        sn_v4 x[3], normal;
        for (int k = 0; k < 3; k++)
            x[k] = sn_quat_rotate_back(
                q, sn_v4_of(look(n->world, n->node[n->triangle[t][k]]).position) -
                       sn_v4_of(def.position));
        for (int i = 0; i <= PARTS; i++)
            for (int j = 0; i + j <= PARTS; j++) {
                sn_real u = (sn_real)i / PARTS, v = (sn_real)j / PARTS;
                sn_v4 at = (1 - u - v) * x[0] + u * x[1] + v * x[2];
                double deep = 0.005 - (double)sn_shape_distance_of(def.shape)(&def, at, &normal);
                deepest = deep > deepest ? deep : deepest;
            }
    }
    return deepest;
}

/* ---- Things ---- */

static sn_quat turn_of(double x, double y, double z, double angle) {
    double length = sqrt(x * x + y * y + z * z), s = sin(angle / 2) / length;
    return (sn_quat){(sn_real)(x * s), (sn_real)(y * s), (sn_real)(z * s), (sn_real)cos(angle / 2)};
}

sn_collider add_thing(sn_world *world, int which, double below, sn_real speed) {
    static const char *const names[] = {
        "ball", "thin capsule", "corner of a box", "edge of a box", "can",  "hull",
        "mesh", "field",        "parts",           "blade",         "hills"};
    static const sn_real hill[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    sn_collider made;
    sn_collider_def def = sn_collider_def_default();
    sn_mesh box = box_mesh(0.2, 0.2, 0.2, 1), sheet = sheet_mesh(0.2, 2);
    sn_collider_part parts[2] = {sn_collider_part_default(), sn_collider_part_default()};
    check_case("%s", names[which]);
    double top = 0.1;
    def.orientation = turn_of(1, 0, -1, atan(sqrt(2.0)));
    def.extent = (sn_vec3){(sn_real)0.1, (sn_real)0.1, (sn_real)0.1};
    def.radius = 0;
    def.velocity.y = speed;
    give(&def, &box);
    if (which == 0) def.shape = SN_SHAPE_SPHERE, def.radius = (sn_real)0.1;
    if (which == 1) {
        def.shape = SN_SHAPE_CAPSULE, def.radius = (sn_real)0.01;
        def.orientation = turn_of(0, 0, 1, 0);
        top = 0.11;
    }
    if (which == 2) def.shape = SN_SHAPE_BOX, top = 0.1 * sqrt(3.0);
    if (which == 3) {
        def.shape = SN_SHAPE_BOX, top = 0.1 * sqrt(2.0);
        def.orientation = turn_of(1, 0, 0, atan(1.0));
    }
    if (which == 4) {
        def.shape = SN_SHAPE_CYLINDER, def.radius = (sn_real)0.1, top = 0.1 * sqrt(2.0);
        def.orientation = turn_of(1, 0, 0, atan(1.0));
    }
    if (which >= 5 && which <= 7) top = 0.1 * sqrt(3.0);
    if (which == 5) def.shape = SN_SHAPE_HULL;
    if (which == 6) def.shape = SN_SHAPE_MESH;
    if (which == 7) def.shape = SN_SHAPE_SDF;
    if (which == 8) {
        def.shape = SN_SHAPE_COMPOUND;
        def.orientation = turn_of(1, 0, 0, 0);
        for (int i = 0; i < 2; i++) {
            parts[i].radius = (sn_real)0.05;
            parts[i].position = (sn_vec3){i ? (sn_real)0.04 : (sn_real)-0.04, (sn_real)0.05, 0};
        }
        def.parts = parts;
        def.part_count = 2;
    }
    if (which == 9) {
        def.shape = SN_SHAPE_MESH, def.radius = (sn_real)0.005, top = 0.105;
        def.orientation = turn_of(1, 0, 0, 2 * atan(1.0));
        def.geometry.two_sided = true;
        give(&def, &sheet);
    }
    if (which == 10) {
        static sn_real heights[9];
        for (int i = 0; i < 9; i++) heights[i] = (sn_real)0.1 * hill[i];
        def.shape = SN_SHAPE_HEIGHTS;
        def.orientation = turn_of(1, 0, 0, 0);
        def.geometry.heights = heights;
        def.geometry.points[0] = def.geometry.points[1] = 3;
    }
    def.position = (sn_vec3){(sn_real)0.17, (sn_real)(-top - below), (sn_real)THING_Z};
    REQUIRE_OK(sn_collider_create(world, &def, &made));
    sn_mesh_free(&box);
    sn_mesh_free(&sheet);
    return made;
}

/* ---- A triangle ---- */

void stop_collider(sn_world *world, sn_collider collider) {
    sn_collider_def def;
    REQUIRE_OK(sn_collider_get(world, collider, &def));
    def.velocity = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_collider_set(world, collider, &def));
}

void push_thing(const net *n, int which) {
    sn_collider thing = add_thing(n->world, which, 0.02, 1);
    double deepest = 0;
    for (int frame = 0; frame < 40; frame++) {
        if (frame == 5) stop_collider(n->world, thing);
        CHECK_OK(sn_world_step(n->world, (sn_real)dt));
        double deep = depth_of(n, thing);
        deepest = deep > deepest ? deep : deepest;
    }
    /* A field has corners that are rounder than its spacing, 0.2 m / 32. */
    CHECK(deepest < (which == 7 ? 3e-3 : 1.5e-3));
    CHECK(depth_of(n, thing) < (which == 7 ? 2e-3 : 5e-4));
}

plate make_plate(double speed, double gravity_x, double gravity_y, bool ties, bool even,
                 sn_collider_def ball) {
    static const double x[3] = {-0.5, 0.5, 0}, z[3] = {-0.3, -0.3, 0.6};
    plate p = {.mass = {1, 2, 3}, .weight = {0.2, 0.3, 0.5}};
    net *n = &p.net;
    n->world = make_world(20, 0);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(n->world, &settings));
    settings.gravity = (sn_vec3){(sn_real)gravity_x, (sn_real)gravity_y, 0};
    REQUIRE_OK(sn_world_set_settings(n->world, &settings));
    ball.shape = SN_SHAPE_SPHERE;
    ball.radius = (sn_real)0.1;
    ball.position.y = speed != 0 ? (sn_real)-0.11 : (sn_real)-0.1;
    for (int k = 0; k < 3; k++) {
        sn_node_def def = sn_node_def_default();
        if (even) p.mass[k] = 1, p.weight[k] = 1.0 / 3;
        def.position = (sn_vec3){(sn_real)x[k], 0, (sn_real)z[k]};
        def.velocity.y = (sn_real)-speed;
        def.inverse_mass = (sn_real)(1 / p.mass[k]);
        REQUIRE_OK(sn_node_create(n->world, &def, &n->node[n->nodes++]));
        ball.position.x += (sn_real)(p.weight[k] * x[k]);
        ball.position.z += (sn_real)(p.weight[k] * z[k]);
    }
    for (int k = 0; ties && k < 3; k++) {
        sn_constraint made;
        sn_distance_def def = sn_distance_def_default();
        def.node[0] = n->node[k];
        def.node[1] = n->node[(k + 1) % 3];
        REQUIRE_OK(sn_constraint_create(n->world, SN_TYPE_DISTANCE, &def, &made));
    }
    memcpy(n->triangle[n->triangles++], (uint32_t[3]){0, 2, 1}, sizeof n->triangle[0]);
    add_surface(n, true, false);
    REQUIRE_OK(sn_collider_create(n->world, &ball, &p.ball));
    return p;
}
