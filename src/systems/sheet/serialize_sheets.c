/* Sheets to and from an archive. */
#include "state/serialize.h"

#include "systems/sheet/owned_constraints.h"
#include "systems/sheet/sheets.h"

/* How many nodes and triangles a sheet has; what is read must be there in full before memory is had
   for it. */
static void serialize_counts(sn_archive *a, sn_sheets *s) {
    uint64_t total[2] = {0, 0};
    sn_archive_cursor cursor = sn_archive_open(a, "counts", SN_ARCHIVE_U32, 2 * s->slots.count);
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        sn_sheet_def *def = &s->state[i].def;
        uint32_t count[2] = {(uint32_t)def->node_count, (uint32_t)def->triangle_count};
        for (int k = 0; k < 2; k++) sn_archive_next(a, &cursor, &count[k]);
        if (!a->reading || a->result != SN_OK) continue;
        if (s->slots.alive[i] ? count[0] == 0 : count[0] + count[1] > 0)
            sn_archive_fail(a, "sheet %zu has %u nodes and %u triangles", i, count[0], count[1]);
        def->node_count = count[0];
        def->triangle_count = count[1];
        total[0] += count[0];
        total[1] += 3 * (uint64_t)count[1];
    }
    static const char *const lists[] = {"node", "triangle"};
    for (int k = 0; k < 2 && a->reading && a->result == SN_OK; k++)
        if (sn_archive_count(a, lists[k]) != total[k])
            sn_archive_fail(a, "there are %zu numbers of %s, expected %llu",
                            sn_archive_count(a, lists[k]), lists[k], (unsigned long long)total[k]);
}

static size_t total_of(const sn_sheets *s, bool triangles) {
    size_t total = 0;
    for (size_t i = 0; i < s->slots.count; i++)
        total += triangles ? 3 * s->state[i].def.triangle_count : s->state[i].def.node_count;
    return total;
}

static void serialize_node_lists(sn_archive *a, sn_world *world) {
    sn_sheets *s = sn_sheets_of(world);
    sn_archive_cursor cursor = sn_archive_open(a, "node", SN_ARCHIVE_U32, total_of(s, false));
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        size_t count = s->state[i].def.node_count;
        sn_archive_run(a, &cursor, s->state[i].node, sizeof(uint32_t), 1, count);
        for (size_t k = 0; a->reading && k < count && a->result == SN_OK; k++) {
            uint32_t *node = &s->state[i].node[k];
            if (*node >= world->nodes.slots.count || !world->nodes.slots.alive[*node] ||
                s->of_node[*node]) {
                sn_archive_fail(a, "sheet %zu has node %u among its nodes", i, *node);
                return;
            }
            s->of_node[*node] = (uint32_t)i + 1;
            s->place[*node] = (uint32_t)k;
        }
    }
}

static void serialize_triangles(sn_archive *a, sn_sheets *s) {
    sn_archive_cursor cursor = sn_archive_open(a, "triangle", SN_ARCHIVE_U32, total_of(s, true));
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        const sn_sheet_state *sheet = &s->state[i];
        sn_archive_run(a, &cursor, sheet->triangle, 3 * sizeof(uint32_t), 3,
                       sheet->def.triangle_count);
        for (size_t k = 0; k < sheet->def.triangle_count && a->result == SN_OK; k++) {
            const uint32_t *t = &sheet->triangle[3 * k];
            size_t count = sheet->def.node_count;
            if (a->reading && a->result == SN_OK &&
                (t[0] >= count || t[1] >= count || t[2] >= count || t[0] == t[1] || t[1] == t[2] ||
                 t[2] == t[0]))
                sn_archive_fail(a, "triangle %zu of sheet %zu has the corners %u, %u and %u", k, i,
                                t[0], t[1], t[2]);
        }
    }
}

static void serialize_rest(sn_archive *a, sn_sheets *s) {
    sn_archive_cursor cursor = sn_archive_open(a, "rest", SN_ARCHIVE_REAL, 3 * total_of(s, false));
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++)
        sn_archive_run(a, &cursor, s->state[i].rest, sizeof(sn_vec4), 3,
                       s->state[i].def.node_count);
}

/* Which constraints were made for a sheet, and whether they are to be made anew. */
static void serialize_ties(sn_archive *a, sn_world *world) {
    sn_sheets *s = sn_sheets_of(world);
    size_t count = 0;
    for (size_t i = 0; i < s->slots.count; i++) count += s->state[i].ties;
    sn_archive_choices(a, "loose", SN_ARCHIVE_U8, &s->state->loose, sizeof s->state->loose,
                       sizeof *s->state, s->slots.count, 2);
    if (a->reading) count = sn_archive_count(a, "tie");
    sn_archive_cursor cursor = sn_archive_open(a, "tie", SN_ARCHIVE_U32, count);
    if (count > 0 && !a->reading)
        sn_archive_show(a, "tie", SN_ARCHIVE_U8, &world->constraints.record->owned,
                        sizeof *world->constraints.record, 1, world->constraints.slots.count);
    uint32_t next = 0;
    for (size_t i = 0; i < count && a->result == SN_OK; i++) {
        while (!a->reading && !world->constraints.record[next].owned) next++;
        uint32_t constraint = next++;
        sn_archive_next(a, &cursor, &constraint);
        if (a->reading && a->result == SN_OK && !sn_world_own_constraint(world, constraint))
            sn_archive_fail(a, "constraint %u belongs to no sheet", constraint);
    }
}

/* Which sheets have strengths of their own, and then these. */
static void serialize_strengths(sn_archive *a, sn_world *world) {
    sn_sheets *s = sn_sheets_of(world);
    size_t total = 0;
    sn_archive_cursor cursor = sn_archive_open(a, "strong", SN_ARCHIVE_U8, s->slots.count);
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        sn_sheet_state *sheet = &s->state[i];
        uint8_t strong = sheet->strength != NULL;
        sn_archive_next(a, &cursor, &strong);
        if (strong > 1) sn_archive_fail(a, "strong of %zu is %u, expected 0 or 1", i, strong);
        if (a->reading && a->result == SN_OK && strong)
            sn_serialize_had(a, sn_reserve(&world->memory, (void **)&sheet->strength,
                                           &sheet->strength_capacity, sheet->def.node_count + 1,
                                           sizeof *sheet->strength));
        if (strong) total += sheet->def.node_count;
    }
    if (a->result != SN_OK) return;
    cursor = sn_archive_open(a, "strength", SN_ARCHIVE_REAL, total);
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        const sn_real *strength = s->state[i].strength;
        size_t count = strength ? s->state[i].def.node_count : 0;
        sn_archive_run(a, &cursor, s->state[i].strength, sizeof(sn_real), 1, count);
        for (size_t k = 0; k < count && a->result == SN_OK; k++)
            if (!(strength[k] >= 0 && strength[k] <= SN_REAL_MAX))
                sn_archive_fail(a, "node %zu of sheet %zu has the strength %g, expected at least 0",
                                k, i, (double)strength[k]);
    }
}

/* Which sheets have drag and lift per node, and then these; nothing where none has. */
static void serialize_air(sn_archive *a, sn_world *world) {
    sn_sheets *s = sn_sheets_of(world);
    size_t total = 0;
    bool any = a->reading && sn_archive_has(a, "airy");
    for (size_t i = 0; !a->reading && i < s->slots.count; i++) any = any || s->state[i].air;
    if (!any) return;
    sn_archive_cursor cursor = sn_archive_open(a, "airy", SN_ARCHIVE_U8, s->slots.count);
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        sn_sheet_state *sheet = &s->state[i];
        uint8_t airy = sheet->air != NULL;
        sn_archive_next(a, &cursor, &airy);
        if (airy > 1) sn_archive_fail(a, "airy of %zu is %u, expected 0 or 1", i, airy);
        if (a->reading && a->result == SN_OK && airy)
            sn_serialize_had(a,
                             sn_reserve(&world->memory, (void **)&sheet->air, &sheet->air_capacity,
                                        sheet->def.node_count + 1, sizeof *sheet->air));
        if (airy) total += 2 * sheet->def.node_count;
    }
    if (a->result != SN_OK) return;
    cursor = sn_archive_open(a, "air", SN_ARCHIVE_REAL, total);
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        size_t count = s->state[i].air ? s->state[i].def.node_count : 0;
        sn_archive_run(a, &cursor, s->state[i].air, sizeof *s->state[i].air, 2, count);
        for (size_t k = 0; k < count && a->result == SN_OK; k++) {
            const sn_real *air = s->state[i].air[k];
            bool good = air[0] >= 0 && air[0] <= SN_REAL_MAX &&
                        (air[1] == SN_AUTO || (air[1] >= 0 && air[1] <= air[0]));
            if (!good)
                sn_archive_fail(a, "node %zu of sheet %zu has the drag %g and the lift %g", k, i,
                                (double)air[0], (double)air[1]);
        }
    }
}

/* Which edges were cut and are held together still; nothing where none ever were. */
static void serialize_open(sn_archive *a, sn_world *world) {
    sn_sheets *s = sn_sheets_of(world);
    bool any = a->reading && sn_archive_has(a, "open");
    for (size_t i = 0; !a->reading && i < s->slots.count; i++) any = any || s->state[i].open;
    if (!any) return;
    sn_archive_cursor cursor = sn_archive_open(a, "open", SN_ARCHIVE_U8, total_of(s, true) / 3);
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        sn_sheet_state *sheet = &s->state[i];
        if (a->reading &&
            !sn_serialize_had(a, sn_reserve(&world->memory, (void **)&sheet->open,
                                            &sheet->open_capacity, sheet->def.triangle_count + 1,
                                            sizeof *sheet->open)))
            return;
        size_t count = sheet->def.triangle_count, there = sheet->open ? count : 0;
        uint8_t closed = 0;
        sn_archive_run(a, &cursor, sheet->open, 1, 1, there);
        for (size_t k = there; k < count; k++) sn_archive_next(a, &cursor, &closed);
        for (size_t k = 0; k < there && a->result == SN_OK; k++)
            if (sheet->open[k] > 7)
                sn_archive_fail(a, "triangle %zu of sheet %zu is open by %u", k, i, sheet->open[k]);
    }
}

/* Edges that are weaker or stronger than their nodes say; nothing where none ever were. */
static void serialize_edges(sn_archive *a, sn_world *world) {
    sn_sheets *s = sn_sheets_of(world);
    bool any = a->reading && sn_archive_has(a, "edge");
    for (size_t i = 0; !a->reading && i < s->slots.count; i++)
        any = any || s->state[i].edge_strength;
    if (!any) return;
    sn_archive_cursor cursor = sn_archive_open(a, "edge", SN_ARCHIVE_REAL, total_of(s, true));
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        sn_sheet_state *sheet = &s->state[i];
        if (a->reading &&
            !sn_serialize_had(a, sn_reserve(&world->memory, (void **)&sheet->edge_strength,
                                            &sheet->edge_capacity, sheet->def.triangle_count + 1,
                                            sizeof *sheet->edge_strength)))
            return;
        size_t count = sheet->def.triangle_count, there = sheet->edge_strength ? count : 0;
        sn_real automatic = SN_AUTO;
        sn_archive_run(a, &cursor, sheet->edge_strength, sizeof *sheet->edge_strength, 3, there);
        for (size_t k = 3 * there; k < 3 * count; k++) sn_archive_next(a, &cursor, &automatic);
        for (size_t k = 0; k < 3 * there && a->result == SN_OK; k++) {
            sn_real strength = sheet->edge_strength[k / 3][k % 3];
            if (strength != SN_AUTO && !(strength >= 0 && strength <= SN_REAL_MAX))
                sn_archive_fail(a, "an edge of triangle %zu of sheet %zu has the strength %g",
                                k / 3, i, (double)strength);
        }
    }
}

/* Room for what the counts say. */
static void reserve_lists(sn_archive *a, sn_world *world) {
    sn_sheets *s = sn_sheets_of(world);
    for (size_t i = 0; i < s->slots.count && a->result == SN_OK; i++) {
        sn_sheet_state *sheet = &s->state[i];
        sn_object_check_read(&sn_sheet_object, a, &sheet->def, i);
        if (s->slots.alive[i] && a->result == SN_OK)
            sn_serialize_had(a, sn_sheet_state_reserve(sheet, &world->memory, sheet->def.node_count,
                                                       sheet->def.triangle_count));
    }
}

/* Room for the sheets, and for what nodes know of them. */
static void reserve_sheets(sn_archive *a, sn_world *world) {
    sn_sheets *s = sn_sheets_of(world);
    sn_column columns[] = {{(void **)&s->of_node, sizeof *s->of_node},
                           {(void **)&s->place, sizeof *s->place}};
    s->node_capacity =
        sn_columns_grow(&world->memory, columns, 2, 0, 0, world->nodes.slots.count + 1);
    sn_serialize_had(a, s->node_capacity > 0 &&
                            sn_reserve(&world->memory, (void **)&s->state, &s->capacity,
                                       s->slots.count + 1, sizeof *s->state));
}

void sn_world_serialize_sheets(sn_world *world, sn_archive *a) {
    sn_sheets *s = sn_sheets_of(world);
    if (a->reading && !sn_archive_is_next(a, "sheet")) return;
    /* Worlds without any have the bytes that they always had. */
    if (!a->reading && s->slots.count == 0) return;
    sn_archive_section(a, "sheet");
    sn_serialize_slots(a, &s->slots, &world->memory, UINT32_MAX - 1);
    if (a->reading && a->result == SN_OK) reserve_sheets(a, world);
    if (a->result == SN_OK && s->slots.count > 0) {
        sn_object_serialize(&sn_sheet_object, a, &s->state->def, sizeof *s->state, s->slots.count,
                            0);
        serialize_counts(a, s);
        if (a->reading) reserve_lists(a, world);
        if (a->result == SN_OK) serialize_node_lists(a, world);
        if (a->result == SN_OK) serialize_triangles(a, s);
        if (a->result == SN_OK) serialize_rest(a, s);
        if (a->result == SN_OK) serialize_ties(a, world);
        if (a->result == SN_OK) serialize_strengths(a, world);
        if (a->result == SN_OK) serialize_open(a, world);
        if (a->result == SN_OK) serialize_air(a, world);
        if (a->result == SN_OK) serialize_edges(a, world);
        s->changes++;
    }
    sn_archive_section_end(a);
}
