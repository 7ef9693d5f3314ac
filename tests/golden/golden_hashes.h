/* What the scenes of golden.c end in: positions, velocities, masses and time as a hash. */
#ifndef SINEW_TESTS_GOLDEN_HASHES_H
#define SINEW_TESTS_GOLDEN_HASHES_H

#include <stdint.h>

#define GOLDEN_SCENES(SCENE)                                                                       \
    SCENE(cloth, CLOTH)                                                                            \
    SCENE(reference, REFERENCE)                                                                    \
    SCENE(solid, SOLID)                                                                            \
    SCENE(rope, ROPE)                                                                              \
    SCENE(pbd, PBD)                                                                                \
    SCENE(rods, RODS)                                                                              \
    SCENE(jacobi, JACOBI)                                                                          \
    SCENE(averaged, AVERAGED)                                                                      \
    SCENE(hybrid, HYBRID)                                                                          \
    SCENE(bdf2_cloth, BDF2_CLOTH)                                                                  \
    SCENE(bdf2_rope, BDF2_ROPE)

#ifdef SN_DOUBLE
/* From golden_f64 --print. */
#define GOLDEN_CLOTH UINT64_C(0x196277fb129815d0)
#define GOLDEN_REFERENCE UINT64_C(0xe40f3029b41f426f)
#define GOLDEN_SOLID UINT64_C(0xbc3cf4ed895af860)
#define GOLDEN_ROPE UINT64_C(0x12ef3dc6fc5e4ee5)
#define GOLDEN_PBD UINT64_C(0x65f5fc9057d6c148)
#define GOLDEN_RODS UINT64_C(0x33ee3e3cdbb970e6)
#define GOLDEN_JACOBI UINT64_C(0x594a4489578c507e)
#define GOLDEN_AVERAGED UINT64_C(0xb6bb46da9ba59bab)
#define GOLDEN_HYBRID UINT64_C(0xd54c5e3166770b6c)
#define GOLDEN_BDF2_CLOTH UINT64_C(0x280352a559637b91)
#define GOLDEN_BDF2_ROPE UINT64_C(0xfd6347a0a06c6357)
#else
/* From golden --print. */
#define GOLDEN_CLOTH UINT64_C(0x8a5ec98c588234a4)
#define GOLDEN_REFERENCE UINT64_C(0x31bf6e1592039913)
#define GOLDEN_SOLID UINT64_C(0x100f07b9587c8b49)
#define GOLDEN_ROPE UINT64_C(0x2872425ac4e4c2ab)
#define GOLDEN_PBD UINT64_C(0x405561d8075b0f81)
#define GOLDEN_RODS UINT64_C(0x3c444ab07ac3b4c2)
#define GOLDEN_JACOBI UINT64_C(0x82936da36bad6f9a)
#define GOLDEN_AVERAGED UINT64_C(0xdf460b99e6c37771)
#define GOLDEN_HYBRID UINT64_C(0x207afdab5fb029f7)
#define GOLDEN_BDF2_CLOTH UINT64_C(0x662ef203353a84be)
#define GOLDEN_BDF2_ROPE UINT64_C(0x679e08a26c81d84c)
#endif

#endif
