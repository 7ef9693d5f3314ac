/* Where nodes are expected, which is what the pairs were found for, and how far they may go for
   that. */
#include "contact/guard_parts.h"

#include <math.h>

enum { NODES_ALONE = 1024 };

static sn_v4 way_of(const sn_nodes *n, uint32_t i) {
    return sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i]);
}

/* How far from where it was expected a node is, displaced by this, after some time. */
static sn_v4 away_by(const sn_world *world, uint32_t i, sn_v4 displaced, double time) {
    const sn_reach *reach = &world->skins.reach;
    sn_v4 at = sn_v4_load(&world->nodes.x[i]) - sn_v4_load(&reach->from[i]);
    return (at + displaced) - (sn_real)time * sn_v4_load(&reach->speed[i]);
}

static bool is_near(const sn_world *world, uint32_t i, sn_v4 displaced, double time) {
    sn_v4 away = away_by(world, i, displaced, time);
    sn_real slack = world->skins.reach.slack[i];
    return sn_v4_dot(away, away) <= slack * slack;
}

bool sn_guard_is_near(const sn_guard_pass *p, uint32_t i, sn_v4 displaced) {
    double end = p->moment->will * p->moment->dt - p->world->skins.reach.found;
    return is_near(p->world, i, displaced, end);
}

/* The part of its way on which a node stays where it was expected: a ball has it in the beginning,
   and a straight way leaves a ball once. */
static sn_real near_part(const sn_guard_pass *p, uint32_t i) {
    const sn_world *world = p->world;
    const sn_nodes *n = &world->nodes;
    double begin = p->moment->done * p->moment->dt - world->skins.reach.found;
    double end = p->moment->will * p->moment->dt - world->skins.reach.found;
    if (is_near(world, i, sn_v4_load(&n->d[i]), end)) return 1;
    sn_v4 from = away_by(world, i, sn_v4_load(&n->p[i]), begin);
    sn_v4 to = away_by(world, i, sn_v4_load(&n->d[i]), end), way = to - from;
    double slack = 0.999 * (double)world->skins.reach.slack[i];
    double a = (double)sn_v4_dot(way, way), b = (double)sn_v4_dot(way, from);
    double c = (double)sn_v4_dot(from, from) - slack * slack, root = b * b - a * c;
    if (!(a > 0) || !(c < 0) || !(root > 0)) return 0;
    double part = (sqrt(root) - b) / a;
    return part > 0 ? part < 1 ? (sn_real)part : 1 : 0;
}

/* Cuts ways to where nodes are expected, and remembers them; tells of what is not finite. */
static void begin_range(void *context, size_t begin, size_t end) {
    sn_guard_pass *p = context;
    const sn_nodes *n = &p->world->nodes;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = p->world->meets->list[SN_MEET_POINT].node[k];
        p->guard->zone[i] = SN_GUARD_NONE;
        p->guard->part[i] = 1;
        if (!sn_guard_has(p->world, i)) continue;
        sn_v4 way = way_of(n, i);
        if (!sn_v4_is_finite(way)) {
            atomic_store_explicit(&p->any, true, memory_order_relaxed);
            continue;
        }
        sn_real part = n->w[i] > 0 ? near_part(p, i) : 1;
        if (part < 1) {
            way *= part;
            atomic_store_explicit(&p->cut, true, memory_order_relaxed);
            sn_v4_store(&n->d[i], sn_v4_load(&n->p[i]) + way);
            p->guard->part[i] = part;
        }
        sn_v4_store(&p->guard->wish[i], way);
    }
}

bool sn_guard_begin(sn_guard_pass *p) {
    atomic_store_explicit(&p->any, false, memory_order_relaxed);
    sn_team_run(p->world->team, p->world->meets->list[SN_MEET_POINT].count, NODES_ALONE,
                begin_range, p);
    return !atomic_load_explicit(&p->any, memory_order_relaxed);
}
