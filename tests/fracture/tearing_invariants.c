/* Tearing keeps what the library promises: the same bits, snapshots, recordings, bounds, and whole
   worlds where there is no memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "snapshot.h"
#include "torn.h"

#ifdef SN_DOUBLE
#define FILE_NAME "tear_keep_f64.reco"
#else
#define FILE_NAME "tear_keep.reco"
#endif

static const double dt = 1.0 / 60;

/* ---- A cloth that is pulled apart by two of its sides ---- */

typedef struct pulled {
    body b;
    size_t tears;
} pulled;

static sn_world *world_with(int threads, int lanes, const sn_allocator *allocator) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.simd_width = lanes;
    def.settings.substeps = 10;
    if (allocator) def.allocator = *allocator;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static pulled make(sn_world *world, uint32_t side, sn_collide collide, double force) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    pulled p = {.tears = 0};
    cloth.thickness = (sn_real)(0.3 / side);
    cloth.stretch_stiffness = 50;
    cloth.bending_stiffness = (sn_real)1e-5;
    cloth.tear_strain = (sn_real)0.3;
    if (force > 0) cloth.tear_force = (sn_real)force;
    def.collide = collide;
    p.b = body_make(world, SN_KIND_CLOTH, &cloth, grid_mesh(1, 1, side, side, SN_GRID_ALTERNATING),
                    &def);
    for (size_t i = 0; i < p.b.mesh.vertex_count; i++) {
        double x = (double)p.b.mesh.positions[i].x;
        if (fabs(x) < 0.499) continue;
        REQUIRE_OK(sn_node_set_inverse_mass(world, p.b.nodes[i], 0));
        REQUIRE_OK(sn_node_set_velocity(world, p.b.nodes[i],
                                        (sn_vec3){x > 0 ? (sn_real)0.4 : (sn_real)-0.4, 0, 0}));
    }
    return p;
}

/* Makes the edges weak that go along z in the column of vertices that is nearest to x, as far as
   z = 0. */
static void weaken(pulled *p, double x) {
    const sn_mesh *mesh = &p->b.mesh;
    double nearest = 1;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        nearest = fmin(nearest, fabs((double)mesh->positions[i].x - x));
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = mesh->triangles[t][k], b = mesh->triangles[t][(k + 1) % 3];
            const sn_node ends[2] = {p->b.nodes[a], p->b.nodes[b]};
            if (fmax((double)mesh->positions[a].z, (double)mesh->positions[b].z) > 0) continue;
            if (fabs((double)mesh->positions[a].x - x) > nearest + 1e-5 ||
                fabs((double)mesh->positions[b].x - x) > nearest + 1e-5)
                continue;
            REQUIRE_OK(
                sn_sheet_set_edge_strength(p->b.world, p->b.build.sheet, ends, 1, (sn_real)0.3));
        }
}

static void run(pulled *p, int steps) {
    for (int i = 0; i < steps; i++) {
        const sn_tear_event *event;
        size_t count;
        REQUIRE_OK(sn_world_step(p->b.world, (sn_real)dt));
        REQUIRE_OK(sn_world_tears(p->b.world, &event, &count));
        p->tears += count;
    }
}

static double fastest(const sn_world *world) {
    sn_node_view view;
    double most = 0;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; i < view.count; i++) {
        sn_vec4 v = view.velocity[i];
        double speed =
            sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
        if (!(speed <= most)) most = speed;
    }
    return most;
}

/* 300 frames, touching itself: it stays a surface, and nothing flies. */
TEST(ripping_is_calm) {
    pulled p = make(world_with(1, 0, NULL), 14, SN_COLLIDE_ALL, 0);
    double most = 0;
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(p.b.world, &before));
    for (int i = 0; i < 300; i++) {
        run(&p, 1);
        most = fmax(most, fastest(p.b.world));
        if (i % 10 == 0) check_torn(&p.b, true);
        if (!CHECK(isfinite(most))) break;
    }
    check_torn(&p.b, true);
    CHECK(p.tears > 10);
    CHECK(count_pieces(&p.b) >= 2);
    /* It falls freely for five seconds at most. */
    CHECK(most < 60);
    const sn_freeze_event *frozen;
    size_t freezes;
    REQUIRE_OK(sn_world_freezes(p.b.world, &frozen, &freezes));
    CHECK(freezes == 0);
    REQUIRE_OK(sn_world_measure(p.b.world, &after));
    CHECK_REL(after.mass, before.mass, 1e-5);
    body_free(&p.b);
}

TEST(threads_and_lanes_do_not_matter) {
    static const int variant[][2] = {{1, 1}, {2, 4}, {3, 8}, {8, 16}, {4, 0}};
    uint64_t hash = 0;
    size_t tears = 0;
    for (size_t i = 0; i < sizeof variant / sizeof variant[0]; i++) {
        check_case("%d threads, %d lanes", variant[i][0], variant[i][1]);
        pulled p = make(world_with(variant[i][0], variant[i][1], NULL), 16, SN_COLLIDE_ALL, 8);
        weaken(&p, 0.21);
        run(&p, 50);
        CHECK(p.tears > 10);
        if (i > 0) CHECK(sn_world_hash(p.b.world) == hash && p.tears == tears);
        hash = sn_world_hash(p.b.world);
        tears = p.tears;
        body_free(&p.b);
    }
}

/* A world that is saved while it tears goes on with the same bits, copies and strengths and all. */
TEST(snapshots_go_on) {
    pulled p = make(world_with(1, 0, NULL), 16, SN_COLLIDE_ALL, 8);
    size_t nodes = 0, size = 0;
    sn_real strength[1024];
    REQUIRE_OK(sn_sheet_get_strength(p.b.world, p.b.build.sheet, strength, 1024, &nodes));
    for (size_t i = 0; i < nodes; i++) strength[i] = (sn_real)(1 - 0.01 * (double)(i % 7));
    REQUIRE_OK(sn_sheet_set_strength(p.b.world, p.b.build.sheet, strength, nodes));
    weaken(&p, 0.21);
    while (p.tears < 5) run(&p, 1);
    void *data = snapshot_of(p.b.world, &size);
    pulled q = {.b = p.b};
    q.b.world = world_with(2, 4, NULL);
    REQUIRE_OK(sn_snapshot_load(q.b.world, data, size));
    REQUIRE_OK(sn_world_sheet_at(q.b.world, 0, &q.b.build.sheet));
    CHECK(sn_world_hash(p.b.world) == sn_world_hash(q.b.world));
    p.tears = 0;
    run(&p, 40);
    run(&q, 40);
    CHECK(p.tears > 5 && p.tears == q.tears);
    CHECK(sn_world_hash(p.b.world) == sn_world_hash(q.b.world));
    check_torn(&q.b, true);
    free(data);
    sn_world_destroy(q.b.world);
    body_free(&p.b);
}

TEST(recordings_replay) {
    sn_world *world = world_with(1, 0, NULL);
    REQUIRE_OK(sn_recording_start(world, FILE_NAME));
    pulled p = make(world, 12, SN_COLLIDE_OTHERS, 0);
    sn_node copy;
    size_t nodes = 0;
    sn_real strength[1024];
    REQUIRE_OK(sn_sheet_split(world, p.b.build.sheet, p.b.nodes[84], (sn_vec3){1, 0, 0}, &copy));
    CHECK(copy.slot != 0);
    REQUIRE_OK(sn_sheet_get_strength(world, p.b.build.sheet, strength, 1024, &nodes));
    for (size_t i = 0; i < nodes; i++) strength[i] = (sn_real)(0.9 + 0.01 * (double)(i % 7));
    REQUIRE_OK(sn_sheet_set_strength(world, p.b.build.sheet, strength, nodes));
    weaken(&p, 0.21);
    run(&p, 50);
    CHECK(p.tears > 5);
    REQUIRE_OK(sn_recording_stop(world));
    sn_world *again = world_with(2, 4, NULL);
    sn_replay_report report = {0};
    CHECK_OK(sn_replay_file(again, FILE_NAME, &report));
    CHECK(sn_world_hash(again) == sn_world_hash(world));
    sn_world_destroy(again);
    body_free(&p.b);
    remove(FILE_NAME);
}

/* ---- Without memory ---- */

static meter m;

/* A split is made or refused; the sheet fits together either way. */
TEST(without_memory_a_cut_is_whole_or_none) {
    bool done = false;
    for (size_t after = 0; after < 200 && !done; after++) {
        meter_init(&m);
        sn_allocator allocator = meter_allocator(&m);
        pulled p = make(world_with(1, 0, &allocator), 6, SN_COLLIDE_ALL, 0);
        sn_node copy = {0, 0, 0};
        uint64_t before = sn_world_hash(p.b.world);
        size_t nodes = 0, now = 0;
        REQUIRE_OK(sn_sheet_get_nodes(p.b.world, p.b.build.sheet, NULL, 0, &nodes));
        m.fail_after = after;
        sn_result result =
            sn_sheet_split(p.b.world, p.b.build.sheet, p.b.nodes[24], (sn_vec3){1, 0, 0}, &copy);
        m.fail_after = METER_NEVER;
        REQUIRE_OK(sn_sheet_get_nodes(p.b.world, p.b.build.sheet, NULL, 0, &now));
        done = result == SN_OK;
        CHECK(result == SN_OK || result == SN_ERROR_MEMORY);
        CHECK(now == nodes + done);
        CHECK(done || sn_world_hash(p.b.world) == before);
        check_torn(&p.b, true);
        REQUIRE_OK(sn_world_step(p.b.world, (sn_real)dt));
        body_free(&p.b);
        CHECK(m.blocks == 0 && m.mistakes == 0);
    }
    CHECK(done);
}

/* A step that tears survives the want of memory anywhere, and the next one goes on. */
TEST(without_memory_steps_go_on) {
    for (size_t after = 0; after < 120; after += 1) {
        meter_init(&m);
        sn_allocator allocator = meter_allocator(&m);
        pulled p = make(world_with(1, 0, &allocator), 6, SN_COLLIDE_OTHERS, 8);
        if (after % 2) weaken(&p, 0.1);
        for (int i = 0; i < 300 && p.tears == 0; i++) {
            m.fail_after = after;
            sn_result result = sn_world_step(p.b.world, (sn_real)dt);
            m.fail_after = METER_NEVER;
            if (!CHECK(result == SN_OK || result == SN_ERROR_MEMORY)) break;
            check_torn(&p.b, true);
            if (result != SN_OK) run(&p, 1);
            const sn_tear_event *event;
            size_t count;
            REQUIRE_OK(sn_world_tears(p.b.world, &event, &count));
            p.tears += count;
            if (i > 60) run(&p, 1);
        }
        CHECK(p.tears > 0);
        check_torn(&p.b, true);
        body_free(&p.b);
        CHECK(m.blocks == 0 && m.mistakes == 0);
    }
}

/* Nothing is allocated in a step in which nothing tears. */
TEST(a_step_without_tears_allocates_nothing) {
    meter_init(&m);
    sn_allocator allocator = meter_allocator(&m);
    pulled p = make(world_with(1, 0, &allocator), 10, SN_COLLIDE_NONE, 1e6);
    sn_sheet_def def;
    REQUIRE_OK(sn_sheet_get(p.b.world, p.b.build.sheet, &def));
    def.tear_strain = 1000;
    REQUIRE_OK(sn_sheet_set(p.b.world, p.b.build.sheet, &def));
    weaken(&p, 0.1);
    run(&p, 3);
    size_t calls = m.calls;
    run(&p, 10);
    CHECK(m.calls == calls && p.tears == 0);
    body_free(&p.b);
}

TESTS(RUN(ripping_is_calm), RUN(threads_and_lanes_do_not_matter), RUN(snapshots_go_on),
      RUN(recordings_replay), RUN(without_memory_a_cut_is_whole_or_none),
      RUN(without_memory_steps_go_on), RUN(a_step_without_tears_allocates_nothing))
