/*
 * Which triangles and colliders may meet in a step, and which were faster than expected. Triangles
 * are counted collision surface by collision surface; those whose nodes all stand still for
 * contacts meet nobody.
 */
#include "collision/broad_phase/collider_bvh.h"
#include "collision/collider_pose.h"
#include "collision/narrow_phase/deepest_point.h"
#include "contact/contact_events.h"
#include "contact/triangle/triangle_contact.h"

#include <math.h>
#include <stdatomic.h>

enum { FACES_ALONE = 256 };

static bool has_faces(const sn_world *world, size_t surface) {
    const sn_collision_surface_def *def = &world->surfaces.state[surface].def;
    return world->surfaces.slots.alive[surface] && def->triangle_contact &&
           def->detail == SN_DETAIL_SURFACE;
}

bool sn_triangle_contact_is_needed(const sn_world *world) {
    for (size_t i = 0; sn_collider_contact_is_needed(world) && i < world->surfaces.slots.count; i++)
        if (has_faces(world, i) && world->surfaces.state[i].def.triangle_count > 0) return true;
    return false;
}

static size_t count_triangles(const sn_world *world) {
    size_t sum = 0;
    for (size_t i = 0; i < world->surfaces.slots.count; i++)
        if (has_faces(world, i)) sum += world->surfaces.state[i].def.triangle_count;
    return sum;
}

/* The nodes of a triangle by its number in all collision surfaces, from the collision surface of
   the last one on. */
typedef struct walk {
    size_t surface, first; /* and the number of its first triangle */
} walk;

static const uint32_t *nodes_of(const sn_world *world, walk *w, size_t triangle) {
    for (; w->surface < world->surfaces.slots.count; w->surface++) {
        if (!has_faces(world, w->surface)) continue;
        size_t count = world->surfaces.state[w->surface].def.triangle_count;
        if (triangle - w->first < count)
            return world->surfaces.state[w->surface].triangle + 3 * (triangle - w->first);
        w->first += count;
    }
    return NULL;
}

typedef struct search {
    sn_world *world;
    double time, dt; /* s, what is left of the step, and all of it */
    double fall;     /* m, by gravity in that time */
    bool fill;       /* the second pass */
} search;

/* ---- One triangle ---- */

/* What looking for the colliders of a triangle has found. */
typedef struct catch {
    const search *s;
    const uint32_t *node;
    size_t triangle, found;
    sn_real reach, radius;
    sn_v4 middle; /* m, of the triangle */
    double far;   /* m, from there to the corners */
}
catch;

/* m: how far a node is from where it was when the step began, and may still go: generously. */
static sn_real reach_of(const search *s, size_t i) {
    const sn_nodes *n = &s->world->nodes;
    sn_v4 motion = sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i]), v = sn_v4_load(&n->v[i]);
    double speed = sqrt((double)sn_v4_dot(v, v));
    double step = sqrt((double)sn_v4_dot(motion, motion)), gone = 0;
    if (s->time != s->dt) {
        sn_v4 way = (sn_v4_load(&n->x[i]) + sn_v4_load(&n->d[i])) -
                    sn_v4_load(&s->world->scratch.safe.x[i]);
        gone = sqrt((double)sn_v4_dot(way, way));
    }
    return (sn_real)(gone + 1.5 * (speed * s->time + s->fall) + 2 * step + (double)n->radius[i] +
                     1e-3);
}

static sn_v4 place_of(const sn_world *world, uint32_t i) {
    return sn_v4_load(&world->nodes.x[i]) + sn_v4_load(&world->nodes.d[i]);
}

/* False where nothing of it can be moved. */
static bool describe(const search *s, catch *k) {
    const sn_world *world = s->world;
    const sn_real *w = sn_world_contact_w(world);
    sn_real movable = 0, most = 0;
    for (int c = 0; c < 3; c++) {
        uint32_t i = k->node[c];
        sn_real reach = reach_of(s, i), radius = world->nodes.radius[i];
        movable += w[i];
        k->reach = reach > k->reach ? reach : k->reach;
        k->radius = radius > k->radius ? radius : k->radius;
    }
    sn_v4 first = place_of(world, k->node[0]);
    sn_v4 sum = (place_of(world, k->node[1]) - first) + (place_of(world, k->node[2]) - first);
    k->middle = first + SN_R(1.0) / 3 * sum;
    for (int c = 0; c < 3; c++) {
        sn_v4 to = place_of(world, k->node[c]) - k->middle;
        sn_real square = sn_v4_dot(to, to);
        most = square > most ? square : most;
    }
    k->far = sqrt((double)most);
    return movable > 0;
}

static bool is_allowed(const sn_world *world, const uint32_t *node, size_t c) {
    const sn_collider_def *def = &world->colliders.state[c].def;
    if (!world->colliders.slots.alive[c] || !sn_triangle_contact_is_met(def)) return false;
    for (int k = 0; k < 3; k++)
        if (!sn_collider_accepts(def, world->nodes.group[node[k]]) ||
            !sn_world_may_collide(world, (sn_party){.body = world->nodes.body[node[k]]},
                                  (sn_party){.collider = (uint32_t)c + 1}))
            return false;
    return true;
}

/* A corner in the frame of a collider, where both are now. */
static sn_v4 corner_of(const sn_world *world, size_t c, uint32_t i) {
    const sn_collider_pose *at = &world->scratch.collider_contacts.pose[c];
    const sn_nodes *n = &world->nodes;
    return sn_collider_pose_into(
        at, &at->q, sn_collider_pose_relative(at, sn_v4_load(&n->x[i]), sn_v4_load(&n->d[i])));
}

/* Whether the triangle may meet a collider: first by its middle, then by its deepest point. */
static bool may_meet(catch *k, size_t c, sn_triangle_pair *face) {
    const sn_world *world = k->s->world;
    if (!is_allowed(world, k->node, c)) return false;
    const sn_collider_def *def = &world->colliders.state[c].def;
    double limit =
        (double)k->reach + (double)k->radius + world->scratch.collider_contacts.pose[c].most;
    sn_v4 corner[3], normal;
    for (int i = 0; i < 3; i++) corner[i] = corner_of(world, c, k->node[i]);
    sn_v4 middle = corner[0] + SN_R(1.0) / 3 * ((corner[1] - corner[0]) + (corner[2] - corner[0]));
    double trust = (double)sn_shape_trust(def);
    sn_near near = {.time = world->scratch.collider_contacts.pose[c].will,
                    .within = 1.001 * (limit + k->far) / trust,
                    .item = SN_BVH_NONE};
    sn_real far = def->form ? sn_shape_near_of(def->shape)(def, middle, &near, &normal)
                            : sn_shape_distance_at(def, middle, &normal);
    if ((double)far * trust > limit + k->far) return false;
    *face = (sn_triangle_pair){.node = {k->node[0], k->node[1], k->node[2]},
                               .collider = (uint32_t)c,
                               .weight = {SN_R(1.0) / 3, SN_R(1.0) / 3, SN_R(1.0) / 3},
                               .radius = k->radius,
                               .item = near.item,
                               .left = SN_INFINITY,
                               .clear = -1};
    sn_deepest_shape shape = sn_deepest_shape_of(def, near.time, near.item);
    sn_deepest d = {.weight = {SN_R(1.0) / 3, SN_R(1.0) / 3, SN_R(1.0) / 3}};
    sn_deepest_point(&shape, corner, (sn_real)(limit / trust), &d);
    if ((double)d.least * trust > limit) return false;
    for (int i = 0; i < 3; i++) face->weight[i] = d.weight[i];
    face->item = shape.item;
    return true;
}

/* Pairs of a triangle are in the order of the colliders, in whatever order they are found. */
static bool look_at(void *user, uint32_t c) {
    catch *k = user;
    sn_triangle_pair face;
    if (!may_meet(k, c, &face)) return true;
    if (k->s->fill) {
        const sn_triangle_contacts *f = &k->s->world->scratch.faces;
        sn_triangle_pair *first = f->face + f->begin[k->triangle];
        size_t at = k->found;
        for (; at > 0 && first[at - 1].collider > c; at--) first[at] = first[at - 1];
        first[at] = face;
    }
    k->found++;
    return true;
}

static void search_range(void *context, size_t begin, size_t end) {
    const search *s = context;
    sn_triangle_contacts *f = &s->world->scratch.faces;
    walk w = {0, 0};
    for (size_t t = begin; t < end; t++) {
        catch k = {.s = s, .node = nodes_of(s->world, &w, t), .triangle = t};
        bool any = !s->fill || f->begin[t + 1] > f->begin[t];
        if (any && describe(s, &k))
            sn_collider_bvh_visit_at(s->world, k.middle, (double)k.reach + (double)k.radius + k.far,
                                     look_at, &k);
        if (s->fill) continue;
        f->begin[t + 1] = k.found;
        f->reach[t] = k.reach;
    }
}

/* ---- All of them ---- */

/* Two passes: how many pairs each triangle has, and which. */
static bool find_pairs(sn_world *world, double time, double dt) {
    sn_triangle_contacts *f = &world->scratch.faces;
    sn_vec3 g = world->settings.gravity;
    search s = {.world = world,
                .time = time,
                .dt = dt,
                .fall = sqrt((double)sn_vec3_dot(g, g)) * time * time};
    f->triangles = count_triangles(world);
    if (!sn_reserve(&world->memory, (void **)&f->begin, &f->begin_capacity, f->triangles + 2,
                    sizeof *f->begin) ||
        !sn_reserve(&world->memory, (void **)&f->reach, &f->reach_capacity, f->triangles + 1,
                    sizeof *f->reach))
        return false;
    f->begin[0] = 0;
    sn_team_run(world->bindings.team, f->triangles, FACES_ALONE, search_range, &s);
    for (size_t t = 0; t < f->triangles; t++) f->begin[t + 1] += f->begin[t];
    f->count = f->begin[f->triangles];
    if (!sn_reserve(&world->memory, (void **)&f->face, &f->capacity, f->count + 1, sizeof *f->face))
        return false;
    s.fill = true;
    sn_team_run(world->bindings.team, f->triangles, FACES_ALONE, search_range, &s);
    return sn_triangle_contact_colour(world);
}

bool sn_triangle_contact_plan(sn_world *world, double dt) {
    world->scratch.faces.count = world->scratch.faces.listed = world->scratch.faces.triangles =
        world->scratch.faces.colours = 0;
    return !sn_triangle_contact_is_needed(world) || find_pairs(world, dt, dt);
}

/* ---- Who was faster than expected ---- */

/* What has happened to a pair in this step goes with it. */
static void carry(const sn_triangle_contacts *f) {
    for (size_t t = 0; t < f->triangles; t++)
        for (size_t k = f->begin[t], old = f->old_begin[t]; k < f->begin[t + 1]; k++) {
            while (old < f->old_begin[t + 1] && f->old[old].collider < f->face[k].collider) old++;
            if (old == f->old_begin[t + 1] || f->old[old].collider != f->face[k].collider) continue;
            uint32_t colour = f->face[k].colour;
            f->face[k] = f->old[old];
            f->face[k].colour = colour;
        }
}

static void exchange(size_t *a, size_t *b) {
    size_t kept = *a;
    *a = *b;
    *b = kept;
}

static void set_aside(sn_triangle_contacts *f) {
    size_t *begin = f->begin;
    sn_triangle_pair *face = f->face;
    f->begin = f->old_begin;
    f->face = f->old;
    f->old_begin = begin;
    f->old = face;
    exchange(&f->begin_capacity, &f->old_begin_capacity);
    exchange(&f->capacity, &f->old_capacity);
}

/* Finds the pairs again from where everything is now. Without memory the old ones are kept. */
static void find_again(sn_world *world, const sn_moment *moment) {
    sn_triangle_contacts *f = &world->scratch.faces;
    size_t count = f->count;
    set_aside(f);
    if (find_pairs(world, (1 - moment->done) * moment->dt, moment->dt) &&
        sn_contact_events_reserve(world, 0)) {
        carry(f);
        return;
    }
    set_aside(f);
    f->count = count;
    sn_world_say(world, SN_LOG_WARNING,
                 "there is no memory to find contacts of faces again; some may be missed in this "
                 "step");
    /* There is room for what was coloured before. */
    if (!sn_triangle_contact_colour(world)) f->count = 0;
}

typedef struct pass {
    sn_world *world;
    bool bounces;
    atomic_bool outrun;
} pass;

static void watch_range(void *context, size_t begin, size_t end) {
    pass *p = context;
    const sn_world *world = p->world;
    walk w = {0, 0};
    for (size_t t = begin; t < end; t++) {
        const uint32_t *node = nodes_of(world, &w, t);
        sn_real reach = world->scratch.faces.reach[t];
        for (int k = 0; k < 3; k++) {
            sn_v4 gone = place_of(world, node[k]) - sn_v4_load(&world->scratch.safe.x[node[k]]);
            if (!(sn_v4_dot(gone, gone) <= reach * reach))
                atomic_store_explicit(&p->outrun, true, memory_order_relaxed);
        }
    }
}

static void begin_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_world *world = p->world;
    for (size_t i = begin; i < end; i++) {
        sn_triangle_pair *face = &world->scratch.faces.face[i];
        for (int k = 0; k < 3 && p->bounces; k++) face->before[k] = world->nodes.v[face->node[k]];
        if (!(face->push > 0)) continue;
        face->push = 0;
        face->slide = (sn_vec4){0, 0, 0, 0};
    }
}

void sn_triangle_contact_substep(sn_world *world, const sn_moment *moment) {
    const sn_triangle_contacts *f = &world->scratch.faces;
    if (f->triangles == 0) return;
    pass p = {.world = world, .bounces = sn_collider_contact_bounces(world)};
    sn_team_run(world->bindings.team, f->triangles, FACES_ALONE, watch_range, &p);
    if (atomic_load_explicit(&p.outrun, memory_order_relaxed)) find_again(world, moment);
    sn_team_run(world->bindings.team, f->count, FACES_ALONE, begin_range, &p);
}

/* ---- Sleepers ---- */

bool sn_triangle_contact_comes_near(const sn_world *world, size_t begin, size_t end,
                                    size_t collider, double reach) {
    const sn_collider_def *def = &world->colliders.state[collider].def;
    for (size_t s = 0; s < world->surfaces.slots.count; s++) {
        const sn_collision_surface_state *surface = &world->surfaces.state[s];
        for (size_t t = 0; has_faces(world, s) && t < surface->def.triangle_count; t++) {
            const uint32_t *node = surface->triangle + 3 * t;
            sn_v4 corner[3];
            sn_real radius = 0;
            bool mine = false;
            for (int k = 0; k < 3; k++) mine |= node[k] >= begin && node[k] < end;
            if (!mine || !is_allowed(world, node, collider)) continue;
            for (int k = 0; k < 3; k++) {
                sn_real own = world->nodes.radius[node[k]];
                radius = own > radius ? own : radius;
                corner[k] = corner_of(world, collider, node[k]);
            }
            sn_real limit = (sn_real)((reach + (double)radius) / (double)sn_shape_trust(def));
            sn_deepest_shape shape = sn_deepest_shape_of(def, 0, SN_BVH_NONE);
            sn_deepest d = {.weight = {SN_R(1.0) / 3, SN_R(1.0) / 3, SN_R(1.0) / 3}};
            sn_deepest_point(&shape, corner, limit, &d);
            if (!(d.least > limit)) return true;
        }
    }
    return false;
}
