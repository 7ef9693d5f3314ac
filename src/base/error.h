/* Results with a sentence: the last failure of each thread. */
#ifndef SN_BASE_ERROR_H
#define SN_BASE_ERROR_H

#include <sinew/base.h>

#if defined(__GNUC__)
#define SN_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SN_PRINTF(text, first)
#endif

/* Keeps the sentence for sn_last_error and returns the result, so that failing is one line. */
sn_result sn_fail(sn_result result, const char *format, ...) SN_PRINTF(2, 3);

/* The same, and what failed inside it follows: the sentence becomes "<format>: <last sentence>". */
sn_result sn_fail_within(sn_result result, const char *format, ...) SN_PRINTF(2, 3);

/* Passes a result on. For reading at call sites: if it fails, so do we, with the same sentence. */
#define SN_TRY(call)                                                                               \
    do {                                                                                           \
        sn_result sn_try_result = (call);                                                          \
        if (sn_try_result != SN_OK) return sn_try_result;                                          \
    } while (0)

#endif
