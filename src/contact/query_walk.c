/* Walks through the trees, the nearest boxes first where only the nearest is wanted. */
#include "contact/query.h"

#include <math.h>

typedef struct entry {
    uint32_t node;
    double distance; /* m, nothing in it is nearer */
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
    double slack;         /* m, more than the rounding of a distance to a box */
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
    if (w->box ? !w->kind->touches(item, w->box) : !(distance <= w->within)) return;
    sn_finder_offer(w->finder, w->kind, item, w->x, distance);
}

/* ---- Boxes ---- */

/* m: nothing in the box is nearer; infinite where it need not be looked into. */
static double nearness(const walk *w, const sn_bounds *box) {
    if (w->ray) return sn_ray_box(w->ray, box, w->ray->radius + w->slack);
    if (!w->box) return sn_box_distance(box, w->x) - w->slack;
    bool apart = box->low.x > w->box->high.x + w->slack || w->box->low.x > box->high.x + w->slack ||
                 box->low.y > w->box->high.y + w->slack || w->box->low.y > box->high.y + w->slack ||
                 box->low.z > w->box->high.z + w->slack || w->box->low.z > box->high.z + w->slack;
    return apart ? INFINITY : 0;
}

static void visit(const walk *w, size_t item) {
    if (w->ray)
        cast_at(w, item_at(w, item));
    else
        measure_at(w, item_at(w, item));
}

static bool is_wanted(const walk *w, double distance) {
    return distance < INFINITY && distance <= sn_finder_limit(w->finder, w->within);
}

static void go(const walk *w) {
    const sn_bvh *tree = &w->part->tree;
    entry stack[SN_BVH_DEPTH];
    int depth = 0;
    for (size_t i = tree->count; i < w->part->count; i++) visit(w, i);
    if (tree->node_count > 0) stack[depth++] = (entry){0, nearness(w, &tree->nodes[0].bounds)};
    while (depth > 0) {
        entry e = stack[--depth];
        if (!is_wanted(w, e.distance)) continue;
        const sn_bvh_node *node = &tree->nodes[e.node];
        for (uint32_t k = 0; k < node->count; k++) visit(w, node->first + k);
        if (node->count > 0) continue;
        entry a = {e.node + 1, nearness(w, &node[1].bounds)};
        entry b = {node->first, nearness(w, &tree->nodes[node->first].bounds)};
        bool a_first = a.distance <= b.distance;
        entry later = a_first ? b : a, sooner = a_first ? a : b;
        if (later.distance < INFINITY) stack[depth++] = later;
        if (sooner.distance < INFINITY) stack[depth++] = sooner;
    }
}

/* ---- Queries ---- */

static void go_all(walk *w, double size) {
    sn_finder *f = w->finder;
    for (size_t i = 0; i < SN_QUERY_CLASSES; i++) {
        w->kind = sn_query_class_at(i);
        w->part = &f->query->part[i];
        if (!(f->filter->kinds & (uint32_t)w->kind->kind)) continue;
        double largest = size;
        if (w->part->tree.node_count > 0) {
            const sn_bounds *all = &w->part->tree.nodes[0].bounds;
            largest += size_of(all->low) + size_of(all->high);
        }
        w->slack = 1e-14 * largest;
        go(w);
    }
    sn_finder_sort(f);
}

void sn_finder_cast(sn_finder *f, const sn_ray *ray) {
    walk w = {.finder = f, .ray = ray, .within = ray->length};
    f->ray = ray;
    go_all(&w, size_of(ray->origin) + ray->radius);
}

void sn_finder_closest(sn_finder *f, sn_point x, double within) {
    walk w = {.finder = f, .x = x, .within = within};
    go_all(&w, size_of(x));
}

void sn_finder_overlap_ball(sn_finder *f, sn_point center, double radius) {
    sn_finder_closest(f, center, radius);
}

void sn_finder_overlap_box(sn_finder *f, const sn_bounds *box) {
    walk w = {.finder = f, .box = box, .within = INFINITY};
    w.x = sn_point_scaled(sn_point_add(box->low, box->high), 0.5);
    go_all(&w, size_of(box->low) + size_of(box->high));
}
