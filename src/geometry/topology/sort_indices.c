#include "geometry/topology/sort_indices.h"

#include <string.h>

enum { BITS = 11, BUCKETS = 1 << BITS };

static unsigned digit(const sn_record *record, int word, int shift) {
    return record->key[word] >> shift & (BUCKETS - 1);
}

/* One pass by one digit; false, with nothing moved, where all records have the same. */
static bool pass(const sn_record *from, sn_record *to, size_t count, int word, int shift) {
    size_t at[BUCKETS] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++) at[digit(&from[i], word, shift)]++;
    if (at[digit(&from[0], word, shift)] == count) return false;
    for (size_t i = 0; i < BUCKETS; i++) {
        size_t here = at[i];
        at[i] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) to[at[digit(&from[i], word, shift)]++] = from[i];
    return true;
}

void sn_records_sort(sn_record *records, sn_record *spare, size_t count, int words) {
    sn_record *from = records, *to = spare;
    if (count < 2) return;
    for (int word = words - 1; word >= 0; word--)
        for (int shift = 0; shift < 32; shift += BITS) {
            if (!pass(from, to, count, word, shift)) continue;
            sn_record *other = from;
            from = to;
            to = other;
        }
    if (from != records) memcpy(records, from, count * sizeof *records);
}
