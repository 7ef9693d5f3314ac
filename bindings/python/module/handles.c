/*
 * Handles: what C uses by a pointer alone, and the memory of worlds.
 */
#include "binding.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---- */

/* A block that was freed while somebody might still read it. */
typedef struct block {
    struct block *next;
    void *pointer;
    size_t size;
} block;

struct snpy_memory {
    sn_allocator below;
    atomic_int exports;   /* buffers in use */
    atomic_int borrowers; /* queries, which read what colliders have */
    block *blocks;
};

/* As that below it, but what is in use stays where it is: who asks for more gets a copy. */
static void *reallocate(void *user, void *pointer, size_t old_size, size_t new_size) {
    snpy_memory *memory = user;
    sn_allocator *below = &memory->below;
    if (!pointer || (atomic_load(&memory->exports) == 0 && atomic_load(&memory->borrowers) == 0))
        return below->reallocate(below->user, pointer, old_size, new_size);
    block *kept = malloc(sizeof *kept);
    void *moved = NULL;
    if (new_size > 0 && kept) moved = below->reallocate(below->user, NULL, 0, new_size);
    if (!kept || (new_size > 0 && !moved)) {
        /* Without memory even for this, what is freed is never given back. */
        free(kept);
        return NULL;
    }
    if (moved) memcpy(moved, pointer, old_size < new_size ? old_size : new_size);
    *kept = (block){memory->blocks, pointer, old_size};
    memory->blocks = kept;
    return moved;
}

snpy_memory *snpy_begin_memory(sn_allocator *allocator) {
    snpy_memory *memory = calloc(1, sizeof *memory);
    if (!memory) {
        PyErr_NoMemory();
        return NULL;
    }
    memory->below = sn_allocator_default();
    *allocator = (sn_allocator){reallocate, memory};
    return memory;
}

/* Gives back what waited, where nobody reads it any more. */
static void settle(snpy_memory *memory) {
    if (!memory || atomic_load(&memory->exports) > 0 || atomic_load(&memory->borrowers) > 0) return;
    while (memory->blocks) {
        block *first = memory->blocks;
        memory->blocks = first->next;
        memory->below.reallocate(memory->below.user, first->pointer, first->size, 0);
        free(first);
    }
}

void snpy_end_memory(snpy_memory *memory) {
    if (!memory) return;
    settle(memory);
    free(memory);
}

void snpy_count_exports(PyObject *home, int change) {
    while (home) {
        snpy_handle *handle = snpy_as_handle(home);
        ((snpy_home *)home)->exports += change;
        if (handle) {
            if (handle->memory) atomic_fetch_add(&handle->memory->exports, change);
            return;
        }
        snpy_record *record = (snpy_record *)home;
        home = record->owner ? record->owner : record->lender;
    }
}

bool snpy_is_exported(PyObject *home, const char *what) {
    snpy_handle *handle = snpy_as_handle(home);
    int exports = handle && handle->memory ? atomic_load(&handle->memory->exports)
                                           : ((snpy_home *)home)->exports;
    if (exports == 0) return false;
    PyErr_Format(PyExc_BufferError,
                 "%s: arrays cannot grow while %d buffers of them are in use; let go of them first",
                 what, exports);
    return true;
}

/* ---- Handles ---- */

snpy_handle *snpy_as_handle(PyObject *value) {
    for (int i = 0; snpy_classes[i]; i++)
        if (PyType_IsSubtype(Py_TYPE(value), snpy_classes[i]->type)) return (snpy_handle *)value;
    return NULL;
}

PyObject *snpy_world_of(PyObject *home) {
    while (home) {
        snpy_handle *handle = snpy_as_handle(home);
        if (handle) return handle->of == &snpy_world_class ? home : handle->world;
        snpy_record *record = (snpy_record *)home;
        home = record->owner ? record->owner : record->lender;
    }
    return NULL;
}

/* Whether a handle can be used now. */
static bool is_free(const snpy_handle *handle, const char *what) {
    if (!handle->pointer)
        PyErr_Format(PyExc_ValueError, "%s: it is closed", what);
    else if (handle->home.held > 0)
        PyErr_Format(PyExc_RuntimeError, "%s: it is in a step", what);
    else
        return true;
    return false;
}

static void count_change(snpy_handle *handle) {
    handle->home.changes++;
    if (handle->owner) ((snpy_handle *)handle->owner)->home.changes++;
    if (handle->of == &snpy_scene_class && handle->world)
        ((snpy_handle *)handle->world)->home.changes++;
}

bool snpy_take_handle(PyObject *value, const snpy_class *of, bool changes, void **to,
                      const char *what) {
    *to = NULL;
    if (value == Py_None) return true;
    if (Py_TYPE(value) != of->type && !PyType_IsSubtype(Py_TYPE(value), of->type)) {
        PyErr_Format(PyExc_TypeError, "%s: expected %s, got %R", what, of->name, value);
        return false;
    }
    snpy_handle *handle = (snpy_handle *)value;
    if (!is_free(handle, what)) return false;
    if (changes) {
        count_change(handle);
        settle(handle->memory);
    }
    *to = handle->pointer;
    return true;
}

bool snpy_check_into(snpy_class *of, PyObject *into) {
    if (into == Py_None) return true;
    if (PyType_IsSubtype(Py_TYPE(into), of->type) && !((snpy_handle *)into)->pointer) return true;
    PyErr_Format(PyExc_TypeError, "into: expected a new %s, got %R", of->name, into);
    return false;
}

static PyObject *new_handle(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    (void)arguments, (void)keywords;
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    snpy_handle *handle = (snpy_handle *)make(type, 0);
    for (int i = 0; handle && snpy_classes[i]; i++)
        if (PyType_IsSubtype(type, snpy_classes[i]->type)) handle->of = snpy_classes[i];
    return (PyObject *)handle;
}

PyObject *snpy_adopt(snpy_class *of, void *pointer, PyObject *into, PyObject *from,
                     PyObject *definition) {
    PyObject *made = into && into != Py_None ? Py_NewRef(into) : new_handle(of->type, NULL, NULL);
    if (!made || (definition && definition != Py_None && !snpy_keep_callbacks(made, definition))) {
        of->destroy(pointer);
        Py_XDECREF(made);
        return NULL;
    }
    snpy_handle *handle = (snpy_handle *)made;
    handle->pointer = pointer;
    handle->world = Py_XNewRef(snpy_world_of(from));
    if (of == &snpy_query_class && handle->world && ((snpy_handle *)handle->world)->memory)
        atomic_fetch_add(&((snpy_handle *)handle->world)->memory->borrowers, 1);
    return made;
}

PyThreadState *snpy_leave(PyObject *home) {
    snpy_handle *handle = (snpy_handle *)home;
    handle->home.held++;
    if (handle->owner) ((snpy_home *)handle->owner)->held++;
    if (handle->of == &snpy_scene_class && handle->world) ((snpy_home *)handle->world)->held++;
    return PyEval_SaveThread();
}

void snpy_return(PyObject *home, PyThreadState *state) {
    PyEval_RestoreThread(state);
    snpy_handle *handle = (snpy_handle *)home;
    handle->home.held--;
    if (handle->owner) ((snpy_home *)handle->owner)->held--;
    if (handle->of == &snpy_scene_class && handle->world) ((snpy_home *)handle->world)->held--;
}

/* ---- The end ---- */

/* Destroys what is behind it. The world of a scene goes with the scene. */
static void finish(snpy_handle *handle) {
    void *pointer = handle->pointer;
    handle->pointer = NULL;
    snpy_handle *world = (snpy_handle *)handle->world;
    if (handle->of == &snpy_query_class && pointer && world && world->memory)
        atomic_fetch_sub(&world->memory->borrowers, 1);
    if (handle->of == &snpy_scene_class && world) world->pointer = NULL, world->memory = NULL;
    if (pointer && !handle->owner) {
        handle->of->destroy(pointer);
        snpy_end_memory(handle->memory);
    }
    handle->memory = NULL;
}

static PyObject *close_handle(PyObject *self, PyObject *unused) {
    (void)unused;
    snpy_handle *handle = (snpy_handle *)self;
    if (!handle->pointer) Py_RETURN_NONE;
    if (!is_free(handle, "close") || snpy_is_exported(self, "close")) return NULL;
    if (handle->owner) {
        PyErr_SetString(PyExc_RuntimeError, "close: the world of a scene is closed with the scene");
        return NULL;
    }
    if (handle->memory && atomic_load(&handle->memory->borrowers) > 0) {
        PyErr_SetString(PyExc_RuntimeError, "close: a query of this world is in use");
        return NULL;
    }
    handle->home.changes++;
    finish(handle);
    Py_CLEAR(handle->callbacks);
    Py_RETURN_NONE;
}

static PyObject *enter_handle(PyObject *self, PyObject *unused) {
    (void)unused;
    return Py_NewRef(self);
}

static PyObject *leave_handle(PyObject *self, PyObject *arguments) {
    (void)arguments;
    return close_handle(self, NULL);
}

static PyObject *is_closed(PyObject *self, void *closure) {
    (void)closure;
    return PyBool_FromLong(!((snpy_handle *)self)->pointer);
}

static int traverse_handle(PyObject *self, visitproc visit, void *arg) {
    snpy_handle *handle = (snpy_handle *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(handle->owner);
    Py_VISIT(handle->callbacks);
    /* A scene has its world for itself alone, and the world holds the scene. */
    if (handle->of != &snpy_scene_class) Py_VISIT(handle->world);
    return 0;
}

static int clear_handle(PyObject *self) {
    snpy_handle *handle = (snpy_handle *)self;
    if (handle->home.exports == 0 && !handle->owner &&
        (!handle->memory || atomic_load(&handle->memory->borrowers) == 0))
        finish(handle);
    if (!handle->pointer) Py_CLEAR(handle->callbacks);
    return 0;
}

static void dealloc_handle(PyObject *self) {
    snpy_handle *handle = (snpy_handle *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (handle->of == &snpy_world_class && handle->owner)
        ((snpy_handle *)handle->owner)->world = NULL;
    finish(handle);
    Py_CLEAR(handle->callbacks);
    if (handle->of != &snpy_scene_class) Py_CLEAR(handle->world);
    Py_CLEAR(handle->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef close_method = {"close", close_handle, METH_NOARGS,
                                   "Frees it now instead of when nobody uses it any more."};
static PyMethodDef enter_method = {"__enter__", enter_handle, METH_NOARGS, NULL};
static PyMethodDef leave_method = {"__exit__", leave_handle, METH_VARARGS, NULL};

static PyGetSetDef handle_members[] = {
    {"closed", is_closed, NULL, "Whether it was closed, or not opened yet.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static bool add_method(PyTypeObject *type, PyMethodDef *method) {
    PyObject *made = PyDescr_NewMethod(type, method);
    bool done = made && PyObject_SetAttrString((PyObject *)type, method->ml_name, made) == 0;
    Py_XDECREF(made);
    return done;
}

bool snpy_make_classes(PyObject *module) {
    for (int i = 0; snpy_classes[i]; i++) {
        snpy_class *of = snpy_classes[i];
        PyType_Slot slots[] = {{Py_tp_new, new_handle},
                               {Py_tp_dealloc, dealloc_handle},
                               {Py_tp_traverse, traverse_handle},
                               {Py_tp_clear, clear_handle},
                               {Py_tp_getset, handle_members},
                               {Py_tp_methods, of->methods},
                               {Py_tp_doc, (void *)(uintptr_t)of->doc},
                               {0, NULL}};
        PyType_Spec spec = {of->name, sizeof(snpy_handle), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
        of->type = (PyTypeObject *)PyType_FromSpec(&spec);
        if (!of->type || PyModule_AddType(module, of->type) != 0 ||
            !add_method(of->type, &close_method) || !add_method(of->type, &enter_method) ||
            !add_method(of->type, &leave_method))
            return false;
    }
    return true;
}
