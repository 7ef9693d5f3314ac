/* Damping of shape matchings, against the rigid motions of regions one by one. */
#include "check.h"

#include <sinew/sinew.h>

#include <math.h>

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double triple(const double a[3], const double b[3], const double c[3]) {
    double n[3];
    cross(b, c, n);
    return a[0] * n[0] + a[1] * n[1] + a[2] * n[2];
}

enum { LOOSE = 8, SHARES = 2 };

/* Of two regions: where each is and how it moves as a whole, by the momenta of what its members
   have in it. */
typedef struct whole {
    double centre[3], velocity[3], spin[3];
} whole;

static whole whole_of(double x[][3], double v[][3], const double *mass, const bool *member) {
    whole w = {{0}, {0}, {0}};
    double sum = 0, l[3] = {0}, inertia[3][3] = {{0}};
    for (int i = 0; i < LOOSE; i++)
        for (int k = 0; k < 3 && member[i]; k++) {
            sum += mass[i] / 3;
            w.centre[k] += mass[i] * x[i][k];
            w.velocity[k] += mass[i] * v[i][k];
        }
    for (int k = 0; k < 3; k++) {
        w.centre[k] /= sum;
        w.velocity[k] /= sum;
    }
    for (int i = 0; i < LOOSE; i++) {
        double arm[3], turn[3], square = 0;
        for (int k = 0; k < 3; k++) {
            arm[k] = x[i][k] - w.centre[k];
            square += arm[k] * arm[k];
        }
        cross(arm, v[i], turn);
        for (int k = 0; k < 3 && member[i]; k++) {
            l[k] += mass[i] * turn[k];
            inertia[k][k] += mass[i] * square;
            for (int j = 0; j < 3; j++) inertia[k][j] -= mass[i] * arm[k] * arm[j];
        }
    }
    double det = triple(inertia[0], inertia[1], inertia[2]);
    w.spin[0] = triple(l, inertia[1], inertia[2]) / det;
    w.spin[1] = triple(inertia[0], l, inertia[2]) / det;
    w.spin[2] = triple(inertia[0], inertia[1], l) / det;
    return w;
}

/* Where nothing but the damping acts, a substep takes the part damping h of what differs from the
   mean of the rigid motions of its regions; who is in none is left alone. */
TEST(damping_is_toward_the_mean_of_regions) {
    static const uint32_t first[] = {0, 5, 9}, members[] = {0, 1, 2, 3, 4, 3, 4, 5, 6};
    const bool in[SHARES][LOOSE] = {{1, 1, 1, 1, 1, 0, 0, 0}, {0, 0, 0, 1, 1, 1, 1, 0}};
    sn_world_def world_def = sn_world_def_default();
    sn_shape_matching_def def = sn_shape_matching_def_default();
    sn_world *world;
    sn_node node[LOOSE];
    sn_shape_matching made;
    double x[LOOSE][3], v[LOOSE][3], mass[LOOSE], h = 1e-3, part = 0.3;
    uint32_t seed = 3;
    world_def.settings.gravity = (sn_vec3){0, 0, 0};
    world_def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    for (int i = 0; i < LOOSE; i++) {
        sn_node_def n = sn_node_def_default();
        for (int k = 0; k < 6; k++) {
            seed = seed * 1664525u + 1013904223u;
            *(k < 3 ? &x[i][k] : &v[i][k - 3]) = (double)(seed >> 8) / 8388608 - 1;
        }
        double kilograms = 1 + 0.3 * i;
        n.position = (sn_vec3){(sn_real)x[i][0], (sn_real)x[i][1], (sn_real)x[i][2]};
        n.velocity = (sn_vec3){(sn_real)v[i][0], (sn_real)v[i][1], (sn_real)v[i][2]};
        n.inverse_mass = (sn_real)(1 / kilograms);
        REQUIRE_OK(sn_node_create(world, &n, &node[i]));
        mass[i] = kilograms / (in[0][i] && in[1][i] ? 2 : 1);
    }
    def.nodes = node;
    def.node_count = LOOSE;
    def.first = first;
    def.members = members;
    def.region_count = SHARES;
    def.compliance = (sn_real)1e6;
    def.damping = (sn_real)(part / h);
    REQUIRE_OK(sn_shape_matching_create(world, &def, &made));
    REQUIRE_OK(sn_world_step(world, (sn_real)h));
    for (int i = 0; i < LOOSE; i++)
        for (int k = 0; k < 3; k++) x[i][k] += h * v[i][k];
    whole w[SHARES] = {whole_of(x, v, mass, in[0]), whole_of(x, v, mass, in[1])};
    for (int i = 0; i < LOOSE; i++) {
        double mean[3] = {0}, shares = in[0][i] + in[1][i], turn[3];
        sn_node_def now;
        REQUIRE_OK(sn_node_get(world, node[i], &now));
        const double found[3] = {(double)now.velocity.x, (double)now.velocity.y,
                                 (double)now.velocity.z};
        for (int r = 0; r < SHARES; r++) {
            const double arm[3] = {x[i][0] - w[r].centre[0], x[i][1] - w[r].centre[1],
                                   x[i][2] - w[r].centre[2]};
            cross(w[r].spin, arm, turn);
            for (int k = 0; k < 3 && in[r][i]; k++)
                mean[k] += (w[r].velocity[k] + turn[k]) / shares;
        }
        check_case("node %d", i);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(found[k], v[i][k] + (shares > 0 ? part * (mean[k] - v[i][k]) : 0),
                       sizeof(sn_real) == 4 ? 2e-4 : 1e-8);
    }
    sn_world_destroy(world);
}

enum { PAIRS = 1500, HELD = 2, ALL = HELD + 2 * PAIRS, OF_REGION = HELD + 2 };

/* Nodes that are held, and pairs of which one moves or both do. */
static void make_pairs(sn_world *world, int free, sn_node *node, sn_vec3 *velocity) {
    uint32_t seed = 5;
    for (int i = 0; i < ALL; i++) {
        sn_node_def n = sn_node_def_default();
        double number[7] = {0};
        if (i < HELD) n.position = (sn_vec3){(sn_real)i, 1, 0};
        /* The two of a pair are 0.1 m apart along x, and turn about the middle. */
        uint32_t pair = seed;
        for (int k = 0; k < 7 && i >= HELD; k++) {
            pair = pair * 1664525u + 1013904223u;
            number[k] = (double)(pair >> 8) / 8388608 - 1;
        }
        n.inverse_mass = i < HELD || (free == 1 && i % 2) ? 0 : (sn_real)(1.5 + number[6]);
        if (i >= HELD) {
            double side = i % 2 ? 1 : -1;
            n.position = (sn_vec3){(sn_real)(number[0] + 0.05 * side), (sn_real)number[1],
                                   (sn_real)number[2]};
            if (n.inverse_mass > 0)
                velocity[i] = (sn_vec3){(sn_real)number[3], (sn_real)(number[4] + 0.2 * side),
                                        (sn_real)(number[5] - 0.1 * side)};
            n.velocity = velocity[i];
            if (i % 2) seed = pair;
        }
        REQUIRE_OK(sn_node_create(world, &n, &node[i]));
    }
}

/* Regions of one node that can move and some that cannot, or of two that turn about each other,
   have only motions that are rigid, and nothing is damped, wherever they are. */
TEST(one_or_two_that_move_are_not_damped) {
    static const sn_region_sums_method methods[] = {SN_REGION_SUMS_DIRECT, SN_REGION_SUMS_PATHS};
    static sn_node node[ALL];
    static sn_vec3 velocity[ALL];
    static uint32_t first[PAIRS + 1], members[PAIRS * OF_REGION];
    for (int variant = 0; variant < 4; variant++) {
        int free = 1 + variant % 2;
        sn_world_def world_def = sn_world_def_default();
        sn_shape_matching_def def = sn_shape_matching_def_default();
        sn_world *world;
        sn_shape_matching made;
        check_case("%d, method %d", free, (int)methods[variant / 2]);
        world_def.settings.gravity = (sn_vec3){0, 0, 0};
        world_def.settings.substeps = 1;
        REQUIRE_OK(sn_world_create(&world_def, &world));
        make_pairs(world, free, node, velocity);
        for (uint32_t r = 0; r < PAIRS; r++) {
            uint32_t *of = members + OF_REGION * r;
            for (uint32_t k = 0; k < HELD; k++) of[k] = k;
            of[HELD] = HELD + 2 * r;
            of[HELD + 1] = HELD + 2 * r + 1;
            first[r + 1] = OF_REGION * (r + 1);
        }
        def.nodes = node;
        def.node_count = ALL;
        def.first = first;
        def.members = members;
        def.region_count = PAIRS;
        def.compliance = (sn_real)1e6;
        def.damping = (sn_real)5e4;
        def.sums = methods[variant / 2];
        REQUIRE_OK(sn_shape_matching_create(world, &def, &made));
        REQUIRE_OK(sn_world_step(world, (sn_real)1e-5));
        double off = 0;
        for (int i = HELD; i < ALL; i++) {
            sn_node_def now;
            REQUIRE_OK(sn_node_get(world, node[i], &now));
            if (free == 1 && i % 2) continue;
            double by = fabs((double)(now.velocity.x - velocity[i].x)) +
                        fabs((double)(now.velocity.y - velocity[i].y)) +
                        fabs((double)(now.velocity.z - velocity[i].z));
            if (off >= 0) off = by >= 0 ? fmax(by, off) : by;
        }
        /* Two have turned by now, so that they part with the 1e-5 of a second of what they do. */
        CHECK_NEAR(off, 0, free == 2 ? 6e-6 : sizeof(sn_real) == 4 ? 2e-6 : 1e-9);
        sn_world_destroy(world);
    }
}

TESTS(RUN(damping_is_toward_the_mean_of_regions), RUN(one_or_two_that_move_are_not_damped))
