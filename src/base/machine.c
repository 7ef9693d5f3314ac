#include "base/machine.h"

/* In double all widths share the loops of four lanes, which any machine can run. */
#if defined(__x86_64__) && !defined(SN_DOUBLE)

int sn_machine_most_lanes(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return 16;
    return __builtin_cpu_supports("avx2") ? 8 : 4;
}

int sn_machine_best_lanes(void) {
    return sn_machine_most_lanes();
}

#else

int sn_machine_most_lanes(void) {
    return 16;
}

int sn_machine_best_lanes(void) {
    return 4;
}

#endif
