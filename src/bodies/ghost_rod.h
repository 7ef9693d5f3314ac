/* Rods with ghost points, the other model of body_rod.c. */
#ifndef SN_BODIES_GHOST_ROD_H
#define SN_BODIES_GHOST_ROD_H

#include "bodies/kind.h"

/* Choices of the material. */
enum { SN_ROD_COSSERAT, SN_ROD_GHOST_POINTS };
enum { SN_ROD_KEEPS_RADIUS, SN_ROD_KEEPS_VOLUME };

#define SN_NO_LINE UINT32_MAX

/* Refuses what only one of the models has. */
sn_result sn_ghost_rod_check(const sn_builder *b);

/* Takes the masses of the ghost points from the ends of their lines. */
void sn_ghost_rod_weigh(sn_builder *b);

/* Makes ghost points where the nodes have their orientations, and all constraints; with the line
   that begins at each vertex. */
sn_result sn_ghost_rod_connect(sn_builder *b, const uint32_t *begins);

/* Pins nodes of such rods: lines whose two ends are pinned with their ghost points. */
sn_result sn_ghost_rod_pin(sn_world *world, const sn_node *nodes, size_t count);

#endif
