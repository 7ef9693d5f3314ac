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
    SCENE(hybrid, HYBRID)

#ifdef SN_DOUBLE
/* From golden_f64 --print. */
#define GOLDEN_CLOTH UINT64_C(0x196277fb129815d0)
#define GOLDEN_REFERENCE UINT64_C(0xe40f3029b41f426f)
#define GOLDEN_SOLID UINT64_C(0xbc3cf4ed895af860)
#define GOLDEN_ROPE UINT64_C(0x12ef3dc6fc5e4ee5)
#define GOLDEN_PBD UINT64_C(0x65f5fc9057d6c148)
#define GOLDEN_RODS UINT64_C(0xa4bb383460f0da3e)
#define GOLDEN_JACOBI UINT64_C(0xd4df8b85f069b027)
#define GOLDEN_AVERAGED UINT64_C(0xdad4d7ffc1c17e14)
#define GOLDEN_HYBRID UINT64_C(0xa2d1e91fb3a1ae83)
#else
/* From golden --print. */
#define GOLDEN_CLOTH UINT64_C(0x8a5ec98c588234a4)
#define GOLDEN_REFERENCE UINT64_C(0x31bf6e1592039913)
#define GOLDEN_SOLID UINT64_C(0x100f07b9587c8b49)
#define GOLDEN_ROPE UINT64_C(0x2872425ac4e4c2ab)
#define GOLDEN_PBD UINT64_C(0x405561d8075b0f81)
#define GOLDEN_RODS UINT64_C(0xa466200aa44e916e)
#define GOLDEN_JACOBI UINT64_C(0x2d7164d0e11e9642)
#define GOLDEN_AVERAGED UINT64_C(0xdeeeb21476908b40)
#define GOLDEN_HYBRID UINT64_C(0x4791d4f6645d471b)
#endif

#endif
