/*
 * Whether steps are faster with threads at all, by trying it.
 *
 * Stages are cut for threads where they have many items, but how long these take, and what it costs
 * to tell other cores, only the machine knows: a bridge of ropes took 0.9 ms with one thread and
 * 1.4 with two. So steps that few threads work on, or that are short, are made with all threads and
 * with one, by turns, once all else that is tried is known; what was faster in most rounds goes on,
 * until steps get longer or a while is over. The bits are the same.
 */
#ifndef SN_STATE_THREAD_TRIAL_H
#define SN_STATE_THREAD_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sn_thread_trial {
    bool alone;        /* whether this step is made by one thread */
    bool known, timed; /* whether that is for a while; whether this step is tried */
    bool best;         /* what is known */
    uint8_t rounds;    /* of both, one after the other */
    uint8_t wins[2];   /* rounds in which all threads were faster, or one */
    double each[2];    /* s, of the present round; 0 where it has still to come */
    double last;       /* s, of the step before */
    double longest;    /* s, of the steps that were tried with one thread */
    int steps;         /* since it began, or was known */
} sn_thread_trial;

/* Whether the step that begins is to be made by one thread, where so many had work in the last one
   that was not. */
bool sn_thread_trial_begin(sn_thread_trial *trial, size_t threads);
/* What it took, s. */
void sn_thread_trial_end(sn_thread_trial *trial, double took);

#endif
