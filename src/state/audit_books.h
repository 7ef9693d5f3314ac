/*
 * The books of an energy audit: what step/audit.c writes down, and the sums that sinew/audit.h
 * shows. They belong to who asked for them, and no step reads them.
 */
#ifndef SN_STATE_AUDIT_BOOKS_H
#define SN_STATE_AUDIT_BOOKS_H

#include "state/world.h"

#include <sinew/audit.h>

/* Who moves nodes between prediction and update. */
typedef enum sn_audit_cause {
    SN_CAUSE_CONSTRAINTS, /* with levels, regions and bounds */
    SN_CAUSE_CONTACTS,    /* with all that limits motion */
    SN_CAUSE_TARGETS,
    SN_CAUSES
} sn_audit_cause;

/* A node, or in rad a frame, on its way through a substep. */
typedef struct sn_audit_motion {
    double v[3];             /* m/s, when it began; of frames without what constraints do */
    double mean[3];          /* m/s, of that and of the velocity at its end */
    double displacement[3];  /* m, that it has gone */
    double start[3];         /* m, its p when it began */
    double moved[3];         /* m, d - p when it was last looked at */
    double by[SN_CAUSES][3]; /* m, and who has moved it */
    double air[3];           /* m/s^2, of air alone */
    double at[3];            /* m, where it was when its v was looked at */
} sn_audit_motion;

/* A row of a constraint when it was last looked at. */
typedef struct sn_audit_row {
    double value;        /* C */
    double force;        /* N for a C in m, of compliant rows */
    double residual;     /* C + compliance force: what the solve has left undone */
    uint16_t generation; /* of the constraint that this is of */
} sn_audit_row;

/* What had happened to a contact when it was last looked at. */
typedef struct sn_audit_impulse {
    double all[3], normal_impulse; /* N s, of the step so far */
} sn_audit_impulse;

typedef struct sn_audit_body {
    sn_audit sum;        /* without what is stored, and unexplained */
    double contact;      /* J, what contacts have done and nobody has explained yet */
    uint16_t generation; /* of the body that this is of */
} sn_audit_body;

typedef struct sn_audit_books {
    sn_audit_motion *node, *frame;
    size_t node_capacity, frame_capacity;
    sn_audit_row *row; /* SN_MAX_ROWS of every constraint, by slots */
    size_t row_capacity;
    sn_vec3 *gradient; /* of the constraint at hand */
    size_t gradient_capacity;
    sn_audit_impulse *impulse; /* kind by kind, in the order of slots */
    size_t impulse_capacity;
    size_t slots[SN_CONTACT_KINDS]; /* of each kind that it has; 0 where there was no memory */
    bool aired;                     /* whether air acts in this substep */
    /* By body, slot + 1; 0 for nodes without one. */
    sn_audit_body *body;
    sn_measure *stored, *fresh;
    size_t bodies, body_capacity, stored_capacity, fresh_capacity;
    sn_audit gone; /* of bodies that are no more */
} sn_audit_books;

/* Opens empty books; false when there is no memory for all of them, and then they are to be closed.
   Where there are none, there is nothing to close. */
bool sn_audit_open(sn_world *world);
void sn_audit_close(sn_world *world);
/* Room for bodies that have come. */
bool sn_audit_reserve_bodies(sn_world *world);

/* Goes on from what is stored now (`fresh`), after bodies that are no more were put aside. What
   differs from before is charged to a member of the sums, given as an offset: as it is, or as a
   loss (-1). */
void sn_audit_charge(sn_world *world, size_t member, double sign);

/* Of a body (slot + 1, or 0), and of all. */
sn_audit sn_audit_of_body(const sn_audit_books *books, size_t body);
sn_audit sn_audit_of_world(const sn_audit_books *books);

/* The member of a body's sums. */
static inline double *sn_audit_member(sn_audit *audit, size_t offset) {
    return (double *)((char *)audit + offset);
}

#endif
