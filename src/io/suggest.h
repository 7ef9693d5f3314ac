/* Guesses which word was meant by one that is not known. */
#ifndef SINEW_IO_SUGGEST_H
#define SINEW_IO_SUGGEST_H

#include <stddef.h>

/* The guess so far; start with all zero. */
typedef struct suggestion {
    const char *word; /* null while nothing is close */
    size_t distance;
} suggestion;

/* Takes `candidate` if it is closer to `word` than the guess so far, and close at all. */
void suggest(suggestion *guess, const char *word, const char *candidate);

#endif
