/*
 * Points of bodies in the sweeps of a substep (rigid_sweep.c), sixteen at a time: a row for each
 * number, so that lanes take several at once. Those of a block have no body in common that moves:
 * the order within it makes no difference.
 *
 * Points of a manifold are in the same lane of a chain of blocks. They are solved one after the
 * other, but their bodies are fetched and put back once for all of them.
 */
#ifndef SN_CONTACT_RIGID_RIGID_ROUNDS_H
#define SN_CONTACT_RIGID_RIGID_ROUNDS_H

#include "contact/rigid/rigid_contact.h"

/* Blocks for each of a set: manifolds with one, two and up to four points are apart, and so are
   those on what stands. */
enum { SN_RIGID_ROOM = 4 };

typedef sn_real sn_rigid_row[SN_CONTACT_BLOCK] __attribute__((aligned(16)));

struct sn_rigid_block {
    /* Of the chain, in its first block. */
    sn_rigid_row normal[3];
    sn_rigid_row w[2];          /* 1/kg; 0 in lanes that nobody takes */
    sn_rigid_row most;          /* m, by which an overlap may end */
    sn_rigid_row still, moving; /* friction, 1 */
    sn_rigid_row second;        /* of a manifold: 1 where the normal is of the second */
    uint32_t node[2][SN_CONTACT_BLOCK], body[2][SN_CONTACT_BLOCK];
    /* Of every point. */
    sn_rigid_row arm[2][3], from[2][3]; /* m, from the centres; when the substep began */
    sn_rigid_row deep;                  /* m, where neither is moved; of no point: -infinity */
    sn_rigid_row motion[3];             /* m, likewise */
    sn_rigid_row start;                 /* m, how deep it was when the substep began */
    sn_rigid_row push, slide[3];        /* m */
    sn_rigid_row k_n;                   /* 1/kg, along the normal; 0 until it touches */
    sn_rigid_row along[3], across[3];   /* 1/kg, of axes with themselves, and twice with the next */
    sn_rigid_row touched;               /* 1 where it was */
    /* What only the beginning and the end ask for. */
    sn_rigid_row predicted; /* m, how deep it is before these sweeps */
    sn_rigid_row had_push;  /* m, before these sweeps */
    sn_rigid_row had[3];    /* m, and all of both before them */
    uint32_t slot[SN_CONTACT_BLOCK], ball[SN_CONTACT_BLOCK];
    uint32_t points, balls; /* how many; balls of nodes are solved one by one */
    uint32_t chain;         /* how many blocks, from this one on, are a chain */
    bool looks;             /* whether its points are those of manifolds */
};

/* How the points of a block are gone over. */
typedef struct sn_rigid_round {
    sn_vec4 *d;           /* m, of nodes */
    const sn_vec4 *x, *p; /* m, the same, where substeps and this one began */
    sn_rigid_body *body;
    sn_real slight; /* m, what gravity does in a substep (recovery.h) */
    bool begins;    /* whether these are the first sweeps of a substep */
    bool slides;
    bool relaxes;    /* whether velocities alone are changed */
    bool first;      /* the first of these, or of places */
    uint32_t number; /* of the round in these sweeps, for who was stirred in it */
    sn_real quiet;   /* m, which stirs nobody */
} sn_rigid_round;

typedef struct sn_rigid_kernels {
    /* Looks at the points of a manifold, of which a chain has the normal as its owner sees it,
       places on both as these see them (arm), the radius (start), and what it was pushed by last.
       Whether any strikes the other. */
    bool (*look)(const sn_rigid_round *round, sn_rigid_block *block);
    /* Of the first block of a chain: what the last substep ended with is given to both sides. */
    void (*begin)(const sn_rigid_round *round, sn_rigid_block *block);
    /* m: the most that a point is pushed now. After the first round, lanes are left out of which no
       body was stirred since. */
    sn_real (*solve)(const sn_rigid_round *round, sn_rigid_block *block);
    uint32_t lanes; /* how many are gone over together */
} sn_rigid_kernels;

const sn_rigid_kernels *sn_rigid_kernels_of(sn_width width);

/* Behind a round over a chain: points that roll are resisted (rigid_rolling.c). */
void sn_rigid_resist_rolling(const sn_world *world, const sn_rigid_round *round,
                             sn_rigid_block *chain);

#endif
