/*
 * Types of the user's: definitions of types and of their constraints that are wrong, names and
 * numbers of types that do not exist, and how many there can be.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/meter.h"
#include "check.h"
#include "stage.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* How far node 0 is above a level; nothing of it is used where the call is refused. */
static void level(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        b->value[0][i] = b->origin[1][i];
        for (int k = 0; b->gradient && k < 2; k++)
            for (int a = 0; a < 3; a++) b->gradient[k][a][i] = (sn_real)(k == 0 && a == 1);
    }
}

static const sn_user_parameter good_parameters[] = {{"weight", "kg", 1, 10, 2},
                                                    {"mark", NULL, -1, 1, 0}};

static sn_user_type_def good_type(void) {
    sn_user_type_def def = sn_user_type_def_default();
    def.name = "level";
    def.formula = level;
    def.parameters = good_parameters;
    def.parameter_count = 2;
    return def;
}

/* 64 and 63 letters. */
static const char too_long[] = "abcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefgh";
static const char longest[] = "abcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefg";

/* ---- Types ---- */

static void refuse_type(stage *s, const sn_user_type_def *def, sn_result expected,
                        const char *words) {
    sn_type type = SN_TYPE_COUNT;
    REFUSED(s, sn_world_add_type(s->it.world, def, &type), expected, words);
    CHECK(type == SN_TYPE_COUNT);
    CHECK(sn_world_type_info(s->it.world, SN_TYPE_USER) == NULL);
}

TEST(definitions_of_types) {
    static const size_t sizes[] = {0, 1, sizeof(sn_user_type_def) - 1, SIZE_MAX};
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    sn_user_type_def def = good_type();
    sn_type type = SN_TYPE_COUNT;
    REFUSED(&s, sn_world_add_type(NULL, &def, &type), SN_ERROR_NULL, "world null");
    REFUSED(&s, sn_world_add_type(w, NULL, &type), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_world_add_type(w, &def, NULL), SN_ERROR_NULL, "type null");
    for (size_t i = 0; i < COUNT(sizes); i++) {
        check_case("size %zu", sizes[i]);
        def = good_type();
        def.size = sizes[i];
        refuse_type(&s, &def, SN_ERROR_DEFINITION, "type size");
    }
    check_case("names");
    def = good_type();
    def.name = NULL;
    refuse_type(&s, &def, SN_ERROR_NULL, "type name null");
    def.name = "";
    refuse_type(&s, &def, SN_ERROR_VALUE, "type name no characters");
    def.name = too_long;
    refuse_type(&s, &def, SN_ERROR_VALUE, "type name too many characters 63");
    for (int i = 0; i < SN_TYPE_COUNT; i++) {
        def.name = sn_type_get_info((sn_type)i)->name;
        refuse_type(&s, &def, SN_ERROR_NAME, def.name);
    }
    check_case("pointers");
    def = good_type();
    def.formula = NULL;
    refuse_type(&s, &def, SN_ERROR_NULL, "level formula null");
    def = good_type();
    def.parameters = NULL;
    refuse_type(&s, &def, SN_ERROR_NULL, "level parameters null");
    stage_finish(&s);
}

TEST(counts_of_types) {
    const struct {
        const char *name;
        size_t offset;
        int value;
        const char *words;
    } bad[] = {
        {"nodes", offsetof(sn_user_type_def, nodes), 0, "level nodes 0 expected 1 to 16"},
        {"nodes", offsetof(sn_user_type_def, nodes), -1, "level nodes -1"},
        {"nodes", offsetof(sn_user_type_def, nodes), 17, "level nodes 17"},
        {"nodes", offsetof(sn_user_type_def, nodes), INT32_MAX, "level nodes 2147483647"},
        {"fixed_nodes", offsetof(sn_user_type_def, fixed_nodes), -1, "level fixed_nodes -1"},
        {"fixed_nodes", offsetof(sn_user_type_def, fixed_nodes), 2, "level fixed_nodes 2 to 1"},
        {"frames", offsetof(sn_user_type_def, frames), -1, "level frames -1"},
        {"frames", offsetof(sn_user_type_def, frames), 3, "level frames 3 to 2"},
        {"rows", offsetof(sn_user_type_def, rows), 0, "level rows 0 expected 1 to 6"},
        {"rows", offsetof(sn_user_type_def, rows), 7, "level rows 7"},
        {"parameter_count", offsetof(sn_user_type_def, parameter_count), -1,
         "level parameter_count -1"},
        {"parameter_count", offsetof(sn_user_type_def, parameter_count), 17,
         "level parameter_count 17 to 16"},
    };
    stage s;
    stage_make(&s);
    for (size_t i = 0; i < COUNT(bad); i++) {
        check_case("%s %d", bad[i].name, bad[i].value);
        sn_user_type_def def = good_type();
        memcpy((char *)&def + bad[i].offset, &bad[i].value, sizeof(int));
        refuse_type(&s, &def, SN_ERROR_VALUE, bad[i].words);
    }
    static const double steps[] = {0, -1, NAN, INFINITY};
    for (size_t i = 0; i < COUNT(steps); i++) {
        check_case("difference %g", steps[i]);
        sn_user_type_def def = good_type();
        def.numerical = true;
        def.difference = (sn_real)steps[i];
        refuse_type(&s, &def, SN_ERROR_VALUE, "level difference above 0");
    }
    check_case("unit gradients");
    sn_user_type_def def = good_type();
    def.unit_gradient = true;
    def.rows = 2;
    refuse_type(&s, &def, SN_ERROR_VALUE, "level unit_gradient one row");
    def.rows = 1;
    def.frames = 1;
    refuse_type(&s, &def, SN_ERROR_VALUE, "level unit_gradient no frames");
    def.frames = 0;
    def.numerical = true;
    refuse_type(&s, &def, SN_ERROR_VALUE, "level unit_gradient gradients");
    def.numerical = false;
    def.bounded = true;
    refuse_type(&s, &def, SN_ERROR_VALUE, "level unit_gradient no bounds");
    stage_finish(&s);
}

TEST(parameters_of_types) {
    const struct {
        const char *what;
        sn_user_parameter parameter;
        sn_result expected;
        const char *words;
    } bad[] = {
        {"no name", {NULL, NULL, 0, 1, 0}, SN_ERROR_NULL, "parameter name null"},
        {"an empty name", {"", NULL, 0, 1, 0}, SN_ERROR_VALUE, "parameter name no"},
        {"a long name", {too_long, NULL, 0, 1, 0}, SN_ERROR_VALUE, "parameter name too many"},
        {"a long unit", {"a", too_long, 0, 1, 0}, SN_ERROR_VALUE, "level unit \"a\" 63"},
        {"the name of another",
         {"weight", NULL, 0, 1, 0},
         SN_ERROR_NAME,
         "level parameters 0 1 \"weight\""},
        {"a common name", {"side", NULL, 0, 1, 0}, SN_ERROR_NAME, "level parameter 1 \"side\""},
        {"a common name", {"compliance", NULL, 0, 1, 0}, SN_ERROR_NAME, "level \"compliance\""},
        {"a common name", {"damping", NULL, 0, 1, 0}, SN_ERROR_NAME, "level \"damping\""},
        {"a common name", {"stiffness", NULL, 0, 1, 0}, SN_ERROR_NAME, "level \"stiffness\""},
        {"a common name", {"break_force", NULL, 0, 1, 0}, SN_ERROR_NAME, "level \"break_force\""},
        {"ranges", {"a", NULL, 1, 0, 0.5}, SN_ERROR_VALUE, "level \"a\" 1 0 0.5"},
        {"ranges", {"a", NULL, NAN, 1, 0}, SN_ERROR_VALUE, "level \"a\" nan finite"},
        {"ranges", {"a", NULL, 0, NAN, 0}, SN_ERROR_VALUE, "level \"a\" nan finite"},
        {"ranges", {"a", NULL, 0, 1, NAN}, SN_ERROR_VALUE, "level \"a\" nan finite"},
        {"ranges", {"a", NULL, -INFINITY, 1, 0}, SN_ERROR_VALUE, "level \"a\" -inf finite"},
        {"ranges", {"a", NULL, 0, INFINITY, 0}, SN_ERROR_VALUE, "level \"a\" inf finite"},
        {"ranges", {"a", NULL, 0, 1, 2}, SN_ERROR_VALUE, "level \"a\" 2"},
        {"ranges", {"a", NULL, 0, 1, -1}, SN_ERROR_VALUE, "level \"a\" -1"},
        /* More than a float. */
        {"ranges", {"a", NULL, 0, 1e300, 1}, SN_ERROR_VALUE, "level \"a\" 1e+300"},
    };
    stage s;
    stage_make(&s);
    for (size_t i = 0; i < COUNT(bad); i++) {
        check_case("%s %zu", bad[i].what, i);
        sn_user_parameter two[2] = {good_parameters[0], bad[i].parameter};
        sn_user_type_def def = good_type();
        def.parameters = two;
        refuse_type(&s, &def, bad[i].expected, bad[i].words);
    }
    stage_finish(&s);
}

/* Everything is copied, and what is at the edge of its range is allowed. */
TEST(what_is_said_is_kept) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    char name[80], word[80], unit[80];
    snprintf(name, sizeof name, "%s", longest);
    snprintf(word, sizeof word, "%s", longest);
    snprintf(unit, sizeof unit, "%s", longest);
    sn_user_parameter parameters[16];
    for (int k = 0; k < 16; k++) {
        static char few[16][16];
        snprintf(few[k], sizeof few[k], "p%d", k);
        parameters[k] = (sn_user_parameter){few[k], NULL, k, k, k};
    }
    parameters[3] = (sn_user_parameter){word, unit, -(double)SN_REAL_MAX, (double)SN_REAL_MAX, 9};
    sn_user_type_def def = good_type();
    def.name = name;
    def.nodes = 16;
    def.fixed_nodes = 15;
    def.frames = 16;
    def.rows = 6;
    def.external = true;
    def.parameters = parameters;
    def.parameter_count = 16;
    sn_type type = SN_TYPE_COUNT;
    CHECK_OK(sn_world_add_type(w, &def, &type));
    memset(name, 'x', sizeof name - 1);
    memset(word, 'x', sizeof word - 1);
    memset(unit, 'x', sizeof unit - 1);
    memset(parameters, 0, sizeof parameters);

    CHECK(type == SN_TYPE_USER);
    const sn_type_info *info = sn_world_type_info(w, type);
    if (!CHECK(info != NULL)) return;
    CHECK(strcmp(info->name, longest) == 0);
    CHECK(info->nodes == 16 && info->fixed_nodes == 15 && info->frames == 16 && info->rows == 6);
    CHECK(info->list == SN_LIST_NONE && info->external);
    CHECK(info->def_size == sizeof(sn_user_def) && info->field_count == 5 + 16);
    CHECK(strcmp(info->fields[0].name, "side") == 0);
    CHECK(strcmp(info->fields[5 + 3].name, longest) == 0);
    CHECK(strcmp(info->fields[5 + 3].unit, longest) == 0);
    CHECK(strcmp(info->fields[5].unit, "1") == 0 && info->fields[5 + 7].least == 7);
    CHECK(info->meaning && info->meaning[0]);
    sn_user_def constraint;
    CHECK_OK(sn_user_def_default(w, type, &constraint));
    CHECK(constraint.size == sizeof constraint && constraint.break_force == SN_AUTO);
    for (int k = 0; k < 16; k++) CHECK(constraint.parameter[k] == (sn_real)(k == 3 ? 9 : k));
    sn_type found = SN_TYPE_COUNT;
    CHECK_OK(sn_world_type_by_name(w, longest, &found));
    CHECK(found == type);
    /* And the name is taken, in this world. */
    def.name = longest;
    def.parameter_count = 0;
    REFUSED(NULL, sn_world_add_type(w, &def, &type), SN_ERROR_NAME, longest);
    CHECK_OK(sn_world_add_type(s.twin.world, &def, &type));
    sn_world_destroy(s.it.world);
    sn_world_destroy(s.twin.world);
}

TEST(there_can_be_64) {
    static meter m;
    meter_init(&m);
    sn_world_def world_def = sn_world_def_default();
    world_def.allocator = meter_allocator(&m);
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    sn_node_def node_def = sn_node_def_default();
    sn_node node[2];
    for (int k = 0; k < 2; k++) {
        node_def.position.x = (sn_real)k;
        REQUIRE_OK(sn_node_create(world, &node_def, &node[k]));
    }
    for (int i = 0; i < SN_USER_TYPES; i++) {
        char name[32];
        sn_type type;
        sn_user_type_def def = good_type();
        snprintf(name, sizeof name, "level %d", i);
        def.name = name;
        CHECK_OK(sn_world_add_type(world, &def, &type));
        CHECK((int)type == SN_TYPE_USER + i);
        /* All of them can be used. */
        sn_user_def constraint;
        sn_constraint made;
        CHECK_OK(sn_user_def_default(world, type, &constraint));
        memcpy(constraint.node, node, sizeof node);
        constraint.compliance = 1;
        CHECK_OK(sn_constraint_create(world, type, &constraint, &made));
        sn_type of_made = SN_TYPE_COUNT;
        CHECK_OK(sn_constraint_get_type(world, made, &of_made));
        CHECK(of_made == type && sn_world_constraint_count(world, type) == 1);
    }
    sn_user_type_def def = good_type();
    sn_type type = SN_TYPE_COUNT;
    uint64_t hash = sn_world_hash(world);
    REFUSED(NULL, sn_world_add_type(world, &def, &type), SN_ERROR_LIMIT, "level 64");
    CHECK(type == SN_TYPE_COUNT && sn_world_hash(world) == hash);
    CHECK(sn_world_constraint_count(world, SN_TYPE_COUNT) == SN_USER_TYPES);
    CHECK_OK(sn_world_step(world, (sn_real)0.01));
    sn_stats stats;
    REQUIRE_OK(sn_world_stats(world, &stats));
    CHECK(stats.memory == m.bytes);
    sn_world_destroy(world);
    CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
}

/* ---- Asking for types ---- */

TEST(types_that_do_not_exist) {
    static const int numbers[] = {-1,   SN_TYPE_COUNT,     999,     SN_TYPE_USER + 1,
                                  1063, SN_TYPE_USER + 64, 1 << 30, INT32_MAX};
    static const char *const names[] = {"", "Level", "level ", "leve", "user"};
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    sn_user_type_def def = good_type();
    sn_type type = SN_TYPE_COUNT;
    REQUIRE_OK(sn_world_add_type(w, &def, &type));
    sn_user_def constraint;
    memset(&constraint, 0, sizeof constraint);
    REFUSED(&s, sn_user_def_default(NULL, type, &constraint), SN_ERROR_NULL, "world null");
    REFUSED(&s, sn_user_def_default(w, type, NULL), SN_ERROR_NULL, "def null");
    REFUSED(&s, sn_world_type_by_name(NULL, "level", &type), SN_ERROR_NULL, "world null");
    REFUSED(&s, sn_world_type_by_name(w, NULL, &type), SN_ERROR_NULL, "name null");
    REFUSED(&s, sn_world_type_by_name(w, "level", NULL), SN_ERROR_NULL, "type null");
    CHECK(sn_world_type_info(NULL, type) == NULL);
    CHECK(sn_world_type_info(NULL, SN_TYPE_DISTANCE) == NULL);
    CHECK(sn_world_type_info(w, SN_TYPE_DISTANCE) == sn_type_get_info(SN_TYPE_DISTANCE));
    /* A type of a world is none of the list, and none of another world. */
    CHECK(sn_type_get_info(type) == NULL);
    CHECK(sn_world_type_info(s.twin.world, type) == NULL);
    sn_type found = SN_TYPE_COUNT;
    REFUSED(&s, sn_type_by_name("level", &found), SN_ERROR_NAME, "level");
    REFUSED(&s, sn_world_type_by_name(s.twin.world, "level", &found), SN_ERROR_NAME, "level");
    REFUSED(&s, sn_user_def_default(s.twin.world, type, &constraint), SN_ERROR_VALUE, "type 1000");
    REFUSED(&s, sn_user_def_default(w, SN_TYPE_DISTANCE, &constraint), SN_ERROR_VALUE, "type 0");
    REFUSED(&s, sn_type_default(type, &constraint), SN_ERROR_VALUE, "type 1000");
    for (size_t i = 0; i < COUNT(numbers); i++) {
        sn_type none = (sn_type)numbers[i];
        sn_constraint made;
        check_case("type %d", numbers[i]);
        CHECK(sn_world_type_info(w, none) == NULL);
        REFUSED(&s, sn_user_def_default(w, none, &constraint), SN_ERROR_VALUE, "type");
        REFUSED(&s, sn_constraint_create(w, none, &constraint, &made), SN_ERROR_VALUE, "type");
        if (numbers[i] != SN_TYPE_COUNT) CHECK(sn_world_constraint_count(w, none) == 0);
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        check_case("type \"%s\"", names[i]);
        REFUSED(&s, sn_world_type_by_name(w, names[i], &found), SN_ERROR_NAME, names[i]);
        CHECK(found == SN_TYPE_COUNT);
    }
    check_case("what there is");
    for (int i = 0; i < SN_TYPE_COUNT; i++) {
        CHECK_OK(sn_world_type_by_name(w, sn_type_get_info((sn_type)i)->name, &found));
        CHECK((int)found == i);
    }
    stage_finish(&s);
}

/* ---- Constraints ---- */

/* A type with a frame and a node that is only read, in both worlds of the stage. */
static sn_user_def make_type(stage *s, sn_type *type) {
    sn_user_type_def def = good_type();
    sn_user_def constraint;
    def.fixed_nodes = 1;
    def.frames = 1;
    REQUIRE_OK(sn_world_add_type(s->twin.world, &def, type));
    REQUIRE_OK(sn_world_add_type(s->it.world, &def, type));
    REQUIRE_OK(sn_user_def_default(s->it.world, *type, &constraint));
    constraint.node[0] = s->it.frame;
    constraint.node[1] = s->it.node[0];
    constraint.compliance = 1;
    return constraint;
}

static void refuse(stage *s, sn_type type, const sn_user_def *def, sn_result expected,
                   const char *words) {
    sn_constraint made;
    sn_user_def two[2] = {*def, *def};
    REQUIRE_OK(sn_user_def_default(s->it.world, type, &two[0]));
    two[0].node[0] = s->it.frame;
    REFUSED(s, sn_constraint_create(s->it.world, type, def, &made), expected, words);
    REFUSED(s, sn_constraints_create(s->it.world, type, two, 2, NULL), expected, words);
    CHECK(sn_world_constraint_count(s->it.world, type) == 0);
}

TEST(definitions_of_constraints) {
    stage s;
    stage_make(&s);
    sn_type type;
    sn_user_def good = make_type(&s, &type), def = good;
    def.size = sizeof def - 1;
    refuse(&s, type, &def, SN_ERROR_DEFINITION, "level size");
    def = good;
    def.node[0] = (sn_node){0, 0, 0};
    refuse(&s, type, &def, SN_ERROR_ID, "node");
    def.node[0] = s.it.dead_node;
    refuse(&s, type, &def, SN_ERROR_STALE, "node");
    def.node[0] = s.twin.frame;
    refuse(&s, type, &def, SN_ERROR_FOREIGN, "node");
    def.node[0] = s.it.node[1];
    refuse(&s, type, &def, SN_ERROR_VALUE, "level node 0 oriented");
    def = good;
    def.node[1] = s.it.frame;
    refuse(&s, type, &def, SN_ERROR_DEGENERATE, "level nodes 0 1 same");
    def.node[1] = s.it.node[1];
    refuse(&s, type, &def, SN_ERROR_VALUE, "level node 1 inverse mass 0.5 kinematic");
    def.node[1] = s.it.dead_node;
    refuse(&s, type, &def, SN_ERROR_STALE, "node");
    def = good;
    def.parameter[0] = (sn_real)0.5;
    refuse(&s, type, &def, SN_ERROR_VALUE, "level weight 0.5 at least 1 kg");
    def.parameter[0] = 11;
    refuse(&s, type, &def, SN_ERROR_VALUE, "level weight 11 at most 10 kg");
    def.parameter[0] = (sn_real)NAN;
    refuse(&s, type, &def, SN_ERROR_VALUE, "level weight finite");
    def.parameter[0] = SN_AUTO;
    refuse(&s, type, &def, SN_ERROR_VALUE, "level weight at least 1");
    def = good;
    def.parameter[1] = (sn_real)INFINITY;
    refuse(&s, type, &def, SN_ERROR_VALUE, "level mark finite");
    def = good;
    def.compliance = -1;
    refuse(&s, type, &def, SN_ERROR_VALUE, "level compliance -1");
    def = good;
    def.side = (sn_side)5;
    refuse(&s, type, &def, SN_ERROR_VALUE, "level side 5");
    /* What is beyond the type is not looked at. */
    def = good;
    def.parameter[2] = (sn_real)NAN;
    def.node[2] = s.it.dead_node;
    def.node[1] = (sn_node){0, 0, 0};
    sn_constraint made;
    for (int k = 0; k < 2; k++) {
        stage_world *w = k == 0 ? &s.it : &s.twin;
        def.node[0] = w->frame;
        CHECK_OK(sn_constraint_create(w->world, type, &def, &made));
        CHECK_OK(sn_constraint_destroy(w->world, made));
    }
    stage_finish(&s);
}

TEST(changes_of_constraints) {
    stage s;
    stage_make(&s);
    sn_type type;
    sn_user_def def = make_type(&s, &type);
    sn_constraint made;
    for (int k = 1; k >= 0; k--) {
        stage_world *w = k == 0 ? &s.it : &s.twin;
        def.node[0] = w->frame;
        def.node[1] = w->node[0];
        REQUIRE_OK(sn_constraint_create(w->world, type, &def, &made));
    }
    s.print = stage_print(&s.it);
    sn_world *w = s.it.world;
    sn_real value[3] = {20, 0, 0};
    REFUSED(&s, sn_constraint_set_field(w, made, "weight", value), SN_ERROR_VALUE,
            "level weight 20 at most 10");
    REFUSED(&s, sn_constraint_set_field(w, made, "rest_length", value), SN_ERROR_NAME,
            "level rest_length");
    REFUSED(&s, sn_constraint_get_field(w, made, "p0", value), SN_ERROR_NAME, "level p0");
    sn_user_def other = def;
    other.node[1] = (sn_node){0, 0, 0};
    REFUSED(&s, sn_constraint_set(w, made, &other), SN_ERROR_VALUE, "level node 1");
    other = def;
    other.parameter[1] = -2;
    REFUSED(&s, sn_constraint_set(w, made, &other), SN_ERROR_VALUE, "level mark -2 at least -1");
    /* What is read and never moved has no mass while it is read. */
    REFUSED(&s, sn_node_set_inverse_mass(w, s.it.node[0], 1), SN_ERROR_VALUE, "node inverse_mass");
    CHECK_OK(sn_constraint_get(w, made, &other));
    CHECK(memcmp(other.node, def.node, 2 * sizeof *def.node) == 0);
    CHECK(other.parameter[0] == 2 && other.parameter[1] == 0 && other.compliance == 1);
    stage_finish(&s);
}

TESTS(RUN(definitions_of_types), RUN(counts_of_types), RUN(parameters_of_types),
      RUN(what_is_said_is_kept), RUN(there_can_be_64), RUN(types_that_do_not_exist),
      RUN(definitions_of_constraints), RUN(changes_of_constraints))
