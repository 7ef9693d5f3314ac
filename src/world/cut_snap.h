/* A node of a bulk that is moved onto the surface of a cut, and what is about it. */
#ifndef SN_WORLD_CUT_SNAP_H
#define SN_WORLD_CUT_SNAP_H

#include "world/cut.h"

typedef struct sn_cut_move {
    sn_cut *cut; /* has the corners of the vertex, and lists its constraints */
    sn_world *world;
    sn_bulk_state *bulk;
    sn_cut_mesh mesh;
    const sn_blade *blade;
    sn_point normal, point; /* of the blade; m */
    double reach;           /* 1, over edges */
    uint32_t vertex, node;
    sn_point way, rest_way; /* m, of the node now and at rest */
} sn_cut_move;

static inline sn_point sn_cut_point(sn_vec4 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

/* Where a vertex is at rest, before or after the move. */
static inline sn_point sn_cut_rest_of(const sn_cut_move *s, uint32_t vertex, bool moved) {
    sn_point at = sn_cut_point(s->mesh.rest[vertex]);
    return moved && vertex == s->vertex ? sn_point_add(at, s->rest_way) : at;
}

/* m^3, of a tet at rest, before or after the move. */
static inline double sn_cut_volume_of(const sn_cut_move *s, uint32_t element, bool moved) {
    const uint32_t *t = &s->mesh.element[4 * element];
    return sn_point_det(sn_cut_rest_of(s, t[0], moved), sn_cut_rest_of(s, t[1], moved),
                        sn_cut_rest_of(s, t[2], moved), sn_cut_rest_of(s, t[3], moved)) /
           6;
}

/* Whether the element of a corner has a node beside the vertex. */
static inline bool sn_cut_has(const sn_corner *c, uint32_t node) {
    return c->a == node || c->b == node || c->c == node;
}

/* cut_measure.c: all constraints of the vertex: whether it can be told what they have after the
   move, and then, with `apply`, gives it to them. */
bool sn_cut_change_constraints(const sn_cut_move *s, bool apply);

#endif
