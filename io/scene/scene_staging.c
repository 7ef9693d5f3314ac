/* From where a scene is looked at: its cameras, for frames and so for caches. */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <string.h>

sn_result sn_scene_make_staging(sn_scene *s) {
    if (s->staging) return SN_OK;
    size_t most = 0, count = 0;
    for (size_t f = 0; f < s->reader.file_count; f++)
        most += s->roots[f].cameras ? s->roots[f].cameras->count : 0;
    /* Without anything to say, frames and caches are as they were. */
    if (most == 0 && s->run.picture_at == SN_AUTO) return SN_OK;
    sn_io_staging *staging = sn_scene_take(s, 1, sizeof *staging);
    sn_io_camera *cameras = sn_scene_take(s, most + 1, sizeof *cameras);
    if (!staging || !cameras) return SN_ERROR_MEMORY;
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *map = s->roots[f].cameras;
        for (size_t i = 0; map && i < map->count; i++) {
            const char *name = map->items[i].key;
            sn_scene_camera c;
            bool known = false;
            for (size_t k = 0; k < count; k++) known = known || !strcmp(cameras[k].name, name);
            if (known || !sn_scene_find_camera(s, name, &c)) continue;
            cameras[count++] = (sn_io_camera){name, c.eye, c.target, c.up, c.field_of_view};
        }
    }
    *staging = sn_io_staging_default();
    staging->camera_count = count;
    staging->cameras = cameras;
    staging->picture_at = s->run.picture_at;
    s->staging = staging;
    return SN_OK;
}
