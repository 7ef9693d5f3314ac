#include "bodies/lines.h"

sn_result sn_lines_weigh(sn_builder *b, sn_lines_section_at *cut) {
    const char *kind = b->info->name;
    if (b->mesh->line_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "%s: the mesh has no lines", kind);
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const uint32_t *line = b->mesh->lines[i];
        double length = sn_builder_distance(b, line[0], line[1]);
        if (!(length > 0))
            return sn_fail(SN_ERROR_DEGENERATE, "%s: line %zu from vertex %u to %u has no length",
                           kind, i, line[0], line[1]);
        sn_lines_section section = cut(sn_builder_at(b, line, 2));
        double r = (double)section.radius;
        double half = section.area > 0 ? (double)section.density * section.area * length / 2
                                       : (double)section.density * SN_CIRCLE * r * r * length / 2;
        b->mass[line[0]] += half;
        b->mass[line[1]] += half;
    }
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++)
        b->defs[i].radius = cut(sn_builder_at(b, &i, 1)).radius;
    return sn_builder_check_masses(b, kind, "line");
}

bool sn_lines_are_direct(const sn_builder *b) {
    return b->def->body.solver == SN_BODY_SOLVER_DIRECT;
}

/* As of a cloth (cloth_choice.c): the strain is g h^2 L / (2 l^2) on average. */
void sn_lines_find_hung_rate(sn_builder *b) {
    double sum = 0;
    if (sn_lines_are_direct(b)) return;
    for (size_t i = 0; i < b->mesh->line_count; i++)
        sum += sn_builder_distance(b, b->mesh->lines[i][0], b->mesh->lines[i][1]);
    double length = sum / (double)b->mesh->line_count;
    b->hung_rate = __builtin_sqrt(6.25 * sn_builder_gravity(b) * sn_builder_size(b)) / length;
}
