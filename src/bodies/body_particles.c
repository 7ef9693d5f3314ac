/* Particles: balls, and nothing between them. Where the body rolls, they turn as full balls do. */
#include "bodies/kind.h"

static sn_result weigh(sn_builder *b) {
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        const sn_particles_material *m = sn_builder_at(b, &i, 1);
        double r = (double)m->radius;
        b->mass[i] = (double)m->density * (4 * 3.14159265358979323846 / 3) * r * r * r;
        b->defs[i].radius = m->radius;
    }
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

static sn_result connect(sn_builder *b) {
    return sn_builder_add_drag(b, ((const sn_particles_material *)b->material)->drag, false);
}

SN_DEFINE_KIND(particles, SN_PARTICLES_FIELDS, "nodes without constraints, balls of one size",
               .surface = SN_BODY_SKIN_NODES, .varies = "radius density", .weigh = weigh,
               .shape = shape, .connect = connect)
