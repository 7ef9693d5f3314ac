#include "geometry/generate/mesh_maker.h"

#include <math.h>

enum { START = 1, END = 2 };

static bool is_finite(sn_vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

sn_result sn_generate_rope(sn_mesh *mesh, sn_vec3 start, sn_vec3 end, uint32_t segments) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    if (!is_finite(start) || !is_finite(end))
        return sn_fail(SN_ERROR_VALUE,
                       "rope: it goes from %g %g %g to %g %g %g m, expected finite numbers",
                       (double)start.x, (double)start.y, (double)start.z, (double)end.x,
                       (double)end.y, (double)end.z);
    SN_TRY(sn_maker_expect_parts("rope", "segments", segments, 1));
    sn_point a = sn_point_of(start), b = sn_point_of(end);
    SN_TRY(sn_maker_expect_length("rope", "the distance of its ends",
                                  (sn_real)sn_point_length(sn_point_sub(b, a))));
    sn_maker maker;
    SN_TRY(sn_maker_begin(&maker, mesh, "rope",
                          (sn_maker_room){.vertices = segments + 1.0, .lines = segments}));
    for (uint32_t i = 0; i <= segments; i++) {
        /* From both ends, so that the ends are where they were asked for. */
        double part = (double)i / segments;
        sn_point x = sn_point_add(sn_point_scaled(a, 1 - part), sn_point_scaled(b, part));
        sn_maker_vertex(&maker, x, i == 0 ? START : i == segments ? END : 0);
        if (i == 0) continue;
        uint32_t *line = mesh->lines[mesh->line_count++];
        line[0] = i - 1;
        line[1] = i;
    }
    static const char *const names[] = {"start", "end"};
    return sn_maker_end(&maker, names, 2);
}
