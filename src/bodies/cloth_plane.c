/*
 * What resists stretching in the plane of a sheet: its edges, its triangles by one of three
 * models, or shape matching of either, and their areas where that is asked for.
 *
 * Triangles have a direction of their own, that of the warp: the one of the material, given in the
 * frame of the mesh, as it lies in the plane of each triangle.
 */
#include "bodies/body_cloth.h"

#include "geometry/mesh_access.h"
#include "math/angle.h"

#include <string.h>

enum {
    MODEL_AUTOMATIC,
    MODEL_EDGES,
    MODEL_STRAIN,
    MODEL_ELASTIC,
    MODEL_MATCHING,
    MODEL_OVERLAPPING,
    MODEL_NEO_HOOKEAN
};

/* ---- The material ---- */

typedef struct moduli {
    sn_real warp, weft, shear; /* N/m; automatic: infinite */
} moduli;

static moduli moduli_of(const sn_cloth_material *m) {
    sn_real all = m->stretch_stiffness;
    return (moduli){m->warp_stiffness == SN_AUTO ? all : m->warp_stiffness,
                    m->weft_stiffness == SN_AUTO ? all : m->weft_stiffness, m->shear_stiffness};
}

/* What makes a sheet without Poisson's ratio the same in all directions. */
static sn_real shear_of(moduli k) {
    if (k.shear != SN_AUTO || k.warp == SN_AUTO || k.weft == SN_AUTO) return k.shear;
    return (sn_real)(__builtin_sqrt((double)k.warp * (double)k.weft) / 2);
}

/* As the elastic triangle has it, here with the triangle that it would be. */
static sn_result check_ratio(const sn_builder *b, size_t triangle) {
    const sn_cloth_material *m = sn_builder_at(b, b->mesh->triangles[triangle], 3);
    moduli k = moduli_of(m);
    double nu = (double)m->poisson, ratio = 1;
    if ((k.warp == SN_AUTO) != (k.weft == SN_AUTO)) return SN_OK;
    if (k.warp != SN_AUTO) ratio = (double)k.weft / (double)k.warp;
    if (nu * nu * ratio < 0.9999) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "cloth: poisson is %g at triangle %zu, whose weft is %g times as stiff as its "
                   "warp, expected less than %g",
                   nu, triangle, ratio, 1 / __builtin_sqrt(ratio));
}

/* Triangles that are lines beside their length have no plane to be strained in. */
static sn_result check_shape(const sn_builder *b, size_t triangle) {
    const uint32_t *t = b->mesh->triangles[triangle];
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double length = sn_builder_distance(b, t[k], t[(k + 1) % 3]);
        longest = length > longest ? length : longest;
    }
    if (2 * sn_cloth_area(b, triangle) > 2e-6 * longest * longest) return SN_OK;
    return sn_fail(
        SN_ERROR_DEGENERATE,
        "cloth: triangle %zu with vertices %u, %u and %u is %g m long and has the area %g "
        "m^2, which is none",
        triangle, t[0], t[1], t[2], longest, sn_cloth_area(b, triangle));
}

static sn_result check_isotropic(const sn_builder *b, size_t triangle) {
    const sn_cloth_material *m = sn_builder_at(b, b->mesh->triangles[triangle], 3);
    if (m->poisson >= 0 && (double)m->poisson <= 0.5) return SN_OK;
    return sn_fail(
        SN_ERROR_VALUE,
        "cloth: poisson is %g at triangle %zu, expected from 0 to 0.5 where the model is "
        "neo_hookean",
        (double)m->poisson, triangle);
}

static sn_result check_triangles(const sn_builder *b, int model) {
    if (model != MODEL_STRAIN && model != MODEL_ELASTIC && model != MODEL_NEO_HOOKEAN) return SN_OK;
    for (size_t i = 0; i < b->mesh->triangle_count; i++) {
        SN_TRY(check_shape(b, i));
        if (model == MODEL_ELASTIC) SN_TRY(check_ratio(b, i));
        if (model == MODEL_NEO_HOOKEAN) SN_TRY(check_isotropic(b, i));
    }
    return SN_OK;
}

/* What only some models have. */
static sn_result check_model(const sn_builder *b) {
    const sn_cloth_material *m = b->material;
    bool flows = m->model == MODEL_ELASTIC || m->model == MODEL_NEO_HOOKEAN;
    bool matched = m->model == MODEL_MATCHING || m->model == MODEL_OVERLAPPING;
    if (!flows && (m->plastic_yield != SN_AUTO || sn_builder_map(b, "plastic_yield")))
        return sn_fail(SN_ERROR_VALUE,
                       "cloth: plastic_yield is given, expected the model elastic or neo_hookean, "
                       "whose triangles flow; creases of any model have bending_yield");
    if (!matched && m->fibres > 0)
        return sn_fail(SN_ERROR_VALUE,
                       "cloth: fibres is %g, expected 0 where the model is not matching or "
                       "overlapping",
                       (double)m->fibres);
    if (m->model == MODEL_NEO_HOOKEAN &&
        (m->warp_stiffness != SN_AUTO || m->weft_stiffness != SN_AUTO ||
         m->shear_stiffness != SN_AUTO))
        return sn_fail(SN_ERROR_VALUE,
                       "cloth: a stiffness of warp, weft or shear is given, expected "
                       "stretch_stiffness and poisson where the model is neo_hookean");
    return SN_OK;
}

sn_result sn_cloth_check_plane(const sn_builder *b) {
    const sn_cloth_material *m = b->material;
    sn_vec3 w = m->warp;
    if (w.x == 0 && w.y == 0 && w.z == 0)
        return sn_fail(SN_ERROR_VALUE, "cloth: warp is (0, 0, 0), expected a direction");
    SN_TRY(check_model(b));
    return check_triangles(b, m->model);
}

/* ---- Edges ---- */

sn_distance_def sn_cloth_edge(const sn_builder *b, const sn_pairs *edges, const sn_pair *e) {
    const uint32_t ends[2] = {e->a, e->b};
    const sn_cloth_material *m = sn_builder_at(b, ends, 2);
    double length = sn_builder_distance(b, e->a, e->b), area = 0;
    for (uint32_t i = 0; i < e->count; i++) area += sn_cloth_area(b, edges->element[e->first + i]);
    double width = area / length, stiffness = (double)m->stretch_stiffness * width / length;
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = b->nodes[e->a];
    def.node[1] = b->nodes[e->b];
    def.compliance = sn_builder_compliance(m->stretch_stiffness, stiffness);
    def.damping = sn_builder_damping(m->stretch_stiffness, stiffness, m->stretch_damping);
    if (m->break_force != SN_AUTO) def.break_force = (sn_real)((double)m->break_force * width);
    if (m->compression < 1) def.side = SN_SIDE_AT_MOST;
    return def;
}

static sn_result add_edges(sn_builder *b, const sn_pairs *edges) {
    sn_distance_def *defs = sn_allocate(b->memory, edges->count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < edges->count; i++) defs[i] = sn_cloth_edge(b, edges, &edges->pair[i]);
    sn_result result = sn_builder_add(b, SN_TYPE_DISTANCE, defs, edges->count);
    sn_free(b->memory, defs, edges->count, sizeof *defs);
    return result;
}

/* ---- Triangles ---- */

/* Where the warp runs in a triangle, in rad from its first edge towards its third vertex. A warp
   that stands on the triangle says nothing; there the axes of the mesh are tried in turn. */
static double warp_angle(const sn_builder *b, const uint32_t t[3]) {
    const sn_cloth_material *m = b->material;
    sn_point along = sn_point_sub(sn_mesh_point(b->mesh, t[1]), sn_mesh_point(b->mesh, t[0]));
    sn_point far = sn_point_sub(sn_mesh_point(b->mesh, t[2]), sn_mesh_point(b->mesh, t[0]));
    sn_point n = sn_point_cross(along, far), across = sn_point_cross(n, along);
    sn_point tried[] = {sn_point_of(m->warp), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double least = 1e-3 * sn_point_length(along);
    for (int i = m->warp.x == SN_AUTO ? 1 : 0; i < 4; i++) {
        double x = sn_point_dot(tried[i], along);
        double y = sn_point_dot(tried[i], across) / sn_point_length(n);
        if (x * x + y * y > least * least * sn_point_dot(tried[i], tried[i])) return sn_angle(x, y);
    }
    return 0;
}

/* What a triangle becomes; whether it is wanted. */
typedef bool define_triangle(const sn_builder *b, size_t triangle, void *to);

/* What all models have in common, whose definitions are of types of their own. */
#define SET_COMMON(def, b, triangle, t, m)                                                         \
    do {                                                                                           \
        for (int i = 0; i < 3; i++) (def).node[i] = (b)->nodes[(t)[i]];                            \
        (def).warp_angle = (sn_real)warp_angle(b, t);                                              \
        (def).damping_time = (m)->stretch_damping;                                                 \
        if ((m)->break_force != SN_AUTO)                                                           \
            (def).break_force = (sn_real)((double)(m)->break_force * sn_cloth_area(b, triangle));  \
    } while (0)
/* And those that know Poisson's ratio, and yield. */
#define SET_PLASTIC(def, m)                                                                        \
    do {                                                                                           \
        (def).poisson = (m)->poisson;                                                              \
        (def).plastic_yield = (m)->plastic_yield;                                                  \
        (def).plastic_creep = (m)->plastic_creep;                                                  \
        (def).plastic_limit = (m)->plastic_limit;                                                  \
    } while (0)

static bool define_strain(const sn_builder *b, size_t triangle, void *to) {
    const uint32_t *t = b->mesh->triangles[triangle];
    const sn_cloth_material *m = sn_builder_at(b, t, 3);
    moduli k = moduli_of(m);
    sn_strain_triangle_def def = sn_strain_triangle_def_default();
    SET_COMMON(def, b, triangle, t, m);
    def.warp_stiffness = k.warp;
    def.weft_stiffness = k.weft;
    def.shear_stiffness = shear_of(k);
    memcpy(to, &def, sizeof def);
    return true;
}

static bool define_elastic(const sn_builder *b, size_t triangle, void *to) {
    const uint32_t *t = b->mesh->triangles[triangle];
    const sn_cloth_material *m = sn_builder_at(b, t, 3);
    moduli k = moduli_of(m);
    sn_elastic_triangle_def def = sn_elastic_triangle_def_default();
    SET_COMMON(def, b, triangle, t, m);
    def.warp_stiffness = k.warp;
    def.weft_stiffness = k.weft;
    def.shear_stiffness = k.shear;
    SET_PLASTIC(def, m);
    memcpy(to, &def, sizeof def);
    return true;
}

static bool define_neo_hookean(const sn_builder *b, size_t triangle, void *to) {
    const uint32_t *t = b->mesh->triangles[triangle];
    const sn_cloth_material *m = sn_builder_at(b, t, 3);
    sn_neo_hookean_triangle_def def = sn_neo_hookean_triangle_def_default();
    SET_COMMON(def, b, triangle, t, m);
    def.stretch_stiffness = m->stretch_stiffness;
    SET_PLASTIC(def, m);
    memcpy(to, &def, sizeof def);
    return true;
}

/* Energy: half of stiffness times A ((area - A) / A)^2. */
static bool define_area(const sn_builder *b, size_t triangle, void *to) {
    const uint32_t *t = b->mesh->triangles[triangle];
    const sn_cloth_material *m = sn_builder_at(b, t, 3);
    double stiffness = (double)m->area_stiffness / sn_cloth_area(b, triangle);
    sn_triangle_area_def def = sn_triangle_area_def_default();
    for (int i = 0; i < 3; i++) def.node[i] = b->nodes[t[i]];
    def.compliance = sn_builder_compliance(m->area_stiffness, stiffness);
    def.damping = sn_builder_damping(m->area_stiffness, stiffness, m->stretch_damping);
    memcpy(to, &def, sizeof def);
    return m->area_stiffness != 0;
}

static sn_result add_triangles(sn_builder *b, sn_type type, size_t size, define_triangle *define) {
    size_t count = 0, triangles = b->mesh->triangle_count;
    unsigned char *defs = sn_allocate(b->memory, triangles, size);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < triangles; i++) count += define(b, i, defs + count * size);
    sn_result result = sn_builder_add(b, type, defs, count);
    sn_free(b->memory, defs, triangles, size);
    return result;
}

static sn_result add_areas(sn_builder *b) {
    const sn_cloth_material *m = b->material;
    if (m->area_stiffness == 0 && !sn_builder_map(b, "area_stiffness")) return SN_OK;
    return add_triangles(b, SN_TYPE_TRIANGLE_AREA, sizeof(sn_triangle_area_def), define_area);
}

sn_result sn_cloth_stretch(sn_builder *b, const sn_pairs *edges) {
    const sn_cloth_material *m = b->material;
    if (m->model == MODEL_STRAIN)
        SN_TRY(add_triangles(b, SN_TYPE_STRAIN_TRIANGLE, sizeof(sn_strain_triangle_def),
                             define_strain));
    else if (m->model == MODEL_ELASTIC)
        SN_TRY(add_triangles(b, SN_TYPE_ELASTIC_TRIANGLE, sizeof(sn_elastic_triangle_def),
                             define_elastic));
    else if (m->model == MODEL_NEO_HOOKEAN)
        SN_TRY(add_triangles(b, SN_TYPE_NEO_HOOKEAN_TRIANGLE, sizeof(sn_neo_hookean_triangle_def),
                             define_neo_hookean));
    else if (m->model == MODEL_MATCHING)
        SN_TRY(sn_cloth_match(b, SN_SHEET_REGIONS_ELEMENTS));
    else if (m->model == MODEL_OVERLAPPING)
        SN_TRY(sn_cloth_match(b, SN_SHEET_REGIONS_OVERLAPPING));
    else
        SN_TRY(add_edges(b, edges));
    return add_areas(b);
}
