/*
 * Triangles that may touch, by walking down two trees at once.
 *
 * A part of a sheet whose normals all lie within a narrow cone is a height field over a plane: two
 * places in it are about as far apart as at rest, and it does not touch itself (Volino and
 * Magnenat-Thalmann 1994). So flat and gently curved parts cost nothing, and what is searched is
 * what is folded. Two parts are seen as one where they are next to each other at rest: closer than
 * the length of a double fold, which is pi times the thickness.
 *
 * Threads share the walk: it is begun by one, until there are many pairs of nodes to go on with,
 * and everybody takes the next of those. What is found is sorted later, so that it does not matter
 * who found it.
 *
 * Where some triangles have moved it is the same walk, which goes on only where one of the two
 * parts has one.
 */
#include "collision/collider_pose.h"
#include "contact/surface/pair_buffer.h"

#include <string.h>

/* A walk leaves at most two pairs behind at every level of two trees. */
enum { STACK = 512, TASKS = 512, SOME_TASKS = 64, ROUNDS = 24, PILE = 256 };
enum { LEAVES_ALONE = 256, PAIRS_ALONE = 16 };
/* Normals within this distance of their middle, squared: a cone of about 45 degrees. What is in it
   is 0.7 times as far apart as at rest, and may come half as near. */
#define FLAT SN_R(0.5)
#define NONE UINT32_MAX

/* ---- Two nodes ---- */

SN_INLINE sn_v4 choose(sn_v4_bits which, sn_v4 yes, sn_v4 no) {
    return (sn_v4)((which & (sn_v4_bits)yes) | (~which & (sn_v4_bits)no));
}

/* Whether the normals of both lie close together. */
static bool are_flat(const sn_surface_bvh_shape *a, const sn_surface_bvh_shape *b) {
    sn_v4 low_a = sn_v4_load(&a->normal_low), low_b = sn_v4_load(&b->normal_low);
    sn_v4 high_a = sn_v4_load(&a->normal_high), high_b = sn_v4_load(&b->normal_high);
    sn_v4 low = choose((sn_v4_bits)(low_a < low_b), low_a, low_b);
    sn_v4 wide = choose((sn_v4_bits)(high_a > high_b), high_a, high_b) - low;
    sn_v4 square = SN_R(0.25) * wide * wide;
    return (square[0] + square[1]) + square[2] < FLAT;
}

/* Whether they are next to each other at rest. */
static bool are_beside(const sn_surface_bvh_shape *a, const sn_surface_bvh_shape *b) {
    sn_real margin = 3 * (a->radius + b->radius);
    return sn_broad_overlap(
        sn_broad_corner_at(&a->rest_low), sn_broad_corner_at(&a->rest_high) + margin,
        sn_broad_corner_at(&b->rest_low), sn_broad_corner_at(&b->rest_high) + margin);
}

static bool overlap(const sn_surface_bvh_node *a, const sn_surface_bvh_node *b) {
    return sn_surface_contact_overlap(&a->low, &a->high, &b->low, &b->high);
}

/* Whether there is something to be found: of some, those that have moved. */
static bool concerns(const sn_surface_bvh *tree, uint32_t a, uint32_t b) {
    return !tree->partial || (tree->moved[a] | tree->moved[b]);
}

/* Whether two different nodes are near each other: of some, what has moved and all of the other. */
static bool are_near(const sn_surface_bvh *tree, uint32_t a, uint32_t b) {
    const sn_surface_bvh_node *one = &tree->node[a], *two = &tree->node[b];
    if (!tree->partial) return overlap(one, two);
    const sn_surface_bvh_box *first = &tree->of_moved[a], *second = &tree->of_moved[b];
    return (tree->moved[a] &&
            sn_surface_contact_overlap(&first->low, &first->high, &two->low, &two->high)) ||
           (tree->moved[b] &&
            sn_surface_contact_overlap(&one->low, &one->high, &second->low, &second->high));
}

/* Which of two nodes is opened, neither of which is a leaf: the one that alone has moved nodes,
   most of which is then left behind; or the larger. */
static bool opens_first(const sn_surface_bvh *tree, sn_surface_pair_two two) {
    if (tree->partial && tree->moved[two.a] != tree->moved[two.b]) return tree->moved[two.a];
    return tree->node[two.a].size >= tree->node[two.b].size;
}

/* One pair of nodes, whose boxes overlap; within one where they are the same. Returns how many
   pairs of children are left, which are in `next`; 0 for two leaves. */
static int open_two(const sn_surface_bvh *tree, sn_surface_pair_two two,
                    sn_surface_pair_two next[3]) {
    const sn_surface_bvh_node *a = &tree->node[two.a], *b = &tree->node[two.b];
    sn_surface_pair_two both[3];
    int count = 0, all = 2;
    for (int i = 0; i < 3; i++) both[i] = two;
    if (two.a == two.b) {
        all = 3;
        both[0].a = both[0].b = both[2].a = two.a + 1;
        both[1].a = both[1].b = both[2].b = a->first;
    } else if (b->count > 0 || (a->count == 0 && opens_first(tree, two))) {
        both[0].a = two.a + 1;
        both[1].a = a->first;
    } else {
        both[0].b = two.b + 1;
        both[1].b = b->first;
    }
    for (int i = 0; i < all; i++)
        if (both[i].a == both[i].b ? concerns(tree, both[i].a, both[i].b)
                                   : are_near(tree, both[i].a, both[i].b))
            next[count++] = both[i];
    return count;
}

/* What is not beside each other at rest has no parts that are: of those it is not asked again. */
static bool is_left_out(const sn_surface_bvh *tree, sn_surface_pair_two *two) {
    if (!two->leaves_out) return false;
    const sn_surface_bvh_shape *a = &tree->shape[two->a], *b = &tree->shape[two->b];
    two->leaves_out = a == b || are_beside(a, b);
    return two->leaves_out && are_flat(a, b);
}

/* ---- The walk ---- */

/* Leaves that may touch, as they are found. */
typedef struct walking {
    const sn_world *world;
    sn_surface_contacts *m;
    atomic_size_t next;  /* task that nobody has begun */
    atomic_size_t taken; /* of the list; more than there is room for when it was too little */
} walking;

/* What a thread has found and not yet put with the rest. */
typedef struct pile {
    walking *walk;
    size_t count;
    sn_surface_leaf_pair pair[PILE];
} pile;

static void put_aside(pile *p) {
    const sn_surface_bvh *tree = &p->walk->m->tree;
    size_t at = atomic_fetch_add_explicit(&p->walk->taken, p->count, memory_order_relaxed);
    if (at + p->count <= tree->met_capacity && p->count > 0)
        memcpy(tree->met + at, p->pair, p->count * sizeof *p->pair);
    p->count = 0;
}

static void ask_for(const sn_surface_bvh *tree, uint32_t leaf) {
    if (atomic_load_explicit(&tree->placed[leaf], memory_order_relaxed) == SN_LEAF_UNPLACED)
        atomic_store_explicit(&tree->placed[leaf], SN_LEAF_ASKED, memory_order_relaxed);
}

static void walk_task(pile *p, sn_surface_pair_two task) {
    const sn_surface_bvh *tree = &p->walk->m->tree;
    sn_surface_pair_two stack[STACK];
    stack[0] = task;
    for (size_t stacked = 1; stacked > 0;) {
        sn_surface_pair_two two = stack[--stacked];
        if (is_left_out(tree, &two)) continue;
        if (tree->node[two.a].count == 0 || tree->node[two.b].count == 0) {
            stacked += (size_t)open_two(tree, two, &stack[stacked]);
            continue;
        }
        ask_for(tree, two.a);
        ask_for(tree, two.b);
        p->pair[p->count++] = (sn_surface_leaf_pair){two.a, two.b};
        if (p->count == PILE) put_aside(p);
    }
}

static void walk_tasks(void *context, size_t begin, size_t end) {
    walking *w = context;
    const sn_surface_bvh *tree = &w->m->tree;
    pile p = {.walk = w};
    (void)begin, (void)end;
    for (size_t i;
         (i = atomic_fetch_add_explicit(&w->next, 1, memory_order_relaxed)) < tree->tasks;)
        walk_task(&p, tree->task[i]);
    put_aside(&p);
}

/* Lists the leaves that may touch, again where there was too little room. */
static bool walk_all(sn_world *world, sn_surface_contacts *m) {
    sn_surface_bvh *tree = &m->tree;
    for (;;) {
        walking w = {.world = world, .m = m};
        sn_team_run(world->bindings.team, tree->tasks, 2, walk_tasks, &w);
        tree->met_count = atomic_load(&w.taken);
        if (!sn_broad_admits(tree->met_count, m->list[SN_SURFACE_CONTACT_TRIANGLE].count))
            return false;
        if (tree->met_count <= tree->met_capacity) return true;
        if (!sn_reserve(&world->memory, (void **)&tree->met, &tree->met_capacity, tree->met_count,
                        sizeof *tree->met))
            return false;
    }
}

/* Where features go of leaves that were asked for and are not known yet. */
static void place_range(void *context, size_t begin, size_t end) {
    const walking *w = context;
    const sn_surface_bvh *tree = &w->m->tree;
    for (size_t i = begin; i < end; i++) {
        if (tree->node[i].count == 0 ||
            atomic_load_explicit(&tree->placed[i], memory_order_relaxed) != SN_LEAF_ASKED)
            continue;
        if (tree->partial)
            sn_feature_fours_place_late(w->world, w->m, (uint32_t)i);
        else
            sn_feature_fours_place(w->m, (sn_v4){0, 0, 0, 0}, (uint32_t)i);
        atomic_store_explicit(&tree->placed[i], SN_LEAF_PLACED, memory_order_relaxed);
    }
}

static void compare_range(void *context, size_t begin, size_t end) {
    sn_pair_search *hunt = context;
    const sn_surface_leaf_pair *met = hunt->m->tree.met;
    sn_pair_buffer buffer;
    sn_pair_buffer_begin(&buffer, hunt);
    for (size_t i = begin; i < end; i++) sn_pair_buffer_add(&buffer, met[i].a, met[i].b);
    sn_pair_buffer_flush(&buffer);
}

static bool add_task(sn_memory *memory, sn_surface_bvh *tree, sn_surface_pair_two task) {
    if (!sn_reserve(memory, (void **)&tree->task, &tree->task_capacity, tree->tasks + 1,
                    sizeof *tree->task))
        return false;
    tree->task[tree->tasks++] = task;
    return true;
}

/* Which other collision surfaces each collision surface may touch. */
static bool pair_surfaces(sn_world *world, sn_surface_bvh *tree, uint32_t one) {
    const sn_surface_bvh_node *box = &tree->top[tree->top_of[one]];
    uint32_t stack[STACK];
    stack[0] = 0;
    for (size_t stacked = 1; stacked > 0;) {
        uint32_t at = stack[--stacked];
        const sn_surface_bvh_node *node = &tree->top[at];
        if (!overlap(box, node)) continue;
        if (node->count == 0) {
            stack[stacked++] = at + 1;
            stack[stacked++] = node->first;
        } else if (node->first > one && concerns(tree, tree->root[one], tree->root[node->first])) {
            sn_surface_pair_two task = {tree->root[one], tree->root[node->first], false};
            if (!add_task(&world->memory, tree, task)) return false;
        }
    }
    return true;
}

static bool list_tasks(sn_world *world, sn_surface_bvh *tree) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    tree->tasks = 0;
    for (uint32_t s = 0; s < surfaces->slots.count; s++) {
        if (tree->root[s] == NONE) continue;
        /* Of what is penetration-free nothing may be left out: what is flat now may fold in a
           substep. */
        sn_surface_pair_two own = {tree->root[s], tree->root[s],
                                   !surfaces->state[s].def.penetration_free};
        if (surfaces->state[s].def.self && concerns(tree, own.a, own.b) &&
            !add_task(&world->memory, tree, own))
            return false;
        if (!pair_surfaces(world, tree, s)) return false;
    }
    return true;
}

/* Opens all tasks once; those of two leaves stay. False when there is no memory. */
static bool open_tasks(sn_world *world, sn_surface_bvh *tree) {
    size_t count = 0;
    if (!sn_reserve(&world->memory, (void **)&tree->next, &tree->next_capacity, 3 * tree->tasks,
                    sizeof *tree->next))
        return false;
    for (size_t i = 0; i < tree->tasks; i++) {
        sn_surface_pair_two two = tree->task[i];
        if (is_left_out(tree, &two)) continue;
        if (tree->node[two.a].count > 0 && tree->node[two.b].count > 0)
            tree->next[count++] = two;
        else
            count += (size_t)open_two(tree, two, &tree->next[count]);
    }
    sn_surface_pair_two *tasks = tree->task;
    size_t capacity = tree->task_capacity;
    tree->task = tree->next;
    tree->task_capacity = tree->next_capacity;
    tree->next = tasks;
    tree->next_capacity = capacity;
    tree->tasks = count;
    return true;
}

static bool walk(sn_world *world, sn_surface_contacts *m, sn_near_accept *const *accept,
                 const void *context, size_t most) {
    sn_surface_bvh *tree = &m->tree;
    if (!list_tasks(world, tree)) return false;
    bool shared = sn_team_threads(world->bindings.team) > 1;
    for (int i = 0; shared && i < ROUNDS && tree->tasks > 0 && tree->tasks < most; i++)
        if (!open_tasks(world, tree)) return false;
    if (!walk_all(world, m)) return false;
    walking w = {.world = world, .m = m};
    sn_team_run(world->bindings.team, tree->count, LEAVES_ALONE, place_range, &w);
    sn_lane_trial *trial = &world->bindings.lanes[sn_pair_search_trial(m)];
    (void)sn_lane_trial_begin(world, trial, tree->met_count);
    const bool found =
        sn_pair_search_run(world, m, accept, context, tree->met_count, PAIRS_ALONE, compare_range);
    sn_lane_trial_end(world, trial);
    return found;
}

bool sn_surface_bvh_traverse(sn_world *world, sn_surface_contacts *m, sn_near_accept *const *accept,
                             const void *context) {
    m->tree.partial = false;
    return walk(world, m, accept, context, TASKS);
}

bool sn_surface_bvh_traverse_some(sn_world *world, sn_surface_contacts *m,
                                  sn_near_accept *const *accept, const void *context) {
    m->tree.partial = true;
    return walk(world, m, accept, context, SOME_TASKS);
}
