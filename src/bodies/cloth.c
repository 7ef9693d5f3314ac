/* A sheet: edges keep their lengths; cloth_bend.c resists bending. */
#include "bodies/cloth.h"

#include "mesh/rings.h"

/* ---- The mesh ---- */

sn_point sn_cloth_normal(const sn_builder *b, size_t triangle) {
    const uint32_t *t = b->mesh->triangles[triangle];
    return sn_point_cross(sn_point_sub(b->x[t[1]], b->x[t[0]]),
                          sn_point_sub(b->x[t[2]], b->x[t[0]]));
}

double sn_cloth_area(const sn_builder *b, size_t triangle) {
    return sn_point_length(sn_cloth_normal(b, triangle)) / 2;
}

/* Whether the surface has two sides and no edge has a third triangle. */
static sn_result check_surface(const sn_builder *b, bool closed) {
    sn_rings rings;
    size_t vertices = b->mesh->vertex_count;
    SN_TRY(sn_rings_create(&rings, b->memory, "cloth", *b->mesh->triangles, b->mesh->triangle_count,
                           vertices));
    size_t open = vertices;
    for (size_t i = 0; i < vertices && open == vertices; i++)
        if (!sn_rings_is_closed(&rings, i)) open = i;
    sn_rings_free(&rings, b->memory);
    if (closed && open < vertices)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "cloth: pressure needs a closed surface, but vertex %zu is on its border",
                       open);
    return SN_OK;
}

static sn_result weigh(sn_builder *b) {
    const sn_cloth_material *m = b->material;
    SN_TRY(sn_builder_check_above("cloth", "area_density", m->area_density));
    SN_TRY(sn_builder_check_above("cloth", "stretch_stiffness", m->stretch_stiffness));
    if (b->mesh->triangle_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "cloth: the mesh has no triangles");
    SN_TRY(check_surface(b, m->pressure != SN_AUTO));
    for (size_t i = 0; i < b->mesh->triangle_count; i++) {
        const uint32_t *t = b->mesh->triangles[i];
        double area = sn_cloth_area(b, i);
        if (!(area > 0))
            return sn_fail(SN_ERROR_DEGENERATE,
                           "cloth: triangle %zu with vertices %u, %u and %u has no area", i, t[0],
                           t[1], t[2]);
        for (int k = 0; k < 3; k++) b->mass[t[k]] += (double)m->area_density * area / 3;
    }
    for (size_t i = 0; i < b->mesh->vertex_count; i++) b->defs[i].radius = m->thickness / 2;
    return sn_builder_check_masses(b, "cloth", "triangle");
}

/* ---- Stretching ---- */

static sn_distance_def define_edge(const sn_builder *b, const sn_pairs *edges, const sn_pair *e) {
    const sn_cloth_material *m = b->material;
    double length = sn_builder_distance(b, e->a, e->b), area = 0;
    for (uint32_t i = 0; i < e->count; i++) area += sn_cloth_area(b, edges->element[e->first + i]);
    double width = area / length, stiffness = (double)m->stretch_stiffness * width / length;
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = b->nodes[e->a];
    def.node[1] = b->nodes[e->b];
    def.compliance = sn_builder_compliance(m->stretch_stiffness, stiffness);
    def.damping = sn_builder_damping(m->stretch_stiffness, stiffness, m->stretch_damping);
    if (m->break_force != SN_AUTO) def.break_force = (sn_real)((double)m->break_force * width);
    return def;
}

static sn_result add_edges(sn_builder *b, const sn_pairs *edges) {
    sn_distance_def *defs = sn_allocate(b->memory, edges->count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < edges->count; i++) defs[i] = define_edge(b, edges, &edges->pair[i]);
    sn_result result = sn_builder_add(b, SN_TYPE_DISTANCE, defs, edges->count);
    sn_free(b->memory, defs, edges->count, sizeof *defs);
    return result;
}

/* ---- Inside ---- */

static sn_result add_pressure(sn_builder *b) {
    const sn_cloth_material *m = b->material;
    if (m->pressure == SN_AUTO) return SN_OK;
    sn_surface_volume_def def = sn_surface_volume_def_default();
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.triangles = *b->mesh->triangles;
    def.triangle_count = b->mesh->triangle_count;
    def.pressure = m->pressure;
    return sn_builder_add(b, SN_TYPE_SURFACE_VOLUME, &def, 1);
}

static sn_result connect(sn_builder *b) {
    sn_pairs edges;
    SN_TRY(sn_pairs_create(&edges, b->memory, *b->mesh->triangles, b->mesh->triangle_count, 3,
                           b->mesh->vertex_count));
    sn_result result = add_edges(b, &edges);
    if (result == SN_OK) result = sn_cloth_bend(b, &edges);
    if (result == SN_OK) result = add_pressure(b);
    sn_pairs_free(&edges, b->memory);
    return result;
}

SN_DEFINE_KIND(cloth, SN_CLOTH_FIELDS, "triangles that resist stretch and bending",
               .skin = SN_BODY_SKIN_TRIANGLES, .weigh = weigh, .connect = connect)
