/* Sheets that tear and tet meshes that fracture at the end of a step: finding where, and doing
   it. */
#ifndef SN_FRACTURE_TEAR_H
#define SN_FRACTURE_TEAR_H

#include "fracture/cut_vertex.h"
#include "fracture/tearing.h"
#include "geometry/point.h"
#include "state/step_context.h"
#include "systems/sheet/sheets.h"

/* tear_find.c: adds the places of a sheet that are too long, and those whose tension is too large;
   false when there is no memory. */
bool sn_tear_find_strain(sn_world *world, uint32_t sheet);
bool sn_tear_find_force(sn_world *world, uint32_t sheet);

/* tear_edges.c: takes a sheet apart along edges that are weaker than their nodes say, before
   anything else of it tears; tensions must have been found. False when there is no memory. */
bool sn_tear_edges(sn_world *world, uint32_t sheet);

/* Tension in the triangles of a sheet or the tets of a tet mesh (tension.c). */
typedef struct sn_tension {
    sn_world *world; /* whose `tearing` has the numbers */
    sn_cut_mesh mesh;
} sn_tension;

/* Finds it in all elements, from the forces of the last substep; false when there is no memory. */
bool sn_tension_find(const sn_tension *t);
/* The mean of the elements around a vertex (N/m or Pa): xx, yy, zz, yz, zx, xy. Returns their area
   or volume. */
double sn_tension_at(const sn_tension *t, uint32_t vertex, double mean[6]);

/* The stretch of these elements along a direction, by which tension per area now is more than per
   width or area at rest; 1 where there is none. */
double sn_tension_stretch(const sn_tension *t, uint32_t vertex, double area, sn_point n);

/* fracture_solid.c: takes a tet mesh apart where its stress is too large; false when there is no
   memory. */
bool sn_fracture_tet_mesh(sn_world *world, uint32_t tet_mesh);

/* The worst first; a total order. For qsort, of sn_tear_place. */
int sn_tear_compare(const void *a, const void *b);

/* Adds a place; false when there is no memory. */
bool sn_tear_add(sn_world *world, const sn_tear_place *place);

/* The factor on the limits at a vertex. */
static inline double sn_tear_strength(const sn_sheet_state *sheet, uint32_t vertex) {
    return sheet->strength ? (double)sheet->strength[vertex] : 1;
}

/* Sheets that come apart, after the substeps and before what broke is removed. */
void sn_tear_end(sn_step *step);
/* Whether a sheet tears by the forces of the constraints on it, which must be kept then. */
bool sn_tear_needs_forces(const sn_world *world);

#endif
