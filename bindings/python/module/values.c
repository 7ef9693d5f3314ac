/*
 * Values from Python to C and back: numbers, vectors, names of enums, ids, records and arrays of
 * them. Arrays of numbers come from anything with a buffer, in any format, or from sequences.
 */
#include "binding.h"

#include <string.h>

/* ---- What must live as long as a value ---- */

bool snpy_keep(PyObject **kept, PyObject *stolen) {
    if (!stolen) return false;
    if (!*kept) *kept = PyList_New(0);
    bool done = *kept && PyList_Append(*kept, stolen) == 0;
    Py_DECREF(stolen);
    return done;
}

void *snpy_room(size_t count, size_t size, PyObject **kept) {
    if (size > 0 && count > (size_t)PY_SSIZE_T_MAX / size - 1) {
        PyErr_NoMemory();
        return NULL;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * size + 1));
    void *room = bytes ? (void *)PyBytes_AsString(bytes) : NULL;
    if (room) memset(room, 0, count * size);
    return snpy_keep(kept, bytes) ? room : NULL;
}

/* ---- Numbers ---- */

static bool wrong(const char *what, const char *expected, PyObject *value) {
    PyErr_Format(PyExc_TypeError, "%s: expected %s, got %R", what, expected, value);
    return false;
}

bool snpy_is_given(PyObject *value, const char *what) {
    if (value == Py_None) PyErr_Format(PyExc_TypeError, "%s: is missing", what);
    return value != Py_None;
}

/* Puts a whole number where one of this size and sign is. */
static bool put_int(const snpy_type *type, long long number, PyObject *value, void *to,
                    const char *what) {
    bool fits =
        type->size == 8 || (type->is_signed ? number >= -(1LL << (type->size * 8 - 1)) &&
                                                  number < 1LL << (type->size * 8 - 1)
                                            : number >= 0 && number < 1LL << (type->size * 8));
    if (!fits) {
        PyErr_Format(PyExc_OverflowError, "%s: %R does not fit into %d bits", what, value,
                     (int)type->size * 8);
        return false;
    }
    switch (type->size) {
    case 1:
        *(uint8_t *)to = (uint8_t)number;
        break;
    case 2:
        *(uint16_t *)to = (uint16_t)number;
        break;
    case 4:
        *(uint32_t *)to = (uint32_t)number;
        break;
    default:
        *(uint64_t *)to = (uint64_t)number;
        break;
    }
    return true;
}

static bool take_int(const snpy_type *type, PyObject *value, void *to, const char *what) {
    PyObject *index = PyNumber_Index(value);
    if (!index) {
        PyErr_Clear();
        return wrong(what, "a whole number", value);
    }
    bool done = false;
    if (type->size == 8 && !type->is_signed) {
        unsigned long long number = PyLong_AsUnsignedLongLong(index);
        done = !PyErr_Occurred();
        *(uint64_t *)to = number;
    } else {
        long long number = PyLong_AsLongLong(index);
        done = !PyErr_Occurred() && put_int(type, number, value, to, what);
    }
    Py_DECREF(index);
    return done;
}

static bool take_float(const snpy_type *type, PyObject *value, void *to, const char *what) {
    double number = PyFloat_AsDouble(value);
    if (number == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        return wrong(what, "a number", value);
    }
    if (type->size == sizeof(float))
        *(float *)to = (float)number;
    else
        *(double *)to = number;
    return true;
}

/* A name of an enum or of a choice, or its number. */
static bool take_word(const snpy_type *type, PyObject *value, void *to, const char *what) {
    if (!PyUnicode_Check(value)) return take_int(type, value, to, what);
    for (const snpy_word *word = type->words; word && word->word; word++) {
        if (PyUnicode_CompareWithASCIIString(value, word->word) != 0) continue;
        *(int *)to = word->value;
        return true;
    }
    PyObject *names = PyUnicode_FromString("");
    for (const snpy_word *word = type->words; names && word && word->word; word++) {
        PyObject *longer =
            PyUnicode_FromFormat("%U%s%s", names, word == type->words ? "" : ", ", word->word);
        Py_DECREF(names);
        names = longer;
    }
    if (names) PyErr_Format(PyExc_ValueError, "%s: %R is none of %U", what, value, names);
    Py_XDECREF(names);
    return false;
}

/* ---- Others ---- */

static bool take_text(PyObject *value, const char **to, const char *what, PyObject **kept) {
    *to = NULL;
    if (value == Py_None) return true;
    PyObject *text = PyOS_FSPath(value);
    if (!text) {
        PyErr_Clear();
        return wrong(what, "a string", value);
    }
    PyObject *bytes = PyUnicode_Check(text) ? PyUnicode_AsUTF8String(text) : Py_NewRef(text);
    Py_DECREF(text);
    if (!bytes || !snpy_keep(kept, bytes)) return false;
    *to = PyBytes_AsString(bytes);
    if (strlen(*to) == (size_t)PyBytes_Size(bytes)) return true;
    return wrong(what, "a string without zeros", value);
}

static bool take_id(const snpy_type *type, PyObject *value, void *to, const char *what) {
    memset(to, 0, type->size);
    if (value == Py_None) return true;
    if (!snpy_is_id(value) || ((snpy_id *)value)->of != type->of)
        return wrong(what, type->name, value);
    memcpy(to, &((snpy_id *)value)->value, type->size);
    return true;
}

/* A record of its struct, or a dict of fields. */
static bool take_copy(const snpy_type *type, PyObject *value, void *to, const char *what,
                      PyObject **kept) {
    snpy_record *record = snpy_as_record(value);
    PyObject *made = NULL;
    if (!record && PyDict_Check(value)) {
        PyObject *none = PyTuple_New(0);
        made = none ? PyObject_Call((PyObject *)type->of->type, none, value) : NULL;
        Py_XDECREF(none);
        if (!made) return false;
        record = snpy_as_record(made);
    }
    bool done = record && record->of == type->of && !record->of->release;
    if (!done)
        wrong(what, type->name, value);
    else
        done = snpy_is_alive(record);
    if (done) {
        memcpy(to, record->data, type->size);
        done = snpy_copy_kept(record, kept);
    }
    Py_XDECREF(made);
    return done;
}

bool snpy_take(const snpy_type *type, PyObject *value, void *to, const char *what,
               PyObject **kept) {
    int truth;
    switch (type->kind) {
    case SNPY_BOOL:
        truth = PyObject_IsTrue(value);
        *(bool *)to = truth == 1;
        return truth >= 0;
    case SNPY_INT:
        return take_int(type, value, to, what);
    case SNPY_FLOAT:
        return take_float(type, value, to, what);
    case SNPY_ENUM:
        return take_word(type, value, to, what);
    case SNPY_TEXT:
        return take_text(value, to, what, kept);
    case SNPY_ID:
        return take_id(type, value, to, what);
    case SNPY_RECORD:
        return take_copy(type, value, to, what, kept);
    case SNPY_VECTOR:
        break;
    }
    static const snpy_type real = {"real", SNPY_FLOAT, sizeof(sn_real), true, 0, NULL, NULL};
    return snpy_take_fixed(&real, 0, type->width, value, to, what, kept);
}

/* An item of a tuple, a list or any other sequence; a reference of its own. */
static PyObject *item_of(PyObject *values, Py_ssize_t i) {
    if (PyTuple_Check(values)) return Py_XNewRef(PyTuple_GetItem(values, i));
    if (PyList_Check(values)) return Py_XNewRef(PyList_GetItem(values, i));
    return PySequence_GetItem(values, i);
}

bool snpy_take_fixed(const snpy_type *type, int rows, int columns, PyObject *value, void *to,
                     const char *what, PyObject **kept) {
    int count = rows > 0 ? rows : columns;
    Py_ssize_t length = PyUnicode_Check(value) ? -1 : PySequence_Size(value);
    if (length != count) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: expected %d values, got %R", what, count, value);
        return false;
    }
    for (int i = 0; i < count; i++) {
        PyObject *item = item_of(value, i);
        if (!item) return false;
        char *place = (char *)to + (size_t)i * type->size * (size_t)(rows > 0 ? columns : 1);
        bool done = rows > 0 ? snpy_take_fixed(type, 0, columns, item, place, what, kept)
                             : snpy_take(type, item, place, what, kept);
        Py_DECREF(item);
        if (!done) return false;
    }
    return true;
}

/* ---- Arrays ---- */

/* A number of a buffer, by the letter of its format. */
static bool read_number(char letter, const char *from, double *real, long long *whole) {
#define LETTER(sign, kind)                                                                         \
    case sign: {                                                                                   \
        kind number;                                                                               \
        memcpy(&number, from, sizeof number);                                                      \
        *real = (double)number, *whole = (long long)number;                                        \
        return true;                                                                               \
    }
    switch (letter) {
        LETTER('b', signed char)
        LETTER('B', unsigned char)
        LETTER('?', unsigned char)
        LETTER('h', short)
        LETTER('H', unsigned short)
        LETTER('i', int)
        LETTER('I', unsigned)
        LETTER('l', long)
        LETTER('L', unsigned long)
        LETTER('q', long long)
        LETTER('Q', unsigned long long)
    case 'f': {
        float number;
        memcpy(&number, from, sizeof number);
        *real = (double)number, *whole = 0;
        return true;
    }
    case 'd':
        memcpy(real, from, sizeof *real);
        *whole = 0;
        return true;
    default:
        return false;
    }
#undef LETTER
}

/* Numbers of a buffer of `count` rows of `width`; false without an exception where its shape or
   format is another. */
static bool read_buffer(const snpy_type *type, size_t width, const Py_buffer *buffer, size_t count,
                        char *to, const char *what) {
    const char *format = buffer->format ? buffer->format : "B";
    if (*format == '<' || *format == '=' || *format == '@') format++;
    size_t size = type->kind == SNPY_VECTOR ? sizeof(sn_real) : type->size;
    bool is_real = type->kind != SNPY_INT;
    Py_ssize_t row = buffer->strides[0], column = buffer->ndim > 1 ? buffer->strides[1] : row;
    if (buffer->ndim == 1) row *= (Py_ssize_t)width;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < width; j++, to += size) {
            const char *from =
                (const char *)buffer->buf + (Py_ssize_t)i * row + (Py_ssize_t)j * column;
            double real;
            long long whole;
            if (strlen(format) != 1 || !read_number(*format, from, &real, &whole) ||
                (!is_real && strchr("fd", *format)))
                return false;
            if (!is_real) {
                if (!put_int(type, whole, Py_None, to, what)) return false;
            } else if (size == sizeof(float)) {
                *(float *)to = (float)real;
            } else {
                *(double *)to = real;
            }
        }
    }
    return true;
}

/* 1: taken from a buffer, 0: it has none of this kind, -1: with an exception. */
static int take_buffer(const snpy_type *type, int columns, PyObject *value, void **to,
                       size_t *count, const char *what, PyObject **kept) {
    Py_buffer buffer;
    size_t width = (size_t)columns * (size_t)(type->kind == SNPY_VECTOR ? type->width : 1);
    size_t size = type->kind == SNPY_VECTOR ? sizeof(sn_real) : type->size;
    if (type->kind > SNPY_FLOAT && type->kind != SNPY_VECTOR) return 0;
    if (PyList_Check(value) || PyTuple_Check(value) || !PyObject_CheckBuffer(value)) return 0;
    if (PyObject_GetBuffer(value, &buffer, PyBUF_RECORDS_RO) != 0) return -1;
    int taken = 0;
    size_t length = buffer.ndim > 0 ? (size_t)buffer.shape[0] : 0;
    bool fits = buffer.ndim == 2 ? (size_t)buffer.shape[1] == width
                                 : buffer.ndim == 1 && length % width == 0;
    if (fits) {
        *count = buffer.ndim == 1 ? length / width : length;
        *to = snpy_room(*count * width, size, kept);
        taken = *to && read_buffer(type, width, &buffer, *count, *to, what) ? 1 : -1;
    }
    PyBuffer_Release(&buffer);
    if (taken == 1) return 1;
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s: expected numbers, %zu in each of its rows", what, width);
    return -1;
}

bool snpy_take_array(const snpy_type *type, int columns, PyObject *value, void **to, size_t *count,
                     const char *what, PyObject **kept) {
    *to = NULL, *count = 0;
    if (value == Py_None) return true;
    int taken = take_buffer(type, columns, value, to, count, what, kept);
    if (taken != 0) return taken > 0;
    PyObject *values = PyUnicode_Check(value) ? NULL : PySequence_List(value);
    if (!values) {
        PyErr_Clear();
        return wrong(what, "a sequence", value);
    }
    *count = (size_t)PyList_Size(values);
    *to = snpy_room(*count * (size_t)columns, type->size, kept);
    bool done = *to != NULL;
    for (size_t i = 0; done && i < *count; i++) {
        PyObject *item = PyList_GetItem(values, (Py_ssize_t)i);
        char *place = (char *)*to + i * (size_t)columns * type->size;
        done = columns > 1 ? snpy_take_fixed(type, 0, columns, item, place, what, kept)
                           : snpy_take(type, item, place, what, kept);
    }
    Py_DECREF(values);
    return done;
}

bool snpy_take_same(const snpy_type *type, int columns, PyObject *value, void **to, size_t count,
                    const char *what, PyObject **kept) {
    size_t found;
    if (!snpy_take_array(type, columns, value, to, &found, what, kept)) return false;
    if (!*to || found == count) return true;
    PyErr_Format(PyExc_ValueError, "%s: has %zu elements, expected %zu", what, found, count);
    return false;
}

bool snpy_take_enough(const snpy_type *type, int columns, PyObject *value, void **to, size_t count,
                      const char *what, PyObject **kept) {
    size_t found;
    if (!snpy_take_array(type, columns, value, to, &found, what, kept)) return false;
    if (!*to || found >= count) return true;
    PyErr_Format(PyExc_ValueError, "%s: has %zu elements, expected at least %zu", what, found,
                 count);
    return false;
}

bool snpy_take_bytes(PyObject *value, const void **to, size_t *size, const char *what,
                     PyObject **kept) {
    PyObject *bytes = PyUnicode_Check(value) ? NULL : PyBytes_FromObject(value);
    if (!bytes) {
        PyErr_Clear();
        return wrong(what, "bytes", value);
    }
    *to = PyBytes_AsString(bytes), *size = (size_t)PyBytes_Size(bytes);
    return snpy_keep(kept, bytes);
}

/* ---- To Python ---- */

PyObject *snpy_give_text(const char *text) {
    if (!text) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *give_int(const snpy_type *type, const void *from) {
    switch (type->size) {
    case 1:
        return PyLong_FromLong(*(const uint8_t *)from);
    case 2:
        return PyLong_FromLong(*(const uint16_t *)from);
    case 4:
        return type->is_signed ? PyLong_FromLong(*(const int32_t *)from)
                               : PyLong_FromUnsignedLong(*(const uint32_t *)from);
    default:
        return type->is_signed ? PyLong_FromLongLong(*(const int64_t *)from)
                               : PyLong_FromUnsignedLongLong(*(const uint64_t *)from);
    }
}

static PyObject *give_float(size_t size, const void *from) {
    return PyFloat_FromDouble(size == sizeof(float) ? (double)*(const float *)from
                                                    : *(const double *)from);
}

PyObject *snpy_give(const snpy_type *type, const void *from, PyObject *home) {
    switch (type->kind) {
    case SNPY_BOOL:
        return PyBool_FromLong(*(const bool *)from);
    case SNPY_INT:
    case SNPY_ENUM:
        return give_int(type, from);
    case SNPY_FLOAT:
        return give_float(type->size, from);
    case SNPY_TEXT:
        return snpy_give_text(*(const char *const *)from);
    case SNPY_ID:
        return snpy_new_id(type->of, from, home);
    case SNPY_RECORD:
        return (PyObject *)snpy_new_record(type->of, from, home);
    case SNPY_VECTOR:
        break;
    }
    static const snpy_type real = {"real", SNPY_FLOAT, sizeof(sn_real), true, 0, NULL, NULL};
    return snpy_give_fixed(&real, 0, type->width, from, home);
}

PyObject *snpy_give_fixed(const snpy_type *type, int rows, int columns, const void *from,
                          PyObject *home) {
    int count = rows > 0 ? rows : columns;
    PyObject *values = PyTuple_New(count);
    for (int i = 0; values && i < count; i++) {
        const char *place =
            (const char *)from + (size_t)i * type->size * (size_t)(rows > 0 ? columns : 1);
        PyObject *item = rows > 0 ? snpy_give_fixed(type, 0, columns, place, home)
                                  : snpy_give(type, place, home);
        if (!item || PyTuple_SetItem(values, i, item) != 0) Py_CLEAR(values);
    }
    return values;
}

PyObject *snpy_give_list(const snpy_type *type, int columns, const void *from, size_t count,
                         PyObject *home) {
    PyObject *values = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; values && i < count; i++) {
        const char *place = (const char *)from + i * (size_t)columns * type->size;
        PyObject *item = columns > 1 ? snpy_give_fixed(type, 0, columns, place, home)
                                     : snpy_give(type, place, home);
        if (!item || PyList_SetItem(values, (Py_ssize_t)i, item) != 0) Py_CLEAR(values);
    }
    return values;
}
