/*
 * What is seen of a solid that was cut.
 *
 * Without an embedding, the surface of the tets as it is now. With one, the embedded surface comes
 * apart as the tets do: every vertex follows the tet that it lies in; a triangle that spans a cut
 * belongs to the side on which most of its corners are, and the others get copies that are carried
 * by the nearest tet of that side. The inside is then closed by the faces of tets that are open.
 * Where tets were divided, a vertex follows the part of its tet that it lies in.
 */
#ifndef SN_IO_SCENE_SCENE_SPLIT_H
#define SN_IO_SCENE_SCENE_SPLIT_H

#include "io/scene/scene_state.h"

#include "io/scene/point.h"

typedef struct scene_split {
    size_t node_count, tet_count; /* of the bulk */
    uint32_t (*tets)[4];          /* nodes of the bulk */
    uint32_t (*beyond)[4]; /* per tet and corner, the tet across the face without it, or NONE */
    uint32_t (*before)[4]; /* the same before it was cut */
    /* Of tets that were divided: which tet of the mesh they are a part of, the next part of the
       same one + 1, the nodes at rest (m), and whom they are copies of; of every vertex of the skin
       its tet, its weights there and its place at rest (m). Null before. */
    uint32_t *parent, *next, *origin;
    sn_vec3 *rest;
    uint32_t *carrier;
    sn_real (*carried)[4];
    sn_io_point *at;
    /* What is seen: vertices, each carried by four nodes, and triangles. */
    uint32_t (*vertices)[4];
    sn_real (*weights)[4];
    size_t vertex_count;
    uint32_t (*triangles)[3];
    size_t triangle_count;
    /* Scratch of walks from tet to tet, and of who is a vertex already. */
    uint32_t *queue, *depth, *number;
    size_t most_tets, most_vertices, most_triangles, most_nodes;
} scene_split;

/* Makes it for a body that has tets, or brings it up to date; *split may be null before. What it
   holds belongs to the scene. */
sn_result sn_scene_split_update(sn_scene *s, const scene_body *body, scene_split **split);

#endif
