#include "stage.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "constraints/rig.h"

/* ---- Making ---- */

static sn_node add_node(sn_world *world, sn_real x, sn_real y, sn_real w, sn_body body) {
    sn_node node;
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){x, y, x * y};
    def.velocity = (sn_vec3){y, 1, x};
    def.inverse_mass = w;
    def.radius = (sn_real)0.125;
    def.group = 7;
    def.body = body;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

static void build(stage_world *w) {
    static const sn_body none;
    memset(w, 0, sizeof *w);
    REQUIRE_OK(sn_world_create(NULL, &w->world));

    /* Dead ones first, so that living ones take over their slots and only generations differ. */
    sn_body_def body_def = sn_body_def_default();
    REQUIRE_OK(sn_body_create(w->world, &body_def, &w->dead_body));
    w->dead_node = add_node(w->world, 9, 9, 1, none);
    sn_node other = add_node(w->world, 9, 8, 1, none);
    sn_distance_def distance = sn_distance_def_default();
    distance.node[0] = w->dead_node;
    distance.node[1] = other;
    REQUIRE_OK(sn_constraint_create(w->world, SN_TYPE_DISTANCE, &distance, &w->dead_constraint));
    REQUIRE_OK(sn_constraint_destroy(w->world, w->dead_constraint));
    sn_damping_group_def damping_group = sn_damping_group_def_default();
    damping_group.nodes = &other;
    damping_group.node_count = 1;
    REQUIRE_OK(sn_damping_group_create(w->world, &damping_group, &w->dead_damping_group));
    REQUIRE_OK(sn_damping_group_destroy(w->world, w->dead_damping_group));
    REQUIRE_OK(sn_node_destroy(w->world, w->dead_node));
    REQUIRE_OK(sn_node_destroy(w->world, other));
    REQUIRE_OK(sn_body_destroy(w->world, w->dead_body));

    body_def.damping = (sn_real)0.5;
    REQUIRE_OK(sn_body_create(w->world, &body_def, &w->body));
    for (int i = 0; i < STAGE_NODES; i++) {
        w->node[i] = add_node(w->world, (sn_real)i, (sn_real)(i % 3), i == 0 ? 0 : (sn_real)0.5,
                              i < 2 ? none : w->body);
    }
    damping_group.nodes = w->node + 2;
    damping_group.node_count = 3;
    damping_group.damping = 3;
    REQUIRE_OK(sn_damping_group_create(w->world, &damping_group, &w->damping_group));
    sn_node_def frame = sn_node_def_default();
    frame.oriented = true;
    frame.orientation = (sn_quat){(sn_real)0.6, 0, 0, (sn_real)0.8};
    frame.angular_velocity = (sn_vec3){1, 2, 3};
    frame.inverse_inertia = (sn_vec3){1, 2, 2};
    REQUIRE_OK(sn_node_create(w->world, &frame, &w->frame));
    distance.node[0] = w->node[0];
    distance.node[1] = w->node[1];
    distance.compliance = (sn_real)1e-3;
    REQUIRE_OK(sn_constraint_create(w->world, SN_TYPE_DISTANCE, &distance, &w->distance));
    sn_attachment_def attachment = sn_attachment_def_default();
    attachment.node[0] = w->node[2];
    attachment.node[1] = w->node[0];
    REQUIRE_OK(sn_constraint_create(w->world, SN_TYPE_ATTACHMENT, &attachment, &w->attachment));
    REQUIRE_OK(sn_world_step(w->world, (sn_real)0.01));
    REQUIRE_OK(sn_node_add_force(w->world, w->node[1], (sn_vec3){0, 1, 0}));
    REQUIRE_OK(sn_node_set_target(w->world, w->node[0], (sn_vec3){0, 0, 1}));
    REQUIRE_OK(sn_node_add_torque(w->world, w->frame, (sn_vec3){0, 1, 0}));
}

void stage_make(stage *s) {
    build(&s->it);
    build(&s->twin);
    s->print = stage_print(&s->it);
    CHECK(s->print == stage_print(&s->twin));
}

void stage_finish(stage *s) {
    CHECK(stage_print(&s->it) == s->print);
    for (int i = 0; i < 5; i++) {
        CHECK_OK(sn_world_step(s->it.world, (sn_real)(1.0 / 60)));
        CHECK_OK(sn_world_step(s->twin.world, (sn_real)(1.0 / 60)));
    }
    CHECK(stage_print(&s->it) != s->print);
    CHECK(stage_print(&s->it) == stage_print(&s->twin));
    sn_world_destroy(s->it.world);
    sn_world_destroy(s->twin.world);
}

/* ---- Comparing ---- */

static void mix(uint64_t *print, const void *data, size_t size) {
    *print = rig_hash(*print, data, size);
}

static void mix_real(uint64_t *print, sn_real value) {
    mix(print, &value, sizeof value);
}

static void mix_vec3(uint64_t *print, sn_vec3 value) {
    mix_real(print, value.x);
    mix_real(print, value.y);
    mix_real(print, value.z);
}

/* Member by member, since padding is no part of the state. */
static void mix_settings(uint64_t *print, const sn_world *world) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    mix_vec3(print, settings.gravity);
    mix(print, &settings.substeps, sizeof settings.substeps);
    mix(print, &settings.iterations, sizeof settings.iterations);
    mix(print, &settings.solver, sizeof settings.solver);
    mix(print, &settings.model, sizeof settings.model);
    mix(print, &settings.integrator, sizeof settings.integrator);
    mix_real(print, settings.relaxation);
    mix(print, &settings.hybrid_colours, sizeof settings.hybrid_colours);
    mix(print, &settings.split_colours, sizeof settings.split_colours);
    mix(print, &settings.balanced_colours, sizeof settings.balanced_colours);
    mix(print, &settings.alternate, sizeof settings.alternate);
    mix_real(print, settings.damping);
    mix_real(print, settings.speed_limit);
    mix(print, &settings.keep_forces, sizeof settings.keep_forces);
    mix_real(print, settings.sleep_time);
    mix_real(print, settings.sleep_speed);
}

static void mix_constraint(uint64_t *print, const sn_world *world, sn_constraint constraint) {
    sn_type type = SN_TYPE_COUNT;
    REQUIRE_OK(sn_constraint_get_type(world, constraint, &type));
    const sn_type_info *info = sn_type_get_info(type);
    for (size_t i = 0; i < info->field_count; i++) {
        sn_real value[3] = {0, 0, 0};
        REQUIRE_OK(sn_constraint_get_field(world, constraint, info->fields[i].name, value));
        mix(print, value, sizeof value);
    }
    sn_real force[SN_MAX_ROWS] = {0};
    REQUIRE_OK(sn_constraint_force(world, constraint, force));
    mix(print, force, sizeof force);
}

uint64_t stage_print(const stage_world *w) {
    uint64_t print = sn_world_hash(w->world);
    for (int type = 0; type <= SN_TYPE_COUNT; type++) {
        size_t count = sn_world_constraint_count(w->world, (sn_type)type);
        mix(&print, &count, sizeof count);
    }
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(w->world, &view));
    for (size_t i = 0; i < view.count; i++) {
        mix(&print, &view.alive[i], sizeof view.alive[i]);
        if (view.alive[i]) {
            mix(&print, &view.position[i], sizeof view.position[i]);
            mix_real(&print, view.inverse_mass[i]);
            mix_real(&print, view.radius[i]);
            mix(&print, &view.group[i], sizeof view.group[i]);
        }
    }
    sn_frame_view frames;
    REQUIRE_OK(sn_world_frames(w->world, &frames));
    for (size_t i = 0; i < frames.count; i++) {
        mix(&print, &frames.orientation[i], sizeof frames.orientation[i]);
        mix(&print, &frames.angular_velocity[i], sizeof frames.angular_velocity[i]);
        mix(&print, &frames.inverse_inertia[i], sizeof frames.inverse_inertia[i]);
        mix(&print, &frames.alive[i], sizeof frames.alive[i]);
    }
    sn_body_def body = sn_body_def_default();
    REQUIRE_OK(sn_body_get(w->world, w->body, &body));
    mix_vec3(&print, body.gravity);
    mix_real(&print, body.damping);
    mix_real(&print, body.rigid_damping);
    mix(&print, &body.may_sleep, sizeof body.may_sleep);
    mix(&print, &body.solver, sizeof body.solver);
    sn_damping_group_def damping_group = sn_damping_group_def_default();
    REQUIRE_OK(sn_damping_group_get(w->world, w->damping_group, &damping_group));
    mix_real(&print, damping_group.damping);
    for (size_t i = 0; i < damping_group.node_count; i++) {
        mix(&print, &damping_group.nodes[i].slot, sizeof damping_group.nodes[i].slot);
    }
    mix_settings(&print, w->world);
    mix_constraint(&print, w->world, w->distance);
    mix_constraint(&print, w->world, w->attachment);
    return print;
}

void stage_mark(void) {
    sn_type type;
    CHECK_FAILS(sn_type_by_name("a name that marks the last error", &type), SN_ERROR_NAME);
}

void stage_refused(const stage *s, sn_result result, sn_result expected, const char *words,
                   const char *call, const char *file, int line) {
    check_result(result, expected, call, file, line);
    bool left_over = strstr(sn_last_error(), "marks the last error") != NULL;
    check_true(!left_over, "the sentence is about this call", file, line);
    char text[256];
    snprintf(text, sizeof text, "%s", words);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        if (strstr(sn_last_error(), word) == NULL) {
            char failure[1024];
            snprintf(failure, sizeof failure, "\"%s\" names %s", sn_last_error(), word);
            check_true(false, failure, file, line);
        }
    }
    if (s) {
        check_true(stage_print(&s->it) == s->print, "nothing changed", file, line);
    }
}
