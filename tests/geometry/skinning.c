/* Visible meshes that follow particles and tets, ellipsoids that fit them, and oriented bodies. */
#include "base/meter.h"
#include "check.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sn_vec3 vector(double x, double y, double z) {
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
}

static sn_quat about(double x, double y, double z, double angle) {
    double s = sin(angle / 2);
    return (sn_quat){(sn_real)(x * s), (sn_real)(y * s), (sn_real)(z * s), (sn_real)cos(angle / 2)};
}

static sn_vec3 rotated(sn_quat q, sn_vec3 a) {
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double p = (double)a.x, r = (double)a.y, s = (double)a.z;
    double tx = 2 * (y * s - z * r), ty = 2 * (z * p - x * s), tz = 2 * (x * r - y * p);
    return vector(p + w * tx + (y * tz - z * ty), r + w * ty + (z * tx - x * tz),
                  s + w * tz + (x * ty - y * tx));
}

static double apart(sn_vec3 a, sn_vec3 b) {
    return hypot(hypot((double)(a.x - b.x), (double)(a.y - b.y)), (double)(a.z - b.z));
}

/* A ball of 0.5 m, and a chain of six particles through it, aslant at rest. */
enum { CHAIN = 6 };
static sn_mesh make_ball(double radius) {
    sn_mesh mesh = sn_mesh_default();
    sn_sphere_def def = sn_sphere_def_default();
    def.radius = (sn_real)radius;
    REQUIRE_OK(sn_generate_sphere(&mesh, &def));
    return mesh;
}
static void make_chain(sn_vec3 *x, sn_quat *q) {
    for (int i = 0; i < CHAIN; i++) {
        x[i] = vector(0.2 * i - 0.5, 0.01 * i * i, 0);
        q[i] = about(0.6, 0, 0.8, 0.3 * i);
    }
}

TEST(weights_add_up_and_fall) {
    sn_mesh ball = make_ball(0.5);
    sn_vec3 x[CHAIN];
    sn_quat q[CHAIN];
    make_chain(x, q);
    for (size_t most = 1; most <= SN_BLEND_MOST; most++) {
        sn_blend blend = sn_blend_default();
        REQUIRE_OK(sn_blend_bind(&ball, x, q, CHAIN, most, &blend));
        CHECK(blend.most == (most < CHAIN ? most : CHAIN));
        for (size_t i = 0; i < blend.count; i++) {
            double sum = 0;
            for (size_t k = 0; k < blend.most; k++) {
                sum += (double)blend.weights[i * blend.most + k];
                CHECK(blend.weights[i * blend.most + k] >= 0);
                CHECK(k == 0 ||
                      blend.weights[i * blend.most + k] <= blend.weights[i * blend.most + k - 1]);
            }
            if (!CHECK_NEAR(sum, 1, 1e-6)) break;
        }
        sn_blend_free(&blend);
        CHECK(blend.count == 0);
    }
    sn_mesh_free(&ball);
}

/* What all particles do together the mesh does too, and its normals turn. */
TEST(rigid_motion_is_followed) {
    sn_mesh ball = make_ball(0.5);
    sn_vec3 x[CHAIN], shift = vector(3, -2, 10), turned[CHAIN];
    sn_quat q[CHAIN], r = about(0, 0.6, 0.8, 1.1), both[CHAIN];
    make_chain(x, q);
    for (int i = 0; i < CHAIN; i++) {
        sn_vec3 y = rotated(r, x[i]);
        turned[i] =
            vector((double)(y.x + shift.x), (double)(y.y + shift.y), (double)(y.z + shift.z));
        /* r, after q. */
        sn_quat a = r, b = q[i];
        both[i] = (sn_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                            a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                            a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    }
    sn_blend blend = sn_blend_default();
    REQUIRE_OK(sn_blend_bind(&ball, x, q, CHAIN, 4, &blend));
    sn_vec3 *points = calloc(blend.count, sizeof *points);
    sn_vec3 *normals = calloc(blend.count, sizeof *normals);
    double off = 0, bent = 0;
    REQUIRE_OK(sn_blend_apply(&blend, turned, both, points, normals));
    for (size_t i = 0; i < blend.count; i++) {
        sn_vec3 y = rotated(r, ball.positions[i]);
        off = fmax(off, apart(points[i], vector((double)(y.x + shift.x), (double)(y.y + shift.y),
                                                (double)(y.z + shift.z))));
        /* Of a ball, the normal is the place over the radius. */
        bent = fmax(bent,
                    apart(normals[i], vector(2 * (double)y.x, 2 * (double)y.y, 2 * (double)y.z)));
    }
    CHECK_NEAR(off, 0, 3e-6);
    CHECK_NEAR(bent, 0, 0.05);
    free(points);
    free(normals);
    sn_blend_free(&blend);
    sn_mesh_free(&ball);
}

/* Half of the particles turned about the chain: what is near each end follows it, and the middle
   goes over smoothly, from vertex to vertex. */
TEST(a_twist_goes_over_smoothly) {
    sn_mesh tube = sn_mesh_default();
    sn_cylinder_def def = sn_cylinder_def_default();
    def.radius = (sn_real)0.1;
    def.height = 1;
    REQUIRE_OK(sn_generate_cylinder(&tube, &def));
    sn_vec3 x[CHAIN];
    sn_quat q[CHAIN];
    for (int i = 0; i < CHAIN; i++) {
        x[i] = vector(0, 0.2 * i - 0.5, 0);
        q[i] = about(0, 1, 0, 0);
    }
    sn_blend blend = sn_blend_default();
    REQUIRE_OK(sn_blend_bind(&tube, x, NULL, CHAIN, 4, &blend));
    for (int i = CHAIN / 2; i < CHAIN; i++) q[i] = about(0, 1, 0, 0.5);
    sn_vec3 *points = calloc(blend.count, sizeof *points);
    REQUIRE_OK(sn_blend_apply(&blend, x, q, points, NULL));
    double low = 0, high = 0;
    for (size_t i = 0; i < blend.count; i++) {
        sn_vec3 v = tube.positions[i];
        if (v.y < -0.49) low = fmax(low, apart(points[i], v));
        if (v.y > 0.49) high = fmax(high, apart(points[i], rotated(about(0, 1, 0, 0.5), v)));
    }
    /* The last four of six are all turned but the first of them. */
    CHECK(low < 0.02);
    CHECK(high < 0.02);
    free(points);
    sn_blend_free(&blend);
    sn_mesh_free(&tube);
}

/* ---- Tets ---- */

static sn_mesh make_block(void) {
    sn_mesh mesh = sn_mesh_default();
    sn_block_def def = sn_block_def_default();
    def.extent = vector(1.2, 1.2, 1.2);
    for (int k = 0; k < 3; k++) def.cells[k] = 3;
    REQUIRE_OK(sn_generate_block(&mesh, &def));
    return mesh;
}

TEST(tets_carry_what_is_even_exactly) {
    sn_mesh ball = make_ball(0.5), block = make_block();
    sn_blend blend = sn_blend_default();
    REQUIRE_OK(sn_blend_bind_tets(&ball, &block, &blend));
    sn_vec3 *x = calloc(block.vertex_count, sizeof *x);
    sn_vec3 *points = calloc(blend.count, sizeof *points);
    sn_vec3 *normals = calloc(blend.count, sizeof *normals);
    for (size_t i = 0; i < block.vertex_count; i++) {
        sn_vec3 v = block.positions[i];
        x[i] = vector(2 * (double)v.x + 0.3 * (double)v.y, (double)v.y, 0.5 * (double)v.z + 1);
    }
    REQUIRE_OK(sn_blend_apply_tets(&blend, x, points, normals));
    double off = 0, bent = 0;
    for (size_t i = 0; i < blend.count; i++) {
        sn_vec3 v = ball.positions[i];
        off = fmax(off, apart(points[i], vector(2 * (double)v.x + 0.3 * (double)v.y, (double)v.y,
                                                0.5 * (double)v.z + 1)));
        /* F^-T v, of unit length. */
        double n[3] = {(double)v.x / 2, (double)v.y - 0.15 * (double)v.x, 2 * (double)v.z};
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        bent = fmax(bent, apart(normals[i], vector(n[0] / length, n[1] / length, n[2] / length)));
    }
    CHECK_NEAR(off, 0, 2e-6);
    CHECK_NEAR(bent, 0, 0.06);
    free(x);
    free(points);
    free(normals);
    sn_blend_free(&blend);
    sn_mesh_free(&ball);
    sn_mesh_free(&block);
}

/* Bent to a parabola, the blend is nearer to it than the plain embedding is. */
TEST(tets_bend_more_smoothly_than_an_embedding) {
    sn_mesh ball = make_ball(0.3), block = make_block();
    sn_blend blend = sn_blend_default();
    sn_embedding plain = sn_embedding_default();
    REQUIRE_OK(sn_blend_bind_tets(&ball, &block, &blend));
    REQUIRE_OK(sn_embed(&ball, &block, &plain));
    sn_vec3 *x = calloc(block.vertex_count, sizeof *x);
    sn_vec3 *points = calloc(blend.count, sizeof *points);
    double off[2] = {0, 0};
    for (size_t i = 0; i < block.vertex_count; i++) {
        sn_vec3 v = block.positions[i];
        x[i] = vector((double)v.x, (double)v.y + 0.5 * (double)(v.x * v.x), (double)v.z);
    }
    for (int k = 0; k < 2; k++) {
        if (k == 0) REQUIRE_OK(sn_blend_apply_tets(&blend, x, points, NULL));
        if (k == 1) REQUIRE_OK(sn_embedding_apply(&plain, x, points));
        for (size_t i = 0; i < blend.count; i++) {
            sn_vec3 v = ball.positions[i];
            sn_vec3 y = vector((double)v.x, (double)v.y + 0.5 * (double)(v.x * v.x), (double)v.z);
            off[k] += apart(points[i], y) / (double)blend.count;
        }
    }
    check_case("mean distance %g, of the embedding %g", off[0], off[1]);
    CHECK(off[0] < 0.5 * off[1]);
    free(x);
    free(points);
    sn_blend_free(&blend);
    sn_embedding_free(&plain);
    sn_mesh_free(&ball);
    sn_mesh_free(&block);
}

/* ---- Fitting ---- */

TEST(ellipsoids_fit_an_ellipsoid) {
    sn_mesh ball = make_ball(1);
    sn_quat r = about(0.6, 0, 0.8, 0.9), q;
    for (size_t i = 0; i < ball.vertex_count; i++) {
        sn_vec3 v = ball.positions[i];
        ball.positions[i] =
            rotated(r, vector(0.3 * (double)v.x, 0.2 * (double)v.y, 0.1 * (double)v.z));
    }
    sn_vec3 at = vector(0, 0, 0), radii;
    REQUIRE_OK(sn_fit_ellipsoids(&ball, &at, 1, (sn_real)0.1, &q, &radii));
    double sorted[3] = {(double)radii.x, (double)radii.y, (double)radii.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (sorted[k] < sorted[k + 1]) {
                double kept = sorted[k];
                sorted[k] = sorted[k + 1];
                sorted[k + 1] = kept;
            }
    CHECK_REL(sorted[0], 0.3, 0.03);
    CHECK_REL(sorted[1], 0.2, 0.03);
    CHECK_REL(sorted[2], 0.1, 0.03);
    /* Every vertex is on it. */
    sn_quat back = {-q.x, -q.y, -q.z, q.w};
    for (size_t i = 0; i < ball.vertex_count; i++) {
        sn_vec3 v = rotated(back, ball.positions[i]);
        double s =
            hypot(hypot((double)(v.x / radii.x), (double)(v.y / radii.y)), (double)(v.z / radii.z));
        if (!CHECK_NEAR(s, 1, 0.05)) break;
    }
    /* Too few vertices. */
    sn_vec3 two[2] = {at, vector(100, 0, 0)}, both[2];
    sn_quat frames[2];
    REQUIRE_OK(sn_fit_ellipsoids(&ball, two, 2, (sn_real)0.1, frames, both));
    CHECK_NEAR(both[1].x, 0.1, 1e-7);
    CHECK_NEAR(both[1].z, 0.1, 1e-7);
    sn_mesh_free(&ball);
}

/* ---- Oriented bodies ---- */

/* A stem with two branches, which stands on its first vertex. */
static sn_mesh make_plant(void) {
    sn_mesh mesh = sn_mesh_default();
    sn_vec3 x[] = {vector(0, 0, 0),       vector(0, 0.1, 0),     vector(0, 0.2, 0),
                   vector(0, 0.3, 0),     vector(0.08, 0.25, 0), vector(0.16, 0.3, 0),
                   vector(-0.08, 0.35, 0)};
    const uint32_t lines[][2] = {{0, 1}, {1, 2}, {2, 3}, {2, 4}, {4, 5}, {3, 6}};
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, x, 7));
    REQUIRE_OK(sn_mesh_add_lines(&mesh, lines, 6));
    return mesh;
}

static sn_world *make_world(int threads) {
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    sn_world *world;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static void step(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

TEST(an_oriented_plant_stands) {
    sn_mesh mesh = make_plant();
    double lowest[2];
    uint64_t hash[2];
    for (int threads = 1; threads <= 2; threads++)
        for (int omega = 1; omega <= 2; omega++) {
            check_case("threads %d, omega %d", threads, omega);
            sn_world *world = make_world(threads);
            sn_oriented_material m = sn_oriented_material_default();
            sn_build_def def = sn_build_def_default();
            const uint32_t pin = 0;
            m.fit = 1;
            m.omega = (sn_real)omega;
            def.mesh = &mesh;
            def.pins = &pin;
            def.pin_count = 1;
            def.body.damping = 3;
            sn_node nodes[7];
            sn_build build;
            REQUIRE_OK(sn_build_body(world, SN_KIND_ORIENTED, &m, &def, nodes, &build));
            sn_vec3 radii;
            REQUIRE_OK(sn_node_get_radii(world, nodes[1], &radii));
            /* Half an edge along the stem, the radius across. */
            double most = fmax((double)radii.x, fmax((double)radii.y, (double)radii.z));
            CHECK_NEAR(most, 0.05, 1e-6);
            CHECK_NEAR((double)radii.x + (double)radii.y + (double)radii.z, 0.09, 1e-6);
            step(world, 120);
            sn_node_def top;
            REQUIRE_OK(sn_node_get(world, nodes[3], &top));
            lowest[omega - 1] = (double)top.position.y;
            CHECK((double)top.position.y > 0.25);
            if (omega == 1) hash[threads - 1] = sn_world_hash(world);
            sn_world_destroy(world);
        }
    CHECK(hash[0] == hash[1]);
    CHECK(lowest[1] >= lowest[0] - 1e-4);
    sn_mesh_free(&mesh);
}

/* One particle that is twice as thick and half as long: a ball about it becomes an ellipsoid, whose
   normals are those of one. */
TEST(what_swells_is_followed) {
    sn_mesh ball = make_ball(0.5);
    const sn_vec3 x = vector(0, 0, 0), to = vector(1, 2, 3), scale = vector(2, 2, 0.5);
    const sn_quat q = about(0, 0, 1, 0.4), now = about(0.6, 0, 0.8, 1.1);
    sn_blend blend = sn_blend_default();
    REQUIRE_OK(sn_blend_bind(&ball, &x, &q, 1, 1, &blend));
    sn_vec3 *points = calloc(blend.count, sizeof *points);
    sn_vec3 *normals = calloc(blend.count, sizeof *normals);
    REQUIRE_OK(sn_blend_apply_scaled(&blend, &to, &now, &scale, points, normals));
    const sn_quat back = {-now.x, -now.y, -now.z, now.w};
    for (size_t i = 0; i < blend.count; i++) {
        sn_vec3 p = rotated(back, vector((double)(points[i].x - to.x), (double)(points[i].y - to.y),
                                         (double)(points[i].z - to.z)));
        sn_vec3 n = rotated(back, normals[i]);
        double a = (double)p.x, b = (double)p.y, c = (double)p.z;
        double steep = sqrt(a * a + b * b + 256 * c * c), along = (double)n.x * a + (double)n.y * b;
        CHECK_NEAR(a * a + b * b + 16 * c * c, 1, 1e-5);
        /* The normal of x^2 + y^2 + 16 z^2; that of a mesh of a ball is off by its triangles. */
        CHECK_NEAR((along + (double)n.z * 16 * c) / steep, 1, 0.01);
    }
    const sn_vec3 none = vector(1, 0, 1);
    CHECK_FAILS(sn_blend_apply_scaled(&blend, &to, &now, &none, points, NULL), SN_ERROR_VALUE);
    free(points);
    free(normals);
    sn_blend_free(&blend);
    sn_mesh_free(&ball);
}

TEST(bad_arguments_are_refused) {
    sn_mesh ball = make_ball(0.5), plant = make_plant(), block = make_block();
    sn_vec3 x = vector(0, 0, 0), bad = vector(NAN, 0, 0), points[1];
    sn_quat q = {0, 0, 0, 1}, none = {0, 0, 0, 0};
    sn_blend blend = sn_blend_default();
    CHECK_FAILS(sn_blend_bind(NULL, &x, &q, 1, 1, &blend), SN_ERROR_NULL);
    CHECK_FAILS(sn_blend_bind(&ball, NULL, &q, 1, 1, &blend), SN_ERROR_NULL);
    CHECK_FAILS(sn_blend_bind(&ball, &x, &q, 0, 1, &blend), SN_ERROR_VALUE);
    CHECK_FAILS(sn_blend_bind(&ball, &x, &q, 1, 0, &blend), SN_ERROR_VALUE);
    CHECK_FAILS(sn_blend_bind(&ball, &x, &q, 1, SN_BLEND_MOST + 1, &blend), SN_ERROR_VALUE);
    CHECK_FAILS(sn_blend_bind(&ball, &bad, &q, 1, 1, &blend), SN_ERROR_VALUE);
    CHECK_FAILS(sn_blend_bind(&ball, &x, &none, 1, 1, &blend), SN_ERROR_VALUE);
    CHECK_FAILS(sn_blend_bind_tets(&ball, &plant, &blend), SN_ERROR_DEGENERATE);
    REQUIRE_OK(sn_blend_bind(&ball, &x, &q, 1, 1, &blend));
    CHECK_FAILS(sn_blend_bind(&ball, &x, &q, 1, 1, &blend), SN_ERROR_VALUE);
    CHECK_FAILS(sn_blend_bind_tets(&ball, &block, &blend), SN_ERROR_VALUE);
    CHECK_FAILS(sn_blend_apply(&blend, NULL, &q, points, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_blend_apply(&blend, &x, NULL, points, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_blend_apply_tets(&blend, &x, points, NULL), SN_ERROR_VALUE);
    CHECK_FAILS(sn_fit_ellipsoids(&ball, &x, 1, 0, &q, points), SN_ERROR_VALUE);
    CHECK_FAILS(sn_fit_ellipsoids(&ball, &bad, 1, 1, &q, points), SN_ERROR_VALUE);
    CHECK_FAILS(sn_fit_ellipsoids(&ball, &x, 1, 1, NULL, points), SN_ERROR_NULL);
    sn_blend_free(&blend);
    sn_world *world = make_world(1);
    sn_oriented_material m = sn_oriented_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    def.mesh = &plant;
    m.fit = 2;
    CHECK_FAILS(sn_build_body(world, SN_KIND_ORIENTED, &m, &def, NULL, &build), SN_ERROR_VALUE);
    m.fit = 0;
    m.omega = (sn_real)1.5;
    CHECK_FAILS(sn_build_body(world, SN_KIND_ORIENTED, &m, &def, NULL, &build), SN_ERROR_VALUE);
    m.omega = 1;
    m.radius = 0;
    CHECK_FAILS(sn_build_body(world, SN_KIND_ORIENTED, &m, &def, NULL, &build), SN_ERROR_VALUE);
    m.radius = (sn_real)0.02;
    m.fit = 2;
    def.visible = &ball;
    CHECK_OK(sn_build_body(world, SN_KIND_ORIENTED, &m, &def, NULL, &build));
    sn_world_destroy(world);
    sn_mesh_free(&ball);
    sn_mesh_free(&plant);
    sn_mesh_free(&block);
}

/* ---- Memory ---- */

static meter measured;

/* What is tried, with an allocator that refuses the block after some; the last one of a kind that
   works ends it. */
static sn_result try_call(int call, sn_mesh *ball, sn_mesh *block, sn_blend *blend) {
    sn_vec3 x[CHAIN], radii[CHAIN];
    sn_quat q[CHAIN];
    make_chain(x, q);
    if (call == 0) return sn_blend_bind(ball, x, q, CHAIN, 4, blend);
    if (call == 1) return sn_blend_bind_tets(ball, block, blend);
    return sn_fit_ellipsoids(ball, x, CHAIN, 1, q, radii);
}

TEST(without_memory_nothing_changes) {
    for (int call = 0; call < 3; call++) {
        check_case("call %d", call);
        meter_init(&measured);
        sn_mesh ball = make_ball(0.5), block = make_block(), own = sn_mesh_default();
        own.allocator = meter_allocator(&measured);
        REQUIRE_OK(sn_mesh_copy(&ball, &own));
        sn_blend blend = sn_blend_default();
        blend.allocator = meter_allocator(&measured);
        size_t failures = 0, blocks = measured.blocks;
        for (size_t after = 0; after < 1000; after++) {
            measured.fail_after = after;
            sn_result result = try_call(call, &own, &block, &blend);
            if (result == SN_OK) break;
            failures++;
            CHECK(result == SN_ERROR_MEMORY && blend.count == 0 && measured.blocks == blocks);
        }
        CHECK(failures > 0 && failures < 1000);
        measured.fail_after = 0;
        if (call == 1) {
            sn_vec3 *points = calloc(ball.vertex_count, sizeof *points);
            CHECK_FAILS(sn_blend_apply_tets(&blend, block.positions, points, NULL),
                        SN_ERROR_MEMORY);
            free(points);
        }
        measured.fail_after = METER_NEVER;
        sn_blend_free(&blend);
        sn_mesh_free(&own);
        sn_mesh_free(&ball);
        sn_mesh_free(&block);
        CHECK(measured.blocks == 0 && measured.bytes == 0 && measured.mistakes == 0);
    }
}

TEST(a_body_needs_all_its_memory) {
    sn_mesh plant = make_plant();
    meter_init(&measured);
    sn_world_def of = sn_world_def_default();
    of.allocator = meter_allocator(&measured);
    sn_world *world;
    REQUIRE_OK(sn_world_create(&of, &world));
    sn_oriented_material m = sn_oriented_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    m.fit = 1;
    def.mesh = &plant;
    def.collide = SN_COLLIDE_ALL;
    size_t failures = 0;
    uint64_t before = sn_world_hash(world);
    for (size_t after = 0; after < 1000; after++) {
        measured.fail_after = after;
        sn_result result = sn_build_body(world, SN_KIND_ORIENTED, &m, &def, NULL, &build);
        measured.fail_after = METER_NEVER;
        if (result == SN_OK) break;
        failures++;
        sn_node node;
        CHECK(result == SN_ERROR_MEMORY);
        CHECK_FAILS(sn_world_node_at(world, 0, &node), SN_ERROR_ID);
    }
    CHECK(failures > 10 && failures < 1000);
    CHECK(sn_world_hash(world) != before);
    step(world, 2);
    sn_world_destroy(world);
    CHECK(measured.blocks == 0 && measured.bytes == 0 && measured.mistakes == 0);
    sn_mesh_free(&plant);
}

TESTS(RUN(weights_add_up_and_fall), RUN(rigid_motion_is_followed), RUN(a_twist_goes_over_smoothly),
      RUN(tets_carry_what_is_even_exactly), RUN(tets_bend_more_smoothly_than_an_embedding),
      RUN(ellipsoids_fit_an_ellipsoid), RUN(an_oriented_plant_stands), RUN(what_swells_is_followed),
      RUN(bad_arguments_are_refused), RUN(without_memory_nothing_changes),
      RUN(a_body_needs_all_its_memory))
