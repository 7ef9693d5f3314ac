/*
 * V54: impacts with every integrator. A velocity that an impact has changed must not be
 * extrapolated from the motion before it: a ball rises to e^2 of its fall, and what falls flat
 * never has more energy than it began with.
 */
#include "check.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>

static const double g = 9.81, dt = 1.0 / 60;

static sn_world *make_world(sn_integrator integrator, double restitution) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    sn_collider_def floor = sn_collider_def_default();
    sn_collider collider;
    def.settings.substeps = 20;
    def.settings.integrator = integrator;
    floor.restitution = (sn_real)restitution;
    floor.static_friction = floor.dynamic_friction = (sn_real)0.3;
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(sn_collider_create(world, &floor, &collider));
    return world;
}

static sn_node_def look(sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

static void step(sn_world *world) {
    REQUIRE_OK(sn_world_step(world, (sn_real)dt));
}

/* How high a ball rises between its first and its second impact, after a fall of 1 m. */
static double rise(sn_integrator integrator, double restitution) {
    const double radius = 0.05;
    sn_world *world = make_world(integrator, restitution);
    sn_node_def def = sn_node_def_default();
    sn_node ball;
    def.position = (sn_vec3){0, (sn_real)(1 + radius), 0};
    def.radius = (sn_real)radius;
    REQUIRE_OK(sn_node_create(world, &def, &ball));
    double highest = 0;
    /* It falls for 0.452 s, and is in the air for twice e times that. */
    int first = (int)(0.46 / dt) + 1, last = first + (int)(2 * 0.45 * restitution / dt);
    for (int i = 0; i < last || i < 120; i++) {
        step(world);
        double height = (double)look(world, ball).position.y - radius;
        if (i >= first && (i < last || restitution == 0)) highest = fmax(highest, height);
    }
    sn_world_destroy(world);
    return highest;
}

TEST(a_ball_rises_to_the_square_of_restitution) {
    static const double es[] = {1, 0.5, 0};
    for (int i = 0; i < 3; i++) {
        double e = es[i], first = rise(SN_INTEGRATOR_BDF1, e), second = rise(SN_INTEGRATOR_BDF2, e);
        check_case("e = %g", e);
        printf("  e = %g: rises to %.4f m with BDF1, %.4f m with BDF2\n", e, first, second);
        CHECK_NEAR(first, e * e, 0.01);
        CHECK_NEAR(second, e * e, 0.01);
    }
}

/* An oblique impact with friction: dv_t = mu (1 + e) v_n where it slides. */
TEST(an_oblique_impact_obeys_coulomb) {
    for (int i = 0; i < 2; i++) {
        sn_world *world = make_world(i ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1, 0.5);
        sn_node_def def = sn_node_def_default();
        sn_node ball;
        def.position = (sn_vec3){0, (sn_real)0.3, 0};
        def.velocity = (sn_vec3){5, (sn_real)-3, 0};
        REQUIRE_OK(sn_node_create(world, &def, &ball));
        for (int k = 0; k < 10; k++) step(world);
        double into = sqrt(3 * 3 + 2 * g * 0.3);
        check_case("BDF%d", i + 1);
        CHECK_NEAR(look(world, ball).velocity.x, 5 - 0.3 * 1.5 * into, 0.02 * 5);
        sn_world_destroy(world);
    }
}

/* Whichever way a wall faces, half of what came along its normal goes back, and all that went along
   the wall goes on. */
TEST(walls_give_back_in_every_direction) {
    static const double normals[][3] = {{1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0.48, 0.6, 0.64}};
    for (int i = 0; i < 4; i++) {
        const double *n = normals[i], side[3] = {n[1], -n[0], 0};
        double half = sqrt((1 + n[1]) / 2);
        sn_world *world;
        sn_world_def world_def = sn_world_def_default();
        sn_collider_def wall = sn_collider_def_default();
        sn_collider collider;
        sn_node_def def = sn_node_def_default();
        sn_node ball;
        world_def.settings.substeps = 20;
        world_def.settings.gravity = (sn_vec3){0, 0, 0};
        wall.restitution = (sn_real)0.5;
        wall.static_friction = wall.dynamic_friction = 0;
        /* From y to n. */
        wall.orientation = (sn_quat){(sn_real)(n[2] / (2 * half)), 0, (sn_real)(-n[0] / (2 * half)),
                                     (sn_real)half};
        def.position =
            (sn_vec3){(sn_real)(0.3 * n[0]), (sn_real)(0.3 * n[1]), (sn_real)(0.3 * n[2])};
        def.velocity =
            (sn_vec3){(sn_real)(2 * side[0] - 4 * n[0]), (sn_real)(2 * side[1] - 4 * n[1]),
                      (sn_real)(2 * side[2] - 4 * n[2])};
        REQUIRE_OK(sn_world_create(&world_def, &world));
        REQUIRE_OK(sn_collider_create(world, &wall, &collider));
        REQUIRE_OK(sn_node_create(world, &def, &ball));
        for (int k = 0; k < 10; k++) step(world);
        sn_vec3 v = look(world, ball).velocity;
        check_case("wall %d", i);
        CHECK_NEAR(v.x, 2 * side[0] + 2 * n[0], 1e-4);
        CHECK_NEAR(v.y, 2 * side[1] + 2 * n[1], 1e-4);
        CHECK_NEAR(v.z, 2 * side[2] + 2 * n[2], 1e-4);
        sn_world_destroy(world);
    }
}

/* ---- Bodies ---- */

static double energy_of(sn_world *world) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(world, &m));
    return m.kinetic_energy + m.potential_energy;
}

/* A sheet or a rope of nodes and stiff links, dropped flat. */
static void drop(sn_integrator integrator, int rows, const char *name) {
    enum { SIDE = 12 };
    const double spacing = 0.05;
    sn_world *world = make_world(integrator, 0);
    sn_node node[SIDE * SIDE];
    for (int i = 0; i < rows * SIDE; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(spacing * (i % SIDE)), (sn_real)0.5,
                                 (sn_real)(spacing * (i / SIDE))};
        def.inverse_mass = 1000;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    for (int i = 0; i < rows * SIDE; i++)
        for (int k = 0; k < 2; k++) {
            sn_distance_def link = sn_distance_def_default();
            sn_constraint constraint;
            if (k == 0 ? i % SIDE == SIDE - 1 : i / SIDE == rows - 1) continue;
            link.node[0] = node[i];
            link.node[1] = node[k == 0 ? i + 1 : i + SIDE];
            link.compliance = (sn_real)1e-4;
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &constraint));
        }
    double first = energy_of(world), most = first, highest = 0;
    for (int k = 0; k < 180; k++) {
        step(world);
        most = fmax(most, energy_of(world));
        if (k > 30) highest = fmax(highest, (double)look(world, node[SIDE + 1]).position.y);
    }
    check_case("%s, BDF%d", name, integrator == SN_INTEGRATOR_BDF2 ? 2 : 1);
    CHECK(most <= first * 1.001);
    CHECK(highest < 0.02);
    sn_world_destroy(world);
}

TEST(what_falls_flat_gains_nothing) {
    for (int i = 0; i < 2; i++) {
        sn_integrator integrator = i ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
        drop(integrator, 12, "sheet");
        drop(integrator, 2, "rope");
    }
}

/* ---- Balls in a row ---- */

enum { ROW = 5 };

/* Five balls with gaps, as one collision surface with e = 1; made from the last on or the first. */
static void make_row(sn_world *world, double gap, bool backwards, sn_node ball[ROW]) {
    const double radius = 0.05;
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_collision_surface surface;
    for (int i = 0; i < ROW; i++) {
        int at = backwards ? ROW - 1 - i : i;
        sn_node_def node = sn_node_def_default();
        node.position = (sn_vec3){(sn_real)((2 * radius + gap) * at), 0, 0};
        node.radius = (sn_real)radius;
        REQUIRE_OK(sn_node_create(world, &node, &ball[at]));
    }
    def.nodes = ball;
    def.node_count = ROW;
    def.restitution = 1;
    def.self = true;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
}

/* The last leaves with the speed of the first, however little room there is between them. */
TEST(an_impact_passes_through_a_row_of_balls) {
    static const double gaps[] = {0, 1e-5, 1e-4, 1e-3};
    for (int i = 0; i < 16; i++) {
        sn_world_def def = sn_world_def_default();
        sn_world *world;
        sn_node ball[ROW];
        def.settings.gravity = (sn_vec3){0, 0, 0};
        def.settings.substeps = 20;
        def.settings.integrator = i / 4 % 2 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
        REQUIRE_OK(sn_world_create(&def, &world));
        make_row(world, gaps[i % 4], i / 8, ball);
        REQUIRE_OK(sn_node_set_position(world, ball[0], (sn_vec3){(sn_real)-0.05, 0, 0}));
        REQUIRE_OK(sn_node_set_velocity(world, ball[0], (sn_vec3){1, 0, 0}));
        for (int k = 0; k < 30; k++) step(world);
        check_case("gap %g, BDF%d, backwards %d", gaps[i % 4], i / 4 % 2 + 1, i / 8);
        for (int k = 0; k < ROW; k++)
            CHECK_NEAR((double)look(world, ball[k]).velocity.x, k == ROW - 1, 1e-3);
        sn_world_destroy(world);
    }
}

/* A cradle that swings for 10 s has never more energy than at first. What it loses with BDF1 are
   the arcs. */
TEST(a_cradle_gains_nothing) {
    for (int i = 0; i < 2; i++) {
        sn_world *world = make_world(i ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1, 0);
        sn_node ball[ROW];
        double place = 0.5, first, most = 0, last = 0, risen = 0;
        make_row(world, 0, false, ball);
        for (int k = 0; k < ROW; k++) {
            sn_node_def pin = look(world, ball[k]);
            sn_distance_def link = sn_distance_def_default();
            sn_constraint constraint;
            sn_vec3 at = pin.position;
            pin.position.y = 2;
            pin.inverse_mass = 0;
            pin.radius = 0;
            REQUIRE_OK(sn_node_create(world, &pin, &link.node[0]));
            link.node[1] = ball[k];
            at.y = 1;
            if (k == 0) at.x -= (sn_real)sin(place), at.y = (sn_real)(2 - cos(place));
            REQUIRE_OK(sn_node_set_position(world, ball[k], at));
            link.rest_length = 1;
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &constraint));
        }
        double rest = -energy_of(world), height = 1 - cos(place);
        first = g * height;
        rest += first;
        for (int k = 0; k < 600; k++) {
            step(world);
            last = energy_of(world) + rest;
            most = fmax(most, last);
            if (k < 120) risen = fmax(risen, (double)look(world, ball[ROW - 1]).position.y - 1);
        }
        printf("  BDF%d: the last rises to %.3f of the height; %.3f of the energy after 10 s\n",
               i + 1, risen / height, last / first);
        check_case("BDF%d", i + 1);
        CHECK(most <= first * 1.001);
        CHECK(risen >= 0.95 * height);
        CHECK(last >= (i ? 0.99 : 0.85) * first);
        sn_world_destroy(world);
    }
}

TESTS(RUN(a_ball_rises_to_the_square_of_restitution), RUN(an_oblique_impact_obeys_coulomb),
      RUN(walls_give_back_in_every_direction), RUN(what_falls_flat_gains_nothing),
      RUN(an_impact_passes_through_a_row_of_balls), RUN(a_cradle_gains_nothing))
