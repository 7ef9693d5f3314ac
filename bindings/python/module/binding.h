/*
 * The Python module: what its parts share.
 *
 * Functions, structs, fields and enums are tables that generate.py makes from api.json; what is
 * here knows kinds of them and names none. Four kinds of objects stand for what C has:
 *
 *   handle   what C uses by a pointer alone: worlds, scenes, queries, ...
 *   record   a struct, by its value; those that own memory (meshes) free it
 *   id       of an object of a world, with the world, so that it has methods
 *   view     numbers of a world or of a mesh, by the buffer protocol and without a copy
 *
 * What is lent, such as the arrays of a frame, is valid until its home changes: every call that may
 * change a handle or a record counts its `changes`, and what was lent before is then refused.
 * Memory of a world that is freed while views are in use stays until the last of them goes.
 */
#ifndef SINEW_BINDING_H
#define SINEW_BINDING_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <sinew/sinew.h>
#include <sinew_io/animation.h>
#include <sinew_io/cache.h>
#include <sinew_io/export.h>
#include <sinew_io/file.h>
#include <sinew_io/liquid.h>
#include <sinew_io/mesh.h>
#include <sinew_io/robot.h>
#include <sinew_io/scene.h>
#include <sinew_io/smooth.h>

/* ---- Tables ---- */

/* What a value is. */
typedef enum snpy_kind {
    SNPY_BOOL,
    SNPY_INT, /* of any size, see `size` and `is_signed` */
    SNPY_FLOAT,
    SNPY_ENUM,   /* an int that has names */
    SNPY_TEXT,   /* a string by its pointer */
    SNPY_VECTOR, /* several reals: a tuple */
    SNPY_ID,
    SNPY_RECORD
} snpy_kind;

/* The names of an enum, without what they have in common, in lower case. */
typedef struct snpy_word {
    const char *word;
    int value;
} snpy_word;

struct snpy_struct;

typedef struct snpy_type {
    const char *name;
    snpy_kind kind;
    size_t size;
    bool is_signed;
    int width; /* numbers of a vector */
    const snpy_word *words;
    struct snpy_struct *of; /* of ids and records */
} snpy_type;

/* Where a field has its value. */
typedef enum snpy_place {
    SNPY_VALUE,   /* in the struct */
    SNPY_LETTERS, /* in the struct, as an array of char */
    SNPY_ARRAY,   /* behind a pointer, as many as another field says */
    SNPY_POINTER, /* behind a pointer, one record */
    SNPY_CALLBACK /* a function, with a pointer for the user */
} snpy_place;

/* How many elements an array has. */
typedef enum snpy_length {
    SNPY_COUNT,   /* as many as its count says */
    SNPY_FIRSTS,  /* one more */
    SNPY_MEMBERS, /* as the last of the firsts says */
    SNPY_GRID,    /* the product of the numbers of points along the axes */
    SNPY_CORNERS, /* the count times the corners of an element */
    SNPY_GIVEN    /* as many as were given; a call knows how many it needs (snpy_has) */
} snpy_length;

typedef struct snpy_field {
    const char *name, *doc;
    const snpy_type *type;
    snpy_place place;
    size_t offset;
    int rows, columns; /* of arrays in the struct; of elements of an array behind a pointer */
    bool read_only, automatic;
    const snpy_word *words; /* of a choice */
    snpy_length length;
    size_t count_offset, count_size;
    size_t other_offset, other_size; /* of points, corners, firsts; the user */
    void (*trampoline)(void);
} snpy_field;

typedef struct snpy_struct {
    const char *name, *doc;
    size_t size;
    const snpy_field *fields;
    int field_count;
    void (*standard)(void *);
    void (*release)(void *); /* of those that own memory */
    PyGetSetDef *members;
    PyMethodDef *methods;
    bool is_id;
    PyTypeObject *type;
} snpy_struct;

/* What C uses by a pointer alone. */
typedef struct snpy_class {
    const char *name, *doc;
    void (*destroy)(void *);
    PyMethodDef *methods;
    PyTypeObject *type;
} snpy_class;

/* A function: its parameters, and what makes the call. */
typedef struct snpy_call {
    const char *name;
    PyObject *(*run)(PyObject *const *arguments);
    int count, needed;          /* parameters; those behind `needed` may be left out */
    const char *const *names;   /* of parameters */
    int definition;             /* the parameter that keywords fill, or -1 */
    snpy_struct *definition_of; /* its struct */
} snpy_call;

enum { SNPY_MOST_PARAMETERS = 12 };

/* ---- Objects ---- */

/* What handles and records begin with: the home of what is lent. */
typedef struct snpy_home {
    PyObject ob_base;
    uint64_t changes; /* calls that may have changed it */
    int held;         /* calls that are in it without the lock of the interpreter */
    int exports;      /* buffers of its memory that are in use */
} snpy_home;

/* Memory of a world: what is freed while buffers are in use waits for their end. */
typedef struct snpy_memory snpy_memory;

typedef struct snpy_handle {
    snpy_home home;
    const snpy_class *of;
    void *pointer;
    PyObject *owner;     /* whose it is, such as the scene of a world; or null */
    PyObject *world;     /* of a scene and a query: the handle of the world */
    PyObject *callbacks; /* a list of what is called, or null */
    snpy_memory *memory;
} snpy_handle;

typedef struct snpy_record {
    snpy_home home;
    snpy_struct *of;
    void *data;
    PyObject *owner;  /* the record that this is a part of, or null: the data are its own */
    PyObject *kept;   /* a dict from addresses of pointers to what they point to */
    PyObject *lender; /* where it comes from: a handle or a record; or null */
    bool borrowed;    /* whether what it points to is the lender's */
    uint64_t lent;    /* `changes` of the lender then */
} snpy_record;

typedef struct snpy_id {
    PyObject ob_base;
    snpy_struct *of;
    sn_node value; /* all ids are alike */
    PyObject *world;
} snpy_id;

/* Something that C calls. */
typedef struct snpy_callback {
    PyObject ob_base;
    PyObject *function;
    PyObject *error; /* what it raised, until the call that it was in ends */
    snpy_handle *home;
} snpy_callback;

extern snpy_struct *const snpy_structs[];
extern snpy_class *const snpy_classes[];
extern snpy_class snpy_world_class, snpy_scene_class, snpy_query_class, snpy_io_animation_class;
extern snpy_struct snpy_mesh_struct;
extern PyTypeObject *snpy_view_type, *snpy_callback_type;
extern PyMethodDef snpy_functions[];
int snpy_add_constants(PyObject *module);

/* The structs of definitions by number; null beyond the last. */
snpy_struct *snpy_constraint_struct(int type);
snpy_struct *snpy_kind_struct(int kind);

/* ---- Values ---- */

/* From Python to C; false with an exception that names `what`. What must live as long as the value
   is put into the list or dict *kept, which is made where it is null. */
bool snpy_take(const snpy_type *type, PyObject *value, void *to, const char *what, PyObject **kept);
/* A fixed array of `rows` by `columns`, or of `columns` where rows is 0. */
bool snpy_take_fixed(const snpy_type *type, int rows, int columns, PyObject *value, void *to,
                     const char *what, PyObject **kept);
/* Whether an argument is there: None is none. */
bool snpy_is_given(PyObject *value, const char *what);
/* Any number of elements of `columns` values each; None is none of them, and a null pointer. */
bool snpy_take_array(const snpy_type *type, int columns, PyObject *value, void **to, size_t *count,
                     const char *what, PyObject **kept);
/* The same where there must be as many as others have, unless it is None. */
bool snpy_take_same(const snpy_type *type, int columns, PyObject *value, void **to, size_t count,
                    const char *what, PyObject **kept);
/* And where there must be so many at least. */
bool snpy_take_enough(const snpy_type *type, int columns, PyObject *value, void **to, size_t count,
                      const char *what, PyObject **kept);
bool snpy_take_bytes(PyObject *value, const void **to, size_t *size, const char *what,
                     PyObject **kept);
bool snpy_keep(PyObject **kept, PyObject *stolen);
/* Memory of `size` bytes that lives as long as `kept`. */
void *snpy_room(size_t count, size_t size, PyObject **kept);

/* From C to Python. The home is a handle or a record, for ids and for what is lent; or null. */
PyObject *snpy_give(const snpy_type *type, const void *from, PyObject *home);
PyObject *snpy_give_fixed(const snpy_type *type, int rows, int columns, const void *from,
                          PyObject *home);
PyObject *snpy_give_list(const snpy_type *type, int columns, const void *from, size_t count,
                         PyObject *home);
PyObject *snpy_give_text(const char *text);

/* ---- Handles ---- */

bool snpy_take_handle(PyObject *value, const snpy_class *of, bool changes, void **to,
                      const char *what);
/* Makes a handle, or fills `into`, and keeps the callbacks of a record. */
PyObject *snpy_adopt(snpy_class *of, void *pointer, PyObject *into, PyObject *from,
                     PyObject *definition);
bool snpy_check_into(snpy_class *of, PyObject *into);
bool snpy_make_classes(PyObject *module);
/* The world of a handle: itself, or that of a scene or of a query. */
PyObject *snpy_world_of(PyObject *home);
/* Around what runs without the lock. */
PyThreadState *snpy_leave(PyObject *home);
void snpy_return(PyObject *home, PyThreadState *state);
/* The memory of a world that is about to be made, for its definition; ended where it is not made,
   or is gone. */
snpy_memory *snpy_begin_memory(sn_allocator *allocator);
void snpy_end_memory(snpy_memory *memory);
/* Buffers of a home, which is a handle or a record: one more or one less. */
void snpy_count_exports(PyObject *home, int change);

/* ---- Records ---- */

bool snpy_make_structs(PyObject *module);
snpy_record *snpy_new_record(snpy_struct *of, const void *data, PyObject *home);
/* A part of another record, where it lies. */
PyObject *snpy_part(snpy_struct *of, void *data, PyObject *owner);
/* The struct of an argument; None is a null pointer. */
bool snpy_take_record(PyObject *value, snpy_struct *of, bool changes, void **to, const char *what);
bool snpy_set(snpy_record *record, const snpy_field *field, PyObject *value);
bool snpy_is_alive(snpy_record *record);
/* Whether buffers of it are in use; then there is an exception. */
bool snpy_is_exported(PyObject *home, const char *what);
/* Whether an array of a definition has as many elements as a call needs, where it is given: one for
   each of `whose`. */
bool snpy_has(PyObject *value, const char *name, size_t expected, const char *whose);
snpy_record *snpy_as_record(PyObject *value);
snpy_handle *snpy_as_handle(PyObject *value);
bool snpy_is_id(PyObject *value);
PyObject *snpy_new_id(snpy_struct *of, const void *value, PyObject *home);
bool snpy_copy_kept(snpy_record *from, PyObject **kept);

/* ---- Views ---- */

bool snpy_make_view(PyObject *module);
PyObject *snpy_view(PyObject *home, const snpy_type *type, const void *pointer, size_t count,
                    int columns, bool writable);

/* ---- Callbacks ---- */

bool snpy_make_callback(PyObject *module);
PyObject *snpy_callback_new(PyObject *function, snpy_handle *home);
/* Raises what a callback of the handle has raised; false where there is nothing. */
bool snpy_raise_pending(snpy_handle *handle);
bool snpy_keep_callbacks(PyObject *handle, PyObject *record);
void snpy_call_log(void *user, sn_log_level level, const char *sentence);
void snpy_call_complaint(void *user, const char *sentence);
bool snpy_call_accept(void *user, const sn_hit *hit);
void snpy_call_formula(void *user, const sn_user_batch *batch);
void snpy_call_field(void *user, const sn_force_field_input *input, sn_vec4 *acceleration);

/* ---- Calls ---- */

bool snpy_make_errors(PyObject *module);
/* Raises the exception of a result, with the sentence of the library. */
PyObject *snpy_fail(sn_result result);
/* A field by its number or its three components. */
bool snpy_take_field_value(PyObject *value, sn_real to[3]);
/* How many positions an embedding and followers read. */
size_t snpy_embedded(const sn_embedding *embedding);
size_t snpy_followed(const sn_io_follower *followers, size_t count);
PyObject *snpy_run(const snpy_call *call, PyObject *first, PyObject *second,
                   PyObject *const *arguments, Py_ssize_t count, PyObject *names);

/* draw.c: adds _draw to the module, for show() alone. */
bool snpy_add_draw(PyObject *module);

#endif
