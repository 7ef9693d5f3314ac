#include "geometry/generate/mesh_maker.h"

enum { TOP = 1, BOTTOM = 2 };

sn_cylinder_def sn_cylinder_def_default(void) {
    return (sn_cylinder_def){.size = sizeof(sn_cylinder_def),
                             .radius = (sn_real)0.5,
                             .height = 1,
                             .segments = 24,
                             .rows = 8,
                             .capped = true};
}

static void put_side(sn_maker *maker, const sn_cylinder_def *def) {
    uint32_t n = def->segments;
    for (uint32_t row = 0; row <= def->rows; row++)
        sn_maker_circle(maker, (double)def->radius,
                        (double)def->height * ((double)row / def->rows - 0.5), n,
                        row == 0           ? BOTTOM
                        : row == def->rows ? TOP
                                           : 0);
    for (uint32_t row = 0; row < def->rows; row++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t a = row * n + i, b = row * n + (i + 1) % n;
            uint32_t corner[4] = {a, b, b + n, a + n};
            sn_maker_quad(maker, corner, (row + i) % 2 == 1);
        }
}

sn_result sn_generate_cylinder(sn_mesh *mesh, const sn_cylinder_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "cylinder"));
    SN_TRY(sn_maker_expect_length("cylinder", "radius", def->radius));
    SN_TRY(sn_maker_expect_length("cylinder", "height", def->height));
    SN_TRY(sn_maker_expect_parts("cylinder", "segments", def->segments, 3));
    SN_TRY(sn_maker_expect_parts("cylinder", "rows", def->rows, 1));

    /* As many rings as make the edges along the radius as long as those of the rim. */
    uint32_t n = def->segments, rings = n < 9 ? 1 : (uint32_t)(n / 6.2831853 + 0.5);
    double side = (double)n * def->rows;
    double inside = def->capped ? sn_maker_disc_inside_count(rings, n) : 0;
    sn_maker_room room = {.vertices = side + n + 2 * inside,
                          .triangles = 2 * side + 2 * (2 * inside + n)};
    sn_maker maker;
    SN_TRY(sn_maker_begin(&maker, mesh, "cylinder", room));
    put_side(&maker, def);
    double radius = (double)def->radius, top = 0.5 * (double)def->height;
    if (def->capped) {
        uint32_t first = sn_maker_disc_inside(&maker, radius, top, rings, n, TOP);
        sn_maker_disc_fill(&maker, first, def->rows * n, rings, n, true);
        first = sn_maker_disc_inside(&maker, radius, -top, rings, n, BOTTOM);
        sn_maker_disc_fill(&maker, first, 0, rings, n, false);
    }
    static const char *const names[] = {"top", "bottom"};
    return sn_maker_end(&maker, names, 2);
}
