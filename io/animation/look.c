#include <sinew_io/look.h>

sn_io_look sn_io_look_default(void) {
    return (sn_io_look){.colour = {SN_AUTO, SN_AUTO, SN_AUTO},
                        .back = {SN_AUTO, SN_AUTO, SN_AUTO},
                        .roughness = (sn_real)0.6,
                        .sheen = (sn_real)0.3,
                        .opacity = 1,
                        .second = {1, 1, 1},
                        .size = (sn_real)0.05,
                        .texture_size = 1};
}

sn_io_staging sn_io_staging_default(void) {
    return (sn_io_staging){.picture_at = SN_AUTO,
                           .to_light = {SN_AUTO, SN_AUTO, SN_AUTO},
                           .light_size = (sn_real)0.14,
                           .has_ground = true,
                           .ground = SN_AUTO,
                           .ground_colour = {SN_AUTO, SN_AUTO, SN_AUTO},
                           .background = {SN_AUTO, SN_AUTO, SN_AUTO}};
}
