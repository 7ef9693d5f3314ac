/*
 * The JSON schema of scene files (draft 2020-12), from the tables. Every object of a table becomes
 * a definition; objects of several kinds become a list of alternatives, told apart by their key.
 */
#include "io/scene/scene_parts.h"
#include "io/scene/scene_writer.h"

#include <sinew_io/scene.h>

#include <stdlib.h>
#include <string.h>

/* Text inside quotes. */
static void write_text(scene_writer *w, const char *text) {
    scene_write(w, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            scene_write(w, "\\%c", *text);
        else
            scene_write(w, "%c", *text);
    }
    scene_write(w, "\"");
}

static const char number_or_text[] = "{\"$ref\": \"#/$defs/number\"}";

static void write_number(scene_writer *w, const scene_field *f, bool whole) {
    scene_write(w, "\"anyOf\": [{\"type\": \"%s\"", whole ? "integer" : "number");
    if (f->least > -(double)SN_REAL_MAX) scene_write(w, ", \"minimum\": %.10g", f->least);
    if (f->most < (double)SN_REAL_MAX) scene_write(w, ", \"maximum\": %.10g", f->most);
    scene_write(w, "}, {\"$ref\": \"#/$defs/expression\"}%s]",
                f->automatic ? ", {\"const\": \"auto\"}" : "");
}

static void write_choice(scene_writer *w, const char *names) {
    scene_write(w, "\"anyOf\": [{\"enum\": [");
    for (const char *word = names; word; word = strchr(word, '|')) {
        if (*word == '|') word++;
        scene_write(w, "%s\"%.*s\"", word == names ? "" : ", ", (int)strcspn(word, "|"), word);
        word += strcspn(word, "|");
        if (!*word) break;
    }
    scene_write(w, "]}, {\"$ref\": \"#/$defs/expression\"}]");
}

/* What a value may be, without the braces around it. */
static void write_value(scene_writer *w, const scene_field *f) {
    const char *of = f->of ? f->of->name : "";
    switch (f->kind) {
    case SCENE_REAL:
        write_number(w, f, false);
        break;
    case SCENE_INT:
        write_number(w, f, true);
        break;
    case SCENE_BOOL:
        scene_write(w, "\"anyOf\": [{\"type\": \"boolean\"}, {\"$ref\": \"#/$defs/expression\"}]");
        break;
    case SCENE_CHOICE:
        write_choice(w, f->unit);
        break;
    case SCENE_TEXT:
        scene_write(w, "\"type\": \"string\"");
        break;
    case SCENE_VEC3:
    case SCENE_COUNTS:
        scene_write(w, "\"anyOf\": [{\"$ref\": \"#/$defs/vector\"}%s]",
                    f->automatic ? ", {\"const\": \"auto\"}" : "");
        break;
    case SCENE_ROTATION:
        scene_write(w, "\"$ref\": \"#/$defs/rotation\"");
        break;
    case SCENE_OBJECT:
        scene_write(w, "\"$ref\": \"#/$defs/%s\"", of);
        break;
    case SCENE_LIST:
        scene_write(w, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/%s\"}", of);
        break;
    case SCENE_MAP:
        scene_write(w, "\"type\": \"object\", \"properties\": {\"comment\": {}}, "
                       "\"additionalProperties\": ");
        if (!f->of)
            scene_write(w, "{\"type\": \"object\"}");
        else if (f->plain)
            scene_write(w,
                        "{\"anyOf\": [{\"type\": [\"number\", \"string\"]}, "
                        "{\"$ref\": \"#/$defs/%s\"}]}",
                        of);
        else
            scene_write(w, "{\"$ref\": \"#/$defs/%s\"}", of);
        break;
    case SCENE_INDICES:
        scene_write(w, "\"type\": \"array\", \"items\": %s", number_or_text);
        break;
    case SCENE_TRIANGLES:
    case SCENE_POINTS:
        scene_write(w, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vector\"}");
        break;
    case SCENE_ROWS:
        scene_write(w, "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": %s}",
                    number_or_text);
        break;
    case SCENE_NODES:
        scene_write(w, "\"$ref\": \"#/$defs/nodes\"");
        break;
    case SCENE_PINS:
        scene_write(w, "\"$ref\": \"#/$defs/pins\"");
        break;
    case SCENE_TEXTS:
        scene_write(w, "\"type\": \"array\", \"items\": {\"type\": \"string\"}");
        break;
    case SCENE_NAME_OR:
        scene_write(w, "\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/$defs/%s\"}]", of);
        break;
    case SCENE_PARAMETER:
        scene_write(w, "\"type\": [\"number\", \"string\"]");
        break;
    }
}

static void write_field(scene_writer *w, const scene_field *f) {
    bool unit = f->kind != SCENE_CHOICE && f->unit && *f->unit;
    scene_write(w, ",\n        \"%s\": {", f->name);
    write_value(w, f);
    scene_write(w, ", \"description\": ");
    scene_writer text = {0};
    scene_write(&text, "%s%s%s%s%s%s", f->meaning, unit ? " [" : "", unit ? f->unit : "",
                unit ? "]" : "", f->standard ? "; default " : "", f->standard ? f->standard : "");
    char *description = scene_writer_end(&text);
    write_text(w, description ? description : "");
    w->failed = w->failed || !description;
    free(description);
    scene_write(w, "}");
}

static void write_required(scene_writer *w, const scene_object *object, const char *first,
                           const scene_object *more) {
    const char *separator = "";
    scene_write(w, "\"required\": [");
    if (first) {
        scene_write(w, "\"%s\"", first);
        separator = ", ";
    }
    for (int pass = 0; pass < 2; pass++) {
        const scene_object *from = pass == 0 ? object : more;
        for (size_t i = 0; from && i < from->count; i++)
            if (!from->fields[i].standard) {
                scene_write(w, "%s\"%s\"", separator, from->fields[i].name);
                separator = ", ";
            }
    }
    scene_write(w, "]");
}

/* The object itself, or one of its kinds, with the fields that all kinds have. */
static void write_object(scene_writer *w, const scene_object *object, const scene_object *variant) {
    const scene_object *named = variant ? variant : object;
    scene_write(w, "{\"type\": \"object\", \"description\": ");
    write_text(w, named->meaning);
    scene_write(w, ", \"additionalProperties\": false, ");
    write_required(w, object, variant ? object->variant_key : NULL, variant);
    scene_write(w, ",\n      \"properties\": {\n        \"comment\": {}");
    if (variant)
        scene_write(w, ",\n        \"%s\": {\"const\": \"%s\"}", object->variant_key,
                    variant->name);
    for (size_t i = 0; i < object->count; i++) write_field(w, &object->fields[i]);
    for (size_t i = 0; variant && i < variant->count; i++) write_field(w, &variant->fields[i]);
    scene_write(w, "}}");
}

static void write_definition(scene_writer *w, const scene_object *object) {
    scene_write(w, ",\n    \"%s\": ", object->name);
    if (!object->variant_key) {
        write_object(w, object, NULL);
        return;
    }
    scene_write(w, "{\"oneOf\": [");
    for (size_t i = 0; i < object->variant_count; i++) {
        scene_write(w, "%s\n      ", i == 0 ? "" : ",");
        write_object(w, object, &object->variants[i]);
    }
    scene_write(w, "]}");
}

static const char head[] =
    "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
    "  \"title\": \"Sinew scene\",\n  \"$ref\": \"#/$defs/scene\",\n  \"$defs\": {\n"
    "    \"expression\": {\"type\": \"string\", \"pattern\": \"^=\", \"description\": "
    "\"arithmetic with parameters, such as \\\"=2 * size\\\"\"},\n"
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

size_t scene_object_list(const scene_tables *t, const scene_object *list[SCENE_OBJECTS]) {
    const scene_object *all[] = {&t->root,
                                 &scene_parameter_object,
                                 &scene_run_object,
                                 &scene_settings_object,
                                 &t->material,
                                 &scene_mesh_object,
                                 &t->body,
                                 &scene_copies_object,
                                 &scene_contact_object,
                                 &scene_map_object,
                                 &scene_weak_object,
                                 &scene_pick_object,
                                 &scene_box_object,
                                 &scene_ball_object,
                                 &scene_node_object,
                                 &t->constraint,
                                 &scene_collider_object,
                                 &scene_surface_object,
                                 &scene_ignore_object,
                                 &scene_piece_object,
                                 &scene_cluster_object,
                                 &scene_hierarchy_object,
                                 &scene_matching_object,
                                 &scene_attachment_object,
                                 &scene_seam_object,
                                 &scene_follower_object,
                                 &scene_force_object,
                                 &scene_motion_object,
                                 &scene_cut_object,
                                 &scene_key_object,
                                 &scene_muscle_object,
                                 &scene_pulse_object,
                                 &scene_switch_object,
                                 &scene_action_object,
                                 &scene_change_object,
                                 &scene_measure_object,
                                 &scene_probe_object,
                                 &scene_camera_object};
    size_t count = sizeof all / sizeof all[0];
    memcpy(list, all, sizeof all);
    return count;
}

char *sn_scene_schema(void) {
    scene_tables tables;
    scene_writer w = {0};
    const scene_object *list[SCENE_OBJECTS];
    if (scene_tables_create(&tables) != SN_OK) return NULL;
    size_t count = scene_object_list(&tables, list);
    scene_write(&w, "%s", head);
    for (size_t i = 0; i < count; i++) write_definition(&w, list[i]);
    scene_write(&w, "}\n}\n");
    scene_tables_free(&tables);
    return scene_writer_end(&w);
}

void sn_scene_text_free(char *text) {
    free(text);
}
