/*
 * Null pointers and definitions that no default function made, for every call that takes one.
 */
#include <string.h>

#include "check.h"
#include "constraints/rig.h"
#include "stage.h"

/* ---- Null ---- */

TEST(null_world) {
    static const sn_node node;
    static const sn_body body;
    static const sn_damping_group damping_group;
    static const sn_constraint constraint;
    static const sn_vec3 zero;
    sn_settings settings = sn_settings_default();
    sn_body_def body_def = sn_body_def_default();
    sn_node_def node_def = sn_node_def_default();
    sn_distance_def distance = sn_distance_def_default();
    sn_real real[SN_MAX_ROWS] = {0};
    sn_damping_group_def damping_group_def = sn_damping_group_def_default();
    sn_node made_node;
    sn_body made_body;
    sn_damping_group made_damping_group;
    sn_constraint made;
    static const sn_quat unturned = {0, 0, 0, 1};
    sn_node_view view;
    sn_frame_view frames;
    sn_stats stats;
    sn_measure measure;
    sn_type type;
    const sn_break_event *events;
    size_t count;

    sn_world_destroy(NULL);
    REFUSED(NULL, sn_world_get_settings(NULL, &settings), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_world_set_settings(NULL, &settings), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_world_step(NULL, 0), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_world_add_force_field(NULL, NULL, NULL), SN_ERROR_NULL, "null");
    REFUSED(NULL, sn_world_remove_force_field(NULL, NULL, NULL), SN_ERROR_NULL, "null");
    REFUSED(NULL, sn_world_stats(NULL, &stats), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_world_measure(NULL, &measure), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_body_create(NULL, &body_def, &made_body), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_body_destroy(NULL, body), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_body_get(NULL, body, &body_def), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_body_set(NULL, body, &body_def), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_damping_group_create(NULL, &damping_group_def, &made_damping_group),
            SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_damping_group_destroy(NULL, damping_group), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_damping_group_get(NULL, damping_group, &damping_group_def), SN_ERROR_NULL,
            "world null");
    REFUSED(NULL, sn_damping_group_set_damping(NULL, damping_group, 1), SN_ERROR_NULL,
            "world null");
    CHECK(!sn_damping_group_is_valid(NULL, damping_group));
    REFUSED(NULL, sn_node_create(NULL, &node_def, &made_node), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_nodes_create(NULL, &node_def, 1, NULL), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_destroy(NULL, node), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_nodes_destroy(NULL, &node, 1), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_world_nodes(NULL, &view), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_world_frames(NULL, &frames), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_set_orientation(NULL, node, unturned), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_set_target_orientation(NULL, node, unturned), SN_ERROR_NULL,
            "world null");
    REFUSED(NULL, sn_node_set_angular_velocity(NULL, node, zero), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_set_inverse_inertia(NULL, node, zero), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_set_radii(NULL, node, zero), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_add_torque(NULL, node, zero), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_get(NULL, node, &node_def), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_set_position(NULL, node, zero), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_set_velocity(NULL, node, zero), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_set_inverse_mass(NULL, node, 1), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_set_radius(NULL, node, 1), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_set_group(NULL, node, 1), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_set_target(NULL, node, zero), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_add_force(NULL, node, zero), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_node_apply_impulse(NULL, node, zero), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_constraint_create(NULL, SN_TYPE_DISTANCE, &distance, &made), SN_ERROR_NULL,
            "world null");
    REFUSED(NULL, sn_constraints_create(NULL, SN_TYPE_DISTANCE, &distance, 1, NULL), SN_ERROR_NULL,
            "world null");
    REFUSED(NULL, sn_constraint_destroy(NULL, constraint), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_constraint_get_type(NULL, constraint, &type), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_constraint_get(NULL, constraint, &distance), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_constraint_set(NULL, constraint, &distance), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_constraint_get_field(NULL, constraint, "side", real), SN_ERROR_NULL,
            "world null");
    REFUSED(NULL, sn_constraint_set_field(NULL, constraint, "side", real), SN_ERROR_NULL,
            "world null");
    REFUSED(NULL, sn_constraint_evaluate(NULL, constraint, real, NULL), SN_ERROR_NULL,
            "world null");
    REFUSED(NULL, sn_constraint_force(NULL, constraint, real), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_world_breaks(NULL, &events, &count), SN_ERROR_NULL, "world null");
    REFUSED(NULL, sn_constraint_get_nodes(NULL, constraint, NULL, 0, &count), SN_ERROR_NULL,
            "world null");
    REFUSED(NULL, sn_constraint_get_triangles(NULL, constraint, NULL, 0, &count), SN_ERROR_NULL,
            "world null");
    CHECK(!sn_node_is_valid(NULL, node));
    CHECK(!sn_constraint_is_valid(NULL, constraint));
    CHECK(sn_world_time(NULL) == 0);
    CHECK(sn_world_threads(NULL) == 0);
    CHECK(sn_world_simd_width(NULL) == 0);
    CHECK(sn_world_hash(NULL) == 0);
    CHECK(sn_world_constraint_count(NULL, SN_TYPE_COUNT) == 0);
}

TEST(null_arguments) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    const sn_break_event *events;
    size_t count = 0;
    sn_real real[SN_MAX_ROWS] = {0};
    sn_distance_def distance = sn_distance_def_default();
    sn_type type;
    sn_node node;
    sn_body body;
    sn_constraint constraint;
    sn_node_def node_def = sn_node_def_default();
    sn_body_def body_def = sn_body_def_default();

    REFUSED(&s, sn_world_create(NULL, NULL), SN_ERROR_NULL, "world null");
    REFUSED(&s, sn_world_get_settings(w, NULL), SN_ERROR_NULL, "settings null");
    REFUSED(&s, sn_world_set_settings(w, NULL), SN_ERROR_NULL, "settings null");
    REFUSED(&s, sn_world_add_force_field(w, NULL, NULL), SN_ERROR_NULL, "field null");
    REFUSED(&s, sn_world_remove_force_field(w, NULL, NULL), SN_ERROR_NULL, "field null");
    REFUSED(&s, sn_world_stats(w, NULL), SN_ERROR_NULL, "stats null");
    REFUSED(&s, sn_world_measure(w, NULL), SN_ERROR_NULL, "measure null");
    REFUSED(&s, sn_body_create(w, NULL, &body), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_body_create(w, &body_def, NULL), SN_ERROR_NULL, "body null");
    REFUSED(&s, sn_body_get(w, s.it.body, NULL), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_body_set(w, s.it.body, NULL), SN_ERROR_NULL, "def null");
    sn_damping_group damping_group;
    sn_damping_group_def damping_group_def = sn_damping_group_def_default();
    REFUSED(&s, sn_damping_group_create(w, NULL, &damping_group), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_damping_group_create(w, &damping_group_def, NULL), SN_ERROR_NULL,
            "damping_group null");
    REFUSED(&s, sn_damping_group_get(w, s.it.damping_group, NULL), SN_ERROR_NULL, "def null");
    damping_group_def.node_count = 1;
    REFUSED(&s, sn_damping_group_create(w, &damping_group_def, &damping_group), SN_ERROR_NULL,
            "nodes null");
    REFUSED(&s, sn_node_create(w, NULL, &node), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_node_create(w, &node_def, NULL), SN_ERROR_NULL, "node null");
    REFUSED(&s, sn_nodes_create(w, NULL, 1, NULL), SN_ERROR_NULL, "defs null");
    REFUSED(&s, sn_nodes_destroy(w, NULL, 1), SN_ERROR_NULL, "nodes null");
    REFUSED(&s, sn_world_nodes(w, NULL), SN_ERROR_NULL, "view null");
    REFUSED(&s, sn_world_frames(w, NULL), SN_ERROR_NULL, "view null");
    REFUSED(&s, sn_type_default(SN_TYPE_DISTANCE, NULL), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_node_get(w, s.it.node[0], NULL), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_type_by_name(NULL, &type), SN_ERROR_NULL, "name null");
    REFUSED(&s, sn_type_by_name("distance", NULL), SN_ERROR_NULL, "type null");
    REFUSED(&s, sn_constraint_create(w, SN_TYPE_DISTANCE, NULL, &constraint), SN_ERROR_NULL,
            "def null");
    distance.node[0] = s.it.node[1];
    distance.node[1] = s.it.node[2];
    REFUSED(&s, sn_constraint_create(w, SN_TYPE_DISTANCE, &distance, NULL), SN_ERROR_NULL,
            "constraint null");
    REFUSED(&s, sn_constraints_create(w, SN_TYPE_DISTANCE, NULL, 1, NULL), SN_ERROR_NULL,
            "defs null");
    REFUSED(&s, sn_constraint_get_type(w, s.it.distance, NULL), SN_ERROR_NULL, "type null");
    REFUSED(&s, sn_constraint_get(w, s.it.distance, NULL), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_constraint_set(w, s.it.distance, NULL), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_constraint_get_field(w, s.it.distance, NULL, real), SN_ERROR_NULL, "name null");
    REFUSED(&s, sn_constraint_get_field(w, s.it.distance, "side", NULL), SN_ERROR_NULL,
            "value null");
    REFUSED(&s, sn_constraint_set_field(w, s.it.distance, NULL, real), SN_ERROR_NULL, "name null");
    REFUSED(&s, sn_constraint_set_field(w, s.it.distance, "side", NULL), SN_ERROR_NULL,
            "value null");
    REFUSED(&s, sn_constraint_evaluate(w, s.it.distance, NULL, NULL), SN_ERROR_NULL, "value null");
    REFUSED(&s, sn_constraint_force(w, s.it.distance, NULL), SN_ERROR_NULL, "force null");
    REFUSED(&s, sn_world_breaks(w, NULL, &count), SN_ERROR_NULL, "events null");
    REFUSED(&s, sn_world_breaks(w, &events, NULL), SN_ERROR_NULL, "count null");
    stage_finish(&s);
}

/* Half a task system or none: a host that starts tasks must also wait for them. */
static void *start_nothing(void *user, sn_task *task, void *context) {
    (void)user;
    (void)task;
    (void)context;
    return NULL;
}

TEST(null_callbacks) {
    sn_world *world = (sn_world *)&world;
    sn_world_def def = sn_world_def_default();
    def.tasks.start = start_nothing;
    REFUSED(NULL, sn_world_create(&def, &world), SN_ERROR_NULL, "finish null");
    CHECK(world == NULL);
}

/* ---- Sizes of definitions ---- */

static const size_t wrong_by[] = {1, 4, (size_t)-1, (size_t)-4, SIZE_MAX / 2};
#define WRONG (sizeof wrong_by / sizeof wrong_by[0])

/* The sizes that a definition may have by mistake: none at all, and some that are near. */
static size_t wrong_size(size_t right, size_t i) {
    return i < WRONG ? right + wrong_by[i] : 0;
}

TEST(definitions_of_the_wrong_size) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    for (size_t i = 0; i <= WRONG; i++) {
        sn_world *made = (sn_world *)&made;
        sn_world_def world_def = sn_world_def_default();
        world_def.size = wrong_size(sizeof world_def, i);
        check_case("size off by %d", i < WRONG ? (int)wrong_by[i] : -(int)sizeof world_def);
        REFUSED(&s, sn_world_create(&world_def, &made), SN_ERROR_DEFINITION, "world size");
        CHECK(made == NULL);
        world_def = sn_world_def_default();
        world_def.settings.size = wrong_size(sizeof world_def.settings, i);
        REFUSED(&s, sn_world_create(&world_def, &made), SN_ERROR_DEFINITION, "settings size");
        CHECK(made == NULL);

        sn_settings settings = sn_settings_default();
        settings.size = wrong_size(sizeof settings, i);
        REFUSED(&s, sn_world_set_settings(w, &settings), SN_ERROR_DEFINITION, "settings size");

        sn_body body;
        sn_body_def body_def = sn_body_def_default();
        body_def.size = wrong_size(sizeof body_def, i);
        REFUSED(&s, sn_body_create(w, &body_def, &body), SN_ERROR_DEFINITION, "body size");
        REFUSED(&s, sn_body_set(w, s.it.body, &body_def), SN_ERROR_DEFINITION, "body size");

        sn_damping_group damping_group;
        sn_damping_group_def damping_group_def = sn_damping_group_def_default();
        damping_group_def.nodes = s.it.node;
        damping_group_def.node_count = 2;
        damping_group_def.size = wrong_size(sizeof damping_group_def, i);
        REFUSED(&s, sn_damping_group_create(w, &damping_group_def, &damping_group),
                SN_ERROR_DEFINITION, "damping group size");

        sn_node node;
        sn_node_def node_def = sn_node_def_default();
        node_def.size = wrong_size(sizeof node_def, i);
        REFUSED(&s, sn_node_create(w, &node_def, &node), SN_ERROR_DEFINITION, "node size");
        sn_node_def two[2] = {sn_node_def_default(), node_def};
        REFUSED(&s, sn_nodes_create(w, two, 2, NULL), SN_ERROR_DEFINITION, "node size");
    }
    stage_finish(&s);
}

TEST(constraint_definitions_of_the_wrong_size) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        const sn_type_info *info = sn_type_get_info((sn_type)type);
        for (size_t i = 0; i <= WRONG; i++) {
            check_case("%s, size off by %d", info->name, i < WRONG ? (int)wrong_by[i] : -999);
            rig_def def = {0};
            sn_constraint made;
            def.size = wrong_size(info->def_size, i);
            REFUSED(&s, sn_constraint_create(w, (sn_type)type, &def, &made), SN_ERROR_DEFINITION,
                    "size");
            CHECK(strstr(sn_last_error(), info->name) != NULL);
            REFUSED(&s, sn_constraints_create(w, (sn_type)type, &def, 1, NULL), SN_ERROR_DEFINITION,
                    "size");
        }
    }
    sn_distance_def distance = sn_distance_def_default();
    distance.size = 0;
    REFUSED(&s, sn_constraint_set(w, s.it.distance, &distance), SN_ERROR_DEFINITION,
            "distance size");
    REFUSED(&s, sn_constraint_get(w, s.it.distance, &distance), SN_ERROR_DEFINITION,
            "distance size");
    /* A definition of another type gives itself away by its size. */
    sn_attachment_def attachment = sn_attachment_def_default();
    REFUSED(&s, sn_constraint_get(w, s.it.distance, &attachment), SN_ERROR_DEFINITION,
            "distance size");
    stage_finish(&s);
}

/* ---- Words ---- */

TEST(results_have_names_and_sentences) {
#define CHECK_RESULT(name, number, sentence)                                                       \
    CHECK(strcmp(sn_result_name(name), #name) == 0);                                               \
    CHECK(strcmp(sn_result_sentence(name), sentence) == 0);                                        \
    CHECK((int)name == number);
    SN_RESULTS(CHECK_RESULT)
#undef CHECK_RESULT
    CHECK(sn_result_name((sn_result)99) != NULL);
    CHECK(sn_result_sentence((sn_result)99) != NULL);
    CHECK(sn_last_error() != NULL);
}

TEST(version_is_that_of_the_headers) {
    sn_version version = sn_version_get();
    CHECK(version.major == SN_VERSION_MAJOR);
    CHECK(version.minor == SN_VERSION_MINOR);
    CHECK(version.patch == SN_VERSION_PATCH);
}

TESTS(RUN(null_world), RUN(null_arguments), RUN(null_callbacks), RUN(definitions_of_the_wrong_size),
      RUN(constraint_definitions_of_the_wrong_size), RUN(results_have_names_and_sentences),
      RUN(version_is_that_of_the_headers))
