/*
 * One edge that passes through a triangle, and how it comes out.
 *
 * Where one end is on the wrong side, that end goes back through the triangle, along its normal N.
 * Of surfaces in layers N itself tells which it is.
 *
 * Where that is not known, the line along which the surfaces meet is made shorter (Volino and
 * Magnenat-Thalmann 2006). It passes through the edge, of direction e, at a point P, and goes on
 * from there into the faces beside the edge, along r = +-N x (normal of the face). When the edge
 * moves by u, P moves by
 *
 *   u - (u . N) / (e . N) e
 *
 * and the line becomes shorter by that along r: so
 *
 *   u = sum over both faces of r - (r . e) / (e . N) N
 *
 * In the middle of a straight line both faces cancel each other, and it opens from its ends.
 */
#include "collision/ccd/time_of_impact.h"
#include "collision/collider_pose.h"
#include "contact/surface/surface_pair.h"
#include "contact/untangle/untangle.h"

#include <math.h>

typedef struct place {
    sn_point edge[2], triangle[3], beside[2];
} place;

/* Where a node is now, or was when the substep began, relative to another. */
static sn_point place_of(const sn_nodes *n, uint32_t i, uint32_t base, bool now) {
    const sn_vec4 *d = now ? n->d : n->p;
    sn_v4 x = (sn_v4_load(&n->x[i]) - sn_v4_load(&n->x[base])) + sn_v4_load(&d[i]);
    return (sn_point){(double)x[0], (double)x[1], (double)x[2]};
}

bool sn_untangle_passes(const sn_world *world, const uint32_t edge[2], const uint32_t triangle[3],
                        bool now) {
    sn_point t[3];
    for (int i = 0; i < 3; i++) t[i] = place_of(&world->nodes, triangle[i], edge[0], now);
    return sn_ccd_segment(place_of(&world->nodes, edge[0], edge[0], now),
                          place_of(&world->nodes, edge[1], edge[0], now), t);
}

/* Where on the edge and in the triangle they meet: weights, those of the triangle negative. */
static void weigh(const place *at, double weight[5]) {
    const sn_point *t = at->triangle;
    double from = sn_point_det(t[0], t[1], t[2], at->edge[0]);
    double to = sn_point_det(t[0], t[1], t[2], at->edge[1]);
    double along = from != to ? from / (from - to) : 0.5, sum = 0;
    weight[0] = 1 - along;
    weight[1] = along;
    for (int i = 0; i < 3; i++) {
        weight[2 + i] =
            fabs(sn_point_det(at->edge[0], at->edge[1], t[(i + 1) % 3], t[(i + 2) % 3]));
        sum += weight[2 + i];
    }
    for (int i = 2; i < 5; i++) weight[i] = sum > 0 ? -weight[i] / sum : -1.0 / 3;
}

static sn_point unit(sn_point a) {
    double length = sn_point_length(a);
    return length > 0 ? sn_point_scaled(a, 1 / length) : (sn_point){0, 0, 0};
}

/* The direction in which the line becomes shorter; zero where it does not. */
static sn_point shortening(const place *at, const sn_tangle *t, sn_point normal) {
    sn_point e = unit(sn_point_sub(at->edge[1], at->edge[0])), sum = {0, 0, 0};
    double steep = sn_point_dot(e, normal);
    /* An edge that nearly lies in the triangle would fly away along its normal. */
    if (fabs(steep) < 0.1) steep = steep < 0 ? -0.1 : 0.1;
    for (int k = 0; k < 2; k++) {
        if (t->beside[k] == SN_UNTANGLE_NONE) continue;
        sn_point into = sn_point_sub(at->beside[k], at->edge[0]);
        into = unit(sn_point_sub(into, sn_point_scaled(e, sn_point_dot(into, e))));
        sn_point face = sn_point_cross(e, into), r = unit(sn_point_cross(normal, face));
        if (sn_point_dot(r, into) < 0) r = sn_point_scaled(r, -1);
        sum = sn_point_add(sum, r);
        sum = sn_point_sub(sum, sn_point_scaled(normal, sn_point_dot(r, e) / steep));
    }
    return sn_point_length(sum) > 0.05 ? unit(sum) : (sn_point){0, 0, 0};
}

/* Moves the five nodes by their masses until the edge has moved along a direction by `far`, m, in
   this substep. */
static void move(const sn_world *world, const sn_tangle *t, const uint32_t node[5],
                 const double weight[5], sn_point along, double far) {
    const sn_nodes *n = &world->nodes;
    double moved = 0, sum = 0, w[5];
    for (int i = 0; i < 5; i++) w[i] = (double)n->w[node[i]] * (double)t->share[i >= 2];
    for (int i = 0; i < 5; i++) {
        sn_v4 displacement = sn_v4_load(&n->d[node[i]]) - sn_v4_load(&n->p[node[i]]);
        sn_point m = {(double)displacement[0], (double)displacement[1], (double)displacement[2]};
        moved += weight[i] * sn_point_dot(m, along);
        sum += w[i] * weight[i] * weight[i];
    }
    if (!(far > moved) || !(sum > 0)) return;
    double lambda = (far - moved) / sum;
    for (int i = 0; i < 5; i++) {
        sn_point by = sn_point_scaled(along, lambda * w[i] * weight[i]);
        sn_v4 d = sn_v4_load(&n->d[node[i]]);
        d += (sn_v4){(sn_real)by.x, (sn_real)by.y, (sn_real)by.z, 0};
        if (sn_v4_is_finite(d)) sn_v4_store(&n->d[node[i]], d);
    }
}

void sn_untangle_pull(const sn_world *world, const sn_tangle *t, double h) {
    const sn_nodes *n = &world->nodes;
    const uint8_t *loose = sn_untangle_of(world)->loose;
    const uint32_t node[5] = {t->edge[0], t->edge[1], t->triangle[0], t->triangle[1],
                              t->triangle[2]};
    place at;
    for (int i = 0; i < 2; i++) {
        at.edge[i] = place_of(n, t->edge[i], node[0], true);
        bool there = t->beside[i] != SN_UNTANGLE_NONE;
        at.beside[i] = there ? place_of(n, t->beside[i], node[0], true) : (sn_point){0, 0, 0};
    }
    for (int i = 0; i < 3; i++) at.triangle[i] = place_of(n, t->triangle[i], node[0], true);
    sn_point normal = unit(sn_point_normal(at.triangle[0], at.triangle[1], at.triangle[2]));
    double weight[5], most = (double)t->speed * h;
    weigh(&at, weight);
    bool known = t->layers != 0 || ((loose[node[0]] ^ loose[node[1]]) & SN_LOOSE_WRONG) != 0;
    if (!known) {
        move(world, t, node, weight, shortening(&at, t, normal), most);
        return;
    }
    int wrong = loose[node[0]] & SN_LOOSE_WRONG ? 0 : 1;
    /* What is outside belongs in front of the triangle, and what is inside behind it. */
    if (t->layers != 0) {
        double rise = sn_point_dot(sn_point_sub(at.edge[1], at.edge[0]), normal);
        wrong = (rise > 0) == (t->layers > 0) ? 0 : 1;
    }
    sn_point deep = sn_point_sub(at.edge[1 - wrong], at.edge[wrong]);
    if (sn_point_dot(deep, normal) < 0) normal = sn_point_scaled(normal, -1);
    /* The end itself goes back, and a little further than the plane. */
    double depth = fabs(sn_point_dot(sn_point_sub(at.edge[wrong], at.triangle[0]), normal));
    weight[wrong] = 1;
    weight[1 - wrong] = 0;
    double limit = (double)n->radius[node[wrong]] + (double)n->radius[node[2]];
    move(world, t, node, weight, normal, depth + limit < most ? depth + limit : most);
}
