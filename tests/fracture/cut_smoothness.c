/* How smooth the cut through a soft organ is, for docs/solids.md. */
#include <sinew/sinew.h>
#include <sinew_io/scene.h>

#include <math.h>
#include <stdlib.h>

#include "check.h"

typedef struct look {
    double roughness; /* 1, of nodes that were split, from the plane, over the mean edge before */
    double ratio;     /* 1, the lowest mean ratio of a tet */
} look;

/* The organ at rest, cut by a plane. */
static look cut_organ(const double normal[3], double snap, bool split) {
    sn_scene_def def = sn_scene_def_default();
    sn_blade_def blade = sn_blade_def_default();
    sn_mesh mesh = sn_mesh_default();
    sn_scene *scene = NULL;
    sn_tet_quality quality;
    sn_tet_mesh tet_mesh;
    size_t nodes, tets, split_nodes = 0;
    double edge = 0, sum = 0;
    def.path = SCENES "/liver.json";
    REQUIRE_OK(sn_scene_open(&def, &scene));
    sn_world *world = sn_scene_world(scene);
    REQUIRE_OK(sn_world_tet_mesh_at(world, 0, &tet_mesh));
    for (int after = 0; after < 2; after++) {
        sn_mesh_free(&mesh);
        REQUIRE_OK(sn_tet_mesh_get_nodes(world, tet_mesh, NULL, 0, &nodes));
        REQUIRE_OK(sn_tet_mesh_get_tets(world, tet_mesh, NULL, 0, &tets));
        uint32_t(*tet)[4] = calloc(tets, sizeof *tet);
        if (!tet) abort();
        REQUIRE_OK(sn_mesh_add_vertices(&mesh, NULL, nodes));
        REQUIRE_OK(sn_tet_mesh_get_rest(world, tet_mesh, mesh.positions, nodes, &nodes));
        REQUIRE_OK(sn_tet_mesh_get_tets(world, tet_mesh, *tet, tets, &tets));
        REQUIRE_OK(sn_mesh_add_tets(&mesh, (const uint32_t(*)[4])tet, tets));
        for (size_t i = 0; !after && i < 6 * tets; i++) {
            static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
            sn_vec3 a = mesh.positions[tet[i / 6][ends[i % 6][0]]];
            sn_vec3 b = mesh.positions[tet[i / 6][ends[i % 6][1]]];
            double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
            double z = (double)a.z - (double)b.z;
            edge += sqrt(x * x + y * y + z * z) / (6 * (double)tets);
        }
        free(tet);
        blade.point = (sn_vec3){0, (sn_real)0.302, 0};
        blade.normal = (sn_vec3){(sn_real)normal[0], (sn_real)normal[1], (sn_real)normal[2]};
        blade.snap = (sn_real)snap;
        blade.split = split;
        if (!after) REQUIRE_OK(sn_tet_mesh_cut(world, tet_mesh, &blade, NULL));
    }
    uint32_t *origin = calloc(nodes, sizeof *origin);
    if (!origin) abort();
    REQUIRE_OK(sn_tet_mesh_get_origins(world, tet_mesh, origin, nodes, &nodes));
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (size_t i = 0; i < nodes; i++) {
        if (origin[i] == i) continue;
        sn_vec3 x = mesh.positions[i];
        double h = ((double)x.x * normal[0] + ((double)x.y - 0.302) * normal[1] +
                    (double)x.z * normal[2]) /
                   length;
        sum += h * h;
        split_nodes++;
    }
    free(origin);
    CHECK(split_nodes > 50);
    REQUIRE_OK(sn_mesh_quality(&mesh, &quality));
    sn_mesh_free(&mesh);
    sn_scene_close(scene);
    return (look){sqrt(sum / (double)split_nodes) / edge, (double)quality.lowest_ratio};
}

/* `--show` prints the numbers. */
TEST(an_organ_is_cut_smoothly) {
    static const double normal[][3] = {{0, 1, 0}, {0.3, 1, 0.2}, {1, 0.1, 0}};
    static const double snap[] = {0, 0.5, 0, 0.3};
    static const double most[] = {0.4, 0.36, 0.08, 0.04};
    for (size_t i = 0; i < sizeof normal / sizeof normal[0]; i++)
        for (int way = 0; way < 4; way++) {
            check_case("normal %zu, snap %g, %s", i, snap[way], way > 1 ? "split" : "as it is");
            look l = cut_organ(normal[i], snap[way], way > 1);
            CHECK_NEAR(l.roughness, 0, most[way]);
            CHECK_NEAR(l.ratio, 1, 0.9);
        }
}

TESTS(RUN(an_organ_is_cut_smoothly))
