/* Walks through the trees, the nearest boxes first where only the nearest is wanted. */
#include "collision/query/query.h"

#include <math.h>

/* Part of the tree that is still to be looked into. */
typedef struct entry {
    uint32_t child; /* as in sn_tree_node */
    float distance; /* m, nothing in it is nearer */
} entry;

/* One class of objects in one query. */
typedef struct walk {
    sn_finder *finder;
    const sn_query_class *kind;
    const sn_query_part *part;
    const sn_ray *ray;    /* of casts */
    const sn_bounds *box; /* of overlaps with boxes */
    sn_point x;           /* of all others */
    double within;        /* m */
    /* The same in float, relative to the middle of the tree, and for a ray from where it comes to
       the tree, which is `ahead` on its way. */
    float low[3], high[3]; /* of a box; both are the point otherwise */
    /* Of a ray: one over the direction, the side at which it enters, and its origin moved away from
       both sides, instead of making all boxes larger by its radius. */
    float inverse[3], origin[2][3];
    int side[3];
    double ahead;
    float slack; /* m, more than the rounding of all of these */
} walk;

static const void *item_at(const walk *w, size_t index) {
    return w->part->item + index * w->kind->element;
}

static double size_of(sn_point a) {
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

/* ---- Items ---- */

static void cast_at(const walk *w, const void *item) {
    const sn_filter_def *filter = w->finder->filter;
    double s;
    if (!w->kind->passes(item, filter->groups)) return;
    if (!w->kind->cast(item, w->ray, &s)) return;
    if (filter->skip_inside && s == 0) {
        sn_point normal;
        if (w->kind->distance(item, w->ray->origin, &normal) <= w->ray->radius) return;
    }
    sn_finder_offer(w->finder, w->kind, item, sn_ray_at(w->ray, s), s);
}

static void measure_at(const walk *w, const void *item) {
    sn_point normal;
    if (!w->kind->passes(item, w->finder->filter->groups)) return;
    double distance = w->kind->distance(item, w->x, &normal);
    if (w->box ? !w->kind->overlaps(item, w->box) : !(distance <= w->within)) return;
    sn_finder_offer(w->finder, w->kind, item, w->x, distance);
}

static void visit(const walk *w, size_t item) {
    if (w->ray)
        cast_at(w, item_at(w, item));
    else
        measure_at(w, item_at(w, item));
}

/* ---- Four boxes ---- */

static inline sn_wide broadcast(float a) {
    return (sn_wide){a, a, a, a};
}

/* The larger of each two; the first where there is no second number. */
static inline sn_wide larger(sn_wide a, sn_wide b) {
    sn_wide_mask mask = b > a;
    return (sn_wide)(((sn_wide_mask)b & mask) | ((sn_wide_mask)a & ~mask));
}

static inline sn_wide smaller(sn_wide a, sn_wide b) {
    sn_wide_mask mask = b < a;
    return (sn_wide)(((sn_wide_mask)b & mask) | ((sn_wide_mask)a & ~mask));
}

/* Infinite where the ray does not enter; what is written in query_ray.c about numbers that are none
   holds here as well. */
static inline sn_wide near_ray(const walk *w, const sn_tree_node *node) {
    sn_wide from = broadcast(0), to = broadcast(__builtin_inff());
    for (int axis = 0; axis < 3; axis++) {
        int side = w->side[axis];
        sn_wide inverse = broadcast(w->inverse[axis]);
        sn_wide in = node->side[side][axis] - broadcast(w->origin[0][axis]);
        sn_wide out = node->side[1 - side][axis] - broadcast(w->origin[1][axis]);
        from = larger(from, in * inverse);
        to = smaller(to, out * inverse);
    }
    /* Products are rounded too. */
    sn_wide_mask missed = from > to * 1.000001f;
    return larger(from * 0.999999f, (sn_wide)((sn_wide_mask)broadcast(__builtin_inff()) & missed));
}

/* From a point: negative inside, as sn_box_distance has it. From a box: the largest gap. */
static inline sn_wide near_point(const walk *w, const sn_tree_node *node) {
    sn_wide gap[3], inside, none = broadcast(0);
    for (int axis = 0; axis < 3; axis++)
        gap[axis] = larger(node->side[0][axis] - broadcast(w->high[axis]),
                           broadcast(w->low[axis]) - node->side[1][axis]);
    inside = larger(larger(gap[0], gap[1]), gap[2]) - broadcast(w->slack);
    if (w->box) return inside;
    sn_wide x = larger(gap[0], none), y = larger(gap[1], none), z = larger(gap[2], none);
    sn_wide square = x * x + y * y + z * z;
    for (int k = 0; k < SN_TREE_WIDTH; k++)
        if (square[k] > 0 && square[k] < __builtin_inff())
            inside[k] = __builtin_sqrtf(square[k]) * 0.999999f - w->slack;
    return inside;
}

/* ---- The tree ---- */

/* m: nothing farther in the tree is wanted. */
static float limit_of(const walk *w) {
    double limit = sn_finder_limit(w->finder, w->within) - w->ahead;
    return (float)limit + (float)fabs(limit) * 1e-6f + w->slack;
}

/* Puts the boxes of a node that are wanted on the stack, the nearest last. */
static int push(const walk *w, entry *stack, int depth, const sn_tree_node *node, float limit) {
    sn_wide distance = w->ray ? near_ray(w, node) : near_point(w, node);
    int first = depth;
    for (int k = 0; k < SN_TREE_WIDTH; k++) {
        float d = distance[k];
        if (node->child[k] == SN_TREE_NONE) continue;
        if (!(d <= limit) || !(d < __builtin_inff())) continue;
        int at = depth++;
        for (; at > first && stack[at - 1].distance < d; at--) stack[at] = stack[at - 1];
        stack[at] = (entry){node->child[k], d};
    }
    return depth;
}

static void go(const walk *w) {
    const sn_tree *tree = &w->part->tree;
    entry stack[SN_TREE_DEPTH];
    int depth = 0;
    float limit = limit_of(w);
    depth = push(w, stack, depth, &tree->node[0], limit);
    while (depth > 0) {
        entry e = stack[--depth];
        if (!(e.distance <= limit)) continue;
        if (e.child & SN_TREE_ITEM) {
            visit(w, e.child & ~SN_TREE_ITEM);
            limit = limit_of(w);
        } else {
            depth = push(w, stack, depth, &tree->node[e.child], limit);
        }
    }
}

static void set_three(float to[3], sn_point a) {
    to[0] = (float)a.x;
    to[1] = (float)a.y;
    to[2] = (float)a.z;
}

static void set_ray(walk *w, sn_point from) {
    float origin[3];
    set_three(origin, from);
    w->inverse[0] = (float)w->ray->inverse.x;
    w->inverse[1] = (float)w->ray->inverse.y;
    w->inverse[2] = (float)w->ray->inverse.z;
    for (int axis = 0; axis < 3; axis++) {
        w->side[axis] = w->inverse[axis] < 0;
        float away = w->side[axis] ? -w->slack : w->slack;
        w->origin[0][axis] = origin[axis] + away;
        w->origin[1][axis] = origin[axis] - away;
    }
}

/* What becomes of a query at a tree. */
typedef enum approached {
    PASSES, /* it does not come near */
    WALKS,
    VISITS_ALL, /* it reaches farther than the floats of the tree do */
} approached;

/* m: sums of a few such lengths, and their products with the inverse of a direction that is not
   across the boxes, are still numbers in float. */
static const double LONGEST = 1e30;

/* Makes a query relative to the tree. */
static approached approach(walk *w) {
    const sn_tree *tree = &w->part->tree;
    double size = tree->size, slack;
    w->ahead = 0;
    if (w->ray) {
        double exact = 1e-12 * (size_of(w->ray->origin) + size_of(tree->middle) + size);
        w->ahead = sn_ray_box(w->ray, &tree->all, w->ray->radius + exact);
        if (!(w->ahead < INFINITY)) return PASSES;
        sn_point from = sn_point_sub(sn_ray_at(w->ray, w->ahead), tree->middle);
        slack = w->ray->radius + exact + 1e-6 * (size + size_of(from));
        if (!(slack + size + size_of(from) < LONGEST)) return VISITS_ALL;
        w->slack = (float)slack;
        set_ray(w, from);
        return WALKS;
    }
    sn_point low = sn_point_sub(w->box ? w->box->low : w->x, tree->middle);
    sn_point high = sn_point_sub(w->box ? w->box->high : w->x, tree->middle);
    double reach = size + size_of(low) + size_of(high);
    if (!(reach < LONGEST)) return VISITS_ALL;
    set_three(w->low, low);
    set_three(w->high, high);
    w->slack = (float)(1e-6 * reach);
    return WALKS;
}

/* ---- Queries ---- */

static void go_all(walk *w) {
    sn_finder *f = w->finder;
    for (size_t i = 0; i < SN_QUERY_CLASSES; i++) {
        w->kind = sn_query_class_at(i);
        w->part = &f->query->part[i];
        if (!(f->filter->kinds & (uint32_t)w->kind->kind)) continue;
        size_t count = w->part->tree.binary.count; /* in the tree; the others have no bounds */
        approached how = count > 0 ? approach(w) : PASSES;
        for (size_t k = how == VISITS_ALL ? 0 : count; k < w->part->count; k++) visit(w, k);
        if (how == WALKS) go(w);
    }
    sn_finder_sort(f);
}

void sn_finder_cast(sn_finder *f, const sn_ray *ray) {
    walk w = {.finder = f, .ray = ray, .within = ray->length};
    f->ray = ray;
    go_all(&w);
}

void sn_finder_closest(sn_finder *f, sn_point x, double within) {
    walk w = {.finder = f, .x = x, .within = within};
    go_all(&w);
}

void sn_finder_overlap_ball(sn_finder *f, sn_point center, double radius) {
    sn_finder_closest(f, center, radius);
}

void sn_finder_overlap_box(sn_finder *f, const sn_bounds *box) {
    walk w = {.finder = f, .box = box, .within = INFINITY};
    w.x = sn_point_scaled(sn_point_add(box->low, box->high), 0.5);
    go_all(&w);
}
