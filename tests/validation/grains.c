/*
 * Heaps of grains (V49). A round column stands on a disc of grains that are glued to it; its wall
 * is taken away, what does not find a hold falls over the edge, and a heap stays that is the
 * steeper the more of the grains there still are.
 *
 * Balls that roll make heaps of little more than 20 degrees, however rough they are: glass beads
 * have 22 to 26. Resistance to rolling makes them steeper, up to what balls have that do not turn.
 */
#include "grain.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

enum { MOST = 2048, WALLS = 16, RINGS = 8, SECTORS = 8 };

static const double d = 0.01, disc = 0.07, dt = 1.0 / 60; /* m, m, s */

/* What grains are like, and the heap that came of it. */
typedef struct heap {
    double mu, rolling;
    bool turns;
    sn_world *world;
    sn_node node[MOST];
    double radius[MOST]; /* m; 0 of those that are glued */
    size_t count;
    int left;       /* grains */
    double tangent; /* of the slope */
    double speed;   /* m/s, the mean of those that are left */
} heap;

static void add_grain(heap *h, sn_body body, sn_vec3 at, sn_vec3 velocity, double radius,
                      bool glued) {
    sn_node_def def = sn_node_def_default();
    def.body = body;
    def.position = at;
    def.velocity = velocity;
    REQUIRE_OK(h->count < MOST ? SN_OK : SN_ERROR_MEMORY);
    grain_add(h->world, def, radius, h->turns, glued, &h->node[h->count]);
    h->radius[h->count++] = glued ? 0 : radius;
}

static void add_bed(heap *h, sn_body body) {
    for (int i = -8; i <= 8; i++)
        for (int k = -8; k <= 8; k++) {
            double x = (i + 0.5 * (k & 1)) * d, z = 0.866 * k * d;
            if (hypot(x, z) < disc)
                add_grain(h, body, (sn_vec3){(sn_real)x, 0, (sn_real)z}, (sn_vec3){0, 0, 0},
                          0.48 * d, true);
        }
}

/* Of 0.85 to 1.15 d, apart from each other, and with speeds that mix them as they fall. */
static void add_column(heap *h, sn_body body) {
    const double step = 1.3 * d;
    uint32_t seed = 0;
    for (int k = 1; k <= 11; k++)
        for (int i = -5; i < 5; i++)
            for (int j = -5; j < 5; j++) {
                double x = (i + 0.5) * step + 0.1 * d * grain_noise(++seed);
                double z = (j + 0.5) * step + 0.1 * d * grain_noise(++seed);
                double radius = d * (0.425 + 0.15 * grain_noise(++seed));
                sn_real vx = (sn_real)(grain_noise(++seed) - 0.5),
                        vz = (sn_real)(grain_noise(++seed) - 0.5);
                sn_vec3 v = {vx, 0, vz};
                if (hypot(x, z) < disc - 0.6 * d)
                    add_grain(h, body, (sn_vec3){(sn_real)x, (sn_real)(k * step), (sn_real)z}, v,
                              radius, false);
            }
}

static void build(heap *h) {
    sn_world_def def = sn_world_def_default();
    sn_body_def group = sn_body_def_default();
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    sn_body body;
    def.settings.substeps = 20;
    REQUIRE_OK(sn_world_create(&def, &h->world));
    group.rolls = h->turns;
    group.material = 1;
    REQUIRE_OK(sn_body_create(h->world, &group, &body));
    pair.static_friction = pair.dynamic_friction = (sn_real)h->mu;
    pair.rolling_resistance = (sn_real)h->rolling;
    REQUIRE_OK(sn_world_set_contact_pair(h->world, 1, 1, &pair));
    add_bed(h, body);
    add_column(h, body);
    grains_touch(h->world, h->node, h->count);
}

/* The line through the highest grains of rings, each a mean of sectors, without top and edge. */
static void measure(heap *h) {
    double high[RINGS][SECTORS] = {{0}}, n = 0, x = 0, y = 0, xx = 0, xy = 0;
    h->left = 0;
    h->speed = 0;
    for (size_t i = 0; i < h->count; i++) {
        sn_node_def now = sn_node_def_default();
        REQUIRE_OK(sn_node_get(h->world, h->node[i], &now));
        double at[3] = {(double)now.position.x, (double)now.position.y, (double)now.position.z};
        double v[3] = {(double)now.velocity.x, (double)now.velocity.y, (double)now.velocity.z};
        double away = hypot(at[0], at[2]), top = at[1] + h->radius[i];
        if (!(h->radius[i] > 0) || at[1] < 0 || away >= disc) continue;
        int ring = (int)(away / disc * RINGS);
        int sector = (int)((atan2(at[2], at[0]) / (2 * PI) + 0.5) * SECTORS) % SECTORS;
        high[ring][sector] = fmax(high[ring][sector], top);
        h->left++;
        h->speed += sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    h->speed /= h->left;
    for (int i = 1; i < RINGS - 1; i++) {
        double at = (i + 0.5) * disc / RINGS, mean = 0;
        for (int k = 0; k < SECTORS; k++) mean += high[i][k] / SECTORS;
        n++, x += at, y += mean, xx += at * at, xy += at * mean;
    }
    h->tangent = -(n * xy - x * y) / (n * xx - x * x);
}

static heap pile(double mu, double rolling, bool turns) {
    static heap h;
    sn_collider wall[WALLS];
    h = (heap){.mu = mu, .rolling = rolling, .turns = turns};
    build(&h);
    grains_add_walls(h.world, WALLS, disc, 0, wall);
    for (int i = 0; i < 45; i++) REQUIRE_OK(sn_world_step(h.world, (sn_real)dt));
    for (int i = 0; i < WALLS; i++) REQUIRE_OK(sn_collider_destroy(h.world, wall[i]));
    for (int i = 0; i < 150; i++) REQUIRE_OK(sn_world_step(h.world, (sn_real)dt));
    measure(&h);
    sn_world_destroy(h.world);
    printf("mu %g, rolling %g, %s: %d of %d grains, %.1f degrees, %.2g m/s\n", mu, rolling,
           turns ? "turn" : "do not turn", h.left, (int)h.count, atan(h.tangent) * 180 / PI,
           h.speed);
    return h;
}

/* Rough ones stand steeper than smooth ones; what resists rolling stands steeper still. */
TEST(heaps_grow_with_friction_and_rolling_resistance) {
    heap rough = pile(0.5, 0, true), held = pile(0.5, 0.3, true);
    CHECK(held.left > 1.15 * rough.left);
    /* V49: not above Coulomb's angle by more than 5 degrees. */
    CHECK(atan(held.tangent) < atan(0.5) + 5 * PI / 180);
    CHECK(atan(rough.tangent) > 15 * PI / 180 && atan(rough.tangent) < 27 * PI / 180);
    /* They rest: what moves on is below a grain in 3 s. */
    CHECK(rough.speed < 0.003 && held.speed < 0.003);
    if (!check_long()) return;
    heap smooth = pile(0.1, 0, true);
    CHECK(rough.left > 1.15 * smooth.left);
    CHECK(rough.tangent > smooth.tangent);
    CHECK(smooth.speed < 0.003);
}

/* What cannot turn at all is held by every grain below it. */
TEST(grains_that_do_not_turn_stand_steeper) {
    if (!check_long()) return;
    heap turn = pile(0.3, 0, true), still = pile(0.3, 0, false);
    CHECK(still.left > 1.3 * turn.left);
}

TESTS(RUN(heaps_grow_with_friction_and_rolling_resistance),
      RUN(grains_that_do_not_turn_stand_steeper))
