/*
 * A backend: a device that does in the place of the threads what most of a step is, such as a GPU.
 *
 * The step decides what is projected in which order, and with that the bits; a backend takes a
 * colour of a store or leaves it, and what it leaves the threads do. It works on the same blocks
 * with the same loops. What it works on belongs to it until the step fetches it, which follows from
 * what the entries of a stage declare (state/system.h). step/offload.c is the side of the step.
 */
#ifndef SN_STATE_BACKEND_H
#define SN_STATE_BACKEND_H

#include "state/store.h"

struct sn_integration; /* step/integrators/integrator.h */

/* One colour of a store. */
typedef struct sn_offload {
    const sn_store *store;
    uint8_t colour;
    sn_softness softness;
    bool first; /* whether lambda starts at zero */
} sn_offload;

typedef struct sn_backend sn_backend;
struct sn_backend {
    /* Takes over the blocks of a world, whose coefficients are those of the step. May fail, for
       want of memory there; the threads then do everything. */
    bool (*begin)(sn_backend *backend, sn_world *world);
    /* Whether it does this colour. */
    bool (*project)(sn_backend *backend, const sn_offload *work);
    /* The two halves of BDF1, or both in one pass, for the nodes of a segment. Whether all of them
       are finite. */
    bool (*integrate)(sn_backend *backend, const sn_segment *nodes,
                      const struct sn_integration *how, bool update, bool predict);
    /* Gives back what it has of these parts of the state, such as SN_STATE_POSITIONS. */
    void (*fetch)(sn_backend *backend, uint32_t state);
    /* Gives everything back, multipliers as well: the substeps are over. */
    void (*end)(sn_backend *backend);
};

#endif
