/* What both ways of the broad phase sort, and what they sort it into. */
#include "collision/broad_phase/broad_phase_parts.h"

/* ---- Sorting ---- */

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* One digit from `from` to `to`; false, and nothing done, if it is the same everywhere. */
static bool sort_digit(const sn_broad_record *from, sn_broad_record *to, size_t count, int shift) {
    uint32_t begin[DIGITS] = {0};
    for (size_t i = 0; i < count; i++) begin[from[i].key >> shift & (DIGITS - 1)]++;
    if (begin[from[0].key >> shift & (DIGITS - 1)] == count) return false;
    uint32_t sum = 0;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t number = begin[d];
        begin[d] = sum;
        sum += number;
    }
    for (size_t i = 0; i < count; i++) to[begin[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
    return true;
}

sn_broad_record *sn_broad_sort(sn_broad_record *records, sn_broad_record *spare, size_t count,
                               int bits) {
    for (int shift = 0; shift < bits && count > 0; shift += DIGIT) {
        if (!sort_digit(records, spare, count, shift)) continue;
        sn_broad_record *sorted = spare;
        spare = records;
        records = sorted;
    }
    return records;
}

/* ---- Columns ---- */

enum { COLUMNS = 7, MORE = 4 };

static void list_columns(sn_broad_columns *columns, sn_column list[COLUMNS]) {
    for (int k = 0; k < 3; k++) {
        list[k] = (sn_column){(void **)&columns->low[k], sizeof(sn_real)};
        list[k + 3] = (sn_column){(void **)&columns->high[k], sizeof(sn_real)};
    }
    list[6] = (sn_column){&columns->item, sizeof(sn_bits)};
}

bool sn_broad_columns_reserve(sn_broad_columns *columns, sn_memory *memory, size_t count) {
    if (count + MORE <= columns->capacity) return true;
    sn_column list[COLUMNS];
    list_columns(columns, list);
    size_t grown = sn_columns_grow(memory, list, COLUMNS, 0, columns->capacity, count + MORE);
    if (grown > 0) columns->capacity = grown;
    return grown > 0;
}

void sn_broad_columns_free(sn_broad_columns *columns, sn_memory *memory) {
    sn_column list[COLUMNS];
    list_columns(columns, list);
    sn_columns_free(memory, list, COLUMNS, 0, columns->capacity);
}
