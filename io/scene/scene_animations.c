/*
 * Colliders whose vertices move as a file says, and what goes along with them.
 *
 * Where they are sent follows from the number of the frame alone, so that a run that goes on from a
 * snapshot does the same.
 */
#include "io/scene/scene_state.h"

#include "io/scene/point.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

/* ---- Opening ---- */

static sn_result open_file(sn_scene *s, const json_node *node, const sn_mesh *mesh,
                           scene_animation *a) {
    scene_animation_part part = {.speed = 1, .scale = 1, .fps = 60};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_animation_object, &part));
    sn_io_animation_def def = sn_io_animation_def_default();
    def.format = part.format && *part.format ? part.format : NULL;
    def.clip = part.clip && *part.clip ? part.clip : NULL;
    def.mesh = mesh;
    def.fps = (double)part.fps;
    /* As exact as it is written: a millimetre is no float. */
    def.scale = (double)part.scale;
    const json_node *scale = sn_json_member(node, "scale");
    if (scale) SN_TRY(sn_scene_read_number(&s->reader, scale, &def.scale));
    def.up = (sn_io_up)part.up;
    def.weld = part.weld;
    a->playback = (sn_io_playback){(double)part.start, (double)part.speed, part.repeat};
    char *path;
    SN_TRY(sn_scene_find_file(s, sn_json_member(node, "path"), sn_scene_folder_of(&s->reader, node),
                              part.path, &path));
    sn_result result = sn_io_animation_open(path, &def, &a->animation);
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    return sn_scene_complain_within(&s->reader, sn_json_member(node, "path"));
}

/* What an animation shows at a time of the scene, as large as the collider has it. */
static sn_result show(const scene_animation *a, double time, sn_vec3 *positions) {
    double at = sn_io_animation_time(a->animation, &a->playback, time);
    SN_TRY(sn_io_animation_sample(a->animation, at, positions));
    size_t count = sn_io_animation_get_info(a->animation).vertex_count;
    for (size_t i = 0; a->scale != 1 && i < count; i++)
        positions[i] = (sn_vec3){a->scale * positions[i].x, a->scale * positions[i].y,
                                 a->scale * positions[i].z};
    return SN_OK;
}

sn_result sn_scene_open_animation(sn_scene *s, const json_node *node, const sn_mesh *mesh,
                                  sn_real scale, sn_geometry *g, size_t *animation) {
    const json_node *source = node;
    const char *name;
    if (node->kind == JSON_STRING) {
        SN_TRY(sn_scene_read_text(&s->reader, node, &name));
        source = sn_scene_find(s, offsetof(scene_root, animations), name);
        if (!source)
            return sn_scene_complain_name(s, node, name, offsetof(scene_root, animations),
                                          "animation");
    }
    scene_animation *a = SCENE_ADD(s->animations);
    if (!a) return SN_ERROR_MEMORY;
    *a = (scene_animation){.scale = scale};
    SN_TRY(open_file(s, source, mesh, a));
    const sn_mesh *moving = sn_io_animation_mesh(a->animation);
    size_t count = moving->vertex_count;
    if (moving->triangle_count == 0)
        return sn_scene_complain(&s->reader, source,
                                 mesh ? "its mesh has no triangles"
                                      : "has points alone, expected a \"mesh\" of the collider");
    a->next = sn_scene_take(s, count, sizeof *a->next);
    a->scratch = sn_scene_take(s, count, sizeof *a->scratch);
    if (!a->next || !a->scratch) return SN_ERROR_MEMORY;
    sn_result result = show(a, 0, a->next);
    if (result != SN_OK) return sn_scene_complain_within(&s->reader, source);
    g->vertices = a->next;
    g->vertex_count = count;
    g->triangles = (const uint32_t(*)[3])moving->triangles;
    g->triangle_count = moving->triangle_count;
    *animation = s->animations.count;
    return SN_OK;
}

void sn_scene_close_animations(sn_scene *s) {
    for (size_t i = 0; i < s->animations.count; i++)
        sn_io_animation_close(s->animations.items[i].animation);
    free(s->animations.items);
}

static const scene_animation *animation_of(const sn_scene *s, const scene_collider *c) {
    return &s->animations.items[c->animation - 1];
}

/* ---- Followers ---- */

sn_result sn_scene_bind_points(sn_scene *s, const scene_collider *c, const sn_vec3 *points,
                               size_t count, sn_io_follower **followers) {
    const scene_animation *a = animation_of(s, c);
    sn_quat q = c->start.orientation;
    const double back[4] = {-(double)q.x, -(double)q.y, -(double)q.z, (double)q.w};
    sn_vec3 *own = calloc(count + 1, sizeof *own);
    *followers = sn_scene_take(s, 2 * count + 1, sizeof **followers);
    if (!own || !*followers) {
        free(own);
        return sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
    }
    for (size_t i = 0; i < count; i++) {
        sn_io_point arm =
            sn_io_point_sub(sn_io_point_of(points[i]), sn_io_point_of(c->start.position));
        own[i] = sn_io_point_vec3(sn_io_point_rotated(back, arm));
    }
    sn_result result =
        sn_io_follow(sn_io_animation_mesh(a->animation), a->next, own, count, *followers);
    free(own);
    return result;
}

/* A follower without weights has its offset alone, in the frame of its triangle: a direction. Which
   offset that is follows from those of the three axes. */
void sn_scene_bind_normals(const sn_scene *s, const scene_collider *c, const sn_vec3 *normals,
                           size_t count, sn_io_follower *followers) {
    const scene_animation *a = animation_of(s, c);
    sn_quat q = c->start.orientation;
    const double back[4] = {-(double)q.x, -(double)q.y, -(double)q.z, (double)q.w};
    for (size_t i = 0; i < count; i++) {
        sn_io_point own = sn_io_point_rotated(back, sn_io_point_of(normals[i]));
        sn_real along[3];
        sn_io_follower *f = &followers[count + i];
        *f = followers[i];
        memset(f->weights, 0, sizeof f->weights);
        for (int k = 0; k < 3; k++) {
            sn_vec3 axis;
            f->offset = (sn_vec3){k == 0, k == 1, k == 2};
            sn_io_follow_to(f, 1, a->next, &axis, NULL);
            along[k] = (sn_real)sn_io_point_dot(own, sn_io_point_of(axis));
        }
        f->offset = (sn_vec3){along[0], along[1], along[2]};
    }
}

/* Where followers are at the end of the frame; directions are turned alone. */
static void follow(const sn_scene *s, const scene_collider *c, const sn_io_follower *followers,
                   size_t count, bool directions, sn_vec3 *points) {
    sn_quat q = c->next_orientation;
    const double turn[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    sn_io_follow_to(followers, count, animation_of(s, c)->next, points, NULL);
    for (size_t i = 0; i < count; i++) {
        sn_io_point arm = sn_io_point_rotated(turn, sn_io_point_of(points[i]));
        if (!directions) arm = sn_io_point_add(sn_io_point_of(c->next_position), arm);
        points[i] = sn_io_point_vec3(arm);
    }
}

static sn_result move_anchors(sn_scene *s, const scene_attachment *a) {
    const scene_collider *c = &s->colliders.items[a->animated - 1];
    if (!sn_collider_is_valid(s->world, c->collider)) return SN_OK;
    for (size_t i = 0; i < a->nodes.count; i++) {
        sn_vec3 x;
        if (!sn_node_is_valid(s->world, a->anchors[i])) continue;
        follow(s, c, &a->followers[i], 1, false, &x);
        SN_TRY(sn_node_set_target(s->world, a->anchors[i], x));
    }
    return SN_OK;
}

/* Bodies that have lost nodes have fewer targets: the motion ends for them. */
static sn_result move_target(sn_scene *s, const scene_animation_target *f) {
    const scene_collider *c = &s->colliders.items[f->animated - 1];
    sn_vec3 *positions = f->start + f->count, *normals = f->normals + f->count;
    if (sn_animation_target_count(s->world, f->animation_target) != f->count) return SN_OK;
    follow(s, c, f->followers, f->count, false, positions);
    follow(s, c, f->followers + f->count, f->count, true, normals);
    return sn_animation_target_set_targets(s->world, f->animation_target, positions, normals,
                                           f->count);
}

/* ---- Going on ---- */

sn_result sn_scene_act_animations(sn_scene *s, int frame) {
    double now = frame / (double)s->run.fps, then = (frame + 1.0) / s->run.fps;
    for (size_t i = 0; i < s->colliders.count; i++) {
        const scene_collider *c = &s->colliders.items[i];
        if (!c->animation) continue;
        const scene_animation *a = animation_of(s, c);
        SN_TRY(show(a, then, a->next));
        bool moves = sn_io_animation_time(a->animation, &a->playback, now) !=
                     sn_io_animation_time(a->animation, &a->playback, then);
        if (moves && sn_collider_is_valid(s->world, c->collider))
            SN_TRY(sn_collider_set_vertices(s->world, c->collider, a->next,
                                            sn_io_animation_get_info(a->animation).vertex_count));
    }
    for (size_t i = 0; i < s->attachments.count; i++)
        if (s->attachments.items[i].animated) SN_TRY(move_anchors(s, &s->attachments.items[i]));
    for (size_t i = 0; i < s->animation_targets.count; i++)
        if (s->animation_targets.items[i].animated)
            SN_TRY(move_target(s, &s->animation_targets.items[i]));
    return SN_OK;
}

void sn_scene_add_animated_velocities(const sn_scene *s, const scene_collider *c, const double q[4],
                                      sn_vec3 *velocities) {
    const scene_animation *a = animation_of(s, c);
    double fps = s->run.fps, frame = sn_scene_frame_number(s);
    /* What was shown before can be shown again. */
    if (show(a, frame / fps, a->next) != SN_OK) return;
    if (show(a, (frame - 1) / fps, a->scratch) != SN_OK) return;
    size_t count = sn_io_animation_get_info(a->animation).vertex_count;
    for (size_t i = 0; i < count; i++) {
        sn_io_point way =
            sn_io_point_sub(sn_io_point_of(a->next[i]), sn_io_point_of(a->scratch[i]));
        sn_io_point v = sn_io_point_scaled(sn_io_point_rotated(q, way), fps);
        velocities[i] = sn_io_point_vec3(sn_io_point_add(sn_io_point_of(velocities[i]), v));
    }
}
