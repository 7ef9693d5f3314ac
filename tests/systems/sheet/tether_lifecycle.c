/* The tethers of a sheet over its life: pins come and go, nodes go, worlds are saved and
   repeated. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bodies/meshed_body.h"
#include "snapshot.h"

#ifdef SN_DOUBLE
#define FILE_NAME "hold_tether_life_f64.reco"
#else
#define FILE_NAME "hold_tether_life.reco"
#endif

enum { CELLS = 10, SIDE = CELLS + 1, NODES = SIDE * SIDE };

static sn_world *falling_world(void) {
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = 8;
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* A square of 1 m that hangs by the corners 0 and CELLS. */
static body hang(int tethers) {
    const uint32_t pins[] = {0, CELLS};
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.tethers = (sn_real)tethers;
    sn_build_def def = sn_build_def_default();
    def.pins = pins;
    def.pin_count = 2;
    return body_make(falling_world(), SN_KIND_CLOTH, &cloth,
                     grid_mesh(1, 1, CELLS, CELLS, SN_GRID_ALTERNATING), &def);
}

static double distance_of(const body *b, size_t i, size_t j) {
    double x[3], y[3];
    body_position(b, i, x);
    body_position(b, j, y);
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                (x[2] - y[2]) * (x[2] - y[2]));
}

/* Without a leash to the corner that was let go: the cloth swings to below the other one. */
TEST(a_released_corner_swings_free) {
    body b = hang(2);
    body_run(&b, 30, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == 2 * (NODES - 2));
    double old[3];
    body_position(&b, CELLS, old);
    CHECK_OK(sn_node_set_inverse_mass(b.world, b.nodes[CELLS], 800));
    body_run(&b, 1, 1.0 / 60);
    /* One pin left: one tether each, for the corner as well. */
    CHECK(count_type(b.world, SN_TYPE_TETHER) == NODES - 1);
    double farthest = 0, beyond = 0;
    for (int frame = 0; frame < 120; frame++) {
        body_run(&b, 1, 1.0 / 60);
        double now[3];
        body_position(&b, NODES - 1, now);
        /* The corner across from the one that was let go was 1 m below it. */
        farthest = fmax(farthest, hypot(hypot(now[0] - old[0], now[1] - old[1]), now[2] - old[2]));
        beyond = fmax(beyond, distance_of(&b, 0, CELLS));
    }
    CHECK(farthest > 1.2);
    CHECK(beyond < 1 + 1e-6);
    body_free(&b);
}

TEST(new_pins_hold) {
    body b = hang(1);
    body_run(&b, 1, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == NODES - 2);
    for (uint32_t i = 1; i < CELLS; i++) CHECK_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 0));
    /* At once, where that is asked for. */
    CHECK_OK(sn_sheet_tether(b.world, b.build.sheet));
    CHECK(count_type(b.world, SN_TYPE_TETHER) == NODES - SIDE);
    body_run(&b, 60, 1.0 / 60);
    for (size_t i = SIDE; i < NODES; i++)
        CHECK(distance_of(&b, i, i % SIDE) < (double)(i / SIDE) / CELLS * (1 + 2e-6));
    body_free(&b);
}

/* What is no longer connected with a pin is not held, and a removed pin holds nothing. */
TEST(removed_nodes_take_their_tethers) {
    body b = hang(1);
    body_run(&b, 1, 1.0 / 60);
    CHECK_OK(sn_node_destroy(b.world, b.nodes[CELLS]));
    body_run(&b, 1, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == NODES - 2);
    /* A row in the middle goes: below it nothing is held any more. */
    CHECK_OK(sn_nodes_destroy(b.world, b.nodes + 5 * SIDE, SIDE));
    body_run(&b, 1, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == 5 * SIDE - 2);
    body_run(&b, 60, 1.0 / 60);
    double fallen[3];
    body_position(&b, NODES - 1, fallen);
    CHECK(fallen[1] < -3);
    body_free(&b);
}

/* A tether to a corner of a sheet, from a node beside it. */
static sn_constraint tie_to_corner(const body *b) {
    sn_node_def def = sn_node_def_default();
    sn_tether_def tether = sn_tether_def_default();
    sn_constraint made;
    REQUIRE_OK(sn_node_create(b->world, &def, &tether.node[0]));
    tether.node[1] = b->nodes[0];
    REQUIRE_OK(sn_constraint_create(b->world, SN_TYPE_TETHER, &tether, &made));
    return made;
}

/* Also those of a sheet that has none of its own. */
TEST(anchors_of_a_plain_sheet_are_kept) {
    body b = hang(0);
    sn_constraint made = tie_to_corner(&b);
    CHECK_FAILS(sn_node_set_inverse_mass(b.world, b.nodes[0], 1), SN_ERROR_VALUE);
    CHECK_OK(sn_constraint_destroy(b.world, made));
    CHECK_OK(sn_node_set_inverse_mass(b.world, b.nodes[0], 1));
    body_free(&b);
}

/* Anchors of other constraints stay what they were: the refusal changes nothing. */
TEST(other_anchors_are_kept) {
    body b = hang(1);
    sn_constraint made = tie_to_corner(&b);
    body_run(&b, 1, 1.0 / 60);
    size_t count = count_type(b.world, SN_TYPE_TETHER);
    CHECK(count == NODES - 1);
    CHECK_FAILS(sn_node_set_inverse_mass(b.world, b.nodes[0], 1), SN_ERROR_VALUE);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == count);
    CHECK_OK(sn_constraint_destroy(b.world, made));
    CHECK_OK(sn_node_set_inverse_mass(b.world, b.nodes[0], 1));
    body_run(&b, 1, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == NODES - 1);
    /* One of the sheet's own may be removed by hand; the others go with the sheet. */
    sn_constraint own;
    size_t slot = 0;
    sn_type type = SN_TYPE_COUNT;
    for (; type != SN_TYPE_TETHER; slot++)
        if (sn_world_constraint_at(b.world, slot, &own) == SN_OK)
            REQUIRE_OK(sn_constraint_get_type(b.world, own, &type));
    CHECK_OK(sn_constraint_destroy(b.world, own));
    CHECK_OK(sn_sheet_destroy(b.world, b.build.sheet));
    CHECK(count_type(b.world, SN_TYPE_TETHER) == 0);
    body_free(&b);
}

TEST(numbers_are_changed_and_checked) {
    body b = hang(0);
    sn_sheet_def def;
    body_run(&b, 1, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == 0);
    REQUIRE_OK(sn_sheet_get(b.world, b.build.sheet, &def));
    def.tethers = SN_SHEET_TETHERS_AUTO + 1;
    CHECK_FAILS(sn_sheet_set(b.world, b.build.sheet, &def), SN_ERROR_VALUE);
    def.tethers = -1;
    CHECK_FAILS(sn_sheet_set(b.world, b.build.sheet, &def), SN_ERROR_VALUE);
    def.tethers = 2;
    def.tether_slack = -1;
    CHECK_FAILS(sn_sheet_set(b.world, b.build.sheet, &def), SN_ERROR_VALUE);
    def.tether_slack = (sn_real)NAN;
    CHECK_FAILS(sn_sheet_set(b.world, b.build.sheet, &def), SN_ERROR_VALUE);
    def.tether_slack = 1;
    def.tether_path = (sn_sheet_path)2;
    CHECK_FAILS(sn_sheet_set(b.world, b.build.sheet, &def), SN_ERROR_VALUE);
    def.tether_path = SN_SHEET_PATH_STRAIGHT;
    CHECK_OK(sn_sheet_set(b.world, b.build.sheet, &def));
    body_run(&b, 1, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == 2 * (NODES - 2));
    def.tethers = 0;
    CHECK_OK(sn_sheet_set(b.world, b.build.sheet, &def));
    body_run(&b, 1, 1.0 / 60);
    CHECK(count_type(b.world, SN_TYPE_TETHER) == 0);
    CHECK_FAILS(sn_sheet_tether(b.world, (sn_sheet){0, 0, 0}), SN_ERROR_ID);
    CHECK_FAILS(sn_sheet_tether(NULL, b.build.sheet), SN_ERROR_NULL);
    body_free(&b);
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_mesh mesh = grid_mesh(1, 1, 2, 2, SN_GRID_SAME);
    sn_build_def build = sn_build_def_default();
    sn_build made;
    sn_world *world = falling_world();
    build.mesh = &mesh;
    cloth.tethers = (sn_real)1.5;
    CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &cloth, &build, NULL, &made), SN_ERROR_VALUE);
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
}

/* A straight line is shorter than the way along a rolled sheet. */
TEST(straight_paths_are_shorter) {
    for (int path = 0; path < 2; path++) {
        sn_cloth_material cloth = sn_cloth_material_default();
        cloth.tethers = 1;
        cloth.tether_path = path;
        sn_mesh mesh = grid_mesh(1, 1, CELLS, CELLS, SN_GRID_ALTERNATING);
        for (size_t i = 0; i < NODES; i++) {
            double angle = acos(-1.0) * ((double)mesh.positions[i].x + 0.5);
            mesh.positions[i].x = (sn_real)(-cos(angle) / acos(-1.0));
            mesh.positions[i].y = (sn_real)(sin(angle) / acos(-1.0));
        }
        sn_build_def def = sn_build_def_default();
        uint32_t pin = 0;
        def.pins = &pin;
        def.pin_count = 1;
        body b = body_make(falling_world(), SN_KIND_CLOTH, &cloth, mesh, &def);
        CHECK_OK(sn_sheet_tether(b.world, b.build.sheet));
        double longest = 0;
        for (size_t slot = 0; slot < sn_world_constraint_count(b.world, SN_TYPE_COUNT); slot++) {
            sn_constraint c;
            sn_type type;
            REQUIRE_OK(sn_world_constraint_at(b.world, slot, &c));
            REQUIRE_OK(sn_constraint_get_type(b.world, c, &type));
            if (type != SN_TYPE_TETHER) continue;
            sn_tether_def tether = sn_tether_def_default();
            REQUIRE_OK(sn_constraint_get(b.world, c, &tether));
            longest = fmax(longest, (double)tether.length);
        }
        double across = path ? 2 / acos(-1.0) : 1;
        CHECK_REL(longest, sqrt(1 + across * across), 0.01);
        body_free(&b);
    }
}

/* In the middle of its life, with tethers that are due: the bytes and the bits are the same. */
TEST(snapshots_keep_tethers) {
    for (int due = 0; due < 2; due++) {
        body b = hang(2);
        body_run(&b, 10, 1.0 / 60);
        if (due) CHECK_OK(sn_node_set_inverse_mass(b.world, b.nodes[0], 500));
        size_t size;
        void *bytes = snapshot_of(b.world, &size);
        sn_world *loaded = falling_world();
        CHECK_OK(sn_snapshot_load(loaded, bytes, size));
        CHECK(is_saved_as(loaded, bytes, size));
        body_run(&b, 10, 1.0 / 60);
        for (int i = 0; i < 10; i++) REQUIRE_OK(sn_world_step(loaded, (sn_real)(1.0 / 60)));
        CHECK(sn_world_hash(loaded) == sn_world_hash(b.world));
        CHECK(count_type(loaded, SN_TYPE_TETHER) == (due ? NODES - 1 : 2 * (NODES - 2)));
        sn_node pin;
        REQUIRE_OK(sn_world_node_at(loaded, CELLS, &pin));
        /* Those that were loaded are still the sheet's. */
        CHECK_OK(sn_node_set_inverse_mass(loaded, pin, 500));
        CHECK(count_type(loaded, SN_TYPE_TETHER) == 0);
        free(bytes);
        sn_world_destroy(loaded);
        body_free(&b);
    }
}

TEST(recordings_repeat_tethers) {
    const uint32_t pins[] = {0, CELLS};
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_mesh mesh = grid_mesh(1, 1, CELLS, CELLS, SN_GRID_ALTERNATING);
    sn_build_def def = sn_build_def_default();
    sn_world *world = falling_world(), *repeated = falling_world();
    sn_build build;
    sn_node nodes[NODES];
    cloth.tethers = 2;
    def.mesh = &mesh;
    def.pins = pins;
    def.pin_count = 2;
    REQUIRE_OK(sn_recording_start(world, FILE_NAME));
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, nodes, &build));
    for (int i = 0; i < 20; i++) {
        if (i == 10) REQUIRE_OK(sn_node_set_inverse_mass(world, nodes[0], 500));
        if (i == 15) REQUIRE_OK(sn_sheet_tether(world, build.sheet));
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    }
    REQUIRE_OK(sn_recording_stop(world));
    sn_replay_report report;
    CHECK_OK(sn_replay_file(repeated, FILE_NAME, &report));
    CHECK(report.steps == 20 && !report.differs);
    CHECK(count_type(repeated, SN_TYPE_TETHER) == NODES - 1);
    CHECK(sn_world_hash(repeated) == sn_world_hash(world));
    CHECK(remove(FILE_NAME) == 0);
    sn_world_destroy(world);
    sn_world_destroy(repeated);
    sn_mesh_free(&mesh);
}

TESTS(RUN(a_released_corner_swings_free), RUN(new_pins_hold), RUN(removed_nodes_take_their_tethers),
      RUN(anchors_of_a_plain_sheet_are_kept), RUN(other_anchors_are_kept),
      RUN(numbers_are_changed_and_checked), RUN(straight_paths_are_shorter),
      RUN(snapshots_keep_tethers), RUN(recordings_repeat_tethers))
