/*
 * Bounds of the forces of rows, through types of the user's: a motor does what it can and no more,
 * a limit holds on one side only, and rows without bounds beside them hold as ever.
 */
#include "constraints/rig.h"
#include "frame.h"
#include "user_types.h"

#include <math.h>

/* ---- A slide: one node on a vertical line, and a motor along it ---- */

enum { TARGET, STRENGTH };

/* Rows 0 and 1, which pull on each other, hold the node on the line; row 2 takes it to its
   target. */
static void slide(void *user, const sn_user_batch *b) {
    static const double normal[3][3] = {{1, 0, 0}, {0.6, 0, 0.8}, {0, 1, 0}};
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        for (int r = 0; r < 3; r++) {
            b->value[r][i] = r == 2 ? -b->parameter[TARGET][i] : 0;
            for (int a = 0; a < 3; a++) {
                b->value[r][i] += (sn_real)normal[r][a] * b->origin[a][i];
                b->gradient[r][a][i] = (sn_real)normal[r][a];
            }
        }
        b->least[2][i] = -b->parameter[STRENGTH][i];
        b->most[2][i] = b->parameter[STRENGTH][i];
    }
}

static const sn_user_parameter slide_parameters[] = {{"target", "m", -100, 100, 0},
                                                     {"strength", "N", 0, 1e6, 0}};

static sn_type add_slide(sn_world *world) {
    sn_type type = SN_TYPE_COUNT;
    sn_user_type_def def = sn_user_type_def_default();
    def.name = "slide";
    def.nodes = 1;
    def.rows = 3;
    def.external = true;
    def.parameter_count = 2;
    def.parameters = slide_parameters;
    def.formula = slide;
    def.bounded = true;
    REQUIRE_OK(sn_world_add_type(world, &def, &type));
    return type;
}

static sn_constraint put_on_slide(sn_world *world, sn_node node, double target, double strength) {
    sn_constraint made;
    sn_user_def def;
    sn_type type = add_slide(world);
    REQUIRE_OK(sn_user_def_default(world, type, &def));
    def.node[0] = node;
    def.parameter[TARGET] = (sn_real)target;
    def.parameter[STRENGTH] = (sn_real)strength;
    REQUIRE_OK(sn_constraint_create(world, type, &def, &made));
    return made;
}

static void forces_of(const sn_world *world, sn_constraint constraint, double force[SN_MAX_ROWS]) {
    sn_real read[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_force(world, constraint, read));
    for (int r = 0; r < SN_MAX_ROWS; r++) force[r] = (double)read[r];
}

/* Runs the block with every solver and integrator that has forces, and one or three iterations. */
#define FOR_EVERY_WAY(settings)                                                                    \
    for (int way = 0; way < 2 * RIG_SOLVERS; way++)                                                \
        for (sn_settings settings = settings_of(way / 2, way % 2);                                 \
             settings.iterations > 0 && rig_solvers[way / 2].solver != SN_SOLVER_AVERAGED;         \
             settings.iterations = 0)

static sn_settings settings_of(int solver, int more) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    rig_use_solver(&settings, solver);
    settings.iterations = 1 + 2 * more;
    check_case("%s, %d iterations", rig_solvers[solver].name, settings.iterations);
    return settings;
}

/* Too weak to lift its load, a motor does all it can: the load falls with what is left, and does
   not leave its line, although the wind blows across it. */
TEST(weak_motor_gives_all_it_has) {
    const double h = 1.0 / 600, mass = 2, strength = 5, wind = 3;
    FOR_EVERY_WAY(settings) {
        settings.gravity = vector(wind, -GRAVITY, 0);
        sn_world *world = make_world(settings);
        sn_node node = add_node(world, (vec){0, 0, 0}, mass);
        sn_constraint motor = put_on_slide(world, node, 10, strength);
        double force[SN_MAX_ROWS];
        for (int k = 1; k <= 300; k++) {
            advance(world, h, 1);
            forces_of(world, motor, force);
            CHECK_REL(force[2], strength, TOL(1e-14, 1e-6));
            /* -w n (f_0 + 0.6 f_1) is the wind, and 0.8 f_1 is nothing. */
            CHECK_NEAR(force[0], -mass * wind, TOL(1e-9, 1e-2) * mass * wind);
            CHECK_NEAR(force[1], 0, TOL(1e-9, 1e-2) * mass * wind);
        }
        vec v = velocity_of(world, node), x = position_of(world, node);
        CHECK_REL(v.y, (strength / mass - GRAVITY) * 300 * h, TOL(1e-10, 1e-4));
        CHECK_NEAR(x.x, 0, TOL(1e-12, 1e-6));
        CHECK_NEAR(x.z, 0, TOL(1e-12, 1e-6));
        sn_world_destroy(world);
    }
}

/* Strong enough, it lifts with its strength until it is there, and then holds the weight. */
TEST(strong_motor_arrives_and_holds) {
    const double h = 1.0 / 600, mass = 2, strength = 25;
    FOR_EVERY_WAY(settings) {
        sn_world *world = make_world(settings);
        sn_node node = add_node(world, (vec){0, 0, 0}, mass);
        sn_constraint motor = put_on_slide(world, node, 0.5, strength);
        double force[SN_MAX_ROWS], up = strength / mass - GRAVITY;
        advance(world, h, 120);
        CHECK_REL(velocity_of(world, node).y, up * 120 * h, TOL(1e-10, 1e-4));
        /* Undamped, it would swing about its target, as anything that can brake so much only. */
        settings.damping = 5;
        CHECK_OK(sn_world_set_settings(world, &settings));
        for (int k = 0; k < 3000; k++) {
            advance(world, h, 1);
            forces_of(world, motor, force);
            CHECK(fabs(force[2]) <= strength * (1 + TOL(1e-14, 1e-6)));
        }
        CHECK_NEAR(position_of(world, node).y, 0.5, TOL(1e-9, 1e-5));
        CHECK_NEAR(force[2], mass * GRAVITY, TOL(1e-6, 0.2) * mass * GRAVITY);
        sn_world_destroy(world);
    }
}

/* Its strength is in N, whatever the substep and whatever the model, and may change at any time. */
TEST(strength_does_not_depend_on_the_step) {
    static const double steps[] = {1.0 / 60, 1.0 / 600, 1.0 / 6000};
    for (int model = SN_MODEL_XPBD; model <= SN_MODEL_PBD; model++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.model = (sn_model)model;
        sn_world *world = make_world(settings);
        sn_constraint motor = put_on_slide(world, add_node(world, (vec){0, 0, 0}, 1), 50, 7);
        double force[SN_MAX_ROWS];
        for (int k = 0; k < 6; k++) {
            sn_real strength[3] = {(sn_real)(3 + k), 0, 0};
            check_case("model %d, h = %g s", model, steps[k % 3]);
            CHECK_OK(sn_constraint_set_field(world, motor, "strength", strength));
            advance(world, steps[k % 3], 2);
            forces_of(world, motor, force);
            CHECK_REL(force[2], 3 + k, TOL(1e-14, 1e-6));
        }
        sn_world_destroy(world);
    }
}

/* ---- A hinge: one frame that turns about z, and stops at an angle ---- */

static sn_world *make_hinge(sn_settings settings, sn_node *node, sn_constraint *made) {
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    *node = add_limited_frame(world, 0, made);
    return world;
}

static double angle_of(const sn_world *world, sn_node node) {
    quat q = orientation_of(world, node);
    return 2 * atan2(q.z, q.w);
}

/* On its free side a limit does nothing at all; on the other it stops the door. */
TEST(limit_holds_on_one_side) {
    const double h = 1.0 / 600;
    FOR_EVERY_WAY(settings) {
        sn_node node;
        sn_constraint made;
        sn_world *world = make_hinge(settings, &node, &made);
        double force[SN_MAX_ROWS];
        set_spin(world, node, (vec){0, 0, 2});
        for (int k = 0; k < 300; k++) {
            advance(world, h, 1);
            forces_of(world, made, force);
            CHECK(force[2] == 0);
        }
        CHECK_REL(angle_of(world, node), 1, TOL(1e-9, 1e-4));
        set_spin(world, node, (vec){0, 0, -2});
        for (int k = 0; k < 600; k++) {
            advance(world, h, 1);
            forces_of(world, made, force);
            CHECK(force[2] >= 0);
            CHECK(angle_of(world, node) > -0.5 - 0.002);
        }
        /* A sweep takes the sine for a line. */
        CHECK_NEAR(angle_of(world, node), -0.5, 2e-4);
        sn_world_destroy(world);
    }
}

/* ---- Bounds that are not reached ---- */

/* Without bounds that act, a bounded type has the bits of one that is not. */
TEST(far_bounds_change_nothing) {
    for (int kind = 0; kind < USER_KINDS; kind++) {
        for (int solver = 0; solver < RIG_SOLVERS; solver++) {
            uint64_t hash[2];
            for (int bounded = 0; bounded < 2; bounded++) {
                sn_user_type_def type = user_type_def((user_kind)kind);
                rig_options options = rig_options_default();
                if (type.unit_gradient) type.unit_gradient = false, type.numerical = true;
                type.bounded = bounded == 1;
                options.user_type = &type;
                options.settings.iterations = 3;
                rig_use_solver(&options.settings, solver);
                check_case("%s, %s", type.name, rig_solvers[solver].name);
                rig r;
                REQUIRE_OK(rig_make(&r, SN_TYPE_COUNT, &options));
                rig_deform(&r, 0.2, 1);
                for (int k = 0; k < 20; k++) REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
                hash[bounded] = sn_world_hash(r.world);
                rig_free(&r);
            }
            CHECK(hash[0] == hash[1]);
        }
    }
}

TESTS(RUN(weak_motor_gives_all_it_has), RUN(strong_motor_arrives_and_holds),
      RUN(strength_does_not_depend_on_the_step), RUN(limit_holds_on_one_side),
      RUN(far_bounds_change_nothing))
