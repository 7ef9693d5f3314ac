/* What the files of the motion limiter share: a pass over the pairs of a substep. */
#ifndef SN_CONTACT_LIMITER_LIMITER_PARTS_H
#define SN_CONTACT_LIMITER_LIMITER_PARTS_H

#include "collision/collider_pose.h"
#include "contact/surface/surface_pair.h"

#include <stdatomic.h>

/* Kinds of contacts that are penetration-free, and what they are for the geometry. */
static const int sn_limiter_contact_kind[SN_LIMITER_KINDS] = {SN_CONTACT_POINT_TRIANGLE,
                                                              SN_CONTACT_EDGE_EDGE};
static const sn_ccd_kind sn_limiter_kind[SN_LIMITER_KINDS] = {SN_CROSS_VERTEX, SN_CROSS_EDGES};

/* What is known of a pair. */
typedef enum sn_limiter_state {
    SN_LIMITER_FREE,   /* or not penetration-free */
    SN_LIMITER_HELD,   /* would pass, and is held by its zone */
    SN_LIMITER_CAUGHT, /* would pass, which was found just now */
    SN_LIMITER_FRESH   /* was added, and nothing is known yet */
} sn_limiter_state;

/* Which pairs are asked. */
typedef enum sn_limiter_scope {
    SN_LIMITER_ALL,
    SN_LIMITER_MOVED, /* of nodes in zones, and not held yet */
    SN_LIMITER_ADDED  /* fresh ones */
} sn_limiter_scope;

typedef struct sn_limiter_pass {
    sn_world *world;
    sn_limiter *limiter;
    const sn_substep *substep;
    const sn_contact_set *set;
    uint8_t *caught; /* of the slots of this set */
    int kind;
    sn_limiter_scope scope;
    bool lost;       /* there was no memory for pairs, or they were without number */
    bool measures;   /* rooms of blocks (limiter_rooms.c) */
    atomic_bool any; /* something was found */
} sn_limiter_pass;

static inline bool sn_limiter_has(const sn_world *world, uint32_t node) {
    return sn_collision_surfaces_of(world)
        ->state[sn_collision_surfaces_of(world)->of_node[node] - 1]
        .def.penetration_free;
}

/* Whether a pair is penetration-free: both collision surfaces are, and it is not coming free from
   a tangle. */
static inline bool sn_limiter_watches(const sn_world *world, int kind, const uint32_t node[4]) {
    if (!sn_limiter_has(world, node[0]) ||
        !sn_limiter_has(world, node[sn_limiter_first(sn_limiter_kind[kind])]))
        return false;
    for (int i = 0; i < 4; i++)
        if (sn_untangle_is_loose(world, node[i])) return false;
    return true;
}

static inline sn_point sn_limiter_point(sn_v4 a) {
    return (sn_point){(double)a[0], (double)a[1], (double)a[2]};
}

/* The nodes of the pair in a slot of the set at hand. */
static inline void sn_limiter_nodes(const sn_limiter_pass *p, uint32_t slot, uint32_t node[4]) {
    for (int i = 0; i < 4; i++)
        node[i] = (uint32_t)*sn_contact_node_at(p->set, sn_limiter_contact_kind[p->kind], slot, i) /
                  SN_NODE_BYTES;
}

static inline void sn_limiter_use_kind(sn_limiter_pass *p, int kind) {
    p->kind = kind;
    p->set = &sn_surface_contacts_of(p->world)->set[sn_limiter_contact_kind[kind]];
    p->caught = p->limiter->caught[kind];
}

/* limiter.c: the pair in a slot, on its way. */
sn_limiter_pair sn_limiter_pair_of(const sn_limiter_pass *p, uint32_t slot);

/* limiter_candidates.c: where nodes are; then which pairs of the kind at hand may pass, and whether
   any may. */
void sn_limiter_place(sn_limiter_pass *p);
bool sn_limiter_find_doubts(sn_limiter_pass *p);

/* limiter_rooms.c: room for rooms; false when there is no memory. */
bool sn_limiter_rooms_reserve(sn_world *world, sn_limiter_rooms *rooms);
void sn_limiter_rooms_free(sn_limiter_rooms *rooms, sn_memory *memory);
/* When places are known: how far nodes have gone since rooms were measured, or that they are to be
   measured now, in which case true is returned. */
bool sn_limiter_rooms_begin(sn_limiter_pass *p);
/* Whether all pairs of a block of the kind at hand are free. */
bool sn_limiter_rooms_tell(const sn_limiter_pass *p, size_t block);
/* When a block has been measured. */
void sn_limiter_rooms_place(sn_limiter_pass *p, size_t block);

/* limiter_motion.c: remembers paths, which are cut while something is tangled. False where
   something is not finite: that is about to be put back, with its body, and nothing can be said of
   it here. */
bool sn_limiter_begin(sn_limiter_pass *p);
/* Finds the pairs of nodes that are not where they were expected; whether there are new ones. */
bool sn_limiter_follow(sn_limiter_pass *p);
/* Nobody goes anywhere but what is kinematic. */
void sn_limiter_stand(sn_limiter_pass *p);

/* impact_zone.c: makes zones of the pairs that were caught, and moves their nodes. */
void sn_limiter_settle(sn_limiter_pass *p);

#endif
