/*
 * Shape matchings: the lists that the user gave, what the regions have come to, and what a step
 * works with.
 *
 * Lists, rotations and what has become plastic are what snapshots keep. The rest follows from them,
 * from masses and from who is kinematic, and is made anew in the plan of a step when one of these
 * has changed (shape_matchings_plan.c). It is in double: see region_sums.h.
 */
#ifndef SN_SYSTEMS_SHAPE_MATCHING_SHAPE_MATCHINGS_H
#define SN_SYSTEMS_SHAPE_MATCHING_SHAPE_MATCHINGS_H

#include "base/archive.h"
#include "state/frames.h"
#include "state/nodes.h"
#include "state/object.h"
#include "state/step_context.h"
#include "state/world.h"
#include "systems/shape_matching/region_sums.h"

#include <sinew/shape_matching.h>

/* What a node brings into its regions. Matrices are column by column. */
typedef struct sn_match_node {
    double mass;     /* kg, its share of each of its regions */
    double regions;  /* how many it is in */
    double rest[3];  /* m, from the middle of all */
    double arm[9];   /* kg m^2, D Q^T over the number of regions: moment D, rotation Q at rest */
    double yield[6]; /* 1/(kg m^2), the inverse of tr(D) - D */
} sn_match_node;

/* What is known of a region at rest. */
typedef struct sn_match_region {
    double mass;       /* kg */
    double centre[3];  /* m */
    double inverse[6]; /* 1/(kg m^2), of the sum of m r r^T; in the directions that it has */
    double missing[6]; /* 1, the projection on those that it has not */
} sn_match_region;

/* What a step works with where there are fibres. Their members are numbered from the first of the
   first one. */
typedef struct sn_match_fibres {
    double *length;    /* m, per member: at rest from the one before */
    double (*walk)[4]; /* m, per member: from where it is to its goal; and whether that comes from a
                          node that is held */
    uint32_t *first, *at; /* per node, where its members begin, and which these are */
    size_t length_room, walk_room, first_room, at_room;
} sn_match_fibres;

typedef struct sn_shape_matching_state {
    sn_shape_matching_def def; /* its lists are null, its counts not used, but for that of fibres */
    /* The nodes, in the order of the user. */
    sn_node *node;
    sn_vec3 *rest;        /* m */
    sn_quat *orientation; /* at rest; null where they have no part */
    sn_real (*moment)[6]; /* m^2; null where the inertia says */
    size_t nodes, node_room, rest_room, orientation_room, moment_room;
    /* The regions. */
    uint32_t *first, *member, *centre; /* centre: UINT32_MAX for none; the last are fibres */
    size_t regions, first_room, member_room, centre_room;
    /* What they have come to. */
    double (*rotation)[4]; /* unit quaternions */
    double (*plastic)[9];  /* S_p, column by column; null where nothing can become plastic */
    size_t rotation_room, plastic_room;
    /* What a step works with. */
    sn_region_sums sums;
    sn_match_node *at; /* per node */
    size_t at_room;
    sn_match_region *region; /* per region */
    size_t region_room;
    uint32_t *own; /* per node: the region whose centre it is, + 1, or 0 */
    size_t own_room;
    sn_vec4 *pulled, *turned; /* m and rad, sums over the sweeps of a substep, where compliant */
    size_t pulled_room, turned_room;
    sn_match_fibres fibres;
    size_t middle; /* the node that is nearest to the middle of all at rest */
    bool changed;  /* the latter are not those of the lists */
} sn_shape_matching_state;

typedef struct sn_shape_matchings {
    sn_slots slots;
    sn_shape_matching_state *state;
    size_t capacity;
    bool changed;               /* something is not up to date */
    double *row, *sum, *motion; /* of the matching at hand: per node, per region, and again */
    size_t row_room, sum_room, motion_room;
} sn_shape_matchings;

/* How many regions are matched by their shape. */
static inline size_t sn_shape_matching_shapes(const sn_shape_matching_state *m) {
    return m->regions - m->def.fibre_count;
}

/* Numbers in a row: of a node, m x and m x X^T; of a region, a matrix and a shift, and where
   orientations follow other matrices than positions do, the rotation. */
enum { SN_MATCH_SUMS = 12, SN_MATCH_DAMP = 16 };
static inline size_t sn_shape_matching_width(const sn_shape_matching_state *m) {
    bool deforms = m->def.mode == SN_SHAPE_MATCHING_LINEAR || m->plastic;
    return m->orientation && deforms ? 24 : 12;
}

/* Room for one more; false when there is no memory. */
bool sn_shape_matchings_reserve(sn_shape_matchings *all, sn_memory *memory);
void sn_shape_matching_state_free(sn_shape_matching_state *m, sn_memory *memory);
void sn_shape_matchings_remove(sn_shape_matchings *all, sn_memory *memory, uint32_t index);
void sn_shape_matchings_free(sn_shape_matchings *all, sn_memory *memory);

/* Room for lists of so many nodes, members and regions; false when there is no memory. */
bool sn_shape_matching_reserve(sn_shape_matching_state *m, sn_memory *memory, size_t nodes,
                               size_t members, size_t regions);
/* Room for what is plastic, which begins as nothing; false when there is no memory. */
bool sn_shape_matching_reserve_plastic(sn_shape_matching_state *m, sn_memory *memory);

/* How many regions have nodes that all lie in a plane or on a line at rest. */
size_t sn_shape_matching_flat_regions(const sn_shape_matching_state *m);

/* Whether a node is in it. */
bool sn_shape_matching_has(const sn_shape_matching_state *m, uint32_t slot);

/* Takes the nodes whose `alive` is this out of all shape matchings, and regions that have none
   left. */
void sn_shape_matchings_forget(sn_shape_matchings *all, sn_memory *memory, const uint8_t *alive,
                               uint8_t doomed);

/* shape_matchings_plan.c: makes anew what is not up to date; false when there is no memory. */
bool sn_shape_matchings_plan(sn_shape_matchings *all, sn_memory *memory, const sn_nodes *nodes,
                             const sn_frames *frames, bool masses_changed);

static inline sn_shape_matchings *sn_shape_matchings_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_SHAPE_MATCHING];
}

extern const sn_object sn_shape_matching_object;

/* serialize_shape_matchings.c: the part of a snapshot. */
void sn_world_serialize_shape_matchings(sn_world *world, sn_archive *a);

/* match_shapes.c: makes ready what is not up to date, false when there is no memory; pulls nodes to
   the goals of their regions, before the sweep of an iteration; what has become plastic in the
   step. */
bool sn_shape_matchings_prepare(sn_step *step);
void sn_shape_matchings_project(sn_step *step);
void sn_shape_matchings_flow(sn_step *step);
/* match_fibres.c: makes ready what fibres need, false when there is no memory. */
bool sn_match_fibres_plan(sn_shape_matching_state *m, sn_memory *memory);
void sn_match_fibres_free(sn_match_fibres *fibres, sn_memory *memory);
/* match_shapes_damping.c: takes motion within regions. */
bool sn_shape_matchings_are_damped(const sn_world *world);
void sn_shape_matchings_damp(sn_step *step);

#endif
