/*
 * Points of bodies in the sweeps of a substep (rigid_sweep.c), sixteen at a time: a row for each
 * number, so that lanes take several at once. Those of a block have no body in common that moves:
 * the order within it makes no difference.
 */
#ifndef SN_CONTACT_RIGID_RIGID_ROUNDS_H
#define SN_CONTACT_RIGID_RIGID_ROUNDS_H

#include "contact/rigid/rigid_contact.h"

typedef sn_real sn_rigid_row[SN_CONTACT_BLOCK] __attribute__((aligned(16)));

struct sn_rigid_block {
    sn_rigid_row normal[3];
    sn_rigid_row arm[2][3], from[2][3]; /* m, from the centres; when the substep began */
    sn_rigid_row deep;                  /* m, where neither is moved */
    sn_rigid_row motion[3];             /* m, likewise */
    sn_rigid_row start;                 /* m, how deep it was when the substep began */
    sn_rigid_row most;                  /* m, by which an overlap may end */
    sn_rigid_row still, moving;         /* friction, 1 */
    sn_rigid_row push, slide[3];        /* m */
    sn_rigid_row k_n;                   /* 1/kg, along the normal; 0 until it touches */
    sn_rigid_row along[3], across[3];   /* 1/kg, of axes with themselves, and twice with the next */
    sn_rigid_row w[2];                  /* 1/kg; 0 in lanes that nobody takes */
    sn_rigid_row touched;               /* 1 where it was */
    uint32_t node[2][SN_CONTACT_BLOCK], body[2][SN_CONTACT_BLOCK];
    /* What only the beginning and the end ask for. */
    sn_rigid_row predicted; /* m, how deep it is before these sweeps */
    sn_rigid_row had_push;  /* m, before these sweeps */
    sn_rigid_row had[3];    /* m, and all of both before them */
    uint32_t slot[SN_CONTACT_BLOCK], ball[SN_CONTACT_BLOCK];
    uint32_t points, balls; /* how many; balls of nodes are solved one by one */
};

/* How the points of a block are gone over. */
typedef struct sn_rigid_round {
    sn_vec4 *d; /* m, of nodes */
    sn_rigid_body *body;
    sn_real slight; /* m, what gravity does in a substep (recovery.h) */
    bool slides;
    bool relaxes, first; /* whether velocities alone are changed, and that for the first time */
} sn_rigid_round;

typedef struct sn_rigid_kernels {
    /* What the last substep ended with is given to both sides. */
    void (*begin)(const sn_rigid_round *round, sn_rigid_block *block);
    /* m: the most that a point is pushed now. */
    sn_real (*solve)(const sn_rigid_round *round, sn_rigid_block *block);
} sn_rigid_kernels;

const sn_rigid_kernels *sn_rigid_kernels_of(sn_width width);

#endif
