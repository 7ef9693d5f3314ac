/* Single pairs of elements: where they are nearest, whether and how close they may meet. */
#ifndef SN_CONTACT_MEET_PAIR_H
#define SN_CONTACT_MEET_PAIR_H

#include "contact/meet.h"
#include "contact/nearest.h"

/* The vector from the second to the first when the substep begins, with the weights of the nodes.
 */
sn_v4 sn_meet_between(const sn_nodes *nodes, int kind, const uint32_t *node,
                      sn_real weight[SN_MEET_MOST_NODES]);

/* Whether skins and groups allow it, no node is in both, and something can move. */
bool sn_meet_may(const sn_world *world, int kind, const uint32_t *node);

/* m: their radii together. */
sn_real sn_meet_radii(const sn_world *world, int kind, const uint32_t *node);

/* m: how close they may come: their radii, or less where they were close at rest. */
sn_real sn_meet_limit(const sn_world *world, int kind, const uint32_t *node);

/* What happens when they touch. */
typedef struct sn_meet_law {
    sn_real static_friction, dynamic_friction; /* 1 */
    sn_real restitution;                       /* 1 */
    sn_real recovery_speed;                    /* m/s */
} sn_meet_law;
sn_meet_law sn_meet_law_of(const sn_world *world, int kind, const uint32_t *node);

#endif
