/*
 * Whether two elements have passed through each other. It is asked only where the vector between
 * them has turned by more than a right angle, which is rare: so it may be exact, and slow. Edges
 * and faces are followed along their paths in the substep, and in the one before where they begin
 * on the wrong side (Mueller et al. 2007, section 3.4); a pair that could not be taken apart stays
 * marked, and is still pulled back in the substeps after. The normal of a pair that has not passed
 * becomes that of the beginning: where it ends is known only when others had their turn.
 */
#include "collision/ccd/time_of_impact.h"
#include "collision/collider_pose.h"
#include "contact/surface/surface_pair.h"

/* Of their limit, and of an edge: what comes as near as this counts as passing. To tell exactly is
   slow of what has just been pushed apart, and of the two sides of a tear, whose limit is zero. */
static const double NEAR = 0.01, TOUCHING = 1e-5;

typedef struct lane {
    const sn_surface_contact_batch *m;
    const int32_t *node; /* of its nodes, 16 apart */
    sn_real *row;
    int kind, nodes;
    sn_real *weight; /* of its nodes, at the time of impact */
} lane;

static sn_v4 normal_of(const lane *l) {
    const sn_real *row = l->row + SN_ROW_NORMAL * SN_CONTACT_BLOCK;
    return (sn_v4){row[0], row[SN_CONTACT_BLOCK], row[2 * SN_CONTACT_BLOCK], 0};
}

static void set_normal(const lane *l, sn_v4 r) {
    sn_real length = SN_ROOT(sn_v4_dot(r, r));
    if (!(length > 0)) return;
    for (int i = 0; i < 3; i++) l->row[(SN_ROW_NORMAL + i) * SN_CONTACT_BLOCK] = r[i] / length;
}

/* Where the nodes were when the substep began (x, p) or the one before (was_x, was_p), or are now
   (x, d), relative to where the first began. */
static void gather(const lane *l, const sn_vec4 *place, const sn_vec4 *displacement,
                   sn_point x[SN_CONTACT_MOST_NODES]) {
    int32_t zero = l->node[0];
    for (int n = 0; n < l->nodes; n++) {
        int32_t at = l->node[n * SN_CONTACT_BLOCK];
        sn_v4 base = sn_at(place, at) - sn_at(l->m->x, zero);
        if (l->nodes == 2 && l->m->period) base = sn_period_nearest(l->m->period, base);
        sn_v4 near = base + (sn_at(displacement, at) - sn_at(l->m->p, zero));
        x[n] = (sn_point){(double)near[0], (double)near[1], (double)near[2]};
    }
}

/* From the second to the first, and whether that is between places inside of both. */
static sn_v4 between(const lane *l, const sn_point *x, bool *inside) {
    sn_vec4 place[SN_CONTACT_MOST_NODES] = {{0}}, none[SN_CONTACT_MOST_NODES] = {{0, 0, 0, 0}};
    const uint32_t node[SN_CONTACT_MOST_NODES] = {0, 1, 2, 3};
    sn_real weight[SN_CONTACT_MOST_NODES];
    for (int n = 0; n < l->nodes; n++)
        place[n] = (sn_vec4){(sn_real)x[n].x, (sn_real)x[n].y, (sn_real)x[n].z, 0};
    sn_nodes nodes = {.x = place, .p = none};
    sn_v4 r = sn_surface_pair_between_any(&nodes, l->kind, node, weight);
    *inside = l->nodes == SN_CONTACT_MOST_NODES;
    for (int n = 0; n < l->nodes; n++) *inside = *inside && weight[n] != 0;
    return r;
}

/* Balls and capsules: the path of one relative to the other comes closer than they may. The normal
   is that of the first touch. */
static bool sweep_round(const lane *l, sn_v4 start, sn_v4 now, sn_real limit) {
    sn_v4 path = now - start;
    sn_real a = sn_v4_dot(path, path), b = sn_v4_dot(start, path);
    sn_real c = sn_v4_dot(start, start) - limit * limit, root = b * b - a * c;
    if (!(root > 0)) return false;
    sn_real time = (-b - SN_ROOT(root)) / a;
    if (c <= 0) time = 0;
    if (!(time >= 0 && time <= 1)) return false;
    set_normal(l, start + time * path);
    return true;
}

static bool sweep_sharp(const lane *l, const sn_point *from, const sn_point *to) {
    sn_ccd_kind kind = l->kind == SN_CONTACT_POINT_TRIANGLE ? SN_CROSS_VERTEX : SN_CROSS_EDGES;
    sn_real limit = l->row[SN_ROW_LIMIT * SN_CONTACT_BLOCK];
    double near = NEAR * (double)limit + TOUCHING * sn_point_length(sn_point_sub(from[2], from[3]));
    sn_ccd_hit hit = sn_ccd_sweep(kind, from, to, near);
    if (!hit.hit) return false;
    for (int n = 0; n < SN_CONTACT_MOST_NODES; n++) l->weight[n] = (sn_real)hit.weight[n];
    set_normal(l, (sn_v4){(sn_real)hit.normal.x, (sn_real)hit.normal.y, (sn_real)hit.normal.z, 0});
    return true;
}

static bool passes(const lane *l, const sn_point *from, const sn_point *to, sn_v4 start,
                   sn_v4 end) {
    if (l->nodes == SN_CONTACT_MOST_NODES) return sweep_sharp(l, from, to);
    return sweep_round(l, start, end, l->row[SN_ROW_LIMIT * SN_CONTACT_BLOCK]);
}

/* Whether they were pushed through each other in the substep before, after they had been looked
   at. */
static bool had_passed(const lane *l, const sn_point *from, sn_v4 start) {
    sn_point before[SN_CONTACT_MOST_NODES] = {{0}};
    bool inside;
    if (!l->m->was_x || !(sn_v4_dot(start, normal_of(l)) < 0)) return false;
    gather(l, l->m->was_x, l->m->was_p, before);
    return passes(l, before, from, between(l, before, &inside), start);
}

sn_surface_pair_crossing sn_surface_pair_has_crossed(const sn_surface_contact_batch *batch,
                                                     int kind, size_t block, size_t place,
                                                     sn_real weight[SN_CONTACT_MOST_NODES]) {
    int nodes = sn_contact_nodes(kind);
    lane l = {batch,
              batch->node + block * (size_t)nodes * SN_CONTACT_BLOCK + place,
              batch->row + block * SN_ROW_COUNT * SN_CONTACT_BLOCK + place,
              kind,
              nodes,
              weight};
    sn_real limit = l.row[SN_ROW_LIMIT * SN_CONTACT_BLOCK];
    sn_point from[SN_CONTACT_MOST_NODES] = {{0}}, to[SN_CONTACT_MOST_NODES] = {{0}};
    bool inside, was_inside;
    gather(&l, batch->x, batch->p, from);
    gather(&l, batch->x, batch->d, to);
    sn_v4 now = between(&l, to, &inside), start = between(&l, from, &was_inside);
    if (l.row[SN_ROW_CROSSED * SN_CONTACT_BLOCK] > 0 && sn_v4_dot(start, normal_of(&l)) < 0) {
        /* It was on the wrong side before: pulled back while they face each other or are near. */
        sn_v4 moved = now - start;
        sn_real near = 2 * (limit + SN_ROOT(sn_v4_dot(moved, moved)));
        bool stays = inside || sn_v4_dot(now, now) < near * near;
        if (!stays) set_normal(&l, now);
        return stays ? SN_SURFACE_CONTACT_LEFT_CROSSED : SN_SURFACE_CONTACT_APART;
    }
    if (had_passed(&l, from, start)) return SN_SURFACE_CONTACT_HAD_PASSED;
    if (passes(&l, from, to, start, now)) return SN_SURFACE_CONTACT_PASSES;
    set_normal(&l, start);
    return SN_SURFACE_CONTACT_APART;
}
