/* Ropes that slide through their vertices. */
#ifndef SN_BODIES_LACES_H
#define SN_BODIES_LACES_H

#include "bodies/kind.h"

/* The distance constraint that a line of a rope would have. */
typedef sn_distance_def sn_rope_line(const sn_builder *b, const uint32_t line[2]);

/* Refuses rings and branches. */
sn_result sn_laces_check(sn_builder *b);

/* A lace for every chain of lines, with the stiffness that their distances would have in a row; a
   line alone is a distance. */
sn_result sn_laces_connect(sn_builder *b, sn_rope_line *define);

#endif
