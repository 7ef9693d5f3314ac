/* What a step needs to know of each particle: volume, reach, and in how much it takes part. */
#include "base/team.h"
#include "math/root.h"
#include "systems/diffusion/diffusions.h"
#include "systems/fluid/fluids.h"

#include <math.h>

enum { PIECES_ALONE = 2 };

/* Of one fluid. */
typedef struct fill {
    const sn_step *step;
    sn_fluid_places *s;
    const sn_fluid_members *m;
    size_t fluid, first;
    double mean, reach, ahead; /* m^3, m, and the margin over the reach */
    double volume, spacing;    /* m^3, m, of its first particle: most are as that one */
    sn_fluid_particle like;    /* the first of all */
} fill;

static size_t end_of(const fill *f, size_t piece) {
    size_t end = (piece + 1) * SN_FLUID_PIECE;
    return end < f->m->count ? end : f->m->count;
}

/* 1/kg, of a node without what it carries, which takes no room. */
static double bare_inverse_mass(const sn_world *world, uint32_t node) {
    const double *loads = sn_diffusions_loads(world);
    return loads ? (double)world->nodes.w[node] * (double)(sn_real)loads[node]
                 : (double)world->nodes.w[node];
}

static double inverse_mass_of(const fill *f, size_t k) {
    return bare_inverse_mass(f->step->world, f->m->node[k].slot - 1);
}

static void compare_masses(void *context, size_t begin, size_t end) {
    const fill *f = context;
    const double first = inverse_mass_of(f, 0);
    for (size_t piece = begin; piece < end; piece++) {
        bool same = true;
        for (size_t k = piece * SN_FLUID_PIECE; k < end_of(f, piece); k++)
            same &= inverse_mass_of(f, k) == first;
        f->s->piece[piece].is_alike = same;
    }
}

/* The mean volume of the particles that have a mass; 0 where none has. A sum goes from one to the
   next, however many threads there are: it is made again only where there is something new. */
static double mean_volume(fill *f, sn_fluid_members *m) {
    double mass = 0, counted = 0;
    bool same = m->count > 0;
    if (same)
        sn_team_run(f->step->world->bindings.team, sn_fluid_pieces(m->count), PIECES_ALONE,
                    compare_masses, f);
    for (size_t k = 0; k < sn_fluid_pieces(m->count); k++) same &= f->s->piece[k].is_alike;
    if (same && m->equals == m->count && m->equal == inverse_mass_of(f, 0))
        return m->mean / (double)m->def.rest_density;
    for (size_t k = 0; k < m->count; k++) {
        double w = inverse_mass_of(f, k);
        if (!(w > 0)) continue;
        mass += 1 / w;
        counted++;
    }
    m->mean = counted > 0 ? mass / counted : 0;
    m->equals = same ? m->count : 0;
    m->equal = same ? inverse_mass_of(f, 0) : 0;
    return m->mean / (double)m->def.rest_density;
}

static bool is_like(const sn_world *world, const sn_fluid_particle *a, const sn_fluid_particle *b) {
    return world->nodes.w[a->node] == world->nodes.w[b->node] && a->volume == b->volume &&
           a->half_reach == b->half_reach && a->viscosity == b->viscosity;
}

/* In how many iterations of a substep a particle takes part, by how far it is from where one looks
   (Koester and Krueger 2016). */
static uint32_t turns_of(const sn_world *world, const sn_fluid_def *def, uint32_t node,
                         uint32_t iterations) {
    if (def->detail_radius == SN_AUTO) return iterations;
    sn_vec4 x = world->nodes.x[node];
    double a = (double)x.x - (double)def->detail_point.x;
    double b = (double)x.y - (double)def->detail_point.y;
    double c = (double)x.z - (double)def->detail_point.z, far = sqrt((a * a + b * b) + c * c);
    if (!(far > (double)def->detail_radius)) return iterations;
    uint32_t turns = (uint32_t)ceil(iterations * ((double)def->detail_radius / far));
    return turns > 1 ? turns : 1;
}

static double volume_of(const fill *f, size_t k) {
    double w = inverse_mass_of(f, k);
    return w > 0 ? 1 / (w * (double)f->m->def.rest_density) : f->mean;
}

static double spacing_of(const fill *f, double volume) {
    return volume == f->volume ? f->spacing : sn_cube_root(volume);
}

/* m: how far one of a volume reaches. Rounding makes no difference. */
static double reach_of(const fill *f, double volume) {
    bool chosen = f->m->def.reach == SN_AUTO;
    return chosen && fabs(volume - f->mean) > 1e-3 * f->mean ? 2 * spacing_of(f, volume) : f->reach;
}

static sn_fluid_particle particle_of(const fill *f, size_t k, double volume, double reach) {
    const sn_fluid_def *def = &f->m->def;
    const double h = f->step->h;
    const uint32_t node = f->m->node[k].slot - 1;
    return (sn_fluid_particle){
        .node = node,
        .fluid = (uint32_t)f->fluid,
        .volume = (sn_real)volume,
        .spacing = (sn_real)spacing_of(f, volume),
        .half_reach = (sn_real)(0.5 * reach),
        .alpha = (sn_real)((double)def->compliance / (h * h)),
        .viscosity = (sn_real)((double)def->viscosity * (double)def->rest_density),
        .turns = turns_of(f->step->world, def, node, (uint32_t)f->step->iterations)};
}

static void fill_pieces(void *context, size_t begin, size_t end) {
    const fill *f = context;
    const sn_world *world = f->step->world;
    const double thin = (double)f->m->def.viscosity, h = f->step->h;
    for (size_t piece = begin; piece < end; piece++) {
        sn_fluid_piece sum = {.margin = INFINITY, .is_alike = true};
        for (size_t k = piece * SN_FLUID_PIECE; k < end_of(f, piece); k++) {
            sn_fluid_particle *p = &f->s->particle[f->first + k];
            double volume = volume_of(f, k), own = reach_of(f, volume);
            *p = particle_of(f, k, volume, own);
            f->s->clear[f->first + k] = (sn_vec4){0};
            sum.is_thick |= own < f->reach && thin > 0.025 * own * own / h;
            sum.is_detailed |= p->turns < (uint32_t)f->step->iterations;
            sum.is_alike &= is_like(world, p, &f->like);
            sum.reach = own > sum.reach ? own : sum.reach;
            sum.margin = f->ahead * own < sum.margin ? f->ahead * own : sum.margin;
        }
        f->s->piece[piece] = sum;
    }
}

static void add_pieces(sn_fluid_places *s, size_t count) {
    for (size_t k = 0; k < sn_fluid_pieces(count); k++) {
        const sn_fluid_piece *sum = &s->piece[k];
        s->is_thick |= sum->is_thick;
        s->is_detailed |= sum->is_detailed;
        s->is_alike &= sum->is_alike;
        if (sum->reach > s->reach) s->reach = sum->reach;
        if (!(s->margin > 0) || sum->margin < s->margin) s->margin = sum->margin;
    }
    s->count += count;
}

/* One of walls alone reaches nobody. */
void sn_fluid_particles_add(const sn_step *step, size_t fluid) {
    sn_fluids *fluids = sn_fluids_of(step->world);
    sn_fluid_places *s = &fluids->places;
    sn_fluid_members *m = &fluids->members[fluid];
    fill f = {.step = step, .s = s, .m = m, .fluid = fluid, .first = s->count};
    m->first = s->count;
    m->measured = 0;
    f.mean = mean_volume(&f, m);
    if (!(f.mean > 0)) return;
    const double spacing = sn_cube_root(f.mean);
    /* More would overshoot where what a pair takes back is found from velocities before. */
    s->is_thick |= (double)m->def.viscosity > 0.1 * spacing * spacing / step->h;
    s->is_confined |= m->def.vorticity > 0;
    s->is_cohesive |= m->def.cohesion > 0;
    s->is_tight |= m->def.surface_tension > 0;
    s->is_kept |= m->def.vorticity_kept > 0;
    s->is_weighed |= m->def.wall_forces;
    s->is_equal |= m->def.equality;
    s->is_smooth |= m->def.xsph > 0;
    s->is_tense |= m->def.artificial_pressure > 0;
    f.reach = m->def.reach == SN_AUTO ? 2 * spacing : (double)m->def.reach;
    /* Lists that are for one substep have only iterations to last. */
    f.ahead = step->substeps > 1 ? 0.1 : 0.03;
    f.volume = volume_of(&f, 0);
    f.spacing = sn_cube_root(f.volume);
    f.like = s->count > 0 ? s->particle[0] : particle_of(&f, 0, f.volume, reach_of(&f, f.volume));
    sn_team_run(step->world->bindings.team, sn_fluid_pieces(m->count), PIECES_ALONE, fill_pieces,
                &f);
    add_pieces(s, m->count);
    m->measured = m->count;
}
