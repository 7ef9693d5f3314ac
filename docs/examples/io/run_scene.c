/* Runs a scene file from a program of your own, changes a parameter, and writes a picture. */
#include <sinew_io/scene.h>
#include <sinew_picture/picture.h>

#include <stdio.h>

static int fail(void) {
    fprintf(stderr, "%s\n", sn_last_error());
    return 1;
}

int main(int argc, char **argv) {
    const char *sets[] = {"fabric=silk", "cells=30"};
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene;
    def.path = argc > 1 ? argv[1] : "scenes/cloth.json";
    def.sets = sets;
    def.set_count = 2;
    if (sn_scene_open(&def, &scene) != SN_OK) return fail();
    for (int i = 0; i < sn_scene_frames(scene); i++)
        if (sn_scene_step(scene) != SN_OK) return fail();

    sn_io_frame frame;
    if (sn_scene_frame(scene, &frame) != SN_OK) return fail();
    sn_picture_bounds bounds = sn_picture_bounds_none();
    sn_picture_bounds_add(&bounds, &frame);
    sn_picture_view view = sn_picture_view_around(&bounds, 4.0 / 3);
    sn_picture_image image;
    if (sn_picture_draw(&frame, &view, 640, 480, &image) != SN_OK) return fail();
    if (sn_picture_png_write("run_scene.png", &image) != SN_OK) return fail();
    printf("%s: %zu shapes after %.2f s, drawn into run_scene.png\n", sn_scene_title(scene),
           frame.shape_count, frame.time);
    sn_picture_image_free(&image);
    sn_scene_close(scene);
    return 0;
}
