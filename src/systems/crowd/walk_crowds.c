/*
 * Agents walk, in a plane, each by itself from what is known of all:
 *
 *   steering     v_i += h / (T + h) (v_goal - v_i),  once v is known
 *   from afar    s = x_ij + t v_ij,  t = -x_ij v_ij / v_ij^2:  |s| >= r_i + r_j + clearance
 *   from near    m_i n_ij >= -w_i / (w_i + w_j) (|p_ij| - r_i - r_j),  m_i = x_i - p_i
 *
 *   i o-------->      s       <---o j    The two pass each other t from now, and s apart, which is
 *                     |                  across the relative velocity. To be apart by d more then
 *                                        each goes aside with its share of d / t.
 *
 * The last line is a plane between two that neither may pass in the substep. It has where it began,
 * p, in its half, so the motion can always be shortened until all planes hold; before that it is
 * turned along them. What did not overlap does not overlap then, for whatever masses.
 */
#include "base/team.h"
#include "math/vector.h"
#include "systems/crowd/crowds.h"

enum { ALONE = 256, SWEEPS = 4, PLANES = 32 };

typedef struct pass {
    const sn_step *step;
    const sn_world *world;
    const sn_crowds *all;
    const sn_agents *agents;
    sn_real h;
} pass;

static pass pass_of(const sn_step *step) {
    const sn_crowds *all = sn_crowds_of(step->world);
    return (pass){step, step->world, all, &all->agents, (sn_real)step->h};
}

static const sn_crowd_def *def_of(const pass *p, const sn_agent *agent) {
    return &p->all->state[agent->crowd].def;
}

/* What of a vector is in the plane of an agent. */
SN_INLINE sn_v4 in_plane(const sn_agent *agent, sn_v4 a) {
    a[agent->axis] = 0;
    a[3] = 0;
    return a;
}

SN_INLINE bool is_still(const pass *p, const sn_agent *agent) {
    return !(p->world->nodes.w[agent->node] > 0);
}

/* The part of what two have to give that the first gives. */
SN_INLINE sn_real share_of(const pass *p, uint32_t i, uint32_t j) {
    sn_real a = p->world->nodes.w[i], b = p->world->nodes.w[j];
    return a > 0 ? a / (a + b) : 0;
}

/* ---- Goals ---- */

static void steer(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_nodes *nodes = &p->world->nodes;
    for (size_t k = begin; k < end; k++) {
        const sn_agent *agent = &p->agents->agent[k];
        const sn_crowd_def *def = def_of(p, agent);
        if (is_still(p, agent)) continue;
        sn_v4 goal = sn_v4_of(p->all->state[agent->crowd].goal[agent->number]);
        sn_v4 way = in_plane(agent, goal - *(const sn_v4 *)&nodes->x[agent->node]);
        sn_v4 *v = (sn_v4 *)&nodes->v[agent->node];
        /* Near the goal a mass on a spring, without swinging. */
        sn_real length = sn_v4_length(way), time = 4 * def->patience;
        if (length > def->speed * time) time = def->speed > 0 ? length / def->speed : SN_REAL_MAX;
        *v += (p->h / (def->patience + p->h)) * (way / time - in_plane(agent, *v));
    }
}

void sn_crowds_steer(sn_step *step) {
    pass p = pass_of(step);
    sn_team_run(p.world->bindings.team, p.agents->count, ALONE, steer, &p);
}

/* ---- From afar ---- */

/* By how much, and with which weight, an agent goes aside for another. */
static sn_v4 go_aside(const pass *p, const sn_agent *i, const sn_agent *j, sn_real *weight) {
    const sn_nodes *nodes = &p->world->nodes;
    const sn_crowd_def *def = def_of(p, i);
    const sn_v4 *x = (const sn_v4 *)nodes->x, *d = (const sn_v4 *)nodes->d;
    const sn_v4 *from = (const sn_v4 *)nodes->p, none = {0, 0, 0, 0};
    sn_v4 way = in_plane(i, (x[i->node] - x[j->node]) + (d[i->node] - d[j->node]));
    sn_v4 v = in_plane(i, (d[i->node] - from[i->node]) - (d[j->node] - from[j->node])) / p->h;
    sn_real apart = nodes->radius[i->node] + nodes->radius[j->node], square = sn_v4_dot(v, v);
    sn_real time = -sn_v4_dot(way, v), reach = sn_v4_dot(way, way);
    *weight = 0;
    if (!(time > 0 && time < def->foresight * square)) return none;
    if (reach > def->reach * def->reach || reach < apart * apart) return none;
    time /= square;
    apart += def->clearance;
    /* A tenth to the right: those who would meet head on know where to go. */
    sn_v4 up = none;
    up[i->axis] = 1;
    sn_v4 s = way + time * v + (SN_R(0.1) * apart / SN_ROOT(square)) * sn_v4_cross(v, up);
    sn_real passing = sn_v4_length(s);
    if (!(passing < apart && passing > 0)) return none;
    sn_real rest = 1 - time / def->foresight;
    if (time < def->patience) time = def->patience;
    *weight = def->avoidance * rest * rest;
    return (*weight * share_of(p, i->node, j->node) * p->h * (apart - passing) / (time * passing)) *
           s;
}

static void find_asides(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_agents *a = p->agents;
    for (size_t k = begin; k < end; k++) {
        sn_v4 sum = {0, 0, 0, 0};
        sn_real total = 0;
        for (size_t n = a->first[k]; n < a->first[k + 1] && !is_still(p, &a->agent[k]); n++) {
            sn_real weight;
            sum += go_aside(p, &a->agent[k], &a->agent[a->near[n]], &weight);
            total += weight;
        }
        if (total > 1) sum /= total;
        *(sn_v4 *)&a->by[k] = sum;
    }
}

static void move_aside(void *context, size_t begin, size_t end) {
    const pass *p = context;
    for (size_t k = begin; k < end; k++)
        *(sn_v4 *)&p->world->nodes.d[p->agents->agent[k].node] += *(sn_v4 *)&p->agents->by[k];
}

void sn_crowds_avoid(sn_step *step) {
    pass p = pass_of(step);
    if (step->iteration > 0) return;
    sn_team_run(p.world->bindings.team, p.agents->count, ALONE, find_asides, &p);
    sn_team_run(p.world->bindings.team, p.agents->count, ALONE, move_aside, &p);
}

/* ---- Sides of planes ---- */

/* A plane between two where the substep began. */
typedef struct plane {
    sn_v4 normal; /* towards the agent */
    sn_real room; /* m, how far it may go against that; negative where they overlap */
} plane;

/* The plane between an agent and another; false where it cannot come as far as that, by moving
   `most`. */
SN_INLINE bool find_plane(const pass *p, const sn_agent *i, const sn_agent *j, sn_real most,
                          plane *found) {
    const sn_nodes *nodes = &p->world->nodes;
    const sn_v4 *x = (const sn_v4 *)nodes->x, *from = (const sn_v4 *)nodes->p;
    sn_v4 way = in_plane(i, (x[i->node] - x[j->node]) + (from[i->node] - from[j->node]));
    sn_real apart = nodes->radius[i->node] + nodes->radius[j->node];
    sn_real w = nodes->w[i->node], both = w + nodes->w[j->node], square = sn_v4_dot(way, way);
    sn_real reach = apart + most * (both / w);
    if (!(square > 0 && square < reach * reach)) return false;
    sn_real length = SN_ROOT(square);
    found->normal = way / length;
    found->room = w / both * (length - apart);
    return true;
}

/* The part of a motion that keeps an agent on its side; a little less than to the plane, for the
   rounding of places. */
SN_INLINE sn_real shorten(const plane *at, sn_v4 by, sn_real part) {
    sn_real along = -sn_v4_dot(by, at->normal), room = at->room > 0 ? at->room : 0;
    return along * part > room ? SN_R(0.999) * room / along : part;
}

/* What an agent may move by, of what it would. */
static sn_v4 separate_one(const pass *p, size_t k, sn_v4 by) {
    const sn_agents *a = p->agents;
    const sn_agent *agent = &a->agent[k];
    sn_real most = p->h * def_of(p, agent)->fastest, length = sn_v4_length(by), part = 1;
    plane near[PLANES], at;
    size_t count = 0, n = a->first[k], end = a->first[k + 1];
    if (length > most) by *= most / length;
    /* Turning makes a motion no longer than this, but where it comes out of an overlap. */
    for (; n < end && count < PLANES; n++)
        if (find_plane(p, agent, &a->agent[a->near[n]], 2 * most, &at)) near[count++] = at;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t i = 0; i < count; i++) {
            sn_real over = sn_v4_dot(by, near[i].normal) + near[i].room;
            if (over < 0) by -= over * near[i].normal;
        }
    length = sn_v4_length(by);
    if (length > 2 * most) by *= 2 * most / length;
    for (size_t i = 0; i < count; i++) part = shorten(&near[i], by, part);
    /* What there was no room to remember. */
    for (; n < end; n++)
        if (find_plane(p, agent, &a->agent[a->near[n]], 2 * most, &at))
            part = shorten(&at, by, part);
    return part * by;
}

static void separate(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_nodes *nodes = &p->world->nodes;
    for (size_t k = begin; k < end; k++) {
        const sn_agent *agent = &p->agents->agent[k];
        if (is_still(p, agent)) continue;
        sn_v4 *d = (sn_v4 *)&nodes->d[agent->node];
        sn_v4 by = in_plane(agent, *d - *(const sn_v4 *)&nodes->p[agent->node]);
        *d += separate_one(p, k, by) - by;
    }
}

void sn_crowds_separate(sn_step *step) {
    pass p = pass_of(step);
    sn_team_run(p.world->bindings.team, p.agents->count, ALONE, separate, &p);
}
