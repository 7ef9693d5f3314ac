/*
 * Pairs of triangles that may touch, by a tree over the triangles of each skin.
 *
 * The tree is made once, from where triangles are at rest, and fitted to where they go in the step.
 * A part of a sheet whose normals all lie within a narrow cone is a height field over a plane: two
 * places in it are about as far apart as at rest, and it does not touch itself (Volino and
 * Magnenat-Thalmann 1994). So flat and gently curved parts cost nothing, and what is searched is
 * what is folded. Two parts are seen as one where they are next to each other at rest: closer than
 * the length of a double fold, which is pi times the thickness.
 */
#include "contact/meet.h"
#include "contact/placing.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = 2 };
/* Normals within this distance of their middle, squared: a cone of about 35 degrees. */
#define FLAT SN_R(0.33)
#define NONE UINT32_MAX

/* ---- Owners: every point and edge of triangles belongs to one of them ---- */

static uint32_t find_edge(const sn_meet_elements *edges, uint32_t a, uint32_t b) {
    size_t low = 0, high = edges->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const uint32_t *e = edges->node + 2 * middle;
        if (e[0] < a || (e[0] == a && e[1] < b))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < edges->count && edges->node[2 * low] == a && edges->node[2 * low + 1] == b;
    return found ? (uint32_t)low : NONE;
}

static uint32_t find_point(const sn_meet_elements *points, uint32_t node) {
    size_t low = 0, high = points->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (points->node[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* Edges are kept as their skin has them, in either direction. */
static uint32_t find_either(const sn_meet_elements *edges, uint32_t a, uint32_t b) {
    uint32_t found = find_edge(edges, a, b);
    return found == NONE ? find_edge(edges, b, a) : found;
}

void sn_meet_tree_own(sn_meets *m) {
    const sn_meet_elements *points = &m->list[SN_MEET_POINT], *edges = &m->list[SN_MEET_EDGE];
    const sn_meet_elements *triangles = &m->list[SN_MEET_TRIANGLE];
    sn_meet_tree *tree = &m->tree;
    for (size_t i = 0; i < points->count; i++) tree->point_owner[i] = NONE;
    for (size_t i = 0; i < edges->count; i++) tree->edge_owner[i] = NONE;
    for (uint32_t t = 0; t < triangles->count; t++) {
        uint32_t *own_point = &tree->own_point[3 * t], *own_edge = &tree->own_edge[3 * t];
        for (int c = 0; c < 3; c++) own_point[c] = own_edge[c] = NONE;
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t a = triangles->node[3 * t + c], b = triangles->node[3 * t + (c + 1) % 3];
            uint32_t point = find_point(points, a), edge = find_either(edges, a, b);
            if (tree->point_owner[point] == NONE) {
                tree->point_owner[point] = t;
                *own_point++ = point;
            }
            if (edge != NONE && tree->edge_owner[edge] == NONE) {
                tree->edge_owner[edge] = t;
                *own_edge++ = edge;
            }
        }
    }
}

/* ---- Making the tree ---- */

typedef struct making {
    const sn_world *world;
    sn_meets *m;
    sn_meet_key *key; /* scratch */
} making;

static int compare_keys(const void *a, const void *b) {
    const sn_meet_key *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

static sn_v4 middle_of(const making *k, uint32_t triangle) {
    const uint32_t *node = k->m->list[SN_MEET_TRIANGLE].node + 3 * (size_t)triangle;
    const sn_vec4 *rest = k->world->skins.rest;
    return (sn_v4_load(&rest[node[0]]) + sn_v4_load(&rest[node[1]])) + sn_v4_load(&rest[node[2]]);
}

/* Sorts a range of triangles along the axis on which their middles differ most. */
static void sort_range(const making *k, uint32_t begin, uint32_t end) {
    uint32_t *order = k->m->tree.order;
    sn_v4 low = middle_of(k, order[begin]), high = low;
    for (uint32_t i = begin; i < end; i++) {
        sn_v4 x = middle_of(k, order[i]);
        for (int a = 0; a < 3; a++) {
            low[a] = x[a] < low[a] ? x[a] : low[a];
            high[a] = x[a] > high[a] ? x[a] : high[a];
        }
    }
    sn_v4 size = high - low;
    int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    for (uint32_t i = begin; i < end; i++)
        k->key[i] = (sn_meet_key){middle_of(k, order[i])[axis], order[i]};
    qsort(k->key + begin, end - begin, sizeof *k->key, compare_keys);
    for (uint32_t i = begin; i < end; i++) order[i] = k->key[i].triangle;
}

/* The depth is that of halving, so that recursion is harmless. */
static void make_node(const making *k, uint32_t begin, uint32_t end) {
    sn_meet_tree *tree = &k->m->tree;
    uint32_t index = (uint32_t)tree->count++;
    sn_meet_tree_node *node = &tree->node[index];
    *node = (sn_meet_tree_node){.first = begin, .count = end - begin};
    if (end - begin <= LEAF) return;
    sort_range(k, begin, end);
    uint32_t middle = begin + (end - begin) / 2;
    make_node(k, begin, middle);
    tree->node[index].first = (uint32_t)tree->count;
    tree->node[index].count = 0;
    make_node(k, middle, end);
}

/* Triangles by their skins; lists are short compared with what comes after. */
static void sort_by_skin(const sn_world *world, sn_meets *m) {
    const sn_meet_elements *triangles = &m->list[SN_MEET_TRIANGLE];
    sn_meet_tree *tree = &m->tree;
    size_t skins = world->skins.slots.count;
    memset(tree->begin, 0, (skins + 1) * sizeof *tree->begin);
    for (size_t i = 0; i < triangles->count; i++)
        tree->begin[world->skins.of_node[triangles->node[3 * i]]]++;
    for (size_t s = 0; s < skins; s++) tree->begin[s + 1] += tree->begin[s];
    for (size_t i = triangles->count; i-- > 0;) {
        uint32_t skin = world->skins.of_node[triangles->node[3 * i]];
        tree->order[--tree->begin[skin]] = (uint32_t)i;
    }
    /* Where a skin began is now at its number plus one, and what is before it is its end. */
    for (size_t s = 0; s < skins; s++) tree->begin[s] = tree->begin[s + 1];
    tree->begin[skins] = (uint32_t)triangles->count;
}

void sn_meet_tree_make(const sn_world *world, sn_meets *m) {
    making k = {world, m, m->tree.key};
    sn_meet_tree *tree = &m->tree;
    tree->count = 0;
    sort_by_skin(world, m);
    for (size_t s = 0; s < world->skins.slots.count; s++) {
        tree->root[s] = NONE;
        if (tree->begin[s] == tree->begin[s + 1]) continue;
        tree->root[s] = (uint32_t)tree->count;
        make_node(&k, tree->begin[s], tree->begin[s + 1]);
    }
}

/* ---- Fitting it ---- */

static void add_corner(sn_real *low, sn_real *high, sn_v4 x) {
    for (int a = 0; a < 3; a++) {
        if (x[a] < low[a]) low[a] = x[a];
        if (x[a] > high[a]) high[a] = x[a];
    }
}

static void add_box(sn_meet_tree_node *node, const sn_real *low, const sn_real *high) {
    for (int a = 0; a < 3; a++) {
        if (low[a] < node->low[a]) node->low[a] = low[a];
        if (high[a] > node->high[a]) node->high[a] = high[a];
    }
}

/* A triangle without an area has every direction, and is never flat. */
static sn_v4 unit_normal(sn_v4 a, sn_v4 b, sn_v4 c) {
    sn_v4 n = sn_v4_cross(b - a, c - a);
    sn_real length = SN_ROOT(sn_v4_dot(n, n));
    if (length > 0) n /= length;
    return n;
}

static void fit_triangle(const sn_world *world, const sn_meets *m, sn_meet_tree_node *node,
                         uint32_t triangle, sn_real time) {
    const sn_meet_elements *list = &m->list[SN_MEET_TRIANGLE];
    const uint32_t *corner = list->node + 3 * (size_t)triangle;
    sn_v4 from[3], to[3];
    add_corner(node->low, node->high, sn_v4_load(&list->low[triangle]));
    add_corner(node->low, node->high, sn_v4_load(&list->high[triangle]));
    for (int c = 0; c < 3; c++) {
        from[c] = sn_v4_load(&world->skins.reach.from[corner[c]]);
        to[c] = from[c] + time * sn_v4_load(&world->skins.reach.speed[corner[c]]);
        add_corner(node->rest_low, node->rest_high, sn_v4_load(&world->skins.rest[corner[c]]));
        sn_real radius = world->nodes.radius[corner[c]];
        if (radius > node->radius) node->radius = radius;
    }
    /* As they are, and as they will be. */
    add_corner(node->normal_low, node->normal_high, unit_normal(from[0], from[1], from[2]));
    add_corner(node->normal_low, node->normal_high, unit_normal(to[0], to[1], to[2]));
}

static void join(sn_meet_tree_node *node, const sn_meet_tree_node *a, const sn_meet_tree_node *b) {
    for (int i = 0; i < 3; i++) {
        node->low[i] = a->low[i] < b->low[i] ? a->low[i] : b->low[i];
        node->high[i] = a->high[i] > b->high[i] ? a->high[i] : b->high[i];
        node->rest_low[i] = a->rest_low[i] < b->rest_low[i] ? a->rest_low[i] : b->rest_low[i];
        node->rest_high[i] = a->rest_high[i] > b->rest_high[i] ? a->rest_high[i] : b->rest_high[i];
        node->normal_low[i] =
            a->normal_low[i] < b->normal_low[i] ? a->normal_low[i] : b->normal_low[i];
        node->normal_high[i] =
            a->normal_high[i] > b->normal_high[i] ? a->normal_high[i] : b->normal_high[i];
    }
    node->radius = a->radius > b->radius ? a->radius : b->radius;
}

void sn_meet_tree_fit(const sn_world *world, sn_meets *m, double time) {
    sn_meet_tree *tree = &m->tree;
    for (size_t i = tree->count; i-- > 0;) {
        sn_meet_tree_node *node = &tree->node[i];
        if (node->count == 0) {
            join(node, node + 1, &tree->node[node->first]);
            continue;
        }
        node->radius = 0;
        for (int a = 0; a < 3; a++) {
            node->low[a] = node->rest_low[a] = node->normal_low[a] = SN_INFINITY;
            node->high[a] = node->rest_high[a] = node->normal_high[a] = -SN_INFINITY;
        }
        for (uint32_t k = 0; k < node->count; k++)
            fit_triangle(world, m, node, tree->order[node->first + k], (sn_real)time);
    }
}

void sn_meet_tree_fit_boxes(sn_meets *m) {
    sn_meet_tree *tree = &m->tree;
    const sn_meet_elements *list = &m->list[SN_MEET_TRIANGLE];
    for (size_t i = tree->count; i-- > 0;) {
        sn_meet_tree_node *node = &tree->node[i];
        const sn_meet_tree_node *a = node + 1, *b = &tree->node[node->first];
        for (int c = 0; c < 3; c++) {
            node->low[c] = SN_INFINITY;
            node->high[c] = -SN_INFINITY;
        }
        if (node->count == 0) {
            add_box(node, a->low, a->high);
            add_box(node, b->low, b->high);
        }
        for (uint32_t k = 0; k < node->count; k++) {
            uint32_t triangle = tree->order[node->first + k];
            add_box(node, &list->low[triangle].x, &list->high[triangle].x);
        }
    }
}

/* ---- Searching ---- */

static bool overlap(const sn_real *low_a, const sn_real *high_a, const sn_real *low_b,
                    const sn_real *high_b, sn_real margin) {
    bool all = true;
    for (int i = 0; i < 3; i++)
        all = all && low_a[i] <= high_b[i] + margin && low_b[i] <= high_a[i] + margin;
    return all;
}

/* Whether the normals of both lie close together. */
static bool are_flat(const sn_meet_tree_node *a, const sn_meet_tree_node *b) {
    sn_real square = 0;
    for (int i = 0; i < 3; i++) {
        sn_real low = a->normal_low[i] < b->normal_low[i] ? a->normal_low[i] : b->normal_low[i];
        sn_real high =
            a->normal_high[i] > b->normal_high[i] ? a->normal_high[i] : b->normal_high[i];
        square += SN_R(0.25) * (high - low) * (high - low);
    }
    return square < FLAT;
}

static bool are_one(const sn_meet_tree_node *a, const sn_meet_tree_node *b) {
    return are_flat(a, b) && overlap(a->rest_low, a->rest_high, b->rest_low, b->rest_high,
                                     3 * (a->radius + b->radius));
}

typedef struct walk {
    sn_world *world;
    sn_meets *m;
    bool room;
} walk;

static bool push(walk *w, uint32_t a, uint32_t b) {
    sn_meet_tree *tree = &w->m->tree;
    if (tree->stacked == tree->stack_capacity)
        w->room =
            w->room && sn_reserve(&w->world->memory, (void **)&tree->stack, &tree->stack_capacity,
                                  tree->stacked + 1, sizeof *tree->stack);
    if (w->room) tree->stack[tree->stacked++] = (sn_meet_two){a, b};
    return w->room;
}

static void emit(walk *w, uint32_t a, uint32_t b) {
    sn_meet_tree *tree = &w->m->tree;
    if (tree->twos == tree->two_capacity)
        w->room = w->room && sn_reserve(&w->world->memory, (void **)&tree->two, &tree->two_capacity,
                                        tree->twos + 1, sizeof *tree->two);
    if (w->room) tree->two[tree->twos++] = (sn_meet_two){a, b};
}

static void emit_leaves(walk *w, const sn_meet_tree_node *a, const sn_meet_tree_node *b) {
    const uint32_t *order = w->m->tree.order;
    const sn_meet_elements *list = &w->m->list[SN_MEET_TRIANGLE];
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = a == b ? i + 1 : 0; k < b->count; k++) {
            uint32_t one = order[a->first + i], two = order[b->first + k];
            const sn_real *low_a = &list->low[one].x, *high_a = &list->high[one].x;
            if (overlap(low_a, high_a, &list->low[two].x, &list->high[two].x, 0)) emit(w, one, two);
        }
}

/* One pair of nodes of the tree; within one where they are the same. */
static void visit(walk *w, sn_meet_two two, bool leaves_out) {
    const sn_meet_tree_node *nodes = w->m->tree.node, *a = &nodes[two.a], *b = &nodes[two.b];
    if (leaves_out && are_flat(a, b) && (a == b || are_one(a, b))) return;
    if (a != b && !overlap(a->low, a->high, b->low, b->high, 0)) return;
    if (a->count > 0 && b->count > 0) {
        emit_leaves(w, a, b);
    } else if (a == b) {
        (void)(push(w, two.a + 1, two.a + 1) && push(w, a->first, a->first) &&
               push(w, two.a + 1, a->first));
    } else {
        /* The larger of the two is opened. */
        sn_real size_a = 0, size_b = 0;
        for (int i = 0; i < 3; i++) {
            size_a += a->high[i] - a->low[i];
            size_b += b->high[i] - b->low[i];
        }
        bool first = b->count > 0 || (a->count == 0 && size_a >= size_b);
        if (first)
            (void)(push(w, two.a + 1, two.b) && push(w, a->first, two.b));
        else
            (void)(push(w, two.a, two.b + 1) && push(w, two.a, b->first));
    }
}

static void walk_from(walk *w, uint32_t a, uint32_t b, bool leaves_out) {
    sn_meet_tree *tree = &w->m->tree;
    tree->stacked = 0;
    (void)push(w, a, b);
    while (w->room && tree->stacked > 0) visit(w, tree->stack[--tree->stacked], leaves_out);
}

bool sn_meet_tree_walk(sn_world *world, sn_meets *m) {
    walk w = {world, m, true};
    const sn_meet_tree *tree = &m->tree;
    const sn_skins *skins = &world->skins;
    m->tree.twos = 0;
    for (size_t a = 0; a < skins->slots.count && w.room; a++) {
        if (tree->root[a] == NONE) continue;
        /* Of what is guarded nothing may be left out: what is flat now may fold in a substep. */
        bool leaves_out = !skins->state[a].def.guarded;
        if (skins->state[a].def.self) walk_from(&w, tree->root[a], tree->root[a], leaves_out);
        for (size_t b = a + 1; b < skins->slots.count && w.room; b++)
            if (tree->root[b] != NONE) walk_from(&w, tree->root[a], tree->root[b], false);
    }
    return w.room;
}

/* ---- Searching for some ---- */

static bool has_strayed(const sn_meets *m, uint32_t triangle) {
    const uint32_t *node = m->list[SN_MEET_TRIANGLE].node + 3 * (size_t)triangle;
    return m->strayed[node[0]] || m->strayed[node[1]] || m->strayed[node[2]];
}

/* All triangles below a node of the tree that may touch one; of two that have both strayed the
   first finds the other. */
static void visit_one(walk *w, uint32_t at, uint32_t one) {
    const sn_meet_tree *tree = &w->m->tree;
    const sn_meet_tree_node *node = &tree->node[at];
    const sn_meet_elements *list = &w->m->list[SN_MEET_TRIANGLE];
    const sn_real *low = &list->low[one].x, *high = &list->high[one].x;
    if (!overlap(node->low, node->high, low, high, 0)) return;
    if (node->count == 0) (void)(push(w, at + 1, one) && push(w, node->first, one));
    for (uint32_t k = 0; k < node->count; k++) {
        uint32_t two = tree->order[node->first + k];
        if (two == one || (two < one && has_strayed(w->m, two))) continue;
        if (overlap(low, high, &list->low[two].x, &list->high[two].x, 0)) emit(w, one, two);
    }
}

bool sn_meet_tree_walk_strays(sn_world *world, sn_meets *m) {
    walk w = {world, m, true};
    sn_meet_tree *tree = &m->tree;
    const sn_skins *skins = &world->skins;
    const sn_meet_elements *list = &m->list[SN_MEET_TRIANGLE];
    tree->twos = 0;
    for (uint32_t t = 0; t < list->count && w.room; t++) {
        if (!has_strayed(m, t)) continue;
        uint32_t own = skins->of_node[list->node[3 * (size_t)t]] - 1;
        for (uint32_t s = 0; s < skins->slots.count && w.room; s++) {
            if (tree->root[s] == NONE || (s == own && !skins->state[s].def.self)) continue;
            tree->stacked = 0;
            (void)push(&w, tree->root[s], t);
            while (w.room && tree->stacked > 0) {
                sn_meet_two top = tree->stack[--tree->stacked];
                visit_one(&w, top.a, top.b);
            }
        }
    }
    return w.room;
}
