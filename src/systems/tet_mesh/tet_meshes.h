/*
 * Tet meshes: the tets of solids, for what acts on the material as a whole.
 *
 * As a sheet (sheets.h) is for triangles: a list of nodes, in the order of the vertices that they
 * were made from, and tets that are indices into it. New nodes come at the end of the list. Faces
 * between two tets that were cut are remembered from then on, because their nodes may still be held
 * together by what is around.
 */
#ifndef SN_SYSTEMS_TET_MESH_TET_MESHES_H
#define SN_SYSTEMS_TET_MESH_TET_MESHES_H

#include "base/archive.h"
#include "state/object.h"
#include "state/world.h"

#include <sinew/tet_mesh.h>

typedef struct sn_tet_mesh_state {
    sn_tet_mesh_def def; /* its arrays are null, its counts those of the lists here */
    uint32_t *node;      /* slots */
    sn_vec4 *rest;       /* m, of every node, where it was when the tet mesh was made */
    uint32_t *origin; /* of every node, the vertex that it is a copy of, over any number of copies;
                         of others their own */
    size_t capacity;  /* of these three */
    size_t copies;    /* how many nodes are copies */
    uint32_t *tet;    /* four indices into the list of nodes each */
    uint8_t *open;    /* per tet, a bit for each face that was cut: bit k, that without corner k */
    uint32_t *parent; /* of every tet, which one of those at first it is, or is a part of */
    size_t tet_capacity; /* of these three */
    uint32_t changes;    /* counts whenever nodes or tets come or go */
} sn_tet_mesh_state;

typedef struct sn_tet_meshes {
    sn_slots slots;
    sn_tet_mesh_state *state;
    size_t capacity;
    /* Of every node: its tet mesh + 1 or 0, and its index in the list there. */
    uint32_t *of_node;
    uint32_t *place;
    size_t node_capacity;
} sn_tet_meshes;

/* The corners of the face without corner k, outward in a tet with a volume above 0. */
extern const uint8_t sn_tet_face[4][3];

/* Room for one more tet mesh and for nodes up to `slots`; false when there is no memory. */
bool sn_tet_meshes_reserve(sn_tet_meshes *tet_meshes, sn_memory *memory, size_t slots);
/* Room for so many nodes and tets in one. */
bool sn_tet_mesh_state_reserve(sn_tet_mesh_state *state, sn_memory *memory, size_t nodes,
                               size_t tets);
void sn_tet_mesh_state_free(sn_tet_mesh_state *state, sn_memory *memory);
/* Its tet mesh + 1, or 0. Nodes may have come since there was room for them here. */
static inline uint32_t sn_tet_meshes_at(const sn_tet_meshes *tet_meshes, uint32_t node) {
    return node < tet_meshes->node_capacity ? tet_meshes->of_node[node] : 0;
}
/* Puts a node at the end of the list of a tet mesh, for which there is room; its index there. */
uint32_t sn_tet_meshes_add_node(sn_tet_meshes *tet_meshes, uint32_t tet_mesh, uint32_t node,
                                sn_vec4 rest);
/* The same for a copy of one that is in the list. */
uint32_t sn_tet_meshes_add_copy(sn_tet_meshes *tet_meshes, uint32_t tet_mesh, uint32_t node,
                                uint32_t vertex);
void sn_tet_meshes_remove(sn_tet_meshes *tet_meshes, sn_memory *memory, uint32_t index);
void sn_tet_meshes_free(sn_tet_meshes *tet_meshes, sn_memory *memory);

/* Takes the nodes whose `alive` is this, and the tets that need them, out of all tet meshes. */
void sn_tet_meshes_forget(sn_tet_meshes *tet_meshes, sn_memory *memory, const uint8_t *alive,
                          uint8_t doomed);

/* ---- Looking at one ---- */

/*
 * The faces that only one tet has, three indices into the list of nodes each, in the order of tets
 * and of their corners; writes the first `capacity` of them. *count becomes the number of all.
 * False when there is no memory.
 */
bool sn_tet_mesh_surface(const sn_tet_mesh_state *state, sn_memory *memory, uint32_t *triangles,
                         size_t capacity, size_t *count);
/* How many parts share no node; false when there is no memory. */
bool sn_tet_mesh_parts(const sn_tet_mesh_state *state, sn_memory *memory, size_t *count);

static inline sn_tet_meshes *sn_tet_meshes_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_TET_MESH];
}

extern const sn_object sn_tet_mesh_object;

/* serialize_tet_meshes.c: the part of a snapshot, which worlds that never had one have not. */
void sn_world_serialize_tet_meshes(sn_world *world, sn_archive *a);

#endif
