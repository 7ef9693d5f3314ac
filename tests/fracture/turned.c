/*
 * Cuts and tears do not depend on how a body is turned, neither where it is now nor where it was at
 * rest: each is made twice, the second time with both turned about axes that are none of the
 * world's, and what is left is the same but for that.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parted.h"
#include "torn.h"

enum { SHAPES = 6, MOST_NODES = 800, MOST_ELEMENTS = 2400 };

/* ---- How it is turned ---- */

typedef struct turn {
    double axis[3], angle; /* of length 1; rad */
    double shift[3];       /* m */
} turn;

/* Of the body at rest and of the body as it is now; the first is as it was made. */
typedef struct turns {
    turn rest, now;
} turns;

static const turns as_made = {{.axis = {1, 0, 0}}, {.axis = {1, 0, 0}}};
static const turns turned_now = {{.axis = {1, 0, 0}},
                                 {{-2.0 / 7, 3.0 / 7, 6.0 / 7}, 2.3, {-0.5, 0.25, 0.75}}};
static const turns both_turned = {
    {{2.0 / 3, -1.0 / 3, 2.0 / 3}, 1.1, {0.25, -0.5, 0.125}},
    {{-2.0 / 7, 3.0 / 7, 6.0 / 7}, 2.3, {-0.5, 0.25, 0.75}},
};

static sn_vec3 vec3(double x, double y, double z) {
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
}

/* Of a direction. */
static sn_vec3 rotated(const turn *t, sn_vec3 v) {
    double a[3] = {(double)v.x, (double)v.y, (double)v.z}, c = cos(t->angle), s = sin(t->angle);
    const double *k = t->axis;
    double along = (1 - c) * (k[0] * a[0] + k[1] * a[1] + k[2] * a[2]);
    return vec3(c * a[0] + s * (k[1] * a[2] - k[2] * a[1]) + along * k[0],
                c * a[1] + s * (k[2] * a[0] - k[0] * a[2]) + along * k[1],
                c * a[2] + s * (k[0] * a[1] - k[1] * a[0]) + along * k[2]);
}

/* Of a place. */
static sn_vec3 placed(const turn *t, sn_vec3 v) {
    sn_vec3 r = rotated(t, v);
    return vec3((double)r.x + t->shift[0], (double)r.y + t->shift[1], (double)r.z + t->shift[2]);
}

static double distance(sn_vec3 a, sn_vec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    return hypot(hypot(x, y), (double)a.z - (double)b.z);
}

/* ---- Bodies ---- */

/* No two edges of it are alike, so that nothing is decided by rounding. */
static void disorder(sn_mesh *mesh, double size) {
    unsigned seed = 12345;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double r[3];
        for (int k = 0; k < 3; k++) {
            seed = seed * 1103515245 + 12345;
            r[k] = size * ((double)(seed >> 16 & 0x7fff) / 0x7fff - 0.5);
        }
        sn_vec3 x = mesh->positions[i];
        mesh->positions[i] = vec3((double)x.x + r[0], (double)x.y + r[1], (double)x.z + r[2]);
    }
}

/* Where a point at rest is in one of some shapes: two of all of it, and dents of the middle. */
static sn_vec3 shaped(int shape, sn_vec3 at) {
    double x = (double)at.x, y = (double)at.y, z = (double)at.z;
    if (shape == 0) return vec3(1.05 * x, y + 0.1 * z * z, z + 0.03 * x);
    if (shape == 1) return vec3(x + 0.04 * z, y + 0.3 * x * x - 0.2 * x * z, 0.97 * z);
    double a = 0.06 * (shape % 3 - 1), b = 0.08 * (shape % 4 - 1.5);
    double dent = 0.03 * exp(-((x - a) * (x - a) + (z - b) * (z - b) + y * y) / 0.02);
    return vec3(x + dent * (shape % 2), y + dent, z + dent * (shape % 4 - 1));
}

/* Gives the vertices, whose places at rest were these before anything was turned, a shape. */
static void set_shape(const body *b, const turns *t, const sn_node *node, const sn_vec3 *rest,
                      size_t count, int shape) {
    for (size_t i = 0; i < count; i++)
        REQUIRE_OK(
            sn_node_set_position(b->world, node[i], placed(&t->now, shaped(shape, rest[i]))));
}

/* Makes a body of a mesh that is turned, in the first of the shapes. */
static body make(const turns *t, sn_kind kind, const void *material, sn_mesh mesh,
                 const sn_build_def *def) {
    sn_vec3 rest[MOST_NODES];
    memcpy(rest, mesh.positions, mesh.vertex_count * sizeof *rest);
    for (size_t i = 0; i < mesh.vertex_count; i++) mesh.positions[i] = placed(&t->rest, rest[i]);
    body b = body_make(still_world(1, 0), kind, material, mesh, def);
    set_shape(&b, t, b.nodes, rest, mesh.vertex_count, 0);
    return b;
}

/* ---- What is left of them ---- */

static const double apart = 3e-6, part = 1e-3; /* m; 1, of masses, energies and tensions */

typedef struct remains {
    sn_node node[MOST_NODES];
    sn_vec3 rest[MOST_NODES], now[MOST_NODES];
    double mass[MOST_NODES], energy[SHAPES];
    uint32_t element[4 * MOST_ELEMENTS];
    size_t nodes, elements, tears;
    sn_tear_event tear[MOST_NODES];
} remains;

static void look(const body *b, remains *r) {
    const sn_tear_event *event;
    if (b->build.tet_mesh.slot) {
        sn_tet_mesh mesh = b->build.tet_mesh;
        REQUIRE_OK(sn_tet_mesh_get_nodes(b->world, mesh, r->node, MOST_NODES, &r->nodes));
        REQUIRE_OK(sn_tet_mesh_get_rest(b->world, mesh, r->rest, MOST_NODES, &r->nodes));
        REQUIRE_OK(sn_tet_mesh_get_tets(b->world, mesh, r->element, MOST_ELEMENTS, &r->elements));
    } else {
        sn_sheet sheet = b->build.sheet;
        REQUIRE_OK(sn_sheet_get_nodes(b->world, sheet, r->node, MOST_NODES, &r->nodes));
        REQUIRE_OK(sn_sheet_get_rest(b->world, sheet, r->rest, MOST_NODES, &r->nodes));
        REQUIRE_OK(
            sn_sheet_get_triangles(b->world, sheet, r->element, MOST_ELEMENTS, &r->elements));
    }
    for (size_t i = 0; i < r->nodes; i++) {
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_node_get(b->world, r->node[i], &def));
        r->now[i] = def.position;
        r->mass[i] = 1 / (double)def.inverse_mass;
    }
    REQUIRE_OK(sn_world_tears(b->world, &event, &r->tears));
    if (r->tears > 0) memcpy(r->tear, event, r->tears * sizeof *event);
}

/* J, of all shapes; `rest` has the vertices of the body that was not turned. */
static void bend(const body *b, const turns *t, const sn_vec3 *rest, remains *r) {
    for (int shape = 0; shape < SHAPES; shape++) {
        sn_measure measure;
        set_shape(b, t, r->node, rest, r->nodes, shape);
        REQUIRE_OK(sn_world_measure(b->world, &measure));
        r->energy[shape] = measure.elastic_energy;
    }
}

/* The same nodes came apart, across the same direction. That of a tension has no sign, and by it
   goes which side has the copy: whether all have the same. */
static bool compare_tears(const remains *r, const remains *s, const turns *t) {
    bool same = true;
    if (!CHECK(r->tears == s->tears)) return false;
    for (size_t i = 0; i < r->tears; i++) {
        const sn_tear_event *a = &r->tear[i], *b = &s->tear[i];
        sn_vec3 n = b->normal, back = {-n.x, -n.y, -n.z}, expected = rotated(&t->now, a->normal);
        CHECK(a->node.slot == b->node.slot && a->copy.slot == b->copy.slot);
        CHECK(a->cause == b->cause && a->burst == b->burst);
        CHECK_REL(b->amount, a->amount, 5 * part);
        CHECK_NEAR(fmin(distance(expected, n), distance(expected, back)), 0, 5 * part);
        same = same && distance(expected, n) < 1;
    }
    return same;
}

/* Everything at the same place of the body; false where it is not known what to go on with. */
static bool compare(const remains *r, const remains *s, const turns *t, int corners) {
    double rest = 0, now = 0, mass = 0;
    if (!CHECK(r->nodes == s->nodes) || !CHECK(r->elements == s->elements)) return false;
    bool same = compare_tears(r, s, t);
    for (size_t i = 0; i < r->nodes; i++) {
        rest = fmax(rest, distance(placed(&t->rest, r->rest[i]), s->rest[i]));
        now = fmax(now, distance(placed(&t->now, r->now[i]), s->now[i]));
        mass = fmax(mass, fabs(s->mass[i] / r->mass[i] - 1));
    }
    CHECK_NEAR(rest, 0, apart);
    CHECK_NEAR(now, 0, apart);
    for (int shape = 0; shape < SHAPES; shape++)
        CHECK_REL(s->energy[shape], r->energy[shape], part);
    if (!same) return false;
    CHECK_NEAR(mass, 0, part);
    return CHECK(
        memcmp(r->element, s->element, (size_t)corners * r->elements * sizeof *r->element) == 0);
}

static remains first, second; /* large */

/* ---- Cuts ---- */

enum { BLADES = 4 };

/* A plane, a disc and a sweep, one across the other, which leave parts and slits, and a plane that
   goes through a corner alone, where it lies between no two centres of elements. */
static sn_blade_def blade_of(const turns *t, int number, int way) {
    sn_blade_def blade = sn_blade_def_default();
    blade.point = placed(&t->now, vec3(0.02, 0.01, 0.013));
    blade.normal = rotated(&t->now, number ? vec3(-0.4, 0.2, 1) : vec3(1, 0.13, 0.27));
    blade.split = way % 2;
    blade.snap = way / 2 % 2 ? (sn_real)0.2 : 0;
    if (number == 1) blade.radius = (sn_real)0.31;
    if (number == 3) {
        blade.point = placed(&t->now, vec3(-0.49, 0.02, -0.48));
        blade.normal = rotated(&t->now, vec3(1, 0.2, 1.1));
    }
    if (number != 2) return blade;
    blade.kind = SN_BLADE_SWEEP;
    blade.from[0] = placed(&t->now, vec3(-0.6, -0.5, -0.23));
    blade.from[1] = placed(&t->now, vec3(-0.61, 0.6, -0.21));
    blade.to[0] = placed(&t->now, vec3(0.17, -0.55, -0.19));
    blade.to[1] = placed(&t->now, vec3(0.15, 0.6, -0.22));
    return blade;
}

static size_t cut(const body *b, const turns *t, int way) {
    size_t all = 0;
    for (int number = 0; number < BLADES; number++) {
        sn_blade_def blade = blade_of(t, number, way);
        size_t copies;
        if (b->build.tet_mesh.slot)
            REQUIRE_OK(sn_tet_mesh_cut(b->world, b->build.tet_mesh, &blade, &copies));
        else
            REQUIRE_OK(sn_sheet_cut(b->world, b->build.sheet, &blade, &copies));
        all += copies;
    }
    return all;
}

/* Cuts both, and compares what is left of them. */
static void cut_both(body b, body turned, const turns *t, int way, int corners) {
    CHECK(cut(&b, &as_made, way) > 8);
    CHECK(cut(&turned, t, way) > 8);
    look(&b, &first);
    look(&turned, &second);
    if (first.nodes == second.nodes) {
        bend(&b, &as_made, first.rest, &first);
        bend(&turned, t, first.rest, &second);
    }
    (void)compare(&first, &second, t, corners);
    body_free(&b);
    body_free(&turned);
}

static body make_sheet(const turns *t, int model, int bending, double strain, double force) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    cloth.stretch_stiffness = 100;
    cloth.bending_stiffness = 10;
    cloth.bending = bending;
    cloth.model = model;
    cloth.warp = rotated(&t->rest, vec3(1, 0, 0.5));
    if (model > 1) cloth.weft_stiffness = 30;
    cloth.tear_strain = (sn_real)strain;
    cloth.tear_force = (sn_real)force;
    def.collide = SN_COLLIDE_ALL;
    sn_mesh mesh = grid_mesh(1, 1, 8, 7, SN_GRID_SAME);
    disorder(&mesh, 0.03);
    return make(t, SN_KIND_CLOTH, &cloth, mesh, &def);
}

TEST(sheets_are_cut_alike) {
    for (int i = 0; i < 16; i++) {
        int model = 1 + i % 3, bending = 1 + i / 4, way = i % 4;
        check_case("model %d, bending %d, way %d", model, bending, way);
        cut_both(make_sheet(&as_made, model, bending, (double)SN_AUTO, (double)SN_AUTO),
                 make_sheet(&both_turned, model, bending, (double)SN_AUTO, (double)SN_AUTO),
                 &both_turned, way, 3);
    }
}

/* The last of the models has the axes of the world for its own, at rest. */
static const turns *turns_of_model(int model) {
    return model < 4 ? &both_turned : &turned_now;
}

static body make_solid(const turns *t, int model, double stress) {
    sn_solid_material solid = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    solid.model = model;
    solid.young = 1000;
    solid.radius = (sn_real)0.01;
    solid.fracture_stress = (sn_real)stress;
    def.collide = SN_COLLIDE_ALL;
    sn_mesh mesh = block_mesh(0.7, 0.5, 0.6, 3, SN_BLOCK_SIX);
    disorder(&mesh, 0.03);
    return make(t, SN_KIND_SOLID, &solid, mesh, &def);
}

TEST(solids_are_cut_alike) {
    for (int i = 0; i < 10; i++) {
        int model = i % 5, way = i % 4;
        check_case("model %d, way %d", model, way);
        const turns *t = turns_of_model(model);
        cut_both(make_solid(&as_made, model, (double)SN_AUTO),
                 make_solid(t, model, (double)SN_AUTO), t, way, 4);
    }
}

/* ---- Tears ---- */

/* Some steps that are too short for the body to move. */
static void tear_both(body b, body turned, const turns *t, int corners) {
    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    for (int step = 0; step < 3; step++) {
        REQUIRE_OK(sn_world_step(b.world, (sn_real)1e-5));
        REQUIRE_OK(sn_world_step(turned.world, (sn_real)1e-5));
        look(&b, &first);
        look(&turned, &second);
        CHECK(step > 0 || first.tears > 1);
        if (!compare(&first, &second, t, corners)) break;
    }
    body_free(&b);
    body_free(&turned);
}

/* Weakens edges here and there; those of the border cannot be. */
static void perforate(const body *b) {
    int found = 0;
    for (size_t i = 3; i < 3 * b->mesh.triangle_count; i += 7) {
        const uint32_t *v = b->mesh.triangles[i / 3];
        sn_node ends[2] = {b->nodes[v[i % 3]], b->nodes[v[(i + 1) % 3]]};
        found += sn_sheet_set_edge_strength(b->world, b->build.sheet, ends, 1, (sn_real)0.4) == 0;
    }
    CHECK(found > 20);
}

TEST(sheets_are_torn_alike) {
    for (int i = 0; i < 6; i++) {
        double strain = i % 2 ? (double)SN_AUTO : 0.04, force = i % 2 ? 3 : (double)SN_AUTO;
        body b = make_sheet(&as_made, 1 + i % 3, 0, strain, force);
        body turned = make_sheet(&both_turned, 1 + i % 3, 0, strain, force);
        if (i > 2) perforate(&b);
        if (i > 2) perforate(&turned);
        check_case("sheet %d", i);
        tear_both(b, turned, &both_turned, 3);
    }
}

TEST(solids_break_alike) {
    for (int model = 0; model < 5; model++) {
        const turns *t = turns_of_model(model);
        check_case("model %d", model);
        tear_both(make_solid(&as_made, model, 30), make_solid(t, model, 30), t, 4);
    }
}

TESTS(RUN(sheets_are_cut_alike), RUN(solids_are_cut_alike), RUN(sheets_are_torn_alike),
      RUN(solids_break_alike))
