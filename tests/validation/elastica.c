/*
 * V24 and V25: a clamped rod bends under a load at its end and under its own weight, as far as the
 * elastica says. Stretch and shear are hard.
 *
 * One sweep per substep leaves an error of the order of h^2 w against the compliance of a joint,
 * l / (4 E I), and h^2 P / m per segment in its length (V08). With the substeps below both are
 * smaller than what is left of the discretisation. Damping of 7/s is critical for the slowest mode,
 * 3.5 rad/s, and 4 s of it leave a millionth.
 */
#include "rod.h"

#include <math.h>

enum { SUBSTEPS = 50 };

typedef struct load_case {
    double load; /* the tip load a = P L^2 / E I, or the weight rho A g L^3 / E I */
    double drop, along, angle;
} load_case;

typedef struct bent {
    double drop, along;
    double angle; /* degrees, of the last segment */
} bent;

/* The tip after the rod has settled, for E I = 1, L = 1 and a mass of 1. */
static bent settle(int segments, double h, double inertia, double tip_load, double weight) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, -weight, 0);
    settings.substeps = SUBSTEPS;
    settings.damping = 7;
    rod_def def = rod_def_default();
    def.segments = segments;
    def.inertia = inertia;
    rod r = make_rod(settings, &def);
    sn_node tip = r.node[segments];
    for (int step = 0; step < (int)lround(4 / (SUBSTEPS * h)); step++) {
        if (tip_load > 0) CHECK_OK(sn_node_add_force(r.world, tip, vector(0, -tip_load, 0)));
        advance(r.world, h, SUBSTEPS);
    }
    vec x = position_of(r.world, tip);
    vec way = rotated(orientation_of(r.world, r.node[segments - 1]), (vec){0, 0, 1});
    CHECK_NEAR(x.z, 0, TOL(1e-9, 1e-3));
    sn_world_destroy(r.world);
    return (bent){-x.y, x.x, atan2(-way.y, way.x) * 180 / PI};
}

/* Bisshopp and Drucker 1945: drop, 1 - x and angle of the tip. */
static const load_case tip_loads[] = {
    {0.25, 0.082746, 0.004118, 7.121},
    {1, 0.301721, 0.056433, 26.434},
    {2, 0.493457, 0.160642, 44.791},
    {10, 0.810609, 0.554996, 81.949},
};

/* V24. */
TEST(tip_load_with_20_segments) {
    for (int i = 0; i < 4; i++) {
        const load_case *c = &tip_loads[i];
        check_case("a = %g", c->load);
        bent tip = settle(20, 2e-4, 0.02, c->load, 0);
        CHECK_REL(tip.drop, c->drop, 0.02);
        CHECK_REL(1 - tip.along, c->along, 0.02);
        CHECK_REL(tip.angle, c->angle, 0.02);
    }
}

TEST(tip_load_with_100_segments) {
    for (int i = 1; i < 4; i += 2) {
        const load_case *c = &tip_loads[i];
        check_case("a = %g", c->load);
        bent tip = settle(100, 1e-4, 0.1, c->load, 0);
        CHECK_REL(tip.drop, c->drop, 0.005);
        CHECK_REL(1 - tip.along, c->along, 0.005);
        CHECK_REL(tip.angle, c->angle, 0.005);
    }
}

/* Segments of half the length, at most half the error. */
TEST(error_falls_with_the_segments) {
    const load_case *c = &tip_loads[3];
    double before = 0;
    for (int segments = 5; segments <= 20; segments *= 2) {
        check_case("%d segments", segments);
        bent tip = settle(segments, 1e-4, 0.02, c->load, 0);
        double error = hypot(tip.drop - c->drop, 1 - tip.along - c->along);
        if (segments > 5) CHECK(error < 0.5 * before);
        before = error;
    }
    CHECK(before < 0.01);
}

/* V25: drop and x of the tip. */
static const load_case weights[] = {
    {0.5, 0.062306, 0.997779, 0}, {1, 0.123471, 0.991246, 0},  {2, 0.238507, 0.966893, 0},
    {5, 0.495905, 0.846657, 0},   {10, 0.700200, 0.656354, 0}, {50, 0.907917, 0.245015, 0},
    {100, 0.937524, 0.159223, 0},
};

TEST(own_weight) {
    for (int i = 0; i < 7; i++) {
        const load_case *c = &weights[i];
        check_case("weight %g", c->load);
        bent tip = settle(40, 2e-4, 0.05, 0, c->load);
        CHECK_REL(tip.drop, c->drop, 0.02);
        CHECK_REL(tip.along, c->along, 0.02);
    }
}

/* The linear limit: drop = weight / 8. */
TEST(small_weight) {
    bent tip = settle(20, 2e-4, 0.02, 0, 0.05);
    CHECK_REL(tip.drop, 0.05 / 8, 0.02);
}

TESTS(RUN(tip_load_with_20_segments), RUN(tip_load_with_100_segments),
      RUN(error_falls_with_the_segments), RUN(own_weight), RUN(small_weight))
