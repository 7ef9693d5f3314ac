/*
 * Numbers that are none, infinite or outside their range, for every call that takes one; counts of
 * zero and counts beyond reason; names and numbers of types that do not exist.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "stage.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const sn_real non_finite[] = {(sn_real)NAN, (sn_real)INFINITY, (sn_real)-INFINITY};

/* What a sentence may call the value at this index: printf writes nan with or without a sign. */
static const char *const non_finite_name[] = {"nan", "inf", "-inf"};

static sn_vec3 with_component(int axis, sn_real value) {
    sn_vec3 v = {1, 2, 3};
    *(axis == 0 ? &v.x : axis == 1 ? &v.y : &v.z) = value;
    return v;
}

/* ---- Settings ---- */

static void refuse_settings(stage *s, const sn_settings *settings, const char *words) {
    sn_world_def def = sn_world_def_default();
    sn_world *made = (sn_world *)&made;
    def.settings = *settings;
    REFUSED(s, sn_world_create(&def, &made), SN_ERROR_VALUE, words);
    CHECK(made == NULL);
    REFUSED(s, sn_world_set_settings(s->it.world, settings), SN_ERROR_VALUE, words);
}

TEST(settings) {
    stage s;
    stage_make(&s);
    sn_settings settings = sn_settings_default();
    static const int counts[] = {0, -1, 10001};
    for (size_t i = 0; i < COUNT(counts); i++) {
        check_case("count %d", counts[i]);
        settings = sn_settings_default();
        settings.substeps = counts[i];
        refuse_settings(&s, &settings, "substeps expected 10000");
        settings = sn_settings_default();
        settings.iterations = counts[i];
        refuse_settings(&s, &settings, "iterations expected 10000");
    }
    for (size_t i = 0; i < COUNT(non_finite); i++) {
        check_case("%s", non_finite_name[i]);
        for (int axis = 0; axis < 3; axis++) {
            settings = sn_settings_default();
            settings.gravity = with_component(axis, non_finite[i]);
            refuse_settings(&s, &settings, "gravity expected");
            CHECK(strstr(sn_last_error(), non_finite_name[i]) != NULL);
        }
        settings = sn_settings_default();
        settings.damping = non_finite[i];
        refuse_settings(&s, &settings, "damping expected");
        settings = sn_settings_default();
        settings.relaxation = non_finite[i];
        refuse_settings(&s, &settings, "relaxation expected");
        settings = sn_settings_default();
        settings.speed_limit = non_finite[i];
        refuse_settings(&s, &settings, "speed_limit expected");
        settings = sn_settings_default();
        settings.sleep_time = non_finite[i];
        refuse_settings(&s, &settings, "sleep_time expected");
        settings = sn_settings_default();
        settings.sleep_speed = non_finite[i];
        refuse_settings(&s, &settings, "sleep_speed expected");
    }
    check_case("finite");
    settings = sn_settings_default();
    settings.damping = -2;
    refuse_settings(&s, &settings, "damping -2 expected");
    settings = sn_settings_default();
    settings.speed_limit = 0;
    refuse_settings(&s, &settings, "speed_limit 0 expected");
    settings.speed_limit = -3;
    refuse_settings(&s, &settings, "speed_limit -3 expected");
    settings = sn_settings_default();
    settings.sleep_time = -4;
    refuse_settings(&s, &settings, "sleep_time -4 expected");
    settings = sn_settings_default();
    settings.sleep_speed = -5;
    refuse_settings(&s, &settings, "sleep_speed -5 expected");
    settings = sn_settings_default();
    settings.relaxation = 0;
    refuse_settings(&s, &settings, "relaxation 0 expected");
    settings.relaxation = 2;
    refuse_settings(&s, &settings, "relaxation 2 expected");
    settings = sn_settings_default();
    settings.hybrid_colours = -1;
    refuse_settings(&s, &settings, "hybrid_colours -1 expected");
    settings.hybrid_colours = 64;
    refuse_settings(&s, &settings, "hybrid_colours 64 expected");
    settings.hybrid_colours = 8;
    settings.split_colours = 0;
    refuse_settings(&s, &settings, "split_colours 0 expected");
    settings.split_colours = 64;
    refuse_settings(&s, &settings, "split_colours 64 expected");
    settings.split_colours = 4;
    settings = sn_settings_default();
    settings.solver = (sn_solver)7;
    refuse_settings(&s, &settings, "solver 7");
    settings = sn_settings_default();
    settings.model = (sn_model)7;
    refuse_settings(&s, &settings, "model 7");
    settings = sn_settings_default();
    settings.integrator = (sn_integrator)2;
    refuse_settings(&s, &settings, "integrator 2 expected 0 to 1");
    settings = sn_settings_default();
    settings.broad_phase = (sn_broad_phase)3;
    refuse_settings(&s, &settings, "broad_phase 3 expected 0 to 2");
    stage_finish(&s);
}

/* Numbers and names of solvers and integrators are those of their lists. */
TEST(names_of_methods) {
    CHECK(SN_SOLVER_COUNT == SN_SOLVER_SPLIT + 1);
    CHECK(SN_INTEGRATOR_COUNT == SN_INTEGRATOR_BDF2 + 1);
    CHECK(strcmp(sn_solver_name(SN_SOLVER_COLOURED), "coloured") == 0);
    CHECK(strcmp(sn_solver_name(SN_SOLVER_AVERAGED), "averaged") == 0);
    CHECK(strcmp(sn_integrator_name(SN_INTEGRATOR_BDF2), "bdf2") == 0);
    CHECK(sn_solver_name((sn_solver)SN_SOLVER_COUNT) == NULL);
    CHECK(sn_integrator_name((sn_integrator)-1) == NULL);
}

TEST(threads_and_widths) {
    static const int threads[] = {-1, 257, 1000000};
    static const int widths[] = {-1, 2, 3, 5, 7, 9, 12, 32, 1000};
    for (size_t i = 0; i < COUNT(threads); i++) {
        sn_world_def def = sn_world_def_default();
        sn_world *made = (sn_world *)&made;
        check_case("threads %d", threads[i]);
        def.threads = threads[i];
        REFUSED(NULL, sn_world_create(&def, &made), SN_ERROR_VALUE, "threads 256");
        CHECK(made == NULL);
    }
    for (size_t i = 0; i < COUNT(widths); i++) {
        sn_world_def def = sn_world_def_default();
        sn_world *made = (sn_world *)&made;
        check_case("width %d", widths[i]);
        def.simd_width = widths[i];
        REFUSED(NULL, sn_world_create(&def, &made), SN_ERROR_VALUE, "simd_width 16");
        CHECK(made == NULL);
    }
}

static void count_message(void *user, sn_log_level level, const char *sentence) {
    (void)level;
    if (strstr(sentence, "lanes")) ++*(int *)user;
}

/* What was asked for is what there is, or the log is told; 0 is a number that the library
   chooses. */
TEST(threads_and_widths_are_told) {
    static const int widths[] = {1, 4, 8, 16, 0};
    for (size_t i = 0; i < COUNT(widths); i++) {
        sn_world_def def = sn_world_def_default();
        sn_world *world = NULL;
        check_case("width %d", widths[i]);
        int messages = 0;
        def.simd_width = widths[i];
        def.threads = (int)i;
        def.log = count_message;
        def.log_user = &messages;
        REQUIRE_OK(sn_world_create(&def, &world));
        int width = sn_world_simd_width(world);
        int threads = sn_world_threads(world);
        CHECK(width == 1 || width == 4 || width == 8 || width == 16);
        if (widths[i] != 0) CHECK(messages == 0 ? width == widths[i] : width < widths[i]);
#ifdef SN_NO_THREADS
        CHECK(threads == 1);
#else
        CHECK(i != 0 ? threads == (int)i : threads >= 1);
#endif
        sn_world_destroy(world);
    }
}

TEST(time_steps) {
    static const sn_real dts[] = {(sn_real)NAN, (sn_real)INFINITY, (sn_real)-INFINITY, -1,
                                  (sn_real)-1e-9};
    stage s;
    stage_make(&s);
    for (size_t i = 0; i < COUNT(dts); i++) {
        check_case("dt %g", (double)dts[i]);
        REFUSED(&s, sn_world_step(s.it.world, dts[i]), SN_ERROR_VALUE, "dt");
    }
    CHECK_OK(sn_world_step(s.it.world, 0));
    stage_finish(&s);
}

/* ---- Nodes and bodies ---- */

/* A definition that no way of making nodes takes, alone or after a good one. */
static void refuse_node(stage *s, const sn_node_def *def, const char *words) {
    sn_node made;
    sn_node_def two[2] = {sn_node_def_default(), *def};
    REFUSED(s, sn_node_create(s->it.world, def, &made), SN_ERROR_VALUE, words);
    REFUSED(s, sn_nodes_create(s->it.world, two, 2, NULL), SN_ERROR_VALUE, words);
}

TEST(node_values) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    sn_node node = s.it.node[1];
    sn_node_def def;
    for (size_t i = 0; i < COUNT(non_finite); i++) {
        sn_real bad = non_finite[i];
        for (int axis = 0; axis < 3; axis++) {
            check_case("%s, axis %d", non_finite_name[i], axis);
            sn_vec3 v = with_component(axis, bad);
            def = sn_node_def_default();
            def.position = v;
            refuse_node(&s, &def, "node position");
            def = sn_node_def_default();
            def.velocity = v;
            refuse_node(&s, &def, "node velocity");
            REFUSED(&s, sn_node_set_position(w, node, v), SN_ERROR_VALUE, "node position");
            REFUSED(&s, sn_node_set_velocity(w, node, v), SN_ERROR_VALUE, "node velocity");
            REFUSED(&s, sn_node_set_target(w, s.it.node[0], v), SN_ERROR_VALUE, "node target");
            REFUSED(&s, sn_node_add_force(w, node, v), SN_ERROR_VALUE, "node force");
            REFUSED(&s, sn_node_apply_impulse(w, node, v), SN_ERROR_VALUE, "node impulse");
            CHECK(strstr(sn_last_error(), non_finite_name[i]) != NULL);
        }
        check_case("%s", non_finite_name[i]);
        def = sn_node_def_default();
        def.inverse_mass = bad;
        refuse_node(&s, &def, "node inverse_mass");
        def = sn_node_def_default();
        def.radius = bad;
        refuse_node(&s, &def, "node radius");
        REFUSED(&s, sn_node_set_inverse_mass(w, node, bad), SN_ERROR_VALUE, "node inverse_mass");
        REFUSED(&s, sn_node_set_radius(w, node, bad), SN_ERROR_VALUE, "node radius");
    }
    check_case("negative");
    def = sn_node_def_default();
    def.inverse_mass = -4;
    refuse_node(&s, &def, "node inverse_mass -4 expected");
    def = sn_node_def_default();
    def.radius = -5;
    refuse_node(&s, &def, "node radius -5 expected");
    REFUSED(&s, sn_node_set_inverse_mass(w, node, -4), SN_ERROR_VALUE,
            "node inverse_mass -4 expected");
    REFUSED(&s, sn_node_set_radius(w, node, -5), SN_ERROR_VALUE, "node radius -5 expected");
    REFUSED(&s, sn_node_set_target(w, node, (sn_vec3){0, 0, 0}), SN_ERROR_VALUE,
            "node target inverse_mass");
    stage_finish(&s);
}

/* Puts a value into one of the four numbers of a quaternion. */
static sn_quat with_number(int number, sn_real value) {
    sn_quat q = {1, 2, 3, 4};
    *(number == 0 ? &q.x : number == 1 ? &q.y : number == 2 ? &q.z : &q.w) = value;
    return q;
}

TEST(values_of_oriented_nodes) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    sn_node node = s.it.frame;
    sn_node_def def;
    for (size_t i = 0; i < COUNT(non_finite); i++) {
        sn_real bad = non_finite[i];
        for (int number = 0; number < 4; number++) {
            check_case("%s, number %d", non_finite_name[i], number);
            sn_quat q = with_number(number, bad);
            def = sn_node_def_default();
            def.oriented = true;
            def.orientation = q;
            refuse_node(&s, &def, "node orientation");
            REFUSED(&s, sn_node_set_orientation(w, node, q), SN_ERROR_VALUE, "node orientation");
            REFUSED(&s, sn_node_set_target_orientation(w, node, q), SN_ERROR_VALUE, "node");
        }
        for (int axis = 0; axis < 3; axis++) {
            check_case("%s, axis %d", non_finite_name[i], axis);
            sn_vec3 v = with_component(axis, bad);
            def = sn_node_def_default();
            def.oriented = true;
            def.angular_velocity = v;
            refuse_node(&s, &def, "node angular_velocity");
            def = sn_node_def_default();
            def.oriented = true;
            def.inverse_inertia = v;
            refuse_node(&s, &def, "node inverse_inertia");
            REFUSED(&s, sn_node_set_angular_velocity(w, node, v), SN_ERROR_VALUE,
                    "node angular_velocity");
            REFUSED(&s, sn_node_set_inverse_inertia(w, node, v), SN_ERROR_VALUE,
                    "node inverse_inertia");
            REFUSED(&s, sn_node_set_radii(w, node, v), SN_ERROR_VALUE, "node radii");
            REFUSED(&s, sn_node_add_torque(w, node, v), SN_ERROR_VALUE, "node torque");
        }
    }
    check_case("finite");
    static const sn_quat nothing = {0, 0, 0, 0};
    static const sn_quat unturned = {0, 0, 0, 1};
    static const sn_vec3 zero = {0, 0, 0};
    sn_vec3 negative = {1, -8, 1};
    def = sn_node_def_default();
    def.oriented = true;
    def.inverse_inertia = negative;
    refuse_node(&s, &def, "node inverse_inertia -8 expected");
    def = sn_node_def_default();
    def.oriented = true;
    def.orientation = nothing;
    refuse_node(&s, &def, "node orientation");
    REFUSED(&s, sn_node_set_inverse_inertia(w, node, negative), SN_ERROR_VALUE,
            "node inverse_inertia -8 expected");
    REFUSED(&s, sn_node_set_radii(w, node, negative), SN_ERROR_VALUE, "node radii -8 expected");
    REFUSED(&s, sn_node_set_radii(w, node, zero), SN_ERROR_VALUE, "node radii 0 expected");
    REFUSED(&s, sn_node_set_orientation(w, node, nothing), SN_ERROR_VALUE, "node orientation");
    /* Only what nothing else turns can be sent somewhere. */
    REFUSED(&s, sn_node_set_target_orientation(w, node, unturned), SN_ERROR_VALUE,
            "node inverse_inertia");
    check_case("a particle");
    node = s.it.node[1];
    REFUSED(&s, sn_node_set_orientation(w, node, unturned), SN_ERROR_VALUE, "node oriented");
    REFUSED(&s, sn_node_set_target_orientation(w, node, unturned), SN_ERROR_VALUE, "node oriented");
    REFUSED(&s, sn_node_set_angular_velocity(w, node, zero), SN_ERROR_VALUE, "node oriented");
    REFUSED(&s, sn_node_set_inverse_inertia(w, node, zero), SN_ERROR_VALUE, "node oriented");
    REFUSED(&s, sn_node_set_radii(w, node, zero), SN_ERROR_VALUE, "node oriented");
    REFUSED(&s, sn_node_add_torque(w, node, zero), SN_ERROR_VALUE, "node oriented");
    stage_finish(&s);
}

static void refuse_body(stage *s, const sn_body_def *def, const char *words) {
    sn_body made;
    REFUSED(s, sn_body_create(s->it.world, def, &made), SN_ERROR_VALUE, words);
    REFUSED(s, sn_body_set(s->it.world, s->it.body, def), SN_ERROR_VALUE, words);
}

TEST(body_values) {
    stage s;
    stage_make(&s);
    sn_body_def def;
    for (size_t i = 0; i < COUNT(non_finite); i++) {
        check_case("%s", non_finite_name[i]);
        for (int axis = 0; axis < 3; axis++) {
            def = sn_body_def_default();
            def.gravity = with_component(axis, non_finite[i]);
            refuse_body(&s, &def, "body gravity");
        }
        def = sn_body_def_default();
        def.damping = non_finite[i];
        refuse_body(&s, &def, "body damping");
        def = sn_body_def_default();
        def.rigid_damping = non_finite[i];
        refuse_body(&s, &def, "body rigid_damping");
    }
    check_case("negative");
    def = sn_body_def_default();
    def.damping = -6;
    refuse_body(&s, &def, "body damping -6 expected");
    def = sn_body_def_default();
    def.rigid_damping = -7;
    refuse_body(&s, &def, "body rigid_damping -7 expected");
    stage_finish(&s);
}

TEST(damping_group_values) {
    static const size_t counts[] = {8, 1000, SIZE_MAX / sizeof(sn_node), SIZE_MAX};
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    sn_damping_group made;
    sn_damping_group_def good = sn_damping_group_def_default();
    good.nodes = s.it.node;
    good.node_count = STAGE_NODES;
    sn_damping_group_def def = good;
    for (size_t i = 0; i < COUNT(non_finite); i++) {
        check_case("%s", non_finite_name[i]);
        def.damping = non_finite[i];
        REFUSED(&s, sn_damping_group_create(w, &def, &made), SN_ERROR_VALUE,
                "damping group damping");
        REFUSED(&s, sn_damping_group_set_damping(w, s.it.damping_group, non_finite[i]),
                SN_ERROR_VALUE, "damping group damping");
    }
    check_case("negative");
    def.damping = -8;
    REFUSED(&s, sn_damping_group_create(w, &def, &made), SN_ERROR_VALUE,
            "damping group damping -8 expected");
    REFUSED(&s, sn_damping_group_set_damping(w, s.it.damping_group, -8), SN_ERROR_VALUE,
            "damping group damping -8 expected");
    def = good;
    def.node_count = 0;
    REFUSED(&s, sn_damping_group_create(w, &def, &made), SN_ERROR_VALUE,
            "damping group node_count 0");
    for (size_t i = 0; i < COUNT(counts); i++) {
        check_case("count %zu", counts[i]);
        def.node_count = counts[i];
        REFUSED(&s, sn_damping_group_create(w, &def, &made), SN_ERROR_LIMIT,
                "damping group node_count");
    }
    stage_finish(&s);
}

/* ---- Constraints ---- */

static void refuse_distance(stage *s, const sn_distance_def *def, const char *words) {
    sn_constraint made;
    sn_distance_def two[2] = {*def, *def};
    two[0] = sn_distance_def_default();
    two[0].node[0] = s->it.node[2];
    two[0].node[1] = s->it.node[3];
    REFUSED(s, sn_constraint_create(s->it.world, SN_TYPE_DISTANCE, def, &made), SN_ERROR_VALUE,
            words);
    REFUSED(s, sn_constraints_create(s->it.world, SN_TYPE_DISTANCE, two, 2, NULL), SN_ERROR_VALUE,
            words);
}

TEST(constraint_values) {
    stage s;
    stage_make(&s);
    sn_distance_def good = sn_distance_def_default();
    good.node[0] = s.it.node[1];
    good.node[1] = s.it.node[2];
    sn_distance_def def = good;
    def.compliance = -1;
    refuse_distance(&s, &def, "distance compliance -1 expected");
    def = good;
    def.damping = -2;
    refuse_distance(&s, &def, "distance damping -2 expected");
    def = good;
    def.stiffness = (sn_real)1.5;
    refuse_distance(&s, &def, "distance stiffness 1.5 expected");
    def = good;
    def.break_force = -3;
    refuse_distance(&s, &def, "distance break_force -3 expected");
    def = good;
    def.rest_length = -4;
    refuse_distance(&s, &def, "distance rest_length -4 expected");
    def = good;
    def.side = (sn_side)9;
    refuse_distance(&s, &def, "distance side 9");
    stage_finish(&s);
}

TEST(names_of_fields) {
    static const char *const names[] = {"", "rest_volume", "Compliance", "compliance ", "node"};
    stage s;
    stage_make(&s);
    for (size_t i = 0; i < COUNT(names); i++) {
        sn_real value[3] = {0, 0, 0};
        check_case("field \"%s\"", names[i]);
        REFUSED(&s, sn_constraint_get_field(s.it.world, s.it.distance, names[i], value),
                SN_ERROR_NAME, names[i]);
        REFUSED(&s, sn_constraint_set_field(s.it.world, s.it.distance, names[i], value),
                SN_ERROR_NAME, names[i]);
        CHECK(strstr(sn_last_error(), "distance") != NULL);
    }
    stage_finish(&s);
}

TEST(types_that_do_not_exist) {
    static const int numbers[] = {SN_TYPE_COUNT, SN_TYPE_COUNT + 1, -1, 1 << 20};
    static const char *const names[] = {"", "Distance", "distance_", "unknown"};
    stage s;
    stage_make(&s);
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = s.it.node[1];
    def.node[1] = s.it.node[2];
    for (size_t i = 0; i < COUNT(numbers); i++) {
        sn_type type = (sn_type)numbers[i];
        sn_constraint made;
        check_case("type %d", numbers[i]);
        CHECK(sn_type_get_info(type) == NULL);
        REFUSED(&s, sn_type_default(type, &def), SN_ERROR_VALUE, "type");
        REFUSED(&s, sn_constraint_create(s.it.world, type, &def, &made), SN_ERROR_VALUE, "type");
        REFUSED(&s, sn_constraints_create(s.it.world, type, &def, 1, NULL), SN_ERROR_VALUE, "type");
        if (numbers[i] != SN_TYPE_COUNT) {
            CHECK(sn_world_constraint_count(s.it.world, type) == 0);
        }
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        sn_type type = SN_TYPE_COUNT;
        check_case("type \"%s\"", names[i]);
        REFUSED(&s, sn_type_by_name(names[i], &type), SN_ERROR_NAME, names[i]);
        CHECK(type == SN_TYPE_COUNT);
    }
    stage_finish(&s);
}

/* ---- Counts ---- */

TEST(counts_of_zero) {
    stage s;
    stage_make(&s);
    sn_node_def node = sn_node_def_default();
    sn_distance_def distance = sn_distance_def_default();
    CHECK_OK(sn_nodes_create(s.it.world, &node, 0, NULL));
    CHECK_OK(sn_nodes_destroy(s.it.world, s.it.node, 0));
    CHECK_OK(sn_constraints_create(s.it.world, SN_TYPE_DISTANCE, &distance, 0, NULL));
    CHECK_OK(sn_nodes_create(s.it.world, NULL, 0, NULL));
    CHECK_OK(sn_nodes_destroy(s.it.world, NULL, 0));
    CHECK_OK(sn_constraints_create(s.it.world, SN_TYPE_DISTANCE, NULL, 0, NULL));
    stage_finish(&s);
}

/* Counts that no id could number are refused before anything is read. */
TEST(counts_beyond_reason) {
    static const size_t counts[] = {
        SIZE_MAX,
#if SIZE_MAX > UINT32_MAX
        SIZE_MAX / 2 + 1,
        SIZE_MAX / sizeof(sn_node_def),
        (size_t)1 << 33,
#endif
    };
    stage s;
    stage_make(&s);
    sn_node_def node = sn_node_def_default();
    sn_distance_def distance = sn_distance_def_default();
    distance.node[0] = s.it.node[1];
    distance.node[1] = s.it.node[2];
    for (size_t i = 0; i < COUNT(counts); i++) {
        check_case("count %zu", counts[i]);
        REFUSED(&s, sn_nodes_create(s.it.world, &node, counts[i], NULL), SN_ERROR_LIMIT, "node");
        REFUSED(&s, sn_constraints_create(s.it.world, SN_TYPE_DISTANCE, &distance, counts[i], NULL),
                SN_ERROR_LIMIT, "constraint");
    }
    stage_finish(&s);
}

static void no_field(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)user;
    (void)input;
    (void)acceleration;
}

TEST(force_fields) {
    stage s;
    stage_make(&s);
    int user[64];
    REFUSED(&s, sn_world_remove_force_field(s.it.world, no_field, NULL), SN_ERROR_ID, "field");
    for (int i = 0; i < 64; i++) {
        CHECK_OK(sn_world_add_force_field(s.it.world, no_field, &user[i]));
    }
    REFUSED(&s, sn_world_add_force_field(s.it.world, no_field, NULL), SN_ERROR_LIMIT, "field 64");
    /* The pair counts, not the function. */
    REFUSED(&s, sn_world_remove_force_field(s.it.world, no_field, NULL), SN_ERROR_ID, "field");
    for (int i = 0; i < 64; i++) {
        CHECK_OK(sn_world_remove_force_field(s.it.world, no_field, &user[i]));
    }
    stage_finish(&s);
}

TESTS(RUN(settings), RUN(names_of_methods), RUN(threads_and_widths),
      RUN(threads_and_widths_are_told), RUN(time_steps), RUN(node_values),
      RUN(values_of_oriented_nodes), RUN(body_values), RUN(damping_group_values),
      RUN(constraint_values), RUN(names_of_fields), RUN(types_that_do_not_exist),
      RUN(counts_of_zero), RUN(counts_beyond_reason), RUN(force_fields))
