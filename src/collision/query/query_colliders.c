/*
 * Colliders in queries: planes and balls by formula, everything else by its distance, in its own
 * frame and from where the ray comes near, so that numbers are as small as the shape.
 */
#include "collision/collision_state.h"
#include "collision/query/query.h"
#include "collision/shapes/shape_distance.h"

#include <math.h>

typedef struct solid {
    uint32_t slot;
    uint16_t generation;
    sn_collider_def def;
    double q[4];  /* from its frame to the world's */
    sn_point x;   /* m */
    double reach; /* m, infinite without bounds */
} solid;

static size_t count(const sn_world *world) {
    return sn_colliders_of(world)->slots.live;
}

static void gather(const sn_world *world, void *items) {
    const sn_slots *slots = &sn_colliders_of(world)->slots;
    solid *c = items;
    for (size_t i = 0; i < slots->count; i++)
        if (slots->alive[i])
            *c++ = (solid){.slot = (uint32_t)i + 1, .generation = slots->generation[i]};
}

static sn_bounds bounds(const void *item) {
    const solid *c = item;
    sn_point to = {c->reach, c->reach, c->reach};
    return (sn_bounds){sn_point_sub(c->x, to), sn_point_add(c->x, to)};
}

static void update(const sn_world *world, void *item) {
    solid *c = item;
    c->def = sn_colliders_of(world)->state[c->slot - 1].def;
    sn_quat q = c->def.orientation;
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    /* A quaternion of float is unit to seven digits only. */
    double one = sqrt(x * x + y * y + z * z + w * w);
    c->q[0] = x / one;
    c->q[1] = y / one;
    c->q[2] = z / one;
    c->q[3] = w / one;
    c->x = sn_point_of(c->def.position);
    c->reach = sn_shape_reach(&c->def);
}

static bool is_finite(double a) {
    return a - a == 0;
}

static bool lives(const sn_world *world, const void *item) {
    const sn_colliders *colliders = sn_colliders_of(world);
    const solid *c = item;
    sn_id id = {c->slot, c->generation, world->tag};
    if (!sn_slots_has(&colliders->slots, id, world->tag)) return false;
    const sn_collider_def *def = &colliders->state[c->slot - 1].def;
    return is_finite(sn_shape_reach(def)) == is_finite(c->reach);
}

static bool passes(const void *item, uint32_t groups) {
    return (((const solid *)item)->def.mask & groups) != 0;
}

/* ---- Distances ---- */

static sn_point to_local(const solid *c, sn_point a) {
    const double back[4] = {-c->q[0], -c->q[1], -c->q[2], c->q[3]};
    return sn_point_rotated(back, a);
}

/* In the frame of the shape. */
static double local_distance(const void *thing, sn_point x, sn_point *normal) {
    const solid *c = thing;
    sn_v4 n, point = {(sn_real)x.x, (sn_real)x.y, (sn_real)x.z, 0};
    if (c->def.shape == SN_SHAPE_PLANE) {
        *normal = (sn_point){0, 1, 0};
        return x.y;
    }
    if (c->def.shape == SN_SHAPE_SPHERE) return sn_query_unit(x, normal) - (double)c->def.radius;
    double d = (double)sn_shape_distance_of(c->def.shape)(&c->def, point, &n);
    *normal = (sn_point){(double)n[0], (double)n[1], (double)n[2]};
    return d;
}

static double distance(const void *item, sn_point x, sn_point *normal) {
    const solid *c = item;
    sn_point n;
    double d = local_distance(c, to_local(c, sn_point_sub(x, c->x)), &n);
    *normal = sn_point_rotated(c->q, n);
    return d;
}

static bool is_convex(sn_shape shape) {
    return shape <= SN_SHAPE_CYLINDER;
}

/* Touching is a matter of the rounding of distances. */
static sn_ray_target target_of(const solid *c, sn_ray_distance *of, double radius) {
    double size = is_finite(c->reach) ? c->reach + radius : 0;
    return (sn_ray_target){of, c, 4 * (double)SN_REAL_EPSILON * size, is_convex(c->def.shape)};
}

/* ---- Asking ---- */

static bool cast_plane(const sn_ray *ray, double *s) {
    double above = ray->origin.y - ray->radius;
    *s = 0;
    if (above <= 0) return true;
    /* Flatter than the rounding of its direction, the ray is parallel. */
    if (!(ray->direction.y < -1e-14)) return false;
    *s = above / -ray->direction.y;
    return *s <= ray->length && is_finite(*s);
}

static bool cast(const void *item, const sn_ray *ray, double *s) {
    const solid *c = item;
    sn_point origin = to_local(c, sn_point_sub(ray->origin, c->x)), normal;
    const sn_point middle = {0, 0, 0};
    sn_ray local = {.origin = origin,
                    .direction = to_local(c, ray->direction),
                    .length = ray->length,
                    .radius = ray->radius};
    if (c->def.shape == SN_SHAPE_PLANE) return cast_plane(&local, s);
    if (c->def.shape == SN_SHAPE_SPHERE)
        return sn_ray_ball(&local, middle, (double)c->def.radius, s);
    double from = 0, to = ray->length;
    if (is_finite(c->reach) && !sn_ray_near(&local, middle, c->reach, &from, &to)) return false;
    sn_ray_target target = target_of(c, local_distance, ray->radius);
    *s = 0;
    if (from == 0 && local_distance(c, origin, &normal) <= ray->radius) return true;
    return sn_ray_march(&local, &target, from, to, s);
}

static bool overlaps(const void *item, const sn_bounds *box) {
    const solid *c = item;
    sn_ray_target target = target_of(c, distance, 0);
    return sn_box_overlaps(box, &target);
}

static void name(const void *item, uint16_t world, sn_hit *hit) {
    const solid *c = item;
    hit->collider = (sn_collider){c->slot, c->generation, world};
}

static void describe(const void *item, const sn_ray *ray, sn_point point, sn_hit *hit) {
    const solid *c = item;
    (void)ray;
    sn_point arm = sn_point_sub(point, c->x);
    sn_point turn = sn_point_cross(sn_point_of(c->def.angular_velocity), arm);
    hit->velocity = sn_point_vec3(sn_point_add(sn_point_of(c->def.velocity), turn));
}

const sn_query_class sn_query_colliders = {
    SN_HIT_COLLIDER, sizeof(solid), count,    gather,   lives, update,  bounds,
    passes,          cast,          distance, overlaps, name,  describe};
