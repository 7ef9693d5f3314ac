/*
 * Input that is degenerate, massless, huge, tiny or not a number, for every type: what cannot be
 * meant is refused, what can be meant never makes a number that is none, and nothing moves that
 * has no reason to.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *type_name(int type) {
    return sn_type_get_info((sn_type)type)->name;
}

/* Makes a rig that may be refused as degenerate, and as nothing else. */
static bool make(rig *r, int type, const rig_options *options) {
    sn_result result = rig_make(r, (sn_type)type, options);
    CHECK(result == SN_OK || result == SN_ERROR_DEGENERATE);
    if (result != SN_OK) {
        rig_free(r);
    }
    return result == SN_OK;
}

static void steps(rig *r, int count, double dt) {
    for (int i = 0; i < count; i++) {
        CHECK_OK(sn_world_step(r->world, (sn_real)dt));
    }
    CHECK(rig_is_finite(r->world));
}

/* ---- Shapes ---- */

/* Brings all nodes to node 0, to a line or to a plane. */
static void collapse(rig *r, int dimension) {
    rig_state state = rig_get_state(r);
    for (int k = 1; k < r->nodes; k++) {
        for (int axis = dimension; axis < 3; axis++) {
            state.x[k][axis] = state.x[0][axis];
        }
    }
    rig_set_state(r, &state);
}

TEST(collapsed_shapes_stay_finite) {
    static const double compliances[] = {0, 1e-6, 1e30};
    FOR_EACH_TYPE(type) {
        for (int dimension = 0; dimension < 3; dimension++) {
            for (size_t i = 0; i < COUNT(compliances); i++) {
                for (int solver = 0; solver < RIG_SOLVERS; solver++) {
                    check_case("%s, dimension %d, compliance %g, %s", type_name(type), dimension,
                               compliances[i], rig_solvers[solver].name);
                    rig_options options = rig_options_default();
                    options.compliance = compliances[i];
                    options.damping = 10;
                    rig_use_solver(&options.settings, solver);
                    options.settings.iterations = 3;
                    rig r;
                    if (!make(&r, type, &options)) {
                        continue;
                    }
                    rig_state x;
                    collapse(&r, dimension);
                    x = rig_get_state(&r);
                    steps(&r, 1, 0.01);
                    /* Finite is not enough: nothing is flung away. */
                    CHECK(rig_moved_by(&r, &x) < 100);
                    steps(&r, 5, 0.01);
                    rig_free(&r);
                }
            }
        }
    }
}

TEST(coincident_nodes_are_refused_or_stay_finite) {
    FOR_EACH_TYPE(type) {
        check_case("%s", type_name(type));
        rig_options options = rig_options_default();
        options.coincident = true;
        rig r;
        if (!make(&r, type, &options)) {
            continue;
        }
        rig_state x = rig_get_state(&r);
        steps(&r, 3, 0.01);
        /* Made like this, they are at rest like this. */
        CHECK(rig_moved_by(&r, &x) == 0);
        rig_throw(&r, 1, 5);
        steps(&r, 3, 0.01);
        rig_free(&r);
    }
}

/* ---- Masses ---- */

TEST(massless_nodes_do_not_move) {
    static const double compliances[] = {0, 1e-3};
    FOR_EACH_TYPE(type) {
        for (size_t i = 0; i < COUNT(compliances); i++) {
            for (int solver = 0; solver < RIG_SOLVERS; solver++) {
                check_case("%s, compliance %g, %s", type_name(type), compliances[i],
                           rig_solvers[solver].name);
                rig_options options = rig_options_default();
                options.massless = true;
                options.compliance = compliances[i];
                rig_use_solver(&options.settings, solver);
                options.settings.gravity = (sn_vec3){0, -10, 0};
                rig r;
                rig_state x;
                REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
                rig_deform(&r, 0.3, 3);
                x = rig_get_state(&r);
                steps(&r, 3, 0.01);
                CHECK(rig_moved_by(&r, &x) == 0);
                if (compliances[i] == 0) {
                    /* Nothing can be moved, so nothing is pushed. */
                    sn_real force[SN_MAX_ROWS] = {0};
                    CHECK_OK(sn_constraint_force(r.world, r.constraint, force));
                    for (int row = 0; row < r.info->rows; row++) {
                        CHECK(force[row] == 0);
                    }
                }
                rig_free(&r);
            }
        }
    }
}

TEST(masses_of_every_size_converge_alike) {
    static const double masses[] = {1e-6, 1e-3, 1e3, 1e6};
    FOR_EACH_TYPE(type) {
        for (size_t i = 0; i < COUNT(masses); i++) {
            check_case("%s, mass %g", type_name(type), masses[i]);
            rig_options options = rig_options_default();
            options.mass = masses[i];
            options.settings.iterations = 100;
            rig r;
            REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
            rig_deform(&r, 0.2, 3);
            rig_value before = rig_evaluate(&r);
            steps(&r, 1, 0.01);
            rig_value after = rig_evaluate(&r);
            /* A length goes down along itself alone, which is steepest descent; several of one
               constraint take more sweeps. */
            double left = rig_length_rows(&r) > 1 ? 0.05 : r.lengths ? 1e-3 : 1e-6;
            CHECK(after.norm < left * before.norm + 64 * RIG_EPSILON * after.size);
            rig_free(&r);
        }
    }
}

TEST(mass_ratios_stay_finite) {
    FOR_EACH_TYPE(type) {
        check_case("%s", type_name(type));
        rig_options options = rig_options_default();
        options.settings.iterations = 5;
        rig r;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        for (int k = 0; k < r.moved; k++) {
            sn_real w = (sn_real)(k % 2 == 0 ? 1e-6 : 1e6);
            REQUIRE_OK(sn_node_set_inverse_mass(r.world, r.node[k], w));
            if (k < r.frames) {
                sn_vec3 inertia = {w, w, w};
                REQUIRE_OK(sn_node_set_inverse_inertia(r.world, r.node[k], inertia));
            }
        }
        rig_deform(&r, 0.2, 3);
        rig_state x = rig_get_state(&r);
        steps(&r, 1, 0.01);
        CHECK(rig_moved_by(&r, &x) < 10);
        steps(&r, 10, 0.01);
        rig_free(&r);
    }
}

/* Rows that one node has to answer alone depend on each other, and most of what they ask for is
   rounding. What is not finite then is frozen, and so looks as if it were. */
TEST(one_node_that_moves_stays_finite) {
    FOR_EACH_TYPE(type) {
        for (int seed = 1; seed <= 100; seed++) {
            rig_options options = rig_options_default();
            options.seed = (uint64_t)seed;
            options.settings.model = seed % 2 ? SN_MODEL_PBD : SN_MODEL_XPBD;
            rig r;
            if (!make(&r, type, &options)) {
                continue;
            }
            rig_state made = rig_get_state(&r);
            for (int k = 0; k < r.moved; k++) {
                if (k != seed % r.moved) {
                    REQUIRE_OK(sn_node_set_inverse_mass(r.world, r.node[k], 0));
                }
            }
            for (int way = 0; way < 10; way++) {
                const sn_freeze_event *events;
                size_t frozen = 0;
                check_case("%s, seed %d, way %d", type_name(type), seed, way);
                rig_set_state(&r, &made);
                rig_throw(&r, 0, 1);
                rig_deform(&r, 0.3 * (1 + way), (uint64_t)way);
                steps(&r, 1, 0.01);
                CHECK_OK(sn_world_freezes(r.world, &events, &frozen));
                CHECK(frozen == 0);
            }
            rig_free(&r);
        }
    }
}

/* ---- Sizes ---- */

TEST(shapes_of_every_size_stay_in_bounds) {
    static const double scales[] = {1e-12, 1e-6, 1e-3, 1e3, 1e6};
    FOR_EACH_TYPE(type) {
        for (size_t i = 0; i < COUNT(scales); i++) {
            for (int soft = 0; soft < 2; soft++) {
                check_case("%s, scale %g, %s", type_name(type), scales[i], soft ? "soft" : "hard");
                rig_options options = rig_options_default();
                options.scale = scales[i];
                options.compliance = soft ? 1e-4 : 0;
                options.damping = 1;
                options.settings.iterations = 5;
                rig r;
                rig_state x;
                if (!make(&r, type, &options)) {
                    CHECK(scales[i] < 1e-3);
                    continue;
                }
                rig_deform(&r, 0.1, 3);
                x = rig_get_state(&r);
                steps(&r, 1, 0.01);
                CHECK(rig_moved_by(&r, &x) < 10 * scales[i]);
                steps(&r, 10, 0.01);
                rig_free(&r);
            }
        }
    }
}

/* ---- Coefficients and steps ---- */

/* Every pair of extremes of compliance and damping, and every length of a substep. */
TEST(extreme_coefficients_stay_finite) {
    static const double compliances[] = {0, 1e-30, 1, 1e30, (double)SN_REAL_MAX};
    static const double dampings[] = {0, 1e-30, 1, 1e30, (double)SN_REAL_MAX};
    static const double dts[] = {1e-6, 1e-3, 1e3};
    FOR_EACH_TYPE(type) {
        for (size_t i = 0; i < COUNT(compliances); i++) {
            for (size_t j = 0; j < COUNT(dampings); j++) {
                for (size_t k = 0; k < COUNT(dts); k++) {
                    check_case("%s, compliance %g, damping %g, dt %g", type_name(type),
                               compliances[i], dampings[j], dts[k]);
                    rig_options options = rig_options_default();
                    options.compliance = compliances[i];
                    options.damping = dampings[j];
                    options.settings.iterations = 2;
                    rig r;
                    rig_state x;
                    REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
                    rig_deform(&r, 0.1, 3);
                    x = rig_get_state(&r);
                    steps(&r, 1, dts[k]);
                    CHECK(rig_moved_by(&r, &x) < 10);
                    if (compliances[i] >= 1e30) {
                        CHECK_NEAR(rig_moved_by(&r, &x), 0, 1e-6);
                    }
                    steps(&r, 5, dts[k]);
                    rig_free(&r);
                }
            }
        }
    }
}

TEST(alternating_steps_stay_finite) {
    static const double dts[] = {1e-2, 1e-6, 3e-7, 0, 0.1, 1e-5};
    FOR_EACH_TYPE(type) {
        for (int model = 0; model < 2; model++) {
            check_case("%s, model %d", type_name(type), model);
            rig_options options = rig_options_default();
            options.settings.model = (sn_model)model;
            options.settings.substeps = 20;
            options.compliance = 1e-4;
            options.stiffness = 0.5;
            rig r;
            REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
            rig_deform(&r, 0.1, 3);
            rig_state x = rig_get_state(&r);
            double time = 0;
            for (int i = 0; i < 30; i++) {
                double dt = dts[(size_t)i % COUNT(dts)];
                steps(&r, 1, dt);
                time += (double)(sn_real)dt;
            }
            CHECK_NEAR(sn_world_time(r.world), time, 1e-12);
            CHECK(rig_moved_by(&r, &x) > 0);
            rig_free(&r);
        }
    }
}

/* ---- Fields ---- */

/* A refused value of a field is refused on every way in, by name, and leaves no trace. */
static void refuse_value(rig *r, const sn_field_info *field, int component, sn_real value) {
    rig_def good;
    rig_def bad;
    rig_def now;
    rig_def_fill(r->info, r->node, &good);
    CHECK_OK(sn_constraint_get(r->world, r->constraint, &good));
    uint64_t hash = sn_world_hash(r->world);

    memcpy(&bad, &good, r->info->def_size);
    sn_real three[3];
    CHECK_OK(sn_constraint_get_field(r->world, r->constraint, field->name, three));
    three[component] = value;
    if (field->kind == SN_FIELD_SIDE || field->kind == SN_FIELD_CHOICE) {
        rig_field_set(field, &bad, (double)value);
    } else {
        size_t at = field->offset + (size_t)component * sizeof value;
        memcpy(bad.bytes + at, &value, sizeof value);
    }

    sn_constraint other;
    CHECK_FAILS(sn_constraint_create(r->world, r->type, &bad, &other), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), field->name) != NULL);
    CHECK(strstr(sn_last_error(), r->info->name) != NULL);
    CHECK_FAILS(sn_constraint_set(r->world, r->constraint, &bad), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), field->name) != NULL);
    CHECK_FAILS(sn_constraint_set_field(r->world, r->constraint, field->name, three),
                SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), field->name) != NULL);

    rig_def_fill(r->info, r->node, &now);
    CHECK_OK(sn_constraint_get(r->world, r->constraint, &now));
    CHECK(memcmp(&now, &good, r->info->def_size) == 0);
    CHECK(sn_world_constraint_count(r->world, SN_TYPE_COUNT) == 1);
    CHECK(sn_world_hash(r->world) == hash);
}

TEST(values_outside_their_range_are_refused) {
    const double most_real = (double)SN_REAL_MAX;
    FOR_EACH_TYPE(type) {
        rig_options options = rig_options_default();
        rig r;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        for (size_t i = 0; i < r.info->field_count; i++) {
            const sn_field_info *field = &r.info->fields[i];
            check_case("%s, field %s", r.info->name, field->name);
            if (field->kind == SN_FIELD_SIDE || field->kind == SN_FIELD_CHOICE) {
                refuse_value(&r, field, 0, (sn_real)(field->most + 1));
                refuse_value(&r, field, 0, -1);
                sn_real between[3] = {(sn_real)0.5, 0, 0};
                CHECK_FAILS(sn_constraint_set_field(r.world, r.constraint, field->name, between),
                            SN_ERROR_VALUE);
                continue;
            }
            for (int component = 0; component < (field->kind == SN_FIELD_VEC3 ? 3 : 1);
                 component++) {
                refuse_value(&r, field, component, (sn_real)NAN);
                refuse_value(&r, field, component, (sn_real)INFINITY);
                refuse_value(&r, field, component, (sn_real)-INFINITY);
                if (field->least > -most_real) {
                    refuse_value(&r, field, component, (sn_real)(field->least - 1));
                }
                if (field->most < most_real) {
                    refuse_value(&r, field, component, (sn_real)(field->most + 1));
                }
                if (!field->automatic && field->least > -most_real) {
                    refuse_value(&r, field, component, SN_AUTO);
                }
            }
        }
        rig_free(&r);
    }
}

TEST(nodes_that_cannot_be_meant_are_refused) {
    FOR_EACH_TYPE(type) {
        rig_options options = rig_options_default();
        rig r;
        rig s;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        REQUIRE_OK(rig_make(&s, (sn_type)type, &options));
        sn_node dead;
        sn_node_def node_def = sn_node_def_default();
        REQUIRE_OK(sn_node_create(r.world, &node_def, &dead));
        REQUIRE_OK(sn_node_destroy(r.world, dead));
        sn_node particle;
        node_def.inverse_mass = 0;
        REQUIRE_OK(sn_node_create(r.world, &node_def, &particle));
        uint64_t hash = sn_world_hash(r.world);
        for (int k = 0; k < r.nodes; k++) {
            check_case("%s, node %d", r.info->name, k);
            sn_node nodes[RIG_MAX_NODES];
            sn_constraint made = {9, 9, 9};
            rig_def def;

            memcpy(nodes, r.node, sizeof nodes);
            nodes[k] = s.node[k];
            rig_def_fill(r.info, nodes, &def);
            CHECK_FAILS(sn_constraint_create(r.world, r.type, &def, &made), SN_ERROR_FOREIGN);
            CHECK(strstr(sn_last_error(), r.info->name) != NULL);

            nodes[k] = dead;
            rig_def_fill(r.info, nodes, &def);
            CHECK_FAILS(sn_constraint_create(r.world, r.type, &def, &made), SN_ERROR_STALE);

            nodes[k] = r.node[k];
            nodes[k].generation++;
            rig_def_fill(r.info, nodes, &def);
            CHECK_FAILS(sn_constraint_create(r.world, r.type, &def, &made), SN_ERROR_ID);

            nodes[k] = r.node[k];
            nodes[k].slot = 4000000000u;
            rig_def_fill(r.info, nodes, &def);
            CHECK_FAILS(sn_constraint_create(r.world, r.type, &def, &made), SN_ERROR_ID);

            nodes[k] = (sn_node){0, 0, 0};
            rig_def_fill(r.info, nodes, &def);
            if (k < r.moved) {
                CHECK_FAILS(sn_constraint_create(r.world, r.type, &def, &made), SN_ERROR_ID);
            }

            nodes[k] = r.node[0];
            rig_def_fill(r.info, nodes, &def);
            if (k > 0) {
                CHECK_FAILS(sn_constraint_create(r.world, r.type, &def, &made),
                            SN_ERROR_DEGENERATE);
                CHECK(strstr(sn_last_error(), "node") != NULL);
            }
            if (k < r.frames) {
                nodes[k] = particle;
                rig_def_fill(r.info, nodes, &def);
                CHECK_FAILS(sn_constraint_create(r.world, r.type, &def, &made), SN_ERROR_VALUE);
                CHECK(strstr(sn_last_error(), "oriented") != NULL);
            }
            CHECK(sn_world_constraint_count(r.world, SN_TYPE_COUNT) == 1);
            CHECK(sn_world_hash(r.world) == hash);
        }
        rig_free(&r);
        rig_free(&s);
    }
}

/* ---- Disabled ---- */

static void check_enabled(const rig *r, bool expected) {
    bool enabled = !expected;
    CHECK_OK(sn_constraint_get_enabled(r->world, r->constraint, &enabled));
    CHECK(enabled == expected);
}

static void check_no_force(const rig *r) {
    sn_real force[SN_MAX_ROWS];
    CHECK_OK(sn_constraint_force(r->world, r->constraint, force));
    for (int row = 0; row < r->info->rows; row++) CHECK(force[row] == 0);
}

/* Throws everything and steps; what a world without the constraint makes of it is `free`. */
static void check_does_nothing(rig *r, int type, const rig_options *options, double amount) {
    rig free;
    if (!CHECK(make(&free, type, options))) return;
    CHECK_OK(sn_constraint_destroy(free.world, free.constraint));
    rig_state x = rig_get_state(r);
    /* Both, because orientations are normalised when they are set. */
    rig_set_state(&free, &x);
    rig_set_state(r, &x);
    rig_throw(&free, amount, 5);
    rig_throw(r, amount, 5);
    steps(&free, 3, 0.01);
    steps(r, 3, 0.01);
    rig_state one = rig_get_state(r), other = rig_get_state(&free);
    CHECK(memcmp(&one, &other, sizeof one) == 0);
    check_no_force(r);
    rig_free(&free);
}

TEST(disabled_constraints_do_nothing_and_come_back) {
    static const double compliances[] = {0, 1e-4};
    FOR_EACH_TYPE(type)
    for (size_t i = 0; i < COUNT(compliances); i++)
        for (int solver = 0; solver < RIG_SOLVERS; solver++) {
            check_case("%s, compliance %g, %s", type_name(type), compliances[i],
                       rig_solvers[solver].name);
            rig_options options = rig_options_default();
            options.compliance = compliances[i];
            options.damping = 10;
            rig_use_solver(&options.settings, solver);
            options.settings.iterations = 2;
            options.settings.keep_forces = true;
            rig r;
            rig_def before, after;
            if (!make(&r, type, &options)) continue;
            rig_deform(&r, 0.3, 3);
            CHECK_OK(sn_type_default(r.type, &before));
            CHECK_OK(sn_type_default(r.type, &after));
            CHECK_OK(sn_constraint_get(r.world, r.constraint, &before));
            rig_value value = rig_evaluate(&r);
            CHECK_OK(sn_constraint_set_enabled(r.world, r.constraint, false));
            check_enabled(&r, false);
            CHECK_OK(sn_constraint_get(r.world, r.constraint, &after));
            CHECK(memcmp(&before, &after, r.info->def_size) == 0);
            rig_value disabled = rig_evaluate(&r);
            CHECK(memcmp(&value, &disabled, sizeof value) == 0);
            sn_measure measure;
            CHECK_OK(sn_world_measure(r.world, &measure));
            CHECK(measure.elastic_energy == 0 && measure.residual_max == 0);
            check_does_nothing(&r, type, &options, 1);
            /* It is where it was: enabled again it does what it would have done. */
            CHECK_OK(sn_constraint_set_enabled(r.world, r.constraint, true));
            check_enabled(&r, true);
            check_no_force(&r);
            rig_state x = rig_get_state(&r);
            rig_throw(&r, 0, 1);
            steps(&r, 1, 0.01);
            CHECK(rig_moved_by(&r, &x) > 0);
            rig_free(&r);
        }
}

TESTS(RUN(collapsed_shapes_stay_finite), RUN(coincident_nodes_are_refused_or_stay_finite),
      RUN(massless_nodes_do_not_move), RUN(masses_of_every_size_converge_alike),
      RUN(mass_ratios_stay_finite), RUN(one_node_that_moves_stays_finite),
      RUN(shapes_of_every_size_stay_in_bounds), RUN(extreme_coefficients_stay_finite),
      RUN(alternating_steps_stay_finite), RUN(values_outside_their_range_are_refused),
      RUN(nodes_that_cannot_be_meant_are_refused),
      RUN(disabled_constraints_do_nothing_and_come_back))
