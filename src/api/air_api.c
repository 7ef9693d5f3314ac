/* The public calls on air. */
#include "api/check.h"
#include "systems/aerodynamics/drags.h"

sn_result sn_world_set_wind(sn_world *world, sn_wind *wind, void *user) {
    SN_CHECK_WORLD(world);
    sn_air_of(world)->wind = wind;
    sn_air_of(world)->user = user;
    sn_world_wake_all(world);
    return SN_OK;
}
