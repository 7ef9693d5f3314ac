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
    SCENE(sums, SUMS)                                                                              \
    SCENE(fluid, FLUID)                                                                            \
    SCENE(joints, JOINTS)                                                                          \
    SCENE(rigid, RIGID)                                                                            \
    SCENE(mixed, MIXED)                                                                            \
    SCENE(emitter, EMITTER)                                                                        \
    SCENE(melting, MELTING)                                                                        \
    SCENE(liquids, LIQUIDS)                                                                        \
    SCENE(air, AIR)

#ifdef SN_DOUBLE
/* From golden_f64 --print. */
#define GOLDEN_CLOTH UINT64_C(0x0d64e77ac5f95af3)
#define GOLDEN_REFERENCE UINT64_C(0x5086161dc54e5809)
#define GOLDEN_SOLID UINT64_C(0xf793c2da5a58f51c)
#define GOLDEN_ROPE UINT64_C(0xc9a9d204dd655c9b)
#define GOLDEN_PBD UINT64_C(0x65f5fc9057d6c148)
#define GOLDEN_RODS UINT64_C(0xeb3d2b48cebc44c1)
#define GOLDEN_JACOBI UINT64_C(0x9412643ba9718bf8)
#define GOLDEN_AVERAGED UINT64_C(0x66083aee11733701)
#define GOLDEN_HYBRID UINT64_C(0x28fd4e192510a7ff)
#define GOLDEN_BDF2_CLOTH UINT64_C(0x8e140c9d8bff596b)
#define GOLDEN_BDF2_ROPE UINT64_C(0xfdb62dee1a9084d1)
#define GOLDEN_HINGES UINT64_C(0xe1cb8860c36a2e7f)
#define GOLDEN_AREAS UINT64_C(0x617d13122b0d328b)
#define GOLDEN_BENDS UINT64_C(0xb3def573c57badf0)
#define GOLDEN_BALLOONS UINT64_C(0x89a578693379e490)
#define GOLDEN_USER UINT64_C(0xdad8e7849ffb175d)
#define GOLDEN_SKINS_REFERENCE UINT64_C(0x0f11a47050da6a21)
#define GOLDEN_SKINS_JACOBI UINT64_C(0x95a0808189e0e1a3)
#define GOLDEN_SKINS_AVERAGED UINT64_C(0xff4bca28d3bdf80a)
#define GOLDEN_SKINS_HYBRID UINT64_C(0xf554da568c803ed9)
#define GOLDEN_PROBES UINT64_C(0x3221c23f60bb33e7)
#define GOLDEN_SUMS UINT64_C(0x1dfdb589e081e038)
#define GOLDEN_FLUID UINT64_C(0x09ea662473a9c162)
#define GOLDEN_JOINTS UINT64_C(0xcceee3e2fe3c3511)
#define GOLDEN_RIGID UINT64_C(0xa4d6e32a85c36976)
#define GOLDEN_MIXED UINT64_C(0x942291777df5ed45)
#define GOLDEN_EMITTER UINT64_C(0xe8a669c4ad1b5244)
#define GOLDEN_MELTING UINT64_C(0x33713fde646ace33)
#define GOLDEN_LIQUIDS UINT64_C(0x4809e4e5ba35913d)
#define GOLDEN_AIR UINT64_C(0xc076552e67a5c313)
#else
/* From golden --print. */
#define GOLDEN_CLOTH UINT64_C(0x0e6e6ded5453af28)
#define GOLDEN_REFERENCE UINT64_C(0xdfe3790fe4104b1d)
#define GOLDEN_SOLID UINT64_C(0x9b3d20fa62d4cd54)
#define GOLDEN_ROPE UINT64_C(0x6f2ab91b9833b965)
#define GOLDEN_PBD UINT64_C(0x405561d8075b0f81)
#define GOLDEN_RODS UINT64_C(0x51132cb5b354e628)
#define GOLDEN_JACOBI UINT64_C(0xd04a7cf1fd1a3b44)
#define GOLDEN_AVERAGED UINT64_C(0x4e2e9e43d830827a)
#define GOLDEN_HYBRID UINT64_C(0xd1b99c91a863c759)
#define GOLDEN_BDF2_CLOTH UINT64_C(0xdb2fb1ab6f51bd32)
#define GOLDEN_BDF2_ROPE UINT64_C(0x16d8d4ff1b03d977)
#define GOLDEN_HINGES UINT64_C(0x3a82a9fce1ee2efa)
#define GOLDEN_AREAS UINT64_C(0x58f60fe86ad7e276)
#define GOLDEN_BENDS UINT64_C(0xf3791d74d69b68a7)
#define GOLDEN_BALLOONS UINT64_C(0x6dd0f2e37f68f5eb)
#define GOLDEN_USER UINT64_C(0x04f8d83bf4ae45ff)
#define GOLDEN_SKINS_REFERENCE UINT64_C(0x5971b4356c0e5ec9)
#define GOLDEN_SKINS_JACOBI UINT64_C(0xebdc268eda0e4306)
#define GOLDEN_SKINS_AVERAGED UINT64_C(0x2b89ac872b117aa9)
#define GOLDEN_SKINS_HYBRID UINT64_C(0xce343306d0229d8c)
#define GOLDEN_PROBES UINT64_C(0x097cca2f4e317a77)
#define GOLDEN_SUMS UINT64_C(0x4c1c2a637f00ef7b)
#define GOLDEN_FLUID UINT64_C(0x7020f93cb79669c2)
#define GOLDEN_JOINTS UINT64_C(0x46acaab431f3d5be)
#define GOLDEN_RIGID UINT64_C(0x204d0d8370e7c845)
#define GOLDEN_MIXED UINT64_C(0x742135704124166f)
#define GOLDEN_EMITTER UINT64_C(0x9f9d7a9a21ea3670)
#define GOLDEN_MELTING UINT64_C(0x56fe5e37cf45083f)
#define GOLDEN_LIQUIDS UINT64_C(0x1d4a60f8508fcff7)
#define GOLDEN_AIR UINT64_C(0x682d59c71230fbe2)
#endif

#endif
