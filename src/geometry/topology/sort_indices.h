/*
 * Sorting of edges, faces and the like by the indices of their vertices: a stable radix sort, whose
 * time and result depend on nothing but the keys.
 */
#ifndef SN_GEOMETRY_TOPOLOGY_SORT_INDICES_H
#define SN_GEOMETRY_TOPOLOGY_SORT_INDICES_H

#include "base/memory.h"

typedef struct sn_record {
    uint32_t key[3]; /* compared from the first to the last */
    uint32_t value;  /* goes with them */
} sn_record;

/* Sorts by the first `words` of the keys; `spare` has room for as many records. */
void sn_records_sort(sn_record *records, sn_record *spare, size_t count, int words);

/* Sorts so that a key does not depend on where an element begins. */
static inline void sn_sort_three(uint32_t v[3]) {
    for (int i = 0; i < 3; i++) {
        int k = i == 1 ? 1 : 0;
        uint32_t low = v[k] < v[k + 1] ? v[k] : v[k + 1], high = v[k] < v[k + 1] ? v[k + 1] : v[k];
        v[k] = low;
        v[k + 1] = high;
    }
}

/* Whether the keys of two records are the same in their first `words`. */
static inline bool sn_records_equal(const sn_record *a, const sn_record *b, int words) {
    for (int i = 0; i < words; i++)
        if (a->key[i] != b->key[i]) return false;
    return true;
}

/* The end of the run of equal records that begins at `first`. */
static inline size_t sn_records_run(const sn_record *records, size_t first, size_t count,
                                    int words) {
    size_t end = first + 1;
    while (end < count && sn_records_equal(&records[first], &records[end], words)) end++;
    return end;
}

#endif
