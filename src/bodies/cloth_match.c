/*
 * A sheet by shape matching of small regions (survey, section 5.11.7): of its edges and triangles,
 * or of the corners around each triangle; and of strips of edges, as fibres.
 *
 * A strain e takes a node e x off its goal, with x from the middle of its region, so a sheet costs
 * density r^2 / compliance times e^2 / 2 per area, with r^2 the mean of x^2 along a direction; an
 * elastic one costs E t e^2 / 2.
 */
#include "bodies/body_cloth.h"

/* The mean of the square of x over some vertices, along a direction in their plane. */
static double spread_of(const sn_builder *b, const uint32_t *list, size_t count) {
    sn_point centre = {0, 0, 0};
    double square = 0;
    for (size_t k = 0; k < count; k++)
        centre = sn_point_add(centre, sn_point_scaled(b->x[list[k]], 1 / (double)count));
    for (size_t k = 0; k < count; k++) {
        sn_point arm = sn_point_sub(b->x[list[k]], centre);
        square += sn_point_dot(arm, arm);
    }
    return square / (2 * (double)count);
}

static sn_result add_matching(sn_builder *b, const sn_regions *regions, size_t shapes) {
    const sn_cloth_material *m = b->material;
    sn_shape_matching_def def = sn_shape_matching_def_default();
    double spread = 0;
    for (size_t r = 0; r < shapes; r++)
        spread += spread_of(b, regions->members + regions->first[r],
                            regions->first[r + 1] - regions->first[r]);
    def.stiffness = b->def->k_stretch;
    if (m->stretch_stiffness != SN_AUTO)
        def.compliance = (sn_real)((double)m->area_density * spread /
                                   ((double)shapes * (double)m->stretch_stiffness));
    if (m->fibres > 0) {
        def.fibre_count = (uint32_t)(regions->count - shapes);
        def.fibre_share = m->fibres;
    }
    return sn_builder_add_matching(b, regions, m->stretch_damping, &def);
}

/* The regions of one list behind those of another. */
static sn_result append(const sn_regions *more, sn_regions *to) {
    sn_memory memory = {.allocator = to->allocator};
    size_t old = to->count, all = old + more->count, before = to->first[old];
    size_t members = before + more->first[more->count];
    if (members > UINT32_MAX)
        return sn_fail(SN_ERROR_LIMIT,
                       "cloth: regions and fibres have %zu members in all, expected below 2^32",
                       members);
    if (!sn_reserve(&memory, (void **)&to->first, &to->capacity[0], all + 1, sizeof *to->first) ||
        !sn_reserve(&memory, (void **)&to->members, &to->capacity[1], members,
                    sizeof *to->members) ||
        !sn_reserve(&memory, (void **)&to->centres, &to->capacity[2], all, sizeof *to->centres))
        return SN_ERROR_MEMORY;
    for (size_t r = 0; r < more->count; r++) {
        to->first[old + r + 1] = (uint32_t)before + more->first[r + 1];
        to->centres[old + r] = more->centres[r];
    }
    for (size_t k = before; k < members; k++) to->members[k] = more->members[k - before];
    to->count = all;
    return SN_OK;
}

static sn_result add_fibres(sn_builder *b, sn_regions *regions) {
    sn_regions fibres = sn_regions_default();
    fibres.allocator = b->memory->allocator;
    sn_result result = sn_regions_sheet(b->mesh, SN_SHEET_REGIONS_FIBRES, &fibres);
    if (result == SN_OK) result = append(&fibres, regions);
    sn_regions_free(&fibres);
    return result;
}

sn_result sn_cloth_match(sn_builder *b, sn_sheet_regions kind) {
    const sn_cloth_material *m = b->material;
    sn_regions regions = sn_regions_default();
    regions.allocator = b->memory->allocator;
    sn_result result = sn_regions_sheet(b->mesh, kind, &regions);
    size_t shapes = regions.count;
    if (result == SN_OK && m->fibres > 0) result = add_fibres(b, &regions);
    if (result == SN_OK) result = add_matching(b, &regions, shapes);
    sn_regions_free(&regions);
    return result;
}
