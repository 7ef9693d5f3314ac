/*
 * Numbers that a page changes while a scene runs: the settings of its world, and fields of the
 * constraints of its bodies that have one value for a whole body.
 */
#include "exports.h"

#include <stdlib.h>
#include <string.h>

static view_text answer;

/* ---- Settings ---- */

/* The list that scene files, snapshots and the reference have; the page has no list of its own. */
static const sn_object_info *list_settings(void) {
    return sn_object_by_name("settings");
}

/* A limit as JSON: null where there is none. */
static void add_limit(const char *name, double limit) {
    view_text_add(&answer, ",\"%s\":", name);
    if (limit >= (double)SN_REAL_MAX || limit <= -(double)SN_REAL_MAX)
        view_text_add(&answer, "null");
    else
        view_text_add(&answer, "%g", limit == SN_ABOVE_ZERO ? 0 : limit);
}

/* Numbers of a field, null for what is automatic. */
static void add_values(const sn_field_info *field, const void *at) {
    const sn_real *real = at;
    view_text_add(&answer, ",\"value\":[");
    switch (field->kind) {
    case SN_FIELD_VEC3:
    case SN_FIELD_REAL:
        for (int k = 0; k < (field->kind == SN_FIELD_VEC3 ? 3 : 1); k++) {
            view_text_add(&answer, k ? "," : "");
            if (field->automatic && real[k] == SN_AUTO)
                view_text_add(&answer, "null");
            else
                view_text_add_number(&answer, (double)real[k]);
        }
        break;
    case SN_FIELD_BOOL:
        view_text_add(&answer, "%d", *(const bool *)at);
        break;
    default:
        view_text_add(&answer, "%d", *(const int *)at);
        break;
    }
    view_text_add(&answer, "]");
}

static void add_setting(const sn_field_info *field, const sn_settings *now) {
    static const char *const kinds[] = {
        [SN_FIELD_REAL] = "real",     [SN_FIELD_VEC3] = "vector", [SN_FIELD_SIDE] = "choice",
        [SN_FIELD_CHOICE] = "choice", [SN_FIELD_INT] = "integer", [SN_FIELD_BOOL] = "switch"};
    view_text_add(&answer, "{\"name\":\"%s\",\"kind\":\"%s\",\"unit\":", field->name,
                  kinds[field->kind]);
    view_text_add_string(&answer, field->unit);
    add_limit("least", field->least);
    add_limit("most", field->most);
    view_text_add(&answer, ",\"meaning\":");
    view_text_add_string(&answer, field->meaning);
    add_values(field, (const char *)now + field->offset);
    view_text_add(&answer, "}");
}

const char *view_settings(view *v) {
    const sn_object_info *list = list_settings();
    sn_settings now;
    view_text_begin(&answer);
    if (sn_world_get_settings(sn_scene_world(v->scene), &now) != SN_OK) return "[]";
    for (size_t i = 0; i < list->field_count; i++) {
        view_text_add(&answer, i ? "," : "[");
        add_setting(&list->fields[i], &now);
    }
    view_text_add(&answer, "]");
    return answer.data ? answer.data : "[]";
}

int view_set_setting(view *v, int number, double x, double y, double z) {
    const sn_object_info *list = list_settings();
    sn_world *world = sn_scene_world(v->scene);
    sn_settings next;
    if (number < 0 || (size_t)number >= list->field_count ||
        sn_world_get_settings(world, &next) != SN_OK)
        return 0;
    const sn_field_info *field = &list->fields[number];
    void *at = (char *)&next + field->offset;
    switch (field->kind) {
    case SN_FIELD_VEC3:
        *(sn_vec3 *)at = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
        break;
    case SN_FIELD_REAL:
        *(sn_real *)at = (sn_real)x;
        break;
    case SN_FIELD_BOOL:
        *(bool *)at = x != 0;
        break;
    default:
        *(int *)at = (int)x;
        break;
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
