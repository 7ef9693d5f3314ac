/*
 * Wrinkle meshes: fine wrinkles on a coarse cloth, without its cost (Mueller and Chentanez 2010,
 * "Wrinkle Meshes"; survey of position based methods, section 7.2).
 *
 * Motion and collisions are those of the coarse triangles, which are simulated as ever. A finer
 * mesh of the same shape is attached to them: its vertices stay within a distance of where they lie
 * on the coarse one, and keep the lengths and the bending that they have at rest. Where the coarse
 * mesh is shorter than at rest, the finer one has no room and folds. Wrinkles do not swing: a few
 * iterations without masses, once a step and from where they ended in the step before, are enough.
 * Nothing that is simulated depends on it: it is what is seen.
 */
#ifndef SINEW_WRINKLE_MESH_H
#define SINEW_WRINKLE_MESH_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a wrinkle mesh, made like that of a node. */
typedef struct sn_wrinkle_mesh {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_wrinkle_mesh;

/*
 * A wrinkle mesh on triangles of nodes of any bodies: every triangle is divided into `divisions`^2
 * ones, as sn_mesh_divide does. Every node must be in a triangle. At rest it lies on the coarse
 * triangles; where these are flat and not compressed it stays there.
 *
 * With `one_sided` no vertex is behind the coarse mesh, seen along its normals: what that does not
 * penetrate, the wrinkles do not. `stretch` and `bending` are the part of an error that a
 * projection corrects. A larger radius gives larger wrinkles; more than a part of an edge of the
 * coarse mesh does not look like cloth.
 */
#define SN_WRINKLE_MESH_FIELDS(FIELD, ARRAY)                                                       \
    ARRAY(NODES, nodes, node_count, "", false, "of the coarse mesh, each of them once")            \
    FIELD(COUNT, node_count, "1", 3, SN_COUNT_MAX, 0, false, "how many nodes")                     \
    ARRAY(TRIANGLES, triangles, triangle_count, "", false, "of indices into nodes")                \
    FIELD(COUNT, triangle_count, "1", 1, SN_COUNT_MAX, 0, false, "how many triangles")             \
    ARRAY(VEC3S, rest, node_count, "m", true,                                                      \
          "where each node is at rest; null: where they are now")                                  \
    FIELD(INT, divisions, "1", 1, 32, 4, false, "parts that each side of a triangle has")          \
    FIELD(REAL, radius, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                        \
          "how far vertices may be from where they lie on the coarse mesh; automatic: a quarter "  \
          "of the mean side of its triangles at rest")                                             \
    FIELD(BOOL, one_sided, "", 0, 1, 0, false,                                                     \
          "whether vertices stay in front of the coarse mesh, where its normals point")            \
    FIELD(INT, iterations, "1", 1, 1000, 6, false, "in each step")                                 \
    FIELD(REAL, stretch, "1", 0, 1, 1, false,                                                      \
          "the part of what a side of a fine triangle is too long or too short by that an "        \
          "iteration corrects")                                                                    \
    FIELD(REAL, bending, "1", 0, 1, 0.2, false,                                                    \
          "the same of the distance between the outer corners of two triangles with a common "     \
          "side; more makes wrinkles wider")

/* sn_wrinkle_mesh_def and its default. */
SN_DECLARE_OBJECT(wrinkle_mesh, SN_WRINKLE_MESH_FIELDS)

/* Makes a wrinkle mesh. */
SN_API sn_result sn_wrinkle_mesh_create(sn_world *world, const sn_wrinkle_mesh_def *def,
                                        sn_wrinkle_mesh *wrinkle_mesh);

/* Removes a wrinkle mesh; its nodes stay. It also goes with the first of its nodes that is
   destroyed, or that tearing splits; a cut through them is refused. */
SN_API sn_result sn_wrinkle_mesh_destroy(sn_world *world, sn_wrinkle_mesh wrinkle_mesh);

/* Whether the id names a living wrinkle mesh of this world. */
SN_API bool sn_wrinkle_mesh_is_valid(const sn_world *world, sn_wrinkle_mesh wrinkle_mesh);

/* Takes over everything but the lists, which are not looked at, and the divisions. */
SN_API sn_result sn_wrinkle_mesh_set(sn_world *world, sn_wrinkle_mesh wrinkle_mesh,
                                     const sn_wrinkle_mesh_def *def);

/* The wrinkle mesh as a definition. Its lists are valid until the next call that is not const. */
SN_API sn_result sn_wrinkle_mesh_get(const sn_world *world, sn_wrinkle_mesh wrinkle_mesh,
                                     sn_wrinkle_mesh_def *def);

/* Where its vertices were when the last step ended (m), in the order of sn_mesh_divide: at most
   `capacity` of them. *count is how many there are; positions may be null with a capacity of 0. */
SN_API sn_result sn_wrinkle_mesh_get_positions(const sn_world *world, sn_wrinkle_mesh wrinkle_mesh,
                                               sn_vec3 *positions, size_t capacity, size_t *count);

/* Its triangles, three indices of vertices each: at most `capacity` triangles. *count is how many
   there are; triangles may be null with a capacity of 0. */
SN_API sn_result sn_wrinkle_mesh_get_triangles(const sn_world *world, sn_wrinkle_mesh wrinkle_mesh,
                                               uint32_t *triangles, size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
