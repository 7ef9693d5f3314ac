/*
 * The collision surface of a body, from the elements of its mesh that lie outside. The places of
 * the nodes when it is made are those at rest, so it comes before anything moves.
 */
#include "bodies/kind.h"

#include "geometry/topology/triangle_edges.h"

static sn_result make_surface(sn_builder *b, const sn_collision_surface_def *outside,
                              sn_collision_surface *surface) {
    sn_collision_surface_def def = b->def->surface;
    def.nodes = outside->nodes;
    def.node_count = outside->node_count;
    def.triangles = outside->triangles;
    def.triangle_count = outside->triangle_count;
    def.segments = outside->segments;
    def.segment_count = outside->segment_count;
    def.self = b->def->collide == SN_COLLIDE_ALL;
    return sn_collision_surface_create(b->world, &def, surface);
}

/* The faces of the tets that nothing covers, as triangles of an own mesh. */
static sn_result find_surface(const sn_builder *b, sn_mesh *surface) {
    SN_TRY(sn_mesh_add_vertices(surface, NULL, b->mesh->vertex_count));
    SN_TRY(sn_mesh_add_tets(surface, (const uint32_t(*)[4])b->mesh->tets, b->mesh->tet_count));
    return sn_mesh_surface(surface);
}

/* Only nodes of the surface: those inside would be in the way of it when it is pressed in. Puts
   them into `nodes` and numbers the corners of the triangles by their places there. */
static size_t keep_outer(const sn_builder *b, sn_mesh *surface, uint32_t *place, sn_node *nodes) {
    size_t count = 0;
    for (size_t i = 0; i < surface->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t vertex = surface->triangles[i][k];
            if (place[vertex] == 0) {
                nodes[count++] = b->nodes[vertex];
                place[vertex] = (uint32_t)count;
            }
            surface->triangles[i][k] = place[vertex] - 1;
        }
    return count;
}

static sn_result cover_tets(sn_builder *b, sn_collision_surface *out) {
    size_t vertices = b->mesh->vertex_count;
    sn_mesh boundary = sn_mesh_default();
    boundary.allocator = b->memory->allocator;
    uint32_t *place = sn_allocate(b->memory, vertices, sizeof *place);
    sn_node *nodes = sn_allocate(b->memory, vertices, sizeof *nodes);
    sn_result result = place && nodes ? find_surface(b, &boundary) : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        sn_collision_surface_def outside = {.nodes = nodes};
        outside.node_count = keep_outer(b, &boundary, place, nodes);
        outside.triangles = *boundary.triangles;
        outside.triangle_count = boundary.triangle_count;
        result = make_surface(b, &outside, out);
    }
    sn_free(b->memory, place, vertices, sizeof *place);
    sn_free(b->memory, nodes, vertices, sizeof *nodes);
    sn_mesh_free(&boundary);
    return result;
}

/* In a plane: the sides that belong to one triangle, which are the outline, with their nodes. */
static sn_result outline(sn_builder *b, const sn_edges *edges, uint32_t *segments, uint32_t *place,
                         sn_node *nodes, sn_collision_surface *out) {
    sn_collision_surface_def outside = {.nodes = nodes, .segments = segments};
    for (size_t first = 0; first < edges->count;) {
        size_t end = sn_edges_end(edges, first);
        for (size_t k = 0; k < 2 && end == first + 1; k++) {
            uint32_t vertex = edges->sides[first].key[k];
            if (place[vertex] == 0) {
                nodes[outside.node_count++] = b->nodes[vertex];
                place[vertex] = (uint32_t)outside.node_count;
            }
            segments[2 * outside.segment_count + k] = place[vertex] - 1;
        }
        outside.segment_count += end == first + 1;
        first = end;
    }
    return make_surface(b, &outside, out);
}

static sn_result cover_plane(sn_builder *b, sn_collision_surface *out) {
    size_t vertices = b->mesh->vertex_count, sides = 3 * b->mesh->triangle_count;
    sn_edges edges;
    SN_TRY(sn_edges_create(&edges, b->memory, (const uint32_t(*)[3])b->mesh->triangles,
                           b->mesh->triangle_count, NULL));
    uint32_t *segments = sn_allocate(b->memory, 2 * sides, sizeof *segments);
    uint32_t *place = sn_allocate(b->memory, vertices, sizeof *place);
    sn_node *nodes = sn_allocate(b->memory, vertices, sizeof *nodes);
    sn_result result = SN_ERROR_MEMORY;
    if (segments && place && nodes) result = outline(b, &edges, segments, place, nodes, out);
    sn_free(b->memory, segments, 2 * sides, sizeof *segments);
    sn_free(b->memory, place, vertices, sizeof *place);
    sn_free(b->memory, nodes, vertices, sizeof *nodes);
    sn_edges_free(&edges, b->memory);
    return result;
}

sn_result sn_builder_cover(sn_builder *b, sn_body_surface kind, sn_collision_surface *surface) {
    sn_collision_surface_def outside = {.nodes = b->nodes, .node_count = b->mesh->vertex_count};
    if (b->def->collide == SN_COLLIDE_NONE) return SN_OK;
    if (kind == SN_BODY_SKIN_MESH)
        kind = b->mesh->tet_count > 0        ? SN_BODY_SKIN_TETS
               : b->mesh->triangle_count > 0 ? SN_BODY_SKIN_TRIANGLES
                                             : SN_BODY_SKIN_NODES;
    if (kind == SN_BODY_SKIN_TETS) return cover_tets(b, surface);
    sn_settings settings;
    SN_TRY(sn_world_get_settings(b->world, &settings));
    if (kind == SN_BODY_SKIN_TRIANGLES && settings.plane != SN_PLANE_NONE)
        return cover_plane(b, surface);
    if (kind == SN_BODY_SKIN_TRIANGLES) {
        outside.triangles = *b->mesh->triangles;
        outside.triangle_count = b->mesh->triangle_count;
    }
    if (kind == SN_BODY_SKIN_LINES && b->apart && b->def->collide == SN_COLLIDE_ALL)
        return sn_builder_cover_chains(b, surface);
    if (kind == SN_BODY_SKIN_LINES) {
        outside.segments = *b->mesh->lines;
        outside.segment_count = b->mesh->line_count;
    }
    return make_surface(b, &outside, surface);
}
