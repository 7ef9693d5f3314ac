/*
 * Piles of bodies of all shapes, sizes and densities, thrown at random into a tank: they stay in
 * it, never have more energy than they began with, and come to lie on the floor.
 */
#include "check.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>

#define FRAME ((sn_real)(1.0 / 60))

enum { MOST = 24, FRAMES = 120, CORNERS = 8 };
static const double WIDTH = 1.5; /* m, of the tank */

typedef struct pile {
    sn_world *world;
    sn_node node[MOST];
    int count, substeps;
    uint32_t state;
} pile;

static double random_between(pile *p, double low, double high) {
    p->state = p->state * 1664525u + 1013904223u;
    return low + (high - low) * (double)(p->state >> 8) / (double)(1 << 24);
}

static sn_vec3 random_vector(pile *p, double low, double high) {
    double x = random_between(p, low, high), y = random_between(p, low, high);
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)random_between(p, low, high)};
}

static sn_quat random_turn(pile *p) {
    sn_vec3 a = random_vector(p, -1, 1);
    return (sn_quat){a.x, a.y, a.z, (sn_real)random_between(p, 0.2, 1)};
}

static void add_tank(pile *p) {
    const sn_real s = (sn_real)0.70710678, w = (sn_real)WIDTH;
    const sn_vec3 at[] = {{0, 0, 0}, {0, 0, 0}, {w, 0, 0}, {0, 0, 0}, {0, 0, w}};
    const sn_quat turn[] = {{0, 0, 0, 1}, {0, 0, -s, s}, {0, 0, s, s}, {s, 0, 0, s}, {-s, 0, 0, s}};
    for (int i = 0; i < 5; i++) {
        sn_collider_def def = sn_collider_def_default();
        sn_collider wall;
        def.position = at[i];
        def.orientation = turn[i];
        REQUIRE_OK(sn_collider_create(p->world, &def, &wall));
    }
}

static void add_body(pile *p, int i) {
    static const sn_shape shapes[] = {SN_SHAPE_BOX, SN_SHAPE_CYLINDER, SN_SHAPE_HULL,
                                      SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE};
    sn_collider_def def = sn_collider_def_default();
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_vec3 corners[CORNERS], half = random_vector(p, 0.04, 0.15);
    sn_collider collider;
    def.shape = shapes[(int)random_between(p, 0, 4.999)];
    def.position =
        (sn_vec3){(sn_real)random_between(p, 0.35, WIDTH - 0.35), (sn_real)(0.3 + 0.4 * i),
                  (sn_real)random_between(p, 0.35, WIDTH - 0.35)};
    def.orientation = random_turn(p);
    def.velocity = random_vector(p, -2, 2);
    def.angular_velocity = random_vector(p, -5, 5);
    def.static_friction = def.dynamic_friction = (sn_real)random_between(p, 0, 1);
    def.restitution = (sn_real)random_between(p, -0.5, 0.5);
    if (def.restitution < 0) def.restitution = 0;
    if (def.shape != SN_SHAPE_SPHERE && def.shape != SN_SHAPE_HULL) def.extent = half;
    if (def.shape != SN_SHAPE_BOX && def.shape != SN_SHAPE_HULL) def.radius = half.x;
    for (int k = 0; k < CORNERS && def.shape == SN_SHAPE_HULL; k++) {
        sn_vec3 a = random_vector(p, 0.3, 1);
        corners[k] = (sn_vec3){(k & 1 ? a.x : -a.x) * half.x, (k & 2 ? a.y : -a.y) * half.y,
                               (k & 4 ? a.z : -a.z) * half.z};
    }
    if (def.shape == SN_SHAPE_HULL) {
        def.geometry.vertices = corners;
        def.geometry.vertex_count = CORNERS;
    }
    rigid.density = (sn_real)random_between(p, 200, 3000);
    REQUIRE_OK(sn_rigid_create(p->world, &rigid, &def, &p->node[i], &collider));
}

static pile make_pile(uint32_t seed) {
    pile p = {.state = seed * 2654435761u + 12345};
    sn_world_def def = sn_world_def_default();
    def.settings.gravity = (sn_vec3){0, (sn_real)-9.81, 0};
    p.substeps = def.settings.substeps = (int)random_between(&p, 5, 20.99);
    REQUIRE_OK(sn_world_create(&def, &p.world));
    add_tank(&p);
    p.count = (int)random_between(&p, 4, MOST + 0.99);
    for (int i = 0; i < p.count; i++) add_body(&p, i);
    return p;
}

/* J, kinetic and of gravity. */
static double energy_of(const pile *p) {
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(p->world, &measure));
    return measure.kinetic_energy + measure.potential_energy;
}

static void run_pile(uint32_t seed) {
    pile p = make_pile(seed);
    double first = energy_of(&p), before = first, gain = 0, out = 0;
    for (int f = 0; f < FRAMES; f++) {
        REQUIRE_OK(sn_world_step(p.world, FRAME));
        double now = energy_of(&p);
        gain = fmax(gain, (now - before) / first);
        before = now;
    }
    for (int i = 0; i < p.count; i++) {
        sn_node_def at;
        REQUIRE_OK(sn_node_get(p.world, p.node[i], &at));
        out = fmax(out, -(double)at.position.y);
        out = fmax(out, fmax(-(double)at.position.x, (double)at.position.x - WIDTH));
        out = fmax(out, fmax(-(double)at.position.z, (double)at.position.z - WIDTH));
    }
    if (!(before <= first) || gain > 0.01 || out > 0)
        printf("seed %u: %d bodies, %d substeps, energy %g J to %g J, at most %g more in a frame, "
               "%g m out\n",
               seed, p.count, p.substeps, first, before, gain, out);
    CHECK(isfinite(before) && before < first);
    CHECK(gain < 0.01);
    CHECK(out <= 0);
    sn_world_destroy(p.world);
}

TEST(random_piles_come_to_rest) {
    const uint32_t piles = check_long() ? 500 : 20;
    for (uint32_t seed = 0; seed < piles; seed++) run_pile(seed);
}

TESTS(RUN(random_piles_come_to_rest))
