/*
 * What is not finite stays where it is: the body freezes, an event says what happened, and
 * everything that is not touched goes on with the same bits.
 */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

enum { SIDE = 6, COUNT = SIDE * SIDE, STEPS = 6, POISONED_STEP = 2, SENTENCE = 200 };

/* Two cloths, of which the first is poisoned in the third step, or neither. */
typedef struct pair {
    sn_world *world;
    sn_body body[2];
    sn_node node[2][COUNT];
    sn_constraint own[2]; /* of the user's type, on nodes 7 and 8 of each cloth */
    bool by_force, by_formula, by_speed;
    int step;
} pair;

/* ---- The poison ---- */

static void field(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    pair *p = user;
    (void)input;
    if (p->by_force && p->step == POISONED_STEP)
        acceleration[p->node[0][COUNT - 1].slot - 1].y = (sn_real)NAN;
}

/* C = |x|^2 - 1, or not a number for the constraint whose parameter is 1, in the poisoned step. */
static void formula(void *user, const sn_user_batch *batch) {
    const pair *p = user;
    for (size_t i = 0; i < batch->count; i++) {
        sn_real x = batch->x[1][0][i], y = batch->x[1][1][i], z = batch->x[1][2][i];
        bool bad = p->by_formula && p->step == POISONED_STEP && batch->parameter[0][i] == 1;
        batch->value[0][i] = bad ? (sn_real)NAN : x * x + y * y + z * z - 1;
        for (int a = 0; a < 3; a++) {
            batch->gradient[1][a][i] = 2 * batch->x[1][a][i];
            batch->gradient[0][a][i] = -2 * batch->x[1][a][i];
        }
    }
}

/* ---- The pair ---- */

static void add_cloth(pair *p, int which, sn_type type) {
    sn_body_def body = sn_body_def_default();
    REQUIRE_OK(sn_body_create(p->world, &body, &p->body[which]));
    for (int i = 0; i < COUNT; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(i % SIDE), 0, (sn_real)(i / SIDE + 20 * which)};
        def.inverse_mass = i == 0 ? 0 : 1;
        def.body = p->body[which];
        def.oriented = i % 2 == 1;
        REQUIRE_OK(sn_node_create(p->world, &def, &p->node[which][i]));
    }
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 2; k++) {
            sn_distance_def link = sn_distance_def_default();
            sn_constraint made;
            if (k == 0 ? i % SIDE == SIDE - 1 : i + SIDE >= COUNT) continue;
            link.node[0] = p->node[which][i];
            link.node[1] = p->node[which][i + (k == 0 ? 1 : SIDE)];
            REQUIRE_OK(sn_constraint_create(p->world, SN_TYPE_DISTANCE, &link, &made));
        }
    sn_user_def own;
    REQUIRE_OK(sn_user_def_default(p->world, type, &own));
    own.node[0] = p->node[which][7];
    own.node[1] = p->node[which][8];
    own.compliance = (sn_real)1e-3;
    own.parameter[0] = which == 0 ? 1 : 0;
    REQUIRE_OK(sn_constraint_create(p->world, type, &own, &p->own[which]));
}

static void make(pair *p, sn_solver solver, sn_integrator integrator, int threads) {
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.settings.solver = solver;
    def.settings.integrator = integrator;
    def.settings.substeps = 4;
    REQUIRE_OK(sn_world_create(&def, &p->world));
    REQUIRE_OK(sn_world_add_force_field(p->world, field, p));
    const sn_user_parameter parameter = {"poison", "1", 0, 1, 0};
    sn_user_type_def type = sn_user_type_def_default();
    sn_type number;
    type.name = "poisonous";
    type.parameter_count = 1;
    type.parameters = &parameter;
    type.formula = formula;
    type.user = p;
    REQUIRE_OK(sn_world_add_type(p->world, &type, &number));
    add_cloth(p, 0, number);
    add_cloth(p, 1, number);
}

static void step_on(pair *p) {
    if (p->by_speed && p->step == POISONED_STEP)
        REQUIRE_OK(sn_node_set_velocity(p->world, p->node[0][20], (sn_vec3){SN_REAL_MAX, 0, 0}));
    REQUIRE_OK(sn_world_step(p->world, (sn_real)(1.0 / 60)));
    p->step++;
}

static bool same(const pair *a, const pair *b, int which) {
    for (int i = 0; i < COUNT; i++) {
        sn_node_def x = sn_node_def_default(), y = sn_node_def_default();
        REQUIRE_OK(sn_node_get(a->world, a->node[which][i], &x));
        REQUIRE_OK(sn_node_get(b->world, b->node[which][i], &y));
        if (memcmp(&x.position, &y.position, sizeof x.position) != 0 ||
            memcmp(&x.velocity, &y.velocity, sizeof x.velocity) != 0)
            return false;
    }
    return true;
}

static void check_frozen(const pair *p, const pair *before) {
    for (int i = 0; i < COUNT; i++) {
        sn_node_def now = sn_node_def_default(), then = sn_node_def_default();
        REQUIRE_OK(sn_node_get(p->world, p->node[0][i], &now));
        REQUIRE_OK(sn_node_get(before->world, before->node[0][i], &then));
        CHECK(memcmp(&now.position, &then.position, sizeof now.position) == 0);
        CHECK(now.velocity.x == 0 && now.velocity.y == 0 && now.velocity.z == 0);
        CHECK(now.inverse_mass == 0);
        CHECK(!now.oriented || now.inverse_inertia.x == 0);
    }
}

static void check_event(const pair *p) {
    const sn_freeze_event *event = NULL;
    size_t count = 0;
    CHECK_OK(sn_world_freezes(p->world, &event, &count));
    if (!CHECK(count == 1)) return;
    CHECK(event->body.slot == p->body[0].slot && event->step == POISONED_STEP);
    CHECK(event->nodes == COUNT && event->substep == 0);
    CHECK(sn_node_is_valid(p->world, event->node));
    CHECK(event->node.slot >= p->node[0][0].slot && event->node.slot <= p->node[0][COUNT - 1].slot);
    if (p->by_formula)
        CHECK(memcmp(&event->constraint, &p->own[0], sizeof p->own[0]) == 0);
    else
        CHECK(event->constraint.slot == 0 || sn_constraint_is_valid(p->world, event->constraint));
}

static void poison(sn_solver solver, sn_integrator integrator, int threads, int how) {
    static pair healthy, ill, before;
    memset(&healthy, 0, sizeof healthy);
    memset(&ill, 0, sizeof ill);
    memset(&before, 0, sizeof before);
    ill.by_force = how == 0;
    ill.by_formula = how == 1;
    ill.by_speed = how == 2;
    make(&healthy, solver, integrator, threads);
    make(&ill, solver, integrator, threads);
    make(&before, solver, integrator, threads);
    for (int step = 0; step < STEPS; step++) {
        if (step < POISONED_STEP) step_on(&before);
        step_on(&healthy);
        step_on(&ill);
        CHECK(same(&healthy, &ill, 1));
        CHECK(same(&healthy, &ill, 0) == (step < POISONED_STEP));
        if (step == POISONED_STEP) check_event(&ill);
        if (step >= POISONED_STEP) check_frozen(&ill, &before);
        size_t count = 1;
        const sn_freeze_event *event;
        CHECK_OK(sn_world_freezes(healthy.world, &event, &count));
        CHECK(count == 0);
    }
    sn_world_destroy(healthy.world);
    sn_world_destroy(ill.world);
    sn_world_destroy(before.world);
}

TEST(a_body_freezes_and_the_others_go_on) {
    static const char *const ways[] = {"force field", "formula", "speed"};
    static const sn_solver solvers[] = {SN_SOLVER_COLOURED, SN_SOLVER_REFERENCE, SN_SOLVER_JACOBI,
                                        SN_SOLVER_HYBRID, SN_SOLVER_AVERAGED};
    for (int how = 0; how < 3; how++)
        for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++)
            for (int second = 0; second < 2; second++)
                for (int threads = 1; threads <= 2; threads++) {
                    check_case("%s, solver %d, integrator %d, %d threads", ways[how],
                               (int)solvers[s], second, threads);
                    poison(solvers[s], second ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1, threads,
                           how);
                }
}

static void note(void *user, sn_log_level level, const char *text) {
    if (level == SN_LOG_ERROR) snprintf(user, SENTENCE, "%s", text);
}

/* Without a body only what is not finite itself freezes. */
TEST(nodes_without_a_body) {
    char said[SENTENCE] = "";
    sn_world_def with = sn_world_def_default();
    sn_world *world = NULL;
    sn_node node[3];
    with.log = note;
    with.log_user = said;
    REQUIRE_OK(sn_world_create(&with, &world));
    for (int i = 0; i < 3; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)i, 0, 0};
        if (i == 1) {
            def.velocity = (sn_vec3){0, SN_REAL_MAX, 0};
            def.oriented = true;
            def.orientation = (sn_quat){0, 0, (sn_real)0.6, (sn_real)0.8};
        }
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    for (int step = 0; step < 3; step++) REQUIRE_OK(sn_world_step(world, 1));
    sn_node_def def = sn_node_def_default();
    CHECK_OK(sn_node_get(world, node[1], &def));
    CHECK(def.inverse_mass == 0 && isfinite(def.position.y));
    CHECK(def.orientation.z == (sn_real)0.6 && def.orientation.w == (sn_real)0.8);
    CHECK_OK(sn_node_get(world, node[2], &def));
    CHECK(def.inverse_mass == 1 && def.position.y < -40);
    CHECK(strstr(said, "node 1 is not finite; 1 nodes of its body are frozen"));
    const sn_freeze_event *event;
    size_t count;
    CHECK_FAILS(sn_world_freezes(NULL, &event, &count), SN_ERROR_NULL);
    CHECK_FAILS(sn_world_freezes(world, NULL, &count), SN_ERROR_NULL);
    CHECK_FAILS(sn_world_freezes(world, &event, NULL), SN_ERROR_NULL);
    sn_world_destroy(world);
}

TESTS(RUN(a_body_freezes_and_the_others_go_on), RUN(nodes_without_a_body))
