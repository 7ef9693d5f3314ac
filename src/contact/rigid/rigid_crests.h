/* Corners and edges of meshes, heights and fields that stand, and bodies (rigid_crests.c). */
#ifndef SN_CONTACT_RIGID_RIGID_CRESTS_H
#define SN_CONTACT_RIGID_RIGID_CRESTS_H

#include "contact/rigid/rigid_contact.h"

/* How many a body has with a mesh at most. */
enum { SN_RIGID_CRESTS = 96 };

/* A corner of a triangle, or a side of it and one of the two ends of what lies along it. */
typedef struct sn_rigid_crest {
    sn_real away; /* m, by which the nearest are told */
    uint32_t triangle;
    uint8_t spot; /* 0 to 2: a corner; 3 to 5, 6 to 8: a side */
} sn_rigid_crest;

typedef struct sn_rigid_crests {
    uint32_t node, own, form; /* what carries a collider, that, and the form of it or of a part */
    uint32_t collider, part;  /* what stands; number + 1 of a part, or 0 */
    sn_real reach;            /* m, how far away they may be */
    sn_rigid_crest found[SN_RIGID_CRESTS]; /* in their order */
    size_t count;
    bool more; /* whether there are more than these */
} sn_rigid_crests;

/* Whether a shape has any. */
bool sn_rigid_crests_stand(const sn_collider_def *def);
/* Knows those of all that stands; false when there is no memory. */
bool sn_rigid_crests_know(sn_world *world);
/* Those that are near. */
void sn_rigid_crests_near(const sn_world *world, sn_rigid_crests *crests);
/* When a substep begins: where they touch, and whether they begin to be near or end it. */
void sn_rigid_crests_place(sn_world *world);

#endif
