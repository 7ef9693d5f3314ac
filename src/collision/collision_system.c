/* Colliders, collision surfaces and contact materials as a system. */
#include "collision/collision_state.h"
#include "state/serialize.h"
#include "state/system.h"

static void drop_scratch(void *state, sn_memory *memory) {
    sn_collision *c = state;
    sn_free(memory, c->pose, c->pose_capacity, sizeof *c->pose);
    sn_free(memory, c->bvh.boxes, c->bvh.box_capacity, sizeof *c->bvh.boxes);
    sn_free(memory, c->bvh.bounded, c->bvh.bounded_capacity, sizeof *c->bvh.bounded);
    sn_free(memory, c->bvh.unbounded, c->bvh.unbounded_capacity, sizeof *c->bvh.unbounded);
    sn_bvh_free(&c->bvh.tree, memory);
    *c = (sn_collision){0};
}

static void forget_nodes(sn_world *world) {
    sn_collision_surface_forget(&world->surfaces, &world->memory, world->nodes.slots.alive,
                                SN_DOOMED);
}

static void serialize(sn_world *world, sn_archive *a) {
    sn_world_serialize_colliders(world, a);
    sn_world_serialize_contact_materials(world, a);
    sn_world_serialize_collision_surfaces(world, a);
    sn_world_serialize_triangle_contacts(world, a);
}

/* Colliders come after the nodes that ride on them. */
static void check_rides(const sn_world *world, sn_archive *a) {
    const sn_slots *slots = &world->colliders.slots;
    for (size_t i = 0; i < world->nodes.drives && a->result == SN_OK; i++) {
        uint32_t collider = world->nodes.drive[i].collider;
        if (collider > slots->count || (collider && !slots->alive[collider - 1]))
            sn_archive_fail(a, "node %u rides on collider %u, which there is none of",
                            world->nodes.drive[i].node, collider);
    }
}

const sn_system sn_collision_system = {
    .name = "collision",
    .size = sizeof(sn_collision),
    .free = drop_scratch,
    .drop_scratch = drop_scratch,
    .forget_nodes = forget_nodes,
    .serialize = serialize,
    .check = check_rides,
};
