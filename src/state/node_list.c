#include "state/node_list.h"

/* What is at the beginning is a whole number of node vectors long. */
#define WHOLE(size) (((size) + SN_NODE_BYTES - 1) / SN_NODE_BYTES * SN_NODE_BYTES)
enum { HEAD = WHOLE(sizeof(sn_list)), SHAPE = WHOLE(sizeof(sn_match_shape)) };

/* How many vectors per node there are. */
static size_t vectors(sn_list_kind kind) {
    if (kind == SN_LIST_PATH) return 3;
    return kind == SN_LIST_SURFACE ? 3 : kind == SN_LIST_REGION ? 2 : kind == SN_LIST_FAN ? 1 : 0;
}

size_t sn_list_numbers(sn_list_kind kind) {
    return kind == SN_LIST_FAN ? 4 : 1;
}

/* Bytes of the offsets, after which numbers may follow. */
static size_t offsets(size_t count) {
    return (count + 1) / 2 * (2 * sizeof(int32_t));
}

static size_t bytes(sn_list_kind kind, size_t count, size_t triangles) {
    size_t region = kind == SN_LIST_REGION ? SHAPE + sizeof(sn_vec4) : 0;
    return HEAD + region + vectors(kind) * count * sizeof(sn_vec4) + offsets(count) +
           count * (1 + sn_list_numbers(kind)) * sizeof(sn_real) + 3 * triangles * sizeof(uint32_t);
}

sn_list *sn_list_create(sn_memory *memory, sn_list_kind kind, size_t count, size_t triangles) {
    unsigned char *block = sn_allocate(memory, 1, bytes(kind, count, triangles));
    if (!block) return NULL;
    sn_list *list = (sn_list *)block;
    unsigned char *at = block + HEAD;
    list->kind = kind;
    list->count = count;
    list->triangles = triangles;
    if (kind == SN_LIST_REGION) {
        list->shape = (sn_match_shape *)at;
        list->turn = (sn_real *)(at + SHAPE);
        at += SHAPE + sizeof(sn_vec4);
    }
    list->y = (sn_vec4 *)at;
    list->u = list->rest = list->y + (vectors(kind) > 0 ? count : 0);
    if (vectors(kind) == 3) list->rest += count;
    /* The loops of fans read as far as the offsets. */
    at = (unsigned char *)(list->y + vectors(kind) * count);
    list->offset = (int32_t *)at;
    list->w = (sn_real *)(at + offsets(count));
    list->c = list->w + count;
    list->triangle = (uint32_t *)(list->c + sn_list_numbers(kind) * count);
    return list;
}

void sn_list_free(sn_memory *memory, sn_list *list) {
    if (list) sn_free(memory, list, 1, bytes(list->kind, list->count, list->triangles));
}

bool sn_list_has_rest(const sn_list *list) {
    for (size_t n = 0; n < list->count; n++)
        if (list->rest[n].x != 0 || list->rest[n].y != 0 || list->rest[n].z != 0) return true;
    return false;
}
