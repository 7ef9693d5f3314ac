/*
 * What walks over trees have in common: pairs of points and edges of triangles that may touch are
 * piled up per thread, sifted many at a time, and put with the rest where there is room.
 */
#ifndef SN_CONTACT_MEET_PILE_H
#define SN_CONTACT_MEET_PILE_H

#include "contact/broad_parts.h"
#include "contact/meet.h"

#include <stdatomic.h>

enum { SN_MEET_PILE = 512, SN_MEET_OWN = 3 };

typedef struct sn_meet_hunt {
    const sn_world *world;
    const sn_meets *m;
    sn_broad_accept *const *accept;
    const void *context;
    atomic_size_t taken[SN_MEET_KINDS]; /* more than there is room for when it was too little */
    atomic_size_t next;                 /* task that nobody has begun */
} sn_meet_hunt;

/* What a thread has found and not yet put with the rest. */
typedef struct sn_meet_pile {
    sn_meet_hunt *hunt;
    size_t points, edges;
    sn_broad_pair point[SN_MEET_PILE], edge[SN_MEET_PILE];
} sn_meet_pile;

void sn_meet_pile_begin(sn_meet_pile *pile, sn_meet_hunt *hunt);
void sn_meet_pile_flush(sn_meet_pile *pile);
/* Adds the points and edges of two triangles whose boxes overlap. */
void sn_meet_pile_add(sn_meet_pile *pile, const sn_meet_leaf *a, const sn_meet_leaf *b);

/* Runs it over a range, again where there was too little room; false when there is no memory. */
bool sn_meet_hunt_run(sn_world *world, sn_meets *meets, sn_broad_accept *const *accept,
                      const void *context, size_t count, size_t alone, sn_range_function *range);

SN_INLINE bool sn_meet_overlap(const sn_vec4 *low_a, const sn_vec4 *high_a, const sn_vec4 *low_b,
                               const sn_vec4 *high_b) {
    return sn_broad_overlap(sn_broad_corner_at(low_a), sn_broad_corner_at(high_a),
                            sn_broad_corner_at(low_b), sn_broad_corner_at(high_b));
}

#endif
