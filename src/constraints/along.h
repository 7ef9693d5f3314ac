/* Where a node is along an edge, for what holds it there. */
#ifndef SN_CONSTRAINTS_ALONG_H
#define SN_CONSTRAINTS_ALONG_H

#include "math/vector.h"

/* The part of the edge from a to b at which it is nearest to the origin, 0 to 1. Where both ends
   are one point, any part is as good. */
static inline sn_real sn_along_edge(sn_vec3 a, sn_vec3 b) {
    sn_vec3 edge = sn_vec3_sub(b, a);
    double square = (double)sn_vec3_dot(edge, edge), along = -(double)sn_vec3_dot(a, edge);
    double part = along > 0 && square > 0 ? along / square : 0;
    return (sn_real)(part < 1 ? part : 1);
}

#endif
