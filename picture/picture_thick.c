#include "picture/picture_thick.h"

#include "picture/vec.h"

#include <sinew/support.h>

#include <stdlib.h>

static bool is_thick(const sn_io_shape *shape) {
    return shape->look && shape->look->thickness > 0 && shape->triangle_count > 0 &&
           shape->line_count == 0 && shape->positions && shape->triangles;
}

/* ---- The border ---- */

/* Neighbours that follow each vertex around a triangle. */
typedef struct followers {
    size_t *start;             /* one more than vertices */
    uint32_t *next, *triangle; /* and of which triangle they are */
} followers;

static bool find_followers(const sn_io_shape *shape, followers *f) {
    size_t n = shape->vertex_count, corners = 3 * shape->triangle_count;
    f->start = calloc(n + 2, sizeof *f->start);
    f->next = malloc((corners + 1) * sizeof *f->next);
    f->triangle = malloc((corners + 1) * sizeof *f->triangle);
    if (!f->start || !f->next || !f->triangle) return false;
    size_t *start = f->start + 1;
    for (size_t i = 0; i < corners; i++) start[shape->triangles[i / 3][i % 3] + 1]++;
    for (size_t i = 1; i <= n; i++) start[i] += start[i - 1];
    /* Filling moves the start of each vertex to that of the next. */
    for (size_t i = 0; i < corners; i++) {
        size_t at = start[shape->triangles[i / 3][i % 3]]++;
        f->next[at] = shape->triangles[i / 3][(i + 1) % 3];
        f->triangle[at] = (uint32_t)(i / 3);
    }
    return true;
}

static int count_of(const followers *f, uint32_t a, uint32_t b) {
    int count = 0;
    for (size_t i = f->start[a]; i < f->start[a + 1]; i++) count += f->next[i] == b;
    return count;
}

/* Edges of one triangle alone; how many there are. */
static size_t find_border(const followers *f, size_t vertices, uint32_t (*border)[3]) {
    size_t count = 0;
    for (uint32_t a = 0; a < vertices; a++)
        for (size_t i = f->start[a]; i < f->start[a + 1]; i++) {
            uint32_t b = f->next[i];
            if (count_of(f, a, b) + count_of(f, b, a) != 1) continue;
            border[count][0] = a;
            border[count][1] = b;
            border[count++][2] = f->triangle[i];
        }
    return count;
}

/* ---- Vertices ---- */

/* Of a thick shape: all vertices above, all below, and for each end of an edge of the border one
   above and one below, which are lit from the side. */
typedef struct thickening {
    const sn_io_shape *from;
    uint32_t (*border)[3]; /* the ends of edges, and their triangles */
    size_t edges, vertices, triangles;
    sn_vec3 *normals; /* of `from` */
    uint32_t *first;  /* of the border at each vertex of `from`; UINT32_MAX: none */
    /* The new arrays, in one block. */
    sn_vec3 *position, *normal, *velocity, *colour;
    uint32_t (*triangle)[3], *origin, *material;
    sn_real *strain, (*uv)[2];
} thickening;

static sn_vec3 vec3_of(vec a) {
    return (sn_vec3){(sn_real)a.x, (sn_real)a.y, (sn_real)a.z};
}

static void find_normals(thickening *t) {
    const sn_io_shape *s = t->from;
    for (size_t i = 0; i < s->vertex_count; i++) t->normals[i] = (sn_vec3){0, 0, 0};
    for (size_t i = 0; !s->normals && i < s->triangle_count; i++) {
        const uint32_t *c = s->triangles[i];
        vec a = vec_of(s->positions[c[0]]);
        vec n = cross(sub(vec_of(s->positions[c[1]]), a), sub(vec_of(s->positions[c[2]]), a));
        for (int k = 0; k < 3; k++) t->normals[c[k]] = vec3_of(add(vec_of(t->normals[c[k]]), n));
    }
    for (size_t i = 0; i < s->vertex_count; i++)
        t->normals[i] = vec3_of(unit(vec_of(s->normals ? s->normals[i] : t->normals[i])));
}

/* Numbers the vertices of the border, and says how many there are. */
static size_t number_border(thickening *t) {
    size_t count = 0;
    for (size_t i = 0; i < t->from->vertex_count; i++) t->first[i] = UINT32_MAX;
    for (size_t i = 0; i < 2 * t->edges; i++) {
        uint32_t *first = &t->first[t->border[i / 2][i % 2]];
        if (*first == UINT32_MAX) *first = (uint32_t)(2 * t->from->vertex_count + 2 * count++);
    }
    return count;
}

static void place(thickening *t, size_t vertex, uint32_t origin, float offset) {
    const sn_io_shape *s = t->from;
    vec n = vec_of(t->normals[origin]);
    sn_vec3 x = s->positions[origin];
    t->origin[vertex] = origin;
    t->position[vertex] = (sn_vec3){x.x + (sn_real)(offset * n.x), x.y + (sn_real)(offset * n.y),
                                    x.z + (sn_real)(offset * n.z)};
    t->normal[vertex] = t->normals[origin];
}

static void place_all(thickening *t) {
    uint32_t n = (uint32_t)t->from->vertex_count;
    float half = 0.5f * (float)t->from->look->thickness;
    for (uint32_t i = 0; i < n; i++) {
        place(t, i, i, half);
        place(t, n + i, i, -half);
        if (t->first[i] == UINT32_MAX) continue;
        place(t, t->first[i], i, half);
        place(t, t->first[i] + 1, i, -half);
        t->normal[t->first[i]] = t->normal[t->first[i] + 1] = (sn_vec3){0, 0, 0};
    }
    for (size_t i = 0; i < t->vertices; i++) {
        uint32_t from = t->origin[i];
        if (t->velocity) t->velocity[i] = t->from->velocities[from];
        if (t->strain) t->strain[i] = t->from->strain[from];
        if (t->colour) t->colour[i] = t->from->colours[from];
        for (int k = 0; t->uv && k < 2; k++) t->uv[i][k] = t->from->uvs[from][k];
    }
}

/* ---- Triangles ---- */

/* Both sides as they are, so that each shows its own colour. */
static void join_sides(thickening *t) {
    size_t count = t->from->triangle_count;
    for (size_t i = 0; i < 3 * count; i++) {
        uint32_t corner = t->from->triangles[i / 3][i % 3];
        t->triangle[i / 3][i % 3] = corner;
        t->triangle[count + i / 3][i % 3] = corner + (uint32_t)t->from->vertex_count;
    }
}

/* What lies between them, lit from where the sheet ends: across its edge. */
static void join_border(thickening *t) {
    uint32_t(*to)[3] = t->triangle + 2 * t->from->triangle_count;
    for (size_t i = 0; i < t->edges; i++) {
        uint32_t a = t->border[i][0], b = t->border[i][1], p = t->first[a], q = t->first[b];
        vec along = sub(vec_of(t->from->positions[b]), vec_of(t->from->positions[a]));
        vec up = add(vec_of(t->normals[a]), vec_of(t->normals[b])), out = cross(along, up);
        const uint32_t pieces[2][3] = {{p + 1, q + 1, q}, {p + 1, q, p}};
        for (int k = 0; k < 6; k++) to[2 * i + (size_t)k / 3][k % 3] = pieces[k / 3][k % 3];
        const uint32_t ends[4] = {p, p + 1, q, q + 1};
        for (int k = 0; k < 4; k++)
            t->normal[ends[k]] = vec3_of(add(vec_of(t->normal[ends[k]]), out));
    }
    for (size_t i = 2 * t->from->vertex_count; i < t->vertices; i++)
        t->normal[i] = vec3_of(unit(vec_of(t->normal[i])));
}

/* Both sides have that of the triangle, and so has what is between them. */
static void give_materials(thickening *t) {
    const uint32_t *from = t->from->triangle_materials;
    size_t count = t->from->triangle_count;
    for (size_t i = 0; t->material && i < count; i++)
        t->material[i] = t->material[count + i] = from[i];
    for (size_t i = 0; t->material && i < 2 * t->edges; i++)
        t->material[2 * count + i] = from[t->border[i / 2][2]];
}

/* ---- All of it ---- */

/* Room for all arrays, of which those of numbers with more bytes come first. */
static void *reserve(thickening *t) {
    size_t n = t->vertices, bytes = 4 * n * sizeof(sn_vec3) + 3 * n * sizeof(sn_real) +
                                    t->triangles * sizeof *t->triangle + n * sizeof *t->origin +
                                    t->triangles * sizeof *t->material;
    sn_vec3 *block = malloc(bytes + 1);
    if (!block) return NULL;
    t->position = block;
    t->normal = block + n;
    t->velocity = t->from->velocities ? block + 2 * n : NULL;
    t->colour = t->from->colours ? block + 3 * n : NULL;
    sn_real *numbers = (sn_real *)(block + 4 * n);
    t->strain = t->from->strain ? numbers : NULL;
    t->uv = t->from->uvs ? (sn_real(*)[2])(numbers + n) : NULL;
    t->origin = (uint32_t *)(numbers + 3 * n);
    t->triangle = (uint32_t(*)[3])(t->origin + n);
    t->material = t->from->triangle_materials ? (uint32_t *)t->triangle + 3 * t->triangles : NULL;
    return block;
}

static void *thicken(thickening *t, followers *f, sn_io_shape *shape) {
    size_t n = t->from->vertex_count;
    t->border = malloc((3 * t->from->triangle_count + 1) * sizeof *t->border);
    t->normals = malloc((n + 1) * sizeof *t->normals);
    t->first = malloc((n + 1) * sizeof *t->first);
    if (!t->border || !t->normals || !t->first || !find_followers(t->from, f)) return NULL;
    t->edges = find_border(f, n, t->border);
    t->vertices = 2 * n + 2 * number_border(t);
    t->triangles = 2 * (t->from->triangle_count + t->edges);
    void *block = reserve(t);
    if (!block) return NULL;
    find_normals(t);
    place_all(t);
    join_sides(t);
    join_border(t);
    give_materials(t);
    shape->triangle_materials = t->material;
    shape->vertex_count = t->vertices;
    shape->positions = t->position;
    shape->normals = t->normal;
    shape->velocities = t->velocity;
    shape->strain = t->strain;
    shape->uvs = (const sn_real(*)[2])t->uv;
    shape->colours = t->colour;
    shape->radii = NULL;
    shape->triangle_count = t->triangles;
    shape->triangles = (const uint32_t(*)[3])t->triangle;
    /* Normals say it all. */
    shape->creased = true;
    shape->crease_count = 0;
    return block;
}

/* Whether all triangles have their vertices, and there may be three times as many. */
static bool is_good(const sn_io_shape *shape) {
    if (shape->vertex_count > UINT32_MAX / 4 || shape->triangle_count > UINT32_MAX / 8)
        return false;
    for (size_t i = 0; i < 3 * shape->triangle_count; i++)
        if (shape->triangles[i / 3][i % 3] >= shape->vertex_count) return false;
    return true;
}

sn_result sn_thick_make(thick_frame *thick, sn_io_frame *frame, int *levels) {
    bool any = false;
    *thick = (thick_frame){.shape_count = frame->shape_count};
    for (size_t i = 0; i < frame->shape_count; i++) any = any || is_thick(&frame->shapes[i]);
    if (!any) return SN_OK;
    thick->shapes = malloc(frame->shape_count * sizeof *thick->shapes);
    thick->blocks = calloc(frame->shape_count, sizeof *thick->blocks);
    bool made = thick->shapes && thick->blocks;
    for (size_t i = 0; made && i < frame->shape_count; i++) {
        thick->shapes[i] = frame->shapes[i];
        /* Who draws says what is wrong with the others. */
        if (!is_thick(&frame->shapes[i]) || !is_good(&frame->shapes[i])) continue;
        thickening t = {.from = &frame->shapes[i]};
        followers f = {0};
        thick->blocks[i] = thicken(&t, &f, &thick->shapes[i]);
        made = thick->blocks[i] != NULL;
        levels[i] = 0;
        free(t.border);
        free(t.normals);
        free(t.first);
        free(f.start);
        free(f.next);
        free(f.triangle);
    }
    frame->shapes = thick->shapes;
    return made ? SN_OK : sn_fail(SN_ERROR_MEMORY, "there is no memory to draw a frame");
}

void sn_thick_free(thick_frame *thick) {
    for (size_t i = 0; thick->blocks && i < thick->shape_count; i++) free(thick->blocks[i]);
    free(thick->blocks);
    free(thick->shapes);
}
