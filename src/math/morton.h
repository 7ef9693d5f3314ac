/* The Morton curve: places that are near each other in space are near each other along it. */
#ifndef SN_MATH_MORTON_H
#define SN_MATH_MORTON_H

#include <stdint.h>

/* Every bit of a number of 21 bits three places apart. */
static inline uint64_t sn_morton_spread(uint64_t a) {
    a = (a | a << 32) & 0x001f00000000ffffu;
    a = (a | a << 16) & 0x001f0000ff0000ffu;
    a = (a | a << 8) & 0x100f00f00f00f00fu;
    a = (a | a << 4) & 0x10c30c30c30c30c3u;
    return (a | a << 2) & 0x1249249249249249u;
}

/* A cell of 21 bits along each axis as a place on the curve. */
static inline uint64_t sn_morton_code(uint64_t x, uint64_t y, uint64_t z) {
    return sn_morton_spread(x) | sn_morton_spread(y) << 1 | sn_morton_spread(z) << 2;
}

#endif
