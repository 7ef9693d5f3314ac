/*
 * Laces: chains of the lines of a rope, from one end to the other, which keep their whole length. A
 * chain begins at its vertex of the lowest number that one line has.
 */
#include "bodies/laces.h"
#include "base/error.h"

#define NONE UINT32_MAX

/* The lines at a vertex. */
typedef struct joint {
    uint32_t line[2];
} joint;

typedef struct lacing {
    sn_builder *b;
    sn_rope_line *define;
    joint *joints;   /* by vertex */
    uint8_t *done;   /* by line */
    sn_node *nodes;  /* of a chain; null: nothing is made */
    uint32_t *lines; /* of it */
} lacing;

static sn_result find_joints(lacing *l) {
    const sn_mesh *mesh = l->b->mesh;
    for (size_t i = 0; i < mesh->vertex_count; i++) l->joints[i] = (joint){{NONE, NONE}};
    for (uint32_t i = 0; i < mesh->line_count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t *at = l->joints[mesh->lines[i][k]].line;
            if (at[1] != NONE)
                return sn_fail(
                    SN_ERROR_DEGENERATE,
                    "rope: lines %u, %u and %u meet at vertex %u and it slides, expected "
                    "chains that do not branch",
                    at[0], at[1], i, mesh->lines[i][k]);
            at[at[0] == NONE ? 0 : 1] = i;
        }
    return SN_OK;
}

/* Goes along a chain from an end; how many lines it has. */
static size_t follow(lacing *l, uint32_t vertex) {
    const sn_mesh *mesh = l->b->mesh;
    size_t count = 0;
    uint32_t line = l->joints[vertex].line[0];
    if (l->nodes) l->nodes[0] = l->b->nodes[vertex];
    while (line != NONE && !l->done[line]) {
        l->done[line] = 1;
        vertex = mesh->lines[line][mesh->lines[line][0] == vertex ? 1 : 0];
        l->lines[count++] = line;
        if (l->nodes) l->nodes[count] = l->b->nodes[vertex];
        const uint32_t *at = l->joints[vertex].line;
        line = at[0] == line ? at[1] : at[0];
    }
    return count;
}

static sn_result add_lace(lacing *l, size_t lines) {
    const sn_rope_material *m = l->b->material;
    sn_lace_def lace = sn_lace_def_default();
    double give = 0, length = 0, dashpots = 0;
    sn_distance_def line = sn_distance_def_default();
    for (size_t i = 0; i < lines; i++) {
        const uint32_t *ends = l->b->mesh->lines[l->lines[i]];
        line = l->define(l->b, ends);
        length += (double)m->length * sn_builder_distance(l->b, ends[0], ends[1]);
        give += (double)line.compliance;
        if (line.damping > 0) dashpots += 1 / (double)line.damping;
    }
    if (lines == 1) return sn_builder_add(l->b, SN_TYPE_DISTANCE, &line, 1);
    lace.nodes = l->nodes;
    lace.node_count = lines + 1;
    lace.rest_length = (sn_real)length;
    lace.compliance = (sn_real)give;
    lace.damping = (sn_real)(dashpots > 0 ? 1 / dashpots : 0);
    lace.break_force = line.break_force;
    lace.friction = m->friction;
    return sn_builder_add(l->b, SN_TYPE_LACE, &lace, 1);
}

static sn_result add_all(lacing *l) {
    const sn_mesh *mesh = l->b->mesh;
    SN_TRY(find_joints(l));
    for (uint32_t i = 0; i < mesh->line_count; i++) l->done[i] = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const uint32_t *at = l->joints[v].line;
        if (at[0] == NONE || at[1] != NONE || l->done[at[0]]) continue;
        size_t lines = follow(l, v);
        if (l->nodes) SN_TRY(add_lace(l, lines));
    }
    for (uint32_t i = 0; i < mesh->line_count; i++)
        if (!l->done[i])
            return sn_fail(
                SN_ERROR_DEGENERATE,
                "rope: line %u is of a ring and it slides, expected chains with two ends", i);
    return SN_OK;
}

/* With a line to define, makes them; else looks whether they can be made. */
static sn_result lace(sn_builder *b, sn_rope_line *define) {
    size_t vertices = b->mesh->vertex_count, lines = b->mesh->line_count;
    lacing l = {.b = b, .define = define};
    l.joints = sn_allocate(b->memory, vertices, sizeof *l.joints);
    l.done = sn_allocate(b->memory, lines, sizeof *l.done);
    if (define) l.nodes = sn_allocate(b->memory, vertices, sizeof *l.nodes);
    l.lines = sn_allocate(b->memory, lines, sizeof *l.lines);
    sn_result result = SN_ERROR_MEMORY;
    if (l.joints && l.done && (l.nodes || !define) && l.lines) result = add_all(&l);
    sn_free(b->memory, l.joints, vertices, sizeof *l.joints);
    sn_free(b->memory, l.done, lines, sizeof *l.done);
    sn_free(b->memory, l.nodes, vertices, sizeof *l.nodes);
    sn_free(b->memory, l.lines, lines, sizeof *l.lines);
    return result;
}

sn_result sn_laces_check(sn_builder *b) {
    return lace(b, NULL);
}

sn_result sn_laces_connect(sn_builder *b, sn_rope_line *define) {
    return lace(b, define);
}
