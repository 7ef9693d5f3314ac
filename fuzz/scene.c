/*
 * Any bytes as a scene: a world that steps, or sentences. It may ask for any file, so that it lives
 * in a folder that is not there, and for any size, so that it gets a limit of nodes; paths that
 * lead out of the folder are passed over.
 */
#include <sinew_io/scene.h>
#include <string.h>

#include "fuzz.h"
#include "io/scene/scene_state.h"

enum { MOST_NODES = 4000, MOST_TEXT = 1 << 15 };

/* Whether the text could name a file that is there: by its root, or by the folder above. */
static bool leads_out(const char *text, size_t size) {
    for (size_t i = 0; i + 1 < size; i++)
        if ((text[i] == '"' && text[i + 1] == '/') || (text[i] == '.' && text[i + 1] == '.') ||
            (text[i] == '\\' && text[i + 1] == 'u') || (text[i] == '\\' && text[i + 1] == '/'))
            return true;
    return false;
}

static void hear(void *user, const char *sentence) {
    size_t *count = user;
    ++*count;
    FUZZ_EXPECT(strlen(sentence) > 10 && strncmp(sentence, "no_folder/", 10) == 0);
}

/* A few frames, cheaply whatever the scene wants. */
static void run(sn_scene *scene) {
    sn_world *world = sn_scene_world(scene);
    sn_settings settings = sn_settings_default();
    sn_io_frame frame;
    double *values = calloc(sn_scene_column_count(scene) + 1, sizeof *values);
    FUZZ_EXPECT(values && sn_world_get_settings(world, &settings) == SN_OK);
    settings.substeps = settings.iterations = 1;
    FUZZ_EXPECT(sn_world_set_settings(world, &settings) == SN_OK);
    for (size_t i = 0; i < scene->actions.count; i++)
        if (scene->actions.items[i].part.settings) scene->actions.items[i].part.time = 1e6;
    for (int i = 0; i < 3; i++) {
        FUZZ_EXPECT(sn_scene_frame(scene, &frame) == SN_OK);
        FUZZ_EXPECT(sn_scene_measure(scene, values) == SN_OK);
        FUZZ_EXPECT(frame.number == i);
        sn_result result = sn_scene_step(scene);
        FUZZ_EXPECT(result == SN_OK || sn_last_error()[0]);
        if (result != SN_OK) break;
    }
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    size_t complaints = 0;
    if (size > MOST_TEXT || leads_out((const char *)data, size)) return 0;
    def.path = "no_folder/scene.json";
    def.text = (const char *)data;
    def.length = size;
    def.most_nodes = MOST_NODES;
    def.complaint = hear;
    def.user = &complaints;
    sn_result result = sn_scene_open(&def, &scene);
    FUZZ_EXPECT((result == SN_OK) == (scene != NULL));
    FUZZ_EXPECT((result == SN_ERROR_DATA) == (complaints > 0));
    FUZZ_EXPECT(complaints <= 100);
    if (scene) run(scene);
    sn_scene_close(scene);
    return 0;
}
