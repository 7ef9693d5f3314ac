/*
 * Animations of GLB files: reads what sampling needs, once. The mesh is that of the reader of
 * meshes, vertex by vertex; what it leaves out comes from here.
 *
 * All of it counts against the budget of the file, since samplers and targets may show the same
 * bytes many times.
 */
#include "io/animation/animation_glb.h"
#include "io/animation/animation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Numbers ---- */

/* All numbers of an accessor of a type, which are finite. */
static sn_result read_numbers(glb_file *glb, const json_node *node, const char *type, size_t *count,
                              double **values) {
    glb_accessor accessor;
    SN_TRY(sn_glb_accessor(glb, node, type, &accessor));
    size_t numbers = accessor.count * accessor.components;
    SN_TRY(sn_glb_spend(glb, node, numbers));
    *count = accessor.count;
    *values = sn_animation_take(numbers, sizeof **values);
    if (!*values) return SN_ERROR_MEMORY;
    SN_TRY(sn_glb_reals(glb, &accessor, *values));
    for (size_t i = 0; i < numbers; i++)
        if (!isfinite((*values)[i]))
            return sn_glb_fail(glb, node, "number %zu is %g, expected a finite one", i,
                               (*values)[i]);
    return SN_OK;
}

/* ---- Nodes ---- */

/* The morph targets of the mesh of a node: as many as its first primitive has. */
static sn_result read_weights(glb_file *glb, const json_node *node, gltf_node *to,
                              double **scratch) {
    const json_node *mesh;
    SN_TRY(sn_glb_item(glb, node, "mesh", glb->meshes, &mesh));
    const json_node *primitives = sn_json_member(mesh, "primitives");
    const json_node *targets = primitives && primitives->kind == JSON_ARRAY && primitives->count > 0
                                   ? sn_json_member(&primitives->items[0], "targets")
                                   : NULL;
    to->weight_count = targets && targets->kind == JSON_ARRAY ? targets->count : 0;
    SN_TRY(sn_glb_spend(glb, node, to->weight_count));
    to->weights = sn_animation_take(to->weight_count, sizeof *to->weights);
    *scratch = sn_animation_take(to->weight_count, sizeof **scratch);
    if (!to->weights || !*scratch) return SN_ERROR_MEMORY;
    const json_node *owner = sn_json_member(node, "weights") ? node : mesh;
    return to->weight_count > 0
               ? sn_glb_numbers(glb, owner, "weights", to->weight_count, to->weights)
               : SN_OK;
}

static sn_result read_node(glb_file *glb, gltf_motion *m, size_t index) {
    const json_node *node = &glb->nodes->items[index];
    const json_node *children = sn_json_member(node, "children");
    gltf_node *to = &m->nodes[index];
    to->is_matrix = sn_json_member(node, "matrix") != NULL;
    SN_TRY(sn_glb_numbers(glb, node, "matrix", 16, to->matrix));
    SN_TRY(sn_glb_place(glb, node, &to->place));
    SN_TRY(read_weights(glb, node, to, &m->weights[index]));
    for (size_t i = 0; children && children->kind == JSON_ARRAY && i < children->count; i++) {
        const json_node *item = &children->items[i];
        double number = item->kind == JSON_NUMBER ? item->number : -1;
        if (!(number >= 0 && number < (double)m->node_count && number == floor(number)))
            return sn_glb_fail(glb, item, "it is no node; there are %zu", m->node_count);
        gltf_node *child = &m->nodes[(size_t)number];
        if (child->parent != SIZE_MAX)
            return sn_glb_fail(glb, item, "node %zu has two parents", (size_t)number);
        child->parent = index;
    }
    return SN_OK;
}

/* Parents come before their children; a node on a loop comes never. */
static sn_result order_nodes(glb_file *glb, gltf_motion *m) {
    size_t count = 0;
    uint8_t *known = sn_animation_take(m->node_count, 1);
    size_t *path = sn_animation_take(m->node_count, sizeof *path);
    sn_result result = known && path ? SN_OK : SN_ERROR_MEMORY;
    for (size_t i = 0; result == SN_OK && i < m->node_count; i++) {
        size_t length = 0;
        for (size_t at = i; at != SIZE_MAX && !known[at] && length <= m->node_count;) {
            if (length == m->node_count) {
                result = sn_glb_fail(glb, &glb->nodes->items[i], "it is its own ancestor");
                break;
            }
            path[length++] = at;
            at = m->nodes[at].parent;
        }
        while (result == SN_OK && length > 0) {
            known[path[--length]] = 1;
            m->order[count++] = path[length];
        }
    }
    free(known);
    free(path);
    return result;
}

static sn_result read_nodes(glb_file *glb, gltf_motion *m) {
    m->node_count = glb->nodes ? glb->nodes->count : 0;
    m->nodes = sn_animation_take(m->node_count, sizeof *m->nodes);
    m->order = sn_animation_take(m->node_count, sizeof *m->order);
    m->places = sn_animation_take(m->node_count, sizeof *m->places);
    m->worlds = sn_animation_take(m->node_count, sizeof *m->worlds);
    m->weights = sn_animation_take(m->node_count, sizeof *m->weights);
    if (!m->nodes || !m->order || !m->places || !m->worlds || !m->weights) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < m->node_count; i++) m->nodes[i].parent = SIZE_MAX;
    for (size_t i = 0; i < m->node_count; i++) SN_TRY(read_node(glb, m, i));
    return order_nodes(glb, m);
}

/* ---- Skins ---- */

static sn_result read_skin(glb_file *glb, gltf_motion *m, size_t index) {
    const json_node *node = &glb->skins->items[index], *inverses;
    const json_node *joints = sn_json_member(node, "joints");
    gltf_skin *skin = &m->skins[index];
    if (!joints || joints->kind != JSON_ARRAY || joints->count == 0)
        return sn_glb_fail(glb, node, "it has no array joints");
    SN_TRY(sn_glb_spend(glb, node, 16 * (uint64_t)joints->count));
    skin->count = joints->count;
    skin->joints = sn_animation_take(skin->count, sizeof *skin->joints);
    skin->matrices = sn_animation_take(skin->count, sizeof *skin->matrices);
    if (!skin->joints || !skin->matrices) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < skin->count; i++) {
        const json_node *item = &joints->items[i];
        double number = item->kind == JSON_NUMBER ? item->number : -1;
        if (!(number >= 0 && number < (double)m->node_count && number == floor(number)))
            return sn_glb_fail(glb, item, "it is no node; there are %zu", m->node_count);
        skin->joints[i] = (size_t)number;
    }
    SN_TRY(sn_glb_item(glb, node, "inverseBindMatrices", glb->accessors, &inverses));
    if (!inverses) {
        skin->inverses = sn_animation_take(skin->count, sizeof *skin->inverses);
        for (size_t i = 0; skin->inverses && i < 16 * skin->count; i++)
            skin->inverses[i / 16][i % 16] = i % 16 % 5 == 0;
        return skin->inverses ? SN_OK : SN_ERROR_MEMORY;
    }
    size_t count;
    double *values = NULL;
    sn_result result = read_numbers(glb, inverses, "MAT4", &count, &values);
    skin->inverses = (double(*)[16])(void *)values;
    if (result == SN_OK && count < skin->count)
        result = sn_glb_fail(glb, inverses, "%zu matrices are for %zu joints", count, skin->count);
    return result;
}

static sn_result read_skins(glb_file *glb, gltf_motion *m) {
    m->skin_count = glb->skins ? glb->skins->count : 0;
    m->skins = sn_animation_take(m->skin_count, sizeof *m->skins);
    if (!m->skins) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < m->skin_count; i++) SN_TRY(read_skin(glb, m, i));
    return SN_OK;
}

/* ---- Vertices ---- */

static sn_result read_targets(glb_file *glb, const glb_part *part, gltf_run *run) {
    const json_node *targets = sn_json_member(part->primitive, "targets");
    size_t count = targets && targets->kind == JSON_ARRAY ? targets->count : 0;
    run->targets = sn_animation_take(count, sizeof *run->targets);
    if (!run->targets) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const json_node *moves;
        size_t vertices = run->count;
        SN_TRY(sn_glb_item(glb, &targets->items[i], "POSITION", glb->accessors, &moves));
        run->target_stored = i + 1;
        if (moves) {
            SN_TRY(read_numbers(glb, moves, "VEC3", &vertices, &run->targets[i]));
        } else {
            SN_TRY(sn_glb_spend(glb, &targets->items[i], 3 * vertices));
            run->targets[i] = sn_animation_take(vertices, 3 * sizeof **run->targets);
            if (!run->targets[i]) return SN_ERROR_MEMORY;
        }
        if (vertices != run->count)
            return sn_glb_fail(glb, &targets->items[i], "it moves %zu vertices, expected %zu",
                               vertices, run->count);
    }
    run->target_count = count;
    return SN_OK;
}

/* One set of four joints and weights per vertex. */
static sn_result read_influences(glb_file *glb, const glb_part *part, const gltf_skin *skin,
                                 size_t set, size_t sets, gltf_run *run) {
    const json_node *attributes = sn_json_member(part->primitive, "attributes");
    const json_node *joints, *weights;
    char key[32];
    double *j = NULL, *w = NULL;
    size_t counts[2] = {0, 0};
    snprintf(key, sizeof key, "JOINTS_%zu", set);
    SN_TRY(sn_glb_item(glb, attributes, key, glb->accessors, &joints));
    snprintf(key, sizeof key, "WEIGHTS_%zu", set);
    SN_TRY(sn_glb_item(glb, attributes, key, glb->accessors, &weights));
    if (!joints || !weights)
        return sn_glb_fail(glb, part->primitive, "its node has a skin, and it has no %s",
                           joints ? key : "JOINTS_0");
    sn_result result = read_numbers(glb, joints, "VEC4", &counts[0], &j);
    if (result == SN_OK) result = read_numbers(glb, weights, "VEC4", &counts[1], &w);
    if (result == SN_OK && (counts[0] != run->count || counts[1] != run->count))
        result = sn_glb_fail(glb, part->primitive, "%zu joints and %zu weights for %zu vertices",
                             counts[0], counts[1], run->count);
    for (size_t i = 0; result == SN_OK && i < 4 * run->count; i++) {
        size_t at = 4 * sets * (i / 4) + 4 * set + i % 4;
        if (w[i] != 0 && !(j[i] >= 0 && j[i] < (double)skin->count && j[i] == floor(j[i])))
            result = sn_glb_fail(glb, joints, "vertex %zu has joint %g, and the skin has %zu",
                                 i / 4, j[i], skin->count);
        else if (!(w[i] >= 0))
            result = sn_glb_fail(glb, weights, "vertex %zu has the weight %g, expected 0 or more",
                                 i / 4, w[i]);
        if (result != SN_OK) break;
        run->joints[at] = w[i] != 0 ? (uint32_t)j[i] : 0;
        run->weights[at] = w[i];
    }
    free(j);
    free(w);
    return result;
}

/* Weights that were rounded to bytes have a sum near 1. */
static void normalise_weights(gltf_run *run) {
    for (size_t i = 0; i < run->count; i++) {
        double *w = run->weights + run->influences * i, sum = 0;
        for (size_t k = 0; k < run->influences; k++) sum += w[k];
        for (size_t k = 0; sum > 0 && k < run->influences; k++) w[k] /= sum;
    }
}

static sn_result read_joints(glb_file *glb, const glb_part *part, gltf_motion *m, gltf_run *run) {
    const json_node *attributes = sn_json_member(part->primitive, "attributes"), *skin;
    char key[32];
    size_t sets = 0;
    run->skin = SIZE_MAX;
    SN_TRY(sn_glb_item(glb, part->node, "skin", glb->skins, &skin));
    if (!skin) return SN_OK;
    run->skin = skin->index;
    do {
        snprintf(key, sizeof key, "JOINTS_%zu", ++sets);
    } while (sn_json_member(attributes, key));
    SN_TRY(sn_glb_spend(glb, part->primitive, 8 * (uint64_t)sets * run->count));
    run->influences = 4 * sets;
    run->joints = sn_animation_take(run->influences * run->count, sizeof *run->joints);
    run->weights = sn_animation_take(run->influences * run->count, sizeof *run->weights);
    if (!run->joints || !run->weights) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < sets; i++)
        SN_TRY(read_influences(glb, part, &m->skins[run->skin], i, sets, run));
    normalise_weights(run);
    return SN_OK;
}

static sn_result read_run(glb_file *glb, const glb_part *part, gltf_motion *m, gltf_run *run) {
    const json_node *positions;
    *run = (gltf_run){
        .node = part->node->index, .skin = SIZE_MAX, .first = part->first, .count = part->count};
    SN_TRY(sn_glb_item(glb, sn_json_member(part->primitive, "attributes"), "POSITION",
                       glb->accessors, &positions));
    SN_TRY(read_numbers(glb, positions, "VEC3", &run->count, &run->x));
    SN_TRY(read_targets(glb, part, run));
    if (run->target_count != m->nodes[run->node].weight_count)
        return sn_glb_fail(glb, part->primitive, "it has %zu targets, and the mesh %zu",
                           run->target_count, m->nodes[run->node].weight_count);
    return read_joints(glb, part, m, run);
}

/* ---- Channels ---- */

static sn_result read_kind(const glb_file *glb, const json_node *sampler,
                           gltf_interpolation *kind) {
    static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    const json_node *name = sn_json_member(sampler, "interpolation");
    *kind = GLTF_LINEAR;
    if (!name) return SN_OK;
    for (int i = 0; name->kind == JSON_STRING && i < 3; i++) {
        *kind = (gltf_interpolation)i;
        if (strcmp(name->text, names[i]) == 0) return SN_OK;
    }
    return sn_glb_fail(glb, name, "found \"%.32s\", expected STEP, LINEAR or CUBICSPLINE",
                       name->kind == JSON_STRING ? name->text : "?");
}

static sn_result read_keys(glb_file *glb, const json_node *sampler, gltf_channel *c) {
    static const char *const types[] = {"VEC3", "VEC4", "VEC3", "SCALAR"};
    const json_node *input, *output;
    size_t values;
    SN_TRY(read_kind(glb, sampler, &c->interpolation));
    SN_TRY(sn_glb_item(glb, sampler, "input", glb->accessors, &input));
    SN_TRY(sn_glb_item(glb, sampler, "output", glb->accessors, &output));
    if (!input || !output)
        return sn_glb_fail(glb, sampler, "it has no %s", input ? "output" : "input");
    SN_TRY(read_numbers(glb, input, "SCALAR", &c->count, &c->times));
    SN_TRY(read_numbers(glb, output, types[c->path], &values, &c->values));
    if (c->count == 0) return sn_glb_fail(glb, input, "it has no times, expected one");
    for (size_t i = 1; i < c->count; i++)
        if (!(c->times[i] > c->times[i - 1]))
            return sn_glb_fail(glb, input, "time %zu is %g s after %g s, expected a later one", i,
                               c->times[i], c->times[i - 1]);
    size_t each = c->path == GLTF_WEIGHTS ? c->width : 1;
    size_t expected = c->count * each * (c->interpolation == GLTF_CUBIC ? 3 : 1);
    if (values == expected) return SN_OK;
    return sn_glb_fail(glb, output, "it has %zu values, expected %zu for %zu times", values,
                       expected, c->count);
}

/* False where a channel says nothing about where vertices are. */
static sn_result read_target(const glb_file *glb, const json_node *channel, gltf_motion *m,
                             gltf_channel *c, bool *is_known) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    const json_node *target = sn_json_member(channel, "target"), *node;
    const json_node *path = sn_json_member(target, "path");
    SN_TRY(sn_glb_item(glb, target, "node", glb->nodes, &node));
    *is_known = false;
    for (int i = 0; node && path && path->kind == JSON_STRING && i < GLTF_PATHS; i++)
        if (strcmp(path->text, paths[i]) == 0) {
            c->path = (gltf_path)i;
            *is_known = true;
        }
    if (!*is_known) return SN_OK;
    c->node = node->index;
    c->width = c->path == GLTF_ROTATION  ? 4
               : c->path == GLTF_WEIGHTS ? m->nodes[c->node].weight_count
                                         : 3;
    if (c->path == GLTF_WEIGHTS) *is_known = c->width > 0;
    if (c->path != GLTF_WEIGHTS && m->nodes[c->node].is_matrix)
        return sn_glb_fail(glb, channel, "node %zu has a matrix, which nothing can animate",
                           c->node);
    return SN_OK;
}

static sn_result read_channels(glb_file *glb, const json_node *clip, gltf_motion *m,
                               sn_io_animation *a) {
    const json_node *channels, *samplers, *sampler;
    SN_TRY(sn_glb_list(glb, clip, "channels", &channels));
    SN_TRY(sn_glb_list(glb, clip, "samplers", &samplers));
    size_t count = channels ? channels->count : 0;
    m->channels = sn_animation_take(count, sizeof *m->channels);
    if (!m->channels) return SN_ERROR_MEMORY;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        gltf_channel *c = &m->channels[m->channel_count];
        bool is_known;
        SN_TRY(sn_glb_item(glb, &channels->items[i], "sampler", samplers, &sampler));
        if (!sampler) return sn_glb_fail(glb, &channels->items[i], "it has no sampler");
        SN_TRY(read_target(glb, &channels->items[i], m, c, &is_known));
        if (!is_known) continue;
        m->channel_count++;
        SN_TRY(read_keys(glb, sampler, c));
        double first = c->times[0], last = c->times[c->count - 1];
        a->begin = any && a->begin < first ? a->begin : first;
        a->end = any && a->end > last ? a->end : last;
        any = true;
    }
    return SN_OK;
}

/* The animation of a name; the first without one, null where there is none at all. */
static sn_result find_clip(const glb_file *glb, const char *name, const json_node **clip) {
    size_t count = glb->animations ? glb->animations->count : 0;
    char known[160] = "";
    *clip = count > 0 ? &glb->animations->items[0] : NULL;
    if (!name) return SN_OK;
    for (size_t i = 0; i < count; i++) {
        const json_node *own = sn_json_member(&glb->animations->items[i], "name");
        *clip = &glb->animations->items[i];
        if (!own || own->kind != JSON_STRING) continue;
        if (strcmp(own->text, name) == 0) return SN_OK;
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s\"%.32s\"", used > 0 ? ", " : "", own->text);
    }
    return sn_fail(SN_ERROR_DATA, "%s: it has no animation \"%.64s\", only %s", glb->source->name,
                   name, known[0] ? known : "ones without names, or none");
}

/* ---- All of it ---- */

static void free_motion(void *state) {
    gltf_motion *m = state;
    if (!m) return;
    for (size_t i = 0; m->nodes && m->weights && i < m->node_count; i++) {
        free(m->nodes[i].weights);
        free(m->weights[i]);
    }
    for (size_t i = 0; m->channels && i < m->channel_count; i++) {
        free(m->channels[i].times);
        free(m->channels[i].values);
    }
    for (size_t i = 0; m->skins && i < m->skin_count; i++) {
        free(m->skins[i].joints);
        free(m->skins[i].inverses);
        free(m->skins[i].matrices);
    }
    for (size_t i = 0; m->runs && i < m->run_count; i++) {
        gltf_run *run = &m->runs[i];
        for (size_t k = 0; run->targets && k < run->target_stored; k++) free(run->targets[k]);
        free(run->targets);
        free(run->x);
        free(run->joints);
        free(run->weights);
    }
    void *const blocks[] = {m->nodes, m->order,  m->channels, m->skins,
                            m->runs,  m->places, m->worlds,   m->weights};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) free(blocks[i]);
    free(m);
}

static sn_result read_motion(glb_file *glb, const sn_io_animation_def *def, gltf_motion *m,
                             sn_io_animation *a) {
    const json_node *clip;
    SN_TRY(sn_glb_scene(glb));
    SN_TRY(read_nodes(glb, m));
    SN_TRY(read_skins(glb, m));
    const glb_part *parts = glb->parts->items;
    m->runs = sn_animation_take(glb->parts->count, sizeof *m->runs);
    if (!m->runs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < glb->parts->count; i++) {
        m->run_count = i + 1;
        SN_TRY(read_run(glb, &parts[i], m, &m->runs[i]));
    }
    SN_TRY(find_clip(glb, def->clip, &clip));
    return clip ? read_channels(glb, clip, m, a) : SN_OK;
}

sn_result sn_animation_open_glb(const sn_source *source, const sn_io_animation_def *def,
                                sn_io_build *build, sn_io_animation *a) {
    glb_file glb;
    sn_io_build_list parts = {0};
    gltf_motion *m = sn_animation_take(1, sizeof *m);
    if (!m) return SN_ERROR_MEMORY;
    a->state = m;
    a->free = free_motion;
    a->sample = sn_gltf_sample;
    sn_result result = sn_glb_begin(&glb, source, build);
    glb.parts = &parts;
    if (result == SN_OK) result = read_motion(&glb, def, m, a);
    a->point_count = build->mesh.vertex_count;
    sn_io_build_list_free(build, &parts);
    sn_glb_end(&glb);
    return result;
}
