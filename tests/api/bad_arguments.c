/*
 * Every public function with every kind of bad argument. The calls are made by bad_arguments.py
 * from the headers; here is the world that they are made in.
 */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bad_arguments.h"
#include "check.h"

/* ---- What the calls name ---- */

static sn_world *world;
static sn_node node, stale_node, foreign_node;
static sn_body body, stale_body, foreign_body;
static sn_constraint constraint, stale_constraint, foreign_constraint;
static sn_damping_group damping_group, stale_damping_group, foreign_damping_group;
static sn_collider collider, stale_collider, foreign_collider;
static sn_collision_surface collision_surface, stale_collision_surface, foreign_collision_surface;
static sn_collision_surface_def collision_surface_def;
static sn_drag drag, stale_drag, foreign_drag;
static sn_fluid fluid, stale_fluid, foreign_fluid;
static sn_sheet sheet, stale_sheet, foreign_sheet;
static sn_tet_mesh tet_mesh, stale_tet_mesh, foreign_tet_mesh;
static sn_hierarchy hierarchy, stale_hierarchy, foreign_hierarchy;
static sn_hierarchy_def hierarchy_def;
static sn_hair hair, stale_hair, foreign_hair;
static sn_hair_def hair_def;
static sn_crowd crowd, stale_crowd, foreign_crowd;
static sn_crowd_def crowd_def;
static sn_dough dough, stale_dough, foreign_dough;
static sn_dough_def dough_def;
static sn_dough_measures dough_measures;
static sn_finite_elements finite_elements, stale_finite_elements, foreign_finite_elements;
static sn_finite_elements_def finite_elements_def;
static sn_emitter emitter, stale_emitter, foreign_emitter;
static sn_emitter_def emitter_def;
static sn_emitter_measures emitter_measures;
static sn_drain drain, stale_drain, foreign_drain;
static sn_drain_def drain_def;
static sn_diffusion diffusion, stale_diffusion, foreign_diffusion;
static sn_diffusion_def diffusion_def;
static sn_diffusion_measures diffusion_measures;
static sn_source source, stale_source, foreign_source;
static sn_source_def source_def;
static sn_effector effector, stale_effector, foreign_effector;
static sn_effector_def effector_def;
static sn_period_def period_def;
static sn_wrinkle_mesh wrinkle_mesh, stale_wrinkle_mesh, foreign_wrinkle_mesh;
static sn_air_mesh air_mesh, stale_air_mesh, foreign_air_mesh;
static sn_air_mesh_def air_mesh_def;
static sn_air_mesh_state air_mesh_state;
static sn_wrinkle_mesh_def wrinkle_mesh_def;
static sn_strands_def strands_def;
static sn_helix_def helix_def;
static const sn_vec3 line_points[2] = {{0, 0, 0}, {1, 0, 0}};
static sn_shape_matching shape_matching, stale_shape_matching, foreign_shape_matching;
static sn_shape_matching_def matching_def;
static sn_regions regions;
static sn_drag_def drag_def;
static sn_fluid_def fluid_def;
static sn_sheet_def sheet_def;
static sn_tet_mesh_def tet_mesh_def;
static sn_blade_def blade_def;
static sn_animation_target animation_target, stale_animation_target, foreign_animation_target;
static sn_animation_target_def animation_target_def;
static sn_animation_target_vertex animation_target_vertex;
static sn_attach_def attach_def;
static sn_rigid_def rigid_def;
static sn_grab_def grab_def;
static sn_grab grab;
static sn_hit hit;
static sn_sew_def sew_def;
static sn_type user_type;
static sn_node_def node_def;
static sn_body_def body_def;
static sn_damping_group_def damping_group_def;
static sn_collider_def collider_def;
static sn_contact_pair_def pair_def;
static sn_settings settings;
static sn_world_def world_def;
static sn_user_type_def type_def;
static sn_vertex_bending_def bending_def;
static sn_distance_def distance_def;
static sn_surface surface;
static sn_node corners[4];
static const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const sn_real reals[3] = {1, 1, 1};
static sn_mesh mesh, empty;
static sn_mesh_report report;
static const sn_vec3 origin = {0, 0, 0};
static const uint32_t corner[1] = {0};
static sn_grid_def grid_def;
static sn_sheet_mesh_def sheet_mesh_def;
static sn_panel_def panel_def;
static sn_disc_def disc_def;
static sn_box_def box_def;
static sn_sphere_def sphere_def;
static sn_cylinder_def cylinder_def;
static sn_torus_def torus_def;
static sn_block_def block_def;
static sn_build_def build_def;
static const sn_build built;
static sn_solid_material solid;
static sn_fill_def fill_def;
static sn_sdf_def field_def;
static sn_sdf *distances, *no_field;
static sn_embedding embedding, unfilled;
static sn_blend blend, tet_blend, unbound;
static const sn_quat upright = {0, 0, 0, 1};
static sn_query *query, *no_query;
static sn_cast_def cast_def;
static sn_filter_def filter_def;
static unsigned char room[65536], snapshot[65536];
static size_t snapshot_size;
static size_t unsized[64] = {1};
static bool inside;

/* Records what changes in the world. */
typedef struct picture {
    uint64_t hash;
    size_t constraints;
    unsigned char settings[1024]; /* the beginning of a snapshot, where they are */
} picture;

static picture look(void) {
    static unsigned char bytes[sizeof snapshot];
    picture p = {.hash = sn_world_hash(world)};
    size_t size = 0;
    p.constraints = sn_world_constraint_count(world, SN_TYPE_COUNT);
    CHECK_OK(sn_snapshot_save(world, bytes, sizeof bytes, &size));
    if (CHECK(size > sizeof p.settings)) memcpy(p.settings, bytes, sizeof p.settings);
    return p;
}

#define CASE(call, expected)                                                                       \
    check_case("%s", #call);                                                                       \
    check_result((call), (expected), #call, __FILE__, __LINE__);                                   \
    CHECK(strlen(sn_last_error()) > 0);

static void force_field(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)user;
    (void)input;
    (void)acceleration;
    if (!inside) return;
    inside = false;
    LOCKED_CALLS
}

static void formula(void *user, const sn_user_batch *batch) {
    (void)user;
    for (size_t i = 0; i < batch->count; i++) {
        batch->value[0][i] = batch->x[1][0][i];
        for (int axis = 0; axis < 3; axis++) {
            batch->gradient[1][axis][i] = axis == 0;
            batch->gradient[0][axis][i] = axis == 0 ? -1 : 0;
        }
    }
}

/* ---- A mesh ---- */

static void make_meshes(void) {
    grid_def = sn_grid_def_default();
    static const sn_real triangle[][2] = {{0, 0}, {1, 0}, {0, 1}};
    static const sn_outline outline = {triangle, 3, false};
    sheet_mesh_def = sn_sheet_mesh_def_default();
    panel_def = sn_panel_def_default();
    panel_def.outlines = &outline;
    panel_def.outline_count = 1;
    disc_def = sn_disc_def_default();
    box_def = sn_box_def_default();
    sphere_def = sn_sphere_def_default();
    cylinder_def = sn_cylinder_def_default();
    torus_def = sn_torus_def_default();
    strands_def = sn_strands_def_default();
    helix_def = sn_helix_def_default();
    block_def = sn_block_def_default();
    report = sn_mesh_report_default();
    mesh = empty = sn_mesh_default();
    REQUIRE_OK(sn_generate_block(&mesh, &block_def));
    solid = sn_solid_material_default();
    build_def = sn_build_def_default();
    build_def.mesh = &mesh;
    fill_def = sn_fill_def_default();
    field_def = sn_sdf_def_default();
    embedding = unfilled = sn_embedding_default();
    regions = sn_regions_default();
    REQUIRE_OK(sn_sdf_create(&mesh, &field_def, &distances));
    REQUIRE_OK(sn_embed(&mesh, &mesh, &embedding));
    blend = tet_blend = unbound = sn_blend_default();
    REQUIRE_OK(sn_blend_bind(&mesh, &origin, &upright, 1, 1, &blend));
    REQUIRE_OK(sn_blend_bind_tets(&mesh, &mesh, &tet_blend));
}

/* ---- The world ---- */

static void make_objects(sn_world *in, sn_node *a_node, sn_body *a_body, sn_constraint *a_link,
                         sn_damping_group *a_damping_group) {
    sn_node other;
    sn_node_def def = sn_node_def_default();
    def.oriented = true;
    def.inverse_mass = 0;
    def.inverse_inertia = (sn_vec3){0, 0, 0};
    sn_body_def of_body = sn_body_def_default();
    REQUIRE_OK(sn_body_create(in, &of_body, a_body));
    REQUIRE_OK(sn_node_create(in, &def, a_node));
    def = sn_node_def_default();
    def.position = (sn_vec3){1, 0, 0};
    REQUIRE_OK(sn_node_create(in, &def, &other));
    sn_distance_def link = sn_distance_def_default();
    link.node[0] = *a_node;
    link.node[1] = other;
    REQUIRE_OK(sn_constraint_create(in, SN_TYPE_DISTANCE, &link, a_link));
    sn_damping_group_def of_damping_group = sn_damping_group_def_default();
    of_damping_group.nodes = a_node;
    of_damping_group.node_count = 1;
    REQUIRE_OK(sn_damping_group_create(in, &of_damping_group, a_damping_group));
    if (in != world) return;
    distance_def = link;
    damping_group_def = of_damping_group;
}

/* Three of them: one that is there, one that was, and one of another world. */
static void make_colliders(sn_world *other) {
    collider_def = sn_collider_def_default();
    rigid_def = sn_rigid_def_default();
    pair_def = sn_contact_pair_def_default();
    REQUIRE_OK(sn_collider_create(world, &collider_def, &stale_collider));
    REQUIRE_OK(sn_collider_destroy(world, stale_collider));
    REQUIRE_OK(sn_collider_create(world, &collider_def, &collider));
    REQUIRE_OK(sn_collider_create(other, &collider_def, &foreign_collider));
}

static void make_surfaces(sn_world *other) {
    collision_surface_def = sn_collision_surface_def_default();
    collision_surface_def.node_count = 1;
    collision_surface_def.nodes = &node;
    REQUIRE_OK(
        sn_collision_surface_create(world, &collision_surface_def, &stale_collision_surface));
    REQUIRE_OK(sn_collision_surface_destroy(world, stale_collision_surface));
    REQUIRE_OK(sn_collision_surface_create(world, &collision_surface_def, &collision_surface));
    collision_surface_def.nodes = &foreign_node;
    REQUIRE_OK(
        sn_collision_surface_create(other, &collision_surface_def, &foreign_collision_surface));
    collision_surface_def.nodes = corners;
}

/* A hierarchy of one edge. */
static void make_hierarchy(sn_world *in, sn_hierarchy *made) {
    static const uint32_t one[2] = {0, 1};
    sn_node ends[2];
    sn_node_def def = sn_node_def_default();
    hierarchy_def = sn_hierarchy_def_default();
    for (int i = 0; i < 2; i++) {
        def.position.x = (sn_real)i;
        REQUIRE_OK(sn_node_create(in, &def, &ends[i]));
    }
    hierarchy_def.nodes = ends;
    hierarchy_def.node_count = 2;
    hierarchy_def.edges = one;
    hierarchy_def.edge_count = 1;
    REQUIRE_OK(sn_hierarchy_create(in, &hierarchy_def, made));
    hierarchy_def.nodes = corners;
}

/* A matching of two nodes. */
static void make_matching(sn_world *in, sn_shape_matching *made) {
    sn_node ends[2];
    sn_node_def def = sn_node_def_default();
    matching_def = sn_shape_matching_def_default();
    for (int i = 0; i < 2; i++) {
        def.position.x = (sn_real)i;
        REQUIRE_OK(sn_node_create(in, &def, &ends[i]));
    }
    matching_def.nodes = ends;
    matching_def.node_count = 2;
    REQUIRE_OK(sn_shape_matching_create(in, &matching_def, made));
    matching_def.nodes = corners;
}

/* A strand of two nodes. */
static void make_hair(sn_world *in, sn_hair *made) {
    static const sn_real lengths[2] = {0, 1};
    sn_node ends[2];
    sn_node_def def = sn_node_def_default();
    hair_def = sn_hair_def_default();
    for (int i = 0; i < 2; i++) {
        def.position.x = (sn_real)i;
        REQUIRE_OK(sn_node_create(in, &def, &ends[i]));
    }
    hair_def.nodes = ends;
    hair_def.lengths = lengths;
    hair_def.node_count = 2;
    REQUIRE_OK(sn_hair_create(in, &hair_def, made));
    hair_def.nodes = corners;
}

/* With a node of its own to give. */
static void make_emitter(sn_world *in, sn_emitter *made) {
    static sn_node own;
    sn_node_def def = sn_node_def_default();
    def.radius = (sn_real)0.01;
    REQUIRE_OK(sn_node_create(in, &def, &own));
    emitter_def = sn_emitter_def_default();
    emitter_def.nodes = &own;
    emitter_def.node_count = 1;
    REQUIRE_OK(sn_emitter_create(in, &emitter_def, made));
    emitter_def.nodes = corners;
}

static void make_drain(sn_world *in, sn_drain *made) {
    drain_def = sn_drain_def_default();
    REQUIRE_OK(sn_drain_create(in, &drain_def, made));
}

static void make_diffusion(sn_world *in, sn_diffusion *made) {
    sn_node own;
    sn_node_def def = sn_node_def_default();
    diffusion_def = sn_diffusion_def_default();
    REQUIRE_OK(sn_node_create(in, &def, &own));
    diffusion_def.nodes = &own;
    diffusion_def.node_count = 1;
    diffusion_def.spacing = 1;
    REQUIRE_OK(sn_diffusion_create(in, &diffusion_def, made));
    diffusion_def.nodes = corners;
}

static void make_source(sn_world *in, sn_source *made) {
    source_def = sn_source_def_default();
    REQUIRE_OK(sn_source_create(in, &source_def, made));
}

static void make_effector(sn_world *in, sn_effector *made) {
    effector_def = sn_effector_def_default();
    period_def = sn_period_def_default();
    REQUIRE_OK(sn_effector_create(in, &effector_def, made));
}

/* An agent, on a node of its own. */
static void make_crowd(sn_world *in, sn_crowd *made) {
    static const sn_vec3 goal = {1, 0, 0};
    sn_node own;
    sn_node_def def = sn_node_def_default();
    crowd_def = sn_crowd_def_default();
    REQUIRE_OK(sn_node_create(in, &def, &own));
    crowd_def.nodes = &own;
    crowd_def.node_count = 1;
    crowd_def.goals = &goal;
    REQUIRE_OK(sn_crowd_create(in, &crowd_def, made));
    crowd_def.nodes = corners;
}

/* Dough of one particle, on a node of its own. */
static void make_dough(sn_world *in, sn_dough *made) {
    sn_node own;
    sn_node_def def = sn_node_def_default();
    dough_def = sn_dough_def_default();
    REQUIRE_OK(sn_node_create(in, &def, &own));
    dough_def.nodes = &own;
    dough_def.node_count = 1;
    REQUIRE_OK(sn_dough_create(in, &dough_def, made));
    dough_def.nodes = corners;
}

/* A tet, on nodes of its own. */
static void make_finite_elements(sn_world *in, sn_finite_elements *made) {
    static const uint32_t one[4] = {0, 1, 2, 3};
    sn_node own[4];
    sn_node_def def = sn_node_def_default();
    finite_elements_def = sn_finite_elements_def_default();
    for (int i = 0; i < 4; i++) {
        def.position = (sn_vec3){(sn_real)(i == 1), (sn_real)(i == 2), (sn_real)(i == 3)};
        REQUIRE_OK(sn_node_create(in, &def, &own[i]));
    }
    finite_elements_def.nodes = own;
    finite_elements_def.node_count = 4;
    finite_elements_def.tets = one;
    finite_elements_def.tet_count = 1;
    REQUIRE_OK(sn_finite_elements_create(in, &finite_elements_def, made));
    finite_elements_def.nodes = corners;
}

/* Air around a triangle, on nodes of its own. */
static void make_air_mesh(sn_world *in, sn_air_mesh *made) {
    static const uint32_t one[3] = {0, 1, 2}, edge[2] = {0, 1};
    sn_node own[3];
    sn_node_def def = sn_node_def_default();
    air_mesh_def = sn_air_mesh_def_default();
    for (int i = 0; i < 3; i++) {
        def.position = (sn_vec3){(sn_real)(i == 1), 0, (sn_real)(i == 2)};
        REQUIRE_OK(sn_node_create(in, &def, &own[i]));
    }
    air_mesh_def.nodes = own;
    air_mesh_def.node_count = 3;
    air_mesh_def.triangles = one;
    air_mesh_def.triangle_count = 1;
    air_mesh_def.edges = edge;
    air_mesh_def.edge_count = 1;
    REQUIRE_OK(sn_air_mesh_create(in, &air_mesh_def, made));
    air_mesh_def.nodes = corners;
}

/* A triangle, on nodes of its own. */
static void make_wrinkle_mesh(sn_world *in, sn_wrinkle_mesh *made) {
    static const uint32_t one[3] = {0, 1, 2};
    sn_node own[3];
    sn_node_def def = sn_node_def_default();
    wrinkle_mesh_def = sn_wrinkle_mesh_def_default();
    for (int i = 0; i < 3; i++) {
        def.position = (sn_vec3){(sn_real)(i == 1), 0, (sn_real)(i == 2)};
        REQUIRE_OK(sn_node_create(in, &def, &own[i]));
    }
    wrinkle_mesh_def.nodes = own;
    wrinkle_mesh_def.node_count = 3;
    wrinkle_mesh_def.triangles = one;
    wrinkle_mesh_def.triangle_count = 1;
    REQUIRE_OK(sn_wrinkle_mesh_create(in, &wrinkle_mesh_def, made));
    wrinkle_mesh_def.nodes = corners;
}

/* A tet mesh of one tet, on nodes of its own. */
static void make_tet_mesh(sn_world *in, sn_tet_mesh *made) {
    static const uint32_t one[4] = {0, 1, 2, 3};
    static const sn_vec3 at[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static sn_node of_tet_mesh[4];
    sn_node_def def = sn_node_def_default();
    blade_def = sn_blade_def_default();
    tet_mesh_def = sn_tet_mesh_def_default();
    for (size_t i = 0; i < 4; i++) {
        def.position = at[i];
        REQUIRE_OK(sn_node_create(in, &def, &of_tet_mesh[i]));
    }
    tet_mesh_def.nodes = of_tet_mesh;
    tet_mesh_def.node_count = 4;
    tet_mesh_def.tets = one;
    tet_mesh_def.tet_count = 1;
    REQUIRE_OK(sn_tet_mesh_create(in, &tet_mesh_def, made));
}

/* A sheet of one triangle, on nodes of its own. */
static void make_sheet(sn_world *in, sn_sheet *made) {
    static const uint32_t one[] = {0, 1, 2};
    sn_node of_sheet[3];
    sn_node_def def = sn_node_def_default();
    sheet_def = sn_sheet_def_default();
    for (int i = 0; i < 3; i++) {
        def.position = (sn_vec3){(sn_real)(i == 1), (sn_real)(i == 2), 5};
        REQUIRE_OK(sn_node_create(in, &def, &of_sheet[i]));
    }
    sheet_def.nodes = of_sheet;
    sheet_def.node_count = 3;
    sheet_def.triangles = one;
    sheet_def.triangle_count = 1;
    REQUIRE_OK(sn_sheet_create(in, &sheet_def, made));
    sheet_def.nodes = corners;
}

static void make_drags(sn_world *other) {
    fluid_def = sn_fluid_def_default();
    fluid_def.node_count = 1;
    fluid_def.nodes = &node;
    REQUIRE_OK(sn_fluid_create(world, &fluid_def, &stale_fluid));
    REQUIRE_OK(sn_fluid_destroy(world, stale_fluid));
    REQUIRE_OK(sn_fluid_create(world, &fluid_def, &fluid));
    fluid_def.nodes = &foreign_node;
    REQUIRE_OK(sn_fluid_create(other, &fluid_def, &foreign_fluid));
    fluid_def.nodes = &node;
    drag_def = sn_drag_def_default();
    drag_def.element_count = 1;
    drag_def.nodes = &node;
    REQUIRE_OK(sn_drag_create(world, &drag_def, &stale_drag));
    REQUIRE_OK(sn_drag_destroy(world, stale_drag));
    REQUIRE_OK(sn_drag_create(world, &drag_def, &drag));
    drag_def.nodes = &foreign_node;
    REQUIRE_OK(sn_drag_create(other, &drag_def, &foreign_drag));
    drag_def.nodes = &node;
}

static void make_follows(sn_world *other) {
    animation_target_def = sn_animation_target_def_default();
    animation_target_def.node_count = 1;
    animation_target_def.nodes = &node;
    animation_target_def.vertices = &animation_target_vertex;
    animation_target_vertex.back_stop_distance = SN_AUTO;
    REQUIRE_OK(sn_animation_target_create(world, &animation_target_def, &stale_animation_target));
    REQUIRE_OK(sn_animation_target_destroy(world, stale_animation_target));
    REQUIRE_OK(sn_animation_target_create(world, &animation_target_def, &animation_target));
    animation_target_def.nodes = &foreign_node;
    REQUIRE_OK(sn_animation_target_create(other, &animation_target_def, &foreign_animation_target));
    animation_target_def.nodes = &node;
    attach_def = sn_attach_def_default();
    attach_def.node = corners[0];
    attach_def.target = node;
    sew_def = sn_sew_def_default();
    sew_def.a = corners;
    sew_def.b = &node;
    sew_def.a_count = sew_def.b_count = 1;
}

static void make_definitions(void) {
    node_def = sn_node_def_default();
    body_def = sn_body_def_default();
    settings = sn_settings_default();
    world_def = sn_world_def_default();
    bending_def = sn_vertex_bending_def_default();
    type_def = sn_user_type_def_default();
    type_def.name = "another";
    type_def.formula = formula;
    cast_def = sn_cast_def_default();
    filter_def = sn_filter_def_default();
    surface = (sn_surface){corners, 4, triangles, 4};
}

static void prepare(void) {
    sn_world *other = NULL;
    REQUIRE_OK(sn_world_create(NULL, &world));
    REQUIRE_OK(sn_world_create(NULL, &other));
    make_objects(world, &stale_node, &stale_body, &stale_constraint, &stale_damping_group);
    REQUIRE_OK(sn_damping_group_destroy(world, stale_damping_group));
    REQUIRE_OK(sn_constraint_destroy(world, stale_constraint));
    REQUIRE_OK(sn_node_destroy(world, stale_node));
    REQUIRE_OK(sn_body_destroy(world, stale_body));
    make_objects(world, &node, &body, &constraint, &damping_group);
    make_objects(other, &foreign_node, &foreign_body, &foreign_constraint, &foreign_damping_group);
    make_colliders(other);
    make_surfaces(other);
    make_hierarchy(world, &stale_hierarchy);
    REQUIRE_OK(sn_hierarchy_destroy(world, stale_hierarchy));
    make_hierarchy(world, &hierarchy);
    make_hierarchy(other, &foreign_hierarchy);
    make_matching(world, &stale_shape_matching);
    REQUIRE_OK(sn_shape_matching_destroy(world, stale_shape_matching));
    make_matching(world, &shape_matching);
    make_matching(other, &foreign_shape_matching);
    make_hair(world, &stale_hair);
    REQUIRE_OK(sn_hair_destroy(world, stale_hair));
    make_hair(world, &hair);
    make_hair(other, &foreign_hair);
    make_crowd(world, &stale_crowd);
    REQUIRE_OK(sn_crowd_destroy(world, stale_crowd));
    make_crowd(world, &crowd);
    make_crowd(other, &foreign_crowd);
    make_dough(world, &stale_dough);
    REQUIRE_OK(sn_dough_destroy(world, stale_dough));
    make_dough(world, &dough);
    make_dough(other, &foreign_dough);
    make_finite_elements(world, &stale_finite_elements);
    REQUIRE_OK(sn_finite_elements_destroy(world, stale_finite_elements));
    make_finite_elements(world, &finite_elements);
    make_finite_elements(other, &foreign_finite_elements);
    make_emitter(world, &stale_emitter);
    REQUIRE_OK(sn_emitter_destroy(world, stale_emitter));
    make_emitter(world, &emitter);
    make_emitter(other, &foreign_emitter);
    make_drain(world, &stale_drain);
    REQUIRE_OK(sn_drain_destroy(world, stale_drain));
    make_drain(world, &drain);
    make_drain(other, &foreign_drain);
    make_air_mesh(world, &stale_air_mesh);
    REQUIRE_OK(sn_air_mesh_destroy(world, stale_air_mesh));
    make_air_mesh(world, &air_mesh);
    make_air_mesh(other, &foreign_air_mesh);
    make_diffusion(world, &stale_diffusion);
    REQUIRE_OK(sn_diffusion_destroy(world, stale_diffusion));
    make_diffusion(world, &diffusion);
    make_diffusion(other, &foreign_diffusion);
    make_source(world, &stale_source);
    REQUIRE_OK(sn_source_destroy(world, stale_source));
    make_source(world, &source);
    make_source(other, &foreign_source);
    make_effector(world, &stale_effector);
    REQUIRE_OK(sn_effector_destroy(world, stale_effector));
    make_effector(world, &effector);
    make_effector(other, &foreign_effector);
    make_wrinkle_mesh(world, &stale_wrinkle_mesh);
    REQUIRE_OK(sn_wrinkle_mesh_destroy(world, stale_wrinkle_mesh));
    make_wrinkle_mesh(world, &wrinkle_mesh);
    make_wrinkle_mesh(other, &foreign_wrinkle_mesh);
    make_tet_mesh(other, &foreign_tet_mesh);
    make_tet_mesh(world, &stale_tet_mesh);
    REQUIRE_OK(sn_tet_mesh_destroy(world, stale_tet_mesh));
    make_tet_mesh(world, &tet_mesh);
    make_sheet(world, &stale_sheet);
    REQUIRE_OK(sn_sheet_destroy(world, stale_sheet));
    make_sheet(world, &sheet);
    make_sheet(other, &foreign_sheet);
    make_drags(other);
    make_follows(other);
    sn_world_destroy(other);
    make_definitions();
    for (int i = 0; i < 4; i++) {
        node_def.position = (sn_vec3){i == 1, i == 2, i == 3};
        REQUIRE_OK(sn_node_create(world, &node_def, &corners[i]));
    }
    grab_def = sn_grab_def_default();
    grab_def.node[0] = corners[0];
    REQUIRE_OK(sn_grab_begin(world, &grab_def, &grab));
    REQUIRE_OK(sn_world_add_force_field(world, force_field, NULL));
    type_def.name = "mine";
    REQUIRE_OK(sn_world_add_type(world, &type_def, &user_type));
    type_def.name = "another";
    REQUIRE_OK(sn_snapshot_save(world, snapshot, sizeof snapshot, &snapshot_size));
}

TEST(every_bad_argument_is_refused_and_changes_nothing) {
    prepare();
    make_meshes();
    REQUIRE_OK(sn_query_create(world, &query));
    picture before = look();
    BAD_ARGUMENTS
    picture after = look();
    CHECK(empty.vertex_count == 0 && empty.group_count == 0);
    CHECK(mesh.vertex_count == 125 && mesh.tet_count == 320 && mesh.group_count == 6);
    CHECK(no_field == NULL && unfilled.count == 0 && unbound.count == 0 && regions.count == 0 &&
          embedding.count == 125);
    CHECK(no_query == NULL);
    sn_query_destroy(query);
    sn_sdf_free(distances);
    sn_embedding_free(&embedding);
    sn_blend_free(&blend);
    sn_blend_free(&tet_blend);
    sn_mesh_free(&mesh);
    CHECK(after.hash == before.hash && after.constraints == before.constraints);
    CHECK(memcmp(&after.settings, &before.settings, sizeof after.settings) == 0);
    sn_world_destroy(world);
}

TEST(no_call_changes_a_world_inside_its_step) {
    prepare();
    size_t constraints = sn_world_constraint_count(world, SN_TYPE_COUNT);
    inside = true;
    REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    CHECK(!inside);
    CHECK(sn_world_constraint_count(world, SN_TYPE_COUNT) == constraints);
    sn_world_destroy(world);
}

TESTS(RUN(every_bad_argument_is_refused_and_changes_nothing),
      RUN(no_call_changes_a_world_inside_its_step))
