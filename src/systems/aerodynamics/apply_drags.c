/*
 * Air on lines and balls. With the velocity u relative to the wind, of a line the part across it,
 *
 *   F = -k u    k = 1/2 rho C_D A |u|    A = 2 r L of a line, pi r^2 of a ball
 *
 * which is the cross-flow principle of slender bodies (Hoerner 1965, section 3-11). k h is at most
 * what leaves no velocity: k h W <= 1 with the inverse mass W of what moves with the element. A
 * node with n elements is shared by them evenly, so for a line, of whose force each end gets a
 * half, W is the larger of w n / 2.
 *
 * Forces are worked out per element and added up per node in the order of elements, as for the
 * triangles of sheets (apply_air.c).
 */
#include "systems/aerodynamics/apply_air.h"
#include "systems/aerodynamics/drags.h"

#include <string.h>

enum { ELEMENTS_ALONE = 1024, NODES_ALONE = 2048 };
#define CIRCLE SN_R(3.14159265358979)

/* ---- Lists ---- */

static bool reserve(sn_world *world, size_t elements, size_t nodes) {
    sn_drags *d = sn_drags_of(world);
    sn_memory *memory = &world->memory;
    return sn_reserve(memory, (void **)&d->element, &d->element_capacity, elements + 1,
                      sizeof *d->element) &&
           sn_reserve(memory, (void **)&d->force, &d->force_capacity, elements + 1,
                      sizeof *d->force) &&
           sn_reserve(memory, (void **)&d->member, &d->member_capacity, nodes + 1,
                      sizeof *d->member) &&
           sn_reserve(memory, (void **)&d->of, &d->of_capacity, nodes + 1, sizeof *d->of);
}

static void list_elements(sn_drags *d, uint32_t *count) {
    d->elements = 0;
    for (uint32_t i = 0; i < d->slots.count; i++) {
        const sn_drag_state *s = &d->state[i];
        for (size_t k = 0; d->slots.alive[i] && k < s->count; k++) {
            const uint32_t *node = &s->node[s->corners * k];
            sn_drag_element *e = &d->element[d->elements++];
            *e = (sn_drag_element){{node[0], node[s->corners - 1]}, i, {0, 0}};
            for (uint32_t c = 0; c < s->corners; c++) count[node[c]]++;
        }
    }
}

/* Members in the order of nodes; their elements in the order of these. */
static void list_members(sn_drags *d, uint32_t *count, size_t nodes) {
    uint32_t end = 0;
    d->members = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t mine = count[i];
        if (mine == 0) continue;
        d->member[d->members++] = (sn_air_member){i, end};
        count[i] = end;
        end += mine;
    }
    d->member[d->members] = (sn_air_member){UINT32_MAX, end};
    for (uint32_t k = 0; k < d->elements; k++) {
        const uint32_t *node = d->element[k].node;
        for (int c = 0; c < (node[0] == node[1] ? 1 : 2); c++) d->of[count[node[c]]++] = k;
    }
}

/* From how many elements its nodes have to what they are moved by. */
static void find_shares(sn_drags *d, const uint32_t *count) {
    for (size_t k = 0; k < d->elements; k++) {
        sn_drag_element *e = &d->element[k];
        bool line = e->node[0] != e->node[1];
        for (int c = 0; c < 2; c++)
            e->share[c] = (sn_real)((double)count[e->node[c]] / (line ? 2 : 1));
    }
}

static bool make_lists(sn_world *world) {
    sn_drags *d = sn_drags_of(world);
    size_t elements = 0, corners = 0, nodes = world->nodes.slots.count;
    if (d->made && d->made_changes == d->changes) return true;
    for (size_t i = 0; i < d->slots.count; i++) {
        elements += d->state[i].count;
        corners += d->state[i].corners * d->state[i].count;
    }
    uint32_t *count = sn_allocate(&world->memory, nodes + 1, sizeof *count);
    d->made = count && reserve(world, elements, corners);
    if (d->made) {
        list_elements(d, count);
        find_shares(d, count);
        list_members(d, count, nodes);
    }
    if (count) sn_free(&world->memory, count, nodes + 1, sizeof *count);
    d->made_changes = d->changes;
    return d->made;
}

bool sn_air_plan_drags(sn_world *world) {
    return sn_drags_of(world)->slots.live == 0 || make_lists(world);
}

/* ---- Forces ---- */

SN_INLINE sn_v4 wind_on(const sn_blow *b, const sn_drag_element *e) {
    const sn_v4 *blown = (const sn_v4 *)sn_air_of(b->world)->blown;
    if (!b->varies) return b->wind;
    return SN_R(0.5) * (blown[e->node[0]] + blown[e->node[1]]);
}

/* The velocity that counts and the area that is seen. */
SN_INLINE sn_v4 meet_air(const sn_blow *b, const sn_drag_element *e, sn_real *area) {
    const sn_nodes *nodes = &b->world->nodes;
    const sn_v4 *x = (const sn_v4 *)nodes->x, *v = (const sn_v4 *)nodes->v;
    uint32_t p = e->node[0], q = e->node[1];
    sn_v4 u = SN_R(0.5) * (v[p] + v[q]) - wind_on(b, e);
    if (p == q) {
        *area = CIRCLE * nodes->radius[p] * nodes->radius[p];
        return u;
    }
    sn_v4 displacement = x[q] - x[p];
    sn_real square = sn_v4_dot(displacement, displacement);
    *area = (nodes->radius[p] + nodes->radius[q]) * SN_ROOT(square);
    if (square > 0) u -= sn_v4_dot(u, displacement) / square * displacement;
    return u;
}

static void push_elements(void *context, size_t begin, size_t end) {
    const sn_blow *b = context;
    const sn_drags *d = sn_drags_of(b->world);
    const sn_real *w = b->world->nodes.w;
    for (size_t i = begin; i < end; i++) {
        const sn_drag_element *e = &d->element[i];
        sn_real area, first = w[e->node[0]] * e->share[0], second = w[e->node[1]] * e->share[1];
        sn_v4 u = meet_air(b, e, &area);
        sn_real k = b->half_density * d->state[e->drag].def.drag * area * sn_v4_length(u);
        sn_real hw = b->h * (first > second ? first : second);
        if (k * hw > 1) k = 1 / hw;
        *(sn_v4 *)&d->force[i] = (e->node[0] == e->node[1] ? -k : SN_R(-0.5) * k) * u;
    }
}

static void add_to_nodes(void *context, size_t begin, size_t end) {
    const sn_blow *b = context;
    const sn_world *world = b->world;
    const sn_drags *d = sn_drags_of(world);
    for (size_t i = begin; i < end; i++) {
        uint32_t node = d->member[i].node;
        sn_v4 sum = {0};
        for (uint32_t k = d->member[i].first; k < d->member[i + 1].first; k++)
            sum += *(const sn_v4 *)&d->force[d->of[k]];
        *(sn_v4 *)&world->scratch.acceleration[node] += world->nodes.w[node] * sum;
    }
}

void sn_air_push_drags(sn_blow *b) {
    const sn_drags *d = sn_drags_of(b->world);
    if (d->slots.live == 0) return;
    sn_team_run(b->world->bindings.team, d->elements, ELEMENTS_ALONE, push_elements, b);
    sn_team_run(b->world->bindings.team, d->members, NODES_ALONE, add_to_nodes, b);
}
