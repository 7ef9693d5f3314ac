/*
 * Opening a scene: read the files, find the values of parameters, check everything that is written,
 * then build it part by part. A mistake keeps nothing from being looked at but what depends on it,
 * so that all mistakes of a file are named at once.
 */
#include "io/scene/scene_foam.h"

#include "io/scene/scene_words.h"
#include "io/text/text.h"

#include <sinew/support.h>
#include <sinew_io/file.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 64, MOST_DEPTH = 16 };

/* ---- Memory ---- */

struct scene_block {
    struct scene_block *next;
    max_align_t data[];
};

void *sn_scene_take(sn_scene *s, size_t count, size_t size) {
    if (count > (SIZE_MAX - sizeof(struct scene_block)) / size) {
        sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
        return NULL;
    }
    struct scene_block *block = calloc(1, sizeof *block + count * size);
    if (!block) {
        sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
        return NULL;
    }
    block->next = s->blocks;
    s->blocks = block;
    return block->data;
}

bool sn_scene_grow(void **items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return true;
    size_t larger = *capacity ? 2 * *capacity : 16;
    void *grown = larger <= SIZE_MAX / size ? realloc(*items, larger * size) : NULL;
    if (!grown) {
        sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
        return false;
    }
    memset((char *)grown + *capacity * size, 0, (larger - *capacity) * size);
    *items = grown;
    *capacity = larger;
    return true;
}

char *sn_scene_text(sn_scene *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = sn_scene_take(s, (size_t)length + 1, 1);
    if (!text) return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

/* ---- Files ---- */

static char *folder_of(sn_scene *s, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return sn_scene_text(s, ".");
    return sn_scene_text(s, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* A result that does not keep the rest from being looked at: something in a file is wrong, and it
   was said. Keeps it in `result`. */
static bool goes_on(sn_result one, sn_result *result) {
    if (one != SN_OK) *result = one;
    return one == SN_OK || one == SN_ERROR_DATA;
}

static sn_result read_file(sn_scene *s, char *path, const char *text, size_t length);

/* Whether a file was read, or is being read. */
static bool is_known(const scene_reader *r, const char *path, bool *open) {
    *open = false;
    for (const scene_file *file = r->open; file; file = file->outer)
        if (strcmp(file->path, path) == 0) *open = true;
    for (size_t i = 0; i < r->file_count; i++)
        if (strcmp(r->files[i].path, path) == 0) return true;
    return *open;
}

static int depth_of(const scene_file *file) {
    int depth = 0;
    for (; file; file = file->outer) depth++;
    return depth;
}

/* Every file is read once, where it is first included. */
static sn_result include_one(sn_scene *s, const json_node *item) {
    scene_reader *r = &s->reader;
    const char *name = item->text;
    char *path;
    bool open;
    SN_TRY(sn_scene_find_file(s, item, r->open->folder, name, &path));
    if (is_known(r, path, &open))
        return open ? sn_scene_complain(r, item, "\"%.100s\" includes itself", name) : SN_OK;
    if (depth_of(r->open) > MOST_DEPTH || r->file_count >= MOST_FILES)
        return sn_scene_complain(r, item,
                                 "files include each other more than %d deep, or %d in all",
                                 MOST_DEPTH, MOST_FILES);
    size_t before = s->reader.repeated;
    sn_result result = read_file(s, path, NULL, 0);
    bool said = result == SN_OK || result == SN_ERROR_MEMORY || s->reader.repeated > before;
    return said ? result : sn_scene_complain_within(r, item);
}

static sn_result include(sn_scene *s, const json_node *list) {
    sn_result result = SN_OK;
    for (size_t i = 0; list && list->kind == JSON_ARRAY && i < list->count; i++) {
        if (list->items[i].kind != JSON_STRING) continue; /* found by the check later */
        if (!goes_on(include_one(s, &list->items[i]), &result)) return result;
    }
    return result;
}

/* Included files come first, so that those that include them have the last word. */
static sn_result read_file(sn_scene *s, char *path, const char *text, size_t length) {
    scene_reader *r = &s->reader;
    char *data = NULL;
    scene_file file = {.path = path, .folder = folder_of(s, path), .outer = r->open};
    if (!path || !file.folder) return SN_ERROR_MEMORY;
    if (!text) {
        SN_TRY(sn_io_file_read("the scene", path, &data, &length));
        text = data;
    }
    sn_result result = sn_json_parse(path, text, length, &file.document);
    free(data);
    if (result != SN_OK) return result == SN_ERROR_DATA ? sn_scene_say(r, sn_last_error()) : result;
    r->open = &file;
    result = include(s, sn_json_member(file.document.root, "include"));
    r->open = file.outer;
    bool room = r->file_count < MOST_FILES;
    if (result == SN_OK && room)
        r->files[r->file_count++] = file;
    else
        sn_json_free(&file.document);
    return result != SN_OK || room
               ? result
               : sn_fail(SN_ERROR_LIMIT, "%s: more than %d files are included", path, MOST_FILES);
}

/* ---- Parameters ---- */

/* Limits are numbers of the world, and so is what is compared with them. */
static sn_result check_limits(sn_scene *s, const json_node *node, const scene_parameter_part *part,
                              double value) {
    if (part->least != SN_AUTO && (sn_real)value < part->least)
        return sn_scene_complain(&s->reader, node, "is %g, expected at least %g", value,
                                 (double)part->least);
    if (part->most != SN_AUTO && (sn_real)value > part->most)
        return sn_scene_complain(&s->reader, node, "is %g, expected at most %g", value,
                                 (double)part->most);
    return SN_OK;
}

/* Expressions must be able to name it. */
static sn_result check_parameter_name(sn_scene *s, const json_node *node) {
    size_t length = 0;
    bool good = node->key[0] < '0' || node->key[0] > '9';
    for (const char *c = node->key; *c; c++, length++)
        good = good && (*c == '_' || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                        (*c >= 'A' && *c <= 'Z'));
    if (good && length > 0 && length < 64) return SN_OK;
    return sn_scene_complain(
        &s->reader, node,
        "the name of a parameter has letters, digits and _, begins with no digit "
        "and has at most 63 of them");
}

/* The value that the command line gives a parameter; null when it gives none. */
static const char *set_value(const sn_scene_def *def, const char *name) {
    const char *value = NULL;
    size_t length = strlen(name);
    for (size_t i = 0; i < def->set_count; i++)
        if (strncmp(def->sets[i], name, length) == 0 && def->sets[i][length] == '=')
            value = def->sets[i] + length + 1;
    return value;
}

static sn_result override_parameter(sn_scene *s, const json_node *node, const char *text,
                                    scene_parameter *parameter) {
    if (parameter->text) {
        parameter->text = sn_scene_text(s, "%s", text);
        return parameter->text ? SN_OK : SN_ERROR_MEMORY;
    }
    sn_text given = {.begin = text, .at = text, .end = text + strlen(text)};
    bool good = sn_text_scan_real(&given, &parameter->number) && given.at == given.end;
    if (!good || !isfinite(parameter->number))
        return sn_scene_complain(&s->reader, node, "is set to \"%.64s\", expected a number", text);
    return SN_OK;
}

static sn_result find_value(sn_scene *s, const sn_scene_def *def, const json_node *node,
                            scene_parameter *parameter) {
    scene_reader *r = &s->reader;
    scene_parameter_part part = {.value = node, .least = SN_AUTO, .most = SN_AUTO};
    SN_TRY(check_parameter_name(s, node));
    if (node->kind == JSON_OBJECT) {
        SN_TRY(sn_scene_read(r, node, &sn_scene_parameter_object, NULL));
        SN_TRY(sn_scene_read(r, node, &sn_scene_parameter_object, &part));
    } else if (node->kind != JSON_NUMBER && node->kind != JSON_STRING) {
        return SN_ERROR_DATA; /* said by the check of the file */
    }
    if (part.value->kind == JSON_STRING && part.value->text[0] != '=')
        parameter->text = part.value->text;
    else
        SN_TRY(sn_scene_read_number(r, part.value, &parameter->number));
    const char *given = set_value(def, node->key);
    if (given) SN_TRY(override_parameter(s, node, given, parameter));
    return parameter->text ? SN_OK : check_limits(s, node, &part, parameter->number);
}

/* One that is broken has a name all the same. */
static sn_result read_parameter(sn_scene *s, const sn_scene_def *def, const json_node *node) {
    scene_reader *r = &s->reader;
    scene_parameter parameter = {.name = node->key};
    sn_result result = find_value(s, def, node, &parameter);
    parameter.broken = result != SN_OK;
    size_t at = 0;
    while (at < r->parameter_count && strcmp(r->parameters[at].name, node->key) != 0) at++;
    r->parameters[at] = parameter;
    if (at == r->parameter_count) r->parameter_count++;
    return result;
}

static sn_result check_set(const sn_scene *s, const char *set) {
    const char *sign = set ? strchr(set, '=') : NULL;
    if (!sign)
        return sn_fail(set ? SN_ERROR_VALUE : SN_ERROR_NULL,
                       "\"%.100s\" sets no parameter, expected NAME=VALUE", set ? set : "");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(sign - set), set);
    sn_suggestion guess = {0};
    for (size_t i = 0; i < s->reader.parameter_count; i++) {
        if (strcmp(s->reader.parameters[i].name, name) == 0) return SN_OK;
        sn_suggest(&guess, name, s->reader.parameters[i].name);
    }
    if (guess.word)
        return sn_fail(SN_ERROR_NAME, "the scene has no parameter \"%s\"; did you mean \"%s\"?",
                       name, guess.word);
    return sn_fail(SN_ERROR_NAME, "the scene has no parameter \"%s\"%s", name,
                   s->reader.parameter_count ? "; \"sinew scenes\" lists those of a scene"
                                             : ", nor any other");
}

static const json_node *parameters_of(const sn_scene *s, size_t file) {
    const json_node *map = sn_json_member(s->reader.files[file].document.root, "parameters");
    return map && map->kind == JSON_OBJECT ? map : NULL;
}

static sn_result read_parameters(sn_scene *s, const sn_scene_def *def) {
    size_t most = 1;
    sn_result result = SN_OK;
    for (size_t f = 0; f < s->reader.file_count; f++)
        if (parameters_of(s, f)) most += parameters_of(s, f)->count;
    s->reader.parameters = sn_scene_take(s, most, sizeof *s->reader.parameters);
    if (!s->reader.parameters) return SN_ERROR_MEMORY;
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *map = parameters_of(s, f);
        for (size_t i = 0; map && i < map->count; i++)
            if (strcmp(map->items[i].key, "comment") != 0 &&
                !goes_on(read_parameter(s, def, &map->items[i]), &result))
                return result;
    }
    for (size_t i = 0; i < def->set_count && result == SN_OK; i++)
        result = check_set(s, def->sets[i]);
    return result;
}

/* ---- Going through the parts ---- */

static const json_node *part_of(const sn_scene *s, size_t file, size_t offset) {
    return *(const json_node *const *)((const char *)&s->roots[file] + offset);
}

const json_node *sn_scene_find(const sn_scene *s, size_t offset, const char *name) {
    bool note = strcmp(name, "comment") == 0;
    for (size_t f = s->reader.file_count; !note && f-- > 0;) {
        const json_node *found = sn_json_member(part_of(s, f, offset), name);
        if (found) return found;
    }
    return NULL;
}

sn_result sn_scene_complain_name(sn_scene *s, const json_node *node, const char *name,
                                 size_t offset, const char *what) {
    sn_suggestion guess = {0};
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *map = part_of(s, f, offset);
        bool object = map && map->kind == JSON_OBJECT;
        for (size_t i = 0; object && i < map->count; i++)
            sn_suggest(&guess, name, map->items[i].key);
    }
    if (guess.word)
        return sn_scene_complain(&s->reader, node, "unknown %s \"%.64s\"; did you mean \"%s\"?",
                                 what, name, guess.word);
    return sn_scene_complain(&s->reader, node, "unknown %s \"%.64s\"", what, name);
}

sn_result sn_scene_check_name(sn_scene *s, const json_node *owner, const char *name) {
    bool good = *name != 0;
    for (const char *c = name; *c; c++)
        good = good &&
               (*c == '_' || *c == '-' || *c == ' ' || (unsigned char)*c >= 0x80 ||
                (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z'));
    const json_node *given = sn_json_member(owner, "name");
    if (good) return SN_OK;
    return sn_scene_complain(&s->reader, given ? given : owner,
                             "is \"%.64s\", expected letters, digits, _, - and spaces", name);
}

/* ---- Building ---- */

bool sn_scene_is_broken(const sn_scene *s, const char *name) {
    for (size_t i = 0; i < s->broken.count; i++) {
        size_t length = strlen(s->broken.items[i]);
        if (strncmp(s->broken.items[i], name, length) != 0) continue;
        /* Itself, or one of its copies. */
        if (!name[length] || (name[length] == '_' && strspn(name + length + 1, "0123456789") > 0))
            return true;
    }
    return false;
}

static sn_result check_files(sn_scene *s) {
    sn_result result = SN_OK;
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *root = s->reader.files[f].document.root;
        if (!goes_on(sn_scene_read(&s->reader, root, &s->tables.root, NULL), &result))
            return result;
        (void)sn_scene_read(&s->reader, root, &s->tables.root, &s->roots[f]);
    }
    return result;
}

/* Of a body the library knows no name. */
static void say(void *user, sn_log_level level, const char *sentence) {
    const sn_scene *s = user;
    char text[640];
    if (s->building) snprintf(text, sizeof text, "body \"%.64s\": %s", s->building, sentence);
    s->log(s->log_user, level, s->building ? text : sentence);
}

static void tell(const sn_scene *s, sn_log_level level, const json_node *node, const char *format,
                 va_list arguments) {
    char sentence[SCENE_SENTENCE];
    if (!s->log) return;
    sn_scene_locate(&s->reader, node, sentence, format, arguments);
    s->log(s->log_user, level, sentence);
}

static void note(const sn_scene *s, const json_node *node, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(s, SN_LOG_INFO, node, format, arguments);
    va_end(arguments);
}

/* Old words are read, and said to be old. */
static void note_word(void *user, const json_node *node, const scene_word *word) {
    const sn_scene *s = user;
    json_node at = *node;
    if (!word->key) {
        at.line = node->key_line;
        at.column = node->key_column;
    }
    note(s, &at, "\"%s\" is the old word for \"%s\"", word->old, word->name);
}

static sn_result renew_words(sn_scene *s) {
    sn_result result = SN_OK;
    for (size_t f = 0; f < s->reader.file_count; f++)
        if (sn_scene_renew_words(&s->reader, s->reader.files[f].document.root, &s->tables.root,
                                 note_word, s) != SN_OK)
            result = SN_ERROR_DATA;
    return result;
}

void sn_scene_warn(const sn_scene *s, const json_node *node, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(s, SN_LOG_WARNING, node, format, arguments);
    va_end(arguments);
}

/* The last file that says something has it. */
static sn_result set_period(sn_scene *s) {
    sn_period_def def = sn_period_def_default();
    bool any = false;
    for (size_t f = 0; f < s->reader.file_count; f++) {
        if (!s->roots[f].period) continue;
        any = true;
        (void)sn_scene_read(&s->reader, s->roots[f].period, &sn_scene_period_object, &def);
    }
    return any ? sn_world_set_period(s->world, &def) : SN_OK;
}

static sn_result make_world(sn_scene *s, const sn_scene_def *def) {
    sn_world_def world = sn_world_def_default();
    scene_reader *r = &s->reader;
    const json_node *settings = NULL;
    world.threads = def->threads;
    world.tasks = def->tasks;
    world.simd_width = def->simd_width;
    world.allocator = def->allocator;
    if (s->log) {
        world.log = say;
        world.log_user = s;
    }
    s->run = (scene_run){.frames = 100, .fps = 60, .quality = 1, .picture_at = SN_AUTO};
    world.settings.substeps = SCENE_INT_AUTO;
    s->title = s->about = "";
    for (size_t f = 0; f < r->file_count; f++) {
        const scene_root *root = &s->roots[f];
        /* What is wrong with these was said. */
        if (root->settings)
            (void)sn_scene_read(r, root->settings, &s->tables.settings, &world.settings);
        if (root->run) (void)sn_scene_read(r, root->run, &sn_scene_run_object, &s->run);
        if (root->settings) settings = root->settings;
        if (root->title) s->title = root->title;
        if (root->about) s->about = root->about;
    }
    if (def->fps > 0) s->run.fps = def->fps;
    if (def->quality != SN_QUALITY_SCENE) s->run.quality = (int)def->quality - 1;
    s->choose_substeps = def->substeps == 0 && world.settings.substeps == SCENE_INT_AUTO;
    if (def->substeps > 0)
        world.settings.substeps = def->substeps;
    else if (!s->choose_substeps)
        world.settings.substeps =
            sn_quality_substeps((sn_quality)(s->run.quality + 1), world.settings.substeps);
    /* So that no body warns of too few before they are chosen. */
    if (s->choose_substeps) world.settings.substeps = SN_MOST_SUBSTEPS;
    sn_result result = sn_world_create(&world, &s->world);
    if (result == SN_OK) return set_period(s);
    return result == SN_ERROR_VALUE && settings ? sn_scene_complain_within(r, settings) : result;
}

/* Builds an item if it is well written. What cannot be built is remembered by its name, so that
   nothing is said of those that refer to it. */
static sn_result build_item(sn_scene *s, const json_node *item, const scene_object *object,
                            scene_visit *visit) {
    if (item->key && strcmp(item->key, "comment") == 0) return SN_OK;
    sn_result result = sn_scene_read(&s->reader, item, object, NULL);
    if (result == SN_OK) result = visit(s, item);
    const json_node *name = sn_json_member(item, "name");
    if (result != SN_ERROR_DATA || !name) return result;
    const char *text;
    if (sn_scene_read_text(&s->reader, name, &text) != SN_OK) return result;
    const char **place = SCENE_ADD(s->broken);
    if (!place) return SN_ERROR_MEMORY;
    *place = text;
    return result;
}

static sn_result build_list(sn_scene *s, size_t offset, json_kind kind, const scene_object *object,
                            scene_visit *visit) {
    sn_result result = SN_OK;
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *list = part_of(s, f, offset);
        bool several = list && list->kind == kind;
        for (size_t i = 0; several && i < list->count; i++)
            if (!goes_on(build_item(s, &list->items[i], object, visit), &result)) return result;
    }
    return result;
}

static sn_result build(sn_scene *s) {
    const struct {
        size_t offset;
        const scene_object *object;
        scene_visit *visit;
    } lists[] = {
        {offsetof(scene_root, surfaces), &s->tables.surface, sn_scene_build_surface},
        {offsetof(scene_root, bodies), &s->tables.body, sn_scene_build_body},
        {offsetof(scene_root, nodes), &s->tables.node, sn_scene_build_node},
        {offsetof(scene_root, colliders), &s->tables.collider, sn_scene_build_collider},
        {offsetof(scene_root, robots), &s->tables.robot, sn_scene_build_robot},
        {offsetof(scene_root, constraints), &s->tables.constraint, sn_scene_build_constraint},
        {offsetof(scene_root, ignore), &sn_scene_ignore_object, sn_scene_build_ignore},
        {offsetof(scene_root, damping_groups), &s->tables.damping_group,
         sn_scene_build_damping_group},
        {offsetof(scene_root, crowds), &s->tables.crowd, sn_scene_build_crowd},
        {offsetof(scene_root, doughs), &s->tables.dough, sn_scene_build_dough},
        {offsetof(scene_root, fluids), &s->tables.fluid, sn_scene_build_fluid},
        {offsetof(scene_root, air_meshes), &s->tables.air_mesh, sn_scene_build_air_mesh},
        {offsetof(scene_root, hierarchies), &s->tables.hierarchy, sn_scene_build_hierarchy},
        {offsetof(scene_root, shape_matchings), &s->tables.shape_matching,
         sn_scene_build_shape_matching},
        {offsetof(scene_root, attachments), &sn_scene_attachment_object, sn_scene_build_attachment},
        {offsetof(scene_root, seams), &sn_scene_seam_object, sn_scene_build_seam},
        {offsetof(scene_root, animation_targets), &s->tables.animation_target,
         sn_scene_build_animation_target},
        {offsetof(scene_root, forces), &sn_scene_force_object, sn_scene_build_force},
        {offsetof(scene_root, effectors), &s->tables.effector, sn_scene_build_effector},
        {offsetof(scene_root, motions), &sn_scene_motion_object, sn_scene_build_motion},
        {offsetof(scene_root, muscles), &sn_scene_muscle_object, sn_scene_build_muscle},
        {offsetof(scene_root, actions), &s->tables.action, sn_scene_build_action},
        {offsetof(scene_root, cuts), &s->tables.cut, sn_scene_build_cut},
        {offsetof(scene_root, diffusions), &s->tables.diffusion, sn_scene_build_diffusion},
        {offsetof(scene_root, sources), &s->tables.source, sn_scene_build_source},
        {offsetof(scene_root, emitters), &s->tables.emitter, sn_scene_build_emitter},
        {offsetof(scene_root, drains), &s->tables.drain, sn_scene_build_drain},
        {offsetof(scene_root, measure), &sn_scene_measure_object, sn_scene_build_measure},
        {offsetof(scene_root, probes), &sn_scene_probe_object, sn_scene_build_probe},
        {offsetof(scene_root, lights), &sn_scene_light_object, sn_scene_build_light}};
    SN_TRY(sn_scene_note_carriers(s));
    sn_result result = build_list(s, offsetof(scene_root, materials), JSON_OBJECT,
                                  &s->tables.material, sn_scene_check_material);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (!goes_on(build_list(s, lists[i].offset, JSON_ARRAY, lists[i].object, lists[i].visit),
                     &result))
            return result;
    if (!goes_on(sn_scene_check_actions(s), &result) || result != SN_OK) return result;
    SN_TRY(sn_scene_note_settings(s));
    SN_TRY(sn_scene_choose_substeps(s));
    sn_scene_warn_of_surfaces(s);
    sn_scene_warn_of_torques(s);
    return sn_scene_name_columns(s);
}

static sn_result open_scene(sn_scene *s, const sn_scene_def *def) {
    SN_TRY(sn_scene_tables_create(&s->tables));
    s->most_nodes = def->most_nodes;
    s->most_points = def->most_points;
    s->folder = folder_of(s, def->path);
    s->allow = def->allow;
    s->sets = def->sets;
    s->set_count = def->set_count;
    if (!s->folder) return SN_ERROR_MEMORY;
    s->reader.files = sn_scene_take(s, MOST_FILES, sizeof *s->reader.files);
    if (!s->reader.files) return SN_ERROR_MEMORY;
    const char *text = def->text;
    size_t length = def->length;
    if (!text && sn_scene_is_robot(def->path)) {
        text = sn_scene_robot_text(s, def->path);
        if (!text) return SN_ERROR_MEMORY;
        length = strlen(text);
    }
    SN_TRY(read_file(s, sn_scene_text(s, "%s", def->path), text, length));
    s->roots = sn_scene_take(s, s->reader.file_count, sizeof *s->roots);
    if (!s->roots) return SN_ERROR_MEMORY;
    sn_result result = SN_OK;
    if (!goes_on(renew_words(s), &result) || !goes_on(read_parameters(s, def), &result) ||
        !goes_on(check_files(s), &result) || !goes_on(make_world(s, def), &result) || !s->world)
        return result;
    if (!def->outline) (void)goes_on(build(s), &result);
    return result;
}

sn_scene_def sn_scene_def_default(void) {
    return (sn_scene_def){.size = sizeof(sn_scene_def),
                          .threads = 1,
                          .most_nodes = (size_t)1 << 26,
                          .most_points = (size_t)1 << 22};
}

sn_result sn_scene_open(const sn_scene_def *def, sn_scene **scene) {
    if (!def || !scene || !def->path)
        return sn_fail(SN_ERROR_NULL, "sn_scene_open: %s is null",
                       !def     ? "def"
                       : !scene ? "scene"
                                : "path");
    *scene = NULL;
    if (def->size != sizeof *def)
        return sn_fail(SN_ERROR_DEFINITION,
                       "scene: its size is %zu, expected %zu: begin with sn_scene_def_default",
                       def->size, sizeof *def);
    if (def->fps < 0 || def->fps > 10000)
        return sn_fail(SN_ERROR_VALUE, "scene: fps is %d, expected 0 to 10000", def->fps);
    if (def->substeps < 0 || def->substeps > 10000)
        return sn_fail(SN_ERROR_VALUE, "scene: substeps is %d, expected 0 to 10000", def->substeps);
    if (!sn_quality_name(def->quality))
        return sn_fail(SN_ERROR_VALUE, "scene: quality is %d, expected 0 to 3", (int)def->quality);
    if (def->set_count > 0 && !def->sets)
        return sn_fail(SN_ERROR_NULL, "sn_scene_open: sets is null, and set_count is %zu",
                       def->set_count);
    sn_scene *s = calloc(1, sizeof *s);
    if (!s) return sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
    s->reader.complaint = def->complaint;
    s->reader.user = def->user;
    s->log = def->log;
    s->log_user = def->log_user;
    sn_result result = open_scene(s, def);
    /* The first mistake is the one that counts, whatever was found after it. */
    if (result == SN_ERROR_DATA) (void)sn_fail(result, "%s", s->reader.first);
    s->reader.complaint = NULL;
    if (result == SN_OK)
        *scene = s;
    else
        sn_scene_close(s);
    return result;
}

void sn_scene_close(sn_scene *s) {
    if (!s) return;
    sn_scene_free_skinned(s);
    sn_scene_close_animations(s);
    sn_scene_free_meshes(s);
    sn_query_destroy(s->query);
    sn_world_destroy(s->world);
    for (size_t i = 0; i < s->reader.file_count; i++) sn_json_free(&s->reader.files[i].document);
    sn_scene_tables_free(&s->tables);
    free(s->bodies.items);
    free(s->nodes.items);
    free(s->links.items);
    free(s->colliders.items);
    free(s->surfaces.items);
    free(s->pins.items);
    free(s->tethers.items);
    for (size_t i = 0; i < s->forces.count; i++) free(s->forces.items[i].nodes.items);
    for (size_t i = 0; i < s->motions.count; i++) free(s->motions.items[i].nodes.items);
    for (size_t i = 0; i < s->attachments.count; i++) free(s->attachments.items[i].nodes.items);
    for (size_t i = 0; i < s->measures.count; i++) free(s->measures.items[i].nodes.items);
    for (size_t i = 0; i < s->actions.count; i++) {
        free(s->actions.items[i].pin.items);
        free(s->actions.items[i].release.items);
        free(s->actions.items[i].velocity.items);
        free(s->actions.items[i].impulse.items);
    }
    free(s->broken.items);
    free(s->forces.items);
    free(s->motions.items);
    free(s->muscles.items);
    free(s->attachments.items);
    free(s->tracks.items);
    free(s->animation_targets.items);
    free(s->actions.items);
    free(s->cuts.items);
    free(s->changes.items);
    free(s->formulas.items);
    free(s->events.items);
    free(s->touches.items);
    free(s->body_places.items);
    free(s->carriers.items);
    free(s->measures.items);
    free(s->probes.items);
    free(s->emitters.items);
    free(s->drains.items);
    free(s->diffusions.items);
    free(s->lights.items);
    free(s->columns.items);
    while (s->blocks) {
        struct scene_block *next = s->blocks->next;
        free(s->blocks);
        s->blocks = next;
    }
    free(s);
}

/* ---- Looking and going on ---- */

sn_world *sn_scene_world(sn_scene *scene) {
    return scene ? scene->world : NULL;
}

const char *sn_scene_title(const sn_scene *scene) {
    return scene ? scene->title : "";
}

const char *sn_scene_about(const sn_scene *scene) {
    return scene ? scene->about : "";
}

bool sn_scene_chose_substeps(const sn_scene *scene) {
    return scene && scene->choose_substeps;
}

int sn_scene_frames(const sn_scene *scene) {
    return scene ? scene->run.frames : 0;
}

int sn_scene_fps(const sn_scene *scene) {
    return scene ? scene->run.fps : 0;
}

bool sn_scene_parameter_at(const sn_scene *scene, size_t index, sn_scene_parameter *parameter) {
    if (!scene || !parameter || index >= scene->reader.parameter_count) return false;
    const scene_parameter *p = &scene->reader.parameters[index];
    const json_node *source = sn_scene_find(scene, offsetof(scene_root, parameters), p->name);
    const json_node *unit = sn_json_member(source, "unit"),
                    *meaning = sn_json_member(source, "meaning");
    *parameter = (sn_scene_parameter){p->name, p->text, p->number, unit ? unit->text : "",
                                      meaning ? meaning->text : ""};
    return true;
}

bool sn_scene_body_at(const sn_scene *scene, size_t index, sn_scene_body *body) {
    if (!scene || !body || index >= scene->bodies.count) return false;
    const scene_body *b = &scene->bodies.items[index];
    *body = (sn_scene_body){b->name,
                            b->kind,
                            b->build.body,
                            b->nodes,
                            b->mesh->mesh.vertex_count,
                            b->build.constraints,
                            b->build.mass,
                            b->build.substep_rate,
                            b->build.tethers};
    return true;
}

bool sn_scene_find_camera(const sn_scene *scene, const char *name, sn_scene_camera *camera) {
    if (!scene || !name || !camera) return false;
    const json_node *node = sn_scene_find(scene, offsetof(scene_root, cameras), name);
    if (!node) return false;
    scene_camera_part part = {.up = {0, 1, 0}, .field_of_view = (sn_real)0.6};
    scene_reader reader = scene->reader;
    if (sn_scene_read(&reader, node, &sn_scene_camera_object, &part) != SN_OK) return false;
    *camera = (sn_scene_camera){part.eye, part.target, part.up, part.field_of_view};
    return true;
}

int sn_scene_frame_number(const sn_scene *scene) {
    return scene ? (int)floor(sn_world_time(scene->world) * scene->run.fps + 0.5) : 0;
}

sn_result sn_scene_step(sn_scene *scene) {
    if (!scene) return sn_fail(SN_ERROR_NULL, "sn_scene_step: scene is null");
    /* Each frame may complain of the same thing. */
    scene->reader.complaints = 0;
    SN_TRY(sn_scene_act(scene, sn_scene_frame_number(scene)));
    SN_TRY(sn_world_step(scene->world, (sn_real)(1.0 / scene->run.fps)));
    SN_TRY(sn_scene_move_foam(scene));
    return scene->watched ? sn_scene_gather_events(scene) : SN_OK;
}

/* How many nodes there are because sheets were torn and solids cut. */
static size_t count_copies(const sn_scene *s) {
    size_t copies = 0;
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_body *b = &s->bodies.items[i];
        size_t nodes = 0;
        if (sn_sheet_is_valid(s->world, b->build.sheet))
            (void)sn_sheet_get_nodes(s->world, b->build.sheet, NULL, 0, &nodes);
        if (sn_tet_mesh_is_valid(s->world, b->build.tet_mesh))
            (void)sn_tet_mesh_get_nodes(s->world, b->build.tet_mesh, NULL, 0, &nodes);
        if (nodes > b->mesh->mesh.vertex_count) copies += nodes - b->mesh->mesh.vertex_count;
    }
    return copies;
}

/* Loads the snapshot, and takes the world back where it is not one of this scene. */
static sn_result load_snapshot(sn_scene *s, const char *path, const void *before, size_t size) {
    sn_node_view view;
    SN_TRY(sn_world_nodes(s->world, &view));
    size_t slots = view.count - count_copies(s);
    SN_TRY(sn_snapshot_load_file(s->world, path));
    SN_TRY(sn_world_nodes(s->world, &view));
    size_t found = view.count - count_copies(s);
    if (found == slots) return SN_OK;
    SN_TRY(sn_snapshot_load(s->world, before, size));
    return sn_fail(SN_ERROR_DATA,
                   "\"%s\" has %zu places for nodes and the scene %zu: it is not of this scene",
                   path, found, slots);
}

sn_result sn_scene_resume(sn_scene *scene, const char *path) {
    if (!scene || !path)
        return sn_fail(SN_ERROR_NULL, "sn_scene_resume: %s is null", scene ? "path" : "scene");
    size_t size;
    SN_TRY(sn_snapshot_save(scene->world, NULL, 0, &size));
    void *before = malloc(size + 1);
    if (!before) return sn_fail(SN_ERROR_MEMORY, "there is no memory for a snapshot");
    sn_result result = sn_snapshot_save(scene->world, before, size, &size);
    if (result == SN_OK) result = load_snapshot(scene, path, before, size);
    free(before);
    if (result == SN_OK && scene->watched) result = sn_scene_renew_events(scene);
    return result;
}
