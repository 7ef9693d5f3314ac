/*
 * Welding: vertices that are close become one.
 *
 * Vertices are taken in their order. One that is within the distance of a vertex that was kept
 * becomes it, the first of them where there are several, else it is kept. Those that were kept are
 * in a hash table by the cell of a grid as wide as the distance, so that 27 cells have all that can
 * be near, and no cell has many, since what is kept is farther apart. Distance 0 takes the place
 * itself as the cell.
 */
#include "io/mesh/read.h"

#include <sinew/support.h>

#include <math.h>

typedef struct weld_table {
    const sn_vec3 *positions; /* those that were kept are moved to the front */
    double distance;
    uint32_t *table; /* 1 + the vertex; 0 where there is none */
    size_t mask;
} weld_table;

typedef struct weld_cell {
    double x[3];
} weld_cell;

/* Adding 0 makes one zero of both. */
static weld_cell cell_of(const weld_table *weld, sn_vec3 x) {
    weld_cell cell = {{(double)x.x + 0.0, (double)x.y + 0.0, (double)x.z + 0.0}};
    if (weld->distance > 0)
        for (int k = 0; k < 3; k++) cell.x[k] = floor(cell.x[k] / weld->distance) + 0.0;
    return cell;
}

static size_t slot_of(const weld_table *weld, weld_cell cell) {
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) hash = sn_hash_double(hash, cell.x[k] + 0.0);
    return (size_t)hash & weld->mask;
}

/* The first of the vertices in a cell that is near; `found` where there is none before it. */
static uint32_t find_in_cell(const weld_table *weld, weld_cell cell, sn_vec3 x, uint32_t found) {
    double most = weld->distance * weld->distance;
    for (size_t at = slot_of(weld, cell); weld->table[at]; at = (at + 1) & weld->mask) {
        sn_vec3 other = weld->positions[weld->table[at] - 1];
        double d[3] = {(double)x.x - (double)other.x, (double)x.y - (double)other.y,
                       (double)x.z - (double)other.z};
        bool is_near = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= most;
        if (weld->distance == 0) is_near = d[0] == 0 && d[1] == 0 && d[2] == 0;
        if (is_near && weld->table[at] - 1 < found) found = weld->table[at] - 1;
    }
    return found;
}

static uint32_t find_near(const weld_table *weld, weld_cell middle, sn_vec3 x) {
    if (weld->distance == 0) return find_in_cell(weld, middle, x, UINT32_MAX);
    uint32_t found = UINT32_MAX;
    for (int n = 0; n < 27; n++) {
        weld_cell beside = {
            {middle.x[0] + n % 3 - 1, middle.x[1] + n / 3 % 3 - 1, middle.x[2] + n / 9 - 1}};
        found = find_in_cell(weld, beside, x, found);
    }
    return found;
}

static void insert(const weld_table *weld, weld_cell cell, uint32_t vertex) {
    size_t at = slot_of(weld, cell);
    while (weld->table[at]) at = (at + 1) & weld->mask;
    weld->table[at] = vertex + 1;
}

/* Gives elements their new corners and leaves out those that have one twice, with what the list
   says of them; how many are left. */
static size_t map_elements(uint32_t *corners, size_t count, size_t width, const uint32_t *map,
                           sn_io_build_list *list) {
    uint32_t *values = list ? list->items : NULL;
    size_t valued = list ? list->count : 0;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t *to = corners + kept * width;
        bool is_whole = true;
        for (size_t k = 0; k < width; k++) {
            to[k] = map[corners[i * width + k]];
            for (size_t j = 0; j < k; j++) is_whole &= to[j] != to[k];
        }
        if (i < valued) values[kept] = values[i];
        kept += is_whole;
        if (i < valued) list->count = kept;
    }
    return kept;
}

static void weld_vertices(sn_mesh *mesh, weld_table *weld, uint32_t *map, uint32_t *origins) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        sn_vec3 x = mesh->positions[i];
        weld_cell cell = cell_of(weld, x);
        uint32_t near = find_near(weld, cell, x);
        if (near == UINT32_MAX) {
            near = kept++;
            mesh->positions[near] = x;
            origins[near] = i;
            insert(weld, cell, near);
        }
        map[i] = near;
    }
    mesh->vertex_count = kept;
}

sn_result sn_io_build_weld(sn_io_build *build, double distance) {
    sn_mesh *mesh = &build->mesh;
    size_t count = mesh->vertex_count, slots = 16;
    while (slots / 2 < count) slots *= 2;
    weld_table weld = {.positions = mesh->positions, .distance = distance, .mask = slots - 1};
    uint32_t *map = sn_io_allocate(&build->allocator, count, sizeof *map);
    weld.table = map ? sn_io_allocate(&build->allocator, slots, sizeof *weld.table) : NULL;
    bool done = weld.table &&
                sn_io_build_list_reserve(build, &build->origins, count, sizeof(uint32_t)) == SN_OK;
    if (done) {
        weld_vertices(mesh, &weld, map, build->origins.items);
        build->origins.count = mesh->vertex_count;
        if (mesh->triangle_count > 0)
            mesh->triangle_count = map_elements(mesh->triangles[0], mesh->triangle_count, 3, map,
                                                &build->triangle_looks);
        if (mesh->tet_count > 0)
            mesh->tet_count = map_elements(mesh->tets[0], mesh->tet_count, 4, map, NULL);
        if (mesh->line_count > 0)
            mesh->line_count = map_elements(mesh->lines[0], mesh->line_count, 2, map, NULL);
        sn_io_build_map_members(build, map);
    }
    sn_io_free(&build->allocator, weld.table, slots, sizeof *weld.table);
    sn_io_free(&build->allocator, map, count, sizeof *map);
    return done ? SN_OK : SN_ERROR_MEMORY;
}
