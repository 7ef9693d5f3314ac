#include "collision/broad_phase/collider_bvh.h"

#include "collision/collider_pose.h"

#include <math.h>

/* Fewer are gone through without a tree; and looked at by one thread. */
enum { FEW = 3, ALONE = 256 };

/* What is put in the place of a collider until all have been looked at. */
enum { ABSENT, BOUNDED, UNBOUNDED };

/* The box of a collider in the world, in which it stays; false where it has no end. */
static bool box_of(const sn_world *world, size_t i, sn_bounds *box) {
    const sn_collider_def *def = &sn_colliders_of(world)->state[i].def;
    const sn_collider_pose *at = &sn_collider_poses(world)[i];
    sn_bounds own = sn_collider_geometry_bounds(def);
    double q[4] = {(double)at->q.x, (double)at->q.y, (double)at->q.z, (double)at->q.w};
    sn_point x = {(double)at->x.x + (double)at->d.x, (double)at->x.y + (double)at->d.y,
                  (double)at->x.z + (double)at->d.z};
    *box = sn_bounds_empty();
    if (!isfinite(sn_bounds_diagonal(own))) return false;
    for (int k = 0; k < 8; k++) {
        sn_point corner = {k & 1 ? own.high.x : own.low.x, k & 2 ? own.high.y : own.low.y,
                           k & 4 ? own.high.z : own.low.z};
        sn_bounds_add(box, sn_point_add(x, sn_point_rotated(q, corner)));
    }
    double size = sn_bounds_diagonal(*box) + sn_point_length(x);
    /* Distances are rounded as floats: by more than this they are not wrong. */
    double more = at->most + 1e-5 * size + 1e-6;
    sn_point by = {more, more, more};
    *box = (sn_bounds){sn_point_sub(box->low, by), sn_point_add(box->high, by)};
    return isfinite(size) && isfinite(more);
}

static void box_range(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_collider_bvh *t = &sn_collision_of(world)->bvh;
    for (size_t i = begin; i < end; i++) {
        t->bounded[i] = ABSENT;
        if (!sn_colliders_of(world)->slots.alive[i]) continue;
        const bool ends = box_of(world, i, &t->boxes[i]);
        t->bounded[i] = ends ? BOUNDED : UNBOUNDED;
    }
}

bool sn_collider_bvh_find(sn_world *world) {
    sn_collider_bvh *t = &sn_collision_of(world)->bvh;
    const sn_slots *slots = &sn_colliders_of(world)->slots;
    size_t count = slots->count;
    t->bounded_count = t->unbounded_count = t->standing = 0;
    if (!sn_reserve(&world->memory, (void **)&t->boxes, &t->box_capacity, count,
                    sizeof *t->boxes) ||
        !sn_reserve(&world->memory, (void **)&t->bounded, &t->bounded_capacity, count,
                    sizeof *t->bounded) ||
        !sn_reserve(&world->memory, (void **)&t->unbounded, &t->unbounded_capacity, count,
                    sizeof *t->unbounded))
        return false;
    sn_team_run(world->bindings.team, count, ALONE, box_range, world);
    for (size_t i = 0; i < count; i++) {
        const uint32_t what = t->bounded[i];
        if (what == UNBOUNDED) t->unbounded[t->unbounded_count++] = (uint32_t)i;
        if (what != BOUNDED) continue;
        t->standing += !sn_colliders_of(world)->state[i].carrier;
        t->boxes[t->bounded_count] = t->boxes[i];
        t->bounded[t->bounded_count++] = (uint32_t)i;
    }
    return slots->live <= FEW || sn_bvh_renew(&t->tree, &world->memory, t->boxes, t->bounded_count);
}

typedef struct visitor {
    const sn_collider_bvh *bvh;
    sn_bounds box;
    bool (*visit)(void *user, uint32_t collider);
    void *user;
} visitor;

/* The leaves of a tree have several: who is visited is not to depend on who else there is. */
static bool visit_item(void *user, uint32_t item) {
    const visitor *v = user;
    const sn_bounds *own = &v->bvh->boxes[item], *box = &v->box;
    if (own->low.x > box->high.x || own->low.y > box->high.y || own->low.z > box->high.z ||
        box->low.x > own->high.x || box->low.y > own->high.y || box->low.z > own->high.z)
        return true;
    return v->visit(v->user, v->bvh->bounded[item]);
}

void sn_collider_bvh_visit_at(const sn_world *world, sn_v4 x, double distance,
                              bool (*visit)(void *user, uint32_t collider), void *user) {
    const sn_collider_bvh *t = &sn_collision_of(world)->bvh;
    for (size_t i = 0; i < t->unbounded_count; i++) visit(user, t->unbounded[i]);
    sn_point at = {(double)x[0], (double)x[1], (double)x[2]};
    double by = distance * (1 + 1e-5) + 1e-5 * sn_point_length(at) + 1e-6;
    sn_point more = {by, by, by};
    visitor v = {t, {sn_point_sub(at, more), sn_point_add(at, more)}, visit, user};
    if (sn_colliders_of(world)->slots.live > FEW) {
        sn_bvh_overlap(&t->tree, v.box, visit_item, &v);
        return;
    }
    for (size_t i = 0; i < t->bounded_count; i++) visit_item(&v, (uint32_t)i);
}

void sn_collider_bvh_visit_standing(const sn_world *world, size_t node, double distance,
                                    bool (*visit)(void *user, uint32_t collider), void *user) {
    const sn_collider_bvh *t = &sn_collision_of(world)->bvh;
    if (sn_colliders_of(world)->slots.live <= FEW || t->standing > 0) {
        sn_collider_bvh_visit(world, node, distance, visit, user);
        return;
    }
    for (size_t i = 0; i < t->unbounded_count; i++) visit(user, t->unbounded[i]);
}

void sn_collider_bvh_visit(const sn_world *world, size_t node, double distance,
                           bool (*visit)(void *user, uint32_t collider), void *user) {
    sn_v4 x = sn_v4_load(&world->nodes.x[node]) + sn_v4_load(&world->nodes.d[node]);
    sn_collider_bvh_visit_at(world, x, distance, visit, user);
}
