/*
 * Types written by a user: their gradients (V16), also numerical ones; rows, frames and nodes that
 * are only read, beside the types of the library that do the same; the largest type there can be;
 * inequalities.
 */
#include "user_types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "constraints/rig.h"

static sn_type add_type(sn_world *world, user_kind kind, bool numerical) {
    sn_type type = SN_TYPE_COUNT;
    sn_user_type_def def = numerical ? user_type_def_numerical(kind) : user_type_def(kind);
    REQUIRE_OK(sn_world_add_type(world, &def, &type));
    return type;
}

static const char *name_of(user_kind kind) {
    return user_type_def(kind).name;
}

/* ---- Gradients ---- */

/* V16, as for the types of the library. */
TEST(gradients_are_central_differences) {
    for (int kind = 0; kind < USER_KINDS; kind++) {
        sn_user_type_def type = user_type_def((user_kind)kind);
        rig_options options = rig_options_default();
        options.user_type = &type;
        for (options.seed = 1; options.seed <= (kind == USER_CAGE ? 1 : 5); options.seed++) {
            for (int null_fixed = 0; null_fixed <= (type.fixed_nodes > 0); null_fixed++) {
                check_case("%s, seed %d, null ids %d", type.name, (int)options.seed, null_fixed);
                options.null_fixed = null_fixed == 1;
                rig r;
                REQUIRE_OK(rig_make(&r, SN_TYPE_COUNT, &options));
                rig_check_gradient(&r, TOL(1e-6, 1e-3));
                rig_deform(&r, 0.2, options.seed);
                rig_check_gradient(&r, TOL(1e-6, 1e-3));
                rig_free(&r);
            }
        }
    }
}

/* What is internal pulls nothing but its nodes: the gradients add up to zero, and so do their
   moments, with those of the frames. */
TEST(internal_types_keep_momentum) {
    for (int kind = 0; kind < USER_KINDS; kind++) {
        sn_user_type_def type = user_type_def((user_kind)kind);
        if (type.external || kind == USER_BENDING) continue;
        rig_options options = rig_options_default();
        options.user_type = &type;
        check_case("%s", type.name);
        rig r;
        REQUIRE_OK(rig_make(&r, SN_TYPE_COUNT, &options));
        rig_value value = rig_evaluate(&r);
        rig_state state = rig_get_state(&r);
        double tolerance = (type.numerical ? TOL(1e-8, 2e-3) : TOL(1e-12, 1e-5)) * value.size;
        for (int row = 0; row < type.rows; row++) {
            double sum[3] = {0, 0, 0}, moment[3] = {0, 0, 0};
            for (int k = 0; k < type.nodes + type.frames; k++) {
                const double *g = value.gradient[row][k], *x = state.x[k % type.nodes];
                double turn[3] = {0, 0, 0};
                bool node = k < type.nodes;
                if (!node) rig_rotate(state.q[k - type.nodes], g, turn);
                for (int a = 0; a < 3; a++) {
                    int b = (a + 1) % 3, c = (a + 2) % 3;
                    sum[a] += node ? g[a] : 0;
                    moment[a] += node ? x[b] * g[c] - x[c] * g[b] : turn[a];
                }
            }
            for (int a = 0; a < 3; a++) {
                CHECK_NEAR(sum[a], 0, tolerance);
                /* Rows that turn with a frame do so one by one. */
                CHECK_NEAR(moment[a], 0, tolerance);
            }
        }
        rig_free(&r);
    }
}

/* Half of the digits, for nodes and for frames, near and far, large and small. */
TEST(numerical_gradients_are_nearly_analytic) {
    static const double scales[] = {1e-3, 1, 1e3};
    for (int kind = 0; kind < USER_CAGE; kind++) {
        /* The height of a single node has no size to go by, and a segment has one of its own. */
        bool fixed = kind == USER_FLOOR || kind == USER_SEGMENT;
        for (int i = fixed ? 2 : 0; i < 3; i++) {
            double scale = fixed ? 1 : scales[i];
            check_case("%s, scale %g", name_of((user_kind)kind), scale);
            rig_value value[2];
            for (int numerical = 0; numerical < 2; numerical++) {
                sn_user_type_def type = numerical ? user_type_def_numerical((user_kind)kind)
                                                  : user_type_def((user_kind)kind);
                rig_options options = rig_options_default();
                options.user_type = &type;
                options.scale = scale;
                rig r;
                REQUIRE_OK(rig_make(&r, SN_TYPE_COUNT, &options));
                value[numerical] = rig_evaluate(&r);
                rig_free(&r);
            }
            sn_user_type_def type = user_type_def((user_kind)kind);
            for (int row = 0; row < type.rows; row++) {
                CHECK(value[0].c[row] == value[1].c[row]);
                for (int k = 0; k < type.nodes + type.frames; k++) {
                    double unit = k < type.nodes ? scale : 1;
                    for (int a = 0; a < 3; a++)
                        CHECK_NEAR(value[1].gradient[row][k][a] * unit,
                                   value[0].gradient[row][k][a] * unit,
                                   TOL(1e-9, 5e-4) * value[0].size);
                }
            }
        }
    }
}

/* Where a node is in the world is known to a millimetre there, in float; steps are multiples of
   that, so that the difference is as good as near the origin. */
TEST(numerical_gradients_far_from_the_origin) {
    static const user_kind kinds[] = {USER_FLOOR, USER_ATTACHMENT, USER_DISTANCE, USER_HINGE};
    for (int i = 0; i < 4; i++) {
        check_case("%s", name_of(kinds[i]));
        sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
        sn_type type[2] = {add_type(world, kinds[i], false), SN_TYPE_COUNT};
        sn_user_type_def def = user_type_def_numerical(kinds[i]);
        def.name = "numerical";
        REQUIRE_OK(sn_world_add_type(world, &def, &type[1]));
        sn_node node[3] = {add_node(world, (vec){9999.7, -9876.5, 8765.4}, 1),
                           add_node(world, (vec){10000.3, -9875.9, 8765.1}, 1),
                           add_node(world, (vec){9999.2, -9875.7, 8766.3}, 1)};
        if (kinds[i] == USER_ATTACHMENT) node[1] = (sn_node){0, 0, 0};
        sn_vec3 gradient[2][6] = {{{0, 0, 0}}, {{0, 0, 0}}};
        for (int k = 0; k < 2; k++) {
            sn_real value[SN_MAX_ROWS];
            sn_constraint made = constrain_user(world, type[k], node, def.nodes, NULL, 0, 0);
            CHECK_OK(sn_constraint_evaluate(world, made, value, gradient[k]));
        }
        for (int k = 0; k < def.rows * def.nodes; k++) {
            vec a = {(double)gradient[0][k].x, (double)gradient[0][k].y, (double)gradient[0][k].z};
            vec b = {(double)gradient[1][k].x, (double)gradient[1][k].y, (double)gradient[1][k].z};
            CHECK_NEAR(length(sub(a, b)), 0, TOL(1e-6, 1e-3));
        }
        sn_world_destroy(world);
    }
}

/* The step may be given. With a large one the difference is that of the function itself. */
TEST(numerical_gradients_with_a_step) {
    static const double steps[] = {0.1, 0.5};
    for (int i = 0; i < 2; i++) {
        check_case("step %g", steps[i]);
        sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
        sn_node node[2] = {add_node(world, (vec){1, 0, 0}, 1), add_node(world, (vec){1, 1, 0}, 1)};
        sn_user_type_def def = user_type_def_numerical(USER_DISTANCE);
        sn_type type;
        sn_vec3 gradient[2];
        sn_real value[SN_MAX_ROWS];
        def.difference = (sn_real)steps[i];
        REQUIRE_OK(sn_world_add_type(world, &def, &type));
        sn_constraint made = constrain_user(world, type, node, 2, NULL, 0, 0);
        CHECK_OK(sn_constraint_evaluate(world, made, value, gradient));
        CHECK_NEAR(gradient[1].y, 1, TOL(1e-12, 1e-5));
        CHECK_NEAR(gradient[0].y, -1, TOL(1e-12, 1e-5));
        /* Sideways the two ends are as long. */
        CHECK_NEAR(gradient[1].x, 0, TOL(1e-12, 1e-5));
        sn_world_destroy(world);
    }
}

/* A cloth of numerical distances behaves like one of analytic ones. */
TEST(numerical_types_are_solved) {
    double end[2];
    for (int numerical = 0; numerical < 2; numerical++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.substeps = 10;
        sn_world *world = make_world(settings);
        sn_type type = add_type(world, USER_DISTANCE, numerical == 1);
        sn_node node[11];
        double rest = 0.1;
        for (int i = 0; i <= 10; i++)
            node[i] = i == 0 ? add_pin(world, (vec){0, 0, 0})
                             : add_node(world, (vec){0.1 * i, 0, 0}, 0.01);
        for (int i = 0; i < 10; i++) constrain_user(world, type, &node[i], 2, &rest, 1, 1e-4);
        advance(world, 1.0 / 600, 200);
        end[numerical] = position_of(world, node[10]).y;
        sn_world_destroy(world);
    }
    CHECK(end[0] < -0.3);
    CHECK_NEAR(end[0], end[1], TOL(1e-7, 2e-3));
}

/* ---- Beside the types of the library that do the same ---- */

/* Everything is as far as rounding goes: they differ in the order of sums. */
static void compare_worlds(sn_world *a, sn_world *b, double tolerance) {
    sn_node_view x, y;
    sn_frame_view q, r;
    REQUIRE_OK(sn_world_nodes(a, &x));
    REQUIRE_OK(sn_world_nodes(b, &y));
    REQUIRE_OK(sn_world_frames(a, &q));
    REQUIRE_OK(sn_world_frames(b, &r));
    for (size_t i = 0; i < x.count; i++) {
        CHECK_NEAR(x.position[i].x, y.position[i].x, tolerance);
        CHECK_NEAR(x.position[i].y, y.position[i].y, tolerance);
        CHECK_NEAR(x.position[i].z, y.position[i].z, tolerance);
    }
    for (size_t i = 0; i < q.count; i++) {
        CHECK_NEAR(q.orientation[i].x, r.orientation[i].x, tolerance);
        CHECK_NEAR(q.orientation[i].y, r.orientation[i].y, tolerance);
        CHECK_NEAR(q.orientation[i].z, r.orientation[i].z, tolerance);
        CHECK_NEAR(q.orientation[i].w, r.orientation[i].w, tolerance);
    }
}

static void compare_spins(const sn_world *a, const sn_world *b, double tolerance) {
    sn_frame_view q, r;
    REQUIRE_OK(sn_world_frames(a, &q));
    REQUIRE_OK(sn_world_frames(b, &r));
    for (size_t i = 0; i < q.count; i++)
        for (int k = 0; k < 3; k++)
            CHECK_NEAR((&q.angular_velocity[i].x)[k], (&r.angular_velocity[i].x)[k], tolerance);
}

/* Forces in all rows. */
static void compare_forces(sn_world *a, sn_constraint one, sn_world *b, sn_constraint other,
                           double tolerance) {
    sn_real f[SN_MAX_ROWS] = {0}, g[SN_MAX_ROWS] = {0};
    REQUIRE_OK(sn_constraint_force(a, one, f));
    REQUIRE_OK(sn_constraint_force(b, other, g));
    for (int r = 0; r < 3; r++) CHECK_NEAR(f[r], g[r], tolerance);
}

/* A node on a soft spring to a point, or to a node that is led about. */
TEST(attachments) {
    for (int i = 0; i < 8; i++) {
        bool to_world = i % 2 == 0;
        double compliance = i / 2 % 2 == 0 ? 0 : 2e-3;
        check_case("%s, compliance %g, %d iterations", to_world ? "world" : "node", compliance,
                   1 + i / 4 * 2);
        sn_world *world[2];
        sn_constraint made[2];
        sn_node node[2][2];
        for (int user = 0; user < 2; user++) {
            sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
            settings.iterations = 1 + i / 4 * 2;
            world[user] = make_world(settings);
            node[user][0] = add_node(world[user], (vec){0.3, 0.2, -0.1}, 0.5);
            node[user][1] = (sn_node){0, 0, 0};
            if (!to_world) node[user][1] = add_pin(world[user], (vec){1, 2, 3});
            double offset[3] = {0.25, 0.25, 0.125};
            if (user) {
                sn_type type = add_type(world[user], USER_ATTACHMENT, false);
                made[user] =
                    constrain_user(world[user], type, node[user], 2, offset, 3, compliance);
            } else {
                sn_attachment_def def = sn_attachment_def_default();
                def.node[0] = node[user][0];
                def.node[1] = node[user][1];
                def.offset = vector(offset[0], offset[1], offset[2]);
                def.compliance = (sn_real)compliance;
                REQUIRE_OK(
                    sn_constraint_create(world[user], SN_TYPE_ATTACHMENT, &def, &made[user]));
            }
        }
        for (int step = 0; step < 50; step++) {
            for (int user = 0; user < 2; user++) {
                sn_vec3 target = vector(1 + 0.01 * step, 2, 3);
                if (!to_world) CHECK_OK(sn_node_set_target(world[user], node[user][1], target));
                advance(world[user], 1.0 / 600, 1);
            }
            compare_worlds(world[0], world[1], TOL(1e-13, 3e-6));
            compare_forces(world[0], made[0], world[1], made[1], TOL(1e-6, 3));
        }
        for (int user = 0; user < 2; user++) sn_world_destroy(world[user]);
    }
}

/* Two triangles bent across their edge; the user takes the coefficients that the library made. */
TEST(isometric_bending) {
    for (int i = 0; i < 4; i++) {
        double compliance = i % 2 == 0 ? 0 : 5;
        check_case("compliance %g, %d iterations", compliance, 1 + i / 2 * 3);
        sn_world *world[2];
        sn_constraint made[2];
        double c[4] = {0};
        for (int user = 0; user < 2; user++) {
            static const vec flat[4] = {{0, 0, 0}, {1, 0, 0}, {0.4, 0.8, 0}, {0.6, -0.7, 0}};
            sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
            settings.iterations = 1 + i / 2 * 3;
            world[user] = make_world(settings);
            sn_isometric_bending_def def = sn_isometric_bending_def_default();
            def.compliance = (sn_real)compliance;
            for (int k = 0; k < 4; k++) def.node[k] = add_node(world[user], flat[k], 0.1 * (k + 1));
            if (user) {
                sn_type type = add_type(world[user], USER_BENDING, false);
                made[user] = constrain_user(world[user], type, def.node, 4, c, 4, compliance);
            } else {
                sn_vec3 gradient[3 * 4];
                sn_real value[SN_MAX_ROWS];
                sn_type type = SN_TYPE_ISOMETRIC_BENDING;
                REQUIRE_OK(sn_constraint_create(world[user], type, &def, &made[user]));
                REQUIRE_OK(sn_constraint_evaluate(world[user], made[user], value, gradient));
                for (int k = 0; k < 4; k++) c[k] = (double)gradient[k].x;
            }
            CHECK_OK(sn_node_set_velocity(world[user], def.node[3], vector(0.1, 0.2, 3)));
        }
        for (int step = 0; step < 60; step++) {
            for (int user = 0; user < 2; user++) advance(world[user], 1.0 / 600, 1);
            compare_worlds(world[0], world[1], TOL(1e-12, 1e-5));
            if (compliance > 0)
                compare_forces(world[0], made[0], world[1], made[1], TOL(1e-10, 1e-4));
        }
        for (int user = 0; user < 2; user++) sn_world_destroy(world[user]);
    }
}

enum { SEGMENTS = 6 };

/* A rod without bending stiffness: every segment swings with its frame. */
static sn_world *make_segments(bool user, double compliance, int iterations,
                               sn_constraint made[SEGMENTS]) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.iterations = iterations;
    sn_world *world = make_world(settings);
    sn_node node[SEGMENTS + 1];
    sn_type type = user ? add_type(world, USER_SEGMENT, false) : SN_TYPE_STRETCH_SHEAR;
    for (int i = 0; i <= SEGMENTS; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = vector(0.2 * i, 0, 0.03 * (i % 2));
        def.inverse_mass = i == 0 ? 0 : 5;
        def.oriented = true;
        def.orientation = (sn_quat){0, (sn_real)0.70710678118654752, 0, /* z along x */
                                    (sn_real)0.70710678118654752};
        def.inverse_inertia = vector(300, 400, 500);
        def.angular_velocity = vector(4 - i, 2, i);
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    for (int i = 0; i < SEGMENTS; i++) {
        double rest = 0.2;
        if (user) {
            made[i] = constrain_user(world, type, &node[i], 2, &rest, 1, compliance);
            continue;
        }
        sn_stretch_shear_def def = sn_stretch_shear_def_default();
        def.node[0] = node[i];
        def.node[1] = node[i + 1];
        def.rest_length = (sn_real)rest;
        def.compliance = (sn_real)compliance;
        REQUIRE_OK(sn_constraint_create(world, type, &def, &made[i]));
    }
    return world;
}

TEST(segments_with_frames) {
    for (int i = 0; i < 6 * RIG_SOLVERS; i++) {
        double compliance = i % 3 == 0 ? 0 : 0.05, damping = i % 3 == 2 ? 20 : 0;
        int iterations = 1 + i / 3 % 2 * 3, solver = i / 6;
        check_case("%s, compliance %g, damping %g, %d iterations", rig_solvers[solver].name,
                   compliance, damping, iterations);
        sn_constraint made[2][SEGMENTS];
        sn_world *world[2];
        for (int user = 0; user < 2; user++) {
            world[user] = make_segments(user == 1, compliance, iterations, made[user]);
            sn_settings settings = sn_settings_default();
            sn_real value[3] = {(sn_real)damping, 0, 0};
            REQUIRE_OK(sn_world_get_settings(world[user], &settings));
            rig_use_solver(&settings, solver);
            REQUIRE_OK(sn_world_set_settings(world[user], &settings));
            for (int k = 0; k < SEGMENTS; k++)
                CHECK_OK(sn_constraint_set_field(world[user], made[user][k], "damping", value));
        }
        for (int step = 0; step < 60; step++) {
            for (int user = 0; user < 2; user++) advance(world[user], 1.0 / 600, 1);
            compare_worlds(world[0], world[1], TOL(1e-11, 1e-4));
            if (step == 0) compare_spins(world[0], world[1], TOL(1e-9, 5e-4));
        }
        /* It did swing and turn. */
        sn_frame_view frames;
        REQUIRE_OK(sn_world_frames(world[1], &frames));
        CHECK(fabs((double)frames.orientation[0].x) > 1e-2);
        for (int user = 0; user < 2; user++) sn_world_destroy(world[user]);
    }
}

/* How far a frame is turned about its z axis, for small angles. */
static void twist_formula(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        b->value[0][i] = 2 * b->q[0][2][i];
        if (!b->gradient) continue;
        for (int a = 0; a < 3; a++) b->gradient[0][a][i] = 0;
        /* q changes by q (phi, 0) / 2. */
        b->turn[0][0][i] = b->q[0][1][i];
        b->turn[0][1][i] = -b->q[0][0][i];
        b->turn[0][2][i] = b->q[0][3][i];
    }
}

/* One row on a frame: it gives way to a torque by its compliance, and comes to rest by its
   damping. */
TEST(a_row_on_a_frame) {
    double compliance = 0.02, torque = 3;
    for (int i = 0; i < 2 * RIG_SOLVERS; i++) {
        if (rig_solvers[i / 2].solver == SN_SOLVER_AVERAGED) continue;
        check_case("%s, numerical %d", rig_solvers[i / 2].name, i % 2);
        sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
        rig_use_solver(&settings, i / 2);
        sn_world *world = make_world(settings);
        sn_user_type_def type_def = sn_user_type_def_default();
        sn_type type;
        type_def.name = "twist";
        type_def.nodes = type_def.frames = 1;
        type_def.external = true;
        type_def.formula = twist_formula;
        type_def.numerical = i % 2 == 1;
        REQUIRE_OK(sn_world_add_type(world, &type_def, &type));
        sn_node_def node_def = sn_node_def_default();
        sn_user_def def;
        sn_constraint made;
        REQUIRE_OK(sn_user_def_default(world, type, &def));
        node_def.oriented = true;
        node_def.inverse_inertia = vector(1, 2, 4);
        REQUIRE_OK(sn_node_create(world, &node_def, &def.node[0]));
        def.compliance = (sn_real)compliance;
        def.damping = 4;
        REQUIRE_OK(sn_constraint_create(world, type, &def, &made));
        for (int step = 0; step < 3000; step++) {
            CHECK_OK(sn_node_add_torque(world, def.node[0], vector(0, 0, torque)));
            advance(world, 1.0 / 600, 1);
        }
        CHECK_OK(sn_node_get(world, def.node[0], &node_def));
        /* C is twice the sine of half the angle, whose slope is the cosine of that. */
        double half = asin((double)node_def.orientation.z);
        CHECK_REL(2 * sin(half), compliance * torque / cos(half), TOL(1e-6, 1e-3));
        CHECK_REL(force_of(world, made) * cos(half), -torque, TOL(1e-6, 1e-3));
        CHECK_NEAR(node_def.angular_velocity.z, 0, TOL(1e-6, 1e-3));
        sn_world_destroy(world);
    }
}

/* The parts of an orientation, doubled. */
static void level_formula(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++)
        for (int row = 0; row < 3; row++) b->value[row][i] = 2 * b->q[0][row][i];
}

/* A frame that turns about one of its axes alone comes to rest by the damping of three rows. */
TEST(rows_on_a_frame_of_one_axis) {
    for (int axis = 0; axis < 3; axis++) {
        sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
        sn_user_type_def type_def = sn_user_type_def_default();
        sn_node_def node_def = sn_node_def_default();
        sn_user_def def;
        sn_type type;
        sn_constraint made;
        sn_real free[3] = {0, 0, 0}, spin[3] = {0, 0, 0};
        type_def.name = "level";
        type_def.nodes = type_def.frames = 1;
        type_def.rows = 3;
        type_def.external = type_def.numerical = true;
        type_def.formula = level_formula;
        REQUIRE_OK(sn_world_add_type(world, &type_def, &type));
        REQUIRE_OK(sn_user_def_default(world, type, &def));
        free[axis] = 100;
        spin[axis] = 2;
        node_def.oriented = true;
        node_def.inverse_inertia = (sn_vec3){free[0], free[1], free[2]};
        node_def.angular_velocity = (sn_vec3){spin[0], spin[1], spin[2]};
        REQUIRE_OK(sn_node_create(world, &node_def, &def.node[0]));
        def.compliance = 100;
        def.damping = 10;
        REQUIRE_OK(sn_constraint_create(world, type, &def, &made));
        advance(world, 1.0 / 600, 60);
        CHECK_OK(sn_node_get(world, def.node[0], &node_def));
        sn_vec3 now = node_def.angular_velocity;
        check_case("axis %d: %g %g %g", axis, (double)now.x, (double)now.y, (double)now.z);
        CHECK(fabs((double)now.x) + fabs((double)now.y) + fabs((double)now.z) < 0.02);
        sn_world_destroy(world);
    }
}

/* ---- The largest type there can be ---- */

TEST(sixteen_nodes_with_frames_and_six_rows) {
    sn_user_type_def type = user_type_def(USER_CAGE);
    rig_options options = rig_options_default();
    options.user_type = &type;
    options.settings.iterations = 30;
    for (options.seed = 1; options.seed <= 5; options.seed++) {
        check_case("seed %d", (int)options.seed);
        rig r;
        REQUIRE_OK(rig_make(&r, SN_TYPE_COUNT, &options));
        /* All six rows at once, by Newton's way. */
        rig_value before = rig_evaluate(&r);
        CHECK(before.norm > 1e-3);
        CHECK_OK(sn_world_step(r.world, (sn_real)(1.0 / 60)));
        rig_value after = rig_evaluate(&r);
        CHECK_NEAR(after.norm / before.norm, 0, TOL(1e-14, 1e-6));
        CHECK(rig_is_finite(r.world));
        sn_measure measure = measure_of(r.world);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(measure.momentum[k], 0, TOL(1e-9, 1e-3) * sqrt(measure.kinetic_energy));
        sn_node node[SN_MAX_NODES];
        size_t count;
        CHECK_OK(sn_constraint_get_nodes(r.world, r.constraint, node, SN_MAX_NODES, &count));
        CHECK(count == 16 && memcmp(node, r.node, sizeof node) == 0);
        rig_free(&r);
    }
}

/* ---- Inequalities ---- */

/* A node falls on a floor that only pushes, and bears its weight. */
TEST(inequalities) {
    FOR_BOTH_SOLVERS(solver) {
        for (int numerical = 0; numerical < 2; numerical++) {
            check_case("%s, numerical %d", solver_name(solver), numerical);
            sn_world *world = make_world(plain_settings(solver));
            sn_node node = add_node(world, (vec){0.5, 1, 0}, 0.25);
            sn_type type = add_type(world, USER_FLOOR, numerical == 1);
            sn_user_def def;
            sn_constraint made;
            REQUIRE_OK(sn_user_def_default(world, type, &def));
            def.node[0] = node;
            def.parameter[0] = (sn_real)0.5;
            def.side = SN_SIDE_AT_LEAST;
            REQUIRE_OK(sn_constraint_create(world, type, &def, &made));
            advance(world, 1.0 / 1200, 240);
            CHECK(force_of(world, made) == 0);
            CHECK_NEAR(velocity_of(world, node).y, -GRAVITY * 0.2, TOL(1e-9, 1e-5));
            advance(world, 1.0 / 1200, 240);
            CHECK_NEAR(position_of(world, node).y, 0.5, TOL(1e-9, 1e-5));
            CHECK_REL(force_of(world, made), 0.25 * GRAVITY, TOL(1e-6, 0.05));
            CHECK_OK(sn_node_set_velocity(world, node, vector(0, 2, 0)));
            advance(world, 1.0 / 1200, 120);
            CHECK(position_of(world, node).y > 0.6);
            sn_world_destroy(world);
        }
    }
}

/* A user's hinge with a compliance: energy and force are those of C. */
TEST(compliance_and_energy) {
    sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
    sn_node node[3] = {add_pin(world, (vec){0, 0, 0}), add_pin(world, (vec){1, 0, 0}),
                       add_node(world, (vec){0, 0.5, 0}, 0.1)};
    sn_type type = add_type(world, USER_HINGE, false);
    double cosine = 0.3, compliance = 0.2;
    sn_constraint made = constrain_user(world, type, node, 3, &cosine, 1, compliance);
    CHECK_REL(measure_of(world).elastic_energy, 0.3 * 0.3 / 2 / compliance, TOL(1e-12, 1e-6));
    sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
    settings.damping = 20;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    advance(world, 1.0 / 1200, 2400);
    sn_real value[SN_MAX_ROWS];
    CHECK_OK(sn_constraint_evaluate(world, made, value, NULL));
    CHECK_NEAR(value[0], 0, TOL(1e-9, 1e-5));
    vec x = position_of(world, node[2]);
    CHECK_NEAR(x.x / length(x), cosine, TOL(1e-9, 1e-5));
    sn_world_destroy(world);
}

/* ---- Adding types while the world moves ---- */

/* A rope of links of the library; from the fifth step on, user's links as well. */
static uint64_t play_late(int added_at, int links_at) {
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    sn_node node[12];
    sn_type type[3] = {SN_TYPE_COUNT, SN_TYPE_COUNT, SN_TYPE_COUNT};
    sn_constraint first = {0, 0, 0};
    for (int i = 0; i < 12; i++) {
        vec x = {0.1 * i, 0, 0};
        node[i] = i == 0 ? add_pin(world, x) : add_node(world, x, 0.1);
        if (i > 0) first = add_link(world, node[i - 1], node[i], 0.1, 1e-4);
    }
    for (int step = 0; step < 40; step++) {
        for (int k = 0; step == added_at && k < 3; k++)
            type[k] = add_type(world,
                               k == 0   ? USER_TRIANGLE_AREA
                               : k == 1 ? USER_DISTANCE
                                        : USER_HINGE,
                               false);
        double rest = 0.25;
        for (int i = 0; step == links_at && i + 3 < 12; i++) {
            sn_node pair[2] = {node[i], node[i + 3]};
            constrain_user(world, type[1], pair, 2, &rest, 1, 1e-3);
        }
        advance(world, 1.0 / 300, 1);
    }
    if (added_at < 40) {
        CHECK(type[0] == SN_TYPE_USER && (int)type[1] == SN_TYPE_USER + 1);
        sn_type found = SN_TYPE_COUNT;
        CHECK_OK(sn_world_type_by_name(world, "user_hinge", &found));
        CHECK(found == type[2]);
        CHECK_OK(sn_world_type_by_name(world, "distance", &found));
        CHECK(found == SN_TYPE_DISTANCE);
        CHECK(sn_world_constraint_count(world, type[1]) == (size_t)(links_at < 40 ? 9 : 0));
        CHECK(sn_world_type_info(world, type[1])->nodes == 2);
        CHECK(strcmp(sn_world_type_info(world, type[1])->name, "user_distance") == 0);
    }
    /* What was made before is still there. */
    sn_type of_first = SN_TYPE_COUNT;
    CHECK_OK(sn_constraint_get_type(world, first, &of_first));
    CHECK(of_first == SN_TYPE_DISTANCE);
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

TEST(types_may_be_added_at_any_time) {
    uint64_t never = play_late(99, 99), with = play_late(0, 5);
    CHECK(play_late(0, 99) == never);
    CHECK(play_late(7, 99) == never);
    CHECK(with != never);
    CHECK(play_late(3, 5) == with);
    CHECK(play_late(5, 5) == with);
}

/* ---- Breaking ---- */

/* A formula that divides by its parameter, which is never zero by its range. */
static void spoke_formula(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        for (int r = 0; r < 3; r++) {
            b->value[r][i] = b->x[1][r][i] / b->parameter[0][i];
            for (int k = 0; k < 6; k++) b->gradient[k][r][i] = 0;
            for (int k = 0; k < 3; k++) b->turn[k][r][i] = (sn_real)(k == r) / b->parameter[0][i];
        }
        for (int r = 0; r < 3; r++) {
            b->gradient[2 * r][r][i] = -1 / b->parameter[0][i];
            b->gradient[2 * r + 1][r][i] = 1 / b->parameter[0][i];
        }
    }
}

/* What breaks in the middle of a step does nothing in the rest of it, whatever its formula makes of
   what it is shown. */
TEST(broken_in_the_middle_of_a_step) {
    static const sn_user_parameter unit[] = {{"unit", "m", 0.5, 2, 1}};
    for (int solver = 0; solver < RIG_SOLVERS; solver++) {
        check_case("%s", rig_solvers[solver].name);
        sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
        rig_use_solver(&settings, solver);
        settings.substeps = 10;
        settings.iterations = 2;
        sn_world *world = make_world(settings);
        sn_user_type_def def = sn_user_type_def_default();
        def.name = "spoke";
        def.nodes = 2;
        def.frames = 1;
        def.rows = 3;
        def.parameters = unit;
        def.parameter_count = 1;
        def.formula = spoke_formula;
        sn_type type;
        REQUIRE_OK(sn_world_add_type(world, &def, &type));
        sn_node_def oriented = sn_node_def_default();
        sn_user_def spoke;
        sn_constraint made;
        REQUIRE_OK(sn_user_def_default(world, type, &spoke));
        oriented.oriented = true;
        oriented.inverse_inertia = vector(1, 2, 3);
        REQUIRE_OK(sn_node_create(world, &oriented, &spoke.node[0]));
        spoke.node[1] = add_node(world, (vec){0.1, 0.2, 0.3}, 1);
        spoke.break_force = 1;
        REQUIRE_OK(sn_constraint_create(world, type, &spoke, &made));
        CHECK_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        const sn_break_event *events;
        size_t count;
        REQUIRE_OK(sn_world_breaks(world, &events, &count));
        CHECK(count == 1);
        if (count == 1) CHECK(events[0].type == type && events[0].substep == 0);
        CHECK(!sn_constraint_is_valid(world, made));
        CHECK(rig_is_finite(world));
        sn_world_destroy(world);
    }
}

TESTS(RUN(gradients_are_central_differences), RUN(internal_types_keep_momentum),
      RUN(numerical_gradients_are_nearly_analytic), RUN(numerical_gradients_far_from_the_origin),
      RUN(numerical_gradients_with_a_step), RUN(numerical_types_are_solved), RUN(attachments),
      RUN(isometric_bending), RUN(segments_with_frames), RUN(a_row_on_a_frame),
      RUN(rows_on_a_frame_of_one_axis), RUN(sixteen_nodes_with_frames_and_six_rows),
      RUN(inequalities), RUN(compliance_and_energy), RUN(types_may_be_added_at_any_time),
      RUN(broken_in_the_middle_of_a_step))
