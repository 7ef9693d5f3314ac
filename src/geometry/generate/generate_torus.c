#include "geometry/generate/mesh_maker.h"

#include <sinew/support.h>

enum { OUTER = 1, INNER = 2 };
/* 1: a hundred times what the rounding of coordinates is of the radius. */
#define THINNEST 1e-5

sn_torus_def sn_torus_def_default(void) {
    return (sn_torus_def){.size = sizeof(sn_torus_def),
                          .radius = (sn_real)0.5,
                          .tube = (sn_real)0.2,
                          .segments = 36,
                          .sides = 16};
}

static void put_vertex(sn_maker *maker, const sn_torus_def *def, uint32_t i, uint32_t j) {
    double around[2], across[2];
    sn_turn(i, def->segments, &around[0], &around[1]);
    sn_turn(j, def->sides, &across[0], &across[1]);
    double tube = (double)def->tube, radius = (double)def->radius + tube * across[1];
    bool inner = j == def->sides / 2 || j == (def->sides + 1) / 2;
    sn_maker_vertex(maker, (sn_point){radius * around[1], tube * across[0], 0 - radius * around[0]},
                    j == 0  ? OUTER
                    : inner ? INNER
                            : 0);
}

sn_result sn_generate_torus(sn_mesh *mesh, const sn_torus_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "torus"));
    SN_TRY(sn_maker_expect_length("torus", "radius", def->radius));
    SN_TRY(sn_maker_expect_length("torus", "tube", def->tube));
    if (def->tube >= def->radius)
        return sn_fail(SN_ERROR_VALUE, "torus: tube is %g m, expected less than the radius, %g m",
                       (double)def->tube, (double)def->radius);
    if ((double)def->tube < THINNEST * (double)def->radius)
        return sn_fail(SN_ERROR_VALUE,
                       "torus: tube is %g m, expected at least %g of the radius, which is %g m",
                       (double)def->tube, THINNEST, (double)def->radius);
    SN_TRY(sn_maker_expect_parts("torus", "segments", def->segments, 3));
    SN_TRY(sn_maker_expect_parts("torus", "sides", def->sides, 3));

    uint32_t n = def->segments, m = def->sides;
    sn_maker maker;
    SN_TRY(sn_maker_begin(&maker, mesh, "torus",
                          (sn_maker_room){.vertices = (double)n * m, .triangles = 2.0 * n * m}));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) put_vertex(&maker, def, i, j);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) {
            uint32_t here = i * m, next = (i + 1) % n * m, up = (j + 1) % m;
            uint32_t corner[4] = {here + j, next + j, next + up, here + up};
            sn_maker_quad(&maker, corner, (i + j) % 2 == 1);
        }
    static const char *const names[] = {"outer", "inner"};
    return sn_maker_end(&maker, names, 2);
}
