/*
 * Constraints on tracks: the bits are those of one thread, whatever the solver, the order in which
 * constraints were made, and what comes and goes; and steps take place on tracks when they should.
 */
#include <sinew/sinew.h>

#include "api/mixed_world.h"
#include "base/machine.h"
#include "check.h"
#include "state/world.h"
#include "step/track_trial.h"

#include <math.h>

enum { SIDE = 64, TRACKS = 7, STEPS = 6 };

typedef struct cloth {
    sn_world *world;
    sn_node node[SIDE * SIDE];
    sn_constraint edge[3 * SIDE * SIDE];
    size_t edges;
} cloth;

typedef struct variant {
    const char *name;
    sn_solver solver;
    sn_integrator integrator;
    int iterations;
    bool alternate;
    bool shuffled; /* edges are made in an order that has nothing to do with space */
    bool floor;    /* with a collider, so that contacts come between sweeps and the end */
} variant;

static sn_world *make_world(const variant *v, int threads) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.threads = threads;
    def.simd_width = 4; /* or the first steps would try others */
    def.settings.substeps = 5;
    def.settings.solver = v->solver;
    def.settings.integrator = v->integrator;
    def.settings.iterations = v->iterations;
    def.settings.alternate = v->alternate;
    REQUIRE_OK(sn_world_create(&def, &world));
    sn_team_set_tracks(world->bindings.team, TRACKS);
    return world;
}

static void make_nodes(cloth *c) {
    for (int i = 0; i < SIDE * SIDE; i++) {
        sn_node_def def = sn_node_def_default();
        int row = i / SIDE, column = i % SIDE;
        def.position =
            (sn_vec3){(sn_real)0.02 * (sn_real)column, (sn_real)0.1, (sn_real)0.02 * (sn_real)row};
        def.inverse_mass = row == 0 && column % 9 == 0 ? 0 : (sn_real)(10 + i % 5);
        REQUIRE_OK(sn_node_create(c->world, &def, &c->node[i]));
    }
}

/* To the right, down, and across. */
static void make_edge(cloth *c, int i, int way) {
    int row = i / SIDE + (way > 0), column = i % SIDE + (way != 1);
    if (row == SIDE || column == SIDE) return;
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = c->node[i];
    def.node[1] = c->node[row * SIDE + column];
    def.compliance = way == 2 ? (sn_real)1e-5 : 0;
    REQUIRE_OK(sn_constraint_create(c->world, SN_TYPE_DISTANCE, &def, &c->edge[c->edges++]));
}

static void make_edges(cloth *c, bool shuffled) {
    int count = 3 * SIDE * SIDE;
    c->edges = 0;
    for (int k = 0; k < count; k++) {
        int i = shuffled ? (int)((long)k * 7919 % count) : k; /* a prime */
        make_edge(c, i / 3, i % 3);
    }
}

static void make_floor(cloth *c) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider made;
    REQUIRE_OK(sn_collider_create(c->world, &def, &made));
}

/* As many as a trial says in the n-th step on tracks: four with each, half as many by turns. */
static size_t tried(int n) {
    return n <= 4 ? TRACKS : n <= 8 ? TRACKS / 2 : TRACKS / 4;
}

/* Steps, with some edges less in the middle; the hashes of all of them. */
static void run(cloth *c, const variant *v, int threads, uint64_t hash[2 * STEPS]) {
    c->world = make_world(v, threads);
    make_nodes(c);
    make_edges(c, v->shuffled);
    if (v->floor) make_floor(c);
    int on_tracks = 0;
    for (int i = 0; i < 2 * STEPS; i++) {
        if (i == STEPS)
            for (size_t k = 100; k < 400; k += 3)
                REQUIRE_OK(sn_constraint_destroy(c->world, c->edge[k]));
        REQUIRE_OK(sn_world_step(c->world, (sn_real)(1.0 / 60)));
        hash[i] = sn_world_hash(c->world);
        /* Not in the first step, nor in that after a change. */
        size_t tracks = c->world->scratch.tracks.count;
        bool none = threads == 1 || i % STEPS == 0;
        CHECK(tracks == (none ? 0 : tried(++on_tracks)));
    }
    sn_world_destroy(c->world);
}

TEST(tracks_do_not_change_bits) {
    static const variant variants[] = {
        {"plain", SN_SOLVER_COLOURED, SN_INTEGRATOR_BDF1, 1, false, false, false},
        {"shuffled", SN_SOLVER_COLOURED, SN_INTEGRATOR_BDF1, 1, false, true, false},
        {"alternating", SN_SOLVER_COLOURED, SN_INTEGRATOR_BDF1, 3, true, false, false},
        {"forth and back", SN_SOLVER_COLOURED, SN_INTEGRATOR_BDF2, 1, false, false, false},
        {"hybrid", SN_SOLVER_HYBRID, SN_INTEGRATOR_BDF1, 2, false, false, false},
        {"split", SN_SOLVER_SPLIT, SN_INTEGRATOR_BDF1, 2, false, false, false},
        {"on the floor", SN_SOLVER_COLOURED, SN_INTEGRATOR_BDF1, 1, false, false, true},
    };
    static cloth c;
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        check_case("%s", variants[k].name);
        uint64_t one[2 * STEPS], many[2 * STEPS];
        run(&c, &variants[k], 1, one);
        run(&c, &variants[k], TRACKS, many);
        for (int i = 0; i < 2 * STEPS; i++) CHECK(one[i] == many[i]);
    }
}

/* Types of several kinds, frames, and what is too small for tracks of its own. */
TEST(tracks_carry_all_types) {
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        static scene s;
        sn_world_def def = sn_world_def_default();
        def.threads = i == 0 ? 1 : TRACKS;
        def.simd_width = 4;
        def.settings.substeps = 4;
        REQUIRE_OK(scene_make(&s, &def, SCENE_LARGE));
        sn_team_set_tracks(s.world->bindings.team, TRACKS);
        for (int k = 0; k < STEPS; k++) REQUIRE_OK(scene_step(&s, 0.01));
        CHECK(s.world->scratch.tracks.count == (i == 0 ? 0 : tried(STEPS - 1)));
        hash[i] = sn_world_hash(s.world);
        sn_world_destroy(s.world);
    }
    CHECK(hash[0] == hash[1]);
}

/* Lanes are tried in the first sweeps, one width after the other; then there are tracks. */
TEST(tried_lanes_do_not_change_bits) {
    static const variant plain = {"plain", SN_SOLVER_COLOURED, SN_INTEGRATOR_BDF1, 1, false, false,
                                  false};
    static cloth c;
    uint64_t hash[3];
    int most = sn_machine_most_lanes();
    sn_width widest = most >= 8 ? SN_WIDTH_8 : SN_WIDTH_4;
    for (int i = 0; i < 3; i++) {
        c.world = make_world(&plain, i == 0 ? 1 : TRACKS);
        if (i > 0) c.world->bindings.width = widest;
        c.world->bindings.fewer_lanes = i == 2;
        make_nodes(&c);
        make_edges(&c, false);
        const sn_store *store = &c.world->store[SN_TYPE_DISTANCE];
        int on_tracks = 0;
        for (int k = 0; k < STEPS; k++) {
            const bool trial = sn_lane_trial_is_on(c.world, &store->trial, store->count);
            CHECK(k > 0 || trial == (i == 2 && widest > SN_WIDTH_4));
            REQUIRE_OK(sn_world_step(c.world, (sn_real)(1.0 / 60)));
            const bool none = i == 0 || trial || k == 0;
            CHECK(c.world->scratch.tracks.count == (none ? 0 : tried(++on_tracks)));
        }
        CHECK(store->trial.known == (i == 2 && widest > SN_WIDTH_4));
        hash[i] = sn_world_hash(c.world);
        sn_world_destroy(c.world);
    }
    CHECK(hash[0] == hash[1] && hash[0] == hash[2]);
}

/* A trial of 16 tracks of which so many are the fastest, with times that are never the same. */
static size_t best_of(size_t fastest, size_t constraints) {
    sn_track_trial trial = {0};
    size_t count = sn_track_trial_next(&trial, 16, constraints, INFINITY);
    for (int step = 0; step < 100; step++) {
        double off =
            count > fastest ? (double)count / (double)fastest : (double)fastest / (double)count;
        count = sn_track_trial_next(&trial, 16, constraints, off + 0.1 * (step % 3));
    }
    CHECK(trial.known);
    /* What comes or goes does not begin it anew, unless it is half of all. */
    CHECK(sn_track_trial_next(&trial, 16, constraints + constraints / 3, 1) == count);
    CHECK(sn_track_trial_next(&trial, 16, 2 * constraints, 1) == 16);
    return count;
}

/* The same where one step of each turn says it: the first, which makes the tracks and is not
   counted, looks as if they were all as fast, and those behind the second take long. */
static size_t best_by_one_step(size_t fastest, size_t most) {
    sn_track_trial trial = {0};
    size_t count = sn_track_trial_next(&trial, most, 600, INFINITY);
    for (int step = 0; step < 100 && !trial.known; step++) {
        double off =
            count > fastest ? (double)count / (double)fastest : (double)fastest / (double)count;
        double took = trial.steps == 0 ? 0.001 : trial.steps == 1 ? off : 100;
        count = sn_track_trial_next(&trial, most, 600, took);
    }
    return count;
}

TEST(a_trial_finds_the_fastest) {
    for (size_t fastest = 1; fastest <= 16; fastest *= 2) {
        CHECK(best_of(fastest, 600) == fastest);
        CHECK(best_by_one_step(fastest, 16) == fastest);
    }
    for (size_t fastest = 1; fastest <= 2; fastest++)
        CHECK(best_by_one_step(fastest, 2) == fastest);
    /* Too few constraints for tracks. */
    sn_track_trial trial = {0};
    CHECK(sn_track_trial_next(&trial, 0, 10, INFINITY) == 0);
    CHECK(sn_track_trial_next(&trial, 1, 10, INFINITY) == 1);
}

/* Damping on tracks, with what comes after tracks in the order of types: bounds. */
TEST(dashpots_on_tracks_do_not_change_bits) {
    static const sn_real damping[3] = {(sn_real)1e-3, 0, 0};
    static cloth c;
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        static const variant plain = {
            "plain", SN_SOLVER_COLOURED, SN_INTEGRATOR_BDF1, 1, false, false, false};
        c.world = make_world(&plain, i == 0 ? 1 : TRACKS);
        make_nodes(&c);
        make_edges(&c, false);
        for (size_t k = 0; k < c.edges; k++)
            REQUIRE_OK(sn_constraint_set_field(c.world, c.edge[k], "damping", damping));
        for (int k = SIDE; k < SIDE * SIDE; k += 5) {
            sn_tether_def def = sn_tether_def_default();
            def.node[0] = c.node[k];
            def.node[1] = c.node[0];
            /* Taut from the beginning, and soft: what is hard is not damped. */
            def.length = (sn_real)0.01 * (sn_real)(k / SIDE);
            def.compliance = (sn_real)1e-2;
            def.damping = 1;
            sn_constraint made;
            REQUIRE_OK(sn_constraint_create(c.world, SN_TYPE_TETHER, &def, &made));
        }
        for (int k = 0; k < 2 * STEPS; k++) REQUIRE_OK(sn_world_step(c.world, (sn_real)(1.0 / 60)));
        CHECK(c.world->scratch.tracks.count == (i == 0 ? 0 : tried(2 * STEPS - 1)));
        hash[i] = sn_world_hash(c.world);
        sn_world_destroy(c.world);
    }
    CHECK(hash[0] == hash[1]);
}

/* Colours of similar size, in the place of large ones first and small ones last: none has less than
   three quarters of its share. */
TEST(colours_can_be_balanced) {
    static const variant plain = {"plain", SN_SOLVER_COLOURED, SN_INTEGRATOR_BDF1, 1, false, true,
                                  false};
    static cloth c;
    double share[2];
    for (int balanced = 0; balanced < 2; balanced++) {
        c.world = make_world(&plain, 1);
        c.world->settings.balanced_colours = balanced ? 11 : 0;
        make_nodes(&c);
        make_edges(&c, true);
        const sn_store *store = &c.world->store[SN_TYPE_DISTANCE];
        size_t least = store->count;
        for (size_t i = 0; i < store->colours; i++)
            least = store->colour[i].count < least ? store->colour[i].count : least;
        share[balanced] = (double)least * (double)store->colours / (double)store->count;
        REQUIRE_OK(sn_world_step(c.world, (sn_real)(1.0 / 60)));
        sn_world_destroy(c.world);
    }
    CHECK(share[0] < 0.25 && share[1] > 0.75);
}

TESTS(RUN(colours_can_be_balanced), RUN(tracks_do_not_change_bits), RUN(tracks_carry_all_types),
      RUN(a_trial_finds_the_fastest), RUN(dashpots_on_tracks_do_not_change_bits),
      RUN(tried_lanes_do_not_change_bits))
