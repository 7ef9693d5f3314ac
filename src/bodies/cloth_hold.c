/*
 * Stiffness that holds: limits of strain, and edges that give way when they are compressed. Tethers
 * are a matter of the sheet (tethers.c).
 *
 * Limits are hard constraints of one side beside the soft ones of the material. For triangles they
 * hold in all directions; for edges along them alone, which is cheaper and lets the sheet shear.
 */
#include "bodies/cloth.h"

enum { LIMIT_TRIANGLES, LIMIT_EDGES };
enum { MODEL_EDGES_LAST = 1 }; /* of `model`: automatic and edges */

sn_result sn_cloth_check_hold(const sn_builder *b) {
    const sn_cloth_material *m = b->material;
    if (m->tethers != (sn_real)(int)m->tethers)
        return sn_fail(SN_ERROR_VALUE, "cloth: tethers is %g, expected a whole number",
                       (double)m->tethers);
    if (m->compression < 1 && m->model > MODEL_EDGES_LAST)
        return sn_fail(SN_ERROR_VALUE,
                       "cloth: compression is %g, expected 1 where the model is not edges",
                       (double)m->compression);
    if (m->compression > 0 && m->compression < 1 && m->stretch_stiffness == SN_AUTO)
        return sn_fail(SN_ERROR_VALUE,
                       "cloth: compression is %g, expected 0 or 1 where stretch_stiffness is "
                       "automatic",
                       (double)m->compression);
    return SN_OK;
}

/* Struts beside the edges, which only pull then: as stiff as `compression` says. */
static size_t define_struts(const sn_builder *b, const sn_pairs *edges, sn_distance_def *defs) {
    const sn_cloth_material *m = b->material;
    for (size_t i = 0; i < edges->count; i++) {
        defs[i] = sn_cloth_edge(b, edges, &edges->pair[i]);
        defs[i].side = SN_SIDE_AT_LEAST;
        defs[i].compliance /= m->compression;
        defs[i].damping *= m->compression;
        defs[i].break_force = SN_AUTO;
    }
    return edges->count;
}

static size_t define_edges(const sn_builder *b, const sn_pairs *edges, sn_side side, double part,
                           sn_distance_def *defs) {
    for (size_t i = 0; i < edges->count; i++) {
        const sn_pair *e = &edges->pair[i];
        defs[i] = sn_distance_def_default();
        defs[i].node[0] = b->nodes[e->a];
        defs[i].node[1] = b->nodes[e->b];
        defs[i].side = side;
        defs[i].rest_length = (sn_real)(part * sn_builder_distance(b, e->a, e->b));
    }
    return edges->count;
}

static sn_result limit_triangles(sn_builder *b, sn_side side, double part) {
    size_t count = b->mesh->triangle_count;
    sn_strain_limit_triangle_def *defs = sn_allocate(b->memory, count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        defs[i] = sn_strain_limit_triangle_def_default();
        for (int k = 0; k < 3; k++) defs[i].node[k] = b->nodes[b->mesh->triangles[i][k]];
        defs[i].side = side;
        defs[i].limit = (sn_real)part;
    }
    sn_result result = sn_builder_add(b, SN_TYPE_STRAIN_LIMIT_TRIANGLE, defs, count);
    sn_free(b->memory, defs, count, sizeof *defs);
    return result;
}

static sn_result limit_edges(sn_builder *b, const sn_pairs *edges, sn_side side, double part) {
    sn_distance_def *defs = sn_allocate(b->memory, edges->count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    size_t count = define_edges(b, edges, side, part, defs);
    sn_result result = sn_builder_add(b, SN_TYPE_DISTANCE, defs, count);
    sn_free(b->memory, defs, edges->count, sizeof *defs);
    return result;
}

static sn_result limit(sn_builder *b, const sn_pairs *edges, sn_side side, double part) {
    const sn_cloth_material *m = b->material;
    return m->limits == LIMIT_EDGES ? limit_edges(b, edges, side, part)
                                    : limit_triangles(b, side, part);
}

static sn_result add_struts(sn_builder *b, const sn_pairs *edges) {
    sn_distance_def *defs = sn_allocate(b->memory, edges->count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    size_t count = define_struts(b, edges, defs);
    sn_result result = sn_builder_add(b, SN_TYPE_DISTANCE, defs, count);
    sn_free(b->memory, defs, edges->count, sizeof *defs);
    return result;
}

sn_result sn_cloth_hold(sn_builder *b, const sn_pairs *edges) {
    const sn_cloth_material *m = b->material;
    if (m->compression > 0 && m->compression < 1) SN_TRY(add_struts(b, edges));
    if (m->strain_limit != SN_AUTO)
        SN_TRY(limit(b, edges, SN_SIDE_AT_MOST, 1 + (double)m->strain_limit));
    if (m->compression_limit != SN_AUTO)
        SN_TRY(limit(b, edges, SN_SIDE_AT_LEAST, 1 - (double)m->compression_limit));
    return SN_OK;
}
