/*
 * Settings that change between steps, and steps of other lengths: what a world has computed for
 * those before is not used any more. A new world that goes on from a snapshot has nothing of it.
 */
#include <stdlib.h>

#include "check.h"
#include "snapshot.h"
#include "state/sample_worlds.h"

/* What is changed, one after the other; all before it stays so. */
static double change(sn_settings *s, int number) {
    static const double dt[] = {1.0 / 60, 1.0 / 90, 1.0 / 45};
    switch (number % 12) {
    case 0:
        s->model = SN_MODEL_PBD;
        break;
    case 1:
        s->iterations += 2;
        break;
    case 2:
        s->iterations -= 1;
        s->alternate = !s->alternate;
        break;
    case 3:
        s->model = SN_MODEL_XPBD;
        break;
    case 4:
        s->substeps += 2;
        break;
    case 5:
        s->solver = number / 12 ? SN_SOLVER_AVERAGED : SN_SOLVER_HYBRID;
        break;
    case 6:
        s->hybrid_colours = 1;
        s->relaxation = (sn_real)1.2;
        break;
    case 7:
        s->integrator = SN_INTEGRATOR_BDF2;
        break;
    case 8:
        s->solver = number / 12 ? SN_SOLVER_JACOBI : SN_SOLVER_COLOURED;
        s->keep_forces = !s->keep_forces;
        break;
    case 9:
        s->integrator = SN_INTEGRATOR_BDF1;
        s->damping = (sn_real)0.5;
        break;
    case 10:
        s->friction = SN_FRICTION_VELOCITY;
        s->gravity = (sn_vec3){1, -2, 3};
        break;
    default:
        s->solver = SN_SOLVER_REFERENCE;
        s->substeps -= 1;
        break;
    }
    /* Most changes come without another step, which would hide what they are forgotten in. */
    return dt[number / 4 % 3];
}

static sn_world *make_world(void) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* A chain whose links are soft by the stiffness of 2007, which is of iterations. */
static void add_chain(sn_world *world) {
    sn_distance_def link = sn_distance_def_default();
    link.stiffness = (sn_real)0.3;
    for (int i = 0; i < 4; i++) {
        sn_node_def def = sn_node_def_default();
        sn_constraint made;
        def.position = (sn_vec3){(sn_real)(0.1 * i), 9, 0};
        def.inverse_mass = i > 0;
        link.node[0] = link.node[1];
        REQUIRE_OK(sn_node_create(world, &def, &link.node[1]));
        if (i > 0) REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &made));
    }
}

/* Another world with the same state. */
static sn_world *make_twin(const sn_world *world) {
    sn_world *twin = make_world();
    size_t size = 0;
    void *bytes = snapshot_of(world, &size);
    REQUIRE_OK(sn_snapshot_load(twin, bytes, size));
    free(bytes);
    return twin;
}

TEST(changes_act_as_in_a_new_world) {
    for (int number = 0; number < SAMPLE_WORLDS; number++) {
        sn_world *world = make_world();
        sample_world_build(world, number, true);
        add_chain(world);
        for (int i = 0; i < 24; i++) {
            sn_settings settings = sn_settings_default();
            REQUIRE_OK(sn_world_get_settings(world, &settings));
            sn_real dt = (sn_real)change(&settings, i);
            REQUIRE_OK(sn_world_set_settings(world, &settings));
            sn_world *twin = make_twin(world);
            check_case("%s, change %d", sample_world_name(number), i);
            for (int step = 0; step < 2; step++) {
                REQUIRE_OK(sn_world_step(world, dt));
                REQUIRE_OK(sn_world_step(twin, dt));
                CHECK(sn_world_hash(twin) == sn_world_hash(world));
            }
            sn_world_destroy(twin);
        }
        sn_world_destroy(world);
    }
}

TESTS(RUN(changes_act_as_in_a_new_world))
