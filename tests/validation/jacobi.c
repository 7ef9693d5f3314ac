/*
 * The solvers that project constraints together: Jacobi with split masses, averaged Jacobi, the
 * hybrid, and that which splits nodes. What they keep, what they cost, and that all solvers come to
 * rest in the same state.
 */
#include "frame.h"

#include <math.h>
#include <scenes.h>

static const char *name_of(sn_solver solver) {
    static const char *const names[] = {"coloured", "reference", "Jacobi", "averaged",
                                        "hybrid",   "direct",    "split"};
    return names[solver];
}

#define FOR_ALL_SOLVERS(solver)                                                                    \
    for (sn_solver solver = SN_SOLVER_COLOURED; solver <= SN_SOLVER_SPLIT;                         \
         solver += solver == SN_SOLVER_HYBRID ? 2 : 1)

/* ---- V08: the hanging chain ---- */

enum { MAX_LINKS = 20 };

typedef struct chain {
    sn_world *world;
    int links;
    sn_node node[MAX_LINKS + 1];
    sn_constraint top;
} chain;

/* Unit masses on hard links, 1 m in all, with the damping of the other chains. */
static chain make_chain(sn_settings settings, int links, double compliance) {
    chain c = {.world = make_world(settings), .links = links};
    c.node[0] = add_pin(c.world, (vec){0, 0, 0});
    for (int i = 1; i <= links; i++)
        c.node[i] = add_node(c.world, (vec){0, -(double)i / links, 0}, 1);
    for (int i = 0; i < links; i++) {
        sn_constraint link = add_link(c.world, c.node[i], c.node[i + 1], 1.0 / links, compliance);
        if (i == 0) c.top = link;
    }
    return c;
}

static double stretch_of(const chain *c) {
    return -1 - position_of(c->world, c->node[c->links]).y;
}

static sn_settings settling(sn_solver solver) {
    sn_settings settings = plain_settings(solver);
    settings.substeps = 20;
    settings.damping = 20;
    return settings;
}

/* Four times as soft as a sweep in turn: 2 N^2 - 2 in units of g h^2, and the same forces. */
TEST(split_masses_stretch_a_chain_by_an_integer) {
    static const int lengths[] = {2, 5, 11, 20};
    double h = 1.0 / 1200, unit = GRAVITY * h * h;
    for (int i = 0; i < 4; i++) {
        int n = lengths[i];
        check_case("N = %d", n);
        chain c = make_chain(settling(SN_SOLVER_JACOBI), n, 0);
        advance(c.world, h, 4 * 1200);
        /* Float: the tip is shown to half an ulp of 1 m, 0.009 units, and rest lengths are right to
           half an ulp of their own. */
        CHECK_NEAR(stretch_of(&c) / unit, 2 * n * n - 2, TOL(1e-6, 0.03));
        CHECK_REL(force_of(c.world, c.top), -n * GRAVITY,
                  TOL(1e-8, 1e-4) + force_noise(1.0 / n, h, 1) / (n * GRAVITY));
        sn_world_destroy(c.world);
    }
    CHECK(2 * 20 * 20 - 2 == 798);
}

/* A hybrid without colours in turn is Jacobi, one with all of them Gauss-Seidel, to the bit. */
TEST(hybrid_lies_between) {
    static const struct {
        int colours;
        sn_solver same;
    } ends[] = {{0, SN_SOLVER_JACOBI}, {63, SN_SOLVER_COLOURED}};
    double h = 1.0 / 1200, stretch[3];
    for (int i = 0; i < 2; i++) {
        check_case("%d colours", ends[i].colours);
        sn_settings settings = settling(SN_SOLVER_HYBRID);
        settings.hybrid_colours = ends[i].colours;
        chain a = make_chain(settings, 10, 0);
        chain b = make_chain(settling(ends[i].same), 10, 0);
        advance(a.world, h, 4800);
        advance(b.world, h, 4800);
        CHECK(sn_world_hash(a.world) == sn_world_hash(b.world));
        stretch[i] = stretch_of(&a);
        sn_world_destroy(a.world);
        sn_world_destroy(b.world);
    }
    check_case("1 colour");
    sn_settings settings = settling(SN_SOLVER_HYBRID);
    settings.hybrid_colours = 1;
    settings.split_colours = 1;
    chain c = make_chain(settings, 10, 0);
    advance(c.world, h, 4800);
    stretch[2] = stretch_of(&c);
    CHECK(stretch[2] < stretch[0] && stretch[2] > 0.9 * stretch[1]);
    sn_world_destroy(c.world);
}

/* In one colour every link has parts of its own: what Jacobi does. With more colours than there
   are nothing is split, to the bit. */
TEST(split_lies_between) {
    double h = 1.0 / 1200, unit = GRAVITY * h * h;
    int n = 10;
    sn_settings settings = settling(SN_SOLVER_SPLIT);
    settings.split_colours = 1;
    chain one = make_chain(settings, n, 0);
    settings.split_colours = 2;
    chain two = make_chain(settings, n, 0),
          coloured = make_chain(settling(SN_SOLVER_COLOURED), n, 0);
    advance(one.world, h, 4800);
    advance(two.world, h, 4800);
    advance(coloured.world, h, 4800);
    CHECK_NEAR(stretch_of(&one) / unit, 2 * n * n - 2, TOL(1e-6, 0.03));
    CHECK_REL(force_of(one.world, one.top), -n * GRAVITY,
              TOL(1e-8, 1e-4) + force_noise(1.0 / n, h, 1) / (n * GRAVITY));
    for (int i = 0; i <= n; i++) {
        vec a = position_of(two.world, two.node[i]),
            b = position_of(coloured.world, coloured.node[i]);
        CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
    }
    sn_world_destroy(one.world);
    sn_world_destroy(two.world);
    sn_world_destroy(coloured.world);
}

/* ---- As few colours as are asked for ---- */

/* A cloth that hangs from two corners, with bending: 6 to 8 constraints of a type at a node. */
typedef struct curtain {
    sn_world *world;
    scene_mesh mesh;
} curtain;

static curtain hang(sn_solver solver, int colours, int iterations) {
    sn_settings settings = settling(solver);
    settings.iterations = iterations;
    settings.split_colours = colours;
    settings.damping = 10;
    curtain c = {.world = make_world(settings)};
    scene_cloth_def def = scene_cloth_def_default();
    def.columns = 8;
    def.rows = 7;
    def.spacing = (sn_real)0.125;
    def.node_mass = (sn_real)0.01;
    def.compliance = (sn_real)1e-3;
    def.bending = true;
    def.bending_compliance = 1;
    REQUIRE_OK(scene_cloth(c.world, &def, &c.mesh));
    return c;
}

static void take_down(curtain *c) {
    scene_mesh_free(&c->mesh);
    sn_world_destroy(c->world);
}

static double apart(const curtain *a, const curtain *b) {
    double most = 0;
    for (size_t i = 0; i < a->mesh.node_count; i++)
        most = fmax(most, length(sub(position_of(a->world, a->mesh.nodes[i]),
                                     position_of(b->world, b->mesh.nodes[i]))));
    return most;
}

/* Not more colours than asked for, and where iterations converge the same cloth: within 0.1 mm of
   1 m. In one colour, which is Jacobi, that takes four times as many iterations. */
TEST(split_nodes_come_to_the_same_cloth) {
    curtain as_ever = hang(SN_SOLVER_COLOURED, 4, 60);
    advance(as_ever.world, 1.0 / 300, 900);
    sn_stats stats;
    REQUIRE_OK(sn_world_stats(as_ever.world, &stats));
    CHECK(stats.colours > 2 * 4);
    for (int k = 1; k <= 4; k += k == 1 ? 1 : 2) {
        check_case("%d colours", k);
        curtain c = hang(SN_SOLVER_SPLIT, k, k == 1 ? 240 : 60);
        advance(c.world, 1.0 / 300, 900);
        REQUIRE_OK(sn_world_stats(c.world, &stats));
        CHECK(stats.colours <= (size_t)(2 * k));
        CHECK_NEAR(apart(&as_ever, &c), 0, 1e-4);
        take_down(&c);
    }
    take_down(&as_ever);
}

/* A hub with 200 spokes has more of them than there are colours; none is lost, and the hub stays
   in the middle of their pulls: but for what a sweep in order leaves, 200 h^2 / compliance of the
   1 m that they are long. */
TEST(a_hub_is_split) {
    sn_settings settings = settling(SN_SOLVER_SPLIT);
    settings.gravity = vector(0, 0, 0);
    settings.split_colours = 8;
    sn_world *world = make_world(settings);
    sn_node hub = add_node(world, (vec){0.1, 0, 0}, 1);
    for (int i = 0; i < 200; i++) {
        double angle = 2 * 3.14159265358979 * i / 200;
        sn_node end = add_pin(world, (vec){cos(angle), sin(angle), 0});
        add_link(world, hub, end, 0.5, 1);
    }
    advance(world, 1.0 / 1200, 3600);
    sn_stats stats;
    REQUIRE_OK(sn_world_stats(world, &stats));
    CHECK(stats.colours <= 8 && stats.sequential > 0);
    vec x = position_of(world, hub);
    CHECK_NEAR(length(x), 0, 200.0 / (1200 * 1200));
    sn_world_destroy(world);
}

/* ---- The same state of rest ---- */

static double sag_of(int links, double alpha) {
    return alpha * GRAVITY * links * (links + 1) / 2;
}

/* Where iterations converge, how they are ordered does not matter: a compliant chain sags by
   compliance alone. Not so with averaging, where nodes between links move by less than multipliers
   say. */
TEST(all_solvers_come_to_the_same_sag) {
    double h = 1.0 / 600, alpha = 1e-3;
    int n = 6;
    FOR_ALL_SOLVERS(solver) {
        /* One link alone is its own mean. */
        const int links = solver == SN_SOLVER_AVERAGED ? 1 : n;
        for (int alternate = 0; alternate < 2; alternate++) {
            check_case("%s%s", name_of(solver), alternate ? ", to and fro" : "");
            sn_settings settings = settling(solver);
            settings.iterations = 8;
            settings.alternate = alternate;
            settings.hybrid_colours = 1;
            settings.split_colours = 1;
            settings.damping = 10;
            chain c = make_chain(settings, links, alpha);
            advance(c.world, h, 6 * 600);
            CHECK_REL(stretch_of(&c), sag_of(links, alpha), TOL(1e-7, 1e-5));
            CHECK_REL(force_of(c.world, c.top), -links * GRAVITY, TOL(1e-7, 1e-4));
            sn_world_destroy(c.world);
        }
    }
}

/* Hard, all of them come to no stretch at all. */
TEST(all_solvers_come_to_the_same_length) {
    double h = 1.0 / 1200, unit = GRAVITY * h * h;
    FOR_ALL_SOLVERS(solver) {
        check_case("%s", name_of(solver));
        sn_settings settings = settling(solver);
        settings.iterations = 400;
        settings.hybrid_colours = 1;
        settings.split_colours = 1;
        chain c = make_chain(settings, 6, 0);
        advance(c.world, h, 80);
        CHECK_NEAR(stretch_of(&c) / unit, 0, TOL(2e-3, 0.05));
        sn_world_destroy(c.world);
    }
}

/* Sweeping to and fro, a chain hangs as straight ones let it: about as long, with the true force at
   its top. */
TEST(alternate_sweeps_bear_the_load) {
    double h = 1.0 / 1200, unit = GRAVITY * h * h;
    int n = 16;
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_settings settings = settling(solver);
        settings.alternate = true;
        settings.iterations = 2;
        chain c = make_chain(settings, n, 0);
        advance(c.world, h, 4 * 1200);
        CHECK(stretch_of(&c) / unit < n * (n + 1) / 2.0);
        CHECK_REL(force_of(c.world, c.top), -n * GRAVITY, TOL(1e-6, 1e-3));
        sn_world_destroy(c.world);
    }
}

/* ---- Momentum ---- */

/* A cloth in free flight that trembles: nodes at its edge have fewer constraints than others, so
   that averaging takes from one what it does not give to the other. */
static double lost_momentum(sn_solver solver, int iterations) {
    sn_settings settings = plain_settings(solver);
    settings.gravity = vector(0, 0, 0);
    settings.iterations = iterations;
    settings.hybrid_colours = 3;
    settings.split_colours = 3;
    sn_world *world = make_world(settings);
    scene_cloth_def def = scene_cloth_def_default();
    def.columns = 6;
    def.rows = 5;
    def.spacing = (sn_real)0.25;
    def.compliance = (sn_real)1e-4;
    def.bending = true;
    def.bending_compliance = (sn_real)1e-2;
    scene_mesh mesh = {0};
    REQUIRE_OK(scene_cloth(world, &def, &mesh));
    uint32_t seed = 11;
    double scale = 0;
    for (size_t i = 0; i < mesh.node_count; i++) {
        double mass = 1 + 0.7 * noise(&seed);
        vec v = {1 + 2 * noise(&seed), 2 + 2 * noise(&seed), 2 * noise(&seed)};
        CHECK_OK(sn_node_set_inverse_mass(world, mesh.nodes[i], (sn_real)(1 / mass)));
        CHECK_OK(sn_node_set_velocity(world, mesh.nodes[i], vector(v.x, v.y, v.z)));
        scale += mass * length(v);
    }
    scene_mesh_free(&mesh);
    sn_measure start = measure_of(world);
    advance(world, 1.0 / 1200, 500);
    sn_measure end = measure_of(world);
    CHECK(end.kinetic_energy < 0.9 * start.kinetic_energy);
    double lost = 0;
    for (int k = 0; k < 3; k++)
        lost = fmax(lost, fabs(end.momentum[k] - start.momentum[k]) / scale);
    sn_world_destroy(world);
    return lost;
}

/* V15. Averaging does not keep momentum, and says so; that it does not is what this shows. */
TEST(all_but_averaging_keep_momentum) {
    FOR_ALL_SOLVERS(solver) {
        for (int iterations = 1; iterations <= 3; iterations += 2) {
            check_case("%s, %d iterations", name_of(solver), iterations);
            double lost = lost_momentum(solver, iterations);
            if (solver == SN_SOLVER_AVERAGED)
                CHECK(lost > 1e-3);
            else
                CHECK_NEAR(lost, 0, TOL(1e-12, 1e-5));
        }
    }
}

/* What two constraints want of one orientation at the same time is met in the middle. */
TEST(turns_are_shared_by_what_asks_for_them) {
    static const sn_solver solvers[] = {SN_SOLVER_JACOBI, SN_SOLVER_AVERAGED};
    for (size_t s = 0; s < 2; s++) {
        check_case("%s", name_of(solvers[s]));
        sn_settings settings = plain_settings(solvers[s]);
        settings.gravity = vector(0, 0, 0);
        sn_world *world = make_world(settings);
        const vec origin = {0, 0, 0}, axis = {0, 0, 1};
        sn_node wheel = add_frame(world, origin, 1, unturned, (vec){1, 1, 1});
        for (int i = 0; i < 2; i++) {
            sn_fixed_joint_def joint = sn_fixed_joint_def_default();
            sn_constraint made;
            joint.node[0] = add_fixed_frame(world, origin, unturned);
            joint.node[1] = wheel;
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_FIXED_JOINT, &joint, &made));
            sn_quat wants = quaternion(turn(axis, i == 0 ? 0.01 : 0.03));
            REQUIRE_OK(sn_node_set_orientation(world, joint.node[0], wants));
        }
        advance(world, 0.01, 1);
        CHECK_NEAR(angle_between(orientation_of(world, wheel), unturned), 0.02, 1e-5);
        sn_world_destroy(world);
    }
}

/* ---- Changing the solver ---- */

/* Between any two steps the solver may change. From a state of rest that all of them share, a world
   that has used others goes on as one that never did. */
TEST(solver_can_change_between_steps) {
    double h = 1.0 / 1200;
    FOR_ALL_SOLVERS(solver) {
        sn_settings own = plain_settings(solver);
        own.substeps = 10;
        own.hybrid_colours = 1;
        own.split_colours = 1;
        own.relaxation = (sn_real)1.25;
        chain always = make_chain(own, 10, 1e-4), changed = make_chain(own, 10, 1e-4);

        /* Nothing pulls and nothing moves, so every solver leaves the state as it is. */
        FOR_ALL_SOLVERS(other) {
            sn_settings quiet = plain_settings(other);
            quiet.gravity = vector(0, 0, 0);
            quiet.substeps = 10;
            quiet.hybrid_colours = 2;
            quiet.split_colours = 2;
            CHECK_OK(sn_world_set_settings(changed.world, &quiet));
            advance(changed.world, h, 10);
            quiet.solver = solver;
            CHECK_OK(sn_world_set_settings(always.world, &quiet));
            advance(always.world, h, 10);
        }
        for (int i = 0; i <= 10; i++) {
            vec x = position_of(always.world, always.node[i]);
            sn_vec3 to = vector(x.x, x.y, x.z);
            CHECK_OK(sn_node_set_position(always.world, always.node[i], to));
            CHECK_OK(sn_node_set_position(changed.world, changed.node[i], to));
            CHECK_OK(sn_node_set_velocity(always.world, always.node[i], vector(0, 0, 0)));
            CHECK_OK(sn_node_set_velocity(changed.world, changed.node[i], vector(0, 0, 0)));
        }
        CHECK_OK(sn_world_set_settings(always.world, &own));
        CHECK_OK(sn_world_set_settings(changed.world, &own));
        for (int step = 0; step < 20; step++) {
            check_case("%s, step %d", name_of(solver), step);
            advance(always.world, h, 10);
            advance(changed.world, h, 10);
            for (int i = 0; i <= 10; i++) {
                vec a = position_of(always.world, always.node[i]);
                vec b = position_of(changed.world, changed.node[i]);
                CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
            }
        }
        CHECK(stretch_of(&always) > 0);
        sn_world_destroy(always.world);
        sn_world_destroy(changed.world);
    }
}

/* A field that changes, a constraint that comes or goes: shares of masses are counted anew, and a
   world that was changed moves like one that was made so. */
TEST(constraints_can_change_under_every_solver) {
    double h = 1.0 / 1200;
    FOR_ALL_SOLVERS(solver) {
        for (int change = 0; change < 3; change++) {
            static const char *const what[] = {"a field set", "one added", "one removed"};
            check_case("%s, %s", name_of(solver), what[change]);
            sn_settings settings = plain_settings(solver);
            settings.substeps = 10;
            settings.hybrid_colours = 1;
            settings.split_colours = 1;
            chain made[2];
            for (int i = 0; i < 2; i++) {
                bool late = i == 1;
                settings.gravity = vector(0, 0, 0);
                made[i] = make_chain(settings, 8, 1e-4);
                chain *c = &made[i];
                sn_constraint extra = {0};
                if (change == 2 && late) extra = add_link(c->world, c->node[2], c->node[5], 0.3, 1);
                if (late) advance(c->world, h, 10);
                sn_real softer[3] = {(sn_real)1e-3, 0, 0};
                if (change == 0)
                    CHECK_OK(sn_constraint_set_field(c->world, c->top, "compliance", softer));
                if (change == 1) add_link(c->world, c->node[2], c->node[5], 0.3, 1e-3);
                if (change == 2 && late) CHECK_OK(sn_constraint_destroy(c->world, extra));
                if (!late) advance(c->world, h, 10);
                for (int k = 0; k <= 8; k++) {
                    CHECK_OK(sn_node_set_position(c->world, c->node[k], vector(0, -k / 8.0, 0)));
                    CHECK_OK(sn_node_set_velocity(c->world, c->node[k], vector(0, 0, 0)));
                }
                settings.gravity = vector(0, -GRAVITY, 0);
                CHECK_OK(sn_world_set_settings(c->world, &settings));
                advance(c->world, h, 200);
            }
            for (int k = 0; k <= 8; k++) {
                vec a = position_of(made[0].world, made[0].node[k]);
                vec b = position_of(made[1].world, made[1].node[k]);
                CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
            }
            sn_world_destroy(made[0].world);
            sn_world_destroy(made[1].world);
        }
    }
}

/* Nothing else is changed after it that would make shares be counted anew. */
TEST(setting_a_field_to_its_value_changes_nothing) {
    FOR_ALL_SOLVERS(solver) {
        check_case("%s", name_of(solver));
        uint64_t hash[2];
        for (int set = 0; set < 2; set++) {
            sn_settings settings = plain_settings(solver);
            settings.substeps = 10;
            settings.hybrid_colours = 1;
            settings.split_colours = 1;
            chain c = make_chain(settings, 8, 1e-4);
            advance(c.world, 1.0 / 1200, 10);
            sn_real compliance[3];
            CHECK_OK(sn_constraint_get_field(c.world, c.top, "compliance", compliance));
            if (set) CHECK_OK(sn_constraint_set_field(c.world, c.top, "compliance", compliance));
            advance(c.world, 1.0 / 1200, 10);
            hash[set] = sn_world_hash(c.world);
            sn_world_destroy(c.world);
        }
        CHECK(hash[0] == hash[1]);
    }
}

TESTS(RUN(split_masses_stretch_a_chain_by_an_integer), RUN(hybrid_lies_between),
      RUN(split_lies_between), RUN(split_nodes_come_to_the_same_cloth), RUN(a_hub_is_split),
      RUN(all_solvers_come_to_the_same_sag), RUN(all_solvers_come_to_the_same_length),
      RUN(alternate_sweeps_bear_the_load), RUN(all_but_averaging_keep_momentum),
      RUN(turns_are_shared_by_what_asks_for_them), RUN(solver_can_change_between_steps),
      RUN(constraints_can_change_under_every_solver),
      RUN(setting_a_field_to_its_value_changes_nothing))
