/*
 * Between the definitions of constraints and what a store keeps of them: fields, nodes, and what is
 * measured where the nodes are. Definitions are taken at their word here; src/api checks them.
 */
#ifndef SN_STATE_CONSTRAINT_DEF_H
#define SN_STATE_CONSTRAINT_DEF_H

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

/* The numbers of a field from a definition, and back to where it is there; and of all fields, as
   the first parameters. */
void sn_field_read(const sn_field_info *field, const void *def, sn_real *number);
void sn_field_write(const sn_field_info *field, const sn_real *number, void *def);
void sn_draft_read_fields(const sn_type_info *info, const void *def, sn_real *parameter);

/* Index of the node of an id, and of the frame of that; that of the origin for a null id. */
static inline int32_t sn_node_index(sn_node id) {
    return id.slot == 0 ? SN_NODE_ORIGIN : (int32_t)(id.slot - 1);
}
static inline int32_t sn_frame_index(const sn_world *world, int32_t node) {
    return node < 0 ? SN_NODE_ORIGIN : (int32_t)world->nodes.frame[node] - 1;
}
/* The id of a node; the null id for the origin. */
sn_node sn_world_node_id(const sn_world *world, int32_t index);

/* The nodes of a definition without a list; and as members of a draft. */
static inline const sn_node *sn_def_nodes(const void *def) {
    return (const sn_node *)((const char *)def + offsetof(sn_def_head, node));
}
void sn_draft_read_members(const sn_world *world, const sn_constraint_type *type, const void *def,
                           sn_draft *draft);
/* Puts the nodes of a constraint into a definition, or the counts of its list. */
void sn_draft_write_members(const sn_world *world, const sn_store *store, sn_place place,
                            void *def);

/* Automatic fields and measured parameters, from where the nodes are. */
sn_result sn_draft_prepare(sn_world *world, const sn_constraint_type *type, sn_draft *draft);
/* The same anew for a constraint, with the parameters of the draft, whose list is the caller's to
   free. */
sn_result sn_draft_prepare_again(sn_world *world, const sn_store *store, sn_place place,
                                 sn_draft *draft);

/*
 * Constraints on their way into a store. They are asked for their members first and then for all of
 * themselves, one at a time, so that nobody keeps them all; neither may fail.
 */
typedef struct sn_arrivals {
    sn_world *world;
    sn_store *store;
    size_t count;
    void (*read_members)(void *context, size_t i, sn_draft *draft);
    void (*read)(void *context, size_t i, sn_draft *draft);
    void *context;
} sn_arrivals;

/* Makes all of them, in their order, or without memory none: SN_ERROR_MEMORY. Their ids where that
   is not null. */
sn_result sn_world_create_constraints(const sn_arrivals *a, sn_constraint *ids);

#endif
