#include <sinew/support.h>

#include <string.h>

enum { LONGEST = 31 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* How many letters must be inserted, removed, replaced or swapped with their neighbour (optimal
   string alignment); long words are never close. */
static size_t distance(const char *a, const char *b) {
    size_t rows = strlen(a), columns = strlen(b), d[LONGEST + 1][LONGEST + 1];
    if (rows > LONGEST || columns > LONGEST) return LONGEST;
    for (size_t i = 0; i <= rows; i++) {
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
                            d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[rows][columns];
}

void sn_suggest(sn_suggestion *guess, const char *word, const char *candidate) {
    size_t length = strlen(word), far = distance(word, candidate);
    /* The beginning of a word is as good as a misspelt one. */
    if (length >= 2 && strncmp(word, candidate, length) == 0) far = 1;
    if (far <= 1 + length / 4 && far < length && (!guess->word || far < guess->distance))
        *guess = (sn_suggestion){candidate, far};
}
