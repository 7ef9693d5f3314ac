/*
 * Volumes from surfaces: signed distances on a grid, tetrahedra that fill a closed surface, and
 * surfaces that follow tetrahedra.
 *
 * A surface must be closed, with its triangles facing outward, and should not cut itself;
 * sn_mesh_check says what is wrong with one that is refused, sn_mesh_weld and sn_mesh_clean mend
 * much of it. Results have the same bits on every machine. Memory comes from the allocator of the
 * mesh that a call begins with.
 */
#ifndef SINEW_VOLUME_H
#define SINEW_VOLUME_H

#include <sinew/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Signed distances ---- */

/* How the grid of a distance field is laid out. */
typedef struct sn_sdf_def {
    size_t size;     /* set by sn_sdf_def_default */
    sn_real spacing; /* m, between points; SN_AUTO: 1/32 of the longest side of the bounds */
    sn_real margin;  /* m, beyond the bounds of the surface; SN_AUTO: twice the spacing */
} sn_sdf_def;

/* Everything is SN_AUTO. */
SN_API sn_sdf_def sn_sdf_def_default(void);

/* Distances from a surface at the points of a regular grid, negative inside. */
typedef struct sn_sdf sn_sdf;

/*
 * Computes the distances at all points of the grid, exact but for rounding; at most 2^27 of them.
 * The field does not need the mesh later. Refuses surfaces that are not closed
 * (SN_ERROR_DEGENERATE).
 */
SN_API sn_result sn_sdf_create(const sn_mesh *mesh, const sn_sdf_def *def, sn_sdf **field);

/* Null is allowed. */
SN_API void sn_sdf_free(sn_sdf *field);

/* What a field consists of. */
typedef struct sn_sdf_view {
    sn_vec3 low, high;     /* m, the first and the last point of the grid */
    sn_real spacing;       /* m */
    uint32_t points[3];    /* along x, y and z */
    const sn_real *values; /* m, x fastest, then y; belong to the field */
} sn_sdf_view;

/* Shows a field. */
SN_API sn_result sn_sdf_get(const sn_sdf *field, sn_sdf_view *view);

/*
 * The distance at a point (m), by trilinear interpolation; outside the grid that at the nearest
 * point of it and the way there. `gradient` is its derivative (1), about the direction away from
 * the surface, and may be null.
 */
SN_API sn_result sn_sdf_sample(const sn_sdf *field, sn_vec3 position, sn_real *distance,
                               sn_vec3 *gradient);

/* ---- Filling with tetrahedra ---- */

/* What the tetrahedra do at the surface. */
typedef enum sn_fill_kind {
    SN_FILL_LATTICE = 0,    /* cover the inside, and stick out; all of the same good shape. For
                               surfaces that follow by an embedding */
    SN_FILL_CONFORMING = 1, /* end at the surface, by isosurface stuffing (Labelle and Shewchuk
                               2007): dihedral angles are between 10 and 165 degrees for every
                               surface. What is thinner than the spacing is lost, and sharp edges
                               are cut */
    SN_FILL_CUBES = 2, /* cover the inside by cubes of six tetrahedra each, and stick out: vertices
                          are points of a regular lattice, on which sn_regions_cubes and fast sums
                          over regions work */
    SN_FILL_FITTED = 3 /* end at the surface on average: as conforming, with their outer faces
                          outside as much as inside where it bends. For surfaces that follow by an
                          embedding: what they touch is then where they are seen. Where something is
                          thinner than the spacing, the lattice covers all of it */
} sn_fill_kind;

/* How wide cubes may be at a place, in m: where cubes are joined, none is wider than this says
   anywhere in it. Below twice the spacing it leaves cubes as they are. It is called for the middles
   of the smallest cubes, in any order. */
typedef sn_real sn_fill_width(void *user, sn_vec3 place);

/* How a surface is filled. */
typedef struct sn_fill_def {
    size_t size;       /* set by sn_fill_def_default */
    sn_fill_kind kind; /* what happens at the surface */
    sn_real spacing;   /* m, the edge of the cubes of the lattice; SN_AUTO: 1/20 of the longest side
                          of the bounds */
    uint32_t levels;   /* 1, of cubes: how many times they are joined, eight to one, where they are
                          deep inside; leaves that touch differ by one level. At most 6 */
    sn_real grading;   /* 1, of levels: how many of its own widths a leaf lies below the surface at
                          least, from 0, which is as soon as it is inside */
    sn_fill_width
        *width; /* of levels: how wide leaves may be, such as narrow where much is going to
                             happen, or has; null: as wide as the surface allows */
    void *user; /* what `width` gets */
} sn_fill_def;

/* A lattice, with the spacing SN_AUTO, all of the same size. */
SN_API sn_fill_def sn_fill_def_default(void);

/*
 * Fills `tets`, which must be empty, with tetrahedra of a body-centred cubic lattice about the
 * inside of the surface, and with the triangles of their own surface, outward. At most 2^24 cubes.
 */
SN_API sn_result sn_mesh_fill(const sn_mesh *surface, const sn_fill_def *def, sn_mesh *tets);

/*
 * Fills `points`, which must be empty, with vertices alone: those points of a cubic lattice of this
 * spacing (m, above 0) that are inside the surface, at least so deep (m, from 0), layer by layer.
 * For particles, and for emitters.
 */
SN_API sn_result sn_mesh_fill_points(const sn_mesh *surface, sn_real spacing, sn_real depth,
                                     sn_mesh *points);

/* How good tetrahedra are. */
typedef struct sn_tet_quality {
    double lowest_angle;  /* rad, the smallest angle between two faces; of a regular one 1.231 */
    double highest_angle; /* rad, the largest */
    double lowest_ratio;  /* 1, the least mean ratio, 12 (3 V)^(2/3) / sum l^2; at most 1 */
    double mean_ratio;    /* 1, the average of it: 0.952 for a body-centred cubic lattice */
} sn_tet_quality;

/* Measures all tets; refuses a mesh without any. The ratio of one without volume or inside out is
   0. */
SN_API sn_result sn_mesh_quality(const sn_mesh *mesh, sn_tet_quality *quality);

/* ---- Embedding ---- */

/*
 * Where points are in tetrahedra. Made by sn_embedding_default, filled by sn_embed, freed by
 * sn_embedding_free.
 */
typedef struct sn_embedding {
    size_t size;             /* set by sn_embedding_default */
    size_t count;            /* of points */
    uint32_t *tets;          /* the tetrahedron of each */
    uint32_t (*vertices)[4]; /* its vertices */
    sn_real (*weights)[4];   /* 1, their shares, which add up to 1; negative for points outside */
    sn_allocator allocator;  /* where the arrays come from */
} sn_embedding;

/* An empty one, whose arrays come from the C library. */
SN_API sn_embedding sn_embedding_default(void);

/* Frees what it holds and leaves it empty. Null is allowed. */
SN_API void sn_embedding_free(sn_embedding *embedding);

/* Finds each vertex of a mesh in the tetrahedra of another: the one it is in, or the nearest.
   `embedding` must be empty. Refuses tets without volume. */
SN_API sn_result sn_embed(const sn_mesh *surface, const sn_mesh *tets, sn_embedding *embedding);

/* Divides each side of the triangles of a mesh into `divisions` parts (1 to 32), and each triangle
   into as many squared, of its shape. `fine` must be empty; its first vertices are those of the
   mesh, in their order. `embedding` (empty; may be null) says where they lie: `tets` has a triangle
   of the mesh (UINT32_MAX where a vertex is in none), its corners come first, and the fourth share
   is 0. Tets, lines and groups are left out. */
SN_API sn_result sn_mesh_divide(const sn_mesh *mesh, uint32_t divisions, sn_mesh *fine,
                                sn_embedding *embedding);

/* Puts a vertex into the middle of every edge of the tets of a mesh, as solids of the model
   `quadratic` want it. Of every tet eight are made, one after the other: those at its corners, with
   the corner in the place it had, and four between them; of every triangle, whose sides must be
   edges of tets, four. `fine` must be empty; its first vertices are those of the mesh, in their
   order, and a middle is in the groups that both of its ends are in. Lines are left out. */
SN_API sn_result sn_mesh_add_midpoints(const sn_mesh *mesh, sn_mesh *fine);

/* Where the points are (m) when the vertices of the tetrahedra are at `positions` (m), of which
   there are as many as the mesh had. `points` has room for all of them. */
SN_API sn_result sn_embedding_apply(const sn_embedding *embedding, const sn_vec3 *positions,
                                    sn_vec3 *points);

#ifdef __cplusplus
}
#endif

#endif
