/* What ropes and rods have in common: lines with a round cross-section. */
#ifndef SN_BODIES_LINES_H
#define SN_BODIES_LINES_H

#include "bodies/kind.h"

#define SN_CIRCLE 3.14159265358979323846

/* What the cross-section weighs and how wide it is, from a material of either kind. */
typedef struct sn_lines_section {
    sn_real radius, density;
} sn_lines_section;
typedef sn_lines_section sn_lines_cut(const void *material);

/* Refuses a mesh without lines and lines without length, and gives half of each line to its
   ends. */
sn_result sn_lines_weigh(sn_builder *b, sn_lines_cut *cut);

/* By what substeps are enough for its weight, where it hangs. */
void sn_lines_find_hung_rate(sn_builder *b);

#endif
