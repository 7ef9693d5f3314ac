/*
 * What the contact system owns: the pairs of a step, kind by kind, with what happens to them; and
 * which nodes touched something, where constraints ask for it.
 */
#ifndef SN_CONTACT_CONTACTS_H
#define SN_CONTACT_CONTACTS_H

#include "base/archive.h"
#include "contact/collider/collider_contact.h"
#include "contact/contact_set.h"
#include "contact/limiter/limiter.h"
#include "contact/rigid/rigid_contact.h"
#include "contact/triangle/triangle_contact.h"
#include "contact/untangle/untangle.h"

#include <stdatomic.h>

/* Of every node, whether something touched it in the last substep; only where somebody asks. */
typedef struct sn_contact_marks {
    uint8_t *node;
    size_t capacity;
    bool on; /* whether they are up to date */
    /* Of the step: whether they will be, and by constraints, whatever there is to touch. */
    bool wanted, asked;
} sn_contact_marks;

typedef struct sn_contacts {
    sn_contact_set set[SN_CONTACT_KINDS];
    sn_contact_set old[SN_CONTACT_KINDS]; /* before they were found again, in a step */
    /* What finding them needs. */
    sn_collider_contacts collider; /* of nodes and colliders */
    sn_triangle_contacts triangle; /* of triangles and colliders */
    sn_rigid_contacts rigid;       /* of nodes and colliders that are carried */
    /* Between collision surfaces; null until some can touch. */
    struct sn_surface_contacts *surface;
    sn_limiter limiter;
    sn_untangle untangle;
    sn_contact_marks marks;
    sn_rigid_memory memory; /* of what bodies touched in the last step */
    /* Whether something that overlapped when the substep began was pushed in it; and in the one
       before, or if it may have been, as this is the first one of a step. */
    atomic_bool recovers;
    bool recovered;
} sn_contacts;

static inline sn_contacts *sn_contacts_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_CONTACT];
}

static inline sn_collider_contacts *sn_collider_contacts_of(const sn_world *world) {
    return &sn_contacts_of(world)->collider;
}

static inline sn_triangle_contacts *sn_triangle_contacts_of(const sn_world *world) {
    return &sn_contacts_of(world)->triangle;
}

static inline sn_rigid_contacts *sn_rigid_contacts_of(const sn_world *world) {
    return &sn_contacts_of(world)->rigid;
}

static inline struct sn_surface_contacts *sn_surface_contacts_of(const sn_world *world) {
    return sn_contacts_of(world)->surface;
}

static inline sn_limiter *sn_limiter_of(const sn_world *world) {
    return &sn_contacts_of(world)->limiter;
}

static inline sn_untangle *sn_untangle_of(const sn_world *world) {
    return &sn_contacts_of(world)->untangle;
}

/* ---- Marks: which nodes touched something (contact_marks.c) ---- */

/* Room for them, where a constraint asks, or the integrator remembers earlier substeps; false when
   there is no memory. */
bool sn_contact_marks_plan(sn_world *world, bool remembers);
/* The plan has succeeded: they are switched on or off. */
void sn_contact_marks_planned(sn_world *world);
/* At the end of a substep of h seconds. Bodies that something has struck begin anew. */
void sn_contact_marks_update(sn_world *world, bool remembers, double h);
/* Where the integrator remembers: room for what contacts had done when a substep began, false where
   there is none; and that it begins. */
bool sn_contact_impulses_reserve(sn_world *world);
void sn_contact_impulses_begin(sn_world *world);
/* The nodes of a pair that can be moved, and how many. */
int sn_contact_movable(const sn_world *world, int kind, const sn_contact_pair *pair,
                       uint32_t node[SN_CONTACT_MOST_NODES + 1]);
/* A column of the section of nodes. */
void sn_contact_marks_serialize(sn_world *world, sn_archive *a);
/* Of every node; null where nobody asks. */
static inline const uint8_t *sn_contact_marks_of(const sn_world *world) {
    const sn_contact_marks *marks = &sn_contacts_of(world)->marks;
    return marks->on ? marks->node : NULL;
}

#endif
