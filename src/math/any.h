/*
 * Whether any of four answers of a comparison is yes, for loops that pass four at once.
 */
#ifndef SN_MATH_ANY_H
#define SN_MATH_ANY_H

#include "math/vector.h"

#include <stdbool.h>

SN_INLINE bool sn_v4_any(sn_v4_bits bits) {
    union {
        sn_v4_bits whole;
        uint64_t word[sizeof(sn_v4_bits) / sizeof(uint64_t)];
    } all = {bits};
    uint64_t any = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all.word; i++) any |= all.word[i];
    return any != 0;
}

#endif
