/* Boxes in columns, as both the grid and the tree of the broad phase test them. */
#include "collision/broad_phase/broad_phase_parts.h"

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
