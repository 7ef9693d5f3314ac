/*
 * Outlines of what lies in a plane: closed polygons, some of which are holes in others. Their
 * corners are kept, and what lies between two corners is a side, which is cut into edges of the
 * same length.
 */
#ifndef SN_GEOMETRY_TRIANGULATE_OUTLINE_H
#define SN_GEOMETRY_TRIANGULATE_OUTLINE_H

#include "base/memory.h"
#include "geometry/triangulate/lattice.h"

/* The most loops, and points of all of them. */
enum { SN_OUTLINE_LOOPS = 1024, SN_OUTLINE_POINTS = 1 << 16 };

typedef struct sn_loop {
    double (*points)[2]; /* m; in either direction */
    size_t count;
    bool hole;
} sn_loop;

typedef struct sn_outlines {
    const char *what; /* is made, for sentences */
    const sn_loop *loops;
    size_t count;
    double edge;         /* m, the length that edges should have */
    double corner_angle; /* rad: a point where a loop turns by more is a corner */
    bool sampled;        /* the points are the vertices of the border, and none is a corner */
    const double *kept;  /* a point inside that becomes a vertex; null: none */
} sn_outlines;

/* Where whole numbers are in the plane. */
typedef struct sn_lattice {
    double origin[2], unit; /* m; the unit is a power of 2 */
} sn_lattice;

static inline sn_site sn_lattice_site(const sn_lattice *lattice, const double x[2]) {
    double u = (x[0] - lattice->origin[0]) / lattice->unit + SN_SITE_RANGE;
    double v = (x[1] - lattice->origin[1]) / lattice->unit + SN_SITE_RANGE;
    /* Both are positive, so that this rounds. */
    return (sn_site){(int32_t)(u + 0.5) - SN_SITE_RANGE, (int32_t)(v + 0.5) - SN_SITE_RANGE};
}

/* The vertices of the border, loop after loop. */
typedef struct sn_border {
    double (*x)[2];
    uint32_t *loop, *side; /* of each; sides are counted over all loops */
    uint8_t *corner;       /* whether a side begins there */
    size_t count, capacity;
    size_t sides;
} sn_border;

/* Refuses outlines that cross or touch themselves or each other, holes that are not inside an
   outline, and edges that are too long or too short for them. */
sn_result sn_outlines_check(const sn_outlines *outlines, sn_memory *memory, sn_lattice *lattice);

/* Cuts the sides. Nothing is to be freed after a failure. */
sn_result sn_border_create(sn_border *border, const sn_outlines *outlines, sn_memory *memory);
void sn_border_free(sn_border *border, sn_memory *memory);

/* The number of a loop among those that are holes, or that are none, as it is. */
size_t sn_outlines_ordinal(const sn_outlines *outlines, size_t loop);

/* Whether a point is inside a polygon. */
bool sn_loop_contains(const sn_loop *loop, const double x[2]);

#endif
