#include "io/scene/scene_children.h"

#include "io/scene/point.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

/* ---- Guides ---- */

/* Guides next to a guide that a child may share. */
enum { NEAR = 6 };

typedef struct root {
    sn_io_point at;
    double along; /* the widest side of all of them */
    uint32_t guide;
} root;

static int compare_roots(const void *left, const void *right) {
    const root *a = left, *b = right;
    if (a->along != b->along) return a->along < b->along ? -1 : 1;
    return (a->guide > b->guide) - (a->guide < b->guide);
}

static size_t length_of(const scene_children *c, uint32_t guide) {
    return c->guides.start[guide + 1] - c->guides.start[guide];
}

/* Along their widest side. */
static void sort_roots(const scene_children *c, const sn_vec3 *x, root *roots) {
    double least[3] = {0}, most[3] = {0};
    for (uint32_t g = 0; g < c->guides.count; g++) {
        roots[g] =
            (root){.at = sn_io_point_of(x[c->guides.vertices[c->guides.start[g]]]), .guide = g};
        const double at[3] = {roots[g].at.x, roots[g].at.y, roots[g].at.z};
        for (int k = 0; k < 3; k++) {
            if (g == 0 || at[k] < least[k]) least[k] = at[k];
            if (g == 0 || at[k] > most[k]) most[k] = at[k];
        }
    }
    int widest = 0;
    for (int k = 1; k < 3; k++)
        if (most[k] - least[k] > most[widest] - least[widest]) widest = k;
    for (uint32_t g = 0; g < c->guides.count; g++) {
        const double at[3] = {roots[g].at.x, roots[g].at.y, roots[g].at.z};
        roots[g].along = at[widest];
    }
    qsort(roots, c->guides.count, sizeof *roots, compare_roots);
}

typedef struct nearest {
    const root *items[NEAR];
    double square[NEAR]; /* of the distance */
    size_t count;
} nearest;

static double square_between(const root *a, const root *b) {
    sn_io_point d = sn_io_point_sub(a->at, b->at);
    return sn_io_point_dot(d, d);
}

/* Nearer ones first, and of those as near the lower number. */
static void meet(nearest *n, const root *from, const root *other) {
    double square = square_between(from, other);
    size_t at = n->count;
    while (at > 0 && (square < n->square[at - 1] ||
                      (square == n->square[at - 1] && other->guide < n->items[at - 1]->guide)))
        at--;
    if (at == NEAR) return;
    if (n->count < NEAR) n->count++;
    for (size_t i = n->count - 1; i > at; i--) {
        n->items[i] = n->items[i - 1];
        n->square[i] = n->square[i - 1];
    }
    n->items[at] = other;
    n->square[at] = square;
}

/* To both sides in the sorted list, until all that is left is farther along it alone. */
static nearest find_nearest(const root *roots, size_t count, size_t from) {
    nearest n = {.count = 0};
    size_t below = from, above = from + 1;
    while (below > 0 || above < count) {
        double down = below > 0 ? roots[from].along - roots[below - 1].along : 0;
        double up = above < count ? roots[above].along - roots[from].along : 0;
        bool go_down = above == count || (below > 0 && down < up);
        double gap = go_down ? down : up;
        if (n.count == NEAR && gap * gap > n.square[NEAR - 1]) break;
        meet(&n, &roots[from], &roots[go_down ? --below : above++]);
    }
    return n;
}

/* ---- Making ---- */

/* From 0 to below 1. */
static double random_part(uint64_t hash) {
    return (double)(hash >> 40) / 16777216.0;
}

/* A place in the triangle of a guide, one near it, and the one nearest to that; in the third of it
   where the guide has the largest weight. */
static void choose(const nearest *n, const root *own, uint64_t number, scene_child *child) {
    uint64_t hash = sn_hash_word(sn_hash_word(0, own->guide), number);
    const root *a = n->items[hash % n->count], *b = NULL;
    for (size_t i = 0; i < n->count; i++)
        if (n->items[i] != a && (!b || square_between(n->items[i], a) < square_between(b, a)))
            b = n->items[i];
    double u = random_part(hash = sn_hash_word(hash, 1)), v = random_part(sn_hash_word(hash, 2));
    double w[3] = {u + v > 1 ? u + v - 1 : 1 - u - v, u + v > 1 ? 1 - u : u, u + v > 1 ? 1 - v : v};
    int first = w[1] > w[0] ? 1 : 0;
    if (w[2] > w[first]) first = 2;
    *child = (scene_child){.guide = {own->guide, a->guide, b ? b->guide : a->guide},
                           .weight = {w[(first + 1) % 3], w[(first + 2) % 3]}};
}

/* The value of a guide where vertex i of one with n vertices is. */
static inline sn_io_point value_of(const scene_children *c, uint32_t guide, size_t i, size_t n,
                                   const sn_vec3 *values) {
    const uint32_t *v = c->guides.vertices + c->guides.start[guide];
    size_t own = length_of(c, guide);
    if (own == n) return sn_io_point_of(values[v[i]]);
    double place = (double)i * (double)(own - 1) / (double)(n - 1);
    size_t k = (size_t)place < own - 2 ? (size_t)place : own - 2;
    sn_io_point a = sn_io_point_of(values[v[k]]), b = sn_io_point_of(values[v[k + 1]]);
    return sn_io_point_add(a, sn_io_point_scaled(sn_io_point_sub(b, a), place - (double)k));
}

/* From guide 0 of a child to the others at vertex i, of positions or velocities. */
typedef struct apart {
    sn_io_point to[2];
} apart;

static inline apart spread(const scene_children *c, const scene_child *child, size_t i,
                           const sn_vec3 *values) {
    size_t n = length_of(c, child->guide[0]);
    sn_io_point own = value_of(c, child->guide[0], i, n, values);
    return (apart){{sn_io_point_sub(value_of(c, child->guide[1], i, n, values), own),
                    sn_io_point_sub(value_of(c, child->guide[2], i, n, values), own)}};
}

static void measure_reach(const scene_children *c, scene_child *child, const sn_vec3 *x,
                          double scale) {
    for (size_t i = 0; i < length_of(c, child->guide[0]); i++) {
        apart d = spread(c, child, i, x);
        for (int k = 0; k < 2; k++) {
            double far = sn_io_point_length(d.to[k]) * scale;
            if (far > child->reach[k]) child->reach[k] = far;
        }
    }
}

static bool make_items(scene_children *c, const sn_mesh *mesh, double scale, size_t each) {
    size_t guides = c->guides.count;
    root *roots = calloc(guides, sizeof *roots);
    if (!roots) return false;
    sort_roots(c, mesh->positions, roots);
    for (size_t i = 0; i < guides; i++) {
        nearest n = find_nearest(roots, guides, i);
        scene_child *own = &c->items[each * roots[i].guide];
        for (size_t j = 0; j < each; j++) {
            choose(&n, &roots[i], j, &own[j]);
            measure_reach(c, &own[j], mesh->positions, scale);
        }
    }
    free(roots);
    return true;
}

static void make_lines(scene_children *c, const sn_mesh *mesh) {
    size_t line = mesh->line_count, at = mesh->vertex_count;
    memcpy(c->lines, mesh->lines, line * sizeof *c->lines);
    for (size_t i = 0; i < c->count; i++, at++)
        for (size_t k = length_of(c, c->items[i].guide[0]); k > 1; k--, at++, line++) {
            c->lines[line][0] = (uint32_t)at;
            c->lines[line][1] = (uint32_t)at + 1;
        }
}

static sn_result find_guides(sn_scene *s, const json_node *node, const scene_mesh *mesh,
                             scene_chains *guides) {
    bool plain = !mesh->embedding && !mesh->skinned;
    if (plain && mesh->mesh.triangle_count == 0 && mesh->mesh.tet_count == 0)
        SN_TRY(sn_scene_find_chains(s, &mesh->mesh, guides));
    if (guides->count > 1) return SN_OK;
    return sn_scene_complain(&s->reader, node,
                             "are between strands, expected a mesh of two or more lines that have "
                             "a beginning and do not branch");
}

sn_result sn_scene_make_children(sn_scene *s, const json_node *node, const scene_mesh *mesh,
                                 double scale, const scene_children **made) {
    scene_children_part part = {.count = 10, .parting = 2};
    *made = NULL;
    if (!node) return SN_OK;
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_children_object, &part));
    if (part.count == 0) return SN_OK;
    scene_children *c = sn_scene_take(s, 1, sizeof *c);
    if (!c) return SN_ERROR_MEMORY;
    SN_TRY(find_guides(s, node, mesh, &c->guides));
    size_t each = (size_t)part.count, own = c->guides.start[c->guides.count];
    SN_TRY(sn_scene_count_nodes(s, node, (double)each, own));
    c->clump = (double)part.clump;
    c->parting = (double)part.parting;
    c->count = each * c->guides.count;
    c->vertex_count = each * own;
    c->line_count = mesh->mesh.line_count + c->vertex_count - c->count;
    c->items = sn_scene_take(s, c->count, sizeof *c->items);
    c->lines = sn_scene_take(s, c->line_count, sizeof *c->lines);
    if (!c->items || !c->lines) return SN_ERROR_MEMORY;
    if (!make_items(c, &mesh->mesh, scale, each))
        return sn_fail(SN_ERROR_MEMORY, "no memory for %zu children", c->count);
    make_lines(c, &mesh->mesh);
    *made = c;
    return SN_OK;
}

/* ---- Placing ---- */

/* How much of a guide is shared where it is so far away. */
static double share_of(sn_io_point to, double limit) {
    double square = sn_io_point_dot(to, to);
    if (!(square > limit * limit)) return 1;
    return square < 4 * limit * limit ? 2 - sn_io_point_length(to) / limit : 0;
}

/* From the own guide to the child: as far as the roots are, and what is shared of the rest. */
static sn_io_point offset_of(const scene_child *child, const apart *start, const apart *here,
                             const double share[2]) {
    sn_io_point sum = {0, 0, 0};
    for (int k = 0; k < 2; k++) {
        sn_io_point d = sn_io_point_scaled(sn_io_point_sub(here->to[k], start->to[k]), share[k]);
        d = sn_io_point_scaled(sn_io_point_add(start->to[k], d), child->weight[k]);
        sum = sn_io_point_add(sum, d);
    }
    return sum;
}

static void place_child(const scene_children *c, const scene_child *child, const scene_grown *to,
                        size_t at) {
    sn_vec3 *const values[2] = {to->positions, to->velocities};
    const apart start[2] = {spread(c, child, 0, values[0]), spread(c, child, 0, values[1])};
    const uint32_t *own = c->guides.vertices + c->guides.start[child->guide[0]];
    size_t n = length_of(c, child->guide[0]);
    double share[2] = {1, 1};
    for (size_t i = 0; i < n; i++) {
        const apart here[2] = {spread(c, child, i, values[0]), spread(c, child, i, values[1])};
        double left = 1 - c->clump * (double)i / (double)(n - 1);
        for (int k = 0; k < 2; k++) {
            double now = share_of(here[0].to[k], c->parting * child->reach[k]);
            if (now < share[k]) share[k] = now;
        }
        for (int k = 0; k < 2; k++) {
            sn_io_point d = offset_of(child, &start[k], &here[k], share);
            d = sn_io_point_add(sn_io_point_of(values[k][own[i]]), sn_io_point_scaled(d, left));
            values[k][at + i] = sn_io_point_vec3(d);
        }
        to->strain[at + i] = to->strain[own[i]];
        to->radii[at + i] = to->radii[own[i]];
    }
}

void sn_scene_place_children(const scene_children *c, const scene_grown *to) {
    size_t at = to->node_count;
    for (size_t i = 0; i < c->count; i++) {
        place_child(c, &c->items[i], to, at);
        at += length_of(c, c->items[i].guide[0]);
    }
}
