/*
 * Bars that are ten and thirty times as long as wide, struck near an end by what is small and fast,
 * free or held at the other end by a joint: that gives no energy, and momentum is kept.
 */
#include "rigid_worlds.h"

#include <math.h>
#include <stdio.h>

enum { STRIKES = 80, STEPS = 20 };
static const double STEP = 1e-3, PI = 3.14159265358979;

typedef enum held { FREE, BALL, HINGE } held;
static const char *const HELD[] = {"free", "on a ball joint", "on a hinge"};

typedef struct bar {
    double aspect;
    held how;
    int substeps;
    double friction, restitution;
} bar;

/* A vector of the frame of the bar, in the world. */
static sn_vec3 out_of(sn_quat q, double x, double y, double z) {
    const double u[3] = {(double)q.x, (double)q.y, (double)q.z}, w = (double)q.w;
    const double t[3] = {2 * (u[1] * z - u[2] * y), 2 * (u[2] * x - u[0] * z),
                         2 * (u[0] * y - u[1] * x)};
    return vector(x + w * t[0] + (u[1] * t[2] - u[2] * t[1]),
                  y + w * t[1] + (u[2] * t[0] - u[0] * t[2]),
                  z + w * t[2] + (u[0] * t[1] - u[1] * t[0]));
}

static sn_collider_def shape_of(sn_shape shape, double wide, double high, const bar *of) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.radius = (sn_real)(shape == SN_SHAPE_BOX ? 0 : wide);
    def.extent = vector(wide, shape == SN_SHAPE_CAPSULE ? high - wide : high, wide * 0.8);
    def.static_friction = def.dynamic_friction = (sn_real)of->friction;
    def.restitution = (sn_real)of->restitution;
    return def;
}

/* Holds the lower end where it is, in the origin. */
static void hold(sn_world *world, sn_node node, held how, sn_vec3 axis) {
    sn_node_def def = sn_node_def_default();
    sn_ball_joint_def ball = sn_ball_joint_def_default();
    sn_hinge_joint_def hinge = sn_hinge_joint_def_default();
    sn_node wall;
    sn_constraint made;
    def.inverse_mass = 0;
    def.oriented = true;
    def.inverse_inertia = vector(0, 0, 0);
    REQUIRE_OK(sn_node_create(world, &def, &wall));
    ball.node[0] = hinge.node[0] = node;
    ball.node[1] = hinge.node[1] = wall;
    ball.anchor_0 = hinge.anchor_0 = vector(0, -0.5, 0);
    hinge.axis = axis;
    if (how == BALL) REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BALL_JOINT, &ball, &made));
    if (how == HINGE) REQUIRE_OK(sn_constraint_create(world, SN_TYPE_HINGE_JOINT, &hinge, &made));
}

/* The bar is 1 m long and at rest. What strikes it goes by 5 to 30 cm a step, across it and beside
   its middle, about the hinge where there is one. */
static sn_world *place(const sn_shape shape[2], const bar *of, uint32_t *seed) {
    sn_world *world = make_world(1, 0, of->substeps);
    const double wide = 0.5 / of->aspect, small = 0.05, angle = PI * drawn(seed);
    const double way = 0.05 + 0.125 * (1 + drawn(seed)), heavy = 0.3 * pow(4, drawn(seed));
    const double across = of->how == HINGE ? angle + PI / 2 + 0.3 * drawn(seed) : PI * drawn(seed);
    const double to[3] = {cos(across), 0.3 * drawn(seed), sin(across)};
    const double at = 0.9 + 0.08 * drawn(seed), off = 0.8 * wide * drawn(seed), away = 0.2 + small;
    const sn_quat q = drawn_turn(seed);
    sn_collider_def def[2] = {shape_of(shape[0], wide, 0.5, of),
                              shape_of(shape[1], small, 1.5 * small, of)};
    def[0].orientation = q;
    def[0].position = out_of(q, 0, 0.5, 0);
    def[1].orientation = drawn_turn(seed);
    def[1].position =
        out_of(q, -away * to[0] - off * to[2], at - away * to[1], -away * to[2] + off * to[0]);
    def[1].velocity = out_of(q, way / STEP * to[0], way / STEP * to[1], way / STEP * to[2]);
    for (int i = 0; i < 2; i++) {
        sn_rigid_def rigid = sn_rigid_def_default();
        sn_collider collider;
        sn_node node;
        rigid.mass = (sn_real)(i ? heavy : 1);
        REQUIRE_OK(sn_rigid_create(world, &rigid, &def[i], &node, &collider));
        if (i == 0 && of->how != FREE)
            hold(world, node, of->how, vector(cos(angle), 0, sin(angle)));
    }
    return world;
}

/* Parts of what there was: the most energy, and by how much momenta have changed at most. */
typedef struct most {
    double energy, momentum, angular;
} most;

static double change_of(const double now[3], const double before[3]) {
    double change = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        change += (now[k] - before[k]) * (now[k] - before[k]);
        size += before[k] * before[k];
    }
    return sqrt(change / size);
}

static most strike(const sn_shape shape[2], const bar *of, uint32_t *seed) {
    sn_world *world = place(shape, of, seed);
    sn_measure now, before;
    most m = {1, 0, 0};
    REQUIRE_OK(sn_world_measure(world, &before));
    for (int k = 0; k < STEPS; k++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)STEP));
        REQUIRE_OK(sn_world_measure(world, &now));
        m.energy = fmax(m.energy, now.kinetic_energy / before.kinetic_energy);
        m.momentum = fmax(m.momentum, change_of(now.momentum, before.momentum));
        m.angular = fmax(m.angular, change_of(now.angular_momentum, before.angular_momentum));
    }
    sn_world_destroy(world);
    return m;
}

/* How many of all gain more than 1 % of energy; none gains more than `limit` - 1. */
static int strike_all(bar of, double limit) {
    const sn_shape bars[] = {SN_SHAPE_BOX, SN_SHAPE_CAPSULE};
    const sn_shape things[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER};
    most worst = {1, 0, 0};
    int gained = 0, changed = 0;
    uint32_t seed = 7;
    for (int i = 0; i < STRIKES; i++) {
        const sn_shape both[2] = {bars[i / 4 % 2], things[i % 4]};
        most m = strike(both, &of, &seed);
        gained += m.energy > 1.01;
        changed += m.angular > 1e-3;
        worst.energy = fmax(worst.energy, m.energy);
        worst.momentum = fmax(worst.momentum, m.momentum);
        worst.angular = fmax(worst.angular, m.angular);
    }
    printf("1:%g %s, friction %g, restitution %g: %d of %d gained more than 1 %%, at most %.3f\n",
           of.aspect, HELD[of.how], of.friction, of.restitution, gained, STRIKES, worst.energy);
    CHECK(worst.energy < limit);
    if (of.how != FREE) return gained;
    printf("  of momentum %.0e, of angular momentum %.0e, %d times more than 1e-3\n",
           worst.momentum, worst.angular, changed);
    CHECK(worst.momentum < 1e-5);
    CHECK(worst.angular < 0.1);
    /* Boxes and cylinders that turn far are held apart at its cost. */
    CHECK(changed <= (of.friction > 0 ? 0.4 : 0.55) * STRIKES);
    return gained;
}

TEST(free_bars_gain_no_energy) {
    for (int a = 10; a <= 30; a += 20) {
        CHECK(strike_all((bar){a, FREE, 1, 0.5, 0.5}, 1.01) == 0);
        CHECK(strike_all((bar){a, FREE, 1, 0, 0.5}, 1.01) == 0);
        CHECK(strike_all((bar){a, FREE, 1, 0.5, 1}, 1.01) == 0);
        /* One of a thousand is put into what it struck, and comes out of it. */
        CHECK(strike_all((bar){a, FREE, 1, 0.5, 0}, 1.6) <= 1);
        CHECK(strike_all((bar){a, FREE, 1, 0, 0}, 1.6) <= 1);
        /* What bounces wholly loses nothing, and errors go either way. */
        CHECK(strike_all((bar){a, FREE, 1, 0, 1}, 1.2) <= 5);
    }
}

TEST(bars_on_joints_gain_no_energy) {
    for (int a = 10; a <= 30; a += 20)
        for (held how = BALL; how <= HINGE; how++)
            for (int f = 0; f < 2; f++) CHECK(strike_all((bar){a, how, 10, 0.5 * f, 0}, 1.01) == 0);
}

/* With lever arms that were too long by the way in a substep one gained 16 %. How many gain a
   little is a matter of last bits, and of lever arms of the end, which what is light on its arm has
   in so long a substep: 11 were those without them. */
TEST(bars_on_joints_bounce_where_they_flew) {
    CHECK(strike_all((bar){10, BALL, 1, 0, 1}, 1.1) <= 14);
}

TESTS(RUN(free_bars_gain_no_energy), RUN(bars_on_joints_gain_no_energy),
      RUN(bars_on_joints_bounce_where_they_flew))
