/* A rectangle with isotropic triangles. Its outline goes round as the corners of a grid do, so that
   side k begins at corner k. */
#include "geometry/generate/mesh_maker.h"
#include "geometry/triangulate/fill_outlines.h"

enum { SIDES = 4 };

static const char *const side_names[SIDES] = {"back", "right", "front", "left"};
static const char *const corner_names[SIDES] = {"corner_0", "corner_1", "corner_2", "corner_3"};

sn_sheet_mesh_def sn_sheet_mesh_def_default(void) {
    return (sn_sheet_mesh_def){
        .size = sizeof(sn_sheet_mesh_def), .width = 1, .depth = 1, .edge_length = (sn_real)0.05};
}

static sn_result add_groups(sn_mesh *mesh, const sn_border *border, const uint32_t *vertex) {
    uint32_t corner[SIDES];
    SN_TRY(sn_mesh_add_group(mesh, "border", vertex, border->count));
    for (size_t i = 0; i < border->count; i++)
        if (border->corner[i]) corner[border->side[i]] = vertex[i];
    SN_TRY(sn_mesh_add_group(mesh, "corners", corner, SIDES));
    for (uint32_t side = 0, first = 0, end = 0; side < SIDES; side++, first = end) {
        SN_TRY(sn_mesh_add_group(mesh, corner_names[side], &corner[side], 1));
        while (end < border->count && border->side[end] == side) end++;
        SN_TRY(sn_mesh_add_group(mesh, side_names[side], &vertex[first], end - first));
        SN_TRY(sn_mesh_add_group(mesh, side_names[side], &corner[(side + 1) % SIDES], 1));
    }
    return SN_OK;
}

sn_result sn_generate_sheet(sn_mesh *mesh, const sn_sheet_mesh_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "sheet_mesh"));
    SN_TRY(sn_maker_expect_length("sheet", "width", def->width));
    SN_TRY(sn_maker_expect_length("sheet", "depth", def->depth));
    double x = 0.5 * (double)def->width, y = 0.5 * (double)def->depth;
    double points[SIDES][2] = {{-x, y}, {x, y}, {x, -y}, {-x, -y}};
    sn_loop loop = {points, SIDES, false};
    sn_outlines outlines = {.what = "sheet",
                            .loops = &loop,
                            .count = 1,
                            .edge = (double)def->edge_length,
                            .corner_angle = 1};
    sn_border border;
    uint32_t *vertex;
    SN_TRY(sn_fill_outlines(mesh, &outlines, &border, &vertex));
    sn_result result = add_groups(mesh, &border, vertex);
    sn_outlines_free(mesh, &border, vertex);
    if (result != SN_OK) sn_mesh_free(mesh);
    return result;
}
