/* Calls that were read are made once more, through the public functions, which check what they are
   given as ever. */
#include "api/call.h"
#include "api/check.h"

#include <sinew/sinew.h>

static sn_result repeat_create(sn_world *world, const sn_call *call) {
    sn_body body;
    sn_damping_group damping_group;
    sn_damping_group_def def = sn_damping_group_def_default();
    switch (call->kind) {
    case SN_CALL_BODY_CREATE:
        return sn_body_create(world, &call->body, &body);
    case SN_CALL_NODES_CREATE:
        return sn_nodes_create(world, call->items, call->count, NULL);
    case SN_CALL_CONSTRAINTS_CREATE:
        return sn_constraints_create(world, sn_world_type_at((size_t)(call->store - world->store)),
                                     call->items, call->count, NULL);
    default:
        def.nodes = call->items;
        def.node_count = call->count;
        def.damping = call->number[0];
        return sn_damping_group_create(world, &def, &damping_group);
    }
}

static sn_result repeat_drag(sn_world *world, const sn_call *call) {
    sn_drag drag;
    sn_drag_def def = sn_drag_def_default();
    def.drag = call->number[0];
    def.corners = call->number[1] == 2 ? 2 : 1;
    def.nodes = call->items;
    def.element_count = call->count / (size_t)def.corners;
    return sn_drag_create(world, &def, &drag);
}

#define ID_AS(type, call) ((type){(call)->id.slot, (call)->id.generation, (call)->id.world})

static sn_result repeat_on_node(sn_world *world, const sn_call *call) {
    sn_node node = ID_AS(sn_node, call);
    const sn_real *number = call->number;
    sn_vec3 vector = {number[0], number[1], number[2]};
    sn_quat rotation = {number[0], number[1], number[2], number[3]};
    switch (call->kind) {
    case SN_CALL_POSITION:
        return sn_node_set_position(world, node, vector);
    case SN_CALL_VELOCITY:
        return sn_node_set_velocity(world, node, vector);
    case SN_CALL_INVERSE_MASS:
        return sn_node_set_inverse_mass(world, node, number[0]);
    case SN_CALL_RADIUS:
        return sn_node_set_radius(world, node, number[0]);
    case SN_CALL_GROUP:
        return sn_node_set_group(world, node, call->word);
    case SN_CALL_TARGET:
        return sn_node_set_target(world, node, vector);
    case SN_CALL_FORCE:
        return sn_node_add_force(world, node, vector);
    case SN_CALL_IMPULSE:
        return sn_node_apply_impulse(world, node, vector);
    case SN_CALL_ORIENTATION:
        return sn_node_set_orientation(world, node, rotation);
    case SN_CALL_ANGULAR_VELOCITY:
        return sn_node_set_angular_velocity(world, node, vector);
    case SN_CALL_INVERSE_INERTIA:
        return sn_node_set_inverse_inertia(world, node, vector);
    case SN_CALL_TARGET_ORIENTATION:
        return sn_node_set_target_orientation(world, node, rotation);
    case SN_CALL_RADII:
        return sn_node_set_radii(world, node, vector);
    default:
        return sn_node_add_torque(world, node, vector);
    }
}

/* A definition that was read for a constraint of another type would be taken for one of this. */
static sn_result repeat_set(sn_world *world, const sn_call *call) {
    sn_constraint constraint = ID_AS(sn_constraint, call);
    SN_TRY(sn_check_constraint(world, constraint));
    if (call->count == 1 && sn_world_store_of(world, constraint.slot - 1) == call->store)
        return sn_constraint_set(world, constraint, call->items);
    return sn_fail(SN_ERROR_VALUE, "%zu definitions of type %s for a constraint of another type",
                   call->count, call->store->type->info.name);
}

static sn_result repeat_on_collider(sn_world *world, const sn_call *call) {
    sn_collider collider = ID_AS(sn_collider, call);
    const sn_real *n = call->number;
    switch (call->kind) {
    case SN_CALL_COLLIDER_CREATE:
        return sn_collider_create(world, &call->collider, &collider);
    case SN_CALL_COLLIDER_DESTROY:
        return sn_collider_destroy(world, collider);
    case SN_CALL_COLLIDER_SET:
        return sn_collider_set(world, collider, &call->collider);
    case SN_CALL_COLLIDER_VERTICES:
        return sn_collider_set_vertices(world, collider, call->items, call->count);
    default:
        return sn_collider_set_target(world, collider, (sn_vec3){n[0], n[1], n[2]},
                                      (sn_quat){n[3], n[4], n[5], n[6]});
    }
}

/* Both materials are in one word. */
static sn_result repeat_material(sn_world *world, const sn_call *call) {
    sn_material a = call->word >> 16, b = call->word & UINT16_MAX;
    sn_body body = ID_AS(sn_body, call);
    const sn_id *other = &call->other;
    switch (call->kind) {
    case SN_CALL_SET_PAIR:
        return sn_world_set_contact_pair(world, a, b, &call->pair);
    case SN_CALL_RESET_PAIR:
        return sn_world_reset_contact_pair(world, a, b);
    case SN_CALL_COLLISION:
        return sn_body_set_collision(
            world, body, (sn_body){other->slot, other->generation, other->world}, call->word != 0);
    default:
        return sn_body_set_collider_collision(
            world, body, (sn_collider){other->slot, other->generation, other->world},
            call->word != 0);
    }
}

static sn_result repeat_on_surface(sn_world *world, const sn_call *call) {
    sn_collision_surface surface = ID_AS(sn_collision_surface, call);
    if (call->kind == SN_CALL_COLLISION_SURFACE_CREATE)
        return sn_collision_surface_create(world, &call->surface, &surface);
    if (call->kind == SN_CALL_COLLISION_SURFACE_SET)
        return sn_collision_surface_set(world, surface, &call->surface);
    return sn_collision_surface_destroy(world, surface);
}

/* Drag and lift of every node lie together. */
static sn_result repeat_air(sn_world *world, sn_sheet sheet, const sn_call *call) {
    size_t count = call->count / 2;
    const sn_real *pairs = call->items;
    sn_real *list = sn_allocate(&world->memory, 2 * count + 1, sizeof *list);
    if (!list) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < 2 * count; i++) list[i % 2 * count + i / 2] = pairs[i];
    sn_result result = sn_sheet_set_air(world, sheet, list, list + count, count);
    sn_free(&world->memory, list, 2 * count + 1, sizeof *list);
    return result;
}

static sn_result repeat_on_sheet(sn_world *world, const sn_call *call) {
    sn_sheet sheet = ID_AS(sn_sheet, call);
    if (call->kind == SN_CALL_SHEET_CREATE) return sn_sheet_create(world, &call->sheet, &sheet);
    if (call->kind == SN_CALL_SHEET_SET) return sn_sheet_set(world, sheet, &call->sheet);
    if (call->kind == SN_CALL_SHEET_CUT) return sn_sheet_cut(world, sheet, &call->blade, NULL);
    if (call->kind == SN_CALL_SHEET_TETHER) return sn_sheet_tether(world, sheet);
    if (call->kind == SN_CALL_SHEET_AIR) return repeat_air(world, sheet, call);
    if (call->kind == SN_CALL_SHEET_STRENGTH)
        return sn_sheet_set_strength(world, sheet, call->items, call->count);
    if (call->kind == SN_CALL_SHEET_EDGES)
        return sn_sheet_set_edge_strength(world, sheet, call->items, call->count / 2,
                                          call->number[0]);
    if (call->kind == SN_CALL_SHEET_SPLIT) {
        const sn_id *other = &call->other;
        sn_node copy, node = {other->slot, other->generation, other->world};
        const sn_real *n = call->number;
        return sn_sheet_split(world, sheet, node, (sn_vec3){n[0], n[1], n[2]}, &copy);
    }
    return sn_sheet_destroy(world, sheet);
}

static sn_result repeat_on_tet_mesh(sn_world *world, const sn_call *call) {
    sn_tet_mesh tet_mesh = ID_AS(sn_tet_mesh, call);
    if (call->kind == SN_CALL_TET_MESH_CREATE)
        return sn_tet_mesh_create(world, &call->tet_mesh, &tet_mesh);
    if (call->kind == SN_CALL_TET_MESH_SET)
        return sn_tet_mesh_set(world, tet_mesh, &call->tet_mesh);
    if (call->kind == SN_CALL_TET_MESH_CUT)
        return sn_tet_mesh_cut(world, tet_mesh, &call->blade, NULL);
    return sn_tet_mesh_destroy(world, tet_mesh);
}

/* Targets are given as two arrays. */
static sn_result repeat_targets(sn_world *world, const sn_call *call) {
    size_t count = call->animation_target.node_count;
    sn_vec3 *place = sn_allocate(&world->memory, 2 * count + 1, sizeof *place);
    if (!place) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        place[i] = call->animation_target.vertices[i].position;
        place[count + i] = call->animation_target.vertices[i].normal;
    }
    sn_result result = sn_animation_target_set_targets(
        world, ID_AS(sn_animation_target, call), place, call->word ? place + count : NULL, count);
    sn_free(&world->memory, place, 2 * count + 1, sizeof *place);
    return result;
}

static sn_result repeat_on_follow(sn_world *world, const sn_call *call) {
    sn_animation_target animation_target = ID_AS(sn_animation_target, call);
    if (call->kind == SN_CALL_ANIMATION_TARGET_CREATE)
        return sn_animation_target_create(world, &call->animation_target, &animation_target);
    if (call->kind == SN_CALL_ANIMATION_TARGET_DESTROY)
        return sn_animation_target_destroy(world, animation_target);
    if (call->kind == SN_CALL_ANIMATION_TARGET_TARGETS) return repeat_targets(world, call);
    return sn_animation_target_set_limits(world, animation_target, call->animation_target.vertices,
                                          call->animation_target.node_count);
}

static sn_result repeat_on_hierarchy(sn_world *world, const sn_call *call) {
    sn_hierarchy hierarchy = ID_AS(sn_hierarchy, call);
    if (call->kind == SN_CALL_HIERARCHY_CREATE)
        return sn_hierarchy_create(world, &call->hierarchy, &hierarchy);
    if (call->kind == SN_CALL_HIERARCHY_SET)
        return sn_hierarchy_set(world, hierarchy, &call->hierarchy);
    return sn_hierarchy_destroy(world, hierarchy);
}

static sn_result repeat_on_matching(sn_world *world, const sn_call *call) {
    sn_shape_matching matching = ID_AS(sn_shape_matching, call);
    if (call->kind == SN_CALL_SHAPE_MATCHING_CREATE)
        return sn_shape_matching_create(world, &call->matching, &matching);
    if (call->kind == SN_CALL_SHAPE_MATCHING_SET)
        return sn_shape_matching_set(world, matching, &call->matching);
    return sn_shape_matching_destroy(world, matching);
}

/* Calls on constraints, and on fields of theirs by name. */
static sn_result repeat_on_constraint(sn_world *world, const sn_call *call) {
    sn_constraint constraint = ID_AS(sn_constraint, call);
    if (call->kind == SN_CALL_CONSTRAINT_DESTROY) return sn_constraint_destroy(world, constraint);
    if (call->kind == SN_CALL_CONSTRAINT_SET) return repeat_set(world, call);
    if (call->kind == SN_CALL_SET_FIELD)
        return sn_constraint_set_field(world, constraint, call->field, call->number);
    if (call->kind == SN_CALL_BODY_FIELD)
        return sn_body_set_field(world, ID_AS(sn_body, call), (sn_type)call->word, call->field,
                                 call->number, NULL);
    return sn_constraint_set_enabled(world, constraint, call->word != 0);
}

static sn_result repeat_on_body(sn_world *world, const sn_call *call) {
    sn_body body = ID_AS(sn_body, call);
    if (call->kind == SN_CALL_BODY_SET) return sn_body_set(world, body, &call->body);
    if (call->kind == SN_CALL_BODY_WAKE) return sn_body_wake(world, body);
    return sn_body_destroy(world, body);
}

static sn_result repeat_on_drag(sn_world *world, const sn_call *call) {
    sn_drag drag = ID_AS(sn_drag, call);
    if (call->kind == SN_CALL_DRAG_CREATE) return repeat_drag(world, call);
    if (call->kind == SN_CALL_DRAG_SET) return sn_drag_set(world, drag, call->number[0]);
    return sn_drag_destroy(world, drag);
}

static sn_result repeat_on_damping_group(sn_world *world, const sn_call *call) {
    sn_damping_group group = ID_AS(sn_damping_group, call);
    if (call->kind == SN_CALL_DAMPING_GROUP_DAMPING)
        return sn_damping_group_set_damping(world, group, call->number[0]);
    return sn_damping_group_destroy(world, group);
}

/* Calls on objects that have a life of their own in the world. */
static sn_result repeat_on_object(sn_world *world, const sn_call *call) {
    switch (call->kind) {
    case SN_CALL_ANIMATION_TARGET_CREATE:
    case SN_CALL_ANIMATION_TARGET_DESTROY:
    case SN_CALL_ANIMATION_TARGET_TARGETS:
    case SN_CALL_ANIMATION_TARGET_LIMITS:
        return repeat_on_follow(world, call);
    case SN_CALL_HIERARCHY_CREATE:
    case SN_CALL_HIERARCHY_DESTROY:
    case SN_CALL_HIERARCHY_SET:
        return repeat_on_hierarchy(world, call);
    case SN_CALL_SHAPE_MATCHING_CREATE:
    case SN_CALL_SHAPE_MATCHING_DESTROY:
    case SN_CALL_SHAPE_MATCHING_SET:
        return repeat_on_matching(world, call);
    case SN_CALL_COLLISION_SURFACE_CREATE:
    case SN_CALL_COLLISION_SURFACE_DESTROY:
    case SN_CALL_COLLISION_SURFACE_SET:
        return repeat_on_surface(world, call);
    case SN_CALL_SHEET_CREATE:
    case SN_CALL_SHEET_DESTROY:
    case SN_CALL_SHEET_SET:
    case SN_CALL_SHEET_TETHER:
    case SN_CALL_SHEET_SPLIT:
    case SN_CALL_SHEET_STRENGTH:
    case SN_CALL_SHEET_EDGES:
    case SN_CALL_SHEET_AIR:
    case SN_CALL_SHEET_CUT:
        return repeat_on_sheet(world, call);
    case SN_CALL_TET_MESH_CREATE:
    case SN_CALL_TET_MESH_DESTROY:
    case SN_CALL_TET_MESH_SET:
    case SN_CALL_TET_MESH_CUT:
        return repeat_on_tet_mesh(world, call);
    case SN_CALL_COLLIDER_CREATE:
    case SN_CALL_COLLIDER_DESTROY:
    case SN_CALL_COLLIDER_SET:
    case SN_CALL_COLLIDER_TARGET:
    case SN_CALL_COLLIDER_VERTICES:
        return repeat_on_collider(world, call);
    case SN_CALL_DRAG_CREATE:
    case SN_CALL_DRAG_DESTROY:
    case SN_CALL_DRAG_SET:
        return repeat_on_drag(world, call);
    case SN_CALL_DAMPING_GROUP_DESTROY:
    case SN_CALL_DAMPING_GROUP_DAMPING:
        return repeat_on_damping_group(world, call);
    default:
        return repeat_on_node(world, call);
    }
}

sn_result sn_call_repeat(sn_world *world, const sn_call *call) {
    switch (call->kind) {
    case SN_CALL_SETTINGS:
        return sn_world_set_settings(world, &call->settings);
    case SN_CALL_STEP:
        return sn_world_step(world, call->number[0]);
    case SN_CALL_LOAD:
        return sn_snapshot_load(world, call->items, call->count);
    case SN_CALL_BODY_CREATE:
    case SN_CALL_NODES_CREATE:
    case SN_CALL_CONSTRAINTS_CREATE:
    case SN_CALL_DAMPING_GROUP_CREATE:
        return repeat_create(world, call);
    case SN_CALL_BODY_DESTROY:
    case SN_CALL_BODY_SET:
    case SN_CALL_BODY_WAKE:
        return repeat_on_body(world, call);
    case SN_CALL_NODES_DESTROY:
        return sn_nodes_destroy(world, call->items, call->count);
    case SN_CALL_RIDE:
        return sn_node_ride(
            world, ID_AS(sn_node, call),
            (sn_collider){call->other.slot, call->other.generation, call->other.world});
    case SN_CALL_CONSTRAINT_DESTROY:
    case SN_CALL_CONSTRAINT_SET:
    case SN_CALL_SET_FIELD:
    case SN_CALL_BODY_FIELD:
    case SN_CALL_ENABLED:
        return repeat_on_constraint(world, call);
    case SN_CALL_SET_PAIR:
    case SN_CALL_RESET_PAIR:
    case SN_CALL_COLLISION:
    case SN_CALL_COLLIDER_COLLISION:
        return repeat_material(world, call);
    default:
        return repeat_on_object(world, call);
    }
}
