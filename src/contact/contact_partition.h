/*
 * One partition for all kinds of contact whose pairs move more than one node: what may be solved at
 * the same time, by lanes and by threads.
 *
 * Space is cut into slabs, and pairs that lie within a slab, or across one cut, are a group. Groups
 * of a layer have no node in common that they can move: threads take whole groups, layer by layer,
 * and wait for each other as often as there are layers, however many pairs there are. Within a
 * group every pair has a colour, and those of a colour lie together in blocks of 16, whose lanes
 * have no node in common either.
 *
 * What is kinematic, or sleeps, belongs to nobody, as it is not moved. Nothing depends on how many
 * threads and lanes there are.
 */
#ifndef SN_CONTACT_CONTACT_PARTITION_H
#define SN_CONTACT_CONTACT_PARTITION_H

#include "contact/contact_set.h"

typedef struct sn_contact_partition {
    uint8_t *of_node; /* twice the slab, and one more in the second half of space */
    size_t capacity, slabs;
    bool lost;       /* whether they are not those of the sets, as there was no memory */
    uint64_t *taken; /* scratch: of every node, once per layer, which colours have it */
    uint32_t *order; /* scratch: pairs by groups */
    uint32_t *place; /* scratch: of colours behind those of a mask, how many pairs, or where */
    size_t taken_capacity, order_capacity, place_capacity;
} sn_contact_partition;

/* A set to be cut, of a kind whose features have these nodes. */
typedef struct sn_contact_part {
    sn_contact_set *set;
    sn_contact_features features;
    int kind;
    /* Of pairs that touch in several points, how many blocks each has one in: those whose slots are
       1 before, which have blocks of their own then, so many in a row with the same nodes in a
       lane. 0: all have one. */
    size_t chain;
    /* By the second of a pair, slot + 1 of a node that it moves as well, or 0; null: none does.
       Only for kinds whose lanes are solved one after the other. */
    const uint32_t *carrier;
} sn_contact_part;

/* Where its pairs are. */
typedef struct sn_contact_space {
    const sn_vec4 *x;     /* m, of nodes */
    const uint32_t *node; /* those that pairs may have; null: all */
    size_t nodes;
    double size; /* m, of features in the mean, without their radii */
    size_t work; /* how much more a pair costs than one between two surfaces */
    bool bodies; /* whether nodes are whole bodies, of which a slab is a few thick */
} sn_contact_space;

void sn_contact_partition_free(sn_contact_partition *partition, sn_memory *memory);

/* Cuts space for the pairs of all parts together; false when there is no memory. */
bool sn_contact_partition_cut(sn_world *world, sn_contact_partition *partition,
                              const sn_contact_part *parts, size_t count,
                              const sn_contact_space *space);

/*
 * Gives pairs of a part, which need not be in its set yet, blocks behind those that it has: their
 * slots, counted from where their group begins. Slots that are 1 before, and not 0, come behind
 * others of their colour. Returns where the groups of the new round begin (as in a set), or null
 * when there is no memory; the set has the round only when the caller counts it.
 */
const size_t *sn_contact_partition_pack(sn_world *world, sn_contact_partition *partition,
                                        const sn_contact_part *part, sn_contact_pair *pair,
                                        size_t count);

/* Both for the pairs of one set alone, which has one round of blocks then and its pairs their
   slots; false when there is no memory, and the set has none. */
bool sn_contact_partition_place(sn_world *world, sn_contact_partition *partition,
                                const sn_contact_part *part, const sn_contact_space *space);

/* The first group of a layer: within slabs, across every other cut, across the others, and what is
   left. */
static inline size_t sn_contact_layer(const sn_contact_set *set, int layer) {
    const size_t first[SN_CONTACT_LAYERS + 1] = {0, set->slabs, set->slabs + set->slabs / 2 * 2,
                                                 3 * set->slabs - 2, 3 * set->slabs - 1};
    return first[layer];
}

static inline size_t sn_contact_groups(const sn_contact_set *set) {
    return sn_contact_layer(set, SN_CONTACT_LAYERS);
}

/* The group of a pair with these nodes. */
uint32_t sn_contact_group_of(const sn_world *world, const sn_contact_partition *partition,
                             const sn_contact_set *set, const uint32_t *node, int nodes);

#endif
