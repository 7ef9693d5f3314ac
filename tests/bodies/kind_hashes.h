/* The hashes of the worlds in kinds.c, one per kind; the same on every machine. */
#ifndef SINEW_TESTS_BODIES_KIND_HASHES_H
#define SINEW_TESTS_BODIES_KIND_HASHES_H

#include <sinew/build.h>

static const uint64_t golden_hash[SN_KIND_COUNT] = {
#ifdef SN_DOUBLE
    0xa12d9b03569f91c4, /* particles */
    0x48e26223584826ee, /* rope */
    0x81f99238e2f29b4b, /* rod */
    0x0b6a88cf312f874c, /* cloth */
    0xd098766c6de3829a, /* solid */
    0x098e2ea821b002b9, /* shape */
    0x2f56181b36c5cd7c, /* oriented */
    0xe841e2d6f3e012e5, /* fluid */
    0xfd5b9e5c0d68cc3a, /* hair */
    0x6ae9c8b32dddfc12, /* gas */
#else
    0xe20224d1bb440138, /* particles */
    0x52b98a67bb4b8cc4, /* rope */
    0x75eb8201b2f00939, /* rod */
    0xaa047ee04345ee3a, /* cloth */
    0x48f743b8d8f144c7, /* solid */
    0x1ca5cc1f983dcb8b, /* shape */
    0xada84b7092b12733, /* oriented */
    0x73387b0a51f9edba, /* fluid */
    0x47713d1c79f99cf2, /* hair */
    0xb435493fdaad7aad, /* gas */
#endif
};

#endif
