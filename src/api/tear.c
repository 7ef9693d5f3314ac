/* The public calls on tearing. */
#include "api/call.h"
#include "api/check.h"
#include "world/cut.h"

#include <sinew/tear.h>

#include <string.h>

static sn_result check_sheet(const sn_world *world, sn_sheet sheet) {
    return sn_slots_check(&world->sheets.slots, SN_ID(sheet), world->tag, "sheet");
}

/* ---- Cutting ---- */

static sn_result check_node(const sn_world *world, sn_sheet sheet, sn_node node) {
    SN_TRY(sn_check_node(world, node));
    uint32_t i = node.slot - 1;
    if (sn_sheets_of(&world->sheets, i) != sheet.slot)
        return sn_fail(SN_ERROR_VALUE,
                       "sheet split: node %u is not in sheet %u, expected one of it", i,
                       sheet.slot - 1);
    if (world->nodes.w[i] == 0)
        return sn_fail(SN_ERROR_VALUE,
                       "sheet split: node %u is kinematic, expected one with a mass", i);
    if (world->nodes.frame[i])
        return sn_fail(SN_ERROR_VALUE, "sheet split: node %u is oriented, expected a particle", i);
    return SN_OK;
}

static sn_result check_normal(sn_vec3 n) {
    double size = (double)n.x * (double)n.x + (double)n.y * (double)n.y + (double)n.z * (double)n.z;
    SN_TRY(sn_check_vec3("sheet split", "normal", n, ""));
    if (size > 1e-30 && size < 1e30) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "sheet split: normal has the length %g, expected about 1",
                   __builtin_sqrt(size));
}

static sn_result split(sn_cut *cut, sn_node node, sn_vec3 normal) {
    sn_world *world = cut->world;
    uint32_t vertex = world->sheets.place[node.slot - 1];
    const sn_real n[3] = {normal.x, normal.y, normal.z};
    bool done = false;
    sn_cut_want(cut, vertex);
    if (!sn_cut_list(cut)) return SN_ERROR_MEMORY;
    sn_result result = sn_cut_open(cut, vertex, n, &done);
    if (!done) return result;
    if (!sn_cut_release(world, cut->sheet)) result = SN_ERROR_MEMORY;
    if (result == SN_OK) return SN_OK;
    sn_world_say(world, SN_LOG_WARNING,
                 "sheet split: there is no memory to take apart what the cut leaves hanging");
    return SN_OK;
}

sn_result sn_sheet_split(sn_world *world, sn_sheet sheet, sn_node node, sn_vec3 normal,
                         sn_node *copy) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(copy);
    SN_TRY(check_sheet(world, sheet));
    SN_TRY(check_node(world, sheet, node));
    SN_TRY(check_normal(normal));
    sn_cut cut;
    sn_result result = SN_ERROR_MEMORY;
    sn_node made = {0, 0, 0};
    if (sn_cut_begin(&cut, world, sheet.slot - 1)) result = split(&cut, node, normal);
    if (result == SN_OK && cut.copy_count > 0) {
        uint32_t index = cut.copies[0].copy;
        made = (sn_node){index + 1, world->nodes.slots.generation[index], world->tag};
    }
    sn_cut_free(&cut);
    if (result != SN_OK) return result;
    *copy = made;
    SN_RECORD(world, SHEET_SPLIT, .id = SN_ID(sheet), .other = SN_ID(node),
              .number = {normal.x, normal.y, normal.z});
    return SN_OK;
}

/* ---- Strength ---- */

sn_result sn_sheet_set_strength(sn_world *world, sn_sheet sheet, const sn_real *strength,
                                size_t count) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_sheet(world, sheet));
    SN_CHECK_POINTER(strength);
    sn_sheet_state *s = &world->sheets.state[sheet.slot - 1];
    if (count != s->def.node_count)
        return sn_fail(SN_ERROR_VALUE,
                       "sheet %u: %zu strengths, expected one for each of %zu nodes",
                       sheet.slot - 1, count, s->def.node_count);
    for (size_t i = 0; i < count; i++)
        if (!(strength[i] >= 0 && strength[i] <= SN_REAL_MAX))
            return sn_fail(SN_ERROR_VALUE, "sheet %u: strength %zu is %g, expected at least 0",
                           sheet.slot - 1, i, (double)strength[i]);
    if (!sn_reserve(&world->memory, (void **)&s->strength, &s->strength_capacity, count,
                    sizeof *s->strength))
        return SN_ERROR_MEMORY;
    memcpy(s->strength, strength, count * sizeof *strength);
    SN_RECORD(world, SHEET_STRENGTH, .id = SN_ID(sheet), .items = strength, .count = count);
    return SN_OK;
}

sn_result sn_sheet_get_strength(const sn_world *world, sn_sheet sheet, sn_real *strength,
                                size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(strength);
    SN_TRY(check_sheet(world, sheet));
    const sn_sheet_state *s = &world->sheets.state[sheet.slot - 1];
    for (size_t i = 0; i < s->def.node_count && i < capacity; i++)
        strength[i] = s->strength ? s->strength[i] : 1;
    *count = s->def.node_count;
    return SN_OK;
}

/* ---- Events ---- */

sn_result sn_world_tears(const sn_world *world, const sn_tear_event **events, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(events);
    SN_CHECK_POINTER(count);
    *events = world->tearing.event;
    *count = world->tearing.events;
    return SN_OK;
}
