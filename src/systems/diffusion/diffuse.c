/*
 * What goes over between nodes near each other.
 *
 *   m_i dT_i/dt = sum_j m_ij k (D / s^2) (1 - r / R)^2 (T_j - T_i)        R = 2 s
 *
 * with the harmonic means m_ij and D of both, s the mean of their spacings. It is what Cleary and
 * Monaghan (1999) have, with a kernel whose fall over distance is (1 - r / R)^2. On a cubic lattice
 * it is D laplace T for k = 2 / sum_j (x_j / s)^2 (1 - r_j / R)^2, which is 1.503889.
 *
 * All nodes at once, in as many passes as a step takes for no node to change by more than half of
 * what is between it and its neighbours.
 */
#include "math/vector.h"
#include "systems/diffusion/diffusions.h"

#define LATTICE 1.503889
/* sum_j (1 - r_j / R)^2 there. */
#define CROWD 2.673031

enum { ALONE = 512, MOST_PASSES = 64 };

typedef struct pass {
    const sn_world *world;
    const sn_diffusions *all;
    sn_carriers *carriers;
    double time; /* s */
} pass;

static double harmonic(double a, double b) {
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

static double distance_of(const sn_world *world, uint32_t i, uint32_t j) {
    sn_v4 way = *(const sn_v4 *)&world->nodes.x[i] - *(const sn_v4 *)&world->nodes.x[j];
    way[3] = 0;
    return (double)SN_ROOT(sn_v4_dot(way, way));
}

/* What a step begins with. */
static void gather(void *context, size_t begin, size_t end) {
    const pass *p = context;
    for (size_t k = begin; k < end; k++) {
        sn_carrier *c = &p->carriers->carrier[k];
        const sn_diffusion_state *d = &p->all->state[c->diffusion];
        c->value = d->value[c->number];
        c->mass = p->world->nodes.w[c->node] > 0 && c->is_there ? d->mass[c->number] : 0;
    }
}

static void measure_flows(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_carriers *all = p->carriers;
    for (size_t k = begin; k < end; k++) {
        sn_carrier *i = &all->carrier[k];
        double own = (double)p->all->state[i->diffusion].def.diffusivity, sum = 0, crowd = 0;
        for (size_t n = all->first[k]; n < all->first[k + 1]; n++) {
            const sn_carrier *j = &all->carrier[all->near[n]];
            double other = (double)p->all->state[j->diffusion].def.diffusivity;
            double spacing = 0.5 * (i->spacing + j->spacing);
            double left = 1 - distance_of(p->world, i->node, j->node) / (2 * spacing);
            double part = left > 0 ? left * left : 0;
            double mass = j->mass > 0 ? harmonic(i->mass, j->mass) : i->mass;
            double flow = mass * (LATTICE * harmonic(own, other) / (spacing * spacing) * part);
            all->flow[n] = flow;
            sum += flow;
            crowd += part;
        }
        i->rate = i->mass > 0 ? sum / i->mass : 0;
        i->crowd = crowd < CROWD ? crowd / CROWD : 1;
    }
}

static void sum_flows(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_carriers *all = p->carriers;
    for (size_t k = begin; k < end; k++) {
        sn_carrier *i = &all->carrier[k];
        double sum = 0;
        for (size_t n = all->first[k]; n < all->first[k + 1]; n++)
            sum += all->flow[n] * (all->carrier[all->near[n]].value - i->value);
        i->change = i->mass > 0 ? p->time * sum / i->mass : 0;
    }
}

static void take_over(void *context, size_t begin, size_t end) {
    const pass *p = context;
    for (size_t k = begin; k < end; k++) {
        sn_carrier *c = &p->carriers->carrier[k];
        const sn_diffusion_state *d = &p->all->state[c->diffusion];
        double *value = &d->value[c->number], *liquid = &d->liquid[c->number];
        if (!(c->mass > 0)) continue;
        double heat = sn_diffusion_heat(&d->def, *value, *liquid) + c->change;
        sn_diffusion_settle(&d->def, heat, value, liquid);
        c->value = *value;
    }
}

void sn_diffusions_exchange(sn_step *step) {
    sn_world *world = step->world;
    sn_diffusions *all = sn_diffusions_of(world);
    pass p = {world, all, &all->carriers, 0};
    double fastest = 0;
    size_t count = p.carriers->count;
    sn_team *team = world->bindings.team;
    sn_team_run(team, count, ALONE, gather, &p);
    sn_team_run(team, count, ALONE, measure_flows, &p);
    for (size_t k = 0; k < count; k++)
        if (p.carriers->carrier[k].rate > fastest) fastest = p.carriers->carrier[k].rate;
    double passes = 1, needed = 2 * fastest * step->dt;
    while (passes < needed && passes < MOST_PASSES) passes++;
    p.time = needed > passes ? 1 / (2 * fastest) : step->dt / passes;
    for (int k = 0; k < (int)passes && fastest > 0; k++) {
        sn_team_run(team, count, ALONE, sum_flows, &p);
        sn_team_run(team, count, ALONE, take_over, &p);
    }
    sn_diffusions_take_in(world, step->dt);
}
