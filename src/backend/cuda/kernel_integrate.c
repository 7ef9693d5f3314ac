/* The kernels of time integration: the file of BDF1, as it is, and one thread per node. */
#include "step/integrators/bdf1.c"

#include "backend/cuda/thread.h"

#define KERNEL(name, update, predict, special)                                                     \
    void name(sn_nodes nodes, sn_integration how, uint32_t begin, uint32_t end,                    \
              uint32_t *spoiled);                                                                  \
    void name(sn_nodes nodes, sn_integration how, uint32_t begin, uint32_t end,                    \
              uint32_t *spoiled) {                                                                 \
        /* Copies, since parameters of a kernel have an address space of their own. */             \
        const sn_nodes mine = nodes;                                                               \
        const sn_integration own = how;                                                            \
        size_t i = (size_t)begin + sn_thread_index();                                              \
        if (i >= end) return;                                                                      \
        sn_v4 sum = integrate(&mine, i, i + 1, &own, update, predict, special);                    \
        if (!sn_freeze_is_finite(*(sn_vec4 *)&sum)) *spoiled = 1;                                  \
    }

KERNEL(integrate_update, true, false, false)
KERNEL(integrate_predict, false, true, false)
KERNEL(integrate_predict_special, false, true, true)
KERNEL(integrate_both, true, true, false)
KERNEL(integrate_both_special, true, true, true)
