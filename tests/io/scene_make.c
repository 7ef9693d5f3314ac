#include "scene_make.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#include <sinew_io/export.h>

sn_result scene_try(const char *text, const char *const *sets, sn_scene **scene) {
    sn_scene_def def = sn_scene_def_default();
    def.path = "scene.json";
    def.text = text;
    def.length = strlen(text);
    def.sets = sets;
    while (sets && sets[def.set_count]) def.set_count++;
    return sn_scene_open(&def, scene);
}

sn_scene *scene_make_with(const char *text, const char *const *sets) {
    sn_scene *scene = NULL;
    REQUIRE_OK(scene_try(text, sets, &scene));
    return scene;
}

sn_scene *scene_make(const char *text) {
    return scene_make_with(text, NULL);
}

sn_node_def scene_node_at(sn_scene *scene, size_t slot) {
    sn_world *world = sn_scene_world(scene);
    sn_node_def def = sn_node_def_default();
    sn_node node;
    REQUIRE_OK(sn_world_node_at(world, slot, &node));
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

size_t scene_count_kinematic(sn_scene *scene) {
    sn_node_view view;
    size_t count = 0;
    REQUIRE_OK(sn_world_nodes(sn_scene_world(scene), &view));
    for (size_t i = 0; i < view.count; i++) count += scene_node_at(scene, i).inverse_mass == 0;
    return count;
}

void scene_run_frames(sn_scene *scene, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_scene_step(scene));
}

double scene_column_value(sn_scene *scene, const char *name) {
    size_t count = sn_scene_column_count(scene);
    double *values = malloc((count + 1) * sizeof *values), value = NAN;
    if (!values) return NAN;
    REQUIRE_OK(sn_scene_measure(scene, values));
    for (size_t i = 0; i < count; i++)
        if (strcmp(sn_scene_column(scene, i), name) == 0) value = values[i];
    free(values);
    return value;
}

sn_scene *scene_open_in(const char *folder, const char *name, const char *set) {
    char path[600];
    const char *sets[] = {set, NULL};
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    def.path = path;
    def.sets = sets;
    def.set_count = set != NULL;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    return scene;
}

void scene_write_frames(sn_scene *scene, const char *format, const char *folder, const char *name) {
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *e = NULL;
    sn_io_frame frame;
    def.format = format;
    def.folder = folder;
    def.name = name;
    REQUIRE_OK(sn_io_export_open(&def, &e));
    for (int i = 0; i < 3; i++) {
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        REQUIRE_OK(sn_io_export_frame(e, &frame));
        REQUIRE_OK(sn_scene_step(scene));
    }
    REQUIRE_OK(sn_io_export_close(e));
    sn_io_export_free(e);
    sn_scene_close(scene);
}
