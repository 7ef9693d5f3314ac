/*
 * How far the features of two leaves of a tree are apart at rest. Nearly all leaves that are
 * compared are neighbours in a sheet, the same ones in every find, and what they may come within
 * follows from how they are at rest. So it is found when two are first compared, and kept for as
 * long as there is room.
 */
#ifndef SN_CONTACT_SURFACE_REST_TABLES_H
#define SN_CONTACT_SURFACE_REST_TABLES_H

#include "contact/surface/feature_fours.h"

/* Forgets all, and has room for those of a tree; false when there is no memory. */
bool sn_rest_tables_reserve(sn_world *world, sn_surface_bvh *tree);
void sn_rest_tables_free(sn_rest_tables *tables, sn_memory *memory);
/* Those of two leaves, in this order; NULL where there is no room. */
sn_rest_entry *sn_rest_entry_of(sn_surface_bvh *tree, uint32_t a, uint32_t b);
/* Of an entry of these leaves, a table: for every lane of the rows as many as there are columns of
   what follows. NULL where there is no room. And fetches it beforehand, where it is known. */
const sn_v4 *sn_rest_table(sn_surface_bvh *tree, sn_rest_entry *entry, uint32_t a, uint32_t b,
                           int kind);
void sn_rest_table_fetch(const sn_surface_bvh *tree, const sn_rest_entry *entry, uint32_t a,
                         uint32_t b, int kind);

/* m: half of how far one and four are apart at rest, with the bits that it has where pairs are
   measured (separation_test.h); SN_FEATURE_JOINED where they have a node in common. */
sn_v4 sn_rest_half_of_edges(const sn_feature_rest *a, uint32_t lane, const sn_feature_rest *b);
sn_v4 sn_rest_half_of_points(const sn_feature_rest *a, uint32_t lane, const sn_feature_rest *b);

#endif
