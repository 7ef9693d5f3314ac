/*
 * Heaps of bodies of several shapes each, at random and in towers: whatever pairs and impulses go
 * from step to step by goes on alike in a world that was read from a snapshot, with threads, and
 * with colliders far away that come and go; and what rests needs one sweep to go on resting, and
 * rests with many.
 */
#include "rigid_worlds.h"
#include "snapshot.h"

#include <math.h>
#include <stdlib.h>

enum { HEAPS = 6, BODIES = 9, STEPS = 24, CORNERS = 6, MOST_CONTACTS = 400, PLACES = 8 };

static uint32_t seed;

static double between(double low, double high) {
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(seed >> 8) / (double)(1 << 24);
}

static sn_vec3 random_vector(double most) {
    double x = between(-most, most), y = between(-most, most);
    return vector(x, y, between(-most, most));
}

static sn_quat random_turn(void) {
    sn_vec3 a = random_vector(1);
    return (sn_quat){a.x, a.y, a.z, (sn_real)between(0.2, 1)};
}

/* ---- Bodies ---- */

static sn_collider_part random_part(int which, double size) {
    static const sn_shape shapes[] = {SN_SHAPE_BOX, SN_SHAPE_CAPSULE, SN_SHAPE_SPHERE,
                                      SN_SHAPE_CYLINDER};
    sn_collider_part part = sn_collider_part_default();
    part.shape = shapes[which % 4];
    part.radius = (sn_real)(part.shape == SN_SHAPE_BOX ? 0 : 0.4 * size);
    part.extent = vector(between(0.3, 0.8) * size, between(0.3, 0.8) * size, 0.5 * size);
    return part;
}

static void shape_of(const sn_collider_part *part, sn_collider_def *def) {
    def->shape = part->shape;
    def->radius = part->radius;
    def->extent = part->extent;
}

/* One of every kind: a single shape, a hull, a compound of three, three that a node carries. */
static sn_node add_body(sn_world *world, int i, sn_vec3 at) {
    const double size = between(0.1, 0.2);
    sn_collider_def def = sn_collider_def_default();
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_part parts[3];
    sn_vec3 corners[CORNERS];
    sn_collider collider;
    sn_node node;
    def.position = at;
    def.orientation = random_turn();
    def.velocity = random_vector(1);
    def.angular_velocity = random_vector(3);
    def.static_friction = def.dynamic_friction = (sn_real)between(0, 0.8);
    def.restitution = (sn_real)(i % 3 == 0 ? 0.4 : 0);
    for (int k = 0; k < 3; k++) {
        parts[k] = random_part(i + k, size);
        parts[k].position = random_vector(size);
        parts[k].orientation = random_turn();
    }
    for (int k = 0; k < CORNERS; k++) corners[k] = random_vector(1.5 * size);
    shape_of(&parts[0], &def);
    if (i % 5 == 1) {
        def.shape = SN_SHAPE_HULL;
        def.geometry.vertices = corners;
        def.geometry.vertex_count = CORNERS;
    }
    if (i % 5 == 2) {
        def.shape = SN_SHAPE_COMPOUND;
        def.parts = parts;
        def.part_count = 3;
    }
    if (def.shape == SN_SHAPE_HULL || def.shape == SN_SHAPE_COMPOUND) {
        def.radius = 0;
        def.extent = vector(0, 0, 0);
    }
    rigid.density = (sn_real)between(300, 2000);
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &collider));
    for (int k = 1; k < 3 && i % 5 > 2; k++) {
        sn_collider_def more = sn_collider_def_default();
        sn_vec3 by = random_vector(size);
        shape_of(&parts[k], &more);
        more.position = vector((double)at.x + (double)by.x, (double)at.y + (double)by.y,
                               (double)at.z + (double)by.z);
        more.orientation = random_turn();
        REQUIRE_OK(sn_collider_create(world, &more, &collider));
        REQUIRE_OK(sn_collider_set_carrier(world, collider, node));
    }
    return node;
}

/* On a floor of three boxes that stand, of a plane, and of a compound that stands. */
static void add_floor(sn_world *world) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider_part parts[4];
    sn_collider made;
    def.position = vector(0, -0.05, 0);
    REQUIRE_OK(sn_collider_create(world, &def, &made));
    for (int k = 0; k < 4; k++) {
        parts[k] = sn_collider_part_default();
        parts[k].shape = k == 3 ? SN_SHAPE_CAPSULE : SN_SHAPE_BOX;
        parts[k].radius = (sn_real)(k == 3 ? 0.04 : 0);
        parts[k].extent = k == 3 ? vector(0, 0.2, 0) : vector(0.15, 0.05, 0.5);
        parts[k].position = k == 3 ? vector(0, 0.04, -0.1) : vector(0.3 * (k - 1), 0, 0);
    }
    def.position = vector(-0.2, 0, 0);
    def.shape = SN_SHAPE_COMPOUND;
    def.parts = parts;
    def.part_count = 4;
    REQUIRE_OK(sn_collider_create(world, &def, &made));
    def = sn_collider_def_default();
    def.shape = SN_SHAPE_BOX;
    def.extent = vector(0.2, 0.1, 0.5);
    def.position = vector(0.45, 0, 0);
    REQUIRE_OK(sn_collider_create(world, &def, &made));
}

static sn_world *make_heap(int which, int threads) {
    sn_world *world = make_world(threads, 9.81, 3 + which % 3);
    seed = 77u + 1009u * (uint32_t)which;
    add_floor(world);
    for (int i = 0; i < BODIES; i++)
        (void)add_body(world, i + which,
                       vector(between(-0.3, 0.4), 0.25 + 0.13 * i, between(-0.2, 0.2)));
    return world;
}

/* ---- The same bits ---- */

/* The world as another one that has read it, which takes its place. */
static sn_world *read_anew(sn_world *world, int threads) {
    size_t size;
    sn_world *other = make_world(threads, 0, 1);
    void *data = snapshot_of(world, &size);
    REQUIRE_OK(sn_snapshot_load(other, data, size));
    free(data);
    sn_world_destroy(world);
    return other;
}

TEST(heaps_go_on_alike_whatever_is_kept) {
    for (int which = 0; which < HEAPS; which++) {
        sn_world *one = make_heap(which, 1), *two = make_heap(which, 3);
        for (int i = 0; i < STEPS; i++) {
            check_case("heap %d, step %d", which, i);
            if (i % 4 != 1) two = read_anew(two, 1 + i % 3);
            REQUIRE_OK(sn_world_step(one, FRAME));
            REQUIRE_OK(sn_world_step(two, FRAME));
            if (!CHECK(snapshot_hash(one) == snapshot_hash(two))) break;
        }
        sn_world_destroy(one);
        sn_world_destroy(two);
    }
}

static bool same_places(const sn_world *one, const sn_world *two) {
    sn_node_view a, b;
    REQUIRE_OK(sn_world_nodes(one, &a));
    REQUIRE_OK(sn_world_nodes(two, &b));
    bool same = a.count == b.count;
    for (size_t i = 0; same && i < a.count; i++)
        same = a.position[i].x == b.position[i].x && a.position[i].y == b.position[i].y &&
               a.position[i].z == b.position[i].z;
    return same;
}

/* A ball far away that comes before a step and goes after it: what was kept is kept for other
   numbers of colliders, and pairs are found anew. */
TEST(what_comes_and_goes_far_away_changes_nothing) {
    for (int which = 0; which < HEAPS; which++) {
        sn_world *one = make_heap(which, 1), *two = make_heap(which, 1);
        sn_collider_def far = sn_collider_def_default();
        sn_collider always, made;
        far.shape = SN_SHAPE_SPHERE;
        far.radius = 1;
        far.position = vector(0, 500, 0);
        REQUIRE_OK(sn_collider_create(one, &far, &always));
        for (int i = 0; i < STEPS; i++) {
            check_case("heap %d, step %d", which, i);
            REQUIRE_OK(sn_collider_create(two, &far, &made));
            /* In the first nothing is kept in slots, either. */
            far.position.x += 1;
            REQUIRE_OK(sn_collider_set(one, always, &far));
            REQUIRE_OK(sn_world_step(one, FRAME));
            REQUIRE_OK(sn_world_step(two, FRAME));
            REQUIRE_OK(sn_collider_destroy(two, made));
            if (!CHECK(same_places(one, two))) break;
        }
        sn_world_destroy(one);
        sn_world_destroy(two);
    }
}

/* ---- Rest ---- */

static sn_node put(sn_world *world, const sn_collider_def *shape, double mass) {
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_def def = *shape;
    sn_collider collider;
    sn_node node;
    rigid.mass = (sn_real)mass;
    def.static_friction = def.dynamic_friction = (sn_real)0.6;
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &collider));
    return node;
}

static sn_collider_def box(double x, double y, double z, double radius, sn_vec3 at) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_BOX;
    def.extent = vector(x - radius, y - radius, z - radius);
    def.radius = (sn_real)radius;
    def.position = at;
    return def;
}

/* Towers of five: of boxes, of drums, of prisms, of tables (a compound), of slabs that are two
   colliders, of round boxes; heavy ones on light ones. */
static void add_tower(sn_world *world, int kind, double x) {
    double y = 0;
    for (int i = 0; i < 5; i++) {
        sn_collider_def def = box(0.3, 0.15, 0.25, kind == 5 ? 0.03 : 0, vector(x, 0, 0));
        sn_collider_part parts[4];
        sn_vec3 corners[6];
        if (kind == 1) {
            def.shape = SN_SHAPE_CYLINDER;
            def.radius = (sn_real)0.3;
            def.extent = vector(0, 0.15, 0);
        }
        for (int k = 0; k < 6; k++)
            corners[k] =
                vector(0.3 * cos(2.1 * (k % 3)), k < 3 ? -0.15 : 0.15, 0.3 * sin(2.1 * (k % 3)));
        if (kind == 2) {
            def.shape = SN_SHAPE_HULL;
            def.radius = 0;
            def.extent = vector(0, 0, 0);
            def.geometry.vertices = corners;
            def.geometry.vertex_count = 6;
        }
        for (int k = 0; k < 4; k++) {
            parts[k] = sn_collider_part_default();
            parts[k].shape = SN_SHAPE_BOX;
            parts[k].extent = k == 3 ? vector(0.3, 0.03, 0.3) : vector(0.04, 0.12, 0.04);
            parts[k].position =
                k == 3 ? vector(0, 0.12, 0) : vector(0.2 * cos(2.1 * k), -0.03, 0.2 * sin(2.1 * k));
        }
        if (kind == 3) {
            def.shape = SN_SHAPE_COMPOUND;
            def.extent = vector(0, 0, 0);
            def.parts = parts;
            def.part_count = 4;
        }
        if (kind == 4) def.extent = vector(0.12, 0.15, 0.25);
        y += 0.15;
        def.position.y = (sn_real)y;
        sn_node node = put(world, &def, 1 + 3 * (i == 4) + 0.5 * (i % 2));
        if (kind == 4) {
            sn_collider collider;
            def.position.x += (sn_real)0.24;
            def.static_friction = def.dynamic_friction = (sn_real)0.6;
            REQUIRE_OK(sn_collider_create(world, &def, &collider));
            REQUIRE_OK(sn_collider_set_carrier(world, collider, node));
        }
        y += 0.15;
    }
}

/* m/s, of the fastest. */
static double fastest(const sn_world *world) {
    sn_node node;
    double most = 0;
    for (size_t i = 0; sn_world_node_at(world, i, &node) == SN_OK; i++) {
        sn_node_def def;
        REQUIRE_OK(sn_node_get(world, node, &def));
        sn_vec3 v = def.velocity, w = def.angular_velocity;
        most = fmax(most, fabs((double)v.x) + fabs((double)v.y) + fabs((double)v.z) +
                              0.3 * (fabs((double)w.x) + fabs((double)w.y) + fabs((double)w.z)));
    }
    return most;
}

/* m/s: half more than was measured; what has several shapes rocks on them, most on a box, and what
   is round a little, as its points go with it. */
static double most_at_rest(int kind, bool stands) {
    if (kind == 4) return stands ? 0.11 : 0.04;
    return kind == 3 ? 0.013 : kind == 1 ? 5e-3 : 2.5e-3;
}

/* m/s: the fastest of a tower that has had time to come to rest. */
static double fastest_of_tower(int kind, bool stands, int sweeps, double x) {
    sn_world *world = make_world(1, 9.81, 20);
    sn_settings settings;
    sn_collider_def floor = stands ? box(2, 1, 2, 0, vector(0, -1, 0)) : sn_collider_def_default();
    sn_collider made;
    double most = 0;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.iterations = sweeps;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    floor.static_friction = floor.dynamic_friction = (sn_real)0.6;
    REQUIRE_OK(sn_collider_create(world, &floor, &made));
    add_tower(world, kind, x);
    for (int i = 0; i < 60; i++) {
        REQUIRE_OK(sn_world_step(world, FRAME));
        if (i >= 40) most = fmax(most, fastest(world));
    }
    sn_world_destroy(world);
    check_case("kind %d, on %s, %d sweeps", kind, stands ? "a box" : "a plane", sweeps);
    return most;
}

/* Whether a tower rocks is a matter of its last bits, and so of where it stands. */
TEST(what_rests_needs_one_sweep) {
    for (int kind = 0; kind < 6; kind++)
        for (int stands = 0; stands < 2; stands++) {
            double sum = 0;
            for (int k = 0; k < PLACES; k++) sum += fastest_of_tower(kind, stands, 1, 0.0137 * k);
            CHECK_NEAR(sum / PLACES, 0, most_at_rest(kind, stands));
        }
}

/* What is relaxed in every sweep drives what lies: boxes turned at 0.1 rad/s. */
TEST(what_rests_goes_on_with_many_sweeps) {
    for (int stands = 0; stands < 2; stands++)
        CHECK_NEAR(fastest_of_tower(0, stands, 40, 0), 0, most_at_rest(0, stands));
}

TESTS(RUN(heaps_go_on_alike_whatever_is_kept), RUN(what_comes_and_goes_far_away_changes_nothing),
      RUN(what_rests_needs_one_sweep), RUN(what_rests_goes_on_with_many_sweeps))
