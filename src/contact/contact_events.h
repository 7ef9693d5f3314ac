/*
 * Who touched in a step: one list of all kinds (state/contact_list.h), made when it ends.
 *
 * While a step goes on, every kind of contact keeps its pairs in a way of its own. A source tells
 * what is in them; what began, stayed and ended is found here.
 */
#ifndef SN_CONTACT_CONTACT_EVENTS_H
#define SN_CONTACT_CONTACT_EVENTS_H

#include "collision/collider_pose.h"
#include "contact/contacts.h"

/* Pairs of one kind, by their numbers. */
typedef struct sn_contact_source {
    /* Whether there can be any. Where not, contacts of the step before do not end, they go. */
    bool (*is_needed)(const sn_world *world);
    /* How many there are; when the step has ended they are in the order of their keys. */
    size_t (*pairs)(const sn_world *world, int kind);
    /* The first from one on that touched, before `end`; `end` where none did. */
    size_t (*next)(const sn_world *world, int kind, size_t from, size_t end);
    /* Nodes and collider. */
    void (*key)(const sn_world *world, int kind, size_t pair, sn_contact *contact);
    /* The rest of a contact but its phase; `stuck` is null but between collision surfaces. */
    void (*fill)(const sn_world *world, int kind, size_t pair, sn_contact *contact, sn_vec4 *stuck);
    /* Whether the two are on the wrong side of each other; null where that cannot be. */
    bool (*crossed)(const sn_world *world, int kind, size_t pair);
    /* m, between steps: how deep the two are in each other, of which all nodes are still there. */
    double (*depth)(const sn_world *world, const sn_contact *contact);
} sn_contact_source;

extern const sn_contact_source sn_surface_contact_source, sn_triangle_contact_source,
    sn_collider_contact_source;

/* Room for a contact of every pair there is, and of `more` between collision surfaces; false when
   there is no
   memory. */
bool sn_contact_events_reserve(sn_world *world, size_t more);
/* The end of a step: the list, its statistics, and who falls asleep with whom. */
void sn_contact_events_end(sn_world *world);
/* Between steps: how many contacts of the last one overlap by more than 0.1 mm, and the deepest in
   m. Asked for only where somebody looks. */
size_t sn_contact_events_depths(const sn_world *world, double *deepest);

/* What is known of an impulse: one that is beyond all numbers is none. */
static inline void sn_contact_set_impulse(sn_contact *contact, sn_v4 impulse, sn_real pressure) {
    if (!sn_v4_is_finite(impulse) || pressure - pressure != 0) return;
    contact->impulse = (sn_vec3){impulse[0], impulse[1], impulse[2]};
    contact->pressure = pressure;
}

/* The id of a node, and of a collider, by their slots. */
static inline sn_node sn_contact_node(const sn_world *world, uint32_t i) {
    return (sn_node){i + 1, world->nodes.slots.generation[i], world->tag};
}
static inline sn_collider sn_contact_collider(const sn_world *world, uint32_t i) {
    return (sn_collider){i + 1, world->colliders.slots.generation[i], world->tag};
}

#endif
