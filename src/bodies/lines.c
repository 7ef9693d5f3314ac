#include "bodies/lines.h"

sn_result sn_lines_weigh(sn_builder *b, const char *kind, sn_real radius, sn_real density) {
    SN_TRY(sn_builder_check_above(kind, "radius", radius));
    SN_TRY(sn_builder_check_above(kind, "density", density));
    if (b->mesh->line_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "%s: the mesh has no lines", kind);
    double r = (double)radius;
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const uint32_t *line = b->mesh->lines[i];
        double length = sn_builder_distance(b, line[0], line[1]);
        if (!(length > 0))
            return sn_fail(SN_ERROR_DEGENERATE, "%s: line %zu from vertex %u to %u has no length",
                           kind, i, line[0], line[1]);
        double half = (double)density * SN_CIRCLE * r * r * length / 2;
        b->mass[line[0]] += half;
        b->mass[line[1]] += half;
    }
    for (size_t i = 0; i < b->mesh->vertex_count; i++) b->defs[i].radius = radius;
    return sn_builder_check_masses(b, kind, "line");
}
