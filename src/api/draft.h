/* Between the definitions of constraints and what a store keeps of them. */
#ifndef SN_API_DRAFT_H
#define SN_API_DRAFT_H

#include "state/fields.h"
#include "state/world.h"

/* The head of a definition: its size, then its nodes; or its size and its list. */
typedef struct sn_def_head {
    size_t size;
    sn_node node[SN_MAX_NODES];
} sn_def_head;

typedef struct sn_list_head {
    size_t size;
    const sn_node *nodes;
    size_t node_count;
    const uint32_t *triangles;
    size_t triangle_count;
} sn_list_head;

/* The numbers of a field from a definition, and back to where it is there. */
void sn_field_read(const sn_field_info *field, const void *def, sn_real *number);
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

/* Measures automatic fields of a constraint anew, with the parameters of the draft, whose list is
   the caller's to free. */
sn_result sn_draft_prepare_again(sn_world *world, const sn_store *store, sn_place place,
                                 sn_draft *draft);

/* Gives a constraint the fields of a draft that was prepared. What was measured at its creation
   stays, unless it follows from the fields. `list` is that of the draft, or null. */
void sn_constraint_take_fields(sn_world *world, uint32_t index, sn_real *parameter,
                               const sn_list *list);

#endif
