/*
 * A store: all constraints of one type, colour by colour.
 *
 * Constraints of one colour move no common node. A new constraint takes the lowest colour that is
 * free at all nodes it moves, by a mask per node; a removed one gives its place to the last of its
 * colour. So colours stay valid through any sequence of additions and removals, and depend on that
 * sequence only. What finds no free colour goes to the sequential colour and is solved one by one.
 *
 *   colour 0   [16 constraints][16]...[16][5, padding]
 *   colour 1   [16][16]...
 *   ...
 *   sequential [16][3, padding]
 */
#ifndef SN_STATE_STORE_H
#define SN_STATE_STORE_H

#include "state/frames.h"
#include "state/lane_trial.h"
#include "state/nodes.h"
#include "state/type.h"

enum { SN_SEQUENTIAL = 63, SN_COLOURS = 64 };

typedef struct sn_colour {
    size_t count;    /* constraints */
    size_t capacity; /* blocks */
    /* State, but for the coefficients, which follow. Only the pivots of these are kept: they say
       what the multipliers of the last step are. */
    void *block;        /* node indices and coefficients */
    sn_real *soft;      /* SN_SOFT_ROWS rows per block */
    sn_real *lambda;    /* multipliers: one number per constraint, or whole vectors of rows */
    sn_real *viscosity; /* alpha of the dashpots, sn_dashpot_rows rows per block */
    sn_real *impulse;   /* of the dashpots in the last substep, laid out as lambda is */
    sn_real *parameter; /* of each constraint in turn */
    uint32_t *owner;    /* index of the constraint in the table of the world */
    sn_list **list;     /* of each constraint, where the type has lists; owned */
    uint16_t *off;      /* per block, a bit per constraint that is disabled */
    /* Scratch. */
    uint8_t *marked;    /* per block, whether a search over all of them is to look again */
    uint16_t *awake;    /* per block, a bit per constraint; where bodies sleep, during a step */
    size_t awake_count; /* constraints that are awake, likewise */
} sn_colour;

/* How many constraints ask for more than the hard loop. */
typedef enum sn_trait {
    SN_TRAIT_COMPLIANT,
    SN_TRAIT_SIDED,
    SN_TRAIT_DAMPED,
    SN_TRAIT_RELAXED, /* stiffness below 1, in the 2007 model */
    SN_TRAIT_BREAKABLE,
    SN_TRAIT_SETTLING,    /* parameters may change in a step */
    SN_TRAIT_VELOCITIES,  /* takes part in velocity projection */
    SN_TRAIT_SPARING,     /* nodes that are touched are treated in another way */
    SN_TRAIT_REMEMBERING, /* multipliers are asked for in the next substep */
    SN_TRAITS
} sn_trait;

typedef struct sn_store {
    const sn_constraint_type *type;
    int parameters; /* numbers per constraint */
    sn_colour colour[SN_COLOURS];
    bool kept; /* whether the multipliers are those of the last substep */
    /* What follows from the constraints. */
    size_t colours; /* 1 + the highest in use, the sequential one aside */
    size_t count;
    size_t trait[SN_TRAITS];
    size_t off;     /* constraints that are disabled */
    uint64_t *used; /* per node, the colours of its constraints here */
    size_t used_capacity;
    bool changed;        /* constraints came or went since the colours were last checked */
    sn_lane_trial trial; /* of sweeps over all of it */
    uint64_t edits;      /* how often they did, or took another node */
} sn_store;

/* What coefficients depend on beside parameters and masses. */
typedef struct sn_scale {
    double h;        /* s */
    double rate_h;   /* s, in which nodes make the motion that damping acts on: d less the p that
                      loops are shown */
    double damped_h; /* s, from one sweep over the dashpots to the next */
    sn_model model;
    int iterations;
    int solved_in_turn; /* colours from this on are solved all at once */
    sn_integrator integrator;
} sn_scale;

/* Where a constraint is. */
typedef struct sn_place {
    uint8_t colour;
    uint32_t position;
} sn_place;

void sn_store_init(sn_store *store, const sn_constraint_type *type);
void sn_store_free(sn_store *store, sn_memory *memory);

/* Room for nodes up to `capacity` in the masks; false when there is no memory. */
bool sn_store_reserve_nodes(sn_store *store, sn_memory *memory, size_t capacity);

/* The colour for a constraint on these nodes, which is marked as used; and the way back. */
uint8_t sn_store_claim_colour(sn_store *store, sn_members members);
/* Likewise, but the smallest of the colours below `most`, where one of them is free, so that they
   are of similar size: `waiting` says how many constraints of each are claimed and not yet added;
   null for none. */
uint8_t sn_store_claim_smallest(sn_store *store, sn_members members, int most,
                                const size_t *waiting);
/* Marks this very colour; false where one of the nodes has it already. */
bool sn_store_take_colour(sn_store *store, sn_members members, uint8_t colour);
void sn_store_release_colour(sn_store *store, sn_members members, uint8_t colour);

/* Gives a constraint another node in the place of one, on which its colour must be free. */
void sn_store_replace_member(sn_store *store, sn_place place, int n, uint32_t node);

/* Room for `extra` more constraints of a colour; false when there is no memory. */
bool sn_store_reserve(sn_store *store, sn_memory *memory, uint8_t colour, size_t extra);

/* What a new constraint is. */
typedef struct sn_draft {
    sn_real parameter[SN_MAX_PARAMETERS];
    sn_list *list;                  /* of types that have one; goes over into the store */
    int32_t offset[SN_MAX_INDICES]; /* the members of types without lists */
    bool off;                       /* disabled */
} sn_draft;

/* Who takes part according to a draft whose list or offsets are filled. */
sn_members sn_draft_members(const sn_constraint_type *type, const sn_draft *draft);

/* Appends to a colour with room. */
sn_place sn_store_add(sn_store *store, uint8_t colour, uint32_t owner, const sn_draft *draft);

/* Removes; returns the owner of the constraint that now has this place, or `owner` itself. */
uint32_t sn_store_remove(sn_store *store, sn_memory *memory, sn_place place);

sn_members sn_store_members(const sn_store *store, sn_place place);
/* The list of a constraint; null where the type has none. */
sn_list *sn_store_list(const sn_store *store, sn_place place);
sn_real *sn_store_parameters(const sn_store *store, sn_place place);
/* Where multipliers, or sums of errors, are kept between steps; and the pivot between the two. */
sn_real *sn_store_kept(const sn_store *store, sn_place place);
sn_real *sn_store_pivot(const sn_store *store, sn_place place);
/* The impulses of the dashpot of a constraint, in N s for a C in m. */
sn_real *sn_store_impulse(const sn_store *store, sn_place place);
/* The multipliers, one per row. */
void sn_store_lambda(const sn_store *store, sn_place place, double lambda[SN_MAX_ROWS]);

/* Replaces the parameters and keeps the counts of traits right. */
void sn_store_set_parameters(sn_store *store, sn_place place, const sn_real *parameter);

/* Inverse masses of nodes and inverse inertias of frames. */
typedef struct sn_masses {
    const sn_real *w;
    const sn_vec4 *turn_w;
} sn_masses;

/* Makes the coefficients of one constraint, or of whole blocks of a colour. */
void sn_store_derive(sn_store *store, sn_place place, sn_masses masses, const sn_scale *scale);
void sn_store_derive_blocks(sn_store *store, uint8_t colour, size_t begin, size_t end,
                            sn_masses masses, const sn_scale *scale);

/* Disables a constraint, or enables it again. Its coefficients, which are to be derived after this,
   then have neither masses nor inertias, so that the loops need not know of it. */
void sn_store_switch(sn_store *store, sn_place place, bool off);
bool sn_store_is_off(const sn_store *store, sn_place place);

/* Makes a constraint powerless without moving anything: it broke in the middle of a step. */
void sn_store_disable(sn_store *store, sn_place place);

/* What the loops see of a colour. */
sn_batch sn_store_batch(const sn_store *store, const sn_nodes *nodes, const sn_frames *frames,
                        uint8_t colour);

/* And the loops of dashpots, with velocities and true masses. */
sn_dashpots sn_store_dashpots(const sn_store *store, const sn_nodes *nodes, const sn_frames *frames,
                              uint8_t colour);

/* The rank of its constraints in the stage project. */
static inline int sn_store_rank(const sn_store *store) {
    return store->type->rank ? store->type->rank : SN_RANK_CONSTRAINTS;
}

size_t sn_colour_blocks(const sn_colour *colour);

/* A whole block, the last of a colour as well; and whether a constraint is awake. */
enum { SN_AWAKE = 0xffff };
static inline bool sn_colour_is_awake(const sn_colour *colour, size_t position) {
    return colour->awake[position / 16] >> position % 16 & 1;
}

/* Whether no two constraints of a colour move the same node, and the masks say so. Slow. */
bool sn_store_is_valid(const sn_store *store, size_t nodes, sn_memory *memory);

#endif
