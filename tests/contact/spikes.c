/*
 * Corners and edges of what stands under faces of bodies: on spikes and ridges of meshes, heights
 * and distance fields bodies of all shapes lie as high as these are, bounce and slide as on a
 * floor; and on a floor of many triangles there is nothing of the kind.
 */
#include "rigid_worlds.h"

#include <math.h>
#include <string.h>

enum { MOST = 16, SIDE = 41 };

/* ---- What stands ---- */

typedef enum ground { MESH, HEIGHTS, FIELD, HULLS, GROUNDS } ground;

static const char *const ground_names[GROUNDS] = {"mesh", "heights", "field", "hulls"};

/* Tips of spikes, or middles of ridges that go along x or z. */
typedef struct terrain {
    double x[MOST], z[MOST];
    size_t count;
    double high, foot;       /* m, half the width of each */
    double along_x, along_z; /* m, half the length of the edge on top */
} terrain;

/* A spike or a ridge: the foot, and what is on top. */
static size_t put_tooth(const terrain *t, size_t k, sn_vec3 *corner, uint32_t (*side)[3],
                        uint32_t first) {
    const double x = t->x[k], z = t->z[k];
    static const uint32_t faces[8][3] = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4}, {2, 1, 5},
                                         {1, 4, 5}, {3, 2, 5}, {0, 3, 4}, {3, 5, 4}};
    static const uint32_t spike[6][3] = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4},
                                         {2, 1, 4}, {3, 2, 4}, {0, 3, 4}};
    const bool ridge = t->along_x > 0 || t->along_z > 0;
    const double wide = t->foot + t->along_x, deep = t->foot + t->along_z;
    /* A ridge goes from between the corners 0 and 1 to between 2 and 3, which is along z; one along
       x is that turned. */
    const double turned[4][2] = {{-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
    const double straight[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int c = 0; c < 4; c++) {
        const double *at = t->along_x > 0 ? turned[c] : straight[c];
        corner[c] = vector(x + at[0] * wide, 0, z + at[1] * deep);
    }
    corner[4] = vector(x - t->along_x, t->high, z - t->along_z);
    corner[5] = vector(x + t->along_x, t->high, z + t->along_z);
    for (int f = 0; f < (ridge ? 8 : 6); f++)
        for (int c = 0; c < 3; c++) side[f][c] = first + (ridge ? faces : spike)[f][c];
    return ridge ? 6 : 5;
}

static void add_teeth(sn_world *world, const terrain *t, sn_collider_def def, ground kind) {
    sn_vec3 corner[6 * MOST];
    uint32_t side[8 * MOST][3];
    sn_collider made;
    size_t corners = 0, sides = 0;
    const bool hulls = kind == HULLS;
    for (size_t k = 0; k < t->count; k++) {
        const size_t own = put_tooth(t, k, corner + corners, side + sides, (uint32_t)corners);
        corners += own;
        sides += own == 6 ? 8 : 6;
        def.shape = hulls ? SN_SHAPE_HULL : kind == FIELD ? SN_SHAPE_SDF : SN_SHAPE_MESH;
        def.geometry.vertices = corner;
        def.geometry.triangles = (const uint32_t(*)[3])side;
        def.geometry.vertex_count = corners;
        def.geometry.triangle_count = sides;
        if (hulls || k + 1 == t->count) REQUIRE_OK(sn_collider_create(world, &def, &made));
        if (hulls) corners = sides = 0;
    }
}

/* A grid as wide as what stands on it, with points where that is. */
static void add_heights(sn_world *world, const terrain *t, double spacing, sn_collider_def def) {
    static sn_real height[SIDE * SIDE];
    sn_collider made;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const double x = (i - SIDE / 2) * spacing, z = (j - SIDE / 2) * spacing;
            bool tip = false;
            for (size_t k = 0; k < t->count; k++)
                tip = tip || (fabs(x - t->x[k]) < t->along_x + 0.1 * spacing &&
                              fabs(z - t->z[k]) < t->along_z + 0.1 * spacing);
            height[j * SIDE + i] = tip ? (sn_real)t->high : 0;
        }
    def.shape = SN_SHAPE_HEIGHTS;
    def.extent = vector(spacing * (SIDE / 2), 0, spacing * (SIDE / 2));
    def.geometry.heights = height;
    def.geometry.points[0] = def.geometry.points[1] = SIDE;
    REQUIRE_OK(sn_collider_create(world, &def, &made));
}

static sn_collider_def rough(double friction, double restitution) {
    sn_collider_def def = sn_collider_def_default();
    def.radius = 0;
    def.static_friction = def.dynamic_friction = (sn_real)friction;
    def.restitution = (sn_real)restitution;
    return def;
}

static void add_ground(sn_world *world, ground kind, const terrain *t, double spacing,
                       sn_collider_def def) {
    if (kind == HEIGHTS)
        add_heights(world, t, spacing, def);
    else
        add_teeth(world, t, def, kind);
}

/* ---- What lies on it ---- */

typedef enum body { BOX, HULL, COMPOUND, POST, CYLINDER, CAPSULE, SOLID, BODIES } body;

static const char *const body_names[BODIES] = {"box",      "hull",    "compound", "post",
                                               "cylinder", "capsule", "mesh"};

static const uint32_t box_sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/* m, of a body of the size 1: half of its width, height and depth; what is round lies along x. */
static const double WIDE = 0.3, HIGH = 0.1, DEEP = 0.25;

static bool is_round(body which) {
    return which == CYLINDER || which == CAPSULE;
}

typedef struct thing {
    sn_node node;
    sn_collider collider;
} thing;

static thing add_body(sn_world *world, body which, double size, sn_collider_def def) {
    const double x = WIDE * size, y = HIGH * size, z = DEEP * size;
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_part parts[2];
    sn_vec3 corner[8];
    thing made;
    for (int k = 0; k < 8; k++) corner[k] = vector(k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z);
    for (int k = 0; k < 2; k++) {
        parts[k] = sn_collider_part_default();
        parts[k].shape = SN_SHAPE_BOX;
        parts[k].extent = vector(x / 2, y, z);
        parts[k].position = vector(k ? x / 2 : -x / 2, 0, 0);
        parts[k].radius = 0;
    }
    const sn_shape shapes[BODIES] = {SN_SHAPE_BOX,      SN_SHAPE_HULL,     SN_SHAPE_COMPOUND,
                                     SN_SHAPE_CYLINDER, SN_SHAPE_CYLINDER, SN_SHAPE_CAPSULE,
                                     SN_SHAPE_MESH};
    def.shape = shapes[which];
    def.extent = vector(x, y, z);
    if (which == POST) def.radius = (sn_real)x;
    if (is_round(which)) {
        const sn_real half = (sn_real)sqrt(0.5);
        def.extent.y = (sn_real)(which == CAPSULE ? x - y : x);
        def.radius = (sn_real)y;
        def.orientation = (sn_quat){0, 0, half, half};
    }
    if (which == HULL || which == SOLID) {
        def.geometry.vertices = corner;
        def.geometry.vertex_count = 8;
    }
    if (which == SOLID) {
        def.geometry.triangles = box_sides;
        def.geometry.triangle_count = 12;
    }
    if (which == COMPOUND) {
        def.parts = parts;
        def.part_count = 2;
    }
    rigid.density = 500;
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &made.node, &made.collider));
    return made;
}

static sn_node_def look(const sn_world *world, thing t) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, t.node, &def));
    return def;
}

/* ---- At rest ---- */

/* Three spikes for what is flat; for what is round two on each side, between which it lies. */
static terrain spikes_for(body which, double size, double high, double foot) {
    terrain t = {.high = high, .foot = foot};
    const double x = 0.2 * size, z = (is_round(which) ? 0.05 : 0.15) * size;
    const double place[4][2] = {{-x, -z}, {x, -z}, {0, z}, {x, z}};
    t.count = is_round(which) ? 4 : 3;
    for (size_t k = 0; k < t.count; k++) {
        t.x[k] = place[k][0];
        t.z[k] = place[k][1];
    }
    if (is_round(which)) t.x[2] = -x;
    return t;
}

/* Two ridges across. */
static terrain ridges_for(double size, double high, double foot) {
    terrain t = {.high = high, .foot = foot, .along_z = 0.4 * size, .count = 2};
    t.x[0] = -0.2 * size;
    t.x[1] = 0.2 * size;
    return t;
}

/* m: how high its middle is when it lies on them. */
static double height_on(body which, const terrain *t, double size) {
    const double r = HIGH * size;
    if (!is_round(which) || t->along_z > 0) return t->high + r;
    return t->high + sqrt(r * r - t->z[0] * t->z[0]);
}

static void settle(ground kind, body which, const terrain *t, double size) {
    sn_world *world = make_world(1, 9.81, 20);
    add_ground(world, kind, t, 0.05 * size, rough(0.5, 0));
    sn_collider_def def = rough(0.5, 0);
    def.position = vector(0, height_on(which, t, size) + 1e-3 * size, 0);
    thing own = add_body(world, which, size, def);
    for (int f = 0; f < 60; f++) REQUIRE_OK(sn_world_step(world, FRAME));
    const sn_node_def at = look(world, own);
    check_case("%s on %s of a %s, size %g", body_names[which], t->along_z > 0 ? "ridges" : "spikes",
               ground_names[kind], size);
    CHECK_NEAR((double)at.position.y, height_on(which, t, size), 1e-4 * size);
    CHECK_NEAR((double)at.velocity.y, 0, 1e-3 * size);
    sn_world_destroy(world);
}

static const double sizes[3][3] = {{1, 0.3, 0.04}, {10, 0.4, 0.05}, {0.1, 0.02, 0.004}};

/* The short form has one size of each. */
static bool has_turn(int kind, int which, int size) {
    return check_long() || (kind + which) % 3 == size;
}

TEST(bodies_rest_as_high_as_spikes_are) {
    for (int kind = MESH; kind <= HULLS; kind++)
        for (int which = 0; which < BODIES; which++)
            for (int s = 0; s < 3; s++) {
                const double *as = sizes[s];
                if ((kind == HULLS && which == SOLID) || !has_turn(kind, which, s)) continue;
                terrain t = spikes_for((body)which, as[0], as[1], as[2]);
                settle((ground)kind, (body)which, &t, as[0]);
            }
}

TEST(bodies_rest_as_high_as_ridges_are) {
    for (int kind = MESH; kind <= HULLS; kind++)
        for (int which = 0; which < SOLID; which++)
            for (int s = 0; s < 3; s++) {
                const double *as = sizes[s];
                if (!has_turn(kind, which, s)) continue;
                terrain t = ridges_for(as[0], as[1], as[2]);
                settle((ground)kind, (body)which, &t, as[0]);
            }
}

/* A triangle on top of a stump, as the facet of a ball, whose edges are under a board that comes
   down askew: it lies flat on all of it in the end. */
TEST(boards_lie_flat_on_a_facet) {
    static const uint32_t side[8][3] = {{0, 1, 2}, {3, 5, 4}, {0, 3, 1}, {1, 3, 4},
                                        {1, 4, 2}, {2, 4, 5}, {2, 5, 0}, {0, 5, 3}};
    static const double place[3][2] = {{-0.01, -0.05}, {0.16, 0.17}, {-0.02, 0.14}};
    for (int kind = 0; kind < 2; kind++)
        for (int which = 0; which < POST; which++) {
            sn_world *world = make_world(1, 9.81, 20);
            sn_vec3 corner[6];
            sn_collider_def stump = rough(0.5, 0), def = rough(0.5, 0);
            sn_collider made;
            for (int k = 0; k < 3; k++) {
                corner[k] = vector(2 * place[k][0], 0, 2 * place[k][1]);
                corner[k + 3] = vector(place[k][0], 0.05, place[k][1]);
            }
            stump.shape = kind ? SN_SHAPE_SDF : SN_SHAPE_MESH;
            stump.geometry.vertices = corner;
            stump.geometry.vertex_count = 6;
            stump.geometry.triangles = side;
            stump.geometry.triangle_count = 8;
            stump.geometry.spacing = (sn_real)0.01;
            REQUIRE_OK(sn_collider_create(world, &stump, &made));
            def.position = vector(0.01, 0.153, 0.01);
            def.orientation = (sn_quat){(sn_real)0.002, 0, (sn_real)-0.003, 1};
            thing own = add_body(world, (body)which, 1, def);
            for (int f = 0; f < 180; f++) REQUIRE_OK(sn_world_step(world, FRAME));
            REQUIRE_OK(sn_collider_get(world, own.collider, &def));
            check_case("%s on a %s", body_names[which], kind ? "field" : "mesh");
            CHECK_NEAR((double)def.position.y, 0.15, 1e-5);
            CHECK_NEAR(2 * (double)def.orientation.x, 0, 5e-5);
            CHECK_NEAR(2 * (double)def.orientation.z, 0, 5e-5);
            sn_world_destroy(world);
        }
}

/* Two roofs whose ends are less steep than their sides, and so face a board more than these do. */
static void add_hipped_roofs(sn_world *world, double size, double length) {
    const double slim = 0.04 * size, high = 0.3 * size, ridge = length * size;
    for (int k = 0; k < 2; k++) {
        const double x = (k ? 0.2 : -0.2) * size, foot = ridge + size;
        const sn_vec3 corner[6] = {vector(x - slim, 0, -foot), vector(x + slim, 0, -foot),
                                   vector(x + slim, 0, foot),  vector(x - slim, 0, foot),
                                   vector(x, high, -ridge),    vector(x, high, ridge)};
        sn_collider_def def = rough(0.5, 0);
        sn_collider made;
        def.shape = SN_SHAPE_HULL;
        def.geometry.vertices = corner;
        def.geometry.vertex_count = 6;
        REQUIRE_OK(sn_collider_create(world, &def, &made));
    }
}

/* Ridges that end under them, or far beside them. */
TEST(bodies_lie_on_roofs_with_hips) {
    static const double lengths[2] = {0.12, 0.5};
    for (int length = 0; length < 2; length++)
        for (int which = 0; which <= POST; which++)
            for (int s = 0; s < 3; s++) {
                const double size = sizes[s][0];
                if (!has_turn(length, which, s)) continue;
                sn_world *world = make_world(1, 9.81, 20);
                add_hipped_roofs(world, size, lengths[length]);
                sn_collider_def def = rough(0.5, 0);
                def.position = vector(0, 0.401 * size, 0);
                thing own = add_body(world, (body)which, size, def);
                for (int f = 0; f < 120; f++) REQUIRE_OK(sn_world_step(world, FRAME));
                const sn_node_def at = look(world, own);
                check_case("%s, size %g, ridges of %g", body_names[which], size, lengths[length]);
                CHECK_NEAR((double)at.position.y, 0.4 * size, 1e-4 * size);
                CHECK_NEAR((double)at.position.x, 0, 1e-3 * size);
                CHECK_NEAR((double)at.position.z, 0, 1e-3 * size);
                CHECK_NEAR((double)at.velocity.y, 0, 1e-3 * size);
                sn_world_destroy(world);
            }
}

/* Each spike is a mesh of its own, around its own origin: none is taken for another. */
TEST(bodies_rest_on_spikes_of_several_meshes) {
    for (int which = 0; which < SOLID; which++) {
        const terrain t = spikes_for((body)which, 1, 0.3, 0.04);
        sn_world *world = make_world(1, 9.81, 20);
        for (size_t k = 0; k < t.count; k++) {
            terrain one = {.high = t.high - 0.05 * (double)k, .foot = t.foot, .count = 1};
            sn_collider_def def = rough(0.5, 0);
            def.position = vector(t.x[k], 0.05 * (double)k, t.z[k]);
            add_teeth(world, &one, def, MESH);
        }
        sn_collider_def def = rough(0.5, 0);
        def.position = vector(0, height_on((body)which, &t, 1) + 1e-3, 0);
        thing own = add_body(world, (body)which, 1, def);
        for (int f = 0; f < 60; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        check_case("%s", body_names[which]);
        CHECK_NEAR((double)look(world, own).position.y, height_on((body)which, &t, 1), 1e-4);
        CHECK_NEAR((double)look(world, own).velocity.y, 0, 1e-3);
        sn_world_destroy(world);
    }
}

/* ---- In motion ---- */

/* The lowest that its middle was over what it lies on. */
static double lowest_in(sn_world *world, thing own, int frames, double low) {
    for (int f = 0; f < frames; f++) {
        REQUIRE_OK(sn_world_step(world, FRAME));
        low = fmin(low, (double)look(world, own).position.y);
    }
    return low;
}

TEST(bodies_that_fall_on_spikes_stop_on_them) {
    static const double speeds[3] = {1, 5, 10};
    for (int kind = MESH; kind <= HULLS; kind++)
        for (int which = 0; which < SOLID; which++) {
            const double speed = speeds[(kind + which) % 3];
            const terrain t = spikes_for((body)which, 1, 0.3, 0.04);
            const double high = height_on((body)which, &t, 1);
            sn_world *world = make_world(1, 9.81, 20);
            add_ground(world, (ground)kind, &t, 0.05, rough(0.5, 0));
            sn_collider_def def = rough(0.5, 0);
            def.position = vector(0, high + 0.3, 0);
            def.velocity = vector(0, -speed, 0);
            thing own = add_body(world, (body)which, 1, def);
            check_case("%s on a %s at %g m/s", body_names[which], ground_names[kind], speed);
            CHECK(lowest_in(world, own, 60, high) > high - 0.01);
            CHECK_NEAR((double)look(world, own).position.y, high, 2e-3);
            sn_world_destroy(world);
        }
}

/* What is thinner than its way in a substep, which is 8 mm. */
TEST(what_is_thin_does_not_pass_spikes_or_ridges) {
    for (int kind = MESH; kind <= FIELD; kind++)
        for (int ridges = 0; ridges < 2; ridges++) {
            const terrain t = ridges ? ridges_for(1, 0.3, 0.04) : spikes_for(BOX, 1, 0.3, 0.04);
            sn_world *world = make_world(1, 0, 20);
            sn_rigid_def rigid = sn_rigid_def_default();
            sn_collider_def def = rough(0.5, 0);
            thing own;
            add_ground(world, (ground)kind, &t, 0.05, rough(0.5, 0));
            def.shape = SN_SHAPE_BOX;
            def.extent = vector(0.3, 0.001, 0.25);
            def.position = vector(0, 0.4, 0);
            def.velocity = vector(0, -10, 0);
            REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &own.node, &own.collider));
            check_case("%s of a %s", ridges ? "ridges" : "spikes", ground_names[kind]);
            double low = lowest_in(world, own, 30, 1);
            CHECK(low > 0.3 - 1e-3);
            sn_world_destroy(world);
        }
}

/* Without gravity it leaves with a part of the speed with which it came. */
TEST(bodies_bounce_off_spikes) {
    for (int kind = MESH; kind <= HULLS; kind++)
        for (int which = 0; which < SOLID; which++) {
            const terrain t = spikes_for((body)which, 1, 0.3, 0.04);
            sn_world *world = make_world(1, 0, 20);
            add_ground(world, (ground)kind, &t, 0.05, rough(0, 0.6));
            sn_collider_def def = rough(0, 0.6);
            /* No whole number of substeps away: what strikes all spikes at once is to be in all. */
            def.position = vector(0, height_on((body)which, &t, 1) + 0.1012, 0);
            def.velocity = vector(0, -3, 0);
            thing own = add_body(world, (body)which, 1, def);
            for (int f = 0; f < 10; f++) REQUIRE_OK(sn_world_step(world, FRAME));
            const sn_vec3 v = look(world, own).velocity;
            check_case("%s off a %s", body_names[which], ground_names[kind]);
            /* Three spikes under a plate do not stand evenly about its middle: it turns as well. */
            if (is_round((body)which))
                CHECK_NEAR((double)v.y, 0.6 * 3, 0.02);
            else
                CHECK((double)v.y > 0.5);
            sn_world_destroy(world);
        }
}

/* Over ridges that lie across its way a body slides as over a floor. */
TEST(bodies_slide_over_ridges) {
    for (int kind = MESH; kind <= HULLS; kind++)
        for (int which = 0; which < POST; which++) {
            terrain t = {.high = 0.1, .foot = 0.04, .along_z = 0.15, .count = 14};
            sn_world *world = make_world(1, 9.81, 20);
            for (size_t k = 0; k < t.count; k++) t.x[k] = 0.1 * (double)k - 0.55;
            add_ground(world, (ground)kind, &t, 0.05, rough(0.3, 0));
            sn_collider_def def = rough(0.3, 0);
            def.position = vector(-0.3, t.high + HIGH, 0);
            def.velocity = vector(1.5, 0, 0);
            thing own = add_body(world, (body)which, 1, def);
            check_case("%s on a %s", body_names[which], ground_names[kind]);
            double low = t.high + HIGH, high = low;
            for (int f = 0; f < 20; f++) {
                REQUIRE_OK(sn_world_step(world, FRAME));
                low = fmin(low, (double)look(world, own).position.y);
                high = fmax(high, (double)look(world, own).position.y);
            }
            CHECK_NEAR(low, t.high + HIGH, 5e-6);
            CHECK_NEAR(high, t.high + HIGH, 5e-6);
            CHECK_NEAR((double)look(world, own).velocity.x, 1.5 - 0.3 * 9.81 / 3, 1e-3);
            sn_world_destroy(world);
        }
}

/* A floor of triangles with no order: as a mesh, two-sided, or of heights. Its sides are felt by
   nobody. */
TEST(nothing_is_felt_of_the_edges_of_a_floor) {
    enum { CELLS = 40 };
    static sn_vec3 corner[(CELLS + 1) * (CELLS + 1)];
    static uint32_t side[2 * CELLS * CELLS][3];
    static sn_real height[(CELLS + 1) * (CELLS + 1)];
    for (uint32_t j = 0; j <= CELLS; j++)
        for (uint32_t i = 0; i <= CELLS; i++)
            corner[j * (CELLS + 1) + i] =
                vector(0.153 * (i - CELLS / 2.0) + 0.02 * ((i * 7 + j * 3) % 5), 0,
                       0.137 * (j - CELLS / 2.0) + 0.02 * ((i * 5 + j * 11) % 7));
    for (uint32_t j = 0; j < CELLS; j++)
        for (uint32_t i = 0; i < CELLS; i++) {
            const uint32_t a = j * (CELLS + 1) + i, b = a + 1, c = a + CELLS + 1, d = c + 1;
            const uint32_t both[2][6] = {{a, c, b, b, c, d}, {a, c, d, a, d, b}};
            memcpy(side[2 * (j * CELLS + i)], both[(i + j) % 2], sizeof both[0]);
        }
    for (int kind = 0; kind < 2; kind++)
        for (int which = 0; which <= BODIES; which++) {
            sn_world *world = make_world(1, 9.81, 20);
            sn_collider_def floor_ = rough(0.3, 0), def = rough(0.3, 0);
            sn_collider made;
            floor_.shape = kind ? SN_SHAPE_HEIGHTS : SN_SHAPE_MESH;
            floor_.extent = vector(3.2, 0, 3.1);
            floor_.geometry.vertices = corner;
            floor_.geometry.vertex_count = (CELLS + 1) * (CELLS + 1);
            floor_.geometry.triangles = (const uint32_t(*)[3])side;
            floor_.geometry.triangle_count = 2 * CELLS * CELLS;
            floor_.geometry.heights = height;
            floor_.geometry.points[0] = floor_.geometry.points[1] = CELLS + 1;
            floor_.geometry.two_sided = true;
            floor_.radius = kind ? 0 : (sn_real)0.005;
            REQUIRE_OK(sn_collider_create(world, &floor_, &made));
            const bool ball = which == BODIES;
            def.velocity = vector(5, 0, 0);
            def.position = vector(-1.8, HIGH + (kind ? 0 : 0.005), 0.1);
            thing own;
            if (ball) {
                sn_rigid_def rigid = sn_rigid_def_default();
                def.shape = SN_SHAPE_SPHERE;
                def.radius = (sn_real)HIGH;
                REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &own.node, &own.collider));
            } else {
                own = add_body(world, (body)which, 1, def);
            }
            check_case("%s on %s", ball ? "ball" : body_names[which], kind ? "heights" : "mesh");
            double most = 0;
            for (int f = 0; f < 30; f++) {
                REQUIRE_OK(sn_world_step(world, FRAME));
                most = fmax(most, fabs((double)look(world, own).velocity.y));
                most = fmax(most, fabs((double)look(world, own).velocity.z));
            }
            CHECK(most < 2e-3);
            /* A ball rolls before it is as slow. */
            const double last = ball ? 5 * 5.0 / 7 : 5 - 0.3 * 9.81 / 2;
            CHECK_NEAR((double)look(world, own).velocity.x, last, 5e-3);
            sn_world_destroy(world);
        }
}

/* Spikes that come up carry what lies on them. */
TEST(spikes_that_move_carry_bodies) {
    for (int which = 0; which < SOLID; which++) {
        const terrain t = spikes_for((body)which, 1, 0.3, 0.04);
        const double high = height_on((body)which, &t, 1);
        sn_world *world = make_world(1, 9.81, 20);
        sn_collider_def ground_ = rough(0.5, 0), def = rough(0.5, 0);
        ground_.velocity = vector(0, 0.5, 0);
        add_ground(world, MESH, &t, 0.05, ground_);
        def.position = vector(0, high, 0);
        def.velocity = ground_.velocity;
        thing own = add_body(world, (body)which, 1, def);
        for (int f = 0; f < 60; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        check_case("%s", body_names[which]);
        CHECK_NEAR((double)look(world, own).position.y, high + 0.5, 2e-4);
        CHECK_NEAR((double)look(world, own).velocity.y, 0.5, 1e-3);
        sn_world_destroy(world);
    }
}

/* The same where it is the vertices that are sent up, and aside. */
TEST(spikes_whose_vertices_move_carry_bodies) {
    for (int which = 0; which < SOLID; which++) {
        const terrain t = spikes_for((body)which, 1, 0.3, 0.04);
        sn_world *world = make_world(1, 9.81, 20);
        sn_vec3 corner[6 * MOST];
        uint32_t side[8 * MOST][3];
        size_t corners = 0;
        double high = height_on((body)which, &t, 1), most = 0;
        sn_collider_def ground_ = rough(0.5, 0), def = rough(0.5, 0);
        sn_collider made;
        for (size_t k = 0; k < t.count; k++)
            corners += put_tooth(&t, k, corner + corners, side + 6 * k, (uint32_t)corners);
        ground_.shape = SN_SHAPE_MESH;
        ground_.geometry.vertices = corner;
        ground_.geometry.triangles = (const uint32_t(*)[3])side;
        ground_.geometry.vertex_count = corners;
        ground_.geometry.triangle_count = 6 * t.count;
        REQUIRE_OK(sn_collider_create(world, &ground_, &made));
        def.position = vector(0, high, 0);
        thing own = add_body(world, (body)which, 1, def);
        for (int f = 0; f < 60; f++) {
            for (size_t k = 0; k < corners; k++) {
                corner[k].x += (sn_real)(0.2 / 60);
                corner[k].y += (sn_real)(0.3 / 60);
            }
            high += 0.3 / 60;
            REQUIRE_OK(sn_collider_set_vertices(world, made, corner, corners));
            REQUIRE_OK(sn_world_step(world, FRAME));
            most = fmax(most, fabs((double)look(world, own).position.y - high));
        }
        check_case("%s", body_names[which]);
        CHECK(most < 1e-3);
        CHECK_NEAR((double)look(world, own).velocity.x, 0.2, 2e-3);
        CHECK_NEAR((double)look(world, own).velocity.y, 0.3, 2e-3);
        sn_world_destroy(world);
    }
}

/* One that cannot turn stands on the tip of a spike that is far larger than it. */
TEST(what_cannot_turn_stands_on_a_tip) {
    for (int kind = MESH; kind <= HULLS; kind++)
        for (int which = 0; which < SOLID; which++) {
            const terrain t = {.high = 5, .foot = 1, .count = 1};
            sn_world *world = make_world(1, 9.81, 20);
            add_ground(world, (ground)kind, &t, 1, rough(0.5, 0));
            sn_collider_def def = rough(0.5, 0);
            def.position = vector(0.003, 5.02 + HIGH * 0.2, 0.002);
            thing own = add_body(world, (body)which, 0.2, def);
            REQUIRE_OK(sn_node_set_inverse_inertia(world, own.node, vector(0, 0, 0)));
            for (int f = 0; f < 30; f++) REQUIRE_OK(sn_world_step(world, FRAME));
            check_case("%s on a %s", body_names[which], ground_names[kind]);
            CHECK_NEAR((double)look(world, own).position.y, 5 + HIGH * 0.2, 3e-4);
            CHECK_NEAR((double)look(world, own).velocity.y, 0, 1e-3);
            sn_world_destroy(world);
        }
}

/* The spikes are on what falls, and the box stands, is fixed on a node, or is free on a floor. */
TEST(bodies_with_spikes_rest_on_boxes) {
    for (int kind = 0; kind < 3; kind++) {
        const terrain t = spikes_for(BOX, 1, 0.3, 0.04);
        sn_world *world = make_world(1, 9.81, 20);
        sn_vec3 corner[6 * MOST];
        uint32_t side[8 * MOST][3];
        size_t corners = 0;
        sn_collider_def def = rough(0.5, 0), table = rough(0.5, 0);
        sn_rigid_def rigid = sn_rigid_def_default();
        thing own, other;
        sn_collider made;
        for (size_t k = 0; k < 3; k++)
            corners += put_tooth(&t, k, corner + corners, side + 6 * k, (uint32_t)corners);
        def.shape = SN_SHAPE_MESH;
        def.geometry.vertices = corner;
        def.geometry.triangles = (const uint32_t(*)[3])side;
        def.geometry.vertex_count = corners;
        def.geometry.triangle_count = 18;
        def.orientation = (sn_quat){1, 0, 0, 0};
        def.position = vector(0, 0.301, 0);
        table.shape = SN_SHAPE_BOX;
        table.extent = vector(0.5, 0.1, 0.5);
        table.position = vector(0, -0.1, 0);
        REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &own.node, &own.collider));
        if (kind == 0) REQUIRE_OK(sn_collider_create(world, &table, &made));
        if (kind > 0)
            REQUIRE_OK(sn_rigid_create(world, &rigid, &table, &other.node, &other.collider));
        if (kind == 1) {
            REQUIRE_OK(sn_node_set_inverse_mass(world, other.node, 0));
            REQUIRE_OK(sn_node_set_inverse_inertia(world, other.node, vector(0, 0, 0)));
        }
        if (kind == 2) {
            sn_collider_def floor_ = rough(0.5, 0);
            floor_.position = vector(0, -0.2, 0);
            REQUIRE_OK(sn_collider_create(world, &floor_, &made));
        }
        for (int f = 0; f < 60; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        REQUIRE_OK(sn_collider_get(world, own.collider, &def));
        check_case("table %d", kind);
        CHECK_NEAR((double)def.position.y, 0.3, 2e-4);
        CHECK_NEAR((double)def.velocity.y, 0, 1e-3);
        sn_world_destroy(world);
    }
}

TESTS(RUN(bodies_rest_as_high_as_spikes_are), RUN(bodies_rest_as_high_as_ridges_are),
      RUN(boards_lie_flat_on_a_facet), RUN(bodies_lie_on_roofs_with_hips),
      RUN(bodies_rest_on_spikes_of_several_meshes), RUN(bodies_that_fall_on_spikes_stop_on_them),
      RUN(what_is_thin_does_not_pass_spikes_or_ridges), RUN(bodies_bounce_off_spikes),
      RUN(bodies_slide_over_ridges), RUN(nothing_is_felt_of_the_edges_of_a_floor),
      RUN(spikes_that_move_carry_bodies), RUN(spikes_whose_vertices_move_carry_bodies),
      RUN(what_cannot_turn_stands_on_a_tip), RUN(bodies_with_spikes_rest_on_boxes))
