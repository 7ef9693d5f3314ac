/*
 * Bending whose stiffness differs from vertex to vertex. Whatever resists bending is made with one
 * stiffness, the largest there is; then each constraint becomes as soft as the mean over its own
 * nodes asks for, and goes where that is nothing. So what cloth_bend.c makes need not know of it.
 */
#include "bodies/body_cloth.h"

#include <string.h>

/* The largest value of a map; that of the material where there is none. */
static sn_real largest(const sn_builder *b, const char *field, sn_real otherwise) {
    const sn_material_map *map = sn_builder_map(b, field);
    if (!map) return otherwise;
    sn_real most = 0;
    for (size_t i = 0; i < map->count; i++) most = map->values[i] > most ? map->values[i] : most;
    return most;
}

/* What is needed to get from a constraint to vertices. */
typedef struct lookup {
    uint32_t *vertex_of; /* by the slot of a node; as many as the nodes of the world */
    sn_node *nodes;      /* of one constraint */
    uint32_t *vertices;  /* of one constraint */
} lookup;

/* Makes one constraint as soft as its nodes ask for. */
static sn_result vary_one(sn_builder *b, sn_constraint constraint, const lookup *l,
                          const sn_cloth_material *stiffest) {
    size_t count;
    sn_real value[3] = {0};
    SN_TRY(sn_constraint_get_nodes(b->world, constraint, l->nodes, b->mesh->vertex_count, &count));
    for (size_t i = 0; i < count; i++) l->vertices[i] = l->vertex_of[l->nodes[i].slot];
    const sn_cloth_material *m = sn_builder_at(b, l->vertices, count);
    double part = (double)m->bending_stiffness / (double)stiffest->bending_stiffness;
    double time = 1;
    if (stiffest->bending_damping > 0)
        time = (double)m->bending_damping / (double)stiffest->bending_damping;
    if (!(part > 0)) {
        b->constraints--;
        return sn_constraint_destroy(b->world, constraint);
    }
    SN_TRY(sn_constraint_get_field(b->world, constraint, "compliance", value));
    value[0] = (sn_real)((double)value[0] / part);
    SN_TRY(sn_constraint_set_field(b->world, constraint, "compliance", value));
    SN_TRY(sn_constraint_get_field(b->world, constraint, "damping", value));
    value[0] = (sn_real)((double)value[0] * part * time);
    return sn_constraint_set_field(b->world, constraint, "damping", value);
}

/* Which constraints there are, by their slots. */
static void mark(const sn_world *world, uint8_t *there, size_t slots) {
    sn_constraint constraint;
    for (size_t i = 0; i < slots; i++)
        there[i] = sn_world_constraint_at(world, i, &constraint) == SN_OK;
}

/* All that are new. */
static sn_result vary_new(sn_builder *b, const uint8_t *there, size_t slots, const lookup *l,
                          const sn_cloth_material *stiffest) {
    sn_result result = SN_OK;
    size_t vertices = b->mesh->vertex_count;
    for (size_t i = 0; i < vertices; i++) l->vertex_of[b->nodes[i].slot] = (uint32_t)i;
    for (size_t i = 0, all = b->world->constraints.slots.count; i < all && result == SN_OK; i++) {
        sn_constraint constraint;
        if (i < slots && there[i]) continue;
        if (sn_world_constraint_at(b->world, i, &constraint) != SN_OK) continue;
        result = vary_one(b, constraint, l, stiffest);
    }
    return result;
}

static sn_result bend(sn_builder *b, const sn_pairs *edges, const sn_cloth_material *stiffest) {
    const void *material = b->material;
    b->material = stiffest;
    sn_result result = sn_cloth_bend(b, edges);
    b->material = material;
    return result;
}

sn_result sn_cloth_bend_varied(sn_builder *b, const sn_pairs *edges) {
    if (!sn_builder_map(b, "bending_stiffness") && !sn_builder_map(b, "bending_damping"))
        return sn_cloth_bend(b, edges);
    sn_cloth_material stiffest;
    memcpy(&stiffest, b->material, sizeof stiffest);
    stiffest.bending_stiffness = largest(b, "bending_stiffness", stiffest.bending_stiffness);
    stiffest.bending_damping = largest(b, "bending_damping", stiffest.bending_damping);
    size_t slots = b->world->constraints.slots.count, vertices = b->mesh->vertex_count, highest = 0;
    for (size_t i = 0; i < vertices; i++)
        highest = b->nodes[i].slot > highest ? b->nodes[i].slot : highest;
    uint8_t *there = sn_allocate(b->memory, slots + 1, 1);
    lookup l = {sn_allocate(b->memory, highest + 1, sizeof *l.vertex_of),
                sn_allocate(b->memory, vertices, sizeof *l.nodes),
                sn_allocate(b->memory, vertices, sizeof *l.vertices)};
    sn_result result = SN_ERROR_MEMORY;
    if (there && l.vertex_of && l.nodes && l.vertices) {
        mark(b->world, there, slots);
        result = bend(b, edges, &stiffest);
        if (result == SN_OK) result = vary_new(b, there, slots, &l, &stiffest);
    }
    sn_free(b->memory, there, slots + 1, 1);
    sn_free(b->memory, l.vertex_of, highest + 1, sizeof *l.vertex_of);
    sn_free(b->memory, l.nodes, vertices, sizeof *l.nodes);
    sn_free(b->memory, l.vertices, vertices, sizeof *l.vertices);
    return result;
}
