/*
 * Finite elements that are integrated explicitly, and matched where the step is too long for them
 * (Fierz et al. 2012). A bar with a few slivers in it is the case that they are for.
 */
#include "build.h"

#include <sinew/build.h>
#include <sinew/cut.h>
#include <sinew/generate.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 8, WIDE = 2, LAYERS = CELLS + 2, ACROSS = (WIDE + 1) * (WIDE + 1) };
enum { NODES = LAYERS * ACROSS, TETS = 6 * (LAYERS - 1) * WIDE * WIDE };

static const double side = 0.1, thin = 0.004, young = 1e5, density = 1000;

typedef struct bar {
    sn_world *world;
    sn_node node[NODES];
    uint32_t tet[TETS][4];
    sn_finite_elements elements;
} bar;

/* Layers along -y; in the middle there are two that are nearly one. */
static double depth(int layer) {
    return layer <= CELLS / 2 ? side * layer
                              : side * (layer - 1) + (layer == CELLS / 2 + 1 ? thin : 0);
}

static void find_tets(bar *b) {
    /* The six ways from one corner of a cell to the opposite one. */
    static const int way[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    int count = 0;
    for (int cell = 0; cell < (LAYERS - 1) * WIDE * WIDE; cell++)
        for (int w = 0; w < 6; w++) {
            int at[3] = {cell % WIDE, cell / (WIDE * WIDE), cell / WIDE % WIDE};
            for (int k = 0; k < 4; k++) {
                b->tet[count][k] = (uint32_t)(at[1] * ACROSS + at[2] * (WIDE + 1) + at[0]);
                if (k < 3) at[way[w][k]]++;
            }
            /* Depth is along -y, so that three of them are inside out and the others are not. */
            if (w < 3) {
                uint32_t swap = b->tet[count][2];
                b->tet[count][2] = b->tet[count][3];
                b->tet[count][3] = swap;
            }
            count++;
        }
}

static void weigh(bar *b, double mass[NODES]) {
    for (int i = 0; i < NODES; i++) mass[i] = 0;
    for (int t = 0; t < TETS; t++) {
        int layer = (int)(b->tet[t][0] / ACROSS);
        for (int k = 0; k < 4; k++)
            layer = (int)(b->tet[t][k] / ACROSS) < layer ? (int)(b->tet[t][k] / ACROSS) : layer;
        double volume = side * side * (depth(layer + 1) - depth(layer)) / 6;
        for (int k = 0; k < 4; k++) mass[b->tet[t][k]] += density * volume / 4;
    }
}

/* Held at its top, or free. */
static void make_bar(bar *b, sn_settings settings, double courant, double poisson, bool held) {
    double mass[NODES];
    b->world = make_world(settings);
    find_tets(b);
    weigh(b, mass);
    for (int i = 0; i < NODES; i++) {
        vec x = {side * (i % (WIDE + 1)), -depth(i / ACROSS), side * (i % ACROSS / (WIDE + 1))};
        b->node[i] = held && i < ACROSS ? add_pin(b->world, x) : add_node(b->world, x, mass[i]);
    }
    sn_finite_elements_def def = sn_finite_elements_def_default();
    def.nodes = b->node;
    def.node_count = NODES;
    def.tets = b->tet[0];
    def.tet_count = TETS;
    def.young = (sn_real)young;
    def.poisson = (sn_real)poisson;
    def.density = (sn_real)density;
    def.courant = (sn_real)courant;
    REQUIRE_OK(sn_finite_elements_create(b->world, &def, &b->elements));
}

static double tip_of(const bar *b) {
    double sum = 0;
    for (int i = NODES - ACROSS; i < NODES; i++) sum += position_of(b->world, b->node[i]).y;
    return sum / ACROSS;
}

static sn_settings settings_of(int substeps, double damping) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.substeps = substeps;
    settings.damping = (sn_real)damping;
    return settings;
}

static void count(const bar *b, size_t *integrated, size_t *matched) {
    REQUIRE_OK(sn_finite_elements_count(b->world, b->elements, integrated, matched));
}

/* ---- Slivers ---- */

/* At the first rate a substep is short enough for the tets of cells, at the second for slivers. */
enum { RATE = 600, FINE_RATE = 12000 };

TEST(slivers_are_matched) {
    static bar b;
    size_t integrated, matched;
    make_bar(&b, settings_of(10, 0), 0.9, 0.3, true);
    count(&b, &integrated, &matched);
    CHECK(integrated == 0 && matched == 0);
    advance(b.world, 1.0 / RATE, 10);
    count(&b, &integrated, &matched);
    CHECK(matched == 6 * WIDE * WIDE && integrated == TETS - 6 * WIDE * WIDE);
    advance(b.world, 1.0 / FINE_RATE, 10);
    count(&b, &integrated, &matched);
    CHECK(matched == 0 && integrated == TETS);
    advance(b.world, 1.0 / 60, 10);
    count(&b, &integrated, &matched);
    CHECK(matched == TETS && integrated == 0);
    sn_world_destroy(b.world);
}

/* At a step at which all of them explicitly integrated explode, the bar swings as it does with
   steps that are short enough: over a period, 0.33 s, it is off by 8 % of the swing. What is left
   with shorter steps is as much: matched slivers do not narrow. */
TEST(a_bar_with_slivers_is_stable) {
    static bar mixed, bare, fine;
    make_bar(&mixed, settings_of(10, 0), 0.9, 0.3, true);
    make_bar(&bare, settings_of(10, 0), 1e6, 0.3, true);
    make_bar(&fine, settings_of(200, 0), 0.9, 0.3, true);
    double start = tip_of(&fine), least = start, most = 0;
    for (int i = 0; i < 20; i++) {
        advance(mixed.world, 1.0 / RATE, 10);
        advance(fine.world, 1.0 / FINE_RATE, 200);
        double off = fabs(tip_of(&mixed) - tip_of(&fine));
        most = off > most ? off : most;
        least = tip_of(&fine) < least ? tip_of(&fine) : least;
    }
    advance(bare.world, 1.0 / RATE, 100);
    sn_measure gone = measure_of(bare.world), kept = measure_of(mixed.world);
    check_case("swings by %g m, off by %g m, kinetic energy %g and %g J", start - least, most,
               kept.kinetic_energy, gone.kinetic_energy);
    CHECK(!(gone.kinetic_energy < 1e3));
    CHECK(kept.kinetic_energy < 10);
    CHECK(most < 0.1 * (start - least));
    CHECK(start - least > 0.05);
    sn_world_destroy(mixed.world);
    sn_world_destroy(bare.world);
    sn_world_destroy(fine.world);
}

/* Where it hangs still. Elements that do not narrow hang by g rho L^2 / 2 E, but for what linear
   ones make of the parabola. Others do, and slivers that are matched hold them together across: the
   bar is a little stiffer. */
TEST(a_bar_hangs_by_its_modulus) {
    double exact = GRAVITY * density * CELLS * side * CELLS * side / (2 * young);
    for (int narrow = 0; narrow < 2; narrow++) {
        double sag[2];
        for (int i = 0; i < 2; i++) {
            static bar b;
            make_bar(&b, settings_of(10, 10), i == 0 ? 0.9 : 1e6, narrow ? 0.3 : 0, true);
            double start = tip_of(&b);
            int rate = i == 0 ? RATE : 6000;
            advance(b.world, 1.0 / rate, 2 * rate);
            sag[i] = start - tip_of(&b);
            sn_world_destroy(b.world);
        }
        check_case("%g m with slivers matched, %g without", sag[0], sag[1]);
        if (!narrow) CHECK_REL(sag[1], exact, 0.02);
        CHECK_REL(sag[0], sag[1], narrow ? 0.05 : 0.005);
    }
}

/* A single tet in a world of its own. */
static sn_world *make_tet(const vec at[4], double courant, sn_node node[4],
                          sn_finite_elements *made) {
    sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
    uint32_t tet[4] = {0, 1, 2, 3};
    sn_finite_elements_def def = sn_finite_elements_def_default();
    for (int k = 0; k < 4; k++) node[k] = add_node(world, at[k], density * 0.1 * 0.1 * 0.02 / 24);
    def.nodes = node;
    def.node_count = 4;
    def.tets = tet;
    def.tet_count = 1;
    def.courant = (sn_real)courant;
    REQUIRE_OK(sn_finite_elements_create(world, &def, made));
    return world;
}

/* s: the step at which a tet is matched, by halving. */
static double longest_step(const vec at[4]) {
    sn_node node[4];
    sn_finite_elements made;
    sn_world *world = make_tet(at, 1, node, &made);
    double low = 1e-6, high = 1;
    for (int k = 0; k < 40; k++) {
        double middle = sqrt(low * high);
        size_t integrated, matched;
        REQUIRE_OK(sn_world_step(world, (sn_real)middle));
        REQUIRE_OK(sn_finite_elements_count(world, made, &integrated, &matched));
        *(matched ? &high : &low) = middle;
    }
    sn_world_destroy(world);
    return low;
}

/* Just below the step that its condition gives a single tet swings for ever, and just above that it
   does not: the bound is at most 3 % too careful. */
TEST(the_condition_is_that_of_stability) {
    static const vec at[4] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.02}};
    double longest = longest_step(at);
    for (int i = 0; i < 2; i++) {
        sn_node node[4];
        sn_finite_elements made;
        sn_world *world = make_tet(at, 1e6, node, &made);
        uint32_t seed = 5;
        for (int k = 0; k < 4; k++) {
            vec v = {1e-3 * noise(&seed), 1e-3 * noise(&seed), 1e-3 * noise(&seed)};
            CHECK_OK(sn_node_set_velocity(world, node[k], vector(v.x, v.y, v.z)));
        }
        double before = measure_of(world).kinetic_energy;
        advance(world, (i == 0 ? 0.99 : 1.04) * longest, 2000);
        double after = measure_of(world).kinetic_energy;
        check_case("step %g, energy %g times", (i == 0 ? 0.99 : 1.04) * longest, after / before);
        CHECK(i == 0 ? after < 100 * before : !(after < 1e4 * before));
        sn_world_destroy(world);
    }
}

/* It is a property of the shape, however that lies and whatever corner comes first. */
TEST(the_condition_knows_no_axes) {
    static const vec at[4] = {
        {0, 0, 0}, {0.1, 0.01, 0.02}, {0.03, 0.08, -0.01}, {0.02, 0.01, 0.05}};
    double longest = longest_step(at);
    for (int axis = 1; axis < 3; axis++) {
        vec turned[4], other[4];
        for (int k = 0; k < 4; k++) {
            vec x = at[k], y = {at[k].y, at[k].z, at[k].x}, z = {at[k].z, at[k].x, at[k].y};
            turned[k] = axis == 1 ? y : z;
            other[(k + axis) % 4] = x;
        }
        /* An odd number of corners that change places turns it inside out. */
        vec swapped[4] = {other[1], other[0], other[2], other[3]};
        CHECK_REL(longest_step(turned), longest, 1e-4);
        CHECK_REL(longest_step(axis == 2 ? other : swapped), longest, 1e-4);
    }
}

/* As stiff as the material where it is thinnest, and stretched along any axis it comes back like
   that: what is missed of the shape at rest swings with omega^2 = E / (rho <z^2>), by backward
   Euler with BDF1. However the tet lies, and with more sweeps as well. */
TEST(matched_tets_swing_as_the_thinnest_axis) {
    static const double half[3] = {0.05, 0.07, 0.01};
    for (int i = 0; i < 3 * 3 * 2; i++) {
        int along = i % 3, turned = i / 3 % 3;
        sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
        settings.iterations = 1 + i / 9;
        sn_world *world = make_world(settings);
        double volume = 4 * half[0] * half[1] * half[2] / 3, h = 1.0 / 600;
        double square = h * h * young / (density * half[2] * half[2]);
        double missed = 0.2, rate = 0, rest[4][3];
        sn_node node[4];
        uint32_t tet[4] = {0, 1, 2, 3};
        for (int n = 0; n < 4; n++) {
            double at[3] = {n < 2 ? half[0] - 2 * n * half[0] : 0,
                            n < 2 ? 0 : half[1] - 2 * (n - 2) * half[1],
                            n < 2 ? half[2] : -half[2]};
            for (int k = 0; k < 3; k++) rest[n][(k + turned) % 3] = at[k];
            node[n] =
                add_node(world, (vec){rest[n][0], rest[n][1], rest[n][2]}, density * volume / 4);
        }
        sn_finite_elements made;
        sn_finite_elements_def def = sn_finite_elements_def_default();
        def.nodes = node;
        def.node_count = 4;
        def.tets = tet;
        def.tet_count = 1;
        def.young = (sn_real)young;
        def.density = (sn_real)density;
        REQUIRE_OK(sn_finite_elements_create(world, &def, &made));
        for (int n = 0; n < 4; n++) {
            double at[3] = {rest[n][0], rest[n][1], rest[n][2]};
            at[along] *= 1 + missed;
            REQUIRE_OK(sn_node_set_position(world, node[n], vector(at[0], at[1], at[2])));
        }
        for (int step = 1; step <= 3; step++) {
            advance(world, h, 1);
            double now = (missed + rate) / (1 + square);
            rate = now - missed;
            missed = now;
            check_case("along %d, turned %d, %d sweeps, step %d", along, turned,
                       settings.iterations, step);
            for (int n = 0; n < 4; n++) {
                vec x = position_of(world, node[n]);
                double at[3] = {x.x, x.y, x.z};
                for (int k = 0; k < 3; k++)
                    CHECK_NEAR(at[k], rest[n][k] * (k == along ? 1 + missed : 1), TOL(1e-12, 1e-6));
            }
        }
        sn_world_destroy(world);
    }
}

/* ---- What stays ---- */

/* Threads do not change bits, nor does a snapshot in between; momentum is kept; a node that goes
   takes its tets along. */
TEST(free_bars_keep_momentum_and_bits) {
    static bar b;
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        sn_settings settings = settings_of(10, 0);
        settings.gravity = vector(0, 0, 0);
        make_bar(&b, settings, 0.9, 0.3, false);
        uint32_t seed = 3;
        for (int k = 0; k < NODES; k++)
            CHECK_OK(sn_node_set_velocity(
                b.world, b.node[k],
                vector(0.2 * noise(&seed), 0.3 + 0.2 * noise(&seed), 0.2 * noise(&seed))));
        sn_measure before = measure_of(b.world);
        advance(b.world, 1.0 / RATE, 60);
        size_t size;
        static unsigned char snapshot[1 << 20];
        REQUIRE_OK(sn_snapshot_save(b.world, snapshot, sizeof snapshot, &size));
        if (i == 1) advance(b.world, 1.0 / RATE, 60);
        if (i == 1) REQUIRE_OK(sn_snapshot_load(b.world, snapshot, size));
        advance(b.world, 1.0 / RATE, 60);
        sn_measure after = measure_of(b.world);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(after.momentum[k], before.momentum[k], TOL(1e-11, 1e-4));
            CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k], TOL(1e-3, 1e-3));
        }
        hash[i] = sn_world_hash(b.world);
        if (i == 2) {
            sn_finite_elements same = {0};
            CHECK(sn_finite_elements_is_valid(b.world, b.elements));
            REQUIRE_OK(sn_world_finite_elements_at(b.world, 0, &same));
            CHECK(same.slot == b.elements.slot);
            CHECK(sn_world_finite_elements_at(b.world, 1, &same) == SN_ERROR_ID);
            REQUIRE_OK(sn_node_destroy(b.world, b.node[0]));
            sn_finite_elements_def def;
            REQUIRE_OK(sn_finite_elements_get(b.world, b.elements, &def));
            CHECK(def.tet_count < TETS && def.tet_count >= TETS - 6);
            advance(b.world, 1.0 / RATE, 10);
        }
        sn_world_destroy(b.world);
    }
    CHECK(hash[0] == hash[1] && hash[0] == hash[2]);
}

/* ---- What is refused ---- */

/* Neither cuts nor flow: each is refused with a sentence that says so, and nothing has changed. */
TEST(what_explicit_elements_have_not_is_said) {
    enum { EXPLICIT = 7, BLOCK_NODES = 27 };
    sn_world *world = make_world(settings_of(10, 0));
    sn_mesh mesh = sn_mesh_default();
    sn_block_def block = sn_block_def_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    sn_node nodes[BLOCK_NODES];
    block.cells[0] = block.cells[1] = block.cells[2] = 2;
    REQUIRE_OK(sn_generate_block(&mesh, &block));
    def.mesh = &mesh;
    for (int i = 0; i < 4; i++) {
        sn_solid_material solid = sn_solid_material_default();
        solid.model = EXPLICIT;
        if (i == 0) solid.plastic_yield = (sn_real)0.1;
        if (i == 1) solid.fracture_stress = 1000;
        if (i == 2) solid.damping = (sn_real)0.1;
        sn_result result = sn_build_body(world, SN_KIND_SOLID, &solid, &def, nodes, &build);
        check_case("case %d: %s", i, result == SN_OK ? "made" : sn_last_error());
        CHECK(result == (i < 3 ? SN_ERROR_VALUE : SN_OK));
        CHECK(i == 3 || strstr(sn_last_error(), "the model explicit"));
    }
    sn_blade_def blade = sn_blade_def_default();
    uint64_t hash = sn_world_hash(world);
    CHECK_FAILS(sn_tet_mesh_cut(world, build.tet_mesh, &blade, NULL), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "integrated explicitly"));
    CHECK(sn_world_hash(world) == hash);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
}

/* Three tets beside each other, all too large: with a node its tet goes, and what is left of it
   does not move, while the others draw together. */
TEST(tets_go_with_their_nodes) {
    static const vec corner[4] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
    for (int gone = 0; gone < 12; gone++) {
        check_case("node %d", gone);
        sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
        sn_finite_elements_def def = sn_finite_elements_def_default();
        sn_finite_elements made;
        sn_node node[12];
        uint32_t tet[12];
        for (int i = 0; i < 12; i++) {
            vec x = corner[i % 4];
            node[i] = add_node(world, (vec){x.x + i / 4, x.y, x.z}, 0.01);
            tet[i] = (uint32_t)i;
        }
        def.nodes = node;
        def.node_count = 12;
        def.tets = tet;
        def.tet_count = 3;
        REQUIRE_OK(sn_finite_elements_create(world, &def, &made));
        for (int i = 0; i < 12; i++) {
            vec x = corner[i % 4];
            REQUIRE_OK(sn_node_set_position(world, node[i],
                                            vector(1.1 * x.x + i / 4, 1.1 * x.y, 1.1 * x.z)));
        }
        advance(world, 1e-4, 1);
        REQUIRE_OK(sn_node_destroy(world, node[gone]));
        for (int i = 0; i < 12; i++)
            if (i != gone) REQUIRE_OK(sn_node_set_velocity(world, node[i], vector(0, 0, 0)));
        advance(world, 1e-4, 1);
        for (int i = 0; i < 12; i++)
            if (i != gone)
                CHECK((length(velocity_of(world, node[i])) > 1e-6) == (i / 4 != gone / 4));
        sn_world_destroy(world);
    }
}

TESTS(RUN(tets_go_with_their_nodes), RUN(slivers_are_matched), RUN(a_bar_with_slivers_is_stable),
      RUN(a_bar_hangs_by_its_modulus), RUN(the_condition_is_that_of_stability),
      RUN(the_condition_knows_no_axes), RUN(matched_tets_swing_as_the_thinnest_axis),
      RUN(free_bars_keep_momentum_and_bits), RUN(what_explicit_elements_have_not_is_said))
