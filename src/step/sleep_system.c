/* Sleeping as a system: who is disturbed wakes before pairs are found, who is slow falls asleep. */
#include "state/system.h"
#include "step/sleep.h"

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_WAKE, "wake", SN_TIMER(prepare), .plan = sn_sleep_plan,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_COLLIDERS},
    {SN_STAGE_FIND, SN_RANK_SLEEPERS, "wake by contact", SN_TIMER(find), .plan = sn_sleep_contact,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES},
    {SN_STAGE_END, SN_RANK_SLEEP, "sleep", SN_TIMER(update), .run = sn_sleep_end,
     .reads = SN_STATE_POSITIONS | SN_STATE_CONTACTS, .writes = SN_STATE_VELOCITIES},
};

const sn_system sn_sleep_system = {
    .name = "sleep",
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .planned = sn_sleep_planned,
    .serialize = sn_sleep_serialize,
};
