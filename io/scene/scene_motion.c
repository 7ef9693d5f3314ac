/*
 * What happens in a scene over time: forces, keyframes of kinematic nodes, and changes.
 *
 * Everything is decided at the beginning of a frame, by its number, so that a run that goes on from
 * a snapshot does the same. The time of the world would not do: it is a sum of rounded steps. Nodes
 * that are gone by then are passed over.
 */
#include "io/scene/scene_state.h"

#include "io/scene/point.h"

#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times are rounded, to less than this part of a frame. */
static const double tolerance = 0.01;

/* Whether a time lies at the beginning of a frame or before it. */
bool sn_scene_is_reached(const sn_scene *s, int frame, sn_real time) {
    return (double)time * s->run.fps <= frame + tolerance;
}

bool sn_scene_begins(const sn_scene *s, int frame, sn_real time) {
    return sn_scene_is_reached(s, frame, time) &&
           !(frame > 0 && sn_scene_is_reached(s, frame - 1, time));
}

/* ---- Forces ---- */

static bool is_zero(sn_vec3 a) {
    return a.x == 0 && a.y == 0 && a.z == 0;
}

static sn_result check_oriented(sn_scene *s, const json_node *node, const scene_nodes *list) {
    for (size_t i = 0; i < list->count; i++) {
        sn_node_def def = sn_node_def_default();
        SN_TRY(sn_node_get(s->world, list->items[i], &def));
        if (!def.oriented)
            return sn_scene_complain(
                &s->reader, node,
                "node %zu of these has no orientation, expected oriented nodes, "
                "on which a torque can act",
                i);
    }
    return SN_OK;
}

sn_result sn_scene_build_force(sn_scene *s, const json_node *node) {
    scene_force_part part = {.until = SN_AUTO};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_force_object, &part));
    scene_force *force = SCENE_ADD(s->forces);
    if (!force) return SN_ERROR_MEMORY;
    force->source = node;
    force->part = part;
    scene_change whom = {.of = SCENE_OF_FORCE, .index = s->forces.count - 1};
    size_t before = s->changes.count;
    SN_TRY(sn_scene_note_changes(s, node, &sn_scene_force_object, NULL, &whom));
    force->changes = s->changes.count > before;
    SN_TRY(sn_scene_select(s, part.nodes, false, &force->nodes));
    bool turns = !is_zero(part.torque) || (force->changes && sn_json_member(node, "torque"));
    return turns ? check_oriented(s, part.nodes, &force->nodes) : SN_OK;
}

static bool is_of_rod(const sn_scene *s, sn_body body) {
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_body *b = &s->bodies.items[i];
        if (b->build.body.slot == body.slot) return b->kind == SN_KIND_ROD;
    }
    return false;
}

/* rad, by which a torque turns a segment of a rod within a substep, before the rod can hold that;
   0 of all others, and of frames without inertia. */
static double turned_by(const sn_scene *s, sn_vec3 torque, sn_node node) {
    sn_node_def def = sn_node_def_default();
    sn_body_def body = sn_body_def_default();
    sn_settings settings;
    if (sn_node_get(s->world, node, &def) != SN_OK || !is_of_rod(s, def.body)) return 0;
    if (sn_body_get(s->world, def.body, &body) != SN_OK ||
        body.solver == SN_BODY_SOLVER_CLOSED_FORM ||
        sn_world_get_settings(s->world, &settings) != SN_OK)
        return 0;
    sn_quat q = def.orientation;
    const double back[4] = {-(double)q.x, -(double)q.y, -(double)q.z, (double)q.w};
    sn_io_point at = sn_io_point_rotated(back, sn_io_point_of(torque)),
                w = sn_io_point_of(def.inverse_inertia);
    double h = 1.0 / (s->run.fps * settings.substeps);
    return h * h * sn_io_point_length((sn_io_point){at.x * w.x, at.y * w.y, at.z * w.z});
}

void sn_scene_warn_of_torques(const sn_scene *s) {
    for (size_t i = 0; i < s->forces.count; i++) {
        const scene_force *force = &s->forces.items[i];
        double most = 0;
        for (size_t k = 0; k < force->nodes.count && !is_zero(force->part.torque); k++)
            most = fmax(most, turned_by(s, force->part.torque, force->nodes.items[k]));
        if (most > 1)
            sn_scene_warn(s, force->source,
                          "its torque turns a segment of a rod by %.2g rad in a substep, more than "
                          "the rod can hold: take %.0f times as many substeps",
                          most, ceil(sqrt(most / 0.3)));
    }
}

static sn_result push_node(sn_scene *s, const scene_force *force, sn_node node) {
    const scene_force_part *p = &force->part;
    sn_vec3 f = p->force, t = p->torque;
    sn_real share = p->shared ? 1 / (sn_real)force->nodes.count : 1;
    f = (sn_vec3){f.x * share, f.y * share, f.z * share};
    if (!sn_node_is_valid(s->world, node)) return SN_OK;
    SN_TRY(sn_node_add_force(s->world, node, f));
    if (is_zero(t)) return SN_OK;
    return sn_node_add_torque(s->world, node, t);
}

static sn_result apply_forces(sn_scene *s, int frame) {
    for (size_t i = 0; i < s->forces.count; i++) {
        const scene_force *force = &s->forces.items[i];
        bool begun = sn_scene_is_reached(s, frame, force->part.from);
        bool over =
            force->part.until != SN_AUTO && sn_scene_is_reached(s, frame, force->part.until);
        for (size_t k = 0; begun && !over && k < force->nodes.count; k++)
            SN_TRY(push_node(s, force, force->nodes.items[k]));
    }
    return SN_OK;
}

/* ---- Motions ---- */

sn_result sn_scene_read_keys(sn_scene *s, const json_node *list, scene_motion *motion) {
    if (list->count == 0) return sn_scene_complain(&s->reader, list, "has no keys, expected one");
    motion->key_count = list->count;
    motion->keys = sn_scene_take(s, list->count, sizeof *motion->keys);
    if (!motion->keys) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < list->count; i++) {
        motion->keys[i].rotation = (sn_quat){0, 0, 0, 1};
        SN_TRY(sn_scene_read(&s->reader, &list->items[i], &sn_scene_key_object, &motion->keys[i]));
        if (i > 0 && !(motion->keys[i].time > motion->keys[i - 1].time))
            return sn_scene_complain(
                &s->reader, &list->items[i], "its time is %g s, expected more than the %g s before",
                (double)motion->keys[i].time, (double)motion->keys[i - 1].time);
    }
    return SN_OK;
}

static sn_result read_starts(sn_scene *s, const json_node *node, scene_motion *motion) {
    size_t count = motion->nodes.count;
    motion->start = sn_scene_take(s, count + 1, sizeof *motion->start);
    motion->facing = sn_scene_take(s, count + 1, sizeof *motion->facing);
    if (!motion->start || !motion->facing) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        sn_node_def def = sn_node_def_default();
        SN_TRY(sn_node_get(s->world, motion->nodes.items[i], &def));
        if (def.inverse_mass > 0)
            return sn_scene_complain(
                &s->reader, node, "node %u has a mass, expected nodes that are pinned or kinematic",
                motion->nodes.items[i].slot - 1);
        motion->start[i] = def.position;
        motion->facing[i] = def.orientation;
    }
    return SN_OK;
}

static sn_result find_collider(sn_scene *s, const json_node *node, const char *name,
                               scene_motion *motion) {
    const scene_collider *found = sn_scene_find_collider(s, name);
    if (!found && sn_scene_is_broken(s, name)) return SN_ERROR_DATA;
    if (!found) return sn_scene_complain(&s->reader, node, "there is no collider \"%.64s\"", name);
    motion->colliders[motion->collider_count++] = (size_t)(found - s->colliders.items);
    return SN_OK;
}

static sn_result find_colliders(sn_scene *s, const json_node *node, scene_motion *motion) {
    const scene_motion_part *part = &motion->part;
    size_t listed = part->colliders ? part->colliders->count : 0;
    motion->colliders = sn_scene_take(s, listed + 1, sizeof *motion->colliders);
    if (!motion->colliders) return SN_ERROR_MEMORY;
    if (part->collider)
        SN_TRY(find_collider(s, sn_json_member(node, "collider"), part->collider, motion));
    for (size_t i = 0; i < listed; i++) {
        const char *name;
        SN_TRY(sn_scene_read_text(&s->reader, &part->colliders->items[i], &name));
        SN_TRY(find_collider(s, &part->colliders->items[i], name, motion));
    }
    return SN_OK;
}

static sn_result find_target(sn_scene *s, const json_node *node, scene_motion *motion) {
    const char *name = motion->part.animation_target;
    const scene_animation_target *found = sn_scene_find_animation_target(s, name);
    if (!found && sn_scene_is_broken(s, name)) return SN_ERROR_DATA;
    if (!found)
        return sn_scene_complain(&s->reader, sn_json_member(node, "animation_target"),
                                 "there is no animation target of a body \"%.64s\"", name);
    motion->animation_target = (size_t)(found - s->animation_targets.items) + 1;
    return SN_OK;
}

sn_result sn_scene_build_motion(sn_scene *s, const json_node *node) {
    scene_motion_part part = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_motion_object, &part));
    scene_motion *motion = SCENE_ADD(s->motions);
    if (!motion) return SN_ERROR_MEMORY;
    motion->part = part;
    SN_TRY(sn_scene_read_keys(s, part.keys, motion));
    bool colliders = part.collider || part.colliders;
    if (part.animation_target) SN_TRY(find_target(s, node, motion));
    if (part.nodes ? colliders : !colliders && !part.animation_target)
        return sn_scene_complain(&s->reader, node, "moves %s, expected \"nodes\" or a \"collider\"",
                                 part.nodes ? "both nodes and a collider" : "nothing");
    if (colliders) return find_colliders(s, node, motion);
    if (!part.nodes) return SN_OK;
    SN_TRY(sn_scene_select(s, part.nodes, false, &motion->nodes));
    SN_TRY(sn_scene_add_ghosts(s, &motion->nodes));
    return read_starts(s, part.nodes, motion);
}

/* Where a motion is at a time. */
typedef struct pose {
    sn_io_point shift;
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
    result.shift = sn_io_point_add(sn_io_point_scaled(sn_io_point_of(a->position), 1 - t),
                                   sn_io_point_scaled(sn_io_point_of(b->position), t));
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
    time = sn_scene_key_time(time, begin, span, m->part.repeat);
    if (time <= begin) return blend(&keys[0], &keys[0], 0);
    if (time >= (double)keys[last].time) return blend(&keys[last], &keys[last], 0);
    size_t i = 0;
    while ((double)keys[i + 1].time <= time) i++;
    double from = (double)keys[i].time, t = (time - from) / ((double)keys[i + 1].time - from);
    t = sn_scene_key_part(m->part.interpolation, t);
    return blend(&keys[i], &keys[i + 1], t);
}

/* A point that goes along. */
static sn_io_point moved(const scene_motion *m, const pose *to, sn_vec3 start) {
    sn_io_point pivot = sn_io_point_of(m->part.pivot);
    sn_io_point arm = sn_io_point_sub(sn_io_point_of(start), pivot);
    return sn_io_point_add(sn_io_point_add(pivot, sn_io_point_rotated(to->turn, arm)), to->shift);
}

sn_vec3 sn_scene_point_at(const scene_motion *m, double time, sn_vec3 start) {
    pose to = pose_at(m, time);
    return sn_io_point_vec3(moved(m, &to, start));
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
    SN_TRY(sn_node_set_target(s->world, node, sn_io_point_vec3(moved(m, to, m->start[i]))));
    if (!def.oriented || def.inverse_inertia.x > 0) return SN_OK;
    return sn_node_set_target_orientation(s->world, node, turned(to->turn, m->facing[i]));
}

static sn_result move_collider(sn_scene *s, const scene_motion *m, size_t i, const pose *to) {
    scene_collider *c = &s->colliders.items[m->colliders[i]];
    if (!sn_collider_is_valid(s->world, c->collider)) return SN_OK;
    c->next_position = sn_io_point_vec3(moved(m, to, c->start.position));
    c->next_orientation = turned(to->turn, c->start.orientation);
    return sn_collider_set_target(s->world, c->collider, c->next_position, c->next_orientation);
}

static sn_result apply_motions(sn_scene *s, double then) {
    for (size_t i = 0; i < s->motions.count; i++) {
        const scene_motion *m = &s->motions.items[i];
        pose to = pose_at(m, then);
        if (m->animation_target)
            SN_TRY(sn_scene_move_animation_target(
                s, &s->animation_targets.items[m->animation_target - 1], m->part.pivot, to.turn,
                to.shift));
        for (size_t k = 0; k < m->collider_count; k++) SN_TRY(move_collider(s, m, k, &to));
        for (size_t k = 0; k < m->nodes.count; k++) SN_TRY(move_node(s, m, k, &to));
    }
    return SN_OK;
}

/* ---- Actions ---- */

static sn_result change_node(sn_scene *s, sn_node node, sn_vec3 value, bool impulse) {
    if (!sn_node_is_valid(s->world, node)) return SN_OK;
    return impulse ? sn_node_apply_impulse(s->world, node, value)
                   : sn_node_set_velocity(s->world, node, value);
}

static sn_result change_nodes(sn_scene *s, const scene_nodes *list, sn_vec3 value, bool impulse) {
    for (size_t i = 0; i < list->count; i++) SN_TRY(change_node(s, list->items[i], value, impulse));
    return SN_OK;
}

/* What can be removed has a name; exactly one of these is set, or none. */
typedef struct removable {
    const scene_link *link;
    const scene_item *item;
    const scene_body *bodies;
    size_t count; /* of bodies, which are copies where there are several */
    const scene_collider *collider;
} removable;

static removable find_removable(sn_scene *s, const char *name) {
    removable found = {.link = sn_scene_find_link(s, name)};
    if (found.link) return found;
    for (size_t i = 0; *name && i < s->nodes.count; i++)
        if (strcmp(s->nodes.items[i].name, name) == 0) found.item = &s->nodes.items[i];
    if (!found.item) found.collider = sn_scene_find_collider(s, name);
    if (!found.item && !found.collider) found.bodies = sn_scene_find_copies(s, name, &found.count);
    return found;
}

/* What hangs on it is let go. */
static sn_result remove_collider(sn_scene *s, sn_collider collider) {
    if (!sn_collider_is_valid(s->world, collider)) return SN_OK;
    SN_TRY(sn_scene_leave_collider(s, collider));
    return sn_collider_destroy(s->world, collider);
}

/* It may have broken or gone before. */
static sn_result remove_one(sn_scene *s, const json_node *node) {
    const char *name;
    SN_TRY(sn_scene_read_text(&s->reader, node, &name));
    removable found = find_removable(s, name);
    sn_body_def def = sn_body_def_default();
    if (found.collider) return remove_collider(s, found.collider->collider);
    if (found.link && sn_constraint_is_valid(s->world, found.link->constraint))
        return sn_constraint_destroy(s->world, found.link->constraint);
    const scene_collider *shape = found.item ? sn_scene_find_collider(s, name) : NULL;
    if (shape && shape->node.slot) SN_TRY(remove_collider(s, shape->collider));
    if (found.item && sn_body_get(s->world, found.item->alone, &def) == SN_OK)
        return sn_body_destroy(s->world, found.item->alone);
    if (found.item && sn_node_is_valid(s->world, found.item->node))
        return sn_node_destroy(s->world, found.item->node);
    for (size_t i = 0; i < found.count; i++)
        if (sn_body_get(s->world, found.bodies[i].build.body, &def) == SN_OK)
            SN_TRY(sn_body_destroy(s->world, found.bodies[i].build.body));
    return SN_OK;
}

static sn_result change_settings(sn_scene *s, const json_node *node) {
    sn_settings settings = sn_settings_default();
    SN_TRY(sn_world_get_settings(s->world, &settings));
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.settings, &settings));
    return sn_world_set_settings(s->world, &settings);
}

static sn_result change_constraint(sn_scene *s, const json_node *node) {
    const scene_link *link = sn_scene_find_link(s, node->key);
    scene_constraint_part part = {.name = ""};
    if (!sn_constraint_is_valid(s->world, link->constraint)) return SN_OK;
    SN_TRY(sn_scene_type_default(s, link->type, part.def.bytes));
    SN_TRY(sn_constraint_get(s->world, link->constraint, part.def.bytes));
    SN_TRY(sn_scene_read(&s->reader, node, sn_scene_type_object(s, link->type), &part));
    return sn_scene_set_constraint(s, link->constraint, link->type, part.def.bytes);
}

/* Everything that an action names is looked for when the scene is opened. */
static sn_result check_names(sn_scene *s, const scene_action_part *a) {
    sn_result result = SN_OK;
    for (size_t i = 0; a->remove && i < a->remove->count; i++) {
        const char *name;
        SN_TRY(sn_scene_read_text(&s->reader, &a->remove->items[i], &name));
        removable found = find_removable(s, name);
        if (found.link || found.item || found.bodies || found.collider) continue;
        result = sn_scene_is_broken(s, name)
                     ? SN_ERROR_DATA
                     : sn_scene_complain(&s->reader, &a->remove->items[i],
                                         "there is no body, node, constraint or collider \"%.64s\"",
                                         name);
    }
    for (size_t i = 0; a->constraint && i < a->constraint->count; i++) {
        const json_node *item = &a->constraint->items[i];
        const scene_link *link = sn_scene_find_link(s, item->key);
        sn_result one = SN_ERROR_DATA;
        if (strcmp(item->key, "comment") == 0)
            one = sn_scene_complain(&s->reader, item, "is no name that a constraint can have");
        else if (link)
            one = sn_scene_read(&s->reader, item, sn_scene_type_object(s, link->type), NULL);
        else if (!sn_scene_is_broken(s, item->key))
            one =
                sn_scene_complain(&s->reader, item, "there is no constraint \"%.64s\"", item->key);
        if (one != SN_OK) result = one;
    }
    return result;
}

static sn_result read_change(sn_scene *s, const json_node *node, scene_nodes *list,
                             sn_vec3 *value) {
    scene_change_part part = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_change_object, &part));
    *value = part.value;
    return sn_scene_select(s, part.nodes, false, list);
}

sn_result sn_scene_build_action(sn_scene *s, const json_node *node) {
    scene_action *a = SCENE_ADD(s->actions);
    if (!a) return SN_ERROR_MEMORY;
    a->source = node;
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.action, &a->part));
    if (a->part.release) SN_TRY(sn_scene_select(s, a->part.release, false, &a->release));
    if (a->part.pin) SN_TRY(sn_scene_select(s, a->part.pin, false, &a->pin));
    if (a->part.velocity) SN_TRY(read_change(s, a->part.velocity, &a->velocity, &a->new_velocity));
    if (a->part.impulse) SN_TRY(read_change(s, a->part.impulse, &a->impulse, &a->push));
    SN_TRY(sn_scene_remember_nodes(s, &a->pin));
    return check_names(s, &a->part);
}

/* They act in the order of time, and then in that of the file. */
static int compare_actions(const void *left, const void *right) {
    const scene_action *a = *(const scene_action *const *)left;
    const scene_action *b = *(const scene_action *const *)right;
    if (a->part.time != b->part.time) return a->part.time < b->part.time ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* What is said of a constraint, to which that of actions is added. */
static sn_result begin_said(sn_scene *s, const scene_link *link, json_node *now) {
    const json_node *source = link->source;
    const size_t given = source ? source->count : 0;
    const size_t fields = sn_scene_type_object(s, link->type)->count;
    *now = (json_node){.kind = JSON_OBJECT, .count = given};
    now->items = sn_scene_take(s, given + fields + 1, sizeof *now->items);
    if (!now->items) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < given; i++) now->items[i] = source->items[i];
    return SN_OK;
}

/* The later word on a key is the one that counts; null leaves it as it is. */
static void add_said(json_node *now, const json_node *change, const scene_object *fields) {
    for (size_t i = 0; i < change->count; i++) {
        const json_node *item = &change->items[i];
        size_t at = 0;
        if (item->kind == JSON_NULL || !sn_scene_field_of(fields, item->key)) continue;
        while (at < now->count && strcmp(now->items[at].key, item->key) != 0) at++;
        now->items[at] = *item;
        if (at == now->count) now->count++;
    }
}

static sn_result check_change(sn_scene *s, const json_node *item, json_node *all) {
    const scene_link *link = sn_scene_find_link(s, item->key);
    if (!link || item->kind != JSON_OBJECT) return SN_OK;
    const scene_object *fields = sn_scene_type_object(s, link->type);
    json_node *now = &all[link - s->links.items];
    if (!now->items) SN_TRY(begin_said(s, link, now));
    const json_node *said[] = {item, now};
    sn_result result = sn_scene_check_change(&s->reader, said, 2, &s->tables.constraint, fields);
    add_said(now, item, fields);
    return result;
}

sn_result sn_scene_check_actions(sn_scene *s) {
    sn_result result = SN_OK;
    const scene_action **order = sn_scene_take(s, s->actions.count + 1, sizeof *order);
    json_node *now = sn_scene_take(s, s->links.count + 1, sizeof *now);
    if (!order || !now) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < s->actions.count; i++) order[i] = &s->actions.items[i];
    qsort(order, s->actions.count, sizeof *order, compare_actions);
    for (size_t i = 0; i < s->actions.count; i++) {
        const json_node *change = order[i]->part.constraint;
        for (size_t k = 0; change && k < change->count; k++) {
            sn_result one = check_change(s, &change->items[k], now);
            if (one == SN_ERROR_MEMORY) return one;
            if (one != SN_OK) result = one;
        }
    }
    return result;
}

static sn_result do_action(sn_scene *s, const scene_action *a) {
    const scene_action_part *part = &a->part;
    if (part->settings) SN_TRY(change_settings(s, part->settings));
    SN_TRY(sn_scene_release_nodes(s, &a->release));
    SN_TRY(sn_scene_pin_nodes(s, &a->pin));
    SN_TRY(change_nodes(s, &a->velocity, a->new_velocity, false));
    SN_TRY(change_nodes(s, &a->impulse, a->push, true));
    for (size_t i = 0; part->constraint && i < part->constraint->count; i++)
        SN_TRY(change_constraint(s, &part->constraint->items[i]));
    for (size_t i = 0; part->remove && i < part->remove->count; i++)
        SN_TRY(remove_one(s, &part->remove->items[i]));
    return SN_OK;
}

/* In the order of the file, each once: at the first frame that begins at its time or later. What
   the library refuses has the place of the action. */
static sn_result apply_actions(sn_scene *s, int frame) {
    for (size_t i = 0; i < s->actions.count; i++) {
        const scene_action *a = &s->actions.items[i];
        if (!sn_scene_begins(s, frame, a->part.time)) continue;
        sn_result result = do_action(s, a);
        if (result != SN_OK && result != SN_ERROR_MEMORY && result != SN_ERROR_DATA)
            return sn_scene_complain_within(&s->reader, a->source);
        SN_TRY(result);
    }
    return SN_OK;
}

sn_result sn_scene_act(sn_scene *s, int frame) {
    SN_TRY(sn_scene_act_changes(s, frame));
    SN_TRY(apply_actions(s, frame));
    SN_TRY(sn_scene_act_attachments(s, frame));
    SN_TRY(sn_scene_act_muscles(s, frame));
    SN_TRY(sn_scene_act_switches(s, frame));
    SN_TRY(sn_scene_act_cuts(s, frame));
    SN_TRY(apply_motions(s, (frame + 1.0) / s->run.fps));
    SN_TRY(sn_scene_act_animations(s, frame));
    return apply_forces(s, frame);
}
