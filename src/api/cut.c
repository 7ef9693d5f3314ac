/* The public calls on cutting. */
#include "world/cut.h"
#include "api/call.h"
#include "api/check.h"

#include <sinew/cut.h>

sn_blade_def sn_blade_def_default(void) {
    return (sn_blade_def){.size = sizeof(sn_blade_def), .normal = {0, 1, 0}, .radius = SN_AUTO};
}

/* ---- The surface ---- */

static sn_result check_plane(const sn_blade_def *d, sn_blade *blade) {
    SN_TRY(sn_check_vec3("blade", "point", d->point, "m"));
    SN_TRY(sn_check_vec3("blade", "normal", d->normal, ""));
    SN_TRY(sn_check_real("blade", "radius", d->radius, 0, (double)SN_REAL_MAX, true, "m"));
    blade->point = sn_point_of(d->point);
    blade->normal = sn_point_of(d->normal);
    blade->radius = d->radius == SN_AUTO ? (double)SN_INFINITY : (double)d->radius;
    double length = sn_point_length(blade->normal);
    if (!(length > 1e-15 && length < 1e15))
        return sn_fail(SN_ERROR_VALUE, "blade: normal has the length %g, expected about 1", length);
    blade->normal = sn_point_scaled(blade->normal, 1 / length);
    return SN_OK;
}

static sn_result check_sweep(const sn_blade_def *d, sn_blade *blade) {
    for (int k = 0; k < 2; k++) {
        SN_TRY(sn_check_vec3("blade", "from", d->from[k], "m"));
        SN_TRY(sn_check_vec3("blade", "to", d->to[k], "m"));
    }
    blade->sweep = true;
    blade->corner[0] = sn_point_of(d->from[0]);
    blade->corner[1] = sn_point_of(d->from[1]);
    blade->corner[2] = sn_point_of(d->to[1]);
    blade->corner[3] = sn_point_of(d->to[0]);
    return SN_OK;
}

static sn_result check_blade(const sn_blade_def *d, sn_blade *blade) {
    *blade = (sn_blade){.sweep = false};
    SN_TRY(sn_check_size("blade", d->size, sizeof *d));
    if ((unsigned)d->kind > SN_BLADE_SWEEP)
        return sn_fail(SN_ERROR_VALUE, "blade: kind is %d, expected 0 to %d", (int)d->kind,
                       SN_BLADE_SWEEP);
    SN_TRY(sn_check_real("blade", "snap", d->snap, 0, 0.5, false, ""));
    return d->kind == SN_BLADE_PLANE ? check_plane(d, blade) : check_sweep(d, blade);
}

/* ---- Cutting ---- */

/* What was refused is not noted either. Where memory ran out in the middle, the world is sound and
   the rest comes apart with the next cut. */
static sn_result part(sn_cut *cut, const sn_blade *blade) {
    SN_TRY(sn_cut_mark_blade(cut, blade));
    sn_result result = sn_cut_part(cut);
    if (result == SN_OK) return SN_OK;
    if (cut->copy_count == 0) {
        sn_cut_unmark(cut);
        return result;
    }
    sn_world_say(cut->world, SN_LOG_WARNING,
                 "cut: there is no memory, so some of it comes apart with the next one");
    return SN_OK;
}

static sn_result finish(sn_cut *cut, sn_result result, size_t *copies) {
    size_t made = cut->copy_count;
    if (result == SN_OK && made > 0) sn_world_wake_all(cut->world);
    sn_cut_free(cut);
    if (result == SN_OK && copies) *copies = made;
    return result;
}

/* What would be refused is refused before anything moves. */
static sn_result snap(sn_world *world, uint32_t bulk, const sn_blade *blade, double reach) {
    sn_cut cut;
    sn_result result = SN_ERROR_MEMORY;
    if (sn_cut_begin_bulk(&cut, world, bulk)) result = sn_cut_try(&cut, blade);
    sn_cut_free(&cut);
    if (result != SN_OK) return result;
    if (!sn_cut_snap(world, bulk, blade, reach))
        sn_world_say(world, SN_LOG_WARNING, "cut: there is no memory to make all of it smooth");
    return SN_OK;
}

sn_result sn_bulk_cut(sn_world *world, sn_bulk bulk, const sn_blade_def *def, size_t *copies) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_slots_check(&world->bulks.slots, SN_ID(bulk), world->tag, "bulk"));
    sn_blade blade;
    SN_TRY(check_blade(def, &blade));
    sn_cut cut;
    sn_result result = SN_ERROR_MEMORY;
    if (def->snap > 0) SN_TRY(snap(world, bulk.slot - 1, &blade, (double)def->snap));
    if (sn_cut_begin_bulk(&cut, world, bulk.slot - 1)) result = part(&cut, &blade);
    SN_TRY(finish(&cut, result, copies));
    SN_RECORD(world, BULK_CUT, .id = SN_ID(bulk), .blade = *def);
    return SN_OK;
}

sn_result sn_sheet_cut(sn_world *world, sn_sheet sheet, const sn_blade_def *def, size_t *copies) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_slots_check(&world->sheets.slots, SN_ID(sheet), world->tag, "sheet"));
    sn_blade blade;
    SN_TRY(check_blade(def, &blade));
    sn_cut cut;
    sn_result result = SN_ERROR_MEMORY;
    if (sn_cut_begin(&cut, world, sheet.slot - 1)) result = part(&cut, &blade);
    if (result == SN_OK && cut.copy_count > 0 && !sn_cut_release(world, sheet.slot - 1))
        sn_world_say(world, SN_LOG_WARNING,
                     "sheet cut: there is no memory to let go of the tethers of what was cut off");
    SN_TRY(finish(&cut, result, copies));
    SN_RECORD(world, SHEET_CUT, .id = SN_ID(sheet), .blade = *def);
    return SN_OK;
}
