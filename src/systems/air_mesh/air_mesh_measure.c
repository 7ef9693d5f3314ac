/* What elements of air measure. */
#include "collision/collider_pose.h"
#include "systems/air_mesh/air_meshes.h"

/* From one corner to another, along the plane. */
static sn_v4 way_between(const sn_gap_view *view, uint32_t from, uint32_t to) {
    const sn_gap *air = view->air;
    const sn_vec4 *x[2];
    sn_v4 by[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    const uint32_t end[2] = {from, to};
    for (int k = 0; k < 2; k++) {
        x[k] = &air->frame[end[k] < air->nodes ? 0 : end[k] - air->nodes];
        if (end[k] >= air->nodes) continue;
        size_t slot = air->node[end[k]].slot - 1;
        x[k] = &view->world->nodes.x[slot];
        if (view->by) by[k] = *(const sn_v4 *)&view->by[slot];
    }
    sn_v4 way = (sn_v4_load(x[1]) - sn_v4_load(x[0])) + (by[1] - by[0]);
    way[3] = 0;
    if (air->axis != SN_GAP_NONE) way[air->axis] = 0;
    return way;
}

void sn_gap_ways(const sn_gap_view *view, const sn_gap_element *e, sn_v4 way[3]) {
    for (int k = 0; k < 2; k++) way[k] = way_between(view, e->corner[0], e->corner[k + 1]);
    way[2] = view->air->corners > 3 ? way_between(view, e->corner[0], e->corner[3])
                                    : (sn_v4){0, 0, 0, 0};
}

sn_real sn_gap_measure(const sn_gap *air, const sn_v4 way[3], sn_v4 slope[3]) {
    if (air->axis == SN_GAP_NONE) {
        for (int k = 0; k < 3; k++) slope[k] = sn_v4_cross(way[(k + 1) % 3], way[(k + 2) % 3]) / 6;
        return sn_v4_dot(way[0], slope[0]);
    }
    sn_v4 normal = {0, 0, 0, 0};
    normal[air->axis] = SN_R(0.5);
    slope[0] = sn_v4_cross(way[1], normal);
    slope[1] = sn_v4_cross(normal, way[0]);
    slope[2] = (sn_v4){0, 0, 0, 0};
    return sn_v4_dot(way[0], slope[0]);
}
