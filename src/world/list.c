#include "world/list.h"

/* Everything after the struct, which is a whole number of node vectors long. */
enum { HEAD = (sizeof(sn_list) + SN_NODE_BYTES - 1) / SN_NODE_BYTES * SN_NODE_BYTES };

static size_t bytes(size_t count, size_t triangles) {
    size_t vectors = triangles > 0 ? 2 * count * sizeof(sn_vec4) : 0;
    return HEAD + vectors + count * (sizeof(int32_t) + 2 * sizeof(sn_real)) +
           3 * triangles * sizeof(uint32_t);
}

sn_list *sn_list_create(sn_memory *memory, size_t count, size_t triangles) {
    unsigned char *block = sn_allocate(memory, 1, bytes(count, triangles));
    if (!block) return NULL;
    sn_list *list = (sn_list *)block;
    size_t vectors = triangles > 0 ? count : 0;
    list->count = count;
    list->triangles = triangles;
    list->y = (sn_vec4 *)(block + HEAD);
    list->u = list->y + vectors;
    list->w = (sn_real *)(list->u + vectors);
    list->c = list->w + count;
    list->offset = (int32_t *)(list->c + count);
    list->triangle = (uint32_t *)(list->offset + count);
    return list;
}

void sn_list_free(sn_memory *memory, sn_list *list) {
    if (list) sn_free(memory, list, 1, bytes(list->count, list->triangles));
}
