/*
 * Constraints of your own: a type is added to a world at run time, and from then on its constraints
 * are made, changed, read and solved like those of the library: coloured, threaded, compliant,
 * damped, breakable, one-sided.
 *
 * A type is a function that computes C, and its gradient if you have one, for up to 16 constraints
 * at a time. docs/examples/user_constraint.c is a complete program.
 */
#ifndef SINEW_USER_H
#define SINEW_USER_H

#include <sinew/constraint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many constraints a formula is shown at a time, and so the stride of its rows. */
#define SN_USER_LANES 16

/* The most rows and parameters of a type, and the most types that can be added to a world. */
#define SN_USER_ROWS 6
#define SN_USER_PARAMETERS 16
#define SN_USER_TYPES 64

/*
 * What a formula works on. Everything is in rows of SN_USER_LANES numbers, one per constraint, of
 * which the first `count` are used, so that a loop over i is a loop over consecutive numbers.
 * Positions are relative to node 0: far from the origin of the world they are finer than a
 * difference of two positions would be.
 */
typedef struct sn_user_batch {
    size_t count; /* constraints, 1 to SN_USER_LANES */
    /* Read. */
    const sn_real (*x)[3][SN_USER_LANES];      /* x[k][axis][i]: m, node k relative to node 0 */
    const sn_real (*origin)[SN_USER_LANES];    /* origin[axis][i]: m, where node 0 is */
    const sn_real (*q)[4][SN_USER_LANES];      /* q[k][x, y, z, w][i]: of oriented node k */
    const sn_real (*parameter)[SN_USER_LANES]; /* parameter[j][i]: of the definition */
    /* Written, every number of them; only `scale` has a value before. Gradients are null where the
       type has numerical ones. */
    sn_real (*value)[SN_USER_LANES];       /* value[row][i]: C */
    sn_real (*gradient)[3][SN_USER_LANES]; /* gradient[row * nodes + k][axis][i]: by node k */
    sn_real (*turn)[3][SN_USER_LANES];     /* turn[row * frames + k][axis][i]: by a rotation vector
                                              of oriented node k in its own frame */
    sn_real *scale; /* scale[i], 1 before: with unit_gradient, a factor on the gradients of i */
    /*
     * least[row][i] and most[row][i]: J/C, between which the force of a row stays in a substep,
     * with -SN_REAL_MAX and SN_REAL_MAX before; null where the type is not bounded. A force above 0
     * makes C larger, as in sn_constraint_force. So 0 and SN_REAL_MAX are a limit, C >= 0, which
     * only pushes; -f and f are a motor that can do so much and no more; 0 and 0 are nothing.
     */
    sn_real (*least)[SN_USER_LANES];
    sn_real (*most)[SN_USER_LANES];
} sn_user_batch;

/*
 * Computes C and its gradients. Called from several threads at once, and during a step, so it must
 * neither call Sinew nor write anything but its results. The result for a constraint must not
 * depend on which others are in the batch. One that broke earlier in a step may be shown until the
 * step ends; nothing is done with the result.
 */
typedef void sn_user_formula(void *user, const sn_user_batch *batch);

/* A parameter of a type: a number that every constraint has its own of. */
typedef struct sn_user_parameter {
    const char *name;             /* not that of a common field */
    const char *unit;             /* for messages; null for "1" */
    double least, most, standard; /* range and default, in the unit */
} sn_user_parameter;

/* What a type is. Strings and arrays are copied. */
typedef struct sn_user_type_def {
    size_t size;      /* set by sn_user_type_def_default */
    const char *name; /* up to 63 characters, that of no other type of the world */
    int nodes;        /* 1 to SN_MAX_NODES; default 2 */
    int fixed_nodes;  /* the last ones, which are read and never moved; default 0 */
    int frames;       /* the first ones, which must be oriented; default 0 */
    int rows;         /* numbers in C, 1 to SN_USER_ROWS, each damped by itself; default 1 */
    bool external;    /* whether it acts against the world, so that momentum is not kept */
    int parameter_count;
    const sn_user_parameter *parameters; /* SN_USER_PARAMETERS at most */
    sn_user_formula *formula;
    void *user; /* handed to the formula */
    /* Whether the library takes the gradients from differences of C, which costs 6 evaluations per
       node and about half of the digits. */
    bool numerical;
    sn_real difference; /* m, how far nodes are moved for that; SN_AUTO: a part of the largest
                           distance from node 0; frames are turned by that part of a radian */
    /*
     * For types with one row and no frames: whether |grad_k C| = 1 for every node that is moved, as
     * for a distance. The denominator of the projection is then computed once for all.
     */
    bool unit_gradient;
    /* Whether the formula gives bounds of the forces of its rows, each by itself: for limits and
       motors. Default false. */
    bool bounded;
} sn_user_type_def;

SN_API sn_user_type_def sn_user_type_def_default(void);

/* Adds a type, which lives as long as the world. Types are numbered from SN_TYPE_USER on. */
SN_API sn_result sn_world_add_type(sn_world *world, const sn_user_type_def *def, sn_type *type);

/* The definition of a constraint of any added type, for sn_constraint_create and its like. */
typedef struct sn_user_def {
    size_t size; /* set by sn_user_def_default */
    sn_node node[SN_MAX_NODES];
    SN_COMMON_FIELDS(SN_MEMBER)
    sn_real parameter[SN_USER_PARAMETERS]; /* each in the unit of its type */
} sn_user_def;

/* The defaults of a type that was added to this world, with the defaults of its parameters. */
SN_API sn_result sn_user_def_default(const sn_world *world, sn_type type, sn_user_def *def);

/* What there is to know about a type, whether of the list or added; null if there is none. Valid
   as long as the world. */
SN_API const sn_type_info *sn_world_type_info(const sn_world *world, sn_type type);

/* The type with this name, whether of the list or added; SN_ERROR_NAME when there is none. */
SN_API sn_result sn_world_type_by_name(const sn_world *world, const char *name, sn_type *type);

#ifdef __cplusplus
}
#endif

#endif
