/*
 * What was cut answers as if it had been made so: a body is cut, another one is made from the mesh
 * that this leaves, and both have the same energy wherever they are bent, stretched or dented.
 */
#include "fracture/cut_vertex.h"

#include <math.h>
#include <stdio.h>

#include "parted.h"
#include "torn.h"

enum { SHAPES = 24, MOST_NODES = 600 };

/* 1, how much energies may differ: by rounding; and where nodes were moved, as an edge that lies
   opposite to one keeps its stiffness, whatever becomes of the area beside it. */
static const double exact = 2e-5, snapped_edges = 0.03;

static sn_blade_def plane(double x, double y, double z, double nx, double ny, double nz) {
    sn_blade_def blade = sn_blade_def_default();
    blade.point = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    blade.normal = (sn_vec3){(sn_real)nx, (sn_real)ny, (sn_real)nz};
    return blade;
}

/* ---- Shapes ---- */

/* Where a point of a body is in one of many shapes: the first ones stretch, shear and bend all of
   it, the others dent it near the middle, in one place after the other and in all directions. */
static sn_vec3 shaped(int shape, sn_vec3 at) {
    double x = (double)at.x, y = (double)at.y, z = (double)at.z;
    switch (shape) {
    case 0:
        return (sn_vec3){(sn_real)(1.05 * x), at.y, at.z};
    case 1:
        return (sn_vec3){(sn_real)(x + 0.05 * z), at.y, (sn_real)(0.97 * z)};
    case 2:
        return (sn_vec3){at.x, (sn_real)(y + 0.3 * x * x - 0.2 * x * z), at.z};
    default:
        break;
    }
    double a = 0.04 * (shape % 5 - 2), b = 0.06 * (shape % 7 - 3), c = 0.04 * (shape % 3 - 1);
    double r2 = (x - a) * (x - a) + (z - b) * (z - b) + (y - c) * (y - c);
    double dent = 0.02 * exp(-r2 / 0.01);
    return (sn_vec3){(sn_real)(x + dent * (shape % 2)), (sn_real)(y + dent * (shape % 3)),
                     (sn_real)(z + dent * (shape % 4 - 1))};
}

/* J, of a body whose nodes have come to a shape from where they were. */
static double energy_of(sn_world *world, const sn_node *node, const sn_vec3 *from, size_t count,
                        int shape) {
    sn_measure measure;
    for (size_t i = 0; i < count; i++)
        REQUIRE_OK(sn_node_set_position(world, node[i], shaped(shape, from[i])));
    REQUIRE_OK(sn_world_measure(world, &measure));
    return measure.elastic_energy;
}

static void compare(const body *cut, const sn_node *node, const body *made, double tolerance) {
    for (int shape = 0; shape < SHAPES; shape++) {
        const sn_vec3 *from = made->mesh.positions;
        size_t count = made->mesh.vertex_count;
        double is = energy_of(cut->world, node, from, count, shape);
        double should = energy_of(made->world, made->nodes, from, count, shape);
        CHECK_REL(is, should, tolerance);
    }
}

/* s, over which all of a body is braked: damping over stiffness of every constraint, whatever part
   of another one it was cut from. */
static const double braked = 0.02;

static void check_braking(const body *b) {
    size_t seen = 0;
    for (size_t s = 0; s < b->world->store_count; s++) {
        const sn_store *store = &b->world->store[s];
        for (uint8_t c = 0; c < SN_COLOURS; c++)
            for (uint32_t i = 0; i < store->colour[c].count; i++) {
                const sn_real *parameter = sn_store_parameters(store, (sn_place){c, i});
                double compliance = (double)parameter[SN_PARAMETER_COMPLIANCE];
                if (!(compliance > 0)) continue;
                CHECK_REL(compliance * (double)parameter[SN_PARAMETER_DAMPING], braked, 1e-5);
                seen++;
            }
    }
    if (check_shows()) printf("%zu constraints\n", seen);
}

/* ---- Sheets ---- */

static body make_sheet(sn_mesh mesh, int model, int bending) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = 100;
    cloth.bending_stiffness = bending > 0 ? 10 : 0;
    cloth.bending = bending;
    cloth.stretch_damping = cloth.bending_damping = (sn_real)braked;
    if (model == 1) cloth.area_stiffness = 50;
    cloth.model = model;
    cloth.warp = (sn_vec3){1, 0, (sn_real)0.5};
    if (model > 1) cloth.weft_stiffness = 30;
    return body_make(still_world(1, 0), SN_KIND_CLOTH, &cloth, mesh, NULL);
}

static sn_mesh sheet(double arch) {
    sn_mesh mesh = grid_mesh(1, 1, 8, 7, SN_GRID_SAME);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        sn_vec3 *x = &mesh.positions[i];
        x->y = (sn_real)(arch * ((double)x->x * (double)x->x + 0.5 * (double)x->z));
    }
    return mesh;
}

/* Edges are to be shorter than they were made. */
static void tighten(const body *b, double part) {
    for (size_t i = 0; i < sn_world_constraint_count(b->world, SN_TYPE_COUNT); i++) {
        sn_constraint c;
        sn_type type;
        sn_distance_def def = sn_distance_def_default();
        REQUIRE_OK(sn_world_constraint_at(b->world, i, &c));
        REQUIRE_OK(sn_constraint_get_type(b->world, c, &type));
        if (type != SN_TYPE_DISTANCE) continue;
        REQUIRE_OK(sn_constraint_get(b->world, c, &def));
        def.rest_length *= (sn_real)part;
        REQUIRE_OK(sn_constraint_set(b->world, c, &def));
    }
}

/* Two cuts across each other. */
static void check_sheet(int model, int bending, int way, double tight) {
    body b = make_sheet(sheet(way / 4 * 0.4), model, bending);
    sn_blade_def blade = plane(0.02, 0, 0.01, 1, 0, 0.27);
    sn_node node[MOST_NODES];
    size_t count, copies;
    blade.split = way % 2;
    blade.snap = way / 2 % 2 ? (sn_real)0.2 : 0;
    tighten(&b, tight);
    REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
    CHECK(copies > 3);
    blade.normal = (sn_vec3){(sn_real)-0.4, 0, 1};
    REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
    CHECK(copies > 3);
    check_braking(&b);
    REQUIRE_OK(sn_sheet_get_nodes(b.world, b.build.sheet, node, MOST_NODES, &count));
    body made = make_sheet(sheet_mesh(&b), model, bending);
    tighten(&made, tight);
    CHECK(count == made.mesh.vertex_count);
    compare(&b, node, &made, model == 1 && blade.snap > 0 ? snapped_edges : exact);
    body_free(&made);
    body_free(&b);
}

/* All but the bending of rings, which share what they had. */
TEST(sheets_answer_as_if_they_had_been_made_so) {
    static const int bendings[] = {0, 2, 3};
    for (int model = 1; model <= 3; model++)
        for (int i = 0; i < 3; i++)
            for (int way = 0; way < 8; way++) {
                check_case("model %d, bending %d, way %d", model, bendings[i], way);
                check_sheet(model, bendings[i], way, 1);
            }
}

/* What has another length than its nodes at rest keeps that part of it. */
TEST(tight_sheets_stay_tight) {
    for (int way = 0; way < 8; way++) {
        check_case("way %d", way);
        check_sheet(1, 0, way, 0.9);
    }
}

/* Divided along a disc that is far from the border, and not opened: what bends at vertices goes by
   the area around them there. */
static void check_divided(int model, int bending, int way) {
    sn_mesh mesh = grid_mesh(1, 1, 12, 12, way % 2 ? SN_GRID_SAME : SN_GRID_ALTERNATING);
    body b = make_sheet(mesh, model, bending);
    const uint32_t sheet = b.build.sheet.slot - 1, none = UINT32_MAX;
    sn_blade blade = {.point = {0.02, 0, 0.01}, .normal = {1, 0, 0}, .radius = 0.27};
    double turn = 0.4 * way;
    sn_node node[MOST_NODES];
    size_t count;
    blade.normal = (sn_point){cos(turn), 0, sin(turn)};
    sn_blade_divide(&blade, sn_cut_mean_edge(b.world, sheet, none));
    REQUIRE_OK(sn_cut_divide(b.world, sheet, none, &blade));
    REQUIRE_OK(sn_sheet_get_nodes(b.world, b.build.sheet, node, MOST_NODES, &count));
    CHECK(count > b.mesh.vertex_count + 4);
    body made = make_sheet(sheet_mesh(&b), model, bending);
    compare(&b, node, &made, exact);
    body_free(&made);
    body_free(&b);
}

TEST(divided_sheets_bend_as_if_they_had_been_made_so) {
    for (int bending = 1; bending <= 4; bending++)
        for (int way = 0; way < 6; way++) {
            check_case("bending %d, way %d", bending, way);
            check_divided(1 + way % 3, bending, way);
        }
}

/* ---- Solids ---- */

static body make_solid(sn_mesh mesh, int model) {
    sn_solid_material solid = sn_solid_material_default();
    solid.model = model;
    solid.damping = (sn_real)braked;
    return body_make(still_world(1, 0), SN_KIND_SOLID, &solid, mesh, NULL);
}

static void check_solid(int model, int way) {
    body b = make_solid(block_mesh(0.5, 0.4, 0.3, 3, SN_BLOCK_SIX), model);
    sn_blade_def blade = plane(0.02, 0.01, 0.01, 1, 0.2, 0.3);
    sn_node node[MOST_NODES];
    size_t count, copies;
    blade.split = way % 2;
    blade.snap = way / 2 ? (sn_real)0.2 : 0;
    REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies));
    CHECK(copies > 3);
    blade.normal = (sn_vec3){(sn_real)-0.2, (sn_real)0.9, (sn_real)0.1};
    REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies));
    CHECK(copies > 3);
    check_braking(&b);
    REQUIRE_OK(sn_tet_mesh_get_nodes(b.world, b.build.tet_mesh, node, MOST_NODES, &count));
    body made = make_solid(rest_mesh(&b), model);
    CHECK(count == made.mesh.vertex_count);
    compare(&b, node, &made, model == 1 && blade.snap > 0 ? snapped_edges : exact);
    body_free(&made);
    body_free(&b);
}

TEST(solids_answer_as_if_they_had_been_made_so) {
    for (int model = 0; model < 5; model++)
        for (int way = 0; way < 4; way++) {
            check_case("model %d, way %d", model, way);
            check_solid(model, way);
        }
}

TESTS(RUN(sheets_answer_as_if_they_had_been_made_so), RUN(tight_sheets_stay_tight),
      RUN(divided_sheets_bend_as_if_they_had_been_made_so),
      RUN(solids_answer_as_if_they_had_been_made_so))
