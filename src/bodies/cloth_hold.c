/*
 * Stiffness that holds: limits of strain, and edges that give way when they are compressed. Tethers
 * are a matter of the sheet (tethers.c).
 *
 * Limits are hard constraints of one side beside the soft ones of the material. For triangles they
 * hold in all directions; for edges along them alone, which is cheaper and lets the sheet shear.
 */
#include "bodies/body_cloth.h"

#include <stdio.h>

enum { LIMIT_TRIANGLES, LIMIT_EDGES };
enum { MODEL_EDGES_LAST = 1 }; /* of `model`: automatic and edges */

static sn_result check_compression(const sn_cloth_material *m, const char *where) {
    if (m->compression < 1 && m->model > MODEL_EDGES_LAST)
        return sn_fail(SN_ERROR_VALUE,
                       "cloth: compression%s is %g, expected 1 where the model is not edges", where,
                       (double)m->compression);
    if (m->compression > 0 && m->compression < 1 && m->stretch_stiffness == SN_AUTO)
        return sn_fail(SN_ERROR_VALUE,
                       "cloth: compression%s is %g, expected 0 or 1 where stretch_stiffness is "
                       "automatic",
                       where, (double)m->compression);
    return SN_OK;
}

sn_result sn_cloth_check_hold(const sn_builder *b) {
    const sn_cloth_material *m = b->material;
    if (m->tethers != SN_AUTO) SN_TRY(sn_builder_check_whole("cloth", "tethers", m->tethers));
    if (!sn_builder_map(b, "compression")) return check_compression(m, "");
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        char where[32];
        snprintf(where, sizeof where, " at vertex %u", i);
        SN_TRY(check_compression(sn_builder_at(b, &i, 1), where));
    }
    return SN_OK;
}

/* ---- Struts ---- */

/* Beside the edges, which only pull then: as stiff as `compression` says. */
static size_t define_struts(const sn_builder *b, const sn_pairs *edges, sn_distance_def *defs) {
    size_t count = 0;
    for (size_t i = 0; i < edges->count; i++) {
        const uint32_t ends[2] = {edges->pair[i].a, edges->pair[i].b};
        const sn_cloth_material *m = sn_builder_at(b, ends, 2);
        sn_real compression = m->compression;
        if (!(compression > 0 && compression < 1) || m->stretch_stiffness == SN_AUTO) continue;
        sn_distance_def *def = &defs[count++];
        *def = sn_cloth_edge(b, edges, &edges->pair[i]);
        def->side = SN_SIDE_AT_LEAST;
        def->compliance /= compression;
        def->damping *= compression;
        def->break_force = SN_AUTO;
    }
    return count;
}

static sn_result add_struts(sn_builder *b, const sn_pairs *edges) {
    sn_distance_def *defs = sn_allocate(b->memory, edges->count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    size_t count = define_struts(b, edges, defs);
    sn_result result = sn_builder_add(b, SN_TYPE_DISTANCE, defs, count);
    sn_free(b->memory, defs, edges->count, sizeof *defs);
    return result;
}

/* ---- Limits ---- */

/* Length over that at rest that an element may have on a side; below 0 where there is no limit. */
static double limit_at(const sn_builder *b, const uint32_t *vertices, size_t count, sn_side side) {
    const sn_cloth_material *m = sn_builder_at(b, vertices, count);
    sn_real limit = side == SN_SIDE_AT_MOST ? m->strain_limit : m->compression_limit;
    if (limit == SN_AUTO) return -1;
    return side == SN_SIDE_AT_MOST ? 1 + (double)limit : 1 - (double)limit;
}

static sn_result limit_edges(sn_builder *b, const sn_pairs *edges, sn_side side) {
    sn_distance_def *defs = sn_allocate(b->memory, edges->count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < edges->count; i++) {
        const uint32_t ends[2] = {edges->pair[i].a, edges->pair[i].b};
        double part = limit_at(b, ends, 2, side);
        if (part < 0) continue;
        sn_distance_def *def = &defs[count++];
        *def = sn_distance_def_default();
        for (int k = 0; k < 2; k++) def->node[k] = b->nodes[ends[k]];
        def->side = side;
        def->rest_length = (sn_real)(part * sn_builder_distance(b, ends[0], ends[1]));
    }
    sn_result result = sn_builder_add_hard(b, SN_TYPE_DISTANCE, defs, count);
    sn_free(b->memory, defs, edges->count, sizeof *defs);
    return result;
}

static sn_result limit_triangles(sn_builder *b, sn_side side) {
    size_t most = b->mesh->triangle_count, count = 0;
    sn_strain_limit_triangle_def *defs = sn_allocate(b->memory, most, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < most; i++) {
        const uint32_t *t = b->mesh->triangles[i];
        double part = limit_at(b, t, 3, side);
        if (part < 0) continue;
        sn_strain_limit_triangle_def *def = &defs[count++];
        *def = sn_strain_limit_triangle_def_default();
        for (int k = 0; k < 3; k++) def->node[k] = b->nodes[t[k]];
        def->side = side;
        def->limit = (sn_real)part;
    }
    sn_result result = sn_builder_add_hard(b, SN_TYPE_STRAIN_LIMIT_TRIANGLE, defs, count);
    sn_free(b->memory, defs, most, sizeof *defs);
    return result;
}

static sn_result limit(sn_builder *b, const sn_pairs *edges, sn_side side) {
    const sn_cloth_material *m = b->material;
    return m->limits == LIMIT_EDGES ? limit_edges(b, edges, side) : limit_triangles(b, side);
}

sn_result sn_cloth_hold(sn_builder *b, const sn_pairs *edges) {
    const sn_cloth_material *m = b->material;
    if ((m->compression > 0 && m->compression < 1) || sn_builder_map(b, "compression"))
        SN_TRY(add_struts(b, edges));
    if (m->strain_limit != SN_AUTO || sn_builder_map(b, "strain_limit"))
        SN_TRY(limit(b, edges, SN_SIDE_AT_MOST));
    if (m->compression_limit != SN_AUTO || sn_builder_map(b, "compression_limit"))
        SN_TRY(limit(b, edges, SN_SIDE_AT_LEAST));
    return SN_OK;
}
