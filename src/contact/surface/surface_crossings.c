/*
 * How many edges of collision surfaces pass through triangles, exactly, where these collide:
 * for who asks between steps. What a seam or an attachment holds together collides as little as
 * elements with a node in common: along a seam it is rounding that says who passes through whom.
 * Nothing of it is kept, so that the world may be constant.
 */
#include "collision/ccd/time_of_impact.h"
#include "contact/surface/contact_exclusion.h"
#include "contact/surface/surface_pair.h"
#include "geometry/bvh.h"

typedef struct counting {
    const sn_world *world;
    const uint32_t **triangle; /* of every item of the tree: its nodes */
    const uint32_t *edge;
    sn_point end[2];
    sn_contact_exclusion exclusion;
    size_t found;
} counting;

static sn_point place_of(const sn_world *world, uint32_t node) {
    const sn_vec4 *x = &world->nodes.x[node];
    return (sn_point){(double)x->x, (double)x->y, (double)x->z};
}

static bool are_joined(const counting *c, const uint32_t *edge, const uint32_t *triangle) {
    for (int i = 0; c->exclusion.any && i < 6; i++)
        if (sn_contact_are_excluded(&c->exclusion, edge[i % 2], triangle[i / 2])) return true;
    return false;
}

static bool visit(void *user, uint32_t item) {
    counting *c = user;
    const uint32_t *triangle = c->triangle[item], *edge = c->edge;
    sn_point corner[3];
    for (int i = 0; i < 3; i++) {
        if (triangle[i] == edge[0] || triangle[i] == edge[1]) return true;
        corner[i] = place_of(c->world, triangle[i]);
    }
    if (sn_ccd_segment(c->end[0], c->end[1], corner) &&
        sn_surface_pair_may_collide(c->world, edge[0], triangle[0]) &&
        !are_joined(c, edge, triangle))
        c->found++;
    return true;
}

static bool is_there(const sn_world *world, size_t surface) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    return surfaces->slots.alive[surface] &&
           surfaces->state[surface].def.detail != SN_DETAIL_POINTS;
}

static sn_bounds bounds_of(const sn_world *world, const uint32_t *node, int count) {
    sn_bounds box = sn_bounds_empty();
    for (int i = 0; i < count; i++) sn_bounds_add(&box, place_of(world, node[i]));
    return box;
}

/* Lists all triangles with their boxes, or counts them where there is no room yet. */
static size_t list_triangles(const sn_world *world, const uint32_t **triangle, sn_bounds *box) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    size_t count = 0;
    for (size_t k = 0; k < surfaces->slots.count; k++) {
        const sn_collision_surface_state *s = &surfaces->state[k];
        if (!is_there(world, k)) continue;
        for (size_t i = 0; triangle && i < s->def.triangle_count; i++) {
            triangle[count + i] = &s->triangle[3 * i];
            box[count + i] = bounds_of(world, triangle[count + i], 3);
        }
        count += s->def.triangle_count;
    }
    return count;
}

static void count_edges(counting *c, const sn_bvh *tree) {
    const sn_world *world = c->world;
    for (size_t k = 0; k < sn_collision_surfaces_of(world)->slots.count; k++) {
        const sn_collision_surface_state *s = &sn_collision_surfaces_of(world)->state[k];
        for (size_t i = 0; is_there(world, k) && i < s->edges; i++) {
            c->edge = &s->edge[2 * i];
            for (int end = 0; end < 2; end++) c->end[end] = place_of(world, c->edge[end]);
            sn_bvh_overlap(tree, bounds_of(world, c->edge, 2), visit, c);
        }
    }
}

sn_result sn_surface_crossings_count(const sn_world *world, size_t *count) {
    sn_memory memory = {.allocator = world->memory.allocator};
    size_t triangles = list_triangles(world, NULL, NULL);
    sn_bvh tree = {0};
    *count = 0;
    if (triangles == 0) return SN_OK;
    counting c = {.world = world, .triangle = sn_allocate(&memory, triangles, sizeof *c.triangle)};
    sn_bounds *box = sn_allocate(&memory, triangles, sizeof *box);
    sn_result result = SN_ERROR_MEMORY;
    if (c.triangle && box && sn_contact_exclusion_find(world, &memory, &c.exclusion)) {
        list_triangles(world, c.triangle, box);
        result = sn_bvh_create(&tree, &memory, box, triangles);
    }
    if (result == SN_OK) {
        count_edges(&c, &tree);
        sn_bvh_free(&tree, &memory);
        *count = c.found;
    }
    sn_contact_exclusion_free(&c.exclusion, &memory);
    sn_free(&memory, box, triangles, sizeof *box);
    sn_free(&memory, c.triangle, triangles, sizeof *c.triangle);
    return result;
}
