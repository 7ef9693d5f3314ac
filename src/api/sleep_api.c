/* The public calls on sleep. */
#include "api/call.h"
#include "api/check.h"

#define CALLS(CALL, OWN)                                                                           \
    CALL(WAKE, "body_wake", SN_PART_ID, 0, NULL, sn_body_wake(world, SN_ID_AS(sn_body, call->id)))
SN_DEFINE_CALLS(sleep, CALLS, .next = NULL)

bool sn_body_is_asleep(const sn_world *world, sn_body body) {
    return world && sn_slots_has(&world->bodies.slots, SN_ID(body), world->tag) &&
           sn_sleep_has(&world->sleep, body.slot);
}

sn_result sn_body_wake(sn_world *world, sn_body body) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_body(world, body));
    sn_world_wake_body(world, body.slot);
    SN_RECORD(world, WAKE, .id = SN_ID(body));
    return SN_OK;
}
