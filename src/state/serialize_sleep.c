/*
 * Sleep to and from an archive: who sleeps with whom, and how long the others have been slow.
 * Worlds in which nothing sleeps have the bytes that they always had.
 */
#include "state/serialize.h"

/* A column of flags that are members of something, one per slot. */
static void serialize_flag(sn_archive *a, sn_archive_cursor *cursor, uint8_t *flag, size_t i) {
    sn_archive_next(a, cursor, flag);
    if (a->result == SN_OK && *flag > 1)
        sn_archive_fail(a, "%s %zu is %u, expected 0 or 1", cursor->name, i, *flag);
}

void sn_serialize_may_sleep(sn_archive *a, sn_bodies *bodies) {
    size_t count = bodies->slots.count;
    bool said = false;
    for (size_t i = 0; !a->reading && i < count; i++) said |= !bodies->def[i].may_sleep;
    for (size_t i = 0; a->reading && i < count; i++) bodies->def[i].may_sleep = true;
    if (a->reading) said = sn_archive_count(a, "may_sleep") > 0;
    if (!said) return;
    sn_archive_cursor cursor = sn_archive_open(a, "may_sleep", SN_ARCHIVE_U8, count);
    for (size_t i = 0; i < count && a->result == SN_OK; i++) {
        uint8_t may = bodies->def[i].may_sleep;
        serialize_flag(a, &cursor, &may, i);
        bodies->def[i].may_sleep = may == 1;
    }
}

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
    sn_archive_cursor asleep = sn_archive_open(a, "asleep", SN_ARCHIVE_U8, count);
    for (size_t i = 0; i < count && a->result == SN_OK; i++) {
        uint8_t flag = sn_sleep_has(sleep, (uint32_t)i + 1);
        serialize_flag(a, &asleep, &flag, i);
        if (a->reading) sleep->asleep[i] = flag;
    }
    sn_archive_cursor next = sn_archive_open(a, "next", SN_ARCHIVE_U32, count);
    for (size_t i = 0; i < count && a->result == SN_OK; i++) {
        uint32_t value = !a->reading && i < sleep->capacity ? sleep->next[i] : (uint32_t)i;
        sn_archive_next(a, &next, &value);
        if (a->reading) sleep->next[i] = value;
    }
    sn_archive_cursor still = sn_archive_open(a, "still", SN_ARCHIVE_F64, count);
    for (size_t i = 0; i < count && a->result == SN_OK; i++) {
        double value = !a->reading && i < sleep->capacity ? sleep->still[i] : 0;
        sn_archive_next(a, &still, &value);
        if (a->reading) sleep->still[i] = value;
    }
    if (a->reading && a->result == SN_OK) check_rings(a, world);
}

/* Which colliders will wake what is near them. */
static void serialize_changed(sn_archive *a, sn_world *world) {
    size_t count = world->colliders.slots.count;
    sn_archive_cursor cursor = sn_archive_open(a, "changed", SN_ARCHIVE_U8, count);
    for (size_t i = 0; i < count && a->result == SN_OK; i++)
        serialize_flag(a, &cursor, &world->colliders.state[i].changed, i);
}

void sn_world_serialize_sleep(sn_world *world, sn_archive *a) {
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
