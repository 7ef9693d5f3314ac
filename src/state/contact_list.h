/*
 * The contacts of the last step, of all kinds in one list, which the next step compares its own
 * with. They are ordered by their keys: the kind, then the slots of nodes and collider.
 */
#ifndef SN_STATE_CONTACT_LIST_H
#define SN_STATE_CONTACT_LIST_H

#include "base/memory.h"

#include <sinew/contact.h>

enum {
    SN_SURFACE_CONTACT_KINDS =
        SN_CONTACT_EDGE_EDGE + 1, /* between collision surfaces: the first ones */
    SN_CONTACT_KINDS = SN_CONTACT_RIGID + 1,
    SN_CONTACT_MOST_NODES = 4 /* at most */
};

/* Two directions that turn with a pair (contact/surface/placed_pairs.c). */
typedef struct sn_contact_own {
    sn_vec4 direction[2];
} sn_contact_own;

typedef struct sn_contact_list {
    sn_contact *contact;
    size_t count, capacity;
    /* m, of each between collision surfaces: what friction that holds has still to take back. */
    sn_vec4 *stuck;
    size_t stuck_capacity;
    /* Of each of them, where a call has placed nodes since the step, as it was before that. */
    sn_contact_own *own;
    size_t own_capacity;
    bool placed;
    /* Scratch: of the present step, while the last one's are still needed. */
    sn_contact *fresh;
    sn_vec4 *fresh_stuck;
    size_t fresh_capacity, fresh_stuck_capacity;
} sn_contact_list;

/* Nodes of the first and of the second side of each kind. That of a carried collider is the one
   that carries it, which contacts do not list. */
static const int sn_contact_first[SN_CONTACT_KINDS] = {1, 1, 1, 2, 3, 1, 1};
static const int sn_contact_second[SN_CONTACT_KINDS] = {1, 2, 3, 2, 0, 0, 1};

static inline int sn_contact_nodes(int kind) {
    return sn_contact_first[kind] + sn_contact_second[kind];
}

/* How many of them a contact of the list has. */
static inline int sn_contact_listed(int kind) {
    return kind == SN_CONTACT_RIGID ? 1 : sn_contact_nodes(kind);
}

/* The order of keys. */
static inline int sn_contact_compare(const sn_contact *a, const sn_contact *b) {
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    for (int i = 0; i < SN_CONTACT_MOST_NODES; i++)
        if (a->nodes[i].slot != b->nodes[i].slot)
            return a->nodes[i].slot < b->nodes[i].slot ? -1 : 1;
    if (a->collider.slot != b->collider.slot) return a->collider.slot < b->collider.slot ? -1 : 1;
    return 0;
}

/* Whether two are of the same things, and not of later ones in the same slots. */
static inline bool sn_contact_is_same(const sn_contact *a, const sn_contact *b) {
    for (int i = 0; i < SN_CONTACT_MOST_NODES; i++)
        if (a->nodes[i].generation != b->nodes[i].generation) return false;
    return sn_contact_compare(a, b) == 0 && a->collider.generation == b->collider.generation;
}

/* The place of the first contact that is not before a key; of the first of a kind or a later
   one. */
size_t sn_contact_list_seek(const sn_contact_list *list, const sn_contact *key);
size_t sn_contact_list_begin(const sn_contact_list *list, int kind);

/* Room for the contacts of a step, of which so many are between collision surfaces; false when
   there is no memory. */
bool sn_contact_list_reserve(sn_contact_list *list, sn_memory *memory, size_t contacts,
                             size_t between);
/* What was of this step is now of the last. */
void sn_contact_list_swap(sn_contact_list *list, size_t count);
/* Empty contacts at a place, for what is read; false when there is no memory. */
bool sn_contact_list_insert(sn_contact_list *list, sn_memory *memory, size_t at, size_t count);
void sn_contact_list_free(sn_contact_list *list, sn_memory *memory);

#endif
