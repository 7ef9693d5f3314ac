/* The parts of the builder of solids. */
#ifndef SN_BODIES_BODY_SOLID_H
#define SN_BODIES_BODY_SOLID_H

#include "bodies/kind.h"

/* The choices of the field `model`. */
enum {
    SN_SOLID_NEO_HOOKEAN,
    SN_SOLID_EDGES,
    SN_SOLID_ELASTIC,
    SN_SOLID_COROTATED,
    SN_SOLID_STRAIN,
    SN_SOLID_ORTHOTROPIC,
    SN_SOLID_QUADRATIC,
    SN_SOLID_EXPLICIT
};

/* m^3 */
double sn_solid_volume(const sn_builder *b, size_t tet);

/* Pa, of what is in a tet, as if all of it were filled with something softer; automatic stays. */
sn_real sn_solid_modulus(const sn_builder *b, size_t tet, sn_real modulus);

/* What a tet becomes; whether it is wanted. */
typedef bool sn_define_tet(const sn_builder *b, size_t tet, void *to);

/* Makes a constraint of a type for every tet that wants one. */
sn_result sn_solid_add_tets(sn_builder *b, sn_type type, size_t size, sn_define_tet *define);

/* solid_edges.c: edges, and the volumes that they need. */
sn_result sn_solid_add_edges(sn_builder *b);

/* solid_models.c: the constraints of the model, and what comes beside it: volumes and fibres. */
sn_result sn_solid_add_model(sn_builder *b);
sn_result sn_solid_add_more(sn_builder *b);

/* solid_quadratic.c: whether the mesh and the material are such that there can be tets with ten
   nodes, and these. */
sn_result sn_solid_check_quadratic(const sn_builder *b);
sn_result sn_solid_add_quadratic(sn_builder *b);

/* solid_explicit.c: finite elements that are integrated explicitly. */
sn_result sn_solid_add_explicit(sn_builder *b);

/* solid_substeps.c: how many substeps a second the material needs, in 1/s; 0 where it is as hard as
   the substeps allow. */
sn_result sn_solid_find_substep_rate(sn_builder *b);

#endif
