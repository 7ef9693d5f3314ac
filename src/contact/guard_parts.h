/* What the files of the guard share: a pass over the pairs of a substep. */
#ifndef SN_CONTACT_GUARD_PARTS_H
#define SN_CONTACT_GUARD_PARTS_H

#include "contact/meet_pair.h"
#include "contact/placing.h"

#include <stdatomic.h>

/* Kinds of meetings that are guarded, and what they are for the geometry. */
static const int sn_guard_meeting[SN_GUARD_KINDS] = {SN_MEETING_POINT_TRIANGLE, SN_MEETING_EDGES};
static const sn_cross_kind sn_guard_kind[SN_GUARD_KINDS] = {SN_CROSS_VERTEX, SN_CROSS_EDGES};

typedef struct sn_guard_pass {
    sn_world *world;
    sn_guard *guard;
    const sn_moment *moment;
    const sn_meet_set *set;
    uint8_t *caught; /* of this set */
    int kind, round;
    atomic_bool any; /* something was found */
    atomic_bool cut; /* a way was cut to where its node was expected */
} sn_guard_pass;

static inline bool sn_guard_has(const sn_world *world, uint32_t node) {
    return world->skins.state[world->skins.of_node[node] - 1].def.guarded;
}

/* Whether a pair is guarded: both skins are, and it is not coming free from a tangle. */
static inline bool sn_guard_watches(const sn_world *world, int kind, const uint32_t node[4]) {
    if (!sn_guard_has(world, node[0]) ||
        !sn_guard_has(world, node[sn_guard_first(sn_guard_kind[kind])]))
        return false;
    for (int i = 0; i < 4; i++)
        if (sn_untangle_is_loose(world, node[i])) return false;
    return true;
}

static inline sn_point sn_guard_point(sn_v4 a) {
    return (sn_point){(double)a[0], (double)a[1], (double)a[2]};
}

/* The nodes of a pair of the set at hand. */
static inline void sn_guard_nodes(const sn_guard_pass *p, size_t k, uint32_t node[4]) {
    const sn_meet_pair *found = &p->set->pair[k];
    sn_meet_pair_nodes(p->world->meets, sn_guard_meeting[p->kind], found->a, found->b, node);
}

static inline void sn_guard_use_kind(sn_guard_pass *p, int kind) {
    p->kind = kind;
    p->set = &p->world->meets->set[sn_guard_meeting[kind]];
    p->caught = p->guard->caught + (kind ? p->world->meets->set[sn_guard_meeting[0]].count : 0);
}

/* guard.c: a pair on its way. */
sn_guard_pair sn_guard_pair_of(const sn_guard_pass *p, size_t k);

/* guard_doubt.c: where nodes are; then which pairs of the kind at hand may pass. */
void sn_guard_place(sn_guard_pass *p);
void sn_guard_find_doubts(sn_guard_pass *p);

/* guard_way.c: cuts ways to where nodes were expected, and remembers them. False where something is
   not finite: that is about to be put back, with its body, and nothing can be said of it here. */
bool sn_guard_begin(sn_guard_pass *p);
/* Whether a node that is displaced by this when the substep ends is where it was expected. */
bool sn_guard_is_near(const sn_guard_pass *p, uint32_t i, sn_v4 displaced);

/* guard_zone.c: makes zones of the pairs that were caught, and moves their nodes. */
void sn_guard_settle(sn_guard_pass *p);
/* Everything is one zone that stands, and all pairs are caught. */
void sn_guard_settle_all(sn_guard_pass *p);

#endif
