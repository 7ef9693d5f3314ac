/* Solids that break, and cuts that outlive what a world goes through. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "parted.h"
#include "snapshot.h"

#ifdef SN_DOUBLE
#define FILE_NAME "fracture_f64.reco"
#else
#define FILE_NAME "fracture.reco"
#endif

static const double dt = 1.0 / 60;

static sn_world *world_with(int threads, int lanes, const sn_allocator *allocator) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.simd_width = lanes;
    def.settings.substeps = 10;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.damping = 2;
    if (allocator) def.allocator = *allocator;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* A bar along x that is held at one end and pulled at the other. */
static body make_bar(sn_world *world, uint32_t cells, double limit, sn_collide collide) {
    sn_build_def def = sn_build_def_default();
    sn_solid_material solid = sn_solid_material_default();
    solid.young = 100000;
    solid.poisson = (sn_real)0.3;
    solid.fracture_stress = (sn_real)limit;
    def.collide = collide;
    body b = body_make(world, SN_KIND_SOLID, &solid,
                       block_mesh(0.6, 0.2, 0.2, cells, SN_BLOCK_FIVE), &def);
    for (size_t i = 0; i < b.mesh.vertex_count; i++)
        if (fabs((double)b.mesh.positions[i].x) > 0.299)
            REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 0));
    return b;
}

static void pull(const body *b, double strain) {
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        sn_vec3 x = b->mesh.positions[i];
        if (fabs((double)x.x) < 0.299 || !sn_node_is_valid(b->world, b->nodes[i])) continue;
        x.x *= (sn_real)(1 + strain);
        REQUIRE_OK(sn_node_set_target(b->world, b->nodes[i], x));
    }
}

static size_t count_tears(const body *b, sn_tear_event *first) {
    const sn_tear_event *event;
    size_t count;
    REQUIRE_OK(sn_world_tears(b->world, &event, &count));
    if (count > 0 && first) *first = *event;
    for (size_t i = 0; i < count; i++) {
        double x = (double)event[i].normal.x, y = (double)event[i].normal.y;
        double z = (double)event[i].normal.z;
        CHECK_NEAR(x * x + y * y + z * z, event[i].cause == SN_TEAR_LOOSE ? 0 : 1, 1e-5);
    }
    return count;
}

/* ---- Fracture ---- */

/* Nothing happens below the limit; above it the bar breaks across the load, and the stress that is
   told is that of the material. */
TEST(a_bar_breaks_at_its_limit) {
    const double limit = 10000;
    body b = make_bar(world_with(1, 0, NULL), 4, limit, SN_COLLIDE_NONE);
    double mass = total_mass(&b), strain = 0;
    size_t tears = 0;
    sn_tear_event event = {.amount = 0};
    for (int i = 0; i < 400 && tears == 0; i++) {
        strain += 0.0005;
        pull(&b, strain);
        REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
        tears = count_tears(&b, &event);
    }
    CHECK(tears > 0);
    CHECK(event.cause == SN_TEAR_STRESS && event.tet_mesh.slot == b.build.tet_mesh.slot);
    CHECK(event.sheet.slot == 0 && (double)event.amount > limit);
    CHECK(fabs((double)event.normal.x) > 0.8);
    /* Held ends cannot get thinner, so that the tension near them is larger than E times strain. */
    double nominal = 100000 * strain;
    CHECK(nominal > 0.6 * limit && nominal < 1.1 * limit);
    check_parted(&b);
    for (int i = 0; i < 60 && count_parts(&b) < 2; i++) {
        REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
        (void)count_tears(&b, NULL);
    }
    CHECK(count_parts(&b) >= 2);
    check_parted(&b);
    CHECK_REL(total_mass(&b), mass, 1e-5);
    /* What is broken bears nothing: it stays as it is. */
    size_t more = 0;
    for (int i = 0; i < 60; i++) {
        REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
        if (i > 30) more += count_tears(&b, NULL);
    }
    CHECK(more == 0);
    body_free(&b);
}

/* However far it is stretched by then: what counts is the load over the area at rest. Without
   Poisson's ratio that is E times strain. */
TEST(a_stretched_bar_breaks_at_its_load) {
    const double limit = 50000, young = 100000;
    sn_build_def def = sn_build_def_default();
    sn_solid_material solid = sn_solid_material_default();
    solid.model = 3; /* corotated */
    solid.young = (sn_real)young;
    solid.poisson = 0;
    solid.fracture_stress = (sn_real)limit;
    body b = body_make(world_with(1, 0, NULL), SN_KIND_SOLID, &solid,
                       block_mesh(0.6, 0.2, 0.2, 4, SN_BLOCK_FIVE), &def);
    for (size_t i = 0; i < b.mesh.vertex_count; i++)
        if (fabs((double)b.mesh.positions[i].x) > 0.299)
            REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 0));
    double strain = 0;
    for (int i = 0; i < 400 && count_tears(&b, NULL) == 0; i++) {
        strain += 0.002;
        pull(&b, strain);
        REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
    }
    CHECK_REL(young * strain, limit, 0.04);
    body_free(&b);
}

TEST(without_a_limit_nothing_breaks) {
    body b = make_bar(world_with(1, 0, NULL), 3, (double)SN_AUTO, SN_COLLIDE_NONE);
    for (int i = 0; i < 20; i++) {
        pull(&b, 0.05 * i);
        REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
        CHECK(count_tears(&b, NULL) == 0);
    }
    sn_tet_mesh_def def;
    REQUIRE_OK(sn_tet_mesh_get(b.world, b.build.tet_mesh, &def));
    def.fracture_stress = 1000;
    REQUIRE_OK(sn_tet_mesh_set(b.world, b.build.tet_mesh, &def));
    REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
    CHECK(count_tears(&b, NULL) > 0);
    body_free(&b);
}

/* ---- What a world goes through ---- */

static sn_blade_def blade_at(int step) {
    sn_blade_def blade = sn_blade_def_default();
    blade.kind = SN_BLADE_SWEEP;
    for (int k = 0; k < 2; k++) {
        double from = 0.12 - 0.012 * step;
        blade.from[k] = (sn_vec3){(sn_real)0.05, (sn_real)from, (sn_real)(k ? 0.3 : -0.3)};
        blade.to[k] = (sn_vec3){(sn_real)0.04, (sn_real)(from - 0.015), (sn_real)(k ? 0.3 : -0.3)};
    }
    return blade;
}

/* Pulled, and cut by a blade that goes through in 20 steps. */
static void play(const body *b, int from, int to) {
    for (int i = from; i < to; i++) {
        sn_blade_def blade = blade_at(i);
        size_t copies = 0;
        pull(b, 0.004 * i);
        CHECK_OK(sn_tet_mesh_cut(b->world, b->build.tet_mesh, &blade, &copies));
        REQUIRE_OK(sn_world_step(b->world, (sn_real)dt));
    }
}

TEST(threads_and_lanes_do_not_matter) {
    static const int variant[][2] = {{1, 1}, {2, 4}, {3, 8}, {4, 0}};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof variant / sizeof variant[0]; i++) {
        check_case("%d threads, %d lanes", variant[i][0], variant[i][1]);
        body b = make_bar(world_with(variant[i][0], variant[i][1], NULL), 4, 15000, SN_COLLIDE_ALL);
        play(&b, 0, 25);
        CHECK(count_parts(&b) >= 2);
        if (i > 0) CHECK(sn_world_hash(b.world) == hash);
        hash = sn_world_hash(b.world);
        body_free(&b);
    }
}

/* A world that is saved while it is cut goes on with the same bits, marks and all. */
TEST(snapshots_go_on) {
    body b = make_bar(world_with(1, 0, NULL), 4, 15000, SN_COLLIDE_ALL);
    size_t size = 0;
    play(&b, 0, 9);
    void *data = snapshot_of(b.world, &size);
    body other = b;
    other.world = world_with(2, 4, NULL);
    REQUIRE_OK(sn_snapshot_load(other.world, data, size));
    REQUIRE_OK(sn_world_tet_mesh_at(other.world, 0, &other.build.tet_mesh));
    check_parted(&other);
    play(&b, 9, 25);
    /* Ids of nodes have the tag of their world. */
    sn_node *nodes = calloc(b.mesh.vertex_count, sizeof *nodes);
    if (!nodes) abort();
    size_t count;
    REQUIRE_OK(sn_tet_mesh_get_nodes(other.world, other.build.tet_mesh, nodes, b.mesh.vertex_count,
                                     &count));
    other.nodes = nodes;
    play(&other, 9, 25);
    CHECK(sn_world_hash(b.world) == sn_world_hash(other.world));
    CHECK(count_parts(&other) == count_parts(&b));
    check_parted(&other);
    free(nodes);
    free(data);
    sn_world_destroy(other.world);
    body_free(&b);
}

TEST(recordings_replay) {
    sn_world *world = world_with(1, 0, NULL);
    REQUIRE_OK(sn_recording_start(world, FILE_NAME));
    body b = make_bar(world, 4, 15000, SN_COLLIDE_OTHERS);
    sn_tet_mesh_def def;
    play(&b, 0, 12);
    REQUIRE_OK(sn_tet_mesh_get(world, b.build.tet_mesh, &def));
    def.fracture_stress = 5000;
    REQUIRE_OK(sn_tet_mesh_set(world, b.build.tet_mesh, &def));
    sn_blade_def plane = sn_blade_def_default();
    REQUIRE_OK(sn_tet_mesh_cut(world, b.build.tet_mesh, &plane, NULL));
    play(&b, 12, 20);
    REQUIRE_OK(sn_tet_mesh_destroy(world, b.build.tet_mesh));
    REQUIRE_OK(sn_world_step(world, (sn_real)dt));
    REQUIRE_OK(sn_recording_stop(world));
    sn_world *again = world_with(2, 4, NULL);
    sn_replay_report report = {0};
    CHECK_OK(sn_replay_file(again, FILE_NAME, &report));
    CHECK(sn_world_hash(again) == sn_world_hash(world));
    sn_world_destroy(again);
    body_free(&b);
    remove(FILE_NAME);
}

/* Nodes that are removed take their tets along, and copies stay copies. */
TEST(nodes_may_go) {
    body b = make_bar(world_with(1, 0, NULL), 3, (double)SN_AUTO, SN_COLLIDE_ALL);
    sn_blade_def blade = sn_blade_def_default();
    blade.normal = (sn_vec3){1, (sn_real)0.1, 0};
    REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, NULL));
    size_t parts = count_parts(&b), before = 0, after = 0, kept = 0, count;
    CHECK(parts == 2);
    uint32_t tet[4 * 512];
    sn_node node[1024];
    REQUIRE_OK(sn_tet_mesh_get_tets(b.world, b.build.tet_mesh, tet, 512, &before));
    REQUIRE_OK(sn_tet_mesh_get_nodes(b.world, b.build.tet_mesh, node, 1024, &count));
    REQUIRE_OK(before <= 512 && count <= 1024 ? SN_OK : SN_ERROR_LIMIT);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x = (double)b.mesh.positions[i].x;
        if (x < 0.28 && x > 0.15) REQUIRE_OK(sn_node_destroy(b.world, b.nodes[i]));
    }
    for (size_t i = 0; i < before; i++) {
        bool whole = true;
        for (int c = 0; c < 4; c++)
            whole = whole && sn_node_is_valid(b.world, node[tet[4 * i + (size_t)c]]);
        kept += whole;
    }
    REQUIRE_OK(sn_tet_mesh_get_tets(b.world, b.build.tet_mesh, NULL, 0, &after));
    CHECK(after < before && after == kept);
    REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
    blade.normal = (sn_vec3){0, 1, (sn_real)0.1};
    REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, NULL));
    CHECK(count_parts(&b) >= 2);
    REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
    REQUIRE_OK(sn_body_destroy(b.world, b.build.body));
    CHECK(!sn_tet_mesh_is_valid(b.world, b.build.tet_mesh));
    CHECK_FAILS(sn_world_tet_mesh_at(b.world, 0, &b.build.tet_mesh), SN_ERROR_ID);
    body_free(&b);
}

/* ---- Without memory ---- */

static meter m;

/* A cut that is refused has changed nothing; one for which memory ran out in the middle leaves a
   sound body, and the next cut finishes it. */
TEST(without_memory_a_cut_is_whole_or_none) {
    bool done = false;
    size_t refused = 0, partial = 0;
    for (size_t after = 0; after < 3000 && !done; after += 7) {
        meter_init(&m);
        sn_allocator allocator = meter_allocator(&m);
        body b = make_bar(world_with(1, 0, &allocator), 2, (double)SN_AUTO, SN_COLLIDE_ALL);
        double mass = total_mass(&b);
        uint64_t hash = sn_world_hash(b.world);
        sn_blade_def blade = sn_blade_def_default();
        blade.normal = (sn_vec3){1, 0, 0};
        blade.point.x = (sn_real)0.02;
        m.fail_after = after;
        m.once = false;
        sn_result result = sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, NULL);
        bool failed = m.failures > 0;
        m.fail_after = METER_NEVER;
        CHECK(result == SN_OK || result == SN_ERROR_MEMORY);
        if (result != SN_OK) CHECK(sn_world_hash(b.world) == hash);
        refused += result != SN_OK;
        partial += failed && result == SN_OK;
        done = !failed;
        check_parted(&b);
        CHECK_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, NULL));
        CHECK(count_parts(&b) == 2);
        check_parted(&b);
        CHECK_REL(total_mass(&b), mass, 1e-6);
        REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
        body_free(&b);
        CHECK(m.blocks == 0 && m.mistakes == 0);
    }
    CHECK(done && refused > 5 && partial == 0);
}

/* A step that breaks something survives the want of memory anywhere. */
TEST(without_memory_steps_go_on) {
    for (size_t after = 0; after < 60; after += 2) {
        meter_init(&m);
        sn_allocator allocator = meter_allocator(&m);
        body b = make_bar(world_with(1, 0, &allocator), 2, 4000, SN_COLLIDE_NONE);
        for (int i = 0; i < 12; i++) {
            pull(&b, 0.01 * i);
            m.fail_after = after;
            sn_result result = sn_world_step(b.world, (sn_real)dt);
            m.fail_after = METER_NEVER;
            if (!CHECK(result == SN_OK || result == SN_ERROR_MEMORY)) break;
        }
        check_parted(&b);
        for (int i = 12; i < 20; i++) {
            pull(&b, 0.01 * i);
            REQUIRE_OK(sn_world_step(b.world, (sn_real)dt));
        }
        check_parted(&b);
        body_free(&b);
        CHECK(m.blocks == 0 && m.mistakes == 0);
    }
}

/* Looking for stress allocates nothing once it has looked. */
TEST(a_step_that_breaks_nothing_allocates_nothing) {
    meter_init(&m);
    sn_allocator allocator = meter_allocator(&m);
    body b = make_bar(world_with(1, 0, &allocator), 3, 1e9, SN_COLLIDE_NONE);
    body_run(&b, 2, dt);
    size_t calls = m.calls;
    body_run(&b, 10, dt);
    CHECK(m.calls == calls);
    body_free(&b);
}

TESTS(RUN(a_bar_breaks_at_its_limit), RUN(a_stretched_bar_breaks_at_its_load),
      RUN(without_a_limit_nothing_breaks), RUN(threads_and_lanes_do_not_matter),
      RUN(snapshots_go_on), RUN(recordings_replay), RUN(nodes_may_go),
      RUN(without_memory_a_cut_is_whole_or_none), RUN(without_memory_steps_go_on),
      RUN(a_step_that_breaks_nothing_allocates_nothing))
