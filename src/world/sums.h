/*
 * Sums over regions that overlap, and back: what shape matching of regions is made of, beside the
 * rotations (survey of position based methods, section 5.11.3).
 *
 *   gather   out[r] = sum of in[i] over the nodes i of region r
 *   spread   out[i] = sum of in[r] over the regions r of node i
 *
 * Rows of `width` numbers in double, one row after the other: the sums of fast plans are
 * differences of much larger ones, and goals that were rounded to float would shake what stands
 * still. Every plan gives the same sums up to the rounding of double, and its own bits for any
 * number of threads.
 */
#ifndef SN_WORLD_SUMS_H
#define SN_WORLD_SUMS_H

#include "base/memory.h"
#include "base/team.h"

#include <sinew/matching.h>

/* The longest row. */
enum { SN_SUMS_WIDTH = 24 };
/* The last of the methods. */
enum { SN_SUMS_LAST = SN_SUMS_DIRECT };

/* What is summed over. The lists belong to somebody else and stay as long as the plan. */
typedef struct sn_sums_input {
    size_t nodes, regions;
    const uint32_t *first;  /* regions + 1: where the members of a region begin */
    const uint32_t *member; /* nodes, each at most once in a region */
    const sn_vec3 *rest;    /* m, where the nodes are at rest */
    sn_sums_method method;
} sn_sums_input;

typedef struct sn_sums {
    sn_sums_input in;
    /* The other way round: the regions of every node, in rising order. */
    uint32_t *region_first, *region;
    size_t first_room, region_room;
} sn_sums;

/* Makes a plan, in place of the one there was; false when there is no memory. Summing needs none.
 */
bool sn_sums_plan(sn_sums *plan, sn_memory *memory, const sn_sums_input *in);
void sn_sums_free(sn_sums *plan, sn_memory *memory);

/* The method that the plan has come to. */
sn_sums_method sn_sums_chosen(const sn_sums *plan);

/* How many regions a node is in. */
static inline uint32_t sn_sums_regions_of(const sn_sums *plan, size_t node) {
    return plan->region_first[node + 1] - plan->region_first[node];
}

/* Between sn_team_begin and sn_team_end, or with a team of none. `in` and `out` are different
   arrays; the width is a multiple of 4. */
void sn_sums_gather(const sn_sums *plan, sn_team *team, const double *in, size_t width,
                    double *out);
void sn_sums_spread(const sn_sums *plan, sn_team *team, const double *in, size_t width,
                    double *out);

#endif
