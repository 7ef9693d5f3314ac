/*
 * What happens in a scene over time: forces, keyframes of kinematic nodes, and changes.
 *
 * Everything is decided at the beginning of a frame, from the time of the world, so that a run that
 * goes on from a snapshot does the same. Nodes that are gone by then are passed over.
 */
#include "scene_state.h"

#include "base/error.h"
#include "mesh/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The beginning of a frame belongs to it even where the sum of many steps is a little less. */
static const double tolerance = 1e-9; /* s */

/* ---- Forces ---- */

sn_result scene_build_force(sn_scene *s, const json_node *node) {
    scene_force_part part = {.until = SN_AUTO};
    SN_TRY(scene_read(&s->reader, node, &scene_force_object, &part));
    scene_force *force = SCENE_ADD(s->forces);
    if (!force) return SN_ERROR_MEMORY;
    force->part = part;
    return scene_select(s, part.nodes, false, &force->nodes);
}

static sn_result push_node(sn_scene *s, const scene_force *force, sn_node node) {
    const scene_force_part *p = &force->part;
    sn_vec3 f = p->force, t = p->torque;
    sn_real share = p->shared ? 1 / (sn_real)force->nodes.count : 1;
    f = (sn_vec3){f.x * share, f.y * share, f.z * share};
    if (!sn_node_is_valid(s->world, node)) return SN_OK;
    SN_TRY(sn_node_add_force(s->world, node, f));
    if (t.x == 0 && t.y == 0 && t.z == 0) return SN_OK;
    return sn_node_add_torque(s->world, node, t);
}

static sn_result apply_forces(sn_scene *s, double now) {
    for (size_t i = 0; i < s->forces.count; i++) {
        const scene_force *force = &s->forces.items[i];
        bool begun = now + tolerance >= (double)force->part.from;
        bool over = force->part.until != SN_AUTO && now + tolerance >= (double)force->part.until;
        for (size_t k = 0; begun && !over && k < force->nodes.count; k++)
            SN_TRY(push_node(s, force, force->nodes.items[k]));
    }
    return SN_OK;
}

/* ---- Motions ---- */

static sn_result read_keys(sn_scene *s, scene_motion *motion) {
    const json_node *list = motion->part.keys;
    if (list->count == 0) return scene_complain(&s->reader, list, "has no keys, expected one");
    motion->key_count = list->count;
    motion->keys = scene_take(s, list->count, sizeof *motion->keys);
    if (!motion->keys) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < list->count; i++) {
        motion->keys[i].rotation = (sn_quat){0, 0, 0, 1};
        SN_TRY(scene_read(&s->reader, &list->items[i], &scene_key_object, &motion->keys[i]));
        if (i > 0 && !(motion->keys[i].time > motion->keys[i - 1].time))
            return scene_complain(&s->reader, &list->items[i],
                                  "its time is %g s, expected more than the %g s before",
                                  (double)motion->keys[i].time, (double)motion->keys[i - 1].time);
    }
    return SN_OK;
}

static sn_result read_starts(sn_scene *s, const json_node *node, scene_motion *motion) {
    size_t count = motion->nodes.count;
    motion->start = scene_take(s, count + 1, sizeof *motion->start);
    motion->facing = scene_take(s, count + 1, sizeof *motion->facing);
    if (!motion->start || !motion->facing) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        sn_node_def def = sn_node_def_default();
        SN_TRY(sn_node_get(s->world, motion->nodes.items[i], &def));
        if (def.inverse_mass > 0)
            return scene_complain(&s->reader, node,
                                  "node %u has a mass, expected nodes that are pinned or kinematic",
                                  motion->nodes.items[i].slot - 1);
        motion->start[i] = def.position;
        motion->facing[i] = def.orientation;
    }
    return SN_OK;
}

sn_result scene_build_motion(sn_scene *s, const json_node *node) {
    scene_motion_part part = {0};
    SN_TRY(scene_read(&s->reader, node, &scene_motion_object, &part));
    scene_motion *motion = SCENE_ADD(s->motions);
    if (!motion) return SN_ERROR_MEMORY;
    motion->part = part;
    SN_TRY(scene_select(s, part.nodes, false, &motion->nodes));
    SN_TRY(read_keys(s, motion));
    return read_starts(s, part.nodes, motion);
}

/* Where a motion is at a time. */
typedef struct pose {
    sn_point shift;
    double turn[4];
} pose;

static void copy_quat(sn_quat q, double to[4]) {
    to[0] = (double)q.x;
    to[1] = (double)q.y;
    to[2] = (double)q.z;
    to[3] = (double)q.w;
}

/* Between two keys; rotations the shorter way, by the chord, which needs no trigonometry. */
static pose blend(const scene_key *a, const scene_key *b, double t) {
    double p[4], q[4], dot = 0, square = 0;
    pose result;
    result.shift = sn_point_add(sn_point_scaled(sn_point_of(a->position), 1 - t),
                                sn_point_scaled(sn_point_of(b->position), t));
    copy_quat(a->rotation, p);
    copy_quat(b->rotation, q);
    for (int i = 0; i < 4; i++) dot += p[i] * q[i];
    for (int i = 0; i < 4; i++) result.turn[i] = (1 - t) * p[i] + (dot < 0 ? -t : t) * q[i];
    for (int i = 0; i < 4; i++) square += result.turn[i] * result.turn[i];
    for (int i = 0; i < 4; i++) result.turn[i] /= sqrt(square);
    return result;
}

static pose pose_at(const scene_motion *m, double time) {
    const scene_key *keys = m->keys;
    size_t last = m->key_count - 1;
    double begin = (double)keys[0].time, span = (double)keys[last].time - begin;
    if (m->part.repeat && span > 0 && time > begin)
        time -= span * floor((time - begin) / span + tolerance);
    if (time <= begin) return blend(&keys[0], &keys[0], 0);
    if (time >= (double)keys[last].time) return blend(&keys[last], &keys[last], 0);
    size_t i = 0;
    while ((double)keys[i + 1].time <= time) i++;
    double from = (double)keys[i].time, t = (time - from) / ((double)keys[i + 1].time - from);
    if (m->part.interpolation == 1) t = t * t * (3 - 2 * t);
    return blend(&keys[i], &keys[i + 1], t);
}

static sn_quat turned(const double turn[4], sn_quat facing) {
    double q[4];
    copy_quat(facing, q);
    const double *p = turn;
    return (sn_quat){(sn_real)(p[3] * q[0] + p[0] * q[3] + (p[1] * q[2] - p[2] * q[1])),
                     (sn_real)(p[3] * q[1] + p[1] * q[3] + (p[2] * q[0] - p[0] * q[2])),
                     (sn_real)(p[3] * q[2] + p[2] * q[3] + (p[0] * q[1] - p[1] * q[0])),
                     (sn_real)(p[3] * q[3] - (p[0] * q[0] + p[1] * q[1] + p[2] * q[2]))};
}

/* A node that an action has released moves on its own. */
static sn_result move_node(sn_scene *s, const scene_motion *m, size_t i, const pose *to) {
    sn_node node = m->nodes.items[i];
    sn_node_def def = sn_node_def_default();
    if (!sn_node_is_valid(s->world, node)) return SN_OK;
    SN_TRY(sn_node_get(s->world, node, &def));
    if (def.inverse_mass > 0) return SN_OK;
    sn_point pivot = sn_point_of(m->part.pivot);
    sn_point arm = sn_point_sub(sn_point_of(m->start[i]), pivot);
    sn_point at = sn_point_add(sn_point_add(pivot, sn_point_rotated(to->turn, arm)), to->shift);
    SN_TRY(sn_node_set_target(s->world, node, sn_point_vec3(at)));
    if (!def.oriented || def.inverse_inertia.x > 0) return SN_OK;
    return sn_node_set_target_orientation(s->world, node, turned(to->turn, m->facing[i]));
}

static sn_result apply_motions(sn_scene *s, double then) {
    for (size_t i = 0; i < s->motions.count; i++) {
        const scene_motion *m = &s->motions.items[i];
        pose to = pose_at(m, then);
        for (size_t k = 0; k < m->nodes.count; k++) SN_TRY(move_node(s, m, k, &to));
    }
    return SN_OK;
}

/* ---- Actions ---- */

static sn_result change_nodes(sn_scene *s, const json_node *node, bool impulse) {
    scene_change_part part = {0};
    scene_nodes list = {0};
    SN_TRY(scene_read(&s->reader, node, &scene_change_object, &part));
    sn_result result = scene_select(s, part.nodes, false, &list);
    for (size_t i = 0; result == SN_OK && i < list.count; i++) {
        if (!sn_node_is_valid(s->world, list.items[i])) continue;
        result = impulse ? sn_node_apply_impulse(s->world, list.items[i], part.value)
                         : sn_node_set_velocity(s->world, list.items[i], part.value);
    }
    free(list.items);
    return result;
}

static sn_result hold_nodes(sn_scene *s, const json_node *node, bool release) {
    scene_nodes list = {0};
    sn_result result = scene_select(s, node, false, &list);
    if (result == SN_OK)
        result = release ? scene_release_nodes(s, &list) : scene_pin_nodes(s, &list);
    free(list.items);
    return result;
}

/* Removes what has this name; it may have broken or gone before. */
static sn_result remove_one(sn_scene *s, const json_node *node) {
    scene_link *link = scene_find_link(s, node->text);
    if (link) {
        if (sn_constraint_is_valid(s->world, link->constraint))
            return sn_constraint_destroy(s->world, link->constraint);
        return SN_OK;
    }
    for (size_t i = 0; i < s->nodes.count; i++)
        if (strcmp(s->nodes.items[i].name, node->text) == 0)
            return sn_node_is_valid(s->world, s->nodes.items[i].node)
                       ? sn_node_destroy(s->world, s->nodes.items[i].node)
                       : SN_OK;
    for (size_t i = 0; i < s->bodies.count; i++) {
        scene_body *body = &s->bodies.items[i];
        if (strcmp(body->name, node->text) != 0) continue;
        sn_body_def def = sn_body_def_default();
        if (sn_body_get(s->world, body->build.body, &def) != SN_OK) return SN_OK;
        return sn_body_destroy(s->world, body->build.body);
    }
    return scene_complain(&s->reader, node, "there is no body, node or constraint \"%.64s\"",
                          node->text);
}

static sn_result change_settings(sn_scene *s, const json_node *node) {
    sn_settings settings = sn_settings_default();
    SN_TRY(sn_world_get_settings(s->world, &settings));
    SN_TRY(scene_read(&s->reader, node, &scene_settings_object, &settings));
    sn_result result = sn_world_set_settings(s->world, &settings);
    return result == SN_ERROR_VALUE ? scene_complain_within(&s->reader, node) : result;
}

static sn_result change_constraint(sn_scene *s, const json_node *node) {
    scene_link *link = scene_find_link(s, node->key);
    if (!link)
        return scene_complain(&s->reader, node, "there is no constraint \"%.64s\"", node->key);
    scene_object fields = s->tables.types[link->type];
    scene_constraint_part part = {.name = ""};
    SN_TRY(sn_type_default(link->type, part.def.bytes));
    bool alive = sn_constraint_is_valid(s->world, link->constraint);
    if (alive) SN_TRY(sn_constraint_get(s->world, link->constraint, part.def.bytes));
    SN_TRY(scene_read(&s->reader, node, &fields, &part));
    if (!alive) return SN_OK;
    sn_result result = sn_constraint_set(s->world, link->constraint, part.def.bytes);
    return result == SN_OK || result == SN_ERROR_MEMORY ? result
                                                        : scene_complain_within(&s->reader, node);
}

/* Everything that an action names is found when the scene is opened, by doing nothing with it. */
static sn_result check_action(sn_scene *s, const scene_action_part *a) {
    const json_node *changes[] = {a->velocity, a->impulse};
    const json_node *holds[] = {a->pin, a->release};
    scene_nodes list = {0};
    sn_result result = SN_OK;
    for (int i = 0; i < 2 && result == SN_OK; i++) {
        scene_change_part part = {0};
        if (holds[i]) result = scene_select(s, holds[i], false, &list);
        if (result != SN_OK || !changes[i]) continue;
        result = scene_read(&s->reader, changes[i], &scene_change_object, &part);
        if (result == SN_OK) result = scene_select(s, part.nodes, false, &list);
    }
    free(list.items);
    for (size_t i = 0; result == SN_OK && a->remove && i < a->remove->count; i++) {
        const char *name = a->remove->items[i].text;
        bool known = scene_find_link(s, name) || scene_find_body(s, name);
        for (size_t k = 0; k < s->nodes.count; k++)
            known = known || strcmp(s->nodes.items[k].name, name) == 0;
        if (!known)
            result = scene_complain(&s->reader, &a->remove->items[i],
                                    "there is no body, node or constraint \"%.64s\"", name);
    }
    for (size_t i = 0; result == SN_OK && a->constraint && i < a->constraint->count; i++) {
        const json_node *item = &a->constraint->items[i];
        const scene_link *link = scene_find_link(s, item->key);
        result =
            link ? scene_read(&s->reader, item, &s->tables.types[link->type], NULL)
                 : scene_complain(&s->reader, item, "there is no constraint \"%.64s\"", item->key);
    }
    return result;
}

sn_result scene_build_action(sn_scene *s, const json_node *node) {
    scene_action_part part = {0};
    SN_TRY(scene_read(&s->reader, node, &scene_action_object, &part));
    SN_TRY(check_action(s, &part));
    scene_action *action = SCENE_ADD(s->actions);
    if (!action) return SN_ERROR_MEMORY;
    *action = (scene_action){part, node};
    return SN_OK;
}

static sn_result do_action(sn_scene *s, const scene_action_part *a) {
    if (a->settings) SN_TRY(change_settings(s, a->settings));
    if (a->release) SN_TRY(hold_nodes(s, a->release, true));
    if (a->pin) SN_TRY(hold_nodes(s, a->pin, false));
    if (a->velocity) SN_TRY(change_nodes(s, a->velocity, false));
    if (a->impulse) SN_TRY(change_nodes(s, a->impulse, true));
    for (size_t i = 0; a->constraint && i < a->constraint->count; i++)
        SN_TRY(change_constraint(s, &a->constraint->items[i]));
    for (size_t i = 0; a->remove && i < a->remove->count; i++)
        SN_TRY(remove_one(s, &a->remove->items[i]));
    return SN_OK;
}

/* In the order of the file, each once: at the first frame that begins at its time or later. */
static sn_result apply_actions(sn_scene *s, double now, double dt) {
    for (size_t i = 0; i < s->actions.count; i++) {
        const scene_action_part *part = &s->actions.items[i].part;
        double time = (double)part->time;
        if (time <= now + tolerance && time > now - dt + tolerance) SN_TRY(do_action(s, part));
    }
    return SN_OK;
}

sn_result scene_act(sn_scene *s, double dt) {
    double now = sn_world_time(s->world);
    SN_TRY(apply_actions(s, now, dt));
    SN_TRY(apply_motions(s, now + dt));
    return apply_forces(s, now);
}
