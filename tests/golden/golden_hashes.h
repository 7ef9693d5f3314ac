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
#define GOLDEN_CLOTH UINT64_C(0x548fdf99f4f8feea)
#define GOLDEN_REFERENCE UINT64_C(0x391767a7829a1593)
#define GOLDEN_SOLID UINT64_C(0xa75a1bbf9010ff02)
#define GOLDEN_ROPE UINT64_C(0xd685d6eb444155a7)
#define GOLDEN_PBD UINT64_C(0x71ee108cc999bf46)
#define GOLDEN_RODS UINT64_C(0)
#define GOLDEN_JACOBI UINT64_C(0)
#define GOLDEN_AVERAGED UINT64_C(0)
#define GOLDEN_HYBRID UINT64_C(0)
#else
/* From golden --print. */
#define GOLDEN_CLOTH UINT64_C(0x0314b518b145c5a0)
#define GOLDEN_REFERENCE UINT64_C(0x06a9756e562ccda7)
#define GOLDEN_SOLID UINT64_C(0xcbba92204300e33d)
#define GOLDEN_ROPE UINT64_C(0xa957576e330cdbb9)
#define GOLDEN_PBD UINT64_C(0x1c255d09f1c80a4c)
#define GOLDEN_RODS UINT64_C(0)
#define GOLDEN_JACOBI UINT64_C(0)
#define GOLDEN_AVERAGED UINT64_C(0)
#define GOLDEN_HYBRID UINT64_C(0)
#endif

#endif
