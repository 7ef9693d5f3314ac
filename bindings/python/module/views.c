/*
 * Views: numbers of a world, a mesh or a callback, by the buffer protocol or as DLPack tensors, and
 * without a copy.
 */
#include "binding.h"

#include <string.h>

PyTypeObject *snpy_view_type;

typedef struct view {
    PyObject ob_base;
    PyObject *home; /* a record or a handle */
    const snpy_type *type;
    const void *pointer;
    Py_ssize_t shape[2], strides[2];
    int dimensions;
    char format[2];
    bool writable;
} view;

/* The letter of the module struct. */
static char letter_of(const snpy_type *type) {
    if (type->kind == SNPY_INT || type->kind == SNPY_ENUM) {
        const char *letters = type->is_signed ? "bhiq" : "BHIQ";
        return letters[type->size == 1 ? 0 : type->size == 2 ? 1 : type->size == 4 ? 2 : 3];
    }
    size_t size = type->kind == SNPY_VECTOR ? sizeof(sn_real) : type->size;
    return size == sizeof(float) ? 'f' : 'd';
}

PyObject *snpy_view(PyObject *home, const snpy_type *type, const void *pointer, size_t count,
                    int columns, bool writable) {
    allocfunc make = (allocfunc)PyType_GetSlot(snpy_view_type, Py_tp_alloc);
    view *made = (view *)make(snpy_view_type, 0);
    if (!made) return NULL;
    bool vector = type->kind == SNPY_VECTOR;
    /* The fourth number of a vector in memory is padding. */
    int width = vector ? (strcmp(type->name, "sn_vec4") == 0 ? 3 : type->width) : columns;
    size_t number = vector ? sizeof(sn_real) : type->size;
    made->home = Py_NewRef(home);
    made->type = type;
    made->pointer = pointer;
    made->dimensions = width > 1 || vector ? 2 : 1;
    made->shape[0] = (Py_ssize_t)count;
    made->shape[1] = width;
    made->strides[0] = (Py_ssize_t)(vector ? type->size : type->size * (size_t)columns);
    made->strides[1] = (Py_ssize_t)number;
    made->format[0] = letter_of(type);
    made->writable = writable;
    return (PyObject *)made;
}

/* What is lent must still be there. */
static bool is_alive(const view *self) {
    snpy_record *record = snpy_as_record(self->home);
    return !record || snpy_is_alive(record);
}

static int get_buffer(PyObject *self, Py_buffer *buffer, int flags) {
    view *v = (view *)self;
    buffer->obj = NULL;
    if (!is_alive(v)) return -1;
    if ((flags & PyBUF_WRITABLE) && !v->writable) {
        PyErr_SetString(PyExc_BufferError, "these numbers are read only");
        return -1;
    }
    bool plain = v->strides[0] == v->shape[1] * v->strides[1] || v->dimensions == 1;
    if (!plain && (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "these numbers have gaps between rows");
        return -1;
    }
    buffer->buf = (void *)(uintptr_t)(v->pointer ? v->pointer : v);
    buffer->obj = Py_NewRef(self);
    buffer->itemsize = v->strides[1];
    if (v->dimensions == 1) buffer->itemsize = v->strides[0];
    buffer->len = v->shape[0] * (v->dimensions == 2 ? v->shape[1] : 1) * buffer->itemsize;
    buffer->readonly = !v->writable;
    buffer->ndim = v->dimensions;
    buffer->format = flags & PyBUF_FORMAT ? v->format : NULL;
    buffer->shape = flags & PyBUF_ND ? v->shape : NULL;
    buffer->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? v->strides : NULL;
    buffer->suboffsets = NULL;
    buffer->internal = NULL;
    snpy_count_exports(v->home, 1);
    return 0;
}

static void release_buffer(PyObject *self, Py_buffer *buffer) {
    (void)buffer;
    snpy_count_exports(((view *)self)->home, -1);
}

static Py_ssize_t view_length(PyObject *self) {
    return ((view *)self)->shape[0];
}

/* One row: a number, or a tuple of them. */
static PyObject *view_item(PyObject *self, Py_ssize_t i) {
    view *v = (view *)self;
    if (i < 0 || i >= v->shape[0]) {
        PyErr_SetString(PyExc_IndexError, "there are not that many");
        return NULL;
    }
    if (!is_alive(v)) return NULL;
    const char *row = (const char *)v->pointer + i * v->strides[0];
    if (v->dimensions == 1) return snpy_give(v->type, row, NULL);
    snpy_type number = *v->type;
    if (number.kind == SNPY_VECTOR) number.kind = SNPY_FLOAT, number.size = sizeof(sn_real);
    return snpy_give_fixed(&number, 0, (int)v->shape[1], row, NULL);
}

static PyObject *view_list(PyObject *self, PyObject *unused) {
    (void)unused;
    return PySequence_List(self);
}

static PyObject *view_shape(PyObject *self, void *closure) {
    (void)closure;
    view *v = (view *)self;
    return v->dimensions == 1 ? Py_BuildValue("(n)", v->shape[0])
                              : Py_BuildValue("(nn)", v->shape[0], v->shape[1]);
}

static PyObject *view_repr(PyObject *self) {
    view *v = (view *)self;
    return PyUnicode_FromFormat(v->dimensions == 1 ? "<View of %zd %s>" : "<View of %zd %s by %zd>",
                                v->shape[0], v->format, v->shape[1]);
}

static void dealloc_view(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_CLEAR(((view *)self)->home);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static int traverse_view(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((view *)self)->home);
    return 0;
}

/* ---- DLPack: the same for libraries of tensors ---- */

/* As dlpack.h has them, version 0. */
typedef struct dl_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t dimensions;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor tensor;
    void *context;
    void (*deleter)(struct dl_managed *self);
} dl_managed;

typedef struct dl_export {
    dl_managed managed;
    Py_buffer buffer;
    int64_t shape[2], strides[2];
} dl_export;

enum { DL_CPU = 1, DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2 };

static void end_export(dl_managed *managed) {
    PyGILState_STATE state = PyGILState_Ensure();
    dl_export *export = managed->context;
    PyBuffer_Release(&export->buffer);
    PyMem_Free(export);
    PyGILState_Release(state);
}

/* Who takes the tensor gives the capsule another name, and ends the export by itself. */
static void drop_capsule(PyObject *capsule) {
    if (!PyCapsule_IsValid(capsule, "dltensor")) return;
    end_export(PyCapsule_GetPointer(capsule, "dltensor"));
}

static PyObject *view_dlpack(PyObject *self, PyObject *arguments, PyObject *keywords) {
    (void)arguments, (void)keywords;
    dl_export *export = PyMem_Calloc(1, sizeof *export);
    if (!export) return PyErr_NoMemory();
    if (PyObject_GetBuffer(self, &export->buffer, PyBUF_RECORDS_RO) != 0) {
        PyMem_Free(export);
        return NULL;
    }
    const Py_buffer *b = &export->buffer;
    for (int i = 0; i < b->ndim; i++) {
        export->shape[i] = b->shape[i];
        export->strides[i] = b->strides[i] / b->itemsize;
    }
    char letter = *b->format;
    uint8_t code = strchr("fd", letter) ? DL_FLOAT : strchr("bhiq", letter) ? DL_INT : DL_UINT;
    export->managed.tensor =
        (dl_tensor){b->buf,        DL_CPU,          0, b->ndim, code, (uint8_t)(b->itemsize * 8), 1,
                    export->shape, export->strides, 0};
    export->managed.context = export;
    export->managed.deleter = end_export;
    PyObject *capsule = PyCapsule_New(&export->managed, "dltensor", drop_capsule);
    if (!capsule) end_export(&export->managed);
    return capsule;
}

static PyObject *view_device(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    return Py_BuildValue("(ii)", DL_CPU, 0);
}

static PyMethodDef methods[] = {
    {"tolist", view_list, METH_NOARGS, "All rows as a list."},
    {"__dlpack__", (PyCFunction)(void (*)(void))view_dlpack, METH_VARARGS | METH_KEYWORDS,
     "The numbers for libraries of tensors, without a copy; they are not to be written."},
    {"__dlpack_device__", view_device, METH_NOARGS, "The processor."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef members[] = {{"shape", view_shape, NULL, "Rows, and numbers in each.", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};

bool snpy_make_view(PyObject *module) {
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc_view},
                           {Py_tp_traverse, traverse_view},
                           {Py_bf_getbuffer, get_buffer},
                           {Py_bf_releasebuffer, release_buffer},
                           {Py_sq_length, view_length},
                           {Py_sq_item, view_item},
                           {Py_tp_repr, view_repr},
                           {Py_tp_methods, methods},
                           {Py_tp_getset, members},
                           {Py_tp_doc, "Numbers where they are, for memoryview and NumPy."},
                           {0, NULL}};
    PyType_Spec spec = {"sinew.c.View", sizeof(view), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        slots};
    snpy_view_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return snpy_view_type && PyModule_AddType(module, snpy_view_type) == 0;
}
