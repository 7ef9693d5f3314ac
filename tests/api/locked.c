/*
 * Calls from inside a step: a force field is shown the world and may not change it.
 */
#include "check.h"
#include "constraints/rig.h"
#include "stage.h"

static void no_formula(void *user, const sn_user_batch *batch) {
    (void)user;
    (void)batch;
}

static void meddle(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    const stage_world *w = user;
    sn_world *world = w->world;
    sn_node node = w->node[1];
    sn_vec3 one = {1, 1, 1};
    sn_quat turned = {1, 0, 0, 1};
    sn_real reals[SN_MAX_ROWS] = {1, 1, 1};
    sn_settings settings = sn_settings_default();
    sn_body_def body_def = sn_body_def_default();
    sn_node_def node_def = sn_node_def_default();
    sn_distance_def distance = sn_distance_def_default();
    sn_damping_group_def damping_group_def = sn_damping_group_def_default();
    sn_damping_group made_damping_group;
    sn_body made_body;
    sn_node made_node;
    sn_constraint made;
    distance.node[0] = w->node[1];
    distance.node[1] = w->node[2];
    settings.iterations = 9;
    (void)input;
    (void)acceleration;

    /* What the world is like in mid-step is nobody's business, so nothing is compared here. */
#define LOCKED(call) REFUSED(NULL, call, SN_ERROR_LOCKED, "step")
    LOCKED(sn_world_set_settings(world, &settings));
    LOCKED(sn_world_step(world, (sn_real)0.01));
    LOCKED(sn_world_add_force_field(world, meddle, NULL));
    LOCKED(sn_world_remove_force_field(world, meddle, user));
    LOCKED(sn_body_create(world, &body_def, &made_body));
    LOCKED(sn_body_destroy(world, w->body));
    LOCKED(sn_body_set(world, w->body, &body_def));
    LOCKED(sn_damping_group_create(world, &damping_group_def, &made_damping_group));
    LOCKED(sn_damping_group_destroy(world, w->damping_group));
    LOCKED(sn_damping_group_set_damping(world, w->damping_group, 2));
    LOCKED(sn_node_create(world, &node_def, &made_node));
    LOCKED(sn_nodes_create(world, &node_def, 1, NULL));
    LOCKED(sn_node_destroy(world, node));
    LOCKED(sn_nodes_destroy(world, &node, 1));
    LOCKED(sn_node_set_position(world, node, one));
    LOCKED(sn_node_set_velocity(world, node, one));
    LOCKED(sn_node_set_inverse_mass(world, node, 1));
    LOCKED(sn_node_set_radius(world, node, 1));
    LOCKED(sn_node_set_group(world, node, 1));
    LOCKED(sn_node_set_target(world, w->node[0], one));
    LOCKED(sn_node_add_force(world, node, one));
    LOCKED(sn_node_set_orientation(world, w->frame, turned));
    LOCKED(sn_node_set_target_orientation(world, w->frame, turned));
    LOCKED(sn_node_set_angular_velocity(world, w->frame, one));
    LOCKED(sn_node_set_inverse_inertia(world, w->frame, one));
    LOCKED(sn_node_set_radii(world, w->frame, one));
    LOCKED(sn_node_add_torque(world, w->frame, one));
    LOCKED(sn_node_apply_impulse(world, node, one));
    LOCKED(sn_constraint_create(world, SN_TYPE_DISTANCE, &distance, &made));
    LOCKED(sn_constraints_create(world, SN_TYPE_DISTANCE, &distance, 1, NULL));
    LOCKED(sn_constraint_destroy(world, w->distance));
    LOCKED(sn_constraint_set(world, w->distance, &distance));
    LOCKED(sn_constraint_set_field(world, w->distance, "compliance", reals));
    LOCKED(sn_body_set_field(world, w->body, SN_TYPE_DISTANCE, "compliance", reals, NULL));
    LOCKED(sn_body_scale_field(world, w->body, SN_TYPE_DISTANCE, "compliance", 2, NULL));
    LOCKED(sn_body_scale_length(world, w->body, 2));
    LOCKED(sn_rod_pin(world, &w->node[0], 1));
    static const uint32_t fan[9] = {0, 1, 2, 0, 2, 3, 0, 3, 1};
    sn_surface surface = {w->node + 1, 4, fan, 3};
    sn_vertex_bending_def bending = sn_vertex_bending_def_default();
    sn_user_type_def user_type = sn_user_type_def_default();
    size_t count = 0;
    sn_type type = SN_TYPE_COUNT;
    user_type.name = "formula";
    user_type.formula = no_formula;
    LOCKED(sn_surface_bend(world, &surface, &bending, NULL, &count));
    LOCKED(sn_world_add_type(world, &user_type, &type));
    sn_difference difference;
    LOCKED(sn_world_audit_start(world));
    LOCKED(sn_world_audit_stop(world));
    LOCKED(sn_recording_start(world, "locked.reco"));
    LOCKED(sn_recording_stop(world));
    LOCKED(sn_replay_file(world, "locked.reco", NULL));
    LOCKED(sn_recording_compare(world, "locked.reco", NULL, "locked.reco", &difference));
#undef LOCKED
}

static void idle(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)input;
    (void)acceleration;
    ++*(int *)user;
}

TEST(a_step_cannot_be_meddled_with) {
    for (int solver = 0; solver < RIG_SOLVERS; solver++) {
        stage s;
        stage_make(&s);
        int calls = 0;
        sn_settings settings = sn_settings_default();
        rig_use_solver(&settings, solver);
        settings.substeps = 3;
        check_case("%s", rig_solvers[solver].name);
        REQUIRE_OK(sn_world_set_settings(s.it.world, &settings));
        REQUIRE_OK(sn_world_set_settings(s.twin.world, &settings));
        REQUIRE_OK(sn_world_add_force_field(s.it.world, meddle, &s.it));
        REQUIRE_OK(sn_world_add_force_field(s.twin.world, idle, &calls));
        for (int i = 0; i < 3; i++) {
            CHECK_OK(sn_world_step(s.it.world, (sn_real)0.01));
            CHECK_OK(sn_world_step(s.twin.world, (sn_real)0.01));
            CHECK(stage_print(&s.it) == stage_print(&s.twin));
        }
        CHECK(calls == 9);
        /* Open again after the step. */
        CHECK_OK(sn_world_remove_force_field(s.it.world, meddle, &s.it));
        CHECK_OK(sn_node_set_group(s.it.world, s.it.node[1], 3));
        sn_world_destroy(s.it.world);
        sn_world_destroy(s.twin.world);
    }
}

/* Other worlds are not locked by it. */
static void use_another(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    const stage_world *other = user;
    (void)input;
    (void)acceleration;
    CHECK_OK(sn_world_step(other->world, (sn_real)0.001));
    CHECK_OK(sn_node_set_group(other->world, other->node[1], 4));
}

TEST(other_worlds_stay_open) {
    stage s;
    stage_make(&s);
    REQUIRE_OK(sn_world_add_force_field(s.it.world, use_another, &s.twin));
    CHECK_OK(sn_world_step(s.it.world, (sn_real)0.01));
    CHECK_NEAR(sn_world_time(s.twin.world), 0.03, 1e-6);
    sn_world_destroy(s.it.world);
    sn_world_destroy(s.twin.world);
}

TESTS(RUN(a_step_cannot_be_meddled_with), RUN(other_worlds_stay_open))
