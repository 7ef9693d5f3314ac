/*
 * A contact set: the pairs of one kind that may touch in a step, and what happens to them.
 *
 * Pairs are listed in the order of their keys. What is known of them lies in blocks of 16, one row
 * for each number, so that lanes take several at once: rows that all kinds have, and a record of
 * each kind's own for what its search remembers. Where a pair moves more than one node,
 * contact_partition.c says which slot it has; otherwise slots are in the order of keys.
 */
#ifndef SN_CONTACT_CONTACT_SET_H
#define SN_CONTACT_CONTACT_SET_H

#include "collision/contact_material.h"
#include "math/vector.h"
#include "state/world.h"

enum {
    SN_CONTACT_BLOCK = 16,
    SN_CONTACT_LAYERS = 4,
    SN_CONTACT_MOST_SLABS = 32,
    SN_CONTACT_MOST_GROUPS = 3 * SN_CONTACT_MOST_SLABS
};

/* What is known of a contact, in rows of 16. What every sweep asks of all of them lies together. */
typedef enum sn_contact_row {
    SN_ROW_STATIC,      /* friction, 1 */
    SN_ROW_DYNAMIC,     /* friction, 1 */
    SN_ROW_RECOVERY,    /* m/s, how fast an overlap ends */
    SN_ROW_RESTITUTION, /* 1 */
    SN_ROW_CARRIES,     /* 1 where the sides carry the moment of friction (couple.h), 0 otherwise */
    SN_ROW_ROLLING = SN_ROW_CARRIES, /* of two balls: their rolling resistance, 1 */
    /* Of surfaces in layers: by what the inverse masses of the first are multiplied, or, below
       zero, those of the second; 0 where by nothing. */
    SN_ROW_SHOCK,
    SN_ROW_APPROACH, /* m/s, along the normal before the substep, where they bounce */
    /* Of surfaces that bounce, in this substep: */
    SN_ROW_IMPACT = SN_ROW_APPROACH, /* N s, of impacts that were played through */
    SN_ROW_PARTS,                    /* m/s, how fast they part after these */
    SN_ROW_PREDICTED = SN_ROW_PARTS, /* m, of bodies: how deep they would be but for contacts */
    SN_ROW_LIMIT,                    /* m, how close they may come; 0 in lanes that are not used */
    /* m, where they were pushed: by how much they overlapped when the substep began; 0 where that
       is slight (recovery.h). */
    SN_ROW_START,
    /* From here on what goes with a pair that is found again in the middle of a step. */
    SN_ROW_NORMAL, /* of the last contact; the side on which they belong */
    /* 1 where they are on the wrong side. Otherwise, in m and below zero, the overlap that was left
       when they were last looked at: SN_CONTACT_UNKNOWN before that. */
    SN_ROW_CROSSED = SN_ROW_NORMAL + 3,
    SN_ROW_PUSH,  /* m, along the normals in this substep, all sweeps together */
    SN_ROW_SLIDE, /* m, friction in this substep */
    /* m, what friction has still to take back of all substeps since it holds. */
    SN_ROW_OFFSET = SN_ROW_SLIDE + 3,
    SN_ROW_NORMAL_IMPULSE = SN_ROW_OFFSET + 3, /* N s, of the step so far */
    SN_ROW_IMPULSE,                            /* N s, of the step so far, on the first */
    SN_ROW_COUNT = SN_ROW_IMPULSE + 3
} sn_contact_row;

#define SN_CONTACT_UNKNOWN (-SN_INFINITY)

/* Two features by their numbers: nodes, edges, triangles, colliders. */
typedef struct sn_contact_pair {
    uint32_t a, b;
    uint32_t slot;  /* block * 16 + lane */
    uint32_t group; /* while they get their blocks */
} sn_contact_pair;

typedef struct sn_contact_set {
    sn_contact_pair *pair; /* ordered by a, then by b */
    size_t count, capacity;
    int32_t *node; /* byte offsets: rows of 16 per block, as many as the kind has nodes */
    sn_real *row;  /* SN_ROW_COUNT rows of 16 per block */
    size_t blocks, node_capacity, row_capacity;
    /* Where an integrator remembers: N s, what each had done when the substep began, and the part
       of it along the normals (contact_marks.c). */
    sn_vec4 *had;
    size_t had_capacity;
    bool remembers;
    /* Groups of pairs (contact_partition.h). Of every round, which is what was found together, the
       blocks where its groups begin, and the end. */
    size_t *first;
    size_t slabs, rounds, first_capacity;
} sn_contact_set;

/* The nodes of the features of a kind: as many of each as the kind says, one after the other. */
typedef struct sn_contact_features {
    const uint32_t *first, *second;
} sn_contact_features;

void sn_contact_set_free(sn_contact_set *set, sn_memory *memory);
/* Room for the rows of so many blocks; false when there is no memory. */
bool sn_contact_set_reserve(sn_contact_set *set, sn_memory *memory, int kind, size_t blocks);
/* The same for a set of which nothing is kept; what is in them is to be cleared. */
bool sn_contact_set_renew(sn_contact_set *set, sn_memory *memory, int kind, size_t blocks);
/* Empties blocks: lanes that nobody takes work on a node that is none and never touch. */
void sn_contact_set_clear(const sn_contact_set *set, int kind, size_t begin, size_t end);

/* The nodes of a pair, the first feature's first. */
static inline void sn_contact_nodes_of(sn_contact_features features, const int kind, uint32_t a,
                                       uint32_t b, uint32_t node[SN_CONTACT_MOST_NODES]) {
    const int first = sn_contact_first[kind], second = sn_contact_second[kind];
    for (int i = 0; i < first; i++) node[i] = features.first[(size_t)a * (size_t)first + (size_t)i];
    for (int i = 0; i < second; i++)
        node[first + i] = features.second[(size_t)b * (size_t)second + (size_t)i];
}

/* A row of a lane, of which these are the rows; and three as a vector. */
static inline sn_real *sn_row(sn_real *rows, int row) {
    return rows + (size_t)row * SN_CONTACT_BLOCK;
}

static inline sn_v4 sn_row_vector(sn_real *rows, int row) {
    return (sn_v4){*sn_row(rows, row), *sn_row(rows, row + 1), *sn_row(rows, row + 2), 0};
}

/* What holds between the two, and how fast an overlap of them ends (m/s). */
static inline void sn_contact_row_set_material(sn_real *rows, const sn_contact_material *material,
                                               sn_real recovery) {
    *sn_row(rows, SN_ROW_STATIC) = material->static_friction;
    *sn_row(rows, SN_ROW_DYNAMIC) = material->dynamic_friction;
    *sn_row(rows, SN_ROW_RESTITUTION) = material->restitution;
    *sn_row(rows, SN_ROW_RECOVERY) = recovery;
}
static inline sn_contact_material sn_contact_row_material(const sn_real *rows) {
    return (sn_contact_material){.static_friction = rows[SN_ROW_STATIC * SN_CONTACT_BLOCK],
                                 .dynamic_friction = rows[SN_ROW_DYNAMIC * SN_CONTACT_BLOCK],
                                 .restitution = rows[SN_ROW_RESTITUTION * SN_CONTACT_BLOCK]};
}

/* The rows of a slot, from its lane on; a row of it; and the offset of one of its nodes. */
static inline sn_real *sn_contact_rows(const sn_contact_set *set, uint32_t slot) {
    return set->row + (size_t)(slot / SN_CONTACT_BLOCK) * SN_ROW_COUNT * SN_CONTACT_BLOCK +
           slot % SN_CONTACT_BLOCK;
}
static inline sn_real *sn_contact_at(const sn_contact_set *set, uint32_t slot, int row) {
    return sn_row(sn_contact_rows(set, slot), row);
}
static inline int32_t *sn_contact_node_at(const sn_contact_set *set, int kind, uint32_t slot,
                                          int n) {
    size_t nodes = (size_t)sn_contact_nodes(kind);
    return set->node + ((size_t)(slot / SN_CONTACT_BLOCK) * nodes + (size_t)n) * SN_CONTACT_BLOCK +
           slot % SN_CONTACT_BLOCK;
}

/* What has happened to a pair in this step goes with it when it is found again. */
static inline void sn_contact_carry(const sn_contact_set *set, uint32_t slot,
                                    const sn_contact_set *old, uint32_t was) {
    for (int row = SN_ROW_NORMAL; row < SN_ROW_COUNT; row++)
        *sn_contact_at(set, slot, row) = *sn_contact_at(old, was, row);
}

#define SN_SWAP(type, a, b)                                                                        \
    do {                                                                                           \
        type kept_ = a;                                                                            \
        a = b;                                                                                     \
        b = kept_;                                                                                 \
    } while (0)

#endif
