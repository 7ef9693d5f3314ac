#include "geometry/volume/inside.h"

#include "base/error.h"
#include "geometry/closest_point.h"
#include "geometry/mesh_bvh.h"
#include "geometry/topology/triangle_edges.h"
#include "math/angle.h"

/* ---- What is refused ---- */

/* Whether there are findings of a kind; if so, the sentence about them. */
static sn_result refuse(const char *what, sn_mesh_report *report, sn_mesh_finding_kind kind,
                        const char *advice) {
    if (report->findings[kind].count == 0) return SN_OK;
    for (int i = 0; i < SN_MESH_FINDING_COUNT; i++)
        if (i != (int)kind) report->findings[i].count = 0;
    char text[160] = "";
    sn_log_level level;
    SN_TRY(sn_mesh_report_remark(report, 0, &level, text, sizeof text));
    return sn_fail(SN_ERROR_DEGENERATE, "%s: %s, expected a closed surface%s", what, text, advice);
}

sn_result sn_solid_expect(const char *what, const sn_mesh *mesh) {
    static const struct {
        sn_mesh_finding_kind kind;
        const char *advice;
    } refused[] = {{SN_MESH_TRIANGLE_REPEATED, " (sn_mesh_clean removes them)"},
                   {SN_MESH_TRIANGLE_DUPLICATE, " (sn_mesh_clean removes them)"},
                   {SN_MESH_EDGE_CROWDED, ""},
                   {SN_MESH_EDGE_BOUNDARY, " (sn_mesh_weld closes seams)"},
                   {SN_MESH_EDGE_WINDING, " (sn_mesh_clean turns triangles)"}};
    if (mesh->triangle_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "%s: the mesh has no triangles, expected a closed "
                       "surface",
                       what);
    sn_mesh_report report = sn_mesh_report_default();
    report.weld_distance = 0;
    SN_TRY(sn_mesh_check(mesh, &report));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        SN_TRY(refuse(what, &report, refused[i].kind, refused[i].advice));
    double volume;
    SN_TRY(sn_mesh_volume(mesh, &volume));
    if (!(volume > 0))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "%s: the surface encloses %g m^3, expected one that faces outward "
                       "(sn_mesh_clean turns it)",
                       what, volume);
    return SN_OK;
}

/* ---- Making ---- */

/* Adds the normals of triangles to those of their vertices, by angles. */
static void find_normals(sn_solid *solid) {
    const sn_mesh *mesh = solid->mesh;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        sn_point x[3];
        for (int k = 0; k < 3; k++) x[k] = sn_mesh_point(mesh, mesh->triangles[t][k]);
        sn_point normal = sn_point_normal(x[0], x[1], x[2]);
        double length = sn_point_length(normal);
        if (!(length > 0)) continue;
        normal = sn_point_scaled(normal, 1 / length);
        solid->face_normal[t] = normal;
        for (int k = 0; k < 3; k++) {
            sn_point a = sn_point_sub(x[(k + 1) % 3], x[k]);
            sn_point b = sn_point_sub(x[(k + 2) % 3], x[k]);
            sn_point *sum = &solid->vertex_normal[mesh->triangles[t][k]];
            *sum =
                sn_point_add(*sum, sn_point_scaled(normal, sn_angle(sn_point_dot(a, b), length)));
        }
    }
}

static sn_result find_edge_normals(sn_solid *solid) {
    sn_edges edges;
    const uint32_t(*triangles)[3] = (const uint32_t(*)[3])solid->mesh->triangles;
    SN_TRY(sn_edges_create(&edges, &solid->memory, triangles, solid->mesh->triangle_count, NULL));
    for (size_t i = 0, end; i < edges.count; i = end) {
        end = sn_edges_end(&edges, i);
        sn_point sum = {0, 0, 0};
        for (size_t k = i; k < end; k++)
            sum = sn_point_add(sum, solid->face_normal[edges.sides[k].value / 3]);
        for (size_t k = i; k < end; k++)
            solid->edge_normal[edges.sides[k].value / 3][edges.sides[k].value % 3] = sum;
    }
    sn_edges_free(&edges, &solid->memory);
    return SN_OK;
}

sn_result sn_solid_create(sn_solid *solid, const char *what, const sn_mesh *mesh) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    SN_TRY(sn_solid_expect(what, mesh));
    *solid = (sn_solid){.memory = sn_mesh_memory(mesh), .mesh = mesh};
    sn_memory *memory = &solid->memory;
    size_t triangles = mesh->triangle_count;
    solid->vertex_normal = sn_allocate(memory, mesh->vertex_count, sizeof *solid->vertex_normal);
    solid->face_normal = sn_allocate(memory, triangles, sizeof *solid->face_normal);
    solid->edge_normal = sn_allocate(memory, triangles, sizeof *solid->edge_normal);
    bool there = solid->vertex_normal && solid->face_normal && solid->edge_normal;
    sn_result result = there ? sn_mesh_bvh_create(&solid->bvh, memory, mesh) : SN_ERROR_MEMORY;
    if (result == SN_OK) solid->bounds = solid->bvh.nodes[0].bounds;
    if (result == SN_OK) {
        find_normals(solid);
        result = find_edge_normals(solid);
    }
    if (result != SN_OK) sn_solid_free(solid);
    return result;
}

void sn_solid_free(sn_solid *solid) {
    sn_memory *memory = &solid->memory;
    size_t triangles = solid->mesh->triangle_count;
    sn_bvh_free(&solid->bvh, memory);
    sn_free(memory, solid->vertex_normal, solid->mesh->vertex_count, sizeof *solid->vertex_normal);
    sn_free(memory, solid->face_normal, triangles, sizeof *solid->face_normal);
    sn_free(memory, solid->edge_normal, triangles, sizeof *solid->edge_normal);
}

/* ---- Asking ---- */

static sn_point closest(const sn_solid *solid, uint32_t t, sn_point x, sn_part *part) {
    const uint32_t *v = solid->mesh->triangles[t];
    return sn_closest_on_triangle(x, sn_mesh_point(solid->mesh, v[0]),
                                  sn_mesh_point(solid->mesh, v[1]),
                                  sn_mesh_point(solid->mesh, v[2]), part);
}

static double square_to(void *user, uint32_t item, sn_point x) {
    sn_point d = sn_point_sub(closest(user, item, x, NULL), x);
    return sn_point_dot(d, d);
}

double sn_solid_distance(const sn_solid *solid, sn_point x, uint32_t *hint) {
    void *user = (void *)(uintptr_t)solid;
    double square = __builtin_inf();
    uint32_t t = hint ? *hint : SN_BVH_NONE;
    if (t != SN_BVH_NONE) square = square_to(user, t, x);
    uint32_t nearer = sn_bvh_nearest(&solid->bvh, x, square, square_to, user, &square);
    if (nearer != SN_BVH_NONE) t = nearer;
    if (t == SN_BVH_NONE) return square;
    if (hint) *hint = t;
    sn_part part;
    sn_point d = sn_point_sub(x, closest(solid, t, x, &part)), normal = solid->face_normal[t];
    if (part <= SN_PART_CORNER_2)
        normal = solid->vertex_normal[solid->mesh->triangles[t][part]];
    else if (part <= SN_PART_SIDE_2)
        normal = solid->edge_normal[t][part - SN_PART_SIDE_0];
    double distance = __builtin_sqrt(square);
    return sn_point_dot(d, normal) < 0 ? -distance : distance;
}
