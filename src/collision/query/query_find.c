/*
 * What was hit, in order: by distance, then nodes, colliders and collision surfaces, then by slot
 * and element. The array of the caller is a heap with the last on top until all is known, so that
 * nothing is allocated.
 */
#include "collision/query/query.h"

/* Whether a comes before b; never both, and only for the same object neither. */
static bool precedes(const sn_hit *a, const sn_hit *b) {
    if (a->distance != b->distance) return a->distance < b->distance;
    if (a->kind != b->kind) return a->kind < b->kind;
    if (a->collider.slot != b->collider.slot) return a->collider.slot < b->collider.slot;
    if (a->surface.slot != b->surface.slot) return a->surface.slot < b->surface.slot;
    if (a->node_count != b->node_count) return a->node_count > b->node_count;
    if (a->element != b->element) return a->element < b->element;
    return a->node[0].slot < b->node[0].slot;
}

static void swap(sn_hit *a, sn_hit *b) {
    sn_hit kept = *a;
    *a = *b;
    *b = kept;
}

/* Lets the top of a heap sink to its place. */
static void sink(sn_hit *heap, size_t count) {
    size_t at = 0;
    for (;;) {
        size_t last = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
            if (precedes(&heap[last], &heap[child])) last = child;
        if (last == at) return;
        swap(&heap[at], &heap[last]);
        at = last;
    }
}

static void rise(sn_hit *heap, size_t at) {
    while (at > 0 && precedes(&heap[(at - 1) / 2], &heap[at])) {
        swap(&heap[(at - 1) / 2], &heap[at]);
        at = (at - 1) / 2;
    }
}

/* Beyond all numbers there is nothing. */
static bool is_finite(sn_point a, double b) {
    sn_vec3 x = sn_point_vec3(a);
    sn_real y = (sn_real)b;
    return x.x - x.x == 0 && x.y - x.y == 0 && x.z - x.z == 0 && y - y == 0;
}

/* The surface where a point is outside, the point itself where a cast begins inside. */
static void describe(const sn_finder *f, const sn_query_class *kind, const void *item, sn_point x,
                     sn_hit *hit) {
    sn_point normal;
    double away = kind->distance(item, x, &normal);
    if (f->ray && away < 0) away = 0;
    sn_point point = sn_point_sub(x, sn_point_scaled(normal, away));
    hit->point = sn_point_vec3(point);
    hit->normal = sn_point_vec3(normal);
    kind->describe(item, f->ray, point, hit);
}

void sn_finder_offer(sn_finder *f, const sn_query_class *kind, const void *item, sn_point x,
                     double distance) {
    sn_hit hit = {.kind = kind->kind, .distance = (sn_real)distance};
    if (!is_finite(x, distance)) return;
    kind->name(item, f->query->world, &hit);
    bool wanted = f->kept < f->capacity || (f->capacity > 0 && precedes(&hit, &f->hits[0]));
    if (f->first && !wanted) return;
    if (f->filter->accept) {
        sn_hit shown = hit;
        shown.distance = 0;
        if (!f->filter->accept(f->filter->user, &shown)) return;
    }
    f->count++;
    if (!wanted) return;
    if (f->ray && f->ray->length > 0 && f->ray->length - f->ray->length == 0)
        hit.fraction = (sn_real)(distance / f->ray->length);
    describe(f, kind, item, x, &hit);
    if (f->kept < f->capacity) {
        f->hits[f->kept++] = hit;
        rise(f->hits, f->kept - 1);
    } else {
        f->hits[0] = hit;
        sink(f->hits, f->kept);
    }
}

double sn_finder_limit(const sn_finder *f, double within) {
    if (!f->first || f->kept == 0) return within;
    /* What rounds to the same distance may still come first. */
    double best = (double)f->hits[0].distance, more = 4e-16 + (double)SN_REAL_EPSILON;
    double limit = best + (best < 0 ? -best : best) * more;
    return limit < within ? limit : within;
}

void sn_finder_sort(sn_finder *f) {
    for (size_t left = f->kept; left-- > 1;) {
        swap(&f->hits[0], &f->hits[left]);
        sink(f->hits, left);
    }
}
