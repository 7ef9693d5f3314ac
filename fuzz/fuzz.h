/* Fuzz targets: with libFuzzer (`./dev fuzz`), or with the small driver of driver.c in the
   tests. */
#ifndef SINEW_TESTS_FUZZ_H
#define SINEW_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What must hold, whatever the input; also in builds without assertions. */
#define FUZZ_EXPECT(condition)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Runs the target once; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
