#include <sinew_io/look.h>

sn_io_look sn_io_look_default(void) {
    return (sn_io_look){.colour = {SN_AUTO, SN_AUTO, SN_AUTO}, .back = {SN_AUTO, SN_AUTO, SN_AUTO}};
}

sn_io_staging sn_io_staging_default(void) {
    return (sn_io_staging){.picture_at = SN_AUTO};
}
