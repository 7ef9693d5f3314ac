/* The hashes of the worlds in kinds.c, one per kind; the same on every machine. */
#ifndef SINEW_TESTS_BODIES_KIND_HASHES_H
#define SINEW_TESTS_BODIES_KIND_HASHES_H

#include <sinew/build.h>

static const uint64_t golden_hash[SN_KIND_COUNT] = {
#ifdef SN_DOUBLE
    0xa12d9b03569f91c4, /* particles */
    0x48e26223584826ee, /* rope */
    0x02dc2bb930e7d982, /* rod */
    0x49d9909a2c0b97f3, /* cloth */
    0xf8687f12c6eaa9f6, /* solid */
    0x9508160ad216ce48, /* shape */
    0x69650036edccd443, /* oriented */
#else
    0xe20224d1bb440138, /* particles */
    0x52b98a67bb4b8cc4, /* rope */
    0x337c9b466e775d9a, /* rod */
    0xd73974a56008537a, /* cloth */
    0x62aded1de5f306ce, /* solid */
    0xf8249b6de0f548cc, /* shape */
    0x6383ef7e11685715, /* oriented */
#endif
};

#endif
