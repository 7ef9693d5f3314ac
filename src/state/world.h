/*
 * The world: everything that outlives a step.
 *
 * Functions here keep the world consistent but do not check arguments; that is the task of src/api.
 */
#ifndef SN_STATE_WORLD_H
#define SN_STATE_WORLD_H

#include "base/team.h"
#include "state/backend.h"
#include "state/contact_list.h"
#include "state/frames.h"
#include "state/history.h"
#include "state/nodes.h"
#include "state/phantoms.h"
#include "state/sleep_state.h"
#include "state/store.h"
#include "state/system_list.h"
#include "state/thread_trial.h"
#include "state/tracks.h"
#include "state/trees.h"

enum { SN_MAX_FIELDS = 64 };

typedef struct sn_field_entry {
    sn_force_field *field;
    void *user;
} sn_field_entry;

typedef struct sn_bodies {
    sn_slots slots;
    sn_body_def *def;
    size_t capacity;
} sn_bodies;

/* Where a constraint is, and its neighbours in the order of creation (index + 1, 0 at the ends). */
typedef struct sn_constraint_record {
    uint32_t older, newer;
    uint32_t position;
    uint8_t type, colour;
    bool owned; /* made for the sheet of its first node (owned_constraints.h) */
} sn_constraint_record;

typedef struct sn_constraints {
    sn_slots slots;
    sn_constraint_record *record;
    size_t capacity;
    uint32_t oldest, newest; /* index + 1 */
} sn_constraints;

/* Of Jacobi: the part that a node or a frame takes of the sum of its corrections, the inverse
   masses that its constraints see, and the sum. */
typedef struct sn_jacobi {
    sn_real *share, *w;
    sn_vec4 *pulled;
    size_t capacity;
    sn_real *turn_share;
    sn_vec4 *turn_w, *turned;
    size_t turn_capacity;
} sn_jacobi;

/* Where everything was when the step began, for what must go back. */
typedef struct sn_safe {
    sn_vec4 *x, *q;
    size_t capacity, turn_capacity;
} sn_safe;

/* What the list of types looks like from here. */
typedef struct sn_type_list {
    const sn_constraint_type *const *type;
    size_t count;
} sn_type_list;

/* And that of systems (system.h). */
typedef struct sn_system sn_system;
typedef struct sn_call_table sn_call_table;
typedef struct sn_system_list {
    const sn_system *const *system;
    size_t count;
} sn_system_list;

/*
 * The world has four parts, and a use of a member says which it is of:
 *   state     world->nodes            what a snapshot holds, and the next step depends on
 *   output    world->output.broken    what the last step gave, which no step reads
 *   bindings  world->bindings.team    what the program lends: code, threads, callbacks
 *   scratch   world->scratch.jacobi   made from the other parts, and can be made again
 * Snapshots and rollback bring back the state; the rest follows from what it is.
 */
typedef struct sn_world_output {
    sn_freeze_event *frozen;
    size_t freezes, freeze_capacity;
    sn_break_event *broken;
    size_t breaks, break_capacity;
    sn_stats stats;
} sn_world_output;

typedef struct sn_world_bindings {
    sn_system_list systems;
    sn_team *team;
    sn_width width;
    bool fewer_lanes; /* whether loops may have less than that where it is faster */
    sn_lane_trial lanes[SN_TRIED_COUNT];
    sn_wide_registers wide;
    sn_thread_trial threads;
    sn_backend *backend; /* a device of the host program; null for none */
    sn_log *log;
    void *log_user;
    sn_field_entry field[SN_MAX_FIELDS];
    size_t field_count;
    struct sn_recorder *recorder;  /* of the public calls; null where nobody records */
    struct sn_feeder *feeder;      /* gives what force fields gave before; null but in a replay */
    void (*tap)(sn_world *world);  /* shows the accelerations of a substep to the recorder */
    void (*feed)(sn_world *world); /* takes them from the feeder */
    struct sn_audit_books *audit;  /* of an energy audit; null where there is none */
} sn_world_bindings;

/* Limits of joints that were hit in a substep (step/settle.c). */
typedef struct sn_settled_joint {
    uint32_t store;
    sn_place place;
} sn_settled_joint;
typedef struct sn_settling {
    bool possible;           /* whether joints have limits */
    sn_settled_joint *joint; /* that are gone over */
    size_t count, capacity;
    uint8_t *stopped; /* per node, whether a limit has stopped it */
    size_t stopped_capacity;
    size_t hits; /* limits */
} sn_settling;

typedef struct sn_world_scratch {
    bool locked; /* inside a step */
    /* What is stale. */
    bool masses_changed; /* coefficients of all stores */
    bool segments_changed;
    bool settings_changed;
    bool constraints_changed; /* since the shares of Jacobi and the masses of BDF2 were used */

    sn_segment *segment;
    size_t segments, segment_capacity;
    sn_vec4 *acceleration; /* m/s^2, of forces and fields in the present substep */
    size_t acceleration_capacity;
    sn_real *fitted; /* sums of multipliers over the substeps of a step */
    size_t fitted_capacity;
    sn_real *before; /* multipliers of stores with one-sided constraints, of a substep ago */
    size_t before_capacity;
    sn_vec3 *gradient; /* of one of them */
    size_t gradient_capacity;
    sn_settling settling;
    sn_jacobi jacobi;
    sn_phantoms phantoms;
    sn_trees trees;
    sn_tracks tracks;
    sn_safe safe;
} sn_world_scratch;

struct sn_world {
    sn_memory memory; /* of all parts */
    uint16_t tag;     /* in every id of this world */

    sn_settings settings;
    double time;
    uint64_t steps; /* that the world has made */
    double carry;   /* s, too short to be stepped yet */
    sn_scale scale; /* of the last step, which coefficients were made for */
    sn_nodes nodes;
    sn_frames frames;
    sn_history history;
    sn_sleep sleep;
    sn_bodies bodies;
    sn_contact_list contacts;
    double contact_time; /* s, how long the step of the last contacts was */
    sn_constraints constraints;
    sn_store *store; /* one per type: the listed ones, then those added at run time */
    size_t store_count, store_capacity;
    void **system_state; /* one per system */

    sn_world_output output;
    sn_world_bindings bindings;
    sn_world_scratch scratch;
};

sn_result sn_world_init(sn_world **out, const sn_world_def *def, sn_type_list types,
                        sn_system_list systems);
void sn_world_free(sn_world *world);

/* A world with the identity, the bindings and the settings of another, and nothing in it. Both use
   the same memory: what is held is counted in the one that was used last. */
sn_result sn_world_begin_contents(sn_world *fresh, const sn_world *like);
/* Frees all scratch; the next step makes it anew, and goes on with the same bits. */
void sn_world_drop_scratch(sn_world *world);
/* Frees state, output and scratch of a world and leaves its bindings, and the struct itself. */
void sn_world_free_contents(sn_world *world);

void sn_world_say(const sn_world *world, sn_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- Nodes ---- */

/* Room for more nodes; what follows cannot fail. */
bool sn_world_reserve_nodes(sn_world *world, size_t extra);
uint32_t sn_world_add_node(sn_world *world, const sn_node_def *def);

/* Removes the nodes whose `alive` is SN_DOOMED, and every constraint on them. */
enum { SN_DOOMED = 2 };
void sn_world_remove_doomed(sn_world *world);

/* ---- Constraints ---- */

sn_place sn_world_place(const sn_world *world, uint32_t constraint);
sn_store *sn_world_store_of(const sn_world *world, uint32_t constraint);

/* Between the numbers of types and the stores: the listed types, then those added at run time. */
size_t sn_world_store_index(const sn_world *world, sn_type type);
sn_type sn_world_type_at(size_t store);

/* Adds a store for a type that the world then owns; false when there is no memory. */
bool sn_world_add_store(sn_world *world, sn_constraint_type *type);

/* Registers a constraint whose colour has room; returns its index. */
uint32_t sn_world_add_constraint(sn_world *world, size_t type, uint8_t colour,
                                 const sn_draft *draft);
/* Puts a constraint that has its record already into a store with room. */
void sn_world_place_constraint(sn_world *world, uint32_t index, sn_store *store, uint8_t colour,
                               const sn_draft *draft);
void sn_world_remove_constraint(sn_world *world, uint32_t constraint);
/* Tells systems that what was between two nodes broke or was cut; those that are none are left
   out. */
void sn_world_part_line(sn_world *world, int32_t a, int32_t b);
/* Parameters of a constraint have changed: wakes its nodes, and makes its coefficients anew. */
void sn_world_rederive_constraint(sn_world *world, uint32_t constraint);

/* ---- Integration ---- */

/* m/s^2, of a body (slot + 1), or of the nodes without one (0). */
static inline sn_vec3 sn_world_gravity(const sn_world *world, uint32_t body) {
    if (body == 0) return world->settings.gravity;
    sn_vec3 own = world->bodies.def[body - 1].gravity;
    bool given = own.x != SN_AUTO && own.y != SN_AUTO && own.z != SN_AUTO;
    return given ? own : world->settings.gravity;
}

/* Lets a body (slot + 1, or 0 for the nodes without one) begin anew with the next substep, because
   its motion has changed in a way that no integrator must extrapolate. Wakes it as well. */
void sn_world_restart_body(sn_world *world, uint32_t body);

/* Within a step: the masses that constraints see, where they are solved in turn. */
sn_masses sn_world_masses(const sn_world *world);

/* ---- Sleep ---- */

/* Wakes a body (slot + 1; 0 is none) and all that it sleeps with. One that is awake stays so for
   the whole sleep time again. To be called wherever the motion of a body is changed from outside.
 */
void sn_world_wake_body(sn_world *world, uint32_t body);
void sn_world_wake_all(sn_world *world);
/* Wakes the body of a node; without one, what is joined with it. */
void sn_world_wake_node(sn_world *world, uint32_t node);
/* Wakes the bodies of a constraint, and those that have touched a collider. */
void sn_world_wake_members(sn_world *world, sn_members members);
void sn_world_wake_contacts(sn_world *world, uint32_t collider);

/* Within a step: two nodes of bodies that touched. They fall asleep together, and what moves wakes
   what sleeps after the step. From one thread, in any order. */
void sn_world_note_contact(sn_world *world, uint32_t node_a, uint32_t node_b);
/* Whether bodies may fall asleep. */
static inline bool sn_sleep_is_on(const sn_world *world) {
    return world->settings.sleep_time != SN_AUTO;
}

/* Within a step: the inverse masses that contacts between bodies see. Sleepers stand like walls. */
static inline const sn_real *sn_world_contact_w(const sn_world *world) {
    return world->sleep.count > 0 ? world->sleep.w : world->nodes.w;
}

/* Whether the node of a frame sleeps. */
static inline bool sn_frame_is_asleep(const sn_world *world, size_t frame) {
    if (world->sleep.count == 0 || !world->frames.slots.alive[frame]) return false;
    return sn_sleep_has(&world->sleep, world->nodes.body[world->frames.node[frame]]);
}

/* ---- Jacobi ---- */

/* Room for the sums of Jacobi; false when there is no memory. */
bool sn_world_reserve_jacobi(sn_world *world);

/* Room for where everything is safe; false when there is no memory. */
bool sn_world_reserve_safe(sn_world *world);

/* ---- Segments ---- */

/* Makes the runs of nodes with one body up to date; false when there is no memory. */
bool sn_world_update_segments(sn_world *world);

#endif
