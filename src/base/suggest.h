/* Guesses which word was meant by one that is not known. */
#ifndef SN_BASE_SUGGEST_H
#define SN_BASE_SUGGEST_H

#include <stddef.h>

/* The guess so far; start with all zero. */
typedef struct sn_suggestion {
    const char *word; /* null while nothing is close */
    size_t distance;
} sn_suggestion;

/* Takes `candidate` if it is closer to `word` than the guess so far, and close at all. */
void sn_suggest(sn_suggestion *guess, const char *word, const char *candidate);

#endif
