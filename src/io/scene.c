/*
 * Opening a scene: read the files, find the values of parameters, check everything that is written,
 * then build it part by part. Building stops at the first thing that the library refuses; what is
 * written wrong is all found before that.
 */
#include "scene_state.h"

#include "base/error.h"
#include "file.h"
#include "suggest.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 64 };

/* ---- Memory ---- */

struct scene_block {
    struct scene_block *next;
    max_align_t data[];
};

void *scene_take(sn_scene *s, size_t count, size_t size) {
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

bool scene_grow(void **items, size_t count, size_t *capacity, size_t size) {
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

char *scene_text(sn_scene *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = scene_take(s, (size_t)length + 1, 1);
    if (!text) return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

/* ---- Files ---- */

static char *folder_of(sn_scene *s, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return scene_text(s, ".");
    return scene_text(s, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

static sn_result read_file(sn_scene *s, const char *path, const char *text, size_t length,
                           int depth);

static sn_result include(sn_scene *s, const json_node *list, const char *folder, int depth) {
    for (size_t i = 0; list && list->kind == JSON_ARRAY && i < list->count; i++) {
        if (list->items[i].kind != JSON_STRING) continue; /* found by the check later */
        const char *name = list->items[i].text;
        char *path =
            name[0] == '/' ? scene_text(s, "%s", name) : scene_text(s, "%s/%s", folder, name);
        if (!path) return SN_ERROR_MEMORY;
        SN_TRY(read_file(s, path, NULL, 0, depth + 1));
    }
    return SN_OK;
}

/* Included files come first, so that those that include them have the last word. */
static sn_result read_file(sn_scene *s, const char *path, const char *text, size_t length,
                           int depth) {
    scene_reader *r = &s->reader;
    if (depth > 16 || r->file_count >= MOST_FILES)
        return sn_fail(SN_ERROR_LIMIT,
                       "%s: files include each other more than 16 deep, or more "
                       "than %d of them",
                       path, MOST_FILES);
    char *data = NULL;
    if (!text) {
        SN_TRY(sn_io_file_read("the scene", path, &data, &length));
        text = data;
    }
    scene_file file = {.path = scene_text(s, "%s", path), .folder = folder_of(s, path)};
    sn_result result = file.path && file.folder ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = json_parse(path, text, length, &file.document);
    free(data);
    if (result != SN_OK) {
        if (result == SN_ERROR_DATA && r->complaint) r->complaint(r->user, sn_last_error());
        return result;
    }
    result = include(s, json_member(file.document.root, "include"), file.folder, depth);
    if (result != SN_OK || r->file_count >= MOST_FILES) {
        json_free(&file.document);
        return result != SN_OK ? result : sn_fail(SN_ERROR_LIMIT, "%s: too many files", path);
    }
    r->files[r->file_count++] = file;
    return SN_OK;
}

/* ---- Parameters ---- */

static sn_result check_limits(sn_scene *s, const json_node *node, const scene_parameter_part *part,
                              double value) {
    if (part->least != SN_AUTO && value < (double)part->least)
        return scene_complain(&s->reader, node, "is %g, expected at least %g", value,
                              (double)part->least);
    if (part->most != SN_AUTO && value > (double)part->most)
        return scene_complain(&s->reader, node, "is %g, expected at most %g", value,
                              (double)part->most);
    return SN_OK;
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
    char *end;
    if (parameter->text) {
        parameter->text = scene_text(s, "%s", text);
        return parameter->text ? SN_OK : SN_ERROR_MEMORY;
    }
    parameter->number = strtod(text, &end);
    if (*end || end == text || !isfinite(parameter->number))
        return scene_complain(&s->reader, node, "is set to \"%.64s\", expected a number", text);
    return SN_OK;
}

static sn_result read_parameter(sn_scene *s, const sn_scene_def *def, const json_node *node) {
    scene_reader *r = &s->reader;
    scene_parameter_part part = {.value = node, .least = SN_AUTO, .most = SN_AUTO};
    if (node->kind == JSON_OBJECT) SN_TRY(scene_read(r, node, &scene_parameter_object, &part));
    scene_parameter parameter = {.name = node->key};
    if (part.value->kind == JSON_STRING && part.value->text[0] != '=')
        parameter.text = part.value->text;
    else
        SN_TRY(scene_read_number(r, part.value, &parameter.number));
    const char *given = set_value(def, node->key);
    if (given) SN_TRY(override_parameter(s, node, given, &parameter));
    if (!parameter.text) SN_TRY(check_limits(s, node, &part, parameter.number));
    size_t at = 0;
    while (at < r->parameter_count && strcmp(r->parameters[at].name, node->key) != 0) at++;
    r->parameters[at] = parameter;
    if (at == r->parameter_count) r->parameter_count++;
    return SN_OK;
}

static sn_result check_sets(sn_scene *s, const sn_scene_def *def) {
    for (size_t i = 0; i < def->set_count; i++) {
        const char *sign = strchr(def->sets[i], '=');
        if (!sign)
            return sn_fail(SN_ERROR_VALUE, "\"%.100s\" sets no parameter, expected NAME=VALUE",
                           def->sets[i]);
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(sign - def->sets[i]), def->sets[i]);
        suggestion guess = {0};
        bool found = false;
        for (size_t k = 0; k < s->reader.parameter_count; k++) {
            found = found || strcmp(s->reader.parameters[k].name, name) == 0;
            suggest(&guess, name, s->reader.parameters[k].name);
        }
        if (!found && guess.word)
            return sn_fail(SN_ERROR_NAME, "the scene has no parameter \"%s\"; did you mean \"%s\"?",
                           name, guess.word);
        if (!found)
            return sn_fail(SN_ERROR_NAME, "the scene has no parameter \"%s\"%s", name,
                           s->reader.parameter_count ? "; \"sinew scenes\" lists those of a scene"
                                                     : ", nor any other");
    }
    return SN_OK;
}

static sn_result read_parameters(sn_scene *s, const sn_scene_def *def) {
    size_t most = 0;
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *map = json_member(s->reader.files[f].document.root, "parameters");
        if (map && map->kind == JSON_OBJECT) most += map->count;
    }
    s->reader.parameters = scene_take(s, most + 1, sizeof *s->reader.parameters);
    if (!s->reader.parameters) return SN_ERROR_MEMORY;
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *map = json_member(s->reader.files[f].document.root, "parameters");
        for (size_t i = 0; map && map->kind == JSON_OBJECT && i < map->count; i++)
            SN_TRY(read_parameter(s, def, &map->items[i]));
    }
    return check_sets(s, def);
}

/* ---- Going through the parts ---- */

static const json_node *part_of(const sn_scene *s, size_t file, size_t offset) {
    return *(const json_node *const *)((const char *)&s->roots[file] + offset);
}

const json_node *scene_find(const sn_scene *s, size_t offset, const char *name) {
    for (size_t f = s->reader.file_count; f-- > 0;) {
        const json_node *map = part_of(s, f, offset);
        const json_node *found = map ? json_member(map, name) : NULL;
        if (found) return found;
    }
    return NULL;
}

sn_result scene_complain_name(sn_scene *s, const json_node *node, const char *name, size_t offset,
                              const char *what) {
    suggestion guess = {0};
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *map = part_of(s, f, offset);
        for (size_t i = 0; map && i < map->count; i++) suggest(&guess, name, map->items[i].key);
    }
    if (guess.word)
        return scene_complain(&s->reader, node, "unknown %s \"%.64s\"; did you mean \"%s\"?", what,
                              name, guess.word);
    return scene_complain(&s->reader, node, "unknown %s \"%.64s\"", what, name);
}

sn_result scene_each(sn_scene *s, size_t offset, scene_visit *visit) {
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *list = part_of(s, f, offset);
        for (size_t i = 0; list && i < list->count; i++) SN_TRY(visit(s, &list->items[i]));
    }
    return SN_OK;
}

sn_result scene_check_name(sn_scene *s, const json_node *owner, const char *name) {
    bool good = *name != 0;
    for (const char *c = name; *c; c++)
        good = good &&
               (*c == '_' || *c == '-' || *c == ' ' || (unsigned char)*c >= 0x80 ||
                (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z'));
    if (good) return SN_OK;
    return scene_complain(&s->reader, owner,
                          "its name is \"%.64s\", expected letters, digits, _, - and spaces", name);
}

/* ---- Building ---- */

static sn_result check_files(sn_scene *s) {
    sn_result result = SN_OK;
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *root = s->reader.files[f].document.root;
        sn_result one = scene_read(&s->reader, root, &s->tables.root, NULL);
        if (one == SN_OK) one = scene_read(&s->reader, root, &s->tables.root, &s->roots[f]);
        if (one != SN_OK) result = one;
    }
    return result;
}

static sn_result make_world(sn_scene *s, const sn_scene_def *def) {
    sn_world_def world = sn_world_def_default();
    world.threads = def->threads;
    world.simd_width = def->simd_width;
    s->run = (scene_run){.frames = 100, .fps = 60};
    s->title = s->about = "";
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const scene_root *root = &s->roots[f];
        if (root->settings)
            SN_TRY(scene_read(&s->reader, root->settings, &scene_settings_object, &world.settings));
        if (root->run) SN_TRY(scene_read(&s->reader, root->run, &scene_run_object, &s->run));
        if (root->title) s->title = root->title;
        if (root->about) s->about = root->about;
    }
    if (def->fps > 0) s->run.fps = def->fps;
    const json_node *settings = s->roots[s->reader.file_count - 1].settings;
    sn_result result = sn_world_create(&world, &s->world);
    return result == SN_ERROR_VALUE && settings ? scene_complain_within(&s->reader, settings)
                                                : result;
}

static sn_result build(sn_scene *s) {
    static const struct {
        size_t offset;
        scene_visit *visit;
    } parts[] = {{offsetof(scene_root, bodies), scene_build_body},
                 {offsetof(scene_root, nodes), scene_build_node},
                 {offsetof(scene_root, constraints), scene_build_constraint},
                 {offsetof(scene_root, clusters), scene_build_cluster},
                 {offsetof(scene_root, forces), scene_build_force},
                 {offsetof(scene_root, motions), scene_build_motion},
                 {offsetof(scene_root, actions), scene_build_action},
                 {offsetof(scene_root, measure), scene_build_measure}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        SN_TRY(scene_each(s, parts[i].offset, parts[i].visit));
    return scene_name_columns(s);
}

static sn_result open_scene(sn_scene *s, const sn_scene_def *def) {
    SN_TRY(scene_tables_create(&s->tables));
    s->reader.files = scene_take(s, MOST_FILES, sizeof *s->reader.files);
    if (!s->reader.files) return SN_ERROR_MEMORY;
    SN_TRY(read_file(s, def->path, def->text, def->length, 0));
    s->roots = scene_take(s, s->reader.file_count, sizeof *s->roots);
    if (!s->roots) return SN_ERROR_MEMORY;
    SN_TRY(read_parameters(s, def));
    SN_TRY(check_files(s));
    SN_TRY(make_world(s, def));
    return build(s);
}

sn_scene_def sn_scene_def_default(void) {
    return (sn_scene_def){.size = sizeof(sn_scene_def), .threads = 1};
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
    if (def->fps < 0 || def->fps > 10000 || (def->set_count > 0 && !def->sets))
        return sn_fail(SN_ERROR_VALUE, "scene: fps is %d, expected 0 to 10000", def->fps);
    sn_scene *s = calloc(1, sizeof *s);
    if (!s) return sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
    s->reader.complaint = def->complaint;
    s->reader.user = def->user;
    sn_result result = open_scene(s, def);
    if (result == SN_OK)
        *scene = s;
    else
        sn_scene_close(s);
    return result;
}

void sn_scene_close(sn_scene *s) {
    if (!s) return;
    scene_free_meshes(s);
    sn_world_destroy(s->world);
    for (size_t i = 0; i < s->reader.file_count; i++) json_free(&s->reader.files[i].document);
    scene_tables_free(&s->tables);
    free(s->bodies.items);
    free(s->nodes.items);
    free(s->links.items);
    free(s->pins.items);
    for (size_t i = 0; i < s->forces.count; i++) free(s->forces.items[i].nodes.items);
    for (size_t i = 0; i < s->motions.count; i++) free(s->motions.items[i].nodes.items);
    for (size_t i = 0; i < s->measures.count; i++) free(s->measures.items[i].nodes.items);
    free(s->forces.items);
    free(s->motions.items);
    free(s->actions.items);
    free(s->measures.items);
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

int sn_scene_frames(const sn_scene *scene) {
    return scene ? scene->run.frames : 0;
}

int sn_scene_fps(const sn_scene *scene) {
    return scene ? scene->run.fps : 0;
}

bool sn_scene_parameter_at(const sn_scene *scene, size_t index, sn_scene_parameter *parameter) {
    if (!scene || !parameter || index >= scene->reader.parameter_count) return false;
    const scene_parameter *p = &scene->reader.parameters[index];
    const json_node *source = scene_find(scene, offsetof(scene_root, parameters), p->name);
    const json_node *unit = json_member(source, "unit"), *meaning = json_member(source, "meaning");
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
                            b->build.mass};
    return true;
}

bool sn_scene_find_camera(const sn_scene *scene, const char *name, sn_scene_camera *camera) {
    if (!scene || !name || !camera) return false;
    const json_node *node = scene_find(scene, offsetof(scene_root, cameras), name);
    if (!node) return false;
    scene_camera_part part = {.up = {0, 1, 0}, .field_of_view = (sn_real)0.6};
    scene_reader reader = scene->reader;
    if (scene_read(&reader, node, &scene_camera_object, &part) != SN_OK) return false;
    *camera = (sn_scene_camera){part.eye, part.target, part.up, part.field_of_view};
    return true;
}

int sn_scene_frame_number(const sn_scene *scene) {
    return scene ? (int)floor(sn_world_time(scene->world) * scene->run.fps + 0.5) : 0;
}

sn_result sn_scene_step(sn_scene *scene) {
    if (!scene) return sn_fail(SN_ERROR_NULL, "sn_scene_step: scene is null");
    double dt = 1.0 / scene->run.fps;
    SN_TRY(scene_act(scene, dt));
    return sn_world_step(scene->world, (sn_real)dt);
}

/* Loads the snapshot, and takes the world back where it is not one of this scene. */
static sn_result load_snapshot(sn_scene *s, const char *path, const void *before, size_t size) {
    sn_node_view view;
    SN_TRY(sn_world_nodes(s->world, &view));
    size_t slots = view.count;
    SN_TRY(sn_snapshot_load_file(s->world, path));
    SN_TRY(sn_world_nodes(s->world, &view));
    if (view.count == slots) return SN_OK;
    size_t found = view.count;
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
    return result;
}
