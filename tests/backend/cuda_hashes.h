/* By scene, softness and whether multipliers are kept; `backend_cuda --print` prints them. */
#include "cuda_scenes.h"

static const uint64_t cuda_hashes[CUDA_SCENES * CUDA_SOFTNESSES * 2] = {
    0xa8234eba3214ce08, /* distance, hard */
    0xccc8ddf37dc5df3c, /* distance, hard, kept */
    0x735d1b42592b84c4, /* distance, compliant */
    0x641aedcb9632bf7d, /* distance, compliant, kept */
    0xd53fa82a03e1dd66, /* distance, damped */
    0x83b10f63d6448c27, /* distance, damped, kept */
    0x39448923fe4d65b9, /* isometric_bending, hard */
    0x2ba20f93bf8e8ab5, /* isometric_bending, hard, kept */
    0xca1bd1442c63a664, /* isometric_bending, compliant */
    0xb204574ac4deeb12, /* isometric_bending, compliant, kept */
    0x1e1a393f0d8d78aa, /* isometric_bending, damped */
    0x336c293768520d43, /* isometric_bending, damped, kept */
    0xed9c0922936322d7, /* neo_hookean_tet, hard */
    0x27c3b6d66fc56c06, /* neo_hookean_tet, hard, kept */
    0xed9c0922936322d7, /* neo_hookean_tet, compliant */
    0x27c3b6d66fc56c06, /* neo_hookean_tet, compliant, kept */
    0xb3aeca8715cb42da, /* neo_hookean_tet, damped */
    0x8d94f57e24963b45, /* neo_hookean_tet, damped, kept */
    0xe7b24a7a773eec02, /* bend_twist, hard */
    0x16496417c432a641, /* bend_twist, hard, kept */
    0xe7b24a7a773eec02, /* bend_twist, compliant */
    0x16496417c432a641, /* bend_twist, compliant, kept */
    0xbe80308172b2d8f9, /* bend_twist, damped */
    0x8fcd18de98cb56d4, /* bend_twist, damped, kept */
    0x708a6c98e4f3f3e0, /* distance, shared, hard */
    0x55d85252579d0a60, /* distance, shared, hard, kept */
    0x7dbaa0700b06953e, /* distance, shared, compliant */
    0x9c53c34e6930416c, /* distance, shared, compliant, kept */
    0x66501d920ac28071, /* distance, shared, damped */
    0xfe1b2762b9553d32, /* distance, shared, damped, kept */
    0xfea91f662281f066, /* distance, overflow, hard */
    0x30b1f6a9cd94955e, /* distance, overflow, hard, kept */
    0x0ec26a659a81e5bd, /* distance, overflow, compliant */
    0x042d7b64d63f69ae, /* distance, overflow, compliant, kept */
    0xc83855ab3b31389c, /* distance, overflow, damped */
    0xf9958df8f5ba00b3, /* distance, overflow, damped, kept */
};
