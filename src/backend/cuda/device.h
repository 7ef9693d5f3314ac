/*
 * A device: its memory, its kernels, its work. It knows nothing of worlds.
 *
 * Work is done in the order in which it is asked for, and a launch that fails shows later, in a
 * call that waits. The first failure is kept as a sentence, and nothing is done after it.
 */
#ifndef SN_BACKEND_CUDA_DEVICE_H
#define SN_BACKEND_CUDA_DEVICE_H

#include "backend/cuda/driver.h"
#include "backend/cuda/modules.h"

typedef struct sn_device {
    sn_driver driver;
    int number;
    void *context;
    char name[256];
    bool failed;
    char failure[256]; /* a sentence */
} sn_device;

/* The first device; SN_ERROR_FILE where there is no driver or no device. */
sn_result sn_device_open(sn_device *device, const char *driver);
/* Modules are unloaded and memory is given back before this. */
void sn_device_close(sn_device *device);

/* Before other calls in a thread; false where it failed. */
bool sn_device_use(sn_device *device);
bool sn_device_wait(sn_device *device);

/* ---- Kernels ---- */

/* The driver compiles a module; SN_ERROR_DATA where it refuses to. */
sn_result sn_device_load(sn_device *device, const sn_cuda_module *from, void **module);
void sn_device_unload(sn_device *device, void *module);
sn_result sn_device_kernel(sn_device *device, void *module, const char *name, void **kernel);

/* A thread per item. The parameters may go when it returns. */
bool sn_device_launch(sn_device *device, void *kernel, size_t items, void **parameter);

/* ---- Memory ---- */

typedef struct sn_buffer {
    sn_cu_pointer at;
    size_t capacity; /* bytes */
} sn_buffer;

/* Room for so many bytes; what was there is lost where it grows. Missing memory is no failure. */
bool sn_buffer_reserve(sn_device *device, sn_buffer *buffer, size_t bytes);
void sn_buffer_free(sn_device *device, sn_buffer *buffer);

/* Copies to the beginning of a buffer, with room for it; and back, from any byte of it. */
bool sn_buffer_put(sn_device *device, sn_buffer *buffer, const void *from, size_t bytes);
bool sn_buffer_get(sn_device *device, const sn_buffer *buffer, size_t at, void *to, size_t bytes);

/* What kernels see. */
static inline void *sn_buffer_pointer(const sn_buffer *buffer) {
    return (void *)(uintptr_t)buffer->at;
}

#endif
