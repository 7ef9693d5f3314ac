/*
 * Slabs: space is cut across its longest side, so that each has about as many pairs as the others.
 *
 * Pairs that lie within a slab have no node in common with those of another, and neither have those
 * that lie across one cut with those of the cut after the next. So threads take whole slabs, then
 * every other cut, then the others, and wait for each other three times in a sweep, however many
 * pairs there are. Cuts are halved along the second side, as there may be only one; what lies
 * across both is left for the end.
 *
 *     | slab | slab | slab |      half
 *     |      cut    cut    |      -----
 *     |      |      |      |      half
 *
 * A slab is several elements thick, for most pairs to be within one. Slabs depend on where nodes
 * are when pairs are found, and on nothing else.
 */
#include "contact/surface/surface_pair.h"

#include <math.h>
#include <string.h>

enum { NODES_ALONE = 1024, MOST_SAMPLES = 4096, BINS = 256, PAIRS_PER_SLAB = 2048 };
/* Elements across a slab. */
static const double THICKNESS = 5;

/* ---- Where the pairs are ---- */

typedef struct samples {
    uint32_t node[MOST_SAMPLES];
    size_t count;
} samples;

/* The first nodes of some pairs, evenly from all. */
static void take_samples(const sn_surface_contacts *m, size_t pairs, samples *s) {
    size_t stride = pairs / MOST_SAMPLES + 1;
    s->count = 0;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        const sn_surface_elements *first = &m->list[sn_surface_pair_whole_first[kind]];
        const sn_surface_contact_set *set = &m->set[kind];
        for (size_t k = 0; k < set->count && s->count < MOST_SAMPLES; k += stride)
            s->node[s->count++] =
                first->node[(size_t)set->pair[k].a * (size_t)sn_contact_first[kind]];
    }
}

/* How space is cut along an axis. */
typedef struct cutting {
    const sn_vec4 *x; /* m, of nodes */
    int axis;
    double low, scale;     /* m, and bins in a m */
    uint8_t part_of[BINS]; /* of what is in a bin */
} cutting;

static size_t bin_of(const cutting *c, uint32_t node) {
    double at = (double)sn_v4_load(&c->x[node])[c->axis];
    double bin = (at - c->low) * c->scale;
    return bin > 0 ? bin < BINS - 1 ? (size_t)bin : BINS - 1 : 0;
}

/* The longest and the second side of the box around the samples; returns the length of the first in
   m. */
static double choose_axes(cutting c[2], const samples *s) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t k = 0; k < s->count; k++) {
        sn_v4 at = sn_v4_load(&c->x[s->node[k]]);
        for (int i = 0; i < 3; i++) {
            if ((double)at[i] < low[i]) low[i] = (double)at[i];
            if ((double)at[i] > high[i]) high[i] = (double)at[i];
        }
    }
    for (int n = 0; n < 2; n++) {
        int axis = n == 1 && c[0].axis == 0;
        for (int i = axis + 1; i < 3; i++)
            if (high[i] - low[i] > high[axis] - low[axis] && !(n == 1 && i == c[0].axis)) axis = i;
        c[n].axis = axis;
        c[n].low = low[axis];
        c[n].scale = BINS / (high[axis] - low[axis]);
    }
    return high[c[0].axis] - low[c[0].axis];
}

/* m: how large elements are, in the mean. */
static double size_of(const sn_world *world, const sn_surface_contacts *m, const samples *s) {
    double radius = 0;
    for (size_t k = 0; k < s->count; k++) radius += (double)world->nodes.radius[s->node[k]];
    return m->size + 2 * radius / (double)s->count;
}

/* A power of two, which threads mostly are. */
static size_t count_slabs(double room, size_t pairs) {
    size_t count = 1;
    while (2 * count <= SN_SURFACE_CONTACT_MOST_SLABS && (double)(2 * count) <= room &&
           2 * count * PAIRS_PER_SLAB <= pairs)
        count *= 2;
    return count;
}

/* Into parts that have as many samples as each other. */
static void cut(cutting *c, const samples *s, size_t parts) {
    size_t number[BINS] = {0}, before = 0;
    for (size_t k = 0; k < s->count; k++) number[bin_of(c, s->node[k])]++;
    for (size_t b = 0; b < BINS; b++) {
        size_t middle = before + number[b] / 2;
        c->part_of[b] = (uint8_t)(middle * parts / (s->count + 1));
        before += number[b];
    }
}

typedef struct marking {
    const sn_surface_contacts *surface_contacts;
    const cutting *cut;
} marking;

static void mark_range(void *context, size_t begin, size_t end) {
    const marking *m = context;
    const sn_surface_elements *points = &m->surface_contacts->list[SN_SURFACE_CONTACT_POINT];
    for (size_t k = begin; k < end; k++) {
        uint32_t i = points->node[k], slab = m->cut[0].part_of[bin_of(&m->cut[0], i)];
        uint32_t half = m->cut[1].part_of[bin_of(&m->cut[1], i)];
        m->surface_contacts->slabs.of_node[i] = (uint8_t)(2 * slab + half);
    }
}

bool sn_contact_slabs_make(sn_world *world, sn_surface_contacts *m) {
    sn_contact_slabs *slabs = &m->slabs;
    cutting c[2] = {{.x = world->surfaces.reach.from}, {.x = world->surfaces.reach.from}};
    marking marks = {m, c};
    samples s;
    size_t pairs = 0;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) pairs += m->set[kind].count;
    slabs->count = 1;
    slabs->lost = false;
    if (!sn_reserve(&world->memory, (void **)&slabs->of_node, &slabs->capacity,
                    world->nodes.slots.count, sizeof *slabs->of_node))
        return false;
    if (pairs < 2 * (size_t)PAIRS_PER_SLAB) return true;
    take_samples(m, pairs, &s);
    double room = choose_axes(c, &s) / (THICKNESS * size_of(world, m, &s));
    slabs->count = count_slabs(room, pairs);
    if (slabs->count == 1) return true;
    cut(&c[0], &s, slabs->count);
    cut(&c[1], &s, 2);
    sn_team_run(world->bindings.team, m->list[SN_SURFACE_CONTACT_POINT].count, NODES_ALONE,
                mark_range, &marks);
    return true;
}

uint32_t sn_surface_contact_group_of(const sn_world *world, const sn_surface_contact_set *set,
                                     const uint32_t *node, int nodes) {
    const sn_real *w = sn_world_contact_w(world);
    const sn_contact_slabs *slabs = &world->scratch.surface_contacts->slabs;
    uint32_t low = UINT32_MAX, high = 0, halves = 0, count = (uint32_t)set->slabs;
    uint32_t last = (uint32_t)sn_surface_contact_groups(set) - 1;
    if (slabs->lost) return last;
    if (count == 1) return 0;
    /* What is kinematic is nobody's, as it is not moved. */
    for (int n = 0; n < nodes; n++) {
        if (!(w[node[n]] > 0)) continue;
        uint32_t slab = slabs->of_node[node[n]] / 2;
        if (slab < low) low = slab;
        if (slab > high) high = slab;
        halves |= 1u << slabs->of_node[node[n]] % 2;
    }
    if (low >= high) return high;
    if (high > low + 1 || halves == 3) return last;
    return (uint32_t)sn_surface_contact_layer(set, low % 2 ? 2 : 1) + low / 2 * 2 + halves - 1;
}
