/*
 * A driver whose device is this machine, for tests of the backend where there is no GPU: the text
 * of the kernels compiled for the host, one thread after the other, the last one first. Memory of
 * the device begins as NaN, so that what was not uploaded shows. EMULATED_BYTES in the environment
 * says how much of it there is.
 */
#include "registers.h"

#include <stdlib.h>
#include <string.h>

#include "backend/cuda/driver.h"
#include "step/integrators/integrator.h"

/* ---- Kernels ---- */

typedef void projection(sn_batch batch, uint32_t count);
typedef void integration(sn_nodes nodes, sn_integration how, uint32_t begin, uint32_t end,
                         uint32_t *spoiled);

#define INTEGRATIONS(KERNEL)                                                                       \
    KERNEL(integrate_update)                                                                       \
    KERNEL(integrate_predict)                                                                      \
    KERNEL(integrate_predict_special) KERNEL(integrate_both) KERNEL(integrate_both_special)
#define LOOPS(KERNEL, type)                                                                        \
    KERNEL(type##_hard)                                                                            \
    KERNEL(type##_hard_kept)                                                                       \
    KERNEL(type##_compliant)                                                                       \
    KERNEL(type##_compliant_kept)

/* Calls a kernel with what is launched. */
#define PROJECTION(name)                                                                           \
    projection name;                                                                               \
    static void call_##name(void **p) {                                                            \
        name(*(sn_batch *)p[0], *(uint32_t *)p[1]);                                                \
    }
#define INTEGRATION(name)                                                                          \
    integration name;                                                                              \
    static void call_##name(void **p) {                                                            \
        name(*(sn_nodes *)p[0], *(sn_integration *)p[1], *(uint32_t *)p[2], *(uint32_t *)p[3],     \
             *(uint32_t **)p[4]);                                                                  \
    }
#define ROW(name) {#name, call_##name},

INTEGRATIONS(INTEGRATION)
#define T(type) LOOPS(PROJECTION, type)
EMULATED_TYPES
#undef T

#define T(type) LOOPS(ROW, type)
static struct kernel {
    const char *name;
    void (*call)(void **parameter);
} kernels[] = {INTEGRATIONS(ROW) EMULATED_TYPES};

/* ---- Threads ---- */

static unsigned thread, threads, block;

int __nvvm_read_ptx_sreg_tid_x(void) {
    return (int)thread;
}
int __nvvm_read_ptx_sreg_ntid_x(void) {
    return (int)threads;
}
int __nvvm_read_ptx_sreg_ctaid_x(void) {
    return (int)block;
}

/* ---- The functions of the driver ---- */

#define PROTOTYPE(member, name, parameters) int name parameters;
SN_DRIVER_FUNCTIONS(PROTOTYPE)

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_FOUND = 500 };

static size_t held;

/* Before every block of memory, its size. */
typedef struct header {
    _Alignas(64) size_t bytes;
} header;

static header *header_of(sn_cu_pointer at) {
    return (header *)(uintptr_t)at - 1;
}

int cuInit(unsigned flags) {
    return flags == 0 ? SUCCESS : INVALID_VALUE;
}

int cuGetErrorString(int result, const char **sentence) {
    *sentence = result == OUT_OF_MEMORY ? "out of memory" : "failed";
    return SUCCESS;
}

int cuDeviceGet(int *device, int number) {
    *device = number;
    return SUCCESS;
}

int cuDeviceGetName(char *name, int room, int device) {
    if (room < 16 || device != 0) return INVALID_VALUE;
    strcpy(name, "emulated device");
    return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = &held;
    return device == 0 ? SUCCESS : INVALID_VALUE;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
    return device == 0 && held == 0 ? SUCCESS : INVALID_VALUE;
}

int cuCtxSetCurrent(void *context) {
    return context == &held ? SUCCESS : INVALID_VALUE;
}

int cuCtxSynchronize(void) {
    return SUCCESS;
}

int cuModuleLoadDataEx(void **module, const void *text, unsigned options, int *option,
                       void **value) {
    (void)options, (void)option, (void)value;
    *module = &held;
    return strstr(text, ".entry") ? SUCCESS : INVALID_VALUE;
}

int cuModuleUnload(void *module) {
    return module == &held ? SUCCESS : INVALID_VALUE;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
    for (size_t i = 0; module && i < sizeof kernels / sizeof *kernels; i++) {
        if (strcmp(kernels[i].name, name) != 0) continue;
        *function = &kernels[i];
        return SUCCESS;
    }
    return NOT_FOUND;
}

static bool has_room(size_t bytes) {
    const char *most = getenv("EMULATED_BYTES");
    return !most || held + bytes <= strtoull(most, NULL, 10);
}

int cuMemAlloc_v2(unsigned long long *to, size_t bytes) {
    header *made = has_room(bytes) ? malloc(sizeof *made + bytes) : NULL;
    if (!made) return OUT_OF_MEMORY;
    made->bytes = bytes;
    held += bytes;
    memset(made + 1, 0xff, bytes);
    *to = (uintptr_t)(made + 1);
    return SUCCESS;
}

int cuMemFree_v2(sn_cu_pointer at) {
    held -= header_of(at)->bytes;
    free(header_of(at));
    return SUCCESS;
}

int cuMemcpyHtoD_v2(sn_cu_pointer to, const void *from, size_t bytes) {
    memcpy((void *)(uintptr_t)to, from, bytes);
    return SUCCESS;
}

int cuMemcpyDtoH_v2(void *to, sn_cu_pointer from, size_t bytes) {
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return SUCCESS;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   void *stream, void **parameter, void **extra) {
    const struct kernel *kernel = function;
    if (grid_y * grid_z * block_y * block_z != 1 || shared_bytes > 0 || stream || extra)
        return INVALID_VALUE;
    threads = block_x;
    for (block = grid_x; block-- > 0;)
        for (thread = block_x; thread-- > 0;) kernel->call(parameter);
    return SUCCESS;
}
