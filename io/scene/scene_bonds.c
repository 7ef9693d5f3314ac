/*
 * Attachments, seams and animation targets of a scene.
 *
 * What comes and goes at a time is decided by the number of the frame, and found by what it joins
 * rather than kept in mind, so that a run that goes on from a snapshot does the same.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

/* ---- Attachments ---- */

/* The target that is named; exactly one of three. */
static sn_result find_target(sn_scene *s, const json_node *node, scene_attachment *a) {
    const scene_attachment_part *part = &a->part;
    int named = (part->body != NULL) + (part->collider != NULL) + (part->node != NULL);
    if (named != 1)
        return sn_scene_complain(&s->reader, node,
                                 "names %d targets, expected one of \"body\", \"collider\" and "
                                 "\"node\"",
                                 named);
    if (part->body) {
        const scene_body *body = sn_scene_find_body(s, part->body);
        if (!body && sn_scene_is_broken(s, part->body)) return SN_ERROR_DATA;
        if (!body)
            return sn_scene_complain(&s->reader, sn_json_member(node, "body"),
                                     "there is no body \"%.64s\"", part->body);
        a->target.body = body->build.body;
    } else if (part->collider) {
        const scene_collider *collider = sn_scene_find_collider(s, part->collider);
        if (!collider && sn_scene_is_broken(s, part->collider)) return SN_ERROR_DATA;
        if (!collider)
            return sn_scene_complain(&s->reader, sn_json_member(node, "collider"),
                                     "there is no collider \"%.64s\"", part->collider);
        if (part->def.offset != 0)
            return sn_scene_complain(&s->reader, sn_json_member(node, "offset"),
                                     "on a collider nodes are held where they are, expected no "
                                     "offset");
        a->collider = collider->collider;
        if (collider->animation) a->animated = (size_t)(collider - s->colliders.items) + 1;
        if (a->animated && part->from > 0)
            return sn_scene_complain(&s->reader, sn_json_member(node, "from"),
                                     "is %g s, expected 0: on a collider with an animation nodes "
                                     "are held from the beginning",
                                     (double)part->from);
    } else {
        scene_nodes one = {0};
        sn_result result = sn_scene_select(s, part->node, true, &one);
        if (result == SN_OK && (one.count != 1 || one.items[0].slot == 0))
            result = sn_scene_complain(&s->reader, part->node, "means %zu nodes, expected one",
                                       one.count);
        if (result == SN_OK) a->target.target = one.items[0];
        free(one.items);
        return result;
    }
    return SN_OK;
}

/* On what is animated, each anchor goes along with a triangle. */
static sn_result bind_anchors(sn_scene *s, scene_attachment *a) {
    sn_vec3 *points = calloc(a->nodes.count + 1, sizeof *points);
    if (!points) return sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
    sn_result result = SN_OK;
    for (size_t i = 0; result == SN_OK && i < a->nodes.count; i++) {
        sn_node_def def = sn_node_def_default();
        result = sn_node_get(s->world, a->nodes.items[i], &def);
        points[i] = def.position;
    }
    if (result == SN_OK)
        result = sn_scene_bind_points(s, &s->colliders.items[a->animated - 1], points,
                                      a->nodes.count, &a->followers);
    free(points);
    return result;
}

/* A kinematic node for each that will hang on a collider; one that is kinematic rides itself. They
   are there from the beginning, so that the slots of nodes are the same at any time. */
static sn_result make_anchors(sn_scene *s, scene_attachment *a) {
    a->anchors = sn_scene_take(s, a->nodes.count + 1, sizeof *a->anchors);
    if (!a->anchors) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < a->nodes.count; i++) {
        sn_node_def def = sn_node_def_default();
        SN_TRY(sn_node_get(s->world, a->nodes.items[i], &def));
        sn_node_def anchor = sn_node_def_default();
        anchor.position = def.position;
        anchor.inverse_mass = 0;
        a->anchors[i] = a->nodes.items[i];
        if (def.inverse_mass > 0) SN_TRY(sn_node_create(s->world, &anchor, &a->anchors[i]));
    }
    return a->animated ? bind_anchors(s, a) : SN_OK;
}

static sn_result attach_node(sn_scene *s, const scene_attachment *a, size_t i) {
    sn_attach_def def = a->target;
    sn_constraint made;
    def.node = a->nodes.items[i];
    if (!sn_node_is_valid(s->world, def.node)) return SN_OK;
    if (a->anchors && !sn_collider_is_valid(s->world, a->collider)) return SN_OK;
    if (a->anchors) {
        sn_node_def node = sn_node_def_default();
        SN_TRY(sn_node_get(s->world, def.node, &node));
        SN_TRY(sn_node_set_position(s->world, a->anchors[i], node.position));
        if (!a->animated) SN_TRY(sn_node_ride(s->world, a->anchors[i], a->collider));
        if (a->anchors[i].slot == def.node.slot) return SN_OK;
        def.target = a->anchors[i];
    }
    return sn_attach(s->world, &def, &made);
}

static sn_result attach_all(sn_scene *s, const scene_attachment *a) {
    for (size_t i = 0; i < a->nodes.count; i++) SN_TRY(attach_node(s, a, i));
    return SN_OK;
}

sn_result sn_scene_build_attachment(sn_scene *s, const json_node *node) {
    scene_attachment *a = SCENE_ADD(s->attachments);
    if (!a) return SN_ERROR_MEMORY;
    *a = (scene_attachment){.source = node, .target = sn_attach_def_default()};
    a->part = (scene_attachment_part){
        .def = sn_attach_def_default(), .until = SN_AUTO, .power.enabled = true};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_attachment_object, &a->part));
    SN_TRY(sn_scene_select(s, a->part.nodes, false, &a->nodes));
    a->target.compliance = a->part.def.compliance;
    a->target.damping = a->part.def.damping;
    a->target.break_force = a->part.def.break_force;
    a->target.offset = a->part.def.offset;
    SN_TRY(find_target(s, node, a));
    if (a->part.collider) SN_TRY(make_anchors(s, a));
    if (!(a->part.from > 0)) {
        sn_result result = attach_all(s, a);
        if (result != SN_OK && result != SN_ERROR_MEMORY)
            result = sn_scene_complain_within(&s->reader, node);
        SN_TRY(result);
    }
    return sn_scene_add_track(s, &a->part.power,
                              &(scene_track){.attachment = s->attachments.count});
}

/* ---- Letting go ---- */

static bool has_node(const scene_nodes *list, sn_node node) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].slot == node.slot && list->items[i].generation == node.generation)
            return true;
    return false;
}

/* Whether a constraint is one of those that an attachment has made. */
static bool is_ours(const sn_scene *s, const scene_attachment *a, sn_constraint constraint) {
    sn_type type;
    sn_node nodes[4];
    size_t count = 0;
    if (sn_constraint_get_type(s->world, constraint, &type) != SN_OK) return false;
    if (type != SN_TYPE_ATTACHMENT && type != SN_TYPE_POINT_ATTACHMENT &&
        type != SN_TYPE_OFFSET_ATTACHMENT && type != SN_TYPE_EDGE_ATTACHMENT &&
        type != SN_TYPE_SEAM)
        return false;
    if (sn_constraint_get_nodes(s->world, constraint, nodes, 4, &count) != SN_OK ||
        !has_node(&a->nodes, nodes[0]) || nodes[1].slot == 0)
        return false;
    if (a->target.target.slot) return nodes[1].slot == a->target.target.slot;
    for (size_t i = 0; a->anchors && i < a->nodes.count; i++)
        if (a->anchors[i].slot == nodes[1].slot) return true;
    sn_node_def def = sn_node_def_default();
    return !a->anchors && sn_node_get(s->world, nodes[1], &def) == SN_OK &&
           def.body.slot == a->target.body.slot;
}

typedef sn_result change(sn_world *world, sn_constraint constraint);

static sn_result enable(sn_world *world, sn_constraint constraint) {
    return sn_constraint_set_enabled(world, constraint, true);
}

static sn_result disable(sn_world *world, sn_constraint constraint) {
    return sn_constraint_set_enabled(world, constraint, false);
}

/* Does something to all that an attachment has made. */
static sn_result change_all(sn_scene *s, const scene_attachment *a, change *make) {
    size_t left = sn_world_constraint_count(s->world, SN_TYPE_COUNT);
    for (size_t slot = 0; left > 0; slot++) {
        sn_constraint constraint;
        if (sn_world_constraint_at(s->world, slot, &constraint) != SN_OK) continue;
        left--;
        if (is_ours(s, a, constraint)) SN_TRY(make(s->world, constraint));
    }
    return SN_OK;
}

sn_result sn_scene_switch_attachment(sn_scene *s, const scene_attachment *a, bool enabled) {
    return change_all(s, a, enabled ? enable : disable);
}

sn_result sn_scene_leave_collider(sn_scene *s, sn_collider collider) {
    for (size_t i = 0; i < s->attachments.count; i++) {
        const scene_attachment *a = &s->attachments.items[i];
        if (a->anchors && a->collider.slot == collider.slot)
            SN_TRY(change_all(s, a, sn_constraint_destroy));
    }
    return SN_OK;
}

sn_result sn_scene_act_attachments(sn_scene *s, int frame) {
    for (size_t i = 0; i < s->attachments.count; i++) {
        const scene_attachment *a = &s->attachments.items[i];
        sn_result result = SN_OK;
        if (a->part.from > 0 && sn_scene_begins(s, frame, a->part.from)) result = attach_all(s, a);
        if (result == SN_OK && a->part.until != SN_AUTO && sn_scene_begins(s, frame, a->part.until))
            result = change_all(s, a, sn_constraint_destroy);
        if (result == SN_ERROR_MEMORY) return result;
        if (result != SN_OK) return sn_scene_complain_within(&s->reader, a->source);
    }
    return SN_OK;
}

/* ---- Seams ---- */

sn_result sn_scene_build_seam(sn_scene *s, const json_node *node) {
    scene_seam_part part = {.def = sn_sew_def_default(), .power.enabled = true};
    part.def.match = SN_SEW_NEAREST;
    scene_nodes a = {0}, b = {0};
    scene_track track = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_seam_object, &part));
    sn_result result = sn_scene_select(s, part.a, false, &a);
    if (result == SN_OK) result = sn_scene_select(s, part.b, false, &b);
    if (result == SN_OK) {
        part.def.a = a.items;
        part.def.a_count = a.count;
        part.def.b = b.items;
        part.def.b_count = b.count;
        size_t most = a.count > b.count ? a.count : b.count;
        track.constraints = sn_scene_take(s, most + 1, sizeof *track.constraints);
        result = track.constraints
                     ? sn_sew(s->world, &part.def, track.constraints, most, &track.constraint_count)
                     : SN_ERROR_MEMORY;
        if (result != SN_OK && result != SN_ERROR_MEMORY)
            result = sn_scene_complain_within(&s->reader, node);
    }
    free(a.items);
    free(b.items);
    return result == SN_OK ? sn_scene_add_track(s, &part.power, &track) : result;
}

/* ---- Followers ---- */

static sn_real distance_at(const scene_animation_target_part *part, sn_vec3 x) {
    if (part->vertex.max_distance == SN_AUTO) return SN_AUTO;
    sn_vec3 o = part->origin, k = part->growth;
    sn_real more = k.x * (x.x - o.x) + k.y * (x.y - o.y) + k.z * (x.z - o.z);
    sn_real distance = part->vertex.max_distance + more;
    return distance > 0 ? distance : 0;
}

/* Normals of the mesh as it was placed. */
static sn_result normals_of(sn_scene *s, const scene_body *body, sn_vec3 *positions,
                            sn_vec3 *normals) {
    sn_mesh placed = body->mesh->mesh;
    placed.positions = positions;
    sn_node_view view;
    SN_TRY(sn_world_nodes(s->world, &view));
    for (size_t i = 0; i < placed.vertex_count; i++) {
        sn_vec4 x = view.position[body->nodes[i].slot - 1];
        positions[i] = (sn_vec3){x.x, x.y, x.z};
    }
    return sn_mesh_normals(&placed, normals);
}

static sn_result create_target(sn_scene *s, const json_node *node, scene_animation_target *f,
                               const scene_body *body, const scene_animation_target_part *part) {
    size_t count = f->count;
    sn_animation_target_vertex *vertices = calloc(count, sizeof *vertices);
    if (!vertices) return sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
    for (size_t i = 0; i < count; i++)
        vertices[i] = (sn_animation_target_vertex){
            f->start[i], f->normals[i], distance_at(part, f->start[i]),
            part->vertex.back_stop_distance, part->vertex.back_stop_radius};
    sn_animation_target_def def = part->def;
    def.nodes = body->nodes;
    def.node_count = count;
    def.vertices = vertices;
    sn_result result = sn_animation_target_create(s->world, &def, &f->animation_target);
    free(vertices);
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    return sn_scene_complain_within(&s->reader, node);
}

/* Places and normals that go along with an animated collider. */
static sn_result bind_target(sn_scene *s, const json_node *node, const char *name,
                             scene_animation_target *f) {
    const scene_collider *collider = sn_scene_find_collider(s, name);
    if (!collider && sn_scene_is_broken(s, name)) return SN_ERROR_DATA;
    if (!collider || !collider->animation)
        return sn_scene_complain(&s->reader, sn_json_member(node, "collider"),
                                 "there is no collider \"%.64s\" with an animation", name);
    f->animated = (size_t)(collider - s->colliders.items) + 1;
    SN_TRY(sn_scene_bind_points(s, collider, f->start, f->count, &f->followers));
    sn_scene_bind_normals(s, collider, f->normals, f->count, f->followers);
    return SN_OK;
}

sn_result sn_scene_build_animation_target(sn_scene *s, const json_node *node) {
    scene_animation_target_part part = {
        .vertex = {.max_distance = SN_AUTO, .back_stop_distance = SN_AUTO, .back_stop_radius = 1},
        .def = sn_animation_target_def_default()};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.animation_target, &part));
    const scene_body *body = sn_scene_find_body(s, part.body);
    if (!body && sn_scene_is_broken(s, part.body)) return SN_ERROR_DATA;
    if (!body)
        return sn_scene_complain(&s->reader, sn_json_member(node, "body"),
                                 "there is no body \"%.64s\"", part.body);
    if (sn_scene_find_animation_target(s, part.body))
        return sn_scene_complain(&s->reader, node,
                                 "the body \"%.64s\" has an animation target already", part.body);
    scene_animation_target *f = SCENE_ADD(s->animation_targets);
    if (!f) return SN_ERROR_MEMORY;
    *f = (scene_animation_target){.body = part.body, .count = body->mesh->mesh.vertex_count};
    /* Where they are at the beginning, and room for where they are sent. */
    f->start = sn_scene_take(s, 2 * f->count, sizeof *f->start);
    f->normals = sn_scene_take(s, 2 * f->count, sizeof *f->normals);
    if (!f->start || !f->normals) return SN_ERROR_MEMORY;
    SN_TRY(normals_of(s, body, f->start, f->normals));
    if (part.collider) SN_TRY(bind_target(s, node, part.collider, f));
    return create_target(s, node, f, body, &part);
}

scene_animation_target *sn_scene_find_animation_target(const sn_scene *s, const char *body) {
    for (size_t i = 0; i < s->animation_targets.count; i++)
        if (strcmp(s->animation_targets.items[i].body, body) == 0)
            return &s->animation_targets.items[i];
    return NULL;
}

/* Bodies that have lost nodes have fewer targets: the motion ends for them. */
sn_result sn_scene_move_animation_target(sn_scene *s, const scene_animation_target *f,
                                         sn_vec3 pivot, const double turn[4], sn_io_point shift) {
    sn_vec3 *positions = f->start + f->count, *normals = f->normals + f->count;
    if (sn_animation_target_count(s->world, f->animation_target) != f->count) return SN_OK;
    sn_io_point about = sn_io_point_of(pivot);
    for (size_t i = 0; i < f->count; i++) {
        sn_io_point arm = sn_io_point_sub(sn_io_point_of(f->start[i]), about);
        positions[i] = sn_io_point_vec3(
            sn_io_point_add(sn_io_point_add(about, sn_io_point_rotated(turn, arm)), shift));
        normals[i] = sn_io_point_vec3(sn_io_point_rotated(turn, sn_io_point_of(f->normals[i])));
    }
    return sn_animation_target_set_targets(s->world, f->animation_target, positions, normals,
                                           f->count);
}
