/*
 * The kernels of a constraint type: its file, as it is, in the scalar width, and one thread per
 * constraint of a colour. SN_KERNEL_TEXT names the file. A kernel has the name of its type and of
 * the loop: distance_hard, distance_hard_kept, distance_compliant, ...
 */
#define SN_DEVICE
#define SN_LANES 1
#include SN_KERNEL_TEXT

#include "backend/cuda/thread.h"

#define KERNEL(softness, keep, name)                                                               \
    void SN_JOIN4(SN_TYPE, _, name, )(sn_batch batch, uint32_t count);                             \
    void SN_JOIN4(SN_TYPE, _, name, )(sn_batch batch, uint32_t count) {                            \
        /* A copy, since parameters of a kernel have an address space of their own. */             \
        const sn_batch mine = batch;                                                               \
        size_t slot = sn_thread_index();                                                           \
        if (slot < count) SN_LOOPS(SN_TYPE, 1).project[softness][keep](&mine, slot, slot + 1);     \
    }

KERNEL(SN_HARD, 0, hard)
KERNEL(SN_HARD, 1, hard_kept)
KERNEL(SN_COMPLIANT, 0, compliant)
KERNEL(SN_COMPLIANT, 1, compliant_kept)
