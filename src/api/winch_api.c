/* The public call on lengths of ropes and rods. */
#include "api/call.h"
#include "api/check.h"
#include "step/winch.h"

#include <sinew/build.h>

#define CALLS(CALL, OWN)                                                                           \
    CALL(SCALE, "body_scale_length", SN_PART_ID | SN_PART_NUMBERS | SN_KEEPS_PAIRS, 1, NULL,       \
         sn_body_scale_length(world, SN_ID_AS(sn_body, call->id), call->number[0]))
SN_DEFINE_CALLS(winch, CALLS, .next = NULL)

sn_result sn_body_scale_length(sn_world *world, sn_body body, sn_real factor) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_body(world, body));
    SN_TRY(sn_check_real("body", "factor", factor, SN_ABOVE_ZERO, (double)SN_REAL_MAX, false, ""));
    if (sn_winch_count_lines(world, body.slot) == 0)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "sn_body_scale_length: body %u has no distances and no segments of rods, "
                       "expected a rope or a rod",
                       body.slot - 1);
    if (!sn_winch_add(world, body.slot, (double)factor)) return SN_ERROR_MEMORY;
    sn_world_wake_body(world, body.slot);
    SN_RECORD(world, SCALE, .id = SN_ID(body), .number = {factor});
    return SN_OK;
}
