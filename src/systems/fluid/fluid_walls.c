/*
 * Colliders as fluid at rest. A particle at a wall would see a density that is too small and come
 * too close, so a collider counts as layers of particles behind its surface, as far apart as those
 * of the fluid are:
 *
 *   B(s) = l sum_k A(s + (k + 1/2) l)         s from the surface, l the spacing, k = 0, 1, ...
 *
 * with A the kernel over a plane (fluid_kernel.h). For a lattice that touches the wall the sum with
 * its neighbours is 1 as it is inside, where the integral over the half space would be a fifth too
 * much at a reach of two spacings. Koschier and Bender (2017) and Bender et al. (2019) have the
 * integral over the true shape; here the shape is taken for its tangent plane at the nearest point.
 *
 * In a corner two half spaces overlap. Where theta is the angle between the normals, the farther
 * one has the part B' (1 - cos^2 theta) in common with the nearer one, of density B', for an
 * obtuse angle, and B' + (1 - B') cos^2 theta for an acute one: none for a gap, B' at a right
 * angle, all for two tiles of a floor.
 */
#include "collision/broad_phase/collider_bvh.h"
#include "collision/collider_pose.h"
#include "collision/contact_material.h"
#include "math/lanes.h"
#include "systems/fluid/fluid_kernel.h"
#include "systems/fluid/fluids.h"

enum { MOST_WALLS = SN_FLUID_MOST_WALLS, MOST_LAYERS = 64, MOST_NEAR = 24 };

typedef struct wall {
    sn_real far; /* m, of the particle from the surface */
    sn_v4 normal;
    uint32_t collider;
} wall;

/* The nearest walls of a particle, the nearest first; of those as near, the first collider. */
typedef struct walls {
    const sn_world *world;
    uint32_t node;
    sn_v4 x, d;
    sn_real reach;   /* m, within which walls count */
    sn_real within;  /* m, within which they are looked for */
    sn_real nearest; /* m, of all that were found, less what they move in the step */
    wall wall[MOST_WALLS];
    int count;
} walls;

/* m: how far the surface is, if it is within reach. */
static sn_real distance_of(const walls *w, uint32_t c, sn_v4 *normal) {
    const sn_collider_def *def = &sn_colliders_of(w->world)->state[c].def;
    const sn_collider_pose *at = &sn_collider_poses(w->world)[c];
    sn_v4 local;
    if (!def->form) return sn_collider_pose_distance(w->world, c, w->x, w->d, normal, &local);
    local = sn_collider_pose_into(at, &at->q, sn_collider_pose_relative(at, w->x, w->d));
    sn_near near = {.time = at->will,
                    .within = 1.001 * (double)(w->within / sn_shape_trust(def)),
                    .item = SN_BVH_NONE};
    sn_real far = sn_shape_near_of(def->shape)(def, local, &near, normal);
    *normal = sn_collider_pose_out(at, &at->q, *normal);
    return far;
}

static bool add_wall(void *user, uint32_t c) {
    walls *w = user;
    const sn_world *world = w->world;
    const sn_colliders *colliders = sn_colliders_of(world);
    if (!colliders->slots.alive[c] ||
        !sn_collider_accepts(&colliders->state[c].def, world->nodes.group[w->node]) ||
        !sn_world_may_collide(world, (sn_party){.body = world->nodes.body[w->node]},
                              (sn_party){.collider = c + 1}))
        return true;
    sn_v4 normal;
    sn_real far = distance_of(w, c, &normal);
    sn_real left = far - (sn_real)sn_collider_poses(world)[c].most;
    if (!(left >= w->nearest)) w->nearest = left;
    if (!(far < w->reach)) return true;
    int k = w->count;
    if (k == MOST_WALLS && !(far < w->wall[k - 1].far)) return true;
    if (k == MOST_WALLS) k--;
    for (; k > 0 && far < w->wall[k - 1].far; k--) w->wall[k] = w->wall[k - 1];
    w->wall[k] = (wall){far, normal, c};
    if (w->count < MOST_WALLS) w->count++;
    return true;
}

/* B at a distance, and its slope in 1/m. */
static double density_of(double far, double spacing, double reach, double *slope) {
    double sum = 0, slopes = 0, one;
    if (far < 0) far = 0;
    for (int k = 0; k < MOST_LAYERS && far + (k + 0.5) * spacing < reach; k++) {
        sum += sn_kernel_plane((far + (k + 0.5) * spacing) / reach, &one);
        slopes += one;
    }
    *slope = slopes * spacing / (reach * reach);
    return sum * spacing / reach;
}

/* What the part of a wall is that none of the nearer ones has. */
static double share_of(const walls *w, const double *density, int i) {
    double share = 1;
    for (int k = 0; k < i; k++) {
        double c = (double)sn_v4_dot(w->wall[i].normal, w->wall[k].normal), square = c * c;
        double common = density[k] * (1 - square);
        if (c > 0) common = density[k] + (1 - density[k]) * square;
        share *= common < 1 ? 1 - common : 0;
    }
    return share;
}

/* The colliders that may be within reach of a block; more than there is room for are looked for
   place by place. */
typedef struct block_walls {
    const sn_world *world;
    sn_v4 x, d;
    sn_real within; /* m from the first place of the block */
    uint32_t collider[MOST_NEAR];
    int count;
} block_walls;

static bool add_near(void *user, uint32_t c) {
    block_walls *b = user;
    const sn_colliders *colliders = sn_colliders_of(b->world);
    if (!colliders->slots.alive[c]) return true;
    if (!colliders->state[c].def.form) {
        sn_v4 normal, local;
        sn_real far = sn_collider_pose_distance(b->world, c, b->x, b->d, &normal, &local);
        sn_real left = far - (sn_real)sn_collider_poses(b->world)[c].most;
        if (left > b->within) return true;
    }
    if (b->count < MOST_NEAR) b->collider[b->count] = c;
    b->count++;
    return true;
}

static block_walls find_near(const sn_world *world, const sn_fluid_places *s, size_t begin,
                             size_t end) {
    uint32_t node = s->node[begin];
    block_walls b = {.world = world,
                     .x = sn_v4_load(&world->nodes.x[node]),
                     .d = sn_v4_load(&world->nodes.d[node])};
    sn_real square = 0, reach = 0;
    for (size_t at = begin; at < end; at++) {
        sn_v4 apart = sn_v4_load(&s->y[at]) - sn_v4_load(&s->y[begin]);
        sn_real one = sn_v4_dot(apart, apart);
        if (!(one <= square)) square = one;
        if (s->trait[at].x > reach) reach = s->trait[at].x;
    }
    b.within = SN_R(1.001) * (3 * reach + SN_ROOT(square));
    sn_collider_bvh_visit(world, node, (double)b.within, add_near, &b);
    return b;
}

/* Whether a place is known not to have any, as it has not gone far since. */
static bool is_clear(const sn_fluid_places *s, size_t at) {
    const sn_vec4 *clear = &s->clear[s->order[at]];
    sn_v4 moved = sn_v4_load(&s->y[at]) - sn_v4_load(clear);
    return sn_v4_dot(moved, moved) < clear->w * clear->w;
}

/* N: by how much a wall pulls. */
static double grip_of(const sn_world *world, const sn_fluid_particle *p, double far) {
    const sn_fluid_def *def = &sn_fluids_of(world)->members[p->fluid].def;
    double strength = (double)def->surface_tension * (double)def->adhesion;
    return strength *
           sn_fluid_grip_of(far, (double)p->spacing, 2 * (double)p->half_reach, (double)p->volume);
}

static void note_part(const sn_fluid_places *s, size_t at, int k, const walls *w, double slope,
                      double pull) {
    sn_fluid_wall_part *part = s->part + at * MOST_WALLS;
    const sn_v4 n = w->wall[k].normal;
    part[k] = (sn_fluid_wall_part){.normal = {n[0], n[1], n[2]},
                                   .slope = (sn_real)slope,
                                   .pull = (sn_real)pull,
                                   .collider = w->wall[k].collider + 1};
    if (k + 1 < MOST_WALLS) part[k + 1].collider = 0;
}

/* Adds up what walls there are. */
static sn_vec4 measure(const sn_world *world, sn_fluid_places *s, size_t at, const block_walls *b) {
    const sn_fluid_particle *p = &s->particle[s->order[at]];
    sn_vec4 *clear = &s->clear[s->order[at]];
    walls w = {.world = world,
               .node = p->node,
               .x = sn_v4_load(&world->nodes.x[p->node]),
               .d = sn_v4_load(&world->nodes.d[p->node]),
               .reach = 2 * p->half_reach - SN_R(0.5) * p->spacing};
    w.within = w.nearest = w.reach + p->half_reach;
    if (b->count > MOST_NEAR) sn_collider_bvh_visit(world, p->node, (double)w.within, add_wall, &w);
    for (int k = 0; b->count <= MOST_NEAR && k < b->count; k++) add_wall(&w, b->collider[k]);
    *clear = s->y[at];
    clear->w = w.nearest > w.reach ? SN_R(0.99) * (w.nearest - w.reach) : 0;
    double density[MOST_WALLS], sum = 0;
    sn_v4 gradient = {0}, grip = {0};
    for (int k = 0; k < w.count; k++) {
        double slope, share = share_of(&w, density, k);
        density[k] = density_of((double)w.wall[k].far, (double)p->spacing,
                                2 * (double)p->half_reach, &slope);
        sum += share * density[k];
        double pull = s->is_tight ? share * grip_of(world, p, (double)w.wall[k].far) : 0;
        gradient += (sn_real)(share * slope) * w.wall[k].normal;
        grip += (sn_real)pull * w.wall[k].normal;
        if (sn_fluid_has_parts(s)) note_part(s, at, k, &w, share * slope, pull);
    }
    if (s->is_tight) sn_v4_store(&s->grip[at], grip);
    return (sn_vec4){gradient[0], gradient[1], gradient[2], (sn_real)sum};
}

void sn_fluid_walls_measure(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    const bool any = sn_colliders_of(world)->slots.live > 0;
    for (size_t block = begin; block < end; block++) {
        size_t first = block * SN_BLOCK, last = first + SN_BLOCK;
        if (last > s->count) last = s->count;
        block_walls b = {.count = -1};
        for (size_t at = first; at < last; at++) {
            s->wall[at] = (sn_vec4){0};
            if (s->is_tight) s->grip[at] = (sn_vec4){0};
            if (!any || !(s->trait[at].y > 0) || is_clear(s, at)) continue;
            if (b.count < 0) b = find_near(world, s, first, last);
            s->wall[at] = measure(world, s, at, &b);
        }
    }
}
