/*
 * Time integration of the nodes, in delta form.
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
 *
 * That is BDF1, which is backward Euler; bdf2.c has the formulas of BDF2 in the same form.
 */
#include "step/integrators/integrate.h"

enum { NODES_ALONE = 4096 };

typedef struct pass {
    sn_step *step;
    bool update, predict;
} pass;

/* What gravity adds in a substep of any length, kept finite: kinematic nodes have none of it, which
   nothing times infinity would not be. */
static sn_real bounded(double motion) {
    const double most = (double)SN_REAL_MAX;
    return (sn_real)(motion > most ? most : motion < -most ? -most : motion);
}

static sn_integration integration_of(const sn_step *step, uint32_t body) {
    const sn_world *world = step->world;
    const sn_settings *settings = &world->settings;
    sn_vec3 g = settings->gravity;
    double damping = (double)settings->damping, h = step->h;
    if (body) {
        const sn_body_def *def = &world->bodies.def[body - 1];
        if (def->gravity.x != SN_AUTO && def->gravity.y != SN_AUTO && def->gravity.z != SN_AUTO)
            g = def->gravity;
        damping += (double)def->damping;
    }
    sn_integration l = {.h = (sn_real)h, .h2 = (sn_real)(h * h), .limit = settings->speed_limit};
    l.acceleration = step->pushed ? world->acceleration : NULL;
    l.gravity_h2 = (sn_v4){bounded((double)g.x * h * h), bounded((double)g.y * h * h),
                           bounded((double)g.z * h * h), 0};
    l.lose = (sn_real)(damping * h < 1 ? damping * h : 1);
    if (l.limit != SN_AUTO) l.limit *= l.h;
    return l;
}

/* Specialised by its constant arguments. Returns a sum that shows what is not finite. */
SN_INLINE sn_v4 integrate(const sn_nodes *nodes, size_t begin, size_t end, const sn_integration *l,
                          const bool update, const bool predict, const bool special) {
    sn_v4 *restrict x = (sn_v4 *)nodes->x, *restrict d = (sn_v4 *)nodes->d;
    sn_v4 *restrict p = (sn_v4 *)nodes->p, *restrict v = (sn_v4 *)nodes->v;
    sn_v4 sum = {0};
    for (size_t i = begin; i < end; i++) {
        sn_v4 way = d[i], before = p[i], rounding = way;
        if (update) {
            sn_v4 from = x[i], to = from + way;
            rounding = way - (to - from);
            x[i] = to;
            sum += to;
        } else {
            /* As if the node had come with its velocity. */
            sn_v4 motion = l->h * v[i];
            way = rounding + motion;
            before = way - motion;
        }
        if (!predict) {
            v[i] = (way - before) / l->h;
            sum += v[i];
            d[i] = p[i] = rounding;
            continue;
        }
        sn_real dynamic = nodes->w[i] > 0 ? 1 : 0;
        sn_v4 change = dynamic * l->gravity_h2;
        if (special) {
            change -= (dynamic * l->lose) * (way - before);
            if (l->acceleration && dynamic > 0)
                change += l->h2 * *(const sn_v4 *)&l->acceleration[i];
        }
        sn_v4 next = way + ((rounding - before) + change);
        sn_v4 base = ((next - way) - change) + before;
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

static void run_segment(const pass *p, size_t begin, size_t end, uint32_t body) {
    const sn_nodes *nodes = &p->step->world->nodes;
    sn_integration l = integration_of(p->step, body);
    bool special = l.lose != 0 || l.limit != SN_AUTO || l.acceleration;
    sn_v4 sum;
    if (p->step->world->settings.integrator == SN_INTEGRATOR_BDF2)
        sum = sn_bdf2_integrate(p->step, begin, end, body, &l, p->update, p->predict);
    else if (!p->predict)
        sum = integrate(nodes, begin, end, &l, true, false, false);
    else if (p->update && special)
        sum = integrate(nodes, begin, end, &l, true, true, true);
    else if (p->update)
        sum = integrate(nodes, begin, end, &l, true, true, false);
    else if (special)
        sum = integrate(nodes, begin, end, &l, false, true, true);
    else
        sum = integrate(nodes, begin, end, &l, false, true, false);
    sn_freeze_watch(p->step, *(sn_vec4 *)&sum);
}

static void run_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_world *world = p->step->world;
    /* The first segment that ends after `begin`, by halving: there may be a million bodies. */
    size_t low = 0, high = world->segments;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (world->segment[middle].end <= begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < world->segments && world->segment[i].begin < end; i++) {
        const sn_segment *s = &world->segment[i];
        if (sn_sleep_has(&world->sleep, s->body)) continue;
        run_segment(p, s->begin > begin ? s->begin : begin, s->end < end ? s->end : end, s->body);
    }
}

static void run(sn_step *step, bool update, bool predict) {
    pass p = {step, update, predict};
    sn_world *world = step->world;
    sn_team_run(world->team, world->nodes.slots.count, NODES_ALONE, run_range, &p);
}

void sn_predict(sn_step *step) {
    run(step, false, true);
}

void sn_update(sn_step *step) {
    run(step, true, false);
}

void sn_update_and_predict(sn_step *step) {
    run(step, true, true);
}
