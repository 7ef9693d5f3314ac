/* Lengths of edges from where their ends are at rest. */
#include "geometry/topology/coarsen.h"

/* The most that corners of the border make a path longer. */
static const double most = 1.15;

void sn_graph_face(const sn_graph *graph, sn_pose *pose) {
    for (size_t i = 0; i < graph->triangles; i++) {
        const uint32_t *t = graph->triangle[i];
        sn_point normal = sn_point_normal(pose[t[0]].x, pose[t[1]].x, pose[t[2]].x);
        for (int k = 0; k < 3; k++) pose[t[k]].normal = sn_point_add(pose[t[k]].normal, normal);
    }
    for (size_t i = 0; i < graph->nodes; i++) {
        double length = sn_point_length(pose[i].normal);
        if (length > 0) pose[i].normal = sn_point_scaled(pose[i].normal, 1 / length);
    }
}

/* The arc over a chord that leaves and meets the surface along it: its angle is asin s on either
   side, and the series of asin s / s is as good as the idea. */
static double arc_between(const sn_pose *a, const sn_pose *b) {
    sn_point chord = sn_point_sub(b->x, a->x);
    double length = sn_point_length(chord);
    if (!(length > 0)) return 0;
    double at_a = sn_point_dot(a->normal, chord) / length;
    double at_b = sn_point_dot(b->normal, chord) / length, s = (at_a * at_a + at_b * at_b) / 2;
    return length * (1 + s * (1.0 / 6 + s * (3.0 / 40 + s * (15.0 / 336))));
}

void sn_graph_straighten(sn_graph *graph, const sn_pose *pose) {
    for (size_t i = 0; i < graph->edges; i++) {
        double path = (double)graph->length[i];
        double arc = arc_between(&pose[graph->edge[i][0]], &pose[graph->edge[i][1]]);
        if (arc < path / most) arc = path / most;
        if (arc < path) graph->length[i] = (sn_real)arc;
    }
}
