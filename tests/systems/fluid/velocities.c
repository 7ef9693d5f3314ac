/*
 * What fluids do to velocities: however thick one is, shear decays with its viscosity, both momenta
 * are kept, and in the end it moves as a rigid body does; vorticity is put back as in the equation.
 */
#include "pool.h"

static sn_real random_part(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (sn_real)(*seed >> 8) / 8388608 - 1;
}

static void set_fluid(const pool *p, double viscosity, double vorticity, double reach) {
    sn_fluid_def def;
    REQUIRE_OK(sn_fluid_get(p->world, p->fluid, &def));
    def.viscosity = (sn_real)viscosity;
    def.vorticity = (sn_real)vorticity;
    if (reach > 0) def.reach = (sn_real)reach;
    REQUIRE_OK(sn_fluid_set(p->world, p->fluid, &def));
}

/*
 * v_x = sin(k y): a substep takes 1 / (1 + h nu k^2) off, with 0.906 of nu along the axes of a
 * lattice at this reach. That is six times as much as could be taken off at once; in the middle,
 * 2.7 times as far from the surface as viscosity reaches meanwhile.
 */
TEST(shear_of_a_thick_fluid_decays_with_its_viscosity) {
    enum { ALONG = 26, HIGH = 28, DEEP = 12, SUBSTEPS = 5, MIDDLE = 8 };
    const double spacing = 0.02, nu = 0.144, h = 1.0 / 600;
    const double k = 2 * 3.14159265358979 / (12 * spacing);
    pool p = add_block(make_world(0, 2), (int[3]){ALONG, HIGH, DEEP}, spacing, (sn_vec3){0, 0, 0},
                       1000, nu);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(p.world, &settings));
    settings.substeps = SUBSTEPS;
    REQUIRE_OK(sn_world_set_settings(p.world, &settings));
    set_fluid(&p, nu, 0, 3 * spacing);
    double first = 0, last = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < p.count; i++) {
            int x = (int)(i / (HIGH * DEEP)), y = (int)(i / DEEP % HIGH), z = (int)(i % DEEP);
            double phase = sin(k * spacing * (y + 0.5));
            if (!pass)
                CHECK_OK(sn_node_set_velocity(p.world, p.node[i],
                                              (sn_vec3){(sn_real)(0.01 * phase), 0, 0}));
            if (x < MIDDLE || x >= ALONG - MIDDLE || y < MIDDLE || y >= HIGH - MIDDLE || z < 3 ||
                z >= DEEP - 3)
                continue;
            double v = (double)state_of(&p, i).velocity.x;
            *(pass ? &last : &first) += v * phase;
        }
        if (!pass) REQUIRE_OK(sn_world_step(p.world, (sn_real)(SUBSTEPS * h)));
    }
    double expected = SUBSTEPS * log(1 + 0.906 * h * nu * k * k);
    if (check_shows()) printf("decay %g of %g\n", log(first / last), expected);
    CHECK_REL(log(first / last), expected, 0.05);
    drop(&p);
}

/* Solves a 3 by 3 system by Cramer's rule. */
static void solve3(double a[3][3], const double b[3], double x[3]) {
    double det = 0;
    for (int k = 0; k < 3; k++)
        det += a[0][k] *
               (a[1][(k + 1) % 3] * a[2][(k + 2) % 3] - a[1][(k + 2) % 3] * a[2][(k + 1) % 3]);
    for (int c = 0; c < 3; c++) {
        double m[3][3], part = 0;
        for (int i = 0; i < 9; i++) m[i / 3][i % 3] = i % 3 == c ? b[i / 3] : a[i / 3][i % 3];
        for (int k = 0; k < 3; k++)
            part += m[0][k] *
                    (m[1][(k + 1) % 3] * m[2][(k + 2) % 3] - m[1][(k + 2) % 3] * m[2][(k + 1) % 3]);
        x[c] = part / det;
    }
}

/* m/s: root of the mean square of what is left of velocities without the rigid motion that has
   both of their momenta. */
static double motion_within(const pool *p) {
    double n = (double)p->count, c[3] = {0}, u[3] = {0}, l[3] = {0}, inertia[3][3] = {{0}};
    double omega[3], square = 0;
    for (int pass = 0; pass < 3; pass++) {
        for (size_t i = 0; i < p->count; i++) {
            sn_node_def s = state_of(p, i);
            double x[3] = {(double)s.position.x, (double)s.position.y, (double)s.position.z};
            double v[3] = {(double)s.velocity.x, (double)s.velocity.y, (double)s.velocity.z};
            for (int k = 0; k < 3 && pass == 0; k++) c[k] += x[k] / n, u[k] += v[k] / n;
            for (int k = 0; k < 3; k++) x[k] -= c[k], v[k] -= u[k];
            double far = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
            for (int k = 0; k < 3 && pass == 1; k++) {
                int a = (k + 1) % 3, b = (k + 2) % 3;
                l[k] += x[a] * v[b] - x[b] * v[a];
                for (int j = 0; j < 3; j++) inertia[k][j] += (k == j ? far : 0) - x[k] * x[j];
            }
            for (int k = 0; k < 3 && pass == 2; k++) {
                int a = (k + 1) % 3, b = (k + 2) % 3;
                double rest = v[k] - (omega[a] * x[b] - omega[b] * x[a]);
                square += rest * rest / n;
            }
        }
        if (pass == 1) solve3(inertia, l, omega);
    }
    return sqrt(square);
}

/* Stirred and turning, a block of something like pitch turns as a whole after a frame. */
TEST(what_is_very_thick_moves_as_a_rigid_body) {
    sn_world *world = make_world(0, 1);
    pool p = add_block(world, (int[3]){8, 7, 6}, 0.02, (sn_vec3){0, 0, 0}, 1000, 100);
    double before[6], after[6], speeds = 0;
    const sn_real wide = (sn_real)1.2; /* so that nothing pushes */
    uint32_t seed = 7;
    for (size_t i = 0; i < p.count; i++) {
        sn_vec3 x = state_of(&p, i).position;
        sn_real r[3];
        for (int k = 0; k < 3; k++) r[k] = random_part(&seed);
        x = (sn_vec3){wide * x.x, wide * x.y, wide * x.z};
        CHECK_OK(sn_node_set_position(world, p.node[i], x));
        CHECK_OK(
            sn_node_set_velocity(world, p.node[i],
                                 (sn_vec3){-2 * x.y + (sn_real)0.1 * r[0],
                                           2 * x.x + (sn_real)0.1 * r[1], (sn_real)0.1 * r[2]}));
        speeds += speed_of(&p, i);
    }
    double loose = motion_within(&p), size = momenta_of(&p, before);
    REQUIRE_OK(sn_world_step(world, (sn_real)1e-3));
    double left = motion_within(&p);
    momenta_of(&p, after);
    if (check_shows()) printf("%g m/s of %g left\n", left, loose);
    CHECK(left < 0.01 * loose);
    for (int k = 0; k < 3; k++) {
        CHECK(fabs(after[k] - before[k]) < TOL(1e-12, 1e-5) * speeds);
        CHECK(fabs(after[3 + k] - before[3 + k]) < TOL(1e-12, 1e-5) * size);
    }
    drop(&p);
}

/* m^-4: slope of the cubic spline over the distance. */
static double slope_of(double r, double reach) {
    double q = r / reach, norm = 8 / (3.14159265358979 * reach * reach * reach * reach);
    if (q >= 1 || r <= 0) return 0;
    return norm / r * (q <= 0.5 ? 6 * (3 * q * q - 2 * q) : -6 * (1 - q) * (1 - q));
}

/* Sums over all pairs: vorticity and its length, then the slope of that. */
static void sum_pairs(const pool *p, double spacing, double reach, double (*out)[4],
                      const double (*omega)[4]) {
    for (size_t i = 0; i < p->count; i++) {
        sn_node_def a = state_of(p, i);
        double *to = out[i];
        to[0] = to[1] = to[2] = 0;
        for (size_t j = 0; j < p->count; j++) {
            sn_node_def b = state_of(p, j);
            double x[3] = {(double)(a.position.x - b.position.x),
                           (double)(a.position.y - b.position.y),
                           (double)(a.position.z - b.position.z)};
            double v[3] = {(double)(b.velocity.x - a.velocity.x),
                           (double)(b.velocity.y - a.velocity.y),
                           (double)(b.velocity.z - a.velocity.z)};
            double far = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
            double f = spacing * spacing * spacing * slope_of(far, reach);
            for (int k = 0; k < 3; k++) {
                int c = (k + 1) % 3, d = (k + 2) % 3;
                to[k] +=
                    f * (omega ? (omega[j][3] - omega[i][3]) * x[k] : x[c] * v[d] - x[d] * v[c]);
            }
        }
        to[3] = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
    }
}

/* Equation 16 of Macklin and Mueller 2013, over all pairs: dv = h epsilon N x omega. */
TEST(vorticity_is_put_back_as_in_the_equation) {
    enum { SIDE = 7, ALL = SIDE * SIDE * SIDE };
    const double spacing = 0.02, reach = 0.05, h = 1e-3, epsilon = 0.3;
    static double omega[ALL][4], slope[ALL][4];
    sn_world *world = make_world(0, 1);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 1;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    pool p = add_block(world, (int[3]){SIDE, SIDE, SIDE}, spacing, (sn_vec3){0, 0, 0}, 1000, 0);
    set_fluid(&p, 0, epsilon, reach);
    uint32_t seed = 5;
    /* So wide that nothing pushes. */
    for (size_t i = 0; i < p.count; i++) {
        sn_vec3 x = state_of(&p, i).position;
        sn_real *at[3] = {&x.x, &x.y, &x.z};
        for (int k = 0; k < 3; k++)
            *at[k] = (sn_real)1.4 * *at[k] + (sn_real)0.004 * random_part(&seed);
        sn_vec3 v = {-x.y * (1 + 4 * x.x), x.x + x.z * x.z, 2 * x.x * x.y};
        CHECK_OK(sn_node_set_position(world, p.node[i], x));
        CHECK_OK(sn_node_set_velocity(world, p.node[i], v));
    }
    pool q = p;
    sn_vec3 before[ALL];
    for (size_t i = 0; i < p.count; i++) before[i] = state_of(&p, i).velocity;
    REQUIRE_OK(sn_world_step(world, (sn_real)h));
    sn_vec3 after[ALL];
    for (size_t i = 0; i < p.count; i++) {
        after[i] = state_of(&p, i).velocity;
        CHECK_OK(sn_node_set_velocity(world, p.node[i], before[i]));
    }
    sum_pairs(&q, spacing, reach, omega, NULL);
    sum_pairs(&q, spacing, reach, slope, (const double(*)[4])omega);
    for (size_t i = 0; i < p.count; i++) {
        double even = 0.01 * omega[i][3] / reach, *n = slope[i], *o = omega[i];
        double scale = h * epsilon / sqrt(n[3] * n[3] + even * even), most = h * epsilon * o[3];
        CHECK_NEAR(after[i].x - before[i].x, scale * (n[1] * o[2] - n[2] * o[1]),
                   TOL(1e-8, 1e-2) * most + TOL(1e-12, 1e-6));
        CHECK_NEAR(after[i].y - before[i].y, scale * (n[2] * o[0] - n[0] * o[2]),
                   TOL(1e-8, 1e-2) * most + TOL(1e-12, 1e-6));
        CHECK_NEAR(after[i].z - before[i].z, scale * (n[0] * o[1] - n[1] * o[0]),
                   TOL(1e-8, 1e-2) * most + TOL(1e-12, 1e-6));
    }
    drop(&p);
}

/* m^-3: the cubic spline. */
static double kernel_of(double r, double reach) {
    double q = r / reach, norm = 8 / (3.14159265358979 * reach * reach * reach), rest = 1 - q;
    if (q >= 1) return 0;
    return norm * (q <= 0.5 ? 6 * (q * q * q - q * q) + 1 : 2 * rest * rest * rest);
}

/* m/s: what XSPH does to a particle of one of two fluids, over all pairs. */
static void smoothed(const pool p[2], int own, size_t i, double c, double reach, double dv[3]) {
    const double spacing = 0.02, volume = spacing * spacing * spacing;
    sn_node_def a = state_of(&p[own], i);
    dv[0] = dv[1] = dv[2] = 0;
    for (int k = 0; k < 2; k++)
        for (size_t j = 0; j < p[k].count; j++) {
            sn_node_def b = state_of(&p[k], j);
            double x = (double)(a.position.x - b.position.x);
            double y = (double)(a.position.y - b.position.y);
            double z = (double)(a.position.z - b.position.z);
            /* Two of one density give it to each other as the paper says; 1 and 3 have the harmonic
               mean, 1.5, of it. */
            double mean = k == own ? 1 : own ? 0.5 : 1.5;
            double part = c * mean * volume * kernel_of(sqrt(x * x + y * y + z * z), reach);
            dv[0] += part * (double)(b.velocity.x - a.velocity.x);
            dv[1] += part * (double)(b.velocity.y - a.velocity.y);
            dv[2] += part * (double)(b.velocity.z - a.velocity.z);
        }
}

/* Equation 17 of Macklin and Mueller 2013, over all pairs, of two fluids that meet: with masses it
   is opposite between two particles. */
TEST(velocities_are_smoothed_as_in_the_equation) {
    enum { SIDE = 5, ALL = SIDE * SIDE * SIDE };
    const double spacing = 0.02, reach = 0.05, h = 1e-3, c = 0.3;
    static sn_vec3 before[2][ALL], after[2][ALL];
    sn_world *world = make_world(0, 1);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 1;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    pool p[2];
    uint32_t seed = 5;
    double momentum = 0, moved = 0;
    for (int k = 0; k < 2; k++) {
        const double density = k ? 3000 : 1000;
        p[k] = add_block(world, (int[3]){SIDE, SIDE, SIDE}, spacing,
                         (sn_vec3){0, 0, (sn_real)(SIDE * spacing * k)}, density, 0);
        sn_fluid_def def;
        REQUIRE_OK(sn_fluid_get(world, p[k].fluid, &def));
        def.xsph = (sn_real)(k ? 0.5 : c);
        def.reach = (sn_real)reach;
        REQUIRE_OK(sn_fluid_set(world, p[k].fluid, &def));
        /* So wide that nothing pushes. */
        for (size_t i = 0; i < ALL; i++) {
            sn_vec3 x = state_of(&p[k], i).position;
            sn_real r[3];
            for (int n = 0; n < 3; n++) r[n] = random_part(&seed);
            x = (sn_vec3){(sn_real)1.4 * x.x, (sn_real)1.4 * x.y, (sn_real)1.4 * x.z};
            before[k][i] = (sn_vec3){r[0], r[1], r[2]};
            CHECK_OK(sn_node_set_position(world, p[k].node[i], x));
            CHECK_OK(sn_node_set_velocity(world, p[k].node[i], before[k][i]));
        }
    }
    REQUIRE_OK(sn_world_step(world, (sn_real)h));
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < ALL; i++) {
            after[k][i] = state_of(&p[k], i).velocity;
            CHECK_OK(sn_node_set_velocity(world, p[k].node[i], before[k][i]));
            momentum += (k ? 3 : 1) * (double)(after[k][i].x - before[k][i].x);
            moved += (k ? 3 : 1) * fabs((double)before[k][i].x);
        }
    CHECK_NEAR(momentum, 0, TOL(1e-12, 1e-5) * moved);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < ALL; i += 7) {
            double dv[3], own[3], both[3];
            /* Between fluids it is the lesser part. */
            smoothed(p, k, i, c, reach, both);
            for (int n = 0; n < 3; n++) dv[n] = both[n];
            if (k) {
                const pool alone[2] = {{.world = world}, p[1]};
                smoothed(alone, 1, i, 0.5 - c, reach, own);
                for (int n = 0; n < 3; n++) dv[n] += own[n];
            }
            CHECK_NEAR(after[k][i].x - before[k][i].x, dv[0], TOL(1e-10, 1e-5));
            CHECK_NEAR(after[k][i].y - before[k][i].y, dv[1], TOL(1e-10, 1e-5));
            CHECK_NEAR(after[k][i].z - before[k][i].z, dv[2], TOL(1e-10, 1e-5));
        }
    free(p[1].node);
    drop(&p[0]);
}

/* A closed box of water without weight that turns as Taylor and Green's eddy does, along the walls
   and nowhere into them. */
enum { EDDY = 10, EDDY_DEEP = 8 };

static sn_vec3 eddy_at(sn_vec3 x, double spacing) {
    const double k = 3.14159265358979 / (EDDY * spacing);
    double a = k * (double)x.x, b = k * (double)x.y;
    return (sn_vec3){(sn_real)(0.2 * sin(a) * cos(b)), (sn_real)(-0.2 * cos(a) * sin(b)), 0};
}

/* How much of the eddy is left after some frames, and how far beyond a wall somebody came (m). */
static double turn_eddy(double kept, double *beyond) {
    const double spacing = 0.02, wide = EDDY * spacing, deep = EDDY_DEEP * spacing;
    const double half = 3.14159265358979;
    pool p = add_block(make_world(0, 1), (int[3]){EDDY, EDDY, EDDY_DEEP}, spacing,
                       (sn_vec3){0, 0, 0}, 1000, 0);
    add_basin(p.world, wide, deep);
    add_wall(p.world, (sn_vec3){0, (sn_real)wide, 0}, (sn_vec3){1, 0, 0}, half);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(p.world, &settings));
    settings.substeps = 4;
    REQUIRE_OK(sn_world_set_settings(p.world, &settings));
    sn_fluid_def def = sn_fluid_def_default();
    def.vorticity_kept = (sn_real)kept;
    CHECK_OK(sn_fluid_set(p.world, p.fluid, &def));
    double first = 0, last = 0;
    for (size_t i = 0; i < p.count; i++) {
        sn_vec3 v = eddy_at(state_of(&p, i).position, spacing);
        CHECK_OK(sn_node_set_velocity(p.world, p.node[i], v));
        first += (double)(v.x * v.x + v.y * v.y);
    }
    run(p.world, 30);
    *beyond = 0;
    for (size_t i = 0; i < p.count; i++) {
        sn_node_def s = state_of(&p, i);
        sn_vec3 v = eddy_at(s.position, spacing);
        double x[3] = {(double)s.position.x, (double)s.position.y, (double)s.position.z};
        last += (double)(v.x * s.velocity.x + v.y * s.velocity.y);
        for (int k = 0; k < 3; k++) {
            double most = (k == 2 ? deep : wide) - 0.5 * spacing;
            *beyond = fmax(*beyond, fmax(0.5 * spacing - x[k], x[k] - most));
        }
    }
    drop(&p);
    return last / first;
}

/* The eddy turns on for longer, and nobody is pushed into a wall. */
TEST(vorticity_that_is_kept_decays_slower) {
    double beyond[3], none = turn_eddy(0, &beyond[0]), half = turn_eddy(0.5, &beyond[1]),
                      all = turn_eddy(1, &beyond[2]);
    if (check_shows())
        printf("left %.3f, %.3f, %.3f; beyond %g %g %g m\n", none, half, all, beyond[0], beyond[1],
               beyond[2]);
    CHECK(half > 1.3 * none);
    CHECK(all > 2 * none && all < 1);
    for (int i = 0; i < 3; i++) CHECK(beyond[i] < 1e-6);
}

/* Particles that fly apart at random keep their momentum. */
static void check_splash(pool *p) {
    double before[6], after[6], speeds = 0;
    uint32_t seed = 3;
    for (size_t i = 0; i < p->count; i++) {
        sn_vec3 v = {random_part(&seed), random_part(&seed), random_part(&seed)};
        CHECK_OK(sn_node_set_velocity(p->world, p->node[i], v));
        speeds += speed_of(p, i);
    }
    momenta_of(p, before);
    run(p->world, 10);
    momenta_of(p, after);
    for (int k = 0; k < 3; k++) CHECK(fabs(after[k] - before[k]) < TOL(1e-12, 1e-5) * speeds);
}

/* What gives vorticity back is opposite between two particles: a splash keeps its momentum. */
TEST(momentum_is_kept_with_vorticity) {
    pool p = add_block(make_world(0, 1), (int[3]){7, 6, 5}, 0.02, (sn_vec3){0, 0, 0}, 1000, 0);
    sn_fluid_def def = sn_fluid_def_default();
    def.vorticity_kept = 1;
    CHECK_OK(sn_fluid_set(p.world, p.fluid, &def));
    check_splash(&p);
    drop(&p);
}

enum { SIDE = 5, CUBE = SIDE * SIDE * SIDE };

/* Where a block that is too dense goes in a step with so many iterations, beside another one far
   away, with a point of detail at the first or without. */
static void press(int iterations, bool detail, sn_vec3 near[CUBE], sn_vec3 far[CUBE]) {
    sn_world *world = make_world(0, 1);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 1;
    settings.iterations = iterations;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    pool p[2];
    for (int k = 0; k < 2; k++) {
        p[k] = add_block(world, (int[3]){SIDE, SIDE, SIDE}, 0.02, (sn_vec3){(sn_real)(k * 8), 0, 0},
                         1000, 0);
        sn_fluid_def def = sn_fluid_def_default();
        def.detail_radius = detail ? (sn_real)0.5 : def.detail_radius;
        CHECK_OK(sn_fluid_set(world, p[k].fluid, &def));
        for (size_t i = 0; i < CUBE; i++) {
            sn_vec3 x = state_of(&p[k], i).position;
            x.y *= (sn_real)0.8;
            CHECK_OK(sn_node_set_position(world, p[k].node[i], x));
        }
    }
    REQUIRE_OK(sn_world_step(world, (sn_real)0.002));
    for (size_t i = 0; i < CUBE; i++) {
        near[i] = state_of(&p[0], i).position;
        far[i] = state_of(&p[1], i).position;
    }
    free(p[1].node);
    drop(&p[0]);
}

/* Within the radius all iterations are made, and 16 times as far away one of six. */
TEST(iterations_go_by_the_distance) {
    static sn_vec3 near[3][CUBE], far[3][CUBE];
    double apart = 0, moved = 0;
    press(6, true, near[0], far[0]);
    press(6, false, near[1], far[1]);
    press(1, false, near[2], far[2]);
    for (size_t i = 0; i < CUBE; i++) {
        CHECK_NEAR(near[0][i].y, near[1][i].y, 1e-7);
        CHECK_NEAR(far[0][i].y, far[2][i].y, 1e-7);
        apart = fmax(apart, fabs((double)(far[1][i].y - far[2][i].y)));
        moved = fmax(moved, fabs((double)(near[0][i].y - near[2][i].y)));
    }
    CHECK(apart > 1e-4 && moved > 1e-4);
}

/* A splash of which some have had their turns keeps its momentum. */
TEST(momentum_is_kept_where_iterations_differ) {
    pool p = add_block(make_world(0, 1), (int[3]){16, 6, 5}, 0.02, (sn_vec3){0, 0, 0}, 1000, 1e-3);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(p.world, &settings));
    settings.iterations = 6;
    REQUIRE_OK(sn_world_set_settings(p.world, &settings));
    sn_fluid_def def = sn_fluid_def_default();
    def.detail_radius = (sn_real)0.05;
    def.viscosity = (sn_real)1e-3;
    CHECK_OK(sn_fluid_set(p.world, p.fluid, &def));
    check_splash(&p);
    drop(&p);
}

/* With XSPH, and densities that pull. */
static void smooth(const pool *p, double part) {
    sn_fluid_def def;
    REQUIRE_OK(sn_fluid_get(p->world, p->fluid, &def));
    def.xsph = (sn_real)part;
    def.equality = true;
    REQUIRE_OK(sn_fluid_set(p->world, p->fluid, &def));
}

/* The same bits for any number of threads and lanes, and after a snapshot. */
TEST(bits_do_not_depend_on_threads_lanes_or_snapshots) {
    static const int threads[] = {1, 3, 1, 2}, widths[] = {0, 0, 1, 4};
    uint64_t hash[4];
    for (int i = 0; i < 4; i++) {
        sn_world *world = NULL;
        sn_world_def def = sn_world_def_default();
        def.settings.substeps = 8;
        def.threads = threads[i];
        def.simd_width = widths[i];
        REQUIRE_OK(sn_world_create(&def, &world));
        pool thick = add_block(world, (int[3]){6, 6, 5}, 0.03,
                               (sn_vec3){(sn_real)0.1, (sn_real)0.05, 0}, 1400, 0.5);
        pool thin = add_block(world, (int[3]){4, 4, 5}, 0.03,
                              (sn_vec3){(sn_real)0.4, (sn_real)0.05, 0}, 1000, 1e-3);
        set_fluid(&thin, 1e-3, 0.2, 0);
        smooth(&thin, 0.1);
        add_basin(world, 0.6, 0.3);
        run(world, 4);
        if (i == 2) go_back(world, 2);
        run(world, 4);
        hash[i] = sn_world_hash(world);
        CHECK(hash[i] == hash[0]);
        free(thin.node);
        drop(&thick);
    }
}

/* A fluid that asks for confinement and has nobody who moves, such as one whose particles wait in
   an emitter, beside one that does not ask. */
TEST(vorticity_of_nobody_is_none) {
    pool p = add_block(make_world(0, 1), (int[3]){4, 4, 4}, 0.02, (sn_vec3){0, 0, 0}, 1000, 0);
    pool q = add_block(p.world, (int[3]){2, 1, 1}, 0.02, (sn_vec3){1, 0, 0}, 1000, 0);
    sn_fluid_def def = sn_fluid_def_default();
    for (size_t i = 0; i < q.count; i++) CHECK_OK(sn_node_set_inverse_mass(p.world, q.node[i], 0));
    def.vorticity = 1;
    CHECK_OK(sn_fluid_set(p.world, q.fluid, &def));
    run(p.world, 2);
    CHECK_NEAR(state_of(&p, 0).position.x, 0.01, 1e-5);
    free(q.node);
    drop(&p);
}

/* m/s: the mean of a block of 27 after 0.1 s, which it begins 0.2 m from another that comes the
   other way at 2 m/s as well. */
static double after_meeting(int steps, int substeps) {
    sn_world *world = make_world(0, 1);
    sn_settings settings;
    pool p[2];
    double sum = 0;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = substeps;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    for (int k = 0; k < 2; k++) {
        p[k] = add_block(world, (int[3]){3, 3, 3}, 0.05, (sn_vec3){(sn_real)(0.35 * k), 0, 0}, 1000,
                         0);
        for (size_t i = 0; i < p[k].count; i++)
            REQUIRE_OK(sn_node_set_velocity(world, p[k].node[i], (sn_vec3){k ? -2 : 2, 0, 0}));
    }
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(0.1 / steps)));
    for (size_t i = 0; i < p[0].count; i++)
        sum += (double)state_of(&p[0], i).velocity.x / (double)p[0].count;
    free(p[1].node);
    drop(&p[0]);
    return sum;
}

/* Who comes near is met, though the lists of neighbours are from before: one step of many substeps
   does what as many steps do, each of which makes lists anew. */
TEST(those_who_come_near_are_met_within_a_step) {
    double anew = after_meeting(60, 1), once = after_meeting(1, 60);
    check_case("%g m/s with lists anew, %g m/s with those of one step", anew, once);
    CHECK(anew < 1.5);
    CHECK_NEAR(once, anew, 0.01);
}

TESTS(RUN(shear_of_a_thick_fluid_decays_with_its_viscosity),
      RUN(what_is_very_thick_moves_as_a_rigid_body), RUN(vorticity_is_put_back_as_in_the_equation),
      RUN(velocities_are_smoothed_as_in_the_equation), RUN(vorticity_that_is_kept_decays_slower),
      RUN(momentum_is_kept_with_vorticity), RUN(iterations_go_by_the_distance),
      RUN(momentum_is_kept_where_iterations_differ), RUN(vorticity_of_nobody_is_none),
      RUN(those_who_come_near_are_met_within_a_step),
      RUN(bits_do_not_depend_on_threads_lanes_or_snapshots))
