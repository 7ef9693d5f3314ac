/* Hierarchies as objects: what is refused, what goes with nodes and constraints, and that snapshots
   and recordings keep them. */
#include "check.h"
#include "snapshot.h"

#include <scenes.h>
#include <sinew/kinds/cloth.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SN_DOUBLE
#define FILE_NAME "levels_objects_f64.reco"
#else
#define FILE_NAME "levels_objects.reco"
#endif

enum { LINKS = 40 };

static sn_world *make_world(void) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.settings.substeps = 4;
    def.settings.gravity = (sn_vec3){0, (sn_real)-9.81, 0};
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* A rope that hangs down from a pin, and its links. */
static void make_rope(sn_world *world, sn_node nodes[LINKS + 1], sn_constraint links[LINKS]) {
    for (int i = 0; i <= LINKS; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){0, (sn_real)(-0.1 * i), 0};
        def.inverse_mass = i > 0;
        REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
    }
    for (int i = 0; i < LINKS; i++) {
        sn_distance_def def = sn_distance_def_default();
        def.node[0] = nodes[i];
        def.node[1] = nodes[i + 1];
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &links[i]));
    }
}

static sn_hierarchy add_levels(sn_world *world, const sn_node *nodes, size_t count) {
    sn_hierarchy_def def = sn_hierarchy_def_default();
    sn_hierarchy hierarchy;
    def.nodes = nodes;
    def.node_count = count;
    REQUIRE_OK(sn_hierarchy_create(world, &def, &hierarchy));
    return hierarchy;
}

static void step(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

static double height(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return (double)def.position.y;
}

/* The longest that a rope gets in the first half second, of 40 links of 0.1 m with 4 sweeps. */
static double longest(int finest) {
    sn_world *world = make_world();
    sn_node nodes[LINKS + 1];
    sn_constraint links[LINKS];
    double lowest = 0;
    make_rope(world, nodes, links);
    if (finest > 0) {
        sn_hierarchy_def def = sn_hierarchy_def_default();
        sn_hierarchy hierarchy;
        def.nodes = nodes;
        def.node_count = LINKS + 1;
        def.finest = finest;
        REQUIRE_OK(sn_hierarchy_create(world, &def, &hierarchy));
    }
    for (int i = 0; i < 30; i++) {
        step(world, 1);
        if (height(world, nodes[LINKS]) < lowest) lowest = height(world, nodes[LINKS]);
    }
    sn_world_destroy(world);
    return -lowest;
}

TEST(a_rope_has_levels_too) {
    double plain = longest(0), held = longest(1);
    check_case("%.3f m without and %.3f m with levels", plain, held);
    CHECK(plain > 4.2);
    CHECK(held < 4.05 && held > 3.99);
}

/* Levels know masses that change, that of the first node as well: let go of, all of it falls, and
   nothing but gravity makes it faster. */
TEST(levels_follow_masses) {
    sn_world *world = make_world();
    sn_node nodes[LINKS + 1];
    sn_constraint links[LINKS];
    sn_measure before, after;
    make_rope(world, nodes, links);
    (void)add_levels(world, nodes, LINKS + 1);
    step(world, 10);
    REQUIRE_OK(sn_node_set_inverse_mass(world, nodes[0], (sn_real)0.25));
    REQUIRE_OK(sn_world_measure(world, &before));
    step(world, 20);
    REQUIRE_OK(sn_world_measure(world, &after));
    double mass = LINKS + 4;
    CHECK_NEAR((after.momentum[1] - before.momentum[1]) / mass, -9.81 * 20 / 60, 1e-3);
    CHECK_NEAR(after.momentum[0] / mass, 0, 1e-4);
    sn_world_destroy(world);
}

/* A rope that falls: whichever of its nodes is held stays where it is. */
TEST(levels_hold_what_is_held) {
    for (int held = 0; held <= LINKS; held += LINKS / 4) {
        check_case("node %d", held);
        sn_world *world = make_world();
        sn_node nodes[LINKS + 1], other;
        sn_constraint links[LINKS];
        sn_node_def def = sn_node_def_default();
        make_rope(world, nodes, links);
        REQUIRE_OK(sn_node_set_inverse_mass(world, nodes[0], 1));
        for (int i = 0; i < 2; i++) REQUIRE_OK(sn_node_create(world, &def, &other));
        (void)add_levels(world, nodes, LINKS + 1);
        step(world, 5);
        REQUIRE_OK(sn_node_set_inverse_mass(world, nodes[held], 0));
        REQUIRE_OK(sn_node_set_velocity(world, nodes[held], (sn_vec3){0, 0, 0}));
        double at = height(world, nodes[held]);
        step(world, 20);
        CHECK(height(world, nodes[held]) == at);
        sn_world_destroy(world);
    }
}

/* A link that goes takes its edge along: what hangs below falls freely. */
TEST(what_is_cut_is_not_held) {
    sn_world *world = make_world();
    sn_node nodes[LINKS + 1];
    sn_constraint links[LINKS];
    make_rope(world, nodes, links);
    sn_hierarchy hierarchy = add_levels(world, nodes, LINKS + 1);
    sn_hierarchy_def def;
    step(world, 30);
    double before = height(world, nodes[LINKS]);
    REQUIRE_OK(sn_constraint_destroy(world, links[20]));
    CHECK_OK(sn_hierarchy_get(world, hierarchy, &def));
    CHECK(def.edge_count == LINKS - 1 && def.node_count == LINKS + 1);
    step(world, 30);
    CHECK(height(world, nodes[LINKS]) - before < -1);
    CHECK(height(world, nodes[20]) > -2.1);
    sn_world_destroy(world);
}

TEST(nodes_leave_their_hierarchies) {
    sn_world *world = make_world();
    sn_node nodes[LINKS + 1];
    sn_constraint links[LINKS];
    make_rope(world, nodes, links);
    sn_hierarchy hierarchy = add_levels(world, nodes, LINKS + 1), found;
    sn_hierarchy_def def;
    CHECK_OK(sn_node_hierarchy(world, nodes[3], &found));
    CHECK(memcmp(&found, &hierarchy, sizeof found) == 0);
    step(world, 1);
    size_t count;
    CHECK_OK(sn_hierarchy_level_nodes(world, hierarchy, 1, &count));
    CHECK(count > LINKS / 4 && count < LINKS);
    CHECK_OK(sn_hierarchy_level_nodes(world, hierarchy, 32, &count));
    CHECK(count == 0);
    CHECK_FAILS(sn_hierarchy_level_nodes(world, hierarchy, 0, &count), SN_ERROR_VALUE);
    REQUIRE_OK(sn_nodes_destroy(world, nodes + 10, 5));
    CHECK_OK(sn_hierarchy_get(world, hierarchy, &def));
    CHECK(def.node_count == LINKS - 4 && def.edge_count == LINKS - 6);
    CHECK(def.nodes[10].slot == nodes[15].slot && def.edges[18] == 10 && def.edges[19] == 11);
    step(world, 5);
    REQUIRE_OK(sn_nodes_destroy(world, nodes, 10));
    CHECK(sn_hierarchy_is_valid(world, hierarchy));
    REQUIRE_OK(sn_nodes_destroy(world, nodes + 15, LINKS - 14));
    CHECK(!sn_hierarchy_is_valid(world, hierarchy));
    step(world, 1);
    sn_world_destroy(world);
}

TEST(cloth_has_levels) {
    sn_world *world = make_world();
    sn_cloth_material material = sn_cloth_material_default();
    sn_grid_def grid = sn_grid_def_default();
    sn_mesh mesh = sn_mesh_default();
    sn_build_def def = sn_build_def_default();
    sn_build made;
    sn_node nodes[36];
    sn_hierarchy hierarchy;
    grid.columns = grid.rows = 5;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    def.mesh = &mesh;
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &material, &def, nodes, &made));
    CHECK_OK(sn_node_hierarchy(world, nodes[0], &hierarchy));
    CHECK(hierarchy.slot == 0);
    REQUIRE_OK(sn_body_destroy(world, made.body));
    material.levels = SN_AUTO;
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &material, &def, nodes, &made));
    CHECK_OK(sn_node_hierarchy(world, nodes[0], &hierarchy));
    CHECK(sn_hierarchy_is_valid(world, hierarchy));
    step(world, 2);
    REQUIRE_OK(sn_body_destroy(world, made.body));
    CHECK(!sn_hierarchy_is_valid(world, hierarchy));
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
}

TEST(bad_hierarchies_are_refused) {
    sn_world *world = make_world();
    sn_node nodes[LINKS + 1];
    sn_constraint links[LINKS];
    uint32_t edge[2] = {0, 1}, triangle[3] = {0, 1, 2};
    sn_real length = 1;
    sn_hierarchy hierarchy = {7, 7, 7};
    make_rope(world, nodes, links);
    sn_hierarchy_def good = sn_hierarchy_def_default();
    good.nodes = nodes;
    good.node_count = LINKS + 1;
    good.edges = edge;
    good.edge_count = 1;
    good.lengths = &length;
#define REFUSED(result, ...)                                                                       \
    do {                                                                                           \
        sn_hierarchy_def def = good;                                                               \
        __VA_ARGS__;                                                                               \
        CHECK_FAILS(sn_hierarchy_create(world, &def, &hierarchy), result);                         \
    } while (0)
    REFUSED(SN_ERROR_VALUE, def.node_count = 1);
    REFUSED(SN_ERROR_NULL, def.nodes = NULL);
    REFUSED(SN_ERROR_LIMIT, def.node_count = LINKS + 2);
    REFUSED(SN_ERROR_NULL, def.edges = NULL);
    REFUSED(SN_ERROR_NULL, def.triangle_count = 1);
    REFUSED(SN_ERROR_VALUE, def.levels = 0);
    REFUSED(SN_ERROR_VALUE, def.levels = 33);
    REFUSED(SN_ERROR_VALUE, def.finest = 0);
    REFUSED(SN_ERROR_VALUE, def.sweeps = 65);
    REFUSED(SN_ERROR_VALUE, def.interval = 0);
    REFUSED(SN_ERROR_VALUE, def.side = SN_SIDE_AT_LEAST);
    REFUSED(SN_ERROR_VALUE, def.stiffness = (sn_real)1.5);
    REFUSED(SN_ERROR_VALUE, def.slack = (sn_real)NAN);
    REFUSED(SN_ERROR_VALUE, length = 0);
    REFUSED(SN_ERROR_VALUE, length = (sn_real)INFINITY);
    length = 1;
    REFUSED(SN_ERROR_VALUE, edge[1] = LINKS + 1);
    REFUSED(SN_ERROR_DEGENERATE, edge[1] = 0);
    edge[1] = 1;
    triangle[2] = 1;
    REFUSED(SN_ERROR_DEGENERATE, def.triangles = triangle; def.triangle_count = 1);
    sn_vec3 rest[LINKS + 1] = {{0, 0, 0}};
    REFUSED(SN_ERROR_DEGENERATE, def.lengths = NULL; def.rest = rest);
    rest[3].x = (sn_real)NAN;
    REFUSED(SN_ERROR_VALUE, def.rest = rest);
    sn_node first = nodes[0];
    nodes[0] = nodes[5];
    REFUSED(SN_ERROR_DEGENERATE, (void)def);
    nodes[0] = (sn_node){9999, 1, nodes[1].world};
    REFUSED(SN_ERROR_ID, (void)def);
    nodes[0] = first;
    for (int i = 0; i < LINKS; i++) REQUIRE_OK(sn_constraint_destroy(world, links[i]));
    REFUSED(SN_ERROR_DEGENERATE, def.edge_count = 0);
    CHECK(hierarchy.slot == 7);
    CHECK_OK(sn_hierarchy_create(world, &good, &hierarchy));
    sn_hierarchy_def def;
    CHECK_OK(sn_hierarchy_get(world, hierarchy, &def));
    CHECK(def.edge_count == 1 && def.lengths[0] == 1 && !def.rest && def.sweeps == 4);
    def.sweeps = 9;
    CHECK_OK(sn_hierarchy_set(world, hierarchy, &def));
    CHECK_OK(sn_hierarchy_get(world, hierarchy, &def));
    CHECK(def.edge_count == 1 && def.sweeps == 9);
    def.sweeps = 0;
    CHECK_FAILS(sn_hierarchy_set(world, hierarchy, &def), SN_ERROR_VALUE);
    CHECK_OK(sn_hierarchy_destroy(world, hierarchy));
    CHECK_FAILS(sn_hierarchy_destroy(world, hierarchy), SN_ERROR_STALE);
    sn_world_destroy(world);
}

/* Levels are made anew from what a snapshot has, and are the same. */
TEST(snapshots_keep_hierarchies) {
    sn_world *world = make_world(), *loaded = make_world();
    scene_cloth_def cloth = scene_cloth_def_default();
    scene_mesh mesh;
    REQUIRE_OK(scene_cloth(world, &cloth, &mesh));
    sn_hierarchy_def def = sn_hierarchy_def_default();
    sn_hierarchy hierarchy;
    def.nodes = mesh.nodes;
    def.node_count = mesh.node_count;
    def.triangles = mesh.triangles[0];
    def.triangle_count = mesh.triangle_count;
    def.slack = (sn_real)0.001;
    REQUIRE_OK(sn_hierarchy_create(world, &def, &hierarchy));
    step(world, 10);
    REQUIRE_OK(sn_node_destroy(world, mesh.nodes[77]));
    step(world, 10);
    size_t size;
    void *bytes = snapshot_of(world, &size);
    CHECK_OK(sn_snapshot_load(loaded, bytes, size));
    CHECK(is_saved_as(loaded, bytes, size));
    step(world, 10);
    step(loaded, 10);
    CHECK(sn_world_hash(world) == sn_world_hash(loaded));
    free(bytes);
    scene_mesh_free(&mesh);
    sn_world_destroy(world);
    sn_world_destroy(loaded);
}

TEST(recordings_keep_hierarchies) {
    sn_world *world = make_world(), *repeated = make_world();
    sn_node nodes[LINKS + 1];
    sn_constraint links[LINKS];
    sn_hierarchy_def def;
    sn_replay_report report;
    REQUIRE_OK(sn_recording_start(world, FILE_NAME));
    make_rope(world, nodes, links);
    sn_hierarchy first = add_levels(world, nodes, LINKS + 1);
    step(world, 5);
    sn_hierarchy second = add_levels(world, nodes, 20);
    step(world, 2);
    REQUIRE_OK(sn_hierarchy_destroy(world, first));
    REQUIRE_OK(sn_hierarchy_get(world, second, &def));
    def.finest = 1;
    REQUIRE_OK(sn_hierarchy_set(world, second, &def));
    step(world, 5);
    REQUIRE_OK(sn_recording_stop(world));
    CHECK_OK(sn_replay_file(repeated, FILE_NAME, &report));
    CHECK(report.steps == 12 && !report.differs);
    CHECK(remove(FILE_NAME) == 0);
    sn_world_destroy(world);
    sn_world_destroy(repeated);
}

TESTS(RUN(a_rope_has_levels_too), RUN(levels_follow_masses), RUN(levels_hold_what_is_held),
      RUN(what_is_cut_is_not_held), RUN(nodes_leave_their_hierarchies), RUN(cloth_has_levels),
      RUN(bad_hierarchies_are_refused), RUN(snapshots_keep_hierarchies),
      RUN(recordings_keep_hierarchies))
