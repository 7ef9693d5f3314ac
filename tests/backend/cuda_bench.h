/* What a projection costs on a device: a cloth of a million distances, 20 sweeps. */
#ifndef SINEW_TESTS_BACKEND_CUDA_BENCH_H
#define SINEW_TESTS_BACKEND_CUDA_BENCH_H

#include "backend/cuda/cuda.h"

/* Prints a table of device and threads. Both do the same; whether they end in the same bits. */
bool cuda_bench(sn_cuda *cuda);

#endif
