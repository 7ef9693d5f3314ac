/*
 * Numbers that a page changes while a scene runs: the settings of its world, and fields of the
 * constraints of its bodies that have one value for a whole body.
 */
#include "exports.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static view_text answer;

/* ---- Settings ---- */

/* FIELD(member, what it is, unit, least and most of a slider, meaning). */
#define SETTINGS(INTEGER, REAL, VECTOR, CHOICE)                                                    \
    INTEGER(substeps, "1", 1, 200, "per frame; more make bodies stiffer")                          \
    INTEGER(iterations, "1", 1, 50, "solver sweeps per substep")                                   \
    CHOICE(solver, SN_SOLVERS, "in which order constraints are projected")                         \
    CHOICE(integrator, SN_INTEGRATORS, "how motion goes on in time")                               \
    VECTOR(gravity, "m/s^2", -30, 30, "acceleration of all nodes")                                 \
    REAL(damping, "1/s", 0, 10, "dv/dt = -damping v for every node")                               \
    REAL(air_density, "kg/m^3", 0, 5, "of the air around sheets; 1.2 at sea level")                \
    VECTOR(wind, "m/s", -30, 30, "of all the air")                                                 \
    REAL(gust_strength, "m/s", 0, 10, "root mean square of what gusts add to the wind")            \
    REAL(gust_length, "m", 0.1, 20, "of the longest eddies")                                       \
    REAL(gust_period, "s", 0.1, 20, "in which the longest eddies change")

typedef enum kind { KIND_INTEGER, KIND_REAL, KIND_VECTOR, KIND_CHOICE } kind;

typedef struct setting {
    const char *name, *unit, *meaning;
    kind kind;
    size_t offset;
    double least, most;
} setting;

#define NAME_AND_BAR(lower, upper) #lower "|"
#define ROW(what, member, unit, least, most, meaning)                                              \
    {#member, unit, meaning, KIND_##what, offsetof(sn_settings, member), least, most},
#define ROW_INTEGER(member, unit, least, most, meaning)                                            \
    ROW(INTEGER, member, unit, least, most, meaning)
#define ROW_REAL(member, unit, least, most, meaning) ROW(REAL, member, unit, least, most, meaning)
#define ROW_VECTOR(member, unit, least, most, meaning)                                             \
    ROW(VECTOR, member, unit, least, most, meaning)
#define ROW_CHOICE(member, list, meaning) ROW(CHOICE, member, list(NAME_AND_BAR), 0, 0, meaning)

static const setting settings[] = {SETTINGS(ROW_INTEGER, ROW_REAL, ROW_VECTOR, ROW_CHOICE)};
enum { SETTING_COUNT = sizeof settings / sizeof settings[0] };

static void add_setting(const setting *s, const sn_settings *now) {
    static const char *const kinds[] = {"integer", "real", "vector", "choice"};
    const char *at = (const char *)now + s->offset;
    view_text_add(&answer,
                  "{\"name\":\"%s\",\"kind\":\"%s\",\"unit\":\"%s\",\"least\":%g,\"most\":%g",
                  s->name, kinds[s->kind], s->unit, s->least, s->most);
    view_text_add(&answer, ",\"meaning\":\"%s\",\"value\":[", s->meaning);
    const sn_real *real = (const void *)at;
    const int *integer = (const void *)at;
    int count = s->kind == KIND_VECTOR ? 3 : 1;
    for (int k = 0; k < count; k++) {
        view_text_add(&answer, k ? "," : "");
        view_text_add_number(&answer, s->kind == KIND_REAL || s->kind == KIND_VECTOR
                                          ? (double)real[k]
                                          : (double)integer[k]);
    }
    view_text_add(&answer, "]}");
}

const char *view_settings(view *v) {
    sn_settings now;
    view_text_begin(&answer);
    if (sn_world_get_settings(sn_scene_world(v->scene), &now) != SN_OK) return "[]";
    for (int i = 0; i < SETTING_COUNT; i++) {
        view_text_add(&answer, i ? "," : "[");
        add_setting(&settings[i], &now);
    }
    view_text_add(&answer, "]");
    return answer.data ? answer.data : "[]";
}

int view_set_setting(view *v, int number, double x, double y, double z) {
    sn_world *world = sn_scene_world(v->scene);
    sn_settings next;
    if (number < 0 || number >= SETTING_COUNT || sn_world_get_settings(world, &next) != SN_OK)
        return 0;
    const setting *s = &settings[number];
    void *at = (char *)&next + s->offset;
    if (s->kind == KIND_VECTOR) {
        *(sn_vec3 *)at = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    } else if (s->kind == KIND_REAL) {
        *(sn_real *)at = (sn_real)x;
    } else {
        *(int *)at = (int)x;
    }
    return sn_world_set_settings(world, &next) == SN_OK;
}

/* ---- Fields of bodies ---- */

/* A field of the constraints of one type of a body, as long as all have the same value. */
typedef struct uniform {
    sn_real value;
    size_t count;
    bool differs;
} uniform;

enum { MOST_FIELDS = 32 };

static bool is_offered(const sn_field_info *field) {
    return field->kind == SN_FIELD_REAL && strncmp(field->name, "rest", 4) != 0 &&
           strcmp(field->name, "stiffness") != 0 && strncmp(field->name, "plastic", 7) != 0;
}

static void look_at(const sn_world *world, sn_constraint id, const sn_type_info *info,
                    uniform fields[MOST_FIELDS]) {
    for (size_t f = 0; f < info->field_count && f < MOST_FIELDS; f++) {
        sn_real value[3];
        if (fields[f].differs || !is_offered(&info->fields[f]) ||
            sn_constraint_get_field(world, id, info->fields[f].name, value) != SN_OK)
            continue;
        fields[f].differs = fields[f].count > 0 && fields[f].value != value[0];
        fields[f].value = value[0];
        fields[f].count++;
    }
}

static bool belongs_to(const sn_world *world, sn_constraint id, sn_body body) {
    sn_node node;
    sn_node_def def = sn_node_def_default();
    size_t count = 0;
    return sn_constraint_get_nodes(world, id, &node, 1, &count) == SN_OK && count > 0 &&
           sn_node_get(world, node, &def) == SN_OK && def.body.slot == body.slot;
}

static void add_fields(int type, const sn_type_info *info, const uniform fields[MOST_FIELDS],
                       bool *first) {
    for (size_t f = 0; f < info->field_count && f < MOST_FIELDS; f++) {
        const sn_field_info *field = &info->fields[f];
        if (fields[f].count == 0 || fields[f].differs || fields[f].value == SN_AUTO) continue;
        view_text_add(&answer, "%s{\"type\":%d,\"typeName\":\"%s\",\"name\":\"%s\"",
                      *first ? "" : ",", type, info->name, field->name);
        view_text_add(&answer,
                      ",\"unit\":\"%s\",\"least\":%g,\"most\":%g,\"meaning\":", field->unit,
                      field->least, field->most);
        view_text_add_string(&answer, field->meaning);
        view_text_add(&answer, ",\"count\":%zu,\"value\":", fields[f].count);
        view_text_add_number(&answer, (double)fields[f].value);
        view_text_add(&answer, "}");
        *first = false;
    }
}

const char *view_body_fields(view *v, int number) {
    sn_world *world = sn_scene_world(v->scene);
    sn_scene_body body;
    sn_stats stats;
    bool first = true;
    view_text_begin(&answer);
    if (number < 0 || !sn_scene_body_at(v->scene, (size_t)number, &body) ||
        sn_world_stats(world, &stats) != SN_OK)
        return "[]";
    uniform(*types)[MOST_FIELDS] = calloc(SN_TYPE_COUNT, sizeof *types);
    if (!types) return "[]";
    size_t left = sn_world_constraint_count(world, SN_TYPE_COUNT);
    for (size_t slot = 0; left > 0 && slot < 100000000; slot++) {
        sn_constraint id;
        sn_type type;
        if (sn_world_constraint_at(world, slot, &id) != SN_OK) continue;
        left--;
        if (sn_constraint_get_type(world, id, &type) != SN_OK || type >= SN_TYPE_COUNT ||
            !belongs_to(world, id, body.body))
            continue;
        look_at(world, id, sn_type_get_info(type), types[type]);
    }
    view_text_add(&answer, "[");
    for (int type = 0; type < SN_TYPE_COUNT; type++)
        add_fields(type, sn_type_get_info((sn_type)type), types[type], &first);
    view_text_add(&answer, "]");
    free(types);
    return answer.data ? answer.data : "[]";
}

int view_set_body_field(view *v, int number, int type, const char *name, double value) {
    sn_scene_body body;
    sn_real values[3] = {(sn_real)value, 0, 0};
    if (number < 0 || !sn_scene_body_at(v->scene, (size_t)number, &body)) return 0;
    return sn_body_set_field(sn_scene_world(v->scene), body.body, (sn_type)type, name, values,
                             NULL) == SN_OK;
}
