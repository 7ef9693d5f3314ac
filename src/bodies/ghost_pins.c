/*
 * Pins of rods with ghost points: a place each. Where both ends of a line are pinned its ghost
 * point is as well, so that the line keeps its direction and its twist, and what the joint behind
 * it stands for begins at its end.
 */
#include "api/check.h"
#include "bodies/ghost_rod.h"
#include "bodies/lines.h"

/* What is known of a node, by its slot. */
typedef struct known {
    bool end;       /* of a line with a ghost point */
    double length;  /* m, of the line whose ghost point it is; 0: of none */
    bool was, held; /* both ends of that line, before and now */
} known;

static sn_result hold(sn_world *world, sn_node node) {
    SN_TRY(sn_node_set_inverse_mass(world, node, 0));
    return sn_node_set_velocity(world, node, (sn_vec3){0, 0, 0});
}

static bool is_held(const sn_world *world, sn_node node) {
    return world->nodes.w[node.slot - 1] == 0;
}

static sn_result see_line(sn_world *world, sn_constraint constraint, void *context) {
    known *of = context;
    sn_ghost_point_def def = sn_ghost_point_def_default();
    SN_TRY(sn_constraint_get(world, constraint, &def));
    of[def.node[0].slot].end = of[def.node[1].slot].end = true;
    of[def.node[2].slot].length = (double)def.rest_length;
    of[def.node[2].slot].was = is_held(world, def.node[2]);
    return SN_OK;
}

static sn_result hold_ghost(sn_world *world, sn_constraint constraint, void *context) {
    known *of = context;
    sn_ghost_point_def def = sn_ghost_point_def_default();
    SN_TRY(sn_constraint_get(world, constraint, &def));
    bool held = is_held(world, def.node[0]) && is_held(world, def.node[1]);
    of[def.node[2].slot].held = held;
    return held ? hold(world, def.node[2]) : SN_OK;
}

/* Half of both lines, but for one that is held while the other is not. */
static double span(const known *a, const known *b, bool a_held, bool b_held) {
    if (a_held == b_held) return a->length + b->length;
    return a_held ? b->length : a->length;
}

static sn_result shorten_joint(sn_world *world, sn_constraint constraint, void *context) {
    const known *of = context;
    sn_darboux_def def = sn_darboux_def_default();
    SN_TRY(sn_constraint_get(world, constraint, &def));
    const known *a = &of[def.node[3].slot], *b = &of[def.node[4].slot];
    double ratio = span(a, b, a->held, b->held) / span(a, b, a->was, b->was);
    if (ratio == 1) return SN_OK;
    def.rest_length = (sn_real)((double)def.rest_length * ratio);
    def.rest_darboux.x = (sn_real)((double)def.rest_darboux.x / ratio);
    def.rest_darboux.y = (sn_real)((double)def.rest_darboux.y / ratio);
    def.rest_darboux.z = (sn_real)((double)def.rest_darboux.z / ratio);
    def.damping = (sn_real)((double)def.damping / ratio);
    return sn_constraint_set(world, constraint, &def);
}

static sn_result pin_all(sn_world *world, const sn_node *nodes, size_t count, known *of) {
    SN_TRY(sn_rod_visit(world, SN_TYPE_GHOST_POINT, see_line, of));
    for (size_t i = 0; i < count; i++)
        if (!of[nodes[i].slot].end)
            return sn_fail(SN_ERROR_DEGENERATE,
                           "rod pin: node %u has no orientation and no line with a ghost point, "
                           "expected a node of a rod",
                           nodes[i].slot - 1);
    for (size_t i = 0; i < count; i++) SN_TRY(hold(world, nodes[i]));
    SN_TRY(sn_rod_visit(world, SN_TYPE_GHOST_POINT, hold_ghost, of));
    return sn_rod_visit(world, SN_TYPE_DARBOUX, shorten_joint, of);
}

sn_result sn_ghost_rod_pin(sn_world *world, const sn_node *nodes, size_t count) {
    size_t slots = sn_slots_needed(&world->nodes.slots, 0) + 1;
    known *of = sn_allocate(&world->memory, slots, sizeof *of);
    if (!of) return sn_fail(SN_ERROR_MEMORY, "rod pin: no memory for %zu nodes", slots);
    for (size_t i = 0; i < slots; i++) of[i] = (known){0};
    sn_result result = pin_all(world, nodes, count, of);
    sn_free(&world->memory, of, slots, sizeof *of);
    return result;
}
