/*
 * Collision surfaces in queries: their triangles and segments, each all that is as close to it as
 * the radius there. Where the radius is the same all over an element, that is convex; where it is 0
 * and the ray is thin, a triangle is hit as such.
 */
#include "collision/collision_state.h"
#include "collision/query/query.h"
#include "geometry/closest_point.h"

#include <math.h>

typedef struct piece {
    uint32_t surface; /* slot + 1 */
    uint16_t generation;
    uint16_t corners;    /* 3 or 2 */
    uint32_t element;    /* of the triangles, or of the segments */
    uint32_t node[3];    /* slots */
    uint16_t of_node[3]; /* their generations */
    uint32_t groups;     /* of its nodes, as bits */
    sn_vec3 x[3], v[3];
    sn_real radius[3];
    double steep; /* how fast the radius changes along it, 1 */
} piece;

/* ---- Which there are ---- */

static size_t segments_of(const sn_collision_surface_state *s) {
    return s->edges - s->inner;
}

static size_t count(const sn_world *world) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    size_t all = 0;
    for (size_t i = 0; i < surfaces->slots.count; i++)
        if (surfaces->slots.alive[i])
            all += surfaces->state[i].def.triangle_count + segments_of(&surfaces->state[i]);
    return all;
}

static const uint32_t *nodes_of(const sn_collision_surface_state *s, const piece *p) {
    return p->corners == 3 ? s->triangle + 3 * (size_t)p->element
                           : s->edge + 2 * (s->inner + p->element);
}

static piece name_piece(const sn_world *world, size_t surface, uint16_t corners, size_t element) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    piece p = {.surface = (uint32_t)surface + 1,
               .generation = surfaces->slots.generation[surface],
               .corners = corners,
               .element = (uint32_t)element};
    const uint32_t *node = nodes_of(&surfaces->state[surface], &p);
    for (int k = 0; k < corners; k++) p.node[k] = node[k];
    return p;
}

static void gather(const sn_world *world, void *items) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    piece *p = items;
    for (size_t i = 0; i < surfaces->slots.count; i++) {
        if (!surfaces->slots.alive[i]) continue;
        const sn_collision_surface_state *s = &surfaces->state[i];
        for (size_t k = 0; k < s->def.triangle_count; k++) *p++ = name_piece(world, i, 3, k);
        for (size_t k = 0; k < segments_of(s); k++) *p++ = name_piece(world, i, 2, k);
    }
}

static bool lives(const sn_world *world, const void *item) {
    const piece *p = item;
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    if (!sn_slots_has(&surfaces->slots, (sn_id){p->surface, p->generation, world->tag}, world->tag))
        return false;
    const sn_collision_surface_state *s = &surfaces->state[p->surface - 1];
    if (p->element >= (p->corners == 3 ? s->def.triangle_count : segments_of(s))) return false;
    const uint32_t *node = nodes_of(s, p);
    for (int k = 0; k < p->corners; k++)
        if (node[k] != p->node[k]) return false;
    return true;
}

/* ---- What they are like ---- */

/* The length of the gradient of something linear with these differences along two edges. */
static double slope_of(sn_point e, sn_point f, double at_e, double at_f) {
    double ee = sn_point_dot(e, e), ef = sn_point_dot(e, f), ff = sn_point_dot(f, f);
    double det = ee * ff - ef * ef;
    double square = (at_e * at_e * ff - 2 * at_e * at_f * ef + at_f * at_f * ee) / det;
    return square > 0 ? sqrt(square) : 0;
}

static void set_steep(piece *p) {
    sn_point x = sn_point_of(p->x[0]), e = sn_point_sub(sn_point_of(p->x[1]), x), f = {0, 0, 0};
    double r = (double)p->radius[0], by_e = (double)p->radius[1] - r, by_f = 0;
    p->steep = 0;
    if (p->corners == 3) {
        f = sn_point_sub(sn_point_of(p->x[2]), x);
        by_f = (double)p->radius[2] - r;
    }
    if (by_e == 0 && by_f == 0) return;
    p->steep = p->corners == 3 ? slope_of(e, f, by_e, by_f) : fabs(by_e) / sn_point_length(e);
    /* Steeper than this, one ball is around all others; and there may be no length at all. */
    if (!(p->steep < 4)) p->steep = 4;
}

static void update(const sn_world *world, void *item) {
    const sn_nodes *n = &world->nodes;
    piece *p = item;
    p->groups = 0;
    for (int k = 0; k < p->corners; k++) {
        uint32_t i = p->node[k];
        p->of_node[k] = n->slots.generation[i];
        p->groups |= sn_query_group(n->group[i]);
        p->radius[k] = n->radius[i];
        p->x[k] = (sn_vec3){n->x[i].x, n->x[i].y, n->x[i].z};
        p->v[k] = (sn_vec3){n->v[i].x, n->v[i].y, n->v[i].z};
    }
    set_steep(p);
}

static double most_radius(const piece *p) {
    sn_real most = p->radius[0];
    for (int k = 1; k < p->corners; k++)
        if (p->radius[k] > most) most = p->radius[k];
    return (double)most;
}

static sn_bounds bounds(const void *item) {
    const piece *p = item;
    sn_bounds b = sn_bounds_empty();
    double r = most_radius(p);
    for (int k = 0; k < p->corners; k++) sn_bounds_add(&b, sn_point_of(p->x[k]));
    sn_point to = {r, r, r};
    return (sn_bounds){sn_point_sub(b.low, to), sn_point_add(b.high, to)};
}

static bool passes(const void *item, uint32_t groups) {
    return (((const piece *)item)->groups & groups) != 0;
}

/* ---- Distances ---- */

/* The nearest point of the triangle or segment itself, and the shares of its corners. */
static sn_point nearest(const piece *p, sn_point x, double weight[3]) {
    const sn_point c[3] = {sn_point_of(p->x[0]), sn_point_of(p->x[1]), sn_point_of(p->x[2])};
    weight[2] = 0;
    if (p->corners == 2) {
        sn_point on = sn_closest_on_segment(x, c[0], c[1], &weight[1]);
        weight[0] = 1 - weight[1];
        return on;
    }
    sn_point on = sn_closest_on_triangle(x, c[0], c[1], c[2], NULL);
    sn_closest_shares(c, on, weight);
    return on;
}

static double largest(sn_point a) {
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

static double distance(const void *item, sn_point x, sn_point *normal) {
    const piece *p = item;
    double weight[3], radius = 0;
    sn_point on = nearest(p, x, weight);
    for (int k = 0; k < p->corners; k++) radius += weight[k] * (double)p->radius[k];
    double length = sn_query_unit(sn_point_sub(x, on), normal);
    /* On the triangle itself only that has a direction. */
    if (p->corners == 3 && length <= 1e-13 * (largest(x) + largest(on)))
        sn_query_unit(
            sn_point_normal(sn_point_of(p->x[0]), sn_point_of(p->x[1]), sn_point_of(p->x[2])),
            normal);
    return length - radius;
}

/* What a walk by distances may go: it changes faster than a distance where the radius changes. */
static double safe_distance(const void *item, sn_point x, sn_point *normal) {
    const piece *p = item;
    return distance(p, x, normal) / (1 + p->steep);
}

/* ---- Asking ---- */

static sn_ray_target target_of(const piece *p, sn_point middle, double reach) {
    double rounding = 1e-13 * (largest(middle) + reach);
    bool even = p->steep == 0;
    return (sn_ray_target){even ? distance : safe_distance, p, rounding, even};
}

/* A ball around it. */
static double around(const piece *p, sn_point *middle) {
    sn_bounds b = bounds(p);
    *middle = sn_point_scaled(sn_point_add(b.low, b.high), 0.5);
    return sn_bounds_diagonal(b) / 2;
}

static bool cast(const void *item, const sn_ray *ray, double *s) {
    const piece *p = item;
    double weight[3], from, to;
    sn_point middle, normal;
    if (p->corners == 3 && ray->radius == 0 && most_radius(p) == 0) {
        const sn_point c[3] = {sn_point_of(p->x[0]), sn_point_of(p->x[1]), sn_point_of(p->x[2])};
        return sn_ray_triangle(ray, c, s, weight);
    }
    double reach = around(p, &middle);
    if (!sn_ray_near(ray, middle, reach, &from, &to)) return false;
    *s = 0;
    if (from == 0 && distance(p, ray->origin, &normal) <= ray->radius) return true;
    /* The radius of the ray does not change along the piece, but the walk must slow down as well:
       its share of the distance is scaled like the rest. */
    sn_ray_target target = target_of(p, middle, reach + ray->radius);
    sn_ray slower = *ray;
    slower.radius = ray->radius / (1 + p->steep);
    return sn_ray_march(&slower, &target, from, to, s);
}

static bool overlaps(const void *item, const sn_bounds *box) {
    sn_point middle;
    double reach = around(item, &middle);
    sn_ray_target target = target_of(item, middle, reach);
    return sn_box_overlaps(box, &target);
}

static void name(const void *item, uint16_t world, sn_hit *hit) {
    const piece *p = item;
    hit->surface = (sn_collision_surface){p->surface, p->generation, world};
    hit->element = p->element;
    hit->node_count = p->corners;
    for (int k = 0; k < p->corners; k++)
        hit->node[k] = (sn_node){p->node[k] + 1, p->of_node[k], world};
}

/* Seen from where the ray comes, where it is as thin as the triangle. */
static void face(const piece *p, const sn_ray *ray, sn_hit *hit) {
    sn_point n = sn_point_of(hit->normal);
    if (!ray || ray->radius > 0 || most_radius(p) > 0) return;
    if (sn_point_dot(n, ray->direction) <= 0) return;
    hit->normal = (sn_vec3){-hit->normal.x, -hit->normal.y, -hit->normal.z};
}

static void describe(const void *item, const sn_ray *ray, sn_point point, sn_hit *hit) {
    const piece *p = item;
    double weight[3];
    sn_point velocity = {0, 0, 0};
    nearest(p, point, weight);
    for (int k = 0; k < p->corners; k++) {
        hit->weight[k] = (sn_real)weight[k];
        velocity = sn_point_add(velocity, sn_point_scaled(sn_point_of(p->v[k]), weight[k]));
    }
    hit->velocity = sn_point_vec3(velocity);
    face(p, ray, hit);
}

const sn_query_class sn_query_surfaces = {SN_HIT_SURFACE, sizeof(piece), count,   gather, lives,
                                          update,         bounds,        passes,  cast,   distance,
                                          overlaps,       name,          describe};
