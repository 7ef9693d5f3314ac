#include "sample_worlds.h"

#include <math.h>
#include <scenes.h>
#include <string.h>

#include "check.h"

/* ---- The scenes that everything else uses too ---- */

static void set_solver(sn_world *world, sn_solver solver, int iterations) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.solver = solver;
    settings.iterations = iterations;
    settings.hybrid_colours = 2;
    settings.substeps = 3;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

static void build_cloth(sn_world *world, bool tiny) {
    scene_cloth_def def = scene_cloth_def_default();
    def.columns = tiny ? 3 : 12;
    def.rows = tiny ? 3 : 10;
    def.compliance = (sn_real)1e-5;
    def.damping = (sn_real)0.5;
    def.bending = true;
    def.bending_compliance = 64;
    set_solver(world, SN_SOLVER_COLOURED, 2);
    REQUIRE_OK(scene_cloth(world, &def, NULL));
}

static void build_beam(sn_world *world, bool tiny) {
    scene_beam_def def = scene_beam_def_default();
    if (tiny) def.cubes[0] = def.cubes[1] = def.cubes[2] = 1;
    set_solver(world, SN_SOLVER_JACOBI, 1);
    REQUIRE_OK(scene_beam(world, &def, NULL));
}

static void build_rod(sn_world *world, bool tiny) {
    scene_rod_def def = scene_rod_def_default();
    def.segments = tiny ? 2 : 20;
    set_solver(world, SN_SOLVER_HYBRID, 1);
    REQUIRE_OK(scene_rod(world, &def));
}

static void build_chain(sn_world *world, bool tiny) {
    scene_chain_def def = scene_chain_def_default();
    def.links = tiny ? 2 : 30;
    set_solver(world, SN_SOLVER_REFERENCE, 1);
    REQUIRE_OK(scene_chain(world, &def, NULL));
}

/* ---- Lists ---- */

static const uint32_t octahedron[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                        2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};

/* Balloons of six nodes each, in bodies of their own, and a vertex bent in each of them. */
static void build_balloons(sn_world *world, bool tiny) {
    static const sn_vec3 corner[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                      {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    set_solver(world, SN_SOLVER_COLOURED, 1);
    for (int b = 0; b < (tiny ? 1 : 5); b++) {
        sn_body_def body_def = sn_body_def_default();
        sn_body body;
        body_def.damping = (sn_real)0.25;
        body_def.rigid_damping = (sn_real)b;
        body_def.gravity = (sn_vec3){0, (sn_real)-b, 0};
        REQUIRE_OK(sn_body_create(world, &body_def, &body));
        sn_node node[6];
        for (int k = 0; k < 6; k++) {
            sn_node_def def = sn_node_def_default();
            def.position = (sn_vec3){corner[k].x + (sn_real)(3 * b), corner[k].y, corner[k].z};
            def.velocity = (sn_vec3){(sn_real)0.25, 0, (sn_real)k};
            def.body = body;
            def.radius = (sn_real)0.5;
            def.group = (uint32_t)b;
            REQUIRE_OK(sn_node_create(world, &def, &node[k]));
        }
        sn_surface_volume_def volume = sn_surface_volume_def_default();
        volume.nodes = node;
        volume.node_count = 6;
        volume.triangles = octahedron;
        volume.triangle_count = 8;
        volume.pressure = (sn_real)1.5;
        volume.compliance = (sn_real)1e-4;
        sn_constraint made;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SURFACE_VOLUME, &volume, &made));
        sn_vertex_bending_def bending = sn_vertex_bending_def_default();
        const sn_node ring[5] = {node[4], node[0], node[2], node[1], node[3]};
        bending.nodes = ring;
        bending.node_count = 5;
        bending.compliance = (sn_real)0.125;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_VERTEX_BENDING, &bending, &made));
        sn_distance_def link = sn_distance_def_default();
        link.node[0] = node[0];
        link.node[1] = node[1];
        link.break_force = (sn_real)(20 * b + 1);
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &made));
    }
}

/* ---- Kinematic nodes and frames ---- */

static void build_driven(sn_world *world, bool tiny) {
    set_solver(world, SN_SOLVER_COLOURED, 1);
    sn_node last = {0, 0, 0};
    for (int i = 0; i < (tiny ? 4 : 16); i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)i, 0, 0};
        def.inverse_mass = i % 4 == 0 ? 0 : 1;
        def.oriented = i % 2 == 0;
        if (i % 4 == 0) {
            def.inverse_inertia = (sn_vec3){0, 0, 0};
            def.velocity = (sn_vec3){0, (sn_real)0.125, 0};
            def.angular_velocity = (sn_vec3){0, 0, (sn_real)i};
        }
        sn_node node;
        REQUIRE_OK(sn_node_create(world, &def, &node));
        sn_distance_def link = sn_distance_def_default();
        link.node[0] = last;
        link.node[1] = node;
        link.side = i % 3 == 0 ? SN_SIDE_AT_MOST : SN_SIDE_BOTH;
        sn_constraint made;
        if (i > 0) REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &made));
        last = node;
    }
}

static void lead_driven(sn_world *world, int step) {
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; i < view.count; i++) {
        sn_node node;
        if (!view.alive[i] || sn_world_node_at(world, i, &node) != SN_OK) continue;
        sn_vec4 x = view.position[i];
        bool kinematic = view.inverse_mass[i] == 0;
        if (kinematic && (int)i % 8 == 0)
            CHECK_OK(sn_node_set_target(world, node,
                                        (sn_vec3){x.x, x.y + (sn_real)0.125, (sn_real)step / 64}));
        if (kinematic && i % 8 == 4 && step % 2 == 0)
            CHECK_OK(sn_node_set_target_orientation(world, node,
                                                    (sn_quat){0, (sn_real)step, 1, (sn_real)2}));
        if (!kinematic) CHECK_OK(sn_node_add_force(world, node, (sn_vec3){0, 0, (sn_real)step}));
        if (!kinematic && i % 2 == 0)
            CHECK_OK(sn_node_add_torque(world, node, (sn_vec3){1, 0, (sn_real)step}));
    }
}

/* ---- All types, with holes ---- */

static uint32_t draw(uint32_t *state, uint32_t count) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % count;
}

static void add_any(sn_world *world, uint32_t *state, uint32_t nodes) {
    sn_type type = (sn_type)draw(state, SN_TYPE_COUNT);
    const sn_type_info *info = sn_type_get_info(type);
    union {
        size_t size;
        sn_real align;
        unsigned char bytes[1024];
    } def;
    sn_node chosen[SN_MAX_NODES] = {{0, 0, 0}};
    REQUIRE_OK(sn_type_default(type, &def));
    for (int k = 0; k < info->nodes; k++) {
        uint32_t slot = (draw(state, nodes / 4) * 4 + (uint32_t)k) % nodes;
        if (k >= info->nodes - info->fixed_nodes)
            chosen[k] = (sn_node){0, 0, 0};
        else
            sn_world_node_at(world, slot, &chosen[k]);
    }
    struct {
        const sn_node *nodes;
        size_t node_count;
        const uint32_t *triangles;
        size_t triangle_count;
    } list = {chosen, 4, NULL, 0};
    static const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    if (info->list == SN_LIST_SURFACE) {
        list.triangles = tetrahedron;
        list.triangle_count = 4;
    }
    if (info->list == SN_LIST_NONE)
        memcpy(def.bytes + sizeof(size_t), chosen, (size_t)info->nodes * sizeof *chosen);
    else
        memcpy(def.bytes + sizeof(size_t), &list, sizeof list);
    sn_constraint made;
    sn_result result = sn_constraint_create(world, type, &def, &made);
    /* Not every node is oriented. */
    bool particle = info->frames > 0 && result == SN_ERROR_VALUE;
    CHECK(result == SN_OK || result == SN_ERROR_DEGENERATE || result == SN_ERROR_STALE ||
          result == SN_ERROR_ID || particle);
}

static void build_zoo(sn_world *world, bool tiny) {
    uint32_t state = 5, nodes = tiny ? 12 : 80;
    set_solver(world, SN_SOLVER_COLOURED, 1);
    for (uint32_t i = 0; i < nodes; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)draw(&state, 64) / 8, (sn_real)draw(&state, 64) / 8,
                                 (sn_real)draw(&state, 64) / 8};
        def.oriented = true;
        sn_node node;
        REQUIRE_OK(sn_node_create(world, &def, &node));
    }
    for (int i = 0; i < (tiny ? 20 : 300); i++) add_any(world, &state, nodes);
}

/* Adds and removes. */
static void lead_zoo(sn_world *world, int step) {
    uint32_t state = (uint32_t)(step + 1) * 977;
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    uint32_t nodes = (uint32_t)view.count;
    for (int i = 0; i < 10; i++) {
        sn_constraint victim;
        if (sn_world_constraint_at(world, draw(&state, 200), &victim) == SN_OK)
            CHECK_OK(sn_constraint_destroy(world, victim));
        add_any(world, &state, nodes);
    }
    sn_node node;
    if (step % 3 == 1 && sn_world_node_at(world, draw(&state, nodes), &node) == SN_OK)
        CHECK_OK(sn_node_destroy(world, node));
    sn_node_def def = sn_node_def_default();
    def.oriented = step % 2 == 0;
    if (step % 3 == 2) CHECK_OK(sn_node_create(world, &def, &node));
}

/* ---- By number ---- */

static void build_pbd(sn_world *world, bool tiny) {
    build_beam(world, tiny);
    sn_settings settings = sn_settings_default();
    settings.model = SN_MODEL_PBD;
    settings.iterations = 3;
    settings.substeps = 2;
    settings.alternate = true;
    settings.speed_limit = 10;
    settings.damping = (sn_real)0.5;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

/* Second order, with damping groups that overlap, one body that is pushed and so starts anew. */
static void build_second_order(sn_world *world, bool tiny) {
    build_balloons(world, tiny);
    build_chain(world, tiny);
    sn_settings settings = sn_settings_default();
    settings.integrator = SN_INTEGRATOR_BDF2;
    settings.substeps = 3;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    for (size_t c = 0; c < 3; c++) {
        sn_node node[4];
        sn_damping_group damping_group;
        sn_damping_group_def def = sn_damping_group_def_default();
        for (size_t k = 0; k < 4; k++) REQUIRE_OK(sn_world_node_at(world, c + k, &node[k]));
        def.nodes = node;
        def.node_count = 4;
        def.damping = (sn_real)(c + 1);
        REQUIRE_OK(sn_damping_group_create(world, &def, &damping_group));
        if (c == 1) REQUIRE_OK(sn_damping_group_destroy(world, damping_group));
    }
}

static void lead_second_order(sn_world *world, int step) {
    sn_node node;
    if (step % 4 == 3 && sn_world_node_at(world, 0, &node) == SN_OK)
        CHECK_OK(sn_node_apply_impulse(world, node, (sn_vec3){0, (sn_real)0.25, 0}));
    sn_node_def def = sn_node_def_default();
    if (step % 4 == 1) CHECK_OK(sn_node_create(world, &def, &node));
}

/* ---- Ellipsoids, and volumes that are kept where they are deformed ---- */

static void build_ellipsoids(sn_world *world, bool tiny) {
    sn_body_def body_def = sn_body_def_default();
    sn_collider_def floor = sn_collider_def_default();
    sn_body body;
    sn_collider made;
    set_solver(world, SN_SOLVER_COLOURED, 1);
    body_def.rolls = true;
    floor.shape = SN_SHAPE_PLANE;
    floor.static_friction = floor.dynamic_friction = (sn_real)0.5;
    REQUIRE_OK(sn_body_create(world, &body_def, &body));
    REQUIRE_OK(sn_collider_create(world, &floor, &made));
    for (int i = 0; i < (tiny ? 2 : 8); i++) {
        sn_node_def def = sn_node_def_default();
        sn_node node;
        def.position = (sn_vec3){(sn_real)i, (sn_real)0.25, 0};
        def.orientation = (sn_quat){0, 0, (sn_real)i, 4};
        def.oriented = true;
        def.body = body;
        def.radius = (sn_real)0.125;
        REQUIRE_OK(sn_node_create(world, &def, &node));
        sn_vec3 radii = {(sn_real)0.5, (sn_real)0.25, (sn_real)0.125};
        if (i % 3 != 2) REQUIRE_OK(sn_node_set_radii(world, node, radii));
    }
}

/* Some become others, and some balls again. */
static void lead_ellipsoids(sn_world *world, int step) {
    sn_node node;
    if (sn_world_node_at(world, (size_t)step % 8, &node) != SN_OK) return;
    sn_real r = (sn_real)0.25, long_one = step % 2 == 0 ? r : 2 * r;
    CHECK_OK(sn_node_set_radii(world, node, (sn_vec3){r, long_one, r}));
}

/* The shape at rest and the pairs across of some, which others get later. */
static void build_local(sn_world *world, bool tiny) {
    build_balloons(world, tiny);
    for (size_t i = 0; i < 15; i++) {
        sn_constraint c;
        sn_type type;
        sn_real share[3] = {(sn_real)0.5, 0, 0};
        if (sn_world_constraint_at(world, i, &c) != SN_OK) continue;
        REQUIRE_OK(sn_constraint_get_type(world, c, &type));
        if (type != SN_TYPE_SURFACE_VOLUME || i % 2 == 1) continue;
        REQUIRE_OK(sn_constraint_set_field(world, c, "local", share));
        REQUIRE_OK(sn_constraint_set_field(world, c, "opposing", share));
    }
}

static void lead_local(sn_world *world, int step) {
    sn_constraint c;
    sn_type type;
    sn_real share[3] = {(sn_real)0.75, 0, 0};
    if (step % 4 != 2 || sn_world_constraint_at(world, 3, &c) != SN_OK) return;
    REQUIRE_OK(sn_constraint_get_type(world, c, &type));
    if (type == SN_TYPE_SURFACE_VOLUME) CHECK_OK(sn_constraint_set_field(world, c, "local", share));
}

/* ---- Strands on a head that turns ---- */

enum { STRANDS = 5, STRAND = 4 };

static void build_hair(sn_world *world, bool tiny) {
    sn_node node[STRANDS * STRAND];
    sn_real length[STRANDS * STRAND];
    size_t count = 0;
    for (int s = 0; s < (tiny ? 2 : STRANDS); s++)
        for (int k = 0; k < STRAND; k++) {
            sn_node_def def = sn_node_def_default();
            def.position = (sn_vec3){(sn_real)(s % 3), (sn_real)(0.25 * k), (sn_real)(s / 3)};
            def.inverse_mass = k == 0 ? 0 : 1;
            REQUIRE_OK(sn_node_create(world, &def, &node[count]));
            length[count++] = (sn_real)(k == 0 ? 0 : 0.25);
        }
    sn_hair_def def = sn_hair_def_default();
    sn_hair hair;
    def.nodes = node;
    def.lengths = length;
    def.node_count = count;
    def.hold = 8;
    def.friction = 3;
    def.repulsion = (sn_real)0.125;
    def.cell = (sn_real)0.5;
    REQUIRE_OK(sn_hair_create(world, &def, &hair));
}

/* Roots are moved, another hairstyle is held, and a node goes, with which a strand becomes two. */
static void lead_hair(sn_world *world, int step) {
    sn_node node;
    sn_hair hair;
    sn_hair_def def = sn_hair_def_default();
    if (sn_world_node_at(world, 0, &node) != SN_OK) return;
    CHECK_OK(sn_node_set_target(world, node, (sn_vec3){0, (sn_real)(step % 3) / 16, 0}));
    CHECK_OK(sn_node_hair(world, node, &hair));
    CHECK_OK(sn_hair_get(world, hair, &def));
    def.hold = (sn_real)(step % 4);
    if (step % 4 == 1) CHECK_OK(sn_hair_set(world, hair, &def));
    if (step % 8 == 5 && sn_world_node_at(world, 6, &node) == SN_OK)
        CHECK_OK(sn_node_destroy(world, node));
}

/* ---- A wrinkle mesh on a square that is pushed together ---- */

static void build_wrinkles(sn_world *world, bool tiny) {
    static const uint32_t triangle[6] = {0, 1, 2, 2, 1, 3};
    sn_node node[4];
    for (int i = 0; i < 4; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(i % 2), 1, (sn_real)(i / 2)};
        def.inverse_mass = (sn_real)(i % 2);
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    sn_wrinkle_mesh_def def = sn_wrinkle_mesh_def_default();
    sn_wrinkle_mesh mesh;
    def.nodes = node;
    def.node_count = 4;
    def.triangles = triangle;
    def.triangle_count = 2;
    def.divisions = tiny ? 2 : 5;
    def.one_sided = tiny;
    REQUIRE_OK(sn_wrinkle_mesh_create(world, &def, &mesh));
}

static void lead_wrinkles(sn_world *world, int step) {
    sn_node node;
    if (sn_world_node_at(world, 0, &node) != SN_OK) return;
    CHECK_OK(sn_node_set_target(world, node, (sn_vec3){(sn_real)(step % 5) / 8, 1, 0}));
}

/* ---- Air between a triangle and a node that falls on it ---- */

static void build_air(sn_world *world, bool tiny) {
    static const uint32_t triangle[6] = {0, 1, 2, 2, 1, 3}, edge[2] = {0, 1};
    sn_node node[6];
    size_t count = tiny ? 5 : 6;
    for (size_t i = 0; i < count; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(i % 2), 0, (sn_real)(i / 2)};
        if (i > 3) def.position = (sn_vec3){(sn_real)0.25 * (sn_real)(i - 3), (sn_real)0.1, 0.5};
        def.inverse_mass = i > 3;
        def.velocity.y = -1;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    sn_air_mesh_def def = sn_air_mesh_def_default();
    sn_air_mesh air;
    def.nodes = node;
    def.node_count = count;
    def.triangles = triangle;
    def.triangle_count = 2;
    def.edges = edge;
    def.edge_count = 1;
    REQUIRE_OK(sn_air_mesh_create(world, &def, &air));
}

/* ---- A block that melts on a hot floor and takes up moisture ---- */

static void build_melting(sn_world *world, bool tiny) {
    sn_node node[27];
    sn_real value[27];
    size_t side = tiny ? 2 : 3, count = side * side * side;
    for (size_t i = 0; i < count; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(i % side) / 8, (sn_real)(i / side % side) / 8,
                                 (sn_real)(i / (side * side)) / 8};
        def.radius = (sn_real)0.0625;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
        value[i] = i % 7 == 3 ? 12 : 6;
    }
    sn_diffusion_def def = sn_diffusion_def_default();
    sn_diffusion made;
    sn_source_def hot = sn_source_def_default(), damp = hot;
    sn_source source;
    def.nodes = node;
    def.node_count = count;
    def.values = value;
    def.diffusivity = (sn_real)0.125;
    def.melting_point = 8;
    def.latent = 2;
    def.modulus = 4096;
    REQUIRE_OK(sn_diffusion_create(world, &def, &made));
    def.quantity = 1;
    def.values = NULL;
    def.melting_point = SN_AUTO;
    def.load = 1;
    REQUIRE_OK(sn_diffusion_create(world, &def, &made));
    hot.shape = SN_SOURCE_HALF_SPACE;
    hot.position.y = (sn_real)0.0625;
    hot.value = 16;
    hot.rate = 4;
    hot.end = (sn_real)0.125;
    REQUIRE_OK(sn_source_create(world, &hot, &source));
    damp.shape = SN_SOURCE_EVERYWHERE;
    damp.exposed = true;
    damp.quantity = 1;
    damp.value = 1;
    REQUIRE_OK(sn_source_create(world, &damp, &source));
}

/* ---- Agents that walk through each other ---- */

static void build_crowd(sn_world *world, bool tiny) {
    sn_node node[10];
    sn_vec3 goal[10];
    size_t count = tiny ? 4 : 10;
    for (size_t i = 0; i < count; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(i % 2) * 2, 0, (sn_real)(i / 2) / 2};
        def.radius = (sn_real)0.125;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
        goal[i] = (sn_vec3){2 - (sn_real)(i % 2) * 2, 0, def.position.z};
    }
    sn_crowd_def def = sn_crowd_def_default();
    sn_crowd crowd;
    def.nodes = node;
    def.node_count = count;
    def.goals = goal;
    REQUIRE_OK(sn_crowd_create(world, &def, &crowd));
}

/* ---- Force fields, of which one moves and one goes ---- */

static void build_effectors(sn_world *world, bool tiny) {
    size_t count = tiny ? 3 : 12;
    for (size_t i = 0; i < count; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(i % 4) / 4, (sn_real)(i / 4) / 2, 0};
        REQUIRE_OK(sn_node_create(world, &def, &(sn_node){0}));
    }
    for (int i = 0; i < 6; i++) {
        sn_effector_def def = sn_effector_def_default();
        sn_effector made;
        def.kind = (sn_effector_kind)i;
        def.position.x = (sn_real)(i - 2) / 4;
        def.falloff = (sn_real)i / 2;
        def.linear_drag = (sn_real)0.5;
        def.per_mass = i % 2 == 0;
        REQUIRE_OK(sn_effector_create(world, &def, &made));
    }
}

static void lead_effectors(sn_world *world, int step) {
    /* Ids as they are made in a new world. */
    sn_node any;
    sn_effector_def def = sn_effector_def_default();
    REQUIRE_OK(sn_world_node_at(world, 0, &any));
    sn_effector first = {1, any.generation, any.world}, second = {2, any.generation, any.world};
    if (step == 1) {
        REQUIRE_OK(sn_effector_get(world, first, &def));
        def.position.y = 2;
        REQUIRE_OK(sn_effector_set(world, first, &def));
    }
    if (step == 2) REQUIRE_OK(sn_effector_destroy(world, second));
}

/* ---- Dough that is drawn out ---- */

static void build_dough(sn_world *world, bool tiny) {
    sn_node node[48];
    size_t count = tiny ? 12 : 36, spare = tiny ? 2 : 12;
    for (size_t i = 0; i < count + spare; i++) {
        sn_node_def def = sn_node_def_default();
        def.position =
            (sn_vec3){(sn_real)(i / 4) / 8, (sn_real)(i % 2) / 8, (sn_real)(i / 2 % 2) / 8};
        def.velocity = (sn_vec3){3 * def.position.x, 0, 0};
        def.radius = (sn_real)0.0625;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    sn_dough_def def = sn_dough_def_default();
    sn_dough dough;
    def.nodes = node;
    def.node_count = count + spare;
    def.waiting = (uint32_t)spare;
    def.spacing = (sn_real)0.125;
    def.compliance = (sn_real)0.01;
    def.plastic_yield = 0;
    REQUIRE_OK(sn_dough_create(world, &def, &dough));
}

typedef struct exhibit {
    const char *name;
    void (*build)(sn_world *world, bool tiny);
    void (*lead)(sn_world *world, int step);
} exhibit;

static const exhibit exhibits[SAMPLE_WORLDS] = {
    {"cloth", build_cloth, NULL},
    {"beam", build_beam, NULL},
    {"rod", build_rod, NULL},
    {"chain", build_chain, NULL},
    {"balloons", build_balloons, NULL},
    {"driven", build_driven, lead_driven},
    {"zoo", build_zoo, lead_zoo},
    {"pbd", build_pbd, NULL},
    {"second order", build_second_order, lead_second_order},
    {"ellipsoids", build_ellipsoids, lead_ellipsoids},
    {"local", build_local, lead_local},
    {"hair", build_hair, lead_hair},
    {"wrinkles", build_wrinkles, lead_wrinkles},
    {"crowd", build_crowd, NULL},
    {"air", build_air, NULL},
    {"melting", build_melting, NULL},
    {"effectors", build_effectors, lead_effectors},
    {"dough", build_dough, NULL},
};

const char *sample_world_name(int number) {
    return exhibits[number].name;
}

void sample_world_build(sn_world *world, int number, bool tiny) {
    exhibits[number].build(world, tiny);
}

void sample_world_lead(sn_world *world, int number, int step) {
    if (exhibits[number].lead) exhibits[number].lead(world, step);
}
