/*
 * Bodies that turn by a tenth of a radian to one in a substep and strike another: whatever the
 * shapes, friction and restitution, that gives them no energy but for what is linear in a turn.
 */
#include "rigid_worlds.h"

#include <math.h>
#include <stdio.h>

enum { STRIKES = 30, STEPS = 30 };
static const double STEP = 1e-3;

static sn_vec3 random_direction(uint32_t *seed, double length) {
    double d[3], square;
    do {
        for (int k = 0; k < 3; k++) d[k] = drawn(seed);
        square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    } while (square > 1 || square < 0.01);
    length /= sqrt(square);
    return vector(length * d[0], length * d[1], length * d[2]);
}

/* What strikes is long; what is struck is not. */
static sn_collider_def shape_of(sn_shape shape, bool long_) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.radius = 0;
    def.extent = long_ ? vector(0.1, 1, 0.08) : vector(0.3, 0.25, 0.35);
    if (shape == SN_SHAPE_SPHERE) def.radius = (sn_real)0.3;
    if (shape == SN_SHAPE_CAPSULE) {
        def.radius = (sn_real)(long_ ? 0.08 : 0.15);
        def.extent = vector(0, long_ ? 0.9 : 0.4, 0);
    }
    if (shape == SN_SHAPE_CYLINDER) {
        def.radius = (sn_real)0.25;
        def.extent = vector(0.25, 0.3, 0.25);
    }
    return def;
}

typedef struct surface {
    double friction, restitution;
} surface;

/* The most energy there is, as a part of that of before. */
static double strike(const sn_shape shape[2], const surface *of, double turn, uint32_t *seed) {
    sn_world *world = make_world(1, 0, 1);
    sn_vec3 way = random_direction(seed, 1.75);
    sn_measure now;
    double energy = 0, most = 0;
    for (int i = 0; i < 2; i++) {
        sn_collider_def def = shape_of(shape[i], i == 0);
        sn_rigid_def rigid = sn_rigid_def_default();
        const double speed = (i ? -0.043 : 0.043) / STEP;
        sn_node node;
        sn_collider collider;
        def.static_friction = def.dynamic_friction = (sn_real)of->friction;
        def.restitution = (sn_real)of->restitution;
        def.orientation = drawn_turn(seed);
        if (i) def.position = way;
        def.velocity = vector(speed * (double)way.x, speed * (double)way.y, speed * (double)way.z);
        def.angular_velocity = random_direction(seed, (i ? 0.15 : 1) * turn / STEP);
        rigid.density = (sn_real)(i ? 1000 * pow(4, drawn(seed)) : 1000);
        REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &collider));
    }
    for (int k = 0; k <= STEPS; k++) {
        REQUIRE_OK(sn_world_measure(world, &now));
        if (k == 0) energy = (double)now.kinetic_energy;
        most = fmax(most, (double)now.kinetic_energy);
        REQUIRE_OK(sn_world_step(world, (sn_real)STEP));
    }
    sn_world_destroy(world);
    return most / energy;
}

/* How many strikes of all gain more than 5 %; none gains more than `limit` - 1. */
static int strike_all(const surface *of, double limit) {
    const sn_shape strikes[] = {SN_SHAPE_BOX, SN_SHAPE_CAPSULE};
    const sn_shape struck[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER};
    double worst = 0;
    int gained = 0;
    uint32_t seed = 5;
    for (int i = 0; i < 8 * STRIKES; i++) {
        const sn_shape both[2] = {strikes[i / 4 % 2], struck[i % 4]};
        double most = strike(both, of, 0.1 + 0.9 * i / (8 * STRIKES), &seed);
        gained += most > 1.05;
        worst = fmax(worst, most);
    }
    printf("friction %g, restitution %g: %d of %d gained more than 5 %%, at most %.3f times\n",
           of->friction, of->restitution, gained, 8 * STRIKES, worst);
    CHECK(worst < limit);
    return gained;
}

TEST(strikes_of_what_turns_far_give_no_energy) {
    CHECK(strike_all(&(surface){0.5, 0}, 1.05) == 0);
    CHECK(strike_all(&(surface){0.5, 0.5}, 1.05) == 0);
    /* What is long does not begin to spin about itself. */
    CHECK(strike_all(&(surface){0, 0}, 1.05) == 0);
}

TEST(strikes_that_bounce_wholly_give_little_energy) {
    CHECK(strike_all(&(surface){0, 1}, 1.1) <= 3);
}

TESTS(RUN(strikes_of_what_turns_far_give_no_energy),
      RUN(strikes_that_bounce_wholly_give_little_energy))
