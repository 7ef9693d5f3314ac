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
#include "state/object.h"
#include "state/split.h"
#include "state/stage.h"
#include "state/step_context.h"

#include <stddef.h>

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
    /* Of velocities: asked before they are updated; whether it has nothing to do in the substep, as
       most of the time. Null: it always has. */
    bool (*idle)(const sn_world *world);
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

    /* Nodes that sleep and wake together; and whether they are apart all the same, as those of a
       fluid are, so that a periodic world may have them. */
    void (*join)(const sn_world *world, sn_visit_nodes *visit, void *context);
    bool joins_loosely;
    /* Nodes whose bodies must not sleep now, each twice. */
    void (*keeps_awake)(const sn_world *world, sn_visit_nodes *visit, void *context);
    /* Whether others may rest on a node, or be stopped by it: they wake when it is moved. */
    bool (*obstructs)(const sn_world *world, uint32_t node);
    /* Whether functions of the user act through it, which may push anything at any time. */
    bool (*calls_user)(const sn_world *world);
    /* Nodes that contact takes for one, such as copies of a node that lie where it is. */
    void (*exclude)(const sn_world *world, sn_visit_nodes *visit, void *context);

    /* Takes the nodes whose `alive` is SN_DOOMED out of its lists. */
    void (*forget_nodes)(sn_world *world);
    /* A constraint is about to go. */
    void (*constraint_removed)(sn_world *world, uint32_t constraint, sn_members members);
    /* What was between two nodes, a line where there was one, broke or was cut. */
    void (*line_parted)(sn_world *world, uint32_t a, uint32_t b);
    /*
     * A mesh is cut (split.h). Of a cut that would split nodes: an error where one of them must
     * stay whole. Of a node that is split: room for that, false when there is no memory, and then
     * the copy, which cannot fail. Of an edge that is divided: false when there is no memory, and
     * whoever divides puts the world back. Of a node that is moved at rest.
     */
    sn_result (*check_cut)(const sn_world *world, sn_may_split *may, const void *context);
    bool (*reserve_split)(sn_world *world, const sn_split *split);
    void (*split)(sn_world *world, const sn_split *split);
    bool (*divide)(sn_world *world, const sn_division *division);
    void (*move_rest)(sn_world *world, const sn_rest_move *move);
    /* Inverse masses have changed in the middle of a step. */
    void (*masses_changed)(sn_world *world);

    /* What it consists of, by lists of fields (state/object.h); and its public calls, for
       recordings (api/call.h). Of systems of the library the latter are known in api/. */
    const sn_object *const *objects;
    size_t object_count;
    const sn_call_table *calls;

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
