/*
 * The elements of an air mesh: the Delaunay ones of all nodes and the corners of a frame. Then
 * those go that cross a surface, and those that cannot be reached from the frame: they are inside.
 */
#include "base/error.h"
#include "geometry/bounds.h"
#include "geometry/triangulate/triangulation.h"
#include "geometry/volume/tetrahedralize.h"
#include "systems/air_mesh/air_meshes.h"

/* Places of nodes from the middle of the box around all, over half of its longest side. */
static bool scale_points(const sn_gap *air, const sn_vec3 *rest, sn_point *point) {
    double low[3], high[3], half = 0;
    for (size_t i = 0; i < air->nodes; i++) {
        const double at[3] = {(double)rest[i].x, (double)rest[i].y, (double)rest[i].z};
        for (int k = 0; k < 3; k++) {
            if (i == 0 || at[k] < low[k]) low[k] = at[k];
            if (i == 0 || at[k] > high[k]) high[k] = at[k];
        }
    }
    for (int k = 0; k < 3; k++)
        if (k != air->axis && (high[k] - low[k]) / 2 > half) half = (high[k] - low[k]) / 2;
    if (!(half > 0)) half = 1;
    for (size_t i = 0; i < air->nodes; i++)
        point[i] = (sn_point){((double)rest[i].x - (low[0] + high[0]) / 2) / half,
                              ((double)rest[i].y - (low[1] + high[1]) / 2) / half,
                              ((double)rest[i].z - (low[2] + high[2]) / 2) / half};
    return half < 1e30;
}

/* ---- In a plane ---- */

static sn_site site_of(const sn_gap *air, sn_point point) {
    const double at[3] = {point.x, point.y, point.z};
    return (sn_site){(int32_t)(at[(air->axis + 1) % 3] * (SN_SITE_RANGE - 64)),
                     (int32_t)(at[(air->axis + 2) % 3] * (SN_SITE_RANGE - 64))};
}

static sn_result add_sites(const sn_gap *air, sn_triangulation *mesh, const sn_point *point) {
    for (size_t i = 0; i < air->nodes; i++) {
        sn_site site = site_of(air, point[i]);
        bool added = false;
        /* Bodies that touch may have nodes in one place: the next one is as good. */
        for (int tries = 0; tries < 32 && !added; tries++, site.x++)
            added = sn_triangulation_add(mesh, sn_triangulation_find(mesh, site), site);
        if (!added)
            return sn_fail(SN_ERROR_DEGENERATE,
                           "air mesh: node %zu is where many others are, expected nodes that are "
                           "apart at rest",
                           i);
    }
    return SN_OK;
}

static sn_result lock_outlines(const sn_gap *air, sn_memory *memory, sn_triangulation *mesh) {
    size_t room = 3 * air->triangles + air->edges + 1, count = 0;
    sn_record *wall = sn_allocate(memory, room, sizeof *wall);
    sn_result result = wall ? sn_gap_list_walls(air, memory, wall, &count) : SN_ERROR_MEMORY;
    for (size_t i = 0; i < count && result == SN_OK; i++)
        if (!sn_triangulation_lock(mesh, wall[i].key[0] + 4, wall[i].key[1] + 4))
            result = sn_fail(SN_ERROR_DEGENERATE,
                             "air mesh: the side from node %u to node %u crosses another one or a "
                             "node, expected bodies that are apart at rest",
                             wall[i].key[0], wall[i].key[1]);
    sn_free(memory, wall, room, sizeof *wall);
    return result;
}

static sn_result divide_plane(sn_gap *air, sn_memory *memory, const sn_point *point) {
    sn_triangulation mesh;
    SN_TRY(sn_triangulation_create(&mesh, memory, air->nodes));
    sn_result result = add_sites(air, &mesh, point);
    if (result == SN_OK) result = lock_outlines(air, memory, &mesh);
    if (result == SN_OK && !sn_gap_reserve_elements(air, memory, mesh.sides.triangles))
        result = SN_ERROR_MEMORY;
    for (size_t t = 0; result == SN_OK && t < mesh.sides.triangles; t++) {
        for (size_t k = 0; k < 3; k++) {
            uint32_t site = mesh.sides.start[3 * t + k];
            air->element[t].corner[k] = site < 4 ? (uint32_t)air->nodes + site : site - 4;
        }
        air->element[t].corner[3] = SN_GAP_NO_ELEMENT;
    }
    if (result == SN_OK) air->elements = mesh.sides.triangles;
    sn_triangulation_free(&mesh, memory);
    return result;
}

/* ---- In space ---- */

static sn_result divide_space(sn_gap *air, sn_memory *memory, const sn_point *point) {
    sn_tets tets;
    SN_TRY(sn_tetrahedralize(&tets, memory, point, air->nodes));
    /* Flips that make three of two need room, and are few: they are soon undone by others. */
    bool had = sn_gap_reserve_elements(air, memory, 2 * tets.count + 64);
    for (size_t t = 0; had && t < tets.count; t++)
        for (int k = 0; k < 4; k++) {
            uint32_t site = tets.corner[t][k];
            air->element[t].corner[k] =
                site < SN_CUBE_CORNERS ? (uint32_t)air->nodes + site : site - SN_CUBE_CORNERS;
        }
    air->elements = tets.count;
    sn_tets_free(&tets, memory);
    return had ? SN_OK : SN_ERROR_MEMORY;
}

static sn_point corner_point(const sn_gap *air, const sn_point *point, uint32_t corner) {
    if (corner < air->nodes) return point[corner];
    uint32_t k = corner - (uint32_t)air->nodes;
    return (sn_point){k & 1 ? SN_CUBE_SIZE : -SN_CUBE_SIZE, k & 2 ? SN_CUBE_SIZE : -SN_CUBE_SIZE,
                      k & 4 ? SN_CUBE_SIZE : -SN_CUBE_SIZE};
}

/* Whether a segment goes through a triangle, and not along its plane or through its border. */
static bool passes(sn_point p, sn_point q, const sn_point t[3]) {
    double at_p = sn_point_det(t[0], t[1], t[2], p), at_q = sn_point_det(t[0], t[1], t[2], q);
    if (!((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0))) return false;
    double a = sn_point_det(p, q, t[0], t[1]), b = sn_point_det(p, q, t[1], t[2]);
    double c = sn_point_det(p, q, t[2], t[0]);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

static bool has_corner(const uint32_t *list, int count, uint32_t corner) {
    for (int i = 0; i < count; i++)
        if (list[i] == corner) return true;
    return false;
}

static bool meet(const sn_bounds *a, const sn_bounds *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static bool crosses(const sn_gap *air, const sn_point *point, const sn_gap_element *e,
                    const uint32_t triangle[3]) {
    sn_point v[4], t[3];
    sn_bounds tet = sn_bounds_empty(), other = sn_bounds_empty();
    for (int k = 0; k < 4; k++) sn_bounds_add(&tet, v[k] = corner_point(air, point, e->corner[k]));
    for (int k = 0; k < 3; k++) sn_bounds_add(&other, t[k] = point[triangle[k]]);
    if (!meet(&tet, &other)) return false;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            if (!has_corner(triangle, 3, e->corner[i]) && !has_corner(triangle, 3, e->corner[j]) &&
                passes(v[i], v[j], t))
                return true;
    for (int k = 0; k < 4; k++) {
        uint32_t face[3];
        sn_point at[3];
        int count = 0;
        for (int i = 0; i < 4; i++) {
            if (i == k) continue;
            face[count] = e->corner[i];
            at[count++] = v[i];
        }
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3;
            if (!has_corner(face, 3, triangle[i]) && !has_corner(face, 3, triangle[j]) &&
                passes(t[i], t[j], at))
                return true;
        }
    }
    return false;
}

/* Surfaces that consist of faces of elements are crossed by none; of the others all are looked
   at. */
static void mark_crossing(sn_gap *air, const sn_point *point) {
    for (size_t t = 0; t < air->triangles; t++) {
        bool face = false;
        for (size_t e = 0; e < air->elements && !face; e++) {
            const uint32_t *c = air->element[e].corner;
            face = has_corner(c, 4, air->triangle[t][0]) && has_corner(c, 4, air->triangle[t][1]) &&
                   has_corner(c, 4, air->triangle[t][2]);
        }
        for (size_t e = 0; e < air->elements && !face; e++)
            if (!air->inverted[e] && crosses(air, point, &air->element[e], air->triangle[t]))
                air->inverted[e] = 1;
    }
}

/* ---- Both ---- */

/* Marks elements with 1 that go, and drops them. */
static void drop_marked(sn_gap *air) {
    size_t kept = 0;
    for (size_t e = 0; e < air->elements; e++) {
        if (air->inverted[e] == 1) continue;
        air->inverted[kept] = 0;
        air->element[kept++] = air->element[e];
    }
    air->elements = kept;
}

static bool is_at_frame(const sn_gap *air, size_t e) {
    for (int k = 0; k < air->corners; k++)
        if (air->element[e].corner[k] >= air->nodes) return true;
    return false;
}

/* Marks with 1 what no way leads to from the frame, as far as links go. */
static sn_result mark_inside(sn_gap *air, sn_memory *memory) {
    uint32_t *queue = sn_allocate(memory, air->elements, sizeof *queue);
    size_t count = 0;
    if (!queue) return SN_ERROR_MEMORY;
    for (size_t e = 0; e < air->elements; e++) {
        air->inverted[e] = !is_at_frame(air, e);
        if (!air->inverted[e]) queue[count++] = (uint32_t)e;
    }
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < air->corners; k++) {
            uint32_t next = air->link[queue[i]].corner[k];
            if (next == SN_GAP_NO_ELEMENT || !air->inverted[next]) continue;
            air->inverted[next] = 0;
            queue[count++] = next;
        }
    sn_free(memory, queue, air->elements, sizeof *queue);
    return SN_OK;
}

static sn_result carve(sn_gap *air, sn_memory *memory, const sn_point *point) {
    for (size_t e = 0; e < air->room; e++) air->inverted[e] = 0;
    if (air->axis == SN_GAP_NONE) mark_crossing(air, point);
    drop_marked(air);
    SN_TRY(sn_gap_link(air, memory));
    if (air->def.inside) return SN_OK;
    SN_TRY(mark_inside(air, memory));
    drop_marked(air);
    return sn_gap_link(air, memory);
}

sn_result sn_gap_tessellate(sn_gap *air, sn_memory *memory, const sn_vec3 *rest) {
    sn_point *point = sn_allocate(memory, air->nodes, sizeof *point);
    if (!point) return SN_ERROR_MEMORY;
    sn_result result = SN_OK;
    if (!scale_points(air, rest, point))
        result = sn_fail(SN_ERROR_VALUE, "air mesh: nodes are more than 1e30 m apart, expected "
                                         "less");
    if (result == SN_OK)
        result = air->axis != SN_GAP_NONE ? divide_plane(air, memory, point)
                                          : divide_space(air, memory, point);
    if (result == SN_OK) result = carve(air, memory, point);
    sn_free(memory, point, air->nodes, sizeof *point);
    return result;
}
