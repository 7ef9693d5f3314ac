/* Colliders, collision surfaces and contact materials as a system. */
#include "collision/collider_pose.h"
#include "collision/period.h"
#include "collision/serialize_collision.h"
#include "state/system.h"

static void drop_scratch(void *state, sn_memory *memory) {
    sn_collision *c = state;
    sn_free(memory, c->pose, c->pose_capacity, sizeof *c->pose);
    sn_free(memory, c->bvh.boxes, c->bvh.box_capacity, sizeof *c->bvh.boxes);
    sn_free(memory, c->bvh.bounded, c->bvh.bounded_capacity, sizeof *c->bvh.bounded);
    sn_free(memory, c->bvh.unbounded, c->bvh.unbounded_capacity, sizeof *c->bvh.unbounded);
    sn_bvh_free(&c->bvh.tree, memory);
    *c = (sn_collision){.colliders = c->colliders,
                        .contact_materials = c->contact_materials,
                        .surfaces = c->surfaces};
    c->surfaces.changed = true;
}

static void free_state(void *state, sn_memory *memory) {
    sn_collision *c = state;
    drop_scratch(state, memory);
    sn_colliders_free(&c->colliders, memory);
    sn_contact_materials_free(&c->contact_materials, memory);
    sn_collision_surface_free(&c->surfaces, memory);
}

/* What has a collision surface may hold up anything, or get in the way of it. */
static bool obstructs(const sn_world *world, uint32_t node) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    return node < surfaces->node_capacity && surfaces->of_node[node] != 0;
}

static void forget_nodes(sn_world *world) {
    sn_collision_surface_forget(sn_collision_surfaces_of(world), &world->memory,
                                world->nodes.slots.alive, SN_DOOMED);
    /* What they carried stands still. */
    const sn_colliders *colliders = sn_colliders_of(world);
    for (size_t i = 0; colliders->carried > 0 && i < colliders->slots.count; i++) {
        uint32_t node = colliders->slots.alive[i] ? colliders->state[i].carrier : 0;
        if (!node || world->nodes.slots.alive[node - 1] != SN_DOOMED) continue;
        sn_collider_carry_by(world, i, 0);
        sn_world_wake_contacts(world, (uint32_t)i);
    }
}

/* Nothing is met where there is no line any more. */
static void line_parted(sn_world *world, uint32_t a, uint32_t b) {
    sn_collision_surface_part(sn_collision_surfaces_of(world), a, b);
}

static void serialize(sn_world *world, sn_archive *a) {
    sn_world_serialize_colliders(world, a);
    sn_world_serialize_contact_materials(world, a);
    sn_world_serialize_collision_surfaces(world, a);
    sn_world_serialize_triangle_contacts(world, a);
    sn_world_serialize_period(world, a);
}

/* Colliders come after the nodes that ride on them. */
static void check_rides(const sn_world *world, sn_archive *a) {
    const sn_slots *slots = &sn_colliders_of(world)->slots;
    for (size_t i = 0; i < world->nodes.drives && a->result == SN_OK; i++) {
        uint32_t collider = world->nodes.drive[i].collider;
        if (collider > slots->count || (collider && !slots->alive[collider - 1]))
            sn_archive_fail(a, "node %u rides on collider %u, which there is none of",
                            world->nodes.drive[i].node, collider);
    }
}

static void check_carriers(const sn_world *world, sn_archive *a) {
    const sn_colliders *colliders = sn_colliders_of(world);
    for (size_t i = 0; i < colliders->slots.count && a->result == SN_OK; i++) {
        uint32_t node = colliders->state[i].carrier;
        if (!colliders->slots.alive[i] || node == 0) continue;
        if (node > world->nodes.slots.count || world->nodes.slots.alive[node - 1] != 1 ||
            world->nodes.frame[node - 1] == 0)
            sn_archive_fail(a, "collider %zu is carried by node %u, which is no oriented node", i,
                            node);
    }
}

static void check(const sn_world *world, sn_archive *a) {
    check_rides(world, a);
    check_carriers(world, a);
}

/* ---- The step ---- */

enum { COLLIDERS_ALONE = 256 };

static void move_range(void *context, size_t begin, size_t end) {
    const sn_step *step = context;
    const sn_world *world = step->world;
    sn_substep substep = sn_step_substep(step);
    for (size_t i = begin; i < end; i++)
        if (sn_colliders_of(world)->slots.alive[i]) sn_collider_pose_move(world, i, &substep);
}

static void move_colliders(sn_step *step) {
    sn_team_run(step->world->bindings.team, sn_colliders_of(step->world)->slots.count,
                COLLIDERS_ALONE, move_range, step);
}

static void end_range(void *context, size_t begin, size_t end) {
    const sn_step *step = context;
    for (size_t i = begin; i < end; i++)
        if (sn_colliders_of(step->world)->slots.alive[i])
            sn_collider_pose_end(step->world, i, step->dt);
}

static void end_colliders(sn_step *step) {
    sn_team_run(step->world->bindings.team, sn_colliders_of(step->world)->slots.count,
                COLLIDERS_ALONE, end_range, step);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_MOVE, SN_RANK_COLLIDERS, "move colliders", SN_TIMER(predict), .run = move_colliders,
     .writes = SN_STATE_COLLIDERS, .parallel = true},
    {SN_STAGE_END, SN_RANK_CONTACTS, "place colliders", SN_TIMER(contact), .run = end_colliders,
     .writes = SN_STATE_COLLIDERS, .parallel = true},
};

static const sn_object *const objects[] = {&sn_collision_surface_object, &sn_collider_object,
                                           &sn_contact_pair_object, &sn_period_object};

const sn_system sn_collision_system = {
    .name = "collision",
    .objects = objects,
    .object_count = sizeof objects / sizeof *objects,
    .size = sizeof(sn_collision),
    .free = free_state,
    .drop_scratch = drop_scratch,
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .obstructs = obstructs,
    .forget_nodes = forget_nodes,
    .line_parted = line_parted,
    .serialize = serialize,
    .check = check,
};
