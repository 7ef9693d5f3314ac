/*
 * Grabbing: a kinematic node and an attachment to it. All of it goes through the public calls, so
 * that recordings and snapshots know nothing of it.
 */
#include "api/check.h"
#include "api/take_over.h"
#include "state/constraint_def.h"

#include <sinew/grab.h>

#include <math.h>
#include <string.h>

/* rad/s: 4 Hz, in the middle of what arms do. A body hangs by g / RATE^2 below the hand. */
#define RATE 25.0

sn_grab_def sn_grab_def_default(void) {
    return (sn_grab_def){.size = sizeof(sn_grab_def),
                         .weight = {1, 0, 0},
                         .compliance = SN_AUTO,
                         .damping = SN_AUTO,
                         .break_force = SN_AUTO};
}

sn_result sn_grab_def_from_hit(sn_grab_def *def, const sn_hit *hit) {
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(hit);
    SN_TRY(sn_check_size("grab", def->size, sizeof *def));
    if (hit->node_count < 1 || hit->node_count > 3)
        return sn_fail(SN_ERROR_VALUE,
                       "grab: the hit has %d nodes, expected 1 to 3: what is held moves with nodes",
                       hit->node_count);
    for (int k = 0; k < 3; k++) {
        bool used = k < hit->node_count;
        def->node[k] = used ? hit->node[k] : (sn_node){0, 0, 0};
        def->weight[k] = used ? hit->weight[k] : 0;
    }
    return SN_OK;
}

/* ---- What is held ---- */

static int count_of(const sn_grab_def *def) {
    int count = 0;
    while (count < 3 && def->node[count].slot) count++;
    return count;
}

static sn_result check_grab(const sn_world *world, const sn_grab_def *def) {
    SN_TRY(sn_check_size("grab", def->size, sizeof *def));
    int count = count_of(def);
    bool free = false;
    double sum = 0, most = (double)SN_REAL_MAX;
    if (count == 0) return sn_fail(SN_ERROR_VALUE, "grab: node[0] is null, expected a node");
    for (int k = 0; k < count; k++) {
        SN_TRY(sn_check_node(world, def->node[k]));
        SN_TRY(sn_check_real("grab", "weight", def->weight[k], 0, 1, false, "1"));
        sum += (double)def->weight[k];
        free = free || world->nodes.w[def->node[k].slot - 1] > 0;
    }
    if (!(sum > 0.999 && sum < 1.001))
        return sn_fail(SN_ERROR_VALUE, "grab: weights add up to %g, expected 1", sum);
    if (!free)
        return sn_fail(SN_ERROR_VALUE, "grab: node %u is kinematic, expected one that can be moved",
                       def->node[0].slot - 1);
    SN_TRY(sn_check_real("grab", "compliance", def->compliance, 0, most, true, "m/N"));
    SN_TRY(sn_check_real("grab", "damping", def->damping, 0, most, true, "N s/m"));
    return sn_check_real("grab", "break_force", def->break_force, 0, most, true, "N");
}

/* kg: of the body, or without one of the nodes themselves. */
static double mass_of(const sn_world *world, const sn_grab_def *def) {
    const sn_nodes *nodes = &world->nodes;
    uint32_t body = nodes->body[def->node[0].slot - 1];
    double mass = 0;
    if (body) {
        for (uint32_t i = 0; i < nodes->slots.count; i++)
            if (nodes->slots.alive[i] && nodes->body[i] == body && nodes->w[i] > 0)
                mass += 1 / (double)nodes->w[i];
        return mass;
    }
    for (int k = 0; k < count_of(def); k++) {
        double w = (double)nodes->w[def->node[k].slot - 1];
        if (w > 0) mass += 1 / w;
    }
    return mass;
}

static sn_vec3 point_of(const sn_world *world, const sn_node *node, const sn_real *weight,
                        int count) {
    double sum[3] = {0, 0, 0};
    for (int k = 0; k < count; k++) {
        sn_vec4 x = world->nodes.x[node[k].slot - 1];
        sum[0] += (double)weight[k] * (double)x.x;
        sum[1] += (double)weight[k] * (double)x.y;
        sum[2] += (double)weight[k] * (double)x.z;
    }
    return (sn_vec3){(sn_real)sum[0], (sn_real)sum[1], (sn_real)sum[2]};
}

/* ---- Taking hold ---- */

static sn_result hold(sn_world *world, const sn_grab_def *def, sn_node hand,
                      sn_constraint *constraint) {
    int count = count_of(def);
    if (count == 1) {
        sn_attachment_def made = sn_attachment_def_default();
        SN_TAKE_OVER(made, def);
        made.node[0] = def->node[0];
        made.node[1] = hand;
        made.offset = (sn_vec3){0, 0, 0};
        return sn_constraint_create(world, SN_TYPE_ATTACHMENT, &made, constraint);
    }
    if (count == 2) {
        sn_edge_attachment_def made = sn_edge_attachment_def_default();
        SN_TAKE_OVER(made, def);
        made.node[0] = hand;
        memcpy(made.node + 1, def->node, 2 * sizeof *def->node);
        made.along = def->weight[1];
        return sn_constraint_create(world, SN_TYPE_EDGE_ATTACHMENT, &made, constraint);
    }
    sn_point_attachment_def made = sn_point_attachment_def_default();
    SN_TAKE_OVER(made, def);
    made.node[0] = hand;
    memcpy(made.node + 1, def->node, 3 * sizeof *def->node);
    made.weights = (sn_vec3){def->weight[0], def->weight[1], def->weight[2]};
    return sn_constraint_create(world, SN_TYPE_POINT_ATTACHMENT, &made, constraint);
}

/* N s/m; where nothing yields, nothing swings. */
static sn_real critical(double mass, double compliance) {
    return compliance > 0 ? (sn_real)(2 * sqrt(mass / compliance)) : 0;
}

sn_result sn_grab_begin(sn_world *world, const sn_grab_def *def, sn_grab *grab) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(grab);
    SN_TRY(check_grab(world, def));
    sn_grab_def soft = *def;
    double mass = mass_of(world, def);
    if (def->compliance == SN_AUTO) soft.compliance = (sn_real)(1 / (mass * RATE * RATE));
    if (def->damping == SN_AUTO) soft.damping = critical(mass, (double)soft.compliance);
    sn_node_def node = sn_node_def_default();
    node.position = point_of(world, def->node, def->weight, count_of(def));
    node.inverse_mass = 0;
    sn_grab made = {{0, 0, 0}, {0, 0, 0}};
    SN_TRY(sn_node_create(world, &node, &made.hand));
    sn_result result = hold(world, &soft, made.hand, &made.constraint);
    if (result == SN_OK)
        *grab = made;
    else
        (void)sn_node_destroy(world, made.hand);
    return result;
}

/* ---- Holding ---- */

bool sn_grab_is_valid(const sn_world *world, sn_grab grab) {
    return sn_node_is_valid(world, grab.hand) && sn_constraint_is_valid(world, grab.constraint);
}

sn_result sn_grab_move(sn_world *world, sn_grab grab, sn_vec3 position) {
    return sn_node_set_target(world, grab.hand, position);
}

/* The nodes that are held, without the hand, and their parts; how many. */
static sn_result find_held(const sn_world *world, sn_grab grab, sn_node held[3], sn_real weight[3],
                           int *count) {
    sn_node node[SN_MAX_NODES];
    sn_real value[3] = {0, 0, 0};
    size_t total = 0;
    int found = 0;
    SN_TRY(sn_constraint_get_nodes(world, grab.constraint, node, SN_MAX_NODES, &total));
    for (size_t k = 0; k < total && found < 3; k++)
        if (node[k].slot != grab.hand.slot) held[found++] = node[k];
    weight[0] = 1;
    if (found == 2) {
        SN_TRY(sn_constraint_get_field(world, grab.constraint, "along", value));
        weight[0] = 1 - value[0];
        weight[1] = value[0];
    } else if (found == 3) {
        SN_TRY(sn_constraint_get_field(world, grab.constraint, "weights", weight));
    }
    *count = found;
    return SN_OK;
}

sn_result sn_grab_get_point(const sn_world *world, sn_grab grab, sn_vec3 *point) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(point);
    sn_node held[3];
    sn_real weight[3];
    int count = 0;
    SN_TRY(sn_check_node(world, grab.hand));
    SN_TRY(find_held(world, grab, held, weight, &count));
    *point = point_of(world, held, weight, count);
    return SN_OK;
}

/* Adds a part of where a node is, and of its velocity. */
static sn_result add_motion(const sn_world *world, sn_node node, double part, double at[6]) {
    sn_node_def def = sn_node_def_default();
    SN_TRY(sn_node_get(world, node, &def));
    const double motion[6] = {(double)def.position.x, (double)def.position.y,
                              (double)def.position.z, (double)def.velocity.x,
                              (double)def.velocity.y, (double)def.velocity.z};
    for (int i = 0; i < 6; i++) at[i] += part * motion[i];
    return SN_OK;
}

sn_result sn_grab_get_force(const sn_world *world, sn_grab grab, sn_vec3 *force) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(force);
    sn_node held[3];
    sn_real weight[3], compliance[3], damping[3];
    int count = 0;
    double d[6] = {0}, square = 0, rate = 0, pull[3];
    SN_TRY(sn_check_node(world, grab.hand));
    SN_TRY(find_held(world, grab, held, weight, &count));
    SN_TRY(sn_constraint_get_field(world, grab.constraint, "compliance", compliance));
    SN_TRY(sn_constraint_get_field(world, grab.constraint, "damping", damping));
    if (!(compliance[0] > 0))
        return sn_fail(
            SN_ERROR_VALUE,
            "grab: its compliance is 0, expected above 0 m/N where a force is asked for");
    for (int k = 0; k < count; k++) SN_TRY(add_motion(world, held[k], (double)weight[k], d));
    SN_TRY(add_motion(world, grab.hand, -1, d));
    for (int i = 0; i < 3; i++) {
        square += d[i] * d[i];
        rate += d[i] * d[3 + i];
    }
    double brake = square > 0 ? (double)damping[0] * rate / square : 0;
    for (int i = 0; i < 3; i++) pull[i] = d[i] * (1 / (double)compliance[0] + brake);
    *force = (sn_vec3){(sn_real)pull[0], (sn_real)pull[1], (sn_real)pull[2]};
    return SN_OK;
}

/* ---- Letting go ---- */

/* Whether a body can fly: none of its nodes is kinematic. */
static bool is_free(const sn_world *world, uint32_t body) {
    const sn_nodes *nodes = &world->nodes;
    for (uint32_t i = 0; i < nodes->slots.count; i++)
        if (nodes->slots.alive[i] && nodes->body[i] == body && nodes->w[i] == 0) return false;
    return true;
}

/* The change of velocity that gives the centre of mass of a body the velocity that is given. */
static void change_of(const sn_world *world, uint32_t body, sn_vec3 velocity, double change[3]) {
    const sn_nodes *nodes = &world->nodes;
    double mass = 0, momentum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < nodes->slots.count; i++) {
        if (!nodes->slots.alive[i] || nodes->body[i] != body) continue;
        double m = 1 / (double)nodes->w[i];
        mass += m;
        momentum[0] += m * (double)nodes->v[i].x;
        momentum[1] += m * (double)nodes->v[i].y;
        momentum[2] += m * (double)nodes->v[i].z;
    }
    change[0] = (double)velocity.x - momentum[0] / mass;
    change[1] = (double)velocity.y - momentum[1] / mass;
    change[2] = (double)velocity.z - momentum[2] / mass;
}

static sn_result throw_body(sn_world *world, uint32_t body, sn_vec3 velocity) {
    const sn_nodes *nodes = &world->nodes;
    double change[3];
    change_of(world, body, velocity, change);
    for (uint32_t i = 0; i < nodes->slots.count; i++) {
        if (!nodes->slots.alive[i] || nodes->body[i] != body) continue;
        sn_vec4 v = nodes->v[i];
        SN_TRY(sn_node_set_velocity(world, sn_world_node_id(world, (int32_t)i),
                                    (sn_vec3){(sn_real)((double)v.x + change[0]),
                                              (sn_real)((double)v.y + change[1]),
                                              (sn_real)((double)v.z + change[2])}));
    }
    return SN_OK;
}

static sn_result throw_held(sn_world *world, sn_grab grab, sn_vec3 velocity) {
    sn_node held[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    sn_real weight[3];
    int count = 0;
    SN_TRY(find_held(world, grab, held, weight, &count));
    uint32_t body = world->nodes.body[held[0].slot - 1];
    if (body && is_free(world, body)) return throw_body(world, body, velocity);
    for (int k = 0; k < count; k++)
        if (world->nodes.w[held[k].slot - 1] > 0)
            SN_TRY(sn_node_set_velocity(world, held[k], velocity));
    return SN_OK;
}

sn_result sn_grab_end(sn_world *world, sn_grab grab, const sn_vec3 *velocity) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, grab.hand));
    if (velocity) {
        SN_TRY(sn_check_vec3("grab", "velocity", *velocity, "m/s"));
        if (sn_constraint_is_valid(world, grab.constraint))
            SN_TRY(throw_held(world, grab, *velocity));
    }
    /* The constraint goes with its node. */
    return sn_node_destroy(world, grab.hand);
}
