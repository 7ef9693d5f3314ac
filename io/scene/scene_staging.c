/* From where a scene is looked at, and in which light, for frames and so for caches. */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

sn_result sn_scene_build_light(sn_scene *s, const json_node *node) {
    sn_io_light light = {.colour = {1, 1, 1}, .strength = 1};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_light_object, &light));
    const json_node *direction = sn_json_member(node, "direction");
    if (light.direction.x == 0 && light.direction.y == 0 && light.direction.z == 0)
        return sn_scene_complain(&s->reader, direction, "has the length 0, expected a direction");
    if (light.direction.y > 0)
        return sn_scene_complain(&s->reader, direction,
                                 "has a y of %g, but light comes from above: expected 0 or less",
                                 (double)light.direction.y);
    if (s->lights.count == SN_IO_LIGHT_MOST)
        return sn_scene_complain(&s->reader, node, "is one too many, expected at most %d lights",
                                 SN_IO_LIGHT_MOST);
    sn_io_light *made = SCENE_ADD(s->lights);
    if (!made) return SN_ERROR_MEMORY;
    *made = light;
    return SN_OK;
}

/* ---- Cameras ---- */

static int compare_keys(const void *a, const void *b) {
    const sn_io_camera_key *one = a, *two = b;
    return (one->time > two->time) - (one->time < two->time);
}

static sn_result make_camera(sn_scene *s, const char *name, const json_node *node,
                             sn_io_camera *camera) {
    scene_camera_part part = {.up = {0, 1, 0}, .field_of_view = (sn_real)0.6};
    scene_reader reader = s->reader;
    SN_TRY(sn_scene_read(&reader, node, &sn_scene_camera_object, &part));
    size_t count = part.keys ? part.keys->count : 0;
    *camera = (sn_io_camera){name, part.eye, part.target, part.up, part.field_of_view, count, NULL};
    if (count == 0) return SN_OK;
    sn_io_camera_key *keys = sn_scene_take(s, count, sizeof *keys);
    if (!keys) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        keys[i] = (sn_io_camera_key){.target = part.target, .field_of_view = part.field_of_view};
        SN_TRY(sn_scene_read(&reader, &part.keys->items[i], &sn_scene_camera_key_object, &keys[i]));
        if (keys[i].target.x == SN_AUTO) keys[i].target = part.target;
        if (keys[i].field_of_view == SN_AUTO) keys[i].field_of_view = part.field_of_view;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    camera->keys = keys;
    return SN_OK;
}

/* Those of all files; of a name, the one that pictures find. */
static sn_result make_cameras(sn_scene *s, sn_io_camera *cameras, size_t *count) {
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *map = s->roots[f].cameras;
        for (size_t i = 0; map && i < map->count; i++) {
            const char *name = map->items[i].key;
            const json_node *node = sn_scene_find(s, offsetof(scene_root, cameras), name);
            bool known = !node || strcmp(name, "comment") == 0;
            for (size_t k = 0; k < *count; k++) known = known || !strcmp(cameras[k].name, name);
            if (known) continue;
            sn_result result = make_camera(s, name, node, &cameras[*count]);
            /* What is wrong with one was said when the scene was opened. */
            if (result == SN_ERROR_MEMORY) return result;
            *count += result == SN_OK;
        }
    }
    return SN_OK;
}

/* ---- All of it ---- */

/* The ground is where a level plane is that things lie on; otherwise the picture chooses. */
static sn_real floor_height(const sn_scene *s) {
    for (size_t i = 0; i < s->colliders.count; i++) {
        const scene_collider *c = &s->colliders.items[i];
        sn_quat turn = c->start.orientation;
        bool level = turn.x == 0 && turn.y == 0 && turn.z == 0;
        if (c->start.shape == SN_SHAPE_PLANE && level) return c->start.position.y;
    }
    return SN_AUTO;
}

sn_result sn_scene_make_staging(sn_scene *s) {
    if (s->staging) return SN_OK;
    size_t most = 0, count = 0;
    bool any = s->run.picture_at != SN_AUTO || s->lights.count > 0;
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const scene_root *root = &s->roots[f];
        most += root->cameras ? root->cameras->count : 0;
        any = any || root->ground || root->background;
    }
    /* Without anything to say, frames and caches are as they were. */
    if (most == 0 && !any) return SN_OK;
    sn_io_staging *staging = sn_scene_take(s, 1, sizeof *staging);
    sn_io_camera *cameras = sn_scene_take(s, most + 1, sizeof *cameras);
    if (!staging || !cameras) return SN_ERROR_MEMORY;
    SN_TRY(make_cameras(s, cameras, &count));
    *staging = sn_io_staging_default();
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const scene_root *root = &s->roots[f];
        scene_reader reader = s->reader;
        if (root->ground)
            (void)sn_scene_read(&reader, root->ground, &sn_scene_ground_object, staging);
        if (root->background)
            (void)sn_scene_read(&reader, root->background, &sn_scene_background_object, staging);
    }
    if (staging->ground_height == SN_AUTO) staging->ground_height = floor_height(s);
    staging->camera_count = count;
    staging->cameras = cameras;
    staging->picture_at = s->run.picture_at;
    staging->light_count = s->lights.count;
    staging->lights = s->lights.items;
    s->staging = staging;
    return SN_OK;
}
