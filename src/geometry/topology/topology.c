/*
 * Everything follows from sets of corners (corner k of triangle t is 3 t + k), in three stages on
 * the same sets. First the corners at both ends of an edge are joined across it: the sets are the
 * fans, and a vertex with more than one is where surfaces touch in a point. Then the two corners of
 * every boundary edge: those of a loop come together. At last the three of every triangle: the sets
 * are the pieces.
 */
#include "geometry/topology/topology.h"

#include "base/error.h"
#include "base/union_find.h"
#include "geometry/bounds.h"
#include "geometry/topology/triangle_edges.h"

typedef struct topology {
    const sn_mesh *mesh;
    const uint32_t (*triangles)[3];
    const uint32_t *vertex;  /* of each corner */
    const uint8_t *left_out; /* per triangle */
    size_t corners;
    sn_edges edges;
    uint32_t *set;    /* per corner */
    uint8_t *is_fan;  /* per corner: whether it is the root of a fan */
    uint32_t *number; /* per corner: of roots, of the fan's vertex or the piece */
    sn_mesh_piece *piece;
    sn_bounds *bounds; /* per piece */
    uint8_t *turned;   /* per piece: whether sides differ in it */
} topology;

void sn_report_add(sn_mesh_report *report, sn_mesh_finding_kind kind, uint32_t a, uint32_t b) {
    sn_mesh_finding *finding = &report->findings[kind];
    if (finding->count < SN_MESH_EXAMPLES) {
        finding->example[finding->count][0] = a;
        finding->example[finding->count][1] = b;
    }
    finding->count++;
}

/* ---- Edges ---- */

/* Joins the corners of two triangles at the ends of an edge that they share. */
static void join_across(topology *t, uint32_t side, uint32_t other) {
    uint32_t a[2] = {side, sn_side_next(side)}, b[2] = {other, sn_side_next(other)};
    bool same = t->vertex[a[0]] == t->vertex[b[0]];
    sn_sets_join(t->set, a[0], b[same ? 0 : 1]);
    sn_sets_join(t->set, a[1], b[same ? 1 : 0]);
}

static void look_at_edges(topology *t, sn_mesh_report *report) {
    const sn_record *sides = t->edges.sides;
    for (size_t i = 0, end; i < t->edges.count; i = end) {
        end = sn_edges_end(&t->edges, i);
        report->edge_count++;
        for (size_t k = i + 1; k < end; k++) join_across(t, sides[i].value, sides[k].value);
        uint32_t a = sides[i].key[0], b = sides[i].key[1];
        if (end - i == 1) sn_report_add(report, SN_MESH_EDGE_BOUNDARY, a, b);
        if (end - i > 2) sn_report_add(report, SN_MESH_EDGE_CROWDED, a, b);
        if (end - i == 2 && sn_side_rises(t->triangles, sides[i].value) ==
                                sn_side_rises(t->triangles, sides[i + 1].value))
            sn_report_add(report, SN_MESH_EDGE_WINDING, a, b);
    }
}

/* ---- Fans and loops ---- */

/* Finds the fans, and the vertices that have more than one. `seen` has a byte per vertex. */
static void look_at_fans(topology *t, uint8_t *seen, sn_mesh_report *report) {
    for (uint32_t c = 0; c < t->corners; c++) {
        if (t->left_out[c / 3] || sn_sets_root(t->set, c) != c) continue;
        t->is_fan[c] = 1;
        uint8_t *at = &seen[t->vertex[c]];
        if (*at == 1) sn_report_add(report, SN_MESH_VERTEX_FANS, t->vertex[c], t->vertex[c]);
        if (*at < 2) (*at)++;
    }
}

static void count_loops(topology *t, sn_mesh_report *report) {
    for (size_t i = 0, end; i < t->edges.count; i = end) {
        end = sn_edges_end(&t->edges, i);
        uint32_t side = t->edges.sides[i].value;
        if (end - i == 1) sn_sets_join(t->set, side, sn_side_next(side));
    }
    for (size_t i = 0, end; i < t->edges.count; i = end) {
        end = sn_edges_end(&t->edges, i);
        if (end - i > 1) continue;
        uint32_t root = sn_sets_root(t->set, t->edges.sides[i].value);
        report->boundary_loops += t->number[root] == 0;
        t->number[root] = 1;
    }
}

/* ---- Seams ---- */

/* Boundary edges that are at the same place as another, or shrink to a point, when welded. */
static sn_result count_seams(topology *t, sn_memory *memory, const uint32_t *stays,
                             sn_mesh_report *report) {
    size_t most = report->findings[SN_MESH_EDGE_BOUNDARY].count, count = 0;
    sn_record *records = sn_allocate(memory, most, sizeof *records);
    sn_record *spare = sn_allocate(memory, most, sizeof *spare);
    sn_result result = records && spare ? SN_OK : SN_ERROR_MEMORY;
    for (size_t i = 0, end; result == SN_OK && i < t->edges.count; i = end) {
        end = sn_edges_end(&t->edges, i);
        if (end - i > 1) continue;
        uint32_t a = stays[t->edges.sides[i].key[0]], b = stays[t->edges.sides[i].key[1]];
        records[count++] = (sn_record){{a < b ? a : b, a < b ? b : a, 0}, 0};
    }
    if (result == SN_OK) sn_records_sort(records, spare, count, 2);
    for (size_t i = 0, end; i < count; i = end) {
        end = sn_records_run(records, i, count, 2);
        if (end - i > 1 || records[i].key[0] == records[i].key[1]) report->seam_edges += end - i;
    }
    sn_free(memory, records, most, sizeof *records);
    sn_free(memory, spare, most, sizeof *spare);
    return result;
}

/* ---- Pieces ---- */

/* Joins the corners of each triangle and numbers the pieces by their first triangle. */
static size_t number_pieces(topology *t) {
    uint32_t pieces = 0;
    for (uint32_t c = 0; c < t->corners; c += 3) {
        if (t->left_out[c / 3]) continue;
        sn_sets_join(t->set, c, c + 1);
        sn_sets_join(t->set, c, c + 2);
    }
    for (uint32_t c = 0; c < t->corners; c++)
        if (!t->left_out[c / 3] && sn_sets_root(t->set, c) == c) t->number[c] = pieces++;
    return pieces;
}

static uint32_t piece_of(topology *t, uint32_t corner) {
    return t->number[sn_sets_root(t->set, corner)];
}

static void add_triangle(topology *t, uint32_t triangle) {
    uint32_t p = piece_of(t, 3 * triangle);
    sn_mesh_piece *piece = &t->piece[p];
    sn_point x[3];
    for (int k = 0; k < 3; k++) x[k] = sn_mesh_point(t->mesh, t->triangles[triangle][k]);
    if (piece->triangle_count++ == 0) {
        piece->triangle = triangle;
        t->bounds[p] = sn_bounds_empty();
    }
    /* About a vertex of the piece. */
    sn_point o = sn_mesh_point(t->mesh, t->triangles[piece->triangle][0]);
    piece->volume += sn_point_det(o, x[0], x[1], x[2]) / 6;
    for (int k = 0; k < 3; k++) {
        piece->vertex_count += t->is_fan[3 * triangle + (uint32_t)k];
        sn_bounds_add(&t->bounds[p], x[k]);
    }
}

static void add_edges(topology *t) {
    for (size_t i = 0, end; i < t->edges.count; i = end) {
        end = sn_edges_end(&t->edges, i);
        uint32_t side = t->edges.sides[i].value, p = piece_of(t, side);
        t->piece[p].edge_count++;
        t->piece[p].boundary_edges += end - i == 1;
        if (end - i != 2) t->piece[p].closed = false;
        if (end - i == 2 && sn_side_rises(t->triangles, side) ==
                                sn_side_rises(t->triangles, t->edges.sides[i + 1].value))
            t->turned[p] = 1;
    }
}

/* The piece with the longest diagonal, in which others may be cavities. */
static size_t largest_piece(const topology *t, size_t pieces) {
    size_t largest = 0;
    double longest = -1;
    for (size_t p = 0; p < pieces; p++) {
        double diagonal = sn_bounds_diagonal(t->bounds[p]);
        if (diagonal > longest) longest = diagonal, largest = p;
    }
    return largest;
}

static void finish_pieces(topology *t, size_t pieces, sn_mesh_report *report) {
    size_t largest = largest_piece(t, pieces);
    for (size_t p = 0; p < pieces; p++) {
        sn_mesh_piece *piece = &t->piece[p];
        bool two_sided = piece->closed && !t->turned[p];
        piece->euler = (int64_t)piece->vertex_count - (int64_t)piece->edge_count +
                       (int64_t)piece->triangle_count;
        piece->genus = two_sided ? (2 - piece->euler) / 2 : -1;
        if (!two_sided) piece->volume = 0;
        if (piece->volume < 0 && !sn_bounds_within(t->bounds[p], t->bounds[largest]))
            sn_report_add(report, SN_MESH_PIECE_INSIDE_OUT, piece->triangle, piece->triangle);
        if (p < SN_MESH_PIECES) report->pieces[p] = *piece;
    }
    report->piece_count = pieces;
    report->closed = report->edge_count > 0 && report->findings[SN_MESH_EDGE_BOUNDARY].count == 0 &&
                     report->findings[SN_MESH_EDGE_CROWDED].count == 0 &&
                     report->findings[SN_MESH_EDGE_WINDING].count == 0;
}

static sn_result look_at_pieces(topology *t, sn_memory *memory, sn_mesh_report *report) {
    size_t pieces = number_pieces(t);
    t->piece = sn_allocate(memory, pieces, sizeof *t->piece);
    t->bounds = sn_allocate(memory, pieces, sizeof *t->bounds);
    t->turned = sn_allocate(memory, pieces, sizeof *t->turned);
    sn_result result = t->piece && t->bounds && t->turned ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        for (size_t p = 0; p < pieces; p++) t->piece[p].closed = true;
        for (uint32_t i = 0; i < t->corners / 3; i++)
            if (!t->left_out[i]) add_triangle(t, i);
        add_edges(t);
        finish_pieces(t, pieces, report);
    }
    sn_free(memory, t->piece, pieces, sizeof *t->piece);
    sn_free(memory, t->bounds, pieces, sizeof *t->bounds);
    sn_free(memory, t->turned, pieces, sizeof *t->turned);
    return result;
}

sn_result sn_topology_report(const sn_mesh *mesh, sn_memory *memory, const uint8_t *left_out,
                             const uint32_t *stays, sn_mesh_report *report) {
    topology t = {.mesh = mesh,
                  .triangles = (const uint32_t(*)[3])mesh->triangles,
                  .vertex = (const uint32_t *)mesh->triangles,
                  .left_out = left_out,
                  .corners = 3 * mesh->triangle_count};
    SN_TRY(sn_edges_create(&t.edges, memory, t.triangles, mesh->triangle_count, left_out));
    t.set = sn_allocate(memory, t.corners, sizeof *t.set);
    t.is_fan = sn_allocate(memory, t.corners, sizeof *t.is_fan);
    t.number = sn_allocate(memory, t.corners, sizeof *t.number);
    uint8_t *seen = sn_allocate(memory, mesh->vertex_count, sizeof *seen);
    sn_result result = t.set && t.is_fan && t.number && seen ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        for (uint32_t c = 0; c < t.corners; c++) t.set[c] = c;
        look_at_edges(&t, report);
        look_at_fans(&t, seen, report);
        count_loops(&t, report);
        result = count_seams(&t, memory, stays, report);
    }
    if (result == SN_OK) result = look_at_pieces(&t, memory, report);
    sn_free(memory, seen, mesh->vertex_count, sizeof *seen);
    sn_free(memory, t.number, t.corners, sizeof *t.number);
    sn_free(memory, t.is_fan, t.corners, sizeof *t.is_fan);
    sn_free(memory, t.set, t.corners, sizeof *t.set);
    sn_edges_free(&t.edges, memory);
    return result;
}
