/*
 * Piles that a program turns or moves as a whole, by placing every node: on which side of each
 * other things are, and what friction still has to take back, go with them, and all goes on as it
 * would have.
 */
#include "check.h"

#include <sinew/generate.h>
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>

enum { MOST_NODES = 256, SETTLE = 2, AFTER = 20 };

/* m: how far nodes may be from where they would have been. */
#ifdef SN_DOUBLE
#define SAME 1e-13
#else
#define SAME 2e-7
#endif

typedef struct pile {
    sn_world *world;
    sn_node node[MOST_NODES];
    size_t nodes, fixed;
} pile;

/* A turn by 1.1 rad about an axis that is none of the world's. */
static sn_vec3 turned(sn_vec3 v) {
    static const double axis[3] = {0.2672612419124244, 0.5345224838248488, 0.8017837257372732};
    const double c = cos(1.1), s = sin(1.1), x[3] = {(double)v.x, (double)v.y, (double)v.z};
    double along = 0, out[3];
    for (int k = 0; k < 3; k++) along += axis[k] * x[k];
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = c * x[k] + (1 - c) * along * axis[k] + s * (axis[l] * x[m] - axis[m] * x[l]);
    }
    return (sn_vec3){(sn_real)out[0], (sn_real)out[1], (sn_real)out[2]};
}

/* What becomes of a pile: it is turned, it goes elsewhere, or both. */
typedef struct motion {
    bool turns, goes;
} motion;

static sn_vec3 way_of(motion m, sn_vec3 v) {
    return m.turns ? turned(v) : v;
}

static sn_vec3 place_of(motion m, sn_vec3 x) {
    const sn_vec3 y = way_of(m, x);
    if (!m.goes) return y;
    return (sn_vec3){y.x + (sn_real)0.5, y.y - (sn_real)0.25, y.z + (sn_real)0.75};
}

static void add_sheet(pile *p, double width, uint32_t cells, double height) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build built;
    grid.width = grid.depth = (sn_real)width;
    grid.columns = grid.rows = cells;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    cloth.tethers = 0;
    cloth.thickness = (sn_real)0.02;
    def.mesh = &mesh;
    def.position = (sn_vec3){(sn_real)0.013, (sn_real)height, (sn_real)0.017};
    def.collide = SN_COLLIDE_OTHERS;
    def.surface.static_friction = def.surface.dynamic_friction = 1;
    REQUIRE_OK(sn_build_body(p->world, SN_KIND_CLOTH, &cloth, &def, p->node + p->nodes, &built));
    p->nodes += mesh.vertex_count;
    sn_mesh_free(&mesh);
}

/* A sheet that stands, and one that lies on it and would slide down if it were not for friction. */
static pile make_pile(void) {
    pile p = {0};
    sn_world_def def = sn_world_def_default();
    def.settings.gravity = (sn_vec3){3, -9, 1};
    def.settings.substeps = 10;
    def.settings.damping = 3;
    REQUIRE_OK(sn_world_create(&def, &p.world));
    add_sheet(&p, 0.5, 5, 0);
    p.fixed = p.nodes;
    for (size_t i = 0; i < p.fixed; i++)
        REQUIRE_OK(sn_node_set_inverse_mass(p.world, p.node[i], 0));
    add_sheet(&p, 0.23, 4, 0.0205);
    return p;
}

static sn_node_def look(const pile *p, size_t i) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(p->world, p->node[i], &def));
    return def;
}

static void move(pile *p, motion m) {
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(p->world, &settings));
    settings.gravity = way_of(m, settings.gravity);
    REQUIRE_OK(sn_world_set_settings(p->world, &settings));
    for (size_t i = 0; i < p->nodes; i++) {
        const sn_node_def at = look(p, i);
        REQUIRE_OK(sn_node_set_position(p->world, p->node[i], place_of(m, at.position)));
        REQUIRE_OK(sn_node_set_velocity(p->world, p->node[i], way_of(m, at.velocity)));
    }
}

static double distance(sn_vec3 a, sn_vec3 b) {
    const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    const double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/* Balls that slide over others, which stand, and are held back by friction. */
static pile make_balls(void) {
    enum { SIDE = 14 };
    pile p = {0};
    sn_world_def def = sn_world_def_default();
    def.settings.gravity = (sn_vec3){1, -9, (sn_real)0.5};
    def.settings.substeps = 10;
    def.settings.damping = 3;
    REQUIRE_OK(sn_world_create(&def, &p.world));
    for (int layer = 0; layer < 2; layer++) {
        const int side = layer ? 4 : SIDE;
        const double apart = layer ? 0.041 : 0.0125;
        const size_t first = p.nodes;
        sn_collision_surface_def surface = sn_collision_surface_def_default();
        sn_collision_surface made;
        for (int i = 0; i < side * side; i++) {
            sn_node_def ball = sn_node_def_default();
            ball.radius = (sn_real)0.02;
            ball.inverse_mass = (sn_real)layer;
            ball.position = (sn_vec3){(sn_real)(apart * (i % side)), (sn_real)(0.04 * layer),
                                      (sn_real)(apart * (i / side))};
            if (layer) ball.velocity = (sn_vec3){(sn_real)0.4, 0, (sn_real)0.2};
            REQUIRE_OK(sn_node_create(p.world, &ball, &p.node[p.nodes++]));
        }
        surface.nodes = p.node + first;
        surface.node_count = p.nodes - first;
        surface.static_friction = surface.dynamic_friction = (sn_real)0.3;
        surface.detail = SN_DETAIL_POINTS;
        REQUIRE_OK(sn_collision_surface_create(p.world, &surface, &made));
        if (layer == 0) p.fixed = p.nodes;
    }
    return p;
}

/* How far nodes are from where they would have been, after a step and in the end. */
static void compare(pile (*make)(void), motion m, double size, size_t touch) {
    pile here = make(), there = make();
    for (int i = 0; i < SETTLE; i++) {
        CHECK_OK(sn_world_step(here.world, (sn_real)(1.0 / 60)));
        CHECK_OK(sn_world_step(there.world, (sn_real)(1.0 / 60)));
    }
    move(&there, m);
    double before = 0, off = 0, gone = 0;
    sn_vec3 at[MOST_NODES];
    for (size_t i = 0; i < here.nodes; i++) at[i] = look(&here, i).position;
    for (int k = 0; k < AFTER; k++) {
        CHECK_OK(sn_world_step(here.world, (sn_real)(1.0 / 60)));
        CHECK_OK(sn_world_step(there.world, (sn_real)(1.0 / 60)));
        sn_stats stats;
        REQUIRE_OK(sn_world_stats(there.world, &stats));
        CHECK(stats.contacts > touch);
        for (size_t i = 0; i < here.nodes; i++) {
            const sn_vec3 x = look(&here, i).position;
            off = fmax(off, distance(place_of(m, x), look(&there, i).position));
            gone = fmax(gone, distance(x, at[i]));
        }
        if (k == 0) before = off;
    }
    check_case("turned %d, elsewhere %d", m.turns, m.goes);
    if (check_shows()) printf("off by %g m, then %g m; moved by %g m\n", before, off, gone);
    CHECK_NEAR(before, 0, size * SAME);
    CHECK_NEAR(off, 0, 10 * size * SAME);
    sn_world_destroy(here.world);
    sn_world_destroy(there.world);
}

/* Places a metre away are told by a few times less. */
TEST(a_pile_that_is_turned_goes_on_as_it_would) {
    compare(make_pile, (motion){true, false}, 1, 20);
    compare(make_pile, (motion){true, true}, 4, 20);
    compare(make_pile, (motion){false, true}, 4, 20);
}

/* Nothing tells how two balls have turned; with the way between them as it was they go on. */
TEST(balls_that_are_moved_go_on_as_they_would) {
    compare(make_balls, (motion){false, true}, 4, 10);
}

TESTS(RUN(a_pile_that_is_turned_goes_on_as_it_would), RUN(balls_that_are_moved_go_on_as_they_would))
