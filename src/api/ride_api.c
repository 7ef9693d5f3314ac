/* The public call by which kinematic nodes ride on colliders. */
#include "api/call.h"
#include "api/check.h"
#include "collision/collision_state.h"
#include "math/quaternion.h"

#include <sinew/attach.h>

#define CALLS(CALL, OWN)                                                                           \
    CALL(RIDE, "node_ride", SN_PART_ID | SN_PART_OTHER, 0, NULL,                                   \
         sn_node_ride(world, SN_ID_AS(sn_node, call->id), SN_ID_AS(sn_collider, call->other)))
SN_DEFINE_CALLS(ride, CALLS, .next = NULL)

sn_result sn_node_ride(sn_world *world, sn_node node, sn_collider collider) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, node));
    SN_TRY(sn_check_collider(world, collider));
    sn_nodes *nodes = &world->nodes;
    uint32_t i = node.slot - 1;
    if (nodes->w[i] > 0)
        return sn_fail(SN_ERROR_VALUE,
                       "node %u: has the inverse mass %g, expected a kinematic node to ride", i,
                       (double)nodes->w[i]);
    if (sn_colliders_of(world)->state[collider.slot - 1].carrier)
        return sn_fail(SN_ERROR_VALUE,
                       "collider: node %u carries it, expected one that the host moves",
                       sn_colliders_of(world)->state[collider.slot - 1].carrier - 1);
    if (!sn_nodes_reserve_drive(nodes, &world->memory)) return SN_ERROR_MEMORY;
    const sn_collider_def *def = &sn_colliders_of(world)->state[collider.slot - 1].def;
    sn_quat q = def->orientation;
    sn_v4 away = *(sn_v4 *)&nodes->x[i] - sn_v4_of(def->position);
    sn_v4 point = sn_quat_rotate_back((sn_v4){q.x, q.y, q.z, q.w}, away);
    sn_drive *drive = sn_nodes_drive(nodes, i);
    *drive =
        (sn_drive){.node = i, .collider = collider.slot, .point = {point[0], point[1], point[2]}};
    sn_world_wake_node(world, i);
    SN_RECORD(world, RIDE, .id = SN_ID(node), .other = SN_ID(collider));
    return SN_OK;
}
