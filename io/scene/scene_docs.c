/* The reference of the scene format and of the materials in Markdown, from the tables. */
#include "io/scene/scene_parts.h"
#include "io/scene/scene_words.h"
#include "io/scene/scene_writer.h"

#include <sinew_io/scene.h>

#include <stdlib.h>
#include <string.h>

/* What a value is, in words. */
static const char *kind_name(const scene_field *f) {
    static const char *const names[] = {[SCENE_REAL] = "number",
                                        [SCENE_INT] = "whole number",
                                        [SCENE_BOOL] = "true or false",
                                        [SCENE_CHOICE] = "",
                                        [SCENE_TEXT] = "text",
                                        [SCENE_VEC3] = "3 numbers",
                                        [SCENE_COUNTS] = "3 counts",
                                        [SCENE_ROTATION] = "rotation",
                                        [SCENE_OBJECT] = "object",
                                        [SCENE_LIST] = "list",
                                        [SCENE_MAP] = "by name",
                                        [SCENE_INDICES] = "whole numbers",
                                        [SCENE_TRIANGLES] = "triangles",
                                        [SCENE_POINTS] = "points",
                                        [SCENE_ROWS] = "rows of numbers",
                                        [SCENE_NODES] = "nodes",
                                        [SCENE_PINS] = "pins",
                                        [SCENE_TEXTS] = "texts",
                                        [SCENE_NAME_OR] = "name or object",
                                        [SCENE_PARAMETER] = "number or text"};
    return names[f->kind];
}

/* The names of a choice, with "or" instead of bars, which would end a cell of the table. */
static void write_choice(scene_writer *w, const char *names) {
    for (const char *word = names;;) {
        size_t length = strcspn(word, "|");
        sn_scene_write(w, "%s`%.*s`", word == names ? "" : ", ", (int)length, word);
        if (!word[length]) return;
        word += length + 1;
    }
}

/* Text of a cell, in which a bar would end it. */
static void write_cell(scene_writer *w, const char *text) {
    for (size_t length; *text; text += length) {
        length = strcspn(text, "|");
        sn_scene_write(w, "%.*s%s", (int)length, text, text[length] ? "\\|" : "");
        if (text[length]) length++;
    }
}

/* A link to the heading of an object, which is found with dashes for spaces. */
static void write_link(scene_writer *w, const char *name) {
    sn_scene_write(w, ": [%s](#", name);
    for (const char *c = name; *c; c++) sn_scene_write(w, "%c", *c == ' ' ? '-' : *c);
    sn_scene_write(w, ")");
}

static void write_row(scene_writer *w, const scene_field *f) {
    sn_scene_write(w, "| `%s` | ", f->name);
    if (f->kind == SCENE_CHOICE)
        write_choice(w, f->unit);
    else
        sn_scene_write(w, "%s%s", kind_name(f), f->automatic ? " or `\"auto\"`" : "");
    if (f->changes)
        sn_scene_write(w, f->kind == SCENE_VEC3 ? " or [vector_curve](#vector_curve)"
                                                : " or [curve](#curve)");
    if (f->of) write_link(w, f->of->name);
    bool unit = f->kind != SCENE_CHOICE && f->unit && *f->unit;
    sn_scene_write(w, " | %s | ", unit ? f->unit : "");
    if (f->standard)
        sn_scene_write(w, "`%s`", f->standard);
    else
        sn_scene_write(w, "required");
    sn_scene_write(w, " | ");
    write_cell(w, f->meaning);
    sn_scene_write(w, " |\n");
}

static void write_table(scene_writer *w, const scene_object *object) {
    if (object->count == 0) return;
    sn_scene_write(w, "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < object->count; i++) write_row(w, &object->fields[i]);
    sn_scene_write(w, "\n");
}

static void write_object(scene_writer *w, const scene_object *object) {
    sn_scene_write(w, "### %s\n\n%c%s.\n\n", object->name, object->meaning[0] - 'a' + 'A',
                   object->meaning + 1);
    if (object->variant_key) sn_scene_write(w, "`%s` says which:\n\n", object->variant_key);
    write_table(w, object);
    for (size_t i = 0; i < object->variant_count; i++) {
        sn_scene_write(w, "**`\"%s\": \"%s\"`**: %s.\n\n", object->variant_key,
                       object->variants[i].name, object->variants[i].meaning);
        write_table(w, &object->variants[i]);
    }
}

/* What files may still say. */
static void write_old_words(scene_writer *w) {
    sn_scene_write(w, "### Old words\n\nStill read, with a note in the log.\n\n"
                      "| object | old | now |\n|---|---|---|\n");
    for (const scene_word *word = sn_scene_words; word->object; word++)
        sn_scene_write(w, "| %s%s%s | `%s` | `%s` |\n", word->object,
                       word->key ? ", value of " : "", word->key ? word->key : "", word->old,
                       word->name);
    sn_scene_write(w, "\n");
}

char *sn_scene_documentation(void) {
    scene_tables tables;
    scene_writer w = {0};
    const scene_object *list[SCENE_OBJECTS];
    if (sn_scene_tables_create(&tables) != SN_OK) return NULL;
    size_t count = sn_scene_object_list(&tables, list);
    for (size_t i = 0; i < count; i++) write_object(&w, list[i]);
    write_old_words(&w);
    sn_scene_tables_free(&tables);
    return sn_scene_writer_end(&w);
}

/* ---- Materials ---- */

/* What a material is known by: told even where it is the default. */
static bool is_constant(const char *name) {
    static const char *const names[] = {"density", "area_density", "young", "poisson"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static void write_preset(scene_writer *w, const sn_preset_info *preset) {
    const sn_kind_info *kind = sn_kind_get_info(preset->kind);
    scene_bytes material, standard;
    (void)sn_preset_get(preset->kind, preset->name, material.bytes);
    (void)sn_kind_default(preset->kind, standard.bytes);
    sn_scene_write(w, "| `%s` | %s | ", preset->name, preset->meaning);
    const char *separator = "";
    for (size_t i = 0; i < kind->field_count; i++) {
        const sn_field_info *f = &kind->fields[i];
        sn_real value;
        if (f->kind != SN_FIELD_REAL) continue;
        memcpy(&value, material.bytes + f->offset, sizeof value);
        bool usual = memcmp(&value, standard.bytes + f->offset, sizeof value) == 0;
        if (value == SN_AUTO || (usual && !is_constant(f->name))) continue;
        sn_scene_write(w, "%s%s %g", separator, f->name, (double)value);
        if (strcmp(f->unit, "1") != 0) sn_scene_write(w, " %s", f->unit);
        separator = ", ";
    }
    sn_scene_write(w, " | %s |\n", preset->source);
}

char *sn_scene_material_documentation(void) {
    scene_writer w = {0};
    for (int k = 0; k < SN_KIND_COUNT; k++) {
        const sn_kind_info *kind = sn_kind_get_info((sn_kind)k);
        const sn_preset_info *preset;
        size_t count = 0;
        for (size_t i = 0; (preset = sn_preset_at(i)); i++) count += preset->kind == (sn_kind)k;
        if (count == 0) continue;
        sn_scene_write(&w, "### %s\n\n%c%s.\n\n", kind->name, kind->meaning[0] - 'a' + 'A',
                       kind->meaning + 1);
        sn_scene_write(&w, "| preset | what | numbers | source |\n|---|---|---|---|\n");
        for (size_t i = 0; (preset = sn_preset_at(i)); i++)
            if (preset->kind == (sn_kind)k) write_preset(&w, preset);
        sn_scene_write(&w, "\n");
    }
    return sn_scene_writer_end(&w);
}
