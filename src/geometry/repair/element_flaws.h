/* Elements that are wrong by themselves or are there twice: what checking and cleaning look for. */
#ifndef SN_GEOMETRY_REPAIR_ELEMENT_FLAWS_H
#define SN_GEOMETRY_REPAIR_ELEMENT_FLAWS_H

#include "geometry/mesh_access.h"

typedef enum sn_flaw {
    SN_FLAW_NONE,
    SN_FLAW_INDEX,     /* uses vertices that are not there, or not at finite numbers */
    SN_FLAW_REPEATED,  /* uses a vertex twice */
    SN_FLAW_DUPLICATE, /* has the vertices of an earlier one */
    SN_FLAW_FLAT,      /* has no length, area or volume */
    SN_FLAW_INVERTED   /* a tetrahedron of negative volume */
} sn_flaw;

/* Elements of a mesh of one kind, with 2, 3 or 4 corners. */
typedef struct sn_elements {
    const uint32_t *vertices;
    size_t count;
    int corners;
} sn_elements;

sn_elements sn_elements_of(const sn_mesh *mesh, int corners);

/* The flaws of the elements; of duplicates `twin` is the earlier one. */
sn_result sn_flaws_find(const sn_mesh *mesh, sn_memory *memory, sn_elements elements, uint8_t *flaw,
                        uint32_t *twin);

/* Whether a tetrahedron has hardly any volume: less than 1e-6 of the cube of its longest edge
   (SN_FLAW_FLAT), or a negative one (SN_FLAW_INVERTED). */
sn_flaw sn_tet_flaw(const sn_point x[4]);

/* Whether a triangle has hardly any height: less than 1e-6 of its longest edge. */
bool sn_triangle_is_flat(sn_point a, sn_point b, sn_point c);

#endif
