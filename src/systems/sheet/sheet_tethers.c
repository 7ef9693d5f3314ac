/*
 * The tethers of sheets: every free node is held by the nearest kinematic ones (long range
 * attachments; survey, section 5.6).
 *
 * Paths are measured on the sheet at rest with the triangles that it has now. So a tether is never
 * shorter than what a path of the sheet could be, and nothing of it is held that is not connected.
 * They are made in the plan of a step, and not recorded: a replay makes them in the same step.
 */
#include "systems/sheet/sheet_tethers.h"

#include "base/error.h"
#include "collision/collision_state.h"
#include "geometry/topology/geodesic.h"
#include "state/constraint_def.h"
#include "systems/sheet/owned_constraints.h"
#include "systems/sheet/sheets.h"

typedef struct knots {
    sn_world *world;
    sn_store *store;
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
            def->node[0] = sn_world_node_id(world, (int32_t)s->node[i]);
            def->node[1] = sn_world_node_id(world, (int32_t)s->node[from]);
            def->length = (sn_real)(length < (double)SN_REAL_MAX ? length : (double)SN_REAL_MAX);
        }
    return count;
}

static void read_members(void *context, size_t i, sn_draft *draft) {
    const knots *k = context;
    sn_draft_read_members(k->world, k->store->type, &k->defs[i], draft);
}

/* Lengths are given, so that nothing is measured that could fail. */
static void read(void *context, size_t i, sn_draft *draft) {
    const knots *k = context;
    read_members(context, i, draft);
    sn_draft_read_fields(&k->store->type->info, &k->defs[i], draft->parameter);
    (void)sn_draft_prepare(k->world, k->store->type, draft);
}

/* All of them or none; those that are made are the newest constraints. */
static sn_result make(knots *k, size_t count) {
    sn_world *world = k->world;
    if (count == 0) return SN_OK;
    k->store = &world->store[SN_TYPE_TETHER];
    SN_TRY(sn_world_create_constraints(
        &(sn_arrivals){world, k->store, count, read_members, read, k}, NULL));
    /* What is joined by constraints meets in another way. */
    sn_collision_surfaces_of(world)->reach.kept = false;
    uint32_t next = world->constraints.newest;
    for (size_t i = 0; i < count; i++) {
        (void)sn_world_own_constraint(world, next - 1);
        next = world->constraints.record[next - 1].older;
    }
    return SN_OK;
}

sn_result sn_sheet_own_tethers(sn_world *world, uint32_t sheet) {
    sn_sheet_state *s = &sn_sheets_of(world)->state[sheet];
    sn_world_disown_constraint(world, sheet);
    s->loose = true;
    knots k = {.world = world, .nodes = s->def.node_count, .nearest = (size_t)s->def.tethers};
    sn_result result = SN_OK;
    if (k.nearest > 0) {
        result = reserve(&k, &world->memory) ? SN_OK : SN_ERROR_MEMORY;
        if (result == SN_OK) {
            find_anchors(world, s, &k);
            result = find_paths(world, s, &k);
        }
        if (result == SN_OK) result = make(&k, define(world, s, &k));
        release(&k, &world->memory);
    }
    if (result == SN_OK) s->loose = false;
    return result;
}

bool sn_sheets_are_loose(const sn_world *world) {
    const sn_sheets *sheets = sn_sheets_of(world);
    for (uint32_t i = 0; i < sheets->slots.count; i++)
        if (sheets->slots.alive[i] && sheets->state[i].loose) return true;
    return false;
}

bool sn_sheets_plan_tethers(sn_step *step) {
    const sn_sheets *sheets = sn_sheets_of(step->world);
    for (uint32_t i = 0; i < sheets->slots.count; i++)
        if (sheets->slots.alive[i] && sheets->state[i].loose &&
            sn_sheet_own_tethers(step->world, i) != SN_OK)
            return false;
    return true;
}
