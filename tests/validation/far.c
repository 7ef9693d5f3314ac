/*
 * V02 with constraints: everything at 10 km from the origin, where a float is a millimetre wide.
 * Coordinates are multiples of 1/16 m, which a float at 10 km can hold, so that a rest shape is
 * one.
 */
#include "build.h"

#include <math.h>
#include <scenes.h>

#define FAR 10000.0

/* The width of a number at 10 km. */
static double width(void) {
    return TOL(0x1p-39, 0x1p-10);
}

/* The sag and the tensions of V09, a chain of 10 links that stretches by 0.54 m. */
TEST(chain_sags_the_same_at_10_km) {
    enum { LINKS = 10 };
    double h = 1.0 / 1200, alpha = 1e-3;
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_settings settings = plain_settings(solver);
        settings.substeps = 20;
        settings.damping = 8;
        settings.iterations = 4;
        sn_world *world = make_world(settings);
        sn_node node[LINKS + 1];
        sn_constraint link[LINKS];
        node[0] = add_pin(world, (vec){FAR, FAR, -FAR});
        for (int i = 1; i <= LINKS; i++)
            node[i] = add_node(world, (vec){FAR, FAR - 0.125 * i, -FAR}, 1);
        for (int i = 0; i < LINKS; i++)
            link[i] = add_link(world, node[i], node[i + 1], 0.125, alpha);
        advance(world, h, 8 * 1200);

        /* Shown to half a width; four iterations leave less than 1e-6 m of V08's term. */
        double sag = FAR - 0.125 * LINKS - position_of(world, node[LINKS]).y;
        CHECK_NEAR(sag, alpha * GRAVITY * LINKS * (LINKS + 1) / 2, width() / 2 + 1e-5);
        for (int i = 0; i < LINKS; i++)
            CHECK_REL(force_of(world, link[i]), -(LINKS - i) * GRAVITY, TOL(1e-6, 1e-4));
        CHECK_NEAR(length(velocity_of(world, node[LINKS])), 0, TOL(1e-6, 1e-4));
        sn_world_destroy(world);
    }
}

typedef enum body { HARD_SOLID, SOFT_SOLID, CLOTH, BODIES } body;

static const char *const body_names[BODIES] = {"hard solid", "soft solid", "cloth"};

/* A solid of edges and volumes or a cloth of edges and bending, free, shifted by `away` along all
   axes from where its rest shape was measured. */
static sn_world *make_body(body kind, sn_settings settings, double away, scene_mesh *mesh) {
    sn_world *world = make_world(settings);
    if (kind == CLOTH) {
        scene_cloth_def def = scene_cloth_def_default();
        def.columns = def.rows = 8;
        def.spacing = (sn_real)0.0625;
        def.pins = SCENE_PINS_NONE;
        def.compliance = (sn_real)1e-5;
        def.bending = true;
        def.bending_compliance = 1;
        REQUIRE_OK(scene_cloth(world, &def, mesh));
    } else {
        scene_beam_def def = scene_beam_def_default();
        def.spacing = (sn_real)0.0625;
        def.compliance = kind == SOFT_SOLID ? (sn_real)1e-4 : 0;
        def.volume_compliance = kind == SOFT_SOLID ? (sn_real)1e-7 : 0;
        REQUIRE_OK(scene_beam(world, &def, mesh));
    }
    for (size_t i = 0; i < mesh->node_count; i++) {
        vec x = position_of(world, mesh->nodes[i]);
        CHECK_OK(sn_node_set_inverse_mass(world, mesh->nodes[i], 1));
        CHECK_OK(sn_node_set_position(world, mesh->nodes[i],
                                      vector(x.x + away, x.y + away, x.z - away)));
    }
    return world;
}

/* Without gravity a body at rest stays at rest. */
TEST(rest_shapes_stay_at_rest) {
    enum { MAX_NODES = 128 };
    static const double places[] = {0, FAR};
    FOR_BOTH_SOLVERS(solver) {
        for (int kind = 0; kind < BODIES; kind++) {
            for (int p = 0; p < 2; p++) {
                check_case("%s %s at %g m", solver_name(solver), body_names[kind], places[p]);
                sn_settings settings = plain_settings(solver);
                settings.gravity = vector(0, 0, 0);
                settings.substeps = 20;
                scene_mesh mesh;
                sn_world *world = make_body((body)kind, settings, places[p], &mesh);
                vec start[MAX_NODES];
                if (!CHECK(mesh.node_count <= MAX_NODES)) return;
                for (size_t i = 0; i < mesh.node_count; i++)
                    start[i] = position_of(world, mesh.nodes[i]);
                advance(world, 1.0 / 1200, 1200);
                /* V32's bound on the way, 1e-6 of the size. Far away a number is too wide to show
                   such a way, so there the velocity tells. */
                double moved = 0, fastest = 0;
                for (size_t i = 0; i < mesh.node_count; i++) {
                    sn_node node = mesh.nodes[i];
                    moved = fmax(moved, length(sub(position_of(world, node), start[i])));
                    fastest = fmax(fastest, length(velocity_of(world, node)));
                }
                CHECK_NEAR(moved, 0, 5e-7);
                CHECK_NEAR(fastest, 0, TOL(1e-12, 1e-6));
                scene_mesh_free(&mesh);
                sn_world_destroy(world);
            }
        }
    }
}

/* With gravity all of it falls alike. */
TEST(bodies_fall_at_10_km) {
    FOR_BOTH_SOLVERS(solver) {
        for (int kind = 0; kind < BODIES; kind++) {
            for (int substeps = 20; substeps <= 100; substeps += 80) {
                check_case("%s %s, %d substeps", solver_name(solver), body_names[kind], substeps);
                sn_settings settings = plain_settings(solver);
                settings.substeps = substeps;
                scene_mesh mesh;
                sn_world *world = make_body((body)kind, settings, FAR, &mesh);
                advance(world, 1.0 / 60 / substeps, 30 * substeps);
                double slowest = 1e9, fastest = 0;
                for (size_t i = 0; i < mesh.node_count; i++) {
                    double speed = -velocity_of(world, mesh.nodes[i]).y;
                    slowest = fmin(slowest, speed);
                    fastest = fmax(fastest, speed);
                }
                CHECK_REL(slowest, GRAVITY / 2, TOL(1e-10, 1e-4));
                CHECK_REL(fastest, GRAVITY / 2, TOL(1e-10, 1e-4));
                scene_mesh_free(&mesh);
                sn_world_destroy(world);
            }
        }
    }
}

TESTS(RUN(chain_sags_the_same_at_10_km), RUN(rest_shapes_stay_at_rest), RUN(bodies_fall_at_10_km))
