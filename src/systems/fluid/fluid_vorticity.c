/*
 * The vorticity constraint: keeping the volume is a push along slopes, which turn nothing, but
 * with few particles it takes from what turns (Shao et al. 2015, in the survey of 2018 and later,
 * section 3.4.2). So the vorticity that the motion had when the substep began is a constraint on
 * the velocities at its end,
 *
 *   C_i(v) = omega_i(v) - omega_i(v before) = 0,   omega_i(v) = sum_j V_j grad W_ij x (v_j - v_i)
 *
 * linear in v, and the smallest change in kinetic energy is looked for that comes nearest to it:
 * least sum_i V_i |C_i|^2, by conjugate gradients from dv = 0, so that dv is in the range of
 * M^-1 grad C^T. What it does to two particles is opposite, and momentum is kept; angular momentum
 * is what it gives back.
 *
 * At solid boundaries vorticity is made, and not kept: a particle that sees a collider has no row,
 * and is not moved into it.
 */
#include "math/lanes.h"
#include "systems/fluid/fluid_loops.h"

enum { ITERATIONS = 12 };
/* What may be missing in the end, squared, as a part of what is missing at first. */
#define PRECISION 1e-4

typedef struct keep {
    sn_fluid_pass *pass;
    double step, again;
} keep;

static double dot(sn_vec4 a, sn_vec4 b) {
    return ((double)a.x * (double)b.x + (double)a.y * (double)b.y) + (double)a.z * (double)b.z;
}

static sn_vec4 along(sn_vec4 a, double t, sn_vec4 b) {
    sn_real s = (sn_real)t;
    return (sn_vec4){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w};
}

/* Which part of its vorticity a place keeps. */
static double part_of(const sn_fluid_pass *p, size_t at) {
    const sn_fluid_places *s = p->places;
    if (at >= s->count || s->wall[at].w > 0 || !(s->trait[at].y > 0)) return 0;
    return (double)sn_fluids_of(p->world)
        ->members[s->particle[s->order[at]].fluid]
        .def.vorticity_kept;
}

static void gather_motion(void *context, size_t begin, size_t end) {
    const sn_fluid_pass *p = context;
    const sn_nodes *n = &p->world->nodes;
    const sn_fluid_places *s = p->places;
    const sn_real per_h = (sn_real)(1 / p->h);
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK && at < s->count; at++) {
        sn_vec4 d = n->d[s->node[at]], from = n->p[s->node[at]];
        s->v[at] = (sn_vec4){per_h * (d.x - from.x), per_h * (d.y - from.y), per_h * (d.z - from.z),
                             s->v[at].w};
    }
}

static void remember(void *context, size_t begin, size_t end) {
    const sn_fluid_places *s = ((const sn_fluid_pass *)context)->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK; at++) s->residual[at] = s->product[at];
}

void sn_fluid_note_vorticity(sn_fluid_pass *p) {
    sn_fluid_run(p->world, gather_motion, p);
    p->of = p->places->v;
    sn_fluid_images_copy(p->world, p->places->v);
    sn_fluid_run(p->world, sn_fluid_loops_of(p->world)->curls, p);
    sn_fluid_run(p->world, remember, p);
}

/* ---- Ranges of blocks, each with the sum that follows from it ---- */

static void miss(void *context, size_t begin, size_t end) {
    const keep *c = context;
    const sn_fluid_places *s = c->pass->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK; at++) {
        double part = part_of(c->pass, at);
        sn_vec4 left = along(s->residual[at], -1, s->product[at]);
        s->residual[at] = part > 0 ? along((sn_vec4){0}, part, left) : (sn_vec4){0};
    }
}

/* The product is the slope: kinetic energy of it. */
static void measure_slope(void *context, size_t begin, size_t end) {
    const keep *c = context;
    const sn_fluid_places *s = c->pass->places;
    for (size_t block = begin; block < end; block++) {
        double sum = 0;
        for (size_t at = block * SN_BLOCK; at < (block + 1) * SN_BLOCK; at++)
            if (s->trait[at].y > 0)
                sum += dot(s->product[at], s->product[at]) / (double)s->trait[at].y;
        s->sum[block] = sum;
    }
}

static void turn(void *context, size_t begin, size_t end) {
    const keep *c = context;
    const sn_fluid_places *s = c->pass->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK; at++)
        s->search[at] = along(s->product[at], c->again, s->search[at]);
}

/* The product is the vorticity of the search. */
static void measure_turn(void *context, size_t begin, size_t end) {
    const keep *c = context;
    const sn_fluid_places *s = c->pass->places;
    for (size_t block = begin; block < end; block++) {
        double sum = 0;
        for (size_t at = block * SN_BLOCK; at < (block + 1) * SN_BLOCK; at++) {
            if (!(part_of(c->pass, at) > 0)) s->product[at] = (sn_vec4){0};
            sum += (double)s->y[at].w * dot(s->product[at], s->product[at]);
        }
        s->sum[block] = sum;
    }
}

static void advance(void *context, size_t begin, size_t end) {
    const keep *c = context;
    const sn_fluid_places *s = c->pass->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK; at++) {
        s->v[at] = along(s->v[at], c->step, s->search[at]);
        s->residual[at] = along(s->residual[at], -c->step, s->product[at]);
    }
}

/* The slope of the density of a wall leads into it: nobody is sent there. */
static void write_velocities(void *context, size_t begin, size_t end) {
    const keep *c = context;
    const sn_fluid_places *s = c->pass->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK && at < s->count; at++) {
        sn_vec4 *v = &c->pass->world->nodes.v[s->node[at]], into = s->wall[at];
        sn_vec4 change = along(s->v[at], -1, *v);
        double steep = dot(into, into), inward = dot(change, into);
        if (steep > 0 && inward > 0) change = along(change, -inward / steep, into);
        v->x += change.x;
        v->y += change.y;
        v->z += change.z;
    }
}

static double sum_of(keep *c, sn_range_function *function) {
    const sn_fluid_places *s = c->pass->places;
    double sum = 0;
    sn_fluid_run(c->pass->world, function, c);
    for (size_t block = 0; block < s->blocks; block++) sum += s->sum[block];
    return sum;
}

void sn_fluids_keep_vorticity(sn_step *step) {
    sn_world *world = step->world;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    /* A fluid that asks for it may have nobody yet, beside others that do not. */
    if (sn_fluid_rests(s) || !s->is_kept) return;
    const sn_fluid_loops *loops = sn_fluid_loops_of(world);
    sn_fluid_pass p = sn_fluid_gather(step);
    keep c = {.pass = &p};
    size_t nobody = s->blocks * SN_BLOCK;
    s->residual[nobody] = s->search[nobody] = (sn_vec4){0};
    for (size_t at = 0; at < nobody; at++) s->search[at] = (sn_vec4){0};
    sn_fluid_run(world, loops->curls, &p);
    sn_fluid_run(world, miss, &c);
    sn_fluid_images_copy(world, s->residual);
    sn_fluid_run(world, loops->spins, &p);
    double left = sum_of(&c, measure_slope), enough = PRECISION * left;
    p.of = s->search;
    for (int i = 0; i < ITERATIONS && left > enough; i++) {
        sn_fluid_run(world, turn, &c);
        sn_fluid_images_copy(world, s->search);
        sn_fluid_run(world, loops->curls, &p);
        double stretch = sum_of(&c, measure_turn);
        if (!(stretch > 0)) break;
        c.step = left / stretch;
        sn_fluid_run(world, advance, &c);
        sn_fluid_images_copy(world, s->residual);
        sn_fluid_run(world, loops->spins, &p);
        double before = left;
        left = sum_of(&c, measure_slope);
        c.again = left / before;
    }
    sn_fluid_run(world, write_velocities, &c);
}
