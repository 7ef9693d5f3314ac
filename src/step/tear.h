/* Sheets that tear at the end of a step: finding where, and doing it. */
#ifndef SN_STEP_TEAR_H
#define SN_STEP_TEAR_H

#include "step/step.h"

/* tear_find.c: adds the places of a sheet that are too long, and those whose tension is too large;
   false when there is no memory. */
bool sn_tear_find_strain(sn_world *world, uint32_t sheet);
bool sn_tear_find_force(sn_world *world, uint32_t sheet);

/* Adds a place; false when there is no memory. */
bool sn_tear_add(sn_world *world, const sn_tear_place *place);

/* The factor on the limits at a vertex. */
static inline double sn_tear_strength(const sn_sheet_state *sheet, uint32_t vertex) {
    return sheet->strength ? (double)sheet->strength[vertex] : 1;
}

#endif
