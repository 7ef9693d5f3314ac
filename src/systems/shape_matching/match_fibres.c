/*
 * Fibres of a matching: strips of nodes that are walked from both ends (Stumpp, Spillmann, Becker
 * and Teschner 2008; survey of 2017, section 5.11.7).
 *
 *   g_0 = x_0,   g_i = g_(i-1) + l_i (x_i - x_(i-1)) / |x_i - x_(i-1)|
 *
 * and likewise from the other end. (Towards x_i from g_(i-1), as one who is led goes, walks would
 * turn back where a strip has become shorter by more than a segment.) Nodes that are held stay, and
 * walks that come from one count alone; between two both do, each the more the nearer it is to
 * where it comes from. Where nobody is held the goal is the mean of both, and all goals of the
 * fibre are moved together such that the sum of m (g - x) is 0. A node gives each of its fibres an
 * equal part of its mass, and goes to the mean of their goals, blended with that of its regions by
 * the same share everywhere: so momentum is kept.
 */
#include "systems/shape_matching/match_shapes.h"

enum { FIBRES_ALONE = 16 };

#define ROOM(array, room, count)                                                                   \
    sn_reserve(memory, (void **)&(array), &(room), count, sizeof *(array))
#define GONE(array, room) sn_free(memory, (array), room, sizeof *(array))

void sn_match_fibres_free(sn_match_fibres *fibres, sn_memory *memory) {
    GONE(fibres->length, fibres->length_room);
    GONE(fibres->walk, fibres->walk_room);
    GONE(fibres->first, fibres->first_room);
    GONE(fibres->at, fibres->at_room);
    *fibres = (sn_match_fibres){0};
}

static double rest_distance(const sn_shape_matching_state *m, uint32_t a, uint32_t b) {
    sn_vec3 p = m->rest[a], q = m->rest[b];
    double x = (double)q.x - (double)p.x, y = (double)q.y - (double)p.y;
    double z = (double)q.z - (double)p.z;
    return __builtin_sqrt(x * x + y * y + z * z);
}

/* The members of every node, in rising order. */
static void turn_round(sn_shape_matching_state *m, uint32_t begin, size_t members) {
    sn_match_fibres *f = &m->fibres;
    for (size_t i = 0; i <= m->nodes; i++) f->first[i] = 0;
    for (size_t k = 0; k < members; k++) f->first[m->member[begin + k]]++;
    for (size_t i = 0; i < m->nodes; i++) f->first[i + 1] += f->first[i];
    /* From the last one back every end comes down to its beginning. */
    for (size_t k = members; k-- > 0;) f->at[--f->first[m->member[begin + k]]] = (uint32_t)k;
}

bool sn_match_fibres_plan(sn_shape_matching_state *m, sn_memory *memory) {
    sn_match_fibres *f = &m->fibres;
    size_t shapes = sn_shape_matching_shapes(m);
    uint32_t begin = m->first[shapes];
    size_t members = m->first[m->regions] - begin;
    if (m->def.fibre_count == 0 || !m->changed) return true;
    if (!ROOM(f->length, f->length_room, members) || !ROOM(f->walk, f->walk_room, members) ||
        !ROOM(f->first, f->first_room, m->nodes + 1) || !ROOM(f->at, f->at_room, members))
        return false;
    for (size_t r = shapes; r < m->regions; r++)
        for (uint32_t k = m->first[r]; k < m->first[r + 1]; k++)
            f->length[k - begin] =
                k == m->first[r] ? 0 : rest_distance(m, m->member[k - 1], m->member[k]);
    turn_round(m, begin, members);
    return true;
}

/* ---- A walk ---- */

/* Where a walk is: the last node and its goal, and how far it has come at rest from one that is
   held; below 0 where there was none. */
typedef struct walker {
    double at[3], goal[3], since;
    bool begun;
} walker;

/* Goes on to a member at a distance, and says how far its goal is. */
static void step_to(const sn_match *c, walker *w, uint32_t node, double length, double out[3]) {
    size_t slot = c->matching->node[node].slot - 1;
    double x[3], along[3], square = 0;
    sn_match_place(c, slot, x);
    bool held = !(c->world->nodes.w[slot] > 0);
    for (int a = 0; a < 3; a++) {
        along[a] = x[a] - w->at[a];
        square += along[a] * along[a];
    }
    double scale = square > 0 ? length / __builtin_sqrt(square) : 0;
    for (int a = 0; a < 3; a++) {
        double goal = held || !w->begun ? x[a] : w->goal[a] + scale * along[a];
        out[a] = goal - x[a];
        w->at[a] = x[a];
        w->goal[a] = goal;
    }
    w->begun = true;
    w->since = held ? 0 : w->since < 0 ? w->since : w->since + length;
}

/* Moves the goals of a fibre that nothing holds. */
static void keep_momentum(const sn_shape_matching_state *m, uint32_t first, uint32_t end,
                          const sn_match *c) {
    uint32_t begin = m->first[sn_shape_matching_shapes(m)];
    double sum[3] = {0, 0, 0}, mass = 0;
    for (uint32_t k = first; k < end; k++) {
        uint32_t node = m->member[k];
        double fibres = (double)(m->fibres.first[node + 1] - m->fibres.first[node]);
        double own = 1 / ((double)c->world->nodes.w[m->node[node].slot - 1] * fibres);
        for (int a = 0; a < 3; a++) sum[a] += own * m->fibres.walk[k - begin][a];
        mass += own;
    }
    for (uint32_t k = first; k < end; k++)
        for (int a = 0; a < 3; a++) m->fibres.walk[k - begin][a] -= sum[a] / mass;
}

/* How much the walk back counts: both by how near it is to where the other one is held. */
static double share_back(double since, double back) {
    if (since < 0 || back < 0) return since < 0 ? (back < 0 ? 0.5 : 1) : 0;
    return since + back > 0 ? since / (since + back) : 0;
}

static void walk_fibre(const sn_match *c, size_t r) {
    const sn_shape_matching_state *m = c->matching;
    const sn_match_fibres *f = &m->fibres;
    uint32_t begin = m->first[sn_shape_matching_shapes(m)], first = m->first[r];
    uint32_t end = m->first[r + 1];
    walker there = {.since = -1}, back = there;
    for (uint32_t k = first; k < end; k++) {
        step_to(c, &there, m->member[k], f->length[k - begin], f->walk[k - begin]);
        f->walk[k - begin][3] = there.since;
    }
    for (uint32_t k = end; k-- > first;) {
        double *walk = f->walk[k - begin], other[3];
        step_to(c, &back, m->member[k], k + 1 < end ? f->length[k + 1 - begin] : 0, other);
        double part = share_back(walk[3], back.since);
        for (int a = 0; a < 3; a++) walk[a] += part * (other[a] - walk[a]);
    }
    if (there.since < 0) keep_momentum(m, first, end, c);
}

static void walk_range(void *context, size_t begin, size_t end) {
    const sn_match *c = context;
    size_t shapes = sn_shape_matching_shapes(c->matching);
    for (size_t i = begin; i < end; i++) walk_fibre(c, shapes + i);
}

void sn_match_fibres_walk(const sn_match *c) {
    sn_team_run(c->world->bindings.team, c->matching->def.fibre_count, FIBRES_ALONE, walk_range,
                (void *)(uintptr_t)c);
}

void sn_match_fibres_blend(const sn_match *c, size_t i, double e[3]) {
    const sn_match_fibres *f = &c->matching->fibres;
    double share = (double)c->matching->def.fibre_share, sum[3] = {0, 0, 0};
    uint32_t count = f->first[i + 1] - f->first[i];
    for (uint32_t k = f->first[i]; k < f->first[i + 1]; k++)
        for (int a = 0; a < 3; a++) sum[a] += f->walk[f->at[k]][a];
    for (int a = 0; a < 3; a++)
        e[a] = (1 - share) * e[a] + (count > 0 ? share * (sum[a] / (double)count) : 0);
}
