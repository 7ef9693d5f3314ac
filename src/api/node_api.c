/* The public calls on nodes and bodies. */
#include "api/call.h"
#include "api/check.h"

#include "collision/collider_pose.h"
#include "contact/surface/surface_contact.h"
#include "math/quaternion.h"
#include "systems/sheet/owned_constraints.h"

/* ---- Recordings ---- */

#define BODY SN_ID_AS(sn_body, call->id)
#define NODE SN_ID_AS(sn_node, call->id)
#define VECTOR sn_call_vector(call)
#define ROTATION sn_call_rotation(call)
#define PUT SN_PART_ID | SN_PART_NUMBERS
#define MOVE SN_PART_ID | SN_PART_NUMBERS | SN_KEEPS_PAIRS
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE_BODY, "body_create", SN_PART_DEF, 0, &sn_body_object,                              \
         sn_body_create(world, call->def, &(sn_body){0}))                                          \
    CALL(DESTROY_BODY, "body_destroy", SN_PART_ID, 0, NULL, sn_body_destroy(world, BODY))          \
    CALL(SET_BODY, "body_set", SN_PART_ID | SN_PART_DEF, 0, &sn_body_object,                       \
         sn_body_set(world, BODY, call->def))                                                      \
    OWN(CREATE, "nodes_create", 0, 0, sn_call_serialize_nodes,                                     \
        sn_nodes_create(world, call->items, call->count, NULL))                                    \
    CALL(DESTROY, "nodes_destroy", SN_PART_LIST, 0, NULL,                                          \
         sn_nodes_destroy(world, call->items, call->count))                                        \
    CALL(POSITION, "node_set_position", MOVE | SN_MOVES_BODIES, 3, NULL,                           \
         sn_node_set_position(world, NODE, VECTOR))                                                \
    CALL(VELOCITY, "node_set_velocity", MOVE, 3, NULL, sn_node_set_velocity(world, NODE, VECTOR))  \
    CALL(INVERSE_MASS, "node_set_inverse_mass", PUT, 1, NULL,                                      \
         sn_node_set_inverse_mass(world, NODE, call->number[0]))                                   \
    CALL(RADIUS, "node_set_radius", PUT, 1, NULL,                                                  \
         sn_node_set_radius(world, NODE, call->number[0]))                                         \
    CALL(GROUP, "node_set_group", SN_PART_ID | SN_PART_WORD, 0, NULL,                              \
         sn_node_set_group(world, NODE, call->word))                                               \
    CALL(TARGET, "node_set_target", MOVE, 3, NULL, sn_node_set_target(world, NODE, VECTOR))        \
    CALL(FORCE, "node_add_force", MOVE, 3, NULL, sn_node_add_force(world, NODE, VECTOR))           \
    CALL(IMPULSE, "node_apply_impulse", MOVE, 3, NULL, sn_node_apply_impulse(world, NODE, VECTOR)) \
    CALL(ORIENTATION, "node_set_orientation", PUT, 4, NULL,                                        \
         sn_node_set_orientation(world, NODE, ROTATION))                                           \
    CALL(ANGULAR_VELOCITY, "node_set_angular_velocity", PUT, 3, NULL,                              \
         sn_node_set_angular_velocity(world, NODE, VECTOR))                                        \
    CALL(INVERSE_INERTIA, "node_set_inverse_inertia", PUT, 3, NULL,                                \
         sn_node_set_inverse_inertia(world, NODE, VECTOR))                                         \
    CALL(TARGET_ORIENTATION, "node_set_target_orientation", PUT, 4, NULL,                          \
         sn_node_set_target_orientation(world, NODE, ROTATION))                                    \
    CALL(TORQUE, "node_add_torque", MOVE, 3, NULL, sn_node_add_torque(world, NODE, VECTOR))        \
    CALL(RADII, "node_set_radii", PUT, 3, NULL, sn_node_set_radii(world, NODE, VECTOR))
SN_DEFINE_CALLS(node, CALLS, .next = NULL)

/* ---- Bodies ---- */

sn_result sn_body_create(sn_world *world, const sn_body_def *def, sn_body *body) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(body);
    SN_TRY(sn_object_check(&sn_body_object, def));
    sn_bodies *bodies = &world->bodies;
    size_t needed = sn_slots_needed(&bodies->slots, 1);
    if (!sn_slots_reserve(&bodies->slots, &world->memory, needed) ||
        !sn_reserve(&world->memory, (void **)&bodies->def, &bodies->capacity, needed,
                    sizeof *bodies->def))
        return SN_ERROR_MEMORY;
    uint32_t index = sn_slots_take(&bodies->slots);
    bodies->def[index] = *def;
    sn_world_wake_body(world, index + 1);
    *body = (sn_body){index + 1, bodies->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE_BODY, .def = def);
    return SN_OK;
}

sn_result sn_body_destroy(sn_world *world, sn_body body) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_body(world, body));
    sn_nodes *nodes = &world->nodes;
    for (size_t i = 0; i < nodes->slots.count; i++)
        if (nodes->slots.alive[i] && nodes->body[i] == body.slot) nodes->slots.alive[i] = SN_DOOMED;
    sn_world_remove_doomed(world);
    sn_world_wake_body(world, body.slot);
    sn_slots_give(&world->bodies.slots, body.slot - 1);
    sn_contact_materials_forget(sn_contact_materials_of(world), (sn_party){.body = body.slot});
    SN_RECORD(world, DESTROY_BODY, .id = SN_ID(body));
    return SN_OK;
}

sn_result sn_body_get(const sn_world *world, sn_body body, sn_body_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_body(world, body));
    *def = world->bodies.def[body.slot - 1];
    return SN_OK;
}

sn_result sn_body_set(sn_world *world, sn_body body, const sn_body_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_body(world, body));
    SN_TRY(sn_object_check(&sn_body_object, def));
    sn_vec3 g = def->gravity, old = world->bodies.def[body.slot - 1].gravity;
    if (g.x != old.x || g.y != old.y || g.z != old.z) sn_world_restart_body(world, body.slot);
    world->scratch.trees.stale |= def->solver != world->bodies.def[body.slot - 1].solver;
    world->bodies.def[body.slot - 1] = *def;
    sn_world_wake_body(world, body.slot);
    SN_RECORD(world, SET_BODY, .id = SN_ID(body), .def = def);
    return SN_OK;
}

/* ---- Making and removing ---- */

/* A rotation: finite and not of length zero. */
static sn_result check_orientation(const char *name, sn_quat q) {
    SN_TRY(sn_check_vec3("node", name, (sn_vec3){q.x, q.y, q.z}, ""));
    SN_TRY(sn_check_vec3("node", name, (sn_vec3){q.w, 0, 0}, ""));
    double square = (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                    (double)q.z * (double)q.z + (double)q.w * (double)q.w;
    /* Of these lengths the square is a normal float. */
    if (square > 1e-30 && square < 1e30) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "node: %s has the length %g, expected about 1", name,
                   __builtin_sqrt(square));
}

static sn_result check_inverse_inertia(sn_vec3 w) {
    const char *unit = "1/(kg m^2)";
    double most = (double)SN_REAL_MAX;
    SN_TRY(sn_check_real("node", "inverse_inertia", w.x, 0, most, false, unit));
    SN_TRY(sn_check_real("node", "inverse_inertia", w.y, 0, most, false, unit));
    return sn_check_real("node", "inverse_inertia", w.z, 0, most, false, unit);
}

static sn_result check_node_def(const sn_world *world, const sn_node_def *def) {
    sn_node_def plain = *def, standard = sn_node_def_default();
    if (!def->oriented) {
        plain.orientation = standard.orientation;
        plain.angular_velocity = standard.angular_velocity;
        plain.inverse_inertia = standard.inverse_inertia;
    }
    SN_TRY(sn_object_check(&sn_node_object, &plain));
    if (def->oriented) SN_TRY(check_orientation("orientation", def->orientation));
    return def->body.slot ? sn_check_body(world, def->body) : SN_OK;
}

/* Whether a kinematic node with this definition moves on its own. */
static bool is_moving(const sn_node_def *def) {
    return def->inverse_mass == 0 &&
           (def->velocity.x != 0 || def->velocity.y != 0 || def->velocity.z != 0);
}

sn_result sn_nodes_create(sn_world *world, const sn_node_def *defs, size_t count, sn_node *nodes) {
    SN_CHECK_WORLD(world);
    if (count == 0) return SN_OK;
    SN_CHECK_POINTER(defs);
    sn_nodes *all = &world->nodes;
    size_t moving = 0, oriented = 0;
    if (count > SN_MOST_NODES - all->slots.count)
        return sn_fail(SN_ERROR_LIMIT, "nodes: %zu more would exceed the %d that a world can have",
                       count, SN_MOST_NODES);
    for (size_t i = 0; i < count; i++) {
        sn_result result = check_node_def(world, &defs[i]);
        if (result != SN_OK) return sn_fail_within(result, "definition %zu of %zu", i, count);
        moving += is_moving(&defs[i]);
        oriented += defs[i].oriented;
    }
    if (!sn_world_reserve_nodes(world, count) ||
        (oriented > 0 && !sn_frames_reserve(&world->frames, &world->memory, oriented)) ||
        !sn_reserve(&world->memory, (void **)&all->drive, &all->drive_capacity,
                    all->drives + moving, sizeof *all->drive))
        return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        uint32_t index = sn_world_add_node(world, &defs[i]);
        if (is_moving(&defs[i])) sn_nodes_drive(all, index)->velocity = defs[i].velocity;
        if (nodes) nodes[i] = (sn_node){index + 1, all->slots.generation[index], world->tag};
    }
    SN_RECORD(world, CREATE, .items = defs, .count = count);
    return SN_OK;
}

sn_result sn_node_create(sn_world *world, const sn_node_def *def, sn_node *node) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(node);
    return sn_nodes_create(world, def, 1, node);
}

sn_result sn_nodes_destroy(sn_world *world, const sn_node *nodes, size_t count) {
    SN_CHECK_WORLD(world);
    if (count == 0) return SN_OK;
    SN_CHECK_POINTER(nodes);
    /* Naming a node twice is as good as once. */
    for (size_t i = 0; i < count; i++) SN_TRY(sn_check_node(world, nodes[i]));
    for (size_t i = 0; i < count; i++) world->nodes.slots.alive[nodes[i].slot - 1] = SN_DOOMED;
    sn_world_remove_doomed(world);
    SN_RECORD(world, DESTROY, .items = nodes, .count = count);
    return SN_OK;
}

sn_result sn_node_destroy(sn_world *world, sn_node node) {
    return sn_nodes_destroy(world, &node, 1);
}

sn_result sn_world_node_at(const sn_world *world, size_t slot, sn_node *node) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(node);
    SN_TRY(sn_check_slot(&world->nodes.slots, slot, "node"));
    *node = (sn_node){(uint32_t)slot + 1, world->nodes.slots.generation[slot], world->tag};
    return SN_OK;
}

sn_result sn_world_body_at(const sn_world *world, size_t slot, sn_body *body) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(body);
    SN_TRY(sn_check_slot(&world->bodies.slots, slot, "body"));
    *body = (sn_body){(uint32_t)slot + 1, world->bodies.slots.generation[slot], world->tag};
    return SN_OK;
}

bool sn_node_is_valid(const sn_world *world, sn_node node) {
    return world && sn_slots_has(&world->nodes.slots, SN_ID(node), world->tag);
}

/* ---- Reading ---- */

sn_result sn_world_nodes(const sn_world *world, sn_node_view *view) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(view);
    const sn_nodes *nodes = &world->nodes;
    *view = (sn_node_view){nodes->slots.count, nodes->x,     nodes->v,          nodes->w,
                           nodes->radius,      nodes->group, nodes->slots.alive};
    return SN_OK;
}

sn_result sn_world_frames(const sn_world *world, sn_frame_view *view) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(view);
    const sn_frames *frames = &world->frames;
    *view =
        (sn_frame_view){frames->slots.count, (const sn_quat *)frames->q, frames->omega, frames->w,
                        frames->node,        frames->slots.alive};
    return SN_OK;
}

sn_result sn_node_get(const sn_world *world, sn_node node, sn_node_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_node(world, node));
    const sn_nodes *nodes = &world->nodes;
    uint32_t i = node.slot - 1;
    *def = sn_node_def_default();
    def->position = (sn_vec3){nodes->x[i].x, nodes->x[i].y, nodes->x[i].z};
    def->velocity = (sn_vec3){nodes->v[i].x, nodes->v[i].y, nodes->v[i].z};
    def->inverse_mass = nodes->w[i];
    def->radius = nodes->radius[i];
    def->group = nodes->group[i];
    if (nodes->frame[i]) {
        const sn_frames *frames = &world->frames;
        uint32_t frame = nodes->frame[i] - 1;
        sn_vec4 q = frames->q[frame], w = frames->w[frame];
        sn_v4 omega = sn_quat_rotate(*(sn_v4 *)&frames->q[frame], *(sn_v4 *)&frames->omega[frame]);
        def->oriented = true;
        def->orientation = (sn_quat){q.x, q.y, q.z, q.w};
        def->angular_velocity = (sn_vec3){omega[0], omega[1], omega[2]};
        def->inverse_inertia = (sn_vec3){w.x, w.y, w.z};
    }
    if (nodes->body[i])
        def->body = (sn_body){nodes->body[i], world->bodies.slots.generation[nodes->body[i] - 1],
                              world->tag};
    return SN_OK;
}

/* ---- Changing ---- */

/* To be called where the motion of a node changes from outside. */
static void restart(sn_world *world, sn_node node) {
    sn_world_restart_body(world, world->nodes.body[node.slot - 1]);
    sn_world_wake_node(world, node.slot - 1);
    sn_colliders_place(world, node.slot - 1);
}

/* And where that which moves it does. */
static void wake(sn_world *world, sn_node node) {
    sn_world_wake_node(world, node.slot - 1);
}

/* Lets a kinematic node move with this velocity. */
static sn_result drive_by_velocity(sn_world *world, uint32_t index, sn_vec3 velocity) {
    if (!sn_nodes_reserve_drive(&world->nodes, &world->memory)) return SN_ERROR_MEMORY;
    sn_drive *drive = sn_nodes_drive(&world->nodes, index);
    drive->has_target = false;
    drive->velocity = velocity;
    return SN_OK;
}

sn_result sn_node_set_position(sn_world *world, sn_node node, sn_vec3 position) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, node));
    SN_TRY(sn_check_vec3("node", "position", position, "m"));
    if (!sn_surface_contact_place(world)) return SN_ERROR_MEMORY;
    uint32_t drive = world->nodes.driven[node.slot - 1];
    if (drive && world->nodes.drive[drive - 1].collider) {
        /* Its velocity was that of the collider. */
        sn_nodes_undrive(&world->nodes, node.slot - 1);
        world->nodes.v[node.slot - 1] = (sn_vec4){0, 0, 0, 0};
    }
    sn_nodes_place(&world->nodes, node.slot - 1, position);
    restart(world, node);
    SN_RECORD_NODE(world, POSITION, node, position.x, position.y, position.z);
    return SN_OK;
}

sn_result sn_node_set_velocity(sn_world *world, sn_node node, sn_vec3 velocity) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, node));
    SN_TRY(sn_check_vec3("node", "velocity", velocity, "m/s"));
    uint32_t i = node.slot - 1;
    if (world->nodes.w[i] == 0) SN_TRY(drive_by_velocity(world, i, velocity));
    world->nodes.v[i] = (sn_vec4){velocity.x, velocity.y, velocity.z, 0};
    restart(world, node);
    SN_RECORD_NODE(world, VELOCITY, node, velocity.x, velocity.y, velocity.z);
    return SN_OK;
}

sn_result sn_node_set_inverse_mass(sn_world *world, sn_node node, sn_real inverse_mass) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, node));
    SN_TRY(
        sn_check_real("node", "inverse_mass", inverse_mass, 0, (double)SN_REAL_MAX, false, "1/kg"));
    uint32_t i = node.slot - 1;
    sn_vec4 v = world->nodes.v[i];
    if (inverse_mass > 0 && world->nodes.anchored[i] > sn_world_owned_constraints_at(world, i))
        return sn_fail(SN_ERROR_VALUE,
                       "node %u: inverse_mass is %g, expected 0 while %u constraints are anchored "
                       "to the node",
                       i, (double)inverse_mass, world->nodes.anchored[i]);
    if (inverse_mass == 0 && world->nodes.w[i] > 0)
        SN_TRY(drive_by_velocity(world, i, (sn_vec3){v.x, v.y, v.z}));
    if ((inverse_mass == 0) != (world->nodes.w[i] == 0)) sn_world_loosen(world, i);
    if (inverse_mass > 0) sn_nodes_undrive(&world->nodes, i);
    world->nodes.w[i] = inverse_mass;
    world->scratch.masses_changed = world->sleep.joints_changed = true;
    restart(world, node);
    SN_RECORD_NODE(world, INVERSE_MASS, node, inverse_mass);
    return SN_OK;
}

sn_result sn_node_set_radius(sn_world *world, sn_node node, sn_real radius) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, node));
    SN_TRY(sn_check_real("node", "radius", radius, 0, (double)SN_REAL_MAX, false, "m"));
    world->nodes.radius[node.slot - 1] = radius;
    uint32_t frame = world->nodes.frame[node.slot - 1];
    if (frame) sn_frames_set_radii(&world->frames, frame - 1, (sn_vec3){0, 0, 0});
    wake(world, node);
    SN_RECORD_NODE(world, RADIUS, node, radius);
    return SN_OK;
}

sn_result sn_node_set_group(sn_world *world, sn_node node, uint32_t group) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, node));
    world->nodes.group[node.slot - 1] = group;
    wake(world, node);
    SN_RECORD(world, GROUP, .id = SN_ID(node), .word = group);
    return SN_OK;
}

sn_result sn_node_set_target(sn_world *world, sn_node node, sn_vec3 target) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, node));
    SN_TRY(sn_check_vec3("node", "target", target, "m"));
    uint32_t i = node.slot - 1;
    if (world->nodes.w[i] > 0)
        return sn_fail(SN_ERROR_VALUE,
                       "node %u: inverse_mass is %g, expected 0 for a node that follows a target",
                       i, (double)world->nodes.w[i]);
    if (!sn_nodes_reserve_drive(&world->nodes, &world->memory)) return SN_ERROR_MEMORY;
    sn_drive *drive = sn_nodes_drive(&world->nodes, i);
    drive->has_target = true;
    drive->target = target;
    SN_RECORD_NODE(world, TARGET, node, target.x, target.y, target.z);
    return SN_OK;
}

sn_result sn_node_add_force(sn_world *world, sn_node node, sn_vec3 force) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, node));
    SN_TRY(sn_check_vec3("node", "force", force, "N"));
    sn_vec4 *sum = &world->nodes.force[node.slot - 1];
    sn_vec3 all = {sum->x + force.x, sum->y + force.y, sum->z + force.z};
    SN_TRY(sn_check_vec3("node", "force, with those of before,", all, "N"));
    *sum = (sn_vec4){all.x, all.y, all.z, 0};
    world->nodes.has_forces = true;
    wake(world, node);
    SN_RECORD_NODE(world, FORCE, node, force.x, force.y, force.z);
    return SN_OK;
}

sn_result sn_node_apply_impulse(sn_world *world, sn_node node, sn_vec3 impulse) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, node));
    SN_TRY(sn_check_vec3("node", "impulse", impulse, "N s"));
    sn_vec4 *v = &world->nodes.v[node.slot - 1];
    sn_real w = world->nodes.w[node.slot - 1];
    sn_vec3 after = {v->x + w * impulse.x, v->y + w * impulse.y, v->z + w * impulse.z};
    SN_TRY(sn_check_vec3("node", "velocity after the impulse", after, "m/s"));
    if (w > 0) *v = (sn_vec4){after.x, after.y, after.z, 0};
    restart(world, node);
    SN_RECORD_NODE(world, IMPULSE, node, impulse.x, impulse.y, impulse.z);
    return SN_OK;
}

/* ---- Oriented nodes ---- */

/* The frame of an oriented node. */
static sn_result check_oriented(const sn_world *world, sn_node node, uint32_t *frame) {
    SN_TRY(sn_check_node(world, node));
    *frame = world->nodes.frame[node.slot - 1] - 1;
    if (world->nodes.frame[node.slot - 1]) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "node %u: it is a particle, expected an oriented node",
                   node.slot - 1);
}

sn_result sn_node_set_orientation(sn_world *world, sn_node node, sn_quat orientation) {
    SN_CHECK_WORLD(world);
    uint32_t i;
    SN_TRY(check_oriented(world, node, &i));
    SN_TRY(check_orientation("orientation", orientation));
    sn_v4 *q = (sn_v4 *)&world->frames.q[i], *omega = (sn_v4 *)&world->frames.omega[i];
    sn_v4 velocity = sn_quat_rotate(*q, *omega);
    *q = sn_quat_normalize((sn_v4){orientation.x, orientation.y, orientation.z, orientation.w});
    *omega = sn_quat_rotate_back(*q, velocity);
    restart(world, node);
    SN_RECORD_NODE(world, ORIENTATION, node, orientation.x, orientation.y, orientation.z,
                   orientation.w);
    return SN_OK;
}

sn_result sn_node_set_angular_velocity(sn_world *world, sn_node node, sn_vec3 velocity) {
    SN_CHECK_WORLD(world);
    uint32_t i;
    SN_TRY(check_oriented(world, node, &i));
    SN_TRY(sn_check_vec3("node", "angular_velocity", velocity, "rad/s"));
    sn_v4 q = *(sn_v4 *)&world->frames.q[i];
    *(sn_v4 *)&world->frames.omega[i] = sn_quat_rotate_back(q, sn_v4_of(velocity));
    world->frames.aimed[i] = SN_UNAIMED;
    restart(world, node);
    SN_RECORD_NODE(world, ANGULAR_VELOCITY, node, velocity.x, velocity.y, velocity.z);
    return SN_OK;
}

sn_result sn_node_set_inverse_inertia(sn_world *world, sn_node node, sn_vec3 inverse_inertia) {
    SN_CHECK_WORLD(world);
    uint32_t i;
    SN_TRY(check_oriented(world, node, &i));
    SN_TRY(check_inverse_inertia(inverse_inertia));
    sn_vec3 w = inverse_inertia;
    if ((w.x > 0 || w.y > 0 || w.z > 0) && world->nodes.anchored[node.slot - 1] > 0)
        return sn_fail(SN_ERROR_VALUE,
                       "node %u: inverse_inertia is (%g, %g, %g), expected 0 while %u constraints "
                       "are anchored to the node",
                       node.slot - 1, (double)w.x, (double)w.y, (double)w.z,
                       world->nodes.anchored[node.slot - 1]);
    sn_frames_set_w(&world->frames, i, inverse_inertia);
    world->scratch.masses_changed = true;
    restart(world, node);
    SN_RECORD_NODE(world, INVERSE_INERTIA, node, w.x, w.y, w.z);
    return SN_OK;
}

sn_result sn_node_set_target_orientation(sn_world *world, sn_node node, sn_quat target) {
    SN_CHECK_WORLD(world);
    uint32_t i;
    SN_TRY(check_oriented(world, node, &i));
    SN_TRY(check_orientation("target", target));
    sn_vec4 w = world->frames.w[i];
    if (w.x > 0 || w.y > 0 || w.z > 0)
        return sn_fail(SN_ERROR_VALUE,
                       "node %u: inverse_inertia is (%g, %g, %g), expected 0 for a node that "
                       "follows a target orientation",
                       node.slot - 1, (double)w.x, (double)w.y, (double)w.z);
    *(sn_v4 *)&world->frames.target[i] =
        sn_quat_normalize((sn_v4){target.x, target.y, target.z, target.w});
    world->frames.aimed[i] = SN_AIMED;
    SN_RECORD_NODE(world, TARGET_ORIENTATION, node, target.x, target.y, target.z, target.w);
    return SN_OK;
}

sn_result sn_node_add_torque(sn_world *world, sn_node node, sn_vec3 torque) {
    SN_CHECK_WORLD(world);
    uint32_t i;
    SN_TRY(check_oriented(world, node, &i));
    SN_TRY(sn_check_vec3("node", "torque", torque, "N m"));
    sn_vec4 *sum = &world->frames.torque[i];
    sn_vec3 all = {sum->x + torque.x, sum->y + torque.y, sum->z + torque.z};
    SN_TRY(sn_check_vec3("node", "torque, with those of before,", all, "N m"));
    *sum = (sn_vec4){all.x, all.y, all.z, 0};
    world->frames.has_torques = true;
    wake(world, node);
    SN_RECORD_NODE(world, TORQUE, node, torque.x, torque.y, torque.z);
    return SN_OK;
}

static sn_result check_radii(sn_vec3 radii) {
    double least = 1e-12, most = 1e15;
    SN_TRY(sn_check_real("node", "radii.x", radii.x, least, most, false, "m"));
    SN_TRY(sn_check_real("node", "radii.y", radii.y, least, most, false, "m"));
    return sn_check_real("node", "radii.z", radii.z, least, most, false, "m");
}

sn_result sn_node_set_radii(sn_world *world, sn_node node, sn_vec3 radii) {
    SN_CHECK_WORLD(world);
    uint32_t i;
    SN_TRY(check_oriented(world, node, &i));
    SN_TRY(check_radii(radii));
    sn_real most = radii.x > radii.y ? radii.x : radii.y;
    world->nodes.radius[node.slot - 1] = most > radii.z ? most : radii.z;
    sn_frames_set_radii(&world->frames, i, radii);
    wake(world, node);
    SN_RECORD_NODE(world, RADII, node, radii.x, radii.y, radii.z);
    return SN_OK;
}

sn_result sn_node_get_radii(const sn_world *world, sn_node node, sn_vec3 *radii) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(radii);
    SN_TRY(sn_check_node(world, node));
    uint32_t i = node.slot - 1, frame = world->nodes.frame[i];
    sn_real r = world->nodes.radius[i];
    sn_vec4 axes = {r, r, r, 0};
    if (frame && world->frames.radii[frame - 1].x > 0) axes = world->frames.radii[frame - 1];
    *radii = (sn_vec3){axes.x, axes.y, axes.z};
    return SN_OK;
}
