/*
 * Sleep to and from an archive: who sleeps with whom, and how long the others have been slow.
 * Worlds in which nothing sleeps have the bytes that they always had.
 */
#include "collision/collision_state.h"
#include "state/serialize.h"
#include "step/sleep.h"

/* ---- Who sleeps ---- */

/* Every sleeper is the next of one sleeper, so that all of them are in rings; who is awake is its
   own next. Marks are put into the scratch of a step. */
static void check_rings(sn_archive *a, sn_world *world) {
    sn_sleep *sleep = &world->sleep;
    size_t count = world->bodies.slots.count;
    for (size_t i = 0; i < count && a->result == SN_OK; i++) {
        uint32_t next = sleep->next[i];
        bool fits = next < count && sleep->asleep[next] == sleep->asleep[i] && !sleep->first[next];
        bool may = world->bodies.slots.alive[i] && world->bodies.def[i].may_sleep;
        if (!fits || (sleep->asleep[i] ? !may : next != i))
            sn_archive_fail(a, "body %zu sleeps with body %u, expected a ring of bodies that may",
                            i, next);
        else if (!(sleep->still[i] >= 0))
            sn_archive_fail(a, "body %zu has been slow for %g s, expected at least 0", i,
                            sleep->still[i]);
        else
            sleep->first[next] = 1;
    }
    for (size_t i = 0; i < count && a->result == SN_OK; i++) sleep->count += sleep->asleep[i];
    sleep->changed = sleep->joints_changed = true;
}

static void serialize_bodies(sn_archive *a, sn_world *world) {
    sn_sleep *sleep = &world->sleep;
    size_t count = world->bodies.slots.count;
    size_t there = sleep->capacity < count ? sleep->capacity : count;
    sn_archive_filled(a, "asleep", SN_ARCHIVE_U8, sleep->asleep, 1, 1, there, count);
    if (a->reading) sn_serialize_check_flags(a, "asleep", sleep->asleep, count);
    /* Who came since the last step is awake, and the next of itself. */
    sn_archive_cursor next = sn_archive_open(a, "next", SN_ARCHIVE_U32, count);
    sn_archive_run(a, &next, sleep->next, sizeof *sleep->next, 1, there);
    for (uint32_t i = (uint32_t)there; i < count; i++) {
        uint32_t itself = i;
        sn_archive_next(a, &next, &itself);
    }
    sn_archive_filled(a, "still", SN_ARCHIVE_F64, sleep->still, sizeof *sleep->still, 1, there,
                      count);
    if (a->reading && a->result == SN_OK) check_rings(a, world);
}

/* Which colliders will wake what is near them. */
static void serialize_changed(sn_archive *a, sn_world *world) {
    sn_collider_state none,
        *first = sn_colliders_of(world)->state ? sn_colliders_of(world)->state : &none;
    sn_archive_choices(a, "changed", SN_ARCHIVE_U8, &first->changed, sizeof first->changed,
                       sizeof *first, sn_colliders_of(world)->slots.count, 2);
}

void sn_sleep_serialize(sn_world *world, sn_archive *a) {
    bool on = world->settings.sleep_time != SN_AUTO;
    if (a->result != SN_OK || !on) return;
    sn_archive_section(a, "sleep");
    if (a->reading)
        sn_serialize_had(
            a, sn_sleep_reserve(&world->sleep, &world->memory, world->bodies.slots.count));
    if (a->result == SN_OK) serialize_bodies(a, world);
    if (a->result == SN_OK) serialize_changed(a, world);
    sn_archive_section_end(a);
}
