/* Hashes of all files of the animation, steady and changing, per format. */
#ifndef SINEW_TESTS_IO_EXPORT_HASHES_H
#define SINEW_TESTS_IO_EXPORT_HASHES_H

#include <stdint.h>

#define EXPORT_HASH_ROW(format, steady, changing) {format, {UINT64_C(steady), UINT64_C(changing)}},

/* From export --hashes. */
#define EXPORT_HASHES(ROW)                                                                         \
    ROW("usda", 0x60f55b2786c1e620, 0x0b9b5d33853b890a)                                            \
    ROW("glb", 0xafe7e65a74a25bda, 0x17b1975696492827)                                             \
    ROW("vtu", 0x991ee571adade3bb, 0x0535df2fb1ef79ab)                                             \
    ROW("pc2", 0x23f77af3987ab680, 0xea09b4a18920e152)                                             \
    ROW("mdd", 0xc52d42b78af65a54, 0x3d88578b8c11377b)                                             \
    ROW("obj", 0x5f9496385d98d9dc, 0xfd9bcafab91c8e81)                                             \
    ROW("ply", 0x6c93d6e495cd1d75, 0xdadd892a6392b209)                                             \
    ROW("cache", 0x6f14cc85bc01822e, 0x47b0e81814bcc646)

#endif
