/*
 * Who touched in a step: one list of all kinds (state/contact_list.h), made when it ends.
 *
 * Every kind tells which of its pairs touched (contact_kind.h); what began, stayed and ended is
 * found here.
 */
#ifndef SN_CONTACT_CONTACT_EVENTS_H
#define SN_CONTACT_CONTACT_EVENTS_H

#include "collision/collider_pose.h"
#include "contact/contact_kind.h"
#include "contact/contacts.h"

/* Room for a contact of every pair there is, and of `more` between collision surfaces; false when
   there is no memory. */
bool sn_contact_events_reserve(sn_world *world, size_t more);
/* The end of a step: the list, its statistics, and who falls asleep with whom. */
void sn_contact_events_end(sn_world *world);
/* Between steps: how many contacts of the last one overlap by more than 0.1 mm, and the deepest in
   m. Asked for only where somebody looks. */
size_t sn_contact_events_depths(const sn_world *world, double *deepest);

/* What is known of an impulse: one that is beyond all numbers is none. */
static inline void sn_contact_set_impulse(sn_contact *contact, sn_v4 impulse,
                                          sn_real normal_impulse) {
    if (!sn_v4_is_finite(impulse) || normal_impulse - normal_impulse != 0) return;
    contact->impulse = (sn_vec3){impulse[0], impulse[1], impulse[2]};
    contact->normal_impulse = normal_impulse;
}

/* The id of a node, and of a collider, by their slots. */
static inline sn_node sn_contact_node(const sn_world *world, uint32_t i) {
    return (sn_node){i + 1, world->nodes.slots.generation[i], world->tag};
}
static inline sn_collider sn_contact_collider(const sn_world *world, uint32_t i) {
    return (sn_collider){i + 1, sn_colliders_of(world)->slots.generation[i], world->tag};
}

#endif
