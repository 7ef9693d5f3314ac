/*
 * Ids that are null, stale, foreign or out of range, for every call that takes one.
 */
#include <string.h>

#include "check.h"
#include "stage.h"

typedef struct bad_id {
    const char *what;
    sn_result expected;
} bad_id;

enum { ID_NULL, ID_STALE, ID_FOREIGN, ID_TOO_FAR, ID_LAST, IDS };

static const bad_id bad_ids[IDS] = {
    {"null", SN_ERROR_ID},
    {"stale", SN_ERROR_STALE},
    {"foreign", SN_ERROR_FOREIGN},
    {"beyond the slots", SN_ERROR_ID},
    {"of the last slot there could be", SN_ERROR_ID},
};

/* Of one kind of object; ids are structs of the same members, of types of their own. */
#define BAD(name, type, own, dead, far)                                                            \
    static type name(const stage *s, int kind) {                                                   \
        static const type null;                                                                    \
        type id = s->it.own;                                                                       \
        switch (kind) {                                                                            \
        case ID_STALE:                                                                             \
            return s->it.dead;                                                                     \
        case ID_FOREIGN:                                                                           \
            return s->twin.own;                                                                    \
        case ID_TOO_FAR:                                                                           \
            id.slot = far;                                                                         \
            return id;                                                                             \
        case ID_LAST:                                                                              \
            id.slot = UINT32_MAX;                                                                  \
            return id;                                                                             \
        default:                                                                                   \
            return null;                                                                           \
        }                                                                                          \
    }

BAD(bad_node, sn_node, node[1], dead_node, 100)
BAD(bad_body, sn_body, body, dead_body, 100)
BAD(bad_damping_group, sn_damping_group, damping_group, dead_damping_group, 100)
BAD(bad_constraint, sn_constraint, distance, dead_constraint, 100000)

TEST(node_ids) {
    static const sn_vec3 zero;
    static const sn_quat unturned = {0, 0, 0, 1};
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    for (int kind = 0; kind < IDS; kind++) {
        sn_node id = bad_node(&s, kind);
        sn_result expected = bad_ids[kind].expected;
        sn_node_def def = sn_node_def_default();
        check_case("%s", bad_ids[kind].what);
        CHECK(!sn_node_is_valid(w, id));
        REFUSED(&s, sn_node_destroy(w, id), expected, "node");
        sn_node two[2] = {s.it.node[1], id};
        REFUSED(&s, sn_nodes_destroy(w, two, 2), expected, "node");
        REFUSED(&s, sn_node_get(w, id, &def), expected, "node");
        REFUSED(&s, sn_node_set_position(w, id, zero), expected, "node");
        REFUSED(&s, sn_node_set_velocity(w, id, zero), expected, "node");
        REFUSED(&s, sn_node_set_inverse_mass(w, id, 1), expected, "node");
        REFUSED(&s, sn_node_set_radius(w, id, 1), expected, "node");
        REFUSED(&s, sn_node_set_group(w, id, 1), expected, "node");
        REFUSED(&s, sn_node_set_target(w, id, zero), expected, "node");
        REFUSED(&s, sn_node_add_force(w, id, zero), expected, "node");
        REFUSED(&s, sn_node_set_orientation(w, id, unturned), expected, "node");
        REFUSED(&s, sn_node_set_target_orientation(w, id, unturned), expected, "node");
        REFUSED(&s, sn_node_set_angular_velocity(w, id, zero), expected, "node");
        REFUSED(&s, sn_node_set_inverse_inertia(w, id, zero), expected, "node");
        REFUSED(&s, sn_node_set_radii(w, id, zero), expected, "node");
        REFUSED(&s, sn_node_add_torque(w, id, zero), expected, "node");
        REFUSED(&s, sn_node_apply_impulse(w, id, zero), expected, "node");

        sn_constraint made;
        sn_distance_def distance = sn_distance_def_default();
        distance.node[0] = s.it.node[1];
        distance.node[1] = id;
        REFUSED(&s, sn_constraint_create(w, SN_TYPE_DISTANCE, &distance, &made), expected,
                "distance node");
        sn_distance_def pair[2] = {sn_distance_def_default(), distance};
        pair[0].node[0] = s.it.node[2];
        pair[0].node[1] = s.it.node[3];
        REFUSED(&s, sn_constraints_create(w, SN_TYPE_DISTANCE, pair, 2, NULL), expected,
                "distance node");
    }
    CHECK(sn_node_is_valid(w, s.it.node[1]));
    stage_finish(&s);
}

TEST(body_ids) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    for (int kind = 0; kind < IDS; kind++) {
        sn_body id = bad_body(&s, kind);
        sn_result expected = bad_ids[kind].expected;
        sn_body_def def = sn_body_def_default();
        check_case("%s", bad_ids[kind].what);
        REFUSED(&s, sn_body_destroy(w, id), expected, "body");
        REFUSED(&s, sn_body_get(w, id, &def), expected, "body");
        REFUSED(&s, sn_body_set(w, id, &def), expected, "body");
        if (kind != ID_NULL) {
            sn_node made;
            sn_node_def node_def = sn_node_def_default();
            node_def.body = id;
            REFUSED(&s, sn_node_create(w, &node_def, &made), expected, "body");
            sn_node_def two[2] = {sn_node_def_default(), node_def};
            REFUSED(&s, sn_nodes_create(w, two, 2, NULL), expected, "body");
        }
    }
    stage_finish(&s);
}

TEST(damping_group_ids) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    for (int kind = 0; kind < IDS; kind++) {
        sn_damping_group id = bad_damping_group(&s, kind);
        sn_result expected = bad_ids[kind].expected;
        sn_damping_group_def def = sn_damping_group_def_default();
        check_case("%s", bad_ids[kind].what);
        CHECK(!sn_damping_group_is_valid(w, id));
        REFUSED(&s, sn_damping_group_destroy(w, id), expected, "damping group");
        REFUSED(&s, sn_damping_group_get(w, id, &def), expected, "damping group");
        REFUSED(&s, sn_damping_group_set_damping(w, id, 1), expected, "damping group");

        sn_damping_group made;
        sn_node two[2] = {s.it.node[1], bad_node(&s, kind)};
        def.nodes = two;
        def.node_count = 2;
        REFUSED(&s, sn_damping_group_create(w, &def, &made), expected, "damping group node 1 of 2");
    }
    CHECK(sn_damping_group_is_valid(w, s.it.damping_group));
    check_case("a node twice");
    sn_damping_group made;
    sn_node three[3] = {s.it.node[1], s.it.node[2], s.it.node[1]};
    sn_damping_group_def def = sn_damping_group_def_default();
    def.nodes = three;
    def.node_count = 3;
    REFUSED(&s, sn_damping_group_create(w, &def, &made), SN_ERROR_DEGENERATE,
            "damping group node 2 of 3 once");
    stage_finish(&s);
}

/* A node that is destroyed leaves its damping groups, and they stay. */
TEST(destroyed_nodes_leave_their_damping_groups) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    sn_damping_group_def def = sn_damping_group_def_default();
    sn_node_def node = sn_node_def_default();
    sn_node made;
    CHECK_OK(sn_node_destroy(w, s.it.node[3]));
    CHECK_OK(sn_damping_group_get(w, s.it.damping_group, &def));
    CHECK(def.node_count == 2 && def.nodes[0].slot == s.it.node[2].slot &&
          def.nodes[1].slot == s.it.node[4].slot);
    /* The next node in its slot is none of theirs. */
    CHECK_OK(sn_node_create(w, &node, &made));
    CHECK(made.slot == s.it.node[3].slot);
    CHECK_OK(sn_damping_group_get(w, s.it.damping_group, &def));
    CHECK(def.node_count == 2);
    CHECK_OK(sn_body_destroy(w, s.it.body));
    CHECK_OK(sn_damping_group_get(w, s.it.damping_group, &def));
    CHECK(def.node_count == 0 && sn_damping_group_is_valid(w, s.it.damping_group));
    CHECK_OK(sn_world_step(w, (sn_real)0.01));
    CHECK_OK(sn_damping_group_destroy(w, s.it.damping_group));
    CHECK(!sn_damping_group_is_valid(w, s.it.damping_group));
    sn_world_destroy(s.it.world);
    sn_world_destroy(s.twin.world);
}

TEST(constraint_ids) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    for (int kind = 0; kind < IDS; kind++) {
        sn_constraint id = bad_constraint(&s, kind);
        sn_result expected = bad_ids[kind].expected;
        sn_real real[SN_MAX_ROWS] = {0};
        sn_distance_def def = sn_distance_def_default();
        sn_type type;
        check_case("%s", bad_ids[kind].what);
        CHECK(!sn_constraint_is_valid(w, id));
        REFUSED(&s, sn_constraint_destroy(w, id), expected, "constraint");
        REFUSED(&s, sn_constraint_get_type(w, id, &type), expected, "constraint");
        REFUSED(&s, sn_constraint_get(w, id, &def), expected, "constraint");
        REFUSED(&s, sn_constraint_set(w, id, &def), expected, "constraint");
        REFUSED(&s, sn_constraint_get_field(w, id, "side", real), expected, "constraint");
        REFUSED(&s, sn_constraint_set_field(w, id, "side", real), expected, "constraint");
        REFUSED(&s, sn_constraint_evaluate(w, id, real, NULL), expected, "constraint");
        REFUSED(&s, sn_constraint_force(w, id, real), expected, "constraint");
        size_t count;
        REFUSED(&s, sn_constraint_get_nodes(w, id, NULL, 0, &count), expected, "constraint");
        REFUSED(&s, sn_constraint_get_triangles(w, id, NULL, 0, &count), expected, "constraint");
    }
    CHECK(sn_constraint_is_valid(w, s.it.distance));
    stage_finish(&s);
}

/* A constraint keeps its nodes; changing them means another constraint. */
TEST(set_keeps_the_nodes) {
    stage s;
    stage_make(&s);
    sn_distance_def def = sn_distance_def_default();
    CHECK_OK(sn_constraint_get(s.it.world, s.it.distance, &def));
    def.node[1] = s.it.node[3];
    def.compliance = 5;
    stage_mark();
    sn_result result = sn_constraint_set(s.it.world, s.it.distance, &def);
    CHECK(result == SN_ERROR_VALUE || result == SN_ERROR_ID);
    stage_refused(&s, result, result, "distance node", "sn_constraint_set", __FILE__, __LINE__);
    stage_finish(&s);
}

TEST(the_same_node_twice) {
    stage s;
    stage_make(&s);
    sn_constraint made;
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = s.it.node[2];
    def.node[1] = s.it.node[2];
    REFUSED(&s, sn_constraint_create(s.it.world, SN_TYPE_DISTANCE, &def, &made),
            SN_ERROR_DEGENERATE, "distance node");
    stage_finish(&s);
}

/* What a constraint reads and never moves has no mass, and gets none while it is read. */
TEST(anchors_stay_kinematic) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    sn_constraint made;
    sn_attachment_def def = sn_attachment_def_default();
    def.node[0] = s.it.node[3];
    def.node[1] = s.it.node[4];
    REFUSED(&s, sn_constraint_create(w, SN_TYPE_ATTACHMENT, &def, &made), SN_ERROR_VALUE,
            "attachment node kinematic");
    REFUSED(&s, sn_node_set_inverse_mass(w, s.it.node[0], 1), SN_ERROR_VALUE,
            "node inverse_mass expected");
    stage_finish(&s);

    stage_make(&s);
    CHECK_OK(sn_constraint_destroy(s.it.world, s.it.attachment));
    CHECK_OK(sn_node_set_inverse_mass(s.it.world, s.it.node[0], 1));
    /* The same when the constraint goes with the node that it holds. */
    CHECK_OK(sn_node_destroy(s.twin.world, s.twin.node[2]));
    CHECK_OK(sn_node_set_inverse_mass(s.twin.world, s.twin.node[0], 1));
    sn_world_destroy(s.it.world);
    sn_world_destroy(s.twin.world);
}

/* An id of a node goes stale with the node, and those of its constraints with it; the next node in
   its slot does not make them valid again. */
TEST(destroying_makes_ids_stale) {
    stage s;
    stage_make(&s);
    sn_world *w = s.it.world;
    sn_node_def def = sn_node_def_default();
    CHECK_OK(sn_node_destroy(w, s.it.node[1]));
    CHECK(!sn_node_is_valid(w, s.it.node[1]));
    CHECK(!sn_constraint_is_valid(w, s.it.distance));
    CHECK(sn_constraint_is_valid(w, s.it.attachment));
    for (int i = 0; i < 20; i++) {
        sn_node made;
        CHECK_OK(sn_node_create(w, &def, &made));
        CHECK(!sn_node_is_valid(w, s.it.node[1]));
        CHECK(memcmp(&made, &s.it.node[1], sizeof made) != 0);
    }
    CHECK_FAILS(sn_node_get(w, s.it.node[1], &def), SN_ERROR_STALE);
    CHECK_OK(sn_body_destroy(w, s.it.body));
    for (int i = 2; i < STAGE_NODES; i++) {
        CHECK(!sn_node_is_valid(w, s.it.node[i]));
    }
    CHECK(!sn_constraint_is_valid(w, s.it.attachment));
    CHECK(sn_world_constraint_count(w, SN_TYPE_COUNT) == 0);
    CHECK_OK(sn_world_step(w, (sn_real)0.01));
    sn_world_destroy(s.it.world);
    sn_world_destroy(s.twin.world);
}

TESTS(RUN(node_ids), RUN(body_ids), RUN(damping_group_ids),
      RUN(destroyed_nodes_leave_their_damping_groups), RUN(constraint_ids),
      RUN(set_keeps_the_nodes), RUN(the_same_node_twice), RUN(anchors_stay_kinematic),
      RUN(destroying_makes_ids_stale))
