/* V14 and V15: what free flight keeps. Linear momentum to rounding, angular momentum to the first
   order in h that a spinning dumbbell shows exactly. */
#include "build.h"

#include <math.h>
#include <scenes.h>

/* V14: catches a wrong velocity update and damping that nobody asked for. */
TEST(spinning_dumbbell_follows_its_recursion) {
    double omega = 10, h = 1e-3;
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_settings settings = plain_settings(solver);
        settings.gravity = vector(0, 0, 0);
        sn_world *world = make_world(settings);
        sn_node a = add_node(world, (vec){-0.5, 0, 0}, 1), b = add_node(world, (vec){0.5, 0, 0}, 1);
        CHECK_OK(sn_node_set_velocity(world, a, vector(0, -omega / 2, 0)));
        CHECK_OK(sn_node_set_velocity(world, b, vector(0, omega / 2, 0)));
        add_link(world, a, b, 1, 0);

        double start = measure_of(world).angular_momentum[2];
        CHECK_NEAR(start, 5, TOL(1e-12, 1e-5));
        double angle = atan(omega * h);
        for (int k = 0; k < 1000; k++) {
            advance(world, h, 1);
            if (k > 0) angle = asin(sin(angle) / sqrt(5 - 4 * cos(angle)));
            CHECK_NEAR(measure_of(world).angular_momentum[2] / start, sin(angle) / h / omega,
                       TOL(1e-9, 1e-4));
        }
        CHECK_NEAR(measure_of(world).angular_momentum[2] / start, 0.9129072,
                   5e-8 + TOL(1e-9, 1e-4));
        sn_world_destroy(world);
    }
}

/* ---- V15: a soft body thrown with a spin ---- */

/* Shakes the nodes of a mesh: random masses around 1 kg, places off by up to `shake` m, velocities
   of a drift, a spin and as much noise as that. */
static void shake_nodes(sn_world *world, const scene_mesh *mesh, double shake, double spin,
                        double jitter) {
    uint32_t seed = 7;
    for (size_t i = 0; i < mesh->node_count; i++) {
        sn_node node = mesh->nodes[i];
        vec x = position_of(world, node);
        CHECK_OK(sn_node_set_inverse_mass(world, node, (sn_real)(1 / (1 + 0.7 * noise(&seed)))));
        CHECK_OK(sn_node_set_position(world, node,
                                      vector(x.x + shake * noise(&seed), x.y + shake * noise(&seed),
                                             x.z + shake * noise(&seed))));
        CHECK_OK(sn_node_set_velocity(world, node,
                                      vector(1 - spin * x.y + jitter * noise(&seed),
                                             2 + spin * x.x + jitter * noise(&seed),
                                             -1 + jitter * noise(&seed))));
    }
}

typedef enum soft_body { SOLID, CLOTH, SOFT_BODIES } soft_body;

static const char *const body_names[SOFT_BODIES] = {"solid", "cloth"};

static sn_world *make_soft_body(soft_body kind, sn_solver solver, double shake, double spin,
                                double jitter) {
    sn_settings settings = plain_settings(solver);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    scene_mesh mesh = {0};
    if (kind == SOLID) {
        scene_beam_def def = scene_beam_def_default();
        def.cubes[0] = 3;
        def.spacing = (sn_real)0.5;
        def.compliance = (sn_real)1e-3;
        def.volume_compliance = (sn_real)1e-4;
        REQUIRE_OK(scene_beam(world, &def, &mesh));
    } else {
        scene_cloth_def def = scene_cloth_def_default();
        def.columns = 6;
        def.rows = 5;
        def.spacing = (sn_real)0.25;
        def.compliance = (sn_real)1e-3;
        def.damping = 1;
        def.bending = true;
        def.bending_compliance = (sn_real)1e-2;
        REQUIRE_OK(scene_cloth(world, &def, &mesh));
    }
    shake_nodes(world, &mesh, shake, spin, jitter);
    scene_mesh_free(&mesh);
    return world;
}

TEST(soft_body_keeps_its_momentum) {
    FOR_BOTH_SOLVERS(solver) {
        for (int kind = 0; kind < SOFT_BODIES; kind++) {
            for (int iterations = 1; iterations <= 4; iterations += 3) {
                check_case("%s %s, %d iterations", solver_name(solver), body_names[kind],
                           iterations);
                sn_world *world = make_soft_body((soft_body)kind, solver, 0.05, 1, 2);
                sn_settings settings = sn_settings_default();
                CHECK_OK(sn_world_get_settings(world, &settings));
                settings.iterations = iterations;
                CHECK_OK(sn_world_set_settings(world, &settings));

                sn_node_view view;
                CHECK_OK(sn_world_nodes(world, &view));
                double scale = 0;
                for (size_t i = 0; i < view.count; i++)
                    scale += length((vec){(double)view.velocity[i].x, (double)view.velocity[i].y,
                                          (double)view.velocity[i].z}) /
                             (double)view.inverse_mass[i];
                sn_measure start = measure_of(world);
                advance(world, 1.0 / 1200, 1000);
                sn_measure end = measure_of(world);
                for (int k = 0; k < 3; k++)
                    CHECK_NEAR((end.momentum[k] - start.momentum[k]) / scale, 0, TOL(1e-12, 1e-5));
                /* It did move in itself meanwhile. */
                CHECK(end.kinetic_energy < 0.9 * start.kinetic_energy);
                sn_world_destroy(world);
            }
        }
    }
}

/* The angular momentum about the centre of mass that is lost in 1 s. */
static double lost_spin(soft_body kind, sn_solver solver, int rate) {
    sn_world *world = make_soft_body(kind, solver, 0, 1, 0);
    double spin[2];
    for (int i = 0; i < 2; i++) {
        if (i == 1) advance(world, 1.0 / rate, rate);
        sn_node_view view;
        REQUIRE_OK(sn_world_nodes(world, &view));
        double mass = 0, x = 0, y = 0;
        for (size_t k = 0; k < view.count; k++) {
            double m = 1 / (double)view.inverse_mass[k];
            mass += m;
            x += m * (double)view.position[k].x;
            y += m * (double)view.position[k].y;
        }
        sn_measure measure = measure_of(world);
        spin[i] = measure.angular_momentum[2] -
                  (x * measure.momentum[1] - y * measure.momentum[0]) / mass;
    }
    sn_world_destroy(world);
    return spin[0] - spin[1];
}

/* V15: the loss of angular momentum is of first order, so half the step loses half. */
TEST(soft_body_loses_spin_in_first_order) {
    FOR_BOTH_SOLVERS(solver) {
        for (int kind = 0; kind < SOFT_BODIES; kind++) {
            check_case("%s %s", solver_name(solver), body_names[kind]);
            double coarse = lost_spin((soft_body)kind, solver, 1200);
            double fine = lost_spin((soft_body)kind, solver, 2400);
            CHECK(coarse > 0);
            CHECK_NEAR(coarse / fine, 2, 0.1);
        }
    }
}

/* ---- What stands under stress of its own ---- */

/* kg m^2/s that three struts within nine cables have after a second, which began at rest: 100 g a
   node, links 5 % too long for cables and 3 % too short for struts. */
static double spin_of_a_tensegrity(sn_solver solver, double h) {
    enum { SIDES = 3, SUBSTEPS = 10 };
    sn_settings settings = plain_settings(solver);
    settings.gravity = vector(0, 0, 0);
    settings.substeps = SUBSTEPS;
    sn_world *world = make_world(settings);
    sn_node node[2][SIDES];
    vec at[2][SIDES];
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < SIDES; i++) {
            double angle = 2 * PI * i / SIDES + end * 5 * PI / 6;
            at[end][i] = (vec){cos(angle), 1.5 * end, sin(angle)};
            node[end][i] = add_node(world, at[end][i], 0.1);
        }
    for (int i = 0; i < SIDES; i++) {
        const int next = (i + 1) % SIDES, last = (i + 2) % SIDES;
        const int from[4] = {0, 1, 0, 0}, to[4] = {0, 1, 1, 1}, other[4] = {next, next, i, last};
        for (int k = 0; k < 4; k++) {
            double now = length(sub(at[to[k]][other[k]], at[from[k]][i]));
            add_link(world, node[from[k]][i], node[to[k]][other[k]], now * (k == 2 ? 1.03 : 0.95),
                     k == 2 ? 1e-5 : 1e-4);
        }
    }
    advance(world, h, (int)(1 / h + 0.5) / SUBSTEPS * SUBSTEPS);
    sn_measure m = measure_of(world);
    CHECK_NEAR(hypot(hypot(m.momentum[0], m.momentum[1]), m.momentum[2]), 0, 1e-4);
    sn_world_destroy(world);
    return sqrt(m.angular_momentum[0] * m.angular_momentum[0] +
                m.angular_momentum[1] * m.angular_momentum[1] +
                m.angular_momentum[2] * m.angular_momentum[2]);
}

/* Every projection keeps angular momentum where it finds the nodes, and in a sweep each finds them
   elsewhere: what is under stress begins to turn, with a torque that falls with h^2. Who projects
   all constraints from the same places has none of it. */
TEST(stress_turns_a_body_in_second_order) {
    double coarse = spin_of_a_tensegrity(SN_SOLVER_COLOURED, 1.0 / 4800);
    double fine = spin_of_a_tensegrity(SN_SOLVER_COLOURED, 1.0 / 9600);
    CHECK(fine < 1.05 && coarse < 4.2);
    CHECK_NEAR(coarse / fine, 4, 0.4);
    CHECK_NEAR(spin_of_a_tensegrity(SN_SOLVER_JACOBI, 1.0 / 1200), 0, TOL(1e-9, 1e-3));
    CHECK_NEAR(spin_of_a_tensegrity(SN_SOLVER_AVERAGED, 1.0 / 1200), 0, TOL(1e-9, 1e-3));
}

TESTS(RUN(spinning_dumbbell_follows_its_recursion), RUN(soft_body_keeps_its_momentum),
      RUN(soft_body_loses_spin_in_first_order), RUN(stress_turns_a_body_in_second_order))
