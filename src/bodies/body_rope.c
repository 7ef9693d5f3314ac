/* A rope: the lines of a mesh keep their lengths. */
#include "bodies/laces.h"
#include "bodies/lines.h"

static sn_lines_section cut(const void *material) {
    const sn_rope_material *m = material;
    return (sn_lines_section){m->radius, m->density, 0};
}

static sn_result weigh(sn_builder *b) {
    if (((const sn_rope_material *)b->material)->slides) SN_TRY(sn_laces_check(b));
    return sn_lines_weigh(b, cut);
}

static sn_distance_def define(const sn_builder *b, const uint32_t line[2]) {
    const sn_rope_material *m = sn_builder_at(b, line, 2);
    double r = (double)m->radius;
    double length = (double)m->length * sn_builder_distance(b, line[0], line[1]);
    double stiffness = (double)m->young * SN_CIRCLE * r * r / length;
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = b->nodes[line[0]];
    def.node[1] = b->nodes[line[1]];
    if (m->length != 1) def.rest_length = (sn_real)length;
    def.side = m->slack ? SN_SIDE_AT_MOST : SN_SIDE_BOTH;
    def.compliance = sn_builder_compliance(m->young, stiffness);
    def.damping = sn_builder_damping(m->young, stiffness, m->damping);
    def.break_force = m->break_force;
    return def;
}

static sn_result connect_lines(sn_builder *b) {
    size_t count = b->mesh->line_count;
    sn_distance_def *defs = sn_allocate(b->memory, count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) defs[i] = define(b, b->mesh->lines[i]);
    sn_result result = sn_builder_add(b, SN_TYPE_DISTANCE, defs, count);
    sn_free(b->memory, defs, count, sizeof *defs);
    return result;
}

static sn_result connect(sn_builder *b) {
    bool slides = ((const sn_rope_material *)b->material)->slides;
    SN_TRY(slides ? sn_laces_connect(b, define) : connect_lines(b));
    sn_lines_find_hung_rate(b);
    return sn_builder_add_drag(b, ((const sn_rope_material *)b->material)->drag, true);
}

SN_DEFINE_KIND(rope, SN_ROPE_FIELDS, "lines that keep their lengths and bend freely",
               .surface = SN_BODY_SKIN_LINES, .varies = "radius density young damping break_force",
               .weigh = weigh, .connect = connect)
