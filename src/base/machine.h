/*
 * What the machine that the program runs on can do.
 *
 * On x86-64 the registers for 8 and 16 lanes are not on every machine, so the loops of those widths
 * are compiled for AVX2 and AVX-512 and may be called only where these are. Elsewhere wide vectors
 * are made of several registers, which every machine has.
 */
#ifndef SN_BASE_MACHINE_H
#define SN_BASE_MACHINE_H

/* The widest loops that can be called: 4, 8 or 16 lanes. */
int sn_machine_most_lanes(void);

/* The loops that are fastest: those of the widest registers. */
int sn_machine_best_lanes(void);

#endif
