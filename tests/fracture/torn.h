/* Cloth that is torn, and whether everything about it still fits together. */
#ifndef SINEW_TESTS_FRACTURE_TORN_H
#define SINEW_TESTS_FRACTURE_TORN_H

#include "bodies/meshed_body.h"

/*
 * Checks that the sheet is a surface without crowded edges or vertices that hold two fans, that the
 * nodes have their vertices, that its edges have one distance constraint each and nothing else has,
 * that rings and hinges lie on it, that collision surface and colours follow.
 */
void check_torn(const body *b, bool edges);

/* How many parts the sheet has that share no vertex, and how many edges lie on its border. */
size_t count_pieces(const body *b);
size_t count_border(const body *b);

/* The sheet as a mesh, with nodes where they are now; to be freed. */
sn_mesh sheet_mesh(const body *b);

#endif
