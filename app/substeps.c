#include "substeps.h"

#include <math.h>
#include <stdio.h>

bool app_say_substeps(sn_scene *scene, char *text, size_t size) {
    sn_settings settings = sn_settings_default();
    sn_scene_body body, worst = {0};
    if (sn_world_get_settings(sn_scene_world(scene), &settings) != SN_OK) return false;
    for (size_t i = 0; sn_scene_body_at(scene, i, &body); i++)
        if (body.substep_rate > worst.substep_rate) worst = body;
    double needed = ceil(worst.substep_rate / sn_scene_fps(scene));
    if (needed <= settings.substeps) return false;
    snprintf(text, size,
             "\"%.64s\" is softer than its material with %d substeps, and needs %.0f on its mesh; "
             "docs/solids.md",
             worst.name, settings.substeps, needed);
    return true;
}
