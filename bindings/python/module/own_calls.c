/*
 * Functions whose arguments no table describes: definitions that go by a number, callbacks, and
 * what is lent by one object and belongs to another.
 */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

extern const snpy_type snpy_type_sn_real, snpy_type_sn_type, snpy_type_sn_kind, snpy_type_sn_node,
    snpy_type_sn_constraint, snpy_type_sn_build, snpy_type_sn_vec3, snpy_type_char,
    snpy_type_uint32_t, snpy_type_size_t, snpy_type_sn_build_def, snpy_type_sn_mesh_report,
    snpy_type_sn_io_read_def;

#define OWN_CALLS(CALL)                                                                            \
    CALL(sn_type_default)                                                                          \
    CALL(sn_kind_default)                                                                          \
    CALL(sn_preset_get)                                                                            \
    CALL(sn_constraint_create)                                                                     \
    CALL(sn_constraints_create)                                                                    \
    CALL(sn_constraint_get)                                                                        \
    CALL(sn_constraint_set)                                                                        \
    CALL(sn_constraint_evaluate)                                                                   \
    CALL(sn_constraint_force)                                                                      \
    CALL(sn_build_body)                                                                            \
    CALL(sn_world_add_force_field)                                                                 \
    CALL(sn_world_remove_force_field)                                                              \
    CALL(sn_world_set_wind)                                                                        \
    CALL(sn_scene_world)                                                                           \
    CALL(sn_mesh_report_remark)                                                                    \
    CALL(sn_mesh_find_group)                                                                       \
    CALL(sn_mesh_check)                                                                            \
    CALL(sn_io_animation_mesh)                                                                     \
    CALL(sn_io_animation_uvs)                                                                      \
    CALL(sn_io_animation_colours)                                                                  \
    CALL(sn_io_mesh_read_colours)                                                                  \
    CALL(sn_io_mesh_read_uvs)
#define DECLARE(name) PyObject *run_##name(PyObject *const *a);
OWN_CALLS(DECLARE)

bool snpy_take_field_value(PyObject *value, sn_real to[3]) {
    to[0] = to[1] = to[2] = 0;
    if (value == Py_None) {
        to[0] = to[1] = to[2] = SN_AUTO;
        return true;
    }
    if (PyNumber_Check(value) && !PySequence_Check(value))
        return snpy_take(&snpy_type_sn_real, value, to, "value", NULL);
    return snpy_take(&snpy_type_sn_vec3, value, to, "value", NULL);
}

size_t snpy_embedded(const sn_embedding *embedding) {
    size_t most = 0;
    for (size_t i = 0; i < embedding->count * 4; i++) {
        size_t vertex = embedding->vertices[i / 4][i % 4];
        if (vertex >= most) most = vertex + 1;
    }
    return most;
}

size_t snpy_followed(const sn_io_follower *followers, size_t count) {
    size_t most = 0;
    for (size_t i = 0; i < count * 3; i++) {
        size_t vertex = followers[i / 3].corners[i % 3];
        if (vertex >= most) most = vertex + 1;
    }
    return most;
}

static PyObject *none_or_fail(sn_result result) {
    return result == SN_OK ? Py_NewRef(Py_None) : snpy_fail(result);
}

/* The record of a definition, which must be of the struct that goes with a number. */
static bool take_definition(PyObject *value, snpy_struct *of, const char *what, void **to) {
    if (!of) {
        PyErr_Format(PyExc_ValueError, "%s: there is none of that number", what);
        return false;
    }
    if (!snpy_take_record(value, of, false, to, what)) return false;
    if (*to) return true;
    PyErr_Format(PyExc_TypeError, "%s: expected %s", what, of->name);
    return false;
}

static bool take_world(PyObject *value, bool changes, sn_world **world) {
    if (!snpy_take_handle(value, &snpy_world_class, changes, (void **)world, "world")) return false;
    if (*world) return true;
    PyErr_SetString(PyExc_TypeError, "world: expected a world");
    return false;
}

/* ---- By numbers ---- */

PyObject *run_sn_type_default(PyObject *const *a) {
    int type;
    if (!snpy_take(&snpy_type_sn_type, a[0], &type, "type", NULL)) return NULL;
    snpy_struct *of = type < SN_TYPE_COUNT ? snpy_constraint_struct(type) : NULL;
    if (of) return (PyObject *)snpy_new_record(of, NULL, NULL);
    PyErr_Format(PyExc_ValueError, "type: there is none of the number %d", type);
    return NULL;
}

PyObject *run_sn_kind_default(PyObject *const *a) {
    int kind;
    if (!snpy_take(&snpy_type_sn_kind, a[0], &kind, "kind", NULL)) return NULL;
    snpy_struct *of = snpy_kind_struct(kind);
    if (of) return (PyObject *)snpy_new_record(of, NULL, NULL);
    PyErr_Format(PyExc_ValueError, "kind: there is none of the number %d", kind);
    return NULL;
}

PyObject *run_sn_preset_get(PyObject *const *a) {
    int kind;
    const char *name;
    PyObject *kept = NULL;
    snpy_record *made = (snpy_record *)run_sn_kind_default(a);
    if (made && snpy_is_given(a[1], "name") &&
        snpy_take(&snpy_type_sn_kind, a[0], &kind, "kind", NULL) &&
        snpy_take(&snpy_type_char, a[1], &name, "name", &kept)) {
        sn_result result = sn_preset_get((sn_kind)kind, name, made->data);
        if (result != SN_OK) snpy_fail(result);
    }
    Py_XDECREF(kept);
    if (PyErr_Occurred()) Py_CLEAR(made);
    return (PyObject *)made;
}

/* ---- Constraints ---- */

PyObject *run_sn_constraint_create(PyObject *const *a) {
    sn_world *world;
    int type;
    void *def;
    sn_constraint constraint;
    if (!take_world(a[0], true, &world) ||
        !snpy_take(&snpy_type_sn_type, a[1], &type, "type", NULL) ||
        !take_definition(a[2], snpy_constraint_struct(type), "definition", &def))
        return NULL;
    sn_result result = sn_constraint_create(world, (sn_type)type, def, &constraint);
    if (snpy_raise_pending((snpy_handle *)a[0])) return NULL;
    return result == SN_OK ? snpy_give(&snpy_type_sn_constraint, &constraint, a[0])
                           : snpy_fail(result);
}

PyObject *run_sn_constraints_create(PyObject *const *a) {
    sn_world *world;
    int type;
    PyObject *kept = NULL, *made = NULL;
    if (!take_world(a[0], true, &world) ||
        !snpy_take(&snpy_type_sn_type, a[1], &type, "type", NULL))
        return NULL;
    snpy_struct *of = snpy_constraint_struct(type);
    snpy_type element = {of ? of->name : "", SNPY_RECORD, of ? of->size : 0, false, 0, NULL, of};
    void *defs;
    size_t count;
    if (!of) {
        PyErr_Format(PyExc_ValueError, "type: there is none of the number %d", type);
    } else if (snpy_take_array(&element, 1, a[2], &defs, &count, "definitions", &kept)) {
        sn_constraint *ids = snpy_room(count, sizeof *ids, &kept);
        sn_result result =
            ids ? sn_constraints_create(world, (sn_type)type, defs, count, ids) : SN_ERROR_MEMORY;
        if (snpy_raise_pending((snpy_handle *)a[0]) || result != SN_OK)
            snpy_fail(result);
        else
            made = snpy_give_list(&snpy_type_sn_constraint, 1, ids, count, a[0]);
    }
    Py_XDECREF(kept);
    return made;
}

/* World, id and type of a constraint that is there. */
static bool take_constraint(PyObject *const *a, bool changes, sn_world **world,
                            sn_constraint *constraint, sn_type *type) {
    if (!take_world(a[0], changes, world) ||
        !snpy_take(&snpy_type_sn_constraint, a[1], constraint, "constraint", NULL))
        return false;
    sn_result result = sn_constraint_get_type(*world, *constraint, type);
    if (result != SN_OK) snpy_fail(result);
    return result == SN_OK;
}

PyObject *run_sn_constraint_get(PyObject *const *a) {
    sn_world *world;
    sn_constraint constraint;
    sn_type type;
    if (!take_constraint(a, false, &world, &constraint, &type)) return NULL;
    snpy_record *made = snpy_new_record(snpy_constraint_struct((int)type), NULL, NULL);
    if (!made) return NULL;
    sn_result result = SN_OK;
    if (type >= SN_TYPE_USER) result = sn_user_def_default(world, type, made->data);
    if (result == SN_OK) result = sn_constraint_get(world, constraint, made->data);
    /* The list of its nodes is a call of its own: a count without its array would mislead. */
    for (int i = 0; i < made->of->field_count; i++) {
        const snpy_field *field = &made->of->fields[i];
        if (field->place == SNPY_ARRAY)
            memset((char *)made->data + field->count_offset, 0, field->count_size);
    }
    if (result == SN_OK) return (PyObject *)made;
    Py_DECREF(made);
    return snpy_fail(result);
}

PyObject *run_sn_constraint_set(PyObject *const *a) {
    sn_world *world;
    sn_constraint constraint;
    sn_type type;
    void *def;
    if (!take_constraint(a, true, &world, &constraint, &type) ||
        !take_definition(a[2], snpy_constraint_struct((int)type), "definition", &def))
        return NULL;
    return none_or_fail(sn_constraint_set(world, constraint, def));
}

PyObject *run_sn_constraint_evaluate(PyObject *const *a) {
    sn_world *world;
    sn_constraint constraint;
    sn_type type;
    size_t nodes;
    sn_real value[SN_MAX_ROWS] = {0};
    PyObject *kept = NULL, *made = NULL;
    if (!take_constraint(a, false, &world, &constraint, &type)) return NULL;
    const sn_type_info *info = sn_world_type_info(world, type);
    sn_node room[1];
    sn_result result = sn_constraint_get_nodes(world, constraint, room, 0, &nodes);
    size_t all = nodes + (info ? (size_t)info->frames : 0), rows = info ? (size_t)info->rows : 0;
    sn_vec3 *gradient = snpy_room(SN_MAX_ROWS * all, sizeof *gradient, &kept);
    if (gradient && result == SN_OK)
        result = sn_constraint_evaluate(world, constraint, value, gradient);
    if (snpy_raise_pending((snpy_handle *)a[0]) || !gradient || result != SN_OK)
        snpy_fail(result);
    else
        made = Py_BuildValue("(NN)", snpy_give_list(&snpy_type_sn_real, 1, value, rows, NULL),
                             snpy_give_list(&snpy_type_sn_vec3, 1, gradient, rows * all, NULL));
    Py_XDECREF(kept);
    return made;
}

/* As many numbers as the type has rows. */
PyObject *run_sn_constraint_force(PyObject *const *a) {
    sn_world *world;
    sn_constraint constraint;
    sn_type type;
    sn_real force[SN_MAX_ROWS] = {0};
    if (!take_constraint(a, false, &world, &constraint, &type)) return NULL;
    const sn_type_info *info = sn_world_type_info(world, type);
    sn_result result = sn_constraint_force(world, constraint, force);
    if (result != SN_OK) return snpy_fail(result);
    return snpy_give_fixed(&snpy_type_sn_real, 0, info ? info->rows : 0, force, NULL);
}

/* ---- Bodies ---- */

PyObject *run_sn_build_body(PyObject *const *a) {
    sn_world *world;
    int kind;
    void *material, *definition;
    sn_build build;
    if (!take_world(a[0], true, &world) || snpy_is_exported(a[0], "build_body") ||
        !snpy_take(&snpy_type_sn_kind, a[1], &kind, "kind", NULL) ||
        !take_definition(a[2], snpy_kind_struct(kind), "material", &material) ||
        !take_definition(a[3], snpy_type_sn_build_def.of, "definition", &definition))
        return NULL;
    const sn_build_def *def = definition;
    PyObject *kept = NULL, *made = NULL;
    size_t count = def->mesh ? def->mesh->vertex_count : 0;
    sn_node *nodes = snpy_room(count, sizeof *nodes, &kept);
    sn_result result =
        nodes ? sn_build_body(world, (sn_kind)kind, material, def, nodes, &build) : SN_ERROR_MEMORY;
    if (PyErr_Occurred() || result != SN_OK)
        snpy_fail(result);
    else
        made = Py_BuildValue("(NN)", snpy_give(&snpy_type_sn_build, &build, a[0]),
                             snpy_give_list(&snpy_type_sn_node, 1, nodes, count, a[0]));
    Py_XDECREF(kept);
    return made;
}

/* ---- Callbacks ---- */

static bool keep_function(snpy_handle *handle, PyObject *callback) {
    if (!handle->callbacks) handle->callbacks = PyList_New(0);
    return handle->callbacks && PyList_Append(handle->callbacks, callback) == 0;
}

PyObject *run_sn_world_add_force_field(PyObject *const *a) {
    sn_world *world;
    if (!take_world(a[0], true, &world)) return NULL;
    PyObject *callback = snpy_callback_new(a[1], (snpy_handle *)a[0]);
    bool done = callback && keep_function((snpy_handle *)a[0], callback);
    sn_result result = done ? sn_world_add_force_field(world, snpy_call_field, callback) : SN_OK;
    Py_XDECREF(callback);
    return done ? none_or_fail(result) : NULL;
}

PyObject *run_sn_world_remove_force_field(PyObject *const *a) {
    sn_world *world;
    if (!take_world(a[0], true, &world)) return NULL;
    snpy_handle *handle = (snpy_handle *)a[0];
    Py_ssize_t count = handle->callbacks ? PyList_Size(handle->callbacks) : 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        snpy_callback *callback = (snpy_callback *)PyList_GetItem(handle->callbacks, i);
        int same = PyObject_RichCompareBool(callback->function, a[1], Py_EQ);
        if (same < 0) return NULL;
        if (same == 0) continue;
        sn_result result = sn_world_remove_force_field(world, snpy_call_field, callback);
        if (result != SN_OK) continue;
        if (PySequence_DelItem(handle->callbacks, i) != 0) return NULL;
        Py_RETURN_NONE;
    }
    return snpy_fail(sn_world_remove_force_field(world, snpy_call_field, NULL));
}

PyObject *run_sn_world_set_wind(PyObject *const *a) {
    sn_world *world;
    if (!take_world(a[0], true, &world)) return NULL;
    if (a[1] == Py_None) return none_or_fail(sn_world_set_wind(world, NULL, NULL));
    PyObject *callback = snpy_callback_new(a[1], (snpy_handle *)a[0]);
    bool done = callback && keep_function((snpy_handle *)a[0], callback);
    sn_result result = done ? sn_world_set_wind(world, snpy_call_field, callback) : SN_OK;
    Py_XDECREF(callback);
    return done ? none_or_fail(result) : NULL;
}

/* ---- Scenes ---- */

/* One handle for the world of a scene, which keeps the scene; the scene only remembers it. */
PyObject *run_sn_scene_world(PyObject *const *a) {
    void *scene;
    if (!snpy_is_given(a[0], "scene") ||
        !snpy_take_handle(a[0], &snpy_scene_class, false, &scene, "scene"))
        return NULL;
    snpy_handle *handle = (snpy_handle *)a[0];
    if (handle->world) return Py_NewRef(handle->world);
    allocfunc make = (allocfunc)PyType_GetSlot(snpy_world_class.type, Py_tp_alloc);
    snpy_handle *world = (snpy_handle *)make(snpy_world_class.type, 0);
    if (!world) return NULL;
    world->of = &snpy_world_class;
    world->pointer = sn_scene_world(scene);
    world->owner = Py_NewRef(a[0]);
    world->memory = handle->memory;
    handle->world = (PyObject *)world;
    return (PyObject *)world;
}

/* ---- Meshes ---- */

PyObject *run_sn_mesh_report_remark(PyObject *const *a) {
    void *report;
    size_t index;
    sn_log_level level;
    char text[1024];
    if (!take_definition(a[0], snpy_type_sn_mesh_report.of, "report", &report) ||
        !snpy_take(&snpy_type_size_t, a[1], &index, "index", NULL))
        return NULL;
    sn_result result = sn_mesh_report_remark(report, index, &level, text, sizeof text);
    if (result != SN_OK) return snpy_fail(result);
    return Py_BuildValue("(iN)", (int)level, snpy_give_text(text));
}

PyObject *run_sn_mesh_find_group(PyObject *const *a) {
    void *mesh;
    const char *name;
    PyObject *kept = NULL, *made = NULL;
    if (take_definition(a[0], &snpy_mesh_struct, "mesh", &mesh) &&
        snpy_take(&snpy_type_char, a[1], &name, "name", &kept)) {
        const sn_mesh_group *group = name ? sn_mesh_find_group(mesh, name) : NULL;
        made = group ? snpy_give_list(&snpy_type_uint32_t, 1, group->vertices, group->count, NULL)
                     : Py_NewRef(Py_None);
    }
    Py_XDECREF(kept);
    return made;
}

PyObject *run_sn_mesh_check(PyObject *const *a) {
    void *mesh;
    if (!take_definition(a[0], &snpy_mesh_struct, "mesh", &mesh)) return NULL;
    snpy_record *report = snpy_new_record(snpy_type_sn_mesh_report.of, NULL, NULL);
    if (report && (a[1] == Py_None || snpy_take(&snpy_type_sn_real, a[1],
                                                &((sn_mesh_report *)report->data)->weld_distance,
                                                "weld_distance", NULL))) {
        sn_result result = sn_mesh_check(mesh, report->data);
        if (result == SN_OK) return (PyObject *)report;
        snpy_fail(result);
    }
    Py_XDECREF((PyObject *)report);
    return NULL;
}

PyObject *run_sn_io_animation_mesh(PyObject *const *a) {
    void *animation;
    if (!snpy_is_given(a[0], "animation") ||
        !snpy_take_handle(a[0], &snpy_io_animation_class, false, &animation, "animation"))
        return NULL;
    const sn_mesh *mesh = sn_io_animation_mesh(animation);
    if (!mesh) Py_RETURN_NONE;
    snpy_record *made = snpy_new_record(&snpy_mesh_struct, NULL, NULL);
    sn_result result = made ? sn_mesh_copy(mesh, made->data) : SN_OK;
    if (result == SN_OK) return (PyObject *)made;
    Py_DECREF(made);
    return snpy_fail(result);
}

PyObject *run_sn_io_animation_uvs(PyObject *const *a) {
    void *animation;
    if (!snpy_is_given(a[0], "animation") ||
        !snpy_take_handle(a[0], &snpy_io_animation_class, false, &animation, "animation"))
        return NULL;
    const sn_real *uvs = sn_io_animation_uvs(animation);
    if (!uvs) Py_RETURN_NONE;
    size_t count = sn_io_animation_get_info(animation).vertex_count;
    return snpy_give_list(&snpy_type_sn_real, 2, uvs, count, NULL);
}

PyObject *run_sn_io_animation_colours(PyObject *const *a) {
    void *animation;
    if (!snpy_is_given(a[0], "animation") ||
        !snpy_take_handle(a[0], &snpy_io_animation_class, false, &animation, "animation"))
        return NULL;
    const sn_vec3 *colours = sn_io_animation_colours(animation);
    if (!colours) Py_RETURN_NONE;
    size_t count = sn_io_animation_get_info(animation).vertex_count;
    return snpy_give_list(&snpy_type_sn_vec3, 1, colours, count, NULL);
}

/* Texture coordinates and colours, each None where there are none. */
PyObject *run_sn_io_mesh_read_colours(PyObject *const *a) {
    const char *path;
    void *def, *mesh;
    sn_real(*uvs)[2] = NULL;
    sn_vec3 *colours = NULL;
    PyObject *kept = NULL, *places = NULL, *paints = NULL, *made = NULL;
    if (snpy_is_given(a[0], "path") && snpy_is_given(a[2], "mesh") &&
        snpy_take(&snpy_type_char, a[0], &path, "path", &kept) &&
        snpy_take_record(a[1], snpy_type_sn_io_read_def.of, false, &def, "definition") &&
        snpy_take_record(a[2], &snpy_mesh_struct, true, &mesh, "mesh")) {
        sn_result result = sn_io_mesh_read_colours(path, def, mesh, &uvs, &colours);
        if (result != SN_OK) {
            snpy_fail(result);
        } else {
            size_t count = ((const sn_mesh *)mesh)->vertex_count;
            places =
                uvs ? snpy_give_list(&snpy_type_sn_real, 2, uvs, count, NULL) : Py_NewRef(Py_None);
            paints = colours ? snpy_give_list(&snpy_type_sn_vec3, 1, colours, count, NULL)
                             : Py_NewRef(Py_None);
        }
        if (places && paints) made = PyTuple_Pack(2, places, paints);
        free(uvs);
        free(colours);
    }
    Py_XDECREF(places);
    Py_XDECREF(paints);
    Py_XDECREF(kept);
    return made;
}

PyObject *run_sn_io_mesh_read_uvs(PyObject *const *a) {
    const char *path;
    void *def, *mesh;
    sn_real(*uvs)[2] = NULL;
    PyObject *kept = NULL, *made = NULL;
    if (snpy_is_given(a[0], "path") && snpy_is_given(a[2], "mesh") &&
        snpy_take(&snpy_type_char, a[0], &path, "path", &kept) &&
        snpy_take_record(a[1], snpy_type_sn_io_read_def.of, false, &def, "definition") &&
        snpy_take_record(a[2], &snpy_mesh_struct, true, &mesh, "mesh")) {
        sn_result result = sn_io_mesh_read_uvs(path, def, mesh, &uvs);
        if (result != SN_OK)
            snpy_fail(result);
        else
            made = uvs ? snpy_give_list(&snpy_type_sn_real, 2, uvs,
                                        ((const sn_mesh *)mesh)->vertex_count, NULL)
                       : Py_NewRef(Py_None);
        free(uvs);
    }
    Py_XDECREF(kept);
    return made;
}
