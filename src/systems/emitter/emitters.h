/* Emitters and drains: lists of nodes that wait for their turn, and where they go in the end. */
#ifndef SN_SYSTEMS_EMITTER_EMITTERS_H
#define SN_SYSTEMS_EMITTER_EMITTERS_H

#include "base/archive.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/emitter.h>

/* What a node of a reserve is when it does not wait. */
typedef struct sn_reserve_node {
    sn_node node;
    sn_real w, radius; /* 1/kg, m */
    uint32_t group;
    uint32_t waits; /* 0 or 1 */
} sn_reserve_node;

typedef struct sn_emitter_state {
    sn_emitter_def def; /* without its list */
    sn_reserve_node *reserve;
    sn_node *list; /* of the nodes, for who asks */
    size_t count, capacity, list_capacity;
    sn_vec3 *points; /* m, of a mesh */
    size_t point_count, point_capacity;
    uint32_t fluid[2]; /* slot + 1 and generation of the fluid they are of, or 0 */
    double clock[2];   /* s, since it was made; and when the next layer or particle comes */
    double layer;      /* 1, layers or particles that were due so far */
    double emitted, blocked;
    size_t first; /* scratch: nobody before it waits */
} sn_emitter_state;

typedef struct sn_drain_state {
    sn_drain_def def;
    double clock; /* s, since it was made */
    double drained;
} sn_drain_state;

typedef struct sn_emitters {
    sn_slots slots, drain_slots;
    sn_emitter_state *state;
    sn_drain_state *drain;
    size_t capacity, drain_capacity;
    /* Scratch: where somebody is near the emitter that acts, and half of their radii. */
    sn_vec4 *near;
    size_t near_count, near_capacity;
} sn_emitters;

static inline sn_emitters *sn_emitters_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_EMITTER];
}

extern const sn_object sn_emitter_object, sn_drain_object;

/* ---- Lists (emitters.c) ---- */

bool sn_emitter_state_reserve(sn_emitter_state *state, sn_memory *memory, size_t count);
bool sn_emitter_points_reserve(sn_emitter_state *state, sn_memory *memory, size_t count);
void sn_emitter_state_free(sn_emitter_state *state, sn_memory *memory);
void sn_emitters_free(sn_emitters *emitters, sn_memory *memory);
void sn_emitters_forget(sn_emitters *emitters, const uint8_t *alive, uint8_t doomed);
/* Lets a node of a reserve wait, out of everybody's way. */
void sn_emitter_park(sn_world *world, sn_emitter_state *state, size_t index);
/* m: how far apart its particles are. */
double sn_emitter_spacing(const sn_emitter_state *state);

/* ---- What happens when a step is over (emit.c, drain.c) ---- */

/* How many places a layer or a volume may have. */
enum { SN_EMITTER_MOST_PLACES = 1 << 24 };
/* How many a layer or a volume has with the corners of what is round, which may be too many. */
double sn_emitter_lattice(const sn_emitter_def *def, double spacing);
/* How many places a layer or a volume has. */
size_t sn_emitter_places(const sn_emitter_def *def, double spacing);
/* m^3/s: as much as there is room for, 0 for a volume. */
double sn_emitter_most(const sn_emitter_def *def, double spacing);
bool sn_emitters_plan(sn_step *step);
void sn_emitters_act(sn_step *step);
void sn_drains_act(sn_world *world, double dt);

/* serialize_emitters.c: the part of a snapshot. */
void sn_world_serialize_emitters(sn_world *world, sn_archive *a);

#endif
