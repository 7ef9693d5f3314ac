/*
 * The surface of a box: layers along z, of which the first and the last are full and those between
 * have their border only.
 */
#include "geometry/generate/box_cells.h"
#include "geometry/generate/mesh_maker.h"

sn_box_def sn_box_def_default(void) {
    return (sn_box_def){.size = sizeof(sn_box_def), .extent = {1, 1, 1}, .cells = {8, 8, 8}};
}

/* The vertex at a place of the lattice, which is on the surface. */
static uint32_t vertex_at(const uint32_t n[3], const uint32_t at[3]) {
    uint32_t row = n[0] + 1, full = row * (n[1] + 1), border = 2 * (n[0] + n[1]);
    if (at[2] == 0) return at[1] * row + at[0];
    uint32_t first = full + (at[2] - 1) * border;
    if (at[2] == n[2]) return first + at[1] * row + at[0];
    if (at[1] == 0) return first + at[0];
    if (at[1] == n[1]) return first + row + (n[1] - 1) * 2 + at[0];
    return first + row + (at[1] - 1) * 2 + (at[0] == n[0]);
}

static void put_vertices(sn_maker *maker, const sn_box_def *def) {
    const uint32_t *n = def->cells;
    uint32_t at[3];
    for (at[2] = 0; at[2] <= n[2]; at[2]++)
        for (at[1] = 0; at[1] <= n[1]; at[1]++) {
            bool inside = at[2] > 0 && at[2] < n[2] && at[1] > 0 && at[1] < n[1];
            for (at[0] = 0; at[0] <= n[0]; at[0] += inside ? n[0] : 1)
                sn_maker_vertex(maker, sn_cells_place(def->extent, n, at), sn_cells_mark(n, at));
        }
}

/* One of the six sides; `axis` is where it looks, to the far end or to the near one. */
static void put_side(sn_maker *maker, const uint32_t n[3], int axis, bool far) {
    /* Of the two other axes in this order the third is the first. */
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (uint32_t j = 0; j < n[v]; j++)
        for (uint32_t i = 0; i < n[u]; i++) {
            uint32_t corner[4];
            for (int k = 0; k < 4; k++) {
                uint32_t at[3];
                at[axis] = far ? n[axis] : 0;
                at[u] = i + (far ? k == 1 || k == 2 : k >= 2);
                at[v] = j + (far ? k >= 2 : k == 1 || k == 2);
                corner[k] = vertex_at(n, at);
            }
            sn_maker_quad(maker, corner, (i + j) % 2 == 1);
        }
}

sn_result sn_generate_box(sn_mesh *mesh, const sn_box_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "box"));
    SN_TRY(sn_cells_expect("box", def->extent, def->cells));
    double x = def->cells[0], y = def->cells[1], z = def->cells[2], faces = x * y + y * z + z * x;
    sn_maker maker;
    SN_TRY(sn_maker_begin(&maker, mesh, "box",
                          (sn_maker_room){.vertices = 2 * faces + 2, .triangles = 4 * faces}));
    put_vertices(&maker, def);
    for (int side = 0; side < 6; side++) put_side(&maker, def->cells, side / 2, side % 2);
    return sn_maker_end(&maker, sn_cells_names, 6);
}
