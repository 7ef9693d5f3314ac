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
#define GOLDEN_CLOTH UINT64_C(0x6085b100d7a7c272)
#define GOLDEN_REFERENCE UINT64_C(0x519a87eb17eb8368)
#define GOLDEN_SOLID UINT64_C(0x5f6e800c7458f3ad)
#define GOLDEN_ROPE UINT64_C(0x51e641b2ffa63e28)
#define GOLDEN_PBD UINT64_C(0x2862efa87f127f4d)
#define GOLDEN_RODS UINT64_C(0xd242305000b13be6)
#define GOLDEN_JACOBI UINT64_C(0x71b764d5d8a54a7a)
#define GOLDEN_AVERAGED UINT64_C(0xa0aa515c676650a8)
#define GOLDEN_HYBRID UINT64_C(0x943abd85f8a40bb6)
#define GOLDEN_BDF2_CLOTH UINT64_C(0xec82a89e9998bbf4)
#define GOLDEN_BDF2_ROPE UINT64_C(0xca2ec9a0ac5573ef)
#define GOLDEN_HINGES UINT64_C(0x97c3126961e60072)
#define GOLDEN_AREAS UINT64_C(0x881b280dbab12881)
#define GOLDEN_BENDS UINT64_C(0xb5b4a8c8de6a01f2)
#define GOLDEN_BALLOONS UINT64_C(0x875b4e663a0ae660)
#define GOLDEN_USER UINT64_C(0x7e2e0556ee55b7a8)
#define GOLDEN_SKINS_REFERENCE UINT64_C(0x13d84a6416fe4235)
#define GOLDEN_SKINS_JACOBI UINT64_C(0xb0344a62ee75ad2b)
#define GOLDEN_SKINS_AVERAGED UINT64_C(0xe769eb227b24a7a9)
#define GOLDEN_SKINS_HYBRID UINT64_C(0x50bfdbd1896aa1e0)
#define GOLDEN_PROBES UINT64_C(0x6828de35c51c9567)
#define GOLDEN_SUMS UINT64_C(0x9a7394ad84dadd38)
#else
/* From golden --print. */
#define GOLDEN_CLOTH UINT64_C(0x400cd65e01aa5b06)
#define GOLDEN_REFERENCE UINT64_C(0xfd38a7ecfed2bb12)
#define GOLDEN_SOLID UINT64_C(0xbc0ae4816428bed1)
#define GOLDEN_ROPE UINT64_C(0x8d6351b201356a3b)
#define GOLDEN_PBD UINT64_C(0x8e7f53fcecc979c8)
#define GOLDEN_RODS UINT64_C(0x1d8c0e5b1e720c26)
#define GOLDEN_JACOBI UINT64_C(0x4d2070722bd0a794)
#define GOLDEN_AVERAGED UINT64_C(0x11a56e584ed3926a)
#define GOLDEN_HYBRID UINT64_C(0x0f82d8a1a1052274)
#define GOLDEN_BDF2_CLOTH UINT64_C(0xc82b9f111076528a)
#define GOLDEN_BDF2_ROPE UINT64_C(0xe05c58ddd416d19a)
#define GOLDEN_HINGES UINT64_C(0x67c6cf10a1eec579)
#define GOLDEN_AREAS UINT64_C(0xaef984ffb66d60b8)
#define GOLDEN_BENDS UINT64_C(0x0f703d48fe8c5a56)
#define GOLDEN_BALLOONS UINT64_C(0x56c77649d4dc459b)
#define GOLDEN_USER UINT64_C(0xec8640fd56604b44)
#define GOLDEN_SKINS_REFERENCE UINT64_C(0x061abb1617a5dc1c)
#define GOLDEN_SKINS_JACOBI UINT64_C(0x2c14072fe13c1bf7)
#define GOLDEN_SKINS_AVERAGED UINT64_C(0x426aac5a974a48c3)
#define GOLDEN_SKINS_HYBRID UINT64_C(0xd56f9eef30f554f5)
#define GOLDEN_PROBES UINT64_C(0xb724d2471f642913)
#define GOLDEN_SUMS UINT64_C(0x4bfe7641c8c58487)
#endif

#endif
