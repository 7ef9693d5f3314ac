/* The public calls on air. */
#include "api/check.h"

sn_result sn_world_set_wind(sn_world *world, sn_wind *wind, void *user) {
    SN_CHECK_WORLD(world);
    world->air.wind = wind;
    world->air.user = user;
    sn_world_wake_all(world);
    return SN_OK;
}
