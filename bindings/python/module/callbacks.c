/*
 * Python functions that C calls: force fields, winds, formulas of constraints, filters, messages.
 * What they raise goes on from the call that they were in.
 */
#include "binding.h"

#include <string.h>

PyTypeObject *snpy_callback_type;

PyObject *snpy_callback_new(PyObject *function, snpy_handle *home) {
    allocfunc make = (allocfunc)PyType_GetSlot(snpy_callback_type, Py_tp_alloc);
    snpy_callback *callback = (snpy_callback *)make(snpy_callback_type, 0);
    if (!callback) return NULL;
    callback->function = Py_NewRef(function);
    callback->home = home;
    return (PyObject *)callback;
}

/* Keeps what was raised, the first of it, for the call that this is in. */
static void keep_error(snpy_callback *callback) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value && trace) PyException_SetTraceback(value, trace);
    if (!callback->error) callback->error = Py_XNewRef(value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

bool snpy_raise_pending(snpy_handle *handle) {
    Py_ssize_t count = handle->callbacks ? PyList_Size(handle->callbacks) : 0;
    bool raised = false;
    for (Py_ssize_t i = 0; i < count; i++) {
        snpy_callback *callback = (snpy_callback *)PyList_GetItem(handle->callbacks, i);
        PyObject *error = callback->error;
        callback->error = NULL;
        if (error && !raised) PyErr_SetObject((PyObject *)Py_TYPE(error), error), raised = true;
        Py_XDECREF(error);
    }
    return raised;
}

/* The callbacks of a definition live as long as what was made with it. */
bool snpy_keep_callbacks(PyObject *made, PyObject *definition) {
    snpy_handle *handle = (snpy_handle *)made;
    snpy_record *record = snpy_as_record(definition);
    if (!record || !record->kept) return true;
    if (!handle->callbacks) handle->callbacks = PyList_New(0);
    PyObject *lists = PyDict_Values(record->kept);
    bool done = handle->callbacks && lists;
    for (Py_ssize_t i = 0; done && i < PyList_Size(lists); i++) {
        PyObject *list = PyList_GetItem(lists, i);
        PyObject *first =
            PyList_Check(list) && PyList_Size(list) > 0 ? PyList_GetItem(list, 0) : NULL;
        if (!first || Py_TYPE(first) != snpy_callback_type) continue;
        ((snpy_callback *)first)->home = handle;
        done = PyList_Append(handle->callbacks, first) == 0;
    }
    Py_XDECREF(lists);
    return done;
}

/* ---- Messages and filters ---- */

static void tell(void *user, PyObject *arguments) {
    PyObject *function = ((snpy_callback *)user)->function;
    PyObject *result = arguments ? PyObject_CallObject(function, arguments) : NULL;
    if (!result) PyErr_WriteUnraisable(function);
    Py_XDECREF(result);
    Py_XDECREF(arguments);
}

void snpy_call_log(void *user, sn_log_level level, const char *sentence) {
    PyGILState_STATE state = PyGILState_Ensure();
    tell(user, Py_BuildValue("(iN)", (int)level, snpy_give_text(sentence)));
    PyGILState_Release(state);
}

void snpy_call_complaint(void *user, const char *sentence) {
    PyGILState_STATE state = PyGILState_Ensure();
    tell(user, Py_BuildValue("(N)", snpy_give_text(sentence)));
    PyGILState_Release(state);
}

extern const snpy_type snpy_type_sn_hit, snpy_type_sn_vec4, snpy_type_sn_real;

/* Called where the lock is held; the call that it is in finds the exception. */
bool snpy_call_accept(void *user, const sn_hit *hit) {
    if (PyErr_Occurred()) return false;
    PyObject *shown = snpy_give(&snpy_type_sn_hit, hit, NULL);
    PyObject *result =
        shown ? PyObject_CallFunctionObjArgs(((snpy_callback *)user)->function, shown, NULL) : NULL;
    bool accepted = result && PyObject_IsTrue(result) == 1;
    Py_XDECREF(result);
    Py_XDECREF(shown);
    return accepted;
}

/* ---- Force fields and wind ---- */

/* A buffer of `count` rows that lie in the world. */
static PyObject *shown(snpy_callback *callback, const snpy_type *type, const void *pointer,
                       size_t count, bool writable) {
    return snpy_view((PyObject *)callback->home, type, pointer, count, 1, writable);
}

void snpy_call_field(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    PyGILState_STATE state = PyGILState_Ensure();
    snpy_callback *callback = user;
    size_t n = input->count;
    PyObject *arguments = Py_BuildValue(
        "(dNNNN)", input->time, shown(callback, &snpy_type_sn_vec4, input->position, n, false),
        shown(callback, &snpy_type_sn_vec4, input->velocity, n, false),
        shown(callback, &snpy_type_sn_real, input->inverse_mass, n, false),
        shown(callback, &snpy_type_sn_vec4, acceleration, n, true));
    PyObject *result =
        arguments && !callback->error ? PyObject_CallObject(callback->function, arguments) : NULL;
    if (!result && PyErr_Occurred()) keep_error(callback);
    Py_XDECREF(result);
    Py_XDECREF(arguments);
    PyGILState_Release(state);
}

/* ---- Formulas ---- */

/* Numbers of a batch as a buffer of its own, `rows` of SN_USER_LANES, by `across` where that is not
   0. What is read is copied into it; what is written is copied back, so that nothing that a formula
   keeps can change a world later. */
static PyObject *batch_rows(const void *from, int rows, int across) {
    size_t size = (size_t)rows * (size_t)(across ? across : 1) * SN_USER_LANES * sizeof(sn_real);
    PyObject *bytes = PyByteArray_FromStringAndSize(from, (Py_ssize_t)size);
    PyObject *plain = bytes ? PyMemoryView_FromObject(bytes) : NULL;
    const char *format = sizeof(sn_real) == sizeof(float) ? "f" : "d";
    PyObject *rest =
        !plain   ? NULL
        : across ? PyObject_CallMethod(plain, "cast", "s(iii)", format, rows, across, SN_USER_LANES)
                 : PyObject_CallMethod(plain, "cast", "s(ii)", format, rows, SN_USER_LANES);
    Py_XDECREF(plain);
    Py_XDECREF(bytes);
    return rest;
}

/* Copies what a formula wrote back, or zeros where it failed. */
static void batch_back(PyObject *views, const char *name, void *to, size_t size) {
    if (!to) return;
    PyObject *rows = views ? PyDict_GetItemString(views, name) : NULL;
    Py_buffer buffer;
    if (rows && PyObject_GetBuffer(rows, &buffer, PyBUF_C_CONTIGUOUS) == 0) {
        memcpy(to, buffer.buf, (size_t)buffer.len < size ? (size_t)buffer.len : size);
        PyBuffer_Release(&buffer);
    } else {
        memset(to, 0, size);
    }
}

typedef struct shape {
    const char *name;
    void *data;
    int rows, across;
    bool written;
} shape;

void snpy_call_formula(void *user, const sn_user_batch *batch) {
    PyGILState_STATE state = PyGILState_Ensure();
    snpy_callback *callback = user;
    /* The type tells how many of each there are; its sizes were kept with the function. */
    PyObject *sizes = PyObject_GetAttrString(callback->function, "sizes");
    int nodes = 0, frames = 0, rows = 0, parameters = 0;
    bool known = sizes && PyArg_ParseTuple(sizes, "iiii", &nodes, &frames, &rows, &parameters);
    Py_XDECREF(sizes);
    const shape shapes[] = {
        {"x", (void *)(uintptr_t)batch->x, nodes, 3, false},
        {"origin", (void *)(uintptr_t)batch->origin, 3, 0, false},
        {"q", (void *)(uintptr_t)batch->q, frames, 4, false},
        {"parameter", (void *)(uintptr_t)batch->parameter, parameters, 0, false},
        {"value", batch->value, rows, 0, true},
        {"gradient", batch->gradient, rows * nodes, 3, true},
        {"turn", batch->turn, rows * frames, 3, true},
        {"scale", batch->scale, 1, 0, true},
        {"least", batch->least, rows, 0, true},
        {"most", batch->most, rows, 0, true},
    };
    enum { COUNT = sizeof shapes / sizeof *shapes };
    PyObject *views =
        known && !callback->error ? Py_BuildValue("{sn}", "count", batch->count) : NULL;
    for (int i = 0; views && i < COUNT; i++) {
        PyObject *rows_of = shapes[i].data && shapes[i].rows > 0
                                ? batch_rows(shapes[i].data, shapes[i].rows, shapes[i].across)
                                : Py_NewRef(Py_None);
        if (!rows_of || PyDict_SetItemString(views, shapes[i].name, rows_of) != 0) Py_CLEAR(views);
        Py_XDECREF(rows_of);
    }
    PyObject *result = views ? PyObject_CallFunctionObjArgs(callback->function, views, NULL) : NULL;
    if (!result && PyErr_Occurred()) keep_error(callback);
    for (int i = 0; i < COUNT; i++) {
        size_t size = (size_t)shapes[i].rows * (size_t)(shapes[i].across ? shapes[i].across : 1) *
                      SN_USER_LANES * sizeof(sn_real);
        if (shapes[i].written && known)
            batch_back(result ? views : NULL, shapes[i].name, shapes[i].data, size);
    }
    PyErr_Clear();
    Py_XDECREF(result);
    Py_XDECREF(views);
    PyGILState_Release(state);
}

/* ---- The type ---- */

static void dealloc_callback(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_CLEAR(((snpy_callback *)self)->function);
    Py_CLEAR(((snpy_callback *)self)->error);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static int traverse_callback(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((snpy_callback *)self)->function);
    Py_VISIT(((snpy_callback *)self)->error);
    return 0;
}

bool snpy_make_callback(PyObject *module) {
    (void)module;
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc_callback},
                           {Py_tp_traverse, traverse_callback},
                           {Py_tp_doc, "Something that the library calls."},
                           {0, NULL}};
    PyType_Spec spec = {"sinew.c.Callback", sizeof(snpy_callback), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        slots};
    snpy_callback_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return snpy_callback_type != NULL;
}
