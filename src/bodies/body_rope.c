/* A rope: the lines of a mesh keep their lengths, and may want to be straight. */
#include "bodies/laces.h"
#include "bodies/lines.h"

static sn_lines_section cut(const void *material) {
    const sn_rope_material *m = material;
    return (sn_lines_section){m->radius, m->density, 0};
}

static sn_result weigh(sn_builder *b) {
    const sn_rope_material *m = b->material;
    if (m->slides && m->bending_stiffness > 0)
        return sn_fail(SN_ERROR_VALUE,
                       "rope: it slides, and bending_stiffness is %g N m^2; expected one of both",
                       (double)m->bending_stiffness);
    if (m->slides) SN_TRY(sn_laces_check(b));
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

/* ---- Bending ---- */

#define NONE UINT32_MAX

/*
 * A node that is C beside its place on the line between its neighbours, l and m away, is on an arc
 * of the curvature 2 |C| / (l m), which stands for (l + m) / 2 of the rope. From half of B kappa^2
 * for each length,
 *
 *   stiffness = 2 B (l + m) / (l m)^2
 */
static sn_edge_attachment_def define_bend(const sn_builder *b, uint32_t vertex,
                                          const uint32_t ends[2]) {
    const sn_rope_material *m = b->material;
    double l[2], B = (double)m->bending_stiffness;
    sn_edge_attachment_def def = sn_edge_attachment_def_default();
    for (int k = 0; k < 2; k++) l[k] = (double)m->length * sn_builder_distance(b, vertex, ends[k]);
    double stiffness = 2 * B * (l[0] + l[1]) / (l[0] * l[1] * l[0] * l[1]);
    def.node[0] = b->nodes[vertex];
    def.node[1] = b->nodes[ends[0]];
    def.node[2] = b->nodes[ends[1]];
    def.along = (sn_real)(l[0] / (l[0] + l[1]));
    def.compliance = (sn_real)(1 / stiffness);
    def.damping = (sn_real)(stiffness * (double)m->damping);
    return def;
}

/* Lists who is at the other ends of the two lines of each vertex; NONE where there are not two. */
static void find_neighbours(const sn_mesh *mesh, uint32_t (*beside)[2], uint8_t *lines) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        beside[i][0] = beside[i][1] = NONE;
        lines[i] = 0;
    }
    for (size_t i = 0; i < mesh->line_count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t v = mesh->lines[i][k];
            if (lines[v] < 2) beside[v][lines[v]] = mesh->lines[i][!k];
            if (lines[v] < 3) lines[v]++;
        }
    for (size_t i = 0; i < mesh->vertex_count; i++)
        if (lines[i] != 2) beside[i][1] = NONE;
}

static sn_result straighten(sn_builder *b) {
    const sn_mesh *mesh = b->mesh;
    size_t vertices = mesh->vertex_count, count = 0;
    if (!(((const sn_rope_material *)b->material)->bending_stiffness > 0)) return SN_OK;
    uint32_t(*beside)[2] = sn_allocate(b->memory, vertices, sizeof *beside);
    uint8_t *lines = sn_allocate(b->memory, vertices, sizeof *lines);
    sn_edge_attachment_def *defs = sn_allocate(b->memory, vertices, sizeof *defs);
    sn_result result = SN_ERROR_MEMORY;
    if (beside && lines && defs) {
        find_neighbours(mesh, beside, lines);
        for (uint32_t i = 0; i < vertices; i++)
            if (beside[i][1] != NONE) defs[count++] = define_bend(b, i, beside[i]);
        result = sn_builder_add(b, SN_TYPE_EDGE_ATTACHMENT, defs, count);
    }
    sn_free(b->memory, beside, vertices, sizeof *beside);
    sn_free(b->memory, lines, vertices, sizeof *lines);
    sn_free(b->memory, defs, vertices, sizeof *defs);
    return result;
}

/* By what substeps are enough for its bending: one that is clamped droops by about
   2.3 h^2 B / (rho A l^4) too much (build.c). */
static double bend_rate(const sn_builder *b) {
    double most = 0, B = (double)((const sn_rope_material *)b->material)->bending_stiffness;
    for (size_t i = 0; B > 0 && i < b->mesh->line_count; i++) {
        const uint32_t *line = b->mesh->lines[i];
        const sn_rope_material *m = sn_builder_at(b, line, 2);
        double r = (double)m->radius, mass = (double)m->density * SN_CIRCLE * r * r;
        double length = (double)m->length * sn_builder_distance(b, line[0], line[1]);
        double rate = __builtin_sqrt(2.3 / 0.4 * B / mass) / (length * length);
        most = rate > most ? rate : most;
    }
    return most;
}

static sn_result connect(sn_builder *b) {
    bool slides = ((const sn_rope_material *)b->material)->slides;
    SN_TRY(slides ? sn_laces_connect(b, define) : connect_lines(b));
    SN_TRY(straighten(b));
    sn_lines_find_hung_rate(b);
    b->bend_rate = bend_rate(b);
    return sn_builder_add_drag(b, ((const sn_rope_material *)b->material)->drag, true);
}

SN_DEFINE_KIND(rope, SN_ROPE_FIELDS,
               "lines that keep their lengths and bend, freely or with a stiffness",
               .surface = SN_BODY_SKIN_LINES, .varies = "radius density young damping break_force",
               .weigh = weigh, .connect = connect)
