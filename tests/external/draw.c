/*
 * The smallest use of the libraries beside the core: a scene from text, and a picture of it.
 */
#include <sinew_io/scene.h>
#include <sinew_picture/picture.h>

#include <stdio.h>
#include <string.h>

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, sn_last_error());
    return 1;
}

int main(void) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    sn_io_frame frame;
    sn_picture_image image = {0};
    def.path = "scene.json";
    def.text = "{\"version\": 1, \"bodies\": [{\"name\": \"flag\", \"material\": \"silk\","
               "\"mesh\": {\"shape\": \"grid\"}, \"pins\": \"left\"}]}";
    def.length = strlen(def.text);
    if (sn_scene_open(&def, &scene) != SN_OK) return fail("scene");
    if (sn_scene_step(scene) != SN_OK) return fail("step");
    if (sn_scene_frame(scene, &frame) != SN_OK) return fail("frame");
    sn_picture_bounds bounds = sn_picture_bounds_none();
    sn_picture_bounds_add(&bounds, &frame);
    sn_picture_view view = sn_picture_view_around(&bounds, 2);
    if (sn_picture_draw(&frame, &view, 64, 32, &image) != SN_OK) return fail("picture");
    printf("a picture of %d x %d pixels\n", image.width, image.height);
    int wrong = image.width != 64 || image.height != 32;
    sn_picture_image_free(&image);
    sn_scene_close(scene);
    return wrong;
}
