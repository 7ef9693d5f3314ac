/*
 * Strands that are seen and not simulated: children of the guides that a body has, which are chains
 * of lines. A child is rooted between three guides by barycentric weights w_k, and goes from there
 * as they do: at each vertex, with the guide of the largest weight as number 0,
 *
 *     x = x_0 + (1 - clump t) sum_k w_k (r_k + s_k (x_k - x_0 - r_k))
 *
 * with t from 0 at the root to 1 at the tip, r_k from the root of guide 0 to that of guide k, and
 * s_k = 1: without a clump the weighted sum of the guides.
 * Where guide k is farther from guide 0 than `parting` times the largest distance at rest, s_k goes
 * to 0, which it has from twice as far, and stays as low towards the tip: the child then keeps to
 * its own guide, and a parting opens.
 */
#ifndef SN_IO_SCENE_SCENE_CHILDREN_H
#define SN_IO_SCENE_SCENE_CHILDREN_H

#include "io/scene/scene_chains.h"

typedef struct scene_child {
    uint32_t guide[3];
    double weight[2], reach[2]; /* of guides 1 and 2; m, how far they are from guide 0 at rest */
} scene_child;

typedef struct scene_children {
    scene_chains guides;
    double clump, parting;
    size_t count;
    scene_child *items;
    size_t vertex_count;  /* of all children */
    size_t line_count;    /* of the mesh and then of all children */
    uint32_t (*lines)[2]; /* the vertices of children come after those of the mesh */
} scene_children;

/* Values of the nodes of a body, with room for those of the children behind them. */
typedef struct scene_grown {
    sn_vec3 *positions, *velocities;
    sn_real *strain, *radii;
    size_t node_count;
} scene_grown;

/* Reads what a body says of its children; *made is null where there are none. The scale is that of
   the mesh. */
sn_result sn_scene_make_children(sn_scene *s, const json_node *node, const scene_mesh *mesh,
                                 double scale, const scene_children **made);

/* Where they are when the guides are there; widths and strain are those of their own guide. */
void sn_scene_place_children(const scene_children *c, const scene_grown *to);

#endif
