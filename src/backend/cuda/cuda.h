/*
 * The backend for GPUs of NVIDIA. Experimental: it projects the types that have kernels (those in
 * modules.cmake), in float, and integrates where there is nothing else to a step; the rest runs on
 * the threads.
 *
 *     sn_cuda *cuda;
 *     if (sn_cuda_open(NULL, &cuda) == SN_OK) sn_cuda_lend(cuda, world);
 *     sn_world_step(world, dt);
 *     sn_world_destroy(world);
 *     sn_cuda_close(cuda);
 *
 * A device is lent to one world at a time.
 */
#ifndef SN_BACKEND_CUDA_CUDA_H
#define SN_BACKEND_CUDA_CUDA_H

#include <sinew/world.h>

typedef struct sn_cuda sn_cuda;

/* The first device, by the driver in this library (libcuda.so.1 where null is given).
   SN_ERROR_FILE where there is no driver or no device, SN_ERROR_DATA where it refuses a kernel. */
sn_result sn_cuda_open(const char *driver, sn_cuda **out);
void sn_cuda_close(sn_cuda *cuda);

/* Lets a world be projected by the device, from its next step on; null takes it back. */
void sn_cuda_lend(sn_cuda *cuda, sn_world *world);

const char *sn_cuda_name(const sn_cuda *cuda);

/* What a device has done: projections of constraints, and passes of the integrator over a node. */
typedef struct sn_cuda_work {
    uint64_t projections, integrations;
} sn_cuda_work;

sn_cuda_work sn_cuda_done(const sn_cuda *cuda);

/* Waits until the device has done what it was told, for measurements; false where it failed at any
   time, and worlds have to be taken for wrong. */
bool sn_cuda_wait(sn_cuda *cuda);

#endif
