#include "geometry/generate/mesh_maker.h"

enum { CENTRE = 1, RIM = 2 };

sn_disc_def sn_disc_def_default(void) {
    return (sn_disc_def){.size = sizeof(sn_disc_def), .radius = (sn_real)0.5, .rings = 10};
}

sn_result sn_generate_disc(sn_mesh *mesh, const sn_disc_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "disc"));
    SN_TRY(sn_maker_expect_length("disc", "radius", def->radius));
    SN_TRY(sn_maker_expect_parts("disc", "rings", def->rings, 1));
    uint32_t segments = def->segments > 0 ? def->segments : 6 * def->rings;
    SN_TRY(sn_maker_expect_parts("disc", "segments", segments, 3));

    double inside = sn_maker_disc_inside_count(def->rings, segments);
    sn_maker_room room = {.vertices = inside + segments, .triangles = 2 * inside + segments};
    sn_maker maker;
    SN_TRY(sn_maker_begin(&maker, mesh, "disc", room));
    double radius = (double)def->radius;
    uint32_t first = sn_maker_disc_inside(&maker, radius, 0, def->rings, segments, 0);
    uint32_t rim = sn_maker_circle(&maker, radius, 0, segments, RIM);
    maker.mark[first] |= CENTRE;
    sn_maker_disc_fill(&maker, first, rim, def->rings, segments, true);
    static const char *const names[] = {"centre", "rim"};
    return sn_maker_end(&maker, names, 2);
}
