/* Joints of what strikes (rigid_links.c). */
#ifndef SN_CONTACT_RIGID_RIGID_LINKS_H
#define SN_CONTACT_RIGID_RIGID_LINKS_H

#include "contact/rigid/rigid_contact.h"

/* Memory for joints, and for the bodies that hang together; false when there is none. */
bool sn_rigid_links_reserve(sn_world *world);
void sn_rigid_links_free(sn_rigid_contacts *contacts, sn_memory *memory);

/* Tells of every joint which nodes it holds that give way, where there are several. */
typedef void sn_rigid_links_hear(void *context, const uint32_t *node, int count);
void sn_rigid_links_tell(const sn_world *world, sn_rigid_links_hear *hear, void *context);

/* Joins nodes that joints hold together to sets (base/union_find.h): `chain` of contacts. */
void sn_rigid_links_join(const sn_world *world);

/* Finds the joints of all that hangs together with these nodes, two for each contact. */
void sn_rigid_links_find(const sn_world *world, size_t contacts,
                         const uint32_t *(*nodes_of)(const sn_rigid_contacts *t, size_t k));
/* All that hangs on these begins anew, where an integrator remembers. */
void sn_rigid_links_forget(sn_world *world);

/* Of what hangs together with one of two nodes: gives impulses along the rows until `flight` keeps
   joints whole. False where nothing does. */
bool sn_rigid_links_hold(const sn_world *world, const uint32_t node[2]);
/* The same of all, with the velocities that nodes and frames have. */
void sn_rigid_links_apply(const sn_world *world);

#endif
