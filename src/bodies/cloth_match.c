/*
 * A sheet by shape matching of small regions (survey, section 5.11.7): of its edges and triangles,
 * or of the corners around each triangle.
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

static sn_result add_matching(sn_builder *b, const sn_regions *regions) {
    const sn_cloth_material *m = b->material;
    sn_shape_matching_def def = sn_shape_matching_def_default();
    double spread = 0;
    for (size_t r = 0; r < regions->count; r++)
        spread += spread_of(b, regions->members + regions->first[r],
                            regions->first[r + 1] - regions->first[r]);
    def.stiffness = b->def->k_stretch;
    if (m->stretch_stiffness != SN_AUTO)
        def.compliance = (sn_real)((double)m->area_density * spread /
                                   ((double)regions->count * (double)m->stretch_stiffness));
    return sn_builder_add_matching(b, regions, m->stretch_damping, &def);
}

sn_result sn_cloth_match(sn_builder *b, sn_sheet_regions kind) {
    sn_regions regions = sn_regions_default();
    regions.allocator = b->memory->allocator;
    sn_result result = sn_regions_sheet(b->mesh, kind, &regions);
    if (result == SN_OK) result = add_matching(b, &regions);
    sn_regions_free(&regions);
    return result;
}
