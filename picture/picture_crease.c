#include "picture/picture_crease.h"

#include <stdlib.h>

/* Cosines: a vertex lies on an edge where the normal of a face is further than this from the mean
   of all; and faces that are closer to each other than that are one surface there. */
static const float edge_cosine = 0.766f, surface_cosine = 0.5f;

/* Whether a vertex may lie on an edge, and whether it does. */
enum { SMOOTH, POSSIBLE, EDGE };

typedef struct crease_work {
    const sn_io_shape *shape;
    const vec *points, *normals;
    unsigned char *kind; /* of vertices */
    uint32_t *start;     /* of the triangles around a vertex in the next; one more than vertices */
    uint32_t *around;
} crease_work;

/* Where nobody says which edges are hard, any may be. */
static void mark_possible(crease_work *w) {
    const sn_io_shape *shape = w->shape;
    for (size_t i = 0; !shape->creased && i < shape->vertex_count; i++) w->kind[i] = POSSIBLE;
    for (size_t i = 0; shape->creased && i < shape->crease_count; i++)
        w->kind[shape->creases[i][0]] = w->kind[shape->creases[i][1]] = POSSIBLE;
}

static void mark_edges(crease_work *w) {
    for (size_t i = 0; i < w->shape->triangle_count; i++) {
        const uint32_t *t = w->shape->triangles[i];
        if (!(w->kind[t[0]] | w->kind[t[1]] | w->kind[t[2]])) continue;
        vec face = unit(stage_area(w->points, t));
        if (!(dot(face, face) > 0)) continue;
        for (int k = 0; k < 3; k++)
            if (w->kind[t[k]] == POSSIBLE && !(dot(w->normals[t[k]], face) > edge_cosine))
                w->kind[t[k]] = EDGE;
    }
}

static bool has_edge(const crease_work *w, size_t triangle) {
    const uint32_t *t = w->shape->triangles[triangle];
    return w->kind[t[0]] == EDGE || w->kind[t[1]] == EDGE || w->kind[t[2]] == EDGE;
}

/* Which triangles are around the vertices of edges; says how many have one. */
static bool find_around(crease_work *w, size_t *count) {
    const sn_io_shape *shape = w->shape;
    *count = 0;
    for (size_t i = 0; i < shape->triangle_count; i++) {
        *count += has_edge(w, i);
        for (int k = 0; k < 3; k++) {
            uint32_t v = shape->triangles[i][k];
            if (w->kind[v] == EDGE) w->start[v + 1]++;
        }
    }
    if (!*count) return true;
    for (size_t i = 0; i < shape->vertex_count; i++) w->start[i + 1] += w->start[i];
    w->around = malloc((size_t)w->start[shape->vertex_count] * sizeof *w->around);
    if (!w->around) return false;
    /* The start of each is kept one place further, where writing makes it the start of the next. */
    for (size_t i = shape->vertex_count; i > 0; i--) w->start[i] = w->start[i - 1];
    for (size_t i = 0; i < shape->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t v = shape->triangles[i][k];
            if (w->kind[v] == EDGE) w->around[w->start[v + 1]++] = (uint32_t)i;
        }
    return true;
}

/* The mean of the faces around a vertex that are one surface with this one; large ones count
   more. */
static vec corner_normal(const crease_work *w, uint32_t vertex, vec face) {
    vec sum = {0, 0, 0};
    for (uint32_t i = w->start[vertex]; i < w->start[vertex + 1]; i++) {
        vec n = stage_area(w->points, w->shape->triangles[w->around[i]]);
        float turn = dot(n, face), least = surface_cosine * surface_cosine;
        if (turn > 0 && turn * turn > least * dot(n, n) * dot(face, face)) sum = add(sum, n);
    }
    return dot(sum, sum) > 0 ? unit(sum) : w->normals[vertex];
}

static bool add_corners(stage *s, const stage_part *part, const crease_work *w, size_t count) {
    vec(*corners)[3] = realloc(s->corners, (s->corner_count + count) * sizeof *corners);
    if (!corners) return false;
    s->corners = corners;
    for (size_t i = 0; i < w->shape->triangle_count; i++) {
        if (!has_edge(w, i)) continue;
        const uint32_t *t = w->shape->triangles[i];
        vec face = stage_area(w->points, t);
        for (int k = 0; k < 3; k++)
            corners[s->corner_count][k] =
                w->kind[t[k]] == EDGE ? corner_normal(w, t[k], face) : w->normals[t[k]];
        s->corners_of[part->triangles + i] = (uint32_t)s->corner_count++;
    }
    return true;
}

bool sn_crease_find(stage *s, const stage_part *part) {
    const sn_io_shape *shape = part->shape;
    for (uint32_t i = part->triangles; i < part->end; i++) s->corners_of[i] = STAGE_NOTHING;
    if (!shape->triangle_count || (shape->creased && !shape->crease_count)) return true;
    crease_work work = {.shape = shape,
                        .points = s->points + part->first_vertex,
                        .normals = s->normals + part->first_vertex,
                        .kind = calloc(shape->vertex_count, sizeof *work.kind),
                        .start = calloc(shape->vertex_count + 1, sizeof *work.start)};
    size_t count = 0;
    bool good = work.kind && work.start;
    if (good) {
        mark_possible(&work);
        mark_edges(&work);
        good = find_around(&work, &count);
    }
    if (good && count) good = add_corners(s, part, &work, count);
    free(work.kind);
    free(work.start);
    free(work.around);
    return good;
}
