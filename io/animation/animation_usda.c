/*
 * Animations of OpenUSD files: the points of all meshes, and the transforms above them, with
 * samples in time between which they go straight ahead. Topology stays.
 */
#include "io/animation/animation.h"

#include "io/animation/animation_glb.h"
#include "io/mesh/read_usda.h"

#include <math.h>
#include <stdlib.h>

/* Operations of transforms, by their names. */
typedef enum usda_operation {
    USDA_TRANSLATE,
    USDA_SCALE,
    USDA_TRANSFORM,
    USDA_ORIENT,
    USDA_ROTATE /* this and what follows: about one axis, or three in turn */
} usda_operation;

/* A value over time: one key where it does not change. */
typedef struct usda_keys {
    double *times; /* s */
    double *values;
    size_t count, width;
} usda_keys;

typedef struct usda_move {
    usda_operation operation;
    char axes[4]; /* of rotations, in the order in which they are made */
    bool is_inverse;
    usda_keys keys;
} usda_move;

typedef struct usda_place {
    size_t parent; /* SIZE_MAX: none, or the transforms above do not count */
    usda_move *moves;
    size_t move_count;
} usda_place;

/* Vertices that follow each other. */
typedef struct usda_run {
    size_t place, first;
    usda_keys keys; /* of the points */
} usda_run;

typedef struct usda_motion {
    usda_place *places;
    double (*worlds)[16]; /* scratch */
    size_t place_count;
    usda_run *runs;
    size_t run_count;
} usda_motion;

/* The most operations of a prim. */
enum { MOST_MOVES = 64 };

/* ---- Sampling ---- */

/* The number of a value at a time. */
static double value_at(const usda_keys *keys, size_t i, double share, size_t k) {
    const double *from = keys->values + i * keys->width + k;
    return share > 0 ? from[0] + share * (from[keys->width] - from[0]) : from[0];
}

static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* Multiplies from the left by a rotation about an axis, in degrees. */
static void rotate(char axis, double degrees, double m[16]) {
    double turns = degrees / 360, sine, cosine, before[16];
    turns -= floor(turns);
    uint64_t whole = (uint64_t)1 << 52;
    sn_turn((uint64_t)(turns * (double)whole + 0.5), whole, &sine, &cosine);
    int a = axis == 'X' ? 1 : axis == 'Y' ? 2 : 0, b = axis == 'X' ? 2 : axis == 'Y' ? 0 : 1;
    double r[16];
    memcpy(r, identity, sizeof r);
    memcpy(before, m, sizeof before);
    r[5 * a] = r[5 * b] = cosine;
    r[4 * a + b] = sine;
    r[4 * b + a] = 0 - sine;
    sn_glb_multiply(r, before, m);
}

/* The inverse of a matrix whose last row is 0 0 0 1; the identity where there is none. */
static void invert(double m[16]) {
    double c[9], out[16];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, p = (j + 1) % 3, q = (j + 2) % 3;
            c[3 * i + j] = m[4 * a + p] * m[4 * b + q] - m[4 * a + q] * m[4 * b + p];
        }
    double determinant = m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
    memcpy(out, identity, sizeof out);
    for (int i = 0; determinant != 0 && i < 3; i++)
        for (int j = 0; j < 3; j++) out[4 * i + j] = c[3 * j + i] / determinant;
    for (int j = 0; determinant != 0 && j < 3; j++)
        out[12 + j] = 0 - (out[j] * m[12] + out[4 + j] * m[13] + out[8 + j] * m[14]);
    memcpy(m, out, sizeof out);
}

static void move_matrix(const usda_move *move, double time, double m[16]) {
    double share, v[16] = {0};
    size_t i = sn_animation_find(move->keys.times, move->keys.count, time, &share);
    memcpy(m, identity, 16 * sizeof *m);
    for (size_t k = 0; k < move->keys.width; k++) v[k] = value_at(&move->keys, i, share, k);
    if (move->operation == USDA_ORIENT) {
        /* The real part comes first in the file. */
        const double *p = move->keys.values + 4 * i, *q = share > 0 ? p + 4 : p;
        const double from[4] = {p[1], p[2], p[3], p[0]}, to[4] = {q[1], q[2], q[3], q[0]};
        glb_place place = {.s = {1, 1, 1}};
        sn_gltf_turn_between(from, to, share, place.q);
        sn_glb_place_matrix(&place, m);
    }
    for (int k = 0; move->operation == USDA_TRANSLATE && k < 3; k++) m[12 + k] = v[k];
    for (int k = 0; move->operation == USDA_SCALE && k < 3; k++) m[5 * k] = v[k];
    /* Rows of USD are columns here: its vectors stand before the matrix. */
    if (move->operation == USDA_TRANSFORM) memcpy(m, v, sizeof v);
    for (size_t k = 0; move->operation == USDA_ROTATE && k < move->keys.width; k++) {
        char axis = move->axes[k];
        rotate(axis, move->keys.width == 1 ? v[0] : v[axis - 'X'], m);
    }
    if (move->is_inverse) invert(m);
}

static void place_all(usda_motion *m, double time) {
    for (size_t i = 0; i < m->place_count; i++) {
        const usda_place *place = &m->places[i];
        double *world = m->worlds[i], own[16], before[16];
        memcpy(world, place->parent == SIZE_MAX ? identity : m->worlds[place->parent], sizeof own);
        for (size_t k = 0; k < place->move_count; k++) {
            move_matrix(&place->moves[k], time, own);
            memcpy(before, world, sizeof before);
            sn_glb_multiply(before, own, world);
        }
    }
}

static void sample_usda(void *state, double time, double *x) {
    usda_motion *m = state;
    place_all(m, time);
    for (size_t r = 0; r < m->run_count; r++) {
        const usda_run *run = &m->runs[r];
        const double *w = m->worlds[run->place];
        double share;
        size_t i = sn_animation_find(run->keys.times, run->keys.count, time, &share);
        for (size_t n = 0; n < run->keys.width / 3; n++) {
            double p[3];
            for (size_t k = 0; k < 3; k++) p[k] = value_at(&run->keys, i, share, 3 * n + k);
            for (size_t k = 0; k < 3; k++)
                x[3 * (run->first + n) + k] =
                    w[k] * p[0] + w[4 + k] * p[1] + w[8 + k] * p[2] + w[12 + k];
        }
    }
}

/* ---- Reading ---- */

static sn_result fail(const usda_document *d, usda_word at, const char *problem) {
    return sn_text_fail(&d->text, at.at, "\"%.*s\" %s", at.length < 64 ? (int)at.length : 64, at.at,
                        problem);
}

/* The samples of an attribute, which all have so many numbers; 0: as many as the first. */
static sn_result read_keys(const usda_document *d, const usda_property *p, size_t width,
                           usda_keys *keys) {
    const usda_value *values = d->values.items + p->first;
    if (p->count == 0) return fail(d, p->name, "has no samples, expected one");
    keys->count = p->count;
    keys->width = width > 0 ? width : values[0].count;
    keys->times = sn_animation_take(keys->count, sizeof *keys->times);
    keys->values = sn_animation_take(keys->count * keys->width, sizeof *keys->values);
    if (!keys->times || !keys->values) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < p->count; i++) {
        if (values[i].count != keys->width)
            return sn_text_fail(&d->text, p->name.at,
                                "\"%.*s\" has %zu numbers at %g, expected %zu as before",
                                p->name.length < 64 ? (int)p->name.length : 64, p->name.at,
                                values[i].count, values[i].time, keys->width);
        keys->times[i] = values[i].time / d->codes_per_second;
        if (!isfinite(keys->times[i]))
            return sn_text_fail(&d->text, p->name.at, "the time of sample %zu is %g s, too large",
                                i, keys->times[i]);
        if (keys->width > 0)
            memcpy(keys->values + i * keys->width, d->numbers.items + values[i].first,
                   keys->width * sizeof *keys->values);
    }
    return SN_OK;
}

/* How many numbers an operation has; 0 for one that is not known. */
static size_t find_operation(usda_word type, usda_move *move) {
    static const struct {
        const char *name;
        usda_operation operation;
        size_t width;
        const char *axes;
    } known[] = {{"translate", USDA_TRANSLATE, 3, ""},  {"scale", USDA_SCALE, 3, ""},
                 {"transform", USDA_TRANSFORM, 16, ""}, {"orient", USDA_ORIENT, 4, ""},
                 {"rotateX", USDA_ROTATE, 1, "X"},      {"rotateY", USDA_ROTATE, 1, "Y"},
                 {"rotateZ", USDA_ROTATE, 1, "Z"},      {"rotateXYZ", USDA_ROTATE, 3, "XYZ"},
                 {"rotateXZY", USDA_ROTATE, 3, "XZY"},  {"rotateYXZ", USDA_ROTATE, 3, "YXZ"},
                 {"rotateYZX", USDA_ROTATE, 3, "YZX"},  {"rotateZXY", USDA_ROTATE, 3, "ZXY"},
                 {"rotateZYX", USDA_ROTATE, 3, "ZYX"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!sn_usda_is(type, known[i].name)) continue;
        move->operation = known[i].operation;
        memcpy(move->axes, known[i].axes, strlen(known[i].axes));
        return known[i].width;
    }
    return 0;
}

static void free_keys(usda_keys *keys) {
    free(keys->times);
    free(keys->values);
    *keys = (usda_keys){0};
}

static void free_moves(usda_place *place) {
    while (place->move_count > 0) free_keys(&place->moves[--place->move_count].keys);
}

/* One name of xformOpOrder, without its quotes. */
static sn_result read_move(const usda_document *d, size_t node, usda_word name, usda_place *place) {
    static const char inverse[] = "!invert!", prefix[] = "xformOp:";
    size_t mark = sizeof inverse - 1, head = sizeof prefix - 1;
    if (sn_usda_is(name, "!resetXformStack!")) {
        place->parent = SIZE_MAX;
        free_moves(place);
        return SN_OK;
    }
    usda_move *move = &place->moves[place->move_count];
    move->is_inverse = name.length > mark && memcmp(name.at, inverse, mark) == 0;
    if (move->is_inverse) name = (usda_word){name.at + mark, name.length - mark};
    usda_word type = {name.at + head, 0};
    if (name.length <= head || memcmp(name.at, prefix, head) != 0)
        return fail(d, name, "is no operation of a transform");
    while (type.length < name.length - head && type.at[type.length] != ':') type.length++;
    size_t width = find_operation(type, move);
    if (width == 0) return fail(d, name, "is no operation of a transform that is known");
    const usda_property *property = sn_usda_find(d, node, name.at, name.length);
    if (!property) return fail(d, name, "is in xformOpOrder, and has no value");
    place->move_count++;
    return read_keys(d, property, width, &move->keys);
}

/* The operations are what is between quotes in the value of xformOpOrder. */
static sn_result read_place(const usda_document *d, size_t node, usda_place *place) {
    usda_word order = d->nodes.items[node].operations;
    size_t quotes = 0, seen = 0;
    place->parent = d->nodes.items[node].parent;
    for (size_t i = 0; i < order.length; i++) quotes += order.at[i] == '"';
    if (quotes / 2 > MOST_MOVES || quotes % 2 != 0)
        return sn_text_fail(&d->text, order.at, "%zu operations, expected at most %d", quotes / 2,
                            MOST_MOVES);
    place->moves = sn_animation_take(quotes / 2, sizeof *place->moves);
    if (!place->moves) return SN_ERROR_MEMORY;
    usda_word name = {NULL, 0};
    for (size_t i = 0; i < order.length; i++) {
        if (order.at[i] != '"') continue;
        if (seen++ % 2 == 0) {
            name.at = order.at + i + 1;
            continue;
        }
        name.length = (size_t)(order.at + i - name.at);
        SN_TRY(read_move(d, node, name, place));
    }
    return SN_OK;
}

/* ---- Meshes ---- */

static sn_result add_points(const usda_document *d, const usda_run *run, const double world[16],
                            sn_io_build *build) {
    for (size_t i = 0; i < run->keys.width / 3; i++) {
        const double *p = run->keys.values + 3 * i, *w = world;
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = w[k] * p[0] + w[4 + k] * p[1] + w[8 + k] * p[2] + w[12 + k];
        sn_vec3 position = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
        if (!isfinite(position.x) || !isfinite(position.y) || !isfinite(position.z))
            return sn_text_fail(&d->text, d->nodes.items[run->place].name.at,
                                "point %zu is at %g %g %g, expected finite numbers", i, x[0], x[1],
                                x[2]);
        SN_TRY(sn_io_build_vertex(build, position));
    }
    return SN_OK;
}

static sn_result add_mesh(const usda_document *d, const sn_source *source, usda_motion *m,
                          size_t node, sn_io_build *build) {
    const usda_node *prim = &d->nodes.items[node];
    const usda_property *points = sn_usda_find(d, node, "points", 6);
    usda_run *run = &m->runs[m->run_count++];
    *run = (usda_run){.place = node, .first = build->mesh.vertex_count};
    if (prim->skeleton)
        return sn_text_fail(&d->text, prim->skeleton,
                            "the mesh is moved by a skeleton, which cannot be read; bake it to "
                            "points");
    if (!points) return sn_text_fail(&d->text, prim->name.at, "the mesh has no points");
    SN_TRY(read_keys(d, points, 0, &run->keys));
    if (run->keys.width % 3 != 0)
        return sn_text_fail(&d->text, points->name.at, "%zu coordinates, expected three each",
                            run->keys.width);
    SN_TRY(add_points(d, run, m->worlds[node], build));
    return sn_usda_add_mesh(&(usda_geometry){.document = d,
                                             .source = source,
                                             .build = build,
                                             .node = node,
                                             .first = (uint32_t)run->first,
                                             .points = run->keys.width / 3});
}

/* ---- All of it ---- */

static void free_motion(void *state) {
    usda_motion *m = state;
    if (!m) return;
    for (size_t i = 0; m->places && i < m->place_count; i++) {
        free_moves(&m->places[i]);
        free(m->places[i].moves);
    }
    for (size_t i = 0; m->runs && i < m->run_count; i++) free_keys(&m->runs[i].keys);
    free(m->places);
    free(m->worlds);
    free(m->runs);
    free(m);
}

static void widen(const usda_keys *keys, bool *any, sn_io_animation *a) {
    if (keys->count < 2) return;
    double first = keys->times[0], last = keys->times[keys->count - 1];
    a->begin = *any && a->begin < first ? a->begin : first;
    a->end = *any && a->end > last ? a->end : last;
    *any = true;
}

static sn_result read_motion(const usda_document *d, const sn_source *source, usda_motion *m,
                             sn_io_build *build, sn_io_animation *a) {
    size_t meshes = 0;
    bool any = false;
    m->places = sn_animation_take(d->nodes.count, sizeof *m->places);
    m->worlds = sn_animation_take(d->nodes.count, sizeof *m->worlds);
    if (!m->places || !m->worlds) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < d->nodes.count; i++) {
        const usda_node *node = &d->nodes.items[i];
        m->place_count = i + 1;
        SN_TRY(read_place(d, i, &m->places[i]));
        meshes += sn_usda_is(node->type, "Mesh") && !node->is_class;
    }
    m->runs = sn_animation_take(meshes, sizeof *m->runs);
    if (!m->runs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < m->place_count; i++)
        for (size_t k = 0; k < m->places[i].move_count; k++)
            widen(&m->places[i].moves[k].keys, &any, a);
    place_all(m, a->begin);
    for (size_t i = 0; i < d->nodes.count; i++) {
        const usda_node *node = &d->nodes.items[i];
        if (sn_usda_is(node->type, "Mesh") && !node->is_class)
            SN_TRY(add_mesh(d, source, m, i, build));
    }
    for (size_t i = 0; i < m->run_count; i++) widen(&m->runs[i].keys, &any, a);
    /* What is still at its ends goes on to be shown there. */
    double start = d->start / d->codes_per_second, end = d->end / d->codes_per_second;
    if (any && start < a->begin && isfinite(start)) a->begin = start;
    if (any && end > a->end && isfinite(end)) a->end = end;
    if (m->run_count > 0) return SN_OK;
    return sn_text_fail(&d->text, d->text.begin, "the file has no mesh");
}

sn_result sn_animation_open_usda(const sn_source *source, const sn_io_animation_def *def,
                                 sn_io_build *build, sn_io_animation *a) {
    usda_document d;
    (void)def;
    usda_motion *m = sn_animation_take(1, sizeof *m);
    if (!m) return SN_ERROR_MEMORY;
    a->state = m;
    a->free = free_motion;
    a->sample = sample_usda;
    sn_result result = sn_usda_parse(source->name, source->data, source->size, &d);
    if (result == SN_OK) result = read_motion(&d, source, m, build, a);
    a->point_count = build->mesh.vertex_count;
    a->scale *= d.metres_per_unit;
    a->up = d.up == 'Z' ? SN_IO_UP_Z : d.up == 'X' ? SN_IO_UP_X : SN_IO_UP_Y;
    sn_usda_free(&d);
    return result;
}
