/*
 * The driver of NVIDIA, found at run time: the few functions that are needed, declared here, since
 * nothing of CUDA is needed to build. Names and types are those of the driver API, whose interface
 * is stable; every function returns 0 where it succeeded.
 */
#ifndef SN_BACKEND_CUDA_DRIVER_H
#define SN_BACKEND_CUDA_DRIVER_H

#include <sinew/base.h>

/* An address of the device; 0 for none. */
typedef unsigned long long sn_cu_pointer;

/* Member, name in the library, parameters. Contexts, modules and functions are pointers to what
   only the driver knows. */
#define SN_DRIVER_FUNCTIONS(F)                                                                     \
    F(init, cuInit, (unsigned flags))                                                              \
    F(describe, cuGetErrorString, (int result, const char **sentence))                             \
    F(get_device, cuDeviceGet, (int *device, int number))                                          \
    F(get_name, cuDeviceGetName, (char *name, int room, int device))                               \
    F(retain_context, cuDevicePrimaryCtxRetain, (void **context, int device))                      \
    F(release_context, cuDevicePrimaryCtxRelease_v2, (int device))                                 \
    F(set_context, cuCtxSetCurrent, (void *context))                                               \
    F(wait, cuCtxSynchronize, (void))                                                              \
    F(load, cuModuleLoadDataEx,                                                                    \
      (void **module, const void *text, unsigned options, int *option, void **value))              \
    F(unload, cuModuleUnload, (void *module))                                                      \
    F(get_function, cuModuleGetFunction, (void **function, void *module, const char *name))        \
    F(allocate, cuMemAlloc_v2, (unsigned long long *to, size_t bytes))                             \
    F(release, cuMemFree_v2, (sn_cu_pointer at))                                                   \
    F(upload, cuMemcpyHtoD_v2, (sn_cu_pointer to, const void *from, size_t bytes))                 \
    F(download, cuMemcpyDtoH_v2, (void *to, sn_cu_pointer from, size_t bytes))                     \
    F(launch, cuLaunchKernel,                                                                      \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,        \
       unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **parameter,  \
       void **extra))

typedef struct sn_driver {
    void *library;
#define SN_DRIVER_MEMBER(member, name, parameters) int(*member) parameters;
    SN_DRIVER_FUNCTIONS(SN_DRIVER_MEMBER)
#undef SN_DRIVER_MEMBER
} sn_driver;

/* Loads a library, libcuda.so.1 where null is given, and finds the functions in it. */
sn_result sn_driver_open(sn_driver *driver, const char *library);
void sn_driver_close(sn_driver *driver);

/* What a result of the driver means. */
const char *sn_driver_sentence(const sn_driver *driver, int result);

#endif
