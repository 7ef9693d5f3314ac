#include "collision/period.h"

#include "state/serialize.h"

SN_DEFINE_OBJECT(period, SN_PERIOD_FIELDS, "period", "a box whose opposite sides are one",
                 .check = NULL)

/* Worlds that are not periodic have no such section. */
void sn_world_serialize_period(sn_world *world, sn_archive *a) {
    if (a->reading && !sn_archive_is_next(a, "period")) return;
    if (!a->reading && !sn_world_is_periodic(world)) return;
    sn_period_def *def = &sn_collision_of(world)->period;
    sn_archive_section(a, "period");
    sn_object_serialize(&sn_period_object, a, def, sizeof *def, 1, 0);
    sn_archive_section_end(a);
}
