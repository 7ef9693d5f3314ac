/*
 * Time integration of the nodes, in delta form.
 *
 *   update    v = (d - r) / h ;  x' = fl(x + d) ;  r = d - (x' - x)
 *   predict   v = (1 - c h) v + h g ;  d = r + h v
 *
 * The position of a node is x + d. The rounding r of x is carried into the next displacement, so
 * that nothing is lost far from the origin. Damping comes before gravity: the other way round it
 * would weaken gravity.
 *
 * One over h is kept as the sum of two numbers. With one, its rounding would act in every substep
 * with the same sign, and velocities would drift.
 */
#include "step/step.h"

#include "math/lanes.h"

#include <math.h>

enum { NODES_ALONE = 4096 };

/* What the nodes of a segment have in common. */
typedef struct law {
    sn_v4 gravity_h;   /* m/s per substep */
    sn_real keep;      /* what point damping leaves of a velocity */
    sn_real h, per_h, per_h_rest;
    sn_real limit;     /* m/s, or infinite */
} law;

typedef struct pass {
    const sn_step *step;
    bool update, predict;
} pass;

static law law_of(const sn_step *step, uint32_t body) {
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
    law l = {.h = (sn_real)h, .limit = settings->speed_limit};
    l.per_h = (sn_real)(1 / (double)l.h);
    l.per_h_rest = (sn_real)(fma(-(double)l.h, (double)l.per_h, 1) / (double)l.h);
    l.gravity_h = (sn_v4){(sn_real)((double)g.x * h), (sn_real)((double)g.y * h),
                          (sn_real)((double)g.z * h), 0};
    l.keep = (sn_real)(damping * h < 1 ? 1 - damping * h : 0);
    return l;
}

SN_INLINE sn_v4 limited(sn_v4 v, sn_real limit) {
    sn_v4 vv = v * v;
    sn_real square = (vv[0] + vv[1]) + vv[2];
    if (square > limit * limit) v *= limit / SN_ROOT(square);
    return v;
}

/* Specialised by its constant arguments. */
SN_INLINE void integrate(const sn_nodes *nodes, const sn_vec4 *acceleration, size_t begin,
                         size_t end, const law *l, const bool update, const bool predict,
                         const bool special) {
    sn_v4 *restrict x = (sn_v4 *)nodes->x, *restrict d = (sn_v4 *)nodes->d;
    sn_v4 *restrict r = (sn_v4 *)nodes->r, *restrict v = (sn_v4 *)nodes->v;
    for (size_t i = begin; i < end; i++) {
        sn_v4 velocity, rounding = r[i];
        if (update) {
            sn_v4 from = x[i], way = d[i], moved = way - rounding, to = from + way;
            velocity = moved * l->per_h + moved * l->per_h_rest;
            rounding = way - (to - from);
            x[i] = to;
            r[i] = rounding;
        } else {
            velocity = v[i];
        }
        if (predict) {
            sn_real dynamic = nodes->w[i] > 0 ? 1 : 0;
            if (special) {
                velocity *= dynamic > 0 ? l->keep : 1;
                if (acceleration)
                    velocity += (dynamic * l->h) * *(const sn_v4 *)&acceleration[i];
            }
            velocity += dynamic * l->gravity_h;
            if (special && dynamic > 0 && l->limit != SN_AUTO)
                velocity = limited(velocity, l->limit);
            d[i] = rounding + l->h * velocity;
        } else {
            v[i] = velocity;
            d[i] = rounding;
        }
    }
}

static void run_segment(const pass *p, size_t begin, size_t end, uint32_t body) {
    const sn_world *world = p->step->world;
    const sn_nodes *nodes = &world->nodes;
    const sn_vec4 *acceleration = p->step->pushed ? world->acceleration : NULL;
    law l = law_of(p->step, body);
    bool special = l.keep != 1 || l.limit != SN_AUTO || acceleration;
    if (!p->predict)
        integrate(nodes, NULL, begin, end, &l, true, false, false);
    else if (p->update && special)
        integrate(nodes, acceleration, begin, end, &l, true, true, true);
    else if (p->update)
        integrate(nodes, NULL, begin, end, &l, true, true, false);
    else if (special)
        integrate(nodes, acceleration, begin, end, &l, false, true, true);
    else
        integrate(nodes, NULL, begin, end, &l, false, true, false);
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
