/*
 * The JSON schema of scene files (draft 2020-12), from the tables. Every object of a table becomes
 * a definition; objects of several kinds become a list of alternatives, told apart by their key.
 */
#include "io/scene/scene_parts.h"
#include "io/scene/scene_words.h"
#include "io/scene/scene_writer.h"

#include <sinew_io/scene.h>

#include <stdlib.h>
#include <string.h>

/* Text inside quotes. */
static void write_text(scene_writer *w, const char *text) {
    sn_scene_write(w, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            sn_scene_write(w, "\\%c", *text);
        else
            sn_scene_write(w, "%c", *text);
    }
    sn_scene_write(w, "\"");
}

static const char number_or_text[] = "{\"$ref\": \"#/$defs/number\"}";

static void write_number(scene_writer *w, const scene_field *f, bool whole) {
    sn_scene_write(w, "\"anyOf\": [{\"type\": \"%s\"", whole ? "integer" : "number");
    if (f->least == SN_ABOVE_ZERO)
        sn_scene_write(w, ", \"exclusiveMinimum\": 0");
    else if (f->least > -(double)SN_REAL_MAX)
        sn_scene_write(w, ", \"minimum\": %.10g", f->least);
    if (f->most < (double)SN_REAL_MAX) sn_scene_write(w, ", \"maximum\": %.10g", f->most);
    sn_scene_write(w, "}, {\"$ref\": \"#/$defs/expression\"}%s%s]",
                   f->automatic ? ", {\"const\": \"auto\"}" : "",
                   f->changes ? ", {\"$ref\": \"#/$defs/curve\"}" : "");
}

static void write_choice(scene_writer *w, const scene_object *object, const scene_field *f) {
    const char *names = f->unit;
    sn_scene_write(w, "\"anyOf\": [{\"enum\": [");
    for (const char *word = names; word; word = strchr(word, '|')) {
        if (*word == '|') word++;
        sn_scene_write(w, "%s\"%.*s\"", word == names ? "" : ", ", (int)strcspn(word, "|"), word);
        word += strcspn(word, "|");
        if (!*word) break;
    }
    sn_scene_write(w, "]}");
    for (const scene_word *word = sn_scene_words; word->object; word++)
        if (word->key && strcmp(word->object, object->name) == 0 && strcmp(word->key, f->name) == 0)
            sn_scene_write(w, ", {\"const\": \"%s\", \"deprecated\": true}", word->old);
    sn_scene_write(w, ", {\"$ref\": \"#/$defs/expression\"}]");
}

/* What a value may be, without the braces around it. */
static void write_value(scene_writer *w, const scene_object *object, const scene_field *f) {
    const char *of = f->of ? f->of->name : "";
    switch (f->kind) {
    case SCENE_REAL:
        write_number(w, f, false);
        break;
    case SCENE_INT:
        write_number(w, f, true);
        break;
    case SCENE_BOOL:
        sn_scene_write(w,
                       "\"anyOf\": [{\"type\": \"boolean\"}, {\"$ref\": \"#/$defs/expression\"}]");
        break;
    case SCENE_CHOICE:
        write_choice(w, object, f);
        break;
    case SCENE_TEXT:
        sn_scene_write(w, "\"type\": \"string\"");
        break;
    case SCENE_VEC3:
    case SCENE_COUNTS:
        sn_scene_write(w, "\"anyOf\": [{\"$ref\": \"#/$defs/vector\"}%s%s]",
                       f->automatic ? ", {\"const\": \"auto\"}" : "",
                       f->changes ? ", {\"$ref\": \"#/$defs/vector_curve\"}" : "");
        break;
    case SCENE_ROTATION:
        sn_scene_write(w, "\"$ref\": \"#/$defs/rotation\"");
        break;
    case SCENE_OBJECT:
        sn_scene_write(w, "\"$ref\": \"#/$defs/%s\"", of);
        break;
    case SCENE_LIST:
        sn_scene_write(w, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/%s\"}", of);
        break;
    case SCENE_MAP:
        sn_scene_write(w, "\"type\": \"object\", \"properties\": {\"comment\": {}}, "
                          "\"additionalProperties\": ");
        if (!f->of)
            sn_scene_write(w, "{\"type\": \"object\"}");
        else if (f->plain)
            sn_scene_write(w,
                           "{\"anyOf\": [{\"type\": [\"number\", \"string\"]}, "
                           "{\"$ref\": \"#/$defs/%s\"}]}",
                           of);
        else
            sn_scene_write(w, "{\"$ref\": \"#/$defs/%s\"}", of);
        break;
    case SCENE_INDICES:
        sn_scene_write(w, "\"type\": \"array\", \"items\": %s", number_or_text);
        break;
    case SCENE_TRIANGLES:
    case SCENE_POINTS:
        sn_scene_write(w, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vector\"}");
        break;
    case SCENE_ROWS:
        sn_scene_write(w, "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": %s}",
                       number_or_text);
        break;
    case SCENE_NODES:
        sn_scene_write(w, "\"$ref\": \"#/$defs/nodes\"");
        break;
    case SCENE_PINS:
        sn_scene_write(w, "\"$ref\": \"#/$defs/pins\"");
        break;
    case SCENE_TEXTS:
        sn_scene_write(w, "\"type\": \"array\", \"items\": {\"type\": \"string\"}");
        break;
    case SCENE_NAME_OR:
        sn_scene_write(w, "\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/$defs/%s\"}]", of);
        break;
    case SCENE_PARAMETER:
        sn_scene_write(w, "\"type\": [\"number\", \"string\"]");
        break;
    }
}

/* What was called something else may be. */
static void write_old_words(scene_writer *w, const scene_object *object, const scene_field *f) {
    for (const scene_word *word = sn_scene_words; word->object; word++) {
        if (strcmp(word->object, object->name) != 0 || word->key) continue;
        if (strcmp(word->name, f->name) != 0) continue;
        sn_scene_write(w, ",\n        \"%s\": {", word->old);
        write_value(w, object, f);
        sn_scene_write(w, ", \"deprecated\": true, \"description\": \"the old word for %s\"}",
                       word->name);
    }
}

static void write_field(scene_writer *w, const scene_object *object, const scene_field *f) {
    bool unit = f->kind != SCENE_CHOICE && f->unit && *f->unit;
    sn_scene_write(w, ",\n        \"%s\": {", f->name);
    write_value(w, object, f);
    sn_scene_write(w, ", \"description\": ");
    scene_writer text = {0};
    sn_scene_write(&text, "%s%s%s%s%s%s", f->meaning, unit ? " [" : "", unit ? f->unit : "",
                   unit ? "]" : "", f->standard ? "; default " : "",
                   f->standard ? f->standard : "");
    char *description = sn_scene_writer_end(&text);
    write_text(w, description ? description : "");
    w->failed = w->failed || !description;
    free(description);
    sn_scene_write(w, "}");
    write_old_words(w, object, f);
}

static void write_required(scene_writer *w, const scene_object *object, const char *first,
                           const scene_object *more) {
    const char *separator = "";
    sn_scene_write(w, "\"required\": [");
    if (first) {
        sn_scene_write(w, "\"%s\"", first);
        separator = ", ";
    }
    for (int pass = 0; pass < 2; pass++) {
        const scene_object *from = pass == 0 ? object : more;
        for (size_t i = 0; from && i < from->count; i++)
            if (!from->fields[i].standard) {
                sn_scene_write(w, "%s\"%s\"", separator, from->fields[i].name);
                separator = ", ";
            }
    }
    sn_scene_write(w, "]");
}

/* The object itself, or one of its kinds, with the fields that all kinds have. */
static void write_object(scene_writer *w, const scene_object *object, const scene_object *variant) {
    const scene_object *named = variant ? variant : object;
    sn_scene_write(w, "{\"type\": \"object\", \"description\": ");
    write_text(w, named->meaning);
    sn_scene_write(w, ", \"additionalProperties\": false, ");
    write_required(w, object, variant ? object->variant_key : NULL, variant);
    sn_scene_write(w, ",\n      \"properties\": {\n        \"comment\": {}");
    if (variant)
        sn_scene_write(w, ",\n        \"%s\": {\"const\": \"%s\"}", object->variant_key,
                       variant->name);
    for (size_t i = 0; i < object->count; i++) write_field(w, object, &object->fields[i]);
    for (size_t i = 0; variant && i < variant->count; i++)
        write_field(w, variant, &variant->fields[i]);
    sn_scene_write(w, "}}");
}

static void write_definition(scene_writer *w, const scene_object *object) {
    sn_scene_write(w, ",\n    \"%s\": ", object->name);
    if (!object->variant_key) {
        write_object(w, object, NULL);
        return;
    }
    sn_scene_write(w, "{\"oneOf\": [");
    for (size_t i = 0; i < object->variant_count; i++) {
        sn_scene_write(w, "%s\n      ", i == 0 ? "" : ",");
        write_object(w, object, &object->variants[i]);
    }
    sn_scene_write(w, "]}");
}

static const char head[] =
    "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
    "  \"title\": \"Sinew scene\",\n  \"$ref\": \"#/$defs/scene\",\n  \"$defs\": {\n"
    "    \"expression\": {\"type\": \"string\", \"pattern\": \"^=\", \"description\": "
    "\"arithmetic with parameters, such as \\\"=2 * size\\\", and with the time t where values may "
    "change\"},\n"
    "    \"number\": {\"anyOf\": [{\"type\": \"number\"}, {\"$ref\": \"#/$defs/expression\"}]},\n"
    "    \"vector\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/number\"}, "
    "\"minItems\": 3, \"maxItems\": 3},\n"
    "    \"rotation\": {\"anyOf\": [\n"
    "      {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/number\"}, \"minItems\": 4, "
    "\"maxItems\": 4, \"description\": \"a quaternion, x y z w\"},\n"
    "      {\"type\": \"object\", \"required\": [\"axis\", \"angle\"], \"additionalProperties\": "
    "false, \"properties\": {\"comment\": {}, \"axis\": {\"$ref\": \"#/$defs/vector\"}, "
    "\"angle\": {\"$ref\": \"#/$defs/number\", \"description\": \"rad\"}}}]},\n"
    "    \"some nodes\": {\"anyOf\": [{\"type\": [\"string\", \"null\"]}, "
    "{\"$ref\": \"#/$defs/vertices\"}]},\n"
    "    \"nodes\": {\"anyOf\": [{\"$ref\": \"#/$defs/some nodes\"}, {\"type\": \"array\", "
    "\"items\": {\"$ref\": \"#/$defs/some nodes\"}}]},\n"
    "    \"some pins\": {\"anyOf\": [{\"type\": [\"string\", \"integer\"]}, "
    "{\"$ref\": \"#/$defs/vertices\"}]},\n"
    "    \"pins\": {\"anyOf\": [{\"$ref\": \"#/$defs/some pins\"}, {\"type\": \"array\", "
    "\"items\": {\"$ref\": \"#/$defs/some pins\"}}]}";

size_t sn_scene_object_list(const scene_tables *t, const scene_object *list[SCENE_OBJECTS]) {
    const scene_object *all[] = {&t->root,
                                 &sn_scene_parameter_object,
                                 &sn_scene_run_object,
                                 &t->settings,
                                 &t->material,
                                 &sn_scene_mesh_object,
                                 &sn_scene_outline_object,
                                 &t->body,
                                 &sn_scene_copies_object,
                                 &t->contact,
                                 &sn_scene_map_object,
                                 &sn_scene_weak_object,
                                 &sn_scene_children_object,
                                 &sn_scene_foam_object,
                                 &sn_scene_pick_object,
                                 &sn_scene_box_object,
                                 &sn_scene_ball_object,
                                 &t->node,
                                 &t->constraint,
                                 &t->collider,
                                 &sn_scene_animation_object,
                                 &t->surface,
                                 &sn_scene_ignore_object,
                                 &sn_scene_piece_object,
                                 &t->robot,
                                 &sn_scene_robot_joint_object,
                                 &t->damping_group,
                                 &t->crowd,
                                 &t->dough,
                                 &t->fluid,
                                 &t->air_mesh,
                                 &t->hierarchy,
                                 &t->shape_matching,
                                 &sn_scene_attachment_object,
                                 &sn_scene_seam_object,
                                 &t->animation_target,
                                 &sn_scene_force_object,
                                 &t->effector,
                                 &sn_scene_motion_object,
                                 &t->cut,
                                 &t->emitter,
                                 &t->drain,
                                 &t->diffusion,
                                 &t->source,
                                 &sn_scene_key_object,
                                 &sn_scene_curve_object,
                                 &sn_scene_curve_key_object,
                                 &sn_scene_vector_curve_object,
                                 &sn_scene_vector_key_object,
                                 &sn_scene_muscle_object,
                                 &sn_scene_pulse_object,
                                 &sn_scene_switch_object,
                                 &t->action,
                                 &sn_scene_change_object,
                                 &sn_scene_measure_object,
                                 &sn_scene_probe_object,
                                 &sn_scene_camera_object,
                                 &sn_scene_camera_key_object,
                                 &sn_scene_light_object,
                                 &sn_scene_ground_object,
                                 &sn_scene_period_object,
                                 &sn_scene_background_object};
    size_t count = sizeof all / sizeof all[0];
    memcpy(list, all, sizeof all);
    return count;
}

/* An object that the library does not know, by its list of fields. */
static void write_listed(scene_writer *w, const sn_object_info *info) {
    scene_field *fields = calloc(info->field_count + 1, sizeof *fields);
    char(*standards)[24] = calloc(info->field_count + 1, sizeof *standards);
    w->failed = w->failed || !fields || !standards;
    if (fields && standards) {
        size_t count = sn_scene_list_fields(info, fields, standards);
        scene_object object = {info->name, info->meaning, fields, count, NULL, NULL, 0};
        write_definition(w, &object);
    }
    free(fields);
    free(standards);
}

char *sn_scene_schema(void) {
    return sn_scene_schema_of(NULL);
}

char *sn_scene_schema_of(const sn_world *world) {
    const sn_object_info *info;
    scene_tables tables;
    scene_writer w = {0};
    const scene_object *list[SCENE_OBJECTS];
    if (sn_scene_tables_create(&tables) != SN_OK) return NULL;
    size_t count = sn_scene_object_list(&tables, list);
    sn_scene_write(&w, "%s", head);
    for (size_t i = 0; i < count; i++) write_definition(&w, list[i]);
    for (size_t i = 0; (info = sn_world_object_info(world, i)); i++)
        if (!sn_object_by_name(info->name)) write_listed(&w, info);
    sn_scene_write(&w, "}\n}\n");
    sn_scene_tables_free(&tables);
    return sn_scene_writer_end(&w);
}

void sn_scene_text_free(char *text) {
    free(text);
}
