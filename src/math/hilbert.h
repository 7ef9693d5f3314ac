/*
 * The Hilbert curve in two or three dimensions (the transposed form of Skilling 2004, Programming
 * the Hilbert curve): as that of Morton, but without jumps, since cells that follow each other
 * along it share a side.
 */
#ifndef SN_MATH_HILBERT_H
#define SN_MATH_HILBERT_H

#include <stdint.h>

/* The place along the curve of a cell with `bits` bits for each of its axes, 63 at most in all. */
static inline uint64_t sn_hilbert_code(const uint32_t *cell, int axes, int bits) {
    uint32_t x[3] = {cell[0], cell[1], axes > 2 ? cell[2] : 0}, turned = 0;
    /* Each half of a cube is the whole turned or mirrored; undo that from the coarsest on. */
    for (uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1)
        for (int k = 0; k < axes; k++) {
            uint32_t below = bit - 1, swapped = (x[0] ^ x[k]) & below;
            x[0] ^= x[k] & bit ? below : swapped;
            x[k] ^= x[k] & bit ? 0 : swapped;
        }
    /* What is left is a Gray code. */
    for (int k = 1; k < axes; k++) x[k] ^= x[k - 1];
    for (uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1)
        if (x[axes - 1] & bit) turned ^= bit - 1;
    uint64_t code = 0;
    for (int bit = bits - 1; bit >= 0; bit--)
        for (int k = 0; k < axes; k++) code = code << 1 | ((x[k] ^ turned) >> bit & 1);
    return code;
}

#endif
