/*
 * Lines of ropes and rods that come apart: those that were cut or broke are seen no more.
 *
 * A line is there for as long as the constraint that keeps its length. Where a blade passes
 * through one, all constraints go that have both of its ends: the length, and what bends and
 * twists with it.
 */
#include "io/scene/point.h"
#include "io/scene/scene_state.h"

#include <math.h>
#include <stdlib.h>

/* ---- Which are left ---- */

struct scene_lines {
    sn_constraint *keeps; /* by line; slot 0 where it was gone from the start */
    uint32_t (*left)[2];
    size_t left_count;
};

typedef struct line_key {
    uint64_t ends; /* slots of both nodes, the lower one first */
    uint32_t line;
} line_key;

static uint64_t ends_of(sn_node a, sn_node b) {
    uint64_t i = a.slot, j = b.slot;
    return i < j ? i << 32 | j : j << 32 | i;
}

static int compare_ends(const void *left, const void *right) {
    uint64_t a = ((const line_key *)left)->ends, b = ((const line_key *)right)->ends;
    return (a > b) - (a < b);
}

static bool keeps_length(const sn_scene *s, sn_constraint constraint, line_key *key) {
    sn_type type;
    sn_node nodes[2];
    size_t count = 0;
    if (sn_constraint_get_type(s->world, constraint, &type) != SN_OK) return false;
    if (type != SN_TYPE_DISTANCE && type != SN_TYPE_STRETCH_SHEAR) return false;
    if (sn_constraint_get_nodes(s->world, constraint, nodes, 2, &count) != SN_OK) return false;
    key->ends = ends_of(nodes[0], nodes[1]);
    return true;
}

/* Finds who keeps which line. */
static void match_lines(const sn_scene *s, const line_key *keys, size_t count,
                        sn_constraint *keeps) {
    size_t left = sn_world_constraint_count(s->world, SN_TYPE_COUNT);
    for (size_t slot = 0; left > 0; slot++) {
        sn_constraint constraint;
        line_key key, *at = NULL;
        if (sn_world_constraint_at(s->world, slot, &constraint) != SN_OK) continue;
        left--;
        if (keeps_length(s, constraint, &key))
            at = bsearch(&key, keys, count, sizeof *keys, compare_ends);
        if (at) keeps[at->line] = constraint;
    }
}

sn_result sn_scene_find_lines(sn_scene *s, const scene_body *body, struct scene_lines **lines) {
    const sn_mesh *mesh = &body->mesh->mesh;
    size_t count = mesh->line_count;
    *lines = NULL;
    if (count == 0 || body->slides || body->children) return SN_OK;
    if (body->kind != SN_KIND_ROPE && body->kind != SN_KIND_ROD) return SN_OK;
    struct scene_lines *made = sn_scene_take(s, 1, sizeof *made);
    line_key *keys = calloc(count, sizeof *keys);
    if (made) made->keeps = sn_scene_take(s, count, sizeof *made->keeps);
    if (made) made->left = sn_scene_take(s, count, sizeof *made->left);
    if (!made || !keys || !made->keeps || !made->left) {
        free(keys);
        return SN_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++)
        keys[i] =
            (line_key){ends_of(body->nodes[mesh->lines[i][0]], body->nodes[mesh->lines[i][1]]), i};
    qsort(keys, count, sizeof *keys, compare_ends);
    match_lines(s, keys, count, made->keeps);
    made->left_count = count;
    *lines = made;
    free(keys);
    return SN_OK;
}

bool sn_scene_line_is_left(const sn_scene *s, const struct scene_lines *lines, size_t line) {
    return sn_constraint_is_valid(s->world, lines->keeps[line]);
}

bool sn_scene_follow_lines(const sn_scene *s, const scene_body *body, struct scene_lines *lines,
                           const uint32_t (**left)[2], size_t *count) {
    const sn_mesh *mesh = &body->mesh->mesh;
    size_t before = lines->left_count, now = 0;
    for (size_t i = 0; i < mesh->line_count; i++) {
        if (!sn_scene_line_is_left(s, lines, i)) continue;
        lines->left[now][0] = mesh->lines[i][0];
        lines->left[now++][1] = mesh->lines[i][1];
    }
    lines->left_count = now;
    *left = (const uint32_t(*)[2])lines->left;
    *count = now;
    return now != before;
}

/* ---- Cuts ---- */

static bool crosses_triangle(const sn_io_point line[2], sn_io_point a, sn_io_point b,
                             sn_io_point c) {
    double below = sn_io_point_det(a, b, c, line[0]), above = sn_io_point_det(a, b, c, line[1]);
    if ((below > 0) == (above > 0)) return false;
    bool u = sn_io_point_det(line[0], line[1], a, b) > 0,
         v = sn_io_point_det(line[0], line[1], b, c) > 0;
    return u == v && v == (sn_io_point_det(line[0], line[1], c, a) > 0);
}

static bool crosses_blade(const sn_io_point line[2], const sn_blade_def *blade) {
    if (blade->kind == SN_BLADE_SWEEP) {
        sn_io_point a = sn_io_point_of(blade->from[0]), b = sn_io_point_of(blade->from[1]);
        sn_io_point c = sn_io_point_of(blade->to[0]), d = sn_io_point_of(blade->to[1]);
        return crosses_triangle(line, a, b, c) || crosses_triangle(line, c, b, d);
    }
    sn_io_point normal = sn_io_point_of(blade->normal), point = sn_io_point_of(blade->point);
    double from = sn_io_point_dot(normal, sn_io_point_sub(line[0], point));
    double to = sn_io_point_dot(normal, sn_io_point_sub(line[1], point));
    if ((from > 0) == (to > 0)) return false;
    if (blade->radius == SN_AUTO) return true;
    sn_io_point at = sn_io_point_add(
        line[0], sn_io_point_scaled(sn_io_point_sub(line[1], line[0]), from / (from - to)));
    return sn_io_point_length(sn_io_point_sub(at, point)) <= (double)blade->radius;
}

static bool has_both(const sn_node *nodes, size_t count, const sn_node ends[2]) {
    bool has[2] = {false, false};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) has[k] |= nodes[i].slot == ends[k].slot;
    return has[0] && has[1];
}

/* Removes all that has both ends of a line. */
static sn_result part_line(sn_scene *s, const sn_node ends[2]) {
    size_t left = sn_world_constraint_count(s->world, SN_TYPE_COUNT);
    for (size_t slot = 0; left > 0; slot++) {
        sn_constraint constraint;
        sn_node nodes[SN_MAX_NODES];
        size_t count = 0;
        if (sn_world_constraint_at(s->world, slot, &constraint) != SN_OK) continue;
        left--;
        sn_result result =
            sn_constraint_get_nodes(s->world, constraint, nodes, SN_MAX_NODES, &count);
        /* What is longer is a list, which is of no line. */
        if (result == SN_OK && count <= SN_MAX_NODES && has_both(nodes, count, ends))
            SN_TRY(sn_constraint_destroy(s->world, constraint));
    }
    return SN_OK;
}

sn_result sn_scene_cut_lines(sn_scene *s, const scene_body *body, const sn_blade_def *blade) {
    const sn_mesh *mesh = &body->mesh->mesh;
    sn_node_view view;
    SN_TRY(sn_world_nodes(s->world, &view));
    for (size_t i = 0; i < mesh->line_count; i++) {
        const sn_node ends[2] = {body->nodes[mesh->lines[i][0]], body->nodes[mesh->lines[i][1]]};
        sn_io_point line[2];
        bool there = true;
        for (int k = 0; k < 2; k++) {
            there &= sn_node_is_valid(s->world, ends[k]);
            sn_vec4 x = view.position[there ? ends[k].slot - 1 : 0];
            line[k] = sn_io_point_of((sn_vec3){x.x, x.y, x.z});
        }
        if (there && crosses_blade(line, blade)) SN_TRY(part_line(s, ends));
    }
    return SN_OK;
}
