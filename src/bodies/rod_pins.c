/*
 * Pins of rods. The frame of a node is that of the segment which begins there, and is its direction
 * at its middle; a pin is at the node. So what a joint stands for ends at the pin:
 *
 *     ---- a ---------- b ---------- c          joint (a, b): l_a / 2 + l_b / 2
 *            free          pinned               (a, b): l_a / 2
 *                          pinned   free        (b, c): l_b + l_c / 2
 *
 * The frame of a last node is of no segment, and free for the pin: it gets a joint of half a
 * segment, as a clamp has.
 */
#include "api/check.h"
#include "bodies/ghost_rod.h"
#include "bodies/lines.h"

#include <sinew/attach.h>

/* What is known of the segment that begins at a node, by its slot. */
typedef struct segment {
    double length;      /* m; 0: none begins here */
    sn_node next;       /* where it ends */
    sn_constraint bend; /* the joint with the frame before, or with the frame behind */
    bool pinned, held;  /* held: by a joint at its own end */
} segment;

sn_result sn_rod_set_joint_length(sn_world *world, sn_constraint joint, double length) {
    sn_bend_twist_def def = sn_bend_twist_def_default();
    SN_TRY(sn_constraint_get(world, joint, &def));
    double ratio = (double)def.rest_length / length;
    if (ratio == 1) return SN_OK;
    def.rest_length = (sn_real)length;
    def.rest_darboux.x = (sn_real)((double)def.rest_darboux.x * ratio);
    def.rest_darboux.y = (sn_real)((double)def.rest_darboux.y * ratio);
    def.rest_darboux.z = (sn_real)((double)def.rest_darboux.z * ratio);
    def.plastic_darboux.x = (sn_real)((double)def.plastic_darboux.x * ratio);
    def.plastic_darboux.y = (sn_real)((double)def.plastic_darboux.y * ratio);
    def.plastic_darboux.z = (sn_real)((double)def.plastic_darboux.z * ratio);
    def.damping = (sn_real)((double)def.damping * ratio);
    return sn_constraint_set(world, joint, &def);
}

sn_result sn_rod_visit(sn_world *world, sn_type type, sn_rod_visitor *see, void *context) {
    size_t left = sn_world_constraint_count(world, type);
    for (size_t slot = 0; left > 0; slot++) {
        sn_constraint constraint;
        sn_type found;
        if (sn_world_constraint_at(world, slot, &constraint) != SN_OK ||
            sn_constraint_get_type(world, constraint, &found) != SN_OK || found != type)
            continue;
        left--;
        SN_TRY(see(world, constraint, context));
    }
    return SN_OK;
}

static sn_result see_segment(sn_world *world, sn_constraint constraint, void *context) {
    segment *of = context;
    sn_stretch_shear_def def = sn_stretch_shear_def_default();
    SN_TRY(sn_constraint_get(world, constraint, &def));
    of[def.node[0].slot].length = (double)def.rest_length;
    of[def.node[0].slot].next = def.node[1];
    return SN_OK;
}

/* A joint of two segments in a row, or of a segment and the pin at its end. */
static sn_result see_joint(sn_world *world, sn_constraint constraint, void *context) {
    segment *of = context;
    sn_bend_twist_def def = sn_bend_twist_def_default();
    SN_TRY(sn_constraint_get(world, constraint, &def));
    segment *a = &of[def.node[0].slot], *b = &of[def.node[1].slot];
    if (a->length == 0 || !sn_rod_is_same(a->next, def.node[1])) return SN_OK;
    if (b->length == 0) b->held = true;
    a->bend = b->bend = constraint;
    if ((!a->pinned && !b->pinned) || b->length == 0) return SN_OK;
    double length = a->length / (a->pinned ? 1 : 2) + (b->pinned ? 0 : b->length / 2);
    return sn_rod_set_joint_length(world, constraint, length);
}

/* The joint of a segment that ends at a last node, with the stiffness of the one before it; what
   has a single segment has none, and is on a hinge. */
static sn_result hold_segment(sn_world *world, sn_node frame, const segment *last, sn_node node) {
    sn_bend_twist_def def = sn_bend_twist_def_default();
    if (last->bend.slot == 0) return SN_OK;
    SN_TRY(sn_constraint_get(world, last->bend, &def));
    double before = (double)def.rest_length;
    def.node[0] = frame;
    def.node[1] = node;
    def.rest_length = (sn_real)(last->length / (last->pinned ? 1 : 2));
    def.rest_darboux = sn_bend_twist_def_default().rest_darboux;
    def.plastic_darboux = sn_bend_twist_def_default().plastic_darboux;
    def.damping = (sn_real)((double)def.damping * before / (double)def.rest_length);
    sn_constraint joint;
    return sn_constraint_create(world, SN_TYPE_BEND_TWIST, &def, &joint);
}

/* Several segments end at the root of a tree. */
static sn_result hold_end(sn_world *world, const segment *of, size_t slots, sn_node node) {
    const segment *own = &of[node.slot];
    if (own->length > 0 || own->held) return SN_OK;
    for (size_t i = 1; i < slots; i++) {
        sn_node frame;
        if (of[i].length == 0 || !sn_rod_is_same(of[i].next, node)) continue;
        SN_TRY(sn_world_node_at(world, i - 1, &frame));
        SN_TRY(hold_segment(world, frame, &of[i], node));
    }
    return SN_OK;
}

static sn_result pin(sn_world *world, sn_node node) {
    SN_TRY(sn_node_set_inverse_mass(world, node, 0));
    SN_TRY(sn_node_set_velocity(world, node, (sn_vec3){0, 0, 0}));
    SN_TRY(sn_node_set_inverse_inertia(world, node, (sn_vec3){0, 0, 0}));
    return sn_node_set_angular_velocity(world, node, (sn_vec3){0, 0, 0});
}

static sn_result pin_all(sn_world *world, const sn_node *nodes, size_t count, segment *of,
                         size_t slots) {
    SN_TRY(sn_rod_visit(world, SN_TYPE_STRETCH_SHEAR, see_segment, of));
    SN_TRY(sn_rod_visit(world, SN_TYPE_BEND_TWIST, see_joint, of));
    for (size_t i = 0; i < count; i++) SN_TRY(hold_end(world, of, slots, nodes[i]));
    for (size_t i = 0; i < count; i++) SN_TRY(pin(world, nodes[i]));
    return SN_OK;
}

sn_result sn_rod_pin(sn_world *world, const sn_node *nodes, size_t count) {
    SN_CHECK_WORLD(world);
    if (count == 0) return SN_OK;
    SN_CHECK_POINTER(nodes);
    size_t plain = 0, one = 0;
    for (size_t i = 0; i < count; i++) {
        sn_node_def def = sn_node_def_default();
        SN_TRY(sn_node_get(world, nodes[i], &def));
        plain += !def.oriented;
        if (!def.oriented) one = i;
    }
    if (plain == count) return sn_ghost_rod_pin(world, nodes, count);
    if (plain > 0)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "rod pin: node %u has no orientation, expected a node of a rod",
                       nodes[one].slot - 1);
    size_t slots = sn_slots_needed(&world->nodes.slots, 0) + 1;
    segment *of = sn_allocate(&world->memory, slots, sizeof *of);
    if (!of) return sn_fail(SN_ERROR_MEMORY, "rod pin: no memory for %zu nodes", slots);
    for (size_t i = 0; i < slots; i++) of[i] = (segment){0};
    for (size_t i = 0; i < count; i++) of[nodes[i].slot].pinned = true;
    sn_result result = pin_all(world, nodes, count, of, slots);
    sn_free(&world->memory, of, slots, sizeof *of);
    return result;
}
