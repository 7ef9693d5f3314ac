/*
 * Regions that overlap, one around each vertex or point: rings of a mesh, cubes of a lattice,
 * balls.
 *
 * Members of a region are in rising order and regions in that of their centres, so that a result
 * depends on nothing but the input.
 */
#include <sinew/shape_matching.h>

#include "base/error.h"
#include "base/range.h"
#include "geometry/mesh_access.h"
#include "geometry/topology/triangle_edges.h"
#include "geometry/volume/fibre_strips.h"
#include "geometry/volume/regions.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST, MEMBERS, CENTRES };
/* In all; and of some, where few points have very many each. */
static const size_t most_members = (size_t)1 << 31, few_members = (size_t)1 << 27, each = 512;

/* ---- Lists ---- */

static sn_memory memory_of(const sn_regions *regions) {
    return (sn_memory){.allocator = regions->allocator.reallocate ? regions->allocator
                                                                  : sn_allocator_default()};
}

sn_regions sn_regions_default(void) {
    return (sn_regions){.size = sizeof(sn_regions)};
}

void sn_regions_free(sn_regions *regions) {
    if (!regions) return;
    sn_memory memory = memory_of(regions);
    sn_free(&memory, regions->first, regions->capacity[FIRST], sizeof *regions->first);
    sn_free(&memory, regions->members, regions->capacity[MEMBERS], sizeof *regions->members);
    sn_free(&memory, regions->centres, regions->capacity[CENTRES], sizeof *regions->centres);
    sn_allocator allocator = regions->allocator;
    *regions = sn_regions_default();
    regions->allocator = allocator;
}

static sn_result expect_empty(const sn_regions *regions) {
    if (!regions) return sn_fail(SN_ERROR_NULL, "regions is null");
    if (regions->size != sizeof *regions)
        return sn_fail(SN_ERROR_DEFINITION,
                       "regions: the size is %zu, expected %zu: begin with sn_regions_default",
                       regions->size, sizeof *regions);
    if (regions->count > 0 || regions->first)
        return sn_fail(SN_ERROR_VALUE, "regions: there are %zu already, expected none",
                       regions->count);
    return SN_OK;
}

/* Room for one region per centre. */
static sn_result begin(sn_regions *regions, sn_memory *memory, size_t count) {
    if (count == 0) return sn_fail(SN_ERROR_VALUE, "regions: there are no points to be in them");
    if (count >= most_members)
        return sn_fail(SN_ERROR_LIMIT, "regions: there are %zu points, expected below 2^31", count);
    bool room = sn_reserve(memory, (void **)&regions->first, &regions->capacity[FIRST], count + 1,
                           sizeof *regions->first) &&
                sn_reserve(memory, (void **)&regions->centres, &regions->capacity[CENTRES], count,
                           sizeof *regions->centres);
    return room ? SN_OK : SN_ERROR_MEMORY;
}

static sn_result add_member(sn_regions *regions, sn_memory *memory, uint32_t *count,
                            uint32_t member) {
    if (*count >= most_members)
        return sn_fail(SN_ERROR_LIMIT, "regions: there are more than 2^31 members in all");
    if (*count >= few_members + each * regions->count)
        return sn_fail(SN_ERROR_LIMIT,
                       "regions: the first %zu have more than 2^27 members and %zu each, expected "
                       "fewer: they are too large for points so close to each other",
                       regions->count, each);
    if (!sn_reserve(memory, (void **)&regions->members, &regions->capacity[MEMBERS],
                    (size_t)*count + 1, sizeof *regions->members))
        return SN_ERROR_MEMORY;
    regions->members[(*count)++] = member;
    return SN_OK;
}

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Ends the region of the next centre at this member. */
static void end_region(sn_regions *regions, uint32_t count) {
    regions->centres[regions->count] = (uint32_t)regions->count;
    regions->first[++regions->count] = count;
}

/* The same with its members in rising order. */
static void close_region(sn_regions *regions, uint32_t count) {
    uint32_t from = regions->count > 0 ? regions->first[regions->count] : 0;
    qsort(regions->members + from, count - from, sizeof *regions->members, compare);
    end_region(regions, count);
}

/* ---- Rings ---- */

/* The neighbours of every vertex, some of them more than once. */
typedef struct graph {
    size_t *first;
    uint32_t *neighbour, *stamp;
    size_t vertices, pairs;
} graph;

/* Calls for every edge of an element of so many corners. */
static void each_edge(graph *g, const uint32_t *corner, size_t count, size_t corners,
                      bool count_it) {
    for (size_t e = 0; e < count; e++, corner += corners)
        for (size_t a = 0; a < corners; a++)
            for (size_t b = 0; b < corners; b++) {
                if (a == b) continue;
                if (count_it)
                    g->first[corner[a] + 1]++;
                else
                    g->neighbour[g->first[corner[a]]++] = corner[b];
            }
}

static void all_edges(graph *g, const sn_mesh *mesh, bool count_it) {
    each_edge(g, (const uint32_t *)mesh->triangles, mesh->triangle_count, 3, count_it);
    each_edge(g, (const uint32_t *)mesh->tets, mesh->tet_count, 4, count_it);
    each_edge(g, (const uint32_t *)mesh->lines, mesh->line_count, 2, count_it);
}

static bool make_graph(graph *g, sn_memory *memory, const sn_mesh *mesh) {
    g->vertices = mesh->vertex_count;
    g->pairs = 6 * mesh->triangle_count + 12 * mesh->tet_count + 2 * mesh->line_count;
    g->first = sn_allocate(memory, g->vertices + 1, sizeof *g->first);
    g->neighbour = sn_allocate(memory, g->pairs + 1, sizeof *g->neighbour);
    g->stamp = sn_allocate(memory, g->vertices, sizeof *g->stamp);
    if (!g->first || !g->neighbour || !g->stamp) return false;
    all_edges(g, mesh, true);
    for (size_t i = 0; i < g->vertices; i++) g->first[i + 1] += g->first[i];
    all_edges(g, mesh, false);
    /* Every beginning has moved on to the end, which is the beginning of the next. */
    memmove(g->first + 1, g->first, g->vertices * sizeof *g->first);
    g->first[0] = 0;
    return true;
}

static void free_graph(graph *g, sn_memory *memory) {
    sn_free(memory, g->first, g->vertices + 1, sizeof *g->first);
    sn_free(memory, g->neighbour, g->pairs + 1, sizeof *g->neighbour);
    sn_free(memory, g->stamp, g->vertices, sizeof *g->stamp);
}

/* Ring by ring: what was added last is where the next ring begins. */
static sn_result add_ring(graph *g, uint32_t centre, uint32_t omega, sn_regions *regions,
                          sn_memory *memory, uint32_t *count) {
    uint32_t begin_ring = *count;
    g->stamp[centre] = centre + 1;
    SN_TRY(add_member(regions, memory, count, centre));
    for (uint32_t ring = 0; ring < omega && begin_ring < *count; ring++) {
        uint32_t end_ring = *count;
        for (uint32_t k = begin_ring; k < end_ring; k++) {
            uint32_t vertex = regions->members[k];
            for (size_t n = g->first[vertex]; n < g->first[vertex + 1]; n++) {
                uint32_t other = g->neighbour[n];
                if (g->stamp[other] == centre + 1) continue;
                g->stamp[other] = centre + 1;
                SN_TRY(add_member(regions, memory, count, other));
            }
        }
        begin_ring = end_ring;
    }
    return SN_OK;
}

sn_result sn_regions_rings(const sn_mesh *mesh, uint32_t omega, sn_regions *regions) {
    SN_TRY(sn_mesh_expect(mesh));
    SN_TRY(sn_mesh_expect_sound(mesh));
    SN_TRY(expect_empty(regions));
    sn_memory memory = memory_of(regions);
    graph g = {0};
    uint32_t count = 0;
    sn_result result = begin(regions, &memory, mesh->vertex_count);
    if (result == SN_OK && !make_graph(&g, &memory, mesh)) result = SN_ERROR_MEMORY;
    for (uint32_t v = 0; v < mesh->vertex_count && result == SN_OK; v++) {
        result = add_ring(&g, v, omega, regions, &memory, &count);
        if (result == SN_OK) close_region(regions, count);
    }
    free_graph(&g, &memory);
    if (result != SN_OK) sn_regions_free(regions);
    return result;
}

/* ---- Sheets ---- */

static sn_result add_list(sn_regions *regions, sn_memory *memory, const uint32_t *list, size_t size,
                          uint32_t *count) {
    for (size_t k = 0; k < size; k++) SN_TRY(add_member(regions, memory, count, list[k]));
    close_region(regions, *count);
    regions->centres[regions->count - 1] = UINT32_MAX;
    return SN_OK;
}

static sn_result add_elements(const sn_mesh *mesh, const sn_edges *edges, sn_regions *regions,
                              sn_memory *memory) {
    uint32_t count = 0;
    for (size_t first = 0; first < edges->count; first = sn_edges_end(edges, first))
        SN_TRY(add_list(regions, memory, edges->sides[first].key, 2, &count));
    for (size_t t = 0; t < mesh->triangle_count; t++)
        SN_TRY(add_list(regions, memory, mesh->triangles[t], 3, &count));
    return SN_OK;
}

/* Adds a corner that is not in the list yet. */
static void add_corner(uint32_t *list, size_t *size, uint32_t corner) {
    for (size_t k = 0; k < *size; k++)
        if (list[k] == corner) return;
    list[(*size)++] = corner;
}

/* The first other side of each side, UINT32_MAX for none. */
static void find_others(const sn_edges *edges, uint32_t *other) {
    for (size_t first = 0; first < edges->count;) {
        size_t end = sn_edges_end(edges, first);
        for (size_t k = first; k < end; k++) {
            size_t beside = k == first ? first + 1 : first;
            other[edges->sides[k].value] = beside < end ? edges->sides[beside].value : UINT32_MAX;
        }
        first = end;
    }
}

static sn_result add_overlapping(const sn_mesh *mesh, const uint32_t *other, sn_regions *regions,
                                 sn_memory *memory) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t list[6];
        size_t size = 0;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t beside = other[3 * t + k];
            if (beside == UINT32_MAX) {
                add_corner(list, &size, mesh->triangles[t][k]);
                add_corner(list, &size, mesh->triangles[t][(k + 1) % 3]);
            } else {
                add_corner(list, &size, mesh->triangles[beside / 3][(beside + 2) % 3]);
            }
        }
        SN_TRY(add_list(regions, memory, list, size, &count));
    }
    return SN_OK;
}

typedef struct strips {
    sn_regions *regions;
    sn_memory *memory;
    uint32_t count;
} strips;

static sn_result take_strip(void *context, const uint32_t *vertices, size_t count) {
    strips *s = context;
    for (size_t k = 0; k < count; k++)
        SN_TRY(add_member(s->regions, s->memory, &s->count, vertices[k]));
    end_region(s->regions, s->count);
    s->regions->centres[s->regions->count - 1] = UINT32_MAX;
    return SN_OK;
}

static sn_result fill_sheet(const sn_mesh *mesh, sn_sheet_regions kind, const sn_edges *edges,
                            sn_regions *regions, sn_memory *memory) {
    size_t sides = 3 * mesh->triangle_count, number = mesh->triangle_count;
    for (size_t first = 0; first < edges->count && kind != SN_SHEET_REGIONS_OVERLAPPING;
         first = sn_edges_end(edges, first))
        number++;
    SN_TRY(begin(regions, memory, number));
    strips s = {regions, memory, 0};
    if (kind == SN_SHEET_REGIONS_FIBRES)
        return sn_fibre_strips(mesh, edges, memory, take_strip, &s);
    if (kind == SN_SHEET_REGIONS_ELEMENTS) return add_elements(mesh, edges, regions, memory);
    uint32_t *other = sn_allocate(memory, sides, sizeof *other);
    if (!other) return SN_ERROR_MEMORY;
    find_others(edges, other);
    sn_result result = add_overlapping(mesh, other, regions, memory);
    sn_free(memory, other, sides, sizeof *other);
    return result;
}

sn_result sn_regions_sheet(const sn_mesh *mesh, sn_sheet_regions kind, sn_regions *regions) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    SN_TRY(expect_empty(regions));
    if (kind < SN_SHEET_REGIONS_ELEMENTS || kind > SN_SHEET_REGIONS_FIBRES)
        return sn_fail(SN_ERROR_VALUE, "regions: the kind of a sheet is %d, expected 0, 1 or 2",
                       (int)kind);
    if (mesh->triangle_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "regions: the mesh has no triangles");
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles[t];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            return sn_fail(SN_ERROR_DEGENERATE, "regions: triangle %zu uses a vertex twice", t);
    }
    sn_memory memory = memory_of(regions);
    sn_edges edges;
    SN_TRY(sn_edges_create(&edges, &memory, (const uint32_t(*)[3])mesh->triangles,
                           mesh->triangle_count, NULL));
    sn_result result = fill_sheet(mesh, kind, &edges, regions, &memory);
    sn_edges_free(&edges, &memory);
    if (result != SN_OK) sn_regions_free(regions);
    return result;
}

/* ---- Cells of points ---- */

static double lower(double a, double b) {
    return b < a ? b : a;
}

static double higher(double a, double b) {
    return a < b ? b : a;
}

/* Room for the cells; their coordinates are yet to be found. */
static sn_result make_cells(sn_point_cells *cells, sn_memory *memory, const sn_vec3 *points,
                            size_t count) {
    *cells = (sn_point_cells){.count = count};
    cells->at = sn_allocate(memory, count, sizeof *cells->at);
    cells->sorted = sn_allocate(memory, count, sizeof *cells->sorted);
    cells->spare = sn_allocate(memory, count, sizeof *cells->spare);
    if (!cells->at || !cells->sorted || !cells->spare) return SN_ERROR_MEMORY;
    cells->low = cells->high = sn_point_of(points[0]);
    for (size_t i = 0; i < count; i++) {
        sn_point x = sn_point_of(points[i]);
        double test = (x.x - x.x) + (x.y - x.y) + (x.z - x.z);
        if (test != 0)
            return sn_fail(SN_ERROR_VALUE,
                           "regions: point %zu is at (%g, %g, %g) m, expected finite numbers", i,
                           x.x, x.y, x.z);
        cells->low = (sn_point){lower(cells->low.x, x.x), lower(cells->low.y, x.y),
                                lower(cells->low.z, x.z)};
        cells->high = (sn_point){higher(cells->high.x, x.x), higher(cells->high.y, x.y),
                                 higher(cells->high.z, x.z)};
    }
    return SN_OK;
}

static void free_cells(sn_point_cells *cells, sn_memory *memory) {
    sn_free(memory, cells->at, cells->count, sizeof *cells->at);
    sn_free(memory, cells->sorted, cells->count, sizeof *cells->sorted);
    sn_free(memory, cells->spare, cells->count, sizeof *cells->spare);
}

/* By z, y, x, so that what is beside each other along x is beside each other in the list. */
static void sort_cells(sn_point_cells *cells) {
    for (size_t i = 0; i < cells->count; i++) {
        const int32_t *at = cells->at[i];
        cells->sorted[i] =
            (sn_record){{(uint32_t)at[2], (uint32_t)at[1], (uint32_t)at[0]}, (uint32_t)i};
    }
    sn_records_sort(cells->sorted, cells->spare, cells->count, 3);
}

static bool is_before(const sn_record *a, const uint32_t key[3]) {
    for (int k = 0; k < 3; k++)
        if (a->key[k] != key[k]) return a->key[k] < key[k];
    return false;
}

/* The first that is not before a cell. */
static size_t find_cell(const sn_point_cells *cells, int64_t z, int64_t y, int64_t x) {
    const uint32_t key[3] = {(uint32_t)z, (uint32_t)y, (uint32_t)(x < 0 ? 0 : x)};
    size_t low = 0, high = cells->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&cells->sorted[middle], key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Which of the points in a box of cells belong to a centre. */
typedef bool is_member(const void *user, uint32_t centre, uint32_t other);

static sn_result add_box(const sn_point_cells *cells, uint32_t centre, int64_t reach,
                         is_member *belongs, const void *user, sn_regions *regions,
                         sn_memory *memory, uint32_t *count) {
    const int32_t *at = cells->at[centre];
    int64_t from[3], to[3];
    for (int k = 0; k < 3; k++) {
        from[k] = at[k] > reach ? at[k] - reach : 0;
        to[k] = at[k] + reach < cells->last[k] ? at[k] + reach : cells->last[k];
    }
    /* From point to point: most rows of a box may be empty, and there may be 2^40 of them. */
    for (size_t i = find_cell(cells, from[2], from[1], from[0]); i < cells->count;) {
        const sn_record *r = &cells->sorted[i];
        const int64_t z = r->key[0], y = r->key[1], x = r->key[2];
        if (z > to[2]) break;
        if (y < from[1] || (y == from[1] && x < from[0]))
            i = find_cell(cells, z, from[1], from[0]);
        else if (y > to[1])
            i = find_cell(cells, z + 1, from[1], from[0]);
        else if (x < from[0])
            i = find_cell(cells, z, y, from[0]);
        else if (x > to[0])
            i = find_cell(cells, z, y + 1, from[0]);
        else {
            if (belongs(user, centre, r->value))
                SN_TRY(add_member(regions, memory, count, r->value));
            i++;
        }
    }
    return SN_OK;
}

static sn_result add_boxes(const sn_point_cells *cells, int64_t reach, is_member *belongs,
                           const void *user, sn_regions *regions, sn_memory *memory) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < cells->count; i++) {
        SN_TRY(add_box(cells, i, reach, belongs, user, regions, memory, &count));
        close_region(regions, count);
    }
    return SN_OK;
}

/* ---- Cubes ---- */

static bool always(const void *user, uint32_t centre, uint32_t other) {
    (void)user, (void)centre, (void)other;
    return true;
}

static sn_result place_in_lattice(sn_point_cells *cells, const sn_vec3 *points, double spacing) {
    const double low[3] = {cells->low.x, cells->low.y, cells->low.z};
    for (size_t i = 0; i < cells->count; i++) {
        const double x[3] = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
        for (int k = 0; k < 3; k++) {
            double place = (x[k] - low[k]) / spacing;
            if (!(place < 1 << 20))
                return sn_fail(SN_ERROR_LIMIT,
                               "regions: the lattice has more than 2^20 cells along an axis");
            int32_t nearest = (int32_t)(place + 0.5);
            double off = place - nearest;
            if (off > 0.01 || off < -0.01)
                return sn_fail(SN_ERROR_VALUE,
                               "regions: point %zu is at (%g, %g, %g) m, which is not in a lattice "
                               "of %g m from (%g, %g, %g) m",
                               i, x[0], x[1], x[2], spacing, low[0], low[1], low[2]);
            cells->at[i][k] = nearest;
            if (nearest > cells->last[k]) cells->last[k] = nearest;
        }
    }
    return SN_OK;
}

static sn_result expect_apart(const sn_point_cells *cells) {
    for (size_t i = 1; i < cells->count; i++)
        if (sn_records_equal(&cells->sorted[i - 1], &cells->sorted[i], 3))
            return sn_fail(SN_ERROR_DEGENERATE,
                           "regions: points %u and %u are at the same place of the lattice",
                           cells->sorted[i - 1].value, cells->sorted[i].value);
    return SN_OK;
}

static sn_result expect_points(const sn_vec3 *points, size_t count, const char *name,
                               sn_real length, const sn_regions *regions) {
    if (!points && count > 0) return sn_fail(SN_ERROR_NULL, "regions: points is null");
    SN_TRY(sn_check_real("regions", name, length, 1e-9, 1e9, false, "m"));
    return expect_empty(regions);
}

sn_result sn_regions_cubes(const sn_vec3 *points, size_t count, sn_real spacing, uint32_t omega,
                           sn_regions *regions) {
    SN_TRY(expect_points(points, count, "spacing", spacing, regions));
    sn_memory memory = memory_of(regions);
    sn_point_cells cells = {0};
    sn_result result = begin(regions, &memory, count);
    if (result == SN_OK) result = make_cells(&cells, &memory, points, count);
    if (result == SN_OK) result = place_in_lattice(&cells, points, (double)spacing);
    if (result == SN_OK) {
        sort_cells(&cells);
        result = expect_apart(&cells);
    }
    if (result == SN_OK) result = add_boxes(&cells, omega, always, NULL, regions, &memory);
    free_cells(&cells, &memory);
    if (result != SN_OK) sn_regions_free(regions);
    return result;
}

/* ---- Balls ---- */

typedef struct ball {
    const sn_vec3 *points;
    double square;
} ball;

static bool is_in_ball(const void *user, uint32_t centre, uint32_t other) {
    const ball *b = user;
    sn_point offset = sn_point_sub(sn_point_of(b->points[other]), sn_point_of(b->points[centre]));
    return offset.x * offset.x + offset.y * offset.y + offset.z * offset.z <= b->square;
}

/* Cells of the radius, or larger ones where there would be too many. */
static void place_in_cells(sn_point_cells *cells, const sn_vec3 *points, double radius) {
    const double low[3] = {cells->low.x, cells->low.y, cells->low.z};
    const double high[3] = {cells->high.x, cells->high.y, cells->high.z};
    double size = radius;
    for (int k = 0; k < 3; k++) {
        double least = (high[k] - low[k]) / (1 << 20);
        if (least > size) size = least;
    }
    for (size_t i = 0; i < cells->count; i++) {
        const double x[3] = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
        for (int k = 0; k < 3; k++) {
            cells->at[i][k] = (int32_t)((x[k] - low[k]) / size);
            if (cells->at[i][k] > cells->last[k]) cells->last[k] = cells->at[i][k];
        }
    }
}

sn_result sn_regions_balls(const sn_vec3 *points, size_t count, sn_real radius,
                           sn_regions *regions) {
    SN_TRY(expect_points(points, count, "radius", radius, regions));
    sn_memory memory = memory_of(regions);
    sn_point_cells cells = {0};
    ball b = {points, (double)radius * (double)radius};
    sn_result result = begin(regions, &memory, count);
    if (result == SN_OK) result = make_cells(&cells, &memory, points, count);
    if (result == SN_OK) {
        place_in_cells(&cells, points, (double)radius);
        sort_cells(&cells);
        result = add_boxes(&cells, 1, is_in_ball, &b, regions, &memory);
    }
    free_cells(&cells, &memory);
    if (result != SN_OK) sn_regions_free(regions);
    return result;
}
