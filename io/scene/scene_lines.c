/*
 * Lines of ropes and rods that come apart: those that were cut or broke are seen no more.
 *
 * A line is there for as long as the constraint that keeps its length: its own, or that of the
 * thread that it is a part of. Of a thread that was cut parts are left with constraints of their
 * own, so lines whose constraint has gone are looked for once more.
 */
#include "io/scene/scene_state.h"

#include <stdlib.h>

typedef struct line_key {
    uint64_t ends; /* slots of both nodes, the lower one first */
    uint32_t line;
} line_key;

struct scene_lines {
    line_key *keys;       /* in the order of ends */
    sn_constraint *keeps; /* by line; slot 0 where it was gone from the start */
    bool *is_left;        /* by line */
    uint32_t (*left)[2];
    size_t count;
};

static uint64_t ends_of(sn_node a, sn_node b) {
    uint64_t i = a.slot, j = b.slot;
    return i < j ? i << 32 | j : j << 32 | i;
}

static int compare_ends(const void *left, const void *right) {
    uint64_t a = ((const line_key *)left)->ends, b = ((const line_key *)right)->ends;
    return (a > b) - (a < b);
}

/* Notes who keeps a line, if there is one between two nodes. */
static void note_line(struct scene_lines *lines, sn_node a, sn_node b, sn_constraint constraint) {
    line_key key = {.ends = ends_of(a, b)};
    const line_key *at = bsearch(&key, lines->keys, lines->count, sizeof key, compare_ends);
    if (at) lines->keeps[at->line] = constraint;
}

/* The nodes of a constraint that may keep lines; 0 of any other. */
static size_t thread_of(const sn_scene *s, sn_constraint constraint, sn_node *nodes, size_t room) {
    sn_type type;
    size_t count = 0;
    if (sn_constraint_get_type(s->world, constraint, &type) != SN_OK) return 0;
    if (type != SN_TYPE_DISTANCE && type != SN_TYPE_STRETCH_SHEAR && type != SN_TYPE_LACE) return 0;
    return sn_constraint_get_nodes(s->world, constraint, nodes, room, &count) == SN_OK ? count : 0;
}

/* Finds who keeps which line; lines that nobody does have what they had. */
static sn_result match_lines(const sn_scene *s, struct scene_lines *lines) {
    size_t left = sn_world_constraint_count(s->world, SN_TYPE_COUNT);
    for (size_t slot = 0; left > 0; slot++) {
        sn_constraint constraint;
        sn_node few[2], *nodes = few;
        if (sn_world_constraint_at(s->world, slot, &constraint) != SN_OK) continue;
        left--;
        size_t count = thread_of(s, constraint, few, 2);
        if (count > 2) nodes = calloc(count, sizeof *nodes);
        if (!nodes)
            return sn_fail(SN_ERROR_MEMORY, "no memory for a thread through %zu nodes", count);
        if (count > 2) (void)thread_of(s, constraint, nodes, count);
        for (size_t n = 0; n + 1 < count; n++) note_line(lines, nodes[n], nodes[n + 1], constraint);
        if (count > 2) free(nodes);
    }
    return SN_OK;
}

sn_result sn_scene_find_lines(sn_scene *s, const scene_body *body, struct scene_lines **lines) {
    const sn_mesh *mesh = &body->mesh->mesh;
    size_t count = mesh->line_count;
    *lines = NULL;
    if (count == 0 || body->children) return SN_OK;
    if (body->kind != SN_KIND_ROPE && body->kind != SN_KIND_ROD) return SN_OK;
    struct scene_lines *made = sn_scene_take(s, 1, sizeof *made);
    if (!made) return SN_ERROR_MEMORY;
    *made = (struct scene_lines){.keys = sn_scene_take(s, count, sizeof *made->keys),
                                 .keeps = sn_scene_take(s, count, sizeof *made->keeps),
                                 .is_left = sn_scene_take(s, count, sizeof *made->is_left),
                                 .left = sn_scene_take(s, count, sizeof *made->left),
                                 .count = count};
    if (!made->keys || !made->keeps || !made->is_left || !made->left) return SN_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        made->keys[i] =
            (line_key){ends_of(body->nodes[mesh->lines[i][0]], body->nodes[mesh->lines[i][1]]), i};
        made->is_left[i] = true;
    }
    qsort(made->keys, count, sizeof *made->keys, compare_ends);
    *lines = made;
    return match_lines(s, made);
}

static bool is_kept(const sn_scene *s, const struct scene_lines *lines, size_t line) {
    return sn_constraint_is_valid(s->world, lines->keeps[line]);
}

sn_result sn_scene_follow_lines(const sn_scene *s, const scene_body *body,
                                struct scene_lines *lines, scene_lines_left *left) {
    bool lost = false;
    for (size_t i = 0; i < lines->count; i++)
        lost = lost || (lines->is_left[i] && !is_kept(s, lines, i));
    if (lost) SN_TRY(match_lines(s, lines));
    *left = (scene_lines_left){.line = (const uint32_t(*)[2])lines->left};
    for (size_t i = 0; i < lines->count; i++) {
        bool kept = is_kept(s, lines, i);
        left->changed = left->changed || kept != lines->is_left[i];
        lines->is_left[i] = kept;
        if (!kept) continue;
        for (int k = 0; k < 2; k++) lines->left[left->count][k] = body->mesh->mesh.lines[i][k];
        left->count++;
    }
    return SN_OK;
}

double sn_scene_line_length(const sn_scene *s, const struct scene_lines *lines, size_t line) {
    sn_type type;
    sn_real length[3] = {0};
    if (!lines->is_left[line]) return 0;
    if (sn_constraint_get_type(s->world, lines->keeps[line], &type) != SN_OK) return 0;
    if (type == SN_TYPE_LACE) return -1;
    if (sn_constraint_get_field(s->world, lines->keeps[line], "rest_length", length) != SN_OK)
        return 0;
    return (double)length[0];
}
