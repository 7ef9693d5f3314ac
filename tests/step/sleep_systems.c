/*
 * What an object of a system moves together sleeps together: bodies of a node each, which nothing
 * else joins, wake whenever one of them does.
 */
#include "sleepers.h"

enum { CORNERS = 4 };

typedef struct crowd {
    sn_world *world;
    sn_node node[CORNERS + 1]; /* of a tetrahedron; the last is by itself */
    sn_body body[CORNERS + 1];
} crowd;

static const sn_vec3 place[CORNERS + 1] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {9, 9, 9}};

static crowd make_crowd(void) {
    sn_settings settings = sleepy_settings();
    settings.gravity = (sn_vec3){0, 0, 0};
    crowd c = {.world = sleepy_world(settings, 1, 0)};
    for (int i = 0; i <= CORNERS; i++) {
        sn_body_def body = sn_body_def_default();
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_body_create(c.world, &body, &c.body[i]));
        def.position = place[i];
        def.body = c.body[i];
        REQUIRE_OK(sn_node_create(c.world, &def, &c.node[i]));
    }
    return c;
}

/* ---- What joins them ---- */

static void add_air(crowd *c) {
    sn_air_mesh_def def = sn_air_mesh_def_default();
    sn_air_mesh made;
    def.nodes = c->node;
    def.node_count = CORNERS;
    REQUIRE_OK(sn_air_mesh_create(c->world, &def, &made));
}

static void add_elements(crowd *c) {
    const uint32_t tet[4] = {0, 1, 2, 3};
    sn_finite_elements_def def = sn_finite_elements_def_default();
    sn_finite_elements made;
    def.nodes = c->node;
    def.node_count = CORNERS;
    def.tets = tet;
    def.tet_count = 1;
    REQUIRE_OK(sn_finite_elements_create(c->world, &def, &made));
}

static void add_hair(crowd *c) {
    const sn_real lengths[CORNERS] = {0, 1, (sn_real)1.41421356, (sn_real)1.41421356};
    sn_hair_def def = sn_hair_def_default();
    sn_hair made;
    def.nodes = c->node;
    def.lengths = lengths;
    def.node_count = CORNERS;
    REQUIRE_OK(sn_hair_create(c->world, &def, &made));
}

static void add_hierarchy(crowd *c) {
    const uint32_t edges[6] = {0, 1, 0, 2, 0, 3};
    sn_hierarchy_def def = sn_hierarchy_def_default();
    sn_hierarchy made;
    def.nodes = c->node;
    def.node_count = CORNERS;
    def.edges = edges;
    def.edge_count = 3;
    REQUIRE_OK(sn_hierarchy_create(c->world, &def, &made));
}

static void add_matching(crowd *c) {
    const uint32_t first[2] = {0, CORNERS}, members[CORNERS] = {0, 1, 2, 3};
    sn_shape_matching_def def = sn_shape_matching_def_default();
    sn_shape_matching made;
    def.nodes = c->node;
    def.node_count = CORNERS;
    def.first = first;
    def.members = members;
    def.region_count = 1;
    REQUIRE_OK(sn_shape_matching_create(c->world, &def, &made));
}

static void add_damping(crowd *c) {
    sn_damping_group_def def = sn_damping_group_def_default();
    sn_damping_group made;
    def.nodes = c->node;
    def.node_count = CORNERS;
    def.damping = 1;
    REQUIRE_OK(sn_damping_group_create(c->world, &def, &made));
}

TEST(all_members_wake_with_any_of_them) {
    static void (*const add[])(crowd *) = {add_air,       add_elements, add_hair,
                                           add_hierarchy, add_matching, add_damping};
    static const char *const name[] = {"air mesh",  "finite elements", "hair",
                                       "hierarchy", "shape matching",  "damping group"};
    for (size_t k = 0; k < sizeof add / sizeof *add; k++) {
        crowd c = make_crowd();
        add[k](&c);
        for (int i = 0; i < CORNERS; i++) {
            check_case("%s, corner %d", name[k], i);
            let_all_sleep(c.world);
            CHECK_OK(sn_body_wake(c.world, c.body[i]));
            CHECK(count_asleep(c.world) == 1 && sn_body_is_asleep(c.world, c.body[CORNERS]));
        }
        sn_world_destroy(c.world);
    }
}

TESTS(RUN(all_members_wake_with_any_of_them))
