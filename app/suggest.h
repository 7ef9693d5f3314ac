/* Guesses which word was meant by one that is not known. */
#ifndef APP_SUGGEST_H
#define APP_SUGGEST_H

#include <stddef.h>

/* The guess so far; start with all zero. */
typedef struct suggestion {
    const char *word; /* null while nothing is close */
    size_t distance;
} suggestion;

/* Takes `candidate` if it is closer to `word` than the guess so far, and close at all. */
void suggest(suggestion *guess, const char *word, const char *candidate);

/* Prints `, did you mean "..."?` for a guess or `; expected <expected>` without one, and ends the
   line, on standard error. */
void suggest_print(const suggestion *guess, const char *expected);

#endif
