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
#define GOLDEN_CLOTH UINT64_C(0x0d64e77ac5f95af3)
#define GOLDEN_REFERENCE UINT64_C(0x5086161dc54e5809)
#define GOLDEN_SOLID UINT64_C(0xf793c2da5a58f51c)
#define GOLDEN_ROPE UINT64_C(0xc9a9d204dd655c9b)
#define GOLDEN_PBD UINT64_C(0x65f5fc9057d6c148)
#define GOLDEN_RODS UINT64_C(0xd6b5302392c777c7)
#define GOLDEN_JACOBI UINT64_C(0x18bf6d1ba716da4f)
#define GOLDEN_AVERAGED UINT64_C(0x905ef8d19935dafd)
#define GOLDEN_HYBRID UINT64_C(0xeaa1c4eb34e6034d)
#define GOLDEN_BDF2_CLOTH UINT64_C(0x8e140c9d8bff596b)
#define GOLDEN_BDF2_ROPE UINT64_C(0x5ba5561d18d4ef28)
#define GOLDEN_HINGES UINT64_C(0xe1cb8860c36a2e7f)
#define GOLDEN_AREAS UINT64_C(0x617d13122b0d328b)
#define GOLDEN_BENDS UINT64_C(0xb3def573c57badf0)
#define GOLDEN_BALLOONS UINT64_C(0x89a578693379e490)
#define GOLDEN_USER UINT64_C(0x970c663f70e9b471)
#define GOLDEN_SKINS_REFERENCE UINT64_C(0xe7b048af73bce198)
#define GOLDEN_SKINS_JACOBI UINT64_C(0xc837d6410571af83)
#define GOLDEN_SKINS_AVERAGED UINT64_C(0x2ec0930af28662e3)
#define GOLDEN_SKINS_HYBRID UINT64_C(0x8def1733c6b67771)
#define GOLDEN_PROBES UINT64_C(0x3221c23f60bb33e7)
#define GOLDEN_SUMS UINT64_C(0x3d7fd78b2482cac3)
#else
/* From golden --print. */
#define GOLDEN_CLOTH UINT64_C(0x0e6e6ded5453af28)
#define GOLDEN_REFERENCE UINT64_C(0xdfe3790fe4104b1d)
#define GOLDEN_SOLID UINT64_C(0x9b3d20fa62d4cd54)
#define GOLDEN_ROPE UINT64_C(0x6f2ab91b9833b965)
#define GOLDEN_PBD UINT64_C(0x405561d8075b0f81)
#define GOLDEN_RODS UINT64_C(0x59651472b1b95889)
#define GOLDEN_JACOBI UINT64_C(0xba3678c6b53a40b9)
#define GOLDEN_AVERAGED UINT64_C(0xa14f7d544c122ce9)
#define GOLDEN_HYBRID UINT64_C(0x68e51ce73c0b20e2)
#define GOLDEN_BDF2_CLOTH UINT64_C(0xdb2fb1ab6f51bd32)
#define GOLDEN_BDF2_ROPE UINT64_C(0x920e2e55b4afad01)
#define GOLDEN_HINGES UINT64_C(0x3a82a9fce1ee2efa)
#define GOLDEN_AREAS UINT64_C(0x58f60fe86ad7e276)
#define GOLDEN_BENDS UINT64_C(0xf3791d74d69b68a7)
#define GOLDEN_BALLOONS UINT64_C(0x6dd0f2e37f68f5eb)
#define GOLDEN_USER UINT64_C(0x1713bf1728a110c0)
#define GOLDEN_SKINS_REFERENCE UINT64_C(0x9ec0d5b677198562)
#define GOLDEN_SKINS_JACOBI UINT64_C(0xab7768a4bf948415)
#define GOLDEN_SKINS_AVERAGED UINT64_C(0xf398140b79b31da2)
#define GOLDEN_SKINS_HYBRID UINT64_C(0x60cc49387a1bb8d5)
#define GOLDEN_PROBES UINT64_C(0xf69710c559ad2bb7)
#define GOLDEN_SUMS UINT64_C(0x5fd76b660cf8169a)
#endif

#endif
