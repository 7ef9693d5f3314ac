/* Doughs: particles, some of which wait, and the clusters that they are in. */
#ifndef SN_SYSTEMS_DOUGH_DOUGHS_H
#define SN_SYSTEMS_DOUGH_DOUGHS_H

#include "base/archive.h"
#include "geometry/topology/sort_indices.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/dough.h>

/* The most that a cluster holds, and room for members of all clusters per particle. */
enum { SN_DOUGH_MEMBERS = 64, SN_DOUGH_SHARE = 32 };

typedef struct sn_dough_clusters {
    size_t count;
    uint32_t *first;       /* count + 1: where the members of a cluster begin */
    uint32_t *member;      /* places in the list of particles */
    double (*rest)[3];     /* m, of every member, in the frame of the cluster */
    double (*rotation)[4]; /* of every cluster, x, y, z, w */
    double *flow;          /* 1, how far its shape at rest has been stretched */
} sn_dough_clusters;

typedef struct sn_dough_state {
    sn_dough_def def; /* its lists are null, its counts not used */
    sn_node *node;
    uint32_t *waits; /* 0 or 1, of every particle */
    size_t nodes, room;
    sn_dough_clusters clusters;
    double seeded, merged, mass; /* mass: kg, of a particle in the mean, when it was made */
    uint32_t *number;            /* room for new numbers when nodes go */
    /* Scratch; null where it is yet to be made. */
    sn_dough_clusters next;
    uint32_t *entry_first, *entry; /* of every particle: places in the lists of members */
    double (*goal)[3];             /* of every member */
    double *weight;                /* kg, of a particle in each of its clusters */
    sn_vec4 *pulled;               /* m, in this substep */
    sn_record *cell, *spare;       /* particles by cells */
    size_t cells;
    double low[3]; /* m, where cells begin */
    uint32_t *stamp, *near, *count;
    size_t scratch_room;
} sn_dough_state;

typedef struct sn_doughs {
    sn_slots slots;
    sn_dough_state *state;
    size_t capacity;
} sn_doughs;

static inline sn_doughs *sn_doughs_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_DOUGH];
}

extern const sn_object sn_dough_object;

/* ---- Lists (doughs.c) ---- */

bool sn_doughs_reserve(sn_doughs *all, sn_memory *memory);
/* Room for so many particles and their clusters. */
bool sn_dough_reserve(sn_dough_state *d, sn_memory *memory, size_t nodes);
bool sn_dough_reserve_scratch(sn_dough_state *d, sn_memory *memory);
void sn_dough_free_scratch(sn_dough_state *d, sn_memory *memory);
void sn_dough_free(sn_dough_state *d, sn_memory *memory);
void sn_doughs_remove(sn_doughs *all, sn_memory *memory, uint32_t index);
void sn_doughs_forget(sn_world *world);
/* How many pieces there are that have no cluster in common; `parent` has room for all particles. */
size_t sn_dough_pieces(const sn_dough_state *d, uint32_t *parent);

/* Where a particle is when no substep is under way. */
static inline void sn_dough_place(const sn_world *world, const sn_dough_state *d, size_t i,
                                  double out[3]) {
    sn_vec4 x = world->nodes.x[d->node[i].slot - 1];
    out[0] = (double)x.x, out[1] = (double)x.y, out[2] = (double)x.z;
}

/* kg, 0 of what is kinematic or waits. */
static inline double sn_dough_mass(const sn_world *world, const sn_dough_state *d, size_t i) {
    double w = (double)world->nodes.w[d->node[i].slot - 1];
    return w > 0 ? 1 / w : 0;
}

/* ---- In a step ---- */

/* match_dough.c: what particles weigh in their clusters; their goals. */
bool sn_doughs_plan(sn_step *step);
void sn_dough_list_entries(sn_dough_state *d);
void sn_dough_weigh(const sn_world *world, sn_dough_state *d);
void sn_doughs_project(sn_step *step);

/* damp_dough.c: motion within clusters. */
void sn_doughs_damp(sn_step *step);

/* flow_dough.c: shapes at rest follow. */
void sn_dough_flow(const sn_world *world, sn_dough_state *d, double dt);
/* What leads from where a cluster is to its shape at rest: the inverse of F, or of its rotation. */
void sn_dough_back(const sn_world *world, const sn_dough_state *d, size_t r, double out[9]);

/* dough_cells.c: who is near a point, in a fixed order; how many. */
void sn_dough_sort(const sn_world *world, sn_dough_state *d);
size_t sn_dough_near(const sn_world *world, sn_dough_state *d, const double x[3], double radius);

/* resample_dough.c: particles that become one, and those that are seeded. */
void sn_dough_resample(sn_world *world, sn_dough_state *d);
void sn_dough_park(sn_world *world, sn_dough_state *d, size_t i);

/* recluster_dough.c: clusters follow their particles. */
void sn_dough_recluster(const sn_world *world, sn_dough_state *d);
void sn_doughs_adapt(sn_step *step);

/* serialize_doughs.c: the part of a snapshot. */
void sn_world_serialize_doughs(sn_world *world, sn_archive *a);

#endif
