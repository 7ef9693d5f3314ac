/*
 * What walks over trees have in common: pairs of points and edges of triangles that may touch are
 * piled up per thread, sifted many at a time, and put with the rest where there is room.
 */
#ifndef SN_CONTACT_SURFACE_PAIR_BUFFER_H
#define SN_CONTACT_SURFACE_PAIR_BUFFER_H

#include "collision/broad_phase/broad_phase_parts.h"
#include "contact/surface/feature_fours.h"

#include <stdatomic.h>

/* Pairs that are sifted together, and more than fit when one comparison adds to just less. */
enum {
    SN_SURFACE_CONTACT_PILE = 512,
    SN_SURFACE_CONTACT_MOST_PILED = SN_SURFACE_CONTACT_PILE + SN_FEATURE_MOST_PAIRS
};

typedef struct sn_pair_search {
    const sn_world *world;
    sn_surface_contacts *m;
    sn_near_accept *const *accept;
    const void *context;
    atomic_size_t
        taken[SN_SURFACE_CONTACT_KINDS]; /* more than there is room for when it was too little */
} sn_pair_search;

/* What a thread has found and not yet put with the rest. */
typedef struct sn_pair_buffer {
    sn_pair_search *hunt;
    size_t points, edges;
    sn_broad_pair point[SN_SURFACE_CONTACT_MOST_PILED], edge[SN_SURFACE_CONTACT_MOST_PILED];
    sn_real point_rest[SN_SURFACE_CONTACT_MOST_PILED],
        edge_rest[SN_SURFACE_CONTACT_MOST_PILED]; /* m */
} sn_pair_buffer;

/* The trial of lanes that a search is, of all or of what has moved; and its lanes. */
static inline sn_tried sn_pair_search_trial(const sn_surface_contacts *m) {
    return m->tree.partial ? SN_TRIED_SURFACE_FIND_SOME : SN_TRIED_SURFACE_FIND;
}
static inline sn_width sn_pair_search_lanes(const sn_world *world, const sn_surface_contacts *m) {
    return sn_lanes_of(world, &world->bindings.lanes[sn_pair_search_trial(m)]);
}

void sn_pair_buffer_begin(sn_pair_buffer *buffer, sn_pair_search *hunt);
void sn_pair_buffer_flush(sn_pair_buffer *buffer);
/* Adds the points, edges and triangles of two leaves of trees, or within one, that may touch; where
   some have moved, those of which one has. */
void sn_pair_buffer_add(sn_pair_buffer *buffer, uint32_t a, uint32_t b);

/* Runs it over a range, again where there was too little room; false when there is no memory, or
   more pairs than there may be. */
bool sn_pair_search_run(sn_world *world, sn_surface_contacts *surface_contacts,
                        sn_near_accept *const *accept, const void *context, size_t count,
                        size_t alone, sn_range_function *range);

SN_INLINE bool sn_surface_contact_overlap(const sn_vec4 *low_a, const sn_vec4 *high_a,
                                          const sn_vec4 *low_b, const sn_vec4 *high_b) {
    return sn_broad_overlap(sn_broad_corner_at(low_a), sn_broad_corner_at(high_a),
                            sn_broad_corner_at(low_b), sn_broad_corner_at(high_b));
}

#endif
