/* The hashes of the worlds in kinds.c, one per kind; the same on every machine. */
#ifndef SINEW_TESTS_BODIES_KIND_HASHES_H
#define SINEW_TESTS_BODIES_KIND_HASHES_H

#include <sinew/build.h>

static const uint64_t golden_hash[SN_KIND_COUNT] = {
#ifdef SN_DOUBLE
    0x91fa7cbfdb0492bd, /* particles */
    0x8f7e69f5b1939f9a, /* rope */
    0xb08fdde98016a7c4, /* rod */
    0x65eba4b6e9adc70a, /* cloth */
    0x7ac1c677a5d0043e, /* solid */
    0x203f03f6d468b42a, /* shape */
    0xda73c377c2a8e4be, /* oriented */
#else
    0x47924a4574e49b92, /* particles */
    0x7e424c289566f35d, /* rope */
    0xc6fc5c13da46f3df, /* rod */
    0xadae83f044bb880b, /* cloth */
    0xf7e950856010921e, /* solid */
    0x0b4e3c10d406b404, /* shape */
    0x514cf6ac28f92c00, /* oriented */
#endif
};

#endif
