/* What a world is stepped with. */
#define SN_ALL_TEXTS
#include "base/error.h"
#include "state/object.h"

#include <sinew/world.h>

/* Groups that older files do not have are absent where they are the default. */
static const sn_object_column columns[] = {
    {"gravity", {"gravity"}, 0, 0, NULL},
    {"substeps", {"substeps"}, 0, 0, NULL},
    {"iterations", {"iterations"}, 0, 0, NULL},
    {"solver", {"solver"}, 0, 0, NULL},
    {"model", {"model"}, 0, 0, NULL},
    {"integrator", {"integrator"}, 0, 0, NULL},
    {"relaxation", {"relaxation"}, 0, 0, NULL},
    {"hybrid_colours", {"hybrid_colours"}, 0, 0, NULL},
    {"alternate", {"alternate"}, 0, 0, NULL},
    {"damping", {"damping"}, 0, 0, NULL},
    {"speed_limit", {"speed_limit"}, 0, 0, NULL},
    {"keep_forces", {"keep_forces"}, 0, 0, NULL},
    {"friction", {"friction"}, 0, 1, NULL},
    {"sleep_time", {"sleep_time"}, 0, 2, NULL},
    {"sleep_speed", {"sleep_speed"}, 0, 2, NULL},
    {"air_density", {"air_density"}, 0, 3, NULL},
    {"wind", {"wind"}, 0, 3, NULL},
    {"gust_strength", {"gust_strength"}, 0, 3, NULL},
    {"gust_length", {"gust_length"}, 0, 3, NULL},
    {"gust_period", {"gust_period"}, 0, 3, NULL},
    {"broad_phase", {"broad_phase"}, 0, 4, NULL},
    {"plane", {"plane"}, 0, 5, NULL},
    {"split_colours", {"split_colours"}, 0, 6, NULL},
    {"balanced_colours", {"balanced_colours"}, 0, 6, NULL},
};

static sn_result check(const void *def) {
    const sn_settings *s = def;
    if (s->relaxation > 0 && s->relaxation < 2) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "settings: relaxation is %g, expected above 0 and below 2",
                   (double)s->relaxation);
}

SN_DEFINE_OBJECT_AS(settings, sn_settings, sn_settings_default, SN_SETTINGS_FIELDS, , "settings",
                    "how the world is stepped", .columns = columns,
                    .column_count = sizeof columns / sizeof *columns, .check = check)
