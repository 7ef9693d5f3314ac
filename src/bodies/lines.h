/* What ropes and rods have in common: lines with a round cross-section. */
#ifndef SN_BODIES_LINES_H
#define SN_BODIES_LINES_H

#include "bodies/kind.h"

#define SN_CIRCLE 3.14159265358979323846

/* Refuses a mesh without lines and lines without length, and gives half of each line to its ends.
 */
sn_result sn_lines_weigh(sn_builder *b, const char *kind, sn_real radius, sn_real density);

#endif
