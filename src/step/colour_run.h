/*
 * Going through the constraints of a colour: shared by threads in blocks, without those that sleep.
 */
#ifndef SN_STEP_COLOUR_RUN_H
#define SN_STEP_COLOUR_RUN_H

#include "step/step.h"

/* Does something to the constraints `begin` to `end`: whole blocks, in lanes, or with `single` any
   range, one by one. */
typedef void sn_colour_range(const void *what, size_t begin, size_t end, bool single);

/* What is done to a colour, and to which of its constraints. */
typedef struct sn_colour_work {
    sn_colour_range *range;
    const void *what;
    size_t count;
    const uint16_t *awake;   /* per block, where bodies sleep; null otherwise */
    const uint16_t *without; /* per block, what is left out; null for nothing */
    bool backwards;          /* what has no colour, from the last on */
} sn_colour_work;

/* Constraints from begin to end. */
typedef struct sn_colour_span {
    size_t begin, end;
} sn_colour_span;

/* Those of a colour that one of so many tracks has. */
sn_colour_span sn_colour_part(const sn_store *store, uint8_t colour, size_t track, size_t tracks);

/* The colour as a stage of a flow, without windows. With `without`, a word per block, the
   constraints whose bits are set are left out. */
sn_flow_stage sn_colour_stage(const sn_world *world, const sn_store *store, uint8_t colour,
                              const uint16_t *without, sn_colour_work *work);

/* Whether there is a constraint in it, and one that is awake. */
bool sn_colour_has_work(const sn_world *world, const sn_colour *colour);

/* Runs it over a colour that has work; what has no colour is done in turn, or backwards. With
   `without`, a word per block, the constraints whose bits are set are left out. */
void sn_colour_run(sn_world *world, const sn_store *store, uint8_t colour, bool backwards,
                   const uint16_t *without, sn_colour_range *range, const void *what);

#endif
