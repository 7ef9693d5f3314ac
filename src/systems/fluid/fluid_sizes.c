/*
 * Sizes that adapt to the shape of a fluid, when a step is over: fine at its free surface, coarse
 * below it.
 *
 *   two become one   of equal mass m, the nearest of each other, deeper than the depth that 2 m is
 *                    allowed at: the middle of both, with the mean of their velocities
 *   one becomes two  nearer to the surface than 0.7 of that depth: m / 2 each, at either side of
 *                    where it was, with its velocity
 *
 * Masses are those that the fluid was made with, times 1, 2, 4 or 8: sums of masses are kept to the
 * bit, centre of mass and momentum to rounding. Particles of the mass 2^k m are allowed below (1 +
 * k) / 2 times the coarse depth, so that sizes change by steps. Depth is the way over neighbours to
 * the next particle at the free surface. That is one that is nearly alone, or that has no neighbour
 * and no wall within 60 degrees of the way on which its density falls (Marrone et al. 2010, Fast
 * free-surface detection). A density that is somewhat small does not tell it: beside two that have
 * become one it is that for a while, and who took this for a surface divided a pool from within,
 * which pushed others apart, and so on until all of it boiled.
 */
#include "contact/surface/surface_contact.h"
#include "math/root.h"
#include "systems/fluid/fluid_loops.h"

#include <math.h>

enum { MOST_SWEEPS = 16, HEAVIEST = 8, EVERY = 8 };
static const double ALONE = 0.5, BESIDE = 0.5, BACK = 0.7, ASIDE = 0.35;
static const double FAR = 1e18; /* m, from any surface */

bool sn_fluids_adapt_sizes(const sn_world *world) {
    const sn_fluids *fluids = sn_fluids_of(world);
    for (size_t i = 0; i < fluids->slots.count; i++)
        if (fluids->slots.alive[i] && fluids->members[i].def.coarse_depth != SN_AUTO) return true;
    return false;
}

/* 1/kg: of the particles that a fluid was made with. While nobody waits they are all there. */
static void note_finest(const sn_world *world, sn_fluid_members *m) {
    if (m->spares > 0) return;
    m->finest = 0;
    for (size_t k = 0; k < m->count; k++) {
        sn_real w = world->nodes.w[m->node[k].slot - 1];
        if (w > m->finest) m->finest = w;
    }
}

bool sn_fluid_sizes_plan(sn_step *step) {
    sn_world *world = step->world;
    sn_fluids *fluids = sn_fluids_of(world);
    size_t all = 0;
    for (size_t i = 0; i < fluids->slots.count; i++) {
        sn_fluid_members *m = &fluids->members[i];
        all += m->count + m->spares;
        if (!fluids->slots.alive[i] || m->def.coarse_depth == SN_AUTO) continue;
        size_t most = m->count + m->spares;
        if (!sn_reserve(&world->memory, (void **)&m->node, &m->capacity, most, sizeof *m->node) ||
            !sn_reserve(&world->memory, (void **)&m->spare, &m->spare_capacity, most,
                        sizeof *m->spare))
            return false;
        note_finest(world, m);
    }
    /* Two columns, of whole blocks and that of nobody. */
    size_t places = (all / SN_BLOCK + 2) * SN_BLOCK;
    return sn_reserve(&world->memory, (void **)&fluids->places.depth,
                      &fluids->places.depth_capacity, 2 * places, sizeof *fluids->places.depth) &&
           sn_reserve(&world->memory, (void **)&fluids->places.partner,
                      &fluids->places.partner_capacity, places, sizeof *fluids->places.partner);
}

/* ---- How deep ---- */

static double square_between(const sn_fluid_places *s, size_t i, size_t j) {
    double x = (double)s->y[i].x - (double)s->y[j].x, y = (double)s->y[i].y - (double)s->y[j].y;
    double z = (double)s->y[i].z - (double)s->y[j].z;
    return (x * x + y * y) + z * z;
}

/* The place that a neighbour stands for. */
static size_t place_of(const sn_fluid_places *s, uint32_t near) {
    return near < s->count ? near : s->twin[near - sn_fluid_first_image(s)];
}

typedef struct direction {
    double x, y, z;
} direction;

static direction between(const sn_fluid_places *s, size_t from, size_t to) {
    return (direction){(double)s->y[to].x - (double)s->y[from].x,
                       (double)s->y[to].y - (double)s->y[from].y,
                       (double)s->y[to].z - (double)s->y[from].z};
}

static double dot(direction a, direction b) {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/* Whether one direction is near the opposite of another; one without length is not. */
static bool is_against(direction a, direction slope) {
    double along = dot(a, slope);
    return along < 0 && along * along > BESIDE * BESIDE * (dot(a, a) * dot(slope, slope));
}

static bool is_at_surface(const sn_fluid_places *s, size_t at) {
    if ((double)s->density[at] < ALONE) return true;
    const size_t first = (at / SN_BLOCK) * s->rows * SN_BLOCK + at % SN_BLOCK;
    const uint32_t rows = s->row_count[at / 4];
    const sn_vec4 w = s->wall[at];
    const direction wall = {(double)w.x, (double)w.y, (double)w.z};
    direction slope = wall;
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t near = s->near[first + row * SN_BLOCK];
        const double factor = (double)s->factor[first + row * SN_BLOCK];
        if (!sn_fluid_is_somebody(s, near)) continue;
        const direction to = between(s, at, near);
        slope =
            (direction){slope.x - factor * to.x, slope.y - factor * to.y, slope.z - factor * to.z};
    }
    if (is_against(wall, slope)) return false;
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t near = s->near[first + row * SN_BLOCK];
        if (!(s->factor[first + row * SN_BLOCK] < 0)) continue;
        if (sn_fluid_is_somebody(s, near) && is_against(between(s, at, near), slope)) return false;
    }
    return true;
}

typedef struct sweep {
    const sn_fluid_places *s;
    const double *from;
    double *to;
} sweep;

static const uint32_t *first_near(const sn_fluid_places *s, size_t at) {
    return s->near + (at / SN_BLOCK) * s->rows * SN_BLOCK + at % SN_BLOCK;
}

static void deepen(void *context, size_t begin, size_t end) {
    const sweep *w = context;
    const sn_fluid_places *s = w->s;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK && at < s->count; at++) {
        const uint32_t *near = first_near(s, at);
        double least = w->from[at];
        for (uint32_t row = 0; row < s->row_count[at / 4]; row++, near += SN_BLOCK) {
            if (!sn_fluid_is_somebody(s, *near)) continue;
            double from = w->from[place_of(s, *near)];
            if (!(from < least)) continue;
            double far = from + sqrt(square_between(s, at, *near));
            if (far < least) least = far;
        }
        w->to[at] = least;
    }
}

/* m: of each place, in the first column. */
static void find_depths(sn_world *world) {
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    double *column[2] = {s->depth, s->depth + (s->blocks + 1) * SN_BLOCK};
    for (size_t at = 0; at < s->count; at++) column[0][at] = is_at_surface(s, at) ? 0 : FAR;
    for (int i = 0; i < MOST_SWEEPS; i++) {
        sweep w = {s, column[i % 2], column[1 - i % 2]};
        sn_fluid_run(world, deepen, &w);
    }
}

/* ---- Who may be how heavy ---- */

/* How many of the finest a particle is. */
static double parts_of(const sn_world *world, const sn_fluid_members *m, uint32_t node) {
    sn_real w = world->nodes.w[node];
    return w > 0 && m->finest > 0 ? (double)m->finest / (double)w : 0;
}

/* m: the depth below which particles of so many parts are allowed. */
static double depth_for(const sn_fluid_members *m, double parts) {
    return (double)m->def.coarse_depth * (parts < 1.5 ? 0 : parts < 3 ? 1 : parts < 6 ? 1.5 : 2);
}

static const sn_fluid_members *members_at(const sn_world *world, size_t at) {
    const sn_fluids *fluids = sn_fluids_of(world);
    return &fluids->members[fluids->places.particle[fluids->places.order[at]].fluid];
}

static bool may_merge(const sn_world *world, size_t at) {
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    const sn_fluid_members *m = members_at(world, at);
    if (m->def.coarse_depth == SN_AUTO) return false;
    double parts = parts_of(world, m, s->node[at]);
    return parts > 0.5 && parts < 0.75 * HEAVIEST && s->depth[at] < 0.5 * FAR &&
           s->depth[at] > depth_for(m, 2 * parts);
}

/* ---- Two become one ---- */

static void find_partners(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK && at < s->count; at++) {
        const sn_fluid_particle *p = &s->particle[s->order[at]];
        const uint32_t *near = first_near(s, at);
        double least = (double)p->half_reach * (double)p->half_reach * 1.44;
        s->partner[at] = UINT32_MAX;
        if (!may_merge(world, at)) continue;
        for (uint32_t row = 0; row < s->row_count[at / 4]; row++, near += SN_BLOCK) {
            /* One beyond the side of a periodic world is left alone. */
            if (*near >= s->count || s->particle[s->order[*near]].fluid != p->fluid ||
                world->nodes.w[s->node[*near]] != world->nodes.w[p->node] ||
                !may_merge(world, *near))
                continue;
            double square = square_between(s, at, *near);
            if (!(square < least)) continue;
            least = square;
            s->partner[at] = *near;
        }
    }
}

static void set_size(sn_world *world, const sn_fluid_members *m, uint32_t node, sn_real w) {
    world->nodes.w[node] = w;
    double volume = 1 / ((double)w * (double)m->def.rest_density);
    world->nodes.radius[node] = (sn_real)(0.5 * sn_cube_root(volume));
    world->scratch.masses_changed = world->sleep.joints_changed = true;
    sn_world_restart_body(world, world->nodes.body[node]);
}

static void take_out(sn_fluid_members *m, uint32_t node) {
    size_t k = 0;
    while (m->node[k].slot != node + 1) k++;
    m->spare[m->spares++] = m->node[k];
    for (; k + 1 < m->count; k++) m->node[k] = m->node[k + 1];
    m->count--;
}

static sn_vec4 middle(sn_vec4 a, sn_vec4 b) {
    return (sn_vec4){SN_R(0.5) * (a.x + b.x), SN_R(0.5) * (a.y + b.y), SN_R(0.5) * (a.z + b.z), 0};
}

static void merge(sn_world *world, sn_fluid_members *m, uint32_t a, uint32_t b) {
    sn_nodes *n = &world->nodes;
    sn_vec4 x = middle(n->x[a], n->x[b]);
    n->v[a] = middle(n->v[a], n->v[b]);
    sn_nodes_place(n, a, (sn_vec3){x.x, x.y, x.z});
    set_size(world, m, a, SN_R(0.5) * n->w[a]);
    n->v[b] = (sn_vec4){0};
    n->w[b] = n->radius[b] = 0;
    n->group[b] = SN_GROUP_NONE;
    take_out(m, b);
}

/* Of all pairs a part in each step, so that a fluid is not shaken all at once. */
static void merge_pairs(sn_world *world) {
    sn_fluids *fluids = sn_fluids_of(world);
    const sn_fluid_places *s = &fluids->places;
    sn_fluid_run(world, find_partners, world);
    for (size_t at = 0; at < s->count; at++) {
        size_t other = s->partner[at];
        if (other == UINT32_MAX || other < at || s->partner[other] != at) continue;
        if ((s->node[at] + world->steps) % EVERY != 0) continue;
        merge(world, &fluids->members[s->particle[s->order[at]].fluid], s->node[at],
              s->node[other]);
    }
}

/* ---- One becomes two ---- */

/* Along the axis that leads least into a wall, or by turns. */
static int axis_of(const sn_world *world, size_t at) {
    const sn_vec4 slope = sn_fluids_of(world)->places.wall[at];
    const double along[3] = {fabs((double)slope.x), fabs((double)slope.y), fabs((double)slope.z)};
    int axis = (int)((sn_fluids_of(world)->places.node[at] + world->steps) % 3);
    for (int i = 0; i < 3; i++)
        if (along[i] < along[axis]) axis = i;
    return axis;
}

static void divide(sn_world *world, sn_fluid_members *m, size_t at) {
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_nodes *n = &world->nodes;
    sn_node spare = m->spare[--m->spares];
    uint32_t a = s->node[at], b = spare.slot - 1;
    sn_real by = (sn_real)(ASIDE * (double)s->particle[s->order[at]].spacing);
    const int axis = axis_of(world, at);
    sn_vec3 one = {n->x[a].x, n->x[a].y, n->x[a].z}, two = one;
    *(axis == 0 ? &one.x : axis == 1 ? &one.y : &one.z) += by;
    *(axis == 0 ? &two.x : axis == 1 ? &two.y : &two.z) -= by;
    sn_real w = 2 * n->w[a];
    sn_nodes_place(n, a, one);
    sn_nodes_place(n, b, two);
    n->v[b] = n->v[a];
    n->group[b] = n->group[a];
    set_size(world, m, a, w);
    set_size(world, m, b, w);
    m->node[m->count++] = spare;
    sn_world_wake_node(world, b);
}

static void divide_all(sn_world *world) {
    sn_fluids *fluids = sn_fluids_of(world);
    const sn_fluid_places *s = &fluids->places;
    for (size_t at = 0; at < s->count; at++) {
        sn_fluid_members *m = &fluids->members[s->particle[s->order[at]].fluid];
        double parts = parts_of(world, m, s->node[at]);
        if (m->def.coarse_depth == SN_AUTO || parts < 1.5 || m->spares == 0) continue;
        if (s->depth[at] < BACK * depth_for(m, parts)) divide(world, m, at);
    }
}

void sn_fluids_adapt(sn_step *step) {
    sn_world *world = step->world;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    if (sn_fluid_rests(s) || !sn_surface_contact_place(world)) return;
    find_depths(world);
    divide_all(world);
    merge_pairs(world);
}
