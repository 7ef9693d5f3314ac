/* Between the definitions of constraints and what a store keeps of them. */
#ifndef SN_API_DRAFT_H
#define SN_API_DRAFT_H

#include "world/fields.h"
#include "world/world.h"

/* Puts the numbers of a field where it is in a definition. */
void sn_field_write(const sn_field_info *field, const sn_real *number, void *def);

/* The nodes of a definition without a list, which has been checked before. */
void sn_draft_read_members(const sn_world *world, const sn_constraint_type *type, const void *def,
                           sn_draft *draft);

/* Everything about one definition, checked. The list of the draft is the caller's to free. */
sn_result sn_draft_read(sn_world *world, const sn_constraint_type *type, const void *def,
                        sn_draft *draft);

/* Puts the nodes of a constraint into a definition, or the counts of its list. */
void sn_draft_write_members(const sn_world *world, const sn_store *store, sn_place place,
                            void *def);

/* The id of a node; the null id for the origin. */
sn_node sn_world_node_id(const sn_world *world, int32_t index);

/* Measures automatic fields of a constraint anew, with the parameters of the draft. */
sn_result sn_draft_prepare_again(sn_world *world, const sn_store *store, sn_place place,
                                 sn_draft *draft);

#endif
