/* Links between elements that have a side in common, and their exchange for others. */
#include "base/error.h"
#include "geometry/topology/triangle_edges.h"
#include "systems/air_mesh/air_meshes.h"

/* The corners of a side, in ascending order; of a triangle the last one is 0. */
static sn_record side_of(const sn_gap *air, const sn_gap_element *e, int without) {
    sn_record r = {{0, 0, 0}, 0};
    int count = 0;
    for (int k = 0; k < air->corners; k++)
        if (k != without) r.key[count++] = e->corner[k];
    if (count == 2 && r.key[0] > r.key[1]) {
        uint32_t low = r.key[1];
        r.key[1] = r.key[0];
        r.key[0] = low;
    }
    if (count == 3) sn_sort_three(r.key);
    return r;
}

/* The side of an element that has these corners; the number of sides where none has. */
static int find_side(const sn_gap *air, const sn_gap_element *e, const sn_record *side) {
    int k = 0;
    for (; k < air->corners; k++) {
        sn_record own = side_of(air, e, k);
        if (sn_records_equal(&own, side, 3)) break;
    }
    return k;
}

/* ---- All of them ---- */

sn_result sn_gap_list_walls(const sn_gap *air, sn_memory *memory, sn_record *wall, size_t *count) {
    for (size_t t = 0; t < air->triangles && air->axis == SN_GAP_NONE; t++) {
        sn_record r = {{air->triangle[t][0], air->triangle[t][1], air->triangle[t][2]},
                       SN_GAP_NO_ELEMENT};
        sn_sort_three(r.key);
        wall[(*count)++] = r;
    }
    if (air->axis == SN_GAP_NONE) return SN_OK;
    for (size_t i = 0; i < air->edges; i++) {
        uint32_t a = air->edge[i][0], b = air->edge[i][1];
        wall[(*count)++] = (sn_record){{a < b ? a : b, a < b ? b : a, 0}, SN_GAP_NO_ELEMENT};
    }
    if (air->triangles == 0) return SN_OK;
    sn_edges sides;
    SN_TRY(
        sn_edges_create(&sides, memory, (const uint32_t(*)[3])air->triangle, air->triangles, NULL));
    for (size_t first = 0; first < sides.count;) {
        size_t end = sn_edges_end(&sides, first);
        const uint32_t *key = sides.sides[first].key;
        /* What is inside consists of the triangles of the body, which stay what they are. */
        if (end == first + 1 || air->def.inside)
            wall[(*count)++] = (sn_record){{key[0], key[1], 0}, SN_GAP_NO_ELEMENT};
        first = end;
    }
    sn_edges_free(&sides, memory);
    return SN_OK;
}

static void link_runs(sn_gap *air, const sn_record *side, size_t count) {
    for (size_t first = 0; first < count;) {
        size_t end = sn_records_run(side, first, count, 3);
        bool wall = false;
        for (size_t i = first; i < end; i++) wall |= side[i].value == SN_GAP_NO_ELEMENT;
        if (!wall && end == first + 2) {
            uint32_t a = side[first].value, b = side[first + 1].value;
            air->link[a / 4].corner[a % 4] = b / 4;
            air->link[b / 4].corner[b % 4] = a / 4;
        }
        first = end;
    }
}

sn_result sn_gap_link(sn_gap *air, sn_memory *memory) {
    size_t room = (size_t)air->corners * air->elements + 3 * air->triangles + air->edges;
    size_t count = 0;
    sn_record *side = sn_allocate(memory, room, sizeof *side);
    sn_record *spare = sn_allocate(memory, room, sizeof *spare);
    sn_result result = side && spare ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = sn_gap_list_walls(air, memory, side, &count);
    if (result == SN_OK) {
        for (size_t e = 0; e < air->elements; e++)
            for (int k = 0; k < 4; k++) {
                air->link[e].corner[k] = SN_GAP_NO_ELEMENT;
                if (k == air->corners) continue;
                sn_record r = side_of(air, &air->element[e], k);
                r.value = (uint32_t)(4 * e) + (uint32_t)k;
                side[count++] = r;
            }
        sn_records_sort(side, spare, count, 3);
        link_runs(air, side, count);
    }
    sn_free(memory, side, room, sizeof *side);
    sn_free(memory, spare, room, sizeof *spare);
    return result;
}

bool sn_gap_is_linked(const sn_gap *air, uint32_t e) {
    for (int k = 0; k < air->corners; k++) {
        uint32_t beyond = air->link[e].corner[k];
        if (beyond == SN_GAP_NO_ELEMENT) continue;
        sn_record side = side_of(air, &air->element[e], k);
        int back = find_side(air, &air->element[beyond], &side);
        if (back == air->corners || air->link[beyond].corner[back] != e) return false;
    }
    return true;
}

/* ---- Some of them ---- */

/* Elements that a flip concerns: at most SN_GAP_RING around an edge. */
enum { BORDER = 4 * SN_GAP_RING };

typedef struct border {
    sn_record side[BORDER]; /* value: the element beyond */
    size_t count;
} border;

static void find_border(const sn_gap *air, const uint32_t *old, size_t count, border *b) {
    b->count = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < air->corners; k++) {
            uint32_t beyond = air->link[old[i]].corner[k];
            bool within = false;
            for (size_t j = 0; j < count; j++) within |= beyond == old[j];
            if (within) continue;
            sn_record r = side_of(air, &air->element[old[i]], k);
            r.value = beyond;
            b->side[b->count++] = r;
        }
}

static uint32_t beyond_border(const border *b, const sn_record *side) {
    for (size_t i = 0; i < b->count; i++)
        if (sn_records_equal(&b->side[i], side, 3)) return b->side[i].value;
    return SN_GAP_NO_ELEMENT;
}

/* Whether elements fit the border: each of their sides is on it once, or is one of two, and all of
   it is covered. Where bodies are in each other it may be that a flip would not. */
static bool fits(const sn_gap *air, const border *b, const sn_gap_element *made, size_t count) {
    size_t covered = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < air->corners; k++) {
            sn_record side = side_of(air, &made[i], k);
            size_t outer = 0, inner = 0;
            for (size_t j = 0; j < b->count; j++) outer += sn_records_equal(&b->side[j], &side, 3);
            for (size_t j = 0; j < count; j++)
                inner += j != i && find_side(air, &made[j], &side) < air->corners;
            if (outer + inner != 1) return false;
            covered += outer;
        }
    return covered == b->count;
}

/* What is beyond a side hears who is there now. */
static void tell(sn_gap *air, uint32_t beyond, const sn_record *side, uint32_t who) {
    if (beyond == SN_GAP_NO_ELEMENT) return;
    int k = find_side(air, &air->element[beyond], side);
    if (k < air->corners) air->link[beyond].corner[k] = who;
}

static void link_made(sn_gap *air, const uint32_t *place, size_t count, const border *b) {
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < air->corners; k++) {
            sn_record side = side_of(air, &air->element[place[i]], k);
            uint32_t *link = &air->link[place[i]].corner[k];
            *link = SN_GAP_NO_ELEMENT;
            for (size_t j = 0; j < count; j++)
                if (j != i && find_side(air, &air->element[place[j]], &side) < air->corners)
                    *link = place[j];
            if (*link != SN_GAP_NO_ELEMENT) continue;
            *link = beyond_border(b, &side);
            tell(air, *link, &side, place[i]);
        }
}

/* The last element moves to a place that is free. */
static void close_gap(sn_gap *air, uint32_t place) {
    uint32_t last = (uint32_t)--air->elements;
    if (place == last) return;
    air->element[place] = air->element[last];
    air->link[place] = air->link[last];
    for (int k = 0; k < air->corners; k++) {
        sn_record side = side_of(air, &air->element[place], k);
        tell(air, air->link[place].corner[k], &side, place);
    }
}

bool sn_gap_replace(sn_gap *air, const uint32_t *old, size_t old_count, const sn_gap_element *made,
                    size_t made_count) {
    border b;
    uint32_t place[2 * SN_GAP_RING];
    find_border(air, old, old_count, &b);
    if (!fits(air, &b, made, made_count)) return false;
    for (size_t i = 0; i < made_count; i++) {
        place[i] = i < old_count ? old[i] : (uint32_t)air->elements++;
        air->element[place[i]] = made[i];
        air->link[place[i]].corner[3] = SN_GAP_NO_ELEMENT;
    }
    link_made(air, place, made_count, &b);
    /* Three around an edge become two; nothing else has fewer than before. */
    if (made_count < old_count) close_gap(air, old[made_count]);
    return true;
}
