/*
 * A body held together by shape matching: one region, or many that overlap.
 *
 * Deformations that are the same everywhere cost a region (1 - beta) m r^2 / compliance times the
 * strain squared over two, with r^2 the mean of the square of x over its mass, plus beta / 3 of
 * that for what changes the volume. An elastic material of the Lame constants lambda and mu costs
 * (mu |strain|^2 + lambda tr^2 / 2) times its volume. So nu = beta / (3 - beta), and young follows
 * from the compliance by E = 3 (1 - beta) / (3 - beta) density r^2 / compliance.
 */
#include "bodies/kind.h"

#include <math.h>

enum { RIGID, LINEAR, QUADRATIC };
enum { WHOLE, RINGS, CELLS, BALLS };

/* ---- Masses ---- */

static double volume_of(const sn_builder *b, sn_point o, const uint32_t *t) {
    sn_point p = sn_point_sub(b->x[t[0]], o), q = sn_point_sub(b->x[t[1]], o);
    return sn_point_dot(sn_point_cross(p, q), sn_point_sub(b->x[t[2]], o)) / 6;
}

static sn_result weigh_tets(sn_builder *b) {
    SN_TRY(sn_builder_find_shares(b));
    for (size_t i = 0; i < b->mesh->tet_count; i++) {
        const uint32_t *t = b->mesh->tets[i];
        const sn_shape_material *m = sn_builder_at(b, t, 4);
        double volume = volume_of(b, b->x[t[0]], t + 1);
        if (!(volume > 0))
            return sn_fail(SN_ERROR_DEGENERATE,
                           "shape: tet %zu has the volume %g m^3, expected above 0", i, volume);
        double mass = (double)m->density * volume * sn_builder_share(b, i);
        for (int k = 0; k < 4; k++) b->mass[t[k]] += mass / 4;
    }
    return sn_builder_check_masses(b, "shape", "tet");
}

/* The volume inside, shared by area. */
static sn_result weigh_surface(sn_builder *b) {
    double volume = 0, area = 0;
    for (size_t i = 0; i < b->mesh->triangle_count; i++) {
        const uint32_t *t = b->mesh->triangles[i];
        sn_point p = sn_point_sub(b->x[t[1]], b->x[t[0]]), q = sn_point_sub(b->x[t[2]], b->x[t[0]]);
        double part = sn_point_length(sn_point_cross(p, q)) / 2;
        volume += volume_of(b, b->x[0], t);
        area += part;
        for (int k = 0; k < 3; k++) b->mass[t[k]] += part / 3;
    }
    if (!(volume > 1e-9 * area * sqrt(area)))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "shape: the surface encloses %g m^3, expected a closed one with its "
                       "triangles anticlockwise seen from outside",
                       volume);
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        const sn_shape_material *m = sn_builder_at(b, &i, 1);
        b->mass[i] *= (double)m->density * volume / area;
    }
    return sn_builder_check_masses(b, "shape", "triangle");
}

static sn_result weigh_points(sn_builder *b) {
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        const sn_shape_material *m = sn_builder_at(b, &i, 1);
        double r = (double)m->radius;
        if (!(r > 0))
            return sn_fail(SN_ERROR_VALUE,
                           "shape: radius is %g, expected above 0 where the mesh is points alone, "
                           "which weigh what balls do",
                           r);
        b->mass[i] = (double)m->density * (4 * 3.14159265358979323846 / 3) * r * r * r;
    }
    return SN_OK;
}

static sn_result weigh(sn_builder *b) {
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        const sn_shape_material *m = sn_builder_at(b, &i, 1);
        b->defs[i].radius = m->radius;
    }
    if (b->mesh->tet_count > 0) return weigh_tets(b);
    return b->mesh->triangle_count > 0 ? weigh_surface(b) : weigh_points(b);
}

/* ---- Stiffness ---- */

/* The mean of the square of x over the mass of some vertices, those of `list` or the first ones. */
static double spread_of(const sn_builder *b, const uint32_t *list, size_t count) {
    double mass = 0, square = 0;
    sn_point centre = {0, 0, 0};
    for (size_t k = 0; k < count; k++) {
        size_t i = list ? list[k] : k;
        mass += b->mass[i];
        centre = sn_point_add(centre, sn_point_scaled(b->x[i], b->mass[i]));
    }
    centre = sn_point_scaled(centre, 1 / mass);
    for (size_t k = 0; k < count; k++) {
        size_t i = list ? list[k] : k;
        sn_point arm = sn_point_sub(b->x[i], centre);
        square += b->mass[i] * sn_point_dot(arm, arm);
    }
    return square / (3 * mass);
}

/* Compliance in s^2 for a spread in m^2. */
static sn_real compliance_of(const sn_shape_material *m, double spread) {
    if (m->young == SN_AUTO) return 0;
    double beta = m->deformation == LINEAR ? (double)m->beta : 0;
    double share = 3 * (1 - beta) / (3 - beta);
    return (sn_real)(share * (double)m->density * spread / (double)m->young);
}

/* ---- One region ---- */

static sn_result match_whole(sn_builder *b) {
    const sn_shape_material *m = b->material;
    sn_shape_match_def def = sn_shape_match_def_default();
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.compliance = compliance_of(m, spread_of(b, NULL, def.node_count));
    def.damping = def.compliance > 0 ? m->damping / def.compliance : 0;
    def.stiffness = m->stiffness;
    def.deformation = m->deformation;
    def.beta = m->beta;
    SN_TAKE_PLASTICITY(def, m);
    return sn_builder_add_hard(b, SN_TYPE_SHAPE_MATCH, &def, 1);
}

/* ---- Many ---- */

/* The least distance from the first vertex to another. */
static double least_distance(const sn_builder *b) {
    double least = -1;
    for (uint32_t i = 1; i < b->mesh->vertex_count; i++) {
        double d = sn_builder_distance(b, 0, i);
        if (least < 0 || d < least) least = d;
    }
    return least;
}

/* Lattices are straight in the mesh, wherever the body is put. */
static sn_result find_regions(const sn_builder *b, sn_regions *regions) {
    const sn_shape_material *m = b->material;
    const sn_vec3 *x = b->mesh->positions;
    size_t count = b->mesh->vertex_count;
    double scale = (double)b->def->scale;
    SN_TRY(sn_builder_check_whole("shape", "omega", m->omega));
    if (m->region == RINGS) return sn_regions_rings(b->mesh, (uint32_t)m->omega, regions);
    if (m->region == CELLS) {
        double step = m->spacing == SN_AUTO ? least_distance(b) : (double)m->spacing;
        return sn_regions_cubes(x, count, (sn_real)(step / scale), (uint32_t)m->omega, regions);
    }
    double size = sqrt(12 * spread_of(b, NULL, count));
    double reach = m->reach == SN_AUTO ? size / 4 : (double)m->reach;
    return sn_regions_balls(x, count, (sn_real)(reach / scale), regions);
}

static sn_result match_regions(sn_builder *b, const sn_regions *regions) {
    const sn_shape_material *m = b->material;
    sn_shape_matching_def def = sn_shape_matching_def_default();
    double spread = 0;
    for (size_t r = 0; r < regions->count; r++)
        spread += spread_of(b, regions->members + regions->first[r],
                            regions->first[r + 1] - regions->first[r]);
    def.compliance = compliance_of(m, spread / (double)regions->count);
    def.stiffness = m->stiffness;
    def.mode = m->deformation == LINEAR ? SN_SHAPE_MATCHING_LINEAR : SN_SHAPE_MATCHING_RIGID;
    def.beta = m->beta;
    SN_TAKE_PLASTICITY(def, m);
    def.sums = (sn_region_sums_method)m->sums;
    return sn_builder_add_matching(b, regions, m->damping, &def);
}

static sn_result connect(sn_builder *b) {
    const sn_shape_material *m = b->material;
    if (m->region == WHOLE) return match_whole(b);
    if (m->deformation == QUADRATIC)
        return sn_fail(SN_ERROR_VALUE,
                       "shape: deformation is quadratic, expected rigid or linear where there are "
                       "many regions");
    sn_regions regions = sn_regions_default();
    regions.allocator = b->memory->allocator;
    sn_result result = find_regions(b, &regions);
    if (result == SN_OK) result = match_regions(b, &regions);
    sn_regions_free(&regions);
    return result;
}

SN_DEFINE_KIND(shape, SN_SHAPE_FIELDS, "vertices that keep their shape, without elements",
               .surface = SN_BODY_SKIN_MESH, .varies = "density radius", .weigh = weigh,
               .connect = connect)
