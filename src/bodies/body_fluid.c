/* Fluids and gases: particles that keep their volume. */
#include "bodies/body_fluid.h"

#include <math.h>

/* m: as given, or the least distance from the first vertex. */
static double spacing_of(const sn_builder *b, sn_real given) {
    if (given != SN_AUTO) return (double)given;
    double least = 0;
    for (uint32_t i = 1; i < b->mesh->vertex_count; i++) {
        double far = sn_builder_distance(b, 0, i);
        if (far > 0 && (!(least > 0) || far < least)) least = far;
    }
    return least;
}

sn_result sn_fluid_weigh(sn_builder *b, const char *kind, sn_real given, sn_real density,
                         double weight) {
    double spacing = spacing_of(b, given), low = INFINITY, high = -INFINITY;
    if (b->mesh->triangle_count + b->mesh->line_count + b->mesh->tet_count > 0)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "%s: the mesh has elements, expected points alone, such as a lattice", kind);
    if (!(spacing > 0))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "%s: no vertex is apart from the first one, expected a spacing", kind);
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        b->mass[i] = (double)density * spacing * spacing * spacing;
        b->defs[i].radius = (sn_real)(spacing / 2);
        low = fmin(low, b->x[i].y);
        high = fmax(high, b->x[i].y);
    }
    /* The foot of a column of its height is compressed by 1.1 g H (h / spacing)^2: by 4 % where
       this rate times h is 0.35. */
    b->substep_rate = sqrt(3.4 * 9.81 * weight * (high - low + spacing)) / spacing;
    return SN_OK;
}

/* Waves as short as a spacing, which surface tension drives, take 20 substeps in
   sqrt(density spacing^3 / tension). */
static sn_result weigh(sn_builder *b) {
    const sn_fluid_material *m = b->material;
    SN_TRY(sn_fluid_weigh(b, "fluid", m->spacing, m->density, 1));
    b->substep_rate = fmax(b->substep_rate, 7 * sqrt((double)m->surface_tension / b->mass[0]));
    return SN_OK;
}

sn_fluid_def sn_fluid_def_of(const sn_builder *b, sn_real density, sn_real compliance,
                             sn_real viscosity, sn_real vorticity) {
    sn_fluid_def def = sn_fluid_def_default();
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.rest_density = density;
    def.compliance = compliance;
    def.viscosity = viscosity;
    def.vorticity = vorticity;
    return def;
}

static sn_result connect(sn_builder *b) {
    const sn_fluid_material *m = b->material;
    sn_fluid_def def = sn_fluid_def_of(b, m->density, m->compliance, m->viscosity, m->vorticity);
    def.artificial_pressure = m->artificial_pressure;
    def.surface_tension = m->surface_tension;
    def.adhesion = m->adhesion;
    def.immiscible = m->immiscible != 0;
    def.vorticity_kept = m->vorticity_kept;
    def.detail_point = m->detail_point;
    def.detail_radius = m->detail_radius;
    def.wall_forces = m->wall_forces != 0;
    def.coarse_depth = m->coarse_depth;
    def.equality = m->equality != 0;
    def.xsph = m->xsph;
    return sn_fluid_create(b->world, &def, &b->fluid);
}

SN_DEFINE_KIND(fluid, SN_FLUID_MATERIAL_FIELDS, "particles that keep their volume",
               .surface = SN_BODY_SKIN_NODES, .varies = "", .weigh = weigh, .connect = connect)
