/* Balls that roll on each other: impacts with spin, gears, resistance to rolling, and the same bits
   for all threads and lanes. */
#include "check.h"
#include "setups.h"

#include <math.h>

static const double r = 0.1, m = 2;

/* Two equal balls beside each other along x, 0.1 mm apart, without gravity, of the material 1. */
typedef struct two {
    sn_world *world;
    sn_node ball[2];
} two;

static two make_two(double mu, double rolling, int iterations) {
    two t = {.world = setup_world(20)};
    sn_settings settings = sn_settings_default();
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    sn_collision_surface surface;
    settings.gravity = (sn_vec3){0, 0, 0};
    settings.substeps = 20;
    settings.iterations = iterations;
    REQUIRE_OK(sn_world_set_settings(t.world, &settings));
    for (int i = 0; i < 2; i++)
        t.ball[i] = setup_ball(t.world, (sn_vec3){(sn_real)(i * (2 * r + 1e-4)), 0, 0}, m, r, 1);
    pair.static_friction = pair.dynamic_friction = (sn_real)mu;
    pair.rolling_resistance = (sn_real)rolling;
    REQUIRE_OK(sn_world_set_contact_pair(t.world, 1, 1, &pair));
    def.nodes = t.ball;
    def.node_count = 2;
    def.detail = SN_DETAIL_POINTS;
    def.self = true;
    REQUIRE_OK(sn_collision_surface_create(t.world, &def, &surface));
    return t;
}

static double spin_of(const two *t, int i) {
    return (double)setup_look(t->world, t->ball[i]).angular_velocity.z;
}

/* Full balls that stick: an impulse J across takes 7 J / m of the slip u away, so that the one that
   hits loses u / 7 and both turn with 5/14 u / r, before they have moved on along each other. */
TEST(an_impact_off_the_centre_turns_both) {
    const double u = 0.1, fast = 0.2;
    for (int iterations = 1; iterations <= 3; iterations += 2) {
        check_case("%d iterations", iterations);
        two t = make_two(1, 0, iterations);
        REQUIRE_OK(
            sn_node_set_velocity(t.world, t.ball[0], (sn_vec3){(sn_real)fast, (sn_real)u, 0}));
        setup_run(t.world, SETUP_DT);
        CHECK_REL((double)setup_look(t.world, t.ball[0]).velocity.y, 6 * u / 7, 1e-2);
        for (int i = 0; i < 2; i++) CHECK_REL(r * spin_of(&t, i), -5 * u / 14, 1e-2);
        sn_world_destroy(t.world);
    }
}

/* Coulomb: what does not stick gets mu times the impulse along the normal, m fast / 2. */
TEST(an_impact_that_slips_follows_the_cone) {
    const double u = 0.4, fast = 0.2, mu = 0.2;
    two t = make_two(mu, 0, 1);
    REQUIRE_OK(sn_node_set_velocity(t.world, t.ball[0], (sn_vec3){(sn_real)fast, (sn_real)u, 0}));
    setup_run(t.world, SETUP_DT);
    for (int i = 0; i < 2; i++) CHECK_REL(r * spin_of(&t, i), -2.5 * mu * fast / 2, 2e-2);
    sn_world_destroy(t.world);
}

static void press(const two *t, double g) {
    for (int i = 0; i < 2; i++) {
        sn_node_def node = setup_look(t->world, t->ball[i]);
        sn_body_def body = sn_body_def_default();
        REQUIRE_OK(sn_body_get(t->world, node.body, &body));
        body.gravity = (sn_vec3){(sn_real)(i == 0 ? g : -g), 0, 0};
        REQUIRE_OK(sn_body_set(t->world, node.body, &body));
    }
}

/* Gears that are pressed together with m g turn on; the torque c (r / 2) m g slows each by
   5/4 c g / r. */
TEST(gears_turn_and_resistance_slows_them) {
    const double g = 5, spin = 30, c = 0.1, time = 1;
    for (int i = 0; i < 2; i++) {
        double lost = i == 0 ? 0 : 1.25 * c * g / r * time;
        two t = make_two(0.5, i == 0 ? 0 : c, 1);
        check_case("resistance %g", i == 0 ? 0 : c);
        press(&t, g);
        setup_run(t.world, 0.2);
        for (int k = 0; k < 2; k++)
            REQUIRE_OK(sn_node_set_angular_velocity(
                t.world, t.ball[k], (sn_vec3){0, 0, (sn_real)(k == 0 ? spin : -spin)}));
        setup_run(t.world, time);
        CHECK_NEAR(spin_of(&t, 0), spin - lost, 2e-3 * spin);
        CHECK_NEAR(spin_of(&t, 1), lost - spin, 2e-3 * spin);
        CHECK(fabs((double)setup_look(t.world, t.ball[0]).velocity.y) < 1e-3);
        setup_run(t.world, i == 0 ? 1 : 5);
        if (i == 1) CHECK(fabs(spin_of(&t, 0)) < 1e-2);
        sn_world_destroy(t.world);
    }
}

/* Friction and resistance of balls that touch keep momentum and angular momentum. */
TEST(momentum_is_kept) {
    two t = make_two(0.4, 0.2, 2);
    const double inertia = 0.4 * m * r * r;
    double y[2] = {0, 0}, z[2] = {0, 0};
    REQUIRE_OK(sn_node_set_velocity(t.world, t.ball[0], (sn_vec3){1, (sn_real)0.6, 0}));
    REQUIRE_OK(sn_node_set_angular_velocity(t.world, t.ball[1], (sn_vec3){0, 0, 25}));
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++) {
            sn_node_def now = setup_look(t.world, t.ball[i]);
            y[k] += m * (double)now.velocity.y;
            z[k] += inertia * (double)now.angular_velocity.z +
                    m * ((double)now.position.x * (double)now.velocity.y -
                         (double)now.position.y * (double)now.velocity.x);
        }
        setup_run(t.world, 0.2);
    }
    CHECK_REL(y[1], y[0], 1e-5);
    CHECK_REL(z[1], z[0], 2e-3);
    sn_world_destroy(t.world);
}

/* A box of balls that roll, and some that do not. */
static uint64_t hash_after(int threads, int width) {
    enum { SIDE = 9, COUNT = SIDE * SIDE * SIDE };
    static sn_node ball[COUNT];
    sn_world *world;
    sn_collision_surface surface;
    sn_world_def def = sn_world_def_default();
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    sn_collision_surface_def skin = sn_collision_surface_def_default();
    def.threads = threads;
    def.simd_width = width;
    def.settings.substeps = 4;
    def.settings.iterations = 2;
    REQUIRE_OK(sn_world_create(&def, &world));
    setup_incline(world, 0.2, 0.4, 0.3);
    pair.rolling_resistance = (sn_real)0.1;
    REQUIRE_OK(sn_world_set_contact_pair(world, 1, 1, &pair));
    for (int i = 0; i < COUNT; i++) {
        sn_vec3 at = {(sn_real)(0.21 * (i % SIDE) + 0.003 * (i % 7)),
                      (sn_real)(0.6 + 0.21 * (i / (SIDE * SIDE))),
                      (sn_real)(0.21 * (i / SIDE % SIDE) + 0.002 * (i % 5))};
        ball[i] = i % 4 == 0 ? setup_node(world, at, m, r) : setup_ball(world, at, m, r, 1);
    }
    skin.nodes = ball;
    skin.node_count = COUNT;
    skin.detail = SN_DETAIL_POINTS;
    skin.self = true;
    REQUIRE_OK(sn_collision_surface_create(world, &skin, &surface));
    setup_run(world, 0.5);
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

TEST(threads_and_lanes_make_no_difference) {
    uint64_t expected = hash_after(1, 1);
    CHECK(hash_after(4, 4) == expected);
    CHECK(hash_after(3, 8) == expected);
    CHECK(hash_after(2, 16) == expected);
}

TESTS(RUN(an_impact_off_the_centre_turns_both), RUN(an_impact_that_slips_follows_the_cone),
      RUN(gears_turn_and_resistance_slows_them), RUN(momentum_is_kept),
      RUN(threads_and_lanes_make_no_difference))
