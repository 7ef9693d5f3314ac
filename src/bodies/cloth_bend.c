/* What resists the bending of a sheet: one of four models. */
#include "bodies/body_cloth.h"

#include <sinew/surface.h>

enum { BEND_AUTOMATIC, BEND_VERTEX, BEND_ISOMETRIC, BEND_DIHEDRAL, BEND_PLATE };
enum { REST_MESH, REST_FLAT };

/* The sine of the angle between two triangles up to which a sheet counts as flat. */
static const double flat = 1e-3;

static uint32_t corner_beside(const sn_builder *b, size_t triangle, const sn_pair *e) {
    const uint32_t *t = b->mesh->triangles[triangle];
    for (int k = 0; k < 2; k++)
        if (t[k] != e->a && t[k] != e->b) return t[k];
    return t[2];
}

static bool is_flat_at(const sn_builder *b, const sn_pairs *edges, const sn_pair *e) {
    if (e->count < 2) return true;
    sn_point n = sn_cloth_normal(b, edges->element[e->first]);
    sn_point o = sn_cloth_normal(b, edges->element[e->first + 1]);
    return sn_point_length(sn_point_cross(n, o)) <=
               flat * sn_point_length(n) * sn_point_length(o) &&
           sn_point_dot(n, o) > 0;
}

/* The nodes of the two triangles at an edge, as hinges name them: the edge, then the far
   corners. */
static void hinge_nodes(const sn_builder *b, const sn_pairs *edges, const sn_pair *e,
                        sn_node node[4]) {
    uint32_t left = edges->element[e->first], right = edges->element[e->first + 1];
    node[0] = b->nodes[e->a];
    node[1] = b->nodes[e->b];
    node[2] = b->nodes[corner_beside(b, left, e)];
    node[3] = b->nodes[corner_beside(b, right, e)];
}

static sn_dihedral_bending_def define_dihedral(const sn_builder *b, const sn_pairs *edges,
                                               const sn_pair *e) {
    const sn_cloth_material *m = b->material;
    double length = sn_builder_distance(b, e->a, e->b);
    double area =
        sn_cloth_area(b, edges->element[e->first]) + sn_cloth_area(b, edges->element[e->first + 1]);
    double stiffness = (double)m->bending_stiffness * length * length / area;
    sn_dihedral_bending_def def = sn_dihedral_bending_def_default();
    hinge_nodes(b, edges, e, def.node);
    def.compliance = (sn_real)(1 / stiffness);
    def.damping = (sn_real)(stiffness * (double)m->bending_damping);
    if (m->bending_rest == REST_FLAT) def.rest_angle = 0;
    /* The stiffness is that of the whole sheet here (cloth_vary.c); how it yields may differ. */
    const uint32_t ends[2] = {e->a, e->b};
    const sn_cloth_material *here = sn_builder_at(b, ends, 2);
    def.yield = here->bending_yield;
    def.creep = here->bending_creep;
    def.plastic_limit = here->bending_limit;
    return def;
}

static sn_isometric_bending_def define_isometric(const sn_builder *b, const sn_pairs *edges,
                                                 const sn_pair *e) {
    const sn_cloth_material *m = b->material;
    sn_isometric_bending_def def = sn_isometric_bending_def_default();
    hinge_nodes(b, edges, e, def.node);
    def.compliance = 1 / m->bending_stiffness;
    def.damping = m->bending_stiffness * m->bending_damping;
    return def;
}

static sn_result add_isometric(sn_builder *b, const sn_pairs *edges) {
    sn_isometric_bending_def *defs = sn_allocate(b->memory, edges->count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < edges->count; i++)
        if (edges->pair[i].count == 2) defs[count++] = define_isometric(b, edges, &edges->pair[i]);
    sn_result result = sn_builder_add(b, SN_TYPE_ISOMETRIC_BENDING, defs, count);
    sn_free(b->memory, defs, edges->count, sizeof *defs);
    return result;
}

/* Whether the triangles of an edge both have an inner vertex, so that its bending is held there. */
static bool is_held(const sn_builder *b, const sn_pairs *edges, const sn_pair *e,
                    const uint8_t *border) {
    for (uint32_t i = 0; i < e->count; i++) {
        const uint32_t *t = b->mesh->triangles[edges->element[e->first + i]];
        if (border[t[0]] && border[t[1]] && border[t[2]]) return false;
    }
    return true;
}

/* At all inner edges, or at those that are not held otherwise where `border` is given. */
static sn_result add_dihedral(sn_builder *b, const sn_pairs *edges, const uint8_t *border) {
    sn_dihedral_bending_def *defs = sn_allocate(b->memory, edges->count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < edges->count; i++) {
        const sn_pair *e = &edges->pair[i];
        if (e->count == 2 && !(border && is_held(b, edges, e, border)))
            defs[count++] = define_dihedral(b, edges, e);
    }
    sn_result result = sn_builder_add(b, SN_TYPE_DIHEDRAL_BENDING, defs, count);
    sn_free(b->memory, defs, edges->count, sizeof *defs);
    return result;
}

static sn_result add_vertex(sn_builder *b) {
    const sn_cloth_material *m = b->material;
    sn_surface surface = {b->nodes, b->mesh->vertex_count, *b->mesh->triangles,
                          b->mesh->triangle_count};
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    size_t count;
    def.compliance = 1 / m->bending_stiffness;
    def.damping = m->bending_stiffness * m->bending_damping;
    def.stiffness = sn_builder_k(b, SN_TYPE_VERTEX_BENDING);
    SN_TRY(sn_surface_bend(b->world, &surface, &def, NULL, &count));
    b->constraints += count;
    return SN_OK;
}

/* At vertices, and at the edges of triangles that have no inner vertex. */
static sn_result add_at_vertices(sn_builder *b, const sn_pairs *edges, bool plate) {
    size_t vertices = b->mesh->vertex_count;
    SN_TRY(plate ? sn_cloth_bend_plate(b) : add_vertex(b));
    uint8_t *border = sn_allocate(b->memory, vertices, 1);
    if (!border) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < edges->count; i++)
        if (edges->pair[i].count == 1) border[edges->pair[i].a] = border[edges->pair[i].b] = 1;
    sn_result result = add_dihedral(b, edges, border);
    sn_free(b->memory, border, vertices, 1);
    return result;
}

sn_result sn_cloth_bend(sn_builder *b, const sn_pairs *edges) {
    const sn_cloth_material *m = b->material;
    const sn_material_map *yields = sn_builder_map(b, "bending_yield");
    bool varied = false;
    for (size_t i = 0; yields && i < yields->count; i++)
        varied = varied || yields->values[i] != SN_AUTO;
    bool creases = yields ? varied : m->bending_yield != SN_AUTO;
    static const char *const flat_models[] = {
        [BEND_VERTEX] = "vertex", [BEND_ISOMETRIC] = "isometric", [BEND_PLATE] = "plate"};
    if (creases && m->bending != BEND_AUTOMATIC && m->bending != BEND_DIHEDRAL)
        return sn_fail(
            SN_ERROR_VALUE,
            "cloth: bending_yield %s %g rad with %s bending, which has no angles; expected "
            "automatic or dihedral bending",
            varied ? "has a map beside" : "is", (double)m->bending_yield, flat_models[m->bending]);
    if (m->bending_stiffness == 0) return SN_OK;
    if (creases) return add_dihedral(b, edges, NULL);
    if (m->bending == BEND_ISOMETRIC) return add_isometric(b, edges);
    if (m->bending == BEND_DIHEDRAL) return add_dihedral(b, edges, NULL);
    if (m->bending == BEND_VERTEX) return add_at_vertices(b, edges, false);
    if (m->bending == BEND_PLATE) return add_at_vertices(b, edges, true);
    for (size_t i = 0; i < edges->count; i++)
        if (!is_flat_at(b, edges, &edges->pair[i])) return add_dihedral(b, edges, NULL);
    /* Refused, with nothing made, where a triangle is hardly one. */
    sn_result result = add_at_vertices(b, edges, true);
    return result == SN_ERROR_DEGENERATE ? add_dihedral(b, edges, NULL) : result;
}
