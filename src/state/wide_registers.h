/*
 * What registers of 256 bits cost everything else.
 *
 * Some machines lower the clock of a core while registers of 256 bits and more multiply, and for
 * most of a millisecond afterwards. All of a step is slower then, by 15 % on a Cascade Lake, and a
 * loop that is faster with 8 lanes than with 4 may make the step that it is in slower. No trial of
 * loops can tell: the clock is low in all of it.
 *
 * How fast the clock is, a chain of multiplications tells that wait for each other. It is asked at
 * the end of steps that have 4 lanes everywhere, with which a world begins, and of others. With
 * both known, every step adds up what its loops save by 8 lanes, or would, as their trials have
 * it, and compares that with what the clock takes from all of it, or would.
 *
 * Where programs share a core, who else has wide registers may have lowered the clock already, and
 * begins and ends when it likes. So a step of the other kind comes in between from time to time.
 */
#ifndef SN_STATE_WIDE_REGISTERS_H
#define SN_STATE_WIDE_REGISTERS_H

#include <sinew/base.h>

#include <stdbool.h>

typedef struct sn_wide_registers {
    bool avoided;    /* in this step: it has 4 lanes everywhere */
    bool pay;        /* whether 8 lanes won the last step, so that 16 may be tried */
    double start;    /* s, when the step began */
    double quiet;    /* s, of steps with 4 lanes everywhere since the last one with more */
    double chain[2]; /* s, for the chain, with the clock of 4 lanes and of 8; 0 where unknown */
    double saved;    /* s, by 8 lanes in this step, or what they would have saved */
    double untried;  /* s, in this step, of loops that are being tried, or are still to be */
    double balance;  /* s, of what is saved over what the clock takes, in the last few steps */
    double unasked;  /* s, of steps since the clock was asked */
    double age;      /* s, of steps since it was asked for the first time, or forgotten */
    int steps;       /* of that age */
} sn_wide_registers;

/* Before and after a step. */
void sn_wide_registers_begin(sn_world *world);
void sn_wide_registers_end(sn_world *world);

/* What the next step does, where this one took so long, in s. Loops are tried where they might save
   enough. */
void sn_wide_registers_weigh(sn_wide_registers *registers, double took);

#endif
