/* The public calls on tearing. */
#include "api/call.h"
#include "api/check.h"
#include "fracture/cut_vertex.h"
#include "fracture/tearing.h"
#include "systems/sheet/sheets.h"

#include <sinew/tear.h>

#include <stdlib.h>
#include <string.h>

extern const sn_call_table sn_cut_calls;

#define ID SN_ID_AS(sn_sheet, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(SPLIT, "sheet_split", SN_PART_ID | SN_PART_OTHER | SN_PART_NUMBERS, 3, NULL,              \
         sn_sheet_split(world, ID, SN_ID_AS(sn_node, call->other), sn_call_vector(call),           \
                        &(sn_node){0}))                                                            \
    CALL(SET_STRENGTH, "sheet_set_strength", SN_PART_ID | SN_PART_REALS, 0, NULL,                  \
         sn_sheet_set_strength(world, ID, call->items, call->count))                               \
    CALL(SET_EDGES, "sheet_set_edge_strength", SN_PART_ID | SN_PART_LIST | SN_PART_NUMBERS, 1,     \
         NULL,                                                                                     \
         sn_sheet_set_edge_strength(world, ID, call->items, call->count / 2, call->number[0]))
SN_DEFINE_CALLS(fracture, CALLS, .next = &sn_cut_calls)

static sn_result check_sheet(const sn_world *world, sn_sheet sheet) {
    return sn_slots_check(&sn_sheets_of(world)->slots, SN_ID(sheet), world->tag, "sheet");
}

/* ---- Cutting ---- */

static sn_result check_node(const sn_world *world, sn_sheet sheet, sn_node node) {
    SN_TRY(sn_check_node(world, node));
    uint32_t i = node.slot - 1;
    if (sn_sheets_at(sn_sheets_of(world), i) != sheet.slot)
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
    uint32_t vertex = sn_sheets_of(world)->place[node.slot - 1];
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
    SN_RECORD(world, SPLIT, .id = SN_ID(sheet), .other = SN_ID(node),
              .number = {normal.x, normal.y, normal.z});
    return SN_OK;
}

/* ---- Strength ---- */

sn_result sn_sheet_set_strength(sn_world *world, sn_sheet sheet, const sn_real *strength,
                                size_t count) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_sheet(world, sheet));
    SN_CHECK_POINTER(strength);
    sn_sheet_state *s = &sn_sheets_of(world)->state[sheet.slot - 1];
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
    SN_RECORD(world, SET_STRENGTH, .id = SN_ID(sheet), .items = strength, .count = count);
    return SN_OK;
}

sn_result sn_sheet_get_strength(const sn_world *world, sn_sheet sheet, sn_real *strength,
                                size_t capacity, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(strength);
    SN_TRY(check_sheet(world, sheet));
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet.slot - 1];
    for (size_t i = 0; i < s->def.node_count && i < capacity; i++)
        strength[i] = s->strength ? s->strength[i] : 1;
    *count = s->def.node_count;
    return SN_OK;
}

/* ---- Edges ---- */

/* An edge by its vertices, the lower one above 32 bits. */
typedef struct edge {
    uint64_t key;
    size_t number, triangles;
} edge;

static int compare_edges(const void *a, const void *b) {
    const edge *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static uint64_t key_of(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static sn_result read_edge(const sn_world *world, sn_sheet sheet, const sn_node ends[2],
                           size_t number, edge *e) {
    for (int k = 0; k < 2; k++) SN_TRY(sn_check_node(world, ends[k]));
    for (int k = 0; k < 2; k++)
        if (sn_sheets_at(sn_sheets_of(world), ends[k].slot - 1) != sheet.slot)
            return sn_fail(SN_ERROR_VALUE,
                           "sheet %u: edge %zu has node %u, which is not in the sheet",
                           sheet.slot - 1, number, ends[k].slot - 1);
    const uint32_t *place = sn_sheets_of(world)->place;
    *e = (edge){key_of(place[ends[0].slot - 1], place[ends[1].slot - 1]), number, 0};
    return SN_OK;
}

/* The first of equals; null where it is not among them. */
static edge *find_edge(edge *list, size_t count, uint64_t key) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low].key == key ? &list[low] : NULL;
}

/* Side k of a triangle is that without corner k. */
static edge *edge_of(edge *list, size_t count, const uint32_t *corner, size_t k) {
    return find_edge(list, count, key_of(corner[(k + 1) % 3], corner[(k + 2) % 3]));
}

/* Sorts them, and checks that each lies between two triangles. */
static sn_result check_edges(const sn_sheet_state *s, sn_sheet sheet, const sn_node *ends,
                             edge *list, size_t count) {
    qsort(list, count, sizeof *list, compare_edges);
    for (size_t i = 0; i < 3 * s->def.triangle_count; i++) {
        edge *e = edge_of(list, count, &s->triangle[i / 3 * 3], i % 3);
        if (e) e->triangles++;
    }
    for (size_t i = 0; i < count; i++) {
        const edge *e = find_edge(list, count, list[i].key);
        if (e->triangles == 2) continue;
        return sn_fail(SN_ERROR_VALUE,
                       "sheet %u: edge %zu from node %u to node %u belongs to %zu triangles, "
                       "expected 2",
                       sheet.slot - 1, e->number, ends[2 * e->number].slot - 1,
                       ends[2 * e->number + 1].slot - 1, e->triangles);
    }
    return SN_OK;
}

static bool reserve_edges(sn_world *world, sn_sheet_state *s) {
    bool first = !s->edge_strength;
    if (!sn_reserve(&world->memory, (void **)&s->edge_strength, &s->edge_capacity,
                    s->def.triangle_count + 1, sizeof *s->edge_strength))
        return false;
    for (size_t i = 0; first && i < 3 * s->def.triangle_count; i++)
        s->edge_strength[i / 3][i % 3] = SN_AUTO;
    return true;
}

static sn_result set_edges(sn_world *world, sn_sheet sheet, const sn_node *ends, edge *list,
                           size_t count, sn_real strength) {
    sn_sheet_state *s = &sn_sheets_of(world)->state[sheet.slot - 1];
    for (size_t i = 0; i < count; i++) SN_TRY(read_edge(world, sheet, &ends[2 * i], i, &list[i]));
    SN_TRY(check_edges(s, sheet, ends, list, count));
    if (!reserve_edges(world, s)) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < 3 * s->def.triangle_count; i++)
        if (edge_of(list, count, &s->triangle[i / 3 * 3], i % 3))
            s->edge_strength[i / 3][i % 3] = strength;
    return SN_OK;
}

sn_result sn_sheet_set_edge_strength(sn_world *world, sn_sheet sheet, const sn_node *ends,
                                     size_t edges, sn_real strength) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_sheet(world, sheet));
    SN_TRY(sn_check_real("sheet", "strength", strength, 0, (double)SN_REAL_MAX, true, ""));
    if (edges == 0) return SN_OK;
    SN_CHECK_POINTER(ends);
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet.slot - 1];
    if (edges > 3 * s->def.triangle_count)
        return sn_fail(SN_ERROR_VALUE, "sheet %u: %zu edges, but it has %zu triangles",
                       sheet.slot - 1, edges, s->def.triangle_count);
    edge *list = sn_allocate(&world->memory, edges, sizeof *list);
    if (!list) return SN_ERROR_MEMORY;
    sn_result result = set_edges(world, sheet, ends, list, edges, strength);
    sn_free(&world->memory, list, edges, sizeof *list);
    if (result != SN_OK) return result;
    SN_RECORD(world, SET_EDGES, .id = SN_ID(sheet), .items = ends, .count = 2 * edges,
              .number = {strength});
    return SN_OK;
}

sn_result sn_sheet_get_edge_strength(const sn_world *world, sn_sheet sheet, sn_node from,
                                     sn_node to, sn_real *strength) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(strength);
    SN_TRY(check_sheet(world, sheet));
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet.slot - 1];
    const sn_node ends[2] = {from, to};
    edge e;
    sn_real found = SN_AUTO;
    SN_TRY(read_edge(world, sheet, ends, 0, &e));
    SN_TRY(check_edges(s, sheet, ends, &e, 1));
    for (size_t i = 0; s->edge_strength && i < 3 * s->def.triangle_count; i++)
        if (edge_of(&e, 1, &s->triangle[i / 3 * 3], i % 3)) found = s->edge_strength[i / 3][i % 3];
    *strength = found;
    return SN_OK;
}

/* ---- Events ---- */

sn_result sn_world_tears(const sn_world *world, const sn_tear_event **events, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(events);
    SN_CHECK_POINTER(count);
    *events = sn_tearing_of(world)->event;
    *count = sn_tearing_of(world)->events;
    return SN_OK;
}
