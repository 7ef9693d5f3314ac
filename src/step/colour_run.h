/*
 * Going through the constraints of a colour: shared by threads in blocks, without those that sleep.
 */
#ifndef SN_STEP_COLOUR_RUN_H
#define SN_STEP_COLOUR_RUN_H

#include "step/step.h"

/* Does something to the constraints `begin` to `end`: whole blocks, in lanes, or with `single` any
   range, one by one. */
typedef void sn_colour_range(const void *what, size_t begin, size_t end, bool single);

/* Whether there is a constraint in it, and one that is awake. */
bool sn_colour_has_work(const sn_world *world, const sn_colour *colour);

/* Runs it over a colour that has work; what has no colour is done in turn, or backwards. With
   `without`, a word per block, the constraints whose bits are set are left out. */
void sn_colour_run(sn_world *world, const sn_store *store, uint8_t colour, bool backwards,
                   const uint16_t *without, sn_colour_range *range, const void *what);

#endif
