#include "api/systems.h"

#include "state/system.h"

#define SN_DECLARE_SYSTEM(NAME, name) extern const sn_system sn_##name##_system;
SN_SYSTEMS(SN_DECLARE_SYSTEM)
#undef SN_DECLARE_SYSTEM

static const sn_system *const list[] = {
#define SN_LIST_SYSTEM(NAME, name) &sn_##name##_system,
    SN_SYSTEMS(SN_LIST_SYSTEM)
#undef SN_LIST_SYSTEM
};

sn_system_list sn_systems(void) {
    return (sn_system_list){list, sizeof list / sizeof *list};
}
