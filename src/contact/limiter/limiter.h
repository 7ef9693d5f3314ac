/*
 * Never tangled: the last word of a substep, for collision surfaces that are penetration-free.
 *
 * Contacts push apart what comes too close, but they are one sweep among others and may fail where
 * something is fast or pulled hard. The motion limiter looks at the paths that nodes are about to
 * go in the substep, pushes apart once more what would pass, and shortens paths until no vertex
 * passes through a triangle and no edge through an edge. If nothing was tangled before, nothing is
 * after, at any speed.
 *
 * What is kinematic goes on whatever the motion limiter wants. So what it strikes goes along
 * with it, however fast it is: pushes lead there, and a zone that has kinematic nodes in its pairs
 * moves as they do. Only where these leave no room, or go apart faster than pushes can
 * tell, is something passed, and counted as a breach.
 *
 *   limiter.c        what the step calls: who would pass, pushes, rounds
 *   limiter_plane.c  pairs that are surely free, compiled once per SIMD width
 *   limiter_rooms.c  blocks that are surely free, by how far their nodes have gone
 *   limiter_candidates.c  which are left
 *   limiter_motion.c    the paths of nodes, and pairs of those that go elsewhere
 *   impact_zone.c   zones: nodes whose paths are shortened together
 *   limiter_pair.c   one pair: whether it passes, and how far its nodes may go
 */
#ifndef SN_CONTACT_LIMITER_LIMITER_H
#define SN_CONTACT_LIMITER_LIMITER_H

#include "collision/ccd/time_of_impact.h"
#include "contact/collider/collider_contact.h"

#define SN_LIMITER_NONE UINT32_MAX
enum { SN_LIMITER_KINDS = 2, SN_LIMITER_CELLS = 2 * SN_CONTACT_MOST_SLABS };

/*
 * How much room pairs had when they were last measured: what is left of it by how far nodes have
 * gone since tells most blocks to be free without a look at their pairs (limiter_rooms.c). It is
 * forgotten when pairs are found, and never changes what is free.
 */
typedef struct sn_limiter_rooms {
    bool known;                        /* whether there are some */
    size_t measured[SN_LIMITER_KINDS]; /* blocks of each set that have one: the first; */
    size_t placed[SN_LIMITER_KINDS];   /* and those that have cells, which stay the same */
    sn_real *room[SN_LIMITER_KINDS];   /* m, of every block: how far its pairs may come nearer */
    uint64_t *cells[SN_LIMITER_KINDS]; /* of every block, as a mask: where its nodes are */
    size_t room_capacity[SN_LIMITER_KINDS], cells_capacity[SN_LIMITER_KINDS];
    sn_vec4 *x, *p; /* m, of every node: where it was then */
    size_t node_capacity;
    sn_v4 drift[2]; /* m, how far all have gone, when the substep begins and when it ends */
    _Atomic(sn_real) away[SN_LIMITER_CELLS]; /* m, the most of a node of every cell besides */
    atomic_size_t looked;                    /* blocks that had to be looked at */
} sn_limiter_rooms;

/* Scratch of the contact system (contacts.h); all zero before the first use. */
typedef struct sn_limiter {
    /* Of every slot of a pair that is penetration-free, by kind: whether it would pass. Slots stay
       what they are when pairs are added. */
    uint8_t *caught[SN_LIMITER_KINDS];
    size_t caught_capacity[SN_LIMITER_KINDS];
    /* Of every node: the next one towards the root of its zone, or none; how far it was about to
       go (m); the part of it that it may go, relative to its zone; and of roots how the zone goes
       as a whole (m). */
    uint32_t *zone;
    sn_vec4 *wish, *drift;
    sn_real *part;
    double *mass;     /* kg, of the zone, while it is being weighed */
    uint32_t *member; /* nodes that are in zones, ascending */
    size_t members, node_capacity;
    /* Of every node, and of the one that is none: where it is and where it was when the substep
       began (m), each with what that may be off by. Of every lane of the set at hand, whether its
       pair may pass. */
    sn_vec4 *now, *before;
    size_t place_capacity;
    uint8_t *doubt;
    size_t doubt_capacity;
    sn_limiter_rooms rooms;
} sn_limiter;

/* Whether a collision surface is penetration-free. */
bool sn_limiter_is_needed(const sn_world *world);
/* Room for the pairs and nodes there are now; false when there is no memory. */
bool sn_limiter_reserve(sn_world *world);
/* Pairs are others now. */
void sn_limiter_forget(sn_world *world);
/* After the last sweep of a substep, before velocities are taken from positions. */
void sn_limiter_apply(sn_world *world, const sn_substep *substep);
void sn_limiter_free(sn_limiter *limiter, sn_memory *memory);

/* ---- limiter_plane.c ---- */

/* What the loops see of a set, and do to its blocks from begin to end. */
typedef struct sn_limiter_sight {
    const sn_vec4 *now, *before;
    const int32_t *node;
    const sn_real *row;
    uint8_t *doubt;
    sn_real *room;    /* m, of every block, where it is to be measured; null otherwise */
    sn_real rounding; /* m, of places far from the origin */
} sn_limiter_sight;
typedef void sn_limiter_look(const sn_limiter_sight *sight, size_t begin, size_t end);
typedef struct sn_limiter_planes {
    sn_limiter_look *look[SN_LIMITER_KINDS];
} sn_limiter_planes;
const sn_limiter_planes *sn_limiter_planes_of(sn_width width);

/* ---- limiter_pair.c ---- */

/* Two elements on their paths. Points are relative to the last one. */
typedef struct sn_limiter_pair {
    sn_ccd_kind kind;
    uint32_t node[4];
    double keep;              /* m: how near they may come */
    sn_point x[4];            /* where the substep began */
    sn_point displacement[4]; /* how far each goes */
} sn_limiter_pair;

static inline int sn_limiter_first(sn_ccd_kind kind) {
    return kind == SN_CROSS_VERTEX ? 1 : 2;
}

/* Whether the two stay apart on their paths. */
bool sn_limiter_is_free(const sn_limiter_pair *pair);

/* How the ends of the paths change, by masses, so that the two are on their sides where they would
   have touched; false where nothing does. `w` are inverse masses. */
bool sn_limiter_push(const sn_limiter_pair *pair, const double w[4], sn_point change[4]);

/*
 * The parts of their paths that the nodes may go so that a plane stays between the two, where
 * `displacement` is relative to a common motion. `fixed` nodes go all of it: where that is too far,
 * false is returned, and the others stay.
 */
bool sn_limiter_limit(const sn_limiter_pair *pair, const bool fixed[4], double part[4]);

#endif
