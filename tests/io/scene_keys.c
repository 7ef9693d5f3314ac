/*
 * Every key of every object of the tables: it is accepted with a value that suits it, as a number,
 * a choice or a text also by way of a parameter, and refused with one that does not; the schema and
 * the documentation have it. Whatever is added to the tables is tested here without being named.
 */
#include <sinew_io/scene.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "io/scene/scene_parts.h"
#include "io/scene/scene_words.h"

enum { TEXT = 8192, DEEP = 4 };

typedef struct text {
    char at[TEXT];
    size_t used;
} text;

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(t->at + t->used, TEXT - t->used, format, arguments);
    va_end(arguments);
    if (length > 0 && t->used + (size_t)length < TEXT) t->used += (size_t)length;
}

/* How a value is written: itself, by way of parameters, as "auto", the other form of what has two,
   or wrong. */
typedef enum manner { PLAIN, BY_PARAMETER, AUTOMATIC, OTHERWISE, WRONG } manner;

/* ---- Values ---- */

static double number_for(const scene_field *f) {
    if (f->least <= 1 && f->most >= 1) return 1;
    return f->least > 1 ? f->least : f->most;
}

static void put_required(text *t, const scene_object *object, const scene_object *variant,
                         int deep);

static void put_object(text *t, const scene_object *object, int deep) {
    const scene_object *variant = object->variant_count > 0 ? &object->variants[0] : NULL;
    put(t, "{");
    put_required(t, object, variant, deep);
    put(t, "}");
}

static void put_number(text *t, const scene_field *f, manner m) {
    if (m == BY_PARAMETER)
        put(t, "\"=number\"");
    else
        put(t, "%.12g", number_for(f));
}

static void put_choice(text *t, const scene_field *f, manner m) {
    const char *last = strrchr(f->unit, '|');
    if (m == BY_PARAMETER)
        put(t, "\"=choice\"");
    else if (m == OTHERWISE)
        put(t, "\"%s\"", last ? last + 1 : f->unit);
    else
        put(t, "\"%.*s\"", (int)strcspn(f->unit, "|"), f->unit);
}

static void put_value(text *t, const scene_field *f, manner m, int deep) {
    const char *word = m == BY_PARAMETER ? "\"=text\"" : "\"a\"";
    if (m == WRONG) {
        /* No value may be this. */
        put(t, "{\"wrong\": null}");
        return;
    }
    if (m == AUTOMATIC && f->automatic) {
        put(t, "\"auto\"");
        return;
    }
    switch (f->kind) {
    case SCENE_REAL:
    case SCENE_INT:
    case SCENE_PARAMETER:
        put_number(t, f, m);
        break;
    case SCENE_BOOL:
        put(t, "%s", m == BY_PARAMETER ? "\"=number\"" : "true");
        break;
    case SCENE_CHOICE:
        put_choice(t, f, m);
        break;
    case SCENE_TEXT:
    case SCENE_NODES:
        put(t, "%s", word);
        break;
    case SCENE_VEC3:
    case SCENE_COUNTS:
        for (int i = 0; i < 3; i++) {
            put(t, "%s", i == 0 ? "[" : ", ");
            put_number(t, f, m);
        }
        put(t, "]");
        break;
    case SCENE_ROTATION:
        put(t, "%s", m == OTHERWISE ? "{\"axis\": [0, 1, 0], \"angle\": 1}" : "[0, 0, 0, 1]");
        break;
    case SCENE_OBJECT:
        put_object(t, f->of, deep + 1);
        break;
    case SCENE_LIST:
    case SCENE_MAP:
        put(t, "%s", f->kind == SCENE_LIST ? "[" : "{");
        if (f->of && deep < DEEP) {
            put(t, "%s", f->kind == SCENE_LIST ? "" : "\"a\": ");
            put_object(t, f->of, deep + 1);
        }
        put(t, "%s", f->kind == SCENE_LIST ? "]" : "}");
        break;
    case SCENE_INDICES:
    case SCENE_PINS:
        put(t, "[0, 1, \"=number\"]");
        break;
    case SCENE_TRIANGLES:
    case SCENE_POINTS:
    case SCENE_ROWS:
        put(t, "[[0, 1, 2], [0, 2, \"=number\"]]");
        break;
    case SCENE_TEXTS:
        put(t, "[%s]", word);
        break;
    case SCENE_NAME_OR:
        if (m == OTHERWISE)
            put_object(t, f->of, deep + 1);
        else
            put(t, "%s", word);
        break;
    }
}

/* The keys that must be there, but for one that is put by itself. */
static void put_required_but(text *t, const scene_object *object, const scene_object *variant,
                             const scene_field *but, int deep) {
    const char *separator = "";
    if (variant) {
        put(t, "\"%s\": \"%s\"", object->variant_key, variant->name);
        separator = ", ";
    }
    for (int pass = 0; pass < 2; pass++) {
        const scene_object *from = pass == 0 ? object : variant;
        for (size_t i = 0; from && i < from->count; i++) {
            const scene_field *f = &from->fields[i];
            bool apart = but && strcmp(but->name, f->name) == 0;
            if (f->standard || apart) continue;
            put(t, "%s\"%s\": ", separator, f->name);
            put_value(t, f, PLAIN, deep);
            separator = ", ";
        }
    }
    if (but) put(t, "%s\"comment\": [], ", separator);
}

static void put_required(text *t, const scene_object *object, const scene_object *variant,
                         int deep) {
    put_required_but(t, object, variant, NULL, deep);
}

/* ---- Reading ---- */

/* Reads one object as a scene would, once to check and once into memory. */
static sn_result read_text(const text *t, const scene_object *object, const scene_field *f) {
    char word[64] = "a";
    if (f->kind == SCENE_CHOICE)
        snprintf(word, sizeof word, "%.*s", (int)strcspn(f->unit, "|"), f->unit);
    scene_parameter parameters[] = {{.name = "number", .number = number_for(f)},
                                    {.name = "text", .text = "a"},
                                    {.name = "choice", .text = word}};
    scene_file file = {.path = (char *)"keys.json", .folder = (char *)"."};
    scene_reader reader = {
        .files = &file, .file_count = 1, .parameters = parameters, .parameter_count = 3};
    sn_result result = sn_json_parse("keys.json", t->at, t->used, &file.document);
    if (result != SN_OK) return result;
    static union {
        max_align_t align;
        unsigned char bytes[4096];
    } target;
    result = sn_scene_read(&reader, file.document.root, object, NULL);
    if (result == SN_OK) result = sn_scene_read(&reader, file.document.root, object, &target);
    sn_json_free(&file.document);
    return result;
}

static void try_field(const scene_object *object, const scene_object *variant, const scene_field *f,
                      manner m) {
    static const char *const names[] = {"plain", "by a parameter", "auto", "otherwise", "wrong"};
    text t = {.used = 0};
    check_case("%s %s %s, %s", object->name, variant ? variant->name : "", f->name, names[m]);
    put(&t, "{");
    put_required_but(&t, object, variant, f, 0);
    put(&t, "\"%s\": ", f->name);
    put_value(&t, f, m, 0);
    put(&t, "}");
    const sn_result result = read_text(&t, object, f);
    if (m == WRONG) CHECK_FAILS(result, SN_ERROR_DATA);
    /* Beside which others a key means something is looked at in scene_meaning.c. */
    else if (result != SN_OK && strstr(sn_last_error(), ": means nothing "))
        return;
    else if (!CHECK_OK(result))
        printf("      %s\n", t.at);
}

/* Nodes and pins are looked at when the bodies are there. */
static bool is_checked_later(const scene_field *f) {
    return f->kind == SCENE_NODES || f->kind == SCENE_PINS || (f->kind == SCENE_MAP && !f->of);
}

typedef void visitor(const scene_object *object, const scene_object *variant,
                     const scene_field *field);

static void visit_all(visitor *visit) {
    scene_tables tables;
    const scene_object *list[SCENE_OBJECTS];
    REQUIRE_OK(sn_scene_tables_create(&tables));
    size_t count = sn_scene_object_list(&tables, list);
    CHECK(count > 15 && count <= SCENE_OBJECTS);
    for (size_t i = 0; i < count; i++) {
        const scene_object *o = list[i];
        for (size_t v = 0; v < (o->variant_count ? o->variant_count : 1); v++) {
            const scene_object *variant = o->variant_count ? &o->variants[v] : NULL;
            for (size_t k = 0; k < o->count; k++) visit(o, variant, &o->fields[k]);
            for (size_t k = 0; variant && k < variant->count; k++)
                visit(o, variant, &variant->fields[k]);
        }
    }
    sn_scene_tables_free(&tables);
}

static void accept(const scene_object *object, const scene_object *variant,
                   const scene_field *field) {
    for (int m = PLAIN; m <= OTHERWISE; m++) try_field(object, variant, field, (manner)m);
    if (!is_checked_later(field)) try_field(object, variant, field, WRONG);
}

TEST(every_key_is_accepted) {
    visit_all(accept);
}

/* ---- The schema and the documentation ---- */

static struct {
    json_document schema;
    char *documentation;
} made;

/* The definition of an object in the schema, or of one of its kinds. */
static const json_node *definition_of(const scene_object *object, const scene_object *variant) {
    const json_node *d = sn_json_member(sn_json_member(made.schema.root, "$defs"), object->name);
    if (!variant) return d;
    const json_node *list = sn_json_member(d, "oneOf");
    for (size_t i = 0; list && i < list->count; i++) {
        const json_node *properties = sn_json_member(&list->items[i], "properties");
        const json_node *key =
            sn_json_member(sn_json_member(properties, object->variant_key), "const");
        if (key && strcmp(key->text, variant->name) == 0) return &list->items[i];
    }
    return NULL;
}

static bool is_in(const json_node *list, const char *name) {
    for (size_t i = 0; list && i < list->count; i++)
        if (strcmp(list->items[i].text, name) == 0) return true;
    return false;
}

static void look_up(const scene_object *object, const scene_object *variant,
                    const scene_field *field) {
    check_case("%s %s %s", object->name, variant ? variant->name : "", field->name);
    const json_node *definition = definition_of(object, variant);
    const json_node *property =
        sn_json_member(sn_json_member(definition, "properties"), field->name);
    if (!CHECK(property)) return;
    const json_node *description = sn_json_member(property, "description");
    CHECK(description && strstr(description->text, field->meaning));
    CHECK(is_in(sn_json_member(definition, "required"), field->name) == !field->standard);
    char row[200];
    snprintf(row, sizeof row, "| `%s` |", field->name);
    CHECK(strstr(made.documentation, row));
}

/* The schema has no keys that the tables and the list of old words have not. */
static void count_keys(const scene_object *object, const scene_object *variant,
                       const scene_field *field) {
    if (field != object->fields && !(variant && field == variant->fields)) return;
    const json_node *definition = definition_of(object, variant);
    const json_node *properties = sn_json_member(definition, "properties");
    size_t expected = object->count + 1 + (variant ? variant->count + 1 : 0);
    for (const scene_word *word = sn_scene_words; word->object; word++)
        expected += !word->key && strcmp(word->object, object->name) == 0;
    check_case("%s %s", object->name, variant ? variant->name : "");
    CHECK(properties && properties->count == expected);
}

TEST(the_schema_and_the_documentation_have_every_key) {
    char *schema = sn_scene_schema();
    made.documentation = sn_scene_documentation();
    if (!CHECK(schema && made.documentation)) return;
    REQUIRE_OK(sn_json_parse("schema", schema, strlen(schema), &made.schema));
    visit_all(look_up);
    visit_all(count_keys);
    sn_json_free(&made.schema);
    sn_scene_text_free(schema);
    sn_scene_text_free(made.documentation);
}

TEST(the_documentation_of_materials_has_every_preset) {
    char *page = sn_scene_material_documentation();
    const sn_preset_info *preset;
    if (!CHECK(page)) return;
    for (size_t i = 0; (preset = sn_preset_at(i)); i++) {
        char row[300];
        check_case("%s", preset->name);
        snprintf(row, sizeof row, "| `%s` | %s |", preset->name, preset->meaning);
        CHECK(strstr(page, row) && strstr(page, preset->source));
    }
    sn_scene_text_free(page);
}

TESTS(RUN(every_key_is_accepted), RUN(the_schema_and_the_documentation_have_every_key),
      RUN(the_documentation_of_materials_has_every_preset))
