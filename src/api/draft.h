/* Definitions of constraints, checked. */
#ifndef SN_API_DRAFT_H
#define SN_API_DRAFT_H

#include "state/constraint_def.h"

/* Everything about one definition, checked. The list of the draft is the caller's to free. */
sn_result sn_draft_read(sn_world *world, const sn_constraint_type *type, const void *def,
                        sn_draft *draft);

/* Gives a constraint the fields of a draft that was prepared. What was measured at its creation
   stays, unless it follows from the fields. `list` is that of the draft, or null. */
void sn_constraint_take_fields(sn_world *world, uint32_t index, sn_real *parameter,
                               const sn_list *list);

#endif
