/*
 * Viscosity of thick fluids, such as honey: backward Euler, so that any amount is stable and the
 * motion becomes that of a rigid body where there is much of it.
 *
 *   (M + h L) v' = M v,   m_i (h L v)_i the loss of momentum of fluid_loops.c, negative
 *
 * by conjugate gradients in the inner product of masses, from the velocities that are there. What
 * is missing at first, -M^-1 h L v, has neither momentum, and neither has L of anything: so all
 * iterates have both momenta of v, however many there are. Where the solve ends early the fluid is
 * a little thinner than asked for over long distances.
 */
#include "math/lanes.h"
#include "systems/fluid/fluid_loops.h"

enum { MOST_ITERATIONS = 60 };
/* What may be missing in the end, squared, as a part of what is missing at first. */
#define PRECISION 1e-6

typedef struct solve {
    const sn_fluid_pass *pass;
    double step;  /* how far along the search */
    double again; /* how much of the last search is in the next */
    bool first;
} solve;

static double dot(sn_vec4 a, sn_vec4 b) {
    return ((double)a.x * (double)b.x + (double)a.y * (double)b.y) + (double)a.z * (double)b.z;
}

/* a + t b, with the viscosity of a beside it. */
static sn_vec4 along(sn_vec4 a, double t, sn_vec4 b) {
    sn_real s = (sn_real)t;
    return (sn_vec4){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w};
}

/* The product has what viscosity would change: the matrix over M is one less that. */
static void measure_search(void *context, size_t begin, size_t end) {
    const solve *c = context;
    sn_fluid_places *s = c->pass->places;
    for (size_t block = begin; block < end; block++) {
        double sum = 0;
        for (size_t at = block * SN_BLOCK; at < (block + 1) * SN_BLOCK; at++) {
            sn_real w = s->trait[at].y;
            s->product[at] = along(s->search[at], -1, s->product[at]);
            if (w > 0) sum += dot(s->search[at], s->product[at]) / (double)w;
        }
        s->sum[block] = sum;
    }
}

static void advance(void *context, size_t begin, size_t end) {
    const solve *c = context;
    sn_fluid_places *s = c->pass->places;
    for (size_t block = begin; block < end; block++) {
        double sum = 0;
        for (size_t at = block * SN_BLOCK; at < (block + 1) * SN_BLOCK; at++) {
            sn_real w = s->trait[at].y;
            if (c->first) {
                s->residual[at] = s->product[at];
            } else {
                s->v[at] = along(s->v[at], c->step, s->search[at]);
                s->residual[at] = along(s->residual[at], -c->step, s->product[at]);
            }
            if (w > 0) sum += dot(s->residual[at], s->residual[at]) / (double)w;
        }
        s->sum[block] = sum;
    }
}

static void turn(void *context, size_t begin, size_t end) {
    const solve *c = context;
    sn_fluid_places *s = c->pass->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK; at++) {
        sn_real mu = s->v[at].w;
        s->search[at] = along(s->residual[at], c->again, s->search[at]);
        s->search[at].w = mu;
    }
}

static void write_velocities(void *context, size_t begin, size_t end) {
    const solve *c = context;
    const sn_fluid_places *s = c->pass->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK && at < s->count; at++) {
        sn_vec4 *v = &c->pass->world->nodes.v[s->node[at]];
        v->x = s->v[at].x;
        v->y = s->v[at].y;
        v->z = s->v[at].z;
    }
}

/* In the order of blocks, so that it is the same for any number of threads. */
static double sum_of(solve *c, sn_range_function *function) {
    const sn_fluid_places *s = c->pass->places;
    double sum = 0;
    sn_fluid_run(c->pass->world, function, c);
    for (size_t block = 0; block < s->blocks; block++) sum += s->sum[block];
    return sum;
}

void sn_fluid_solve_viscosity(const sn_fluid_pass *pass) {
    sn_world *world = pass->world;
    sn_fluid_places *s = pass->places;
    sn_range_function *products = sn_fluid_loops_of(world)->products[sn_fluid_is_alike(world)];
    sn_fluid_pass p = *pass;
    solve c = {.pass = pass, .first = true};
    for (size_t at = 0; at < s->blocks * SN_BLOCK; at++) s->search[at] = s->v[at];
    s->search[s->blocks * SN_BLOCK] = (sn_vec4){0};
    sn_fluid_images_copy(world, s->search);
    sn_fluid_run(world, products, &p);
    double left = sum_of(&c, advance), enough = PRECISION * left;
    c.first = false;
    for (int i = 0; i < MOST_ITERATIONS && left > enough; i++) {
        sn_fluid_run(world, turn, &c);
        sn_fluid_images_copy(world, s->search);
        sn_fluid_run(world, products, &p);
        double stretch = sum_of(&c, measure_search);
        if (!(stretch > 0)) break;
        c.step = left / stretch;
        double before = left;
        left = sum_of(&c, advance);
        c.again = left / before;
    }
    sn_fluid_run(world, write_velocities, &c);
}
