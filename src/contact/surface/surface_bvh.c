/*
 * Trees over the triangles of each collision surface, and one over the collision surfaces.
 *
 * A tree is made once, from where triangles are at rest, and fitted to where they go in the step.
 * Parts of it are fitted by threads on their own. Where only some triangles go another way, what is
 * above them is fitted again and all else left alone.
 */
#include "contact/surface/surface_contact.h"

#include "collision/broad_phase/broad_phase_parts.h"
#include "collision/collider_pose.h"
#include "contact/surface/rest_tables.h"

#include <string.h>

enum { BRANCH = 256, BRANCHES_ALONE = 4 };
#define NONE UINT32_MAX

/* ---- Boxes ---- */

SN_INLINE sn_v4 choose(sn_v4_bits which, sn_v4 yes, sn_v4 no) {
    return (sn_v4)((which & (sn_v4_bits)yes) | (~which & (sn_v4_bits)no));
}

/* Makes a box hold another. What is not a number is left out. */
SN_INLINE void add_box(sn_vec4 *low, sn_vec4 *high, sn_v4 a, sn_v4 b) {
    sn_v4 least = sn_broad_corner_at(low), most = sn_broad_corner_at(high);
    sn_v4_store(low, choose((sn_v4_bits)(a < least), a, least));
    sn_v4_store(high, choose((sn_v4_bits)(b > most), b, most));
}

SN_INLINE void add_corner(sn_vec4 *low, sn_vec4 *high, sn_v4 x) {
    add_box(low, high, x, x);
}

static const sn_vec4 NOWHERE = {SN_INFINITY, SN_INFINITY, SN_INFINITY, 0};
static const sn_vec4 NOWHERE_ELSE = {-SN_INFINITY, -SN_INFINITY, -SN_INFINITY, 0};

/* ---- Life ---- */

enum { COLUMNS = 12, SKIN_COLUMNS = 5 };

static void list_columns(sn_surface_bvh *t, sn_column columns[COLUMNS],
                         sn_column of_surfaces[SKIN_COLUMNS]) {
    columns[0] = (sn_column){(void **)&t->node, 2 * sizeof *t->node};
    columns[1] = (sn_column){(void **)&t->shape, 2 * sizeof *t->shape};
    columns[2] = (sn_column){(void **)&t->leaf, sizeof *t->leaf};
    columns[3] = (sn_column){(void **)&t->key, sizeof *t->key};
    columns[4] = (sn_column){(void **)&t->place, sizeof *t->place};
    columns[5] = (sn_column){(void **)&t->some, sizeof *t->some};
    columns[6] = (sn_column){(void **)&t->branch, sizeof *t->branch};
    columns[7] = (sn_column){(void **)&t->upper, 2 * sizeof *t->upper};
    columns[8] = (sn_column){(void **)&t->moved, 2 * sizeof *t->moved};
    columns[9] = (sn_column){(void **)&t->range, 2 * sizeof *t->range};
    columns[10] = (sn_column){(void **)&t->of_moved, 2 * sizeof *t->of_moved};
    columns[11] = (sn_column){(void **)&t->placed, 2 * sizeof *t->placed};
    of_surfaces[0] = (sn_column){(void **)&t->root, sizeof *t->root};
    of_surfaces[1] = (sn_column){(void **)&t->begin, sizeof *t->begin};
    of_surfaces[2] = (sn_column){(void **)&t->top, 2 * sizeof *t->top};
    of_surfaces[3] = (sn_column){(void **)&t->top_key, sizeof *t->top_key};
    of_surfaces[4] = (sn_column){(void **)&t->top_of, sizeof *t->top_of};
}

static bool grow(sn_memory *memory, const sn_column *columns, size_t count, size_t *capacity,
                 size_t needed) {
    if (needed <= *capacity) return true;
    size_t grown = sn_columns_grow(memory, columns, count, 0, *capacity, needed);
    if (grown > 0) *capacity = grown;
    return grown > 0;
}

bool sn_surface_bvh_reserve(sn_world *world, sn_surface_contacts *m) {
    sn_memory *memory = &world->memory;
    sn_surface_bvh *tree = &m->tree;
    sn_column columns[COLUMNS], of_surfaces[SKIN_COLUMNS];
    list_columns(tree, columns, of_surfaces);
    return grow(memory, columns, COLUMNS, &tree->capacity,
                m->list[SN_SURFACE_CONTACT_TRIANGLE].count) &&
           grow(memory, of_surfaces, SKIN_COLUMNS, &tree->surface_capacity,
                sn_collision_surfaces_of(world)->slots.count + 1) &&
           sn_reserve(memory, (void **)&tree->point_owner, &tree->point_capacity,
                      m->list[SN_SURFACE_CONTACT_POINT].count, sizeof *tree->point_owner) &&
           sn_reserve(memory, (void **)&tree->edge_owner, &tree->edge_capacity,
                      m->list[SN_SURFACE_CONTACT_EDGE].count, sizeof *tree->edge_owner);
}

void sn_surface_bvh_free(sn_surface_bvh *t, sn_memory *memory) {
    sn_column columns[COLUMNS], of_surfaces[SKIN_COLUMNS];
    list_columns(t, columns, of_surfaces);
    sn_columns_free(memory, columns, COLUMNS, 0, t->capacity);
    sn_columns_free(memory, of_surfaces, SKIN_COLUMNS, 0, t->surface_capacity);
    sn_free(memory, t->point_owner, t->point_capacity, sizeof *t->point_owner);
    sn_free(memory, t->edge_owner, t->edge_capacity, sizeof *t->edge_owner);
    sn_feature_fours_free(t, memory);
    sn_rest_tables_free(&t->rests, memory);
    sn_free(memory, t->task, t->task_capacity, sizeof *t->task);
    sn_free(memory, t->next, t->next_capacity, sizeof *t->next);
    sn_free(memory, t->met, t->met_capacity, sizeof *t->met);
}

/* ---- Dividing ---- */

static bool is_before(const sn_surface_pair_key *a, const sn_surface_pair_key *b, int axis) {
    if (a->middle[axis] != b->middle[axis]) return a->middle[axis] < b->middle[axis];
    return a->item < b->item;
}

static void exchange(sn_surface_pair_key *a, sn_surface_pair_key *b) {
    sn_surface_pair_key kept = *a;
    *a = *b;
    *b = kept;
}

static int longest_axis(const sn_surface_pair_key *key, size_t count) {
    sn_real low[3], high[3], size[3];
    for (int a = 0; a < 3; a++) low[a] = high[a] = key[0].middle[a];
    for (size_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++) {
            sn_real x = key[i].middle[a];
            low[a] = x < low[a] ? x : low[a];
            high[a] = x > high[a] ? x : high[a];
        }
    for (int a = 0; a < 3; a++) size[a] = high[a] - low[a];
    return size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
}

/* Puts the lower half of the keys first (Hoare 1961): no two are alike, so that who is in it does
   not depend on how. The one in the middle of three divides; where they lie changes from turn to
   turn, so that no order of triangles is a bad one. */
static void divide(sn_surface_pair_key *key, size_t count, int axis) {
    size_t half = count / 2, begin = 0, end = count;
    uint32_t random = 1;
    while (end - begin > 1) {
        size_t at[3];
        for (int i = 0; i < 3; i++) {
            random = random * 1664525u + 1013904223u;
            at[i] = begin + (random >> 8) % (end - begin);
        }
        bool first = is_before(&key[at[0]], &key[at[1]], axis);
        bool second = is_before(&key[at[1]], &key[at[2]], axis);
        bool third = is_before(&key[at[0]], &key[at[2]], axis);
        size_t middle = first == second ? at[1] : first == third ? at[2] : at[0];
        exchange(&key[middle], &key[end - 1]);
        size_t low = begin;
        for (size_t i = begin; i + 1 < end; i++)
            if (is_before(&key[i], &key[end - 1], axis)) exchange(&key[low++], &key[i]);
        exchange(&key[low], &key[end - 1]);
        if (low == half) return;
        if (low > half)
            end = low;
        else
            begin = low + 1;
    }
}

/* ---- Making the trees ---- */

/* The depth is that of halving, so that recursion is harmless. */
static void make_node(sn_surface_bvh *tree, uint32_t begin, uint32_t end, uint32_t parent,
                      uint32_t surface) {
    uint32_t index = (uint32_t)tree->count++, count = end - begin;
    sn_surface_bvh_node *node = &tree->node[index];
    *node = (sn_surface_bvh_node){.first = begin, .count = count, .parent = parent};
    bool below = tree->branches > 0 && tree->branch[tree->branches - 1].end == NONE, opens = false;
    if (!below && count <= BRANCH) {
        tree->branch[tree->branches++] = (sn_surface_contact_branch){index, NONE, surface};
        opens = true;
    } else if (!below) {
        tree->upper[tree->uppers++] = index;
    }
    if (count > SN_LEAF_TRIANGLES) {
        divide(tree->key + begin, count, longest_axis(tree->key + begin, count));
        make_node(tree, begin, begin + count / 2, index, surface);
        tree->node[index].first = (uint32_t)tree->count;
        tree->node[index].count = 0;
        make_node(tree, begin + count / 2, end, index, surface);
    }
    if (opens) tree->branch[tree->branches - 1].end = (uint32_t)tree->count;
}

/* Triangles by their collision surfaces; lists are short compared with what comes after. */
static void sort_by_surface(const sn_world *world, sn_surface_contacts *m) {
    const sn_surface_elements *triangles = &m->list[SN_SURFACE_CONTACT_TRIANGLE];
    sn_surface_bvh *tree = &m->tree;
    size_t surfaces = sn_collision_surfaces_of(world)->slots.count;
    memset(tree->begin, 0, (surfaces + 1) * sizeof *tree->begin);
    for (size_t i = 0; i < triangles->count; i++)
        tree->begin[sn_collision_surfaces_of(world)->of_node[triangles->node[3 * i]]]++;
    for (size_t s = 0; s < surfaces; s++) tree->begin[s + 1] += tree->begin[s];
    for (size_t i = triangles->count; i-- > 0;) {
        const uint32_t *node = triangles->node + 3 * i;
        const sn_vec4 *rest = sn_collision_surfaces_of(world)->rest;
        sn_v4 middle =
            (sn_v4_load(&rest[node[0]]) + sn_v4_load(&rest[node[1]])) + sn_v4_load(&rest[node[2]]);
        tree->key[--tree->begin[sn_collision_surfaces_of(world)->of_node[node[0]]]] =
            (sn_surface_pair_key){{middle[0], middle[1], middle[2]}, (uint32_t)i};
    }
    /* Where a collision surface began is now at its number plus one, and what is before it is its
       end. */
    for (size_t s = 0; s < surfaces; s++) tree->begin[s] = tree->begin[s + 1];
    tree->begin[surfaces] = (uint32_t)triangles->count;
}

/* Where the triangles of a node are at rest, which stays; its children are known. */
static void find_rest(const sn_world *world, sn_surface_contacts *m, uint32_t i) {
    const sn_surface_bvh_node *node = &m->tree.node[i];
    sn_surface_bvh_shape *shape = &m->tree.shape[i];
    const uint32_t child[2] = {i + 1, node->first};
    shape->rest_low = NOWHERE;
    shape->rest_high = NOWHERE_ELSE;
    for (uint32_t k = 0; k < 3 * node->count; k++) {
        const uint32_t *corner = m->list[SN_SURFACE_CONTACT_TRIANGLE].node +
                                 3 * (size_t)m->tree.leaf[node->first + k / 3].triangle;
        add_corner(&shape->rest_low, &shape->rest_high,
                   sn_v4_load(&sn_collision_surfaces_of(world)->rest[corner[k % 3]]));
    }
    for (int k = 0; node->count == 0 && k < 2; k++) {
        const sn_surface_bvh_shape *part = &m->tree.shape[child[k]];
        add_box(&shape->rest_low, &shape->rest_high, sn_v4_load(&part->rest_low),
                sn_v4_load(&part->rest_high));
    }
}

void sn_surface_bvh_make(const sn_world *world, sn_surface_contacts *surface_contacts) {
    sn_surface_bvh *tree = &surface_contacts->tree;
    tree->count = tree->branches = tree->uppers = 0;
    sort_by_surface(world, surface_contacts);
    for (uint32_t s = 0; s < sn_collision_surfaces_of(world)->slots.count; s++) {
        tree->root[s] = NONE;
        if (tree->begin[s] == tree->begin[s + 1]) continue;
        tree->root[s] = (uint32_t)tree->count;
        make_node(tree, tree->begin[s], tree->begin[s + 1], NONE, s);
    }
    for (uint32_t i = 0; i < tree->count; i++)
        for (uint32_t k = 0; k < tree->node[i].count; k++) {
            uint32_t at = tree->node[i].first + k;
            tree->leaf[at].triangle = tree->key[at].item;
            tree->leaf[at].node = i;
            tree->place[tree->key[at].item] = at;
        }
    for (uint32_t i = (uint32_t)tree->count; i-- > 0;) find_rest(world, surface_contacts, i);
}

/* ---- Fitting them ---- */

SN_INLINE void add_node(sn_surface_bvh_node *node, const sn_vec4 *low, const sn_vec4 *high) {
    add_box(&node->low, &node->high, sn_broad_corner_at(low), sn_broad_corner_at(high));
}

/* A triangle without an area has every direction, and is never flat. */
static sn_v4 unit_normal(sn_v4 a, sn_v4 b, sn_v4 c) {
    sn_v4 n = sn_v4_cross(b - a, c - a);
    sn_real length = SN_ROOT(sn_v4_dot(n, n));
    if (length > 0) n /= length;
    return n;
}

static void shape_triangle(const sn_world *world, const uint32_t *corner,
                           sn_surface_bvh_shape *shape) {
    sn_v4 from[3], to[3];
    for (int c = 0; c < 3; c++) {
        const sn_expected_motion *displacement =
            &sn_surface_contacts_of(world)->displacement[corner[c]];
        from[c] = sn_v4_load(&displacement->from);
        to[c] = from[c] + sn_v4_load(&displacement->displacement);
        sn_real radius = world->nodes.radius[corner[c]];
        if (radius > shape->radius) shape->radius = radius;
    }
    /* As they are, and as they will be. */
    add_corner(&shape->normal_low, &shape->normal_high, unit_normal(from[0], from[1], from[2]));
    add_corner(&shape->normal_low, &shape->normal_high, unit_normal(to[0], to[1], to[2]));
}

/* The shape of a node: that of its triangles, or of its children. */
static void shape_node(const sn_world *world, const sn_surface_contacts *m, uint32_t i) {
    const sn_surface_bvh_node *node = &m->tree.node[i];
    sn_surface_bvh_shape *shape = &m->tree.shape[i];
    const uint32_t child[2] = {i + 1, node->first};
    shape->normal_low = NOWHERE;
    shape->normal_high = NOWHERE_ELSE;
    shape->radius = 0;
    for (uint32_t k = 0; k < node->count; k++) {
        uint32_t triangle = m->tree.leaf[node->first + k].triangle;
        shape_triangle(world, m->list[SN_SURFACE_CONTACT_TRIANGLE].node + 3 * (size_t)triangle,
                       shape);
    }
    for (int k = 0; node->count == 0 && k < 2; k++) {
        const sn_surface_bvh_shape *part = &m->tree.shape[child[k]];
        add_box(&shape->normal_low, &shape->normal_high, sn_v4_load(&part->normal_low),
                sn_v4_load(&part->normal_high));
        if (part->radius > shape->radius) shape->radius = part->radius;
    }
}

static void fit_box(const sn_surface_contacts *m, uint32_t i) {
    const sn_surface_elements *list = &m->list[SN_SURFACE_CONTACT_TRIANGLE];
    sn_surface_bvh_node *node = &m->tree.node[i];
    node->low = NOWHERE;
    node->high = NOWHERE_ELSE;
    for (uint32_t k = 0; k < node->count; k++) {
        uint32_t triangle = m->tree.leaf[node->first + k].triangle;
        add_node(node, &list->low[triangle], &list->high[triangle]);
    }
    if (node->count > 0) return;
    const sn_surface_bvh_node *a = node + 1, *b = &m->tree.node[node->first];
    add_node(node, &a->low, &a->high);
    add_node(node, &b->low, &b->high);
}

static bool has_moved(const sn_surface_contacts *m, const uint32_t *corner) {
    return (m->is_moved[corner[0]] | m->is_moved[corner[1]] | m->is_moved[corner[2]]) > 0;
}

/* Around those of its triangles that have moved: where these are few, they are near less. */
static void fit_moved(const sn_surface_contacts *m, uint32_t i) {
    const sn_surface_elements *list = &m->list[SN_SURFACE_CONTACT_TRIANGLE];
    const sn_surface_bvh_node *node = &m->tree.node[i];
    const uint32_t child[2] = {i + 1, node->first};
    sn_surface_bvh_box *box = &m->tree.of_moved[i];
    *box = (sn_surface_bvh_box){NOWHERE, NOWHERE_ELSE};
    for (uint32_t k = 0; k < node->count; k++) {
        size_t triangle = m->tree.leaf[node->first + k].triangle;
        if (has_moved(m, list->node + 3 * triangle))
            add_box(&box->low, &box->high, sn_broad_corner_at(&list->low[triangle]),
                    sn_broad_corner_at(&list->high[triangle]));
    }
    for (int k = 0; node->count == 0 && k < 2; k++) {
        const sn_surface_bvh_box *part = &m->tree.of_moved[child[k]];
        if (m->tree.moved[child[k]])
            add_box(&box->low, &box->high, sn_broad_corner_at(&part->low),
                    sn_broad_corner_at(&part->high));
    }
}

static void measure(sn_surface_bvh_node *node) {
    node->size = ((node->high.x - node->low.x) + (node->high.y - node->low.y)) +
                 (node->high.z - node->low.z);
}

typedef struct fitting {
    const sn_world *world;
    const sn_surface_contacts *m;
    bool some;   /* above those that have moved alone */
    sn_v4 drift; /* m */
} fitting;

/* Shapes are asked for within collision surfaces that collide with themselves and leave out what
   is flat. */
static void fit_node(const fitting *f, uint32_t i, bool shapes) {
    if (f->some && !f->m->tree.moved[i]) return;
    fit_box(f->m, i);
    if (f->some) fit_moved(f->m, i);
    if (f->m->tree.node[i].count > 0) {
        if (f->some) sn_feature_fours_place(f->m, f->drift, i);
        atomic_store_explicit(&f->m->tree.placed[i], f->some ? SN_LEAF_PLACED : SN_LEAF_UNPLACED,
                              memory_order_relaxed);
    }
    measure(&f->m->tree.node[i]);
    if (shapes) shape_node(f->world, f->m, i);
}

static bool has_shapes(const fitting *f, uint32_t surface) {
    const sn_collision_surface_def *def = &sn_collision_surfaces_of(f->world)->state[surface].def;
    return def->self && !def->penetration_free;
}

static void fit_branches(void *context, size_t begin, size_t end) {
    const fitting *f = context;
    for (size_t k = begin; k < end; k++) {
        const sn_surface_contact_branch *branch = &f->m->tree.branch[k];
        bool shapes = has_shapes(f, branch->surface);
        if (f->some && !f->m->tree.moved[branch->begin]) continue;
        for (uint32_t i = branch->end; i-- > branch->begin;) fit_node(f, i, shapes);
    }
}

static void fit_nodes(const sn_world *world, sn_surface_contacts *m, bool some, sn_v4 drift) {
    fitting f = {world, m, some, drift};
    const sn_surface_bvh *tree = &m->tree;
    sn_team_run(world->bindings.team, tree->branches, BRANCHES_ALONE, fit_branches, &f);
    bool shapes = false;
    for (uint32_t s = 0; s < sn_collision_surfaces_of(world)->slots.count; s++)
        shapes = shapes || has_shapes(&f, s);
    for (size_t k = tree->uppers; k-- > 0;) fit_node(&f, tree->upper[k], shapes);
}

/* ---- The tree over collision surfaces ---- */

static void fit_top(sn_surface_bvh *tree, uint32_t i) {
    sn_surface_bvh_node *node = &tree->top[i];
    if (node->count > 0) {
        node->low = tree->node[tree->root[node->first]].low;
        node->high = tree->node[tree->root[node->first]].high;
        return;
    }
    node->low = NOWHERE;
    node->high = NOWHERE_ELSE;
    add_node(node, &tree->top[i + 1].low, &tree->top[i + 1].high);
    add_node(node, &tree->top[node->first].low, &tree->top[node->first].high);
}

static void make_top(sn_surface_bvh *tree, uint32_t begin, uint32_t end, uint32_t parent) {
    uint32_t index = (uint32_t)tree->tops++, count = end - begin;
    tree->top[index] = (sn_surface_bvh_node){.parent = parent};
    if (count == 1) {
        tree->top[index].first = tree->top_key[begin].item;
        tree->top[index].count = 1;
        tree->top_of[tree->top[index].first] = index;
    } else {
        divide(tree->top_key + begin, count, longest_axis(tree->top_key + begin, count));
        make_top(tree, begin, begin + count / 2, index);
        tree->top[index].first = (uint32_t)tree->tops;
        make_top(tree, begin + count / 2, end, index);
    }
    fit_top(tree, index);
}

void sn_surface_bvh_fit(const sn_world *world, sn_surface_contacts *surface_contacts) {
    sn_surface_bvh *tree = &surface_contacts->tree;
    uint32_t surfaces = 0;
    fit_nodes(world, surface_contacts, false, (sn_v4){0, 0, 0, 0});
    tree->tops = 0;
    for (uint32_t s = 0; s < sn_collision_surfaces_of(world)->slots.count; s++) {
        if (tree->root[s] == NONE) continue;
        const sn_surface_bvh_node *root = &tree->node[tree->root[s]];
        tree->top_key[surfaces++] = (sn_surface_pair_key){
            {root->low.x + root->high.x, root->low.y + root->high.y, root->low.z + root->high.z},
            s};
    }
    if (surfaces > 0) make_top(tree, 0, surfaces, NONE);
}

/* ---- Fitting some ---- */

/* Marks what is above those that have moved. */
static void mark_moved(sn_surface_bvh *tree) {
    if (tree->count > 0) memset(tree->moved, 0, tree->count * sizeof *tree->moved);
    for (size_t k = 0; k < tree->somes; k++) {
        uint32_t i = tree->leaf[tree->place[tree->some[k]]].node;
        for (; i != NONE && !tree->moved[i]; i = tree->node[i].parent) tree->moved[i] = 1;
    }
}

void sn_surface_bvh_fit_some(const sn_world *world, sn_surface_contacts *surface_contacts,
                             sn_v4 drift) {
    sn_surface_bvh *tree = &surface_contacts->tree;
    mark_moved(tree);
    fit_nodes(world, surface_contacts, true, drift);
    for (uint32_t i = (uint32_t)tree->tops; i-- > 0;) fit_top(tree, i);
}
