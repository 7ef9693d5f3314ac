/*
 * Air meshes: collisions by the air between bodies (Mueller, Chentanez, Kim and Macklin 2015, "Air
 * Meshes for Robust Collision Handling"; survey of position based methods, section 5.5.4).
 *
 * The space between bodies and around them is divided into tetrahedra, or into triangles in a world
 * with two dimensions, whose corners are the nodes of the bodies. While none of these is turned
 * over, no body is in another:
 *
 *   C = (x1 - x0) . ((x2 - x0) x (x3 - x0)) / 6 >= 0,    C = (x1 - x0) x (x2 - x0) / 2 >= 0
 *
 * Elements of some volume do nothing. The mesh has a memory: whatever happens to the bodies, if
 * they lie flat or in each other, it says on which side of each other they belong, and they come
 * back there. Where bodies pass along each other elements would turn over though nothing touches:
 * edges are flipped where that makes the elements better.
 */
#ifndef SINEW_AIR_MESH_H
#define SINEW_AIR_MESH_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of an air mesh, made like that of a node. */
typedef struct sn_air_mesh {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_air_mesh;

/*
 * An air mesh on nodes of any bodies, which is the Delaunay one of their places at rest. It reaches
 * beyond them, to the corners of a square or cube around all of them, four times as large as the
 * box around them, which follows them.
 *
 * `triangles` are those of cloth, or of the surfaces of solids: no element crosses them, and none
 * is inside of what they enclose. In a world with two dimensions they are what the bodies consist
 * of, the sides that belong to one of them are the outlines, and `edges` are lines beside these.
 * Without a plane edges mean nothing. In the plane everything fits the outlines; in space Delaunay
 * tets that cross a triangle are left out, so that triangles should be no larger than the gaps
 * between the bodies are wide.
 *
 * With `inside`, what is inside of the bodies does not turn over either, which matters where they
 * consist of triangles in a plane: these are elements then.
 */
#define SN_AIR_MESH_FIELDS(FIELD, ARRAY)                                                           \
    ARRAY(NODES, nodes, node_count, "", false, "of the bodies, each of them once")                 \
    FIELD(COUNT, node_count, "1", 1, SN_COUNT_MAX, 0, false, "how many nodes")                     \
    ARRAY(TRIANGLES, triangles, triangle_count, "", false, "of the bodies, of indices into nodes") \
    FIELD(COUNT, triangle_count, "1", 0, SN_COUNT_MAX, 0, false, "how many triangles")             \
    ARRAY(EDGES, edges, edge_count, "", false, "lines that nothing crosses in a plane")            \
    FIELD(COUNT, edge_count, "1", 0, SN_COUNT_MAX, 0, false, "how many edges")                     \
    ARRAY(VEC3S, rest, node_count, "m", true,                                                      \
          "where the nodes are while the air is divided, none in another body; null: where they "  \
          "are now")                                                                               \
    FIELD(BOOL, inside, "", 0, 1, 0, false, "whether bodies do not turn over themselves either")   \
    FIELD(INT, flips, "1", 0, 100, 2, false,                                                       \
          "how often elements are gone over when a step begins, to flip edges of bad ones; 0: "    \
          "they stay what they are")                                                               \
    FIELD(INT, sweeps, "1", 1, 100, 4, false,                                                      \
          "over elements that are turned over, in every iteration")                                \
    FIELD(REAL, recovery_speed, "m/s", 0, SN_REAL_MAX, 1, false,                                   \
          "how fast what is in each other when a substep begins comes out, at most")

/* sn_air_mesh_def and its default. */
SN_DECLARE_OBJECT(air_mesh, SN_AIR_MESH_FIELDS)

/* Makes an air mesh; of triangles in a world with two dimensions, of tetrahedra in others. */
SN_API sn_result sn_air_mesh_create(sn_world *world, const sn_air_mesh_def *def,
                                    sn_air_mesh *air_mesh);

/* Removes an air mesh; its nodes stay. It also goes with the first of its nodes that is destroyed,
   or that tearing splits; a cut through them is refused. */
SN_API sn_result sn_air_mesh_destroy(sn_world *world, sn_air_mesh air_mesh);

/* Whether the id names a living air mesh of this world. */
SN_API bool sn_air_mesh_is_valid(const sn_world *world, sn_air_mesh air_mesh);

/* Takes over everything but the lists and `inside`, which are not looked at. */
SN_API sn_result sn_air_mesh_set(sn_world *world, sn_air_mesh air_mesh, const sn_air_mesh_def *def);

/* The air mesh as a definition, without its places at rest, which are not kept. Its lists are valid
   until the next call that is not const. */
SN_API sn_result sn_air_mesh_get(const sn_world *world, sn_air_mesh air_mesh, sn_air_mesh_def *def);

/* What an air mesh consists of now. The quality of an element is its signed area or volume over
   that of a regular one with the same mean square of edges: 1 at best, negative where it is turned
   over. */
typedef struct sn_air_mesh_state {
    size_t elements; /* triangles or tetrahedra */
    size_t inverted; /* those whose quality is below -0.001, which is no rounding */
    int corners;     /* of an element: 3 or 4 */
    sn_real least;   /* 1, the least quality of any */
} sn_air_mesh_state;
SN_API sn_result sn_air_mesh_get_state(const sn_world *world, sn_air_mesh air_mesh,
                                       sn_air_mesh_state *state);

/* Its elements, three or four indices each, of nodes in the order of its list, or from their number
   on of the corners around all: at most `capacity` elements. *count is how many there are; elements
   may be null with a capacity of 0. */
SN_API sn_result sn_air_mesh_get_elements(const sn_world *world, sn_air_mesh air_mesh,
                                          uint32_t *elements, size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
