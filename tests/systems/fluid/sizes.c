/*
 * Particles of one fluid that differ in size: densities and pressures go on from the coarse to the
 * fine ones, and sizes that adapt keep mass and momentum.
 */
#include "pool.h"

/* kg: of a node, 0 for one that waits. */
static double mass_of(const pool *p, size_t i) {
    double w = (double)state_of(p, i).inverse_mass;
    return w > 0 ? 1 / w : 0;
}

/* Adds the particles of `other` to the fluid of a pool, as one fluid. */
static pool join(pool *p, pool *other, double viscosity) {
    pool all = {.world = p->world, .count = p->count + other->count};
    sn_fluid_def def = sn_fluid_def_default();
    all.node = calloc(all.count, sizeof *all.node);
    memcpy(all.node, p->node, p->count * sizeof *p->node);
    memcpy(all.node + p->count, other->node, other->count * sizeof *other->node);
    REQUIRE_OK(sn_fluid_destroy(p->world, p->fluid));
    REQUIRE_OK(sn_fluid_destroy(p->world, other->fluid));
    def.nodes = all.node;
    def.node_count = all.count;
    def.viscosity = (sn_real)viscosity;
    REQUIRE_OK(sn_fluid_create(p->world, &def, &all.fluid));
    free(p->node);
    free(other->node);
    return all;
}

/* A column with particles eight times as heavy below and fine ones above; `fine`: fine ones all the
   way. Largest density; mean of what is above 1; and how far pressures are from rho g z, in the
   mean, as a part of that at the foot. */
static void stand(bool fine, double result[3]) {
    const double spacing = 0.02, width = 8 * spacing;
    sn_world *world = make_world(GRAVITY, 1);
    add_basin(world, width, width);
    pool p = add_block(world, fine ? (int[3]){8, 8, 8} : (int[3]){4, 4, 4},
                       fine ? spacing : 2 * spacing, (sn_vec3){0, 0, 0}, 1000, 0);
    pool top = add_block(world, (int[3]){8, 8, 8}, spacing, (sn_vec3){0, (sn_real)(8 * spacing), 0},
                         1000, 0);
    pool all = join(&p, &top, 1e-3);
    run(world, 120);
    double height = 2 * 0.5 * 16 * spacing, foot = 1000 * GRAVITY * height, off = 0, count = 0;
    sn_fluid_measures m;
    REQUIRE_OK(sn_fluid_measure(world, all.fluid, &m));
    for (size_t i = 0; i < all.count; i++) {
        sn_real density, pressure;
        double depth = height - (double)state_of(&all, i).position.y;
        REQUIRE_OK(sn_fluid_get_particle(world, all.fluid, i, &density, &pressure));
        if (depth < 2 * spacing) continue;
        off += fabs((double)pressure - 1000 * GRAVITY * depth) / foot;
        count++;
    }
    result[0] = m.density_max;
    result[1] = m.density_error;
    result[2] = off / count;
    drop(&all);
}

/* The method compresses the foot by 1.1 g H (h / spacing)^2, 2.4 % of the fine ones here. */
TEST(a_column_of_two_sizes_stands) {
    double fine[3], mixed[3];
    stand(true, fine);
    stand(false, mixed);
    printf(
        "largest density %.4f, %.4f mixed; mean above 1 %.4f, %.4f; pressure off by %.4f, %.4f\n",
        fine[0], mixed[0], fine[1], mixed[1], fine[2], mixed[2]);
    CHECK(mixed[0] < 1.08);
    CHECK(mixed[1] < 0.03);
    CHECK(mixed[2] < 0.1);
}

/* How many of those that a fluid was made with there are in all particles; how many there are. */
static double parts_of(const pool *p, double one, size_t *count) {
    double sum = 0;
    *count = 0;
    for (size_t i = 0; i < p->count; i++) {
        sum += mass_of(p, i) / one;
        *count += mass_of(p, i) > 0;
    }
    return sum;
}

static void momentum_of(const pool *p, double sum[3], double *size) {
    sum[0] = sum[1] = sum[2] = *size = 0;
    for (size_t i = 0; i < p->count; i++) {
        sn_vec3 v = state_of(p, i).velocity;
        double m = mass_of(p, i);
        sum[0] += m * (double)v.x;
        sum[1] += m * (double)v.y;
        sum[2] += m * (double)v.z;
        *size += m * speed_of(p, i);
    }
}

static void set_depth(const pool *p, double depth) {
    sn_fluid_def def = sn_fluid_def_default();
    REQUIRE_OK(sn_fluid_get(p->world, p->fluid, &def));
    def.coarse_depth = (sn_real)depth;
    REQUIRE_OK(sn_fluid_set(p->world, p->fluid, &def));
}

/* In free space, where nothing presses those together that are left when some have joined, so that
   few do: two become one, and one two, with all of the mass to the bit and momentum to rounding. */
TEST(joining_and_dividing_keep_mass_and_momentum) {
    const double spacing = 0.02;
    pool p =
        add_block(make_world(0, 1), (int[3]){10, 10, 10}, spacing, (sn_vec3){0, 0, 0}, 1000, 1e-3);
    double before[3], after[3], size, one = mass_of(&p, 0);
    size_t count, least = p.count;
    uint32_t seed = 3;
    for (size_t i = 0; i < p.count; i++) {
        sn_real v[3];
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            v[k] = (sn_real)((double)(seed >> 8) / 16777216 * 0.002 + (k == 0 ? 1 : 0));
        }
        REQUIRE_OK(sn_node_set_velocity(p.world, p.node[i], (sn_vec3){v[0], v[1], v[2]}));
    }
    momentum_of(&p, before, &size);
    set_depth(&p, 1.6 * spacing);
    for (int frame = 0; frame < 24; frame++) {
        run(p.world, 1);
        CHECK(parts_of(&p, one, &count) == (double)p.count);
        if (count < least) least = count;
    }
    printf("%zu of %zu particles\n", least, p.count);
    CHECK(least < p.count - 20);
    set_depth(&p, 100);
    for (int frame = 0; frame < 16; frame++) {
        run(p.world, 1);
        CHECK(parts_of(&p, one, &count) == (double)p.count);
    }
    CHECK(count == p.count);
    momentum_of(&p, after, &size);
    for (int k = 0; k < 3; k++) CHECK_NEAR((after[k] - before[k]) / size, 0, TOL(1e-14, 2e-6));
    drop(&p);
}

/* A pool stands with fewer particles as it does with all. */
TEST(a_pool_that_adapts_stands) {
    const double spacing = 0.02, width = 10 * spacing;
    sn_world *world = make_world(GRAVITY, 1);
    add_basin(world, width, width);
    pool p = add_block(world, (int[3]){10, 10, 10}, spacing, (sn_vec3){0, 0, 0}, 1000, 1e-3);
    size_t count;
    double one = mass_of(&p, 0), height = 0, parts;
    set_depth(&p, 2 * spacing);
    run(world, 90);
    parts = parts_of(&p, one, &count);
    for (size_t i = 0; i < p.count; i++)
        height += 2 * mass_of(&p, i) / one * (double)state_of(&p, i).position.y / (double)p.count;
    sn_fluid_measures m;
    REQUIRE_OK(sn_fluid_measure(world, p.fluid, &m));
    printf("%zu of %zu particles, %.4f of the height, largest density %.4f, mean above 1 %.4f\n",
           count, p.count, height / (10 * spacing), m.density_max, m.density_error);
    CHECK(parts == (double)p.count);
    CHECK(count < p.count * 3 / 4);
    /* Two become one below the depth, four below 1.5 and eight below twice of it, and may rise. */
    static const double depths[9] = {[2] = 1, [4] = 1.5, [8] = 2};
    for (size_t i = 0; i < p.count; i++) {
        int own = (int)lround(mass_of(&p, i) / one);
        double depth = 10 * spacing - (double)state_of(&p, i).position.y;
        check_case("%d parts, %.4f m deep", own, depth);
        CHECK(own >= 0 && own < 9 && depth > (depths[own] - 0.5) * 2 * spacing);
    }
    CHECK_REL(height, 10 * spacing, 0.05);
    CHECK(m.density_max < 1.15 && m.density_error < 0.04);
    drop(&p);
}

/* Moves every particle by up to a micrometre. */
static void shake(const pool *p, uint32_t seed) {
    for (size_t i = 0; i < p->count; i++) {
        sn_vec3 x = state_of(p, i).position;
        sn_real *const at[3] = {&x.x, &x.y, &x.z};
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            *at[k] += (sn_real)((double)(seed >> 8) / 16777216 * 1e-6);
        }
        REQUIRE_OK(sn_node_set_position(p->world, p->node[i], x));
    }
}

/* What is left free where two become one is no surface: a tenth divides in a pool that
   stands, however it begins. */
TEST(a_void_within_is_no_surface) {
    const double spacing = 0.02, width = 10 * spacing;
    for (uint32_t seed = 4; seed < 7; seed++) {
        sn_world *world = make_world(GRAVITY, 1);
        add_basin(world, width, width);
        pool p = add_block(world, (int[3]){10, 10, 10}, spacing, (sn_vec3){0, 0, 0}, 1000, 1e-3);
        double *before = calloc(p.count, sizeof *before);
        size_t divided = 0;
        shake(&p, seed);
        set_depth(&p, 2 * spacing);
        for (int frame = 0; frame < 90; frame++) {
            for (size_t i = 0; i < p.count; i++) before[i] = mass_of(&p, i);
            run(world, 1);
            for (size_t i = 0; i < p.count; i++)
                divided += mass_of(&p, i) > 0 && mass_of(&p, i) < 0.75 * before[i];
        }
        check_case("seed %u", (unsigned)seed);
        printf("%zu of %zu have divided\n", divided, p.count);
        CHECK(divided < p.count / 5);
        free(before);
        drop(&p);
    }
}

TEST(bits_do_not_depend_on_threads_lanes_or_snapshots) {
    const double spacing = 0.02;
    uint64_t hash[WAYS];
    for (int k = 0; k < WAYS; k++) {
        pool p = {.world = make_in_way(k)};
        add_basin(p.world, 16 * spacing, 8 * spacing);
        p = add_block(p.world, (int[3]){8, 8, 8}, spacing, (sn_vec3){0, 0, 0}, 1000, 1e-4);
        set_depth(&p, 1.5 * spacing);
        run(p.world, 6);
        if (k == GOES_BACK) go_back(p.world, 3);
        run(p.world, 14);
        hash[k] = sn_world_hash(p.world);
        drop(&p);
    }
    for (int k = 1; k < WAYS; k++) CHECK(hash[k] == hash[0]);
}

TESTS(RUN(a_column_of_two_sizes_stands), RUN(joining_and_dividing_keep_mass_and_momentum),
      RUN(a_pool_that_adapts_stands), RUN(a_void_within_is_no_surface),
      RUN(bits_do_not_depend_on_threads_lanes_or_snapshots))
