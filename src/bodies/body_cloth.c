/* A sheet: what its mesh must be and weighs; cloth_plane.c resists stretching, cloth_bend.c
   bending. */
#include "bodies/body_cloth.h"

#include "geometry/topology/vertex_rings.h"

/* ---- The mesh ---- */

sn_point sn_cloth_normal(const sn_builder *b, size_t triangle) {
    const uint32_t *t = b->mesh->triangles[triangle];
    return sn_point_cross(sn_point_sub(b->x[t[1]], b->x[t[0]]),
                          sn_point_sub(b->x[t[2]], b->x[t[0]]));
}

double sn_cloth_area(const sn_builder *b, size_t triangle) {
    return sn_point_length(sn_cloth_normal(b, triangle)) / 2;
}

/* The corner of a triangle with an edge that is not on the edge. */
static uint32_t corner_beside(const uint32_t t[3], const sn_pair *e) {
    return t[0] != e->a && t[0] != e->b ? t[0] : t[1] != e->a && t[1] != e->b ? t[1] : t[2];
}

/* Whether a triangle runs along its edge from a to b. */
static bool runs_forward(const uint32_t t[3], const sn_pair *e) {
    for (int k = 0; k < 3; k++)
        if (t[k] == e->a) return t[(k + 1) % 3] == e->b;
    return false;
}

static sn_result check_edge(const sn_builder *b, const sn_pairs *edges, const sn_pair *e) {
    const uint32_t *at = edges->element + e->first;
    for (uint32_t i = 1; i < e->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (corner_beside(b->mesh->triangles[at[i]], e) ==
                corner_beside(b->mesh->triangles[at[j]], e))
                return sn_fail(SN_ERROR_DEGENERATE,
                               "cloth: triangle %u has the vertices of triangle %u, expected each "
                               "once",
                               at[i] > at[j] ? at[i] : at[j], at[i] > at[j] ? at[j] : at[i]);
    if (e->count > 2)
        return sn_fail(
            SN_ERROR_DEGENERATE,
            "cloth: the edge between vertices %u and %u belongs to %u triangles, such as "
            "%u, %u and %u, expected at most two",
            e->a, e->b, e->count, at[0], at[1], at[2]);
    if (e->count == 2 &&
        runs_forward(b->mesh->triangles[at[0]], e) == runs_forward(b->mesh->triangles[at[1]], e))
        return sn_fail(
            SN_ERROR_DEGENERATE,
            "cloth: triangles %u and %u face different sides at the edge between vertices "
            "%u and %u, expected one side up",
            at[0], at[1], e->a, e->b);
    return SN_OK;
}

static bool is_turned(const sn_builder *b, const sn_pairs *edges, const sn_pair *e) {
    const uint32_t *at = edges->element + e->first;
    return e->count == 2 &&
           runs_forward(b->mesh->triangles[at[0]], e) == runs_forward(b->mesh->triangles[at[1]], e);
}

/* Whether a triangle faces as the root of its set does. */
static uint32_t root_of(const uint32_t *parent, const uint8_t *turned, uint32_t i, uint8_t *faces) {
    for (*faces = 0; parent[i] != i; i = parent[i]) *faces ^= turned[i];
    return i;
}

/* Whether no choice of sides fits all triangles: a surface with one side, as that of Moebius, where
   some edge is between triangles that face different sides however they are turned. */
static sn_result find_sides(const sn_builder *b, const sn_pairs *edges, bool *one_sided) {
    size_t count = b->mesh->triangle_count;
    uint32_t *parent = sn_allocate(b->memory, count, sizeof *parent);
    uint8_t *turned = sn_allocate(b->memory, count, 1); /* against the parent */
    *one_sided = false;
    for (uint32_t i = 0; parent && i < count; i++) parent[i] = i;
    for (size_t i = 0; parent && turned && i < edges->count; i++) {
        const sn_pair *e = &edges->pair[i];
        uint8_t one, other;
        if (e->count != 2) continue;
        uint32_t p = root_of(parent, turned, edges->element[e->first], &one);
        uint32_t q = root_of(parent, turned, edges->element[e->first + 1], &other);
        uint8_t against = one ^ other ^ (uint8_t)is_turned(b, edges, e);
        if (p == q) *one_sided = *one_sided || against;
        if (p == q) continue;
        /* The lower one stays, so that chains are short where triangles are in order. */
        parent[p < q ? q : p] = p < q ? p : q;
        turned[p < q ? q : p] = against;
    }
    sn_result result = parent && turned ? SN_OK : SN_ERROR_MEMORY;
    if (parent) sn_free(b->memory, parent, count, sizeof *parent);
    if (turned) sn_free(b->memory, turned, count, 1);
    return result;
}

/* Says which edge or triangle is wrong, where rings of triangles could not be made; nothing is
   where the surface has one side. */
static sn_result explain(const sn_builder *b, sn_result refused, bool closed) {
    const sn_mesh *mesh = b->mesh;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return refused;
    }
    sn_pairs edges;
    bool one_sided = false;
    SN_TRY(sn_pairs_create(&edges, b->memory, *mesh->triangles, mesh->triangle_count, 3,
                           mesh->vertex_count));
    sn_result result = find_sides(b, &edges, &one_sided);
    for (size_t i = 0; i < edges.count && result == SN_OK; i++)
        if (!one_sided || !is_turned(b, &edges, &edges.pair[i]))
            result = check_edge(b, &edges, &edges.pair[i]);
    sn_pairs_free(&edges, b->memory);
    if (result != SN_OK) return result;
    if (one_sided && closed)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "cloth: %s two sides, but the surface has one, as that of Moebius",
                       sn_cloth_is_filled(b->material) ? "pressure needs" : "struts need");
    return one_sided ? SN_OK : refused;
}

/* Whether no edge has a third triangle, and triangles face one side where there are two. */
static sn_result check_surface(const sn_builder *b, bool closed) {
    sn_rings rings;
    size_t vertices = b->mesh->vertex_count;
    sn_result result = sn_rings_create(&rings, b->memory, "cloth", *b->mesh->triangles,
                                       b->mesh->triangle_count, vertices);
    if (result == SN_ERROR_DEGENERATE) return explain(b, result, closed);
    if (result != SN_OK) return result;
    size_t open = vertices;
    bool twice = false; /* two triangles with the same vertices, which face different sides */
    for (size_t i = 0; i < vertices; i++) {
        bool around = sn_rings_is_closed(&rings, i);
        if (!around && open == vertices) open = i;
        twice = twice || (around && sn_rings_count(&rings, i) == 2);
    }
    sn_rings_free(&rings, b->memory);
    if (twice) return explain(b, SN_ERROR_DEGENERATE, closed);
    if (closed && open < vertices)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "cloth: %s a closed surface, but vertex %zu is on its border",
                       sn_cloth_is_filled(b->material) ? "pressure needs" : "struts need", open);
    return SN_OK;
}

static sn_result weigh(sn_builder *b) {
    const sn_cloth_material *m = b->material;
    SN_TRY(sn_cloth_check_plane(b));
    SN_TRY(sn_cloth_check_hold(b));
    SN_TRY(sn_cloth_check_air(b));
    if (b->mesh->triangle_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "cloth: the mesh has no triangles");
    SN_TRY(sn_cloth_check_inside(b));
    SN_TRY(check_surface(b, sn_cloth_is_filled(m) || m->strut_stiffness != 0));
    for (size_t i = 0; i < b->mesh->triangle_count; i++) {
        const uint32_t *t = b->mesh->triangles[i];
        double area = sn_cloth_area(b, i);
        if (!(area > 0))
            return sn_fail(SN_ERROR_DEGENERATE,
                           "cloth: triangle %zu with vertices %u, %u and %u has no area", i, t[0],
                           t[1], t[2]);
        const sn_cloth_material *here = sn_builder_at(b, t, 3);
        for (int k = 0; k < 3; k++) b->mass[t[k]] += (double)here->area_density * area / 3;
    }
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        const sn_cloth_material *here = sn_builder_at(b, &i, 1);
        b->defs[i].radius = here->thickness / 2;
    }
    return sn_builder_check_masses(b, "cloth", "triangle");
}

static sn_result connect(sn_builder *b) {
    sn_pairs edges;
    SN_TRY(sn_pairs_create(&edges, b->memory, *b->mesh->triangles, b->mesh->triangle_count, 3,
                           b->mesh->vertex_count));
    sn_cloth_choose(b, &edges);
    sn_result result = sn_cloth_order(b, &edges);
    if (result == SN_OK) result = sn_cloth_stretch(b, &edges);
    if (result == SN_OK) result = sn_cloth_hold(b, &edges);
    if (result == SN_OK) result = sn_cloth_bend_varied(b, &edges);
    if (result == SN_OK) result = sn_cloth_fill(b);
    if (result == SN_OK) result = sn_cloth_strut(b);
    if (result == SN_OK) result = sn_cloth_add_sheet(b);
    if (result == SN_OK)
        result = sn_builder_add_levels(b, ((const sn_cloth_material *)b->material)->levels);
    sn_pairs_free(&edges, b->memory);
    return result;
}

SN_DEFINE_KIND(cloth, SN_CLOTH_FIELDS, "triangles that resist stretch and bending",
               .surface = SN_BODY_SKIN_TRIANGLES,
               .varies = "area_density stretch_stiffness stretch_damping warp_stiffness "
                         "weft_stiffness shear_stiffness poisson area_stiffness bending_stiffness "
                         "bending_damping thickness break_force strength drag lift "
                         "compression strain_limit compression_limit bending_yield bending_creep "
                         "bending_limit volume_weight plastic_yield plastic_creep plastic_limit",
               .weigh = weigh, .connect = connect)
