/* The public calls on colliders. */
#include "api/call.h"
#include "api/check.h"
#include "collision/collider_mass.h"
#include "collision/collider_pose.h"
#include "collision/serialize_collision.h"
#include "math/matrix3.h"

#include <sinew/rigid.h>

#include <math.h>

/* ---- Recordings ---- */

static void serialize(sn_archive *a, sn_world *world, sn_call *call) {
    sn_geometry_room room = {0};
    if (a->reading) call->def = sn_call_room(a, world, call, 1, sizeof(sn_collider_def));
    sn_collider_def *def = (sn_collider_def *)(uintptr_t)call->def;
    if (a->result != SN_OK) return;
    sn_object_serialize(&sn_collider_object, a, def, sizeof *def, 1, SIZE_MAX);
    sn_serialize_geometry(a, &world->memory, def, &room);
    sn_call_keep(call, room.vertices, room.vertex_count + 1, sizeof *room.vertices);
    sn_call_keep(call, room.triangles, room.triangle_count + 1, sizeof *room.triangles);
    sn_call_keep(call, room.heights, room.height_count + 1, sizeof *room.heights);
    sn_call_keep(call, room.parts, room.part_count + 1, sizeof *room.parts);
}

static sn_result set_target_again(sn_world *world, const sn_call *call) {
    const sn_real *n = call->number;
    return sn_collider_set_target(world, SN_ID_AS(sn_collider, call->id), sn_call_vector(call),
                                  (sn_quat){n[3], n[4], n[5], n[6]});
}

extern const sn_call_table sn_collision_surface_calls;

#define ID SN_ID_AS(sn_collider, call->id)
#define CALLS(CALL, OWN)                                                                           \
    OWN(CREATE, "collider_create", 0, 0, serialize,                                                \
        sn_collider_create(world, call->def, &(sn_collider){0}))                                   \
    CALL(DESTROY, "collider_destroy", SN_PART_ID, 0, NULL, sn_collider_destroy(world, ID))         \
    OWN(SET, "collider_set", SN_PART_ID, 0, serialize, sn_collider_set(world, ID, call->def))      \
    CALL(SET_TARGET, "collider_set_target", SN_PART_ID | SN_PART_NUMBERS | SN_KEEPS_PAIRS, 7,      \
         NULL, set_target_again(world, call))                                                      \
    CALL(SET_VERTICES, "collider_set_vertices",                                                    \
         SN_PART_ID | SN_PART_POINTS | SN_KEEPS_PAIRS | SN_MOVES_BODIES, 0, NULL,                  \
         sn_collider_set_vertices(world, ID, call->items, call->count))                            \
    CALL(SET_CARRIER, "collider_set_carrier", SN_PART_ID | SN_PART_OTHER, 0, NULL,                 \
         sn_collider_set_carrier(world, ID, SN_ID_AS(sn_node, call->other)))                       \
    CALL(CLEAR_CARRIER, "collider_clear_carrier", SN_PART_ID, 0, NULL,                             \
         sn_collider_clear_carrier(world, ID))
SN_DEFINE_CALLS(collision, CALLS, .next = &sn_collision_surface_calls)

/* ---- Definitions ---- */

sn_collider_part sn_collider_part_default(void) {
    return (sn_collider_part){.shape = SN_SHAPE_SPHERE,
                              .radius = SN_AUTO,
                              .extent = {(sn_real)0.5, (sn_real)0.5, (sn_real)0.5},
                              .orientation = {0, 0, 0, 1},
                              .geometry = {.spacing = SN_AUTO}};
}

/* Makes a quaternion unit; false where it has no direction. */
static bool make_unit(sn_quat *q) {
    double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    double square = x * x + y * y + z * z + w * w;
    if (!(square > 0) || !(square - square == 0)) return false;
    double length = __builtin_sqrt(square);
    *q = (sn_quat){(sn_real)(x / length), (sn_real)(y / length), (sn_real)(z / length),
                   (sn_real)(w / length)};
    return true;
}

static sn_result check_orientation(sn_quat *q) {
    if (make_unit(q)) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "collider: orientation is %g %g %g %g, expected a quaternion",
                   (double)q->x, (double)q->y, (double)q->z, (double)q->w);
}

/* Checks a definition, and replaces what is automatic in the copy that is kept. Recordings have
   what was given: made unit twice, a quaternion may differ in its last bit. */
static sn_result check_def(const sn_collider_def *def, sn_collider_def *kept) {
    SN_TRY(sn_object_check(&sn_collider_object, def));
    *kept = *def;
    if (kept->radius == SN_AUTO)
        kept->radius = sn_collider_geometry_radius(def->shape, def->geometry.two_sided);
    return check_orientation(&kept->orientation);
}

/* A definition as it was given, with the arrays of the one that is kept. */
static sn_collider_def to_record(const sn_collider_def *given, const sn_collider_def *kept) {
    sn_collider_def def = *given;
    def.geometry = kept->geometry;
    def.parts = kept->parts;
    def.part_count = kept->part_count;
    return def;
}

/* Everything about a collider that can fail; what is kept is freed or added. */
static sn_result prepare(sn_world *world, const sn_collider_def *def, sn_collider_def *kept) {
    SN_TRY(check_def(def, kept));
    if (!sn_colliders_reserve(sn_colliders_of(world), &world->memory, 1)) return SN_ERROR_MEMORY;
    return sn_collider_geometry_create(&world->memory, kept);
}

static sn_collider add(sn_world *world, const sn_collider_def *def, const sn_collider_def *kept) {
    sn_colliders *c = sn_colliders_of(world);
    uint32_t index = sn_slots_take(&c->slots);
    c->state[index] = (sn_collider_state){.def = *kept, .changed = 1};
    SN_RECORD(world, CREATE, .def = &(sn_collider_def[]){to_record(def, kept)});
    return (sn_collider){index + 1, c->slots.generation[index], world->tag};
}

sn_result sn_collider_create(sn_world *world, const sn_collider_def *def, sn_collider *collider) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(collider);
    sn_collider_def kept;
    SN_TRY(prepare(world, def, &kept));
    *collider = add(world, def, &kept);
    return SN_OK;
}

/* What touches a collider wakes, and who carries it: a contact of two bodies names a collider of
   one of them. */
static void wake_around(sn_world *world, sn_collider collider) {
    uint32_t carrier = sn_colliders_of(world)->state[collider.slot - 1].carrier;
    sn_world_wake_contacts(world, collider.slot - 1);
    if (carrier) sn_world_wake_node(world, carrier - 1);
}

sn_result sn_collider_destroy(sn_world *world, sn_collider collider) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_collider(world, collider));
    sn_colliders *colliders = sn_colliders_of(world);
    sn_collider_def *def = &colliders->state[collider.slot - 1].def;
    sn_collider_geometry_free(&world->memory, def->form);
    def->form = NULL;
    wake_around(world, collider);
    sn_collider_carry_by(world, collider.slot - 1, 0);
    sn_nodes_unride(&world->nodes, collider.slot);
    sn_slots_give(&colliders->slots, collider.slot - 1);
    sn_contact_materials_forget(sn_contact_materials_of(world),
                                (sn_party){.collider = collider.slot});
    SN_RECORD(world, DESTROY, .id = SN_ID(collider));
    return SN_OK;
}

bool sn_collider_is_valid(const sn_world *world, sn_collider collider) {
    return world && sn_slots_has(&sn_colliders_of(world)->slots, SN_ID(collider), world->tag);
}

sn_result sn_collider_get(const sn_world *world, sn_collider collider, sn_collider_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_collider(world, collider));
    *def = sn_colliders_of(world)->state[collider.slot - 1].def;
    return SN_OK;
}

/* Whether a definition has the geometry that the collider has already. */
static bool has_form_of(const sn_collider_def *def, const sn_collider_def *old) {
    const sn_geometry *a = &def->geometry, *b = &old->geometry;
    return old->form && def->form == old->form && def->shape == old->shape &&
           def->radius == old->radius && a->vertices == b->vertices &&
           a->vertex_count == b->vertex_count && a->triangles == b->triangles &&
           a->triangle_count == b->triangle_count && a->heights == b->heights &&
           a->points[0] == b->points[0] && a->points[1] == b->points[1] &&
           a->spacing == b->spacing && a->two_sided == b->two_sided && def->parts == old->parts &&
           def->part_count == old->part_count && def->extent.x == old->extent.x &&
           def->extent.z == old->extent.z;
}

sn_result sn_collider_set(sn_world *world, sn_collider collider, const sn_collider_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_collider(world, collider));
    sn_collider_def kept;
    SN_TRY(check_def(def, &kept));
    sn_collider_state *state = &sn_colliders_of(world)->state[collider.slot - 1];
    bool same = has_form_of(def, &state->def);
    if (!same) SN_TRY(sn_collider_geometry_create(&world->memory, &kept));
    SN_RECORD(world, SET, .id = SN_ID(collider),
              .def = &(sn_collider_def[]){to_record(def, &kept)});
    if (same)
        sn_collider_geometry_arrive(&kept);
    else
        sn_collider_geometry_free(&world->memory, state->def.form);
    uint32_t carrier = state->carrier;
    sn_collider_carry_by(world, collider.slot - 1, 0);
    *state = (sn_collider_state){.def = kept, .changed = 1};
    if (carrier) sn_collider_carry_by(world, collider.slot - 1, carrier);
    wake_around(world, collider);
    return SN_OK;
}

sn_result sn_collider_set_target(sn_world *world, sn_collider collider, sn_vec3 position,
                                 sn_quat orientation) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_collider(world, collider));
    SN_TRY(sn_check_vec3("collider", "target", position, "m"));
    sn_quat unit = orientation;
    SN_TRY(check_orientation(&unit));
    sn_collider_state *state = &sn_colliders_of(world)->state[collider.slot - 1];
    if (state->carrier)
        return sn_fail(SN_ERROR_VALUE, "collider: node %u carries it, expected one that is free",
                       state->carrier - 1);
    state->has_target = 1;
    state->target = position;
    state->target_orientation = unit;
    SN_RECORD(world, SET_TARGET, .id = SN_ID(collider),
              .number = {position.x, position.y, position.z, orientation.x, orientation.y,
                         orientation.z, orientation.w});
    return SN_OK;
}

sn_result sn_collider_set_vertices(sn_world *world, sn_collider collider, const sn_vec3 *vertices,
                                   size_t count) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_collider(world, collider));
    SN_CHECK_POINTER(vertices);
    sn_collider_def *def = &sn_colliders_of(world)->state[collider.slot - 1].def;
    if (def->shape != SN_SHAPE_MESH)
        return sn_fail(SN_ERROR_VALUE,
                       "collider: vertices are set of the shape %d, expected a mesh (%d)",
                       (int)def->shape, SN_SHAPE_MESH);
    if (count != def->geometry.vertex_count)
        return sn_fail(SN_ERROR_VALUE, "collider: %zu vertices are set, expected %zu", count,
                       def->geometry.vertex_count);
    for (size_t i = 0; i < count; i++)
        SN_TRY(sn_check_vec3("collider", "vertex", vertices[i], "m"));
    if (!sn_collider_geometry_send(&world->memory, def, vertices)) return SN_ERROR_MEMORY;
    wake_around(world, collider);
    SN_RECORD(world, SET_VERTICES, .id = SN_ID(collider), .items = vertices, .count = count);
    return SN_OK;
}

/* ---- Carrying ---- */

/* Whether a node may carry a collider. */
static sn_result check_carrying(const sn_world *world, sn_collider collider, sn_node node) {
    const sn_collider_def *def = &sn_colliders_of(world)->state[collider.slot - 1].def;
    SN_TRY(sn_check_node(world, node));
    if (!world->nodes.frame[node.slot - 1])
        return sn_fail(SN_ERROR_VALUE, "node %u: it is a particle, expected an oriented node",
                       node.slot - 1);
    if (!isfinite(sn_shape_reach(def)))
        return sn_fail(SN_ERROR_VALUE, "collider: is of the shape %d, expected one that has an end",
                       (int)def->shape);
    for (size_t k = 0; k < world->nodes.drives; k++)
        if (world->nodes.drive[k].collider == collider.slot)
            return sn_fail(SN_ERROR_VALUE, "collider: node %u rides on it, expected nobody to",
                           world->nodes.drive[k].node);
    return SN_OK;
}

sn_result sn_collider_set_carrier(sn_world *world, sn_collider collider, sn_node node) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_collider(world, collider));
    SN_TRY(check_carrying(world, collider, node));
    wake_around(world, collider);
    sn_collider_carry_by(world, collider.slot - 1, node.slot);
    sn_colliders_of(world)->state[collider.slot - 1].changed = 1;
    sn_world_wake_node(world, node.slot - 1);
    SN_RECORD(world, SET_CARRIER, .id = SN_ID(collider), .other = SN_ID(node));
    return SN_OK;
}

sn_result sn_collider_clear_carrier(sn_world *world, sn_collider collider) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_collider(world, collider));
    if (sn_colliders_of(world)->state[collider.slot - 1].carrier) {
        wake_around(world, collider);
        sn_collider_carry_by(world, collider.slot - 1, 0);
        sn_colliders_of(world)->state[collider.slot - 1].changed = 1;
    }
    SN_RECORD(world, CLEAR_CARRIER, .id = SN_ID(collider));
    return SN_OK;
}

sn_result sn_collider_get_carrier(const sn_world *world, sn_collider collider, sn_node *node) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(node);
    SN_TRY(sn_check_collider(world, collider));
    uint32_t carrier = sn_colliders_of(world)->state[collider.slot - 1].carrier;
    *node = (sn_node){0};
    if (carrier) *node = (sn_node){carrier, world->nodes.slots.generation[carrier - 1], world->tag};
    return SN_OK;
}

/* ---- Mass and inertia ---- */

sn_rigid_def sn_rigid_def_default(void) {
    return (sn_rigid_def){.size = sizeof(sn_rigid_def), .density = 1000, .mass = SN_AUTO};
}

static sn_vec3 vec3_of(const double a[3], double scale) {
    return (sn_vec3){(sn_real)(a[0] * scale), (sn_real)(a[1] * scale), (sn_real)(a[2] * scale)};
}

sn_result sn_collider_mass_properties(const sn_world *world, sn_collider collider, sn_real density,
                                      sn_mass_properties *properties) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(properties);
    SN_TRY(sn_check_collider(world, collider));
    SN_TRY(sn_check_real("mass properties", "density", density, SN_ABOVE_ZERO, SN_REAL_MAX, false,
                         "kg/m^3"));
    sn_moments m;
    double inertia[3], q[4];
    SN_TRY(sn_collider_moments(&sn_colliders_of(world)->state[collider.slot - 1].def, &m));
    sn_moments_principal(&m, inertia, q);
    *properties = (sn_mass_properties){
        .volume = (sn_real)m.volume,
        .mass = (sn_real)((double)density * m.volume),
        .centre = vec3_of(m.centre, 1),
        .moments = vec3_of(inertia, (double)density),
        .axes = {(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]},
    };
    return SN_OK;
}

/* The node of a shape: it turns about the centre of mass as the shape does about its middle. */
static sn_result node_of(const sn_rigid_def *def, const sn_collider_def *shape, sn_node_def *node) {
    sn_moments m;
    double inertia[3], axes[4], q[4];
    SN_TRY(sn_collider_moments(shape, &m));
    sn_moments_principal(&m, inertia, axes);
    double density = def->mass == SN_AUTO ? (double)def->density : (double)def->mass / m.volume;
    sn_quat o = shape->orientation;
    const double own[4] = {(double)o.x, (double)o.y, (double)o.z, (double)o.w};
    sn_double4_quat_mul(own, axes, q);
    sn_point arm = sn_point_rotated(own, (sn_point){m.centre[0], m.centre[1], m.centre[2]});
    sn_point turning = sn_point_cross(sn_point_of(shape->angular_velocity), arm);
    for (int k = 0; k < 3; k++) inertia[k] = 1 / (density * inertia[k]);
    node->body = def->body;
    node->group = def->group;
    node->position = sn_point_vec3(sn_point_add(sn_point_of(shape->position), arm));
    node->velocity = sn_point_vec3(sn_point_add(sn_point_of(shape->velocity), turning));
    node->inverse_mass = (sn_real)(1 / (density * m.volume));
    node->oriented = true;
    node->orientation = (sn_quat){(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]};
    node->angular_velocity = shape->angular_velocity;
    node->inverse_inertia = vec3_of(inertia, 1);
    return SN_OK;
}

sn_result sn_rigid_create(sn_world *world, const sn_rigid_def *def, const sn_collider_def *shape,
                          sn_node *node, sn_collider *collider) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(shape);
    SN_CHECK_POINTER(node);
    SN_CHECK_POINTER(collider);
    SN_TRY(sn_check_size("rigid body", def->size, sizeof *def));
    double most = (double)SN_REAL_MAX;
    SN_TRY(
        sn_check_real("rigid body", "density", def->density, SN_ABOVE_ZERO, most, false, "kg/m^3"));
    SN_TRY(sn_check_real("rigid body", "mass", def->mass, SN_ABOVE_ZERO, most, true, "kg"));
    sn_collider_def kept;
    sn_node_def carrier = sn_node_def_default();
    SN_TRY(prepare(world, shape, &kept));
    sn_result result = node_of(def, &kept, &carrier);
    if (result == SN_OK) result = sn_node_create(world, &carrier, node);
    if (result != SN_OK) {
        sn_collider_geometry_free(&world->memory, kept.form);
        return result;
    }
    *collider = add(world, shape, &kept);
    return sn_collider_set_carrier(world, *collider, *node);
}

sn_result sn_world_collider_at(const sn_world *world, size_t slot, sn_collider *collider) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(collider);
    const sn_colliders *colliders = sn_colliders_of(world);
    SN_TRY(sn_check_slot(&colliders->slots, slot, "collider"));
    *collider = (sn_collider){(uint32_t)slot + 1, colliders->slots.generation[slot], world->tag};
    return SN_OK;
}
