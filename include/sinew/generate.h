/*
 * Meshes by formula: grids, sheets, discs, panels, boxes, spheres, cylinders, tori, ropes, curves,
 * strands and blocks.
 *
 * Every call fills an empty mesh, centred at the origin but for panels, with groups of vertices
 * that are useful for pinning. Surfaces face outward, flat ones upward (+y); tetrahedra have
 * positive volumes. The positions have the same bits on every machine. A call that fails leaves the
 * mesh empty.
 *
 * Lengths are from 1e-9 to 1e9 m, numbers of parts at most 2^24, and no mesh gets more than 2^30
 * elements of a kind.
 */
#ifndef SINEW_GENERATE_H
#define SINEW_GENERATE_H

#include <sinew/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Sheets ---- */

/* How the cells of a grid are cut into triangles. */
typedef enum sn_grid_pattern {
    SN_GRID_ALTERNATING = 0, /* one diagonal each, in alternating directions: no preferred one */
    SN_GRID_SAME = 1,        /* one diagonal each, all in the same direction */
    SN_GRID_CROSSED = 2,     /* both diagonals, with a vertex where they cross: four triangles */
    SN_GRID_EQUILATERAL = 3  /* every other row is shifted by half a cell and ends with half ones;
                                equilateral where depth / rows is 0.866 width / columns */
} sn_grid_pattern;

/*
 * A rectangle in the xz plane. Row by row from the back, each from the left; the middles of crossed
 * cells come after all of them. Groups: "left" (lowest x), "right", "back" (lowest z), "front",
 * "border", "corners" and, going round, "corner_0" (left back), "corner_1" (right back), "corner_2"
 * (right front) and "corner_3" (left front).
 */
typedef struct sn_grid_def {
    size_t size;             /* set by sn_grid_def_default */
    sn_real width;           /* m, along x */
    sn_real depth;           /* m, along z */
    uint32_t columns;        /* of cells, at least 1 */
    uint32_t rows;           /* of cells, at least 1 */
    sn_grid_pattern pattern; /* of the triangles */
} sn_grid_def;

/* 1 m by 1 m, 20 by 20 cells, alternating. */
SN_API sn_grid_def sn_grid_def_default(void);
SN_API sn_result sn_generate_grid(sn_mesh *mesh, const sn_grid_def *def);

/*
 * Sheets, discs with an edge length and panels are isotropic: their triangles are Delaunay, of
 * about the same size, and in no direction more than in another, so that folds of cloth do not
 * follow rows that they would otherwise have. Edges are as long as was asked for on average, within
 * a tenth where the sheet is some five of them wide; angles are from 30 to 110 degrees but where
 * the outline itself has corners or necks that are narrower. Corners are vertices, and what lies
 * between two of them is cut into edges of the same length. Vertices are in order along a Hilbert
 * curve. At most 2^24 of them.
 */

/*
 * A rectangle in the xz plane with isotropic triangles. Groups: as those of a grid.
 */
typedef struct sn_sheet_mesh_def {
    size_t size;         /* set by sn_sheet_mesh_def_default */
    sn_real width;       /* m, along x */
    sn_real depth;       /* m, along z */
    sn_real edge_length; /* m, at most the longer side */
} sn_sheet_mesh_def;

/* 1 m by 1 m, edges of 0.05 m. */
SN_API sn_sheet_mesh_def sn_sheet_mesh_def_default(void);
SN_API sn_result sn_generate_sheet(sn_mesh *mesh, const sn_sheet_mesh_def *def);

/*
 * A disc in the xz plane: a centre, which is vertex 0, and rings about it, each with more vertices
 * than the one inside it, so that triangles have about the same size everywhere. The rim comes
 * last, from +x towards -z. With an edge length it has isotropic triangles instead of rings, and
 * the vertices in their order. Groups: "centre", "rim".
 */
typedef struct sn_disc_def {
    size_t size;         /* set by sn_disc_def_default */
    sn_real radius;      /* m */
    uint32_t rings;      /* at least 1 */
    uint32_t segments;   /* of the rim, at least 3; 0 means 6 for each ring, which gives nearly
                            equilateral triangles */
    sn_real edge_length; /* m, at most the diameter, instead of rings and segments; SN_AUTO: rings
                            say */
} sn_disc_def;

/* 0.5 m, 10 rings. */
SN_API sn_disc_def sn_disc_def_default(void);
SN_API sn_result sn_generate_disc(sn_mesh *mesh, const sn_disc_def *def);

/* A closed polygon; its last point is connected with the first. */
typedef struct sn_outline {
    const sn_real (*points)[2]; /* m: to the right, and upward as it is drawn */
    size_t count;               /* of points, at least 3 */
    bool hole;                  /* cut out of what is around it */
} sn_outline;

/*
 * A piece of cloth as it is cut: outlines with holes in them, which do not touch each other or
 * themselves, filled with isotropic triangles. It lies in the xz plane as it is drawn when seen
 * from above: a point (x, y) is at (x, 0, -y), turned by the grain. What turns by less than the
 * corner angle is a curve, given by more points, through which the border is cut anew; on it the
 * area is that of the polygon through the vertices.
 *
 * Groups: "border", "corners"; "outline_0" and so on and "hole_0" and so on, the vertices of each;
 * and, where there are at most 256 of them, "side_0" and so on: from each corner to the next, in
 * the order of the points over all outlines, with both ends. An outline without corners is one.
 */
typedef struct sn_panel_def {
    size_t size;                /* set by sn_panel_def_default */
    const sn_outline *outlines; /* outlines and holes, in any order and direction */
    size_t outline_count;       /* from 1 to 1024; at most 65536 points in all */
    sn_real edge_length;        /* m, at most the longest side of the box around all */
    sn_real corner_angle;       /* rad: a point where an outline turns by more is a corner; above 0
                                   and at most 4 */
    sn_real grain;              /* rad from -4 to 4, from the right anticlockwise as it is drawn:
                                   the direction of the warp. The panel is turned about the origin
                                   so that it becomes the x axis, the warp of cloth where nothing
                                   else is said */
} sn_panel_def;

/* No outlines, edges of 0.05 m, corners above 0.6 rad, grain 0. */
SN_API sn_panel_def sn_panel_def_default(void);
SN_API sn_result sn_generate_panel(sn_mesh *mesh, const sn_panel_def *def);

/* ---- Closed surfaces ---- */

/*
 * The surface of a box. Groups, each with its edges: "left" (lowest x), "right", "bottom" (lowest
 * y), "top", "back" (lowest z), "front".
 */
typedef struct sn_box_def {
    size_t size;       /* set by sn_box_def_default */
    sn_vec3 extent;    /* m, from side to side */
    uint32_t cells[3]; /* along x, y and z, at least 1 */
} sn_box_def;

/* A cube of 1 m with 8 cells along each edge. */
SN_API sn_box_def sn_box_def_default(void);
SN_API sn_result sn_generate_box(sn_mesh *mesh, const sn_box_def *def);

/*
 * A sphere: an icosahedron with a vertex on top, whose faces are cut into n^2 triangles and pushed
 * out to the sphere. Has 10 n^2 + 2 vertices. Groups: "top", "bottom", one vertex each.
 */
typedef struct sn_sphere_def {
    size_t size;         /* set by sn_sphere_def_default */
    sn_real radius;      /* m */
    uint32_t level;      /* n is 2 to this power; at most 12 */
    sn_real edge_length; /* m, about the length that edges get, instead of a level; SN_AUTO: the
                            level says */
    sn_vec3 stretch;     /* 1, of the finished sphere along each axis, above 0: an ellipsoid */
} sn_sphere_def;

/* 0.5 m, level 3: 642 vertices, not stretched. */
SN_API sn_sphere_def sn_sphere_def_default(void);
SN_API sn_result sn_generate_sphere(sn_mesh *mesh, const sn_sphere_def *def);

/*
 * A cylinder about the y axis. Groups: "top", "bottom": the circles at the ends, with the caps
 * where there are any.
 */
typedef struct sn_cylinder_def {
    size_t size;       /* set by sn_cylinder_def_default */
    sn_real radius;    /* m */
    sn_real height;    /* m */
    uint32_t segments; /* around, at least 3 */
    uint32_t rows;     /* along, at least 1 */
    bool capped;       /* closed at both ends; otherwise a tube */
} sn_cylinder_def;

/* 0.5 m by 1 m, 24 segments, 8 rows, capped. */
SN_API sn_cylinder_def sn_cylinder_def_default(void);
SN_API sn_result sn_generate_cylinder(sn_mesh *mesh, const sn_cylinder_def *def);

/* A torus about the y axis. Groups: "outer" and "inner": the circles of the largest and of the
   smallest radius (two of them where the number of sides is odd). */
typedef struct sn_torus_def {
    size_t size;       /* set by sn_torus_def_default */
    sn_real radius;    /* m, of the circle in the middle of the tube */
    sn_real tube;      /* m, the radius of the tube, less than that, and at least 1e-5 of it */
    uint32_t segments; /* around the axis, at least 3 */
    uint32_t sides;    /* around the tube, at least 3 */
} sn_torus_def;

/* 0.5 m and 0.2 m, 36 segments, 16 sides. */
SN_API sn_torus_def sn_torus_def_default(void);
SN_API sn_result sn_generate_torus(sn_mesh *mesh, const sn_torus_def *def);

/* ---- Ropes, curves, strands and blocks ---- */

/* Lines from one point to another (m), in order; at least 1 segment, and two points that differ.
   Groups: "start", "end". */
SN_API sn_result sn_generate_rope(sn_mesh *mesh, sn_vec3 start, sn_vec3 end, uint32_t segments);

/*
 * A helix of lines about the y axis, from +x at the top, a right-handed screw where the pitch is
 * above 0: the coil of a spring, or of a telephone cord. Groups: "start" (top), "end".
 */
typedef struct sn_helix_def {
    size_t size;       /* set by sn_helix_def_default */
    sn_real radius;    /* m, of the vertices from the axis */
    sn_real pitch;     /* m, down by so much in a turn; 0: all in a plane, below 0: left-handed */
    sn_real turns;     /* 1, from 0.001 to 1e6, at most as many as segments */
    uint32_t segments; /* in all, at least 1 */
} sn_helix_def;

/* 0.05 m, 0.02 m a turn, 10 turns of 20 segments. */
SN_API sn_helix_def sn_helix_def_default(void);
SN_API sn_result sn_generate_helix(sn_mesh *mesh, const sn_helix_def *def);

/* A closed ring of lines in the xz plane, of this radius (m) and at least 3 segments, from +x
   towards -z. Group: "start", its first vertex. */
SN_API sn_result sn_generate_ring(sn_mesh *mesh, sn_real radius, uint32_t segments);

/* Lines along a smooth curve through points (m), at least 2, or 3 of a closed one: the spline of
   Catmull and Rom, with vertices at even steps along it, and so not at the points themselves but
   for the ends. Groups: "start", "end" where it is open. */
SN_API sn_result sn_generate_spline(sn_mesh *mesh, const sn_vec3 *points, size_t count, bool closed,
                                    uint32_t segments);

/*
 * Strands of hair or fur that grow on the triangles of a surface, which is read and not changed: a
 * chain of lines each, from the root, a point of the surface, to the tip, one strand after the
 * other. A strand begins along the normal, and at every vertex its direction d becomes that of
 * d + comb * length of a segment: it is combed, or hangs down. Where it would enter the surface it
 * lies on it. Groups: "roots", "stems" (the first two vertices of each) and "tips".
 */
typedef struct sn_strands_def {
    size_t size;         /* set by sn_strands_def_default */
    uint32_t count;      /* of strands, at least 1 */
    sn_real density;     /* 1/m^2, instead of a count; SN_AUTO: the count says */
    sn_real length;      /* m, of the longest */
    sn_real variation;   /* 1, from 0, below 1: strands are shorter by up to this part */
    uint32_t segments;   /* of a strand, at least 1 */
    sn_vec3 comb;        /* 1/m: over how short a length a strand turns in which direction */
    sn_real curl_radius; /* m, of the helix about its path, at least 0; 0: no curls */
    sn_real curl_pitch;  /* m, of the path for a turn of it */
    sn_real clearance;   /* m: how far a path stays from the surface, at least 0 */
    sn_vec3 direction;   /* 1: strands grow where the surface faces this way, ... */
    sn_real within;      /* rad, ... or at most this angle from it; above pi: everywhere */
    uint32_t seed;       /* of what is random: places, lengths, where curls begin */
    /* Factors for each vertex of the surface, from 0 and from 0.01 on; null: 1 everywhere. They are
       linear in between. How many strands there are follows from the density, and a count is shared
       in proportion. */
    const sn_real *density_map, *length_map;
} sn_strands_def;

/* 1000 strands of 0.18 to 0.2 m with 15 segments, straight, 2 mm clear, everywhere. */
SN_API sn_strands_def sn_strands_def_default(void);
SN_API sn_result sn_generate_strands(sn_mesh *mesh, const sn_mesh *surface,
                                     const sn_strands_def *def);

/* How the cubes of a block are cut into tetrahedra. */
typedef enum sn_block_pattern {
    SN_BLOCK_FIVE = 0, /* five each, mirrored from cube to cube: no preferred direction */
    SN_BLOCK_SIX = 1   /* six each about the same diagonal: all of the same volume */
} sn_block_pattern;

/*
 * A box filled with tetrahedra, and the triangles of its surface. Vertices are in layers from the
 * back, each row by row from the bottom, each from the left. Groups, each with its edges: "left"
 * (lowest x), "right", "bottom" (lowest y), "top", "back" (lowest z), "front".
 */
typedef struct sn_block_def {
    size_t size;              /* set by sn_block_def_default */
    sn_vec3 extent;           /* m, from side to side */
    uint32_t cells[3];        /* along x, y and z, at least 1 */
    sn_block_pattern pattern; /* of the tetrahedra */
} sn_block_def;

/* A cube of 1 m with 4 cells along each edge, five tetrahedra each. */
SN_API sn_block_def sn_block_def_default(void);
SN_API sn_result sn_generate_block(sn_mesh *mesh, const sn_block_def *def);

#ifdef __cplusplus
}
#endif

#endif
