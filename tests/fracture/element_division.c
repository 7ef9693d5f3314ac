/* Cuts along which elements are divided: smooth, and nothing is lost by it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/point.h"
#include "parted.h"
#include "snapshot.h"
#include "torn.h"

static const double dt = 1.0 / 60;

static sn_blade_def plane(double x, double y, double z, double nx, double ny, double nz) {
    sn_blade_def blade = sn_blade_def_default();
    blade.point = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    blade.normal = (sn_vec3){(sn_real)nx, (sn_real)ny, (sn_real)nz};
    blade.snap = (sn_real)0.3;
    blade.split = true;
    return blade;
}

/* m, from the plane of a blade. */
static double height_of(const sn_blade_def *blade, sn_vec3 x) {
    double n[3] = {(double)blade->normal.x, (double)blade->normal.y, (double)blade->normal.z};
    double d = ((double)x.x - (double)blade->point.x) * n[0] +
               ((double)x.y - (double)blade->point.y) * n[1] +
               ((double)x.z - (double)blade->point.z) * n[2];
    return d / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static sn_measure measure(const body *b) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(b->world, &m));
    return m;
}

/* ---- Sheets ---- */

static body make_cloth(int model, int bending, sn_grid_pattern pattern) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    cloth.stretch_stiffness = 100;
    cloth.bending_stiffness = (sn_real)1e-4;
    cloth.bending = bending;
    cloth.model = model;
    cloth.warp = (sn_vec3){1, 0, (sn_real)0.5};
    if (model > 1) cloth.weft_stiffness = 30;
    def.collide = SN_COLLIDE_ALL;
    return body_make(still_world(4, 0), SN_KIND_CLOTH, &cloth, grid_mesh(1, 1, 8, 8, pattern),
                     &def);
}

static double rest_area(const body *b) {
    size_t count, nodes;
    double sum = 0;
    REQUIRE_OK(sn_sheet_get_nodes(b->world, b->build.sheet, NULL, 0, &nodes));
    REQUIRE_OK(sn_sheet_get_triangles(b->world, b->build.sheet, NULL, 0, &count));
    uint32_t(*t)[3] = calloc(count, sizeof *t);
    sn_vec3 *x = calloc(nodes, sizeof *x);
    if (!t || !x) abort();
    REQUIRE_OK(sn_sheet_get_triangles(b->world, b->build.sheet, *t, count, &count));
    REQUIRE_OK(sn_sheet_get_rest(b->world, b->build.sheet, x, nodes, &nodes));
    for (size_t i = 0; i < count; i++) {
        double e[2][3];
        for (int k = 0; k < 2; k++) {
            sn_vec3 p = x[t[i][0]], q = x[t[i][k + 1]];
            e[k][0] = (double)q.x - (double)p.x;
            e[k][1] = (double)q.y - (double)p.y;
            e[k][2] = (double)q.z - (double)p.z;
        }
        double n[3] = {e[0][1] * e[1][2] - e[0][2] * e[1][1], e[0][2] * e[1][0] - e[0][0] * e[1][2],
                       e[0][0] * e[1][1] - e[0][1] * e[1][0]};
        sum += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    }
    free(t);
    free(x);
    return sum;
}

/* m, root mean square of the distance from the plane of nodes that others share their place with:
   those of the cut. */
static double sheet_roughness(const body *b, const sn_blade_def *blade) {
    sn_mesh mesh = sheet_mesh(b);
    double sum = 0;
    size_t found = 0;
    for (size_t i = 0; i < mesh.vertex_count; i++)
        for (size_t k = 0; k < i; k++) {
            if (memcmp(&mesh.positions[i], &mesh.positions[k], sizeof *mesh.positions) != 0)
                continue;
            double h = height_of(blade, mesh.positions[i]);
            sum += h * h;
            found++;
        }
    sn_mesh_free(&mesh);
    CHECK(found > 4);
    return sqrt(sum / (double)found);
}

/* All models, all kinds of bending, any angle: two parts that are at rest as before, with the mass,
   the area and the motion of the whole. */
TEST(a_sheet_is_cut_along_a_line) {
    static const double normal[][3] = {{1, 0, 0}, {1, 0, 0.3}, {0.7, 0, -1}};
    for (int model = 1; model <= 3; model++)
        for (int bending = 0; bending <= 3; bending++)
            for (size_t i = 0; i < sizeof normal / sizeof normal[0]; i++) {
                check_case("model %d, bending %d, normal %zu", model, bending, i);
                body b = make_cloth(model, bending, i == 1 ? SN_GRID_SAME : SN_GRID_ALTERNATING);
                sn_measure before = measure(&b);
                double area = rest_area(&b);
                size_t copies;
                sn_blade_def blade = plane(0.03, 0, 0.02, normal[i][0], 0, normal[i][2]);
                REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
                CHECK(copies > 5);
                check_torn(&b, model == 1);
                CHECK(count_pieces(&b) == 2);
                sn_measure after = measure(&b);
                CHECK_REL(after.mass, before.mass, 1e-6);
                CHECK_REL(rest_area(&b), area, 1e-6);
                CHECK(sheet_roughness(&b, &blade) < 0.05 / 8);
                body_run(&b, 20, dt);
                CHECK_NEAR(measure(&b).kinetic_energy, 0, 1e-9 * before.mass);
                check_torn(&b, model == 1);
                /* Once more, across what was made before. */
                for (int k = 0; k < 2; k++) {
                    blade = plane(0.02, 0, 0.01 + 0.1 * k, -normal[i][2], 0, normal[i][0]);
                    REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
                    check_torn(&b, model == 1);
                    CHECK(count_pieces(&b) > 2);
                    CHECK_REL(rest_area(&b), area, 1e-6);
                }
                body_free(&b);
            }
}

/* 1 of the worst triangle: its area over that of an even one with the same sum of squares. */
static double worst_quality(const body *b) {
    sn_mesh mesh = sheet_mesh(b);
    double worst = 1;
    for (size_t i = 0; i < mesh.triangle_count; i++) {
        double sum = 0;
        sn_point p[3];
        for (int k = 0; k < 3; k++) p[k] = sn_point_of(mesh.positions[mesh.triangles[i][k]]);
        for (int k = 0; k < 3; k++) {
            sn_point e = sn_point_sub(p[(k + 1) % 3], p[k]);
            sum += sn_point_dot(e, e);
        }
        double area = sn_point_length(sn_point_normal(p[0], p[1], p[2])) / 2;
        worst = fmin(worst, 4 * sqrt(3.0) * area / sum);
    }
    sn_mesh_free(&mesh);
    return worst;
}

/* However near to vertices it goes, where these do not go to the blade. */
TEST(no_cut_makes_slivers) {
    for (int i = 1; i <= 10; i++) {
        check_case("%d %% of an edge", i);
        body b = make_cloth(1, 0, SN_GRID_SAME);
        size_t copies;
        sn_blade_def blade = plane(0.01 * i / 8, 0, 0, 1, 0, 0.02 * (i % 3));
        blade.snap = 0;
        REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
        CHECK(copies > 0);
        CHECK(worst_quality(&b) >= 0.2 - 1e-5);
        body_free(&b);
    }
}

/* ---- Solids ---- */

static body make_solid(int model, sn_collide collide, int substeps) {
    sn_solid_material solid = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    solid.model = model;
    solid.radius = (sn_real)0.01;
    def.collide = collide;
    return body_make(still_world(substeps, 0), SN_KIND_SOLID, &solid,
                     block_mesh(0.75, 0.5, 0.5, 4, SN_BLOCK_FIVE), &def);
}

/* m, root mean square of the distance from the plane of nodes that were split. */
static double roughness(const body *b, const sn_mesh *mesh, const sn_blade_def *blade) {
    uint32_t *origin = calloc(mesh->vertex_count, sizeof *origin);
    size_t count, found = 0;
    double sum = 0;
    if (!origin) abort();
    REQUIRE_OK(
        sn_tet_mesh_get_origins(b->world, b->build.tet_mesh, origin, mesh->vertex_count, &count));
    for (size_t i = 0; i < count; i++) {
        if (origin[i] == i) continue;
        double h = height_of(blade, mesh->positions[i]);
        sum += h * h;
        found++;
    }
    free(origin);
    CHECK(found > 8);
    return sqrt(sum / (double)found);
}

/* All models, any angle: two parts that are at rest as before, with the mass and the volume of the
   whole, and no slivers. */
TEST(a_solid_is_cut_along_a_plane) {
    static const double normal[][3] = {{1, 0, 0}, {1, 0.3, 0.2}, {0.3, 1, -0.2}, {1, 1, 1}};
    for (int model = 0; model < 5; model++)
        for (size_t i = 0; i < sizeof normal / sizeof normal[0]; i++) {
            check_case("model %d, normal %zu", model, i);
            body b = make_solid(model, SN_COLLIDE_OTHERS, 4);
            sn_mesh before = rest_mesh(&b);
            sn_measure m = measure(&b);
            size_t copies;
            sn_blade_def blade = plane(0.04, 0.03, 0.02, normal[i][0], normal[i][1], normal[i][2]);
            REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies));
            CHECK(copies > 8);
            check_parted(&b);
            CHECK(count_parts(&b) == 2);
            CHECK(count_crowded(&b) == 0);
            sn_mesh after = rest_mesh(&b);
            sn_tet_quality quality;
            REQUIRE_OK(sn_mesh_quality(&after, &quality));
            CHECK(quality.lowest_ratio > 0.09);
            CHECK(roughness(&b, &after, &blade) < 0.05 * 0.125);
            CHECK_REL(volume_of(&after), volume_of(&before), 1e-6);
            CHECK_REL(measure(&b).mass, m.mass, 1e-6);
            sn_mesh_free(&before);
            sn_mesh_free(&after);
            body_run(&b, 20, dt);
            CHECK_NEAR(measure(&b).kinetic_energy, 0, 1e-8 * m.mass);
            body_free(&b);
        }
}

static double tet_volume(const sn_mesh *mesh, size_t tet) {
    sn_mesh one = *mesh;
    one.tets = mesh->tets + tet;
    one.tet_count = 1;
    return volume_of(&one);
}

/* The parts of a tet have its volume. */
TEST(parts_know_what_they_were_part_of) {
    body b = make_solid(0, SN_COLLIDE_NONE, 4);
    sn_mesh before = rest_mesh(&b);
    sn_blade_def blade = plane(0.04, 0.03, 0.02, 1, 0.3, 0.2);
    blade.snap = 0;
    REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, NULL));
    sn_mesh after = rest_mesh(&b);
    size_t count = after.tet_count, divided = 0;
    uint32_t *parent = calloc(count, sizeof *parent);
    double *volume = calloc(before.tet_count, sizeof *volume);
    if (!parent || !volume) abort();
    REQUIRE_OK(sn_tet_mesh_get_parents(b.world, b.build.tet_mesh, parent, count, &count));
    CHECK(count == after.tet_count && count > before.tet_count + 50);
    for (size_t i = 0; i < count; i++)
        if (CHECK(parent[i] < before.tet_count)) volume[parent[i]] += tet_volume(&after, i);
    for (size_t i = 0; i < before.tet_count; i++) {
        divided += tet_volume(&after, i) < 0.99 * tet_volume(&before, i);
        CHECK_REL(volume[i], tet_volume(&before, i), 1e-4);
    }
    CHECK(divided > 20);
    free(parent);
    free(volume);
    sn_mesh_free(&before);
    sn_mesh_free(&after);
    body_free(&b);
}

/* ---- Walls ---- */

static sn_vec3 place_of(const body *b, const sn_node_view *view, sn_node node) {
    sn_vec4 x = view->position[node.slot - 1];
    (void)b;
    return (sn_vec3){x.x, x.y, x.z};
}

/* m, how far nodes of one part are beyond the wall of the other, which is about normal to x: below
   the triangle of its surface that they are over, if they were on the other side at rest. */
static double overlap(const body *b, double at) {
    sn_mesh rest = rest_mesh(b);
    size_t count;
    uint32_t *triangle = calloc(12 * rest.tet_count, sizeof *triangle);
    sn_node *node = calloc(rest.vertex_count, sizeof *node);
    double *middle = calloc(rest.vertex_count, sizeof *middle), deepest = 0;
    sn_node_view view;
    if (!triangle || !node || !middle) abort();
    REQUIRE_OK(sn_world_nodes(b->world, &view));
    REQUIRE_OK(sn_tet_mesh_get_nodes(b->world, b->build.tet_mesh, node, rest.vertex_count, &count));
    REQUIRE_OK(
        sn_tet_mesh_get_surface(b->world, b->build.tet_mesh, triangle, 4 * rest.tet_count, &count));
    /* Which part a node belongs to: where the middle of its last tet is. */
    for (size_t i = 0; i < rest.tet_count; i++) {
        double sum = 0;
        for (int k = 0; k < 4; k++) sum += (double)rest.positions[rest.tets[i][k]].x / 4;
        for (int k = 0; k < 4; k++) middle[rest.tets[i][k]] = sum - at;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t *t = &triangle[3 * i];
        bool wall = true;
        for (int k = 0; k < 3; k++) wall = wall && fabs((double)rest.positions[t[k]].x - at) < 0.02;
        if (!wall) continue;
        sn_vec3 p[3];
        for (int k = 0; k < 3; k++) p[k] = place_of(b, &view, node[t[k]]);
        double ay = (double)p[1].y - (double)p[0].y, az = (double)p[1].z - (double)p[0].z;
        double by = (double)p[2].y - (double)p[0].y, bz = (double)p[2].z - (double)p[0].z;
        double area = ay * bz - az * by;
        for (size_t v = 0; v < rest.vertex_count; v++) {
            if (middle[v] * middle[t[0]] > 0 || !(fabs(area) > 0)) continue;
            sn_vec3 x = place_of(b, &view, node[v]);
            double cy = (double)x.y - (double)p[0].y, cz = (double)x.z - (double)p[0].z;
            double u = (cy * bz - cz * by) / area, w = (ay * cz - az * cy) / area;
            if (u < 0 || w < 0 || u + w > 1) continue;
            double wall_x = (double)p[0].x + u * ((double)p[1].x - (double)p[0].x) +
                            w * ((double)p[2].x - (double)p[0].x);
            double depth = ((double)x.x - wall_x) * (middle[v] < 0 ? 1 : -1);
            if (depth > deepest) deepest = depth;
        }
    }
    free(triangle);
    free(node);
    free(middle);
    sn_mesh_free(&rest);
    return deepest;
}

/* The ends of a block are moved towards each other, or past each other under pressure. */
static void press(const body *b, double along, double across) {
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        double x = (double)b->mesh.positions[i].x, sign = x < 0 ? 1 : -1;
        if (fabs(x) < 0.37) continue;
        REQUIRE_OK(sn_node_set_inverse_mass(b->world, b->nodes[i], 0));
        REQUIRE_OK(
            sn_node_set_velocity(b->world, b->nodes[i],
                                 (sn_vec3){(sn_real)(sign * along), (sn_real)(sign * across), 0}));
    }
}

/* Where a block was cut and is pressed together again, its parts meet and stay on their sides. */
TEST(walls_meet) {
    for (int way = 0; way < 3; way++) {
        check_case("way %d", way);
        body b = make_solid(0, SN_COLLIDE_ALL, 10);
        sn_blade_def blade = plane(0.04, 0.03, 0.02, 1, 0, 0);
        size_t copies;
        blade.split = way != 1;
        blade.snap = way == 1 ? (sn_real)0.5 : (sn_real)0.3;
        REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies));
        CHECK(count_parts(&b) == 2);
        check_parted(&b);
        /* Nothing pushes at first. */
        body_run(&b, 10, dt);
        CHECK(overlap(&b, 0.04) == 0);
        CHECK(measure(&b).kinetic_energy < 1e-6);
        press(&b, 0.1, way == 2 ? 0.05 : 0);
        double deepest = 0;
        for (int i = 0; i < 30; i++) {
            body_run(&b, 1, dt);
            double now = overlap(&b, 0.04);
            deepest = now > deepest ? now : deepest;
        }
        CHECK_NEAR(deepest, 0, 0.01);
        body_free(&b);
    }
}

/* Momentum is that of before, and about all of the energy. */
TEST(motion_is_kept) {
    for (int solid = 0; solid < 2; solid++) {
        check_case("%s", solid ? "solid" : "cloth");
        body b = solid ? make_solid(1, SN_COLLIDE_NONE, 4) : make_cloth(1, 0, SN_GRID_ALTERNATING);
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            sn_vec3 x = b.mesh.positions[i];
            REQUIRE_OK(sn_node_set_velocity(b.world, b.nodes[i],
                                            (sn_vec3){1 + x.z, 2 * x.x, x.x - x.y + 1}));
        }
        sn_measure before = measure(&b);
        sn_blade_def blade = plane(0.03, 0, 0.02, 1, 0, 0.3);
        size_t copies;
        if (solid)
            REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies));
        else
            REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
        CHECK(copies > 5);
        sn_measure after = measure(&b);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(after.momentum[k], before.momentum[k], 1e-5 * before.mass);
            CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k], 1e-3 * before.mass);
        }
        CHECK_REL(after.kinetic_energy, before.kinetic_energy, 2e-3);
        body_free(&b);
    }
}

/* ---- What the library promises ---- */

#ifdef SN_DOUBLE
#define FILE_NAME "tear_smooth_f64.reco"
#else
#define FILE_NAME "tear_smooth.reco"
#endif

static sn_world *world_with(int threads, int lanes) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.simd_width = lanes;
    def.settings.substeps = 4;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* A solid and a cloth that fall, and are cut by a plane and by a blade that takes its time. */
static void add_bodies(sn_world *world, sn_build build[2]) {
    sn_solid_material solid = sn_solid_material_default();
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    cloth.bending_stiffness = (sn_real)1e-4;
    cloth.levels = SN_AUTO;
    def.collide = SN_COLLIDE_ALL;
    for (int k = 0; k < 2; k++) {
        sn_mesh mesh = k ? grid_mesh(1, 1, 10, 10, SN_GRID_SAME)
                         : block_mesh(0.75, 0.5, 0.5, 4, SN_BLOCK_FIVE);
        def.mesh = &mesh;
        def.position = (sn_vec3){0, (sn_real)k, 0};
        REQUIRE_OK(sn_build_body(world, k ? SN_KIND_CLOTH : SN_KIND_SOLID,
                                 k ? (const void *)&cloth : (const void *)&solid, &def, NULL,
                                 &build[k]));
        sn_mesh_free(&mesh);
    }
}

static void cut_and_fall(sn_world *world, const sn_build build[2], int from, int to) {
    sn_blade_def at_once = plane(0.03, 0, 0.02, 1, 0, 0.4), blade = at_once;
    blade.kind = SN_BLADE_SWEEP;
    for (int i = from; i < to; i++) {
        double z = -0.6 + 0.06 * i;
        for (int k = 0; k < 2; k++) {
            blade.from[k] = (sn_vec3){(sn_real)-0.12, (sn_real)(k ? 2 : -2), (sn_real)(z - 0.06)};
            blade.to[k] = (sn_vec3){(sn_real)-0.12, (sn_real)(k ? 2 : -2), (sn_real)z};
        }
        if (i == 2) REQUIRE_OK(sn_tet_mesh_cut(world, build[0].tet_mesh, &at_once, NULL));
        if (i == 3) REQUIRE_OK(sn_sheet_cut(world, build[1].sheet, &at_once, NULL));
        REQUIRE_OK(sn_tet_mesh_cut(world, build[0].tet_mesh, &blade, NULL));
        REQUIRE_OK(sn_sheet_cut(world, build[1].sheet, &blade, NULL));
        REQUIRE_OK(sn_world_step(world, (sn_real)dt));
    }
}

/* The same bits for any number of threads and lanes, from a snapshot in the middle of a cut, and
   from a recording. */
TEST(cuts_are_the_same_again) {
    enum { STEPS = 24, MIDDLE = 11 };
    uint64_t hash = 0;
    for (int way = 0; way < 3; way++) {
        check_case("way %d", way);
        sn_world *world = world_with(way == 1 ? 3 : 1, way == 2 ? 1 : 0);
        sn_build build[2];
        if (way == 0) REQUIRE_OK(sn_recording_start(world, FILE_NAME));
        add_bodies(world, build);
        cut_and_fall(world, build, 0, MIDDLE);
        if (way == 1) {
            size_t size;
            void *data = snapshot_of(world, &size);
            REQUIRE_OK(sn_snapshot_load(world, data, size));
            free(data);
        }
        cut_and_fall(world, build, MIDDLE, STEPS);
        size_t parts;
        REQUIRE_OK(sn_tet_mesh_count_parts(world, build[0].tet_mesh, &parts));
        CHECK(parts == 3);
        if (way == 0) {
            REQUIRE_OK(sn_recording_stop(world));
            hash = sn_world_hash(world);
            sn_world *again = world_with(2, 4);
            sn_replay_report report = {0};
            CHECK_OK(sn_replay_file(again, FILE_NAME, &report));
            CHECK(sn_world_hash(again) == hash);
            sn_world_destroy(again);
            remove(FILE_NAME);
        }
        CHECK(sn_world_hash(world) == hash);
        sn_world_destroy(world);
    }
}

TESTS(RUN(a_sheet_is_cut_along_a_line), RUN(no_cut_makes_slivers),
      RUN(a_solid_is_cut_along_a_plane), RUN(parts_know_what_they_were_part_of), RUN(walls_meet),
      RUN(motion_is_kept), RUN(cuts_are_the_same_again))
