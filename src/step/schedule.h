/* The lines of a step in their order: which entries of the step and of systems take part. */
#ifndef SN_STEP_SCHEDULE_H
#define SN_STEP_SCHEDULE_H

#include "state/system.h"

enum { SN_MOST_STAGE_ENTRIES = 112 };

typedef struct sn_schedule sn_schedule;
struct sn_schedule {
    const sn_stage_entry *entry[SN_MOST_STAGE_ENTRIES]; /* by stage, rank and list */
    size_t begin[SN_STAGE_COUNT + 1];
    sn_stats times;   /* of the plan; then of the world */
    sn_stats *charge; /* who is charged */
    double since;     /* s, when somebody was charged last */
};

void sn_schedule_begin(sn_schedule *schedule);
/* Adds the entries of some stages that are active now. */
void sn_schedule_add(sn_schedule *schedule, const sn_world *world, sn_stage first, sn_stage last);

static inline bool sn_schedule_has(const sn_schedule *schedule, sn_stage stage) {
    return schedule->begin[stage + 1] > schedule->begin[stage];
}

/* Runs a stage and charges every entry's timer. */
void sn_schedule_run(sn_schedule *schedule, sn_stage stage, sn_step *step);
/* The same of a stage that may fail. */
bool sn_schedule_plan(sn_schedule *schedule, sn_stage stage, sn_step *step);
/* Charges a timer with the time since the last charge. */
void sn_schedule_charge(sn_schedule *schedule, size_t timer);

#endif
