/* By scene, softness and whether multipliers are kept; `backend_cuda --print` prints them. */
#include "cuda_scenes.h"

static const uint64_t cuda_hashes[CUDA_SCENES * CUDA_SOFTNESSES * 2] = {
    0xa8234eba3214ce08, /* distance, hard */
    0xccc8ddf37dc5df3c, /* distance, hard, kept */
    0x735d1b42592b84c4, /* distance, compliant */
    0x641aedcb9632bf7d, /* distance, compliant, kept */
    0xb967ab7ed964f58b, /* distance, damped */
    0x859eff64a65cfa49, /* distance, damped, kept */
    0x39448923fe4d65b9, /* isometric_bending, hard */
    0x2ba20f93bf8e8ab5, /* isometric_bending, hard, kept */
    0xca1bd1442c63a664, /* isometric_bending, compliant */
    0xb204574ac4deeb12, /* isometric_bending, compliant, kept */
    0x0e087b4f6d26cfde, /* isometric_bending, damped */
    0x017580eb98900b13, /* isometric_bending, damped, kept */
    0xed9c0922936322d7, /* neo_hookean_tet, hard */
    0x27c3b6d66fc56c06, /* neo_hookean_tet, hard, kept */
    0xed9c0922936322d7, /* neo_hookean_tet, compliant */
    0x27c3b6d66fc56c06, /* neo_hookean_tet, compliant, kept */
    0x73293e6e6fadab6b, /* neo_hookean_tet, damped */
    0x140355ccdd1782dc, /* neo_hookean_tet, damped, kept */
    0xcded4dfe592dd36f, /* bend_twist, hard */
    0xb6712f693cdc06f8, /* bend_twist, hard, kept */
    0xcded4dfe592dd36f, /* bend_twist, compliant */
    0xb6712f693cdc06f8, /* bend_twist, compliant, kept */
    0xd87f9930a76699f7, /* bend_twist, damped */
    0x620dabd1f361da24, /* bend_twist, damped, kept */
    0x708a6c98e4f3f3e0, /* distance, shared, hard */
    0x55d85252579d0a60, /* distance, shared, hard, kept */
    0x7dbaa0700b06953e, /* distance, shared, compliant */
    0x9c53c34e6930416c, /* distance, shared, compliant, kept */
    0xe388543094cb7aad, /* distance, shared, damped */
    0xcadc351ae9430360, /* distance, shared, damped, kept */
    0xfea91f662281f066, /* distance, overflow, hard */
    0x30b1f6a9cd94955e, /* distance, overflow, hard, kept */
    0x0ec26a659a81e5bd, /* distance, overflow, compliant */
    0x042d7b64d63f69ae, /* distance, overflow, compliant, kept */
    0xa044e94df59babf1, /* distance, overflow, damped */
    0x10360da20eda2395, /* distance, overflow, damped, kept */
};
