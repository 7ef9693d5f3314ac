/*
 * A box filled with tetrahedra. The corners of a cube are numbered by bits: 1 is x, 2 is y, 4 is z.
 *
 * Five: one tetrahedron on four corners that are no neighbours and one at each of the other four.
 * Neighbouring cubes are mirrored, so that their diagonals meet. Six: all on the diagonal from 0 to
 * 7, one for each order in which a path along the edges can go there.
 */
#include "geometry/generate/box_cells.h"
#include "geometry/generate/mesh_maker.h"

sn_block_def sn_block_def_default(void) {
    return (sn_block_def){.size = sizeof(sn_block_def), .extent = {1, 1, 1}, .cells = {4, 4, 4}};
}

static uint32_t vertex_at(const uint32_t n[3], const uint32_t at[3], unsigned corner) {
    uint32_t x = at[0] + (corner & 1), y = at[1] + (corner >> 1 & 1), z = at[2] + (corner >> 2);
    return (z * (n[1] + 1) + y) * (n[0] + 1) + x;
}

/* For cubes of even number; the others have x mirrored, which also turns the tetrahedra. */
static void put_five(sn_maker *maker, const uint32_t n[3], const uint32_t at[3]) {
    static const unsigned char tets[5][4] = {
        {1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}};
    unsigned mirror = (at[0] + at[1] + at[2]) & 1;
    for (int t = 0; t < 5; t++) {
        uint32_t v[4];
        for (int k = 0; k < 4; k++) v[k] = vertex_at(n, at, tets[t][k] ^ mirror);
        sn_maker_tet(maker, v[0], v[1], v[2 + mirror], v[3 - mirror]);
    }
}

static void put_six(sn_maker *maker, const uint32_t n[3], const uint32_t at[3]) {
    static const unsigned char tets[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7},
                                             {0, 3, 2, 7}, {0, 6, 4, 7}, {0, 5, 1, 7}};
    for (int t = 0; t < 6; t++)
        sn_maker_tet(maker, vertex_at(n, at, tets[t][0]), vertex_at(n, at, tets[t][1]),
                     vertex_at(n, at, tets[t][2]), vertex_at(n, at, tets[t][3]));
}

static void fill(sn_maker *maker, const sn_block_def *def) {
    const uint32_t *n = def->cells;
    uint32_t at[3];
    for (at[2] = 0; at[2] <= n[2]; at[2]++)
        for (at[1] = 0; at[1] <= n[1]; at[1]++)
            for (at[0] = 0; at[0] <= n[0]; at[0]++)
                sn_maker_vertex(maker, sn_cells_place(def->extent, n, at), sn_cells_mark(n, at));
    for (at[2] = 0; at[2] < n[2]; at[2]++)
        for (at[1] = 0; at[1] < n[1]; at[1]++)
            for (at[0] = 0; at[0] < n[0]; at[0]++)
                (def->pattern == SN_BLOCK_FIVE ? put_five : put_six)(maker, n, at);
}

sn_result sn_generate_block(sn_mesh *mesh, const sn_block_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "block"));
    SN_TRY(sn_cells_expect("block", def->extent, def->cells));
    if (def->pattern != SN_BLOCK_FIVE && def->pattern != SN_BLOCK_SIX)
        return sn_fail(SN_ERROR_VALUE, "block: pattern is %d, expected one of sn_block_pattern",
                       (int)def->pattern);
    double x = def->cells[0], y = def->cells[1], z = def->cells[2];
    sn_maker_room room = {.vertices = (x + 1) * (y + 1) * (z + 1),
                          .tets = x * y * z * (def->pattern == SN_BLOCK_FIVE ? 5 : 6)};
    sn_maker maker;
    SN_TRY(sn_maker_begin(&maker, mesh, "block", room));
    fill(&maker, def);
    SN_TRY(sn_maker_end(&maker, sn_cells_names, 6));
    sn_result result = sn_mesh_surface(mesh);
    if (result != SN_OK) sn_mesh_free(mesh);
    return result;
}
