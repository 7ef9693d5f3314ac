/*
 * What cuts leave of a body: every node has its share of the mass of the elements around it and of
 * the forces, threads run as they ran, and folds stay where they are.
 */
#include "fracture/cut_vertex.h"

#include <math.h>
#include <stdlib.h>

#include "parted.h"
#include "torn.h"

static const double area_density = 0.2, density = 700;

static sn_blade_def plane(double x, double y, double z, double nx, double ny, double nz) {
    sn_blade_def blade = sn_blade_def_default();
    blade.point = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    blade.normal = (sn_vec3){(sn_real)nx, (sn_real)ny, (sn_real)nz};
    return blade;
}

static sn_cloth_material cloth_of(int model) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.area_density = (sn_real)area_density;
    cloth.stretch_stiffness = 100;
    cloth.model = model;
    return cloth;
}

static body make_sheet(int model) {
    sn_cloth_material cloth = cloth_of(model);
    cloth.warp = (sn_vec3){1, 0, (sn_real)0.5};
    if (model > 1) cloth.weft_stiffness = 30;
    return body_make(still_world(1, 0), SN_KIND_CLOTH, &cloth, grid_mesh(1, 1, 7, 6, SN_GRID_SAME),
                     NULL);
}

static body make_block(void) {
    sn_solid_material solid = sn_solid_material_default();
    solid.density = (sn_real)density;
    return body_make(still_world(1, 0), SN_KIND_SOLID, &solid,
                     block_mesh(0.5, 0.4, 0.3, 3, SN_BLOCK_SIX), NULL);
}

static double mass_of(const body *b, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(b->world, node, &def));
    return 1 / (double)def.inverse_mass;
}

typedef struct point {
    double x, y, z;
} point;

static point point_of(sn_vec3 a) {
    return (point){(double)a.x, (double)a.y, (double)a.z};
}

static point minus(point a, point b) {
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static point cross(point a, point b) {
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(point a, point b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* ---- Masses ---- */

/* Of triangles a third, of tets a quarter. */
static void check_masses(const body *b, const sn_mesh *mesh, const sn_node *node, bool solid) {
    double *mass = calloc(mesh->vertex_count, sizeof *mass);
    if (!mass) abort();
    size_t count = solid ? mesh->tet_count : mesh->triangle_count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *v = solid ? mesh->tets[i] : mesh->triangles[i];
        point p = point_of(mesh->positions[v[0]]);
        point n = cross(minus(point_of(mesh->positions[v[1]]), p),
                        minus(point_of(mesh->positions[v[2]]), p));
        double share = area_density * sqrt(dot(n, n)) / 6;
        if (solid) share = density * fabs(dot(n, minus(point_of(mesh->positions[v[3]]), p))) / 24;
        for (int k = 0; k < (solid ? 4 : 3); k++) mass[v[k]] += share;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) CHECK_REL(mass_of(b, node[i]), mass[i], 1e-3);
    free(mass);
}

TEST(nodes_of_sheets_have_the_mass_of_what_is_around_them) {
    for (int i = 0; i < 6; i++) {
        body b = make_sheet(1);
        sn_blade_def blade = plane(0.02, 0, 0.01, 1, 0, 0.1 + 0.2 * i);
        size_t copies, nodes;
        sn_node list[400];
        blade.snap = (sn_real)(0.1 * (i % 5));
        blade.split = i % 2;
        check_case("%d: snap %g", i, (double)blade.snap);
        REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
        CHECK(copies > 3);
        sn_mesh mesh = sheet_mesh(&b);
        REQUIRE_OK(sn_sheet_get_nodes(b.world, b.build.sheet, list, 400, &nodes));
        CHECK(nodes == mesh.vertex_count);
        check_masses(&b, &mesh, list, false);
        sn_mesh_free(&mesh);
        body_free(&b);
    }
}

TEST(nodes_of_solids_have_the_mass_of_what_is_around_them) {
    for (int i = 0; i < 4; i++) {
        body b = make_block();
        sn_blade_def blade = plane(0.02, 0.01, 0.01, 1, 0.2, 0.1 + 0.2 * i);
        size_t copies, nodes;
        sn_node list[400];
        blade.snap = (sn_real)(0.1 * i);
        blade.split = i % 2;
        check_case("%d: snap %g", i, (double)blade.snap);
        REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies));
        CHECK(copies > 3);
        sn_mesh mesh = rest_mesh(&b);
        REQUIRE_OK(sn_tet_mesh_get_nodes(b.world, b.build.tet_mesh, list, 400, &nodes));
        CHECK(nodes == mesh.vertex_count);
        check_masses(&b, &mesh, list, true);
        sn_mesh_free(&mesh);
        body_free(&b);
    }
}

/* Where one end of every edge that is divided is held, nodes between are as fast as the place where
   they are. */
TEST(nodes_beside_held_ones_are_like_those_between) {
    for (int i = 0; i < 8; i++) {
        body b = make_sheet(1);
        bool left = i % 2;
        const uint32_t sheet = b.build.sheet.slot - 1, none = UINT32_MAX;
        double length = hypot(1, 0.1 * i);
        sn_blade cut = {.point = {0.02, 0, 0.01}, .normal = {1 / length, 0, 0.1 * i / length}};
        sn_node list[400];
        size_t nodes;
        cut.radius = INFINITY;
        for (size_t k = 0; k < b.mesh.vertex_count; k++) {
            point x = point_of(b.mesh.positions[k]);
            sn_vec3 v = {(sn_real)(3 * x.x - x.z), (sn_real)(2 * x.z), (sn_real)(1 + x.x)};
            bool beyond = (x.x - 0.02) + 0.1 * i * (x.z - 0.01) > 0;
            REQUIRE_OK(sn_node_set_velocity(b.world, b.nodes[k], v));
            if (beyond == left) REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[k], 0));
        }
        check_case("%d", i);
        sn_blade_divide(&cut, sn_cut_mean_edge(b.world, sheet, none));
        REQUIRE_OK(sn_cut_divide(b.world, sheet, none, &cut));
        sn_mesh mesh = sheet_mesh(&b);
        REQUIRE_OK(sn_sheet_get_nodes(b.world, b.build.sheet, list, 400, &nodes));
        CHECK(nodes > b.mesh.vertex_count + 5);
        for (size_t k = b.mesh.vertex_count; k < nodes; k++) {
            sn_node_def def = sn_node_def_default();
            REQUIRE_OK(sn_node_get(b.world, list[k], &def));
            point x = point_of(mesh.positions[k]), v = point_of(def.velocity);
            CHECK_NEAR(v.x, 3 * x.x - x.z, 1e-5);
            CHECK_NEAR(v.y, 2 * x.z, 1e-5);
            CHECK_NEAR(v.z, 1 + x.x, 1e-5);
        }
        sn_mesh_free(&mesh);
        body_free(&b);
    }
}

/* However fast and heavy its ends are, a node between them takes over what it needs of them. */
TEST(division_keeps_momentum) {
    for (int solid = 0; solid < 2; solid++) {
        body b = solid ? make_block() : make_sheet(1);
        const uint32_t none = UINT32_MAX, sheet = solid ? none : b.build.sheet.slot - 1;
        const uint32_t tets = solid ? b.build.tet_mesh.slot - 1 : none;
        sn_blade cut = {.point = {0.02, 0.01, 0.01}, .normal = {1, 0, 0}, .radius = INFINITY};
        sn_measure before, after;
        unsigned seed = 7;
        for (size_t k = 0; k < b.mesh.vertex_count; k++) {
            double r[4];
            for (int n = 0; n < 4; n++) {
                seed = seed * 1664525u + 1013904223u;
                r[n] = (double)(seed >> 8) / 16777216.0;
            }
            sn_vec3 v = {(sn_real)(r[0] - 0.5), (sn_real)r[1], (sn_real)(r[2] - 0.2)};
            REQUIRE_OK(sn_node_set_velocity(b.world, b.nodes[k], v));
            REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[k], (sn_real)(1 + 9 * r[3])));
        }
        REQUIRE_OK(sn_world_measure(b.world, &before));
        sn_blade_divide(&cut, sn_cut_mean_edge(b.world, sheet, tets));
        REQUIRE_OK(sn_cut_divide(b.world, sheet, tets, &cut));
        REQUIRE_OK(sn_world_measure(b.world, &after));
        check_case(solid ? "solid" : "sheet");
        CHECK_REL(after.mass, before.mass, 1e-5);
        for (int axis = 0; axis < 3; axis++)
            CHECK_NEAR(after.momentum[axis], before.momentum[axis], 1e-5 * before.mass);
        CHECK(after.kinetic_energy < before.kinetic_energy);
        body_free(&b);
    }
}

/* Whoever is made is damped with those that it was made from, in all groups that have them. */
TEST(damping_groups_have_all_nodes_of_what_is_cut) {
    for (int way = 0; way < 4; way++) {
        bool solid = way / 2;
        body b = solid ? make_block() : make_sheet(1);
        sn_blade_def blade = plane(0.02, 0.01, 0.01, 1, 0, 0.3);
        sn_damping_group group[3];
        sn_damping_group_def def = sn_damping_group_def_default();
        sn_node list[400];
        size_t copies, nodes;
        def.nodes = b.nodes;
        for (int i = 0; i < 3; i++) {
            def.node_count = i == 1 ? 2 : b.mesh.vertex_count;
            REQUIRE_OK(sn_damping_group_create(b.world, &def, &group[i]));
        }
        blade.split = way % 2;
        if (solid) {
            REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies));
            REQUIRE_OK(sn_tet_mesh_get_nodes(b.world, b.build.tet_mesh, list, 400, &nodes));
        } else {
            REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
            REQUIRE_OK(sn_sheet_get_nodes(b.world, b.build.sheet, list, 400, &nodes));
        }
        check_case("way %d", way);
        CHECK(nodes > b.mesh.vertex_count + 3);
        for (int i = 0; i < 3; i++) {
            REQUIRE_OK(sn_damping_group_get(b.world, group[i], &def));
            CHECK(i == 1 ? def.node_count == 2 : def.node_count == nodes);
            for (size_t k = 0; k < nodes && i != 1; k++) {
                size_t found = 0;
                for (size_t n = 0; n < def.node_count; n++)
                    found += def.nodes[n].slot == list[k].slot;
                CHECK(found == 1);
            }
        }
        body_free(&b);
    }
}

/* Levels know all nodes of a sheet that is cut where these are at rest, moved onto the cut or made
   there, and every edge by the distance there. */
TEST(levels_know_where_nodes_are_at_rest) {
    for (int way = 0; way < 4; way++) {
        body b = make_sheet(1);
        sn_blade_def blade = plane(0.02, 0.01, 0.01, 1, 0, 0.3);
        sn_hierarchy_def def = sn_hierarchy_def_default();
        sn_hierarchy levels;
        sn_node list[400];
        sn_vec3 rest[400];
        size_t copies, nodes, moved = 0;
        def.nodes = b.nodes;
        def.node_count = b.mesh.vertex_count;
        def.triangles = *b.mesh.triangles;
        def.triangle_count = b.mesh.triangle_count;
        def.rest = b.mesh.positions;
        REQUIRE_OK(sn_hierarchy_create(b.world, &def, &levels));
        blade.split = way % 2;
        blade.snap = way / 2 ? (sn_real)0.3 : 0;
        REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
        REQUIRE_OK(sn_sheet_get_nodes(b.world, b.build.sheet, list, 400, &nodes));
        REQUIRE_OK(sn_sheet_get_rest(b.world, b.build.sheet, rest, 400, &nodes));
        REQUIRE_OK(sn_hierarchy_get(b.world, levels, &def));
        check_case("way %d", way);
        CHECK(def.node_count == nodes && nodes > b.mesh.vertex_count);
        for (size_t i = 0; i < def.node_count; i++) {
            size_t k = 0;
            while (k < nodes && list[k].slot != def.nodes[i].slot) k++;
            if (!CHECK(k < nodes)) break;
            point away = minus(point_of(def.rest[i]), point_of(rest[k]));
            CHECK_NEAR(hypot(hypot(away.x, away.y), away.z), 0, 1e-6);
            if (k >= b.mesh.vertex_count) continue;
            away = minus(point_of(rest[k]), point_of(b.mesh.positions[k]));
            moved += hypot(hypot(away.x, away.y), away.z) > 1e-3;
        }
        CHECK((moved > 2) == (way / 2 > 0));
        for (size_t i = 0; i < def.edge_count; i++) {
            const uint32_t *ends = &def.edges[2 * i];
            point along = minus(point_of(def.rest[ends[0]]), point_of(def.rest[ends[1]]));
            CHECK_REL(def.lengths[i], hypot(hypot(along.x, along.y), along.z), 1e-4);
        }
        body_free(&b);
    }
}

/* ---- What nodes have beside ---- */

/* Linear over the sheet before, and so after. */
TEST(air_and_strength_are_as_they_were) {
    for (int way = 0; way < 2; way++) {
        body b = make_sheet(1);
        sn_blade_def blade = plane(0.02, 0, 0.01, 1, 0, 0.3);
        sn_real drag[400], lift[400], strength[400];
        sn_vec3 rest[400];
        size_t copies, count;
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            point x = point_of(b.mesh.positions[i]);
            drag[i] = (sn_real)(4 + x.x);
            lift[i] = (sn_real)(1 + x.z);
            strength[i] = (sn_real)(1 + 0.5 * x.x - x.z);
        }
        count = b.mesh.vertex_count;
        REQUIRE_OK(sn_sheet_set_air(b.world, b.build.sheet, drag, lift, count));
        REQUIRE_OK(sn_sheet_set_strength(b.world, b.build.sheet, strength, count));
        blade.split = way;
        REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
        REQUIRE_OK(sn_sheet_get_rest(b.world, b.build.sheet, rest, 400, &count));
        CHECK(count > b.mesh.vertex_count + 3);
        REQUIRE_OK(sn_sheet_get_air(b.world, b.build.sheet, drag, lift, 400, &count));
        REQUIRE_OK(sn_sheet_get_strength(b.world, b.build.sheet, strength, 400, &count));
        check_case("way %d", way);
        for (size_t i = 0; i < count; i++) {
            point x = point_of(rest[i]);
            CHECK_NEAR(drag[i], 4 + x.x, 1e-5);
            CHECK_NEAR(lift[i], 1 + x.z, 1e-5);
            CHECK_NEAR(strength[i], 1 + 0.5 * x.x - x.z, 1e-5);
        }
        body_free(&b);
    }
}

/* Whoever lies on the border of a block or of a sheet stays there when it is moved onto a cut. */
TEST(borders_stay_where_they_are) {
    for (int i = 0; i < 24; i++) {
        bool solid = i < 16;
        body b = solid ? make_block() : make_sheet(1);
        sn_blade_def blade =
            plane(0.03, 0.02, 0.01, 1, solid ? 0.4 * (i % 4) - 0.5 : 0, 0.3 * (i / 4) - 0.4);
        const double half[3] = {solid ? 0.25 : 0.5, solid ? 0.2 : 0, solid ? 0.15 : 0.5};
        sn_vec3 rest[400];
        size_t copies, count;
        blade.snap = (sn_real)0.45;
        check_case("%s %d", solid ? "block" : "sheet", i);
        if (solid) {
            REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies));
            REQUIRE_OK(sn_tet_mesh_get_rest(b.world, b.build.tet_mesh, rest, 400, &count));
        } else {
            REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
            REQUIRE_OK(sn_sheet_get_rest(b.world, b.build.sheet, rest, 400, &count));
        }
        for (size_t k = 0; k < b.mesh.vertex_count; k++) {
            point was = point_of(b.mesh.positions[k]), is = point_of(rest[k]);
            if (fabs(was.x) > half[0] - 1e-4) CHECK_NEAR(is.x, was.x, 1e-4);
            if (fabs(was.y) > half[1] - 1e-4) CHECK_NEAR(is.y, was.y, 1e-4);
            if (fabs(was.z) > half[2] - 1e-4) CHECK_NEAR(is.z, was.z, 1e-4);
        }
        body_free(&b);
    }
}

/* Nor do those of a ball leave it, which has a corner nowhere: they are moved along it, as those
   within are moved freely. */
TEST(nodes_of_a_round_border_slide_along_it) {
    sn_solid_material solid = sn_solid_material_default();
    sn_mesh mesh = block_mesh(0.4, 0.4, 0.4, 5, SN_BLOCK_SIX);
    sn_blade_def blade = plane(0.01, 0.02, 0.013, 1, 0.2, 0.3);
    sn_vec3 rest[600];
    size_t copies, count, moved = 0;
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        point x = point_of(mesh.positions[i]);
        double far = sqrt(dot(x, x)), most = fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z)));
        double by = far > 0 ? most / far : 1;
        mesh.positions[i] =
            (sn_vec3){(sn_real)(by * x.x), (sn_real)(by * x.y), (sn_real)(by * x.z)};
    }
    body b = body_make(still_world(1, 0), SN_KIND_SOLID, &solid, mesh, NULL);
    blade.snap = (sn_real)0.45;
    REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies));
    REQUIRE_OK(sn_tet_mesh_get_rest(b.world, b.build.tet_mesh, rest, 600, &count));
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        point was = point_of(b.mesh.positions[i]), is = point_of(rest[i]), way = minus(is, was);
        if (sqrt(dot(was, was)) < 0.2 - 1e-4) continue;
        CHECK_NEAR(sqrt(dot(is, is)), 0.2, 0.01);
        moved += sqrt(dot(way, way)) > 1e-4;
    }
    check_case("%zu moved", moved);
    CHECK(moved > 10);
    body_free(&b);
}

/* ---- What cannot follow ---- */

/* How many vertices of the mesh are elsewhere at rest after a cut onto which nodes are moved. */
static size_t count_moved(const body *b, double nx, double ny) {
    sn_blade_def blade = plane(0.01, 0.02, 0.013, nx, ny, 0.05);
    sn_vec3 before[200], after[400];
    size_t copies, count, all, moved = 0;
    blade.snap = (sn_real)0.4;
    if (b->build.tet_mesh.slot) {
        sn_tet_mesh mesh = b->build.tet_mesh;
        REQUIRE_OK(sn_tet_mesh_get_rest(b->world, mesh, before, 200, &count));
        REQUIRE_OK(sn_tet_mesh_cut(b->world, mesh, &blade, &copies));
        REQUIRE_OK(sn_tet_mesh_get_rest(b->world, mesh, after, 400, &all));
    } else {
        sn_sheet sheet = b->build.sheet;
        REQUIRE_OK(sn_sheet_get_rest(b->world, sheet, before, 200, &count));
        REQUIRE_OK(sn_sheet_cut(b->world, sheet, &blade, &copies));
        REQUIRE_OK(sn_sheet_get_rest(b->world, sheet, after, 400, &all));
    }
    CHECK(copies > 3);
    for (size_t i = 0; i < count; i++) {
        point way = minus(point_of(after[i]), point_of(before[i]));
        moved += sqrt(dot(way, way)) > 1e-4;
    }
    return moved;
}

/* Where a node is held is not part of its sheet: it stays there. */
TEST(attached_nodes_are_not_moved_onto_the_cut) {
    for (int attached = 0; attached < 2; attached++) {
        body b = make_sheet(1);
        for (size_t k = 0; k < b.mesh.vertex_count && attached; k++) {
            sn_attachment_def def = sn_attachment_def_default();
            sn_constraint made;
            def.node[0] = b.nodes[k];
            REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_ATTACHMENT, &def, &made));
        }
        size_t moved = count_moved(&b, 1, 0);
        check_case("%s, %zu moved", attached ? "attached" : "free", moved);
        CHECK(attached ? moved == 0 : moved > 3);
        body_free(&b);
    }
}

/* A lining was measured where the sheet was not at rest: what it has elsewhere is not known. */
TEST(lined_nodes_are_not_moved_onto_the_cut) {
    for (int lined = 0; lined < 2; lined++) {
        body b = make_sheet(1);
        for (size_t k = 0; k < b.mesh.vertex_count; k++) {
            sn_vec3 x = b.mesh.positions[k];
            x.x *= (sn_real)1.05;
            REQUIRE_OK(sn_node_set_position(b.world, b.nodes[k], x));
        }
        for (size_t k = 0; k < b.mesh.triangle_count && lined; k++) {
            sn_elastic_triangle_def def = sn_elastic_triangle_def_default();
            sn_constraint made;
            for (int n = 0; n < 3; n++) def.node[n] = b.nodes[b.mesh.triangles[k][n]];
            REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_ELASTIC_TRIANGLE, &def, &made));
        }
        size_t moved = count_moved(&b, 1, 0);
        check_case("%s, %zu moved", lined ? "lined" : "plain", moved);
        CHECK(lined ? moved == 0 : moved > 2);
        body_free(&b);
    }
}

/* ---- Forces ---- */

/* A force on every node, by its mass: all of them are as fast after a step, copies too. */
TEST(forces_go_with_the_copies) {
    for (int solid = 0; solid < 2; solid++) {
        body b = solid ? make_block() : make_sheet(1);
        sn_blade_def blade = plane(0.02, 0.01, 0.01, 1, 0, 0.3);
        const double a[3] = {3, -5, 7}, dt = 1.0 / 64;
        size_t copies;
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            double m = mass_of(&b, b.nodes[i]);
            sn_vec3 force = {(sn_real)(m * a[0]), (sn_real)(m * a[1]), (sn_real)(m * a[2])};
            REQUIRE_OK(sn_node_add_force(b.world, b.nodes[i], force));
        }
        REQUIRE_OK(solid ? sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies)
                         : sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
        CHECK(copies > 3);
        body_run(&b, 1, dt);
        sn_node_view view;
        REQUIRE_OK(sn_world_nodes(b.world, &view));
        for (size_t i = 0; i < view.count; i++) {
            if (!view.alive[i]) continue;
            check_case("%s, node %zu", solid ? "solid" : "sheet", i);
            CHECK_NEAR(view.velocity[i].x, a[0] * dt, 1e-3);
            CHECK_NEAR(view.velocity[i].y, a[1] * dt, 1e-3);
            CHECK_NEAR(view.velocity[i].z, a[2] * dt, 1e-3);
        }
        body_free(&b);
    }
}

/* ---- Threads of a cloth ---- */

static point place_of(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return point_of(def.position);
}

/* The angle of the warp is from the first edge of each triangle, which is another one where a
   triangle was divided. */
TEST(the_warp_runs_as_it_did) {
    for (int model = 2; model <= 3; model++) {
        body b = make_sheet(model);
        sn_blade_def blade = plane(0.02, 0, 0.01, 1, 0, 0.37);
        size_t copies, found = 0;
        blade.split = true;
        blade.snap = (sn_real)0.2;
        REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
        for (size_t slot = 0; slot < 4096; slot++) {
            sn_constraint constraint;
            sn_strain_triangle_def def = sn_strain_triangle_def_default();
            sn_elastic_triangle_def other = sn_elastic_triangle_def_default();
            if (sn_world_constraint_at(b.world, slot, &constraint) != SN_OK) continue;
            sn_result got = model == 2 ? sn_constraint_get(b.world, constraint, &def)
                                       : sn_constraint_get(b.world, constraint, &other);
            if (got != SN_OK) continue;
            const sn_node *node = model == 2 ? def.node : other.node;
            double angle = (double)(model == 2 ? def.warp_angle : other.warp_angle);
            point o = place_of(b.world, node[0]), e = minus(place_of(b.world, node[1]), o);
            point f = minus(place_of(b.world, node[2]), o), n = cross(e, f), u = cross(n, e);
            double el = sqrt(dot(e, e)), ul = sqrt(dot(u, u));
            point w = {cos(angle) * e.x / el + sin(angle) * u.x / ul,
                       cos(angle) * e.y / el + sin(angle) * u.y / ul,
                       cos(angle) * e.z / el + sin(angle) * u.z / ul};
            check_case("model %d, constraint %zu: %g %g %g", model, slot, w.x, w.y, w.z);
            CHECK_NEAR(fabs(w.x), 1 / sqrt(1.25), 1e-4);
            CHECK_NEAR(fabs(w.z), 0.5 / sqrt(1.25), 1e-4);
            CHECK(w.x * w.z > 0);
            found++;
        }
        CHECK(found > 84);
        body_free(&b);
    }
}

/* ---- Folds ---- */

/* A roof: what is moved onto the cut stays in its surface, so that this stays as large as it was
   and no vertex of the ridge leaves it. */
TEST(folds_stay_where_they_are) {
    sn_mesh mesh = grid_mesh(1, 1, 8, 8, SN_GRID_SAME);
    sn_cloth_material cloth = cloth_of(1);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        sn_vec3 *x = &mesh.positions[i];
        x->y = -(sn_real)fabs((double)x->x);
    }
    body b = body_make(still_world(1, 0), SN_KIND_CLOTH, &cloth, mesh, NULL);
    sn_blade_def blade = plane(0, 0, 0.03, 0.15, 0, 1);
    size_t copies;
    blade.snap = (sn_real)0.4;
    REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
    sn_mesh cut = sheet_mesh(&b);
    double area = 0;
    for (size_t i = 0; i < cut.triangle_count; i++) {
        const uint32_t *v = cut.triangles[i];
        point p = point_of(cut.positions[v[0]]);
        point n =
            cross(minus(point_of(cut.positions[v[1]]), p), minus(point_of(cut.positions[v[2]]), p));
        area += sqrt(dot(n, n)) / 2;
    }
    CHECK_REL(area, sqrt(2), 1e-5);
    for (size_t i = 0; i < cut.vertex_count; i++)
        CHECK_NEAR(cut.positions[i].y, -fabs((double)cut.positions[i].x), 1e-5);
    CHECK(copies > 3);
    sn_mesh_free(&cut);
    body_free(&b);
}

TESTS(RUN(levels_know_where_nodes_are_at_rest), RUN(nodes_of_a_round_border_slide_along_it),
      RUN(nodes_of_sheets_have_the_mass_of_what_is_around_them),
      RUN(nodes_of_solids_have_the_mass_of_what_is_around_them),
      RUN(nodes_beside_held_ones_are_like_those_between), RUN(division_keeps_momentum),
      RUN(damping_groups_have_all_nodes_of_what_is_cut), RUN(air_and_strength_are_as_they_were),
      RUN(borders_stay_where_they_are), RUN(attached_nodes_are_not_moved_onto_the_cut),
      RUN(lined_nodes_are_not_moved_onto_the_cut), RUN(forces_go_with_the_copies),
      RUN(the_warp_runs_as_it_did), RUN(folds_stay_where_they_are))
