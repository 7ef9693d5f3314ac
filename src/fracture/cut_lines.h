/* Cutting ropes and rods: lines between two nodes. */
#ifndef SN_FRACTURE_CUT_LINES_H
#define SN_FRACTURE_CUT_LINES_H

#include "state/world.h"

/* Removes all constraints that have both ends of one of the lines, but for those with lists, and
   tells systems of it. */
void sn_cut_lines(sn_world *world, const sn_node *ends, size_t lines);

/* Whether a node is a vertex of a sheet or a tet mesh, which are not cut line by line. */
bool sn_cut_is_meshed(const sn_world *world, uint32_t node);

#endif
