/*
 * Records: structs by their value, with their fields as attributes. What a field points to lives in
 * `kept` of the record, or is lent by where the record comes from.
 */
#include "binding.h"

#include <stddef.h>
#include <string.h>

/* ---- Where records are from ---- */

static void dealloc_record(PyObject *self);

snpy_record *snpy_as_record(PyObject *value) {
    destructor slot = (destructor)PyType_GetSlot(Py_TYPE(value), Py_tp_dealloc);
    if (slot == dealloc_record) return (snpy_record *)value;
    /* A class that was made of it in Python. */
    for (int i = 0; snpy_structs[i]; i++)
        if (!snpy_structs[i]->is_id && PyType_IsSubtype(Py_TYPE(value), snpy_structs[i]->type))
            return (snpy_record *)value;
    return NULL;
}

static snpy_record *root_of(snpy_record *record) {
    while (record->owner) record = (snpy_record *)record->owner;
    return record;
}

bool snpy_is_alive(snpy_record *record) {
    snpy_record *root = root_of(record);
    if (!root->borrowed || ((snpy_home *)root->lender)->changes == root->lent) return true;
    PyErr_Format(PyExc_RuntimeError, "this %s is of an earlier state of its %s: ask for it again",
                 root->of->name, snpy_as_handle(root->lender) ? "world or file" : "mesh");
    return false;
}

bool snpy_copy_kept(snpy_record *from, PyObject **kept) {
    snpy_record *root = root_of(from);
    return !root->kept || snpy_keep(kept, PyDict_Values(root->kept));
}

/* Keeps what a pointer of the record points to; a null list forgets what was kept for it. */
static bool keep_for(snpy_record *record, const void *place, PyObject *list) {
    snpy_record *root = root_of(record);
    if (!root->kept) root->kept = PyDict_New();
    PyObject *key = PyLong_FromVoidPtr((void *)(uintptr_t)place);
    bool done = root->kept && key;
    if (done && list) done = PyDict_SetItem(root->kept, key, list) == 0;
    if (done && !list && PyDict_GetItemWithError(root->kept, key))
        done = PyDict_DelItem(root->kept, key) == 0;
    Py_XDECREF(key);
    Py_XDECREF(list);
    return done && !PyErr_Occurred();
}

/* ---- Arrays ---- */

/* A count of either size. */
static size_t number_at(const snpy_record *record, size_t offset, size_t size) {
    const char *place = (const char *)record->data + offset;
    return size == 4 ? *(const uint32_t *)place : *(const size_t *)place;
}

static size_t count_of(const snpy_record *record, const snpy_field *field) {
    return number_at(record, field->count_offset, field->count_size);
}

/* Of an element, where an array has several numbers for each. */
static size_t corners_of(const snpy_record *record, const snpy_field *field) {
    return number_at(record, field->other_offset, field->other_size);
}

static void set_count(snpy_record *record, const snpy_field *field, size_t count) {
    char *place = (char *)record->data + field->count_offset;
    if (field->count_size == 4)
        *(uint32_t *)place = (uint32_t)count;
    else
        *(size_t *)place = count;
}

/* Of an array whose length no field says: behind what is kept for it. */
static size_t given_count(snpy_record *record, const snpy_field *field) {
    snpy_record *root = root_of(record);
    PyObject *key = PyLong_FromVoidPtr((char *)record->data + field->offset);
    PyObject *list = root->kept && key ? PyDict_GetItemWithError(root->kept, key) : NULL;
    Py_XDECREF(key);
    return list ? PyLong_AsSize_t(PyList_GetItem(list, PyList_Size(list) - 1)) : 0;
}

/* How many elements an array has, by what the other fields say. */
static size_t length_of(snpy_record *record, const snpy_field *field) {
    if (field->length == SNPY_GIVEN) return given_count(record, field);
    const char *other = (const char *)record->data + field->other_offset;
    size_t count = field->length == SNPY_GRID ? 1 : count_of(record, field);
    switch (field->length) {
    case SNPY_COUNT:
        return count;
    case SNPY_FIRSTS:
        return count > 0 ? count + 1 : 0;
    case SNPY_MEMBERS:
        return *(uint32_t *const *)other ? (*(uint32_t *const *)other)[count] : 0;
    case SNPY_CORNERS:
        return count * corners_of(record, field);
    case SNPY_GRID:
        for (int i = 0; i < field->rows; i++) count *= ((const uint32_t *)other)[i];
        return count;
    case SNPY_GIVEN:
        break;
    }
    return 0;
}

bool snpy_has(PyObject *value, const char *name, size_t expected, const char *whose) {
    snpy_record *record = value == Py_None ? NULL : snpy_as_record(value);
    for (int i = 0; record && i < record->of->field_count; i++) {
        const snpy_field *field = &record->of->fields[i];
        if (strcmp(field->name, name) != 0 ||
            !*(void *const *)((const char *)record->data + field->offset))
            continue;
        size_t count = length_of(record, field);
        if (count == expected) continue;
        PyErr_Format(PyExc_ValueError, "%s: has %zu elements, expected %zu, one for each %s", name,
                     count, expected, whose);
        return false;
    }
    return true;
}

static bool clear_array(snpy_record *record, const snpy_field *field) {
    void **place = (void **)((char *)record->data + field->offset);
    *place = NULL;
    return keep_for(record, place, NULL);
}

/* Arrays that go by a field that is about to change are gone. */
static bool clear_dependents(snpy_record *record, const snpy_field *changed) {
    for (int i = 0; i < record->of->field_count; i++) {
        const snpy_field *field = &record->of->fields[i];
        if (field->place == SNPY_ARRAY && field->length > SNPY_FIRSTS &&
            field->length != SNPY_GIVEN && field->other_offset == changed->offset &&
            !clear_array(record, field))
            return false;
    }
    return true;
}

/* Whether no other array has the count of this one. */
static bool has_count_alone(const snpy_record *record, const snpy_field *field) {
    for (int i = 0; i < record->of->field_count; i++) {
        const snpy_field *other = &record->of->fields[i];
        if (other != field && other->place == SNPY_ARRAY && other->length != SNPY_GRID &&
            other->count_offset == field->count_offset &&
            *(void *const *)((const char *)record->data + other->offset))
            return false;
    }
    return true;
}

/* An array whose length nothing in the record says: it is kept beside it. */
static bool set_given(snpy_record *record, const snpy_field *field, PyObject *value) {
    void *data, **place = (void **)((char *)record->data + field->offset);
    size_t count;
    PyObject *kept = NULL;
    if (!snpy_take_array(field->type, field->columns, value, &data, &count, field->name, &kept) ||
        (data && !snpy_keep(&kept, PyLong_FromSize_t(count)))) {
        Py_XDECREF(kept);
        return false;
    }
    *place = data;
    return keep_for(record, place, kept);
}

static bool set_array(snpy_record *record, const snpy_field *field, PyObject *value) {
    if (field->length == SNPY_GIVEN) return set_given(record, field, value);
    void *data, **place = (void **)((char *)record->data + field->offset);
    size_t count;
    PyObject *kept = NULL;
    if (!snpy_take_array(field->type, field->columns, value, &data, &count, field->name, &kept) ||
        !clear_dependents(record, field)) {
        Py_XDECREF(kept);
        return false;
    }
    bool alone = has_count_alone(record, field), fits = true;
    size_t expected = data ? length_of(record, field) : 0;
    if (data && alone && field->length == SNPY_COUNT) {
        set_count(record, field, count);
    } else if (data && alone && field->length == SNPY_FIRSTS) {
        fits = count > 0, expected = 1;
        set_count(record, field, count - 1);
    } else if (data && field->length == SNPY_CORNERS) {
        size_t corners = corners_of(record, field);
        fits = corners > 0 && count % corners == 0, expected = count / (corners + !corners);
        if (fits) set_count(record, field, expected);
    } else if (data) {
        fits = count == expected;
    } else if (alone && field->length != SNPY_GRID) {
        set_count(record, field, 0);
    }
    if (!fits) {
        Py_XDECREF(kept);
        PyErr_Format(PyExc_ValueError, "%s: has %zu elements, expected %zu", field->name, count,
                     expected);
        return false;
    }
    *place = data;
    return keep_for(record, place, kept);
}

static PyObject *get_array(snpy_record *record, const snpy_field *field) {
    const void *data = *(void *const *)((const char *)record->data + field->offset);
    size_t count = data ? length_of(record, field) : 0;
    snpy_record *root = root_of(record);
    snpy_kind kind = field->type->kind;
    bool numbers = kind == SNPY_INT || kind == SNPY_FLOAT || kind == SNPY_VECTOR;
    if (!data && !root->of->release) Py_RETURN_NONE;
    if (numbers && (root->borrowed || root->of->release))
        return snpy_view((PyObject *)record, field->type, data, count, field->columns, false);
    PyObject *home = root->of->release ? (PyObject *)root : root->lender;
    PyObject *list = snpy_give_list(field->type, field->columns, data, count, home);
    /* Copies of records point to what this one keeps. */
    for (size_t i = 0; list && kind == SNPY_RECORD && root->kept && i < count; i++) {
        snpy_record *copy = (snpy_record *)PyList_GetItem(list, (Py_ssize_t)i);
        PyObject *values = PyDict_Values(root->kept);
        if (!values || !keep_for(copy, NULL, values)) Py_CLEAR(list);
    }
    return list;
}

/* ---- Pointers and callbacks ---- */

static bool set_pointer(snpy_record *record, const snpy_field *field, PyObject *value) {
    void *data, **place = (void **)((char *)record->data + field->offset);
    PyObject *kept = NULL;
    if (!snpy_take_record(value, field->type->of, false, &data, field->name) ||
        (data && !snpy_keep(&kept, Py_NewRef(value))))
        return false;
    *place = data;
    return keep_for(record, place, kept);
}

/* What was put there, or where it lies in what is lent. */
static PyObject *get_pointer(snpy_record *record, const snpy_field *field) {
    void **place = (void **)((char *)record->data + field->offset);
    if (!*place) Py_RETURN_NONE;
    snpy_record *root = root_of(record);
    PyObject *key = PyLong_FromVoidPtr(place);
    PyObject *list = root->kept && key ? PyDict_GetItemWithError(root->kept, key) : NULL;
    Py_XDECREF(key);
    if (list) return Py_NewRef(PyList_GetItem(list, 0));
    return field->type->of->release ? Py_NewRef(Py_None)
                                    : snpy_part(field->type->of, *place, (PyObject *)record);
}

static bool set_callback(snpy_record *record, const snpy_field *field, PyObject *value) {
    void **place = (void **)((char *)record->data + field->offset);
    void **user = (void **)((char *)record->data + field->other_offset);
    if (value != Py_None && !PyCallable_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s: expected something to call, got %R", field->name, value);
        return false;
    }
    PyObject *callback = value == Py_None ? NULL : snpy_callback_new(value, NULL), *kept = NULL;
    if (value != Py_None && (!callback || !snpy_keep(&kept, callback))) return false;
    memcpy(place, &(void (*)(void)){callback ? field->trampoline : NULL}, sizeof *place);
    *user = callback;
    return keep_for(record, user, kept);
}

static PyObject *get_callback(snpy_record *record, const snpy_field *field) {
    snpy_callback *callback = *(void **)((char *)record->data + field->other_offset);
    return Py_NewRef(callback ? callback->function : Py_None);
}

/* ---- Fields ---- */

/* SN_AUTO is None. */
static bool is_automatic(const snpy_field *field, const void *place) {
    return field->automatic && *(const sn_real *)place == SN_AUTO;
}

static bool set_value(snpy_record *record, const snpy_field *field, PyObject *value) {
    char *place = (char *)record->data + field->offset;
    snpy_type type = *field->type;
    PyObject *kept = NULL;
    if (field->automatic && value == Py_None) {
        for (size_t i = 0; i < type.size / sizeof(sn_real); i++) ((sn_real *)place)[i] = SN_AUTO;
        return true;
    }
    if (field->words) type.kind = SNPY_ENUM, type.words = field->words;
    bool done = field->columns > 0 ? snpy_take_fixed(&type, field->rows, field->columns, value,
                                                     place, field->name, &kept)
                                   : snpy_take(&type, value, place, field->name, &kept);
    if (!done) {
        Py_XDECREF(kept);
        return false;
    }
    return kept ? keep_for(record, place, kept) : clear_dependents(record, field);
}

bool snpy_set(snpy_record *record, const snpy_field *field, PyObject *value) {
    if (root_of(record)->home.held > 0) {
        PyErr_SetString(PyExc_RuntimeError, "it is in use on another thread");
        return false;
    }
    if (field->read_only || root_of(record)->borrowed) {
        PyErr_Format(PyExc_AttributeError, "%s of %s cannot be set", field->name, record->of->name);
        return false;
    }
    switch (field->place) {
    case SNPY_ARRAY:
        return set_array(record, field, value);
    case SNPY_POINTER:
        return set_pointer(record, field, value);
    case SNPY_CALLBACK:
        return set_callback(record, field, value);
    default:
        return set_value(record, field, value);
    }
}

static int set_member(PyObject *self, PyObject *value, void *closure) {
    const snpy_field *field = closure;
    if (!value) {
        PyErr_Format(PyExc_AttributeError, "%s cannot be deleted", field->name);
        return -1;
    }
    return snpy_set((snpy_record *)self, field, value) ? 0 : -1;
}

static PyObject *get_member(PyObject *self, void *closure) {
    snpy_record *record = (snpy_record *)self;
    const snpy_field *field = closure;
    char *place = (char *)record->data + field->offset;
    if (!snpy_is_alive(record)) return NULL;
    switch (field->place) {
    case SNPY_ARRAY:
        return get_array(record, field);
    case SNPY_POINTER:
        return get_pointer(record, field);
    case SNPY_CALLBACK:
        return get_callback(record, field);
    case SNPY_LETTERS:
        return snpy_give_text(place);
    case SNPY_VALUE:
        break;
    }
    PyObject *home = root_of(record)->lender;
    if (is_automatic(field, place)) Py_RETURN_NONE;
    if (field->words) {
        for (const snpy_word *word = field->words; word->word; word++)
            if (word->value == *(const int *)place) return PyUnicode_FromString(word->word);
    }
    if (field->columns > 0)
        return snpy_give_fixed(field->type, field->rows, field->columns, place, home);
    if (field->type->kind == SNPY_RECORD) return snpy_part(field->type->of, place, self);
    return snpy_give(field->type, place, home);
}

/* ---- Objects ---- */

static snpy_record *allocate(PyTypeObject *type, snpy_struct *of) {
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    snpy_record *record = (snpy_record *)make(type, 0);
    if (record) record->of = of;
    return record;
}

/* Whether a struct of the library points to arrays or to other structs. */
static bool points(const snpy_record *record) {
    for (int i = 0; i < record->of->field_count; i++) {
        const snpy_field *field = &record->of->fields[i];
        if ((field->place == SNPY_ARRAY || field->place == SNPY_POINTER) &&
            *(void *const *)((const char *)record->data + field->offset))
            return true;
    }
    return false;
}

snpy_record *snpy_new_record(snpy_struct *of, const void *data, PyObject *home) {
    snpy_record *record = allocate(of->type, of);
    if (record) record->data = PyMem_Malloc(of->size);
    if (!record || !record->data) {
        Py_XDECREF((PyObject *)record);
        return (snpy_record *)PyErr_NoMemory();
    }
    if (data)
        memcpy(record->data, data, of->size);
    else if (of->standard)
        of->standard(record->data);
    else
        memset(record->data, 0, of->size);
    record->lender = Py_XNewRef(home);
    if (home) record->lent = ((snpy_home *)home)->changes;
    record->borrowed = home && points(record);
    return record;
}

PyObject *snpy_part(snpy_struct *of, void *data, PyObject *owner) {
    snpy_record *record = allocate(of->type, of);
    if (!record) return NULL;
    record->data = data;
    record->owner = Py_NewRef(owner);
    return (PyObject *)record;
}

/* Fields by keywords; arrays last, because others say how long they are. */
static bool set_keywords(snpy_record *record, PyObject *keywords) {
    Py_ssize_t left = PyDict_Size(keywords);
    for (int arrays = 0; arrays < 2; arrays++) {
        for (int i = 0; i < record->of->field_count; i++) {
            const snpy_field *field = &record->of->fields[i];
            if ((field->place == SNPY_ARRAY) != arrays) continue;
            PyObject *value = PyDict_GetItemString(keywords, field->name);
            if (!value) continue;
            left--;
            if (!snpy_set(record, field, value)) return false;
        }
    }
    if (left == 0) return true;
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(keywords, &at, &key, &value);) {
        if (PyObject_HasAttr((PyObject *)record->of->type, key)) continue;
        PyErr_Format(PyExc_TypeError, "%s has no field %R", record->of->name, key);
        return false;
    }
    PyErr_Format(PyExc_TypeError, "%s: a keyword is no field", record->of->name);
    return false;
}

static PyObject *new_record(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    snpy_struct *of = NULL;
    for (int i = 0; !of && snpy_structs[i]; i++)
        if (!snpy_structs[i]->is_id && PyType_IsSubtype(type, snpy_structs[i]->type))
            of = snpy_structs[i];
    if (!of || (PyTuple_Size(arguments) > 0 && type == of->type)) {
        PyErr_Format(PyExc_TypeError, "%s takes its fields by their names", of ? of->name : "it");
        return NULL;
    }
    snpy_record *record = allocate(type, of);
    if (record) record->data = PyMem_Malloc(of->size);
    if (!record || !record->data) {
        Py_XDECREF((PyObject *)record);
        return PyErr_NoMemory();
    }
    memset(record->data, 0, of->size);
    if (of->standard) of->standard(record->data);
    /* A class that was made of it in Python has arguments of its own. */
    if (keywords && type == of->type && !set_keywords(record, keywords)) Py_CLEAR(record);
    return (PyObject *)record;
}

static int traverse_record(PyObject *self, visitproc visit, void *arg) {
    snpy_record *record = (snpy_record *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(record->owner);
    Py_VISIT(record->kept);
    Py_VISIT(record->lender);
    return 0;
}

static int clear_record(PyObject *self) {
    snpy_record *record = (snpy_record *)self;
    /* What it points to goes with it: what is left of it must not be read any more. */
    if (record->kept && record->data && !record->owner && record->of->standard &&
        !record->of->release)
        record->of->standard(record->data);
    Py_CLEAR(record->kept);
    return 0;
}

static void dealloc_record(PyObject *self) {
    snpy_record *record = (snpy_record *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (!record->owner && record->data) {
        if (record->of->release) record->of->release(record->data);
        PyMem_Free(record->data);
    }
    Py_CLEAR(record->kept);
    Py_CLEAR(record->owner);
    Py_CLEAR(record->lender);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *record_repr(PyObject *self) {
    snpy_record *record = (snpy_record *)self;
    const char *dot = strrchr(record->of->name, '.');
    PyObject *text = PyUnicode_FromFormat("%s(", dot ? dot + 1 : record->of->name);
    for (int i = 0; text && i < record->of->field_count; i++) {
        const snpy_field *field = &record->of->fields[i];
        PyObject *value = get_member(self, (void *)(uintptr_t)field);
        PyObject *longer =
            value ? PyUnicode_FromFormat("%U%s%s=%R", text, i ? ", " : "", field->name, value)
                  : NULL;
        Py_XDECREF(value);
        Py_DECREF(text);
        text = longer;
    }
    PyObject *whole = text ? PyUnicode_FromFormat("%U)", text) : NULL;
    Py_XDECREF(text);
    return whole;
}

bool snpy_take_record(PyObject *value, snpy_struct *of, bool changes, void **to, const char *what) {
    *to = NULL;
    if (value == Py_None) return true;
    snpy_record *record = snpy_as_record(value);
    if (!record || record->of != of) {
        PyErr_Format(PyExc_TypeError, "%s: expected %s, got %R", what, of->name, value);
        return false;
    }
    if (!snpy_is_alive(record)) return false;
    if (root_of(record)->home.held > 0) {
        PyErr_SetString(PyExc_RuntimeError, "it is in use on another thread");
        return false;
    }
    if (changes && snpy_is_exported((PyObject *)root_of(record), what)) return false;
    if (changes) record->home.changes++;
    *to = record->data;
    return true;
}

static bool make_struct(PyObject *module, snpy_struct *of) {
    for (int i = 0; i < of->field_count; i++) {
        const snpy_field *field = &of->fields[i];
        of->members[i] = (PyGetSetDef){field->name, get_member, set_member, field->doc,
                                       (void *)(uintptr_t)field};
    }
    PyType_Slot slots[] = {{Py_tp_new, new_record},
                           {Py_tp_dealloc, dealloc_record},
                           {Py_tp_traverse, traverse_record},
                           {Py_tp_clear, clear_record},
                           {Py_tp_repr, record_repr},
                           {Py_tp_getset, of->members},
                           {Py_tp_methods, of->methods},
                           {Py_tp_doc, (void *)(uintptr_t)of->doc},
                           {0, NULL}};
    PyType_Spec spec = {of->name, sizeof(snpy_record), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
    of->type = (PyTypeObject *)PyType_FromSpec(&spec);
    return of->type && PyModule_AddType(module, of->type) == 0;
}

/* ---- Ids ---- */

static void dealloc_id(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_CLEAR(((snpy_id *)self)->world);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static int traverse_id(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((snpy_id *)self)->world);
    return 0;
}

bool snpy_is_id(PyObject *value) {
    return (destructor)PyType_GetSlot(Py_TYPE(value), Py_tp_dealloc) == dealloc_id;
}

PyObject *snpy_new_id(snpy_struct *of, const void *value, PyObject *home) {
    allocfunc make = (allocfunc)PyType_GetSlot(of->type, Py_tp_alloc);
    snpy_id *id = (snpy_id *)make(of->type, 0);
    if (!id) return NULL;
    id->of = of;
    memcpy(&id->value, value, sizeof id->value);
    id->world = Py_XNewRef(snpy_world_of(home));
    return (PyObject *)id;
}

static Py_hash_t hash_id(PyObject *self) {
    sn_node id = ((snpy_id *)self)->value;
    Py_hash_t hash = (Py_hash_t)(id.slot * 31u + id.generation + ((uint32_t)id.world << 16));
    return hash == -1 ? -2 : hash;
}

static PyObject *compare_ids(PyObject *a, PyObject *b, int how) {
    if ((how != Py_EQ && how != Py_NE) || !snpy_is_id(b)) Py_RETURN_NOTIMPLEMENTED;
    snpy_id *left = (snpy_id *)a, *right = (snpy_id *)b;
    bool same =
        left->of == right->of && memcmp(&left->value, &right->value, sizeof left->value) == 0;
    return PyBool_FromLong(same == (how == Py_EQ));
}

static PyObject *id_repr(PyObject *self) {
    snpy_id *id = (snpy_id *)self;
    const char *dot = strrchr(id->of->name, '.');
    return PyUnicode_FromFormat("<%s %d>", dot ? dot + 1 : id->of->name, (int)id->value.slot - 1);
}

static int id_is_some(PyObject *self) {
    return ((snpy_id *)self)->value.slot != 0;
}

static PyObject *id_slot(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLongLong((long long)((snpy_id *)self)->value.slot - 1);
}

static PyObject *id_world(PyObject *self, void *closure) {
    (void)closure;
    PyObject *world = ((snpy_id *)self)->world;
    return Py_NewRef(world ? world : Py_None);
}

static PyGetSetDef id_members[] = {
    {"slot", id_slot, NULL, "The place in the arrays of the world, from 0; -1 of none.", NULL},
    {"world", id_world, NULL, "The world that it belongs to.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static bool make_id(PyObject *module, snpy_struct *of) {
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc_id},
                           {Py_tp_traverse, traverse_id},
                           {Py_tp_hash, hash_id},
                           {Py_tp_richcompare, compare_ids},
                           {Py_tp_repr, id_repr},
                           {Py_nb_bool, id_is_some},
                           {Py_tp_getset, id_members},
                           {Py_tp_methods, of->methods},
                           {Py_tp_doc, (void *)(uintptr_t)of->doc},
                           {0, NULL}};
    PyType_Spec spec = {of->name, sizeof(snpy_id), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        slots};
    of->type = (PyTypeObject *)PyType_FromSpec(&spec);
    return of->type && PyModule_AddType(module, of->type) == 0;
}

bool snpy_make_structs(PyObject *module) {
    for (int i = 0; snpy_structs[i]; i++) {
        snpy_struct *of = snpy_structs[i];
        if (!(of->is_id ? make_id(module, of) : make_struct(module, of))) return false;
    }
    return true;
}
