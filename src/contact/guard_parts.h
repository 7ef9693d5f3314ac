/* What the files of the guard share: a pass over the pairs of a substep. */
#ifndef SN_CONTACT_GUARD_PARTS_H
#define SN_CONTACT_GUARD_PARTS_H

#include "contact/meet_pair.h"
#include "contact/placing.h"

#include <stdatomic.h>

/* Kinds of meetings that are guarded, and what they are for the geometry. */
static const int sn_guard_meeting[SN_GUARD_KINDS] = {SN_MEETING_POINT_TRIANGLE, SN_MEETING_EDGES};
static const sn_cross_kind sn_guard_kind[SN_GUARD_KINDS] = {SN_CROSS_VERTEX, SN_CROSS_EDGES};

/* What is known of a pair. */
typedef enum sn_guard_state {
    SN_GUARD_FREE,   /* or not guarded */
    SN_GUARD_HELD,   /* would pass, and is held by its zone */
    SN_GUARD_CAUGHT, /* would pass, which was found just now */
    SN_GUARD_FRESH   /* was added, and nothing is known yet */
} sn_guard_state;

/* Which pairs are asked. */
typedef enum sn_guard_scope {
    SN_GUARD_ALL,
    SN_GUARD_MOVED, /* of nodes in zones, and not held yet */
    SN_GUARD_ADDED  /* fresh ones */
} sn_guard_scope;

typedef struct sn_guard_pass {
    sn_world *world;
    sn_guard *guard;
    const sn_moment *moment;
    const sn_meet_set *set;
    uint8_t *caught; /* of the slots of this set */
    int kind;
    sn_guard_scope scope;
    bool lost;       /* there was no memory for pairs */
    atomic_bool any; /* something was found */
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
    p->caught = p->guard->caught[kind];
}

/* guard.c: a pair on its way. */
sn_guard_pair sn_guard_pair_of(const sn_guard_pass *p, size_t k);

/* guard_doubt.c: where nodes are; then which pairs of the kind at hand may pass. */
void sn_guard_place(sn_guard_pass *p);
void sn_guard_find_doubts(sn_guard_pass *p);

/* guard_way.c: remembers ways, which are cut while something is tangled. False where something is
   not finite: that is about to be put back, with its body, and nothing can be said of it here. */
bool sn_guard_begin(sn_guard_pass *p);
/* Finds the pairs of nodes that are not where they were expected; whether there are new ones. */
bool sn_guard_follow(sn_guard_pass *p);
/* Nobody goes anywhere but what is kinematic. */
void sn_guard_stand(sn_guard_pass *p);

/* guard_zone.c: makes zones of the pairs that were caught, and moves their nodes. */
void sn_guard_settle(sn_guard_pass *p);

#endif
