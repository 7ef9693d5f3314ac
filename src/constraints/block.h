/* What block.inl works on, for the file that includes it: a block of 16 constraints, and a group of
   lanes. */
#ifndef SN_CONSTRAINTS_BLOCK_H
#define SN_CONSTRAINTS_BLOCK_H

#include "constraints/formula.h"

typedef struct block {
    int32_t node[SN_NODES][SN_BLOCK];
#if SN_FRAMES > 0
    int32_t frame[SN_FRAMES][SN_BLOCK];
#endif
    sn_real w[SN_MOVED + 1][SN_BLOCK]; /* the last one is unused, so that none is allowed */
#if SN_TURNED > 0
    sn_real turn_w[SN_TURNED][3][SN_BLOCK];
#endif
    sn_real alpha[SN_ROWS][SN_BLOCK];
    sn_real relax[SN_BLOCK];
    sn_real own[SN_OWN][SN_BLOCK];
} block;

enum { SN_FIXED = SN_NODES - (SN_MOVED > SN_TURNED ? SN_MOVED : SN_TURNED) };
enum { SN_COEFFICIENTS = SN_MOVED + 1 + 3 * SN_TURNED + SN_ROWS + 1 + SN_OWN };
enum {
    SN_POINT_ROOM = SN_POINTS > 0 ? SN_POINTS : 1,
    SN_FRAME_ROOM = SN_FRAMES > 0 ? SN_FRAMES : 1
};
_Static_assert(SN_ROWS <= SN_MAX_ROWS && (SN_ROWS >= 2 || SN_FRAMES > 0),
               "one row of positions is for project.inl");

/* Whether formulas also get where nodes and frames were when the substep began. */
#ifndef SN_STARTED
#define SN_STARTED 0
#endif

/* What one group of lanes works on. */
typedef struct state {
    sn_lane3 x[SN_POINT_ROOM * (1 + SN_STARTED)];
    sn_lane4 q[SN_FRAME_ROOM * (1 + SN_STARTED)];
    sn_lane value[SN_ROWS];
    sn_lane3 g[SN_ROWS][SN_POINT_ROOM];
    sn_lane3 t[SN_ROWS][SN_FRAME_ROOM];
} state;

#endif
