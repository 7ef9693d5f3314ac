/*
 * The axis along which two solids are furthest apart, or overlap least: the normal of a face of
 * either, or the direction across an edge of each.
 *
 * Of two boxes, which most are, all of it is in closed form with the cosines c_ik between their
 * axes (Gottschalk, Lin and Manocha 1996): along axis i of the first they are
 *
 *   |t_i| - (h_i + sum_k |c_ik| g_k)
 *
 * apart, where t is from middle to middle and h and g are halves of sides; and what is across axis
 * i of the first and k of the second has no part along these two.
 */
#include "contact/rigid/rigid_solid.h"

typedef sn_rigid_solid solid;
typedef sn_rigid_axis axis;

/* 1: the least sine between two edges that have a direction across them. */
static const sn_real ACROSS = SN_R(0.01);

/* Those of what is round are told apart. False where they are further apart than the margin. */
static bool try_faces(const solid s[2], int owner, sn_real margin, axis *best, axis *round) {
    const size_t sides = s[owner].rims ? s[owner].faces - 2 : 0;
    *best = *round = (axis){.gap = -SN_INFINITY, .owner = owner};
    for (size_t k = 0; k < s[owner].faces; k++) {
        sn_v4 normal = sn_quat_rotate(s[owner].q, sn_v4_load(&s[owner].face[k]));
        sn_real gap = sn_rigid_gap(&s[owner], &s[1 - owner], normal);
        axis *to = k < sides ? round : best;
        if (gap > margin) return false;
        if (gap > to->gap) *to = (axis){.gap = gap, .normal = normal, .owner = owner};
    }
    if (sides > 0) *round = sn_rigid_round_axis(s, owner, *round);
    return !(round->gap > margin);
}

/* How far two solids are apart along a direction or against it, which is turned to where that is
   more. */
static sn_real gap_both_ways(const solid s[2], sn_v4 *normal) {
    sn_real gap = sn_rigid_gap(&s[0], &s[1], *normal), other = sn_rigid_gap(&s[0], &s[1], -*normal);
    if (!(other > gap)) return gap;
    *normal = -*normal;
    return other;
}

bool sn_rigid_find_across(const solid s[2], size_t i, size_t k, sn_v4 *normal) {
    *normal =
        sn_v4_cross(sn_v4_load(&s[0].edge[i]), sn_quat_rotate(s[1].q, sn_v4_load(&s[1].edge[k])));
    sn_real length = sn_v4_length(*normal);
    if (!(length > ACROSS)) return false;
    *normal *= 1 / length;
    return true;
}

static bool try_edges(const solid s[2], sn_real margin, axis *best) {
    *best = (axis){.gap = -SN_INFINITY, .owner = 2};
    for (size_t i = 0; i < s[0].edges; i++)
        for (size_t k = 0; k < s[1].edges; k++) {
            sn_v4 normal;
            if (!sn_rigid_find_across(s, i, k, &normal)) continue;
            sn_real gap = gap_both_ways(s, &normal);
            if (gap > margin) return false;
            if (gap > best->gap) *best = (axis){.gap = gap, .normal = normal, .owner = 2};
        }
    if (s[0].rims || s[1].rims) *best = sn_rigid_rim_axis(s, *best);
    return !(best->gap > margin);
}

/* ---- Two boxes ---- */

typedef struct boxes {
    sn_real half[2][3];    /* m */
    sn_real cosine[3][3];  /* of axis i of the first and k of the second */
    sn_real size[3][3];    /* what they are without their signs */
    sn_real between[2][3]; /* m, from middle to middle, by the axes of each */
    sn_real radius;        /* m, of both */
} boxes;

/* How far they are apart along the best normal of each and across the best edges, in m (-infinity
   where none are across each other), and which these are. */
typedef struct box_axes {
    sn_real gap[3];
    uint32_t face[2], edge[2];
} box_axes;

static sn_real absolute(sn_real a) {
    return a < 0 ? -a : a;
}

/* m: from the middle of the first to that of the second. */
static sn_v4 between_middles(const solid s[2]) {
    return (s[1].at + sn_quat_rotate(s[1].q, s[1].mid)) - s[0].mid;
}

static boxes boxes_of(const solid s[2]) {
    boxes b = {.radius = s[0].radius + s[1].radius};
    const sn_v4 between = between_middles(s);
    for (int k = 0; k < 3; k++) {
        const sn_v4 other = sn_quat_rotate(s[1].q, sn_v4_load(&s[1].edge[k]));
        for (int i = 0; i < 3; i++) {
            b.cosine[i][k] = sn_v4_dot(sn_v4_load(&s[0].edge[i]), other);
            b.size[i][k] = absolute(b.cosine[i][k]);
        }
        b.between[0][k] = sn_v4_dot(sn_v4_load(&s[0].edge[k]), between);
        b.between[1][k] = sn_v4_dot(other, between);
        for (int n = 0; n < 2; n++) b.half[n][k] = s[n].half[k];
    }
    return b;
}

/* Faces are numbered as sn_shape_axes has them: those along the axes, then those against them. */
static void try_box_faces(const boxes *b, int owner, box_axes *best) {
    best->gap[owner] = -SN_INFINITY;
    for (uint32_t face = 0; face < 6; face++) {
        const uint32_t i = face % 3;
        const sn_real way = owner ? -b->between[1][i] : b->between[0][i];
        sn_real width = b->half[owner][i] + b->radius;
        for (int k = 0; k < 3; k++)
            width += b->half[1 - owner][k] * (owner ? b->size[k][i] : b->size[i][k]);
        const sn_real gap = (face < 3 ? way : -way) - width;
        if (!(gap > best->gap[owner])) continue;
        best->gap[owner] = gap;
        best->face[owner] = face;
    }
}

static void try_box_edges(const boxes *b, box_axes *best) {
    best->gap[2] = -SN_INFINITY;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t j = (i + 1) % 3, m = (i + 2) % 3, n = (k + 1) % 3, o = (k + 2) % 3;
            const sn_real along = b->cosine[j][k], across = b->cosine[m][k];
            const sn_real length = SN_ROOT(along * along + across * across);
            if (!(length > ACROSS)) continue;
            const sn_real way = absolute(along * b->between[0][m] - across * b->between[0][j]);
            const sn_real own = b->half[0][j] * b->size[m][k] + b->half[0][m] * b->size[j][k];
            const sn_real other = b->half[1][n] * b->size[i][o] + b->half[1][o] * b->size[i][n];
            const sn_real gap = (way - (own + other)) / length - b->radius;
            if (!(gap > best->gap[2])) continue;
            best->gap[2] = gap;
            best->edge[0] = i;
            best->edge[1] = k;
        }
}

/* False where they are further apart than the margin. */
static bool find_box_axes(const solid s[2], sn_real margin, box_axes *best) {
    const boxes b = boxes_of(s);
    for (int owner = 0; owner < 2; owner++) {
        try_box_faces(&b, owner, best);
        if (best->gap[owner] > margin) return false;
    }
    try_box_edges(&b, best);
    return !(best->gap[2] > margin);
}

/* ---- The axis ---- */

/* Axes of two solids: of faces of each, of edges, and across round sides. */
enum { EDGES = 2, ROUND = 3, AXES = 5 };

static bool try_boxes(const solid s[2], sn_real margin, axis all[AXES]) {
    box_axes best = {.edge = {0, 0}};
    if (!find_box_axes(s, margin, &best)) return false;
    for (int k = 0; k < 2; k++) {
        const sn_v4 face = sn_v4_load(&s[k].face[best.face[k]]);
        all[k] = (axis){.gap = best.gap[k], .normal = sn_quat_rotate(s[k].q, face), .owner = k};
        all[ROUND + k] = (axis){.gap = -SN_INFINITY, .owner = k};
    }
    all[EDGES] = (axis){.gap = best.gap[2], .owner = 2};
    sn_v4 *across = &all[EDGES].normal;
    if (!(best.gap[2] > -SN_INFINITY)) return true;
    if (!sn_rigid_find_across(s, best.edge[0], best.edge[1], across)) all[EDGES].gap = -SN_INFINITY;
    if (sn_v4_dot(*across, between_middles(s)) < 0) *across = -*across;
    return true;
}

/* False where they are further apart than the margin. */
static bool try_axes(const solid s[2], sn_real margin, axis all[AXES]) {
    if (s[0].box && s[1].box) return try_boxes(s, margin, all);
    return try_faces(s, 0, margin, &all[0], &all[ROUND]) &&
           try_faces(s, 1, margin, &all[1], &all[ROUND + 1]) && try_edges(s, margin, &all[EDGES]);
}

/* Faces come before what is round, and that before edges. */
bool sn_rigid_find_axis(const solid s[2], sn_real size, sn_real margin, axis *best) {
    static const int in_turn[AXES] = {0, 1, ROUND, ROUND + 1, EDGES};
    axis all[AXES];
    if (!try_axes(s, margin, all)) return false;
    *best = all[0];
    for (int k = 1; k < AXES; k++)
        if (all[in_turn[k]].gap > best->gap + SN_RIGID_BIAS * size) *best = all[in_turn[k]];
    return best->gap > -SN_INFINITY;
}

bool sn_rigid_faces_are_near(const solid s[2], sn_real margin) {
    axis best, round;
    return try_faces(s, 0, margin, &best, &round) && try_faces(s, 1, margin, &best, &round);
}

sn_real sn_rigid_apart_by(const solid s[2]) {
    axis all[AXES];
    (void)try_axes(s, SN_INFINITY, all);
    sn_real most = all[0].gap;
    for (int k = 1; k < AXES; k++)
        if (all[k].gap > most) most = all[k].gap;
    return most;
}
