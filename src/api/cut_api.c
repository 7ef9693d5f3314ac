/* The public calls on cutting. */
#include "api/call.h"
#include "api/check.h"
#include "fracture/cut_lines.h"
#include "fracture/cut_vertex.h"
#include "state/rollback.h"
#include "systems/sheet/sheets.h"
#include "systems/tet_mesh/tet_meshes.h"

#include <sinew/cut.h>

/* ---- Recordings ---- */

#define CALLS(CALL, OWN)                                                                           \
    CALL(CUT_TET_MESH, "bulk_cut", SN_PART_ID | SN_PART_DEF, 0, &sn_blade_object,                  \
         sn_tet_mesh_cut(world, SN_ID_AS(sn_tet_mesh, call->id), call->def, NULL))                 \
    CALL(CUT_SHEET, "sheet_cut", SN_PART_ID | SN_PART_DEF, 0, &sn_blade_object,                    \
         sn_sheet_cut(world, SN_ID_AS(sn_sheet, call->id), call->def, NULL))                       \
    CALL(CUT_LINES, "lines_cut", SN_PART_LIST, 0, NULL,                                            \
         sn_lines_cut(world, call->items, call->count / 2))
SN_DEFINE_CALLS(cut, CALLS, .next = NULL)

/* ---- Cutting ---- */

/* What is cut, and how. */
typedef struct knife {
    sn_world *world;
    uint32_t sheet, tet_mesh; /* one of them is UINT32_MAX */
    const sn_blade_def *def;
    sn_blade blade;
} knife;

static bool begin(sn_cut *cut, const knife *k) {
    return k->tet_mesh != UINT32_MAX ? sn_cut_begin_tet_mesh(cut, k->world, k->tet_mesh)
                                     : sn_cut_begin(cut, k->world, k->sheet);
}

/* What would be refused is refused before anything changes. */
static sn_result try_it(const knife *k, bool *finds) {
    sn_cut cut;
    sn_result result = SN_ERROR_MEMORY;
    if (begin(&cut, k)) result = sn_cut_try(&cut, &k->blade, finds);
    sn_cut_free(&cut);
    return result;
}

/* Takes apart what the blade has come between. */
static sn_result part(const knife *k, size_t *copies) {
    sn_cut cut;
    sn_result result = SN_ERROR_MEMORY;
    if (begin(&cut, k)) result = sn_cut_mark_blade(&cut, &k->blade);
    if (result == SN_OK && (result = sn_cut_part(&cut)) != SN_OK && cut.copy_count == 0)
        sn_cut_unmark(&cut);
    *copies = cut.copy_count;
    sn_cut_free(&cut);
    return result;
}

static sn_result change(const knife *k, size_t *copies) {
    sn_world *world = k->world;
    double reach = (double)k->def->snap;
    if (reach > 0 && !sn_cut_snap(world, k->sheet, k->tet_mesh, &k->blade, reach))
        return SN_ERROR_MEMORY;
    if (k->def->split) SN_TRY(sn_cut_divide(world, k->sheet, k->tet_mesh, &k->blade));
    SN_TRY(part(k, copies));
    if (k->sheet != UINT32_MAX && *copies > 0 && !sn_cut_release(world, k->sheet))
        return SN_ERROR_MEMORY;
    return SN_OK;
}

/* All of it is made, or nothing: where memory runs out the world is as it was. */
static sn_result cut(knife *k, size_t *copies) {
    sn_world *world = k->world, before;
    size_t made = 0;
    bool crosses = false;
    if (k->def->split) sn_blade_divide(&k->blade, sn_cut_mean_edge(world, k->sheet, k->tet_mesh));
    SN_TRY(try_it(k, &crosses));
    if (k->def->snap > 0 || k->def->split)
        crosses = crosses || sn_cut_crosses(world, k->sheet, k->tet_mesh, &k->blade);
    if (crosses) SN_TRY(sn_rollback_save(world, &before));
    sn_result result = crosses ? change(k, &made) : part(k, &made);
    if (crosses && result != SN_OK)
        sn_rollback_restore(world, &before);
    else if (crosses)
        sn_rollback_discard(world, &before);
    if (result != SN_OK) return result;
    if (made > 0) sn_world_wake_all(world);
    if (copies) *copies = made;
    return SN_OK;
}

sn_result sn_tet_mesh_cut(sn_world *world, sn_tet_mesh tet_mesh, const sn_blade_def *def,
                          size_t *copies) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(
        sn_slots_check(&sn_tet_meshes_of(world)->slots, SN_ID(tet_mesh), world->tag, "tet mesh"));
    knife k = {.world = world, .sheet = UINT32_MAX, .tet_mesh = tet_mesh.slot - 1, .def = def};
    SN_TRY(sn_blade_make(&k.blade, def));
    SN_TRY(cut(&k, copies));
    SN_RECORD(world, CUT_TET_MESH, .id = SN_ID(tet_mesh), .def = def);
    return SN_OK;
}

sn_result sn_sheet_cut(sn_world *world, sn_sheet sheet, const sn_blade_def *def, size_t *copies) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_slots_check(&sn_sheets_of(world)->slots, SN_ID(sheet), world->tag, "sheet"));
    knife k = {.world = world, .sheet = sheet.slot - 1, .tet_mesh = UINT32_MAX, .def = def};
    SN_TRY(sn_blade_make(&k.blade, def));
    SN_TRY(cut(&k, copies));
    SN_RECORD(world, CUT_SHEET, .id = SN_ID(sheet), .def = def);
    return SN_OK;
}

sn_result sn_lines_cut(sn_world *world, const sn_node *ends, size_t lines) {
    SN_CHECK_WORLD(world);
    if (lines == 0) return SN_OK;
    SN_CHECK_POINTER(ends);
    for (size_t i = 0; i < 2 * lines; i++) {
        sn_result result = sn_check_node(world, ends[i]);
        if (result != SN_OK)
            return sn_fail_within(result, "end %zu of line %zu of %zu", i % 2, i / 2, lines);
        if (i % 2 == 1 && ends[i].slot == ends[i - 1].slot)
            return sn_fail(SN_ERROR_DEGENERATE, "cut: line %zu goes from node %u to itself", i / 2,
                           ends[i].slot - 1);
    }
    sn_cut_lines(world, ends, lines);
    SN_RECORD(world, CUT_LINES, .items = ends, .count = 2 * lines);
    return SN_OK;
}
