/*
 * Surface tension: a cube becomes a ball, a drop swings with the period of Rayleigh and has the
 * pressure of Laplace, both momenta are kept, a drop on a floor beads or wets it, and fluids that
 * do not mix part.
 */
#include "pool.h"

#define SPACING 0.01
#define TENSION 0.072
#define DENSITY 1000.0
#define TURN 6.28318530717958648

static double random_part(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608 - 1;
}

static void set_tension(pool *p, double tension, double adhesion, bool immiscible) {
    sn_fluid_def def;
    REQUIRE_OK(sn_fluid_get(p->world, p->fluid, &def));
    def.surface_tension = (sn_real)tension;
    def.adhesion = (sn_real)adhesion;
    def.immiscible = immiscible;
    REQUIRE_OK(sn_fluid_set(p->world, p->fluid, &def));
}

static void set_substeps(sn_world *world, int substeps, int iterations) {
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = substeps;
    settings.iterations = iterations;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

/* A lattice, a little disturbed, of which what is beyond an ellipsoid is taken away. */
static pool add_drop(sn_world *world, const int size[3], sn_vec3 from, bool round) {
    pool p = add_block(world, size, SPACING, from, DENSITY, 2e-5);
    uint32_t seed = 11;
    size_t kept = 0;
    for (size_t i = 0; i < p.count; i++) {
        sn_vec3 x = state_of(&p, i).position;
        double at[3] = {(double)(x.x - from.x), (double)(x.y - from.y), (double)(x.z - from.z)};
        double far = 0;
        for (int k = 0; k < 3; k++) {
            double part = 2 * at[k] / (size[k] * SPACING) - 1;
            far += part * part;
        }
        if (round && far > 1) {
            CHECK_OK(sn_node_destroy(world, p.node[i]));
            continue;
        }
        const sn_real little = (sn_real)(0.03 * SPACING);
        x.x += little * (sn_real)random_part(&seed);
        x.y += little * (sn_real)random_part(&seed);
        x.z += little * (sn_real)random_part(&seed);
        CHECK_OK(sn_node_set_position(world, p.node[i], x));
        p.node[kept++] = p.node[i];
    }
    p.count = kept;
    return p;
}

/* m^2: the second moments about the middle, and the farthest in m. */
static double moments_of(const pool *p, double moment[3][3]) {
    double middle[3] = {0}, farthest = 0;
    memset(moment, 0, 9 * sizeof(double));
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < p->count; i++) {
            sn_vec3 x = state_of(p, i).position;
            double at[3] = {(double)x.x, (double)x.y, (double)x.z};
            for (int k = 0; k < 3 && !pass; k++) middle[k] += at[k] / (double)p->count;
            for (int k = 0; k < 3 && pass; k++) at[k] -= middle[k];
            for (int k = 0; k < 9 && pass; k++)
                moment[k / 3][k % 3] += at[k / 3] * at[k % 3] / (double)p->count;
            if (pass) farthest = fmax(farthest, at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        }
    return sqrt(farthest);
}

/* The largest over the least of the eigenvalues, by Jacobi's rotations. */
static double ratio_of(double a[3][3]) {
    for (int round = 0; round < 30; round++)
        for (int pair = 0; pair < 3; pair++) {
            int i = pair == 2, j = pair == 0 ? 1 : 2;
            double turn = 0.5 * atan2(2 * a[i][j], a[j][j] - a[i][i]), c = cos(turn), s = sin(turn);
            for (int k = 0; k < 3; k++) {
                double u = a[k][i], w = a[k][j];
                a[k][i] = c * u - s * w, a[k][j] = s * u + c * w;
            }
            for (int k = 0; k < 3; k++) {
                double u = a[i][k], w = a[j][k];
                a[i][k] = c * u - s * w, a[j][k] = s * u + c * w;
            }
        }
    return fmax(a[0][0], fmax(a[1][1], a[2][2])) / fmin(a[0][0], fmin(a[1][1], a[2][2]));
}

static double radius_of(const pool *p) {
    return SPACING * cbrt((double)p->count * 3 / (2 * TURN));
}

/* Corners of a cube are 1.40 radii of the ball away, and come in; the moments of a cube are those
   of a ball, so a bar is made of it. */
TEST(a_cube_becomes_a_ball) {
    double moment[3][3];
    pool p = add_drop(make_world(0, 1), (int[3]){7, 7, 7}, (sn_vec3){0, 0, 0}, false);
    set_tension(&p, TENSION, 0.5, false);
    set_substeps(p.world, 4, 1);
    double before = moments_of(&p, moment) / radius_of(&p);
    run(p.world, 360);
    double after = moments_of(&p, moment) / radius_of(&p), ratio = ratio_of(moment);
    if (check_shows()) printf("farthest %.3f, then %.3f radii; ratio %.3f\n", before, after, ratio);
    CHECK(before > 1.15);
    CHECK(after < 1.0);
    CHECK(ratio < 1.15);
    drop(&p);
}

/* V52, n = 2 of Rayleigh 1879: T = 2 pi sqrt(rho r^3 / (8 sigma)). */
TEST(a_drop_swings_with_the_period_of_rayleigh) {
    pool p = add_drop(make_world(0, 1), (int[3]){8, 8, 11}, (sn_vec3){0, 0, 0}, true);
    set_tension(&p, TENSION, 0.5, false);
    set_substeps(p.world, 4, 1);
    double r = radius_of(&p), period = TURN * sqrt(DENSITY * r * r * r / (8 * TENSION));
    double last = 1, passed[4] = {0}, least = 0;
    int turns = 0;
    /* When it is as long as wide: three times in one and a half swings. */
    for (int frame = 1; frame <= 480 && turns < 4; frame++) {
        double m[3][3];
        run(p.world, 1);
        moments_of(&p, m);
        double now = (m[2][2] - 0.5 * (m[0][0] + m[1][1])) / (m[0][0] + m[1][1] + m[2][2]);
        if ((now < 0) == (turns % 2 == 0)) passed[turns++] = (frame - now / (now - last)) / 60;
        last = now;
        least = fmin(least, now);
    }
    double swings[2] = {passed[2] - passed[0], passed[3] - passed[1]};
    if (check_shows())
        printf("%zu particles, flattest %.3f: periods %.3f and %.3f of %.3f s\n", p.count, least,
               swings[0], swings[1], period);
    CHECK(turns == 4);
    CHECK(least < -0.05);
    CHECK_REL(swings[0], period, 0.1);
    CHECK_REL(swings[1], period, 0.1);
    drop(&p);
}

/* ---- The pressure of Laplace ---- */

/* What a drop is at one moment: places, pressures of the densities, and normals R grad c. */
typedef struct moment {
    size_t count;
    double (*x)[3], (*normal)[3], *pressure;
} moment;

/* Two particles: the way from j to i, its length, and the kernel and its slope there. */
typedef struct pair {
    double way[3], far, kernel, slope;
} pair;

static bool pair_of(const moment *m, size_t i, size_t j, pair *p) {
    const double reach = 2 * SPACING, norm = 16 / TURN / (reach * reach * reach);
    double square = 0;
    for (int k = 0; k < 3; k++) {
        p->way[k] = m->x[i][k] - m->x[j][k];
        square += p->way[k] * p->way[k];
    }
    p->far = sqrt(square);
    double q = p->far / reach, rest = 1 - q, half = fmax(0.5 - q, 0);
    p->kernel = norm * (2 * rest * rest * rest - 8 * half * half * half);
    p->slope = -norm / reach * (6 * rest * rest - 24 * half * half);
    return q < 1;
}

static moment look_at(const pool *p) {
    const double volume = SPACING * SPACING * SPACING, reach = 2 * SPACING;
    moment m = {.count = p->count};
    m.x = calloc(p->count, sizeof *m.x);
    m.normal = calloc(p->count, sizeof *m.normal);
    m.pressure = calloc(p->count, sizeof *m.pressure);
    double middle[3] = {0};
    for (size_t i = 0; i < p->count; i++) {
        sn_vec3 x = state_of(p, i).position;
        const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
        sn_real density, pressure;
        CHECK_OK(sn_fluid_get_particle(p->world, p->fluid, i, &density, &pressure));
        m.pressure[i] = (double)pressure;
        for (int k = 0; k < 3; k++) middle[k] += at[k] / (double)p->count;
        memcpy(m.x[i], at, sizeof at);
    }
    for (size_t i = 0; i < 3 * p->count; i++) m.x[i / 3][i % 3] -= middle[i % 3];
    pair one;
    for (size_t i = 0; i < p->count; i++)
        for (size_t j = 0; j < p->count; j++)
            for (int k = 0; k < 3 && i != j && pair_of(&m, i, j, &one); k++)
                m.normal[i][k] += reach * volume * one.slope * one.way[k] / one.far;
    return m;
}

/* The part of the line between two particles that is within a ball around the middle. */
static double part_within(const moment *m, size_t j, const pair *p, double radius) {
    double square = p->far * p->far, along = 0, c = -radius * radius;
    for (int k = 0; k < 3; k++) {
        along += m->x[j][k] * p->way[k];
        c += m->x[j][k] * m->x[j][k];
    }
    double root = along * along - square * c;
    if (root <= 0) return 0;
    root = sqrt(root);
    return fmax(fmin((root - along) / square, 1) - fmax((-root - along) / square, 0), 0);
}

/* Pa: the mean pressure within a ball, of all that particles do to each other across its places
   (Irving and Kirkwood 1950): sum f r / (3 V), f what pushes two apart. */
static double pressure_within(const moment *m, double radius) {
    const double volume = SPACING * SPACING * SPACING, reach = 2 * SPACING;
    double sum = 0;
    for (size_t i = 0; i < m->count; i++)
        for (size_t j = 0; j < i; j++) {
            pair p;
            if (!pair_of(m, i, j, &p)) continue;
            double q = p.far / reach, parting = 0;
            for (int k = 0; k < 3; k++)
                parting += (m->normal[i][k] - m->normal[j][k]) * p.way[k] / p.far;
            double pull = 128 / pow(reach, 5) * q * (1 - q) * (1 - q) +
                          32 / (reach * reach) * p.kernel * parting;
            double push = -(m->pressure[i] + m->pressure[j]) * p.slope - TENSION * pull;
            sum += volume * volume * push * p.far * part_within(m, j, &p, radius);
        }
    return sum / (2 * TURN * radius * radius * radius);
}

/* V52: 2 sigma / r, as far below the surface as particles reach. What densities push is five times
   as much, since cohesion pulls inside as well: together they are what a wall would feel. */
TEST(a_drop_has_the_pressure_of_laplace) {
    static const int sizes[] = {10, 13, 16};
    for (int n = 0; n < (check_long() ? 3 : 2); n++) {
        pool p =
            add_drop(make_world(0, 1), (int[3]){sizes[n], sizes[n], sizes[n]}, (sn_vec3){0}, true);
        set_tension(&p, TENSION, 0.5, false);
        set_substeps(p.world, 4, 1);
        run(p.world, 120);
        double r = radius_of(&p), pressure = 0, pushed = 0;
        for (int sample = 0; sample < 4; sample++) {
            run(p.world, 15);
            moment m = look_at(&p);
            pressure += pressure_within(&m, r - 2 * SPACING) / 4;
            for (size_t i = 0; i < p.count; i++) pushed += m.pressure[i] / (4 * (double)p.count);
            free(m.x);
            free(m.normal);
            free(m.pressure);
        }
        double expected = 2 * TENSION / r;
        if (check_shows())
            printf("%zu particles, %.2f spacings: %.3f Pa, %.3f of 2 sigma / r; densities %.1f\n",
                   p.count, r / SPACING, pressure, pressure / expected, pushed);
        CHECK_REL(pressure, expected, 0.1);
        drop(&p);
    }
}

/* A drop that turns and swings keeps its momentum to rounding; angular momentum to first order in
   h, as fluids do without tension. */
TEST(both_momenta_are_kept) {
    double change[2][2];
    for (int fine = 0; fine < 2; fine++) {
        pool p = add_drop(make_world(0, 1), (int[3]){6, 6, 9}, (sn_vec3){0, 0, 0}, true);
        set_tension(&p, TENSION, 0.5, false);
        set_substeps(p.world, fine ? 16 : 4, 1);
        for (size_t i = 0; i < p.count; i++) {
            sn_vec3 x = state_of(&p, i).position;
            CHECK_OK(
                sn_node_set_velocity(p.world, p.node[i], (sn_vec3){-x.y, x.x, (sn_real)0.1 * x.x}));
        }
        double before[6], after[6], size = momenta_of(&p, before), speeds = 0;
        for (size_t i = 0; i < p.count; i++) speeds += speed_of(&p, i);
        run(p.world, 30);
        momenta_of(&p, after);
        change[fine][0] = change[fine][1] = 0;
        for (int k = 0; k < 3; k++) {
            change[fine][0] = fmax(change[fine][0], fabs(after[k] - before[k]) / speeds);
            change[fine][1] = fmax(change[fine][1], fabs(after[3 + k] - before[3 + k]) / size);
        }
        if (check_shows())
            printf("momentum %g, angular momentum %g\n", change[fine][0], change[fine][1]);
        CHECK(change[fine][0] < TOL(1e-12, 1e-5));
        drop(&p);
    }
    CHECK(change[0][1] < 0.05);
    CHECK(change[1][1] < 0.6 * change[0][1]);
}

/* A block on a floor, with little gravity: how high it comes to stand for how wide it lies says how
   it wets. Of a cap of height H and radius a on the floor, tan(theta / 2) = H / a. */
TEST(adhesion_says_how_a_drop_wets) {
    static const double adhesions[] = {0, 1, 2};
    double high[3], wide[3], angle[3];
    for (int k = 0; k < 3; k++) {
        pool p = add_drop(make_world(0.01, 1), (int[3]){9, 5, 9}, (sn_vec3){0, 0, 0}, false);
        add_wall(p.world, (sn_vec3){0, 0, 0}, (sn_vec3){0, 0, 1}, 0);
        set_tension(&p, TENSION, adhesions[k], false);
        set_substeps(p.world, 4, 1);
        run(p.world, 300);
        double top = 0, foot = 0;
        for (size_t i = 0; i < p.count; i++) {
            sn_vec3 x = state_of(&p, i).position;
            top = fmax(top, (double)x.y);
            foot += (double)x.y < SPACING;
        }
        high[k] = top + 0.5 * SPACING;
        wide[k] = SPACING * sqrt(foot * 2 / TURN);
        angle[k] = 2 * atan2(high[k], wide[k]) * 360 / TURN;
        if (check_shows())
            printf("adhesion %.2f: %.1f spacings high, foot %.1f: %.0f degrees\n", adhesions[k],
                   high[k] / SPACING, wide[k] / SPACING, angle[k]);
        drop(&p);
    }
    CHECK_NEAR(angle[0], 130, 15);
    CHECK_NEAR(angle[1], 84, 15);
    CHECK_NEAR(angle[2], 21, 15);
}

/* Two fluids of one density that are stirred into each other: how many neighbours are of the
   other one. */
static double mixed(const pool *p, const pool *q) {
    double other = 0, all = 0;
    for (size_t i = 0; i < p->count; i++) {
        sn_vec3 a = state_of(p, i).position;
        for (int k = 0; k < 2; k++) {
            const pool *from = k ? q : p;
            for (size_t j = 0; j < from->count; j++) {
                sn_vec3 b = state_of(from, j).position;
                double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z);
                if (x * x + y * y + z * z > 2.25 * SPACING * SPACING || (!k && i == j)) continue;
                all++;
                other += k;
            }
        }
    }
    return other / all;
}

TEST(what_does_not_mix_parts) {
    double left[2];
    for (int apart = 0; apart < 2; apart++) {
        sn_world *world = make_world(0, 1);
        pool p = add_drop(world, (int[3]){4, 8, 8}, (sn_vec3){0, 0, 0}, false), q;
        q = add_drop(world, (int[3]){4, 8, 8}, (sn_vec3){(sn_real)(4 * SPACING), 0, 0}, false);
        set_tension(&p, TENSION, 0.5, apart);
        set_tension(&q, TENSION, 0.5, false);
        /* Every other one in the place of its like. */
        for (size_t i = 0; i < p.count; i += 2) {
            sn_vec3 a = state_of(&p, i).position, b = state_of(&q, i).position;
            CHECK_OK(sn_node_set_position(world, p.node[i], b));
            CHECK_OK(sn_node_set_position(world, q.node[i], a));
        }
        set_substeps(world, 4, 1);
        double before = mixed(&p, &q);
        run(world, 240);
        left[apart] = mixed(&p, &q) / before;
        if (check_shows())
            printf("%s: %.2f of %.2f\n", apart ? "apart" : "mixed", left[apart], before);
        free(q.node);
        drop(&p);
    }
    CHECK(left[0] > 0.8);
    CHECK(left[1] < 0.6);
}

/* The same bits for any number of threads and lanes, and after a snapshot. */
TEST(bits_do_not_depend_on_threads_lanes_or_snapshots) {
    static const int threads[] = {1, 3, 1, 2}, widths[] = {0, 0, 1, 4};
    uint64_t hash[4];
    for (int i = 0; i < 4; i++) {
        sn_world *world = NULL;
        sn_world_def def = sn_world_def_default();
        def.settings.substeps = 4;
        def.settings.iterations = 4;
        def.threads = threads[i];
        def.simd_width = widths[i];
        REQUIRE_OK(sn_world_create(&def, &world));
        pool p = add_drop(world, (int[3]){6, 6, 7}, (sn_vec3){0, (sn_real)0.01, 0}, false);
        add_wall(world, (sn_vec3){0, 0, 0}, (sn_vec3){0, 0, 1}, 0);
        sn_fluid_def fluid;
        REQUIRE_OK(sn_fluid_get(world, p.fluid, &fluid));
        fluid.surface_tension = (sn_real)TENSION;
        fluid.vorticity_kept = (sn_real)0.7;
        fluid.detail_radius = (sn_real)0.02;
        REQUIRE_OK(sn_fluid_set(world, p.fluid, &fluid));
        run(world, 4);
        if (i == 2) go_back(world, 2);
        run(world, 4);
        hash[i] = sn_world_hash(world);
        CHECK(hash[i] == hash[0]);
        drop(&p);
    }
}

TESTS(RUN(a_cube_becomes_a_ball), RUN(a_drop_swings_with_the_period_of_rayleigh),
      RUN(a_drop_has_the_pressure_of_laplace), RUN(both_momenta_are_kept),
      RUN(adhesion_says_how_a_drop_wets), RUN(what_does_not_mix_parts),
      RUN(bits_do_not_depend_on_threads_lanes_or_snapshots))
