/* Particles: balls, and nothing between them but in grains of several, which keep their shape.
   Where the body rolls, they turn as full balls do. */
#include "bodies/kind.h"

#include <sinew/fluid.h>

#include <math.h>

static sn_result check_balls(const sn_builder *b) {
    const double balls = (double)((const sn_particles_material *)b->material)->balls;
    const size_t count = b->mesh->vertex_count;
    if (balls != floor(balls))
        return sn_fail(SN_ERROR_VALUE, "particles: balls is %g, expected a whole number", balls);
    if (count % (size_t)balls != 0)
        return sn_fail(SN_ERROR_VALUE,
                       "particles: the mesh has %zu vertices, expected a multiple of balls, %g",
                       count, balls);
    return SN_OK;
}

static sn_result weigh(sn_builder *b) {
    SN_TRY(check_balls(b));
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        const sn_particles_material *m = sn_builder_at(b, &i, 1);
        double r = (double)m->radius;
        b->mass[i] = (double)m->density * (4 * 3.14159265358979323846 / 3) * r * r * r;
        b->defs[i].radius = m->radius;
    }
    /* A bridge moves a grain by 0.03 of its radius in a substep where this rate times h is 0.35. */
    const sn_particles_material *all = b->material;
    double r = (double)all->radius;
    if (all->cohesion > 0)
        b->substep_rate = sqrt(6 * (double)all->cohesion / ((double)all->density * r)) / r;
    return SN_OK;
}

static sn_result shape(sn_builder *b) {
    for (uint32_t i = 0; b->def->body.rolls && i < b->mesh->vertex_count; i++) {
        sn_node_def *def = &b->defs[i];
        double r = (double)def->radius;
        sn_real inverse = (sn_real)(1 / (0.4 * b->mass[i] * r * r));
        if (!(r > 0)) continue;
        def->oriented = true;
        def->angular_velocity = b->def->angular_velocity;
        def->inverse_inertia = (sn_vec3){inverse, inverse, inverse};
    }
    return SN_OK;
}

/* A region for each grain, which is as hard as can be. Where the body rolls, its balls turn with
   it: friction acts where they touch others, and not at their middles. */
static sn_result add_grains(sn_builder *b, size_t balls) {
    const size_t count = b->mesh->vertex_count, grains = count / balls;
    sn_shape_matching_def def = sn_shape_matching_def_default();
    sn_regions regions = sn_regions_default();
    regions.count = grains;
    def.oriented = b->def->body.rolls;
    regions.first = sn_allocate(b->memory, grains + 1, sizeof *regions.first);
    regions.members = sn_allocate(b->memory, count, sizeof *regions.members);
    sn_result result = SN_ERROR_MEMORY;
    if (regions.first && regions.members) {
        for (size_t i = 0; i <= grains; i++) regions.first[i] = (uint32_t)(i * balls);
        for (size_t i = 0; i < count; i++) regions.members[i] = (uint32_t)i;
        result = sn_builder_add_matching(b, &regions, 0, &def);
    }
    sn_free(b->memory, regions.first, grains + 1, sizeof *regions.first);
    sn_free(b->memory, regions.members, count, sizeof *regions.members);
    return result;
}

/* Grains that are wet are a fluid for the sake of its bridges: balls at their densest, 0.74, fill
   two thirds of its volume, so that it never pushes. Bridges break half a radius from contact. */
static sn_result connect(sn_builder *b) {
    const sn_particles_material *m = b->material;
    SN_TRY(sn_builder_add_drag(b, m->drag, false));
    if (m->balls > 1) SN_TRY(add_grains(b, (size_t)m->balls));
    if (!(m->cohesion > 0)) return SN_OK;
    sn_fluid_def def = sn_fluid_def_default();
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.rest_density = (sn_real)(1.1 * (double)m->density);
    def.reach = (sn_real)(2.5 * (double)m->radius);
    def.cohesion = m->cohesion;
    return sn_fluid_create(b->world, &def, &b->fluid);
}

SN_DEFINE_KIND(particles, SN_PARTICLES_FIELDS,
               "balls of one size, each alone or several that keep the shape of a grain",
               .surface = SN_BODY_SKIN_NODES, .varies = "radius density", .weigh = weigh,
               .shape = shape, .connect = connect)
