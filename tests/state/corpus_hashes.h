/* The snapshots of the corpus: name, hash in single precision, number of constraints. */
#ifndef SINEW_TESTS_STATE_CORPUS_HASHES_H
#define SINEW_TESTS_STATE_CORPUS_HASHES_H

#include <stdint.h>

#define CORPUS_ENTRY(name, hash, constraints) {name, UINT64_C(hash), constraints},

/* From state_corpus --write. */
#define CORPUS(ENTRY)                                                                              \
    ENTRY("v1_0", 0xa1908084c40ea94c, 24)                                                          \
    ENTRY("v1_1", 0x2d1a0621ec35caf7, 23)                                                          \
    ENTRY("v1_2", 0x7d311319f13ad9ce, 3)                                                           \
    ENTRY("v1_3", 0x4eae308085451420, 2)                                                           \
    ENTRY("v1_4", 0x4835a02604c9e937, 2)                                                           \
    ENTRY("v1_5", 0x4f31a5181d8b583e, 3)                                                           \
    ENTRY("v1_6", 0xab8a56b13e946462, 31)                                                          \
    ENTRY("v1_7", 0xfe6f08c54f4e6112, 23)                                                          \
    ENTRY("v1_8", 0x9b1bea7a25e4ab14, 4)                                                           \
    ENTRY("v1_14", 0x2ba668445f248c38, 0)                                                          \
    ENTRY("v1_15", 0x77d3cb53f8e64c61, 18)

#endif
