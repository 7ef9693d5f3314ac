/*
 * Points of bodies in the sweeps of a substep (rigid_sweep.c), sixteen at a time: a row for each
 * number, so that lanes take several at once. Those of a block have no body in common that moves:
 * the order within it makes no difference.
 *
 * Points of a manifold are in the same lane of a chain of blocks. They are solved one after the
 * other, but their bodies are fetched and put back once for all of them.
 *
 * They stay as they are laid out while pairs do and no manifold gets other points, from step to
 * step. In substeps they are looked at where they lie, and what happens to them stays there: rows
 * of the set have it when others are laid out, or where somebody asks.
 */
#ifndef SN_CONTACT_RIGID_RIGID_ROUNDS_H
#define SN_CONTACT_RIGID_RIGID_ROUNDS_H

#include "contact/rigid/rigid_contact.h"

/* Of their size, or an angle (rad): by how much bodies may move as seen from each other for the
   points of a manifold to stay where they are. What rolls is carried below its middle, and points
   that stay behind push it on: those of a side that is round stay less long. */
#define SN_RIGID_ALIKE SN_R(1e-3)
#define SN_RIGID_ALIKE_ROUND SN_R(1e-5)
static inline sn_real sn_rigid_alike(const sn_rigid_search *c) {
    return c->spins ? SN_RIGID_ALIKE_ROUND : SN_RIGID_ALIKE;
}

/* A point of what touches from the beginning and has a cylinder, which was found where the second
   was then, in the first. A wheel has gone on since, and is carried below its middle: by a point of
   its own (sn_rigid_share). */
void sn_rigid_place_along(const sn_world *world, sn_rigid_search *c, sn_rigid_pose other);

/* Blocks for each of a set: manifolds with one, two and up to four points are apart, and so are
   those on what stands. */
enum { SN_RIGID_ROOM = 4 };

/* Of 16 lanes, one line of a cache: who takes all of them at once fetches no second one for it. */
typedef sn_real sn_rigid_row[SN_CONTACT_BLOCK] __attribute__((aligned(64)));

struct sn_rigid_block {
    uint32_t points, balls; /* how many; balls of nodes are solved one by one */
    uint32_t chain;         /* how many blocks, from this one on, are a chain */
    bool looks;             /* whether its points are those of manifolds */
    /* Of the chain: lanes of what touches, and of what strikes another (rigid_flying.c). */
    uint16_t touching, striking;
    /* Of the chain, in its first block. */
    sn_rigid_row normal[3];
    sn_rigid_row w[2];          /* 1/kg; 0 in lanes that nobody takes */
    sn_rigid_row most;          /* m, by which an overlap may end */
    sn_rigid_row still, moving; /* friction, 1 */
    uint32_t node[2][SN_CONTACT_BLOCK], body[2][SN_CONTACT_BLOCK];
    /* Of every point, in a substep. */
    sn_rigid_row arm[2][3];           /* m, lever arms of both */
    sn_rigid_row share;               /* how much of their way the first has in its own */
    sn_rigid_row leans;               /* 0 where arms are those of the end already */
    sn_rigid_row deep;                /* m, where neither is moved; of no point: -infinity */
    sn_rigid_row motion[3];           /* m, likewise */
    sn_rigid_row start;               /* m, how deep it was when the substep began */
    sn_rigid_row push, slide[3];      /* m */
    sn_rigid_row k_n;                 /* 1/kg, along the normal; 0 until it touches */
    sn_rigid_row along[3], across[3]; /* 1/kg, of axes with themselves, and twice with the next */
    sn_rigid_row touched;             /* 1 where it was */
    /* What only the beginning and the end of a substep ask for. */
    sn_rigid_row predicted; /* m, how deep it is before these sweeps */
    sn_rigid_row had_push;  /* m, before these sweeps, where they are not the first */
    sn_rigid_row struck;    /* 1 where both came together, and were not held apart before */
    sn_rigid_row had[3];    /* m, and all of both before them */
    /* Of a manifold, as it was found: where the point is on both, and its radius; m, of no point:
       -infinity. Of the chain: the normal as its owner sees it, and 1 where that is the second. */
    sn_rigid_row at[2][3], radius;
    sn_rigid_row owned[3], second;
    /* Since it was laid out: impulses in N s, whether it touched; and whether it is stuck. */
    sn_rigid_row normal_impulse, impulse[3], met, stuck;
    uint32_t slot[SN_CONTACT_BLOCK], ball[SN_CONTACT_BLOCK];
};

/* What two are pushed apart by changes by more where they strike. */
#define SN_RIGID_JUMP SN_R(2.5)

/* How the points of a block are gone over. */
typedef struct sn_rigid_round {
    sn_vec4 *d;           /* m, of nodes */
    const sn_vec4 *x, *p; /* m, the same, where substeps and this one began */
    sn_rigid_body *body;
    sn_real h;      /* s */
    sn_real slight; /* m, what gravity does in a substep (recovery.h) */
    bool begins;    /* whether these are the first sweeps of a substep */
    bool slides;
    bool relaxes;    /* whether velocities alone are changed */
    bool first;      /* the first of these, or of places */
    uint32_t number; /* of the round in these sweeps, for who was stirred in it */
    sn_real quiet;   /* m, which stirs nobody */
} sn_rigid_round;

/* What may be so of points that are looked at. */
enum {
    SN_RIGID_STRIKES = 1, /* one strikes the other */
    SN_RIGID_STUCK = 2    /* one is deeper in the other than may end in a substep */
};

typedef struct sn_rigid_kernels {
    /* Looks at the points of manifolds where they are in a substep; which of these is so of any. */
    unsigned (*look)(const sn_rigid_round *round, sn_rigid_block *block);
    /* Of the first block of a chain: what the last substep ended with is given to both sides. */
    void (*begin)(const sn_rigid_round *round, sn_rigid_block *block);
    /* m: the most that a point is pushed now. After the first round, lanes are left out of which no
       body was stirred since. */
    sn_real (*solve)(const sn_rigid_round *round, sn_rigid_block *block);
    /* What a substep has come to: impulses, and what the next one begins with. */
    void (*keep)(const sn_rigid_round *round, sn_rigid_block *block);
    uint32_t lanes; /* how many are gone over together */
} sn_rigid_kernels;

const sn_rigid_kernels *sn_rigid_kernels_of(sn_width width);

/* Lays out the points of a group; and what has happened to them since goes into their rows. */
void sn_rigid_blocks_lay(sn_world *world, size_t group, bool begins, sn_real h);
void sn_rigid_blocks_write_group(struct sn_contacts *contacts, size_t group);
/* As a step begins whose pairs stay: false where a group has to be laid out again, from rows. */
bool sn_rigid_blocks_renew(const sn_world *world, size_t group);

/* Of the manifolds that begin in a block: bits of those of which the two have moved as seen from
   each other since their points were found. */
typedef struct sn_rigid_seen_kernels {
    uint32_t (*moved)(const sn_world *world, size_t block);
} sn_rigid_seen_kernels;
const sn_rigid_seen_kernels *sn_rigid_seen_kernels_of(sn_width width);

/* Behind a round over a chain: points that roll are resisted (rigid_rolling.c). */
void sn_rigid_resist_rolling(const sn_world *world, const sn_rigid_round *round,
                             sn_rigid_block *chain);

#endif
