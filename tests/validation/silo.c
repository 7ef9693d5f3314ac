/*
 * A silo with a flat bottom and a round opening: grains leave it at a rate that does not depend on
 * how high they stand, W = C rho sqrt(g) (D - k d)^2.5 with C = 0.58 and k = 1.4 (Beverloo, Leniger
 * and van de Velde 1961), for openings above six grains.
 */
#include "grain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { MOST = 8192, WALLS = 24, SIDES = 48 };

static const double d = 0.01, dt = 1.0 / 60; /* m, s */

typedef struct silo {
    double opening, wide, high; /* m */
    sn_world *world;
    sn_collider lid;
    sn_node node[MOST];
    double mass[MOST];
    size_t count;
} silo;

/* The opening is what is free between the rims, which have a radius. */
static void add_bottom(silo *s) {
    static sn_vec3 vertex[2 * SIDES];
    static uint32_t triangle[2 * SIDES][3];
    sn_collider_def def = sn_collider_def_default();
    sn_collider bottom;
    def.shape = SN_SHAPE_MESH;
    def.radius = (sn_real)0.0005;
    for (uint32_t i = 0; i < SIDES; i++) {
        double x = cos(2 * PI * i / SIDES), z = sin(2 * PI * i / SIDES);
        double inner = s->opening / 2 + (double)def.radius;
        uint32_t next = (i + 1) % SIDES;
        const uint32_t two[2][3] = {{i, SIDES + i, next}, {SIDES + i, SIDES + next, next}};
        vertex[i] = (sn_vec3){(sn_real)(inner * x), 0, (sn_real)(inner * z)};
        vertex[SIDES + i] = (sn_vec3){(sn_real)(s->wide * x), 0, (sn_real)(s->wide * z)};
        memcpy(triangle[2 * i], two, sizeof two);
    }
    def.geometry.vertices = vertex;
    def.geometry.vertex_count = 2 * SIDES;
    def.geometry.triangles = (const uint32_t(*)[3])triangle;
    def.geometry.triangle_count = 2 * SIDES;
    def.geometry.two_sided = true;
    REQUIRE_OK(sn_collider_create(s->world, &def, &bottom));
    def = sn_collider_def_default();
    REQUIRE_OK(sn_collider_create(s->world, &def, &s->lid));
}

static void add_grain(silo *s, sn_body body, sn_vec3 at, sn_vec3 velocity, double radius) {
    sn_node_def def = sn_node_def_default();
    def.body = body;
    def.position = at;
    def.velocity = velocity;
    REQUIRE_OK(s->count < MOST ? SN_OK : SN_ERROR_MEMORY);
    s->mass[s->count] = grain_add(s->world, def, radius, true, false, &s->node[s->count]);
    s->count++;
}

/* Grains of 0.9 to 1.1 d, with speeds that mix them as they fall. */
static void add_grains(silo *s, sn_body body) {
    const double step = 1.2 * d;
    int across = (int)(s->wide / step), up = (int)(s->high / step);
    uint32_t seed = 0;
    for (int k = 0; k < up; k++)
        for (int i = 0; i < across * across; i++) {
            double x =
                (i % across - 0.5 * (across - 1)) * step + 0.1 * d * (grain_noise(++seed) - 0.5);
            double z =
                (i / across - 0.5 * (across - 1)) * step + 0.1 * d * (grain_noise(++seed) - 0.5);
            double radius = d * (0.45 + 0.1 * grain_noise(++seed));
            sn_real vx = (sn_real)(grain_noise(++seed) - 0.5),
                    vz = (sn_real)(grain_noise(++seed) - 0.5);
            sn_vec3 v = {vx, 0, vz};
            if (hypot(x, z) < s->wide / 2 - 0.6 * d)
                add_grain(s, body, (sn_vec3){(sn_real)x, (sn_real)((k + 0.6) * step), (sn_real)z},
                          v, radius);
        }
}

static void build(silo *s) {
    sn_world_def def = sn_world_def_default();
    sn_body_def group = sn_body_def_default();
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    sn_collider wall[WALLS];
    sn_body body;
    def.settings.substeps = 20;
    REQUIRE_OK(sn_world_create(&def, &s->world));
    group.rolls = true;
    group.material = 1;
    REQUIRE_OK(sn_body_create(s->world, &group, &body));
    pair.static_friction = pair.dynamic_friction = (sn_real)0.3;
    for (sn_material other = 0; other < 2; other++)
        REQUIRE_OK(sn_world_set_contact_pair(s->world, 1, other, &pair));
    add_bottom(s);
    grains_add_walls(s->world, WALLS, s->wide / 2, 0.3, wall);
    add_grains(s, body);
    grains_touch(s->world, s->node, s->count);
}

/* kg, of the grains between two heights. */
static double mass_within(const silo *s, double low, double high) {
    double mass = 0;
    for (size_t i = 0; i < s->count; i++) {
        sn_node_def now = sn_node_def_default();
        REQUIRE_OK(sn_node_get(s->world, s->node[i], &now));
        if ((double)now.position.y >= low && (double)now.position.y < high) mass += s->mass[i];
    }
    return mass;
}

static void step(silo *s, double seconds) {
    for (int i = 0; i < (int)(seconds / dt + 0.5); i++)
        REQUIRE_OK(sn_world_step(s->world, (sn_real)dt));
}

/* What leaves it over Beverloo's rate, after it has begun and while it is more than half full. */
static double drain(double opening, double wide, double high) {
    static silo s;
    s = (silo){.opening = opening, .wide = wide, .high = high};
    build(&s);
    step(&s, 0.8);
    double bulk = mass_within(&s, 2 * d, 7 * d) / (5 * d * PI * wide * wide / 4);
    double law = 0.58 * bulk * sqrt(9.81) * pow(opening - 1.4 * d, 2.5);
    REQUIRE_OK(sn_collider_destroy(s.world, s.lid));
    step(&s, 0.2);
    double begun = mass_within(&s, -1e9, 0);
    step(&s, 0.4);
    double out = mass_within(&s, -1e9, 0), ratio = (out - begun) / 0.4 / law;
    CHECK(out < mass_within(&s, 0, 1e9));
    printf("opening %g d: %d grains, %.0f kg/m^3, %.3f kg/s by the law, %.3f of it\n", opening / d,
           (int)s.count, bulk, law, ratio);
    sn_world_destroy(s.world);
    return ratio;
}

TEST(an_opening_lets_through_what_beverloo_says) {
    CHECK_NEAR(drain(7 * d, 17 * d, 22 * d), 1, 0.1);
    CHECK_NEAR(drain(9 * d, 19 * d, 26 * d), 1, 0.1);
}

TESTS(RUN(an_opening_lets_through_what_beverloo_says))
