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
    SCENE(bdf2_rope, BDF2_ROPE)                                                                    \
    SCENE(hinges, HINGES)                                                                          \
    SCENE(areas, AREAS)                                                                            \
    SCENE(bends, BENDS)                                                                            \
    SCENE(balloons, BALLOONS)                                                                      \
    SCENE(user, USER)                                                                              \
    SCENE(surfaces_reference, SKINS_REFERENCE)                                                     \
    SCENE(surfaces_jacobi, SKINS_JACOBI)                                                           \
    SCENE(surfaces_averaged, SKINS_AVERAGED)                                                       \
    SCENE(surfaces_hybrid, SKINS_HYBRID)                                                           \
    SCENE(probes, PROBES)                                                                          \
    SCENE(sums, SUMS)

#ifdef SN_DOUBLE
/* From golden_f64 --print. */
#define GOLDEN_CLOTH UINT64_C(0x196277fb129815d0)
#define GOLDEN_REFERENCE UINT64_C(0xe40f3029b41f426f)
#define GOLDEN_SOLID UINT64_C(0xbc3cf4ed895af860)
#define GOLDEN_ROPE UINT64_C(0x12ef3dc6fc5e4ee5)
#define GOLDEN_PBD UINT64_C(0x65f5fc9057d6c148)
#define GOLDEN_RODS UINT64_C(0xda907683a40af9f8)
#define GOLDEN_JACOBI UINT64_C(0x5c82b1383053828a)
#define GOLDEN_AVERAGED UINT64_C(0x9849db9d62871d46)
#define GOLDEN_HYBRID UINT64_C(0xa33ec7b76a6a7a92)
#define GOLDEN_BDF2_CLOTH UINT64_C(0x280352a559637b91)
#define GOLDEN_BDF2_ROPE UINT64_C(0xfd6347a0a06c6357)
#define GOLDEN_HINGES UINT64_C(0xb821aa9cac54f790)
#define GOLDEN_AREAS UINT64_C(0x2ffc8dada89e04a1)
#define GOLDEN_BENDS UINT64_C(0xd8f1ca03d5577be9)
#define GOLDEN_BALLOONS UINT64_C(0x3c591058b5732c88)
#define GOLDEN_USER UINT64_C(0x3b6b44632f7276d1)
#define GOLDEN_SKINS_REFERENCE UINT64_C(0xf99e9ae7d4d51219)
#define GOLDEN_SKINS_JACOBI UINT64_C(0x3970d206c48feed5)
#define GOLDEN_SKINS_AVERAGED UINT64_C(0x4bbde1a2851f5e56)
#define GOLDEN_SKINS_HYBRID UINT64_C(0x6cab336794947aca)
#define GOLDEN_PROBES UINT64_C(0xe8667fa1e46aaf2f)
#define GOLDEN_SUMS UINT64_C(0x3d7fd78b2482cac3)
#else
/* From golden --print. */
#define GOLDEN_CLOTH UINT64_C(0x8a5ec98c588234a4)
#define GOLDEN_REFERENCE UINT64_C(0x31bf6e1592039913)
#define GOLDEN_SOLID UINT64_C(0x100f07b9587c8b49)
#define GOLDEN_ROPE UINT64_C(0x2872425ac4e4c2ab)
#define GOLDEN_PBD UINT64_C(0x405561d8075b0f81)
#define GOLDEN_RODS UINT64_C(0x4479f471e554b12b)
#define GOLDEN_JACOBI UINT64_C(0xc5f8fe2482439e4d)
#define GOLDEN_AVERAGED UINT64_C(0x38632c2601690bb1)
#define GOLDEN_HYBRID UINT64_C(0xcf80b094a06c7baf)
#define GOLDEN_BDF2_CLOTH UINT64_C(0x662ef203353a84be)
#define GOLDEN_BDF2_ROPE UINT64_C(0x679e08a26c81d84c)
#define GOLDEN_HINGES UINT64_C(0xc5f66480158e1e50)
#define GOLDEN_AREAS UINT64_C(0x22798f49ea48991a)
#define GOLDEN_BENDS UINT64_C(0xd95d6d6c55f47a7c)
#define GOLDEN_BALLOONS UINT64_C(0x12f1048f893c792c)
#define GOLDEN_USER UINT64_C(0x4ab1ed506f02e120)
#define GOLDEN_SKINS_REFERENCE UINT64_C(0xaeb62c3b219b3575)
#define GOLDEN_SKINS_JACOBI UINT64_C(0x0a552395253be334)
#define GOLDEN_SKINS_AVERAGED UINT64_C(0xe2fa19eb3b3babbc)
#define GOLDEN_SKINS_HYBRID UINT64_C(0x57045a3c495a832a)
#define GOLDEN_PROBES UINT64_C(0x7bfdf115465a64a6)
#define GOLDEN_SUMS UINT64_C(0x5fd76b660cf8169a)
#endif

#endif
