/*
 * The tethers of sheets: every free node is held by the nearest kinematic ones (long range
 * attachments; survey, section 5.6).
 *
 * Paths are measured on the sheet at rest with the triangles that it has now. So a tether is never
 * shorter than what a path of the sheet could be, and nothing of it is held that is not connected.
 * They are made in the plan of a step, and not recorded: a replay makes them in the same step.
 *
 * How many are enough, where that is automatic: pins that hold together in one place are one (see
 * sheet_anchors.c), and a node is held from each of up to four places. Held from the nearest alone,
 * the parts of a sheet that hang on different pins would be pulled apart where they meet. Of a
 * place, several pins hold it, so that it cannot swing about the nearest one.
 */
#include "systems/sheet/sheet_tethers.h"

#include "base/error.h"
#include "collision/collision_state.h"
#include "geometry/topology/geodesic.h"
#include "state/constraint_def.h"
#include "systems/sheet/owned_constraints.h"
#include "systems/sheet/sheet_anchors.h"
#include "systems/sheet/sheets.h"

typedef struct knots {
    sn_world *world;
    sn_store *store;
    size_t nodes;
    size_t nearest;   /* places, or anchors where they are not put together to places, per node */
    size_t members;   /* anchors of each place */
    sn_point *x;      /* m, at rest */
    uint32_t *anchor; /* kinematic nodes, as indices in the sheet */
    size_t anchors;
    uint32_t *group;  /* of every node, the place that an anchor holds; null: each its own */
    uint32_t *source; /* `nearest` times `members` per node: the anchors, */
    double *distance; /* and how far they are along the sheet */
    sn_tether_def *defs;
} knots;

static bool reserve(knots *k, sn_memory *memory, bool grouped) {
    k->x = sn_allocate(memory, k->nodes, sizeof *k->x);
    k->anchor = sn_allocate(memory, k->nodes, sizeof *k->anchor);
    if (grouped) k->group = sn_allocate(memory, k->nodes, sizeof *k->group);
    return k->x && k->anchor && (k->group || !grouped);
}

static bool reserve_paths(knots *k, sn_memory *memory) {
    size_t all = k->nodes * k->nearest * k->members;
    k->source = sn_allocate(memory, all, sizeof *k->source);
    k->distance = sn_allocate(memory, all, sizeof *k->distance);
    k->defs = sn_allocate(memory, all, sizeof *k->defs);
    return k->source && k->distance && k->defs;
}

static void release(knots *k, sn_memory *memory) {
    size_t all = k->nodes * k->nearest * k->members;
    sn_free(memory, k->x, k->nodes, sizeof *k->x);
    sn_free(memory, k->anchor, k->nodes, sizeof *k->anchor);
    if (k->group) sn_free(memory, k->group, k->nodes, sizeof *k->group);
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
                        .nearest = k->nearest,
                        .group = k->group,
                        .members = k->members};
    return sn_geodesics_find(&def, &world->memory, k->source, k->distance);
}

static void define_one(const sn_world *world, const sn_sheet_state *s, double path, uint32_t node,
                       uint32_t anchor, sn_tether_def *def) {
    double length = path * (double)s->def.tether_slack;
    *def = sn_tether_def_default();
    def->node[0] = sn_world_node_id(world, (int32_t)s->node[node]);
    def->node[1] = sn_world_node_id(world, (int32_t)s->node[anchor]);
    def->length = (sn_real)(length < (double)SN_REAL_MAX ? length : (double)SN_REAL_MAX);
}

static double straight(const knots *k, uint32_t i, uint32_t j) {
    return sn_point_length(sn_point_sub(k->x[i], k->x[j]));
}

/* From the farthest anchors to the nearest: what comes last holds best. */
static size_t define(const sn_world *world, const sn_sheet_state *s, knots *k) {
    size_t count = 0, most = k->nearest * k->members;
    for (size_t n = most; n-- > 0;)
        for (uint32_t i = 0; i < k->nodes; i++) {
            uint32_t from = k->source[i * most + n];
            if (from == SN_NO_SOURCE || world->nodes.w[s->node[i]] == 0) continue;
            double path = k->distance[i * most + n], least = straight(k, i, from);
            if (s->def.tether_path == SN_SHEET_PATH_STRAIGHT || path < least) path = least;
            define_one(world, s, path, i, from, &k->defs[count++]);
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

/* As many as are enough for the anchors that there are. */
static size_t count_nearest(const sn_sheet_state *s, knots *k) {
    k->members = 1;
    if (!k->group) return (size_t)s->def.tethers;
    sn_anchors def = {.x = k->x,
                      .nodes = k->nodes,
                      .triangles = s->triangle,
                      .triangle_count = s->def.triangle_count,
                      .anchor = k->anchor,
                      .anchors = k->anchors};
    size_t places = sn_anchors_group(&def, k->group);
    size_t nearest = places <= SN_SHEET_TETHERS ? places : SN_SHEET_TETHERS / 2;
    k->members = nearest > 2 ? SN_GROUP_MEMBERS / 2 : SN_GROUP_MEMBERS;
    return nearest;
}

static sn_result tie(sn_world *world, const sn_sheet_state *s, knots *k) {
    if (!reserve(k, &world->memory, s->def.tethers == SN_SHEET_TETHERS_AUTO))
        return SN_ERROR_MEMORY;
    find_anchors(world, s, k);
    k->nearest = count_nearest(s, k);
    if (k->nearest == 0) return SN_OK;
    if (!reserve_paths(k, &world->memory)) return SN_ERROR_MEMORY;
    SN_TRY(find_paths(world, s, k));
    return make(k, define(world, s, k));
}

sn_result sn_sheet_own_tethers(sn_world *world, uint32_t sheet) {
    sn_sheet_state *s = &sn_sheets_of(world)->state[sheet];
    sn_world_disown_constraint(world, sheet);
    s->loose = true;
    knots k = {.world = world, .nodes = s->def.node_count};
    sn_result result = SN_OK;
    if (s->def.tethers > 0) {
        result = tie(world, s, &k);
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
