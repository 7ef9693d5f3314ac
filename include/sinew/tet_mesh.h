/*
 * Tet meshes: the tetrahedra of a solid, kept by the world.
 *
 * A tet mesh knows which nodes its tets have and where these were when it was made. Constraints and
 * collision surfaces do not need it; it is for what acts on the material as a whole: cutting
 * (sinew/cut.h) and fracture. Solids are built with one (sn_build), and one can be made of any
 * nodes.
 *
 * Fracture: when the substeps of a step are over, the stress at every node is taken from the forces
 * of the constraints within the tets around it, whatever their types. Where its largest principal
 * value is above fracture_stress, the tets there come apart across its direction. It is the nominal
 * stress, force over the area at rest, as a tensile test tells it: a bar breaks at a load of
 * fracture_stress times its cross section, however far it has been stretched by then. The worst
 * nodes come first, none beside another, and the order does not depend on threads. What was split
 * is told by sn_world_tears.
 */
#ifndef SINEW_TET_MESH_H
#define SINEW_TET_MESH_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a tet mesh, made like that of a node. */
typedef struct sn_tet_mesh {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_tet_mesh;

/* A tet mesh. */
#define SN_TET_MESH_FIELDS(FIELD, ARRAY)                                                           \
    ARRAY(NODES, nodes, node_count, "", false, "each at most in one tet mesh")                     \
    FIELD(COUNT, node_count, "1", 4, SN_COUNT_MAX, 0, false, "how many nodes")                     \
    ARRAY(TETS, tets, tet_count, "", false,                                                        \
          "of indices into nodes, with a volume above 0 where they are")                           \
    FIELD(COUNT, tet_count, "1", 1, SN_COUNT_MAX, 0, false, "how many tets")                       \
    FIELD(REAL, fracture_stress, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                              \
          "tension per area at rest above which it comes apart; automatic: never")

/* sn_tet_mesh_def and its default. */
SN_DECLARE_OBJECT(tet_mesh, SN_TET_MESH_FIELDS)

/* Makes a tet mesh. The places of the nodes now are those at rest. */
SN_API sn_result sn_tet_mesh_create(sn_world *world, const sn_tet_mesh_def *def,
                                    sn_tet_mesh *tet_mesh);
/* Removes the tet mesh; its nodes stay. A tet mesh also goes with the last of its nodes, and a tet
   with the first of its own. */
SN_API sn_result sn_tet_mesh_destroy(sn_world *world, sn_tet_mesh tet_mesh);
/* Whether the id names a living tet mesh of this world. */
SN_API bool sn_tet_mesh_is_valid(const sn_world *world, sn_tet_mesh tet_mesh);

/* The tet mesh as a definition, without its nodes and tets: those are null and their counts say how
   many there are. */
SN_API sn_result sn_tet_mesh_get(const sn_world *world, sn_tet_mesh tet_mesh, sn_tet_mesh_def *def);
/* Takes over everything but nodes and tets, which are not looked at. */
SN_API sn_result sn_tet_mesh_set(sn_world *world, sn_tet_mesh tet_mesh, const sn_tet_mesh_def *def);

/* The first `capacity` of its nodes, in the order of the definition, copies after them; `count`
   becomes the number of all. With the capacity 0 nodes may be null. */
SN_API sn_result sn_tet_mesh_get_nodes(const sn_world *world, sn_tet_mesh tet_mesh, sn_node *nodes,
                                       size_t capacity, size_t *count);
/* The first `capacity` of its tets, four indices into those nodes each, in the order of the
   definition, those that cuts have added after them; `count` becomes the number of all. With the
   capacity 0 tets may be null. */
SN_API sn_result sn_tet_mesh_get_tets(const sn_world *world, sn_tet_mesh tet_mesh, uint32_t *tets,
                                      size_t capacity, size_t *count);
/* The first `capacity` triangles of its surface as it is now, outward, three indices into those
   nodes each; `count` becomes the number of all. With the capacity 0 triangles may be null. */
SN_API sn_result sn_tet_mesh_get_surface(const sn_world *world, sn_tet_mesh tet_mesh,
                                         uint32_t *triangles, size_t capacity, size_t *count);
/* Where the first `capacity` of its nodes are at rest (m); `count` becomes the number of all. With
   the capacity 0 positions may be null. */
SN_API sn_result sn_tet_mesh_get_rest(const sn_world *world, sn_tet_mesh tet_mesh,
                                      sn_vec3 *positions, size_t capacity, size_t *count);
/* Which tet of the definition each of the first `capacity` tets is, or was divided from by a cut;
   `count` becomes the number of all. With the capacity 0 parents may be null. */
SN_API sn_result sn_tet_mesh_get_parents(const sn_world *world, sn_tet_mesh tet_mesh,
                                         uint32_t *parents, size_t capacity, size_t *count);
/* Which of its nodes each of the first `capacity` nodes is a copy of, as an index into their list:
   its own where it is none; `count` becomes the number of all. With the capacity 0 origins may be
   null. */
SN_API sn_result sn_tet_mesh_get_origins(const sn_world *world, sn_tet_mesh tet_mesh,
                                         uint32_t *origins, size_t capacity, size_t *count);
/* How many parts it consists of that share no node. */
SN_API sn_result sn_tet_mesh_count_parts(const sn_world *world, sn_tet_mesh tet_mesh,
                                         size_t *count);

/* The id of the tet mesh in a slot, from 0; SN_ERROR_ID for a slot that is empty. */
SN_API sn_result sn_world_tet_mesh_at(const sn_world *world, size_t slot, sn_tet_mesh *tet_mesh);

#ifdef __cplusplus
}
#endif

#endif
