/*
 * BDF1, which is backward Euler, for the nodes, in delta form.
 *
 * During a substep a node is at x + d, and its motion in the substep is d - p. With a the change of
 * that motion by gravity, forces and damping (a = h^2 g in free fall):
 *
 *   update    x' = fl(x + d) ;  r = d - (x' - x) ;  v = (d - p) / h
 *   predict   x' = fl(x + d + m) ;  d' = d + m - (x' - x) ;  p' = d - (x' - x)
 *                                                    where the new motion m = (d - p) + a
 *
 * So x is the predicted position, d' the rounding of it, to which the corrections of the substep
 * are added, and p' the way back to where it began. The rounding is carried on, so that nothing is
 * lost far from the origin. But m has more digits than a float of its size: gravity adds so little
 * in a substep that v + h g would round the same way every time, and bodies would fall too fast or
 * too slowly by a thousandth. So m is never made. p' is rounded, and d', which is small, keeps what
 * the rounding took:
 *
 *   p' = d - (x' - x) ;  d' = ((p' - p) + d) + a
 *
 * Between steps d = p = r. Damping comes before gravity: the other way round it would weaken it.
 */
#include "step/integrators/integrator.h"

/* Specialised by its constant arguments. Returns a sum that shows what is not finite. */
SN_INLINE sn_v4 integrate(const sn_nodes *nodes, size_t begin, size_t end, const sn_integration *l,
                          const bool update, const bool predict, const bool special) {
    sn_v4 *restrict x = (sn_v4 *)nodes->x, *restrict d = (sn_v4 *)nodes->d;
    sn_v4 *restrict p = (sn_v4 *)nodes->p, *restrict v = (sn_v4 *)nodes->v;
    sn_v4 sum = {0};
    for (size_t i = begin; i < end; i++) {
        sn_v4 from = x[i], displacement = d[i], before = p[i];
        if (!predict) {
            sn_v4 to = from + displacement;
            v[i] = (displacement - before) / l->h;
            x[i] = to;
            d[i] = p[i] = displacement - (to - from);
            sum += to + v[i];
            continue;
        }
        /* Without an update as if the node had come with its velocity. */
        sn_v4 motion = update ? displacement - before : l->h * v[i];
        sn_real dynamic = nodes->w[i] > 0 ? 1 : 0;
        sn_v4 change = dynamic * l->gravity_h2;
        if (special) {
            change -= (dynamic * l->lose) * motion;
            if (l->acceleration && dynamic > 0)
                change += l->h2 * *(const sn_v4 *)&l->acceleration[i];
        }
        bool limited = special && l->limit != SN_AUTO && dynamic > 0;
        sn_v4 next = motion + change;
        if (limited) next = sn_limited(next, l->limit);
        sn_v4 to = from + (displacement + next);
        sn_v4 back = displacement - (to - from);
        sn_v4 rounding = (update ? (back - before) + displacement : back + motion) + change;
        if (limited) rounding = back + next;
        x[i] = to;
        d[i] = rounding;
        p[i] = back;
        sum += to;
    }
    return sum;
}

static sn_v4 integrate_run(const sn_world *world, size_t begin, size_t end, uint32_t body,
                           const sn_integration *l, bool update, bool predict) {
    const sn_nodes *nodes = &world->nodes;
    (void)body;
    if (!predict) return integrate(nodes, begin, end, l, true, false, false);
    if (update && l->special) return integrate(nodes, begin, end, l, true, true, true);
    if (update) return integrate(nodes, begin, end, l, true, true, false);
    if (l->special) return integrate(nodes, begin, end, l, false, true, true);
    return integrate(nodes, begin, end, l, false, true, false);
}

static void look(const sn_world *world, size_t node, const sn_integration *terms,
                 sn_integrator_look *look) {
    *look = (sn_integrator_look){.share = 1, .lose = (double)terms->lose};
    sn_integrator_motion(&world->nodes, node, look->v);
    for (int k = 0; k < 3; k++) look->v[k] /= (double)terms->h;
}

const sn_integrator_type sn_integrator_bdf1 = {
    .integrate = integrate_run, .look = look, .offloads = true};
