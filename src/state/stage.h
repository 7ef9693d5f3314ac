/* Where in a step something takes its turn: a stage, and a rank within it. */
#ifndef SN_STATE_STAGE_H
#define SN_STATE_STAGE_H

/* The stages of a step, in their order: Algorithm 1 of Mueller et al. 2007. */
typedef enum sn_stage {
    /* Before the step: these may fail, and then nothing has changed. */
    SN_STAGE_PLAN, /* all memory that the step may need */
    SN_STAGE_FIND, /* candidate pairs for the whole step */

    SN_STAGE_BEGIN, /* once */

    /* In every substep. */
    SN_STAGE_FORCES,  /* accelerations; calls the force fields and the wind of the user */
    SN_STAGE_PREDICT, /* the integrator */
    SN_STAGE_MOVE,    /* what is kinematic: colliders, then nodes that ride on them, then frames */
    SN_STAGE_DETECT,  /* contacts of this substep, and pairs that were not expected */
    SN_STAGE_PROJECT, /* once per iteration */
    SN_STAGE_LIMIT,   /* what must not be passed */
    SN_STAGE_UPDATE,  /* what follows from the motion, then the integrator */
    SN_STAGE_VELOCITIES,

    SN_STAGE_END,      /* once */
    SN_STAGE_TOPOLOGY, /* after the step, when calls are allowed again: what tears and breaks */
    SN_STAGE_COUNT
} sn_stage;

/* Who comes first within a stage. The later one has the last word. */
enum {
    /* plan */
    SN_RANK_OWNED = 0, /* constraints that objects make for themselves */
    SN_RANK_OBJECTS = 1,
    SN_RANK_STEP = 2,
    SN_RANK_WAKE = 3,
    /* find */
    SN_RANK_SURFACES = 0,
    SN_RANK_SLEEPERS = 1,
    SN_RANK_SHAPES = 2,
    /* forces */
    SN_RANK_FIELDS = 0,
    SN_RANK_AIR = 1,
    SN_RANK_EFFECTORS = 2, /* of which those that resist must know what pushes */
    SN_RANK_RECORD = 3,
    /* move */
    SN_RANK_COLLIDERS = 0,
    SN_RANK_NODES = 1,
    SN_RANK_FRAMES = 2,
    SN_RANK_LENGTHS = 3,
    /* project */
    SN_RANK_COARSE = 0,
    SN_RANK_REGION = 1,
    SN_RANK_CONSTRAINTS = 2,
    SN_RANK_BOUND = 3,
    SN_RANK_CONTACT = 4,
    SN_RANK_TARGET = 5,
    /* project, limit, velocities */
    SN_RANK_PLANE = 6,
    /* update */
    SN_RANK_TURNED = 0,
    SN_RANK_BREAKING = 1,
    SN_RANK_FIT = 2,
    /* velocities */
    SN_RANK_DASHPOTS = 0,
    SN_RANK_RESTITUTION = 1,
    SN_RANK_PROJECTION = 2,
    SN_RANK_DAMPING = 3,
    /* end */
    SN_RANK_MOTION = 0,
    SN_RANK_PLASTICITY = 1,
    SN_RANK_TARGETS = 2,
    SN_RANK_CONTACTS = 3,
    SN_RANK_SLEEP = 4,
    SN_RANK_FORCES = 5,
    /* topology */
    SN_RANK_TEAR = 0,
    SN_RANK_BREAK = 1,
};

#endif
