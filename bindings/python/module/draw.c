/* Pictures of frames, for show(): pixels, which Python packs as it likes. */
#include "binding.h"

#include <sinew_picture/picture.h>
#include <string.h>

extern const snpy_type snpy_type_sn_io_frame;

/* The camera of that name, where the frame has one. */
static void look_through(sn_picture_view *view, const sn_io_frame *frame, const char *camera) {
    const sn_io_staging *staging = frame->staging;
    if (!staging) return;
    sn_picture_view_stage(view, staging);
    for (size_t i = 0; i < staging->camera_count; i++) {
        if (strcmp(staging->cameras[i].name, camera) != 0) continue;
        sn_io_camera now = sn_io_camera_at(&staging->cameras[i], frame->time);
        sn_picture_view_move(view, now.eye, now.target);
        view->up = now.up;
        view->field_of_view = now.field_of_view;
        return;
    }
}

static PyObject *draw(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *record;
    void *frame;
    int width, height, colouring;
    const char *camera;
    if (!PyArg_ParseTuple(arguments, "Oiisi", &record, &width, &height, &camera, &colouring) ||
        !snpy_take_record(record, snpy_type_sn_io_frame.of, false, &frame, "frame"))
        return NULL;
    sn_picture_bounds bounds = sn_picture_bounds_none();
    sn_picture_bounds_add(&bounds, frame);
    sn_picture_view view = sn_picture_view_around(&bounds, (double)width / (height ? height : 1));
    look_through(&view, frame, camera);
    view.colouring = (sn_picture_colouring)colouring;
    view.legend = colouring != SN_PICTURE_COLOUR_BODY;
    sn_picture_image image;
    /* The arrays of the frame are lent by a world that others could step meanwhile, so the lock
       is kept. */
    sn_result result = sn_picture_draw(frame, &view, width, height, &image);
    if (result != SN_OK) return snpy_fail(result);
    PyObject *pixels =
        PyBytes_FromStringAndSize((const char *)image.rgb, (Py_ssize_t)3 * width * height);
    sn_picture_image_free(&image);
    return pixels;
}

bool snpy_add_draw(PyObject *module) {
    static PyMethodDef methods[] = {
        {"_draw", draw, METH_VARARGS,
         "_draw(frame, width, height, camera, colouring): the pixels of a picture, three "
         "bytes each."},
        {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, methods) == 0;
}
