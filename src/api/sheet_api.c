/* The public calls on sheets. */
#include "api/call.h"
#include "api/check.h"
#include "geometry/topology/closed_surface.h"
#include "systems/sheet/owned_constraints.h"
#include "systems/sheet/sheet_tethers.h"
#include "systems/sheet/sheets.h"

#include <sinew/sheet.h>

static sn_result check_sheet(const sn_world *world, sn_sheet sheet) {
    return sn_slots_check(&sn_sheets_of(world)->slots, SN_ID(sheet), world->tag, "sheet");
}

/* Drag and lift of every node lie together in recordings. */
static sn_result set_air_again(sn_world *world, const sn_call *call) {
    size_t count = call->count / 2;
    const sn_real *pairs = call->items;
    sn_real *list = sn_allocate(&world->memory, 2 * count + 1, sizeof *list);
    if (!list) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < 2 * count; i++) list[i % 2 * count + i / 2] = pairs[i];
    sn_result result =
        sn_sheet_set_air(world, SN_ID_AS(sn_sheet, call->id), list, list + count, count);
    sn_free(&world->memory, list, 2 * count + 1, sizeof *list);
    return result;
}

#define ID SN_ID_AS(sn_sheet, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "sheet_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_sheet_object,                \
         sn_sheet_create(world, call->def, &(sn_sheet){0}))                                        \
    CALL(DESTROY, "sheet_destroy", SN_PART_ID, 0, NULL, sn_sheet_destroy(world, ID))               \
    CALL(SET, "sheet_set", SN_PART_ID | SN_PART_DEF, 0, &sn_sheet_object,                          \
         sn_sheet_set(world, ID, call->def))                                                       \
    CALL(TETHER, "sheet_tether", SN_PART_ID, 0, NULL, sn_sheet_tether(world, ID))                  \
    CALL(SET_AIR, "sheet_set_air", SN_PART_ID | SN_PART_REALS, 0, NULL, set_air_again(world, call))
SN_DEFINE_CALLS(sheet, CALLS, .next = NULL)

/* Only what is closed displaces anything. */
static sn_result check_closed(sn_world *world, const uint32_t *triangles, size_t count,
                              size_t nodes) {
    bool closed = true;
    SN_TRY(sn_triangles_closed(&world->memory, triangles, count, nodes, &closed));
    if (!closed)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "sheet: buoyant is true, but its %zu triangles are not closed", count);
    return SN_OK;
}

/* ---- Making one ---- */

static void fill_sheet(sn_world *world, const sn_sheet_def *def, sn_sheet_state *s,
                       uint32_t index) {
    sn_sheets *sheets = sn_sheets_of(world);
    s->def = *def;
    sn_object_forget_arrays(&sn_sheet_object, &s->def);
    s->def.triangle_count = def->triangle_count;
    for (size_t i = 0; i < 3 * def->triangle_count; i++) s->triangle[i] = def->triangles[i];
    sheets->state[index] = *s;
    for (size_t i = 0; i < def->node_count; i++) {
        uint32_t node = def->nodes[i].slot - 1;
        (void)sn_sheets_add_node(sheets, index, node, world->nodes.x[node]);
    }
    sn_sheets_mark_changed(sheets, index);
}

sn_result sn_sheet_create(sn_world *world, const sn_sheet_def *def, sn_sheet *sheet) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(sheet);
    SN_TRY(sn_object_check(&sn_sheet_object, def));
    SN_TRY(sn_object_check_arrays(&sn_sheet_object, def));
    if (def->buoyant)
        SN_TRY(check_closed(world, def->triangles, def->triangle_count, def->node_count));
    sn_sheets *sheets = sn_sheets_of(world);
    if (!sn_sheets_reserve(sheets, &world->memory, world->nodes.slots.count))
        return SN_ERROR_MEMORY;
    SN_TRY(
        sn_check_owned(world, "sheet", def->nodes, def->node_count, sn_sheets_of(world)->of_node));
    sn_sheet_state state = {0};
    if (!sn_sheet_state_reserve(&state, &world->memory, def->node_count, def->triangle_count)) {
        sn_sheet_state_free(&state, &world->memory);
        return SN_ERROR_MEMORY;
    }
    uint32_t index = sn_slots_take(&sheets->slots);
    fill_sheet(world, def, &state, index);
    sn_world_wake_all(world);
    *sheet = (sn_sheet){index + 1, sheets->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

/* ---- The rest ---- */

sn_result sn_sheet_destroy(sn_world *world, sn_sheet sheet) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_sheet(world, sheet));
    sn_world_disown_constraint(world, sheet.slot - 1);
    sn_sheets_remove(sn_sheets_of(world), &world->memory, sheet.slot - 1);
    sn_world_wake_all(world);
    SN_RECORD(world, DESTROY, .id = SN_ID(sheet));
    return SN_OK;
}

bool sn_sheet_is_valid(const sn_world *world, sn_sheet sheet) {
    return world && sn_slots_has(&sn_sheets_of(world)->slots, SN_ID(sheet), world->tag);
}

sn_result sn_sheet_get(const sn_world *world, sn_sheet sheet, sn_sheet_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_sheet(world, sheet));
    *def = sn_sheets_of(world)->state[sheet.slot - 1].def;
    return SN_OK;
}

sn_result sn_sheet_set(sn_world *world, sn_sheet sheet, const sn_sheet_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_sheet(world, sheet));
    SN_TRY(sn_object_check(&sn_sheet_object, def));
    sn_sheet_state *state = &sn_sheets_of(world)->state[sheet.slot - 1];
    sn_sheet_def *mine = &state->def, kept = *def;
    if (def->buoyant && !mine->buoyant)
        SN_TRY(check_closed(world, state->triangle, mine->triangle_count, mine->node_count));
    kept.nodes = NULL;
    kept.triangles = NULL;
    kept.node_count = mine->node_count;
    kept.triangle_count = mine->triangle_count;
    if (kept.tethers != mine->tethers || kept.tether_slack != mine->tether_slack ||
        kept.tether_path != mine->tether_path)
        sn_sheets_of(world)->state[sheet.slot - 1].loose = true;
    *mine = kept;
    sn_sheets_of(world)->changes++;
    sn_world_wake_all(world);
    SN_RECORD(world, SET, .id = SN_ID(sheet), .def = &kept);
    return SN_OK;
}

sn_result sn_sheet_tether(sn_world *world, sn_sheet sheet) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_sheet(world, sheet));
    SN_TRY(sn_sheet_own_tethers(world, sheet.slot - 1));
    SN_RECORD(world, TETHER, .id = SN_ID(sheet));
    return SN_OK;
}

/* ---- Drag and lift of nodes ---- */

static sn_result check_air(sn_sheet sheet, const sn_real *drag, const sn_real *lift, size_t count) {
    double most = (double)SN_REAL_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!(drag[i] >= 0 && (double)drag[i] <= most))
            return sn_fail(SN_ERROR_VALUE, "sheet %u: drag %zu is %g, expected at least 0",
                           sheet.slot - 1, i, (double)drag[i]);
        if (lift && lift[i] != SN_AUTO && !(lift[i] >= 0 && lift[i] <= drag[i]))
            return sn_fail(SN_ERROR_VALUE,
                           "sheet %u: lift %zu is %g, expected 0 to the drag there, which is %g",
                           sheet.slot - 1, i, (double)lift[i], (double)drag[i]);
    }
    return SN_OK;
}

sn_result sn_sheet_set_air(sn_world *world, sn_sheet sheet, const sn_real *drag,
                           const sn_real *lift, size_t count) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_sheet(world, sheet));
    if (count > 0) SN_CHECK_POINTER(drag);
    sn_sheet_state *s = &sn_sheets_of(world)->state[sheet.slot - 1];
    if (count != 0 && count != s->def.node_count)
        return sn_fail(SN_ERROR_VALUE,
                       "sheet %u: drag at %zu nodes, expected each of %zu nodes, or 0",
                       sheet.slot - 1, count, s->def.node_count);
    SN_TRY(check_air(sheet, drag, lift, count));
    if (count > 0 &&
        !sn_reserve(&world->memory, (void **)&s->air, &s->air_capacity, count, sizeof *s->air))
        return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        s->air[i][0] = drag[i];
        s->air[i][1] = lift ? lift[i] : SN_AUTO;
    }
    if (count == 0) {
        sn_free(&world->memory, s->air, s->air_capacity, sizeof *s->air);
        s->air = NULL;
        s->air_capacity = 0;
    }
    sn_sheets_of(world)->changes++;
    sn_world_wake_all(world);
    SN_RECORD(world, SET_AIR, .id = SN_ID(sheet), .items = s->air, .count = 2 * count);
    return SN_OK;
}

sn_result sn_sheet_get_air(const sn_world *world, sn_sheet sheet, sn_real *drag, sn_real *lift,
                           size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(drag);
    if (capacity > 0) SN_CHECK_POINTER(lift);
    SN_TRY(check_sheet(world, sheet));
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet.slot - 1];
    for (size_t i = 0; i < s->def.node_count && i < capacity; i++) {
        drag[i] = s->air ? s->air[i][0] : s->def.drag;
        lift[i] = s->air ? s->air[i][1] : s->def.lift;
    }
    *count = s->def.node_count;
    return SN_OK;
}

/* ---- Lists ---- */

sn_result sn_sheet_get_nodes(const sn_world *world, sn_sheet sheet, sn_node *nodes, size_t capacity,
                             size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(nodes);
    SN_TRY(check_sheet(world, sheet));
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet.slot - 1];
    for (size_t i = 0; i < s->def.node_count && i < capacity; i++)
        nodes[i] = (sn_node){s->node[i] + 1, world->nodes.slots.generation[s->node[i]], world->tag};
    *count = s->def.node_count;
    return SN_OK;
}

sn_result sn_sheet_get_triangles(const sn_world *world, sn_sheet sheet, uint32_t *triangles,
                                 size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(triangles);
    SN_TRY(check_sheet(world, sheet));
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet.slot - 1];
    for (size_t i = 0; i < 3 * s->def.triangle_count && i / 3 < capacity; i++)
        triangles[i] = s->triangle[i];
    *count = s->def.triangle_count;
    return SN_OK;
}

sn_result sn_sheet_get_rest(const sn_world *world, sn_sheet sheet, sn_vec3 *positions,
                            size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(positions);
    SN_TRY(check_sheet(world, sheet));
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet.slot - 1];
    for (size_t i = 0; i < s->def.node_count && i < capacity; i++)
        positions[i] = (sn_vec3){s->rest[i].x, s->rest[i].y, s->rest[i].z};
    *count = s->def.node_count;
    return SN_OK;
}

sn_result sn_world_sheet_at(const sn_world *world, size_t slot, sn_sheet *sheet) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(sheet);
    SN_TRY(sn_check_slot(&sn_sheets_of(world)->slots, slot, "sheet"));
    *sheet =
        (sn_sheet){(uint32_t)slot + 1, sn_sheets_of(world)->slots.generation[slot], world->tag};
    return SN_OK;
}
