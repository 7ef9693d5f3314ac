/* The kernels as PTX: time integration, then one module per type. The build makes modules.c. */
#ifndef SN_BACKEND_CUDA_MODULES_H
#define SN_BACKEND_CUDA_MODULES_H

#include <stddef.h>

typedef struct sn_cuda_module {
    const char *name;
    const unsigned char *text; /* ends with a zero */
} sn_cuda_module;

extern const sn_cuda_module sn_cuda_modules[];
extern const size_t sn_cuda_module_count;

#endif
