/* A 64-bit hash over numbers: the fingerprint of a state. */
#ifndef SN_BASE_HASH_H
#define SN_BASE_HASH_H

#include <sinew/base.h>

#include <string.h>

/* Mixes one word in (the finaliser of splitmix64, chained). */
static inline uint64_t sn_hash_word(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) + 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

/* Every NaN counts as the same NaN: machines differ in which one they make. */
static inline uint64_t sn_hash_double(uint64_t hash, double value) {
    uint64_t bits = 0x7ff8000000000000u;
    if (value == value) memcpy(&bits, &value, sizeof bits);
    return sn_hash_word(hash, bits);
}

#endif
