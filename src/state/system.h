/*
 * The system contract: what a world object gives, and what the world and the step do with it.
 *
 * A system is an object with a life of its own: state in the world, a place in the step, a place in
 * snapshots. It is a folder with a descriptor, sn_<name>_system, and one line in system_list.h.
 * Every entry but the name may be left out.
 */
#ifndef SN_STATE_SYSTEM_H
#define SN_STATE_SYSTEM_H

#include "base/archive.h"
#include "state/step_context.h"

#include <stddef.h>

/* The stages of a step, in their order: Algorithm 1 of Mueller et al. 2007. */
typedef enum sn_stage {
    /* Before the step: these may fail, and then nothing has changed. */
    SN_STAGE_PLAN, /* all memory that the step may need */
    SN_STAGE_FIND, /* candidate pairs for the whole step */

    SN_STAGE_BEGIN, /* once */

    /* In every substep. */
    SN_STAGE_FORCES,  /* accelerations; the only stage that calls functions of the user */
    SN_STAGE_PREDICT, /* the integrator */
    SN_STAGE_MOVE,    /* what is kinematic: colliders, then nodes that ride on them, then frames */
    SN_STAGE_DETECT,  /* contacts of this substep, and pairs that were not expected */
    SN_STAGE_PROJECT, /* once per iteration */
    SN_STAGE_LIMIT,   /* the last word on positions */
    SN_STAGE_UPDATE,  /* what follows from the motion, then the integrator */
    SN_STAGE_VELOCITIES,

    SN_STAGE_END,      /* once */
    SN_STAGE_TOPOLOGY, /* after the step, when calls are allowed again: what tears and breaks */
    SN_STAGE_COUNT
} sn_stage;

/* Who comes first within a stage. The later one has the last word. */
enum {
    /* plan */
    SN_RANK_OBJECTS = 0,
    SN_RANK_STEP = 1,
    SN_RANK_WAKE = 2,
    /* find */
    SN_RANK_SURFACES = 0,
    SN_RANK_SLEEPERS = 1,
    SN_RANK_SHAPES = 2,
    /* forces */
    SN_RANK_FIELDS = 0,
    SN_RANK_AIR = 1,
    SN_RANK_RECORD = 2,
    /* move */
    SN_RANK_COLLIDERS = 0,
    SN_RANK_NODES = 1,
    SN_RANK_FRAMES = 2,
    /* project */
    SN_RANK_COARSE = 0,
    SN_RANK_REGION = 1,
    SN_RANK_CONSTRAINTS = 2,
    SN_RANK_BOUND = 3,
    SN_RANK_CONTACT = 4,
    SN_RANK_TARGET = 5,
    /* velocities */
    SN_RANK_RESTITUTION = 0,
    SN_RANK_PROJECTION = 1,
    SN_RANK_DAMPING = 2,
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

/* What of the state an entry reads or writes. Declared, so that a backend or many machines can tell
   where to wait and what to move. */
enum {
    SN_STATE_POSITIONS = 1,
    SN_STATE_VELOCITIES = 2,
    SN_STATE_FRAMES = 4,
    SN_STATE_MULTIPLIERS = 8,
    SN_STATE_ACCELERATIONS = 16,
    SN_STATE_COLLIDERS = 32,
    SN_STATE_CONTACTS = 64,
    SN_STATE_PARAMETERS = 128, /* of constraints and objects */
    SN_STATE_TOPOLOGY = 256,   /* which nodes, constraints and elements there are */
};

/* A line of the step. */
typedef struct sn_stage_entry {
    sn_stage stage;
    int rank;
    const char *name;
    size_t timer;                          /* of sn_stats, as an offset */
    bool (*active)(const sn_world *world); /* asked once per step; null for always */
    void (*run)(sn_step *step);
    bool (*plan)(sn_step *step); /* instead, in stages that may fail: false without memory */
    uint32_t reads, writes;
    bool parallel;  /* whether threads share it */
    bool offloaded; /* whether it shares its work with a backend, and fetches what it needs */
} sn_stage_entry;

#define SN_TIMER(name) offsetof(sn_stats, time_##name)

/* Is shown nodes, two at a time. */
typedef void sn_visit_nodes(void *context, uint32_t a, uint32_t b);

struct sn_system {
    const char *name;
    size_t size; /* of its state, which is zero when a world begins */
    bool output; /* whether the state is what the last step gave, which snapshots do not have */

    const sn_stage_entry *stages;
    size_t stage_count;
    /* The plan is over: it succeeded, or nothing may have changed. */
    void (*planned)(sn_step *step, bool success);

    /* Takes over what is the host's from another world: callbacks. */
    void (*bind)(void *state, const void *like);
    void (*free)(void *state, sn_memory *memory);
    /* Frees what can be made again from the rest, which is as if the world had just begun. */
    void (*drop_scratch)(void *state, sn_memory *memory);

    /* Nodes that sleep and wake together. */
    void (*join)(const sn_world *world, sn_visit_nodes *visit, void *context);
    /* Nodes whose bodies must not sleep now, each twice. */
    void (*keeps_awake)(const sn_world *world, sn_visit_nodes *visit, void *context);
    /* Whether functions of the user act through it, which may push anything at any time. */
    bool (*calls_user)(const sn_world *world);
    /* Nodes that contact takes for one, such as copies of a node that lie where it is. */
    void (*exclude)(const sn_world *world, sn_visit_nodes *visit, void *context);

    /* Takes the nodes whose `alive` is SN_DOOMED out of its lists. */
    void (*forget_nodes)(sn_world *world);
    /* A constraint is about to go; or it broke. */
    void (*constraint_removed)(sn_world *world, uint32_t constraint, sn_members members);
    void (*constraint_broke)(sn_world *world, sn_members members);
    /* Inverse masses have changed in the middle of a step. */
    void (*masses_changed)(sn_world *world);

    /* To and from a snapshot, and to who visits arrays (serialize.h): columns in the sections of
       the world and of the nodes, sections before those of the constraints, and behind them; and
       what is checked when all is read. */
    void (*serialize_world)(sn_world *world, sn_archive *a);
    void (*serialize_nodes)(sn_world *world, sn_archive *a);
    void (*serialize_before)(sn_world *world, sn_archive *a);
    void (*serialize)(sn_world *world, sn_archive *a);
    void (*check)(const sn_world *world, sn_archive *a);
};

#endif
