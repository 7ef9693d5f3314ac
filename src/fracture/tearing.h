/* What was torn in the last step, and the scratch of finding it (fracture/tear.c). */
#ifndef SN_FRACTURE_TEARING_H
#define SN_FRACTURE_TEARING_H

#include "state/world.h"

#include <sinew/tear.h>

/* A place that may tear: a vertex, an edge or a triangle. */
typedef struct sn_tear_place {
    double excess;      /* over the limit, above 1 */
    uint32_t vertex[3]; /* of the sheet */
    uint32_t corners;   /* 1 to 3 */
    uint32_t broken;    /* where the cause is a break: its number in the list + 1 */
    uint32_t found;     /* how many were found before it: an edge is found from both its sides */
    sn_tear_cause cause;
    sn_real amount;
    sn_real normal[3];
} sn_tear_place;

typedef struct sn_tearing {
    sn_tear_event *event; /* of the last step */
    size_t events, event_capacity;
    sn_tear_place *place;
    size_t places, place_capacity;
    /* Of a sheet, to find tensions. */
    double *tension; /* N/m, six numbers per triangle: xx, yy, zz, yz, zx, xy */
    size_t tension_capacity;
    uint32_t *first, *next; /* corners of each vertex, as in fracture/cut_vertex.h */
    size_t first_capacity, next_capacity;
} sn_tearing;

void sn_tearing_free(sn_tearing *tearing, sn_memory *memory);

static inline sn_tearing *sn_tearing_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_FRACTURE];
}

#endif
