/* The hashes of the worlds in kinds.c, one per kind; the same on every machine. */
#ifndef SINEW_TESTS_BODIES_KIND_HASHES_H
#define SINEW_TESTS_BODIES_KIND_HASHES_H

#include <sinew/build.h>

static const uint64_t golden_hash[SN_KIND_COUNT] = {
#ifdef SN_DOUBLE
    0xa12d9b03569f91c4, /* particles */
    0x48e26223584826ee, /* rope */
    0x02dc2bb930e7d982, /* rod */
    0x4fd28b34de541e6f, /* cloth */
    0x40ed18dbe1e4d1fb, /* solid */
    0x6b137dad59ed7e45, /* shape */
    0x69650036edccd443, /* oriented */
#else
    0xe20224d1bb440138, /* particles */
    0x52b98a67bb4b8cc4, /* rope */
    0x337c9b466e775d9a, /* rod */
    0x9c70465a95a78b55, /* cloth */
    0xe28b079ce007c7d7, /* solid */
    0x0cb55ab0e49349a1, /* shape */
    0x6383ef7e11685715, /* oriented */
#endif
};

#endif
