/*
 * How rods are turned, and how wide and long they are beside their rest: from the orientations of
 * their nodes, or from their ghost points (ghost_point.c has the frame).
 */
#include "api/check.h"
#include "bodies/ghost_rod.h"
#include "math/rotation_quat.h"

#include <sinew/attach.h>

/* The constraint that a node has its frame from, by its slot; that of the line which begins there
   rather than of the one that ends. */
static sn_result find_lines(const sn_world *world, sn_constraint *of) {
    size_t left = sn_world_constraint_count(world, SN_TYPE_GHOST_POINT);
    for (size_t slot = 0; left > 0; slot++) {
        sn_constraint constraint;
        sn_type found;
        sn_ghost_point_def def = sn_ghost_point_def_default();
        if (sn_world_constraint_at(world, slot, &constraint) != SN_OK ||
            sn_constraint_get_type(world, constraint, &found) != SN_OK ||
            found != SN_TYPE_GHOST_POINT)
            continue;
        left--;
        SN_TRY(sn_constraint_get(world, constraint, &def));
        of[def.node[0].slot] = constraint;
        if (of[def.node[1].slot].slot == 0) of[def.node[1].slot] = constraint;
    }
    return SN_OK;
}

static sn_point place_of(const sn_world *world, sn_node node) {
    sn_vec4 x = world->nodes.x[node.slot - 1];
    return (sn_point){(double)x.x, (double)x.y, (double)x.z};
}

static void read_frame(const sn_world *world, const sn_ghost_point_def *def, sn_quat *q,
                       sn_vec3 *scale) {
    sn_point from = place_of(world, def->node[0]), to = place_of(world, def->node[1]);
    sn_point e = sn_point_sub(to, from);
    sn_point f =
        sn_point_sub(place_of(world, def->node[2]), sn_point_scaled(sn_point_add(from, to), 0.5));
    double length = sn_point_length(e), wide = sn_point_length(f), quat[4];
    sn_point z = sn_point_scaled(e, 1 / length);
    sn_point across = sn_point_sub(f, sn_point_scaled(z, sn_point_dot(f, z)));
    sn_point x = sn_point_scaled(across, 1 / sn_point_length(across)), y = sn_point_cross(z, x);
    double rows[3][3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
    sn_double4_quat_of(rows, quat);
    *q = (sn_quat){(sn_real)quat[0], (sn_real)quat[1], (sn_real)quat[2], (sn_real)quat[3]};
    sn_real thick = (sn_real)(wide / (double)def->radius);
    if (scale) *scale = (sn_vec3){thick, thick, (sn_real)(length / (double)def->rest_length)};
}

static sn_result read_all(const sn_world *world, const sn_node *nodes, size_t count,
                          const sn_constraint *of, sn_quat *orientations, sn_vec3 *scales) {
    for (size_t i = 0; i < count; i++) {
        sn_node_def node = sn_node_def_default();
        sn_ghost_point_def def = sn_ghost_point_def_default();
        SN_TRY(sn_node_get(world, nodes[i], &node));
        if (node.oriented) {
            orientations[i] = node.orientation;
            if (scales) scales[i] = (sn_vec3){1, 1, 1};
            continue;
        }
        if (of[nodes[i].slot].slot == 0)
            return sn_fail(SN_ERROR_DEGENERATE,
                           "rod frames: node %u has no orientation and no line with a ghost point, "
                           "expected a node of a rod",
                           nodes[i].slot - 1);
        SN_TRY(sn_constraint_get(world, of[nodes[i].slot], &def));
        read_frame(world, &def, &orientations[i], scales ? &scales[i] : NULL);
    }
    return SN_OK;
}

sn_result sn_rod_frames(const sn_world *world, const sn_node *nodes, size_t count,
                        sn_quat *orientations, sn_vec3 *scales) {
    SN_CHECK_WORLD(world);
    if (count == 0) return SN_OK;
    SN_CHECK_POINTER(nodes);
    SN_CHECK_POINTER(orientations);
    /* Memory is counted in the world, of which nothing else changes. */
    sn_memory *memory = (sn_memory *)(uintptr_t)&world->memory;
    size_t slots = sn_slots_needed(&world->nodes.slots, 0) + 1;
    sn_constraint *of = sn_allocate(memory, slots, sizeof *of);
    if (!of) return sn_fail(SN_ERROR_MEMORY, "rod frames: no memory for %zu nodes", slots);
    for (size_t i = 0; i < slots; i++) of[i] = (sn_constraint){0};
    sn_result result = find_lines(world, of);
    if (result == SN_OK) result = read_all(world, nodes, count, of, orientations, scales);
    sn_free(memory, of, slots, sizeof *of);
    return result;
}
