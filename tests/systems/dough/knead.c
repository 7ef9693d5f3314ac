/*
 * Doughs: mass, centre of mass and momentum are kept when particles are seeded and become one; what
 * is pressed together joins and what is pulled apart tears; what has flown stays; and threads and
 * snapshots in the middle do not matter.
 */
#include "check.h"
#include "snapshot.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2048 };
static const double spacing = 0.05;

typedef struct piece {
    sn_world *world;
    sn_node node[MOST];
    size_t count, spare; /* in all, and how many of them wait at first */
    sn_dough dough;
} piece;

static piece p;

static void begin(int threads, double gravity) {
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = 4;
    def.settings.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    def.threads = threads;
    memset(&p, 0, sizeof p);
    REQUIRE_OK(sn_world_create(&def, &p.world));
}

static void add_node(double x, double y, double z, sn_vec3 v) {
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    def.velocity = v;
    def.radius = (sn_real)(spacing / 2);
    def.inverse_mass = 10;
    REQUIRE_OK(sn_node_create(p.world, &def, &p.node[p.count++]));
}

static void add_block(int nx, int ny, int nz, double x0, sn_vec3 v) {
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) add_node(x0 + spacing * x, spacing * y, spacing * z, v);
}

static sn_dough_def knead(size_t spare) {
    sn_dough_def def = sn_dough_def_default();
    def.nodes = p.node;
    for (size_t i = 0; i < spare; i++) add_node(0.01 * (double)i, -5, 0, (sn_vec3){0, 0, 0});
    p.spare = spare;
    def.node_count = p.count;
    def.waiting = (uint32_t)spare;
    def.spacing = (sn_real)spacing;
    return def;
}

static void make(const sn_dough_def *def) {
    REQUIRE_OK(sn_dough_create(p.world, def, &p.dough));
}

static void run(int steps) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(p.world, (sn_real)(1.0 / 60)));
}

static sn_dough_measures look(void) {
    sn_dough_measures m;
    REQUIRE_OK(sn_dough_measure(p.world, p.dough, &m));
    return m;
}

typedef struct motion {
    double mass, centre[3], momentum[3];
} motion;

static motion measure(void) {
    motion m = {0};
    sn_node_view n;
    REQUIRE_OK(sn_world_nodes(p.world, &n));
    for (size_t i = 0; i < n.count; i++) {
        if (!n.alive[i] || !(n.inverse_mass[i] > 0)) continue;
        double mass = 1 / (double)n.inverse_mass[i];
        const double x[3] = {(double)n.position[i].x, (double)n.position[i].y,
                             (double)n.position[i].z};
        const double v[3] = {(double)n.velocity[i].x, (double)n.velocity[i].y,
                             (double)n.velocity[i].z};
        m.mass += mass;
        for (int a = 0; a < 3; a++) {
            m.centre[a] += mass * x[a];
            m.momentum[a] += mass * v[a];
        }
    }
    return m;
}

/* Both ends are drawn apart, or together, in the course of a number of steps. */
static void draw(int steps, double speed) {
    for (int i = 0; i < steps; i++) {
        for (size_t k = 0; k < p.count - p.spare; k++) {
            sn_node_def def;
            REQUIRE_OK(sn_node_get(p.world, p.node[k], &def));
            if (def.inverse_mass > 0 || def.radius == 0) continue;
            def.position.x += (sn_real)((def.position.x > (sn_real)0.2 ? speed : -speed) / 60);
            REQUIRE_OK(sn_node_set_position(p.world, p.node[k], def.position));
        }
        run(1);
    }
}

/* A bar whose two outer layers at either end are held. */
static void hold_bar(int length, size_t spare) {
    add_block(length, 5, 5, 0, (sn_vec3){0, 0, 0});
    sn_dough_def def = knead(spare);
    for (size_t i = 0; i < def.node_count - spare; i++) {
        size_t x = i % (size_t)length;
        if (x < 2 || x + 2 >= (size_t)length)
            REQUIRE_OK(sn_node_set_inverse_mass(p.world, p.node[i], 0));
    }
    make(&def);
}

/* ---- Shapes ---- */

TEST(what_is_at_rest_stays) {
    begin(1, 0);
    add_block(6, 5, 4, 0, (sn_vec3){0, 0, 0});
    sn_dough_def def = knead(0);
    make(&def);
    sn_dough_measures before = look();
    run(20);
    sn_node_view n;
    REQUIRE_OK(sn_world_nodes(p.world, &n));
    double off = 0;
    for (size_t i = 0; i < n.count; i++)
        off = fmax(off, fabs((double)n.position[i].x - spacing * (double)(i % 6)));
    check_case("off by %g m, %g clusters", off, before.clusters);
    CHECK(off < 1e-6 && before.pieces == 1 && before.clusters > 8);
    CHECK(look().clusters == before.clusters && look().seeded + look().merged == 0);
    sn_world_destroy(p.world);
}

/* A ball is thrown on a floor: with a high yield it is nearly as high afterwards, with a low one it
   is flat. */
static double height_after(double yield) {
    begin(1, 10);
    for (int z = -3; z <= 3; z++)
        for (int y = -3; y <= 3; y++)
            for (int x = -3; x <= 3; x++)
                if (x * x + y * y + z * z <= 10)
                    add_node(spacing * x, 0.4 + spacing * y, spacing * z, (sn_vec3){0, -3, 0});
    sn_dough_def def = knead(60);
    def.plastic_yield = (sn_real)yield;
    sn_collider_def floor = sn_collider_def_default();
    sn_collider collider;
    floor.shape = SN_SHAPE_PLANE;
    REQUIRE_OK(sn_collider_create(p.world, &floor, &collider));
    make(&def);
    run(60);
    double low = 10, high = -10;
    sn_node_view n;
    REQUIRE_OK(sn_world_nodes(p.world, &n));
    for (size_t i = 0; i < n.count; i++) {
        if (!(n.inverse_mass[i] > 0)) continue;
        low = fmin(low, (double)n.position[i].y);
        high = fmax(high, (double)n.position[i].y);
    }
    sn_world_destroy(p.world);
    return high - low;
}

TEST(what_yields_stays_flat) {
    double hard = height_after(100), soft = height_after(0.02);
    check_case("%g m high, and %g m", hard, soft);
    /* The weight presses both; and what an impact brings nearer than half a spacing is one. */
    CHECK(hard > 0.75 * 6 * spacing);
    CHECK(soft < 0.8 * hard);
}

/* ---- Mass ---- */

/* Free dough that is drawn out: all that changes is how many particles there are. */
TEST(mass_and_momentum_are_kept) {
    begin(1, 0);
    add_block(8, 5, 5, 0, (sn_vec3){0, 0, 0});
    sn_dough_def def = knead(300);
    for (size_t i = 0; i < def.node_count - p.spare; i++) {
        sn_vec3 v = {(sn_real)(6 * (spacing * (double)(i % 8) - 0.175)), (sn_real)0.3, 0};
        REQUIRE_OK(sn_node_set_velocity(p.world, p.node[i], v));
    }
    def.plastic_yield = 0;
    def.plastic_creep = 60;
    def.compliance = (sn_real)0.01;
    make(&def);
    motion before = measure();
    double time = 0;
    for (int i = 0; i < 60; i++) {
        run(1);
        time += 1.0 / 60;
        motion now = measure();
        CHECK_REL(now.mass, before.mass, 1e-5);
        for (int a = 0; a < 3; a++) {
            double path = before.centre[a] + time * before.momentum[a];
            CHECK_NEAR(now.momentum[a], before.momentum[a], 2e-4 * before.mass);
            CHECK_NEAR(now.centre[a], path, 2e-4 * before.mass);
        }
    }
    sn_dough_measures m = look();
    check_case("%g particles, %g seeded, %g merged", m.particles, m.seeded, m.merged);
    CHECK(m.seeded > 20 && m.particles == 200 + m.seeded - m.merged);
    CHECK_REL(m.mass, before.mass, 1e-5);
    sn_world_destroy(p.world);
}

/* Pressed together to less than there is room for, particles become one, and who is left over waits
   where the reserve does. */
TEST(what_is_pressed_becomes_fewer) {
    begin(1, 0);
    hold_bar(12, 100);
    double mass = look().mass;
    draw(40, -0.25);
    sn_dough_measures m = look();
    check_case("%g particles, %g merged", m.particles, m.merged);
    CHECK(m.merged > 0 && m.particles == 300 + m.seeded - m.merged && m.pieces == 1);
    CHECK_REL(m.mass, mass, 1e-5);
    sn_node_view n;
    REQUIRE_OK(sn_world_nodes(p.world, &n));
    for (size_t i = 0; i < n.count; i++)
        if (n.radius[i] == 0) CHECK(n.inverse_mass[i] == 0 && n.position[i].y < -4);
    sn_world_destroy(p.world);
}

/* ---- Topology ---- */

TEST(what_is_pressed_together_joins) {
    begin(1, 0);
    add_block(5, 5, 5, 0, (sn_vec3){(sn_real)0.5, 0, 0});
    add_block(5, 5, 5, 0.4, (sn_vec3){(sn_real)-0.5, 0, 0});
    sn_dough_def def = knead(0);
    make(&def);
    double before = look().pieces;
    run(25);
    check_case("%g pieces, then %g", before, look().pieces);
    CHECK(before == 2 && look().pieces == 1);
    /* What has joined holds: at rest in the mean, it does not come apart again. */
    run(60);
    CHECK(look().pieces == 1);
    sn_world_destroy(p.world);
}

TEST(what_is_pulled_apart_tears) {
    begin(1, 0);
    hold_bar(12, 200);
    CHECK(look().pieces == 1);
    draw(20, 0.3);
    double drawn = look().pieces, seeded = look().seeded, mass = look().mass;
    draw(80, 1);
    sn_dough_measures m = look();
    check_case("%g pieces with %g seeded, then %g with %g", drawn, seeded, m.pieces, m.seeded);
    CHECK(drawn == 1 && seeded > 0 && m.pieces >= 2);
    CHECK_REL(m.mass, mass, 1e-5);
    sn_world_destroy(p.world);
}

/* ---- Bits ---- */

static void play(int threads) {
    begin(threads, 5);
    hold_bar(10, 100);
    draw(20, 0.6);
}

TEST(threads_do_not_matter) {
    play(1);
    uint64_t one = snapshot_hash(p.world);
    sn_world_destroy(p.world);
    play(3);
    CHECK(snapshot_hash(p.world) == one && look().seeded > 0);
    sn_world_destroy(p.world);
}

TEST(snapshots_go_on_with_the_same_bits) {
    play(1);
    size_t size = 0;
    void *bytes = snapshot_of(p.world, &size);
    draw(20, 0.8);
    uint64_t straight = snapshot_hash(p.world);
    REQUIRE_OK(sn_snapshot_load(p.world, bytes, size));
    draw(20, 0.8);
    CHECK(snapshot_hash(p.world) == straight);
    free(bytes);
    sn_world_destroy(p.world);
}

/* A block that turns about each axis goes on, and keeps its angular momentum. */
TEST(what_turns_goes_on) {
    for (int axis = 0; axis < 3; axis++) {
        enum { SIDE = 5, ALL = SIDE * SIDE * SIDE };
        const double spin = 2, middle = 0.1, dt = 1.0 / 60;
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        sn_measure before, after;
        sn_node_def now;
        begin(1, 0);
        add_block(SIDE, SIDE, SIDE, 0, (sn_vec3){0, 0, 0});
        sn_dough_def def = knead(0);
        make(&def);
        for (size_t i = 0; i < ALL; i++) {
            REQUIRE_OK(sn_node_get(p.world, p.node[i], &now));
            const double x[3] = {(double)now.position.x, (double)now.position.y,
                                 (double)now.position.z};
            sn_real v[3] = {0, 0, 0};
            v[b] = (sn_real)(-spin * (x[c] - middle));
            v[c] = (sn_real)(spin * (x[b] - middle));
            REQUIRE_OK(sn_node_set_velocity(p.world, p.node[i], (sn_vec3){v[0], v[1], v[2]}));
        }
        REQUIRE_OK(sn_world_measure(p.world, &before));
        run(30);
        REQUIRE_OK(sn_world_measure(p.world, &after));
        REQUIRE_OK(sn_node_get(p.world, p.node[ALL - 1], &now));
        const double x[3] = {(double)now.position.x - middle, (double)now.position.y - middle,
                             (double)now.position.z - middle};
        double turned = atan2(x[c], x[b]) - atan2(1, 1), expected = spin * 30 * dt;
        check_case("axis %d: L %g of %g, turned by %g", axis, after.angular_momentum[axis],
                   before.angular_momentum[axis], turned);
        CHECK_REL(after.angular_momentum[axis], before.angular_momentum[axis], 0.01);
        CHECK_REL(turned, expected, 0.02);
        CHECK_NEAR(hypot(x[b], x[c]), middle * sqrt(2.0), 1e-3);
        sn_world_destroy(p.world);
    }
}

/* Where a soft block gets to that is held at one end and bent by its weight, as it is with axes in
   another order. */
static void bend_about(int by, sn_vec3 *out) {
    enum { LONG = 6, HIGH = 4, WIDE = 3 };
    sn_settings settings = sn_settings_default();
    sn_node_def now;
    begin(1, 0);
    REQUIRE_OK(sn_world_get_settings(p.world, &settings));
    settings.iterations = 3;
    sn_real g[3] = {0, 0, 0};
    g[(1 + by) % 3] = -5;
    g[(2 + by) % 3] = 2;
    settings.gravity = (sn_vec3){g[0], g[1], g[2]};
    REQUIRE_OK(sn_world_set_settings(p.world, &settings));
    for (int i = 0; i < LONG * HIGH * WIDE; i++) {
        const int at[3] = {i % LONG, i / LONG % HIGH, i / (LONG * HIGH)};
        double x[3];
        for (int k = 0; k < 3; k++) x[(k + by) % 3] = spacing * at[k];
        add_node(x[0], x[1], x[2], (sn_vec3){0, 0, 0});
    }
    sn_dough_def def = knead(0);
    def.compliance = (sn_real)1e-5;
    for (int i = 0; i < LONG * HIGH * WIDE; i += LONG)
        REQUIRE_OK(sn_node_set_inverse_mass(p.world, p.node[i], 0));
    make(&def);
    run(10);
    for (int i = 0; i < LONG * HIGH * WIDE; i++) {
        REQUIRE_OK(sn_node_get(p.world, p.node[i], &now));
        const sn_real x[3] = {now.position.x, now.position.y, now.position.z};
        out[i] = (sn_vec3){x[by % 3], x[(1 + by) % 3], x[(2 + by) % 3]};
    }
    sn_world_destroy(p.world);
}

TEST(what_is_soft_is_alike_along_all_axes) {
    enum { ALL = 72 };
    static sn_vec3 plain[ALL], other[ALL];
    bend_about(0, plain);
    CHECK((double)plain[ALL - 1].y < 3 * spacing - 0.001);
    for (int by = 1; by < 3; by++) {
        double most = 0;
        bend_about(by, other);
        for (int i = 0; i < ALL; i++) {
            most = fmax(most, fabs((double)(other[i].x - plain[i].x)));
            most = fmax(most, fabs((double)(other[i].y - plain[i].y)));
            most = fmax(most, fabs((double)(other[i].z - plain[i].z)));
        }
        check_case("axes by %d: %g m apart", by, most);
        CHECK(most < 1e-5);
    }
}

/* m: between two of its nodes. */
static double between(size_t a, size_t b) {
    sn_node_def x, y;
    REQUIRE_OK(sn_node_get(p.world, p.node[a], &x));
    REQUIRE_OK(sn_node_get(p.world, p.node[b], &y));
    double dx = (double)(x.position.x - y.position.x), dy = (double)(x.position.y - y.position.y);
    double dz = (double)(x.position.z - y.position.z);
    return sqrt(dx * dx + dy * dy + dz * dz);
}

/* A block that turns loses some of its nodes, whole clusters or none among them: the others go on
   as they were, and turn as one body. */
TEST(who_is_left_keeps_its_shape) {
    for (int most = 0; most < 2; most++) {
        enum { SIDE = 6, ALL = SIDE * SIDE * SIDE };
        check_case("%s", most ? "most go" : "few go");
        begin(1, 0);
        add_block(SIDE, SIDE, SIDE, 0, (sn_vec3){0, 0, 0});
        sn_dough_def def = knead(0);
        def.plastic_yield = SN_REAL_MAX;
        make(&def);
        for (size_t i = 0; i < ALL; i++) {
            sn_node_def now;
            REQUIRE_OK(sn_node_get(p.world, p.node[i], &now));
            sn_vec3 v = {-(now.position.y - (sn_real)0.125), now.position.x - (sn_real)0.125, 0};
            REQUIRE_OK(sn_node_set_velocity(p.world, p.node[i], v));
        }
        double clusters = look().clusters;
        size_t gone = 0;
        for (size_t i = 0; i < ALL; i++) {
            bool goes = most ? i % SIDE > 1 : i % 37 == 5;
            if (goes) REQUIRE_OK(sn_node_destroy(p.world, p.node[i]));
            gone += goes;
        }
        CHECK(most ? look().clusters < clusters : look().clusters == clusters);
        CHECK(look().particles == (double)(ALL - gone));
        size_t corner[4] = {0, SIDE * (SIDE - 1), SIDE * SIDE * (SIDE - 1), ALL - SIDE + 1};
        double apart[4];
        for (int i = 0; i < 4; i++) apart[i] = between(corner[i], corner[(i + 1) % 4]);
        run(30);
        for (int i = 0; i < 4; i++)
            CHECK_REL(between(corner[i], corner[(i + 1) % 4]), apart[i], 0.02);
        CHECK(look().pieces == 1);
        sn_world_destroy(p.world);
    }
}

static double fastest(void) {
    double most = 0;
    sn_node_view n;
    REQUIRE_OK(sn_world_nodes(p.world, &n));
    for (size_t i = 0; i < n.count; i++) {
        if (!n.alive[i]) continue;
        double x = (double)n.velocity[i].x, y = (double)n.velocity[i].y;
        most = fmax(most, sqrt(x * x + y * y + (double)n.velocity[i].z * (double)n.velocity[i].z));
    }
    return most;
}

/* Drawn, so that every cluster has a shape at rest of its own: those that lose a node keep it. */
TEST(what_was_drawn_rests_with_fewer) {
    begin(1, 0);
    hold_bar(10, 100);
    draw(20, 0.6);
    run(60);
    CHECK(look().seeded > 0);
    double before = fastest(), after = 0;
    for (size_t i = 0; i < 6; i++) REQUIRE_OK(sn_node_destroy(p.world, p.node[40 * i]));
    for (int i = 0; i < 5; i++) {
        run(1);
        after = fmax(after, fastest());
    }
    check_case("%g m/s, then %g", before, after);
    CHECK(after < 0.3);
    sn_world_destroy(p.world);
}

TEST(nodes_leave_and_doughs_go) {
    play(1);
    for (size_t i = 0; i < 40; i++) REQUIRE_OK(sn_node_destroy(p.world, p.node[3 * i]));
    run(5);
    sn_dough_def def;
    REQUIRE_OK(sn_dough_get(p.world, p.dough, &def));
    CHECK(def.node_count == p.count - 40);
    def.plastic_yield = 1;
    REQUIRE_OK(sn_dough_set(p.world, p.dough, &def));
    run(1);
    REQUIRE_OK(sn_dough_destroy(p.world, p.dough));
    CHECK(!sn_dough_is_valid(p.world, p.dough));
    run(1);
    sn_world_destroy(p.world);
}

TEST(bad_doughs_are_refused) {
    begin(1, 0);
    add_block(3, 3, 3, 0, (sn_vec3){0, 0, 0});
    sn_dough_def def = knead(0);
    sn_dough other;
    def.spacing = 0;
    CHECK_FAILS(sn_dough_create(p.world, &def, &p.dough), SN_ERROR_VALUE);
    def.spacing = (sn_real)spacing;
    def.waiting = 27;
    CHECK_FAILS(sn_dough_create(p.world, &def, &p.dough), SN_ERROR_VALUE);
    def.waiting = 0;
    make(&def);
    CHECK_FAILS(sn_dough_create(p.world, &def, &other), SN_ERROR_VALUE);
    sn_world_destroy(p.world);
    begin(1, 0);
    add_block(2, 2, 2, 0, (sn_vec3){0, 0, 0});
    def = knead(0);
    for (size_t i = 0; i < 8; i++) REQUIRE_OK(sn_node_set_inverse_mass(p.world, p.node[i], 0));
    CHECK_FAILS(sn_dough_create(p.world, &def, &p.dough), SN_ERROR_VALUE);
    sn_world_destroy(p.world);
}

TESTS(RUN(what_is_soft_is_alike_along_all_axes), RUN(what_is_at_rest_stays),
      RUN(what_yields_stays_flat), RUN(mass_and_momentum_are_kept),
      RUN(what_is_pressed_becomes_fewer), RUN(what_is_pressed_together_joins),
      RUN(what_is_pulled_apart_tears), RUN(threads_do_not_matter),
      RUN(snapshots_go_on_with_the_same_bits), RUN(what_turns_goes_on),
      RUN(what_was_drawn_rests_with_fewer), RUN(who_is_left_keeps_its_shape),
      RUN(nodes_leave_and_doughs_go), RUN(bad_doughs_are_refused))
