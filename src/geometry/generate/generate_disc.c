#include "geometry/generate/mesh_maker.h"
#include "geometry/triangulate/fill_outlines.h"

enum { CENTRE = 1, RIM = 2 };

sn_disc_def sn_disc_def_default(void) {
    return (sn_disc_def){
        .size = sizeof(sn_disc_def), .radius = (sn_real)0.5, .rings = 10, .edge_length = SN_AUTO};
}

/* The rim has its vertices on the circle, as many as fit best. */
static sn_result fill_isotropic(sn_mesh *mesh, const sn_disc_def *def) {
    double radius = (double)def->radius, edge = (double)def->edge_length;
    SN_TRY(sn_maker_expect_length("disc", "edge_length", def->edge_length));
    if (edge > 2 * radius)
        return sn_fail(SN_ERROR_VALUE, "disc: edge_length is %g, expected at most the diameter, %g",
                       edge, 2 * radius);
    double around = 6.28318530717958647693 * radius / edge + 0.5;
    if (around > SN_OUTLINE_POINTS)
        return sn_fail(SN_ERROR_LIMIT,
                       "disc: with edges of %g m its rim would have %.0f of them, expected at most "
                       "%d",
                       edge, around, SN_OUTLINE_POINTS);
    size_t count = around > 3 ? (size_t)around : 3;
    sn_memory memory = sn_mesh_memory(mesh);
    double(*points)[2] = sn_allocate(&memory, count, sizeof *points), centre[2] = {0, 0};
    if (!points) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        double sine, cosine;
        sn_turn(i, count, &sine, &cosine);
        points[i][0] = radius * cosine;
        points[i][1] = radius * sine;
    }
    sn_loop loop = {points, count, false};
    sn_outlines outlines = {.what = "disc",
                            .loops = &loop,
                            .count = 1,
                            .edge = edge,
                            .corner_angle = 4,
                            .sampled = true,
                            .kept = centre};
    sn_border border;
    uint32_t *vertex;
    sn_result result = sn_fill_outlines(mesh, &outlines, &border, &vertex);
    sn_free(&memory, points, count, sizeof *points);
    if (result != SN_OK) return result;
    result = sn_mesh_add_group(mesh, "centre", &vertex[border.count], 1);
    if (result == SN_OK) result = sn_mesh_add_group(mesh, "rim", vertex, border.count);
    sn_outlines_free(mesh, &border, vertex);
    if (result != SN_OK) sn_mesh_free(mesh);
    return result;
}

sn_result sn_generate_disc(sn_mesh *mesh, const sn_disc_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "disc"));
    SN_TRY(sn_maker_expect_length("disc", "radius", def->radius));
    if (def->edge_length != SN_AUTO) return fill_isotropic(mesh, def);
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
