/* Gases: fluids in air, which lifts them and takes hold of them. */
#include "bodies/body_fluid.h"

#include <math.h>

static sn_result weigh(sn_builder *b) {
    const sn_gas_material *m = b->material;
    sn_settings settings;
    SN_TRY(sn_world_get_settings(b->world, &settings));
    double weight = fabs(1 - (double)settings.air_density / (double)m->density);
    return sn_fluid_weigh(b, "gas", m->spacing, m->density, weight);
}

static sn_result connect(sn_builder *b) {
    const sn_gas_material *m = b->material;
    sn_fluid_def def = sn_fluid_def_of(b, m->density, m->compliance, m->viscosity, m->vorticity);
    def.ambient_drag = m->drag;
    def.buoyant = true;
    return sn_fluid_create(b->world, &def, &b->fluid);
}

SN_DEFINE_KIND(gas, SN_GAS_MATERIAL_FIELDS, "particles that keep their volume, in air",
               .surface = SN_BODY_SKIN_NODES, .varies = "", .weigh = weigh, .connect = connect)
