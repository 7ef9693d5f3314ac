/*
 * For libraries that are built on Sinew and speak as it does: failing with a sentence, guessing
 * which word was meant, whole files, hashes, and points of a circle with the same bits everywhere.
 * sinew_io and sinew_picture are made with these and the other public calls alone.
 */
#ifndef SINEW_SUPPORT_H
#define SINEW_SUPPORT_H

#include <sinew/base.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Failing ---- */

/* Behind a declaration: which argument is the format of printf, and which is the first for it. */
#if defined(__GNUC__)
#define SN_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SN_PRINTF(text, first)
#endif

/* Keeps the sentence for sn_last_error and returns the result, so that failing is one line. */
SN_API sn_result sn_fail(sn_result result, const char *format, ...) SN_PRINTF(2, 3);

/* The same, and what failed inside it follows: the sentence becomes "<format>: <last sentence>". */
SN_API sn_result sn_fail_within(sn_result result, const char *format, ...) SN_PRINTF(2, 3);

/* Passes a result on. For reading at call sites: if it fails, so do we, with the same sentence. */
#define SN_TRY(call)                                                                               \
    do {                                                                                           \
        sn_result sn_try_result = (call);                                                          \
        if (sn_try_result != SN_OK) return sn_try_result;                                          \
    } while (0)

/* ---- Words ---- */

/* A guess which word was meant by one that is not known; start with all zero. */
typedef struct sn_suggestion {
    const char *word; /* null while nothing is close */
    size_t distance;  /* letters that differ */
} sn_suggestion;

/* Takes `candidate` if it is closer to `word` than the guess so far, and close at all. */
SN_API void sn_suggest(sn_suggestion *guess, const char *word, const char *candidate);

/* ---- Files that are there as a whole or not at all ---- */

enum { SN_PATH_LENGTH = 4096 };

/* Where the bytes of a file go while it is written: to a file beside the target, which takes its
   name in the end. Links are followed, and what is no file, such as a device or a pipe, is written
   to as it is, and never replaced. */
typedef struct sn_output_path {
    char written[SN_PATH_LENGTH]; /* what to open */
    char target[SN_PATH_LENGTH];  /* what it is called in the end; empty where that is the same */
} sn_output_path;

/* What the file is called in the end. */
static inline const char *sn_output_path_name(const sn_output_path *output) {
    return output->target[0] ? output->target : output->written;
}

/* Fails where the path is that of a folder or too long. Nothing is made yet. */
SN_API sn_result sn_output_path_find(sn_output_path *output, const char *path);

/* After all was written and closed: gives the file its name. 0, or errno, and then nothing of the
   file is left. */
SN_API int sn_output_path_keep(const sn_output_path *output);

/* Instead: leaves nothing of the file. */
SN_API void sn_output_path_discard(const sn_output_path *output);

/* ---- Hashes ---- */

/* Mixes one word in (the finaliser of splitmix64, chained). Start with 0. */
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

/* ---- Points of a circle ---- */

/*
 * Sine and cosine of i / n of a turn, n from 1 to 2^60, from + - * / and square roots only: the
 * same bits everywhere. The angle is reduced as whole numbers, so that quarters are exact, points
 * that mirror each other have mirrored bits, and the error stays within the last bit of double for
 * every i.
 */
SN_API void sn_turn(uint64_t i, uint64_t n, double *sine, double *cosine);

#ifdef __cplusplus
}
#endif

#endif
