/* What ropes, rods and hair have in common: lines with a cross-section. */
#ifndef SN_BODIES_LINES_H
#define SN_BODIES_LINES_H

#include "bodies/kind.h"

#define SN_CIRCLE 3.14159265358979323846

/* What the cross-section weighs and how wide it is for contacts, from a material of any kind. */
typedef struct sn_lines_section {
    sn_real radius, density;
    double area; /* m^2; 0: of a circle of the radius */
} sn_lines_section;
typedef sn_lines_section sn_lines_section_at(const void *material);

/* Refuses a mesh without lines and lines without length, and gives half of each line to its
   ends. */
sn_result sn_lines_weigh(sn_builder *b, sn_lines_section_at *cut);

/* Makes a joint of a rod stand for another length, with the same rotation at rest. */
sn_result sn_rod_set_joint_length(sn_world *world, sn_constraint joint, double length);

static inline bool sn_rod_is_same(sn_node a, sn_node b) {
    return a.slot == b.slot && a.generation == b.generation;
}

/* All constraints of a type; ends with what does not succeed. */
typedef sn_result sn_rod_visitor(sn_world *world, sn_constraint constraint, void *context);
sn_result sn_rod_visit(sn_world *world, sn_type type, sn_rod_visitor *see, void *context);

/* Whether it is solved all at once, so that substeps are enough for its stiffness. */
bool sn_lines_are_direct(const sn_builder *b);

/* By what substeps are enough for its weight, where it hangs. */
void sn_lines_find_hung_rate(sn_builder *b);

#endif
