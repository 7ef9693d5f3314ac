/* Who a thread of a kernel is. */
#ifndef SN_BACKEND_CUDA_THREAD_H
#define SN_BACKEND_CUDA_THREAD_H

#include "math/vector.h"

SN_INLINE uint32_t sn_thread_index(void) {
    return (uint32_t)__nvvm_read_ptx_sreg_ctaid_x() * (uint32_t)__nvvm_read_ptx_sreg_ntid_x() +
           (uint32_t)__nvvm_read_ptx_sreg_tid_x();
}

#endif
