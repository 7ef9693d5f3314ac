#include "geometry/convex_hull.h"

#include "base/error.h"
#include "geometry/bounds.h"

#include <math.h>

#define NONE UINT32_MAX

typedef struct face {
    uint32_t v[3];      /* points, anticlockwise seen from outside */
    uint32_t beyond[3]; /* the face beyond side k, from v[k] to the next */
    sn_point normal;    /* of length 1 */
    double offset;      /* of the plane: normal . x */
    uint32_t outside;   /* the first point outside of it, of a chain; NONE */
    uint32_t mark;      /* of the last search that saw it */
    bool dead;
} face;

/* A side between what is seen of a point and what is not. */
typedef struct rim {
    uint32_t a, b;       /* points, as the face that is seen has them */
    uint32_t face, side; /* that is not seen, and which of its sides */
} rim;

typedef struct work {
    sn_memory *memory;
    const sn_vec3 *points;
    size_t count;
    uint32_t *next; /* chains of points */
    face *faces;
    size_t face_count, face_capacity;
    uint32_t *seen; /* faces, as a stack and a list */
    size_t seen_count, seen_capacity;
    rim *rims;
    size_t rim_count, rim_capacity;
    uint32_t *at; /* of each point: the new face whose first side begins there */
    double tolerance;
    uint32_t mark;
} work;

static sn_point point_at(const work *w, uint32_t i) {
    return sn_point_of(w->points[i]);
}

static double height_above(const face *f, sn_point x) {
    return sn_point_dot(f->normal, x) - f->offset;
}

/* ---- Faces ---- */

static bool add_face(work *w, uint32_t a, uint32_t b, uint32_t c) {
    if (!sn_reserve(w->memory, (void **)&w->faces, &w->face_capacity, w->face_count + 1,
                    sizeof *w->faces))
        return false;
    sn_point x = point_at(w, a), normal = sn_point_normal(x, point_at(w, b), point_at(w, c));
    double length = sn_point_length(normal);
    normal = length > 0 ? sn_point_scaled(normal, 1 / length) : (sn_point){0, 0, 0};
    w->faces[w->face_count++] = (face){.v = {a, b, c},
                                       .beyond = {NONE, NONE, NONE},
                                       .normal = normal,
                                       .offset = sn_point_dot(normal, x),
                                       .outside = NONE};
    return true;
}

/* Hangs a point on the first of some faces that it is outside of; otherwise it is forgotten. */
static void assign(work *w, uint32_t p, size_t first) {
    for (size_t i = first; i < w->face_count; i++) {
        face *f = &w->faces[i];
        if (f->dead || !(height_above(f, point_at(w, p)) > w->tolerance)) continue;
        w->next[p] = f->outside;
        f->outside = p;
        return;
    }
}

/* ---- The beginning ---- */

static uint32_t farthest(const work *w, double (*measure)(const work *, const sn_point *, uint32_t),
                         const sn_point *from, double *most) {
    uint32_t found = 0;
    *most = -1;
    for (uint32_t i = 0; i < w->count; i++) {
        double far = measure(w, from, i);
        if (!(far > *most)) continue;
        *most = far;
        found = i;
    }
    return found;
}

static double from_point(const work *w, const sn_point *x, uint32_t i) {
    return sn_point_length(sn_point_sub(point_at(w, i), x[0]));
}

static double from_line(const work *w, const sn_point *x, uint32_t i) {
    sn_point along = sn_point_sub(x[1], x[0]);
    sn_point across = sn_point_cross(sn_point_sub(point_at(w, i), x[0]), along);
    return sn_point_length(across) / sn_point_length(along);
}

static double from_plane(const work *w, const sn_point *x, uint32_t i) {
    sn_point normal = sn_point_normal(x[0], x[1], x[2]);
    return fabs(sn_point_dot(sn_point_sub(point_at(w, i), x[0]), normal)) / sn_point_length(normal);
}

/* Four points that are as far apart as it goes. */
static sn_result find_first(work *w, const char *what, uint32_t v[4]) {
    static const char *const flat[] = {"lie in one place", "lie on a line", "lie in a plane"};
    double (*const measure[])(const work *, const sn_point *, uint32_t) = {from_point, from_line,
                                                                           from_plane};
    sn_bounds all = sn_bounds_empty();
    for (uint32_t i = 0; i < w->count; i++) sn_bounds_add(&all, point_at(w, i));
    double size = sn_bounds_diagonal(all);
    w->tolerance = 1e-7 * size;
    sn_point x[4] = {all.low}, corner = all.low;
    double most;
    v[0] = farthest(w, from_point, &corner, &most);
    x[0] = point_at(w, v[0]);
    for (int k = 0; k < 3; k++) {
        v[k + 1] = farthest(w, measure[k], x, &most);
        x[k + 1] = point_at(w, v[k + 1]);
        if (!(most > 1e-5 * size))
            return sn_fail(SN_ERROR_DEGENERATE, "%s: the %zu points %s, expected a volume", what,
                           w->count, flat[k]);
    }
    if (sn_point_det(x[0], x[1], x[2], x[3]) > 0) {
        uint32_t kept = v[1];
        v[1] = v[2];
        v[2] = kept;
    }
    return SN_OK;
}

/* Faces of a tetrahedron whose last corner is below the first three: side k of one and the face
   beyond. */
static bool make_first(work *w, const uint32_t v[4]) {
    static const uint32_t corner[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
    static const uint32_t beyond[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    for (int i = 0; i < 4; i++) {
        if (!add_face(w, v[corner[i][0]], v[corner[i][1]], v[corner[i][2]])) return false;
        for (int k = 0; k < 3; k++) w->faces[i].beyond[k] = beyond[i][k];
    }
    for (uint32_t p = 0; p < w->count; p++) assign(w, p, 0);
    return true;
}

/* ---- A point more ---- */

static bool see(work *w, uint32_t f) {
    if (!sn_reserve(w->memory, (void **)&w->seen, &w->seen_capacity, w->seen_count + 1,
                    sizeof *w->seen))
        return false;
    w->faces[f].mark = w->mark;
    w->seen[w->seen_count++] = f;
    return true;
}

static bool add_rim(work *w, const face *from, uint32_t k, uint32_t beyond) {
    if (!sn_reserve(w->memory, (void **)&w->rims, &w->rim_capacity, w->rim_count + 1,
                    sizeof *w->rims))
        return false;
    uint32_t a = from->v[k], b = from->v[(k + 1) % 3], side = 0;
    while (side < 2 && w->faces[beyond].v[side] != b) side++;
    w->rims[w->rim_count++] = (rim){a, b, beyond, side};
    return true;
}

/* All faces that a point sees, from one of them on, and the rim about them. */
static bool look_from(work *w, uint32_t p, uint32_t f) {
    sn_point x = point_at(w, p);
    w->mark++;
    w->seen_count = w->rim_count = 0;
    if (!see(w, f)) return false;
    for (size_t i = 0; i < w->seen_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t other = w->faces[w->seen[i]].beyond[k];
            if (w->faces[other].mark == w->mark) continue;
            if (height_above(&w->faces[other], x) > w->tolerance && !see(w, other)) return false;
        }
    for (size_t i = 0; i < w->seen_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t other = w->faces[w->seen[i]].beyond[k];
            if (w->faces[other].mark == w->mark) continue;
            if (!add_rim(w, &w->faces[w->seen[i]], k, other)) return false;
        }
    return true;
}

/* Whether the rim is one ring, and a cone over it has faces with an area. */
static bool is_ring(work *w, uint32_t p) {
    bool good = w->rim_count >= 3;
    for (size_t i = 0; i < w->rim_count; i++) w->at[w->rims[i].a] = NONE;
    for (size_t i = 0; i < w->rim_count; i++) {
        rim *r = &w->rims[i];
        sn_point normal = sn_point_normal(point_at(w, r->a), point_at(w, r->b), point_at(w, p));
        good = good && w->at[r->a] == NONE;
        good = good && sn_point_length(normal) > w->tolerance * w->tolerance;
        w->at[r->a] = (uint32_t)i;
    }
    size_t gone = 0;
    for (uint32_t at = w->rims[0].a; good && gone <= w->rim_count; gone++) {
        at = w->rims[w->at[at]].b;
        if (at == w->rims[0].a) break;
    }
    return good && gone + 1 == w->rim_count;
}

/* A cone from the rim to the point, in place of what it sees. */
static bool add_cone(work *w, uint32_t p) {
    size_t first = w->face_count;
    if (!sn_reserve(w->memory, (void **)&w->faces, &w->face_capacity, first + w->rim_count,
                    sizeof *w->faces))
        return false;
    for (size_t i = 0; i < w->rim_count; i++) {
        rim *r = &w->rims[i];
        uint32_t made = (uint32_t)w->face_count;
        if (!add_face(w, r->a, r->b, p)) return false;
        w->faces[made].beyond[0] = r->face;
        w->faces[r->face].beyond[r->side] = made;
        w->at[r->a] = made;
    }
    for (size_t i = first; i < w->face_count; i++) {
        uint32_t after = w->at[w->faces[i].v[1]];
        w->faces[i].beyond[1] = after;
        w->faces[after].beyond[2] = (uint32_t)i;
    }
    for (size_t i = 0; i < w->seen_count; i++) w->faces[w->seen[i]].dead = true;
    for (size_t i = 0; i < w->seen_count; i++)
        for (uint32_t q = w->faces[w->seen[i]].outside, after; q != NONE; q = after) {
            after = w->next[q];
            if (q != p) assign(w, q, first);
        }
    return true;
}

/* Takes the farthest point off the chain of a face. */
static uint32_t take_farthest(work *w, face *f) {
    uint32_t *link = &f->outside, *best = link;
    double most = -1;
    for (; *link != NONE; link = &w->next[*link]) {
        double far = height_above(f, point_at(w, *link));
        if (!(far > most)) continue;
        most = far;
        best = link;
    }
    uint32_t p = *best;
    *best = w->next[p];
    return p;
}

static bool grow(work *w) {
    for (size_t i = 0; i < w->face_count; i++)
        while (!w->faces[i].dead && w->faces[i].outside != NONE) {
            uint32_t p = take_farthest(w, &w->faces[i]);
            if (!look_from(w, p, (uint32_t)i)) return false;
            /* Rounding has torn what it sees: the point is so close that it does not matter. */
            if (!is_ring(w, p)) continue;
            if (!add_cone(w, p)) return false;
        }
    return true;
}

/* ---- The end ---- */

static bool collect(work *w, sn_hull *hull) {
    size_t faces = 0, corners = 0;
    for (uint32_t i = 0; i < w->count; i++) w->at[i] = NONE;
    for (size_t i = 0; i < w->face_count; i++) {
        if (w->faces[i].dead) continue;
        faces++;
        for (int k = 0; k < 3; k++)
            if (w->at[w->faces[i].v[k]] == NONE) w->at[w->faces[i].v[k]] = (uint32_t)corners++;
    }
    if (!sn_reserve(w->memory, (void **)&hull->vertices, &hull->vertex_capacity, corners,
                    sizeof *hull->vertices) ||
        !sn_reserve(w->memory, (void **)&hull->triangles, &hull->triangle_capacity, faces,
                    sizeof *hull->triangles))
        return false;
    hull->vertex_count = corners;
    for (uint32_t i = 0; i < w->count; i++)
        if (w->at[i] != NONE) hull->vertices[w->at[i]] = w->points[i];
    for (size_t i = 0; i < w->face_count; i++) {
        if (w->faces[i].dead) continue;
        uint32_t *to = hull->triangles[hull->triangle_count++];
        for (int k = 0; k < 3; k++) to[k] = w->at[w->faces[i].v[k]];
    }
    return true;
}

sn_result sn_hull_create(sn_hull *hull, sn_memory *memory, const char *what, const sn_vec3 *points,
                         size_t count) {
    work w = {.memory = memory, .points = points, .count = count};
    *hull = (sn_hull){0};
    uint32_t v[4];
    SN_TRY(find_first(&w, what, v));
    w.next = sn_allocate(memory, count, sizeof *w.next);
    w.at = sn_allocate(memory, count, sizeof *w.at);
    bool done = w.next && w.at && make_first(&w, v) && grow(&w) && collect(&w, hull);
    sn_free(memory, w.next, count, sizeof *w.next);
    sn_free(memory, w.at, count, sizeof *w.at);
    sn_free(memory, w.faces, w.face_capacity, sizeof *w.faces);
    sn_free(memory, w.seen, w.seen_capacity, sizeof *w.seen);
    sn_free(memory, w.rims, w.rim_capacity, sizeof *w.rims);
    if (!done) sn_hull_free(hull, memory);
    return done ? SN_OK : SN_ERROR_MEMORY;
}

void sn_hull_free(sn_hull *hull, sn_memory *memory) {
    sn_free(memory, hull->vertices, hull->vertex_capacity, sizeof *hull->vertices);
    sn_free(memory, hull->triangles, hull->triangle_capacity, sizeof *hull->triangles);
    *hull = (sn_hull){0};
}
