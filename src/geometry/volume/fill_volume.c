#include <sinew/volume.h>

#include "base/error.h"
#include "geometry/volume/bcc_lattice.h"

enum { MOST_LEVELS = 6 };

sn_fill_def sn_fill_def_default(void) {
    return (sn_fill_def){.size = sizeof(sn_fill_def), .spacing = SN_AUTO};
}

static sn_result expect_def(const sn_fill_def *def) {
    if (!def) return sn_fail(SN_ERROR_NULL, "fill: the definition is null");
    if (def->size != sizeof *def)
        return sn_fail(SN_ERROR_DEFINITION,
                       "fill: the size of the definition is %zu, expected %zu: begin with "
                       "sn_fill_def_default",
                       def->size, sizeof *def);
    if ((int)def->kind < SN_FILL_LATTICE || (int)def->kind > SN_FILL_FITTED)
        return sn_fail(SN_ERROR_VALUE, "fill: kind is %d, expected one of sn_fill_kind",
                       (int)def->kind);
    double spacing = (double)def->spacing;
    if (def->spacing != SN_AUTO && !(spacing >= 1e-9 && spacing <= 1e9))
        return sn_fail(SN_ERROR_VALUE,
                       "fill: spacing is %g, expected from 1e-9 to 1e9 m, or SN_AUTO", spacing);
    if (def->levels > MOST_LEVELS)
        return sn_fail(SN_ERROR_VALUE, "fill: levels is %u, expected at most %d", def->levels,
                       MOST_LEVELS);
    if (def->levels > 0 && def->kind != SN_FILL_CUBES)
        return sn_fail(SN_ERROR_VALUE, "fill: levels is %u, expected 0 where there are no cubes",
                       def->levels);
    double grading = (double)def->grading;
    if (!(grading >= 0 && grading <= 1e3))
        return sn_fail(SN_ERROR_VALUE, "fill: grading is %g, expected from 0 to 1000", grading);
    if (def->levels == 0 && (grading > 0 || def->width))
        return sn_fail(SN_ERROR_VALUE, "fill: %s is given, expected levels above 0",
                       grading > 0 ? "grading" : "width");
    return SN_OK;
}

static double spacing_of(const sn_fill_def *def, const sn_solid *solid) {
    sn_point extent = sn_point_sub(solid->bounds.high, solid->bounds.low);
    double longest = extent.x > extent.y ? extent.x : extent.y;
    if (extent.z > longest) longest = extent.z;
    return def->spacing == SN_AUTO ? longest / 20 : (double)def->spacing;
}

/* Tets that end at the surface; where that loses something of it, whole ones that cover it. */
static sn_result fill_fitted(const sn_lattice *lattice, const sn_solid *solid, sn_mesh *tets) {
    bool lost;
    SN_TRY(sn_lattice_stuff(lattice, tets));
    if (tets->tet_count > 0) SN_TRY(sn_fill_drop_islands(lattice->memory, tets));
    if (tets->tet_count > 0) SN_TRY(sn_mesh_surface(tets));
    SN_TRY(sn_fill_loses(solid, lattice->spacing, tets, &lost));
    if (!lost) return sn_fill_fit(solid, lattice->spacing, tets);
    sn_mesh_free(tets);
    SN_TRY(sn_lattice_cover(lattice, solid, tets));
    return sn_mesh_surface(tets);
}

static sn_result fill_lattice(const sn_lattice *lattice, const sn_solid *solid,
                              const sn_fill_def *def, sn_mesh *tets) {
    sn_fill_kind kind = def->kind;
    if (kind == SN_FILL_FITTED) return fill_fitted(lattice, solid, tets);
    if (kind == SN_FILL_LATTICE) SN_TRY(sn_lattice_cover(lattice, solid, tets));
    if (kind == SN_FILL_CONFORMING) SN_TRY(sn_lattice_stuff(lattice, tets));
    if (kind == SN_FILL_CUBES && def->levels > 0)
        SN_TRY(sn_lattice_octree(lattice, solid, def, tets));
    else if (kind == SN_FILL_CUBES)
        SN_TRY(sn_lattice_cubes(lattice, tets));
    return tets->tet_count > 0 ? sn_mesh_surface(tets) : SN_OK;
}

static sn_result fill(const sn_solid *solid, const sn_fill_def *def, sn_mesh *tets) {
    sn_lattice lattice;
    SN_TRY(sn_lattice_create(&lattice, solid, spacing_of(def, solid)));
    sn_result result = fill_lattice(&lattice, solid, def, tets);
    sn_lattice_free(&lattice);
    if (result == SN_OK && tets->tet_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "fill: no point of the lattice is inside the surface; a spacing of less "
                       "than %g m may have one",
                       lattice.spacing);
    return result;
}

sn_result sn_mesh_fill(const sn_mesh *surface, const sn_fill_def *def, sn_mesh *tets) {
    SN_TRY(sn_mesh_expect(surface));
    SN_TRY(expect_def(def));
    SN_TRY(sn_mesh_expect_empty(tets));
    sn_solid solid;
    SN_TRY(sn_solid_create(&solid, "fill", surface));
    sn_result result = fill(&solid, def, tets);
    sn_solid_free(&solid);
    if (result != SN_OK) sn_mesh_free(tets);
    return result;
}
