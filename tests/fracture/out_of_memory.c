/*
 * Cuts without memory: every block that a cut asks for is refused in its turn, that one alone or
 * all from there on. The call says so and the world is as it was, to the byte of a snapshot. With
 * memory it is cut as one that had memory all along, and goes on so.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "bodies/meshed_body.h"
#include "check.h"
#include "snapshot.h"
#include "torn.h"

enum { MOST_BLOCKS = 4000 };

static meter m;

typedef struct copy {
    size_t size;
    unsigned char *bytes;
} copy;

static copy take_copy(const sn_world *world) {
    copy c = {0, NULL};
    c.bytes = snapshot_of(world, &c.size);
    return c;
}

static bool is_same(const sn_world *world, const copy *before) {
    return is_saved_as(world, before->bytes, before->size);
}

static sn_world *make_world(void) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    meter_init(&m);
    def.allocator = meter_allocator(&m);
    def.settings.substeps = 4;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static body make(bool solid, int model) {
    sn_build_def def = sn_build_def_default();
    sn_solid_material volume = sn_solid_material_default();
    sn_cloth_material cloth = sn_cloth_material_default();
    def.collide = SN_COLLIDE_ALL;
    volume.model = model;
    volume.radius = (sn_real)0.01;
    cloth.model = model;
    cloth.bending = model == 1 ? 0 : 3;
    cloth.bending_stiffness = (sn_real)1e-4;
    cloth.levels = SN_AUTO;
    cloth.tethers = 1;
    sn_world *world = make_world();
    return solid ? body_make(world, SN_KIND_SOLID, &volume,
                             block_mesh(0.5, 0.25, 0.25, 1, SN_BLOCK_FIVE), &def)
                 : body_make(world, SN_KIND_CLOTH, &cloth,
                             grid_mesh(1, 1, 3, 3, SN_GRID_ALTERNATING), &def);
}

static sn_result cut(const body *b, bool solid, double at, bool split, size_t *copies) {
    sn_blade_def blade = sn_blade_def_default();
    blade.point.x = (sn_real)at;
    blade.normal = (sn_vec3){1, 0, (sn_real)0.2};
    blade.snap = split ? (sn_real)0.3 : 0;
    blade.split = split;
    return solid ? sn_tet_mesh_cut(b->world, b->build.tet_mesh, &blade, copies)
                 : sn_sheet_cut(b->world, b->build.sheet, &blade, copies);
}

/* The world stays what it was, so that one is enough for all blocks. */
static void cut_in_need(const body *b, bool solid, double at, bool split, bool once) {
    copy before = take_copy(b->world);
    size_t block = 0, copies = 77;
    uint64_t hash = sn_world_hash(b->world);
    for (; block < MOST_BLOCKS; block++) {
        m.failures = 0;
        m.once = once;
        m.fail_after = block;
        sn_result result = cut(b, solid, at, split, &copies);
        bool short_of = m.failures > 0;
        m.fail_after = METER_NEVER;
        if (!short_of) {
            CHECK_OK(result);
            break;
        }
        check_case("%s at %g, block %zu", solid ? "solid" : "cloth", at, block);
        CHECK_FAILS(result, SN_ERROR_MEMORY);
        CHECK(copies == 77 && sn_world_hash(b->world) == hash);
        if (!CHECK(is_same(b->world, &before))) break;
    }
    CHECK(block > 20 && block < MOST_BLOCKS);
    CHECK(copies > 0 && copies < 77);
    free(before.bytes);
}

static void run_short(bool solid, int model) {
    static const double at[] = {0.03, -0.17};
    for (int once = 0; once < 2; once++) {
        check_case("%s, model %d", solid ? "solid" : "cloth", model);
        uint64_t hash[2] = {0, 0};
        for (int short_of = 0; short_of < 2; short_of++) {
            body b = make(solid, model);
            size_t copies;
            for (int i = 0; i < 2; i++) {
                if (short_of)
                    cut_in_need(&b, solid, at[i], i == 1, once);
                else
                    CHECK_OK(cut(&b, solid, at[i], i == 1, &copies));
                body_run(&b, 2, 1.0 / 60);
            }
            hash[short_of] = sn_world_hash(b.world);
            body_free(&b);
            CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
        }
        CHECK(hash[0] == hash[1]);
    }
}

TEST(solids_without_memory) {
    for (int model = 0; model < 2; model++) run_short(true, model);
}

TEST(sheets_without_memory) {
    for (int model = 1; model < 3; model++) run_short(false, model);
}

/* ---- Lines ---- */

/* A thread that is cut is lines from then on; two more are cut beside it. */
static body make_lines(bool thread) {
    sn_build_def def = sn_build_def_default();
    sn_rope_material rope = sn_rope_material_default();
    sn_world *world = make_world();
    rope.slides = thread;
    rope.bending_stiffness = thread ? 0 : (sn_real)0.001;
    def.collide = SN_COLLIDE_ALL;
    return body_make(world, SN_KIND_ROPE, &rope, line_mesh(1, 20), &def);
}

static sn_result cut_lines(const body *b, size_t *lines) {
    sn_blade_def blade = sn_blade_def_default();
    blade.point.x = (sn_real)0.03;
    blade.normal = (sn_vec3){1, 0, 0};
    return sn_body_cut(b->world, b->build.body, &blade, lines);
}

TEST(lines_without_memory) {
    for (int i = 0; i < 4; i++) {
        body b = make_lines(i % 2 == 1);
        copy before = take_copy(b.world);
        size_t block = 0, lines = 77;
        for (; block < MOST_BLOCKS; block++) {
            m.failures = 0;
            m.once = i / 2 == 1;
            m.fail_after = block;
            sn_result result = cut_lines(&b, &lines);
            m.fail_after = METER_NEVER;
            check_case("%s, block %zu", i % 2 == 1 ? "thread" : "rope", block);
            if (m.failures == 0) {
                CHECK_OK(result);
                break;
            }
            CHECK_FAILS(result, SN_ERROR_MEMORY);
            CHECK(lines == 77 && is_same(b.world, &before));
        }
        CHECK(block >= (i % 2 == 1 ? 5 : 1) && lines == 1);
        body_run(&b, 2, 1.0 / 60);
        free(before.bytes);
        body_free(&b);
        CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
    }
}

/* ---- Tearing ---- */

static bool said;

static void listen(void *user, sn_log_level level, const char *sentence) {
    (void)user;
    said |= level == SN_LOG_WARNING && strstr(sentence, "no memory") != NULL;
}

/* A cloth that is held at both ends, with weak edges or without, and drawn out by a third. */
static body make_drawn(bool weak) {
    sn_build_def def = sn_build_def_default();
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_world_def world_def = sn_world_def_default();
    sn_world *world = NULL;
    cloth.tear_strain = (sn_real)0.1;
    meter_init(&m);
    world_def.allocator = meter_allocator(&m);
    world_def.settings.substeps = 4;
    world_def.log = listen;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    body b =
        body_make(world, SN_KIND_CLOTH, &cloth, grid_mesh(1, 1, 4, 4, SN_GRID_ALTERNATING), &def);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        const sn_vec3 *x = &b.mesh.positions[i];
        if (fabs((double)x->x) > 0.49) REQUIRE_OK(sn_node_set_inverse_mass(world, b.nodes[i], 0));
        for (size_t k = 0; weak && k < i; k++) {
            const sn_vec3 *y = &b.mesh.positions[k];
            const sn_node ends[2] = {b.nodes[i], b.nodes[k]};
            bool along = fabs((double)x->x) + fabs((double)y->x) < 1e-5;
            if (along && fabs((double)(x->z - y->z)) < 0.3)
                REQUIRE_OK(sn_sheet_set_edge_strength(world, b.build.sheet, ends, 1, (sn_real)0.5));
        }
    }
    body_run(&b, 1, 1.0 / 60);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        sn_vec3 x = b.mesh.positions[i];
        x.x *= (sn_real)1.33;
        REQUIRE_OK(sn_node_set_position(world, b.nodes[i], x));
    }
    return b;
}

/* Without memory a step says so, or that something stays whole; with memory it tears. */
TEST(tears_without_memory) {
    for (int variant = 0; variant < 4; variant++) {
        size_t block = 0, whole = 0;
        for (; block < MOST_BLOCKS; block++) {
            body b = make_drawn(variant % 2);
            sn_stats stats;
            check_case("variant %d, block %zu", variant, block);
            said = false;
            m.failures = 0;
            m.once = variant / 2;
            m.fail_after = block;
            sn_result result = sn_world_step(b.world, (sn_real)(1.0 / 60));
            bool short_of = m.failures > 0;
            m.fail_after = METER_NEVER;
            REQUIRE_OK(sn_world_stats(b.world, &stats));
            if (result == SN_OK && stats.torn == 0) CHECK(said);
            whole += said;
            CHECK(result == SN_OK || (result == SN_ERROR_MEMORY && short_of));
            body_run(&b, 5, 1.0 / 60);
            REQUIRE_OK(sn_world_stats(b.world, &stats));
            check_torn(&b, true);
            CHECK(count_border(&b) > 16);
            body_free(&b);
            CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
            if (!short_of) break;
        }
        CHECK(block < MOST_BLOCKS && whole > 5);
    }
}

TESTS(RUN(tears_without_memory), RUN(solids_without_memory), RUN(sheets_without_memory),
      RUN(lines_without_memory))
