/* Particles: balls, and nothing between them. */
#include "bodies/kind.h"

static sn_result weigh(sn_builder *b) {
    const sn_particles_material *m = b->material;
    SN_TRY(sn_builder_check_above("particles", "radius", m->radius));
    SN_TRY(sn_builder_check_above("particles", "density", m->density));
    double r = (double)m->radius;
    for (size_t i = 0; i < b->mesh->vertex_count; i++) {
        b->mass[i] = (double)m->density * (4 * 3.14159265358979323846 / 3) * r * r * r;
        b->defs[i].radius = m->radius;
    }
    return SN_OK;
}

SN_DEFINE_KIND(particles, SN_PARTICLES_FIELDS, "nodes without constraints, balls of one size",
               .skin = SN_BODY_SKIN_NODES, .weigh = weigh)
