/*
 * Hair: lengths that hold, swings, hairstyles that turn with their roots, friction and repulsion;
 * the same bits for threads and snapshots; what becomes of strands whose nodes go.
 */
#include "strands.h"

static double largest_strain(const sn_world *world, size_t count) {
    double most = 0;
    for (size_t k = 1; k < count; k++) {
        if (!(between[k] > 0)) continue;
        double now = length(sub(position_of(world, node[k]), position_of(world, node[k - 1])));
        most = fmax(most, fabs(now / (double)between[k] - 1));
    }
    return most;
}

/* One pass per substep, whatever happens. */
TEST(lengths_hold_in_one_pass) {
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;
         integrator++) {
        check_case("integrator %d", (int)integrator);
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.integrator = integrator;
        sn_world *world = make_world(settings);
        size_t count = add_strand(world, 0, (vec){0, 0, 0}, (vec){0.02, 0, 0}, 30, true);
        sn_hair_def def = hair_of(count);
        add_hair(world, &def);
        double strain = 0;
        for (int i = 0; i < 300; i++) {
            advance(world, 1.0 / 60, 1);
            strain = fmax(strain, largest_strain(world, count));
        }
        CHECK(strain < TOL(1e-12, 1e-5));
        /* In the end it hangs: what swings is damped by the reaction that is left out. */
        vec tip = position_of(world, node[count - 1]);
        CHECK_REL(tip.y, -0.58, 0.02);
        sn_world_destroy(world);
    }
}

/* The first mode of a chain that hangs: omega = j0 / 2 sqrt(g / L), j0 = 2.404826. */
static mode swing(double reaction) {
    enum { NODES = 31, SAMPLES = 3000 };
    static double sample[SAMPLES];
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    size_t count = add_strand(world, 0, (vec){0, 0, 0}, (vec){0.0002, -0.02, 0}, NODES, true);
    sn_hair_def def = hair_of(count);
    def.reaction = (sn_real)reaction;
    add_hair(world, &def);
    for (int i = 0; i < SAMPLES; i++) {
        advance(world, 1.0 / 1000, 1);
        sample[i] = position_of(world, node[count - 1]).x;
    }
    sn_world_destroy(world);
    return find_mode(sample, SAMPLES, 200);
}

TEST(a_strand_swings_like_a_chain) {
    double L = 0.6, omega = 2.404826 / 2 * sqrt(GRAVITY / L) / 1000;
    CHECK_REL(swing(1).phase, omega, 0.05);
    CHECK_REL(swing(0.9).phase, 1.27 * omega, 0.05);
}

/* The first segment of a strand that is held sags by g / hold^2. */
TEST(a_hairstyle_sags_by_its_frequency) {
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    size_t count = add_strand(world, 0, (vec){0, 0, 0}, (vec){0.05, 0, 0}, 2, true);
    sn_hair_def def = hair_of(count);
    def.hold = 60;
    sn_hair hair = add_hair(world, &def);
    advance(world, 1.0 / 600, 3000);
    CHECK_REL(-position_of(world, node[1]).y, GRAVITY / 3600, 0.02);
    CHECK_OK(sn_hair_get(world, hair, &def));
    def.hold = 120;
    CHECK_OK(sn_hair_set(world, hair, &def));
    advance(world, 1.0 / 600, 3000);
    CHECK_REL(-position_of(world, node[1]).y, GRAVITY / 14400, 0.02);
    sn_world_destroy(world);
}

/* Strands on the corners of a square, curled about all axes, on a head that turns about (1, 1, 1)
   by ten degrees at a time, a third of a turn in all: how far they are from where it takes them. */
static double turn_head(double hold, int steps) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    settings.damping = 2;
    sn_world *world = make_world(settings);
    enum { LONG = 8, STRANDS = 4 };
    vec rest[STRANDS * LONG];
    size_t count = 0;
    for (int s = 0; s < STRANDS; s++)
        for (int k = 0; k < LONG; k++) {
            vec x = {s % 2 + 0.03 * sin(2.0 * k), 0.1 * k, s / 2 + 0.03 * cos(2.0 * k)};
            rest[count] = x;
            node[count] = k == 0 ? add_pin(world, x) : add_node(world, x, 1e-3);
            between[count] = k == 0 ? 0 : (sn_real)length(sub(x, rest[count - 1]));
            count++;
        }
    sn_hair_def def = hair_of(count);
    def.hold = (sn_real)hold;
    add_hair(world, &def);
    double most = 0;
    for (int i = 1; i <= steps; i++) {
        double a = (i < 12 ? i : 12) * PI / 18, c = cos(a), s = sin(a), u = (1 - c) / 3,
               w = s / sqrt(3);
        vec to[STRANDS * LONG];
        for (int k = 0; k < STRANDS * LONG; k++) {
            vec x = rest[k];
            to[k] = (vec){(c + u) * x.x + (u - w) * x.y + (u + w) * x.z,
                          (u + w) * x.x + (c + u) * x.y + (u - w) * x.z,
                          (u - w) * x.x + (u + w) * x.y + (c + u) * x.z};
            if (k % LONG == 0)
                CHECK_OK(sn_node_set_target(world, node[k], vector(to[k].x, to[k].y, to[k].z)));
        }
        advance(world, 1.0 / 60, 1);
        for (size_t k = 0; k < count && i == steps; k++)
            most = fmax(most, length(sub(position_of(world, node[k]), to[k])));
    }
    sn_world_destroy(world);
    return most;
}

/* Without gravity they go where it takes them in the end, and at once where they are held hard. */
TEST(a_hairstyle_turns_with_its_roots) {
    CHECK_NEAR(turn_head(50, 240), 0, 2e-3);
    CHECK_NEAR(turn_head(1e9, 5), 0, TOL(1e-9, 1e-5));
}

/* ---- Friction and repulsion ---- */

/* Strands that lie beside each other in a bundle and are not followed. */
static sn_world *make_bundle(double friction, double repulsion, size_t *count) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    uint32_t seed = 7;
    *count = 0;
    for (int s = 0; s < 150; s++) {
        vec root = {0.04 * noise(&seed), 0.04 * noise(&seed), 0.04 * noise(&seed)};
        *count = add_strand(world, *count, root, (vec){0, 0.01, 0}, 12, false);
    }
    sn_hair_def def = hair_of(*count);
    def.follow = false;
    def.friction = (sn_real)friction;
    def.repulsion = (sn_real)repulsion;
    add_hair(world, &def);
    return world;
}

TEST(friction_keeps_momentum_and_takes_what_differs) {
    size_t count;
    sn_world *world = make_bundle(5, 0, &count);
    uint32_t seed = 3;
    for (size_t k = 0; k < count; k++)
        CHECK_OK(sn_node_set_velocity(world, node[k],
                                      vector(0.01 + 0.01 * noise(&seed), 0.01 * noise(&seed), 0)));
    /* The ends of strands stand for half of what they weigh here. */
    for (size_t k = 0; k < count; k++)
        if (!(between[k] > 0) || k + 1 == count || !(between[k + 1] > 0))
            CHECK_OK(sn_node_set_inverse_mass(world, node[k], 2000));
    sn_measure start = measure_of(world);
    advance(world, 1.0 / 600, 300);
    sn_measure end = measure_of(world);
    for (int a = 0; a < 3; a++)
        CHECK_NEAR(end.momentum[a], start.momentum[a], TOL(1e-12, 1e-6) * start.mass * 0.01);
    /* Of what is random on the scale of a cell exp(-2 5 0.5) would be left; cells see little of
       it, and the mean motion stays. */
    double mean = start.momentum[0] * start.momentum[0] / (2 * start.mass);
    double before = start.kinetic_energy - mean, after = end.kinetic_energy - mean;
    CHECK(after < 0.1 * before && after > exp(-5.0) * before);
    sn_world_destroy(world);
}

static double size_of(const sn_world *world, size_t count) {
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        vec x = position_of(world, node[k]);
        sum += x.x * x.x + x.z * x.z;
    }
    return sqrt(sum / (double)count);
}

TEST(repulsion_spreads_a_bundle_and_no_strand_alone) {
    size_t count;
    sn_world *world = make_bundle(0, 0.01, &count);
    double before = size_of(world, count);
    advance(world, 1.0 / 600, 120);
    CHECK(size_of(world, count) > 1.1 * before);
    sn_world_destroy(world);

    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    world = make_world(settings);
    node[0] = add_node(world, (vec){0.003, 0.004, 0.001}, 1e-3);
    node[1] = add_node(world, (vec){1, 1, 1}, 1e-3);
    between[0] = 0;
    between[1] = 1;
    sn_hair_def def = hair_of(2);
    def.follow = false;
    def.repulsion = 1;
    add_hair(world, &def);
    advance(world, 1.0 / 60, 60);
    CHECK(position_of(world, node[0]).x == (double)(sn_real)0.003);
    sn_world_destroy(world);
}

/* ---- The grid, by sums over all nodes ---- */

enum { GRID_NODES = 120, AXES = 3 };

typedef struct grid_nodes {
    double at[GRID_NODES][AXES], v[GRID_NODES][AXES]; /* m, m/s */
    double length[GRID_NODES];                        /* m that a node stands for */
    double low[AXES], cell;                           /* m */
} grid_nodes;

/* How much of a node a corner of the grid has, and how that grows along an axis, per cell. */
static double share_of(const grid_nodes *g, size_t k, const double corner[AXES], int slope) {
    double share = 1;
    for (int a = 0; a < AXES; a++) {
        double away = (g->at[k][a] - g->low[a]) / g->cell - corner[a];
        if (a != slope && fabs(away) >= 1) return 0;
        share *= a == slope ? (away < 0 ? 1 : -1) : 1 - fabs(away);
    }
    return share;
}

/* By how much a node changes its velocity: friction takes a part of what differs from the mean of
   the corners around it, and repulsion goes down the slope of the density of all others. */
static void expect_change(const grid_nodes *g, size_t k, double part, double spread,
                          double out[AXES]) {
    double mean[AXES] = {0}, slope[AXES] = {0}, density = 0;
    for (int c = 0; c < 8; c++) {
        double corner[AXES], sum[AXES] = {0}, all = 0;
        for (int a = 0; a < AXES; a++)
            corner[a] = floor((g->at[k][a] - g->low[a]) / g->cell) + (c >> a & 1);
        double own = share_of(g, k, corner, -1);
        for (size_t i = 0; i < GRID_NODES; i++) {
            double weight = g->length[i] * share_of(g, i, corner, -1);
            all += weight;
            for (int a = 0; a < AXES; a++) sum[a] += weight * g->v[i][a];
        }
        density += own * all;
        for (int a = 0; a < AXES; a++) {
            mean[a] += all > 0 ? own * sum[a] / all : 0;
            slope[a] += (all - own * g->length[k]) * share_of(g, k, corner, a);
        }
    }
    for (int a = 0; a < AXES; a++)
        out[a] = part * (mean[a] - g->v[k][a]) - spread / g->cell / density * slope[a];
}

/* Strands of three nodes that fly apart for a step, without or with what the grid does to them. */
static sn_world *make_flight(double friction, double repulsion) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    settings.substeps = 1;
    sn_world *world = make_world(settings);
    uint32_t seed = 11;
    size_t count = 0;
    while (count < GRID_NODES) {
        vec root = {0.05 * noise(&seed), 0.06 * noise(&seed), 0.08 * noise(&seed)};
        count = add_strand(world, count, root,
                           (vec){0.006 * noise(&seed), 0.006, 0.006 * noise(&seed)}, 3, false);
    }
    for (size_t k = 0; k < count; k++)
        REQUIRE_OK(sn_node_set_velocity(
            world, node[k], vector(0.1 * noise(&seed), 0.1 * noise(&seed), 0.1 * noise(&seed))));
    sn_hair_def def = hair_of(count);
    def.follow = false;
    def.cell = (sn_real)0.02;
    def.friction = (sn_real)friction;
    def.repulsion = (sn_real)repulsion;
    add_hair(world, &def);
    return world;
}

static void fly(double friction, double repulsion, double h, grid_nodes *g) {
    sn_world *world = make_flight(friction, repulsion);
    advance(world, h, 1);
    g->cell = 0.02;
    for (size_t k = 0; k < GRID_NODES; k++) {
        vec x = position_of(world, node[k]), v = velocity_of(world, node[k]);
        const double at[AXES] = {x.x, x.y, x.z}, by[AXES] = {v.x, v.y, v.z};
        double next = k + 1 < GRID_NODES ? (double)between[k + 1] : 0;
        g->length[k] = ((double)between[k] + next) / 2;
        for (int a = 0; a < AXES; a++) {
            g->at[k][a] = at[a];
            g->v[k][a] = by[a];
            g->low[a] = k == 0 ? at[a] : fmin(g->low[a], at[a]);
        }
    }
    sn_world_destroy(world);
}

TEST(the_grid_is_a_sum_over_all_nodes) {
    static const double friction[] = {40, 0, 15}, repulsion[] = {0, 0.03, 0.02};
    static grid_nodes g, mixed;
    const double h = 1.0 / 256;
    for (int i = 0; i < 3; i++) {
        check_case("friction %g, repulsion %g", friction[i], repulsion[i]);
        fly(0, 0, h, &g);
        fly(friction[i], repulsion[i], h, &mixed);
        double rate = friction[i] * h, most = 0, largest = 0;
        for (size_t k = 0; k < GRID_NODES; k++) {
            double change[AXES];
            expect_change(&g, k, rate / (1 + rate), repulsion[i] * h, change);
            for (int a = 0; a < AXES; a++) {
                most = fmax(most, fabs(mixed.v[k][a] - g.v[k][a] - change[a]));
                largest = fmax(largest, fabs(change[a]));
            }
        }
        CHECK_NEAR(most, 0, TOL(1e-9, 2e-4) * largest);
        CHECK(largest > 1e-3);
    }
}

/* ---- Bits ---- */

static sn_world *make_head(int threads, size_t *count) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.substeps = 3;
    sn_world *world = make_threaded(settings, threads);
    *count = 0;
    for (int s = 0; s < 200; s++) {
        double a = 2.4 * s, b = 1 - s / 200.0, r = sqrt(1 - b * b);
        vec n = {r * cos(a), b, r * sin(a)};
        *count = add_strand(world, *count, (vec){0.1 * n.x, 0.1 * n.y, 0.1 * n.z},
                            (vec){0.01 * n.x, 0.01 * n.y, 0.01 * n.z}, 12, true);
    }
    sn_collider_def ball = sn_collider_def_default();
    sn_collider collider;
    ball.shape = SN_SHAPE_SPHERE;
    ball.radius = (sn_real)0.1;
    REQUIRE_OK(sn_collider_create(world, &ball, &collider));
    sn_hair_def def = hair_of(*count);
    def.hold = 10;
    def.friction = 3;
    def.repulsion = (sn_real)0.02;
    add_hair(world, &def);
    return world;
}

TEST(threads_and_snapshots_do_not_matter) {
    size_t count;
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        sn_world *world = make_head(i == 0 ? 1 : 4, &count);
        advance(world, 1.0 / 180, 30);
        if (i == 2) {
            size_t size;
            void *data = snapshot_of(world, &size);
            sn_world_destroy(world);
            world = make_world(plain_settings(SN_SOLVER_COLOURED));
            REQUIRE_OK(sn_snapshot_load(world, data, size));
            free(data);
        }
        advance(world, 1.0 / 180, 30);
        hash[i] = sn_world_hash(world);
        sn_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
}

/* ---- As a body ---- */

/* Strands of a mesh on a ball that rises with them; 0.1 m of each, of 10 segments. */
TEST(bodies_of_hair_keep_their_lengths_with_both_models) {
    sn_mesh ball = sn_mesh_default(), strands = sn_mesh_default();
    sn_sphere_def sphere = sn_sphere_def_default();
    sphere.radius = (sn_real)0.1;
    REQUIRE_OK(sn_generate_sphere(&ball, &sphere));
    sn_strands_def grow = sn_strands_def_default();
    grow.count = 40;
    grow.length = (sn_real)0.1;
    grow.variation = 0;
    grow.segments = 10;
    REQUIRE_OK(sn_generate_strands(&strands, &ball, &grow));
    for (int model = 0; model < 2; model++) {
        check_case("model %d", model);
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.substeps = model ? 60 : 10;
        sn_world *world = make_world(settings);
        sn_hair_material m = sn_hair_material_default();
        m.model = model;
        sn_build_def def = sn_build_def_default();
        sn_build build;
        def.mesh = &strands;
        def.pins = sn_mesh_find_group(&strands, "roots")->vertices;
        def.pin_count = 40;
        REQUIRE_OK(sn_build_body(world, SN_KIND_HAIR, &m, &def, node, &build));
        CHECK_REL(build.mass, 40 * 0.1 * 1300 * PI * 25e-10, 1e-4);
        CHECK(build.constraints == (model ? 800u : 0u));
        sn_collider_def head = sn_collider_def_default();
        sn_collider collider;
        head.shape = SN_SHAPE_SPHERE;
        head.radius = (sn_real)0.1;
        head.velocity = vector(0, 1, 0);
        REQUIRE_OK(sn_collider_create(world, &head, &collider));
        for (size_t i = 0; i < 440; i += 11) CHECK_OK(sn_node_ride(world, node[i], collider));
        advance(world, 1.0 / (60 * settings.substeps), 60 * settings.substeps);
        double most = 0;
        for (size_t i = 0; i < 440; i++) {
            vec x = position_of(world, node[i]);
            if (i % 11 == 0) {
                vec was = {(double)strands.positions[i].x, (double)strands.positions[i].y + 1,
                           (double)strands.positions[i].z};
                CHECK_NEAR(length(sub(x, was)), 0, 1e-5);
                continue;
            }
            most = fmax(most, fabs(length(sub(x, position_of(world, node[i - 1]))) / 0.01 - 1));
            CHECK(length(sub(x, (vec){0, 1, 0})) > 0.098);
        }
        CHECK_NEAR(most, 0, 0.03);
        sn_world_destroy(world);
    }
    /* What branches or closes has no roots. */
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    sn_hair_material m = sn_hair_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    def.mesh = &strands;
    const uint32_t back[2] = {10, 0}, branch[2] = {10, 30};
    REQUIRE_OK(sn_mesh_add_lines(&strands, &back, 1));
    CHECK_FAILS(sn_build_body(world, SN_KIND_HAIR, &m, &def, NULL, &build), SN_ERROR_DEGENERATE);
    strands.line_count--;
    REQUIRE_OK(sn_mesh_add_lines(&strands, &branch, 1));
    CHECK_FAILS(sn_build_body(world, SN_KIND_HAIR, &m, &def, NULL, &build), SN_ERROR_DEGENERATE);
    CHECK(measure_of(world).mass == 0);
    sn_world_destroy(world);
    sn_mesh_free(&strands);
    sn_mesh_free(&ball);
}

/* ---- Lists ---- */

TEST(what_is_behind_a_node_that_goes_is_a_strand) {
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    size_t count = add_strand(world, 0, (vec){0, 0, 0}, (vec){0.1, 0, 0}, 5, true);
    count = add_strand(world, count, (vec){0, 0, 1}, (vec){0.1, 0, 0}, 3, true);
    sn_hair_def def = hair_of(count);
    sn_hair hair = add_hair(world, &def), found;
    CHECK_OK(sn_node_hair(world, node[6], &found));
    CHECK(memcmp(&found, &hair, sizeof hair) == 0);
    CHECK_OK(sn_node_destroy(world, node[2]));
    CHECK_OK(sn_hair_get(world, hair, &def));
    const double expected[] = {0, 0.1, 0, 0.1, 0, 0.1, 0.1};
    CHECK(def.node_count == 7);
    for (size_t k = 0; k < 7; k++) CHECK_NEAR((double)def.lengths[k], expected[k], 1e-6);
    /* What came off falls, the rest does not. */
    advance(world, 1.0 / 60, 60);
    CHECK(position_of(world, node[3]).y < -4 && position_of(world, node[1]).y > -0.11);
    CHECK_OK(sn_nodes_destroy(world, node, 2));
    CHECK_OK(sn_nodes_destroy(world, node + 3, 5));
    CHECK(!sn_hair_is_valid(world, hair));
    sn_world_destroy(world);
}

TEST(what_is_no_hair_is_refused) {
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    size_t count = add_strand(world, 0, (vec){0, 0, 0}, (vec){0.1, 0, 0}, 4, true);
    sn_hair hair;
    sn_hair_def good = hair_of(count), def = good;
    uint64_t before = sn_world_hash(world);
    between[0] = 1;
    CHECK_FAILS(sn_hair_create(world, &def, &hair), SN_ERROR_VALUE);
    between[0] = 0;
    between[2] = -1;
    CHECK_FAILS(sn_hair_create(world, &def, &hair), SN_ERROR_VALUE);
    between[2] = (sn_real)0.1;
    def.hold = -1;
    CHECK_FAILS(sn_hair_create(world, &def, &hair), SN_ERROR_VALUE);
    def = good;
    def.node_count = 1;
    CHECK_FAILS(sn_hair_create(world, &def, &hair), SN_ERROR_VALUE);
    def = good;
    sn_vec3 same[4] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    def.rest = same;
    CHECK_FAILS(sn_hair_create(world, &def, &hair), SN_ERROR_DEGENERATE);
    def = good;
    node[1] = node[2];
    CHECK_FAILS(sn_hair_create(world, &def, &hair), SN_ERROR_DEGENERATE);
    CHECK(sn_world_hash(world) == before);
    sn_world_destroy(world);
}

/* ---- Hairstyles of regions ---- */

/* Strands of 5 cm that stand up and lean, each in another direction, on a fixed scalp. */
static sn_world *make_crop(double omega, int threads) {
    enum { STRANDS = 9, POINTS = 7 };
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    sn_mesh mesh = sn_mesh_default();
    sn_build_def def = sn_build_def_default();
    sn_hair_material m = sn_hair_material_default();
    sn_build build;
    uint32_t pins[2 * STRANDS];
    settings.substeps = 6;
    settings.damping = 5;
    settings.gravity = vector(0, -9.81, 0);
    for (uint32_t s = 0; s < STRANDS; s++) {
        double lean = 0.1 * s, length = 0.05 / (POINTS - 1);
        for (uint32_t k = 0; k < POINTS; k++) {
            sn_vec3 x = vector(0.02 * s + k * length * sin(lean), k * length * cos(lean),
                               0.004 * k * k / POINTS);
            uint32_t line[1][2] = {{s * POINTS + k - 1, s * POINTS + k}};
            REQUIRE_OK(sn_mesh_add_vertices(&mesh, &x, 1));
            if (k > 0) REQUIRE_OK(sn_mesh_add_lines(&mesh, (const uint32_t(*)[2])line, 1));
        }
        pins[2 * s] = s * POINTS;
        pins[2 * s + 1] = s * POINTS + 1;
    }
    m.hold = 60;
    m.omega = (sn_real)omega;
    m.friction = 3;
    def.mesh = &mesh;
    def.pins = pins;
    def.pin_count = 2 * STRANDS;
    sn_world *world = make_threaded(settings, threads);
    REQUIRE_OK(sn_build_body(world, SN_KIND_HAIR, &m, &def, node, &build));
    sn_mesh_free(&mesh);
    return world;
}

/* Springs that move the outer node alone have no energy, and may swing for ever. Velocities of what
   follows are not those that it is seen with, so places tell. */
TEST(regions_let_come_to_rest_what_stands_on_end) {
    enum { NODES = 63 };
    for (int omega = 0; omega < 4; omega += 3) {
        sn_world *world = make_crop(omega, 1);
        vec before[NODES];
        double most = 0;
        for (int i = 0; i < 330; i++) {
            REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
            for (int k = 0; k < NODES && i >= 299; k++) {
                vec now = position_of(world, node[k]);
                if (i == 299) before[k] = now;
                most = fmax(most, length(sub(now, before[k])));
            }
        }
        if (check_shows()) printf("omega %d: %.6f m in half a second\n", omega, most);
        if (omega > 0) CHECK(most < 1e-4);
        sn_world_destroy(world);
    }
}

/* Regions hold a style as stiffly as they are large. */
TEST(larger_regions_are_stiffer) {
    double sag[2];
    for (int k = 0; k < 2; k++) {
        sn_world *world = make_crop(2 + 2 * k, 1);
        double before = position_of(world, node[6]).y;
        for (int i = 0; i < 240; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        sag[k] = before - position_of(world, node[6]).y;
        sn_world_destroy(world);
    }
    if (check_shows()) printf("sag %.5f and %.5f m\n", sag[0], sag[1]);
    CHECK(sag[1] < 0.5 * sag[0]);
}

TEST(regions_are_in_snapshots_and_the_same_for_threads) {
    static char data[1 << 18];
    size_t size = 0;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        sn_world *world = make_crop(3, k == 0 ? 1 : 3);
        for (int i = 0; i < 30; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        if (k == 1) {
            REQUIRE_OK(sn_snapshot_save(world, data, sizeof data, &size));
            sn_world_destroy(world);
            world = make_threaded(plain_settings(SN_SOLVER_COLOURED), 2);
            REQUIRE_OK(sn_snapshot_load(world, data, size));
        }
        for (int i = 0; i < 30; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        hash[k] = sn_world_hash(world);
        sn_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

TEST(regions_have_a_whole_number_of_nodes) {
    sn_mesh mesh = sn_mesh_default();
    sn_build_def def = sn_build_def_default();
    sn_hair_material m = sn_hair_material_default();
    sn_build build;
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0), vector(1, 0, 0), 4));
    def.mesh = &mesh;
    m.omega = (sn_real)1.5;
    CHECK_FAILS(sn_build_body(world, SN_KIND_HAIR, &m, &def, node, &build), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "omega is 1.5, expected a whole number") != NULL);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
}

TESTS(RUN(regions_let_come_to_rest_what_stands_on_end), RUN(larger_regions_are_stiffer),
      RUN(regions_are_in_snapshots_and_the_same_for_threads),
      RUN(regions_have_a_whole_number_of_nodes), RUN(lengths_hold_in_one_pass),
      RUN(a_strand_swings_like_a_chain), RUN(a_hairstyle_sags_by_its_frequency),
      RUN(a_hairstyle_turns_with_its_roots), RUN(friction_keeps_momentum_and_takes_what_differs),
      RUN(repulsion_spreads_a_bundle_and_no_strand_alone), RUN(the_grid_is_a_sum_over_all_nodes),
      RUN(threads_and_snapshots_do_not_matter),
      RUN(bodies_of_hair_keep_their_lengths_with_both_models),
      RUN(what_is_behind_a_node_that_goes_is_a_strand), RUN(what_is_no_hair_is_refused))
