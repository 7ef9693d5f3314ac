/*
 * Shape matching of one region: how it spins (V14), what it keeps (V15), its gradients (V16) in
 * every mode, what its stiffness means, anchors, plasticity, and that a snapshot goes on with the
 * same bits. Bodies of the kind `shape` are made of it.
 */
#include "check.h"
#include "snapshot.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef SN_DOUBLE
#define PICK(of_double, of_float) (of_double)
#else
#define PICK(of_double, of_float) (of_float)
#endif

enum { MOST = 64 };

typedef struct region {
    sn_world *world;
    sn_node node[MOST];
    size_t count;
    sn_constraint constraint;
} region;

static double noise(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static sn_world *make_world(int substeps) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = substeps;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static void add_node(region *r, const double x[3], double mass) {
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
    def.inverse_mass = mass > 0 ? (sn_real)(1 / mass) : 0;
    REQUIRE_OK(sn_node_create(r->world, &def, &r->node[r->count++]));
}

/* n^3 nodes on a cube of the side 1, 1/n^3 kg each. */
static region make_cube(int n, int substeps) {
    region r = {.world = make_world(substeps)};
    for (int i = 0; i < n * n * n; i++) {
        double x[3] = {(double)(i % n) / (n - 1), (double)(i / n % n) / (n - 1),
                       (double)(i / n / n) / (n - 1)};
        add_node(&r, x, 1.0 / (n * n * n));
    }
    return r;
}

static sn_result match(region *r, sn_shape_match_def def) {
    def.nodes = r->node;
    def.node_count = r->count;
    return sn_constraint_create(r->world, SN_TYPE_SHAPE_MATCH, &def, &r->constraint);
}

static void place_of(const region *r, size_t n, double x[3]) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(r->world, r->node[n], &def));
    x[0] = (double)def.position.x;
    x[1] = (double)def.position.y;
    x[2] = (double)def.position.z;
}

static void put(const region *r, size_t n, const double x[3]) {
    sn_vec3 to = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
    REQUIRE_OK(sn_node_set_position(r->world, r->node[n], to));
}

/* x becomes m x about the middle of the cube. */
static void deform(const region *r, double m[3][3]) {
    for (size_t n = 0; n < r->count; n++) {
        double x[3], to[3];
        place_of(r, n, x);
        for (int i = 0; i < 3; i++) {
            to[i] = 0.5;
            for (int k = 0; k < 3; k++) to[i] += m[i][k] * (x[k] - 0.5);
        }
        put(r, n, to);
    }
}

static void shake(const region *r, double amount, uint64_t seed) {
    for (size_t n = 0; n < r->count; n++) {
        double x[3];
        place_of(r, n, x);
        for (int i = 0; i < 3; i++) x[i] += amount * noise(&seed);
        put(r, n, x);
    }
}

static double value_of(const region *r, sn_vec3 *gradient) {
    sn_real value[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_evaluate(r->world, r->constraint, value, gradient));
    return (double)value[0];
}

static void steps(sn_world *world, int count, double dt) {
    for (int i = 0; i < count; i++) REQUIRE_OK(sn_world_step(world, (sn_real)dt));
}

static const int modes[] = {0, 1, 2};
static const char *const names[] = {"rigid", "linear", "quadratic"};

static sn_shape_match_def def_of(int mode, double beta) {
    sn_shape_match_def def = sn_shape_match_def_default();
    def.deformation = modes[mode];
    def.beta = (sn_real)beta;
    return def;
}

/* ---- V14 ---- */

/* The angle by which a substep turns follows from the one before; after 1 s at 10 rad/s and h =
   1 ms, L / L0 = 0.9129072. */
static void spin(sn_integrator integrator, double expected) {
    region r = {.world = make_world(1)};
    sn_settings settings = sn_settings_default();
    settings.gravity = (sn_vec3){0, 0, 0};
    settings.substeps = 1;
    settings.integrator = integrator;
    REQUIRE_OK(sn_world_set_settings(r.world, &settings));
    for (int i = 0; i < 6; i++) {
        double at[3] = {cos(i * 1.0471975511965976), sin(i * 1.0471975511965976), 0};
        add_node(&r, at, 1);
        sn_vec3 v = {(sn_real)(-10 * at[1]), (sn_real)(10 * at[0]), 0};
        REQUIRE_OK(sn_node_set_velocity(r.world, r.node[i], v));
    }
    REQUIRE_OK(match(&r, sn_shape_match_def_default()));
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(r.world, &before));
    steps(r.world, 1000, 1e-3);
    REQUIRE_OK(sn_world_measure(r.world, &after));
    double ratio = after.angular_momentum[2] / before.angular_momentum[2];
    if (expected > 0)
        CHECK_NEAR(ratio, expected, PICK(1e-9, 1e-4));
    else
        CHECK(ratio > 0.999 && ratio < 1.001);
    sn_world_destroy(r.world);
}

TEST(a_spinning_cluster_loses_what_bdf1_takes) {
    double theta = atan(10 * 1e-3), first = 0;
    for (int i = 0; i < 1000; i++) {
        if (i > 0) theta = asin(sin(theta) / sqrt(5 - 4 * cos(theta)));
        if (i == 0) first = 10 * 1e-3;
    }
    double ratio = sin(theta) / first;
    CHECK_NEAR(ratio, 0.9129072, 1e-7);
    spin(SN_INTEGRATOR_BDF1, ratio);
}

TEST(and_keeps_it_with_bdf2) {
    spin(SN_INTEGRATOR_BDF2, 0);
}

/* ---- V15, V16 ---- */

TEST(gradients_in_every_mode) {
    for (int mode = 0; mode < 3; mode++)
        for (int i = 0; i < 3; i++) {
            region r = make_cube(3, 1);
            check_case("%s, beta %g", names[mode], 0.3 + 0.35 * i);
            shake(&r, 0.1, 5);
            REQUIRE_OK(match(&r, def_of(mode, 0.3 + 0.35 * i)));
            double stretch[3][3] = {{1.3, 0.2, 0}, {-0.1, 0.8, 0.3}, {0.2, 0, 1.1}};
            deform(&r, stretch);
            shake(&r, 0.1, 6);
            sn_vec3 gradient[MOST];
            (void)value_of(&r, gradient);
            double step = PICK(1e-6, 2e-3), sum[3] = {0}, torque[3] = {0};
            for (size_t n = 0; n < r.count; n++) {
                double x[3],
                    g[3] = {(double)gradient[n].x, (double)gradient[n].y, (double)gradient[n].z};
                place_of(&r, n, x);
                for (int k = 0; k < 3; k++) {
                    double c[2], to[3], at[2];
                    for (int side = 0; side < 2; side++) {
                        memcpy(to, x, sizeof to);
                        to[k] += side ? step : -step;
                        put(&r, n, to);
                        place_of(&r, n, to);
                        at[side] = to[k];
                        c[side] = value_of(&r, NULL);
                    }
                    put(&r, n, x);
                    CHECK_NEAR(g[k], (c[1] - c[0]) / (at[1] - at[0]), PICK(1e-7, 1e-4));
                    sum[k] += g[k];
                    torque[k] += x[(k + 1) % 3] * g[(k + 2) % 3] - x[(k + 2) % 3] * g[(k + 1) % 3];
                }
            }
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR(sum[k], 0, PICK(1e-12, 1e-6));
                CHECK_NEAR(torque[k], 0, PICK(1e-12, 1e-6));
            }
            sn_world_destroy(r.world);
        }
}

TEST(rest_and_rigid_motion_move_nothing) {
    for (int mode = 0; mode < 3; mode++) {
        region r = make_cube(3, 4);
        check_case("%s", names[mode]);
        REQUIRE_OK(match(&r, def_of(mode, 0.7)));
        double turn[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}, x[MOST][3];
        deform(&r, turn);
        for (size_t n = 0; n < r.count; n++) place_of(&r, n, x[n]);
        CHECK_NEAR(value_of(&r, NULL), 0, PICK(1e-14, 3e-7));
        steps(r.world, 20, 0.01);
        for (size_t n = 0; n < r.count; n++) {
            double to[3];
            place_of(&r, n, to);
            for (int k = 0; k < 3; k++) CHECK_NEAR(to[k], x[n][k], PICK(1e-12, 2e-7));
        }
        sn_world_destroy(r.world);
    }
}

TEST(momentum_in_free_flight) {
    for (int mode = 0; mode < 3; mode++)
        for (int soft = 0; soft < 2; soft++) {
            region r = make_cube(3, 2);
            check_case("%s, %s", names[mode], soft ? "soft" : "hard");
            sn_shape_match_def def = def_of(mode, 0.5);
            def.compliance = soft ? (sn_real)1e-3 : 0;
            def.damping = 1;
            REQUIRE_OK(match(&r, def));
            uint64_t seed = 3;
            double size = 0;
            shake(&r, 0.05, 4);
            for (size_t n = 0; n < r.count; n++) {
                sn_vec3 v = {(sn_real)(1 + noise(&seed)), (sn_real)noise(&seed),
                             (sn_real)noise(&seed)};
                REQUIRE_OK(sn_node_set_velocity(r.world, r.node[n], v));
                size += hypot(hypot((double)v.x, (double)v.y), (double)v.z) / (double)r.count;
            }
            sn_measure before, after;
            REQUIRE_OK(sn_world_measure(r.world, &before));
            steps(r.world, 1000, 1.0 / 60);
            REQUIRE_OK(sn_world_measure(r.world, &after));
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(after.momentum[k] - before.momentum[k], 0, PICK(1e-12, 1e-5) * size);
            sn_world_destroy(r.world);
        }
}

/* A cube that flies, with further velocities by a matrix about its middle: by how much of these
   they are others a millisecond later. */
static double change_of(double v[3][3], int mode, double damping) {
    region r = make_cube(3, 10);
    sn_shape_match_def def = def_of(mode, 1);
    double off = 0, all = 0;
    def.compliance = 100;
    def.damping = (sn_real)damping;
    REQUIRE_OK(match(&r, def));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t n = 0; n < r.count; n++) {
            sn_node_def now = sn_node_def_default();
            REQUIRE_OK(sn_node_get(r.world, r.node[n], &now));
            double x[3] = {(double)(n % 3) / 2 - 0.5, (double)(n / 3 % 3) / 2 - 0.5,
                           (double)(n / 9) / 2 - 0.5};
            sn_real u[3] = {(sn_real)0.3, (sn_real)-0.2, (sn_real)0.1};
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++) u[i] += (sn_real)(v[i][k] * x[k]);
            if (pass == 0)
                REQUIRE_OK(sn_node_set_velocity(r.world, r.node[n], (sn_vec3){u[0], u[1], u[2]}));
            off += pass * (pow((double)(now.velocity.x - u[0]), 2) +
                           pow((double)(now.velocity.y - u[1]), 2) +
                           pow((double)(now.velocity.z - u[2]), 2));
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++) all += pass * pow(v[i][k] * x[k], 2);
        }
        if (pass == 0) REQUIRE_OK(sn_world_step(r.world, (sn_real)1e-3));
    }
    sn_world_destroy(r.world);
    return sqrt(off / all);
}

/* Dashpots take what changes the shape, about every axis and of every kind, and nothing else. */
TEST(damping_leaves_rigid_motion) {
    for (int axis = 0; axis < 3; axis++) {
        double turn[3][3] = {{0}}, stretch[3][3] = {{0}};
        int a = (axis + 1) % 3, b = (axis + 2) % 3;
        turn[a][b] = -1;
        turn[b][a] = 1;
        stretch[axis][axis] = 1;
        check_case("axis %d", axis);
        CHECK_NEAR(change_of(turn, 0, 1e4), 0, 2e-3);
        CHECK(change_of(stretch, 0, 1e4) > 0.9);
    }
}

/* With all of the easy deformations free, they leave these as well: stretches and shears. */
TEST(damping_leaves_what_is_easy) {
    for (int mode = 1; mode < 3; mode++)
        for (int i = 0; i < 9; i++) {
            double v[3][3] = {{0}};
            v[i / 3][i % 3] = 1;
            check_case("%s, v%d by x%d", names[mode], i / 3, i % 3);
            CHECK_NEAR(change_of(v, mode, 1e4), 0, 4e-3);
        }
}

/* ---- Stiffness ---- */

/* The energy of a strain that is the same everywhere is that of an elastic body: of a cube of 1 m
   with the mean x^2 given by its nodes. */
TEST(energy_is_that_of_an_elastic_body) {
    double strains[3][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                               {{0, 1e-3, 0}, {1e-3, 0, 0}, {0, 0, 0}},
                               {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}};
    for (int mode = 0; mode < 2; mode++)
        for (int s = 0; s < 3; s++) {
            region r = make_cube(4, 1);
            double beta = 0.6, m[3][3], square = 0, trace = 0;
            check_case("%s, strain %d", names[mode], s);
            sn_shape_match_def def = def_of(mode, beta);
            def.compliance = 1;
            REQUIRE_OK(match(&r, def));
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++) {
                    m[i][k] = (i == k) + strains[s][i][k];
                    square += strains[s][i][k] * strains[s][i][k];
                    trace += i == k ? strains[s][i][k] : 0;
                }
            deform(&r, m);
            /* x^2 of four nodes per metre; 1 kg. */
            double spread = (2 * 0.25 + 2 * (1.0 / 36)) / 4, young = spread, nu = 0;
            if (mode == 1) {
                young *= 3 * (1 - beta) / (3 - beta);
                nu = beta / (3 - beta);
            }
            double mu = young / (2 * (1 + nu)), lambda = young * nu / ((1 + nu) * (1 - 2 * nu));
            double c = value_of(&r, NULL);
            CHECK_REL(c * c / 2, mu * square + lambda * trace * trace / 2, 3e-3);
            sn_world_destroy(r.world);
        }
}

/* Every node swings about its goal with the frequency that compliance says. */
TEST(compliance_is_a_frequency) {
    region r = make_cube(3, 100);
    sn_shape_match_def def = sn_shape_match_def_default();
    def.compliance = (sn_real)(1 / (20.0 * 20.0));
    REQUIRE_OK(match(&r, def));
    double m[3][3] = {{1.01, 0, 0}, {0, 1, 0}, {0, 0, 1}}, x[3], last = 1;
    int crossings = 0;
    double first = 0, time = 0;
    deform(&r, m);
    for (int i = 0; i < 400; i++) {
        steps(r.world, 1, 0.002);
        place_of(&r, 0, x);
        double now = -x[0], when = (i + 1) * 0.002;
        if (now * last < 0) {
            double at = when - 0.002 * now / (now - last);
            if (crossings++ == 0) first = at;
            time = at;
        }
        last = now;
    }
    CHECK_REL(3.14159265358979 * (crossings - 1) / (time - first), 20, 1e-3);
    sn_world_destroy(r.world);
}

/* What has been put back to its shape has no force left from when it was stretched. */
TEST(rest_has_no_force) {
    region r = make_cube(2, 1);
    sn_shape_match_def def = sn_shape_match_def_default();
    double twice[3][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, x[MOST][3];
    sn_real force[SN_MAX_ROWS] = {0};
    def.compliance = (sn_real)1e-3;
    REQUIRE_OK(match(&r, def));
    for (size_t n = 0; n < r.count; n++) place_of(&r, n, x[n]);
    deform(&r, twice);
    steps(r.world, 1, 0.01);
    REQUIRE_OK(sn_constraint_force(r.world, r.constraint, force));
    CHECK(force[0] != 0);
    for (size_t n = 0; n < r.count; n++) {
        put(&r, n, x[n]);
        REQUIRE_OK(sn_node_set_velocity(r.world, r.node[n], (sn_vec3){0, 0, 0}));
    }
    CHECK(value_of(&r, NULL) == 0);
    steps(r.world, 1, 0.01);
    REQUIRE_OK(sn_constraint_force(r.world, r.constraint, force));
    CHECK(force[0] == 0);
    sn_world_destroy(r.world);
}

/* ---- Anchors ---- */

/* A cube that hangs at three of its corners stays where they are; turned, they take it along. */
TEST(kinematic_nodes_hold_the_shape) {
    region r = make_cube(3, 10);
    sn_settings settings = sn_settings_default();
    settings.substeps = 10;
    REQUIRE_OK(sn_world_set_settings(r.world, &settings));
    REQUIRE_OK(match(&r, sn_shape_match_def_default()));
    static const size_t held[] = {18, 20, 24};
    double before[MOST][3];
    for (int i = 0; i < 3; i++) REQUIRE_OK(sn_node_set_inverse_mass(r.world, r.node[held[i]], 0));
    for (size_t n = 0; n < r.count; n++) place_of(&r, n, before[n]);
    steps(r.world, 120, 1.0 / 60);
    for (size_t n = 0; n < r.count; n++) {
        double x[3];
        place_of(&r, n, x);
        for (int k = 0; k < 3; k++) CHECK_NEAR(x[k], before[n][k], 2e-3);
    }
    sn_world_destroy(r.world);
}

/* ---- Plasticity ---- */

/* How far two nodes are apart. */
static double between(const region *r, size_t i, size_t k) {
    double a[3], b[3];
    place_of(r, i, a);
    place_of(r, k, b);
    return hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
}

/* Stretched by 30 % for long and let go, it keeps all but the yield at most; below the yield it
   comes back; the limit holds; the volume stays. */
TEST(what_is_stretched_too_far_stays) {
    static const struct {
        double yield, creep, limit, stretch;
        bool keeps;
    } cases[] = {{0.1, 1000, 10, 1.3, true},
                 {0.5, 1000, 10, 1.3, false},
                 {0.05, 1000, 0.1, 1.3, true},
                 {0.1, 1, 10, 1.3, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        region r = make_cube(3, 4);
        check_case("case %zu", i);
        sn_shape_match_def def = sn_shape_match_def_default();
        def.compliance = (sn_real)1e-2;
        def.damping = 20;
        def.plastic_yield = (sn_real)cases[i].yield;
        def.plastic_creep = (sn_real)cases[i].creep;
        def.plastic_limit = (sn_real)cases[i].limit;
        REQUIRE_OK(match(&r, def));
        double s = cases[i].stretch,
               m[3][3] = {{s, 0, 0}, {0, 1 / sqrt(s), 0}, {0, 0, 1 / sqrt(s)}};
        deform(&r, m);
        for (size_t n = 0; n < r.count; n++)
            REQUIRE_OK(sn_node_set_inverse_mass(r.world, r.node[n], 0));
        steps(r.world, 6, 0.01);
        for (size_t n = 0; n < r.count; n++)
            REQUIRE_OK(sn_node_set_inverse_mass(r.world, r.node[n], 27));
        steps(r.world, 500, 0.01);
        double size = between(&r, 0, 2);
        CHECK_NEAR(size * between(&r, 0, 6) * between(&r, 0, 18), 1, 1e-3);
        if (!cases[i].keeps) CHECK_NEAR(size, 1, 1e-4);
        if (i == 0) CHECK_NEAR(size, s, 1e-3);
        /* |U - I| of what is longer by e and thinner by 1 / sqrt(1 + e), in both directions. */
        if (i == 2)
            CHECK_REL(hypot(size - 1, sqrt(2) * (1 - 1 / sqrt(size))), cases[i].limit, 0.01);
        /* Six steps of 1 % each of what was left. */
        if (i == 3) CHECK(size > 1 + 0.3 * (1 - pow(0.99, 6)) * 0.9 && size < 1.1);
        sn_world_destroy(r.world);
    }
}

/* ---- Same bits ---- */

TEST(a_snapshot_goes_on_with_the_same_bits) {
    for (int mode = 0; mode < 3; mode++) {
        region r = make_cube(3, 4);
        check_case("%s", names[mode]);
        sn_shape_match_def def = def_of(mode, 0.5);
        def.compliance = (sn_real)1e-3;
        def.plastic_yield = (sn_real)0.05;
        REQUIRE_OK(match(&r, def));
        shake(&r, 0.2, 9);
        for (size_t n = 0; n < r.count; n++)
            REQUIRE_OK(sn_node_set_velocity(r.world, r.node[n], (sn_vec3){(sn_real)n, 1, 0}));
        steps(r.world, 5, 0.01);
        void *data = NULL;
        size_t size = 0;
        sn_world *other;
        sn_world_def world_def = sn_world_def_default();
        REQUIRE_OK(sn_world_create(&world_def, &other));
        data = snapshot_of(r.world, &size);
        REQUIRE_OK(sn_snapshot_load(other, data, size));
        free(data);
        CHECK(sn_world_hash(r.world) == sn_world_hash(other));
        steps(r.world, 20, 0.01);
        steps(other, 20, 0.01);
        CHECK(sn_world_hash(r.world) == sn_world_hash(other));
        sn_world_destroy(other);
        sn_world_destroy(r.world);
    }
}

/* ---- Refusals ---- */

TEST(what_has_no_volume_is_refused_where_it_needs_one) {
    region r = {.world = make_world(1)};
    for (int i = 0; i < 9; i++) {
        double x[3] = {i % 3, i / 3, 0.5 * (i % 3) - (double)(i / 3)};
        add_node(&r, x, 1);
    }
    CHECK_FAILS(match(&r, def_of(1, 0.5)), SN_ERROR_DEGENERATE);
    sn_shape_match_def def = def_of(0, 0.5);
    def.plastic_yield = 0;
    CHECK_FAILS(match(&r, def), SN_ERROR_DEGENERATE);
    /* Rigid and quadratic need none. */
    CHECK_OK(match(&r, def_of(2, 0.5)));
    CHECK_OK(match(&r, def_of(0, 0.5)));
    shake(&r, 0.1, 2);
    steps(r.world, 10, 0.01);
    CHECK_NEAR(value_of(&r, NULL), 0, PICK(1e-9, 1e-5));
    r.count = 3;
    CHECK_FAILS(match(&r, def_of(0, 0.5)), SN_ERROR_VALUE);
    sn_world_destroy(r.world);
}

/* ---- Bodies ---- */

static sn_result build(sn_world *world, const sn_mesh *mesh, const sn_shape_material *material,
                       sn_build *made) {
    sn_build_def def = sn_build_def_default();
    def.mesh = mesh;
    def.collide = SN_COLLIDE_OTHERS;
    return sn_build_body(world, SN_KIND_SHAPE, material, &def, NULL, made);
}

TEST(bodies_from_any_mesh) {
    sn_mesh mesh = sn_mesh_default();
    sn_world *world = make_world(4);
    sn_shape_material material = sn_shape_material_default();
    sn_build made;
    sn_sphere_def sphere = sn_sphere_def_default();
    sphere.level = 2;
    REQUIRE_OK(sn_generate_sphere(&mesh, &sphere));
    CHECK_OK(build(world, &mesh, &material, &made));
    CHECK(made.constraints == 1);
    CHECK_REL(made.mass, 1000 * 4 * 3.14159265 / 3 / 8, 0.05);
    CHECK(sn_collision_surface_is_valid(world, made.surface));

    /* As many regions: no constraint, but a matching. */
    material.region = 1;
    CHECK_OK(build(world, &mesh, &material, &made));
    CHECK(made.constraints == 0 && sn_shape_matching_is_valid(world, made.matching));
    material.region = 3;
    CHECK_OK(build(world, &mesh, &material, &made));
    CHECK(sn_shape_matching_is_valid(world, made.matching));
    material.deformation = 2;
    CHECK_FAILS(build(world, &mesh, &material, &made), SN_ERROR_VALUE);
    material.deformation = 0;
    material.region = 1;
    material.omega = (sn_real)1.5;
    CHECK_FAILS(build(world, &mesh, &material, &made), SN_ERROR_VALUE);
    sn_mesh_free(&mesh);

    material = sn_shape_material_default();
    sn_block_def block = sn_block_def_default();
    REQUIRE_OK(sn_generate_block(&mesh, &block));
    CHECK_OK(build(world, &mesh, &material, &made));
    CHECK_REL(made.mass, 1000, 1e-5);
    material.region = 2;
    CHECK_OK(build(world, &mesh, &material, &made));
    CHECK(sn_shape_matching_is_valid(world, made.matching));
    sn_mesh_free(&mesh);

    /* Points weigh as balls; without a radius they weigh nothing. */
    static const sn_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    material = sn_shape_material_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, points, 5));
    CHECK_FAILS(build(world, &mesh, &material, &made), SN_ERROR_VALUE);
    material.radius = (sn_real)0.1;
    CHECK_OK(build(world, &mesh, &material, &made));
    CHECK_REL(made.mass, 5 * 1000 * 4.18879e-3, 1e-4);
    sn_mesh_free(&mesh);

    /* An open surface encloses nothing. */
    sn_grid_def grid = sn_grid_def_default();
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    CHECK_FAILS(build(world, &mesh, &material, &made), SN_ERROR_DEGENERATE);
    sn_mesh_free(&mesh);
    steps(world, 3, 0.01);
    sn_world_destroy(world);
}

/* A block of this density and modulus stretches under its ends' weight as a bar does, as far as one
   region can tell: the strain is the same everywhere. */
TEST(young_is_youngs_modulus) {
    sn_mesh mesh = sn_mesh_default();
    sn_block_def block = sn_block_def_default();
    block.pattern = SN_BLOCK_FIVE;
    REQUIRE_OK(sn_generate_block(&mesh, &block));
    for (int mode = 0; mode < 2; mode++) {
        sn_world *world = make_world(10);
        sn_shape_material material = sn_shape_material_default();
        sn_build_def def = sn_build_def_default();
        sn_build made;
        sn_node node[125];
        check_case("%s", names[mode]);
        material.young = (sn_real)1e5;
        material.damping = (sn_real)0.05;
        material.deformation = mode;
        material.beta = (sn_real)0.75; /* Poisson's ratio 1/3 */
        def.mesh = &mesh;
        REQUIRE_OK(sn_build_body(world, SN_KIND_SHAPE, &material, &def, node, &made));
        /* A force that grows with x, as the stress of 1 kPa at the ends has on nodes by their mass:
           sum of f x = stress times volume. */
        double work = 0;
        double f[125], x[125];
        for (int n = 0; n < 125; n++) {
            sn_node_def got = sn_node_def_default();
            REQUIRE_OK(sn_node_get(world, node[n], &got));
            x[n] = (double)got.position.x;
            f[n] = x[n] / (double)got.inverse_mass;
            work += f[n] * x[n];
        }
        for (int step = 0; step < 200; step++) {
            for (int n = 0; n < 125; n++)
                REQUIRE_OK(sn_node_add_force(world, node[n],
                                             (sn_vec3){(sn_real)(1000 * f[n] / work), 0, 0}));
            steps(world, 1, 0.01);
        }
        double ratio = 0, across = 0;
        for (int n = 0; n < 125; n++) {
            sn_node_def got = sn_node_def_default();
            REQUIRE_OK(sn_node_get(world, node[n], &got));
            ratio += f[n] * (double)got.position.x / work;
            across += (double)got.position.y * (double)got.position.y;
        }
        CHECK_REL(ratio - 1, 0.01, 0.02);
        double rest = 125 * 0.125;
        double narrow = sqrt(across / rest) - 1;
        CHECK_NEAR(narrow / (ratio - 1), mode == 0 ? 0 : -1.0 / 3, 0.01);
        sn_world_destroy(world);
    }
    sn_mesh_free(&mesh);
}

TESTS(RUN(a_spinning_cluster_loses_what_bdf1_takes), RUN(and_keeps_it_with_bdf2),
      RUN(gradients_in_every_mode), RUN(rest_and_rigid_motion_move_nothing),
      RUN(momentum_in_free_flight), RUN(damping_leaves_rigid_motion),
      RUN(damping_leaves_what_is_easy), RUN(energy_is_that_of_an_elastic_body),
      RUN(compliance_is_a_frequency), RUN(rest_has_no_force), RUN(kinematic_nodes_hold_the_shape),
      RUN(what_is_stretched_too_far_stays), RUN(a_snapshot_goes_on_with_the_same_bits),
      RUN(what_has_no_volume_is_refused_where_it_needs_one), RUN(bodies_from_any_mesh),
      RUN(young_is_youngs_modulus))
