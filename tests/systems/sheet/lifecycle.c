/* Sheets as objects: what they are made of, what is refused, what goes with nodes, and that
   snapshots and recordings keep them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/meshed_body.h"
#include "snapshot.h"

#ifdef SN_DOUBLE
#define FILE_NAME "air_sheets_f64.reco"
#else
#define FILE_NAME "air_sheets.reco"
#endif

enum { SIDE = 5, NODES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

static body make_cloth(void) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    sn_mesh mesh = grid_mesh(1, 1, SIDE - 1, SIDE - 1, SN_GRID_SAME);
    return body_make(still_world(4, 0), SN_KIND_CLOTH, &cloth, mesh, &def);
}

/* Whether two worlds have the same sheet: lists and numbers. */
static bool same_sheet(const sn_world *a, const sn_world *b, sn_sheet in_a, sn_sheet in_b) {
    sn_node nodes[2][NODES];
    uint32_t triangles[2][3 * TRIANGLES];
    size_t count[2][2];
    sn_sheet_def def[2];
    REQUIRE_OK(sn_sheet_get(a, in_a, &def[0]));
    REQUIRE_OK(sn_sheet_get(b, in_b, &def[1]));
    REQUIRE_OK(sn_sheet_get_nodes(a, in_a, nodes[0], NODES, &count[0][0]));
    REQUIRE_OK(sn_sheet_get_nodes(b, in_b, nodes[1], NODES, &count[1][0]));
    REQUIRE_OK(sn_sheet_get_triangles(a, in_a, triangles[0], TRIANGLES, &count[0][1]));
    REQUIRE_OK(sn_sheet_get_triangles(b, in_b, triangles[1], TRIANGLES, &count[1][1]));
    if (memcmp(&def[0], &def[1], sizeof def[0]) != 0 ||
        memcmp(count[0], count[1], sizeof count[0]) != 0)
        return false;
    for (size_t i = 0; i < count[0][0]; i++)
        if (nodes[0][i].slot != nodes[1][i].slot) return false;
    return memcmp(triangles[0], triangles[1], 3 * count[0][1] * sizeof(uint32_t)) == 0;
}

TEST(cloth_has_a_sheet) {
    body b = make_cloth();
    sn_node nodes[NODES] = {{0, 0, 0}};
    uint32_t triangles[3 * TRIANGLES] = {0};
    size_t count = 0;
    sn_sheet at;
    CHECK(sn_sheet_is_valid(b.world, b.build.sheet));
    CHECK_OK(sn_world_sheet_at(b.world, 0, &at));
    CHECK(at.slot == b.build.sheet.slot && at.generation == b.build.sheet.generation);
    CHECK_FAILS(sn_world_sheet_at(b.world, 1, &at), SN_ERROR_ID);
    CHECK_OK(sn_sheet_get_nodes(b.world, at, NULL, 0, &count));
    CHECK(count == NODES);
    CHECK_OK(sn_sheet_get_nodes(b.world, at, nodes, NODES, &count));
    CHECK(memcmp(nodes, b.nodes, sizeof nodes) == 0);
    CHECK_OK(sn_sheet_get_triangles(b.world, at, triangles, 2, &count));
    CHECK(count == TRIANGLES && triangles[6] == 0 && triangles[7] == 0);
    CHECK_OK(sn_sheet_get_triangles(b.world, at, triangles, TRIANGLES, &count));
    CHECK(memcmp(triangles, b.mesh.triangles, sizeof triangles) == 0);
    sn_sheet_def def;
    CHECK_OK(sn_sheet_get(b.world, at, &def));
    CHECK(def.node_count == NODES && def.triangle_count == TRIANGLES && !def.nodes &&
          !def.triangles);
    /* The nodes stay where the sheet goes. */
    CHECK_OK(sn_sheet_destroy(b.world, at));
    CHECK(!sn_sheet_is_valid(b.world, at) && sn_node_is_valid(b.world, b.nodes[0]));
    CHECK_FAILS(sn_sheet_get(b.world, at, &def), SN_ERROR_STALE);
    body_free(&b);
}

TEST(other_kinds_have_none) {
    sn_rope_material rope = sn_rope_material_default();
    sn_build_def def = sn_build_def_default();
    body b = body_make(still_world(4, 0), SN_KIND_ROPE, &rope, mesh_for(SN_KIND_ROPE), &def);
    CHECK(b.build.sheet.slot == 0);
    body_free(&b);
}

/* A triangle goes with the first of its nodes; the others keep their order. */
TEST(nodes_take_their_triangles) {
    body b = make_cloth();
    sn_node nodes[NODES];
    uint32_t triangles[3 * TRIANGLES];
    size_t nodes_left, left, expected = 0, same = 0;
    const uint32_t gone = SIDE + 1;
    CHECK_OK(sn_node_destroy(b.world, b.nodes[gone]));
    CHECK_OK(sn_sheet_get_nodes(b.world, b.build.sheet, nodes, NODES, &nodes_left));
    CHECK_OK(sn_sheet_get_triangles(b.world, b.build.sheet, triangles, TRIANGLES, &left));
    CHECK(nodes_left == NODES - 1);
    for (size_t i = 0; i < TRIANGLES; i++) {
        const uint32_t *t = b.mesh.triangles[i];
        if (t[0] == gone || t[1] == gone || t[2] == gone) continue;
        for (int c = 0; c < 3 && expected < left; c++)
            same += nodes[triangles[3 * expected + (size_t)c]].slot == b.nodes[t[c]].slot;
        expected++;
    }
    CHECK(left == expected && same == 3 * expected && left == TRIANGLES - 6);
    CHECK_OK(sn_world_step(b.world, (sn_real)0.01));
    CHECK_OK(sn_body_destroy(b.world, b.build.body));
    CHECK(!sn_sheet_is_valid(b.world, b.build.sheet));
    body_free(&b);
}

TEST(bad_sheets_are_refused) {
    body b = make_cloth();
    sn_sheet sheet = {7, 7, 7};
    sn_sheet_def def = sn_sheet_def_default();
    uint32_t triangle[] = {0, 1, 2};
    sn_node nodes[3] = {b.nodes[0], b.nodes[1], b.nodes[2]};
    def.nodes = nodes;
    def.node_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    CHECK_FAILS(sn_sheet_create(b.world, &def, &sheet), SN_ERROR_VALUE); /* in the cloth's */
    REQUIRE_OK(sn_sheet_destroy(b.world, b.build.sheet));
    triangle[2] = 3;
    CHECK_FAILS(sn_sheet_create(b.world, &def, &sheet), SN_ERROR_VALUE);
    triangle[2] = 1;
    CHECK_FAILS(sn_sheet_create(b.world, &def, &sheet), SN_ERROR_DEGENERATE);
    triangle[2] = 2;
    nodes[2] = nodes[0];
    CHECK_FAILS(sn_sheet_create(b.world, &def, &sheet), SN_ERROR_VALUE);
    nodes[2] = b.nodes[2];
    static const double bad[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 6; i++) {
        sn_sheet_def wrong = def;
        *(i < 3 ? &wrong.drag : &wrong.lift) = (sn_real)bad[i % 3];
        CHECK_FAILS(sn_sheet_create(b.world, &wrong, &sheet), SN_ERROR_VALUE);
    }
    def.triangle_count = 0;
    CHECK_FAILS(sn_sheet_create(b.world, &def, &sheet), SN_ERROR_VALUE);
    def.triangle_count = 1;
    def.node_count = 2;
    CHECK_FAILS(sn_sheet_create(b.world, &def, &sheet), SN_ERROR_VALUE);
    def.node_count = 3;
    def.nodes = NULL;
    CHECK_FAILS(sn_sheet_create(b.world, &def, &sheet), SN_ERROR_NULL);
    CHECK(sheet.slot == 7);
    def.nodes = nodes;
    CHECK_OK(sn_sheet_create(b.world, &def, &sheet));
    def.drag = 2;
    def.nodes = NULL;
    CHECK_OK(sn_sheet_set(b.world, sheet, &def));
    CHECK_OK(sn_sheet_get(b.world, sheet, &def));
    CHECK(def.drag == 2 && def.node_count == 3);
    body_free(&b);
}

TEST(snapshots_keep_sheets) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def build = sn_build_def_default();
    body b = body_make(still_world(4, 0), SN_KIND_CLOTH, &cloth, sphere_mesh(1, 0), &build);
    sn_sheet_def def;
    REQUIRE_OK(sn_sheet_get(b.world, b.build.sheet, &def));
    def.lift = (sn_real)0.25;
    def.buoyant = true;
    REQUIRE_OK(sn_sheet_set(b.world, b.build.sheet, &def));
    REQUIRE_OK(sn_node_destroy(b.world, b.nodes[7]));
    size_t size;
    void *bytes = snapshot_of(b.world, &size);
    sn_world *loaded = still_world(4, 0);
    sn_sheet sheet;
    CHECK_OK(sn_snapshot_load(loaded, bytes, size));
    CHECK_OK(sn_world_sheet_at(loaded, 0, &sheet));
    CHECK(same_sheet(b.world, loaded, b.build.sheet, sheet));
    CHECK(is_saved_as(loaded, bytes, size));
    free(bytes);
    sn_world_destroy(loaded);
    body_free(&b);
}

TEST(recordings_keep_sheets) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_mesh mesh = grid_mesh(1, 1, SIDE - 1, SIDE - 1, SN_GRID_SAME);
    sn_build_def def = sn_build_def_default();
    sn_world *world = still_world(4, 0), *repeated = still_world(4, 0);
    sn_build first, second;
    sn_sheet_def numbers;
    sn_sheet sheet;
    def.mesh = &mesh;
    REQUIRE_OK(sn_recording_start(world, FILE_NAME));
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, NULL, &first));
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, NULL, &second));
    REQUIRE_OK(sn_sheet_get(world, second.sheet, &numbers));
    numbers.drag = (sn_real)0.75;
    REQUIRE_OK(sn_sheet_set(world, second.sheet, &numbers));
    REQUIRE_OK(sn_sheet_destroy(world, first.sheet));
    REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
    REQUIRE_OK(sn_recording_stop(world));
    sn_replay_report report;
    CHECK_OK(sn_replay_file(repeated, FILE_NAME, &report));
    CHECK(report.steps == 1 && !report.differs);
    CHECK_FAILS(sn_world_sheet_at(repeated, 0, &sheet), SN_ERROR_ID);
    CHECK_OK(sn_world_sheet_at(repeated, 1, &sheet));
    CHECK(same_sheet(world, repeated, second.sheet, sheet));
    CHECK(remove(FILE_NAME) == 0);
    sn_world_destroy(world);
    sn_world_destroy(repeated);
    sn_mesh_free(&mesh);
}

TESTS(RUN(cloth_has_a_sheet), RUN(other_kinds_have_none), RUN(nodes_take_their_triangles),
      RUN(bad_sheets_are_refused), RUN(snapshots_keep_sheets), RUN(recordings_keep_sheets))
