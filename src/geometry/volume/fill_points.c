/* Points of a lattice inside a closed surface, for particles. */
#include <sinew/volume.h>

#include "base/error.h"
#include "geometry/mesh_access.h"

static sn_result add_inside(const sn_sdf_view *v, double depth, sn_mesh *points) {
    const double h = (double)v->spacing;
    const sn_real *value = v->values;
    for (uint32_t k = 0; k < v->points[2]; k++)
        for (uint32_t j = 0; j < v->points[1]; j++)
            for (uint32_t i = 0; i < v->points[0]; i++, value++) {
                sn_vec3 at = {(sn_real)((double)v->low.x + i * h),
                              (sn_real)((double)v->low.y + j * h),
                              (sn_real)((double)v->low.z + k * h)};
                if (*value < 0 && (double)*value <= -depth)
                    SN_TRY(sn_mesh_add_vertices(points, &at, 1));
            }
    if (points->vertex_count > 0) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE,
                   "fill points: no point of the lattice is %g m inside the surface; a spacing of "
                   "less than %g m may have one",
                   depth, h);
}

sn_result sn_mesh_fill_points(const sn_mesh *surface, sn_real spacing, sn_real depth,
                              sn_mesh *points) {
    SN_TRY(sn_mesh_expect(surface));
    if (!(depth >= 0) || !((double)depth <= 1e9))
        return sn_fail(SN_ERROR_VALUE, "fill points: depth is %g m, expected from 0 to 1e9",
                       (double)depth);
    if (!((double)spacing >= 1e-9) || !((double)spacing <= 1e9))
        return sn_fail(SN_ERROR_VALUE, "fill points: spacing is %g m, expected from 1e-9 to 1e9",
                       (double)spacing);
    SN_TRY(sn_mesh_expect_empty(points));
    sn_sdf_def def = sn_sdf_def_default();
    sn_sdf_view view;
    sn_sdf *field = NULL;
    def.spacing = spacing;
    def.margin = 0;
    SN_TRY(sn_sdf_create(surface, &def, &field));
    sn_result result = sn_sdf_get(field, &view);
    if (result == SN_OK) result = add_inside(&view, (double)depth, points);
    sn_sdf_free(field);
    if (result != SN_OK) sn_mesh_free(points);
    return result;
}
