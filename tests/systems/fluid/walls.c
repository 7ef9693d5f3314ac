/*
 * What fluids do to walls, and walls to fluids: a pool weighs on its floor and pushes its sides as
 * hydrostatics says, also those that move; a cup that is tipped pours all it holds into another.
 */
#include "pool.h"

static sn_collider add_side(sn_world *world, sn_vec3 position, double angle) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    def.shape = SN_SHAPE_PLANE;
    def.position = position;
    def.orientation = (sn_quat){0, 0, (sn_real)sin(angle / 2), (sn_real)cos(angle / 2)};
    def.static_friction = def.dynamic_friction = 0;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    return collider;
}

static void keep_forces(const pool *p) {
    sn_fluid_def def = sn_fluid_def_default();
    REQUIRE_OK(sn_fluid_get(p->world, p->fluid, &def));
    def.wall_forces = true;
    REQUIRE_OK(sn_fluid_set(p->world, p->fluid, &def));
}

/* The mean of some frames. */
static void forces_of(const pool *p, const sn_collider *of, int count, int frames,
                      double (*mean)[3]) {
    for (int i = 0; i < 3 * count; i++) mean[i / 3][i % 3] = 0;
    for (int frame = 0; frame < frames; frame++) {
        run(p->world, 1);
        for (int i = 0; i < count; i++) {
            sn_vec3 f;
            REQUIRE_OK(sn_collider_contact_force(p->world, of[i], &f));
            mean[i][0] += (double)f.x / frames;
            mean[i][1] += (double)f.y / frames;
            mean[i][2] += (double)f.z / frames;
        }
    }
}

/* rho g H on a floor, rho g H^2 / 2 per width on a side: at rest, and where a side comes slowly and
   the water rises before it. */
TEST(a_pool_pushes_its_walls) {
    const double spacing = 0.025, width = 8 * spacing, depth = 8 * spacing;
    const double quarter = 1.57079632679489662;
    sn_world *world = make_world(GRAVITY, 1);
    sn_collider side[3] = {add_side(world, (sn_vec3){0, 0, 0}, 0),
                           add_side(world, (sn_vec3){0, 0, 0}, -quarter),
                           add_side(world, (sn_vec3){(sn_real)width, 0, 0}, quarter)};
    add_wall(world, (sn_vec3){0, 0, 0}, (sn_vec3){1, 0, 0}, quarter);
    add_wall(world, (sn_vec3){0, 0, (sn_real)depth}, (sn_vec3){1, 0, 0}, -quarter);
    pool p = add_block(world, (int[3]){8, 12, 8}, spacing, (sn_vec3){0, 0, 0}, 1000, 2e-3);
    keep_forces(&p);
    double mean[3][3], weight = 1000 * width * depth * 12 * spacing * GRAVITY;
    run(world, 90);
    for (int moves = 0; moves < 2; moves++) {
        if (moves) {
            sn_collider_def def = sn_collider_def_default();
            REQUIRE_OK(sn_collider_get(world, side[2], &def));
            def.velocity = (sn_vec3){(sn_real)-0.02, 0, 0};
            REQUIRE_OK(sn_collider_set(world, side[2], &def));
            run(world, 45);
        }
        forces_of(&p, side, 3, 30, mean);
        double height = 2 * mean_height(&p), push = 500 * GRAVITY * height * height * depth;
        printf("moves %d: height %.4f, floor %.4f of the weight, sides %.4f and %.4f of %.3g N\n",
               moves, height, -mean[0][1] / weight, -mean[1][0] / push, mean[2][0] / push, push);
        CHECK_REL(-mean[0][1], weight, 0.01);
        CHECK_REL(-mean[1][0], push, 0.06);
        CHECK_REL(mean[2][0], push, 0.06);
        CHECK_NEAR((mean[1][0] + mean[2][0]) / push, 0, 0.02);
    }
    drop(&p);
}

/* An open box with its floor at y = 0 of its frame, of inner size `in` (m) and walls as thick as
   that. */
static sn_collider add_cup(sn_world *world, sn_vec3 position, sn_vec3 in, double thick) {
    const double x = (double)in.x / 2, y = (double)in.y / 2, z = (double)in.z / 2, t = thick / 2;
    const double at[5][6] = {{0, -t, 0, x + thick, t, z + thick},
                             {-x - t, y, 0, t, y, z + thick},
                             {x + t, y, 0, t, y, z + thick},
                             {0, y, -z - t, x, y, t},
                             {0, y, z + t, x, y, t}};
    sn_collider_part part[5];
    for (int i = 0; i < 5; i++) {
        part[i] = (sn_collider_part){.shape = SN_SHAPE_BOX};
        part[i].position = (sn_vec3){(sn_real)at[i][0], (sn_real)at[i][1], (sn_real)at[i][2]};
        part[i].extent = (sn_vec3){(sn_real)at[i][3], (sn_real)at[i][4], (sn_real)at[i][5]};
        part[i].orientation.w = 1;
    }
    sn_collider_def def = sn_collider_def_default();
    sn_collider cup;
    def.shape = SN_SHAPE_COMPOUND;
    def.parts = part;
    def.part_count = 5;
    def.position = position;
    def.static_friction = def.dynamic_friction = 0;
    REQUIRE_OK(sn_collider_create(world, &def, &cup));
    return cup;
}

/* Whether a place is within a cup, of inner size `in`, that is turned by an angle about z. */
static bool is_within(sn_vec3 x, sn_vec3 cup, double angle, sn_vec3 in, double slack) {
    double a = (double)(x.x - cup.x), b = (double)(x.y - cup.y), c = (double)(x.z - cup.z);
    double u = a * cos(angle) + b * sin(angle), v = b * cos(angle) - a * sin(angle);
    return fabs(u) < (double)in.x / 2 + slack && v > -slack && v < (double)in.y &&
           fabs(c) < (double)in.z / 2 + slack;
}

TEST(a_cup_that_tips_pours_all_it_holds) {
    const double spacing = 0.02, thick = 0.04, most = -2.4;
    const sn_vec3 small = {(sn_real)0.12, (sn_real)0.16, (sn_real)0.12};
    const sn_vec3 large = {(sn_real)0.44, (sn_real)0.3, (sn_real)0.24};
    const sn_vec3 under = {(sn_real)0.16, (sn_real)-0.54, 0};
    sn_vec3 at = {0, 0, 0};
    sn_world *world = make_world(GRAVITY, 1);
    sn_collider cup = add_cup(world, at, small, thick);
    (void)add_cup(world, under, large, thick);
    pool p = add_block(world, (int[3]){6, 6, 6}, spacing,
                       (sn_vec3){(sn_real)-0.06, 0, (sn_real)-0.06}, 1000, 1e-4);
    size_t poured = 0, kept = 0;
    double angle = 0;
    for (int frame = 0; frame < 150; frame++) {
        double turned = frame < 20 ? 0 : frame < 110 ? most * (frame - 20) / 90 : most;
        sn_quat q = {0, 0, (sn_real)sin(turned / 2), (sn_real)cos(turned / 2)};
        if (frame >= 20 && frame <= 110) REQUIRE_OK(sn_collider_set_target(world, cup, at, q));
        run(world, 1);
        angle = turned;
        /* Nobody goes through a floor, nor through a side while the cup stands. */
        for (size_t i = 0; i < p.count; i++) {
            sn_vec3 x = state_of(&p, i).position;
            CHECK(x.y > under.y);
            if (frame < 20) CHECK(is_within(x, at, 0, small, 0));
        }
    }
    for (size_t i = 0; i < p.count; i++) {
        sn_vec3 x = state_of(&p, i).position;
        poured += is_within(x, under, 0, large, 0.001);
        kept += is_within(x, at, angle, small, 0.001);
    }
    printf("%zu of %zu poured, %zu kept\n", poured, p.count, kept);
    CHECK(poured + kept == p.count);
    CHECK(poured >= p.count - 2);
    drop(&p);
}

/* A box of 1 m, or its triangles. */
static void add_floor(sn_world *world, bool triangles) {
    sn_vec3 corner[8];
    sn_collider_def def = sn_collider_def_default();
    sn_collider made;
    static const uint32_t side[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                         {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                         {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    for (int i = 0; i < 8; i++)
        corner[i] =
            (sn_vec3){(sn_real)(i % 2 - 0.5), (sn_real)(i / 2 % 2 - 0.5), (sn_real)(i / 4 - 0.5)};
    def.shape = triangles ? SN_SHAPE_MESH : SN_SHAPE_BOX;
    def.position = (sn_vec3){0, (sn_real)-0.5, 0};
    def.radius = 0;
    if (triangles) {
        def.geometry.vertices = corner;
        def.geometry.vertex_count = 8;
        def.geometry.triangles = side;
        def.geometry.triangle_count = 12;
    }
    REQUIRE_OK(sn_collider_create(world, &def, &made));
}

/* Over that at rest, of the particle above the middle of a floor; among balls whose boxes reach
   there, while they do not. */
static double density_on_floor(bool among_balls, bool triangles) {
    sn_world *world = make_world(0, 1);
    sn_collider_def def = sn_collider_def_default();
    sn_collider made;
    sn_real density, pressure;
    add_floor(world, triangles);
    def.shape = SN_SHAPE_SPHERE;
    def.radius = 2;
    for (int i = 0; i < 12 && among_balls; i++) {
        sn_real at[3] = {0};
        at[i % 3] = (sn_real)(i / 3 % 2 ? -2.02 : 2.02);
        at[(i + 1) % 3] = (sn_real)(i / 6 ? -2.02 : 2.02);
        def.position = (sn_vec3){at[0], at[1], at[2]};
        REQUIRE_OK(sn_collider_create(world, &def, &made));
    }
    pool p = add_block(world, (int[3]){5, 5, 5}, 0.02, (sn_vec3){(sn_real)-0.05, 0, (sn_real)-0.05},
                       1000, 0);
    REQUIRE_OK(sn_world_step(world, (sn_real)1e-4));
    REQUIRE_OK(sn_fluid_get_particle(world, p.fluid, 2 * 25 + 2, &density, &pressure));
    drop(&p);
    return (double)density;
}

/* Over that at rest, of a particle on a floor that is there so many times, turned by an angle
   against each other. */
static double density_on_floors(int floors, double angle) {
    sn_world *world = make_world(0, 1);
    sn_real density, pressure;
    for (int i = 0; i < floors; i++)
        add_wall(world, (sn_vec3){0, 0, 0}, (sn_vec3){1, 0, 0}, angle * i);
    pool p = add_block(world, (int[3]){5, 5, 5}, 0.02, (sn_vec3){(sn_real)-0.05, 0, (sn_real)-0.05},
                       1000, 0);
    REQUIRE_OK(sn_world_step(world, (sn_real)1e-4));
    REQUIRE_OK(sn_fluid_get_particle(world, p.fluid, 2 * 25 + 2, &density, &pressure));
    drop(&p);
    return (double)density;
}

/* Where walls lie in each other, what is in both of them is there once. */
TEST(a_floor_counts_once) {
    const double none = density_on_floors(0, 0), one = density_on_floors(1, 0);
    CHECK(one > none + 0.1);
    CHECK_NEAR(density_on_floors(2, 0), one, 1e-5);
    CHECK_NEAR(density_on_floors(3, 0), one, 1e-5);
    CHECK_NEAR(density_on_floors(2, 0.05), one, 0.05);
}

/* Who is not near is passed over, and those after it are looked at. */
TEST(a_floor_among_balls_is_a_floor) {
    double alone = density_on_floor(false, false);
    CHECK_REL(alone, 1, 0.1);
    CHECK_REL(density_on_floor(true, false), alone, 1e-5);
    /* Nor does it matter what a floor is made of. */
    CHECK_REL(density_on_floor(false, true), alone, 1e-5);
}

TESTS(RUN(a_floor_counts_once), RUN(a_pool_pushes_its_walls),
      RUN(a_cup_that_tips_pours_all_it_holds), RUN(a_floor_among_balls_is_a_floor))
