/*
 * BDF1, which is backward Euler, for the nodes, in delta form.
 *
 * During a substep a node is at x + d, and its motion in the substep is d - p. With a the change of
 * that motion by gravity, forces and damping (a = h^2 g in free fall):
 *
 *   update    x' = fl(x + d) ;  r = d - (x' - x) ;  v = (d - p) / h
 *   predict   d' = r + m ;  p' = d' - m              where the new motion m = (d - p) + a
 *
 * r, the rounding of x, is carried on, so that nothing is lost far from the origin. But m has more
 * digits than a float of its size: gravity adds so little in a substep that v + h g would round the
 * same way every time, and bodies would fall too fast or too slowly by a thousandth. So m is never
 * made. d' is rounded, and p', which is small, keeps what the rounding took:
 *
 *   d' = d + ((r - p) + a) ;  p' = ((d' - d) - a) + p
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
        sn_v4 displacement = d[i], before = p[i], rounding = displacement;
        if (update) {
            sn_v4 from = x[i], to = from + displacement;
            rounding = displacement - (to - from);
            x[i] = to;
            sum += to;
        } else {
            /* As if the node had come with its velocity. */
            sn_v4 motion = l->h * v[i];
            displacement = rounding + motion;
            before = displacement - motion;
        }
        if (!predict) {
            v[i] = (displacement - before) / l->h;
            sum += v[i];
            d[i] = p[i] = rounding;
            continue;
        }
        sn_real dynamic = nodes->w[i] > 0 ? 1 : 0;
        sn_v4 change = dynamic * l->gravity_h2;
        if (special) {
            change -= (dynamic * l->lose) * (displacement - before);
            if (l->acceleration && dynamic > 0)
                change += l->h2 * *(const sn_v4 *)&l->acceleration[i];
        }
        sn_v4 next = displacement + ((rounding - before) + change);
        sn_v4 base = ((next - displacement) - change) + before;
        if (special && l->limit != SN_AUTO && dynamic > 0) {
            sn_v4 motion = sn_limited(next - base, l->limit);
            next = rounding + motion;
            base = next - motion;
        }
        d[i] = next;
        p[i] = base;
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
