#include "io/scene/scene_fields.h"

#include "io/text/expression.h"

#include <sinew/support.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 160, WHAT_SIZE = 320 };

/* ---- Complaints ---- */

static const scene_file *file_of(const scene_reader *r, const json_node *node) {
    while (node->parent) node = node->parent;
    for (size_t i = 0; i < r->file_count; i++)
        if (r->files[i].document.root == node) return &r->files[i];
    for (const scene_file *file = r->open; file; file = file->outer)
        if (file->document.root == node) return file;
    return NULL;
}

const char *sn_scene_folder_of(const scene_reader *r, const json_node *node) {
    const scene_file *file = file_of(r, node);
    return file ? file->folder : ".";
}

static uint64_t hash_of(const char *text) {
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

sn_result sn_scene_say(scene_reader *r, const char *sentence) {
    uint64_t hash = hash_of(sentence);
    r->repeated++;
    for (size_t i = 0; i < r->complaints; i++)
        if (r->said[i] == hash) return SN_ERROR_DATA;
    if (r->complaints == SCENE_COMPLAINTS) return SN_ERROR_DATA;
    /* As it is kept it has no control characters of the file in it. */
    char plain[SCENE_SENTENCE];
    snprintf(plain, sizeof plain, "%s", sentence);
    (void)sn_fail(SN_ERROR_DATA, "%s", plain);
    snprintf(plain, sizeof plain, "%s", sn_last_error());
    if (r->complaints == 0) snprintf(r->first, sizeof r->first, "%s", plain);
    r->said[r->complaints++] = hash;
    if (r->complaint) r->complaint(r->user, plain);
    return sn_fail(SN_ERROR_DATA, "%s", plain);
}

void sn_scene_locate(const scene_reader *r, const json_node *node, char sentence[SCENE_SENTENCE],
                     const char *format, va_list arguments) {
    char path[PATH_SIZE], what[WHAT_SIZE];
    const scene_file *file = file_of(r, node);
    vsnprintf(what, sizeof what, format, arguments);
    snprintf(sentence, SCENE_SENTENCE, "%s:%u:%u: %s: %s", file ? file->path : "scene", node->line,
             node->column, sn_json_path(node, path, sizeof path), what);
}

sn_result sn_scene_complain(scene_reader *r, const json_node *node, const char *format, ...) {
    char sentence[SCENE_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    sn_scene_locate(r, node, sentence, format, arguments);
    va_end(arguments);
    return sn_scene_say(r, sentence);
}

sn_result sn_scene_complain_within(scene_reader *r, const json_node *node) {
    char inner[WHAT_SIZE];
    snprintf(inner, sizeof inner, "%s", sn_last_error());
    return sn_scene_complain(r, node, "%s", inner);
}

static sn_result expected(scene_reader *r, const json_node *node, const char *what) {
    return sn_scene_complain(r, node, "is %s, expected %s", sn_json_kind_name(node->kind), what);
}

/* ---- Plain values ---- */

static const scene_parameter *find_parameter(const scene_reader *r, const char *name) {
    for (size_t i = 0; i < r->parameter_count; i++)
        if (strcmp(r->parameters[i].name, name) == 0) return &r->parameters[i];
    return NULL;
}

/* What an expression asks for: the values of parameters, and a guess where there is none. */
typedef struct question {
    const scene_reader *reader;
    sn_suggestion guess;
    const char *text;  /* the name of a parameter that is a string */
    bool broken;       /* a parameter is */
    bool timed;        /* it names the time */
    const sn_vec3 *at; /* what x, y and z are; null where they are nothing */
} question;

static bool look_up(void *user, const char *name, double *value) {
    question *q = user;
    if (q->at && name[0] >= 'x' && name[0] <= 'z' && name[1] == 0) {
        *value = (double)(name[0] == 'x' ? q->at->x : name[0] == 'y' ? q->at->y : q->at->z);
        return true;
    }
    const scene_parameter *parameter = find_parameter(q->reader, name);
    if (!parameter && strcmp(name, "t") == 0) {
        *value = q->reader->time;
        q->timed = true;
        return true;
    }
    if (!parameter || parameter->text) {
        for (size_t i = 0; !parameter && i < q->reader->parameter_count; i++)
            if (!q->reader->parameters[i].text)
                sn_suggest(&q->guess, name, q->reader->parameters[i].name);
        if (parameter && !q->text) q->text = parameter->name;
        return false;
    }
    q->broken = q->broken || parameter->broken;
    *value = parameter->number;
    return true;
}

sn_result sn_scene_read_number_at(scene_reader *r, const json_node *node, const sn_vec3 *at,
                                  double *value) {
    *value = node->kind == JSON_NUMBER ? node->number : 0;
    if (node->kind == JSON_NUMBER) return SN_OK;
    if (node->kind != JSON_STRING || node->text[0] != '=')
        return expected(r, node, "a number or an expression such as \"=2 * size\"");
    char problem[256];
    question q = {.reader = r, .at = at};
    bool good = sn_expression_evaluate(node->text + 1, look_up, &q, value, problem, sizeof problem);
    if (q.broken) return SN_ERROR_DATA;
    if (q.timed && !r->changing)
        return sn_scene_complain(r, node,
                                 "depends on the time t, and cannot change while the scene runs");
    r->timed = r->timed || q.timed;
    if (good) return SN_OK;
    if (q.timed) return sn_scene_complain(r, node, "%s, when t is %g s", problem, r->time);
    if (q.text)
        return sn_scene_complain(r, node, "the parameter \"%.64s\" is a string, expected a number",
                                 q.text);
    if (q.guess.word)
        return sn_scene_complain(r, node, "%s; did you mean \"%s\"?", problem, q.guess.word);
    return sn_scene_complain(r, node, "%s", problem);
}

sn_result sn_scene_read_number(scene_reader *r, const json_node *node, double *value) {
    return sn_scene_read_number_at(r, node, NULL, value);
}

sn_result sn_scene_check_range(scene_reader *r, const json_node *node, const scene_field *f,
                               double value) {
    bool counted = !f->unit || strcmp(f->unit, "1") == 0;
    const char *unit = counted ? "" : f->unit, *space = *unit ? " " : "";
    char when[48] = "";
    if (value >= f->least && value <= f->most) return SN_OK;
    if (r->timed) snprintf(when, sizeof when, " when t is %g s", r->time);
    if (value < f->least && f->least == SN_ABOVE_ZERO)
        return sn_scene_complain(r, node, "is %g%s, expected above 0%s%s", value, when, space,
                                 unit);
    if (value < f->least && f->most >= (double)SN_REAL_MAX)
        return sn_scene_complain(r, node, "is %g%s, expected at least %g%s%s", value, when,
                                 f->least, space, unit);
    if (value > f->most && f->most >= (double)SN_REAL_MAX)
        return sn_scene_complain(r, node, "is %g%s, expected at most %g%s%s", value, when, f->most,
                                 space, unit);
    return sn_scene_complain(r, node, "is %g%s, expected %g to %g%s%s", value, when, f->least,
                             f->most, space, unit);
}

/* What is given by keys where values may change; elsewhere an object is no number. */
static bool is_curve(const json_node *node, const scene_field *f) {
    return node->kind == JSON_OBJECT && f->changes;
}

static bool is_automatic(const json_node *node, const scene_field *f) {
    return f->automatic && node->kind == JSON_STRING && strcmp(node->text, "auto") == 0;
}

static sn_result read_real(scene_reader *r, const json_node *node, const scene_field *f,
                           void *target) {
    double value = (double)SN_AUTO;
    if (is_curve(node, f)) {
        SN_TRY(sn_scene_read_curve(r, node, f, 1, &value));
    } else if (!is_automatic(node, f)) {
        SN_TRY(sn_scene_read_number(r, node, &value));
        SN_TRY(sn_scene_check_range(r, node, f, value));
    }
    if (target) *(sn_real *)target = (sn_real)value;
    return SN_OK;
}

sn_result sn_scene_read_index(scene_reader *r, const json_node *node, double least, double most,
                              size_t *value) {
    double number;
    SN_TRY(sn_scene_read_number(r, node, &number));
    if (number != floor(number) || number < least || number > most)
        return sn_scene_complain(r, node, "is %.12g, expected a whole number from %.12g to %.12g",
                                 number, least, most);
    *value = (size_t)number;
    return SN_OK;
}

static sn_result read_int(scene_reader *r, const json_node *node, const scene_field *f,
                          void *target) {
    double number;
    if (is_automatic(node, f)) {
        if (target) *(int *)target = SCENE_INT_AUTO;
        return SN_OK;
    }
    SN_TRY(sn_scene_read_number(r, node, &number));
    if (number != f->least && f->least == f->most)
        return sn_scene_complain(r, node, "is %.12g, expected %.12g", number, f->least);
    if (number != floor(number) || number < f->least || number > f->most)
        return sn_scene_complain(r, node, "is %.12g, expected a whole number from %.12g to %.12g",
                                 number, f->least, f->most);
    if (target) *(int *)target = (int)number;
    return SN_OK;
}

static sn_result read_bool(scene_reader *r, const json_node *node, void *target) {
    double number;
    if (node->kind == JSON_STRING && node->text[0] == '=') {
        SN_TRY(sn_scene_read_number(r, node, &number));
        if (target) *(bool *)target = number != 0;
        return SN_OK;
    }
    if (node->kind != JSON_BOOL) return expected(r, node, "true or false");
    if (target) *(bool *)target = node->boolean;
    return SN_OK;
}

const char *sn_scene_text_parameter(const scene_reader *r, const char *name) {
    const scene_parameter *parameter = find_parameter(r, name);
    return parameter ? parameter->text : NULL;
}

bool sn_scene_number_parameter(const scene_reader *r, const char *name, double *value) {
    const scene_parameter *parameter = find_parameter(r, name);
    if (!parameter || parameter->text) return false;
    *value = parameter->number;
    return true;
}

static sn_result unknown_parameter(scene_reader *r, const json_node *node, const char *name) {
    sn_suggestion guess = {0};
    for (size_t i = 0; i < r->parameter_count; i++) sn_suggest(&guess, name, r->parameters[i].name);
    if (guess.word)
        return sn_scene_complain(r, node, "there is no parameter \"%.64s\"; did you mean \"%s\"?",
                                 name, guess.word);
    return sn_scene_complain(r, node, "there is no parameter \"%.64s\"", name);
}

sn_result sn_scene_read_text(scene_reader *r, const json_node *node, const char **text) {
    *text = node->kind == JSON_STRING ? node->text : "";
    if (node->kind != JSON_STRING) return expected(r, node, "a string");
    if (node->text[0] != '=') return SN_OK;
    const scene_parameter *parameter = find_parameter(r, node->text + 1);
    if (!parameter) return unknown_parameter(r, node, node->text + 1);
    if (parameter->broken) return SN_ERROR_DATA;
    if (!parameter->text)
        return sn_scene_complain(r, node, "the parameter \"%.64s\" is a number, expected a string",
                                 parameter->name);
    *text = parameter->text;
    return SN_OK;
}

static sn_result read_choice(scene_reader *r, const json_node *node, const scene_field *f,
                             void *target) {
    const char *text;
    SN_TRY(sn_scene_read_text(r, node, &text));
    char words[256], list[256] = "", *word = words;
    snprintf(words, sizeof words, "%s", f->unit);
    sn_suggestion guess = {0};
    for (int i = 0; word; i++) {
        char *bar = strchr(word, '|');
        if (bar) *bar = 0;
        if (strcmp(word, text) == 0) {
            if (target) *(int *)target = i;
            return SN_OK;
        }
        sn_suggest(&guess, text, word);
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.60s",
                 i == 0 ? ""
                 : bar  ? ", "
                        : " or ",
                 word);
        word = bar ? bar + 1 : NULL;
    }
    if (guess.word)
        return sn_scene_complain(r, node, "is \"%.64s\"; did you mean \"%s\"?", text, guess.word);
    return sn_scene_complain(r, node, "is \"%.64s\", expected %s", text, list);
}

static sn_result read_numbers(scene_reader *r, const json_node *node, const scene_field *f,
                              size_t count, double *value, const char *what) {
    if (node->kind != JSON_ARRAY || node->count != count) {
        if (node->kind != JSON_ARRAY) return expected(r, node, what);
        return sn_scene_complain(r, node, "has %zu items, expected %s", node->count, what);
    }
    for (size_t i = 0; i < count; i++) {
        SN_TRY(sn_scene_read_number(r, &node->items[i], &value[i]));
        if (f) SN_TRY(sn_scene_check_range(r, &node->items[i], f, value[i]));
        if (!isfinite((sn_real)value[i]))
            return sn_scene_complain(r, &node->items[i], "is %g, expected at most %g", value[i],
                                     (double)SN_REAL_MAX);
    }
    return SN_OK;
}

static sn_result read_counts(scene_reader *r, const json_node *node, const scene_field *f,
                             void *target) {
    double value[3] = {0, 0, 0};
    SN_TRY(read_numbers(r, node, NULL, 3, value, "an array of three whole numbers"));
    for (size_t i = 0; i < 3; i++) {
        size_t count = 0;
        SN_TRY(sn_scene_read_index(r, &node->items[i], f->least, f->most, &count));
        if (target) ((uint32_t *)target)[i] = (uint32_t)count;
    }
    return SN_OK;
}

static sn_result read_vec3(scene_reader *r, const json_node *node, const scene_field *f,
                           void *target) {
    double value[3] = {0, 0, 0};
    if (is_automatic(node, f))
        value[0] = value[1] = value[2] = (double)SN_AUTO;
    else if (is_curve(node, f))
        SN_TRY(sn_scene_read_curve(r, node, f, 3, value));
    else
        SN_TRY(read_numbers(r, node, f, 3, value, "an array of three numbers"));
    if (target)
        *(sn_vec3 *)target = (sn_vec3){(sn_real)value[0], (sn_real)value[1], (sn_real)value[2]};
    return SN_OK;
}

/* {"axis": [x, y, z], "angle": a}. */
static sn_result read_axis_angle(scene_reader *r, const json_node *node, double q[4]) {
    struct {
        sn_vec3 axis;
        sn_real angle;
    } turn = {{0, 1, 0}, 0};
    static const scene_field fields[] = {
        {"axis", SCENE_VEC3, "", -1e30, 1e30, NULL, "the axis of the turn, of any length", 0, NULL,
         false, false, false},
        {"angle", SCENE_REAL, "rad", -1e6, 1e6, NULL, "by how much, anticlockwise seen against it",
         sizeof(sn_vec3), NULL, false, false, false}};
    static const scene_object object = {"rotation", "", fields, 2, NULL, NULL, 0};
    SN_TRY(sn_scene_read(r, node, &object, &turn));
    double x = (double)turn.axis.x, y = (double)turn.axis.y, z = (double)turn.axis.z;
    double length = sqrt(x * x + y * y + z * z), sine, cosine;
    if (!(length > 0)) return sn_scene_complain(r, node, "its axis is zero, expected a direction");
    /* Half the angle as a part of a whole turn, as fine as a double. */
    double turns = (double)turn.angle / (4 * 3.14159265358979323846);
    uint64_t whole = UINT64_C(1) << 52;
    sn_turn((uint64_t)((turns - floor(turns)) * (double)whole), whole, &sine, &cosine);
    q[0] = sine * x / length;
    q[1] = sine * y / length;
    q[2] = sine * z / length;
    q[3] = cosine;
    return SN_OK;
}

static sn_result read_rotation(scene_reader *r, const json_node *node, void *target) {
    double q[4] = {0, 0, 0, 1};
    if (node->kind == JSON_OBJECT)
        SN_TRY(read_axis_angle(r, node, q));
    else
        SN_TRY(read_numbers(r, node, NULL, 4, q,
                            "a quaternion [x, y, z, w] or {\"axis\": [x, y, z], \"angle\": rad}"));
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0)) return sn_scene_complain(r, node, "is zero, expected a rotation");
    if (target)
        *(sn_quat *)target = (sn_quat){(sn_real)(q[0] / length), (sn_real)(q[1] / length),
                                       (sn_real)(q[2] / length), (sn_real)(q[3] / length)};
    return SN_OK;
}

/* ---- Arrays of numbers ---- */

static sn_result check_row(scene_reader *r, const json_node *row) {
    double value;
    if (row->kind != JSON_ARRAY) return expected(r, row, "an array of numbers");
    for (size_t i = 0; i < row->count; i++) SN_TRY(sn_scene_read_number(r, &row->items[i], &value));
    return SN_OK;
}

static sn_result check_array(scene_reader *r, const json_node *node, const scene_field *f) {
    scene_kind kind = f->kind;
    double most = f->most > 0 ? f->most : UINT32_MAX;
    const char *what = kind == SCENE_INDICES     ? "an array of whole numbers"
                       : kind == SCENE_TRIANGLES ? "an array of triangles such as [0, 1, 2]"
                       : kind == SCENE_POINTS    ? "an array of points such as [0, 1.5, 0]"
                       : kind == SCENE_ROWS      ? "an array of rows such as [0, 0.5, 0.2]"
                                                 : "an array of strings";
    if (node->kind != JSON_ARRAY) return expected(r, node, what);
    for (size_t i = 0; i < node->count; i++) {
        const json_node *item = &node->items[i];
        size_t index;
        double value[3] = {0, 0, 0};
        const char *text;
        if (kind == SCENE_INDICES) {
            SN_TRY(sn_scene_read_index(r, item, 0, most, &index));
        } else if (kind == SCENE_TEXTS) {
            SN_TRY(sn_scene_read_text(r, item, &text));
        } else if (kind == SCENE_ROWS) {
            SN_TRY(check_row(r, item));
        } else {
            SN_TRY(read_numbers(r, item, NULL, 3, value, "three numbers"));
            for (size_t k = 0; kind == SCENE_TRIANGLES && k < 3; k++)
                SN_TRY(sn_scene_read_index(r, &item->items[k], 0, UINT32_MAX, &index));
        }
    }
    return SN_OK;
}

/* ---- Objects ---- */

static sn_result unknown_key(scene_reader *r, const json_node *item, const scene_object *object,
                             const scene_object *variant) {
    sn_suggestion guess = {0};
    for (size_t i = 0; i < object->count; i++)
        sn_suggest(&guess, item->key, object->fields[i].name);
    for (size_t i = 0; variant && i < variant->count; i++)
        sn_suggest(&guess, item->key, variant->fields[i].name);
    if (object->variant_key) sn_suggest(&guess, item->key, object->variant_key);
    json_node at = *item;
    at.line = item->key_line;
    at.column = item->key_column;
    if (guess.word)
        return sn_scene_complain(r, &at, "unknown key; did you mean \"%s\"?", guess.word);
    return sn_scene_complain(r, &at, "unknown key; docs/scene-format.md lists those of %s",
                             variant ? variant->name : object->name);
}

const scene_object *sn_scene_variant(scene_reader *r, const json_node *node,
                                     const scene_object *object) {
    const json_node *key = sn_json_member(node, object->variant_key);
    const char *name;
    if (!key) {
        sn_scene_complain(r, node, "has no \"%s\", which says what it is", object->variant_key);
        return NULL;
    }
    if (sn_scene_read_text(r, key, &name) != SN_OK) return NULL;
    sn_suggestion guess = {0};
    for (size_t i = 0; i < object->variant_count; i++) {
        if (strcmp(object->variants[i].name, name) == 0) return &object->variants[i];
        sn_suggest(&guess, name, object->variants[i].name);
    }
    if (guess.word)
        sn_scene_complain(r, key, "unknown %s \"%.64s\"; did you mean \"%s\"?", object->variant_key,
                          name, guess.word);
    else
        sn_scene_complain(r, key, "unknown %s \"%.64s\"; \"sinew info\" lists them",
                          object->variant_key, name);
    return NULL;
}

static sn_result check_below(scene_reader *r, const json_node *node, const scene_field *f);

/* Parameters may be plain values. */
static sn_result check_member(scene_reader *r, const json_node *node, const scene_field *f) {
    bool plain = node->kind == JSON_NUMBER || node->kind == JSON_STRING;
    if (f->plain && plain) return SN_OK;
    if (f->plain && node->kind != JSON_OBJECT)
        return expected(r, node, "a number, a string or an object");
    return sn_scene_read(r, node, f->of, NULL);
}

static sn_result check_members(scene_reader *r, const json_node *node, const scene_field *f) {
    sn_result result = SN_OK;
    bool map = f->kind == SCENE_MAP;
    if (node->kind != (map ? JSON_OBJECT : JSON_ARRAY))
        return expected(r, node, map ? "an object with a name for each" : "an array");
    /* Without a table the caller knows better what the members are. */
    for (size_t i = 0; f->of && i < node->count; i++) {
        if (map && strcmp(node->items[i].key, "comment") == 0) continue;
        sn_result one = check_member(r, &node->items[i], f);
        if (one != SN_OK) result = one;
    }
    return result;
}

static sn_result check_below(scene_reader *r, const json_node *node, const scene_field *f) {
    switch (f->kind) {
    case SCENE_OBJECT:
        return sn_scene_read(r, node, f->of, NULL);
    case SCENE_LIST:
    case SCENE_MAP:
        return check_members(r, node, f);
    case SCENE_NAME_OR:
        if (node->kind == JSON_OBJECT) return sn_scene_read(r, node, f->of, NULL);
        return node->kind == JSON_STRING ? SN_OK : expected(r, node, "a name or an object");
    case SCENE_PARAMETER:
        if (node->kind == JSON_STRING || node->kind == JSON_NUMBER) return SN_OK;
        return expected(r, node, "a number or a string");
    case SCENE_INDICES:
    case SCENE_TRIANGLES:
    case SCENE_POINTS:
    case SCENE_ROWS:
    case SCENE_TEXTS:
        return check_array(r, node, f);
    default:
        return SN_OK;
    }
}

static bool is_array(scene_kind kind) {
    return kind == SCENE_INDICES || kind == SCENE_TRIANGLES || kind == SCENE_POINTS ||
           kind == SCENE_ROWS || kind == SCENE_TEXTS;
}

static sn_result read_field(scene_reader *r, const json_node *node, const scene_field *f,
                            void *target) {
    void *to = target ? (char *)target + f->offset : NULL;
    switch (f->kind) {
    case SCENE_REAL:
        return read_real(r, node, f, to);
    case SCENE_INT:
        return read_int(r, node, f, to);
    case SCENE_BOOL:
        return read_bool(r, node, to);
    case SCENE_CHOICE:
        return read_choice(r, node, f, to);
    case SCENE_VEC3:
        return read_vec3(r, node, f, to);
    case SCENE_COUNTS:
        return read_counts(r, node, f, to);
    case SCENE_ROTATION:
        return read_rotation(r, node, to);
    case SCENE_TEXT: {
        const char *text;
        SN_TRY(sn_scene_read_text(r, node, &text));
        if (to) *(const char **)to = text;
        return SN_OK;
    }
    default:
        if (to) *(const json_node **)to = node;
        /* Objects are checked when they are read; arrays are used as they are. */
        return !to || is_array(f->kind) ? check_below(r, node, f) : SN_OK;
    }
}

/* What is below may not change where this may, and the other way round. */
sn_result sn_scene_read_member(scene_reader *r, const json_node *item, const scene_field *f,
                               void *target) {
    bool outside = r->changing;
    r->changing = f->changes;
    r->timed = false;
    sn_result result = read_field(r, item, f, target);
    r->changing = outside;
    return result;
}

const scene_field *sn_scene_field_of(const scene_object *object, const char *name) {
    for (size_t i = 0; object && i < object->count; i++)
        if (strcmp(object->fields[i].name, name) == 0) return &object->fields[i];
    return NULL;
}

/* Fields without a default must be there. */
static sn_result check_complete(scene_reader *r, const json_node *node,
                                const scene_object *object) {
    sn_result result = SN_OK;
    for (size_t i = 0; object && i < object->count; i++)
        if (!object->fields[i].standard && !sn_json_member(node, object->fields[i].name))
            result = sn_scene_complain(r, node, "has no \"%s\" (%s)", object->fields[i].name,
                                       object->fields[i].meaning);
    return result;
}

sn_result sn_scene_read(scene_reader *r, const json_node *node, const scene_object *object,
                        void *target) {
    if (node->kind != JSON_OBJECT) return expected(r, node, "an object");
    const scene_object *variant = NULL;
    if (object->variant_key && !(variant = sn_scene_variant(r, node, object))) return SN_ERROR_DATA;
    sn_result result = SN_OK;
    bool misspelt = false;
    for (size_t i = 0; i < node->count; i++) {
        const json_node *item = &node->items[i];
        /* Notes to the reader may stand anywhere. */
        if (strcmp(item->key, "comment") == 0) continue;
        if (object->variant_key && strcmp(item->key, object->variant_key) == 0) continue;
        const scene_field *f = sn_scene_field_of(variant, item->key);
        if (!f) f = sn_scene_field_of(object, item->key);
        sn_result one =
            f ? sn_scene_read_member(r, item, f, target) : unknown_key(r, item, object, variant);
        if (one != SN_OK) result = one;
        misspelt = misspelt || !f;
    }
    /* What seems to be missing may be there under a name that is not known. */
    if (misspelt) return result;
    if (check_complete(r, node, object) != SN_OK) result = SN_ERROR_DATA;
    if (check_complete(r, node, variant) != SN_OK) result = SN_ERROR_DATA;
    return result == SN_OK ? sn_scene_check_meaning(r, node, object, variant) : result;
}
