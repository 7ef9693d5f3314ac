#include "contact/contact_set.h"

#include <string.h>

void sn_contact_set_free(sn_contact_set *set, sn_memory *memory) {
    sn_free(memory, set->pair, set->capacity, sizeof *set->pair);
    sn_free(memory, set->node, set->node_capacity, sizeof *set->node);
    sn_free(memory, set->row, set->row_capacity, sizeof *set->row);
    sn_free(memory, set->had, set->had_capacity, sizeof *set->had);
    sn_free(memory, set->first, set->first_capacity, sizeof *set->first);
}

bool sn_contact_set_reserve(sn_contact_set *set, sn_memory *memory, int kind, size_t blocks) {
    size_t lanes = blocks * SN_CONTACT_BLOCK;
    return sn_reserve(memory, (void **)&set->node, &set->node_capacity,
                      lanes * (size_t)sn_contact_nodes(kind), sizeof *set->node) &&
           sn_reserve(memory, (void **)&set->row, &set->row_capacity, lanes * SN_ROW_COUNT,
                      sizeof *set->row) &&
           sn_reserve(memory, (void **)&set->had, &set->had_capacity, set->remembers ? lanes : 0,
                      sizeof *set->had);
}

bool sn_contact_set_renew(sn_contact_set *set, sn_memory *memory, int kind, size_t blocks) {
    size_t lanes = blocks * SN_CONTACT_BLOCK;
    return sn_renew(memory, (void **)&set->node, &set->node_capacity,
                    lanes * (size_t)sn_contact_nodes(kind), sizeof *set->node) &&
           sn_renew(memory, (void **)&set->row, &set->row_capacity, lanes * SN_ROW_COUNT,
                    sizeof *set->row) &&
           sn_renew(memory, (void **)&set->had, &set->had_capacity, set->remembers ? lanes : 0,
                    sizeof *set->had);
}

void sn_contact_set_clear(const sn_contact_set *set, int kind, size_t begin, size_t end) {
    size_t nodes = (size_t)sn_contact_nodes(kind) * SN_CONTACT_BLOCK;
    for (size_t i = begin * nodes; i < end * nodes; i++)
        set->node[i] = SN_NODE_PADDING * (int32_t)SN_NODE_BYTES;
    if (begin == end) return;
    memset(set->row + begin * SN_ROW_COUNT * SN_CONTACT_BLOCK, 0,
           (end - begin) * SN_ROW_COUNT * SN_CONTACT_BLOCK * sizeof *set->row);
}
