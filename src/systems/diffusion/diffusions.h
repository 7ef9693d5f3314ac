/* Diffusions: what nodes carry, who is near whom in a step, and the bonds of those that are solid.
 */
#ifndef SN_SYSTEMS_DIFFUSION_DIFFUSIONS_H
#define SN_SYSTEMS_DIFFUSION_DIFFUSIONS_H

#include "base/archive.h"
#include "collision/broad_phase/broad_phase.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/diffusion.h>

typedef struct sn_diffusion_state {
    sn_diffusion_def def; /* its lists are null, its counts not used */
    sn_node *node;
    double *value;
    double *liquid; /* 1, the part that has melted */
    double *mass;   /* kg, without what is loaded; 0 where there never was any */
    uint8_t *solid; /* whether it has bonds; 2 where it is getting some */
    size_t nodes, room;
    sn_constraint *bond; /* some may have gone */
    size_t bonds, bond_room;
    double received; /* kg */
} sn_diffusion_state;

typedef struct sn_source_state {
    sn_source_def def;
    double clock; /* s, since it was made */
} sn_source_state;

/* A node that carries something, in a step. */
typedef struct sn_carrier {
    uint32_t node, diffusion, number; /* number in the list of the diffusion */
    double spacing;                   /* m */
    double value, mass;               /* kg; 0: holds its value */
    double change;                    /* of what it has, in a pass */
    double rate;                      /* 1/s, of all that goes over to others */
    double crowd;                     /* 1, the part of its neighbours that is there */
    bool is_there;                    /* whether it does not wait for its turn */
} sn_carrier;

/* Those of all diffusions, in the order of diffusions and lists, and the neighbours of each, in
   that order as well. */
typedef struct sn_carriers {
    sn_carrier *carrier;
    sn_vec4 *low, *high; /* m, boxes for the search */
    size_t *first;       /* of the neighbours; one more says where they end */
    uint32_t *near;
    double *flow; /* kg/s, of each neighbour */
    size_t count, room, near_room, flow_room;
    uint32_t *number; /* of nodes of the world, in the list of one diffusion */
    size_t number_room;
    double *load; /* 1, of nodes of the world: mass over what it is without what they carry */
    size_t load_room;
    bool is_loaded; /* whether one may not be 1 */
    sn_broad broad;
} sn_carriers;

typedef struct sn_diffusions {
    sn_slots slots, source_slots;
    sn_diffusion_state *state;
    sn_source_state *source;
    size_t capacity, source_capacity;
    sn_carriers carriers; /* scratch */
} sn_diffusions;

static inline sn_diffusions *sn_diffusions_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_DIFFUSION];
}

extern const sn_object sn_diffusion_object, sn_source_object;

/* ---- Lists (diffusions.c) ---- */

/* Room for one more diffusion or source, and for the lists of one; false when there is no memory.
 */
bool sn_diffusions_reserve(sn_diffusions *all, sn_memory *memory);
bool sn_sources_reserve(sn_diffusions *all, sn_memory *memory);
bool sn_diffusion_state_reserve(sn_diffusion_state *d, sn_memory *memory, size_t nodes);
void sn_diffusion_state_free(sn_diffusion_state *d, sn_memory *memory);
void sn_diffusions_free(sn_diffusions *all, sn_memory *memory);
/* The value and the liquid part of what has so much, and the other way round. */
void sn_diffusion_settle(const sn_diffusion_def *def, double heat, double *value, double *liquid);
double sn_diffusion_heat(const sn_diffusion_def *def, double value, double liquid);

/* ---- Who is near whom (diffusion_neighbours.c) ---- */

bool sn_diffusions_find(sn_world *world);
void sn_carriers_free(sn_carriers *carriers, sn_memory *memory);
/* m: how far apart the nodes of a diffusion are. */
double sn_diffusion_spacing(const sn_world *world, const sn_diffusion_state *d);

/* ---- What a step does (diffuse.c, diffusion_sources.c, bonds.c) ---- */

void sn_diffusions_exchange(sn_step *step);
void sn_diffusions_take_in(sn_world *world, double dt);
/* Bonds of nodes that froze, and without those of nodes that melted; where there is no memory for
   new ones, nodes freeze later: false. Neighbours are those that were found last. */
bool sn_diffusion_bind(sn_world *world, size_t diffusion);
/* Whether a constraint can be a bond; and whether a bond has not gone. */
bool sn_diffusion_may_bind(const sn_world *world, uint32_t constraint);
bool sn_diffusion_has_bond(const sn_world *world, const sn_diffusion_state *d, size_t k);
/* What masses are over those without what nodes carry, per node of the world and for a step; null
   where nothing is loaded. */
bool sn_diffusions_plan_loads(sn_step *step);
static inline const double *sn_diffusions_loads(const sn_world *world) {
    const sn_carriers *c = &sn_diffusions_of(world)->carriers;
    return c->is_loaded ? c->load : NULL;
}
/* Masses that follow what nodes have; false, and they stay, when there is no memory. */
bool sn_diffusions_load(sn_world *world);
/* Masses without any load of nodes that a diffusion makes heavier. */
void sn_diffusion_unload(sn_world *world, const sn_diffusion_state *d);

/* serialize_diffusions.c: the part of a snapshot. */
void sn_world_serialize_diffusions(sn_world *world, sn_archive *a);

#endif
