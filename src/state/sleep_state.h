/*
 * Which bodies sleep, and who wakes with whom. step/sleep.c puts to sleep, step/wake.c wakes.
 *
 * A sleeping body keeps the bits of its positions, its velocity is zero, and a step passes it by.
 * Bodies that fell asleep together are linked in a ring, so that one of them wakes all without a
 * search. Constraints and damping groups join bodies, so that none of them is ever half asleep.
 * Worlds in which nothing may sleep have none of this.
 */
#ifndef SN_STATE_SLEEP_STATE_H
#define SN_STATE_SLEEP_STATE_H

#include "base/memory.h"

/* Why the bodies of an island cannot fall asleep now. */
enum {
    SN_RESTLESS = 1, /* one has not been slow for long enough */
    SN_FAST = 2,     /* one moves, which also wakes those that sleep */
};

typedef struct sn_sleep {
    /* State, per body. */
    uint8_t *asleep; /* 0 or 1 */
    double *still;   /* s, how long it has been slow */
    uint32_t *next;  /* in the ring of those that it sleeps with; itself while it is awake */
    size_t count;    /* that sleep, which follows */
    /* All that follows is scratch. Per body: */
    uint8_t *bound;    /* of roots of `joint`: joined with a node that never sleeps */
    uint32_t *parent;  /* of those that are joined or touch */
    uint32_t *first;   /* of roots: a body that falls asleep now, + 1 */
    uint8_t *restless; /* of roots, SN_RESTLESS, SN_FAST; until the end of a step, of bodies */
    /* Per body, what they were before the plan of a step, which may fail. */
    uint8_t *old_asleep, *old_ready;
    double *old_still;
    uint32_t *old_next;
    size_t old_count;
    bool old_settled;
    size_t capacity;
    /* Per body and then per node that has none: the lowest of those that constraints and damping
       groups join it with. */
    uint32_t *joint;
    size_t joint_capacity;
    size_t joint_bodies, joint_nodes; /* that it was made for */
    /* Per node, the first one from it on that is awake; and the end. */
    uint32_t *awake_from;
    size_t awake_capacity;
    sn_real *w; /* 1/kg, per node, what contacts between bodies see: 0 of those that sleep */
    size_t w_capacity;
    bool changed;        /* who sleeps, which nodes or constraints there are */
    bool joints_changed; /* constraints, damping groups or masses, since `joint` was made */
} sn_sleep;

/* Room for these numbers of bodies and nodes; false when there is no memory. */
bool sn_sleep_reserve(sn_sleep *sleep, sn_memory *memory, size_t bodies);
bool sn_sleep_reserve_nodes(sn_sleep *sleep, sn_memory *memory, size_t bodies, size_t nodes);
void sn_sleep_free(sn_sleep *sleep, sn_memory *memory);

/* Two bodies (slot + 1, or 0) that touched in this step: they fall asleep together, or the one that
   moves wakes the other after the step. From one thread, in any order. */
void sn_sleep_join(sn_sleep *sleep, uint32_t body_a, uint32_t body_b);

/* Whether a body (slot + 1, or 0 for the nodes without one, which never sleep) is asleep. */
static inline bool sn_sleep_has(const sn_sleep *sleep, uint32_t body) {
    return sleep->count > 0 && body > 0 && body <= sleep->capacity && sleep->asleep[body - 1];
}

/* During a step: the first node from i on that is awake, for loops that pass by sleepers. */
static inline size_t sn_sleep_pass(const sn_sleep *sleep, size_t i) {
    return sleep->count > 0 ? sleep->awake_from[i] : i;
}

#endif
