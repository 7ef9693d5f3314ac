/*
 * Where sheets tear and solids break: bodies are laid out in shapes whose strain and stress are
 * known, turned any way, and come apart in a step that is too short for them to move.
 */
#include <math.h>
#include <stdlib.h>

#include "fracture/tear.h"
#include "parted.h"
#include "torn.h"

enum { TURNS = 6 };

static const double moment = 1e-5;

typedef struct vector {
    double at[3];
} vector;

static double dot(vector a, vector b) {
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

/* a + s b */
static vector sum(vector a, double s, vector b) {
    return (vector){{a.at[0] + s * b.at[0], a.at[1] + s * b.at[1], a.at[2] + s * b.at[2]}};
}

static vector of(sn_vec3 a) {
    return (vector){{(double)a.x, (double)a.y, (double)a.z}};
}

/* Turned about an axis that is none of the world's. */
static vector turned(int turn, vector a) {
    double angle = 1.1 * turn, c = cos(angle), s = sin(angle);
    vector k = {{2.0 / 3, -1.0 / 3, 2.0 / 3}};
    vector across = {{k.at[1] * a.at[2] - k.at[2] * a.at[1], k.at[2] * a.at[0] - k.at[0] * a.at[2],
                      k.at[0] * a.at[1] - k.at[1] * a.at[0]}};
    vector sum_of = sum((vector){{0, 0, 0}}, c, a);
    return sum(sum(sum_of, s, across), (1 - c) * dot(k, a), k);
}

/* ---- Shapes ---- */

/* A body that is stretched along a direction, most at one end, and turned. */
typedef struct layout {
    vector along; /* 1 */
    double strain, more;
    int turn;
} layout;

static vector place_of(const layout *l, vector x) {
    double at = dot(l->along, x);
    return turned(l->turn, sum(x, l->strain * at + l->more * at * at / 2, l->along));
}

/* Forces are known to what tears by them, whether or not the host asks for them. */
static void keep_forces(const body *b, bool keep) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(b->world, &settings));
    settings.keep_forces = keep;
    REQUIRE_OK(sn_world_set_settings(b->world, &settings));
}

static void lay_out(const body *b, const layout *l) {
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        vector x = place_of(l, of(b->mesh.positions[i]));
        sn_vec3 to = {(sn_real)x.at[0], (sn_real)x.at[1], (sn_real)x.at[2]};
        REQUIRE_OK(sn_node_set_position(b->world, b->nodes[i], to));
    }
    REQUIRE_OK(sn_world_step(b->world, (sn_real)moment));
}

/* ---- What is told ---- */

static size_t vertex_of(const body *b, sn_node node) {
    size_t i = 0;
    while (i < b->mesh.vertex_count && b->nodes[i].slot != node.slot) i++;
    return i;
}

/* Whether an element of the mesh before has both vertices. */
static bool share_element(const sn_mesh *mesh, size_t a, size_t b) {
    size_t count = mesh->tet_count > 0 ? mesh->tet_count : mesh->triangle_count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *v = mesh->tet_count > 0 ? mesh->tets[i] : mesh->triangles[i];
        bool has_a = false, has_b = false;
        for (int k = 0; k < (mesh->tet_count > 0 ? 4 : 3); k++) {
            has_a |= v[k] == a;
            has_b |= v[k] == b;
        }
        if (has_a && has_b) return true;
    }
    return false;
}

/* What a body consists of after it has come apart. */
typedef struct pieces {
    sn_node node[800];
    vector x[800];
    uint32_t element[4 * 800];
    size_t corners, nodes, elements;
} pieces;

static void look(const body *b, pieces *p) {
    p->corners = b->mesh.tet_count > 0 ? 4 : 3;
    if (p->corners == 4) {
        sn_tet_mesh mesh = b->build.tet_mesh;
        REQUIRE_OK(sn_tet_mesh_get_nodes(b->world, mesh, p->node, 800, &p->nodes));
        REQUIRE_OK(sn_tet_mesh_get_tets(b->world, mesh, p->element, 800, &p->elements));
    } else {
        sn_sheet sheet = b->build.sheet;
        REQUIRE_OK(sn_sheet_get_nodes(b->world, sheet, p->node, 800, &p->nodes));
        REQUIRE_OK(sn_sheet_get_triangles(b->world, sheet, p->element, 800, &p->elements));
    }
    for (size_t i = 0; i < p->nodes; i++) {
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_node_get(b->world, p->node[i], &def));
        p->x[i] = of(def.position);
    }
}

/* m, how high the elements of a node are above it along a direction, in the mean. */
static double height_of(const pieces *p, sn_node node, vector n) {
    double height = 0;
    int found = 0;
    for (size_t i = 0; i < p->corners * p->elements; i++) {
        if (p->node[p->element[i]].slot != node.slot) continue;
        const uint32_t *v = &p->element[i / p->corners * p->corners];
        for (size_t k = 0; k < p->corners; k++)
            height += dot(n, sum(p->x[v[k]], -1, p->x[p->element[i]])) / (double)p->corners;
        found++;
    }
    return found > 0 ? height / found : 0;
}

/* The copy has what lies on the side that the normal points away from. */
static void check_sides(const body *b, const sn_tear_event *event, size_t count) {
    static pieces p;
    look(b, &p);
    for (size_t i = 0; i < count; i++) {
        if (event[i].cause == SN_TEAR_LOOSE) continue;
        vector n = of(event[i].normal);
        CHECK(height_of(&p, event[i].node, n) > height_of(&p, event[i].copy, n) + 1e-3);
    }
}

/* Of one cause and across the stretch; in a sheet the worst first, and at no triangle twice.
   Returns how many. */
static size_t check_events(const body *b, const layout *l, sn_tear_cause cause, double *worst) {
    const sn_tear_event *event;
    size_t count, found = 0;
    double last = INFINITY;
    vector n = turned(l->turn, l->along);
    REQUIRE_OK(sn_world_tears(b->world, &event, &count));
    check_sides(b, event, count);
    for (size_t i = 0; i < count; i++) {
        if (event[i].cause == SN_TEAR_LOOSE) continue;
        CHECK(event[i].cause == cause);
        double amount = (double)event[i].amount;
        if (found == 0 || amount > *worst) *worst = amount;
        found++;
        if (cause != SN_TEAR_STRAIN) CHECK_NEAR(fabs(dot(n, of(event[i].normal))), 1, 0.02);
        /* A solid is split at the nodes beside as well, or it would not come apart. */
        if (b->mesh.tet_count > 0) continue;
        CHECK(amount <= last * (1 + 1e-6));
        last = amount;
        for (size_t k = 0; k < i; k++)
            if (event[k].cause != SN_TEAR_LOOSE)
                CHECK(!share_element(&b->mesh, vertex_of(b, event[i].node),
                                     vertex_of(b, event[k].node)));
    }
    return found;
}

/* ---- Sheets ---- */

static body make_sheet(int model, double strain, double force) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = 100;
    cloth.poisson = 0;
    cloth.model = model;
    cloth.tear_strain = (sn_real)strain;
    cloth.tear_force = (sn_real)force;
    return body_make(still_world(1, 0), SN_KIND_CLOTH, &cloth, grid_mesh(1, 1, 9, 8, SN_GRID_SAME),
                     NULL);
}

static vector in_sheet(int turn) {
    return (vector){{cos(0.7 * turn), 0, sin(0.7 * turn)}};
}

/* 1, of the edge that is stretched most. */
static double largest_strain(const body *b, const layout *l) {
    double most = 0;
    for (size_t i = 0; i < 3 * b->mesh.triangle_count; i++) {
        const uint32_t *v = b->mesh.triangles[i / 3];
        vector p = of(b->mesh.positions[v[i % 3]]), q = of(b->mesh.positions[v[(i + 1) % 3]]);
        vector rest = sum(q, -1, p), now = sum(place_of(l, q), -1, place_of(l, p));
        most = fmax(most, sqrt(dot(now, now) / dot(rest, rest)) - 1);
    }
    return most;
}

TEST(the_longest_edge_tears_first) {
    for (int turn = 0; turn < TURNS; turn++) {
        body b = make_sheet(1, 0.05, (double)SN_AUTO);
        layout l = {.along = in_sheet(turn), .strain = 0.1, .more = 0.05, .turn = turn};
        double worst = 0;
        check_case("turn %d", turn);
        lay_out(&b, &l);
        CHECK(check_events(&b, &l, SN_TEAR_STRAIN, &worst) > 2);
        CHECK_REL(worst, largest_strain(&b, &l), 1e-4);
        check_torn(&b, true);
        body_free(&b);
    }
}

/* Where vertices differ in strength, the edge that is longest for what it bears. */
TEST(the_edge_beyond_its_strength_tears_first) {
    for (int turn = 0; turn < TURNS; turn++) {
        body b = make_sheet(1, 0.05, (double)SN_AUTO);
        layout l = {.along = in_sheet(turn), .strain = 0.13, .more = 0.1, .turn = turn};
        sn_real strength[200];
        uint32_t seed = 9 + (uint32_t)turn;
        double largest = 0, amount = 0;
        const sn_tear_event *event;
        size_t count;
        check_case("turn %d", turn);
        REQUIRE_OK(b.mesh.vertex_count <= 200 ? SN_OK : SN_ERROR_VALUE);
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            seed = seed * 1664525u + 1013904223u;
            strength[i] = (sn_real)(0.3 + 4 * (double)(seed >> 8) / 16777216);
        }
        REQUIRE_OK(sn_sheet_set_strength(b.world, b.build.sheet, strength, b.mesh.vertex_count));
        for (size_t i = 0; i < 3 * b.mesh.triangle_count; i++) {
            const uint32_t *v = b.mesh.triangles[i / 3], p = v[i % 3], q = v[(i + 1) % 3];
            vector one = of(b.mesh.positions[p]), two = of(b.mesh.positions[q]);
            vector rest = sum(two, -1, one), now = sum(place_of(&l, two), -1, place_of(&l, one));
            double stretch = sqrt(dot(now, now) / dot(rest, rest));
            double excess = stretch / (1 + 0.05 * fmin((double)strength[p], (double)strength[q]));
            if (excess > largest) largest = excess, amount = stretch - 1;
        }
        lay_out(&b, &l);
        REQUIRE_OK(sn_world_tears(b.world, &event, &count));
        if (CHECK(count > 2)) CHECK_REL(event[0].amount, amount, 1e-4);
        body_free(&b);
    }
}

/* Along every direction, where the strain is largest: over the width at rest, (1 + e) times the
   stiffness times e + e^2 / 2, which is Green's strain. */
TEST(the_largest_tension_tears_first) {
    for (int i = 0; i < 2 * TURNS; i++) {
        int turn = i / 2;
        body b = make_sheet(3, (double)SN_AUTO, 0.5);
        layout l = {.along = in_sheet(turn), .strain = 0.01, .more = i % 2 * 0.004, .turn = turn};
        double worst = 0, far = 0;
        check_case("turn %d", turn);
        keep_forces(&b, turn % 2);
        lay_out(&b, &l);
        CHECK(check_events(&b, &l, SN_TEAR_FORCE, &worst) > 2);
        for (size_t k = 0; k < b.mesh.vertex_count; k++)
            far = fmax(far, dot(l.along, of(b.mesh.positions[k])));
        double e = l.strain + l.more * far;
        CHECK_REL(worst, 100 * (1 + e) * (e + e * e / 2), l.more > 0 ? 0.05 : 1e-3);
        check_torn(&b, false);
        body_free(&b);
    }
}

/* ---- Solids ---- */

TEST(the_largest_stress_breaks_first) {
    for (int turn = 0; turn < TURNS; turn++) {
        const double young = 1e5;
        sn_solid_material solid = sn_solid_material_default();
        solid.model = 3; /* corotated */
        solid.young = (sn_real)young;
        solid.poisson = 0;
        solid.fracture_stress = (sn_real)(0.005 * young);
        body b = body_make(still_world(1, 0), SN_KIND_SOLID, &solid,
                           block_mesh(0.6, 0.5, 0.4, 4, SN_BLOCK_FIVE), NULL);
        double s = sin(0.7 * turn), c = cos(0.7 * turn);
        layout l = {.along = {{c, 0.6 * s, 0.8 * s}}, .strain = 0.01, .turn = turn};
        double worst = 0;
        check_case("turn %d", turn);
        keep_forces(&b, turn % 2);
        lay_out(&b, &l);
        CHECK(check_events(&b, &l, SN_TEAR_STRESS, &worst) > 2);
        CHECK_REL(worst, young * l.strain, 1e-3);
        check_parted(&b);
        body_free(&b);
    }
}

/* Excess, vertices, causes, breaks and when they were found, in this order; corners say nothing. */
TEST(the_order_is_total) {
    const sn_tear_place one = {.excess = 2, .vertex = {4, 5, 6}, .corners = 2, .broken = 3};
    sn_tear_place other[6];
    for (int i = 0; i < 6; i++) {
        other[i] = one;
        other[i].corners = 1;
        other[i].found = 9;
    }
    other[0].excess = 1;
    for (int i = 0; i < 3; i++) other[1 + i].vertex[i]++;
    other[4].cause = SN_TEAR_BREAK;
    other[4].broken = 0;
    other[5].broken = 4;
    for (int i = 0; i < 6; i++) {
        check_case("%d", i);
        CHECK(sn_tear_compare(&one, &other[i]) < 0 && sn_tear_compare(&other[i], &one) > 0);
    }
    CHECK(sn_tear_compare(&one, &one) == 0);
}

TESTS(RUN(the_order_is_total), RUN(the_longest_edge_tears_first),
      RUN(the_edge_beyond_its_strength_tears_first), RUN(the_largest_tension_tears_first),
      RUN(the_largest_stress_breaks_first))
