/*
 * A collision surface per chain of lines. Within one surface, what is close at rest may come
 * closer; the rods of a bundle lie side by side, and have to push each other apart as they swell.
 */
#include "bodies/kind.h"

/* Gives all vertices that lines connect the least of their numbers. */
static void label(const sn_mesh *mesh, uint32_t *chain) {
    for (uint32_t i = 0; i < mesh->vertex_count; i++) chain[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < mesh->line_count; i++)
            for (int k = 0; k < 2; k++) {
                uint32_t from = mesh->lines[i][k], to = mesh->lines[i][1 - k];
                if (chain[from] >= chain[to]) continue;
                chain[to] = chain[from];
                changed = true;
            }
    }
}

typedef struct chains {
    uint32_t *of;       /* per vertex */
    uint32_t *place;    /* of a vertex among the nodes of its surface */
    sn_node *nodes;     /* of one surface */
    uint32_t *segments; /* likewise */
} chains;

static sn_result cover_one(sn_builder *b, const chains *c, uint32_t which,
                           sn_collision_surface *surface) {
    sn_collision_surface_def def = b->def->surface;
    def.nodes = c->nodes;
    def.segments = c->segments;
    def.node_count = def.segment_count = 0;
    def.self = true;
    for (size_t i = 0; i < b->mesh->vertex_count; i++) {
        if (c->of[i] != which) continue;
        c->place[i] = (uint32_t)def.node_count;
        c->nodes[def.node_count++] = b->nodes[i];
    }
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const uint32_t *line = b->mesh->lines[i];
        if (c->of[line[0]] != which) continue;
        for (int k = 0; k < 2; k++)
            c->segments[2 * def.segment_count + (size_t)k] = c->place[line[k]];
        def.segment_count++;
    }
    return sn_collision_surface_create(b->world, &def, surface);
}

sn_result sn_builder_cover_chains(sn_builder *b, sn_collision_surface *surface) {
    size_t vertices = b->mesh->vertex_count, ends = 2 * b->mesh->line_count;
    chains c = {.of = sn_allocate(b->memory, vertices, sizeof *c.of),
                .place = sn_allocate(b->memory, vertices, sizeof *c.place),
                .nodes = sn_allocate(b->memory, vertices, sizeof *c.nodes),
                .segments = sn_allocate(b->memory, ends, sizeof *c.segments)};
    sn_result result = c.of && c.place && c.nodes && c.segments ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) label(b->mesh, c.of);
    for (uint32_t i = 0; result == SN_OK && i < vertices; i++) {
        sn_collision_surface other;
        if (c.of[i] == i) result = cover_one(b, &c, i, i == 0 ? surface : &other);
    }
    sn_free(b->memory, c.of, vertices, sizeof *c.of);
    sn_free(b->memory, c.place, vertices, sizeof *c.place);
    sn_free(b->memory, c.nodes, vertices, sizeof *c.nodes);
    sn_free(b->memory, c.segments, ends, sizeof *c.segments);
    return result;
}
