/*
 * The paths that nodes are about to go. Pairs were found for where nodes were expected, and are all
 * that can touch there. Pushes and zones may lead elsewhere, far from it where something kinematic
 * comes: whoever is not where it was expected is expected anew, with the path it takes now, and its
 * pairs are found.
 *
 * While something comes free of a tangle, what is pushed may be pushed to the wrong side. Then
 * nodes go no further than was expected of them, so that nothing is thrown about.
 */
#include "contact/limiter/limiter_parts.h"

#include <math.h>
#include <string.h>

enum { NODES_ALONE = 1024 };

/* Whether a node is where it was expected when the substep ends. */
static bool is_near(const sn_limiter_pass *p, uint32_t i) {
    const sn_nodes *n = &p->world->nodes;
    const sn_reach *reach = &sn_collision_surfaces_of(p->world)->reach;
    double end = p->substep->will * p->substep->dt - reach->found;
    return sn_surface_pair_is_near(n->x, reach, i, sn_v4_load(&n->d[i]), end);
}

/* The part of its path on which a node stays where it was expected: a ball has it in the beginning,
   and a straight path leaves a ball once. */
static sn_real near_part(const sn_limiter_pass *p, uint32_t i) {
    const sn_nodes *n = &p->world->nodes;
    const sn_reach *reach = &sn_collision_surfaces_of(p->world)->reach;
    double begin = p->substep->done * p->substep->dt - reach->found;
    double end = p->substep->will * p->substep->dt - reach->found;
    if (is_near(p, i)) return 1;
    sn_v4 from = sn_surface_pair_away(n->x, reach, i, sn_v4_load(&n->p[i]), begin);
    sn_v4 to = sn_surface_pair_away(n->x, reach, i, sn_v4_load(&n->d[i]), end),
          displacement = to - from;
    double slack = 0.999 * (double)reach->slack[i];
    double a = (double)sn_v4_dot(displacement, displacement),
           b = (double)sn_v4_dot(displacement, from);
    double c = (double)sn_v4_dot(from, from) - slack * slack, root = b * b - a * c;
    if (!(a > 0) || !(c < 0) || !(root > 0)) return 0;
    double part = (sqrt(root) - b) / a;
    return part > 0 ? part < 1 ? (sn_real)part : 1 : 0;
}

static void begin_range(void *context, size_t begin, size_t end) {
    sn_limiter_pass *p = context;
    const sn_nodes *n = &p->world->nodes;
    bool tangled = sn_untangle_of(p->world)->crossings > 0;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT].node[k];
        p->limiter->zone[i] = SN_LIMITER_NONE;
        p->limiter->part[i] = 1;
        if (!sn_limiter_has(p->world, i)) continue;
        sn_v4 displacement = sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i]);
        if (!sn_v4_is_finite(displacement)) {
            atomic_store_explicit(&p->any, true, memory_order_relaxed);
            continue;
        }
        sn_real part = tangled && n->w[i] > 0 ? near_part(p, i) : 1;
        if (part < 1) {
            displacement *= part;
            sn_v4_store(&n->d[i], sn_v4_load(&n->p[i]) + displacement);
            p->limiter->part[i] = part;
        }
        sn_v4_store(&p->limiter->wish[i], displacement);
    }
}

bool sn_limiter_begin(sn_limiter_pass *p) {
    atomic_store_explicit(&p->any, false, memory_order_relaxed);
    sn_team_run(p->world->bindings.team,
                sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT].count, NODES_ALONE,
                begin_range, p);
    return !atomic_load_explicit(&p->any, memory_order_relaxed);
}

void sn_limiter_stand(sn_limiter_pass *p) {
    const sn_nodes *n = &p->world->nodes;
    const sn_surface_elements *points =
        &sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT];
    for (size_t k = 0; k < points->count; k++) {
        uint32_t i = points->node[k];
        if (!(n->w[i] > 0) || !sn_limiter_has(p->world, i)) continue;
        sn_v4 from = sn_v4_load(&n->p[i]);
        from[3] = 0;
        sn_v4_store(&n->d[i], from);
        p->limiter->part[i] = 0;
    }
}

/* ---- Who is elsewhere ---- */

static void watch_range(void *context, size_t begin, size_t end) {
    sn_limiter_pass *p = context;
    const sn_world *world = p->world;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = sn_surface_contacts_of(world)->list[SN_SURFACE_CONTACT_POINT].node[k];
        bool moves = world->nodes.w[i] > 0 && !is_near(p, i) && sn_limiter_has(world, i);
        sn_surface_contacts_of(world)->is_moved[i] = moves;
        if (moves) atomic_store_explicit(&p->any, true, memory_order_relaxed);
    }
}

bool sn_limiter_follow(sn_limiter_pass *p) {
    size_t blocks[SN_LIMITER_KINDS];
    bool more = false;
    atomic_store_explicit(&p->any, false, memory_order_relaxed);
    sn_team_run(p->world->bindings.team,
                sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT].count, NODES_ALONE,
                watch_range, p);
    if (!atomic_load_explicit(&p->any, memory_order_relaxed)) return false;
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++)
        blocks[kind] = sn_surface_contacts_of(p->world)->set[sn_limiter_contact_kind[kind]].blocks;
    if (!sn_surface_pairs_follow_moved(p->world, p->substep)) {
        p->lost = true;
        return false;
    }
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++) {
        sn_limiter_use_kind(p, kind);
        size_t added = p->set->blocks - blocks[kind];
        memset(p->caught + blocks[kind] * SN_CONTACT_BLOCK, SN_LIMITER_FRESH,
               added * SN_CONTACT_BLOCK);
        more |= added > 0;
    }
    return more;
}
