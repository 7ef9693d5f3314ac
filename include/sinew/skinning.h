/*
 * Skinning: visible meshes that follow oriented particles or tetrahedra, and ellipsoids that fit
 * what is visible (survey of position based methods, section 5.11.4).
 *
 * Linear blend skinning: every vertex follows a few particles, each of which would carry it along
 * as a rigid body does, and goes to the weighted mean of where they would bring it. Particles that
 * turn by very different amounts pinch what is between them, as this method does everywhere.
 *
 * With tetrahedra every vertex follows the four corners of the one it lies in, and each corner
 * brings its deformation gradient, the mean over the tets around it. Deformations that are the same
 * everywhere are followed exactly, as by an embedding (sinew/volume.h); what bends, without most of
 * the creases that an embedding has where tets meet.
 *
 * Results have the same bits on every machine.
 */
#ifndef SINEW_SKINNING_H
#define SINEW_SKINNING_H

#include <sinew/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most particles that a vertex can follow. */
enum { SN_BLEND_MOST = 8 };

/*
 * How a visible mesh follows. Made by sn_blend_default, filled by sn_blend_bind or
 * sn_blend_bind_tets, freed by sn_blend_free. Lists of animation targets have `most` entries per
 * vertex.
 */
typedef struct sn_blend {
    size_t size;            /* set by sn_blend_default */
    size_t count;           /* of vertices */
    size_t most;            /* particles per vertex, 1 to SN_BLEND_MOST; 4 of tets */
    uint32_t *particles;    /* whom each vertex follows, the nearest first; corners of tets */
    sn_real *weights;       /* 1, their shares, which add up to 1 */
    sn_vec3 *vertices;      /* m, of the visible mesh at rest */
    sn_vec3 *normals;       /* of unit length, at rest; zero where a vertex has no triangle */
    size_t particle_count;  /* of particles, or of vertices of the tets */
    sn_vec3 *rest;          /* m, of the particles */
    sn_quat *orientations;  /* of the particles at rest; null for tets */
    size_t tet_count;       /* 0 for particles */
    uint32_t (*tets)[4];    /* corners */
    sn_allocator allocator; /* where the arrays come from */
} sn_blend;

/* An empty one, whose arrays come from the C library. */
SN_API sn_blend sn_blend_default(void);

/* Frees what it holds and leaves it empty. Null is allowed. */
SN_API void sn_blend_free(sn_blend *blend);

/*
 * Lets each vertex of a mesh follow the `most` particles that are nearest to it at rest, or all
 * where there are fewer. Weights are (1 - d^2/D^2)^2, with d the distance to the particle and D
 * that to the next one beyond, so that they change smoothly from vertex to vertex. `positions` (m)
 * and `orientations` (made unit; null: none is turned) are those of `count` particles at rest.
 * `blend` must be empty. The time is that of looking at every particle for every vertex.
 */
SN_API sn_result sn_blend_bind(const sn_mesh *surface, const sn_vec3 *positions,
                               const sn_quat *orientations, size_t count, size_t most,
                               sn_blend *blend);

/* Lets each vertex of a mesh follow the corners of the tetrahedron it is in, or of the nearest.
   `blend` must be empty. Refuses tets without volume. */
SN_API sn_result sn_blend_bind_tets(const sn_mesh *surface, const sn_mesh *tets, sn_blend *blend);

/*
 * Where the vertices are (m), and their normals (of unit length; may be null), when the particles
 * are at `positions` (m) and `orientations`, as many as there were. `points` and `normals` have
 * room for all vertices.
 */
SN_API sn_result sn_blend_apply(const sn_blend *blend, const sn_vec3 *positions,
                                const sn_quat *orientations, sn_vec3 *points, sn_vec3 *normals);

/* The same where particles have become larger or smaller along their axes, by the factors `scales`,
   above 0 (null: by none): rods that keep their volume (sn_rod_frames). */
SN_API sn_result sn_blend_apply_scaled(const sn_blend *blend, const sn_vec3 *positions,
                                       const sn_quat *orientations, const sn_vec3 *scales,
                                       sn_vec3 *points, sn_vec3 *normals);

/* The same for tets, with the positions of their vertices (m). Takes memory for the deformation
   gradients from the allocator of the blend, and gives it back. */
SN_API sn_result sn_blend_apply_tets(const sn_blend *blend, const sn_vec3 *positions,
                                     sn_vec3 *points, sn_vec3 *normals);

/*
 * Ellipsoids about particles that fit a visible mesh: each vertex belongs to the particle that is
 * nearest, and the axes are the principal ones of those of a particle, about it. Half axes are
 * those of the ellipsoid whose surface has the same mean squares; none is below a quarter of the
 * largest. A particle that has fewer than four vertices gets a ball of `radius` (m, above 0).
 * `orientations` and `radii` (m) have room for `count` of them.
 */
SN_API sn_result sn_fit_ellipsoids(const sn_mesh *surface, const sn_vec3 *positions, size_t count,
                                   sn_real radius, sn_quat *orientations, sn_vec3 *radii);

#ifdef __cplusplus
}
#endif

#endif
