/*
 * Friction and repulsion between strands by way of a grid (Petrovic, Henne and Anderson 2005,
 * "Volumetric Methods for Simulation and Rendering of Hair"; Mueller, Kim and Chentanez 2012).
 *
 * Each node stands for half of the segments beside it. Corners of cells gather, with the weights of
 * linear interpolation, length and the mean velocity of the nodes of the eight cells around them;
 * nodes gather back velocity and the gradient of the density. With the same weights both ways
 * friction keeps momentum. A node does not repel itself: what it has given to the corners
 * is left out of the gradient.
 *
 * Nodes are sorted by cells, so corners gather in a fixed order and nothing is scattered: the
 * number of threads does not matter.
 */
#include "math/vector.h"
#include "systems/hair/hairs.h"

enum { NODES_ALONE = 512 };

typedef struct grid {
    const sn_world *world;
    sn_hair_state *hair;
    sn_v4 low;             /* m, of all nodes */
    sn_real cell, inverse; /* m, 1/m */
    size_t n[3];           /* cells along each axis */
    sn_real k;             /* the part of a difference in velocity that friction takes */
    sn_real spread;        /* m^2/s: c^2 h */
    sn_real most;          /* m/s that repulsion adds at most */
} grid;

/* A node in its cell. */
typedef struct place {
    size_t cell[3];
    sn_v4 part; /* of the way to the next cell, 0 to 1 */
} place;

bool sn_hairs_interact(const sn_world *world) {
    const sn_hairs *all = sn_hairs_of(world);
    for (size_t i = 0; i < all->slots.count; i++)
        if (all->slots.alive[i] &&
            (all->state[i].def.friction > 0 || all->state[i].def.repulsion > 0))
            return true;
    return false;
}

SN_INLINE size_t slot_of(const grid *g, size_t k) {
    return g->hair->node[k].slot - 1;
}

SN_INLINE sn_v4 within(const grid *g, size_t k) {
    return (*(const sn_v4 *)&g->world->nodes.x[slot_of(g, k)] - g->low) * g->inverse;
}

/* m of strand that a node stands for. */
SN_INLINE sn_real length_of(const sn_hair_state *h, size_t k) {
    return (h->length[k] + (k + 1 < h->nodes ? h->length[k + 1] : 0)) / 2;
}

SN_INLINE place find(const grid *g, size_t k) {
    place p = {.part = within(g, k)};
    for (int a = 0; a < 3; a++) {
        /* What is not finite is in the first. */
        sn_real cell = p.part[a] > 0 ? p.part[a] : 0;
        p.cell[a] = cell < (sn_real)g->n[a] ? (size_t)cell : g->n[a] - 1;
        p.part[a] -= (sn_real)p.cell[a];
    }
    return p;
}

SN_INLINE size_t cell_at(const grid *g, size_t x, size_t y, size_t z) {
    return x + g->n[0] * (y + g->n[1] * z);
}

SN_INLINE size_t corner_at(const grid *g, const size_t cell[3], int c) {
    return cell[0] + (size_t)(c & 1) +
           (g->n[0] + 1) *
               (cell[1] + (size_t)(c >> 1 & 1) + (g->n[1] + 1) * (cell[2] + (size_t)(c >> 2)));
}

/* ---- Where it is ---- */

/* Cells that are as large as was asked for, or as large as there is room for; false where nodes are
   nowhere. */
static bool lay(grid *g) {
    const sn_vec4 *x = g->world->nodes.x;
    sn_v4 low = *(const sn_v4 *)&x[slot_of(g, 0)], high = low;
    for (size_t k = 1; k < g->hair->nodes; k++) {
        sn_v4 at = *(const sn_v4 *)&x[slot_of(g, k)];
        for (int a = 0; a < 3; a++) {
            low[a] = at[a] < low[a] ? at[a] : low[a];
            high[a] = at[a] > high[a] ? at[a] : high[a];
        }
    }
    sn_v4 wide = high - low;
    if (!(wide[0] < SN_R(1e30) && wide[1] < SN_R(1e30) && wide[2] < SN_R(1e30))) return false;
    double cell = (double)g->hair->def.cell;
    for (;; cell *= 2) {
        double corners = 1;
        for (int a = 0; a < 3; a++) corners *= __builtin_floor((double)wide[a] / cell) + 2;
        if (corners <= (double)g->hair->cells) break;
    }
    g->low = low;
    g->cell = (sn_real)cell;
    g->inverse = (sn_real)(1 / cell);
    for (int a = 0; a < 3; a++) g->n[a] = (size_t)((double)wide[a] / cell) + 1;
    return true;
}

static void sort(const grid *g) {
    sn_hair_state *h = g->hair;
    size_t cells = g->n[0] * g->n[1] * g->n[2];
    for (size_t c = 0; c <= cells; c++) h->start[c] = 0;
    for (size_t k = 0; k < h->nodes; k++) {
        if (sn_hair_goes(h, k)) continue;
        place p = find(g, k);
        h->cell[k] = (uint32_t)cell_at(g, p.cell[0], p.cell[1], p.cell[2]);
        h->start[h->cell[k] + 1]++;
    }
    for (size_t c = 0; c < cells; c++) h->start[c + 1] += h->start[c];
    h->points = h->start[cells];
    /* From the last to the first, which moves the beginnings to where they belong. */
    for (size_t k = h->nodes; k-- > 0;) {
        if (sn_hair_goes(h, k)) continue;
        sn_hair_point *to = &h->point[--h->start[h->cell[k] + 1]];
        sn_v4 at = within(g, k);
        at[3] = length_of(h, k);
        *(sn_v4 *)&to->at = at;
        to->v = g->world->nodes.v[slot_of(g, k)];
    }
}

/* ---- To the corners, and back ---- */

/* The points of a row of cells, of which start[c + 1] is now the beginning of cell c. */
static sn_v4 gather(const grid *g, size_t first, size_t last, sn_v4 corner) {
    const sn_hair_state *h = g->hair;
    size_t cells = g->n[0] * g->n[1] * g->n[2];
    size_t end = last + 1 < cells ? h->start[last + 2] : h->points;
    sn_v4 sum = {0, 0, 0, 0};
    for (size_t i = h->start[first + 1]; i < end; i++) {
        sn_v4 at = *(const sn_v4 *)&h->point[i].at, v = *(const sn_v4 *)&h->point[i].v;
        sn_v4 away = at - corner;
        sn_real weight = at[3];
        for (int a = 0; a < 3; a++) {
            sn_real near = 1 - (away[a] < 0 ? -away[a] : away[a]);
            weight *= near > 0 ? near : 0;
        }
        v[3] = 1;
        sum += weight * v;
    }
    return sum;
}

static void gather_range(void *context, size_t begin, size_t end) {
    const grid *g = context;
    for (size_t c = begin; c < end; c++) {
        size_t m = g->n[0] + 1, x = c % m, y = c / m % (g->n[1] + 1), z = c / m / (g->n[1] + 1);
        size_t left = x > 0 ? x - 1 : 0, right = x < g->n[0] ? x : x - 1;
        sn_v4 sum = {0, 0, 0, 0}, corner = {(sn_real)x, (sn_real)y, (sn_real)z, 0};
        for (size_t k = z > 0 ? z - 1 : 0; k <= z && k < g->n[2]; k++)
            for (size_t j = y > 0 ? y - 1 : 0; j <= y && j < g->n[1]; j++)
                sum += gather(g, cell_at(g, left, j, k), cell_at(g, right, j, k), corner);
        sn_real length = sum[3];
        if (length > 0) sum *= 1 / length;
        sum[3] = length;
        *(sn_v4 *)&g->hair->at[c] = sum;
    }
}

/* The change of the velocity of a node. */
SN_INLINE sn_v4 change(const grid *g, size_t k, sn_v4 v) {
    place p = find(g, k);
    sn_v4 mean = {0, 0, 0, 0}, slope = {0, 0, 0, 0};
    sn_real own = length_of(g->hair, k), density = 0;
    for (int c = 0; c < 8; c++) {
        sn_v4 at = *(const sn_v4 *)&g->hair->at[corner_at(g, p.cell, c)];
        sn_real x = c & 1 ? p.part[0] : 1 - p.part[0], y = c & 2 ? p.part[1] : 1 - p.part[1];
        sn_real z = c & 4 ? p.part[2] : 1 - p.part[2], weight = x * y * z;
        sn_real others = at[3] - weight * own;
        slope += others * (sn_v4){c & 1 ? y * z : -(y * z), c & 2 ? z * x : -(z * x),
                                  c & 4 ? x * y : -(x * y), 0};
        mean += weight * at;
        density += weight * at[3];
    }
    if (!(density > 0)) return (sn_v4){0, 0, 0, 0};
    sn_v4 push = (-g->spread * g->inverse / density) * slope;
    sn_real speed = sn_v4_length(push);
    if (speed > g->most) push *= g->most / speed;
    return g->k * (mean - v) + push;
}

static void apply_range(void *context, size_t begin, size_t end) {
    const grid *g = context;
    for (size_t k = begin; k < end; k++) {
        size_t i = slot_of(g, k);
        if (!(g->world->nodes.w[i] > 0) || sn_hair_goes(g->hair, k)) continue;
        sn_v4 *v = (sn_v4 *)&g->world->nodes.v[i], by = change(g, k, *v);
        by[3] = 0;
        *v += by;
    }
}

void sn_hairs_mix(sn_step *step) {
    const sn_world *world = step->world;
    sn_hairs *all = sn_hairs_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        grid g = {.world = world, .hair = &all->state[i]};
        const sn_hair_def *def = &g.hair->def;
        if (!sn_hair_is_active(world, i) || !(def->friction > 0 || def->repulsion > 0)) continue;
        if (!lay(&g)) continue;
        double rate = (double)def->friction * step->h;
        g.k = (sn_real)(rate < 1e12 ? rate / (1 + rate) : 1);
        g.spread = (sn_real)((double)def->repulsion * step->h);
        g.most = (sn_real)((double)g.cell / (2 * step->h));
        sort(&g);
        sn_team_run(world->bindings.team, (g.n[0] + 1) * (g.n[1] + 1) * (g.n[2] + 1), NODES_ALONE,
                    gather_range, &g);
        sn_team_run(world->bindings.team, g.hair->nodes, NODES_ALONE, apply_range, &g);
    }
}
