/*
 * Skinned cloth: nodes stay near their targets and outside of what is behind them.
 *
 * The target t of a node and its normal n move evenly over the substeps. A node is kept
 *
 *   within |x - t| <= m                         the ball of max_distance
 *   outside of |x - c| < r, c = t - (b + r) n   the ball of the back stop, which begins b behind t
 *
 *              n                 Both hold exactly: a node in the back stop is pushed out along its
 *         _____^_____ m          radius; where that leads out of the first ball, it goes to the
 *        /     t     \           circle in which the two spheres meet, on its own side.
 *        |  .--+b-.  |
 *         \/   r   \/
 *
 * A spring to the target comes first, once per substep, as XPBD with a single iteration. Each node
 * belongs to one thread, so their number does not matter.
 */
#include "systems/animation_target/animation_targets.h"

#include "math/vector.h"

enum { NODES_ALONE = 1024 };

typedef struct pass {
    const sn_step *step;
    const sn_animation_target_state *animation_target;
    const sn_real *w;
    sn_real part; /* of the step at the end of the substep */
    double alpha; /* compliance / h^2; below 0: no spring */
} pass;

static sn_v4 between(sn_vec3 from, sn_vec3 to, sn_real part) {
    sn_v4 a = sn_v4_of(from);
    return a + part * (sn_v4_of(to) - a);
}

/* r, the way from the target, no longer than m. */
static sn_v4 shortened(sn_v4 r, sn_real m) {
    sn_real length = sn_v4_length(r);
    if (length > m) r *= m / length;
    return r;
}

/* r out of the back stop, and still no longer than m. */
static sn_v4 stopped(sn_v4 r, sn_v4 n, sn_real m, const sn_animation_target_aim *aim) {
    sn_real b = aim->back_stop_distance, radius = aim->back_stop_radius, away = b + radius;
    sn_v4 from_centre = r + away * n;
    sn_real depth = sn_v4_length(from_centre);
    if (!(depth < radius)) return r;
    /* In the very centre any way out will do; along the normal it is the shortest to the target. */
    sn_v4 out = depth > 0 ? (radius / depth) * from_centre : radius * n;
    sn_v4 to = out - away * n;
    if (!(sn_v4_length(to) > m)) return to;
    sn_v4 across = out - sn_v4_dot(out, n) * n;
    sn_real side = sn_v4_length(across);
    /* The circle: y along n from the centre, where y^2 + s^2 = r^2 and (away - y)^2 + s^2 = m^2. */
    sn_real y = (radius * radius + (away - m) * (away + m)) / (2 * away);
    sn_real s2 = (radius - y) * (radius + y);
    if (!(s2 > 0) || !(side > 0)) return -b * n;
    return (SN_ROOT(s2) / side) * across + (y - away) * n;
}

static void follow_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    sn_world *world = p->step->world;
    sn_nodes *nodes = &world->nodes;
    for (size_t k = begin; k < end; k++) {
        const sn_animation_target_aim *aim = &p->animation_target->aim[k];
        uint32_t i = p->animation_target->node[k];
        if (!(nodes->w[i] > 0) || sn_sleep_has(&world->sleep, nodes->body[i])) continue;
        sn_v4 *d = (sn_v4 *)&nodes->d[i], from = sn_v4_of(aim->from);
        /* Before the small displacement, which would be lost far from the origin. */
        sn_v4 target = (from - *(const sn_v4 *)&nodes->x[i]) + p->part * (sn_v4_of(aim->to) - from);
        sn_v4 r = *d - target, start = r;
        if (p->alpha >= 0) r *= (sn_real)(p->alpha / ((double)p->w[i] + p->alpha));
        sn_real m = aim->max_distance == SN_AUTO ? SN_INFINITY : aim->max_distance;
        r = shortened(r, m);
        if (aim->back_stop_distance != SN_AUTO && aim->back_stop_distance <= m) {
            sn_v4 n = between(aim->normal_from, aim->normal_to, p->part);
            sn_real length = sn_v4_length(n);
            if (length > 0) r = stopped(r, (1 / length) * n, m, aim);
        }
        sn_v4 change = r - start;
        /* What needs no change keeps its bits. */
        if (change[0] != 0 || change[1] != 0 || change[2] != 0) *d = target + r;
    }
}

void sn_animation_targets_apply(sn_step *step) {
    sn_world *world = step->world;
    const sn_animation_targets *animation_targets = sn_animation_targets_of(world);
    double h2 = step->h * step->h;
    for (size_t i = 0; i < animation_targets->slots.count; i++) {
        const sn_animation_target_state *f = &animation_targets->state[i];
        if (!animation_targets->slots.alive[i]) continue;
        pass p = {.step = step, .animation_target = f, .w = sn_world_masses(world).w, .alpha = -1};
        p.part = (sn_real)((double)(step->substep + 1) / (double)step->substeps);
        if (step->iteration == 0 && f->def.compliance != SN_AUTO)
            p.alpha = (double)f->def.compliance / h2;
        sn_team_run(world->bindings.team, f->count, NODES_ALONE, follow_range, &p);
    }
}

void sn_animation_targets_end(sn_step *step) {
    sn_animation_targets *animation_targets = sn_animation_targets_of(step->world);
    for (size_t i = 0; i < animation_targets->slots.count; i++) {
        sn_animation_target_state *f = &animation_targets->state[i];
        if (!animation_targets->slots.alive[i] || !f->moving) continue;
        for (size_t k = 0; k < f->count; k++) {
            f->aim[k].from = f->aim[k].to;
            f->aim[k].normal_from = f->aim[k].normal_to;
        }
        f->moving = false;
    }
}
