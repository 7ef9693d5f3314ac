/*
 * Frames: the orientations of oriented nodes. Worlds of particles have none and pay nothing.
 *
 * Angular velocities are in the frame of the node, where its inertia is diagonal.
 */
#ifndef SN_STATE_FRAMES_H
#define SN_STATE_FRAMES_H

#include "base/slots.h"

/* Whether a frame has a target: to be reached in the next step, or reached in the last one. */
typedef enum sn_aim { SN_UNAIMED, SN_AIMED, SN_ARRIVED } sn_aim;

/* State, but for what follows from it. */
typedef struct sn_frames {
    sn_slots slots;
    sn_vec4 *q;     /* unit quaternion, from the frame to the world */
    sn_vec4 *start; /* q at the beginning of the substep */
    sn_vec4 *omega; /* rad/s; during a substep, that at its end without constraints */
    /* rad, of what constraints did in the substep: h times the angular momentum that they gave,
       over the inertia, in the frame as it is; the sum of their rotation vectors where these are
       small. */
    sn_vec4 *turn;
    sn_vec4 *predicted; /* q before constraints turned it: within a substep alone, no state */
    sn_vec4 *w;         /* 1/(kg m^2), principal */
    sn_vec4 *inertia;   /* kg m^2, one over w where that is not 0: follows */
    sn_vec4 *torque;    /* N m in the world, for the next step */
    sn_vec4 *radii;     /* m, half axes of ellipsoids along the axes of the frame; 0 for others */
    sn_vec4 *target;    /* unit quaternion to be reached in the next step, if aimed */
    uint8_t *aimed;     /* an sn_aim */
    uint32_t *node;
    size_t capacity;
    size_t ellipsoids; /* how many have radii: follows */
    bool has_torques;
} sn_frames;

/* Room for more frames; false when there is no memory. The frames before index 0 exist from the
   first call on. */
bool sn_frames_reserve(sn_frames *frames, sn_memory *memory, size_t extra);
void sn_frames_free(sn_frames *frames, sn_memory *memory);

/* Takes a frame for a node, without rotation; what follows reserving cannot fail. */
uint32_t sn_frames_take(sn_frames *frames, uint32_t node);
/* The inverse inertia of a frame, from which the inertia follows. */
void sn_frames_set_w(sn_frames *frames, uint32_t index, sn_vec3 w);
/* Makes the node of a frame an ellipsoid, or with zeros none. */
void sn_frames_set_radii(sn_frames *frames, uint32_t index, sn_vec3 radii);
void sn_frames_give(sn_frames *frames, uint32_t index);

#endif
