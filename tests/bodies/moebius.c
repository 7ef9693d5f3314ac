/* Cloth with one side: the band of Moebius. */
#include <math.h>
#include <string.h>

#include "bodies/meshed_body.h"

enum { AROUND = 32, ACROSS = 4 };

/* Of the radius 0.4 m and the width 0.2 m; half a turn, or none, which is a ring with two sides. */
static sn_mesh band_mesh(bool turned) {
    sn_mesh mesh = sn_mesh_default();
    for (uint32_t i = 0; i < AROUND; i++)
        for (uint32_t j = 0; j <= ACROSS; j++) {
            double a = 2 * 3.14159265358979323846 * i / AROUND, s = 0.2 * j / ACROSS - 0.1;
            double tilt = turned ? a / 2 : 0, r = 0.4 + s * cos(tilt);
            sn_vec3 x = {(sn_real)(r * cos(a)), (sn_real)(s * sin(tilt)), (sn_real)(r * sin(a))};
            REQUIRE_OK(sn_mesh_add_vertices(&mesh, &x, 1));
        }
    for (uint32_t i = 0; i < AROUND; i++)
        for (uint32_t j = 0; j < ACROSS; j++) {
            bool last = i + 1 == AROUND;
            uint32_t here = i * (ACROSS + 1), there = last ? 0 : here + ACROSS + 1;
            uint32_t p = last && turned ? ACROSS - j : j, q = last && turned ? p - 1 : j + 1;
            const uint32_t both[2][3] = {{here + j, here + j + 1, there + p},
                                         {here + j + 1, there + q, there + p}};
            REQUIRE_OK(sn_mesh_add_triangles(&mesh, both, 2));
        }
    return mesh;
}

static sn_result try_band(bool turned, const sn_cloth_material *cloth, uint32_t flipped) {
    sn_world *world = still_world(20, 0);
    sn_mesh mesh = band_mesh(turned);
    sn_build_def def = sn_build_def_default();
    sn_build build;
    if (flipped > 0) {
        uint32_t *t = mesh.triangles[flipped], first = t[0];
        t[0] = t[1];
        t[1] = first;
    }
    def.mesh = &mesh;
    sn_result result = sn_build_body(world, SN_KIND_CLOTH, cloth, &def, NULL, &build);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
    return result;
}

TEST(one_side_is_a_cloth_too) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.bending_stiffness = (sn_real)1e-4;
    CHECK_OK(try_band(true, &cloth, 0));
    CHECK_OK(try_band(false, &cloth, 0));
    /* However its triangles are turned, it has one side. */
    CHECK_OK(try_band(true, &cloth, 7));
    /* What has two sides must say which is up. */
    CHECK_FAILS(try_band(false, &cloth, 7), SN_ERROR_DEGENERATE);
    CHECK(strstr(sn_last_error(), "face different sides") != NULL);
    cloth.pressure = 1;
    CHECK_FAILS(try_band(true, &cloth, 0), SN_ERROR_DEGENERATE);
    CHECK(strstr(sn_last_error(), "has one") != NULL);
}

/* It falls on the floor and lies there, with all of it above and nothing passing through. */
TEST(a_band_lies_on_the_floor) {
    sn_cloth_material cloth;
    REQUIRE_OK(sn_preset_get(SN_KIND_CLOTH, "leather", &cloth));
    cloth.thickness = (sn_real)0.01;
    sn_world_def world_def = sn_world_def_default();
    world_def.settings.damping = 1;
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    sn_collider_def floor_def = sn_collider_def_default();
    sn_collider ground;
    floor_def.shape = SN_SHAPE_PLANE;
    REQUIRE_OK(sn_collider_create(world, &floor_def, &ground));
    sn_build_def def = sn_build_def_default();
    def.collide = SN_COLLIDE_ALL;
    def.position.y = (sn_real)0.2;
    body b = body_make(world, SN_KIND_CLOTH, &cloth, band_mesh(true), &def);
    body_run(&b, 90, 1.0 / 60);
    size_t crossings = 1;
    double fastest = 0, lowest = 1;
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        body_position(&b, i, x);
        sn_vec4 v = view.velocity[b.nodes[i].slot - 1];
        lowest = fmin(lowest, x[1]);
        fastest = fmax(fastest, hypot(hypot((double)v.x, (double)v.y), (double)v.z));
    }
    CHECK(lowest > 0.0049);
    CHECK(lowest < 0.0055);
    CHECK(fastest < 0.05);
    CHECK_OK(sn_world_count_crossings(world, &crossings));
    CHECK(crossings == 0);
    body_free(&b);
}

TESTS(RUN(one_side_is_a_cloth_too), RUN(a_band_lies_on_the_floor))
