/*
 * Points, edges and triangles of the leaves of trees, several side by side, so that one is compared
 * with several at a time. A triangle has its neighbours in the sheet within reach wherever it goes:
 * what tells them apart cheaply is that they may come nearer the nearer they are at rest.
 */
#ifndef SN_CONTACT_SURFACE_FEATURE_FOURS_H
#define SN_CONTACT_SURFACE_FEATURE_FOURS_H

#include "contact/surface/surface_contact.h"

/* m: half of the rest of those that have a node in common, less than any slack. */
#define SN_FEATURE_JOINED SN_R(-1e38)

SN_INLINE sn_v4 sn_four_all(sn_real x) {
    return (sn_v4){x, x, x, x};
}

SN_INLINE sn_v4 sn_four_choose(sn_v4_bits which, sn_v4 yes, sn_v4 no) {
    return (sn_v4)((which & (sn_v4_bits)yes) | (~which & (sn_v4_bits)no));
}

/* Two kinds of features of leaves that are compared. */
typedef struct sn_feature_comparison {
    sn_feature_blocks row, column;
    uint32_t rows, columns;          /* how many fours */
    const sn_v4 *rest;               /* as rest_tables.h says; null where there is none */
    const sn_surface_bvh_node *box;  /* around the columns */
    const sn_surface_bvh_box *moved; /* around those that have moved */
    bool same;                       /* whether both are of one collision surface */
    bool within;                     /* whether rows and columns are the same, each pair once */
    bool partial;                    /* whether those that have moved alone are asked for */
    bool row_moved, column_moved;    /* whether some of them have */
} sn_feature_comparison;

/* All that can come of a comparison, with room for lanes that are written over. */
enum { SN_FEATURE_MOST_PAIRS = SN_FEATURE_MOST * SN_FEATURE_MOST + SN_FEATURE_LANES };

/* Lists the rows that are near the columns; returns how many. The last is written over. */
typedef size_t sn_feature_list(const sn_feature_comparison *c, uint32_t row[SN_FEATURE_MOST + 1]);
/* Writes the pairs of these rows and columns that may come near each other, with their rest as of
   sn_near_accept; returns how many. Of edges, which come in the order of their numbers, or of
   points and triangles. */
typedef size_t sn_feature_compare(const sn_feature_comparison *c, const uint32_t *row, size_t rows,
                                  sn_broad_pair *pair, sn_real *rest);

/* feature_compare.c, once per SIMD width that blocks have room for. */
typedef struct sn_feature_loops {
    sn_feature_list *list;
    sn_feature_compare *compare_edges, *compare_points;
} sn_feature_loops;

#endif
