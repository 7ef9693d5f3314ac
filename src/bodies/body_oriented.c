/*
 * Oriented particles: an ellipsoid at every vertex, and one region of shape matching around it.
 *
 * The ellipsoids are found in the coordinates of the mesh and then placed with it. They say what
 * a particle weighs and how hard it is to turn, and are what it touches others with.
 */
#include "bodies/kind.h"
#include "geometry/volume/fit_ellipsoids.h"

#include <sinew/shape_matching.h>
#include <sinew/skinning.h>

#include <math.h>

enum { BALL, EDGES, VISIBLE };
enum { RINGS, BALLS };

/* Of every vertex, in the coordinates of the mesh but for the scale. */
typedef struct shapes {
    sn_quat *orientation;
    sn_vec3 *radii; /* m, in the world */
} shapes;

static void free_shapes(const sn_builder *b, shapes *s) {
    sn_free(b->memory, s->orientation, b->mesh->vertex_count, sizeof *s->orientation);
    sn_free(b->memory, s->radii, b->mesh->vertex_count, sizeof *s->radii);
}

static sn_real radius_at(const sn_builder *b, uint32_t vertex) {
    const sn_oriented_material *m = sn_builder_at(b, &vertex, 1);
    return m->radius;
}

/* ---- Ellipsoids along edges ---- */

/* The mean squares of half the edges around a vertex. */
typedef struct around {
    double square[6];
    double count;
} around;

static void add_edge(const sn_builder *b, around *at, uint32_t i, uint32_t j) {
    sn_point x = sn_point_of(b->mesh->positions[i]), y = sn_point_of(b->mesh->positions[j]);
    sn_point d = sn_point_scaled(sn_point_sub(y, x), 0.5 * (double)b->def->scale);
    const double square[6] = {d.x * d.x, d.y * d.y, d.z * d.z, d.y * d.z, d.z * d.x, d.x * d.y};
    for (int k = 0; k < 6; k++) {
        at[i].square[k] += square[k];
        at[j].square[k] += square[k];
    }
    at[i].count++;
    at[j].count++;
}

static void add_edges(const sn_builder *b, around *at) {
    const sn_mesh *mesh = b->mesh;
    for (size_t i = 0; i < mesh->line_count; i++)
        add_edge(b, at, mesh->lines[i][0], mesh->lines[i][1]);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            add_edge(b, at, mesh->triangles[i][k], mesh->triangles[i][(k + 1) % 3]);
    for (size_t i = 0; i < mesh->tet_count; i++)
        for (int k = 0; k < 4; k++)
            for (int l = k + 1; l < 4; l++) add_edge(b, at, mesh->tets[i][k], mesh->tets[i][l]);
}

static sn_result fit_edges(const sn_builder *b, const shapes *s) {
    size_t count = b->mesh->vertex_count;
    around *at = sn_allocate(b->memory, count, sizeof *at);
    if (!at) return SN_ERROR_MEMORY;
    add_edges(b, at);
    for (uint32_t i = 0; i < count; i++) {
        double half[3], thin = (double)radius_at(b, i);
        if (!(at[i].count > 0)) continue;
        for (int k = 0; k < 6; k++) at[i].square[k] /= 3 * at[i].count;
        sn_ellipsoid_of(at[i].square, &s->orientation[i], half);
        s->radii[i] = (sn_vec3){(sn_real)fmax(half[0], thin), (sn_real)fmax(half[1], thin),
                                (sn_real)fmax(half[2], thin)};
    }
    sn_free(b->memory, at, count, sizeof *at);
    return SN_OK;
}

/* ---- Ellipsoids about what is seen ---- */

static sn_result fit_visible(const sn_builder *b, const shapes *s) {
    const sn_oriented_material *m = b->material;
    size_t count = b->mesh->vertex_count;
    double scale = (double)b->def->scale;
    if (!b->def->visible)
        return sn_fail(SN_ERROR_VALUE,
                       "oriented: fit is visible, expected another where there is no visible mesh");
    SN_TRY(sn_fit_ellipsoids(b->def->visible, b->mesh->positions, count,
                             (sn_real)((double)m->radius / scale), s->orientation, s->radii));
    for (size_t i = 0; i < count; i++) {
        sn_vec3 r = s->radii[i];
        s->radii[i] = (sn_vec3){(sn_real)((double)r.x * scale), (sn_real)((double)r.y * scale),
                                (sn_real)((double)r.z * scale)};
    }
    return SN_OK;
}

static sn_result find_shapes(const sn_builder *b, shapes *s) {
    const sn_oriented_material *m = b->material;
    size_t count = b->mesh->vertex_count;
    s->orientation = sn_allocate(b->memory, count, sizeof *s->orientation);
    s->radii = sn_allocate(b->memory, count, sizeof *s->radii);
    if (!s->orientation || !s->radii) {
        free_shapes(b, s);
        return SN_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        sn_real r = radius_at(b, i);
        s->orientation[i] = (sn_quat){0, 0, 0, 1};
        s->radii[i] = (sn_vec3){r, r, r};
    }
    sn_result result = m->fit == EDGES     ? fit_edges(b, s)
                       : m->fit == VISIBLE ? fit_visible(b, s)
                                           : SN_OK;
    if (result != SN_OK) free_shapes(b, s);
    return result;
}

/* ---- Masses and frames ---- */

static sn_result weigh(sn_builder *b) {
    shapes s;
    SN_TRY(find_shapes(b, &s));
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        const sn_oriented_material *m = sn_builder_at(b, &i, 1);
        double x = (double)s.radii[i].x, y = (double)s.radii[i].y, z = (double)s.radii[i].z;
        b->mass[i] = (double)m->density * (4 * 3.14159265358979323846 / 3) * x * y * z;
        b->defs[i].radius = (sn_real)fmax(x, fmax(y, z));
    }
    free_shapes(b, &s);
    return sn_builder_check_masses(b, "oriented", "particle");
}

/* The rotation b, then a. */
static sn_quat multiply(sn_quat a, sn_quat b) {
    double x = (double)a.x, y = (double)a.y, z = (double)a.z, w = (double)a.w;
    double p = (double)b.x, q = (double)b.y, r = (double)b.z, s = (double)b.w;
    return (sn_quat){
        (sn_real)(w * p + x * s + (y * r - z * q)), (sn_real)(w * q + y * s + (z * p - x * r)),
        (sn_real)(w * r + z * s + (x * q - y * p)), (sn_real)(w * s - (x * p + y * q + z * r))};
}

static sn_result orient(sn_builder *b) {
    shapes s;
    SN_TRY(find_shapes(b, &s));
    for (size_t i = 0; i < b->mesh->vertex_count; i++) {
        sn_node_def *def = &b->defs[i];
        double fifth = b->mass[i] / 5;
        double x = (double)s.radii[i].x, y = (double)s.radii[i].y, z = (double)s.radii[i].z;
        def->oriented = true;
        def->orientation = multiply(b->def->rotation, s.orientation[i]);
        def->angular_velocity = b->def->angular_velocity;
        def->inverse_inertia = (sn_vec3){(sn_real)(1 / (fifth * (y * y + z * z))),
                                         (sn_real)(1 / (fifth * (z * z + x * x))),
                                         (sn_real)(1 / (fifth * (x * x + y * y)))};
    }
    free_shapes(b, &s);
    return SN_OK;
}

static sn_result set_radii(const sn_builder *b) {
    shapes s;
    sn_result result = find_shapes(b, &s);
    if (result != SN_OK) return result;
    for (size_t i = 0; i < b->mesh->vertex_count && result == SN_OK; i++) {
        sn_vec3 r = s.radii[i];
        if (r.x != r.y || r.y != r.z) result = sn_node_set_radii(b->world, b->nodes[i], r);
    }
    free_shapes(b, &s);
    return result;
}

/* ---- Regions ---- */

static sn_result find_regions(const sn_builder *b, sn_regions *regions) {
    const sn_oriented_material *m = b->material;
    SN_TRY(sn_builder_check_whole("oriented", "omega", m->omega));
    if (m->region == RINGS) return sn_regions_rings(b->mesh, (uint32_t)m->omega, regions);
    double reach = m->reach == SN_AUTO ? 4 * (double)m->radius : (double)m->reach;
    return sn_regions_balls(b->mesh->positions, b->mesh->vertex_count,
                            (sn_real)(reach / (double)b->def->scale), regions);
}

static sn_result match(sn_builder *b, const sn_regions *regions) {
    const sn_oriented_material *m = b->material;
    sn_shape_matching_def def = sn_shape_matching_def_default();
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.first = regions->first;
    def.members = regions->members;
    def.region_count = regions->count;
    def.centres = regions->centres;
    def.oriented = true;
    def.turn = m->turn == 0 ? SN_SHAPE_MATCHING_TURN_MEAN : SN_SHAPE_MATCHING_TURN_CENTRE;
    def.compliance = m->compliance;
    def.stiffness = m->stiffness;
    def.damping = m->damping;
    def.mode = m->deformation == 0 ? SN_SHAPE_MATCHING_RIGID : SN_SHAPE_MATCHING_LINEAR;
    def.beta = m->beta;
    SN_TAKE_PLASTICITY(def, m);
    def.sums = (sn_region_sums_method)m->sums;
    return sn_shape_matching_create(b->world, &def, &b->matching);
}

/* Triangles that the wind or a current meets are a sheet. */
static sn_result add_sheet(sn_builder *b) {
    const sn_oriented_material *m = b->material;
    if (!(m->drag > 0) || b->mesh->triangle_count == 0) return SN_OK;
    sn_sheet_def def = sn_sheet_def_default();
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.triangles = *b->mesh->triangles;
    def.triangle_count = b->mesh->triangle_count;
    def.drag = m->drag;
    def.lift = m->lift;
    return sn_sheet_create(b->world, &def, &b->sheet);
}

static sn_result connect(sn_builder *b) {
    sn_regions regions = sn_regions_default();
    regions.allocator = b->memory->allocator;
    sn_result result = set_radii(b);
    if (result == SN_OK) result = find_regions(b, &regions);
    if (result == SN_OK) result = match(b, &regions);
    if (result == SN_OK) result = add_sheet(b);
    sn_regions_free(&regions);
    return result;
}

SN_DEFINE_KIND(oriented, SN_ORIENTED_FIELDS, "ellipsoids that keep place and direction in a graph",
               .surface = SN_BODY_SKIN_NODES, .varies = "density radius", .weigh = weigh,
               .shape = orient, .connect = connect)
