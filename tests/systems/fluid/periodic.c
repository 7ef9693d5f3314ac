/*
 * Periodic worlds: fluids and balls feel each other across the sides of the box, and go through
 * them as if there were none.
 */
#include "base/meter.h"
#include "pool.h"

static void make_round(sn_world *world, sn_vec3 period, sn_vec3 low) {
    sn_period_def def = sn_period_def_default();
    def.length = period;
    def.low = low;
    REQUIRE_OK(sn_world_set_period(world, &def));
    sn_period_def got = sn_period_def_default();
    REQUIRE_OK(sn_world_get_period(world, &got));
    CHECK(got.length.x == period.x && got.low.z == low.z);
}

static sn_world *make_periodic(double gravity, int threads, sn_vec3 period, sn_vec3 low) {
    sn_world *world = make_world(gravity, threads);
    make_round(world, period, low);
    return world;
}

static double random_of(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216;
}

/* Everybody somewhere in the box, with a velocity; `by` moves all of them, around the sides. */
static void scatter(const pool *p, double side, double by, double jitter, double speed) {
    uint32_t seed = 11;
    for (size_t i = 0; i < p->count; i++) {
        sn_vec3 x = state_of(p, i).position, v = {0, 0, 0};
        sn_real *at[3] = {&x.x, &x.y, &x.z}, *to[3] = {&v.x, &v.y, &v.z};
        for (int k = 0; k < 3; k++) {
            double there = (double)*at[k] + jitter * (random_of(&seed) - 0.5) + by;
            *at[k] = (sn_real)(there - side * floor(there / side));
            *to[k] = (sn_real)(speed * (2 * random_of(&seed) - 1));
        }
        REQUIRE_OK(sn_node_set_position(p->world, p->node[i], x));
        REQUIRE_OK(sn_node_set_velocity(p->world, p->node[i], v));
    }
}

static double kernel(double r, double reach) {
    double q = r / reach, norm = 8 / (3.14159265358979 * reach * reach * reach);
    if (q >= 1) return 0;
    return norm * (q <= 0.5 ? 6 * (q * q * q - q * q) + 1 : 2 * (1 - q) * (1 - q) * (1 - q));
}

/* The shortest way along an axis. */
static double nearest(double a, double b, double side) {
    double x = a - b;
    return x - side * floor(x / side + 0.5);
}

/* A box that is full has no surface: all densities are those within a lattice, and all is at rest.
 */
TEST(a_full_box_has_no_surface) {
    const double spacing = 0.02, side = 8 * spacing;
    const sn_real s = (sn_real)side;
    pool p = add_block(make_periodic(0, 1, (sn_vec3){s, s, s}, (sn_vec3){0, 0, 0}),
                       (int[3]){8, 8, 8}, spacing, (sn_vec3){0, 0, 0}, 1000, 0);
    run(p.world, 10);
    for (size_t i = 0; i < p.count; i++) {
        sn_real density, pressure;
        sn_vec3 x = state_of(&p, i).position;
        REQUIRE_OK(sn_fluid_get_particle(p.world, p.fluid, i, &density, &pressure));
        CHECK_NEAR(density, 0.99997, 1e-5);
        CHECK_NEAR(x.x, spacing * ((double)(i / 64) + 0.5), 1e-3 * spacing);
    }
    drop(&p);
}

/* Of a crowd anywhere, all three axes periodic: sums over all pairs and the nearest images. */
TEST(density_is_that_of_the_nearest_images) {
    const double spacing = 0.02, side = 6 * spacing, volume = spacing * spacing * spacing;
    const sn_real s = (sn_real)side;
    pool p = add_block(make_periodic(0, 1, (sn_vec3){s, s, s}, (sn_vec3){0, 0, 0}),
                       (int[3]){6, 6, 6}, spacing, (sn_vec3){0, 0, 0}, 1000, 0);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(p.world, &settings));
    settings.substeps = 1;
    REQUIRE_OK(sn_world_set_settings(p.world, &settings));
    scatter(&p, side, 0, side, 0);
    double *expected = calloc(p.count, sizeof *expected);
    for (size_t i = 0; i < p.count; i++)
        for (size_t j = 0; j < p.count; j++) {
            sn_vec3 a = state_of(&p, i).position, b = state_of(&p, j).position;
            double x = nearest((double)a.x, (double)b.x, side);
            double y = nearest((double)a.y, (double)b.y, side);
            double z = nearest((double)a.z, (double)b.z, side);
            expected[i] += volume * kernel(sqrt(x * x + y * y + z * z), 2 * spacing);
        }
    REQUIRE_OK(sn_world_step(p.world, (sn_real)1e-3));
    for (size_t i = 0; i < p.count; i++) {
        sn_real density, pressure;
        REQUIRE_OK(sn_fluid_get_particle(p.world, p.fluid, i, &density, &pressure));
        CHECK_REL(density, expected[i], TOL(1e-9, 1e-4));
    }
    free(expected);
    drop(&p);
}

/* Where the sides of the box are says nothing: moved by any offset, the same motion. */
static void check_offset(double viscosity) {
    const double spacing = 0.02, side = 6 * spacing;
    const sn_real s = (sn_real)side;
    static sn_vec3 before[216];
    static sn_real dense[216];
    double most = 0, speeds = 0;
    for (int moved = 0; moved < 2; moved++) {
        pool p = add_block(make_periodic(0, 1, (sn_vec3){s, s, s}, (sn_vec3){0, 0, 0}),
                           (int[3]){6, 6, 6}, spacing, (sn_vec3){0, 0, 0}, 1000, viscosity);
        double by = moved ? 0.37 * side : 0;
        scatter(&p, side, by, 0.5 * spacing, 0.2);
        run(p.world, 3);
        for (size_t i = 0; i < p.count; i++) {
            sn_vec3 x = state_of(&p, i).position;
            sn_real pressure, density;
            REQUIRE_OK(sn_fluid_get_particle(p.world, p.fluid, i, &density, &pressure));
            CHECK(x.x >= 0 && x.x <= s && x.y >= 0 && x.y <= s && x.z >= 0 && x.z <= s);
            if (moved) {
                double far = fabs(nearest((double)x.x - by, (double)before[i].x, side)) +
                             fabs(nearest((double)x.y - by, (double)before[i].y, side)) +
                             fabs(nearest((double)x.z - by, (double)before[i].z, side));
                most = fmax(most, far);
                CHECK_REL(density, dense[i], TOL(1e-9, 2e-3));
            }
            before[i] = x;
            dense[i] = density;
            speeds += speed_of(&p, i);
        }
        drop(&p);
    }
    CHECK(most < TOL(1e-11, 2e-3) * spacing);
    CHECK(viscosity > 1 || speeds / 432 > 0.02);
}

TEST(an_offset_changes_nothing) {
    check_offset(1e-4);
    check_case("thick");
    check_offset(10);
}

/* What flows through a side keeps its momentum, to rounding, and everybody is still there. */
TEST(momentum_goes_through_the_sides) {
    const double spacing = 0.02, side = 8 * spacing;
    pool p = add_block(make_periodic(0, 1, (sn_vec3){(sn_real)side, 0, 0}, (sn_vec3){0, 0, 0}),
                       (int[3]){8, 6, 6}, spacing, (sn_vec3){0, 0, 0}, 1000, 1e-3);
    double before[6], after[6], size = 0;
    uint32_t seed = 5;
    for (size_t i = 0; i < p.count; i++) {
        sn_vec3 v = {(sn_real)(1 + 0.2 * random_of(&seed)), (sn_real)(0.2 * random_of(&seed)), 0};
        REQUIRE_OK(sn_node_set_velocity(p.world, p.node[i], v));
    }
    (void)momenta_of(&p, before);
    size_t crossed = 0;
    for (int frame = 0; frame < 30; frame++) {
        double x = (double)state_of(&p, 0).position.x;
        run(p.world, 1);
        crossed += (double)state_of(&p, 0).position.x < x;
    }
    (void)momenta_of(&p, after);
    for (size_t i = 0; i < p.count; i++) size += speed_of(&p, i);
    for (int k = 0; k < 3; k++) CHECK_NEAR((after[k] - before[k]) / size, 0, TOL(1e-14, 2e-6));
    CHECK(crossed >= 3);
    drop(&p);
}

/*
 * Flow between two walls that hold it, which a constant force drives: v = f (H^2 / 4 - y^2) / (2
 * nu). Walls are kinematic particles, and nothing moves where the first of them are: H is a spacing
 * more than the fluid has.
 */
TEST(poiseuille_has_its_parabola) {
    enum { LAYERS = 12, WALL = 3, WIDE = 4 };
    const double spacing = 0.02, height = LAYERS * spacing, wide = height + spacing;
    const double nu = 5e-3, force = 0.2;
    const sn_real side = (sn_real)(WIDE * spacing);
    pool p = add_block(make_periodic(0, 1, (sn_vec3){side, 0, side}, (sn_vec3){0, 0, 0}),
                       (int[3]){WIDE, LAYERS + 2 * WALL, WIDE}, spacing,
                       (sn_vec3){0, (sn_real)(-WALL * spacing), 0}, 1000, nu);
    sn_settings settings;
    sn_fluid_def def = sn_fluid_def_default();
    REQUIRE_OK(sn_fluid_get(p.world, p.fluid, &def));
    def.reach = (sn_real)(3 * spacing);
    REQUIRE_OK(sn_fluid_set(p.world, p.fluid, &def));
    REQUIRE_OK(sn_world_get_settings(p.world, &settings));
    settings.gravity = (sn_vec3){(sn_real)force, 0, 0};
    REQUIRE_OK(sn_world_set_settings(p.world, &settings));
    for (size_t i = 0; i < p.count; i++) {
        double y = (double)state_of(&p, i).position.y;
        if (y < 0 || y > height) REQUIRE_OK(sn_node_set_inverse_mass(p.world, p.node[i], 0));
    }
    run(p.world, 240); /* of exp(-pi^2 nu t / H^2) 0.03 is left */
    double speed[LAYERS] = {0}, count[LAYERS] = {0}, fit[2] = {0}, mean = 0, left = 0, spread = 0;
    for (int frame = 0; frame < 10; frame++) {
        run(p.world, 1);
        for (size_t i = 0; i < p.count; i++) {
            int layer = (int)floor((double)state_of(&p, i).position.y / spacing);
            if (layer < 0 || layer >= LAYERS) continue;
            speed[layer] += (double)state_of(&p, i).velocity.x;
            count[layer]++;
        }
    }
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < LAYERS; k++) {
            double y = spacing * (k + 0.5) - 0.5 * height, v = speed[k] / count[k];
            double shape = (0.25 * wide * wide - y * y) * force / (2 * nu);
            if (pass == 0) fit[0] += v * shape, fit[1] += shape * shape, mean += v / LAYERS;
            if (pass == 1) left += pow(v - fit[0] / fit[1] * shape, 2), spread += pow(v - mean, 2);
        }
    printf("poiseuille: %.3f of the speed, R^2 %.4f\n", fit[0] / fit[1], 1 - left / spread);
    CHECK_NEAR(fit[0] / fit[1], 1, 0.08);
    CHECK(1 - left / spread > 0.995);
    drop(&p);
}

TEST(bits_do_not_depend_on_threads_lanes_or_snapshots) {
    const double spacing = 0.02, side = 8 * spacing;
    uint64_t hash[WAYS];
    for (int k = 0; k < WAYS; k++) {
        pool p = {.world = make_in_way(k)};
        make_round(p.world, (sn_vec3){(sn_real)side, 0, (sn_real)side}, (sn_vec3){0, 0, 0});
        add_wall(p.world, (sn_vec3){0, 0, 0}, (sn_vec3){0, 0, 1}, 0);
        p = add_block(p.world, (int[3]){8, 8, 8}, spacing, (sn_vec3){0, 0, 0}, 1000, 1e-4);
        scatter(&p, side, 0, 0.5 * spacing, 0.5);
        if (k == GOES_BACK) go_back(p.world, 3);
        run(p.world, 8);
        if (k == GOES_BACK) go_back(p.world, 3);
        run(p.world, 4);
        hash[k] = sn_world_hash(p.world);
        drop(&p);
    }
    for (int k = 1; k < WAYS; k++) CHECK(hash[k] == hash[0]);
}

static sn_node add_ball(sn_world *world, sn_vec3 x, sn_vec3 v, double radius) {
    sn_node_def def = sn_node_def_default();
    sn_node node;
    def.position = x;
    def.velocity = v;
    def.inverse_mass = 1;
    def.radius = (sn_real)radius;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

/* Two balls that meet across a side bounce, or not, as they do within the box, wherever it is. */
/* How many contacts there were in the last step. They say the middle between the two balls, the
   shorter way round. */
static size_t check_middle(const sn_world *world, const sn_node ball[2]) {
    const sn_contact *contact = NULL;
    size_t count = 0;
    CHECK_OK(sn_world_contacts(world, &contact, &count));
    for (int k = 0; count > 0 && k < 2; k++) {
        sn_node_def state = sn_node_def_default();
        REQUIRE_OK(sn_node_get(world, ball[k], &state));
        double away = nearest((double)contact->point.x, (double)state.position.x, 1);
        CHECK_NEAR(away, k == 0 ? 0.05 : -0.05, 1e-4);
    }
    return count;
}

TEST(balls_meet_across_a_side) {
    for (int across = 0; across < 2; across++) {
        sn_world *world = make_periodic(0, 1, (sn_vec3){1, 0, 0}, (sn_vec3){0, 0, 0});
        sn_real by = across ? (sn_real)0.45 : 0;
        double ends[2];
        sn_node ball[2] = {
            add_ball(world, (sn_vec3){(sn_real)0.4 + by, 0, 0}, (sn_vec3){1, 0, 0}, 0.05),
            add_ball(world, (sn_vec3){(sn_real)0.7 + by - (sn_real)across, 0, 0},
                     (sn_vec3){-1, 0, 0}, 0.05)};
        sn_collision_surface_def def = sn_collision_surface_def_default();
        sn_collision_surface surface;
        def.nodes = ball;
        def.node_count = 2;
        def.self = true;
        REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
        size_t touches = 0;
        for (int i = 0; i < 12; i++) {
            run(world, 1);
            touches += check_middle(world, ball);
        }
        CHECK(touches > 0);
        for (int k = 0; k < 2; k++) {
            sn_node_def state = sn_node_def_default();
            REQUIRE_OK(sn_node_get(world, ball[k], &state));
            ends[k] = (double)state.position.x;
            CHECK_NEAR(state.velocity.x, 0, 1e-4);
        }
        CHECK_NEAR(nearest(ends[1], ends[0], 1), 0.1, 1e-4);
        CHECK_NEAR(nearest(ends[0] + 0.05, 0.55 + (double)by, 1), 0, 1e-3);
        sn_world_destroy(world);
    }
}

/* A box full of balls that fly into each other, through all sides: nobody comes into another,
   across a side or not, momentum is kept, and bits depend on neither threads nor lanes. */
TEST(balls_keep_their_momentum) {
    enum { SIDE = 5, COUNT = SIDE * SIDE * SIDE };
    const double radius = 0.085;
    const int threads[] = {1, 3, 1}, lanes[] = {4, 4, 1};
    uint64_t hash[3];
    for (int way = 0; way < 3; way++) {
        sn_world_def def = sn_world_def_default();
        sn_world *world = NULL;
        sn_node ball[COUNT];
        uint32_t seed = 17;
        def.threads = threads[way];
        def.simd_width = lanes[way];
        def.settings.gravity = (sn_vec3){0, 0, 0};
        REQUIRE_OK(sn_world_create(&def, &world));
        make_round(world, (sn_vec3){1, 1, 1}, (sn_vec3){(sn_real)-0.3, 0, (sn_real)0.2});
        for (int i = 0; i < COUNT; i++) {
            sn_vec3 x = {(sn_real)(i % SIDE) / SIDE, (sn_real)(i / SIDE % SIDE) / SIDE,
                         (sn_real)(i / (SIDE * SIDE)) / SIDE};
            sn_vec3 v = {(sn_real)(random_of(&seed) - 0.3), (sn_real)(random_of(&seed) - 0.5),
                         (sn_real)(random_of(&seed) - 0.5)};
            ball[i] = add_ball(world, x, v, radius);
        }
        sn_collision_surface_def surface = sn_collision_surface_def_default();
        sn_collision_surface made;
        surface.nodes = ball;
        surface.node_count = COUNT;
        surface.self = true;
        REQUIRE_OK(sn_collision_surface_create(world, &surface, &made));
        pool p = {.world = world, .node = ball, .count = COUNT};
        double before[6], after[6], nearest_two = 1, size = 0;
        (void)momenta_of(&p, before);
        for (size_t i = 0; i < COUNT; i++) size += speed_of(&p, i);
        run(world, 40);
        (void)momenta_of(&p, after);
        for (int k = 0; k < 3; k++) CHECK_NEAR((after[k] - before[k]) / size, 0, TOL(1e-14, 2e-6));
        size_t touching = 0;
        for (size_t i = 0; i < COUNT; i++)
            for (size_t j = 0; j < i; j++) {
                sn_vec3 a = state_of(&p, i).position, b = state_of(&p, j).position;
                double x = nearest((double)a.x, (double)b.x, 1);
                double y = nearest((double)a.y, (double)b.y, 1);
                double z = nearest((double)a.z, (double)b.z, 1), far = sqrt(x * x + y * y + z * z);
                nearest_two = fmin(nearest_two, far);
                touching += far < 2.01 * radius && fabs((double)a.x - (double)b.x) > 0.5;
            }
        CHECK(nearest_two > 0.99 * 2 * radius);
        CHECK(touching > 0);
        hash[way] = sn_world_hash(world);
        if (way == 0)
            printf("nearest %.4f of two radii, %zu touch across x\n", nearest_two / (2 * radius),
                   touching);
        /* Without memory to find who touches across a side there is no step. */
        if (way == 0) CHECK(meter_refuse_all(world, (sn_real)(1.0 / 60)) > 10);
        sn_world_destroy(world);
    }
    for (int way = 1; way < 3; way++) CHECK(hash[way] == hash[0]);
}

/* What cannot be at both ends is refused, with what it is. */
TEST(what_is_held_together_is_refused) {
    sn_world *world = make_periodic(0, 1, (sn_vec3){1, 0, 0}, (sn_vec3){0, 0, 0});
    sn_collider_def box = sn_collider_def_default();
    sn_collider collider;
    box.shape = SN_SHAPE_BOX;
    box.extent = (sn_vec3){(sn_real)0.2, 1, 1};
    REQUIRE_OK(sn_collider_create(world, &box, &collider));
    CHECK(sn_world_step(world, (sn_real)0.01) == SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "collider 0 is from -0.2 to 0.2 m along x"));
    box.position.x = (sn_real)0.5;
    REQUIRE_OK(sn_collider_set(world, collider, &box));
    CHECK_OK(sn_world_step(world, (sn_real)0.01));
    box.extent.x = (sn_real)0.6;
    REQUIRE_OK(sn_collider_set(world, collider, &box));
    CHECK_OK(sn_world_step(world, (sn_real)0.01));
    sn_node node[2] = {add_ball(world, (sn_vec3){0, 3, 0}, (sn_vec3){0, 0, 0}, 0.1),
                       add_ball(world, (sn_vec3){1, 3, 0}, (sn_vec3){0, 0, 0}, 0.1)};
    sn_distance_def link = sn_distance_def_default();
    sn_constraint constraint;
    link.node[0] = node[0];
    link.node[1] = node[1];
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &constraint));
    CHECK(sn_world_step(world, (sn_real)0.01) == SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "constraints, such as of type \"distance\""));
    REQUIRE_OK(sn_constraint_destroy(world, constraint));
    CHECK_OK(sn_world_step(world, (sn_real)0.01));
    const uint32_t edge[2] = {0, 1};
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_collision_surface surface;
    def.nodes = node;
    def.node_count = 2;
    def.segments = edge;
    def.segment_count = 1;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
    CHECK_FAILS(sn_world_step(world, (sn_real)0.01), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "collision surface 0 has edges, expected balls alone"));
    sn_world_destroy(world);
}

TESTS(RUN(a_full_box_has_no_surface), RUN(density_is_that_of_the_nearest_images),
      RUN(an_offset_changes_nothing), RUN(momentum_goes_through_the_sides),
      RUN(poiseuille_has_its_parabola), RUN(bits_do_not_depend_on_threads_lanes_or_snapshots),
      RUN(balls_meet_across_a_side), RUN(balls_keep_their_momentum),
      RUN(what_is_held_together_is_refused))
