/*
 * The tethers of sheets: every free node is held by the nearest kinematic ones (long range
 * attachments; survey, section 5.6).
 *
 * Paths are measured on the sheet at rest with the triangles that it has now. So a tether is never
 * shorter than what a path of the sheet could be, and nothing of it is held that is not connected.
 * Constraints are made by the public call but not recorded: a replay makes them in the same step.
 */
#include "api/sheet_tethers.h"

#include "base/error.h"
#include "geometry/topology/geodesic.h"
#include "systems/sheet/owned_constraints.h"
#include "systems/sheet/sheets.h"

#include <sinew/constraint.h>

typedef struct knots {
    size_t nodes, nearest;
    sn_point *x;      /* m, at rest */
    uint32_t *anchor; /* kinematic nodes, as indices in the sheet */
    size_t anchors;
    uint32_t *source; /* `nearest` per node: the anchors, and how far they are along the sheet */
    double *distance;
    sn_tether_def *defs;
} knots;

static bool reserve(knots *k, sn_memory *memory) {
    size_t all = k->nodes * k->nearest;
    k->x = sn_allocate(memory, k->nodes, sizeof *k->x);
    k->anchor = sn_allocate(memory, k->nodes, sizeof *k->anchor);
    k->source = sn_allocate(memory, all, sizeof *k->source);
    k->distance = sn_allocate(memory, all, sizeof *k->distance);
    k->defs = sn_allocate(memory, all, sizeof *k->defs);
    return k->x && k->anchor && k->source && k->distance && k->defs;
}

static void release(knots *k, sn_memory *memory) {
    size_t all = k->nodes * k->nearest;
    sn_free(memory, k->x, k->nodes, sizeof *k->x);
    sn_free(memory, k->anchor, k->nodes, sizeof *k->anchor);
    sn_free(memory, k->source, all, sizeof *k->source);
    sn_free(memory, k->distance, all, sizeof *k->distance);
    sn_free(memory, k->defs, all, sizeof *k->defs);
}

static void find_anchors(const sn_world *world, const sn_sheet_state *s, knots *k) {
    for (uint32_t i = 0; i < k->nodes; i++) {
        sn_vec4 at = s->rest[i];
        k->x[i] = sn_point_of((sn_vec3){at.x, at.y, at.z});
        if (world->nodes.w[s->node[i]] == 0) k->anchor[k->anchors++] = i;
    }
}

static sn_result find_paths(sn_world *world, const sn_sheet_state *s, knots *k) {
    sn_geodesics def = {.x = k->x,
                        .vertices = k->nodes,
                        .triangles = s->triangle,
                        .triangle_count = s->def.triangle_count,
                        .sources = k->anchor,
                        .source_count = k->anchors,
                        .nearest = k->nearest};
    return sn_geodesics_find(&def, &world->memory, k->source, k->distance);
}

static sn_node id_of(const sn_world *world, uint32_t node) {
    return (sn_node){node + 1, world->nodes.slots.generation[node], world->tag};
}

/* From the farthest anchors to the nearest: what comes last holds best. */
static size_t define(const sn_world *world, const sn_sheet_state *s, knots *k) {
    size_t count = 0;
    for (size_t n = k->nearest; n-- > 0;)
        for (size_t i = 0; i < k->nodes; i++) {
            uint32_t from = k->source[i * k->nearest + n];
            if (from == SN_NO_SOURCE || world->nodes.w[s->node[i]] == 0) continue;
            double straight = sn_point_length(sn_point_sub(k->x[i], k->x[from]));
            double path = k->distance[i * k->nearest + n];
            if (s->def.tether_path == SN_SHEET_PATH_STRAIGHT || path < straight) path = straight;
            double length = path * (double)s->def.tether_slack;
            sn_tether_def *def = &k->defs[count++];
            *def = sn_tether_def_default();
            def->node[0] = id_of(world, s->node[i]);
            def->node[1] = id_of(world, s->node[from]);
            def->length = (sn_real)(length < (double)SN_REAL_MAX ? length : (double)SN_REAL_MAX);
        }
    return count;
}

/* All of them or none; those that are made are the newest constraints. */
static sn_result make(sn_world *world, const knots *k, size_t count) {
    struct sn_recorder *recorder = world->bindings.recorder;
    world->bindings.recorder = NULL;
    sn_result result = sn_constraints_create(world, SN_TYPE_TETHER, k->defs, count, NULL);
    world->bindings.recorder = recorder;
    uint32_t next = world->constraints.newest;
    for (size_t i = 0; i < count && result == SN_OK; i++) {
        (void)sn_world_own_constraint(world, next - 1);
        next = world->constraints.record[next - 1].older;
    }
    return result;
}

sn_result sn_sheet_own_tethers(sn_world *world, uint32_t sheet) {
    sn_sheet_state *s = &sn_sheets_of(world)->state[sheet];
    sn_world_disown_constraint(world, sheet);
    s->loose = true;
    knots k = {.nodes = s->def.node_count, .nearest = (size_t)s->def.tethers};
    sn_result result = SN_OK;
    if (k.nearest > 0) {
        result = reserve(&k, &world->memory) ? SN_OK : SN_ERROR_MEMORY;
        if (result == SN_OK) {
            find_anchors(world, s, &k);
            result = find_paths(world, s, &k);
        }
        if (result == SN_OK) result = make(world, &k, define(world, s, &k));
        release(&k, &world->memory);
    }
    if (result == SN_OK) s->loose = false;
    return result;
}

sn_result sn_sheets_own_tethers(sn_world *world) {
    const sn_sheets *sheets = sn_sheets_of(world);
    for (uint32_t i = 0; i < sheets->slots.count; i++)
        if (sheets->slots.alive[i] && sheets->state[i].loose)
            SN_TRY(sn_sheet_own_tethers(world, i));
    return SN_OK;
}
