/* What fluids and gases have in common. */
#ifndef SN_BODIES_BODY_FLUID_H
#define SN_BODIES_BODY_FLUID_H

#include "bodies/kind.h"

#include <sinew/fluid.h>

/* Masses and radii of particles that fill cubes of a spacing (m), which may be automatic, where
   they weigh so many times what they would without air. */
sn_result sn_fluid_weigh(sn_builder *b, const char *kind, sn_real given, sn_real density,
                         double weight);

/* A fluid of the nodes of a body. */
sn_fluid_def sn_fluid_def_of(const sn_builder *b, sn_real density, sn_real compliance,
                             sn_real viscosity, sn_real vorticity);

#endif
