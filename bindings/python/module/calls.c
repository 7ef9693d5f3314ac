/*
 * Calls: arguments by place and by name, results as exceptions, and the functions whose arguments
 * no table describes.
 */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* ---- Errors ---- */

static PyObject *errors[16];

/* The built-in exceptions that those of results also are. */
static PyObject *base_of(sn_result result) {
    switch (result) {
    case SN_ERROR_ID:
    case SN_ERROR_STALE:
    case SN_ERROR_FOREIGN:
    case SN_ERROR_NAME:
        return PyExc_LookupError;
    case SN_ERROR_MEMORY:
        return PyExc_MemoryError;
    case SN_ERROR_LIMIT:
    case SN_ERROR_LOCKED:
        return PyExc_RuntimeError;
    case SN_ERROR_FILE:
        return PyExc_OSError;
    default:
        return PyExc_ValueError;
    }
}

#define SNPY_NAME(name, number, sentence) {name, #name, sentence},
static const struct {
    sn_result result;
    const char *name, *sentence;
} results[] = {SN_RESULTS(SNPY_NAME)};

/* "SN_ERROR_STALE" is StaleError. */
static PyObject *make_error(PyObject *module, size_t i, PyObject *parent) {
    const char *word = results[i].name + strlen("SN_ERROR_");
    char name[64] = "sinew.c.";
    size_t n = strlen(name);
    for (; *word && n < 40; word++) {
        bool first = word[-1] == '_';
        name[n++] = (char)(first ? *word : *word + 32);
    }
    memcpy(name + n, "Error", sizeof "Error");
    PyObject *bases = PyTuple_Pack(2, parent, base_of(results[i].result));
    PyObject *made =
        bases ? PyErr_NewExceptionWithDoc(name, results[i].sentence, bases, NULL) : NULL;
    Py_XDECREF(bases);
    if (made && PyModule_AddObjectRef(module, strrchr(name, '.') + 1, made) == 0) return made;
    Py_XDECREF(made);
    return NULL;
}

bool snpy_make_errors(PyObject *module) {
    errors[0] = PyErr_NewExceptionWithDoc("sinew.c.Error", "What the library refused.", NULL, NULL);
    if (!errors[0] || PyModule_AddObjectRef(module, "Error", errors[0]) != 0) return false;
    for (size_t i = 1; i < sizeof results / sizeof *results; i++) {
        errors[results[i].result] = make_error(module, i, errors[0]);
        if (!errors[results[i].result]) return false;
    }
    return true;
}

PyObject *snpy_fail(sn_result result) {
    if (PyErr_Occurred()) return NULL;
    const char *sentence = sn_last_error();
    PyErr_SetString(errors[result], *sentence ? sentence : sn_result_sentence(result));
    return NULL;
}

/* ---- Arguments ---- */

/* Puts a keyword where the parameter of its name is; false where there is none. */
static bool place_keyword(const snpy_call *call, PyObject **all, PyObject *name, PyObject *value) {
    for (int i = 0; i < call->count; i++) {
        if (PyUnicode_CompareWithASCIIString(name, call->names[i]) != 0 || all[i]) continue;
        all[i] = value;
        return true;
    }
    return false;
}

/* Keywords that are no parameters are fields of the definition. */
static PyObject *make_definition(const snpy_call *call, PyObject *fields) {
    PyObject *none = PyTuple_New(0);
    PyObject *made =
        none ? PyObject_Call((PyObject *)call->definition_of->type, none, fields) : NULL;
    Py_XDECREF(none);
    return made;
}

static bool take_keywords(const snpy_call *call, PyObject **all, PyObject *const *values,
                          PyObject *names, PyObject **fields) {
    Py_ssize_t count = PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *name = PyTuple_GetItem(names, i);
        if (place_keyword(call, all, name, values[i])) continue;
        if (call->definition < 0) {
            PyErr_Format(PyExc_TypeError, "%s has no parameter %R", call->name, name);
            return false;
        }
        if (!*fields) *fields = PyDict_New();
        if (!*fields || PyDict_SetItem(*fields, name, values[i]) != 0) return false;
    }
    return true;
}

PyObject *snpy_run(const snpy_call *call, PyObject *first, PyObject *second,
                   PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    PyObject *all[SNPY_MOST_PARAMETERS] = {first, second}, *fields = NULL, *made = NULL;
    int at = second ? 2 : first ? 1 : 0;
    if (count > call->count - at) {
        return PyErr_Format(PyExc_TypeError, "%s takes %d arguments, got %zd", call->name,
                            call->count - at, count);
    }
    for (Py_ssize_t i = 0; i < count; i++) all[at + i] = arguments[i];
    if (names && !take_keywords(call, all, arguments + count, names, &fields)) {
        Py_XDECREF(fields);
        return NULL;
    }
    if (call->definition >= 0 && !all[call->definition]) {
        made = make_definition(call, fields);
        all[call->definition] = made;
    } else if (fields) {
        PyErr_Format(PyExc_TypeError, "%s: fields beside a definition; set them in it", call->name);
    }
    Py_XDECREF(fields);
    if (PyErr_Occurred()) {
        Py_XDECREF(made);
        return NULL;
    }
    for (int i = 0; i < call->count; i++) {
        if (all[i]) continue;
        if (i < call->needed) {
            PyErr_Format(PyExc_TypeError, "%s: the argument %s is missing", call->name,
                         call->names[i]);
            Py_XDECREF(made);
            return NULL;
        }
        all[i] = Py_None;
    }
    PyObject *result = call->run(all);
    Py_XDECREF(made);
    return result;
}
