/*
 * The constraint contract: what a type gives, and what the solver does with it.
 *
 * A type is one file in src/constraints/, its fields in include/sinew/constraints/ and one line in
 * the list there. The solver knows nothing else about it.
 *
 * Of every constraint three things are kept:
 *   parameters    the fields of its definition and what was measured at creation (prepare);
 *   coefficients  what the hot loop reads, made from parameters, masses and h (derive);
 *   multipliers   lambda of the present substep, one per row.
 * Types whose constraints have any number of nodes keep those in a list per constraint
 * (node_list.h).
 *
 * Coefficients lie in blocks of 16 constraints, row by row: where the nodes are, then the
 * coefficient rows of the type. Nodes are kept as byte offsets into their arrays: a shift less for
 * every access, which is a tenth of the instructions of a loop. A loop works on a range of one
 * colour, where no two constraints move the same node, so lanes and threads may divide it as they
 * like.
 */
#ifndef SN_STATE_TYPE_H
#define SN_STATE_TYPE_H

#include "math/vector.h"
#include "state/node_list.h"
#include "state/stage.h"

#include <sinew/constraint.h>

#include <string.h>

enum {
    SN_MAX_INDICES = 2 * SN_MAX_NODES, /* nodes and frames */
    SN_MAX_PARAMETERS = 48,            /* numbers of all fields, and measured ones */
    SN_MAX_COEFFICIENTS = 96
};

/*
 * Two nodes that are no nodes: unused lanes of the last block of a colour work on NODE_PADDING,
 * with coefficients that move nothing; a null id is NODE_ORIGIN, which stands still and is only
 * read. They lie before index 0 of the node arrays.
 */
enum { SN_NODE_PADDING = -1, SN_NODE_ORIGIN = -2, SN_NODE_FRONT = 4 };

/* Rows that every compliant, one-sided or breakable constraint has beside its own. */
typedef enum sn_soft_row {
    SN_SOFT_ALPHA, /* compliance / h^2; of scaled types times the pivot */
    SN_SOFT_RELAX, /* k' of the 2007 model, 1 otherwise */
    SN_SOFT_LEAST, /* bounds of what is kept as multiplier, from the side */
    SN_SOFT_MOST,
    SN_SOFT_PIVOT, /* of scaled types, one over the denominator */
    SN_SOFT_ROWS
} sn_soft_row;

/* What a loop must heed. A softer loop gives a harder constraint the same bits. */
typedef enum sn_softness {
    SN_HARD,      /* no compliance, both sides */
    SN_COMPLIANT, /* alpha, relax and bounds */
    SN_SOFTNESS_COUNT
} sn_softness;

typedef struct sn_constraint_type sn_constraint_type;

/* One colour of one type, as a loop sees it. */
typedef struct sn_batch {
    const sn_vec4 *x;     /* positions at the beginning of the substep, rounded */
    const sn_vec4 *d;     /* displacement since */
    sn_vec4 *out;         /* what corrections are added to: d itself, or sums for Jacobi */
    const sn_vec4 *p;     /* nodes have moved by d - p in the time rate_h */
    const void *block;    /* node indices and coefficients */
    sn_list *const *list; /* per constraint, where the type has lists */
    const sn_constraint_type *type;
    const sn_real *soft;
    sn_real *lambda;
    /* Orientations now and at the beginning of the substep, and what constraints did to them
       (state/frames.h); for Jacobi, `turned` takes that alone, otherwise it is
       null. */
    sn_vec4 *q;
    const sn_vec4 *start;
    sn_vec4 *turn;
    sn_vec4 *turned;
    /* Whether nodes end a substep at p + h v, p as above, by which what pulls at them gives p x J
       as angular momentum about the origin, and not x x J. */
    bool starts;
    bool first; /* whether lambda starts at zero */
    /* Of every node, whether something touched it in the last substep; null where nobody asks. */
    const uint8_t *touched;
} sn_batch;

/* Projects slots begin to end. SIMD loops take whole blocks, scalar ones any range. */
typedef void sn_loop(const sn_batch *batch, size_t begin, size_t end);

/*
 * The dashpots of one colour of one type, as a loop sees them: what a constraint does to
 * displacements, its dashpot does to velocities (step/dashpots.c has the formula).
 */
typedef struct sn_dashpots {
    sn_batch at;           /* where nodes and frames are, and what belongs to the constraints */
    const sn_real *w;      /* 1/kg, of the nodes */
    const sn_vec4 *turn_w; /* 1/(kg m^2), of the frames */
    sn_vec4 *v, *omega;    /* m/s, and rad/s in the frames */
    const sn_real *alpha;  /* 1 / (h beta): sn_dashpot_rows rows per block */
    sn_real *impulse;      /* mu of every row, laid out as lambda is */
    bool warm;             /* whether what was there in the last substep is applied, or corrected */
} sn_dashpots;

typedef void sn_dashpot_loop(const sn_dashpots *dashpots, size_t begin, size_t end);

/* The loops of one type for one SIMD width. */
typedef struct sn_loops {
    sn_loop *project[SN_SOFTNESS_COUNT][2]; /* by softness, and whether multipliers are kept */
    sn_dashpot_loop *damp;                  /* of their dashpots */
} sn_loops;

/* The bound of alpha: beyond any material, and no product of it overflows a float. */
#define SN_MOST_ALPHA 1e18

/* What a constraint is prepared from: positions relative to node 0, and orientations. */
typedef struct sn_preparation {
    const sn_vec3 *x;
    const sn_quat *q;
    sn_list *list; /* of types that have one, with inverse masses; prepare fills its `c` */
    sn_memory *memory;
} sn_preparation;

/* What coefficients are made from. */
typedef struct sn_derivation {
    const sn_constraint_type *type;
    const sn_real *parameter;
    sn_list *list;         /* with its inverse masses, which derive may turn into what it needs */
    const sn_real *w;      /* inverse masses of the nodes, in 1/kg */
    const sn_vec4 *turn_w; /* inverse inertias of the frames, in 1/(kg m^2) */
    double h;              /* s */
    double rate_h;         /* s, the time that the damped motion takes */
    double move_h;         /* s, that in which nodes move by d - p */
    sn_real h2;            /* s^2, of any model: a multiplier is a force times this */
    sn_real alpha;         /* compliance / h^2 */
    sn_real relax;         /* k' */
} sn_derivation;

/* The pivot of a constraint whose denominator is constant, k' / (sum + alpha) with the sum of
   inverse masses over gradients; 0 where nothing can move. */
static inline sn_real sn_pivot(const sn_derivation *from, sn_real sum) {
    return sum > 0 ? from->relax / (sum + from->alpha) : 0;
}

typedef enum sn_width { SN_WIDTH_1, SN_WIDTH_4, SN_WIDTH_8, SN_WIDTH_16, SN_WIDTHS } sn_width;

/* What pulls at a frame without inertia, which turns to where b . q + u . (q e_3 conj(q)) is
   largest (step/tree_frames.c): N m, and N m in the world. */
typedef struct sn_frame_pull {
    double b[4], u[3];
} sn_frame_pull;

struct sn_constraint_type {
    sn_type_info info;
    size_t bytes;         /* of types made at run time, which the world frees; 0 for the listed */
    const void *standard; /* the default definition */
    bool compliant;       /* whether rows have compliances of their own */
    /*
     * Whether the denominator of the projection does not depend on positions. Its inverse, the
     * pivot, is then a factor of the coefficients, and instead of lambda the loops keep the sum e
     * of the errors that they have corrected: lambda = -pivot e.
     */
    bool scaled;
    /* Its rank in SN_STAGE_PROJECT; 0 is SN_RANK_CONSTRAINTS. Those are the solver's; others are
       projected colour by colour with any solver, such as bounds that are to hold when a sweep is
       over. */
    int rank;
    /* The parameter that is a time in s by which every row is damped, damping over stiffness,
       beside the common field; 0 where there is none. */
    int damping_time;
    /* How many rows the dashpot has where they are not those of C, and 1 / (h beta) of them; 0 and
       null otherwise. */
    int dashpot_rows;
    void (*viscosity)(const sn_real *parameter, double h, sn_real *alpha);
    /* Whether it goes where one of another type between its nodes breaks, as the joint between two
       segments of a rod does with the segment. */
    bool breaks_along;
    bool joins;   /* whether its nodes are meant to touch, so that contacts leave them alone */
    int anchors;  /* of joints: the parameter where the anchors of both nodes begin; 0 of others */
    bool timed;   /* whether coefficients depend on h beyond the compliance */
    bool bounded; /* whether multipliers of its rows have bounds, so that loops keep them */
    int measured; /* parameters beyond the fields, made by prepare */
    /* Whether these follow from the fields alone, and so change with them. Otherwise they stay what
       they were when a constraint was made, whatever it is told later. */
    bool follows;
    int coefficients; /* rows in a block */
    /* Fills automatic fields and measured parameters, or says what is degenerate. Field k is
       parameter[k], vectors take three. */
    sn_result (*prepare)(const sn_preparation *from, sn_real *parameter);
    /* What a list takes over from one that was prepared anew for other fields; null where it keeps
       what it has. */
    void (*adopt)(sn_list *own, const sn_list *fresh);
    /* Makes the coefficients; returns the pivot of a scaled type. */
    sn_real (*derive)(const sn_derivation *from, sn_real *coefficient);
    /* What becomes of the parameters where that which a constraint stands for is made longer by a
       ratio; null where it is not about a length. */
    void (*scale_length)(sn_real *parameter, double ratio);
    /* The parameter that comes to a new value through a step, and not at once (step/servo.h); null
       where a constraint has none. What differs by whole periods is the same; 0: there is none. */
    const sn_real *(*aims)(const sn_real *parameter, double *period);
    /* The compliance of a row, where the type is `compliant`; null otherwise. */
    double (*compliance)(const sn_real *parameter, int row);
    /*
     * What stays for good, of types that have such a thing: whether a constraint can change by
     * itself, and its parameters after a step of dt seconds; whether they changed. `settle` knows
     * the C that the step ended with, `flow` the positions relative to node 0; a type has one of
     * them. Types with lists or frames may have `flow_at`, which finds what it needs itself. Null
     * otherwise.
     */
    bool (*settles)(const sn_real *parameter);
    bool (*settle)(sn_real *parameter, const sn_real *value, double dt);
    bool (*flow)(sn_real *parameter, const sn_vec3 *x, double dt);
    bool (*flow_at)(const sn_batch *batch, size_t slot, sn_real *parameter, double dt);
    /*
     * Velocity projection, of types that take part in it: whether a constraint does, and what it
     * does to velocities after a substep, with the inverse masses of all nodes. Both null
     * otherwise.
     */
    bool (*projects_velocities)(const sn_real *parameter);
    void (*project_velocities)(const sn_batch *batch, size_t slot, const sn_real *w, sn_vec4 *v);
    /* Whether a constraint must know which nodes are touched, and whether its multipliers are asked
       for in the next substep; null where none must or are. */
    bool (*spares)(const sn_real *parameter);
    bool (*remembers)(const sn_real *parameter);
    /* C and, unless null, its gradients for one slot: gradient[row * (nodes + frames) + k], where
       those of frames are by rotation vectors in their own frame. */
    void (*evaluate)(const sn_batch *batch, size_t slot, sn_real *value, sn_vec3 *gradient);
    /* Of a type that is `bounded`, which rows of one slot push or pull only: a bit each. Null where
       none do. */
    unsigned (*one_sided)(const sn_batch *batch, size_t slot);
    /* Of a type whose energy by the quaternion of a frame is of that form, what it adds for the
       frame of node `member`: from the way from node 0 to node 1, in m, and the frames of both.
       Null where it is not. */
    void (*pull_frame)(const sn_real *parameter, const double along[3], const double q[2][4],
                       int member, sn_frame_pull *sum);
    /* Of a type that says how wide its nodes 0 and 1 are, that radius in m, from the positions
       relative to node 0 when a step is over; 0 of a constraint that does not. Null otherwise. */
    double (*width)(const sn_real *parameter, const sn_vec3 *x);
    const sn_loops *loops[SN_WIDTHS];
};

/* The stiffness of what has a compliance, where that is needed as a number; what is hard counts as
   this much. */
#define SN_HARD_STIFFNESS 1e12
static inline double sn_stiffness_of(double compliance) {
    return compliance * SN_HARD_STIFFNESS > 1 ? 1 / compliance : SN_HARD_STIFFNESS;
}

/* ---- The layout of a block ---- */

/* What the loops make of an offset. */
SN_INLINE sn_v4 sn_at(const sn_vec4 *array, int32_t offset) {
    return *(const sn_v4 *)((const char *)array + offset);
}
SN_INLINE sn_v4 *sn_in(sn_vec4 *array, int32_t offset) {
    return (sn_v4 *)((char *)array + offset);
}

/*
 * Four offsets that lie side by side. On arm64 as two words, of whose halves loads and stores take
 * the lower 32 bits for nothing: loads that extend a sign are slow there, and made the loops of
 * bending a fifth slower.
 */
SN_INLINE void sn_offsets(const int32_t *from, int32_t to[4]) {
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t low, high;
    memcpy(&low, from, sizeof low);
    memcpy(&high, from + 2, sizeof high);
    /* Or the compiler takes the words apart, into four such loads. */
    __asm__("" : "+r"(low), "+r"(high));
    to[0] = (int32_t)(uint32_t)low;
    to[1] = (int32_t)(low >> 32);
    to[2] = (int32_t)(uint32_t)high;
    to[3] = (int32_t)(high >> 32);
#else
    for (int i = 0; i < 4; i++) to[i] = from[i];
#endif
}

/* Rows of offsets in a block: nodes, then frames; none where nodes are in a list. */
static inline int sn_index_rows(const sn_constraint_type *type) {
    return type->info.list == SN_LIST_NONE ? type->info.nodes + type->info.frames : 0;
}

/* Bytes of a block; the loops of a type know their own. */
static inline size_t sn_block_bytes(const sn_constraint_type *type) {
    return 16 * ((size_t)sn_index_rows(type) * sizeof(int32_t) +
                 (size_t)type->coefficients * sizeof(sn_real));
}

/* Numbers that a constraint has for so many rows: one, or rows padded to whole vectors. */
static inline size_t sn_padded_rows(int rows) {
    return rows == 1 ? 1 : ((size_t)rows + 3) / 4 * 4;
}

/* Bytes of the multipliers of a constraint. */
static inline size_t sn_lambda_bytes(const sn_constraint_type *type) {
    return sizeof(sn_real) * sn_padded_rows(type->info.rows);
}

/* Rows of the dashpot of a constraint, and bytes of its impulses. */
static inline int sn_dashpot_rows(const sn_constraint_type *type) {
    return type->dashpot_rows > 0 ? type->dashpot_rows : type->info.rows;
}
static inline size_t sn_impulse_bytes(const sn_constraint_type *type) {
    return sizeof(sn_real) * sn_padded_rows(sn_dashpot_rows(type));
}

/* ---- Who takes part in a constraint ---- */

/* The nodes of a constraint, then its frames, wherever they are kept. */
typedef struct sn_members {
    const int32_t *offset;
    size_t stride;
    int nodes, moved, frames; /* of the nodes, the first `moved` are moved */
} sn_members;

SN_INLINE int32_t sn_member(sn_members members, int n) {
    return members.offset[(size_t)n * members.stride] / SN_NODE_BYTES;
}

/* Parameters that come first: the common fields, in the order of SN_COMMON_FIELDS. */
typedef enum sn_common_parameter {
    SN_PARAMETER_SIDE,
    SN_PARAMETER_COMPLIANCE,
    SN_PARAMETER_DAMPING,
    SN_PARAMETER_STIFFNESS,
    SN_PARAMETER_BREAK_FORCE,
    SN_COMMON_PARAMETERS
} sn_common_parameter;

#endif
