#include "acts_contact.h"

#include <stdio.h>
#include <string.h>

sn_world_def act_def;

static sn_result make_world(troupe *t) {
    return sn_world_create(&act_def, &t->world);
}

/* ---- Steps and settings ---- */

static sn_result step(troupe *t) {
    return sn_world_step(t->world, (sn_real)(1.0 / 64));
}

static sn_result change(troupe *t, sn_solver solver, sn_model model, sn_integrator integrator) {
    sn_settings settings = sn_settings_default();
    sn_result result = sn_world_get_settings(t->world, &settings);
    settings.solver = solver;
    settings.model = model;
    settings.integrator = integrator;
    return result == SN_OK ? sn_world_set_settings(t->world, &settings) : result;
}

static sn_result use_coloured(troupe *t) {
    return change(t, SN_SOLVER_COLOURED, SN_MODEL_XPBD, SN_INTEGRATOR_BDF1);
}

static sn_result use_reference(troupe *t) {
    return change(t, SN_SOLVER_REFERENCE, SN_MODEL_PBD, SN_INTEGRATOR_BDF1);
}

static sn_result use_jacobi(troupe *t) {
    return change(t, SN_SOLVER_JACOBI, SN_MODEL_XPBD, SN_INTEGRATOR_BDF1);
}

static sn_result use_averaged(troupe *t) {
    return change(t, SN_SOLVER_AVERAGED, SN_MODEL_XPBD, SN_INTEGRATOR_BDF1);
}

static sn_result use_hybrid(troupe *t) {
    return change(t, SN_SOLVER_HYBRID, SN_MODEL_XPBD, SN_INTEGRATOR_BDF1);
}

static sn_result use_split(troupe *t) {
    return change(t, SN_SOLVER_SPLIT, SN_MODEL_XPBD, SN_INTEGRATOR_BDF1);
}

static sn_result use_direct(troupe *t) {
    return change(t, SN_SOLVER_DIRECT, SN_MODEL_XPBD, SN_INTEGRATOR_BDF1);
}

static sn_result use_bdf2(troupe *t) {
    return change(t, SN_SOLVER_COLOURED, SN_MODEL_XPBD, SN_INTEGRATOR_BDF2);
}

static sn_result use_bdf2_hybrid(troupe *t) {
    return change(t, SN_SOLVER_HYBRID, SN_MODEL_XPBD, SN_INTEGRATOR_BDF2);
}

static sn_result audit(troupe *t) {
    return sn_world_audit_start(t->world);
}

/* ---- Nodes and links ---- */

/* Nodes in rows of eight, a little uneven; every second one is oriented where that is asked for,
   and the first of all is held. */
static sn_result add_nodes(troupe *t, size_t count, bool oriented, sn_body body) {
    sn_node_def def[ACT_NODES];
    for (size_t i = 0; i < count; i++) {
        size_t k = t->nodes + i;
        def[i] = sn_node_def_default();
        def[i].position = (sn_vec3){(sn_real)(k % 8) / 8, (sn_real) - (sn_real)(k / 8) / 8,
                                    (sn_real)(k * k % 7) / 64};
        def[i].inverse_mass = k == 0 ? 0 : (sn_real)(1 + k % 3);
        def[i].oriented = oriented && i % 2 == 0;
        def[i].body = body;
    }
    sn_result result = sn_nodes_create(t->world, def, count, &t->node[t->nodes]);
    if (result == SN_OK) t->nodes += count;
    return result;
}

static sn_result add_few(troupe *t) {
    return add_nodes(t, 12, false, (sn_body){0, 0, 0});
}

static sn_result add_many(troupe *t) {
    return add_nodes(t, 72, false, (sn_body){0, 0, 0});
}

static sn_result add_frames(troupe *t) {
    return add_nodes(t, 24, true, t->body[0]);
}

static sn_result add_body(troupe *t) {
    sn_body_def def = sn_body_def_default();
    def.damping = (sn_real)0.5;
    def.rigid_damping = 2;
    return sn_body_create(t->world, &def, &t->body[0]);
}

static sn_result add_to_body(troupe *t) {
    return add_nodes(t, 16, false, t->body[0]);
}

static sn_result add_one(troupe *t) {
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){-1, 0, (sn_real)t->nodes / 8};
    sn_result result = sn_node_create(t->world, &def, &t->node[t->nodes]);
    if (result == SN_OK) t->nodes++;
    return result;
}

static sn_result add_links(troupe *t, const sn_distance_def *def, size_t count) {
    sn_result result =
        sn_constraints_create(t->world, SN_TYPE_DISTANCE, def, count, &t->link[t->links]);
    if (result == SN_OK) t->links += count;
    return result;
}

/* Every node with the next, some of them soft, damped and weak. */
static sn_result add_chain(troupe *t) {
    sn_distance_def def[ACT_NODES];
    for (size_t i = 0; i + 1 < t->nodes; i++) {
        def[i] = sn_distance_def_default();
        def[i].node[0] = t->node[i];
        def[i].node[1] = t->node[i + 1];
        def[i].compliance = i % 2 ? (sn_real)1e-4 : 0;
        def[i].damping = i % 4 == 1 ? 1 : 0;
        def[i].break_force = i % 8 == 3 ? (sn_real)0.25 : SN_AUTO;
    }
    return add_links(t, def, t->nodes - 1);
}

/* All nodes with the second, one colour each. */
static sn_result add_star(troupe *t, size_t first, size_t count) {
    sn_distance_def def[ACT_NODES];
    for (size_t i = 0; i < count; i++) {
        def[i] = sn_distance_def_default();
        def[i].node[0] = t->node[1];
        def[i].node[1] = t->node[first + i];
        def[i].compliance = (sn_real)1e-5;
    }
    return add_links(t, def, count);
}

static sn_result add_rays(troupe *t) {
    return add_star(t, 2, 60);
}

static sn_result add_rays_beyond(troupe *t) {
    return add_star(t, 62, 10);
}

static sn_result add_rays_again(troupe *t) {
    return add_star(t, 2, 20);
}

static sn_result drive(troupe *t) {
    return sn_node_set_target(t->world, t->node[0], (sn_vec3){0, (sn_real)0.125, 0});
}

/* Attachments, triangles, hinges and tetrahedra, one by one. */
static sn_result add_attachment(troupe *t) {
    sn_attachment_def def = sn_attachment_def_default();
    sn_constraint made;
    def.node[0] = t->node[t->nodes - 1];
    return sn_constraint_create(t->world, SN_TYPE_ATTACHMENT, &def, &made);
}

static sn_result add_triangle(troupe *t) {
    sn_triangle_area_def def = sn_triangle_area_def_default();
    sn_constraint made;
    for (int k = 0; k < 3; k++) def.node[k] = t->node[k + 6];
    return sn_constraint_create(t->world, SN_TYPE_TRIANGLE_AREA, &def, &made);
}

static sn_result add_hinge(troupe *t) {
    sn_dihedral_bending_def def = sn_dihedral_bending_def_default();
    const size_t corner[4] = {0, 9, 1, 8};
    sn_constraint made;
    for (int k = 0; k < 4; k++) def.node[k] = t->node[corner[k]];
    def.compliance = 8;
    return sn_constraint_create(t->world, SN_TYPE_DIHEDRAL_BENDING, &def, &made);
}

static sn_result add_joints(troupe *t) {
    sn_bend_twist_def def[11];
    for (size_t i = 0; i < 11; i++) {
        def[i] = sn_bend_twist_def_default();
        def[i].node[0] = t->node[2 * i];
        def[i].node[1] = t->node[2 * i + 2];
        def[i].compliance = 1;
    }
    return sn_constraints_create(t->world, SN_TYPE_BEND_TWIST, def, 11, NULL);
}

/* A joint of the next type that joins oriented nodes and nothing else. */
static sn_result add_next_joint(troupe *t) {
    union {
        struct {
            size_t size;
            sn_node node[SN_MAX_NODES];
        } head;
        unsigned char bytes[1024];
    } def;
    const sn_type_info *info = NULL;
    int type = t->joint_types;
    sn_constraint made;
    for (; type < SN_TYPE_COUNT; type++) {
        info = sn_type_get_info((sn_type)type);
        bool joins = info->list == SN_LIST_NONE && info->frames >= 2 && info->fixed_nodes == 0;
        if (joins && info->frames == info->nodes) break;
    }
    if (type == SN_TYPE_COUNT) return SN_OK;
    sn_result result = sn_type_default((sn_type)type, &def);
    for (int k = 0; k < info->nodes; k++) def.head.node[k] = t->node[2 * (type % 8 + k)];
    if (result == SN_OK) result = sn_constraint_create(t->world, (sn_type)type, &def, &made);
    if (result == SN_OK) t->joint_types = type + 1;
    return result;
}

static sn_result turn(troupe *t) {
    return sn_node_add_torque(t->world, t->node[4], (sn_vec3){0, 1, 0});
}

static sn_result wind_up(troupe *t) {
    return sn_body_scale_length(t->world, t->body[0], (sn_real)0.9);
}

/* ---- Removing ---- */

static sn_result remove_node(troupe *t) {
    return sn_node_destroy(t->world, t->node[3]);
}

static sn_result remove_nodes(troupe *t) {
    return sn_nodes_destroy(t->world, &t->node[5], 6);
}

static sn_result remove_link(troupe *t) {
    return sn_constraint_destroy(t->world, t->link[0]);
}

static sn_result remove_body(troupe *t) {
    return sn_body_destroy(t->world, t->body[0]);
}

/* The spokes that were made first, which leaves their colours free. */
static sn_result remove_rays(troupe *t) {
    sn_result result = SN_OK;
    for (size_t i = 0; i < 12 && result == SN_OK; i++)
        if (sn_constraint_is_valid(t->world, t->link[i]))
            result = sn_constraint_destroy(t->world, t->link[i]);
    return result;
}

/* ---- Snapshots ---- */

static sn_result save(troupe *t) {
    return sn_snapshot_save(t->world, t->bytes, sizeof t->bytes, &t->size);
}

static sn_result load(troupe *t) {
    return sn_snapshot_load(t->world, t->bytes, t->size);
}

/* The tests in both precisions may run at the same time. */
static const char *const path =
    sizeof(sn_real) == sizeof(double) ? "shortage_f64.snap" : "shortage.snap";

static sn_result save_file(troupe *t) {
    return sn_snapshot_save_file(t->world, path);
}

static sn_result load_file(troupe *t) {
    return sn_snapshot_load_file(t->world, path);
}

static sn_result remove_file(troupe *t) {
    (void)t;
    return remove(path) == 0 ? SN_OK : SN_ERROR_FILE;
}

/* ---- Damping groups ---- */

static sn_result add_damping_group(troupe *t, size_t which, size_t first, size_t count) {
    sn_damping_group_def def = sn_damping_group_def_default();
    def.nodes = &t->node[first];
    def.node_count = count;
    def.damping = 4;
    return sn_damping_group_create(t->world, &def, &t->damping_group[which]);
}

static sn_result add_first_damping_group(troupe *t) {
    return add_damping_group(t, 0, 0, 12);
}

static sn_result add_second_damping_group(troupe *t) {
    return add_damping_group(t, 1, 2, 9);
}

static sn_result remove_first_damping_group(troupe *t) {
    return sn_damping_group_destroy(t->world, t->damping_group[0]);
}

static sn_result damp_damping_group(troupe *t) {
    return sn_damping_group_set_damping(t->world, t->damping_group[1], 8);
}

static sn_result add_fluid(troupe *t) {
    sn_fluid_def def = sn_fluid_def_default();
    def.nodes = t->node;
    def.node_count = 10;
    def.viscosity = (sn_real)1e-3;
    return sn_fluid_create(t->world, &def, &t->fluid);
}

/* Takes no memory. */
static sn_result give_radii(troupe *t) {
    sn_result result = SN_OK;
    for (int i = 1; i <= 6 && result == SN_OK; i++)
        result = sn_node_set_radius(t->world, t->node[i], (sn_real)0.01);
    return result;
}

static sn_result add_emitter(troupe *t) {
    sn_emitter_def def = sn_emitter_def_default();
    def.nodes = t->node + 1;
    def.node_count = 6;
    return sn_emitter_create(t->world, &def, &t->emitter);
}

static sn_result remove_emitter(troupe *t) {
    return sn_emitter_destroy(t->world, t->emitter);
}

static sn_result add_drain(troupe *t) {
    sn_drain_def def = sn_drain_def_default();
    def.shape = SN_DRAIN_HALF_SPACE;
    def.position.y = (sn_real)-0.02;
    return sn_drain_create(t->world, &def, &t->drain);
}

/* ---- Diffusion ---- */

/* Some are solid, and melt: what freezes within a step does so later where memory is missing. */
static sn_result add_diffusion(troupe *t) {
    sn_real values[12];
    sn_diffusion_def def = sn_diffusion_def_default();
    for (int i = 0; i < 12; i++) values[i] = (sn_real)(i % 3 ? -0.25 : 1);
    def.nodes = t->node;
    def.node_count = 12;
    def.values = values;
    def.spacing = (sn_real)0.4;
    def.melting_point = 0;
    def.latent = 1;
    def.diffusivity = (sn_real)0.5;
    return sn_diffusion_create(t->world, &def, &t->diffusion);
}

static sn_result change_diffusion(troupe *t) {
    sn_diffusion_def def = sn_diffusion_def_default();
    SN_TRY(sn_diffusion_get(t->world, t->diffusion, &def));
    def.modulus = 1000;
    return sn_diffusion_set(t->world, t->diffusion, &def);
}

static sn_result warm_node(troupe *t) {
    return sn_diffusion_set_value(t->world, t->diffusion, 2, 5);
}

static sn_result remove_diffusion(troupe *t) {
    return sn_diffusion_destroy(t->world, t->diffusion);
}

static sn_result add_source(troupe *t) {
    sn_source_def def = sn_source_def_default();
    def.shape = SN_SOURCE_EVERYWHERE;
    def.value = 9;
    def.rate = 20;
    return sn_source_create(t->world, &def, &t->source);
}

static sn_result change_source(troupe *t) {
    sn_source_def def = sn_source_def_default();
    SN_TRY(sn_source_get(t->world, t->source, &def));
    def.exposed = true;
    return sn_source_set(t->world, t->source, &def);
}

static sn_result remove_source(troupe *t) {
    return sn_source_destroy(t->world, t->source);
}

/* ---- Effectors ---- */

static sn_result add_effector(troupe *t) {
    sn_effector_def def = sn_effector_def_default();
    def.kind = SN_EFFECTOR_VORTEX;
    def.falloff = (sn_real)1.5;
    def.linear_drag = 1;
    return sn_effector_create(t->world, &def, &t->effector);
}

static sn_result change_effector(troupe *t) {
    sn_effector_def def = sn_effector_def_default();
    SN_TRY(sn_effector_get(t->world, t->effector, &def));
    def.kind = SN_EFFECTOR_TURBULENCE;
    return sn_effector_set(t->world, t->effector, &def);
}

static sn_result remove_effector(troupe *t) {
    return sn_effector_destroy(t->world, t->effector);
}

static sn_result remove_fluid(troupe *t) {
    return sn_fluid_destroy(t->world, t->fluid);
}

/* ---- Hair ---- */

static sn_result add_hair(troupe *t) {
    sn_real lengths[12];
    sn_vec3 rest[12];
    sn_hair_def def = sn_hair_def_default();
    for (int i = 0; i < 12; i++) {
        lengths[i] = (sn_real)(i % 4 ? 0.1 : 0);
        rest[i] = (sn_vec3){(sn_real)(0.1 * (i % 4)), (sn_real)i, 0};
    }
    def.nodes = t->node;
    def.lengths = lengths;
    def.rest = rest;
    def.node_count = 12;
    def.hold = 5;
    def.friction = 1;
    return sn_hair_create(t->world, &def, &t->hair);
}

static sn_result change_hair(troupe *t) {
    sn_hair_def def = sn_hair_def_default();
    SN_TRY(sn_hair_get(t->world, t->hair, &def));
    def.repulsion = 1;
    return sn_hair_set(t->world, t->hair, &def);
}

static sn_result remove_hair(troupe *t) {
    return sn_hair_destroy(t->world, t->hair);
}

/* ---- Air meshes ---- */

static sn_result add_air(troupe *t) {
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3}, edges[2] = {4, 5};
    sn_air_mesh_def def = sn_air_mesh_def_default();
    def.nodes = t->node;
    def.node_count = 8;
    def.triangles = triangles;
    def.triangle_count = 2;
    def.edges = edges;
    def.edge_count = 1;
    return sn_air_mesh_create(t->world, &def, &t->air_mesh);
}

static sn_result change_air(troupe *t) {
    sn_air_mesh_def def = sn_air_mesh_def_default();
    SN_TRY(sn_air_mesh_get(t->world, t->air_mesh, &def));
    def.recovery_speed += 1;
    return sn_air_mesh_set(t->world, t->air_mesh, &def);
}

static sn_result remove_air(troupe *t) {
    return sn_air_mesh_destroy(t->world, t->air_mesh);
}

/* ---- Wrinkle meshes ---- */

static sn_result add_wrinkles(troupe *t) {
    static const uint32_t triangles[12] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    sn_wrinkle_mesh_def def = sn_wrinkle_mesh_def_default();
    def.nodes = t->node;
    def.node_count = 8;
    def.triangles = triangles;
    def.triangle_count = 4;
    def.divisions = 3;
    return sn_wrinkle_mesh_create(t->world, &def, &t->wrinkle_mesh);
}

static sn_result change_wrinkles(troupe *t) {
    sn_wrinkle_mesh_def def = sn_wrinkle_mesh_def_default();
    SN_TRY(sn_wrinkle_mesh_get(t->world, t->wrinkle_mesh, &def));
    def.one_sided = !def.one_sided;
    return sn_wrinkle_mesh_set(t->world, t->wrinkle_mesh, &def);
}

static sn_result remove_wrinkles(troupe *t) {
    return sn_wrinkle_mesh_destroy(t->world, t->wrinkle_mesh);
}

/* ---- Shape matching ---- */

/* Two regions of four that overlap, and a fibre across them; it becomes plastic later. */
static sn_result add_shapes(troupe *t) {
    static const uint32_t first[] = {0, 4, 8, 11}, members[] = {0, 1, 2, 3, 3, 4, 5, 6, 5, 1, 3};
    sn_shape_matching_def def = sn_shape_matching_def_default();
    def.nodes = t->node;
    def.node_count = 8;
    def.first = first;
    def.members = members;
    def.region_count = 3;
    def.fibre_count = 1;
    return sn_shape_matching_create(t->world, &def, &t->shape_matching);
}

static sn_result soften_shapes(troupe *t) {
    sn_shape_matching_def def = sn_shape_matching_def_default();
    SN_TRY(sn_shape_matching_get(t->world, t->shape_matching, &def));
    def.plastic_yield = 0;
    return sn_shape_matching_set(t->world, t->shape_matching, &def);
}

static sn_result remove_shapes(troupe *t) {
    return sn_shape_matching_destroy(t->world, t->shape_matching);
}

/* ---- Crowds ---- */

static sn_result add_crowd(troupe *t) {
    sn_vec3 goals[8];
    sn_crowd_def def = sn_crowd_def_default();
    for (int i = 0; i < 8; i++) goals[i] = (sn_vec3){(sn_real)(8 - i), 0, 0};
    def.nodes = t->node;
    def.node_count = 8;
    def.goals = goals;
    return sn_crowd_create(t->world, &def, &t->crowd);
}

static sn_result change_crowd(troupe *t) {
    sn_crowd_def def = sn_crowd_def_default();
    SN_TRY(sn_crowd_get(t->world, t->crowd, &def));
    def.foresight = 1;
    return sn_crowd_set(t->world, t->crowd, &def);
}

static sn_result remove_crowd(troupe *t) {
    return sn_crowd_destroy(t->world, t->crowd);
}

/* Two tets on one side. */
static sn_result add_elements(troupe *t) {
    static const uint32_t tets[8] = {0, 2, 1, 3, 0, 2, 1, 4};
    const sn_node nodes[5] = {t->node[0], t->node[1], t->node[8], t->node[2], t->node[9]};
    sn_finite_elements_def def = sn_finite_elements_def_default();
    def.nodes = nodes;
    def.node_count = 5;
    def.tets = tets;
    def.tet_count = 2;
    def.young = 1000;
    return sn_finite_elements_create(t->world, &def, &t->elements);
}

static sn_result remove_elements(troupe *t) {
    return sn_finite_elements_destroy(t->world, t->elements);
}

/* ---- Doughs ---- */

static sn_result add_dough(troupe *t) {
    sn_dough_def def = sn_dough_def_default();
    def.nodes = t->node;
    def.node_count = 8;
    def.waiting = 2;
    def.spacing = 1;
    def.reach = 8;
    return sn_dough_create(t->world, &def, &t->dough);
}

static sn_result change_dough(troupe *t) {
    sn_dough_def def = sn_dough_def_default();
    SN_TRY(sn_dough_get(t->world, t->dough, &def));
    def.plastic_yield = 0;
    return sn_dough_set(t->world, t->dough, &def);
}

static sn_result remove_dough(troupe *t) {
    return sn_dough_destroy(t->world, t->dough);
}

/* ---- Types of the user's ---- */

/* The product of two components of the way between two nodes. */
static void product(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++)
        b->value[0][i] = b->x[1][0][i] * b->x[1][1][i] - b->parameter[0][i];
}

static sn_result add_type_named(troupe *t, const char *name) {
    static const sn_user_parameter area = {"area", "m^2", -1, 1, 0};
    sn_user_type_def def = sn_user_type_def_default();
    sn_type made;
    def.name = name;
    def.formula = product;
    def.numerical = true;
    def.parameters = &area;
    def.parameter_count = 1;
    return sn_world_add_type(t->world, &def, &made);
}

static sn_result add_type(troupe *t) {
    return add_type_named(t, "product");
}

static sn_result add_other_type(troupe *t) {
    return add_type_named(t, "other product");
}

static sn_result use_type(troupe *t) {
    sn_user_def def[24];
    sn_result result = SN_OK;
    for (size_t i = 0; i < 24 && result == SN_OK; i++) {
        result = sn_user_def_default(t->world, SN_TYPE_USER, &def[i]);
        def[i].node[0] = t->node[i];
        def[i].node[1] = t->node[i + 9];
        def[i].compliance = (sn_real)1e-4;
        def[i].break_force = i % 6 == 0 ? (sn_real)1e-3 : SN_AUTO;
    }
    return result == SN_OK ? sn_constraints_create(t->world, SN_TYPE_USER, def, 24, NULL) : result;
}

/* ---- Lists ---- */

static sn_result add_volumes(troupe *t) {
    static const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    sn_surface_volume_def def[4];
    sn_node corner[4][4];
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 4; k++) corner[i][k] = t->node[2 * i + k + (k == 3 ? 14 : 0)];
        def[i] = sn_surface_volume_def_default();
        def[i].nodes = corner[i];
        def[i].node_count = 4;
        def[i].triangles = tetrahedron;
        def[i].triangle_count = 4;
        def[i].pressure = (sn_real)1.25;
        def[i].break_force = i == 1 ? (sn_real)1e-3 : SN_AUTO;
    }
    return sn_constraints_create(t->world, SN_TYPE_SURFACE_VOLUME, def, 4, &t->link[t->links]);
}

static sn_result add_surface(troupe *t) {
    enum { SIDE = 8, ROWS = 4, CELLS = (SIDE - 1) * (ROWS - 1) };
    uint32_t triangle[2 * CELLS][3];
    for (uint32_t i = 0; i < CELLS; i++) {
        uint32_t a = i / (SIDE - 1) * SIDE + i % (SIDE - 1), c = a + SIDE;
        const uint32_t corner[2][3] = {{a, a + 1, c + 1}, {a, c + 1, c}};
        memcpy(triangle[2 * i], corner, sizeof corner);
    }
    sn_surface surface = {t->node, SIDE * ROWS, triangle[0], (size_t)2 * CELLS};
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    size_t count;
    def.compliance = 10;
    return sn_surface_bend(t->world, &surface, &def, NULL, &count);
}

static sn_result set_volume(troupe *t) {
    sn_real pressure[3] = {(sn_real)1.5, 0, 0};
    return sn_constraint_set_field(t->world, t->link[t->links], "pressure", pressure);
}

static sn_result remove_volume(troupe *t) {
    return sn_constraint_destroy(t->world, t->link[t->links]);
}

/* ---- What is not finite ---- */

/* No number for one node, at the end of the second step. */
static void spoil(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)user;
    if (input->count > 5 && input->time > 1.0 / 64) acceleration[5].x = (sn_real)1e38 * 1e3f;
}

static sn_result add_field(troupe *t) {
    return sn_world_add_force_field(t->world, spoil, NULL);
}

/* ---- The lists ---- */

static act *const adding[] = {make_world,  add_few,        add_chain,    step,      add_body,
                              add_to_body, add_attachment, add_triangle, add_hinge, step,
                              drive,       add_one,        add_many,     step};
static act *const removing[] = {make_world, add_few,     add_body, add_to_body, add_chain,
                                step,       remove_link, step,     remove_node, remove_nodes,
                                step,       remove_body, step,     add_few,     step};
static act *const colours[] = {make_world, add_many,    add_rays, step,           add_rays_beyond,
                               step,       remove_rays, step,     add_rays_again, use_hybrid,
                               step,       use_split,   step,     remove_nodes,   step};
static act *const solvers[] = {
    make_world, add_few,   add_chain,    step,      use_jacobi,    step,         use_hybrid,
    step,       add_many,  use_averaged, step,      use_reference, step,         use_direct,
    step,       use_split, step,         add_chain, step,          use_coloured, step};
static act *const saving[] = {make_world, add_few, add_chain, step, save,
                              save_file,  step,    save,      step, remove_file};
static act *const restoring[] = {make_world, add_few,      add_chain, step,
                                 save,       save_file,    add_many,  add_first_damping_group,
                                 step,       load,         step,      load_file,
                                 step,       remove_nodes, load,      step,
                                 remove_file};
static act *const damping_groups[] = {make_world,
                                      add_few,
                                      add_chain,
                                      add_first_damping_group,
                                      step,
                                      add_second_damping_group,
                                      step,
                                      remove_nodes,
                                      remove_first_damping_group,
                                      damp_damping_group,
                                      step};
static act *const fluids[] = {make_world,   add_few,   add_chain,    add_fluid, step,
                              save,         add_many,  remove_nodes, step,      load,
                              remove_fluid, add_fluid, step};
static act *const emitters[] = {make_world, add_few,      add_fluid, give_radii,     add_emitter,
                                step,       step,         save,      add_drain,      step,
                                load,       remove_nodes, step,      remove_emitter, step};
static act *const types[] = {make_world, add_many,   add_type, use_type, step, add_other_type,
                             use_type,   use_hybrid, step,     save,     load, step};
static act *const listing[] = {make_world,   add_many,   add_volumes, add_surface,   step,
                               set_volume,   use_jacobi, step,        remove_volume, save,
                               remove_nodes, step,       load,        step};
static act *const second_order[] = {
    make_world,  add_body, add_few, add_chain,       use_bdf2, step, step,
    add_to_body, step,     drive,   use_bdf2_hybrid, step,     save, remove_body,
    step,        load,     step,    use_coloured,    step};
static act *const frames[] = {make_world, add_body,   add_frames, add_joints,   step,       turn,
                              wind_up,    save,       step,       load,         use_direct, step,
                              use_jacobi, step,       use_split,  step,         add_field,  step,
                              step,       add_frames, step,       remove_nodes, step};

/* A joint of every type; they are saved and come back. */
static act *const machines[] = {
    make_world,     add_body,       add_frames,     add_next_joint, add_next_joint,
    add_next_joint, add_next_joint, add_next_joint, add_next_joint, add_next_joint,
    add_next_joint, add_next_joint, add_next_joint, add_next_joint, add_next_joint,
    add_next_joint, add_next_joint, step,           use_direct,     step,
    save,           use_jacobi,     step,           load,           step};

static act *const audited[] = {make_world, add_body, add_frames,   add_joints, audit,
                               step,       step,     add_frames,   step,       audit,
                               use_bdf2,   step,     remove_nodes, step};
static act *const contact[] = {
    make_world, act_add_sheet, act_cover,     act_cover_rest, act_fold, step,
    act_ask,    act_add_mesh,  act_add_rigid, act_move_mesh,  step,     act_limiter,
    step,       save,          act_uncover,   load,           step};

static act *const hairs[] = {make_world,  add_few,      add_hair, step,        save,
                             change_hair, step,         load,     step,        step,
                             change_hair, remove_nodes, step,     remove_hair, step};

static act *const wrinkles[] = {make_world, add_few,         add_wrinkles, step,
                                save,       change_wrinkles, step,         load,
                                step,       remove_wrinkles, step};

static act *const airs[] = {make_world, add_few, add_air, step, save,       change_air,
                            step,       load,    step,    step, remove_air, step};

static act *const diffusions[] = {
    make_world, add_few,       add_diffusion, add_source,    step,      save,
    step,       change_source, step,          load,          warm_node, change_diffusion,
    step,       remove_nodes,  step,          remove_source, step,      remove_diffusion,
    step};
static act *const effectors[] = {make_world,   add_few, add_effector,    step, save,
                                 step,         load,    change_effector, step, step,
                                 add_effector, step,    remove_effector, step};
static act *const crowds[] = {make_world,   add_few, add_crowd,    step, save,
                              change_crowd, step,    load,         step, step,
                              remove_nodes, step,    remove_crowd, step};

static act *const finite_elements[] = {
    make_world, add_few,         add_elements, step, save,         step, load,
    step,       remove_elements, add_elements, step, remove_nodes, step};

static act *const doughs[] = {make_world,   add_few, add_dough,    step, save,
                              change_dough, step,    load,         step, step,
                              remove_nodes, step,    remove_dough, step};

static act *const shape_matchings[] = {make_world,    add_few, add_shapes,    drive, step,
                                       soften_shapes, step,    save,          step,  load,
                                       step,          step,    remove_shapes, step};

#define ENTRY(name, threads, frugal) {#name, threads, sizeof name / sizeof *name, name, frugal},
const act_list act_lists[] = {ACT_LISTS(ENTRY)};
