/* A node of a tet mesh or a sheet that is moved onto the surface of a cut, and what is about it. */
#ifndef SN_FRACTURE_CUT_SNAP_H
#define SN_FRACTURE_CUT_SNAP_H

#include "fracture/cut_vertex.h"

typedef struct sn_cut_move {
    sn_cut *cut; /* has the corners of the vertex, and lists its constraints */
    sn_world *world;
    sn_vec4 *rest; /* m, of the vertices */
    sn_cut_mesh mesh;
    const sn_blade *blade;
    sn_point normal, point; /* of the blade; m */
    double reach;           /* 1, over edges */
    uint32_t vertex, node;
    sn_point displacement, rest_displacement; /* m, of the node now and at rest */
    bool room;                                /* whether there was memory so far */
} sn_cut_move;

static inline sn_point sn_cut_point(sn_vec4 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

/* Where a vertex is at rest, before or after the move. */
static inline sn_point sn_cut_rest_of(const sn_cut_move *s, uint32_t vertex, bool moved) {
    sn_point at = sn_cut_point(s->mesh.rest[vertex]);
    return moved && vertex == s->vertex ? sn_point_add(at, s->rest_displacement) : at;
}

/* m^3 or m^2, of an element at rest, before or after the move. */
static inline double sn_cut_volume_of(const sn_cut_move *s, uint32_t element, bool moved) {
    const uint32_t *t = &s->mesh.element[s->mesh.corners * element];
    sn_point p[4] = {{0, 0, 0}};
    for (uint32_t k = 0; k < s->mesh.corners; k++) p[k] = sn_cut_rest_of(s, t[k], moved);
    if (s->mesh.corners == 4) return sn_point_det(p[0], p[1], p[2], p[3]) / 6;
    return sn_point_length(sn_point_normal(p[0], p[1], p[2])) / 2;
}

/* Whether the element of a corner has a node beside the vertex. */
static inline bool sn_cut_has(const sn_corner *c, uint32_t node) {
    return c->a == node || c->b == node || c->c == node;
}

/* cut_snap.c: a way now as the elements around the vertex have it at rest; false where one of them
   is flat. */
bool sn_cut_to_rest(const sn_cut_move *s, sn_point displacement, sn_point *rest_displacement);

/* cut_measure.c: all constraints of the vertex: whether it can be told what they have after the
   move, and then, with `apply`, gives it to them. */
bool sn_cut_change_constraints(sn_cut_move *s, bool apply);

#endif
