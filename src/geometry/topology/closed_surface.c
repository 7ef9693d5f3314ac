#include "geometry/topology/closed_surface.h"

#include "base/error.h"
#include "geometry/topology/edge_elements.h"

/* Whether a triangle goes from a to b. */
static bool goes(const uint32_t *t, uint32_t a, uint32_t b) {
    return (t[0] == a && t[1] == b) || (t[1] == a && t[2] == b) || (t[2] == a && t[0] == b);
}

sn_result sn_triangles_closed(sn_memory *memory, const uint32_t *triangles, size_t count,
                              size_t vertices, bool *closed) {
    sn_pairs edges = {0};
    SN_TRY(sn_pairs_create(&edges, memory, triangles, count, 3, vertices));
    *closed = count > 0;
    for (size_t i = 0; i < edges.count && *closed; i++) {
        const sn_pair *e = &edges.pair[i];
        const uint32_t *of = edges.element + e->first;
        *closed = e->count == 2 && goes(triangles + 3 * (size_t)of[0], e->a, e->b) !=
                                       goes(triangles + 3 * (size_t)of[1], e->a, e->b);
    }
    sn_pairs_free(&edges, memory);
    return SN_OK;
}

double sn_triangles_volume(const uint32_t *triangles, size_t count, const sn_vec4 *x) {
    double six = 0;
    for (size_t i = 0; i < count; i++) {
        double p[3][3];
        for (int c = 0; c < 3; c++) {
            /* From one of the corners, so that it does not matter where the origin is. */
            sn_vec4 at = x[triangles[3 * i + (size_t)c]], from = x[triangles[0]];
            p[c][0] = (double)at.x - (double)from.x;
            p[c][1] = (double)at.y - (double)from.y;
            p[c][2] = (double)at.z - (double)from.z;
        }
        six += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
               p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    return six / 6;
}
