/*
 * Fluids and bodies that carry colliders: what one is pushed by, the other is pushed by the other
 * way. A splash on a box that flies free keeps the momenta of both, and a box floats as deep as its
 * density says.
 */
#include "pool.h"

/* A box with halves of its sides in m. */
static sn_node add_box(sn_world *world, sn_vec3 at, sn_vec3 half, double density) {
    sn_collider_def box = sn_collider_def_default();
    sn_rigid_def def = sn_rigid_def_default();
    sn_node node;
    sn_collider collider;
    box.shape = SN_SHAPE_BOX;
    box.extent = half;
    box.position = at;
    box.static_friction = box.dynamic_friction = 0;
    def.density = (sn_real)density;
    REQUIRE_OK(sn_rigid_create(world, &def, &box, &node, &collider));
    return node;
}

static sn_node add_cube(sn_world *world, sn_vec3 at, double half, double density) {
    return add_box(world, at, (sn_vec3){(sn_real)half, (sn_real)half, (sn_real)half}, density);
}

/* Momentum and angular momentum, with the moment of inertia of a cube; and the sum of m |v|. */
static double momenta_with(const pool *p, sn_node cube, double half, double sum[6]) {
    double moved = 0;
    for (int k = 0; k < 6; k++) sum[k] = 0;
    for (size_t i = 0; i <= p->count; i++) {
        sn_node_def s = sn_node_def_default();
        REQUIRE_OK(sn_node_get(p->world, i < p->count ? p->node[i] : cube, &s));
        const double m = 1 / (double)s.inverse_mass;
        const double x[3] = {(double)s.position.x, (double)s.position.y, (double)s.position.z};
        const double v[3] = {(double)s.velocity.x, (double)s.velocity.y, (double)s.velocity.z};
        for (int k = 0; k < 3; k++) {
            sum[k] += m * v[k];
            sum[3 + k] += m * (x[(k + 1) % 3] * v[(k + 2) % 3] - x[(k + 2) % 3] * v[(k + 1) % 3]);
        }
        moved += m * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        if (i < p->count) continue;
        /* All moments of a cube are 2/3 m half^2, so that axes do not matter. */
        const double inertia = 2.0 / 3 * m * half * half;
        const double w[3] = {(double)s.angular_velocity.x, (double)s.angular_velocity.y,
                             (double)s.angular_velocity.z};
        for (int k = 0; k < 3; k++) sum[3 + k] += inertia * w[k];
    }
    return moved;
}

static void substeps_of(sn_world *world, int substeps, int iterations) {
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = substeps;
    settings.iterations = iterations;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

/* A block of water that flies at a cube, off its middle; adhesion pulls both together as well. By
   how much momenta change, over how much there is and 0.1 m times that. */
static void splash(int substeps, int iterations, double tension, double changes[2]) {
    const double half = 0.05, spacing = 0.02;
    sn_world *world = make_world(0, 1);
    substeps_of(world, substeps, iterations);
    sn_node cube =
        add_cube(world, (sn_vec3){(sn_real)0.08, (sn_real)-0.061, (sn_real)0.06}, half, 400);
    pool p = add_block(world, (int[3]){5, 4, 5}, spacing, (sn_vec3){0, 0, 0}, 1000, 1e-4);
    sn_fluid_def def;
    REQUIRE_OK(sn_fluid_get(world, p.fluid, &def));
    def.surface_tension = (sn_real)tension;
    def.adhesion = 2;
    REQUIRE_OK(sn_fluid_set(world, p.fluid, &def));
    for (size_t i = 0; i < p.count; i++)
        REQUIRE_OK(sn_node_set_velocity(world, p.node[i], (sn_vec3){0, -1, 0}));
    double before[6], after[6], moved = momenta_with(&p, cube, half, before);
    run(world, 15);
    momenta_with(&p, cube, half, after);
    changes[0] = changes[1] = 0;
    for (int k = 0; k < 3; k++) {
        changes[0] = fmax(changes[0], fabs(after[k] - before[k]) / moved);
        changes[1] = fmax(changes[1], fabs(after[3 + k] - before[3 + k]) / (0.1 * moved));
    }
    sn_node_def s = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, cube, &s));
    double spin = sqrt((double)(s.angular_velocity.x * s.angular_velocity.x +
                                s.angular_velocity.y * s.angular_velocity.y +
                                s.angular_velocity.z * s.angular_velocity.z));
    if (check_shows())
        printf("%d substeps: momentum %g, angular %g; cube %g m/s, %g rad/s\n", substeps,
               changes[0], changes[1], (double)s.velocity.y, spin);
    /* It is carried along, and turned. */
    CHECK((double)s.velocity.y < -0.2);
    CHECK(spin > 0.5);
    drop(&p);
}

TEST(a_splash_on_a_free_body_keeps_both_momenta) {
    double coarse[2], fine[2], tight[2];
    splash(10, 1, 0, coarse);
    splash(40, 1, 0, fine);
    splash(10, 3, 0.5, tight);
    CHECK(coarse[0] < TOL(1e-12, 1e-5));
    CHECK(fine[0] < TOL(1e-12, 1e-5));
    CHECK(tight[0] < TOL(1e-12, 1e-5));
    CHECK(coarse[1] < 1e-3);
    CHECK(fine[1] < 0.5 * coarse[1]);
}

/* V51: a box sinks to its density over that of the fluid, within 3 % of its height. */
TEST(a_box_floats_as_deep_as_its_density_says) {
    enum { WIDE = 11, HIGH = 7, FRAMES = 75, LAST = 30 };
    const double spacing = 0.025, half = 0.075, wide = WIDE * spacing;
    for (int k = 0; k < 2; k++) {
        const double part = k ? 0.75 : 0.4;
        sn_world *world = make_world(GRAVITY, 1);
        add_basin(world, wide, wide);
        pool p =
            add_block(world, (int[3]){WIDE, HIGH, WIDE}, spacing, (sn_vec3){0, 0, 0}, 1000, 1e-3);
        sn_node cube = add_cube(
            world,
            (sn_vec3){(sn_real)(wide / 2), (sn_real)(HIGH * spacing + half), (sn_real)(wide / 2)},
            half, 1000 * part);
        double sum = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            sn_node_def s = sn_node_def_default();
            run(world, 1);
            REQUIRE_OK(sn_node_get(world, cube, &s));
            if (frame >= FRAMES - LAST) sum += (double)s.position.y / LAST;
        }
        const double volume = 8 * half * half * half;
        double level = HIGH * spacing + part * volume / (wide * wide);
        double deep = (level - (sum - half)) / (2 * half);
        if (check_shows()) printf("density %g: %g of it is below the surface\n", part, deep);
        CHECK_NEAR(deep, part, 0.03);
        drop(&p);
    }
}

/* A light bar whose mass is near its middle is turned by every particle around it, and by all of
   them at once no farther than they ask for: laid onto water it does not begin to whirl. */
TEST(a_light_bar_lies_calm_on_water) {
    enum { LONG = 17, WIDE = 7, HIGH = 4, FRAMES = 40 };
    const double spacing = 0.025;
    for (int k = 0; k < 2; k++) {
        const double density = k ? 30 : 100;
        sn_world *world = make_world(GRAVITY, 1);
        add_basin(world, LONG * spacing, WIDE * spacing);
        pool p =
            add_block(world, (int[3]){LONG, HIGH, WIDE}, spacing, (sn_vec3){0, 0, 0}, 1000, 1e-3);
        sn_vec3 above = {(sn_real)(LONG * spacing / 2), (sn_real)0.13,
                         (sn_real)(WIDE * spacing / 2)};
        sn_vec3 half = {(sn_real)0.18, (sn_real)0.02, (sn_real)0.02};
        sn_node bar = add_box(world, above, half, density);
        sn_node_def s = sn_node_def_default();
        double fastest = 0;
        REQUIRE_OK(sn_node_get(world, bar, &s));
        sn_vec3 turned = s.inverse_inertia;
        turned = (sn_vec3){10 * turned.x, 10 * turned.y, 10 * turned.z};
        REQUIRE_OK(sn_node_set_inverse_inertia(world, bar, turned));
        for (int frame = 0; frame < FRAMES; frame++) {
            run(world, 1);
            REQUIRE_OK(sn_node_get(world, bar, &s));
            sn_vec3 w = s.angular_velocity;
            fastest = fmax(fastest, sqrt((double)(w.x * w.x + w.y * w.y + w.z * w.z)));
        }
        if (check_shows()) printf("density %g: %g rad/s at most\n", density, fastest);
        CHECK(fastest < 20);
        drop(&p);
    }
}

/* The same bits for any number of threads and lanes, and after a snapshot. */
TEST(bits_do_not_depend_on_threads_lanes_or_snapshots) {
    uint64_t hash[WAYS];
    for (int way = 0; way < WAYS; way++) {
        sn_world *world = make_in_way(way);
        add_basin(world, 0.24, 0.24);
        pool p = add_block(world, (int[3]){8, 5, 8}, 0.03, (sn_vec3){0, 0, 0}, 1000, 1e-4);
        for (int k = 0; k < 2; k++)
            add_cube(world, (sn_vec3){(sn_real)(0.07 + 0.1 * k), (sn_real)0.22, (sn_real)0.11},
                     0.04, 500 + 400 * k);
        run(world, 12);
        if (way == GOES_BACK) go_back(world, 3);
        run(world, 12);
        hash[way] = sn_world_hash(world);
        CHECK(hash[way] == hash[0]);
        drop(&p);
    }
}

TESTS(RUN(a_light_bar_lies_calm_on_water), RUN(a_splash_on_a_free_body_keeps_both_momenta),
      RUN(a_box_floats_as_deep_as_its_density_says),
      RUN(bits_do_not_depend_on_threads_lanes_or_snapshots))
