#include "step/schedule.h"

#include "base/clock.h"
#include "step/audit.h"
#include "step/offload.h"
#include "step/stages.h"

#include <assert.h>

static void add(sn_schedule *s, const sn_stage_entry *entry) {
    size_t count = s->begin[SN_STAGE_COUNT], k = count;
    assert(count < SN_MOST_STAGE_ENTRIES);
    /* Behind all that are not later: entries of one rank stay in the order of lists. */
    for (; k > 0; k--) {
        const sn_stage_entry *before = s->entry[k - 1];
        if (before->stage < entry->stage ||
            (before->stage == entry->stage && before->rank <= entry->rank))
            break;
        s->entry[k] = before;
    }
    s->entry[k] = entry;
    for (int stage = (int)entry->stage + 1; stage <= SN_STAGE_COUNT; stage++) s->begin[stage]++;
}

void sn_schedule_begin(sn_schedule *schedule) {
    *schedule = (sn_schedule){.since = sn_clock()};
    schedule->charge = &schedule->times;
}

static void add_active(sn_schedule *schedule, const sn_world *world, sn_stage first, sn_stage last,
                       const sn_stage_entry *entry, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (entry[i].stage >= first && entry[i].stage <= last &&
            (!entry[i].active || entry[i].active(world)))
            add(schedule, &entry[i]);
}

void sn_schedule_add(sn_schedule *schedule, const sn_world *world, sn_stage first, sn_stage last) {
    add_active(schedule, world, first, last, sn_step_stages, sn_step_stages_count);
    for (size_t i = 0; i < world->bindings.systems.count; i++)
        add_active(schedule, world, first, last, world->bindings.systems.system[i]->stages,
                   world->bindings.systems.system[i]->stage_count);
}

void sn_schedule_charge(sn_schedule *schedule, size_t timer) {
    double now = sn_clock();
    *(double *)((char *)schedule->charge + timer) += now - schedule->since;
    schedule->since = now;
}

void sn_schedule_run(sn_schedule *schedule, sn_stage stage, sn_step *step) {
    for (size_t i = schedule->begin[stage]; i < schedule->begin[stage + 1]; i++) {
        const sn_stage_entry *entry = schedule->entry[i];
        sn_offload_fetch_for(step, entry);
        if (step->audit) sn_audit_enter(step, entry);
        entry->run(step);
        if (step->audit) sn_audit_leave(step, entry);
        /* Entries of one timer are charged together. */
        bool more = i + 1 < schedule->begin[stage + 1];
        if (!more || schedule->entry[i + 1]->timer != entry->timer)
            sn_schedule_charge(schedule, entry->timer);
    }
}

bool sn_schedule_plan(sn_schedule *schedule, sn_stage stage, sn_step *step) {
    for (size_t i = schedule->begin[stage]; i < schedule->begin[stage + 1]; i++) {
        const sn_stage_entry *entry = schedule->entry[i];
        if (!entry->plan(step)) return false;
        sn_schedule_charge(schedule, entry->timer);
    }
    return true;
}
