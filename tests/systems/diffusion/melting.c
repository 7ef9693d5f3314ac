/*
 * Diffusion: profiles of slabs and fronts that melt against the heat equation, what is kept, solids
 * that stand, melt, flow and freeze without losing a particle; the same bits for threads, snapshots
 * and replays, and what is refused.
 */
#include "snapshot.h"
#include "validation/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static sn_node node[MOST];

/* On a line the diffusivity is this part of what was asked for: 0.5 of the lattice sum 1.329886. */
#define LINE 0.375972

static sn_world *make(double gravity, int substeps, int threads) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.settings.gravity = vector(0, -gravity, 0);
    def.settings.substeps = substeps;
    def.threads = threads;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* Nodes in a lattice, x first; the first `held` of each row have no mass. */
static size_t add_lattice(sn_world *world, const int count[3], double s, double mass, int held) {
    size_t made = 0;
    for (int z = 0; z < count[2]; z++)
        for (int y = 0; y < count[1]; y++)
            for (int x = 0; x < count[0]; x++) {
                sn_node_def def = sn_node_def_default();
                def.position = vector(s * (x + 0.5), s * (y + 0.5), s * (z + 0.5));
                def.inverse_mass = (sn_real)(x < held ? 0 : 1 / mass);
                def.radius = (sn_real)(s / 2);
                REQUIRE_OK(sn_node_create(world, &def, &node[made++]));
            }
    return made;
}

static sn_diffusion add_diffusion(sn_world *world, sn_diffusion_def def, size_t count) {
    sn_diffusion made;
    def.nodes = node;
    def.node_count = count;
    REQUIRE_OK(sn_diffusion_create(world, &def, &made));
    return made;
}

static double value_of(const sn_world *world, sn_diffusion d, size_t i) {
    sn_real value, liquid;
    REQUIRE_OK(sn_diffusion_get_value(world, d, i, &value, &liquid));
    return (double)value;
}

static double liquid_of(const sn_world *world, sn_diffusion d, size_t i) {
    sn_real value, liquid;
    REQUIRE_OK(sn_diffusion_get_value(world, d, i, &value, &liquid));
    return (double)liquid;
}

static sn_diffusion_measures measure(const sn_world *world, sn_diffusion d) {
    sn_diffusion_measures m;
    REQUIRE_OK(sn_diffusion_measure(world, d, &m));
    return m;
}

static void run(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

/* ---- The heat equation ---- */

/* Half of a slab is hot: T = erfc(x / sqrt(4 D t)) / 2, in the middle of a block as wide as heat
   has gone. What is lost there is found elsewhere. */
TEST(slab_has_the_profile_of_the_heat_equation) {
    const int n[3] = {24, 9, 9};
    const double s = 0.01, rate = 2e-4, time = 1;
    sn_world *world = make(0, 1, 1);
    sn_diffusion_def def = sn_diffusion_def_default();
    sn_real value[MOST];
    size_t count = add_lattice(world, n, s, 0.5, 0);
    for (size_t i = 0; i < count; i++) value[i] = i % 24 < 12 ? 1 : 0;
    def.values = value;
    def.diffusivity = (sn_real)rate;
    sn_diffusion d = add_diffusion(world, def, count);
    double before = measure(world, d).content, worst = 0;
    run(world, 60);
    for (size_t x = 6; x < 18; x++) {
        double at = s * ((double)x - 11.5);
        double expected = 0.5 * erfc(at / sqrt(4 * rate * time));
        worst = fmax(worst, fabs(value_of(world, d, (4 * 9 + 4) * 24 + x) - expected));
    }
    if (check_shows()) printf("off by %.4f at most\n", worst);
    CHECK(worst < 0.01);
    CHECK_REL(measure(world, d).content, before, 1e-12);
    CHECK(measure(world, d).least >= 0 && measure(world, d).most <= 1);
    sn_world_destroy(world);
}

/* Masses that differ: what is kept is mass times value, and all come to the mean. */
TEST(heat_is_kept_where_masses_differ) {
    const int n[3] = {6, 5, 4};
    sn_world *world = make(0, 1, 1);
    sn_diffusion_def def = sn_diffusion_def_default();
    sn_real value[MOST];
    size_t count = add_lattice(world, n, 0.01, 1, 0);
    double mass = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        double own = 0.25 + (double)(i % 7);
        CHECK_OK(sn_node_set_inverse_mass(world, node[i], (sn_real)(1 / own)));
        value[i] = (sn_real)(i % 5);
        mass += own;
        sum += own * (double)value[i];
    }
    def.values = value;
    def.diffusivity = (sn_real)1e-3;
    sn_diffusion d = add_diffusion(world, def, count);
    CHECK_REL(measure(world, d).content, sum, 1e-6);
    double before = measure(world, d).content;
    run(world, 240);
    CHECK_REL(measure(world, d).content, before, 1e-12);
    CHECK_REL(measure(world, d).least, sum / mass, 1e-4);
    CHECK_REL(measure(world, d).most, sum / mass, 1e-4);
    sn_world_destroy(world);
}

/* A wall that is hot melts what is at its melting point: the front is at 2 lambda sqrt(D t), with
   lambda exp(lambda^2) erf(lambda) = St / sqrt(pi) and St = (T - T_m) / L (Stefan, Neumann). */
TEST(front_of_melting_goes_as_stefan_says) {
    const double s = 0.01, rate = 4e-4, stefan[] = {1, 0.25};
    for (int i = 0; i < 2; i++) {
        sn_world *world = make(0, 1, 1);
        sn_diffusion_def def = sn_diffusion_def_default();
        sn_real value[MOST];
        size_t count = add_lattice(world, (int[3]){64, 1, 1}, s, 1, 2);
        for (size_t k = 0; k < count; k++) value[k] = k < 2 ? 110 : 100;
        def.values = value;
        def.diffusivity = (sn_real)(rate / LINE);
        def.melting_point = 100;
        def.latent = (sn_real)(10 / stefan[i]);
        sn_diffusion d = add_diffusion(world, def, count);
        double lambda = 0.1;
        for (int k = 0; k < 200; k++)
            lambda -= 0.3 * (lambda * exp(lambda * lambda) * erf(lambda) - stefan[i] / sqrt(PI));
        run(world, 600);
        /* What holds its value is half a spacing before the first that melts. */
        double front = 0.5 * s, expected = 2 * lambda * sqrt(rate * 10);
        for (size_t k = 2; k < count; k++) front += s * liquid_of(world, d, k);
        if (check_shows()) printf("front %.4f m, expected %.4f\n", front, expected);
        CHECK_REL(front, expected, 0.03);
        sn_world_destroy(world);
    }
}

/* Sources: backward in time, by their equation, and what they gave is told. */
TEST(sources_give_what_they_say) {
    sn_world *world = make(0, 1, 1);
    sn_diffusion_def def = sn_diffusion_def_default();
    sn_source_def hot = sn_source_def_default();
    sn_source source;
    size_t count = add_lattice(world, (int[3]){4, 1, 1}, 1, 2, 0);
    def.value = 20;
    def.diffusivity = 0;
    sn_diffusion d = add_diffusion(world, def, count);
    hot.shape = SN_SOURCE_SPHERE;
    hot.position = vector(0.5, 0.5, 0.5);
    hot.radius = (sn_real)0.25;
    hot.value = 100;
    hot.rate = 3;
    hot.end = (sn_real)1.001;
    REQUIRE_OK(sn_source_create(world, &hot, &source));
    run(world, 90);
    CHECK_REL(value_of(world, d, 0), 100 - 80 * pow(1 + 3.0 / 60, -60), 1e-5);
    CHECK(value_of(world, d, 1) == 20);
    sn_diffusion_measures m = measure(world, d);
    CHECK_REL(m.received, 2 * (value_of(world, d, 0) - 20), 1e-5);
    CHECK_REL(m.content - m.received, 160, 1e-9);
    /* The ends of the line miss more than its middle. */
    hot.shape = SN_SOURCE_EVERYWHERE;
    hot.exposed = true;
    hot.end = SN_AUTO;
    CHECK_OK(sn_source_set(world, source, &hot));
    run(world, 1);
    CHECK(value_of(world, d, 3) > value_of(world, d, 2) && value_of(world, d, 2) > 20);
    CHECK_OK(sn_source_destroy(world, source));
    CHECK(!sn_source_is_valid(world, source));
    sn_world_destroy(world);
}

/* ---- Melting and freezing ---- */

typedef struct wax {
    sn_world *world;
    sn_diffusion heat;
    sn_fluid fluid;
    sn_source air;
    size_t count;
} wax;

static wax make_wax(const int n[3], int threads) {
    const double s = 0.02;
    wax w = {.world = make(GRAVITY, 8, threads)};
    sn_fluid_def fluid = sn_fluid_def_default();
    sn_diffusion_def heat = sn_diffusion_def_default();
    sn_collider_def floor = sn_collider_def_default();
    sn_collider made;
    sn_source_def air = sn_source_def_default();
    w.count = add_lattice(w.world, n, s, 900 * s * s * s, 0);
    fluid.nodes = node;
    fluid.node_count = w.count;
    fluid.rest_density = 900;
    fluid.viscosity = (sn_real)0.01;
    REQUIRE_OK(sn_fluid_create(w.world, &fluid, &w.fluid));
    heat.value = 300;
    heat.diffusivity = (sn_real)1e-4;
    heat.melting_point = 330;
    heat.latent = 40;
    heat.modulus = 200000;
    w.heat = add_diffusion(w.world, heat, w.count);
    floor.shape = SN_SHAPE_PLANE;
    REQUIRE_OK(sn_collider_create(w.world, &floor, &made));
    air.shape = SN_SOURCE_EVERYWHERE;
    air.value = 300;
    air.rate = 2;
    REQUIRE_OK(sn_source_create(w.world, &air, &w.air));
    return w;
}

static void set_air(wax *w, double value) {
    sn_source_def air = sn_source_def_default();
    REQUIRE_OK(sn_source_get(w->world, w->air, &air));
    air.value = (sn_real)value;
    REQUIRE_OK(sn_source_set(w->world, w->air, &air));
}

static double height_of(const wax *w) {
    double high = 0;
    for (size_t i = 0; i < w->count; i++) high = fmax(high, position_of(w->world, node[i]).y);
    return high;
}

static double speed_of(const wax *w) {
    double fast = 0;
    for (size_t i = 0; i < w->count; i++) fast = fmax(fast, length(velocity_of(w->world, node[i])));
    return fast;
}

/* Runs, and says how fast the fastest was. */
static double watch(wax *w, int steps) {
    double fast = 0;
    for (int i = 0; i < steps; i++) {
        run(w->world, 1);
        fast = fmax(fast, speed_of(w));
    }
    return fast;
}

/* A column of wax stands while it is cold, is a puddle when it has melted, and a solid again when
   it has frozen. Nobody is lost or faster than a fall from the top. */
TEST(wax_stands_melts_and_freezes) {
    const int n[3] = {5, 8, 5};
    wax w = make_wax(n, 1);
    double high = height_of(&w), fall = sqrt(2 * GRAVITY * 0.16);
    /* 6 + 12 neighbours, less those beyond the surface. */
    const double bonds =
        4 * 8 * 5 + 5 * 7 * 5 + 5 * 8 * 4 + 2 * (4 * 7 * 5 + 4 * 8 * 4 + 5 * 7 * 4);
    CHECK(measure(w.world, w.heat).bonds == bonds);
    double fast = watch(&w, 30);
    CHECK_REL(height_of(&w), high, 0.03);
    double before = fast;
    set_air(&w, 400);
    fast = watch(&w, 90);
    sn_diffusion_measures m = measure(w.world, w.heat);
    if (check_shows())
        printf("%.3f m/s cold and %.3f m/s melting, of %.3f; from %.3f to %.3f m\n", before, fast,
               fall, high, height_of(&w));
    CHECK(m.liquid > 1 - 1e-9 && m.bonds == 0 && m.least > 330);
    CHECK(height_of(&w) < 0.5 * high && fast < fall && before < 0.2);
    CHECK_REL(m.content - m.received, (double)w.count * 900 * 8e-6 * 300, 1e-6);
    set_air(&w, 200);
    run(w.world, 120);
    m = measure(w.world, w.heat);
    CHECK(m.liquid == 0 && m.most < 330 && m.bonds > 3 * (double)w.count);
    /* Frozen, it keeps its shape when it is turned on its side in the air. */
    sn_settings settings;
    sn_fluid_def left = sn_fluid_def_default();
    vec first = position_of(w.world, node[0]);
    double apart[MOST], worst = 0, widest = 0;
    for (size_t i = 0; i < w.count; i++)
        apart[i] = length(sub(position_of(w.world, node[i]), first));
    REQUIRE_OK(sn_world_get_settings(w.world, &settings));
    settings.gravity = vector(0, 2, 0);
    REQUIRE_OK(sn_world_set_settings(w.world, &settings));
    run(w.world, 60);
    first = position_of(w.world, node[0]);
    for (size_t i = 0; i < w.count; i++) {
        double now = length(sub(position_of(w.world, node[i]), first));
        worst = fmax(worst, fabs(now - apart[i]));
        widest = fmax(widest, apart[i]);
    }
    if (check_shows()) printf("frozen: %.4f of %.3f m\n", worst, widest);
    CHECK(worst < 0.05 * widest && first.y > 0.3);
    REQUIRE_OK(sn_fluid_get(w.world, w.fluid, &left));
    CHECK(left.node_count == w.count);
    sn_world_destroy(w.world);
}

/* A bond for each two that are near enough, whatever they weigh, but for two that are held. */
TEST(neighbours_have_bonds) {
    for (int heavy = 0; heavy < 2; heavy++) {
        const double s = 0.02;
        sn_world *world = make(0, 1, 1);
        sn_diffusion_def def = sn_diffusion_def_default();
        size_t count = add_lattice(world, (int[3]){3, 3, 3}, s, heavy ? 20 : 0.05, 1), bonds = 0;
        def.melting_point = 1;
        def.modulus = 5000;
        (void)add_diffusion(world, def, count);
        run(world, 1);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < i; k++) {
                vec way = sub((vec){(double)(i % 3), (double)(i / 3 % 3), (double)(i / 9)},
                              (vec){(double)(k % 3), (double)(k / 3 % 3), (double)(k / 9)});
                bonds += length(way) < 1.55 && (i % 3 > 0 || k % 3 > 0);
            }
        check_case("heavy %d, %zu bonds", heavy, bonds);
        CHECK(sn_world_constraint_count(world, SN_TYPE_DISTANCE) == bonds);
        sn_world_destroy(world);
    }
}

/* A bar of four by four nodes that is pulled by 0.25 % of its modulus becomes longer and thinner as
   its bonds say. Nodes at its sides miss some of them: the equations of forces along the bonds of
   such a bar without end have the solution 0.8258 E, with 0.3220 for Poisson's ratio at its edges
   and 0.2585 within. (Of ten by ten it is 0.9296 E, and a lattice without sides has E and 1/4.) */
TEST(modulus_is_that_of_a_bar) {
    const double s = 0.02, modulus = 5000;
    sn_world *world = make(0, 20, 1);
    sn_settings settings;
    sn_diffusion_def def = sn_diffusion_def_default();
    size_t count = add_lattice(world, (int[3]){16, 4, 4}, s, 900 * s * s * s, 0);
    def.melting_point = 1;
    def.modulus = (sn_real)modulus;
    (void)add_diffusion(world, def, count);
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.damping = 8;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    double pull = 0.0025, force = pull * modulus * s * s;
    for (int i = 0; i < 150; i++) {
        for (size_t k = 0; k < count; k++) {
            double way = k % 16 == 0 ? -1 : k % 16 == 15;
            REQUIRE_OK(sn_node_add_force(world, node[k], vector(way * force, 0, 0)));
        }
        run(world, 1);
    }
    vec first = position_of(world, node[4]), last = position_of(world, node[11]);
    double longer = (last.x - first.x) / (7 * s) - 1, thinner[2];
    for (size_t z = 0; z < 2; z++) {
        vec low = position_of(world, node[64 * z + 7]);
        thinner[z] = 1 - (position_of(world, node[64 * z + 48 + 7]).y - low.y) / (3 * s);
    }
    if (check_shows())
        printf("%.4f E; Poisson's ratio %.4f at edges, %.4f within\n", pull / longer,
               thinner[0] / longer, thinner[1] / longer);
    CHECK_REL(pull / longer, 0.8258, 0.01);
    CHECK_NEAR(thinner[0] / longer, 0.3220, 0.005);
    CHECK_NEAR(thinner[1] / longer, 0.2585, 0.005);
    sn_world_destroy(world);
}

/* Masses follow what nodes carry, by `load`. */
TEST(loads_are_carried) {
    sn_world *world = make(GRAVITY, 1, 1);
    sn_diffusion_def def = sn_diffusion_def_default();
    size_t count = add_lattice(world, (int[3]){2, 1, 1}, 1, 2, 0);
    sn_node_def got = sn_node_def_default();
    def.load = (sn_real)0.5;
    def.diffusivity = 0;
    sn_diffusion d = add_diffusion(world, def, count);
    CHECK_OK(sn_diffusion_set_value(world, d, 1, 3));
    run(world, 2);
    CHECK_OK(sn_node_get(world, node[0], &got));
    CHECK_REL(got.inverse_mass, 0.5, 1e-6);
    CHECK_OK(sn_node_get(world, node[1], &got));
    CHECK_REL(got.inverse_mass, 0.2, 1e-6);
    CHECK_OK(sn_diffusion_set_value(world, d, 1, 0));
    run(world, 1);
    CHECK_OK(sn_node_get(world, node[1], &got));
    CHECK_REL(got.inverse_mass, 0.5, 1e-6);
    sn_world_destroy(world);
}

/* A node that carries two things is as much heavier as both say, one that is no load has the mass
   without them, and when they go they leave nothing. */
TEST(loads_are_multiplied) {
    sn_world *world = make(0, 1, 1);
    sn_diffusion_def def = sn_diffusion_def_default();
    size_t count = add_lattice(world, (int[3]){2, 1, 1}, 1, 2, 0);
    sn_node_def got = sn_node_def_default();
    def.diffusivity = 0;
    def.value = 1;
    sn_diffusion heat = add_diffusion(world, def, count);
    def.quantity = 1;
    def.load = (sn_real)0.5;
    sn_diffusion salt = add_diffusion(world, def, count);
    /* What is next looks at a mass that is to follow. */
    CHECK_OK(sn_diffusion_set_value(world, salt, 0, 2));
    def.quantity = 2;
    def.load = 1;
    sn_diffusion water = add_diffusion(world, def, count);
    CHECK_OK(sn_node_get(world, node[0], &got));
    CHECK_REL(got.inverse_mass, 1.0 / 8, 1e-6);
    CHECK_OK(sn_diffusion_set_value(world, salt, 0, 4));
    CHECK_OK(sn_diffusion_set_value(world, water, 1, 2));
    run(world, 2);
    CHECK_OK(sn_node_get(world, node[0], &got));
    CHECK_REL(got.inverse_mass, 1.0 / 12, 1e-6);
    CHECK_OK(sn_node_get(world, node[1], &got));
    CHECK_REL(got.inverse_mass, 1.0 / 9, 1e-6);
    CHECK_REL(measure(world, heat).content, 4, 1e-6);
    CHECK_OK(sn_diffusion_destroy(world, water));
    run(world, 1);
    CHECK_OK(sn_node_get(world, node[0], &got));
    CHECK_REL(got.inverse_mass, 1.0 / 6, 1e-6);
    def.quantity = 1;
    def.load = 0;
    CHECK_OK(sn_diffusion_set(world, salt, &def));
    run(world, 1);
    CHECK_OK(sn_node_get(world, node[0], &got));
    CHECK_REL(got.inverse_mass, 0.5, 1e-6);
    sn_world_destroy(world);
}

/* Salt makes water heavier and no larger: a block of it rests as any does, sinks in fresh water,
   and where it spreads both come to the mean, with all of its salt. */
TEST(salt_water_sinks_and_mixes) {
    const double s = 0.03;
    sn_world *world = make(0, 8, 1);
    sn_fluid_def fluid = sn_fluid_def_default();
    sn_diffusion_def salt = sn_diffusion_def_default();
    sn_fluid water;
    sn_settings settings;
    sn_real value[MOST];
    size_t count = add_lattice(world, (int[3]){6, 8, 6}, s, 1000 * s * s * s, 0);
    for (size_t i = 0; i < count; i++) value[i] = i / 6 % 8 >= 4;
    fluid.nodes = node;
    fluid.node_count = count;
    REQUIRE_OK(sn_fluid_create(world, &fluid, &water));
    salt.values = value;
    salt.load = 1;
    salt.diffusivity = 0;
    sn_diffusion d = add_diffusion(world, salt, count);
    run(world, 20);
    sn_fluid_measures m;
    CHECK_OK(sn_fluid_measure(world, water, &m));
    CHECK_NEAR(m.density_max, 0.99997, 1e-4);
    CHECK_NEAR(position_of(world, node[0]).x, s / 2, 1e-3 * s);
    double quarter = PI / 2;
    const vec wall[5] = {{0, 0, 0}, {0, 0, 0}, {6 * s, 0, 0}, {0, 0, 0}, {0, 0, 6 * s}};
    const double turn[5][3] = {{0, 0, 0}, {0, 0, -1}, {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}};
    for (int i = 0; i < 5; i++) {
        sn_collider_def def = sn_collider_def_default();
        sn_collider made;
        double half = sin(quarter / 2);
        def.shape = SN_SHAPE_PLANE;
        def.position = vector(wall[i].x, wall[i].y, wall[i].z);
        def.orientation = (sn_quat){(sn_real)(half * turn[i][0]), 0, (sn_real)(half * turn[i][2]),
                                    (sn_real)(i ? cos(quarter / 2) : 1)};
        def.static_friction = def.dynamic_friction = 0;
        REQUIRE_OK(sn_collider_create(world, &def, &made));
    }
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = vector(0, -GRAVITY, 0);
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    /* On a lattice that nobody stirs, either layer may be above. */
    uint32_t seed = 5;
    for (size_t i = 0; i < count; i++)
        REQUIRE_OK(sn_node_set_velocity(world, node[i], vector(noise(&seed), 0, noise(&seed))));
    run(world, 120);
    double high[2] = {0, 0};
    for (size_t i = 0; i < count; i++)
        high[value[i] > 0] += position_of(world, node[i]).y / (0.5 * (double)count);
    if (check_shows()) printf("fresh at %.3f m, salty at %.3f m\n", high[0], high[1]);
    /* It began four spacings above; after two seconds it is 1.6 below. */
    CHECK(high[1] < high[0] - s);
    double before = measure(world, d).content;
    salt.diffusivity = (sn_real)1e-2;
    CHECK_OK(sn_diffusion_set(world, d, &salt));
    run(world, 120);
    CHECK_REL(measure(world, d).content, before, 1e-9);
    CHECK(measure(world, d).most - measure(world, d).least < 0.1);
    sn_world_destroy(world);
}

/* ---- What holds of all systems ---- */

static void go_back(sn_world *world, int steps) {
    size_t size = 0;
    void *data = snapshot_of(world, &size);
    run(world, steps);
    REQUIRE_OK(sn_snapshot_load(world, data, size));
    free(data);
}

TEST(bits_do_not_depend_on_threads_or_snapshots) {
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        wax w = make_wax((int[3]){12, 5, 12}, i == 1 ? 3 : 1);
        set_air(&w, 400);
        run(w.world, 12);
        if (i == 2) go_back(w.world, 5);
        run(w.world, 12);
        CHECK(measure(w.world, w.heat).bonds > 0 && measure(w.world, w.heat).liquid > 0.1);
        hash[i] = sn_world_hash(w.world);
        CHECK(hash[i] == hash[0]);
        sn_world_destroy(w.world);
    }
}

TEST(nodes_leave_and_bonds_go) {
    wax w = make_wax((int[3]){4, 4, 4}, 1);
    sn_diffusion_def def = sn_diffusion_def_default();
    sn_constraint bond;
    double bonds = measure(w.world, w.heat).bonds;
    CHECK_OK(sn_world_constraint_at(w.world, 3, &bond));
    CHECK_OK(sn_constraint_destroy(w.world, bond));
    CHECK(measure(w.world, w.heat).bonds == bonds - 1);
    CHECK_OK(sn_node_destroy(w.world, node[0]));
    run(w.world, 2);
    CHECK_OK(sn_diffusion_get(w.world, w.heat, &def));
    CHECK(def.node_count == 63 && measure(w.world, w.heat).bonds < bonds - 1);
    CHECK(def.nodes[0].slot == node[1].slot);
    CHECK_OK(sn_diffusion_destroy(w.world, w.heat));
    CHECK(!sn_diffusion_is_valid(w.world, w.heat));
    CHECK(sn_world_constraint_count(w.world, SN_TYPE_DISTANCE) == 0);
    run(w.world, 2);
    sn_world_destroy(w.world);
}

TEST(bad_diffusions_are_refused) {
    sn_world *world = make(0, 1, 1);
    sn_diffusion_def def = sn_diffusion_def_default();
    sn_diffusion d;
    sn_real value, liquid;
    sn_node bare = add_node(world, (vec){0, 0, 0}, 1);
    def.nodes = &bare;
    def.node_count = 1;
    CHECK(sn_diffusion_create(world, &def, &d) == SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "spacing is automatic") != NULL);
    def.spacing = 1;
    def.diffusivity = -1;
    CHECK(sn_diffusion_create(world, &def, &d) == SN_ERROR_VALUE);
    def.diffusivity = 1;
    CHECK_OK(sn_diffusion_create(world, &def, &d));
    CHECK(sn_diffusion_set_value(world, d, 1, 0) == SN_ERROR_VALUE);
    CHECK(sn_diffusion_get_value(world, d, 1, &value, &liquid) == SN_ERROR_VALUE);
    def.spacing = SN_AUTO;
    CHECK(sn_diffusion_set(world, d, &def) == SN_ERROR_VALUE);
    sn_world_destroy(world);
}

/* A node has one number of a quantity: a second list of it would exchange another one. */
TEST(a_quantity_is_carried_once) {
    sn_world *world = make(0, 1, 1);
    sn_diffusion_def def = sn_diffusion_def_default();
    sn_diffusion d, e;
    sn_node own[3];
    for (int k = 0; k < 3; k++) own[k] = add_node(world, (vec){k, 0, 0}, 1);
    def.nodes = own;
    def.node_count = 2;
    def.spacing = 1;
    CHECK_OK(sn_diffusion_create(world, &def, &d));
    uint64_t hash = sn_world_hash(world);
    def.nodes = own + 1;
    CHECK(sn_diffusion_create(world, &def, &e) == SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "node 0 of 2 carries the quantity 0 in another diffusion"));
    CHECK(sn_world_hash(world) == hash);
    def.quantity = 1;
    CHECK_OK(sn_diffusion_create(world, &def, &e));
    hash = sn_world_hash(world);
    def.quantity = 0;
    CHECK(sn_diffusion_set(world, e, &def) == SN_ERROR_VALUE);
    CHECK(sn_world_hash(world) == hash);
    CHECK_OK(sn_diffusion_destroy(world, d));
    CHECK_OK(sn_diffusion_set(world, e, &def));
    CHECK_OK(sn_world_step(world, (sn_real)0.01));
    sn_world_destroy(world);
}

TESTS(RUN(slab_has_the_profile_of_the_heat_equation), RUN(heat_is_kept_where_masses_differ),
      RUN(front_of_melting_goes_as_stefan_says), RUN(sources_give_what_they_say),
      RUN(neighbours_have_bonds), RUN(modulus_is_that_of_a_bar), RUN(wax_stands_melts_and_freezes),
      RUN(loads_are_carried), RUN(loads_are_multiplied), RUN(salt_water_sinks_and_mixes),
      RUN(bits_do_not_depend_on_threads_or_snapshots), RUN(nodes_leave_and_bonds_go),
      RUN(bad_diffusions_are_refused), RUN(a_quantity_is_carried_once))
