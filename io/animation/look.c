#include <sinew_io/look.h>

sn_io_look sn_io_look_default(void) {
    return (sn_io_look){.colour = {SN_AUTO, SN_AUTO, SN_AUTO},
                        .back = {SN_AUTO, SN_AUTO, SN_AUTO},
                        .thread = (sn_real)0.001,
                        .pattern_colour = {1, 1, 1},
                        .pattern_width = (sn_real)0.05,
                        .opacity = 1,
                        .sheen = (sn_real)0.2,
                        .roughness = (sn_real)0.6};
}

sn_io_staging sn_io_staging_default(void) {
    return (sn_io_staging){.picture_at = SN_AUTO};
}
